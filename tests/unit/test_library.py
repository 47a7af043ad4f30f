"""Procedures are data: adding a system is adding a file, and a broken file is an error with its line."""

from __future__ import annotations

from importlib.resources import files

import pytest

from holdfast.errors import PackError
from holdfast.faculties.library import parse

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


def test_the_line_is_that_of_the_step() -> None:
    text = GOOD.replace('needs = ["awn_5"]', 'needs = ["awn_9"]')
    line = next(n for n, row in enumerate(text.splitlines(), 1) if row == 'id = "awn_6"')
    with pytest.raises(PackError, match=f"line {line}:"):
        parse("awning.toml", text)
