"""Clarification: what is said in which state, and what must come of it."""

from __future__ import annotations

import pytest

from tests.desk.rows.cases import (
    at,
    new,
)


@pytest.mark.parametrize(
    ("row", "text", "intent", "query"),
    [
        ("R-CLAR-001", "Where is the capacitor?", "LOCATE", "capacitor"),
        ("R-CLAR-002", "Where can I find the fuse panel?", "LOCATE", "fuse panel"),
        ("R-CLAR-003", "where do I find the pressure switch", "LOCATE", "pressure switch"),
        ("R-CLAR-004", "где находится конденсатор?", "LOCATE", "конденсатор"),
        ("R-CLAR-005", "dónde está el capacitor?", "LOCATE", "capacitor"),
        ("R-CLAR-006", "what is a contactor?", "EXPLAIN", "contactor"),
        ("R-CLAR-007", "What's this relay for?", "EXPLAIN", "relay"),
        ("R-CLAR-009", "что такое контактор?", "EXPLAIN", "контактор"),
        ("R-CLAR-010", "¿qué es un contactor?", "EXPLAIN", "contactor"),
        ("R-CLAR-011", "how do I check the voltage?", "HOWTO", "voltage"),
        ("R-CLAR-014", "how should I verify ground?", "HOWTO", "ground"),
        ("R-CLAR-015", "как проверить напряжение?", "HOWTO", "напряжение"),
        ("R-CLAR-016", "cómo puedo verificar el voltaje?", "HOWTO", "voltaje"),
        ("more", "Where is the fuse located?", "LOCATE", "fuse"),
        ("more", "which side is the drain valve on?", "LOCATE", None),
        ("more", "what does the limit switch do?", "EXPLAIN", "limit switch"),
        ("more", "для чего нужен парусный выключатель?", "EXPLAIN", "парусный выключатель"),
        ("more", "para qué sirve el presostato?", "EXPLAIN", "presostato"),
        ("more", "подскажите, где искать предохранитель", "LOCATE", "предохранитель"),
        ("more", "dónde queda el fusible", "LOCATE", "fusible"),
        ("more", "покажи как измерить напряжение", "HOWTO", "напряжение"),
        ("more", "cómo se mide la resistencia?", "HOWTO", "resistencia"),
    ],
)
def test_questions_are_read_with_what_they_ask_for(row: str, text: str, intent: str, query: str | None) -> None:
    read = new().turn(text)["intent"]
    assert read["type"] == intent
    if query is not None:
        assert read["query"].casefold() == query


def test_R_CLAR_017_018_topics_nest_and_come_back() -> None:
    face = at("roof_ac")
    assert face.push("LOCATE", "capacitor")["submode"] == "locate"
    assert face.context()["topicStack"][0]["topic"] == "capacitor"
    nested = face.push("EXPLAIN", "capacitor function")
    assert (len(nested["topicStack"]), nested["submode"]) == (2, "explain")
    assert face.pop()["submode"] == "locate"
    after = face.pop()
    assert (after["submode"], after["topicStack"]) == ("main", [])


def test_R_CLAR_019_020_026_the_text_for_the_model_knows_the_submode() -> None:
    face = at("roof_ac", done=["ac_1"], active="ac_5")
    turn = face.turn("how do I check the capacitor?")
    told = turn["instructions"]
    assert (told["action"], told["clarificationType"], told["returnToStep"]) == (
        "provide_clarification",
        "howto",
        "ac_5",
    )
    assert turn["context"]["submode"] == "howto"
    text = face.text_for_model()
    for words in ("CLARIFICATION SUBFLOW RULES", "HOWTO", "capacitor", "diagnostic flow", "Do NOT close the step"):
        assert words in text
    for words in ("actions", "expected reading", "tools", "not an answer to the step", "ask the same step again"):
        assert words in text
    assert "One paragraph" in text
    face.push("LOCATE", "capacitor")
    assert all(words in face.text_for_model() for words in ("where", "access", "landmarks"))
    face.push("EXPLAIN", "capacitor")
    assert all(words in face.text_for_model() for words in ("function", "role", "why it matters"))


def test_R_CLAR_025_the_topic_is_popped_after_the_reply() -> None:
    face = at("roof_ac", done=["ac_1"], active="ac_5")
    face.turn("where is the capacitor?")
    face.chat.say(face.help_text())
    context = face.context()
    assert (context["submode"], context["topicStack"], context["activeStepId"]) == ("main", [], "ac_5")


@pytest.mark.parametrize(
    "text",
    [
        pytest.param("how to check?", id="R-CLAR-027"),
        pytest.param("How do I test that?", id="R-CLAR-028"),
        pytest.param("how should I verify the ground", id="R-CLAR-030"),
        pytest.param("как проверить", id="R-CLAR-031"),
        pytest.param("cómo puedo verificar", id="R-CLAR-033"),
        pytest.param("explain how to do that", id="R-CLAR-034"),
        "ok so how do I measure it",
        "ну а как измерить",
    ],
)
def test_R_CLAR_027_034_howto_keeps_the_step_open(text: str) -> None:
    face = at("awning")
    turn = face.turn(text)
    assert turn["intent"]["type"] == "HOWTO"
    assert turn["context"]["activeStepId"] == "awn_1"
    assert turn["context"]["completedSteps"] == []


@pytest.mark.parametrize(
    "text",
    [
        pytest.param("fuse is blown", id="R-CLAR-036"),
        pytest.param("12.6 volts", id="R-CLAR-037"),
        pytest.param("yes ground is good", id="R-CLAR-038"),
        pytest.param("already checked", id="R-CLAR-039"),
    ],
)
def test_R_CLAR_036_039_answers_are_no_howto(text: str) -> None:
    face = at("awning")
    turn = face.turn(text)
    assert turn["intent"]["type"] != "HOWTO"


@pytest.mark.parametrize(
    ("text", "step"), [("12.6 volts", "awn_2"), ("already checked", "awn_2"), ("fuse is blown", "awn_1")]
)
def test_a_battery_voltage_is_answered_by_a_voltage_and_not_by_the_fuse(text: str, step: str) -> None:
    assert at("awning").turn(text)["context"]["activeStepId"] == step


def test_R_CLAR_041_the_howto_instruction_is_gone_after_the_next_answer() -> None:
    face = at("awning")
    face.turn("how to check?")
    text = face.text_for_model()
    for words in ("HOW-TO-CHECK INSTRUCTION", "Do NOT close this step", "re-ask the SAME step"):
        assert words in text
    face.turn("12.6 V")
    assert "HOW-TO-CHECK" not in face.text_for_model()
    assert face.context()["completedSteps"] == ["awn_1"]


def test_R_CLAR_042_not_finding_the_leak_is_unable() -> None:
    face = at("lp_gas", done=["lpg_1", "lpg_2"], active="lpg_3")
    turn = face.turn("I can't find the leak")
    assert turn["intent"]["type"] == "UNABLE_TO_VERIFY"
    assert turn["context"]["unableSteps"] == ["lpg_3"]
    assert turn["context"]["activeStepId"] == "lpg_4"


def test_R_CLAR_044_it_is_the_component_of_the_open_step() -> None:
    face = at("roof_ac", done=["ac_1"], active="ac_5")
    assert face.turn("ok so where is it")["intent"] == {
        "type": "LOCATE",
        "query": "capacitor",
        "value": "LOCATE_COMPONENT",
    }
