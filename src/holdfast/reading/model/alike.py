"""How near two English words are in meaning, by vectors that `training/words.py` takes from MiniLM. The words of other
languages are compared by what they mean in English."""

from __future__ import annotations

import os
from collections.abc import Iterable, Sequence
from functools import cache
from math import sqrt
from operator import mul
from typing import NamedTuple

FILE = os.path.join(os.path.dirname(__file__), "words.bin")
"""The number of dimensions, a line with the words, and the vector of each, a byte for each dimension."""


class Vectors(NamedTuple):
    """The words that have a vector, by their places, and all vectors in a row."""

    dimensions: int
    places: dict[str, int]
    rows: memoryview

    def row(self, word: str) -> list[int]:
        start = self.places[word] * self.dimensions
        return self.rows[start : start + self.dimensions].tolist()


@cache
def vectors() -> Vectors:
    """The vectors, loaded when somebody first asks."""
    with open(FILE, "rb") as file:
        dimensions, words, rows = int(file.readline()), file.readline().decode().split(), file.read()
    return Vectors(dimensions, {word: place for place, word in enumerate(words)}, memoryview(rows).cast("b"))


@cache
def _vector(word: str) -> tuple[list[int], float] | None:
    """The vector of a word, and its length."""
    known = vectors()
    if word not in known.places:
        return None
    row = known.row(word)
    return row, sqrt(sum(map(mul, row, row))) or 1.0


def known(word: str) -> bool:
    """Whether anything is known of what a word means."""
    return word in vectors().places


def meaning(words: Iterable[tuple[str, float]]) -> list[float]:
    """What some words mean together, each by its weight: the sum of their vectors, each of length one; empty where
    nothing is known of any."""
    found = [(known[0], weight / known[1]) for word, weight in words if (known := _vector(word)) is not None]
    return together([weight * part for part in row] for row, weight in found)


def together(meanings: Iterable[Sequence[float]]) -> list[float]:
    """What several things mean together."""
    return [sum(column) for column in zip(*filter(None, meanings), strict=True)]


def nearness(one: Sequence[float], other: Sequence[float]) -> float:
    """From -1 to 1: how near two meanings are; 0 where one of them is empty."""
    lengths = sqrt(sum(map(mul, one, one)) * sum(map(mul, other, other)))
    return round(sum(map(mul, one, other)) / lengths, 6) if lengths else 0.0  # the same meaning is 1, not nearly 1


def alike(word: str, other: str) -> float:
    """From -1 to 1: how near two words are in meaning; 0 where one of them is not known."""
    one, two = _vector(word), _vector(other)
    if one is None or two is None:
        return 0.0
    return float(sum(map(mul, one[0], two[0]))) / (one[1] * two[1])
