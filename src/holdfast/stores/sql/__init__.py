"""Numbered migrations, one folder per kind of database. A step, once released, is never changed; a new one is added.
What stands beside the numbered steps (`functions.sql`) is put in place after them, and replaces what was there."""

from __future__ import annotations

import os
from functools import cache


@cache
def read_steps(kind: str, numbered: bool = True) -> tuple[str, ...]:
    """The migrations of a kind of database, in order; or what is put in place after them."""
    folder = os.path.join(os.path.dirname(__file__), kind)
    steps = []
    for name in sorted(os.listdir(folder)):
        if name.endswith(".sql") and name[0].isdigit() == numbered:
            with open(os.path.join(folder, name), encoding="utf-8") as file:
                steps.append(file.read())
    return tuple(steps)
