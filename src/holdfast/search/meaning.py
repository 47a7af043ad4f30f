"""Meaning search without a download: static word vectors that come in a wheel (the extra `meaning`), and the encoder's
understanding of whole texts (the extra `reader`) for those that are among the best already.

Where neither extra is installed, search goes by words alone.
"""

from __future__ import annotations

import logging
from collections import OrderedDict
from collections.abc import Callable, Sequence
from functools import lru_cache
from importlib.util import find_spec
from pathlib import Path
from threading import Lock
from typing import Any

from holdfast.kept import keeps
from holdfast.reading.encoder import ENGLISH, encoder, installed
from holdfast.reading.reader import Reader
from holdfast.reading.text import fold

MAX_TEXT_CHARS = 10_000
"""Characters of a text that are looked at for its meaning."""
MAX_UNDERSTOOD = 100
"""Texts that the encoder reads for a query: it takes some milliseconds for each that it has not met lately."""


def ready() -> bool:
    """Whether the extra is installed."""
    return _model() is not None


Space = Callable[[Sequence[str]], Any]
"""Texts as rows of a matrix: the nearer the directions of two rows, the more alike the texts."""


def encoder_space(reader: Reader) -> Space | None:
    """Texts as the encoder understands them, where its package is installed and has learned it."""
    found = encoder() if installed() else None
    if found is None or not found.understands:
        return None

    def space(texts: Sequence[str]) -> Any:
        spoken = [reader.recogniser.recognise(fold(text), text) or ENGLISH for text in texts]
        return found.meant(list(zip(texts, spoken, strict=True)))

    return space


def similar(queries: Sequence[tuple[str, float]], texts: Sequence[str], space: Space | None = None) -> list[float]:
    """How near each text is to the weighted queries in meaning; 1 is the same."""
    space = space or (STATIC if ready() else None)
    if space is None or not texts:
        return [0.0] * len(texts)
    rows = space([*(query for query, _ in queries), *texts])
    asked = sum(row * weight for row, (_, weight) in zip(rows, queries, strict=False))
    return [float(near) for near in rows[len(queries) :] @ asked]


def closest(queries: Sequence[str], texts: Sequence[str], space: Space) -> list[float]:
    """How near each text is to that of the queries which is nearest to it."""
    if not texts or not queries:
        return [0.0] * len(texts)
    rows = space([*queries, *texts])
    return [float(near) for near in (rows[len(queries) :] @ rows[: len(queries)].T).max(axis=1)]


def vectors_of(texts: Sequence[str]) -> Any:
    """The texts as rows of a matrix. What was met lately is not worked out again."""
    import numpy

    with _one_at_a_time:  # what one thread looks up another must not let go of
        fresh = [text for text in dict.fromkeys(texts) if text not in _seen]
        if fresh:
            for text, vector in zip(fresh, _embedded(fresh), strict=True):
                _seen[text] = vector
        matrix = numpy.array([_seen[text] for text in texts])
        while len(_seen) > KEPT:
            _seen.popitem(last=False)
    return matrix


def _embedded(texts: Sequence[str]) -> Any:
    import numpy

    with numpy.errstate(invalid="ignore", divide="ignore"):  # a text without any word has no direction: all zeros
        return numpy.nan_to_num(_model().embed([text[:MAX_TEXT_CHARS] for text in texts], norm=True))


STATIC: Space = vectors_of


def stacked(known: Any, texts: Sequence[str]) -> Any:
    """A matrix with the rows of more texts under it; None is one without rows."""
    import numpy

    if not texts:
        return known
    fresh = _embedded(texts)
    return fresh if known is None else numpy.vstack((known, fresh))


KEPT = 20_000
_one_at_a_time = Lock()


class _Seen(OrderedDict[str, Any]):
    """Vectors by their texts."""

    def cache_clear(self) -> None:
        with _one_at_a_time:
            self.clear()


_seen = _Seen()
keeps(_seen)


@lru_cache(maxsize=1)
def _model() -> Any:
    spec = find_spec("wordllama")
    if spec is None or spec.origin is None:
        return None
    root = logging.getLogger()
    level, handlers = root.level, list(root.handlers)
    from wordllama import WordLlama  # not in the core: only where the extra is

    # Its loader looks for the tokenizer in a cache folder: its own package folder has it.
    model = WordLlama.load(cache_dir=Path(spec.origin).parent, disable_download=True)
    root.setLevel(level)  # it configures the logging of the whole program when it is imported
    root.handlers[:] = handlers
    return model
