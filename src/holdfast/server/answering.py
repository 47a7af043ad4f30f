"""A whole exchange: hear, let a model or the pack's built-in agent answer, say."""

from __future__ import annotations

import os
from functools import lru_cache
from typing import Any

import msgspec

from holdfast import agents
from holdfast.agents import Agent
from holdfast.errors import Refused
from holdfast.models import endpoints as models
from holdfast.server.problems import not_supported
from holdfast.server.settings import Settings
from holdfast.server.shapes import ModelIn
from holdfast.session import Session
from holdfast.turn import Reply, Turn

BUILT_IN = "built-in"


@lru_cache(maxsize=8)
def _model(at: models.Upstream) -> Agent:
    return models.agent(at)


@lru_cache(maxsize=1)
def _local() -> models.Local:
    """The model on this machine, started when somebody first chooses it."""
    return models.Local()


def may_choose(settings: Settings) -> bool:
    """Whether a message may name its model. With keys, others come in: they must not send this server anywhere."""
    return not settings.keys


def chosen(settings: Settings, asked: ModelIn | None) -> models.Upstream | None:
    """The model that answers: the one that a message names, else the server's; None for the built-in agent."""
    if asked is None:
        return settings.upstream
    if not may_choose(settings):
        raise Refused("the model of this server is chosen by whoever runs it, with --model")
    if asked.where == BUILT_IN:
        return None
    if asked.where == "local":
        return _local().upstream
    # The server's own key belongs to the server's own model: it goes to no address that somebody names.
    env = {name: value for name, value in os.environ.items() if not name.startswith("HOLDFAST_")}
    at = models.upstream(asked.where, asked.name or None, env)
    return msgspec.structs.replace(at, key=asked.key) if at is not None and asked.key else at


def agent_for(chat: Session, settings: Settings, asked: ModelIn | None = None) -> Agent:
    """Who answers in a session. Where nobody can, that is said before the message is heard."""
    upstream = chosen(settings, asked)
    if upstream is not None:
        upstream.must_name(chat.pack)
        return _model(upstream)
    built_in: Agent | None = chat.pack.agent
    if built_in is None:
        raise not_supported(chat.pack.name, "agent of its own, and no model is configured to answer")
    return built_in


def answer(chat: Session, text: str, attached: dict[str, Any], agent: Agent) -> tuple[Turn, list[Reply]]:
    """What came of the message, and the replies to it. The message is kept also when the model fails to answer."""
    turn = chat.hear(text, **attached)
    return turn, list(agents.run(agent, turn, chat))
