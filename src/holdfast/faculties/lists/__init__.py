"""Lists that a person wants kept: what is to be bought, what to be reminded of, what is planned, what is owed.

"Add milk and eggs to my shopping list", "remind me to call mom tomorrow", "plan: dinner with Anna on Friday". A list is
called what the person calls it; reminders and plans have lists of their own. Nothing here rings a bell: what is on a
list is told when somebody asks. What is kept is in `kept.py`; a message is cut into parts in `scene.py`,
and what each does is decided in `deeds.py`, what it says of debts in `owing.py`; what could be put on a list is offered
by `offers.py`.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator

import msgspec

from holdfast.events import Cleared, Event
from holdfast.faculties.lists.deeds import deeds
from holdfast.faculties.lists.kept import (
    MAX_ITEMS,
    SLICE,
    ListChanged,
    ListOffered,
    ListOpened,
    Lists,
    changes,
    held,
    streams,
)
from holdfast.faculties.lists.naming import Deed, trimmed
from holdfast.faculties.lists.offers import errands, taken
from holdfast.faculties.lists.scene import Part, Scene, parts
from holdfast.faculty import Draft, Faculty, Item, Section
from holdfast.reading.reader import begins_in
from holdfast.reading.standing import LONG
from holdfast.state import Moment, State

_SPEAK_OF_LISTS = ("list_does", "list_word", "list_head", "list_left", "list_owes")
"""Families of patterns without which a message says nothing of lists to somebody who has none."""


def _may_speak_of_lists(draft: Draft) -> bool:
    lists = held(draft.state)
    speaks = bool(lists.lists or lists.open or lists.offered) or draft.reading.has(*_SPEAK_OF_LISTS)
    return speaks and len(draft.reading.text) <= LONG


class ListsFaculty(Faculty):
    name = "lists"
    kept_in = SLICE
    words = ("holdfast.faculties.lists/lists",)
    slice = Lists
    events = (ListChanged, ListOpened, ListOffered, Cleared)

    def __init__(self, *, sections: bool = False) -> None:
        self._sections = sections

    def hear(self, draft: Draft) -> Iterator[Event]:
        found = parts(draft) if _may_speak_of_lists(draft) else []
        if not found:
            return
        tasks, said = errands(Scene(draft, found, 0, held(draft.state)))
        done = set[int]()
        for place, part in enumerate(found):
            scene = Scene(draft, found, place, held(draft.state))  # beside the lists as they stand now
            for deed in () if begins_in(part.start, [said]) else taken(scene) or deeds(scene):
                yield from _events(draft, part, deed)
                done |= {place, *_told_before(scene, deed)}
        if tasks:
            yield ListOffered(items=tuple(tasks)[:MAX_ITEMS], because=draft.cause("lists.offered", said))
        if apart := [found[place].span for place in done] + ([said] if tasks else []):
            draft.set_aside(apart)

    def fold(self, slice: Lists, event: Event, moment: Moment) -> Lists:
        match event:
            case ListChanged():
                return slice.after(event, moment.at)
            case ListOpened(name=name, items=items):
                return msgspec.structs.replace(slice, open=name, items=items, version=moment.version, offered=())
            case ListOffered(items=items):
                return msgspec.structs.replace(slice, offered=items, offered_in=moment.version)
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


def _told_before(scene: Scene, deed: Deed) -> set[int]:
    """The parts before that were put on a list as they stand: "the rent is due on the 5th, don't let me forget"."""
    said = [trimmed(scene, scene.reading.words(part.span)) for part in scene.before]
    return {place for place, words in enumerate(said) if words and words in deed.added}


def _events(draft: Draft, part: Part, deed: Deed) -> Iterator[Event]:
    """What a part of a message did, and which list the talk is about since."""
    because = draft.cause(part.verb.id if part.verb is not None else "lists.said", part.span)
    changed = ListChanged(name=deed.name, added=deed.added, removed=deed.removed, because=because)
    yield from changes(draft.state, changed)
    asked = not (deed.added or deed.removed)
    told = deed.added or deed.told
    yield ListOpened(name=deed.name, items=told, asked=asked, missing=deed.missing, because=because)
