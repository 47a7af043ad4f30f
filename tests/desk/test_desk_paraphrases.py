"""What the desk's rows and sentences say, said in other words, in three languages."""

from __future__ import annotations

import itertools
import tomllib
from collections.abc import Callable
from pathlib import Path
from typing import Any

from holdfast import Holdfast
from holdfast.packs.rv_service_desk import PACK
from holdfast.packs.service_desk.face import DeskFace
from tests.rows import Check, every

SAID: dict[str, list[Any]] = tomllib.loads(
    Path(__file__).with_name("desk_paraphrases.toml").read_text(encoding="utf-8")
)
HF = Holdfast(pack=PACK)
_ids = itertools.count()
HEATER = ["wh_1", "wh_2", "wh_3", "wh_4", "wh_5", "wh_6", "wh_7"]


def new() -> DeskFace:
    face: DeskFace = HF.session(f"case-{next(_ids)}").face
    return face


def at(system: str = "water_pump", **how: Any) -> DeskFace:
    face = new()
    face.start(system, **how)
    return face


def heater() -> DeskFace:
    return at("water_heater", done=HEATER[:3])


def isolated() -> DeskFace:
    face = at("roof_ac", done=["ac_1", "ac_2"])
    face.isolate("Compressor not starting")
    return face


def estimated() -> DeskFace:
    face = isolated()
    face.draft_labor(1.5)
    face.enter("authorization")
    return face


def said(group: str) -> Callable[[Check], Callable[[], None]]:
    return every("row", [row if isinstance(row, list) else [row] for row in SAID[group]])


@said("evidence_after_isolation")
def test_evidence_takes_the_conclusion_back(row: list[str]) -> None:
    turn = isolated().turn(row[0])
    assert turn["intent"]["evidence"] == row[1]
    assert turn["context"]["isolationInvalidated"]


@said("no_evidence")
def test_what_is_denied_or_asked_takes_nothing_back(row: list[str]) -> None:
    assert not isolated().turn(row[0])["context"]["isolationInvalidated"]


@said("questions")
def test_a_question_is_known_by_its_kind_and_keeps_the_step(row: list[str]) -> None:
    turn = at().turn(row[0])
    assert (turn["intent"]["type"], turn["context"]["activeStepId"]) == (row[1], "wp_1")


@said("help")
def test_a_short_question_is_help_of_its_category(row: list[str]) -> None:
    turn = at("water_heater", done=HEATER[:4], active="wh_5").turn(row[0])
    assert (turn["intent"]["type"], turn["intent"]["value"]) == ("STEP_HELP", row[1])
    assert turn["context"]["activeStepId"] == "wh_5"


@said("signals")
def test_an_answer_a_push_back_and_a_cannot_close_the_step_each_in_its_way(row: list[str]) -> None:
    turn = at().turn(row[0])
    context = turn["context"]
    assert turn["intent"]["type"] == row[1]
    assert (context["completedSteps"] == ["wp_1"]) is (row[1] in ("ALREADY_ANSWERED", "MAIN_DIAGNOSTIC"))
    assert (context["unableSteps"] == ["wp_1"]) is (row[1] == "UNABLE_TO_VERIFY")
    assert (context["activeStepId"] == "wp_1") is (row[1] == "UNCLEAR")


@said("key_findings")
def test_a_key_finding_is_known(row: list[str]) -> None:
    assert row[1] in new().key_findings(row[0])


@said("topics")
def test_a_topic_is_known(row: list[Any]) -> None:
    assert set(row[1]) <= set(new().topics_of(row[0]))


@said("restored")
def test_repair_and_restoration_end_the_case(row: list[str]) -> None:
    context = heater().turn(row[0])["context"]
    assert context["terminalState"] == "terminal"
    assert context["isolationFinding"].startswith("Verified restoration")
    assert (context["activeStepId"], context["mode"]) == (None, "diagnostic")


@said("faults")
def test_a_part_that_is_named_as_faulty_is_a_candidate(row: list[str]) -> None:
    turn = heater().turn(row[0])
    assert turn["context"]["terminalState"] == "fault_candidate"
    assert not turn["context"]["isolationComplete"]
    assert turn["instructions"]["action"] == "ask_restoration_check"


@said("no_fault")
def test_what_is_no_fault_of_a_part_changes_nothing(row: list[str]) -> None:
    assert heater().turn(row[0])["context"]["terminalState"] == "normal"


@said("restoration_check")
def test_the_restoration_check_is_answered(row: list[str]) -> None:
    face = heater()
    face.turn(row[0])
    assert face.turn(row[1])["context"]["terminalState"] == row[2]


@said("direct_power")
def test_direct_power_isolates_only_a_part_that_does_not_run(row: list[Any]) -> None:
    first = PACK.faculty("procedure").desk.library.procedures[row[0]].step[0].id  # type: ignore[attr-defined]
    assert at(row[0], done=[first]).turn(row[1])["context"]["isolationComplete"] is row[2]


@said("branches")
def test_a_branch_is_entered_by_the_words_of_its_step(row: list[str]) -> None:
    done = {"wh_5": 4, "wh_6": 5, "wh_7": 6, "wh_8": 7}[row[0]]
    context = at("water_heater", done=HEATER[:done], active=row[0]).turn(row[1])["context"]
    assert context["activeBranch"] == (row[2] or None)


@said("unit_type")
def test_the_answer_for_the_type_tells_whether_it_is_a_combo(row: list[Any]) -> None:
    context = at("water_heater", active="wh_1").turn(row[0])["context"]
    assert ("combo" in context["excludedSubtypes"]) is row[1]


@said("unit_type_elsewhere")
def test_on_other_steps_only_a_denial_excludes_the_combo(row: list[Any]) -> None:
    context = at("water_heater", done=["wh_1"], active="wh_2").turn(row[0])["context"]
    assert ("combo" in context["excludedSubtypes"]) is row[1]


@said("systems")
def test_the_complaint_names_its_system(row: list[str]) -> None:
    assert new().turn(row[0])["context"]["primarySystem"] == (row[1] or None)


@said("fallbacks")
def test_a_request_without_an_object_is_a_fallback(row: list[Any]) -> None:
    assert new().is_fallback(row[0]) is row[1]


@said("labor")
def test_hours_and_nods_confirm_the_estimate(row: list[Any]) -> None:
    assert estimated().turn(row[0])["context"]["labor"]["confirmedHours"] == row[1]


@said("no_labor")
def test_technical_words_confirm_no_hours(row: list[str]) -> None:
    assert estimated().turn(row[0])["context"]["labor"]["confirmedHours"] is None


@said("total")
def test_another_total_is_asked_for_in_words_for_it(row: list[Any]) -> None:
    assert new().requested_labor(row[0]) == (row[1] or None)


@said("commands")
def test_a_command_is_a_whole_message(row: list[str]) -> None:
    assert isolated().turn(row[0])["context"]["mode"] == row[1]


@said("wishes")
def test_a_wish_for_the_report_is_granted_when_the_case_is_ready(row: list[str]) -> None:
    assert isolated().turn(row[0])["context"]["mode"] == row[1]
    assert at().turn(row[0])["context"]["mode"] == "diagnostic"


@said("language_forced")
def test_a_language_is_forced_by_asking_for_it(row: list[str]) -> None:
    face = new()
    face.turn("водяной насос не работает" if row[1] == "en" else "Water pump not working")
    assert face.turn(row[0])["context"]["language"] == row[1]


@said("language")
def test_the_first_message_sets_the_language(row: list[str]) -> None:
    assert new().turn(row[0])["context"]["language"] == row[1]


@said("corrections")
def test_a_corrected_reading_takes_the_place_of_the_old_one(row: list[Any]) -> None:
    face = at("water_pump", done=["wp_1"], active="wp_2")
    face.turn("12.4 V")
    assert face.turn(row[0])["intent"]["type"] == "CORRECTION"
    assert [fact.number for fact in face.chat.state.evidence.live() if fact.number is not None] == [row[1]]


@said("withdrawn")
def test_a_reading_that_is_taken_back_reopens_its_step(row: list[str]) -> None:
    face = at("water_pump", done=["wp_1"], active="wp_2")
    face.turn("12.4 V")
    turn = face.turn(row[0])
    assert (turn["intent"]["type"], turn["context"]["activeStepId"]) == ("CORRECTION", "wp_2")


@said("back")
def test_the_complaint_that_is_back_reopens_the_case(row: list[str]) -> None:
    face = heater()
    face.turn("replaced the fuse, heater works now")
    assert face.turn(row[0])["context"]["terminalState"] == "normal"


@said("stays")
def test_anything_else_leaves_a_case_that_is_over(row: list[str]) -> None:
    face = heater()
    face.turn("replaced the fuse, heater works now")
    assert face.turn(row[0])["context"]["terminalState"] == "terminal"


@said("replies")
def test_a_reply_that_breaks_a_rule_is_flagged(row: list[str]) -> None:
    face = at("water_pump", active="wp_1")
    assert row[1] in {violation.rule for violation in face.chat.check(row[0]).violations}
