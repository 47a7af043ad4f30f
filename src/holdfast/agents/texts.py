"""What the agents say: `words/says.tsv`, a row for each text and a column for each language."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from functools import cache
from importlib.resources import files

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
