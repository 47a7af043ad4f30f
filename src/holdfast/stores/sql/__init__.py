"""Numbered migrations, one folder per kind of database. A step, once released, is never changed; a new one is added."""

from __future__ import annotations

import os
from functools import cache


@cache
def read_steps(kind: str) -> tuple[str, ...]:
    """The migrations of a kind of database, in order."""
    folder = os.path.join(os.path.dirname(__file__), kind)
    steps = []
    for name in sorted(os.listdir(folder)):
        if name.endswith(".sql"):
            with open(os.path.join(folder, name), encoding="utf-8") as file:
                steps.append(file.read())
    return tuple(steps)
