"""Answers: what a person replied to an agent's questions stays known, whatever it was about, and is not asked again.

Slots hold what a pack declares; this holds the rest. After "How long will you stay?" and "five days", every later brief
says so, a correction ("a week, not five days") changes the answer, and an agent that asks the same question again is
told what the answer was.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator

import msgspec

from holdfast.events import Cleared, Event, Violation
from holdfast.faculties.questions import Expects, answered, questions
from holdfast.faculty import Action, Draft, Faculty, Item
from holdfast.reading.reader import Cue, Reader, Reading, Span
from holdfast.reading.tables import Table, shipped
from holdfast.reading.text import fold
from holdfast.reading.values import trimmed
from holdfast.state import Moment, State

KEPT = 6
"""Answers that are kept; an older one gives way."""
LONGEST = 80
"""Characters of a question or an answer that are told again."""


class Answered(msgspec.Struct, frozen=True, omit_defaults=True):
    """A question with its answer."""

    question: str
    answer: str
    expects: Expects
    version: int


class Answers(msgspec.Struct, frozen=True, omit_defaults=True):
    kept: tuple[Answered, ...] = ()
    """Newest last."""


class AnswerKept(Event, frozen=True):
    did = "learned"

    question: str
    answer: str
    expects: Expects

    def tell(self) -> str:
        return f"{self.question} {self.answer}"


class AnswerCorrected(Event, frozen=True):
    did = "superseded"

    question: str
    answer: str
    old: str

    def tell(self) -> str:
        return f"{self.question} {self.answer} (was {self.old})"


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
        self._tables = shipped("holdfast.faculties", "answers", languages)

    def tables(self) -> Iterable[Table]:
        return self._tables

    def hear(self, draft: Draft) -> Iterator[Event]:
        """An answer that no slot took is kept; a correction that names one changes it."""
        answer = answered(draft.state)
        if answer is not None and not _taken(draft) and _bare(answer.question.text, draft.reading.reader):
            asked, value = answer.question.text[:LONGEST], answer.value[:LONGEST]
            because = draft.cause("answers.kept", answer.span)
            yield AnswerKept(question=asked, answer=value, expects=answer.question.expects, because=because)
            return
        reading, kept = draft.reading, draft.before.answers.kept
        if not kept or not reading.has("correction", "negation"):
            return
        for known in reversed(kept):
            found = _corrected(reading, fold(known.answer))
            if found is not None:
                rule, span = found
                because = draft.cause(rule, span)
                now = reading.words(span)
                yield AnswerCorrected(question=known.question, answer=now, old=known.answer, because=because)
                return

    def fold(self, slice: Answers, event: Event, moment: Moment) -> Answers:
        match event:
            case AnswerKept(question=question, answer=value, expects=expects):
                now = Answered(question, value, expects, moment.version)
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
        """What was asked and answered, but for a mere yes, which is over when it is said."""
        kept = draft.state.answers.kept
        if not kept:
            return ()
        told = [f"{known.question} {known.answer}" for known in kept if known.expects != "yes_no"]
        return [Item(self.label, "; ".join(told), self.keep)]

    def forbid(self, action: Action, reading: Reading, state: State) -> Iterable[Violation]:
        """An agent does not ask what was answered, unless in other words."""
        kept = state.answers.kept
        if not kept or "?" not in reading.text:
            return
        asked = {_bare(reading.words(span), reading.reader) for span in reading.find(questions)}
        for known in kept:
            if _bare(known.question, reading.reader) in asked:
                instead = str(reading.data("answers").get("known", "{answer}")).replace("{answer}", known.answer)
                yield Violation("answers.known", f"asks again what was answered: {known.answer}", instead)


def _taken(draft: Draft) -> bool:
    """Whether a slot took something from this message."""
    slots = draft.state.session.slices.get("slots")
    return slots is not None and any(value.version == draft.moment.version for value in slots.values.values())


def _bare(question: str, reader: Reader) -> frozenset[str]:
    """The words that make it the same question: none for "Which one?", which is another one for every list."""
    small = reader.phrases("small", "words") | reader.phrases("answers", "ones")
    words = [word.strip(".,;:!?¿¡\"'()") for word in fold(question[:LONGEST]).split()]
    return frozenset(word for word in words if word and word not in small)


def _corrected(reading: Reading, answer: str) -> tuple[str, Span] | None:
    """What a message puts in the place of an answer: "not five days, a week", "a week, not five days"."""
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


def _before(reading: Reading, negation: Cue, answer: str) -> Span | None:
    """The words before ", not five days" that stand for them: as many as they are."""
    start = negation.start
    if not reading.folded[:start].rstrip().endswith((",", "-", ";")):
        return None
    tokens = [token for token in reading.tokens if token[1] <= start][-len(answer.split()) :]
    return (tokens[0][0], tokens[-1][1]) if tokens else None
