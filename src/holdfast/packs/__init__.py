"""Built-in packs. They come in through entry points, like anybody's; how their faces hand out records is here."""

from __future__ import annotations

from operator import attrgetter
from typing import Any


def keyed(record: object, names: str) -> dict[str, Any]:
    """A record as plain data under a document's keys: `names` are fields, `key=field` where they differ, with a `?` at
    the end where what is empty is None. Tuples are lists."""
    told: dict[str, Any] = {}
    for name in names.split():
        key, _, field = name.rstrip("?").partition("=")
        value = attrgetter(field or key)(record)
        value = None if name.endswith("?") and not value else value
        told[key] = list(value) if isinstance(value, tuple) else value
    return told
