"""Conversations out of and into a store: our own JSONL, message lists in OpenAI's form, a ChatGPT export.

An export is a reading of the log. An import plays every message through the pack, at the time it was said, so that it
is understood, indexed and explained like any other; what was said elsewhere is marked as imported, also in what is
remembered of it. Importing the same file again adds only what is new in it. (`exchange/archive.py` carries whole logs.)

Our JSONL has one object per line: first the session (`session`, `pack`, `user`, `project`), then its messages and
calls (`version`, `time` for people and `at` in seconds, `role`, `text`, `agent`, `attached`, and `events` for what a
call did).
"""

from __future__ import annotations

import zipfile
from collections.abc import Iterator
from datetime import UTC, datetime
from pathlib import Path
from typing import Any, NamedTuple

import msgspec

from holdfast.accepting import from_json
from holdfast.errors import HoldfastError, InvalidInput, Refused
from holdfast.events import FORMAT, Event, MessageHeard, MessageSaid, Unknown
from holdfast.faculties.aims.tasks.events import PlanMade
from holdfast.history.rewind import standing
from holdfast.history.whole import beside, together, told
from holdfast.reading.text import accept
from holdfast.session import Holdfast, Past, Session
from holdfast.stores.protocol import Key, SessionInfo
from holdfast.testing import conversations

ROLES = {"person": "user", "agent": "assistant"}
_SPEAKERS = {"user": "person", "human": "person", "person": "person", "assistant": "agent", "agent": "agent"}
_SILENT = {"system", "developer", "tool", "function"}


class Message(NamedTuple):
    """One message of an imported conversation, or one call with what it did."""

    role: str
    text: str
    at: float | None = None
    agent: str | None = None
    attached: dict[str, Any] = {}
    events: list[Any] = []
    imported: bool = True
    """Whether it was said elsewhere; our own export tells of each message whether it was."""


class Told(NamedTuple):
    session: str
    messages: tuple[Message, ...]
    user: str | None = None
    project: str | None = None
    skipped: int = 0
    """Messages that are nobody's words: instructions, tool calls, empty ones, pictures."""


class Imported(NamedTuple):
    session: str
    added: int
    known: int
    """Messages that an import before this one brought already."""
    skipped: int


# Out -----------------------------------------------------------------------------------------------------------------


def jsonl(hf: Holdfast, info: SessionInfo) -> Iterator[str]:
    """A session as lines of our JSONL."""
    head = {"session": info.name, "pack": info.pack, "user": info.user, "project": info.project}
    yield _line({name: value for name, value in head.items() if value is not None})
    wide = beside(hf, info)
    for past in _past(hf, info):
        yield _line(_row(hf, past, together(info, past.entry, wide)))


def messages(hf: Holdfast, info: SessionInfo) -> list[dict[str, str]]:
    """A session as a message list in OpenAI's form. The newest plan of each task stands in it as a message of its own:
    a JSON array in plan tags, which an import takes as the plan again."""
    found: dict[str, tuple[str, str]] = {}
    for entry in standing(hf.entries(Key("session", info.name))):
        if entry.role in ROLES and entry.text is not None:
            found[f"version {entry.version}"] = (ROLES[entry.role], entry.text)
        for event in entry.events:
            if isinstance(event, PlanMade) and "<plan>" not in (entry.text or ""):
                found.pop(event.id, None)
                found[event.id] = ("assistant", event.plan.tagged())
    return [{"role": role, "content": text} for role, text in found.values()]


def talk(hf: Holdfast, info: SessionInfo) -> str:
    """A session as a conversation file that expects what was decided."""
    wide = beside(hf, info)
    stands = {entry.version for entry in standing(hf.entries(Key("session", info.name)))}
    turns = ((past.entry, told(info, past.entry, wide)) for past in _past(hf, info))
    return conversations.write(info, (turn for turn in turns if turn[0].version in stands), hf.pack)


def _past(hf: Holdfast, info: SessionInfo) -> Iterator[Past]:
    return (Past(entry) for entry in hf.entries(Key("session", info.name)))


def _row(hf: Holdfast, past: Past, events: list[Event]) -> dict[str, Any]:
    row: dict[str, Any] = {"version": past.version, "time": past.time, "at": past.entry.at, "role": past.role}
    first = events[0] if events else None
    if isinstance(first, (MessageHeard, MessageSaid)):
        row["text"] = past.text
        if isinstance(first, MessageSaid) and first.agent is not None:
            row["agent"] = first.agent
        if first.attached:
            row["attached"] = first.attached
        if first.imported:
            row["imported"] = True
    else:
        row["events"] = msgspec.Raw(hf.pack.codec.encode(events))
    return row


def _line(row: dict[str, Any]) -> str:
    return msgspec.json.encode(row).decode()


# In ------------------------------------------------------------------------------------------------------------------


def read(path: str | Path, session: str | None = None) -> list[Told]:
    """The conversations of a file, whatever its form. `session` names the one of a file that names none."""
    path = Path(path)
    return parse(_bytes(path), str(path), session or path.stem)


def parse(data: bytes, file: str, session: str) -> list[Told]:
    """The conversations in JSON or JSONL."""
    try:
        whole = [from_json(data)]
    except (msgspec.DecodeError, UnicodeDecodeError):
        whole = list(_lines(data, file))
    found = list(_conversations(whole, file, session))
    if not any(one.messages for one in found):
        raise InvalidInput(
            f"{file} holds no messages we know; it takes our JSONL, a list of {{role, content}}, or a ChatGPT export. "
            "What another memory kept goes into chat.memory.learn(sentences)"
        )
    return found


def take_in(hf: Holdfast, told: Told) -> Imported:
    """Play a conversation through the pack, each message at its own time; what was brought before is not doubled."""
    results: list[Imported] = []
    for _ in playing(hf, told, results):
        pass
    return results[0]


def playing(hf: Holdfast, told: Told, results: list[Imported]) -> Iterator[Message]:
    """`take_in` message by message, for those who show how far it is; the result is added at the end."""
    now = at = hf.clock()
    shell = Holdfast(hf.store, hf.pack, clock=lambda: at)
    chat = shell.session(told.session, user=told.user, project=told.project)
    good = [message for message in told.messages if _acceptable(message, hf)]
    known = _brought(shell, chat, good)
    for message in good[known:]:
        at = message.at if message.at is not None and 0 < message.at <= now else at
        _play(chat, shell, message)
        yield message
    skipped = told.skipped + len(told.messages) - len(good)
    results.append(Imported(told.session, len(good) - known, known, skipped))


def _play(chat: Session, hf: Holdfast, message: Message) -> None:
    attachable = hf.pack.attachments["hear" if message.role == "person" else "say"]
    attached = {name: value for name, value in message.attached.items() if name in attachable}
    if message.role == "person":
        chat.hear(message.text, imported=message.imported, **attached)
    elif message.role == "agent":
        chat.say(message.text, agent=message.agent, imported=message.imported, **attached)
    else:
        chat.act(lambda draft: _done(message, hf))


def _done(message: Message, hf: Holdfast) -> list[Event]:
    """What a call did, as far as this pack knows it."""
    done = hf.pack.codec.decode(msgspec.json.encode(message.events), FORMAT)
    return [event for event in done if not isinstance(event, Unknown)]


def _acceptable(message: Message, hf: Holdfast) -> bool:
    """Whether it can be kept: looked at before anything is played, so that nothing is taken in by half."""
    try:
        if message.role not in ROLES:
            return bool(_done(message, hf))
        accept(message.text, empty=bool(message.attached) or hf.pack.hears_silence)
    except (HoldfastError, msgspec.MsgspecError, TypeError, ValueError):
        return False
    return True


def _brought(hf: Holdfast, chat: Session, given: list[Message]) -> int:
    """How many of the messages the session holds already; it must hold nothing else."""
    known = 0
    for entry in hf.entries(Key("session", chat.id)):
        text = given[known].text if known < len(given) and given[known].role in ROLES else None
        if known >= len(given) or entry.text != text:
            raise Refused(
                f"session {chat.id!r} holds another conversation already (it differs at version {entry.version}); "
                "import under another name with --session, or forget that one first"
            )
        known += 1
    return known


def _bytes(path: Path) -> bytes:
    """What a file holds; a ChatGPT export may still be in its archive."""
    if path.suffix == ".zip":
        try:
            with zipfile.ZipFile(path) as archive:
                return archive.read("conversations.json")
        except (zipfile.BadZipFile, KeyError):
            raise InvalidInput(f"{path} is no ChatGPT export: it has no conversations.json in it") from None
    return path.read_bytes().removeprefix(b"\xef\xbb\xbf")


def _lines(data: bytes, file: str) -> Iterator[Any]:
    for number, line in enumerate(data.split(b"\n"), start=1):
        if line.strip():
            try:
                yield from_json(line)
            except UnicodeDecodeError:
                raise InvalidInput(f"{file}:{number}: this is no UTF-8 text; convert it to UTF-8 first") from None
            except msgspec.DecodeError as wrong:
                raise InvalidInput(f"{file}:{number}: neither JSON nor a line of JSONL ({wrong})") from None


def _conversations(parts: list[Any], file: str, session: str) -> Iterator[Told]:
    """Tell the forms apart by what is in them."""
    if len(parts) == 1 and isinstance(parts[0], list):
        parts = parts[0]
    if parts and all(isinstance(part, list) for part in parts):  # several lists of messages
        parts = [{"messages": part} for part in parts]
    objects = [part for part in parts if isinstance(part, dict)]
    fields = set().union(*objects)
    numbered = enumerate(objects, start=1)
    if "mapping" in fields:
        yield from (_chatgpt(part, f"{session}-{number}") for number, part in numbered if "mapping" in part)
    elif "messages" in fields:
        yield from (
            _named_list(part, f"{session}-{number}" if len(objects) > 1 else session) for number, part in numbered
        )
    elif any("session" in part and "role" not in part for part in objects):
        yield from _ours(objects, file)
    else:
        yield _listed(objects, session)


def _named_list(part: dict[str, Any], fallback: str) -> Told:
    return _listed(part.get("messages"), str(part.get("session") or fallback))


def _ours(rows: list[dict[str, Any]], file: str) -> Iterator[Told]:
    head: dict[str, Any] | None = None
    found: list[Message] = []
    for row in rows:
        if "role" not in row:
            if head is not None:
                yield _told(head, found)
            head, found = row, []
        elif head is None:
            raise InvalidInput(f"{file}: a message stands before the line that names its session")
        else:
            found.append(_own(row))
    if head is not None:
        yield _told(head, found)


def _told(head: dict[str, Any], found: list[Message]) -> Told:
    return Told(str(head.get("session")), tuple(found), head.get("user"), head.get("project"))


def _own(row: dict[str, Any]) -> Message:
    attached, events = row.get("attached"), row.get("events")
    return Message(
        role if (role := str(row["role"])) in ROLES else "call",
        _text(row.get("text")),
        _time(row.get("at", row.get("time"))),
        _agent(row.get("agent")),
        attached if isinstance(attached, dict) else {},
        events if isinstance(events, list) else [],
        row.get("imported") is True,
    )


def _listed(items: object, session: str) -> Told:
    """A list of {role, content}, where content is a text or a list of parts."""
    found: list[Message] = []
    rows = [item for item in items if isinstance(item, dict)] if isinstance(items, list) else []
    for item in rows:
        role = _SPEAKERS.get(str(item.get("role")))
        text = _text(item.get("content", item.get("text")))
        if role is not None and text.strip():
            name = item.get("name") if role == "agent" else None
            at = _time(item.get("time", item.get("created_at", item.get("timestamp"))))
            found.append(Message(role, text, at, _agent(name)))
    return Told(session, tuple(found), skipped=len(rows) - len(found))


def _chatgpt(conversation: dict[str, Any], fallback: str) -> Told:
    """One conversation of a ChatGPT export: the branch that was on the screen last."""
    mapping = {name: node for name, node in _dict(conversation["mapping"]).items() if isinstance(node, dict)}
    found: list[Message] = []
    skipped = 0
    for message in _branch(mapping, conversation.get("current_node")):
        author, content = str(_dict(message.get("author")).get("role")), _dict(message.get("content"))
        text = _text(content.get("parts", content.get("text")))
        if not text.strip() or _dict(message.get("metadata")).get("is_visually_hidden_from_conversation"):
            continue
        if author in _SPEAKERS and message.get("recipient", "all") == "all":
            found.append(Message(_SPEAKERS[author], text, _time(message.get("create_time"))))
        else:
            skipped += author not in _SILENT
    name = conversation.get("conversation_id") or conversation.get("id") or fallback
    return Told(str(name), tuple(found), skipped=skipped)


def _branch(mapping: dict[str, Any], leaf: object) -> list[dict[str, Any]]:
    if not isinstance(leaf, str) or leaf not in mapping:  # older exports name no leaf: the newest node is one
        childless = [name for name, node in mapping.items() if not node.get("children")]
        leaf = childless[-1] if childless else None
    path: list[dict[str, Any]] = []
    seen: set[object] = set()
    while isinstance(leaf, str) and leaf in mapping and leaf not in seen:
        seen.add(leaf)
        node = mapping[leaf]
        if isinstance(node.get("message"), dict):
            path.append(node["message"])
        leaf = node.get("parent")
    return path[::-1]


def _dict(value: object) -> dict[str, Any]:
    return value if isinstance(value, dict) else {}


def _text(content: object) -> str:
    """The words of a content: a text, or the texts among its parts."""
    if isinstance(content, str):
        return content
    if isinstance(content, dict):
        return _text(content.get("text"))
    if isinstance(content, list):
        return "\n".join(text for part in content if (text := _text(part)))
    return ""


def _agent(value: object) -> str | None:
    return (
        value
        if isinstance(value, str) and value.isprintable() and 0 < len(value.strip()) <= len(value) <= 200
        else None
    )


def _time(value: object) -> float | None:
    """A time as seconds since 1970: from a number, or from text in ISO form."""
    try:
        if isinstance(value, (int, float)) and not isinstance(value, bool):
            return float(value)
        if isinstance(value, str):
            when = datetime.fromisoformat(value)
            return (when if when.tzinfo else when.replace(tzinfo=UTC)).timestamp()
    except (ValueError, OverflowError):
        return None
    return None
