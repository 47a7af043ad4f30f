"""Memory: what is remembered with its chains, adding, superseding, undoing and searching."""

from __future__ import annotations

from typing import Literal

from holdfast.faculties.facts.relations import Kind, Memo
from holdfast.history.whole import receipts
from holdfast.server import shapes
from holdfast.server.endpoint import Ask, Made, route
from holdfast.server.house import plain

Listed = Literal["facts", "preferences", "decisions", "all"]
KINDS: dict[Listed, Kind | None] = {
    "facts": "fact",
    "preferences": "preference",
    "decisions": "decision",
    "all": None,  # also a project's stack
}


@route("GET", "/api/sessions/{id}/memory")
def list_memory(
    ask: Ask,
    id: str,
    kind: Listed = "all",
    history: bool = False,
    as_of: shapes.Seconds | None = None,
    known_at: shapes.Seconds | None = None,
    before: str = "",
    limit: shapes.Limit = 1000,
) -> shapes.Items:
    """What is remembered, a page at a time from the end. `history` lists all that ever was; `as_of` what was true at a
    time, `known_at` what was believed then (seconds since 1970)."""
    found = ask.session(id, "memory").memory.items(KINDS[kind], history=history, as_of=as_of, known_at=known_at)
    return paged(ask, found, before, limit)


def paged(ask: Ask, found: list[Memo], before: str, limit: int) -> shapes.Items:
    """A page of items from the end, or from the one that the last page began with."""
    if before:
        found = found[: next((place for place, item in enumerate(found) if item.id == before), 0)]
    page = found[-limit:]
    return shapes.Items(
        items=[plain(ask.caller, item) for item in page], next=page[0].id if len(page) < len(found) else None
    )


@route("POST", "/api/sessions/{id}/memory", scope="write", statuses=(201,))
def add_item(ask: Ask, id: str, body: shapes.AddItem) -> shapes.ItemOut:
    """Remember something."""
    given = {name: value for name in body.__struct_fields__ if (value := getattr(body, name)) is not None}
    return Made(
        shapes.ItemOut(item=plain(ask.caller, ask.session(id, "memory").memory.add(given.pop("value"), **given)))
    )  # type: ignore[return-value]


@route("GET", "/api/sessions/{id}/memory/search")
def search_memory(ask: Ask, id: str, query: str, k: shapes.Limit = 5) -> shapes.FoundItems:
    """Items that fit the query, best first."""
    found = ask.session(id, "memory").memory.search(query, k=k)
    return shapes.FoundItems(
        items=[shapes.FoundItem(item=plain(ask.caller, item), score=score) for item, score in found]
    )


@route("GET", "/api/sessions/{id}/memory/insights")
def show_insights(ask: Ask, id: str) -> shapes.InsightsOut:
    """What the history of the memory shows: unstable keys, decisions that did not last, and what is in dispute."""
    memory = ask.session(id, "memory").memory
    return shapes.InsightsOut.of(memory.insights(), questions=[dispute.question for dispute in memory.disputes()])


@route("GET", "/api/sessions/{id}/memory/{item}/chain")
def show_chain(ask: Ask, id: str, item: str) -> shapes.Items:
    """What an item replaced and what replaced it, from the first to the current one."""
    return shapes.Items(
        items=[plain(ask.caller, each) for each in ask.session(id, "memory").memory.chain(item)], next=None
    )


@route("POST", "/api/sessions/{id}/memory/{item}/supersede", scope="write")
def supersede_item(ask: Ask, id: str, item: str, body: shapes.Supersede) -> shapes.ItemOut:
    """Mark an item as replaced by another; it keeps its place in the chain."""
    return shapes.ItemOut(item=plain(ask.caller, ask.session(id, "memory").memory.supersede(item, body.new)))


@route("PATCH", "/api/sessions/{id}/memory/{item}", scope="write")
def edit_item(ask: Ask, id: str, item: str, body: shapes.Value) -> shapes.ItemOut:
    """Put another value in the place of an item; the old one stays in its chain, and `undo` of the new one takes it
    back."""
    return shapes.ItemOut(item=plain(ask.caller, ask.session(id, "memory").memory.edit(item, body.value)))


@route("POST", "/api/sessions/{id}/memory/{item}/undo", scope="write")
def undo_item(ask: Ask, id: str, item: str) -> shapes.DoneOut:
    """Take a write back: what it replaced stands again."""
    chat = ask.session(id, "memory")
    chat.memory.undo(item)
    newest = chat.entry(chat.state.version)  # what the undo did is read off the log
    return shapes.DoneOut(version=newest.version, receipt=receipts(chat, [newest.entry])[0])
