"""What plain sentences name: "I'd suggest Afuri on 7th, or the smaller Kayo's, which is cheaper".

Which words are the name of a thing that is shown is learned from replies whose names somebody marked
(`corpus/venues`): a capital alone tells little, since days, people, towns and the first word of a sentence have one.
What its part of the sentence tells of a thing is its description, and so is a later sentence that names it again, if
only by a part of its name ("Kayo's is open till ten").
"""

from __future__ import annotations

import os
from collections.abc import Iterator, Sequence
from functools import cache
from itertools import pairwise
from typing import NamedTuple

from holdfast.reading.endings import Endings
from holdfast.reading.facts import EDGES
from holdfast.reading.model.features import value_features
from holdfast.reading.model.scorer import Scorer, load
from holdfast.reading.model.tokens import Token, tokens_of
from holdfast.reading.naming import Naming, is_title, trimmed
from holdfast.reading.places import gazetteer
from holdfast.reading.reader import Reading, Span, overlap
from holdfast.reading.standing import sentences
from holdfast.reading.text import fold

MAX_NAMED = 30
"""Things that are looked for in one reply."""
MAX_CHARS = 4000
"""Characters of a reply that names something in plain sentences; what is longer is read for its lists alone."""
OUT, BEGIN, IN = "out", "begin", "in"
OPENING = frozenset('«“„"*_‘')
"""Marks before a name."""
ENDING = frozenset(".?!;")
"""Signs that end a name."""
_FILE = os.path.join(os.path.dirname(__file__), "names.bin")


class Told(NamedTuple):
    """A thing that a reply names in sentences, and the pieces of the reply that tell of it."""

    name: str
    span: Span
    about: tuple[Span, ...]
    marked: bool
    """In bold or in quotation marks."""


@cache
def _scorer() -> Scorer:
    return load(_FILE)["name"]


def in_sentences(reading: Reading, taken: Sequence[Span] = ()) -> list[Told]:
    """The things that the sentences of a reply name, in their order; what stands in `taken` is read by others."""
    if len(reading.text) > MAX_CHARS:
        return []
    told: dict[str, Told] = {}
    things = [span for span in named(reading) if not any(overlap(span, one) for one in taken)]
    for sentence in whole_sentences(reading):
        inside = [span for span in things if sentence[0] <= span[0] < sentence[1]]
        for span, about in zip(inside, _described(reading, sentence, inside), strict=True):
            _tell(reading, told, span, about)
    return list(told.values())[:MAX_NAMED]


def named(reading: Reading) -> list[Span]:
    """Where the names of things stand in a reply."""
    found, scorer = reading.find(tokens_of), _scorer()
    spans: list[Span] = []
    previous, since = OUT, 0
    for place, token in enumerate(found):
        tag = OUT
        if may_belong(reading, found, place, previous):
            tag = scorer.best(name_features(reading, found, place, previous, since))
        if tag == BEGIN or (tag == IN and previous == OUT):
            spans.append((token.start, token.end))
            since = 1
        elif tag == IN:
            spans[-1] = spans[-1][0], token.end
            since += 1
        previous = tag
    return [span for span in (trimmed(reading.text, *span) for span in spans) if span[0] < span[1]]


def may_belong(reading: Reading, found: Sequence[Token], place: int, previous: str) -> bool:
    """Whether a word may be one of a name: it goes on with one, has a capital or a digit, or stands after a mark."""
    token = found[place]
    if previous != OUT:
        return token.word not in ENDING
    if token.shape == ".":
        return False
    return token.shape != "w" or reading.text[max(0, token.start - 1)] in OPENING


def name_features(reading: Reading, found: Sequence[Token], place: int, previous: str, since: int) -> list[str]:
    """What is looked at to tell whether a word belongs to the name of a thing; `since` words of one are before it."""
    token, text = found[place], reading.text
    since = since if previous != OUT else 0
    start = next((n for n in range(place, 0, -1) if found[n - 1].word in ".!?\n•"), 0)
    signs = "".join(t.word for t in found[max(start, place - 12) : place] if t.shape == ".")
    marked, closed = text[max(0, token.start - 1) : token.start], text[token.end : token.end + 1]
    known = f"{reading.reader.knows(token.word, reading.language)}"
    made = value_features(found, 0, len(found), place, previous)
    made += [
        f"t={previous} {min(since, 4)}",
        f"t={previous} {token.word}",
        f"t={previous} {token.shape} {known}",
        f"m={marked.strip()}{closed.strip()} {previous}",
        f"n={'w' if closed.isalnum() else closed} {previous}",
        f"o={place == start} {token.shape} {known}",
        f"sg={signs[-2:]} {previous}",
        f":={':' in signs} {place == start}",
        f"c={_place_of(reading, found, place)} {previous}",
        f"u={''.join(t.shape for t in found[place : place + 3])} {previous}",
    ]
    return made + [f"tk={previous} {kind}" for kind in token.kinds]


def _place_of(reading: Reading, found: Sequence[Token], place: int) -> str:
    """What the gazetteer knows of the words that a word stands among: "United States"."""
    if found[place].shape not in "WA":
        return ""
    table, endings = gazetteer(), reading.reader.made(Endings)
    for first in range(max(0, place - 2), place + 1):
        count, key = table.longest([token.word for token in found[first : first + 3]], endings)
        if first + count > place and (row := table.row(key)) is not None:
            return f"{row.mark} {min(row.thousands // 100, 5)} {min(count, 2)}"
    return ""


def told_of(reading: Reading, spans: Sequence[Span]) -> list[Span]:
    """The part of its sentence that tells of each of some names, in their order."""
    told: list[Span] = []
    for sentence in whole_sentences(reading):
        told += _described(reading, sentence, [span for span in spans if sentence[0] <= span[0] < sentence[1]])
    return told


def whole_sentences(reading: Reading) -> list[Span]:
    """The sentences of a reply; the point of a title ends none: "Dr. Lund"."""
    found: list[Span] = []
    for start, end in reading.find(sentences):
        if found and is_title(reading, found[-1][1] - 1):
            found[-1] = found[-1][0], end
        else:
            found.append((start, end))
    return found


def _described(reading: Reading, sentence: Span, names: Sequence[Span]) -> Iterator[Span]:
    """The part of a sentence that tells of each of its names: up to the last break before the next one."""
    if not names:
        return
    breaks_at = reading.reader.made(Naming).breaks
    cuts = [sentence[0]]
    for one, other in pairwise(names):
        breaks = [m.end() for m in breaks_at.finditer(reading.text, one[1], other[0])]
        cuts.append(max([*breaks, one[1]]))
    cuts.append(sentence[1])
    yield from pairwise(cuts)


def _tell(reading: Reading, told: dict[str, Told], span: Span, about: Span) -> None:
    """Add what is told of a thing; "Vines" is the Vines Lounge that was named before it."""
    name = reading.text[slice(*span)].strip(EDGES)
    known = next((longer for longer in told if f" {longer} ".startswith(f" {fold(name)} ")), None)
    if known is not None:
        told[known] = told[known]._replace(about=(*told[known].about, about))
    elif name:
        marked = span[0] > 0 and reading.text[span[0] - 1] in OPENING
        told[fold(name)] = Told(name, span, (about,), marked)
