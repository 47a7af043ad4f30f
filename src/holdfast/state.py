"""What is known: slices of frozen data, one per faculty, and the only fold that makes them.

A log (of a session, a project or a user) folds into a `Stream`. A `State` is what one turn sees: the stream of its
session and, where the session names them, those of its project and its user. Nothing here is ever changed in place, so
a state can be handed out, kept and compared freely.

The promise kept here and tested with random conversations: replay(entries) == state, byte for byte.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any, NamedTuple

import msgspec

from holdfast.events import SCOPES, Event, Restored, Scope


class Moment(NamedTuple):
    """When an event happened: the version of its log and the clock."""

    version: int
    at: float


class Failure(NamedTuple):
    """A faculty that raised, for the log."""

    faculty: str
    error: Exception


class Entry(msgspec.Struct, frozen=True):
    """One row of a log: everything that one message or call did to it."""

    version: int
    at: float
    role: str
    events: tuple[Event, ...]
    text: str | None = None


class Stream(msgspec.Struct, frozen=True):
    """The fold of one log."""

    version: int = 0
    at: float = 0.0
    slices: dict[str, Any] = {}


class State:
    """What a turn may look at: `state.questions` is the slice of the faculty of that name in the session's stream, and
    `state.slots` a view of the facts, made when somebody looks."""

    __slots__ = ("__dict__", "project", "session", "user", "views")
    session: Stream
    project: Stream | None
    user: Stream | None
    views: Mapping[str, View]

    def __init__(
        self,
        session: Stream,
        project: Stream | None = None,
        user: Stream | None = None,
        views: Mapping[str, View] | None = None,
    ) -> None:
        put = object.__setattr__
        put(self, "views", views or {})
        put(self, "session", session)
        put(self, "project", project)
        put(self, "user", user)
        # The attributes of a state are the slices themselves: looking one up costs what a plain attribute costs.
        put(self, "__dict__", session.slices)

    @property
    def version(self) -> int:
        return self.session.version

    def stream(self, scope: Scope) -> Stream | None:
        """The stream of a scope, or None where the session has no such scope."""
        if scope == "session":
            return self.session
        return self.project if scope == "project" else self.user

    def __contains__(self, name: str) -> bool:
        """Whether this pack keeps or shows something under a name."""
        return name in self.session.slices or name in self.views

    def __repr__(self) -> str:
        return f"State(version={self.version}, keeps={', '.join(self.session.slices)})"

    def json(self) -> str:
        """All of it as JSON: {"session": …, "project": …, "user": …, "views": …}."""
        shown = {name: view(self) for name, view in self.views.items()}
        return msgspec.json.encode({**{scope: self.stream(scope) for scope in SCOPES}, "views": shown}).decode()

    def __reduce__(self) -> tuple[Any, ...]:  # copies and pickles are made of the streams, and of the views as they are
        views = {name: Seen(view(self)) for name, view in self.views.items()}
        return State, (self.session, self.project, self.user, views)

    def __getattr__(self, name: str) -> Any:
        if name in State.__slots__:
            raise AttributeError(name)
        if (view := self.views.get(name)) is not None:
            return view(self)
        kept = ", ".join((*self.session.slices, *self.views)) or "nothing"
        raise AttributeError(f"this pack keeps no {name!r}; it keeps {kept}")

    def __setattr__(self, name: str, value: object) -> None:
        raise AttributeError("a state is read-only; use the session's methods to change what is known")


Fold = Callable[[Any, Any, Moment], Any]
View = Callable[[State], Any]
"""What `state.<name>` gives where that is no slice: something made of slices."""


class Seen(NamedTuple):
    """A view of a state that was copied: it shows what it showed."""

    shown: Any

    def __call__(self, state: State) -> Any:
        return self.shown


class Folder:
    """The fold of one pack: which slices each event type changes, and how."""

    def __init__(
        self,
        starts: Mapping[str, Any],
        folds: Mapping[type[Event], Sequence[tuple[str, Fold]]],
        slice_types: Mapping[str, type[Any]],
        views: Mapping[str, View] | None = None,
    ) -> None:
        self.views = views or {}
        self.start = Stream(slices=dict(starts))
        """What is known before anything was said."""
        self._folds: dict[type[Event], Sequence[tuple[str, Fold]]] = dict(folds)
        self._folds[Restored] = [(name, _restoring(name, kind)) for name, kind in slice_types.items()]
        self._slice_types = dict(slice_types)
        self.encode = msgspec.json.Encoder().encode

    def state(self, streams: Mapping[Scope, Stream]) -> State:
        """What a turn sees of the streams of its session, and of its project and user where it has them."""
        return State(streams["session"], streams.get("project"), streams.get("user"), self.views)

    def step(self, slices: dict[str, Any], event: Event, moment: Moment, failed: list[Failure] | None = None) -> None:
        """Fold one event into a dictionary that the caller owns. With `failed`, a faculty that cannot fold it keeps its
        slice as it was and is put on that list; without, it raises."""
        for name, fold in self._folds.get(type(event), ()):
            try:
                slices[name] = fold(slices[name], event, moment)
            except Exception as error:
                if failed is None:
                    raise
                failed.append(Failure(name, error))

    def replay(
        self, entries: Iterable[Entry], stream: Stream | None = None, failed: list[Failure] | None = None
    ) -> Stream:
        """The fold of a log. What a faculty could not fold in its turn it cannot fold here either, so it is passed over
        in the same way: one that fails never costs a conversation its past."""
        stream = stream or self.start
        failed = [] if failed is None else failed
        for entry in entries:
            slices = dict(stream.slices)
            moment = Moment(entry.version, entry.at)
            for event in entry.events:
                self.step(slices, event, moment, failed)
            stream = Stream(entry.version, entry.at, slices)
        return stream

    def decode(self, snapshot: bytes) -> Stream | None:
        """A snapshot as a stream, or None when it was made by another shape of this pack and must be replayed."""
        try:
            raw = msgspec.json.decode(snapshot, type=_Raw)
            if list(raw.slices) != list(self.start.slices):
                return None
            slices = {
                name: msgspec.json.decode(data, type=self._slice_types[name]) for name, data in raw.slices.items()
            }
        except (msgspec.MsgspecError, UnicodeError):
            return None
        return Stream(raw.version, raw.at, slices)


def _restoring(name: str, kind: type[Any]) -> Fold:
    """The fold of a slice that holds again as it was; one that the event does not name stays as it is."""

    def fold(slice: Any, event: Restored, moment: Moment) -> Any:
        lift = getattr(kind, "lifted", None)  # older logs kept in several slices what is one now
        slices = lift(event.slices) if lift is not None else event.slices
        return msgspec.convert(slices[name], kind) if name in slices else slice

    return fold


class _Raw(msgspec.Struct):
    version: int
    at: float
    slices: dict[str, msgspec.Raw]
