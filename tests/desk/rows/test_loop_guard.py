"""Loop guard: what is said in which state, and what must come of it."""

from __future__ import annotations

import pytest

from tests.desk.rows.cases import (
    at,
    new,
)


@pytest.mark.parametrize(
    "text",
    [
        pytest.param("Can you provide more information?", id="R-LOOP-001"),  # R-LOOP-001
        pytest.param("Could you tell me more about the issue?", id="R-LOOP-004"),  # R-LOOP-004
        pytest.param("Можете предоставить больше информации о проблеме?", id="R-LOOP-020"),  # R-LOOP-020
        pytest.param("¿Puede proporcionar más información sobre el problema?", id="R-LOOP-021"),  # R-LOOP-021
        "Please provide additional details.",
        "Can you describe the issue in more detail?",
        "I need more details to proceed.",
        "Could you share more information about what's happening?",
        "Could you provide further details regarding the problem you are experiencing?",
        "Опишите проблему подробнее, пожалуйста.",
        "Could you please describe the problem?",
        "I need more information about the issue.",
        "Can you elaborate?",
        "Tell me more.",
        "Please share more details about what is happening.",
        "How can I help you?",
        "Расскажите подробнее о проблеме.",
        "Опишите проблему",
        "Чем я могу помочь?",
        "¿Podría dar más detalles?",
        "Cuénteme más sobre el problema.",
        "Thank you. Can you give me more information?",
    ],
)
def test_a_request_without_an_object_is_a_fallback(text: str) -> None:
    assert new().is_fallback(text)


@pytest.mark.parametrize(
    "text",
    [
        pytest.param("Does the motor hum when activated?", id="R-LOOP-006"),  # R-LOOP-006
        pytest.param("What voltage do you measure?", id="R-LOOP-007"),  # R-LOOP-007
        "Can you provide the exact voltage reading?",
        "Can you provide more information about the noise of the blower?",
        "Please describe the color of the flame.",
        "Can you give me more details? What voltage is at the pump?",
        "Какое напряжение на клеммах?",
        "¿Qué voltaje mide?",
        "Опишите звук насоса",
        "Tell me what the meter shows.",
    ],
)
def test_a_question_with_an_object_is_no_fallback(text: str) -> None:
    assert not new().is_fallback(text)


def test_R_LOOP_008_a_second_fallback_in_a_row_is_refused_with_something_better() -> None:
    face = new()
    assert face.chat.say("Can you provide more information about the issue?").violations == ()
    verdict = face.propose("fallback")
    assert verdict["violation"]
    assert "fallback" in verdict["reason"]
    reply = face.chat.say("Could you tell me more?")
    assert not reply.allowed
    assert reply.instead
    assert not face.is_fallback(reply.instead)


def test_R_LOOP_009_only_consecutive_fallbacks_count() -> None:
    face = at("water_pump", done=["wp_1"])
    face.chat.act(lambda draft: [])
    face.chat.say("Does the meter show 12 V DC at the pump motor terminals with the faucet open, and what exactly?")
    assert face.chat.state.guard.fallbacks == 0
    assert face.propose("fallback") == {"violation": False}


def test_R_LOOP_010_011_closed_steps_are_never_asked_again() -> None:
    face = at("water_pump", done=["wp_1"], unable=["wp_2"])
    assert face.propose("question", "wp_1")["reason"] == "Step wp_1 already completed"
    assert "unable to verify" in face.propose("question", "wp_2")["reason"]
    assert face.propose("question", "wp_3") == {"violation": False}


def test_R_LOOP_012_013_directives_name_closed_steps_and_what_is_forbidden() -> None:
    face = new()
    face.chat.say("Can you provide more information about the issue?")
    face.start("water_pump", done=["wp_1"], unable=["wp_2"])
    lines = face.anti_loop_directives()
    assert lines[0] == "ANTI-LOOP RULES (CRITICAL):"
    assert sum(line.startswith("FORBIDDEN") for line in lines) == 2
    assert any("wp_1" in line and "wp_2" in line for line in lines)
    assert lines[-1].startswith("FORWARD PROGRESS")


def test_R_LOOP_014_017_a_step_is_asked_at_most_twice_and_the_way_out_is_taken() -> None:
    face = at("water_pump")
    for _ in range(2):
        face.chat.say(face.fallback())
        face.turn("...")
    assert "wp_1" in face.context()["unableSteps"]
    assert face.context()["activeStepId"] == "wp_2"
    assert any(entry["what"] == "recovery" for entry in face.context()["decisionPath"])
    face = at("water_pump")
    face.chat.say(face.fallback())
    face.chat.hear("hello")
    face.chat.say(face.fallback())
    assert "asked too many times" in face.propose("question", "wp_1")["reason"]
    assert "mark the step unable" in face.propose("question", "wp_1")["reason"]


@pytest.mark.parametrize(
    ("reason", "action"),
    [
        ("Step wp_1 asked too many times", "mark_unable:wp_1"),
        ("Cannot output fallback twice in a row", "force_next_step"),
        ("Step wp_1 already completed", "force_forward"),
    ],
)
def test_R_LOOP_016_every_violation_has_a_way_out(reason: str, action: str) -> None:
    way = new().recovery(reason)
    assert way["action"] == action
    assert way["reason"]


def test_R_LOOP_018_actions_without_a_step_are_not_the_same_step() -> None:
    face = new()
    face.chat.say("Which system is it about, the roof AC or the fridge?")
    face.chat.hear("hm")
    face.chat.say("Is it the slide-out or the awning that has the complaint?")
    assert face.propose("question") == {"violation": False}


def test_R_LOOP_023_ten_actions_are_kept() -> None:
    face = new()
    for number in range(14):
        face.chat.say(f"Is circuit {number} on?")
    assert len(face.context()["lastAgentActions"]) == 10
    assert face.chat.state.guard.fallbacks == 0
