"""The words of a language are data: none of them stands in the code that reads or decides, so that one more language is
one more table. What is looked for: letters of an alphabet that only one language uses, and function words where code
compares with them or chooses between them."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterable, Iterator
from typing import Any

import pytest

from tests.source import SOURCE, nodes, tables

ROOMS = ("reading", "faculties", "agents", "packs")

# What may stay, each with its reason.
ALLOWED = {
    "reading/libraries/code.py": {"from": "a word of Python and JavaScript, not of people", "to": "as in to_csv"},
    "reading/pasted.py": dict.fromkeys(("from", "for", "if"), "words of programming languages, not of people"),
    "reading/text.py": {"ё": "a letter that is folded, as accents are", "е": "what it is folded to"},
    "reading/places.py": dict.fromkeys(("from", "to", "of"), "names of a preposition's sense"),
    "reading/mentions.py": dict.fromkeys(("from", "to", "with"), "names of a way's direction and of a property"),
    "reading/replying.py": dict.fromkeys(("from", "to"), "names of what a question asks for"),
    "faculties/facts/claims.py": {"was": "the name of a sign, as in the rows of the corpus"},
    "packs/vibehuntr/heard.py": {"for": "the name of a facet", "with": "the name of a list"},
    "faculties/facts/slots/faculty.py": {"to": "the name of what a question asks for"},
    "faculties/facts/slots/readers.py": dict.fromkeys(("from", "to"), "names of a place's role"),
}

# If code holds none of these, it holds no language: they are in every list of small words.
FUNCTION_WORDS = frozenset(
    "the an and or but not of at by with from to for as if is are was were this that these those my our your me us "
    "because than ing el la los las un una del que por para con pero sino porque como si mi su yo nos".split()
)
_LETTERS = re.compile("[а-яёіїєґáéíóúñ]", re.IGNORECASE)
_PARTS = re.compile(r"[a-z']{2,}")
_NO_WORDS = re.compile(r"\\.|\(\?p<\w+>|%\w+\.\w+%")
_TESTS = ("startswith", "endswith", "removeprefix", "removesuffix", "count", "find", "index", "split", "partition")


def strings(tree: Iterable[ast.AST]) -> Iterator[tuple[int, str, bool]]:
    """The strings of a file without its documentation: line, text, and whether code compares with it or looks it up."""
    documentation = {id(node.value) for node in tree if isinstance(node, ast.Expr)}
    weighed: set[int] = set()
    for node in tree:
        if isinstance(node, ast.Compare):
            weighed |= {id(side) for side in (node.left, *node.comparators)}
        elif isinstance(node, ast.Tuple | ast.List | ast.Set):
            weighed |= {id(part) for part in node.elts}
        elif isinstance(node, ast.Dict):
            weighed |= {id(part) for part in node.keys if part is not None}
        elif isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute) and node.func.attr in _TESTS:
            weighed |= {id(part) for part in node.args}
    for node in tree:
        if isinstance(node, ast.Constant) and isinstance(node.value, str) and id(node) not in documentation:
            yield node.lineno, node.value, id(node) in weighed


def words_in(tree: Iterable[ast.AST]) -> list[tuple[int, str]]:
    """The words of a language that stand in code, with their lines."""
    found = []
    for line, string, weighed in strings(tree):
        text = string.lower()
        said = {text.strip()} if weighed else set()
        if "|" in text and "[context" not in text:  # a choice in an expression, and no instruction for a model
            said |= set(_PARTS.findall(_NO_WORDS.sub(" ", text)))
        if letters := _LETTERS.search(text):
            found.append((line, letters[0]))
        found += [(line, word) for word in sorted(said & FUNCTION_WORDS)]
    return found


def test_no_word_of_a_language_stands_in_code() -> None:
    left = [
        f"{name}:{line} {word}"
        for name, tree in nodes().items()
        if name.split("/")[0] in ROOMS
        for line, word in words_in(tree)
        if word not in ALLOWED.get(name, {})
    ]
    assert not left, "words in code: move them into a table of `words/`, once per language"


@pytest.mark.parametrize("name", ALLOWED)
def test_what_is_allowed_is_still_there(name: str) -> None:
    assert set(ALLOWED[name]) <= {word for _, word in words_in(nodes()[name])}


@pytest.mark.parametrize(
    ("code", "word"),
    [
        ('END = re.compile(r"\\s(?:because|porque)\\s")', "because"),
        ('if first in ("not", "no"): pass', "not"),
        ('if text.startswith("the "): pass', "the"),
        ('SMALL = {"и": 1}', "и"),
        ('OR = frozenset({"or"})', "or"),
        ('if last == "mañana": pass', "ñ"),
        ('WANTED = rf"(?P<value>{x})|\\b(?:with|from)\\b"', "from"),
    ],
)
def test_words_that_creep_back_are_seen(code: str, word: str) -> None:
    assert word in [found for _, found in words_in(tuple(ast.walk(ast.parse(code))))]


@pytest.mark.parametrize(
    "code",
    [
        '"""Says "because" and "потому что"."""',
        'END = Shape(r"\\s%memory.with%\\s|[,;]")',
        'raise PackError(f"the step {id} is in the branch {name}")',
        'PATTERN = re.compile(r"(?P<from>\\d+)|(?P<to>\\w+)")',
    ],
)
def test_documentation_names_and_messages_are_no_words_of_a_language(code: str) -> None:
    assert not words_in(tuple(ast.walk(ast.parse(code))))


def known_to_code() -> tuple[set[str], tuple[str, ...]]:
    """The strings of all code and all plain data, and the beginnings of strings that are put together."""
    whole: set[str] = set()
    begun: set[str] = set()
    for tree in nodes().values():
        whole |= {text for _, text, _ in strings(tree)}
        joined = (node.values[0] for node in tree if isinstance(node, ast.JoinedStr) and node.values)
        begun |= {str(part.value) for part in joined if isinstance(part, ast.Constant) and str(part.value)[-1:] == "_"}
    for path, table in tables().items():
        if path.parent.name == "words":
            whole |= set(said_in(table.get("data", {})))
    return whole, tuple(part for part in begun if part.strip("_"))


def said_in(data: Any) -> Iterator[str]:
    """The words of plain data, where a list may name the families that somebody reads."""
    for value in data.values() if isinstance(data, dict) else ():
        yield from said_in(value)
        if isinstance(value, str):
            yield from value.split()


def test_every_family_of_every_table_is_read_by_code() -> None:
    whole, begun = known_to_code()
    unread = {
        f"{path.name}: {family}"
        for path, table in tables().items()
        if path.parent.name == "words" and path.parent.parent != SOURCE  # those are sentences of receipts
        for family in table.keys() - {"data", "macros"}
        if family not in whole and not family.startswith(begun)
    }
    assert not unread, "no code reads these: take them out of their tables"
