"""Receipts in the language of the one who reads them.

An event tells itself in short English, and so are the reasons that are stored with it. A line is recognised by its form
("{slot} = {value} (was {old})"), and the form is said in another language by that language's table,
`words/receipt.<language>.toml`; values stay as they were said. A line of an old log is told as well as one of today,
and one that no table knows stays as it is. Nothing here is needed to decide a turn.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from functools import lru_cache
from pathlib import Path
from typing import NamedTuple

import msgspec

from holdfast.receipt import Line, Receipt, Said

TABLES = Path(__file__).parent / "words"
ENGINE = "en"
"""The language that lines are made in."""
NAMES = {"slot", "kind", "state", "lifespan", "mode", "relation", "how"}
"""Places that hold a name of the engine's own, which the table may have a word for."""
ONE_WORD = NAMES | {"agent", "n", "step", "language", "source"}
"""Places that hold one word."""
SENTENCES = {"reason", "label", "what", "also", "support"}
"""Places that hold something that has a form of its own."""
LONGEST = 1000
"""Characters up to which a line is looked at; what is longer is somebody's text."""
_PLACE = re.compile(r"\{(\w+)\}")
_WORD = re.compile(r"[\w./:-]+")
_PLAIN = re.compile(r"[a-z]+(?:[_/][a-z0-9]+)*")


class Form(NamedTuple):
    """A form to recognise a line by: its pieces, and the places between them."""

    needs: str
    """The longest piece: a line without it is not looked at further."""
    text: str
    pieces: tuple[str, ...]
    places: tuple[str, ...]

    def read(self, line: str) -> Said | None:
        """The line taken apart, in one walk along it; None where it has another form."""
        first, last = self.pieces[0], self.pieces[-1]
        if not self.places:
            return Said(self.text) if line == first else None
        start, end = len(first), len(line) - len(last)
        if start >= end or not line.startswith(first) or not line.endswith(last):
            return None
        parts: dict[str, str | Said] = {}
        for place, piece in zip(self.places, (*self.pieces[1:-1], ""), strict=True):
            # What stands in brackets is an aside of ours at the end; before it a text may have brackets of its own.
            seek = line.rfind if piece.startswith((" (", " [")) else line.find
            stop = seek(piece, start + 1, end) if piece else end
            text = line[start:stop]
            if stop <= start or (place in ONE_WORD and not _WORD.fullmatch(text)):
                return None
            parts[place] = _part(place, text)
            start = stop + len(piece)
        return Said(self.text, parts=parts)


def _form(text: str) -> Form:
    pieces = _PLACE.split(text)
    return Form(max(pieces[::2], key=len), text, tuple(pieces[::2]), tuple(pieces[1::2]))


def _part(place: str, text: str) -> str | Said:
    if place in NAMES:
        return Said(name=text)
    return (_first(_forms().sentences, text) or text) if place in SENTENCES else text


def _first(forms: Iterable[Form], text: str) -> Said | None:
    for form in forms:
        if form[0] in text and (said := form.read(text)) is not None:
            return said
    return None


def read(line: Line) -> Said | None:
    """What a line says, taken apart; None where it is no form of ours, but only values."""
    return _first(_forms().lines.get(line.did, ()), line.what) if len(line.what) <= LONGEST else None


def sentence(text: str) -> str | Said:
    """A reason or the like, taken apart where its form is known."""
    return _part("reason", text) if len(text) <= LONGEST else text


def apart(receipt: Receipt) -> Receipt:
    """A receipt whose lines carry what they say taken apart as well, for whoever tells it in words of their own."""
    return Receipt(receipt.version, tuple(msgspec.structs.replace(line, said=read(line)) for line in receipt.lines))


def grouped(receipt: Receipt) -> list[list[Line]]:
    """The lines, with those together that say the same to people: a name that is kept twice was learned once."""
    groups: dict[tuple[str, str], list[Line]] = {}
    for line in receipt.lines:
        groups.setdefault((line.did, words(ENGINE).what(line)), []).append(line)
    return list(groups.values())


class Words(msgspec.Struct, frozen=True):
    """How a language tells receipts."""

    verbs: dict[str, str] = {}
    names: dict[str, str] = {}
    lines: dict[str, dict[str, str]] = {}
    """By verb: the engine's form → the form in this language."""
    sentences: dict[str, str] = {}
    frame: dict[str, str] = {}
    """What stands around the lines."""

    def verb(self, did: str) -> str:
        return self.verbs.get(did, did)

    def name(self, name: str) -> str:
        """A name of the engine's own; one that the table lacks is shown without its folder and underscores."""
        known = self.names.get(name)
        return known or (name.rpartition("/")[2].replace("_", " ") if _PLAIN.fullmatch(name) else name)

    def what(self, line: Line) -> str:
        """What a line is about."""
        said = read(line)
        return line.what if said is None else self._fill(said, self.lines.get(line.did, {}))

    def sentence(self, text: str) -> str:
        said = sentence(text)
        return said if isinstance(said, str) else self._fill(said, self.sentences)

    def around(self, what: str, **values: object) -> str:
        """A piece of the frame, with its places filled in."""
        return (self.frame.get(what) or _frame().get(what, what)).format(**values)

    def _fill(self, said: Said, forms: Mapping[str, str]) -> str:
        def place(found: re.Match[str]) -> str:
            part = said.parts[found[1]]
            if isinstance(part, str):
                return part
            return self.name(part.name) if part.name else self._fill(part, self.sentences)

        return _PLACE.sub(place, forms.get(said.form, said.form))


class _Forms(NamedTuple):
    lines: dict[str, tuple[Form, ...]]
    sentences: tuple[Form, ...]


@lru_cache(maxsize=1)
def _forms() -> _Forms:
    """Every form that some table knows, in the order of the tables: the first that fits is taken."""
    lines: dict[str, dict[str, None]] = {}
    sentences: dict[str, None] = {}
    for language in sorted(languages(), key=lambda code: (code == ENGINE, code)):  # English has few forms
        table = words(language)
        for did, forms in table.lines.items():
            lines.setdefault(did, {}).update(dict.fromkeys(forms))
        sentences.update(dict.fromkeys(table.sentences))
    return _Forms({did: tuple(map(_form, forms)) for did, forms in lines.items()}, tuple(map(_form, sentences)))


def languages() -> list[str]:
    """Languages that receipts can be told in."""
    return sorted(path.name.split(".")[1] for path in TABLES.glob("receipt.*.toml"))


@lru_cache(maxsize=64)
def words(language: str | None) -> Words:
    """The table of a language; without one, or for one that has no table, the engine's own words."""
    if language not in languages():
        return Words()
    import tomllib  # costs 20 ms: paid by whoever tells a receipt, not by whoever imports Holdfast

    return msgspec.convert(tomllib.loads((TABLES / f"receipt.{language}.toml").read_text("utf-8")), Words)


def _frame() -> dict[str, str]:
    return words(ENGINE).frame


def told_in(language: str | None) -> Words:
    """The words for a terminal: English there is the engine's own, so that lines read as they are stored."""
    return words(None if language == ENGINE else language)
