"""One arbiter: of several slots that claim the same words, one gets them. What was declared first plays no part."""

from __future__ import annotations

from enum import IntEnum
from typing import NamedTuple

from holdfast.faculties.facts.slots.values import Found, Slot
from holdfast.reading.reader import Reading, Span
from holdfast.reading.text import fold


class Right(IntEnum):
    """How good a slot's right to some words is."""

    GUESSED = 0
    """They could be its value by what is held, or by being all of a reply whose kind nothing tells."""
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
    """Where the value itself stands; nowhere (an empty span) where it is not in the message but only meant."""

    @property
    def size(self) -> int:
        return self.words[1] - self.words[0]


def claim(reading: Reading, slot: Slot, found: Found, right: Right) -> Claim:
    """What a slot claims: the words of the value, without those around it that a pattern needed."""
    start, end = found.span
    place = reading.folded.find(fold(found.value), start, end)
    if place >= 0:
        return Claim(slot, found, right, (place, place + len(found.value)))
    return Claim(slot, found, right, found.span if found.value.isdigit() else (0, 0))  # "two" is 2


def arbitrate(claims: list[Claim]) -> list[Claim]:
    """The claims that stand: a weaker one that shares a word with a stronger one of another slot goes, and so does a
    reply that is only a part of what another slot reads ("7" in "saturday at 7"). Of equal ones the longer stands; of
    two that are equal in everything, both do."""
    kept: list[Claim] = []
    for one in sorted(claims, key=lambda one: (-_strength(one, claims), -one.size, one.words, one.slot.name)):
        others = [other for other in kept if other.slot is not one.slot and _share(one, other)]
        rivals = [other for other in others if not _in_a_name(one, other)]
        if all((_strength(other, claims), other.size) == (_strength(one, claims), one.size) for other in rivals):
            kept.append(one)
    return kept


def _in_a_name(one: Claim, other: Claim) -> bool:
    """Whether a known place is a part of a longer reading, which does not make it another place: "South Philly
    Barbacoa" is a house, and in South Philly."""
    return one.right is other.right is Right.READ and bool(one.found.canonical) and one.size < other.size


def _strength(one: Claim, claims: list[Claim]) -> int:
    if one.right is not Right.ASKED:
        return one.right
    inside = any(
        other.right is Right.READ and other.slot is not one.slot and other.size > one.size and _share(one, other)
        for other in claims
    )
    return Right.GUESSED if inside else one.right


def _share(one: Claim, other: Claim) -> bool:
    return one.words[0] < other.words[1] and other.words[0] < one.words[1]
