"""A message that waits for a model: written in one transaction with its turn, and kept until it is done with, so that
whoever opens the store next goes on where somebody was stopped."""

from __future__ import annotations

import msgspec


class Pending(msgspec.Struct, frozen=True):
    """Names a message by its session and version, and holds none of its words."""

    session: str
    opinion: int
    """Version of the message."""
    pack: str
    forget: str = ""
    """Nothing: a release that knows no opinions takes this for an item to erase, finds none, and drops it."""

    def encoded(self) -> bytes:
        return msgspec.json.encode(self)


def pending(job: bytes) -> Pending | None:
    """What a job of the store waits for, where that is a model."""
    try:
        return msgspec.json.decode(job, type=Pending)
    except msgspec.MsgspecError:
        return None
