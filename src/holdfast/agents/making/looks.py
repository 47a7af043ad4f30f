"""The look of a scene: colours, title, labels, type and size, and how a plain request changes them.

Every kind of scene has the same look, whatever library draws it; what a library makes of it is in `code.py` and
`papers.py`. A colour or a size goes to the part that is named nearest to it ("make the title red"), else to the whole.
"""

from __future__ import annotations

import re
from typing import Literal, NamedTuple

import msgspec

from holdfast.reading.reader import Cue, Reading, Span
from holdfast.reading.values import numbers

Face = Literal["", "sans", "serif", "mono"]
_QUOTES = " \"'“”«».,;:!"
GROWS, SHRINKS = 1.5, 0.66
SMALLEST, LARGEST = 0.5, 3.0
POINTS = (6, 40)
"""Sizes of type that can be asked for."""
USUAL = 11
"""Points of the usual type."""


class Type(NamedTuple):
    """A face of type, by the names that libraries have for it."""

    generic: str
    office: str
    reportlab: str
    fpdf: str
    file: str
    """The font with the letters of many languages that comes nearest."""


FACES = {
    "": Type("sans-serif", "", "Helvetica", "Helvetica", "DejaVuSans.ttf"),
    "sans": Type("sans-serif", "Arial", "Helvetica", "Helvetica", "DejaVuSans.ttf"),
    "serif": Type("serif", "Times New Roman", "Times-Roman", "Times", "DejaVuSerif.ttf"),
    "mono": Type("monospace", "Courier New", "Courier", "Courier", "DejaVuSansMono.ttf"),
}
RGB = {
    "red": (255, 0, 0),
    "blue": (0, 0, 255),
    "green": (0, 128, 0),
    "yellow": (255, 255, 0),
    "orange": (255, 165, 0),
    "purple": (128, 0, 128),
    "black": (0, 0, 0),
    "white": (255, 255, 255),
    "pink": (255, 192, 203),
    "gray": (128, 128, 128),
    "brown": (165, 42, 42),
    "gold": (255, 215, 0),
    "steelblue": (70, 130, 180),
}


def hexed(color: str) -> str:
    """A colour as six signs."""
    return "{:02X}{:02X}{:02X}".format(*RGB.get(color, (0, 0, 0)))


def shades(color: str, count: int) -> list[str]:
    """One colour in so many steps towards white: for the slices of a pie."""
    base = RGB.get(color, (70, 130, 180))
    steps = [0.7 * place / max(1, count) for place in range(count)]
    return ["#{:02x}{:02x}{:02x}".format(*(round(part + (255 - part) * step) for part in base)) for step in steps]


class Look(msgspec.Struct):
    """What can be changed about anything that is made; "" and 1.0 leave it as the library has it."""

    caption: str = ""
    """The title of a picture, which has none unless it is asked for."""
    text_color: str = ""
    title_color: str = ""
    title_size: float = 1.0
    font: float = 1.0
    """How much larger than usual the type is."""
    face: Face = ""
    x: str = ""
    """What the labels are: the name of the horizontal axis, or of the first column."""
    y: str = ""


_QUOTED = re.compile(r"[\"“”«»]([^\"“”«»\n]{1,80})[\"“”«»]")


def titled(reading: Reading) -> str | None:
    """The title that is asked for, in the words of the person."""
    quoted = _QUOTED.search(reading.text)
    if quoted and any(spot.means == "title" and spot.start < quoted.start() for spot in reading.all("spot")):
        return quoted[1].strip()
    for cue in sorted(reading.all("titled"), key=lambda found: found.start):
        said = reading.words(cue.groups["value"]).strip(_QUOTES)
        light = reading.reader.read(said)
        if said and not (light.has("color", "size", "face") and len(light.tokens) <= 3):
            return said  # "make the title to red" is about its colour
    return None


def labelled(reading: Reading, look: Look) -> bool:
    """Name the axes of a chart, or the columns of a table, as asked."""
    found = False
    for cue in reading.all("axis"):
        pair = [_said(reading, cue, name, f"{name}2") for name in ("x", "y")]
        if cue.means in ("both", "columns"):
            look.x, look.y = pair
        else:
            setattr(look, cue.means, _said(reading, cue, "value", "value2"))
        found = True
    return found


def _said(reading: Reading, cue: Cue, *names: str) -> str:
    span = next((cue.groups[name] for name in names if name in cue.groups), (0, 0))
    return reading.words(span).strip(_QUOTES)


def renamed(reading: Reading, labels: list[str]) -> bool:
    """Give one of the labels another name."""
    names = {label.casefold(): place for place, label in enumerate(labels)}
    for cue in reading.all("relabel"):
        place = names.get(_said(reading, cue, "old").casefold())
        if place is not None:
            labels[place] = _said(reading, cue, "new")
            return True
    return False


def lettered(reading: Reading, look: Look) -> bool:
    """Change the type: its face, its size, its colour; of the title where that is named, else of all text."""
    titles = [cue.groups["value"] for cue in reading.all("titled")]
    spots = [spot for spot in reading.all("spot") if spot.means in ("title", "text")]
    changed = [
        _letter(reading, look, spot) for spot in spots if not any(start <= spot.start < end for start, end in titles)
    ]
    faces = reading.all("face")
    if faces:
        look.face = faces[0].means  # type: ignore[assignment]  # the keys of the table are the faces
    return bool(faces) or any(changed)


def _letter(reading: Reading, look: Look, spot: Cue) -> bool:
    """The colour and size that stand beside the word for the title or the text."""
    color, size = nearest(reading, "color", spot), nearest(reading, "size", spot)
    if spot.means == "title":
        look.title_color = color.means if color else look.title_color
        look.title_size = grown(look.title_size, size.means == "bigger") if size else look.title_size
    else:
        look.text_color = color.means if color else look.text_color
        look.font = _sized(reading, look.font, size)
    return color is not None or size is not None or _points(reading) is not None


def nearest(reading: Reading, family: str, spot: Cue) -> Cue | None:
    """The cue of a family that belongs to a part: the one that has no other part nearer to it."""
    spots = [*reading.all("spot"), *reading.all("shape")]
    mine = [cue for cue in reading.all(family) if min(spots, key=lambda s: _gap(s.span, cue.span)) is spot]
    return mine[-1] if mine else None


def apart(reading: Reading, family: str) -> list[Cue]:
    """The cues of a family that belong to no title, text or background."""
    spots = [spot for spot in reading.all("spot") if spot.means != "whole"]
    return [c for c in reading.all(family) if not any(nearest(reading, family, spot) is c for spot in spots)]


def _gap(one: Span, other: Span) -> int:
    return max(one[0] - other[1], other[0] - one[1], 0)


def _points(reading: Reading) -> float | None:
    """A size of type in points: "font size 18"."""
    fit = [number.value for number in reading.find(numbers) if POINTS[0] <= number.value <= POINTS[1]]
    return fit[-1] if fit else None


def _sized(reading: Reading, now: float, size: Cue | None) -> float:
    points = _points(reading)
    if size is None:
        return now if points is None else round(points / USUAL, 2)
    return grown(now, size.means == "bigger")


def grown(now: float, larger: bool) -> float:
    return max(SMALLEST, min(LARGEST, round(now * (GROWS if larger else SHRINKS), 2)))
