"""Only patterns with a literal piece in the text are tried, and none that would match is left out."""

from __future__ import annotations

import pytest

from holdfast.packs.general import PACK
from holdfast.reading.needles import Finder, grams, needles
from holdfast.reading.reader import _ANYWHERE


@pytest.mark.parametrize(
    ("source", "pieces"),
    [
        ("find me", ["find me"]),
        ("colou?r", ["color", "colour"]),
        ("(?:book|reserve) (?:a )?table", ["book a table", "book table", "reserve a table", "reserve table"]),
        ("(?P<old>[^,]+) instead of (?P<new>.+)", [" instead of "]),
        ("call(?:s|ed)? off", ["call off", "called off", "calls off"]),
        ("no{2,}pe", ["pe"]),
        ("x+y*z{0,2}", ["x"]),
        (r"cost \$\d", [f"cost ${digit}" for digit in range(10)]),
        ("[ae]bc", ["abc", "ebc"]),
        ("yes|yes please|ok", ["ok", "yes"]),
        ("^stop$", ["stop"]),
        (r"\w+|stop", []),
        ("(?:now)?", []),
        ("(?m:^stop)", []),
        (r"\x41", []),
    ],
)
def test_a_pattern_demands_one_of_its_pieces(source: str, pieces: list[str]) -> None:
    assert sorted(piece for _, piece in needles(source)) == pieces


def test_a_pattern_that_matches_is_always_tried() -> None:
    """Every pattern of a pack on texts made of the pieces of the others."""
    reader = PACK.reader
    demanded = [pieces for table in reader._tables for pieces in table.prepared().needles]
    texts = [" ".join(piece for _, piece in pieces[:3]) for pieces in demanded][::40]
    readings = [(reader.read(text), text.encode()) for text in texts]
    matched = 0
    for number, pattern in enumerate(reader._patterns):
        for reading, text in readings:
            if (
                reading.language in (None, pattern.language)
                and reader._regexp(number).match(_ANYWHERE, text, 0, len(text))[0][0] >= 0
            ):
                assert number in reading._fired.get(pattern.family, []), f"{pattern.id} is not tried on {text!r}"
                matched += 1
    assert matched > len(texts) / 2, "most of the texts set off something"


def test_a_text_shorter_than_what_pieces_are_found_by_is_looked_through_too() -> None:
    finder = Finder([needles("ok"), needles("nope"), []])
    assert finder.among("ok", grams("ok")) == [0, 2]
    assert finder.among("nope", grams("nope")) == [1, 2]
