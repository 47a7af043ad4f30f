"""Remarks: what a technician says that carries nothing of what the step asks for. "It's raining here" answers nothing.

A message answers when one of its clauses can be a result: a reading, a yes or a no, a word of the open step, a part or
a finding ("hums", "rusty", "half full"), and not more beside it that the bench has no word for. Words that fit every
result ("a bit", "same as before") answer only when nothing else is said. Talk of the weather, of people, food or the
time of day (`elsewhere` in `words/remarks.*.toml`) is no result, whatever words it borrows from the bench.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import partial
from itertools import pairwise
from typing import NamedTuple

from holdfast.faculties.desk.library import stems
from holdfast.faculties.desk.signals import measures
from holdfast.reading.reader import Cue, Reading, Span
from holdfast.reading.standing import sentences

FINDINGS = (
    *("result", "part", "site", "system", "fault", "key_finding", "no_reading", "beyond_range", "direct_power"),
    *("repair_done", "in_order", "unwell", "damage", "symptom", "topic", "working", "not_working", "restored"),
    *("not_restored", "runs", "not_runs", "checked"),
)
"""Cues that speak of the machine and of how it is."""
SETTLED = ("unable", "already")
"""Cues that speak of the check itself: other rules know what they mean."""
INSTRUMENT = frozenset({"V", "mV", "A", "ohm", "inWC", "psi", "%", "mA", "Hz"})
"""Units that nothing but an instrument gives."""
SHORT = 2
"""Words of a message that may be a name or a word we do not know: "Suburban SW6DE", "kaput"."""
ENOUGH = 3
"""Words of the machine that make a result of a clause in which somebody does nothing at the bench."""
BARE = 4
"""Words of a clause whose figure needs no unit: "about 8 or so"."""
_CODE = re.compile(r"(?:[a-z]{1,3}-?\d{1,4}|\d{1,3}[a-z]{1,2})")
_MARKS = re.compile(r"[,;:()]| [-\u2013\u2014] ")
_EDGES = " .,;:!?()-\u2013\u2014\u00bf\u00a1"


class About(NamedTuple):
    """What the open question is about, in words cut to their stems."""

    step: frozenset[str] = frozenset()
    """The words of its step."""
    parts: frozenset[str] = frozenset()
    """The parts of its procedure."""
    known: frozenset[str] = frozenset()
    """What else the desk has a word for: the other questions of the procedure, the parts of other systems."""
    free: bool = False
    """Whether it may be answered in any words: a code, a kind, a name."""


class Weighed(NamedTuple):
    """How many words of a clause are of which sort."""

    asked: int = 0
    """Words of the open step."""
    found: int = 0
    """Words for parts and results, and readings."""
    vague: int = 0
    """Words that fit any result."""
    people: int = 0
    foreign: int = 0
    """Words that the bench has no use for."""
    words: int = 0


def remark(reading: Reading, about: About) -> tuple[str, Span] | None:
    """The rule and the words by which a message is a remark."""
    if reading.has(*SETTLED) or _plainly(reading):
        return None
    told = [cue for cue in reading.all("elsewhere") if not _of_the_trade(reading, cue, about)] + reading.all("later")
    weigh = partial(_weighed, reading, about, _marked(reading, FINDINGS, told), _marked(reading, ("bench",), told))
    spoken: list[tuple[str, Span]] = []
    nod = empty = None
    for clause in clauses(reading):
        here = [cue for cue in told if cue.start < clause[1] and clause[0] < cue.end]
        if _empty(reading, clause):
            empty = empty or clause
            continue
        weighed = weigh(clause)
        if here:
            if _reports(reading, clause) or weighed.asked > 1:
                return None
            spoken.append((here[0].id, here[0].span))
        elif _answers(reading, clause, weighed):
            return None
        elif _may_answer(reading, clause, weighed, about):
            nod = nod or clause
        else:
            spoken.append(("remark.people" if weighed.people else "remark.unrelated", clause))
    if spoken:
        return spoken[0]
    return ("remark.empty", empty) if empty and not nod else None


def _plainly(reading: Reading) -> bool:
    """Whether a message holds what nothing but an answer holds: a reading of an instrument, or a yes or a no."""
    if any(measure.unit in INSTRUMENT for measure in reading.find(measures)):
        return True
    said = reading.first("yes", "no")
    if said is None or any(cue.start <= said.start < cue.end for cue in reading.all("elsewhere")):
        return False
    alone = said.end >= len(reading.folded.rstrip(_EDGES))
    nod = reading.folded[slice(*said.span)] in reading.reader.phrases("remark", "nods")
    return alone or (not nod and reading.folded[said.end : said.end + 1] in ".,;!")


def _answers(reading: Reading, clause: Span, weighed: Weighed) -> bool:
    """Whether a clause is the result of a check."""
    told = weighed.asked + weighed.found
    if weighed.people and told < ENOUGH and not _cues(reading, clause, "doing", "told_by"):
        return False  # "I'm at the pump"
    return told > 0 and weighed.foreign <= weighed.found + 2 * weighed.asked


def _may_answer(reading: Reading, clause: Span, weighed: Weighed, about: About) -> bool:
    """Whether a clause can be an answer where nothing else is said beside it: "a bit", "same as before", "kaput"."""
    if weighed.asked + weighed.found:
        return False
    if weighed.foreign:
        return not weighed.people and weighed.words <= (SHORT + 1 if about.free else SHORT)
    return weighed.vague > 0 or _points(reading, clause) or not weighed.people


def _weighed(reading: Reading, about: About, findings: frozenset[int], vague: frozenset[int], clause: Span) -> Weighed:
    """The words of a clause by their sorts."""
    small = reading.reader.phrases("remark", "small")
    people = _marked(reading, ("person",), [])
    doing = _marked(reading, ("doing", "told_by"), [])
    figures = {measure.span[0] for measure in reading.find(measures)}
    counts = dict.fromkeys(Weighed._fields, 0)
    tokens = [token for token in reading.tokens if clause[0] <= token[0] < clause[1]]
    for start, end in tokens:
        word = reading.folded[start:end]
        stem = _stems(reading, word)
        if start in people:
            counts["people"] += 1
        elif stem & about.step and word not in small:
            counts["asked"] += 1
        elif start in findings or (stem & about.parts and word not in small) or _CODE.fullmatch(word):
            counts["found"] += 1
        elif start in figures and len(tokens) <= BARE:
            counts["found"] += 1
        elif start in vague or start in doing or start in figures or stem & about.known:
            counts["vague"] += 1
        elif word not in small and not word.isdigit():
            counts["foreign"] += 1
    return Weighed(**{**counts, "words": len(tokens)})


def clauses(reading: Reading) -> Iterator[Span]:
    """The parts of a message between marks and joining words."""
    joins = reading.reader.phrases("remark", "joins")
    for start, end in reading.find(sentences):
        ends = [mark.start() for mark in _MARKS.finditer(reading.folded, start, end)]
        ends += [s for s, e in reading.tokens if start < s < end and reading.folded[s:e] in joins]
        bounds = [start, *sorted(ends), end]
        yield from ((s, e) for s, e in pairwise(bounds) if reading.folded[s:e].strip(_EDGES))


def _marked(reading: Reading, families: tuple[str, ...], told: list[Cue]) -> frozenset[int]:
    """Where the words of some families begin, but for those inside talk of something else."""
    spans = [cue.span for family in families for cue in reading.all(family)]
    begins = (s for s, _ in reading.tokens if any(start <= s < end for start, end in spans))
    return frozenset(s for s in begins if not any(cue.start <= s < cue.end for cue in told))


def _of_the_trade(reading: Reading, cue: Cue, about: About) -> bool:
    """Whether a single word that could be talk is one of the step's own: the sun matters to a solar panel."""
    word = reading.folded[slice(*cue.span)]
    return " " not in word and bool(_stems(reading, word) & (about.step | about.parts))


def _reports(reading: Reading, clause: Span) -> bool:
    """Whether a clause tells what somebody says of the machine: "the customer says it never worked"."""
    return reading.has("told_by") and (_points(reading, clause) or _cues(reading, clause, "bench", *FINDINGS))


def _cues(reading: Reading, clause: Span, *families: str) -> bool:
    return any(clause[0] <= cue.start < clause[1] for family in families for cue in reading.all(family))


def _points(reading: Reading, clause: Span) -> bool:
    """Whether a clause has a word that may stand for what is being checked."""
    pointing = reading.reader.phrases("remark", "pointing")
    return any(reading.folded[s:e] in pointing for s, e in reading.tokens if clause[0] <= s < clause[1])


def _empty(reading: Reading, clause: Span) -> bool:
    """Whether a clause says nothing at all: "hold on", "by the way"."""
    text = reading.folded[slice(*clause)].strip(_EDGES)
    empty = reading.reader.phrases("remark", "empty") | reading.reader.phrases("remark", "joins")
    return text in empty or all(word.strip(_EDGES) in empty for word in text.split())


def _stems(reading: Reading, text: str) -> frozenset[str]:
    return stems(text, reading.reader.phrases("stop", "words"))
