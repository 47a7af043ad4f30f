"""A fault in one ability never costs the person their turn: it is logged in full, told in the receipt, and the rest
goes on. Every part of a faculty is broken here on purpose."""

from __future__ import annotations

import logging
from collections.abc import Iterable, Iterator
from pathlib import Path

import msgspec
import pytest

from holdfast import Action, Faculty, Holdfast, Pack
from holdfast.errors import UnknownItem
from holdfast.events import Event, MessageHeard, MessageSaid, Scope, Violation
from holdfast.faculties.conversation import ConversationFaculty
from holdfast.faculty import Draft, Item, Section
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
