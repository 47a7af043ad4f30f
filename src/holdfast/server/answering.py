"""A whole exchange: hear, let the configured model or the pack's built-in agent answer, say."""

from __future__ import annotations

from functools import lru_cache
from typing import Any

from holdfast import agents
from holdfast.agents import Agent
from holdfast.models import endpoints as models
from holdfast.server.problems import not_supported
from holdfast.server.settings import Settings
from holdfast.session import Session
from holdfast.turn import Reply, Turn


@lru_cache(maxsize=8)
def _model(at: models.Upstream) -> Agent:
    return models.agent(at)


def agent_for(chat: Session, settings: Settings) -> Agent:
    """Who answers in a session. Where nobody can, that is said before the message is heard."""
    if settings.upstream is not None:
        settings.upstream.must_name(chat.pack)
        return _model(settings.upstream)
    built_in: Agent | None = chat.pack.agent
    if built_in is None:
        raise not_supported(chat.pack.name, "agent of its own, and no model is configured to answer")
    return built_in


def answer(chat: Session, text: str, attached: dict[str, Any], settings: Settings) -> tuple[Turn, list[Reply]]:
    """What came of the message, and the replies to it. The message is kept also when the model fails to answer."""
    agent = agent_for(chat, settings)
    turn = chat.hear(text, **attached)
    return turn, said_before(chat, turn) or list(agents.run(agent, turn, chat))


def said_before(chat: Session, turn: Turn) -> list[Reply]:
    """The replies that a message got when it was heard the first time: where it is heard again under the same
    idempotency key, nobody has to answer twice."""
    replies: list[Reply] = []
    if chat.state.version == turn.version:
        return replies
    for entry in chat.holdfast.entries(chat.keys["session"], turn.version):
        if entry.role == "person":
            break
        if entry.role == "agent" and entry.text is not None:
            replies.append(chat.said(entry.version))
    return replies
