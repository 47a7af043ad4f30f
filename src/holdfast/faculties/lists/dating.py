"""A thing on a list as it is after a change: on another day, at another hour, or something else in its place."""

from __future__ import annotations

import re

from holdfast.faculties.lists.kept import PLANS, REMINDERS
from holdfast.faculties.lists.scene import Scene
from holdfast.reading.kinds import TIMES, Typed, typed_spans
from holdfast.reading.reader import Reading, Span
from holdfast.reading.text import fold

MAX_WORDS_BEHIND = 2
"""Words behind a day that belong to it."""
SMALL = 3
"""Letters of a word that leads to a time: "on friday"."""
_FIGURE = re.compile(r"\d+(?:[.,:]\d+)*\w*")


def redated(scene: Scene, item: str) -> str:
    """A thing with the times that the part gives in the place of its own, the first of each kind; nothing where it
    gives none. A mere number is another hour, or another number; a time of a new kind stands beside the old."""
    now, is_dated = item, item in (*scene.held.get(REMINDERS), *scene.held.get(PLANS))
    given = _given(scene)
    for new in given:
        if not _is_in(scene, new, now):
            now = _with(scene, now, new, is_dated) or now
    return now if now != item or any(_is_in(scene, one, item) for one in given) else ""


def _given(scene: Scene) -> list[Typed]:
    """The times and numbers that the part gives, the first of each kind."""
    reading, part = scene.reading, scene.part
    found: dict[str, Typed] = {}
    for one in _dates(reading):
        pointing = reading.said(one[:2]) in scene.words("pronouns")  # "that one"
        if part.start <= one.start < part.end and not pointing and not _is_denied(scene, one.start):
            figure = _FIGURE.match(reading.text, one.start)  # "9th"
            end = figure.end() if figure is not None and one.type == "number" else one.end
            found.setdefault(one.type, one._replace(end=end))
    if list(found) == ["day"]:
        return [_with_what_follows(scene, found["day"])]
    return list(found.values())


def _is_in(scene: Scene, new: Typed, item: str) -> bool:
    return fold(scene.reading.words(new[:2])) in fold(item)


def _with_what_follows(scene: Scene, day: Typed) -> Typed:
    """A day with a few words behind it that say when on that day: «в четверг после обеда»."""
    reading, end = scene.reading, len(scene.reading.text[: scene.part.end].rstrip(" .,!?;"))
    after = reading.said((day.end, end)).split()
    belong = 0 < len(after) <= MAX_WORDS_BEHIND and scene.words("not", "beside").isdisjoint(after)
    return day._replace(end=end) if belong else day


def _with(scene: Scene, item: str, new: Typed, is_dated: bool) -> str:
    """A thing with another time; nothing where it has none and is nothing of which a time is told."""
    words, had = scene.reading.words(new[:2]), _dates(scene.reading.reader.read(item))
    place = _place(item, had, new, words)
    if place is None:
        end = max((one.end for one in had if one.type in TIMES), default=len(item))
        return f"{item[:end]} {_led_to(scene, words)}{item[end:]}" if new.type in TIMES and is_dated else ""
    start, end = place
    before = item[:start].split()[-1:]  # "on friday"
    led = new.type == "number" or item[start].isdigit() or any(len(word) <= SMALL for word in before)
    return f"{item[:start]}{words if led else _led_to(scene, words)}{item[end:]}"


def _dates(reading: Reading) -> list[Typed]:
    return [one for one in reading.find(typed_spans) if one.type in (*TIMES, "number")]


def _place(item: str, had: list[Typed], new: Typed, words: str) -> Span | None:
    """Where a time goes: to the one of its kind, a mere number to the figure of that ("8" of "8 in the morning"), of an
    hour, or to the first figure (the 7th of that month)."""
    mere = _FIGURE.fullmatch(words) is not None
    kinds = (new.type, "clock") if mere else (new.type,)
    same = [one[:2] for kind in kinds for one in had if one.type == kind][:1]
    if not mere:
        return next(iter(same), None)
    figures = [_FIGURE.search(item, *span) for span in same or [(0, len(item))][: new.type == "number"]]
    return next((figure.span() for figure in figures if figure is not None), next(iter(same), None))


def _led_to(scene: Scene, words: str) -> str:
    """A time with the small word before it: "on friday"."""
    before = scene.reading.text[: scene.reading.text.find(words)].split()[-1:]
    into = scene.words("into") if scene.part.does == "moves" and "better" not in scene.part.traits else frozenset()
    small = [word for word in before if len(word) <= SMALL and word.isalpha() and fold(word) not in into]
    return " ".join([*small, words])


def _is_denied(scene: Scene, start: int) -> bool:
    """Whether a value is said not to be: "friday not thursday", «не в 12, лучше в 7»."""
    before, no = scene.reading.folded[:start].split()[-2:], scene.words("not")
    return before[-1:] != [] and (before[-1] in no or (len(before[-1]) <= SMALL and before[0] in no))
