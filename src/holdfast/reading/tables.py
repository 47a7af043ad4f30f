"""Pattern tables: the words of languages as data, one id per pattern.

A table is a tree of families. Every family is one of cues, every key in it a pattern: `employer__past` declares
what the pattern means in its family (employer) and, after two underscores, its traits (past); two that mean the
same differ in a trait. Code asks for those (`cue.means`, `cue.traits`), never for the spelling of an id. The family
"macros" holds pieces that patterns use as %name%. Patterns are written for folded text (see `text.py`): lower case, no
accents, straight quotes. Word boundaries are put around a pattern unless it starts with ^ or ends with $. A family
whose name starts with "data." is no pattern at all but plain data of the language (number words, months), read by
finders.

What comes with Holdfast stands in `words/<subject>.tsv`, a row for each thing and a column for each language, so that
what belongs together is seen together; a row with a single cell holds in any language. "field/weather" is a key with
its value in the cells, "data.units=h" a value with its keys in them, parted by commas: "hours, hour". Tables that are
added are TOML, one file per language and subject, a top-level table for each family.
"""

from __future__ import annotations

import os
import re
from collections.abc import Iterable, Mapping
from functools import cache
from importlib import import_module
from typing import Any, NamedTuple

from holdfast.columns import rows
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


def parse(name: str, language: str, text: str) -> Table:
    """Read a table from TOML text. `language` is a code such as "en", or "any"."""
    import tomllib  # costs 20 ms: paid by whoever loads a pack, not by whoever imports Holdfast

    try:
        tree = tomllib.loads(text)
    except tomllib.TOMLDecodeError as wrong:
        raise PackError(f"table {name}: {wrong}") from None
    return _table(name, language, tree)


def _table(name: str, language: str, tree: dict[str, Any], place: str = "") -> Table:
    macros, data = tree.pop("macros", {}), tree.pop("data", {})
    found = []
    for family, sources in tree.items():
        if not isinstance(sources, dict):
            raise PackError(f"table {name}: {family!r} must be a table of patterns, not a single value")
        for key, source in sources.items():
            if not isinstance(source, str):
                raise PackError(f"table {name}: {family}.{key} must be a pattern in quotes")
            expanded = _expand(source, macros, f"table {name}: {family}.{key}")
            if (folded := fold(expanded)) != expanded and (odd := _unfolded(expanded, folded)):
                raise PackError(
                    f"table {name}: {family}.{key} has {odd!r}; patterns are written folded, as {fold(odd)!r}"
                )
            means, *traits = key.split("__")
            found.append(Pattern(f"{language}.{family}.{key}", family, language, expanded, means, frozenset(traits)))
    return Table(name, language, tuple(found), data, place)


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


def _in_file(place: str, name: str) -> Table:
    subject, _, language = name.removesuffix(".toml").rpartition(".")
    if not subject or not language.isalpha():
        raise PackError(f"{place} does not say its language; a table is called <subject>.<language>.toml")
    with open(place, encoding="utf-8") as file:
        return parse(name, language, file.read())


COLUMNS = ("en", "ru", "es")
"""The languages of a table with a column for each."""
_NUMBER = re.compile(r"-?\d+(?:\.\d+)?")


def shipped(package: str, subject: str, languages: tuple[str, ...] = COLUMNS) -> list[Table]:
    """The tables of a package in `words/<subject>.tsv`, for these languages and "any"."""
    place = os.path.join(import_module(package).__path__[0], "words", f"{subject}.tsv")
    tables = _columns(place, package.startswith("holdfast."))
    return [table for table in tables if table.language in ("any", *languages)]


@cache
def _columns(place: str, ours: bool) -> tuple[Table, ...]:
    """The tables of a file with a column for each language, read once: packs with the same tables share a reader."""
    trees: dict[str, dict[str, Any]] = {language: {} for language in ("any", *COLUMNS)}
    for id, cells in rows(place):
        family, stands, key = re.split("([/=])", id, maxsplit=1)
        for language, cell in zip(COLUMNS if len(cells) > 1 else ("any",), cells, strict=True):
            tree = trees[language]
            for name in family.split(".") if cell else ():
                tree = tree.setdefault(name, {})
            if cell:
                tree.update({key: _value(cell)} if stands == "/" else dict.fromkeys(cell.split(", "), _value(key)))
    name, known = os.path.basename(place), place if ours else ""
    return tuple(_table(f"{name}.{language}", language, tree, known) for language, tree in trees.items() if tree)


def _value(cell: str) -> str | float:
    """What stands in a cell: a text or a number."""
    if not _NUMBER.fullmatch(cell):
        return cell
    return float(cell) if "." in cell else int(cell)
