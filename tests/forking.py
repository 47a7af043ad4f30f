"""Forking in a process that ran other tests before."""

from __future__ import annotations

import gc
import os


def fork() -> int:
    """`os.fork`, with no collection of garbage in the child: what another test left behind, such as the server of a
    local model, waits for threads when it goes, and a child has none of them."""
    gc.disable()
    child = os.fork()
    if child:
        gc.enable()
    return child
