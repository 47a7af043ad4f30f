"""A turn of the past, decided again: its route, and exactly what the agent was told.

A turn is a pure function of the message, the state before it and the time, and all three are in the logs. So nothing
about a turn is stored twice, and still everything about it can be shown at any time. It costs a replay of the logs and
is done when somebody looks."""

from __future__ import annotations

import time

from holdfast import turn
from holdfast.errors import UnknownVersion
from holdfast.events import MessageHeard, Scope
from holdfast.session import Session
from holdfast.state import State, Stream


def again(chat: Session, version: int) -> tuple[turn.Turn, float]:
    """The turn that the person's message of this version brought about, and the seconds that deciding takes."""
    entry = chat.entry(version).entry
    message = next((event for event in entry.events if isinstance(event, MessageHeard)), None)
    if message is None:
        raise UnknownVersion(f"version {version} is no message of a person; the history tells which are")
    known = {name: value for name, value in message.attached.items() if name in chat.pack.attachments["hear"]}
    before = _before(chat, version, entry.at)
    start = time.perf_counter()
    told = turn.hear(message.text, before, chat.pack, entry.at, chat.id, message.imported, **known).result
    return told, time.perf_counter() - start


def _before(chat: Session, version: int, at: float) -> State:
    """What was known when the message came: the session up to it, and what its user and project knew by then."""
    streams: dict[Scope, Stream] = {}
    for scope, key in chat.keys.items():
        entries = chat.holdfast.entries(key, upto=version - 1 if scope == "session" else None)
        streams[scope] = chat.pack.folder.replay(each for each in entries if scope == "session" or each.at < at)
    return State(streams["session"], streams.get("project"), streams.get("user"))
