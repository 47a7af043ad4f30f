"""How many people come, added up from those that are named: "me, my wife and two kids" are four, "3 ppl" are three.

A part is oneself ("me"), somebody ("my wife"), or a number of people ("two kids"); parts stand side by side or are
joined by small words. The words are `[data.people]` of the tables.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import NamedTuple

from holdfast.faculties.facts.slots import Found
from holdfast.faculties.facts.slots.readers import party
from holdfast.reading.endings import Endings
from holdfast.reading.lexicon import kinds
from holdfast.reading.reader import Reader, Reading, overlap

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
    counted: bool = False
    """Whether a number says how many."""
    bare: bool = False
    """Whether nothing leads to it ("mom, dad and me"): then it counts beside others only."""


class _Words:
    """The words of one language for who comes. Use as `reading.made(_Words)`."""

    def __init__(self, reader: Reader, language: str | None) -> None:
        def words(key: str) -> frozenset[str]:
            return reader.phrases("people", key, language)

        self._stem = reader.made(Endings).stem
        self._languages = (language,) if language else reader.languages("people")
        named = words("several") | words("somebody")
        self._people = named | {self._stem(word) for word in named}
        self.several, self.myself, self.couple, self.more = map(words, ("several", "self", "couple", "more"))
        self.whose = words("whose") | self.more
        self.joins, self.of, self.articles = words("joins"), words("of"), reader.phrases("choice", "articles", language)
        self.numbers: Mapping[str, int] = {**reader.data("numbers", language), **reader.data("counts", language)}

    def is_person(self, word: str) -> bool:
        """Whether a word names one or several of those who may come, in any of its forms."""
        return word in self._people or self._stem(word) in self._people or "kin" in kinds([word], self._languages)[0]

    def number(self, word: str) -> int:
        return int(word) if word.isdigit() and len(word) <= MAX_DIGITS else int(self.numbers.get(word, 0))


def people(reading: Reading) -> Iterable[Found]:
    """The number of those who are named, else one that is said in another way ("table for four")."""
    composed = [_found(reading, run) for run in _runs(reading)]
    told = list(party(reading))
    covered = [found for found in told if not any(overlap(found.span, c.span) for c in composed)]
    return [*covered, *composed] if composed else told


def _runs(reading: Reading) -> list[list[_Part]]:
    """Parts that stand together; alone, only a number of people tells how many come."""
    said = [reading.folded[slice(*token)] for token in reading.tokens[:MAX_WORDS]]
    words = reading.made(_Words)
    runs: list[list[_Part]] = []
    place = 0
    while place < len(said):
        between = said[runs[-1][-1].last + 1 : place] if runs else ["?"]
        joined = len(between) < 3 and all(word in words.joins for word in between)
        part = _part(words, said, place, joined)
        if part is not None and joined:
            runs[-1].append(part)
        elif part is not None:
            runs.append([part])
        place = part.last + 1 if part is not None else place + 1
    return [run for run in runs if run[0].counted or (len(run) > 1 and not all(part.bare for part in run))]


def _part(words: _Words, said: list[str], place: int, joined: bool) -> _Part | None:
    """Who is named from a word on: "my wife", "another couple", "two kids", oneself, or, after others, "wife"."""
    at = place
    leads = words.whose | words.articles if joined else words.whose
    while at + 1 < len(said) and said[at] in leads and at - place < 2:
        at += 1
    count = words.number(said[at])
    noun = at + 1 if count and at + 1 < len(said) else at
    if said[noun] in words.couple and (count or said[at - 1] in words.more):
        ends = noun + 2 if said[noun + 1 : noun + 2] and said[noun + 1] in words.of else noun  # "a couple of friends"
        return _Part(2 * (count or 1), place, min(ends, len(said) - 1), counted=ends == noun)
    if words.is_person(said[noun]) and 0 <= count <= MAX_PEOPLE:
        if count and noun > at:
            return _Part(count, place, noun, counted=True)
        if at > place or said[noun] not in words.several:
            return _Part(1, place, noun, bare=at == place)
    return _Part(1, place, place) if said[place] in words.myself else None


def _found(reading: Reading, run: list[_Part]) -> Found:
    span = reading.tokens[run[0].first][0], reading.tokens[run[-1].last][1]
    return Found(str(sum(part.people for part in run)), span, "people")
