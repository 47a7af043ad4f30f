"""A small world with a seed: several servers on one store, with clocks that differ, writes that overlap, answers that
are lost or come late, processes that are killed, archives that are taken and brought back, and erasures whose steps lie
between what others do; beside it a model that knows what must be true.

Everything is drawn from the seed, so that a history that fails can be looked at again: `World(seed, folder).run()`.
"""

from __future__ import annotations

import random
import shutil
import sqlite3
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from holdfast import Holdfast
from holdfast.errors import Conflict, OutcomeUnknown, Refused, StoreBusy
from holdfast.exchange import archive
from holdfast.session import Session
from holdfast.stores.protocol import Key, Write
from holdfast.stores.sqlite import SqliteStore
from tests.plain import PLAIN

SESSIONS, USERS, SERVERS, STEPS = 3, 2, 3, 25
FAULTS = ("busy", "lost request", "lost answer", "late answer", "killed before", "killed after")


class Killed(Exception):
    """The process is gone in the middle of what it did."""


class Faulty(SqliteStore):
    """A store whose writes go wrong as the world says."""

    world: World | None = None
    loses_answers = True

    def append(
        self, writes: Sequence[Write], marks: Mapping[Key, int] | None = None, read: Mapping[Key, int] | None = None
    ) -> None:
        fault = self.world.before_write(self) if self.world is not None else ""
        if fault == "busy":
            raise StoreBusy("busy; nothing was written")
        if fault == "lost request":
            raise OutcomeUnknown("unknown, retry is safe")
        if fault == "killed before":
            raise Killed
        super().append(writes, marks, read)
        if fault == "late answer" and self.world is not None:  # a slow disk: others go on meanwhile
            self.world.others_come(self)
        if fault == "lost answer":
            raise OutcomeUnknown("unknown, retry is safe")
        if fault == "killed after":
            raise Killed


class World:
    """One history."""

    def __init__(self, seed: int, folder: Path) -> None:
        self.rng = random.Random(seed)
        self.path = folder / f"{seed}.db"
        _fresh(folder, self.path)
        self.said: dict[str, list[str]] = {}
        """What each session must hold, in order."""
        self.versions: dict[str, int] = {}
        """By text: an answer may come after that to a later one."""
        self.users: dict[str, str] = {}
        self.erased: list[str] = []
        self.archives: list[tuple[str, str, list[str], bytes]] = []
        """Name and user of a session, what it held, and its archive."""
        self.time = 1000.0
        self.count = 0
        self.busy: list[int] = []
        """Servers that are in the middle of a turn: others come between, but not they themselves."""
        self.observer = sqlite3.connect(self.path, isolation_level=None)
        self.servers = [self._start() for _ in range(SERVERS)]

    def run(self) -> None:
        for _ in range(STEPS):
            self.step(self.rng.randrange(SERVERS))
        self.verify()
        self.observer.close()
        for server in self.servers:
            server.close()
        last = SqliteStore(str(self.path))
        while _one_step(last) is not None:
            pass
        last.close()
        data = b"".join(path.read_bytes() for path in self.path.parent.glob(f"{self.path.name}*"))
        left = [word for word in self.erased if word.encode() in data]
        assert not left, f"erased and still in the file: {left}"
        for path in list(self.path.parent.glob(f"{self.path.name}*")):
            path.unlink()

    # What happens

    def step(self, number: int) -> None:
        acts = (self.talk, self.forget_session, self.forget_user, self.restart, self.sweep, self.carry)
        act = self.rng.choices(acts, (14, 1, 1, 1, 2, 0 if self.busy else 3))[0]
        self.time += self.rng.uniform(-5, 20)  # a clock may be set back
        self.busy.append(number)
        act(number)
        self.busy.pop()
        if not self.busy:
            self.look()

    def talk(self, number: int) -> None:
        name = f"s-{self.rng.randrange(SESSIONS)}"
        self.count += 1
        text, key = f"token{self.count:05d}x", self.rng.choice((None, f"key-{self.count}"))
        verb = self.rng.choice(("hear", "say"))
        while True:
            chat = self._session(self.servers[number], name)
            try:
                version = getattr(chat, verb)(text, idempotency_key=key).version
            except StoreBusy:
                continue
            except Refused:  # it was erased and begun anew for somebody else
                assert chat.user != self.users[name]
                return
            except OutcomeUnknown:
                continue  # a retry is safe, with a key and without
            except Killed:
                self.restart(number)
                if key is None:
                    if text in (held := self._held(name)):  # nobody was told: the model takes what is there
                        self._take(chat, text, held.index(text) + 1)
                    return
                continue  # whoever has a key asks again, at any server
            if text in self.erased:  # somebody erased it before its answer came
                return
            held = self._held(name)
            assert held.count(text) == 1, f"{text} is there {held.count(text)} times"
            assert held[version - 1] == text
            self._take(chat, text, version)
            return

    def _take(self, chat: Session, text: str, version: int) -> None:
        self.versions[text] = version
        self.said[chat.id] = sorted([*self.said.get(chat.id, []), text], key=self.versions.__getitem__)
        self.users[chat.id] = str(chat.user)

    def forget_session(self, number: int) -> None:
        name = f"s-{self.rng.randrange(SESSIONS)}"
        self._goes(name)
        self.servers[number].forget(session=name, patience=0.0)

    def forget_user(self, number: int) -> None:
        user = f"u-{self.rng.randrange(USERS)}"
        for name in [name for name, owner in self.users.items() if owner == user]:
            self._goes(name)
        self.servers[number].forget(user=user, patience=0.0)

    def _goes(self, name: str) -> None:
        self.erased += self._held(name)
        self.said.pop(name, None)
        self.users.pop(name, None)

    def sweep(self, number: int) -> None:
        """Some steps of what is left to do of erasures."""
        for _ in range(self.rng.randrange(1, 6)):
            _one_step(self.servers[number].store)

    def carry(self, number: int) -> None:
        """Take an archive of a session, or bring one back: it is there whole, or refused where the session went
        on since or another way."""
        name = f"s-{self.rng.randrange(SESSIONS)}"
        if name in self.said and self.rng.random() < 0.5:
            data = "\n".join(archive.lines(self.servers[number], session=name)).encode()
            self.archives.append((name, self.users[name], list(self.said[name]), data))
        elif self.archives:
            gone = [one for one in self.archives if one[0] not in self.said]
            self.bring(number, *self.rng.choice(gone or self.archives))

    def bring(self, number: int, name: str, user: str, texts: list[str], data: bytes) -> None:
        held = self._held(name)
        begins = texts[: len(held)] == held
        try:
            archive.restore(self.servers[number], data)
        except Refused:
            assert not begins, f"the archive goes on from what {name} holds"
        except (StoreBusy, OutcomeUnknown, Conflict):
            self.bring(number, name, user, texts, data)
        except Killed:
            self.restart(number)
            assert not {*self._held(name)} & {*texts} - {*held}, f"half an archive is in {name}"
            self.bring(number, name, user, texts, data)
        else:
            assert begins, f"{name} went another way than its archive"
            self.said[name], self.users[name] = list(texts), user
            self.erased = [word for word in self.erased if word not in texts]

    def restart(self, number: int) -> None:
        """The process is killed, and another one starts in its place."""
        self.servers[number].store.close()
        self.servers[number] = self._start()

    def before_write(self, store: Faulty) -> str:
        """Just before somebody writes: others may come between, and it may go wrong."""
        if self.rng.random() < 0.2:
            self.others_come(store)
        return self.rng.choice(FAULTS) if self.rng.random() < 0.15 else ""

    def others_come(self, store: Faulty) -> None:
        others = [number for number in range(SERVERS) if number not in self.busy]
        if others and not store._db.in_transaction:
            self.step(self.rng.choice(others))

    # What must be true

    def look(self) -> None:
        for name in (f"s-{number}" for number in range(SESSIONS)):
            held = self._held(name)
            assert held == self.said.get(name, []), f"{name} holds {held}, and must hold {self.said.get(name, [])}"

    def verify(self) -> None:
        """Every server knows the same: the fold of the log, and nothing that was erased."""
        for server in self.servers:
            assert server.store.check() == []
            for name, texts in self.said.items():
                state = self._session(server, name).state
                folder = server.pack.folder
                assert folder.encode(folder.replay(server.entries(Key("session", name)))) == folder.encode(
                    state.session
                )
                assert [message.text for message in state.conversation.recent] == texts[
                    -len(state.conversation.recent) :
                ]
                found = server.store.search(" ".join(texts), None, len(texts) + 1)
                assert sorted(hit.text for hit in found) == sorted(texts)
            assert not server.store.search(" ".join(self.erased), None, 3)

    def _start(self) -> Holdfast:
        store = Faulty(str(self.path), busy_seconds=1)
        store.world = self
        return Holdfast(store, PLAIN, clock=lambda: self.time + self.rng.uniform(-3, 3))

    def _session(self, server: Holdfast, name: str) -> Session:
        known = server.store.session(name)
        if known is None and name not in self.users:
            self.users[name] = f"u-{self.rng.randrange(USERS)}"
        return server.session(name, user=known.user if known else self.users[name])

    def _held(self, name: str) -> list[str]:
        """What the file has, by a look of our own."""
        found = self.observer.execute(
            "SELECT l.text FROM streams s JOIN log l ON l.id > s.id << 32 AND l.id < (s.id + 1) << 32 "
            "WHERE s.kind = 'session' AND s.name = ? ORDER BY l.id",
            (name,),
        ).fetchall()
        return [text for (text,) in found]


def _one_step(store: Any) -> bool | None:
    """One step of the eraser: here they are taken one by one, and none on a thread."""
    return store._eraser._step()  # type: ignore[no-any-return]


def _fresh(folder: Path, path: Path) -> None:
    """An empty store; made once and copied, for histories are many."""
    empty = folder / "empty.db"
    if not empty.exists():
        SqliteStore(str(empty)).close()
    shutil.copy(empty, path)
