"""What a message puts in the place of something said before, however it is worded.

A correction mostly says a new value and little else: "no, actually MySQL", "Saturday instead", "oops typo, John". What
it changes is whatever holds a value of that type: an answer, a fact or a decision, the newest first. Words without a
type change what they name ("not X, Y") or what was said a moment ago, and never what could do harm, so small talk
overwrites nothing. Everything that held the old value changes with it: there is one truth.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from itertools import islice
from operator import attrgetter
from typing import NamedTuple

from holdfast.events import Event, Reread
from holdfast.faculties.facts.answers import LONGEST
from holdfast.faculties.facts.attributes import LIKELY, SURE, types_taken
from holdfast.faculties.facts.claims import ANSWER
from holdfast.faculties.facts.lookup import Place, answers_in, content, types_of, with_value
from holdfast.faculties.facts.memos import CorrectionHeard, DisputeOpened, ItemConfirmed, ItemLearned, change
from holdfast.faculties.facts.relations import Memo, same, slot_kind
from holdfast.faculties.facts.renewing import other_value
from holdfast.faculties.facts.taking_back import (
    NOT_SAID,
    denied,
    known_before,
    last_written,
    said_plainly,
    says_no_more,
)
from holdfast.faculties.facts.things import MAX_TIMES, NUMBER, beside_each_other, shared, thing
from holdfast.faculties.facts.whose import whose
from holdfast.faculties.facts.writing import NEAR, decide, item, told_now, write
from holdfast.faculties.questions.pending import all_answered, answering_clauses
from holdfast.faculty import Draft
from holdfast.reading.asserting import Statement, asserted
from holdfast.reading.corrections import refuses
from holdfast.reading.kinds import typed_part, typed_spans, value_types
from holdfast.reading.model.clauses import Clause, understand
from holdfast.reading.reader import Reader, Reading, Span
from holdfast.reading.replying import chosen
from holdfast.reading.standing import standing
from holdfast.reading.text import fold
from holdfast.reading.values import trimmed

CHANGING = frozenset({"corrects", "returns"})
SURELY = 8
"""Lead from which a clause surely changes something."""
HEARD = 0.5
"""Chance from which the encoder is believed that something changes."""
UNCLEAR = 24
"""Lead of an act below which a clause may do something else."""
MOST = 24
"""Corrections of one message that are followed."""
LONGER = 2
"""Words by which a value may be longer than the one whose place it takes."""
_GIVING = frozenset({"answers", "chooses", "requests", "corrects", "returns", "rejects"})
"""Acts by which a bare value may take the place of an answer."""
_ANEW = _GIVING - {"rejects"} | {"instructs", "states"}
"""Acts by which a question may be answered once more."""
_ANOTHER = frozenset({"now", "correction"})
"""Kinds of words by which an answer is another now."""
_NUMBER = re.compile(r"[\d.,:-]+|^[^\W\d]+$")
"""What a number is made of, in digits or as a word: the rest of it says of what it is one ("£11")."""
_FOR_NOW = _GIVING | {"asks", "confirms"}
"""Acts by which something is put right of which nothing is known."""
LATELY = 3
"""Answers that may be given once more."""
_ASKED = frozenset({"make_that", "rather", "instead"})
"""Corrections that hold also where they are asked for: "could you make it 5 people?"."""


class Candidate(NamedTuple):
    """Words that could be a new value."""

    words: str
    span: Span
    types: frozenset[str]
    old: str = ""
    """The value that it is said to replace."""
    means: str = ""
    """How it is said, as the table of corrections declares it."""
    rule: str = "talk.changes"


def changed(draft: Draft) -> Iterator[Event]:
    """The changes of this message that nobody has read yet, and what follows from those that somebody has."""
    if _is_asked(draft):
        return
    answers = any(isinstance(event, ItemLearned) and event.item.question for event in draft.events)
    read = _read_already(draft)
    if read is None and not answers:  # what answers a question of its own changes no other answer
        yield from corrected(draft)
        read = _read_already(draft)
    if read is None:
        yield from _put_right(draft)
        return
    old, now = read
    if not same(draft.reading.reader, now, old):
        for memo in _holders(draft, with_value(draft.state, draft.reading.reader, old)):
            yield from _rewrite(draft, memo, Candidate(now, (0, 0), frozenset()))


def answered_anew(draft: Draft) -> Iterator[Event]:
    """Another answer to a question that was answered lately: the clause that gives it is that, and nothing else."""
    found = _found_answer(draft)
    if found is not None:
        yield from _rewrite(draft, *found)
        draft.set_aside([(one.start, one.end) for one in draft.clauses if one.start <= found[1].span[0] < one.end])


def _found_answer(draft: Draft) -> tuple[Memo, Candidate] | None:
    """What was answered lately, and the value that a clause puts in its place."""
    lately = [memo for memo in _holders(draft, answers_in(draft.state)) if _was_answered(draft, memo)][:LATELY]
    clauses = [clause for clause in draft.clauses if lately and _may_answer(draft, clause)]
    for memo in lately:
        for clause in clauses:
            if _puts_another(draft, clause, memo) and (new := _given_anew(draft, clause, memo)):
                return memo, new
    return None


def _was_answered(draft: Draft, memo: Memo) -> bool:
    """Whether something is the answer to a question of this talk, given lately in words of its own."""
    near = memo.session == draft.origin and draft.ago(memo.version) <= 2 * NEAR
    return near and memo.slot.startswith(ANSWER) and not memo.details.get("options")


def _may_answer(draft: Draft, clause: Clause) -> bool:
    """Whether a clause may give another answer to a question of before: it tells of nobody else, and is no answer to
    what was just asked."""
    beside = (clause.start, clause.end) not in answering_clauses(draft)
    return clause.act in _ANEW and beside and not whose(draft, clause)


def _puts_another(draft: Draft, clause: Clause, memo: Memo) -> bool:
    """Whether a clause puts something right, says that it is another now, or names again what was asked about: what
    merely has the type of an answer ("on the 14th" after "How many?") is no other one."""
    changes = (clause.act in CHANGING and clause.lead >= SURELY) or not _ANOTHER.isdisjoint(clause.kinds)
    names, about = (thing(draft.reading.reader, words).names for words in (_words(draft, clause), memo.question))
    return changes or bool(shared(names, about))


def _given_anew(draft: Draft, clause: Clause, memo: Memo) -> Candidate | None:
    """The value of a clause that can stand where an answer stands: of its type and about its length."""
    reader = draft.reading.reader
    for new in _candidates(draft, clause):
        shorter = len(memo.value.split()) > len(new.words.split()) + LONGER
        typed = _of_one_type(reader, new, memo)
        words = typed_part(reader, _patched(new.words, memo.value), memo.value) if typed else new.words
        alike = typed or _of_one_attribute(draft, clause, new, memo)
        if alike and not shorter and not same(reader, words, memo.value):
            return new._replace(words=words)
    return None


def _of_one_type(reader: Reader, new: Candidate, memo: Memo) -> bool:
    """Whether a value is of the type of an answer: a day for a day, and a number of the same things and size."""
    given, old = thing(reader, new.words).pieces, thing(reader, memo.value).pieces
    if not given and not old:
        return bool(new.types & value_types(reader, memo.value))
    said = fold(f"{memo.question} {memo.value}")
    fitting = [one for one in given if one.type != NUMBER or fold(one.unit or _NUMBER.sub("", one.words)) in said]
    return any(one.like(other) and one.times(other) <= MAX_TIMES for one in fitting for other in old)


def _of_one_attribute(draft: Draft, clause: Clause, new: Candidate, memo: Memo) -> bool:
    """Whether a value that has no type is surely of what was answered, and what it replaces was as well."""
    told = understand(memo.value, memo.question, draft.reading.language)
    held = {one.attribute for part in told for one in part.values if one.lead >= SURE}
    given = [one for one in clause.values if (one.start, one.end) == new.span]
    return any(one.sign == "yes" and one.lead >= LIKELY and one.attribute in held for one in given)


def _words(draft: Draft, clause: Clause) -> str:
    return draft.reading.words((clause.start, clause.end))


def corrected(draft: Draft, told: bool = False) -> Iterator[Event]:
    """What a message puts right in so many words; where it has `told` something, what it says of that by its name."""
    if not draft.find(known_before) or all_answered(draft.state) or _is_asked(draft):
        return
    found = None if told else _found_cued(draft)
    found = found or _found_denied(draft) or (None if told else _found_anew(draft))
    if found is not None:
        yield from _rewrite(draft, *found)


def _is_asked(draft: Draft) -> bool:
    """Whether it is being asked which of two values holds."""
    return any(isinstance(event, DisputeOpened) for event in draft.events)


def cued(draft: Draft) -> list[Candidate]:
    """The new values of a message by the words that correct: "not X but Y", "I meant Y", "Y instead".
    Use as `draft.find(cued)`."""
    reading, made = draft.reading, []
    for cue in reading.all("correction")[:MOST]:
        place = cue.groups.get("new")
        if place is None or not asserted(reading, cue, place, negative=True, asks=cue.means in _ASKED):
            continue
        if cue.means not in _ASKED and "question" in reading.find(standing).of(place):
            continue  # "wait, what about the second one?"
        if refuses(reading, cue):
            continue
        new = _after_prep(reading, trimmed(reading, place))
        old = reading.words(trimmed(reading, cue.groups["old"])) if "old" in cue.groups else ""
        if new[1] > new[0] and fold(old) not in reading.phrases("memory", "not_old"):
            words = reading.words(new)
            types = value_types(reading.reader, words)
            made.append(Candidate(words, new, types, old, cue.means, cue.id))
    return made


def _after_prep(reading: Reading, span: Span) -> Span:
    """ "Austin" of "no, in Austin"."""
    first, _, rest = reading.folded[slice(*span)].partition(" ")
    return (span[1] - len(rest), span[1]) if rest and first in reading.phrases("repair", "prep") else span


def _in_place(draft: Draft, memo: Memo, new: Candidate, at_hand: bool) -> Candidate | None:
    """The new value as it takes the place of a held one, or None where it cannot."""
    words = _words_in_place(draft, memo, new, at_hand)
    return new._replace(words=words) if words and not same(draft.reading.reader, words, memo.value) else None


def _words_in_place(draft: Draft, memo: Memo, new: Candidate, at_hand: bool) -> str:
    reader, words = draft.reading.reader, _patched(new.words, memo.value)
    if options := tuple(memo.details.get("options", ())):
        return ", ".join(options[place] for place in chosen(draft.reading, new.span, options))
    if not new.old and (at_hand or new.means == "meant") and (dated := other_value(reader, memo, new.words)):
        return dated
    held = types_of(reader, memo.slot, memo.value) or types_taken(reader).get(memo.slot, frozenset())  # "*Rosario"
    typed = bool(value_types(reader, words) & held)
    longer = len(memo.value.split()) > len(words.split()) + LONGER  # a word takes no sentence's place
    if not new.old and (longer or not typed or memo.slot == "note"):  # a sentence has words of many types
        return ""
    return typed_part(reader, words, memo.value) if typed else words


def _patched(new: str, old: str) -> str:
    """ "221A" for "221B Baker Street", "4" for "2 spaces": a number put right stands where the number stood."""
    numbered = [word for word in old.split() if word[:1].isdigit()]
    if new[:1].isdigit() and " " not in new and len(numbered) == 1 and len(old.split()) > 1:
        return old.replace(numbered[0], new, 1)
    return new


def _reread(draft: Draft) -> Reread | None:
    """What the encoder makes of the message: asked where the message may change something that is known."""
    unclear = any(clause.act in _GIVING and clause.lead < UNCLEAR for clause in draft.clauses)
    asks = draft.find(known_before) and (unclear or draft.reading.has("correction"))
    return draft.reread if draft.doubting and asks else draft.reread_already


def _put_right(draft: Draft) -> Iterator[Event]:
    """A change where nothing known holds the old value: it is told, and nothing is written. Of a message that puts
    itself right that is the last value."""
    reading, flags = draft.reading, draft.reading.find(standing)
    for clause in draft.clauses:
        if clause.act in CHANGING and clause.lead >= SURELY and not says_no_more(draft, clause):
            old = " ".join(reading.words((one.start, one.end)) for one in clause.values if not one.positive)
            over = {(one.start, one.end) for one in clause.values if not one.positive}
            for new in _candidates(draft, clause):
                if new.span not in over and flags.of(new.span).isdisjoint(NOT_SAID):
                    yield CorrectionHeard(new=new.words, old=old, because=draft.cause("talk.changes", new.span))
    if not any(isinstance(event, (ItemLearned, ItemConfirmed, CorrectionHeard)) for event in draft.events):
        said = (one for one in draft.find(cued) if one.old or one.means == "meant")
        for new in islice((one for one in said if _is_for_now(draft, one)), 1):
            yield CorrectionHeard(new=new.words, old=new.old, because=draft.cause(new.rule, new.span))


def _is_for_now(draft: Draft, new: Candidate) -> bool:
    """Whether a value is put right for the matter at hand, rather than two things told apart: "he is no doctor, he's a
    nurse", of somebody of whom nothing is known."""
    acts = [clause.act for clause in draft.clauses if clause.start <= new.span[0] < clause.end]
    return not acts or acts[0] in _FOR_NOW


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


def _found_cued(draft: Draft) -> tuple[Memo, Candidate] | None:
    """What a correction names, or what was said last where it names nothing."""
    last = last_written(draft.before) if draft.find(cued) else None
    for new in draft.find(cued):
        named = _holders(draft, with_value(draft.state, draft.reading.reader, new.old)) if new.old else []
        for memo in named or ([last] if last is not None and not new.old else []):
            if not memo.positive or told_now(draft, memo):
                continue  # what the same message tells is told as it is meant
            at_hand = _at_hand(draft, memo, new)
            found = _in_place(draft, memo, new, at_hand)
            if found is not None and (new.old or at_hand or new.means == "meant"):
                return memo, found
    return None


def _found_denied(draft: Draft) -> tuple[Memo, Candidate] | None:
    """ "Not cats, dogs": what is denied gives way to what is said beside it."""
    reader = draft.reading.reader
    for _, (_, memo) in draft.find(denied):
        found = [one for clause in draft.find(said_plainly) for one in _candidates(draft, clause, denies=True)]
        beside = [one for one in found if content(reader, memo.value).isdisjoint(content(reader, one.words))]
        untyped = beside if not value_types(reader, memo.value) else []
        if new := _fits(draft, memo, beside) or next(iter(untyped), None):
            return memo, new
    return None


def _found_anew(draft: Draft) -> tuple[Memo, Candidate] | None:
    """Another value of what was just told: "oops typo, John"; of an answer also where it is only pointed at: "wait,
    Saturday is better", "change that to Saturday"."""
    last = last_written(draft.before)
    if last is None or not _may_be_put_right(draft, last):
        return None
    for clause in draft.find(said_plainly):
        given = _candidates(draft, clause) if _may_mean(draft, clause, last) else []
        if last.slot.startswith(ANSWER):
            given = [one for one in given if _of_one_type(draft.reading.reader, one, last)]
        new = _fits(draft, last, given)
        if new is not None and _is_news(draft, last, new):
            return last, new
    return None


def _may_be_put_right(draft: Draft, memo: Memo) -> bool:
    """Whether something is an answer or a fact that this message did not tell."""
    return bool(memo.question or memo.kind == "fact") and not told_now(draft, memo)


def _may_mean(draft: Draft, clause: Clause, last: Memo) -> bool:
    """Whether a clause may give another value of what was told last."""
    words = draft.reading.text[clause.start : clause.end]
    points = last.question and clause.act in _GIVING and "pointer" in clause.kinds
    changes = clause.act in CHANGING and clause.lead >= SURELY
    return (points or changes) and not beside_each_other(draft.reading.reader, words, last.value)


def _is_news(draft: Draft, memo: Memo, new: Candidate) -> bool:
    """Whether a value may be meant for a fact that was just told, and says more than it: "I told you, the 9th of May"
    does not."""
    reader = draft.reading.reader
    return _at_hand(draft, memo, new) and not content(reader, new.words) <= content(reader, memo.value)


def _at_hand(draft: Draft, memo: Memo, new: Candidate) -> bool:
    """Whether a fact was said a moment ago and a new value may be meant for it: an amount is one of the same things,
    and the agent speaks of no other amount by now ("a table for seven?" after "I have two dogs")."""
    if memo.session not in ("", draft.origin) or draft.ago(memo.version) > NEAR:
        return False
    reader = draft.reading.reader
    (names, given), (others, values) = (thing(reader, words) for words in (new.words, memo.value))
    amounts = bool(given and values)
    asked = thing(reader, draft.asked).pieces if amounts and not memo.question else ()
    spoken_of = {fold(one.words) for one in asked}
    here = {fold(one.words) for one in values}
    return (not (names and others and amounts) or bool(shared(names, others))) and (
        not spoken_of or not spoken_of.isdisjoint(here)
    )


def _candidates(draft: Draft, clause: Clause, denies: bool = False) -> list[Candidate]:
    """The values that a clause may give: those that the model found, else, or where it `denies` another, runs of words
    that have a type."""
    reading = draft.reading
    spans = [(value.start, value.end) for value in clause.values]
    if (told := _reread(draft)) is not None and told.changed >= HEARD:
        spans += [(one.start, one.end) for one in told.new if clause.start <= one.start < clause.end]
    if denies or (not spans and clause.act != "returns"):  # what one returns to is often no value: "back to the model"
        spans += [one[:2] for one in reading.find(typed_spans) if clause.start <= one.start < clause.end]
    texts = [(reading.words(span).strip(" .,;:!?\"'"), span) for span in dict.fromkeys(spans)]
    return [Candidate(text, span, value_types(reading.reader, text)) for text, span in texts]


def _fits(draft: Draft, held: Memo, candidates: list[Candidate]) -> Candidate | None:
    """The candidate that can take the place of a value, the last one first: it stands nearest to what is meant."""
    reader = draft.reading.reader
    named = f" {fold(held.value)} " in f" {fold(draft.reading.text)} ".translate(_SIGNS)
    types = types_of(reader, held.slot, held.value)
    for new in reversed(candidates):
        fits = types & new.types or (named and not types and not new.types)
        if new.words and fits and not same(reader, new.words, held.value):
            return new
    return None


_SIGNS = str.maketrans(dict.fromkeys(".,;:!?¿¡\"()'", " "))


def _rewrite(draft: Draft, memo: Memo, new: Candidate) -> Iterator[Event]:
    span = new.span if new.span[1] > new.span[0] else (0, len(draft.reading.text))
    if memo.kind == "decision":
        text = memo.text.replace(memo.value, new.words) if memo.value in memo.text else new.words
        said_in = draft.reading.words(span)[:300]
        made = item(draft, "decision", memo.slot, new.words, memo.category, span=span, text=text, words=said_in)
        made = change(made, lifespan=memo.lifespan, rule="talk.changes")
        yield from decide(draft, made, memo.slot, memo)
        return
    said = Statement(memo.slot, new.words[:LONGEST], new.span, new.rule, span, old=memo.value, verb="correct")
    said = said._replace(marks=frozenset({"corrects"}))
    yield from write(draft, said, slot_kind(draft.reading.reader, memo.slot))
