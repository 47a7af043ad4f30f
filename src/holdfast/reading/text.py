"""Text as the patterns see it: lower case, without Latin accents, with plain quotes, and exactly as long as the text.

Equal length is what makes spans of the folded text spans of the text. Cyrillic ё is read as е; й and all else stays.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Callable
from typing import Any

from holdfast.accepting import accept_writable
from holdfast.errors import InvalidInput

LONGEST = 1 << 20
"""Characters of the longest message that is taken in: 1 MiB of plain text."""

WORD = "0-9a-z_\u00c0-\u1fff\u2c00-\u2dff\u3040-\ud7ff"
"""Inside of a character class: what counts as part of a word after folding, in any script.

RE2's own \\b knows ASCII only, and its \\pL compiles a hundred times slower than these ranges."""


def _ranges(kind: Callable[[str], bool]) -> str:
    """The letters of a kind in the alphabets that have two cases, as the inside of a character class."""
    codes = [code for code in range(0x41, 0x588) if chr(code).isalpha() and kind(chr(code))]
    runs = [[codes[0], codes[0]]]
    for code in codes[1:]:
        if code == runs[-1][1] + 1:
            runs[-1][1] = code
        else:
            runs.append([code, code])
    return "".join(f"{chr(first)}-{chr(last)}" for first, last in runs)


LOWER, UPPER = _ranges(str.islower), _ranges(str.isupper)
"""Insides of character classes: small letters, and capitals."""

_PLAIN = str.maketrans("’‘ʼ´`“”„«»–—−‐‑…×÷\u00a0\u202f\u2009ёЁ", "'''''\"\"\"\"\"-----.     ее")


def _table() -> dict[int, str]:
    table = {code: chr(plain) for code, plain in _PLAIN.items()}
    for code in range(0xC0, 0x250):
        stroked = unicodedata.name(chr(code)).partition(" WITH STROKE")  # "Wrocław" has no accent to be taken off
        base = stroked[0][-1] if stroked[1] else unicodedata.normalize("NFD", chr(code))[0]
        if base.isascii() and base.isalpha():
            table[code] = base.lower()
    return table


_TABLE = _table()


class _Later:
    """A pattern that is compiled when it is first used; what was asked of it then stands in its place."""

    def __init__(self, source: str, flags: int) -> None:
        self._given = source, flags

    def __getattr__(self, name: str) -> Any:
        if name.startswith("__"):
            raise AttributeError(name)
        found = self.__dict__[name] = getattr(re.compile(*self._given), name)
        return found


def later(source: str, flags: int = 0) -> re.Pattern[str]:
    """A pattern of the standard library's matcher that most messages do without: one with many choices takes
    milliseconds to compile."""
    return _Later(source, flags)  # type: ignore[return-value]


def fold(text: str) -> str:
    """The text as patterns see it, of the same length."""
    if text.isascii():
        return text.lower()
    plain = text.translate(_TABLE)
    lower = plain.lower()
    if len(lower) == len(plain):
        return lower
    return "".join(low if len(low := char.lower()) == 1 else char for char in plain)


def alphabets(text: str) -> frozenset[str]:
    """The alphabets beside the Latin one that a text is written in, as Unicode calls them: "CYRILLIC"."""
    letters = {char for char in text if char.isalpha() and not char.isascii()}
    return frozenset(unicodedata.name(char, "").partition(" ")[0] for char in letters) - {"LATIN"}


def accept(text: object, *, empty: bool = False) -> str:
    """The text if it can be read and kept, else an InvalidInput that says what is wrong with it."""
    if not isinstance(text, str):
        raise InvalidInput(f"a message must be text (str), not {type(text).__name__}")
    if len(text) > LONGEST:
        raise InvalidInput(
            f"the message has {len(text):,} characters, the limit is {LONGEST:,}; send it in parts or attach it"
        )
    if not empty and not text.strip():
        raise InvalidInput("the message is empty; send at least one visible character")
    if not text.isascii():
        accept_writable("the message", text)
    if not text.isprintable():
        for place, char in enumerate(text):
            if char < " " and char not in "\t\n\r":
                raise InvalidInput(
                    f"the message has the control character U+{ord(char):04X} at character {place}; remove it first"
                )
    return text
