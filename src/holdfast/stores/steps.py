"""Work that is done in short steps: while somebody waits for it, and after that on a thread, so that others have their
turns in between."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable

from holdfast.errors import StoreError
from holdfast.stores.protocol import FOREVER

PAUSE = 0.005
"""Seconds between two steps that somebody waits for."""
AT_ONCE = 8
"""Steps without a pause, which is all that a small work has."""
AFTERWARDS = 0.03
"""The same on the thread."""
BLOCKED = 0.25
"""Seconds of waiting for others after which a call no longer waits with us."""
WORK = "work that goes on in the background"


class Steps:
    """A step says whether it was possible, or None where nothing is left. What it raises beside errors of a store is
    named by `faults`: then the work stays written down, and is tried again."""

    def __init__(self, step: Callable[[], bool | None], *faults: type[Exception]) -> None:
        self._step = step
        self._faults: tuple[type[Exception], ...] = (StoreError, *faults)
        self._thread: threading.Thread | None = None
        self._closed = threading.Event()
        self._starting = threading.Lock()

    def finish(self, patience: float = FOREVER) -> None:
        """Go on until nothing is left, until somebody else holds it up, or for so many seconds; what is then left is
        done in the background."""
        give_up, blocked, done = time.monotonic() + patience, 0.0, 0
        while not (late := time.monotonic() >= give_up or blocked > BLOCKED) and (step := self._step()) is not None:
            blocked, done = blocked + (0.0 if step else PAUSE), done + 1
            if not step or done > AT_ONCE:
                time.sleep(PAUSE)
        if late:
            self._later()

    def _later(self) -> None:
        with self._starting:
            if self._thread is None or not self._thread.is_alive():
                self._thread = threading.Thread(target=self._go_on, name="holdfast-erasing", daemon=True)
                self._thread.start()

    def _go_on(self) -> None:
        pause = PAUSE
        while not self._closed.is_set():
            try:
                step = self._step()
            except self._faults:  # busy, full or closed
                step = False
            if step is None:
                return
            pause = AFTERWARDS if step else min(2 * pause, 1.0)
            self._closed.wait(pause)

    def close(self) -> None:
        self._closed.set()
        thread = self._thread
        if thread is not None and thread is not threading.current_thread():
            thread.join(5)
