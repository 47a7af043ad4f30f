"""Fits what the maker hears: the titles, names, rows and texts that are given for a file, and what a message does.

    python -m training.making          fit
    python -m training.making dev      what it hears of the writers kept out

The rows are `corpus/making`: talks with an assistant that makes small files, marked by their writers.
"""

from __future__ import annotations

import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from holdfast.agents.making.hearing import HEARING, told
from holdfast.agents.making.scenes import reader
from holdfast.reading.model import hearing
from holdfast.reading.model.clauses import understand
from holdfast.reading.model.hearing import Told
from holdfast.reading.model.scorer import save
from training.aims import made
from training.hearing import Said, Talk

HOME = Path(__file__).parent.parent
ROWS = HOME / "corpus/making"
MODEL = HOME / "src/holdfast/agents/making/heard.bin"
KEPT_OUT = ("g02", "g05", "g07")
"""Writers that nothing is learned from."""
STANDS = {"": "wanted", "?": "asked", "-": "dropped", "~": "told"}


def talks(path: Path) -> Iterator[list[Said]]:
    return TALK.talks(path, lambda asked, begins: ())


def writers(kept_out: bool) -> list[Path]:
    return [path for path in sorted(ROWS.glob("*.txt")) if (path.stem in KEPT_OUT) == kept_out]


def read_(one: Said) -> Told:
    """A message as it is listened to: by itself, as its parts are when it is taken apart."""
    reading = reader().read(one.text)
    return told(reading, understand(one.text, "", reading.language), "")


def elsewhere(row: Any) -> bool:
    """Whether a writer wanted nothing made."""
    return {clause.act for clause in row.clauses}.isdisjoint(("requests", "instructs", "corrects"))


TALK = Talk(HEARING, STANDS, read_, elsewhere)


def main(kept_out: str = "") -> None:
    paths = writers(False) if kept_out else writers(False) + writers(True)
    read = [(read_(one), one) for path in paths for talk in talks(path) for one in talk]
    kinds = TALK.kinds_fitted([(hearing.kind_features(said, False), one.kinds) for said, one in read])
    scorers = [kinds, *TALK.fitted(paths, talks)]
    if not kept_out:
        save(MODEL, scorers)
        print(f"{MODEL.name}: {MODEL.stat().st_size / 1e6:.2f} MB")
        return
    judge, tagger, stands = map(made, scorers)
    for path in writers(True):
        read = [(read_(one), one) for talk in talks(path) for one in talk]
        TALK.kinds_measured(judge, read)
        scores = TALK.measure(tagger, stands, read)
        print(path.stem, "; ".join(f"{facet} {score}" for facet, score in sorted(scores.items())))


if __name__ == "__main__":
    main(*sys.argv[1:])
