"""Direct power: what is said in which state, and what must come of it."""

from __future__ import annotations

import pytest

from tests.desk.rows.cases import (
    at,
    rules,
)


@pytest.mark.parametrize(
    "text",
    [
        pytest.param("Motor runs fine when I apply 12V directly", id="R-ALT-001"),
        pytest.param("works when jumped directly to battery", id="R-ALT-004"),
        "Motor operates normally with direct 12V - fault is upstream",
        "мотор работает напрямую от аккумулятора",
        "el motor funciona conectado directo a la batería",
    ],
)
def test_R_ALT_001_005_a_motor_that_works_on_direct_power_is_good(text: str) -> None:
    face = at("slide_out", done=["so_1", "so_2"], active="so_3")
    turn = face.turn(text)
    assert turn["intent"]["type"] == "MAIN_DIAGNOSTIC"
    context = turn["context"]
    assert not context["isolationComplete"]
    assert context["isolationFinding"] is None
    assert context["terminalState"] == "normal"
    assert context["facts"][-1]["value"] == text
    assert any("upstream" in h["description"] for h in context["hypotheses"])
    assert "PART_PROVEN_GOOD" in rules(face, "I recommend to replace the motor. Is the controller signal there?")


def test_R_ALT_006_007_the_awning_motor_on_direct_power() -> None:
    face = at("awning", done=["awn_1", "awn_2", "awn_3", "awn_4", "awn_5"], active="awn_6")
    assert not face.turn("Motor runs when powered directly - switch or wiring fault")["context"]["isolationComplete"]
    face = at("awning", done=["awn_1", "awn_2", "awn_3", "awn_4", "awn_5"], active="awn_6")
    context = face.turn("Motor does not respond to direct power - motor failure confirmed")["context"]
    assert context["isolationComplete"]
    assert "Motor failure" in context["isolationFinding"]


@pytest.mark.parametrize(
    "texts",
    [
        pytest.param(["Applied 12V directly to the pump — pump does not run."], id="R-ALT-011"),
        ["подал 12 В напрямую на насос, насос не работает"],
        ["conecté 12 V directo a la bomba y la bomba no arranca"],
        ["I jumped the pump straight from the battery", "the pump does not run"],
        ["jumped it straight to the battery, nothing"],
        ["pump dead on direct power"],
    ],
)
def test_R_ALT_008_009_a_pump_that_stays_still_on_direct_power_is_isolated(texts: list[str]) -> None:
    face = at("water_pump", done=["wp_1"])
    for text in texts:
        context = face.turn(text)["context"]
    assert context["isolationComplete"]
    assert context["isolationFinding"].startswith("Water pump failed direct-power test")
    assert context["terminalState"] == "normal"
    assert context["activeStepId"] is None


def test_R_ALT_010_012_direct_power_needs_both_cues_and_the_right_procedure() -> None:
    assert not at("water_pump", done=["wp_1"]).turn("насос не работает")["context"]["isolationComplete"]
    other = at("water_heater", done=["wh_1"]).turn("Applied 12V directly to the pump — pump does not run.")
    assert not other["context"]["isolationComplete"]
    face = at("water_pump", done=["wp_1"])
    face.turn("Applied 12V directly to the pump, it does not run.")
    context = face.turn("Результат: насос не рабочий и требует замены")["context"]
    assert context["isolationComplete"]
    assert context["activeStepId"] is None
