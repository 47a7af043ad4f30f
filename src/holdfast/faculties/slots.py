"""Slots: named values that a pack declares, such as a place, a name or a party size.

A value holds until it is changed; a change supersedes it and keeps the old one; what an agent says never overrides what
a person said. Two values at once leave a doubt with its question. Slots that belong to a topic are set aside when
another topic begins, and come back with it. What a pack declares is in `Slot`; how values are found in text is in
`holdfast.reading` and in `readers.py`.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator
from typing import NamedTuple

import msgspec

from holdfast.errors import InvalidInput, UnknownItem
from holdfast.events import (
    ERASED,
    Cause,
    Cleared,
    DoubtRaised,
    Event,
    MessageSaid,
    ReferenceResolved,
    Refusal,
    Source,
    Violation,
)
from holdfast.faculties.conversation import texts
from holdfast.faculties.questions import Answer, Question, QuestionDropped, all_answered
from holdfast.faculty import Action, Draft, Faculty, Item
from holdfast.reading.asking import questions
from holdfast.reading.reader import Reading, Span
from holdfast.reading.standing import asked, clause_end, meant, repairs, sentences, standing
from holdfast.reading.tables import Table, shipped
from holdfast.reading.text import fold
from holdfast.reading.values import trimmed
from holdfast.state import Moment, State

PAST = 3
"""Earlier values of a slot that are at hand; older ones are in the log."""
ASIDE = 6
"""Topics whose values are kept for a return."""
OFFERED = 6
"""Messages for which an offer for an empty slot stays open."""
MANY = 8
"""Values of a slot that holds several."""
LONGEST = 200
"""Characters of a value."""
REFUSED = 8
"""Values of one message that are told as not learned; a pasted log has hundreds."""

_NAME_GOES_ON = re.compile(r" [A-Z][a-z]")
"""After a value in an agent's offer: "SFO" in "SFO International Airport" is a part of a longer name."""
_NO_CLAIMS = ("answer.", "offer.")
"""Rules of values that were given for the moment: the memory learned nothing from them."""
_STANDS_NOT = {"negated", "withdrawn", "quoted"}
_SWAPS = (
    "instead_of",
    "instead_of_first",
    "rather_than",
    "change_from_to",
    "moved",
    "change_x_to_y",
    "replace_x_with_y",
)


class Found(NamedTuple):
    """A value read from a message."""

    value: str
    span: Span
    rule: str
    canonical: str = ""
    """The value as the world writes it, where that is known."""
    own: str = ""
    """The value in the form that stands alone, where the words have another ("москве": "москва")."""


class Slot(NamedTuple):
    """A declared slot: what it is called, how it is read, and how it is asked for."""

    name: str
    label: str
    """Its key in the context line."""
    read: Callable[[Reading], Iterable[Found]]
    """Finds its values in a person's message; the last one that stands counts."""
    asked: str = ""
    """The asking word that an agent uses for it (a key of the family "asks"): a bare reply is then its value."""
    answers: tuple[str, ...] = ()
    """Further asking words whose bare reply may be its value, though they do not ask for it alone."""
    lower: bool = False
    """Whether values are kept in lower case."""
    many: bool = False
    """Whether it holds several values at once."""
    doubt: bool = False
    """Whether two values in one message leave a doubt."""
    survives: bool = True
    """Whether the value lives on when another topic begins."""
    topic: Callable[[str], str] | None = None
    """For the slot that says what the talk is about: the topic that a value belongs to."""
    told: str = "{}"
    """How the value is told in the context line."""
    answer: Callable[[Reading, Answer], Found | None] | None = None
    """Reads a bare reply to its question; None takes the reply as it is."""
    meets: Callable[[Reading, State], Iterable[Found]] | None = None
    """Finds values that are known from elsewhere in the state, such as venues that were mentioned."""
    offered: bool = False
    """Whether an agent's mere statement is an offer too, while the slot is empty ("there is a compact car")."""
    named: bool = False
    """Whether its values are names: they are read as they stand, also where they are known, and their words are no
    value of another slot ("I'm Austin" names no city)."""
    joins: Callable[[Reading, str, str], str] | None = None
    """Makes one value of a new one and the one that is held ("at nine" and "tomorrow at eight")."""
    claim: bool = False
    """Whether it is something that the person claims: what is asked or supposed then is no value. What is looked for is
    no claim: "any cafés in Boston?" names where."""
    bare: Callable[[Reading], Iterable[Found]] | None = None
    """Finds its values in a correction that holds nothing else ("no, Austin"), right after it was given."""
    takes: tuple[str, ...] = ()
    """Slots whose newer value it takes over when the person says "there", and which speak for it while it is empty."""
    remembered: str = ""
    """The key under which a memory keeps the same across conversations: what is changed there changes here."""
    keep: int = 80
    """How long it stays in a short context line."""


class Value(msgspec.Struct, frozen=True, omit_defaults=True):
    """What a slot holds, since when, and from whom."""

    value: str
    version: int
    source: Source = "person"
    rule: str = ""
    canonical: str = ""
    items: tuple[str, ...] = ()
    """The single values of a slot that holds several."""
    candidates: tuple[str, ...] = ()
    """All that may have been meant, while that is open."""
    until: int = 0
    """The version that took it away."""
    own: str = ""
    """The form in which it is shown, where the words had another case ("москве": "москва")."""

    @property
    def ambiguous(self) -> bool:
        return bool(self.candidates)


class SlotSet(Event, frozen=True):
    slot: str
    value: str
    old: str | None = None
    source: Source = "person"
    canonical: str = ""
    items: tuple[str, ...] = ()
    candidates: tuple[str, ...] = ()
    own: str = ""

    @property
    def did(self) -> str:  # type: ignore[override]
        if self.old is None:
            return "learned"
        return "confirmed" if self.old == self.value else "superseded"

    def tell(self) -> str:
        known = f" ({self.canonical})" if self.canonical and self.canonical.lower() != self.value.lower() else ""
        if self.old is None or self.old == self.value:
            return f"{self.slot} = {self.value}{known}"
        return f"{self.slot} = {self.value}{known} (was {self.old})"


class SlotOffered(Event, frozen=True):
    """An agent offers a value; a plain yes takes it."""

    slot: str
    value: str
    canonical: str = ""


class SlotRestored(Event, frozen=True):
    """A value that was cleared or replaced is back."""

    did = "restored"

    slot: str
    value: Value

    def tell(self) -> str:
        return f"{self.slot} = {self.value.value}"


class TopicChanged(Event, frozen=True):
    """The talk turned to something else: values of the old topic are set aside, those of the new one come back."""

    did = "turned"

    topic: str
    slots: tuple[str, ...]
    """The slots that belong to a topic."""

    def tell(self) -> str:
        return f"to {self.topic}"


class Offer(msgspec.Struct, frozen=True, omit_defaults=True):
    value: str
    version: int
    canonical: str = ""


class Slots(msgspec.Struct, frozen=True, omit_defaults=True):
    values: dict[str, Value] = {}
    past: dict[str, tuple[Value, ...]] = {}
    """Earlier values, newest last."""
    topic: str = ""
    aside: dict[str, dict[str, Value]] = {}
    """Values of other topics, by topic, the one left last at the end."""
    offers: dict[str, Offer] = {}

    def get(self, name: str) -> str | None:
        held = self.values.get(name)
        return held.value if held else None

    def canonical(self, name: str) -> str | None:
        """The value as the world writes it, or as it was given."""
        held = self.values.get(name)
        return (held.canonical or held.value) if held else None


class SlotsFaculty(Faculty):
    name = "slots"
    slice = Slots
    events = (SlotSet, SlotOffered, SlotRestored, TopicChanged, Cleared)

    def __init__(self, *slots: Slot, languages: tuple[str, ...] = ("en", "ru", "es")) -> None:
        self.slots = slots
        self._tables = [
            *shipped("holdfast.faculties", "slots", languages),
            *shipped("holdfast.reading", "places", languages),
            *shipped("holdfast.reading", "dates", languages),
        ]
        self._topical = tuple(slot.name for slot in slots if not slot.survives)
        self._remembered = {slot.remembered: slot.name for slot in slots if slot.remembered}

    def tables(self) -> Iterable[Table]:
        return self._tables

    def hear(self, draft: Draft) -> Iterator[Event]:
        answers = all_answered(draft.state)
        reading = draft.reading
        learned: set[str] = set()
        if self._remembered and draft.state.user is not None and draft.state.slots.values:
            yield from self._changed_elsewhere(draft)
        # values that are not in the words themselves; asked first, because most messages have none of them
        implied = bool(answers) or reading.has("yes", "accepts", "goes_there", "contrast")
        bound: Cause | None = None
        if reading.has("forgets"):
            yield from self._forgotten(draft)
        for slot in self.slots:
            found = self._found(slot, draft)
            if bound is not None:
                found = [f for f in found if not bound.start <= f.span[0] < bound.end]
            if found or implied:
                for event in self._hear(slot, found, _own(slot, answers) if answers else None, draft):
                    if isinstance(event, SlotSet):
                        learned.add(event.slot)
                        if event.because and (
                            event.because.rule == f"answer.{slot.asked}"
                            or (slot.named and fold(event.value) in reading.folded)  # and not only pointed at
                        ):
                            bound = event.because
                    yield event
        if reading.has("correction"):
            yield from self._corrected(draft, learned)

    def _changed_elsewhere(self, draft: Draft) -> Iterator[Event]:
        """What was said here and was since changed or taken back in the memory, by hand or in another conversation."""
        memory = draft.state.user.slices.get("memory") if draft.state.user is not None else None
        if memory is None:
            return
        for closed in memory.closed:
            name = self._remembered.get(closed.slot, "")
            value = draft.state.slots.values.get(name)
            if value is None or draft.origin not in closed.sessions or value.rule.startswith(_NO_CLAIMS):
                continue
            held = value.value
            if fold(held) != fold(closed.value):
                continue
            new = next((m.value for m in memory.items.values() if m.slot == closed.slot and m.positive), "")
            because = draft.cause("slots.remembered")
            if not new:
                yield Cleared(what=name, because=because)
            elif fold(new) != fold(held):
                yield SlotSet(slot=name, value=new, old=held, because=because)

    def _hear(self, slot: Slot, found: list[Found], answer: Answer | None, draft: Draft) -> Iterator[Event]:
        reading = draft.reading
        firm = [f for f in found if stands(reading, f) and not (slot.claim and _idle(reading, f))]
        taken = without_swapped(reading, firm) or _swapped(reading, found)
        for refused in [f for f in found[: REFUSED + len(taken)] if f not in taken]:
            yield from self._refused(slot, refused, draft)
        if not taken and (reading.has("contrast") or (found and reading.find(repairs))):
            taken = self._meant(slot, reading)
        if not taken:
            taken = self._answered(slot, answer, draft) or self._accepted(slot, draft) or self._there(slot, draft)
        if taken:
            yield from self._take(slot, taken, draft)
        elif found and reading.has("forgets"):
            yield from self._let_go(slot, found, draft)

    def _forgotten(self, draft: Draft) -> Iterator[Event]:
        """ "Forget the location", "start over": what a person wants to be forgotten. A pack's table says how that is
        said; the end of a pattern's id names the question that a slot answers, or everything."""
        for cue in draft.reading.all("forgets"):
            key, why = cue.id.rpartition(".")[2], draft.cause(cue.id, cue.span)
            if key == "everything":
                yield Cleared(what="everything", because=why)
                return
            for slot in self.slots:
                if slot.asked == key and slot.name in draft.state.slots.values:
                    yield Cleared(what=slot.name, because=why)

    def _let_go(self, slot: Slot, found: list[Found], draft: Draft) -> Iterator[Event]:
        """ "Anything but sushi", when sushi is held and nothing else is said."""
        held = draft.state.slots.values.get(slot.name)
        ends = _let_go_of(draft.reading)
        for gone in found:
            if held and not slot.many and _same(gone, held) and any(0 <= gone.span[0] - end <= 1 for end in ends):
                yield Cleared(what=slot.name, because=draft.cause("forgets.value", gone.span))
                return

    def _found(self, slot: Slot, draft: Draft) -> list[Found]:
        found = [f for f in slot.read(draft.reading) if f.value]
        if found and not slot.named:
            found = _outside_names(slot, found, draft)
        if slot.meets is not None and not found:
            found = [f for f in slot.meets(draft.reading, draft.state) if f.value]
        return found

    def _refused(self, slot: Slot, refused: Found, draft: Draft) -> Iterator[Event]:
        flags = draft.reading.find(standing).of(refused.span)
        why = draft.cause(refused.rule, refused.span)
        yield Refusal(what=f"{slot.name} = {refused.value}", reason=", ".join(sorted(flags)) or "replaced", because=why)
        held = draft.state.slots.values.get(slot.name)
        if slot.claim and held and flags == {"negated"} and _same(refused, held):
            yield Cleared(what=slot.name, because=why)  # "I no longer live in Boston"
        if slot.many and held and "negated" in flags and refused.value in held.items:
            rest = tuple(item for item in held.items if item != refused.value)
            if rest:
                yield SlotSet(
                    slot=slot.name, value=", ".join(rest), old=held.value, items=rest, source=draft.source, because=why
                )
            else:
                yield Cleared(what=slot.name, because=why)

    def _meant(self, slot: Slot, reading: Reading) -> list[Found]:
        """The value of a message as it was meant: after "we'll be five, no wait, six", six."""
        said = meant(reading)
        if said is reading:
            return []
        repaired = [repair.repair for repair in reading.find(repairs)]
        span = repaired[-1] if repaired else reading.all("contrast")[0].groups["new"]
        found = [f for f in slot.read(said) if f.value and stands(said, f)]
        return [f._replace(span=span) for f in found[-1:]]

    def _answered(self, slot: Slot, answer: Answer | None, draft: Draft) -> list[Found]:
        """The reply to a question for this slot, or the choice between its candidates."""
        if answer is None:
            return []
        held = draft.state.slots.values.get(slot.name)
        value = answer.value.lower() if slot.lower else answer.value
        if held and value in held.candidates:
            return [Found(value, answer.span, "answer.choice")]
        if not answer.question.about or answer.question.about not in (slot.asked, *slot.answers):
            return []
        if slot.topic is not None and any(isinstance(event, ReferenceResolved) for event in draft.events):
            return []  # "tell me about the first" looks for nothing new
        if any(_is_all(event, answer) for event in draft.events):
            return []  # "pizza" in reply to "where?" is known to be something else
        if slot.answer is None:
            return [Found(answer.value, answer.span, f"answer.{slot.asked}")]
        read = slot.answer(draft.reading, answer)
        return [read] if read is not None else []

    def _accepted(self, slot: Slot, draft: Draft) -> list[Found]:
        """What the agent just offered, when the person says yes to it."""
        offer = draft.state.slots.offers.get(slot.name)
        patience = OFFERED if slot.offered and slot.name not in draft.state.slots.values else 1
        if offer is None or draft.ago(offer.version) > patience:
            return []
        yes = draft.reading.first("yes", "accepts")
        if yes is None or draft.reading.has("no"):
            return []
        return [Found(offer.value, yes.span, "offer.accepted", offer.canonical)]

    def _there(self, slot: Slot, draft: Draft) -> list[Found]:
        """ "A flight there": the newest place of the slots that this one takes over from."""
        if not slot.takes or not draft.reading.has("goes_there"):
            return []
        values = draft.before.slots.values
        since = values[slot.name].version if slot.name in values else 0
        newest = max((values[name] for name in slot.takes if name in values), key=lambda v: v.version, default=None)
        if newest is None or newest.version <= since:
            return []
        cue = draft.reading.all("goes_there")[0]
        return [Found(newest.value, cue.span, cue.id, newest.canonical)]

    def value(self, state: State, name: str) -> Value | None:
        """What a slot holds, or, while it is empty, what the slots hold that speak for it."""
        held: dict[str, Value] = state.slots.values
        slot = next((slot for slot in self.slots if slot.name == name), None)
        names = (name, *slot.takes) if slot else (name,)
        return next((held[other] for other in names if other in held), None)

    def _take(self, slot: Slot, stands: list[Found], draft: Draft) -> Iterator[Event]:
        if slot.many:
            yield from self._gather(slot, stands, draft)
            return
        newest, kept = stands[-1], _kept(slot, stands[-1])
        held = draft.state.slots.get(slot.name)
        if held and slot.joins is not None:
            kept = slot.joins(draft.reading, kept, held)
        options = _options(slot, stands)
        if slot.topic is not None:
            yield from self._turn(slot.topic(kept), draft)
        yield SlotSet(
            slot=slot.name,
            value=kept,
            old=held,
            source=draft.source,
            canonical=newest.canonical,
            candidates=options,
            own=newest.own if newest.own != kept else "",
            because=draft.cause(newest.rule, newest.span),
        )
        if options:
            question = _either(options, str(texts(draft, "choice")["word"]))
            because = draft.cause("slots.doubt", newest.span)
            yield DoubtRaised(about=slot.name, question=question, candidates=options, because=because)
        if "questions" in draft.state.session.slices:
            for question in draft.state.questions.open:
                if slot.asked and question.about == slot.asked:
                    yield QuestionDropped(id=question.id)

    def _gather(self, slot: Slot, stands: list[Found], draft: Draft) -> Iterator[Event]:
        held = draft.state.slots.values.get(slot.name)
        before = held.items if held else ()
        items = tuple(dict.fromkeys((*before, *(_kept(slot, f) for f in stands))))[-MANY:]
        if items != before:
            because = draft.cause(stands[-1].rule, stands[-1].span)
            old = held.value if held else None
            yield SlotSet(
                slot=slot.name, value=", ".join(items), old=old, items=items, source=draft.source, because=because
            )

    def _turn(self, topic: str, draft: Draft) -> Iterator[Event]:
        if topic != draft.state.slots.topic:
            yield TopicChanged(topic=topic, slots=self._topical)

    def _corrected(self, draft: Draft, learned: set[str]) -> Iterator[Event]:
        """ "Not Anna, Hanna": a correction that names what a slot holds sets that slot, unless the message did."""
        reading: Reading = draft.reading
        for cue in reading.all("correction"):
            if "new" in cue.groups and "old" not in cue.groups and not learned:
                yield from self._corrected_barely(draft, trimmed(reading, cue.groups["new"]), cue.id)
            if "old" not in cue.groups or "new" not in cue.groups:
                continue
            old, new = (trimmed(reading, cue.groups[part]) for part in ("old", "new"))
            for slot in self.slots:
                held = draft.state.slots.get(slot.name) if slot.name not in learned else None
                if held and not slot.many and held.lower() == reading.words(old).lower() and new[1] - new[0] <= 60:
                    yield from self._take(slot, [Found(reading.words(new), new, cue.id)], draft)
                    return
        if not learned:
            yield from self._meant_after(draft)

    def _meant_after(self, draft: Draft) -> Iterator[Event]:
        """ "I meant Austin", right after "I live in Boston": corrects the one value that the last message set."""
        meant = next((cue for cue in draft.reading.all("correction") if cue.id.endswith(".meant")), None)
        recent = draft.before.conversation.recent
        last = next((message.version for message in reversed(recent) if message.role == "user"), 0)
        held = [s for s in self.slots if (v := draft.state.slots.values.get(s.name)) is not None and v.version == last]
        if meant is None:
            return
        span = trimmed(draft.reading, meant.groups["new"])
        given = draft.reading.words(span)
        read = [
            (slot, found)
            for slot in held
            if slot.answer is not None and not slot.many
            for question in (Question("", "", slot.asked, "text", 0),)
            if (found := slot.answer(draft.reading, Answer(question, given, span, draft.moment.version))) is not None
        ]
        if len(held) > 1:  # several values were given: it corrects the one that it is known to be another of
            read = [(slot, found) for slot, found in read if found.canonical]
        if len(read) == 1:
            yield from self._take(read[0][0], [read[0][1]._replace(rule=meant.id)], draft)

    def _corrected_barely(self, draft: Draft, new: Span, rule: str) -> Iterator[Event]:
        """ "No, Austin": what was given with the person's last message, given anew."""
        for slot in self.slots:
            held = draft.state.slots.values.get(slot.name) if slot.bare is not None else None
            if slot.bare is None or held is None or not 0 < draft.ago(held.version) <= 2:
                continue
            for found in slot.bare(draft.reading):
                whole = new[0] <= found.span[0] and found.span[1] == new[1] and found.span[0] - new[0] <= 4
                if whole and found.value != held.value and not _idle(draft.reading, found):
                    yield from self._take(slot, [found._replace(rule=rule)], draft)
                    return

    def say(self, draft: Draft) -> Iterator[Event]:
        """What an agent offers or wants confirmed can be taken with a yes. What it states changes nothing."""
        assert isinstance(draft.message, MessageSaid)
        asked = draft.reading.find(questions)
        if draft.reading.has("confirming"):
            asked = [*asked, *_confirmed(draft.reading)]
        for slot in self.slots:
            stated = slot.offered and slot.name not in draft.state.slots.values
            if not stated and not asked:
                continue
            found = [f for f in slot.read(draft.reading) if not _NAME_GOES_ON.match(draft.reading.text, f.span[1])]
            if not stated:
                found = [f for f in found if any(a <= f.span[0] < b for a, b in asked)]
            values = {_kept(slot, f).lower() for f in found}
            if len(values) == 1 and not slot.many and _kept(slot, found[-1]) != draft.state.slots.get(slot.name):
                offered = found[-1]
                because = draft.cause(offered.rule, offered.span)
                yield SlotOffered(
                    slot=slot.name, value=_kept(slot, offered), canonical=offered.canonical, because=because
                )

    def fold(self, slice: Slots, event: Event, moment: Moment) -> Slots:
        change = msgspec.structs.replace
        match event:
            case SlotSet(slot=slot, value=value) if not value.strip(ERASED):  # its words were erased since
                return change(slice, values={name: kept for name, kept in slice.values.items() if name != slot})
            case SlotSet():
                rule = event.because.rule if event.because else ""
                held = Value(
                    event.value,
                    moment.version,
                    event.source,
                    rule,
                    event.canonical,
                    event.items,
                    event.candidates,
                    own=event.own,
                )
                past = _past(slice, [event.slot], moment.version) if event.old != event.value else slice.past
                return change(slice, values={**slice.values, event.slot: held}, past=past)
            case SlotOffered(slot=slot, value=value, canonical=canonical):
                return change(slice, offers={**slice.offers, slot: Offer(value, moment.version, canonical)})
            case SlotRestored(slot=slot, value=value):
                past = {**slice.past, slot: tuple(v for v in slice.past.get(slot, ()) if v.until != value.until)}
                back = change(value, until=0)
                return change(slice, values={**slice.values, slot: back}, past=past)
            case TopicChanged(topic=topic, slots=slots):
                return _turned(slice, topic, slots)
            case Cleared(what="everything"):
                return Slots(past=_past(slice, list(slice.values), moment.version))
            case Cleared(what=what):
                past = _past(slice, [what], moment.version)
                values = {name: value for name, value in slice.values.items() if name != what}
                offers = {name: offer for name, offer in slice.offers.items() if name != what}
                return change(slice, values=values, past=past, offers=offers)
        return slice

    def context(self, draft: Draft) -> Iterable[Item]:
        values = draft.state.slots.values
        return [
            Item(slot.label, slot.told.format(values[slot.name].value), keep=slot.keep)
            for slot in self.slots
            if slot.name in values
        ]

    def forbid(self, action: Action, reading: Reading, state: State) -> Iterable[Violation]:
        """An agent does not ask for what was already given, unless that is open."""
        if not state.slots.values:
            return
        asked = _asked(reading)
        for slot in self.slots:
            held = state.slots.values.get(slot.name)
            if held and slot.asked in asked and not held.candidates:
                yield Violation("slots.known", f"asks for the {slot.name}, which is known: {held.value}")

    def clears(self, state: State) -> Iterable[str]:
        return [slot.name for slot in self.slots if slot.name in state.slots.values]

    def clear(self, draft: Draft, what: str | None, index: int | None) -> Iterator[Event]:
        if what is not None and what in draft.state.slots.values:
            yield Cleared(what=what)


def stands(reading: Reading, found: Found) -> bool:
    """Whether a value is meant: not negated, taken back, quoted or dropped ("forget the pizza, sushi")."""
    if reading.find(standing).of(found.span) & _STANDS_NOT:
        return False
    if any(0 <= found.span[0] - end <= 1 for end in _let_go_of(reading)):
        return False
    dropped = (cue.end for cue in reading.all("override") if cue.id.endswith(".forget"))
    return not any(start <= found.span[0] < clause_end(reading, start) for start in dropped)


def _let_go_of(reading: Reading) -> list[int]:
    """Where words end that let go of what follows: "never mind the", "anything but"."""
    if not reading.has("forgets"):
        return []
    return [cue.end for cue in reading.all("forgets") if cue.id.endswith(".value")]


def _idle(reading: Reading, found: Found) -> bool:
    """Whether a value is only asked about or supposed. "If you need it, my name is Ana" says it all the same, and so
    does "can you call me Ana?"."""
    if asked(reading, found.span):
        return not found.rule.endswith(".call_me")
    end = found.span[0]
    start = next((a for a, b in reading.find(sentences) if a <= end < b), 0)
    doubts = (c for c in reading.all("hypothetical") if start <= c.start < end and not c.id.endswith(".might"))
    return any(not c.id.endswith(".if") or clause_end(reading, c.end) >= end for c in doubts)


def _same(found: Found, held: Value) -> bool:
    return fold(found.value) == fold(held.value) or bool(found.canonical and found.canonical == held.canonical)


def _is_all(event: Event, answer: Answer) -> bool:
    """Whether the words of an answer gave another slot its value."""
    if not isinstance(event, SlotSet) or event.because is None:
        return False
    return event.because.start <= answer.span[0] and answer.span[1] <= event.because.end


def put(name: str, value: str, source: Source = "person") -> Callable[[Draft], Iterator[Event]]:
    """For `chat.act`: set a slot by call, the value kept as given. An agent's or a tool's value does not replace a
    person's."""

    def act(draft: Draft) -> Iterator[Event]:
        if not isinstance(value, str) or not value.strip() or len(value) > LONGEST:
            raise InvalidInput(f"a value must be text of 1 to {LONGEST} characters; to remove one, use clear({name!r})")
        held = draft.state.slots.values.get(name)
        if held and held.source in ("person", "import") and source not in ("person", "import"):
            reason = f"the person said {held.value}"
            yield Refusal(
                what=f"{name} = {value} from the {source}", reason=reason, because=draft.cause("slots.source")
            )
            return
        because = draft.cause(f"call.{source}")
        yield SlotSet(slot=name, value=value, old=held.value if held else None, source=source, because=because)

    return act


def restore(name: str | None = None) -> Callable[[Draft], Iterator[Event]]:
    """For `chat.act`: bring back the value that a slot had before its last change or clear; without a name, all that
    the last clear took away."""

    def act(draft: Draft) -> Iterator[Event]:
        past = draft.state.slots.past
        newest = max((v.until for values in past.values() for v in values), default=0)
        names = [name] if name else [slot for slot, values in past.items() if values and values[-1].until == newest]
        if not any(past.get(slot) for slot in names):
            raise UnknownItem(f"there is no earlier value of {name or 'anything'} to bring back")
        for slot in names:
            if past.get(slot):
                yield SlotRestored(slot=slot, value=past[slot][-1], because=draft.cause("call.restore"))

    return act


def _asked(reading: Reading) -> set[str]:
    """What an agent asks for: in a question, or by a plain "please tell me". "Shall I send it to your email?" asks for
    leave, not for the address."""
    cues = list(reading.all("asks_for"))
    for start, end in reading.find(questions):
        offer = min((cue.start for cue in reading.all("offers_to") if start <= cue.start < end), default=end)
        cues += [cue for cue in reading.all("asks") if start <= cue.start < offer]
    return {cue.id.rpartition(".")[2] for cue in cues}


def _own(slot: Slot, answers: tuple[Answer, ...]) -> Answer:
    """Of the answers in a message the one to the question for this slot; else the newest."""
    if len(answers) > 1:
        for answer in answers:
            if answer.question.about and answer.question.about in (slot.asked, *slot.answers):
                return answer
    return answers[-1]


def _outside_names(slot: Slot, found: list[Found], draft: Draft) -> list[Found]:
    """Without the words that are a part of a known name ("Boston" in "tell me about the Boston Grill") or of what
    points at something known ("the vegan place")."""
    if "references" not in draft.state.session.slices:
        return found
    text = draft.reading.folded
    names = [fold(entity.name) for entity in draft.state.references.entities]
    spans = [(place, place + len(name)) for name in names if name and (place := text.find(name)) >= 0]
    pointed = [e.resolution.span for e in draft.events if isinstance(e, ReferenceResolved) and e.resolution.entities]
    if any(e.because is not None and ".pointing_back." in e.because.rule for e in draft.events):
        pointed = []  # "back to the Italian places" says what is looked for again
    return [
        f
        for f in found
        if not _within(f, spans) and not (_within(f, pointed) and _same_topic(slot, f, draft.state.slots.topic))
    ]


def _within(found: Found, spans: list[Span]) -> bool:
    return any(a <= found.span[0] and found.span[1] <= b and b - a > len(found.value) for a, b in spans)


def _same_topic(slot: Slot, found: Found, topic: str) -> bool:
    """Whether a value stays in the topic: "the museum" is none of the restaurants that were shown."""
    return slot.topic is None or not topic or slot.topic(_kept(slot, found)) == topic


def _confirmed(reading: Reading) -> list[Span]:
    """The sentences that ask for a confirmation, and what follows them."""
    cues = reading.all("confirming")
    return [(start, end) for start, end in reading.find(sentences) if any(cue.start < end for cue in cues)]


def _kept(slot: Slot, found: Found) -> str:
    return (found.value.lower() if slot.lower else found.value)[:LONGEST]


def _options(slot: Slot, stands: list[Found]) -> tuple[str, ...]:
    """What may have been meant, when that is more than one thing."""
    if not slot.doubt:
        return ()
    meant = {(f.canonical or f.value).lower(): f.own or _kept(slot, f) for f in stands}
    return tuple(meant.values()) if len(meant) > 1 else ()


def _either(options: tuple[str, ...], word: str) -> str:
    return f"{', '.join(options[:-1])} {word} {options[-1]}?"


def without_swapped(reading: Reading, stands: list[Found]) -> list[Found]:
    """Of "X instead of Y", "from Y to X" and "Y no, X", only X."""
    if len(stands) < 2:
        return stands
    refused = reading.phrases("slots", "refused_by")
    stands = [f for f in stands[:-1] if _next_word(reading, f.span[1]) not in refused] + stands[-1:]
    if len(stands) < 2 or not reading.has("correction"):
        return stands
    for cue in reading.all("correction"):
        if "old" in cue.groups and cue.id.rpartition(".")[2] in _SWAPS:
            start, end = cue.groups["old"]
            end = min(end, clause_end(reading, start))
            outside = [f for f in stands if not start <= f.span[0] < end]
            if outside:
                stands = outside
            elif len(stands) > 1:  # "instead of Y let's take X": the words ran on over both
                stands = stands[1:]
    return stands


def _swapped(reading: Reading, found: list[Found]) -> list[Found]:
    """Of "instead of Y show me X", where the refusal ran on over both, X."""
    if len(found) != 2:
        return []
    old, new = sorted(found, key=lambda f: f.span)
    before = reading.folded[max(0, old.span[0] - 30) : old.span[0]].rstrip()
    return [new] if before.endswith(tuple(reading.phrases("slots", "instead"))) and old.value != new.value else []


def _next_word(reading: Reading, end: int) -> str:
    """The word after a place of the text, with the mark that follows it."""
    return reading.folded[end : end + 20].strip().split(" ", 1)[0]


def _past(slice: Slots, names: list[str], until: int) -> dict[str, tuple[Value, ...]]:
    past = dict(slice.past)
    for name in names:
        held = slice.values.get(name)
        if held is not None:
            gone = msgspec.structs.replace(held, until=until)
            past[name] = (*past.get(name, ()), gone)[-PAST:]
    return past


def _turned(slice: Slots, topic: str, slots: tuple[str, ...]) -> Slots:
    aside = {name: values for name, values in slice.aside.items() if name != topic}
    left = {name: value for name, value in slice.values.items() if name in slots}
    if slice.topic and left:
        aside[slice.topic] = left
    back = slice.aside.get(topic, {}) if slice.topic else left
    values = {name: value for name, value in slice.values.items() if name not in slots}
    kept = dict(list(aside.items())[-ASIDE:])
    return msgspec.structs.replace(slice, values={**values, **back}, topic=topic, aside=kept)
