"""The shapes of OpenAI's responses: the same part in the proxy as `completions.py` has for chat completions."""

from __future__ import annotations

import base64
import time
import uuid
from collections.abc import Iterator
from typing import Any

import msgspec

from holdfast.accepting import from_json
from holdfast.errors import InvalidInput
from holdfast.server import dialect
from holdfast.server.recognise import words
from holdfast.turn import Turn

PATH = "/responses"
OWN = "resp_hf"
"""How ids of answers begin that no model made: they say themselves to which session they belong."""
QUIET = ("message", "reasoning")
"""Items of an answer that call nothing."""
ENDS = ("response.completed", "response.incomplete", "response.failed", "error")
_encode = msgspec.json.Encoder().encode


def messages(body: dict[str, Any]) -> list[dict[str, Any]]:
    """What was said, as a list of messages with a role and a content."""
    given = body.get("input")
    if isinstance(given, str):
        return [{"role": "user", "content": given}]
    if not isinstance(given, list) or not given or not all(isinstance(item, dict) for item in given):
        raise InvalidInput("a response needs an input: a text, or a list of messages with a role and a content")
    return given


def named(body: dict[str, Any]) -> str | None:
    """The conversation that a request names, where it names one."""
    given = body.get("conversation")
    found = given.get("id") if isinstance(given, dict) else given
    return found if isinstance(found, str) and found else None


def follows(body: dict[str, Any]) -> str | None:
    """Id of the answer that a request goes on from."""
    found = body.get("previous_response_id")
    return found if isinstance(found, str) and found else None


def session_in(id: str) -> str | None:
    """The session that an id of our own names."""
    own, _, rest = id.partition("-")
    if own != OWN:
        return None
    try:
        return base64.urlsafe_b64decode(rest.split(".")[0].encode()).decode() or None
    except (ValueError, UnicodeError):
        return None


def dress(body: dict[str, Any], turn: Turn, system: str) -> dict[str, Any]:
    """The request with what must be known: the context in the newest message, the rest in the instructions."""
    given = messages(body)
    newest = max((n for n, item in enumerate(given) if _said(item)), default=None)
    if newest is not None and isinstance(body["input"], str):
        body = {**body, "input": turn.prompt}
    elif newest is not None and turn.context:
        item = given[newest]
        body = {**body, "input": [*given[:newest], _with_context(item, turn), *given[newest + 1 :]]}
    if not system:
        return body
    told = body.get("instructions")
    return {**body, "instructions": f"{told}\n\n{system}" if isinstance(told, str) and told else system}


def _with_context(item: dict[str, Any], turn: Turn) -> dict[str, Any]:
    content, part = item["content"], {"type": "input_text", "text": turn.context}
    return {**item, "content": turn.prompt if isinstance(content, str) else [part, *content]}


def _said(item: dict[str, Any]) -> bool:
    return item.get("role") == "user" and bool(words(item.get("content")).strip())


def urge(body: dict[str, Any], note: str) -> dict[str, Any]:
    """The same request, with a word on what must be otherwise."""
    return {**body, "input": [*messages(body), {"role": "developer", "content": note}]}


def reply_of(body: Any) -> str:
    """What an answer says; nothing where it only calls tools."""
    return "\n".join(text for item in _items(body) if item.get("type") == "message" and (text := _text(item)))


def calls_tools(body: Any) -> bool:
    return any(item.get("type") not in QUIET for item in _items(body))


def id_of(body: Any) -> str | None:
    found = body.get("id") if isinstance(body, dict) else None
    return found if isinstance(found, str) else None


def _items(body: Any) -> list[dict[str, Any]]:
    found = body.get("output") if isinstance(body, dict) else None
    return [item for item in found if isinstance(item, dict)] if isinstance(found, list) else []


def _text(item: dict[str, Any]) -> str:
    parts = item.get("content")
    texts = [part.get("text") for part in parts if isinstance(part, dict)] if isinstance(parts, list) else []
    return "".join(text for text in texts if isinstance(text, str))


def replaced(body: Any, text: str) -> Any:
    """An answer with other words."""
    said = {"type": "output_text", "text": text, "annotations": []}
    first = next((item for item in _items(body) if item.get("type") == "message"), None)
    output = [{**item, "content": [said]} if item is first else item for item in _items(body)]
    return {**body, "output": output}


class Listener(dialect.Listener):
    """Hears a streamed answer as its bytes pass by."""

    def _take(self, data: bytes) -> None:
        try:
            told = from_json(data)
        except msgspec.DecodeError:
            return
        if isinstance(told, dict):
            self._hear(told)

    def _hear(self, told: dict[str, Any]) -> None:
        kind, whole, item, delta = (told.get(part) for part in ("type", "response", "item", "delta"))
        if isinstance(whole, dict):
            self.id, self.model = id_of(whole) or self.id, str(whole.get("model") or self.model)
        if kind == "response.output_text.delta" and isinstance(delta, str):
            self._parts.append(delta)
        elif kind == "response.output_item.added" and isinstance(item, dict):
            self.calls_tools |= item.get("type") not in QUIET
        self.ended |= kind in ENDS


def whole(text: str, model: str, session: str = "") -> dict[str, Any]:
    mark = base64.urlsafe_b64encode(session.encode()).decode()
    said = {"type": "output_text", "text": text, "annotations": [], "logprobs": []}
    message = {
        "type": "message",
        "id": f"msg_{uuid.uuid4().hex[:24]}",
        "status": "completed",
        "role": "assistant",
        "content": [said],
    }
    usage = {
        "input_tokens": 0,
        "input_tokens_details": {"cached_tokens": 0},
        "output_tokens": 0,
        "output_tokens_details": {"reasoning_tokens": 0},
        "total_tokens": 0,
    }
    return {
        "id": f"{OWN}-{mark}.{uuid.uuid4().hex[:12]}",
        "object": "response",
        "created_at": int(time.time()),
        "status": "completed",
        "error": None,
        "incomplete_details": None,
        "instructions": None,
        "metadata": {},
        "model": model,
        "output": [message],
        "parallel_tool_calls": True,
        "temperature": None,
        "tool_choice": "auto",
        "tools": [],
        "top_p": None,
        "usage": usage,
    }


def stream(text: str, model: str, session: str = "") -> Iterator[bytes]:
    """The same as a stream."""
    made = whole(text, model, session)
    message = made["output"][0]
    part = message["content"][0]
    begun = {**made, "status": "in_progress", "output": [], "usage": None}
    empty = {**message, "status": "in_progress", "content": []}
    place = {"item_id": message["id"], "output_index": 0, "content_index": 0}
    steps: list[tuple[str, dict[str, Any]]] = [
        ("response.created", {"response": begun}),
        ("response.in_progress", {"response": begun}),
        ("response.output_item.added", {"output_index": 0, "item": empty}),
        ("response.content_part.added", {**place, "part": {**part, "text": ""}}),
        ("response.output_text.delta", {**place, "delta": text, "logprobs": []}),
        ("response.output_text.done", {**place, "text": text, "logprobs": []}),
        ("response.content_part.done", {**place, "part": part}),
        ("response.output_item.done", {"output_index": 0, "item": message}),
        ("response.completed", {"response": made}),
    ]
    for number, (kind, fields) in enumerate(steps):
        yield b"event: %s\ndata: %s\n\n" % (kind.encode(), _encode({"type": kind, "sequence_number": number, **fields}))


def fault(problem: dict[str, Any]) -> bytes:
    """What ends a stream that broke off."""
    told = problem["error"]
    body = {"type": "error", "code": told["code"], "message": told["message"], "param": None, "sequence_number": 0}
    return b"event: error\ndata: " + _encode(body) + b"\n\n"
