"""What is on the lists of a person: the events that change them, and what is held.

A list belongs to the person, as facts do; a conversation without a user keeps its own. Which list the talk is about
belongs to the conversation.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

import msgspec

from holdfast.events import Event, Scope
from holdfast.state import State
from holdfast.telling import Telling, said

MAX_ITEMS = 50
MAX_LISTS = 20
MAX_CHARS = 120
REMINDERS, PLANS = "reminders", "plans"
OWED, OWING = "owed", "owing"
OWN = (REMINDERS, PLANS, OWED, OWING)
"""Lists that are called the same in every language: what one wants to be reminded of, what one plans, what others owe,
and what one owes."""
SLICE = "kept_lists"


class ListChanged(Event, frozen=True):
    """Things were put on a list, or taken off it; both at once where others stand in their place."""

    name: str
    added: tuple[str, ...] = ()
    removed: tuple[str, ...] = ()

    @property
    def did(self) -> str:  # type: ignore[override]
        return "superseded" if self.added and self.removed else "retracted" if self.removed else "learned"

    def tell(self) -> Telling:
        now, old = ", ".join(self.added or self.removed), ", ".join(self.removed)
        return (
            said("slot.changed", slot=self.name, old=old, value=now)
            if self.added and old
            else said("slot.is", slot=self.name, value=now)
        )


class ListOpened(Event, frozen=True):
    """The talk is about a list: it was changed, or somebody asked for it."""

    name: str
    items: tuple[str, ...] = ()
    """What of it: all where nothing is named."""
    asked: bool = False
    missing: str = ""
    """What was to be taken off and is not there."""


class ListOffered(Event, frozen=True):
    """Several things that are to be done were said in passing: they can be put on a list."""

    items: tuple[str, ...]


class Gone(msgspec.Struct, frozen=True, array_like=True):
    """What was taken off a list, what stands in its place, and when: it can be put back."""

    name: str
    item: str
    instead: str
    at: float


class Lists(msgspec.Struct, frozen=True, omit_defaults=True):
    lists: dict[str, tuple[str, ...]] = {}
    """By name, the one that was changed last at the end."""
    open: str = ""
    """The list that the talk is about, what of it, and since when."""
    items: tuple[str, ...] = ()
    version: int = 0
    offered: tuple[str, ...] = ()
    """What could be put on a list, and since when."""
    offered_in: int = 0
    gone: tuple[Gone, ...] = ()
    """What was taken off last, the newest at the end."""

    @staticmethod
    def lifted(slices: Mapping[str, Any]) -> Mapping[str, Any]:
        """Older logs kept them under the name of what is a view today."""
        return {SLICE: slices["lists"], **slices} if "lists" in slices else slices

    def get(self, name: str) -> tuple[str, ...]:
        return self.lists.get(name, ())

    @property
    def last(self) -> str:
        """The list of things that the talk is about, else the one that was changed last."""
        if self.open and self.open not in OWN:
            return self.open
        return next((name for name in reversed(self.lists) if name not in OWN), "")

    def after(self, event: ListChanged, at: float) -> Lists:
        """The lists after a change: what takes the place of something stands where that stood."""
        old, instead = self.get(event.name), dict(zip(event.removed, event.added, strict=False))
        items = [instead.get(item, item) for item in old if item in instead or item not in event.removed]
        items += [item for item in event.added if item not in items]
        others = {name: kept for name, kept in self.lists.items() if name != event.name}
        held = {**others, **({event.name: tuple(items[-MAX_ITEMS:])} if items else {})}
        lists = dict(list(held.items())[-MAX_LISTS:])
        return msgspec.structs.replace(self, lists=lists, gone=(*self.gone, *_gone(event, old, at))[-MAX_ITEMS:])


def _gone(event: ListChanged, old: tuple[str, ...], at: float) -> list[Gone]:
    instead = dict(zip(event.removed, event.added, strict=False))
    return [Gone(event.name, item, instead.get(item, ""), at) for item in event.removed if item in old]


def streams(state: State) -> list[tuple[Scope, Lists]]:
    """The lists of the conversation and those of the person."""
    scopes: tuple[Scope, ...] = ("session", "user")
    found = ((scope, state.stream(scope)) for scope in scopes)
    return [(scope, stream.slices[SLICE]) for scope, stream in found if stream is not None and SLICE in stream.slices]


def held(state: State) -> Lists:
    """All lists that a conversation sees as one."""
    lists: dict[str, tuple[str, ...]] = {}
    gone = sorted((one for _, kept in streams(state) for one in kept.gone), key=lambda one: one.at)
    for _, kept in streams(state):
        for name, items in kept.lists.items():
            lists[name] = tuple(dict.fromkeys((*lists.pop(name, ()), *items)))
    here: Lists = state.session.slices[SLICE]
    return msgspec.structs.replace(here, lists=lists, gone=tuple(gone))


def changes(state: State, event: ListChanged) -> list[ListChanged]:
    """A change as it is written: what is taken off goes where it stands, what is new belongs to the person."""
    made: list[ListChanged] = []
    rest = event.removed
    for scope, kept in streams(state):
        here = tuple(item for item in rest if item in kept.get(event.name))
        if here:
            new = dict(zip(event.removed, event.added, strict=False))
            added = tuple(new[item] for item in here if item in new)
            made.append(msgspec.structs.replace(event, removed=here, added=added, scope=scope))
    if not event.removed and event.added:
        made.append(msgspec.structs.replace(event, scope="user"))
    return made


def unchanged(state: State, event: ListChanged) -> Iterator[ListChanged]:
    """What takes a change back, where it still stands: what was changed since stays."""
    stream = state.stream(event.scope)
    now = stream.slices[SLICE].get(event.name) if stream is not None else ()
    gone = tuple(item for item in event.added if item in now)
    back = tuple(item for item in event.removed if item not in now)
    if gone or back:
        yield ListChanged(name=event.name, added=back, removed=gone, scope=event.scope)
