"""A fault in one ability never costs the person their turn: it is logged in full, told in the receipt, and the rest
goes on. Every part of a faculty is broken here on purpose."""

from __future__ import annotations

import logging
from collections.abc import Iterable, Iterator
from itertools import chain, count
from pathlib import Path
from typing import Any

import msgspec
import pytest

from holdfast import Action, Faculty, Holdfast, Pack
from holdfast.errors import PackError, UnknownItem
from holdfast.events import Event, MessageHeard, MessageSaid, Scope, Violation
from holdfast.faculties.conversation import ConversationFaculty
from holdfast.faculty import Draft, Item, Section
from holdfast.history.whatif import recorded, verify
from holdfast.packs.general import PACK
from holdfast.reading.reader import Reading
from holdfast.state import Moment, State
from holdfast.stores.protocol import Note


class Thrower(Faculty):
    """Breaks in the middle of its work."""

    name = "thrower"

    def hear(self, draft: Draft) -> Iterator[Event]:
        from holdfast.events import Refusal

        yield Refusal(what="half-done", reason="must not stay")
        raise RuntimeError("broken on purpose")


def test_a_broken_faculty_is_logged_in_full_and_does_not_break_the_flow(caplog: pytest.LogCaptureFixture) -> None:
    pack = Pack("odd", (ConversationFaculty(), Thrower(), *PACK.faculties[1:]))
    chat = Holdfast(pack=pack).session("s-77")
    chat.say("Where?")
    with caplog.at_level(logging.ERROR, logger="holdfast"):
        turn = chat.hear("philly")
    assert turn.prompt == "[CONTEXT: Location: philly]\n\nphilly"
    assert [item.what for item in turn.receipt.did("failed")] == ["thrower: RuntimeError: broken on purpose"]
    assert not turn.receipt.did("refused")
    record = caplog.records[-1]
    assert "Context extraction/injection failed" in record.message
    assert "s-77" in record.message
    assert record.exc_info is not None


class Speechless(Faculty):
    """Breaks wherever it is asked to tell something."""

    name = "speechless"

    def context(self, draft: Draft) -> list[Item]:
        raise RuntimeError("no context")

    def sections(self, draft: Draft) -> list[Section]:
        raise RuntimeError("no sections")

    def forbid(self, action: Action, reading: Reading, state: State) -> list[Violation]:
        raise RuntimeError("no opinion")


def test_a_faculty_that_fails_to_tell_or_to_judge_does_not_break_the_flow(caplog: pytest.LogCaptureFixture) -> None:
    chat = Holdfast(pack=Pack("odd", (Speechless(), *PACK.faculties))).session("s")
    assert chat.say("Where?").allowed
    turn = chat.hear("philly")
    assert turn.prompt == "[CONTEXT: Location: philly]\n\nphilly"
    assert [item.what for item in turn.receipt.did("failed")] == [
        "speechless: RuntimeError: no context",
        "speechless: RuntimeError: no sections",
    ]
    assert not chat.check("Where do you want to go?").allowed
    assert sum("speechless" in record.message for record in caplog.records) == 4


class Count(msgspec.Struct, frozen=True):
    heard: int = 0


class Forgetful(Faculty):
    """Counts messages, and cannot fold one that says "boom"."""

    name = "forgetful"
    slice = Count
    events = (MessageHeard, MessageSaid)

    def fold(self, slice: Count, event: MessageHeard, moment: Moment) -> Count:
        if "boom" in event.text:
            raise RuntimeError("cannot fold")
        return Count(slice.heard + 1)


def test_a_faculty_that_cannot_fold_a_message_keeps_its_slice_and_the_turn_goes_on(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    pack = Pack("odd", (*PACK.faculties, Forgetful()))
    address = f"sqlite:///{tmp_path / 'a.db'}"
    chat = Holdfast(address, pack=pack).session("s-9")
    chat.say("Where? boom")
    turn = chat.hear("philly boom")
    chat.hear("thanks")
    assert turn.context == "[CONTEXT: Location: philly boom]"
    assert [item.what for item in turn.receipt.did("failed")] == ["forgetful: RuntimeError: cannot fold"]
    assert all("s-9" in record.message and record.exc_info for record in caplog.records)
    assert len(caplog.records) == 2
    assert chat.state.forgetful == Count(1)
    again = Holdfast(address, pack=pack).session("s-9")  # replayed from the log, with the same fault in it
    assert again.state.json() == chat.state.json()
    assert [record.message.split(":")[0] for record in caplog.records[2:]] == ["Reading the log failed"] * 2


class Indexless(Faculty):
    """Breaks when the search index asks what there is to note."""

    name = "indexless"

    def notes(self, draft: Draft) -> Iterable[tuple[Scope, Note]]:
        raise RuntimeError("nothing to note")


def test_a_faculty_that_cannot_note_for_the_index_loses_no_turn(caplog: pytest.LogCaptureFixture) -> None:
    chat = Holdfast(pack=Pack("odd", (Indexless(), *PACK.faculties))).session("s")
    chat.hear("My name is Ana.")
    assert [item.what for item in chat.entry(1).receipt.did("failed")] == ["indexless: RuntimeError: nothing to note"]
    assert [memo.value for memo in chat.memory.facts()] == ["Ana"]
    assert "indexless" in caplog.records[-1].message


def test_a_faculty_that_fails_to_judge_a_reply_is_told_in_its_receipt() -> None:
    reply = Holdfast(pack=Pack("odd", (Speechless(), *PACK.faculties))).session("s").say("Where?")
    assert [item.what for item in reply.receipt.did("failed")] == ["speechless: RuntimeError: no opinion"]


class Stubborn(Faculty):
    """Breaks when something is to be cleared."""

    name = "stubborn"

    def clear(self, draft: Draft, what: str | None, index: int | None) -> Iterator[Event]:
        raise UnknownItem("not that")


def test_a_call_that_fails_does_nothing_at_all() -> None:
    chat = Holdfast(pack=Pack("odd", (*PACK.faculties, Stubborn()))).session("s")
    chat.hear("My name is Ana.")
    with pytest.raises(UnknownItem):
        chat.clear()
    assert [memo.value for memo in chat.memory.facts()] == ["Ana"]
    assert chat.state.version == 1


class Noted(Event, frozen=True):
    did = "noted"

    word: str

    def tell(self) -> str:
        return self.word


def _guest(**parts: Any) -> Pack:
    """The general pack with a faculty of somebody else's, of which these parts are wrong."""
    kind = type("Guest", (Faculty,), {"name": "guest", "events": (Noted,), **parts})
    return PACK.but(name="guests", faculties=(*PACK.faculties, kind()))


@pytest.mark.parametrize(
    ("parts", "says"),
    [
        ({"hear": lambda self, draft: None}, "TypeError: 'NoneType' object is not iterable"),
        ({"hear": lambda self, draft: iter(["a word"])}, "AttributeError"),
        ({"hear": lambda self, draft: iter([Noted(word=5)])}, "Expected `str`, got `int`"),  # type: ignore[arg-type]
        ({"hear": lambda self, draft: iter([Noted(word=object())])}, "unsupported"),  # type: ignore[arg-type]
        ({"hear": lambda self, draft: iter([Noted(word="\ud800")])}, "surrogates not allowed"),
        ({"hear": lambda self, draft: iter([Noted(word="x")]), "events": ()}, "not among the events"),
        ({"hear": lambda self, draft: (Noted(word="x") for _ in count())}, "more than 10,000 events"),
        ({"hear": lambda self, draft: (Noted(word="x") for _ in draft.events)}, "more than 10,000 events"),
        ({"hear": lambda self, draft: self.hear(draft)}, "RecursionError"),
        ({"hear": lambda self, draft: _raise("x" * 100_000)}, "RuntimeError: xxx"),
        ({"context": lambda self, draft: ["a word"]}, "Expected `array`, got `str`"),
        ({"context": lambda self, draft: [Item("key", 5)]}, "Expected `str`, got `int`"),  # type: ignore[arg-type]
        ({"context": lambda self, draft: chain([Item("half", "told")], _raise("broke"))}, "RuntimeError: broke"),
        ({"sections": lambda self, draft: [Section("name", None)]}, "got `null`"),  # type: ignore[arg-type]
    ],
)
def test_whatever_a_faculty_of_a_strangers_pack_gives_costs_its_own_part_and_no_more(
    parts: dict[str, Any], says: str, tmp_path: Path
) -> None:
    store = tmp_path / "chat.db"
    with Holdfast(store, _guest(**parts)) as hf:
        turn = hf.session("s").hear("I live in Boston")
        assert turn.prompt == "[CONTEXT: Location: Boston]\n\nI live in Boston"
        (failed,) = turn.receipt.did("failed")
        assert says in failed.what
        assert len(failed.what) < 600
        assert not turn.receipt.did("noted")
        assert hf.session("s").say("Good. Anything else?").allowed
    with Holdfast(store, _guest()) as hf:
        assert hf.session("s").hear("no, thanks").version == 3


def _raise(what: str) -> Iterator[Any]:
    raise RuntimeError(what)
    yield


def test_a_verdict_that_is_none_lets_the_reply_out(tmp_path: Path) -> None:
    with Holdfast(tmp_path / "chat.db", _guest(forbid=lambda self, action, reading, state: ["no!"])) as hf:
        chat = hf.session("s")
        assert chat.say("Where?").allowed
        assert [failure.faculty for failure in chat.check("Where?").failures] == ["guest"]
        hf.cool(chat.keys.values())
        assert chat.hear("in philly").version == 2


def test_a_tokenizer_that_fails_is_told_and_ours_counts_instead() -> None:
    def raising(text: str) -> int:
        raise RuntimeError("no vocabulary")

    for count_tokens in (raising, lambda text: None, lambda text: "five"):
        turn = Holdfast(pack=PACK.but(count_tokens=count_tokens)).session("s").hear("I live in Boston")
        assert turn.context == "[CONTEXT: Location: Boston]"
        assert [item.what.partition(":")[0] for item in turn.receipt.did("failed")] == ["count_tokens"]


@pytest.mark.parametrize("budget", [0, -5, 1, 3])
def test_with_no_room_at_all_the_message_goes_through_and_the_receipt_says_what_was_left_out(budget: int) -> None:
    turn = Holdfast(pack=PACK.but(budget=budget)).session("s").hear("I live in Boston")
    assert (turn.prompt, turn.context) == ("I live in Boston", "")
    assert [item.what for item in turn.receipt.did("left out")] == ["Location"]


@pytest.mark.parametrize(
    ("wrong", "says"),
    [
        ({"faculties": [ConversationFaculty()]}, "must be a tuple"),
        ({"faculties": (ConversationFaculty,)}, "is no faculty; list objects"),
        ({"faculties": (type("Nameless", (Faculty,), {})(),)}, "Nameless needs a name"),
        ({"faculties": ()}, r"needs ConversationFaculty\(\)"),
        ({"faculties": (ConversationFaculty(), ConversationFaculty())}, "listed twice"),
        ({"agents": ()}, "at least one agent"),
        ({"budget": "much"}, "a number of tokens"),
        ({"count_tokens": 4}, "must be a function"),
        ({"name": "a\nb"}, "printable"),
    ],
)
def test_a_pack_that_cannot_work_says_so_when_it_is_made(wrong: dict[str, Any], says: str) -> None:
    with pytest.raises(PackError, match=says):
        Pack(**{"name": "odd", "faculties": (ConversationFaculty(),), **wrong})


@pytest.mark.parametrize(
    ("parts", "says"),
    [
        ({"tables": lambda self: _raise("no file")}, "the tables of guest do not load: RuntimeError"),
        ({"tables": lambda self: ["words.en.toml"]}, "guest brings 'words.en.toml', which is no Table"),
        ({"slice": Noted}, "Noted, the slice of guest, must be made without arguments"),
    ],
)
def test_a_faculty_that_cannot_work_says_so_before_the_first_message(parts: dict[str, Any], says: str) -> None:
    with pytest.raises(PackError, match=says):
        Holdfast(pack=_guest(**parts)).session("s").hear("hello there")


def test_events_that_took_another_form_since_are_kept_told_and_cost_no_past(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    class Renamed(Event, frozen=True, tag="noted"):
        words: list[str]

    def note(self: Faculty, draft: Draft) -> Iterator[Event]:
        yield Noted(word="tea")

    store = tmp_path / "chat.db"
    with Holdfast(store, _guest(hear=note)) as hf:
        hf.session("s").hear("I live in Boston")
    with Holdfast(store, _guest(events=(Renamed,))) as hf, caplog.at_level(logging.WARNING, logger="holdfast"):
        chat = hf.session("s")
        assert chat.state.slots.get("location") == "Boston"
        assert chat.hear("and then?").version == 2
        assert "version 1 of session 's'" in caplog.text
        assert "missing required field `words`" in caplog.text
        (wrong,) = next(iter(verify(hf, recorded(hf)))).faults
        assert "version 1: noted: Object missing required field `words`" in wrong
    with Holdfast(store, _guest()) as hf:
        assert [item.what for item in hf.session("s").entry(1).receipt.did("noted")] == ["tea"]
