"""The acceptance rows of the RV service desk: what is said in which state, and what must come of it."""

from __future__ import annotations

import itertools
from collections.abc import Callable
from typing import Any

import pytest

from holdfast import Holdfast
from holdfast.faculties.procedure import SystemFound
from holdfast.faculty import Action
from holdfast.packs.rv_service_desk import PACK, pack
from holdfast.packs.service_desk.face import DeskFace

HF = Holdfast(pack=PACK)
_ids = itertools.count()

Case = tuple[str, Callable[[], None]]


def new(hf: Holdfast = HF) -> DeskFace:
    """A fresh case."""
    face: DeskFace = hf.session(f"case-{next(_ids)}").face
    return face


def at(system: str = "water_pump", **how: Any) -> DeskFace:
    """A case in the middle of a procedure."""
    face = new()
    face.start(system, **how)
    return face


def before(system: str, step: str) -> list[str]:
    """The main-flow steps before a step."""
    procedure = PACK.faculty("procedure").desk.library.procedures[system]  # type: ignore[attr-defined]
    ids = [s.id for s in procedure.step if s.branch is None]
    return ids[: ids.index(step)] if step in ids else ids[:1]


def heater(step: str, **how: Any) -> DeskFace:
    return at("water_heater", done=before("water_heater", step), active=step, **how)


def isolated(finding: str = "Compressor not starting", system: str = "roof_ac") -> DeskFace:
    face = at(system, done=["ac_1", "ac_2"] if system == "roof_ac" else ())
    face.isolate(finding)
    return face


def type_of(face: DeskFace, text: str) -> str:
    return str(face.turn(text)["intent"]["type"])


def rules(face: DeskFace, text: str) -> set[str]:
    return {violation.rule for violation in face.chat.check(text).violations}


# --- replan ---


@pytest.mark.parametrize(
    ("row", "text", "evidence"),
    [
        ("R-REPLAN-002", "Actually, I just noticed there's a refrigerant leak on the condenser", "physical_damage"),
        ("R-REPLAN-004", "I discovered a hole in the evaporator coil leaking refrigerant", "physical_damage"),
        ("R-REPLAN-005", "Found a leak at the service valve", "physical_damage"),
        ("R-REPLAN-006", "wait, I found a refrigerant leak on the condenser coil", "physical_damage"),
        ("R-REPLAN-009", "Actually, I just noticed there's a hole in the evaporator coil", "physical_damage"),
        ("R-REPLAN-012", "are you sure?", "technician_dispute"),
        ("R-REPLAN-017", "Actually, I just noticed there's a refrigerant leak on the condenser", "physical_damage"),
        ("ru", "стоп, обнаружил утечку на испарителе", "physical_damage"),
        ("ru", "вы уверены?", "technician_dispute"),
        ("es", "en realidad encontré una fuga en el condensador", "physical_damage"),
        ("es", "eso no puede ser", "technician_dispute"),
        ("R26", "but now I measure 3.2 V", "measurement_change"),
        ("R26", "the capacitor looks loose and there's a burn mark", "physical_damage"),
        ("R26", "that doesn't make sense", "technician_dispute"),
        ("R26", "wait, I see something else behind the panel", "new_observation"),
    ],
)
def test_new_evidence_after_isolation_takes_the_conclusion_back(row: str, text: str, evidence: str) -> None:
    face = isolated()
    turn = face.turn(text)
    context = turn["context"]
    assert turn["intent"] == {"type": "DISPUTE_OR_NEW_EVIDENCE", "evidence": evidence}
    assert (context["isolationComplete"], context["isolationInvalidated"]) == (False, True)
    assert context["submode"] == "replan"
    assert turn["instructions"]["action"] == "replan_notice"
    assert any("Replan" in notice and evidence in notice for notice in turn["notices"])
    assert face.chat.state.diagnosis.replan.reason == f"New evidence after isolation: {text[:100]}"
    told = face.text_for_model()
    assert "REPLAN NOTICE" in told
    assert "do NOT repeat the earlier conclusion" in told
    assert context["activeStepId"]


@pytest.mark.parametrize(
    ("row", "text"),
    [
        ("R-REPLAN-016", "I don't see a leak"),
        ("negated", "no leaks anywhere"),
        ("negated", "утечки нет"),
        ("negated", "утечек не обнаружено"),
        ("negated", "no veo ninguna fuga"),
        ("thanks", "ok thanks"),
        ("question", "where is the capacitor?"),
        ("restored", "now it works"),
    ],
)
def test_what_is_no_evidence_leaves_the_isolation_alone(row: str, text: str) -> None:
    face = isolated()
    context = face.turn(text)["context"]
    assert context["isolationComplete"]
    assert not context["isolationInvalidated"]


@pytest.mark.parametrize(
    ("text", "label"),
    [
        ("found a leak on the evaporator", "refrigerant_leak_path"),
        ("I see a hole in the hose", "fluid_leak_path"),
        ("found a burn on the board", "electrical_damage_path"),
        ("found a melted connector", "electrical_damage_path"),
        ("noticed a crack in the housing of the fan", "mechanical_damage_path"),
    ],
)
def test_R_REPLAN_013_damage_labels_the_path(text: str, label: str) -> None:
    face = isolated()
    turn = face.turn(text)
    assert face.chat.state.diagnosis.replan.label == label
    assert label in [h["description"] for h in turn["context"]["hypotheses"]]
    assert turn["context"]["activeStepId"]


def test_R_REPLAN_010_facts_that_call_the_part_ok_are_superseded_by_the_replan() -> None:
    face = at("roof_ac", done=["ac_1"], active="ac_5")
    face.turn("the capacitor is ok")
    face.isolate("Compressor not starting")
    context = face.turn("I found a burn on the capacitor")["context"]
    gone = {f["value"]: f["supersededBy"] for f in context["facts"] if "supersededBy" in f}
    assert gone == {
        "the capacitor is ok": face.chat.state.diagnosis.replan.id,
        "Compressor not starting": face.chat.state.diagnosis.replan.id,
    }


def test_R_REPLAN_014_the_notice_is_given_once() -> None:
    face = isolated()
    face.turn("wait, I found a refrigerant leak on the condenser coil")
    face.chat.say(face.fallback())
    assert face.context()["submode"] == "main"
    turn = face.turn("yes it hums")
    assert turn["context"]["submode"] == "main"
    assert "REPLAN NOTICE" not in face.text_for_model()


def test_a_measurement_that_agrees_is_no_reason_to_replan() -> None:
    face = at("water_pump", done=["wp_1"], active="wp_2")
    face.turn("12.6 volts")
    face.isolate("Pump")
    assert face.turn("now I measure 12.5 V")["context"]["isolationComplete"]
    assert not face.turn("now I measure 9.1 V")["context"]["isolationComplete"]


def test_without_isolation_there_is_never_a_replan() -> None:
    face = at("roof_ac")
    context = face.turn("I found a hole in the evaporator coil")["context"]
    assert not context["isolationInvalidated"]
    assert context["completedSteps"] == ["ac_1"]
    assert context["facts"][0]["type"] == "finding"


# --- loop guard ---


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


# --- clarification ---


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
    assert turn["context"]["activeStepId"] == "awn_2"


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


# --- guided help ---


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


# --- direct power ---


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


# --- labor ---


def authorizing(hours: float = 1.5) -> DeskFace:
    face = at("water_pump", done=["wp_1"])
    face.isolate("Pump")
    face.draft_labor(hours)
    face.enter("authorization")
    return face


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


def produced() -> DeskFace:
    face = at("water_pump", done=["wp_1", "wp_2", "wp_3", "wp_4"], active="wp_5")
    face.turn("yes it clicks")
    face.turn("START FINAL REPORT")
    reply = face.chat.say(face.report())
    assert reply.allowed, reply.violations
    return face


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


# --- procedures ---


@pytest.mark.parametrize(
    ("text", "system"),
    [
        pytest.param("Water pump not working when faucet opened", "water_pump", id="R-PROC-001"),
        pytest.param("AC not cooling", None, id="R-PROC-003"),
        pytest.param("Не работает AC", None, id="R-PROC-004"),
        pytest.param("heat pump not heating or cooling", "roof_ac", id="R-PROC-007"),
        ("Rooftop AC blows warm", "roof_ac"),
        ("dash AC not cold", "cab_ac"),
        pytest.param("кондиционер кабины", "cab_ac", id="R-PROC-009"),
        ("кондиционер на крыше не холодит", "roof_ac"),
        pytest.param("Fridge not cooling", "refrigerator", id="R-PROC-011"),
        pytest.param("Solar controller shows fault and batteries are not charging", "solar_system", id="R-PROC-012"),
        pytest.param("Aqua-Hot has no coach heat and no hot water", "aqua_hot_system", id="R-PROC-013"),
        pytest.param("BMPro screen is blank and tank data is offline", "bmpro_system", id="R-PROC-014"),
        ("Ice maker makes no ice", "ice_maker"),
        pytest.param("Slide-out won't extend", "slide_out", id="R-PROC-016"),
        pytest.param("Leveling jack system not responding", "leveling", id="R-PROC-017"),
        pytest.param("Inverter not producing AC output", "inverter_converter", id="R-PROC-018"),
        pytest.param("водонагреватель не работает", "water_heater", id="R-PROC-021"),
        pytest.param("water heater not working", "water_heater", id="R-PROC-022"),
        ("Suburban heater does not light", "water_heater"),
        ("Furnace does not ignite", "furnace"),
        ("propane smell near the regulator", "lp_gas"),
        ("microwave dead", "consumer_appliance"),
        ("GFCI trips", "electrical_ac"),
        ("lights do not work", "electrical_12v"),
        ("la bomba de agua no funciona", "water_pump"),
        ("el toldo no abre", "awning"),
        ("слайд не выдвигается", "slide_out"),
        ("насос молчит", "water_pump"),
        ("el aire no enfría", None),
        ("hello", None),
    ],
)
def test_R_PROC_001_022_the_system_is_found_by_its_words(text: str, system: str | None) -> None:
    face = new()
    turn = face.turn(text)
    assert turn["context"]["primarySystem"] == system
    if "AC" in text and system is None:
        assert "roof" in turn["question"]
        assert face.turn("roof")["context"]["primarySystem"] == "roof_ac"


def test_R_PROC_025_026_the_library() -> None:
    face = new()
    assert face.procedure("submarine") is None
    steps = [s for name in face.procedures() for s in face.procedure(name).step]  # type: ignore[union-attr]
    assert (len(face.procedures()), len(steps), len({s.id for s in steps})) == (18, 147, 147)
    gas = [s.id for s in face.procedure("lp_gas").step]  # type: ignore[union-attr]
    assert gas.index("lpg_2") < gas.index("lpg_5")
    for name in ("solar_system", "aqua_hot_system", "bmpro_system", "ice_maker"):
        assert all(s.howto is not None for s in face.procedure(name).step)  # type: ignore[union-attr]


def test_no_question_has_a_prohibited_word_or_more_than_two_question_marks() -> None:
    for procedure in PACK.faculty("procedure").desk.library.procedures.values():  # type: ignore[attr-defined]
        for step in procedure.step:
            for language in ("en", "ru", "es"):
                reading = PACK.reader.read(step.in_(language))
                assert not reading.has("prohibited"), (step.id, language)
                assert reading.text.count("?") <= 2


@pytest.mark.parametrize(
    ("system", "done", "unable", "following"),
    [
        pytest.param("water_pump", [], [], "wp_1", id="R-PROC-027 nothing done"),
        pytest.param("water_pump", ["wp_1"], [], "wp_2", id="R-PROC-027 one done"),
        pytest.param("water_pump", ["wp_1"], ["wp_2"], "wp_3", id="R-PROC-027 one unable"),
        pytest.param("lp_gas", [], [], "lpg_1", id="R-PROC-028 nothing done"),
        pytest.param("lp_gas", ["lpg_1"], [], "lpg_2", id="R-PROC-028 one done"),
        pytest.param("lp_gas", ["lpg_1", "lpg_2", "lpg_3"], [], "lpg_4", id="R-PROC-028 three done"),
        pytest.param("lp_gas", ["lpg_1", "lpg_2", "lpg_3", "lpg_4"], [], "lpg_5", id="R-PROC-028 four done"),
        pytest.param("water_heater", [], [], "wh_1", id="R-PROC-042 nothing done"),
        pytest.param("water_heater", ["wh_1"], [], "wh_2", id="R-PROC-042 one done"),
        pytest.param("water_heater", ["wh_1", "wh_2"], [], "wh_3", id="R-PROC-042 two done"),
        pytest.param("water_heater", ["wh_1"], ["wh_2"], "wh_3", id="R-PROC-042 one unable"),
        pytest.param("water_heater", [f"wh_{n}" for n in range(1, 7)], [], "wh_7", id="R-BR-001"),
        pytest.param("water_pump", [f"wp_{n}" for n in range(1, 6)], [], None, id="R-PROC-029"),
    ],
)
def test_R_PROC_027_042_the_next_step(system: str, done: list[str], unable: list[str], following: str | None) -> None:
    assert new().next_step(system, done, unable) == following


def test_R_PROC_029_all_steps_done() -> None:
    face = at("water_pump", done=["wp_1", "wp_2", "wp_3", "wp_4", "wp_5"])
    text = face.text_for_model()
    assert "ALL STEPS COMPLETE" in text
    assert "START FINAL REPORT" in text
    assert "[TRANSITION" not in text


def test_R_PROC_031_033_the_first_message_closes_what_it_answers() -> None:
    assert len(new().turn("Pump not working")["context"]["completedSteps"]) <= 1
    text = "Water pump dead. Measured 12.4V at pump terminals. Ground is good, 0.2 ohms."
    context = new().turn(text)["context"]
    assert context["completedSteps"] == ["wp_2", "wp_3"]
    assert context["activeStepId"] == "wp_1"
    text = "Насос не работает. На клеммах насоса 12.4 В. Масса насоса в порядке."
    assert new().turn(text)["context"]["completedSteps"] == ["wp_2", "wp_3"]


def test_R_PROC_034_035_the_text_shows_only_the_current_step() -> None:
    face = at("water_pump", done=["wp_1", "wp_2"], active="wp_3")
    text = face.text_for_model().split("ANTI-LOOP")[0]
    assert "CURRENT STEP: wp_3" in text
    assert "Progress: 2/5" in text
    assert "wp_1" not in text
    assert "wp_2" not in text
    assert "Do NOT invent diagnostic steps" in text
    assert "Do NOT ask about systems other than Water Pump" in text


def test_R_PROC_037_topics_given_before_a_system_is_known() -> None:
    face = new()
    face.turn("I checked the voltage, it's 12V")
    assert face.context()["primarySystem"] is None
    assert "voltage" in face.text_for_model()
    assert "ALREADY ANSWERED" in face.text_for_model()


def test_R_PROC_038_039_order_and_prerequisites() -> None:
    awning = new().procedure("awning")
    assert awning is not None
    assert [s.id for s in awning.step] == [f"awn_{n}" for n in range(1, 7)]
    assert awning.steps["awn_3"].needs == ("awn_2",)
    assert awning.steps["awn_6"].needs == ("awn_5",)
    electrical = new().procedure("electrical_12v")
    assert electrical is not None
    assert electrical.steps["e12_6"].needs == ("e12_5",)


def test_R_PROC_041_the_second_ask_is_a_duplicate() -> None:
    face = at("awning")
    face.chat.say(face.fallback())
    assert "duplicate" in face.propose("question", "awn_1")["reason"]
    reply = face.chat.say(face.desk.library.step("awn_1").en)  # type: ignore[union-attr]
    assert not reply.allowed


def test_R_PROC_043_049_answers_walk_through_the_procedure() -> None:
    face = heater("wh_2")
    turn = face.turn("да, уровень в норме")
    assert "wh_2" in turn["context"]["completedSteps"]
    assert turn["context"]["activeStepId"] == "wh_3"
    face = at("water_heater", active="wh_1")
    seen = [
        face.turn(text)["context"]["activeStepId"]
        for text in ("газовый Suburban", "бак полный, клапан открыт", "да, плита работает")
    ]
    assert seen == ["wh_2", "wh_3", "wh_4"]
    assert "CURRENT STEP: wh_4" in face.text_for_model()
    for text in ("yes", "12.5 V", "it clicks", "blue flame"):
        assert face.turn(text)["context"]["activeStepId"]


def test_R_PROC_046_the_first_step_becomes_active() -> None:
    face = new()
    face.chat.act(lambda draft: [SystemFound(system="water_heater")])
    for text in ("начнём диагностику", "let's start", "empecemos"):
        assert face.turn(text)["context"]["activeStepId"] == "wh_1"


# --- branches and gates ---


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
    answers = {"wh_5": "no 12 V", "wh_6": "no", "wh_7": "lights and goes out", "wh_8": "no gas"}
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


# --- signals ---


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
    assert "wp_2" in turn["context"]["completedSteps"]


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


# --- terminal ---


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


# --- reply checks ---


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


# --- report and facts ---


@pytest.mark.parametrize(
    "text", [pytest.param("START FINAL REPORT", id="R-RPT-001"), "write report", "Сделай отчёт по гарантии"]
)
def test_R_RPT_001_an_unready_case_gets_no_report(text: str) -> None:
    face = at("water_pump", done=["wp_1"])
    turn = face.turn(text)
    assert "Diagnostics not ready" in turn["notices"]
    assert turn["context"]["mode"] == "diagnostic"
    assert turn["context"]["activeStepId"] == "wp_2"
    assert "START FINAL REPORT" not in face.fallback()


@pytest.mark.parametrize("text", ["START FINAL REPORT", "write report", "сделай отчет", "informe final"])
def test_a_ready_case_gets_its_report(text: str) -> None:
    face = at("water_heater", done=["wh_1"])
    face.turn("replaced wiring - heater works now")
    turn = face.turn(text)
    assert turn["context"]["mode"] == "final_report"
    assert turn["instructions"]["action"] == "generate_report"


def test_R_RPT_004_an_offer_stands() -> None:
    face = at("water_heater", done=["wh_1"])
    face.turn("replaced wiring - heater works now")
    face.chat.say(face.fallback())
    face.turn("thanks")
    face.chat.say("Send START FINAL REPORT and I will generate the report.")
    assert face.turn("START FINAL REPORT")["context"]["mode"] == "final_report"


@pytest.mark.parametrize(
    "text",
    [
        pytest.param("change total labor to 0.5 hr", id="R-RPT-005"),
        "add that I replaced the fuse",
        "убери это",
        "quita eso",
    ],
)
def test_R_RPT_005_edits_stay_in_the_report(text: str) -> None:
    turn = produced().turn(text)
    assert turn["context"]["mode"] == "final_report"
    assert turn["instructions"]["action"] == "generate_report"


@pytest.mark.parametrize(
    "text",
    [pytest.param("requires replacement", id="R-RPT-007"), "надо заменить", "needs to be replaced", "hay que cambiar"],
)
def test_R_RPT_007_needed_is_not_done(text: str) -> None:
    face = at("water_pump", done=["wp_1"])
    face.turn(f"the pump does not run, {text}")
    assert not any(f["category"] == "repair" for f in face.context()["facts"])
    face.enter("final_report")
    assert "Repair performed" not in face.report()


def test_R_RPT_008_repair_and_restoration_are_seen() -> None:
    face = at("water_pump", done=["wp_1"])
    context = face.turn("Replaced the pump. Now works after repair.")["context"]
    assert context["terminalState"] == "terminal"
    assert any(f["category"] == "repair" for f in context["facts"])


def test_R_RPT_009_a_claim_needs_a_sentence() -> None:
    face = at("water_heater", done=["wh_1"])
    face.turn("the gas valve is open. I replaced the fuse. heater works now")
    face.turn("START FINAL REPORT")
    assert not rules(face, face.report())
    assert "UNSUPPORTED_CLAIM" in rules(face, face.report() + "\nGas valve replaced.")
    assert "UNSUPPORTED_CLAIM" not in rules(face, face.report() + "\nThe fuse was replaced.")


def test_R_FACT_001_007_facts_come_from_the_technician() -> None:
    face = new()
    context = face.turn("The water pump doesn't work when I open the faucet.")["context"]
    assert context["facts"][0]["category"] == "symptom"
    face.turn("12.4 volts at the terminals of the pump")
    assert face.context()["facts"][-1]["category"] == "test_result"
    count = len(face.context()["facts"])
    face.chat.say("The compressor appears to have intermittent operation. Is there a hum?")
    assert len(face.context()["facts"]) == count
    face.turn("12.4 volts at the terminals of the pump")
    assert len(face.context()["facts"]) == count
    assert "No specific facts extracted" in new().fact_lock()
    lock = face.fact_lock()
    assert lock.startswith("FACT LOCK: use only these facts, do NOT add any")
    assert "'not verified'" in lock
    assert "12.4 volts" in lock


# --- language and engine ---


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


# --- corrections, contradictions, plausibility ---


def test_a_corrected_reading_supersedes_its_fact_and_takes_the_branch_back() -> None:
    face = heater("wh_5")
    assert face.turn("0 V")["context"]["activeBranch"] == "no_12v_supply"
    turn = face.turn("I misread it, it is 12.6 V")
    assert turn["intent"] == {"type": "CORRECTION", "value": 12.6}
    context = turn["context"]
    assert (context["activeBranch"], context["activeStepId"]) == (None, "wh_6")
    old, newer = context["facts"][-2:]
    assert old["supersededBy"] == newer["id"]


def test_a_reading_taken_back_reopens_its_step() -> None:
    face = at("water_pump", done=["wp_1"])
    face.turn("12.4 V")
    face.turn("yes, clean and tight")
    context = face.turn("the 12.4 V reading was wrong")["context"]
    assert context["activeStepId"] == "wp_2"
    face.chat.say(face.fallback())
    context = face.turn("9.8 V")["context"]
    assert context["activeStepId"] == "wp_4"
    assert context["facts"][-1]["outOfRange"]


def test_an_impossible_reading_is_asked_about() -> None:
    face = at("water_pump", done=["wp_1"])
    turn = face.turn("120 V")
    assert "120 V" in turn["question"]
    assert turn["context"]["facts"][-1]["outOfRange"]
    assert turn["context"]["activeStepId"] == "wp_2"
    assert face.chat.check(turn["question"]).allowed
    context = face.turn("sorry, 12.0 V")["context"]
    assert context["activeStepId"] == "wp_3"
    assert context["contradictions"] == []


def test_two_facts_that_disagree_are_a_contradiction_until_one_gives_way() -> None:
    face = at("roof_ac", done=["ac_1"], active="ac_5")
    face.turn("the capacitor is ok")
    turn = face.turn("the capacitor is not ok")
    found = turn["context"]["contradictions"]
    assert len(found) == 1
    assert "resolution" not in found[0]
    assert "which of the two" in turn["question"]
    assert face.chat.say(turn["question"]).allowed
    step = turn["context"]["activeStepId"]
    context = face.turn("the second one")["context"]
    assert context["contradictions"][0]["resolution"].startswith("the technician's word")
    assert context["activeStepId"] == step
    assert context["facts"][0]["supersededBy"] == context["facts"][1]["id"]


def test_hypotheses_move_with_the_facts() -> None:
    face = at("roof_ac")
    face.turn("the motor is seized")
    first = face.context()["hypotheses"][0]
    assert (first["description"], first["confidence"]) == ("seized or locked motor", "medium")
    face.turn("yes the compressor motor is locked up")
    assert face.context()["hypotheses"][0]["confidence"] == "high"
    face.turn("the motor works fine")
    assert face.context()["hypotheses"][0]["confidence"] == "medium"


def test_a_second_complaint_is_noted_and_taken_up_later() -> None:
    face = at("water_pump", done=["wp_1"])
    context = face.turn("12.5 V. Also, the fridge is not cooling")["context"]
    assert context["primarySystem"] == "water_pump"
    assert context["complaints"][0]["system"] == "refrigerator"
    face.turn("replaced the fuse, pump works now")
    assert face.turn("next complaint please")["context"]["primarySystem"] == "refrigerator"


def test_the_case_survives_a_restart(tmp_path: Any) -> None:
    store = f"sqlite:///{tmp_path}/desk.db"
    with Holdfast(store, pack=PACK) as hf:
        face: DeskFace = hf.session("c").face
        face.turn("Water pump not working")
        face.turn("it hums")
        known = face.context()
    with Holdfast(store, pack=PACK) as hf:
        again: DeskFace = hf.session("c").face
        assert again.context() == known


def test_the_guard_can_be_asked_without_recording() -> None:
    face = at("water_pump", done=["wp_1"])
    before_ = face.chat.state.version
    assert not face.chat.check(Action("Open a faucet?", "question", "wp_1")).allowed
    assert face.chat.state.version == before_
