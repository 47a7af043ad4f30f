"""Hearing what an upstream streams while its bytes pass by. Each kind of answer says what its pieces mean."""

from __future__ import annotations


class Listener:
    """Takes a stream apart into its data lines; `_take` is given each."""

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
