"""Lists that a person wants kept: what is to be bought, what to be reminded of, what is planned.

"Add milk and eggs to my shopping list", "remind me to call mom tomorrow", "plan: dinner with Anna on Friday". A list is
called what the person calls it; reminders and plans have lists of their own. Nothing here rings a bell: what is on a
list is told when somebody asks. What is kept is in `kept.py`; a message is cut into parts in `scene.py`,
and what each does is decided in `deeds.py`.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator

import msgspec

from holdfast.events import Cleared, Event
from holdfast.faculties.lists.deeds import Deed, deeds, repeats
from holdfast.faculties.lists.kept import SLICE, ListChanged, ListOpened, Lists, changes, held, streams
from holdfast.faculties.lists.naming import Thing
from holdfast.faculties.lists.scene import Part, Scene, parts
from holdfast.faculty import Draft, Faculty, Item, Section
from holdfast.reading.standing import LONG
from holdfast.state import Moment, State

_SPEAK_OF_LISTS = ("list_does", "list_word", "list_head", "list_left")
"""Families of patterns without which a message says nothing of lists to somebody who has none."""


def _may_speak_of_lists(draft: Draft) -> bool:
    lists = held(draft.state)
    speaks = bool(lists.lists or lists.open) or draft.reading.has(*_SPEAK_OF_LISTS)
    return speaks and len(draft.reading.text) <= LONG


class ListsFaculty(Faculty):
    name = "lists"
    kept_in = SLICE
    words = ("holdfast.faculties.lists/lists",)
    slice = Lists
    events = (ListChanged, ListOpened, Cleared)

    def __init__(self, *, sections: bool = False) -> None:
        self._sections = sections

    def hear(self, draft: Draft) -> Iterator[Event]:
        if not _may_speak_of_lists(draft):
            return
        found, before = parts(draft), held(draft.state)
        done, removed = set[int](), list[Thing]()
        for place, part in enumerate(found):
            for deed in deeds(Scene(draft, found, place, held(draft.state))):
                yield from _events(draft, part, deed)
                done.add(place)
                removed += [(deed.name, item) for item in deed.removed]
        if removed:
            done |= {place for place in range(len(found)) if repeats(Scene(draft, found, place, before), removed)}
        if done:
            draft.set_aside(found[place].span for place in done)

    def fold(self, slice: Lists, event: Event, moment: Moment) -> Lists:
        match event:
            case ListChanged():
                return slice.after(event)
            case ListOpened(name=name, items=items):
                return msgspec.structs.replace(slice, open=name, items=items, version=moment.version)
            case Cleared(what="everything" | "lists"):
                return Lists()
        return slice

    def view(self, state: State) -> Lists:
        return held(state)

    def context(self, draft: Draft) -> Iterable[Item]:
        told = "" if self._sections else "; ".join(_told(draft.state))
        return [Item("Lists", told, 40)] if told else []

    def sections(self, draft: Draft) -> Iterable[Section]:
        return lists_sections(draft.state) if self._sections else []

    def clears(self, state: State) -> Iterable[str]:
        return [self.name] if state.lists.lists else []

    def clear(self, draft: Draft, what: str | None, index: int | None) -> Iterator[Event]:
        for scope, kept in streams(draft.state) if what == self.name else ():
            if kept.lists:
                yield Cleared(what=self.name, scope=scope)


def lists_sections(state: State) -> list[Section]:
    told = "\n".join(f"- {each}" for each in _told(state))
    return [Section("Lists", f"## Lists\n{told}", 40)] if told else []


def _told(state: State) -> list[str]:
    """Each list with what is on it."""
    return [f"{name}: {', '.join(items)}" for name, items in state.lists.lists.items()]


def _events(draft: Draft, part: Part, deed: Deed) -> Iterator[Event]:
    """What a part of a message did, and which list the talk is about since."""
    because = draft.cause(part.verb.id if part.verb is not None else "lists.said", part.span)
    changed = ListChanged(name=deed.name, added=deed.added, removed=deed.removed, because=because)
    yield from changes(draft.state, changed)
    asked = not (deed.added or deed.removed)
    yield ListOpened(name=deed.name, items=deed.added or deed.told, asked=asked, because=because)
