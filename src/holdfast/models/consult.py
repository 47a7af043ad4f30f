"""Asking for second opinions, after the turn and off its path: one thread, a short queue, and nobody who waits.

A turn hands over what it did and goes on. What a model then decides is one more act of the session, with its source and
its receipt. Whatever fails on the way (no answer, a wrong one, words that nobody wrote) leaves the doubt open.

One thing cannot wait until after the turn: where the message goes. A faculty that words leave in doubt about it
(`Faculty.inquire`) gets the model's answer attached to the message before the turn, within a few seconds or not at all.
"""

from __future__ import annotations

import queue
import threading
import time
from collections.abc import Callable, Iterable
from contextlib import suppress
from typing import Any, NamedTuple, Protocol

from holdfast import logs
from holdfast.errors import HoldfastError
from holdfast.events import Event
from holdfast.faculty import Draft, Inquiry
from holdfast.guests import Contained
from holdfast.models.opinion import Answer, Doubt, applied, counts, doubts, question, understood
from holdfast.pack import Pack
from holdfast.state import State
from holdfast.turn import Turn, hear

Ask = Callable[[list[dict[str, str]]], str]
"""A model: messages in the form of chat completions go in, its answer comes out. It may raise."""

WAITING = 64
"""Turns that may wait for an opinion; of more than that the doubts stay open."""
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


class _Heard(NamedTuple):
    chat: Chat
    turn: Turn


class Consultant:
    """Second opinions of one model for all sessions of an engine."""

    def __init__(self, ask: Ask) -> None:
        self._ask = ask
        self._name = str(getattr(ask, "name", "") or getattr(ask, "__name__", "model"))
        self._waiting: queue.Queue[_Heard | None] = queue.Queue(WAITING)
        self._thread: threading.Thread | None = None
        self._closed = False
        self._guard = threading.Lock()

    def before(self, chat: Chat, text: str, attached: dict[str, Any]) -> dict[str, Any]:
        """What goes with a message: also the model's answers to what the pack must know before it routes the message.
        The turn is tried out first; where words decide, nobody is asked."""
        inquiring = chat.pack.able("inquire")
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

    def after(self, chat: Chat, turn: Turn) -> None:
        """Take a turn in. Never waits, never raises."""
        if self._thread is None:
            self._begin()
        try:
            self._waiting.put_nowait(_Heard(chat, turn))
        except queue.Full:
            logs.step("opinion", chat.id, outcome="not asked: too many are waiting")

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
        """Take nothing more in and write nothing more; an answer that is still under way is dropped."""
        with self._guard:
            self._closed = True
        with suppress(queue.Full):
            self._waiting.put_nowait(None)  # wakes the thread, so that it can end

    def _begin(self) -> None:
        with self._guard:
            if self._thread is None and not self._closed:
                self._thread = threading.Thread(target=self._run, name="holdfast-opinions", daemon=True)
                self._thread.start()

    def _run(self) -> None:
        while not self._closed:
            heard = self._waiting.get()
            try:
                if heard is not None and not self._closed:
                    self._consider(heard)
            finally:
                self._waiting.task_done()

    def _consider(self, heard: _Heard) -> None:
        chat, turn = heard
        reading = chat.pack.reader.read(turn.text)
        for doubt in doubts(turn.text, turn.version, turn.events, turn.state, reading):
            outcome = self._advise(chat, doubt)
            logs.step("opinion", chat.id, about=doubt.kind, version=doubt.version, outcome=outcome)

    def _advise(self, chat: Chat, doubt: Doubt) -> str:
        faults: list[Exception] = []
        answer = None
        # The model is somebody else's program behind a network: whatever it raises, the doubt simply stays.
        with Contained(faults.append):
            answer = understood(self._ask(question(doubt)))
        if faults:
            return f"no answer ({type(faults[0]).__name__})"
        if answer is None or not counts(doubt, answer):
            return "does not count: it says nothing, or its words do not stand in the message"
        return self._write(chat, doubt, answer)

    def _write(self, chat: Chat, doubt: Doubt, answer: Answer) -> str:
        with self._guard:
            if self._closed:
                return "came too late"
            try:
                done = chat.act(lambda draft: applied(draft, doubt, answer, self._name))
            except HoldfastError as refused:
                return f"could not be written ({refused})"
        return "decided" if done.events else "nothing was left to decide"
