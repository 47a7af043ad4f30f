"""What a list of conversations tells of each: its subject, its turns, its language. A list is asked for after every
message, so what was read off a state is kept as long as the conversation stands still."""

from __future__ import annotations

import threading
from collections import OrderedDict
from collections.abc import Callable, Sequence
from itertools import groupby
from operator import attrgetter
from typing import NamedTuple

from holdfast.errors import PackError, UnknownPack
from holdfast.session import Holdfast
from holdfast.state import State
from holdfast.stores.protocol import SessionInfo

KEPT = 5000


class Glance(NamedTuple):
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

    def of(self, infos: Sequence[SessionInfo]) -> list[Glance]:
        with self._lock:
            known = ((info, self._kept.get(info.name)) for info in infos)
            held = {info.name: kept[1] for info, kept in known if kept and kept[0] == (info.version, info.created)}
        new = sorted((info for info in infos if info.name not in held), key=attrgetter("pack"))
        for pack, some in groupby(new, key=attrgetter("pack")):
            held |= self._look(pack, list(some))
        with self._lock:
            for info in new:
                self._kept[info.name] = ((info.version, info.created), held[info.name])
                self._kept.move_to_end(info.name)
            while len(self._kept) > KEPT:
                self._kept.popitem(last=False)
        return [held[info.name] for info in infos]

    def clear(self) -> None:
        """Let go of all: some of it was erased."""
        with self._lock:
            self._kept.clear()

    def _look(self, pack: str, infos: Sequence[SessionInfo]) -> dict[str, Glance]:
        try:
            states = self._engine(pack)._states([info.name for info in infos])
        except (PackError, UnknownPack):  # of a pack that is no longer installed: it is still listed
            return {info.name: Glance() for info in infos}
        talks = [(info.name, state.conversation, state) for info, state in zip(infos, states, strict=True)]
        return {name: Glance(t.title or _subject(state), t.turns, t.language) for name, t, state in talks}


def _subject(state: State) -> str:
    slices = state.session.slices
    if "files" in slices and slices["files"].files:
        return str(slices["files"].newest[0].name)
    if "procedure" in slices and slices["procedure"].system:
        return str(slices["procedure"].system).replace("_", " ")
    return ""
