"""Fits which words of a reply are the names of what it shows.

    python -m training.names          fit
    python -m training.names dev      what it finds in the talk of writers kept out

The rows are the replies of `corpus/venues`, each with the names that it shows: of talks about venues (`v…`), and of
assistants of all kinds (`r…`; those of `r00` are our own, and count for several).
"""

from __future__ import annotations

import re
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

from holdfast.packs.vibehuntr import PACK
from holdfast.reading.model.scorer import Scorer, save
from holdfast.reading.model.tokens import tokens_of
from holdfast.reading.shown import names
from training.aims import made
from training.examples import Example
from training.fit import EXACTNESS, STRENGTH, fit
from training.hearing import HOUSE
from training.venues import HOME, ROWS, writers

MODEL = HOME / "src/holdfast/reading/shown/names.bin"
STRENGTH["name"] = 0.5
EXACTNESS["name"] = 1e-4
_WORD = re.compile(r"(?<![\w*])\w[\w:]+(?![\w*])")


class Reply(NamedTuple):
    text: str
    names: tuple[str, ...]


def replies(path: Path) -> Iterator[Reply]:
    said = ""
    for line in path.read_text(encoding="utf-8").splitlines():
        if line.startswith("A:"):
            said = line[2:].strip().replace("\\n", "\n")
        elif line.startswith("N:") and said:
            yield Reply(said, tuple(name.strip() for name in line[2:].split(";") if name.strip()))


def tagged(text: str, shown: tuple[str, ...]) -> Iterator[Example]:
    reading = PACK.reader.read(text)
    found = reading.find(tokens_of)
    spans = [m.span() for name in shown for m in re.finditer(rf"(?<!\w){re.escape(name)}(?!\w)", reading.text)]
    previous, since = names.OUT, 0
    for place, token in enumerate(found):
        inside = [span for span in spans if span[0] <= token.start < span[1]]
        begins = any(span[0] == token.start for span in inside)
        tag = names.OUT if not inside else names.BEGIN if begins or previous == names.OUT else names.IN
        if names.may_belong(reading, found, place, previous):
            yield Example(names.name_features(reading, found, place, previous, since), tag)
        since = 1 if tag == names.BEGIN else since + 1
        previous = tag


def written(reply: Reply) -> Iterator[Reply]:
    """A reply as it is, with its names in bold, and with another word in bold that only is stressed."""
    yield reply
    bold = reply.text
    for name in reply.names:
        bold = re.sub(rf"(?<![\w*]){re.escape(name)}(?![\w*])", lambda found: f"**{found[0]}**", bold)
    yield reply._replace(text=bold)
    others = [found for found in _WORD.finditer(bold) if "*" not in bold[max(0, found.start() - 2) : found.start()]]
    for number in (3, 7) if others else ():  # any other word may be stressed, a figure too
        found = others[sum(reply.text.encode()) * number % len(others)]
        yield reply._replace(text=f"{bold[: found.start()]}**{found[0]}**{bold[found.end() :]}")


def measure(scorer: Scorer, paths: list[Path]) -> None:
    names._scorer = lambda: scorer  # type: ignore[assignment]
    for path in paths:
        wanted = got = hit = right = 0
        rows = list(replies(path))
        for reply in rows:
            reading = PACK.reader.read(reply.text)
            found = {reading.words(span) for span in names.named(reading)}
            wanted, got, hit = wanted + len(set(reply.names)), got + len(found), hit + len(found & set(reply.names))
            right += found == set(reply.names)
        print(
            f"{path.stem}: recall {hit / wanted:.1%}, precision {hit / got:.1%}, wholly right {right / len(rows):.1%}"
        )


def main(kept_out: str = "") -> None:
    paths = [*writers(False), *sorted(ROWS.glob("r*.txt")), *(() if kept_out else writers(True))]
    rows = [reply for path in paths for _ in range(HOUSE if path.stem == "r00" else 1) for reply in replies(path)]
    shown = [one for reply in rows for one in written(reply)]
    print(f"{len(rows):,} replies", flush=True)
    scorer = fit("name", [one for reply in shown for one in tagged(*reply)])
    if kept_out:
        measure(made(scorer), [path for path in writers(True) if any(replies(path))])
        return
    save(MODEL, [scorer])
    print(f"{MODEL.name}: {len(scorer.rows):,} features, {MODEL.stat().st_size / 1e6:.2f} MB")


if __name__ == "__main__":
    main(*sys.argv[1:])
