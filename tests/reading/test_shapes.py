"""Expressions whose words come from the tables."""

from __future__ import annotations

import pytest

from holdfast.reading.reader import Reader
from holdfast.reading.shapes import Shape
from holdfast.reading.tables import parse

ENGLISH = parse("talk.en.toml", "en", '[data.talk]\nor = "or|or maybe"')
RUSSIAN = parse("talk.ru.toml", "ru", "[data.talk]\nor = 'или'\nwent = 'поехал\\w*'")
GERMAN = parse("talk.de.toml", "de", '[data.talk]\nor = "oder"')
OR = Shape(r"\s%talk.or%\s")


def found(reader: Reader, form: str, text: str, language: str | None = None) -> str | None:
    hit = reader.made(Shape(form), language).search(text)
    return hit[0] if hit else None


def test_a_list_in_a_shape_becomes_a_choice_of_the_words_of_all_languages() -> None:
    reader = Reader([ENGLISH, RUSSIAN])
    assert found(reader, OR.form, "tea or coffee") == " or "
    assert found(reader, OR.form, "чай или кофе") == " или "


def test_with_a_language_only_its_words_count() -> None:
    reader = Reader([ENGLISH, RUSSIAN])
    assert found(reader, OR.form, "tea or coffee", "en") == " or "
    assert found(reader, OR.form, "чай или кофе", "en") is None


def test_a_further_language_is_a_table_and_nothing_else() -> None:
    assert found(Reader([ENGLISH]), OR.form, "tee oder kaffee") is None
    assert found(Reader([ENGLISH, GERMAN]), OR.form, "tee oder kaffee") == " oder "


def test_the_longest_words_win() -> None:
    assert found(Reader([ENGLISH]), r"%talk.or%\s", "or maybe coffee") == "or maybe "


def test_a_word_may_leave_its_ending_open() -> None:
    assert found(Reader([RUSSIAN]), r"\b%talk.went%\b", "мы поехали домой") == "поехали"


@pytest.mark.parametrize("form", [r"%talk.unknown%", r"or%nowhere.at_all%"])
def test_a_list_that_no_table_has_matches_nothing(form: str) -> None:
    assert found(Reader([ENGLISH]), form, "tea or coffee") is None


def test_a_shape_is_compiled_once() -> None:
    reader = Reader([ENGLISH])
    assert reader.made(OR) is reader.made(OR)
