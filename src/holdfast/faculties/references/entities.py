"""What can be pointed at: the entities that were mentioned, the lists they were shown in, and which came last."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from functools import cached_property
from typing import Any

import msgspec

from holdfast.errors import InvalidInput
from holdfast.events import Entity, Source
from holdfast.kept import kept
from holdfast.reading.text import fold

LISTS = 3
"""Lists that can still be pointed into."""
LONGEST_LIST = 20
"""Items of a list that can be pointed at."""
FOCUS = 12
"""How many of the most recently mentioned are known in their order."""
AT_HAND = 4
"""Messages over which a thing that was shown or spoken of is still what "it" may mean."""
ATTACHED = 1000
"""Entities that may be attached to one message."""
TOLD = 300
"""Characters of what was told of one entity, the newest first."""
FACTS = 12
"""Facts that are kept of one entity."""


class Known(Entity, frozen=True, omit_defaults=True):
    """An entity with when it was last mentioned, and by whom."""

    at: float = 0.0
    by: Source = "agent"
    passing: bool = False
    """Named in plain sentences only, of things of no kind: it is forgotten with the next reply, unless the person
    points at it."""


class Listing(msgspec.Struct, frozen=True, omit_defaults=True):
    """Things that were shown together, in their order. A cleared one leaves its place empty."""

    entities: tuple[Entity, ...]
    version: int
    about: str = ""
    """What was looked for when it was shown."""


class References(msgspec.Struct, frozen=True, omit_defaults=True, dict=True):
    """What can be pointed at."""

    entities: tuple[Known, ...] = ()
    """The most recent ones, oldest first."""
    lists: tuple[Listing, ...] = ()
    """Newest first."""
    focus: tuple[str, ...] = ()
    """Keys of what was mentioned or pointed at last, newest at the end."""
    pointed: tuple[Entity, ...] = ()
    """What the newest message of the person points at."""
    single: bool = False
    """Whether one thing was spoken of alone since the latest list."""
    hand: dict[str, int] = {}
    """Keys of what a pronoun can be said of, with the version at which it was last shown, picked or spoken of: what a
    plain sentence only names is not yet spoken of by both."""

    def latest(self, back: int = 0) -> tuple[Entity, ...]:
        """The latest list, or one before; without any list, all that is remembered."""
        if back < len(self.lists):
            return self.lists[back].entities
        return self.entities if not self.lists and not back else ()

    def shown(self, back: int = 0) -> list[Entity]:
        """The same without the places that were cleared."""
        return [entity for entity in self.latest(back) if entity.name]

    @property
    def spoken_of(self) -> Sequence[Known]:
        """What is remembered, without several things that were only named side by side."""
        more = [entity for entity in self.entities if not entity.passing]
        return more if len(self.entities) - len(more) > 1 else self.entities

    @cached_property
    def known(self) -> dict[str, Entity]:
        """Everything that can be pointed at, most recently mentioned last."""
        found: dict[str, Entity] = {}
        for listing in reversed(self.lists):
            for entity in listing.entities:
                if entity.name:
                    found[key(entity)] = entity
        for entity in self.entities:
            found[key(entity)] = entity
        for name in self.focus:
            if name in found:
                found[name] = found.pop(name)
        return found

    @property
    def recent(self) -> Entity | None:
        """The most recently mentioned one."""
        known = self.known
        return known[next(reversed(known))] if known else None


def key(entity: Entity) -> str:
    """What makes an entity the same one: its id, else its name."""
    return entity.id or folded(entity.name)


folded = kept(4096)(fold)
"""A name as it is compared; the same few names are asked for again and again."""


def accepted(given: Any, kind: str = "") -> list[Entity]:
    """The entities that an agent or a caller attaches."""
    if not isinstance(given, (list, tuple)) or len(given) > ATTACHED:
        many = f" of {len(given):,}" if isinstance(given, (list, tuple)) else ""
        raise InvalidInput(f"entities are a list of up to {ATTACHED:,}, not {type(given).__name__}{many}")
    return [accept(entity, kind) for entity in given]


def accept(given: Any, kind: str = "") -> Entity:
    """An entity as an agent attaches it: an Entity, a name, or a dictionary whose other keys become facts."""
    if isinstance(given, Entity):
        return Entity(given.name, given.id, given.kind or kind, given.facts)
    if isinstance(given, str):
        return Entity(given, kind=kind)
    if not isinstance(given, Mapping) or not isinstance(given.get("name"), str) or not given["name"].strip():
        raise InvalidInput(f"an entity is an Entity or a dict with a name, not {given!r:.80}")
    facts = {**(given.get("facts") or {}), **{k: v for k, v in given.items() if k not in _OWN_KEYS and v is not None}}
    if "location" in facts:
        facts["place"] = facts.pop("location")
    return Entity(given["name"], _either(given, "id", "place_id"), _either(given, "kind", "type") or kind, facts)


def _either(given: Mapping[str, Any], *keys: str) -> str:
    return next((str(given[key]) for key in keys if given.get(key)), "")


_OWN_KEYS = ("name", "id", "place_id", "kind", "type", "facts")
"""Keys of an attached entity that are no facts."""


def merged(old: Entity | None, new: Entity, here: str) -> Entity:
    """What is known of an entity after it was mentioned again: new facts over old ones."""
    old = old or Entity("")
    facts = {**old.facts, **new.facts}
    before = str(old.facts.get("about", ""))
    if before and str(facts["about"]) not in before:
        facts["about"] = f"{facts['about']}; {before}"[:TOLD]
    if here:
        facts.setdefault("place", here)
    return Entity(new.name, new.id or old.id, new.kind or old.kind, dict(list(facts.items())[-FACTS:]))


def focused(focus: tuple[str, ...], keys: Iterable[str]) -> tuple[str, ...]:
    return tuple(dict.fromkeys(reversed((*focus, *keys))))[:FOCUS][::-1]


def handed(hand: Mapping[str, int], keys: Iterable[str], version: int) -> dict[str, int]:
    """What is at hand after these were shown or spoken of."""
    now = {**hand, **dict.fromkeys(keys, version)}
    return dict(sorted(now.items(), key=lambda one: one[1])[-FOCUS:])


def without(refs: References, gone: str) -> References:
    """Without one entity. In a list its place stays empty: what was shown second is still the second."""

    def others(entities: Iterable[Any]) -> tuple[Any, ...]:
        return tuple(e for e in entities if key(e) != gone)

    lists = tuple(
        msgspec.structs.replace(one, entities=tuple(Entity("") if key(e) == gone else e for e in one.entities))
        for one in refs.lists
    )
    return msgspec.structs.replace(
        refs,
        entities=others(refs.entities),
        lists=lists,
        focus=tuple(k for k in refs.focus if k != gone),
        pointed=others(refs.pointed),
        hand={k: version for k, version in refs.hand.items() if k != gone},
    )
