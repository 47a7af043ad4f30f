"""A small coding assistant for trying `copilot_cli` without a key: it says what it took in, answers what it knows,
shows chains, and asks when something stays open. It writes no code: a model does that."""

from __future__ import annotations

from collections.abc import Iterator

from holdfast.agents import Said
from holdfast.agents.companion import companion, said_back
from holdfast.reading.reader import Reading
from holdfast.session import Session
from holdfast.turn import Turn


def coder(turn: Turn, chat: Session) -> Iterator[Said]:
    """Answer a turn: how something came to be, else as the companion does, in the coder's words."""
    if told := turn.question or _chain(chat, chat.pack.reader.read(turn.text)):
        yield Said(told, agent="coder", attached=said_back(turn, chat))
    else:
        yield from (said._replace(agent="coder") for said in companion(turn, chat, "coder"))


def _chain(chat: Session, reading: Reading) -> str:
    """How something came to be what it is, where the person asks for that."""
    cue = reading.first("about_me")
    span = cue.groups.get("slot") or cue.groups.get("thing") if cue is not None else None
    if cue is None or span is None or cue.means not in ("chain", "why"):
        return ""
    found = chat.memory.search(reading.folded[slice(*span)], k=1, history=True)
    return chat.memory.told(found[0].item.id) if found else ""
