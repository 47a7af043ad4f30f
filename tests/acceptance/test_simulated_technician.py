"""A hundred and fifty conversations of a simulated technician in three languages: no loop, no repeated step, no dead
end."""

from __future__ import annotations

import importlib.util
from pathlib import Path
from types import ModuleType

BENCHMARK = Path(__file__).parents[2] / "benchmarks" / "technician.py"


def technician() -> ModuleType:
    spec = importlib.util.spec_from_file_location("technician", BENCHMARK)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def test_every_conversation_ends_in_a_report_or_an_honest_cannot_be_verified() -> None:
    result = technician().simulate(150, seed=7)
    assert not result.wrong
    assert "dead end" not in result.ends
    assert sum(result.ends.values()) == 150
    assert result.turns > 1500
