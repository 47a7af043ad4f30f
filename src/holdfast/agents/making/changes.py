"""How a plain request changes a scene. A colour or a size goes to the part that is named nearest to it ("make the title
red"), else to the whole."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from itertools import pairwise
from typing import Any, NamedTuple

import msgspec

from holdfast.agents.making.scenes import (
    MAX_PARTS,
    MAX_REPEATED,
    PAIR,
    PAPERS,
    QUOTED,
    QUOTES,
    Scene,
    Shape,
    bare,
    count,
    cues_of,
    form_of,
    gap,
    given,
    headings,
    intro,
    nearest,
    paragraphs,
    plot,
    reader,
    sections,
    shade,
    shapes,
)
from holdfast.reading.model.clauses import Clause
from holdfast.reading.model.tokens import Token, tokens_of
from holdfast.reading.reader import Cue, Reading, Span, begins_in
from holdfast.reading.text import fold
from holdfast.reading.values import numbers

WANTS = ("requests", "instructs", "corrects")
"""Acts of clauses that want something done, so that it is told where it was not."""
ASIDE = ("asks", "thanks", "greets")
"""Acts of clauses that change nothing, whatever their words."""
IDLE = ("thanks", "greets", "remarks")
"""Acts of clauses that want nothing by themselves."""
SHORT_WORD = 5
_WORDS = re.compile(r"\w+")
GROWTH = {"bigger": 1.5, "smaller": 0.66}


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


class Outcome(NamedTuple):
    """What came of a request: whether it was understood at all, and the parts that were not."""

    understood: bool
    left: list[str]


def revise(reading: Reading, clauses: Sequence[Clause], scene: Scene) -> Outcome:
    """Change a scene by all parts of a request, one after the other; where none of them changes anything, by the
    whole."""
    before, parts = msgspec.json.encode(scene), list(_parts(reading, clauses)) if clauses else [(reading.text, True)]
    known = [change(reading.reader.read(text), scene) for text, _ in parts]
    if msgspec.json.encode(scene) == before and len(parts) > 1 and change(reading, scene):
        return Outcome(True, [])
    left = [text for (text, wanted), done in zip(parts, known, strict=True) if wanted and not done]
    return Outcome(any(known), left)


def _parts(reading: Reading, clauses: Sequence[Clause]) -> Iterator[tuple[str, bool]]:
    """The parts of a request, and whether each wants something done: its clauses, without remarks where something is
    wanted ("it is too small, make it bigger"), and what stands there behind another verb ("make it green and add a
    line"). Questions are none, and what is quoted stays whole."""
    quotes = [hit.span() for hit in QUOTED.finditer(reading.text)]
    whole = [*clauses[:1], *(clause for clause in clauses[1:] if not begins_in(clause.start, quotes))]
    aside = ASIDE if {clause.act for clause in whole}.isdisjoint(WANTS) else (*ASIDE, *IDLE)
    for clause, end in zip(whole, [*(one.start for one in whole[1:]), len(reading.text)], strict=False):
        if clause.act not in aside:
            for part in pairwise((clause.start, *_cuts(reading, (clause.start, end), quotes), end)):
                yield reading.words(part).strip(" ,;"), clause.act in WANTS


def _cuts(reading: Reading, span: Span, quotes: list[Span]) -> list[int]:
    """Where a verb follows "and" or a comma inside a clause, outside quotes."""
    joints = reading.reader.phrases("joints", "between") | {","}
    verbs = {cue.start for family in ("act", "order") for cue in reading.all(family)}
    tokens = [token for token in reading.find(tokens_of) if span[0] <= token.start < span[1]]
    rows = zip(tokens[1:], tokens[2:], [*tokens[3:], *tokens[-1:]], strict=False)
    found = [joint.start for joint, verb, thing in rows if joint.word in joints and _is_verb(verb, thing, verbs)]
    return [cut for cut in found if not begins_in(cut, quotes)]


def _is_verb(token: Token, after: Token, verbs: set[int]) -> bool:
    """Whether a word is a verb by itself, or by what follows it: "animate it"."""
    known = token.start in verbs or "requestverb" in token.kinds
    return known or (not token.kinds and "pointer" in after.kinds)


def change(reading: Reading, scene: Scene) -> bool:
    """Change a scene as asked; gives whether anything was understood."""
    quoted = QUOTED.search(reading.text)
    acts, parts = ({cue.means for cue in reading.all(family)} for family in ("act", "part"))
    asked = Asked(reading, acts, parts, shapes(reading), quoted[1] if quoted else "")
    changes = {"image": _change_shapes, "chart": _change_table, "sheet": _change_table}
    named, dressed = _named_anew(asked, scene), _dressed(reading, scene)
    shaded = scene.kind == "image" and shade(reading, scene)
    changed = named or shaded or changes.get(scene.kind, _change_paper)(asked, scene)
    return changed or dressed


def _named_anew(asked: Asked, scene: Scene) -> bool:
    """Another title: such a request names no other numbers."""
    reading = asked.reading
    part = asked.parts & {"section", "paragraph"} or (scene.kind in PAPERS and _adds_called(asked))
    title = None if part else _title(reading)
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
        said = reading.words(cue.groups["value"]).strip(QUOTES)
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
    mine = [cue for cue in cues_of(reading, family) if min(spots, key=lambda s: gap(s, cue)) is spot]
    return mine[-1] if mine else None


def _apart(reading: Reading, family: str) -> list[Cue]:
    """The cues of a family that belong to no title, text or background."""
    spots = [spot for spot in reading.all("spot") if spot.means != "whole"]
    return [c for c in cues_of(reading, family) if not any(_nearest(reading, family, spot) is c for spot in spots)]


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
    elif len(forms) > 1:
        return _alter_each(asked.reading, scene)
    else:
        return _alter(asked, [shape for shape in scene.shapes if shape.form in forms] or scene.shapes[-1:])
    return True


def _alter_each(reading: Reading, scene: Scene) -> bool:
    """Give several shapes each its own colour and size: "the star bigger and the circle blue"."""
    changed = False
    for cue in reading.all("shape"):
        color, size = (nearest(reading, cue, cues_of(reading, family)) for family in ("color", "size"))
        for shape in (shape for shape in scene.shapes if shape.form == cue.means):
            shape.color, shape.size = color or shape.color, shape.size * GROWTH.get(size, 1)
            changed = changed or bool(color or size)
    return changed


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
    if any(_is_row(label, reading) for label, _ in (*given(reading), *_pair(reading))):
        counts = []  # "bananas 7" counts no shapes
    found: dict[str, list[Any]] = {
        "count": counts[:1],
        "color": [cue.means for cue in _apart(reading, "color")[-1:]],
        "size": [cue.means for cue in _apart(reading, "size")[:1]],
        "place": [cue.means for cue in reading.all("place")[-1:]],
    }
    return {name: values[0] for name, values in found.items() if values}


def _is_row(label: str, reading: Reading) -> bool:
    """Whether a name before a number is one of its own, and no word for what is there."""
    small = reading.reader.phrases("maker_lead", "edges")
    return fold(label) not in small and not reader().read(label).has("shape", "color", "size", "act", "place", "spot")


def _change_table(asked: Asked, scene: Scene) -> bool:
    """Change a chart or a sheet: its look, the names of rows, rows, a total, their order."""
    restyled, relabelled = _restyled(asked, scene), _relabelled(asked.reading, scene)
    filled = not relabelled and _fill(asked, scene)
    return any((restyled, relabelled, filled, _totalled(asked, scene), _ordered(asked.reading, scene)))


def _relabelled(reading: Reading, scene: Scene) -> bool:
    found = _renaming(reading, scene.labels)
    if found is not None:
        scene.labels[found[0]] = found[1]
    return found is not None


def _renaming(reading: Reading, names: list[str]) -> tuple[int, str] | None:
    """Which of some names is to be another one, and which: the old one is named, counted, or much like the new one."""
    for cue in reading.all("renamed"):
        old, new = (reading.words(cue.groups[name]).strip(QUOTES) for name in ("old", "value"))
        light = reading.reader.read(new)
        named = bool(new) and not light.has("color", "size") and not light.find(numbers)
        if named and (found := _meant_by(old, names) or _like(new, names)):
            return found[0], new
    return None


def _meant_by(old: str, names: list[str]) -> list[int]:
    """The names that some words mean: by saying one, else by counting."""
    counted = counted_in(old, none=len(names))
    return _called(old, names) or ([counted] if counted in range(-len(names), len(names)) else [])


def _like(new: str, names: list[str]) -> list[int]:
    """The names that hold a new one or are held by it: "y Arequipa" and "Arequipa"."""
    wanted = new.lower()
    return [n for n, name in enumerate(names) if wanted in name.lower() or name.lower() in wanted]


def _fill(asked: Asked, scene: Scene) -> bool:
    """Take rows out, correct one, or put some in."""
    known = dict(zip(scene.labels, scene.values, strict=True))
    gone = _called(asked.reading.text, scene.labels) if "remove" in asked.acts else []
    if gone:
        known = {label: known[label] for n, label in enumerate(scene.labels) if n not in gone}
    elif row := _corrected(asked.reading, scene):
        known |= row
    elif pairs := given(asked.reading) or _pair(asked.reading):
        known = dict(pairs) if scene.sample else known | dict(pairs)
    else:
        return False
    scene.sample = scene.sample and bool(gone)
    scene.labels, scene.values = list(known)[:MAX_PARTS], list(known.values())[:MAX_PARTS]
    return True


def _corrected(reading: Reading, scene: Scene) -> dict[str, float]:
    """The row that gets the only new number: the one that is named, else the one that has the number which is wrong
    ("pipettes are 13, not 12")."""
    new, old = _new_and_old(reading, scene.labels)
    named = _called(reading.text, scene.labels)
    had = [n for n, value in enumerate(scene.values) if value in old]
    meant = named or had
    return {scene.labels[meant[0]]: new[0]} if len(new) == len(meant) == 1 else {}


def _new_and_old(reading: Reading, labels: list[str]) -> tuple[list[float], list[float]]:
    """The numbers that shall be, and those that are said not to be."""
    instead = [cue for cue in reading.all("act") if cue.means == "instead"]
    refused = {cue.end + 1 for cue in (*reading.all("negation"), *instead)}
    found = [number for number in reading.find(numbers) if reading.words(number.span)[-1].isdigit()]
    found = [number for number in found if reading.words(number.span) not in labels]  # a year may name a row
    told: tuple[list[float], list[float]] = [], []
    for number in found:
        told[number.span[0] in refused].append(number.value)
    return told


def _called(said: str, names: list[str]) -> list[int]:
    """Which of some names a text says: in so many words, else in another form of them ("бумагу", "wednesday" for a row
    that is called "wed")."""
    exact = [n for n, name in enumerate(names) if _says(said, name)]
    words = _WORDS.findall(fold(said))
    return exact or [n for n, name in enumerate(names) if all(any(_alike(p, w) for w in words) for p in _long(name))]


def _says(said: str, name: str) -> bool:
    """Whether a text says a name; the row "A" is not meant by "a row"."""
    plain, words = (f" {' '.join(_WORDS.findall(fold(text)))} " for text in (said, name))
    return words in plain and (len(name) > 1 or name in said)


def _long(name: str) -> list[str]:
    return [word for word in _WORDS.findall(fold(name)) if len(word) > 2] or [name]


def _alike(name: str, word: str) -> bool:
    """Whether a word is a form of a name: all but its end is the same."""
    longest = max(len(name), len(word))
    shared = next((n for n, (a, b) in enumerate(zip(name, word, strict=False)) if a != b), min(len(name), len(word)))
    return shared >= max(3, longest - (1 if longest <= SHORT_WORD else 2)) or shared == len(name) > 2


def _pair(reading: Reading) -> list[tuple[str, float]]:
    """A single name with its number, behind the verb: "add Apr 12", "change rent to 550"."""
    rows = [cue for cue in reading.all("part") if cue.means == "row"]  # "add a row: cinema 40"
    hit = PAIR.search(reading.text, max((cue.end for cue in (*reading.all("act"), *rows)), default=0))
    return [(bare(hit[1].strip(), reading), float(hit[2].replace(",", ".")))] if hit else []


def _totalled(asked: Asked, scene: Scene) -> bool:
    """A row with the total, or none: "sort by the sum" asks for neither."""
    wanted = "total" in asked.parts and ("add" in asked.acts or not asked.reading.has("order"))
    scene.total = "remove" not in asked.acts if wanted else scene.total
    return wanted


def _ordered(reading: Reading, scene: Scene) -> bool:
    """Put the rows in order: by their numbers, the smallest first unless the greatest shall be, or by their names."""
    asked = {cue.means for cue in reading.all("order")}
    rows = list(zip(scene.labels, scene.values, strict=True))
    if asked and asked != {"name"}:
        rows.sort(key=lambda row: row[0].lower() if "name" in asked else row[1], reverse="down" in asked)
        scene.labels, scene.values = [row[0] for row in rows], [row[1] for row in rows]
    return bool(asked) and asked != {"name"}


def _restyled(asked: Asked, scene: Scene) -> bool:
    """Another form, colour or size of a chart or a sheet."""
    reading = asked.reading
    forms = _forms(asked) if scene.kind == "chart" else []
    colors, sizes = _apart(reading, "color"), _apart(reading, "size")
    scene.chart = forms[0] if forms else scene.chart
    scene.color = colors[-1].means if colors else scene.color
    if sizes:  # the last: "it is too small, make it bigger"
        grows = "scale" if scene.kind == "chart" else "font"
        setattr(scene, grows, _grown(getattr(scene, grows), sizes[-1]))
    return bool(forms or colors or sizes)


def _forms(asked: Asked) -> list[str]:
    """The forms of chart that a request names; "make it a line" names one, too."""
    drawn = asked.parts | {"trend" for cue in asked.reading.all("shape") if cue.means == "line"}
    return [part for part in ("pie", "trend", "flat", "bar") if part in drawn]


def _change_paper(asked: Asked, scene: Scene) -> bool:
    """Change a document, a PDF or slides: the chart or the shapes in it, or its text."""
    if asked.reading.has("renamed") and _renamed_section(asked.reading, scene):
        return True
    if asked.chart and ("add" in asked.acts or scene.labels):
        changed = _change_chart(asked, scene)
    elif asked.shapes and asked.acts & {"add", "remove"}:
        changed = _change_shapes(asked, scene)
    elif asked.acts & {"remove", "shorten", "edit"}:
        changed = _shortened(asked, scene)
    elif asked.parts & {"section", "paragraph"} or _adds_called(asked):
        changed = _lengthened(asked, scene)
    else:
        named = "author" in asked.parts  # the desk puts the name in
        changed = named or _change_shapes(asked, scene) or _begun_anew(asked, scene)
    return changed


def _renamed_section(reading: Reading, scene: Scene) -> bool:
    heads = [n for n, text in enumerate(scene.paragraphs) if text.startswith("# ")]
    renamed = _renaming(reading, [scene.paragraphs[n][2:] for n in heads])
    if renamed is not None:
        scene.paragraphs[heads[renamed[0]]] = f"# {renamed[1]}"
    return renamed is not None


def _adds_called(asked: Asked) -> bool:
    """Whether one more part is wanted by its name alone: "another called Results"."""
    more = "another" in asked.parts or "add" in asked.acts
    return more and asked.reading.has("named") and not any(spot.means == "title" for spot in asked.reading.all("spot"))


def _begun_anew(asked: Asked, scene: Scene) -> bool:
    """Another kind of document: "make it a letter"."""
    if asked.reading.has("doctype"):
        scene.paragraphs[:1] = [intro(asked.reading, scene)]
    return asked.reading.has("doctype")


def _change_chart(asked: Asked, scene: Scene) -> bool:
    """Put a chart into a paper, or change the colour or the form of the one that is there."""
    colors, forms = cues_of(asked.reading, "color"), asked.parts & {"pie", "trend", "flat", "bar"}
    if "add" in asked.acts:
        plot(asked.reading, scene)
    elif colors:
        scene.color = colors[-1].means
    elif forms:
        scene.chart = form_of(asked.reading)
    return bool("add" in asked.acts or colors or forms)


def _lengthened(asked: Asked, scene: Scene) -> bool:
    """Put a section or paragraphs at the end: on the topic that is named, else on that of the whole."""
    topic, names = asked.reading.first("topic"), headings(asked.reading, called=True)
    more = asked.acts & {"add", "change"} or "another" in asked.parts
    if not any((topic, names, asked.quoted, more)):
        return False  # "swap the sections"
    about = asked.reading.words(topic.groups["value"]).strip() if topic is not None else scene.topic or scene.title
    have = sum(not paragraph.startswith("# ") for paragraph in scene.paragraphs)
    new = sections(scene, names, have + 1) if names else _more_text(asked, scene, about, have + 1)
    scene.paragraphs = [*scene.paragraphs, *new][:MAX_PARTS]
    return True


def _more_text(asked: Asked, scene: Scene, about: str, number: int) -> list[str]:
    """Paragraphs on a topic, under a heading of it where a section is wanted, or the words that are quoted."""
    new = paragraphs(scene, about, count(asked.reading, "paragraph"), number)
    if "section" in asked.parts:
        return [f"# {asked.quoted or about[:1].upper() + about[1:]}", *new]
    return [asked.quoted] if asked.quoted else new


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
    text, counted = asked.reading.text.lower(), counted_in(asked.reading.text)
    places = [i for i, paragraph in enumerate(scene.paragraphs) if paragraph.startswith("# ") == section]
    named = [i for i in places if section and scene.paragraphs[i][2:].lower() in text]
    if named or counted not in range(-len(places), len(places)):
        return named[0] if named else None
    return places[counted]


def counted_in(text: str, none: int = -1) -> int:
    """The place that a text names by counting, from the end below zero; the last where it names none."""
    reading = reader().read(text)
    ordinals = reading.data("ordinals")
    found = [int(ordinals[word]) for a, b in reading.tokens if (word := reading.folded[a:b]) in ordinals]
    return next((place - 1 if place > 0 else place for place in found), none)
