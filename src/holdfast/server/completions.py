"""The shapes of OpenAI's chat completions: reading them as they pass, and making them where no model is behind."""

from __future__ import annotations

import time
import uuid
from collections.abc import Iterator
from typing import Any

import msgspec

_encode = msgspec.json.Encoder().encode


def reply_of(body: Any) -> str:
    """What the first choice of a completion says; nothing where it only calls tools."""
    try:
        content = body["choices"][0]["message"].get("content")
    except (KeyError, IndexError, TypeError, AttributeError):
        return ""
    return content if isinstance(content, str) else ""


def calls_tools(body: Any) -> bool:
    """Whether the first choice of a completion calls tools."""
    try:
        return bool(body["choices"][0]["message"].get("tool_calls"))
    except (KeyError, IndexError, TypeError, AttributeError):
        return False


class Listener:
    """Hears a streamed completion as its bytes pass by."""

    def __init__(self) -> None:
        self._rest = b""
        self._parts: list[str] = []
        self.model = ""
        self.calls_tools = False
        self.ended = False
        """Whether the mark that ends a stream has passed."""

    def feed(self, data: bytes) -> None:
        *lines, self._rest = (self._rest + data).split(b"\n")
        for line in lines:
            if line.startswith(b"data:"):
                self._take(line[5:].strip())

    def _take(self, data: bytes) -> None:
        self.ended = self.ended or data == b"[DONE]"
        try:
            chunk = msgspec.json.decode(data)
            delta = chunk["choices"][0]["delta"].get("content")
            index = chunk["choices"][0].get("index", 0)
            self.calls_tools = self.calls_tools or bool(chunk["choices"][0]["delta"].get("tool_calls"))
        except (msgspec.DecodeError, KeyError, IndexError, TypeError, AttributeError):
            return  # "[DONE]", usage: nothing that was said
        self.model = chunk.get("model") or self.model
        if isinstance(delta, str) and index == 0:
            self._parts.append(delta)

    @property
    def text(self) -> str:
        return "".join(self._parts)


def completion(text: str, model: str) -> dict[str, Any]:
    """A whole completion."""
    choice = {"index": 0, "message": {"role": "assistant", "content": text}, "finish_reason": "stop", "logprobs": None}
    return {
        "id": f"chatcmpl-{uuid.uuid4().hex[:24]}",
        "object": "chat.completion",
        "created": int(time.time()),
        "model": model,
        "choices": [choice],
        "usage": {"prompt_tokens": 0, "completion_tokens": 0, "total_tokens": 0},
    }


def chunks(text: str, model: str) -> Iterator[bytes]:
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


def error(message: str, kind: str, code: str) -> dict[str, Any]:
    return {"error": {"message": message, "type": kind, "param": None, "code": code}}
