"""The same shells to await. The work of a turn is shorter than the hop to a thread, but a busy database is not: the
event loop never waits for one.

Nothing is written twice: each method is its sync namesake, run on a thread, with its arguments, defaults and
documentation, for readers and for type checkers. `tests/turn/test_async_shell.py` finds a name that is missing here.
"""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Coroutine
from functools import wraps
from typing import Any, Concatenate, Generic, ParamSpec, TypeVar

from holdfast.memory import SessionMemory
from holdfast.owned import OwnedMemory
from holdfast.pack import Pack
from holdfast.session import Holdfast, Session
from holdfast.state import State
from holdfast.stores.protocol import Store

P = ParamSpec("P")
R = TypeVar("R")
T = TypeVar("T")


def awaited(method: Callable[Concatenate[Any, P], R]) -> Callable[Concatenate[Any, P], Coroutine[Any, Any, R]]:
    """The method of a sync shell, to await."""
    return awaited_as(lambda given: given, method)


def awaited_as(
    made: Callable[[R], T], method: Callable[Concatenate[Any, P], R]
) -> Callable[Concatenate[Any, P], Coroutine[Any, Any, T]]:
    """The same, with what is `made` of the result on the thread that got it."""

    @wraps(method)
    async def call(self: Any, /, *given: P.args, **named: P.kwargs) -> T:
        run = getattr(self.sync, method.__name__)  # a subclass may have its own
        return await asyncio.to_thread(lambda: made(run(*given, **named)))

    return call


def opened_like(kind: Callable[P, Any]) -> Callable[[Callable[..., None]], Callable[Concatenate[Any, P], None]]:
    """A constructor that takes what the sync class takes."""

    def decorate(opens: Callable[..., None]) -> Callable[Concatenate[Any, P], None]:
        return wraps(kind.__init__)(opens)

    return decorate


class AsyncFace:
    """A pack's own names (`Session.face`), to await: only the pack knows what they are."""

    def __init__(self, face: Any) -> None:
        self.sync = face

    def __getattr__(self, name: str) -> Any:
        part = getattr(self.sync, name)
        if not callable(part):
            return part

        @wraps(part)
        async def call(*given: Any, **named: Any) -> Any:
            return await asyncio.to_thread(part, *given, **named)

        return call


class _Awaited(Generic[T]):
    """What stands before something of a sync shell."""

    def __init__(self, sync: T) -> None:
        self.sync = sync

    def __repr__(self) -> str:
        return f"Async{self.sync!r}"


class AsyncMemory(_Awaited[SessionMemory]):
    """`SessionMemory`, to await."""

    facts = awaited(SessionMemory.facts)
    preferences = awaited(SessionMemory.preferences)
    decisions = awaited(SessionMemory.decisions)
    items = awaited(SessionMemory.items)
    get = awaited(SessionMemory.get)
    value = awaited(SessionMemory.value)
    holding = awaited(SessionMemory.holding)
    chain = awaited(SessionMemory.chain)
    told = awaited(SessionMemory.told)
    disputes = awaited(SessionMemory.disputes)
    insights = awaited(SessionMemory.insights)
    search = awaited(SessionMemory.search)
    add = awaited(SessionMemory.add)
    state = awaited(SessionMemory.state)
    learn = awaited(SessionMemory.learn)
    decide = awaited(SessionMemory.decide)
    supersede = awaited(SessionMemory.supersede)
    edit = awaited(SessionMemory.edit)
    undo = awaited(SessionMemory.undo)
    reinforce = awaited(SessionMemory.reinforce)
    retract = awaited(SessionMemory.retract)
    promote = awaited(SessionMemory.promote)
    clear = awaited(SessionMemory.clear)
    forget = awaited(SessionMemory.forget)


class AsyncOwnedMemory(_Awaited[OwnedMemory]):
    """`OwnedMemory`, to await."""

    def __init__(self, memory: OwnedMemory) -> None:
        super().__init__(memory)
        self.user, self.project = memory.user, memory.project

    get_all = awaited(OwnedMemory.get_all)
    get = awaited(OwnedMemory.get)
    search = awaited(OwnedMemory.search)
    history = awaited(OwnedMemory.history)
    add = awaited(OwnedMemory.add)
    update = awaited(OwnedMemory.update)
    delete = awaited(OwnedMemory.delete)
    delete_all = awaited(OwnedMemory.delete_all)
    undo = awaited(OwnedMemory.undo)


class AsyncSession(_Awaited[Session]):
    """`Session`, to await. `state` is awaited too: `(await chat.state).slots`."""

    def __init__(self, session: Session) -> None:
        super().__init__(session)
        self.id, self.user, self.project = session.id, session.user, session.project
        self.keys, self.own, self.about = session.keys, session.own, session.about

    @property
    def holdfast(self) -> AsyncHoldfast:
        """The engine that this conversation lives in."""
        return AsyncHoldfast.around(self.sync.holdfast)

    @property
    def pack(self) -> Pack:
        """The pack that this conversation runs with."""
        return self.sync.pack

    @property
    def face(self) -> AsyncFace:
        """The pack's own names for what its documents call for, where it has them."""
        return AsyncFace(self.sync.face)

    @property
    def memory(self) -> AsyncMemory:
        """What is remembered: facts, preferences, decisions, their history, and search over them."""
        return AsyncMemory(self.sync.memory)

    @property
    def state(self) -> Awaitable[State]:
        """What is known now, read-only."""
        return asyncio.to_thread(lambda: self.sync.state)

    hear = awaited(Session.hear)
    say = awaited(Session.say)
    said = awaited(Session.said)
    heard = awaited(Session.heard)
    before = awaited(Session.before)
    check = awaited(Session.check)
    clear = awaited(Session.clear)
    restore = awaited(Session.restore)
    rewind = awaited(Session.rewind)
    act = awaited(Session.act)
    plan = awaited(Session.plan)
    step = awaited(Session.step)
    interrupt = awaited(Session.interrupt)
    speak = awaited(Session.speak)
    rename = awaited(Session.rename)
    history = awaited(Session.history)
    entry = awaited(Session.entry)
    at = awaited(Session.at)
    search = awaited(Session.search)


class AsyncHoldfast(_Awaited[Holdfast]):
    """`Holdfast`, to await."""

    @opened_like(Holdfast)
    def __init__(self, *given: Any, **named: Any) -> None:
        super().__init__(Holdfast(*given, **named))

    @classmethod
    def around(cls, holdfast: Holdfast) -> AsyncHoldfast:
        """An engine that is there already, to await."""
        shell = cls.__new__(cls)
        shell.sync = holdfast
        return shell

    @property
    def pack(self) -> Pack:
        return self.sync.pack

    @property
    def store(self) -> Store:
        return self.sync.store

    @property
    def clock(self) -> Callable[[], float]:
        return self.sync.clock

    session = awaited_as(AsyncSession, Holdfast.session)
    existing = awaited_as(AsyncSession, Holdfast.existing)
    memory = awaited_as(AsyncOwnedMemory, Holdfast.memory)
    sessions = awaited(Holdfast.sessions)
    search = awaited(Holdfast.search)
    forget = awaited(Holdfast.forget)
    cool = awaited(Holdfast.cool)
    entries = awaited_as(list, Holdfast.entries)
    entry = awaited(Holdfast.entry)
    settled = awaited(Holdfast.settled)
    close = awaited(Holdfast.close)

    async def __aenter__(self) -> AsyncHoldfast:
        return self

    async def __aexit__(self, *error: object) -> None:
        await self.close()
