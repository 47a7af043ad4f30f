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


Agent = Callable[[Turn, Session], Iterator[Said]]


def run(agent: Agent, turn: Turn, chat: Session) -> Iterator[Reply]:
    """Let an agent answer a turn: each message is checked and recorded; one that may not go out is replaced by what
    the guard offers instead."""
    for said in agent(turn, chat):
        verdict = chat.check(said.text)
        if not verdict.allowed and verdict.instead:
            yield chat.say(verdict.instead, agent=said.agent, instead_of=said.text)
        else:
            yield chat.say(said.text, agent=said.agent, **said.attached)
