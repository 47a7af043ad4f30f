"""Histories by seed, each held against a model: nothing acknowledged is lost, nothing is doubled, order is kept, what
is erased stays erased, and the state is the fold of the log.

Every run takes other seeds, `make sweep` thousands on all processors; HOLDFAST_SEEDS=from-to runs chosen ones. A seed
that fails once is added to `FAILED`. No disk is waited for where memory can hold the files: what a power cut leaves is
looked at elsewhere."""

from __future__ import annotations

import os
import random
import tempfile
from collections.abc import Iterator
from pathlib import Path

import pytest

from holdfast import session
from holdfast.stores import erasing
from holdfast.stores.steps import Steps
from tests.stores.world import World

FAILED: tuple[int, ...] = ()
MEMORY = "/dev/shm"


def seeds(first: int, count: int) -> range:
    if chosen := os.environ.get("HOLDFAST_SEEDS"):
        begin, _, end = chosen.partition("-")
        return range(int(begin), int(end))
    first += 0 if os.environ.get("CI") else random.randrange(1 << 20)
    return range(first, first + count)


@pytest.fixture(autouse=True)
def often(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(session, "SNAPSHOT_EVERY", 3)
    monkeypatch.setattr(session, "IN_TURN", 3)
    monkeypatch.setattr(Steps, "_later", lambda self: None)  # the world takes the steps
    for name, few in (("ROWS", 2), ("SLICE", 0.0), ("PAGES", 4)):
        monkeypatch.setattr(erasing, name, few)


@pytest.fixture
def folder() -> Iterator[Path]:
    with tempfile.TemporaryDirectory(dir=MEMORY if os.access(MEMORY, os.W_OK) else None) as made:
        yield Path(made)


@pytest.mark.parametrize(
    ("first", "count"), [(0, 40), *(pytest.param(500 * part, 500, marks=pytest.mark.sweep) for part in range(8))]
)
def test_every_history_holds(folder: Path, first: int, count: int) -> None:
    for seed in (*FAILED, *seeds(first, count)):
        try:
            World(seed, folder).run()
        except Exception as wrong:
            raise AssertionError(f"the history of seed {seed} does not hold") from wrong
