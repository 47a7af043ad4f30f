"""Writes docs/faculties.md from the code: every ability, what it is for, and which packs have it.

python tools/list_faculties.py
"""

from __future__ import annotations

import inspect
import pkgutil
from collections.abc import Iterator
from importlib import import_module
from pathlib import Path

import holdfast.faculties
from holdfast import pack as packs
from holdfast.faculty import Faculty

PAGE = Path(__file__).parents[1] / "docs" / "faculties.md"
HEAD = """# Abilities

A pack is a list of these; what each remembers is `chat.state.<name>`. One that no built-in pack has is there for packs
of your own ([how to write one](packs.md)). Written by `tools/list_faculties.py`.

| name | import | what it is for | packs |
|---|---|---|---|
"""


def faculties() -> Iterator[tuple[str, type[Faculty], str]]:
    """Every faculty with where it is imported from and the first sentences of its file."""
    for found in pkgutil.walk_packages(holdfast.faculties.__path__, "holdfast.faculties."):
        module = import_module(found.name)
        for kind in vars(module).values():
            if inspect.isclass(kind) and issubclass(kind, Faculty) and hasattr(kind, "name"):
                if kind.__module__ != found.name:
                    continue
                about = " ".join((module.__doc__ or "").split("\n\n")[0].split())
                yield found.name.removesuffix(".faculty"), kind, about


def page() -> str:
    loaded = [packs.load(name) for name in packs.installed()]
    rows = []
    for place, kind, about in sorted(faculties(), key=lambda row: row[1].name):
        used = [f"`{pack.name}`" for pack in loaded if any(type(faculty) is kind for faculty in pack.faculties)]
        rows.append(f"| `{kind.name}` | `{place}.{kind.__name__}` | {about} | {', '.join(used) or '–'} |")
    return HEAD + "\n".join(rows) + "\n"


if __name__ == "__main__":
    PAGE.write_text(page(), encoding="utf-8")
    print(f"{PAGE.name}: {page().count(chr(10)) - HEAD.count(chr(10))} abilities")
