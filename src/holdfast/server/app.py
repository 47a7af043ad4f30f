"""The application: routes, the gate before them, and what is shared."""

from __future__ import annotations

import html
import logging
import time
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from functools import cache
from pathlib import Path
from typing import Any

import msgspec
from starlette.applications import Starlette
from starlette.datastructures import Headers
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import HTMLResponse, PlainTextResponse, Response, StreamingResponse
from starlette.routing import BaseRoute, Mount, Route
from starlette.staticfiles import StaticFiles
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from holdfast.errors import HoldfastError
from holdfast.guests import Contained
from holdfast.pack import Pack
from holdfast.server import api, openapi
from holdfast.server.auth import Gate
from holdfast.server.endpoint import Paths, Running, allow
from holdfast.server.house import ANYONE, House
from holdfast.server.live import Live
from holdfast.server.metrics import Metrics
from holdfast.server.problems import Failed, respond
from holdfast.server.proxy import Proxy
from holdfast.server.settings import Settings

logger = logging.getLogger("holdfast.server")
STATIC = Path(__file__).parent / "static"
CLOSED = ("/api/", "/v1/", "/metrics")
"""Where paths begin that need a key. The others tell nothing of anybody: the page itself, the description, health."""


class Server:
    """One application with what its requests share."""

    def __init__(self, settings: Settings | None = None, packs: tuple[Pack, ...] = ()) -> None:
        self.settings = settings or Settings()
        gate = Gate(self.settings)
        self.house = House(self.settings, packs)
        self.metrics = Metrics()
        self.running = Running(self.house, self.settings)
        self.live = Live(self.running, self.metrics, self.settings.viewers)
        self.proxy = Proxy(self.running, self.metrics)
        self.running.after_write = self.live.nudge
        routes: list[BaseRoute] = [
            Route("/api/sessions/{id:path}/events", self._events),
            Route("/v1/chat/completions", self.proxy.complete, methods=["POST"]),
            Route("/v1/responses", self.proxy.respond, methods=["POST"]),
            Route("/v1/models", self.proxy.models),
            Route("/v1/embeddings", self.proxy.passed, methods=["POST"]),
            Route("/v1/models/{id:path}", self.proxy.passed),
            Route("/v1/responses/{id:path}", self.proxy.passed, methods=["GET", "POST", "DELETE"]),
            Route("/v1/{rest:path}", self.proxy.nothing, methods=["GET", "POST", "PUT", "PATCH", "DELETE"]),
            Route("/healthz", self._health),
            Route("/metrics", self._metrics),
            Route("/openapi.json", self._openapi),
            Route("/docs", self._docs),
            Mount("/", StaticFiles(directory=STATIC, html=True)),
        ]
        inner = Starlette(
            routes=routes, lifespan=self._lifespan, exception_handlers={HTTPException: _plain, 500: _fault}
        )
        self.app: ASGIApp = Door(inner, self.running.paths(api.ENDPOINTS), gate, self.metrics)

    @asynccontextmanager
    async def _lifespan(self, app: Starlette) -> AsyncIterator[None]:
        yield
        await self.proxy.close()
        self.close()

    def close(self) -> None:
        """Finish what was begun, then let go of the store."""
        self.live.close()
        self.running.close()
        self.house.close()

    async def _events(self, request: Request) -> Response:
        caller = request.scope.get("caller", ANYONE)
        last = request.headers.get("last-event-id") or request.query_params.get("last_event_id", "")
        try:
            allow(caller, "read")
            views = await self.live.view(caller, request.path_params["id"], last)
        except HoldfastError as wrong:
            return respond(wrong, caller.prefix)
        return StreamingResponse(views, media_type="text/event-stream", headers={"x-accel-buffering": "no"})

    async def _health(self, request: Request) -> Response:
        await self.running.work(lambda: self.house.store.sessions(limit=1))
        return Response(b'{"status":"ok"}', media_type="application/json")

    async def _metrics(self, request: Request) -> Response:
        self.metrics.look()
        return PlainTextResponse(self.metrics.text(), media_type="text/plain; version=0.0.4")

    async def _openapi(self, request: Request) -> Response:
        return Response(msgspec.json.encode(_description()), media_type="application/json")

    async def _docs(self, request: Request) -> Response:
        return HTMLResponse(_page(_description()))


class Door:
    """Stands before all routes: lets in, counts, and keeps other sites out."""

    def __init__(self, app: ASGIApp, paths: Paths, gate: Gate, metrics: Metrics) -> None:
        self._app, self._paths, self._gate, self._metrics = app, paths, gate, metrics

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return
        start = time.perf_counter()
        status = 0

        async def sending(message: Message) -> None:
            nonlocal status
            if message["type"] == "http.response.start":
                status = message["status"]
                message["headers"] = [*message["headers"], *PROTECTING]
            await send(message)

        faults: list[Exception] = []
        try:
            with Contained(faults.append):
                await self._answer(scope, receive, sending)
            for wrong in faults:
                if status and not isinstance(wrong, Failed):  # too late for another answer
                    raise wrong
                await respond(_known(wrong, scope))(scope, receive, sending)
        finally:
            self._note(scope, status, time.perf_counter() - start)

    async def _answer(self, scope: Scope, receive: Receive, send: Send) -> None:
        path = scope["path"]
        if path.startswith(CLOSED):
            client = scope.get("client") or ("", 0)
            scope["caller"] = self._gate.admit(Headers(scope=scope), client[0])
        sent = scope.get("raw_path") or path.encode()
        found = self._paths.find(sent.decode("ascii", "replace")) if path.startswith("/api/") else None
        if found is None:
            await self._app(scope, receive, send)
        else:
            await self._serve(found, scope, receive, send)

    async def _serve(self, found: Any, scope: Scope, receive: Receive, send: Send) -> None:
        scope["pattern"], scope["path_params"], methods = found
        serve = methods.get("GET" if scope["method"] == "HEAD" else scope["method"])
        if serve is None:
            allowed = ", ".join(sorted(methods))
            detail = f"use {allowed}; see /docs"
            raise Failed(405, "method-not-allowed", "Not this way", detail, {"allow": allowed})
        response = await serve(Request(scope, receive))
        await response(scope, receive, send)

    def _note(self, scope: Scope, status: int, seconds: float) -> None:
        route, method = _name(scope), scope["method"] if scope["method"] in METHODS else "other"
        labels = f'method="{method}",route="{route}",status="{status or 499}"'
        self._metrics.count("holdfast_requests_total", labels)
        if not route.endswith("/events"):
            self._metrics.took(route, seconds)


METHODS = ("GET", "POST", "PUT", "PATCH", "DELETE", "HEAD", "OPTIONS")
FAULT = Failed(500, "fault", "A fault of ours", "this was logged; nothing was half-written")
POLICY = (
    "default-src 'none'",
    "script-src 'self'",
    "style-src 'self'",
    "img-src 'self' blob:",  # pictures of files are fetched with the key and shown from memory
    "connect-src 'self'",
    "base-uri 'none'",
    "form-action 'none'",
    "frame-ancestors 'none'",
    "require-trusted-types-for 'script'",  # text can never become markup, not even by a mistake of ours
    "trusted-types 'none'",
)
"""What a page of this server may do: nothing but talk to this server."""
PROTECTING = [
    (b"x-content-type-options", b"nosniff"),
    (b"referrer-policy", b"no-referrer"),
    (b"content-security-policy", "; ".join(POLICY).encode()),
    (b"cross-origin-resource-policy", b"same-origin"),  # no page of another site may show what is here as its own
    (b"cross-origin-opener-policy", b"same-origin"),
    (b"cache-control", b"no-store"),
]


def _known(wrong: Exception, scope: Scope) -> Failed:
    """What the one who asked is told: of a fault of ours no word, since the log has it in full."""
    if isinstance(wrong, Failed):
        return wrong
    logger.error("a fault while serving %s", _name(scope), exc_info=wrong)
    return FAULT


def _name(scope: Scope) -> str:
    """The route's pattern and never the path itself: ids do not belong in metrics, and their number has no end."""
    route = scope.get("route")
    return scope.get("pattern") or (route.path if isinstance(route, Route) else "other")


async def _plain(request: Request, error: Exception) -> Response:
    """Starlette's own errors (no such path, wrong method) as problems."""
    assert isinstance(error, HTTPException)
    detail = f"there is nothing at this path for {request.method}; see /docs"
    kind = {404: "not-found", 405: "method-not-allowed"}.get(error.status_code, "http")
    return respond(Failed(error.status_code, kind, error.detail, detail, dict(error.headers or {})))


async def _fault(request: Request, error: Exception) -> Response:
    """A fault of ours: in full in the log, without a word of it to the one who asked."""
    return respond(FAULT)


@cache
def _description() -> dict[str, object]:
    """What the API offers, worked out when somebody asks."""
    return openapi.describe(api.ENDPOINTS)


def _page(description: dict[str, object]) -> str:
    """The API as one plain page."""
    paths = description["paths"]
    assert isinstance(paths, dict)
    rows = [
        f"<tr><td><code>{method.upper()}</code></td><td><code>{html.escape(path)}</code></td>"
        f"<td>{html.escape(operation['summary'])}</td><td>{operation['x-scope']}</td></tr>"
        for path, methods in paths.items()
        for method, operation in methods.items()
    ]
    return (
        "<!doctype html><html lang=en><meta charset=utf-8><title>Holdfast: the API</title>"
        "<link rel=stylesheet href=/plain.css><h1>Holdfast: the API</h1><p>Described in full in "
        "<a href=/openapi.json>openapi.json</a>.</p><table><tr><th>method<th>path<th>what it does<th>scope</tr>"
        + "".join(rows)
        + "</table></html>"
    )
