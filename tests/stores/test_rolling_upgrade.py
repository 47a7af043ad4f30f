"""A store of release 0.1.0 opens, replays and goes on; and a process of that release may still be writing to it.

`tests/fixtures/store-0.1.0.db.gz` was written by that release (schema 6): two sessions of a user, corrections, a list,
a decision, an undo, a snapshot, an erased session and a forgotten item."""

from __future__ import annotations

import gzip
import json
import sqlite3
import uuid
from pathlib import Path

import psycopg
import pytest

from holdfast import Holdfast
from holdfast.history.whatif import recorded, verify
from holdfast.stores.postgres import PostgresStore
from tests.stores.postgres import postgres_address

FIXTURES = Path(__file__).parents[1] / "fixtures"

# What a turn of 0.1.0 sends to SQLite, and to PostgreSQL.
OLD_SQLITE = (
    "INSERT INTO log SELECT ?, ?, ?, ?, ?, ? WHERE (SELECT done = coalesce(?, done) FROM erasures) "
    "AND EXISTS (SELECT 1 FROM log WHERE id = ?)"
)
OLD_POSTGRES = (
    "WITH written AS (INSERT INTO log SELECT %s, %s, %s, %s, %s, %s, %s, to_tsvector('simple', %s) "
    "WHERE (SELECT done = coalesce(%s, done) FROM erasures) "
    "AND (%s = 1 OR EXISTS (SELECT FROM log WHERE stream = %s AND version = %s)) RETURNING stream, at), "
    "touched AS (UPDATE streams SET changed = written.at FROM written "
    "WHERE streams.id = written.stream AND streams.kind = 'session') SELECT count(*) FROM written"
)


@pytest.fixture
def old(tmp_path: Path) -> Path:
    path = tmp_path / "chat.db"
    path.write_bytes(gzip.decompress((FIXTURES / "store-0.1.0.db.gz").read_bytes()))
    return path


def test_logs_of_the_release_replay_and_go_on(old: Path) -> None:
    expected = json.loads((FIXTURES / "store-0.1.0.json").read_text(encoding="utf-8"))
    with Holdfast(old) as hf:
        assert [fault for one in verify(hf, list(recorded(hf))) for fault in one.faults] == []
        for name, texts in expected["texts"].items():
            chat = hf.session(name)
            assert [past.text for past in chat.history(1000)] == texts
            assert chat.state.version == expected["versions"][name]
        memory = hf.session("s-1").memory
        assert sorted([memo.slot, memo.value] for memo in memory.items()) == expected["memory"]
        assert hf.search("Boston")
        assert memory.search("Neovim")
        assert hf.session("s-1").hear("and on").version == expected["versions"]["s-1"] + 1
        assert hf.forget(user="u-1") > 0
        assert hf.forget(project="p-1") > 0
        assert hf.store.check() == []
    data = old.read_bytes()
    assert b"Neovim" not in data
    assert b"Boston" not in data


def test_a_process_of_the_release_goes_on_beside_a_newer_one(old: Path) -> None:
    before = sqlite3.connect(old, isolation_level=None)  # opened before the upgrade, as a running process has it
    stream, head = before.execute("SELECT id >> 32, max(id) & 4294967295 FROM log WHERE id >> 32 = 1").fetchone()
    with Holdfast(old) as hf:
        name = before.execute("SELECT name FROM streams WHERE id = ?", (stream,)).fetchone()[0]
        chat = hf.session(name)
        for turn in range(1, 4):
            row = (stream << 32 | head + 1, 2e9, "person", f"old process {turn}", b"[]", 2, None, stream << 32 | head)
            assert before.execute(OLD_SQLITE, row).rowcount == 1
            assert chat.hear(f"new process {turn}").version == head + 2
            head += 2
        assert [past.text for past in chat.history(2)] == ["old process 3", "new process 3"]
        assert {hit.text for hit in hf.search("process")} >= {"old process 1", "new process 3"}
        assert hf.store.check() == []
        hf.forget(session=name)
        assert before.execute(OLD_SQLITE, (stream << 32 | head + 1, *row[1:7], stream << 32 | head)).rowcount == 0
    before.close()


def test_the_same_on_postgresql() -> None:
    schema = f"s{uuid.uuid4().hex}"
    address = f"{postgres_address()}&schema={schema}"
    with Holdfast(address) as hf, psycopg.connect(postgres_address(), autocommit=True) as before:
        before.execute(f"SET search_path TO {schema}".encode())
        chat = hf.session("s")
        chat.hear("new process 0")
        found = before.execute("SELECT id FROM streams WHERE name = 's'").fetchone()
        assert found is not None
        stream, head = found[0], 1
        for turn in range(1, 4):
            text = f"old process {turn}"
            row = (stream, head + 1, 2e9, "person", text, b"[]", 2, text, None, head + 1, stream, head)
            assert before.execute(OLD_POSTGRES, row).fetchone() == (1,)
            assert chat.hear(f"new process {turn}").version == head + 2
            head += 2
        assert [past.text for past in chat.history(2)] == ["old process 3", "new process 3"]
        assert isinstance(hf.store, PostgresStore)
        assert hf.store.check() == []
