"""The encoder tier: it reads in context where its model is installed, and steps aside with one warning elsewhere."""

from __future__ import annotations

import json
import shutil
import warnings
from collections.abc import Iterator
from pathlib import Path

import pytest

from holdfast.reading import encoder as tier
from holdfast.reading.encoder import Encoder, EncoderUnavailable, Found, Word, best_span, runs, words_of

MODEL = Path(__file__).parents[2] / "packages" / "holdfast-reader-en" / "holdfast_reader_en"


@pytest.fixture(scope="module")
def reader() -> Encoder:
    pytest.importorskip("onnxruntime", reason="the extra 'reader' is not installed")
    return Encoder(MODEL)


@pytest.fixture(autouse=True)
def _asked_for_the_first_time() -> Iterator[None]:
    tier.encoder.cache_clear()
    yield
    tier.encoder.cache_clear()


def copied(folder: Path) -> Path:
    shutil.copytree(MODEL, folder / "model")
    return folder / "model"


# ---- stepping aside -------------------------------------------------------------------------------------------------


def test_without_the_package_it_warns_once_and_says_what_to_install(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(tier, "PACKAGE", "holdfast_reader_nowhere")
    with pytest.warns(RuntimeWarning, match=r"pip install 'holdfast\[reader\]'"):
        assert tier.consult("change it to four") is None
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        assert tier.consult("change it to four") is None


def test_a_model_of_another_format_is_not_used(tmp_path: Path) -> None:
    folder = copied(tmp_path)
    told = json.loads((folder / "reader.json").read_text("utf-8"))
    (folder / "reader.json").write_text(json.dumps({**told, "format": tier.FORMAT + 1}), "utf-8")
    with pytest.raises(EncoderUnavailable, match="upgrade both"):
        Encoder(folder)


def test_a_file_that_was_changed_is_not_used(tmp_path: Path) -> None:
    folder = copied(tmp_path)
    with (folder / "upper.onnx").open("ab") as file:
        file.write(b"x")
    with pytest.raises(EncoderUnavailable, match=r"upper\.onnx is not the file"):
        Encoder(folder)


def test_a_file_that_is_gone_is_named(tmp_path: Path) -> None:
    folder = copied(tmp_path)
    (folder / "lower.onnx").unlink()
    with pytest.raises(EncoderUnavailable, match=r"lower\.onnx is missing"):
        Encoder(folder)


def test_a_fault_inside_costs_no_turn_and_is_told_once(reader: Encoder, monkeypatch: pytest.MonkeyPatch) -> None:
    broken = Encoder(MODEL)
    monkeypatch.setattr(broken, "_upper", None)
    with pytest.warns(RuntimeWarning, match="not asked again"):
        assert broken.consult("hello") is None
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        assert broken.consult("hello") is None


# ---- reading in context ---------------------------------------------------------------------------------------------

BOOKING = [
    ("U", "I need a bus from Fresno to San Diego on the 3rd for 2 people"),
    ("S", "So 2 tickets from Fresno to San Diego on March 3rd, is that right?"),
]


def test_the_same_words_change_something_or_not_by_what_was_said_before(reader: Encoder) -> None:
    text = "make it 3 tickets"
    after = reader.consult(text, BOOKING)
    asked = reader.consult("3 tickets", [BOOKING[0], ("S", "How many tickets do you need?")])
    thanks = reader.consult("great, thanks a lot", BOOKING)
    assert after is not None
    assert asked is not None
    assert thanks is not None
    assert after.changed > 0.5 > thanks.changed
    assert after.changed > asked.changed
    assert any(text[value.start : value.end].startswith("3") for value in after.new)


def test_a_new_topic_is_told_from_a_question_about_the_same_thing(reader: Encoder) -> None:
    before = [("U", "find me an italian restaurant in San Jose"), ("S", "How about Bella Mia? It is well rated.")]
    same = reader.consult("what is their address?", before)
    other = reader.consult("Thanks. Now I want to check the balance of my savings account", before)
    assert same is not None
    assert other is not None
    assert same.new_topic < 0.5 < other.new_topic
    assert max(same.request, key=lambda kind: same.request[kind]) == "where"


def test_a_value_is_found_by_a_description_in_plain_words(reader: Encoder) -> None:
    text = "I'd like to fly from Chicago to Lisbon next Friday"
    told = reader.consult(text, slots=["departure city of the flight", "destination city of the flight"])
    assert told is not None
    assert [text[found.start : found.end] for found in told.slots if found] == ["Chicago", "Lisbon"]


def test_a_clause_of_small_talk_is_not_kept_and_a_claim_is(reader: Encoder) -> None:
    text = "haha what a day. I work as a nurse in Leeds."
    told = reader.consult(text, [("S", "Hi! Tell me about yourself.")], spans=[(0, 16), (17, 44)])
    assert told is not None
    talk, claim = told.spans
    assert talk.keep < 0.5 < claim.keep
    assert abs(sum(claim.acts.values()) - 1) < 1e-6


def test_turns_that_are_kept_say_what_they_said_when_read_anew(reader: Encoder) -> None:
    first = reader.consult("make it 3 tickets", BOOKING)
    again = reader.consult("make it 3 tickets", BOOKING)
    fresh = Encoder(MODEL).consult("make it 3 tickets", BOOKING)
    assert first == again == fresh


def test_nothing_and_very_much_can_be_read(reader: Encoder) -> None:
    assert reader.consult("") is not None
    told = reader.consult("and then " * 5000, [("S", "go on " * 5000)], spans=[(0, 40_000)], slots=["a city"])
    assert told is not None
    assert all(0 <= found.start < found.end for found in told.slots if found)


def test_the_package_with_its_weights_stays_small() -> None:
    assert sum(path.stat().st_size for path in MODEL.iterdir() if path.is_file()) <= 25_000_000


# ---- spans out of scores --------------------------------------------------------------------------------------------


def test_neighbouring_words_make_one_find() -> None:
    words = [Word(0, 3, (0,)), Word(4, 8, (1,)), Word(9, 10, (2,)), Word(11, 15, (3,))]
    assert list(runs(words, [0.9, 0.6, 0.1, 0.7], 0.5)) == [Found(0, 8, 0.9), Found(11, 15, 0.7)]
    assert list(runs(words, [0.1] * 4, 0.5)) == []
    apart, likeliest = [0.9, 0.9, 0.0, 0.9], [0.0, 0.3, 0.28, 0.1]
    assert [found.start for found in runs(words, [0.9] * 4, 0.5, apart)] == [0, 4, 11]
    assert list(runs(words, likeliest, 0.5, [0.0] * 4)) == [Found(4, 10, 0.3)]


def test_a_word_is_found_whole_though_the_model_cuts_it() -> None:
    text, offsets = (
        "a guesthouse at 14:30!",
        [(0, 1), (2, 7), (7, 12), (13, 15), (16, 18), (18, 19), (19, 21), (21, 22)],
    )
    words = words_of(text, offsets)
    assert [(text[word.start : word.end], word.tokens) for word in words] == [
        ("a", (0,)),
        ("guesthouse", (1, 2)),
        ("at", (3,)),
        ("14:30", (4, 5, 6)),
    ]


def test_a_span_is_as_good_as_its_weakest_part() -> None:
    scores = [[-5, -5, -5], [4, 4, -5], [-5, 3, 2], [-5, -5, 6]]
    assert best_span(scores) == (2.0, 1, 2)
