"""What is wanted of the web: the things that an instruction names, each in its words and with its number, as they are
heard (`hearing.py`); the talk around them does not count."""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import NamedTuple

from holdfast.agents.browsing.voice import Voice, blanked
from holdfast.agents.browsing.web import FIGURES, Thing, Web, is_day, is_place, pages, root, tells_which
from holdfast.reading.model.hearing import Given
from holdfast.reading.model.tokens import tokens
from holdfast.reading.reader import Span, touches
from holdfast.reading.text import fold
from holdfast.reading.values import numbers

MAX_PIECES = 9
"""Pieces of one thing that are ordered at most."""
WHAT = ("item", "wish", "destination", "origin", "when", "pick")
"""What words give that say what is wanted, and which of it."""
NO_COUNT = ("$", "€", "£", "₽", "h", "min", "d")
"""Units of a number that is none of the order."""
_UNIT = re.compile(r"\s*(\w+)")
"""The word behind a number."""
THINGS = frozenset({"item", "pick", "wish"})
"""Facets whose words name a thing."""
SIGNS = frozenset(",.;:!?")
BESIDE = 4
"""Characters between what was heard and what a site knows beside it: "flight to Berlin"."""


class Line(NamedTuple):
    """One thing that is wanted, as it is searched for, and how many of it where that is said."""

    words: tuple[str, ...] = ()
    number: int | None = None
    phrase: str = ""


def lines(text: str, voice: Voice) -> list[Line]:
    """The things that an instruction names; a part that only says which, or how many, belongs to the one before. Where
    nothing is heard of any, words count that some site knows."""
    if heard := voice.given(text, *WHAT) or _counted_things(text, voice):
        return _heard(text, heard, voice)
    if many := _many(text, voice):
        return [Line((), many)]
    idle = [one.span for one in voice.all_given(text) if one.stands != "wanted"]
    said = voice.without(blanked(text, [*voice.limit(text)[1], *idle]), "how")
    found = [_line(part, voice) for part in voice.parts(said)]
    return [line for line in found if line.words or line.number]


def _counted_things(text: str, voice: Voice) -> list[Given]:
    """Things that are only heard with their number: "8 batteries"."""
    counts = voice.given(text, "count")
    return [one._replace(facet="item") for one in counts if _counts_things(text[slice(*one.span)], voice)]


def _many(text: str, voice: Voice) -> int | None:
    """How many are wanted, where nothing else is said."""
    said = [_number(text[slice(*one.span)], voice) for one in voice.given(text, "count", "people")]
    return said[0] if said else None


def _heard(text: str, given: list[Given], voice: Voice) -> list[Line]:
    """The things that words give: each with what stands nearest to it."""
    given = [*_split(text, given, voice), *_known_beside(text, given, voice)]
    given = _apart_from(voice.limit(text)[1], given)
    heads = [one for one in given if one.facet == "item" and _words(text[slice(*one.span)], voice)] or given[:1]
    found = [_line_of(text, head, heads, given, voice) for head in heads]
    return [line for line in found if line.words or line.number]


def _apart_from(spans: list[Span], given: list[Given]) -> list[Given]:
    """What is given by other words than those of some spans."""
    return [one for one in given if not touches(one.span, spans)]


def _line_of(text: str, head: Given, heads: list[Given], given: list[Given], voice: Voice) -> Line:
    """One thing, with what stands nearest to it; of a wish to fly only where to."""
    thing = head.facet in THINGS and bool(_words(text[slice(*head.span)], voice))
    near = [head, *(one for one in given if one not in heads and _nearest(one, heads) == head)]
    named = [one for one in near if thing or one.facet != "wish"] or near
    words = _in_order(text, named, voice)
    start, end = min(one.span[0] for one in near), max(one.span[1] for one in near)
    called = {*_in_order(text, [one for one in named if _names(text, one, head)], voice)}
    phrase = _phrase(tuple(word for word in words if word in called or _listed(word, voice)), text[start:end], voice)
    return Line(words, _count(text, head, heads, voice) or _led_by(text, start, voice), phrase.replace(",", ""))


def _in_order(text: str, given: list[Given], voice: Voice) -> tuple[str, ...]:
    """The words of what is given, as they stand."""
    told = (word for one in sorted(given, key=_place) for word in _told(text, one, voice))
    return tuple(dict.fromkeys(told))


def _count(text: str, head: Given, heads: list[Given], voice: Voice) -> int | None:
    """How many of a thing are wanted: what counts and stands nearest to it."""
    told = voice.given(text, "count", "people")
    told += voice.given(text, "pick") if voice.read(text).has("but") else []  # "just one"
    said = (_number(text[slice(*one.span)], voice) for one in told if _nearest(one, heads) == head)
    return next(filter(None, said), None)


def _names(text: str, one: Given, head: Given) -> bool:
    """Whether words belong to the name of a thing: "stand mixer, something sturdy" is a stand mixer."""
    between = text[min(one.span[1], head.span[1]) : max(one.span[0], head.span[0])]
    return one.facet != "wish" or SIGNS.isdisjoint(between)


def _listed(word: str, voice: Voice) -> bool:
    """Whether some site lists something that a word says; what was made of words said before does not count."""
    return root(word) in pages(voice.language).known()


def _split(text: str, given: list[Given], voice: Voice) -> list[Given]:
    """Each of several things that are named side by side: "a card and wrapping paper"."""
    return [part for one in given for part in _parts_of(text, one, voice)]


def _parts_of(text: str, one: Given, voice: Voice) -> list[Given]:
    said, at = text[slice(*one.span)], one.span[0]
    if one.facet != "item":
        listed = one.facet == "wish" and text[:at].rstrip()[-1:] == "," and voice.names(said)  # "paste, a brush and …"
        return [one._replace(facet="item")] if listed else [one]
    parts, found = voice.parts(said), list[Given]()
    for part in parts:
        start = text.index(part, at)
        at = start + len(part)
        facets = [other.facet for other in voice.given(part, *WHAT)]
        facet = one.facet if not facets or one.facet in facets else facets[0]  # "a flight, 13:25"
        found.append(one._replace(facet=facet, span=(start, at)))
    return found if len(found) > 1 else [one]


def _nearest(one: Given, among: Iterable[Given]) -> Given:
    return min(among, key=lambda other: _gap(other.span, one.span))


def _known_beside(text: str, given: list[Given], voice: Voice) -> list[Given]:
    """Words of which nothing was heard, that some site knows, and that stand beside what was."""
    heard = [one.span for one in voice.all_given(text)]
    known, found = voice.pages.known(), list[Given]()
    for token in tokens(text, voice.language):
        span = token.start, token.end
        near = any(0 <= _gap(one.span, span) <= BESIDE for one in (*given, *found))
        if near and not touches(span, heard) and root(token.word) in known:
            found.append(Given("wish", "wanted", span, 0, 0))
    return found


def _place(one: Given) -> int:
    return one.span[0]


def _gap(one: Span, other: Span) -> int:
    """How far two stretches of words are from each other."""
    return max(other[0] - one[1], one[0] - other[1])


def _told(text: str, one: Given, voice: Voice) -> list[str]:
    """The words that say what is wanted; of a time those by which things are known."""
    words = _words(text[slice(*one.span)], voice)
    return [word for word in words if one.facet != "when" or _listed(word, voice) or is_day(word)]


def _counts_things(said: str, voice: Voice) -> bool:
    """Whether words that count name what they count: "8 batteries", and not "one only"."""
    words = _words(said, voice)
    return any(root(word) in voice.pages.known() for word in words)


def _number(said: str, voice: Voice) -> int | None:
    in_english = " ".join(token.english for token in tokens(said, voice.language))  # "одну"
    read = [one for text in (said, in_english) for one in voice.read(text).find(numbers)]
    found = [int(one.value) for one in read if 1 <= one.value <= MAX_PIECES]
    return found[0] if found else None


def _led_by(text: str, place: int, voice: Voice) -> int | None:
    """A number right before a thing."""
    before = [one for one in voice.read(text).find(numbers) if 0 <= place - one.span[1] <= 1]
    return _number(text[slice(*before[0].span)], voice) if before else None


def _line(part: str, voice: Voice) -> Line:
    """One part by the words that some site knows."""
    bare, count = _counted(voice.without(part, "goal", but="cart"), voice)
    known = voice.pages.known()
    named = tuple(word for word in _words(bare, voice) if root(word) in known or is_place(word))
    return Line(named, count, _phrase(named, bare, voice))


def _words(text: str, voice: Voice) -> tuple[str, ...]:
    """The words of a text that may say what is wanted, and neither where nor how many."""
    words = dict.fromkeys(voice.pages.words(text))
    said = (word for word in words if FIGURES.fullmatch(word) or not (voice.number(word) or voice.hows(word)))
    where = voice.pages.site_words
    return tuple(word for word in said if root(word) not in where)


def _counted(part: str, voice: Voice) -> tuple[str, int | None]:
    """A part without the small numbers in it, and the last of them. A one does not count: "the mint one" is no
    number."""
    reading = voice.read(part)
    figures = [found.span() for found in FIGURES.finditer(part)]
    count, spans = None, list[Span]()
    for number in reading.find(numbers):
        counts = number.unit not in NO_COUNT and 1 <= number.value <= MAX_PIECES
        after = _UNIT.match(part, number.span[1])
        if touches(number.span, figures) or not counts:
            continue
        spans.append((number.span[0], after.end() if after and number.unit else number.span[1]))  # "2 people"
        if number.value > 1:
            count = int(number.value)
    return blanked(part, spans), count


def refined(line: Line, web: Web, voice: Voice) -> Line:
    """A line that only says which of what was wanted before is meant, with the words for that; what those say that is
    no longer so goes. One that names another thing stands for itself."""
    best = (0, 0, _placed(line, web))
    for wanted in web.wanted:
        old = wanted.split()
        for thing in akin(voice.pages.matching(old, web.site)[:1], web.site, voice):
            told = voice.pages.stems(thing.told)
            new = sum(root(word) in told for word in line.words)
            kept = tuple(word for word in old if root(word) in told.difference(map(root, line.words)))
            if any(is_place(word) and word not in kept for word in old) and not any(map(is_place, line.words)):
                continue  # a flight to Oslo on another day is none to Bergen
            if new == len(line.words) and (new, len(kept)) > best[:2]:
                phrase = line.phrase if not kept else " ".join((*kept, *line.words))
                best = new, len(kept), Line((*kept, *line.words), line.number, phrase)
    return best[2]


def _placed(line: Line, web: Web) -> Line:
    """A line that only says when, or where, with the rest of what was wanted before: "make it saturday"."""
    if not (line.words and web.wanted and all(map(tells_which, line.words))):
        return line
    sorts = {is_place(word) for word in line.words}
    kept = [word for word in web.wanted[-1].split() if not tells_which(word) or is_place(word) not in sorts]
    return Line((*kept, *line.words), line.number, " ".join((*kept, *line.words)))


def akin(things: list[Thing], site: str, voice: Voice) -> list[Thing]:
    """All that a site has of the kind of some things."""
    kinds = [thing.kind for thing in things]
    return [thing for thing in voice.pages.offered(site) if thing.kind in kinds]


def _phrase(words: tuple[str, ...], text: str, voice: Voice) -> str:
    """What is wanted as it was said ("flight to Oslo"), where it was said in one piece; else its words."""
    shown = [voice.pages.shown(word) for word in words]
    places = [fold(text).find(word) for word in shown]
    if shown and all(place >= 0 for place in places):
        last = max(range(len(shown)), key=lambda n: places[n])
        phrase = text[min(places) : places[last] + len(shown[last])]
        if len(phrase.split()) <= 2 * len(shown) and "  " not in phrase:
            return phrase
    return " ".join(shown)
