"""A linear scorer over whole numbers: the same sums on every machine, and no library at run time.

A feature's weights for all classes are one large integer, a lane of sixteen bits per class, each weight raised by 128
so that no lane is ever negative. Adding up features is adding up integers; the lanes cannot run over while fewer than
256 features are added, which `MAX_FEATURES` sees to. Rows stay bytes until a feature is first met. Features stand in
the file in order: the first ones that are asked for are looked up there, which costs a process that reads one message
next to nothing; one that goes on lists them all.
"""

from __future__ import annotations

import os
import struct
import zlib
from bisect import bisect_right
from collections.abc import Collection, Iterable, Sequence
from functools import cached_property
from typing import NamedTuple

import msgspec

from holdfast.kept import keeps
from holdfast.reading.ready import ready_bytes

RAISED = 128
"""What is added to each weight so that it fits an unsigned byte."""
MAX_FEATURES = 250
PATIENCE = 4000
"""How often features are looked up one by one before all are listed."""
PIECE_BYTES = 4096
"""Bytes of the listed features that are looked through for one."""
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
        features: bytes,
        weights: bytes | memoryview,
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
        self._rows: dict[str, int] = {}
        """By feature: its weights as one integer, or, until it is first met, where they stand, as a negative number."""
        self._asked: set[str] | None = set()
        """Features that were looked up one by one; None once all are listed."""
        self._patience = PATIENCE
        keeps(self)

    def cache_clear(self) -> None:
        if self._asked is not None:
            self._asked = set()

    @cached_property
    def _listed(self) -> _Listed:
        return _Listed(self._features)

    def _look_up(self, features: Collection[str], asked: set[str]) -> None:
        """See to it that those of the features that have weights are among the rows."""
        for feature in set(features) - asked:
            place = self._listed.place(feature.encode())
            if place is not None:
                self._rows[feature] = ~place
        asked.update(features)
        self._patience -= len(features)
        if self._patience <= 0:
            self.list_all()

    def list_all(self) -> None:
        """Look up all features at once, for a process that reads many messages."""
        listed = self._features.decode().split("\n") if self._asked is not None else []
        self._rows = {feature: ~place for place, feature in enumerate(listed)} | self._rows
        self._asked = None

    def _met(self, feature: str) -> int:
        """The weights of a feature that has some."""
        row = self._rows[feature]
        if row < 0:
            wide, width = bytearray(self._lanes.size), len(self.classes)
            wide[::2] = self._weights[~row * width : (~row + 1) * width]
            self._rows[feature] = row = int.from_bytes(wide, "little")
        return row

    def scores(self, features: Collection[str]) -> list[int]:
        """The score of each class."""
        return self.judge(features).scores()

    def known(self, features: Collection[str]) -> list[int]:
        """The weights of those features that have some."""
        if self._asked is not None:
            self._look_up(features, self._asked)
        found = [*filter(None, map(self._rows.get, features))]
        if found and min(found) < 0:  # some are met for the first time
            found = [self._met(feature) for feature in features if feature in self._rows]
        return found if len(found) <= MAX_FEATURES else found[:MAX_FEATURES]

    def judge(self, features: Collection[str], beside: Sequence[int] = ()) -> Judgement:
        """What all its decisions make of the features, and of the weights of others beside them."""
        known, lanes = self.known(features), self._lanes
        known = [*known, *beside][:MAX_FEATURES] if beside else known
        sums = lanes.unpack(sum(known).to_bytes(lanes.size, "little"))
        return Judgement(self, sums, RAISED * len(known) - self.fine // 2)

    def score(self, features: Collection[str]) -> Scored:
        """The best class of its only decision, and how far it leads."""
        return self.judge(features).best(self.name)

    def best(self, features: Collection[str]) -> str:
        """The best class alone, for those who ask of every word."""
        known, lanes, fine = self.known(features), self._lanes, self.fine
        low = RAISED * len(known) - fine // 2
        sums = lanes.unpack(sum(known).to_bytes(lanes.size, "little"))
        scores = [(total - low) // fine + more for total, more in zip(sums, self.bias, strict=True)]
        return self.classes[scores.index(max(scores))]

    def lead(self, features: Collection[str]) -> int:
        """How far "yes" leads over "no" where that is all it decides, in whole units of the score."""
        total = sum(self.known(features))
        return ((total >> 16) - (total & 0xFFFF)) // self.fine + self.bias[1] - self.bias[0]

    def knows(self, feature: str) -> bool:
        """Whether a feature has any weight here."""
        return bool(self.known((feature,)))

    def spoke(self, features: Collection[str], name: str) -> list[tuple[str, int]]:
        """How much each feature spoke for a class, for a receipt; what spoke most comes first."""
        at, once = 16 * self.classes.index(name), [*dict.fromkeys(features)]
        self.known(once)  # all of them are met from here on
        rows = self._rows
        known = sorted([(RAISED - (rows[f] >> at & 0xFF), f) for f in once if f in rows])
        return [(feature, -against // self.fine) for against, feature in known]


class _Listed:
    """Where a line stands among sorted ones, looked for in the piece of the text that must have it."""

    def __init__(self, lines: bytes) -> None:
        self._text = b"\n%b\n" % lines
        self._firsts: list[bytes] = []
        """The first line of each piece."""
        self._begin: list[int] = []
        self._passed = [0]
        """Lines before each piece."""
        begin, last = 0, len(self._text) - 1
        while begin < last:
            end = self._text.find(b"\n", min(begin + PIECE_BYTES, last))
            self._firsts.append(self._text[begin + 1 : self._text.index(b"\n", begin + 1)])
            self._begin.append(begin)
            self._passed.append(self._passed[-1] + self._text.count(b"\n", begin, end))
            begin = end
        self._begin.append(last)

    def place(self, line: bytes) -> int | None:
        """How many lines stand before a line; None where it is none of them."""
        piece = bisect_right(self._firsts, line) - 1
        if piece < 0:
            return None
        begin = self._begin[piece]
        at = self._text.find(b"\n%b\n" % line, begin, self._begin[piece + 1] + 1)
        return None if at < 0 else self._passed[piece] + self._text.count(b"\n", begin, at)


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
        content = file.read()
    model = f"{os.path.basename(os.fspath(path)).partition('.')[0]}-{zlib.crc32(content):08x}"
    data = memoryview(content)
    if content[:4] == MAGIC_PACKED:
        try:
            data = ready_bytes(os.fspath(path), model.encode(), lambda: zlib.decompress(data[4:]))
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
        features, at = _bytes(data, at)
        size = len(names) * (features.count(b"\n") + 1) if features else 0
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


def _text(data: memoryview, at: int) -> tuple[str, int]:
    found, at = _bytes(data, at)
    return found.decode(), at


def _bytes(data: memoryview, at: int) -> tuple[bytes, int]:
    (size,) = struct.unpack_from("<I", data, at)
    return bytes(data[at + 4 : at + 4 + size]), at + 4 + size
