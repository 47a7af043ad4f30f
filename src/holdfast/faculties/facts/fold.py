"""The one fold of facts: what an event makes of what is known.

Facts, preferences, decisions, slots and answers are one kind of thing with one fold.
`change_held` says what an event does to facts; the state holds its outcome within bounds, the history without.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from typing import NamedTuple, TypeVar

from holdfast.events import ERASED, Cause, Cleared, Event, Scope, Source
from holdfast.faculties.facts import memos as m
from holdfast.faculties.facts.memos import Memory, change
from holdfast.faculties.facts.relations import UNSTABLE, Lifespan, Memo
from holdfast.faculty import Faculty
from holdfast.state import Moment

T = TypeVar("T")
MAX_ASIDE = 6
"""Topics whose values are kept in case the conversation returns to them."""
MAX_ANSWERS = 10
"""Answers that are kept in a conversation; an older one gives way."""


Rule = m.LibraryPinned | m.LibraryPreferred | m.LibraryBanned | m.WishKept
Setting = m.SlotSet | m.SlotRestored | m.AnswerKept | m.AnswerCorrected | m.ProfileSet | Rule
"""Events that put a value in the place of what was there."""
_ENDS: dict[type[Event], tuple[str, ...]] = {
    m.LibraryPinned: (m.NEVER,),
    m.LibraryBanned: (m.ALWAYS, m.RATHER, m.NEVER),
    m.LibraryLifted: (m.ALWAYS, m.NEVER),
}
"""Which rules about a library end with a new one."""


_LIFESPANS: dict[Scope, Lifespan] = {"session": "session", "project": "permanent", "user": "permanent"}


class Held:
    """The facts of a slice while an event changes them."""

    def __init__(self, items: Mapping[str, Memo], closed: Iterable[Memo] = ()) -> None:
        self.items = dict(items)
        self.closed = {memo.id: memo for memo in closed}

    def get(self, id: str) -> Memo | None:
        return self.items.get(id) or self.closed.get(id)

    def put(self, memo: Memo) -> None:
        """A fact as it is now: among those that hold, or among those that were closed last."""
        self.closed.pop(memo.id, None)
        if memo.current:
            self.items[memo.id] = memo
        else:
            self.items.pop(memo.id, None)
            self.closed[memo.id] = memo

    def drop(self, id: str) -> None:
        self.items.pop(id, None)
        self.closed.pop(id, None)

    def forget(self, id: str) -> None:
        self.drop(id)

    def current(self, test: Callable[[Memo], bool]) -> list[Memo]:
        return [memo for memo in self.items.values() if memo.current and test(memo)]


def change_held(held: Held, event: Event, moment: Moment) -> None:
    """What an event does to facts."""
    if isinstance(event, m.ItemLearned | m.ItemRestored | m.ItemPromoted):
        held.put(event.item)
    elif isinstance(event, m.ItemUndone | m.ItemReleased):
        held.drop(event.id)
    elif isinstance(event, m.ItemForgotten):
        held.forget(event.id)
    elif isinstance(event, Setting | m.LibraryLifted):
        _end_rules(held, event)
        if not isinstance(event, m.LibraryLifted):
            _set(held, event, moment)
    elif (gone := _let_go(event)) is not None:
        for memo in held.current(gone):
            at, version = moment.at, moment.version
            held.put(change(memo, retracted_at=at, valid_to=at, why="cleared", until=version))
    elif (known := held.get(getattr(event, "id", ""))) is not None:
        held.put(_after(known, event, moment))


def _let_go(event: Event) -> Callable[[Memo], bool] | None:
    """Which facts an event closes that names no single one."""
    match event:
        case m.ItemsCleared(lifespan=lifespan, kinds=kinds):
            return lambda one: one.lifespan == lifespan and one.kind in kinds and one.category != m.SLOT
        case Cleared(what="everything"):
            return lambda one: one.kind != "decision" and one.category not in (m.ALWAYS, m.NEVER, m.RATHER, m.WISH)
        case Cleared(what="answers"):
            return lambda one: bool(one.question)
        case Cleared(what=what):
            return lambda one: (one.category, one.slot, one.aside) == (m.SLOT, what, "")
        case m.ProfileDropped(key=key):
            return lambda one: (one.category, one.slot) == (m.PROFILE, key)
        case m.WishEnded(about=about):
            return lambda one: (one.category, one.slot) == (m.WISH, about)
    return None


def _after(memo: Memo, event: Event, moment: Moment) -> Memo:
    """One fact after an event that names it."""
    match event:
        case m.ItemSuperseded(by=by, at=at, void=void, why=why):
            until = event.valid_to if event.valid_to is not None else memo.valid_to
            return change(memo, superseded_by=by, superseded_at=at, valid_to=until, void=void, why=why)
        case m.ItemConfirmed() if memo.current:
            known = memo.sessions
            if event.session and event.session not in known:
                known = (*known, event.session)[-3:]
            at = moment.at
            return change(memo, confidence=event.confidence, reinforced=at, decayed=at, sessions=known)
        case m.ItemRetracted() if memo.current:
            until = event.valid_to if event.valid_to is not None else moment.at
            return change(memo, retracted_at=moment.at, valid_to=until, why=event.why or "retracted")
        case m.ItemMarked(review=review):
            return change(memo, review=review)
    return memo


def _end_rules(held: Held, event: Event) -> None:
    """Drop the rules about a library that a new rule ends."""
    ends = _ENDS.get(type(event), ())
    for memo in (
        held.current(lambda one: one.category in ends and one.value == getattr(event, "library", "")) if ends else ()
    ):
        held.drop(memo.id)


def _set(held: Held, event: Setting, moment: Moment) -> None:
    """A value in the place of what its slot or its question held."""
    new = _made(event, moment)
    place = _place_of(new)
    for old in held.current(lambda one: _place_of(one) == place):
        if old.value == new.value or isinstance(event, m.SlotRestored):
            held.drop(old.id)
            continue
        details = old.details if isinstance(event, m.AnswerCorrected) else new.details
        new = change(new, relation="CHANGES", replaces=(old.id,), details=details)
        held.put(change(old, superseded_by=new.id, superseded_at=moment.at, valid_to=moment.at, until=moment.version))
    if isinstance(event, m.SlotRestored):
        _drop_closed(held, new.slot, event.value.until)
    while held.get(new.id) is not None:
        new = change(new, id=f"{new.id}+")
    if new.value.strip(ERASED):  # its words may have been erased since
        held.put(new)


def _drop_closed(held: Held, slot: str, version: int) -> None:
    """Remove the earlier value that this version closed: it is the current one again."""
    for memo in [one for one in held.closed.values() if (one.slot, one.until) == (slot, version)]:
        held.drop(memo.id)


def _place_of(memo: Memo) -> tuple[str, ...]:
    return memo.category, memo.slot, memo.question, memo.aside


def _made(event: Setting, moment: Moment) -> Memo:
    """The fact that keeps a slot's value, an answer, an entry of a profile or a rule about a library."""
    cause, place = event.because or Cause(""), _place(event)
    back = event.value if isinstance(event, m.SlotRestored) else None
    told = back or event
    kept = (*m.SHOWN_DETAILS, "source") if isinstance(event, m.ProfileSet) else m.SHOWN_DETAILS
    return Memo(
        id=f"{place.slot}_{moment.version}",
        kind="fact",
        slot=place.slot,
        value=place.value,
        category=place.category,
        confidence=getattr(event, "confidence", 1.0),
        lifespan=_LIFESPANS[event.scope],
        recorded=moment.at,
        text=f"{place.question} {place.value}" if place.question else "",
        by=place.by,
        version=(back or moment).version,
        start=cause.start,
        end=cause.end,
        words=cause.words,
        rule=(back or cause).rule,
        valid_from=moment.at,
        details={name: value for name in kept if (value := getattr(told, name, None))},
        question=place.question,
    )


class Place(NamedTuple):
    """What an event sets, and to what."""

    category: str
    slot: str
    value: str
    question: str = ""
    by: Source = "person"


def _place(event: Setting) -> Place:
    match event:
        case m.SlotSet(slot=slot, value=value):
            return Place(m.SLOT, slot, value, by=event.source)
        case m.SlotRestored(slot=slot, value=back):
            return Place(m.SLOT, slot, back.value)
        case m.AnswerKept(question=question, answer=value) | m.AnswerCorrected(question=question, answer=value):
            return Place("answer", "answer", value, question)
        case m.ProfileSet(key=key, value=value):
            return Place(m.PROFILE, key, value)
        case m.LibraryPinned(use_case=case, library=library):
            return Place(m.ALWAYS, case, library)
        case m.LibraryPreferred(use_case=case, library=library):
            return Place(m.RATHER, case, library)
        case m.LibraryBanned(library=library):
            return Place(m.NEVER, library, library)
        case m.WishKept(about=about, text=text):
            return Place(m.WISH, about, text)


def _turn(held: Held, topic: str, left: str, slots: tuple[str, ...]) -> None:
    """Set aside the values of the topic that ends, instead of those that were set aside for it before, and bring back
    those of the new topic."""
    if not left:
        return

    def waiting_for(aside: str) -> list[Memo]:
        return held.current(lambda one: one.category == m.SLOT and one.aside == aside)

    leaving, back = [one for one in waiting_for("") if one.slot in slots], waiting_for(topic)
    for memo in waiting_for(left) if leaving else ():
        held.drop(memo.id)
    _set_aside(held, back, "")
    _set_aside(held, leaving, left)
    waiting = list(dict.fromkeys(one.aside for one in reversed(held.items.values()) if one.aside))
    for memo in held.current(lambda one: one.aside in waiting[MAX_ASIDE:]):
        held.drop(memo.id)


def _set_aside(held: Held, memos: Iterable[Memo], topic: str) -> None:
    for memo in memos:
        held.drop(memo.id)
        held.put(change(memo, aside=topic))


def fold_facts(slice: Memory, event: Event, moment: Moment) -> Memory:
    """The slice after an event."""
    if (after := _beside(slice, event, moment)) is not None:
        return after
    held = Held(slice.items, slice.closed)
    change_held(held, event, moment)
    match event:
        case m.TopicChanged(topic=topic, slots=slots):
            _turn(held, topic, slice.topic, slots)
            slice = change(slice, topic=topic)
        case Cleared(what="everything"):
            slice = change(slice, topic="", offers={}, asked=0)
        case Cleared(what=what) if what in slice.offers:
            slice = change(slice, offers={name: offer for name, offer in slice.offers.items() if name != what})
        case m.ItemConfirmed(id=id) if id in held.items:
            slice = change(slice, last=(id,))
        case m.ItemLearned(item=item):
            slice = _counted(slice, item, moment)
    more = len(held.items) > len(slice.items)  # only then can it be too much
    archived = slice.archived + (_bounded(held) if more else 0)
    return change(slice, items=held.items, closed=tuple(held.closed.values())[-m.CLOSED :], archived=archived)


def _beside(slice: Memory, event: Event, moment: Moment) -> Memory | None:
    """The slice after an event that changes no fact."""
    match event:
        case m.ValueSeen(seen=seen):
            return change(slice, seen=_newest(m.SEEN, slice.seen, seen, lambda s: (s.slot, s.where)))
        case m.LibraryChosen(library=library, use_case=case, session=where):
            met = m.Seen(f"{m.RATHER}/{case}", library, where)
            return change(slice, seen=_newest(m.SEEN, slice.seen, met, lambda s: s))
        case m.DisputeOpened(dispute=dispute):
            return change(slice, disputes=_newest(m.OPEN, slice.disputes, dispute, lambda d: d.slot))
        case m.DisputeSettled(id=id, kept=kept):
            return _settled(slice, id, kept)
        case m.SlotOffered(slot=slot, value=value, canonical=canonical):
            return change(slice, offers={**slice.offers, slot: m.Offer(value, moment.version, canonical)})
        case m.ProfileAsked():
            return change(slice, asked=moment.version)
    return None


def _newest(most: int, known: tuple[T, ...], one: T, key: Callable[[T], object]) -> tuple[T, ...]:
    """The newest few of something: one more, in place of the one that is about the same."""
    return (*(other for other in known if key(other) != key(one)), one)[-most:]


def _bounded(held: Held) -> int:
    """Drop what exceeds the limit: first facts of slots that hold several values, or that are looked up in the log
    anyway. A single value stays, because the next message may replace it. A tenth goes at once, so that not every write
    has to check."""
    if next(reversed(held.items.values())).category == "answer":
        for memo in held.current(lambda one: bool(one.question) and one.category == "answer")[:-MAX_ANSWERS]:
            del held.items[memo.id]
    if len(held.items) <= m.MAX_CURRENT:
        return 0
    spare = [id for id, m in held.items.items() if m.many or m.slot.partition("/")[0] in ("", "said")]
    gone = (spare or list(held.items))[: m.MAX_CURRENT // 10]
    for id in gone:
        del held.items[id]
    return len(gone)


def _counted(slice: Memory, item: Memo, moment: Moment) -> Memory:
    """Record that a slot changed, and that this write was the last one."""
    mark = slice.mark or item.id
    if not item.current:
        return change(slice, mark=mark)
    changes = slice.changes
    if item.relation in ("CHANGES", "CORRECTS") and item.slot:
        times = (*changes.get(item.slot, ()), moment.at)[-UNSTABLE:]
        changes = {**{k: v for k, v in changes.items() if k != item.slot}, item.slot: times}
        while len(changes) > m.STATS:
            changes.pop(next(iter(changes)))
    return change(slice, changes=changes, last=(item.id,), mark=mark)


def _settled(slice: Memory, id: str, kept: str) -> Memory:
    dispute = next((d for d in slice.disputes if d.id == id), None)
    if dispute is None:
        return slice
    rest = tuple(d for d in slice.disputes if d.id != id)
    others = tuple(s for s in slice.kept_old if s != dispute.slot)
    return change(slice, disputes=rest, kept_old=(*others, dispute.slot)[-20:] if kept == "old" else others)


class FactsFaculty(Faculty):
    """What every ability has that keeps facts: their one slice and their one fold. `view` shows its part of them."""

    kept_in = "memory"
    slice = Memory
    events = m.EVENTS

    def fold(self, slice: Memory, event: Event, moment: Moment) -> Memory:
        return fold_facts(slice, event, moment)
