"""What ordinary words are (a role, a dish, a relative, a verb of habit), and what those of other languages mean in
English. One file per language for either.

A word is looked up as typed and, where that is unknown, without its ending, so that inflected forms meet their base
form. A word may be of several kinds, and most words are of none.

Half of the rows that teach the reading are English. A Spanish or Russian word with its meaning beside it is judged by
what all writers taught of that meaning, and not only by the few who used the word.
"""

from __future__ import annotations

import os
import zlib
from bisect import bisect_left, bisect_right
from collections.abc import Iterable, Sequence
from functools import cache
from itertools import pairwise

from holdfast.kept import kept
from holdfast.reading.ready import ready
from holdfast.reading.text import fold

_HOME = os.path.dirname(__file__)
_ENDING = {"ru": 3}
"""Letters that an ending may have; two where nothing is said."""
_SHORTEST_WORD, _SHORTEST_STEM = 4, 5
"""Letters that must be left of a word without its ending, where that is a whole word and where it is a stem."""
_PLURAL = {"en": "s", "es": "s"}
"""The letter by which many words of a language are several: a form that is listed is what the word for one is, too."""
_SHORTEST_NOUN = 3
"""Letters that must be left of a word for several."""
_LONGEST_ENDING, _SHARED = 3, 4
"""Letters that the ending of a form may have where it means what another form means, and that both must share."""
Kinds = tuple[str, ...]
_Phrases = dict[tuple[str, str], list[tuple[list[str], str]]]


class Lexicon:
    """The kinds of the words of one language."""

    def __init__(self, language: str) -> None:
        self._ending = _ENDING.get(language, 2)
        place = os.path.join(_HOME, f"{language}.txt")
        with open(place, "rb") as file:
            content = file.read()
        words, which, kinds, self.phrases = ready(place, content, lambda: _listed(content.decode(), language))
        self._sorted: list[str] = words
        self._words: dict[str, Kinds] = dict(zip(words, map(kinds.__getitem__, which), strict=True))

    def kinds(self, word: str) -> Kinds:
        """The kinds of a word, in order of their names."""
        known = self._words.get(word)
        for cut in range(self._ending + 1):
            if known is not None:
                break
            stem = word[: len(word) - cut]
            known = self._words.get(stem) if len(stem) >= _SHORTEST_WORD else None
            if known is None and len(stem) >= _SHORTEST_STEM:
                known = self._of_stem(stem)
        return known or ()

    def _of_stem(self, stem: str) -> Kinds | None:
        """The kinds of the words that are a stem and an ending, if there are any."""
        found: set[str] = set()
        for place in range(bisect_right(self._sorted, stem), len(self._sorted)):
            word = self._sorted[place]
            if not word.startswith(stem):
                break
            if len(word) - len(stem) < self._ending:
                found.update(self._words[word])
        return tuple(sorted(found)) or None


def _listed(text: str, language: str) -> tuple[list[str], list[int], list[Kinds], _Phrases]:
    """The words of a lexicon in order, for each of them which of the combinations of kinds it is, those combinations,
    and phrases by their first two words."""
    words: dict[str, set[str]] = {}
    phrases: _Phrases = {}
    for line in text.splitlines():
        kind, _, told = line.partition(":")
        for entry in fold(told).replace("'", "").split(","):
            first, *others = entry.split() or [""]
            if others:
                phrases.setdefault((first, others[0]), []).append(([first, *others], kind.strip()))
            elif first:
                words.setdefault(first, set()).add(kind.strip())
    for one in [word for word in words if language in _PLURAL and len(word) >= _SHORTEST_NOUN]:
        words.setdefault(one + _PLURAL[language], set()).update(words[one])
    listed = sorted(words)
    kinds = {tuple(sorted(words[word])): None for word in listed}
    numbers = {combined: number for number, combined in enumerate(kinds)}
    return listed, [numbers[tuple(sorted(words[word]))] for word in listed], list(kinds), phrases


@cache
def lexicon(language: str) -> Lexicon | None:
    """The lexicon of a language, or None where there is none."""
    return Lexicon(language) if os.path.isfile(os.path.join(_HOME, f"{language}.txt")) else None


def kinds(words: Sequence[str], languages: Iterable[str]) -> list[Kinds]:
    """The kinds of each word of a text in those languages, in order of their names."""
    known = _lexicons(tuple(languages))
    found, pairs = [_kinds(word, known) for word in words], [*pairwise(words)]
    for phrases in [one.phrases for one in known if not one.phrases.keys().isdisjoint(pairs)]:
        for place, pair in enumerate(pairs):
            for phrase, kind in phrases.get(pair, ()):
                if list(words[place : place + len(phrase)]) == phrase:
                    for inside in range(place, place + len(phrase)):
                        found[inside] = tuple(sorted({*found[inside], kind}))
    return found


@cache
def _lexicons(languages: tuple[str, ...]) -> tuple[Lexicon, ...]:
    return tuple(found for language in languages if (found := lexicon(language)) is not None)


@kept(16_384)
def _kinds(word: str, known: tuple[Lexicon, ...]) -> Kinds:
    """The kinds of a word in some lexicons."""
    told = [found for one in known if (found := one.kinds(word))]
    return tuple(sorted(set().union(*told))) if len(told) > 1 else told[0] if told else ()


class Meanings:
    """The meanings of the words of one language."""

    def __init__(self, place: str) -> None:
        with open(place, "rb") as file:
            content = file.read()
        words, meanings = ready(place, content, lambda: listed(zlib.decompress(content).decode()))
        self._sorted: list[str] = words
        self._meanings: list[str] = meanings

    @kept(16_384)
    def of(self, word: str) -> str:
        """What a folded word means; nothing where nobody said, or where it is the same in English."""
        words = self._sorted
        place = bisect_left(words, word)
        if words[place : place + 1] == [word]:
            return self._meanings[place]
        shared, near = max((_shared(word, words[at]), -at) for at in (place - 1, place) if 0 <= at < len(words))
        longest = max(len(word), len(words[-near]))
        return self._meanings[-near] if shared >= _SHARED and longest - shared <= _LONGEST_ENDING else ""


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
