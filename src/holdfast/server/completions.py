"""The shapes of OpenAI's chat completions: reading them as they pass, and making them where no model is behind."""

from __future__ import annotations

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

PATH = "/chat/completions"
_encode = msgspec.json.Encoder().encode


def messages(body: dict[str, Any]) -> list[dict[str, Any]]:
    """What was said, as a list of messages with a role and a content."""
    given = body.get("messages")
    if not isinstance(given, list) or not given:
        raise InvalidInput("a completion needs a list of messages")
    if not all(isinstance(message, dict) for message in given):
        raise InvalidInput("every message must be an object with a role and a content")
    return given


def named(body: dict[str, Any]) -> str | None:
    """The conversation that a request names: completions have no field for that."""
    return None


def follows(body: dict[str, Any]) -> str | None:
    """Id of the answer that a request goes on from: completions bring their whole history."""
    return None


def dress(body: dict[str, Any], turn: Turn, system: str) -> dict[str, Any]:
    """The request with what must be known: the context in the newest message, the rest in the system message."""
    given = list(messages(body))
    newest = max(n for n, m in enumerate(given) if m.get("role") == "user" and words(m.get("content")).strip())
    given[newest] = {**given[newest], "content": _with(given[newest]["content"], turn)}
    if system:
        first = given[0]
        if first.get("role") in ("system", "developer") and isinstance(first.get("content"), str):
            given[0] = {**first, "content": f"{first['content']}\n\n{system}"}
        else:
            given.insert(0, {"role": "system", "content": system})
    return {**body, "messages": given}


def _with(content: Any, heard: Turn) -> Any:
    if isinstance(content, str):
        return heard.prompt
    return [{"type": "text", "text": heard.context}, *content] if heard.context else content


def urge(body: dict[str, Any], note: str) -> dict[str, Any]:
    """The same request, with a word on what must be otherwise."""
    return {**body, "messages": [*messages(body), {"role": "system", "content": note}]}


def id_of(body: Any) -> str | None:
    """Nobody goes on from the id of a completion."""
    return None


def reply_of(body: Any) -> str:
    """What the first choice of a completion says; nothing where it only calls tools."""
    content = _first_message(body).get("content")
    return content if isinstance(content, str) else ""


def calls_tools(body: Any) -> bool:
    """Whether the first choice of a completion calls tools."""
    return bool(_first_message(body).get("tool_calls"))


def _first_message(body: Any) -> dict[str, Any]:
    try:
        found = body["choices"][0]["message"]
    except (KeyError, IndexError, TypeError):
        return {}
    return found if isinstance(found, dict) else {}


class Listener(dialect.Listener):
    """Hears a streamed completion as its bytes pass by."""

    def _take(self, data: bytes) -> None:
        self.ended = self.ended or data == b"[DONE]"
        try:
            chunk = from_json(data)
            delta = chunk["choices"][0]["delta"].get("content")
            index = chunk["choices"][0].get("index", 0)
            self.calls_tools = self.calls_tools or bool(chunk["choices"][0]["delta"].get("tool_calls"))
        except (msgspec.DecodeError, KeyError, IndexError, TypeError, AttributeError):
            return  # "[DONE]", usage: nothing that was said
        self.model = chunk.get("model") or self.model
        if isinstance(delta, str) and index == 0:
            self._parts.append(delta)


def whole(text: str, model: str, session: str = "") -> dict[str, Any]:
    choice = {"index": 0, "message": {"role": "assistant", "content": text}, "finish_reason": "stop", "logprobs": None}
    return {
        "id": f"chatcmpl-{uuid.uuid4().hex[:24]}",
        "object": "chat.completion",
        "created": int(time.time()),
        "model": model,
        "choices": [choice],
        "usage": {"prompt_tokens": 0, "completion_tokens": 0, "total_tokens": 0},
    }


def stream(text: str, model: str, session: str = "") -> Iterator[bytes]:
    """The same as a stream."""
    head = {"id": f"chatcmpl-{uuid.uuid4().hex[:24]}", "object": "chat.completion.chunk", "created": int(time.time())}

    def chunk(delta: dict[str, str], finish: str | None = None) -> bytes:
        choice = {"index": 0, "delta": delta, "finish_reason": finish, "logprobs": None}
        return b"data: " + _encode({**head, "model": model, "choices": [choice]}) + b"\n\n"

    yield chunk({"role": "assistant", "content": ""})
    yield chunk({"content": text})
    yield chunk({}, "stop")
    yield b"data: [DONE]\n\n"


def replaced(body: Any, text: str) -> Any:
    """A completion with other words in its first choice."""
    first, *rest = body["choices"]
    message = {**first["message"], "content": text}
    return {**body, "choices": [{**first, "message": message}, *rest]}


def fault(problem: dict[str, Any]) -> bytes:
    """What ends a stream that broke off."""
    return b"data: " + _encode(problem) + b"\n\n"


def error(message: str, kind: str, code: str) -> dict[str, Any]:
    return {"error": {"message": message, "type": kind, "param": None, "code": code}}
