"""Talking: a person's message, an agent's message, the guard alone, clearing, and a whole exchange."""

from __future__ import annotations

import time

from holdfast.faculty import Action
from holdfast.server.answering import answer
from holdfast.server.endpoint import Ask, route
from holdfast.server.shapes import (
    Chat,
    Check,
    DoneOut,
    Exchange,
    Hear,
    Language,
    ReplyOut,
    Restore,
    Say,
    TurnOut,
    VerdictOut,
    done_out,
    reply_out,
    turn_out,
    verdict_out,
)


@route("POST", "/api/sessions/{id}/hear", scope="write", quick=True)
def hear(ask: Ask, id: str, body: Hear) -> TurnOut:
    """A person's message: what it refers to, what it changes, where it goes, and what the agent must be told."""
    session = ask.house.session(ask.caller, id)
    start = time.perf_counter()
    return turn_out(session.hear(body.text, **body.attached), time.perf_counter() - start)


@route("POST", "/api/sessions/{id}/say", scope="write", quick=True)
def say(ask: Ask, id: str, body: Say) -> ReplyOut:
    """An agent's message: what it mentions, asks and decides, and whether it may go out as it is."""
    session = ask.house.session(ask.caller, id)
    return reply_out(session.say(body.text, agent=body.agent, instead_of=body.instead_of, **body.attached))


@route("POST", "/api/sessions/{id}/check", quick=True)
def check(ask: Ask, id: str, body: Check) -> VerdictOut:
    """The guard alone: may this go out? Records nothing."""
    action = Action(body.content, body.type, body.step, body.agent)
    return verdict_out(ask.house.session(ask.caller, id).check(action))


@route("POST", "/api/sessions/{id}/chat", scope="write")
def chat(ask: Ask, id: str, body: Chat) -> Exchange:
    """A person's message, and what the configured model or the pack's built-in agent answers to it."""
    session = ask.house.session(ask.caller, id)
    turn, took, replies = answer(session, body.text, body.attached, ask.settings)
    return Exchange(turn=turn_out(turn, took), replies=[reply_out(reply) for reply in replies])


@route("DELETE", "/api/sessions/{id}/context", scope="write")
def clear_all(ask: Ask, id: str) -> DoneOut:
    """Remove everything that this session remembers. The log keeps what was said."""
    return done_out(ask.house.session(ask.caller, id).clear())


@route("DELETE", "/api/sessions/{id}/context/{what}", scope="write")
def clear_one(ask: Ask, id: str, what: str, index: int | None = None) -> DoneOut:
    """Remove one thing by name."""
    return done_out(ask.house.session(ask.caller, id).clear(what, index))


@route("POST", "/api/sessions/{id}/restore", scope="write")
def restore(ask: Ask, id: str, body: Restore) -> DoneOut:
    """Let hold again what this session knew after an earlier version: the undo of a clear. What was said stays said."""
    return done_out(ask.house.session(ask.caller, id).restore(body.version))


@route("PUT", "/api/sessions/{id}/language", scope="write")
def set_language(ask: Ask, id: str, body: Language) -> DoneOut:
    """Set the language of the conversation, whatever was heard so far."""
    return done_out(ask.house.session(ask.caller, id).speak(body.language))
