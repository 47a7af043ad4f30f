"""Numbers as people say them: "twelve point four", "a hundred and twenty", "двадцать пять", "treinta y dos", "полтора".

The words and the joints between them are in `words/shared.*.toml` (`data.numbers`, `data.joints`). Words that stand
beside each other make one number only where a language counts so: tens and ones, hundreds and what follows, a decimal
mark that is said.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple

from holdfast.reading.reader import Reading, Span

MOST_WORDS = 7
"""Words of one spoken number: "two hundred and twenty five point five"."""


class Spoken(NamedTuple):
    """A number in words, and the place of its first and last word among the words of the message."""

    value: float
    span: Span
    last: int


def spoken(reading: Reading) -> list[Spoken]:
    """The numbers of a message that are written in words. Use as `reading.find(spoken)`."""
    words: Mapping[str, float] = reading.data("numbers")
    tokens = reading.tokens
    found: list[Spoken] = []
    place = 0
    while place < len(tokens):
        start = tokens[place][0]
        if reading.folded[start : tokens[place][1]] in words:
            value, last = _grown(reading, place, words)
            found.append(Spoken(value, (start, tokens[last][1]), last))
            place = last
        place += 1
    return found


def _grown(reading: Reading, place: int, words: Mapping[str, float]) -> tuple[float, int]:
    """The number that begins at a word, and its last word."""
    said = [reading.folded[start:end] for start, end in reading.tokens[place : place + MOST_WORDS]]
    whole, count = _whole(said, words, reading)
    points = reading.phrases("joints", "point")
    rest = said[count:]
    if len(rest) > 1 and rest[0] in points and words.get(rest[1], 10) < 10:
        digits = []
        for word in rest[1:]:
            if words.get(word, 10) >= 10:
                break
            digits.append(str(int(words[word])))
        return float(f"{whole:g}.{''.join(digits)}"), place + count + len(digits)
    return whole, place + count - 1


def _whole(said: list[str], words: Mapping[str, float], reading: Reading) -> tuple[float, int]:
    """The whole number at the beginning of some words, and how many of them it takes."""
    joints = reading.phrases("joints", "and")
    value, count = float(words[said[0]]), 1
    if count < len(said) and value < 10 and words.get(said[count]) == 100:
        value, count = value * 100, count + 1
    while count < len(said):
        skip = 1 if said[count] in joints and count + 1 < len(said) else 0
        more = words.get(said[count + skip])
        if more is None or not _follows(value, more):
            break
        value, count = value + more, count + skip + 1
    return value, count


def _follows(value: float, more: float) -> bool:
    """Whether a number word goes on with the number before it: tens after hundreds, ones after tens."""
    if value != int(value):
        return False
    room = 100 if value % 100 == 0 else 10 if value >= 20 and value % 10 == 0 else 0
    return 0 < more < room and value > 0
