"""A remark that has nothing to do with the open step leaves it open, and a real answer closes it, however short."""

from __future__ import annotations

import itertools
import tomllib
from pathlib import Path

import pytest

from holdfast import Holdfast
from holdfast.packs.rv_service_desk import PACK
from tests.desk.talk import Talk
from tests.rows import every

SAID: dict[str, dict[str, list[str]]] = tomllib.loads(
    Path(__file__).with_name("desk_remarks.toml").read_text(encoding="utf-8")
)
REMARKS = [text for said in SAID.values() for text in said["remarks"]]
ANSWERS = [text for said in SAID.values() for text in said["answers"]]
STEPS: tuple[tuple[str, list[str], str], ...] = (
    ("water_pump", [], "wp_1"),
    ("roof_ac", ["ac_1"], "ac_2"),
    ("roof_ac", ["ac_1", "ac_2", "ac_3", "ac_4"], "ac_5"),
    ("water_heater", ["wh_1"], "wh_2"),
)
HF = Holdfast(pack=PACK)
_ids = itertools.count()
HEATER = ["wh_1", "wh_2", "wh_3", "wh_4"]


def open_after(system: str, done: list[str], step: str, text: str) -> bool:
    face = HF.session(f"case-{next(_ids)}").face
    face.start(system, done=done, active=step)
    return bool(face.turn(text)["context"]["activeStepId"] == step)


@every("text", REMARKS)
def test_a_remark_leaves_every_step_open(text: str) -> None:
    assert [step for system, done, step in STEPS if not open_after(system, done, step, text)] == []


@every("text", ANSWERS)
def test_a_real_answer_closes_every_step(text: str) -> None:
    assert [step for system, done, step in STEPS if open_after(system, done, step, text)] == []


@pytest.mark.parametrize(
    ("complaint", "remarks", "answer"),
    [
        ("Water pump not working", ["it's raining here", "hold on, my wife is calling", "what a day"], "it hums"),
        ("Насос не работает", ["тут дождь идёт", "подожди, жена звонит", "ну и денёк"], "гудит"),
        ("La bomba de agua no funciona", ["aquí está lloviendo", "espera, me llama mi esposa", "vaya día"], "zumba"),
    ],
)
def test_remarks_in_a_row_are_answered_with_the_step_and_never_use_it_up(
    complaint: str, remarks: list[str], answer: str
) -> None:
    talk = Talk(complaint)
    known = talk.context["facts"]
    for text in remarks:
        talk.say(text)
        assert talk.step == "wp_1"
        assert talk.context["facts"] == known
        assert talk.reply.endswith("?")
    talk.say(answer)
    assert talk.step == "wp_2"


@pytest.mark.parametrize(
    "text",
    [
        "it's raining here, but the pump hums",
        "hold on, my wife is calling... ok, 12.4 volts",
        "yes. nice trailer by the way",
        "дождь идёт, а насос гудит",
        "подожди, жена звонит. Да, 12.4 В",
        "está lloviendo, pero la bomba zumba",
    ],
)
def test_an_answer_beside_a_remark_counts(text: str) -> None:
    assert not open_after("water_pump", [], "wp_1", text)


@pytest.mark.parametrize("text", ["it's raining here", "классный прицеп кстати", "me duele la espalda"])
def test_a_remark_accepts_no_labor(text: str) -> None:
    face = HF.session(f"case-{next(_ids)}").face
    face.start("roof_ac", done=["ac_1", "ac_2"])
    face.isolate("Compressor not starting")
    face.draft_labor(1.5)
    face.enter("authorization")
    assert face.turn(text)["context"]["labor"]["mode"] == "draft"


@pytest.mark.parametrize(
    "text",
    [
        *(
            "12.6 V at the board",
            "I measured 12.4 volts at the fuse",
            "11 in WC at the valve",
            "0.3 ohm at the element",
        ),
        *("12.6 В на плате", "намерил 12.4 В на предохранителе", "12.6 V en la placa", "medí 12.4 V en el fusible"),
    ],
)
def test_a_reading_of_some_part_does_not_say_which_kind_it_is(text: str) -> None:
    talk = Talk("water heater does not light", text)
    assert talk.step == "wh_1"
    assert [fact["value"] for fact in talk.context["facts"]][-1] == text


@pytest.mark.parametrize(
    "text",
    ["gas only", "Suburban SW6DE", "комбо", "только газ", "solo gas", "es combo", "gas only, 12.6 V at the board"],
)
def test_a_kind_answers_which_kind(text: str) -> None:
    assert not open_after("water_heater", [], "wh_1", text)


@pytest.mark.parametrize("text", ["gas only", "it's a combo", "только газ", "комбо", "es combo"])
def test_a_kind_is_no_reading(text: str) -> None:
    assert open_after("water_heater", HEATER, "wh_5", text)


@pytest.mark.parametrize(
    "text", ["12.4 volts", "12.6 V at the board", "0v", "no power there", "dead", "12.6 В", "nada"]
)
def test_a_reading_answers_a_step_that_asks_for_one(text: str) -> None:
    assert not open_after("water_heater", HEATER, "wh_5", text)
