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
from holdfast.reading.model.clauses import understand
from holdfast.reading.model.hearing import Told
from training.hearing import Said, Talk, course

HOME = Path(__file__).parent.parent
ROWS = HOME / "corpus/making"
MODEL = HOME / "src/holdfast/agents/making/heard.bin"
KEPT_OUT = ("g02", "g05", "g07")
"""Writers that nothing is learned from."""
STANDS = {"": "wanted", "?": "asked", "-": "dropped", "~": "told"}


def talks(path: Path) -> Iterator[list[Said]]:
    return TALK.talks(path, lambda asked, begins: ())


def read_(one: Said) -> Told:
    """A message as it is listened to: by itself, as its parts are when it is taken apart."""
    reading = reader().read(one.text)
    return told(reading, understand(one.text, "", reading.language), "")


def elsewhere(row: Any) -> bool:
    """Whether a writer wanted nothing made."""
    return {clause.act for clause in row.clauses}.isdisjoint(("requests", "instructs", "corrects"))


TALK = Talk(HEARING, STANDS, read_, elsewhere)


def main(kept_out: str = "") -> None:
    course(TALK, talks, ROWS, MODEL, KEPT_OUT if kept_out else ())


if __name__ == "__main__":
    main(*sys.argv[1:])
