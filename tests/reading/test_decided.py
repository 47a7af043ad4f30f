"""What a learned scorer decided is on record: its score, the words that counted, and the version of the model."""

from __future__ import annotations

import zlib
from pathlib import Path

import msgspec
import pytest

from holdfast import Holdfast
from holdfast.events import Cause
from holdfast.faculties.aims import aim
from holdfast.faculties.desk import answering
from holdfast.reading.model import clauses, scorer
from holdfast.reading.model.clauses import Model
from holdfast.reading.model.features import clause_features, words_of
from holdfast.reading.model.scorer import Scorer
from holdfast.reading.model.tokens import tokens
from holdfast.receipt import Line
from holdfast.session import Session
from tests.rows import every

KEPT = "mi hermana estudia derecho en Granada"
"""A clause that no pattern reads, so that the learned reading decides."""
FILES = [clauses._FILE, aim._MODEL, answering._FILE]


def _decided(chat: Session, text: str) -> Line:
    (line, *_) = [line for line in chat.hear(text).receipt.lines if line.by is not None]
    return line


def _counted(line: Line, text: str) -> list[str]:
    assert line.by is not None
    return [text[start:end] for start, end in line.by.marks]


def _kept(chat: Session) -> set[str]:
    return {str(item.label) for item in chat.memory.items()}


def _other(known: dict[str, Scorer]) -> dict[str, Scorer]:
    """Scorers that decide otherwise: every weight for a class speaks against it."""
    against = bytes(range(255, -1, -1))
    return {
        name: Scorer(
            name,
            each.classes,
            tuple(-bias for bias in each.bias),
            each._features,
            bytes(each._weights).translate(against),
            "talk-other",
            each.fine,
        )
        for name, each in known.items()
    }


def test_the_receipt_of_a_kept_clause_shows_its_score_and_the_words_that_counted() -> None:
    line = _decided(Holdfast(pack="general").session("s", user="u"), KEPT)
    assert line.did == "learned"
    assert line.by is not None
    assert line.by.score > 0
    assert line.by.keep is not None
    assert {word for words in _counted(line, KEPT) for word in words.split()} <= set(KEPT.split())
    assert _counted(line, KEPT)


def test_what_a_message_is_about_and_what_answers_a_step_show_theirs() -> None:
    text = "find cheap flights to Rome on kayak"
    about = _decided(Holdfast(pack="nxtscape").session("s"), text)
    assert "flights" in _counted(about, text)
    desk = Holdfast(pack="rv_service_desk").session("s")
    desk.hear("The water pump does not run")
    answer = _decided(desk, "12.4 volts at the pump")
    assert answer.did == "closed"
    assert _counted(answer, "12.4 volts at the pump")
    models = [line.by.model.partition("-")[0] for line in (about, answer) if line.by is not None]
    assert models == ["aims", "answers"]


@every(
    ("feature", "words"),
    [
        ("2=i live", ["i", "live"]),
        ("2=^ i", ["I"]),
        ("3=live in a", ["live", "in", "a"]),
        ("1_3=live a", ["live", "a"]),
        ("p=appl", ["apple"]),
        ("l=apple", ["apple"]),
        ("live in", ["live", "in"]),
        ("n=5", []),
        ("q=where", []),
        ("w=pear", []),
    ],
)
def test_a_feature_is_shown_by_the_words_it_was_made_of(feature: str, words: list[str]) -> None:
    text = "I live in a big apple."
    assert [text[token.start : token.end].lower() for token in words_of(feature, tokens(text)[:-1])] == [
        word.lower() for word in words
    ]


def test_every_feature_with_words_of_a_clause_finds_them_again() -> None:
    found = tokens("my brother works at a bakery")
    for feature in clause_features(found, 0, len(found), 0, 1, []):
        if feature.partition("=")[0] in ("w", "2", "3", "1_3", "p", "e", "f", "f2", "l", "k", "wk", "kw", "kk"):
            assert words_of(feature, found), feature


@pytest.mark.parametrize("path", FILES, ids=lambda path: Path(path).name)
def test_every_model_file_has_a_version_by_its_content(path: str, tmp_path: Path) -> None:
    (version,) = {each.model for each in scorer.load(path).values()}
    name, _, digest = version.partition("-")
    assert (name, len(digest)) == (Path(path).stem, 8)
    copy = tmp_path / Path(path).name
    data = bytearray(Path(path).read_bytes())
    copy.write_bytes(data)
    assert {each.model for each in scorer.load(copy).values()} == {version}
    data[-1] ^= 1
    copy.write_bytes(data)
    if data[:4] == scorer.MAGIC_PACKED:
        with pytest.raises(ValueError, match="is damaged"):
            scorer.load(copy)
        plain = bytearray(zlib.decompress(Path(path).read_bytes()[4:]))
        plain[-1] ^= 1
        copy.write_bytes(scorer.MAGIC_PACKED + zlib.compress(plain))
    assert {each.model for each in scorer.load(copy).values()} != {version}


def test_a_log_replays_the_same_under_another_model_and_says_which_one_decided(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    talk = ["My name is Dana", KEPT, "no wait, she studies physics"]
    store = f"sqlite:///{tmp_path / 'talk.db'}"
    with Holdfast(store, pack="general") as hf:
        chat = hf.session("s")
        for text in talk:
            chat.hear(text)
        held = msgspec.json.encode(chat.state.session.slices)
        decided = chat.entry(2).receipt.json()
    other = Model()
    monkeypatch.setattr(other, "_scorers", _other(other._scorers))
    monkeypatch.setattr(clauses, "_MODEL", other)
    with Holdfast(store, pack="general") as hf:
        chat = hf.existing("s")
        again = chat.at(3).session.slices
        assert msgspec.json.encode(again) == held
        assert chat.entry(2).receipt.json() == decided
        assert scorer.load(clauses._FILE)["clause"].model in decided
        anew = hf.session("t")
        for text in talk:
            anew.hear(f"{text}.")  # what was read before is kept at hand, so other texts
        assert _kept(anew) != _kept(chat)  # the other model does decide otherwise


def test_replaying_reads_nothing(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    store = f"sqlite:///{tmp_path / 'talk.db'}"
    with Holdfast(store, pack="nxtscape") as hf:
        chat = hf.session("s", user="u")
        chat.hear("find cheap flights to Rome on kayak")
        chat.hear("sort by price")
        held = msgspec.json.encode(chat.state.session.slices)

    def never(*_: object) -> None:
        raise AssertionError("a scorer was asked")

    monkeypatch.setattr(scorer.Scorer, "scores", never)
    with Holdfast(store, pack="nxtscape") as hf:
        assert msgspec.json.encode(hf.existing("s").at(2).session.slices) == held


def test_a_cause_of_an_old_log_has_no_model() -> None:
    assert msgspec.json.decode(b'["talk.states",3,0,4,"I am"]', type=Cause) == Cause("talk.states", 3, 0, 4, "I am")
