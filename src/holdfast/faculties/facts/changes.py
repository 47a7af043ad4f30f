"""What a message puts in the place of something said before, however it is worded.

A correction mostly says a new value and little else: "no, actually MySQL", "Saturday instead", "oops typo, John". What
it changes is whatever holds a value of that type: an answer, a fact or a decision, the newest first. Words without a
type change what they name ("not X, Y") or what was said a moment ago, and never what could do harm, so small talk
overwrites nothing. Everything that held the old value changes with it: there is one truth.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from operator import attrgetter
from typing import NamedTuple

from holdfast.events import Event, Reread
from holdfast.faculties.facts.answers import LONGEST
from holdfast.faculties.facts.lookup import (
    Place,
    answers_in,
    content,
    in_slot,
    types_of,
    with_types,
    with_value,
    with_words,
)
from holdfast.faculties.facts.memos import CorrectionHeard, DisputeOpened, ItemConfirmed, ItemLearned, change
from holdfast.faculties.facts.moving import other_date
from holdfast.faculties.facts.relations import Memo, same, slot_kind
from holdfast.faculties.facts.slots.view import value_set
from holdfast.faculties.facts.taking_back import NOT_SAID, denied, known_before, last_written, said_plainly
from holdfast.faculties.facts.writing import NEAR, decide, new_id, thing_and_values, told_now, write
from holdfast.faculties.questions.pending import all_answered, just_asked
from holdfast.faculty import Draft
from holdfast.reading.asserting import Statement, asserted
from holdfast.reading.kinds import TIMES, fits_type, typed_part, typed_spans, value_types, with_count
from holdfast.reading.model.clauses import Clause
from holdfast.reading.model.tokens import Token, tokens_of
from holdfast.reading.reader import Reading, Span, overlap
from holdfast.reading.replying import chosen, only_points, orders, says, wrong_kind
from holdfast.reading.standing import LONG, standing
from holdfast.reading.text import fold
from holdfast.reading.values import trimmed

CHANGING = frozenset({"corrects", "returns"})
SURELY, SURE = 8, 16
"""Leads from which a clause surely changes something, and a value is surely of its attribute."""
HEARD = 0.5
"""Chance from which the encoder is believed that something changes."""
LATELY = 8
"""Rows of the log within which a value may be changed without a word that says so."""
UNCLEAR = 24
"""Lead of an act below which a clause may do something else."""
SHORT = 7
"""Words of a message that says a new value and little else."""
MOST = 24
"""Corrections of one message that are followed."""
LONGER = 2
"""Words by which a value may be longer than the one whose place it takes."""
_GIVING = frozenset({"answers", "chooses", "requests", "corrects", "returns", "rejects"})
"""Acts by which a bare value may take the place of an answer."""
_PLAIN = frozenset(
    "sorry no_wait meant make_that rather no_comma second_thought i_mean trailing starred star_after instead".split()
)
"""Corrections that bring nothing but the value; "actually, …" may go on with anything."""
_ANEW = frozenset("meant i_mean trailing second_thought starred star_after".split())
"""Corrections that say a value once more, and nothing else."""
_ASKED = frozenset({"make_that", "rather", "instead"})
"""Corrections that hold also where they are asked for: "could you make it 5 people?"."""
_TYPO = 0.34
"""Share of letters that may differ between a word and its correction."""


class Candidate(NamedTuple):
    """Words that could be a new value."""

    words: str
    span: Span
    types: frozenset[str]
    old: str = ""
    """The value that it is said to replace."""
    plain: bool = False
    """Whether nothing but the value is said."""
    slot: str = ""
    """The slot that keeps what it is likely a value of."""
    means: str = ""
    """How it is said, as the table of corrections declares it."""
    rule: str = "talk.changes"


def changed(draft: Draft) -> Iterator[Event]:
    """The changes of this message that nobody has read yet, and what follows from those that somebody has."""
    if any(isinstance(event, DisputeOpened) for event in draft.events):
        return  # which value holds is being asked
    answers = any(isinstance(event, ItemLearned) and event.item.question for event in draft.events)
    read = _read_already(draft)
    if read is None and not answers:  # what answers a question of its own changes no other answer
        yield from corrected(draft)
        read = _read_already(draft)
    if read is None:
        found = _found_by_act(draft) if known_before(draft) and not answers else None
        if found is None:
            yield from _put_right(draft)
            return
        memo, new = found
        yield from _rewrite(draft, memo, new)
        read = memo.value, new.words
    if read is None:
        return
    old, now = read
    if not same(draft.reading.reader, now, old):
        for memo in _holders(draft, with_value(draft.state, draft.reading.reader, old)):
            yield from _rewrite(draft, memo, Candidate(now, (0, 0), frozenset()))


def corrected(draft: Draft) -> Iterator[Event]:
    """What a message puts right in so many words: by what it denies, or by words that correct."""
    if not known_before(draft) or all_answered(draft.state):
        return
    found = _found_cued(draft) or _found_denied(draft)
    if found is not None:
        yield from _rewrite(draft, *found)


def answers_changed(draft: Draft) -> Iterator[Event]:
    """What a correction makes of an answer that was given in this conversation. Looked at before anything else is read:
    "not black" is a colour then, and no formatter."""
    answers = all_answered(draft.state)
    if not draft.reading.has("correction") or (answers and answers[-1].yes is None):
        return  # a message that answers in words is taken up by that; after a yes, something may be changed
    if any(value_set(event) is not None for event in draft.events):
        return
    known = [memo for memo in _holders(draft, answers_in(draft.before)) if _here(draft, memo)]
    near = 0 if just_asked(draft.before) else NEAR
    for new in cued(draft):
        for place, memo in enumerate(known):
            at_hand = place == 0 and draft.ago(memo.version) <= near
            found = _in_place(draft, memo, new, at_hand)
            if found is not None and (at_hand or new.old or _belongs(draft, memo, new)):
                yield from _rewrite(draft, memo, found)
                return


def _belongs(draft: Draft, memo: Memo, new: Candidate) -> bool:
    """Whether words belong to a question that was answered before the last one: they take another of its options, or
    name what it asks for ("5 people", "for how many people?")."""
    reader = draft.reading.reader
    asked = not content(reader, memo.question).isdisjoint(content(reader, draft.reading.text[new.span[0] :]))
    return bool(memo.details.get("options")) or (asked and "number" in new.types)


def cued(draft: Draft) -> list[Candidate]:
    """The new values of a message by the words that correct: "not X but Y", "I meant Y", "Y instead"."""
    return draft.find(_cued)


def _cued(draft: Draft) -> list[Candidate]:
    reading, made = draft.reading, []
    for cue in reading.all("correction")[:MOST]:
        place = cue.groups.get("new")
        if place is None or not asserted(reading, cue, place, negative=True, asks=cue.means in _ASKED):
            continue
        if cue.means not in _ASKED and "question" in reading.find(standing).of(place):
            continue  # "wait, what about the second one?"
        if cue.means == "no_comma" and not set(reading.folded[cue.start : place[0]]) & set(",.!-;:"):
            continue  # "no onions" refuses, "no, onions" corrects
        new = _after_prep(reading, trimmed(reading, place))
        old = reading.words(trimmed(reading, cue.groups["old"])) if "old" in cue.groups else ""
        new = _like(reading, new, cue.groups["old"]) if old else new
        if new[1] > new[0] and fold(old) not in reading.phrases("memory", "not_old"):
            words = reading.words(new)
            types = value_types(reading.reader, words)
            if _no_value(draft, new, types):
                continue
            alone = _tool(types) and cue.span == (0, len(reading.text.rstrip(" .!")))  # "actually rabbitmq"
            plain = cue.means in _PLAIN or alone or all(word[:1].isupper() for word in words.split())
            made.append(Candidate(words, new, types, old, plain and not old, "", cue.means, cue.id))
    return made


def _like(reading: Reading, new: Span, old: Span) -> Span:
    """The part of a new value that is of the type of the old one: the day of "the deadline is Thursday, not Friday"."""
    spans = reading.find(typed_spans)
    held = {one.type for one in spans if one.type in TIMES and overlap(one[:2], old)}
    return next((one[:2] for one in spans if one.type in held and overlap(one[:2], new)), new)


def _no_value(draft: Draft, span: Span, types: frozenset[str]) -> bool:
    """Whether words after a correction are none of its values: they are to be forgotten, or the clause gives others."""
    clause = next((one for one in draft.clauses if one.start <= span[0] < one.end), None)
    if clause is None:
        return False
    if clause.act == "retracts" and clause.lead >= SURELY:
        return True
    given = [(value.start, value.end) for value in clause.values]
    return bool(given) and not types and not any(overlap(span, one) for one in given)


def _after_prep(reading: Reading, span: Span) -> Span:
    """ "Austin" of "no, in Austin"."""
    first, _, rest = reading.folded[slice(*span)].partition(" ")
    return (span[1] - len(rest), span[1]) if rest and first in reading.phrases("repair", "prep") else span


def _in_place(draft: Draft, memo: Memo, new: Candidate, at_hand: bool) -> Candidate | None:
    """The new value as it takes the place of a held one, or None where it cannot."""
    reading, reader = draft.reading, draft.reading.reader
    if new.old and not same(reader, new.old, memo.value):
        part = re.search(rf"(?<!\w){re.escape(new.old)}(?!\w)", memo.value, re.IGNORECASE)
        return new._replace(words=memo.value[: part.start()] + new.words + memo.value[part.end() :]) if part else None
    if options := tuple(memo.details.get("options", ())):
        taken = ", ".join(options[place] for place in chosen(reading, new.span, options))
        return new._replace(words=taken) if taken and not same(reader, taken, memo.value) else None
    return _in_place_of_all(draft, memo, new, at_hand)


def _in_place_of_all(draft: Draft, memo: Memo, new: Candidate, at_hand: bool) -> Candidate | None:
    """The new value in the place of a whole held one, or None where it is none of the kind."""
    reader, words = draft.reading.reader, _patched(new.words, memo.value)
    if not new.old and (at_hand or new.means == "meant") and (dated := other_date(reader, memo, new.words)):
        return None if same(reader, dated, memo.value) else new._replace(words=dated)
    if not new.old and len(memo.value.split()) > len(words.split()) + LONGER:
        return None  # a word takes no sentence's place
    types, held = value_types(reader, words), types_of(reader, memo.slot, memo.value)
    if types & held:
        words = typed_part(reader, words, memo.value)
    elif not (new.old and len(words.split()) <= len(memo.value.split()) + LONGER) and not (
        at_hand and new.plain and _loosely(draft, memo, new, words)
    ):
        return None
    if (types & held) <= {"name", "place"} and not new.old and not (new.plain and words == new.words):
        return None  # "actually, Paris is lovely" moves nobody
    return None if same(reader, words, memo.value) else new._replace(words=words)


def _patched(new: str, old: str) -> str:
    """ "221A" for "221B Baker Street", "4" for "2 spaces": a number put right stands where the number stood."""
    numbered = [word for word in old.split() if word[:1].isdigit()]
    if new[:1].isdigit() and " " not in new and len(numbered) == 1 and len(old.split()) > 1:
        return old.replace(numbered[0], new, 1)
    return new


def _loosely(draft: Draft, memo: Memo, new: Candidate, words: str) -> bool:
    """Whether words of another type, or of none, may stand in the place of a value that was said a moment ago: nothing
    but them is said, and they are much like it. What could do harm gives way to its like alone: "no rush" is no
    allergy."""
    reading, old = draft.reading, memo.value
    if slot_kind(reading.reader, memo.slot).vital or len(words.split()) > len(old.split()) + LONGER:
        return False
    if _says_something_else(reading, new.span, words) or _of_another_kind(reading, memo, new.span, words):
        return False
    anew = bool(memo.question) or new.means in _ANEW
    if not _names(words, new) and not (anew and (reading.text.islower() or not old[:1].isupper())):
        return False  # "no, cheaper" is no town
    return fits_type(reading.reader, words, old)


def _names(words: str, new: Candidate) -> bool:
    return words[:1].isupper() or _tool(new.types)


def _tool(types: frozenset[str]) -> bool:
    return any(kind.startswith("tool ") for kind in types)


def _says_something_else(reading: Reading, span: Span, words: str) -> bool:
    """Whether words are no bare value: small words, a sentence of one's own ("sorry, I'm late"), a wish, a denial."""
    folded = fold(words).split()
    outside = reading.phrases("trim", "ends", "starts")
    outside |= reading.phrases("memory", "pronouns", "not_new", "not_names", "weekdays")
    if not outside.isdisjoint((folded[0], folded[-1], fold(words))):
        return True
    if not reading.phrases("question", "subjects").isdisjoint(folded):
        return True
    denied = any(span[0] <= cue.start < span[1] for cue in reading.all("negation"))  # "no, I can't on Friday"
    return denied or only_points(reading, span) or orders(reading, span) or not says(reading, span)


def _of_another_kind(reading: Reading, memo: Memo, span: Span, words: str) -> bool:
    """Whether words cannot be what was asked for; a day or a number takes the place of its like alone."""
    typed = any(overlap((one.start, one.end), span) and one.type != "place" for one in reading.find(typed_spans))
    if typed or wrong_kind(reading, span, str(memo.details.get("about", ""))):
        return True
    return any(map(str.isdigit, memo.value)) and not any(map(str.isdigit, words))


def _reread(draft: Draft) -> Reread | None:
    """What the encoder makes of the message: asked where something known could change."""
    return draft.reread if draft.doubting and draft.find(_may_change) else draft.reread_already


def _may_change(draft: Draft) -> bool:
    """Whether something said of late holds a value of a type that an unclear clause says; where the message says that
    it corrects, anything that is known."""
    reading = draft.reading
    if not known_before(draft) or reading.has("correction"):
        return known_before(draft)
    unclear = [clause for clause in draft.clauses if clause.act in _GIVING and clause.lead < UNCLEAR]
    words = [token for token in reading.find(tokens_of) if token.start < LONG and token.shape != "."]
    said = [reading.words((w.start, w.end)) for w in words if any(c.start <= w.start < c.end for c in unclear)]
    types = {kind for word in said for kind in value_types(reading.reader, word)} - {"name"}
    held = with_types(draft.state, reading.reader, types)
    return any(
        not told_now(draft, memo) and draft.ago(memo.version) <= LATELY and _here(draft, memo) for _, memo in held
    )


def _put_right(draft: Draft) -> Iterator[Event]:
    """A change where nothing known holds the old value: it is told, and nothing is written."""
    yield from _put_right_by_act(draft)
    if any(isinstance(event, (ItemLearned, ItemConfirmed, CorrectionHeard)) for event in draft.events):
        return
    for new in cued(draft):
        if (new.old or new.means == "meant") and not _does_another_thing(draft, new.span):
            yield CorrectionHeard(new=new.words, old=new.old, because=draft.cause(new.rule, new.span))
            return
    told = _reread(draft)
    if told is not None and told.changed >= HEARD and told.new:
        words = draft.reading.words
        old = words((told.old[0].start, told.old[0].end)) if told.old else ""
        for value in told.new:
            span = (value.start, value.end)
            yield CorrectionHeard(new=words(span), old=old, because=draft.cause("encoder.change", span))


def _put_right_by_act(draft: Draft) -> Iterator[Event]:
    """The values that clauses give which surely correct something: of a message that puts itself right, the last."""
    reading, flags = draft.reading, draft.reading.find(standing)
    for clause in draft.clauses:
        if clause.act in CHANGING and clause.lead >= SURELY:
            old = " ".join(reading.words((one.start, one.end)) for one in clause.values if not one.positive)
            over = {(one.start, one.end) for one in clause.values if not one.positive}
            for new in _candidates(draft, clause):
                if new.span not in over and flags.of(new.span).isdisjoint(NOT_SAID):
                    yield CorrectionHeard(new=new.words, old=old, because=draft.cause("talk.changes", new.span))


def _read_already(draft: Draft) -> tuple[str, str] | None:
    """The old and the new value of a change that was read before in the same message."""
    for event in draft.events:
        if isinstance(event, ItemLearned) and event.item.replaces:
            closed = draft.state.stream(event.scope).slices["memory"].closed  # type: ignore[union-attr]
            return next(((m.value, event.item.value) for m in closed if m.id in event.item.replaces), None)
    return None


def _holders(draft: Draft, found: Iterable[Place]) -> list[Memo]:
    """Of some items those that hold a value: what was said in this conversation first, and the newest first."""
    here = ("", draft.origin)
    held = sorted([memo for _, memo in found if memo.positive], key=attrgetter("version"), reverse=True)
    return [m for m in held if m.session in here] + [m for m in held if m.session not in here]


def _may_hold(draft: Draft, candidates: Sequence[Candidate]) -> list[Memo]:
    """What may hold the value that a new one takes the place of: of its type, named beside it, or spelt much alike."""
    state, reader = draft.state, draft.reading.reader
    types = {kind for one in candidates for kind in one.types}
    letters = {fold(one.words)[:1] for one in candidates}
    found = [*with_types(state, reader, types, letters), *with_words(state, reader, draft.reading.text)]
    return _holders(draft, {memo.id: (scope, memo) for scope, memo in found if not told_now(draft, memo)}.values())


def _here(draft: Draft, memo: Memo) -> bool:
    return memo.session in ("", draft.origin)


def _found_denied(draft: Draft) -> tuple[Memo, Candidate] | None:
    """ "Not cats, dogs": what is denied gives way to what is said beside it."""
    reader = draft.reading.reader
    for _, (_, memo) in denied(draft):
        held = content(reader, memo.value)
        found = (one for clause in said_plainly(draft) for one in _candidates(draft, clause))
        beside = [one for one in found if held.isdisjoint(content(reader, one.words))]
        new = _fits(draft, memo, beside, True, True)
        if new is None and not value_types(reader, memo.value):
            new = next((one for one in beside if not same(reader, one.words, memo.value)), None)
        if new is not None:
            return memo, new
    return None


def _found_cued(draft: Draft) -> tuple[Memo, Candidate] | None:
    """What a correction names, or what was said last where it names nothing."""
    last = last_written(draft.before) if cued(draft) else None
    for new in cued(draft):
        named = _holders(draft, _named(draft, new.old)) if new.old else []
        for memo in named or ([last] if last is not None and not new.old else []):
            if not memo.positive or told_now(draft, memo):
                continue  # what the same message tells is told as it is meant
            at_hand = _at_hand(draft, memo, new)
            found = _in_place(draft, memo, new, at_hand)
            if found is not None and (new.old or at_hand or new.means == "meant"):
                return memo, found
    return None


def _named(draft: Draft, old: str) -> list[Place]:
    """What holds a value that is said to be over, else what has it as a part: "prod is on Supabase, not rds"."""
    state, reader = draft.state, draft.reading.reader
    wanted = content(reader, old)
    parts = (place for place in with_words(state, reader, old) if wanted and wanted <= content(reader, place[1].value))
    return with_value(state, reader, old) or list(parts)


def _found_by_act(draft: Draft) -> tuple[Memo, Candidate] | None:
    """What a clause changes that corrects or returns by its act, and a short one that gives a value anew."""
    clauses = said_plainly(draft)
    says_so = _saying_so(draft, clauses)
    short = len(draft.reading.tokens) <= SHORT and all(clause.act in _GIVING for clause in clauses)
    if not says_so and not short:
        return None
    candidates: list[Candidate] = []
    for clause in says_so or clauses:
        draft.decided("talk.changes", clause.decided, (clause.start, clause.end))
        candidates += [one for one in _candidates(draft, clause) if not _told_already(draft, one)]
    sure = any(_changes(clause) and clause.lead >= SURELY for clause in says_so)
    for memo in _may_hold(draft, candidates):
        new = _given_for(draft, memo, candidates, sure, bool(says_so))
        if new is not None and _speaks_of(draft, memo, new) and (says_so or _near(draft, memo)):
            return memo, new
    return None


def _given_for(draft: Draft, memo: Memo, candidates: list[Candidate], sure: bool, says_so: bool) -> Candidate | None:
    """What is given in the place of something that was said of late or is spoken of; a date moves, and leaves the rest
    where it is."""
    lately = memo.session in ("", draft.origin) and draft.ago(memo.version) <= NEAR
    if not lately and not (says_so and _is_spoken_of(draft, memo, candidates)):
        return None
    new = _fits(draft, memo, candidates, sure, says_so)
    dated = other_date(draft.reading.reader, memo, new.words) if new is not None else ""
    return new._replace(words=dated) if new is not None and dated else new


def _is_spoken_of(draft: Draft, memo: Memo, candidates: Sequence[Candidate]) -> bool:
    """Whether an item is spoken of: by its value, here or in what the agent said last, or by what is given anew."""
    spoken_of = content(draft.reading.reader, f"{draft.asked} {draft.reading.text}")
    return content(draft.reading.reader, memo.value) <= spoken_of or any(one.slot == memo.slot for one in candidates)


def _told_already(draft: Draft, new: Candidate) -> bool:
    """Whether something was learned of a value in this message: then it is known what it is a value of."""
    learned = (event.item for event in draft.events if isinstance(event, ItemLearned))
    return any(overlap(new.span, (item.start, item.end)) for item in learned)


def _speaks_of(draft: Draft, memo: Memo, new: Candidate) -> bool:
    """Whether a change speaks of a fact: the old value is said beside the new one or by the agent just before, or the
    fact was said a moment ago and is a value and little else. Being of one type is not enough: most things that people
    put right are of the matter at hand, and none of what is known of them."""
    reader, text = draft.reading.reader, draft.reading.text
    old = content(reader, memo.value)
    if old and old <= content(reader, f"{draft.asked} {text[: new.span[0]]} {text[new.span[1] :]}"):
        return True
    if len(memo.value.split()) > len(new.words.split()) + LONGER:
        return False
    alone = bool(new.slot) and [one for _, one in in_slot(draft.state, new.slot) if one.positive] == [memo]
    return alone or _at_hand(draft, memo, new)


def _at_hand(draft: Draft, memo: Memo, new: Candidate) -> bool:
    """Whether a fact was said a moment ago and a new value may be meant for it: an amount is one of the same things,
    and the agent speaks of no other amount by now ("a table for seven?" after "I have two dogs")."""
    if not _here(draft, memo) or draft.ago(memo.version) > NEAR:
        return False
    reader = draft.reading.reader
    (thing, given), (other, values) = (thing_and_values(reader, words) for words in (new.words, memo.value))
    spoken_of = thing_and_values(reader, draft.asked)[1] if given and values and not memo.question else frozenset()
    return (not (thing and other and given and values) or bool(thing & other)) and (
        not spoken_of or not spoken_of.isdisjoint(values)
    )


def _saying_so(draft: Draft, clauses: list[Clause]) -> list[Clause]:
    """The clauses that say that they change something: by their act, by a cue, or as the encoder hears it."""
    cues = [one.span for one in cued(draft) if not _does_another_thing(draft, one.span)]
    told = _reread(draft)
    if told is not None and told.changed >= HEARD:
        cues += [(value.start, value.end) for value in told.new]
    return [one for one in clauses if _changes(one) or any(overlap((one.start, one.end), cue) for cue in cues)]


def _does_another_thing(draft: Draft, span: Span) -> bool:
    """Whether words stand in a clause that surely corrects nothing, whatever its words remind of: "not the big shop,
    the last one ate my coat"."""
    clause = next((one for one in draft.clauses if one.start <= span[0] < one.end), None)
    return clause is not None and not _changes(clause) and clause.lead >= UNCLEAR


def _changes(clause: Clause) -> bool:
    return clause.act in CHANGING or "backphrase" in clause.kinds


def _near(draft: Draft, memo: Memo) -> bool:
    """Whether a bare value may change it: an answer of a moment ago, and nothing else is asked by now."""
    asked = draft.before.session.slices.get("questions")
    waiting = asked is not None and any(q.turn == draft.before.conversation.turns for q in asked.open)
    return bool(memo.question) and _here(draft, memo) and draft.ago(memo.version) <= NEAR and not waiting


def _candidates(draft: Draft, clause: Clause) -> list[Candidate]:
    """The values that a clause may give: those that the model found, else runs of words that have a type."""
    reading = draft.reading
    attributes = reading.reader.data("memory_attributes", None)
    slots = {(one.start, one.end): str(attributes.get(one.attribute, "")) for one in clause.values if one.lead >= SURE}
    spans = [(value.start, value.end) for value in clause.values]
    if (told := _reread(draft)) is not None and told.changed >= HEARD:
        spans += [(one.start, one.end) for one in told.new if clause.start <= one.start < clause.end]
    if not spans and clause.act != "returns":  # what one returns to is often no value: "back to the model"
        spans = _typed_runs(draft, clause)
    found = []
    for span in dict.fromkeys(spans):
        text = reading.words(span).strip(" .,;:!?\"'")
        found.append(Candidate(text, span, value_types(reading.reader, text), slot=slots.get(span, "")))
    return found


def _typed_runs(draft: Draft, clause: Clause) -> list[Span]:
    """The runs of words of a clause that have a type."""
    reading = draft.reading
    words = (token for token in reading.find(tokens_of) if token.shape != ".")
    inside = [token for token in words if clause.start <= token.start < clause.end]
    run: list[Token] = []
    spans: list[Span] = []
    small = reading.reader.phrases("small", "words")
    for token in (*inside, None):
        typed = token is not None and token.word not in small and _typed(draft, token, token is inside[0])
        if typed and token is not None:
            run.append(token)
        elif run:
            spans.append((with_count(reading.reader, inside, run[0]).start, run[-1].end))
            run = []
    return spans


def _typed(draft: Draft, token: Token, opens: bool) -> bool:
    """Whether a word is a value by itself; a capital at the beginning of a clause makes none."""
    types = value_types(draft.reading.reader, draft.reading.words((token.start, token.end)))
    return bool(types - {"name"} if opens else types)


def _fits(draft: Draft, held: Memo, candidates: list[Candidate], sure: bool, says_so: bool) -> Candidate | None:
    """The candidate that can take the place of a value, the last one first: it stands nearest to what is meant. Unless
    the clause surely corrects or names the old value, a name takes no name's place: "actually, Paris is lovely"."""
    reader = draft.reading.reader
    named = f" {fold(held.value)} " in f" {fold(draft.reading.text)} ".translate(_SIGNS)
    types = types_of(reader, held.slot, held.value) - (frozenset() if sure or named else {"name", "place"})
    for new in reversed(candidates):
        typed = types & new.types or (sure and named and not types and not new.types)
        fits = new.words and (typed or (says_so and _misspelt(new.words, held.value)))
        if fits and not same(reader, new.words, held.value):
            return new
    return None


_SIGNS = str.maketrans(dict.fromkeys(".,;:!?¿¡\"()'", " "))


def _misspelt(one: str, other: str) -> bool:
    """Whether two single words are one word spelt in two ways: "Jon" and "John"."""
    a, b = fold(one), fold(other)
    if " " in a or " " in b or a == b or a[:1] != b[:1]:
        return False
    from rapidfuzz.distance import Levenshtein  # loads thirty modules: paid by the first who misspells

    return a.startswith(b) or b.startswith(a) or Levenshtein.distance(a, b) <= _TYPO * max(len(a), len(b))


def _rewrite(draft: Draft, memo: Memo, new: Candidate) -> Iterator[Event]:
    span = new.span if new.span[1] > new.span[0] else (0, len(draft.reading.text))
    if memo.kind == "decision":
        text = memo.text.replace(memo.value, new.words) if memo.value in memo.text else new.words
        made = change(
            memo,
            id=new_id(draft, "decision"),
            value=new.words,
            text=text,
            relation="NEW",
            replaces=(),
            rests_on=(),
            review="",
            details={},
            recorded=draft.moment.at,
            valid_from=draft.moment.at,
            by=draft.source,
            session=draft.origin,
            version=draft.moment.version,
            start=span[0],
            end=span[1],
            words=draft.reading.words(span)[:300],
            rule="talk.changes",
        )
        yield from decide(draft, made, memo.slot, memo)
        return
    said = Statement(
        memo.slot,
        new.words[:LONGEST],
        new.span,
        new.rule,
        span,
        old=memo.value,
        marks=frozenset({"corrects"}),
        verb="correct",
    )
    yield from write(draft, said, slot_kind(draft.reading.reader, memo.slot))
