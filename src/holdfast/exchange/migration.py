"""From one store into another, whatever kind they are: every log, row by row, as it is, with the keys under which its
rows were written and with what belongs to it outside: a retry is heard once, and a tenant keeps its own, there too.

Each log goes on from where the other store has it, so that a migration that was stopped is gone on with by doing it
again, and one that is done while the old store is still written to needs only its end once more. Every log is compared
when it is there: its rows by their bytes, and what a session knows by the fold of its log.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterator
from typing import NamedTuple

import msgspec

from holdfast.errors import Refused
from holdfast.exchange.archive import notes_of
from holdfast.history.whatif import Shells
from holdfast.session import Holdfast
from holdfast.stores.protocol import PAGE, Key, Row, SessionInfo, Store, Write, all_rows


class Moved(NamedTuple):
    """A log that is in both stores."""

    key: Key
    rows: int
    added: int
    mark: str
    """Names its content: the same in both stores."""


def migrate(source: Holdfast, target: Holdfast) -> Iterator[Moved]:
    """Bring everything over, log by log. Refused where a log of that name in the other store is another one."""
    shells = Shells(source), Shells(target)
    for key in _logs(source.store):
        about = source.store.session(key.name) if key.kind == "session" else None
        pack = about.pack if about is not None else source.pack.name
        yield _moved(shells[0].of(pack), shells[1].of(pack), key, about)


def _logs(store: Store) -> Iterator[Key]:
    after: Key | None = None
    while page := store.logs(after, PAGE):
        yield from page
        after = page[-1]


def _moved(source: Holdfast, target: Holdfast, key: Key, about: SessionInfo | None) -> Moved:
    there = target.store.version(key)
    if source.store.version(key) < there or _digest(source.store, key, there) != _digest(target.store, key, there):
        raise Refused(
            f"the {key.kind} {key.name!r} of the other store is another one; nothing of it was changed. Migrate into "
            "an empty store, or forget it there first"
        )
    keys = source.store.keys(key)
    once = {version: written for written, version in keys}
    rows, added = source.store.rows(key, there, None, PAGE), 0
    while rows:
        after = source.store.rows(key, rows[-1].version, None, PAGE)
        writes = [Write(row, None, about, once=once.get(row.version)) for row in rows]
        if not after:
            writes[-1] = writes[-1]._replace(notes=notes_of(source.entries(key)))
        target.store.append(writes)
        rows, added = after, added + len(writes)
    for claimed in (written for written, version in keys if not version):
        target.store.claim(key, claimed)
    return Moved(key, there + added, added, _compared(source, target, key, there + added))


def _compared(source: Holdfast, target: Holdfast, key: Key, upto: int) -> str:
    mark = _digest(source.store, key, upto)
    same = mark == _digest(target.store, key, upto)
    if same and key.kind == "session":
        folds = [hf.pack.folder.encode(hf.pack.folder.replay(hf.entries(key, 0, upto))) for hf in (source, target)]
        same = folds[0] == folds[1]
        mark = hashlib.blake2b(mark.encode() + folds[0], digest_size=16).hexdigest()
    if not same:
        raise Refused(f"the {key.kind} {key.name!r} did not arrive as it was sent; try again into another store")
    return mark


def _digest(store: Store, key: Key, upto: int) -> str:
    made = hashlib.blake2b(digest_size=16)
    for row in all_rows(store, key, 0, upto):
        made.update(msgspec.json.encode(_plain(row)))
    return made.hexdigest()


def _plain(row: Row) -> tuple[object, ...]:
    return row.version, row.at, row.role, row.text, bytes(row.body), row.format
