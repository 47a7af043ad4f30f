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
from holdfast.reading.model import hearing
from holdfast.reading.model.clauses import understand
from holdfast.reading.model.hearing import Told
from holdfast.reading.model.scorer import save
from training.aims import made
from training.hearing import Said, Talk

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


def writers(kept_out: bool) -> list[Path]:
    return [path for path in sorted(ROWS.glob("*.txt")) if (path.stem in KEPT_OUT) == kept_out]


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
    paths = writers(False) if kept_out else writers(False) + writers(True)
    read = [(read_(one), one) for path in paths for talk in talks(path) for one in talk]
    kinds = TALK.kinds_fitted([(hearing.kind_features(said, bool(one.shown)), one.kinds) for said, one in read])
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
