"""Live views: the state first, then every change, to any number of viewers, from any number of processes.

One task watches the versions of all logs that somebody looks at. SQLite tells cheaply whether anyone wrote; PostgreSQL
notifies. When a version moved, the new rows are read once and folded once, and the same bytes go to every viewer of
that session. A viewer has a bounded queue; one that does not keep up is told so and let go, and can come back with
Last-Event-ID and miss nothing.

Event names are those of AG-UI: STATE_SNAPSHOT, STATE_DELTA (JSON Patch), TEXT_MESSAGE_START, _CONTENT and _END,
RUN_ERROR, and CUSTOM for receipts. The id of an event is `session.project.user`: the versions that it leads to.
"""

from __future__ import annotations

import asyncio
import contextlib
import logging
import threading
from collections.abc import AsyncIterator, Callable, Iterator
from typing import Any, NamedTuple

import msgspec

from holdfast.errors import HoldfastError
from holdfast.history.whole import receipts
from holdfast.receipt import Receipt
from holdfast.server.endpoint import Running
from holdfast.server.house import Caller, plain
from holdfast.server.metrics import Metrics
from holdfast.server.patch import diff
from holdfast.server.problems import Failed
from holdfast.session import Past, Session
from holdfast.state import State
from holdfast.stores.protocol import Key

logger = logging.getLogger("holdfast.server")
EVERY = 0.1
"""Seconds between two looks at the versions."""
SELDOM = 5.0
"""The same where the store notifies, in case a notification was lost."""
QUEUE = 64
"""Messages that may wait for one viewer."""
BEAT = 15.0
"""Seconds of silence after which a comment keeps the connection alive."""
CATCH_UP = 500
"""Versions that a returning viewer is brought forward step by step; beyond, it gets a fresh snapshot."""
DEEPEST = 20_000
"""Length of a log up to which the state of a returning viewer is looked up again."""

_encode = msgspec.json.Encoder().encode
Versions = tuple[int, int, int]
ROLES = {"person": "user", "agent": "assistant"}


class Document:
    """A state as JSON data. A slice that did not change is not written again, so that a delta costs what changed."""

    def __init__(self, caller: Caller, state: State, before: Document | None = None) -> None:
        self.state = state
        self.versions: Versions = (
            state.version,
            state.project.version if state.project else 0,
            state.user.version if state.user else 0,
        )
        self.data: dict[str, Any] = {"version": state.version}
        for name, stream in (("slices", state.session), ("project", state.project), ("user", state.user)):
            if stream is None:
                self.data[name] = None
                continue
            known = before.state.stream(_SCOPE[name]) if before is not None else None
            self.data[name] = {
                key: before.data[name][key]
                if before is not None and known is not None and known.slices.get(key) is value
                else plain(caller, value)
                for key, value in stream.slices.items()
            }
        for name, view in state.views.items():
            self.data["slices"][name] = plain(caller, view(state))

    @property
    def id(self) -> str:
        return ".".join(map(str, self.versions))


_SCOPE: Any = {"slices": "session", "project": "project", "user": "user"}


def event(kind: str, id: str = "", **fields: Any) -> bytes:
    """One server-sent event."""
    head = b"id: " + id.encode() + b"\n" if id else b""
    return head + b"data: " + _encode({"type": kind, **fields}) + b"\n\n"


def snapshot(document: Document) -> bytes:
    return event("STATE_SNAPSHOT", document.id, snapshot=document.data)


def told(past: Past, receipt: Receipt) -> Iterator[bytes]:
    """The message of an entry and its receipt."""
    if past.role in ROLES and past.text:
        about = {"messageId": str(past.version)}
        yield event("TEXT_MESSAGE_START", **about, role=ROLES[past.role])
        yield event("TEXT_MESSAGE_CONTENT", **about, delta=past.text)
        yield event("TEXT_MESSAGE_END", **about)
    yield event("CUSTOM", name="holdfast.receipt", value={"role": past.role, "receipt": receipt})


class Step(NamedTuple):
    """What leads from one place to the next."""

    before: Versions
    after: Versions
    events: bytes


def forward(chat: Session, caller: Caller, document: Document) -> tuple[list[Step], Document]:
    """From a document to now: every entry in between with its message, its receipt and its delta. The id stands on the
    last event of an entry, so that nobody who returns has seen half of one."""
    steps: list[Step] = []
    folder = chat.pack.folder
    now = chat.state

    def step(after: Document, *first: bytes) -> Document:
        last = event("STATE_DELTA", after.id, delta=diff(document.data, after.data))
        steps.append(Step(document.versions, after.versions, b"".join((*first, last))))
        return after

    entries = list(chat.holdfast.entries(chat.keys["session"], document.versions[0], now.version))
    for entry, receipt in zip(entries, receipts(chat, entries), strict=True):
        stream = folder.replay([entry], document.state.session)
        state = State(stream, document.state.project, document.state.user, folder.views)
        document = step(Document(caller, state, document), *told(Past(entry), receipt))
    latest = Document(caller, now, document)
    if latest.versions != document.versions:
        document = step(latest)
    return steps, latest


def resume(chat: Session, caller: Caller, last: str) -> tuple[bytes, Document]:
    """What a viewer gets first: what it missed since `last`, or a snapshot."""
    now = Document(caller, chat.state)
    seen = _parse(last)
    if seen is None or not _within_reach(seen, now):
        return snapshot(now), now
    then = Document(caller, chat.at(seen[0]))
    if then.versions != seen:  # the user's or project's memory moved in between: start from where we stand
        entries = list(chat.holdfast.entries(chat.keys["session"], seen[0], now.versions[0]))
        missed = zip(entries, receipts(chat, entries), strict=True)
        return b"".join(part for e, r in missed for part in told(Past(e), r)) + snapshot(now), now
    steps, now = forward(chat, caller, then)
    return b"".join(step.events for step in steps) or b": nothing new\n\n", now


def _within_reach(seen: Versions, now: Document) -> bool:
    """Whether what a viewer missed costs less than a snapshot."""
    behind = now.versions[0] - seen[0]
    return seen[0] >= 1 and 0 <= behind <= CATCH_UP and now.versions[0] <= DEEPEST


def _parse(last: str) -> Versions | None:
    parts = last.split(".")
    if len(parts) != 3 or not all(part.isascii() and part.isdigit() and len(part) < 10 for part in parts):
        return None
    return int(parts[0]), int(parts[1]), int(parts[2])


class Viewer:
    """One connection. Its queue is bounded; `None` ends it."""

    def __init__(self, versions: Versions) -> None:
        self.queue: asyncio.Queue[bytes | None] = asyncio.Queue(QUEUE + 2)
        self.versions = versions
        self.dropped = False

    def give(self, steps: list[Step], latest: Document) -> bool:
        """Bring the viewer to where the channel is; whether there was room."""
        if self.versions == latest.versions:
            return True
        if self.queue.qsize() >= QUEUE:
            return False
        place = next((n for n, step in enumerate(steps) if step.before == self.versions), None)
        # One who came while the channel moved may stand beside its steps: then the whole state is sent again.
        message = snapshot(latest) if place is None else b"".join(step.events for step in steps[place:])
        self.queue.put_nowait(message)
        self.versions = latest.versions
        return True

    def end(self, code: str, message: str) -> None:
        """A last word, and nothing after it."""
        if self.dropped:
            return
        self.dropped = True
        while not self.queue.empty():
            self.queue.get_nowait()
        self.queue.put_nowait(event("RUN_ERROR", code=code, message=message))
        self.queue.put_nowait(None)


class Channel:
    """A session that somebody looks at."""

    def __init__(self, chat: Session, caller: Caller, document: Document) -> None:
        self.chat, self.caller, self.document = chat, caller, document
        self.viewers: set[Viewer] = set()
        self.keys = [chat.keys[scope] for scope in ("session", "project", "user") if scope in chat.keys]

    def stand(self, versions: dict[Key, int]) -> Versions:
        keys = self.chat.keys
        return (
            versions.get(keys["session"], 0),
            versions.get(keys["project"], 0) if "project" in keys else 0,
            versions.get(keys["user"], 0) if "user" in keys else 0,
        )


class Live:
    def __init__(self, running: Running, metrics: Metrics, most: int) -> None:
        self._running, self._metrics, self._most = running, metrics, most
        self._channels: dict[str, Channel] = {}
        self._viewers = 0
        self._task: asyncio.Task[None] | None = None
        self._look = asyncio.Event()
        self._loop: asyncio.AbstractEventLoop | None = None
        self._listening: threading.Event | None = None
        self._closed = False

    def nudge(self) -> None:
        """Look now; somebody in this process wrote. May be called from any thread."""
        if self._viewers and self._loop is not None and not self._closed:
            self._loop.call_soon_threadsafe(self._look.set)

    async def view(self, caller: Caller, id: str, last: str) -> AsyncIterator[bytes]:
        """The events of a session for one viewer. Raises before the first event where there is nothing to see."""
        if self._closed or self._viewers >= self._most:
            detail = f"{self._viewers} live views are open; try again later"
            raise Failed(503, "too-many-viewers", "Too many viewers", detail)
        chat = await self._running.work(lambda: self._running.house.session(caller, id))
        self._viewers += 1
        self._metrics.set("holdfast_viewers", self._viewers)
        with contextlib.ExitStack() as stays_out:
            stays_out.callback(self._left)
            first, document = await self._running.work(lambda: resume(chat, caller, last))
            viewer = self._join(chat, caller, document)
            stays_out.pop_all()
        return self._stream(chat, viewer, first)

    def _join(self, chat: Session, caller: Caller, document: Document) -> Viewer:
        channel = self._channels.get(chat.id)
        if channel is None:
            channel = self._channels[chat.id] = Channel(chat, caller, document)
        viewer = Viewer(document.versions)
        channel.viewers.add(viewer)
        self._look.set()
        if self._task is None:
            self._loop = asyncio.get_running_loop()
            self._task = self._loop.create_task(self._watch())
        return viewer

    async def _stream(self, chat: Session, viewer: Viewer, first: bytes) -> AsyncIterator[bytes]:
        try:
            yield first
            while True:
                try:
                    message = await asyncio.wait_for(viewer.queue.get(), BEAT)
                except TimeoutError:
                    yield b": still here\n\n"
                    continue
                if message is None:
                    return
                yield message
        finally:
            channel = self._channels.get(chat.id)
            if channel is not None:
                channel.viewers.discard(viewer)
                if not channel.viewers:
                    del self._channels[chat.id]
            self._left()

    def _left(self) -> None:
        self._viewers -= 1
        self._metrics.set("holdfast_viewers", self._viewers)

    async def _watch(self) -> None:
        """Runs while there are viewers."""
        every = SELDOM if self._listen() else EVERY
        while self._channels and not self._closed:
            with contextlib.suppress(TimeoutError):
                await asyncio.wait_for(self._look.wait(), every)
            self._look.clear()
            try:
                await self._bring()
            except HoldfastError as wrong:  # a store that is busy or away for a moment ends nobody's view
                logger.warning("live views wait: %s", wrong)
        self._task = None
        self._unlisten()
        if self._channels and not self._closed:  # somebody came in between
            self._task = asyncio.get_running_loop().create_task(self._watch())

    async def _bring(self) -> None:
        channels = list(self._channels.values())
        keys = list(dict.fromkeys(key for channel in channels for key in channel.keys))
        if not keys:
            return
        store = self._running.house.store
        found = dict(
            zip(keys, await self._running.work(lambda: [head.version for head in store.heads(keys)]), strict=True)
        )
        for channel in channels:
            stand = channel.stand(found)
            if stand == channel.document.versions:
                continue
            if stand[0] < channel.document.versions[0]:
                self._end(channel, "erased", "this session was erased")
                continue
            await self._advance(channel)

    async def _advance(self, channel: Channel) -> None:
        here = channel.document
        steps, after = await self._running.work(lambda: forward(channel.chat, channel.caller, here))
        channel.document = after
        for viewer in list(channel.viewers):
            if not viewer.give(steps, after):
                self._metrics.count("holdfast_viewers_dropped_total")
                viewer.end("slow", "this view did not keep up; come back with Last-Event-ID")

    def _end(self, channel: Channel, code: str, message: str) -> None:
        for viewer in channel.viewers:
            viewer.end(code, message)
        self._channels.pop(channel.chat.id, None)

    def close(self) -> None:
        """End all views: the server stops."""
        self._closed = True
        for channel in list(self._channels.values()):
            self._end(channel, "stopping", "the server stops; come back with Last-Event-ID")
        self._look.set()
        self._unlisten()

    def _listen(self) -> bool:
        """Let the store wake us, where it can."""
        notifications: Callable[[threading.Event, Callable[[], None]], None] | None
        notifications = getattr(self._running.house.store, "notifications", None)
        if notifications is None:
            return False
        loop, stop = asyncio.get_running_loop(), threading.Event()
        self._listening = stop

        def wake() -> None:
            if not stop.is_set():
                loop.call_soon_threadsafe(self._look.set)

        threading.Thread(target=notifications, args=(stop, wake), name="holdfast-live", daemon=True).start()
        return True

    def _unlisten(self) -> None:
        if self._listening is not None:
            self._listening.set()
            self._listening = None
