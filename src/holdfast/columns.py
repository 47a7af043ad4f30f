"""Files of words with a row for each thing and a column for each language; lines that begin with # are remarks."""

from __future__ import annotations

import os


def rows(place: str | os.PathLike[str]) -> list[tuple[str, list[str]]]:
    """The rows of a file, without its remarks: an id, and a cell for each language, or one for all of them."""
    with open(place, encoding="utf-8") as file:
        parted = [line.rstrip("\n").split("\t") for line in file if line[0] not in "#\n"]
    return [(id, cells) for id, *cells in parted]


def texts(place: str | os.PathLike[str]) -> dict[str, dict[str, str]]:
    """By language and id: the texts of a file whose first row names its languages. What a language lacks is as in
    the first."""
    (_, languages), *found = rows(place)
    return {
        language: {id: text for id, cells in found if (text := "".join(cells[column : column + 1]) or cells[0])}
        for column, language in enumerate(languages)
    }
