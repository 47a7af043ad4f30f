"""PostgreSQL: many processes, many machines. `pip install holdfast[postgres]`, then "postgresql://user@host/database".

A database may hold several stores side by side, each in a schema of its own: `?schema=name` (by default `holdfast`).
Every append notifies the channel `holdfast` with the log it touched, so that live views anywhere can follow.
"""

from __future__ import annotations

import re
import threading
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from typing import Any
from urllib.parse import parse_qsl, urlencode, urlsplit, urlunsplit

import psycopg
from psycopg import sql
from psycopg_pool import ConnectionPool, PoolTimeout

from holdfast.errors import Conflict, InvalidInput, StoreBusy, StoreError, StoreFull, StoreGone, StoreUnreadable
from holdfast.reading.text import fold
from holdfast.stores.forking import closed, survive
from holdfast.stores.protocol import Hit, Key, Note, Row, SessionInfo, Snapshot, Write
from holdfast.stores.sql import read_steps

INDEXED = 100_000
"""Characters of a message that are indexed: PostgreSQL bounds the words of one text."""
CHANNEL = "holdfast"
_inherited: list[Any] = []
"""Pools of a parent process."""

_WORD = re.compile(r"\w+")
_ABOUT = """
    SELECT s.name, s.pack, s.owner, s.project, s.created, s.changed,
        (SELECT max(version) FROM log WHERE stream = s.id),
        coalesce((SELECT substr(text, 1, 80) FROM log WHERE stream = s.id AND role = 'person'
            ORDER BY version LIMIT 1), '')
"""
_SESSION = f"{_ABOUT} FROM streams s WHERE s.kind = 'session'"
_TENANT = " AND name >= '@' AND name < 'A' AND left(name, strpos(name, '/')) = %s"


def migrations() -> list[str]:
    """The schema, step by step."""
    return read_steps("postgres")


class PostgresStore:
    """Implements `holdfast.stores.protocol.Store` on a pool of connections."""

    def __init__(self, address: str, schema: str = "holdfast", connections: int = 8) -> None:
        self.schema = schema
        self._address = address
        self._connections = connections
        self._ids: dict[Key, int] = {}
        with self._explained():
            psycopg.connect(address, connect_timeout=10).close()  # the pool would try again and not say what is wrong
        self._pool = self._new_pool()
        self.erasures = 0
        try:
            with self._explained():
                self._pool.open(wait=True, timeout=10)
                self._migrate()
        except BaseException:
            self._pool.close()
            raise
        survive(self)

    def _new_pool(self) -> ConnectionPool[psycopg.Connection[Any]]:
        return ConnectionPool(
            self._address,
            min_size=1,
            max_size=self._connections,
            open=False,
            timeout=10,
            kwargs={"autocommit": True, "prepare_threshold": 2},
            configure=self._configure,
        )

    def forked(self) -> None:
        """In a child process: connections of its own. The parent's stay open and untouched, for closing one here would
        close it there."""
        _inherited.append(self._pool)
        self._pool = self._new_pool()
        self._pool.open()

    @classmethod
    def at(cls, address: str) -> PostgresStore:
        """By address; `schema=` and `connections=` are ours, everything else goes to the driver."""
        parts = urlsplit(address)
        options = dict(parse_qsl(parts.query))
        schema = options.pop("schema", "holdfast")
        connections = options.pop("connections", "8")
        if not re.fullmatch(r"[a-z_][a-z0-9_]{0,62}", schema) or not connections.isdigit() or int(connections) < 1:
            raise InvalidInput(f"in {parts.scheme}://…, schema must be a plain name and connections a number from 1")
        return cls(urlunsplit(parts._replace(query=urlencode(options))), schema, int(connections))

    def _configure(self, connection: psycopg.Connection[Any]) -> None:
        connection.execute(sql.SQL("SET search_path TO {}").format(sql.Identifier(self.schema)))

    def _migrate(self) -> None:
        steps = migrations()
        with self._pool.connection() as db, db.transaction():
            # One at a time: several processes may start on an empty database at once.
            db.execute("SELECT pg_advisory_xact_lock(hashtext('holdfast migrations'))")
            db.execute(sql.SQL("CREATE SCHEMA IF NOT EXISTS {}").format(sql.Identifier(self.schema)))
            db.execute("CREATE TABLE IF NOT EXISTS migrations (done INTEGER NOT NULL)")
            found = db.execute("SELECT coalesce(max(done), 0) FROM migrations").fetchone()
            done = found[0] if found else 0
            if done > len(steps):
                raise StoreUnreadable(
                    f"schema {self.schema!r} is at step {done}, this Holdfast knows {len(steps)}: it was written by a "
                    "newer release; upgrade Holdfast. It was left as it is"
                )
            for step in steps[done:]:
                db.execute(step.encode())
            db.execute("INSERT INTO migrations SELECT %s WHERE %s > %s", (len(steps), len(steps), done))

    def version(self, key: Key) -> int:
        return self.versions([key])[0]

    def versions(self, keys: Sequence[Key]) -> list[int]:
        with self._explained(), self._pool.connection() as db:
            found = db.execute(
                "SELECT k.kind, k.name, (SELECT max(version) FROM log WHERE stream = s.id), "
                "(SELECT done FROM erasures) FROM unnest(%s::text[], %s::text[]) AS k (kind, name) "
                "LEFT JOIN streams s ON s.kind = k.kind AND s.name = k.name",
                ([key.kind for key in keys], [key.name for key in keys]),
            ).fetchall()
        for *_, erasures in found:
            self.erasures = erasures
        heads = {(kind, name): top or 0 for kind, name, top, _ in found}
        return [heads[key.kind, key.name] for key in keys]

    def snapshot(self, key: Key) -> Snapshot | None:
        with self._explained(), self._pool.connection() as db:
            found = db.execute(
                "SELECT n.version, n.body, n.shape FROM snapshots n JOIN streams s ON s.id = n.stream "
                "WHERE s.kind = %s AND s.name = %s",
                key,
            ).fetchone()
        return Snapshot(*found) if found else None

    def rows(self, key: Key, after: int = 0, upto: int | None = None, limit: int | None = None) -> list[Row]:
        with self._explained(), self._pool.connection() as db:
            found = db.execute(
                "SELECT l.version, l.at, l.role, l.text, l.body, l.format FROM log l JOIN streams s ON s.id = l.stream "
                "WHERE s.kind = %s AND s.name = %s AND l.version > %s AND l.version <= coalesce(%s, l.version) "
                "ORDER BY l.version LIMIT %s",
                (*key, after, upto, limit),
            ).fetchall()
        return [Row(key, *row) for row in found]

    def append(self, writes: Sequence[Write], erasures: int | None = None) -> None:
        row = writes[0].row
        try:
            with self._explained(), self._pool.connection() as db, db.transaction():
                for write in writes:
                    row = write.row
                    self._append(db, write, erasures)
        except Conflict:
            for write in writes:
                self._ids.pop(write.row.key, None)
            said = f"version {row.version} of {row.key.kind} {row.key.name!r} does not follow what is written"
            raise Conflict(said) from None

    def _append(self, db: psycopg.Connection[Any], write: Write, erasures: int | None) -> None:
        row = write.row
        stream = self._ids.get(row.key) or self._stream(db, write)
        words = None if row.text is None else fold(row.text[:INDEXED])
        written = db.execute(
            "WITH written AS (INSERT INTO log SELECT %s, %s, %s, %s, %s, %s, %s, to_tsvector('simple', %s) "
            "WHERE (SELECT done = coalesce(%s, done) FROM erasures) "
            "AND (%s = 1 OR EXISTS (SELECT FROM log WHERE stream = %s AND version = %s)) RETURNING stream, at), "
            "touched AS (UPDATE streams SET changed = written.at FROM written "
            "WHERE streams.id = written.stream AND streams.kind = 'session') SELECT count(*) FROM written",
            (stream, *row[1:], words, erasures, row.version, stream, row.version - 1),
        ).fetchone()
        if written == (0,):
            raise Conflict(str(row.key))
        if write.snapshot is not None:
            db.execute(
                "INSERT INTO snapshots VALUES (%s, %s, %s, %s) ON CONFLICT (stream) DO UPDATE "
                "SET version = excluded.version, body = excluded.body, shape = excluded.shape",
                (stream, *write.snapshot),
            )
        for note in write.notes:
            self._note(db, stream, note)
        db.execute("SELECT pg_notify(%s, %s)", (CHANNEL, f"{self.schema} {row.key.kind} {row.version} {row.key.name}"))

    @staticmethod
    def _note(db: psycopg.Connection[Any], stream: int, note: Note) -> None:
        """Replace a note and its words in the index."""
        db.execute("DELETE FROM notes WHERE stream = %s AND id = %s", (stream, note.id))
        if note.body:
            db.execute(
                "INSERT INTO notes VALUES (%s, %s, %s, %s, %s, to_tsvector('simple', %s))",
                (stream, note.id, note.text, note.live, note.body, fold(note.text[:INDEXED])),
            )

    def recall(self, keys: Sequence[Key], query: str, limit: int) -> list[tuple[Note, float]]:
        words = " | ".join(_WORD.findall(fold(query)))
        if not words or not keys:
            return []
        with self._explained(), self._pool.connection() as db:
            found = db.execute(
                "SELECT n.id, n.text, n.live, n.body, ts_rank(n.words, q) FROM notes n "
                "JOIN streams s ON s.id = n.stream "
                "JOIN unnest(%s::text[], %s::text[]) AS k (kind, name) ON s.kind = k.kind AND s.name = k.name, "
                "to_tsquery('simple', %s) q WHERE n.words @@ q ORDER BY 5 DESC LIMIT %s",
                ([key.kind for key in keys], [key.name for key in keys], words, limit),
            ).fetchall()
        return [(Note(id, text, live, body), score) for id, text, live, body, score in found]

    def rewrite(self, rows: Sequence[Row], gone: Sequence[tuple[Key, str]]) -> None:
        of = "stream = (SELECT id FROM streams WHERE kind = %s AND name = %s)"
        with self._explained(), self._pool.connection() as db:
            with db.transaction():
                self._begin_erasing(db)
                for row in rows:
                    words = None if row.text is None else fold(row.text[:INDEXED])
                    db.execute(
                        "UPDATE log SET text = %s, body = %s, format = %s, words = to_tsvector('simple', %s) "
                        f"WHERE {of} AND version = %s",
                        (row.text, row.body, row.format, words, *row.key, row.version),
                    )
                    db.execute(f"DELETE FROM snapshots WHERE {of}", row.key)
                for key, id in gone:
                    db.execute(f"DELETE FROM notes WHERE {of} AND id = %s", (*key, id))
            self._compact(db)

    @staticmethod
    def _begin_erasing(db: psycopg.Connection[Any]) -> None:
        """Wait for those who are writing and hold off the others: what they decided on may hold what is erased."""
        db.execute("LOCK TABLE log IN EXCLUSIVE MODE")
        db.execute("UPDATE erasures SET done = done + 1")

    def _compact(self, db: psycopg.Connection[Any]) -> None:
        """A deleted row keeps its bytes until the table is rewritten. Archived WAL and backups are the operator's."""
        for (erasures,) in db.execute("SELECT done FROM erasures").fetchall():
            self.erasures = erasures
        for table in ("log", "snapshots", "notes"):
            db.execute(sql.SQL("VACUUM (FULL) {}").format(sql.Identifier(table)))

    def _stream(self, db: psycopg.Connection[Any], write: Write) -> int:
        key, about = write.row.key, write.about
        pack, user, project = (about.pack, about.user, about.project) if about else ("", None, None)
        db.execute(
            "INSERT INTO streams (kind, name, pack, owner, project, created) VALUES (%s, %s, %s, %s, %s, %s) "
            "ON CONFLICT DO NOTHING",
            (*key, pack, user, project, write.row.at),
        )
        found = db.execute("SELECT id FROM streams WHERE kind = %s AND name = %s", key).fetchone()
        assert found is not None
        # A stream that was just made may yet be rolled back: only one that has rows is remembered.
        if write.row.version > 1:
            if len(self._ids) > 50_000:
                self._ids.clear()
            self._ids[key] = int(found[0])
        return int(found[0])

    def sessions(self, user: str | None = None, after: str = "", limit: int = 100) -> list[SessionInfo]:
        with self._explained(), self._pool.connection() as db:
            found = db.execute(
                _SESSION + " AND s.name > %s AND (%s::text IS NULL OR s.owner = %s) ORDER BY s.name LIMIT %s",
                (after, user, user, limit),
            ).fetchall()
        return [SessionInfo(*row) for row in found]

    def newest(
        self, user: str | None = None, tenant: str = "", before: tuple[float, str] | None = None, limit: int = 100
    ) -> list[SessionInfo]:
        which, given = "", list[object]()
        for part, value in ((" AND owner = %s", user), (_TENANT, tenant or None)):
            which, given = (which + part, [*given, value]) if value is not None else (which, given)
        if before is not None:
            which, given = f"{which} AND (changed, name) < (%s, %s)", [*given, *before]
        with self._explained(), self._pool.connection() as db:
            found = db.execute(
                f"{_ABOUT} FROM (SELECT * FROM streams WHERE kind = 'session'{which} "
                "ORDER BY changed DESC, name DESC LIMIT %s) s ORDER BY s.changed DESC, s.name DESC".encode(),
                (*given, limit),
            ).fetchall()
        return [SessionInfo(*row) for row in found]

    def session(self, name: str) -> SessionInfo | None:
        with self._explained(), self._pool.connection() as db:
            found = db.execute(_SESSION + " AND s.name = %s", (name,)).fetchone()
        return SessionInfo(*found) if found else None

    def search(self, query: str, sessions: Sequence[str] | None, limit: int) -> list[Hit]:
        words = " | ".join(_WORD.findall(fold(query)))
        if not words:
            return []
        with self._explained(), self._pool.connection() as db:
            found = db.execute(
                "SELECT s.name, l.version, l.at, l.role, l.text, ts_rank(l.words, q) FROM log l "
                "JOIN streams s ON s.id = l.stream, to_tsquery('simple', %s) q WHERE l.words @@ q "
                "AND (%s::text[] IS NULL OR s.name = ANY(%s)) AND s.kind = 'session' ORDER BY 6 DESC LIMIT %s",
                (words, None if sessions is None else list(sessions), list(sessions or ()), limit),
            ).fetchall()
        return [Hit(*row) for row in found]

    def erase(self, keys: Sequence[Key]) -> int:
        gone = 0
        with self._explained(), self._pool.connection() as db:
            with db.transaction():
                self._begin_erasing(db)
                for key in keys:
                    gone += db.execute(
                        "DELETE FROM log WHERE stream = (SELECT id FROM streams WHERE kind = %s AND name = %s)", key
                    ).rowcount
                    db.execute("DELETE FROM streams WHERE kind = %s AND name = %s", key)
                    self._ids.pop(key, None)
            self._compact(db)
        return gone

    def check(self) -> list[str]:
        with self._explained(), self._pool.connection() as db:
            holes = db.execute(
                "SELECT s.kind, s.name, count(*), max(l.version) FROM log l JOIN streams s ON s.id = l.stream "
                "GROUP BY s.id HAVING count(*) != max(l.version)"
            ).fetchall()
        return [f"{kind} {name!r}: {count} rows up to version {top}" for kind, name, count, top in holes]

    def notifications(self, stop: threading.Event, wake: Callable[[], None]) -> None:
        """Call `wake` whenever anybody wrote to this store, until `stop` is set. Blocks: give it a thread. A connection
        that breaks is made again."""
        while not stop.is_set():
            try:
                with psycopg.connect(self._address, autocommit=True) as db:
                    db.execute(sql.SQL("LISTEN {}").format(sql.Identifier(CHANNEL)))
                    wake()  # what came before we listened
                    while not stop.is_set():
                        for note in db.notifies(timeout=0.5, stop_after=1):
                            if note.payload.startswith(f"{self.schema} "):
                                wake()
            except psycopg.Error:
                stop.wait(1.0)

    def close(self) -> None:
        closed(self)
        self._pool.close()

    @contextmanager
    def _explained(self) -> Iterator[None]:
        """PostgreSQL's errors as ours, each with what to do next."""
        try:
            yield
        except psycopg.errors.UniqueViolation as wrong:
            raise Conflict(str(wrong)) from None
        except (psycopg.errors.DiskFull, psycopg.errors.OutOfMemory) as wrong:
            raise StoreFull(f"PostgreSQL has no space left; nothing was written: {_said(wrong)}") from wrong
        except (psycopg.errors.LockNotAvailable, psycopg.errors.DeadlockDetected, PoolTimeout) as wrong:
            raise StoreBusy(f"PostgreSQL is busy; nothing was written. Try again: {_said(wrong)}") from wrong
        except psycopg.OperationalError as wrong:
            raise StoreGone(f"PostgreSQL cannot be reached; nothing was written. Is it up? {_said(wrong)}") from wrong
        except psycopg.Error as wrong:
            raise StoreError(f"PostgreSQL: {_said(wrong)}") from wrong


def _said(wrong: Exception) -> str:
    return str(wrong).strip().split("\n", maxsplit=1)[0]
