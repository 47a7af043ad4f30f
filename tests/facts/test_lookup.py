"""What is known is looked up, not looked through: a turn costs the same with four facts and with four hundred."""

from __future__ import annotations

import sys
from collections.abc import Callable
from typing import Any

from holdfast import Holdfast
from holdfast.faculties.facts import lookup
from holdfast.faculties.facts.memos import slices
from holdfast.faculties.facts.relations import slot_kind
from holdfast.faculties.facts.writing import write
from holdfast.reading.asserting import Statement
from holdfast.session import Session

MESSAGES = (
    "what time do they close on Friday?",
    "no wait, I don't like the second one, something cheaper",
    "forget the meeting, and my name is Dana",
    "actually make it Saturday",
)
SLOTS = ("likes", "note", "hobby", "has", "habit", "friend", "plan")


def _knowing(count: int) -> Session:
    """A conversation with somebody of whom some things are known."""
    hf = Holdfast(pack="general")
    chat = hf.session("before", user="somebody")

    def act(draft: Any) -> Any:
        for number in range(count):
            slot = SLOTS[number % len(SLOTS)]
            said = Statement(slot, f"thing{number} of kind{number % 50}", (0, 0), "test", (0, 0))
            yield from write(draft, said, slot_kind(draft.reading.reader, slot))

    chat.act(act)
    return hf.session("now", user="somebody")


def _steps(work: Callable[[], object]) -> int:
    """How many calls of Python some work takes."""
    steps = 0

    def count(frame: object, event: str, what: object) -> None:
        nonlocal steps
        steps += event == "call"

    sys.setprofile(count)
    try:
        work()
    finally:
        sys.setprofile(None)
    return steps


def test_a_turn_costs_the_same_however_much_is_known() -> None:
    def cost(count: int) -> int:
        chat = _knowing(count)
        for message in MESSAGES:
            chat.hear(message)
        return _steps(lambda: [chat.hear(message) for message in MESSAGES])

    assert cost(390) < 1.3 * cost(4)


def test_a_log_that_a_turn_does_not_touch_is_not_read_again(monkeypatch: Any) -> None:
    chat = _knowing(5)
    chat.hear("hello there")
    read: list[object] = []

    def rows(*given: object) -> list[object]:
        read.append(given)
        return []

    monkeypatch.setattr(chat.holdfast.store, "rows", rows)
    chat.hear("what time is it?")
    chat.hear("and tomorrow?")
    assert read == []


def test_what_is_looked_up_is_the_same_made_at_once_and_step_by_step() -> None:
    chat = _knowing(20)
    reader = chat.holdfast.pack.reader
    for message in (
        "I live in Leeds",
        "I use Vim",
        "I live in York now",
        "never mind",
        "I also use Emacs",
        "undo that",
    ):
        chat.hear(message)
        for _, memory in slices(chat.state):
            for known in (lookup._PLAIN, lookup._WORDED):
                made = known.of(memory, reader)
                fresh = lookup.Lookup(known._keys).of(memory, reader)
                assert {k: list(v.items()) for k, v in made.items() if v} == {
                    k: list(v.items()) for k, v in fresh.items()
                }
