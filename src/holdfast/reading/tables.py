"""Pattern tables: the words of a language as data. One file per language and subject, one id per pattern.

A table file is TOML. Every top-level table is a family of cues, every key in it a pattern: `employer__past` declares
what the pattern means in its family (employer) and, after two underscores, its traits (past); two that mean the
same differ in a trait. Code asks for those (`cue.means`, `cue.traits`), never for the spelling of an id. `[macros]`
holds pieces that patterns use as %name%. Patterns are written for folded text (see `text.py`): lower case, no accents,
straight quotes. Word boundaries are put around a pattern unless it starts with ^ or ends with $. A family whose name
starts with "data." is no pattern at all but plain data of the language (number words, months), read by finders.

What comes with Holdfast may also stand in one file `<subject>.tsv`, a row for each thing ("field/weather") and a column
for each language, so that what belongs together is seen together.
"""

from __future__ import annotations

import os
import re
from collections.abc import Iterable, Mapping
from functools import cache
from importlib import import_module
from typing import Any, NamedTuple

from holdfast.errors import PackError
from holdfast.reading.mending import words_of
from holdfast.reading.needles import Needle, needles
from holdfast.reading.ready import ready
from holdfast.reading.text import fold


class Pattern(NamedTuple):
    """One row of a table."""

    id: str
    """For receipts; nothing is decided by how it is spelt."""
    family: str
    language: str
    source: str
    means: str = ""
    """What it means within its family: the first part of its key."""
    traits: frozenset[str] = frozenset()
    """How it says that: the other parts."""


class Table(NamedTuple):
    """The patterns and plain data of one file."""

    name: str
    language: str
    patterns: tuple[Pattern, ...]
    data: Mapping[str, Any]
    place: str = ""
    """The file that it came from, where that is ours: RE2 is known to take its patterns, since tests try them."""

    def prepared(self) -> Prepared:
        """What reading by it needs to have at hand, kept ready for tables of ours."""
        sources = [pattern.source for pattern in self.patterns]
        spoken = (rows for name, rows in self.data.items() if name != "language")
        texts = [fold(f"{key} {value}") for rows in spoken for key, value in rows.items()]

        def make() -> tuple[Any, ...]:
            return [needles(source) for source in sources], *words_of(sources, texts)

        if not self.place:
            return Prepared(*make())
        made_of = "\n".join((*sources, *texts)).encode()
        return Prepared(*ready(f"{self.place}.{self.language}", made_of, make, needles, words_of))


class Prepared(NamedTuple):
    """What is made of a table to read by it."""

    needles: list[list[Needle]]
    """For each of its patterns, what a text must hold for it to match."""
    words: list[str]
    """The words it is made of."""
    stems: list[str]


Rows = list[tuple[str, str, str]]
"""Patterns as plain values: family, key, source."""


def parse(name: str, language: str, text: str) -> Table:
    """Read a table from TOML text. `language` is a code such as "en", or "any"."""
    return _table(name, language, *_parsed(name, text))


def _parsed(name: str, text: str) -> tuple[Rows, dict[str, Any]]:
    """The patterns and the plain data of a table in TOML."""
    import tomllib  # costs 20 ms: paid by whoever loads a pack, not by whoever imports Holdfast

    try:
        tree = tomllib.loads(text)
    except tomllib.TOMLDecodeError as wrong:
        raise PackError(f"table {name}: {wrong}") from None
    return _rows(name, tree)


def _table(name: str, language: str, rows: Rows, data: dict[str, Any], place: str = "") -> Table:
    patterns = []
    for family, key, source in rows:
        means, *traits = key.split("__")
        patterns.append(Pattern(f"{language}.{family}.{key}", family, language, source, means, frozenset(traits)))
    return Table(name, language, tuple(patterns), data, place)


def _rows(name: str, tree: dict[str, Any]) -> tuple[Rows, dict[str, Any]]:
    """The families of a table, each with its patterns by their keys, and its plain data."""
    macros = tree.pop("macros", {})
    data = tree.pop("data", {})
    found: Rows = []
    for family, rows in tree.items():
        if not isinstance(rows, dict):
            raise PackError(f"table {name}: {family!r} must be a table of patterns, not a single value")
        for key, source in rows.items():
            if not isinstance(source, str):
                raise PackError(f"table {name}: {family}.{key} must be a pattern in quotes")
            expanded = _expand(source, macros, f"table {name}: {family}.{key}")
            if (folded := fold(expanded)) != expanded and (odd := _unfolded(expanded, folded)):
                raise PackError(
                    f"table {name}: {family}.{key} has {odd!r}; patterns are written folded, as {fold(odd)!r}"
                )
            found.append((family, key, expanded))
    return found, data


def _unfolded(source: str, folded: str) -> str | None:
    """The first letter that folded text never has. Plain capitals are no letters of the text, but \\S and its like."""
    return next((char for char, low in zip(source, folded, strict=True) if char != low and not char.isascii()), None)


def _expand(source: str, macros: Mapping[str, str], place: str) -> str:
    for _ in range(5):  # macros may use macros, a few levels deep
        if "%" not in source:
            return source
        try:
            source = re.sub(r"%(\w+)%", lambda hit: f"(?:{macros[hit[1]]})", source)
        except KeyError as missing:
            raise PackError(f"{place} uses the macro %{missing.args[0]}%, which the table does not define") from None
    return source


def either(pieces: Iterable[str]) -> str:
    """Pieces of patterns as one choice for the standard library's matcher, the longest first; of none, what never
    matches."""
    return f"(?:{'|'.join(sorted(pieces, key=lambda piece: (-len(piece), piece))) or '(?!)'})"


def in_folder(folder: str | os.PathLike[str]) -> list[Table]:
    """Every table `<subject>.<language>.toml` of a folder. Subjects are named freely: what counts are the families."""
    try:
        names = sorted(name for name in os.listdir(folder) if name.endswith(".toml"))
    except OSError as wrong:
        raise PackError(f"the tables in {os.fspath(folder)} cannot be read: {wrong.strerror}") from None
    if not names:
        raise PackError(f"there are no tables in {os.fspath(folder)}; they are called <subject>.<language>.toml")
    return [_in_file(os.path.join(folder, name), name) for name in names]


def _in_file(place: str, name: str, ours: bool = False) -> Table:
    subject, _, language = name.removesuffix(".toml").rpartition(".")
    if not subject or not language.isalpha():
        raise PackError(f"{place} does not say its language; a table is called <subject>.<language>.toml")
    with open(place, "rb") as file:
        content = file.read()
    if not ours:
        return parse(name, language, content.decode())
    rows, data = ready(place, content, lambda: _parsed(name, content.decode()))
    return _table(name, language, rows, data, place)


COLUMNS = ("en", "ru", "es")
"""The languages of a table with a column for each."""


def shipped(package: str, subject: str, languages: tuple[str, ...] = COLUMNS) -> list[Table]:
    """The tables of a package, for those languages (and "any") that it has: `words/<subject>.<language>.toml`, and
    `words/<subject>.tsv`, which has a row for each thing and a column for each language."""
    folder = os.path.join(import_module(package).__path__[0], "words")
    found = []
    for language in ("any", *languages):
        name = f"{subject}.{language}.toml"
        place = os.path.join(folder, name)
        if os.path.isfile(place):
            found.append(_ours(place, name) if package.startswith("holdfast.") else _in_file(place, name))
    place = os.path.join(folder, f"{subject}.tsv")
    return [*found, *(table for table in _columns(place) if table.language in languages)]


@cache
def _columns(place: str) -> tuple[Table, ...]:
    """The table of each language of a file with a column for each; none where there is no such file."""
    trees: dict[str, dict[str, Any]] = {language: {} for language in COLUMNS if os.path.isfile(place)}
    for id, cells in rows(place) if trees else ():
        family, _, key = id.partition("/")
        for language, cell in zip(COLUMNS, cells, strict=True):
            tree = trees[language]
            for name in family.split(".") if cell else ():
                tree = tree.setdefault(name, {})
            if cell:
                tree[key] = int(cell) if cell.isdigit() else cell
    name = os.path.basename(place)
    return tuple(_table(f"{name}.{language}", language, *_rows(name, tree), place) for language, tree in trees.items())


def rows(place: str | os.PathLike[str]) -> list[tuple[str, list[str]]]:
    """The rows of such a file, without its remarks: an id, and a cell for each language."""
    with open(place, encoding="utf-8") as file:
        parted = [line.rstrip("\n").split("\t") for line in file if not line.startswith("#")]
    return [(id, cells) for id, *cells in parted]


@cache
def _ours(place: str, name: str) -> Table:
    """A table of Holdfast itself: read once, so that packs that have the same tables can share a reader."""
    return _in_file(place, name, ours=True)
