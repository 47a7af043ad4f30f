"""The words of the agents, a row for each text or pattern and a column for each language: what they say is in
`words/says.tsv`, what each understands in `words/<agent>.tsv`."""

from __future__ import annotations

import os
import re
from collections.abc import Iterator, Mapping
from functools import cache

from holdfast import columns
from holdfast.reading.reader import Reader
from holdfast.reading.tables import Table, shipped
from holdfast.reading.text import fold

LANGUAGES = ("en", "ru", "es")
_FIELD = re.compile(r"\{\w+\}")
HOME = "holdfast.agents"


def spoken(language: str | None) -> str:
    """The language that an agent answers in: the one of the talk where it speaks that, else English."""
    return language if language in LANGUAGES else LANGUAGES[0]


def rows(table: str) -> Iterator[list[str]]:
    """The rows of a table of the agents, without its remarks."""
    return ([id, *cells] for id, cells in columns.rows(os.path.join(os.path.dirname(__file__), table)))


def grouped(table: str) -> dict[str, list[list[str]]]:
    """The rows of a table by what stands in their first column."""
    found: dict[str, list[list[str]]] = {}
    for kind, *row in rows(table):
        found.setdefault(kind, []).append(row)
    return found


def texts(group: str, language: str | None) -> Mapping[str, str]:
    """The texts of a group by their keys, without those that the language lacks."""
    return _table()[group, spoken(language)]


@cache
def _table() -> dict[tuple[str, str], dict[str, str]]:
    found: dict[tuple[str, str], dict[str, str]] = {}
    for id, *cells in rows("words/says.tsv"):
        group, _, key = id.partition("/")
        for language, text in zip(LANGUAGES, cells, strict=True):
            of_group = found.setdefault((group, language), {})
            if text:
                of_group[key] = text.replace("\\n", "\n")
    return found


def is_made_of(text: str, template: str) -> bool:
    """Whether a text has all that a template says, whatever was filled in."""
    return bool(text) and all(part in text for part in _FIELD.split(template))


def latin(text: str) -> str:
    """A text in plain letters: "гугл" is "gugl"."""
    letters = dict(pair.split("=") for pair in texts("letters", "ru")["plain"].split())
    return "".join(letters.get(letter, letter) for letter in fold(text))


def reader_of(agent: str, *more: Table) -> Reader:
    """Reads messages for an agent: with its own words, the shared ones and `more`."""
    return Reader([*shipped("holdfast.reading", "shared", LANGUAGES), *shipped(HOME, agent, LANGUAGES), *more])
