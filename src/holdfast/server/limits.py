"""What a connection may cost before anybody knows who is there: bytes and number of headers, time to send them and a
body, and how many such connections one address may have. Where an address has too many, the oldest of them goes: so
somebody who opens a thousand and sends nothing keeps nobody else out, not even their own next request.
"""

from __future__ import annotations

import asyncio
from collections import OrderedDict
from http import HTTPStatus
from typing import Any

from uvicorn.protocols.http.httptools_impl import HttpToolsProtocol

HEAD_BYTES = 64 * 1024
HEADERS = 100
HEAD_SECONDS = 10.0
BODY_SECONDS = 30.0
"""Seconds for any body, and beyond them as many as it takes at this rate:"""
BODY_RATE = 16 * 1024
UNFINISHED = 128
"""Connections of one address whose request has not arrived whole."""
UNFINISHED_IN_ALL = 1024
BODIES = 300_000_000
"""Bytes of all bodies that have not arrived whole: one archive and some more. Beyond that the largest one goes."""
LOOK = 1.0
"""Seconds between two looks at a connection that sends."""


class Bounded(HttpToolsProtocol):
    """A connection within limits."""

    def __init__(self, *given: Any, **named: Any) -> None:
        super().__init__(*given, **named)
        self._head = 0
        self._body: int | None = None
        self._since = 0.0
        self._timer: asyncio.TimerHandle | None = None

    # The connection

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        super().connection_made(transport)
        self._expect()

    def connection_lost(self, exc: Exception | None) -> None:
        self._arrived()
        super().connection_lost(exc)

    def data_received(self, data: bytes) -> None:
        if self._body is None:
            self._head += len(data)
        super().data_received(data)
        if self._body is None and self._timer is not None and self._head > HEAD_BYTES:
            self._refuse(HTTPStatus.REQUEST_HEADER_FIELDS_TOO_LARGE)

    # The request

    def on_message_begin(self) -> None:
        super().on_message_begin()
        if self._timer is None:
            self._expect()

    def on_header(self, name: bytes, value: bytes) -> None:
        if len(self.headers) >= HEADERS:
            self._refuse(HTTPStatus.REQUEST_HEADER_FIELDS_TOO_LARGE)
            return
        super().on_header(name, value)

    def on_headers_complete(self) -> None:
        if self.transport.is_closing():
            return
        if sum(len(name) + len(value) for name, value in self.headers) > HEAD_BYTES or len(self.url) > HEAD_BYTES:
            self._refuse(HTTPStatus.REQUEST_HEADER_FIELDS_TOO_LARGE)
            return
        self._body, self._since = 0, self.loop.time()
        super().on_headers_complete()

    def on_body(self, body: bytes) -> None:
        if self.transport.is_closing():
            return
        self._body = (self._body or 0) + len(body)
        super().on_body(body)
        sending = list(_waiting(self.server_state))
        if sum(each._body or 0 for each in sending) > BODIES:
            max(sending, key=lambda each: each._body or 0)._refuse(HTTPStatus.SERVICE_UNAVAILABLE)

    def on_message_complete(self) -> None:
        if self.transport.is_closing():
            return
        self._arrived()
        super().on_message_complete()

    # The limits

    def _expect(self) -> None:
        """Something is to arrive from now on."""
        self._head, self._body, self._since = 0, None, self.loop.time()
        self._timer = self.loop.call_later(LOOK, self._look)
        unfinished = _waiting(self.server_state)
        unfinished[self] = self.client[0] if self.client else ""
        own = [each for each, address in unfinished.items() if address == unfinished[self]]
        crowd = own if len(own) > UNFINISHED else list(unfinished) if len(unfinished) > UNFINISHED_IN_ALL else []
        if crowd:
            crowd[0]._drop()

    def _arrived(self) -> None:
        """The request is there, or the connection is gone."""
        if self._timer is not None:
            self._timer.cancel()
            self._timer = None
        self._head, self._body = 0, None
        _waiting(self.server_state).pop(self, None)

    def _look(self) -> None:
        waited = self.loop.time() - self._since
        sending = self._body is not None
        if waited > (BODY_SECONDS + (self._body or 0) / BODY_RATE if sending else HEAD_SECONDS):
            self._refuse(HTTPStatus.REQUEST_TIMEOUT) if self._head or sending else self._drop()
        else:
            self._timer = self.loop.call_later(LOOK, self._look)

    def _refuse(self, status: HTTPStatus) -> None:
        if not self.transport.is_closing():
            line = f"HTTP/1.1 {status.value} {status.phrase}\r\ncontent-length: 0\r\nconnection: close\r\n\r\n"
            self.transport.write(line.encode())
            self._drop()

    def _drop(self) -> None:
        self._arrived()
        self.transport.close()


def _waiting(server_state: Any) -> OrderedDict[Bounded, str]:
    """Connections of a server whose request has not arrived whole, oldest first, with their addresses."""
    found: OrderedDict[Bounded, str] | None = getattr(server_state, "holdfast_unfinished", None)
    if found is None:
        found = server_state.holdfast_unfinished = OrderedDict()
    return found
