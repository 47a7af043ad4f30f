"""Erasure in a SQLite file, in steps so short that nobody waits for them, and each of which can be gone on with by
whoever opens the file next.

The names of erased logs go in one transaction: from then on nobody finds them. Then, a few rows at a time, their words
leave the search index and the tables; the index is merged, which leaves out what was deleted; the write-ahead log is
emptied; and what SQLite leaves in unused parts of pages is zeroed (`pages.py`). Only a reader that stays in its
transaction can hold that up: then the work waits, and goes on when the reader is gone.
"""

from __future__ import annotations

import os
import sqlite3
import threading
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress
from typing import Protocol

from holdfast.stores.pages import Pages
from holdfast.stores.protocol import STAGE, Key
from holdfast.stores.steps import WORK, Steps

SLICE = 0.005
"""Seconds that one step holds the lock for writing."""
ROWS = 50
"""Rows between two looks at the clock."""
PAGES = 64
"""Pages that are cleaned between two looks at the clock."""
WAL = 1 << 22
"""Bytes of the write-ahead log from which on it is moved into the file between two steps."""
MERGED = 16
"""Pages of a search index that are merged at a time."""
NAMES = 50
"""Logs whose names are let go of under one lock."""
MERGING = {-4: ("words", -1), -3: ("words", 1), -2: ("note_words", -1), -1: ("note_words", 1)}
"""What comes before the pages are cleaned, as `sweeping.page` counts: to begin with an index, and to go on with it."""
FIRST_PHASE = min(MERGING)
BEGIN = "BEGIN IMMEDIATE"
MANY_MESSAGES = 500_000
QUIET, AT_LAST = 2.0, 3600.0
"""Seconds without a write after which an index of more messages is merged, and after which it is in any case."""
QUIETLY = "a moment in which nobody writes, to merge the search index; it is finished by itself"
READER = "a reader that stays in its transaction; it is finished when the reader is gone"


class Erased(Protocol):
    """What the eraser needs of its store."""

    path: str
    _file: str
    _lock: threading.RLock
    _db: sqlite3.Connection
    _appended: int

    def _forget_heads(self) -> None: ...


class Eraser:
    """Finishes what `erase` and `rewrite` of one store began."""

    def __init__(self, store: Erased) -> None:
        self._store = store
        self._why = WORK
        self._steps = Steps(self._step, sqlite3.Error, OSError)
        self.finish = self._steps.finish
        self._one = threading.Lock()
        self._held = False
        self._own: sqlite3.Connection | None = None
        self._cleaned, self._synced = (0, 0), 0
        """How far pages are clean, for which number of erasures; and up to where that is on the disk for certain."""
        self._stand, self._moved, self._waits_since = (-1, -1), time.monotonic(), 0.0
        """What was written by others and by us when somebody wrote last; when that was; how long merging waits."""

    def let_go(self, keys: Sequence[Key]) -> int:
        """Let go of the names of logs; gives the number of their rows. Of many, those that are to go are written down
        first, and others have their turns in between."""
        store = self._store
        with store._lock, transaction(store._db):
            if len(keys) <= NAMES:
                return self._doom(keys)
            store._db.executemany("INSERT INTO condemned (kind, name) VALUES (?, ?)", keys)
        gone = 0
        while (some := self._doom_condemned()) is not None:
            gone += some
        return gone

    def _doom_condemned(self) -> int | None:
        """Let go of some names that were written down; None where none is left."""
        db = self._store._db
        with self._store._lock, transaction(db):
            some = db.execute("SELECT rowid, kind, name FROM condemned LIMIT ?", (NAMES,)).fetchall()
            gone = self._doom([(kind, name) for _, kind, name in some]) if some else None
            db.executemany("DELETE FROM condemned WHERE rowid = ?", [row[:1] for row in some])
        return gone

    def _doom(self, keys: Sequence[tuple[str, str]]) -> int:
        """Let go of the names of logs, within the caller's transaction; their rows follow."""
        db = self._store._db
        found = [row for key in keys for row in db.execute(STREAM, key)]
        found += [row for kind, name in keys for row in db.execute(_STAGED, (f"{kind}/{name}",))]
        given = [(stream,) for stream, _ in found]
        begin(db)
        db.executemany("INSERT OR IGNORE INTO doomed SELECT id, indexed FROM streams WHERE id = ?", given)
        db.executemany("DELETE FROM once WHERE stream = ?", given)
        db.executemany("DELETE FROM streams WHERE id = ?", given)
        self._store._forget_heads()
        return sum(head for _, head in found)

    def waiting(self) -> str:
        with self._store._lock:
            left = self._store._db.execute(_LEFT).fetchone()[0]
        return self._why if left else ""

    def _step(self) -> bool | None:
        """One step of what is to be done: whether it was possible; None where nothing is left."""
        with self._store._lock:
            db = self._store._db
            if not db.execute(_LEFT).fetchone()[0]:
                return None
            if db.execute("SELECT EXISTS (SELECT 1 FROM condemned)").fetchone()[0]:
                return self._doom_condemned() is not None
            doomed = db.execute("SELECT EXISTS (SELECT 1 FROM doomed)").fetchone()[0]
            done = self._remove() if doomed else False
        done = done or (not doomed and self._sweep())
        if done:
            self._why = WORK
        return done

    def _remove(self) -> bool:
        """Some rows of a log that is erased, with their words in the index."""
        db, until = self._store._db, time.monotonic() + SLICE
        try:
            db.execute(BEGIN)
        except sqlite3.OperationalError:
            return False
        with transaction(db, ""):
            while (found := db.execute("SELECT * FROM doomed LIMIT 1").fetchone()) is not None:
                if not self._remove_rows(*found):
                    unlist_notes(db, "stream = ?", found[:1])
                    for table in ("notes", "snapshots", "doomed"):
                        db.execute(f"DELETE FROM {table} WHERE stream = ?", found[:1])
                if time.monotonic() > until:
                    break
        return True

    def _remove_rows(self, stream: int, indexed: int) -> bool:
        db = self._store._db
        rows = db.execute(
            "SELECT id, text FROM log WHERE id > ? AND id < ? ORDER BY id LIMIT ?",
            (stream << 32, (stream + 1) << 32, ROWS),
        ).fetchall()
        unlist(db, [(id, text) for id, text in rows if text is not None and id <= (stream << 32 | indexed)])
        db.executemany("DELETE FROM log WHERE id = ?", [(id,) for id, _ in rows])
        return bool(rows)

    def _sweep(self) -> bool:
        """With all rows gone: merge the indexes, empty the write-ahead log, clean the pages."""
        store = self._store
        with store._lock:
            done, page, wiped = store._db.execute("SELECT done, page, wiped FROM erasures, sweeping").fetchone()
            merged = self._may_merge() and self._merge(page) if page in MERGING else None
            if merged is None and not wiped and store.path != ":memory:":
                return self._write_anew()
            if merged is None and store.path == ":memory:":
                store._db.execute("UPDATE sweeping SET swept = ?", (done,))
                return True
        if merged is None:
            return self._clean(done)
        if merged and store.path != ":memory:":
            self._move_over()
        return merged

    def _may_merge(self) -> bool:
        """A word that most messages hold is merged in one go: a second, among millions of messages. So with many it is
        done when nobody writes; and after an hour in any case."""
        db, now = self._store._db, time.monotonic()
        if db.execute("SELECT rows FROM indexed").fetchone()[0] <= MANY_MESSAGES:
            return True
        stand = (db.execute("PRAGMA data_version").fetchone()[0], self._store._appended)
        if stand != self._stand:
            self._stand, self._moved = stand, now
        self._waits_since = self._waits_since or now
        if now - self._moved > QUIET or now - self._waits_since > AT_LAST:
            return True
        self._why = QUIETLY
        return False

    def _move_over(self) -> None:
        """Take what was merged into the file itself, while others write: merging rewrites the index, and whoever wrote
        next would have to wait for the disk to take all of it."""
        with self._one, suppress(sqlite3.OperationalError, OSError):
            if os.path.getsize(f"{self._store._file}-wal") > WAL:
                self._connection().execute("PRAGMA wal_checkpoint(PASSIVE)")

    def _connection(self) -> sqlite3.Connection:
        """One of our own, which waits for nobody."""
        if self._own is None:
            self._own = sqlite3.connect(self._store._file, timeout=0, isolation_level=None, check_same_thread=False)
            self._own.execute("PRAGMA synchronous = normal")
        return self._own

    def _write_anew(self) -> bool:
        """The whole file, once: it is of a release that did not wipe what it deleted."""
        try:
            self._store._db.execute("VACUUM")
            self._store._db.execute("UPDATE sweeping SET wiped = 1")
        except sqlite3.OperationalError:
            return False
        return True

    def _merge(self, phase: int) -> bool:
        """Some pages of an index. The first step takes in all that the index is made of by then."""
        db, until = self._store._db, time.monotonic() + SLICE
        table, sign = MERGING[phase]
        # A part of the index that was merged goes in one statement. Overwriting it would take seconds; its pages are
        # zeroed with all others, a few at a time.
        db.execute("PRAGMA secure_delete = OFF")
        try:
            db.execute(BEGIN)
        except sqlite3.OperationalError:
            db.execute("PRAGMA secure_delete = ON")
            return False
        with transaction(db, ""):
            while True:
                before = db.total_changes
                db.execute(f"INSERT INTO {table} ({table}, rank) VALUES ('merge', ?)", (sign * MERGED,))
                merged, sign = db.total_changes - before < 2, 1
                if merged or time.monotonic() > until:
                    break
            following = phase + (1 if MERGING[phase][1] == 1 else 2) if merged else phase | 1
            db.execute("UPDATE sweeping SET page = ?", (following,))
        db.execute("PRAGMA secure_delete = ON")
        return True

    def _clean(self, done: int) -> bool:
        self._waits_since = 0.0
        with self._one:
            db = self._connection()
            try:
                db.execute("PRAGMA wal_checkpoint(PASSIVE)")  # most of it, while others write
                if db.execute("PRAGMA wal_checkpoint(TRUNCATE)").fetchone()[0]:
                    self._why = READER
                    return False
                db.execute(BEGIN)
            except sqlite3.OperationalError:
                return False
            pages = Pages(self._store._file)
            try:
                cleaned = self._clean_pages(db, pages, done)
            finally:
                undo(db)
            if cleaned:  # with the lock given back: a disk may take its time
                pages.sync()
                self._synced = self._cleaned[1]
            return cleaned

    def _clean_pages(self, db: sqlite3.Connection, pages: Pages, done: int) -> bool:
        """Some pages, under the lock for writing. What is written at the end makes everyone read their pages anew; it
        says how far the pages are clean on the disk, which those of this step are only after it."""
        if os.path.getsize(f"{self._store._file}-wal"):  # somebody wrote since: their pages are not in the file yet
            return False
        until = time.monotonic() + SLICE
        (page,) = db.execute("SELECT page FROM sweeping").fetchone()
        known, reached = self._cleaned
        if known != done or reached < page:
            reached = self._synced = page
        if reached >= pages.count and self._synced >= pages.count:
            db.execute("UPDATE sweeping SET swept = ?, page = 0", (done,))
            reached = self._synced = 0
        else:
            free = pages.free()
            while reached < pages.count:
                reached += 1
                pages.clean(reached, free)
                if reached % PAGES == 0 and time.monotonic() > until:
                    break
            # SQLite writes nothing where a row stays as it is: then whoever has an older form of a page at hand would
            # write that back.
            db.execute("UPDATE sweeping SET page = ?, wiped = wiped + 1", (self._synced,))
        self._cleaned = done, reached
        db.execute("COMMIT")
        return True

    def hold(self) -> bool:
        """Before a fork: wait until no page is being cleaned."""
        self._held = self._one.acquire(timeout=1.0)
        return self._held

    def release(self) -> None:
        if self._held:
            self._one.release()

    def close(self) -> None:
        self._steps.close()
        with self._one:
            if self._own is not None:
                with suppress(sqlite3.Error):
                    self._own.close()
                self._own = None


_LEFT = (
    "SELECT EXISTS (SELECT 1 FROM doomed) OR EXISTS (SELECT 1 FROM condemned) "
    "OR (SELECT swept FROM sweeping) < (SELECT done FROM erasures)"
)
STREAM = "SELECT id, head FROM streams WHERE kind = ? AND name = ?"
_STAGED = f"SELECT id, 0 FROM streams WHERE kind = 'staged' AND substr(name, {STAGE + 2}) = ?"


@contextmanager
def transaction(db: sqlite3.Connection, begin: str = BEGIN) -> Iterator[None]:
    """All of what is done inside, or nothing. With an empty `begin` it has begun already."""
    if begin:
        db.execute(begin)
    try:
        yield
        db.execute("COMMIT")
    finally:
        undo(db)


def undo(db: sqlite3.Connection) -> None:
    """Take back what was begun. After some faults (a full disk) SQLite has done so itself; having nothing to undo must
    not hide what went wrong."""
    if db.in_transaction:
        db.execute("ROLLBACK")


def begin(db: sqlite3.Connection) -> None:
    """Write down, within the caller's transaction, that words are erased: folds in memory are known to be old by that,
    here and in other processes, and the file has to be swept."""
    db.execute("UPDATE erasures SET done = done + 1")
    db.execute("UPDATE sweeping SET page = ?", (FIRST_PHASE,))


def unlist(db: sqlite3.Connection, rows: Sequence[tuple[int, str]]) -> None:
    """Take messages out of the word index; it must be told their words."""
    db.executemany("INSERT INTO words (words, rowid, text) VALUES ('delete', ?, ?)", rows)


def unlist_notes(db: sqlite3.Connection, which: str, given: Sequence[object]) -> None:
    """The same for what is remembered."""
    listed = db.execute(f"SELECT rowid, indexed, home FROM notes WHERE {which} AND indexed IS NOT NULL", given)
    db.executemany(
        "INSERT INTO note_words (note_words, rowid, text, home) VALUES ('delete', ?, ?, ?)", listed.fetchall()
    )
