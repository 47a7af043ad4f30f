"""Meaning search without a download: static word vectors that come in a wheel (the extra `meaning`).

Where the extra is not installed, search goes by words alone.
"""

from __future__ import annotations

import logging
from collections.abc import Sequence
from functools import lru_cache
from importlib.util import find_spec
from pathlib import Path
from typing import Any


def ready() -> bool:
    """Whether the extra is installed."""
    return _model() is not None


def similar(queries: Sequence[tuple[str, float]], texts: Sequence[str]) -> list[float]:
    """How near each text is to the weighted queries in meaning; 1 is the same."""
    model = _model()
    if model is None or not texts:
        return [0.0] * len(texts)
    vectors = model.embed([query for query, _ in queries], norm=True)
    asked = sum(vector * weight for vector, (_, weight) in zip(vectors, queries, strict=True))
    return [0.0 if near != near else float(near) for near in vectors_of(texts) @ asked]  # noqa: PLR0124 - not a number


def vectors_of(texts: Sequence[str]) -> Any:
    """The texts as rows of a matrix."""
    return _model().embed(list(texts), norm=True)


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
