"""Errors as problem details (RFC 9457): every error that Holdfast raises has a status and a title here."""

from __future__ import annotations

import msgspec
from starlette.responses import Response

from holdfast import errors
from holdfast.errors import HoldfastError
from holdfast.models.endpoints import ModelFailed


class Wrong(msgspec.Struct, frozen=True):
    detail: str
    pointer: str = ""


class Problem(msgspec.Struct, frozen=True, omit_defaults=True):
    """What went wrong, and what to do next."""

    type: str
    title: str
    status: int
    detail: str = ""
    errors: tuple[Wrong, ...] = ()


class Failed(HoldfastError):
    """A request that this door cannot serve."""

    def __init__(self, status: int, kind: str, title: str, detail: str, headers: dict[str, str] | None = None) -> None:
        super().__init__(detail)
        self.problem = Problem(f"urn:holdfast:problem:{kind}", title, status, detail)
        self.headers = headers or {}


# Narrow ones first: the first class that fits names the problem.
STATUSES: tuple[tuple[type[HoldfastError], int, str], ...] = (
    (errors.InvalidInput, 422, "The request cannot be used as it is"),
    (errors.UnknownPack, 404, "No such pack"),
    (errors.UnknownSession, 404, "No such session"),
    (errors.UnknownVersion, 404, "No such version"),
    (errors.UnknownItem, 404, "No such item"),
    (errors.Refused, 409, "Understood, and not allowed"),
    (ModelFailed, 502, "The model does not answer"),
    (errors.PackError, 501, "The pack cannot do this"),
    (errors.Conflict, 409, "Somebody else was faster"),
    (errors.StoreBusy, 503, "The store is busy"),
    (errors.OutcomeUnknown, 503, "Unknown whether it was written; retry with the same Idempotency-Key"),
    (errors.StoreFull, 507, "No space left"),
    (errors.StoreGone, 503, "The store is gone"),
    (errors.StoreUnreadable, 500, "The store cannot be read"),
    (errors.StoreError, 500, "The store cannot do this"),
    (HoldfastError, 500, "Holdfast cannot do this"),
)

_encode = msgspec.json.Encoder().encode


def problem(error: HoldfastError) -> Problem:
    if isinstance(error, Failed):
        return error.problem
    kind, status, title = next(entry for entry in STATUSES if isinstance(error, entry[0]))
    name = "".join("-" + c.lower() if c.isupper() else c for c in kind.__name__).lstrip("-")
    return Problem(f"urn:holdfast:problem:{name}", title, status, str(error))


def respond(error: HoldfastError, prefix: str = "") -> Response:
    """An error as a response. What a tenant is told never shows how its names are stored."""
    found = problem(error)
    if prefix:
        found = msgspec.structs.replace(found, detail=found.detail.replace(prefix, ""))
    headers = dict(error.headers) if isinstance(error, Failed) else {}
    if found.status == 503:
        headers.setdefault("retry-after", "1")
    return Response(_encode(found), found.status, headers, media_type="application/problem+json")


def too_large(limit: int) -> Failed:
    return Failed(413, "too-large", "Too large", f"a request may have {limit:,} bytes; send less at a time")


def not_supported(pack: str, what: str) -> Failed:
    """For what the pack of a session has no faculty for."""
    return Failed(501, "not-supported", "The pack cannot do this", f"the pack {pack} keeps no {what}; use another pack")
