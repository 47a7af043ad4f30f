"""Expressions whose words come from the tables."""

from __future__ import annotations

import re

import pytest

from holdfast.reading.reader import Reader
from holdfast.reading.shapes import choice, filled
from holdfast.reading.tables import parse

ENGLISH = parse("talk.en.toml", "en", '[data.talk]\nor = "or|or maybe|or (perhaps)"')
RUSSIAN = parse("talk.ru.toml", "ru", '[data.talk]\nor = "или"\nwent = "поехал*"')
GERMAN = parse("talk.de.toml", "de", '[data.talk]\nor = "oder"')


def found(reader: Reader, shape: str, text: str) -> str | None:
    hit = reader.expression(shape).search(text)
    return hit[0] if hit else None


def test_a_list_in_a_shape_becomes_a_choice_of_the_words_of_all_languages() -> None:
    reader = Reader([ENGLISH, RUSSIAN])
    assert found(reader, r"\s%talk.or%\s", "tea or coffee") == " or "
    assert found(reader, r"\s%talk.or%\s", "чай или кофе") == " или "


def test_a_further_language_is_a_table_and_nothing_else() -> None:
    assert found(Reader([ENGLISH]), r"\s%talk.or%\s", "tee oder kaffee") is None
    assert found(Reader([ENGLISH, GERMAN]), r"\s%talk.or%\s", "tee oder kaffee") == " oder "


def test_the_longest_words_win() -> None:
    assert found(Reader([ENGLISH]), r"%talk.or%\s", "or maybe coffee") == "or maybe "


def test_signs_in_a_word_are_no_expression() -> None:
    assert found(Reader([ENGLISH]), r"%talk.or%", "tea or (perhaps) coffee") == "or (perhaps)"
    assert re.search(choice(["a.b", "c+"]), "aXb cc") is None


def test_a_star_stands_for_any_ending() -> None:
    assert found(Reader([RUSSIAN]), r"\b%talk.went%\b", "мы поехали домой") == "поехали"


@pytest.mark.parametrize("shape", [r"%talk.unknown%", r"or%nowhere.at_all%"])
def test_a_list_that_no_table_has_matches_nothing(shape: str) -> None:
    assert found(Reader([ENGLISH]), shape, "tea or coffee") is None


def test_what_is_no_list_stays_as_it_is() -> None:
    assert filled(r"100%|\d{1,3}%", lambda name, key: ["never"]) == r"100%|\d{1,3}%"


def test_a_shape_is_compiled_once() -> None:
    reader = Reader([ENGLISH])
    assert reader.expression(r"%talk.or%") is reader.expression(r"%talk.or%")
