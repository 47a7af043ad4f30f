"""The particulars of the request at hand, and when the person changes one: another day, another place, one more guest.

A value counts as changed when the person gave (or the agent put to them for confirming) another value of the same kind
for the same business. The first value of a kind, or one for another business, changes nothing.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator

import msgspec

from holdfast.events import Cleared, Event, Source
from holdfast.faculty import Draft, Faculty
from holdfast.reading.particulars import Particular, asks_for_end, particulars, spoken_of
from holdfast.reading.tables import Table, shipped
from holdfast.state import Moment
from holdfast.telling import Telling, said

MOST = 60
_SPANS = ("date", "time")
_COUNTS = ("people", "stay", "rooms", "stars")


class Given(msgspec.Struct, frozen=True, omit_defaults=True):
    """A value that is in force."""

    value: str
    same: str
    by: Source = "person"
    version: int = 0


class ParticularGiven(Event, frozen=True):
    business: str
    kind: str
    given: Given
    old: str | None = None

    @property
    def did(self) -> str:  # type: ignore[override]
        return "superseded" if self.old is not None else ""

    def tell(self) -> Telling:
        if self.old is None:
            return said("slot.is", slot=self.kind, value=self.given.value)
        return said("slot.changed", slot=self.kind, value=self.given.value, old=self.old)


class EndAsked(Event, frozen=True):
    """The agent asked for the end of a span: the next bare date or time is that, not the beginning."""


class BusinessNamed(Event, frozen=True):
    """The talk turned to another kind of business."""

    business: str


class Particulars(msgspec.Struct, frozen=True, omit_defaults=True):
    business: str = ""
    values: dict[str, Given] = {}
    """By business and kind, newest last."""
    end_asked: int = 0
    """Version of the reply that asked for the end of a span."""


class ParticularsFaculty(Faculty):
    name = "particulars"
    slice = Particulars
    events = (ParticularGiven, BusinessNamed, EndAsked, Cleared)

    def __init__(self, languages: tuple[str, ...] = ("en", "ru", "es")) -> None:
        self._tables = shipped("holdfast.faculties", "particulars", languages)

    def tables(self) -> Iterable[Table]:
        return self._tables

    def hear(self, draft: Draft) -> Iterator[Event]:
        yield from _turned(draft)
        held = draft.state.particulars
        after = held.end_asked == draft.moment.version - 1 > 0
        for one in _by_kind(draft.reading.find(particulars), held):
            yield _given(
                draft, one._replace(kind=f"{one.kind} after") if after and one.kind in _SPANS else one, "person"
            )

    def say(self, draft: Draft) -> Iterator[Event]:
        if draft.state.particulars.business == "":
            yield from _turned(draft)
        if asks_for_end(draft.reading):
            yield EndAsked()
        if not draft.reading.has("confirming"):
            return
        held = draft.state.particulars
        for one in _by_kind(draft.reading.find(particulars), held):
            if f"{held.business}/{one.kind}" not in held.values:
                yield _given(draft, one, "agent")

    def fold(self, slice: Particulars, event: Event, moment: Moment) -> Particulars:
        match event:
            case BusinessNamed(business=business):
                values = slice.values
                if not slice.business:  # what was said before the business had a name was about it
                    values = {f"{business}{key}" if key.startswith("/") else key: v for key, v in values.items()}
                return msgspec.structs.replace(slice, business=business, values=values)
            case EndAsked():
                return msgspec.structs.replace(slice, end_asked=moment.version)
            case ParticularGiven(business=business, kind=kind, given=given):
                key = f"{business}/{kind}"
                values = {k: v for k, v in slice.values.items() if k != key}
                values[key] = given
                while len(values) > MOST:
                    values.pop(next(iter(values)))
                return msgspec.structs.replace(slice, values=values)
            case Cleared(what="everything"):
                return Particulars()
        return slice


def changes(events: Iterable[Event]) -> list[ParticularGiven]:
    """What a turn changed."""
    return [event for event in events if isinstance(event, ParticularGiven) and event.old is not None]


def _turned(draft: Draft) -> Iterator[Event]:
    """The business of a message is what it names; without a name, the talk stays where it was."""
    named = list(spoken_of(draft.reading))
    current = draft.state.particulars.business
    if named and current not in named:
        yield BusinessNamed(business=named[0])


def _lately(draft: Draft, held: Particulars, kind: str) -> Given | None:
    """The last value of a kind for any business, when the message says that it changes something."""
    if not draft.reading.has("changing"):
        return None
    return next((given for key, given in reversed(held.values.items()) if key.endswith(f"/{kind}")), None)


def _by_kind(found: Iterable[Particular], held: Particulars) -> Iterator[Particular]:
    """One value per kind: the last one said. A bare "make that 3" is a value of whatever is counted."""
    last: dict[str, Particular] = {}
    for one in found:
        kind = one.kind
        if kind == "count":
            counted = [k for k in _COUNTS if f"{held.business}/{k}" in held.values]
            if not counted:
                continue
            kind = counted[0]
        last[kind] = one._replace(kind=kind)
    yield from last.values()


def _given(draft: Draft, one: Particular, by: Source) -> ParticularGiven:
    held = draft.state.particulars
    before = held.values.get(f"{held.business}/{one.kind}")
    if before is None and by == "person" and held.business == draft.before.particulars.business:
        before = _lately(draft, held, one.kind)
    old = before.value if before is not None and before.same != one.same else None
    given = Given(one.value, one.same, by, draft.moment.version)
    return ParticularGiven(
        business=held.business, kind=one.kind, given=given, old=old, because=draft.cause(one.rule, one.span)
    )
