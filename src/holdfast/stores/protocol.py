"""What every store promises: one narrow protocol, kept honest by one set of contract tests in tests/stores.

A store knows logs (of a session, a project or a user), rows and snapshots. It understands nothing of what is in them:
events and state are bytes to it.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import AbstractContextManager
from typing import Literal, NamedTuple, Protocol

Kind = Literal["session", "project", "user", "staged"]
"""`staged` is a log that is being brought in and is nobody's yet."""
STAGE = 16
"""Characters before the slash in the name of a staged log: what is brought in. After it come the kind and the name."""
FOREVER = float("inf")
PAGE = 500
"""Rows and sessions that are read at a time."""


class Key(NamedTuple):
    """Names a log."""

    kind: Kind
    name: str


class Head(NamedTuple):
    """Where a log stands."""

    version: int = 0
    """The newest; 0 where there is no such log."""
    mark: int = 0
    """Names the words that the log is made of: it changes when some of them are erased, and when the log is erased and
    begun anew under its name. What was decided on an older mark must not be written."""


class Row(NamedTuple):
    """One entry of a log."""

    key: Key
    version: int
    at: float
    role: str
    """person, agent, call or import."""
    text: str | None
    body: bytes
    format: int


class Snapshot(NamedTuple):
    """The fold of a log up to a version, so that loading does not depend on the length of the log."""

    version: int
    body: bytes
    shape: str
    """Names what made it; a snapshot of another shape is not used."""


class Note(NamedTuple):
    """Something remembered in a log, for the index; one without a body is taken out of it."""

    id: str
    text: str
    live: bool
    body: bytes


class Write(NamedTuple):
    """A row to append, whose version must be exactly one above the newest, and what goes with it."""

    row: Row
    snapshot: Snapshot | None = None
    about: SessionInfo | None = None
    """Given with the first row of a session."""
    notes: tuple[Note, ...] = ()
    once: str | None = None
    """A key under which this log takes a row only once: whoever does not know whether it was written asks `written`."""
    job: bytes | None = None
    """What must be finished after this row, whatever happens in between; `jobs` gives it back until then."""


class SessionInfo(NamedTuple):
    """What a session was opened with, and how far it has come."""

    name: str
    pack: str
    user: str | None = None
    project: str | None = None
    created: float = 0.0
    changed: float = 0.0
    version: int = 0
    preview: str = ""


class Hit(NamedTuple):
    """A message found by search, best first."""

    session: str
    version: int
    at: float
    role: str
    text: str
    score: float


class Store(Protocol):
    """What every store promises. Times are seconds since 1970."""

    loses_answers: bool
    """Whether every question goes to another process: a write can succeed without our hearing of it, so that every turn
    gets a key that makes a retry safe; and what is held in memory is not looked up, but checked when it is written."""
    erasures: int
    """How often words were erased, by anybody, as of the newest `heads` and of what this store erased itself. What
    is held in memory from before may hold them still, and must not be used again."""

    def version(self, key: Key) -> int:
        """Newest version of a log; 0 where there is none."""
        ...

    def heads(self, keys: Sequence[Key]) -> list[Head]:
        """Where several logs stand. Cheap when nobody else wrote: it stands before every turn."""
        ...

    def turn(self, keys: Mapping[Key, int]) -> AbstractContextManager[None]:
        """Inside, nobody else writes to these logs: for a writer who lost the race for a version, and takes its turn
        now, after those who came before. It ends with the first `append`, or with the block. The versions are those
        that the caller holds in memory (0 for none): what came after them will be asked for."""
        ...

    def snapshots(self, keys: Sequence[Key]) -> dict[Key, Snapshot]:
        """The newest snapshots of those logs that have one."""
        ...

    def tails(self, after: Mapping[Key, int]) -> dict[Key, list[Row]]:
        """Of several logs the rows after a version each, in order; `PAGE` of each at most."""
        ...

    def rows(
        self, key: Key, after: int = 0, upto: int | None = None, limit: int | None = None, past: bool = False
    ) -> list[Row]:
        """Rows with after < version <= upto, in order. `past` is for looking back: then a copy of the store may be
        asked, where there is one and it has them."""
        ...

    def append(
        self, writes: Sequence[Write], marks: Mapping[Key, int] | None = None, read: Mapping[Key, int] | None = None
    ) -> None:
        """All or nothing, durable on return; Conflict if any version is already taken or follows nothing, if a log no
        longer has the mark that what is written was decided on, or if one that was only `read` has moved on from that
        version. OutcomeUnknown where the store went away before it could say whether it was written."""
        ...

    def written(self, key: Key, once: str) -> int:
        """The version that was written under a key of a caller; 0 where there is none."""
        ...

    def claim(self, key: Key, what: str) -> None:
        """Put on record that something outside (an answer that a model's endpoint keeps) belongs to a log."""
        ...

    def keys(self, key: Key) -> list[tuple[str, int]]:
        """The keys under which rows of a log were written, with their versions; 0 for what was claimed for it."""
        ...

    def claimants(self, what: str) -> list[str]:
        """Names of the sessions that something outside belongs to."""
        ...

    def sessions(
        self, user: str | None = None, after: str = "", limit: int = 100, project: str | None = None
    ) -> list[SessionInfo]:
        """Sessions by name, a page at a time; of a user, or of a project, where one is named."""
        ...

    def newest(
        self, user: str | None = None, tenant: str = "", before: tuple[float, str] | None = None, limit: int = 100
    ) -> list[SessionInfo]:
        """Sessions that changed last, newest first, a page at a time: `before` is when the last one of the page before
        changed, and its name. `tenant` is how the names begin, up to their first slash."""
        ...

    def session(self, name: str) -> SessionInfo | None: ...

    def logs(self, after: Key | None = None, limit: int = 100) -> list[Key]:
        """All logs by kind and name, a page at a time."""
        ...

    def search(
        self, query: str, sessions: Sequence[str] | None, limit: int, tenant: str = "", user: str | None = None
    ) -> list[Hit]:
        """Messages that hold words of the query, best first; of some sessions, of a tenant's, of a user's, or of all.
        Where every word of it is in many messages, the newest are looked through."""
        ...

    def recall(self, keys: Sequence[Key], query: str, limit: int) -> list[tuple[Note, float]]:
        """Notes of some logs that hold words of the query, best first."""
        ...

    def rewrite(self, rows: Iterable[Row], gone: Sequence[tuple[Key, str]], patience: float = FOREVER) -> None:
        """Put rows in the place of those with the same key and version, take notes out of the index, and leave no
        byte of what they replace: not in the rows, the snapshots of their logs, or the index. Rows are taken and
        written a few at a time, so that nobody waits long."""
        ...

    def erase(self, keys: Sequence[Key], patience: float = FOREVER) -> int:
        """Remove logs for good: rows, snapshots and index. Gives the number of rows that are gone. They are gone for
        everybody on return; for their bytes in the files it waits `patience` seconds at most, `waiting` says what for,
        and what is left of the work is done by itself, here or by whoever opens the store next."""
        ...

    def waiting(self) -> str:
        """What the bytes of erased words still wait for, in words; empty when none is left."""
        ...

    def publish(self, staged: Mapping[Key, Key]) -> None:
        """Give logs that were written under other names theirs, all at once: a log that is there already grows by the
        rows of the staged one, which must go on from its end; Conflict otherwise."""
        ...

    def jobs(self) -> list[tuple[int, bytes]]:
        """What was begun (`Write.job`) and is not finished yet."""
        ...

    def finished(self, job: int) -> None: ...

    def check(self) -> list[str]:
        """What is wrong with the store, in words; empty when it is well."""
        ...

    def close(self) -> None: ...


def narrowed(*parts: tuple[str, object]) -> tuple[str, list[object]]:
    """Conditions of a query for those values that are given, and the values."""
    given = [(sql, value) for sql, value in parts if value is not None]
    return "".join(sql for sql, _ in given), [value for _, value in given]


def all_rows(store: Store, key: Key, after: int = 0, upto: int | None = None, past: bool = False) -> Iterator[Row]:
    """The rows of a log, read a page at a time."""
    while page := store.rows(key, after, upto, PAGE, past):
        yield from page
        if len(page) < PAGE:
            return
        after = page[-1].version


def all_sessions(
    store: Store, user: str | None = None, project: str | None = None, after: str = ""
) -> Iterator[SessionInfo]:
    """The sessions of a store, or of a user or a project, in the order of their names."""
    while page := store.sessions(user, after, PAGE, project):
        yield from page
        if len(page) < PAGE:
            return
        after = page[-1].name
