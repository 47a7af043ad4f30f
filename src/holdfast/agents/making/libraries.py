"""Which library makes a file: the one asked for, the one in force, or what the person always or rather wants."""

from __future__ import annotations

import importlib.util

from holdfast.agents.making.code import CAN, MODULES
from holdfast.agents.making.scenes import Kind
from holdfast.agents.making.shelf import EXTENSION
from holdfast.events import Event
from holdfast.faculties.facts.preferences import preferences
from holdfast.faculties.revisions.faculty import OverrideRead
from holdfast.session import Session
from holdfast.turn import Turn

PACKAGES = {"pandas": "pandas openpyxl", "fpdf": "fpdf2"}
"""What is installed for a library, where that is not its name."""
_USE_CASE = {**EXTENSION, "image": "image", "chart": "chart"}


def came(turn: Turn, *kinds: type[Event]) -> bool:
    """Whether a message brought one of some events."""
    return any(isinstance(event, kinds) for event in turn.events)


def absent(library: str) -> bool:
    """Whether a library is not installed."""
    return None in map(importlib.util.find_spec, MODULES.get(library, (library,)))


def chosen(kind: Kind, current: str, turn: Turn, chat: Session) -> str:
    """The library to take for a kind of file that is made with `current` now, or new."""
    allowed = _allowed(kind, chat)
    if asked := _asked_for(kind, turn, chat) or (None if current else _spoken(allowed, turn, chat)):
        return asked
    fits = [name for name in allowed if name == "pandas" or not writes_csv(turn)]
    if _wants_another(chat):
        return next((name for name in fits if name != current), current)
    return _wished(kind, fits, current, chat)


def _wished(kind: Kind, fits: list[str], current: str, chat: Session) -> str:
    """Of the libraries that can do it: what the user always wants, what is in force, what the user rather wants."""
    held, case = preferences(chat.state), _USE_CASE[kind]
    wishes = (held.pins.get(case), chat.face.in_force()["library"], current, held.preferred.get(case))
    return next((name for name in wishes if name in fits), (*fits, CAN[kind][0])[0])


def writes_csv(turn: Turn) -> bool:
    """Whether a message wants a sheet as plain text."""
    return "csv" in turn.text.lower()


def _allowed(kind: Kind, chat: Session) -> list[str]:
    revisions = chat.state.revisions
    barred = {*revisions.rejected, *preferences(chat.state).bans} - {*revisions.allowed}
    return [name for name in CAN[kind] if name not in barred]


def _asked_for(kind: Kind, turn: Turn, chat: Session) -> str | None:
    """The library that is asked for; one that cannot do it is told so once, and the work goes on as before."""
    asked = chat.state.revisions.asked
    wanted = asked.override.requested if asked is not None else None
    return wanted if wanted in CAN[kind] or came(turn, OverrideRead) else None


def _wants_another(chat: Session) -> bool:
    """Whether another way is in force, whichever library it takes."""
    asked = chat.state.revisions.asked
    return asked is not None and asked.override.kind == "approach" and not asked.override.ambiguous


def _spoken(allowed: list[str], turn: Turn, chat: Session) -> str | None:
    """The library that a request for something new names, however it does: "line graph, seaborn"."""
    speech = chat.pack.faculty("revisions").speech  # type: ignore[attr-defined]
    named = speech.mentions(chat.pack.reader.read(turn.text))
    return next((mention.library for mention in named if mention.library in allowed), None)
