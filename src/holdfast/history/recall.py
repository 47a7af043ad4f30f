"""The past of the memory, read from the log: every item ever kept, chains, what was true and what was believed when.

The state holds what is current; this reads the log of a scope, a page at a time, and folds the same events without
letting anything go.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable
from typing import Any, NamedTuple

import msgspec

from holdfast.events import Event
from holdfast.faculties.facts import memos as m
from holdfast.faculties.facts.relations import Memo
from holdfast.state import Entry

change = msgspec.structs.replace


class Found(NamedTuple):
    """An item that a search found."""

    item: Memo
    score: float


def history(entries: Iterable[Entry], known_at: float | None = None) -> dict[str, Memo]:
    """Every item of a log by id, in the order of their birth, as believed at `known_at` (or now)."""
    memos: dict[str, Memo] = {}
    for entry in entries:
        if known_at is not None and entry.at > known_at:
            break
        for event in entry.events:
            _step(memos, event, entry.at)
    return memos


def _step(memos: dict[str, Memo], event: Event, at: float) -> None:
    if isinstance(event, (m.ItemLearned, m.ItemRestored, m.ItemPromoted)):
        memos[event.item.id] = event.item
    elif isinstance(event, (m.ItemUndone, m.ItemReleased)):
        memos.pop(event.id, None)
    elif isinstance(event, m.ItemsCleared):
        for id, memo in memos.items():
            if memo.current and memo.lifespan == event.lifespan and memo.kind in event.kinds:
                memos[id] = change(memo, retracted_at=at, valid_to=at, why="cleared")
    elif (after := _AFTER.get(type(event))) is not None and event.id in memos:  # type: ignore[attr-defined]
        id = event.id  # type: ignore[attr-defined]
        memos[id] = after(memos[id], event, at)


def _superseded(memo: Memo, event: m.ItemSuperseded, at: float) -> Memo:
    until = event.valid_to if event.valid_to is not None else memo.valid_to
    return change(memo, superseded_by=event.by, superseded_at=event.at, valid_to=until, void=event.void, why=event.why)


def _retracted(memo: Memo, event: m.ItemRetracted, at: float) -> Memo:
    until = event.valid_to if event.valid_to is not None else at
    return change(memo, retracted_at=at, valid_to=until, why=event.why or "retracted")


_AFTER: dict[type[Event], Callable[[Memo, Any, float], Memo]] = {
    m.ItemSuperseded: _superseded,
    m.ItemRetracted: _retracted,
    m.ItemConfirmed: lambda memo, event, at: change(memo, confidence=event.confidence, reinforced=at, decayed=at),
    m.ItemMarked: lambda memo, event, at: change(memo, review=event.review),
    m.ItemForgotten: lambda memo, event, at: tombstone(memo),
}
"""What becomes of an item by an event that names it."""


def tombstone(memo: Memo) -> Memo:
    """An erased item: its place in the chain, its kind and its times, and nothing that was said."""
    return change(
        memo,
        value="",
        text="",
        words="",
        rejected=(),
        details={},
        review="",
        start=0,
        end=0,
        forgotten=True,
        why="forgotten",
    )


def true_at(memos: Iterable[Memo], when: float) -> list[Memo]:
    """What was true at a time: begun, not ended, and never found to be wrong."""
    return [
        memo
        for memo in memos
        if not memo.void
        and not memo.forgotten
        and _begun(memo) <= when
        and (memo.valid_to is None or when < memo.valid_to)
    ]


def _begun(memo: Memo) -> float:
    """Since when an item holds. What ended before we heard of it ("until last year") began nobody said when."""
    if memo.valid_from is not None:
        return memo.valid_from
    return -math.inf if memo.valid_to is not None and memo.valid_to < memo.recorded else memo.recorded


def chain(memos: dict[str, Memo], id: str) -> list[Memo]:
    """The items from the first to the current one, read from any of them."""
    before: dict[str, list[str]] = {}
    for memo in memos.values():
        if memo.superseded_by:
            before.setdefault(memo.superseded_by, []).append(memo.id)
    members, waiting = {id}, [id]
    while waiting:
        here = waiting.pop()
        near = [*before.get(here, ()), *([memos[here].superseded_by] if memos[here].superseded_by else [])]
        for other in near:
            if other in memos and other not in members:
                members.add(other)
                waiting.append(other)
    return [memo for memo in memos.values() if memo.id in members]


def told(chain: list[Memo]) -> str:
    """A chain for people: "VS Code → Neovim (CHANGES, 2026-01-02)"."""
    ended = f" ✕ {chain[-1].why or 'closed'}" if chain and not chain[-1].current else ""
    return " → ".join(map(_link, chain)) + ended


def _link(memo: Memo) -> str:
    words = "(forgotten)" if memo.forgotten else memo.text or memo.value
    why = memo.details.get("rationale")
    if memo.relation == "NEW" and not why:
        return words
    return f"{words} [{memo.relation}, {why}]" if why else f"{words} [{memo.relation}]"
