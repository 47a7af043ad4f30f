"""Which conversation a list of messages belongs to, and which part of it is new.

A client of the proxy sends its whole history with every request. Here the history is laid beside the log of a session:
what is already there is not learned again, what is new is; a history that went another way is another conversation.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Sequence
from itertools import takewhile
from typing import Any, NamedTuple

from holdfast.brief import disarm
from holdfast.server.house import Caller, House
from holdfast.session import Session
from holdfast.stores.protocol import Key, Store, all_rows

VARIANTS = 32
"""Conversations with the same first message that are told apart by what followed."""
RECENT = 200
"""Rows of a named session that a history is laid beside."""
ROLES = {"user": "person", "assistant": "agent"}
TEXTS = ("text", "input_text", "output_text")
"""Parts of a content that hold words."""


class Line(NamedTuple):
    role: str
    text: str
    version: int = 0


class Place(NamedTuple):
    """Where a history stands in a log."""

    new: int
    """Index of the first message that is new; the number of messages when there is none."""
    version: int = 0
    """Version of the person's newest message, when it is known already."""
    replies: tuple[str, ...] = ()
    """What was answered to it."""


def words(content: Any) -> str:
    """The text of a message's content: plain, or the text parts of a list."""
    if isinstance(content, str):
        return content
    if isinstance(content, list):
        parts = [part.get("text") for part in content if isinstance(part, dict) and part.get("type") in TEXTS]
        return "\n".join(part for part in parts if isinstance(part, str))
    return ""


def harmless(messages: Sequence[Any]) -> list[Any]:
    """The messages of a request, of which none imitates our context line; the instructions are the client's own."""
    return [
        {**message, "content": _harmless(message["content"])}
        if isinstance(message, dict) and message.get("role") not in ("system", "developer") and "content" in message
        else message
        for message in messages
    ]


def _harmless(content: Any) -> Any:
    if isinstance(content, str):
        return disarm(content)
    if not isinstance(content, list):
        return content
    return [
        {**part, "text": disarm(part["text"])} if isinstance(part, dict) and isinstance(part.get("text"), str) else part
        for part in content
    ]


def spoken(messages: Iterable[dict[str, Any]]) -> list[Line]:
    """What people and agents said in a request; instructions, tool calls and their results are nobody's words."""
    found = []
    for message in messages:
        role = ROLES.get(str(message.get("role")))
        if role and (text := words(message.get("content"))).strip():
            found.append(Line(role, text))
    while found and found[-1].role == "agent":  # a reply that the model is to continue is not said yet
        found.pop()
    return found


def log(store: Store, name: str, last: int | None = None) -> list[Line]:
    """What was said in a session, from the log; `last` rows of it, or all."""
    key = Key("session", name)
    after = 0 if last is None else max(0, store.version(key) - last)
    rows = all_rows(store, key, after)
    return [Line(row.role, row.text, row.version) for row in rows if row.text and row.role in ("person", "agent")]


def lay(known: Sequence[Line], sent: Sequence[Line]) -> Place | None:
    """Lay a history beside a log that begins at the same message; None where they part."""
    place = 0
    for number, line in enumerate(sent):
        if line.role == "agent":
            replies, _ = _replies(known, place)
            if line.text not in replies and any(later.role == "person" for later in known[place:]):
                return None
            if line.text not in replies:
                return Place(number)
            continue
        _, place = _replies(known, place)
        if place == len(known):
            return Place(number)
        if known[place].text != line.text:
            return None
        place += 1
    replies, end = _replies(known, place)
    return Place(len(sent), known[place - 1].version, replies) if end == len(known) else None


def _replies(known: Sequence[Line], place: int) -> tuple[tuple[str, ...], int]:
    """The agent's lines from a place on, and where the person speaks again."""
    end = place
    while end < len(known) and known[end].role == "agent":
        end += 1
    return tuple(line.text for line in known[place:end]), end


def find(known: Sequence[Line], sent: Sequence[Line]) -> Place:
    """Where a history, which may begin anywhere, stands in a session that was named. In doubt only its newest message
    is new: learning a little less is better than learning twice."""
    if not known:
        return Place(0)
    if len(sent) == 1:  # a client that sends no history: the same words may well be said again
        return _sent_again(known, sent) or Place(0)
    skipped = int(sent[0].role == "agent")  # a history is laid from the first message of the person on
    starts = [start for start, line in enumerate(known) if line[:2] == sent[0][:2]]
    laid = [place for start in starts if (place := lay(known[start + skipped :], sent[skipped:])) is not None]
    if not laid:
        return Place(len(sent) - 1)
    best = max(laid, key=lambda place: place.new)
    return best._replace(new=best.new + skipped)


def _sent_again(known: Sequence[Line], sent: Sequence[Line]) -> Place | None:
    """The last message of the person, where the same one is sent again before it was answered, or as the only one."""
    people = [line for line in known if line.role == "person"]
    if not people or not (known[-1].role == "person" or len(people) == 1):
        return None
    again = lay([line for line in known if line.version >= people[-1].version], sent)
    return again if again is not None and again.version else None


def sent_before(store: Store, name: str, once: str | None) -> Place | None:
    """Where a message stands that was heard before under the same idempotency key, with what was answered to it."""
    key = Key("session", name)
    version = store.written(key, once) if once is not None else 0
    if not version:
        return None
    after = takewhile(lambda row: row.role != "person", all_rows(store, key, version))
    return Place(0, version, tuple(row.text for row in after if row.role == "agent" and row.text))


def by_answer(store: Store, caller: Caller, claim: str) -> str | None:
    """The session, as its caller names it, in which a model gave an answer: it is on record with the session. Looked up
    where a server was started anew, or another one answered."""
    own = [name for name in store.claimants(claim) if name.startswith(caller.prefix)]
    return own[0].removeprefix(caller.prefix) if own else None


def by_shape(
    house: House, caller: Caller, sent: Sequence[Line], pack: str | None, once: str | None = None
) -> tuple[Session, Place]:
    """The session of a history that names none: one that began with the same words and went the same way so far. Where
    two histories are the same in every word so is what was learned from them."""
    first = next(line.text for line in sent if line.role == "person")
    mark = hashlib.blake2b(f"{pack or house.pack}\0{first}".encode(), digest_size=9).hexdigest()
    for variant in range(VARIANTS):
        id = f"chat-{mark}" + (f".{variant}" if variant else "")
        name = house.stored(caller, id, "session id")
        known = log(house.store, name)
        place = sent_before(house.store, name, once) or (lay(known, sent) if known else Place(0))
        if place is not None:
            return house.open(caller, id, pack=pack)[0], place
    whole = hashlib.blake2b("\0".join(line.text for line in sent).encode(), digest_size=9).hexdigest()
    chat, _ = house.open(caller, f"chat-{mark}-{whole}", pack=pack)
    return chat, find(log(house.store, chat.id), sent)
