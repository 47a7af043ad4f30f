"""Everything that a session, a user or a project ever knew, carried whole: each log row by row, as it is.

An export in `transcripts.py` tells a conversation, and an import understands it anew. An archive carries what was
decided: facts, preferences and decisions with their chains, both clocks and receipts come out of it byte for byte,
whatever release reads the words by then. Bringing the same archive again adds only the rows that are new.

One object per line: first `{"holdfast": "archive", …}`, then for each log a line with its name (`log`, `name`, and for
a session `pack`, `user`, `project`), followed by its rows (`version`, `at`, `role`, `text`, `format`, `events`).
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Iterator, Mapping
from itertools import takewhile
from typing import Any, NamedTuple

import msgspec

from holdfast.accepting import from_json
from holdfast.errors import Conflict, InvalidInput, Refused, StoreUnreadable, UnknownSession
from holdfast.events import FORMAT
from holdfast.faculties.facts.writing import searchable
from holdfast.history import recall
from holdfast.session import Holdfast, keys_of
from holdfast.state import Entry
from holdfast.stores.protocol import PAGE, STAGE, Key, Note, Row, SessionInfo, Write, all_rows, all_sessions

MARK = "archive"
ROLES = ("person", "agent", "call", "import")


class Restored(NamedTuple):
    logs: int
    added: int
    known: int
    """Rows that were there already."""


class _Head(msgspec.Struct, omit_defaults=True):
    log: str
    name: str
    pack: str = ""
    user: str | None = None
    project: str | None = None


class _Line(msgspec.Struct, omit_defaults=True):
    version: int
    at: float
    role: str
    format: int
    events: msgspec.Raw
    text: str | None = None


class _Part(NamedTuple):
    key: Key
    about: SessionInfo | None
    rows: list[Row]

    def names(self) -> Iterator[str]:
        """Whose it is: the log's own name, and for a conversation those of its user and its project."""
        yield self.key.name
        if self.about is not None:
            yield from filter(None, (self.about.user, self.about.project))


# Out -----------------------------------------------------------------------------------------------------------------


def lines(
    hf: Holdfast, *, session: str | None = None, user: str | None = None, project: str | None = None, prefix: str = ""
) -> Iterator[str]:
    """An archive of one session, of a user or of a project with all their sessions, or of the whole store; the logs of
    users and projects that belong to the sessions are in it. With a `prefix`, only of what is named so."""
    if sum(name is not None for name in (session, user, project)) > 1:
        raise InvalidInput("an archive is of one session, one user, one project, or of everything")
    yield _encoded({"holdfast": MARK, "format": FORMAT})
    named = {"user": user, "project": project}
    wide = dict.fromkeys(Key(kind, name) for kind, name in named.items() if name is not None)  # type: ignore[arg-type]
    for info in _sessions(hf, session, user, project, prefix):
        key = Key("session", info.name)
        yield _encoded(_Head("session", info.name, info.pack, info.user, info.project))
        yield from _rows(hf, key)
        wide |= dict.fromkeys(key for key in keys_of(info).values() if key.kind != "session")
    for key in wide:
        if hf.store.version(key):
            yield _encoded(_Head(key.kind, key.name))
            yield from _rows(hf, key)


def _sessions(
    hf: Holdfast, session: str | None, user: str | None, project: str | None, prefix: str
) -> Iterator[SessionInfo]:
    if session is not None:
        info = hf.store.session(session)
        if info is None:
            raise UnknownSession(f"there is no session {session!r} in this store")
        yield info
        return
    named = takewhile(lambda info: info.name.startswith(prefix), all_sessions(hf.store, user, after=prefix))
    yield from (info for info in named if project is None or info.project == project)


def _rows(hf: Holdfast, key: Key) -> Iterator[str]:
    for row in all_rows(hf.store, key):
        yield _encoded(_Line(row.version, row.at, row.role, row.format, msgspec.Raw(row.body), row.text))


def _encoded(line: Any) -> str:
    return msgspec.json.encode(line).decode()


# In ------------------------------------------------------------------------------------------------------------------


def is_archive(data: bytes) -> bool:
    first = data[:200].split(b"\n", 1)[0]
    return b'"holdfast"' in first and f'"{MARK}"'.encode() in first


def restore(hf: Holdfast, data: bytes, file: str = "archive", prefix: str = "") -> Restored:
    """Take an archive in. A log that is there already must be the beginning of the one in the archive: then only what
    is new is added. Nothing is written when any log differs, cannot be read, or is not named with the `prefix`.

    Rows are written under names that nobody asks for, a page at a time, and get theirs all at once at the end. Whoever
    is stopped before that leaves nothing to see, and who brings the same archive again goes on where it was left."""
    parts = list(_parts(data, file))
    for name in (name for part in parts for name in part.names()):
        if not name.startswith(prefix):
            raise Refused(_elsewhere(file, name))
    mark = hashlib.blake2b(data, digest_size=STAGE // 2).hexdigest()
    places = {Key("staged", f"{mark}/{part.key.kind}/{part.key.name}"): part for part in parts}
    try:
        added = _published(hf, places)
    except (Refused, Conflict):  # nobody may ever bring it again, and nobody sees what was staged
        hf.store.erase([place for place in places if hf.store.version(place)])
        raise
    return Restored(len(parts), added, sum(len(part.rows) for part in parts) - added)


def _published(hf: Holdfast, places: Mapping[Key, _Part]) -> int:
    """Stage what is new and let it be seen; the number of its rows."""
    fresh = {place: rows for place, part in places.items() if (rows := _fresh(hf, part))}
    staged = {place: places[place].key for place in fresh}
    for place, rows in fresh.items():
        _stage(hf, places[place], rows, place)
    hf.store.publish(staged)
    hf.cool(staged.values())
    return sum(map(len, fresh.values()))


def _stage(hf: Holdfast, part: _Part, rows: list[Row], place: Key) -> None:
    """Write the rows of a log that are not there yet; those that somebody staged before are taken as they are."""
    there = hf.store.version(place)
    if there < rows[0].version - 1 or (there and not hf.store.rows(place, rows[0].version - 1, rows[0].version)):
        hf.store.erase([place])  # the log has grown since: it was staged to follow another row
        there = 0
    rows = [row for row in rows if row.version > there]
    for start in range(0, len(rows), PAGE):
        page = [Write(row._replace(key=place), None, part.about) for row in rows[start : start + PAGE]]
        if start + PAGE >= len(rows):
            page[-1] = page[-1]._replace(notes=notes_of(hf.entry(row) for row in part.rows))
        hf.store.append(page)


def _elsewhere(file: str, name: str) -> str:
    tenant, slash, _ = name.partition("/")
    whose = f"of the tenant {tenant[1:]!r}" if slash and tenant.startswith("@") else "of a store without tenants"
    return (
        f"{file} is {whose}, and rows hold the names that they were recorded under: it goes back there only. To bring "
        "its conversations here, export them as messages and hear them again; nothing was written"
    )


def _parts(data: bytes, file: str) -> Iterator[_Part]:
    first, *lines = data.splitlines() or [b""]
    _accept_head(first, file)
    part: _Part | None = None
    for number, line in enumerate(lines, start=2):
        try:
            if line.startswith(b'{"log"'):
                if part is not None:
                    yield part
                part = _opened(from_json(line, _Head))
            elif line.strip() and part is not None:
                part.rows.append(_row(part.key, from_json(line, _Line), len(part.rows) + 1))
        except (msgspec.MsgspecError, ValueError) as wrong:
            raise InvalidInput(f"{file}:{number}: {wrong}") from None
    if part is not None:
        yield part


def _accept_head(line: bytes, file: str) -> None:
    """The first line says that this is an archive, and of which format."""
    try:
        head = from_json(line)
    except (msgspec.DecodeError, UnicodeDecodeError):
        head = None
    if not isinstance(head, dict) or head.get("holdfast") != MARK or not isinstance(head.get("format"), int):
        raise InvalidInput(f"{file} is no archive of Holdfast; `holdfast export --format archive` writes one")
    if head["format"] > FORMAT:
        raise Refused(f"{file} was written by a newer release; upgrade Holdfast")


def _opened(head: _Head) -> _Part:
    if head.log not in ("session", "user", "project") or not 0 < len(head.name) <= 200:
        raise ValueError(f"there is no log {head.log!r} called {head.name[:40]!r}")
    about = SessionInfo(head.name, head.pack, head.user, head.project) if head.log == "session" else None
    return _Part(Key(head.log, head.name), about, [])  # type: ignore[arg-type]


def _row(key: Key, line: _Line, expected: int) -> Row:
    if line.version != expected or line.role not in ROLES or line.format > FORMAT:
        raise ValueError(f"version {line.version} of {key.kind} {key.name!r} does not belong here")
    events = from_json(line.events)
    if not isinstance(events, list) or not all(isinstance(event, dict) and "type" in event for event in events):
        raise ValueError(f"version {line.version} of {key.kind} {key.name!r} holds no events")
    return Row(key, line.version, line.at, line.role, line.text, bytes(line.events), line.format)


def _fresh(hf: Holdfast, part: _Part) -> list[Row]:
    """The rows that the store does not have yet; those that it has must be the same."""
    held = hf.store.rows(part.key)
    if held != part.rows[: len(held)]:
        raise Refused(
            f"the {part.key.kind} {part.key.name!r} here is another one than in the archive; nothing was written. "
            "Forget it first, or restore into another store"
        )
    for row in part.rows[len(held) :]:
        try:
            hf.entry(row)  # what cannot be read again is not taken in
        except StoreUnreadable as wrong:
            raise InvalidInput(str(wrong)) from wrong
    return part.rows[len(held) :]


def notes_of(entries: Iterable[Entry]) -> tuple[Note, ...]:
    """What makes the memory of a log findable: it is made from the log, not carried."""
    return tuple(
        Note(memo.id, searchable(memo), memo.current, msgspec.json.encode(memo))
        for memo in recall.history(entries).values()
        if not memo.forgotten
    )
