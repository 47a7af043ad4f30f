"""The conversation as a list of messages for a model: what each agent sees, within a budget of tokens.

Everything is read from the log, so that a conversation opened again in a new process is given to the model exactly
once, and the newest plan, page state and system message are the only ones.
"""

from __future__ import annotations

import math
import re
from collections.abc import Iterable, Sequence
from typing import Literal

import msgspec

from holdfast.errors import InvalidInput
from holdfast.events import Event, MessageHeard, MessageSaid
from holdfast.faculties.aims.tasks.events import MessageLinked, PlanMade
from holdfast.packs.nxtscape.notes import ToolNoted
from holdfast.session import Past

Type = Literal["system", "human", "ai", "tool", "plan", "browser_state"]

BUDGET = 128_000
PER_TOKEN = 3
PER_IMAGE = 800
SHARE = 0.75
"""Part of the budget that a history may fill."""
SUMMED_UP = 6000
"""Characters of an overlong message that are looked at when it is summed up."""

_TAGS = re.compile(r"<(?=/?\s*(?:user_request|plan|browser-state|browser_state|system)\b)", re.IGNORECASE)
_SENTENCES = re.compile(r"[^.!?\n]+[.!?\n]*")


class TooLarge(InvalidInput):
    """The history cannot be made to fit."""


class Message(msgspec.Struct, frozen=True, omit_defaults=True):
    """A message as an agent sees it."""

    type: Type
    content: str
    images: int = 0
    current: bool = False
    """Whether it is the task that is worked on now."""
    follows: bool = False
    """Whether tasks came before it."""
    idle: bool = False
    """Whether it asks for nothing: thanks, a remark, a stop."""

    @property
    def tokens(self) -> int:
        return math.ceil(len(self.content) / PER_TOKEN) + PER_IMAGE * self.images

    @property
    def role(self) -> str:
        return {"human": "user", "ai": "assistant", "browser_state": "user", "plan": "assistant"}.get(
            self.type, self.type
        )


def neutral(text: str) -> str:
    """A person's text in which no tag of ours can open or close anything."""
    return _TAGS.sub("&lt;", text)


def marked(text: str, follows: bool, current: bool) -> str:
    """A task as the model gets it: in its tags, marked as new where tasks came before, and as current if it is."""
    mark = "NEW FOLLOW UP TASK" if follows else "TASK"
    mark += " (current task)" if current else " (earlier)"
    return f"{mark}:\n<user_request>\n{neutral(text)}\n</user_request>"


def wrapped(message: Message) -> Message:
    """A person's message as the model gets it: what asks for nothing is no task."""
    content = message.content
    said = neutral(content) if message.idle else marked(content, message.follows, message.current)
    return msgspec.structs.replace(message, content=said)


def logged(past: Iterable[Past], since: int = 0) -> list[Message]:
    """The messages of a log since it began anew, oldest first; of each task's plans only the newest."""
    found: dict[object, Message] = {}
    for entry in past:
        carries = entry.version == since and any(getattr(event, "carries", False) for event in entry.entry.events)
        if entry.version <= since and not carries:  # the message that began anew may ask for something, too
            continue
        for place, event in enumerate(entry.entry.events):
            if isinstance(event, PlanMade):
                found.pop(event.id, None)
                found[event.id] = Message("plan", event.plan.tagged())
            elif message := _said(event):
                found[entry.version, place] = msgspec.structs.replace(message, idle=_idle(entry.entry.events))
    return _tasks_marked(list(found.values()))


def _idle(events: Iterable[Event]) -> bool:
    return any(isinstance(event, MessageLinked) and event.idle for event in events)


def _said(event: Event) -> Message | None:
    """The message that an event is of; None for an empty one."""
    if isinstance(event, MessageHeard) and event.text.strip():
        images = event.attached.get("images", 0)
        return Message("human", event.text, images if isinstance(images, int) else len(images))
    if isinstance(event, MessageSaid) and event.text.strip():
        return Message("ai", event.text)
    return Message("tool", event.text, event.images) if isinstance(event, ToolNoted) else None


def _tasks_marked(messages: list[Message]) -> list[Message]:
    places = [place for place, message in enumerate(messages) if message.type == "human" and not message.idle]
    for place in places:
        first, last = place == places[0], place == places[-1]
        messages[place] = msgspec.structs.replace(messages[place], follows=not first, current=last)
    return messages


def count(messages: Iterable[Message]) -> int:
    return sum(message.tokens for message in messages)


def trimmed(messages: Sequence[Message], budget: int = BUDGET, new: Message | None = None) -> list[Message]:
    """The messages that fit into three quarters of the budget, the new one counted first: without the images of the
    last message if need be, then without the oldest notes of tools and words of the assistant; an overlong message is
    summed up. If that is not enough, TooLarge."""
    room = math.floor(budget * SHARE) - (new.tokens if new else 0)
    if room < 0:
        raise TooLarge("content is too large")
    kept, smaller = (
        list(messages),
        (
            lambda kept: [*kept[:-1], msgspec.structs.replace(kept[-1], images=0)],
            lambda kept: _shortened(kept, room, room),  # what fills the room by itself, before others go
            lambda kept: _without_oldest(kept, count(kept) - room),
            lambda kept: _shortened(kept, room, room // 2),
        ),
    )
    for made in smaller:
        if count(kept) <= room:
            return kept
        kept = made(kept)
    if count(kept) > room:
        raise TooLarge("content is too large")
    return kept


def newest(messages: Sequence[Message], room: int, each: int = 0) -> list[Message]:
    """The newest messages that fit into a room of tokens, overlong ones shortened; each takes a little more."""
    kept: list[Message] = []
    for message in reversed(_shortened(messages, room, room // 2)):
        room -= message.tokens + each
        if room < 0:
            break
        kept.append(message)
    return kept[::-1]


def _shortened(messages: Sequence[Message], room: int, most: int) -> list[Message]:
    """The messages, those summed up that are larger than `most`."""
    return [summed_up(m, max(room // 4, 8)) if m.tokens > most else m for m in messages]


def _without_oldest(messages: list[Message], excess: int) -> list[Message]:
    kept = []
    for message in messages:
        if excess > 0 and message.type in ("tool", "ai"):
            excess -= message.tokens
        else:
            kept.append(message)
    return kept


def summed_up(message: Message, tokens: int) -> Message:
    """An overlong message in its first and last sentences, with a note of what was left out."""
    note = f" [… of {len(message.content)} characters] "
    room = max(tokens * PER_TOKEN - len(note), 4)
    text = message.content
    parts = _SENTENCES.findall(text[: SUMMED_UP // 2]), _SENTENCES.findall(text[-SUMMED_UP // 2 :])
    head = _fitting(parts[0], room // 2)
    tail = _fitting(parts[1][::-1], room // 2)[::-1]
    content = ("".join(head) or text[: room // 2]) + note + ("".join(tail) or text[-(room // 2) :])
    return msgspec.structs.replace(message, content=content, images=0)


def _fitting(parts: list[str], room: int) -> list[str]:
    kept: list[str] = []
    for part in parts:
        if sum(map(len, kept)) + len(part) > room:
            break
        kept.append(part)
    return kept
