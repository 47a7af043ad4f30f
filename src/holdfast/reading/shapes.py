"""Shapes: expressions whose form is code and whose words are data.

A finder writes the form of what it looks for and names the words by their list in the tables: in "\\s%memory.and%\\s"
the list `and` of `[data.memory]` becomes a choice of its words. A shape is made into an expression by
`reading.made(shape)` with the words of the message's language, and by `reading.reader.made(shape)` with those of all
languages, where people mix them; either is compiled once.
"""

from __future__ import annotations

import re

from holdfast.reading.reader import Reader
from holdfast.reading.tables import either

_LIST = re.compile(r"%(\w+)\.(\w+)%")


class Shape:
    """The form of an expression of the standard library's matcher; it must be linear whatever the words are."""

    def __init__(self, form: str) -> None:
        self.form = form

    def __call__(self, reader: Reader, language: str | None) -> re.Pattern[str]:
        return re.compile(_LIST.sub(lambda hit: either(reader.phrases(hit[1], hit[2], language)), self.form))
