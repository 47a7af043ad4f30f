"""Sessions and packs: which there are, opening one, what is known in it, its history, export and search."""

from __future__ import annotations

import uuid
from itertools import islice

import msgspec

from holdfast import exchange
from holdfast.errors import PackError
from holdfast.server.again import again
from holdfast.server.endpoint import Ask, Lines, Made, route
from holdfast.server.house import Caller, bared
from holdfast.server.receipts import receipts
from holdfast.server.shapes import (
    ContextItem,
    ContextOut,
    History,
    Hits,
    Limit,
    OpenSession,
    PackOut,
    Packs,
    PastOut,
    SessionOut,
    Sessions,
    StateOut,
    TurnOut,
    Version,
    hit_out,
    past_out,
    session_out,
    state_out,
    turn_out,
)


@route("GET", "/api/packs")
def list_packs(ask: Ask) -> Packs:
    """The packs that a session can run with."""
    found = []
    for name in ask.house.packs():
        try:
            pack = ask.house.engine(name).pack
        except PackError:  # a stranger's pack that does not load must not hide the others
            continue
        found.append(
            PackOut(
                name=name,
                summary=pack.summary,
                agents=pack.agents,
                languages=pack.languages,
                faculties=tuple(faculty.name for faculty in pack.faculties),
                answers=pack.agent is not None or ask.settings.upstream is not None,
                model=None if ask.settings.upstream is None else ask.settings.upstream.model or pack.model,
                default=name == ask.house.pack,
            )
        )
    return Packs(packs=found)


@route("GET", "/api/sessions")
def list_sessions(ask: Ask, user: str | None = None, after: str = "", limit: Limit = 100) -> Sessions:
    """Sessions by id, a page at a time."""
    found = ask.house.sessions(ask.caller, user, after, limit)
    shown = [session_out(ask.caller, info) for info in found]
    return Sessions(sessions=shown, next=shown[-1].id if len(found) == limit else None)


@route("POST", "/api/sessions", scope="write", statuses=(200, 201))
def open_session(ask: Ask, body: OpenSession) -> SessionOut:
    """Make a session, or find the one of that id. Its pack, user and project are fixed when it is made."""
    id = body.id or f"s-{uuid.uuid4().hex[:12]}"
    _, made = ask.house.open(ask.caller, id, body.user, body.project, body.pack)
    shown = session_out(ask.caller, ask.house.info(ask.caller, id))
    return Made(shown, 201, {"location": f"/api/sessions/{id}"}) if made else shown  # type: ignore[return-value]


@route("GET", "/api/sessions/{id}")
def show_session(ask: Ask, id: str) -> SessionOut:
    """What a session was opened with, and how far it has come."""
    return session_out(ask.caller, ask.house.info(ask.caller, id))


@route("GET", "/api/sessions/{id}/state")
def show_state(ask: Ask, id: str, version: Version | None = None) -> StateOut:
    """What is known now, or what was known after a version."""
    chat = ask.house.session(ask.caller, id)
    return state_out(ask.caller, chat.state if version is None else chat.at(version))


@route("GET", "/api/sessions/{id}/context")
def show_context(ask: Ask, id: str) -> ContextOut:
    """The context line that the agent saw last, in parts, and the names that can be cleared."""
    chat = ask.house.session(ask.caller, id)
    state = chat.state
    line: str = state.conversation.briefed
    parts = [part.partition(": ") for part in line.removeprefix("[CONTEXT: ").removesuffix("]").split(" | ")]
    names = [name for faculty in chat.pack.faculties for name in faculty.clears(state)]
    return ContextOut(
        version=state.version,
        context=line,
        items=[ContextItem(key=key, value=value) for key, _, value in parts if value],
        clears=list(dict.fromkeys(names)),
    )


@route("GET", "/api/sessions/{id}/history")
def list_history(ask: Ask, id: str, before: Version | None = None, limit: Limit = 50) -> History:
    """Messages and calls with their receipts, in order, a page at a time from the end."""
    chat = ask.house.session(ask.caller, id)
    page = chat.history(limit, before)
    shown = map(past_out, page, receipts(chat, [past.entry for past in page]))
    return History(entries=list(shown), next=page[0].version if page and page[0].version > 1 else None)


@route("GET", "/api/sessions/{id}/history/{version}")
def show_entry(ask: Ask, id: str, version: Version) -> PastOut:
    """One message or call with its receipt."""
    chat = ask.house.session(ask.caller, id)
    past = chat.entry(version)
    return past_out(past, receipts(chat, [past.entry])[0])


@route("GET", "/api/sessions/{id}/turns/{version}")
def show_turn(ask: Ask, id: str, version: Version) -> TurnOut:
    """What came of a person's message of the past: its route, its references, and exactly what the agent was told."""
    return turn_out(*again(ask.house.session(ask.caller, id), version))


@route("GET", "/api/sessions/{id}/search")
def search_session(ask: Ask, id: str, q: str, k: Limit = 10) -> Hits:
    """Messages of a session that hold words of the query, best first."""
    return Hits(hits=[hit_out(ask.caller, hit) for hit in ask.house.session(ask.caller, id).search(q, k)])


@route("GET", "/api/search")
def search(ask: Ask, q: str, k: Limit = 10, user: str | None = None) -> Hits:
    """Messages of all sessions, or of one user's, that hold words of the query, best first."""
    everyone = user is None and not ask.caller.tenant
    names = None if everyone else ask.house.names(ask.caller, user)
    return Hits(hits=[hit_out(ask.caller, hit) for hit in ask.house.store.search(q, names, k)])


@route("GET", "/api/sessions/{id}/export")
def export_session(ask: Ask, id: str) -> Lines:
    """A session as lines of JSON that `holdfast import` reads: what it was opened with, then every message and call."""
    chat = ask.house.session(ask.caller, id)
    info = ask.house.info(ask.caller, id)
    named = session_out(ask.caller, info)
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
