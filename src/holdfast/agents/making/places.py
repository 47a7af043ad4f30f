"""Where the shapes of a scene stand: at the place that was asked for, else in rows."""

from __future__ import annotations

import math
from typing import NamedTuple

from holdfast.agents.making.scenes import Scene

WIDTH, HEIGHT = 400, 300


class Mark(NamedTuple):
    """One shape at its place."""

    form: str
    color: str
    x: int
    y: int
    r: int


def marks(scene: Scene, bottom: int = HEIGHT) -> list[Mark]:
    single = [shape for shape in scene.shapes for _ in range(shape.count)]
    free = [shape for shape in single if not shape.place]
    found: list[Mark] = []
    taken: dict[str, int] = {}
    columns = min(4, max(1, len(free)))
    rows = max(1, -(-len(free) // columns))
    for shape in single:
        if shape.place:
            place = taken.get(shape.place, 0)
            x, y = _corner(shape.place, place, bottom)
            taken[shape.place] = place + 1
        else:
            index = taken.get("", 0)
            x = int((index % columns + 0.5) * WIDTH / columns)
            y = int((index // columns + 0.5) * bottom / rows)
            taken[""] = index + 1
        room = min(WIDTH / columns, bottom / rows) if not shape.place else 120
        found.append(Mark(shape.form, shape.color, x, y, max(4, int(room * 0.32 * shape.size))))
    return found


def _corner(place: str, index: int, bottom: int) -> tuple[int, int]:
    x, y = {
        "left": (70, bottom // 2),
        "right": (WIDTH - 70, bottom // 2),
        "top": (WIDTH // 2, 50),
        "bottom": (WIDTH // 2, bottom - 50),
    }.get(place, (WIDTH // 2, bottom // 2))
    step = (index + 1) // 2 * (80 if index % 2 else -80)
    return (x, y + step) if place in ("left", "right") else (x + step, y)


def corners(mark: Mark) -> list[tuple[int, int]]:
    x, y, r = mark.x, mark.y, mark.r
    if mark.form == "triangle":
        return [(x, y - r), (x + r, y + r), (x - r, y + r)]
    if mark.form == "star":
        points = []
        for tip in range(10):
            reach = r if tip % 2 == 0 else r * 0.4
            angle = math.pi * tip / 5 - math.pi / 2
            points.append((round(x + reach * math.cos(angle)), round(y + reach * math.sin(angle))))
        return points
    wide, high = {"rectangle": (1.5, 0.8), "line": (1.8, 0.06)}.get(mark.form, (1.0, 1.0))
    left, right, up, down = round(x - r * wide), round(x + r * wide), round(y - r * high), round(y + r * high)
    return [(left, up), (right, up), (right, down), (left, down)]


def box(mark: Mark) -> tuple[int, int, int, int]:
    wide = round(mark.r * 1.5) if mark.form == "ellipse" else mark.r
    return mark.x - wide, mark.y - mark.r, mark.x + wide, mark.y + mark.r
