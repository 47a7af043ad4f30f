"""How a plain function becomes part of the API: its signature is the contract.

    @route("POST", "/api/sessions/{id}/hear", scope="write")
    def hear(ask: Ask, id: str, *, text: Text, attached: Json = NONE) -> TurnOut: ...

Parameters named in the path come from the path, those after the star from the request's JSON, all others from the
query. (A `body` of bytes is lines of JSON, as they are.) The same signature makes the OpenAPI description
(`openapi.py`), so the two cannot drift apart. Functions are plain; the event loop never waits for a store.
"""

from __future__ import annotations

import asyncio
import inspect
import re
from collections.abc import AsyncIterator, Awaitable, Callable, Iterable, Mapping
from concurrent.futures import ThreadPoolExecutor
from contextlib import nullcontext, suppress
from contextvars import Context, copy_context
from types import NoneType, UnionType
from typing import Any, Literal, NamedTuple, Union, get_args, get_origin, get_type_hints
from urllib.parse import unquote

import msgspec
from starlette.requests import ClientDisconnect, Request
from starlette.responses import Response, StreamingResponse

from holdfast.errors import HoldfastError, InvalidInput, StoreBusy
from holdfast.server.house import ANYONE, Caller, House
from holdfast.server.problems import Failed, Problem, Wrong, not_supported, respond, too_large
from holdfast.server.settings import Settings
from holdfast.session import Session
from holdfast.shell import idempotent

QUICK = 4096
"""Bytes of a body up to which a turn is short."""
AGENTS = 64
"""Exchanges with agents at a time; further ones wait their turn."""
Pace = Literal["quick", "waits", "slow"]
_KEY = re.compile(r"[!-~]{1,200}")
_PLACE = re.compile(r"\{(\w+)\}")


class Ask(NamedTuple):
    """A request as a function of the API sees it."""

    house: House
    caller: Caller
    settings: Settings
    once: str | None = None
    """The idempotency key of the request."""

    def session(self, id: str, faculty: str = "", what: str = "") -> Session:
        """A session of the caller, whose pack must have a faculty where one is named: for `what`."""
        chat = self.house.session(self.caller, id)
        if faculty and not chat.pack.has(faculty):
            raise not_supported(chat.pack.name, what or faculty)
        return chat


class Made(NamedTuple):
    """A result with another status than 200, or with headers."""

    body: Any
    status: int = 201
    headers: dict[str, str] = {}


class Lines(NamedTuple):
    """A result that is lines of JSON, sent as they are read; under a name it is a file."""

    lines: Iterable[str]
    file: str = ""


LINES = "application/x-ndjson"


class Bytes(NamedTuple):
    """A result that is a file."""

    content: bytes
    kind: str
    headers: dict[str, str] = {}


class Events(NamedTuple):
    """A result that comes bit by bit: `work` is handed what to call with each server-sent event."""

    work: Callable[[Callable[[bytes], None]], None]

    def under(self, context: Context) -> Events:
        return Events(lambda tell: context.run(self.work, tell))


class Parameter(NamedTuple):
    """One parameter in the path or the query."""

    name: str
    kind: Any
    default: Any = inspect.Parameter.empty
    place: str = "query"


class Endpoint:
    """One function of the API and what its signature says."""

    def __init__(
        self,
        act: Callable[..., Any],
        method: str,
        path: str,
        scope: str = "read",
        statuses: tuple[int, ...] = (200,),
        pace: Pace = "waits",
        name: str = "",
    ) -> None:
        """A `quick` function is a turn of one session, and nothing slow; one that `waits` may have to wait for the
        store; a `slow` one waits for an agent, and nobody else may have to wait for that."""
        self.act, self.method, self.path, self.scope, self.statuses = act, method, path, scope, statuses
        self.pace, self.name = pace, name or act.__name__
        hints = get_type_hints(act, include_extras=True)
        self.result = hints.pop("return")
        places, given = set(_PLACE.findall(path)), inspect.signature(act).parameters.values()
        in_body = [p for p in given if p.kind is p.KEYWORD_ONLY]
        self.body: Any = _body(self.name, in_body, hints) if in_body else None
        self.parameters = [
            Parameter(p.name, _given(hints[p.name]), p.default, "path" if p.name in places else "query")
            for p in given
            if p not in in_body and p.name not in ("ask", "body")
        ]
        self.takes_lines = "body" in hints
        """Whether its body is lines of JSON, as they are."""
        self._decoder = msgspec.json.Decoder(self.body) if self.body is not None else None

    @property
    def summary(self) -> str:
        return (inspect.getdoc(self.act) or "").partition("\n\n")[0].replace("\n", " ")

    def arguments(self, request: Request, body: bytes) -> dict[str, Any]:
        """What the function is called with; a msgspec.ValidationError says what is wrong."""
        found: dict[str, Any] = {}
        for name, kind, default, place in self.parameters:
            raw = request.path_params.get(name) if place == "path" else request.query_params.get(name)
            if raw is None:
                if default is inspect.Parameter.empty:
                    raise msgspec.ValidationError(f"Object missing required field `{name}`")
                found[name] = default
            else:
                try:
                    found[name] = msgspec.convert(raw, kind, strict=False)
                except msgspec.ValidationError as wrong:
                    raise msgspec.ValidationError(f"{wrong} - at `$.{name}`") from None
        if self.takes_lines:
            found["body"] = body
        elif self._decoder is not None:
            try:
                found |= msgspec.structs.asdict(self._decoder.decode(body or b"{}"))
            except RecursionError:
                raise msgspec.DecodeError("JSON is nested too deep") from None
        return found


def _body(name: str, given: Iterable[inspect.Parameter], hints: Mapping[str, Any]) -> Any:
    """The body of a request with these fields. One that nobody knows is an error and not a silence."""
    fields = [(p.name, hints[p.name]) if p.default is p.empty else (p.name, hints[p.name], p.default) for p in given]
    called = "".join(part.title() for part in f"{name}_body".split("_"))
    return msgspec.defstruct(called, fields, frozen=True, kw_only=True, forbid_unknown_fields=True)


def _given(kind: Any) -> Any:
    """The type of a parameter when it is given: one that may be left out cannot be sent as nothing."""
    if get_origin(kind) in (Union, UnionType):
        kinds = tuple(each for each in get_args(kind) if each is not NoneType)
        return Union[kinds]  # noqa: UP007 - made of a tuple
    return kind


ENDPOINTS: list[Endpoint] = []


def route(method: str, path: str, **options: Any) -> Callable[[Callable[..., Any]], Callable[..., Any]]:
    """Make a function part of the API, with the options of `Endpoint`."""

    def add(act: Callable[..., Any]) -> Callable[..., Any]:
        ENDPOINTS.append(Endpoint(act, method, path, **options))
        return act

    return add


SAID = 300
"""Characters that an error says of what is wrong: a value may be as long as a request."""
_encode = msgspec.json.Encoder().encode
Serve = Callable[[Request], Awaitable[Response]]


class Paths:
    """All paths of the API as a tree of their parts: finding one costs its depth, however many there are."""

    def __init__(self, endpoints: Iterable[tuple[Endpoint, Serve]]) -> None:
        self._root: dict[str, Any] = {}
        for endpoint, serve in endpoints:
            node = self._root
            for part in endpoint.path.split("/")[1:]:
                node = node.setdefault("{}" if part.startswith("{") else part, {})
            found = node.setdefault("", (endpoint.path, _PLACE.findall(endpoint.path), {}))
            found[2][endpoint.method] = serve

    def find(self, path: str) -> tuple[str, dict[str, str], dict[str, Serve]] | None:
        """The pattern, the parameters and the methods of a path as it was sent: a name may hold a slash that way."""
        node, values = self._root, []
        for part in map(unquote, path.split("/")[1:]):
            if part and part in node:
                node = node[part]
            elif part and "{}" in node:
                values.append(part)
                node = node["{}"]
            else:
                return None
        if "" not in node:
            return None
        pattern, names, methods = node[""]
        return pattern, dict(zip(names, values, strict=True)), methods


class Running:
    """The API of one server, over one house."""

    def __init__(self, house: House, settings: Settings, threads: int = 8) -> None:
        self.house = house
        self.settings = settings
        self.pool = ThreadPoolExecutor(threads, thread_name_prefix="holdfast")
        self._slow = ThreadPoolExecutor(AGENTS, thread_name_prefix="holdfast-agent")
        self.after_write: Callable[[], None] = lambda: None
        """Called when something may have changed, so that live views look at once."""

    def paths(self, endpoints: Iterable[Endpoint]) -> Paths:
        return Paths((endpoint, self._served(endpoint)) for endpoint in endpoints)

    def _served(self, endpoint: Endpoint) -> Serve:
        async def serve(request: Request) -> Response:
            caller: Caller = request.scope.get("caller", ANYONE)
            try:
                allow(caller, endpoint.scope)
                once = key_of(request) if endpoint.scope != "read" else None
                body = await self._body(request, endpoint)
                ask = Ask(self.house, caller, self.settings, once)
                arguments = endpoint.arguments(request, body)
                result = await self._acted(endpoint, ask, arguments, len(body))
                if isinstance(result, Events):
                    return self._streamed(result)
            except msgspec.MsgspecError as wrong:
                return malformed(wrong)
            except UnicodeDecodeError:
                return malformed(msgspec.DecodeError("the body is not UTF-8"))
            except HoldfastError as wrong:
                return respond(wrong, caller.prefix)
            if endpoint.method != "GET":
                self.after_write()
            return _response(result)

        return serve

    async def _body(self, request: Request, endpoint: Endpoint) -> bytes:
        if endpoint.takes_lines:
            return await read(request, self.settings.archive_limit, LINES)
        return await read(request, self.settings.body_limit) if endpoint.body is not None else b""

    async def _acted(self, endpoint: Endpoint, ask: Ask, arguments: dict[str, Any], size: int) -> Any:
        """A short turn costs less than the way to a thread and back: it is tried on the spot, as long as nothing has to
        be waited for. Whatever would have to wait goes to a thread."""
        if endpoint.pace == "quick" and size <= QUICK:
            with suppress(StoreBusy), self.house.at_once(ask.caller, arguments["id"]):
                return _once(endpoint.act, ask, arguments)
        return await self.work(lambda: _once(endpoint.act, ask, arguments), slow=endpoint.pace == "slow")

    def _streamed(self, events: Events) -> Response:
        """Send what is told while it is worked on. What was begun is finished, even when the one who asked is gone."""
        loop, told = asyncio.get_running_loop(), asyncio.Queue[bytes | None]()

        def tell(event: bytes | None) -> None:
            self.after_write()
            loop.call_soon_threadsafe(told.put_nowait, event)

        def work() -> None:
            try:
                events.work(tell)
            finally:
                tell(None)

        async def parts() -> AsyncIterator[bytes]:
            while (event := await told.get()) is not None:
                yield event

        self._slow.submit(work)
        return StreamingResponse(parts(), media_type="text/event-stream", headers={"x-accel-buffering": "no"})

    async def work(self, act: Callable[[], Any], slow: bool = False) -> Any:
        """Run something that may wait for the store, or, `slow`, for an agent, on a thread. What was begun is finished,
        even when the one who asked has gone away."""
        pool = self._slow if slow else self.pool
        return await asyncio.shield(asyncio.get_running_loop().run_in_executor(pool, act))

    def close(self) -> None:
        """Finish what was begun."""
        self._slow.shutdown(wait=True)
        self.pool.shutdown(wait=True)


def key_of(request: Request) -> str | None:
    """The idempotency key of a request, if it has one."""
    given = request.headers.get("idempotency-key")
    if given is not None and not _KEY.fullmatch(given):
        raise InvalidInput("an Idempotency-Key has 1 to 200 visible ASCII characters, and no space")
    return given


def _once(act: Callable[..., Any], ask: Ask, arguments: dict[str, Any]) -> Any:
    """Do it; with an idempotency key, what it writes is written once, however often it is asked for."""
    with nullcontext() if ask.once is None else idempotent(ask.once):
        made = act(ask, **arguments)
        # What comes bit by bit is worked on later, and still under the key.
        return made.under(copy_context()) if isinstance(made, Events) else made


def allow(caller: Caller, scope: str) -> None:
    if scope not in caller.scopes:
        raise Failed(403, "forbidden", "Not allowed", f"this key has no {scope} scope")


async def read(request: Request, limit: int, expected: str = "application/json") -> bytes:
    """The body of a request, as long as it is JSON and not too large. Another content type is refused because a page
    of another site could send it without asking first."""
    kind = request.headers.get("content-type", "").partition(";")[0].strip().lower()
    length = request.headers.get("content-length", "0")
    if length.isdigit() and int(length) > limit:
        raise too_large(limit)
    parts: list[bytes] = []
    size = 0
    try:
        async for part in request.stream():
            size += len(part)
            if size > limit:
                raise too_large(limit)
            parts.append(part)
    except ClientDisconnect:  # nobody is there to be told, and it is no fault of ours
        raise Failed(400, "incomplete", "Not all of it came", "the connection ended before the body did") from None
    if size and kind != expected:
        detail = f"send JSON, with content-type: {expected}"
        raise Failed(415, "unsupported-media-type", "Not JSON", detail)
    return b"".join(parts)


def malformed(wrong: msgspec.MsgspecError) -> Response:
    """What is wrong with the parameters or the body, with a pointer to the place."""
    said, mark, place = str(wrong).partition(" - at `$")
    said = said if len(said) <= SAID else f"{said[:SAID]}…"
    pointer = place.rstrip("`").replace(".", "/").replace("[", "/").replace("]", "")
    status = 422 if isinstance(wrong, msgspec.ValidationError) else 400
    title = "The request does not fit its description" if status == 422 else "The body is not JSON"
    kind = "invalid-request" if status == 422 else "not-json"
    problem = Problem(f"urn:holdfast:problem:{kind}", title, status, f"{said}{mark}{place}", (Wrong(said, pointer),))
    return Response(_encode(problem), status, media_type="application/problem+json")


def _response(result: Any) -> Response:
    status, headers = 200, None
    if isinstance(result, Made):
        result, status, headers = result
    if isinstance(result, Bytes):
        return Response(result.content, status, result.headers, media_type=result.kind)
    if isinstance(result, Lines):
        attached = {"content-disposition": f'attachment; filename="{result.file}"'} if result.file else None
        return StreamingResponse((f"{line}\n" for line in result.lines), status, attached, LINES)
    return Response(_encode(result), status, headers, media_type="application/json")
