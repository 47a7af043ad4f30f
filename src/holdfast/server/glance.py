"""What a list of conversations tells of each: its subject, its turns, its language. A list is asked for after every
message, so what was read off a state is kept as long as the conversation stands still."""

from __future__ import annotations

import threading
from collections import OrderedDict
from collections.abc import Callable
from typing import NamedTuple

from holdfast.errors import PackError, UnknownPack
from holdfast.session import Holdfast
from holdfast.state import State
from holdfast.stores.protocol import SessionInfo

KEPT = 5000


class Glance(NamedTuple):
    """A conversation at a glance."""

    subject: str = ""
    """The name that it was given, or what it is about, where something other than its first words says so."""
    turns: int = 0
    language: str | None = None


class Glances:
    """Glances at conversations, by name; one of another version, or of another conversation of that name, is new."""

    def __init__(self, engine: Callable[[str], Holdfast]) -> None:
        self._engine = engine
        self._kept: OrderedDict[str, tuple[tuple[int, float], Glance]] = OrderedDict()
        self._lock = threading.Lock()

    def of(self, info: SessionInfo) -> Glance:
        stand = (info.version, info.created)
        with self._lock:
            held = self._kept.get(info.name)
        if held is not None and held[0] == stand:
            return held[1]
        found = self._look(info)
        with self._lock:
            self._kept[info.name] = (stand, found)
            self._kept.move_to_end(info.name)
            while len(self._kept) > KEPT:
                self._kept.popitem(last=False)
        return found

    def _look(self, info: SessionInfo) -> Glance:
        try:
            state = self._engine(info.pack).session(info.name).state
        except (PackError, UnknownPack):  # of a pack that is no longer installed: it is still listed
            return Glance()
        talk = state.conversation
        return Glance(talk.title or _subject(state), talk.turns, talk.language)


def _subject(state: State) -> str:
    slices = state.session.slices
    if "files" in slices and slices["files"].files:
        return str(slices["files"].newest[0].name)
    if "procedure" in slices and slices["procedure"].system:
        return str(slices["procedure"].system).replace("_", " ")
    return ""
