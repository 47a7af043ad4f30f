"""Branches and gates: what is said in which state, and what must come of it."""

from __future__ import annotations

import pytest

from tests.desk.rows.cases import (
    at,
    before,
    heater,
)


@pytest.mark.parametrize(
    ("step", "text", "branch", "following"),
    [
        ("wh_6", "no spark at all", "no_ignition", "wh_6a"),
        ("wh_6", "no", "no_ignition", "wh_6a"),
        ("wh_6", "не щелкает", "no_ignition", "wh_6a"),
        ("wh_6", "no hay chispa", "no_ignition", "wh_6a"),
        ("wh_7", "lights but goes out after a few seconds", "flame_failure", "wh_7a"),
        pytest.param("wh_7", "пламя зажигается но быстро гаснет", "flame_failure", "wh_7a", id="R-BR-011"),
        ("wh_7", "enciende y se apaga", "flame_failure", "wh_7a"),
        pytest.param("wh_8", "No gas smell at burner tube", "no_gas", "wh_8a", id="R-BR-004"),
        ("wh_8", "газа нет", "no_gas", "wh_8a"),
        pytest.param("wh_5", "No 12V DC at the control board, reading 0.0V", "no_12v_supply", "wh_5a", id="R-BR-014"),
        ("wh_5", "нет 12 вольт", "no_12v_supply", "wh_5a"),
        ("wh_5", "no hay voltaje", "no_12v_supply", "wh_5a"),
        ("wh_5", "0v", "no_12v_supply", "wh_5a"),
        pytest.param("wh_6", "Yes, I hear clicking", None, "wh_7", id="R-BR-005"),
        pytest.param("wh_5", "12.6V DC is present at the control board", None, "wh_6", id="R-BR-015"),
        ("wh_5", "12.0 V", None, "wh_6"),
        ("wh_7", "blue and steady", None, "wh_8"),
        ("wh_3", "no spark at all", None, "wh_4"),
    ],
)
def test_R_BR_answers_open_branches_on_their_steps_only(
    step: str, text: str, branch: str | None, following: str
) -> None:
    context = heater(step).turn(text)["context"]
    assert (context["activeBranch"], context["activeStepId"]) == (branch, following)


def test_R_BR_007_019_no_second_branch_inside_a_branch() -> None:
    face = at("water_heater", done=before("water_heater", "wh_7"), active="wh_6a", branch="no_ignition")
    context = face.turn("it lights but goes out, and no gas smell")["context"]
    assert context["activeBranch"] == "no_ignition"
    assert context["lockedBranches"] == ["flame_failure"]


def test_R_BR_008_a_finished_branch_is_left() -> None:
    face = at(
        "water_heater", done=[*before("water_heater", "wh_7"), "wh_6a", "wh_6b"], active="wh_6c", branch="no_ignition"
    )
    context = face.turn("yes, continuity is good")["context"]
    assert (context["activeBranch"], context["activeStepId"]) == (None, "wh_7")
    assert [e["what"] for e in context["decisionPath"] if "branch" in e["what"]] == ["branch_entered", "branch_left"]


def test_R_BR_012_every_step_is_served_once() -> None:
    face = at("water_heater")
    answers = {"wh_1": "a combo", "wh_5": "no 12 V", "wh_6": "no", "wh_7": "lights and goes out", "wh_8": "no gas"}
    served = []
    for _ in range(40):
        step = face.context()["activeStepId"]
        if step is None:
            break
        served.append(step)
        face.turn(answers.get(step, "yes it is fine"))
    assert len(served) == len(set(served))
    assert face.context()["activeStepId"] is None


def test_R_BR_013_a_procedure_without_branches() -> None:
    face = at("water_pump", done=["wp_1"], active="wp_2")
    assert face.procedure("water_pump").branch == ()  # type: ignore[union-attr]
    assert face.turn("no 12 V")["context"]["activeBranch"] is None


def test_R_BR_016_the_critical_branch_overrides() -> None:
    face = at("water_heater", done=before("water_heater", "wh_7"), active="wh_6a", branch="no_ignition")
    context = face.turn("нет 12 В на модуле поджига во время попытки розжига")["context"]
    assert (context["activeBranch"], context["activeStepId"]) == ("no_12v_supply", "wh_5a")


@pytest.mark.parametrize(
    ("text", "excluded"),
    [
        pytest.param("Suburban SW10GE, gas", True, id="R-GATE-004"),
        pytest.param("Atwood gas water heater, model G6A-8E", True, id="R-GATE-005"),
        pytest.param("Suburban, газовый", True, id="R-GATE-006"),
        ("only LP", True),
        ("es solo de gas", True),
        pytest.param("combo gas and electric, Suburban", False, id="R-GATE-007"),
        pytest.param("it's both — gas and electric, Dometic", False, id="R-GATE-008"),
        pytest.param("has an electric element, Suburban combo", False, id="R-GATE-009"),
        ("Suburban model, not sure of type yet", False),
    ],
)
def test_R_GATE_the_type_decides_on_the_combo_step(text: str, excluded: bool) -> None:
    face = at("water_heater", active="wh_1")
    context = face.turn(text)["context"]
    assert ("combo" in context["excludedSubtypes"]) == excluded
    assert ("wh_11" in context["openSteps"]) != excluded


@pytest.mark.parametrize(
    "text", [pytest.param("это не COMBO", id="R-GATE-010"), "не комби", "not combo", "no es combo"]
)
def test_R_GATE_010_013_no_combo_is_said_on_any_step(text: str) -> None:
    face = at("water_heater", active="wh_1")
    assert not face.turn("Suburban model, not sure of type yet")["context"]["excludedSubtypes"]
    assert face.turn(text)["context"]["excludedSubtypes"] == ["combo"]
    face = heater("wh_11")
    context = face.turn(text)["context"]
    assert "wh_11" in context["unableSteps"]
    assert context["activeStepId"] not in (None, "wh_11")


def test_gas_water_heater_alone_excludes_nothing_on_other_steps() -> None:
    assert heater("wh_3").turn("yes, the gas water heater is near the stove")["context"]["excludedSubtypes"] == []
