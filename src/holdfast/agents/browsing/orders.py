"""What is wanted of the web: the things that an instruction names, each in its words and with its number. Words count
that some site knows, that name a place, or that the reading takes for a value; the talk around them does not."""

from __future__ import annotations

import re
from typing import NamedTuple

from holdfast.agents.browsing.goals import how_far
from holdfast.agents.browsing.voice import Voice, blanked
from holdfast.agents.browsing.web import FIGURES, Thing, Web, is_place, root, tells_which
from holdfast.reading.model.clauses import Value, understand
from holdfast.reading.reader import Span, touches
from holdfast.reading.text import fold
from holdfast.reading.values import numbers

MAX_PIECES = 9
"""Pieces of one thing that are ordered at most."""
COUNTED = frozenset({"party", "quantity", "price"})
"""Attributes of values that say how many or how much, and not what."""
NO_COUNTS = frozenset({"time", "date", "age"})
"""Attributes of values whose numbers count nothing: "7 is too early"."""
NO_COUNT = ("$", "€", "£", "₽", "h", "min", "d")
"""Units of a number that is none of the order."""
MAX_UNKNOWN = 4
"""Words of a thing that nobody knows, but for its article."""
_UNIT = re.compile(r"\s*(\w+)")
"""The word behind a number."""
HARDLY = 8
"""Lead from which a request is believed."""
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
    """The things that an instruction names; a part that only says which, or how many, belongs to the one before. Of
    words that nobody knows those count that the reading takes for something wanted."""
    values = _values(text, voice)
    said = voice.without(blanked(text, [*voice.limit(text)[1], *_hours(text, values, voice)]), "how")
    valued = voice.pages.stems(" ".join(text[v.start : v.end] for v in values if v.attribute not in COUNTED))
    known_only = how_far(text, voice) is None and not _is_wish(text, voice)  # "ha-ha" is nothing to be had
    known = voice.pages.known() | (set() if known_only else valued)
    found = _joined([_line(part, known, not known_only, voice) for part in voice.parts(said)], voice)
    heard = any(line.words for line in found) or how_far(text, voice) in (None, "visit")
    return found if heard else _unheard(said, valued, voice) or found


def _values(text: str, voice: Voice) -> list[Value]:
    return [value for clause in understand(text, "", voice.language) for value in clause.values]


def _hours(text: str, values: list[Value], voice: Voice) -> list[Span]:
    """Numbers that say when, and neither which nor how many: "7 is too early"."""
    reading = voice.read(text)
    figures = [*map(re.Match.span, FIGURES.finditer(text))]
    said = [cue.span for cue in reading.all("hour")]
    dates = [(value.start, value.end) for value in values if value.attribute in NO_COUNTS]
    found = [one.span for one in reading.find(numbers) if not touches(one.span, figures)]
    return [span for span in found if touches(span, [*said, *(dates if text[slice(*span)].isdigit() else [])])]


def _joined(parts: list[Line], voice: Voice) -> list[Line]:
    found: list[Line] = []
    for line in parts:
        if found and _refines(found[-1], line, voice):
            found[-1] = found[-1].joined(line)
        elif line.words or line.number:
            found.append(line)
    return found


def _unheard(text: str, valued: set[str], voice: Voice) -> list[Line]:
    """What is wanted by words that nobody knows."""
    words = tuple(word for word in _words(_bare(text, voice), voice) if root(word) in valued)
    return [Line(words, None, _phrase(words, text, voice))] if words else []


def _is_wish(text: str, voice: Voice) -> bool:
    """Whether words without a verb wish for something: "I need a charger", "a charger on amazon", "need batteries"."""
    asked = any(c.act == "requests" and c.lead >= HARDLY for c in understand(text, "", voice.language))
    return asked or voice.has(text, "wantphrase") or (voice.one_of(text) and voice.pages.site_in(text) is not None)


def _bare(text: str, voice: Voice) -> str:
    """A text without its verb, and without what leads to it: "can you help me find"."""
    verbs = [end for means, end in voice.ends_of(text, "goal") if means != "cart"]
    behind = text[verbs[-1] :] if verbs else ""
    before = not verbs or voice.language == "ru"  # «шарф закажи»
    return voice.without(text, "goal", but="cart") if before and not voice.pages.words(behind) else behind


def _line(part: str, known: frozenset[str], wanted: bool, voice: Voice) -> Line:
    """One part; where something is wanted, words that nobody knows count beside a verb, an article or something known:
    "find me a car in Berlin", "toothpaste and wrapping paper"."""
    part, whole = _bare(part, voice), part
    bare, count = _counted(part, voice)
    words = _words(bare, voice)
    named = tuple(word for word in words if root(word) in known or is_place(word))
    short = len(whole.split()) <= MAX_UNKNOWN and not voice.read(whole).has("edit", "tabs")  # "need aa batteries"
    if wanted and len(words) <= MAX_UNKNOWN and (named or short or part != whole or voice.one_of(part)):
        named = words
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
