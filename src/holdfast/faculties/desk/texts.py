"""The desk's own sentences, one TOML file per language: questions, offers, how-tos, fallbacks. A pack may bring a file
of its own, whose keys go before the shipped ones."""

from __future__ import annotations

import tomllib
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from holdfast.errors import PackError
from holdfast.faculties.desk.library import folder_of


class Texts:
    """Sentences by language and key ("howto.look")."""

    def __init__(self, tables: Mapping[str, Mapping[str, str]]) -> None:
        self._tables = tables
        self.languages = frozenset(tables)

    def get(self, language: str | None, key: str, **fields: Any) -> str:
        table = self._tables.get(language or "en") or self._tables["en"]
        text = table.get(key) or self._tables["en"].get(key)
        if text is None:
            raise PackError(f"the texts of the desk have no {key!r}; add it to texts/en.toml")
        return text.format(**fields) if fields else text

    def all(self, key: str) -> list[str]:
        """A text in every language that has it."""
        return [table[key] for table in self._tables.values() if key in table]


def load(*places: str | Path) -> Texts:
    """The texts of some packages or folders, later ones going before earlier ones."""
    tables: dict[str, dict[str, str]] = {"en": {}}
    for home in places:
        folder = folder_of(home).joinpath("texts")
        for file in sorted(folder.iterdir(), key=lambda entry: entry.name) if folder.is_dir() else ():
            language, _, kind = file.name.partition(".")
            if kind == "toml":
                texts = _flat(tomllib.loads(file.read_text(encoding="utf-8")))
                tables.setdefault(language, {}).update(texts)
    return Texts(tables)


def _flat(tree: Mapping[str, Any], before: str = "") -> dict[str, str]:
    flat: dict[str, str] = {}
    for key, value in tree.items():
        if isinstance(value, dict):
            flat |= _flat(value, f"{before}{key}.")
        else:
            flat[f"{before}{key}"] = str(value)
    return flat
