"""The calls that the document names: the context of a session, clearing it, and the list of conversations.

`chat.face` is one of these. Everything is done through the session's own doors; dictionaries have the document's keys.
"""

from __future__ import annotations

import uuid
from collections.abc import Sequence
from datetime import UTC, datetime
from typing import Any

from holdfast.agents.telling_venues import Wants
from holdfast.errors import InvalidInput, UnknownSession
from holdfast.events import Entity, Source
from holdfast.faculties.facts.slots import put, restore
from holdfast.packs.vibehuntr.wants import wants
from holdfast.reading.model.clauses import Clause
from holdfast.session import Session
from holdfast.state import State

TEXTS = ("location", "search_query", "user_name", "user_email", "event_venue_name", "event_date_time")
NAMES = {"query": "search_query", "party_size": "event_party_size", "date_time": "event_date_time"}
ITEMS = (*TEXTS, "event_party_size", "price_level", "constraints", *NAMES)


class VibehuntrFace:
    """A session under the names of the document."""

    def __init__(self, session: Session) -> None:
        self.session = session

    def context(self) -> dict[str, Any]:
        """Everything that is remembered; of an unknown session, an empty context."""
        state = self.session.state
        held = state.slots
        size, level, wishes = (held.values.get(name) for name in ("event_party_size", "price_level", "constraints"))
        return {
            **{name: held.get(name) for name in TEXTS},
            "event_party_size": _number(size.value) if size else None,
            "price_level": _number(level.value) if level else None,
            "constraints": list(wishes.items or (wishes.value,)) if wishes else [],
            "recent_venues": [_venue(entity) for entity in _entities(state)],
            "last_user_message": state.conversation.last("user") or None,
        }

    def wants(self, text: str, clauses: Sequence[Clause], asked: str) -> Wants:
        """What a message wants that was said after `asked`, for an agent that answers by itself."""
        shown = [entity.name for entity in self.session.state.references.entities]
        return wants(self.session.pack.reader.read(text), clauses, asked, shown)

    def details(self) -> dict[str, Any]:
        """The normalised form, the source and the open candidates beside each value."""
        return {
            name: {
                "value": held.value,
                "normalised": held.canonical or held.value,
                "source": held.source,
                "candidates": list(held.candidates),
                "ambiguous": held.ambiguous,
            }
            for name, held in self.session.state.slots.values.items()
        }

    def set_item(self, item_type: str, value: str | int, source: Source = "person") -> dict[str, Any]:
        """Set or edit one item by call; the value is kept as given."""
        name = _name(item_type)
        self.session.act(put(name, str(value), source))
        return self.context()

    def add_venue(self, name: str, place_id: str, location: str | None = None) -> dict[str, Any]:
        """Remember a venue, as if an agent had just mentioned it."""
        venue = Entity(name, place_id, "venue", {"place": location} if location else {})
        self.session.say(f"{name} (Place ID: {place_id})", entities=[venue])
        return self.context()

    def clear_all(self) -> dict[str, Any]:
        """Forget the whole context. A session that nobody knows has nothing to forget, and that is no error."""
        if self.session.state.version:
            self.session.clear()
        return {"status": "success", "session_id": self.session.id}

    def clear_item(self, item_type: str | None = None, index: int | None = None) -> dict[str, Any]:
        """Forget one item: a slot by its name, a venue by its index."""
        if item_type is None:
            raise InvalidInput("item_type is required; it is one of: venue, " + ", ".join(ITEMS))
        if item_type == "venue":
            self._clear_venue(index)
        elif (name := _name(item_type)) in self.session.state.slots.values:
            self.session.clear(name)
        return {"status": "success", "session_id": self.session.id, "item_type": item_type}

    def _clear_venue(self, index: int | None) -> None:
        if index is None:
            raise InvalidInput("index parameter is required")
        if isinstance(index, bool) or not isinstance(index, int) or not 0 <= index < len(_entities(self.session.state)):
            raise InvalidInput("Invalid venue index")
        self.session.clear("venue", index)

    def restore(self, item_type: str | None = None) -> dict[str, Any]:
        """Undo the last clear, or bring back the value that one item had before."""
        self.session.act(restore(_name(item_type) if item_type else None))
        return self.context()

    def sessions(self, limit: int = 100) -> list[dict[str, Any]]:
        """The conversations of this store, each with id, preview, timestamp and messageCount."""
        engine = self.session.holdfast
        return [_listed(engine.session(info.name)) for info in engine.sessions(limit=limit)]

    def new_session(self) -> Session:
        """A new conversation under a new id."""
        return self.session.holdfast.session(uuid.uuid4().hex)

    def messages(self, limit: int = 100) -> list[dict[str, Any]]:
        """The messages since they were last cleared; UnknownSession when there is no such conversation."""
        self._exists()
        since = self.session.state.conversation.since
        return [
            {"role": _ROLES[past.role], "content": past.text, "timestamp": past.time}
            for past in self.session.history(limit)
            if past.role in _ROLES and past.version > since
        ]

    def add_message(self, role: str, content: str) -> dict[str, Any]:
        """Add a message; an unknown session comes into being with it."""
        if role == "user":
            self.session.hear(content)
        elif role == "assistant":
            self.session.say(content)
        else:
            raise InvalidInput(f"a message is from the user or the assistant, not from {role!r}")
        return _listed(self.session)

    def clear_messages(self) -> dict[str, Any]:
        """Empty the conversation; it stays there, and so does its context."""
        self._exists()
        self.session.clear("messages")
        return _listed(self.session)

    def delete(self) -> dict[str, Any]:
        """Remove the conversation with all it holds; UnknownSession when there is none."""
        self._exists()
        self.session.holdfast.forget(session=self.session.id)
        return {"status": "success", "session_id": self.session.id}

    def _exists(self) -> None:
        if not self.session.state.version:
            raise UnknownSession(f"there is no session {self.session.id!r}; it begins with its first message")


_ROLES = {"person": "user", "agent": "assistant"}


def _name(item_type: str) -> str:
    if item_type not in ITEMS:
        raise InvalidInput(f"Invalid item_type {item_type!r}; it is one of: venue, " + ", ".join(ITEMS))
    return NAMES.get(item_type, item_type)


def _entities(state: State) -> tuple[Any, ...]:
    return tuple(state.references.entities) if "references" in state.session.slices else ()


def _venue(entity: Any) -> dict[str, Any]:
    return {
        "name": entity.name,
        "place_id": entity.id,
        "location": entity.facts.get("place"),
        "mentioned_at": _iso(getattr(entity, "at", 0.0)),
    }


def _number(value: str) -> int | str:
    return int(value) if value.isdigit() else value


def _listed(session: Session) -> dict[str, Any]:
    state = session.state
    since = state.conversation.since
    opening = session.history(limit=20, before=since + 21)
    first = next((past for past in opening if past.role == "person" and past.version > since), None)
    return {
        "id": session.id,
        "preview": (first.text or "")[:100] if first else "",
        "timestamp": _iso(state.session.at),
        "messageCount": state.conversation.messages,
    }


def _iso(at: float) -> str:
    return datetime.fromtimestamp(at, UTC).isoformat()
