"""Fits what an agent hears in one kind of talk (`holdfast.reading.model.hearing`) on talks that their writers marked.

A row is a message of a person, `P kinds: text`, with marks of what its words give: `{facet:words}`, a sign before the
facet says how it stands, `{facet=names:words}` what is pointed at. `A:` is what the agent said before; `=` begins a
talk.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping
from itertools import chain
from pathlib import Path
from typing import Any, NamedTuple

from holdfast.reading.model import hearing
from holdfast.reading.model.features import tag_features
from holdfast.reading.model.hearing import OUT, Hearing, Run, Told
from holdfast.reading.model.scorer import Scorer, Trained, save
from training.aims import made
from training.corpus import RowError, rows
from training.examples import Example
from training.fit import EXACTNESS, MEANT, STRENGTH, fit, joined

ELSEWHERE = 12
"""Of what was said in other talk, every so many-th message is learned from."""
HOUSE = 8
"""How often each sentence of our own (`house.txt`) counts."""
APART = 0.25
"""What a word of a message of other talk weighs."""
DOING = 0.1
"""How far the scorers of what a message does may follow their examples, where there are many."""
STRENGTH |= {"facet": 1.0, "stands": 1.0}
EXACTNESS["facet"] = 1e-4
_MARK = re.compile(r"\{([!?~-]?)(\w+)(?:=([^:{}]*))?:([^{}]*)\}")
_SAID = re.compile(r"P ([a-z,]+): (.*)")


class Mark(NamedTuple):
    start: int
    end: int
    facet: str
    stands: str
    means: tuple[str, ...]
    """What is pointed at, in the agent's words."""


class Said(NamedTuple):
    """A message with its marks."""

    asked: str
    text: str
    kinds: tuple[str, ...]
    marks: list[Mark]
    shown: tuple[str, ...] = ()
    """The names of what the agent showed before it."""
    told: str = ""
    """What the person said before."""


class Talk(NamedTuple):
    """A kind of talk: what is heard in it, and how its rows are read."""

    hearing: Hearing
    stands: Mapping[str, str]
    """How marks stand, by their sign."""
    read: Callable[[Said], Told]
    elsewhere: Callable[[Any], bool]
    """Whether a row of the corpus is other talk, and gives nothing here."""
    framing: int = 1
    """How often each sentence of our own counts for what messages do."""
    doing: float = DOING
    """How far the scorers of what a message does may follow their examples."""

    def talks(self, path: Path, shown: Callable[[str, bool], tuple[str, ...]]) -> Iterator[list[Said]]:
        """The talks of a file; `shown` finds the names of what the agent shows, and is told where a talk begins."""
        talk: list[Said] = []
        asked, names = "", shown("", True)
        for line in (*path.read_text(encoding="utf-8").splitlines(), "="):
            if line.strip() == "=":
                if talk:
                    yield talk
                talk, asked, names = [], "", shown("", True)
            elif line.startswith("A:"):
                asked = line[2:].strip().replace(" • ", "\n• ").replace("\\n", "\n")  # lists stand in one line
                names = shown(asked, False)
            elif said := _SAID.match(line):
                text, marks = self.unmarked(said[2].strip())
                talk.append(Said(asked, text, tuple(said[1].split(",")), marks, names, talk[-1].text if talk else ""))
                asked = ""

    def unmarked(self, line: str) -> tuple[str, list[Mark]]:
        text, marks, at = "", [], 0
        for mark in _MARK.finditer(line):
            text += line[at : mark.start()]
            if mark[2] not in self.hearing.facets:
                raise RowError(f"unknown facet in {mark[0]!r}: known are {', '.join(self.hearing.facets)}")
            means = tuple(name.strip() for name in (mark[3] or "").split(";") if name.strip())
            marks.append(Mark(len(text), len(text) + len(mark[4]), mark[2], self.stands[mark[1]], means))
            text += mark[4]
            at = mark.end()
        return text + line[at:], marks

    def led_by(self, judge: Scorer, said: Told) -> Told:
        """A message with what a scorer takes it to do."""
        judgement = judge.judge(hearing.kind_features(said, False))
        return self.hearing.led(said, {kind: judgement.yes(kind) for kind in self.hearing.kinds})

    def as_led(self, said: Told, one: Said) -> Told:
        return said._replace(led=tuple(kind for kind in self.hearing.leading if kind in one.kinds))

    def facet_examples(self, said: Told, marks: list[Mark]) -> Iterator[Example]:
        right, previous = tags(said, marks), OUT
        for start, end, act in said.clauses:
            for place in range(start, end):
                features = hearing.tagged(said, place, start, end, act)
                yield Example([*features, *tag_features(previous, said.tokens[place])], right[place])
                previous = right[place]

    def fitted(self, paths: Iterable[Path], talks: Callable[[Path], Iterable[list[Said]]]) -> list[Trained]:
        """What words give, and how that stands."""
        weigh = [(path, HOUSE if path.stem == "house" else 1) for path in paths]
        read = [
            (self.as_led(self.read(one), one), one.marks)
            for path, times in weigh
            for _ in range(times)
            for one in chain.from_iterable(talks(path))
        ]
        others = [
            self.read(Said(row.asked, row.text, (), [], (), row.told))
            for number, row in enumerate(rows("train"))
            if number % ELSEWHERE == 0 and self.elsewhere(row)
        ]
        print(len(read), "messages,", len(others), "from elsewhere", flush=True)
        empty = [one._replace(weight=APART) for said in others for one in self.facet_examples(said, [])]
        return [
            fit("facet", [*empty, *(one for said, marks in read for one in self.facet_examples(said, marks))]),
            fit("stands", [one for said, marks in read for one in stands_examples(said, marks)]),
        ]

    def kinds_fitted(self, seen: list[tuple[list[str], tuple[str, ...]]]) -> Trained:
        """What messages do, by what is looked at in them."""
        for kind in self.hearing.kinds:
            STRENGTH.setdefault(kind, self.doing)
            MEANT.setdefault(kind, ("w",))
        heads = [
            fit(kind, [Example(features, "yes" if kind in kinds else "no") for features, kinds in seen])
            for kind in self.hearing.kinds
        ]
        return joined("wants", heads)

    def kinds_measured(self, judge: Scorer, read: list[tuple[Told, Said]]) -> None:
        kinds: dict[str, Score] = defaultdict(Score)
        for number, (said, one) in enumerate(read):
            decided = judge.judge(hearing.kind_features(said, bool(one.shown)))
            for kind in self.hearing.kinds:
                found = {number} if decided.yes(kind) >= 0 else set()
                kinds[kind] = kinds[kind].plus(found, {number} if kind in one.kinds else set())
        print("; ".join(f"{kind} {score}" for kind, score in kinds.items()))

    def measure(self, tagger: Scorer, judge: Scorer, read: Iterable[tuple[Told, Said]]) -> dict[str, Score]:
        """Precision and recall of each facet, by whole stretches of words, and of all with the way they stand."""
        facets: dict[str, Score] = defaultdict(Score)
        for said, one in read:
            found, wanted = _found(said, tagger, judge, self.hearing.bold), _wanted(said, one.marks)
            for facet in {mark[2] for mark in found | wanted}:
                facets[facet] = facets[facet].plus(
                    {mark[:3] for mark in found if mark[2] == facet}, {mark[:3] for mark in wanted if mark[2] == facet}
                )
            facets["with how they stand"] = facets["with how they stand"].plus(found, wanted)
        return facets


def course(
    talk: Talk, talks: Callable[[Path], Iterable[list[Said]]], rows: Path, model: Path, kept_out: Collection[str]
) -> None:
    """Fit what is heard in a kind of talk on all of its writers and write it into a file; where some are kept out, say
    what it makes of those instead."""
    paths = sorted(rows.glob("*.txt"))
    taught = [path for path in paths if path.stem not in kept_out]

    def read(path: Path) -> list[tuple[Told, Said]]:
        return [(talk.read(one), one) for one in chain.from_iterable(talks(path))]

    often = [path for path in taught for _ in range(talk.framing if path.stem == "house" else 1)]
    seen = [(hearing.kind_features(said, bool(one.shown)), one.kinds) for path in often for said, one in read(path)]
    scorers = [talk.kinds_fitted(seen), *talk.fitted(taught, talks)]
    if not kept_out:
        save(model, scorers)
        print(f"{model.name}: {model.stat().st_size / 1e6:.2f} MB")
        return
    judge, tagger, stands = map(made, scorers)
    for path in (path for path in paths if path.stem in kept_out):
        talk.kinds_measured(judge, read(path))
        scores = talk.measure(tagger, stands, [(talk.led_by(judge, said), one) for said, one in read(path)])
        print(path.stem, "; ".join(f"{facet} {score}" for facet, score in sorted(scores.items())))


def inside(said: Told, mark: Mark) -> list[int]:
    """The places of the tokens of a mark."""
    return [place for place, token in enumerate(said.tokens) if mark.start <= token.start < mark.end]


def tags(said: Told, marks: list[Mark]) -> list[str]:
    found = [OUT] * len(said.tokens)
    for mark in marks:
        for place, n in enumerate(inside(said, mark)):
            found[n] = f"{'in' if place else 'begin'} {mark.facet}"
    return found


def stands_examples(said: Told, marks: list[Mark]) -> Iterator[Example]:
    for mark in marks:
        if places := inside(said, mark):
            others = [other.facet for other in marks if other is not mark]
            yield Example(hearing.judged(said, Run(places[0], places[-1] + 1, mark.facet), others), mark.stands)


class Score(NamedTuple):
    """What was found of what is there."""

    found: int = 0
    there: int = 0
    right: int = 0

    def plus(self, told: set[Any], wanted: set[Any]) -> Score:
        return Score(self.found + len(told), self.there + len(wanted), self.right + len(told & wanted))

    def __str__(self) -> str:
        return f"{self.right / max(1, self.found):.0%}/{self.right / max(1, self.there):.0%}"


def _found(said: Told, tagger: Scorer, judge: Scorer, bold: int) -> set[tuple[int, int, str, str]]:
    found = hearing.runs(said, tagger, bold)
    others = [[o.facet for o in found if o != run] for run in found]
    stands = [judge.score(hearing.judged(said, run, own)).best for run, own in zip(found, others, strict=True)]
    return {(run.first, run.last, run.facet, how) for run, how in zip(found, stands, strict=True)}


def _wanted(said: Told, marks: list[Mark]) -> set[tuple[int, int, str, str]]:
    places = [(inside(said, mark), mark) for mark in marks]
    return {(at[0], at[-1] + 1, mark.facet, mark.stands) for at, mark in places if at}
