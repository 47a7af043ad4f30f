"""State to what the agent is told: the context line before the message and the sections of the system prompt.

The line is exactly `[CONTEXT: key1: value1 | key2: value2]`, then a blank line, then the message; with nothing to say
there is no line and the message goes through untouched. Both parts together stay within a token budget that is counted
on the final text; what did not fit is named. What stays the same from turn to turn stands first, so that the caches of
model providers hit.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Sequence
from typing import NamedTuple, TypeVar

from holdfast.faculty import Item, Section
from holdfast.kept import kept
from holdfast.lookalikes import BARS, CLOSING, OPENING, imitates, seen
from holdfast.pack import Pack

Part = TypeVar("Part", Item, Section)

_SPACE = re.compile(r"[\s\x00-\x1f\x7f-\x9f\u2028\u2029]+")
_MARKS = str.maketrans({**dict.fromkeys(OPENING, "("), **dict.fromkeys(CLOSING, ")"), **dict.fromkeys(BARS, "/")})
_OPENS = re.compile(f"[{re.escape(OPENING)}]")
WORD = "context"
"""What our line begins with, as it is compared with what a message has."""


class Brief(NamedTuple):
    """What goes to the agent this turn."""

    context: str
    system: str
    left_out: tuple[str, ...]
    tokens: int
    """Of the context and the sections, as the budget counts them."""


def write(
    told: Sequence[Item], parts: Sequence[Section], pack: Pack, count_tokens: Callable[[str], int] | None = None
) -> Brief:
    """What the faculties have to tell, in the pack's order, within the pack's budget."""
    items = [item for item in told if item.value]
    items = [] if all(item.beside for item in items) else _ordered(items, pack.context_order)
    sections = _ordered(list(parts), pack.section_order) if parts else []
    if not items and not sections:
        return Brief("", pack.instructions, (), 0)
    count = count_tokens or pack.count_tokens or estimate
    left_out: list[str] = []
    context, rest = line(items), _joined(sections) if sections else ""
    while (tokens := count(context) + count(rest)) > pack.budget and (items or sections):
        both: list[Item | Section] = [*items, *sections]
        least = min(both, key=lambda part: part.keep)
        left_out.append(least[0])
        items, sections = _without(items, least), _without(sections, least)
        context, rest = line(items), _joined(sections)
    return Brief(context, "\n\n".join(filter(None, (pack.instructions, rest))), tuple(left_out), tokens)


def _without(parts: Iterable[Part], left_out: Item | Section) -> list[Part]:
    return [part for part in parts if part is not left_out]


def line(items: Sequence[Item]) -> str:
    """The context line of some items, or nothing."""
    if not items:
        return ""
    return "[CONTEXT: " + " | ".join(f"{escape(i.key)}: {escape(i.value)}" for i in items) + "]"


@kept(4096)  # what is known is told again on every turn
def escape(value: str) -> str:
    """A value that can neither close the block nor add a key to it, nor look as if: one line, no brackets, no bars, and
    nothing that hides."""
    return _SPACE.sub(" ", value if value.isascii() else seen(value)).translate(_MARKS).strip()


def prompt(context: str, message: str) -> str:
    """What is sent: the context line, a blank line, the message as typed."""
    message = disarm(message)
    return f"{context}\n\n{message}" if context else message


def disarm(message: str) -> str:
    """The message, unless it has something that looks like our context line, to a person or to a model: then that loses
    its opening bracket."""
    if "[" not in message and message.isascii():
        return message
    return _OPENS.sub(lambda hit: "(" if imitates(message, hit.end(), WORD) else hit[0], message)


def estimate(text: str) -> int:
    """Tokens of a text, roughly: four ASCII characters each, two of anything else. A tokenizer can be plugged in."""
    plain = len(text) if text.isascii() else len(text.encode("ascii", "ignore"))
    return -(-plain // 4) + -(-(len(text) - plain) // 2)


def _joined(sections: Iterable[Section]) -> str:
    """The sections as one text; what people and agents said stands in them, and may imitate our line."""
    return disarm("\n\n".join([section.text for section in sections])) if sections else ""


def _ordered(parts: list[Part], order: Sequence[str]) -> list[Part]:
    if not order or len(parts) < 2:
        return parts
    places = {name: place for place, name in enumerate(order)}
    return sorted(parts, key=lambda part: places.get(part[0], len(places)))
