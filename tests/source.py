"""The source of Holdfast as trees, read once per process: for the tests that look at code instead of running it."""

from __future__ import annotations

import ast
import re
import tomllib
from functools import cache
from pathlib import Path
from typing import Any

import holdfast
from holdfast.columns import rows

SOURCE = Path(holdfast.__file__).parent


@cache
def texts() -> dict[str, str]:
    """Every module by its path within the package."""
    return {path.relative_to(SOURCE).as_posix(): path.read_text("utf-8") for path in sorted(SOURCE.rglob("*.py"))}


@cache
def nodes() -> dict[str, tuple[ast.AST, ...]]:
    """All nodes of every module."""
    return {name: tuple(ast.walk(ast.parse(text))) for name, text in texts().items()}


@cache
def tables() -> dict[Path, dict[str, Any]]:
    """Every file of words or data, by its path."""
    found = {path: tomllib.loads(path.read_text("utf-8")) for path in sorted(SOURCE.rglob("*.toml"))}
    for path in sorted(SOURCE.glob("*/**/words/*.tsv")):
        tree = found.setdefault(path, {})
        for id, cells in rows(path):
            family, stands, key = re.split("([/=])", id, maxsplit=1)
            data = family.startswith("data.")
            values = (tree.setdefault("data", {}) if data else tree).setdefault(family, {})
            values[key] = " ".join(cells) if stands == "/" else key
    return found
