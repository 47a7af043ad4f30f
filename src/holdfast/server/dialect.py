"""What the proxy asks of a way to talk to a model: `completions.py` and `responses.py` are the two there are."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, Protocol

from holdfast.turn import Turn


class Heard(Protocol):
    """A streamed answer, heard as its bytes pass by."""

    model: str
    id: str | None
    calls_tools: bool
    ended: bool
    """Whether the mark that ends a stream has passed."""

    def feed(self, data: bytes) -> None: ...

    @property
    def text(self) -> str: ...


class _Listens(Protocol):
    def __call__(self) -> Heard: ...


class Dialect(Protocol):
    """A module with these names."""

    @property
    def PATH(self) -> str: ...  # noqa: N802  a constant of the module

    @property
    def Listener(self) -> _Listens: ...  # noqa: N802  a class of the module

    def messages(self, body: dict[str, Any]) -> list[dict[str, Any]]: ...
    def named(self, body: dict[str, Any]) -> str | None: ...
    def follows(self, body: dict[str, Any]) -> str | None: ...
    def dress(self, body: dict[str, Any], turn: Turn, system: str) -> dict[str, Any]: ...
    def urge(self, body: dict[str, Any], note: str) -> dict[str, Any]: ...
    def reply_of(self, body: Any) -> str: ...
    def calls_tools(self, body: Any) -> bool: ...
    def id_of(self, body: Any) -> str | None: ...
    def replaced(self, body: Any, text: str) -> Any: ...
    def whole(self, text: str, model: str, session: str = "") -> dict[str, Any]: ...
    def stream(self, text: str, model: str, session: str = "") -> Iterator[bytes]: ...
    def fault(self, problem: dict[str, Any]) -> bytes: ...
