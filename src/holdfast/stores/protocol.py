"""What every store promises: one narrow protocol, kept honest by one set of contract tests (tests/contract).

A store knows logs (of a session, a project or a user), rows and snapshots. It understands nothing of what is in them:
events and state are bytes to it.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Literal, NamedTuple, Protocol

Kind = Literal["session", "project", "user"]


class Key(NamedTuple):
    """Names a log."""

    kind: Kind
    name: str


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

    erasures: int
    """How often words were erased, by anybody, as of the newest `versions` and of what this store erased itself. What
    is held in memory from before may hold them still, and must not be used again."""

    def version(self, key: Key) -> int:
        """Newest version of a log; 0 where there is none."""
        ...

    def versions(self, keys: Sequence[Key]) -> list[int]:
        """Newest versions of several logs. Cheap when nobody else wrote: it stands before every turn."""
        ...

    def snapshot(self, key: Key) -> Snapshot | None: ...

    def rows(self, key: Key, after: int = 0, upto: int | None = None, limit: int | None = None) -> list[Row]:
        """Rows with after < version <= upto, in order."""
        ...

    def append(self, writes: Sequence[Write], erasures: int | None = None) -> None:
        """All or nothing, durable on return; Conflict if any version is already taken or follows nothing, or if there
        were more `erasures` than what is written was decided on."""
        ...

    def sessions(self, user: str | None = None, after: str = "", limit: int = 100) -> list[SessionInfo]:
        """Sessions by name, a page at a time."""
        ...

    def newest(
        self, user: str | None = None, tenant: str = "", before: tuple[float, str] | None = None, limit: int = 100
    ) -> list[SessionInfo]:
        """Sessions that changed last, newest first, a page at a time: `before` is when the last one of the page before
        changed, and its name. `tenant` is how the names begin, up to their first slash."""
        ...

    def session(self, name: str) -> SessionInfo | None: ...

    def search(self, query: str, sessions: Sequence[str] | None, limit: int) -> list[Hit]:
        """Messages that hold words of the query, best first."""
        ...

    def recall(self, keys: Sequence[Key], query: str, limit: int) -> list[tuple[Note, float]]:
        """Notes of some logs that hold words of the query, best first."""
        ...

    def rewrite(self, rows: Sequence[Row], gone: Sequence[tuple[Key, str]]) -> None:
        """Put rows in the place of those with the same key and version, take notes out of the index, and leave no
        byte of what they replace: not in the rows, the snapshots of their logs, or the index."""
        ...

    def erase(self, keys: Sequence[Key]) -> int:
        """Remove logs for good: rows, snapshots and index. Gives the number of rows that are gone."""
        ...

    def check(self) -> list[str]:
        """What is wrong with the store, in words; empty when it is well."""
        ...

    def close(self) -> None: ...
