"""How a plain request changes a scene: the words that are given go where they belong; a colour or a size goes to the
part that is named nearest to it ("make the title red"), else to the whole."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple

from holdfast.agents.courtesies import courtesy
from holdfast.agents.making.asked import ACTS, Asked, Piece
from holdfast.agents.making.fresh import plot
from holdfast.agents.making.hearing import does
from holdfast.agents.making.papers import change_text, shortened
from holdfast.agents.making.rows import called, told
from holdfast.agents.making.scenes import (
    MAX_PARTS,
    MAX_REPEATED,
    PAPERS,
    PIECES,
    QUOTES,
    Scene,
    Shape,
    cues_of,
    gap,
    means,
    reader,
    shade,
    shapes,
)
from holdfast.reading.reader import Cue, Reading
from holdfast.reading.values import numbers

GROWTH = {"bigger": 1.5, "smaller": 0.66}
MAX_UNMET_WORDS = 3
_LOOKS = ("color", "size", "order")
_SEEN = ("color", "size", "place", "order", "shape", "part", "spot", "kind", "tone", "too", "hue", "act")
"""Families of cues by which a word is known to be understood."""


class Outcome(NamedTuple):
    """What came of a request: whether it was understood at all, and the parts that were not."""

    understood: bool
    left: list[str]


def revise(pieces: Sequence[Piece], scene: Scene) -> Outcome:
    """Change a scene by all parts of a request, one after the other."""
    understood, left, vague = False, list[str](), list[str]()
    for piece in pieces:
        asked = piece.asked
        if asked.does("leave") and not asked.reading.has(*_LOOKS):
            continue  # it says what shall stay
        done = change(asked, scene)
        understood |= done
        if done:
            left += _unmet(asked, scene)
        elif does(piece.text)["talk"] >= 0:
            continue  # "so close!"
        elif _asks(asked):
            left.append(piece.text)
        else:
            vague += [piece.text] * piece.wanted
    return Outcome(understood, left if understood else left + vague)


def _asks(asked: Asked) -> bool:
    """Whether a part plainly wants something done."""
    orders = any("requestverb" in token.kinds for token in asked.tokens)
    return orders or asked.does(*ACTS) or asked.reading.has(*_LOOKS)


def _unmet(asked: Asked, scene: Scene) -> list[str]:
    """What a part that was understood says beside that, and nobody knows: the "centered" of "red and centered"."""
    fragments = [one.strip(QUOTES) for one in asked.reading.made(PIECES).split(asked.rest.text)[1:]]
    return [one for one in fragments if 0 < len(one.split()) <= MAX_UNMET_WORDS and not _known(one, scene)]


def _known(fragment: str, scene: Scene) -> bool:
    """Whether anything of some words is understood, or they only are polite."""
    said = Asked(reader().read(fragment))
    plain = [token for token, role in zip(said.tokens, said.roles, strict=True) if not role and token.shape not in ".0"]
    social = any({"politeness", "greeting", "reaction", "quality"} & {*token.kinds} for token in plain)
    return said.reading.has(*_SEEN) or not plain or social or bool(called(fragment, scene.labels) or courtesy(fragment))


def change(asked: Asked, scene: Scene) -> bool:
    """Change a scene as asked; gives whether anything was understood."""
    changes = {"image": _change_picture, "chart": _change_table, "sheet": _change_table}
    changed = changes.get(scene.kind, _change_paper)(asked, scene)
    return _dressed(asked.rest, scene) or changed


def _change_picture(asked: Asked, scene: Scene) -> bool:
    """Change what is written on a picture, its shapes and its background."""
    worded, shaded = _captioned(asked, scene), shade(asked.rest, scene)
    return (worded and not asked.rest.has("shape")) or _change_shapes(asked, scene) or worded or shaded


def _captioned(asked: Asked, scene: Scene) -> bool:
    """Write something on a picture."""
    worded = bool(asked.given) and asked.does("title", "text", "write", "say", "call")
    scene.caption = asked.given if worded else scene.caption
    return worded


def _dressed(reading: Reading, scene: Scene) -> bool:
    """Another background, another colour of the title, another size of the type or of the whole."""
    shaded = _resized(reading, scene) if scene.kind == "image" else shade(reading, scene)
    lettered = ("title", "text") if scene.caption else ("title",)
    colors, sizes = _beside(reading, "color", *lettered), _beside(reading, "size", "title", "text")
    if scene.kind in PAPERS:
        texts = _beside(reading, "color", "text")
        scene.text_color = texts[-1].means if texts else scene.text_color
        shaded = shaded or bool(texts)
        more = _of_the_whole(reading, scene)
        colors, sizes = colors + more[0], sizes + more[1]
    if colors:
        scene.title_color = colors[-1].means
    if sizes:
        scene.font = _grown(scene.font, sizes[-1])
    return shaded or bool(colors + sizes)


def _of_the_whole(reading: Reading, scene: Scene) -> tuple[list[Cue], list[Cue]]:
    """Colours and sizes of a paper that belong to no part of it, nor to its shapes or its chart."""
    if scene.shapes or reading.has("shape"):
        return [], []
    return [] if scene.labels and _whole(reading) else _apart(reading, "color"), _apart(reading, "size")


def _resized(reading: Reading, scene: Scene) -> bool:
    """Another size of a picture: "make the image bigger"."""
    sizes = _apart(reading, "size") if _whole(reading) and not reading.has("shape") else []
    scene.scale = _grown(scene.scale, sizes[-1]) if sizes else scene.scale
    return bool(sizes)


def _whole(reading: Reading) -> bool:
    return any(spot.means == "whole" for spot in reading.all("spot"))


def _beside(reading: Reading, family: str, *parts: str) -> list[Cue]:
    """The cues of a family that stand nearest to some parts."""
    places = [*reading.all("spot"), *reading.all("shape")]
    near = [(min(places, key=lambda place: gap(place, cue)), cue) for cue in cues_of(reading, family) if places]
    return [cue for place, cue in near if place.family == "spot" and place.means in parts]


def _apart(reading: Reading, family: str) -> list[Cue]:
    """The cues of a family that belong to no title, text or background."""
    beside = _beside(reading, family, "title", "text", "background")
    return [cue for cue in cues_of(reading, family) if cue not in beside]


def _grown(now: float, size: Cue) -> float:
    return max(0.5, min(3.0, round(now * GROWTH[size.means], 2)))


def _change_shapes(asked: Asked, scene: Scene) -> bool:
    """Take shapes out, put some in, or alter those that are there: of the form that is named, else the last one."""
    named = shapes(asked.rest)
    forms = {shape.form for shape in named}
    if not forms:
        return _alter(asked, scene.shapes[-1:])
    there = [shape for shape in scene.shapes if shape.form in forms]
    if asked.removes:
        scene.shapes = [shape for shape in scene.shapes if shape not in there]
        return bool(there)
    if not there or _adds(asked):
        scene.shapes = [*scene.shapes, *named][:MAX_PARTS]
        return True
    return _alter(asked, there)


def _adds(asked: Asked) -> bool:
    return asked.does("add") or any(cue.means == "add" for cue in asked.rest.all("act"))


def _alter(asked: Asked, meant: list[Shape]) -> bool:
    """Give shapes another number, colour, size or place. "Put a small red heart beside it" is about none of them."""
    reading = asked.rest
    if _adds(asked) and reading.has("color", "size") and not reading.has("place"):
        return False
    old = min((cue.start for cue in reading.all("act") if cue.means == "instead"), default=None)
    changes = _wanted(Asked(reader().read(reading.text[:old])))  # what comes after "instead of" is there
    growth = GROWTH.get(changes.pop("size", ""), 1)
    for shape in meant:
        shape.size = max(0.2, min(4.0, shape.size * growth))
        for name, value in changes.items():
            setattr(shape, name, value)
    return bool(meant) and (growth != 1 or bool(changes))


def _wanted(asked: Asked) -> dict[str, Any]:
    """What shapes are to become."""
    reading = asked.reading
    named = told(reading)[0] or asked.does("single")  # "bananas 7" and "a tree" count no shapes
    moved = ["top"] * asked.does("up") + ["bottom"] * asked.does("down")
    found: dict[str, list[Any]] = {
        "count": [] if named else [min(int(n.value), MAX_REPEATED) for n in reading.find(numbers) if n.value >= 1],
        "color": [cue.means for cue in _apart(reading, "color")[-1:]],
        "size": [cue.means for cue in _apart(reading, "size")],
        "place": [cue.means for cue in reading.all("place")] + moved,
    }
    return {name: values[0] for name, values in found.items() if values}


def _change_table(asked: Asked, scene: Scene) -> bool:
    """Change a chart or a sheet: its names, its look, its rows, a total, their order."""
    named = not asked.removes and any(step(asked, scene) for step in (_exchanged, _headed, _relabelled, _titled))
    tinted = scene.kind == "chart" and _tinted(asked.rest, scene)
    styled = not tinted and _restyled(asked.rest, scene)
    filled = not named and _fill(asked, scene)
    return any((named, tinted, styled, filled, _totalled(asked, scene), _ordered(asked.reading, scene)))


def _exchanged(asked: Asked, scene: Scene) -> bool:
    """Another name for a row: "change kiwis to kiwi"."""
    old, new = asked.exchange()
    meant = called(old, scene.labels)[:1] if old and new and not told(reader().read(new))[1] else []
    for n in meant:
        scene.labels[n] = new
    return bool(meant)


def _headed(asked: Asked, scene: Scene) -> bool:
    """Other names of the columns."""
    names = [*filter(None, (part.strip(QUOTES) for part in asked.reading.made(PIECES).split(asked.given)))]
    meant = asked.does("header") or (asked.does("say", "be") and not asked.does("title"))
    headed = scene.kind == "sheet" and len(names) == 2 and meant
    scene.columns = names if headed else scene.columns
    return headed


def _relabelled(asked: Asked, scene: Scene) -> bool:
    """Another name of the row that is named or counted."""
    changes = asked.does("call", "swap", "label", "set", "be") and not asked.does("title", "header")
    if not changes or not asked.given or asked.given[0].isdigit() or told(asked.reading)[0]:
        return False
    return _recalled(asked, scene.labels)


def _recalled(asked: Asked, names: list[str]) -> bool:
    """Give the one of some names that is said or counted the words that are given."""
    meant = called(asked.rest.text, names) or asked.place(len(names))
    if len(meant) == 1:
        names[meant[0]] = asked.given
    return len(meant) == 1


def _titled(asked: Asked, scene: Scene) -> bool:
    wanted = asked.does("title", "call") or (scene.kind == "chart" and asked.does("write", "say"))
    named = bool(asked.given) and wanted and not asked.does("header", "label")
    scene.title = asked.given if named else scene.title
    return named


def _tinted(reading: Reading, scene: Scene) -> bool:
    """A colour of its own for some rows of a chart: of those that are named, or of the rest."""
    found = False
    for part in reading.made(PIECES).split(reading.text) if scene.chart != "trend" else ():
        asked = Asked(reader().read(part))
        colors, rows = cues_of(asked.reading, "color"), _rows_of(asked, scene)
        if colors and rows:
            found = True
            scene.tints |= dict.fromkeys(rows, colors[-1].means)
            scene.color = "" if scene.color == colors[-1].means else scene.color
    return found


def _rows_of(asked: Asked, scene: Scene) -> list[str]:
    """The rows that some words name, or those that were not named before."""
    named = [scene.labels[n] for n in called(asked.reading.text, scene.labels)]
    return named or [label for label in scene.labels if asked.does("rest") and label not in scene.tints]


def _fill(asked: Asked, scene: Scene) -> bool:
    """Take rows out, correct one, or put some in."""
    rows = dict(zip(scene.labels, scene.values, strict=True))
    if asked.removes:
        gone = _gone(asked, scene)
        rows, done = {label: value for label, value in rows.items() if label not in gone}, bool(gone)
    elif row := _corrected(asked.reading, scene):
        rows, done = rows | row, True
    else:
        rows, done = _filled(asked, scene)
    scene.sample = scene.sample and (asked.removes or not done)
    scene.labels, scene.values = list(rows)[:MAX_PARTS], list(rows.values())[:MAX_PARTS]
    return done


def _gone(asked: Asked, scene: Scene) -> list[str]:
    """The rows that are to go: named, counted, or all."""
    places = called(asked.reading.text, scene.labels) or asked.place(len(scene.labels))
    places = places or [*range(len(scene.labels))] * asked.does("all")
    return [scene.labels[n] for n in places]


def _filled(asked: Asked, scene: Scene) -> tuple[dict[str, float], bool]:
    """The rows with those that are given: a known name gets its number, numbers alone take the places of the others."""
    rows, (named, bare) = dict(zip(scene.labels, scene.values, strict=True)), told(asked.reading)
    if named:
        fresh = {_known_as(label, scene): value for label, value in named}
        new = len(fresh) > 1 and fresh.keys().isdisjoint(rows)
        anew = scene.sample or (new and (asked.does("swap") or scene.labels == _letters(len(rows))))
        return (fresh if anew else rows | fresh), True
    if len(bare) > 1:
        known = scene.labels if len(bare) == len(scene.labels) else _letters(len(bare))
        return dict(zip(known, bare, strict=True)), True
    return rows, False


def _known_as(label: str, scene: Scene) -> str:
    """The name of the row that a name means, else that name."""
    return next((scene.labels[n] for n in called(label, scene.labels)), label)


def _letters(many: int) -> list[str]:
    return [chr(ord("A") + n) for n in range(many)]


def _corrected(reading: Reading, scene: Scene) -> dict[str, float]:
    """The row that gets the only new number: the one named, else the one that has the wrong one ("13, not 12")."""
    new, old = _new_and_old(reading, scene.labels)
    meant = called(reading.text, scene.labels) or [n for n, value in enumerate(scene.values) if value in old]
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


def _totalled(asked: Asked, scene: Scene) -> bool:
    """A row with the total, or none: "sort by the sum" asks for neither."""
    total = any(cue.means == "total" for cue in asked.rest.all("part"))
    wanted = total and (_adds(asked) or not asked.rest.has("order"))
    scene.total = not asked.removes if wanted else scene.total
    return wanted


def _ordered(reading: Reading, scene: Scene) -> bool:
    """Put the rows in order: by their numbers, the smallest first unless the greatest shall be, or by their names."""
    asked = {cue.means for cue in reading.all("order")}
    rows = list(zip(scene.labels, scene.values, strict=True))
    if asked and asked != {"name"}:
        rows.sort(key=lambda row: row[0].lower() if "name" in asked else row[1], reverse="down" in asked)
        scene.labels, scene.values = [row[0] for row in rows], [row[1] for row in rows]
    return bool(asked) and asked != {"name"}


def _restyled(reading: Reading, scene: Scene) -> bool:
    """Another form, colour or size of a chart or a sheet; of a row alone neither has one."""
    forms = _forms(reading) * (scene.kind == "chart")
    colors, sizes = _apart(reading, "color"), _apart(reading, "size")
    scene.chart = [*forms, scene.chart][0]
    if colors:
        scene.color, scene.tints = colors[-1].means, {}
    if sizes:  # the last: "it is too small, make it bigger"
        grows = "scale" if scene.kind == "chart" else "font"
        setattr(scene, grows, _grown(getattr(scene, grows), sizes[-1]))
    return bool(forms or colors or sizes)


def _forms(reading: Reading) -> list[str]:
    """The forms of chart that a request names; "make it a line" names one, too."""
    drawn = {cue.means for cue in reading.all("part")}
    drawn |= {"trend" for cue in reading.all("shape") if cue.means == "line"}
    drawn |= {"bar" for role in Asked(reading).outside() if "form" in role}
    return [part for part in ("pie", "trend", "flat", "bar") if part in drawn]


def _change_paper(asked: Asked, scene: Scene) -> bool:
    """Change a document, a PDF or slides: its text, or the chart and the shapes in it."""
    parts, acts = means(asked.rest, "part"), means(asked.rest, "act")
    if "chart" in means(asked.rest, "kind") and _adds(asked):
        plot(asked.rest, scene)
        return True
    if "shorten" in acts and not parts:
        return shortened(scene)
    steps = (_drawn, _renamed_section, change_text)
    if any(step(asked, scene) for step in steps):
        return True
    return "author" in parts or (bool(scene.shapes) and _change_shapes(asked, scene))


def _drawn(asked: Asked, scene: Scene) -> bool:
    """Take shapes out of a paper or draw some in it; a line of text is none."""
    draws = asked.removes or (_adds(asked) and not asked.given)
    return draws and bool(shapes(asked.rest)) and _change_shapes(asked, scene)


def _renamed_section(asked: Asked, scene: Scene) -> bool:
    """Another name of a heading: the old one is named or counted."""
    heads = [n for n, text in enumerate(scene.paragraphs) if text.startswith("# ")]
    if not heads or not asked.given or not asked.does("call", "swap", "set") or asked.does("title", "text"):
        return False
    names = [scene.paragraphs[n][2:] for n in heads]
    done = _recalled(asked, names)
    for n, name in zip(heads, names, strict=True):
        scene.paragraphs[n] = f"# {name}"
    return done
