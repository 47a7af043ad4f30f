"""The whole of a turn, found again in the logs: what it wrote to its session's, its project's and its user's.

A turn writes one row to each log that it touches, all at one time; by that time the rows are matched."""

from __future__ import annotations

import time
from collections.abc import Sequence
from math import inf

from holdfast.events import Event
from holdfast.receipt import Receipt, receipt
from holdfast.session import Holdfast, Past, Session, keys_of
from holdfast.state import Entry
from holdfast.stores.protocol import Key, SessionInfo
from holdfast.turn import Turn

PAGE = 200
Beside = dict[tuple[Key, float, str], list[tuple[Event, ...]]]


def beside(hf: Holdfast, info: SessionInfo, since: float = -inf) -> Beside:
    """What stands in the logs of a session's project and user, by log, time and role. With a time, only the newest part
    of those logs is read, back to it."""
    found: Beside = {}
    for key in keys_of(info).values():
        newest_first: list[Entry] = []
        top = hf.store.version(key) if key.kind != "session" else 0
        while top > 0:
            page = list(hf.entries(key, max(0, top - PAGE), top))
            newest_first += reversed(page)
            if not page or page[0].at < since:
                break
            top = page[0].version - 1
        for entry in reversed(newest_first):
            if entry.at >= since:
                found.setdefault((key, entry.at, entry.role), []).append(entry.events)
    return found


def receipts(chat: Session, entries: Sequence[Entry]) -> list[Receipt]:
    """The receipt of each entry of a session, in order, whole: with what it wrote to the logs of the user and the
    project."""
    wide = beside(chat.holdfast, chat.about, entries[0].at) if entries else {}
    return [told(chat.about, entry, wide) for entry in entries]


def together(info: SessionInfo, entry: Entry, wide: Beside) -> list[Event]:
    """Everything that a turn recorded, in its session and beside it; what stood beside it is taken out of `wide`."""
    events = list(entry.events)
    for key in keys_of(info).values():
        if rows := wide.get((key, entry.at, entry.role)):
            events += rows.pop(0)
    return events


def told(info: SessionInfo, entry: Entry, wide: Beside) -> Receipt:
    return receipt(entry.version, together(info, entry, wide))


def again(chat: Session, past: Past) -> tuple[Turn, float]:
    """The turn of a person's message of the past, decided again on what was known before it: what the agent was sent,
    to the letter, since a turn is a pure function; and the seconds that deciding took. Raises Refused for anything that
    no person said."""
    state = chat.before(past.version)
    start = time.perf_counter()
    return chat.heard(past.version, state).result, time.perf_counter() - start
