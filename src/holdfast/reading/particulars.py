"""The particulars of a request: when, from where, where to, how many, which kind, each with its kind.

Two mentions are of one value when they mean the same: "3 pm" and "15:00", "March 5th" and "the 5th", "two" and "2".
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import NamedTuple

from holdfast.reading.reader import Cue, Reading, Span
from holdfast.reading.shapes import Shape
from holdfast.reading.standing import LONG, standing
from holdfast.reading.text import LOWER, UPPER, fold

_ADDRESS = Shape(
    rf"(?:\d{{1,5}}(?:-\d{{1,5}})? )?[{UPPER}][\w'&#-]*(?:[ ](?:%particulars.inside%|&|[0-9#{UPPER}][\w'&#-]*))*"
)
"""A name or an address, as it is typed."""
_STATE = re.compile(r",\s?(?:[A-Z]{2}|[A-Z][a-z]+|UK|Uk|USA)\b")
_SECOND = Shape(r"%particulars.second%\b[^,.]{0,12}$")
_END_ASKED = Shape(r"\b%particulars.end_asked%\b")
_LOOSE = Shape("^%particulars.before_day% | %particulars.after_day%$")
_DIGITS = re.compile(r"\d+")
_TIME = re.compile(r"(\d{1,2})(?: ?: ?(\d{2}))?")
_NEXT = re.compile(rf" ([{LOWER}]+)")
_PLACES = ("from", "to", "place", "venue")
_WORDS = ("sight", "music", "genre", "area", "price", "lodging")
"""Kinds whose words are also found in names."""


class Particular(NamedTuple):
    """One value of a request."""

    kind: str
    value: str
    same: str
    """What it means, for comparing."""
    span: Span
    rule: str


def particulars(reading: Reading) -> list[Particular]:
    """Use as `reading.find(particulars)`. What is negated, quoted or withdrawn is left out."""
    if not reading.has("particular") or len(reading.text) > LONG:
        return []
    found = [one for cue in reading.all("particular") if (one := _particular(reading, cue)) is not None]
    found.sort(key=lambda one: (one.span[0], -(one.span[1] - one.span[0])))
    kept: list[Particular] = []
    for one in found:
        longer = next((k for k in kept if one.span[0] < k.span[1] and k.span[0] < one.span[1]), None)
        if longer is None:
            kept.append(one)
        elif longer.kind in _PLACES and one.kind in _WORDS and _in_name(reading, longer, one):
            continue  # "Menlo Park" is a place and no park
        elif longer.kind in _PLACES and one.kind not in _PLACES and (before := _before(reading, longer, one.span[0])):
            kept[kept.index(longer)] = before  # "Marshall on March 1st": the day is no part of the name
            kept.append(one)
        elif (longer.kind in _PLACES) > (one.kind in _PLACES) or (
            longer.kind == one.kind and one.span[1] > longer.span[1]
        ):  # "in March": what is known beats a mere capital; "the 5th of May": the longer beats the shorter
            kept[kept.index(longer)] = one
    here = reading.find(standing)
    return [one for one in kept if not here.of(one.span) & {"negated", "withdrawn", "quoted"}]


def _in_name(reading: Reading, place: Particular, word: Particular) -> bool:
    """Whether a word is written as a later part of a name."""
    return word.span[0] > place.span[0] and word.span[1] <= place.span[1] and reading.words(word.span)[:1].isupper()


def _before(reading: Reading, place: Particular, end: int) -> Particular | None:
    """The name of a place up to something that is known to be another thing; None where nothing is left of it."""
    inside = reading.reader.phrases("particulars", "inside")
    words = reading.text[place.span[0] : end].rstrip(" ,").split()
    while words and fold(words[-1]) in inside:
        words.pop()
    name = reading.text[place.span[0] : place.span[0] + len(" ".join(words))]
    if not name[:1].isupper() or not place.value.startswith(name):
        return None
    return place._replace(value=name, same=_city(name), span=(place.span[0], place.span[0] + len(name)))


def _particular(reading: Reading, cue: Cue) -> Particular | None:
    kind, name = cue.means, next(iter(cue.traits), "")
    span = next(iter(cue.groups.values()), None)
    if span is None:
        return None
    if kind in _PLACES:
        place = _place(reading, span, kind, name)
        return Particular(kind, reading.words(place), _city(reading.words(place)), place, cue.id) if place else None
    value = reading.words(span).strip(" .,?!")
    if kind == "people" and name == "me":
        return Particular(kind, "1", "1", span, cue.id)
    if kind in ("date", "time") and reading.made(_SECOND).search(reading.folded[max(0, span[0] - 24) : span[0]]):
        kind += " after"
    return Particular(kind, value, meaning(reading, kind, value), (span[0], span[0] + len(value)), cue.id)


def meaning(reading: Reading, kind: str, value: str) -> str:
    """A value in the form in which equal values are equal."""
    words = fold(value)
    numbers = reading.data("numbers")
    words = " ".join(str(int(numbers[w])) if w in numbers else w for w in words.split())
    if kind.startswith("time"):
        hour = _TIME.search(words)
        if hour is None:
            return words
        minutes = int(hour[2] or 0)
        h = int(hour[1])
        said = next((m for part, m in reading.data("clock_parts").items() if part in words), None)
        if said is not None:  # "half past eight" is 30, "quarter to nine" is -15
            h, minutes = h - (said < 0), said % 60
        return f"{h % 12}:{minutes:02d}"
    if kind.startswith("date"):
        day = _DIGITS.search(words)
        return day[0].lstrip("0") if day else reading.made(_LOOSE).sub("", words)
    if kind in ("people", "stay", "rooms", "stars", "count"):
        digits = _DIGITS.search(words)
        return digits[0] if digits else words
    return words.rstrip("s") if len(words) > 3 else words


def _place(reading: Reading, span: Span, kind: str, name: str) -> Span | None:
    hit = reading.reader.made(_ADDRESS).match(reading.text, span[0])
    no_place, small = reading.phrases("particulars", "no_place"), reading.phrases("small", "words")
    if hit is not None:
        end = hit.end()
        words = hit[0].split()
        while words and (words[-1] == "&" or words[-1] in reading.reader.phrases("particulars", "inside")):
            words.pop()
        end = span[0] + len(" ".join(words))
        if len(words) == 1 and fold(words[0]) in no_place | reading.phrases("particulars", "months"):
            return None
        state = _STATE.match(reading.text, end)
        return (span[0], state.end()) if state else (span[0], end)
    first = reading.folded[span[0] : span[1]]
    if kind == "from" and first.isalpha() and first not in no_place and first not in reading.data("numbers"):
        end = span[1]
        follow = _NEXT.match(reading.folded, end)
        if follow and follow[1] not in small and follow[1] not in no_place:
            end = follow.end()
        return (span[0], end) if first not in small else None
    return None


def _city(value: str) -> str:
    return _STATE.sub("", fold(value) if "," not in value else fold(value.split(",", maxsplit=1)[0])).strip()


def asks_for_end(reading: Reading) -> bool:
    """Whether an agent asks for the end of a span: the way back, the day of return."""
    return "?" in reading.text and bool(reading.made(_END_ASKED).search(reading.folded))


def spoken_of(reading: Reading) -> Iterator[str]:
    """The kinds of business that a message is about: restaurant, train, weather …"""
    named = [one.span for one in reading.find(particulars) if one.kind in _PLACES]
    for cue in reading.all("domain"):
        if not any(start <= cue.start < end for start, end in named):  # "Meadow Apartments" is where, not what
            yield cue.means
