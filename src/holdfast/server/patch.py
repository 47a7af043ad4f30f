"""The difference of two JSON documents as a JSON Patch (RFC 6902), small enough to send on every turn."""

from __future__ import annotations

from difflib import SequenceMatcher
from typing import Any

import msgspec

Op = dict[str, Any]
MAX_COMPARED_ITEMS = 400
"""Lists above this are replaced whole: finding the smallest difference is not linear."""

_encode = msgspec.json.Encoder(order="sorted").encode


def diff(old: Any, new: Any, path: str = "") -> list[Op]:
    """What turns `old` into `new`."""
    if isinstance(old, dict) and isinstance(new, dict):
        return _objects(old, new, path)
    if isinstance(old, list) and isinstance(new, list) and max(len(old), len(new)) <= MAX_COMPARED_ITEMS:
        return _lists(old, new, path)
    # equal as JSON: 1 and True are equal to Python only
    same = type(old) is type(new) and (_encode(old) == _encode(new) if isinstance(old, list) else old == new)
    return [] if same else [{"op": "replace", "path": path, "value": new}]


def _objects(old: dict[str, Any], new: dict[str, Any], path: str) -> list[Op]:
    ops: list[Op] = [{"op": "remove", "path": f"{path}/{_escape(key)}"} for key in old if key not in new]
    for key, value in new.items():
        place = f"{path}/{_escape(key)}"
        if key not in old:
            ops.append({"op": "add", "path": place, "value": value})
        elif old[key] is not value:
            ops += diff(old[key], value, place)
    return ops


def _lists(old: list[Any], new: list[Any], path: str) -> list[Op]:
    """Items that moved along (the window of recent messages) are not sent again."""
    before, after = [_encode(item) for item in old], [_encode(item) for item in new]
    if before == after:
        return []
    ops: list[Op] = []
    shift = 0  # how far the places of `old` have moved by the operations so far
    for kind, start, end, first, last in SequenceMatcher(None, before, after, autojunk=False).get_opcodes():
        if kind == "equal":
            continue
        shared = min(end - start, last - first)
        for step in range(shared):
            ops += diff(old[start + step], new[first + step], f"{path}/{start + step + shift}")
        place = start + shared + shift
        ops += [{"op": "remove", "path": f"{path}/{place}"} for _ in range(end - start - shared)]
        ops += [
            {"op": "add", "path": f"{path}/{place + step}", "value": value}
            for step, value in enumerate(new[first + shared : last])
        ]
        shift += (last - first) - (end - start)
    return ops


def _escape(key: str) -> str:
    return key.replace("~", "~0").replace("/", "~1")
