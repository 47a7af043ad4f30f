"""What the reading makes of writers that it was not taught by.

Of messages that it learned from the reading is righter, and far surer, than it ever is of others; a scorer that learned
from such readings trusts them too much. So the reading is fitted twice more, each time on every other writer
(`training.fit`), and whoever learns from readings has each writer read by the model of the other half.
"""

from __future__ import annotations

from functools import cache
from pathlib import Path

from holdfast.reading.model import clauses
from training.corpus import writers

HOME = Path(__file__).parent.parent / "build/halves"


@cache
def _places() -> dict[str, int]:
    return {name: place for place, name in enumerate(writers("train"))}


def half(name: str) -> int | None:
    """The half that a writer is in; None for those that nothing is taught by."""
    place = _places().get(name)
    return None if place is None else place % 2


def model(half: int) -> Path:
    """The file of the reading that one half of the writers taught."""
    return HOME / f"talk{half}.bin"


@cache
def _reading(half: int | None) -> clauses.Model:
    if half is None:
        return clauses.Model()
    if not model(half).exists():
        raise SystemExit(f"{model(half)} is missing: run python -m training.fit first")
    return clauses.Model(str(model(half)))


def read_as_unknown(name: str) -> None:
    """Have this process read as the model does that a writer did not teach."""
    known = half(name)
    clauses._MODEL = _reading(None if known is None else 1 - known)
