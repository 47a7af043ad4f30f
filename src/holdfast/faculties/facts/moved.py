"""What a message moves without naming it: "turns out it's 695 with the factor fee", "they gave us till the 29th".

A linear scorer over whole numbers decides for one clause and one fact (`moved.bin`, made by `training/moved.py`). It
sees what the scorer of `over.py` sees, and how the fact stands among those that were told last: whether it has a day,
an amount or a number where the clause gives another, how many others have one, and how near it was told. Nothing here
knows a word of any language.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator, Sequence
from functools import cache, partial
from itertools import islice
from typing import NamedTuple

from holdfast.events import Event
from holdfast.faculties.facts.lookup import Place, content
from holdfast.faculties.facts.memos import ItemConfirmed, ItemLearned, ItemRetracted, find, open_slots, slices
from holdfast.faculties.facts.over import CHANGES, Part, Told, Touch, features, kin_of, touch, when
from holdfast.faculties.facts.relations import Memo, slot_kind
from holdfast.faculties.facts.taking_back import known_before, may_change, parts, said_plainly, told_when
from holdfast.faculties.facts.things import shared, thing
from holdfast.faculties.facts.wording import clause_words
from holdfast.faculties.facts.writing import ENDED, mark_resting, told_now, write
from holdfast.faculty import Draft
from holdfast.reading.asserting import Statement
from holdfast.reading.kinds import means_same
from holdfast.reading.model import scorer
from holdfast.reading.model.clauses import KEEP, Clause, decided
from holdfast.reading.model.scorer import Scorer
from holdfast.reading.reader import Reader
from holdfast.state import State

_FILE = os.path.join(os.path.dirname(__file__), "moved.bin")
NEWEST = 12
"""Facts, the newest of all scopes, that a message may move without naming them."""
MOVED = 10
"""Lead from which a fact is taken to be moved: three in four are, in talk of change by writers kept out. Of ordinary
talk few messages change anything, so it is to be sure."""
RULE = "talk.moved"
_OF_ANYTHING = frozenset({"note", "number", "event", "deadline", "hours", ""})
"""Slots that hold what may be about anything."""
_SOME, _MANY, _STEP = 2, 4, 3
"""How many facts are some, and many; and how many of them make a step of nearness."""


class Moved(NamedTuple):
    """A clause, and a fact that it may move, with what the scorer sees of both."""

    place: Place
    part: Part
    features: list[str]


class Held(NamedTuple):
    """A fact with its words and the family of its attribute."""

    place: Place
    words: frozenset[str]
    head: str


def moved(draft: Draft) -> Iterator[Event]:
    """What gives way to what the message tells, and nothing has ended yet. What could do harm is left to whoever names
    it."""
    for place, part, lead, shown in _leading(draft):
        scope, memo = find(draft.state, place[1].id) or place
        if not memo.current or told_now(draft, memo) or _is_told_again(draft, memo):
            continue
        span = (part.clause.start, part.clause.end)
        draft.decided(RULE, partial(decided, judge(), shown, part.tokens, "yes", lead), span)
        if part.clause.keep >= KEEP and not _is_told(draft, part.clause):
            yield from _noted(draft, part.clause)
        cause = draft.cause(RULE, span)
        yield ItemRetracted(
            id=memo.id, label=memo.told, why="no longer so", valid_to=draft.moment.at, scope=scope, because=cause
        )
        yield from mark_resting(draft, memo, ENDED)


def _leading(draft: Draft) -> list[tuple[Place, Part, int, list[str]]]:
    """The facts that a message surely moves, each with the clause that most speaks for it."""
    plainly = draft.find(said_plainly) if draft.find(known_before) else []
    held = _may_give_way(draft) if plainly else []
    best: dict[str, tuple[Place, Part, int, list[str]]] = {}
    for part in draft.find(parts) if held else ():
        for one in may_move(part, held, partial(told_when, draft)) if part.clause in plainly else ():
            lead, id = judge().lead(one.features), one.place[1].id
            if lead >= MOVED and (id not in best or lead > best[id][2]):
                best[id] = (one.place, part, lead, one.features)
    return [*best.values()]


def _may_give_way(draft: Draft) -> list[Held]:
    reader, asked = draft.reading.reader, open_slots(draft.before)
    places = [one for one in newest(draft.before) if one[1].slot not in asked]
    return seen(reader, [one for one in places if not slot_kind(reader, one[1].slot).vital])


def _is_told_again(draft: Draft, memo: Memo) -> bool:
    return any(isinstance(event, ItemConfirmed) and event.id == memo.id for event in draft.events)


def _is_told(draft: Draft, clause: Clause) -> bool:
    """Whether something was learned of a clause."""
    learned = (event.item for event in draft.events if isinstance(event, ItemLearned))
    return any(clause.start <= item.start < clause.end or item.start <= clause.start < item.end for item in learned)


def _noted(draft: Draft, clause: Clause) -> Iterator[Event]:
    """What takes the place of something is known in its own words."""
    span = (clause.start, clause.end)
    said = Statement("note", clause_words(draft.reading, clause), span, RULE, span)
    yield from write(draft, said, slot_kind(draft.reading.reader, "note"))


def seen(reader: Reader, places: Sequence[Place]) -> list[Held]:
    """Facts as the clauses of a message look at them."""
    return [Held(one, content(reader, one[1].text or one[1].value), kin_of(reader, one[1])) for one in places]


def newest(state: State) -> list[Place]:
    """What was told last of what is known, the newest first."""
    found = [
        (scope, memo)
        for scope, memory in slices(state)
        for memo in islice(reversed(memory.items.values()), NEWEST)
        if memo.positive and memo.kind in ("fact", "preference", "decision")
    ]
    return sorted(found, key=lambda one: (-one[1].recorded, one[1].id))[:NEWEST]


def may_move(part: Part, held: Sequence[Held], told_when: Callable[[Memo], Told]) -> Iterator[Moved]:
    """The facts that a clause may move: those that it names or tells of, and those that have a value where it gives
    another."""
    if not may_change(part.clause):
        return
    heads = {part.about, *part.named, *(head for _, head, _ in part.values)}
    types = [_others(part, one.place[1]) if part.thing.pieces else "" for one in held]
    able = [one.place[1].id for one, given in zip(held, types, strict=True) if given]
    for rank, ((place, words, head), given) in enumerate(zip(held, types, strict=True)):
        if not given and head not in heads and words.isdisjoint(part.words):
            continue
        told = told_when(place[1])
        how = touch(part, told) or Touch("no", "no", when(told.ago), "no")
        if _is_held_apart(part, place[1], how):
            continue
        among = _among(part, place[1], given, able)
        yield Moved(place, part, [*features(part, told, how), *among, f"rk={min(rank // _STEP, 5)}"])


def _is_held_apart(part: Part, memo: Memo, how: Touch) -> bool:
    """Whether a fact is the one value of its attribute, such as where somebody lives, and the clause neither names it
    nor tells of that attribute."""
    free = slot_kind(part.message.reading.reader, memo.slot).many or memo.slot in _OF_ANYTHING
    return not free and how.about == how.name == "no"


def _others(part: Part, memo: Memo) -> str:
    """The types of the values of a fact that a clause gives other ones of."""
    given = part.thing.pieces
    reader = part.message.reading.reader
    held = thing(reader, memo.text or memo.value).pieces if given else ()
    pairs = ((new, old) for new in given for old in held if new.like(old))
    return " ".join(sorted({old.type for new, old in pairs if not means_same(reader, new.words, old.words)}))


def _among(part: Part, memo: Memo, types: str, able: Sequence[str]) -> list[str]:
    """How a fact stands among those that have a value where a clause gives another."""
    names = thing(part.message.reading.reader, memo.text or memo.value).names if types else {}
    named = len(shared(part.thing.names, names)) if types else 0
    place = able.index(memo.id) if types else -1
    kinds = part.clause.kinds
    return [
        f"lr={min(place, _MANY)}",
        f"ln={min(len(able), _MANY)}",
        f"lrn={min(place, _SOME)} {min(len(able), _SOME)}",
        f"nm={min(named, _SOME)} {bool(types)}",
        f"lrnm={min(place, _SOME)} {min(named, _SOME)} {types}",
        f"lt={types}",
        f"ltc={types} {not kinds.isdisjoint(CHANGES)} {'pointer' in kinds}",
        f"lta={types} {part.clause.act}",
    ]


@cache
def judge() -> Scorer:
    """The scorer, loaded when somebody first asks."""
    return scorer.load(_FILE)["moved"]
