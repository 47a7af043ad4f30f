"""Whatever proposes spans of a text costs no more than in proportion to the text, however hostile that is."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from holdfast import Holdfast
from holdfast.packs.general import PACK as GENERAL
from holdfast.packs.vibehuntr import PACK as VIBEHUNTR
from holdfast.packs.vibehuntr.people import people
from holdfast.reading.asking import questions
from holdfast.reading.dates import dates
from holdfast.reading.details import by_tables
from holdfast.reading.kinds import typed_spans
from holdfast.reading.mentions import mentions
from holdfast.reading.places import answers, named_places, places, stops
from holdfast.reading.reader import Reading
from holdfast.reading.shown import list_items
from holdfast.reading.spoken import spoken
from holdfast.reading.standing import fluent, repairs, sentences, standing
from holdfast.reading.taught.values import units
from holdfast.reading.values import emails, numbers
from tests.linear import NOTHING, cost, stays_linear

PROPOSERS: tuple[Callable[[Reading], Any], ...] = (
    *(
        answers,
        by_tables,
        dates,
        emails,
        fluent,
        list_items,
        mentions,
        named_places,
        numbers,
        people,
        places,
        questions,
    ),
    *(repairs, sentences, spoken, standing, stops, typed_spans, units),
)
PIECES = ("? ", "2 ", "a@b.", "in Boston at 5 ", "two hundred and ", "my wife, ", "no wait, ", "A B ", "the 2nd of ")


@pytest.mark.parametrize("piece", PIECES)
def test_every_proposer_stays_linear(piece: str) -> None:
    def work(text: str) -> None:
        reading = VIBEHUNTR.reader.read(text)
        for proposer in PROPOSERS:
            reading.find(proposer)

    stays_linear(work, piece)


@pytest.mark.parametrize("verb", ["hear", "say"])
def test_a_wall_of_question_marks_costs_little_more_than_one_of_words(verb: str) -> None:
    chat = Holdfast(pack=GENERAL).session("s")
    act = getattr(chat, verb)
    assert cost(act, "? ", 24_000) < 60 * max(cost(act, "ab ", 24_000), NOTHING)
