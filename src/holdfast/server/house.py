"""Everything that a server holds: one store, one Holdfast per pack on it, and the sessions that are open.

A tenant's names are kept in the store with the tenant before them, so that no query of one tenant can reach another.
This file is the only place that puts that prefix on, and callers take it off with `bare`.
"""

from __future__ import annotations

import threading
from collections import OrderedDict
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from itertools import takewhile
from typing import Any, Literal, NamedTuple

import msgspec

from holdfast import pack as packs
from holdfast.errors import InvalidInput, PackError, Refused, StoreBusy, UnknownPack, UnknownSession
from holdfast.events import SessionOpened
from holdfast.models.endpoints import SecondOpinion
from holdfast.models.pending import pending
from holdfast.owned import OwnedMemory
from holdfast.pack import Pack
from holdfast.reading.places import gazetteer
from holdfast.server.glance import Glances
from holdfast.server.problems import not_supported
from holdfast.server.settings import Settings
from holdfast.session import Erased, Holdfast, Session, at_once
from holdfast.stores import open_store
from holdfast.stores.protocol import Key, SessionInfo, all_sessions
from holdfast.stores.steps import WORK

PATIENCE = 0.02
"""Seconds that a request waits for the bytes of what it erased."""
OPEN = 4096
"""Sessions whose names, scopes and packs are kept at hand."""


class Caller(NamedTuple):
    """Who asks, and what they may do."""

    tenant: str = ""
    scopes: frozenset[str] = frozenset(("read", "write", "erase"))

    @property
    def prefix(self) -> str:
        return f"@{self.tenant}/" if self.tenant else ""


ANYONE = Caller()


class House:
    def __init__(self, settings: Settings, extra: tuple[Pack, ...] = ()) -> None:
        self.store = open_store(settings.store)
        self._given = {each.name: each for each in extra}
        self.pack = settings.pack
        self._settings = settings
        self._engines: dict[str, Holdfast] = {}
        self._open: OrderedDict[str, Session] = OrderedDict()
        self._lock = threading.Lock()
        self._erasures = self.store.erasures
        self.after_erasure: list[Callable[[], None]] = []
        """Called when words were erased, here or by another server: what holds any in memory lets go of it."""
        self.glances = Glances(self.engine)
        self.after_erasure.append(self.glances.clear)
        self.engine(self.pack)  # an unknown pack is known at the start, not at the first request
        self._resume()

    def _resume(self) -> None:
        """Let every pack go on whose messages wait for the model."""
        for _, body in self.store.jobs() if self._settings.second_opinion is not None else ():
            if (waits := pending(body)) is not None:
                with suppress(PackError, UnknownPack):  # of a pack that is no longer installed
                    self.engine(waits.pack)

    def warm(self) -> None:
        """Load what reading needs, before the first message comes."""
        self.engine(self.pack).pack.warm()
        gazetteer()

    def packs(self) -> list[str]:
        return sorted({*packs.installed(), *self._given})

    def engine(self, pack: str) -> Holdfast:
        """The Holdfast of a pack, made when it is first asked for."""
        with self._lock:
            if pack not in self._engines:
                whole = packs.load(self._given.get(pack, pack))
                told, per_hour = self._settings.second_opinion, self._settings.opinions_per_hour
                second = SecondOpinion(told, whole.model, per_hour) if told is not None else None
                self._engines[pack] = Holdfast(self.store, whole, second_opinion=second, reader=self._settings.reader)
            return self._engines[pack]

    def session(self, caller: Caller, id: str) -> Session:
        """A session that is there; UnknownSession otherwise."""
        name = self.stored(caller, id, "session id")
        self._notice_erasures(Key("session", name))
        with self._lock:
            found = self._open.get(name)
            if found is not None:
                self._open.move_to_end(name)
                return found
        info = self.store.session(name)
        if info is None:
            raise UnknownSession(f"there is no session {id!r}; make it with POST /api/sessions")
        return self._keep(self.engine(info.pack).existing(name))

    def _notice_erasures(self, key: Key) -> None:
        """Another server may have erased what is held here: a session would begin anew with its user of before."""
        self.store.heads([key])
        if self.store.erasures != self._erasures:
            with self._lock:
                self._erasures = self.store.erasures
                self._open.clear()
            for clear in self.after_erasure:
                clear()

    @contextmanager
    def at_once(self, caller: Caller, id: str) -> Iterator[None]:
        """Inside, a turn of this session waits for nobody: StoreBusy where it would have to."""
        with self._lock:
            chat = self._open.get(caller.prefix + id)
        if chat is None:
            raise StoreBusy("this has to wait: the session is not at hand")
        with at_once(chat):
            yield

    def open(
        self, caller: Caller, id: str, user: str | None = None, project: str | None = None, pack: str | None = None
    ) -> tuple[Session, bool]:
        """The session of that name and whether it was made just now. One that exists keeps its scopes and its pack."""
        name = self.stored(caller, id, "session id")
        user = None if user is None else self.stored(caller, user, "user")
        project = None if project is None else self.stored(caller, project, "project")
        known = self.store.session(name)
        engine = self._engine_of(pack) if known is None and pack else self.engine(self._pack_of(id, known, pack))
        chat = engine.session(name, user, project)
        if known is None:
            opened = SessionOpened(pack=engine.pack.name)
            # Two may make it at once: whoever comes second finds it made and adds nothing.
            chat.act(lambda draft: [] if draft.state.version > 1 else [opened])
        return self._keep(engine.existing(name)), known is None

    def memory(self, caller: Caller, kind: Literal["user", "project"], name: str, pack: str | None) -> OwnedMemory:
        """What is remembered of a user or for a project, read by a pack: the server's own where it keeps a memory."""
        stored = self.stored(caller, name, kind)
        self._notice_erasures(Key(kind, stored))
        if pack is None:
            pack = self.pack if self.engine(self.pack).pack.has("memory") else "general"
        engine = self._engine_of(pack)
        if not engine.pack.has("memory"):
            raise not_supported(pack, "memory")
        return engine.memory(**{kind: stored})

    def _engine_of(self, pack: str) -> Holdfast:
        """The engine of a pack that a caller named."""
        if pack not in self.packs():
            raise UnknownPack(f"there is no pack {pack!r}; installed are: {', '.join(self.packs())}")
        return self.engine(pack)

    def _pack_of(self, id: str, known: SessionInfo | None, asked: str | None) -> str:
        """The pack that a session runs with, or that a new one was asked to run with."""
        if known is None:
            return asked or self.pack
        if asked not in (None, known.pack):
            raise Refused(f"session {id!r} runs with the pack {known.pack}, not with {asked}; open another session")
        return known.pack

    def info(self, caller: Caller, id: str) -> SessionInfo:
        found = self.store.session(self.stored(caller, id, "session id"))
        if found is None:
            raise UnknownSession(f"there is no session {id!r}")
        return found

    def sessions(self, caller: Caller, user: str | None, after: str, limit: int) -> list[SessionInfo]:
        """Sessions of the caller's tenant by name, a page at a time."""
        prefix = caller.prefix
        owner = None if user is None else self.stored(caller, user, "user")
        found = self.store.sessions(owner, prefix + after, limit)
        return [info for info in found if info.name.startswith(prefix)]

    def newest(self, caller: Caller, user: str | None, after: str, limit: int) -> list[SessionInfo]:
        """Sessions of the caller's tenant that changed last, a page at a time; `after` as `place` gives it."""
        owner = None if user is None else self.stored(caller, user, "user")
        changed, mark, name = after.partition("~")
        try:
            before = (float(changed), caller.prefix + name) if mark else None
        except ValueError:
            before = None
        if after and before is None:
            raise InvalidInput("`after` must be the `next` of the page before this one, in the same order")
        return self.store.newest(owner, caller.prefix, before, limit)

    @staticmethod
    def place(caller: Caller, info: SessionInfo) -> str:
        """Where a session stands among the newest."""
        return f"{info.changed!r}~{info.name.removeprefix(caller.prefix)}"

    def forget(self, caller: Caller, kind: str, id: str) -> Erased:
        """Erase a session, a user with all their sessions, or a project; in all engines. It does not wait for the last
        byte in the files: that goes on by itself."""
        name = self.stored(caller, id, kind)
        sessions: list[SessionInfo] = []
        if kind == "user":
            found = all_sessions(self.store, name, after=caller.prefix)
            sessions = list(takewhile(lambda info: info.name.startswith(caller.prefix), found))
        if kind == "session":
            sessions = [info for info in (self.store.session(name),) if info is not None]
        keys = list(dict.fromkeys((Key(kind, name), *(Key("session", info.name) for info in sessions))))  # type: ignore[arg-type]
        gone = self.engine(self.pack)._erase(keys, sessions, PATIENCE, lambda pack: self.engine(pack).pack)
        with self._lock:
            engines = list(self._engines.values())
            for info in sessions:
                self._open.pop(info.name, None)
        for each in engines:
            each.cool(keys)
        for clear in self.after_erasure:
            clear()
        return gone

    def waiting(self) -> str:
        """What the words that were erased still wait for; nothing where none is left."""
        begun = any(pending(body) is None for _, body in self.store.jobs())
        return WORK if begun else self.store.waiting()

    def stored(self, caller: Caller, name: str, what: str) -> str:
        """A name as it stands in the store."""
        if len(name) > 200 - len(caller.prefix):
            raise InvalidInput(f"the {what} must have 1 to {200 - len(caller.prefix)} printable characters")
        if not name.strip() or not name.isprintable():
            raise InvalidInput(f"the {what} must have 1 to 200 printable characters; got {name[:40]!r}")
        return caller.prefix + name

    def close(self) -> None:
        for engine in self._engines.values():
            engine.close()

    def _keep(self, chat: Session) -> Session:
        with self._lock:
            self._open[chat.id] = chat
            self._open.move_to_end(chat.id)
            while len(self._open) > OPEN:
                self._open.popitem(last=False)
        return chat


def bare(caller: Caller, name: str | None) -> str | None:
    """A stored name as its tenant knows it."""
    return None if name is None else name.removeprefix(caller.prefix)


def plain(caller: Caller, value: Any) -> Any:
    """Engine data as JSON data; names in it as the tenant knows them."""
    data = msgspec.json.decode(msgspec.json.encode(value))
    return bared(data, caller.prefix) if caller.tenant else data


def bared(data: Any, prefix: str) -> Any:
    if isinstance(data, str):
        return data.removeprefix(prefix)
    if isinstance(data, dict):
        return {bared(key, prefix): bared(value, prefix) for key, value in data.items()}
    if isinstance(data, list):
        return [bared(value, prefix) for value in data]
    return data
