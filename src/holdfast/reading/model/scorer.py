"""A linear scorer over whole numbers: the same sums on every machine, and no library at run time.

A feature's weights for all classes are one large integer, a lane of sixteen bits per class, each weight raised by 128
so that no lane is ever negative. Adding up features is adding up integers; the lanes cannot run over while fewer than
256 features are added, which `MAX_FEATURES` sees to. Rows stay bytes until a feature is first met: until then its place
in the file stands for it, as a number below zero, so that one look tells all.
"""

from __future__ import annotations

import os
import struct
import zlib
from collections.abc import Iterable
from functools import cached_property
from typing import NamedTuple

import msgspec

RAISED = 128
"""What is added to each weight so that it fits an unsigned byte."""
MAX_FEATURES = 250
MAGIC, MAGIC_COARSE, MAGIC_PACKED = b"HFSF", b"HFSC", b"HFSZ"
"""How a model file begins; a coarse one has weights of a whole unit of the score, a packed one is compressed."""
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


class Judgement(NamedTuple):
    """What a scorer makes of one look at the features: the sums of their weights, scored when somebody asks."""

    scorer: Scorer
    sums: tuple[int, ...]
    """By class, with what each of its weights was raised."""
    raised: int
    """What they were raised in all."""

    def scores(self, start: int = 0, end: int | None = None) -> list[int]:
        """The scores of some classes, or of all."""
        low, fine = self.raised, self.scorer.fine
        sums, bias = self.sums[start:end], self.scorer.bias[start:end]
        return [(total - low) // fine + more for total, more in zip(sums, bias, strict=True)]

    def best(self, decision: str) -> Scored:
        """The best class of a decision and how far it leads; of two that are equal the first by name."""
        classes, start, end = self.scorer.decisions[decision]
        scores = self.scores(start, end)
        best = max(scores)
        place = scores.index(best)
        scores[place] = -1 << 30
        return Scored(classes[place], best - max(scores))

    def yes(self, decision: str) -> int:
        """How far "yes" leads over "no"; below zero the other way round."""
        _, start, end = self.scorer.decisions[decision]
        no, yes = self.scores(start, end)
        return yes - no

    def table(self, decision: str) -> dict[str, int]:
        """The score of each class by its name."""
        classes, start, end = self.scorer.decisions[decision]
        return dict(zip(classes, self.scores(start, end), strict=True))


class Scorer:
    """Trained decisions over the same features: features in, a score for each class of each decision out.

    A file names the classes of several decisions "act:states", "keep:yes"; those of a single one have no such prefix.
    """

    def __init__(
        self,
        name: str,
        classes: tuple[str, ...],
        bias: tuple[int, ...],
        features: str,
        weights: bytes,
        model: str = "",
        fine: int = 1,
    ) -> None:
        self.name = name
        self.model = model
        """Name and version of the file that it came from."""
        self.classes = classes
        self.decisions = _decisions(name, classes)
        """By the name of a decision: its classes, and where they begin and end among all."""
        self.bias = bias
        self.fine = fine
        self._features = features
        self._weights = weights
        self._lanes = struct.Struct(f"<{len(classes)}H")

    @cached_property
    def _rows(self) -> dict[str, int]:
        """By feature: its weights as one integer, or, until it is first met, where they stand."""
        return {feature: ~place for place, feature in enumerate(self._features.split("\n"))}

    def _met(self, feature: str) -> int:
        """The weights of a feature that has some."""
        row = self._rows[feature]
        if row < 0:
            wide, width = bytearray(self._lanes.size), len(self.classes)
            wide[::2] = self._weights[~row * width : (~row + 1) * width]
            self._rows[feature] = row = int.from_bytes(wide, "little")
        return row

    def scores(self, features: Iterable[str]) -> list[int]:
        """The score of each class."""
        return self.judge(features).scores()

    def _known(self, features: Iterable[str]) -> list[int]:
        """The weights of those features that have some."""
        rows, met = self._rows, self._met
        found = [row if row >= 0 else met(feature) for feature in features if (row := rows.get(feature)) is not None]
        return found[:MAX_FEATURES]

    def judge(self, features: Iterable[str]) -> Judgement:
        """What all its decisions make of the features."""
        known, lanes = self._known(features), self._lanes
        sums = lanes.unpack(sum(known).to_bytes(lanes.size, "little"))
        return Judgement(self, sums, RAISED * len(known) - self.fine // 2)

    def score(self, features: Iterable[str]) -> Scored:
        """The best class of its only decision, and how far it leads."""
        return self.judge(features).best(self.name)

    def lead(self, features: Iterable[str]) -> int:
        """How far "yes" leads over "no" where that is all it decides, in whole units of the score."""
        total = sum(self._known(features))
        return ((total >> 16) - (total & 0xFFFF)) // self.fine + self.bias[1] - self.bias[0]

    def knows(self, feature: str) -> bool:
        """Whether a feature has any weight here."""
        return feature in self._rows

    def table(self, features: Iterable[str]) -> dict[str, int]:
        """The score of each class of its only decision by its name."""
        return self.judge(features).table(self.name)

    def spoke(self, features: Iterable[str], name: str) -> list[tuple[str, int]]:
        """How much each feature spoke for a class, for a receipt; what spoke most comes first."""
        at, rows, met = 16 * self.classes.index(name), self._rows, self._met
        known = sorted([(RAISED - (met(f) >> at & 0xFF), f) for f in dict.fromkeys(features) if f in rows])
        return [(feature, -against // self.fine) for against, feature in known]


def _decisions(name: str, classes: tuple[str, ...]) -> dict[str, tuple[tuple[str, ...], int, int]]:
    if not all(":" in one for one in classes):
        return {name: (classes, 0, len(classes))}
    heads = [one.partition(":")[0] for one in classes]
    found = {}
    for head in dict.fromkeys(heads):
        start = heads.index(head)
        end = start + heads.count(head)
        found[head] = tuple(one.partition(":")[2] for one in classes[start:end]), start, end
    return found


def load(path: str | os.PathLike[str]) -> dict[str, Scorer]:
    """The scorers of a model file. Its version is a sum over its content: another training, another version."""
    with open(path, "rb") as file:
        data = file.read()
    model = f"{os.path.basename(os.fspath(path)).partition('.')[0]}-{zlib.crc32(data):08x}"
    if data[:4] == MAGIC_PACKED:
        try:
            data = zlib.decompress(data[4:])
        except zlib.error as error:
            raise ValueError(f"{os.fspath(path)} is damaged: {error}") from None
    if data[:4] not in (MAGIC, MAGIC_COARSE):
        raise ValueError(f"{os.fspath(path)} is no model file")
    (count,) = struct.unpack_from("<I", data, 4)
    at, found = 8, {}
    for _ in range(count):
        name, at = _text(data, at)
        classes, at = _text(data, at)
        names = tuple(classes.split("\n"))
        bias = struct.unpack_from(f"<{len(names)}i", data, at)
        at += 4 * len(names)
        fine = 1
        if data[:4] == MAGIC:
            (fine,) = struct.unpack_from("<I", data, at)
            at += 4
        features, at = _text(data, at)
        size = len(names) * (features.count("\n") + 1) if features else 0
        found[name] = Scorer(name, names, bias, features, data[at : at + size], model, fine)
        at += size
    return found


class Trained(NamedTuple):
    """A scorer as training makes it."""

    name: str
    classes: list[str]
    bias: list[int]
    rows: dict[str, bytes]
    """By feature, the raised weights of the classes."""
    fine: int = 1
    """Into how many parts a unit of the score is divided for the weights."""


def save(path: str | os.PathLike[str], scorers: Iterable[Trained]) -> None:
    """Write a model file."""
    made = list(scorers)
    parts = [MAGIC, struct.pack("<I", len(made))]
    for name, classes, bias, rows, fine in made:
        keys = sorted(rows)
        parts += [_packed(name), _packed("\n".join(classes)), struct.pack(f"<{len(bias)}i", *bias)]
        parts += [struct.pack("<I", fine), _packed("\n".join(keys)), *(rows[key] for key in keys)]
    with open(path, "wb") as file:
        file.write(MAGIC_PACKED + zlib.compress(b"".join(parts), 9))


def _packed(text: str) -> bytes:
    data = text.encode()
    return struct.pack("<I", len(data)) + data


def _text(data: bytes, at: int) -> tuple[str, int]:
    (size,) = struct.unpack_from("<I", data, at)
    return data[at + 4 : at + 4 + size].decode(), at + 4 + size
