"""Where things of a project are: "the migrations are in db/migrate". Each is a fact of its own, under what is there,
and another place that is said of the same thing takes its place."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from holdfast.faculties.facts.lookup import of_kind
from holdfast.faculties.facts.taking_back import NOT_SAID
from holdfast.faculties.facts.wording import clause_words, nouns
from holdfast.faculties.facts.writing import same_subject
from holdfast.faculty import Draft
from holdfast.reading.asserting import Statement, placed
from holdfast.reading.model.clauses import Clause, Value
from holdfast.reading.reader import Reading, Span
from holdfast.reading.standing import standing
from holdfast.reading.written import written

PROJECT = "project"
_SAYS_WHERE = frozenset({"states", "answers", "instructs", "corrects", "returns"})
_NOT_SO = NOT_SAID | {"negated"}
_PASSING = 16
"""Lead of a remark below which it may tell something."""
_LEAST = -64
"""Score of a clause from which the form of its words is enough to keep where something is."""
_PARTS = re.compile(r"[,;:]")


def places_told(draft: Draft, clause: Clause) -> list[Statement]:
    """What a clause says of where something is."""
    inside = [span for span in draft.reading.find(written) if clause.start <= span[0] < clause.end]
    says = clause.act in _SAYS_WHERE or clause.act == "remarks" or clause.lead < _PASSING
    return list(_places(draft, clause, inside)) if inside and says and clause.keep >= _LEAST else []


def _places(draft: Draft, clause: Clause, inside: list[Span]) -> Iterator[Statement]:
    reading, at, flags = draft.reading, clause.start, draft.reading.find(standing)
    for span in inside:
        slot = _slot(draft, clause, (at, span[0]))
        at = span[1]
        if slot and not flags.of(span) & _NOT_SO:
            words = clause_words(reading, clause)
            said = Statement(slot, reading.words(span), span, f"talk.{clause.act}", span, words=words)
            yield placed(reading, said, clause.start)


def _slot(draft: Draft, clause: Clause, before: Span) -> str:
    """The slot of what is said to be at a place; of something new where the clause is no mere remark."""
    subject = _subject(draft.reading, before)
    known = _known(draft, [subject] if subject else _named(draft.reading, before[1]))
    says = clause.act in _SAYS_WHERE or clause.lead < _PASSING
    return known or (f"{PROJECT}/{subject}" if subject and says else "")


def beyond_place(reading: Reading, value: Value, places: Sequence[Span]) -> Value:
    """A value without the place that it begins with and the small word behind that: "apps/api with fastify"."""
    end = max((stop for start, stop in places if start < value.end and value.start < stop), default=value.start)
    rest = reading.folded[end : value.end].split()
    small = len(rest) > 1 and rest[0] in reading.phrases("repair", "prep")
    start = value.end - len(reading.folded[end : value.end].lstrip())
    return value._replace(start=start + len(rest[0]) + 1 if small else start) if end > value.start else value


def _subject(reading: Reading, before: Span) -> str:
    """What is said to be at a place: the first thing that is named in the last part before it."""
    part = _PARTS.split(reading.text[slice(*before)])[-1]
    return next((word for word, _ in nouns(reading, part)), "")


def _named(reading: Reading, end: int) -> list[str]:
    """What a message names before a place: "about the migrations I was wrong, they are in …"."""
    return [word for word, _ in nouns(reading, reading.text[:end])]


def _known(draft: Draft, subjects: list[str]) -> str:
    """The slot of a place that is known of one of some things, in whatever form they are named."""
    slots = (memo.slot for _, memo in of_kind(draft.state, "fact") if memo.slot.startswith(f"{PROJECT}/"))
    return next((slot for slot in slots if any(same_subject(slot.partition("/")[2], one) for one in subjects)), "")
