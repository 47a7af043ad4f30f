"""Signals: what is said in which state, and what must come of it."""

from __future__ import annotations

import pytest

from tests.desk.rows.cases import (
    at,
    heater,
    new,
    rules,
)


@pytest.mark.parametrize(
    "text",
    [
        pytest.param("I already checked the voltage", id="R-SIG-001"),
        pytest.param("I already told you that", id="R-SIG-002"),
        pytest.param("already answered that", id="R-SIG-003"),
        pytest.param("уже проверил напряжение", id="R-SIG-005"),
        pytest.param("already checked the fuse", id="R-SIG-006"),
        pytest.param("ya lo revisé", id="R-SIG-007"),
        pytest.param("you are not listening", id="R-SIG-009"),
        pytest.param("that's not relevant", id="R-SIG-010"),
        pytest.param("not the point", id="R-SIG-011"),
        pytest.param("irrelevant question", id="R-SIG-012"),
        pytest.param("ты меня не слышиш что я говорю", id="R-SIG-013"),
        pytest.param("вопрос не по существу", id="R-SIG-015"),
        pytest.param("told you earlier it's open", id="R-SIG-059"),
        "я же сказал",
        "ya se lo dije",
        "хватит спрашивать",
        "no viene al caso",
        "I just said that",
    ],
)
def test_R_SIG_already_answered_closes_the_step(text: str) -> None:
    turn = at("water_pump", done=["wp_1"]).turn(text)
    assert turn["intent"]["type"] == "ALREADY_ANSWERED"
    assert "wp_2" in turn["context"]["completedSteps"]
    assert turn["context"]["activeStepId"] == "wp_3"


@pytest.mark.parametrize(
    "text",
    [
        pytest.param("The voltage reads 12.4V", id="R-SIG-018"),
        pytest.param("the gas valve is open", id="R-SIG-019"),
        pytest.param("работает", id="R-SIG-021"),
        "it is running",
    ],
)
def test_R_SIG_018_021_a_normal_finding(text: str) -> None:
    turn = at("water_pump", done=["wp_1"]).turn(text)
    assert turn["intent"]["type"] == "MAIN_DIAGNOSTIC"
    assert turn["context"]["facts"][-1]["value"] == text


@pytest.mark.parametrize(
    "text",
    [
        pytest.param("I don't know what that reading is", id="R-SIG-022"),
        pytest.param("Can't check the pressure switch right now", id="R-SIG-023"),
        pytest.param("I can't see the capacitor from here", id="R-SIG-025"),
        pytest.param("не могу проверить", id="R-SIG-027"),
        pytest.param("can't check that", id="R-SIG-060"),
        pytest.param("no tool for that", id="R-SIG-061"),
        pytest.param("unable to access", id="R-SIG-062"),
        "нет доступа",
        "не знаю",
        "нечем мерить",
        "no puedo verificar",
        "no tengo multímetro",
        "no sé",
        "not sure",
        "I cannot reach it",
    ],
)
def test_R_SIG_022_062_unable_closes_the_step_as_unable(text: str) -> None:
    turn = at("water_pump", done=["wp_1"]).turn(text)
    assert turn["intent"]["type"] == "UNABLE_TO_VERIFY"
    assert turn["context"]["unableSteps"] == ["wp_2"]
    assert turn["context"]["activeStepId"] == "wp_3"


@pytest.mark.parametrize(
    ("text", "name"),
    [
        ("The fan blade is missing", "missing fan blade"),
        pytest.param("The blower wheel has damage and cracks", "blower wheel damage", id="R-SIG-029"),
        pytest.param("The motor is seized and won't turn at all", "seized or locked motor", id="R-SIG-030"),
        pytest.param("The amp draw is zero", "zero current draw", id="R-SIG-031"),
        ("the housing is cracked", "cracked housing"),
        ("the orifice is partially blocked", "orifice finding"),
        pytest.param("burner tube is blocked with spider webs", "burner blockage", id="R-SIG-034"),
        ("the gas valve does not open", "gas valve failure"),
        pytest.param("thermocouple reading 0 mV", "failed thermocouple", id="R-SIG-036"),
        ("the fuse is blown", "blown fuse"),
        ("found an open wire in the harness", "short or open wiring"),
        ("the relay failed", "failed component"),
        ("мотор заклинил", "seized or locked motor"),
        ("предохранитель перегорел", "blown fuse"),
        ("el fusible está quemado", "blown fuse"),
    ],
)
def test_R_SIG_029_038_key_findings(text: str, name: str) -> None:
    assert name in new().key_findings(text)


@pytest.mark.parametrize(
    ("text", "topics"),
    [
        pytest.param("Ground continuity is good", ["ground"], id="R-SIG-039"),
        pytest.param("The pump makes no noise at all", ["pump_noise"], id="R-SIG-040"),
        pytest.param("Voltage is 12.4V and ground continuity is OK", ["voltage", "ground"], id="R-SIG-041"),
    ],
)
def test_R_SIG_039_041_topics(text: str, topics: list[str]) -> None:
    assert new().topics_of(text) == topics


@pytest.mark.parametrize(
    "text",
    [
        pytest.param("yes", id="R-SIG-043"),
        pytest.param("no", id="R-SIG-044"),
        pytest.param("nope", id="R-SIG-045"),
        pytest.param("yeah", id="R-SIG-046"),
        pytest.param("да", id="R-SIG-047"),
        pytest.param("нет", id="R-SIG-048"),
        "sí",
        pytest.param("12.4 volts", id="R-SIG-050"),
        pytest.param("0v", id="R-SIG-051"),
        "open",
        pytest.param("closed", id="R-SIG-053"),
        pytest.param("running", id="R-SIG-054"),
        pytest.param("measured 12.5V", id="R-SIG-057"),
    ],
)
def test_R_SIG_043_057_short_answers_close_the_step(text: str) -> None:
    assert "wp_2" in at("water_pump", done=["wp_1"]).turn(text)["context"]["completedSteps"]


@pytest.mark.parametrize(
    "text",
    [
        pytest.param("все чисто", id="R-SIG-063"),
        pytest.param("all clean", id="R-SIG-064"),
        "todo limpio",
        "looks good",
        "чисто",
    ],
)
def test_R_SIG_063_064_an_inspection_that_finds_nothing_closes_its_step(text: str) -> None:
    assert "wh_10" in heater("wh_10").turn(text)["context"]["completedSteps"]


def test_R_SIG_068_070_replies_keep_to_the_step() -> None:
    face = at("water_pump")
    assert "STEP_COMPLIANCE" in rules(face, "Is the thermocouple clean and in the flame path?")
    assert not rules(face, "When you open a faucet, does the pump try to start, and do you hear any sound or hum?")
    named = "wp_3: open a faucet, does the pump try to start with any sound, hum or vibration?"
    assert "STEP_COMPLIANCE" in rules(face, named)


@pytest.mark.parametrize("text", ["", "...", "hello", "thanks!", "привет", "what's the weather like?", "👍"])
def test_what_says_nothing_is_unclear_and_the_step_stays(text: str) -> None:
    turn = at("water_pump", done=["wp_1"]).turn(text)
    assert turn["intent"]["type"] == "UNCLEAR"
    assert turn["context"]["activeStepId"] == "wp_2"


@pytest.mark.parametrize("text", ["what's next?", "what now", "что дальше?", "qué sigue?", "what is the next step?"])
def test_a_flow_question_closes_nothing(text: str) -> None:
    turn = at("water_pump", done=["wp_1"]).turn(text)
    assert turn["intent"]["type"] == "FLOW_QUESTION"
    assert turn["context"]["activeStepId"] == "wp_2"
    assert turn["instructions"]["action"] == "ask_step"
