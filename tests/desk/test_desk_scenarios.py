"""The scenarios that the desk's document requires, each as a whole conversation through the public face."""

from __future__ import annotations

from pathlib import Path

import pytest

from holdfast import Holdfast
from holdfast.agents import run
from holdfast.packs.rv_service_desk import PACK, pack
from tests.desk.talk import Talk
from tests.rows import every


def test_new_evidence_on_a_roof_ac_rolls_the_conclusion_back_and_switches_the_branch() -> None:
    talk = Talk("Rooftop AC not cooling", "hums", "good air", "turns freely", "COOL at 65", "no bulge", "118 V")
    talk.chat.face.isolate("Compressor not starting")
    reply = talk.say("Actually, I just noticed there's a refrigerant leak on the condenser")
    context = talk.context
    assert reply.startswith("New evidence noted; the earlier conclusion no longer stands.")
    assert "not starting" not in reply
    assert (context["isolationComplete"], context["isolationInvalidated"]) == (False, True)
    assert context["activeStepId"] in context["openSteps"]
    replanned = [entry for entry in context["decisionPath"] if entry["what"] == "replan"]
    assert replanned[-1]["on"] == "refrigerant_leak_path"
    assert any(entry["on"] == "Compressor not starting" for entry in context["decisionPath"])
    assert talk.chat.state.diagnosis.replan.finding == "Compressor not starting"


@pytest.mark.parametrize(
    ("complaint", "empty"),
    [
        ("Water pump not working", "Can you provide more information about the issue?"),
        ("водяной насос не работает", "Можете предоставить больше информации о проблеме?"),
        ("la bomba de agua no funciona", "¿Puede proporcionar más información sobre el problema?"),
    ],
)
def test_more_information_is_not_asked_for_twice(complaint: str, empty: str) -> None:
    chat = Holdfast(pack=PACK).session("case")
    chat.hear("hello")
    assert chat.say("Can you tell me more?").allowed
    chat.hear(complaint)
    reply = chat.say(empty)
    assert not reply.allowed
    assert any("fallback" in violation.reason for violation in reply.violations)
    assert reply.instead == chat.face.desk.library.step("wp_1").in_(chat.state.conversation.language)
    assert chat.say(reply.instead or "").allowed


@pytest.mark.parametrize(
    ("complaint", "questions"),
    [
        ("Water pump not working", ("where is the pump?", "what is a pressure switch?", "how do I check it?")),
        ("водяной насос не работает", ("где насос?", "что такое реле?", "как проверить?")),
        ("la bomba de agua no funciona", ("¿dónde está la bomba?", "¿qué es un relé?", "¿cómo lo verifico?")),
    ],
)
def test_where_what_and_how_return_to_the_same_step(complaint: str, questions: tuple[str, ...]) -> None:
    talk = Talk(complaint)
    said = set()
    for question in questions:
        said.add(talk.say(question))
        context = talk.context
        assert (context["activeStepId"], context["submode"], context["topicStack"]) == ("wp_1", "main", [])
        assert "?" in talk.reply
    assert len(said) == 3


def test_nested_questions_come_back_one_by_one() -> None:
    chat = Holdfast(pack=PACK).session("case")
    chat.hear("Water pump not working")
    for depth, question in enumerate(("where is the pump?", "what is a strainer?", "how do I open it?"), start=1):
        chat.hear(question)
        assert len(chat.face.context()["topicStack"]) == depth
    for left in ("explain", "locate", "main"):
        chat.say(chat.face.help_text())
        assert chat.face.context()["submode"] == left
    assert chat.face.context()["activeStepId"] == "wp_1"


@pytest.mark.parametrize(
    "reply",
    ["I recommend replacing the motor. Does the slide move?", "Install a new motor. Does the slide move?"],
)
def test_a_motor_that_works_on_alternate_power_is_not_to_be_replaced(reply: str) -> None:
    talk = Talk("Slide-out won't extend", "no", "no", "Motor runs fine when I apply 12V directly")
    assert not talk.context["isolationComplete"]
    assert any("upstream" in h["description"] for h in talk.context["hypotheses"])
    assert "PART_PROVEN_GOOD" in {violation.rule for violation in talk.chat.check(reply).violations}
    talk.say("the motor is bad")
    assert talk.context["terminalState"] == "normal"


def test_without_clarification_a_question_is_an_ordinary_message() -> None:
    talk = Talk("Water pump not working", "where is it", pack=pack(ENABLE_CLARIFICATION_SUBFLOWS=False))
    assert talk.context["completedSteps"] == ["wp_1"]
    assert talk.context["topicStack"] == []


def test_without_replan_the_conclusion_stands() -> None:
    talk = Talk("Water pump not working", "no sound", pack=pack(ENABLE_REPLAN=False))
    talk.each(["Applied 12V directly to the pump, it does not run", "are you sure?", "I found a leak on the hose"])
    assert talk.context["isolationComplete"]


def test_without_free_labor_the_report_waits_for_the_hours() -> None:
    talk = Talk("Water pump not working", "no sound", pack=pack(ENABLE_NON_BLOCKING_LABOR=False))
    talk.each(["Applied 12V directly to the pump, it does not run", "START FINAL REPORT"])
    assert talk.context["mode"] == "diagnostic"
    assert talk.each(["2 hours", "START FINAL REPORT"]).startswith("Complaint:")


@pytest.mark.parametrize(
    ("between", "labor", "line"),
    [
        ([], "draft", "Total labor: 1 hr"),
        (["confirm"], "confirmed", "Total labor: 1 hr"),
        (["make it 2.5 hours"], "confirmed", "Total labor: 2.5 hr"),
        (["skip labor"], "skipped", "Estimated Labor:\nnot verified"),
        (["what is a pressure switch?"], "draft", "Total labor: 1 hr"),
    ],
)
def test_labor_never_blocks_the_report(between: list[str], labor: str, line: str) -> None:
    talk = Talk("Water pump not working", "no sound", "Applied 12V directly to the pump, it does not run")
    assert talk.context["labor"]["mode"] == "draft"
    report = talk.each([*between, "START FINAL REPORT"])
    assert line in report
    assert talk.context["labor"]["mode"] == labor


def test_the_case_goes_on_while_the_labor_draft_waits() -> None:
    talk = Talk("Water pump not working", "no sound", "Applied 12V directly to the pump, it does not run")
    talk.say("are you sure?")
    assert talk.step is not None
    talk.say("12.4 V")
    assert talk.context["labor"]["confirmedHours"] is None


def test_a_report_whose_hours_do_not_add_up_comes_with_one_that_does() -> None:
    talk = Talk("Water pump not working", "no sound", "Applied 12V directly to the pump, it does not run", "2 hours")
    talk.chat.hear("START FINAL REPORT")
    good = talk.chat.face.report()
    drifted = good.replace("Total labor: 2 hr", "Diagnosis 1.0 hr\nRepair 2.0 hr\nTotal labor: 2 hr")
    verdict = talk.chat.check(drifted)
    assert [violation.rule for violation in verdict.violations] == ["LABOR_SUM_DRIFT"]
    assert verdict.instead is not None
    assert talk.chat.check(verdict.instead).allowed
    other = talk.chat.check(good.replace("Total labor: 2 hr", "Total labor: 3 hr"))
    assert [violation.rule for violation in other.violations] == ["LABOR_TOTAL_MISMATCH"]
    assert other.instead == good


@every(
    ("said", "ends"),
    [
        (["flame sensor is bad"], False),
        (["replaced the flame sensor"], False),
        (["it works"], False),
        (["flame sensor is bad", "replaced it"], False),
        (["flame sensor is bad", "replaced it", "yes, works now"], True),
        (["flame sensor needs replacement", "it works now"], False),
        (["replaced the flame sensor", "still not working"], False),
        (["replaced the flame sensor", "now it works"], True),
        (["датчик пламени неисправен", "надо менять"], False),
        (["датчик пламени неисправен", "заменил, работает"], True),
        (["sensor de llama defectuoso", "hay que cambiarlo"], False),
        (["sensor de llama defectuoso", "lo cambié, ya funciona"], True),
    ],
)
def test_a_case_is_over_only_with_fault_repair_and_restoration(said: list[str], ends: bool) -> None:
    talk = Talk("Water heater does not light", "combo", *said)
    assert (talk.context["terminalState"] == "terminal") is ends


@pytest.mark.parametrize(
    "needed", ["needs replacement", "must be replaced", "should be replaced", "надо менять", "hay que cambiarla"]
)
def test_what_is_needed_is_recommended_and_never_reported_as_done(needed: str) -> None:
    talk = Talk("Water pump not working", "no sound", "Applied 12V directly to the pump, it does not run")
    report = talk.each([f"the pump {needed}", "START FINAL REPORT"])
    assert f'Recommended, not performed: "the pump {needed}"' in report
    assert "Repair performed" not in report


def test_the_second_complaint_is_taken_up_after_the_first() -> None:
    talk = Talk("Water pump not working", "it hums. Also the fridge is not cooling")
    assert talk.context["complaints"] == [{"system": "refrigerator", "words": "Also the fridge is not cooling"}]
    talk.each(["replaced the pump, works now", "START FINAL REPORT"])
    assert "refrigerator" in talk.say("next complaint")
    assert (talk.context["primarySystem"], talk.step) == ("refrigerator", "ref_1")


def test_a_case_survives_a_restart(tmp_path: Path) -> None:
    place = f"sqlite:///{tmp_path / 'desk.db'}"
    for text in ("Water heater does not light", "combo", "full, open", "yes", "open", "0 V", "where is the fuse?"):
        chat = Holdfast(place, pack=PACK).session("case")
        assert PACK.agent is not None
        list(run(PACK.agent, chat.hear(text), chat))
    context = Holdfast(place, pack=PACK).session("case").face.context()
    assert (context["activeBranch"], context["activeStepId"]) == ("no_12v_supply", "wh_5a")
    assert [entry["on"] for entry in context["decisionPath"] if entry["what"] == "branch_entered"] == ["no_12v_supply"]
