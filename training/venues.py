"""Fits what `vibehuntr` hears in a message: the facets of a search or a plan, and how each stands; what the message
wants, and what its questions are about.

    python -m training.venues          fit
    python -m training.venues dev      what it hears of the writers kept out

The rows are `corpus/venues`: talks with an assistant that finds places and plans evenings, marked by their writers.
"""

from __future__ import annotations

import sys
from collections.abc import Iterable, Iterator
from functools import cache
from itertools import count
from pathlib import Path
from typing import Any

from holdfast import Holdfast
from holdfast.packs.vibehuntr import PACK, heard, wants
from holdfast.reading.model import hearing
from holdfast.reading.model.hearing import Told
from holdfast.reading.model.scorer import Scorer, Trained, save
from training.aims import made
from training.examples import Example
from training.fit import MEANT, STRENGTH, fit
from training.hearing import Mark, Said, Talk, inside

HOME = Path(__file__).parent.parent
ROWS = HOME / "corpus/venues"
MODEL = HOME / "src/holdfast/packs/vibehuntr/heard.bin"
WANTS = HOME / "src/holdfast/packs/vibehuntr/wants.bin"
TOPICS = ROWS / "topics.txt"
KEPT_OUT = ("v03", "v04", "v05")
"""Writers that nothing is learned from."""
STANDS = {"": "wanted", "!": "planned", "?": "asked", "-": "dropped", "~": "told"}
STRENGTH |= {"topic": 2.0, "asks": 1.0}
MEANT |= {"topic": ("w", "v"), "asks": ("w", "v")}
TAUGHT, SILENT = 3.0, 0.25
"""What a row of `topics.txt` weighs, and a clause that asks nothing: there are many of those."""
BY_FACET = {"price": "cost", "area": "where", "city": "where", "when": "hours", "what": "dish", "meal": "dish"}
"""What is asked for by words that give something else than a wish."""
ENGINE = Holdfast(pack="vibehuntr")
_numbers = count()
SOUGHT = frozenset("place area cuisine dish venue wish price party date time from to item".split())
"""Attributes of the corpus that are looked for."""


def talks(path: Path) -> Iterator[list[Said]]:
    """The talks of a file, with the names that the engine finds in what the agent shows."""
    chats = [ENGINE.session(path.stem)]

    def shown(asked: str, begins: bool) -> tuple[str, ...]:
        if begins:
            chats[:] = [ENGINE.session(f"{path.stem} {next(_numbers)}")]
        else:
            chats[0].say(asked)
        return tuple(entity.name for entity in chats[0].state.references.entities)

    return TALK.talks(path, shown)


def writers(kept_out: bool) -> list[Path]:
    return [path for path in sorted(ROWS.glob("*.txt")) if path.stem[0] in "vh" and (path.stem in KEPT_OUT) == kept_out]


def read_(one: Said) -> Told:
    reading = PACK.reader.read(one.text)
    return heard.told(reading, reading.after(one.asked, one.told), one.asked, one.shown)


def elsewhere(row: Any) -> bool:
    """Whether a writer looked for nothing: there no word gives anything."""
    heads = {claim.attribute.partition("/")[0] for clause in row.clauses for claim in clause.claims}
    acts = {clause.act for clause in row.clauses}
    return heads.isdisjoint(SOUGHT) and acts.isdisjoint(("requests", "chooses", "rejects"))


TALK = Talk(heard.HEARING, STANDS, read_, elsewhere)


@cache
def topics() -> list[tuple[str, str]]:
    """Ways to ask something of a place, and what they ask for."""
    lines = [line for line in TOPICS.read_text(encoding="utf-8").splitlines() if line and line[0] != "#"]
    told = [line.partition(": ") for line in lines]
    return [(text.strip(), topic) for topic, _, texts in told for text in texts.split("|")]


def topic_examples(read: list[tuple[Told, Said]]) -> Iterator[Example]:
    """What words that ask are about."""
    for said, one in read:
        for mark, topic in _asked(one):
            if places := inside(said, mark):
                yield Example(wants.topic_features(said, places[0], places[-1] + 1, mark.facet), topic)


def clause_examples(read: list[tuple[Told, Said]]) -> Iterator[Example]:
    """What clauses ask, if they ask anything."""
    for said, one in read:
        asked = _asked(one)
        for start, end, _ in said.clauses:
            first, last = said.tokens[start].start, said.tokens[end - 1].end
            told = [topic for mark, topic in asked if first <= mark.start < last]
            if told or "ask" not in one.kinds:
                topic, weight = (told[-1], 1.0) if told else (wants.NOTHING, SILENT)
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
    seen = [(hearing.kind_features(said, bool(one.shown)), one.kinds) for said, one in read]
    asked = [(hearing.kind_features(read_(Said("", text, (), [])), True), ("ask",)) for text, _ in topics()]
    return [
        TALK.kinds_fitted([*seen, *asked]),
        fit("topic", [*topic_examples(read), *taught(("wish", *BY_FACET))]),
        fit("asks", [*clause_examples(read), *taught(("",), TAUGHT)]),
    ]


def wants_measured(judge: Scorer, topic: Scorer, clause: Scorer, paths: list[Path]) -> None:
    """How often it is told right what a message does, and what is asked."""
    read = [(read_(one), one) for path in paths for talk in talks(path) for one in talk]
    TALK.kinds_measured(judge, read)
    for scorer, examples in ((topic, topic_examples(read)), (clause, clause_examples(read))):
        right = [(scorer.score(one.features).best, one.label) for one in examples]
        sure = [(a, b) for a, b in right if b not in (wants.NOTHING, wants.ELSE)]
        print(scorer.name, f"{sum(a == b for a, b in right)}/{len(right)}; {sum(a == b for a, b in sure)}/{len(sure)}")


def main(kept_out: str = "") -> None:
    paths = writers(False) if kept_out else writers(False) + writers(True)
    asks = wants_fitted(paths)
    if kept_out:
        kinds, topic, clause = map(made, asks)
        wants_measured(kinds, topic, clause, writers(True))
    else:
        save(WANTS, asks)
    tagger, judge = TALK.fitted(paths, talks)
    if not kept_out:
        save(MODEL, [tagger, judge])
        print(f"{MODEL.name}: {MODEL.stat().st_size / 1e6:.2f} MB")
        return
    for path in writers(True):
        read = [(read_(one), one) for talk in talks(path) for one in talk]
        scores = TALK.measure(made(tagger), made(judge), read)
        print(path.stem, "; ".join(f"{facet} {score}" for facet, score in sorted(scores.items())))


if __name__ == "__main__":
    main(*sys.argv[1:])
