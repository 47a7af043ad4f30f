"""Scenes: what a small picture, chart, sheet or document holds, and how a plain request changes it.

A scene is the whole content of a file. A request is read into a change of the scene; the code is then written anew
from the scene, so that a revision keeps all that it does not mention.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from functools import cache
from itertools import islice
from typing import Any, Literal, NamedTuple

import msgspec

from holdfast.agents.making import looks
from holdfast.agents.making.looks import Look
from holdfast.agents.texts import reader_of, texts
from holdfast.reading.reader import Cue, Reader, Reading
from holdfast.reading.shapes import Shape as Form
from holdfast.reading.values import numbers

Kind = Literal["image", "chart", "sheet", "document", "pdf", "slides"]
PAPERS: tuple[Kind, ...] = ("slides", "pdf", "document")
"""Kinds that hold text; one can be made into another."""

MAX_PARTS = 40
"""Shapes, rows or paragraphs of one scene."""
MAX_REPEATED = 12
"""How often one shape is repeated at most."""

_QUOTED = re.compile(r"[\"“”«»]([^\"“”«»\n]{1,200})[\"“”«»]")
_PAIR = re.compile(r"([^\W\d_][\w ]{0,24}?)[ :=-]{1,3}(-?\d{1,9}(?:[.,]\d{1,4})?)(?![\w.])")
_NUMBER = r"-?\d{1,9}(?:\.\d{1,4})?"
_ROW = Form(rf"(?<![\w.,]){_NUMBER}(?:(?:, ?|; ?| %joints.between% ){_NUMBER})+(?![\w.])")
"""Numbers in a row without names: "a bar chart of 3, 5, 9"."""
_PIECES = Form(r"[,;\n]| %joints.between% ")
_LATER = re.compile(r"[:(]")


class Shape(msgspec.Struct):
    """A shape in a picture; the place is "" where the layout decides."""

    form: str
    color: str = "black"
    size: float = 1.0
    place: str = ""
    count: int = 1


class Scene(msgspec.Struct):
    """The whole content of one file."""

    kind: Kind
    file: str
    library: str = ""
    title: str = ""
    topic: str = ""
    background: str = "white"
    shapes: list[Shape] = []
    chart: str = ""
    labels: list[str] = []
    values: list[float] = []
    sample: bool = False
    total: bool = False
    color: str = ""
    paragraphs: list[str] = []
    author: str = ""
    doctype: str = ""
    scale: float = 1.0
    """How much larger than usual a chart or a picture is."""
    language: str = "en"
    look: Look = msgspec.field(default_factory=Look)


@cache
def reader() -> Reader:
    """The maker's own words, beside the shared ones."""
    return reader_of("maker")


def say(language: str, key: str, **values: object) -> str:
    """A sentence of the maker in a language."""
    return texts("maker", language)[key].format(**values)


def kind_of(reading: Reading) -> Kind | None:
    """The kind of thing that a request speaks of; shapes alone mean a picture."""
    found = {cue.means for cue in reading.all("kind") if not _source(reading, cue)}
    kinds: tuple[Kind, ...] = (*PAPERS, "sheet", "chart", "image")
    for kind in kinds:
        if kind in found:
            return kind
    return "image" if reading.has("shape") else None


def _source(reading: Reading, cue: Cue) -> bool:
    """Whether words name what something is made from: the table in "a chart of this table"."""
    return any(same.start <= cue.start < same.end for same in reading.all("same"))


def unknown_picture(reading: Reading, scene: Scene) -> bool:
    """Whether a picture was asked for that has nothing in it which can be drawn: "draw a house"."""
    if scene.kind != "image" or scene.shapes or scene.background != "white":
        return False
    draws = reading.phrases("maker_lead", "draws")
    nouns = [cue for cue in reading.all("kind") if reading.folded[cue.start : cue.end] not in draws]
    return bool(scene.topic) or not nouns


def create(reading: Reading, kind: Kind, file: str, language: str) -> Scene:
    """A new scene from a request."""
    scene = Scene(kind, file, language=language)
    scene.topic, scene.title = _subject(reading, language)
    if kind == "image":
        scene.shapes = list(_shapes(reading))
        _background(reading, scene)
    elif kind in PAPERS:
        _document(reading, scene)
    else:
        scene.chart = _form(reading) if kind == "chart" else ""
        _data(reading, scene)
        scene.color = next((cue.means for cue in reading.all("color")), "")
    return scene


def _subject(reading: Reading, language: str) -> tuple[str, str]:
    """What a new file is about, and its title: the words in quotes, else the topic."""
    topics = (cue for cue in reading.all("topic") if not _placed(reading, cue) and not _taken(reading, cue))
    topic = next(topics, None)
    quoted = _QUOTED.search(reading.text)
    if topic is None:
        return "", quoted[1] if quoted else ""
    about = named = reading.words(topic.groups["value"]).strip()
    if "topic_whole" in texts("maker", language):
        named = reading.words((topic.start, topic.groups["value"][1]))
    return about, quoted[1] if quoted else named[:1].upper() + named[1:]


def _placed(reading: Reading, topic: Cue) -> bool:
    """Whether what looks like a topic is a place: "a circle on the left"."""
    return any(topic.start <= cue.start < topic.end for cue in reading.all("place"))


def _taken(reading: Reading, topic: Cue) -> bool:
    """Whether what looks like a topic points at what is there: "a chart of that"."""
    start, end = topic.groups["value"]
    return any(same.start <= start and end <= same.end + 1 for same in reading.all("same"))


def change(reading: Reading, scene: Scene) -> str | None:
    """Change a scene as asked. Gives what changed, in a few words, or None where nothing was understood."""
    named = _named_anew(reading, scene)
    dressed = _dressed(reading, scene)
    if named:
        return describe(scene)
    if scene.kind == "image":
        other = _change_image(reading, scene)
    else:
        other = _change_document(reading, scene) if scene.kind in PAPERS else _change_table(reading, scene)
    return other if other is not None or not dressed else describe(scene)


def _named_anew(reading: Reading, scene: Scene) -> bool:
    """Another title, other names for axes, columns or labels: such a request names no other numbers."""
    title = looks.titled(reading) if not {cue.means for cue in reading.all("part")} & {"section", "paragraph"} else None
    if scene.kind == "image" and not reading.has("shape", "color", "size"):
        title = title or next((reading.words(cue.groups["value"]) for cue in reading.all("captioned")), None)
    if title is not None and scene.kind == "image":
        scene.look.caption = title
    elif title is not None:
        scene.title = title
    labelled = bool(scene.labels) and looks.labelled(reading, scene.look)
    return bool(scene.labels and looks.renamed(reading, scene.labels)) or labelled or title is not None


def _dressed(reading: Reading, scene: Scene) -> bool:
    """Another type, background, colour or size of the whole."""
    lettered = looks.lettered(reading, scene.look)
    if scene.kind == "image":
        return _image_resized(reading, scene) or lettered
    shaded = _background(reading, scene)
    return (scene.kind in PAPERS and _paper_dressed(reading, scene)) or shaded or lettered


def _whole(reading: Reading) -> bool:
    return any(spot.means == "whole" for spot in reading.all("spot"))


def _image_resized(reading: Reading, scene: Scene) -> bool:
    sizes = looks.apart(reading, "size")
    if not sizes or not _whole(reading) or reading.has("shape"):
        return False
    scene.scale = looks.grown(scene.scale, sizes[-1].means == "bigger")
    return True


def _paper_dressed(reading: Reading, scene: Scene) -> bool:
    if scene.shapes or reading.has("shape"):
        return False
    colors, sizes = looks.apart(reading, "color"), looks.apart(reading, "size")
    if scene.labels and _whole(reading):  # the colour is for the chart
        colors = []
    if colors:
        scene.look.title_color = colors[-1].means
    if sizes:
        scene.look.font = looks.grown(scene.look.font, sizes[-1].means == "bigger")
    return bool(colors or sizes)


def describe(scene: Scene) -> str:
    """A scene in a few words."""
    if scene.kind == "image":
        return _described_image(scene)
    return _described_paper(scene) if scene.kind in PAPERS else _described_table(scene)


def _described_image(scene: Scene) -> str:
    caption = [f"“{scene.look.caption}”"] if scene.look.caption else []
    told = ", ".join([*_told_shapes(scene), *caption]) or say(scene.language, "empty")
    color = texts("maker.name", scene.language).get(scene.background, scene.background)
    return told if scene.background == "white" else f"{told}, {say(scene.language, 'background', color=color)}"


def _told_shapes(scene: Scene) -> list[str]:
    return [(f"{s.count} × " if s.count > 1 else "") + _shown(s, scene.language) for s in scene.shapes]


def _described_paper(scene: Scene) -> str:
    language = scene.language
    headings = [paragraph[2:] for paragraph in scene.paragraphs if paragraph.startswith("# ")]
    count = len(scene.paragraphs) - len(headings)
    parts = [f"{say(language, 'title')} “{scene.title}”"]
    if scene.author:
        parts.append(say(language, "by", author=scene.author))
    if headings:
        parts.append(say(language, "sections", names=", ".join(headings)))
    elif count > 1:
        parts.append(say(language, "paragraphs", count=count))
    parts += _told_shapes(scene)
    if scene.labels:
        parts.append(say(language, "chart"))
    return ", ".join(parts)


def _described_table(scene: Scene) -> str:
    language = scene.language
    form = f"{say(language, f'form_{scene.chart}')}: " if scene.kind == "chart" and scene.chart else ""
    title = f"“{scene.title}”, " if scene.title and scene.title != scene.topic.capitalize() else ""
    color = texts("maker.name", language).get(scene.color, scene.color)
    rows = ", ".join(f"{label} {value:g}" for label, value in zip(scene.labels, scene.values, strict=True))
    total = f", {say(language, 'summed')} {sum(scene.values):g}" if scene.total else ""
    size = f" ({_larger(scene.scale, language)})" if scene.scale != 1 else ""
    return f"{form}{title}{color + ', ' if color else ''}{rows}{total}{size}"


def _larger(scale: float, language: str) -> str:
    return say(language, "larger" if scale > 1 else "smaller")


def _shown(shape: Shape, language: str) -> str:
    names = texts("maker.name", language)
    color, form = names.get(shape.color, shape.color), names.get(shape.form, shape.form)
    size = f" ({_larger(shape.size, language)})" if shape.size != 1 else ""
    return say(language, "shape", color=color, form=form) + size


def _shapes(reading: Reading) -> Iterator[Shape]:
    """The shapes of a request, each with the colour, size, place and number that stand nearest to it."""
    cues = reading.all("shape")[:MAX_PARTS]
    for index, cue in enumerate(cues):
        start = cues[index - 1].end if index else 0
        end = cues[index + 1].start if index + 1 < len(cues) else len(reading.text)
        color = _near(reading, "color", cue, start, end)
        size = _near(reading, "size", cue, start, end)
        place = _near(reading, "place", cue, cue.end, end)
        count = [int(n.value) for n in reading.find(numbers) if start <= n.span[0] < cue.start and n.value >= 1]
        yield Shape(
            cue.means,
            color or ("gold" if cue.means == "star" else "black"),
            {"bigger": 1.6, "smaller": 0.6}.get(size, 1.0),
            place,
            min(count[-1], MAX_REPEATED) if count else 1,
        )


def _near(reading: Reading, family: str, cue: Cue, start: int, end: int) -> str:
    """The cue of a family that stands nearest to another one, between two places; before it first."""
    found = [c for c in reading.all(family) if start <= c.start < end]
    if family in ("color", "size") and (before := [c for c in found if c.end <= cue.start]):
        return before[-1].means
    return next((c.means for c in found if 0 <= c.start - cue.end <= 25), "")


def _background(reading: Reading, scene: Scene) -> bool:
    """A colour beside the word "background"."""
    for part in reading.all("part"):
        if part.means == "background":
            near = [c for c in reading.all("color") if abs(c.start - part.end) <= 25 or abs(part.start - c.end) <= 3]
            if near:
                nearest = min(near, key=lambda c: min(abs(c.start - part.end), abs(part.start - c.end)))
                scene.background = nearest.means
                return True
    return False


def _change_image(reading: Reading, scene: Scene) -> str | None:
    changed = _background(reading, scene) or _change_shapes(_asked(reading), scene)
    return describe(scene) if changed else None


def _change_shapes(asked: Asked, scene: Scene) -> bool:
    """Take shapes out, put some in, or alter those that are there."""
    forms = {shape.form for shape in asked.shapes}
    if forms and "remove" in asked.acts:
        scene.shapes = [shape for shape in scene.shapes if shape.form not in forms]
    elif forms and ("add" in asked.acts or not forms & {shape.form for shape in scene.shapes}):
        scene.shapes = [*scene.shapes, *asked.shapes][:MAX_PARTS]
    elif "add" in asked.acts and asked.reading.has("color", "size") and not asked.reading.has("place"):
        return False  # "put a small red heart beside it" changes nothing that is there
    else:
        return _alter(asked.reading, _meant(scene, asked.shapes))
    return True


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


def _asked(reading: Reading) -> Asked:
    quoted = _QUOTED.search(reading.text)
    acts, parts = ({cue.means for cue in reading.all(family)} for family in ("act", "part"))
    return Asked(reading, acts, parts, list(_shapes(reading)), quoted[1] if quoted else "")


def _meant(scene: Scene, named: list[Shape]) -> list[Shape]:
    """The shapes that a change is for: those of the form that is named, else the one that came last."""
    forms = {shape.form for shape in named}
    return [shape for shape in scene.shapes if shape.form in forms] or scene.shapes[-1:]


GROWTH = {"bigger": 1.5, "smaller": 0.66}


def _alter(reading: Reading, shapes: list[Shape]) -> bool:
    """Give shapes another number, colour, size or place."""
    changes = _changes(reading)
    growth = GROWTH.get(changes.pop("size", ""), 1)
    for shape in shapes:
        shape.size = max(0.2, min(4.0, shape.size * growth)) if growth != 1 else shape.size
        for name, value in changes.items():
            setattr(shape, name, value)
    return bool(shapes) and (growth != 1 or bool(changes))


def _old_from(reading: Reading) -> int:
    """Where a request begins to speak of what is there: at "instead of"."""
    return min((cue.start for cue in reading.all("act") if cue.means == "instead"), default=len(reading.text))


def _changes(reading: Reading) -> dict[str, Any]:
    """What shapes are to become, from the words before "instead of"."""
    old = _old_from(reading)
    counts = [min(int(n.value), MAX_REPEATED) for n in reading.find(numbers) if n.span[0] < old and n.value >= 1]
    colors, sizes = ([c.means for c in looks.apart(reading, what) if c.start < old] for what in ("color", "size"))
    found: dict[str, list[Any]] = {
        "count": counts[:1],
        "color": colors[-1:],
        "size": sizes[:1],
        "place": [cue.means for cue in reading.all("place")[-1:]],
    }
    return {name: values[0] for name, values in found.items() if values}


def _form(reading: Reading) -> str:
    for cue in reading.all("part"):
        if cue.means in ("pie", "trend"):
            return cue.means
    return "bar"


def _data(reading: Reading, scene: Scene) -> None:
    """The numbers of a request, each with its name; without any, examples that say so."""
    pairs = given(reading)
    if pairs:
        scene.labels, scene.values = [p[0] for p in pairs], [p[1] for p in pairs]
        scene.sample = False
    elif not scene.labels:
        scene.labels, scene.values, scene.sample = ["A", "B", "C"], [3.0, 5.0, 2.0], True
    scene.chart = scene.chart or "bar"


def given(reading: Reading) -> list[tuple[str, float]]:
    """The numbers that a request brings, each with its name."""
    mark = _LATER.search(reading.text)
    text = reading.text[mark.end() :] if mark else reading.text
    found: list[tuple[str, float]] = []
    for piece in reader().made(_PIECES).split(text)[:MAX_PARTS]:
        for hit in islice(_PAIR.finditer(piece), MAX_PARTS):  # "rent 900 food 300"
            label = hit[1].strip() if found or mark else _without_lead(hit[1].strip(), reading)
            found.append((label, float(hit[2].replace(",", "."))))
    return found if len(found) > 1 or (mark and found) else _row(text)


def _without_lead(label: str, reading: Reading) -> str:
    """The name before the first number, without what leads to it: "pie chart of apples" means apples."""
    lead = reading.reader.phrases("maker_lead", "words")
    words = label.split()
    places = [place for place, word in enumerate(words[:-1], 1) if word.lower() in lead]
    return " ".join(words[places[-1] :]) if places else label


def _row(text: str) -> list[tuple[str, float]]:
    row = reader().made(_ROW).search(text)
    numbers = re.findall(_NUMBER, row[0])[:26] if row else []  # as many as there are letters
    return [(chr(ord("A") + place), float(number)) for place, number in enumerate(numbers)]


def _pair(reading: Reading) -> list[tuple[str, float]]:
    """A single name with its number, behind the verb: "add Apr 12", "change rent to 550"."""
    rows = [cue for cue in reading.all("part") if cue.means == "row"]  # "add a row: cinema 40"
    start = max((cue.end for cue in (*reading.all("act"), *rows)), default=0)
    hit = _PAIR.search(reading.text, start)
    return [(hit[1].strip(), float(hit[2].replace(",", ".")))] if hit else []


def _change_table(reading: Reading, scene: Scene) -> str | None:
    """Change a chart or a sheet: rows, a title, a total, a colour, another form."""
    asked = _asked(reading)
    known = dict(zip(scene.labels, scene.values, strict=True))
    kept = {label: value for label, value in known.items() if not _names(reading, label)}
    restyled = _restyled(reading, scene, asked.parts)
    if "remove" in asked.acts and len(kept) < len(known):
        known = kept
    elif pairs := given(reading) or _pair(reading):
        fresh = _under_known_names(pairs, known)
        known = fresh if scene.sample else known | fresh
        scene.sample = False
    elif "total" in asked.parts:
        scene.total = True
    elif not restyled:
        return None
    scene.labels, scene.values = list(known)[:MAX_PARTS], list(known.values())[:MAX_PARTS]
    return describe(scene)


def _names(reading: Reading, label: str) -> bool:
    return re.search(rf"\b{re.escape(label.lower())}\b", reading.text.lower()) is not None


def _under_known_names(pairs: list[tuple[str, float]], known: dict[str, float]) -> dict[str, float]:
    """New numbers, each with the label that stands there already, however it is written."""
    names = {label.lower(): label for label in known}
    return {names.get(name := _named(label, names), name): value for label, value in pairs}


def _restyled(reading: Reading, scene: Scene, parts: set[str]) -> bool:
    """Another form, colour or size of a chart or a sheet."""
    drawn = parts | {"trend" for cue in reading.all("shape") if cue.means == "line"}  # "make it a line"
    forms = [part for part in ("pie", "trend", "bar") if part in drawn] if scene.kind == "chart" else []
    colors, sizes = looks.apart(reading, "color"), looks.apart(reading, "size")
    scene.chart = forms[0] if forms else scene.chart
    scene.color = colors[-1].means if colors else scene.color
    if sizes:
        larger = sizes[-1].means == "bigger"  # the last: "it is too small, make it bigger"
        if scene.kind == "chart":
            scene.scale = looks.grown(scene.scale, larger)
        else:
            scene.look.font = looks.grown(scene.look.font, larger)
    return bool(forms or colors or sizes)


def _named(label: str, names: dict[str, str]) -> str:
    """The label that the words before a number end with: "change rent to" means rent."""
    words = label.lower().split()
    for length in range(len(words), 0, -1):
        for start in range(len(words) - length + 1):
            if " ".join(words[start : start + length]) in names:
                return " ".join(words[start : start + length])
    short = [name for word in words for name in names if len(name) > 1 and word.startswith(name)]
    if short:  # "wednesday should be 4", and the row is called "wed"
        return max(short, key=len)
    return label.split(maxsplit=1)[-1] if len(words) > 2 else label


def _document(reading: Reading, scene: Scene) -> None:
    topic = scene.topic or scene.title
    scene.title = scene.title or say(scene.language, "document").capitalize()
    wanted = _count(reading, "paragraph")
    intro = _intro(reading, scene)
    more = [say(scene.language, "para", number=n, topic=topic) for n in range(2, min(wanted, MAX_PARTS) + 1)]
    scene.paragraphs = [intro, *more]


def _intro(reading: Reading, scene: Scene) -> str:
    """The first sentence, which names the kind of document where one was asked for."""
    cue = reading.first("doctype")
    scene.doctype = reading.words(cue.span) if cue is not None else scene.doctype
    kind = scene.doctype or say(scene.language, "document")
    return say(scene.language, "intro", kind=kind, topic=scene.topic or scene.title)


def _count(reading: Reading, part: str) -> int:
    """How many of a part are asked for: the number before its word, else one."""
    for cue in reading.all("part"):
        if cue.means == part:
            before = [int(n.value) for n in reading.find(numbers) if 0 <= cue.start - n.span[1] <= 12]
            return max(1, min(before[-1], MAX_PARTS)) if before else 1
    return 1


def _change_chart(asked: Asked, scene: Scene) -> bool:
    """Change the chart inside a paper: its colour or its form."""
    if colors := asked.reading.all("color"):
        scene.color = colors[-1].means
    elif asked.parts & {"pie", "trend", "bar"}:
        scene.chart = _form(asked.reading)
    else:
        return False
    return True


def _change_document(reading: Reading, scene: Scene) -> str | None:
    asked = _asked(reading)
    change = next((change for fits, change in _PAPER_CHANGES if fits(asked, scene)), None)
    if change is None or not change(asked, scene):
        return None
    scene.paragraphs = scene.paragraphs[:MAX_PARTS]
    return describe(scene)


def _add_chart(asked: Asked, scene: Scene) -> bool:
    _data(asked.reading, scene)
    return True


def _clear_shapes(asked: Asked, scene: Scene) -> bool:
    scene.shapes = []
    return True


def _add_shapes(asked: Asked, scene: Scene) -> bool:
    scene.shapes = [*scene.shapes, *asked.shapes][:MAX_PARTS]
    return True


def _add_section(asked: Asked, scene: Scene) -> bool:
    about = _about(asked.reading, scene)
    scene.paragraphs += [f"# {asked.quoted or about[:1].upper() + about[1:]}", *_more(asked.reading, scene)]
    return True


def _add_paragraphs(asked: Asked, scene: Scene) -> bool:
    scene.paragraphs += [asked.quoted] if asked.quoted else _more(asked.reading, scene)
    return True


def _begin_anew(asked: Asked, scene: Scene) -> bool:
    scene.paragraphs[0] = _intro(asked.reading, scene)
    return True


def _shortened(asked: Asked, scene: Scene) -> bool:
    """Take a paragraph or a section out: the one that is counted or named, else the last."""
    section, text = "section" in asked.parts, asked.reading.text.lower()
    places = [i for i, paragraph in enumerate(scene.paragraphs) if paragraph.startswith("# ") == section]
    at = _counted(asked.reading)
    if not places or at > len(places):
        return False
    named = [i for i in places if section and scene.paragraphs[i][2:].lower() in text]
    place = [*named, places[at - (at > 0) if at else -1]][0]
    scene.paragraphs[place : _section_end(scene, place) if section else place + 1] = []
    return True


def _halved(asked: Asked, scene: Scene) -> bool:
    """Leave the first half of a text."""
    half = (len(scene.paragraphs) + 1) // 2
    shorter = half < len(scene.paragraphs)
    scene.paragraphs = scene.paragraphs[:half]
    return shorter


def _section_end(scene: Scene, place: int) -> int:
    """Where the section that begins at a place ends: at the next heading."""
    later = [i for i, paragraph in enumerate(scene.paragraphs) if i > place and paragraph.startswith("# ")]
    return later[0] if later else len(scene.paragraphs)


def _counted(reading: Reading) -> int:
    """The place that a request names by counting: 2 for "the second", -1 for "the last", 0 where it does not."""
    ordinals = reading.data("ordinals")
    return next((int(ordinals[word]) for a, b in reading.tokens if (word := reading.folded[a:b]) in ordinals), 0)


def _about(reading: Reading, scene: Scene) -> str:
    """What a part is about: the topic that is named, else that of the whole."""
    topic = reading.first("topic")
    return reading.words(topic.groups["value"]).strip() if topic is not None else scene.topic or scene.title


def _more(reading: Reading, scene: Scene) -> list[str]:
    about = _about(reading, scene)
    have = sum(not paragraph.startswith("# ") for paragraph in scene.paragraphs)
    return [
        say(scene.language, "para", number=have + n, topic=about) for n in range(1, _count(reading, "paragraph") + 1)
    ]


_PAPER_CHANGES: tuple[tuple[Callable[[Asked, Scene], object], Callable[[Asked, Scene], bool]], ...] = (
    (lambda asked, scene: "add" in asked.acts and asked.chart, _add_chart),
    (lambda asked, scene: "remove" in asked.acts and asked.shapes, _clear_shapes),
    (lambda asked, scene: "add" in asked.acts and asked.shapes, _add_shapes),
    (lambda asked, scene: "remove" in asked.acts and asked.parts & {"section", "paragraph"}, _shortened),
    (lambda asked, scene: "shorten" in asked.acts and not asked.parts, _halved),
    (lambda asked, scene: asked.acts & {"edit", "shorten"}, lambda asked, scene: False),  # it writes no texts
    (lambda asked, scene: "section" in asked.parts, _add_section),
    (lambda asked, scene: "paragraph" in asked.parts, _add_paragraphs),
    (lambda asked, scene: scene.labels and asked.chart, _change_chart),
    (lambda asked, scene: _alter(asked.reading, _meant(scene, asked.shapes)), lambda asked, scene: True),
    (lambda asked, scene: asked.reading.has("doctype") and scene.paragraphs, _begin_anew),
    (lambda asked, scene: "author" in asked.parts, lambda asked, scene: True),  # the desk puts it in
)
"""What can be changed of a paper: the first that a request asks for."""
