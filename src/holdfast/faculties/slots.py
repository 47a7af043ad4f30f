"""Slots: named values that a pack declares, such as a place, a name or a party size.

A value holds until it is changed; a change supersedes it and keeps the old one in the log; what an agent says never
overrides what a person said.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from typing import NamedTuple

import msgspec

from holdfast.events import Cleared, Event, Refusal, Source, Violation
from holdfast.faculties.questions import Answer, QuestionDropped, answered, questions
from holdfast.faculty import Action, Draft, Faculty, Item
from holdfast.reading.reader import Reading, Span
from holdfast.reading.standing import standing
from holdfast.reading.tables import Table, shipped
from holdfast.reading.values import emails
from holdfast.state import Moment, State


class Found(NamedTuple):
    """A value read from a message."""

    value: str
    span: Span
    rule: str


class Slot(NamedTuple):
    """A declared slot: what it is called, how it is read, and how it is asked for."""

    name: str
    label: str
    """Its key in the context line."""
    read: Callable[[Reading], Iterable[Found]]
    """Finds its values in a person's message; the last one that stands counts."""
    asked: str = ""
    """The asking word that an agent uses for it (a key of the family "asks"): a bare reply is then its value."""
    lower: bool = False
    """Whether values are kept in lower case."""


class Value(msgspec.Struct, frozen=True, omit_defaults=True):
    """What a slot holds, since when, and from whom."""

    value: str
    version: int
    source: Source = "person"
    rule: str = ""


class SlotSet(Event, frozen=True):
    slot: str
    value: str
    old: str | None = None
    source: Source = "person"

    @property
    def did(self) -> str:  # type: ignore[override]
        if self.old is None:
            return "learned"
        return "confirmed" if self.old == self.value else "superseded"

    def tell(self) -> str:
        if self.old is None or self.old == self.value:
            return f"{self.slot} = {self.value}"
        return f"{self.slot} = {self.value} (was {self.old})"


class Slots(msgspec.Struct, frozen=True, omit_defaults=True):
    values: dict[str, Value] = {}

    def get(self, name: str) -> str | None:
        held = self.values.get(name)
        return held.value if held else None


class SlotsFaculty(Faculty):
    name = "slots"
    slice = Slots
    events = (SlotSet, Cleared)

    def __init__(self, *slots: Slot, languages: tuple[str, ...] = ("en", "ru", "es")) -> None:
        self.slots = slots
        self._tables = shipped("holdfast.faculties", "slots", languages)

    def tables(self) -> Iterable[Table]:
        return self._tables

    def hear(self, draft: Draft) -> Iterator[Event]:
        answer = answered(draft.state)
        for slot in self.slots:
            yield from self._hear(slot, answer, draft)

    def _hear(self, slot: Slot, answer: Answer | None, draft: Draft) -> Iterator[Event]:
        reading = draft.reading
        found = [f for f in slot.read(reading) if f.value]
        stands = [f for f in found if not reading.find(standing).of(f.span) & {"negated", "withdrawn", "quoted"}]
        for refused in found:
            if refused not in stands:
                flags = ", ".join(sorted(reading.find(standing).of(refused.span)))
                yield Refusal(
                    what=f"{slot.name} = {refused.value}", reason=flags, because=draft.cause(refused.rule, refused.span)
                )
        if not stands and answer is not None and slot.asked and answer.question.about == slot.asked:
            stands = [Found(answer.value, answer.span, f"answer.{slot.asked}")]
        if stands:
            yield self._set(slot, stands[-1], draft)
            for question in draft.state.questions.open:
                if slot.asked and question.about == slot.asked:
                    yield QuestionDropped(id=question.id)

    def _set(self, slot: Slot, found: Found, draft: Draft) -> SlotSet:
        value = found.value.lower() if slot.lower else found.value
        old = draft.state.slots.get(slot.name)
        return SlotSet(slot=slot.name, value=value, old=old, because=draft.cause(found.rule, found.span))

    def fold(self, slice: Slots, event: Event, moment: Moment) -> Slots:
        match event:
            case SlotSet(slot=slot, value=value, source=source, because=because):
                held = Value(value, moment.version, source, because.rule if because else "")
                return Slots({**slice.values, slot: held})
            case Cleared(what="everything"):
                return Slots()
            case Cleared(what=what):
                return Slots({name: value for name, value in slice.values.items() if name != what})
        return slice

    def context(self, draft: Draft) -> Iterable[Item]:
        held = draft.state.slots.values
        return [Item(slot.label, held[slot.name].value, keep=80) for slot in self.slots if slot.name in held]

    def forbid(self, action: Action, reading: Reading, state: State) -> Iterable[Violation]:
        """An agent does not ask for what was already given."""
        if not state.slots.values:
            return
        for start, end in reading.find(questions):
            for cue in reading.all("asks"):
                for slot in self.slots:
                    known = state.slots.get(slot.name)
                    if known and start <= cue.start < end and cue.id.endswith(f".{slot.asked}"):
                        yield Violation("slots.known", f"asks for the {slot.name}, which is known: {known}")

    def clear(self, draft: Draft, what: str | None, index: int | None) -> Iterator[Event]:
        if what is not None and what in draft.state.slots.values:
            yield Cleared(what=what)


def email(reading: Reading) -> Iterable[Found]:
    """Mail addresses."""
    return [Found(reading.words(span), span, "any.email") for span in reading.find(emails)]


def cued(family: str) -> Callable[[Reading], Iterable[Found]]:
    """Values that the patterns of a family capture as `value`."""

    def read(reading: Reading) -> Iterable[Found]:
        return [
            Found(reading.words(cue.groups["value"]), cue.groups["value"], cue.id)
            for cue in reading.all(family)
            if "value" in cue.groups
        ]

    return read
