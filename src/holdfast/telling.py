"""What people are told of a turn, in the language of whoever reads it.

Receipts, reasons and insights are a template and its fields (`said("slot.changed", slot=…, value=…, old=…)`), never a
sentence: `words/receipts.tsv` has every template in every language, one row each. Reasons are recorded like that too.
Old logs have English sentences in their place; those are shown as they are. Values stay as they were said. Nothing here
is needed to decide a turn.
"""

from __future__ import annotations

import os
import re
from collections.abc import Iterable
from functools import lru_cache, reduce

import msgspec

from holdfast.columns import texts

TABLE = os.path.join(os.path.dirname(__file__), "words", "receipts.tsv")
ENGLISH = "en"
NAMED = frozenset(("slot", "kind", "state", "lifespan", "mode", "how", "language", "action"))
"""Places that hold a name of the engine's own, which the table may have a word for."""
_PLACE = re.compile(r"\{(\w+)\}")
_PLAIN_NAME = re.compile(r"[a-z]+(?:[_/][a-z0-9]+)*")


class Said(msgspec.Struct, frozen=True, omit_defaults=True):
    """Something to tell people: which template, and what stands in its places."""

    template: str
    fields: dict[str, str | Said] = {}

    def __str__(self) -> str:
        return words(ENGLISH).say(self)


Telling = Said | str
"""A template with its fields, or words of somebody else: a person's, a stranger's faculty's, an old log's."""


def said(template: str, **fields: Telling | float) -> Said:
    """A template with its fields."""
    return Said(template, {name: _field(value) for name, value in fields.items()})


def _field(value: Telling | float) -> Telling:
    return value if isinstance(value, (str, Said)) else f"{value:g}"


@lru_cache(maxsize=256)
def places(template: str) -> tuple[str, ...]:
    """What stands in a template."""
    return tuple(_PLACE.findall(_rows()[ENGLISH][template]))


def listed(parts: Iterable[Telling]) -> Telling:
    """Several things as one, in a row."""
    return reduce(lambda one, more: said("list", one=one, more=more), parts)


class Words(msgspec.Struct, frozen=True):
    """How a language tells what happened."""

    texts: dict[str, str]
    """By id: templates, `did.` for verbs, `name.` for names of the engine's own, `frame.` for what stands around."""
    named: tuple[str, ...] = tuple(sorted(NAMED))
    """Places of templates that hold a name of the engine's own."""

    def verb(self, did: str) -> str:
        return self.texts.get(f"did.{did}", did)

    def name(self, name: str) -> str:
        """A name of the engine's own; one that the table lacks is shown without its folder and underscores."""
        known = self.texts.get(f"name.{name}")
        return known or (name.rpartition("/")[2].replace("_", " ") if _PLAIN_NAME.fullmatch(name) else name)

    def say(self, told: Telling) -> str:
        """A template filled in; a text as it is."""
        if isinstance(told, str):
            return told

        def fill(place: re.Match[str]) -> str:
            value = told.fields.get(place[1], "")
            return self.name(value) if isinstance(value, str) and place[1] in NAMED else self.say(value)

        return _PLACE.sub(fill, self.texts.get(told.template, told.template))

    def around(self, what: str, **values: object) -> str:
        """A piece of what stands around the lines, with its places filled in."""
        return self.texts.get(f"frame.{what}", what).format(**values)


@lru_cache(maxsize=1)
def _rows() -> dict[str, dict[str, str]]:
    """Language → id → text."""
    return texts(TABLE)


def languages() -> list[str]:
    """Languages that receipts can be told in."""
    return sorted(_rows())


@lru_cache(maxsize=16)
def words(language: str | None) -> Words:
    """The words of a language; English for one that the table lacks."""
    return Words(_rows().get(language or ENGLISH, _rows()[ENGLISH]))
