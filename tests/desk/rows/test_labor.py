"""Labor: what is said in which state, and what must come of it."""

from __future__ import annotations

from typing import Any

import pytest

from tests.desk.rows.cases import (
    at,
    authorizing,
    new,
    produced,
    rules,
)


def test_R_LABOR_001_a_draft_blocks_nothing() -> None:
    face = at("water_pump", done=["wp_1"])
    drafted = face.draft_labor(1.5)
    assert (drafted["mode"], drafted["estimatedHours"], drafted["requiresConfirmation"]) == ("draft", 1.5, False)
    assert not drafted["blocks"]
    assert face.turn("12.6 V")["context"]["completedSteps"] == ["wp_1", "wp_2"]


@pytest.mark.parametrize(
    ("text", "value", "hours"),
    [
        pytest.param("make it 2 hours", 2.0, 2.0, id="R-LABOR-002"),
        pytest.param("2.0 hours", 2.0, 2.0, id="R-LABOR-007"),
        pytest.param("3 hr", 3.0, 3.0, id="R-LABOR-008"),
        pytest.param("2.5h", 2.5, 2.5, id="R-LABOR-009"),
        ("2,5 часа", 2.5, 2.5),
        ("pon 3 horas", 3.0, 3.0),
        ("1", 1.0, 1.0),
        pytest.param("confirm", "accept", 1.5, id="R-LABOR-012"),
        ("ok", "accept", 1.5),
        ("yes", "accept", 1.5),
        pytest.param("подтверждаю", "accept", 1.5, id="R-LABOR-016"),
        ("de acuerdo", "accept", 1.5),
        pytest.param("sounds good", "accept", 1.5, id="R-LABOR-018"),
    ],
)
def test_R_LABOR_002_018_hours_or_a_nod_confirm_the_draft(text: str, value: Any, hours: float) -> None:
    face = authorizing()
    turn = face.turn(text)
    assert turn["intent"] == {"type": "CONFIRMATION", "value": value}
    labor = turn["context"]["labor"]
    assert (labor["mode"], labor["confirmedHours"], labor["estimatedHours"]) == ("confirmed", hours, 1.5)
    assert labor["confirmedAt"]


@pytest.mark.parametrize("text", ["12 V", "right side", "correct polarity", "0.2 ohm", "5 minutes", "25 hours", "no"])
def test_technical_words_are_no_confirmation(text: str) -> None:
    face = authorizing()
    assert face.turn(text)["context"]["labor"]["mode"] == "draft"


@pytest.mark.parametrize(
    ("text", "hours"),
    [
        pytest.param("Estimated total labor: 1.5 hours", 1.5, id="R-LABOR-003"),
        pytest.param("Total labor: 3.0 hours", 3.0, id="R-LABOR-005"),
        ("Total labor: 2 hr", 2.0),
        pytest.param("Hello, how are you?", None, id="R-LABOR-006"),
    ],
)
def test_R_LABOR_003_006_estimates_are_read_from_replies(text: str, hours: float | None) -> None:
    face = new()
    face.chat.say(text)
    assert face.labor()["estimatedHours"] == hours


@pytest.mark.parametrize(
    ("confirmed", "text", "rule"),
    [
        (1.0, "Access 0.2 hr\nTest 0.3 hr\nReplace 0.3 hr\nVerify 0.2 hr\nTotal labor: 1.0 hr", None),
        (1.5, "Total labor: 2.5 hr", "LABOR_TOTAL_MISMATCH"),
        (1.5, "Remove 1.0 hr\nInstall 1.0 hr\nTotal labor: 1.5 hr", "LABOR_SUM_DRIFT"),
        (2.8, "A 0.5 hr\nB 0.5 hr\nC 0.5 hr\nD 0.5 hr\nE 0.5 hr\nF 0.3 hr\nTotal labor: 2.8 hr", None),
    ],
)
def test_R_LABOR_020_023_lines_and_total_agree(confirmed: float, text: str, rule: str | None) -> None:
    face = authorizing()
    face.confirm_labor(confirmed)
    labor = {r for r in rules(face, text) if r in ("LABOR_SUM_DRIFT", "LABOR_TOTAL_MISMATCH")}
    assert labor == ({rule} if rule else set())


def test_R_LABOR_024_replies_in_authorization() -> None:
    face = authorizing()
    assert not rules(face, "Estimated total labor: 1.5 hours. Please confirm or change the hours.")
    assert "LABOR_ESTIMATE" in rules(face, "Please confirm the authorization.")
    assert "LABOR_CONFIRM_LINE" in rules(face, "Authorization: Estimated total labor: 1.5 hours.")
    full = "Complaint: x\nVerified Condition: y\nEstimated total labor: 1.5 hours. Please confirm."
    assert "AUTHORIZATION_DRIFT" in rules(face, full)


def test_R_LABOR_025_both_hours_are_kept_and_the_confirmed_wins() -> None:
    face = authorizing()
    face.confirm_labor(2.5)
    assert (face.labor()["estimatedHours"], face.labor()["confirmedHours"]) == (1.5, 2.5)
    assert face.chat.state.labor.hours == 2.5
    assert new().labor()["mode"] == "none"


@pytest.mark.parametrize(
    ("text", "hours"),
    [
        pytest.param("set to 2.5 hours", 2.5, id="R-LABOR-026"),
        pytest.param("recalculate labor to 2.5 hours", 2.5, id="R-LABOR-031"),
        ("change total labor to 0.5 hr", 0.5),
        pytest.param("make it 2 hours", 2.0, id="R-LABOR-011"),
        ("пересчитай на 3 часа", 3.0),
        ("cambia a 2 horas", 2.0),
        pytest.param("set to 25 hours", None, id="R-LABOR-030"),
        pytest.param("what is the weather?", None, id="R-LABOR-033"),
        pytest.param("2.5", None, id="R-LABOR-034"),
        pytest.param("make step 2 clearer", None, id="R-LABOR-037"),
    ],
)
def test_R_LABOR_026_037_another_total_after_a_report(text: str, hours: float | None) -> None:
    face = produced()
    turn = face.turn(text)
    assert turn["context"]["labor"]["confirmedHours"] == hours
    if hours is not None:
        assert turn["context"]["mode"] == "final_report"
        assert turn["instructions"]["action"] == "generate_report"
        assert f"Total labor: {hours:g} hr" in face.text_for_model()


def test_R_LABOR_038_without_a_report_there_is_no_total_to_change() -> None:
    face = at("water_pump", done=["wp_1"])
    assert face.turn("make it 2 hours")["context"]["labor"]["confirmedHours"] is None


def test_labor_can_be_skipped_and_the_report_takes_the_draft() -> None:
    face = authorizing()
    assert face.turn("skip labor")["context"]["labor"]["mode"] == "skipped"
    face = authorizing()
    face.enter("diagnostic")
    assert face.turn("START FINAL REPORT")["context"]["mode"] == "final_report"
    assert "Total labor: 1.5 hr" in face.report()
