"""What is made of a file that comes with Holdfast, kept ready in `__pycache__`, as Python keeps what it compiles.

A table takes milliseconds to parse, and a process that answers one message reads dozens. What was made is found again
by the content it was made of and by the code that made it. It is written whole and then moved into place, so that two
processes can do it at once; where nothing may be written, it is made anew each time.
"""

from __future__ import annotations

import marshal
import os
import struct
import sys
from collections.abc import Callable
from contextlib import suppress
from functools import cache
from mmap import ACCESS_READ, mmap
from threading import get_ident
from typing import Any, TypeVar
from zlib import crc32

Made = TypeVar("Made")


def ready(place: str, content: bytes, make: Callable[[], Made], *others: Callable[..., Any]) -> Made:
    """What `make`, with the help of `others`, makes of the content of a file: plain values, as `marshal` takes them."""
    key = crc32(content, sum(_sum(maker.__code__.co_filename) for maker in (make, *others)) & 0xFFFFFFFF)
    with suppress(OSError), open(_beside(place), "rb") as file:
        kept = memoryview(file.read())
        if kept[:8] == struct.pack("<II", key, crc32(kept[8:])):
            return marshal.loads(kept[8:])  # type: ignore[no-any-return]
    made = make()
    data = marshal.dumps(made)  # type: ignore[arg-type]
    _keep(_beside(place), struct.pack("<II", key, crc32(data)) + data)
    return made


def ready_bytes(place: str, key: bytes, make: Callable[[], bytes]) -> memoryview:
    """Many bytes that are made of a file whose content has that key. They stay on disk: who looks at some of them loads
    those."""
    with suppress(OSError, ValueError), open(_beside(place), "rb") as file:
        kept = memoryview(mmap(file.fileno(), 0, access=ACCESS_READ))
        begin = len(key) + 8
        if kept[:begin] == key + struct.pack("<Q", len(kept)):
            return kept[begin:]
    made = make()
    _keep(_beside(place), key + struct.pack("<Q", len(key) + 8 + len(made)) + made)
    return memoryview(made)


def _beside(place: str) -> str:
    folder, name = os.path.split(os.path.abspath(place))
    return f"{sys.pycache_prefix or ''}{folder}/__pycache__/{name}.{sys.implementation.cache_tag}.ready"


def _keep(place: str, data: bytes) -> None:
    coming = f"{place}.{os.getpid()}.{get_ident()}"
    try:
        os.makedirs(os.path.dirname(place), exist_ok=True)
        with open(coming, "wb") as file:
            file.write(data)
        os.replace(coming, place)
    except OSError:  # an installation that is not written to, or no space left
        with suppress(OSError):
            os.remove(coming)


@cache
def _sum(path: str) -> int:
    try:
        with open(path, "rb") as file:
            return crc32(file.read())
    except OSError:  # only compiled files are there
        return 0
