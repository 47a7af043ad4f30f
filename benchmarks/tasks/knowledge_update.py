"""Statements in the order of time go into the memory; a question is answered by its search, current items only."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from holdfast import Holdfast
from holdfast.memory import SessionMemory

Extra = dict[str, tuple[SessionMemory, dict[str, int]]]


class Contexts:
    """The memories of the contexts, each filled when it is first asked."""

    def __init__(self, path: Path) -> None:
        rows = (json.loads(line) for line in path.open(encoding="utf-8") if line.strip())
        self._statements: dict[str, list[str]] = {row["context_id"]: row["statements"] for row in rows}
        self._filled: Extra = {}

    def memory(self, name: str) -> tuple[SessionMemory, dict[str, int]]:
        if name not in self._filled:
            memory = Holdfast().session(name, user=name).memory
            items = memory.learn(self._statements[name])
            self._filled[name] = memory, {item.id: place for place, item in enumerate(items) if item is not None}
        return self._filled[name]


def prepare(path: Path) -> Contexts:
    return Contexts(path)


def predict(row: dict[str, Any], extra: Contexts) -> dict[str, Any]:
    memory, places = extra.memory(row["context_id"])
    found = memory.search(row["question"], k=5)
    return {"statements": [places[hit.item.id] for hit in found if hit.item.id in places]}
