"""What the words of other languages mean in plain English, word by word.

Half of the rows that teach the reading are English. A Spanish or Russian word with its meaning beside it is judged by
what all writers taught of that meaning, and not only by the few who used the word. A form that is not listed means what
its nearest relative means: the listed form with which it shares all but the ending.
"""

from __future__ import annotations

import os
import zlib
from bisect import bisect_left
from collections.abc import Sequence
from functools import cache, lru_cache

from holdfast.reading.ready import ready

_HOME = os.path.dirname(__file__)
_ENDING, _STEM = 3, 4
"""Letters that the ending of a form may have, and that must be left without it."""


class Meanings:
    """The meanings of the words of one language."""

    def __init__(self, place: str) -> None:
        with open(place, "rb") as file:
            content = file.read()
        words, meanings = ready(place, content, lambda: listed(zlib.decompress(content).decode()))
        self._sorted: list[str] = words
        self._meanings: list[str] = meanings

    @lru_cache(maxsize=16_384)  # noqa: B019 - they live as long as the process
    def of(self, word: str) -> str:
        """What a folded word means; nothing where nobody said, or where it is the same in English."""
        words = self._sorted
        place = bisect_left(words, word)
        if words[place : place + 1] == [word]:
            return self._meanings[place]
        shared, near = max((_shared(word, words[at]), -at) for at in (place - 1, place) if 0 <= at < len(words))
        longest = max(len(word), len(words[-near]))
        return self._meanings[-near] if shared >= _STEM and longest - shared <= _ENDING else ""


def _shared(one: str, other: str) -> int:
    """With how many letters two words begin alike."""
    at = 0
    while one[at : at + 1] == other[at : at + 1] != "":
        at += 1
    return at


def listed(text: str) -> tuple[list[str], list[str]]:
    """The words of a file in order, and what each means: its lines are "live: vivo, vive"."""
    found: dict[str, str] = {}
    for line in text.splitlines():
        meaning, _, forms = line.partition(": ")
        found.update(dict.fromkeys(forms.split(", "), meaning))
    words = sorted(found)
    return words, [found[word] for word in words]


@cache
def _known(language: str) -> Meanings | None:
    place = os.path.join(_HOME, f"{language}.meanings")
    return Meanings(place) if os.path.isfile(place) else None


def meanings(words: Sequence[str], language: str) -> list[str]:
    """What each word means in English, or nothing."""
    known = _known(language)
    return [*map(known.of, words)] if known is not None else [""] * len(words)
