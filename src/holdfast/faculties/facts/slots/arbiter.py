"""Where several slots claim the same words, one of them gets them. The order of their declaration plays no part."""

from __future__ import annotations

from enum import IntEnum
from typing import NamedTuple

from holdfast.faculties.facts.slots.values import Found, Slot
from holdfast.reading.reader import Reading, Span, overlap
from holdfast.reading.text import fold


class Right(IntEnum):
    """How good a slot's right to some words is."""

    OWN = -1
    """They are kept as they were said, if nobody knows better."""
    GUESSED = 0
    """They fit what the state holds, or are a whole reply whose kind is unknown."""
    READ = 1
    """Its reader or its examples say so."""
    ASKED = 2
    """They were just asked for, and are of the kind that was asked for."""
    NAMED = 3
    """They are a name."""


class Claim(NamedTuple):
    """Words that a slot takes for its value."""

    slot: Slot
    found: Found
    right: Right
    words: Span
    """Where the value itself stands; an empty span where the message only implies it."""
    reply: bool
    """Whether it is read as a reply to a question for the slot."""

    @property
    def size(self) -> int:
        return self.words[1] - self.words[0]


def claim(reading: Reading, slot: Slot, found: Found, right: Right, reply: bool = False) -> Claim:
    """What a slot claims: the words of the value, without those around it that a pattern needed."""
    start, end = found.span
    place = reading.folded.find(fold(found.value), start, end)
    words = found.span if found.value.isdigit() else (0, 0)  # "two" is 2
    return Claim(slot, found, right, (place, place + len(found.value)) if place >= 0 else words, reply)


def arbitrate(reading: Reading, claims: list[Claim]) -> list[Claim]:
    """The claims that stand: a weaker one that shares a word with a stronger one of another slot goes, and so does a
    reply that is only a part of what another slot reads ("7" in "saturday at 7"). Of equal ones the longer stands; of
    two that are equal in everything, both do."""
    weighed = [(_strength(reading, one, claims), one) for one in claims]
    kept: list[tuple[int, Claim]] = []
    for strength, one in sorted(weighed, key=lambda w: (-w[0], -w[1].size, w[1].words, w[1].slot.name)):
        rivals = [(s, other.size) for s, other in kept if _against(one, other)]
        if all(rival == (strength, one.size) for rival in rivals):
            kept.append((strength, one))
    return [one for strength, one in weighed if (strength, one) in kept]


def _against(one: Claim, other: Claim) -> bool:
    """Whether two slots claim the same words, and only one of them can have them."""
    return other.slot is not one.slot and overlap(one.words, other.words) and not _one_place(one, other)


def _one_place(one: Claim, other: Claim) -> bool:
    """Whether the words have one reading, which two slots may hold: both read the same known place, or a known place
    is a part of a longer name ("South Philly Barbacoa" is a house, and in South Philly)."""
    if not one.found.canonical:
        return False
    part = one.right is other.right is Right.READ and one.size < other.size
    return part or one.found.canonical == other.found.canonical


def _strength(reading: Reading, one: Claim, claims: list[Claim]) -> int:
    """How good a claim is: a reply is as good as what was asked for, unless another slot reads more in its words."""
    if one.right is not Right.ASKED:
        return one.right
    others = [c for c in claims if c.right is Right.READ and c.slot is not one.slot and c.size > one.size]
    inside = any(overlap(one.words, other.words) and _says_more(reading, other, one) for other in others)
    return Right.GUESSED if inside else one.right


def _says_more(reading: Reading, other: Claim, reply: Claim) -> bool:
    """Whether a reading has more in it than a reply and small words; "at" makes an hour of a number."""
    text = reading.folded
    rest = f"{text[other.words[0] : reply.words[0]]} {text[reply.words[1] : other.words[1]]}".split()
    return not (reading.phrases("small", "words") - reading.phrases("dates", "at")).issuperset(rest)
