"""Whether a message holds a false start, and the message without it, as the reader sees it."""

from __future__ import annotations

from typing import Any

from holdfast.pack import load
from holdfast.reading.standing import fluent, repairs

READER = load("general").reader


def predict(row: dict[str, Any], extra: None) -> dict[str, Any]:
    reading = READER.read(row["text"])
    return {"repaired": bool(reading.find(repairs)), "fluent": reading.find(fluent)}
