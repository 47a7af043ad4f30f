"""What a forked process needs before it may go on with what its parent opened.

SQLite forbids using a connection in the child, and a new one there is not safe by itself: SQLite believes that its
process holds the locks which the parent took, while the system gave the child none. A parent that closes would then
take the child's turns with it. So the child takes those two locks itself and opens the file anew; and it starts with
locks of its own, because those of the parent may have been held by threads that the child does not have.

A fork waits until no other thread is in the middle of a write: the child would otherwise believe for ever that the
database is locked. One that forks itself inside a turn has a child that cannot use what was opened before, and that is
told so.
"""

from __future__ import annotations

import os
from typing import Protocol, runtime_checkable
from weakref import WeakSet

SHARED = (0x4000_0002, 510)
"""Where SQLite locks a database file that is in use, and how many bytes."""
SHARED_MEMORY = (128, 1)
"""The same in the file beside it that the processes share."""

_held: list[int] = []
"""Files that stay open as long as the process lives: closing one would give up every lock on it."""


class Forked(Protocol):
    """What was opened before a fork and wants to live on in the child."""

    def forked(self) -> None:
        """In the child: go on with what is safe to go on with."""
        ...


@runtime_checkable
class Held(Protocol):
    """What nobody may be in the middle of while a process forks."""

    outer: bool
    """Whether it is waited for first: a turn, before the store that it writes to."""

    def hold(self) -> None:
        """Before the fork: wait until nobody is."""
        ...

    def release(self) -> None:
        """After it, in the parent."""
        ...


_opened: WeakSet[Forked] = WeakSet()


def survive(opened: Forked) -> None:
    """Tell `opened` in every child that is forked from here on."""
    _opened.add(opened)


def closed(opened: Forked) -> None:
    """It has ended: children have nothing to do for it."""
    _opened.discard(opened)


def hold(path: str) -> None:
    """Take the locks on a SQLite file in WAL mode that every process with an open connection has."""
    import fcntl

    for name, (start, length) in ((path, SHARED), (f"{path}-shm", SHARED_MEMORY)):
        try:
            file = os.open(name, os.O_RDWR | os.O_CLOEXEC)
        except OSError:
            continue  # gone meanwhile: whoever opens it will say so
        _held.append(file)
        fcntl.lockf(file, fcntl.LOCK_SH, length, start)


def _before() -> None:
    held = [opened for opened in _opened if isinstance(opened, Held)]
    for opened in sorted(held, key=lambda opened: not opened.outer):
        opened.hold()


def _in_parent() -> None:
    for opened in list(_opened):
        if isinstance(opened, Held):
            opened.release()


def _in_child() -> None:
    for opened in list(_opened):
        opened.forked()


if hasattr(os, "register_at_fork"):
    os.register_at_fork(before=_before, after_in_parent=_in_parent, after_in_child=_in_child)
