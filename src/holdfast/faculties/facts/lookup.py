"""Facts by what one looks for: their slot, their kind, the words and types of their values. A turn asks here, so that
it costs the same whether a person has told four things or four hundred.

A slice never changes, so what is worked out for it holds for as long as it is in use; that of the slice after an event
is made from that of the slice before, by what came and went between the two.
"""

from __future__ import annotations

import re
from collections import OrderedDict
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping
from itertools import chain, compress, islice, repeat
from operator import is_not

from holdfast.events import Scope
from holdfast.faculties.facts.memos import SLOT, Memory, slices
from holdfast.faculties.facts.relations import Memo, canonical, slot_kind
from holdfast.kept import keeps, kept
from holdfast.reading.endings import Endings
from holdfast.reading.kinds import KEPT_VALUES, value_types
from holdfast.reading.model.tokens import tokens, words_of
from holdfast.reading.reader import Reader
from holdfast.reading.text import fold
from holdfast.state import State

SLICES = 64
"""Slices whose keys are kept ready."""
STEM = 6
"""Letters to which words are cut, so that all forms of a word have one key."""
ASKED, TALK, ESSENTIAL = "asked", "talk", "essential"
"""Keys of what answers a question, of what slots hold for the talk alone, and of what matters whatever is said."""
_WORD = re.compile(r"[^\W_]{3,}")

Place = tuple[Scope, Memo]
Keys = Callable[[Memo, Reader | None], Collection[str]]
Ids = dict[str, dict[str, None]]
"""By key: the ids of items, the oldest first."""


class Lookup:
    """An index of the items of a slice, by the keys that a function gives each item."""

    def __init__(self, keys: Keys) -> None:
        self._keys = keys
        self.cache_clear()
        keeps(self)

    def cache_clear(self) -> None:
        self._made: OrderedDict[int, tuple[Memory, Reader | None, Ids]] = OrderedDict()

    def of(self, memory: Memory, reader: Reader | None = None) -> Ids:
        """The items of a slice by their keys."""
        known = self._made.get(id(memory.items))
        if known is not None and known[0].items is memory.items and known[1] is reader:
            return known[2]
        made = self._after(memory, reader)
        self._made[id(memory.items)] = memory, reader, made
        while len(self._made) > SLICES:
            self._made.popitem(last=False)
        return made

    def found(self, state: State, keys: Iterable[str], reader: Reader | None = None) -> list[Place]:
        """The items that have one of some keys, each once: the narrowest scope first, the newest first in each."""
        wanted, found = tuple(keys), list[Place]()
        for scope, memory in slices(state):
            if memory.items:
                made = self.of(memory, reader)
                groups = [made[key] for key in wanted if made.get(key)]
                if len(groups) == 1:
                    found += [(scope, memory.items[id]) for id in reversed(groups[0])]
                elif groups:
                    ids = set().union(*groups)
                    found += [(scope, memo) for id, memo in reversed(memory.items.items()) if id in ids]
        return found

    def _after(self, memory: Memory, reader: Reader | None) -> Ids:
        """The keys of a slice, from those of the newest one of the same log. Most items that changed keep theirs."""
        old, keyed = self._before(memory, reader)
        made = _Copied(keyed)
        for id in _changed(old, memory.items):
            before, now = ([*self._keys(items[id], reader)] if id in items else [] for items in (old, memory.items))
            for key in set(before).difference(now):
                made.own(key).pop(id, None)
            for key in now:
                if key not in before:
                    made.own(key)[id] = None
        return made.ids

    def _before(self, memory: Memory, reader: Reader | None) -> tuple[Mapping[str, Memo], Ids]:
        for before, read_by, made in reversed(self._made.values()):
            if read_by is reader and _follows(memory, before):
                return before.items, made
        return {}, {}


class _Copied:
    """Ids by key, which are copied before their first change."""

    def __init__(self, ids: Ids) -> None:
        self.ids = ids
        self._copied: set[str] = set()

    def own(self, key: str) -> dict[str, None]:
        if not self._copied:
            self.ids = dict(self.ids)
        if key not in self._copied:
            self._copied.add(key)
            self.ids[key] = dict(self.ids.get(key, ()))
        return self.ids[key]


def _changed(old: Mapping[str, Memo], now: Mapping[str, Memo]) -> list[str]:
    """The ids of what went, changed and came between two slices, in this order."""
    if _goes_on(old, now):
        return [*compress(now, map(is_not, now.values(), chain(old.values(), repeat(None))))]
    gone = [id for id in old if id not in now]
    return gone + [id for id, memo in now.items() if old.get(id) is not memo]


def _goes_on(old: Mapping[str, Memo], now: Mapping[str, Memo]) -> bool:
    """Whether a slice has all items of another, and new ones after them: that is seen without a look at each."""
    return [*islice(now, len(old))] == [*old]


def _follows(now: Memory, before: Memory) -> bool:
    """Whether a slice follows another one of the same log, with the items of both in the same order. (An item that was
    closed and restored is among the newest again.)"""
    if not now.mark or now.mark != before.mark:
        return False
    if _goes_on(before.items, now.items):
        return True
    return [id for id in before.items if id in now.items] == [id for id in now.items if id in before.items]


def _plain(memo: Memo, reader: Reader | None) -> Collection[str]:
    if memo.category == SLOT:
        return (TALK,)
    keys = [f"slot {memo.slot}", f"kind {memo.kind}", f"of {memo.category}", *(f"on {id}" for id in memo.rests_on)]
    return (*keys, ASKED) if memo.question and memo.positive else keys


def _worded(memo: Memo, reader: Reader | None) -> Collection[str]:
    if memo.category == SLOT or reader is None:
        return ()
    return _keys_of(reader, memo.slot, memo.value, memo.text)


@kept(KEPT_VALUES)
def _keys_of(reader: Reader, slot: str, value: str, text: str) -> frozenset[str]:
    small = reader.phrases("small", "words")
    words = {f"word {word}" for word in _WORD.findall(fold(f"{slot} {value} {text}")) if word not in small}
    types = {f"={kind}" for kind in (f"attr/{slot.partition('/')[0]}", *types_of(reader, slot, value))}
    stems = {f"stem {stem}" for stem in content(reader, value)}
    folded = fold(value)
    alone = {f"letter {folded[:1]}"} if " " not in folded else set()
    matters = {ESSENTIAL} if slot_kind(reader, slot).essential else set()
    return frozenset(words | types | stems | alone | matters | {f"value {canonical(reader, value)}"})


def types_of(reader: Reader, slot: str, value: str) -> frozenset[str]:
    """The types of a value; of a note, also the types of its single words."""
    types = value_types(reader, value)
    if slot != "note":
        return types
    words = tokens(value)
    return types.union(*(value_types(reader, value[word.start : word.end]) for word in words)) - {"name"}


@kept(KEPT_VALUES)
def content(reader: Reader, text: str) -> frozenset[str]:
    """The words of a text that carry meaning, cut so that all forms of a word are equal."""
    small, stem = reader.phrases("small", "words"), reader.made(Endings).stem
    return frozenset([stem(word)[:STEM] for word in words_of(text) if len(word) > 2 and word not in small])


_PLAIN, _WORDED = Lookup(_plain), Lookup(_worded)


def in_slot(state: State, *slots: str) -> list[Place]:
    """The items of some slots."""
    return _PLAIN.found(state, [f"slot {slot}" for slot in slots])


def of_kind(state: State, kind: str) -> list[Place]:
    """The facts, the preferences, the decisions or the context."""
    return _PLAIN.found(state, [f"kind {kind}"])


def of_category(state: State, category: str) -> Iterator[Memo]:
    """The items of a category, those of the widest scope and the newest last."""
    for _, memory in slices(state):
        yield from [memory.items[id] for id in _PLAIN.of(memory).get(f"of {category}", ())]


def answers_in(state: State) -> list[Place]:
    """What somebody replied to a question."""
    return _PLAIN.found(state, [ASKED])


def resting_on(state: State, id: str) -> list[Place]:
    """What rests on an item."""
    return _PLAIN.found(state, [f"on {id}"])


def in_talk(memory: Memory) -> list[Memo]:
    """What slots hold for the talk alone, the oldest first."""
    return [memory.items[id] for id in _PLAIN.of(memory).get(TALK, ())]


def with_value(state: State, reader: Reader, value: str) -> list[Place]:
    """What has a value, in whatever spelling."""
    return _WORDED.found(state, [f"value {canonical(reader, value)}"], reader)


def holding(state: State, reader: Reader, slot: str, value: str) -> list[Place]:
    """What has a value in a slot, in whatever spelling."""
    return [one for one in with_value(state, reader, value) if one[1].slot == slot]


def with_words(state: State, reader: Reader, text: str) -> list[Place]:
    """What has one of the words of a text in its value."""
    return _WORDED.found(state, [f"stem {stem}" for stem in content(reader, text)], reader)


def with_types(state: State, reader: Reader, types: Iterable[str], letters: Iterable[str] = ()) -> list[Place]:
    """What has a value of one of some types, or one of a single word with one of some first letters."""
    return _WORDED.found(state, [*(f"={kind}" for kind in types), *(f"letter {one}" for one in letters)], reader)


def named_by(state: State, reader: Reader, text: str) -> list[Place]:
    """What has one of the words of a text in its slot, its value or what was said of it."""
    return _WORDED.found(state, [f"word {word}" for word in _WORD.findall(fold(text))], reader)


def by_words(memory: Memory, reader: Reader) -> Ids:
    """The items of a slice by all their words and types."""
    return _WORDED.of(memory, reader)
