"""A real server on a loopback port, in a thread: for what needs sockets."""

from __future__ import annotations

import asyncio
import json
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import httpx2
import uvicorn.server

from holdfast.server import Server, Settings
from holdfast.server.serving import Listening, bind
from tests.server.desk import DESK


class _Awake:
    """`asyncio` as uvicorn sees it here: it looks ten times as often whether it should stop."""

    def __getattr__(self, name: str) -> Any:
        return getattr(asyncio, name)

    async def sleep(self, seconds: float) -> None:
        await asyncio.sleep(min(seconds, 0.01))


uvicorn.server.asyncio = _Awake()  # type: ignore[attr-defined, assignment]


@contextmanager
def served(**settings: Any) -> Iterator[str]:
    """The address of a server that runs as long as the block."""
    chosen = Settings(**{"pack": "desk", "port": 0, "rate": 0, **settings})
    taken = bind(chosen)
    listening = Listening(Server(chosen, (DESK,)))
    thread = threading.Thread(target=listening.run, args=([taken],), daemon=True)
    thread.start()
    until(lambda: listening.started)
    try:
        yield f"http://127.0.0.1:{taken.getsockname()[1]}"
    finally:
        listening.should_exit = True
        thread.join(20)
        assert not thread.is_alive(), "the server did not stop"


def until(done: Any, seconds: float = 10) -> None:
    give_up = time.monotonic() + seconds
    while not done():
        assert time.monotonic() < give_up, "it did not happen"
        time.sleep(0.01)


class View:
    """A live view that is read on a thread; `events` grows as they come."""

    def __init__(self, address: str, id: str, last: str = "", headers: dict[str, str] | None = None) -> None:
        self.events: list[dict[str, Any]] = []
        self.last = last
        self.ended = False
        self._client = httpx2.Client(timeout=30)
        more = {"last-event-id": last} if last else {}
        request = self._client.build_request(
            "GET", f"{address}/api/sessions/{id}/events", headers={**(headers or {}), **more}
        )
        self._response = self._client.send(request, stream=True)
        self.status = self._response.status_code
        threading.Thread(target=self._read, daemon=True).start()

    def _read(self) -> None:
        id = self.last
        try:
            for line in self._response.iter_lines():
                if line.startswith("id: "):
                    id = line[4:]
                elif line.startswith("data: "):
                    self.events.append(json.loads(line[6:]))
                    self.last = id
        except (httpx2.HTTPError, RuntimeError, AttributeError):
            pass
        self.ended = True

    def of(self, kind: str) -> list[dict[str, Any]]:
        return [event for event in list(self.events) if event["type"] == kind]

    def wait(self, kind: str, count: int = 1) -> list[dict[str, Any]]:
        until(lambda: len(self.of(kind)) >= count)
        return self.of(kind)

    def close(self) -> None:
        self._response.close()
        self._client.close()
