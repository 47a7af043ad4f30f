"""What every shell does: load, decide, append, and again if somebody else was faster; under a key of the caller, once.

`session.py` has the shell of a conversation, `owned.py` that of a memory without one.
"""

from __future__ import annotations

import logging
import os
import time
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import contextmanager, nullcontext, suppress
from contextvars import ContextVar
from itertools import count
from math import isfinite
from typing import TYPE_CHECKING, Any, NamedTuple

from holdfast import logs, turn
from holdfast.accepting import accept_name, accepting, shown
from holdfast.errors import Conflict, HoldfastError, InvalidInput, OutcomeUnknown, Refused, UnknownSession
from holdfast.events import Event, Scope
from holdfast.faculty import Draft
from holdfast.pack import Pack
from holdfast.state import Entry, State, Stream
from holdfast.stores.protocol import Key, SessionInfo

if TYPE_CHECKING:
    from holdfast.session import Holdfast

ATTEMPTS = 20
"""How often a turn that lost the race for its version is decided again before it gives up."""
TRUSTED = 1.0
"""Seconds that what is held in memory may be trusted without asking the store whether words were erased."""
Decide = Callable[[State, float], turn.Outcome]
Job = bytes | Callable[[turn.Outcome], bytes | None]
"""What must be finished after a row is written, whatever happens in between; or how that is told from the outcome."""
ROLES = {"hear": "person", "say": "agent", "call": "call", "import": "import"}


class Known(NamedTuple):
    """What a turn is decided on."""

    marks: Mapping[Key, int]
    read: Mapping[Key, int] = {}
    """Versions of logs beside a session's own that were held here and not looked up."""


class Call(NamedTuple):
    """Something that a shell is to do, and how it is to be written."""

    verb: str
    decide: Decide
    text: str | None
    once: str | None
    """The key under which it is written, once."""
    job: Job | None


_request: ContextVar[Iterator[str] | None] = ContextVar("holdfast_request", default=None)
"""Keys of one request: for what it writes first, second and so on."""


@contextmanager
def idempotent(key: str) -> Iterator[None]:
    """Inside, everything that is written to a session is written once under this key, however often it is tried: a
    second time finds what the first one did, and gives the same answer."""
    accept_name("idempotency key", key)
    put = _request.set(f"{key}/{number}" for number in count(1))
    try:
        yield
    finally:
        _request.reset(put)


class Shell:
    """Load, decide, append: what a conversation and a memory without one share. `keys` are the logs that it reads and
    writes, and `own` is the one whose version decides who was first."""

    about: SessionInfo | None = None
    """What a conversation was opened with."""

    def __init__(self, holdfast: Holdfast, id: str, keys: dict[Scope, Key], own: Key) -> None:
        self.id = id
        self._hf = holdfast
        self.keys = keys
        self.own = own
        self._must_exist = False
        """Whether a turn of it is refused once it was erased, rather than beginning it anew."""
        self._mark: int | None = None
        """That of its log, when a turn was last decided. None is any, as long as nothing was erased meanwhile:"""
        self._erasures = holdfast.store.erasures

    @property
    def holdfast(self) -> Holdfast:
        """The engine that this conversation lives in."""
        return self._hf

    @property
    def pack(self) -> Pack:
        """The pack that this conversation runs with."""
        return self._hf.pack

    @accepting
    def act(self, act: Callable[[Draft], Iterable[Event]], job: bytes | None = None) -> turn.Done:
        """Let something be done that nobody said: `act` gets the draft and yields events. A `job` is kept with them
        until somebody says that it is finished."""
        return self._run(  # type: ignore[no-any-return]
            "call", lambda state, now: turn.call(act, state, self._hf.pack, now, self.id), job=job
        )

    @property
    def state(self) -> State:
        """What is known now, read-only."""
        state, _ = self._load()
        logs.retrieved(self.id, state, self._hf.pack)
        return state

    def _load(self, trusting: bool = False) -> tuple[State, Known]:
        """The state to decide on, and what it is of. Trusting what is held here, the logs may be newer: then the append
        conflicts and the turn is decided again. Where looking is cheap, a user's or a project's log is looked up; so is
        everything now and then, because somebody may have erased what is held."""
        hf, own = self._hf, self.own
        keys = list(self.keys.values())
        trusting = trusting and own.kind == "session" and (len(keys) == 1 or hf.store.loses_answers)
        if trusting and time.monotonic() - hf._looked < TRUSTED:
            hot = [hf._hot.get(key) for key in keys]
            held = {key: one for key, one in zip(keys, hot, strict=True) if one is not None}
            if len(held) == len(keys) and held[own][1]:
                read = {key: stream.version for key, (stream, _) in held.items() if key != own}
                known = Known({key: mark for key, (_, mark) in held.items()}, read)
                return self._together({scope: held[key][0] for scope, key in self.keys.items()}), known
        found, marks = hf._streams(keys)
        return self._together(dict(zip(self.keys, found, strict=True))), Known(marks)

    def _together(self, streams: dict[Scope, Stream]) -> State:
        return self._hf.pack.folder.state(streams)

    def _then(self, version: int, known: Callable[[float], bool]) -> State:
        replay = self._hf.pack.folder.replay
        streams: dict[Scope, Stream] = {}
        for scope, key in self.keys.items():
            entries = self._hf.entries(key, upto=version if key == self.own else None, past=True)
            streams[scope] = replay(entry for entry in entries if key == self.own or known(entry.at))
        return self._together(streams)

    def _run(
        self, verb: str, decide: Decide, text: str | None = None, key: str | None = None, job: Job | None = None
    ) -> Any:
        """Load, decide, append; on a lost race again, on the new state and with the session to ourselves."""
        hf, own = self._hf, self.own
        once = self._once(verb, text, key)
        try:
            before = hf.store.written(own, once) if once is not None else 0
            once = once or (os.urandom(16).hex() if hf.store.loses_answers else None)
            call = Call(verb, decide, text, once, job)
            taken = self._same(before, call) if before else self._take(call)
        except OutcomeUnknown:
            if text is not None and once is not None and len(hf._unknown) < 10_000:
                hf._unknown[own, verb, hash(text)] = once
            raise
        if hf._unknown:
            hf._unknown.pop((own, verb, hash(text or "")), None)
        return taken

    def _take(self, call: Call) -> Any:
        hf, own = self._hf, self.own
        with hf._locks.of(self.keys.values()):
            for attempt in range(ATTEMPTS):
                crowded = hf._crowded(own, attempt > 0)
                if crowded and not attempt and call.text is not None:
                    self._read_ahead(call.verb, call.text)
                with hf.store.turn(hf._held(self.keys.values())) if crowded else nullcontext():
                    # What somebody said is always written, and checked then; a call may find nothing to do.
                    trusting = not crowded and (call.text is not None or len(self.keys) == 1)
                    outcome = self._attempt(call, trusting)
                if outcome is not None:
                    if outcome.draft.events and (outcome.failures or logs.logger.isEnabledFor(logging.INFO)):
                        logs.outcome(call.verb, self.id, outcome)
                    return outcome.result
                if call.once is not None and (version := hf.store.written(own, call.once)):
                    return self._same(version, call)
        raise Conflict(f"{own.kind} {self.id!r} is written so fast by others that {ATTEMPTS} attempts lost; try again")

    def _read_ahead(self, verb: str, text: str) -> None:
        """Read before others have to wait for us: what is read of a text is kept with its reading. Nothing comes of it,
        no error either."""
        hot, folder = self._hf._hot.get(self.own), self.pack.folder
        with suppress(HoldfastError):
            turn.read(verb, text, folder.state({"session": hot[0] if hot else folder.start}), self.pack)

    def _attempt(self, call: Call, trusting: bool) -> turn.Outcome | None:
        """One attempt, on what is held in memory or on what the store has; None where somebody else was faster."""
        state, known = self._load(trusting)
        if self._must_exist and not state.version:
            raise UnknownSession(f"there is no session {self.id!r} any more; it was erased")
        if (mark := known.marks.get(self.own, 0)) != self._mark:
            self._mark = self._still_own(mark)
        outcome = call.decide(state, self._now(state))
        if outcome.draft.events:
            try:
                work = call.job(outcome) if callable(call.job) else call.job
                self._hf._append(self, ROLES[call.verb], outcome, known, call.once, work)
                if not mark:  # we began it, and get to know its mark with the next turn
                    self._mark, self._erasures = None, self._hf.store.erasures
            except Conflict:
                return None
        return outcome

    def _still_own(self, mark: int) -> int:
        """Refuse a turn in a conversation that was begun, by this name, for somebody else since ours was opened."""
        store, about = self._hf.store, self.about
        if mark and about is not None and (self._mark is not None or store.erasures != self._erasures):
            found = store.session(self.id)
            if found is not None and (found.user, found.project) != (about.user, about.project):
                raise Refused(f"session {self.id!r} belongs to somebody else now; open another session")
        return mark

    def _now(self, state: State) -> float:
        now = self._hf.clock()
        if isinstance(now, bool) or not isinstance(now, (int, float)) or not isfinite(now):
            raise InvalidInput(f"the clock must give finite seconds since 1970, not {shown(now)}; nothing was written")
        last = state.session.at if isfinite(state.session.at) else 0.0
        return max(float(now), last)  # a clock set back must not turn time around in the log

    def _once(self, verb: str, text: str | None, key: str | None) -> str | None:
        """The key under which a turn may have been written before: the caller's, that of the request, or that of the
        same message when nobody knew what became of it."""
        if key is not None:
            return accept_name("idempotency key", key)
        if (request := _request.get()) is not None:
            return next(request)
        unknown = self._hf._unknown
        return unknown.get((self.own, verb, hash(text))) if unknown and isinstance(text, str) else None

    def _same(self, version: int, call: Call) -> Any:
        """What a turn that was written before gave: decided again on what was known before it, since a turn is a pure
        function of that."""
        before = next(self._hf.entries(self.own, version - 1, version))
        if call.text is not None and before.text != call.text:
            raise InvalidInput("this idempotency key was used for another message; make a new one for each message")
        return self._again(before, call.decide).result

    def _again(self, before: Entry, decide: Decide) -> turn.Outcome:
        """A turn of the past, decided again on what was known before it."""
        return decide(self._then(before.version - 1, lambda at: at < before.at), before.at)
