"""Fits what the service desk hears: what words give, how it stands, and what a message does.

    python -m training.bench          fit
    python -m training.bench dev      what it hears of the writers kept out

The rows are `corpus/bench`: talks of technicians with a desk that leads through a diagnosis, marked by their writers.
What frames such words (`corpus/bench/carriers`: "add that …", "… instead of …") is ours, and is filled with what the
writers marked, so that it is learned apart from what it carries.
"""

from __future__ import annotations

import random
import re
import sys
from collections import defaultdict
from collections.abc import Iterator
from functools import partial
from itertools import chain
from pathlib import Path
from typing import Any

from holdfast.faculties.desk.hearing import ASKED, HEARING, NOT, SO, SUPPOSED, told
from holdfast.packs.rv_service_desk import PACK
from holdfast.reading.model.hearing import Told
from training.hearing import Said, Talk, course

HOME = Path(__file__).parent.parent
ROWS = HOME / "corpus/bench"
MODEL = HOME / "src/holdfast/faculties/desk/heard.bin"
KEPT_OUT = ("d06", "d07", "d13")
"""Writers that nothing is learned from."""
STANDS = {"": SO, "?": ASKED, "-": NOT, "~": SUPPOSED}
ALONE = 3
"""Every so many-th message is also heard without what was asked before it."""
FILLED = 2
"""How often each carrier is filled each time that it is asked for."""
_DICE = random.Random(5)
_EMPTY = re.compile(r"\{([!?~-]?)(\w+):\}")
_READER = PACK.reader


def carried(taught: list[Path]) -> Iterator[Said]:
    """What frames the words of a report or of a finding, filled with words that the writers marked."""
    said = [one for path in taught for one in chain.from_iterable(TALK.talks(path, shown))]
    for carriers in sorted((ROWS / "carriers").glob("*.txt")):
        spoken = [one for one in said if _READER.read(one.text).language == carriers.stem]
        words: dict[str, list[str]] = defaultdict(list)
        for one in spoken:
            for mark in one.marks:
                words[mark.facet].append(one.text[mark.start : mark.end])
        replies = {edits: [one.asked for one in spoken if ("edit" in one.kinds) == edits] for edits in (True, False)}
        for line in carriers.read_text(encoding="utf-8").splitlines() * FILLED:
            filled = _EMPTY.sub(partial(_filled, words), line)
            kinds, _, text = filled.removeprefix("P ").partition(": ")
            bare, marks = TALK.unmarked(text)
            yield Said(_DICE.choice(replies["edit" in kinds]), bare, tuple(kinds.split(",")), marks)


def _filled(words: dict[str, list[str]], slot: re.Match[str]) -> str:
    return f"{{{slot[1]}{slot[2]}:{_DICE.choice(words[slot[2]])}}}"


def shown(asked: str, begins: bool) -> tuple[str, ...]:
    return ()


def talks(path: Path) -> Iterator[list[Said]]:
    if path.stem == "house":
        yield list(carried([other for other in sorted(ROWS.glob("*.txt")) if other.stem not in (*KEPT_OUT, "house")]))
    for talk in TALK.talks(path, shown):
        alone = [] if path.stem in KEPT_OUT else talk[::ALONE]
        yield talk + [one._replace(asked="") for one in alone]


def read_(one: Said) -> Told:
    reading = _READER.read(one.text)
    return told(reading, reading.after(one.asked), one.asked)


def elsewhere(row: Any) -> bool:
    """Whether a writer spoke of no machine."""
    return not row.scene.startswith("g")


TALK = Talk(HEARING, STANDS, read_, elsewhere, framing=4, doing=1.5)


def main(kept_out: str = "") -> None:
    course(TALK, talks, ROWS, MODEL, KEPT_OUT if kept_out else ())


if __name__ == "__main__":
    main(*sys.argv[1:])
