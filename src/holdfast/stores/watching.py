"""Two threads beside a PostgreSQL store: one ends what does not answer in time, one tells others of changes.

A database that says nothing at all (a silent network, a machine that hangs) is not ended by its own timeouts, and the
driver would wait for it for ever.
"""

from __future__ import annotations

import os
import socket
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from typing import Any

from holdfast.errors import HoldfastError

GRACE = 1.0
"""Seconds beyond the database's own timeout: it should be the one to say that something took too long."""
TOGETHER = 0.1
"""Seconds in which changes are told of together: each telling holds up everyone who commits."""


class Watch:
    """Shuts the connections on which an answer does not come."""

    def __init__(self, seconds: float) -> None:
        self._seconds = seconds + GRACE
        self._since: dict[int, tuple[Any, float]] = {}
        self._lock = threading.Lock()
        self._closed = threading.Event()
        self._thread: threading.Thread | None = None

    @contextmanager
    def over(self, connection: Any) -> Iterator[None]:
        """Inside, the connection is shut when it takes too long."""
        me = threading.get_ident()
        with self._lock:
            outer = self._since.get(me)
            self._since[me] = (connection, time.monotonic())
            if self._thread is None:
                self._thread = threading.Thread(target=self._look, name="holdfast-watch", daemon=True)
                self._thread.start()
        try:
            yield
        finally:
            with self._lock:
                if outer is None:
                    self._since.pop(me, None)
                else:
                    self._since[me] = outer

    def _look(self) -> None:
        while not self._closed.wait(self._seconds / 8):
            with self._lock:
                late = [c for c, since in self._since.values() if time.monotonic() - since > self._seconds]
                for connection in late:
                    self._shut(connection)

    @staticmethod
    def _shut(connection: Any) -> None:
        """Whoever waits on it is told that it is gone. The connection itself is closed by its owner."""
        with suppress(OSError, ValueError, AttributeError), socket.socket(fileno=os.dup(connection.fileno())) as line:
            line.shutdown(socket.SHUT_RDWR)

    def close(self) -> None:
        self._closed.set()


class Herald:
    """Tells others, soon and in one go, that something changed."""

    def __init__(self, notify: Callable[[], None]) -> None:
        self._notify = notify
        self._due = threading.Event()
        self._closed = False
        self._thread: threading.Thread | None = None

    def announce(self) -> None:
        if self._thread is None:
            self._thread = threading.Thread(target=self._run, name="holdfast-herald", daemon=True)
            self._thread.start()
        if not self._due.is_set():
            self._due.set()

    def _run(self) -> None:
        while not self._closed:
            self._due.wait()
            self._due.clear()
            with suppress(HoldfastError):  # those who missed it look for themselves now and then
                self._notify()
            time.sleep(TOGETHER)

    def close(self) -> None:
        self._closed = True
        self._due.set()
