"""Fits what the browser agent hears: what is wanted, how many, which of it; and what a message does.

    python -m training.errands          fit
    python -m training.errands dev      what it hears of the writers kept out

The rows are `corpus/errands`: talks with an assistant that shops, books and keeps tabs, marked by their writers.
"""

from __future__ import annotations

import re
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from holdfast.agents.browsing.hearing import HEARING, told
from holdfast.agents.browsing.voice import Voice
from holdfast.reading.model.clauses import understand
from holdfast.reading.model.hearing import Told
from training.hearing import Said, Talk, course

HOME = Path(__file__).parent.parent
ROWS = HOME / "corpus/errands"
MODEL = HOME / "src/holdfast/agents/browsing/heard.bin"
KEPT_OUT = ("n03", "n06", "n08")
"""Writers that nothing is learned from."""
STANDS = {"": "wanted", "?": "asked", "-": "dropped", "~": "told"}
SOUGHT = frozenset("place item price wish quantity party from to time date".split())
"""Attributes of the corpus that are wanted of a shop."""
_LISTED = re.compile(r"^\d+\. (.+?)(?:, [$€£₽]?\d[^\n]*)?$", re.M)


def shown(asked: str, begins: bool) -> tuple[str, ...]:
    """The names in a list."""
    return tuple(_LISTED.findall(asked))


def talks(path: Path) -> Iterator[list[Said]]:
    return TALK.talks(path, shown)


def read_(one: Said) -> Told:
    voice = Voice(Voice(None).read(one.text).language)
    clauses = understand(one.text, one.asked, voice.language, told=one.told)
    return told(voice.read(one.text), clauses, one.asked, one.shown, voice.pages)


def elsewhere(row: Any) -> bool:
    """Whether a writer wanted nothing: there no word gives anything."""
    heads = {claim.attribute.partition("/")[0] for clause in row.clauses for claim in clause.claims}
    acts = {clause.act for clause in row.clauses}
    return heads.isdisjoint(SOUGHT) and acts.isdisjoint(("requests", "chooses", "rejects", "asks"))


TALK = Talk(HEARING, STANDS, read_, elsewhere)


def main(kept_out: str = "") -> None:
    course(TALK, talks, ROWS, MODEL, KEPT_OUT if kept_out else ())


if __name__ == "__main__":
    main(*sys.argv[1:])
