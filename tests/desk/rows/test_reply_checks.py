"""Reply checks: what is said in which state, and what must come of it."""

from __future__ import annotations

import pytest

from tests.desk.rows.cases import (
    at,
    authorizing,
    heater,
    new,
    produced,
    rules,
)


@pytest.mark.parametrize(
    ("row", "text", "rule"),
    [
        ("R-VAL-002", "Complaint: no water\nVerified Condition: none. Is it on?", "DIAGNOSTIC_DRIFT"),
        ("R-VAL-002", "Findings: none. Conclusion: pump. Is it on?", "DIAGNOSTIC_DRIFT"),
        ("R-VAL-003", "Is it on?\n--- TRANSLATION ---\nВключено?", "DIAGNOSTIC_DRIFT"),
        ("R-VAL-004", "Is the component broken?", "PROHIBITED_WORDS"),
        ("R-VAL-005", "Is the component failed?", "PROHIBITED_WORDS"),
        ("R-VAL-008", "Is the component Damaged?", "PROHIBITED_WORDS"),
        ("R-VAL-011", "Is the component leaking?", "PROHIBITED_WORDS"),
        ("R-VAL", "Датчик неисправен?", "PROHIBITED_WORDS"),
        ("R-VAL", "¿El sensor está defectuoso?", "PROHIBITED_WORDS"),
        ("R-VAL-013", "The isolation is complete based on this finding.", "AUTHORITY"),
        ("R-VAL-014", "Conditions are met. Is it on?", "AUTHORITY"),
        ("R-VAL-015", "Изоляция завершена. Работает?", "AUTHORITY"),
        ("R-VAL-016", "Finding noted. [TRANSITION: FINAL_REPORT]", "AUTHORITY"),
        ("R-VAL-001", "The pump is near the tank.", "DIAGNOSTIC_QUESTION"),
        ("R-VAL-001", "Is it on? Does it hum? Is it hot?", "DIAGNOSTIC_QUESTION"),
        ("R5", "I can see in your photo that the fuse is open. Is it?", "UNKNOWN_IMAGE"),
        ("R5", "На вашем фото виден предохранитель. Он цел?", "UNKNOWN_IMAGE"),
    ],
)
def test_R_VAL_diagnostic_replies(row: str, text: str, rule: str) -> None:
    assert rule in rules(new(), text)


def test_whole_words_only_are_prohibited() -> None:
    assert "PROHIBITED_WORDS" not in rules(new(), "Is the badge on the breaker panel readable?")


def test_an_empty_reply_is_refused() -> None:
    assert rules(new(), "  ") == {"EMPTY_OUTPUT"}


def test_R_VAL_017_a_completion_summary_needs_no_question() -> None:
    face = at("water_heater", done=["wh_1"])
    face.turn("replaced wiring - heater works now")
    assert not rules(face, "The wiring was replaced and the heater works. Send START FINAL REPORT and I will do it.")


def test_R_VAL_019_authorization_replies() -> None:
    face = authorizing()
    assert "AUTHORIZATION_TEXT" in rules(face, "Please wait.")
    assert "PROHIBITED_WORDS" in rules(face, "Authorization for the failed pump: Total labor: 1.5 hr, please confirm.")


def test_R_VAL_020_the_report_has_its_headers_in_order() -> None:
    face = produced()
    good = face.report()
    assert not rules(face, good)
    lines = good.split("\n\n")
    assert "REPORT_HEADERS" in rules(face, "\n\n".join([lines[1], lines[0], *lines[2:]]))
    assert "REPORT_TRANSLATION" in rules(face, good + "\n\n--- TRANSLATION ---\nЖалоба")
    assert "REPORT_LIST" in rules(face, good + "\n1. Remove the pump")
    assert "PROHIBITED_WORDS" in rules(face, good + "\nThe pump is defective.")


def test_R_VAL_021_portal_cause_is_one_statement() -> None:
    face = produced()
    face.want_portal_cause()
    assert not rules(face, "The pump clicks and runs as specified.")
    assert "PORTAL_CAUSE" in rules(face, "Complaint: no water\n\nVerified Condition: ok")


def test_R_VAL_022_help_replies() -> None:
    face = heater("wh_5")
    face.turn("where is it?")
    assert not rules(face, "It is behind the outside door. What do you measure at the control board?")
    assert "STEP_HELP" in rules(face, "It is behind the door. The next step is the igniter, what do you see?")
    assert "STEP_HELP" in rules(face, "It is behind the outside door.")


@pytest.mark.parametrize(
    ("first", "text"),
    [
        ("There is an issue with it", "Can you provide more information about the issue?"),
        ("Есть проблема", "Можете предоставить больше информации о проблеме?"),
        ("Hay un problema con esto", "¿Puede proporcionar más información sobre el problema?"),
        ("???", "Please choose language: English / Русский / Español"),
    ],
)
def test_R_VAL_024_027_the_fallback_in_the_case_language(first: str, text: str) -> None:
    face = new()
    face.turn(first)
    assert face.chat.check(" ").instead == text


def test_R_VAL_028_fallbacks_of_the_other_modes() -> None:
    face = authorizing()
    assert face.fallback() == "Information not provided; need additional diagnostic verification."
    face.enter("final_report")
    assert face.fallback().startswith("Unable to generate compliant report")
    face = at("water_pump", done=["wp_1"])
    face.isolate("Pump")
    face.turn("AUTHORIZATION REQUEST")
    assert face.fallback().startswith("Estimated total labor: 1.0 hours")
    assert "confirm" in face.fallback()


def test_R_VAL_029_one_retry_then_the_exact_question() -> None:
    face = at("water_pump")
    told: list[str] = []

    def model(instruction: str) -> str:
        told.append(instruction)
        return "The pump is broken."

    reply = face.deliver(model)
    assert len(told) == 2
    assert "PROHIBITED_WORDS" in told[1]
    assert "compliant output" in told[1]
    assert reply.text == face.desk.library.step("wp_1").en  # type: ignore[union-attr]


@pytest.mark.parametrize(
    ("text", "command"),
    [
        pytest.param("FINAL REPORT", "final_report", id="R-VAL-030"),
        pytest.param("GIVE ME THE REPORT", "final_report", id="R-VAL-031"),
        pytest.param("start final report", "final_report", id="R-VAL-033"),
        ("итоговый отчёт", "final_report"),
        ("informe final", "final_report"),
        pytest.param("AUTHORIZATION REQUEST", "authorization", id="R-VAL-034"),
        pytest.param("preautorización", "authorization", id="R-VAL-036"),
        ("запрос авторизации", "authorization"),
        pytest.param("I think we should finalize the report", None, id="R-VAL-037"),
        pytest.param("reporting voltage at converter", None, id="R-VAL-040"),
        pytest.param("Write report", "report_request", id="R-VAL-041"),
        ("Сделай отчёт по гарантии", "report_request"),
        ("genera el informe", "report_request"),
    ],
)
def test_R_VAL_030_041_mode_commands_are_whole_messages(text: str, command: str | None) -> None:
    intent = at("water_pump", done=["wp_1"]).turn(text)["intent"]
    assert (intent.get("value") if intent["type"] == "COMMAND" else None) == command
