"""Which library is in force now, how sure that is, and why: read off what was seen, asked for and forbidden.

Inside the window a use goes before an import, then the newest message, then the fixed order of the table. The file that
a request means goes first, and its library lasts longer than the window.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import msgspec

from holdfast.faculties.aims.files import request_of, target_of
from holdfast.faculties.facts.preferences import preferences
from holdfast.faculties.revisions.guidance import Confidence, Record
from holdfast.reading.libraries.code import Libraries
from holdfast.reading.libraries.overrides import Override
from holdfast.state import State

WINDOW = 10
FADE = 0.05


class Seen(msgspec.Struct, frozen=True, omit_defaults=True):
    """When code last used and last imported a library, as numbers of messages; `version` is where to look it up."""

    used: int = 0
    imported: int = 0
    version: int = 0
    real: str = ""
    words: str = ""

    @property
    def last(self) -> int:
        return self.used or self.imported


class Asked(msgspec.Struct, frozen=True, omit_defaults=True):
    """An override that waits for its first code."""

    override: Override
    at: int
    version: int
    file: str | None = None
    warnings: tuple[str, ...] = ()


class Revisions(msgspec.Struct, frozen=True, omit_defaults=True):
    messages: int = 0
    """Messages that count: of both sides, without system messages and failed ones."""
    seen: dict[str, Seen] = {}
    files: dict[str, dict[str, Seen]] = {}
    """File → library → when it last wrote the file. Oldest file first."""
    let_go: dict[str, int] = {}
    """Library → the message that put it aside: older uses no longer count."""
    asked: Asked | None = None
    """The override that waits for its first code."""
    rejected: tuple[str, ...] = ()
    """Libraries that this conversation must not use."""
    allowed: tuple[str, ...] = ()
    """Libraries that the person asked for here and that were then used, whatever they said for all time."""
    softened: int = 0
    """Version of the message that asked for something different without saying what."""


class InForce:
    """The answers of one table of libraries."""

    def __init__(self, libraries: Libraries) -> None:
        self.libraries = libraries

    def record(self, state: State) -> Record | None:
        """The library that the current request goes on with, or None where the choice is free."""
        own: Revisions = state.revisions
        target, waits = target_of(state), waiting(own)
        if waits is not None and (target is None or waits.file in (None, target)):
            return None
        for record in self._ranked(state, target):
            if waits is None or record.file is not None:
                soft = own.softened == state.version
                return msgspec.structs.replace(record, confidence="medium") if soft else record
        return None

    def _ranked(self, state: State, target: str | None) -> list[Record]:
        """The records that may guide, best first: those of the file that is meant, else those of the window: what else
        was used in between wrote other files."""
        own: Revisions = state.revisions
        table = own.files.get(target or "", {})
        used, place = table or own.seen, self.libraries.place
        found = self._records(state, used, target if table else None)
        found.sort(key=lambda r: (r.confidence != "high", -used[r.library].last, place(r.library)))
        request = request_of(state)
        if request is None or not request.output:
            return found
        # Several libraries at once: the kind of output that is spoken of decides. A new file: only what can make it.
        found.sort(key=lambda r: self.libraries[r.library].use_case != request.output)
        made = [r for r in found if self.libraries[r.library].use_case == request.output]
        return made if request.mode == "creation" else found

    def _records(self, state: State, table: Mapping[str, Seen], file: str | None) -> list[Record]:
        """The records of a table, without those that are forbidden or give way to one that the person always uses."""
        own, held = state.revisions, preferences(state)
        barred = {*own.rejected, *held.bans} - {*own.allowed}
        names = [name for name in table if name in self.libraries and name not in barred]
        free = [name for name in names if held.pins.get(self.libraries[name].use_case, name) == name]
        return [record for name in free if (record := self._record(own, name, table[name], file)) is not None]

    def _record(self, own: Revisions, name: str, seen: Seen, file: str | None) -> Record | None:
        """The record of one library now, or None where it is too far back, too weak or put aside."""
        aside = own.let_go.get(name, -1)
        near = own.messages - WINDOW if file is None else 0
        used = seen.used if seen.used > max(aside, near) else 0
        imported = seen.imported if seen.imported > max(aside, near) else 0
        if not used and not imported:
            return None
        live = msgspec.structs.replace(seen, used=used, imported=imported)
        power = strength(own, live, floor=0.2 if file is not None else 0.1)
        if power < 0.2:
            return None
        sure: Confidence = "high" if fresh(own, live) >= 0.5 else "medium"
        row = self.libraries[name]
        return Record(name, row.sentence(), sure, power, seen.version, seen.real, file, seen.words)

    def tracked(self, state: State) -> list[dict[str, object]]:
        """Every library of the conversation, newest first, with its last use, strength and files."""
        own: Revisions = state.revisions
        listed = []
        for name, seen in sorted(own.seen.items(), key=lambda item: -item[1].last):
            power = strength(own, seen)
            label = "high" if seen.used and power >= 0.5 else "medium" if power >= 0.2 else "low"
            files = [file for file, table in own.files.items() if name in table]
            row: dict[str, object] = {"library": name, "real": seen.real, "strength": power, "confidence": label}
            listed.append({**row, "lastUse": seen.version, "files": files})
        return listed

    def why(self, state: State, words: Mapping[str, Any]) -> str:
        """Which library is in force, and which message decided it, in the sentences of a language."""
        waits = waiting(state.revisions)
        if waits is not None and waits.override.requested:
            told = waits.override
            return str(words["why_asked"]).format(library=told.requested, version=waits.version, words=told.matched)
        record = self.record(state)
        if record is None:
            return str(words["why_free"])
        wanted = record.library in (*state.revisions.allowed, *preferences(state).pins.values())
        return str(words["why_wanted" if wanted else "why_code"]).format(
            library=record.library,
            about=str(words["for_file"]).format(file=record.file) if record.file else "",
            version=record.version,
        )


def fresh(own: Revisions, seen: Seen) -> float:
    """The strength of the last use alone."""
    return round(1.0 - FADE * (own.messages - seen.used), 4) if seen.used else 0.0


def strength(own: Revisions, seen: Seen, floor: float = 0.1) -> float:
    """1 at a use, a half at an import; every later message without use takes a little, down to the floor."""
    bare = 0.5 - FADE * (own.messages - seen.imported)
    return round(max(fresh(own, seen), bare, floor), 4)


def waiting(own: Revisions) -> Asked | None:
    """The override that still holds back the old guidance."""
    waits = own.asked
    if waits is None or own.messages - waits.at >= WINDOW:
        return None
    if waits.override.kind == "reject" or (waits.override.kind == "approach" and waits.override.ambiguous):
        return None
    return waits
