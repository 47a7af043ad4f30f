"""Receipts of turns that were recorded, whole: with what they wrote to the logs of the user and the project.

Only the newest part of those logs is read, back to the time of the oldest turn that is asked for."""

from __future__ import annotations

from collections.abc import Sequence

from holdfast.history.whole import Beside, told
from holdfast.receipt import Receipt
from holdfast.session import Session
from holdfast.state import Entry

PAGE = 200


def receipts(chat: Session, entries: Sequence[Entry]) -> list[Receipt]:
    """The receipt of each entry of a session, in order."""
    wide = _beside(chat, entries[0].at) if entries else {}
    return [told(chat.about, entry, wide) for entry in entries]


def _beside(chat: Session, since: float) -> Beside:
    found: Beside = {}
    for key in chat.keys.values():
        if key.kind == "session":
            continue
        newest_first: list[Entry] = []
        top = chat.holdfast.store.version(key)
        while top > 0:
            page = list(chat.holdfast.entries(key, max(0, top - PAGE), top))
            newest_first += reversed(page)
            if not page or page[0].at < since:
                break
            top = page[0].version - 1
        for entry in reversed(newest_first):
            if entry.at >= since:
                found.setdefault((key, entry.at, entry.role), []).append(entry.events)
    return found
