"""Places of a project, known by how they are written: folders, files, addresses of machines. "tests/unit" is a place
whatever is said of it, and no tool."""

from __future__ import annotations

import re

from holdfast.reading.reader import Reading, Span
from holdfast.reading.terms import known_terms

_PART = r"[\w.@*{}-]{0,60}[\w*}]"
_FOLDER = rf"(?:[a-z]{{2,8}}://|~/|\./|\.\./|/){_PART}(?:/{_PART})*/?|{_PART}(?:/{_PART})+/?|{_PART}/"
_FILE = (
    r"[\w-]*\.(?:[a-z]{1,2}|json|toml|yaml|yml|conf|cfg|ini|env|lock|tsx|jsx|java|swift|html|css|scss|sql|log|csv|txt"
    r"|tex|gradle)"
)
_MACHINE = r"(?:[a-z][\w-]{0,60}\.){1,6}(?:local|internal|lan|corp|intra|com|org|net|dev|app|cloud|ru|es|de|io)"
_WRITTEN = re.compile(rf"(?<![\w/@.])(?:{_FOLDER}|{_MACHINE}|{_FILE})(?![\w@(])")
_PLAIN = re.compile(r"[^\W\d_]+/[^\W\d_]+")
"""Two words with a stroke between them are a folder only where something is said to be in it: "and/or"."""


def written(reading: Reading) -> list[Span]:
    """Use as `reading.find(written)`."""
    if not any(sign in reading.text for sign in "/.~"):
        return []
    spans = (hit.span() for hit in _WRITTEN.finditer(reading.folded))
    return [span for span in spans if _is_a_place(reading, span)]


def _is_a_place(reading: Reading, span: Span) -> bool:
    words = reading.folded[slice(*span)]
    if words in known_terms(reading.reader) or not any(map(str.isalpha, words)):
        return False  # "Next.js", "24/7"
    before = reading.folded[: span[0]].split()[-1:]
    return _PLAIN.fullmatch(words) is None or not reading.phrases("repair", "prep").isdisjoint(before)
