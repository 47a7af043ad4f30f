"""The shells: load, run, append, and again if somebody else was faster. They decide nothing.

`Holdfast` holds a store, a pack and the hot sessions; `Session` is one conversation in it. `aio.py` has the same names
to await.
"""

from __future__ import annotations

import os
import threading
import time
import zlib
from collections import OrderedDict
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from datetime import UTC, datetime
from functools import cached_property, lru_cache
from math import isfinite
from types import TracebackType
from typing import TYPE_CHECKING, Any

import msgspec

from holdfast import kept, logs, turn
from holdfast import pack as packs
from holdfast.accepting import accept_limit, accept_name, accept_version, accepting, called, shown
from holdfast.errors import (
    InvalidInput,
    PackError,
    Refused,
    StoreBusy,
    StoreUnreadable,
    UnknownPack,
    UnknownSession,
    UnknownVersion,
)
from holdfast.events import FORMAT, SCOPES, Event, MessageHeard, MessageSaid, Restored, Scope
from holdfast.faculties.conversation import LanguageSet, TitleSet
from holdfast.faculty import Action, Draft
from holdfast.pack import Pack
from holdfast.reading.tiers import accept_tier
from holdfast.shell import TRUSTED, Decide, Known, Shell, idempotent
from holdfast.state import Entry, Failure, State, Stream
from holdfast.stores import open_store
from holdfast.stores.forking import survive
from holdfast.stores.protocol import Head, Hit, Key, Row, SessionInfo, Snapshot, Store, Write, all_rows, all_sessions

if TYPE_CHECKING:
    from holdfast.memory import SessionMemory
    from holdfast.models.consult import Ask, Consultant
    from holdfast.owned import OwnedMemory
    from holdfast.search.messages import Messages

SNAPSHOT_EVERY = 32
SEARCHED = 200
"""Conversations of a user up to which a search looks at the talk around a hit."""
TITLE_CHARS = 120
"""Characters of the name that a conversation can be given."""
IN_TURN = 50
"""Turns of a session that are taken under its lock after one lost the race: there are other writers."""
FORK_SECONDS = 10.0
"""Seconds that a fork waits for turns of other threads."""
MESSAGES: dict[str, type[MessageHeard] | type[MessageSaid]] = {"person": MessageHeard, "agent": MessageSaid}


class Erased(int):
    """Log rows that are gone. They are gone for everybody; `waiting` says what their bytes in the files still wait for,
    and is empty where none is left."""

    waiting: str = ""

    def __new__(cls, rows: int, waiting: str = "") -> Erased:
        made = super().__new__(cls, rows)
        made.waiting = waiting
        return made


class _Locks:
    """One lock for the folds in memory, and one for each of many groups of logs: two turns of one session, or of one
    person, never run at once here. A fork waits for those who hold one."""

    outer = True

    def __init__(self) -> None:
        self.forked()
        survive(self)

    def hold(self) -> None:
        """Before a fork: wait until no turn is under way."""
        give_up = time.monotonic() + FORK_SECONDS
        self._waited = [lock for lock in self._turns if lock.acquire(timeout=max(0.0, give_up - time.monotonic()))]

    def release(self) -> None:
        for lock in self._waited:
            lock.release()

    def forked(self) -> None:
        """Start with locks of our own: in a child process, those of the parent may be held by nobody who is there."""
        self.hot = threading.Lock()
        self._turns = [threading.RLock() for _ in range(256)]

    @contextmanager
    def of(self, keys: Iterable[Key], blocking: bool = True) -> Iterator[None]:
        """Hold those of some logs, taken in one order by everybody; StoreBusy where that means to wait and may not."""
        turns, held = self._turns, list[threading.RLock]()
        try:
            for number in sorted({hash(key) % len(turns) for key in keys}):
                if not turns[number].acquire(blocking):
                    raise StoreBusy("this has to wait; try again")
                held.append(turns[number])
            yield
        finally:
            for lock in reversed(held):
                lock.release()


class Holdfast:
    """A conversation context engine over one store.

    hf = Holdfast()  # in memory
    hf = Holdfast("sqlite:///chat.db", pack="general")
    """

    def __init__(
        self,
        store: str | os.PathLike[str] | Store | None = None,
        pack: str | Pack = "general",
        *,
        clock: Callable[[], float] = time.time,
        hot: int = 1000,
        second_opinion: Ask | None = None,
        reader: str | None = None,
    ) -> None:
        """`second_opinion` is a model (`holdfast.models.endpoints.SecondOpinion`, or any function from messages to
        text) that is asked, after the turn, where a change or a removal is in doubt, and before it where words leave
        open which kind of task a message is. Without one, nobody is asked.

        `reader="encoder"` lets the encoder of `holdfast[reader]` read English messages where the built-in linear tier
        is in doubt; "linear" never asks it. Without either, it reads only for slots that have nothing but a
        description. Where it is not installed or fails, one warning says so and the linear tier reads alone."""
        if isinstance(hot, bool) or not isinstance(hot, int) or hot < 1:
            raise InvalidInput(f"hot is how many logs are kept in memory, a whole number from 1, not {shown(hot)}")
        if not callable(clock):
            raise InvalidInput("clock must be a function that gives the seconds since 1970")
        loaded, tier = packs.load(pack), accept_tier(reader)
        self.pack = loaded.read_by(tier) if tier else loaded
        _ = self.pack.reader  # what the pack gets wrong is said here, and not with the first message
        self.store = open_store(store)
        self.clock = clock
        self._hot: OrderedDict[Key, tuple[Stream, int]] = OrderedDict()
        """Folds of logs, each with the mark of the words that it was made of."""
        self._contended: OrderedDict[Key, int] = OrderedDict()
        self._unknown: dict[tuple[Key, str, int], str] = {}
        """Keys of messages of which the store did not say whether they were written; of their words only a mark."""
        self._looked = -TRUSTED
        self._erasures = self.store.erasures
        """The store's, when the hot folds were read: what was erased since may be in them."""
        self._most_hot = hot
        self._locks = _Locks()
        asked = second_opinion or self.pack.settings.get("second_opinion")
        self._second = _consultant(asked) if asked is not None else None
        self._resume()

    def __repr__(self) -> str:
        return called("Holdfast", store=type(self.store).__name__, pack=self.pack.name)

    def _resume(self) -> None:
        """Finish what somebody began and was stopped in."""
        for job, body in self.store.jobs():
            from holdfast.history.forgetting import resume
            from holdfast.models.pending import pending

            if pending(body) is None:
                resume(self, job, body)
        if self._second is not None:
            self._second.resume(self)

    def session(self, id: str, user: str | None = None, project: str | None = None) -> Session:
        """One conversation. It comes into being with its first message; user and project are optional wider scopes."""
        required = self.pack.requires
        if "id" in required and not id:
            raise InvalidInput(required["id"])
        accept_name("session id", id)
        asked = {"user": user, "project": project}
        for what, name in asked.items():
            if name is not None:
                accept_name(what, name)
        known = self.store.session(id)
        held = asked if known is None else {"user": known.user, "project": known.project}
        for what, name in asked.items():
            if name not in (None, held[what]):
                raise Refused(f"session {id!r} belongs to {what} {held[what]!r}, not to {name!r}; open another session")
            if held[what] is None and what in required:
                raise Refused(required[what])
        return Session(self, id, held["user"], held["project"], known is not None)

    @accepting
    def existing(self, id: str) -> Session:
        """A conversation that is there already; UnknownSession otherwise, and for every turn after it was erased."""
        if self.store.session(id) is None:
            raise UnknownSession(f"there is no session {shown(id)} in this store")
        chat = self.session(id)
        chat._must_exist = True
        return chat

    @accepting
    def sessions(self, user: str | None = None, after: str = "", limit: int = 100) -> list[SessionInfo]:
        """Conversations by id, a page at a time; `after` is the last id of the page before."""
        return self.store.sessions(user, after, accept_limit(limit))

    @accepting
    def search(
        self,
        query: str,
        k: int = 10,
        user: str | None = None,
        names: Mapping[str, str] | None = None,
        around: bool = False,
    ) -> list[Hit]:
        """Messages of all conversations (or of one user's) that fit the query, best first. `names` may say who the
        speakers are, {"person": …, "agent": …}: a name in the query then tells whose words are looked for. With
        `around`, what stands beside a hit or means the same is found too."""
        if user is None:
            return self.store.search(query[:2000], None, accept_limit(k))
        sessions = [info.name for info in self.store.newest(user, limit=SEARCHED + 1)]
        if len(sessions) > SEARCHED:
            return self.store.search(query[:2000], None, accept_limit(k), user=user)
        return self._messages.search(query, sessions, accept_limit(k), names, around)

    @accepting
    def forget(
        self,
        *,
        session: str | None = None,
        user: str | None = None,
        project: str | None = None,
        before: float | None = None,
        patience: float = 60.0,
    ) -> Erased:
        """Erase for good: a conversation; a user with all their conversations; what a project remembers; or all
        conversations that nobody wrote to since a time (seconds since 1970), all at once. What their users remember
        stays. Gives the number of log rows that are gone, for everybody and at once; it waits up to `patience` seconds
        until no byte of them is left in the files, `.waiting` says what for, and the rest is done by itself."""
        named: dict[Scope, str | None] = {"session": session, "user": user, "project": project}
        keys = [
            Key(kind, accept_name("name of what is forgotten", name))
            for kind, name in named.items()
            if name is not None
        ]
        if len(keys) + (before is not None) != 1:
            raise InvalidInput("forget() needs exactly one of session=, user=, project= and before=")
        found = () if session is None else (self.store.session(session),)
        sessions = [info for info in found if info is not None]
        if before is not None:
            sessions = [info for info in all_sessions(self.store) if info.changed < before]
        elif user is not None:
            sessions = list(all_sessions(self.store, user))
        return self._erase(keys, sessions, patience)

    def _erase(
        self,
        keys: Sequence[Key],
        sessions: Sequence[SessionInfo],
        patience: float,
        pack: Callable[[str], Pack] = packs.load,
    ) -> Erased:
        """Erase logs, and conversations with what the agent of their pack made in them."""
        every = list(dict.fromkeys((*keys, *(Key("session", info.name) for info in sessions))))
        self._let_go(every)
        gone = self.store.erase(every, patience) if every else 0
        self._lose_words()
        for info in sessions:
            with suppress(PackError, UnknownPack):  # of a pack that is no longer installed
                own = self.pack if info.pack == self.pack.name else pack(info.pack)
                forget = getattr(own.agent, "forget", None)
                if forget is not None:
                    forget(info.name)
        logs.step("erase", keys[0].name if keys else "", rows=gone)
        return Erased(gone, self.store.waiting() if every else "")

    def _let_go(self, keys: Iterable[Key]) -> None:
        """Drop what waits for a model of conversations that are erased: it names them."""
        names = {key.name for key in keys if key.kind == "session"}
        for job, body in self.store.jobs() if names else ():
            from holdfast.models.pending import pending

            if (waits := pending(body)) is not None and waits.session in names:
                self.store.finished(job)

    def cool(self, keys: Iterable[Key]) -> None:
        """Forget the folds held in memory of some logs: the next turn reads them again."""
        with self._locks.hot:
            for key in keys:
                self._hot.pop(key, None)

    @accepting
    def memory(self, user: str | None = None, project: str | None = None) -> OwnedMemory:
        """What is remembered of a user, for a project, or both, whichever conversation it came from: `add`, `search`,
        `get_all`, `get`, `update`, `delete`, `delete_all`, `history`, `undo`."""
        from holdfast.owned import OwnedMemory  # with the memory

        return OwnedMemory(self, user, project)

    @cached_property
    def _messages(self) -> Messages:
        from holdfast.search.messages import Messages  # with the memory, half of the time it takes to import Holdfast

        return Messages(self.store, self.pack)

    def settled(self, seconds: float = 60.0) -> bool:
        """Wait until every second opinion that was asked for is in; False where that takes longer."""
        return self._second is None or self._second.settled(seconds)

    def close(self) -> None:
        if self._second is not None:
            self._second.close()
        self.store.close()

    def __enter__(self) -> Holdfast:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    def _streams(self, keys: Sequence[Key]) -> tuple[list[Stream], dict[Key, int]]:
        """The newest fold of each log, from the hot ones where they still hold; and the marks of what they are of."""
        heads, erasures = self.store.heads(keys), self.store.erasures
        self._looked = time.monotonic()
        if erasures != self._erasures:
            self._lose_words()
        found = self._folded(dict(zip(keys, heads, strict=True)))
        return [found[key] for key in keys], {key: head.mark for key, head in zip(keys, heads, strict=True)}

    def _lose_words(self) -> None:
        """Let go of all that is held in memory of what was said: words were erased, here or elsewhere."""
        with self._locks.hot:
            self._hot.clear()
            self._erasures = self.store.erasures
        kept.let_go()

    def _folded(self, heads: Mapping[Key, Head]) -> dict[Key, Stream]:
        """The folds of logs up to where they stand: of what is hot, of snapshots, and of the rows that came after."""
        found = dict[Key, Stream]()
        for key, head in heads.items():
            stream, mark = self._hot.get(key) or (None, 0)
            if not head.version:
                found[key] = self.pack.folder.start
            elif stream is not None and mark == head.mark and stream.version <= head.version:
                found[key] = stream
        if cold := [key for key in heads if key not in found]:
            snapshots = self.store.snapshots(cold)
            found |= {key: self._decoded(snapshots.get(key)) for key in cold}
        late = {key: stream.version for key, stream in found.items() if stream.version < heads[key].version}
        rows = self.store.tails(late) if late else {}
        found |= {key: self._grown(key, found[key], rows[key], heads[key].version) for key in late}
        for key in heads:
            if key in cold or key in late or not heads[key].version:
                self._keep(key, found[key], heads[key].mark)
        return found

    def _grown(self, key: Key, stream: Stream, rows: Iterable[Row], version: int) -> Stream:
        """A fold with the rows that came after it; of very many, the rest is read here."""
        failed: list[Failure] = []
        stream = self.pack.folder.replay(map(self.entry, rows), stream, failed)
        if stream.version < version:
            stream = self.pack.folder.replay(self.entries(key, stream.version), stream, failed)
        logs.failures("load", key.name, failed)
        return stream

    def _decoded(self, found: Snapshot | None) -> Stream:
        known = found is not None and found.shape == _shape(self.pack)
        stream = self.pack.folder.decode(found.body) if found is not None and known else None
        return stream or self.pack.folder.start

    def _states(self, ids: Sequence[str]) -> list[State]:
        """What is known in several conversations, without what their users and projects know."""
        found, _ = self._streams([Key("session", id) for id in ids])
        return [self.pack.folder.state({"session": stream}) for stream in found]

    def _keep(self, key: Key, stream: Stream, mark: int) -> None:
        with self._locks.hot:
            self._hot[key] = (stream, mark)
            self._hot.move_to_end(key)
            while len(self._hot) > self._most_hot:
                self._hot.popitem(last=False)

    def _held(self, keys: Iterable[Key]) -> dict[Key, int]:
        """The versions of logs that are in memory."""
        return {key: hot[0].version if (hot := self._hot.get(key)) else 0 for key in keys}

    def _crowded(self, key: Key, lost: bool = False) -> bool:
        """Whether others write to a session too: then a turn takes the session's lock before it decides."""
        left = IN_TURN if lost else self._contended.pop(key, 0) - 1
        if left > 0:
            self._contended[key] = left
            while len(self._contended) > self._most_hot:
                self._contended.popitem(last=False)
        return left > 0

    def entries(self, key: Key, after: int = 0, upto: int | None = None, past: bool = False) -> Iterator[Entry]:
        """A log, read a page at a time; `past` where it need not be the newest that is known."""
        return map(self.entry, all_rows(self.store, key, after, upto, past))

    def entry(self, row: Row) -> Entry:
        """A row as it was before it was stored: the text of a message is kept in the row, not in its event."""
        events = self._events(row)
        if events and isinstance(events[0], (MessageHeard, MessageSaid)):
            events = (msgspec.structs.replace(events[0], text=row.text or ""), *events[1:])
        elif row.text is not None and row.role in MESSAGES:
            events = (MESSAGES[row.role](text=row.text), *events)
        return Entry(row.version, row.at, row.role, events, row.text)

    def _events(self, row: Row) -> tuple[Event, ...]:
        where = f"version {row.version} of {row.key.kind} {row.key.name!r}"
        if row.format > FORMAT:
            raise StoreUnreadable(f"{where} was written by a newer release of Holdfast; upgrade to read it")
        try:
            events = self.pack.codec.decode(row.body, row.format)
        except (msgspec.MsgspecError, UnicodeError, TypeError, AttributeError, KeyError, ValueError) as wrong:
            raise StoreUnreadable(f"{where} is damaged ({wrong}); bring the file back from a copy") from wrong
        logs.unread(where, events)
        return events

    def _prove(self, events: Sequence[Event]) -> None:
        """What a caller brought beside words is read back before it is written: a row that nobody can read would cost
        the conversation its future."""
        try:
            self.pack.codec.prove(events)
        except (TypeError, ValueError, RecursionError) as wrong:
            raise InvalidInput(f"this cannot be kept: {wrong}; nothing was written") from wrong

    def _append(
        self,
        shell: Shell,
        role: str,
        outcome: turn.Outcome,
        known: Known,
        once: str | None = None,
        job: bytes | None = None,
    ) -> None:
        """Write what a turn did to each log that it touched, in one transaction."""
        draft, keys = outcome.draft, shell.keys
        notes = turn.notes(outcome, self.pack)
        streams: dict[Key, Stream] = {}
        writes: list[Write] = []
        for scope, key in keys.items():
            stream, leads = draft.state.stream(scope), key == shell.own
            own = [event for event in draft.events if event.scope == scope]
            if stream is None or not (leads or own):
                continue  # its hot copy still holds
            streams[key] = stream
            row = self._row(key, stream, role, draft, own)
            noted = tuple(note for place, note in notes if place == scope)
            due = stream.version % SNAPSHOT_EVERY == 0
            snapshot = Snapshot(stream.version, self.pack.folder.encode(stream), _shape(self.pack)) if due else None
            write = Write(row, snapshot, None, noted)
            writes.append(write._replace(about=shell.about, once=once, job=job) if leads else write)
        self.store.append(writes, known.marks, {key: at for key, at in known.read.items() if key not in streams})
        self._hold(streams, known.marks)

    def _hold(self, streams: Mapping[Key, Stream], marks: Mapping[Key, int]) -> None:
        """Keep what was just written at hand, unless somebody wrote since."""
        new = [key for key in streams if not marks.get(key)]
        made = dict(zip(new, self.store.heads(new), strict=True)) if new else {}
        for key, stream in streams.items():
            head = made.get(key) or Head(stream.version, marks.get(key, 0))
            if head.version == stream.version:
                self._keep(key, stream, head.mark)

    def _row(self, key: Key, stream: Stream, role: str, draft: Draft, own: list[Event]) -> Row:
        """What a turn did to one log. The text of a message is kept in the row, not in its event; where that and the
        role say all that there is to it, there is no event."""
        text, message = None, draft.message
        if key.kind == "session" and message is not None:
            text = message.text
            more = message.attached or message.imported or getattr(message, "agent", None) is not None
            own = [msgspec.structs.replace(message, text=""), *own[1:]] if more else own[1:]
        if message is None or message.attached:
            self._prove(own)
        return Row(key, stream.version, stream.at, role, text, self.pack.codec.encode(own), FORMAT)


class Session(Shell):
    """One conversation. Any number of these objects, threads and processes may share it."""

    about: SessionInfo

    def __init__(self, holdfast: Holdfast, id: str, user: str | None, project: str | None, begun: bool = True) -> None:
        self.user = user
        self.project = project
        self.about = SessionInfo(id, holdfast.pack.name, user, project)
        keys = keys_of(self.about)
        super().__init__(holdfast, id, keys, keys["session"])
        self._mark = None if begun else 0  # whoever begins it before us is noticed

    def __repr__(self) -> str:
        return called("Session", shown(self.id), user=self.user, project=self.project, pack=self.pack.name)

    def hear(self, /, text: str, *, idempotency_key: str | None = None, **attached: Any) -> turn.Turn:
        """A person's message. Under an `idempotency_key` it is heard once, however often it is tried: a retry gives the
        turn of the first time."""
        second = self._hf._second
        looking = second.looking(self) if second is not None else None
        if second is not None:
            attached = second.before(self, text, attached)
        heard: turn.Turn = self._run(
            "hear",
            lambda state, now: turn.hear(text, state, self._hf.pack, now, self.id, **attached),
            text,
            idempotency_key,
            looking,
        )
        if second is not None and looking is not None:
            second.after(looking)
        return heard

    def say(
        self,
        /,
        text: str,
        *,
        agent: str | None = None,
        instead_of: str = "",
        idempotency_key: str | None = None,
        **attached: Any,
    ) -> turn.Reply:
        """An agent's message. `entities=[…]` names what it mentions, for agents that know; `instead_of` is what the
        guard did not let out; `idempotency_key` as for `hear`."""
        return self._run(  # type: ignore[no-any-return]
            "say",
            lambda state, now: turn.say(
                text, state, self._hf.pack, now, self.id, agent, instead_of=instead_of, **attached
            ),
            text,
            idempotency_key,
        )

    def said(self, version: int) -> turn.Reply:
        """The reply that was recorded as a version, as `say` gave it."""
        past = self.entry(version)
        message = past.newest(MessageSaid)
        if message is None:
            raise UnknownVersion(f"version {version} of session {self.id!r} is no reply")
        given = (message.text, self.before(version), self._hf.pack, past.entry.at, self.id, message.agent)
        return turn.say(*given, **message.attached).result  # type: ignore[no-any-return]

    def heard(self, version: int, before: State | None = None) -> turn.Outcome:
        """The turn of a person's message of the past, decided again on what was known before it: since a turn is a pure
        function, it is what `hear` decided then, to the letter."""
        past = self.entry(version)
        message = past.newest(MessageHeard)
        if message is None:
            raise Refused(f"version {version} is no message of a person: nothing was sent to an agent with it")
        state, at = self.before(version) if before is None else before, past.entry.at
        recorded = (message.imported, past.events)
        return turn.hear(message.text, state, self._hf.pack, at, self.id, *recorded, **message.attached)

    def _again(self, before: Entry, decide: Decide) -> turn.Outcome:
        return self.heard(before.version) if before.role == "person" else super()._again(before, decide)

    def before(self, version: int) -> State:
        """What was known when a version was decided."""
        at = self.entry(version).entry.at
        return self._then(version - 1, lambda then: then < at)

    def check(self, action: str | Action) -> turn.Verdict:
        """The guard alone: may this go out? Records nothing."""
        action = Action(action) if isinstance(action, str) else action
        if not isinstance(action, Action):
            raise InvalidInput(f"check() takes a text or an Action, not {type(action).__name__}")
        verdict = turn.check(action, self.state, self._hf.pack)
        logs.failures("check", self.id, verdict.failures)
        return verdict

    @accepting
    def clear(self, what: str | None = None, index: int | None = None) -> turn.Done:
        """Remove one thing by name ("location"), or everything that this session remembers."""
        return self._run(  # type: ignore[no-any-return]
            "call", lambda state, now: turn.clear(what, index, state, self._hf.pack, now, self.id)
        )

    @accepting
    def restore(self, version: int) -> turn.Done:
        """Let hold again what this session knew at an earlier version: the undo of a clear, or of anything since. The
        messages stay as they are, and so does what belongs to the user or the project."""
        then = self.at(version).session.slices
        kept = {name: msgspec.to_builtins(part) for name, part in then.items() if name != "conversation"}
        return self.act(lambda draft: [Restored(to=version, slices=kept)])

    def rewind(self, version: int) -> turn.Done:
        """Take back everything after a version, as if it had not been said, with what it taught the user's or the
        project's memory. `turn.version` makes the reply to a message anew; one less, and the message can be said in
        other words. The log keeps all of it (`history` marks what is taken back)."""
        from holdfast.history.rewind import taking_back  # with the memory

        return self.act(taking_back(self, version))

    def plan(self, steps: Any) -> turn.Done:
        """A plan for the task at hand: a list of steps, or a text with one step a line."""
        return self.act(lambda draft: self._tasks.plan(draft, steps))

    @accepting
    def step(self, number: int, state: str, reason: str = "") -> turn.Done:
        """Mark a step of the plan: "running", "done", "skipped", "failed" or "open"."""
        return self.act(lambda draft: self._tasks.mark(draft, number, state, reason))

    @accepting
    def interrupt(self, at: str = "") -> turn.Done:
        """Pause the task at hand; the next message continues it. `at` says where things stand."""
        return self.act(lambda draft: self._tasks.interrupt(draft, at))

    @accepting
    def speak(self, language: str) -> turn.Done:
        """Set the language of the conversation, whatever was heard so far."""
        if language not in self.pack.languages:
            known = ", ".join(self.pack.languages)
            raise InvalidInput(f"the pack {self.pack.name} speaks {known}, not {shown(language)}")

        def act(draft: Draft) -> Iterator[Event]:
            if draft.state.conversation.language != language:
                yield LanguageSet(language=language, forced=True, because=draft.cause("language.option"))

        return self.act(act)

    @accepting
    def rename(self, title: str) -> turn.Done:
        """Give the conversation a name of its own; lists show it instead of the first words."""
        title = " ".join(title.split())
        if not title or len(title) > TITLE_CHARS:
            raise InvalidInput(f"a title has 1 to {TITLE_CHARS} characters")

        def act(draft: Draft) -> Iterator[Event]:
            if draft.state.conversation.title != title:
                yield TitleSet(title=title, because=draft.cause("call.rename"))

        return self.act(act)

    @property
    def _tasks(self) -> Any:
        return self._hf.pack.faculty("task")

    @cached_property
    def face(self) -> Any:
        """The pack's own names for what its documents call for, where it has them."""
        if self._hf.pack.face is None:
            raise Refused(f"the pack {self._hf.pack.name} has no face of its own; use the session's methods")
        return self._hf.pack.face(self)

    @cached_property
    def memory(self) -> SessionMemory:
        """What is remembered: facts, preferences, decisions, their history, and search over them."""
        from holdfast.memory import SessionMemory

        return SessionMemory(self)

    def history(self, limit: int = 50, before: int | None = None) -> list[Past]:
        """Messages and calls in order, a page at a time from the end; `before` is where the page after begins."""
        limit = accept_limit(limit)
        top = self.state.version if before is None else accept_version(before) - 1
        entries = self._hf.entries(self.own, max(0, top - limit), top, past=True)
        taken = self._taken_back(max(0, top - limit))
        return [Past(entry, any(to < entry.version < row for to, row in taken)) for entry in entries]

    def _taken_back(self, after: int) -> list[tuple[int, int]]:
        from holdfast.history.rewind import gaps

        return gaps(self, after)

    def entry(self, version: int) -> Past:
        """One message or call, with its receipt."""
        version = accept_version(version)
        for entry in self._hf.entries(self.own, version - 1, version):
            return Past(entry, any(to < version < row for to, row in self._taken_back(version)))
        raise UnknownVersion(f"session {self.id!r} has no version {version}; its newest is {self.state.version}")

    def at(self, version: int) -> State:
        """What was known after that version, with the user's and project's memory of that moment."""
        moment = self.entry(version).entry.at if accept_version(version) else 0.0
        return self._then(version, lambda at: at <= moment)

    @accepting
    def search(self, query: str, k: int = 10, around: bool = False) -> list[Hit]:
        """Messages of this conversation that fit the query, best first; with `around` also what stands beside."""
        return self._hf._messages.search(query, [self.id], accept_limit(k), around=around)


def keys_of(info: SessionInfo) -> dict[Scope, Key]:
    """The logs that a session reads and writes."""
    names = {"session": info.name, "project": info.project, "user": info.user}
    return {scope: Key(scope, name) for scope in SCOPES if (name := names[scope]) is not None}


@contextmanager
def at_once(chat: Session) -> Iterator[None]:
    """Inside, a turn of this conversation waits for nobody: StoreBusy where it would have to. Its own lock is taken
    first, as a turn does, so that two can never wait for each other."""
    hurried = getattr(chat.holdfast.store, "at_once", None)
    if hurried is None:
        raise StoreBusy("this has to wait; try again")
    with chat.holdfast._locks.of(chat.keys.values(), blocking=False), hurried():
        yield


class Past(turn.Recorded):
    """Something that happened in a session, as the log has it."""

    def __init__(self, entry: Entry, taken_back: bool = False) -> None:
        super().__init__(entry.version, entry.events)
        self.entry = entry
        self.taken_back = taken_back
        """Whether it counts no more: the conversation was taken back to before it."""
        self.role = entry.role
        self.text = entry.text

    def __repr__(self) -> str:
        return called("Past", shown(self.text), version=self.version, role=self.role, taken_back=self.taken_back)

    @property
    def time(self) -> str:
        """When, in ISO form; nothing where the clock was wrong."""
        if not isfinite(self.entry.at):
            return ""
        return datetime.fromtimestamp(self.entry.at, UTC).isoformat(timespec="milliseconds")


def _consultant(ask: Ask) -> Consultant:
    from holdfast.models.consult import Consultant  # only for those who want one

    return Consultant(ask, idempotent)


@lru_cache(maxsize=64)  # several milliseconds, and a pack never changes
def _shape(pack: Pack) -> str:
    """Names the form of this pack's state, so that a snapshot of another form is replayed rather than trusted."""
    kept: list[tuple[str, Any]] = [(f.kept_in or f.name, f.slice) for f in pack.faculties]
    parts = [(name, slice.__name__, _schema(slice)) for name, slice in kept]
    return f"{FORMAT}.{zlib.crc32(repr(parts).encode()):08x}"


@lru_cache(maxsize=256)
def _schema(slice: type) -> bytes:
    return msgspec.json.encode(msgspec.json.schema(slice))
