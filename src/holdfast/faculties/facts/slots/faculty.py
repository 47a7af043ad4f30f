"""Slots: named values that a pack declares, such as a place, a name or a party size.

A value holds until it is changed; a change supersedes it and keeps the old one; what an agent says never overrides what
a person said. Two values at once leave a doubt with its question. Slots that belong to a topic are set aside when
another topic begins, and come back with it. What a pack declares is in `Slot`; how values are found in text is in
`holdfast.reading` and in `readers.py`.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from operator import is_

import msgspec

from holdfast.accepting import nearest, shown
from holdfast.errors import PackError
from holdfast.events import (
    Cause,
    Cleared,
    DoubtRaised,
    Event,
    MessageSaid,
    ReferenceResolved,
    Refusal,
    Violation,
)
from holdfast.faculties.conversation import texts
from holdfast.faculties.facts.fold import FactsFaculty
from holdfast.faculties.facts.lookup import in_slot
from holdfast.faculties.facts.memos import (
    ItemRetracted,
    Memory,
    Offer,
    SlotOffered,
    SlotSet,
    TopicChanged,
    Value,
    find,
)
from holdfast.faculties.facts.slots.arbiter import Claim, Right, arbitrate, claim
from holdfast.faculties.facts.slots.sifting import (
    idle,
    let_go_of,
    outside_names,
    stands,
    swapped,
    without_swapped,
)
from holdfast.faculties.facts.slots.teaching import Lessons
from holdfast.faculties.facts.slots.values import Cued, Found, Slot, Slots, kept_value
from holdfast.faculties.facts.slots.view import seen, stated, value_set
from holdfast.faculties.questions.pending import Answer, Question, QuestionDropped, all_answered
from holdfast.faculty import Action, Draft, Item
from holdfast.reading.asking import questions
from holdfast.reading.kinds import means_same
from holdfast.reading.reader import Cue, Reader, Reading, Span, overlap
from holdfast.reading.standing import meant, repairs, sentences, standing
from holdfast.reading.tables import Table, shipped
from holdfast.reading.text import fold
from holdfast.reading.values import trimmed
from holdfast.state import State
from holdfast.telling import listed, said

DESCRIBED = 0.35
"""Chance from which words are taken as what a description asks for."""
MANY = 8
"""Values of a slot that holds several."""
REFUSED = 8
"""Values of one message that are told as not learned; a pasted log has hundreds."""
_NAME_GOES_ON = re.compile(r" [A-Z][a-z]")
"""After a value in an agent's offer: "SFO" in "SFO International Airport" is a part of a longer name."""


class SlotsFaculty(FactsFaculty):
    name = "slots"

    def __init__(self, *slots: Slot, languages: tuple[str, ...] = ("en", "ru", "es")) -> None:
        self.slots = slots
        _refuse_faults(slots)
        self._lessons = Lessons(slots)
        self._in_turn = sorted(slots, key=lambda slot: (not slot.named, slot.topic is None, slot.name))
        """Names first, then what the talk is about, which decides what of the rest is still at hand."""
        self._tables = [
            *shipped("holdfast.faculties.facts", "slots", languages),
            *shipped("holdfast.reading", "places", languages),
            *shipped("holdfast.reading", "dates", languages),
        ]
        self._topical = tuple(slot.name for slot in slots if not slot.survives)
        self._attributes = {slot.name: slot.remembered for slot in slots if slot.remembered}
        self._shown: tuple[list[Memory | None], Slots] = ([None], Slots())

    def tables(self) -> Iterable[Table]:
        return self._tables

    def described(self) -> dict[str, str]:
        return {slot.name: slot.describe for slot in self.slots if slot.describe}

    def view(self, state: State) -> Slots:
        """What the slots show of the facts. Worked out once for as long as they stay the same."""
        held = [one.slices.get("memory") if one else None for one in (state.session, state.project, state.user)]
        known, shown = self._shown
        if not all(map(is_, known, held)):
            shown = seen(state, self._attributes, tuple(slot.name for slot in self.slots))
            self._shown = held, shown
        return shown

    def faults(self, reader: Reader) -> Iterator[str]:
        for slot in self.slots:
            family = slot.read.family if isinstance(slot.read, Cued) else ""
            if family and family not in reader.families:
                yield _unknown(f"the slot {slot.name!r} reads the family", family, reader.families, "no table has")
            known = {*reader.families.get("asks", ()), *reader.families.get("asks_for", ())}
            for word in filter(None, (slot.asked, *slot.answers)):
                if word not in known:
                    yield _unknown(f"the slot {slot.name!r} is asked by", word, known, "no table knows")
        self._lessons.learn(reader)

    def hear(self, draft: Draft) -> Iterator[Event]:
        answers = all_answered(draft.state)
        reading = draft.reading
        learned: set[str] = set()
        # values that are not in the words themselves; asked first, because most messages have none of them
        implied = bool(answers) or reading.has("yes", "accepts", "goes_there", "contrast")
        if reading.has("forgets"):
            yield from self._forgotten(draft)
        found, replies = self._claimed(draft, answers)
        # a slot whose words are there comes before one that only infers its value
        for slot in sorted(self._in_turn, key=lambda slot: not found.get(slot.name)) if found or implied else ():
            if found.get(slot.name) or implied:
                for event in self._hear(slot, found.get(slot.name, []), replies.get(slot.name, []), draft):
                    if value_set(event) is not None:
                        learned.add(slot.name)
                    yield event
        if reading.has("correction"):
            yield from self._corrected(draft, learned)

    def _claimed(
        self, draft: Draft, answers: tuple[Answer, ...]
    ) -> tuple[dict[str, list[Found]], dict[str, list[Found]]]:
        """What each slot may take for its value, in the words of the message and as a reply: every word once."""
        asked = self._lessons.asked(draft.reading.reader, draft.before) if self._lessons else frozenset[str]()
        taught = self._lessons.found(draft.reading, asked)
        claims: list[Claim] = []
        replied: set[int] = set()
        for slot in self.slots:
            found, guessed = self._found(slot, draft, taught.get(slot.name, []))
            right = Right.GUESSED if guessed else Right.NAMED if slot.named else Right.READ
            claims += [claim(draft.reading, slot, one, right) for one in found]
            for one in self._answered(slot, _own(slot, answers), draft) if answers and not found else ():
                sure = one.canonical or one.value.isdigit() or one.rule == "answer.choice"
                right = Right.NAMED if slot.named else Right.ASKED if sure else Right.GUESSED
                claims.append(claim(draft.reading, slot, one, right))
                replied.add(id(one))
        if not claims:
            return {}, {}
        stand = arbitrate(draft.reading, claims)
        words = {slot.name: [c.found for c in claims if c in stand and c.slot is slot] for slot in self.slots}
        replies = {name: [one for one in found if id(one) in replied] for name, found in words.items()}
        return {name: [one for one in found if id(one) not in replied] for name, found in words.items()}, replies

    def _hear(self, slot: Slot, found: list[Found], reply: list[Found], draft: Draft) -> Iterator[Event]:
        reading = draft.reading
        firm = [f for f in found if stands(reading, f) and not (slot.claim and idle(reading, f))]
        taken = without_swapped(reading, firm) or swapped(reading, found)
        for refused in [f for f in found[: REFUSED + len(taken)] if f not in taken]:
            yield from self._refused(slot, refused, draft)
        if not taken and (reading.has("contrast") or (found and reading.find(repairs))):
            taken = self._meant(slot, reading)
        if not taken:
            taken = reply or self._accepted(slot, draft) or self._there(slot, draft)
        if taken:
            yield from self._take(slot, taken, draft)
        elif found and reading.has("forgets"):
            yield from self._let_go(slot, found, draft)

    def _forgotten(self, draft: Draft) -> Iterator[Event]:
        """ "Forget the location", "start over": what a person wants to be forgotten. A pack's table says how that is
        said; the end of a pattern's id names the question that a slot answers, or everything."""
        for cue in draft.reading.all("forgets"):
            key, why = cue.means, draft.cause(cue.id, cue.span)
            if key == "everything":
                yield Cleared(what="everything", because=why)
                return
            for slot in self.slots:
                if slot.asked == key:
                    yield from self._cleared(slot.name, draft, why)

    def _let_go(self, slot: Slot, found: list[Found], draft: Draft) -> Iterator[Event]:
        """ "Anything but sushi", when sushi is held and nothing else is said."""
        held = draft.state.slots.values.get(slot.name)
        ends = let_go_of(draft.reading)
        for gone in found:
            if held and not slot.many and _same(gone, held) and any(0 <= gone.span[0] - end <= 1 for end in ends):
                yield from self._cleared(slot.name, draft, draft.cause("forgets.value", gone.span))
                return

    def _found(self, slot: Slot, draft: Draft, taught: list[Found]) -> tuple[list[Found], bool]:
        """The values of a slot in a message, and whether they are only guessed from what is held."""
        found = [f for f in _read(slot, draft.reading) if f.value]
        if taught:
            found = sorted([*found, *(f for f in taught if not _overlaps(f, found))], key=lambda f: f.span)
        if found and not slot.named:
            found = outside_names(slot, found, draft)
        guessed = slot.meets is not None and not found
        if guessed and slot.meets is not None:
            found = [f for f in slot.meets(draft.reading, draft.state) if f.value]
        if slot.describe and not found:
            found = self._by_description(slot, draft)
        if found and slot.gives_way is not None and slot.name in draft.state.slots.values:
            found = [f for f in found if slot.gives_way(draft, f)]
        return found, guessed

    def _by_description(self, slot: Slot, draft: Draft) -> list[Found]:
        """What the encoder finds for the slot's description."""
        value = draft.described(slot.name)
        if value is None or value.chance < DESCRIBED:
            return []
        span = trimmed(draft.reading, (value.start, value.end))
        return [Found(draft.reading.words(span), span, "encoder.described")]

    def _refused(self, slot: Slot, refused: Found, draft: Draft) -> Iterator[Event]:
        flags = draft.reading.find(standing).of(refused.span)
        why = draft.cause(refused.rule, refused.span)
        what = said("slot.is", slot=slot.name, value=refused.value)
        reason = listed(said("kind", kind=flag) for flag in sorted(flags) or ("replaced",))
        yield Refusal(what=what, reason=reason, because=why)
        held = draft.state.slots.values.get(slot.name)
        if slot.claim and held and flags == {"negated"} and _same(refused, held):
            yield from self._cleared(slot.name, draft, why)  # "I no longer live in Boston"
        if slot.many and held and "negated" in flags and refused.value in held.items:
            rest = tuple(item for item in held.items if item != refused.value)
            if rest:
                yield SlotSet(
                    slot=slot.name, value=", ".join(rest), old=held.value, items=rest, source=draft.source, because=why
                )
            else:
                yield from self._cleared(slot.name, draft, why)

    def _cleared(self, name: str, draft: Draft, because: Cause | None = None) -> Iterator[Event]:
        """What a slot shows is let go: for the talk, or, where it is a fact, for good."""
        held = draft.state.slots.values.get(name)
        if held is None:
            return
        if name not in self._attributes:
            yield Cleared(what=name, because=because)
            return
        for scope, memo in in_slot(draft.state, name, self._attributes[name]):
            yield ItemRetracted(id=memo.id, label=memo.told, why="taken back", scope=scope, because=because)

    def _meant(self, slot: Slot, reading: Reading) -> list[Found]:
        """The value of a message as it was meant: after "we'll be five, no wait, six", six."""
        said = meant(reading)
        if said is reading:
            return []
        repaired = [repair.repair for repair in reading.find(repairs)]
        span = repaired[-1] if repaired else reading.all("contrast")[0].groups["new"]
        read = [*_read(slot, said), *self._lessons.found(said).get(slot.name, [])]
        found = [f for f in read if f.value and stands(said, f)]
        return [f._replace(span=span) for f in found[-1:]]

    def _answered(self, slot: Slot, answer: Answer | None, draft: Draft) -> list[Found]:
        """The reply to a question for this slot, or the choice between its candidates."""
        if answer is None:
            return []
        held = draft.state.slots.values.get(slot.name)
        value = answer.value.lower() if slot.lower else answer.value
        if held and value in held.candidates:
            return [Found(value, answer.span, "answer.choice")]
        if (taught := self._lessons.answered(slot, draft.reading, answer)) is not None:
            return [taught]
        if not answer.question.about or answer.question.about not in (slot.asked, *slot.answers):
            return []
        if slot.topic is not None and any(isinstance(event, ReferenceResolved) for event in draft.events):
            return []  # "tell me about the first" looks for nothing new
        if slot.answer is None:
            return [Found(answer.value, answer.span, f"answer.{slot.asked}")]
        read = slot.answer(draft.reading, answer)
        return [read] if read is not None else []

    def _accepted(self, slot: Slot, draft: Draft) -> list[Found]:
        """What the agent just offered, when the person says yes to it."""
        offer = draft.state.slots.offers.get(slot.name)
        if offer is None or draft.ago(offer.version) > 1:
            return []
        yes = draft.reading.first("yes", "accepts")
        if yes is None or draft.reading.has("no"):
            return []
        held = draft.state.slots.values.get(slot.name)
        if held is not None and _one_in_other_words(draft.reading.reader, offer, held):
            return []  # "4 people, right?" confirms "four"
        return [Found(offer.value, yes.span, "offer.accepted", offer.canonical)]

    def _there(self, slot: Slot, draft: Draft) -> list[Found]:
        """ "A flight there": the goal of a journey is the newest place that any other slot holds."""
        if slot.asked != "to" or not draft.reading.has("goes_there"):
            return []
        values = draft.before.slots.values
        since = values[slot.name].version if slot.name in values else 0
        places = [value for name, value in values.items() if name != slot.name and value.canonical]
        newest = max(places, key=lambda value: value.version, default=None)
        if newest is None or newest.version <= since:
            return []
        cue = draft.reading.all("goes_there")[0]
        return [Found(newest.value, cue.span, cue.id, newest.canonical)]

    def _take(self, slot: Slot, stands: list[Found], draft: Draft) -> Iterator[Event]:
        if slot.many:
            yield from self._gather(slot, stands, draft)
            return
        newest, kept = stands[-1], kept_value(slot, stands[-1])
        held = draft.state.slots.get(slot.name)
        if held and slot.joins is not None:
            kept = slot.joins(draft.reading, kept, held)
        options = _options(slot, stands)
        if slot.topic is not None:
            yield from self._turn(slot.topic(kept), draft)
        made = SlotSet(
            slot=slot.name,
            value=kept,
            old=held,
            source=draft.source,
            canonical=newest.canonical,
            candidates=options,
            own=newest.own if newest.own != kept else "",
            because=draft.cause(newest.rule, newest.span),
        )
        yield from stated(draft, made, slot.remembered) if slot.remembered else (made,)
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
        items = tuple(dict.fromkeys((*before, *(kept_value(slot, f) for f in stands))))[-MANY:]
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
        """ "Not Anna, Hanna": a correction sets the slot whose value it names, unless the message did; and where it
        names none ("no, Austin", "I meant Hanna"), the one of a moment ago that it can be a value of."""
        reading = draft.reading
        for cue in reading.all("correction"):
            if "new" not in cue.groups:
                continue
            new = trimmed(reading, cue.groups["new"])
            old = reading.words(trimmed(reading, cue.groups["old"])) if "old" in cue.groups else ""
            held = [(s, v) for s in self.slots if s.name not in learned and (v := _held(draft, s.name)) and not s.many]
            if old:
                named = [slot for slot, value in held if value.value.lower() == old.lower()]
                fitting = [(slot, Found(reading.words(new), new, cue.id)) for slot in named if new[1] - new[0] <= 60]
            else:
                recent = [slot for slot, value in held if 0 < draft.ago(value.version) <= 2 and not learned]
                fitting = [(slot, one) for slot in recent if (one := _given_anew(reading, slot, cue, new)) is not None]
            known = [one for one in fitting if one[1].canonical] if len(fitting) > 1 else fitting
            if known and (old or len(known) == 1):
                yield from self._take(known[0][0], [known[0][1]], draft)
                return

    def say(self, draft: Draft) -> Iterator[Event]:
        """What an agent offers or wants confirmed can be taken with a yes. What it states changes nothing."""
        assert isinstance(draft.message, MessageSaid)
        asked = draft.reading.find(questions)
        if draft.reading.has("confirming"):
            asked = [*asked, *_confirmed(draft.reading)]
        taught = self._lessons.found(draft.reading) if asked else {}
        for slot in self.slots if asked else ():
            read = [*_read(slot, draft.reading), *taught.get(slot.name, [])]
            found = [f for f in read if not _NAME_GOES_ON.match(draft.reading.text, f.span[1])]
            found = [f for f in found if any(a <= f.span[0] < b for a, b in asked)]
            values = {kept_value(slot, f).lower() for f in found}
            if len(values) == 1 and not slot.many and kept_value(slot, found[-1]) != draft.state.slots.get(slot.name):
                offered = found[-1]
                because = draft.cause(offered.rule, offered.span)
                yield SlotOffered(
                    slot=slot.name, value=kept_value(slot, offered), canonical=offered.canonical, because=because
                )

    def context(self, draft: Draft) -> Iterable[Item]:
        values = draft.state.slots.values
        return [
            Item(
                slot.key,
                slot.told.format(values[slot.name].value),
                keep=slot.keep,
            )
            for slot in self.slots
            if slot.name in values
        ]

    def forbid(self, action: Action, reading: Reading, state: State) -> Iterable[Violation]:
        """An agent does not ask for what was already given, unless that is open."""
        if not state.slots.values:
            return
        asked = _asked(reading)
        taught = self._lessons.asked_in(reading)
        for slot in self.slots:
            held = state.slots.values.get(slot.name)
            if held and (slot.asked in asked or slot.name in taught) and not held.candidates:
                why = said("guard.slot", slot=slot.name, value=held.value)
                yield Violation("slots.known", said=why)

    def clears(self, state: State) -> Iterable[str]:
        return [slot.name for slot in self.slots if slot.name in state.slots.values]

    def clear(self, draft: Draft, what: str | None, index: int | None) -> Iterator[Event]:
        if what in self._attributes and what in draft.state.slots.values:
            yield Cleared(what=what)  # that somebody cleared it; the facts behind it end below
        if what is not None:
            yield from self._cleared(what, draft)


def _read(slot: Slot, reading: Reading) -> Iterable[Found]:
    return slot.read(reading) if slot.read is not None else ()


def _overlaps(one: Found, others: list[Found]) -> bool:
    return any(overlap(one.span, other.span) for other in others)


def _one_in_other_words(reader: Reader, offer: Offer, held: Value) -> bool:
    if offer.canonical and held.canonical:
        return offer.canonical == held.canonical
    return means_same(reader, offer.value, held.value)


def _same(found: Found, held: Value) -> bool:
    return fold(found.value) == fold(held.value) or bool(found.canonical and found.canonical == held.canonical)


def _asked(reading: Reading) -> set[str]:
    """What an agent asks for: in a question, or by a plain "please tell me". "Shall I send it to your email?" asks for
    leave, not for the address."""
    cues = list(reading.all("asks_for"))
    for start, end in reading.find(questions):
        offer = min((cue.start for cue in reading.all("offers_to") if start <= cue.start < end), default=end)
        cues += [cue for cue in reading.all("asks") if start <= cue.start < offer]
    return {cue.means for cue in cues}


def _held(draft: Draft, name: str) -> Value | None:
    """What a slot shows, with its version only where it was said in this conversation."""
    value: Value | None = draft.state.slots.values.get(name)
    found = find(draft.state, value.fact) if value is not None and value.fact else None
    if value is None or found is None or found[1].session in ("", draft.origin):
        return value
    return msgspec.structs.replace(value, version=0)


def _given_anew(reading: Reading, slot: Slot, cue: Cue, new: Span) -> Found | None:
    """A value that is all there is to a correction, read as a reply to the question for the slot. Only "I meant …"
    leaves no doubt that it is one; else it must be a known place or a name."""
    if slot.answer is None:
        return None
    given = Answer(Question("", "", slot.asked, "text", 0), reading.words(new), new, 0)
    found = slot.answer(reading, given)
    if found is None or idle(reading, found):
        return None
    whole = found.span[1] == new[1] and found.span[0] - new[0] <= 4
    sure = cue.means == "meant" or found.canonical or (slot.named and reading.text[new[0]].isupper())
    return found._replace(rule=cue.id) if whole and sure else None


def _own(slot: Slot, answers: tuple[Answer, ...]) -> Answer:
    """Of the answers in a message the one to the question for this slot; else the newest."""
    if len(answers) > 1:
        for answer in answers:
            if answer.question.about and answer.question.about in (slot.asked, *slot.answers):
                return answer
    return answers[-1]


def _confirmed(reading: Reading) -> list[Span]:
    """The sentences that ask for a confirmation, and what follows them."""
    cues = reading.all("confirming")
    return [(start, end) for start, end in reading.find(sentences) if any(cue.start < end for cue in cues)]


def _options(slot: Slot, stands: list[Found]) -> tuple[str, ...]:
    """What may have been meant, when that is more than one thing."""
    if not slot.doubt:
        return ()
    meant = {(f.canonical or f.value).lower(): f.own or kept_value(slot, f) for f in stands}
    return tuple(meant.values()) if len(meant) > 1 else ()


def _either(options: tuple[str, ...], word: str) -> str:
    return f"{', '.join(options[:-1])} {word} {options[-1]}?"


def _refuse_faults(slots: tuple[Slot, ...]) -> None:
    """What is wrong with the declaration of slots by itself."""
    for slot in slots:
        if not isinstance(slot, Slot):
            raise PackError(f"{shown(slot)} is no slot; write Slot(name, label, …)")
        twin = next((other for other in slots if other is not slot and other.name == slot.name), None)
        if twin is not None:
            raise PackError(f"there are two slots called {slot.name!r}; give one of them another name")
        if (other := next((o for o in slots if o is not slot and o.key == slot.key), None)) is not None:
            raise PackError(
                f"the slots {slot.name!r} and {other.name!r} are both told as {slot.key!r}; change one label"
            )
        if not (slot.read or slot.examples or slot.asked or slot.questions or slot.meets or slot.describe):
            raise PackError(f"the slot {slot.name!r} can never get a value; give it examples, a reader or `asked`")
        if "{}" not in slot.told:
            raise PackError(
                f"the slot {slot.name!r} is told as {slot.told!r} without its value; write {{}} where it stands"
            )


def _unknown(what: str, word: str, known: Iterable[str], who: str) -> str:
    meant = nearest(word, known, near=0.7)
    hint = f"did you mean {meant!r}?" if meant else f"known are {', '.join(sorted(known)[:20])}"
    return f"{what} {word!r}, which {who}; {hint}"
