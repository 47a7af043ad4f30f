"""The same shells to await. The work of a turn is shorter than the hop to a thread, but a busy database is not: the
event loop never waits for one."""

from __future__ import annotations

import asyncio
import os
from collections.abc import Awaitable, Callable, Iterable
from typing import Any

from holdfast.events import Event
from holdfast.faculty import Action, Draft
from holdfast.memory import SessionMemory
from holdfast.owned import OwnedMemory
from holdfast.pack import Pack
from holdfast.session import Holdfast, Past, Session
from holdfast.state import State
from holdfast.stores.protocol import Hit, SessionInfo, Store
from holdfast.turn import Done, Reply, Turn, Verdict


class AsyncHoldfast:
    """`Holdfast`, to await."""

    def __init__(
        self, store: str | os.PathLike[str] | Store | None = None, pack: str | Pack = "general", **options: Any
    ) -> None:
        self.sync = Holdfast(store, pack, **options)

    async def session(self, id: str, user: str | None = None, project: str | None = None) -> AsyncSession:
        return AsyncSession(await asyncio.to_thread(self.sync.session, id, user, project))

    async def sessions(self, user: str | None = None, after: str = "", limit: int = 100) -> list[SessionInfo]:
        return await asyncio.to_thread(self.sync.sessions, user, after, limit)

    async def search(self, query: str, k: int = 10, user: str | None = None) -> list[Hit]:
        return await asyncio.to_thread(self.sync.search, query, k, user)

    def memory(self, user: str | None = None, project: str | None = None) -> AsyncMemory:
        return AsyncMemory(self.sync.memory(user, project))

    async def forget(self, **whom: Any) -> int:
        return await asyncio.to_thread(self.sync.forget, **whom)

    async def settled(self, seconds: float = 60.0) -> bool:
        return await asyncio.to_thread(self.sync.settled, seconds)

    async def close(self) -> None:
        await asyncio.to_thread(self.sync.close)

    async def __aenter__(self) -> AsyncHoldfast:
        return self

    async def __aexit__(self, *error: object) -> None:
        await self.close()


class AsyncSession:
    """`Session`, to await. `state` is awaited too: `(await chat.state).slots`."""

    def __init__(self, session: Session) -> None:
        self.sync = session
        self.id, self.user, self.project = session.id, session.user, session.project

    async def hear(self, text: str, **attached: Any) -> Turn:
        return await asyncio.to_thread(self.sync.hear, text, **attached)

    async def say(self, text: str, *, agent: str | None = None, instead_of: str = "", **attached: Any) -> Reply:
        return await asyncio.to_thread(self.sync.say, text, agent=agent, instead_of=instead_of, **attached)

    async def check(self, action: str | Action) -> Verdict:
        return await asyncio.to_thread(self.sync.check, action)

    async def clear(self, what: str | None = None, index: int | None = None) -> Done:
        return await asyncio.to_thread(self.sync.clear, what, index)

    async def restore(self, version: int) -> Done:
        return await asyncio.to_thread(self.sync.restore, version)

    async def rewind(self, version: int) -> Done:
        return await asyncio.to_thread(self.sync.rewind, version)

    async def speak(self, language: str) -> Done:
        return await asyncio.to_thread(self.sync.speak, language)

    async def rename(self, title: str) -> Done:
        return await asyncio.to_thread(self.sync.rename, title)

    async def act(self, act: Callable[[Draft], Iterable[Event]]) -> Done:
        return await asyncio.to_thread(self.sync.act, act)

    async def plan(self, steps: Any) -> Done:
        return await asyncio.to_thread(self.sync.plan, steps)

    async def step(self, number: int, state: str, reason: str = "") -> Done:
        return await asyncio.to_thread(self.sync.step, number, state, reason)

    async def interrupt(self, at: str = "") -> Done:
        return await asyncio.to_thread(self.sync.interrupt, at)

    @property
    def memory(self) -> AsyncMemory:
        return AsyncMemory(self.sync.memory)

    @property
    def state(self) -> Awaitable[State]:
        return asyncio.to_thread(lambda: self.sync.state)

    async def history(self, limit: int = 50, before: int | None = None) -> list[Past]:
        return await asyncio.to_thread(self.sync.history, limit, before)

    async def entry(self, version: int) -> Past:
        return await asyncio.to_thread(self.sync.entry, version)

    async def at(self, version: int) -> State:
        return await asyncio.to_thread(self.sync.at, version)

    async def search(self, query: str, k: int = 10) -> list[Hit]:
        return await asyncio.to_thread(self.sync.search, query, k)


class AsyncMemory:
    """`SessionMemory` and `OwnedMemory`, to await: every method, under its own name."""

    def __init__(self, memory: SessionMemory | OwnedMemory) -> None:
        self.sync = memory

    def __getattr__(self, name: str) -> Callable[..., Awaitable[Any]]:
        method = getattr(self.sync, name)

        async def call(*given: Any, **named: Any) -> Any:
            return await asyncio.to_thread(method, *given, **named)

        return call
