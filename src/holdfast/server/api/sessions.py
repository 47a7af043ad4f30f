"""Sessions: which there are, opening one, what is known in it, its history, export, search and erasure."""

from __future__ import annotations

import uuid
from itertools import islice
from typing import Literal

import msgspec

from holdfast.exchange import transcripts as exchange
from holdfast.history.whole import again, receipts
from holdfast.server import shapes
from holdfast.server.endpoint import Ask, Lines, Made, route
from holdfast.server.house import Caller, bared
from holdfast.stores.protocol import SessionInfo
from holdfast.turn import preview


@route("GET", "/api/sessions")
def list_sessions(
    ask: Ask, user: str | None = None, after: str = "", limit: shapes.Limit = 100, order: Literal["id", "newest"] = "id"
) -> shapes.Sessions:
    """Sessions by id, or those that changed last, newest first; a page at a time."""
    if order == "newest":
        newest = ask.house.newest(ask.caller, user, after, limit)
        more = ask.house.place(ask.caller, newest[-1]) if len(newest) == limit else None
        return shapes.Sessions(sessions=_shown(ask, *newest), next=more)
    found = ask.house.sessions(ask.caller, user, after, limit)
    shown = _shown(ask, *found)
    return shapes.Sessions(sessions=shown, next=shown[-1].id if len(found) == limit else None)


@route("POST", "/api/sessions", scope="write", statuses=(200, 201))
def open_session(
    ask: Ask,
    *,
    id: shapes.Name | None = None,
    user: shapes.Name | None = None,
    project: shapes.Name | None = None,
    pack: str | None = None,
    language: str | None = None,
) -> shapes.SessionOut:
    """Make a session, or find the one of that id. Its pack, user and project are fixed when it is made."""
    # one that was given no name: the same one for the same idempotency key
    token = uuid.uuid4() if ask.once is None else uuid.uuid5(uuid.NAMESPACE_OID, f"{ask.caller.prefix}{ask.once}")
    id = id or f"s-{token.hex[:12]}"
    chat, made = ask.house.open(ask.caller, id, user, project, pack)
    if language is not None:
        chat.speak(language)
    shown = _shown(ask, ask.house.info(ask.caller, id))[0]
    return Made(shown, 201, {"location": f"/api/sessions/{id}"}) if made else shown  # type: ignore[return-value]


@route("GET", "/api/sessions/{id}")
def show_session(ask: Ask, id: str) -> shapes.SessionOut:
    """What a session was opened with, and how far it has come."""
    return _shown(ask, ask.house.info(ask.caller, id))[0]


@route("PATCH", "/api/sessions/{id}", scope="write")
def rename_session(ask: Ask, id: str, *, title: shapes.Title) -> shapes.SessionOut:
    """Give a session a title of its own."""
    ask.session(id).rename(title)
    return _shown(ask, ask.house.info(ask.caller, id))[0]


def _shown(ask: Ask, *infos: SessionInfo) -> list[shapes.SessionOut]:
    glances = ask.house.glances.of(infos)
    return [shapes.session_out(ask.caller, info, glance) for info, glance in zip(infos, glances, strict=True)]


@route("GET", "/api/sessions/{id}/state")
def show_state(ask: Ask, id: str, version: shapes.Version | None = None) -> shapes.StateOut:
    """What is known now, or what was known after a version."""
    chat = ask.session(id)
    return shapes.state_out(ask.caller, chat.state if version is None else chat.at(version))


@route("GET", "/api/sessions/{id}/context")
def show_context(ask: Ask, id: str, version: shapes.Version | None = None) -> shapes.ContextOut:
    """The context line that the agent is told as things stand, in parts, the one that it was sent last, and the names
    that can be cleared; now or after a version."""
    chat = ask.session(id)
    state = chat.state if version is None else chat.at(version)
    brief = preview(state, chat.pack, state.session.at, chat.id)
    line = brief.context
    parts = [part.partition(": ") for part in line.removeprefix("[CONTEXT: ").removesuffix("]").split(" | ")]
    names = [name for faculty in chat.pack.faculties for name in faculty.clears(state)]
    return shapes.ContextOut(
        version=state.version,
        context=line,
        sections=brief.system.removeprefix(chat.pack.instructions).strip(),
        tokens=brief.tokens,
        sent=state.conversation.briefed,
        items=[shapes.ContextItem(key=key, value=value) for key, _, value in parts if value],
        clears=list(dict.fromkeys(names)),
    )


@route("GET", "/api/sessions/{id}/history")
def list_history(ask: Ask, id: str, before: shapes.Version | None = None, limit: shapes.Limit = 50) -> shapes.History:
    """Messages and calls with their receipts, in order, a page at a time from the end."""
    chat = ask.session(id)
    page = chat.history(limit, before)
    shown = map(shapes.past_out, page, receipts(chat, [past.entry for past in page]))
    return shapes.History(entries=list(shown), next=page[0].version if page and page[0].version > 1 else None)


@route("GET", "/api/sessions/{id}/history/{version}")
def show_entry(ask: Ask, id: str, version: shapes.Version) -> shapes.PastOut:
    """One message or call with its receipt."""
    chat = ask.session(id)
    past = chat.entry(version)
    return shapes.past_out(past, receipts(chat, [past.entry])[0])


@route("GET", "/api/sessions/{id}/history/{version}/sent")
def show_sent(ask: Ask, id: str, version: shapes.Version) -> shapes.SentOut:
    """All that an agent was sent for a person's message of the past: context, system prompt, history, the message."""
    chat = ask.session(id)
    past = chat.entry(version)
    return shapes.sent_out(*again(chat, past), shapes.past_out(past, past.receipt).context, chat.pack.instructions)


@route("GET", "/api/sessions/{id}/search")
def search_session(ask: Ask, id: str, query: str, k: shapes.Limit = 10) -> shapes.Hits:
    """Messages of a session that hold words of the query, best first."""
    return shapes.Hits(hits=[shapes.hit_out(ask.caller, hit) for hit in ask.session(id).search(query, k)])


@route("GET", "/api/search")
def search(ask: Ask, query: str, k: shapes.Limit = 10, user: str | None = None) -> shapes.Hits:
    """Messages of all sessions, or of one user's, that hold words of the query, best first."""
    owner = None if user is None else ask.house.stored(ask.caller, user, "user")
    found = ask.house.store.search(query[:2000], None, k, ask.caller.prefix, owner)
    return shapes.Hits(hits=[shapes.hit_out(ask.caller, hit) for hit in found])


@route("GET", "/api/sessions/{id}/export")
def export_session(ask: Ask, id: str) -> Lines:
    """A session as lines of JSON that `holdfast import` reads: what it was opened with, then every message and call."""
    chat = ask.session(id)
    info = ask.house.info(ask.caller, id)
    (named,) = _shown(ask, info)
    head = {"session": named.id, "pack": named.pack, "user": named.user, "project": named.project}
    first = msgspec.json.encode({name: value for name, value in head.items() if value is not None}).decode()
    rest = islice(exchange.jsonl(chat.holdfast, info), 1, None)
    return Lines([first, *(_named(line, ask.caller) for line in rest)])


def _named(line: str, caller: Caller) -> str:
    """A line of an export with names as the tenant knows them. What was said stays as it was said."""
    if caller.prefix not in line or not caller.prefix:
        return line
    row = msgspec.json.decode(line)
    return msgspec.json.encode({**row, "events": bared(row.get("events", []), caller.prefix)}).decode()


# Erasure: for good, and only with the scope for it --------------------------------------------------------------------


@route("DELETE", "/api/sessions/{id}", scope="erase")
def erase_session(ask: Ask, id: str) -> shapes.Erased:
    """Erase a session: its messages, what they did, its snapshots and its words in the index."""
    ask.house.info(ask.caller, id)
    return shapes.erased_out(ask.house.forget(ask.caller, "session", id))


@route("DELETE", "/api/users/{user}", scope="erase")
def erase_user(ask: Ask, user: str) -> shapes.Erased:
    """Erase a user: what is remembered of them and all their sessions."""
    return shapes.erased_out(ask.house.forget(ask.caller, "user", user))


@route("DELETE", "/api/projects/{project}", scope="erase")
def erase_project(ask: Ask, project: str) -> shapes.Erased:
    """Erase what a project remembers. The sessions that spoke of it stay."""
    return shapes.erased_out(ask.house.forget(ask.caller, "project", project))
