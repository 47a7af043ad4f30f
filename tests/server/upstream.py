"""A small upstream that speaks the protocol of chat completions: it says what a test tells it to, and keeps what it
was asked."""

from __future__ import annotations

import asyncio
import json
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import uvicorn
from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import JSONResponse, Response, StreamingResponse
from starlette.routing import Route

from holdfast.server.serving import bind
from holdfast.server.settings import Settings
from tests.server.running import until

CALL = {"id": "call_1", "type": "function", "function": {"name": "look", "arguments": '{"at":"it"}'}}


class Upstream:
    """`replies` are given one after another; the last one again and again. A number is an error of that status, a dict
    is a whole message."""

    def __init__(self) -> None:
        self.replies: list[Any] = ["All right."]
        self.asked: list[dict[str, Any]] = []
        self.headers: list[dict[str, str]] = []
        self.kept: dict[str, dict[str, Any]] = {}
        self._held = False

    def hold(self) -> None:
        """Take questions in, and answer none until `release`."""
        self._held = True

    def release(self) -> None:
        self._held = False

    async def complete(self, request: Request) -> Response:
        body = await request.json()
        self.asked.append(body)
        self.headers.append(dict(request.headers))
        while self._held:
            await asyncio.sleep(0.01)
        reply = self.replies.pop(0) if len(self.replies) > 1 else self.replies[0]
        if isinstance(reply, int):
            error = {"error": {"message": "slow down", "type": "rate_limit", "param": None, "code": "limit"}}
            return JSONResponse(error, reply, {"retry-after": "7", "x-request-id": "up-1"})
        message = reply if isinstance(reply, dict) else {"role": "assistant", "content": reply}
        if body.get("stream"):
            return StreamingResponse(_chunks(message, body["model"]), media_type="text/event-stream")
        finish = "tool_calls" if "tool_calls" in message else "stop"
        choice = {"index": 0, "message": message, "finish_reason": finish, "logprobs": None}
        usage = {"prompt_tokens": 3, "completion_tokens": 4, "total_tokens": 7}
        whole = {"id": "up-2", "object": "chat.completion", "created": 1, "model": body["model"], "choices": [choice]}
        return JSONResponse({**whole, "usage": usage, "odd_field": [1, 2]})

    async def models(self, request: Request) -> Response:
        return JSONResponse(
            {"object": "list", "data": [{"id": "big", "object": "model", "created": 1, "owned_by": "x"}]}
        )

    async def respond(self, request: Request) -> Response:
        """Responses, as the protocol has them: an answer is kept, and the next request may go on from its id."""
        body = await request.json()
        self.asked.append(body)
        self.headers.append(dict(request.headers))
        if (before := body.get("previous_response_id")) and before not in self.kept:
            error = {"message": f"no response {before}", "type": "invalid_request_error", "param": None, "code": "gone"}
            return JSONResponse({"error": error}, 404)
        reply = self.replies.pop(0) if len(self.replies) > 1 else self.replies[0]
        if isinstance(reply, int):
            return JSONResponse({"error": {"message": "slow down", "type": "rate_limit", "code": "limit"}}, reply)
        id = f"resp_up{len(self.kept)}"
        item = reply if isinstance(reply, dict) else _message(reply)
        whole = {**_RESPONSE, "id": id, "model": body["model"], "output": [item]}
        self.kept[id] = whole
        if body.get("stream"):
            return StreamingResponse(_events(whole), media_type="text/event-stream")
        return JSONResponse({**whole, "odd_field": [1, 2]})

    async def kept_response(self, request: Request) -> Response:
        return JSONResponse(self.kept[request.path_params["id"]])

    async def embed(self, request: Request) -> Response:
        body = await request.json()
        self.asked.append(body)
        self.headers.append(dict(request.headers))
        data = [{"object": "embedding", "index": 0, "embedding": [0.25, 0.5]}]
        usage = {"prompt_tokens": 1, "total_tokens": 1}
        return JSONResponse({"object": "list", "data": data, "model": body["model"], "usage": usage})


def _message(text: str) -> dict[str, Any]:
    part = {"type": "output_text", "text": text, "annotations": []}
    return {"type": "message", "id": "msg_1", "status": "completed", "role": "assistant", "content": [part]}


_RESPONSE: dict[str, Any] = {
    "object": "response",
    "created_at": 1,
    "status": "completed",
    "error": None,
    "incomplete_details": None,
    "instructions": None,
    "metadata": {},
    "parallel_tool_calls": True,
    "temperature": 1.0,
    "tool_choice": "auto",
    "tools": [],
    "top_p": 1.0,
}


def _events(whole: dict[str, Any]) -> Iterator[bytes]:
    item = whole["output"][0]
    begun = {**whole, "status": "in_progress", "output": []}
    told: list[dict[str, Any]] = [{"type": "response.created", "response": begun}]
    told.append({"type": "response.output_item.added", "output_index": 0, "item": {**item, "status": "in_progress"}})
    place = {"item_id": item.get("id"), "output_index": 0, "content_index": 0}
    words = item["content"][0]["text"].split(" ") if item["type"] == "message" else []
    for number, word in enumerate(words):
        delta = f" {word}" if number else word
        told.append({"type": "response.output_text.delta", **place, "delta": delta, "logprobs": []})
    told.append({"type": "response.output_item.done", "output_index": 0, "item": item})
    told.append({"type": "response.completed", "response": whole})
    for number, each in enumerate(told):
        yield f"event: {each['type']}\ndata: {json.dumps({**each, 'sequence_number': number})}\n\n".encode()


def _chunks(message: dict[str, Any], model: str) -> Iterator[bytes]:
    head = {"id": "up-3", "object": "chat.completion.chunk", "created": 1, "model": model}
    deltas: list[dict[str, Any]] = [{"role": "assistant", "content": ""}]
    deltas += [{"content": word} for word in (message.get("content") or "").split(" ") if word]
    for place in range(2, len(deltas)):
        deltas[place]["content"] = " " + deltas[place]["content"]
    deltas += [{"tool_calls": [{**call, "index": n}]} for n, call in enumerate(message.get("tool_calls", ()))]
    for delta in deltas:
        choice = {"index": 0, "delta": delta, "finish_reason": None}
        yield b"data: " + json.dumps({**head, "choices": [choice]}).encode() + b"\n\n"
    yield b"data: " + json.dumps({**head, "choices": [{"index": 0, "delta": {}, "finish_reason": "stop"}]}).encode()
    yield b"\n\ndata: [DONE]\n\n"


@contextmanager
def upstream() -> Iterator[tuple[str, Upstream]]:
    """The address of an upstream and the upstream itself."""
    made = Upstream()
    app = Starlette(
        routes=[
            Route("/v1/chat/completions", made.complete, methods=["POST"]),
            Route("/v1/responses", made.respond, methods=["POST"]),
            Route("/v1/responses/{id}", made.kept_response),
            Route("/v1/embeddings", made.embed, methods=["POST"]),
            Route("/v1/models", made.models),
        ]
    )
    taken = bind(Settings(port=0))
    server = uvicorn.Server(uvicorn.Config(app, log_level="error", access_log=False))
    thread = threading.Thread(target=server.run, args=([taken],), daemon=True)
    thread.start()
    until(lambda: server.started)
    try:
        yield f"http://127.0.0.1:{taken.getsockname()[1]}/v1", made
    finally:
        server.should_exit = True
        thread.join(10)
