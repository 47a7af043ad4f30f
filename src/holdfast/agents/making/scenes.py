"""Scenes: what a small picture, chart, sheet or document holds.

A scene is the whole content of a file. A request is read into a change of the scene (`changes.py`); the code is then
written anew from the scene, so that a revision keeps all that it does not mention.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import cache
from typing import Literal

import msgspec

from holdfast.agents.texts import reader_of, texts
from holdfast.reading.reader import Cue, Reader, Reading, begins_in
from holdfast.reading.shapes import Shape as Form
from holdfast.reading.values import numbers

Kind = Literal["image", "chart", "sheet", "document", "pdf", "slides", "text"]
PAPERS: tuple[Kind, ...] = ("slides", "pdf", "text", "document")
"""Kinds that hold text; one can be made into another."""

MAX_PARTS = 40
"""Shapes, rows or paragraphs of one scene."""
MAX_REPEATED = 12
"""How often one shape is repeated at most."""
MAX_GAP = 25
"""Letters between a word and what is said of it."""

QUOTED = re.compile(r"[\"“”«»]([^\"“”«»\n]{1,200})[\"“”«»]")
PIECES = Form(r"[,;\n]| %joints.between% ")
_SENTENCE = re.compile(r"[.!?\n]")
QUOTES = " \"'“”«».,;:!"
MAX_HEADING_WORDS = 6
MAX_SHOWN, MAX_SHOWN_CHARS = 6, 120
"""Paragraphs of which is told what they say, and how much of each."""


class Shape(msgspec.Struct):
    """A shape in a picture; the place is "" where the layout decides."""

    form: str
    color: str = "black"
    size: float = 1.0
    place: str = ""
    count: int = 1


class Scene(msgspec.Struct):
    """The whole content of one file, and its look, which is the same with every library. A colour is a name, with
    "dark" or "light" before it where that was said."""

    kind: Kind
    file: str
    library: str = ""
    title: str = ""
    topic: str = ""
    shapes: list[Shape] = []
    chart: str = ""
    columns: list[str] = []
    """The names of the two columns of a sheet."""
    tints: dict[str, str] = {}
    """Colours of single rows of a chart."""
    labels: list[str] = []
    values: list[float] = []
    sample: bool = False
    total: bool = False
    paragraphs: list[str] = []
    author: str = ""
    language: str = "en"
    background: str = "white"
    color: str = ""
    title_color: str = ""
    text_color: str = ""
    caption: str = ""
    """The title of a picture, which has none unless it is asked for."""
    scale: float = 1.0
    """How much larger than usual a chart or a picture is."""
    font: float = 1.0
    """How much larger than usual the type is."""
    requests: list[str] = []
    """What the person said to have it made and changed, in order: why it is as it is."""


@cache
def reader() -> Reader:
    """The maker's own words, beside the shared ones."""
    return reader_of("maker")


def say(language: str, key: str, **values: object) -> str:
    """A sentence of the maker in a language."""
    return texts("maker", language)[key].format(**values)


def figure(value: float) -> str:
    """A number as it is told."""
    return f"{value:.2f}".rstrip("0").rstrip(".")


def means(reading: Reading, family: str) -> set[str]:
    """What the cues of a family mean."""
    return {cue.means for cue in reading.all(family)}


def kind_of(reading: Reading) -> Kind | None:
    """The kind of thing that is spoken of, not what it is made from ("a chart of this table"); shapes are a picture."""
    inside = [cue.span for cue in reading.all("same")]
    found = {cue.means for cue in reading.all("kind") if not begins_in(cue.start, inside)}
    kinds: tuple[Kind, ...] = (*PAPERS, "sheet", "chart", "image")
    formed = any(cue.means in ("pie", "trend", "flat", "bar") for cue in reading.all("part"))
    drawn: Kind | None = "chart" if formed else "image" if reading.has("shape") else None
    return next((kind for kind in kinds if kind in found), drawn)


def shapes(reading: Reading) -> list[Shape]:
    """The shapes of a request, each with the colour, size, place and number that stand nearest to it."""
    cues = reading.all("shape")[:MAX_PARTS]
    ends = [0, *(cue.end for cue in cues)]
    starts = [*(cue.start for cue in cues[1:]), len(reading.text)]
    return [_shape(reading, *one) for one in zip(cues, ends, starts, strict=False)]


def _shape(reading: Reading, cue: Cue, start: int, end: int) -> Shape:
    """A shape with what is said of it: its number before it, its place after it, the rest nearest to it."""
    color, size = (nearest(reading, cue, cues_of(reading, family)) for family in ("color", "size"))
    counts = [int(n.value) for n in reading.find(numbers) if start <= n.span[0] < cue.start and n.value >= 1]
    return Shape(
        cue.means,
        color or ("gold" if cue.means == "star" else "black"),
        {"bigger": 1.6, "smaller": 0.6}.get(size, 1.0),
        next((c.means for c in reading.all("place") if cue.end <= c.start < min(end, cue.end + MAX_GAP)), ""),
        min(counts[-1], MAX_REPEATED) if counts else 1,
    )


def gap(one: Cue, other: Cue) -> int:
    """Letters between two cues."""
    return max(one.start - other.end, other.start - one.end, 0)


def nearest(reading: Reading, shape: Cue, cues: list[Cue]) -> str:
    """What some cues say of a shape: the one nearest to it of those that no other shape is nearer to."""
    mine = [c for c in cues if min(reading.all("shape"), key=lambda s: (gap(s, c), s.start < c.start)) == shape]
    near = [(gap(shape, cue), cue.means) for cue in mine if gap(shape, cue) <= MAX_GAP]
    return min(near)[1] if near else ""


def hues(reading: Reading) -> list[Cue]:
    """The colours of a request, darker or lighter where a word beside them says so: "dark red", "rojo oscuro". Use as
    `reading.find(hues)`."""
    return [_toned(color, reading.all("tone")) for color in reading.all("color")]


def _toned(color: Cue, tones: list[Cue]) -> Cue:
    tone = next((tone for tone in tones if gap(tone, color) <= 1), None)
    if tone is None:
        return color
    start, end = min(tone.start, color.start), max(tone.end, color.end)
    return color._replace(start=start, end=end, means=f"{tone.means} {color.means}")


def shade(reading: Reading, scene: Scene) -> bool:
    """A colour beside the word "background"."""
    parts = [part for part in reading.all("part") if part.means == "background"]
    gaps = [(gap(part, color), color.means) for part in parts for color in reading.find(hues)]
    between, color = min(gaps, default=(MAX_GAP + 1, ""))
    scene.background = color if between <= MAX_GAP else scene.background
    return between <= MAX_GAP


def form_of(reading: Reading) -> str:
    return next((cue.means for cue in reading.all("part") if cue.means in ("pie", "trend", "flat")), "bar")


def headings(reading: Reading, called: bool = False) -> list[str]:
    """The names that a request gives to sections: "sections: Costs, Risks and Plans", "a section called Method"; with
    `called` any name that is given is one: "another called Results"."""
    cues = [cue for cue in reading.all("part") if cue.means == "section"] or reading.all("named") * called
    return next((names for cue in cues if (names := _names_after(reading, cue))), [])


def _names_after(reading: Reading, cue: Cue) -> list[str]:
    """The names behind a word for sections: after "called" or a colon, in quotes, with a capital, or several."""
    named = [one for one in reading.all("named") if one == cue or 0 <= one.start - cue.end <= MAX_GAP]
    first = _SENTENCE.split(reading.text[(*named, cue)[0].end :])[0].strip()
    names = [name for part in reader().made(PIECES).split(first.lstrip(":= ")) if (name := part.strip(QUOTES))]
    leads = first.startswith((":", '"', "“", "«")) or first[:1].isupper()
    if not any((named, leads, len(names) > 1)):
        return []
    return [name[:1].upper() + name[1:] for name in names if len(name.split()) <= MAX_HEADING_WORDS]


def cues_of(reading: Reading, family: str) -> list[Cue]:
    """The cues of a family; a colour comes with how dark it is, and "from big to small" is an order and no size."""
    ordered = [cue.span for cue in reading.all("order")]
    found = reading.find(hues) if family == "color" else reading.all(family)
    meant = [_complained(cue, reading.all("too")) if family == "size" else cue for cue in found]
    return [cue for cue in meant if not begins_in(cue.start, ordered)]


def _complained(size: Cue, too: list[Cue]) -> Cue:
    """What is wanted by a size: what is too small shall be bigger."""
    complains = any(0 <= size.start - one.end <= 1 for one in too)
    return size._replace(means={"bigger": "smaller", "smaller": "bigger"}[size.means]) if complains else size


def describe(scene: Scene, language: str = "") -> str:
    """A scene in a few words, in the language that it was made in or in another one."""
    scene = msgspec.structs.replace(scene, language=language or scene.language)
    if scene.kind in PAPERS:
        return ", ".join(_told_paper(scene)) or say(scene.language, "empty")
    return ", ".join(_told_image(scene) if scene.kind == "image" else _told_table(scene))


def _told_image(scene: Scene) -> Iterator[str]:
    yield from _told_shapes(scene)
    if scene.caption:
        yield f"“{scene.caption}”{_larger(scene.scale, scene)}"
    elif scene.scale != 1:
        yield _larger(scene.scale, scene).strip()
    if not scene.shapes and not scene.caption:
        yield say(scene.language, "empty")
    if scene.background != "white":
        yield say(scene.language, "background", color=_named(scene.background, scene))


def _told_shapes(scene: Scene) -> Iterator[str]:
    for shape in scene.shapes:
        many = f"{shape.count} × " if shape.count > 1 else ""
        told = say(scene.language, "shape", color=_named(shape.color, scene), form=_named(shape.form, scene))
        place = f" ({_named(shape.place, scene)})" if shape.place else ""
        yield many + told + _larger(shape.size, scene) + place


def _named(thing: str, scene: Scene) -> str:
    tone, _, plain = thing.rpartition(" ")
    named = texts("maker.name", scene.language).get(plain, plain)
    return say(scene.language, tone, color=named) if tone else named


def _larger(scale: float, scene: Scene) -> str:
    return f" ({say(scene.language, 'larger' if scale > 1 else 'smaller')})" if scale != 1 else ""


def _told_paper(scene: Scene) -> Iterator[str]:
    language = scene.language
    if scene.title:
        yield f"{say(language, 'title')} “{scene.title}”{_larger(scene.font, scene)}"
    if scene.author:
        yield say(language, "by", author=scene.author)
    yield from _told_text(scene)
    for color in filter(None, (scene.title_color, scene.text_color)):
        yield _named(color, scene)
    yield from _told_shapes(scene)
    if scene.labels:
        yield say(language, "sheet" if scene.chart == "table" else "chart")


def _told_text(scene: Scene) -> Iterator[str]:
    heads = [text[2:] for text in scene.paragraphs if text.startswith("# ")]
    lines = [text for text in scene.paragraphs if not text.startswith("# ")]
    if heads:
        yield say(scene.language, "sections", names=", ".join(heads))
    if len(lines) > 1:
        yield say(scene.language, "paragraphs", count=len(lines))
    if lines:
        yield say(scene.language, "shows_text", lines=", ".join(f"“{_brief(text)}”" for text in lines[:MAX_SHOWN]))


def _brief(text: str) -> str:
    return text if len(text) <= MAX_SHOWN_CHARS else text[: MAX_SHOWN_CHARS - 1] + "…"


def _told_table(scene: Scene) -> Iterator[str]:
    language = scene.language
    form = f"{say(language, f'form_{scene.chart}')}: " if scene.kind == "chart" and scene.chart else ""
    parts = [*_told_look(scene)]
    tints = {label: f" ({_named(tint, scene)})" for label, tint in scene.tints.items()}
    rows = zip(scene.labels, scene.values, strict=True)
    parts += [f"{label} {value:g}{tints.get(label, '')}" for label, value in rows]
    parts += [f"{say(language, 'summed')} {sum(scene.values):g}"] if scene.total else []
    if scene.background != "white":
        parts.append(say(language, "background", color=_named(scene.background, scene)))
    yield form + ", ".join(parts) + _larger(scene.scale * scene.font, scene)


def _told_look(scene: Scene) -> Iterator[str]:
    if scene.title and scene.title != scene.topic.capitalize():
        yield f"“{scene.title}”"
    if scene.color:
        yield _named(scene.color, scene)
    if any(column not in texts("maker", scene.language).values() for column in scene.columns):
        yield say(scene.language, "columns", names=", ".join(scene.columns))
