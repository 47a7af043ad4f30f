"""What a process keeps of people's words in order to be quick. All of it goes when words are erased.

Whatever remembers by a text, a word or a value that somebody said is made with `kept`, or is told of to `keeps`.
Plain `lru_cache` is for what is made of our own tables.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from functools import _lru_cache_wrapper, lru_cache
from threading import Lock
from typing import Any, Protocol, TypeVar
from weakref import WeakValueDictionary


class Keeper(Protocol):
    """Something that keeps words and can let go of them."""

    def cache_clear(self) -> None: ...


Result = TypeVar("Result")
_keepers: WeakValueDictionary[int, Any] = WeakValueDictionary()
_lock = Lock()


def kept(most: int) -> Callable[[Callable[..., Result]], _lru_cache_wrapper[Result]]:
    """`lru_cache` for a function that is given words of people."""

    def keep(function: Callable[..., Result]) -> _lru_cache_wrapper[Result]:
        made = lru_cache(most)(function)
        keeps(made)
        return made

    return keep


def keeps(keeper: Keeper) -> None:
    """Remember, as long as it lives, that something keeps words."""
    with _lock:
        _keepers[id(keeper)] = keeper


def let_go() -> None:
    """Let go of every word that is kept: some of them were erased, and nobody knows which."""
    with _lock:
        keepers = list(_keepers.values())
    for keeper in keepers:
        keeper.cache_clear()
    re.purge()  # patterns that were made of somebody's words
