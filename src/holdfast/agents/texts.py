"""The words of the agents, a row for each text or pattern and a column for each language: what they say is in
`words/says.tsv`, what each understands in `words/<agent>.tsv`."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from functools import cache
from importlib.resources import files
from typing import Any

from holdfast.reading.reader import Reader
from holdfast.reading.tables import Table, made, shipped

LANGUAGES = ("en", "ru", "es")


def spoken(language: str | None) -> str:
    """The language that an agent answers in: the one of the talk where it speaks that, else English."""
    return language if language in LANGUAGES else LANGUAGES[0]


def rows(table: str) -> Iterator[list[str]]:
    """The rows of a table of the agents, without its remarks."""
    text = files("holdfast.agents").joinpath(table).read_text(encoding="utf-8")
    return (line.split("\t") for line in text.splitlines() if not line.startswith("#"))


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


@cache
def patterns(agent: str) -> tuple[Table, ...]:
    """What an agent understands, as one table for each language."""
    trees: dict[str, dict[str, Any]] = {language: {} for language in LANGUAGES}
    for id, *cells in rows(f"words/{agent}.tsv"):
        family, _, key = id.partition("/")
        for language, cell in zip(LANGUAGES, cells, strict=True):
            if cell:
                tree = trees[language]
                for name in family.split("."):
                    tree = tree.setdefault(name, {})
                tree[key] = cell
    return tuple(made(f"{agent}.{language}", language, tree)._replace(tried=True) for language, tree in trees.items())


def reader_of(agent: str, *more: Table) -> Reader:
    """Reads messages for an agent: with its own words, the shared ones and `more`."""
    return Reader([*shipped("holdfast.reading", "shared", LANGUAGES), *patterns(agent), *more])
