"""Procedures: what is said in which state, and what must come of it."""

from __future__ import annotations

import pytest

from holdfast.faculties.desk.procedure import SystemFound
from holdfast.packs.rv_service_desk import PACK
from tests.desk.rows.cases import (
    at,
    heater,
    new,
)


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
