"""Numbers as people say them: "twelve point four", "a hundred and twenty", "двадцать пять", "treinta y dos", "полтора".

The words and the joints between them are in `words/shared.tsv` (`data.numbers`, `data.joints`). Words that stand
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
        word = reading.folded[start : tokens[place][1]]
        if "-" in word and (value := _hyphened(word, words, reading)):
            found.append(Spoken(value, tokens[place], place))
        elif word in words:
            value, last = _grown(reading, place, words)
            found.append(Spoken(value, (start, tokens[last][1]), last))
            place = last
        place += 1
    return found


def _hyphened(word: str, words: Mapping[str, float], reading: Reading) -> float:
    """The number of a word like "twenty-five", or 0."""
    parts = word.split("-")
    if any(part not in words for part in parts):
        return 0.0
    value, count = _whole(parts, words, reading)
    return value if count == len(parts) else 0.0


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
    joints, scales = reading.phrases("joints", "and"), reading.data("scales")
    done, value, count = 0.0, float(words[said[0]]), 1
    if said[0] in scales and value >= 1000:  # "mil doscientos"
        done, value = value, 0.0
    while count < len(said):
        skip = 1 if said[count] in joints and count + 1 < len(said) else 0
        word = said[count + skip]
        more, scale = words.get(word), scales.get(word, 0)
        if not skip and 0 < value < scale and value == int(value):  # "two hundred", "двадцать тысяч"
            value *= scale
            done, value = (done + value, 0.0) if scale >= 1000 else (done, value)
        elif more is not None and (_follows(value, more) or (done and not value and 0 < more < 1000)):
            value += more
        else:
            break
        count += skip + 1
    return done + value, count


def _follows(value: float, more: float) -> bool:
    """Whether a number word goes on with the number before it: tens after hundreds, ones after tens."""
    if value != int(value):
        return False
    room = 100 if value % 100 == 0 else 10 if value >= 20 and value % 10 == 0 else 0
    return 0 < more < room and value > 0
