"""What a person tells of the past: filed in its place in time, never current.

"In 2019 I lived in Berlin" held for that year; "until last year I used Vim" ended then; "back in college I wrote Java"
has no date, and is kept as history alone.
"""

from __future__ import annotations

from collections.abc import Iterator

from holdfast.events import Event
from holdfast.faculties.facts.memos import change
from holdfast.faculties.facts.relations import SlotKind
from holdfast.faculties.facts.writing import compose, learned
from holdfast.faculty import Draft
from holdfast.reading.asserting import Statement
from holdfast.reading.model.clauses import Clause
from holdfast.reading.reader import Cue, Reading, overlap
from holdfast.reading.times import during

_AT_SCHOOL = frozenset({"role", "employer", "studies"})
"""What somebody tells who is at school now: as a teacher, or to learn."""


def bygone(reading: Reading, clause: Clause) -> bool:
    """Whether a clause tells of a time that is over: "in 2019", "until last year", "I used to". A rule is for later,
    whatever it names: "explain it before you change it"."""
    if clause.act == "instructs":
        return False
    text = f" {reading.folded[clause.start : clause.end]} "
    if any(f" {words} " in text for words in reading.phrases("memory", "formerly")):
        return True
    dated = [cue for cue in reading.all("dated") if clause.start <= cue.start < clause.end]
    return any("until" in cue.groups or not _goes_on(reading, clause, cue) for cue in dated)


def _goes_on(reading: Reading, clause: Clause, then: Cue) -> bool:
    """Whether a time is none that is over: something began then, or a time without a date is none, as "at school" is to
    a teacher, or where all that is told stands in it."""
    if any(overlap(then.span, cue.span) for cue in reading.all("since")):
        return True
    there = clause.tells.best in _AT_SCHOOL and all(value.sign == "yes" for value in clause.values)
    stands = all(overlap((value.start, value.end), then.span) for value in clause.values)
    return not then.groups and bool(clause.values) and (there or stands)


def tell_past(draft: Draft, said: Statement, kind: SlotKind) -> Iterator[Event]:
    """Something that was so and is no longer."""
    now = draft.moment.at
    start, end = during(*said.then, now, draft.reading) if said.then else (None, None)
    dated = (start, end) != (None, None)
    memo = compose(draft, said, kind, "NEW", valid_to=now if end is None else end)
    yield learned(draft, change(memo, valid_from=start if dated else now, retracted_at=now, why="said of the past"))
