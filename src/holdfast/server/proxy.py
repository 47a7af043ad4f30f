"""The drop-in proxy: any client of an OpenAI-compatible endpoint gains Holdfast by changing its base URL.

A request is laid beside what is known of its conversation (`recognise.py`): the new messages are heard, the context
goes into the newest one, the request goes on to the model, the reply comes back whole and is learned. What the model
answers, errors included, is passed on as it is; nothing that was said is lost when the model fails.
"""

from __future__ import annotations

import asyncio
import hashlib
import threading
from collections import OrderedDict
from collections.abc import AsyncIterator, Mapping
from contextlib import nullcontext
from typing import Any, NamedTuple
from urllib.parse import quote

import httpx2
import msgspec
from starlette.requests import Request
from starlette.responses import Response, StreamingResponse

from holdfast import agents, brief
from holdfast.accepting import from_json
from holdfast.errors import HoldfastError, InvalidInput, UnknownItem, UnknownSession
from holdfast.history.whole import again
from holdfast.models.endpoints import Upstream
from holdfast.reading.text import accept
from holdfast.server import completions, recognise, responses
from holdfast.server.dialect import Dialect
from holdfast.server.endpoint import Running, allow, key_of, read
from holdfast.server.house import ANYONE, Caller
from holdfast.server.metrics import Metrics
from holdfast.server.problems import problem
from holdfast.server.recognise import Line, Place
from holdfast.session import Session
from holdfast.shell import idempotent
from holdfast.turn import Turn, Verdict

OURS = "holdfast"
"""Model names that are ours: "holdfast", "holdfast/<pack>"."""
PASSED = ("content-type", "retry-after", "x-request-id", "openai-processing-ms", "openai-version")
CLAIM, CONVERSATION = "answer:", "conversation:"
"""What an answer, or a conversation that the model's endpoint keeps, is on record as."""
ANSWERS = 20_000
"""Answers whose sessions are kept at hand."""
_encode = msgspec.json.Encoder().encode


class Told(NamedTuple):
    """What the model is told, and where its reply belongs."""

    chat: Session
    name: str
    """The session as its tenant knows it."""
    turn: Turn
    replies: tuple[str, ...]
    """Replies that this very message got before."""
    once: str | None = None
    """The key under which the message was heard."""


class Exchange(NamedTuple):
    """A request on its way to the model."""

    request: Request
    upstream: Upstream
    told: Told | None
    body: dict[str, Any]
    dialect: Dialect


class Heard(NamedTuple):
    content: bytes
    text: str
    calls_tools: bool
    id: str | None
    model: str = ""


class Proxy:
    def __init__(self, running: Running, metrics: Metrics) -> None:
        self._running, self._metrics = running, metrics
        self._house, self._settings = running.house, running.settings
        self._locks = [threading.Lock() for _ in range(64)]
        self._turns: OrderedDict[tuple[str, int], Turn] = OrderedDict()
        self._answers: OrderedDict[tuple[str, str], str] = OrderedDict()
        self._client: httpx2.AsyncClient | None = None
        running.house.after_erasure += [self._turns.clear, self._answers.clear]

    async def close(self) -> None:
        if self._client is not None:
            await self._client.aclose()

    # Requests

    async def complete(self, request: Request) -> Response:
        """POST /v1/chat/completions"""
        return await self._asked(request, completions)

    async def respond(self, request: Request) -> Response:
        """POST /v1/responses"""
        return await self._asked(request, responses)

    async def _asked(self, request: Request, dialect: Dialect) -> Response:
        caller: Caller = request.scope.get("caller", ANYONE)
        try:
            allow(caller, "write")
            body = from_json(await read(request, self._settings.body_limit))
            if not isinstance(body, dict):
                raise InvalidInput("the body must be an object")
            dialect.messages(body)  # what cannot be read is refused before anything is recorded
            await self._running.work(lambda: self._own(caller, body, dialect))
            key = key_of(request)
            once = None if key is None else hashlib.blake2b(key.encode(), digest_size=16).hexdigest()
            told, warning = await self._tell(caller, request.headers, body, dialect, once)
            upstream = self._settings.upstream
            if upstream is None:
                if warning:
                    raise InvalidInput(warning)
                return await self._built_in(told, body, dialect)
            return await self._forward(Exchange(request, upstream, told, body, dialect), warning)
        except (msgspec.DecodeError, UnicodeDecodeError):
            return _json(completions.error("the body is not JSON", "invalid_request_error", "not-json"), 400)
        except HoldfastError as wrong:
            found = problem(wrong)
            detail = found.detail.replace(caller.prefix, "") if caller.prefix else found.detail
            kind = "invalid_request_error" if found.status < 500 else "server_error"
            return _json(completions.error(detail, kind, found.type.rpartition(":")[2]), found.status)

    async def models(self, request: Request) -> Response:
        """GET /v1/models"""
        names = [OURS, *(f"{OURS}/{name}" for name in self._house.packs())]
        own = [{"id": name, "object": "model", "created": 0, "owned_by": OURS} for name in names]
        upstream = self._settings.upstream
        if upstream is None:
            return _json({"object": "list", "data": own})
        try:
            answer = await self._http().get(f"{upstream.base_url}/models", headers=self._headers(request, upstream))
        except httpx2.HTTPError as wrong:
            return _unreachable(upstream, wrong)
        if answer.status_code != 200:
            return Response(answer.content, answer.status_code, _passed(answer))
        found = _decoded(answer.content)
        if not isinstance(found, dict) or not isinstance(found.get("data"), list):
            return Response(answer.content, 200, _passed(answer))
        return _json({**found, "data": [*found["data"], *own]})

    async def passed(self, request: Request) -> Response:
        """What has nothing to do with a conversation goes on to the model's endpoint, and its answer comes back,
        untouched: embeddings, one model, a response that is kept there."""
        upstream = self._settings.upstream
        caller: Caller = request.scope.get("caller", ANYONE)
        try:
            allow(caller, "read" if request.method == "GET" else "write")
            content = await read(request, self._settings.body_limit)
        except HoldfastError as wrong:
            found = problem(wrong)
            return _json(completions.error(found.detail, "invalid_request_error", "refused"), found.status)
        if upstream is None:
            said = "this needs a model of your own: start the server with --model; the built-in agents only talk"
            return _json(completions.error(said, "invalid_request_error", "no-model"), 501)
        id = request.url.path.removeprefix("/v1/responses/").partition("/")[0]
        kept = request.url.path.startswith("/v1/responses/")
        if kept and not await self._running.work(lambda: self._owns(caller, id)):
            return _json(completions.error(_no_answer(id), "invalid_request_error", "not-found"), 404)
        if ".." in request.url.path.split("/"):  # our key goes along: it is for the paths below the model's address
            return await self.nothing(request)
        path = quote(request.url.path.removeprefix("/v1"), safe="/:@+~") + f"?{request.url.query}".rstrip("?")
        http = self._http()
        made = http.build_request(
            request.method, f"{upstream.base_url}{path}", content=content, headers=self._headers(request, upstream)
        )
        try:
            answer = await http.send(made, stream=True)
        except httpx2.HTTPError as wrong:
            return _unreachable(upstream, wrong)
        return StreamingResponse(_all(answer), answer.status_code, _passed(answer))

    async def nothing(self, request: Request) -> Response:
        """Anything else below /v1."""
        said = (
            f"{request.method} {request.url.path} is not served here; there are /v1/chat/completions, /v1/responses, "
            "/v1/embeddings and /v1/models"
        )
        return _json(completions.error(said, "invalid_request_error", "not-served"), 404)

    # Whose an answer is

    def _own(self, caller: Caller, body: dict[str, Any], dialect: Dialect) -> None:
        """A request may go on only from an answer, or in a conversation, of its own tenant: the model's endpoint knows
        us all by one key."""
        answer, named = dialect.follows(body), dialect.named(body)
        if answer is not None and not self._owns(caller, answer):
            raise UnknownItem(_no_answer(answer))
        if named is not None and self._settings.upstream is not None and self._settings.keys:
            held = self._house.store.claimants(f"{CONVERSATION}{named}")
            if held and not any(name.startswith(caller.prefix) for name in held):
                raise UnknownItem(f"there is no conversation {named[:80]!r}")

    def _owns(self, caller: Caller, answer: str) -> bool:
        if not self._settings.keys or (caller.tenant, answer) in self._answers:
            return True
        if responses.session_in(answer) is not None:  # it names a session, and is looked for among the caller's own
            return True
        return any(name.startswith(caller.prefix) for name in self._house.store.claimants(f"{CLAIM}{answer}"))

    # Hearing

    async def _tell(
        self, caller: Caller, headers: Mapping[str, str], body: dict[str, Any], dialect: Dialect, once: str | None
    ) -> tuple[Told | None, str]:
        """Hear what is new. A message that cannot be kept goes on unread, with a warning."""
        try:
            return await self._running.work(lambda: self._hear(caller, headers, body, dialect, once)), ""
        except InvalidInput as wrong:
            return None, str(wrong)
        finally:
            self._running.after_write()

    def _hear(
        self, caller: Caller, headers: Mapping[str, str], body: dict[str, Any], dialect: Dialect, once: str | None
    ) -> Told | None:
        sent = recognise.spoken(dialect.messages(body))
        user = body.get("user") if isinstance(body.get("user"), str) else None
        before = self._before(caller, dialect.follows(body))
        named = headers.get("x-holdfast-session") or dialect.named(body) or before or user
        if not sent:
            return self._working(caller, before) if before else None
        accept(sent[-1].text)  # one that cannot be kept opens no session
        sent = [line for line in sent[:-1] if _keepable(line.text)] + sent[-1:]
        pack = headers.get("x-holdfast-pack") or _pack_named(body)
        with self._locks[hash((caller.tenant, named, sent[0].text)) % len(self._locks)]:
            if named:
                chat = self._named(caller, named, user, pack)
                place = recognise.sent_before(self._house.store, chat.id, once) or recognise.find(
                    recognise.log(self._house.store, chat.id, recognise.RECENT), sent
                )
            else:
                chat, place = recognise.by_shape(self._house, caller, sent, pack, once)
            return self._learn(chat, chat.id.removeprefix(caller.prefix), sent, place, once)

    def _before(self, caller: Caller, answer: str | None) -> str | None:
        """The session of an answer that was given before: ids of our own say it themselves, others stand in the log
        beside what was said."""
        if answer is None:
            return None
        held = self._answers.get((caller.tenant, answer)) or responses.session_in(answer)
        return held or recognise.by_answer(self._house.store, caller, f"{CLAIM}{answer}")

    def _working(self, caller: Caller, name: str) -> Told | None:
        """Results of tools alone: nothing was said, but the model is still at the person's last message."""
        chat = self._house.session(caller, name)
        known = recognise.log(self._house.store, chat.id, recognise.RECENT)
        last = next((line for line in reversed(known) if line.role == "person"), None)
        if last is None:
            return None
        replies = tuple(line.text for line in known if line.role == "agent" and line.version > last.version)
        return Told(chat, name, self._again(chat, last.version), replies)

    def _named(self, caller: Caller, id: str, user: str | None, pack: str | None) -> Session:
        try:
            return self._house.session(caller, id)
        except UnknownSession:
            return self._house.open(caller, id, user, None, pack)[0]

    def _learn(self, chat: Session, name: str, sent: list[Line], place: Place, once: str | None) -> Told:
        if place.version:
            return Told(chat, name, self._again(chat, place.version), place.replies, once)
        for line in sent[place.new : -1]:  # what was said where we did not listen
            chat.hear(line.text) if line.role == "person" else chat.say(line.text)
        heard = chat.hear(sent[-1].text, idempotency_key=once)
        self._turns[chat.id, heard.version] = heard
        while len(self._turns) > 256:
            self._turns.popitem(last=False)
        return Told(chat, name, heard, (), once)

    def _again(self, chat: Session, version: int) -> Turn:
        """The turn of a message that was heard before. It is decided again on what was known then."""
        held = self._turns.get((chat.id, version))
        return held if held is not None else again(chat, chat.entry(version))[0]

    # Answering

    async def _built_in(self, told: Told | None, body: dict[str, Any], dialect: Dialect) -> Response:
        """No model is configured: the pack's own agent answers."""
        if told is None:
            raise InvalidInput("there is nothing in these messages to answer; send a user message with text")
        agent = told.chat.pack.agent
        if agent is None:
            raise InvalidInput(f"the pack {told.chat.pack.name} has no agent; start the server with --model")
        replies = list(told.replies)
        if not replies:
            replies = await self._running.work(lambda: _answer(agent, told), slow=True)
            self._running.after_write()
        self._metrics.count("holdfast_proxied_total", 'by="agent"')
        text, model = "\n\n".join(replies), str(body.get("model") or OURS)
        if body.get("stream"):
            streamed = dialect.stream(text, model, told.name)
            return StreamingResponse(streamed, 200, self._about(told), "text/event-stream")
        return _json(dialect.whole(text, model, told.name), headers=self._about(told))

    async def _forward(self, asked: Exchange, warning: str) -> Response:
        told, upstream = asked.told, asked.upstream
        asked = asked._replace(body=dressed(asked.body, told, upstream, asked.dialect))
        headers = self._about(told) | ({"x-holdfast-warning": quote(warning, safe=" ,.:;'")} if warning else {})
        try:
            answer = await self._send(asked, asked.body)
            if answer.status_code != 200 or told is None:
                by = "model" if answer.status_code == 200 else "error"
                self._metrics.count("holdfast_proxied_total", f'by="{by}"')
                return StreamingResponse(_all(answer), answer.status_code, _passed(answer) | headers)
            self._metrics.count("holdfast_proxied_total", 'by="model"')
            streamed = "text/event-stream" in answer.headers.get("content-type", "")
            if streamed and self._settings.on_loop == "warn":
                return StreamingResponse(self._passing(asked, told, answer), 200, _passed(answer) | headers)
            return await self._guarded(asked, told, answer, headers, streamed)
        except httpx2.HTTPError as wrong:
            self._metrics.count("holdfast_proxied_total", 'by="unreachable"')
            return _unreachable(upstream, wrong)

    async def _guarded(
        self, asked: Exchange, told: Told, answer: httpx2.Response, headers: dict[str, str], streamed: bool
    ) -> Response:
        """An answer that may have to be replaced: it can only go out when it is complete."""
        dialect, on_loop = asked.dialect, self._settings.on_loop
        first = heard = await _heard(answer, dialect, streamed)
        verdict = await self._check(told, heard.text)
        if verdict.allowed or heard.calls_tools:  # what it does goes through whole, whatever it says beside
            pass
        elif on_loop == "retry":
            second = await self._send(asked, urged(asked.body, verdict, dialect))
            better = await _heard(second, dialect, streamed)
            if second.status_code == 200 and better.text:
                heard, verdict = better, await self._check(told, better.text)
        elif on_loop == "replace" and verdict.instead:
            heard = _replaced(heard, verdict.instead, dialect, told.name if streamed else None)
        answer_id = self._answered(asked, told, heard.id)
        await self._say(told, heard.text, first.text if heard.text != first.text else "", answer_id)
        return Response(heard.content, 200, _passed(answer) | headers | _flags(verdict))

    async def _passing(self, asked: Exchange, told: Told, answer: httpx2.Response) -> AsyncIterator[bytes]:
        """A stream as it comes. It is learned before its end goes out, so that the next request finds it; and what a
        person saw of it is learned even when they went away before the end."""
        heard = asked.dialect.Listener()
        learned, claimed = False, None
        try:
            async for part in answer.aiter_bytes():
                heard.feed(part)
                if heard.id is not None and not claimed:  # whoever goes away now may come back for it
                    claimed = self._answered(asked, told, heard.id)
                if heard.ended and not learned:
                    await self._say(told, heard.text, answer=self._answered(asked, told, heard.id))
                    learned = True
                yield part
        except httpx2.HTTPError as wrong:
            broken = completions.error(f"the model broke off: {type(wrong).__name__}", "server_error", "broke-off")
            yield asked.dialect.fault(broken)
        finally:
            if not learned:
                asyncio.get_running_loop().run_in_executor(self._running.pool, self._said, told, heard.text)
            await answer.aclose()

    def _answered(self, asked: Exchange, told: Told, id: str | None) -> str | None:
        """Keep at hand to which session an answer belongs: the next request may name the answer alone."""
        if id is None:
            return None
        caller: Caller = asked.request.scope.get("caller", ANYONE)
        self._answers[caller.tenant, id] = told.name
        claims = [f"{CLAIM}{id}", *(f"{CONVERSATION}{name}" for name in (asked.dialect.named(asked.body),) if name)]
        for claim in claims:
            self._running.pool.submit(self._house.store.claim, told.chat.keys["session"], claim)
        while len(self._answers) > ANSWERS:
            self._answers.popitem(last=False)
        return id

    async def _check(self, told: Told, text: str) -> Verdict:
        if not text.strip() or text in told.replies:
            return Verdict((), [])
        try:
            verdict: Verdict = await self._running.work(lambda: told.chat.check(text))
        except InvalidInput:
            return Verdict((), [])
        if not verdict.allowed:
            self._metrics.count("holdfast_flagged_total", f'then="{self._settings.on_loop}"')
        return verdict

    async def _say(self, told: Told, text: str, instead_of: str = "", answer: str | None = None) -> None:
        await self._running.work(lambda: self._said(told, text, instead_of, answer))

    def _said(self, told: Told, text: str, instead_of: str = "", answer: str | None = None) -> None:
        """Learn a reply, once."""
        if not text.strip() or text in told.replies:
            return
        try:
            again = None if told.once is None else f"{told.once}/reply"
            agent = told.turn.route.agent
            told.chat.say(text, agent=agent, instead_of=instead_of, idempotency_key=again, answer=answer)
        except InvalidInput:  # a reply that cannot be kept, or another one to a message sent again, was still a reply
            return
        self._running.after_write()

    # Sending

    def _http(self) -> httpx2.AsyncClient:
        if self._client is None:
            seconds = self._settings.upstream.seconds if self._settings.upstream else 60.0
            self._client = httpx2.AsyncClient(timeout=httpx2.Timeout(seconds, connect=10.0))
        return self._client

    def _headers(self, request: Request, upstream: Upstream) -> dict[str, str]:
        """Our key for the model where there is one; else the client's own, unless that one is a key to us."""
        headers = {"accept-encoding": "identity", "content-type": "application/json"}
        given = request.headers.get("authorization")
        if upstream.key:
            headers["authorization"] = f"Bearer {upstream.key}"
        elif given and not self._settings.keys:
            headers["authorization"] = given
        return headers

    async def _send(self, asked: Exchange, body: dict[str, Any]) -> httpx2.Response:
        at, headers = asked.upstream, self._headers(asked.request, asked.upstream)
        http = self._http()
        made = http.build_request("POST", f"{at.base_url}{asked.dialect.PATH}", content=_encode(body), headers=headers)
        return await http.send(made, stream=True)

    def _about(self, told: Told | None) -> dict[str, str]:
        if told is None:
            return {}
        return {"x-holdfast-session": quote(told.name, safe="@:+~"), "x-holdfast-version": str(told.turn.version)}


def _answer(agent: agents.Agent, told: Told) -> list[str]:
    with nullcontext() if told.once is None else idempotent(told.once):
        return [reply.text for reply in agents.run(agent, told.turn, told.chat)]


def _no_answer(id: str) -> str:
    return f"there is no response {id[:80]!r} of yours; name one that you were given"


def _keepable(text: str) -> bool:
    try:
        accept(text)
    except InvalidInput:
        return False
    return True


def _pack_named(body: dict[str, Any]) -> str | None:
    """The pack in a model's name: `holdfast/vibehuntr`."""
    model = body.get("model")
    return model.removeprefix(f"{OURS}/") if isinstance(model, str) and model.startswith(f"{OURS}/") else None


def dressed(body: dict[str, Any], told: Told | None, upstream: Upstream, dialect: Dialect) -> dict[str, Any]:
    """The request as the model gets it: with what must be known, or, where nothing must, as it was."""
    model = body.get("model")
    named = upstream.named(told.chat.pack if told else None)
    if named and (not isinstance(model, str) or model == OURS or _pack_named(body) is not None):
        body = {**body, "model": named}
    body = body | {field: _harmless(body[field]) for field in {"messages", "input"} & body.keys()}
    if told is None or (not told.turn.context and told.turn.system == told.chat.pack.instructions):
        return body
    return dialect.dress(body, told.turn, told.turn.system)


def _harmless(given: Any) -> Any:
    """What a client sent, without anything that poses as our context line."""
    if isinstance(given, str):
        return brief.disarm(given)
    return recognise.harmless(given) if isinstance(given, list) else given


def urged(body: dict[str, Any], verdict: Verdict, dialect: Dialect) -> dict[str, Any]:
    """The same request, with why the first answer did not go out."""
    why = "; ".join(violation.reason for violation in verdict.violations)
    instead = f" For example: {verdict.instead}" if verdict.instead else ""
    return dialect.urge(body, f"Your answer was not sent, because {why}. Answer in another way.{instead}")


def _decoded(content: bytes) -> Any:
    try:
        return from_json(content)
    except msgspec.DecodeError:
        return None


async def _heard(answer: httpx2.Response, dialect: Dialect, streamed: bool) -> Heard:
    """An answer once all of it is there."""
    content = await answer.aread()
    if streamed:
        listener = dialect.Listener()
        listener.feed(content + b"\n")
        return Heard(content, listener.text, listener.calls_tools, listener.id, listener.model)
    made = _decoded(content)
    return Heard(content, dialect.reply_of(made), dialect.calls_tools(made), dialect.id_of(made))


def _replaced(heard: Heard, text: str, dialect: Dialect, session: str | None) -> Heard:
    """The same answer with other words; as a stream where it belongs to a `session`."""
    if session is None:
        return heard._replace(content=_encode(dialect.replaced(_decoded(heard.content), text)), text=text)
    return heard._replace(content=b"".join(dialect.stream(text, heard.model, session)), text=text)


async def _all(answer: httpx2.Response) -> AsyncIterator[bytes]:
    try:
        async for part in answer.aiter_bytes():
            yield part
    finally:
        await answer.aclose()


def _flags(verdict: Verdict) -> dict[str, str]:
    rules = quote(",".join(violation.rule for violation in verdict.violations), safe=",.")
    return {} if verdict.allowed else {"x-holdfast-flagged": rules}


def _passed(answer: httpx2.Response) -> dict[str, str]:
    return {name: value for name, value in answer.headers.items() if name in PASSED or name.startswith("x-ratelimit-")}


def _unreachable(upstream: Upstream, wrong: Exception) -> Response:
    said = f"the model at {upstream.base_url} cannot be reached ({type(wrong).__name__}); what was said is kept"
    return _json(completions.error(said, "server_error", "upstream-unreachable"), 502)


def _json(body: Any, status: int = 200, headers: dict[str, str] | None = None) -> Response:
    return Response(_encode(body), status, headers, media_type="application/json")
