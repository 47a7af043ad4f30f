"""Terminal: what is said in which state, and what must come of it."""

from __future__ import annotations

import pytest

from tests.desk.rows.cases import (
    at,
    rules,
)


@pytest.mark.parametrize(
    "text",
    [
        pytest.param("replaced wiring - heater works now", id="R-TERM-001"),
        pytest.param("заменил проводку - водонагреватель работает", id="R-TERM-002"),
        pytest.param("después de reparar el cable funciona bien ahora", id="R-TERM-003"),
        pytest.param("починил, водонагреватель работает нормально", id="R-TERM-005"),
        pytest.param("replaced the fuse, water heater is now running", id="R-TERM-007"),
        pytest.param("replaced faulty relay, system now running", id="R-TERM-009"),
        pytest.param("Заменил. Теперь водонагреватель исправен", id="R-TERM-010"),
        "fixed the ground, back to normal",
        "cambié el fusible y ya funciona",
    ],
)
def test_R_TERM_001_010_repair_and_restoration_end_the_case(text: str) -> None:
    turn = at("water_heater", done=["wh_1"]).turn(text)
    context = turn["context"]
    assert context["terminalState"] == "terminal"
    assert context["isolationComplete"]
    assert context["isolationFinding"].startswith("Verified restoration")
    assert context["activeStepId"] is None
    assert turn["instructions"]["action"] == "offer_completion"
    assert context["mode"] == "diagnostic"


@pytest.mark.parametrize(
    "text",
    [
        pytest.param("короткое замыкание в проводке", id="R-TERM-012"),
        pytest.param("обрыв проводки между панелью и модулем", id="R-TERM-013"),
        pytest.param("shorted motor confirmed — power and ground present but motor nothing", id="R-TERM-016"),
        pytest.param("wiring break confirmed", id="R-TERM-017"),
        pytest.param("found short circuit in the wiring harness", id="R-TERM-018"),
        pytest.param("flame sensor is bad", id="R-TERM-020"),
        pytest.param("found a bad flame sensor", id="R-TERM-021"),
        pytest.param("defective switch confirmed", id="R-TERM-025"),
        pytest.param("the thermistor failed open", id="R-TERM-026"),
        pytest.param("sensor is bad", id="R-TERM-027"),
        pytest.param("датчик пламени неисправен", id="R-TERM-028"),
        pytest.param("неисправный датчик обнаружен", id="R-TERM-029"),
        pytest.param("термопара сгорела", id="R-TERM-030"),
        pytest.param("sensor de llama defectuoso", id="R-TERM-032"),
        pytest.param("interruptor malo", id="R-TERM-034"),
        "short circuit",
        "relay is burnt",
        "реле вышло из строя",
        "la válvula no sirve",
    ],
)
def test_R_TERM_012_034_a_named_fault_is_a_candidate(text: str) -> None:
    turn = at("water_heater", done=["wh_1", "wh_2", "wh_3"]).turn(text)
    context = turn["context"]
    assert context["terminalState"] == "fault_candidate"
    assert not context["isolationComplete"]
    assert context["activeStepId"] is None
    assert turn["instructions"]["action"] == "ask_restoration_check"


@pytest.mark.parametrize(
    "text",
    [
        pytest.param("having a bad day with this unit", id="R-TERM-035"),
        pytest.param("got a bad reading on the meter", id="R-TERM-036"),
        pytest.param("switch to battery mode", id="R-TERM-039"),
        "the sensor is not bad",
        "the gas valve is open",
        "is the sensor bad?",
        "датчик исправен",
        "нет 12 вольт на разъёме",
    ],
)
def test_R_TERM_035_039_what_is_no_fault(text: str) -> None:
    assert at("water_heater", done=["wh_1", "wh_2", "wh_3"]).turn(text)["context"]["terminalState"] == "normal"


@pytest.mark.parametrize(
    ("texts", "states"),
    [
        pytest.param(
            ["обрыв проводки между панелью и модулем", "да"], ["fault_candidate", "terminal"], id="R-TERM-041"
        ),
        pytest.param(["short circuit in wiring", "works fine now"], ["fault_candidate", "terminal"], id="R-TERM-042"),
        pytest.param(
            ["короткое замыкание в проводке", "да, подтверждаю"], ["fault_candidate", "terminal"], id="R-TERM-044"
        ),
        pytest.param(["short circuit", "fixed it, works now"], ["fault_candidate", "terminal"], id="R-TERM-045"),
        pytest.param(
            ["короткое замыкание в проводке", "нет, не работает"],
            ["fault_candidate", "fault_candidate"],
            id="R-TERM-046",
        ),
        pytest.param(
            ["wiring break confirmed", "still not working"], ["fault_candidate", "fault_candidate"], id="R-TERM-047"
        ),
        (["cable roto", "sí"], ["fault_candidate", "terminal"]),
        pytest.param(
            ["short circuit in wiring", "not working yet", "replaced wiring, now works"],
            ["fault_candidate", "fault_candidate", "terminal"],
            id="R-TERM-048",
        ),
        pytest.param(
            [
                "нет 12 вольт на разъёме",
                "короткое замыкание в проводке между модулем розжига и электродом",
                "я заменил проводку - водонагреватель работает",
                "ok",
            ],
            ["normal", "fault_candidate", "terminal", "terminal"],
            id="R-TERM-054",
        ),
        (["replaced wiring - heater works now", "I found a leak"], ["terminal", "terminal"]),
        (["replaced wiring - heater works now", "thanks"], ["terminal", "terminal"]),
        (["replaced wiring - heater works now", "the problem is back"], ["terminal", "normal"]),
        (["flame sensor is bad", "let's continue"], ["fault_candidate", "normal"]),
    ],
)
def test_R_TERM_041_054_from_fault_to_restoration(texts: list[str], states: list[str]) -> None:
    face = at("water_heater", done=["wh_1"])
    assert [face.turn(text)["context"]["terminalState"] for text in texts] == states
    if states[-1] == "normal":
        assert face.context()["activeStepId"]


def test_R_TERM_051_without_a_closed_step_the_state_stays_normal() -> None:
    for text in ("replaced wiring - heater works now", "flame sensor is bad"):
        assert at("water_heater").turn(text)["context"]["terminalState"] == "normal"


def test_R_TERM_053_the_completion_reply() -> None:
    face = at("water_heater", done=["wh_1"])
    face.turn("replaced wiring - heater works now")
    text = face.fallback()
    assert text.endswith("Send START FINAL REPORT and I will generate the report.")
    assert face.chat.check(text).allowed
    assert "AUTHORITY" in rules(face, "Isolation complete. Send START FINAL REPORT and I will generate the report.")


def test_R_TERM_055_checked_not_working_and_to_be_replaced_isolates_the_component() -> None:
    face = at("water_heater", done=["wh_1"])
    text = "проверил gas pressure good. проверил gas valve solenoid. solenoid не работает надо менять"
    context = face.turn(text)["context"]
    assert context["isolationComplete"]
    assert "olenoid" in context["isolationFinding"]
    assert not any(fact["category"] == "repair" for fact in context["facts"])
