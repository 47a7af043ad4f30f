"""Corrections, contradictions, plausibility: what is said in which state, and what must come of it."""

from __future__ import annotations

from typing import Any

import pytest

from holdfast import Holdfast
from holdfast.faculty import Action
from holdfast.packs.rv_service_desk import PACK
from holdfast.packs.service_desk.face import DeskFace
from tests.desk.rows.cases import (
    at,
    heater,
)


@pytest.mark.parametrize(
    "text",
    [
        "I misread it, it is 12.6 V",
        "sorry I meant 12.6 V",
    ],
)
def test_a_corrected_reading_supersedes_its_fact_and_takes_the_branch_back(text: str) -> None:
    face = heater("wh_5")
    assert face.turn("0 V")["context"]["activeBranch"] == "no_12v_supply"
    turn = face.turn(text)
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
