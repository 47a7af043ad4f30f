"""Which functions of a room change nothing that people would notice.

    python benchmarks/idle.py faculties/facts --pack general --messages 400

Talk of writers kept out of training is played through a pack, then once more for each function of the room with that
function replaced by one that gives nothing (or False, or True), in a process of its own. Printed is what made no
difference, the largest first: such a function earns its place by something else than talk (bad input, erasure, a row
of a document), or not at all. `tests/` says which of the two it is.
"""

from __future__ import annotations

import argparse
import ast
import hashlib
import inspect
import os
import re
from collections.abc import Callable, Iterator
from functools import cached_property
from importlib import import_module
from itertools import islice
from pathlib import Path
from types import FunctionType
from typing import Any, NamedTuple

import msgspec
from training.corpus import HOME, unescape, writers

from holdfast import Holdfast, kept

SOURCE = Path(str(import_module("holdfast").__file__)).parent
KINDS_OF_TALK = {"vibehuntr": "venues", "nxtscape": "errands", "grace": "making", "rv_service_desk": "bench"}
"""By pack: the folder of the corpus whose talk it is meant for; the others are for anybody's."""
MIN_LINES = 4
"""A shorter function is read faster than it is taken out."""
SPREAD = 7
"""Every so many-th talk is played, so that all writers have a part."""
_MARK = re.compile(r"\{[!?~-]?\w+(?:=[^:{}]*)?:([^{}]*)\}")
_SAID = re.compile(r"(?:P [a-z,]+|U): (?P<person>.*)|(?:A|S): (?P<agent>.*)")

Talk = list[tuple[str, str]]


def no(*_: Any, **__: Any) -> bool:
    return False


def yes(*_: Any, **__: Any) -> bool:
    return True


def nothing(*_: Any, **__: Any) -> None:
    return None


def no_items(*_: Any, **__: Any) -> list[Any]:
    return []


def no_words(*_: Any, **__: Any) -> str:
    return ""


def no_set(*_: Any, **__: Any) -> frozenset[Any]:
    return frozenset()


def no_tuple(*_: Any, **__: Any) -> tuple[Any, ...]:
    return ()


def no_steps(*_: Any, **__: Any) -> Iterator[Any]:
    yield from ()


NEUTRAL: dict[str, tuple[Callable[..., Any], ...]] = {
    "bool": (no, yes),
    "str": (no_words,),
    "list": (no_items,),
    "Sequence": (no_items,),
    "tuple": (no_tuple,),
    "frozenset": (no_set,),
    "None": (nothing,),
}
"""By what a function gives: what gives nothing in its place."""


class Place(NamedTuple):
    """A function, and one that gives nothing."""

    file: str
    name: str
    lines: int
    function: FunctionType
    neutral: Callable[..., Any]


def places(room: str) -> Iterator[Place]:
    """The functions of a room, each with all that could stand in its place."""
    found = SOURCE / room
    for path in sorted(found.rglob("*.py")) if found.is_dir() else [found]:
        module = import_module(".".join(("holdfast", *path.relative_to(SOURCE).with_suffix("").parts)))
        for owner, node in _definitions(module, ast.parse(path.read_text(encoding="utf-8"))):
            function, lines = _function(vars(owner).get(node.name)), (node.end_lineno or 0) - node.lineno + 1
            if function is None or function.__code__.co_freevars or lines < MIN_LINES or node.returns is None:
                continue
            for neutral in _neutral(function, ast.unparse(node.returns)):
                yield Place(str(path.relative_to(SOURCE)), node.name, lines, function, neutral)


def _definitions(owner: Any, tree: ast.Module | ast.ClassDef) -> Iterator[tuple[Any, ast.FunctionDef]]:
    for node in tree.body:
        if isinstance(node, ast.FunctionDef) and not node.name.startswith("__"):
            yield owner, node
        elif isinstance(node, ast.ClassDef) and (inner := vars(owner).get(node.name)) is not None:
            yield from _definitions(inner, node)


def _function(found: Any) -> FunctionType | None:
    """The function behind a property, or behind what keeps its results."""
    if isinstance(found, property):
        found = found.fget
    elif isinstance(found, (staticmethod, classmethod)):
        found = found.__func__
    elif isinstance(found, cached_property):
        found = found.func
    found = inspect.unwrap(found) if callable(found) else None
    return found if isinstance(found, FunctionType) else None


def _neutral(function: FunctionType, gives: str) -> tuple[Callable[..., Any], ...]:
    if inspect.isgeneratorfunction(function):
        return (no_steps,)
    head = "None" if gives.endswith("| None") else re.split(r"\W", gives, maxsplit=1)[0]
    return NEUTRAL.get(head, ()) if head != "tuple" or gives.endswith("...]") else ()


def talks(pack: str) -> Iterator[Talk]:
    """Talk that the pack is meant for, by writers kept out of training where there are such."""
    folder = KINDS_OF_TALK.get(pack)
    files = sorted((HOME / folder).glob("[!hr]*.txt")) if folder else [HOME / f"{name}.txt" for name in writers("dev")]
    for path in files:
        talk: Talk = []
        for line in (*path.read_text(encoding="utf-8").splitlines(), "="):
            if line == "=" or line.startswith("## "):
                if talk:
                    yield talk
                talk = []
            elif said := _SAID.match(line):
                who = str(said.lastgroup)
                talk.append((who, unescape(_MARK.sub(r"\1", said[who]))))


def played(pack: str, chosen: list[Talk]) -> list[str]:
    """What came of each message, in short; what is kept of an earlier play is let go first."""
    kept.let_go()
    came: list[str] = []
    for number, talk in enumerate(chosen):
        engine = Holdfast(pack=pack, clock=lambda: float(len(came)))
        chat = engine.session(f"s{number}", user="u")
        for who, text in talk:
            if who == "agent":
                chat.say(text)
                continue
            turn = chat.hear(text)
            events = b"".join(type(event).__name__.encode() + msgspec.json.encode(event) for event in turn.events)
            came.append(hashlib.sha256(events + turn.prompt.encode() + str(turn.route).encode()).hexdigest())
    return came


def without(place: Place, pack: str, chosen: list[Talk], before: list[str]) -> int:
    """The id of a process that plays the talk without a function, and ends with 0 where it comes out the same."""
    child = os.fork()
    if child:
        return child
    same = False
    try:
        function: Any = place.function
        function.__code__, function.__defaults__, function.__kwdefaults__ = place.neutral.__code__, None, None
        same = played(pack, chosen) == before
    finally:
        os._exit(0 if same else 1)


def idle(found: list[Place], pack: str, chosen: list[Talk], before: list[str]) -> Iterator[Place]:
    """Those of some functions without which the talk comes out the same; as many at once as there are processors."""
    left, waiting = iter(found), dict[int, Place]()
    while True:
        for place in islice(left, (os.cpu_count() or 1) - len(waiting)):
            waiting[without(place, pack, chosen, before)] = place
        if not waiting:
            return
        child, status = os.wait()
        place = waiting.pop(child)
        if status == 0:
            yield place


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("room", help="a folder or file of the source: faculties/facts")
    parser.add_argument("--pack", default="general")
    parser.add_argument("--messages", type=int, default=400)
    given = parser.parse_args()
    chosen: list[Talk] = []
    for talk in islice(talks(given.pack), 0, None, SPREAD):
        if sum(who == "person" for one in chosen for who, _ in one) < given.messages:
            chosen.append(talk)
    played(given.pack, chosen)  # what is worked out once is there for all
    before, found = played(given.pack, chosen), [*places(given.room)]
    print(f"{len(before)} messages, {len(found)} replacements")
    changed_nothing = {one.function: one for one in idle(found, given.pack, chosen, before)}
    for one in sorted(changed_nothing.values(), key=lambda one: (-one.lines, one.file, one.name)):
        print(f"{one.lines:4}  {one.file}  {one.name}")
    print(f"{sum(one.lines for one in changed_nothing.values())} lines")


if __name__ == "__main__":
    main()
