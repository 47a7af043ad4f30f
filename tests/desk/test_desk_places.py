"""Where a part is: told per part and system, honestly unknown where the procedure does not say, and the step stays."""

from __future__ import annotations

import pytest

from holdfast.packs.rv_service_desk import PACK
from tests.desk.talk import Talk
from tests.rows import every

LIBRARY = PACK.faculty("procedure").desk.library  # type: ignore[attr-defined]


@every(
    ("complaint", "question", "place"),
    [
        ("Rooftop AC not cooling", "where is the run capacitor?", "electrical box of the roof unit"),
        ("Rooftop AC not cooling", "where do I find the filters", "return air grilles"),
        ("Furnace blows cold", "where's the sail switch?", "micro switch with a metal paddle"),
        ("Water heater won't light", "where is the ECO?", "under a rubber cap"),
        ("Water heater won't light", "where is the flame sensor?", "in the burner flame"),
        ("Slide-out won't extend", "which side is the motor on?", "under the slide room floor"),
        ("крышный кондиционер не охлаждает", "где находится контактор?", "в той же электрокоробке"),
        ("отопитель не запускается", "где датчик пламени стоит?", "в камере горелки"),
        ("холодильник не холодит", "где термистор?", "на рёбрах"),
        ("el calentador de agua no enciende", "¿dónde está la válvula principal?", "sobre el tanque"),
        ("el toldo no abre", "¿dónde queda el motor?", "extremo del tubo"),
    ],
)
def test_a_part_is_found_where_it_sits(complaint: str, question: str, place: str) -> None:
    talk = Talk(complaint)
    step = talk.step
    assert place in talk.say(question)
    assert talk.step == step


@pytest.mark.parametrize(
    ("complaint", "question", "honest"),
    [
        ("Rooftop AC not cooling", "where is the sewage valve?", "not in this procedure"),
        ("крышный кондиционер не охлаждает", "где карбюратор?", "в этой процедуре не сказано"),
        ("el toldo no abre", "¿dónde está el radiador?", "no dice la ubicación"),
    ],
)
def test_a_part_that_the_procedure_does_not_know_gets_an_honest_answer(
    complaint: str, question: str, honest: str
) -> None:
    talk = Talk(complaint)
    step = talk.step
    assert honest in talk.say(question)
    assert talk.reply.endswith("?")
    assert talk.step == step


@every("system", LIBRARY.procedures)
def test_every_part_of_every_step_has_a_place_in_three_languages(system: str) -> None:
    for step in LIBRARY.procedures[system].step:
        for language in ("en", "ru", "es"):
            assert LIBRARY.place_of(system, step.part.in_(language), language), (step.id, language)
