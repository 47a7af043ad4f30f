"""The house stays easy to live in: small functions, modules that fit a sitting, and no error swallowed unseen."""

from __future__ import annotations

import ast
import sys
from collections.abc import Iterator
from types import FrameType

from holdfast import Holdfast
from holdfast.reading.model.clauses import list_features
from tests.source import SOURCE, nodes, texts

GUESTS = {
    "adapters/adk.py",  # ADK: what happens to our reading costs nobody a message
    "cli/__init__.py",  # the door of the command line
    "cli/checking.py",  # packs of others
    "models/consult.py",  # a model
    "pack.py",  # tables and pack files of others
    "packs/grace/face.py",  # sources that a caller brings
    "packs/nxtscape/face.py",  # a classifier that a caller brings
    "reading/encoder.py",  # onnxruntime and its files
    "server/api/talk.py",  # an agent
    "server/app.py",  # the door of the server
    "turn.py",  # faculties and tokenizers of others
}
"""Where somebody else's code runs, or a fault must not reach the program of whoever called: see `guests.py`."""

COMPLEX = 0.04
"""Share of the functions whose cyclomatic number may be over ten; none may be over twenty."""


def broad(handler: ast.ExceptHandler) -> bool:
    kinds = handler.type.elts if isinstance(handler.type, ast.Tuple) else [handler.type]
    return any(kind is None or getattr(kind, "id", "") in ("Exception", "BaseException") for kind in kinds)


def suppresses(call: ast.Call) -> bool:
    name = getattr(call.func, "id", "") or getattr(call.func, "attr", "")
    return name == "suppress" and any(getattr(kind, "id", "") in ("Exception", "BaseException") for kind in call.args)


def test_every_error_is_caught_in_two_places_only() -> None:
    found = {
        name
        for name, found in nodes().items()
        for node in found
        if (isinstance(node, ast.ExceptHandler) and broad(node)) or (isinstance(node, ast.Call) and suppresses(node))
    }
    # A fold is run for every event of every log, so it goes without the context manager of guests.py.
    assert found == {"state.py"}


def test_errors_of_others_are_contained_where_their_code_runs() -> None:
    users = {
        name
        for name, found in nodes().items()
        if any(isinstance(node, ast.Name) and node.id == "Contained" for node in found)
    }
    assert users == GUESTS


BRANCHES = (
    ast.If,
    ast.IfExp,
    ast.For,
    ast.AsyncFor,
    ast.While,
    ast.ExceptHandler,
    ast.Assert,
    ast.comprehension,
    ast.match_case,
)


def own_nodes(function: ast.AST) -> Iterator[ast.AST]:
    """The nodes of a function without those of functions inside it."""
    for node in ast.iter_child_nodes(function):
        yield node
        if not isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)):
            yield from own_nodes(node)


def cyclomatic_number(function: ast.AST) -> int:
    """One, one more for every branch, loop and condition of a comprehension, and one for every `and` and `or`: stricter
    than the linter, which does not count within expressions."""
    number = 1
    for node in own_nodes(function):
        if isinstance(node, ast.BoolOp):
            number += len(node.values) - 1
        elif isinstance(node, BRANCHES):
            number += 1 + len(getattr(node, "ifs", ()))
    return number


def test_few_functions_are_complex() -> None:
    numbers = {
        f"{name}:{node.lineno} {node.name}": cyclomatic_number(node)
        for name, found in nodes().items()
        for node in found
        if isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef))
    }
    over_ten = sorted((number, where) for where, number in numbers.items() if number > 10)
    over_twenty = [where for number, where in over_ten if number > 20]
    assert len(over_ten) / len(numbers) <= COMPLEX, over_ten
    assert not over_twenty


def test_the_linter_excuses_no_function_from_its_own_count() -> None:
    assert "C901" not in (SOURCE.parents[1] / "pyproject.toml").read_text(encoding="utf-8").partition("per-file")[2]


def test_no_module_has_more_than_900_lines() -> None:
    assert [name for name, text in texts().items() if len(text.splitlines()) > 900] == []


def test_no_constant_is_called_most_or_longest() -> None:
    """What a constant bounds is its name: MAX_CLAUSE_CHARS, not LONGEST."""
    riddles = {"MOST", "LONGEST", "SHORTEST", "LEAST", "ENOUGH", "FEW", "MANY", "LONG", "SHORT", "NEAR", "FAR"}
    found = [
        f"{name}:{node.lineno} {node.id}"
        for name, found in nodes().items()
        for node in found
        if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store) and node.id in riddles
    ]
    assert len(found) <= RIDDLES, found


RIDDLES = 13
"""How many such constants are left. Only ever lower it."""


WALK = {"files": 39, "functions": 340}
"""How far one message goes through the house. Only ever lower it; the goal is 15 files and 120 functions."""


def test_one_message_walks_a_short_way() -> None:
    """A message that picks from a list and tells something lasting: every file and named function that it passes."""
    list_features()  # as in a process that has read many messages, whatever ran before this test
    hf = Holdfast(pack="vibehuntr")
    before_it = hf.session("before", user="v")  # what is made once is made now
    said_before = "thai food in Austin", "the first one, and I always drink tea", "I never eat onions", "no, the other"
    for said in (*said_before, "the second one"):
        before_it.say("1. **Odessa** on Main Street\n2. **Kumo**\nWhich one?")
        before_it.hear(said)
    chat = hf.session("walk", user="u")
    chat.hear("italian places in Boston")
    chat.say("1. **Osteria** on Broad Street\n2. **Vedge** in Center City\n3. **Zahav**\nWhich one?")
    passed: set[tuple[str, str]] = set()

    def step(frame: FrameType, event: str, _: object) -> None:
        name = frame.f_code.co_qualname
        if event == "call" and frame.f_code.co_filename.startswith(str(SOURCE)) and not name.endswith(">"):
            passed.add((frame.f_code.co_filename, name))

    before = sys.getprofile()
    sys.setprofile(step)
    try:
        chat.hear("the second one, and I never eat onions")
    finally:
        sys.setprofile(before)
    files = {file for file, _ in passed}
    print(f"one message: {len(files)} files, {len(passed)} functions")
    assert len(files) <= WALK["files"]
    assert len(passed) <= WALK["functions"]
