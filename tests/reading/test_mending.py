"""Two letters that changed places are understood in words that the tables know, and nowhere else."""

from __future__ import annotations

import pytest

from holdfast import Holdfast
from holdfast.reading.mending import Mender, words_of

MENDER = Mender(*words_of([r"(?:shopping|reserve) (?P<value>\w+)", r"заброниру\S*"], ["second third"]))


@pytest.mark.parametrize(
    ("typed", "meant"),
    [
        ("my shoppnig list", "my shopping list"),
        ("заброинруй это", "забронируй это"),
        ("the secnod one", "the second one"),
        ("shopping", "shopping"),
        ("hsopping", "hsopping"),  # the first letter is hardly ever wrong
        ("thrid", "thrid"),  # too short to be sure
    ],
)
def test_a_slip_is_mended_and_keeps_its_place(typed: str, meant: str) -> None:
    assert MENDER.mended(typed, typed) == meant


def test_a_word_with_a_capital_may_be_a_name() -> None:
    assert MENDER.mended("ask reesrve", "ask Reesrve") == "ask reesrve"


def test_the_text_itself_stays_as_it_was_typed() -> None:
    reading = Holdfast(pack="vibehuntr").pack.reader.read("reserva el segnudo por favor")
    assert reading.text == "reserva el segnudo por favor"
    assert "segundo" in reading.folded
