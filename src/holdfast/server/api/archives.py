"""Whole archives: every log of a session, a user, a project or of all that the caller has, row by row.

An archive is sent as it is read, and taken in as a whole or not at all. It goes back to the tenant that it came from:
rows hold the names that they were recorded under, and are carried byte for byte.
"""

from __future__ import annotations

from itertools import chain, islice

import msgspec

from holdfast.errors import InvalidInput
from holdfast.exchange import archive
from holdfast.server.endpoint import Ask, Lines, route
from holdfast.server.shapes import Restored


@route("GET", "/api/archive")
def give_archive(ask: Ask, session: str | None = None, user: str | None = None, project: str | None = None) -> Lines:
    """Whole logs, row by row: all there are, or those of a session, a user or a project."""
    wanted = {"session": session, "user": user, "project": project}
    named = {kind: ask.house.stored(ask.caller, id, kind) for kind, id in wanted.items() if id is not None}
    lines = archive.lines(ask.house.engine(ask.house.pack), prefix=ask.caller.prefix, **named)
    first = list(islice(lines, 2))  # what cannot be given is refused before anything is sent
    return Lines(chain(first, lines), "holdfast.jsonl")


@route("POST", "/api/archive", scope="write", pace="slow")
def take_archive(ask: Ask, body: bytes) -> Restored:
    """An archive, taken in as a whole or not at all."""
    try:
        done = archive.restore(ask.house.engine(ask.house.pack), body, prefix=ask.caller.prefix)
    except msgspec.MsgspecError as wrong:
        raise InvalidInput(f"the archive cannot be read: {wrong}; nothing was written") from None
    return Restored.of(done)
