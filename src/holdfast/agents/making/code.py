"""The program that makes a scene with a library (`programs.txt`), with nothing in it but plain values."""

from __future__ import annotations

import math
import re
from collections.abc import Iterator
from functools import cache
from html import escape
from importlib.resources import files
from itertools import groupby
from typing import Any

import msgspec

from holdfast.agents.making.scenes import PAPERS, Scene, Shape

FONT = "DejaVuSans.ttf"
"""A font with the letters of many languages."""
CANVAS, BAND = (400, 300), 110
"""The size of a picture, and how high the strip of shapes at the top of a paper is."""
MILLIMETRES, INCHES = 0.45, 0.02
"""What a point of the strip is on a page and on a slide."""
COLORS = dict(
    pair.split("=")
    for pair in (
        "red=FF0000 blue=0000FF green=008000 yellow=FFFF00 orange=FFA500 purple=800080 black=000000 white=FFFFFF "
        "pink=FFC0CB gray=808080 brown=A52A2A gold=FFD700 darkred=8B0000 darkblue=00008B darkgreen=006400 "
        "darkgoldenrod=B8860B darkorange=FF8C00 indigo=4B0082 deeppink=FF1493 dimgray=696969 saddlebrown=8B4513 "
        "lightcoral=F08080 lightblue=ADD8E6 lightgreen=90EE90 lightyellow=FFFFE0 sandybrown=F4A460 plum=DDA0DD "
        "lightpink=FFB6C1 lightgrey=D3D3D3 tan=D2B48C khaki=F0E68C"
    ).split()
)
"""Colours that all libraries know by these names."""
TONES = {
    **{"dark yellow": "darkgoldenrod", "dark gold": "darkgoldenrod", "dark purple": "indigo", "dark pink": "deeppink"},
    **{"dark gray": "dimgray", "dark brown": "saddlebrown", "dark white": "lightgrey", "dark black": "black"},
    **{"light red": "lightcoral", "light orange": "sandybrown", "light purple": "plum", "light gray": "lightgrey"},
    **{"light brown": "tan", "light gold": "khaki", "light black": "dimgray", "light white": "white"},
}
"""What dark and light colours are called, where that is not one word of the two."""
DEFAULT = "#1f77b4"
"""What a chart has where no colour is said."""
_STAR = [(tip % 2, math.pi * tip / 5 - math.pi / 2) for tip in range(10)]
CORNERS = {
    "triangle": [(0.0, -1.0), (1.0, 1.0), (-1.0, 1.0)],
    "star": [((1 - 0.6 * inner) * math.cos(turn), (1 - 0.6 * inner) * math.sin(turn)) for inner, turn in _STAR],
}
"""The corners of shapes that are no boxes, around their middle."""
BOXES = {"rectangle": (1.5, 0.8), "line": (1.8, 0.06), "ellipse": (1.5, 1.0)}
"""How wide and high the others are, where that is not the same."""
OFFICE = {"triangle": "ISOSCELES_TRIANGLE", "star": "STAR_5_POINT", "circle": "OVAL", "ellipse": "OVAL"}
PLACES = {"left": (70, None), "right": (CANVAS[0] - 70, None), "top": (None, 50), "bottom": (None, -50)}
STYLES = {"Title": ("Title", 28, 22), "Heading 1": ("Heading1", 14, 16), "Normal": ("BodyText", 11, 12)}
"""Styles of text: what they are called in a PDF, and how many points their type has in a document and in a PDF."""
MAX_SHEET_NAME_CHARS = 31
_BARRED = re.compile(r"[\[\]:*?/\\]")
_LATIN = frozenset(bytes(range(32, 256)).decode("latin-1"))


def code(scene: Scene) -> str:
    """The program that writes the file of a scene."""
    scene = _tinted(scene)
    fields = msgspec.structs.asdict(scene) | _look(scene) | _measures(scene) | _table(scene) | _paper(scene)
    return "\n".join(_said(_programs()[f"{scene.kind} {scene.library}"], fields)) + "\n"


def beside(scene: Scene) -> tuple[str, ...]:
    """Libraries that a scene needs beside its own: pictures of a paper are drawn before they are set in, and matplotlib
    also brings the fonts."""
    plotted = font_file(scene) is not None or (scene.kind in PAPERS and bool(scene.labels) and scene.chart != "table")
    drawn = scene.kind == "document" and bool(scene.shapes)
    return (*(("Pillow",) if drawn else ()), *(("matplotlib",) if plotted else ()))


def font_file(scene: Scene) -> str | None:
    """The font that must lie beside the program of a scene, for letters that its library does not bring."""
    return FONT if (scene.library == "Pillow" or scene.kind == "pdf") and _wide(scene) else None


def _wide(scene: Scene) -> bool:
    return not _LATIN.issuperset(
        " ".join((scene.title, scene.author, scene.caption, *scene.paragraphs, *scene.labels, *scene.columns))
    )


@cache
def _programs() -> dict[str, list[str]]:
    """The programs by kind and library, with the parts that they share put in."""
    _, *sections = (files("holdfast.agents.making") / "programs.txt").read_text("utf-8").split("\n=== ")
    parts = {name: lines.strip("\n").split("\n") for name, _, lines in (one.partition("\n") for one in sections)}

    def whole(line: str) -> list[str]:
        marks, shared, name = line.rpartition("%")
        if not shared or name not in parts:
            return [line]
        return [marks + inner for part in parts[name] for inner in whole(part)]

    return {name: [inner for line in lines for inner in whole(line)] for name, lines in parts.items()}


def _said(lines: list[str], fields: dict[str, Any]) -> Iterator[str]:
    """The lines of a program for what a scene has: those under a mark for each of the things that it names."""
    for mark, group in groupby(lines, lambda line: line.split(" ")[0] if line.startswith("@") else ""):
        if not mark:
            yield from (line.format(**fields) for line in group)
            continue
        marked, held = [line[len(mark) + 1 :] for line in group], fields[mark[1:]]
        for each in held if isinstance(held, list) else [{}] * bool(held):
            yield from _said(marked, fields | each)


def _tinted(scene: Scene) -> Scene:
    """A scene with its colours under the names that the libraries know."""

    def known(color: str) -> str:
        return TONES.get(color, color.replace(" ", ""))

    replace = msgspec.structs.replace
    worn: dict[str, Any] = {
        name: known(getattr(scene, name)) for name in ("color", "background", "title_color", "text_color")
    }
    worn["tints"] = {label: known(color) for label, color in scene.tints.items()}
    return replace(scene, shapes=[replace(one, color=known(one.color)) for one in scene.shapes], **worn)


def _look(scene: Scene) -> dict[str, Any]:
    shades = _shades(scene)
    marked: str | list[str] = [scene.tints.get(label, scene.color or DEFAULT) for label in scene.labels]
    marked = marked if scene.tints and scene.chart in ("bar", "flat") else scene.color
    return {
        "pie": scene.chart == "pie",
        "trend": scene.chart == "trend",
        "bar": scene.chart == "bar",
        "flat": scene.chart == "flat",
        "colored": f", color={marked!r}" if marked else "",
        "marked": marked,
        "colors": f", colors={shades}" if shades else "",
        "shades": shades,
        "painted": bool(scene.title_color or scene.text_color),
        "title_color": scene.title_color or "black",
        "title_rgb": _rgb(scene.title_color),
        "text_rgb": _rgb(scene.text_color),
        "header": "FF" + COLORS.get(scene.color or scene.title_color, "000000"),
        "white": scene.background == "white",
        "shaded": scene.background != "white",
        "background_rgb": _rgb(scene.background),
        "background_hex": COLORS[scene.background],
    }


def _measures(scene: Scene) -> dict[str, Any]:
    points = {"matplotlib": 10, "seaborn": 10, "openpyxl": 11, "pandas": 11}.get(scene.library, 12)
    return {
        "grown": scene.font != 1,
        "lettered": bool(scene.title_color or scene.text_color) or scene.font != 1,
        "small": round(points * scene.font),
        "title_points": round(40 * scene.font),
        "body_points": round(20 * scene.font),
        "column": round(13 * scene.font),
        "wide": _wide(scene),
        "plain": not _wide(scene),
        "font_file": FONT,
        "typeface": "DejaVu" if _wide(scene) else "Helvetica",
        "canvas": CANVAS,
        "band": BAND,
        "scaled": scene.scale != 1,
        "inches": (round(4 * scene.scale, 1), round(3 * scene.scale, 1)),
        "pixels": tuple(round(side * scene.scale) for side in CANVAS),
        "page": f"width={round(700 * scene.scale)}, height={round(450 * scene.scale)}",
    }


def _table(scene: Scene) -> dict[str, Any]:
    rows: list[list[Any]] = [[label, value] for label, value in zip(scene.labels, scene.values, strict=True)]
    total = [["Total", sum(scene.values)]] if scene.total else []
    return {
        "charted": bool(rows) and scene.chart != "table",
        "tabled": bool(rows) and scene.chart == "table",
        "table": [scene.columns] * bool(scene.columns) + [[label, f"{value:g}"] for label, value in rows + total],
        "columns": scene.columns or ["Item", "Value"],
        "rows": [{"row": row} for row in rows],
        "rows_of": rows,
        "last": len(rows) + 1,
        "csv": scene.file.endswith(".csv"),
        "book": not scene.file.endswith(".csv"),
        "sheet": _BARRED.sub(" ", scene.title)[:MAX_SHEET_NAME_CHARS].strip() or "Sheet",
    }


def _paper(scene: Scene) -> dict[str, Any]:
    told = [paragraph.removeprefix("# ") for paragraph in scene.paragraphs]
    told += [f"{label}: {value:g}" for label, value in zip(scene.labels, scene.values, strict=True)]
    return {
        "shapes": bool(scene.shapes),
        "marks": _marks(scene, CANVAS[1]),
        "band_marks": _marks(scene, BAND),
        "drawings": [_mark(one, (50, 50), min(48, int(40 * one.size))) | {"count": one.count} for one in scene.shapes],
        "styles": [_style(scene, style) for style in STYLES],
        "blocks": _blocks(scene),
        "slides": _slides(scene),
        "plain_text": "\n".join([*([scene.title, ""] if scene.title else []), *told]) + "\n",
    }


def _rgb(color: str) -> tuple[int, ...]:
    return tuple(bytes.fromhex(COLORS.get(color, "000000")))


def _shades(scene: Scene) -> list[str]:
    """The colours of the slices of a pie: one colour in so many steps towards white, and those that have their own."""
    if not (scene.color or scene.tints):
        return []
    shades = [
        _paler(scene.color, n / len(scene.labels)) if scene.color else f"C{n % 10}" for n in range(len(scene.labels))
    ]
    own = ["#" + COLORS[scene.tints[label]] if label in scene.tints else "" for label in scene.labels]
    return [one or shade for one, shade in zip(own, shades, strict=True)]


def _paler(color: str, step: float) -> str:
    return "#" + "".join(f"{round(part + (255 - part) * 0.7 * step):02x}" for part in _rgb(color))


def _style(scene: Scene, style: str) -> dict[str, Any]:
    """A style of text, with its names and size in documents and PDFs."""
    key, *points = STYLES[style]
    size = round(points[scene.kind == "pdf"] * scene.font)
    color = scene.title_color if style != "Normal" else scene.text_color
    face = "DejaVu" if _wide(scene) else "Helvetica"
    known = {"style": style, "key": key, "points": size, "line": size // 2 + 2, "face": face}
    return known | {"color": color or "black", "rgb": _rgb(color)}


def _blocks(scene: Scene) -> list[dict[str, Any]]:
    """The text of a paper, piece by piece; `markup` is the same without signs that stand for something else."""
    told = [*([("Title", scene.title)] if scene.title else []), *([("Normal", scene.author)] if scene.author else [])]
    told += [("Heading 1", text[2:]) if text.startswith("# ") else ("Normal", text) for text in scene.paragraphs]
    return [_style(scene, style) | {"text": text, "markup": escape(text, quote=False)} for style, text in told]


def _slides(scene: Scene) -> list[dict[str, str]]:
    """The slides after the first: a heading begins one, and so does text that has none."""
    slides: list[tuple[str, list[str]]] = [(scene.title, [])]
    for paragraph in scene.paragraphs:
        if paragraph.startswith("# "):
            slides.append((paragraph[2:], []))
        else:
            slides[-1][1].append(paragraph)
    told = slides if slides[0][1] else slides[1:]
    return [{"heading": heading, "body": "\n".join(points)} for heading, points in told]


def _marks(scene: Scene, bottom: int) -> list[dict[str, Any]]:
    """The shapes of a scene: at the place that was asked for, else in rows."""
    single = [shape for shape in scene.shapes for _ in range(shape.count)]
    columns = min(4, max(1, sum(not shape.place for shape in single)))
    rows = max(1, -(-sum(not shape.place for shape in single) // columns))
    found, taken = [], dict[str, int]()
    for shape in single:
        index = taken[shape.place] = taken.get(shape.place, -1) + 1
        if shape.place:
            at, room = _placed(shape.place, index, bottom), 120.0
        else:
            at = int((index % columns + 0.5) * CANVAS[0] / columns), int((index // columns + 0.5) * bottom / rows)
            room = min(CANVAS[0] / columns, bottom / rows)
        found.append(_mark(shape, at, max(4, int(room * 0.32 * shape.size))))
    return found


def _placed(place: str, index: int, bottom: int) -> tuple[int, int]:
    """Where the next shape at a place stands: the first in its middle, others by turns on both sides of it."""
    x, y = PLACES.get(place, (None, None))
    step = (index + 1) // 2 * (80 if index % 2 else -80)
    if x is not None:
        return x, bottom // 2 + step
    return CANVAS[0] // 2 + step, bottom // 2 if y is None else y % bottom


def _mark(shape: Shape, at: tuple[int, int], r: int) -> dict[str, Any]:
    """One shape at its place, as the libraries want to be told of it."""
    (x, y), oval = at, shape.form in ("circle", "ellipse")
    across, high = (round(r * side) for side in BOXES.get(shape.form, (1.0, 1.0)))
    left, up, right, down = box = (x - across, y - high, x + across, y + high)
    around = [(round(x + r * a), round(y + r * b)) for a, b in CORNERS.get(shape.form, ())]
    corners = around or [(left, up), (right, up), (right, down), (left, down)]
    a, b, c, d = (round(side * MILLIMETRES) for side in box)
    sides = (left * INCHES + 1, up * INCHES + 0.2, 2 * across * INCHES, 2 * high * INCHES)
    return {
        **{"color": shape.color, "rgb": _rgb(shape.color), "oval": oval, "angular": not oval, "middle": at, "box": box},
        **{"corners": corners, "across": 2 * across, "high": 2 * high, "lifted": f"{x}, {BAND - y}"},
        "upwards": [side for x, y in corners for side in (x, BAND - y)],
        "millimetres": [(round(x * MILLIMETRES) + 10, round(y * MILLIMETRES) + 10) for x, y in corners],
        "millimetres_box": f"{a + 10}, {b + 10}, {c - a}, {d - b}",
        "office": OFFICE.get(shape.form, "RECTANGLE"),
        "inches_box": ", ".join(f"Inches({side:.2f})" for side in sides),
    }


CAN: dict[str, tuple[str, ...]] = {
    "image": ("Pillow", "matplotlib"),
    "chart": ("matplotlib", "seaborn", "plotly"),
    "sheet": ("openpyxl", "pandas"),
    "document": ("python-docx",),
    "pdf": ("reportlab", "fpdf"),
    "slides": ("python-pptx",),
    "text": ("Python",),
}
"""Libraries that each kind can be made with; the first is taken where nothing else decides."""
MODULES = {"Python": ("pathlib",), "Pillow": ("PIL",), "python-docx": ("docx",), "python-pptx": ("pptx",)} | {
    "seaborn": ("seaborn", "matplotlib"),
    "pandas": ("pandas", "openpyxl"),
}
"""What is imported for a library, where that is not its name alone."""
WRITES = {"plotly": "html"}
"""The type of file of a library that cannot write that of its kind."""
