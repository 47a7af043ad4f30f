"""Nothing steers by the spelling of a pattern's name: code asks what a table declares (`cue.means`, `cue.traits`)."""

from __future__ import annotations

import ast
from collections import Counter
from collections.abc import Iterator

from holdfast.reading.tables import parse
from tests.source import nodes, tables

ROOMS = ("reading", "faculties", "agents", "packs")
"""Where patterns are read; elsewhere an id is that of a session or a tenant."""
SPELLING = {"startswith", "endswith", "partition", "rpartition", "removeprefix", "removesuffix", "split", "find"}
OPAQUE = {"id", "rule", "means", "family"}
"""What may be compared as a whole, and never by a part of it."""

REMAINING = {
    "faculties/facts/slots/view.py": 1,  # whether a slot was filled by an answer
}
"""Places that still do, by file. Only ever take from it."""


def _nodes() -> Iterator[tuple[str, ast.AST]]:
    for name, found in nodes().items():
        if name.split("/")[0] in ROOMS:
            yield from ((name, node) for node in found)


def _opaque(node: ast.expr) -> bool:
    return (isinstance(node, ast.Attribute) and node.attr in OPAQUE) or (
        isinstance(node, ast.Name) and node.id == "rule"
    )


def _by_spelling(node: ast.AST) -> bool:
    if isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute):
        return node.func.attr in SPELLING and _opaque(node.func.value)
    if isinstance(node, ast.Compare) and isinstance(node.ops[0], (ast.In, ast.NotIn)):
        return _opaque(node.comparators[0])
    return False


def test_no_code_looks_at_the_spelling_of_a_pattern_or_a_rule() -> None:
    found = Counter(name for name, node in _nodes() if _by_spelling(node))
    assert dict(found) == REMAINING


def _declared() -> tuple[set[str], set[str]]:
    """Every meaning and every trait that some table declares."""
    means: set[str] = set()
    traits: set[str] = set()
    for table in tables().values():
        for rows in table.values():
            for key in rows if isinstance(rows, dict) else ():
                first, *rest = key.split("__")
                means.add(first)
                traits.update(rest)
    return means, traits


def _asked_for() -> Iterator[tuple[str, str, str]]:
    """What code compares with a declared field: the field, the text, and where."""
    for name, node in _nodes():
        if not isinstance(node, ast.Compare) or len(node.comparators) != 1:
            continue
        sides = (node.left, node.comparators[0])
        for one, other in (sides, sides[::-1]):
            if isinstance(one, ast.Attribute) and one.attr in ("means", "traits"):
                texts = other.elts if isinstance(other, (ast.Tuple, ast.Set)) else [other]
                for text in texts:
                    if isinstance(text, ast.Constant) and isinstance(text.value, str) and text.value:
                        yield one.attr, text.value, f"{name}:{node.lineno}"


def test_whatever_code_asks_for_is_declared_by_a_table() -> None:
    means, traits = _declared()
    asked = list(_asked_for())
    assert len(asked) > 60
    read = {"remark", "unread"}  # an intent says those of itself
    missing = [row for row in asked if row[1] not in (traits if row[0] == "traits" else means | read)]
    assert missing == []


def test_a_key_declares_what_a_pattern_means_and_its_traits() -> None:
    table = parse("t.en.toml", "en", "[states]\nemployer__was__formal = 'i was with'\nname = 'i am'\n")
    first, second = table.patterns
    assert (first.id, first.means, first.traits) == (
        "en.states.employer__was__formal",
        "employer",
        frozenset({"was", "formal"}),
    )
    assert (second.means, second.traits) == ("name", frozenset())
