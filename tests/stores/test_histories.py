"""Histories by seed, each held against a model: nothing acknowledged is lost, nothing is doubled, order is kept, what
is erased stays erased, and the state is the fold of the log.

Every run takes other seeds, `make sweep` many; HOLDFAST_SEEDS=from-to runs chosen ones. A seed that fails once is added
to `FAILED`."""

from __future__ import annotations

import os
import random
from pathlib import Path

import pytest

from holdfast import session
from holdfast.stores import erasing
from holdfast.stores.steps import Steps
from tests.stores.world import World

FAILED: tuple[int, ...] = ()


def seeds(count: int) -> range:
    if chosen := os.environ.get("HOLDFAST_SEEDS"):
        first, _, last = chosen.partition("-")
        return range(int(first), int(last))
    first_seed = 0 if os.environ.get("CI") else random.randrange(1 << 20)
    return range(first_seed, first_seed + count)


@pytest.fixture(autouse=True)
def often(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(session, "SNAPSHOT_EVERY", 3)
    monkeypatch.setattr(session, "IN_TURN", 3)
    monkeypatch.setattr(Steps, "_later", lambda self: None)  # the world takes the steps
    for name, few in (("ROWS", 2), ("SLICE", 0.0), ("PAGES", 4)):
        monkeypatch.setattr(erasing, name, few)


@pytest.mark.parametrize("count", [40, pytest.param(600, marks=pytest.mark.sweep)])
def test_every_history_holds(tmp_path: Path, count: int) -> None:
    for seed in (*FAILED, *seeds(count)):
        try:
            World(seed, tmp_path).run()
        except Exception as wrong:
            raise AssertionError(f"the history of seed {seed} does not hold") from wrong
