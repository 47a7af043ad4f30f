"""PostgreSQL: a schema of any earlier release is brought up to date with all it holds."""

from __future__ import annotations

import uuid

import psycopg
import pytest

from holdfast.errors import StoreGone
from holdfast.stores.postgres import PostgresStore, migrations
from holdfast.stores.protocol import Key, Row, Write
from holdfast.stores.sql import read_steps
from tests.stores.postgres import postgres_address


@pytest.mark.parametrize("oldest", range(1, len(migrations())))
def test_every_older_schema_is_brought_up_to_date_with_all_it_holds(oldest: int) -> None:
    schema = f"s{uuid.uuid4().hex}"
    with psycopg.connect(postgres_address(), autocommit=True) as db:
        db.execute(f"CREATE SCHEMA {schema}".encode())
        db.execute(f"SET search_path TO {schema}".encode())
        db.execute("CREATE TABLE migrations (done INTEGER NOT NULL)")
        beside = read_steps("postgres", numbered=False) if oldest >= 6 else ()  # from there on with functions
        for step in (*migrations()[:oldest], *beside):
            db.execute(step.encode())
        db.execute("INSERT INTO migrations VALUES (%s)", (oldest,))
        db.execute("INSERT INTO streams (kind, name, pack, created) VALUES ('session', 's', 'general', 1.0)")
        for version, text in ((1, "Where?"), (2, "philly")):
            db.execute(
                "INSERT INTO log SELECT id, %s, %s, 'person', %s, '[]', 1, to_tsvector('simple', %s) FROM streams",
                (version, 10.0 * version, text, text),
            )
        if oldest >= 3:  # from there on it was written with every row
            db.execute("UPDATE streams SET changed = 20.0")
    store = PostgresStore.at(f"{postgres_address()}&schema={schema}&connections=2")
    assert [(info.name, info.changed, info.version) for info in store.newest()] == [("s", 20.0, 2)]
    store.append([Write(Row(Key("session", "s"), 3, 30.0, "person", "now", b"[]", 1), None, None)])
    assert store.newest()[0].changed == 30.0
    assert [hit.text for hit in store.search("philly", None, 5)] == ["philly"]
    store.close()


@pytest.mark.parametrize(
    ("address", "says"),
    [("postgresql://nobody@127.0.0.1:1/none", "refused"), ("postgresql://x@no-such-host.invalid/none", "no-such-host")],
)
def test_a_server_that_is_not_there_is_told_at_once_and_as_that(address: str, says: str) -> None:
    with pytest.raises(StoreGone, match=f"cannot be reached; nothing was written. Is it up.*{says}"):
        PostgresStore.at(address)
