"""The house stays as drawn: imports point inward only, and the public names are chosen on purpose."""

from __future__ import annotations

import ast
import subprocess
import sys
from collections.abc import Iterable

import holdfast
from holdfast.packs.general import PACK
from tests.source import nodes

# Innermost first. A file may import from its own room and from rooms before it.
ROOMS = (
    ("errors", "kept", "lookalikes", "columns", "telling"),
    ("accepting", "extras", "guests"),
    ("events", "reading", "stores"),
    ("state",),
    ("faculty",),
    ("pack",),
    ("faculties", "brief", "receipt"),
    ("turn",),
    (
        "logs",
        "history.recall",
        "history.forgetting",
        "history.insights",
        "search.meaning",
        "memory",
        "search",
        "models.claims",
        "models.opinion",
        "models.pending",
    ),
    ("models.consult", "history.rewind"),
    ("shell", "session", "owned"),
    ("aio", "packs", "agents"),
    ("testing", "history", "exchange", "models"),
    ("cli", "adapters", "server"),
)


def _room(module: str) -> int:
    """The place of a module's room: of the module itself where it is named, else of the folder it is in."""
    parts = module.split(".")[1:]
    for name in (".".join(parts[:2]), *parts[:1]):
        for place, names in enumerate(ROOMS):
            if name in names:
                return place
    return len(ROOMS)


def _imports(tree: Iterable[ast.AST]) -> set[str]:
    found: set[str] = set()
    for node in tree:
        if isinstance(node, ast.Import):
            found |= {alias.name for alias in node.names}
        elif isinstance(node, ast.ImportFrom) and node.module:
            found |= {f"{node.module}.{alias.name}" for alias in node.names}
    return {name for name in found if name.startswith("holdfast.")}


def test_imports_point_inward_only() -> None:
    wrong = []
    for path, tree in nodes().items():
        module = f"holdfast.{path.removesuffix('.py').replace('/', '.')}"
        if module == "holdfast.__init__":
            continue
        wrong += [f"{module} imports {name}" for name in _imports(tree) if _room(name) > _room(module)]
    assert not wrong


def test_every_public_name_exists_and_the_list_is_pinned() -> None:
    for name in holdfast.__all__:
        assert getattr(holdfast, name)
    assert sorted(holdfast.__all__) == holdfast.__all__
    assert len(holdfast.__all__) <= 16


def test_importing_holdfast_loads_nothing_heavy_that_a_turn_may_never_need() -> None:
    heavy = "asyncio tomllib sqlite3 importlib.metadata urllib.parse rapidfuzz rich json psycopg holdfast.memory"
    code = f"import sys, holdfast; print(*(name for name in {heavy.split()!r} if name in sys.modules))"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.split() == []


def test_a_first_turn_takes_from_what_is_ready_and_compiles_what_it_needs() -> None:
    PACK.reader.read("I live in Boston")  # whoever comes first in an installation keeps what it made
    heavy = "tomllib importlib.metadata importlib.resources rapidfuzz hashlib asyncio json"
    code = (
        "import sys; from holdfast import Holdfast; hf = Holdfast()\n"
        "hf.session('s', user='u').hear('I live in Boston')\n"
        f"print(*(name for name in {heavy.split()!r} if name in sys.modules))\n"
        "print(sum(one is not None for one in hf.pack.reader._regexps))"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    loaded, compiled = done.stdout.splitlines()
    assert loaded.split() == []
    assert int(compiled) < len(PACK.reader._regexps) / 10
