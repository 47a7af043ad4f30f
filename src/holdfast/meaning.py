"""Meaning search without a download: static word vectors that come in a wheel (the extra `meaning`).

Where the extra is not installed, search goes by words alone.
"""

from __future__ import annotations

import logging
from functools import lru_cache
from importlib.util import find_spec
from pathlib import Path
from typing import Any


def ready() -> bool:
    """Whether the extra is installed."""
    return _model() is not None


def similar(query: str, texts: list[str]) -> list[float]:
    """How near each text is to the query in meaning, from -1 to 1."""
    model = _model()
    if model is None or not texts:
        return [0.0] * len(texts)
    vectors = model.embed([query, *texts], norm=True)
    return [float(near) for near in vectors[1:] @ vectors[0]]


@lru_cache(maxsize=1)
def _model() -> Any:
    spec = find_spec("wordllama")
    if spec is None or spec.origin is None:
        return None
    root = logging.getLogger()
    level, handlers = root.level, list(root.handlers)
    from wordllama import WordLlama  # not in the core: only where the extra is

    # It configures the logging of the whole program when imported: put that back. And its loader looks for the tokenizer in a cache folder: its own package folder has it.
    model = WordLlama.load(cache_dir=Path(spec.origin).parent, disable_download=True)
    root.setLevel(level)
    root.handlers[:] = handlers
    return model
