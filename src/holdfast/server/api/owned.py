"""The memory of a user and of a project, without a session: the same functions under `/api/users` and
`/api/projects`."""

from __future__ import annotations

from collections.abc import Callable
from functools import wraps
from typing import Any, Literal

import msgspec

from holdfast.errors import InvalidInput
from holdfast.owned import OwnedMemory
from holdfast.server import shapes
from holdfast.server.api.memory import paged
from holdfast.server.endpoint import Ask, Made, allow, route
from holdfast.server.house import PATIENCE, plain

Owner = Literal["user", "project"]


class MemoryOf:
    """The functions of the API for the memories of one kind of owner."""

    def __init__(self, owner: Owner) -> None:
        self._owner = owner

    def _memory(self, ask: Ask, id: str, pack: str | None) -> OwnedMemory:
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
        found = self._memory(ask, id, pack).get_all(history=history, as_of=as_of, known_at=known_at)
        return paged(ask, found, before, limit)

    def add_memory(self, ask: Ask, id: str, body: shapes.Remember, pack: str | None = None) -> shapes.WrittenItems:
        """Remember a text, or what a person says in messages: it is read as if it had been said, and may add, change,
        confirm or end what is known."""
        if (body.text is None) == (not body.messages):
            raise InvalidInput("give what is to be remembered either as `text` or as `messages`")
        said = body.text or list(msgspec.to_builtins(body.messages))
        written = self._memory(ask, id, pack).add(said, infer=body.infer)
        results = [shapes.WrittenItem(event=event, item=plain(ask.caller, item)) for event, item in written]
        return Made(shapes.WrittenItems(results=results), 201 if results else 200)  # type: ignore[return-value]

    def delete_memories(self, ask: Ask, id: str, pack: str | None = None) -> shapes.Deleted:
        """Stop knowing everything. It stays in the history, where `undo` finds it."""
        return shapes.Deleted(deleted=self._memory(ask, id, pack).delete_all())

    def search_memories(
        self, ask: Ask, id: str, query: str, k: shapes.Limit = 5, pack: str | None = None
    ) -> shapes.FoundItems:
        """Items that fit the query, best first."""
        found = self._memory(ask, id, pack).search(query, k)
        return shapes.FoundItems(
            items=[shapes.FoundItem(item=plain(ask.caller, item), score=score) for item, score in found]
        )

    def show_memory(self, ask: Ask, id: str, item: str, pack: str | None = None) -> shapes.ItemOut:
        """One item, current or not."""
        return shapes.ItemOut(item=plain(ask.caller, self._memory(ask, id, pack).get(item)))

    def update_memory(
        self, ask: Ask, id: str, item: str, body: shapes.Words, pack: str | None = None
    ) -> shapes.ItemOut:
        """Correct an item, by a value or a sentence; the old one stays in its history."""
        return shapes.ItemOut(item=plain(ask.caller, self._memory(ask, id, pack).update(item, body.text)))

    def delete_memory(
        self, ask: Ask, id: str, item: str, erase: bool = False, pack: str | None = None
    ) -> shapes.Deleted:
        """Stop knowing an item; `undo` brings it back. With `erase` (and the scope for it) its words are taken out of
        every log for good."""
        if erase:
            allow(ask.caller, "erase")
        self._memory(ask, id, pack).delete(item, erase=erase, patience=PATIENCE)
        return shapes.Deleted(deleted=1, waiting=ask.house.waiting() if erase else "")

    def memory_history(self, ask: Ask, id: str, item: str, pack: str | None = None) -> shapes.Items:
        """How an item came to be what it is, from the first value to the current one."""
        chain = self._memory(ask, id, pack).history(item)
        return shapes.Items(items=[plain(ask.caller, each) for each in chain], next=None)

    def undo_memory(self, ask: Ask, id: str, item: str, pack: str | None = None) -> shapes.Items:
        """Take a write back; gives what is known again by that."""
        back = self._memory(ask, id, pack).undo(item)
        return shapes.Items(items=[plain(ask.caller, each) for each in back], next=None)


def _named(act: Callable[..., Any], name: str) -> Callable[..., Any]:
    @wraps(act)
    def run(*given: Any, **named: Any) -> Any:
        return act(*given, **named)

    run.__name__ = name
    return run


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
        route(method, f"/api/{owner}s/{{id}}/memory{path}", **options)(_named(act, f"{act.__name__}_of_{owner}"))


_serve("user")
_serve("project")
