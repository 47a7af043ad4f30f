"""The past of the memory, read from the log: every item ever kept, chains, what was true and what was believed when.

The state holds what is current; this reads the log of a scope, a page at a time, and folds the same events without
letting anything go.
"""

from __future__ import annotations

import math
from collections.abc import Iterable
from typing import NamedTuple

import msgspec

from holdfast.faculties.facts import memos as m
from holdfast.faculties.facts.fold import Held, change_held
from holdfast.faculties.facts.relations import Memo
from holdfast.state import Entry, Moment

change = msgspec.structs.replace


class Found(NamedTuple):
    item: Memo
    score: float


class Whole(Held):
    """Every fact that ever was, in the order of their birth."""

    def put(self, memo: Memo) -> None:
        self.items[memo.id] = memo

    def forget(self, id: str) -> None:
        if (memo := self.get(id)) is not None:
            self.items[id] = tombstone(memo)


def history(entries: Iterable[Entry], known_at: float | None = None) -> dict[str, Memo]:
    """Every item of a log by id, in the order of their birth, as believed at `known_at` (or now)."""
    held = Whole({})
    for entry in entries:
        if known_at is not None and entry.at > known_at:
            break
        for event in entry.events:
            change_held(held, event, Moment(entry.version, entry.at))
    return {id: memo for id, memo in held.items.items() if memo.category != m.SLOT}


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
