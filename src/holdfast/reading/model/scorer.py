"""A linear scorer over whole numbers: the same sums on every machine, and no library at run time.

A feature's weights for all classes are one large integer, a lane of sixteen bits per class, each weight raised by 128
so that no lane is ever negative. Adding up features is adding up integers; the lanes cannot run over while fewer than
256 features are added, which `MAX_FEATURES` sees to. Rows stay bytes until a feature is first met.
"""

from __future__ import annotations

import os
import struct
import zlib
from collections.abc import Iterable
from typing import NamedTuple

import msgspec

RAISED = 128
"""What is added to each weight so that it fits an unsigned byte."""
MAX_FEATURES = 250
MAGIC = b"HFSC"
UNIT = 16
"""Whole-number score that stands for one unit of the trained model's (logarithmic) score."""


class Scored(NamedTuple):
    """The best class of what was looked at, and its lead over the next best."""

    best: str
    lead: int


class Decided(msgspec.Struct, frozen=True, omit_defaults=True):
    """What a scorer decided, for the record: which model it was, how sure, and by which words of the message."""

    model: str
    """Name and version of the model file: "talk-1a2b3c4d"."""
    score: int
    """How far the decision leads over the next best; UNIT is one unit of the trained score."""
    marks: tuple[tuple[int, int], ...] = ()
    """Where the words stand that spoke most for it."""
    keep: int | None = None
    """How much speaks for keeping what a clause tells, where that was decided too."""


class Scorer:
    """One trained decision: features in, a score for each class out."""

    def __init__(
        self, name: str, classes: tuple[str, ...], bias: tuple[int, ...], features: str, weights: bytes, model: str = ""
    ) -> None:
        self.name = name
        self.model = model
        """Name and version of the file that it came from."""
        self.classes = classes
        self._bias = bias
        self._features = features
        self._weights = weights
        self._places: dict[str, int] | None = None
        self._rows: dict[str, int] = {}
        self._lanes = [16 * place for place in range(len(classes))]

    def scores(self, features: Iterable[str]) -> list[int]:
        """The score of each class."""
        total = count = 0
        rows = self._rows
        for feature in features:
            row = rows.get(feature)
            if row is None:
                row = rows[feature] = self._row(feature)
            if row:
                total += row
                count += 1
                if count == MAX_FEATURES:
                    break
        if len(rows) > MAX_ROWS:
            rows.clear()
        low = RAISED * count
        return [((total >> lane) & 0xFFFF) - low + bias for lane, bias in zip(self._lanes, self._bias, strict=True)]

    def _row(self, feature: str) -> int:
        """The weights of a feature as one integer; nothing where it is unknown."""
        if self._places is None:
            self._places = {key: place for place, key in enumerate(self._features.split("\n"))}
        place = self._places.get(feature)
        if place is None:
            return 0
        width = len(self.classes)
        wide = bytearray(2 * width)
        wide[::2] = self._weights[place * width : (place + 1) * width]
        return int.from_bytes(wide, "little")

    def score(self, features: Iterable[str]) -> Scored:
        """The best class and how far it leads; of two that are equal the first by name."""
        scores = self.scores(features)
        best = max(scores)
        place = scores.index(best)
        scores[place] = -1 << 30
        return Scored(self.classes[place], best - max(scores))

    def knows(self, feature: str) -> bool:
        """Whether a feature has any weight here."""
        return bool(self._row(feature))

    def table(self, features: Iterable[str]) -> dict[str, int]:
        """The score of each class by its name."""
        return dict(zip(self.classes, self.scores(features), strict=True))

    def spoke(self, features: Iterable[str], name: str, most: int = 3) -> list[tuple[str, int]]:
        """The features that spoke most for a class, for a receipt."""
        lane, rows = 16 * self.classes.index(name), self._rows
        known = ((f, row) for f in dict.fromkeys(features) if (row := rows.get(f) or self._row(f)))
        found = sorted((RAISED - ((row >> lane) & 0xFFFF), f) for f, row in known)
        return [(feature, -against) for against, feature in found[:most]]


MAX_ROWS = 50_000
"""Features of one scorer that are kept at hand, known and unknown ones together."""


def load(path: str | os.PathLike[str]) -> dict[str, Scorer]:
    """The scorers of a model file. Its version is a sum over its content: another training, another version."""
    with open(path, "rb") as file:
        data = file.read()
    model = f"{os.path.basename(os.fspath(path)).partition('.')[0]}-{zlib.crc32(data):08x}"
    if data[:4] != MAGIC:
        raise ValueError(f"{os.fspath(path)} is no model file")
    (count,) = struct.unpack_from("<I", data, 4)
    at, found = 8, {}
    for _ in range(count):
        name, at = _text(data, at)
        classes, at = _text(data, at)
        names = tuple(classes.split("\n"))
        bias = struct.unpack_from(f"<{len(names)}i", data, at)
        features, at = _text(data, at + 4 * len(names))
        size = len(names) * (features.count("\n") + 1) if features else 0
        found[name] = Scorer(name, names, bias, features, data[at : at + size], model)
        at += size
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
