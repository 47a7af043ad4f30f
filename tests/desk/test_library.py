"""Procedures are data: adding a system is adding a file, and a broken file is an error with its line."""

from __future__ import annotations

from collections.abc import Iterator
from importlib.resources import files

import msgspec
import pytest

from holdfast.errors import PackError
from holdfast.faculties.desk.library import Said, load, parse

GOOD = files("holdfast.packs.rv_service_desk").joinpath("procedures/awning.toml").read_text(encoding="utf-8")


def test_a_file_becomes_a_procedure_named_after_it() -> None:
    procedure = parse("awning.toml", GOOD)
    assert procedure.id == "awning"
    assert [step.id for step in procedure.step] == [f"awn_{n}" for n in range(1, 7)]


@pytest.mark.parametrize(
    ("old", "new", "says"),
    [
        ('needs = ["awn_2"]', 'needs = ["awn_9"]', "needs 'awn_9'"),
        ('id = "awn_2"', 'id = "awn_1"', "'awn_1' is there twice"),
        ('check = "direct"', 'check = "direct"\nbranch = "nowhere"', "branch 'nowhere'"),
        ('check = "direct"', 'check = "direct"\nquestion = "?"', "unknown field `question`"),
        ("order = 12", 'order = "twelve"', "Expected `int`"),
        ("order = 12", "order = ", "line 5"),
    ],
)
def test_a_broken_file_is_refused_with_its_name_and_line(old: str, new: str, says: str) -> None:
    with pytest.raises(PackError, match=r"awning\.toml.*line \d+") as wrong:
        parse("awning.toml", GOOD.replace(old, new, 1))
    assert says in str(wrong.value)


def texts_of(value: object) -> Iterator[Said]:
    if isinstance(value, Said):
        yield value
    if isinstance(value, tuple):
        for row in value:
            yield from texts_of(row)
    elif isinstance(value, msgspec.Struct):
        for field in value.__struct_fields__:
            yield from texts_of(getattr(value, field))


def test_every_text_of_the_desk_is_there_in_three_languages() -> None:
    desk = load("holdfast.packs.rv_service_desk")
    texts = [text for whole in (*desk.procedures.values(), *desk.parts) for text in texts_of(whole)]
    assert len(texts) > 400
    assert [text for text in texts if set(text.texts) != {"en", "ru", "es"} or not all(text.texts.values())] == []


def test_a_further_language_is_a_key_beside_the_others() -> None:
    text = GOOD.replace("name = { en", 'name = { de = "Elektrische Markise (12 V)", en', 1)
    name = parse("awning.toml", text).name
    assert name.in_("de") == "Elektrische Markise (12 V)"
    assert name.in_("fr") == name.en == "Electric Awning (12V)"


def test_a_text_without_english_is_refused() -> None:
    with pytest.raises(PackError, match=r"awning\.toml.*needs English"):
        parse("awning.toml", GOOD.replace("name = { en", "name = { de", 1))


def test_the_line_is_that_of_the_step() -> None:
    text = GOOD.replace('needs = ["awn_5"]', 'needs = ["awn_9"]')
    line = next(n for n, row in enumerate(text.splitlines(), 1) if row == 'id = "awn_6"')
    with pytest.raises(PackError, match=f"line {line}:"):
        parse("awning.toml", text)
