"""Only patterns with a literal piece in the text are tried, and none that would match is left out."""

from __future__ import annotations

import pytest

from holdfast.packs.general import PACK
from holdfast.reading.needles import EDGE, Finder, edged, grams, needles
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
    assert sorted(piece.replace(EDGE, "") for _, piece in needles(source)) == pieces


@pytest.mark.parametrize(
    ("source", "inside", "apart"),
    [
        ("or", "more", "this or that"),
        ("the (?:first|second) one", "bathe first", "the second one"),
        ("(?:un)?paid", "prepaid", "unpaid"),
        ("^но", "окно", "но где?"),
        ("gust(?:o|a)", "degustar", "me gusta"),
        ("(?:a day|long) ago$", "imago", "a day ago"),
    ],
)
def test_a_piece_at_the_edge_of_a_pattern_is_no_part_of_a_longer_word(source: str, inside: str, apart: str) -> None:
    finder = Finder([needles(source)])
    found = [finder.among(text, grams(text)) for text in (edged(inside), edged(apart))]
    assert found == [[], [0]]


def test_a_pattern_that_matches_is_always_tried() -> None:
    """Every pattern of a pack on texts made of the pieces of the others."""
    reader = PACK.reader
    demanded = [pieces for table in reader._tables for pieces in table.prepared().needles]
    texts = [" ".join(piece for _, piece in pieces[:3]).replace(EDGE, "") for pieces in demanded][::40]
    readings = [(reader.read(text), text.encode()) for text in texts]
    matched = 0
    for number, pattern in enumerate(reader._patterns):
        for reading, text in readings:
            if (
                reading.language in (None, pattern.language)
                and reader._regexp(number).match(_ANYWHERE, text, 0, len(text))[0][0] >= 0
            ):
                tried = reading._may_fire.get(pattern.family, [])
                assert number in tried, f"{pattern.id} is not tried on {text!r}"
                matched += 1
    assert matched > len(texts) / 2, "most of the texts set off something"


def test_a_text_shorter_than_what_pieces_are_found_by_is_looked_through_too() -> None:
    finder = Finder([needles("ok"), needles("nope"), []])
    for text, found in (("ok", [0, 2]), ("nope", [1, 2])):
        assert finder.among(edged(text), grams(edged(text))) == found
