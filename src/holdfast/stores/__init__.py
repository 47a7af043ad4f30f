"""Where logs are kept. `protocol.py` says what a store promises; every other file here is one store."""

from __future__ import annotations

from holdfast.errors import InvalidInput
from holdfast.stores.protocol import Store
from holdfast.stores.sqlite import SqliteStore


def open_store(address: str | None) -> Store:
    """A store by address: None or ":memory:", "sqlite:///chat.db", or the plain path of a file."""
    if address is None or address in (":memory:", "sqlite://", "sqlite:///:memory:"):
        return SqliteStore(":memory:")
    if address.startswith("sqlite:///"):
        return SqliteStore.at(address)
    if "://" not in address and address:
        return SqliteStore(address)
    raise InvalidInput(f"no store for {address!r}; use sqlite:///path/to/file.db, or nothing at all for memory")
