"""Who may come in, and how often.

Without keys a server is for the people on its own machine: it listens on loopback and answers only to loopback names,
so that a page of another site can reach it neither by rebinding a name nor by posting a form. With keys, every request
carries a bearer token; a token belongs to a tenant and has scopes. Tokens are kept as digests and never logged.
"""

from __future__ import annotations

import hashlib
import re
import time
import tomllib
from collections import OrderedDict
from collections.abc import Iterable, Mapping
from pathlib import Path
from urllib.parse import SplitResult, urlsplit

from holdfast.errors import InvalidInput
from holdfast.server.house import ANYONE, Caller
from holdfast.server.problems import Failed
from holdfast.server.settings import LOOPBACK, Settings

SCOPES = frozenset(("read", "write", "erase"))
MIN_KEY_CHARS = 16
_TENANT = re.compile(r"[a-z0-9][a-z0-9_-]{0,39}")


def keys_from(env: Mapping[str, str], file: str | Path | None = None) -> tuple[str, ...]:
    """Keys of the environment (HOLDFAST_KEYS, separated by spaces) and of a file (TOML: [[key]] with tenant, scopes,
    token), in the form that Settings takes."""
    found = env.get("HOLDFAST_KEYS", "").split()
    if file is None:
        return tuple(found)
    try:
        entries = tomllib.loads(Path(file).read_text(encoding="utf-8"))["key"]
        found += [f"{entry['tenant']}:{'+'.join(entry['scopes'])}:{entry['token']}" for entry in entries]
    except (OSError, tomllib.TOMLDecodeError, KeyError, TypeError) as wrong:
        raise InvalidInput(
            f"the key file {file} cannot be used ({type(wrong).__name__}); it needs [[key]] with tenant, scopes, token"
        ) from None
    return tuple(found)


def callers(keys: Iterable[str]) -> dict[bytes, Caller]:
    """Who each token belongs to, by the token's digest."""
    found: dict[bytes, Caller] = {}
    for place, key in enumerate(keys, 1):
        tenant, _, rest = key.partition(":")
        scopes, _, token = rest.partition(":")
        if not _TENANT.fullmatch(tenant) or not scopes or not SCOPES.issuperset(scopes.split("+")):
            raise InvalidInput(f"key {place} must read tenant:scope+scope:token, with scopes of read, write, erase")
        if len(token) < MIN_KEY_CHARS:
            raise InvalidInput(f"the token of key {place} ({tenant}) is shorter than {MIN_KEY_CHARS} characters")
        found[_digest(token)] = Caller(tenant, frozenset(scopes.split("+")))
    return found


def _digest(token: str) -> bytes:
    return hashlib.sha256(token.encode()).digest()


class Gate:
    """Decides on every request before anything else looks at it."""

    def __init__(self, settings: Settings) -> None:
        self._callers = callers(settings.keys)
        self._hosts = {*LOOPBACK, settings.host, *settings.hosts}
        self._rate = Rate(settings.rate)

    def admit(self, headers: Mapping[str, str], address: str) -> Caller:
        """Who asks. Raises Failed for those who may not."""
        self._same_site(headers)
        if not self._callers:
            self._rate.take(address)
            return ANYONE
        kind, _, token = headers.get("authorization", "").partition(" ")
        caller = self._callers.get(_digest(token.strip())) if kind.lower() == "bearer" else None
        if caller is None:
            self._rate.take(address)  # guessing is limited too
            detail = "send a known key as authorization: Bearer …"
            raise Failed(401, "unauthorized", "Who are you?", detail, {"www-authenticate": "Bearer"})
        self._rate.take(caller.tenant)
        return caller

    def _same_site(self, headers: Mapping[str, str]) -> None:
        host = headers.get("host", "")
        called = _parted(f"//{host}")
        if not self._callers and (called is None or (called.hostname or "") not in self._hosts):
            detail = "this server answers to loopback names only; give it keys to be called by another name"
            raise Failed(421, "wrong-host", "Not here", detail)
        origin = headers.get("origin")
        if origin and ((place := _parted(origin)) is None or place.netloc != host):
            raise Failed(403, "cross-origin", "Not from there", "pages of other sites may not use this server")


def _parted(address: str) -> SplitResult | None:
    """An address in its parts; None for what is none."""
    try:
        return urlsplit(address)
    except ValueError:
        return None


class Rate:
    """A bucket of tokens for each one who asks; it holds two seconds' worth."""

    def __init__(self, rate: float, most: int = 10_000) -> None:
        self._rate, self._most = rate, most
        self._buckets: OrderedDict[str, tuple[float, float]] = OrderedDict()

    def take(self, who: str) -> None:
        if not self._rate:
            return
        now = time.monotonic()
        full = max(1.0, 2 * self._rate)
        held, since = self._buckets.pop(who, (full, now))
        held = min(full, held + (now - since) * self._rate)
        self._buckets[who] = (held - 1 if held >= 1 else held, now)
        if len(self._buckets) > self._most:
            self._buckets.popitem(last=False)
        if held < 1:
            wait = str(max(1, round((1 - held) / self._rate)))
            detail = f"more than {self._rate:g} requests a second; wait and try again"
            raise Failed(429, "too-many", "Too many requests", detail, {"retry-after": wait})
