"""Histories by seed, each held against a model: nothing acknowledged is lost, nothing is doubled, order is kept, what
is erased stays erased, and the state is the fold of the log.

HOLDFAST_SEEDS=from-to runs others; a seed that fails once is added to `FAILED`."""

from __future__ import annotations

import os
import tempfile
from pathlib import Path

import pytest

from holdfast import session
from tests.stores.world import World

FAILED: tuple[int, ...] = ()


def seeds() -> range:
    first, _, last = os.environ.get("HOLDFAST_SEEDS", "0-150").partition("-")
    return range(int(first), int(last))


@pytest.fixture(autouse=True)
def often(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(session, "SNAPSHOT_EVERY", 3)
    monkeypatch.setattr(session, "IN_TURN", 3)


def test_every_history_holds() -> None:
    memory = "/dev/shm" if os.path.isdir("/dev/shm") else None  # the disk itself is not what is looked at here
    with tempfile.TemporaryDirectory(dir=memory) as folder:
        for seed in (*FAILED, *seeds()):
            try:
                World(seed, Path(folder)).run()
            except Exception as wrong:
                raise AssertionError(f"the history of seed {seed} does not hold") from wrong
