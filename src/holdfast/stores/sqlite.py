"""The embedded store: one SQLite file in WAL mode, by the standard library alone.

Durability: with `synchronous=NORMAL`, the default, an acknowledged turn survives a killed process; with
`sqlite:///chat.db?synchronous=full` it survives a power cut as well. Text search (FTS5) is brought up to date when
somebody searches, not on every turn, so that a turn stays one insert.
"""

from __future__ import annotations

import os
import random
import sqlite3
import threading
import time
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import ExitStack, closing, contextmanager
from functools import cache
from itertools import islice
from typing import Any

from holdfast.errors import Conflict, InvalidInput, StoreBusy, StoreError, StoreFull, StoreGone, StoreUnreadable
from holdfast.stores.erasing import ROWS, STREAM, Eraser, begin, transaction, undo, unlist, unlist_notes
from holdfast.stores.forking import closed, hold, survive
from holdfast.stores.protocol import FOREVER, PAGE, Head, Hit, Key, Note, Row, SessionInfo, Snapshot, Write, narrowed
from holdfast.stores.ranking import CANDIDATES, Index, expression, shortened
from holdfast.stores.sql import read_steps

APPLICATION = 0x486F6C64  # "Hold": marks the file as ours
BUSY_SECONDS = 10.0
INDEXED_AT_ONCE = 500
"""Messages that are indexed under one lock."""
ASKED = (0.0005, 0.003)
"""Seconds between two attempts to take a turn, at least."""
MAX_WAITED = 1.0
"""Seconds of waiting that are expected at most."""
COMPANY = 1.0
"""Seconds for which somebody else who wrote is expected to write again."""


def migrations() -> Sequence[str]:
    """The schema, step by step; the number of steps done is the file's user_version."""
    return read_steps("sqlite")


class SqliteStore:
    """Implements `holdfast.stores.protocol.Store`. One connection, one lock: safe to share between threads."""

    loses_answers = False
    outer = False

    def __init__(self, path: str, synchronous: str = "normal", busy_seconds: float = BUSY_SECONDS) -> None:
        if synchronous not in ("normal", "full"):
            raise InvalidInput(f"synchronous must be normal or full, not {synchronous!r}")
        self.path = path
        self._file = path if path == ":memory:" else os.path.abspath(path)  # a process may go elsewhere meanwhile
        self.erasures = self._appended = 0
        self._synchronous = synchronous
        self._held = self._torn = False
        self._busy_ms = self._wait_ms = int(busy_seconds * 1000)
        self._connect()
        survive(self)
        if self.waiting():  # somebody was stopped in the middle of it
            self._eraser.finish(0.0)

    def _connect(self) -> None:
        busy_seconds = self._busy_ms / 1000
        self._lock = threading.RLock()
        self._ids: dict[Key, int] = {}
        self._heads: dict[Key, Head] = {}
        self._seen, self._met, self._waited = -1, 0.0, 0.0
        with self._explained():
            self._db = sqlite3.connect(
                self._file, timeout=busy_seconds, isolation_level=None, check_same_thread=False, cached_statements=256
            )
        with ExitStack() as undo, self._explained():
            undo.callback(self._db.close)
            if self._file == ":memory:":
                _make_ready(self._db)
            self._open(self._synchronous, busy_seconds)
            undo.pop_all()
        self._inodes = self._stat()
        self._looked = 0.0
        self._indexed = (-1, -1)
        self._eraser = Eraser(self)
        self._words = Index(self._db, "words", "SELECT rows FROM indexed")
        self._note_words = Index(self._db, "note_words", "SELECT max(rowid) FROM notes")

    @classmethod
    def at(cls, url: str) -> SqliteStore:
        """By address: sqlite:///relative.db, sqlite:////absolute.db, with ?synchronous=full and ?busy_seconds=n."""
        from urllib.parse import parse_qs, urlsplit  # costs a twentieth of the time to import Holdfast

        parts = urlsplit(url)
        options = {name: values[-1] for name, values in parse_qs(parts.query).items()}
        if unknown := set(options) - {"synchronous", "busy_seconds"}:
            raise InvalidInput(f"unknown option {unknown.pop()!r} in {url!r}; known: synchronous, busy_seconds")
        path = parts.path[1:]
        if not path:
            raise InvalidInput(f"{url!r} names no file; write sqlite:///chat.db")
        return cls(path, options.get("synchronous", "normal"), _seconds(options.get("busy_seconds", str(BUSY_SECONDS))))

    def _open(self, synchronous: str, busy_seconds: float) -> None:
        db = self._db
        db.execute("BEGIN")  # one look: somebody else may be making this very file
        found = db.execute("PRAGMA user_version").fetchone()[0]
        owner = db.execute("PRAGMA application_id").fetchone()[0]
        tables = db.execute("SELECT count(*) FROM sqlite_master").fetchone()[0]
        db.execute("COMMIT")
        steps = migrations()
        if tables and owner != APPLICATION:
            raise StoreUnreadable(f"{self.path} is a database of another program; name another file")
        if found > len(steps):
            raise StoreUnreadable(
                f"{self.path} has schema {found}, this Holdfast knows {len(steps)}: it was written by a newer release; "
                "upgrade Holdfast. The file was left as it is"
            )
        self._use_wal(busy_seconds)
        db.execute(f"PRAGMA synchronous = {synchronous}")
        db.execute("PRAGMA wal_autocheckpoint = 2000")
        db.execute("PRAGMA secure_delete = ON")
        if found < len(steps):
            _migrate(db, steps)

    def _use_wal(self, busy_seconds: float) -> None:
        """Switching a new file to WAL needs it alone, and SQLite does not wait for that by itself."""
        give_up = time.monotonic() + busy_seconds
        while True:
            try:
                self._db.execute("PRAGMA journal_mode = WAL")
            except sqlite3.OperationalError:
                if time.monotonic() > give_up:
                    raise
                time.sleep(0.005)
            else:
                return

    def version(self, key: Key) -> int:
        return self.heads([key])[0].version

    def heads(self, keys: Sequence[Key]) -> list[Head]:
        with self._lock:
            # data_version moves when another connection commits: until then, what we wrote last is what there is.
            try:
                seen = self._db.execute("PRAGMA data_version").fetchone()[0]
                if seen != self._seen:
                    self._met = time.monotonic() if self._seen >= 0 else 0.0
                    self._heads.clear()
                    self._count_erasures()
                    self._seen = seen
            except sqlite3.Error as wrong:
                raise self._explanation(wrong) from wrong
            return [self._head(key) for key in keys]

    def _count_erasures(self) -> None:
        self.erasures = self._db.execute("SELECT done FROM erasures").fetchone()[0]

    def _head(self, key: Key) -> Head:
        if key not in self._heads:
            if len(self._heads) > 50_000:
                self._heads.clear()
            with self._explained():
                found = self._db.execute(_HEAD, key).fetchone()
            self._heads[key] = Head(*found) if found else Head()
        return self._heads[key]

    @contextmanager
    def turn(self, keys: Mapping[Key, int]) -> Iterator[None]:
        with self._lock:
            self._still_there()
            with self._explained():
                self._begin_soon()
            try:
                yield
            finally:
                undo(self._db)

    def _begin_soon(self) -> None:
        """Take the lock for writing. SQLite by itself asks for it ever more seldom, and those who came first would wait
        longest; here they ask ever more often, the nearer the time is that it took of late."""
        db, begun, waited = self._db, time.monotonic(), 0.0
        db.execute("PRAGMA busy_timeout = 0")
        try:
            while True:
                try:
                    db.execute("BEGIN IMMEDIATE")
                except sqlite3.OperationalError:
                    if waited > self._wait_ms / 1000:
                        raise
                    time.sleep(max(random.uniform(*ASKED), (self._waited - waited) / 8))
                    waited = time.monotonic() - begun
                else:
                    self._waited = min((self._waited + waited) / 2, MAX_WAITED)
                    return
        finally:
            db.execute(f"PRAGMA busy_timeout = {self._wait_ms}")

    def snapshots(self, keys: Sequence[Key]) -> dict[Key, Snapshot]:
        one = "SELECT o.version, body, shape FROM streams s JOIN snapshots o ON o.stream = s.id "
        one += "WHERE kind = ? AND name = ?"
        return {key: Snapshot(*row) for key in keys for row in self._all(one, key)}

    def _all(self, query: str, given: Sequence[Any] = ()) -> list[Any]:
        """Ask for something that needs no more than one look."""
        with self._lock, self._explained():
            return self._db.execute(query, given).fetchall()

    def tails(self, after: Mapping[Key, int]) -> dict[Key, list[Row]]:
        return {key: self.rows(key, version, limit=PAGE) for key, version in after.items()}

    def rows(
        self, key: Key, after: int = 0, upto: int | None = None, limit: int | None = None, past: bool = False
    ) -> list[Row]:
        found = self._all(
            "SELECT l.id & 4294967295, l.at, l.role, l.text, l.body, l.format FROM streams s JOIN log l "
            "ON l.id > (s.id << 32) + ? AND l.id <= (s.id << 32) + ? WHERE s.kind = ? AND s.name = ? "
            "ORDER BY l.id LIMIT ?",
            (after, _VERSION if upto is None else min(upto, _VERSION), *key, -1 if limit is None else limit),
        )
        return [Row(key, *row) for row in found]

    def append(
        self, writes: Sequence[Write], marks: Mapping[Key, int] | None = None, read: Mapping[Key, int] | None = None
    ) -> None:
        with self._lock:
            self._still_there()
            marks, first = marks or {}, writes[0]
            self._appended += 1
            try:
                if len(writes) == 1 and not read and self._stands_alone(first):
                    self._insert(first.row, self._ids[first.row.key], marks)
                else:
                    self._together(writes, marks, read or {})
            except sqlite3.Error as wrong:
                raise self._explanation(wrong) from wrong
            for write in writes:
                known = self._heads.get(write.row.key)
                if known is not None and known.mark:
                    self._heads[write.row.key] = known._replace(version=write.row.version)
                else:
                    self._heads.pop(write.row.key, None)

    def _stands_alone(self, write: Write) -> bool:
        """Whether a write is one row of a log that is known, with nothing beside it: that needs no transaction. Where
        others write, it has one, for which we wait as long as they do."""
        beside = write.snapshot is not None or write.notes or write.once or write.job
        alone = not self._db.in_transaction and time.monotonic() - self._met > COMPANY
        return alone and not beside and write.row.version > 1 and write.row.key in self._ids

    def _together(self, writes: Sequence[Write], marks: Mapping[Key, int], read: Mapping[Key, int]) -> None:
        db = self._db
        new: dict[Key, int] = {}
        if not db.in_transaction:  # in `turn` it has begun already
            self._begin_soon()
        with transaction(db, ""):
            for key, version in read.items():
                if (db.execute(_HEAD, key).fetchone() or Head())[0] != version:
                    self._lost(writes[0].row)
            for write in writes:
                known = self._ids.get(write.row.key) if write.row.version > 1 else None
                stream = known or self._stream(write, new)
                self._insert(write.row, stream, marks)
                self._beside(write, stream)
        if len(self._ids) > 50_000:
            self._ids.clear()
        self._ids.update(new)

    def _beside(self, write: Write, stream: int) -> None:
        """What goes with a row."""
        db = self._db
        if write.snapshot is not None:
            db.execute("REPLACE INTO snapshots VALUES (?, ?, ?, ?)", (stream, *write.snapshot))
        for note in write.notes:
            db.execute(_NOTE, (stream, *note))
        if write.job is not None:
            db.execute("INSERT INTO jobs (body) VALUES (?)", (write.job,))
        if write.once is not None:
            try:
                db.execute("INSERT INTO once VALUES (?, ?, ?)", (stream, write.once, write.row.version))
            except sqlite3.IntegrityError:
                self._lost(write.row)

    def _stream(self, write: Write, new: dict[Key, int]) -> int:
        db, key, about = self._db, write.row.key, write.about
        found = db.execute("SELECT id FROM streams WHERE kind = ? AND name = ?", key).fetchone()
        if found is None:
            pack, user, project = (about.pack, about.user, about.project) if about else ("", None, None)
            found = db.execute(
                "INSERT INTO streams (kind, name, pack, user, project, created, head) VALUES (?, ?, ?, ?, ?, ?, ?) "
                "RETURNING id",
                (*key, pack, user, project, write.row.at, write.row.version - 1 if key.kind == "staged" else 0),
            ).fetchone()
        new[key] = int(found[0])
        return new[key]

    def _insert(self, row: Row, stream: int, marks: Mapping[Key, int]) -> None:
        """A row, if it follows the newest one and nothing was erased that it was decided on."""
        checked = [divmod(mark, _MARK) for mark in marks.values() if mark]
        if (known := marks.get(row.key, 0)) and stream != known // _MARK:
            self._lost(row)
        values = (stream << 32 | row.version, *row[2:], stream, row.version - 1)
        done = self._db.execute(_INSERT + _AS_KNOWN * len(checked), (*values, *(n for one in checked for n in one)))
        if not done.rowcount:
            self._lost(row)

    def _lost(self, row: Row) -> None:
        self._heads.pop(row.key, None)
        self._ids.pop(row.key, None)
        self._seen = -1
        raise Conflict(f"version {row.version} of {row.key.kind} {row.key.name!r} does not follow what is written")

    def written(self, key: Key, once: str) -> int:
        found = self._all(
            "SELECT o.version FROM streams s JOIN once o ON o.stream = s.id "
            "WHERE s.kind = ? AND s.name = ? AND o.key = ?",
            (*key, once),
        )
        return int(found[0][0]) if found else 0

    def claim(self, key: Key, what: str) -> None:
        self._all("INSERT OR IGNORE INTO once SELECT id, ?, 0 FROM streams WHERE kind = ? AND name = ?", (what, *key))

    def keys(self, key: Key) -> list[tuple[str, int]]:
        return self._all(
            "SELECT o.key, o.version FROM streams s JOIN once o ON o.stream = s.id WHERE s.kind = ? AND s.name = ?", key
        )

    def claimants(self, what: str) -> list[str]:
        found = self._all(
            "SELECT s.name FROM once o CROSS JOIN streams s ON s.id = o.stream "  # claims first: sessions are many
            "WHERE o.key = ? AND o.version = 0 AND s.kind = 'session'",
            (what,),
        )
        return [name for (name,) in found]

    def jobs(self) -> list[tuple[int, bytes]]:
        return self._all("SELECT id, body FROM jobs ORDER BY id")

    def finished(self, job: int) -> None:
        self._all("DELETE FROM jobs WHERE id = ?", (job,))

    def _index_notes(self) -> None:
        """Bring the words of notes up to what they say now, a few at a time."""
        db = self._db
        stale = f"FROM notes WHERE indexed IS NOT text LIMIT {INDEXED_AT_ONCE}"
        while db.execute(f"SELECT EXISTS (SELECT 1 {stale})").fetchone()[0]:
            with transaction(db):
                # Their rowids in one go: an index must not be walked while it is changed.
                rows = db.execute(f"SELECT rowid, indexed, home {stale}").fetchall()
                db.executemany(
                    "INSERT INTO note_words (note_words, rowid, text, home) VALUES ('delete', ?, ?, ?)",
                    (row for row in rows if row[1] is not None),
                )
                ids = [row[:1] for row in rows]
                db.executemany(
                    "INSERT INTO note_words (rowid, text, home) SELECT rowid, text, home FROM notes "
                    "WHERE rowid = ? AND length(body)",
                    ids,
                )
                db.executemany("UPDATE notes SET indexed = text WHERE rowid = ?", ids)
                db.executemany("DELETE FROM notes WHERE rowid = ? AND NOT length(body)", ids)

    def recall(self, keys: Sequence[Key], query: str, limit: int) -> list[tuple[Note, float]]:
        words = query.split()
        if not words:
            return []
        with self._lock, self._explained():
            self._index_notes()
            ids = [row[0] for key in keys for row in self._db.execute(STREAM, key)]
            if not ids:
                return []
            within = "" if self._alone(ids) else f"AND home : ({' OR '.join(f's{id}' for id in ids)})"
            if self._note_words.common(words):
                return self._recall_common(words, within, limit)
            found = self._db.execute(
                "SELECT n.id, n.text, n.live, n.body, -r.score FROM (SELECT rowid, bm25(note_words, 1.0, 0.0) AS score "
                "FROM note_words WHERE note_words MATCH ? ORDER BY score LIMIT ?) r "
                "JOIN notes n ON n.rowid = r.rowid ORDER BY r.score",
                (f"text : ({expression(words)}) {within}".strip(), limit),
            ).fetchall()
        return [(Note(id, text, bool(live), body), score) for id, text, live, body, score in found]

    def _alone(self, ids: Sequence[int]) -> bool:
        """Whether nobody else has notes: then there is nothing to keep apart, and a search need not look at the
        owner."""
        first, last = min(ids), max(ids)
        others = self._db.execute(
            "SELECT EXISTS (SELECT 1 FROM notes WHERE stream < ?) OR EXISTS (SELECT 1 FROM notes WHERE stream > ?)",
            (first, last),
        ).fetchone()[0]
        return not others and last - first < len(ids)

    def _recall_common(self, words: Sequence[str], within: str, limit: int) -> list[tuple[Note, float]]:
        best = self._note_words.best(words, within)[: 2 * limit]
        rows = {
            row: (self._db.execute("SELECT id, text, live, body FROM notes WHERE rowid = ?", (row,)).fetchone())
            for row, _ in best
        }
        ranked = shortened(best, {row: len(note[1]) for row, note in rows.items() if note})[:limit]
        return [(Note(rows[row][0], rows[row][1], bool(rows[row][2]), rows[row][3]), score) for row, score in ranked]

    def sessions(
        self, user: str | None = None, after: str = "", limit: int = 100, project: str | None = None
    ) -> list[SessionInfo]:
        which, given = narrowed((" AND s.user = ?", user), (" AND s.project = ?", project))
        found = self._all(f"{_SESSION}{which} AND s.name > ? ORDER BY s.name LIMIT ?", (*given, after, limit))
        return [SessionInfo(*row) for row in found]

    def newest(
        self, user: str | None = None, tenant: str = "", before: tuple[float, str] | None = None, limit: int = 100
    ) -> list[SessionInfo]:
        which, given = narrowed((" AND user = ?", user), (_TENANT, tenant or None))
        if before is not None:
            which, given = f"{which} AND (changed, name) < (?, ?)", [*given, *before]
        # Named, because SQLite would rather walk all sessions and sort them: it does not know how few are wanted.
        index = "streams_by_user" if user is not None else "streams_of_tenant" if tenant else "streams_by_change"
        found = self._all(
            f"{_ABOUT} FROM (SELECT * FROM streams INDEXED BY {index} WHERE kind = 'session'{which} "
            "ORDER BY changed DESC, name DESC LIMIT ?) s ORDER BY s.changed DESC, s.name DESC",
            (*given, limit),
        )
        return [SessionInfo(*row) for row in found]

    def session(self, name: str) -> SessionInfo | None:
        found = self._all(_SESSION + " AND s.name = ?", (name,))
        return SessionInfo(*found[0]) if found else None

    def logs(self, after: Key | None = None, limit: int = 100) -> list[Key]:
        found = self._all(
            "SELECT kind, name FROM streams WHERE kind != 'staged' AND (kind, name) > (?, ?) "
            "ORDER BY kind, name LIMIT ?",
            (*(after or ("", "")), limit),
        )
        return [Key(*row) for row in found]

    def search(
        self, query: str, sessions: Sequence[str] | None, limit: int, tenant: str = "", user: str | None = None
    ) -> list[Hit]:
        words = query.split()
        if not words:
            return []
        own = tenant and (tenant, tenant[:-1] + "0")  # "0" comes after "/"
        with self._lock, self._explained():
            self._index()
            common = self._words.common(words)
            chosen = self._session_ids(sessions, user) if common or sessions is not None else None
            if chosen == []:
                return []
            if common:
                return self._search_common(words, chosen, limit, own)
            which, given = narrowed((" AND s.user = ?", user), (" AND s.name >= ?", (own and own[0]) or None))
            found = self._db.execute(
                f"{_HIT}, -bm25(words) FROM words JOIN log l ON l.id = words.rowid JOIN streams s ON s.id = l.id >> 32 "
                f"WHERE words MATCH ? AND s.kind = 'session'{which}"
                + ("" if chosen is None else f" AND l.id >> 32 IN ({','.join(map(str, chosen))})")
                + (" AND s.name < ?" if own else "")
                + " ORDER BY bm25(words) LIMIT ?",
                (expression(words), *given, *own[1:], limit),
            ).fetchall()
        return [Hit(*row) for row in found]

    def _search_common(
        self, words: Sequence[str], chosen: Sequence[int] | None, limit: int, own: Sequence[str]
    ) -> list[Hit]:
        ranges = None if chosen is None else [(id << 32, (id + 1 << 32) - 1) for id in chosen]
        best = self._words.best(words, "", ranges)[: CANDIDATES if own else 2 * limit]
        one = f"{_HIT} FROM log l JOIN streams s ON s.id = l.id >> 32 WHERE l.id = ? AND s.kind = 'session'"
        first, end = own or ("", "\U0010ffff")
        found = ((row, self._db.execute(one, (row,)).fetchone()) for row, _ in best)
        rows = {row: hit for row, hit in found if hit and hit[4] and first <= hit[0] < end}
        lengths = {row: len(hit[4]) for row, hit in rows.items()}
        return [Hit(*(*rows[row], score)) for row, score in shortened(best, lengths)[:limit]]

    def _session_ids(self, names: Sequence[str] | None, user: str | None) -> list[int] | None:
        """Numbers of the sessions that may be searched; None for all."""
        if names is None and user is None:
            return None
        which, given = narrowed((" AND user = ?", user))
        one = f"SELECT id FROM streams WHERE kind = 'session'{which}"
        if names is None:
            return [id for (id,) in self._db.execute(one, given)]
        found = (self._db.execute(f"{one} AND name = ?", (*given, name)) for name in names)
        return [id for rows in found for (id,) in rows]

    def _index(self) -> None:
        """Bring the word index up to the newest message, a few at a time; nothing to do where nobody wrote since."""
        db = self._db
        while True:
            now = (db.execute("PRAGMA data_version").fetchone()[0], db.total_changes)
            if now == self._indexed:
                return
            late = db.execute(_LATE).fetchall()
            if not late:
                self._indexed = now
                return
            self._index_some(late)

    def _index_some(self, late: Sequence[tuple[int, int]]) -> None:
        db, left = self._db, INDEXED_AT_ONCE
        with transaction(db):
            for stream, indexed in late:
                # Somebody else may have done it since, or erased it.
                rows = db.execute(
                    "SELECT l.id, l.text FROM streams s JOIN log l ON l.id > (s.id << 32) + s.indexed "
                    "AND l.id < (s.id + 1) << 32 WHERE s.id = ? AND s.indexed = ? ORDER BY l.id LIMIT ?",
                    (stream, indexed, left),
                ).fetchall()
                texts = [row for row in rows if row[1] is not None]
                db.executemany("INSERT INTO words (rowid, text) VALUES (?, ?)", texts)
                if rows:
                    db.execute("UPDATE streams SET indexed = ? WHERE id = ?", (rows[-1][0] & _VERSION, stream))
                    db.execute("UPDATE indexed SET rows = rows + ?", (len(texts),))
                left -= len(rows)
                if left <= 0:
                    break

    def rewrite(self, rows: Iterable[Row], gone: Sequence[tuple[Key, str]], patience: float = FOREVER) -> None:
        coming = iter(rows)
        some = list(islice(coming, ROWS))
        while True:
            with self._lock, self._explained():
                self._still_there()
                self._index_notes()
                self._rewrite(some, gone)
            gone, some = (), list(islice(coming, ROWS))
            if not some:
                break
        with self._explained():
            self._eraser.finish(patience)

    def _rewrite(self, rows: Sequence[Row], gone: Sequence[tuple[Key, str]]) -> None:
        db = self._db
        with transaction(db):
            touched = {self._known_stream(key) for key, _ in gone}
            for row in rows:
                stream = self._known_stream(row.key)
                self._replace(row, stream)
                touched.add(stream)
            for key, id in gone:
                which = (self._known_stream(key), id)
                unlist_notes(db, "stream = ? AND id = ?", which)
                db.execute("DELETE FROM notes WHERE stream = ? AND id = ?", which)
            for stream in touched:
                db.execute("DELETE FROM snapshots WHERE stream = ?", (stream,))
                db.execute("UPDATE streams SET erased = erased + 1 WHERE id = ?", (stream,))
            begin(db)
        self._forget_heads()

    def _replace(self, row: Row, stream: int) -> None:
        """One row in the place of another, in the word index too."""
        db, id = self._db, stream << 32 | row.version
        old = db.execute(
            "SELECT l.text FROM log l JOIN streams s ON s.id = ? WHERE l.id = ? AND s.indexed >= ?",
            (stream, id, row.version),
        ).fetchone()
        if old is not None and old[0] is not None:
            unlist(db, [(id, old[0])])
        db.execute("UPDATE log SET text = ?, body = ?, format = ? WHERE id = ?", (row.text, row.body, row.format, id))
        if old is not None and row.text is not None:
            db.execute("INSERT INTO words (rowid, text) VALUES (?, ?)", (id, row.text))

    def _known_stream(self, key: Key) -> int:
        found = self._db.execute("SELECT id FROM streams WHERE kind = ? AND name = ?", key).fetchone()
        return int(found[0]) if found else -1

    def _forget_heads(self) -> None:
        self._count_erasures()
        self._heads.clear()
        self._ids.clear()

    def erase(self, keys: Sequence[Key], patience: float = FOREVER) -> int:
        with self._explained():
            with self._lock:
                self._still_there()
            gone = self._eraser.let_go(keys)
            self._eraser.finish(patience)
        return gone

    def waiting(self) -> str:
        with self._explained():
            return self._eraser.waiting()

    def publish(self, staged: Mapping[Key, Key]) -> None:
        with self._lock, self._explained():
            db = self._db
            with transaction(db):
                for key, name in staged.items():
                    self._publish(key, name)
            self._heads.clear()
            self._ids.clear()

    def _publish(self, key: Key, name: Key) -> None:
        db = self._db
        found = db.execute(STREAM, key).fetchone()
        if found is None:
            return
        (stream, head), there = found, db.execute(STREAM, name).fetchone()
        if there is None:
            db.execute("UPDATE streams SET kind = ?, name = ? WHERE id = ?", (*name, stream))
            if name.kind == "session":
                db.execute(
                    "UPDATE streams SET changed = (SELECT at FROM log WHERE id = ?) WHERE id = ?",
                    (stream << 32 | head, stream),
                )
            return
        first = db.execute(
            "SELECT min(id) & ? FROM log WHERE id > ? AND id < ?", (_VERSION, stream << 32, (stream + 1) << 32)
        ).fetchone()[0]
        if first != there[1] + 1:
            raise Conflict(f"{name.kind} {name.name!r} has grown since; nothing was written")
        move = (there[0] << 32, _VERSION, stream << 32, (stream + 1) << 32)
        db.execute(
            "INSERT INTO log SELECT ? | (id & ?), at, role, text, body, format FROM log "
            "WHERE id > ? AND id < ? ORDER BY id",
            move,
        )
        db.execute("DELETE FROM log WHERE id > ? AND id < ?", move[2:])
        db.execute("UPDATE OR REPLACE notes SET stream = ? WHERE stream = ?", (there[0], stream))
        db.execute("DELETE FROM streams WHERE id = ?", (stream,))

    def check(self) -> list[str]:
        said = [row[0] for row in self._all("PRAGMA quick_check")]
        holes = self._all(
            "SELECT s.kind, s.name, count(*), max(l.id) & 4294967295 FROM log l "
            "JOIN streams s ON s.id = l.id >> 32 WHERE s.kind != 'staged' "
            "GROUP BY s.id HAVING count(*) != max(l.id) & 4294967295"
        )
        faults = [] if said == ["ok"] else said
        return faults + [f"{kind} {name!r}: {count} rows up to version {top}" for kind, name, count, top in holes]

    @contextmanager
    def at_once(self) -> Iterator[None]:
        """For callers who cannot wait: inside, what would have to wait for another thread or process raises StoreBusy
        at once, with nothing written."""
        if not self._lock.acquire(blocking=False):
            raise StoreBusy(f"{self.path} is in use by another thread; nothing was written. Try again")
        try:
            self._wait_ms = 0
            with self._explained():
                self._db.execute("PRAGMA busy_timeout = 0")
            yield
        finally:
            self._wait_ms = self._busy_ms
            try:
                with self._explained():
                    self._db.execute(f"PRAGMA busy_timeout = {self._busy_ms}")
            finally:
                self._lock.release()

    def close(self) -> None:
        closed(self)
        self._eraser.close()
        with self._lock:
            self._db.close()

    def forked(self) -> None:
        """In a child process: leave the parent's connection alone and open the file anew. What is in memory is a copy
        of the parent's, and stays one."""
        if self.path == ":memory:":
            self._lock = threading.RLock()
            return
        _inherited.append((self._db, self._eraser))
        self._db = sqlite3.connect(":memory:")
        self._db.close()  # where opening anew fails, the store is closed
        if self._torn:
            self._lock = threading.RLock()
            return
        hold(self._file)
        self._connect()

    def hold(self) -> None:
        """Before a fork: wait until no thread is in the middle of anything. One that forks inside its own turn cannot
        be waited for, nor one that hangs: then the child is told that it has to open the store itself."""
        self._held = self._lock.acquire(timeout=self._busy_ms / 1000 or 0.1)
        held = self._eraser.hold()
        self._torn = not self._held or not held or (self.path != ":memory:" and self._in_transaction())

    def _in_transaction(self) -> bool:
        try:
            return self._db.in_transaction
        except sqlite3.ProgrammingError:
            return False

    def release(self) -> None:
        self._torn = False
        self._eraser.release()
        if self._held:
            self._lock.release()

    def _stat(self) -> tuple[int, ...]:
        files = () if self.path == ":memory:" else (self._file, f"{self._file}-wal")
        return tuple(os.stat(file).st_ino for file in files)

    def _still_there(self) -> None:
        """A file that was deleted or replaced would take our writes into nowhere without a word. Looking costs a fifth
        of an insert, so it is done ten times a second at most."""
        now = time.monotonic()
        if self.path == ":memory:" or now - self._looked < 0.1:
            return
        self._looked = now
        try:
            here = self._stat() == self._inodes
        except OSError:
            here = False
        if not here:
            self._looked = 0.0
            raise StoreGone(
                f"{self.path} was removed or replaced while it was open; nothing was written. Open it again"
            )

    def _explanation(self, wrong: sqlite3.Error) -> StoreError:
        return StoreGone(_TORN.format(path=self.path)) if self._torn else _explain(wrong, self.path)

    @contextmanager
    def _explained(self) -> Iterator[None]:
        """SQLite's errors as ours, each with what to do next."""
        try:
            yield
        except sqlite3.Error as wrong:
            raise self._explanation(wrong) from wrong
        except UnicodeDecodeError as wrong:  # a damaged page has bytes where letters should be
            raise StoreUnreadable(f"{self.path} is damaged ({wrong.reason}); bring it back from a copy") from wrong


_TORN = (
    "this process was forked in the middle of a turn of {path}, and cannot use what its parent opened; nothing was "
    "written. "
    "Open a Holdfast of its own in the child, or fork outside of turns"
)
_inherited: list[object] = []
"""Connections of a parent process. SQLite forbids even closing them."""

# A row's id is the stream's id in the upper half and the version in the lower one: one tree serves as table, as order
# within a log and as the check that no version is written twice.
_VERSION = (1 << 32) - 1

_HIT = "SELECT s.name, l.id & 4294967295, l.at, l.role, l.text"

_MARK = 1 << 24
"""A mark is the number of the log in the upper part and how often words of it were erased in the lower one."""
_INSERT = "INSERT INTO log SELECT ?, ?, ?, ?, ?, ? WHERE EXISTS (SELECT 1 FROM streams WHERE id = ? AND head = ?)"
_AS_KNOWN = " AND EXISTS (SELECT 1 FROM streams WHERE id = ? AND erased = ?)"
_NOTE = (
    "INSERT INTO notes (stream, id, text, live, body) VALUES (?, ?, ?, ?, ?) ON CONFLICT (stream, id) "
    "DO UPDATE SET text = excluded.text, live = excluded.live, body = excluded.body"
)
_OWN = "FROM log WHERE id > s.id << 32 AND id < (s.id + 1) << 32"
_HEAD = f"SELECT head, id * {_MARK} + erased FROM streams WHERE kind = ? AND name = ?"
# Named, because SQLite would rather walk all sessions.
_LATE = (
    "SELECT id, indexed FROM streams INDEXED BY streams_to_index WHERE kind = 'session' AND indexed < head LIMIT 200"
)
_ABOUT = (
    "SELECT s.name, s.pack, s.user, s.project, s.created, s.changed, "
    "s.head, "
    f"coalesce((SELECT substr(text, 1, 80) {_OWN} AND role = 'person' ORDER BY id LIMIT 1), '') "
)
_SESSION = f"{_ABOUT} FROM streams s WHERE s.kind = 'session'"
_TENANT = " AND name >= '@' AND name < 'A' AND substr(name, 1, instr(name, '/')) = ?"


def _migrate(db: sqlite3.Connection, steps: Sequence[str]) -> None:
    with transaction(db, "BEGIN EXCLUSIVE"):
        # Somebody else may have migrated while we waited for the lock.
        found = db.execute("PRAGMA user_version").fetchone()[0]
        for step in steps[found:]:
            for statement in step.split(";\n"):
                if statement.strip():
                    db.execute(statement)
        db.execute(f"PRAGMA application_id = {APPLICATION}")
        db.execute(f"PRAGMA user_version = {len(steps)}")


def _make_ready(db: sqlite3.Connection) -> None:
    """Put the tables of an empty store into a database in memory: copying them takes a fortieth of migrating."""
    if hasattr(db, "deserialize"):  # not every build of Python has it
        with closing(sqlite3.connect(":memory:")) as made:
            made.deserialize(_empty_store())
            made.backup(db)


@cache
def _empty_store() -> bytes:
    with closing(sqlite3.connect(":memory:", isolation_level=None)) as made:
        _migrate(made, migrations())
        return made.serialize()


def _seconds(text: str) -> float:
    try:
        seconds = float(text)
    except ValueError:
        seconds = -1.0
    if not 0 <= seconds <= 3600:
        raise InvalidInput(f"busy_seconds must be a number from 0 to 3600, not {text!r}")
    return seconds


_REASONS: tuple[tuple[tuple[str, ...], type[StoreError], str], ...] = (
    (
        ("locked", "busy"),
        StoreBusy,
        "{path} is locked by another writer; nothing was written. Try again, or raise busy_seconds",
    ),
    (("full",), StoreFull, "no space left to write {path}; nothing was written. Free some space and try again"),
    (
        ("not a database", "malformed", "decode"),
        StoreUnreadable,
        "{path} is not a readable Holdfast store ({said}); it was left as it is",
    ),
    (("unable to open",), StoreError, "cannot open {path}: does its folder exist, and may this user write there?"),
    (("readonly",), StoreError, "{path} cannot be written by this user; nothing was written"),
    (("disk I/O",), StoreGone, "{path} cannot be read or written any more ({said}); nothing was written"),
    (("closed",), StoreError, "the store is closed; make a new Holdfast"),
)
"""Words of SQLite's errors, and ours for them; the first that fits."""


def _explain(wrong: sqlite3.Error, path: str) -> StoreError:
    said = str(wrong)
    if "unable to open" in said and os.path.isdir(path):
        return StoreError(f"{path} is a folder; name a file in it")
    for words, kind, message in _REASONS:
        if any(word in said for word in words):
            return kind(message.format(path=path, said=said))
    return StoreError(f"{path}: {said}")
