"""What a server is told when it starts. Every default is the safe one."""

from __future__ import annotations

from typing import Literal

import msgspec

from holdfast.errors import InvalidInput
from holdfast.models.consult import PER_HOUR
from holdfast.models.endpoints import Upstream

LOOPBACK = ("127.0.0.1", "localhost", "::1")


class Settings(msgspec.Struct, frozen=True, kw_only=True):
    """One server."""

    host: str = "127.0.0.1"
    port: int = 8765
    store: str | None = None
    """Address of the store; nothing keeps everything in memory."""
    pack: str = "general"
    """The pack of sessions that name none."""
    opens: str = ""
    """The pack that the page opens with; without one, `pack`."""
    keys: tuple[str, ...] = ()
    """Who may come in: "tenant:scope+scope:token" each. With none, everyone on this machine may do everything."""
    body_limit: int = 4_000_000
    """Bytes of a request."""
    archive_limit: int = 256_000_000
    """Bytes of an archive that is brought in."""
    rate: float = 1000.0
    """Requests a second for one key (or one address where there are no keys); 0 for no limit."""
    viewers: int = 2000
    """Live views at a time."""
    upstream: Upstream | None = None
    """The model that answers; without one, the packs' built-in agents do."""
    second_opinion: Upstream | None = None
    """The model that reads, after a turn, what was not read, and is asked where the memory is in doubt; without one,
    nobody is."""
    opinions_per_hour: int = PER_HOUR
    """Questions an hour that it is asked."""
    reader: Literal["linear", "encoder"] | None = None
    """Which tier reads English messages, as in `Holdfast(reader=…)`."""
    on_loop: Literal["warn", "retry", "replace"] = "warn"
    """What the proxy does with a reply that the guard would not let out."""
    hosts: tuple[str, ...] = ()
    """Names, beside loopback ones, under which a server without keys may be called."""

    def __post_init__(self) -> None:
        if self.host not in LOOPBACK and not self.keys:
            raise InvalidInput(
                f"a server on {self.host} can be reached by others and has no keys; set HOLDFAST_KEYS or use 127.0.0.1"
            )
        if self.body_limit < 1000 or self.rate < 0 or self.viewers < 0:
            raise InvalidInput("body_limit must be at least 1,000 bytes, rate and viewers at least 0")
