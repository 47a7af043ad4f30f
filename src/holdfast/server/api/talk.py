"""Talking: a person's message, an agent's message, the guard alone, clearing, a whole exchange; and the plan for the
task at hand."""

from __future__ import annotations

import logging
from collections.abc import Callable
from typing import Annotated

from msgspec import Meta

from holdfast import agents
from holdfast.accepting import shown
from holdfast.agents import Piece
from holdfast.errors import HoldfastError, UnknownItem
from holdfast.faculties.facts.slots import SlotsFaculty
from holdfast.faculties.facts.slots.calls import put
from holdfast.faculty import Action
from holdfast.guests import Contained
from holdfast.models.endpoints import ModelFailed
from holdfast.server import shapes
from holdfast.server.answering import agent_for, answer, said_before
from holdfast.server.endpoint import Ask, Events, route
from holdfast.server.live import event
from holdfast.server.problems import not_supported, problem
from holdfast.turn import Reply

logger = logging.getLogger("holdfast.server")


@route("POST", "/api/sessions/{id}/hear", scope="write", pace="quick")
def hear(ask: Ask, id: str, *, text: shapes.Text, attached: shapes.Json = shapes.NONE) -> shapes.TurnOut:
    """A person's message: what it refers to, what it changes, where it goes, and what the agent must be told."""
    return shapes.TurnOut.of(ask.session(id).hear(text, **attached))


@route("POST", "/api/sessions/{id}/say", scope="write", pace="quick")
def say(
    ask: Ask,
    id: str,
    *,
    text: shapes.Text,
    agent: str | None = None,
    instead_of: Annotated[str, Meta(max_length=4000)] = "",
    attached: shapes.Json = shapes.NONE,
) -> shapes.ReplyOut:
    """An agent's message: what it mentions, asks and decides, and whether it may go out as it is; `instead_of` is what
    the guard did not let out."""
    return shapes.reply_out(ask.session(id).say(text, agent=agent, instead_of=instead_of, **attached))


@route("POST", "/api/sessions/{id}/check", pace="quick")
def check(
    ask: Ask, id: str, *, text: shapes.Text, type: str = "reply", step: str | None = None, agent: str | None = None
) -> shapes.VerdictOut:
    """The guard alone: may this go out? Records nothing."""
    return shapes.VerdictOut.of(ask.session(id).check(Action(text, type, step, agent)))


@route("POST", "/api/sessions/{id}/chat", scope="write", pace="slow")
def chat(
    ask: Ask, id: str, *, text: shapes.Text, attached: shapes.Json = shapes.NONE, model: shapes.ModelIn | None = None
) -> shapes.Exchange:
    """A person's message, and what the configured model or the pack's built-in agent answers to it. A server without
    keys lets a message name another `model`."""
    session = ask.session(id)
    turn, replies = answer(session, text, attached, agent_for(session, ask.settings, model))
    return shapes.Exchange(turn=shapes.TurnOut.of(turn), replies=[shapes.reply_out(reply) for reply in replies])


@route("POST", "/api/sessions/{id}/chat/stream", scope="write")
def stream_chat(
    ask: Ask, id: str, *, text: shapes.Text, attached: shapes.Json = shapes.NONE, model: shapes.ModelIn | None = None
) -> Events:
    """The same exchange as it comes: server-sent events RUN_STARTED (with the turn), TEXT_MESSAGE_CONTENT for what the
    agent is writing, TEXT_MESSAGE_END for what it said (with the reply), RUN_FINISHED, or RUN_ERROR with a problem."""
    session = ask.session(id)
    agent = agent_for(session, ask.settings, model)
    turn = session.hear(text, **attached)

    def work(tell: Callable[[bytes], None]) -> None:
        tell(event("RUN_STARTED", turn=shapes.TurnOut.of(turn)))
        # An agent is anybody's code.
        with Contained(lambda wrong: tell(_stopped(wrong, ask.caller.prefix))):
            for made in said_before(session, turn) or agents.watch(agent, turn, session):
                tell(_told(made))
            tell(event("RUN_FINISHED"))

    return Events(work)


def _stopped(wrong: Exception, prefix: str) -> bytes:
    """Why a run ended early. What is no error of ours stands in full in the log, without a word of it to the one who
    asked."""
    if not isinstance(wrong, HoldfastError):
        logger.error("a fault while an agent answered", exc_info=wrong)
        return event("RUN_ERROR", code="fault", title="A fault of ours", message="this was logged")
    found = problem(wrong)
    reason = wrong.reason if isinstance(wrong, ModelFailed) else None
    code, detail = found.type.rpartition(":")[2], found.detail.replace(prefix, "") if prefix else found.detail
    return event("RUN_ERROR", code=code, title=found.title, message=detail, reason=reason)


def _told(made: Piece | Reply) -> bytes:
    if isinstance(made, Piece):
        return event("TEXT_MESSAGE_CONTENT", messageId="draft", delta=made.text)
    return event("TEXT_MESSAGE_END", messageId=str(made.version), reply=shapes.reply_out(made))


@route("DELETE", "/api/sessions/{id}/context", scope="write")
def clear_all(ask: Ask, id: str) -> shapes.DoneOut:
    """Remove everything that this session remembers. The log keeps what was said."""
    return shapes.DoneOut.of(ask.session(id).clear())


@route("DELETE", "/api/sessions/{id}/context/{what}", scope="write")
def clear_one(ask: Ask, id: str, what: str, index: int | None = None) -> shapes.DoneOut:
    """Remove one thing by name."""
    return shapes.DoneOut.of(ask.session(id).clear(what, index))


@route("PATCH", "/api/sessions/{id}/context/{what}", scope="write")
def set_slot(ask: Ask, id: str, what: str, *, value: shapes.Value) -> shapes.DoneOut:
    """Put another value into a slot, as if the person had said it. `restore` to the version before takes it back."""
    chat = ask.session(id)
    slots = next((faculty for faculty in chat.pack.faculties if isinstance(faculty, SlotsFaculty)), None)
    if slots is None:
        raise not_supported(chat.pack.name, "slots")
    if what not in (names := [slot.name for slot in slots.slots]):
        raise UnknownItem(f"the pack {chat.pack.name} has no slot {shown(what)}; it has: {', '.join(names)}")
    return shapes.DoneOut.of(chat.act(put(what, value)))


@route("POST", "/api/sessions/{id}/restore", scope="write")
def restore(ask: Ask, id: str, *, version: shapes.Version) -> shapes.DoneOut:
    """Let hold again what this session knew after an earlier version: one less than that of a clear undoes the clear.
    What was said stays said."""
    return shapes.DoneOut.of(ask.session(id).restore(version))


@route("POST", "/api/sessions/{id}/rewind", scope="write")
def rewind(ask: Ask, id: str, *, version: Annotated[int, Meta(ge=0)]) -> shapes.DoneOut:
    """Take back everything after a version, as if it had not been said: after a person's message to answer it anew,
    after the one before to say it in other words."""
    return shapes.DoneOut.of(ask.session(id).rewind(version))


@route("PUT", "/api/sessions/{id}/language", scope="write")
def set_language(ask: Ask, id: str, *, language: Annotated[str, Meta(min_length=2, max_length=8)]) -> shapes.DoneOut:
    """Set the language of the conversation, whatever was heard so far."""
    return shapes.DoneOut.of(ask.session(id).speak(language))


@route("PUT", "/api/sessions/{id}/plan", scope="write")
def put_plan(ask: Ask, id: str, *, steps: shapes.Steps) -> shapes.DoneOut:
    """A plan for the task at hand."""
    return shapes.DoneOut.of(ask.session(id, "task", "tasks and plans").plan(list(steps)))


@route("PUT", "/api/sessions/{id}/plan/steps/{number}", scope="write")
def mark_step(ask: Ask, id: str, number: int, *, status: shapes.Status, reason: str = "") -> shapes.DoneOut:
    """Mark a step of the plan."""
    return shapes.DoneOut.of(ask.session(id, "task", "tasks and plans").step(number, status, reason))


@route("POST", "/api/sessions/{id}/interrupt", scope="write")
def interrupt(ask: Ask, id: str, *, at: str = "") -> shapes.DoneOut:
    """Pause the task at hand; the next message continues it. `at` says where things stand."""
    return shapes.DoneOut.of(ask.session(id, "task", "tasks and plans").interrupt(at))
