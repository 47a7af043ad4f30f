"""Asking for second opinions, after the turn and off its path: one thread, a short queue, and nobody who waits.

What a message leaves to a model is put down with its turn (`models/pending.py`), so that it is done even if the process
ends in between, and done once. Messages that wait together are read together. What a model then decides is one more
act of the session, with its source and its receipt. An answer that cannot be used leaves things as they are; where
there was no answer, the message waits on.

One thing cannot wait until after the turn: where the message goes. A faculty that words leave in doubt about it
(`Faculty.inquire`) gets the model's answer attached to the message before the turn, within a few seconds or not at all.
"""

from __future__ import annotations

import queue
import threading
import time
from collections import deque
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import AbstractContextManager, suppress
from functools import partial
from typing import Any, Protocol

from holdfast import logs
from holdfast.errors import HoldfastError, Refused, UnknownSession, UnknownVersion
from holdfast.events import Event
from holdfast.faculty import Draft, Inquiry
from holdfast.guests import Contained
from holdfast.models import claims, opinion
from holdfast.models.claims import Unread
from holdfast.models.opinion import Doubt
from holdfast.models.pending import Pending, pending
from holdfast.pack import Pack
from holdfast.state import Failure, State
from holdfast.stores.protocol import Store
from holdfast.turn import Outcome, hear

Ask = Callable[[list[dict[str, str]]], str]
"""A model: messages in the form of chat completions go in, its answer comes out. It may raise."""

WAITING = 64
"""Messages that wait for an opinion in memory; more than that wait in the store alone."""
KEPT = 1000
"""Messages that wait in the store at most: of more than that, the oldest are let go of."""
PER_HOUR = 600
"""Questions an hour, where the model does not say (`per_hour`)."""
HOUR = 3600.0
BATCH_MESSAGES, BATCH_CHARS = 8, 6000
"""Messages of a session that one question is about, and their characters."""
PATIENCE = 10.0
"""Seconds that a person waits for the model to say where their message goes."""


class Chat(Protocol):
    """What an opinion needs of a session."""

    id: str

    @property
    def pack(self) -> Pack: ...

    @property
    def state(self) -> State: ...

    def act(self, act: Callable[[Draft], Iterable[Event]]) -> Any: ...

    def heard(self, version: int) -> Outcome: ...

    def entry(self, version: int) -> Any: ...


class Engine(Protocol):
    """What an opinion needs of the engine."""

    pack: Pack
    store: Store

    def existing(self, id: str) -> Chat: ...


class Looking:
    """What a turn leaves to a model, found while the turn is written: in doubt, or unread."""

    def __init__(self, chat: Chat, version: int = 0) -> None:
        self.chat, self.version = chat, version
        self.doubts: list[Doubt] = []
        self.unread: Unread | None = None

    def __call__(self, outcome: Outcome) -> bytes | None:
        """The job that is written with the turn."""
        self.version = outcome.draft.moment.version
        # What is only for a model must never cost the person their turn.
        with Contained(lambda wrong: logs.failures("opinion", self.chat.id, [Failure("second opinion", wrong)])):
            self.doubts = opinion.doubts(outcome.draft)
            self.unread = claims.unread(outcome.draft) if not self.doubts else None
        return self.waits.encoded() if self else None

    def __bool__(self) -> bool:
        return bool(self.doubts or self.unread)

    @property
    def waits(self) -> Pending:
        """Its name in the store."""
        return Pending(self.chat.id, self.version, self.chat.pack.name)


class Budget:
    """So many questions an hour, and no more."""

    def __init__(self, per_hour: int, clock: Callable[[], float] = time.monotonic) -> None:
        self._per_hour, self._clock = per_hour, clock
        self._asked: deque[float] = deque()

    def take(self) -> float:
        """Take one question: 0.0; or the seconds until there is one again."""
        now = self._clock()
        while self._asked and self._asked[0] <= now - HOUR:
            self._asked.popleft()
        if len(self._asked) < self._per_hour:
            self._asked.append(now)
            return 0.0
        return self._asked[0] + HOUR - now if self._asked else HOUR


class Consultant:
    """Second opinions of one model for all sessions of an engine. `once` makes what is written inside it be written
    once under a key."""

    def __init__(self, ask: Ask, once: Callable[[str], AbstractContextManager[None]]) -> None:
        self._ask, self._once = ask, once
        self._name = str(getattr(ask, "name", "") or getattr(ask, "__name__", "model"))
        self._budget = Budget(int(getattr(ask, "per_hour", PER_HOUR)))
        self._waiting: queue.Queue[Looking | None] = queue.Queue(WAITING)
        self._engine: Engine | None = None
        self._thread: threading.Thread | None = None
        self._closed = threading.Event()
        self._guard = threading.Lock()
        self._left = False
        """Whether some wait in the store alone: there was no place in the queue, or no answer."""

    def before(self, chat: Chat, text: str, attached: dict[str, Any]) -> dict[str, Any]:
        """What goes with a message: also the model's answers to what the pack must know before it routes the message.
        The turn is tried out first; where words decide, nobody is asked."""
        inquiring = [faculty for faculty in chat.pack.able["inquire"] if faculty.may_inquire]
        if not inquiring:
            return attached
        state = chat.state
        draft = hear(text, state, chat.pack, state.session.at, chat.id, **attached).draft
        for faculty in inquiring:
            inquiry = faculty.inquire(draft)
            if inquiry is not None and inquiry.name not in attached:
                attached = {**attached, inquiry.name: self._told(inquiry)}
                logs.step("opinion", chat.id, about=inquiry.name, outcome="asked")
        return attached

    def _told(self, inquiry: Inquiry) -> dict[str, str]:
        """The answer to an inquiry, or why there is none."""
        told: dict[str, str] = {"error": f"no answer within {PATIENCE:g} seconds"}

        def ask() -> None:
            answer: dict[str, str] = {}
            # The model is somebody else's program behind a network: whatever it raises, the default holds.
            with Contained(lambda wrong: answer.update(error=f"{type(wrong).__name__}: {wrong}"[:300])):
                answer["answer"] = str(self._ask(inquiry.messages))[:2000]
            told.pop("error", None)
            told.update(answer)

        asking = threading.Thread(target=ask, name="holdfast-inquiry", daemon=True)
        asking.start()
        asking.join(PATIENCE)
        return {**told, "by": self._name}

    def looking(self, chat: Chat) -> Looking:
        """What finds out, while a turn is written, whether it leaves something to a model."""
        return Looking(chat)

    def after(self, looked: Looking) -> None:
        """Take in what a turn left. Never waits, never raises."""
        if looked:
            self._put(looked)

    def resume(self, engine: Engine) -> None:
        """Go on with what waits in the store."""
        self._engine = engine
        mine = list(self._in_store())
        for number, _ in mine[:-KEPT]:
            engine.store.finished(number)
        for _, waits in mine[-KEPT:]:
            with suppress(UnknownSession):
                self._put(Looking(engine.existing(waits.session), waits.opinion))
                continue
            self._finish(waits)

    def _in_store(self) -> Iterator[tuple[int, Pending]]:
        if self._engine is not None:
            for number, body in self._engine.store.jobs():
                waits = pending(body)
                if waits is not None and waits.pack == self._engine.pack.name:
                    yield number, waits

    def settled(self, seconds: float) -> bool:
        """Wait until every turn taken in so far is done with; False where that takes longer."""
        until = time.monotonic() + seconds
        with self._waiting.all_tasks_done:
            while self._waiting.unfinished_tasks:
                left = until - time.monotonic()
                if left <= 0:
                    return False
                self._waiting.all_tasks_done.wait(left)
        return True

    def close(self) -> None:
        """Take nothing more in and write nothing more; what is under way is done when the store is opened next."""
        with self._guard:
            self._closed.set()
        with suppress(queue.Full):
            self._waiting.put_nowait(None)  # wakes the thread, so that it can end

    def _put(self, looked: Looking) -> None:
        self._begin()
        try:
            self._waiting.put_nowait(looked)
        except queue.Full:
            self._left = True

    def _begin(self) -> None:
        with self._guard:
            if self._thread is None and not self._closed.is_set():
                self._thread = threading.Thread(target=self._run, name="holdfast-opinions", daemon=True)
                self._thread.start()

    def _run(self) -> None:
        while not self._closed.is_set():
            taken = self._taken()
            try:
                self._consider([looked for looked in taken if looked is not None])
            # The store may be closed or busy: everything that was not finished waits in it.
            except HoldfastError as wrong:
                self._left = True
                logs.step("opinion", "", outcome=f"waits on ({wrong})")
            finally:
                for _ in taken:
                    self._waiting.task_done()

    def _taken(self) -> list[Looking | None]:
        """Whatever waits by now."""
        taken = [self._waiting.get()]
        with suppress(queue.Empty):
            while True:
                taken.append(self._waiting.get_nowait())
        return taken

    def _consider(self, waiting: Sequence[Looking]) -> None:
        standing = [looked for looked in waiting if not self._closed.is_set() and self._stands(looked)]
        answered = 0
        for looked in self._answered(standing):
            self._finish(looked.waits)
            answered += 1
        if answered and self._left and self._engine is not None and self._waiting.empty():
            self._left = False
            self.resume(self._engine)  # there are answers again, and there is place

    def _answered(self, standing: Sequence[Looking]) -> Iterator[Looking]:
        """The messages of which every doubt is settled, then those that were read once more."""
        for looked in standing:
            if looked.doubts and all(self._advise(looked, place) for place in range(len(looked.doubts))):
                yield looked
        for batch in _batches([looked for looked in standing if looked.unread is not None]):
            if self._read(batch):
                yield from batch

    def _stands(self, looked: Looking) -> bool:
        """Whether the message is still there, and not done with. One of which only the name is known is looked up."""
        if all(waits != looked.waits for _, waits in self._in_store()):
            return False
        try:
            if not looked and not looked.chat.entry(looked.version).taken_back:
                looked(looked.chat.heard(looked.version))
            stands = bool(looked) and not looked.chat.entry(looked.version).taken_back
        except (UnknownSession, UnknownVersion, Refused):
            stands = False
        if not stands:
            self._finish(looked.waits)
        return stands

    def _answer(self, messages: list[dict[str, str]], chat: Chat) -> str | None:
        """What the model says, when the budget allows it; None where it says nothing."""
        while (seconds := self._budget.take()) > 0:
            logs.step("opinion", chat.id, outcome=f"waits {seconds:.0f} seconds: the budget is spent")
            if self._closed.wait(seconds):
                return None
        faults: list[Exception] = []
        # The model is somebody else's program behind a network: whatever it raises, the message waits on.
        with Contained(faults.append):
            return str(self._ask(messages))
        self._left = True
        logs.step("opinion", chat.id, outcome=f"no answer ({type(faults[0]).__name__})")
        return None

    def _advise(self, looked: Looking, place: int) -> bool:
        """Settle one doubt; whether the model answered."""
        doubt, chat = looked.doubts[place], looked.chat
        said = self._answer(opinion.question(doubt), chat)
        if said is None:
            return False
        answer = opinion.understood(said)
        outcome = "does not count: it says nothing, or its words do not stand in the message"
        if answer is not None and opinion.counts(doubt, answer):
            outcome = self._write(
                chat, f"{doubt.version}.{place}", lambda draft: opinion.applied(draft, doubt, answer, self._name)
            )
        logs.step("opinion", chat.id, about=doubt.kind, version=doubt.version, outcome=outcome)
        return True

    def _read(self, batch: Sequence[Looking]) -> bool:
        """Let the model read messages of one session; whether it answered."""
        chat = batch[0].chat
        messages = [looked.unread for looked in batch if looked.unread is not None]
        said = self._answer(claims.question(messages, chat.pack.reader), chat)
        if said is None:
            return False
        found = claims.understood(said) or []
        for number, message in enumerate(messages, start=1):
            about = [claim for claim in found if claim.message == number or len(messages) == 1]
            act = partial(claims.applied, message=message, claims=about, model=self._name)
            outcome = self._write(chat, f"{message.version}", act) if about else "nothing to keep"
            logs.step("opinion", chat.id, about="unread", version=message.version, outcome=outcome)
        return True

    def _write(self, chat: Chat, key: str, act: Callable[[Draft], Iterator[Event]]) -> str:
        with self._guard:
            if self._closed.is_set():
                raise Refused("came too late")
            with self._once(f"second_opinion.{key}"):
                done = chat.act(act)
        return "decided" if done.events else "nothing was left to decide"

    def _finish(self, done: Pending) -> None:
        with self._guard:
            for number, waits in self._in_store() if not self._closed.is_set() else ():
                if waits == done and self._engine is not None:
                    self._engine.store.finished(number)


def _batches(waiting: Sequence[Looking]) -> Iterator[list[Looking]]:
    """Messages to be read together: of one session, in order, and not too many."""
    by_session: dict[str, list[Looking]] = {}
    for looked in waiting:
        by_session.setdefault(looked.chat.id, []).append(looked)
    for several in by_session.values():
        batch, size = list[Looking](), 0
        for looked in several:
            length = len(looked.unread.text) if looked.unread is not None else 0
            if batch and (len(batch) == BATCH_MESSAGES or size + length > BATCH_CHARS):
                yield batch
                batch, size = [], 0
            batch.append(looked)
            size += length
        yield batch
