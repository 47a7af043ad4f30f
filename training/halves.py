"""What the reading makes of writers that it was not taught by.

Of messages that it learned from the reading is righter, and far surer, than it ever is of others; a scorer that learned
from such readings trusts them too much. So what a clause does is fitted twice more, each time on every other writer,
and the scorers of values learn from what the model of the other half reads (`training.fit`).
"""

from __future__ import annotations

from functools import cache
from pathlib import Path

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
