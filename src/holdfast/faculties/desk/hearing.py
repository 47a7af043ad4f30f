"""What each clause of a message is to the open question: an answer, a finding beside it, a question, "later", "cannot",
or talk.

A linear scorer over whole numbers decides (`answers.bin`, made by `training/desk.py`). It sees the words of the clause
and of the question, and what the tables and the lexicon recognise in them: a reading in the unit that is asked for, the
part that the question is about or another one, a state, a yes. Nothing here knows a word of any language.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator
from functools import cache, partial
from itertools import pairwise
from typing import NamedTuple

from holdfast.faculties.desk.library import Library, Step, lemma
from holdfast.faculties.desk.signals import measures, named_parts, parts
from holdfast.reading.model import scorer
from holdfast.reading.model.clauses import decided
from holdfast.reading.model.features import asked_features, clause_features
from holdfast.reading.model.scorer import Decided, Scorer
from holdfast.reading.model.tokens import Token, tokens, tokens_of
from holdfast.reading.reader import Reader, Reading, Span
from holdfast.reading.values import numbers

_FILE = os.path.join(os.path.dirname(__file__), "answers.bin")
CUES = (
    *("found", "damage", "site", "bad", "fault", "repair_done", "changing", "placing", "repair_needed", "restored"),
    *("not_restored", "not_working", "working", "checked", "direct_power", "runs", "not_runs", "in_order", "unwell"),
    *("symptom", "absent", "no_reading", "beyond_range", "quantity", "topic", "key_finding", "yes", "no", "negation"),
    *("system", "complaint", "another", "locate", "explain", "howto", "help", "later", "flow", "go_on", "already"),
    *("pushback", "unable", "lacks", "dispute", "changed", "fix", "politeness", "labor_word", "labor_change"),
    *("before_case", "guessed", "all_well"),
)
"""Families of cues that the scorer is told of."""
KINDS = ("reading", "state", "kind", "code")
"""What can answer a step: a figure with its unit, how something is (a yes or a no among it), which of several it is,
what a display shows."""
KIND = {"yes_no": "state", "finding": "state", "choice": "kind"} | {kind: kind for kind in KINDS}
"""What the scorer tells apart, by what a step says."""
UNITS = {"v": "V", "ohm": "ohm", "inwc": "inWC", "mv": "mV", "a": "A", "deg": "°"}
"""Unit of a quantity that is called by its name."""
INSTRUMENT = frozenset({"V", "mV", "A", "ohm", "inWC", "psi", "mA", "Hz"})
"""Units that nothing but an instrument gives."""
SORTS = ("states", "qualities", "acts", "tells", "people")
"""Sorts of words of the bench."""
MAX_TOKENS = 200


class Asked(NamedTuple):
    """What the open question asks for, as far as it bears on what answers it."""

    answer: str = "finding"
    """The kind of its answer, as the step says."""
    unit: str | None = None
    words: frozenset[str] = frozenset()
    parts: frozenset[str] = frozenset()
    hints: tuple[str, ...] = ("q0",)


class Bench:
    """The words of the bench: how things are there, what is done and told. Use as `reader.made(Bench)`."""

    def __init__(self, reader: Reader, language: str | None) -> None:
        self._whole: dict[str, set[str]] = {}
        self._begun: dict[str, tuple[str, ...]] = {}
        for sort in SORTS:
            words = reader.phrases("bench", sort)
            self._whole[sort] = {word for word in words if not word.endswith("*")}
            self._begun[sort] = tuple(sorted(word[:-1] for word in words if word.endswith("*")))

    def has(self, sort: str, word: str) -> bool:
        """Whether a word is of a sort, in whatever form."""
        return lemma(word) in self._whole[sort] or word.startswith(self._begun[sort])

    def cues(self, found: list[Token]) -> Iterator[str]:
        """How many words of each sort a clause has, and whether it has others."""
        words = [token.word for token in found if token.shape not in ".0"]
        rest = len(words)
        for sort in SORTS:
            count = sum(self.has(sort, word) for word in words)
            rest -= count
            if count:
                yield f"{sort}={min(count, 3)}"
                yield f"c={sort}"
        yield f"rest={max(min(rest, 4), 0)}"


class Heard(NamedTuple):
    """A clause, what it is, and how far that leads over anything else."""

    span: Span
    does: str
    lead: int
    answer: int
    """How far an answer leads over anything else, or falls behind."""
    decided: Callable[[], Decided]
    """The same for the record."""


def asked_at(step: Step, language: str | None, reader: Reader, library: Library) -> Asked:
    """The question of a step as the scorer sees it. A part is its own when the question or its label names it."""
    key = (step.id, language)
    known: dict[tuple[str, str | None], Asked] = reader.made(_Known)
    if key not in known:
        figure = library.figures.get(step.expects or "")
        question = step.in_(language)
        said = reader.read(f"{question} {step.part.in_(language)}")
        stop = reader.phrases("stop", "words")
        known[key] = _asked(question, said, KIND[step.answer], figure.unit if figure else None, stop)
    return known[key]


class _Known(dict[tuple[str, str | None], Asked]):
    """The questions that were looked at already. Use as `reader.made(_Known)`."""

    def __init__(self, reader: Reader, language: str | None) -> None:
        super().__init__()


def asked_in_words(said: Reading, question: str, stop: frozenset[str]) -> Asked:
    """A question that no step asks: what answers it is told by its words."""
    quantity = said.first("quantity")
    unit = UNITS.get(quantity.means) if quantity is not None else None
    kind = "reading" if quantity is not None else "code" if said.has("topic") and _codes(said) else "state"
    return _asked(question, said, kind, unit, stop)


def _codes(said: Reading) -> bool:
    return any(cue.means == "error_code" for cue in said.all("topic"))


def loose(question: str, stop: frozenset[str]) -> Asked:
    """A question of some other conversation than one at the desk."""
    words = frozenset(lemma(token.word) for token in tokens(question) if token.word not in stop)
    return Asked("any", None, words, frozenset(), tuple(asked_features(tokens(question))))


def _asked(question: str, said: Reading, answer: str, unit: str | None, stop: frozenset[str]) -> Asked:
    named = frozenset(cue.means for cue in said.all("part"))
    return loose(question, stop)._replace(answer=answer, unit=unit, parts=named)


def features(said: Reading, found: list[Token], span: Span, place: int, count: int, asked: Asked) -> list[str]:
    """A clause as the scorer sees it; `said` is its reading, `found` the tokens of the message, `span` its own."""
    made = list(clause_features(found, *span, place, count, asked.hints))
    cues = list(_cues(said, found[slice(*span)], asked))
    stems = [lemma(token.word) for token in found[slice(*span)] if token.shape not in ".0"]
    made += [f"m={stem}" for stem in dict.fromkeys(stems)]
    made += [f"mm={one} {two}" for one, two in pairwise(stems)]
    return made + cues + [f"{asked.answer}|{cue}" for cue in cues]


def _cues(said: Reading, found: list[Token], asked: Asked) -> Iterator[str]:
    """What the tables and the lexicon recognise in a clause."""
    for family in CUES:
        if said.has(family) and said.all(family):
            yield f"c={family}"
    yield from _figures(said, asked)
    yield from said.reader.made(Bench).cues(found)
    named = {part.id for part in said.find(parts)}
    placed = said.find(named_parts)
    yield "part=" + ("own" if named & asked.parts else "other" if placed else "anywhere" if named else "none")
    words = [token.word for token in found if token.shape != "."]
    shared = sum(lemma(word) in asked.words for word in words)
    yield f"shared={min(shared, 3)}"
    yield f"shared={'all' if shared == len(words) else 'some' if shared else 'none'} {min(len(words), 4)}"


def _figures(said: Reading, asked: Asked) -> Iterator[str]:
    units = {measure.unit for measure in said.find(measures)}
    if asked.unit is not None and asked.unit in units:
        yield "figure=asked"
    if units & INSTRUMENT:
        yield "figure=instrument"
    if None in units or any(number.unit is None and number.value != 1 for number in said.find(numbers)):
        yield "figure=bare"  # "one of these" is no figure
    if units - INSTRUMENT - {None}:
        yield "figure=other"


class Hearing:
    """The scorer, with the words it knows."""

    def __init__(self, scored: Scorer) -> None:
        self._scorer = scored

    def hear(self, reading: Reading, spans: list[Span], asked: Asked) -> list[Heard]:
        """What each of some clauses of a message is."""
        found = reading.find(tokens_of)[:MAX_TOKENS]
        heard = []
        for place, (start, end) in enumerate(spans):
            inside = [at for at, token in enumerate(found) if start <= token.start < end]
            if not inside:
                continue
            said = reading if len(spans) == 1 else reading.reader.read(reading.words((start, end)))
            made = features(said, found, (inside[0], inside[-1] + 1), place, len(spans), asked)
            heard.append(self._heard((start, end), made, found[inside[0] : inside[-1] + 1]))
        return heard

    def _heard(self, span: Span, made: list[str], found: list[Token]) -> Heard:
        scores = dict(zip(self._scorer.classes, self._scorer.scores(made), strict=True))
        best = max(scores, key=lambda name: (scores[name], name))
        rest = max(score for name, score in scores.items() if name != best)
        others = max(score for name, score in scores.items() if name != "answer")
        lead = scores[best] - rest
        told = partial(decided, self._scorer, made, found, best, lead)
        return Heard(span, best, lead, scores["answer"] - others, told)


@cache
def hearing() -> Hearing:
    """The scorer that comes with Holdfast, loaded when somebody first asks."""
    return Hearing(scorer.load(_FILE)["desk"])
