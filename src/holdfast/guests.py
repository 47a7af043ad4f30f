"""Where somebody else's code runs (a faculty, a pack file, an agent, a model, a tokenizer), and at a door, where a
fault of ours must not bring down the program of whoever called. Every other place catches the errors that it knows:
`tests/house/test_house.py` keeps it so."""

from __future__ import annotations

from collections.abc import Callable
from types import TracebackType


class Contained:
    """Whatever is raised inside is handed to `fault`, and the program goes on after the block:

        with Contained(failures.append):
            faculty.hear(draft)

    What `fault` raises goes out in its place. Errors of the kinds in `passing` are let through."""

    __slots__ = ("_fault", "_passing")

    def __init__(self, fault: Callable[[Exception], object], *passing: type[Exception]) -> None:
        self._fault = fault
        self._passing = passing

    def __enter__(self) -> None:
        return None

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> bool:
        if not isinstance(error, Exception) or isinstance(error, self._passing):
            return False
        self._fault(error)
        return True
