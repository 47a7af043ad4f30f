"""Where logs are kept. `protocol.py` says what a store promises; every other file here is one store."""

from __future__ import annotations

import os

from holdfast.errors import InvalidInput
from holdfast.extras import needs
from holdfast.stores.protocol import Store


def open_store(address: str | os.PathLike[str] | Store | None) -> Store:
    """A store by address: None or ":memory:", "sqlite:///chat.db", the plain path of a file, or "postgresql://…". One
    that is open already is given back."""
    if address is None or address in ("sqlite://", "sqlite:///:memory:"):
        return _sqlite(":memory:")
    if isinstance(address, (str, os.PathLike)):
        return _named(os.fspath(address), isinstance(address, os.PathLike))
    if hasattr(address, "append"):
        return address
    raise InvalidInput(f"a store is named by an address or a path, not by {type(address).__name__}")


def _named(address: str, path: bool) -> Store:
    if "\0" in address:
        raise InvalidInput(f"an address holds no NUL character: {address!r:.80}")
    if path or address.startswith("sqlite:///") or ("://" not in address and address):
        return _sqlite(address)
    if address.startswith(("postgresql://", "postgres://")):
        return _postgres(address)
    known = "sqlite:///path/to/file.db, postgresql://user@host/database, or nothing at all for memory"
    raise InvalidInput(f"no store for {address.rsplit('@', maxsplit=1)[-1]!r}; use {known}")


def _sqlite(address: str) -> Store:
    from holdfast.stores.sqlite import SqliteStore  # opened by whoever keeps something, not by whoever imports Holdfast

    return SqliteStore.at(address) if "://" in address else SqliteStore(address)


def _postgres(address: str) -> Store:
    with needs("postgres", "PostgreSQL"):
        from holdfast.stores.postgres import PostgresStore

    return PostgresStore.at(address)
