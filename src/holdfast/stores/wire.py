"""Questions to PostgreSQL, handed to libpq itself: a cursor of the driver takes twice as long as the answer.

A statement of its own is prepared when it comes a second time. Inside a turn others wait, and several statements go in
one message. What libpq waits for, it waits for without holding up other threads.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from functools import cached_property, lru_cache
from itertools import count
from typing import Any

import psycopg
from psycopg import pq
from psycopg.pq import ConnStatus, ExecStatus, abc

MAX_PREPARED = 200
"""Statements that a connection keeps ready; others are sent whole each time."""
_DONE = {ExecStatus.TUPLES_OK, ExecStatus.COMMAND_OK, ExecStatus.EMPTY_QUERY}
_MADE: dict[int, Callable[[bytes], Any]] = {
    16: lambda said: said == b"t",  # bool
    17: lambda said: bytes.fromhex(said[2:].decode()),  # bytea
    20: int,
    23: int,
    700: float,
    701: float,
}
"""How a value is made of its text, by the number of its type; all others are texts."""


class Connection(psycopg.Connection[Any]):
    """One that knows whose rows it may see, where row-level security holds for us, and what is prepared on it."""

    tenant = ""

    @cached_property
    def prepared(self) -> dict[str, bytes]:
        """Names of statements; empty for one that came once."""
        return {}

    @cached_property
    def names(self) -> Iterator[bytes]:
        return (b"holdfast_%d" % number for number in count())


def ask(db: Connection, query: str, given: Sequence[object] = ()) -> list[tuple[Any, ...]]:
    """What a statement finds, in one round trip."""
    values: list[Any] = [_sent(value) for value in given]
    # A text goes with its length, so that a zero in it is an error and does not end it.
    formats = [isinstance(value, (str, bytes)) for value in given]
    name = db.prepared.get(query)
    if name == b"":
        name = next(db.names)
        _rows(db, db.pgconn.prepare(name, _numbered(query)))
        db.prepared[query] = name
    if name:
        return _rows(db, db.pgconn.exec_prepared(name, values, formats))
    if len(db.prepared) < MAX_PREPARED:
        db.prepared[query] = b""
    return _rows(db, db.pgconn.exec_params(_numbered(query), values, None, formats))


def ask_at_once(db: Connection, statements: str, given: Sequence[object] = ()) -> list[tuple[Any, ...]]:
    """What the last of several statements finds, in one round trip."""
    escaping, parts = pq.Escaping(db.pgconn), statements.split("%s")
    values = [_literal(escaping, value) for value in given]
    whole = [part.encode() + value for part, value in zip(parts, [*values, b""], strict=True)]
    return _rows(db, db.pgconn.exec_(b"".join(whole)))


@lru_cache(maxsize=1000)
def _numbered(query: str) -> bytes:
    first, *others = query.split("%s")
    return "".join([first, *(f"${place}{part}" for place, part in enumerate(others, 1))]).encode()


def _sent(value: object) -> bytes | None:
    """A value as libpq takes it: a list as PostgreSQL writes arrays."""
    if isinstance(value, str):
        return value.encode()
    if value is None or isinstance(value, bytes):
        return value
    if isinstance(value, list):
        return f"{{{','.join(map(_element, value))}}}".encode()
    return str(value).encode()


def _element(value: object) -> str:
    if not isinstance(value, str):
        return str(value)
    if "\0" in value:
        raise psycopg.DataError("a text of PostgreSQL cannot have a zero in it")
    escaped = value.replace("\\", "\\\\").replace('"', '\\"')
    return f'"{escaped}"'


def _literal(escaping: abc.Escaping, value: object) -> bytes:
    if isinstance(value, bytes):
        return b"'\\x%b'" % value.hex().encode()
    sent = _sent(value)
    if sent is None:
        return b"NULL"
    if b"\0" in sent:
        raise psycopg.DataError("a text of PostgreSQL cannot have a zero in it")
    return escaping.escape_literal(sent)


def _rows(db: Connection, result: abc.PGresult) -> list[tuple[Any, ...]]:
    if result.status not in _DONE:
        if db.pgconn.status == ConnStatus.BAD:
            raise psycopg.OperationalError(result.error_message.decode(errors="replace") or "the connection is lost")
        raise psycopg.errors.error_from_result(result)
    made = [_MADE.get(result.ftype(column), bytes.decode) for column in range(result.nfields)]
    return [
        tuple(
            None if (said := result.get_value(row, column)) is None else make(said) for column, make in enumerate(made)
        )
        for row in range(result.ntuples)
    ]
