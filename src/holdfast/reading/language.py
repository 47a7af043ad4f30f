"""Which language a message is in: by script first, then by the small words that only one language uses."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any

_MARKS = ".,;:!?¿¡\"'()[]{}<>*-"
_ENOUGH = 400
"""Characters that are looked at; the language of a long text shows at its beginning."""


class Recogniser:
    """Knows a language by `[data.language]` of its table: `words`, its function words; `script`, a range of letters
    such as "а-я" where it has an alphabet of its own; `marks`, signs that only it uses."""

    def __init__(self, tables: Mapping[str, Mapping[str, Any]]) -> None:
        self._words: dict[str, set[str]] = {}
        self.scripts = {language for language, data in tables.items() if data.get("script")}
        """Languages with an alphabet of their own."""
        self._letters: list[tuple[str, re.Pattern[str]]] = []
        for language, data in tables.items():
            own = set(str(data.get("words", "")).split())
            for word in own:
                self._words.setdefault(word, set()).add(language)
            if letters := data.get("script") or data.get("marks"):
                self._letters.append((language, re.compile(f"[{letters}]")))

    def recognise(self, folded: str) -> str | None:
        """The language of folded text, or None when nothing tells."""
        head = folded[:_ENOUGH]
        if not head.isascii():
            for language, letters in self._letters:
                if letters.search(head):
                    return language
        counts: dict[str, float] = {}
        for word in head.split():
            speakers = self._words.get(word.strip(_MARKS), ())
            for language in speakers:
                counts[language] = counts.get(language, 0) + 1 / len(speakers)
        if not counts:
            return None
        best = sorted(counts.items(), key=lambda pair: -pair[1])
        if len(best) > 1 and best[0][1] == best[1][1]:
            return None
        return best[0][0]
