"""Plans: handing one over, marking its steps, interrupting the task at hand."""

from __future__ import annotations

from holdfast.server.endpoint import Ask, route
from holdfast.server.problems import not_supported
from holdfast.server.shapes import DoneOut, Interrupt, Plan, Step
from holdfast.session import Session


@route("PUT", "/api/sessions/{id}/plan", scope="write")
def put_plan(ask: Ask, id: str, body: Plan) -> DoneOut:
    """A plan for the task at hand."""
    return DoneOut.of(_planning(ask, id).plan(list(body.steps)))


@route("PUT", "/api/sessions/{id}/plan/steps/{number}", scope="write")
def mark_step(ask: Ask, id: str, number: int, body: Step) -> DoneOut:
    """Mark a step of the plan."""
    return DoneOut.of(_planning(ask, id).step(number, body.status, body.reason))


@route("POST", "/api/sessions/{id}/interrupt", scope="write")
def interrupt(ask: Ask, id: str, body: Interrupt) -> DoneOut:
    """Pause the task at hand; the next message continues it."""
    return DoneOut.of(_planning(ask, id).interrupt(body.at))


def _planning(ask: Ask, id: str) -> Session:
    chat = ask.house.session(ask.caller, id)
    if "task" not in chat.pack.folder.start().slices or not hasattr(chat, "plan"):
        raise not_supported(chat.pack.name, "tasks and plans")
    return chat
