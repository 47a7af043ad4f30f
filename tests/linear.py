"""Whether work stays linear in its text, told by a ratio and not by a clock: machines are shared and noisy."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator

NOTHING = 0.002
"""Seconds below which a cost is noise."""


def stays_linear(work: Callable[[str], object], piece: str, length: int = 8_000) -> None:
    """Eight times the text may cost eight times the time, with room for noise, and never its square (64 times)."""
    bound = 30 * max(cost(work, piece, length), NOTHING)
    assert any(seconds < bound for seconds in _costs(work, piece, 8 * length))  # one that was not disturbed is enough


def cost(work: Callable[[str], object], piece: str, length: int) -> float:
    """The best of three."""
    return min(_costs(work, piece, length))


def _costs(work: Callable[[str], object], piece: str, length: int) -> Iterator[float]:
    """The seconds of three runs. The texts differ at their end, since what was just read is not read again."""
    text = (piece * (length // len(piece) + 1))[: length - 1]
    for last in "abc":
        start = time.process_time()
        work(text + last)
        yield time.process_time() - start
