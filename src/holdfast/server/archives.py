"""Whole archives over HTTP: every log of a session, a user, a project or of all that the caller has, row by row.

An archive is sent as it is read, and taken in as a whole or not at all. It goes back to the tenant that it came from:
rows hold the names that they were recorded under, and are carried byte for byte.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import chain
from typing import Any

import msgspec
from starlette.requests import Request
from starlette.responses import Response, StreamingResponse

from holdfast.errors import HoldfastError, InvalidInput
from holdfast.exchange import archive
from holdfast.server.endpoint import Running, allow, read
from holdfast.server.house import ANYONE, Caller
from holdfast.server.problems import respond
from holdfast.session import Holdfast

KIND = "application/x-ndjson"
SCOPES = ("session", "user", "project")


class Archives:
    """The two ways of an archive."""

    def __init__(self, running: Running) -> None:
        self._running = running

    async def give(self, request: Request) -> Response:
        """GET /api/archive: everything, or `session`, `user` or `project`."""
        caller: Caller = request.scope.get("caller", ANYONE)
        try:
            allow(caller, "read")
            wanted = {name: value for name in SCOPES if (value := request.query_params.get(name)) is not None}
            lines = await self._running.work(lambda: self._begun(caller, wanted))
        except HoldfastError as wrong:
            return respond(wrong, caller.prefix)
        headers = {"content-disposition": 'attachment; filename="holdfast.jsonl"'}
        return StreamingResponse((f"{line}\n" for line in lines), media_type=KIND, headers=headers)

    async def take(self, request: Request) -> Response:
        """POST /api/archive: an archive as `give` and `holdfast export --format archive` write it."""
        caller: Caller = request.scope.get("caller", ANYONE)
        try:
            allow(caller, "write")
            data = await read(request, self._running.settings.archive_limit, KIND)
            done = await self._running.work(lambda: self._restored(caller, data), slow=True)
        except HoldfastError as wrong:
            return respond(wrong, caller.prefix)
        self._running.after_write()
        return Response(msgspec.json.encode(done._asdict()), media_type="application/json")

    def _begun(self, caller: Caller, wanted: dict[str, str]) -> Iterator[str]:
        """The lines, with the first one read: what cannot be given is refused before anything is sent."""
        named: dict[str, Any] = {kind: self._running.house.stored(caller, id, kind) for kind, id in wanted.items()}
        lines = archive.lines(self._engine(), prefix=caller.prefix, **named)
        first = [line for _, line in zip(range(2), lines, strict=False)]
        return chain(first, lines)

    def _restored(self, caller: Caller, data: bytes) -> archive.Restored:
        try:
            return archive.restore(self._engine(), data, prefix=caller.prefix)
        except msgspec.MsgspecError as wrong:
            raise InvalidInput(f"the archive cannot be read: {wrong}; nothing was written") from None

    def _engine(self) -> Holdfast:
        return self._running.house.engine(self._running.house.pack)
