"""Erasure: for good, and only with the scope for it."""

from __future__ import annotations

from holdfast.server.endpoint import Ask, route
from holdfast.server.shapes import Erased, erased_out


@route("DELETE", "/api/sessions/{id}", scope="erase")
def erase_session(ask: Ask, id: str) -> Erased:
    """Erase a session: its messages, what they did, its snapshots and its words in the index."""
    ask.house.info(ask.caller, id)
    return erased_out(ask.house.forget(ask.caller, "session", id))


@route("DELETE", "/api/users/{user}", scope="erase")
def erase_user(ask: Ask, user: str) -> Erased:
    """Erase a user: what is remembered of them and all their sessions."""
    return erased_out(ask.house.forget(ask.caller, "user", user))


@route("DELETE", "/api/projects/{project}", scope="erase")
def erase_project(ask: Ask, project: str) -> Erased:
    """Erase what a project remembers. The sessions that spoke of it stay."""
    return erased_out(ask.house.forget(ask.caller, "project", project))
