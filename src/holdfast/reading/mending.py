"""Slips of the fingers: two letters that changed places in a word that the tables know ("shoppnig", "segnudo"), and
what a word may have been meant for that nobody knows ("seatle").

The words are those of the patterns and the data of a language, so a pack's own words are mended too. A mended word is
as long as the typed one, so every span stays where it was; the text itself is never changed. A word that is known as it
stands, is short, begins with a capital or has a digit is left alone: it may be somebody's name.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator

from holdfast.kept import kept
from holdfast.reading.lexicon import meanings
from holdfast.reading.model.alike import known

MAX_CHARS = 1000
"""A longer text is no message that was typed in a hurry."""
STEM = 5
"""Letters of a stem that stands for all its forms."""
LETTERS = "abcdefghijklmnopqrstuvwxyz"
MISSPELT = 6
"""Letters without an ending from which a word is known in spite of a slip."""

_TYPED = re.compile(r"[^\W\d_]{6,}")  # a word that is mended: in a shorter one too many slips make another word
_CLASS = re.compile(r"\[[^\]]*\][*+?]?|\\[a-zA-Z][*+?]?(?:\{\d*,?\d*\})?")
_NAMED = re.compile(r"\?P<\w+>")
_LITERAL = re.compile(r"[^\W\d_]{4,}")
_PIECE = re.compile(r"([^\W\d_]{4,})([*(?]?)")


def words_of(patterns: Iterable[str], data: Iterable[str]) -> tuple[list[str], list[str]]:
    """The words that patterns and plain data are made of, and the stems that stand for all their forms."""
    found = _PIECE.findall(_CLASS.sub("*", _NAMED.sub("", "\n".join(patterns))))
    words = {word for word, follows in found if follows not in ("*", "(")}
    words.update([word[:-1] for word, follows in found if follows == "?"], _LITERAL.findall("\n".join(data)))
    return sorted(words), sorted({word for word, follows in found if follows in ("*", "(") and len(word) >= STEM})


class Mender:
    """The words of one language, to be asked for what was meant."""

    def __init__(self, words: Iterable[str], stems: Iterable[str]) -> None:
        self._words, self._stems = frozenset(words), frozenset(stems)
        self._meant = kept(4096)(self._find)

    def mended(self, folded: str, typed: str) -> str:
        """A folded text with its slips mended; the same object where there are none."""
        if len(folded) > MAX_CHARS:
            return folded
        found = [(m.start(), m.end(), meant) for m in _TYPED.finditer(folded) if (meant := self._meant(m[0]))]
        found = [(start, end, meant) for start, end, meant in found if not typed[start].isupper()]
        for start, end, meant in found:
            folded = folded[:start] + meant + folded[end:]
        return folded

    def _find(self, word: str) -> str:
        """The one known word that differs by two letters side by side; nothing where the word is known itself."""
        if self.knows(word):
            return ""
        pairs = range(1, len(word) - 1)  # the first letter is hardly ever wrong
        swapped = {word[:at] + word[at + 1] + word[at] + word[at + 2 :] for at in pairs} - {word}
        near = {other for other in swapped if self.knows(other)}
        return near.pop() if len(near) == 1 else ""

    def knows(self, word: str) -> bool:
        """Whether a word is one of the language's, as it stands or by its stem."""
        return word in self._words or not self._stems.isdisjoint([word[:e] for e in range(STEM, len(word) + 1)])


def is_word(word: str, language: str | None) -> bool:
    """Whether it is known what a word means."""
    return known(word) or (language is not None and bool(meanings([word], language)[0]))


def slips(word: str, letters: Iterable[str]) -> Iterator[str]:
    """What may have been meant by who left out, added, swapped or mistook one letter."""
    for at in range(len(word) + 1 if len(word) >= MISSPELT else 0):
        before, after = word[:at], word[at:]
        yield from (before + after[1:], before + after[1:2] + after[:1] + after[2:])
        yield from (before + letter + after[skipped:] for letter in letters for skipped in (0, 1))
