"""The demo of `copilot_cli`: facts, preferences and decisions that supersede each other, told step by step.

python -m holdfast.packs.copilot_demo
"""

from __future__ import annotations

import tempfile
from collections.abc import Iterator
from pathlib import Path

from holdfast.packs.copilot_cli import open_memory


def demo(folder: str) -> Iterator[str]:
    """The lines of the demo; what it stores is in the folder."""
    path = str(Path(folder) / "memory.db")
    chat = open_memory(path, "first", project="shop")
    yield "1. Facts: a conflict is found and the newer statement holds"
    for said in ("I'm a junior developer", "Actually, I'm a senior developer now"):
        yield f"   you: {said}"
        chat.hear(said)
    yield f"   chain: {chat.memory.told(chat.memory.facts()[0].id)}"
    yield "2. Preferences: one key, one value, the whole history"
    for said in ("I always use VS Code", "I've switched to Neovim"):
        yield f"   you: {said}"
        chat.hear(said)
    yield f"   chain: {chat.memory.told(chat.memory.preferences()[0].id)}"
    yield "3. Decisions: how one evolves, and why"
    for said in (
        "Let's go with PostgreSQL.",
        "Let's use MongoDB because the requirements changed.",
        "We'll use PostgreSQL with caching layer due to performance issues.",
    ):
        yield f"   agent: {said}"
        chat.say(said)
    yield f"   chain: {chat.memory.told(chat.memory.decisions()[0].id)}"
    yield "4. The context for the model: current values only"
    yield from (f"   {line}" for line in chat.face.get_current_context().splitlines())
    yield "5. Restored in a new session"
    chat.holdfast.close()
    again = open_memory(path, "second", project="shop")
    yield from (f"   {item.label}" for item in again.memory.items() if item.kind != "context")
    superseded = [item for item in again.memory.items(history=True) if item.superseded_by]
    yield f"   and {len(superseded)} superseded items with their chains"
    again.holdfast.close()


if __name__ == "__main__":
    with tempfile.TemporaryDirectory() as place:
        for line in demo(place):
            print(line)
