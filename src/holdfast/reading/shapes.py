"""Shapes: expressions whose form is code and whose words are data.

A finder writes the form of what it looks for and names the words by their list in the tables: in "\\s%memory.and%\\s"
the list `and` of `[data.memory]` becomes a choice of its words, in every language that has a table. Words are written
plain, and a star at the end of one stands for any ending ("поехал*"); so a table can name words only, and the form
alone decides that matching stays linear.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable

_LIST = re.compile(r"%(\w+)\.(\w+)%")
NOTHING = "(?!)"
"""What a list without words becomes: no text fits it."""


def filled(shape: str, words: Callable[[str, str], Iterable[str]]) -> str:
    """A shape with a choice of words in the place of each list; `words` gives a list by the names of data and key."""
    return _LIST.sub(lambda hit: choice(words(hit[1], hit[2])), shape)


def choice(words: Iterable[str]) -> str:
    """Any of the words, the longest first, so that "or" does not win where "or maybe" stands."""
    ordered = sorted(set(words), key=lambda word: (-len(word), word))
    return f"(?:{'|'.join(map(_plain, ordered))})" if ordered else NOTHING


def _plain(word: str) -> str:
    return re.escape(word[:-1]) + r"\w*" if word.endswith("*") else re.escape(word)
