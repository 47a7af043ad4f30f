"""What plain sentences name: "I'd suggest Afuri on 7th, or the smaller Kayo's, which is cheaper".

A thing is named by words in bold, in quotation marks or with capital letters; what its part of the sentence tells of it
is its description, and so is a later sentence that names it again, if only by a part of its name ("Kayo's is open till
ten"). A capital that the beginning of a sentence explains, a day, a nationality and the place where a thing is ("on
7th", "in Fishtown") are no names.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from itertools import pairwise
from typing import NamedTuple

from holdfast.reading.endings import Endings
from holdfast.reading.facts import EDGES
from holdfast.reading.lexicon import kinds
from holdfast.reading.naming import BOLD, QUOTED, Naming, is_title, spoken, trimmed
from holdfast.reading.places import gazetteer
from holdfast.reading.reader import Reading, Span, overlap
from holdfast.reading.standing import sentences
from holdfast.reading.text import WORD, fold, later

MAX_NAMED = 30
"""Things that are looked for in one reply."""
MAX_CHARS = 4000
"""Characters of a reply that names something in plain sentences; what is longer is read for its lists alone."""
CALENDAR = frozenset(
    {"weekday", "month", "dayPart", "season", "greeting", "thanks", "language", "nationality", "cuisine"}
)
"""What words with a capital are that name nothing which is offered."""
LARGE = 100
"""Thousands of people of a city that is a place, and not the name of a thing."""
LONGEST_QUOTED = 5
"""Words of a name in quotation marks."""

_HOURS = later(r"\s?(?:-|–|\S{1,3}) ?\d")
_PARTS = later(f"[{WORD}]+")


class Told(NamedTuple):
    """A thing that a reply names in sentences, and the pieces of the reply that tell of it."""

    name: str
    span: Span
    about: tuple[Span, ...]
    marked: bool
    """In bold or in quotation marks."""


class _Name(NamedTuple):
    span: Span
    marked: bool
    opens: bool
    """Whether it stands where a sentence begins."""
    placed: str
    """The word before it that makes it the place of something: "at the Thompson"."""


def in_sentences(reading: Reading, taken: Sequence[Span] = ()) -> list[Told]:
    """The things that the sentences of a reply name, in their order; what stands in `taken` is read by others."""
    told: dict[str, Told] = {}
    for sentence in whole_sentences(reading) if len(reading.text) <= MAX_CHARS else ():
        names = [n for n in _names(reading, sentence) if not any(overlap(n.span, span) for span in taken)]
        things = list(_things(reading, names))
        for name, about in zip(things, _described(reading, sentence, [n.span for n in things]), strict=True):
            _tell(reading, told, name, about)
    return list(told.values())[:MAX_NAMED]


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


def _names(reading: Reading, sentence: Span) -> list[_Name]:
    """Everything in a sentence that is written like a name."""
    naming, text = reading.reader.made(Naming), reading.text
    marked = [*_bold(text, sentence, naming), *_quoted(reading, sentence)]
    found = [_Name(span, True, False, _placed(naming, text, span[0])) for span in marked]
    barred = [m.span() for pattern in (BOLD, QUOTED) for m in pattern.finditer(text, *sentence)]
    titled = (m.span() for m in naming.titled.finditer(text, *sentence))
    plain = (_titled(reading, sentence, span) for span in titled if not any(overlap(span, one) for one in barred))
    return sorted([*found, *(name for name in plain if name is not None)])


def _titled(reading: Reading, sentence: Span, whole: Span) -> _Name | None:
    """Words with capital letters as a name."""
    naming, text = reading.reader.made(Naming), reading.text
    first = not text[sentence[0] : whole[0]].strip(EDGES + "¿¡")
    opens = first or text[max(0, whole[0] - 2)] in ":–—-"
    span = _without_day(reading, _without_opening(reading, whole) if first else whole)
    if not _can_be(reading, span):
        return None
    return _Name(span, False, opens and span[0] == whole[0], _placed(naming, text, span[0]))


def _bold(text: str, sentence: Span, naming: Naming) -> Iterator[Span]:
    """Bold names: "the **Pixel 8** is cheaper than the **iPhone 15**"."""
    bolds = list(BOLD.finditer(text, *sentence))[:MAX_NAMED]
    for number, bold in enumerate(bolds):
        last = next((later for later in bolds[number:] if not naming.joins(text, later.end())), bold)
        if not _only_stressed(text, bold, naming) and not naming.describes(text, last.end()):
            yield trimmed(text, *bold.span(bold.lastindex or 0))  # no "**very** good", "**Italian** or **French** food"


def _quoted(reading: Reading, sentence: Span) -> Iterator[Span]:
    """Names in quotation marks; what somebody said is written like a sentence."""
    naming, text = reading.reader.made(Naming), reading.text
    quotes = list(QUOTED.finditer(text, *sentence))
    for m in quotes:
        span = trimmed(text, *m.span(m.lastindex or 0))
        name = text[slice(*span)]
        called = name[:1].isupper() and len(name.split()) <= LONGEST_QUOTED and text[span[1]] not in ".,!?"
        if called and naming.can_be(name) and (len(quotes) > 1 or not _ordinary(reading, name)):
            yield span


def _only_stressed(text: str, bold: re.Match[str], naming: Naming) -> bool:
    """Whether bold words are no name: written small ("at **8pm**"), or the head of what follows ("**Hours**: …")."""
    name = text[slice(*bold.span(bold.lastindex or 0))].strip(EDGES)
    small = any(map(str.islower, name)) and not any(map(str.isupper, name))
    heads = text[bold.end() : bold.end() + 1] == ":" or bold[0].rstrip("*_ ").endswith(":")
    named = naming.can_be(name) and naming.written(name) and any(map(str.isalpha, name))
    return small or heads or not named or naming.labelled(text, 0, bold.start())


def _can_be(reading: Reading, span: Span) -> bool:
    """Whether words with capitals can name a thing: neither a day nor a nationality, nor a pronoun with its verb, nor
    what a list is headed by."""
    naming, name = reading.reader.made(Naming), reading.text[slice(*span)]
    words = [word for word in _PARTS.findall(reading.folded[slice(*span)]) if not word.isdigit()]
    if not words or not naming.can_be(name) or naming.facts.is_day(name) or reading.text[span[1] : span[1] + 1] == ":":
        return False
    each = kinds(words, spoken(reading))
    return not all(CALENDAR.intersection(of) for of in each) and not all(_small(reading, word) for word in words)


def _without_opening(reading: Reading, span: Span) -> Span:
    """A name at the head of a sentence without the ordinary word that only begins the sentence: "Try Top Dog"."""
    first, _, rest = reading.text[slice(*span)].partition(" ")
    word = fold(first).strip(EDGES)
    parts = reading.phrases("pointing", "generic", "articles")  # "Museo Jesuítico", "The Blue Ox"
    own = word in parts or "title" in kinds([word], spoken(reading))[0]  # "Dr. Lund", "Boston Pizza"
    own = own or bool(gazetteer().longest([word], reading.reader.made(Endings))[0])
    if not rest or own or not _ordinary(reading, first):
        return span
    return span[1] - len(rest), span[1]


def _without_day(reading: Reading, span: Span) -> Span:
    """A name without a day or an hour that follows it: "Hair Co Saturday 9:30", "Pro Hockey Life 11 to 5"."""
    words = reading.text[slice(*span)].split(" ")
    facts = reading.reader.made(Naming).facts
    while len(words) > 1 and (facts.is_day(words[-1]) or (words[-1].isdigit() and _HOURS.match(reading.text, span[1]))):
        span = span[0], span[1] - len(words.pop()) - 1
    return span


def _things(reading: Reading, names: list[_Name]) -> Iterator[_Name]:
    """Those names of a sentence that name things, and not where one is."""
    breaks, text = reading.reader.made(Naming).breaks, reading.text
    # one word at the head of a sentence may have its capital from there ("Chegg 38, Amazon 44")
    sure = [name for name in names if name.marked or not name.opens or " " in text[slice(*name.span)].strip(EDGES)]
    somewhere = any(not name.placed for name in names)
    last: _Name | None = None
    for name in names:
        if _is_where(reading, name, somewhere) or _only_opens(reading, name, sure):
            continue
        if last is None or name.marked or breaks.search(text, last.span[1], name.span[0]):
            last = name
            yield name  # a name without a break before it tells of the one before: "Lowell has a Michelin star"


def _is_where(reading: Reading, name: _Name, somewhere: bool) -> bool:
    """Whether a name is the place of something: of another name, or a city ("I'll look at routes from Dublin")."""
    inside = reading.reader.made(Naming).inside
    if name.placed and (somewhere or (name.placed in inside and not name.marked)):
        return True
    return not name.marked and _is_city(reading, name.span)


def _only_opens(reading: Reading, name: _Name, sure: list[_Name]) -> bool:
    """Whether a name may be an ordinary word that has its capital from the head of a sentence."""
    return name not in sure and (not sure or _ordinary(reading, reading.words(name.span)))


def _placed(naming: Naming, text: str, start: int) -> str:
    """The word before a name that says that something is there."""
    before = text[max(0, start - 24) : start].rstrip('*_«“" ').casefold().split()
    while before and before[-1] in naming.articles:
        before.pop()
    return before[-1] if before and before[-1] in naming.at else ""


def _is_city(reading: Reading, span: Span) -> bool:
    words = _PARTS.findall(reading.folded[slice(*span)])
    count, key = gazetteer().longest(words, reading.reader.made(Endings))
    row = gazetteer().row(key) if count == len(words) else None
    return row is not None and row.mark not in ("w", "p") and (row.thousands >= LARGE or row.mark == "c")


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


def _tell(reading: Reading, told: dict[str, Told], named: _Name, about: Span) -> None:
    """Add what is told of a thing; "Vines" is the Vines Lounge that was named before it."""
    name = reading.text[slice(*named.span)].strip(EDGES)
    known = next((longer for longer in told if f" {longer} ".startswith(f" {fold(name)} ")), None)
    if known is not None:
        told[known] = told[known]._replace(about=(*told[known].about, about))
    else:
        told[fold(name)] = Told(name, named.span, (about,), named.marked)


def _ordinary(reading: Reading, word: str) -> bool:
    """Whether a word is one of the language, and no name."""
    bare = fold(word).strip(EDGES).removesuffix("'s")
    head, apostrophe, _ = bare.partition("'")
    return (
        bool(apostrophe)
        or _small(reading, head)
        or reading.reader.knows(bare, reading.language)
        or bool(kinds([bare], spoken(reading))[0])
    )


def _small(reading: Reading, word: str) -> bool:
    return word in reading.phrases("pointing", "small", "leads", "follows")
