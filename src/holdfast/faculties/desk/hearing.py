"""What the words of a technician give, and what a message does, learned from `corpus/bench`.

A message is tagged with what it speaks of: the machine and what it does wrong, parts and how they are, readings, what
was done to mend it, what is to be done, hours, and, after a report, the line that is meant and the words that shall
stand there. Each of these is so, is not so, is asked about, or is only supposed.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from holdfast.reading.model import hearing
from holdfast.reading.model.clauses import Clause
from holdfast.reading.model.hearing import Given, Hearing, Told, beside
from holdfast.reading.reader import Reading, Span
from holdfast.reading.values import numbers

FACETS = (
    *("system", "fault", "part", "good", "bad", "reading", "how", "done", "test", "need", "works", "hours"),
    *("line", "text"),
)
"""What words give: `fault` is what the machine does wrong, `good` and `bad` how something is found, `how` anything else
that is told of it; `done` mends, `test` only tests; `line` is a line of the report, `text` what shall stand in it."""
KINDS = (
    *("complaint", "answer", "finding", "repair", "works", "still", "ask", "next", "cannot", "later", "correct"),
    *("already", "wrong", "other", "skip", "report", "edit", "hours", "yes", "no", "language", "stop", "talk"),
)
"""What a message may do; several at once."""
SO, NOT, ASKED, SUPPOSED = "so", "denied", "asked", "supposed"
CUES = (
    *("part", "system", "found", "damage", "site", "bad", "fault", "repair_done", "changing", "placing", "brand_new"),
    *("before_case", "guessed", "repair_needed", "restored", "not_restored", "not_working", "checked", "runs"),
    *("not_runs", "in_order", "unwell", "symptom", "absent", "no_reading", "beyond_range", "negation", "yes", "no"),
    *("complaint", "another", "correction", "labor_word", "direct_power", "section"),
    *("edit_add", "edit_out", "edit_put", "edit_instead", "edit_for", "report_noun", "report_wish"),
)
"""Families of patterns whose words tell something of a facet."""
ONE = frozenset(("part", "system", "section"))
"""Those of which it does not matter which one it is."""
BOLD = 12
"""How much less speaks for a word giving nothing than the scorer has it."""
LEADING = {"edit": 0, "complaint": -16, "repair": -8, "ask": -8}
"""What tells most of what words give, and from how far on a message is taken to do it."""
HEARING = Hearing(FACETS, KINDS, BOLD, *beside(__file__, "heard.bin"), leading=LEADING)


def told(reading: Reading, clauses: Sequence[Clause], asked: str) -> Told:
    """What the scorers look at, with what the desk knows of the words."""
    known = [
        (cue.span, family if family in ONE else f"{family} {cue.means}")
        for family in CUES
        for cue in reading.all(family)
    ]
    known += [(number.span, f"number {number.unit}") for number in reading.find(numbers)]
    return hearing.told(reading, clauses, asked, (), known)


def given(reading: Reading) -> tuple[Given, ...]:
    """What the words of a text give by themselves, whatever was asked before it. Use as `reading.find(given)`."""
    return tuple(HEARING.given(told(reading, reading.after(""), "")))


def spans(reading: Reading, *facets: str, stands: str = SO) -> list[Span]:
    """Where words give some facets, and stand so."""
    return where(reading.find(given), facets, stands)


def where(told: Iterable[Given], facets: tuple[str, ...], stands: str) -> list[Span]:
    return [one.span for one in told if one.facet in facets and one.stands == stands]
