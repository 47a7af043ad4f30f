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
BESIDE = 4
"""Characters between what was heard and what a site knows beside it: "flight to Berlin"."""
SIGNS = frozenset(",.;:!?")
EVERYWHERE = ""
"""Any site."""


class Line(NamedTuple):
    """One thing that is wanted, as it is searched for, and how many of it where that is said."""

    words: tuple[str, ...] = ()
    number: int | None = None
    phrase: str = ""

    def joined(self, other: Line) -> Line:
        words = (*self.words, *(word for word in other.words if word not in self.words))
        phrase = f"{self.phrase} {other.phrase}".strip()
        later = other.number if other.number != 1 else None  # "we are four, find us a flight"
        return Line(words, later or self.number or other.number, phrase)


def lines(text: str, voice: Voice) -> list[Line]:
    """The things that an instruction names; a part that only says which, or how many, belongs to the one before. Where
    nothing is heard of any, words count that some site knows."""
    counts = [one for one in voice.given(text, "count") if _counts_things(text[slice(*one.span)], voice)]
    heard = voice.given(text, *WHAT) or [one._replace(facet="item") for one in counts]  # "8 batteries"
    if heard:
        return _heard(text, heard, voice)
    if (many := [_number(text[slice(*one.span)], voice) for one in voice.given(text, "count", "people")]) and many[0]:
        return [Line((), many[0])]
    idle = [one.span for one in voice.all_given(text) if one.stands != "wanted"]
    said = voice.without(blanked(text, [*voice.limit(text)[1], *_hours(text, voice), *idle]), "how")
    return _joined([_line(part, voice) for part in voice.parts(said)], voice)


def _heard(text: str, given: list[Given], voice: Voice) -> list[Line]:
    """The things that words give: each with what stands nearest to it."""
    limits = voice.limit(text)[1]
    given = [*_split(text, given, voice), *_known_beside(text, given, voice)]
    given = [one for one in given if not touches(one.span, limits)]
    items = [one for one in given if one.facet == "item" and _words(text[slice(*one.span)], voice)]
    groups = {item: [item] for item in items} or {one: list[Given]() for one in given[:1]}
    for one in given:
        if one not in items:
            groups[_nearest(one, groups)].append(one)
    told = [*voice.given(text, "count", "people"), *(voice.given(text, "pick") if voice.read(text).has("but") else ())]
    counts = [(_nearest(one, groups), one) for one in told if groups]  # "just one"
    found = []
    for item, group in groups.items():
        spans = sorted(one.span for one in group)
        named = [one for one in group if items or one.facet != "wish" or len(given) == 1]  # of a wish to fly, where to
        words = dict.fromkeys(word for one in sorted(named or group, key=_place) for word in _told(text, one, voice))
        said = [_number(text[slice(*one.span)], voice) for near, one in counts if near == item]
        number = next(filter(None, said), None) or _led_by(text, spans[0][0], voice)
        beside = [one for one in named or group if one.facet != "wish" or _in_one_breath(text, one.span, item.span)]
        name = {word for one in beside for word in _told(text, one, voice)}
        called = [word for word in words if word in name or _listed(word, voice)]
        phrase = _phrase((*called,), text[spans[0][0] : spans[-1][1]], voice)
        found.append(Line((*words,), number, phrase.replace(",", "")))
    return [line for line in found if line.words or line.number]


def _in_one_breath(text: str, one: Span, other: Span) -> bool:
    """Whether no sign stands between two stretches of words."""
    return not SIGNS.intersection(text[min(one[1], other[1]) : max(one[0], other[0])])


def _listed(word: str, voice: Voice) -> bool:
    """Whether some site lists something that a word says; what was made of words said before does not count."""
    return root(word) in pages(voice.language).known()


def _split(text: str, given: list[Given], voice: Voice) -> list[Given]:
    """Each of several things that are named side by side: "a card and wrapping paper"."""
    found = []
    for one in given:
        at = one.span[0]
        parts = voice.parts(text[slice(*one.span)]) if one.facet == "item" else []
        for part in parts:
            start = text.index(part, at)
            at = start + len(part)
            facets = [other.facet for other in voice.given(part, *WHAT)] if len(parts) > 1 else []
            facet = one.facet if not facets or one.facet in facets else facets[0]  # "a flight, 13:25"
            found.append(one._replace(facet=facet, span=(start, at)))
        found += [one] if not parts else []
    return found


def _nearest(one: Given, among: Iterable[Given]) -> Given:
    return min(among, key=lambda other: _gap(other.span, one.span))


def _known_beside(text: str, given: list[Given], voice: Voice) -> list[Given]:
    """Words of which nothing was heard, that some site knows, and that stand beside what was."""
    heard = [one.span for one in voice.all_given(text)]
    known, found = voice.pages.known(), list[Given]()
    for token in tokens(text, voice.language):
        span = token.start, token.end
        near = any(0 <= _gap(one.span, span) <= BESIDE for one in (*given, *found))
        if near and not touches(span, heard) and (root(token.word) in known or is_place(token.word)):
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
    return any(root(word) in voice.pages.known() for word in words) or bool(voice.given(" ".join(words), "item"))


def _number(said: str, voice: Voice) -> int | None:
    in_english = " ".join(token.english for token in tokens(said, voice.language))  # "одну"
    read = [one for text in (said, in_english) for one in voice.read(text).find(numbers)]
    found = [int(one.value) for one in read if 1 <= one.value <= MAX_PIECES]
    return found[0] if found else None


def _led_by(text: str, place: int, voice: Voice) -> int | None:
    """A number right before a thing."""
    before = [one for one in voice.read(text).find(numbers) if 0 <= place - one.span[1] <= 1]
    return _number(text[slice(*before[0].span)], voice) if before and not before[0].unit else None


def _hours(text: str, voice: Voice) -> list[Span]:
    """Numbers that say when, and neither which nor how many: "7 is too early"."""
    reading = voice.read(text)
    figures = [*map(re.Match.span, FIGURES.finditer(text))]
    said = [cue.span for cue in reading.all("hour")] + [one.span for one in voice.given(text, "when")]
    found = [one.span for one in reading.find(numbers) if not touches(one.span, figures)]
    return [span for span in found if touches(span, said)]


def _joined(parts: list[Line], voice: Voice) -> list[Line]:
    found: list[Line] = []
    for line in parts:
        if found and _refines(found[-1], line, voice):
            found[-1] = found[-1].joined(line)
        elif line.words or line.number:
            found.append(line)
    return found


def _bare(text: str, voice: Voice) -> str:
    """A text without its verb, and without what leads to it: "can you help me find"."""
    verbs = [end for means, end in voice.ends_of(text, "goal") if means != "cart"]
    behind = text[verbs[-1] :] if verbs else ""
    before = not verbs or voice.language == "ru"  # «шарф закажи»
    return voice.without(text, "goal", but="cart") if before and not voice.pages.words(behind) else behind


def _line(part: str, voice: Voice) -> Line:
    """One part by the words that some site knows."""
    bare, count = _counted(_bare(part, voice), voice)
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
    """A part without the small numbers in it, and the last of them. A one counts where something is named after it
    ("one notebook") or nothing more is wanted ("just one"): "the mint one" is no number."""
    reading = voice.read(part)
    figures = [found.span() for found in FIGURES.finditer(part)]
    count, spans = None, list[Span]()
    for number in reading.find(numbers):
        counts = number.unit not in NO_COUNT and 1 <= number.value <= MAX_PIECES
        after = _UNIT.match(part, number.span[1])
        if touches(number.span, figures) or not counts or (after and tells_which(after[1])):
            continue  # "three nights"
        spans.append((number.span[0], after.end() if after and number.unit else number.span[1]))  # "2 people"
        one = part[slice(*number.span)] == "1"  # "make it 1"
        if number.value > 1 or one or voice.names(part[number.span[1] :]) or reading.has("but"):
            count = int(number.value)
    return blanked(part, spans), count


def _refines(line: Line, other: Line, voice: Voice) -> bool:
    """Whether a part only says which of a thing is meant: "toothpaste, the mint one", "black and white notebook"."""
    if not line.words or all(map(tells_which, other.words)):
        return True
    mine, others = ({thing.id for thing in voice.pages.matching([*one.words], EVERYWHERE)} for one in (line, other))
    if not mine & others:
        return False
    heads = (voice.pages.things_in(" ".join(one.words)) for one in (line, other))
    return mine <= others or others <= mine or not all(heads)


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
