"""Which clauses of a message answer the open step. A step says what answers it, and closes only on that.

A reading needs a figure in its unit, or a word for none; which kind it is, a kind; a state, a word for how things are.
What the scorer of `hearing.py` takes for talk answers nothing, and neither does what speaks of another part alone.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import pairwise
from typing import NamedTuple

from holdfast.faculties.desk.hearing import INSTRUMENT, KINDS, Asked, Bench, Heard, hearing
from holdfast.faculties.desk.library import lemma
from holdfast.faculties.desk.signals import (
    clauses,
    damage,
    faults,
    key_findings,
    measures,
    named_parts,
    parts,
    repaired,
)
from holdfast.reading.model.clauses import clause_spans
from holdfast.reading.reader import Reading, Span
from holdfast.reading.standing import sentences
from holdfast.reading.values import numbers

STATES = (
    *("in_order", "unwell", "working", "not_working", "runs", "not_runs", "bad", "restored", "no_reading"),
    *("beyond_range", "absent", "yes", "no", "zero", "quantity"),
)
"""Cues that can stand for a reading: "dead", "nothing there", "present"."""
BRIEF, SHORT = 2, 4
"""Words of a message that is no more than a state, and of one that hardly is more."""
LEAST, ANY_LEAST = -8, 16
"""How far an answer must lead over anything else: at a step, and where none is open (an estimate waits)."""
SURE = 48
"""How far talk leads that cannot be anything else."""
DOUBT = -24
"""How far talk may lead where a typed answer is there as well; a unit of the score is 16."""


class Answers(NamedTuple):
    """A message at an open step, clause by clause."""

    heard: tuple[Heard, ...] = ()
    given: tuple[Heard, ...] = ()
    """The clauses that answer."""
    asked: Asked = Asked()

    @property
    def talk(self) -> bool:
        """Whether every clause is plainly talk."""
        return bool(self.heard) and all(clause.does == "aside" and clause.lead > SURE for clause in self.heard)

    def does(self, what: str) -> Heard | None:
        """The clause that most clearly does something."""
        found = [heard for heard in self.heard if heard.does == what]
        return max(found, key=lambda heard: heard.lead) if found else None


def answers(reading: Reading, asked: Asked) -> Answers:
    """What the clauses of a message are to the open question."""
    heard = hearing().hear(reading, reading.find(_spans), asked)
    return Answers(tuple(heard), tuple(_given(reading, heard, asked)), asked)


def _spans(reading: Reading) -> list[Span]:
    """The clauses of a message: those of the reading, cut at ends of sentences, and at marks where one also asks."""
    cuts = {start for start, _ in reading.find(sentences)}
    found: list[Span] = []
    for start, end in reading.find(clause_spans):
        marks = {mark for mark, _ in reading.find(clauses)} if "?" in reading.text[start:end] else set()
        found += pairwise([start, *sorted(cut for cut in cuts | marks if start < cut < end), end])
    return found


def _given(reading: Reading, heard: list[Heard], asked: Asked) -> Iterator[Heard]:
    for clause in heard:
        said = reading if len(heard) == 1 else reading.reader.read(reading.words(clause.span))
        brief = len(heard) > 1 and clause is heard[0] and len(said.tokens) <= SHORT and not said.find(measures)
        led = brief and said.has("yes", "politeness") and not evident_beyond_nod(said)
        talked = led and any(other.does == "aside" and other.lead > SURE for other in heard if other is not clause)
        if answers_with(said, clause, asked) and not talked:
            yield clause  # "ok sorry about that, I'm back" answers nothing


def answers_with(said: Reading, clause: Heard, asked: Asked) -> bool:
    """Whether a clause is of the kind that the question asks for."""
    guessed = bool(said.find(faults)) and bool(said.all("guessed")) and not said.has("no", "negation", "zero")
    if guessed or (clause.does == "asks" and "?" in said.text):
        return False  # a guess at the cause; a question
    if asked.answer == "reading":
        return _reads(said, clause, asked)
    if _measured(said, asked):
        return asked.answer != "kind" or (shares(said, asked) and clause.answer > DOUBT)
    if asked.unit is not None and any(measure.unit in INSTRUMENT for measure in said.find(measures)):
        return False  # an instrument was read, and not for this
    if nods(said) or clause.answer > (LEAST if asked.answer in KINDS else ANY_LEAST):
        return True
    told = clause.does == "finding" or (clause.answer > DOUBT and tells(said))
    return told and asked.answer == "state" and (said.has("found") or not _elsewhere(said, asked))


def _reads(said: Reading, clause: Heard, asked: Asked) -> bool:
    """Whether a clause gives the reading that is asked for, or says that there is none, or that all is well."""
    if nods(said) or (_begins(said) and not _elsewhere(said, asked)):
        return True
    if _measured(said, asked) and (not _elsewhere(said, asked) or clause.answer > DOUBT):
        return True
    if len(said.tokens) <= BRIEF and evident(said) and not said.find(parts):
        return clause.answer > DOUBT  # "closed", "dead quiet": how it is, where a figure was asked for
    read = [number.value for number in said.find(numbers) if number.unit is None]
    if any(value % 1 for value in read) and not _elsewhere(said, asked):
        return True  # nothing but an instrument shows 12.6
    figure = bool(read) or bool(said.find(measures))
    if _elsewhere(said, asked):
        return figure and clause.answer > 0
    named = {part.id for part in said.find(parts)} & asked.parts
    typed = bool(named) or any(said.all(family) for family in STATES if said.has(family))
    return (figure or typed) and clause.answer > LEAST


def _elsewhere(said: Reading, asked: Asked) -> bool:
    """Whether a clause speaks of another part than the question does, and of that alone."""
    named = said.find(named_parts)
    return bool(named) and bool(asked.parts) and not asked.parts & {part.id for part in said.find(parts)}


def shares(said: Reading, asked: Asked) -> bool:
    """Whether a clause has a word of the question, beside the parts that it names."""
    named = [part.span for part in said.find(parts)]
    words = [said.folded[s:e] for s, e in said.tokens if not any(start <= s < end for start, end in named)]
    return any(lemma(word) in asked.words for word in words)


def _measured(said: Reading, asked: Asked) -> bool:
    """Whether an instrument was read, in the unit that the question asks for, if it asks for one."""
    read = [measure for measure in said.find(measures) if measure.unit in INSTRUMENT]
    return any(asked.unit in (None, measure.unit) for measure in read)


def nods(said: Reading) -> bool:
    """Whether a clause is no more than a yes, a no, or that it was done."""
    cues = [cue.span for family in ("yes", "no", "checked") for cue in said.all(family)]
    inside = [any(start <= s < end for start, end in cues) for s, _ in said.tokens]
    return bool(inside) and all(inside) and "?" not in said.text


def _begins(said: Reading) -> bool:
    """Whether a clause begins with a yes or a no, and says how it is after that: "yes it is fine"."""
    word = said.first("yes", "no")
    if word is None or not said.tokens or not word.start <= said.tokens[0][0] < word.end:
        return False
    return any(cue.start >= word.end for family in ("in_order", "working", "runs") for cue in said.all(family))


def evident(said: Reading) -> bool:
    """Whether some words say how something is."""
    if any(said.all(family) for family in STATES if family not in ("yes", "no", "quantity") and said.has(family)):
        return True
    bench = said.reader.made(Bench)
    return any(bench.has("states", said.folded[start:end]) for start, end in said.tokens)


def evident_beyond_nod(said: Reading) -> bool:
    """Whether a clause says how something is in more words than an "ok"."""
    nod = said.first("yes")
    after = nod.end if nod is not None else 0
    bench = said.reader.made(Bench)
    return any(bench.has("states", said.folded[s:e]) for s, e in said.tokens if s >= after) or len(said.tokens) <= 1


def tells(said: Reading) -> bool:
    """Whether some words tell of the machine, whatever was asked: a reading, a fault, a part and how it is."""
    if any(measure.unit in INSTRUMENT for measure in said.find(measures)):
        return True
    hard = [bool(said.find(faults)), bool(said.find(damage)), said.find(repaired) is not None]
    if any(hard) or bool(said.find(key_findings)):
        return True
    return evident(said) and (bool(said.find(parts)) or len(said.tokens) <= SHORT)
