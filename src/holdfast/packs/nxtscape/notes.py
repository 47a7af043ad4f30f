"""What the browser's message list holds beside talk: one system message, and the notes of tools."""

from __future__ import annotations

import msgspec

from holdfast.events import Cleared, Event
from holdfast.faculty import Faculty
from holdfast.state import Moment

MAX_NOTE_CHARS = 20_000
"""Characters of a system message or a tool's note."""


class SystemSet(Event, frozen=True):
    """The system message was set; only the newest one exists."""

    text: str


class ToolNoted(Event, frozen=True):
    """A tool reported something to the agents."""

    did = "noted"

    text: str
    images: int = 0

    def tell(self) -> str:
        return self.text[:80]


class Notes(msgspec.Struct, frozen=True, omit_defaults=True):
    system: str = ""


class NotesFaculty(Faculty):
    name = "notes"
    slice = Notes
    events = (SystemSet, ToolNoted, Cleared)
    hears = ("images",)

    def fold(self, slice: Notes, event: Event, moment: Moment) -> Notes:
        match event:
            case SystemSet(text=text):
                return Notes(text)
            case Cleared(what="everything"):
                return Notes()
        return slice
