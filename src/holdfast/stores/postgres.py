"""PostgreSQL: many processes, many machines. `pip install holdfast[postgres]`, then "postgresql://user@host/database".

A database may hold several stores side by side, each in a schema of its own: `?schema=name` (by default `holdfast`).
Writers of one log take turns at its row in `streams`, those who met others in the order in which they came; nothing
ever locks a table. Nothing is waited for longer than `?timeout=` seconds (two by default). After every append the
channel `holdfast` is notified, so that live views anywhere can follow. `?replica=` is the address of a copy that only
reads: it searches and gives pages of history.
"""

from __future__ import annotations

import hashlib
import re
import threading
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import ExitStack, contextmanager, suppress
from itertools import islice
from typing import Any
from urllib.parse import parse_qsl, urlencode, urlsplit, urlunsplit

import psycopg
from psycopg import sql
from psycopg_pool import ConnectionPool, PoolTimeout

from holdfast import errors
from holdfast.reading.text import fold
from holdfast.stores.forking import closed, survive
from holdfast.stores.protocol import (
    FOREVER,
    PAGE,
    STAGE,
    Head,
    Hit,
    Key,
    Note,
    Row,
    SessionInfo,
    Snapshot,
    Write,
    narrowed,
)
from holdfast.stores.sql import read_steps
from holdfast.stores.steps import WORK, Steps
from holdfast.stores.watching import Herald, Watch
from holdfast.stores.wire import Connection, ask, ask_at_once

INDEXED = 100_000
"""Characters of a message that are indexed: PostgreSQL bounds the words of one text."""
CHANNEL = "holdfast"
TIMEOUT = 2.0
"""Seconds that a turn waits for the database, for a lock or for a connection."""
IDLE = 10
"""Seconds after which the database ends a turn whose process does not go on with it."""
ROWS = 500
"""Rows that are erased in one transaction."""
EVERYBODY = "*"
"""In place of a tenant: for what looks after the whole store."""
FREED = (
    "PostgreSQL to write over the space that the rows had in its files; “holdfast compact” does it at once, in a "
    "window in which nobody else needs the store"
)
_inherited: list[Any] = []
"""Pools of a parent process."""
_ORDER = {"session": 0, "project": 1, "user": 2, "staged": 3}
"""In which order logs are locked, by everybody: so nobody waits for each other in a circle."""

_WORD = re.compile(r"\w+")
_ABOUT = """
    SELECT s.name, s.pack, s.owner, s.project, s.created, s.changed, s.head,
        coalesce((SELECT substr(text, 1, 80) FROM log WHERE stream = s.id AND role = 'person'
            ORDER BY version LIMIT 1), '')
"""
_SESSION = f"{_ABOUT} FROM streams s WHERE s.kind = 'session'"
_STREAM = "(SELECT id FROM streams WHERE kind = %s AND name = %s)"
_FLUSH = "SELECT pg_logical_emit_message(true, 'holdfast', ''::text)"
"""Waits until all that was committed is on the disk. A turn that others wait for is committed without that, so that the
next one begins, and answered after it."""
_NAMED = "unnest(%s::text[], %s::text[]) AS k (kind, name) JOIN streams s ON s.kind = k.kind AND s.name = k.name"


def _calls(write: Write, marks: Mapping[Key, int]) -> Iterator[tuple[str, tuple[object, ...]]]:
    """What the database is asked to do for a row: functions of the schema, each with its values."""
    row, about = write.row, write.about
    words = None if row.text is None else fold(row.text[:INDEXED])
    opened = (about.pack, about.user, about.project) if about else ("", None, None)
    known = [mark for key, mark in marks.items() if mark and key != row.key]
    call = f"put_row({', '.join(['%s'] * 13)}, %s::bigint[], %s, %s)"
    yield call, (*row.key, *opened, *row[1:], words, marks.get(row.key, 0), known, write.once, write.job)
    if write.snapshot is not None:
        yield "put_snapshot(%s, %s, %s, %s, %s)", (*row.key, *write.snapshot)
    for note in write.notes:
        values = (*row.key, note.id, note.text, note.live, note.body, fold(note.text[:INDEXED]))
        yield "put_note(%s, %s, %s, %s, %s, %s, %s)", values


def migrations() -> Sequence[str]:
    """The schema, step by step."""
    return read_steps("postgres")


def _tenant(key: Key) -> str:
    """Whose log it is: how its name begins, up to the first slash; nothing where there are no tenants."""
    name = key.name[STAGE + 1 :].partition("/")[2] if key.kind == "staged" else key.name
    return name[: name.find("/") + 1] if name.startswith("@") else ""


class _Turn(threading.local):
    """What a thread that has its turn holds: the connection, where its logs stand, and what others wrote to them."""

    mine: Connection | None = None
    heads: Mapping[Key, Head] = {}
    rows: Mapping[Key, list[Row]] = {}
    known: Mapping[Key, int] = {}


class PostgresStore:
    """Implements `holdfast.stores.protocol.Store` on a pool of connections."""

    loses_answers = True

    def __init__(
        self,
        address: str,
        schema: str = "holdfast",
        connections: int = 8,
        timeout: float = TIMEOUT,
        replica: str | None = None,
    ) -> None:
        self.schema = schema
        self._address, self._replica_address = address, replica
        self._connections = connections
        self._timeout = timeout
        self._turns = _Turn()
        self._watch = Watch(timeout)
        self._patience = max(2, round(timeout))  # for a connection; the driver takes no less
        with self._explained():
            psycopg.connect(
                address, connect_timeout=self._patience
            ).close()  # the pool would try again and not say what is wrong
        self._open_pools()
        self._herald = Herald(self._notify)
        self.erasures = 0
        self._guarded = self._flushes = False
        with ExitStack() as undo, self._explained():
            undo.callback(self._pool.close)
            self._pool.open(wait=True, timeout=10)
            self._migrate()
            undo.pop_all()
        survive(self)
        self._eraser = Steps(self._erase_some)
        if self.waiting() == WORK:  # somebody was stopped in the middle of it
            self._eraser.finish(0.0)

    def _open_pools(self) -> None:
        self._pool = self._new_pool(self._address)
        self._replica = self._new_pool(self._replica_address) if self._replica_address else None
        if self._replica is not None:
            self._replica.open()

    def _new_pool(self, address: str) -> ConnectionPool[Connection]:
        return ConnectionPool(
            address,
            connection_class=Connection,
            min_size=1,
            max_size=self._connections,
            open=False,
            timeout=self._timeout,
            kwargs={"autocommit": True, "prepare_threshold": 2, "connect_timeout": self._patience},
            configure=self._configure,
        )

    def forked(self) -> None:
        """In a child process: connections of its own. The parent's stay open and untouched, for closing one here would
        close it there."""
        _inherited.append((self._pool, self._replica, self._turns, self._watch, self._herald))
        self._eraser = Steps(self._erase_some)
        self._turns, self._watch, self._herald = _Turn(), Watch(self._timeout), Herald(self._notify)
        self._open_pools()
        self._pool.open()

    @classmethod
    def at(cls, address: str) -> PostgresStore:
        """By address; `schema=`, `connections=`, `timeout=` and `replica=` are ours, everything else goes to the
        driver."""
        parts = urlsplit(address)
        options = dict(parse_qsl(parts.query))
        schema = options.pop("schema", "holdfast")
        connections, timeout = options.pop("connections", "8"), options.pop("timeout", str(TIMEOUT))
        if not re.fullmatch(r"[a-z_][a-z0-9_]{0,62}", schema) or not connections.isdigit() or int(connections) < 1:
            raise errors.InvalidInput(
                f"in {parts.scheme}://…, schema must be a plain name and connections a number from 1"
            )
        if not re.fullmatch(r"\d{1,4}(\.\d+)?", timeout) or not float(timeout) >= 0.1:
            raise errors.InvalidInput(
                f"in {parts.scheme}://…, timeout is a number of seconds from 0.1, not {timeout!r}"
            )
        replica = options.pop("replica", None)
        plain = urlunsplit(parts._replace(query=urlencode(options)))
        return cls(plain, schema, int(connections), float(timeout), replica)

    def _configure(self, connection: Connection) -> None:
        wait = round(1000 * self._timeout)
        settings = {
            "search_path": self.schema,
            "statement_timeout": str(wait),
            "lock_timeout": str(wait),
            "idle_in_transaction_session_timeout": f"{IDLE}s",
            "holdfast.release": "2",
            "client_encoding": "UTF8",
            "bytea_output": "hex",
        }
        names = ", ".join(f"set_config('{name}', %s, false)" for name in settings)
        connection.execute(f"SELECT {names}".encode(), list(settings.values()))

    @contextmanager
    def _db(self, tenant: str = EVERYBODY, pool: ConnectionPool[Connection] | None = None) -> Iterator[Connection]:
        """A connection: the one of our turn, or any. What does not answer in time is let go of."""
        with self._explained():
            mine = self._turns.mine
            if mine is not None and not mine.closed:
                with self._watch.over(mine):
                    yield mine
                return
            pool = pool or self._pool
            db = pool.getconn()
            try:
                with self._watch.over(db):
                    self._guard(db, tenant)
                    yield db
            finally:
                pool.putconn(db)

    def _guard(self, db: Connection, tenant: str) -> None:
        """Let a connection see the rows of one tenant, where row-level security holds for us."""
        if self._guarded and db.tenant != tenant:
            ask(db, "SELECT set_config('holdfast.tenant', %s, false)", (tenant,))
            db.tenant = tenant

    def _all(self, query: str, given: Sequence[Any] = (), tenant: str = EVERYBODY) -> list[tuple[Any, ...]]:
        """Ask for something; once more where the connection had been lost, as after a restart of the database."""
        for last in (False, True):
            try:
                with self._db(tenant) as db:
                    return ask(db, query, given)
            except errors.StoreGone:
                if last or self._turns.mine is not None:
                    raise
        return []

    def _past(self, query: str, given: Sequence[Any], tenant: str) -> list[tuple[Any, ...]] | None:
        """The same by the replica; None where there is none, or where it still has what was erased."""
        if self._replica is None or self._turns.mine is not None:
            return None
        erased = self._all("SELECT done FROM erasures")
        with suppress(errors.StoreError), self._db(tenant, self._replica) as db:
            if ask(db, "SELECT done FROM erasures") >= erased:
                return ask(db, query, given)
        return None

    def _migrate(self) -> None:
        steps = migrations()
        with self._pool.connection() as db:
            found = db.execute("SELECT to_regclass(%s)", (f"{self.schema}.migrations",)).fetchone()
            done = self._done(db) if found and found[0] else 0
            if done < len(steps):  # else this needs no right to make anything
                with db.transaction():
                    self._bring_up(db, steps)
            (self._guarded, self._flushes), *_ = ask(
                db,
                "SELECT row_security_active('log'), EXISTS (SELECT FROM pg_proc WHERE proname = "
                "'pg_logical_emit_message' AND has_function_privilege(oid, 'EXECUTE'))",
            )

    def _done(self, db: Connection) -> int:
        found = db.execute("SELECT coalesce(max(done), 0) FROM migrations").fetchone()
        done = int(found[0]) if found else 0
        if done > len(migrations()):
            raise errors.StoreUnreadable(
                f"schema {self.schema!r} is at step {done}, this Holdfast knows {len(migrations())}: it was written by "
                "a newer release; upgrade Holdfast. It was left as it is"
            )
        return done

    def _bring_up(self, db: Connection, steps: Sequence[str]) -> None:
        db.execute("SET LOCAL statement_timeout = 0")
        db.execute("SET LOCAL lock_timeout = 0")
        # One at a time: several processes may start on an empty database at once.
        db.execute("SELECT pg_advisory_xact_lock(hashtext('holdfast migrations'))")
        db.execute(sql.SQL("CREATE SCHEMA IF NOT EXISTS {}").format(sql.Identifier(self.schema)))
        db.execute("CREATE TABLE IF NOT EXISTS migrations (done INTEGER NOT NULL)")
        done = self._done(db)
        for step in steps[done:]:
            db.execute(step.encode())
        for step in read_steps("postgres", numbered=False) if done < len(steps) else ():
            db.execute(step.encode())
        db.execute("INSERT INTO migrations SELECT %s WHERE %s > %s", (len(steps), len(steps), done))

    def version(self, key: Key) -> int:
        return self.heads([key])[0].version

    def heads(self, keys: Sequence[Key]) -> list[Head]:
        known = self._turns.heads
        if known and all(key in known for key in keys):
            return [known[key] for key in keys]  # they cannot have moved
        found = self._all(
            "SELECT k.kind, k.name, coalesce(s.head, 0), coalesce(s.id << 24 | s.erased, 0), "
            "(SELECT done FROM erasures) FROM unnest(%s::text[], %s::text[]) AS k (kind, name) "
            "LEFT JOIN streams s ON s.kind = k.kind AND s.name = k.name",
            ([key.kind for key in keys], [key.name for key in keys]),
            _tenant(keys[0]),
        )
        for *_, erasures in found:
            self.erasures = erasures
        heads = {(kind, name): Head(head, mark) for kind, name, head, mark, _ in found}
        return [heads[key.kind, key.name] for key in keys]

    @contextmanager
    def turn(self, keys: Mapping[Key, int]) -> Iterator[None]:
        ordered = sorted(keys, key=lambda key: (_ORDER[key.kind], key.name))
        places, known = [_place(self.schema, key) for key in ordered], [keys[key] for key in ordered]
        given = places, [key.kind for key in ordered], [key.name for key in ordered], known
        mine, begin = self._turns, "BEGIN; SET LOCAL synchronous_commit = off" if self._flushes else "BEGIN"
        with self._explained(), self._pool.connection() as db:
            try:
                with self._watch.over(db):
                    self._guard(db, _tenant(ordered[0]))
                    found = ask_at_once(db, f"{begin}; SELECT * FROM take_turn(%s, %s, %s, %s)", given)
                mine.heads, mine.rows = _taken(ordered, found)
                mine.known = keys
                mine.mine = db
                yield
            finally:
                mine.mine, mine.heads, mine.rows = None, {}, {}
                if not db.closed and db.info.transaction_status != psycopg.pq.TransactionStatus.IDLE:
                    with self._watch.over(db):
                        db.execute("ROLLBACK")

    def snapshots(self, keys: Sequence[Key]) -> dict[Key, Snapshot]:
        found = self._all(
            f"SELECT k.kind, k.name, o.version, o.body, o.shape FROM {_NAMED} JOIN snapshots o ON o.stream = s.id",
            ([key.kind for key in keys], [key.name for key in keys]),
            _tenant(keys[0]),
        )
        return {Key(kind, name): Snapshot(*rest) for kind, name, *rest in found}

    def tails(self, after: Mapping[Key, int]) -> dict[Key, list[Row]]:
        mine = self._turns
        if mine.rows and all(key in mine.rows and version == mine.known[key] for key, version in after.items()):
            return {key: mine.rows[key] for key in after}
        rows: dict[Key, list[Row]] = {key: [] for key in after}
        for kind, name, *row in self._all(
            "SELECT k.kind, k.name, l.* FROM unnest(%s::text[], %s::text[], %s::int[]) AS k (kind, name, after) "
            "JOIN streams s ON s.kind = k.kind AND s.name = k.name CROSS JOIN LATERAL (SELECT version, at, role, text, "
            f"body, format FROM log WHERE stream = s.id AND version > k.after ORDER BY version LIMIT {PAGE}) l",
            ([key.kind for key in after], [key.name for key in after], list(after.values())),
            _tenant(next(iter(after))),
        ):
            rows[Key(kind, name)].append(Row(Key(kind, name), *row))
        return rows

    def rows(
        self, key: Key, after: int = 0, upto: int | None = None, limit: int | None = None, past: bool = False
    ) -> list[Row]:
        query = (
            f"SELECT version, at, role, text, body, format FROM log WHERE stream = {_STREAM} "
            "AND version > %s AND version <= coalesce(%s, 2147483647) ORDER BY version LIMIT %s"
        )
        given = (*key, after, upto, limit)
        found = self._past(query, given, _tenant(key)) if past and upto is not None else None
        if found is None or len(found) < min(upto or 0, after + (limit or upto or 0)) - after:  # it is behind
            found = self._all(query, given, _tenant(key))
        return [Row(key, *row) for row in found]

    def append(
        self, writes: Sequence[Write], marks: Mapping[Key, int] | None = None, read: Mapping[Key, int] | None = None
    ) -> None:
        row = writes[0].row
        try:
            self._sent(writes, marks or {}, read or {})
        except errors.Conflict:
            said = f"version {row.version} of {row.key.kind} {row.key.name!r} does not follow what is written"
            raise errors.Conflict(said) from None
        self._herald.announce()

    def _sent(self, writes: Sequence[Write], marks: Mapping[Key, int], read: Mapping[Key, int]) -> None:
        """Write in one round trip. Where the connection is lost on the way, look whether it was written; where it was
        not, once more: if it is still under way, the key that goes with it lets only one of them through."""
        once = next(((write.row.key, write.once) for write in writes if write.once is not None), None)
        for last in (False, True):
            try:
                self._write(writes, marks, read)
            except errors.StoreGone as lost:
                if once is None:
                    raise errors.OutcomeUnknown(f"{_UNKNOWN} {lost.__cause__ or lost}") from lost
                try:
                    if self.written(*once):
                        self._all(_FLUSH if self._flushes else "SELECT 1")
                        return
                except errors.StoreError:
                    raise errors.OutcomeUnknown(f"{_UNKNOWN} {_said(lost)}") from lost
                if last:
                    raise errors.OutcomeUnknown(f"{_UNKNOWN} {_said(lost)}") from lost
            else:
                return

    def _write(self, writes: Sequence[Write], marks: Mapping[Key, int], read: Mapping[Key, int]) -> None:
        """All of it in one statement: it is done or not, in one round trip."""
        calls, given = list[str](), list[object]()
        if read:
            calls.append("as_known(%s::text[], %s::text[], %s::int[])")
            given += [key.kind for key in read], [key.name for key in read], list(read.values())
        for write in writes:
            for call, values in _calls(write, marks):
                calls.append(call)
                given += values
        query, mine = f"SELECT {', '.join(calls)}", self._turns
        with self._db(_tenant(writes[0].row.key)) as db:
            if mine.mine is db:
                mine.heads, mine.rows = {}, {}
                self._end_turn(db, query, given)
            else:
                ask(db, query, given)

    def _end_turn(self, db: Connection, query: str, given: Sequence[object]) -> None:
        try:
            ask_at_once(db, f"{query}; COMMIT; {_FLUSH if self._flushes else ''}", given)
        except psycopg.Error as wrong:
            if db.info.transaction_status == psycopg.pq.TransactionStatus.IDLE:  # it went wrong after the commit
                raise psycopg.OperationalError(f"not known to be on the disk: {_said(wrong)}") from wrong
            raise

    def written(self, key: Key, once: str) -> int:
        query = f"SELECT version FROM once WHERE stream = {_STREAM} AND key = %s"
        found = self._all(query, (*key, once), _tenant(key))
        return int(found[0][0]) if found else 0

    def claim(self, key: Key, what: str) -> None:
        with self._db() as db:
            db.execute(
                "INSERT INTO once SELECT id, %s, 0, tenant FROM streams WHERE kind = %s AND name = %s "
                "ON CONFLICT DO NOTHING",
                (what, *key),
            )

    def keys(self, key: Key) -> list[tuple[str, int]]:
        found = self._all(f"SELECT key, version FROM once WHERE stream = {_STREAM}", key, _tenant(key))
        return [(written, version) for written, version in found]

    def claimants(self, what: str) -> list[str]:
        found = self._all(
            "SELECT s.name FROM once o JOIN streams s ON s.id = o.stream "
            "WHERE o.key = %s AND o.version = 0 AND s.kind = 'session'",
            (what,),
        )
        return [name for (name,) in found]

    def jobs(self) -> list[tuple[int, bytes]]:
        return [(id, bytes(body)) for id, body in self._all("SELECT id, body FROM jobs ORDER BY id")]

    def finished(self, job: int) -> None:
        with self._db() as db:
            db.execute("DELETE FROM jobs WHERE id = %s", (job,))

    def recall(self, keys: Sequence[Key], query: str, limit: int) -> list[tuple[Note, float]]:
        words = " | ".join(_WORD.findall(fold(query)))
        if not words or not keys:
            return []
        found = self._all(
            f"SELECT n.id, n.text, n.live, n.body, ts_rank(n.words, q) FROM {_NAMED} JOIN notes n ON n.stream = s.id, "
            "to_tsquery('simple', %s) q WHERE (n.words || ''::tsvector) @@ q ORDER BY 5 DESC LIMIT %s",
            ([key.kind for key in keys], [key.name for key in keys], words, limit),
            _tenant(keys[0]),
        )
        return [(Note(id, text, live, body), score) for id, text, live, body, score in found]

    def rewrite(self, rows: Iterable[Row], gone: Sequence[tuple[Key, str]], patience: float = FOREVER) -> None:
        coming = iter(rows)
        some = list(islice(coming, 50))
        while True:
            with self._db() as db, db.transaction():
                self._rewrite(db, some, gone)
            gone, some = (), list(islice(coming, 50))
            if not some:
                break

    def _rewrite(self, db: Connection, rows: Sequence[Row], gone: Sequence[tuple[Key, str]]) -> None:
        touched = dict.fromkeys([*(row.key for row in rows), *(key for key, _ in gone)])
        # Whoever writes to these logs is waited for, and those who come after find another mark.
        for key in sorted(touched, key=lambda key: (_ORDER[key.kind], key.name)):
            db.execute("SELECT FROM streams WHERE kind = %s AND name = %s FOR UPDATE", key)
            db.execute("UPDATE streams SET erased = erased + 1 WHERE kind = %s AND name = %s", key)
            db.execute(f"DELETE FROM snapshots WHERE stream = {_STREAM}".encode(), key)
        for row in rows:
            words = None if row.text is None else fold(row.text[:INDEXED])
            db.execute(
                "UPDATE log SET text = %s, body = %s, format = %s, words = listed(%s, tenant) "
                f"WHERE stream = {_STREAM} AND version = %s".encode(),
                (row.text, row.body, row.format, words, *row.key, row.version),
            )
        for key, id in gone:
            db.execute(f"DELETE FROM notes WHERE stream = {_STREAM} AND id = %s".encode(), (*key, id))
        self._count_erasure(db)

    def _count_erasure(self, db: Connection) -> None:
        for (erasures,) in db.execute("UPDATE erasures SET done = done + 1 RETURNING done").fetchall():
            self.erasures = erasures

    def erase(self, keys: Sequence[Key], patience: float = FOREVER) -> int:
        ordered = sorted(keys, key=lambda key: (_ORDER[key.kind], key.name))
        # All at once, or nobody would know of the rest; it locks nothing but what is erased, and may take its time.
        with self._explained(), self._pool.connection() as db, db.transaction():
            self._guard(db, EVERYBODY)
            db.execute("SET LOCAL statement_timeout = 0")
            given = [key.kind for key in ordered], [key.name for key in ordered]
            found = db.execute("SELECT doom(%s, %s)", given).fetchall()
            self._count_erasure(db)
        self._eraser.finish(patience)
        return int(found[0][0])

    def _erase_some(self) -> bool | None:
        """Take out some rows of logs whose names are gone, and let PostgreSQL have their space back. It takes no lock
        that anybody else waits for."""
        ((rows,),) = self._all("SELECT erase_some(%s)", (ROWS,))
        return None if rows is None else rows > 0

    def waiting(self) -> str:
        doomed, freed = self._all(
            "SELECT EXISTS (SELECT FROM streams WHERE kind = 'doomed'), done = swept FROM erasures, sweeping"
        )[0]
        return WORK if doomed else "" if freed else FREED

    def compact(self) -> None:
        """Write every table anew, so that no byte of what was erased is left in the files. Whoever wants to read or
        write waits meanwhile: this is for an operator, in a window. Archived WAL and backups are theirs too."""
        with self._explained(), psycopg.connect(self._address, autocommit=True, connect_timeout=self._patience) as db:
            db.execute(sql.SQL("SET search_path TO {}").format(sql.Identifier(self.schema)))
            found = db.execute("SELECT done FROM erasures").fetchone()
            for table in ("streams", "log", "snapshots", "notes", "once", "jobs"):
                db.execute(sql.SQL("VACUUM (FULL) {}").format(sql.Identifier(table)))
            db.execute("UPDATE sweeping SET swept = %s", found)

    def publish(self, staged: Mapping[Key, Key]) -> None:
        with self._db() as db, db.transaction():
            for key, name in staged.items():
                found = db.execute("SELECT id FROM streams WHERE kind = %s AND name = %s FOR UPDATE", key).fetchone()
                if found is not None:
                    self._publish(db, found[0], name)
        self._herald.announce()

    @staticmethod
    def _publish(db: Connection, stream: int, name: Key) -> None:
        there = db.execute("SELECT id, head FROM streams WHERE kind = %s AND name = %s FOR UPDATE", name).fetchone()
        if there is None:
            db.execute(
                "UPDATE streams SET kind = %s, name = %s, changed = (SELECT at FROM log WHERE stream = streams.id "
                "AND version = streams.head) WHERE id = %s",
                (*name, stream),
            )
            return
        first = db.execute(
            "SELECT min(version), max(version), max(at) FROM log WHERE stream = %s", (stream,)
        ).fetchone()
        if first is None or first[0] != there[1] + 1:
            raise errors.Conflict(f"{name.kind} {name.name!r} has grown since; nothing was written")
        db.execute("UPDATE log SET stream = %s WHERE stream = %s", (there[0], stream))
        db.execute(
            "DELETE FROM notes WHERE stream = %s AND id IN (SELECT id FROM notes WHERE stream = %s)", (there[0], stream)
        )
        db.execute("UPDATE notes SET stream = %s WHERE stream = %s", (there[0], stream))
        db.execute(
            "UPDATE streams SET head = %s, changed = CASE kind WHEN 'session' THEN %s ELSE changed END WHERE id = %s",
            (first[1], first[2], there[0]),
        )
        db.execute("DELETE FROM streams WHERE id = %s", (stream,))

    def sessions(
        self, user: str | None = None, after: str = "", limit: int = 100, project: str | None = None
    ) -> list[SessionInfo]:
        which, given = narrowed((" AND s.owner = %s", user), (" AND s.project = %s", project))
        found = self._all(f"{_SESSION}{which} AND s.name > %s ORDER BY s.name LIMIT %s", (*given, after, limit))
        return [SessionInfo(*row) for row in found]

    def newest(
        self, user: str | None = None, tenant: str = "", before: tuple[float, str] | None = None, limit: int = 100
    ) -> list[SessionInfo]:
        which, given = narrowed((" AND owner = %s", user), (" AND tenant = %s", tenant or None))
        if tenant:
            which += " AND tenant <> ''"  # as the index says it
        if before is not None:
            which, given = f"{which} AND (changed, name) < (%s, %s)", [*given, *before]
        found = self._all(
            f"{_ABOUT} FROM (SELECT * FROM streams WHERE kind = 'session'{which} "
            "ORDER BY changed DESC, name DESC LIMIT %s) s ORDER BY s.changed DESC, s.name DESC",
            (*given, limit),
            tenant or EVERYBODY,
        )
        return [SessionInfo(*row) for row in found]

    def session(self, name: str) -> SessionInfo | None:
        found = self._all(_SESSION + " AND s.name = %s", (name,), _tenant(Key("session", name)))
        return SessionInfo(*found[0]) if found else None

    def logs(self, after: Key | None = None, limit: int = 100) -> list[Key]:
        found = self._all(
            "SELECT kind, name FROM streams WHERE kind IN ('session', 'project', 'user') AND (kind, name) > (%s, %s) "
            "ORDER BY kind, name LIMIT %s",
            (*(after or ("", "")), limit),
        )
        return [Key(*row) for row in found]

    def search(
        self, query: str, sessions: Sequence[str] | None, limit: int, tenant: str = "", user: str | None = None
    ) -> list[Hit]:
        words = list(dict.fromkeys(_WORD.findall(fold(query))))
        if not words:
            return []
        query = "SELECT * FROM search_messages(%s, %s, %s, %s, %s)"
        given = (words, None if sessions is None else list(sessions), user, tenant, limit)
        found = self._past(query, given, tenant or EVERYBODY)
        return [Hit(*row) for row in (self._all(query, given, tenant or EVERYBODY) if found is None else found)]

    def check(self) -> list[str]:
        with self._explained(), self._pool.connection() as db, db.transaction():
            db.execute("SET LOCAL statement_timeout = 0")
            holes = db.execute(
                "SELECT s.kind, s.name, count(*), max(l.version) FROM log l JOIN streams s ON s.id = l.stream "
                "WHERE s.kind NOT IN ('staged', 'doomed') GROUP BY s.id HAVING count(*) != max(l.version) "
                "OR max(l.version) != s.head"
            ).fetchall()
        return [f"{kind} {name!r}: {count} rows up to version {top}" for kind, name, count, top in holes]

    def _notify(self) -> None:
        with self._db() as db:
            ask(db, "SELECT pg_notify(%s, %s)", (CHANNEL, f"{self.schema} "))

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
        self._eraser.close()
        self._herald.close()
        self._watch.close()
        self._pool.close()
        if self._replica is not None:
            self._replica.close()

    @contextmanager
    def _explained(self) -> Iterator[None]:
        """PostgreSQL's errors as ours, each with what to do next."""
        try:
            yield
        except (psycopg.errors.UniqueViolation, psycopg.errors.SerializationFailure) as wrong:
            raise errors.Conflict(str(wrong)) from None
        except (psycopg.errors.DiskFull, psycopg.errors.OutOfMemory) as wrong:
            raise errors.StoreFull(f"PostgreSQL has no space left; nothing was written: {_said(wrong)}") from wrong
        except (
            psycopg.errors.LockNotAvailable,
            psycopg.errors.QueryCanceled,
            psycopg.errors.DeadlockDetected,
            PoolTimeout,
        ) as wrong:
            raise errors.StoreBusy(f"PostgreSQL is busy; nothing was written. Try again: {_said(wrong)}") from wrong
        except psycopg.OperationalError as wrong:
            raise errors.StoreGone(
                f"PostgreSQL cannot be reached; nothing was written. Is it up? {_said(wrong)}"
            ) from wrong
        except psycopg.Error as wrong:
            raise errors.StoreError(f"PostgreSQL: {_said(wrong)}") from wrong


def _taken(keys: Sequence[Key], found: Iterable[tuple[Any, ...]]) -> tuple[dict[Key, Head], dict[Key, list[Row]]]:
    """Where logs stand, and what was written to them since."""
    heads, rows = dict.fromkeys(keys, Head()), dict[Key, list[Row]]()
    for kind, name, head, mark, *row in found:
        key = Key(kind, name)
        if mark is not None:
            heads[key], rows[key] = Head(head, mark), []
        else:
            rows[key].append(Row(key, *row))
    return heads, {key: new for key, new in rows.items() if new}


def _place(schema: str, key: Key) -> int:
    """The number at which writers of a log wait in line."""
    named = f"{schema}/{key.kind}/{key.name}".encode()
    return int.from_bytes(hashlib.blake2b(named, digest_size=8).digest(), signed=True)


_UNKNOWN = (
    "PostgreSQL went away before it said whether this was written: unknown, retry is safe. The same call again finds "
    "what was written, or writes it."
)


def _said(wrong: Exception) -> str:
    return str(wrong).strip().split("\n", maxsplit=1)[0]
