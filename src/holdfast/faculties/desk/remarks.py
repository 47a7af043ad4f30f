"""Remarks: what a technician says that carries nothing of what the step asks for. "It's raining here" answers nothing.

A message answers when one of its clauses can be a result: a reading, a yes or a no, a word of the open step, a part or
a finding ("hums", "rusty", "half full"), and not more beside it that the bench has no word for. Words that fit every
result ("a bit", "same as before") answer only when nothing else is said. Talk of the weather, of people, food or the
time of day (`elsewhere` in `words/remarks.*.toml`) is no result, whatever words it borrows from the bench.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from functools import lru_cache
from itertools import pairwise
from typing import NamedTuple

from rapidfuzz import process
from rapidfuzz.distance import OSA

from holdfast.faculties.desk.library import lemmas
from holdfast.faculties.desk.signals import measures, wondered
from holdfast.reading.reader import Cue, Reading, Span
from holdfast.reading.standing import sentences
from holdfast.reading.values import numbers

FINDINGS = (
    *("result", "part", "site", "fault", "key_finding", "no_reading", "beyond_range", "direct_power"),
    *("repair_done", "in_order", "unwell", "damage", "symptom", "topic", "working", "not_working", "restored"),
    *("not_restored", "runs", "not_runs", "checked"),
)
"""Cues that speak of the machine and of how it is."""
SORTS = (("people", ("person",)), ("found", FINDINGS), ("vague", ("bench", "system", "doing", "told_by")))
SETTLED = ("unable", "already")
"""Cues that speak of the check itself: other rules know what they mean."""
INSTRUMENT = frozenset({"V", "mV", "A", "ohm", "inWC", "psi", "mA", "Hz"})
"""Units that nothing but an instrument gives."""
SHORT, NAME = 1, 3
"""Words of a message that may be one we do not know ("kaput"), or a name where one is asked for ("Suburban SW6DE")."""
ENOUGH = 3
"""Words of the machine that make a result of a clause in which somebody does nothing at the bench."""
BARE = 4
"""Words of a clause whose figure needs no unit: "about 8 or so"."""
SLIP, LONG = 6, 9
"""Letters from which on a word may have one slip, and two."""
BRIEF = 3
"""Words of a message that is no more than a finding: "hums loudly"."""
MOST = 400
"""Words of a message that are looked at."""
INFLECTED = 7
"""Letters of a word that is still the same word as another with the same stem: "breakfast" is no breaker."""
_READ = re.compile(r"[a-z]{1,3}-?\d{1,4}|\d{1,3}[a-z]{1,2}|\d{1,3}[.,]\d{1,3}")
"""What an instrument or a display shows: "e4", "11.8"."""
_NAMED = re.compile(r"\d|(?<=.)[A-Z]")
"""What a name or a message on a display has: "Suburban SW6DE", "NO COMM"."""
_MARKS = re.compile(r"[,;:()]| [-\u2013\u2014] ")
_EDGES = " .,;:!?()-\u2013\u2014\u00bf\u00a1"


class About(NamedTuple):
    """What the open question is about, in words cut to their lemmas."""

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


def remark(reading: Reading, about: About) -> tuple[str, Span] | None:
    """The rule and the words by which a message is a remark."""
    if any(not wondered(reading, cue) for family in SETTLED for cue in reading.all(family)) or _plainly(reading):
        return None
    told = [cue for cue in reading.all("elsewhere") if not _of_the_trade(reading, cue, about)] + reading.all("later")
    aside = [cue for cue in told if not cue.id.endswith(".laugh")]  # who laughs may still report
    sorts = _sorts(reading, about, told)
    asides: list[tuple[str, Span]] = []
    nod = empty = None
    for clause in clauses(reading):
        here = [cue for cue in told if cue.start < clause[1] and clause[0] < cue.end]
        if _empty(reading, clause):
            empty = empty or clause
            continue
        weighed = _weighed(reading, clause, sorts)
        if _answers(reading, clause, weighed, beside=any(cue in aside for cue in here)):
            return None
        if here:
            asides.append((here[0].id, here[0].span))
        elif _may_answer(reading, clause, weighed, about):
            nod = nod or clause
        else:
            asides.append(("remark.people" if weighed.people else "remark.unrelated", clause))
    if asides:
        return asides[0]
    return ("remark.empty", empty) if empty and not nod else None


def _plainly(reading: Reading) -> bool:
    """Whether a message holds what nothing but an answer holds: a reading of an instrument, a finding in a few words, a
    yes or a no."""
    read = reading.find(measures)
    if any(measure.unit in INSTRUMENT or (not measure.unit and measure.value % 1) for measure in read):
        return True
    brief = len(reading.tokens) <= BRIEF and not reading.has("elsewhere", "later", "person")
    if brief and reading.has(*FINDINGS) and not _nods(reading):
        return True
    said = reading.first("yes", "no")
    if said is None or any(cue.start <= said.start < cue.end for cue in reading.all("elsewhere")):
        return False
    alone = said.end >= len(reading.folded.rstrip(_EDGES))
    return alone or (_said(reading) is not None and reading.folded[said.end : said.end + 1] in ".,;!")


def _nods(reading: Reading) -> bool:
    """Whether a message goes on after an "ok" that says no more than that it was heard."""
    first = reading.folded[slice(*reading.tokens[0])]
    return len(reading.tokens) > 1 and first in reading.reader.phrases("remark", "empty")


def _said(reading: Reading) -> Span | None:
    """The yes that a message begins with, or the no, unless it is a mere nod: "ok", "right"."""
    said = reading.first("yes", "no")
    nods = reading.reader.phrases("remark", "nods")
    return said.span if said is not None and reading.folded[slice(*said.span)] not in nods else None


def _answers(reading: Reading, clause: Span, weighed: Weighed, *, beside: bool) -> bool:
    """Whether a clause is the result of a check. Beside talk of something else it must be about the step ("the vent had
    a bird nest"), or tell what somebody says of the machine: "the customer says it never worked"."""
    said = weighed.asked + weighed.found
    if beside and reading.has("told_by"):
        return said > 0
    if beside:
        return weighed.asked > 0 and said > 1 + weighed.people
    if weighed.people and said < ENOUGH and not _cues(reading, clause, "doing", "told_by"):
        return False  # "I'm at the pump"
    return said > 0 and weighed.foreign <= said + (0 if weighed.people else weighed.asked)


def _may_answer(reading: Reading, clause: Span, weighed: Weighed, about: About) -> bool:
    """Whether a clause can be an answer where nothing else is said beside it: "a bit", "same as before", "kaput"."""
    if weighed.asked + weighed.found:
        return False
    if weighed.foreign:
        named = about.free and len(reading.tokens) <= NAME and _NAMED.search(reading.text)
        return not weighed.people and (len(reading.tokens) <= SHORT or bool(named))
    return not weighed.people or _points(reading, clause) or _thinks(reading, clause)


def _sorts(reading: Reading, about: About, told: list[Cue]) -> dict[int, str]:
    """The sort of each word that has one, by where it begins. Words of talk of something else have none."""
    reader = reading.reader
    small = reader.phrases("remark", "small")
    marked = {name: _marked(reading, families) for name, families in SORTS}
    figures = {number.span[0] for number in reading.find(numbers) if number.unit not in ("h", "d", "people", "$")}
    apart = _marked(reading, told)
    agreed = _said(reading)
    found: dict[int, str] = {}
    for start, end in reading.tokens[_nods(reading) : MOST]:
        word = reading.folded[start:end]
        stem = frozenset[str]() if word in small else _lemmas(reading, word)
        if start in apart:
            found[start] = "apart"
        elif start in marked["people"]:
            found[start] = "people"
        elif stem & about.step or (agreed and agreed[0] <= start < agreed[1]):
            found[start] = "asked"
        elif start in marked["found"] or stem & about.parts or _READ.fullmatch(word):
            found[start] = "found"
        elif start in figures:
            found[start] = "figure"
        elif start in marked["vague"] or stem & about.known:
            found[start] = "vague"
        elif stem and not word.isdigit():
            found[start] = "found" if _misspelt(word, reader.phrases("remark", "spelled")) else "foreign"
    return found


def _misspelt(word: str, spelled: frozenset[str]) -> bool:
    """Whether a word is one of the bench's with a slip in it: "corosion"."""
    if len(word) < SLIP:
        return False
    alike = _by_letter(spelled).get(word[0], ())
    return process.extractOne(word, alike, scorer=OSA.distance, score_cutoff=1 if len(word) < LONG else 2) is not None


@lru_cache(maxsize=8)
def _by_letter(words: frozenset[str]) -> dict[str, list[str]]:
    """Words by the letter that they begin with: slips seldom are in the first."""
    found: dict[str, list[str]] = {}
    for word in sorted(words):
        found.setdefault(word[0], []).append(word)
    return found


def _weighed(reading: Reading, clause: Span, sorts: dict[int, str]) -> Weighed:
    """How many words of each sort a clause has. A bare figure is a result where little else is said."""
    here = [sorts.get(start, "") for start, _ in reading.tokens if clause[0] <= start < clause[1]]
    counts = {name: here.count(name) for name in Weighed._fields}
    counts["found" if len(here) <= BARE else "vague"] += here.count("figure")
    return Weighed(**counts)


def beyond(reading: Reading, span: Span, about: About) -> bool:
    """Whether some words name nothing that a check could find: "the crank handle", but not "spark"."""
    sorts = _sorts(reading, about, [])
    named = [sorts.get(start) for start, _ in reading.tokens if span[0] <= start < span[1]]
    return "foreign" in named and not {"asked", "found", "figure"} & set(named)


def clauses(reading: Reading) -> Iterator[Span]:
    """The parts of a message between marks and joining words."""
    joins = reading.reader.phrases("remark", "joins")
    for start, end in reading.find(sentences):
        ends = [mark.start() for mark in _MARKS.finditer(reading.folded, start, end)]
        ends += [s for s, e in reading.tokens if start < s < end and reading.folded[s:e] in joins]
        bounds = [start, *sorted(ends), end]
        yield from ((s, e) for s, e in pairwise(bounds) if reading.folded[s:e].strip(_EDGES))


def _marked(reading: Reading, cues: Iterable[str] | list[Cue]) -> frozenset[int]:
    """Where the words of some cues, or of all of some families, begin."""
    spans = [c.span for cue in cues for c in (reading.all(cue) if isinstance(cue, str) else [cue])]
    return frozenset(s for s, _ in reading.tokens if any(start <= s < end for start, end in spans))


def _of_the_trade(reading: Reading, cue: Cue, about: About) -> bool:
    """Whether a single word that could be talk is one of the step's own: the sun matters to a solar panel."""
    word = reading.folded[slice(*cue.span)]
    return " " not in word and len(word) <= INFLECTED and bool(_lemmas(reading, word) & (about.step | about.parts))


def _cues(reading: Reading, clause: Span, *families: str) -> bool:
    return any(clause[0] <= cue.start < clause[1] for family in families for cue in reading.all(family))


def _points(reading: Reading, clause: Span) -> bool:
    """Whether a clause has a word that may stand for what is being checked."""
    pointing = reading.reader.phrases("remark", "pointing")
    return any(reading.folded[s:e] in pointing for s, e in reading.tokens if clause[0] <= s < clause[1])


def _thinks(reading: Reading, clause: Span) -> bool:
    """Whether a clause says what somebody thinks or perceives: "I think so"."""
    senses = reading.reader.phrases("remark", "senses")
    return any(reading.folded[s:e] in senses for s, e in reading.tokens if clause[0] <= s < clause[1])


def _empty(reading: Reading, clause: Span) -> bool:
    """Whether a clause says nothing at all: "hold on", "by the way"."""
    text = reading.folded[slice(*clause)].strip(_EDGES)
    empty = reading.reader.phrases("remark", "empty") | reading.reader.phrases("remark", "joins")
    return text in empty or all(word.strip(_EDGES) in empty for word in text.split())


def _lemmas(reading: Reading, text: str) -> frozenset[str]:
    return lemmas(text, reading.reader.phrases("stop", "words"))
