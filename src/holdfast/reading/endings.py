"""Words without their endings: "москве" and "москва" are one name, "flights" and "flight" one word.

The endings of a language are `[data.endings]` of its table, as pieces of patterns: `names`, those of proper names;
`short`, letters that also a word of three loses; `kept`, endings that belong to a name ("ростов"); `words`, those of
all other words, with `last`, what a word without any of them may still lose, and `most`, the letters that are kept of
one; `roots`, those without which words are searched for. A language with an alphabet of its own has endings of its own;
languages that share one share them, since a word does not tell which of them it is of.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from functools import cache
from typing import Any

from holdfast.kept import kept
from holdfast.reading.reader import Reader, Reading, Span
from holdfast.reading.tables import either, shipped

KEPT = 20_000
"""Words whose stems are kept ready."""
MIN_STEM_LETTERS = 3
"""Letters that an ending leaves of a word."""
MIN_TELLING_LETTERS, MAX_ENDING = 3, 2
"""Letters of a word that tells something, and those that its forms may differ in."""
_BREAKS = re.compile(r"[\s-]+")


class Endings:
    """The endings of all languages of a pack. Use as `reader.made(Endings)`."""

    def __init__(self, reader: Reader, language: str | None = None) -> None:
        alphabets = reader.recogniser.alphabets
        tables = {spoken: reader.data("endings", spoken) for spoken in reader.languages("endings")}
        cuts = {spoken: _Cut([data]) for spoken, data in tables.items() if spoken in alphabets}
        self._shared = _Cut(data for spoken, data in tables.items() if spoken not in alphabets)
        self._own = {letter: cut for spoken, cut in cuts.items() for letter in alphabets[spoken]}
        self.letters = frozenset(letter for letter, cut in self._own.items() if cut.names is not None)
        """Letters with which names begin that are known by their stems."""
        self.word = kept(KEPT)(self._word)
        self.root = kept(KEPT)(self._root)
        self.stem = kept(KEPT)(self._stem)
        self.name = kept(KEPT)(self._name)

    def _word(self, word: str) -> str:
        """A word without its ending, roughly: enough to know "flights" for "flight"."""
        return self._of(word).word(word)

    def _root(self, word: str) -> str:
        """A word without its commonest endings: enough to compare a question with a statement."""
        return self._of(word).roots.sub("", word)

    def _stem(self, name: str) -> str:
        """Words without their endings of case and number: "москве", "москву" and "москва" are "москв"."""
        return " ".join(self._of(word).stem(word) for word in _BREAKS.split(name))

    def _name(self, name: str) -> str:
        """The same for a proper name, which keeps what is its own: "ростов" and "ростове" are "ростов"."""
        return " ".join(
            word if word.endswith(self._of(word).kept) else self._of(word).stem(word) for word in _BREAKS.split(name)
        )

    def _of(self, word: str) -> _Cut:
        return self._own.get(word[:1], self._shared)


def says(reading: Reading, words: Iterable[str], span: Span | None = None) -> bool:
    """Whether a message, or a part of it, has one of some words in any of their forms."""
    endings, (start, end) = reading.reader.made(Endings), span or (0, len(reading.text))
    said = [reading.said(token) for token in reading.tokens if start <= token[0] < end]
    telling = [word for word in words if len(word) >= MIN_TELLING_LETTERS]
    return any(_one_word(endings, word, other) for word in telling for other in said)


def _one_word(endings: Endings, word: str, other: str) -> bool:
    """Whether two words are forms of one: they differ in their endings only."""
    if word[0] in endings.letters:
        return endings.stem(word) == endings.stem(other)
    short, long = sorted((len(word), len(other)))
    same = max(MIN_TELLING_LETTERS, short - 1)
    return long - short <= MAX_ENDING and word[:same] == other[:same]


@cache
def shipped_endings(*languages: str) -> Endings:
    """The endings of languages that come with the package, for those who read no messages."""
    tables = shipped("holdfast.reading", "shared", languages)
    return Reader(table._replace(patterns=()) for table in tables).made(Endings)


class _Cut:
    """The endings of one alphabet."""

    def __init__(self, tables: Iterable[Mapping[str, Any]]) -> None:
        tables = list(tables)

        def pieces(key: str) -> list[str]:
            return [piece for table in tables for piece in str(table.get(key, "")).split("|") if piece]

        self.names = re.compile(f"{either(pieces('names'))}$") if pieces("names") else None
        self.short = frozenset("".join(pieces("short")))
        self.kept = tuple(pieces("kept"))
        self.words = re.compile(f"(?<={'.' * MIN_STEM_LETTERS}){either(pieces('words'))}$")
        self.roots = re.compile(f"(?<={'.' * MIN_STEM_LETTERS}){either(pieces('roots'))}$")
        self.last = tuple(pieces("last"))
        self.most = min((int(table["most"]) for table in tables if "most" in table), default=8)

    def stem(self, word: str) -> str:
        ending = self.names.search(word) if self.names else None
        if ending is None:
            return word
        if ending.start() >= MIN_STEM_LETTERS:
            return word[: ending.start()]
        return word[:-1] if len(word) == MIN_STEM_LETTERS and word[-1] in self.short else word

    def word(self, word: str) -> str:
        cut = self.words.sub("", word)
        if cut != word:
            return cut[: self.most]
        cut = word[: self.most]
        return next((cut[: -len(last)] for last in self.last if cut.endswith(last)), cut)
