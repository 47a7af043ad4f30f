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

Pieces = frozenset[str]
"""One of them is in every text that matches; where the empty piece is among them, nothing is demanded."""
NOTHING: Pieces = frozenset([""])
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
_REPEAT = re.compile(r"(?:([*+?])|\{(\d+)(?:,\d*)?\})\??")


class _Part(NamedTuple):
    """A part of a pattern: all that it can match, where those are few pieces, and what it demands."""

    whole: Pieces | None
    demands: Pieces


_ANYTHING = _Part(None, NOTHING)


Needle = tuple[str, str]
"""A piece, after some letters of it by which it is found: none where it is short."""


def needles(source: str) -> list[Needle]:
    """The pieces of which one is in every text that a pattern matches; none where any text might match."""
    try:
        part, end = _choice(source, 0)
    except ValueError:
        return []
    if end != len(source) or "" in part.demands:
        return []
    few = {one for one in part.demands if not any(other in one for other in part.demands if other != one)}
    return sorted((_gram(piece), piece) for piece in few)


def _choice(source: str, at: int) -> tuple[_Part, int]:
    """One of several sequences, up to a closing bracket or the end."""
    branches: list[_Part] = []
    at -= 1
    while not branches or source[at : at + 1] == "|":
        branch, at = _sequence(source, at + 1)
        branches.append(branch)
    wholes = [branch.whole for branch in branches if branch.whole is not None]
    whole = frozenset().union(*wholes) if len(wholes) == len(branches) else None
    return _Part(whole, frozenset().union(*(branch.demands for branch in branches))), at


def _sequence(source: str, at: int) -> tuple[_Part, int]:
    demands: list[Pieces] = []
    run, exact = NOTHING, True
    while at < len(source) and source[at] not in "|)":
        part, at = _repeated(source, at)
        if part.whole is not None and len(run) * len(part.whole) <= max(MAX_PIECES, len(run), len(part.whole)):
            run = frozenset(map("".join, product(run, part.whole)))
        else:
            demands += [run, part.demands]
            run, exact = part.whole if part.whole is not None else NOTHING, False
    return _Part(run if exact else None, max([*demands, run], key=_worth)), at


def _worth(pieces: Pieces) -> tuple[int, int]:
    """How much a set narrows down: by its shortest piece, then by how few they are."""
    return min(GRAM, *map(len, pieces), GRAM), -len(pieces)


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
    "edge": lambda _: NOTHING,
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
        """The numbers of the sets that have a piece in the text, and of those that demand nothing, in order."""
        found = set(self._always)
        for gram in self._found_by.keys() & grams:
            for piece, numbers in self._found_by[gram].items():
                if piece in text:
                    found.update(numbers)
        return sorted(found)


def grams(text: str) -> set[str]:
    """All letters that a piece of a text may be found by."""
    return {"", *[text[at : at + GRAM] for at in range(len(text) - GRAM + 1)]}


def _gram(piece: str) -> str:
    """The letters that the longest word of a piece begins with, which few other pieces share."""
    if len(piece) < GRAM:
        return ""
    at = piece.index(max(piece.split(), key=len)) if not piece.isspace() else 0
    return piece[min(at, len(piece) - GRAM) :][:GRAM]
