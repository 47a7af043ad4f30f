"""A few conversations of the simulated technician: what `python -m benchmarks.technician 10000` watches, every day."""

from __future__ import annotations

import random
from importlib import import_module

import pytest

from holdfast import Holdfast
from holdfast.packs.rv_service_desk import PACK

# Beside some at random: one that once went wrong (after the repair, a corrected reading opened a step again).
ONCE_WRONG = (8588,)


@pytest.mark.parametrize("number", [*range(30), *ONCE_WRONG])
def test_a_random_conversation_ends_in_a_report_and_breaks_no_promise(number: int) -> None:
    converse = import_module("benchmarks.technician").converse
    ending = converse(Holdfast(pack=PACK).session("case"), random.Random(1_000_003 + number))
    assert ending.wrong == ()
    assert ending.end != "dead end"
