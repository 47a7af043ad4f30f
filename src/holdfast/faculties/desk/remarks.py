"""Remarks: what a technician says that has nothing to do with the machine. "It's raining here" answers no question.

A message is a remark when none of its clauses can be an answer and at least one speaks of something else: of the
weather, people, food, the time of day (`words/remarks.*.toml`), or, in so many words, of nothing that the procedures,
their glossary and the bench have a word for. A clause that names a part, a reading or a word of the open step always
can be an answer, and so can a short one that speaks of nothing else: "a bit", "same as before".
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import pairwise
from typing import NamedTuple

from holdfast.faculties.desk.library import stems
from holdfast.faculties.desk.signals import measures
from holdfast.reading.reader import Cue, Reading, Span
from holdfast.reading.standing import sentences

MACHINE = (
    *("part", "site", "system", "fault", "key_finding", "no_reading", "beyond_range", "direct_power", "repair_done"),
    *("quantity", "unable", "already"),
)
"""Cues that speak of the machine, or of the check, whatever else is said beside them."""
STATES = (
    *("in_order", "unwell", "damage", "symptom", "topic", "working", "not_working", "restored", "not_restored"),
    *("runs", "not_runs", "checked", "yes", "no"),
)
"""Cues that speak of the machine unless their clause is about something else: "my boss is fine with it"."""
TELLING = 4
"""Words of a clause that is long enough to be about something of its own: "I think so" is a nod."""
_MARKS = re.compile(r"[,;:()]| [-\u2013\u2014] ")
_EDGES = " .,;:!?()-\u2013\u2014\u00bf\u00a1"


class About(NamedTuple):
    """What the open question is about: the words of its step, of the procedure, and of all that the desk knows."""

    step: frozenset[str] = frozenset()
    procedure: frozenset[str] = frozenset()
    desk: frozenset[str] = frozenset()


def remark(reading: Reading, about: About) -> tuple[str, Span] | None:
    """The rule and the words by which a message is a remark."""
    if reading.has(*MACHINE) or (not reading.has("elsewhere") and _judges(reading)) or reading.find(measures):
        return None
    told = [cue for cue in reading.all("elsewhere") if not _of_the_trade(reading, cue, about)]
    if (not told and len(reading.tokens) < TELLING) or _beside(reading, told) & about.step:
        return None
    spoken: list[tuple[str, Span]] = []
    for clause in clauses(reading):
        here = [cue for cue in told if cue.start < clause[1] and clause[0] < cue.end]
        if here and not _reports(reading, clause):
            spoken.append((here[0].id, here[0].span))
        elif _of_people(reading, clause, about):
            spoken.append(("remark.people", clause))
        elif _unrelated(reading, clause, about):
            spoken.append(("remark.unrelated", clause))
        elif not _empty(reading, clause) and not (told and _idle(reading, clause, about)):
            return None
    return spoken[0] if spoken else None


def _judges(reading: Reading) -> bool:
    """Whether a message that names nothing else says how something is: most answers do."""
    return reading.has(*STATES) or (reading.has("bench") and not reading.has("person"))


def clauses(reading: Reading) -> Iterator[Span]:
    """The parts of a message between marks and joining words."""
    joins = reading.reader.phrases("remark", "joins")
    for start, end in reading.find(sentences):
        ends = [mark.start() for mark in _MARKS.finditer(reading.folded, start, end)]
        ends += [s for s, e in reading.tokens if start < s < end and reading.folded[s:e] in joins]
        bounds = [start, *sorted(ends), end]
        yield from ((s, e) for s, e in pairwise(bounds) if reading.folded[s:e].strip(_EDGES))


def _of_the_trade(reading: Reading, cue: Cue, about: About) -> bool:
    """Whether a single word that could be talk is one of the procedure's own: the sun matters to a solar panel."""
    word = reading.folded[slice(*cue.span)]
    return " " not in word and bool(_stems(reading, word) & about.procedure)


def _reports(reading: Reading, clause: Span) -> bool:
    """Whether a clause tells what somebody says of the machine: "the customer says it never worked"."""
    return reading.has("told_by") and (_points(reading, clause) or _cues(reading, clause, "bench", *STATES))


def _of_people(reading: Reading, clause: Span, about: About) -> bool:
    """Whether a clause tells of people who do nothing at the bench: "I used to live in Texas"."""
    if not _cues(reading, clause, "person") or _cues(reading, clause, "doing", "told_by", *STATES):
        return False
    long = len(_tokens(reading, clause)) >= TELLING and not _points(reading, clause)
    return long and not _stems(reading, reading.folded[slice(*clause)]) & about.procedure


def _unrelated(reading: Reading, clause: Span, about: About) -> bool:
    """Whether a clause of some length has no word of the bench, and none that may stand for what is being checked."""
    long = len(_tokens(reading, clause)) >= TELLING and not reading.has("told_by")
    return long and _idle(reading, clause, about)


def _idle(reading: Reading, clause: Span, about: About) -> bool:
    """Whether a clause has no word of the bench: "what a mess"."""
    if _points(reading, clause) or _cues(reading, clause, "bench", *STATES):
        return False
    return not _stems(reading, reading.folded[slice(*clause)]) & about.desk


def _cues(reading: Reading, clause: Span, *families: str) -> bool:
    return any(clause[0] <= cue.start < clause[1] for family in families for cue in reading.all(family))


def _tokens(reading: Reading, clause: Span) -> list[Span]:
    return [token for token in reading.tokens if clause[0] <= token[0] < clause[1]]


def _points(reading: Reading, clause: Span) -> bool:
    """Whether a clause has a word that may stand for what is being checked."""
    pointing = reading.reader.phrases("remark", "pointing")
    return any(reading.folded[s:e] in pointing for s, e in reading.tokens if clause[0] <= s < clause[1])


def _empty(reading: Reading, clause: Span) -> bool:
    """Whether a clause says nothing at all: "hold on", "by the way"."""
    text = reading.folded[slice(*clause)].strip(_EDGES)
    empty = reading.reader.phrases("remark", "empty") | reading.reader.phrases("remark", "joins")
    return text in empty or all(word.strip(_EDGES) in empty for word in text.split())


def _beside(reading: Reading, told: list[Cue]) -> frozenset[str]:
    """The content words of a message but for those that speak of something else, or say nothing."""
    empty = reading.reader.phrases("remark", "empty")
    apart = [token for token in reading.tokens if not any(cue.start <= token[0] < cue.end for cue in told)]
    return _stems(
        reading, " ".join(word for word in (reading.folded[slice(*token)] for token in apart) if word not in empty)
    )


def _stems(reading: Reading, text: str) -> frozenset[str]:
    return stems(text, reading.reader.phrases("stop", "words"))
