"""A process that is stopped at any statement it sends to its database, as by a kill: nothing after that is done."""

from __future__ import annotations

import os
import random
import re
import sqlite3
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import pytest

from holdfast import Holdfast
from holdfast.stores import erasing, postgres, wire
from tests.forking import fork

KILLED = 9
BY_CHANCE = 4
SEED = 0 if os.environ.get("CI") else random.randrange(1 << 32)
POINTS = pytest.mark.parametrize("points", ["some", pytest.param("all", marks=pytest.mark.sweep)])
"""Where a process is stopped: at some of its statements with every change, at all of them with `make sweep`."""
READING = ("SELECT", "PRAGMA", "DECLARE")
WRITING = re.compile(r"SELECT (put_|doom|erase_some)")
Act = Callable[[Holdfast], object]


def stopped(store: str | Path, last: int, work: Act, opened: Act = lambda hf: None) -> list[str]:
    """Do something in a process that ends at its statement number `last`. Gives the statements of a process that came
    to its end, without their values; nothing for one that did not."""
    told = os.pipe()
    if (child := fork()) == 0:
        try:
            _work(store, last, work, opened, told[1])
        finally:
            os._exit(1)
    os.close(told[1])
    with os.fdopen(told[0]) as said:
        statements = said.read()
    code = os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])
    assert code in (0, KILLED)
    return statements.splitlines()


def _work(store: str | Path, last: int, work: Act, opened: Act, tell: int) -> None:
    erasing.ROWS, erasing.SLICE, erasing.NAMES = 3, 0.0, 1
    postgres.ROWS = 3
    statements = list[str]()

    def counted(statement: str) -> None:
        statements.append(re.sub(r"'[^']*'|\d+|\s+", " ", statement)[:200])
        if len(statements) == last:
            os._exit(KILLED)

    hf = Holdfast(store)
    opened(hf)
    _watch_sqlite(hf, counted) if isinstance(store, Path) else _watch_postgres(counted)
    work(hf)
    with os.fdopen(tell, "w") as said:
        said.write("\n".join(statements))
    os._exit(0)


def _watch_sqlite(hf: Holdfast, counted: Callable[[str], None]) -> None:
    connect = sqlite3.connect

    def connected(*given: Any, **named: Any) -> sqlite3.Connection:
        made: sqlite3.Connection = connect(*given, **named)
        made.set_trace_callback(counted)
        return made

    sqlite3.connect = connected  # type: ignore[assignment]
    hf.store._db.set_trace_callback(counted)  # type: ignore[attr-defined]


def _watch_postgres(counted: Callable[[str], None]) -> None:
    """What is sent by any thread, but for telling others that something changed."""

    def watched(send: Callable[..., Any]) -> Callable[..., Any]:
        def sent(db: Any, query: Any, *given: Any, **named: Any) -> Any:
            statement = query if isinstance(query, str) else bytes(query).decode()
            if "pg_notify" not in statement:
                counted(statement)
            return send(db, query, *given, **named)

        return sent

    for name, send in (("ask", wire.ask), ("ask_at_once", wire.ask_at_once)):
        setattr(postgres, name, watched(send))
    wire.Connection.execute = watched(wire.Connection.execute)  # type: ignore[method-assign]


def stops(statements: Sequence[str], points: str) -> list[int]:
    """The first and the last statement, the first of each kind that writes (one that only reads leaves what the one
    before it left), and others by chance: after enough runs all of them."""
    numbers = range(1, len(statements) + 1)
    if points == "all":
        return list(numbers)
    writing = [
        (n, each)
        for n, each in enumerate(statements, 1)
        if WRITING.match(each) or not each.lstrip("- ").startswith(READING)
    ]
    kinds = {statement: number for number, statement in reversed(writing)}
    by_chance = random.Random(SEED).sample(numbers, min(BY_CHANCE, len(numbers)))
    return sorted({1, len(statements), *kinds.values(), *by_chance})
