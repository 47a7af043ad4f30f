"""Lists that a person wants kept: what is to be bought, what to be reminded of, what is planned.

"Add milk and eggs to my shopping list", "remind me to call mom tomorrow", "plan: dinner with Anna on Friday". A list is
called what the person calls it; reminders and plans have lists of their own. Nothing here rings a bell: what is on a
list is told when somebody asks. How it is said is in `words/`.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator

import msgspec

from holdfast.events import Cleared, Event
from holdfast.faculties.facts.lookup import content
from holdfast.faculty import Draft, Faculty, Item
from holdfast.reading.reader import Cue, Reading, Span
from holdfast.reading.standing import standing
from holdfast.reading.text import fold
from holdfast.state import Moment, State
from holdfast.telling import Telling

MAX_ITEMS = 50
MAX_LISTS = 20
MAX_CHARS = 120
REMINDERS, PLANS = "reminders", "plans"
_OWN = {"reminds": REMINDERS, "plans_to": PLANS}
"""Families whose items have a list of their own."""


class ListChanged(Event, frozen=True):
    """Things were put on a list, or taken off it."""

    name: str
    added: tuple[str, ...] = ()
    removed: tuple[str, ...] = ()

    @property
    def did(self) -> str:  # type: ignore[override]
        return "retracted" if self.removed else "learned"

    def tell(self) -> Telling:
        return f"{self.name}: {', '.join(self.added or self.removed)}"


class Lists(msgspec.Struct, frozen=True, omit_defaults=True):
    lists: dict[str, tuple[str, ...]] = {}
    """By name, the one that was changed last at the end."""

    def get(self, name: str) -> tuple[str, ...]:
        return self.lists.get(name, ())

    @property
    def last(self) -> str:
        """The list that was changed last, of those that the person named."""
        return next((name for name in reversed(self.lists) if name not in _OWN.values()), "")


class ListsFaculty(Faculty):
    name = "lists"
    words = ("holdfast.faculties.lists/lists",)
    slice = Lists
    events = (ListChanged, Cleared)

    def hear(self, draft: Draft) -> Iterator[Event]:
        reading = draft.reading
        for family in ("list_removes", "list_adds", *_OWN) if reading.has("list_removes", "list_adds", *_OWN) else ():
            for cue in _firm(reading, family)[:1]:
                yield from self._changed(draft, family, cue)
                return
        yield from _taken_off(draft)

    def _changed(self, draft: Draft, family: str, cue: Cue) -> Iterator[Event]:
        reading = draft.reading
        held: Lists = draft.state.lists
        name = _OWN.get(family) or _called(reading, cue) or held.last or _called_plainly(reading)
        removes = family == "list_removes"
        if removes:
            changed = self._meant(reading, cue, held.get(name))
        else:
            said = (_in_its_clause(draft, cue),) if family in _OWN else _items(reading, cue)
            changed = _new(said, held.get(name))
        if changed:
            removed, added = (changed, ()) if removes else ((), changed)
            yield ListChanged(name=name, added=added, removed=removed, because=draft.cause(cue.id, cue.span))

    def _meant(self, reading: Reading, cue: Cue, items: tuple[str, ...]) -> tuple[str, ...]:
        """What is to be taken off: all of the list, or what shares its words."""
        if not any(group.startswith("value") for group in cue.groups):
            return items
        words = [{*fold(item).split()} for item in _items(reading, cue)]
        small = reading.phrases("lists", "small")
        return tuple(item for item in items if any(said - small <= {*fold(item).split()} for said in words))

    def fold(self, slice: Lists, event: Event, moment: Moment) -> Lists:
        match event:
            case ListChanged(name=name, added=added, removed=removed):
                items = (*(item for item in slice.get(name) if item not in removed), *added)[-MAX_ITEMS:]
                others = {other: kept for other, kept in slice.lists.items() if other != name}
                return Lists(dict(list({**others, **({name: items} if items else {})}.items())[-MAX_LISTS:]))
            case Cleared(what="everything" | "lists"):
                return Lists()
        return slice

    def context(self, draft: Draft) -> Iterable[Item]:
        told = "; ".join(f"{name}: {', '.join(items)}" for name, items in draft.state.lists.lists.items())
        return [Item("Lists", told, 40)] if told else []

    def clears(self, state: State) -> Iterable[str]:
        return [self.name] if state.lists.lists else []

    def clear(self, draft: Draft, what: str | None, index: int | None) -> Iterator[Event]:
        if what == self.name and draft.state.lists.lists:
            yield Cleared(what=self.name)


def _firm(reading: Reading, family: str) -> list[Cue]:
    """What is meant so: neither denied nor asked ("did you add milk?")."""
    flags = reading.find(standing)
    if reading.folded.split(" ", 1)[0] in reading.phrases("lists", "asked"):
        return []
    asked = reading.all(family)
    # "don't let me forget" asks for it; the words of the thing itself tell nothing of whether it is wanted
    return [c for c in asked if not flags.of((c.start, c.start + 1)) & {"negated", "hypothetical", "quoted"}]


def _new(said: Iterable[str], items: tuple[str, ...]) -> tuple[str, ...]:
    """What is to be put on a list that is not on it."""
    known = {fold(item) for item in items}
    return tuple(item[:MAX_CHARS] for item in said if item and fold(item) not in known)


def _taken_off(draft: Draft) -> Iterator[Event]:
    """What a clause takes back in the words of a reminder or a plan: "scratch the plumber thing". Of a list of things
    nothing goes so: who no longer eats eggs may still have to buy some."""
    kept = {name: items for name, items in draft.state.lists.lists.items() if name in _OWN.values()}
    over = [c for c in draft.clauses if c.act in ("retracts", "stops")] if kept else []
    for clause in over:
        said = content(draft.reading.reader, draft.reading.words((clause.start, clause.end)))
        for name, items in kept.items():
            if removed := tuple(item for item in items if said & content(draft.reading.reader, item)):
                yield ListChanged(
                    name=name, removed=removed, because=draft.cause("lists.over", (clause.start, clause.end))
                )
                return


def _in_its_clause(draft: Draft, cue: Cue) -> str:
    """What is to be kept of a reminder or a plan: it ends where the message goes on with something else. What asks
    ("remind me what I said") keeps nothing."""
    start, end = _place(cue)
    within = next((c for c in draft.clauses if c.start <= start < c.end), None)
    if within is None or within.act == "asks":
        return ""
    other = (c.start for c in draft.clauses if start < c.start < end and c.act != within.act)
    return draft.reading.words((start, min(other, default=end))).strip(" .,!?;:")


def _place(cue: Cue) -> Span:
    return next(span for group, span in cue.groups.items() if group.startswith("value"))


def _value(reading: Reading, cue: Cue) -> str:
    return reading.words(_place(cue)).strip(" .,!?;:")


def _items(reading: Reading, cue: Cue) -> tuple[str, ...]:
    """The single things of a row: "milk, eggs and bread"."""
    joins = "|".join(re.escape(word) for word in sorted(reading.phrases("lists", "joins")))
    parts = re.split(rf"\s*[,;]\s*(?:(?:{joins})\s+)?|\s+(?:{joins})\s+", _value(reading, cue))
    articles = reading.phrases("lists", "articles")
    named = (part.split(" ", 1) for part in parts if part.strip())
    return tuple(w[1] if len(w) > 1 and fold(w[0]) in articles else " ".join(w) for w in named)


def _called(reading: Reading, cue: Cue) -> str:
    """The list's name as the person has it, in the form that the table keeps it under."""
    if "list" not in cue.groups:
        return ""
    said = reading.folded[slice(*cue.groups["list"])].strip()
    return str(reading.data("list_names").get(said, said))


def _called_plainly(reading: Reading) -> str:
    return str(reading.data("lists").get("plain", "list"))
