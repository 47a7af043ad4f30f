"""`holdfast compact`: leave no byte of what was erased in the files, now, and wait for it."""

from __future__ import annotations

import time
from argparse import Namespace
from collections.abc import Callable

from holdfast.cli.terminal import console, existing_store, plain, where

LOOK = 0.1


def run(options: Namespace) -> int:
    store = existing_store(options.store)
    compact: Callable[[], None] | None = getattr(store, "compact", None)
    if compact is not None:
        compact()
    while compact is None and store.waiting():  # the store is at work on it
        time.sleep(LOOK)
    console().print(plain(f"no byte of what was erased is left in the files of {where(options.store)}"))
    store.close()
    return 0
