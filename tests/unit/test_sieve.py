"""The sieve changes what is looked for in the one pass, never what is found."""

from __future__ import annotations

import re

from holdfast.packs.rv_service_desk import PACK
from holdfast.reading import sieve
from holdfast.reading.reader import bounded
from holdfast.reading.text import fold


def test_a_pattern_with_a_gap_is_looked_for_by_its_solid_piece() -> None:
    assert sieve.piece("not [^,]{1,60} but .*") == ("not ", True)
    assert sieve.piece("[^,]{1,60} instead of [^,]{1,80}") == (" instead of ", False)
    assert sieve.piece("motors?[^.]{0,25} seized|seized motors?") == ("motors?|seized motors?", True)


def test_a_pattern_without_a_gap_is_looked_for_as_it_is() -> None:
    assert sieve.piece("(?:water )?pump[a-z]*") is None


def test_every_pattern_of_the_desk_fires_exactly_where_it_matches() -> None:
    texts = [
        "Actually, not 12.4 V but 9.8 V, I misread the meter",
        "The fan blade on the left is missing and the motor is seized",
        "Can you provide more information about the issue?",
        "replaced the relay, system now running; gas valve replaced",
        "лопасть вентилятора отсутствует, а насос не издаёт ни звука",
        "no son 12 V sino 9 V, la válvula de gas no abre",
        "12.6V is present at the control board, use sushi instead of pizza",
    ]
    for text in texts:
        reading = PACK.reader.read(text)
        fired = {number for numbers in reading._fired.values() for number in numbers}
        for number, pattern in enumerate(PACK.reader._patterns):
            speaks = PACK.reader._speaks(pattern.language, reading.language)
            latin = pattern.language == "ru" and not re.search("[а-я]", fold(text))
            matches = PACK.reader._regexp(number).search(fold(text).encode()) is not None
            assert (number in fired) == (matches and speaks and not latin), (pattern.id, text, bounded(pattern.source))
