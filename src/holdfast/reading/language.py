"""Which language a message is in: by script first, then by the small words that only one language uses."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any

_SIGNS = str.maketrans(dict.fromkeys('.,;:!?¿¡"()[]{}<>*-', " "))
_WHOLE = 3
"""Words that make a sentence of a language."""
_ENOUGH = 400
"""Characters that are looked at; the language of a long text shows at its beginning."""


def _letters(script: str) -> frozenset[str]:
    """The letters of a range such as "а-яіїєґ"."""
    ranges = re.findall(r"(.)-(.)", script)
    return frozenset(script) - {"-"} | {chr(code) for a, b in ranges for code in range(ord(a), ord(b) + 1)}


def _typed(words: str) -> frozenset[str]:
    """Words as people type them: with their apostrophes and without ("whats", "dont")."""
    return frozenset(form for word in words.split() for form in (word, word.replace("'", "")))


class Recogniser:
    """Knows a language by `[data.language]` of its table: `words`, its function words; `script`, a range of letters
    such as "а-я" where it has an alphabet of its own; `marks`, signs that only it uses; `accents`, letters that weigh
    as much as one of its words where the text is given as typed."""

    def __init__(self, tables: Mapping[str, Mapping[str, Any]]) -> None:
        self.alphabets = {
            language: _letters(str(data["script"])) for language, data in tables.items() if data.get("script")
        }
        """The letters of those languages that have an alphabet of their own."""
        self.scripts = self.alphabets.keys()
        self._words = {language: _typed(str(data.get("words", ""))) for language, data in tables.items()}
        self._accents = {
            language: frozenset(str(data["accents"])) for language, data in tables.items() if data.get("accents")
        }
        self._letters = [
            (language, re.compile(f"[{letters}]"))
            for language, data in tables.items()
            if (letters := data.get("script") or data.get("marks"))
        ]

    def knows(self, word: str, language: str | None) -> bool:
        """Whether a word is one of the small words by which a language is known (any of them, where none is told)."""
        return any(word in words for name, words in self._words.items() if language in (None, name))

    def script(self, text: str) -> str | None:
        """The language that the letters of some folded text alone tell."""
        letters = frozenset(text)
        return next((name for name, own in self.alphabets.items() if not own.isdisjoint(letters)), None)

    def recognise(self, folded: str, typed: str = "") -> str | None:
        """The language of folded text, or None when nothing tells."""
        head = folded[:_ENOUGH]
        if not head.isascii():
            for language, marks in self._letters:
                if marks.search(head):
                    return language if language in self.scripts or not self._mixed(language, head) else None
        marked = frozenset(typed[:_ENOUGH].lower()) if not typed.isascii() else frozenset()
        return self._most(set(head.split()), marked) or self._most(set(head.translate(_SIGNS).split()), marked)

    def is_whole(self, folded: str, language: str) -> bool:
        """Whether a text is a sentence of one language and of no other: in its letters, or by several of its words."""
        said = folded[:_ENOUGH].translate(_SIGNS).split()
        if letters := self.alphabets.get(language):
            return len(said) >= _WHOLE and 2 * sum(not letters.isdisjoint(word) for word in said) > len(said)
        own = sum(word in self._words[language] for word in said)
        others = (sum(word in words for word in said) for name, words in self._words.items() if name != language)
        return own >= _WHOLE and own > 2 * max(others, default=0)

    def _mixed(self, language: str, head: str) -> bool:
        """Whether a text with the signs of one language is mostly in another: "¡Genial! What is your level?"."""
        said = set(head.translate(_SIGNS).split())
        own = len(said & self._words[language])
        return any(len(said & words) > own + 1 for name, words in self._words.items() if name != language)

    def _most(self, said: set[str], marked: frozenset[str]) -> str | None:
        """The language that most of the words belong to; None when there is none, or more than one."""
        best, most, tie = None, 0, False
        for language, words in self._words.items():
            count = len(said & words) + (1 if marked and not marked.isdisjoint(self._accents.get(language, ())) else 0)
            if count > most:
                best, most, tie = language, count, False
            elif count == most:
                tie = True
        return None if tie else best
