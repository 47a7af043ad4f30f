"""Answers: what a person replied to an agent's questions stays known, whatever it was about, and is not asked again.

Slots hold what a pack declares; this holds the rest. After "How long will you stay?" and "five days", every later brief
says so, a correction ("a week, not five days") changes the answer, and an agent that asks the same question again is
told what the answer was.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import NamedTuple

import msgspec

from holdfast.events import Cleared, Event, Violation
from holdfast.faculties.facts.slots import SlotSet
from holdfast.faculties.questions.pending import Answer, all_answered, just_asked
from holdfast.faculty import Action, Draft, Faculty, Item
from holdfast.reading.asking import OFFER, Expects, questions, specific, worded
from holdfast.reading.kinds import typed_part
from holdfast.reading.reader import Cue, Reader, Reading, Span
from holdfast.reading.replying import chosen, only_points, orders, says, wrong_kind
from holdfast.reading.standing import standing
from holdfast.reading.tables import Table, shipped
from holdfast.reading.text import fold
from holdfast.reading.values import number_in, numbers, trimmed
from holdfast.state import Moment, State
from holdfast.telling import Telling, said

KEPT = 10
"""Answers that are kept; an older one gives way."""
LONGEST = 80
"""Characters of a question or an answer that are told again."""
RECENT = 4
"""Versions after which "sorry, …" is no longer about the answer that was given."""
STEM = 4
"""Letters by which a word of a correction is known in a question: "5 people", "for how many people?"."""
PLAIN = {"sorry", "no_wait", "meant", "make_that", "rather", "no_comma", "second_thought"}
"""Corrections that bring nothing but the value; "actually, …" may go on with anything."""


ASKED = {"make_that", "rather", "instead"}
"""Corrections that hold also where they are asked for: "could you make it 5 people?"."""


class Answered(msgspec.Struct, frozen=True, omit_defaults=True):
    """A question with its answer."""

    question: str
    answer: str
    expects: Expects
    version: int
    about: str = ""
    options: tuple[str, ...] = ()


class Change(NamedTuple):
    """An answer with what takes its place, by which rule, from which words."""

    known: Answered
    value: str
    rule: str
    span: Span


class Answers(msgspec.Struct, frozen=True, omit_defaults=True):
    kept: tuple[Answered, ...] = ()
    """Newest last."""


class AnswerKept(Event, frozen=True):
    did = "learned"

    question: str
    answer: str
    expects: Expects
    about: str = ""
    options: tuple[str, ...] = ()

    def tell(self) -> Telling:
        return said("answer.kept", question=self.question, answer=self.answer)


class AnswerCorrected(Event, frozen=True):
    did = "superseded"

    question: str
    answer: str
    old: str

    def tell(self) -> Telling:
        return said("answer.changed", question=self.question, answer=self.answer, old=self.old)


class AnswersFaculty(Faculty):
    """`label` is the key under which answers are told."""

    name = "answers"
    slice = Answers
    events = (AnswerKept, AnswerCorrected, Cleared)

    def __init__(
        self, label: str = "Already answered", keep: int = 40, languages: tuple[str, ...] = ("en", "ru", "es")
    ):
        self.label = label
        self.keep = keep
        self._tables = shipped("holdfast.faculties.facts", "answers", languages)

    def tables(self) -> Iterable[Table]:
        return self._tables

    def hear(self, draft: Draft) -> Iterator[Event]:
        """An answer that no slot took is kept; a correction changes the one that it is about."""
        answers = all_answered(draft.state)
        reading, kept = draft.reading, draft.before.answers.kept
        for answer in answers:
            asked = answer.question
            if not _taken(draft, answer.span if len(answers) > 1 else None) and _lasting(answer, reading.reader):
                yield AnswerKept(
                    question=asked.text[:LONGEST],
                    answer=answer.value[:LONGEST],
                    expects=asked.expects,
                    about=asked.about,
                    options=asked.options,
                    because=draft.cause("answers.kept", answer.span),
                )
        if not kept or not reading.has("correction", "negation") or (answers and answers[-1].yes is None):
            return  # a message that answers in words is taken up by that; after a yes, something may be changed
        fresh = bool(just_asked(draft.before))
        changed = _changed(reading, kept, newest=draft.ago(kept[-1].version) <= (0 if fresh else RECENT))
        if changed is not None and not _taken(draft):
            known, value, rule, span = changed
            value = typed_part(reading.reader, value, known.answer)
            yield AnswerCorrected(
                question=known.question, answer=value[:LONGEST], old=known.answer, because=draft.cause(rule, span)
            )

    def fold(self, slice: Answers, event: Event, moment: Moment) -> Answers:
        match event:
            case AnswerKept(question=question, answer=value, expects=expects, about=about, options=options):
                now = Answered(question, value, expects, moment.version, about, options)
                others = [known for known in slice.kept if fold(known.question) != fold(now.question)]
                return Answers((*others, now)[-KEPT:])
            case AnswerCorrected(question=question, answer=value):
                return Answers(
                    tuple(
                        msgspec.structs.replace(known, answer=value, version=moment.version)
                        if known.question == question
                        else known
                        for known in slice.kept
                    )
                )
            case Cleared(what="everything" | "answers"):
                return Answers()
        return slice

    def clears(self, state: State) -> Iterable[str]:
        return ["answers"] if state.answers.kept else []

    def clear(self, draft: Draft, what: str | None, index: int | None) -> Iterator[Event]:
        if what == "answers":
            yield Cleared(what="answers")

    def context(self, draft: Draft) -> Iterable[Item]:
        told = [f"{known.question} {known.answer}" for known in draft.state.answers.kept]
        return [Item(self.label, "; ".join(told), self.keep)] if told else ()

    def forbid(self, action: Action, reading: Reading, state: State) -> Iterable[Violation]:
        """An agent does not ask what was answered, unless in other words."""
        kept = state.answers.kept
        if not kept or "?" not in reading.text:
            return
        texts = [worded(reading, span)[:LONGEST] for span in reading.find(questions)]
        asked = {_bare(text, reading.reader) for text in texts} - {frozenset()}
        for known in kept:
            if _bare(known.question, reading.reader) in asked or (specific(known.about) and known.question in texts):
                instead = str(reading.data("answers").get("known", "{answer}")).replace("{answer}", known.answer)
                why = said("guard.answered", value=known.answer)
                yield Violation("answers.known", instead=instead, said=why)


def _taken(draft: Draft, span: Span | None = None) -> bool:
    """Whether a slot took something from this message; with a span, from those words."""
    slots = draft.state.session.slices.get("slots")
    if slots is None or not any(value.version == draft.moment.version for value in slots.values.values()):
        return False
    causes = [event.because for event in draft.events if isinstance(event, SlotSet) and event.because]
    return span is None or any(cause.start < span[1] and span[0] < cause.end for cause in causes)


def _bare(question: str, reader: Reader) -> frozenset[str]:
    """The words that make it the same question: none for "Which one?", which is another one for every list."""
    small, ones = reader.phrases("small", "words"), reader.phrases("answers", "ones")
    words = [word.strip(".,;:!?¿¡\"'()") for word in fold(question[:LONGEST]).split()]
    return frozenset(word for word in words if word and word not in small and word not in ones)


def _lasting(answer: Answer, reader: Reader) -> bool:
    """Whether an answer says something without what stood before its question, and for longer than now."""
    about = answer.question.about
    return specific(about) or (about != OFFER and bool(_bare(answer.question.text, reader)))


def _changed(reading: Reading, kept: tuple[Answered, ...], newest: bool) -> Change | None:
    """Which answer a message changes, and to what; `newest` says whether it may be about the last one, unnamed."""
    for known in reversed(kept):
        if (found := _denied(reading, fold(known.answer))) is not None:
            return Change(known, reading.words(found[1]), *found)
    cues = reading.all("correction")
    if any("old" in cue.groups for cue in cues):
        return None  # "a scarf instead of the book" says what it changes, and that is no answer
    bare = [cue for cue in cues if "new" in cue.groups]
    for cue in bare:
        span = trimmed(reading, cue.groups["new"])
        if cue.means not in ASKED and "question" in reading.find(standing).of(span):
            continue  # "wait, what about the second one?"
        named = ((known, _named(reading, span, known)) for known in reversed(kept))
        last = ((known, _instead(reading, cue, span, known)) for known in kept[-1:] if newest)
        for known, value in (*named, *last):
            if value and fold(value) != fold(known.answer):
                return Change(known, value, cue.id, span)
    return None


def _named(reading: Reading, span: Span, known: Answered) -> str | None:
    """The new value of an answer that the words belong to: another of its options, or "5 people" for "how many
    people?"."""
    if known.expects == "choice":
        return ", ".join(known.options[place] for place in chosen(reading, span, known.options))
    number = number_in(reading, span) if known.expects == "number" else None
    if number is None:
        return None
    asked = {word[:STEM] for word in _bare(known.question, reading.reader)}
    beside = {word[:STEM] for word in _bare(reading.words((number.span[1], span[1])), reading.reader)}
    return None if asked.isdisjoint(beside) else reading.words(number.span)


def _instead(reading: Reading, cue: Cue, span: Span, known: Answered) -> str | None:
    """The new value of the newest answer, where the words can be nothing else."""
    if known.expects == "number":
        number = number_in(reading, span)
        alone = number is not None and not _bare(reading.words((number.span[1], span[1])), reading.reader)
        return reading.words(number.span) if number is not None and alone else None
    plain = cue.means in PLAIN and says(reading, span) and not only_points(reading, span)
    plain = plain and not orders(reading, span) and not wrong_kind(reading, span, known.about)
    new, old = reading.words(span), known.answer
    counted = any(map(str.isdigit, new)) and not any(map(str.isdigit, old))  # no number takes the place of words
    worded = not any(map(str.isalpha, old)) and not any(map(str.isdigit, new))  # and no words that of a number
    denied = any(span[0] <= cue.start < span[1] for cue in reading.all("negation"))  # "no, I can't on Friday"
    plain = plain and fold(new) not in reading.phrases("trim", "ends", "starts")  # "no, actually, …" goes on
    if known.expects == "choice" or not plain or counted or worded or denied or _count(new) > _count(old) + 2:
        return None
    return _patched(new, old)


def _count(words: str) -> int:
    return words.count(" ") + 1


def _patched(new: str, old: str) -> str:
    """ "221A" for "221B Baker Street": a number put right stands where the number stood."""
    numbered = [word for word in old.split() if word[:1].isdigit()]
    if new[:1].isdigit() and " " not in new and len(numbered) == 1 and len(old.split()) > 1:
        return old.replace(numbered[0], new, 1)
    return new


def _denied(reading: Reading, answer: str) -> tuple[str, Span] | None:
    """What a message puts in the place of an answer that it names: "not five days, a week", "a week, not five days"."""
    for cue in reading.all("correction"):
        if "old" in cue.groups and "new" in cue.groups:
            old, new = (trimmed(reading, cue.groups[part]) for part in ("old", "new"))
            if reading.folded[slice(*old)] == answer and 0 < new[1] - new[0] <= LONGEST:
                return cue.id, new
    for cue in reading.all("negation"):
        if reading.folded[cue.end :].lstrip().startswith(answer):
            mirrored = _before(reading, cue, answer)
            return None if mirrored is None else ("answers.not_x", mirrored)
    return None


def _last_number(reading: Reading, end: int) -> Span | None:
    """The last number before a place, with its unit: "7 years" of "say 7 years, not 6"."""
    found = [number.span for number in reading.find(numbers) if number.span[1] <= end]
    comma = reading.folded[:end].rstrip(" ,;-")
    return (found[-1][0], len(comma)) if found and len(comma) - found[-1][1] <= STEM * 3 else None


def _before(reading: Reading, negation: Cue, answer: str) -> Span | None:
    """The words before ", not five days" that stand for them: as many as they are."""
    start = negation.start
    if not reading.folded[:start].rstrip().endswith((",", "-", ";")):
        return None
    if answer[:1].isdigit() and (number := _last_number(reading, start)) is not None:
        return number
    tokens = [token for token in reading.tokens if token[1] <= start][-len(answer.split()) :]
    return (tokens[0][0], tokens[-1][1]) if tokens else None
