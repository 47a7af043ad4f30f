"""PostgreSQL with several tenants, several machines and copies that only read."""

from __future__ import annotations

import os
import shutil
import subprocess
import tempfile
import threading
import uuid
from collections.abc import Iterator
from pathlib import Path
from urllib.parse import parse_qs, quote, urlsplit

import psycopg
import pytest

from holdfast import Holdfast
from holdfast.stores.postgres import PostgresStore, _place
from holdfast.stores.protocol import Key
from tests.plain import PLAIN
from tests.stores.postgres import new_schema, postgres_address, schema_of


@pytest.fixture
def role() -> str:
    """A role that owns nothing: row-level security holds for it."""
    name = f"r{uuid.uuid4().hex}"
    with psycopg.connect(postgres_address(), autocommit=True) as db:
        db.execute(f"CREATE ROLE {name} LOGIN".encode())
    return name


def allow(schema: str, role: str) -> None:
    with psycopg.connect(postgres_address(), autocommit=True) as db:
        db.execute(f"GRANT USAGE ON SCHEMA {schema} TO {role}".encode())
        db.execute(f"GRANT ALL ON ALL TABLES IN SCHEMA {schema} TO {role}".encode())


def test_a_tenant_sees_no_row_of_another_whatever_is_asked(role: str) -> None:
    address = new_schema()
    PostgresStore.at(address).close()
    allow(schema_of(address), role)
    with Holdfast(address.replace("postgres:@", f"{role}:@", 1), PLAIN) as hf:
        store = hf.store
        assert isinstance(store, PostgresStore)
        for tenant in ("@acme/", "@other/", ""):
            hf.session(f"{tenant}s", user=f"{tenant}u").hear(f"a word of {tenant or 'nobody'}")
            hf.session(f"{tenant}s").hear("and one more")
        for table in ("streams", "log", "once"):  # as a query would that forgot to say whose rows it wants
            everybody = store._all(f"SELECT DISTINCT tenant FROM {table} ORDER BY 1")
            assert everybody == [("",), ("@acme/",), ("@other/",)]
            assert store._all(f"SELECT DISTINCT tenant FROM {table}", (), "@acme/") == [("@acme/",)]
        assert [hit.session for hit in store.search("word", None, 9, tenant="@acme/")] == ["@acme/s"]
        assert len(store.search("word", None, 9)) == 3
        assert [info.name for info in store.newest(tenant="@other/")] == ["@other/s"]
        hf.forget(user="@acme/u")
        assert store._all("SELECT DISTINCT tenant FROM log ORDER BY 1") == [("",), ("@other/",)]


def test_the_log_is_in_parts_by_session() -> None:
    address = new_schema()
    with Holdfast(address, PLAIN) as hf:
        for number in range(24):
            hf.session(f"s-{number}").hear("hello")
        assert isinstance(hf.store, PostgresStore)
        parts = hf.store._all("SELECT tableoid::regclass::text, count(DISTINCT stream) FROM log GROUP BY 1")
        assert len(parts) > 4
        assert sum(count for _, count in parts) == 24


def test_those_who_wait_for_a_log_get_their_turn_in_the_order_in_which_they_came() -> None:
    address, key = new_schema(timeout=20), Key("session", "s")
    with Holdfast(address, PLAIN) as hf, psycopg.connect(postgres_address(), autocommit=True) as beside:
        hf.session("s").hear("one")
        order, place = list[int](), _place(schema_of(address), key)

        def wait(number: int) -> None:
            with hf.store.turn({key: 0}):
                order.append(number)

        def waiting() -> int:
            query = "SELECT count(*) FROM pg_locks WHERE locktype = 'advisory' AND NOT granted AND objid = %s"
            return int(beside.execute(query, (place & 0xFFFFFFFF,)).fetchall()[0][0])

        threads = [threading.Thread(target=wait, args=(number,)) for number in range(5)]
        with hf.store.turn({key: 0}):
            for number, thread in enumerate(threads):
                thread.start()
                while waiting() <= number:
                    pass
        for thread in threads:
            thread.join()
        assert order == [0, 1, 2, 3, 4]


@pytest.fixture
def replica() -> Iterator[str]:
    """A standby of the tests' PostgreSQL, a moment behind."""
    with psycopg.connect(postgres_address()) as db:
        data, programs = db.execute(
            "SELECT current_setting('data_directory'), setting FROM pg_config() WHERE name = 'BINDIR'"
        ).fetchall()[0]
    owner, line = os.stat(data).st_uid, parse_qs(urlsplit(postgres_address()).query)["host"][0]
    made = Path(tempfile.mkdtemp(prefix="holdfast-pg-", dir=os.environ.get("PYTEST_DEBUG_TEMPROOT")))
    os.chown(made, owner, -1)

    def run(program: str, *given: object) -> None:
        subprocess.run([f"{programs}/{program}", *map(str, given)], user=owner, check=True, stdout=subprocess.DEVNULL)

    run("pg_basebackup", "-R", "--no-sync", "-c", "fast", "-h", line, "-U", "postgres", "-D", made)
    (made / ".s.PGSQL.5432.lock").unlink()  # it came along
    run("pg_ctl", "-D", made, "-w", "-l", made / "said", "-o", f"-k {made} -h ''", "start")
    yield f"postgresql://postgres:@/postgres?host={made}"
    run("pg_ctl", "-D", made, "-m", "immediate", "stop")
    shutil.rmtree(made)


def test_a_replica_searches_and_looks_back_and_never_with_what_was_erased(replica: str) -> None:
    address = new_schema()
    with (
        Holdfast(f"{address}&replica={quote(replica, safe='')}", PLAIN) as hf,
        psycopg.connect(replica, autocommit=True) as copy,
    ):
        chat = hf.session("s")
        chat.hear("a zanzibar for everybody")
        hf.session("other").hear("zanzibar too")
        schema, store = schema_of(address), hf.store
        assert isinstance(store, PostgresStore)
        while copy.execute("SELECT to_regclass(%s)", (f"{schema}.log",)).fetchall() == [(None,)]:
            pass
        while copy.execute(f"SELECT count(*) FROM {schema}.log".encode()).fetchall() != [(2,)]:
            pass
        own = dict.fromkeys(("find", "rows"), 0)
        ask = store._all

        def counted(query: str, given: object = (), tenant: str = "*") -> list[tuple[object, ...]]:
            own["find"] += "search_messages" in query
            own["rows"] += "FROM log" in query
            return ask(query, given, tenant)  # type: ignore[arg-type]

        store._all = counted  # type: ignore[method-assign]
        assert len(hf.search("zanzibar")) == 2
        assert [past.text for past in chat.history()] == ["a zanzibar for everybody"]
        assert own == {"find": 0, "rows": 0}  # the replica was asked
        copy.execute("SELECT pg_wal_replay_pause()")
        while copy.execute("SELECT pg_get_wal_replay_pause_state()").fetchall() != [("paused",)]:
            pass
        chat.hear("newer than the copy")
        assert [past.text for past in chat.history()][-1] == "newer than the copy"
        hf.forget(session="other")
        assert [hit.session for hit in hf.search("zanzibar")] == ["s"]
        assert own["find"] == 1
        copy.execute("SELECT pg_wal_replay_resume()")
