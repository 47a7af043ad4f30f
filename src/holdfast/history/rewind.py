"""Taking back what was said: a reply is made anew, a message is edited, the last exchange is undone.

Nothing leaves the log. One more row says that all after a version is taken back, and holds what was known then; from
there the conversation goes on as if the rest had never been said. What the rest taught the user's or the project's
memory is taken back with it.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from typing import Protocol

import msgspec

from holdfast import memory
from holdfast.accepting import shown
from holdfast.errors import UnknownVersion
from holdfast.events import Event, Restored, Scope
from holdfast.faculties.conversation import GAPS
from holdfast.faculties.facts import memos as m
from holdfast.faculties.facts import writing as w
from holdfast.faculties.lists.kept import ListChanged, unchanged
from holdfast.faculty import Draft
from holdfast.state import Entry, State

Gap = tuple[int, int]


class Chat(memory.Chat, Protocol):
    """What is needed of a session."""

    def at(self, version: int) -> State: ...


def taking_back(chat: Chat, version: int) -> Callable[[Draft], Iterator[Event]]:
    """The act that takes back what came after a version."""
    newest = chat.state.version
    if isinstance(version, bool) or not isinstance(version, int) or not 0 <= version <= newest:
        raise UnknownVersion(f"this conversation can go back to a version from 0 to {newest}, not to {shown(version)}")
    then = chat.at(version).session if version else chat.holdfast.pack.folder.start
    written = list(_written(chat, version))

    def act(draft: Draft) -> Iterator[Event]:
        for scope, event in reversed(written):
            yield from _undone(draft, scope, event)
        slices = {name: msgspec.to_builtins(part) for name, part in then.slices.items()}
        if "conversation" in slices:
            gaps = (*then.slices["conversation"].gaps, (version, draft.moment.version))
            slices["conversation"]["gaps"] = gaps[-GAPS:]
            slices["conversation"]["title"] = draft.state.conversation.title  # a name is not something that was said
        yield Restored(to=version, slices=slices, said=True)

    return act


def _written(chat: Chat, after: int) -> Iterator[tuple[Scope, Event]]:
    """What the turns after a version wrote into the wider memories: a turn writes all its rows at one time."""
    entries = chat.holdfast.entries
    times = {(entry.at, entry.role) for entry in entries(chat.keys["session"], after)}
    for scope, key in chat.keys.items():
        if scope != "session":
            mine = (entry for entry in entries(key) if (entry.at, entry.role) in times)
            yield from ((scope, event) for entry in mine for event in entry.events)


def _undone(draft: Draft, scope: Scope, event: Event) -> Iterator[Event]:
    """Undo one write, where it still stands: what another conversation changed since is not ours."""
    if isinstance(event, m.ItemLearned):
        found = m.find(draft.state, event.item.id)
        if found is not None and found[1].current:
            yield from w.undo(draft, event.item.id)
    elif isinstance(event, m.ItemRetracted):
        found = m.find(draft.state, event.id)
        if found is not None and found[1].retracted_at is not None and not found[1].superseded_by:
            yield from w.undo(draft, event.id)
    elif isinstance(event, ListChanged):
        yield from unchanged(draft.state, event)
    elif isinstance(event, m.DisputeOpened) and _is_open(draft, scope, event.dispute.id):
        yield m.DisputeSettled(id=event.dispute.id, kept="", slot=event.dispute.slot, scope=scope)


def _is_open(draft: Draft, scope: Scope, dispute: str) -> bool:
    stream = draft.state.stream(scope)
    return stream is not None and any(other.id == dispute for other in stream.slices["memory"].disputes)


def gaps(chat: Chat, first: int) -> list[Gap]:
    """What was taken back from a version on: pairs of the version that was gone back to, and of the row that says so.
    The state knows the newest; each of those rows knows the ones before it."""
    conversation = chat.state.session.slices.get("conversation")
    known: tuple[Gap, ...] = conversation.gaps if conversation is not None else ()
    found: list[Gap] = []
    while known:
        found += known
        oldest = known[0][1]
        if oldest <= first:
            break
        known = tuple(_before(chat.holdfast.entries(chat.keys["session"], oldest - 1, oldest)))
    return found


def _before(entries: Iterable[Entry]) -> Iterator[Gap]:
    """The gaps that the row of a gap knows, without its own."""
    for entry in entries:
        for event in entry.events:
            if isinstance(event, Restored):
                yield from ((to, row) for to, row in event.slices["conversation"]["gaps"][:-1])


def standing(entries: Iterable[Entry]) -> list[Entry]:
    """A log without what was taken back."""
    kept: list[Entry] = []
    for entry in entries:
        back = next((event.to for event in entry.events if isinstance(event, Restored) and event.said), None)
        if back is None:
            kept.append(entry)
        else:
            while kept and kept[-1].version > back:
                kept.pop()
    return kept
