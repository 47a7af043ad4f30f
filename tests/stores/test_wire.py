"""Questions that go to libpq itself: values come back as they were given, and errors are those of the driver."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import psycopg
import pytest

from holdfast.stores import wire
from holdfast.stores.wire import Connection, ask, ask_at_once
from tests.stores.postgres import postgres_address

ODD = ["", "it's", 'say "hi"', "back\\slash", "{a,b}", "NULL", "naïve 東京 🙂", "two\nlines", "%s $1"]


@pytest.fixture
def db() -> Iterator[Connection]:
    with Connection.connect(postgres_address(), autocommit=True) as db:
        yield db


@pytest.mark.parametrize("way", [ask, ask_at_once])
def test_values_come_back_as_they_were_given(db: Connection, way: Any) -> None:
    query = "SELECT %s::text, %s::bytea, %s::bigint, %s::float8, %s::bool, %s::text[], %s::int[], %s::text"
    for text in ODD:
        given = (text, text.encode() + b"\0\xff", -(2**40), 1794914903.4556046, True, ODD, [1, -2], None)
        (row,) = way(db, f"{query}, array_length(%s::text[], 1)", (*given, [text, text]))
        assert (row[:5], row[7:]) == (given[:5], (None, 2))
        assert way(db, "SELECT %s = ANY (%s::text[]), %s::text", (text, ODD, text)) == [(True, text)]


@pytest.mark.parametrize("way", [ask, ask_at_once])
@pytest.mark.parametrize("value", ["a zero\0in it", ["a zero\0in it"]])
def test_a_zero_in_a_text_is_an_error_and_does_not_end_it(db: Connection, way: Any, value: object) -> None:
    with pytest.raises(psycopg.DataError):
        way(db, "SELECT %s::text", (value,))
    assert way(db, "SELECT 1") == [(1,)]


def test_a_statement_is_prepared_when_it_comes_again_and_only_so_many_are(
    db: Connection, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(wire, "MAX_PREPARED", 5)
    for _ in range(4):
        assert [ask(db, f"SELECT %s::int + {n}", (1,)) for n in range(8)] == [[(n + 1,)] for n in range(8)]
    assert ask(db, "SELECT count(*) FROM pg_prepared_statements") == [(5,)]


def test_errors_are_those_of_the_driver(db: Connection) -> None:
    for _ in range(3):
        with pytest.raises(psycopg.errors.DivisionByZero):
            ask(db, "SELECT 1 / %s::int", (0,))
    with pytest.raises(psycopg.errors.UndefinedTable):
        ask_at_once(db, "BEGIN; SELECT * FROM nowhere")
    with pytest.raises(psycopg.errors.InFailedSqlTransaction):
        ask(db, "SELECT 1")
    db.rollback()
    with pytest.raises(psycopg.OperationalError):
        ask(db, "SELECT pg_terminate_backend(pg_backend_pid())")
    with pytest.raises(psycopg.OperationalError):
        ask(db, "SELECT 1")
    assert db.closed
