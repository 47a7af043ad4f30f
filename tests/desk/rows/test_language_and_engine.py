"""Language and engine: what is said in which state, and what must come of it."""

from __future__ import annotations

import pytest

from holdfast import Holdfast
from holdfast.packs.rv_service_desk import pack
from tests.desk.rows.cases import (
    at,
    new,
    rules,
)


@pytest.mark.parametrize(
    ("text", "language"),
    [
        pytest.param("Pump не работает, check voltage", "ru", id="R-LANG-001"),
        pytest.param("¿Cómo está el motor?", "es", id="R-LANG-002"),
        pytest.param("LA BOMBA DE AGUA NO FUNCIONA", "es", id="R-LANG-004"),
        pytest.param("habla espanol", "es", id="R-LANG-005"),
        pytest.param("spanish", "es", id="R-LANG-006"),
        pytest.param("говори по-русски", "ru", id="R-LANG-007"),
        pytest.param("на русском", "ru", id="R-LANG-008"),
        ("speak english", "en"),
        ("The pump does not run", "en"),
        ("bomba no funciona", "es"),
        ("Fridge warm", "en"),
    ],
)
def test_R_LANG_001_008_the_language_of_the_case(text: str, language: str) -> None:
    assert new().turn(text)["context"]["language"] == language


def test_R_LANG_013_a_single_message_does_not_change_the_language() -> None:
    face = new()
    face.turn("водяной насос не работает")
    assert face.turn("la bomba no funciona bien")["context"]["language"] == "ru"
    assert face.turn("in english please")["context"]["language"] in ("ru", "en")


def test_R_LANG_014_replies_keep_to_the_language() -> None:
    face = new()
    face.turn("водяной насос не работает")
    assert "LANGUAGE_MISMATCH" in rules(face, "Open a faucet: does the pump try to start?")
    face = new()
    face.turn("the water pump is not working")
    assert "LANGUAGE_MISMATCH" in rules(face, "Откройте кран: пытается ли насос запуститься?")


def test_R_ENG_002_an_unknown_case_is_a_new_context() -> None:
    context = new().turn("hello there")["context"]
    assert (context["mode"], context["submode"]) == ("diagnostic", "main")


def test_R_ENG_003_the_agents_question_is_known_by_its_step() -> None:
    face = at("water_pump", done=["wp_1"])
    face.chat.say(face.desk.library.step("wp_2").en)  # type: ignore[union-attr]
    action = face.context()["lastAgentActions"][-1]
    assert (action["type"], action["stepId"]) == ("question", "wp_2")


def test_R_ENG_004_each_flag_switches_its_own_behaviour_off() -> None:
    names = ("ENABLE_CLARIFICATION_SUBFLOWS", "ENABLE_REPLAN", "ENABLE_NON_BLOCKING_LABOR")
    assert all(new().settings[name] is True for name in names)
    face = new(Holdfast(pack=pack(ENABLE_CLARIFICATION_SUBFLOWS=False)))
    face.start("water_pump")
    assert face.turn("where is it?")["context"]["topicStack"] == []
    face = new(Holdfast(pack=pack(ENABLE_REPLAN=False)))
    face.start("roof_ac", done=["ac_1"])
    face.isolate("Compressor")
    assert face.turn("I found a leak on the condenser")["context"]["isolationComplete"]
    face = new(Holdfast(pack=pack(ENABLE_NON_BLOCKING_LABOR=False)))
    face.start("roof_ac", done=["ac_1"])
    face.isolate("Compressor")
    assert face.turn("START FINAL REPORT")["context"]["mode"] == "diagnostic"
    face.confirm_labor(1.0)
    assert face.turn("START FINAL REPORT")["context"]["mode"] == "final_report"
