"""A thing on a list as it is after a change: on another day, at another hour, or something else in its place."""

from __future__ import annotations

import re

from holdfast.faculties.lists.kept import PLANS, REMINDERS
from holdfast.faculties.lists.naming import keys, row, share
from holdfast.faculties.lists.scene import Scene, says_only_when
from holdfast.reading.kinds import TIMES, Typed, typed_spans
from holdfast.reading.reader import Reading, Span
from holdfast.reading.text import fold

SMALL = 3
"""Letters of a word that leads to a time: "on friday"."""
_FIGURE = re.compile(r"\d+\w*")


def redated(scene: Scene, item: str) -> str:
    """A thing with the time that the part gives in the place of its own; nothing where it gives none."""
    reading, part = scene.reading, scene.part
    given = [one for one in _dates(reading) if part.start <= one.start < part.end and not _is_denied(scene, one.start)]
    new = [reading.words(one[:2]) for one in given if fold(reading.words(one[:2])) not in fold(item)]
    if not new:
        return item if given else ""
    places = _places(scene, item, new[0])
    if not places:
        return (
            f"{item} {_led_to(scene, new[0])}" if item in (*scene.held.get(REMINDERS), *scene.held.get(PLANS)) else ""
        )
    start, end = places[0]
    return f"{item[:start]}{new[0]}{item[end:]}"


def _dates(reading: Reading) -> list[Typed]:
    return [one for one in reading.find(typed_spans) if one.type in (*TIMES, "number")]


def _places(scene: Scene, item: str, new: str) -> list[Span]:
    """Where a new time stands in a thing: a mere number where a number stood (the 7th of that month, at 11 that day),
    else in the place of a time of its kind."""
    if _FIGURE.fullmatch(new):
        return [figure.span() for figure in _FIGURE.finditer(item)]
    read = scene.reading.reader.read
    types = {one.type for one in _dates(read(new))}
    return [one[:2] for one in _dates(read(item)) if one.type in types]


def _led_to(scene: Scene, words: str) -> str:
    """A time with the small word before it: "on friday"."""
    before = scene.reading.text[: scene.reading.text.find(words)].split()[-1:]
    small = [word for word in before if len(word) <= SMALL and word.isalpha() and fold(word) not in scene.words("into")]
    return " ".join([*small, words])


def _is_denied(scene: Scene, start: int) -> bool:
    """Whether a value is said not to be: "friday not thursday", «не в 12, лучше в 7»."""
    before, no = scene.reading.folded[:start].split()[-2:], scene.words("not")
    return before[-1:] != [] and (before[-1] in no or (len(before[-1]) <= SMALL and before[0] in no))


def other_thing(scene: Scene, item: str) -> str:
    """What is to stand in the place of something: "change the eggs to tofu"."""
    if scene.part.does != "moves" or "better" in scene.part.traits:
        return ""
    reading, (start, end), whole = scene.reading, scene.part.span, keys(scene.reading.reader, item)
    for token in reading.tokens:
        into = start <= token[0] < end and reading.said(token) in scene.words("into")
        if into and whole <= share(whole, keys(reading.reader, reading.said((start, token[0])))):
            new = token[1], end
            return "" if says_only_when(reading, new) else next(iter(row(scene, new)), "")
    return ""
