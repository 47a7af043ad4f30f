"""What SQLite leaves behind in the pages of its file, and how it is taken out.

A deleted row is overwritten (`secure_delete`), but when SQLite rearranges a page it leaves older copies of rows in the
part of the page that is not in use; and files of older releases have whole pages of that kind. These bytes mean nothing
to SQLite. They are zeroed in the file itself, under SQLite's own lock for writing and only while the write-ahead log is
empty: then nobody else writes to the file, and no newer form of a page is on its way into it.
"""

from __future__ import annotations

import os
import struct
from collections.abc import Iterable, Iterator, Mapping

INTERIOR, LEAF = (2, 5), (10, 13)
HEADER = 100
"""Bytes before the first page's content: the header of the file."""
Span = tuple[int, int]

_open: dict[tuple[int, int], int] = {}
"""Files by device and inode. They stay open as long as the process lives: closing one would give up every lock that
SQLite has on it."""


class Pages:
    """The pages of a database file."""

    def __init__(self, path: str) -> None:
        about = os.stat(path)
        place = (about.st_dev, about.st_ino)
        if place not in _open:
            _open[place] = os.open(path, os.O_RDWR | os.O_CLOEXEC)
        self._file = _open[place]
        head = os.pread(self._file, HEADER, 0)
        self.size = int.from_bytes(head[16:18]) if head[16:18] != b"\0\1" else 65536
        self._usable = self.size - head[20]
        self.count = about.st_size // self.size

    def clean(self, number: int, free: Mapping[int, int]) -> bool:
        """Zero what is not in use in a page; whether there was anything."""
        page = os.pread(self._file, self.size, (number - 1) * self.size)
        if number in free:
            spans: Iterable[Span] = [(free[number], self.size)]
        elif int.from_bytes(page[:4]) <= self.count:  # from 137 GB on, the rest of a long row may begin like a tree
            spans = ()
        else:
            spans = unused(page, self._header(number), self._usable)
        dirty = [span for span in spans if any(page[slice(*span)])]
        for start, end in dirty:
            os.pwrite(self._file, bytes(end - start), (number - 1) * self.size + start)
        return bool(dirty)

    @staticmethod
    def _header(number: int) -> int:
        return HEADER if number == 1 else 0

    def free(self) -> dict[int, int]:
        """The pages that hold no row, with the bytes of each that are in use: SQLite keeps them in a list of lists."""
        head = os.pread(self._file, HEADER, 0)
        trunk, found = int.from_bytes(head[32:36]), dict[int, int]()
        while 0 < trunk <= self.count and trunk not in found:
            page = os.pread(self._file, self.size, (trunk - 1) * self.size)
            kept = min(int.from_bytes(page[4:8]), self.size // 4 - 2)
            found[trunk] = 8 + 4 * kept
            found |= dict.fromkeys(struct.unpack_from(f">{kept}I", page, 8), 0)
            trunk = int.from_bytes(page[0:4])
        return found

    def sync(self) -> None:
        os.fsync(self._file)


def unused(page: bytes, first: int, usable: int) -> Iterator[Span]:
    """The parts of a page of a tree that hold no row: between the list of its rows and the rows, and the gaps among
    them. Of a page that is not of a tree, or does not add up, nothing."""
    kind = page[first] if len(page) > first else 0
    if kind not in INTERIOR + LEAF:
        return
    rows = int.from_bytes(page[first + 3 : first + 5])
    start = first + (12 if kind in INTERIOR else 8) + 2 * rows
    end = int.from_bytes(page[first + 5 : first + 7]) or 65536
    if not start <= end <= usable:
        return
    yield start, end
    gap = int.from_bytes(page[first + 1 : first + 3])
    while end <= gap <= usable - 4:
        after, size = int.from_bytes(page[gap : gap + 2]), int.from_bytes(page[gap + 2 : gap + 4])
        if size < 4 or gap + size > usable:
            return
        yield gap + 4, gap + size
        if after <= gap:
            return
        gap = after
