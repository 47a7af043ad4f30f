"""Fits what `vibehuntr` hears in a message: the facets of a search or a plan, and how each stands; what the message
wants, and what its questions are about.

    python -m training.venues          fit
    python -m training.venues dev      what it hears of the writers kept out

The rows are `corpus/venues`: talks with an assistant that finds places and plans evenings, marked by their writers.
"""

from __future__ import annotations

import re
import sys
from collections import defaultdict
from collections.abc import Iterable, Iterator
from functools import cache
from itertools import chain, count
from pathlib import Path
from typing import Any, NamedTuple

from holdfast import Holdfast
from holdfast.packs.vibehuntr import PACK, heard, wants
from holdfast.reading.model.features import tag_features
from holdfast.reading.model.scorer import Scorer, Trained, save
from training.aims import made
from training.corpus import RowError, rows
from training.examples import Example
from training.fit import EXACTNESS, MEANT, STRENGTH, fit, joined

HOME = Path(__file__).parent.parent
ROWS = HOME / "corpus/venues"
MODEL = HOME / "src/holdfast/packs/vibehuntr/heard.bin"
WANTS = HOME / "src/holdfast/packs/vibehuntr/wants.bin"
TOPICS = ROWS / "topics.txt"
KEPT_OUT = ("v03", "v04", "v05")
"""Writers that nothing is learned from."""
ELSEWHERE = 12
"""Of what was said where nothing was looked for, every so many-th message is learned from."""
HOUSE = 8
"""How often each sentence of our own (`house.txt`) counts."""
APART = 0.25
"""What a word of such a message weighs."""
STANDS = {"": "wanted", "!": "planned", "?": "asked", "-": "dropped", "~": "told"}
STRENGTH |= {"facet": 1.0, "stands": 1.0}
STRENGTH |= {"topic": 2.0, "asks": 1.0, **dict.fromkeys(heard.MESSAGES, 0.1)}
EXACTNESS["facet"] = 1e-4
MEANT |= {"topic": ("w", "v"), "asks": ("w", "v"), **dict.fromkeys(heard.MESSAGES, ("w",))}
TAUGHT, SILENT = 3.0, 0.25
"""What a row of `topics.txt` weighs, and a clause that asks nothing: there are many of those."""
BY_FACET = {"price": "cost", "area": "where", "city": "where", "when": "hours", "what": "dish", "meal": "dish"}
"""What is asked for by words that give something else than a wish."""
ENGINE = Holdfast(pack="vibehuntr")
_numbers = count()
SOUGHT = frozenset("place area cuisine dish venue wish price party date time from to item".split())
"""Attributes of the corpus that are looked for."""
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
    """The names of what the agent showed before it, as the engine finds them."""
    told: str = ""
    """What the person said before."""


def talks(path: Path) -> Iterator[list[Said]]:
    talk: list[Said] = []
    asked, chat = "", ENGINE.session(path.stem)
    for line in (*path.read_text(encoding="utf-8").splitlines(), "="):
        if line.strip() == "=":
            if talk:
                yield talk
            talk, asked = [], ""
            chat = ENGINE.session(f"{path.stem} {next(_numbers)}")
        elif line.startswith("A:"):
            asked = line[2:].strip().replace(" • ", "\n• ")  # the rows have lists in one line
            chat.say(asked)
        elif said := _SAID.match(line):
            text, marks = unmarked(said[2].strip())
            shown = tuple(entity.name for entity in chat.state.references.entities)
            talk.append(Said(asked, text, tuple(said[1].split(",")), marks, shown, talk[-1].text if talk else ""))
            asked = ""


def unmarked(line: str) -> tuple[str, list[Mark]]:
    text, marks, at = "", [], 0
    for mark in _MARK.finditer(line):
        text += line[at : mark.start()]
        if mark[2] not in heard.FACETS:
            raise RowError(f"unknown facet in {mark[0]!r}: known are {', '.join(heard.FACETS)}")
        means = tuple(name.strip() for name in (mark[3] or "").split(";") if name.strip())
        marks.append(Mark(len(text), len(text) + len(mark[4]), mark[2], STANDS[mark[1]], means))
        text += mark[4]
        at = mark.end()
    return text + line[at:], marks


def writers(kept_out: bool) -> list[Path]:
    return [path for path in sorted(ROWS.glob("*.txt")) if path.stem[0] in "vh" and (path.stem in KEPT_OUT) == kept_out]


def read_(one: Said) -> heard.Told:
    reading = PACK.reader.read(one.text)
    return heard.told(reading, reading.after(one.asked, one.told), one.asked, one.shown)


def _tokens(said: heard.Told, mark: Mark) -> list[int]:
    """The places of the tokens of a mark."""
    return [place for place, token in enumerate(said.tokens) if mark.start <= token.start < mark.end]


def tags(said: heard.Told, marks: list[Mark]) -> list[str]:
    found = [heard.OUT] * len(said.tokens)
    for mark in marks:
        for place, n in enumerate(_tokens(said, mark)):
            found[n] = f"{'in' if place else 'begin'} {mark.facet}"
    return found


def facet_examples(said: heard.Told, marks: list[Mark]) -> Iterator[Example]:
    right, previous = tags(said, marks), heard.OUT
    for start, end, act in said.clauses:
        for place in range(start, end):
            features = heard.tagged(said, place, start, end, act)
            yield Example([*features, *tag_features(previous, said.tokens[place])], right[place])
            previous = right[place]


def stands_examples(said: heard.Told, marks: list[Mark]) -> Iterator[Example]:
    for mark in marks:
        if inside := _tokens(said, mark):
            others = [other.facet for other in marks if other is not mark]
            yield Example(heard.judged(said, heard.Run(inside[0], inside[-1] + 1, mark.facet), others), mark.stands)


def elsewhere() -> Iterator[Said]:
    """What writers said who looked for nothing: there no word gives anything."""
    for number, row in enumerate(rows("train")):
        heads = {claim.attribute.partition("/")[0] for clause in row.clauses for claim in clause.claims}
        acts = {clause.act for clause in row.clauses}
        if number % ELSEWHERE == 0 and heads.isdisjoint(SOUGHT) and acts.isdisjoint(("requests", "chooses", "rejects")):
            yield Said(row.asked, row.text, (), [], (), row.told)


def fitted(paths: list[Path]) -> list[Trained]:
    read = [
        (read_(one), one.marks)
        for path in paths
        for _ in range(HOUSE if path.stem == "house" else 1)
        for talk in talks(path)
        for one in talk
    ]
    others = [read_(one) for one in elsewhere()]
    print(len(read), "messages,", len(others), "from elsewhere", flush=True)
    empty = [one._replace(weight=APART) for said in others for one in facet_examples(said, [])]
    return [
        fit("facet", [*empty, *(one for said, marks in read for one in facet_examples(said, marks))]),
        fit("stands", [one for said, marks in read for one in stands_examples(said, marks)]),
    ]


@cache
def topics() -> list[tuple[str, str]]:
    """Ways to ask something of a place, and what they ask for."""
    lines = [line for line in TOPICS.read_text(encoding="utf-8").splitlines() if line and line[0] != "#"]
    told = [line.partition(": ") for line in lines]
    return [(text.strip(), topic) for topic, _, texts in told for text in texts.split("|")]


def topic_examples(read: list[tuple[heard.Told, Said]]) -> Iterator[Example]:
    """What words that ask are about."""
    for said, one in read:
        for mark, topic in _asked(one):
            if inside := _tokens(said, mark):
                yield Example(wants.topic_features(said, inside[0], inside[-1] + 1, mark.facet), topic)


def clause_examples(read: list[tuple[heard.Told, Said]]) -> Iterator[Example]:
    """What clauses ask, if they ask anything."""
    for said, one in read:
        asked = _asked(one)
        for start, end, _ in said.clauses:
            first, last = said.tokens[start].start, said.tokens[end - 1].end
            inside = [topic for mark, topic in asked if first <= mark.start < last]
            if inside or "ask" not in one.kinds:
                topic, weight = (inside[-1], 1.0) if inside else (wants.NOTHING, SILENT)
                yield Example(wants.topic_features(said, start, end), topic, weight)


def taught(facets: Iterable[str], weight: float = 1.0) -> Iterator[Example]:
    """What the rows of `topics.txt` teach, with and without a mark of question."""
    for text, topic in topics():
        for form in (text, f"{text}?"):
            said = read_(Said("", form, (), []))
            for facet in facets:
                yield Example(wants.topic_features(said, 0, len(said.tokens), facet), topic, weight)


def _asked(one: Said) -> list[tuple[Mark, str]]:
    """The words of a message that ask, and what they are about."""
    known = dict(topics())
    asked = [mark for mark in one.marks if mark.stands == "asked" and mark.facet not in ("place", "people")]
    words = [one.text[mark.start : mark.end] for mark in asked]
    told = [known.get(text, BY_FACET.get(m.facet, wants.ELSE)) for m, text in zip(asked, words, strict=True)]
    return [*zip(asked, told, strict=True)]


def wants_fitted(paths: list[Path]) -> list[Trained]:
    """What messages do, and what their questions ask for."""
    read = [(read_(one), one) for path in paths if path.stem != "house" for talk in talks(path) for one in talk]
    seen = [(heard.kind_features(said, bool(one.shown)), one.kinds) for said, one in read]
    asked = [(heard.kind_features(read_(Said("", text, (), [])), True), ("ask",)) for text, _ in topics()]
    heads = [
        fit(kind, [Example(features, "yes" if kind in kinds else "no") for features, kinds in [*seen, *asked]])
        for kind in heard.MESSAGES
    ]
    return [
        joined("wants", heads),
        fit("topic", [*topic_examples(read), *taught(("wish", *BY_FACET))]),
        fit("asks", [*clause_examples(read), *taught(("",), TAUGHT)]),
    ]


def wants_measured(judge: Scorer, topic: Scorer, clause: Scorer, paths: list[Path]) -> None:
    """How often it is told right what a message does, and what is asked."""
    read = [(read_(one), one) for path in paths for talk in talks(path) for one in talk]
    kinds: dict[str, Score] = defaultdict(Score)
    for number, (said, one) in enumerate(read):
        judged = judge.judge(heard.kind_features(said, bool(one.shown)))
        for kind in heard.MESSAGES:
            told = {number} if judged.yes(kind) >= 0 else set()
            kinds[kind] = kinds[kind].plus(told, {number} if kind in one.kinds else set())
    print("; ".join(f"{kind} {score}" for kind, score in kinds.items()))
    for scorer, examples in ((topic, topic_examples(read)), (clause, clause_examples(read))):
        right = [(scorer.score(one.features).best, one.label) for one in examples]
        sure = [(a, b) for a, b in right if b not in (wants.NOTHING, wants.ELSE)]
        print(scorer.name, f"{sum(a == b for a, b in right)}/{len(right)}; {sum(a == b for a, b in sure)}/{len(sure)}")


class Score(NamedTuple):
    """What was found of what is there."""

    found: int = 0
    there: int = 0
    right: int = 0

    def plus(self, told: set[Any], wanted: set[Any]) -> Score:
        return Score(self.found + len(told), self.there + len(wanted), self.right + len(told & wanted))

    def __str__(self) -> str:
        return f"{self.right / max(1, self.found):.0%}/{self.right / max(1, self.there):.0%}"


def measure(tagger: Scorer, judge: Scorer, paths: list[Path]) -> None:
    """Precision and recall of each facet, by whole stretches of words, and of all with the way they stand."""
    for path in paths:
        facets: dict[str, Score] = defaultdict(Score)
        for one in chain.from_iterable(talks(path)):
            said = read_(one)
            told, wanted = _told(said, tagger, judge), _wanted(said, one.marks)
            for facet in {mark[2] for mark in told | wanted}:
                facets[facet] = facets[facet].plus(
                    {mark[:3] for mark in told if mark[2] == facet}, {mark[:3] for mark in wanted if mark[2] == facet}
                )
            facets["with how they stand"] = facets["with how they stand"].plus(told, wanted)
        print(path.stem, "; ".join(f"{facet} {score}" for facet, score in sorted(facets.items())))


def _told(said: heard.Told, tagger: Scorer, judge: Scorer) -> set[tuple[int, int, str, str]]:
    found = heard.runs(said, tagger)
    return {
        (
            run.first,
            run.last,
            run.facet,
            judge.score(heard.judged(said, run, [o.facet for o in found if o != run])).best,
        )
        for run in found
    }


def _wanted(said: heard.Told, marks: list[Mark]) -> set[tuple[int, int, str, str]]:
    found = set()
    for mark in marks:
        if inside := _tokens(said, mark):
            found.add((inside[0], inside[-1] + 1, mark.facet, mark.stands))
    return found


def main(kept_out: str = "") -> None:
    asks = wants_fitted(writers(False) if kept_out else writers(False) + writers(True))
    if kept_out:
        kinds, topic, clause = map(made, asks)
        wants_measured(kinds, topic, clause, writers(True))
    else:
        save(WANTS, asks)
    scorers = fitted(writers(False) if kept_out else writers(False) + writers(True))
    if kept_out:
        measure(made(scorers[0]), made(scorers[1]), writers(True))
        return
    save(MODEL, scorers)
    print(f"{MODEL.name}: {MODEL.stat().st_size / 1e6:.2f} MB")


if __name__ == "__main__":
    main(*sys.argv[1:])
