"""Wishes that no table knows, in the person's own words: "with a pool", "no chains", "somewhere locals go", "for
studying", "near the river". What leads to a wish is a closed class of words; what it is may be anything.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from itertools import pairwise, takewhile
from typing import NamedTuple

from holdfast.faculties.facts.slots import Found
from holdfast.packs.vibehuntr.people import people
from holdfast.reading.dates import days, hours
from holdfast.reading.lexicon import kinds
from holdfast.reading.mentions import mentions
from holdfast.reading.places import named_places
from holdfast.reading.reader import Reader, Reading, Span, touches
from holdfast.reading.values import numbers

RULE = "wish.own"
MAX_WORDS, MAX_WISH = 60, 5
"""Words of a message that are looked at, and of one wish."""
BESIDE = 2
"""Words right before or after what is looked for that may say how it should be: "quiet ramen place"."""
ALONE = 3
"""Words of a wish that is all that is said between two marks: ", outdoors please"."""
LEADS = ("having", "being", "nearby", "purpose", "lacking", "vaguely")
OPENING = frozenset({"having", "being", "nearby"})
"""What leads to a wish, and what opens another one inside it."""
KEPT = frozenset({"nearby", "purpose", "lacking"})
"""Leads that belong to the wish: "near the river", "no chains"."""
CUES = ("price", "party", "shift", "price_not", "politeness", "yes")
"""Families of patterns whose words are understood otherwise."""
TALK = frozenset({"greeting", "thanks", "farewell", "reaction", "yes", "no", "feeling", "kin", "hedge", "correction"})
NO_QUALITY = TALK | {"placekind", "event"}
"""Kinds of words that are no wish, and those that do not say how something should be: "coffee shop"."""


class _Leads:
    """What leads to a wish, by its first word, the longest first; and words that are none. Use as
    `reading.made(_Leads)`."""

    def __init__(self, reader: Reader, language: str | None) -> None:
        self.by_word: dict[str, list[tuple[list[str], str]]] = {}
        phrases = {kind: reader.phrases("leads", kind, language) for kind in LEADS}
        phrases["nearby"] |= reader.phrases("places", "near", language)
        for kind, said in phrases.items():
            for words in map(str.split, said):
                self.by_word.setdefault(words[0], []).append((words, kind))
        for leads in self.by_word.values():
            leads.sort(key=lambda lead: -len(lead[0]))
        self.small = reader.phrases("query", "small", language) | reader.phrases("small", "words", language)
        self.small |= reader.phrases("leads", "empty", language)
        self.ends = reader.phrases("leads", "stops", language)
        self.joints = reader.phrases("joints", "and", language) | reader.phrases("asking", "or", language)
        self.articles = reader.phrases("choice", "articles", language)
        self.languages = (language,) if language else tuple(reader.languages("leads"))


class _Said(NamedTuple):
    """A message word by word, with what is already understood of it."""

    reading: Reading
    words: list[str]
    taken: list[bool]
    parted: list[bool]
    """Whether a mark stands before a word; one more than there are words."""
    leads: _Leads

    def lead(self, place: int) -> tuple[int, str]:
        """How many words lead to a wish from a place on, and to which kind; none: 0."""
        known = self.leads.by_word.get(self.words[place], ())
        fitting = ((len(words), kind) for words, kind in known if self.words[place : place + len(words)] == words)
        return next(fitting, (0, ""))

    def may_be(self, place: int) -> bool:
        """Whether a word may say something of what is wished."""
        word = self.words[place]
        plain = len(word) > 2 and word[0].isalpha() and not word.endswith("'s")
        return plain and not self.taken[place] and word not in self.leads.small

    def tells(self, first: int, last: int, barred: frozenset[str] = TALK) -> bool:
        """Whether words say something of a place, and are no greeting, feeling or relative."""
        told = kinds(self.words[first : last + 1], self.leads.languages)
        return any(map(self.may_be, range(first, last + 1))) and all(map(barred.isdisjoint, told))

    def wish(self, first: int, last: int) -> Found:
        tokens = self.reading.tokens
        span = tokens[first][0], tokens[last][1]
        return Found(self.reading.words(span).lower(), span, RULE)


def own_wishes(reading: Reading, sought: Sequence[Span], known: Iterable[Span]) -> list[Found]:
    """The wishes of a message; `sought` is what is looked for, `known` what else is understood of it."""
    said = _said(reading, [*sought, *known])
    kept: list[Found] = []
    for wish in (*_led(said), *_beside(said, sought), *_alone(said)):
        if not touches(wish.span, [one.span for one in kept]):
            kept.append(wish)
    return sorted(kept, key=lambda one: one.span)


def _said(reading: Reading, known: Iterable[Span]) -> _Said:
    tokens = reading.tokens[:MAX_WORDS]
    spans = [*known, *_understood(reading)]
    ends = [0, *(token[1] for token in tokens)]
    gaps = [reading.folded[end : token[0]] for end, token in zip(ends, tokens, strict=False)]
    return _Said(
        reading,
        [reading.said(token) for token in tokens],
        [touches(token, spans) for token in tokens],
        [*(bool(gap.strip(" '\"")) for gap in gaps), True],
        reading.made(_Leads),
    )


def _understood(reading: Reading) -> Iterator[Span]:
    """What is a price, a time, a place, a number, somebody, or points at something."""
    for family in CUES:
        yield from (cue.span for cue in reading.all(family))
    for find in (days, hours, named_places, people, numbers, mentions):
        yield from (one.span for one in reading.find(find))  # type: ignore[attr-defined]


def _led(said: _Said) -> Iterator[Found]:
    """What a word leads to: "with a pool", "no chains"."""
    place = 0
    while place < len(said.words):
        count, kind = said.lead(place)
        last = _runs_to(said, place + count) if count and not _is_said_of_it(said, place, kind) else 0
        if count and last >= place + count:
            yield _with_lead(said, place, count, last, kind)
            place = last
        place += 1


def _is_said_of_it(said: _Said, place: int, kind: str) -> bool:
    """Whether a word is understood already, or denies what stands before it: "parking not needed"."""
    denies = kind == "lacking" and place > 0 and said.taken[place - 1] and not said.parted[place]
    return said.taken[place] or denies


def _with_lead(said: _Said, place: int, count: int, last: int, kind: str) -> Found:
    first = place + count
    wish = said.wish(place if kind in KEPT else first + (said.words[first] in said.leads.articles), last)
    # a denial that belongs to the wish denies nothing: only its first word is looked at
    return wish._replace(span=said.reading.tokens[place]) if kind == "lacking" else wish


def _runs_to(said: _Said, start: int) -> int:
    """The last word of a wish that begins somewhere; the place before it where there is none."""
    inside = list(takewhile(lambda n: n == start or not _ends(said, n), range(start, len(said.words))))[:MAX_WISH]
    open_ = [n for n in inside if not said.taken[n]] if inside and not said.taken[start] else []
    telling = [n for n in open_ if said.may_be(n)]
    return telling[-1] if telling and said.tells(start, telling[-1]) else start - 1


def _ends(said: _Said, place: int) -> bool:
    """Whether a wish that began before ends at a word."""
    word = said.words[place]
    stops = word in said.leads.ends or word in said.leads.joints or said.lead(place)[1] in OPENING
    return stops or said.taken[place] or said.parted[place]


def _beside(said: _Said, sought: Sequence[Span]) -> Iterator[Found]:
    """Words right before or after what is looked for: "quiet ramen place", "cafetería tranquila"."""
    starts = [token[0] for token in said.reading.tokens[: len(said.words)]]
    for start, end in sought:
        first, after = sum(one < start for one in starts), sum(one < end for one in starts)
        before = _run(said, range(first - 1, max(-1, first - 1 - BESIDE), -1), 1)
        behind = _run(said, range(after, min(len(starts), after + BESIDE)), 0)
        for run in (before[::-1], behind):
            if run and not said.lead(run[0])[0] and said.tells(run[0], run[-1], NO_QUALITY):
                yield said.wish(run[0], run[-1])


def _run(said: _Said, places: Iterable[int], gap: int) -> list[int]:
    """The words of a row that may be a wish, up to a mark; `gap` is where it stands: before a word or after it."""
    return list(takewhile(lambda n: said.may_be(n) and not said.parted[n + gap], places))


def _alone(said: _Said) -> Iterator[Found]:
    """A few words between two marks, all of which may be a wish: "indoors", "dog friendly"."""
    begins = [n for n, parted in enumerate(said.parted) if parted or not n]
    for first, after in pairwise(begins):
        row = list(range(first, after))
        while len(row) > 1 and said.words[row[-1]] in said.leads.small:
            row.pop()
        if len(row) <= ALONE and all(map(said.may_be, row)) and said.tells(row[0], row[-1], NO_QUALITY):
            yield said.wish(row[0], row[-1])
