"""The small simulated web of the browser agent: tabs, pages, goods, and what can be done with them.

All of its state is one page state, a text that the conversation keeps: a line for people, then the rest as data. A
browser that is opened again tomorrow is therefore where it was.
"""

from __future__ import annotations

import re
import tomllib
from functools import cache
from importlib.resources import files
from typing import Any

import msgspec

_WORDS = re.compile(r"[\w'.-]*\w")


class Tab(msgspec.Struct, omit_defaults=True):
    """One open tab."""

    id: int
    site: str
    title: str
    text: str
    pinned: bool = False
    muted: bool = False
    group: str = ""


class Thing(msgspec.Struct, omit_defaults=True):
    """Something that a site offers."""

    name: str
    at: str
    price: float
    about: str


class Web(msgspec.Struct):
    """What the browser shows and holds."""

    at: str = "the start page"
    site: str = ""
    results: list[str] = []
    chosen: str = ""
    cart: list[str] = []
    tabs: list[Tab] = []
    closed: list[Tab] = []
    bookmarks: list[str] = []
    active: int = 0

    def state(self) -> str:
        """The page state: where we are, in words, then everything else."""
        return f"{self.at}\n{msgspec.json.encode(self).decode()}"

    def things(self) -> list[Thing]:
        known = {thing.name: thing for thing in goods()}
        return [known[name] for name in self.results if name in known]


def restored(state: str) -> Web:
    """The browser as it was when this page state was kept; a new one with its first tabs when there is none."""
    _, _, data = state.partition("\n")
    try:
        return msgspec.json.decode(data, type=Web)
    except msgspec.MsgspecError:
        tabs = [Tab(number, **tab) for number, tab in enumerate(_data()["tabs"], 1)]
        return Web(tabs=tabs, active=len(tabs) - 1)


@cache
def _data() -> dict[str, Any]:
    return tomllib.loads(files("holdfast.agents").joinpath("pages.toml").read_text(encoding="utf-8"))


@cache
def goods() -> tuple[Thing, ...]:
    return tuple(Thing(**thing) for thing in _data()["goods"])


def site_in(text: str) -> dict[str, str] | None:
    """The site that a text names, or that has what it speaks of."""
    said = set(words(text, light=False))
    return next((site for site in _data()["sites"] if said & set(site["also"].split())), None)


@cache
def _light() -> frozenset[str]:
    return frozenset(_data()["light"].split())


def words(text: str, light: bool = True) -> list[str]:
    """The words of a text; with `light` only those that carry meaning."""
    found = [word.strip(".'") for word in _WORDS.findall(text.lower())]
    return [word for word in found if not (light and word in _light())]


def matching(wanted: list[str], site: str) -> list[Thing]:
    """What a site has of what is wanted, best first; the newest words weigh most."""
    scored = []
    for thing in goods():
        if site in thing.at:
            known = set(words(f"{thing.name} {thing.about}"))
            score = sum(1 + place for place, word in enumerate(wanted) if _known(word, known))
            scored.append((score, thing))
    best = sorted((pair for pair in scored if pair[0]), key=lambda pair: -pair[0])
    return [thing for _, thing in best]


def _known(word: str, known: set[str]) -> bool:
    return word in known or word.removesuffix("s") in known or f"{word}s" in known


def sentences(text: str) -> list[str]:
    return [part.strip() for part in re.split(r"(?<=[.!?])\s+", text) if part.strip()]
