"""How a plain request changes a scene. A colour or a size goes to the part that is named nearest to it ("make the title
red"), else to the whole."""

from __future__ import annotations

import re
from typing import Any, NamedTuple

from holdfast.agents.making.scenes import (
    MAX_PARTS,
    MAX_REPEATED,
    PAIR,
    PAPERS,
    QUOTED,
    Scene,
    Shape,
    count,
    describe,
    form_of,
    given,
    intro,
    paragraphs,
    plot,
    shade,
    shapes,
)
from holdfast.reading.reader import Cue, Reading
from holdfast.reading.values import numbers

GROWTH = {"bigger": 1.5, "smaller": 0.66}
_QUOTES = " \"'“”«».,;:!"


class Asked(NamedTuple):
    """A request for a change, taken apart."""

    reading: Reading
    acts: set[str]
    parts: set[str]
    shapes: list[Shape]
    quoted: str

    @property
    def chart(self) -> bool:
        return any(cue.means == "chart" for cue in self.reading.all("kind"))


def change(reading: Reading, scene: Scene) -> str | None:
    """Change a scene as asked. Gives what changed, in a few words, or None where nothing was understood."""
    quoted = QUOTED.search(reading.text)
    acts, parts = ({cue.means for cue in reading.all(family)} for family in ("act", "part"))
    asked = Asked(reading, acts, parts, shapes(reading), quoted[1] if quoted else "")
    changes = {"image": _change_shapes, "chart": _change_table, "sheet": _change_table}
    named, dressed = _named_anew(asked, scene), _dressed(reading, scene)
    shaded = scene.kind == "image" and shade(reading, scene)
    changed = named or shaded or changes.get(scene.kind, _change_paper)(asked, scene)
    return describe(scene) if changed or dressed else None


def _named_anew(asked: Asked, scene: Scene) -> bool:
    """Another title: such a request names no other numbers."""
    reading = asked.reading
    title = None if asked.parts & {"section", "paragraph"} else _title(reading)
    if scene.kind == "image" and title is None and not reading.has("shape", "color", "size"):
        # what is to be written on a picture, where nothing is asked of its shapes
        title = next((reading.words(cue.groups["value"]) for cue in reading.all("captioned")), None)
    if title is not None:
        setattr(scene, "caption" if scene.kind == "image" else "title", title)
    return title is not None


def _title(reading: Reading) -> str | None:
    """The title that is asked for, in the words of the person."""
    quoted = QUOTED.search(reading.text)
    if quoted and any(spot.means == "title" and spot.start < quoted.start() for spot in reading.all("spot")):
        return quoted[1].strip()
    for cue in sorted(reading.all("titled"), key=lambda found: found.start):
        said = reading.words(cue.groups["value"]).strip(_QUOTES)
        light = reading.reader.read(said)
        if said and not (light.has("color", "size") and len(light.tokens) <= 3):
            return said  # "make the title to red" is about its colour
    return None


def _dressed(reading: Reading, scene: Scene) -> bool:
    """Another background, another colour of the title, another size of the type or of the whole."""
    shaded = _resized(reading, scene) if scene.kind == "image" else shade(reading, scene)
    colors, sizes = _beside(reading, "color", "title"), _beside(reading, "size", "title", "text")
    if scene.kind in PAPERS and not scene.shapes and not reading.has("shape"):
        colors += [] if scene.labels and _whole(reading) else _apart(reading, "color")  # else it is for the chart
        sizes += _apart(reading, "size")
    if colors:
        scene.title_color = colors[-1].means
    if sizes:
        scene.font = _grown(scene.font, sizes[-1])
    return shaded or bool(colors + sizes)


def _resized(reading: Reading, scene: Scene) -> bool:
    """Another size of a picture: "make the image bigger"."""
    sizes = _apart(reading, "size") if _whole(reading) and not reading.has("shape") else []
    scene.scale = _grown(scene.scale, sizes[-1]) if sizes else scene.scale
    return bool(sizes)


def _whole(reading: Reading) -> bool:
    return any(spot.means == "whole" for spot in reading.all("spot"))


def _beside(reading: Reading, family: str, *parts: str) -> list[Cue]:
    """The cues of a family that belong to some parts; a word of a title that is given names no part."""
    titles = [cue.groups["value"] for cue in reading.all("titled")]
    spots = [spot for spot in reading.all("spot") if spot.means in parts]
    spots = [spot for spot in spots if not any(start <= spot.start < end for start, end in titles)]
    return [found for spot in spots if (found := _nearest(reading, family, spot)) is not None]


def _nearest(reading: Reading, family: str, spot: Cue) -> Cue | None:
    """The cue of a family that belongs to a part: the one that has no other part nearer to it."""
    spots = [*reading.all("spot"), *reading.all("shape")]

    def gap(one: Cue, other: Cue) -> int:
        return max(one.start - other.end, other.start - one.end, 0)

    mine = [cue for cue in reading.all(family) if min(spots, key=lambda s: gap(s, cue)) is spot]
    return mine[-1] if mine else None


def _apart(reading: Reading, family: str) -> list[Cue]:
    """The cues of a family that belong to no title, text or background."""
    spots = [spot for spot in reading.all("spot") if spot.means != "whole"]
    return [c for c in reading.all(family) if not any(_nearest(reading, family, spot) is c for spot in spots)]


def _grown(now: float, size: Cue) -> float:
    return max(0.5, min(3.0, round(now * GROWTH[size.means], 2)))


def _change_shapes(asked: Asked, scene: Scene) -> bool:
    """Take shapes out, put some in, or alter those that are there: of the form that is named, else the last one."""
    forms = {shape.form for shape in asked.shapes}
    others = [shape for shape in scene.shapes if shape.form not in forms]
    if forms and "remove" in asked.acts:
        scene.shapes = others
    elif forms and ("add" in asked.acts or len(others) == len(scene.shapes)):
        scene.shapes = [*scene.shapes, *asked.shapes][:MAX_PARTS]
    else:
        named = [shape for shape in scene.shapes if shape not in others]
        return _alter(asked, named or scene.shapes[-1:])
    return True


def _alter(asked: Asked, meant: list[Shape]) -> bool:
    """Give shapes another number, colour, size or place. "Put a small red heart beside it" is about none of them."""
    if "add" in asked.acts and asked.reading.has("color", "size") and not asked.reading.has("place"):
        return False
    old = min((cue.start for cue in asked.reading.all("act") if cue.means == "instead"), default=None)
    changes = _wanted(asked.reading.reader.read(asked.reading.text[:old]))  # what comes after "instead of" is there
    growth = GROWTH.get(changes.pop("size", ""), 1)
    for shape in meant:
        shape.size = max(0.2, min(4.0, shape.size * growth))
        for name, value in changes.items():
            setattr(shape, name, value)
    return bool(meant) and (growth != 1 or bool(changes))


def _wanted(reading: Reading) -> dict[str, Any]:
    """What shapes are to become."""
    counts = [min(int(number.value), MAX_REPEATED) for number in reading.find(numbers) if number.value >= 1]
    found: dict[str, list[Any]] = {
        "count": counts[:1],
        "color": [cue.means for cue in _apart(reading, "color")[-1:]],
        "size": [cue.means for cue in _apart(reading, "size")[:1]],
        "place": [cue.means for cue in reading.all("place")[-1:]],
    }
    return {name: values[0] for name, values in found.items() if values}


def _change_table(asked: Asked, scene: Scene) -> bool:
    """Change a chart or a sheet: rows, a total, a colour, another form."""
    known = dict(zip(scene.labels, scene.values, strict=True))
    said = asked.reading.text.lower()
    kept = {label: value for label, value in known.items() if not re.search(rf"\b{re.escape(label.lower())}\b", said)}
    restyled = _restyled(asked, scene)
    if "remove" in asked.acts and len(kept) < len(known):
        known = kept
    elif pairs := given(asked.reading) or _pair(asked.reading):
        fresh = _under_known_names(pairs, known)
        known = fresh if scene.sample else known | fresh
        scene.sample = False
    elif "total" in asked.parts:
        scene.total = True
    else:
        return restyled
    scene.labels, scene.values = list(known)[:MAX_PARTS], list(known.values())[:MAX_PARTS]
    return True


def _pair(reading: Reading) -> list[tuple[str, float]]:
    """A single name with its number, behind the verb: "add Apr 12", "change rent to 550"."""
    rows = [cue for cue in reading.all("part") if cue.means == "row"]  # "add a row: cinema 40"
    hit = PAIR.search(reading.text, max((cue.end for cue in (*reading.all("act"), *rows)), default=0))
    return [(hit[1].strip(), float(hit[2].replace(",", ".")))] if hit else []


def _under_known_names(pairs: list[tuple[str, float]], known: dict[str, float]) -> dict[str, float]:
    """New numbers, each with the label that stands there already, however it is written."""
    names = {label.lower(): label for label in known}
    return {names.get(name := _named(label, names), name): value for label, value in pairs}


def _named(label: str, names: dict[str, str]) -> str:
    """The label that the words before a number hold: "change rent to" means rent."""
    said = label.lower()
    held = [name for name in names if f" {name} " in f" {said} "]
    # "wednesday should be 4", and the row is called "wed"
    held = held or [name for name in names if len(name) > 1 and f" {name}" in f" {said}"]
    if held:
        return max(held, key=len)
    return label.split(maxsplit=1)[-1] if len(said.split()) > 2 else label


def _restyled(asked: Asked, scene: Scene) -> bool:
    """Another form, colour or size of a chart or a sheet."""
    reading = asked.reading
    drawn = asked.parts | {"trend" for cue in reading.all("shape") if cue.means == "line"}  # "make it a line"
    forms = [part for part in ("pie", "trend", "bar") if part in drawn] if scene.kind == "chart" else []
    colors, sizes = _apart(reading, "color"), _apart(reading, "size")
    scene.chart = forms[0] if forms else scene.chart
    scene.color = colors[-1].means if colors else scene.color
    if sizes:  # the last: "it is too small, make it bigger"
        grows = "scale" if scene.kind == "chart" else "font"
        setattr(scene, grows, _grown(getattr(scene, grows), sizes[-1]))
    return bool(forms or colors or sizes)


def _change_paper(asked: Asked, scene: Scene) -> bool:
    """Change a document, a PDF or slides: the chart or the shapes in it, or its text."""
    if asked.chart and ("add" in asked.acts or scene.labels):
        changed = _change_chart(asked, scene)
    elif asked.shapes and asked.acts & {"add", "remove"}:
        changed = _change_shapes(asked, scene)
    elif asked.acts & {"remove", "shorten", "edit"}:
        changed = _shortened(asked, scene)
    elif asked.parts & {"section", "paragraph"}:
        changed = _lengthened(asked, scene)
    elif "author" in asked.parts:
        changed = True  # the desk puts the name in
    else:
        changed = _change_shapes(asked, scene) or _begun_anew(asked, scene)
    return changed


def _begun_anew(asked: Asked, scene: Scene) -> bool:
    """Another kind of document: "make it a letter"."""
    if asked.reading.has("doctype"):
        scene.paragraphs[:1] = [intro(asked.reading, scene)]
    return asked.reading.has("doctype")


def _change_chart(asked: Asked, scene: Scene) -> bool:
    """Put a chart into a paper, or change the colour or the form of the one that is there."""
    colors, forms = asked.reading.all("color"), asked.parts & {"pie", "trend", "bar"}
    if "add" in asked.acts:
        plot(asked.reading, scene)
    elif colors:
        scene.color = colors[-1].means
    elif forms:
        scene.chart = form_of(asked.reading)
    return bool("add" in asked.acts or colors or forms)


def _lengthened(asked: Asked, scene: Scene) -> bool:
    """Put a section or paragraphs at the end: on the topic that is named, else on that of the whole."""
    topic = asked.reading.first("topic")
    about = asked.reading.words(topic.groups["value"]).strip() if topic is not None else scene.topic or scene.title
    have = sum(not paragraph.startswith("# ") for paragraph in scene.paragraphs)
    new = paragraphs(scene, about, count(asked.reading, "paragraph"), have + 1)
    if "section" in asked.parts:
        new = [f"# {asked.quoted or about[:1].upper() + about[1:]}", *new]
    elif asked.quoted:
        new = [asked.quoted]
    scene.paragraphs = [*scene.paragraphs, *new][:MAX_PARTS]
    return True


def _shortened(asked: Asked, scene: Scene) -> bool:
    """Take a paragraph or a section out: the one that is counted or named, else the last; or leave the first half of a
    text. It writes no texts: one paragraph gets neither shorter nor better."""
    parts, before = asked.parts & {"section", "paragraph"}, len(scene.paragraphs)
    if "remove" in asked.acts and parts:
        at = _place(asked, scene, "section" in parts)
        if at is not None:
            heads = [i for i, text in enumerate(scene.paragraphs) if i > at and text.startswith("# ")]
            end = (*heads, before)[0] if "section" in parts else at + 1  # a section ends at the next heading
            scene.paragraphs[at:end] = []
    elif "shorten" in asked.acts and not asked.parts:
        scene.paragraphs = scene.paragraphs[: (before + 1) // 2]
    return len(scene.paragraphs) < before


def _place(asked: Asked, scene: Scene, section: bool) -> int | None:
    """Where the section or paragraph stands that is named, or counted: "the second", "the last"."""
    text, counted = asked.reading.text.lower(), _counted(asked.reading)
    places = [i for i, paragraph in enumerate(scene.paragraphs) if paragraph.startswith("# ") == section]
    named = [i for i in places if section and scene.paragraphs[i][2:].lower() in text]
    if named or counted not in range(-len(places), len(places)):
        return named[0] if named else None
    return places[counted]


def _counted(reading: Reading) -> int:
    """The place that a request names by counting, from the end below zero; the last where it names none."""
    ordinals = reading.data("ordinals")
    found = [int(ordinals[word]) for a, b in reading.tokens if (word := reading.folded[a:b]) in ordinals]
    return next((place - 1 if place > 0 else place for place in found), -1)
