"""What the learned reading tells of a person: clauses that state something lasting, as statements for the memory.

A value whose attribute is sure fills that attribute. Where no attribute is sure, nothing is dropped: the clause is kept
in its own words, under the noun it is about, and is found again by those words.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from holdfast.faculty import Draft
from holdfast.reading.asserting import Statement
from holdfast.reading.model.clauses import Clause, Value
from holdfast.reading.reader import Reading, Span
from holdfast.reading.standing import LONG, standing
from holdfast.reading.terms import term_in

KEEP = 8
"""How much must speak for keeping a clause; a unit of the model's score is 16."""
SURE = 16
"""Lead from which the attribute of a value is taken as known."""
MAX_VALUE_WORDS = 12
_KEEPING = frozenset({"states", "answers", "instructs", "corrects", "returns"})
_NOT_SAID = frozenset({"quoted", "withdrawn", "question", "hypothetical"})
_MARKS = {"corrects": frozenset({"corrects"}), "returns": frozenset({"now"})}


def claims(draft: Draft, taken: Sequence[Span]) -> Iterator[Statement]:
    """Lasting claims of a message in clauses where nothing else was read: `taken` are the places that were."""
    reading = draft.reading
    if len(reading.text) > LONG:
        return  # a pasted document states nothing about the person
    for clause in draft.clauses:
        span = (clause.start, clause.end)
        if clause.act not in _KEEPING or clause.keep < KEEP or any(_overlap(span, one) for one in taken):
            continue
        if reading.find(standing).of(span) & _NOT_SAID:
            continue
        yield from _said(reading, clause)


def _said(reading: Reading, clause: Clause) -> Iterator[Statement]:
    slots = reading.reader.data("memory_attributes", None)
    sure = [value for value in clause.values if value.lead >= SURE and value.attribute in slots]
    for value in sure:
        yield _statement(reading, clause, _slot(reading, value, str(slots[value.attribute])), value)
    if not sure:
        yield _own_words(reading, clause)


def _slot(reading: Reading, value: Value, slot: str) -> str:
    """The key of a value; a known tool says itself which kind it is."""
    term = term_in(reading, (value.start, value.end)) if slot.endswith("/*") else None
    return term.slot if term is not None else slot.removesuffix("/*")


def _statement(reading: Reading, clause: Clause, slot: str, value: Value) -> Statement:
    span = (value.start, value.end)
    return Statement(
        slot,
        reading.words(span).strip(" .,;:!?"),
        span,
        f"talk.{clause.act}",
        (clause.start, clause.end),
        "states" if value.positive else "rejects",
        marks=_MARKS.get(clause.act, frozenset()),
    )


def _own_words(reading: Reading, clause: Clause) -> Statement:
    span = (clause.start, clause.end)
    words = " ".join(reading.words(span).split()).strip(" .,;:!?")
    return Statement("note", words, span, f"talk.{clause.act}", span, marks=_MARKS.get(clause.act, frozenset()))


def _overlap(a: Span, b: Span) -> bool:
    return a[0] < b[1] and b[0] < a[1]
