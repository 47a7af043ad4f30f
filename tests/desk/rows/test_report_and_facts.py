"""Report and facts: what is said in which state, and what must come of it."""

from __future__ import annotations

import pytest

from tests.desk.rows.cases import (
    at,
    new,
    produced,
    rules,
)


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
