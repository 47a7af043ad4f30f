"""Small real agents, so that every pack can be tried without a key. An agent is a function: given the Turn and the
Session it yields what it says, piece by piece; whoever runs it hands each piece to `chat.say`."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any, NamedTuple

from holdfast.session import Session
from holdfast.turn import Reply, Turn


class Said(NamedTuple):
    """One message of an agent, with what it attaches for the faculties."""

    text: str
    agent: str | None = None
    attached: dict[str, Any] = {}


class Piece(NamedTuple):
    """Something that an agent is writing, to be looked at while it writes. It counts only when it is said."""

    text: str


Agent = Callable[[Turn, Session], Iterator[Said | Piece]]


def run(agent: Agent, turn: Turn, chat: Session) -> Iterator[Reply]:
    """Let an agent answer a turn: each message is checked and recorded; one that may not go out is replaced by what
    the guard offers instead."""
    return (made for made in watch(agent, turn, chat) if not isinstance(made, Piece))


def watch(agent: Agent, turn: Turn, chat: Session) -> Iterator[Reply | Piece]:
    """The same, with what the agent is writing before it has said it."""
    for made in agent(turn, chat):
        if isinstance(made, Piece):
            yield made
            continue
        verdict = chat.check(made.text)
        if not verdict.allowed and verdict.instead:
            yield chat.say(verdict.instead, agent=made.agent, instead_of=made.text)
        else:
            yield chat.say(made.text, agent=made.agent, **made.attached)
