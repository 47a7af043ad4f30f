"""What a text must hold for a pattern to match: one of a few literal pieces.

A language has hundreds of patterns, and a message sets off a handful. Looking for pieces is cheap, and only a pattern
that has one of its own in the text is compiled and tried. A construct that is not understood here demands nothing, so
that its pattern is always tried: this may let too many patterns through, never too few.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Sequence
from itertools import product
from typing import NamedTuple

from holdfast.reading.text import WORD

EDGE = "\x01"
"""Stands in pieces and in the text that is looked through wherever a word begins or ends, so that "or" is not found in
"more"."""
Pieces = frozenset[str]
"""One of them is in every text that matches; where the empty piece is among them, nothing is demanded."""
NOTHING: Pieces = frozenset([""])
_EDGES: Pieces = frozenset([EDGE])
DIGITS: Pieces = frozenset("0123456789")
MAX_PIECES = 24
"""Pieces that the parts of a pattern may be multiplied to; beyond that they are looked for apart."""
MAX_CLASS = 4
"""Letters of a class that is looked for letter by letter."""
GRAM = 4
"""Letters by which a piece is found; a shorter one is looked for by itself."""

_TOKEN = re.compile(
    r"(?P<open>\((?:\?P<\w+>|\?:)?)|(?P<class>\[\^?\]?(?:\\.|[^\]\\])*\])|(?P<edge>[\^$]|\\[bBAz])|(?P<digit>\\d)"
    r"|(?P<any>\.|\\[wWsSD])|\\(?P<escaped>\W)|(?P<plain>[^\\()\[\]{}?*+|^$.]+(?![{?*+])|[^\\()\[\]{}?*+|^$.])",
    re.DOTALL,
)
_WORDS = re.compile(f"([{WORD}]+)")
_REPEAT = re.compile(r"(?:([*+?])|\{(\d+)(?:,\d*)?\})\??")


class _Part(NamedTuple):
    """A part of a pattern: all that it can match, where those are few pieces, and what it demands."""

    whole: Pieces | None
    demands: Pieces


_ANYTHING = _Part(None, NOTHING)


Needle = tuple[str, str]
"""A piece, after some letters of it by which it is found: none where it is short."""


def needles(source: str) -> list[Needle]:
    """The pieces of which one is in every text that a pattern with word boundaries around it (`reader.bounded`)
    matches; none where any text might match."""
    ends = NOTHING if source.endswith("$") and not source.endswith("\\$") else _EDGES
    try:
        part, end = _choice(source, 0, _EDGES, ends)
    except ValueError:
        return []
    return _shortest({_edged(piece) for piece in part.demands}) if end == len(source) else []


def _shortest(pieces: set[str]) -> list[Needle]:
    """The pieces that hold no other, each after the letters by which it is found; none where anything will do."""
    few = (one for one in pieces if not any(other in one for other in pieces if other != one))
    return sorted((_gram(piece), piece) for piece in few) if "" not in pieces else []


def edged(text: str) -> str:
    """A folded text to look for pieces in."""
    return EDGE.join(_WORDS.split(text))


def _edged(piece: str) -> str:
    """A piece as it stands in such a text: at its own ends a word may go on, unless the pattern has an edge there."""
    bare = piece.replace(EDGE, "")
    text = edged(bare)
    text = text if piece.startswith(EDGE) else text.removeprefix(EDGE)
    return text if piece.endswith(EDGE) and bare else text.removesuffix(EDGE)


def _choice(source: str, at: int, begins: Pieces = NOTHING, ends: Pieces = NOTHING) -> tuple[_Part, int]:
    """One of several sequences, up to a closing bracket or the end; what stands before and after each of them."""
    branches: list[_Part] = []
    at -= 1
    while not branches or source[at : at + 1] == "|":
        branch, at = _sequence(source, at + 1, begins, ends)
        branches.append(branch)
    wholes = [branch.whole for branch in branches if branch.whole is not None]
    whole = frozenset().union(*wholes) if len(wholes) == len(branches) else None
    return _Part(whole, frozenset().union(*(branch.demands for branch in branches))), at


def _sequence(source: str, at: int, begins: Pieces, ends: Pieces) -> tuple[_Part, int]:
    demands: list[Pieces] = []
    run, exact = begins, True
    while at < len(source) and source[at] not in "|)":
        part, at = _repeated(source, at)
        if part.whole is not None and len(run) * len(part.whole) <= max(MAX_PIECES, len(run), len(part.whole)):
            run = frozenset(map("".join, product(run, part.whole)))
        else:
            demands += [run, part.demands]
            run, exact = part.whole if part.whole is not None else NOTHING, False
    run = frozenset(map("".join, product(run, ends)))
    return _Part(run if exact else None, max([*demands, run], key=_worth)), at


def _worth(pieces: Pieces) -> tuple[int, int, int]:
    """How much a set narrows down: by the letters of its shortest piece, then by how few they are."""
    bare = [piece.replace(EDGE, "") for piece in pieces]
    return min(map(len, bare), default=0) and 1, min(sum(map(str.isalnum, piece)) for piece in bare), -len(pieces)


def _repeated(source: str, at: int) -> tuple[_Part, int]:
    part, at = _one(source, at)
    repeat = _REPEAT.match(source, at)
    if repeat is None:
        return part, at
    sign, least = repeat.groups()
    if sign == "?":
        return _Part(part.whole | NOTHING if part.whole is not None else None, NOTHING), repeat.end()
    return (_ANYTHING if sign == "*" or least == "0" else _Part(None, part.demands)), repeat.end()


def _one(source: str, at: int) -> tuple[_Part, int]:
    token = _TOKEN.match(source, at)
    if token is None:
        raise ValueError(source[at:])
    if token.lastgroup == "open":
        part, at = _choice(source, token.end())
        if source[at : at + 1] != ")":
            raise ValueError(source[at:])
        return part, at + 1
    whole = _WHOLE[token.lastgroup or ""](token[0])
    return (_Part(whole, whole) if whole is not None else _ANYTHING), token.end()


def _letters(of: str) -> Pieces | None:
    """The letters of a class, where they are few and stand there one by one."""
    letters = of[1:-1]
    return frozenset(letters) if len(letters) <= MAX_CLASS and not set(letters) & set("^\\-[") else None


_WHOLE: dict[str, Callable[[str], Pieces | None]] = {
    "class": _letters,
    "edge": lambda text: _EDGES if text in "^$" else NOTHING,
    "digit": lambda _: DIGITS,
    "any": lambda _: None,
    "escaped": lambda text: frozenset([text[-1]]),
    "plain": lambda text: frozenset([text]),
}


class Finder:
    """Which of many sets of pieces have one in a text."""

    def __init__(self, sets: Iterable[Sequence[Needle]]) -> None:
        self._always: list[int] = []
        """The numbers of the sets that demand nothing."""
        self._found_by: dict[str, dict[str, list[int]]] = {}
        """By the letters that pieces are found by: the pieces, and the numbers of the sets that have them."""
        for number, pieces in enumerate(sets):
            if not pieces:
                self._always.append(number)
            for gram, piece in pieces:
                self._found_by.setdefault(gram, {}).setdefault(piece, []).append(number)

    def among(self, text: str, grams: set[str]) -> list[int]:
        """The numbers of the sets that have a piece in an edged text, and of those that demand nothing, in order."""
        near = [self._found_by[gram] for gram in self._found_by.keys() & grams]
        found = [numbers for pieces in near for piece, numbers in pieces.items() if piece in text]
        return sorted({*self._always}.union(*found))


def grams(text: str) -> set[str]:
    """All letters that a piece of a text may be found by."""
    return {"", *[text[at : at + GRAM] for at in range(len(text) - GRAM + 1)]}


def _gram(piece: str) -> str:
    """The letters that the longest word of a piece begins with, which few other pieces share."""
    if len(piece) < GRAM:
        return ""
    at = piece.index(max(piece.split(), key=len)) if not piece.isspace() else 0
    return piece[min(at, len(piece) - GRAM) :][:GRAM]
