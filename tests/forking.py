"""Forking in a process that ran other tests before."""

from __future__ import annotations

import gc
import os


def fork() -> int:
    """`os.fork`, with nothing left to collect in the child: what another test left behind, such as the server of a
    local model, waits for threads when it goes, and a child has none of them."""
    gc.collect()
    child = os.fork()
    if child == 0:
        gc.disable()
    return child
