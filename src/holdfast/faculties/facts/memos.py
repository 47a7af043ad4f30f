"""What is remembered: the events of the memory, its slice of state, and the fold between them.

A superseded item leaves the slice and stays in the log with its chain, both clocks and the words it came from. The
slice holds what is current and, for undo, the few items that were closed last.
"""

from __future__ import annotations

from collections.abc import Iterator

import msgspec

from holdfast.events import SCOPES, Cleared, Event, Scope
from holdfast.faculties.facts.relations import (
    UNSTABLE,
    WEEK,
    Kind,
    Lifespan,
    Memo,
)
from holdfast.state import Moment, State
from holdfast.telling import Telling, said

MOST = 400
"""Current items of one scope that stay in the state; older ones that nothing can replace are found in the log."""
CLOSED = 24
"""Items closed last that stay at hand for undo."""
OPEN = 4
"""Conflicts that can be open at once."""
UNDONE = "undone"
"""Why an item was closed that was taken back, as if it had not been written."""
SEEN = 60
STATS = 120
change = msgspec.structs.replace


class Dispute(msgspec.Struct, frozen=True, omit_defaults=True):
    """Two values for a slot that holds one, both kept until somebody says which holds."""

    id: str
    slot: str
    held: str
    """Id of the older item; it stays current."""
    rival: Memo
    question: str
    turn: int = 0


class Seen(msgspec.Struct, frozen=True, array_like=True):
    """A value met in a narrower scope, counted towards promotion."""

    slot: str
    value: str
    where: str


class ItemLearned(Event, frozen=True):
    """A new item, and the ids of those that it replaces."""

    item: Memo

    @property
    def did(self) -> str:  # type: ignore[override]
        return "superseded" if self.item.replaces else "learned"

    def tell(self) -> Telling:
        return self.item.told


class ItemSuperseded(Event, frozen=True):
    """An item has a successor. Its validity ends, or, after a correction, was void from the beginning."""

    id: str
    by: str
    at: float
    valid_to: float | None = None
    void: bool = False
    why: str = ""


class ItemConfirmed(Event, frozen=True):
    did = "confirmed"

    id: str
    confidence: float
    label: Telling = ""
    session: str = ""

    def tell(self) -> Telling:
        return self.label


class ItemRetracted(Event, frozen=True):
    did = "retracted"

    id: str
    label: Telling = ""
    why: str = ""
    valid_to: float | None = None

    def tell(self) -> Telling:
        return said("text.because", what=self.label, reason=said("kind", kind=self.why)) if self.why else self.label


class ItemMarked(Event, frozen=True):
    """Something an item rests on is no longer so: it must be looked at again. An empty reason lifts the mark."""

    did = "marked"

    id: str
    review: Telling = ""
    label: Telling = ""

    def tell(self) -> Telling:
        if self.review:
            return said("memo.check", label=self.label, reason=self.review)
        return said("memo.valid", label=self.label)


class ItemRestored(Event, frozen=True):
    """An undo put an item back as it was."""

    did = "restored"

    item: Memo

    def tell(self) -> Telling:
        return self.item.told


class ItemUndone(Event, frozen=True):
    """A write was taken back, as if it had not been made."""

    did = "undone"

    id: str
    label: Telling = ""

    def tell(self) -> Telling:
        return self.label


class ItemPromoted(Event, frozen=True):
    """An item holds more widely than it was said for. The id stays."""

    did = "promoted"

    item: Memo

    def tell(self) -> Telling:
        return said("memo.wider", label=self.item.told, lifespan=self.item.lifespan)


class ItemReleased(Event, frozen=True):
    """The item moved to a wider scope (or back), and leaves this one."""

    id: str


class ValueSeen(Event, frozen=True):
    """A value was stated in a narrower scope."""

    seen: Seen


class DisputeOpened(Event, frozen=True):
    did = "conflict"

    dispute: Dispute

    def tell(self) -> Telling:
        return said("slot.is", slot=self.dispute.slot, value=self.dispute.rival.value)


class DisputeSettled(Event, frozen=True):
    did = "settled"

    id: str
    kept: str
    slot: str = ""

    def tell(self) -> Telling:
        return said("slot.is", slot=self.slot, value=self.kept)


class CorrectionHeard(Event, frozen=True):
    """A correction of something that is not remembered as an item."""

    did = "corrected"

    new: str
    old: str = ""

    def tell(self) -> Telling:
        return said("memo.changed", old=self.old, new=self.new) if self.old else said("memo.last", new=self.new)


class ItemsCleared(Event, frozen=True):
    """Everything of one lifespan in this scope was let go."""

    did = "cleared"

    lifespan: Lifespan
    kinds: tuple[Kind, ...] = ("fact", "preference", "context")

    def tell(self) -> Telling:
        return said("memory.of", lifespan=self.lifespan)


class ItemForgotten(Event, frozen=True):
    """An item was erased on request; the shape of its chain is all that is left."""

    did = "forgotten"

    id: str

    def tell(self) -> Telling:
        return self.id


class Memory(msgspec.Struct, frozen=True, omit_defaults=True):
    items: dict[str, Memo] = {}
    """What is current, oldest first."""
    closed: tuple[Memo, ...] = ()
    disputes: tuple[Dispute, ...] = ()
    changes: dict[str, tuple[float, ...]] = {}
    """When each slot was changed or corrected, the last few times."""
    kept_old: tuple[str, ...] = ()
    """Slots whose last conflict was settled by keeping the old value."""
    seen: tuple[Seen, ...] = ()
    last: tuple[str, ...] = ()
    """Ids that the newest statement wrote: what "I meant X" corrects."""
    mark: str = ""
    """Names this log: the first item it ever held."""
    archived: int = 0
    """Current items that are no longer in the slice, only in the log."""


EVENTS = (
    ItemLearned,
    ItemSuperseded,
    ItemConfirmed,
    ItemRetracted,
    ItemMarked,
    ItemRestored,
    ItemUndone,
    ItemPromoted,
    ItemReleased,
    ValueSeen,
    DisputeOpened,
    DisputeSettled,
    CorrectionHeard,
    ItemsCleared,
    ItemForgotten,
    Cleared,
)


LADDER: dict[str, tuple[Scope, ...]] = {
    "session": ("session",),
    "project": ("project", "user", "session"),
    "permanent": ("user", "project", "session"),
}


def slices(state: State) -> Iterator[tuple[Scope, Memory]]:
    """The memory of each scope that the session has, the narrowest first."""
    for scope in SCOPES:
        stream = state.stream(scope)
        if stream is not None and "memory" in stream.slices:
            yield scope, stream.slices["memory"]


def live(state: State) -> Iterator[tuple[Scope, Memo]]:
    """Every current item, the narrowest scope first, newest first in each."""
    for scope, memory in slices(state):
        for memo in reversed(memory.items.values()):
            yield scope, memo


def place_for(state: State, lifespan: str) -> Scope:
    """The log that keeps a lifespan: its own where the session has it, else the next best."""
    return next(scope for scope in LADDER[lifespan] if state.stream(scope) is not None)


def unstable(state: State, slot: str, now: float) -> bool:
    """Whether a slot changes so often that an unmarked change must be asked about."""
    times = sorted(t for _, memory in slices(state) for t in memory.changes.get(slot, ()))
    recent = [t for t in times if now - t <= WEEK]
    kept = any(slot in memory.kept_old for _, memory in slices(state))
    return len(times) >= UNSTABLE or len(recent) >= 2 or kept


def find(state: State, id: str) -> tuple[Scope, Memo] | None:
    """An item by id, current or closed lately, and its scope."""
    for scope, memory in slices(state):
        memo = held_in(memory, id)
        if memo is not None and memo.why != UNDONE:
            return scope, memo
    return None


def held_in(memory: Memory, id: str) -> Memo | None:
    return memory.items.get(id) or next((m for m in memory.closed if m.id == id), None)


def fold_memory(slice: Memory, event: Event, moment: Moment, most: int) -> Memory:  # noqa: PLR0912 - one branch per event
    match event:
        case ItemLearned(item=item):
            return _fold_learned(slice, item, moment, most)
        case ItemPromoted(item=item) | ItemRestored(item=item):
            closed = tuple(m for m in slice.closed if m.id != item.id)
            return change(slice, items={**slice.items, item.id: item}, closed=closed)
        case ItemSuperseded(id=id):
            return _fold_superseded(slice, event)
        case ItemConfirmed(id=id) if id in slice.items:
            memo = slice.items[id]
            sessions = memo.sessions
            if event.session and event.session not in sessions:
                sessions = (*sessions, event.session)[-3:]
            at = moment.at
            sure = change(memo, confidence=event.confidence, reinforced=at, decayed=at, sessions=sessions)
            return change(slice, items={**slice.items, id: sure}, last=(id,))
        case ItemRetracted(id=id) if id in slice.items:
            memo = slice.items[id]
            until = event.valid_to if event.valid_to is not None else moment.at
            gone = change(memo, retracted_at=moment.at, valid_to=until, why=event.why or "retracted")
            return _close(slice, gone)
        case ItemMarked(id=id, review=review) if id in slice.items:
            return change(slice, items={**slice.items, id: change(slice.items[id], review=review)})
        case ItemUndone(id=id) if (undone := held_in(slice, id)) is not None:
            return _close(slice, change(undone, retracted_at=moment.at, why=UNDONE))
        case ItemReleased(id=id) | ItemForgotten(id=id):
            items = {k: m for k, m in slice.items.items() if k != id}
            return change(slice, items=items, closed=tuple(m for m in slice.closed if m.id != id))
        case ValueSeen(seen=seen):
            others = tuple(s for s in slice.seen if (s.slot, s.where) != (seen.slot, seen.where))
            return change(slice, seen=(*others, seen)[-SEEN:])
        case DisputeOpened(dispute=dispute):
            others_open = tuple(d for d in slice.disputes if d.slot != dispute.slot)
            return change(slice, disputes=(*others_open, dispute)[-OPEN:])
        case DisputeSettled(id=id, kept=kept):
            return _fold_settled(slice, id, kept)
        case ItemsCleared(lifespan=lifespan, kinds=kinds):
            out = [m for m in slice.items.values() if m.lifespan == lifespan and m.kind in kinds]
            for memo in out:
                slice = _close(slice, change(memo, retracted_at=moment.at, why="cleared"))
            return slice
    return slice


def _close(slice: Memory, memo: Memo) -> Memory:
    items = {k: m for k, m in slice.items.items() if k != memo.id}
    return change(slice, items=items, closed=(*(m for m in slice.closed if m.id != memo.id), memo)[-CLOSED:])


def _fold_learned(slice: Memory, item: Memo, moment: Moment, most: int) -> Memory:
    mark = slice.mark or item.id
    if not item.current:
        return change(slice, closed=(*slice.closed, item)[-CLOSED:], mark=mark)
    items = {**slice.items, item.id: item}
    archived = slice.archived
    if len(items) > most:
        # What can hold many values, or is looked up in the log anyway, goes first: a value that a person can replace
        # by a word has to be at hand. A tenth goes at once, so that not every write has to look.
        spare = [k for k, m in items.items() if m.many or not m.slot or m.slot.startswith("said/")]
        for id in (spare or list(items))[: max(1, most // 10)]:
            del items[id]
            archived += 1
    changes = slice.changes
    if item.relation in ("CHANGES", "CORRECTS") and item.slot:
        times = (*changes.get(item.slot, ()), moment.at)[-UNSTABLE:]
        changes = {**{k: v for k, v in changes.items() if k != item.slot}, item.slot: times}
        while len(changes) > STATS:
            changes.pop(next(iter(changes)))
    return change(slice, items=items, changes=changes, last=(item.id,), mark=mark, archived=archived)


def _fold_superseded(slice: Memory, event: ItemSuperseded) -> Memory:
    memo = held_in(slice, event.id)
    if memo is None:
        return slice
    until = event.valid_to if event.valid_to is not None else memo.valid_to
    closed = change(
        memo, superseded_by=event.by, superseded_at=event.at, valid_to=until, void=event.void, why=event.why
    )
    return _close(slice, closed)


def _fold_settled(slice: Memory, id: str, kept: str) -> Memory:
    dispute = next((d for d in slice.disputes if d.id == id), None)
    rest = tuple(d for d in slice.disputes if d.id != id)
    if dispute is None:
        return slice
    others = tuple(s for s in slice.kept_old if s != dispute.slot)
    return change(slice, disputes=rest, kept_old=(*others, dispute.slot)[-20:] if kept == "old" else others)
