"""Replan: what is said in which state, and what must come of it."""

from __future__ import annotations

import pytest

from tests.desk.rows.cases import (
    at,
    isolated,
)


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
    assert context["completedSteps"] == []  # whether the compressor tries to start was not said
    assert context["facts"][0]["type"] == "finding"
