"""Plans: handing one over, marking its steps, interrupting the task at hand."""

from __future__ import annotations

from holdfast.server.endpoint import Ask, route
from holdfast.server.shapes import DoneOut, Interrupt, Plan, Step


@route("PUT", "/api/sessions/{id}/plan", scope="write")
def put_plan(ask: Ask, id: str, body: Plan) -> DoneOut:
    """A plan for the task at hand."""
    return DoneOut.of(ask.session(id, "task", "tasks and plans").plan(list(body.steps)))


@route("PUT", "/api/sessions/{id}/plan/steps/{number}", scope="write")
def mark_step(ask: Ask, id: str, number: int, body: Step) -> DoneOut:
    """Mark a step of the plan."""
    return DoneOut.of(ask.session(id, "task", "tasks and plans").step(number, body.status, body.reason))


@route("POST", "/api/sessions/{id}/interrupt", scope="write")
def interrupt(ask: Ask, id: str, body: Interrupt) -> DoneOut:
    """Pause the task at hand; the next message continues it."""
    return DoneOut.of(ask.session(id, "task", "tasks and plans").interrupt(body.at))
