"""Guided help: what is said in which state, and what must come of it."""

from __future__ import annotations

import pytest

from tests.desk.rows.cases import (
    at,
    before,
    heater,
    type_of,
)


@pytest.mark.parametrize(
    ("text", "category"),
    [
        pytest.param("Where is it?", "LOCATE_COMPONENT", id="R-GUIDE-001"),
        pytest.param("What does it look like?", "APPEARANCE_RECOGNITION", id="R-GUIDE-002"),
        pytest.param("Is this the right one?", "CONFIRM_STEP_TARGET", id="R-GUIDE-003"),
        pytest.param("left side?", "GENERIC_STEP_SUPPORT", id="R-GUIDE-004"),
        pytest.param("that one?", "CONFIRM_STEP_TARGET", id="R-GUIDE-008"),
        pytest.param("это он?", "CONFIRM_STEP_TARGET", id="R-GUIDE-009"),
        pytest.param("¿es este?", "CONFIRM_STEP_TARGET", id="R-GUIDE-010"),
        pytest.param("А как проверить 12V?", "HOW_TO_CHECK", id="R-GUIDE-011"),
        pytest.param("Bueno, cómo mido 12V ahí?", "HOW_TO_CHECK", id="R-GUIDE-019"),
        ("near the fuse box?", "GENERIC_STEP_SUPPORT"),
        ("как он выглядит?", "APPEARANCE_RECOGNITION"),
        ("¿cómo se ve?", "APPEARANCE_RECOGNITION"),
        ("слева?", "GENERIC_STEP_SUPPORT"),
        ("I don't understand the question", "GENERIC_STEP_SUPPORT"),
        ("не понял вопрос", "GENERIC_STEP_SUPPORT"),
        ("no entiendo la pregunta", "GENERIC_STEP_SUPPORT"),
        ("here is a photo", "PHOTO_CONFIRMATION"),
        ("do you mean the white connector?", "CONFIRM_STEP_TARGET"),
    ],
)
def test_R_GUIDE_help_keeps_the_step_and_names_its_category(text: str, category: str) -> None:
    face = heater("wh_5")
    turn = face.turn(text)
    assert turn["intent"]["value"] == category
    assert turn["context"]["activeStepId"] == "wh_5"
    assert "wh_5" not in turn["context"]["completedSteps"]


def test_a_photo_alone_is_help_and_stays_with_the_case() -> None:
    face = heater("wh_5")
    turn = face.turn("", photo="board.jpg")
    assert turn["intent"]["value"] == "PHOTO_CONFIRMATION"
    assert turn["context"]["artifacts"][0]["name"] == "board.jpg"
    assert turn["context"]["activeStepId"] == "wh_5"


def test_R_GUIDE_020_028_a_finding_is_no_help() -> None:
    face = heater("wh_5")
    face.turn("Is this the right one?")
    turn = face.turn("12.6V is present at the control board input.")
    assert "wh_5" in turn["context"]["completedSteps"]
    assert turn["context"]["activeStepId"] == "wh_6"
    assert type_of(heater("wh_5"), "I measured 12.6V at the board input.") == "MAIN_DIAGNOSTIC"


def test_R_GUIDE_024_025_help_inside_a_branch_keeps_branch_and_step() -> None:
    face = at("water_heater", done=[*before("water_heater", "wh_6")], active="wh_5a", branch="no_12v_supply")
    assert face.turn("Where is the fuse on this model?")["context"]["activeStepId"] == "wh_5a"
    face = at("water_heater", done=[*before("water_heater", "wh_6")], active="wh_5a", branch="no_12v_supply")
    face.chat.hear("говори по-русски")
    for text in (
        "Как проверить предохранитель?",
        "Где находится предохранитель у этой модели?",
        "А как измеритл 12В",
        "Фото приложил — это он?",
    ):
        context = face.turn(text)["context"]
        assert (context["activeStepId"], context["activeBranch"]) == ("wh_5a", "no_12v_supply"), text
        assert context["submode"] != "main", text
        reply = face.chat.say(face.help_text())
        assert reply.allowed, reply.violations


def test_R_GUIDE_027_an_invalid_help_text_is_replaced_by_the_desks_own() -> None:
    face = heater("wh_5")
    face.turn("how do I check it?")
    reply = face.chat.check("Let's move on to the next step. Final report?")
    assert not reply.allowed
    assert reply.instead == face.help_text()
    assert "same step is still open" in face.help_text()
    assert "11.5-13.5 V" in face.help_text()
