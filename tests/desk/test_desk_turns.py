"""One message at an open step, as technicians write: what carries a result closes it, and nothing else does."""

from __future__ import annotations

import itertools
import tomllib
from collections.abc import Callable
from pathlib import Path

from holdfast import Holdfast
from holdfast.packs.rv_service_desk import PACK
from holdfast.packs.service_desk.face import DeskFace
from tests.desk.talk import Talk
from tests.desk.test_desk_report_edits import CASES
from tests.rows import Check, every

SAID: dict[str, list[list[str]]] = tomllib.loads(
    Path(__file__).with_name("desk_turns.toml").read_text(encoding="utf-8")
)
HF = Holdfast(pack=PACK)
LIBRARY = PACK.faculty("procedure").desk.library  # type: ignore[attr-defined]
_ids = itertools.count()


def at(step: str) -> DeskFace:
    """A case whose open step is this one, with all that it needs done."""
    procedure = next(p for p in LIBRARY.procedures.values() if step in p.steps)
    face: DeskFace = HF.session(f"case-{next(_ids)}").face
    face.start(procedure.id, done=needed(step), active=step)
    return face


def needed(step: str) -> list[str]:
    before = [*LIBRARY.step(step).needs]
    return list(dict.fromkeys([earlier for need in before for earlier in needed(need)] + before))


def said(group: str) -> Callable[[Check], Callable[[], None]]:
    return every("row", SAID[group])


@said("left_open")
def test_what_carries_nothing_of_what_is_asked_leaves_the_step_open(row: list[str]) -> None:
    assert at(row[0]).turn(row[1])["context"]["activeStepId"] == row[0]


@said("found_beside")
def test_what_is_found_of_another_part_is_kept_and_closes_nothing(row: list[str]) -> None:
    face = at(row[0])
    context = face.turn(row[1])["context"]
    assert (row[0] in context["completedSteps"], bool(context["facts"])) == (False, True)


@said("answered")
def test_a_result_in_any_words_closes_the_step(row: list[str]) -> None:
    assert row[0] in at(row[0]).turn(row[1])["context"]["completedSteps"]


@said("unable")
def test_what_cannot_be_checked_is_closed_as_that(row: list[str]) -> None:
    assert row[0] in at(row[0]).turn(row[1])["context"]["unableSteps"]


@said("intents")
def test_a_wish_or_a_question_is_read_as_what_it_is(row: list[str]) -> None:
    assert at(row[0]).turn(row[1])["intent"]["type"] in row[2].split("/")


@said("corrected")
def test_a_reading_is_corrected_or_taken_back(row: list[str]) -> None:
    step, reading, text, stands = row
    face = at(step)
    face.turn(reading)
    turn = face.turn(text)
    assert turn["intent"]["type"] == "CORRECTION"
    if stands == "-":
        assert turn["context"]["activeStepId"] == step
    else:
        assert [f.number for f in face.chat.state.evidence.live() if f.number is not None] == [float(stands)]


@said("disputed")
def test_doubt_and_new_evidence_take_a_conclusion_back_and_a_nod_does_not(row: list[str]) -> None:
    face: DeskFace = HF.session(f"case-{next(_ids)}").face
    face.start("roof_ac", done=["ac_1", "ac_2"])
    face.isolate("Compressor not starting")
    assert face.turn(row[0])["context"]["isolationInvalidated"] is (row[1] == "true")


@said("edited")
def test_an_edit_changes_the_lines_that_it_names(row: list[str]) -> None:
    language, text, gone, *there = row
    talk = Talk.after(*CASES[language])
    talk.say(text)
    report = talk.chat.face.report()
    assert gone == "-" or gone not in report
    assert all(words in report for words in there)


@said("not_edited")
def test_a_word_about_the_report_leaves_it_as_it_is(row: list[str]) -> None:
    talk = Talk.after(*CASES[row[0]])
    before = talk.chat.face.report()
    talk.say(row[1])
    assert talk.chat.face.report() == before
