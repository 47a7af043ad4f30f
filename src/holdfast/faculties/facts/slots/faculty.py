"""Slots: named values that a pack declares, such as a place, a name or a party size.

A value holds until it is changed; a change supersedes it and keeps the old one; what an agent says never overrides what
a person said. Two values at once leave a doubt with its question. Slots that belong to a topic are set aside when
another topic begins, and come back with it. What a pack declares is in `Slot`; how values are found in text is in
`holdfast.reading` and in `readers.py`.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator

from holdfast.accepting import nearest, shown
from holdfast.errors import PackError
from holdfast.events import Cause, Cleared, DoubtRaised, Event, Refusal, Violation
from holdfast.faculties.conversation import texts
from holdfast.faculties.facts.attributes import attribute_at
from holdfast.faculties.facts.fold import FactsFaculty
from holdfast.faculties.facts.lookup import content, in_slot
from holdfast.faculties.facts.memos import ItemRetracted, Memory, Offer, SlotOffered, SlotSet, TopicChanged, Value
from holdfast.faculties.facts.slots.arbiter import Claim, Right, arbitrate, claim
from holdfast.faculties.facts.slots.sifting import given_up, let_go_of, meant_of, outside_names, stands
from holdfast.faculties.facts.slots.teaching import Lessons
from holdfast.faculties.facts.slots.values import Cued, Found, Slot, Slots, kept_value
from holdfast.faculties.facts.slots.view import seen, stated
from holdfast.faculties.facts.whose import asked_of_others
from holdfast.faculties.questions.pending import Answer, Question, QuestionDropped, all_answered, waiting
from holdfast.faculty import Action, Draft, Item
from holdfast.reading.asking import questions
from holdfast.reading.kinds import means_same
from holdfast.reading.reader import Cue, Reader, Reading, Span, begins_in, touches
from holdfast.reading.standing import meant, repairs, standing
from holdfast.reading.text import fold
from holdfast.reading.values import trimmed
from holdfast.state import State
from holdfast.telling import listed, said

DESCRIBED = 0.35
"""Chance from which words are taken as what a description asks for."""
MAX_ITEMS = 8
"""Values of a slot that holds several."""
MAX_CORRECTION_CHARS = 60
"""Characters of a value that a correction gives."""
REFUSED = 8
"""Values of one message that are told as not learned; a pasted log has hundreds."""
_NAME_GOES_ON = re.compile(r" [A-Z][a-z]")
"""After a value in an agent's offer: "SFO" in "SFO International Airport" is a part of a longer name."""
Claims = dict[tuple[str, bool], list[Found]]
"""What slots get of a message, by their name and whether it is the reply to a question for them."""


class SlotsFaculty(FactsFaculty):
    name = "slots"
    words = ("holdfast.faculties.facts/slots", "holdfast.reading/places", "holdfast.reading/dates")

    def __init__(self, *slots: Slot) -> None:
        self.slots = slots
        _refuse_faults(slots)
        self._lessons = Lessons(slots)
        self._in_turn = sorted(slots, key=lambda slot: (not slot.named, slot.topic is None, slot.name))
        """Names first, then the slot that sets the topic, because a new topic sets other values aside."""
        self._labels = {slot.name: slot.key for slot in slots}
        self._topical = tuple(slot.name for slot in slots if not slot.survives)
        self._attributes = {slot.name: slot.remembered for slot in slots if slot.remembered}
        self._scopes = {slot.name: slot.scope for slot in slots}
        self._shown: tuple[list[Memory | None], Slots] = ([None] * 3, Slots())

    def described(self) -> dict[str, str]:
        return {slot.name: slot.describe for slot in self.slots if slot.describe}

    def view(self, state: State) -> Slots:
        """What the slots show of the facts. Worked out once for as long as they stay the same."""
        (session, project, user), shown = self._shown
        now = [one.slices.get("memory") if one else None for one in (state.session, state.project, state.user)]
        if now[0] is not session or now[1] is not project or now[2] is not user:
            shown = seen(state, self._attributes, tuple(slot.name for slot in self.slots))
            self._shown = now, shown
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
        reading = draft.reading
        if reading.has("forgets"):
            yield from self._forgotten(draft)
        claims = self._claimed(draft)
        # values that are not in the words themselves; most messages have none of them
        implied = any((all_answered(draft.state), reading.has("yes", "accepts", "goes_there", "contrast")))
        # a slot whose words are there comes before one that only infers its value
        for slot in sorted(self._in_turn, key=lambda slot: (slot.name, False) not in claims):
            held = slot.name in draft.state.slots.values
            if implied or (slot.name, False) in claims or (held and (slot.many or slot.drops is not None)):
                yield from self._hear(slot, claims, draft)
        for cue in reading.all("correction"):
            yield from self._renamed(draft, cue, claims)

    def _claimed(self, draft: Draft) -> Claims:
        """What each slot may take for its value, in the words of the message and as a reply: every word once."""
        reading, answers, lessons = draft.reading, all_answered(draft.state), self._lessons
        taught = lessons.found(reading, lessons.asked(reading.reader, draft.before)) if lessons.given else {}
        claims: list[Claim] = []
        for slot in self.slots:
            found, right = self._found(slot, draft, taught.get(slot.name, []))
            own = all(one.firm for one in found)
            reply = self._answered(slot, _own(slot, answers), draft) if answers and own else None
            if reply is not None and slot.gives_way(draft, reply):
                found = []  # a reply is better known than words that are only kept as they are
                claims.append(claim(reading, slot, reply, _right_of_reply(slot, reply), reply=True))
            claims += [claim(reading, slot, one, Right.OWN if one.firm else right) for one in found]
        stand: Claims = {}
        for one in arbitrate(reading, claims) if claims else ():
            stand.setdefault((one.slot.name, one.reply), []).append(one.found)
        return stand

    def _hear(self, slot: Slot, claims: Claims, draft: Draft) -> Iterator[Event]:
        found, reply = claims.get((slot.name, False), []), claims.get((slot.name, True), [])
        if gone := given_up(slot, found, draft) if slot.many else []:
            yield from self._without(slot, gone, draft)
            found = [one for one in found if not begins_in(one.span[0], [span for span, _ in gone])]
        taken = meant_of(draft.reading, slot, found)
        for refused in [f for f in found[: REFUSED + len(taken)] if f not in taken]:
            yield from self._refused(slot, refused, draft)
        if not taken:
            accepted, there = self._accepted(slot, draft), self._there(slot, draft)
            taken = next(filter(None, (self._meant(slot, found, draft.reading), reply, accepted, there)), [])
        if taken:
            yield from self._take(slot, taken, draft)
        elif not slot.many:  # who gives up one of several keeps the others
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
        if held and slot.drops is not None and (spans := slot.drops(draft)):
            yield from self._cleared(slot.name, draft, draft.cause("forgets.value", spans[0]))
            return
        ends = let_go_of(draft.reading)
        for gone in found:
            if held and _same(gone, held) and any(0 <= gone.span[0] - end <= 1 for end in ends):
                yield from self._cleared(slot.name, draft, draft.cause("forgets.value", gone.span))
                return

    def _found(self, slot: Slot, draft: Draft, taught: list[Found]) -> tuple[list[Found], Right]:
        """The values of a slot in a message, and how good its right to them is."""
        found, right = _read(slot, draft.reading, taught), Right.NAMED if slot.named else Right.READ
        if slot.hears is not None:
            found = slot.hears(draft, found)
        if found:
            found = outside_names(slot, found, draft)
        if not found and slot.meets is not None:
            found, right = list(slot.meets(draft.reading, draft.state)), Right.GUESSED
        if not found and slot.describe:
            found = self._by_description(slot, draft)
        return [f for f in found if slot.gives_way(draft, f)], right

    def _by_description(self, slot: Slot, draft: Draft) -> list[Found]:
        """What the encoder finds for the slot's description."""
        value = draft.described(slot.name)
        if value is None or value.chance < DESCRIBED:
            return []
        span = trimmed(draft.reading, (value.start, value.end))
        return [Found(draft.reading.words(span), span, "encoder.described")]

    def _refused(self, slot: Slot, refused: Found, draft: Draft) -> Iterator[Event]:
        flags = draft.reading.find(standing).of(refused.span)
        what = said("slot.is", slot=slot.name, value=refused.value)
        reason = listed(said("kind", kind=flag) for flag in sorted(flags) or ("replaced",))
        yield Refusal(what=what, reason=reason, because=draft.cause(refused.rule, refused.span))

    def _without(self, slot: Slot, gone: list[tuple[Span, str]], draft: Draft) -> Iterator[Event]:
        """A slot that holds several values, without those that are given up."""
        items = draft.state.slots.values[slot.name].items
        rest = tuple(item for item in items if item not in {value for _, value in gone})
        why = draft.cause("slots.given_up", gone[0][0])
        yield from (_several(slot, rest, draft, why),) if rest else self._cleared(slot.name, draft, why)

    def _cleared(self, name: str, draft: Draft, because: Cause | None = None) -> Iterator[Event]:
        """What a slot shows is let go: for the talk, or, where it is a fact, for good."""
        held = draft.state.slots.values.get(name)
        if held is None:
            return
        if name not in self._attributes:
            yield Cleared(what=name, scope=self._scopes.get(name, "session"), because=because)
            return
        for scope, memo in in_slot(draft.state, name, self._attributes[name]):
            yield ItemRetracted(id=memo.id, label=memo.told, why="taken back", scope=scope, because=because)

    def _meant(self, slot: Slot, found: list[Found], reading: Reading) -> list[Found]:
        """The value of a message as it was meant: after "we'll be five, no wait, six", six."""
        repaired = [repair.repair for repair in reading.find(repairs)]
        said = meant(reading) if reading.has("contrast") or (found and repaired) else reading
        if said is reading:
            return []
        span = repaired[-1] if repaired else reading.all("contrast")[0].groups["new"]
        read = _read(slot, said, self._lessons.found(said).get(slot.name, []))
        return [f._replace(span=span) for f in read if stands(said, f)][-1:]

    def _answered(self, slot: Slot, answer: Answer, draft: Draft) -> Found | None:
        """The reply to a question for this slot, or the choice between its candidates."""
        held = draft.state.slots.values.get(slot.name)
        value = answer.value.lower() if slot.lower else answer.value
        if held and value in held.candidates:
            return Found(value, answer.span, "answer.choice")
        if self._lessons.given and (taught := self._lessons.answered(slot, draft.reading, answer)) is not None:
            return taught
        if not _asks_for(slot, answer.question):
            return None
        if slot.remembered and _of_something_else(slot, answer, draft):
            return None
        if slot.answer is None:
            return Found(answer.value, answer.span, f"answer.{slot.asked}")
        return slot.answer(draft.reading, answer)

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
            topic = slot.topic(kept)
            if topic != draft.state.slots.topic:
                yield TopicChanged(topic=topic, slots=self._topical)
        made = SlotSet(
            slot=slot.name,
            value=kept,
            old=held,
            source=draft.source,
            canonical=newest.canonical,
            candidates=options,
            own=newest.own if newest.own != kept else "",
            scope=slot.scope,
            because=draft.cause(newest.rule, newest.span),
        )
        yield from stated(draft, made, slot.remembered)
        if options:
            asked = f"{', '.join(options[:-1])} {texts(draft, 'choice')['word']} {options[-1]}?"
            because = draft.cause("slots.doubt", newest.span)
            yield DoubtRaised(about=slot.name, question=asked, candidates=options, because=because)
        for question in waiting(draft.state, slot.asked) if slot.asked else ():
            yield QuestionDropped(id=question.id)

    def _gather(self, slot: Slot, stands: list[Found], draft: Draft) -> Iterator[Event]:
        held = draft.state.slots.values.get(slot.name)
        before = held.items if held else ()
        items = tuple(dict.fromkeys((*before, *(kept_value(slot, f) for f in stands))))[-MAX_ITEMS:]
        if items != before:
            yield _several(slot, items, draft, draft.cause(stands[-1].rule, stands[-1].span))

    def _renamed(self, draft: Draft, cue: Cue, claims: Claims) -> Iterator[Event]:
        """ "Not Anna, Hanna": a correction sets the slot that held the value which it names, where its words are not
        another one's: "switch the museum to 6 people"."""
        values = draft.state.slots.values
        old, new = (trimmed(draft.reading, cue.groups.get(part, (0, 0))) for part in ("old", "new"))
        named, words = fold(draft.reading.words(old)), draft.reading.words(new)
        for slot in self.slots if 0 < len(words) <= MAX_CORRECTION_CHARS else ():
            held = values.get(slot.name)
            if not held or touches(new, _of_others(slot, claims)):
                continue
            if draft.ago(held.version) and not slot.many and fold(held.value) == named:
                yield from self._take(slot, [Found(words, new, cue.id)], draft)

    def say(self, draft: Draft) -> Iterator[Event]:
        """What an agent offers or wants confirmed can be taken with a yes. What it states changes nothing."""
        asked = draft.reading.find(questions)
        taught = self._lessons.found(draft.reading) if asked else {}
        for slot in self.slots if asked else ():
            found = _read(slot, draft.reading, taught.get(slot.name, []))
            offered = _offered(draft.reading, slot, found, asked)
            if offered is not None and kept_value(slot, offered) != draft.state.slots.get(slot.name):
                value, because = kept_value(slot, offered), draft.cause(offered.rule, offered.span)
                yield SlotOffered(slot=slot.name, value=value, canonical=offered.canonical, because=because)

    def context(self, draft: Draft) -> Iterable[Item]:
        values = draft.state.slots.values
        told = ((slot, values[slot.name].value) for slot in self.slots if slot.name in values)
        return [Item(self._labels[slot.name], slot.told.format(value), keep=slot.keep) for slot, value in told]

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


def _read(slot: Slot, reading: Reading, taught: list[Found]) -> list[Found]:
    """The values that a text has in its words, by the slot's reader and its examples."""
    woken = not slot.wakes or reading.has(*slot.wakes)
    found = [one for one in slot.read(reading) if one.value] if woken and slot.read else []
    spans = [one.span for one in found]
    more = [one for one in taught if not touches(one.span, spans)]
    return sorted([*found, *more], key=lambda one: one.span) if more else found


def _of_others(slot: Slot, claims: Claims) -> list[Span]:
    """The words that other slots take."""
    return [one.span for (name, _), found in claims.items() if name != slot.name for one in found]


def _right_of_reply(slot: Slot, reply: Found) -> Right:
    if slot.named:
        return Right.NAMED
    sure = reply.canonical or reply.value.isdigit() or reply.rule == "answer.choice"
    return Right.ASKED if sure else Right.GUESSED


def _several(slot: Slot, items: tuple[str, ...], draft: Draft, because: Cause) -> SlotSet:
    """The values of a slot that holds several."""
    old, value = draft.state.slots.get(slot.name), ", ".join(items)
    return SlotSet(slot=slot.name, value=value, old=old, items=items, source=draft.source, because=because)


def _offered(reading: Reading, slot: Slot, found: list[Found], asked: list[Span]) -> Found | None:
    """The one value that an agent's questions name for a slot."""
    named = [f for f in found if any(start <= f.span[0] < end for start, end in asked)]
    whole = [f for f in named if not _NAME_GOES_ON.match(reading.text, f.span[1])]
    values = {kept_value(slot, f).lower() for f in whole}
    return whole[-1] if len(values) == 1 and not slot.many else None


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


def _of_something_else(slot: Slot, answer: Answer, draft: Draft) -> bool:
    """Whether a reply is none to the question for what is known of the person: "What's your wife's name?", "Where do
    you work?" of a slot for where one lives."""
    given = attribute_at(draft, answer.span) if content(draft.reading.reader, answer.question.text) else None
    other = given is not None and given.attribute != slot.remembered
    return other or bool(asked_of_others(draft.reading, answer.question.text))


def _asks_for(slot: Slot, question: Question) -> bool:
    return bool(question.about) and question.about in (slot.asked, *slot.answers)


def _own(slot: Slot, answers: tuple[Answer, ...]) -> Answer:
    """Of the answers in a message the one to the question for this slot; else the newest."""
    return next((answer for answer in answers if _asks_for(slot, answer.question)), answers[-1])


def _options(slot: Slot, stands: list[Found]) -> tuple[str, ...]:
    """What may have been meant, when that is more than one thing."""
    if not slot.doubt:
        return ()
    meant = {(f.canonical or f.value).lower(): f.own or kept_value(slot, f) for f in stands}
    return tuple(meant.values()) if len(meant) > 1 else ()


def _refuse_faults(slots: tuple[Slot, ...]) -> None:
    """Raise for slots that are declared wrongly."""
    for slot in slots:
        if not isinstance(slot, Slot):
            raise PackError(f"{shown(slot)} is no slot; write Slot(name, label, …)")
        for other in slots[: slots.index(slot)]:
            if other.name == slot.name:
                raise PackError(f"there are two slots called {slot.name!r}; give one of them another name")
            if other.key == slot.key:
                both = f"{other.name!r} and {slot.name!r}"
                raise PackError(f"the slots {both} are both told as {slot.key!r}; change one label")
        if not any((slot.read, slot.examples, slot.asked, slot.questions, slot.meets, slot.describe)):
            raise PackError(f"the slot {slot.name!r} can never get a value; give it examples, a reader or `asked`")
        if "{}" not in slot.told:
            raise PackError(
                f"the slot {slot.name!r} is told as {slot.told!r} without its value; write {{}} where it stands"
            )


def _unknown(what: str, word: str, known: Iterable[str], who: str) -> str:
    meant = nearest(word, known, near=0.7)
    hint = f"did you mean {meant!r}?" if meant else f"known are {', '.join(sorted(known)[:20])}"
    return f"{what} {word!r}, which {who}; {hint}"
