"""A linear scorer over whole numbers: the same sums on every machine, and no library at run time.

A feature's weights for all classes are one large integer, a lane of sixteen bits per class, each weight raised by 128
so that no lane is ever negative. Adding up features is adding up integers; the lanes cannot run over while fewer than
256 features are added, which `MOST_FEATURES` sees to.
"""

from __future__ import annotations

import os
import struct
from collections.abc import Iterable
from typing import NamedTuple

RAISED = 128
"""What is added to each weight so that it fits an unsigned byte."""
MOST_FEATURES = 250
MAGIC = b"HFSC"
UNIT = 16
"""Whole-number score that stands for one unit of the trained model's (logarithmic) score."""


class Scored(NamedTuple):
    """The best class of what was looked at, its lead over the next best, and the scores of all."""

    best: str
    lead: int
    scores: dict[str, int]


class Scorer:
    """One trained decision: features in, a score for each class out."""

    def __init__(self, name: str, classes: tuple[str, ...], bias: tuple[int, ...], rows: dict[str, int]) -> None:
        self.name = name
        self.classes = classes
        self._bias = bias
        self._rows = rows
        self._lanes = [16 * place for place in range(len(classes))]

    def scores(self, features: Iterable[str]) -> list[int]:
        """The score of each class."""
        rows, total, count = self._rows, 0, 0
        for feature in features:
            row = rows.get(feature)
            if row is not None:
                total += row
                count += 1
                if count == MOST_FEATURES:
                    break
        low = RAISED * count
        return [((total >> lane) & 0xFFFF) - low + bias for lane, bias in zip(self._lanes, self._bias, strict=True)]

    def score(self, features: Iterable[str]) -> Scored:
        """The best class and how far it leads."""
        scores = self.scores(features)
        order = sorted(range(len(scores)), key=lambda place: (-scores[place], place))
        lead = scores[order[0]] - scores[order[1]]
        return Scored(self.classes[order[0]], lead, dict(zip(self.classes, scores, strict=True)))

    def spoke(self, features: Iterable[str], name: str, most: int = 3) -> list[tuple[str, int]]:
        """The features that spoke most for a class, for a receipt."""
        lane = 16 * self.classes.index(name)
        found = {f: ((self._rows[f] >> lane) & 0xFFFF) - RAISED for f in features if f in self._rows}
        return sorted(found.items(), key=lambda one: (-one[1], one[0]))[:most]


def load(path: str | os.PathLike[str]) -> dict[str, Scorer]:
    """The scorers of a model file."""
    with open(path, "rb") as file:
        data = file.read()
    if data[:4] != MAGIC:
        raise ValueError(f"{os.fspath(path)} is no model file")
    (count,) = struct.unpack_from("<I", data, 4)
    at, found = 8, {}
    for _ in range(count):
        name, at = _text(data, at)
        classes, at = _text(data, at)
        names = tuple(classes.split("\n"))
        bias = struct.unpack_from(f"<{len(names)}i", data, at)
        at += 4 * len(names)
        features, at = _text(data, at)
        keys = features.split("\n") if features else []
        width = len(names)
        rows = {}
        for place, key in enumerate(keys):
            start = at + place * width
            wide = bytearray(2 * width)
            wide[::2] = data[start : start + width]
            rows[key] = int.from_bytes(wide, "little")
        at += width * len(keys)
        found[name] = Scorer(name, names, bias, rows)
    return found


def save(path: str | os.PathLike[str], scorers: Iterable[tuple[str, list[str], list[int], dict[str, bytes]]]) -> None:
    """Write a model file: of each scorer its name, classes, bias and, by feature, the raised weights."""
    made = list(scorers)
    parts = [MAGIC, struct.pack("<I", len(made))]
    for name, classes, bias, rows in made:
        keys = sorted(rows)
        parts += [_packed(name), _packed("\n".join(classes)), struct.pack(f"<{len(bias)}i", *bias)]
        parts += [_packed("\n".join(keys)), *(rows[key] for key in keys)]
    with open(path, "wb") as file:
        file.write(b"".join(parts))


def _packed(text: str) -> bytes:
    data = text.encode()
    return struct.pack("<I", len(data)) + data


def _text(data: bytes, at: int) -> tuple[str, int]:
    (size,) = struct.unpack_from("<I", data, at)
    return data[at + 4 : at + 4 + size].decode(), at + 4 + size
