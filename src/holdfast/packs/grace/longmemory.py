"""Long conversations in short: blocks of old messages become summaries, the last ones stay as they are.

A summary is drawn from the messages' own words (what was asked, which files came of it, what was decided); nothing is
invented, and no model is needed.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any, NamedTuple

from holdfast.reading.reader import Reader
from holdfast.reading.shapes import Shape
from holdfast.reading.text import fold

FROM = 30
"""Messages from which on a conversation is summarised."""
RAW = 20
SMALLEST, LARGEST = 10, 50
SUMMARIES = 5
FACTS = 10

_DECISION = Shape(r"\b%long_memory.decided%\b")


class Summary(NamedTuple):
    """A block of old messages in a few lines."""

    first: int
    last: int
    text: str
    importance: float


class Remembered(NamedTuple):
    """What is handed out of a long conversation."""

    summaries: list[Summary]
    facts: list[str]
    recent: list[dict[str, Any]]


def remember(messages: Sequence[dict[str, Any]], reader: Reader) -> Remembered:
    """Summaries and key facts of the old messages, and the last ones raw."""
    if len(messages) <= FROM:
        return Remembered([], [], list(messages))
    old, recent = messages[:-RAW], messages[-RAW:]
    summaries = [_summary(block, reader) for block in _blocks(old)]
    best = sorted(summaries, key=lambda s: (-s.importance, -s.last))[:SUMMARIES]
    decided = [_short(m["content"]) for m in old if m["role"] == "user" and _decides(m["content"], reader)]
    return Remembered(sorted(best, key=lambda s: s.first), decided[-FACTS:], list(recent))


def importance(message: dict[str, Any], reader: Reader) -> float:
    """A half, and more for a question, files and a decision."""
    value = 0.5 + 0.1 * ("?" in message["content"]) + 0.2 * bool(message.get("meta", {}).get("files"))
    return round(min(1.0, value + 0.2 * _decides(message["content"], reader)), 2)


def _decides(text: str, reader: Reader) -> bool:
    return reader.made(_DECISION).search(fold(text)) is not None


def _blocks(old: Sequence[dict[str, Any]]) -> Iterator[Sequence[dict[str, Any]]]:
    """Blocks of at most 50; a rest of fewer than 10 joins the block before it, or waits."""
    place = 0
    while len(old) - place >= SMALLEST:
        rest = len(old) - place
        size = min(LARGEST, rest)
        if 0 < rest - size < SMALLEST:
            size = rest - SMALLEST
        yield old[place : place + size]
        place += size


def _summary(block: Sequence[dict[str, Any]], reader: Reader) -> Summary:
    asked = [_short(m["content"]) for m in block if m["role"] == "user" and m["content"].strip()]
    files = [
        str(f.get("name", f) if isinstance(f, dict) else f) for m in block for f in m.get("meta", {}).get("files", [])
    ]
    lines = [f"The user said: {'; '.join(asked[:12])}"] if asked else []
    if files:
        lines.append(f"Files: {', '.join(dict.fromkeys(files))}")
    weight = max((importance(message, reader) for message in block), default=0.5)
    return Summary(block[0]["version"], block[-1]["version"], ". ".join(lines), weight)


def _short(text: str) -> str:
    text = " ".join(text.split())
    return text if len(text) <= 80 else text[:77] + "…"
