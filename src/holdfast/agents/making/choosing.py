"""Which file a part of a request means: by its name, its format, its form, or by what it holds."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from holdfast.agents.making.asked import Asked
from holdfast.agents.making.rows import called
from holdfast.agents.making.scenes import PAPERS, Scene, means
from holdfast.faculties.facts.wishes import stems

NAME, KIND, PART, AT_HAND = 9, 4, 2, 1
"""What a name, a format or form, and a thing that a file holds count for it, and that it is at hand."""


def meant(asked: Asked, scenes: Sequence[Scene], at_hand: Scene | None = None) -> Scene | None:
    """The file that is named, of equals the one at hand, else the newest; none where nothing names any."""
    points = [_points(asked, scene) for scene in scenes]
    if max(points, default=0) < PART:
        return None
    counted = [n + AT_HAND * (scene is at_hand) for n, scene in zip(points, scenes, strict=True)]
    return scenes[counted.index(max(counted))]


def spared(asked: Asked, scenes: Sequence[Scene]) -> Scene | None:
    """The file that shall stay as it is: "leave the pdf", "а ворд не трогай"."""
    return meant(asked, scenes) if asked.does("leave") else None


def _points(asked: Asked, scene: Scene) -> int:
    said, stem = asked.rest, Path(scene.file).stem
    named = scene.file.lower() in said.folded or stem.lower() in [word for word in said.folded.split() if len(word) > 2]
    kinds = means(said, "kind")
    fits = scene.kind in kinds or (kinds == {"image"} and scene.file.endswith(".png"))
    drawn = scene.kind in PAPERS and bool(scene.labels) and "chart" in kinds
    forms = means(said, "part") | ({"bar"} if asked.does("form") else set())
    shape = scene.kind == "chart" and scene.chart in forms
    return NAME * named + KIND * (fits + shape) + (scene.kind in kinds) + PART * (drawn + _holds(asked, scene))


def _holds(asked: Asked, scene: Scene) -> int:
    """How many kinds of things of a file are spoken of: rows, shapes, words of its name and title."""
    forms = {shape.form for shape in scene.shapes}
    shown = any(cue.means in forms for cue in asked.rest.all("shape"))
    words = stems(asked.rest.reader.read(f"{Path(scene.file).stem.replace('_', ' ')} {scene.title}"))
    return bool(called(asked.rest.text, scene.labels)) + shown + bool(words & stems(asked.rest))
