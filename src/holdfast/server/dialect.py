"""What the proxy asks of a way to talk to a model: `completions.py` and `responses.py` are the two there are."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, Protocol

from holdfast.turn import Turn


class Listener:
    """Hears what an upstream streams while its bytes pass by: takes it apart into its data lines, and `_take` is given
    each. Each kind of answer says what its pieces mean."""

    def __init__(self) -> None:
        self._rest = b""
        self._parts: list[str] = []
        self.model = ""
        self.id: str | None = None
        self.calls_tools = False
        self.ended = False
        """Whether the mark that ends a stream has passed."""

    def feed(self, data: bytes) -> None:
        *lines, self._rest = (self._rest + data).split(b"\n")
        for line in lines:
            if line.startswith(b"data:"):
                self._take(line[5:].strip())

    def _take(self, data: bytes) -> None:
        raise NotImplementedError

    @property
    def text(self) -> str:
        return "".join(self._parts)


class Dialect(Protocol):
    """A module with these names."""

    @property
    def PATH(self) -> str: ...  # noqa: N802  a constant of the module

    @property
    def Listener(self) -> type[Listener]: ...  # noqa: N802  a class of the module

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
