"""What an agent says of the lists of a person: what was put on one or taken off it, what is on one, and what could be
put there."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

import msgspec

from holdfast.agents.texts import is_made_of
from holdfast.agents.wording import Words
from holdfast.faculties.lists.kept import REMINDERS, ListChanged, ListOffered, ListOpened
from holdfast.reading.reader import Span
from holdfast.session import Session
from holdfast.turn import Turn

HISTORY = 100
"""Messages that are looked through for what was already explained."""


def listed(turn: Turn, chat: Session, words: Words) -> str:
    """All that a message did to lists and asked of them."""
    changes = _together(turn.all(ListChanged))
    told = [words.changed(event, turn.state.lists.get(event.name)) for event in changes]
    if any(event.name == REMINDERS and event.added for event in changes) and not has_told(chat, words("no_bell")):
        told.append(words("no_bell"))
    for event in _shown(turn, changes):
        told += [words("not_there", what=event.missing)] if event.missing else []
        told.append(words.on_list(event.name, event.items))
    told += [words("offer", what=words.row(event.items)) for event in turn.all(ListOffered)]
    return " ".join(dict.fromkeys(told))


def parts_for_lists(turn: Turn) -> list[Span]:
    """The parts of a message that did something to a list, or asked for one."""
    kinds = (ListChanged, ListOpened, ListOffered)
    return [(one.because.start, one.because.end) for one in turn.events if isinstance(one, kinds) and one.because]


def has_told(chat: Session, template: str) -> bool:
    """Whether we said something in this conversation, whatever was filled in."""
    return any(past.role == "agent" and is_made_of(past.text or "", template) for past in chat.history(HISTORY))


def _shown(turn: Turn, changes: Sequence[ListChanged]) -> list[ListOpened]:
    """What is told of lists because somebody asked: each thing once, and not what was just said to be changed."""
    asked = [event for event in turn.all(ListOpened) if event.asked]
    more = [(one.name, {*one.items}) for one in asked] + [(one.name, {*one.added, ""}) for one in changes]
    return [one for one in asked if not _is_less(one, more)]


def _is_less(event: ListOpened, more: Iterable[tuple[str, set[str]]]) -> bool:
    return any(name == event.name and {*event.items} < items for name, items in more)


def _together(changes: Iterable[ListChanged]) -> list[ListChanged]:
    """What was put on one list, or taken off it, part by part of a message, as one change."""
    made: dict[tuple[str, str | ListChanged], ListChanged] = {}
    for event in changes:
        key = event.name, event if event.did == "superseded" else event.did
        last = made.get(key, msgspec.structs.replace(event, added=(), removed=()))
        added, removed = (*last.added, *event.added), (*last.removed, *event.removed)
        made[key] = msgspec.structs.replace(event, added=added, removed=removed)
    return list(made.values())
