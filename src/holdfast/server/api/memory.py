"""Memory: of a session, what is remembered with its chains, adding, superseding, undoing and searching; and that of a
user or of a project, without a session, by the same functions under `/api/users` and `/api/projects`."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Annotated, Any, Literal

import msgspec
from msgspec import Meta

from holdfast.errors import InvalidInput
from holdfast.faculties.facts.relations import Kind, Memo
from holdfast.history.recall import Found
from holdfast.history.whole import receipts
from holdfast.memory import SessionMemory
from holdfast.owned import OwnedMemory
from holdfast.server import shapes
from holdfast.server.endpoint import Ask, Made, allow, route
from holdfast.server.house import PATIENCE, plain

Listed = Literal["facts", "preferences", "decisions", "all"]
KINDS: dict[Listed, Kind | None] = {
    "facts": "fact",
    "preferences": "preference",
    "decisions": "decision",
    "all": None,  # also a project's stack
}
Owner = Literal["user", "project"]


def _item(ask: Ask, memo: Memo) -> shapes.ItemOut:
    return shapes.ItemOut(item=plain(ask.caller, memo))


def _items(ask: Ask, memos: Iterable[Memo], next: str | None = None) -> shapes.Items:
    return shapes.Items(items=[plain(ask.caller, memo) for memo in memos], next=next)


def _page(ask: Ask, found: list[Memo], before: str, limit: int) -> shapes.Items:
    """A page of items from the end, or from the one that the last page began with."""
    if before:
        found = found[: next((place for place, item in enumerate(found) if item.id == before), 0)]
    page = found[-limit:]
    return _items(ask, page, page[0].id if len(page) < len(found) else None)


def _found(ask: Ask, found: Iterable[Found]) -> shapes.FoundItems:
    return shapes.FoundItems(
        items=[shapes.FoundItem(item=plain(ask.caller, item), score=score) for item, score in found]
    )


# Of a session --------------------------------------------------------------------------------------------------------


def _memory(ask: Ask, id: str) -> SessionMemory:
    return ask.session(id, "memory").memory


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
    found = _memory(ask, id).items(KINDS[kind], history=history, as_of=as_of, known_at=known_at)
    return _page(ask, found, before, limit)


@route("POST", "/api/sessions/{id}/memory", scope="write", statuses=(201,))
def add_item(
    ask: Ask,
    id: str,
    *,
    value: Annotated[str, Meta(min_length=1, max_length=10_000)],
    kind: Kind = "fact",
    slot: str | None = None,
    category: str | None = None,
    confidence: Annotated[float, Meta(ge=0, le=1)] | None = None,
    lifespan: str | None = None,
    because: tuple[str, ...] | None = None,
    valid_from: shapes.Seconds | None = None,
) -> shapes.ItemOut:
    """Remember something."""
    given: dict[str, Any] = {"slot": slot, "category": category, "confidence": confidence, "lifespan": lifespan}
    given |= {"because": because, "valid_from": valid_from}
    told = {name: value for name, value in given.items() if value is not None}
    return Made(_item(ask, _memory(ask, id).add(value, kind=kind, **told)))  # type: ignore[return-value]


@route("GET", "/api/sessions/{id}/memory/search")
def search_memory(ask: Ask, id: str, query: str, k: shapes.Limit = 5) -> shapes.FoundItems:
    """Items that fit the query, best first."""
    return _found(ask, _memory(ask, id).search(query, k=k))


@route("GET", "/api/sessions/{id}/memory/insights")
def show_insights(ask: Ask, id: str) -> shapes.InsightsOut:
    """What the history of the memory shows: unstable keys, decisions that did not last, and what is in dispute."""
    memory = _memory(ask, id)
    return shapes.InsightsOut.of(memory.insights(), questions=[dispute.question for dispute in memory.disputes()])


@route("GET", "/api/sessions/{id}/memory/{item}/chain")
def show_chain(ask: Ask, id: str, item: str) -> shapes.Items:
    """What an item replaced and what replaced it, from the first to the current one."""
    return _items(ask, _memory(ask, id).chain(item))


@route("POST", "/api/sessions/{id}/memory/{item}/supersede", scope="write")
def supersede_item(ask: Ask, id: str, item: str, *, new: str) -> shapes.ItemOut:
    """Mark an item as replaced by the `new` one, by its id; it keeps its place in the chain."""
    return _item(ask, _memory(ask, id).supersede(item, new))


@route("PATCH", "/api/sessions/{id}/memory/{item}", scope="write")
def edit_item(ask: Ask, id: str, item: str, *, value: shapes.Value) -> shapes.ItemOut:
    """Put another value in the place of an item; the old one stays in its chain, and `undo` of the new one takes it
    back."""
    return _item(ask, _memory(ask, id).edit(item, value))


@route("POST", "/api/sessions/{id}/memory/{item}/undo", scope="write")
def undo_item(ask: Ask, id: str, item: str) -> shapes.DoneOut:
    """Take a write back: what it replaced stands again."""
    chat = ask.session(id, "memory")
    done = chat.entry(chat.memory.undo(item).version)  # what the undo did is read off the log
    return shapes.DoneOut(version=done.version, receipt=receipts(chat, [done.entry])[0])


# Of a user or a project ----------------------------------------------------------------------------------------------


class MemoryOf:
    """The functions for the memories of one kind of owner."""

    def __init__(self, owner: Owner) -> None:
        self._owner = owner

    def _of(self, ask: Ask, id: str, pack: str | None) -> OwnedMemory:
        return ask.house.memory(ask.caller, self._owner, id, pack)

    def memories(
        self,
        ask: Ask,
        id: str,
        pack: str | None = None,
        history: bool = False,
        as_of: shapes.Seconds | None = None,
        known_at: shapes.Seconds | None = None,
        before: str = "",
        limit: shapes.Limit = 1000,
    ) -> shapes.Items:
        """What is remembered, whichever session it came from, a page at a time from the end. `history` lists all that
        ever was; `as_of` what was true at a time, `known_at` what was believed then (seconds since 1970)."""
        found = self._of(ask, id, pack).get_all(history=history, as_of=as_of, known_at=known_at)
        return _page(ask, found, before, limit)

    def add_memory(
        self,
        ask: Ask,
        id: str,
        pack: str | None = None,
        *,
        text: Annotated[str, Meta(min_length=1, max_length=2000)] | None = None,
        messages: Annotated[tuple[shapes.SaidOf, ...], Meta(min_length=1, max_length=100)] = (),
        infer: bool = True,
    ) -> shapes.WrittenItems:
        """Remember a text, or what a person says in messages: it is read as if it had been said, and may add, change,
        confirm or end what is known. Without `infer`, every text of the person is kept in its own words."""
        if (text is None) == (not messages):
            raise InvalidInput("give what is to be remembered either as `text` or as `messages`")
        written = self._of(ask, id, pack).add(text or list(msgspec.to_builtins(messages)), infer=infer)
        results = [shapes.WrittenItem(event=event, item=plain(ask.caller, item)) for event, item in written]
        return Made(shapes.WrittenItems(results=results), 201 if results else 200)  # type: ignore[return-value]

    def delete_memories(self, ask: Ask, id: str, pack: str | None = None) -> shapes.Deleted:
        """Stop knowing everything. It stays in the history, where `undo` finds it."""
        return shapes.Deleted(deleted=self._of(ask, id, pack).delete_all())

    def search_memories(
        self, ask: Ask, id: str, query: str, k: shapes.Limit = 5, pack: str | None = None
    ) -> shapes.FoundItems:
        """Items that fit the query, best first."""
        return _found(ask, self._of(ask, id, pack).search(query, k))

    def show_memory(self, ask: Ask, id: str, item: str, pack: str | None = None) -> shapes.ItemOut:
        """One item, current or not."""
        return _item(ask, self._of(ask, id, pack).get(item))

    def update_memory(
        self, ask: Ask, id: str, item: str, pack: str | None = None, *, text: shapes.Value
    ) -> shapes.ItemOut:
        """Correct an item, by a value or a sentence; the old one stays in its history."""
        return _item(ask, self._of(ask, id, pack).update(item, text))

    def delete_memory(
        self, ask: Ask, id: str, item: str, erase: bool = False, pack: str | None = None
    ) -> shapes.Deleted:
        """Stop knowing an item; `undo` brings it back. With `erase` (and the scope for it) its words are taken out of
        every log for good."""
        if erase:
            allow(ask.caller, "erase")
        self._of(ask, id, pack).delete(item, erase=erase, patience=PATIENCE)
        return shapes.Deleted(deleted=1, waiting=ask.house.waiting() if erase else "")

    def memory_history(self, ask: Ask, id: str, item: str, pack: str | None = None) -> shapes.Items:
        """How an item came to be what it is, from the first value to the current one."""
        return _items(ask, self._of(ask, id, pack).history(item))

    def undo_memory(self, ask: Ask, id: str, item: str, pack: str | None = None) -> shapes.Items:
        """Take a write back; gives what is known again by that."""
        return _items(ask, self._of(ask, id, pack).undo(item))


def _serve(owner: Owner) -> None:
    of, write = MemoryOf(owner), {"scope": "write"}
    routes: tuple[tuple[str, str, Callable[..., Any], dict[str, Any]], ...] = (
        ("GET", "", of.memories, {}),
        ("POST", "", of.add_memory, {**write, "statuses": (200, 201)}),
        ("DELETE", "", of.delete_memories, write),
        ("GET", "/search", of.search_memories, {}),
        ("GET", "/{item}", of.show_memory, {}),
        ("PATCH", "/{item}", of.update_memory, write),
        ("DELETE", "/{item}", of.delete_memory, write),
        ("GET", "/{item}/history", of.memory_history, {}),
        ("POST", "/{item}/undo", of.undo_memory, write),
    )
    for method, path, act, options in routes:
        route(method, f"/api/{owner}s/{{id}}/memory{path}", name=f"{act.__name__}_of_{owner}", **options)(act)


_serve("user")
_serve("project")
