"""Replay, twice over: does every log still fold into the state we act on, and what would another pack have decided?

`verify` folds each log again from its first row and compares the bytes with the state that the engine loads. `what_if`
decides every recorded message again, under a changed pack and at its own time, and lists the decisions that would
differ. Agents' replies are taken as they were: only our part of the conversation is played again. Nothing is written.
"""

from __future__ import annotations

import heapq
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from typing import Any, NamedTuple

import msgspec

from holdfast import pack as packs
from holdfast import turn
from holdfast.accepting import shown
from holdfast.errors import HoldfastError, UnknownPack
from holdfast.events import Event, MessageHeard, MessageSaid, ReplyHeld, Scope, Unknown
from holdfast.faculty import Draft
from holdfast.history.whole import Beside, beside, together
from holdfast.pack import Pack
from holdfast.receipt import receipt
from holdfast.session import Holdfast, keys_of
from holdfast.state import Entry, State, Stream
from holdfast.stores.protocol import Key, SessionInfo, all_sessions


class Verified(NamedTuple):
    """The logs that one session reads, folded again."""

    session: str
    rows: int
    faults: tuple[str, ...] = ()


class Difference(NamedTuple):
    """A message that another pack would have decided otherwise."""

    session: str
    version: int
    role: str
    text: str
    gone: tuple[str, ...]
    """What was decided then, and would not be now."""
    new: tuple[str, ...]
    """What would be decided now, and was not then."""


class Replayed(NamedTuple):
    """One session under another pack."""

    session: str
    messages: int
    differences: tuple[Difference, ...] = ()


def recorded(hf: Holdfast, only: str | None = None) -> Iterator[SessionInfo]:
    """Every session of a store, or the one that is named."""
    if only is not None:
        hf.existing(only)
        found = hf.store.session(only)
        yield from [found] if found else []
    else:
        yield from all_sessions(hf.store)


# Does the log still give the state? ----------------------------------------------------------------------------------


def verify(hf: Holdfast, sessions: Iterable[SessionInfo]) -> Iterator[Verified]:
    """Fold the logs of each session again, under the pack that it was recorded with."""
    shells = Shells(hf)
    wide: set[tuple[str, Key]] = set()
    for info in sessions:
        try:
            yield _verified(shells.of(info.pack), info, wide)
        except UnknownPack as wrong:
            yield Verified(info.name, 0, (f"cannot be folded: {wrong}",))


def _verified(shell: Holdfast, info: SessionInfo, wide: set[tuple[str, Key]]) -> Verified:
    rows, faults = 0, []
    for scope, key in keys_of(info).items():
        if scope != "session" and (shell.pack.name, key) in wide:
            continue  # a user's log is shared by many sessions: once is enough
        wide.add((shell.pack.name, key))
        try:
            folded = shell.pack.folder.replay(_unbroken(shell, key))
            held = shell.session(info.name).state.stream(scope)
        except (HoldfastError, msgspec.MsgspecError) as wrong:
            faults.append(f"the log of {scope} {key.name!r} cannot be read: {wrong}")
            continue
        rows += folded.version
        if held is None or shell.pack.folder.encode(folded) != shell.pack.folder.encode(held):
            faults.append(f"the log of {scope} {key.name!r} folds into another state than the one in use")
    return Verified(info.name, rows, tuple(faults))


def _unbroken(shell: Holdfast, key: Key) -> Iterator[Entry]:
    """The entries of a log, as long as none is missing and every event of ours is understood."""
    for place, entry in enumerate(shell.entries(key), start=1):
        if entry.version != place:
            raise HoldfastError(f"version {place} is missing; restore the store from a backup")
        for event in entry.events:
            if isinstance(event, Unknown) and event.wrong:
                raise HoldfastError(f"version {place}: {event.wrong}; its form was changed since it was written")
            if isinstance(event, Unknown):
                kind = shown(event.raw.get("type"))
                raise HoldfastError(
                    f"version {place}: no faculty of the pack {shell.pack.name} knows an event {kind}; it is kept and "
                    "counts for nothing. Was a faculty taken out of the pack, or the file changed?"
                )
        yield entry


class Shells:
    """One shell per pack over the same store, so that every session is read by the pack that wrote it."""

    def __init__(self, hf: Holdfast) -> None:
        self._store = hf.store
        self._known = {hf.pack.name: Holdfast(hf.store, hf.pack)}

    def of(self, pack: str) -> Holdfast:
        if pack not in self._known:
            self._known[pack] = Holdfast(self._store, packs.load(pack))
        return self._known[pack]


# What would another pack have decided? -------------------------------------------------------------------------------


def what_if(hf: Holdfast, pack: str | Pack, session: str | None = None) -> Iterator[Replayed]:
    """Decide every message of the store, or of one session, again under another pack. Sessions that share a user or a
    project are played together, in the order of time, for what one learns the other knows."""
    other, shells = packs.load(pack), Shells(hf)
    if session is not None:
        hf.existing(session)
    for group in _groups(list(recorded(hf))):
        if session is None or any(info.name == session for info in group):
            results = _Group(group, other, shells).play()
            yield from (result for result in results if session in (None, result.session))


class _Group:
    """Sessions that are played together: their streams under the other pack, and what was recorded beside them."""

    def __init__(self, sessions: Sequence[SessionInfo], pack: Pack, shells: Shells) -> None:
        self.sessions = sessions
        self.pack = pack
        self.shells = shells
        self.streams: dict[Key, Stream] = {}
        self.beside: Beside = {}

    def play(self) -> Iterator[Replayed]:
        counts, found = Counter[str](), {info.name: list[Difference]() for info in self.sessions}
        self._read_beside()
        for info, entry in heapq.merge(*map(self._entries, self.sessions), key=lambda pair: pair[1].at):
            difference = self._again(info, entry)
            counts[info.name] += entry.text is not None
            if difference is not None:
                found[info.name].append(difference)
        for info in self.sessions:
            yield Replayed(info.name, counts[info.name], tuple(found[info.name]))

    def _shell(self, info: SessionInfo) -> Holdfast:
        try:
            return self.shells.of(info.pack)
        except UnknownPack:  # what its events were called is lost, but not what was said
            return self.shells.of(self.pack.name)

    def _entries(self, info: SessionInfo) -> Iterator[tuple[SessionInfo, Entry]]:
        return ((info, entry) for entry in self._shell(info).entries(Key("session", info.name)))

    def _read_beside(self) -> None:
        wide = {key: info for info in self.sessions for key in keys_of(info).values() if key.kind != "session"}
        for info in {info.name: info for info in wide.values()}.values():
            self.beside.update(beside(self._shell(info), info))

    def _again(self, info: SessionInfo, entry: Entry) -> Difference | None:
        keys = keys_of(info)
        then = together(info, entry, self.beside)
        try:
            draft = self._decide(then, entry, info, self._state(keys))
        except HoldfastError as wrong:
            self._skip(keys["session"], entry)
            return Difference(info.name, entry.version, entry.role, entry.text or "", (), (f"refused {wrong}",))
        written = {"session", *(event.scope for event in draft.events)}
        for scope, key in keys.items():
            stream = draft.state.stream(scope)
            if stream is not None and scope in written:
                self.streams[key] = stream
        gone, new = _differ(_decisions(then), _decisions(draft.events))
        return Difference(info.name, entry.version, entry.role, entry.text or "", gone, new) if gone or new else None

    def _decide(self, then: Sequence[Event], entry: Entry, info: SessionInfo, state: State) -> Draft:
        first = then[0] if then else None
        if isinstance(first, MessageHeard):
            given = _known(first, self.pack, "hear")
            return turn.hear(first.text, state, self.pack, entry.at, info.name, first.imported, **given).draft
        if isinstance(first, MessageSaid):
            given = _known(first, self.pack, "say")
            held = next((event.text for event in then if isinstance(event, ReplyHeld)), "")
            return turn.say(
                first.text, state, self.pack, entry.at, info.name, first.agent, first.imported, held, **given
            ).draft
        # A call was no decision of ours: what it did is done again as far as the other pack knows such things.
        done = [event for event in then if not isinstance(event, Unknown)]
        return turn.call(lambda draft: done, state, self.pack, entry.at, info.name).draft

    def _state(self, keys: dict[Scope, Key]) -> State:
        start = self.pack.folder.start
        held = {scope: self.streams.get(key) or start for scope, key in keys.items()}
        return self.pack.folder.state(held)

    def _skip(self, key: Key, entry: Entry) -> None:
        held = self.streams.get(key) or self.pack.folder.start
        self.streams[key] = Stream(entry.version, entry.at, held.slices)


def _groups(sessions: Sequence[SessionInfo]) -> list[list[SessionInfo]]:
    """Sessions that are joined, directly or through others, by a user or a project."""
    joined: dict[Key, Key] = {}

    def root(key: Key) -> Key:
        while (above := joined.setdefault(key, key)) != key:
            key = above
        return key

    for info in sessions:
        own, *wide = keys_of(info).values()
        for key in wide:
            joined[root(own)] = root(key)
    groups: dict[Key, list[SessionInfo]] = {}
    for info in sessions:
        groups.setdefault(root(keys_of(info)["session"]), []).append(info)
    return list(groups.values())


def _known(message: MessageHeard | MessageSaid, pack: Pack, verb: str) -> dict[str, Any]:
    return {name: value for name, value in message.attached.items() if name in pack.attachments[verb]}


def _decisions(events: Iterable[Event]) -> list[str]:
    return [f"{line.did} {line.what}" for line in receipt(0, events).lines]


def _differ(then: list[str], now: list[str]) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """What only the one and what only the other has, in their order; the same thing twice counts twice."""
    return _without(then, Counter(now)), _without(now, Counter(then))


def _without(lines: list[str], others: Counter[str]) -> tuple[str, ...]:
    left = []
    for line in lines:
        if others[line]:
            others[line] -= 1
        else:
            left.append(line)
    return tuple(left)
