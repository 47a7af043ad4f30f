"""Conversations of a simulated technician in three languages: no loop, no repeated step, no dead end. A few every time,
a hundred and fifty with `make sweep`."""

from __future__ import annotations

import importlib.util
import random
import tomllib
from pathlib import Path
from types import ModuleType

import pytest

BENCHMARK = Path(__file__).parents[2] / "benchmarks" / "technician.py"


def technician() -> ModuleType:
    spec = importlib.util.spec_from_file_location("technician", BENCHMARK)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


@pytest.mark.parametrize("talks", [6, pytest.param(60, marks=pytest.mark.sweep)])
def test_a_technician_who_chats_all_the_time_gets_to_a_report_too(talks: int) -> None:
    chatty = technician()
    said = tomllib.loads(Path(__file__).with_name("desk_remarks.toml").read_text(encoding="utf-8"))
    for language, sayings in chatty.SAYINGS.items():
        sayings["noise"] = said[language]["remarks"]
    chatty.WEIGHTS["noise"] = 40
    result = chatty.simulate(talks, seed=11)
    assert not result.wrong
    assert "dead end" not in result.ends


@pytest.mark.parametrize("talks", [10, pytest.param(150, marks=pytest.mark.sweep)])
def test_every_conversation_ends_in_a_report_or_an_honest_cannot_be_verified(talks: int) -> None:
    result = technician().simulate(talks, seed=7)
    assert not result.wrong
    assert "dead end" not in result.ends
    assert sum(result.ends.values()) == talks
    assert result.turns > 10 * talks


@pytest.mark.parametrize(("seed", "number"), [(8009, 164), (10011, 203)])
def test_new_evidence_after_a_conclusion_leads_back_to_a_step(seed: int, number: int) -> None:
    """Talks of a larger run in which the guard closed the step that a replan had just opened."""
    module = technician()
    ending = module.converse(module.Holdfast(pack=module.PACK).session("s"), random.Random(seed * 1_000_003 + number))
    assert not ending.wrong
