"""How many people come, added up from those that are named: "me, my wife and two kids" are four, "3 ppl" are three.

A part is oneself ("me"), somebody ("my wife"), or a number of people ("two kids"); parts stand side by side or are
joined by small words. The words are `[data.people]` of the tables.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import NamedTuple

from holdfast.faculties.facts.slots import Found
from holdfast.faculties.facts.slots.readers import party
from holdfast.reading.reader import Reading, overlap

MAX_WORDS = 60
"""Words of a message that are looked at: who comes is said in few."""
MAX_PEOPLE = 999
MAX_DIGITS = 4
"""Digits of a number that can count people."""


class _Part(NamedTuple):
    """Some of those who come."""

    people: int
    first: int
    last: int
    """Its first and last word."""
    plural: bool


def people(reading: Reading) -> Iterable[Found]:
    """The number of those who are named, else one that is said in another way ("table for four")."""
    composed = [_found(reading, run) for run in _runs(reading)]
    told = list(party(reading))
    covered = [found for found in told if not any(overlap(found.span, c.span) for c in composed)]
    return [*covered, *composed] if composed else told


def _runs(reading: Reading) -> list[list[_Part]]:
    """Parts that stand together; alone, only a number of people tells how many come."""
    words = [reading.folded[slice(*token)] for token in reading.tokens[:MAX_WORDS]]
    joins = reading.phrases("people", "joins")
    runs: list[list[_Part]] = []
    place = 0
    while place < len(words):
        part = _part(reading, words, place)
        if part is None:
            place += 1
            continue
        between = words[runs[-1][-1].last + 1 : place] if runs else [""]
        if runs and all(word in joins for word in between) and len(between) < 3:
            runs[-1].append(part)
        else:
            runs.append([part])
        place = part.last + 1
    return [run for run in runs if len(run) > 1 or run[0].plural]


def _part(reading: Reading, words: list[str], place: int) -> _Part | None:
    said = words[place]
    if said in reading.phrases("people", "self"):
        return _Part(1, place, place, False)
    lead = 1 if said in reading.phrases("people", "whose") else 0
    noun = words[place + lead] if place + lead < len(words) else ""
    if lead and noun in reading.phrases("people", "somebody"):
        return _Part(1, place, place + lead, False)
    counts: Mapping[str, int] = {**reading.data("numbers"), **reading.data("counts")}
    count = int(noun) if noun.isdigit() and len(noun) <= MAX_DIGITS else int(counts.get(noun, 0))
    after = words[place + lead + 1] if place + lead + 1 < len(words) else ""
    if 0 < count <= MAX_PEOPLE and after in reading.phrases("people", "several"):
        return _Part(count, place, place + lead + 1, True)
    return None


def _found(reading: Reading, run: list[_Part]) -> Found:
    span = reading.tokens[run[0].first][0], reading.tokens[run[-1].last][1]
    return Found(str(sum(part.people for part in run)), span, "people")
