"""Holdfast: conversation context for agents. Start with `Holdfast`; read `turn.py` to see how it works."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from holdfast.errors import HoldfastError
from holdfast.events import Entity, Intent, Resolution, Route
from holdfast.faculty import Action, Faculty
from holdfast.pack import Pack
from holdfast.receipt import Receipt
from holdfast.session import Holdfast, Session
from holdfast.turn import Reply, Turn

if TYPE_CHECKING:
    from holdfast.aio import AsyncHoldfast

__version__ = "0.1.0"
__all__ = [
    "Action",
    "AsyncHoldfast",
    "Entity",
    "Faculty",
    "Holdfast",
    "HoldfastError",
    "Intent",
    "Pack",
    "Receipt",
    "Reply",
    "Resolution",
    "Route",
    "Session",
    "Turn",
]


def __getattr__(name: str) -> Any:
    if name == "AsyncHoldfast":  # asyncio costs 60 ms to import: only those who await pay for it
        from holdfast.aio import AsyncHoldfast

        return AsyncHoldfast
    raise AttributeError(f"module 'holdfast' has no attribute {name!r}")
