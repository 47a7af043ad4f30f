"""The encoder as second tier of the engine: asked in doubt, recorded with the turn, never needed."""

from __future__ import annotations

import hashlib
import json
import shutil
import sys
import warnings
from collections.abc import Iterator
from pathlib import Path
from types import ModuleType

import pytest

from holdfast import Holdfast, Pack
from holdfast.errors import InvalidInput
from holdfast.events import Reread
from holdfast.faculties.conversation import ConversationFaculty
from holdfast.faculties.facts.slots import Slot, SlotsFaculty
from holdfast.history.whole import again
from holdfast.reading import encoder as tier
from holdfast.reading.model.clauses import understand
from holdfast.reading.tiers import SecondTier

MODEL = Path(__file__).parents[2] / "packages" / "holdfast-reader-en" / "holdfast_reader_en"
UNCLEAR = (
    "mondays are for the choir",
    "mornings are for the gym, evenings for the guitar",
    "nights mostly, since the twins",
    "the small laptop travels, the big one stays",
    "paper for shopping lists, notion for the rest",
    "mostly remote these days, fridays in the office",
)
STRANGE = next(text for text in UNCLEAR if any(clause.open for clause in understand(text, "", "en")))
"""Where the linear tier leaves open what is kept, whatever it was trained on."""
HOTELS = Pack(
    "hotels",
    (
        ConversationFaculty(),
        SlotsFaculty(
            Slot("stars", describe="how many stars the hotel should have"),
            Slot("guests", describe="number of people who stay at the hotel"),
        ),
    ),
)


@pytest.fixture(autouse=True)
def _asked_for_the_first_time() -> Iterator[None]:
    tier.encoder.cache_clear()
    yield
    tier.encoder.cache_clear()


@pytest.fixture
def installed(monkeypatch: pytest.MonkeyPatch) -> None:
    pytest.importorskip("onnxruntime", reason="the extra 'reader' is not installed")
    use(monkeypatch, MODEL)


def use(monkeypatch: pytest.MonkeyPatch, folder: Path) -> None:
    """Let the model of a folder be the installed one."""
    package = ModuleType("holdfast_reader_here")
    package.__file__ = str(folder / "__init__.py")
    monkeypatch.setitem(sys.modules, package.__name__, package)
    monkeypatch.setattr(tier, "PACKAGE", package.__name__)


def rereadings(turn: object) -> list[Reread]:
    return [event for event in turn.events if isinstance(event, Reread)]  # type: ignore[attr-defined]


# ---- when it is asked -----------------------------------------------------------------------------------------------


def test_in_doubt_the_encoder_is_asked_and_the_receipt_names_it_with_score_and_words(installed: None) -> None:
    turn = Holdfast(reader="encoder").session("s", user="u").hear(STRANGE)
    (told,) = rereadings(turn)
    assert told.model.startswith("en ")
    assert [one.start for one in told.clauses] == [clause.start for clause in turn.clauses]
    (line,) = turn.receipt.did("read")
    assert told.model in line.what
    assert any(act in line.what for act in told.clauses[0].acts)
    assert line.words
    assert all(word in STRANGE for word in line.words.split(", "))
    assert any(clause.tier == "encoder" for clause in turn.clauses)


@pytest.mark.parametrize("reader", [None, "linear"])
def test_without_being_asked_for_it_reads_nothing_and_is_not_even_loaded(
    installed: None, monkeypatch: pytest.MonkeyPatch, reader: str | None
) -> None:
    monkeypatch.setattr(tier, "_installed", lambda: pytest.fail("the encoder was loaded"))
    turn = Holdfast(reader=reader).session("s", user="u").hear(STRANGE)
    assert not rereadings(turn)
    assert [(c.act, c.keep) for c in turn.clauses] == [(c.act, c.keep) for c in understand(STRANGE, "", "en")]


@pytest.mark.parametrize(
    ("language", "texts"),
    [
        (
            "ru",
            (
                "утро для зала, вечер для гитары",
                "большой ноутбук дома, маленький в рюкзаке",
                "собака спит, кот нет",
                "чай утром, кофе вечером",
            ),
        ),
        (
            "es",
            (
                "café solo por la mañana",
                "mañanas de gimnasio, tardes de guitarra",
                "mi hijo ahora en el coro",
                "la bici en el trastero",
                "mi hijo con fiebre",
            ),
        ),
    ],
)
def test_of_other_languages_only_the_clauses_are_judged(installed: None, language: str, texts: tuple[str, ...]) -> None:
    text = next(text for text in texts if any(clause.open for clause in understand(text, "", language)))
    chat = Holdfast(reader="encoder").session("s", user="u")
    (told,) = rereadings(chat.hear(text))
    assert told.clauses
    assert (told.changed, told.new_topic, told.aim, told.request, told.slots) == (0.0, 0.0, {}, {}, {})


def test_a_language_that_the_model_was_not_taught_is_read_by_the_linear_tier(installed: None) -> None:
    assert tier.judges("es")
    assert not tier.judges("de")
    assert SecondTier("encoder", {}).read("Papier für Listen", (), [(0, 17)], "de") is None


def test_another_name_for_a_tier_is_refused() -> None:
    with pytest.raises(InvalidInput, match="'linear' or 'encoder', not 'quick'"):
        Holdfast(reader="quick")


# ---- what was read stays read ---------------------------------------------------------------------------------------


def test_a_turn_of_the_past_is_decided_again_from_what_was_recorded(
    installed: None, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    store = f"sqlite:///{tmp_path}/chat.db"
    with Holdfast(store, reader="encoder") as hf:
        chat = hf.session("s", user="u")
        first = chat.hear(STRANGE, idempotency_key="k")
        assert rereadings(first)
    monkeypatch.setattr("holdfast.reading.encoder.consult", lambda *a, **k: pytest.fail("it was read again"))
    with Holdfast(store, reader="encoder") as hf:
        chat = hf.session("s", user="u")
        assert chat.state.session.slices == first.state.session.slices
        past = chat.entry(first.version)
        assert rereadings(past.entry) == rereadings(first)
        later, _ = again(chat, past)
        retried = chat.hear(STRANGE, idempotency_key="k")
        for turn in (later, retried):
            assert turn.events == first.events
            assert [(c.act, c.lead, c.keep) for c in turn.clauses] == [(c.act, c.lead, c.keep) for c in first.clauses]


def test_a_turn_that_asked_nobody_asks_nobody_later(installed: None, monkeypatch: pytest.MonkeyPatch) -> None:
    chat = Holdfast(reader="linear").session("s")
    turn = chat.hear(STRANGE)
    monkeypatch.setattr("holdfast.reading.encoder.consult", lambda *a, **k: pytest.fail("it was read"))
    chat.holdfast.pack = chat.holdfast.pack.read_by("encoder")
    assert again(chat, chat.entry(turn.version))[0].clauses


# ---- stepping aside -------------------------------------------------------------------------------------------------


def told_once(says: str) -> None:
    """Two messages to an engine that wants the encoder: both are read as by the linear tier, and one warning comes."""
    talk = (STRANGE, "no wait, i use obsidian for the rest")
    plain, chat = (Holdfast(reader=reader).session("s", user="u") for reader in ("linear", "encoder"))
    expected = [plain.hear(text) for text in talk]
    with warnings.catch_warnings(record=True) as warned:
        warnings.simplefilter("always")
        turns = [chat.hear(text) for text in talk]
    assert not any(map(rereadings, turns))
    assert [[e.tell() for e in turn.events] for turn in turns] == [[e.tell() for e in turn.events] for turn in expected]
    (told,) = [str(one.message) for one in warned if one.category is RuntimeWarning]
    assert says in told


def test_a_missing_package_is_told_once_and_the_linear_tier_reads(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(tier, "PACKAGE", "holdfast_reader_nowhere")
    told_once("pip install 'holdfast[reader]'")


def test_a_missing_library_is_told_once_and_the_linear_tier_reads(
    installed: None, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(sys.modules, "onnxruntime", None)
    told_once("onnxruntime is not installed")


def test_a_wrong_model_file_is_told_once_and_the_linear_tier_reads(
    installed: None, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    shutil.copytree(MODEL, tmp_path / "model")
    lower = tmp_path / "model" / "lower.onnx"
    lower.write_bytes(lower.read_bytes()[:-100])
    use(monkeypatch, tmp_path / "model")
    told_once("lower.onnx is not the file it was published with")


def test_a_file_that_is_no_model_is_told_once_and_the_linear_tier_reads(
    installed: None, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    shutil.copytree(MODEL, tmp_path / "model")
    (tmp_path / "model" / "upper.onnx").write_bytes(b"no graph")
    manifest = tmp_path / "model" / "reader.json"
    told = json.loads(manifest.read_text("utf-8"))
    told["files"]["upper.onnx"] = hashlib.sha256(b"no graph").hexdigest()
    manifest.write_text(json.dumps(told), "utf-8")
    use(monkeypatch, tmp_path / "model")
    told_once("its files cannot be read")


def test_a_crash_inside_costs_no_turn_and_is_told_once(installed: None) -> None:
    loaded = tier.encoder()
    assert loaded is not None
    loaded._upper = None
    told_once("failed and is not asked again")


# ---- slots in plain words -------------------------------------------------------------------------------------------


@pytest.mark.parametrize("reader", [None, "encoder"])
def test_a_slot_is_declared_by_a_description_alone(installed: None, reader: str | None) -> None:
    chat = Holdfast(pack=HOTELS, reader=reader).session("s")
    chat.hear("a four star hotel for three people please")
    assert chat.state.slots.get("stars") == "four"
    assert chat.state.slots.get("guests") == "three"
    turn = chat.hear("make it five stars")
    assert turn.context == "[CONTEXT: Stars: five | Guests: three]"
    assert rereadings(turn)[0].slots["stars"].chance > 0.35
    assert not chat.hear("thanks, that is all").receipt.did("superseded")


def test_a_described_slot_stays_empty_where_the_linear_tier_reads_alone(installed: None) -> None:
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        chat = Holdfast(pack=HOTELS, reader="linear").session("s")
        assert chat.hear("a four star hotel for three people please").context == ""
