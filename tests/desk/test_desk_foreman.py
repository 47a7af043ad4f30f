"""The desk hears like a foreman: typed answers by clauses, parts by their ids, composed repairs, a right report."""

from __future__ import annotations

import itertools

import pytest

from holdfast import Holdfast
from holdfast.packs.rv_service_desk import PACK, pack
from holdfast.packs.service_desk.face import DeskFace
from tests.desk.talk import Talk
from tests.rows import every

HF = Holdfast(pack=PACK)
_ids = itertools.count()
BEFORE = {
    "wh_3": ("water_heater", ["wh_1", "wh_2"]),
    "wh_5": ("water_heater", ["wh_1", "wh_2", "wh_3", "wh_4"]),
    "wh_10": ("water_heater", ["wh_1", "wh_2", "wh_3", "wh_4", "wh_5", "wh_6", "wh_7"]),
    "ac_3": ("roof_ac", ["ac_1", "ac_2"]),
    "wp_1": ("water_pump", []),
    "wp_2": ("water_pump", ["wp_1"]),
    "wp_3": ("water_pump", ["wp_1", "wp_2"]),
}


def at(step: str) -> DeskFace:
    """A case whose open step is this one."""
    system, done = BEFORE[step]
    face: DeskFace = HF.session(f"case-{next(_ids)}").face
    face.start(system, done=done, active=step)
    return face


def closes(step: str, text: str) -> bool:
    return bool(at(step).turn(text)["context"]["activeStepId"] != step)


@pytest.mark.parametrize(
    "text", ["its hot as hell in here", "asdf", "lunch, back at 1", "fuse is good", "жара тут", "el fusible está bien"]
)
def test_a_voltage_is_not_answered_by_talk_or_by_another_part(text: str) -> None:
    assert not closes("wh_5", text)


@pytest.mark.parametrize(
    ("step", "text"),
    [
        *(("wh_10", "birds nest in it"), ("ac_3", "caked with dog hair"), ("wh_3", "la estufa sí"), ("wh_5", "ok")),
        *(("wh_5", "done"), ("wh_5", "12.7"), ("wh_5", "no juice"), ("wp_1", "hums a little")),
    ],
)
def test_what_answers_in_its_own_words_closes(step: str, text: str) -> None:
    assert closes(step, text)


def test_what_does_not_answer_is_kept_as_a_note() -> None:
    face = at("wh_5")
    face.turn("its hot as hell in here")
    assert face.chat.state.procedure.notes == (("wh_5", "its hot as hell in here"),)


def test_a_reading_in_another_unit_leaves_the_step_open() -> None:
    assert not closes("wp_3", "0 V at the terminals")


def test_a_question_beside_words_that_find_nothing_leaves_the_step_open() -> None:
    turn = at("wh_3").turn("ok found it. how do i test it?")
    assert turn["context"]["activeStepId"] == "wh_3"
    assert turn["intent"]["type"] == "HOWTO"


@pytest.mark.parametrize(
    ("step", "text"),
    [
        *(("wh_10", "tube is clean, is it worth polishing it?"), ("wp_3", "ground ok. which tool for the clamp?")),
        *(("wp_2", "battery side 12.1 and nothing after the switch. new switch?"), ("wp_1", "гудит, масло лить?")),
        *(("wp_3", "масса чистая. чем потом замазать, литолом?"), ("ac_3", "gira libre. le pongo aceite o así?")),
    ],
)
def test_an_answer_beside_any_question_closes_the_step_and_the_question_is_heard(step: str, text: str) -> None:
    face = at(step)
    turn = face.turn(text)
    assert step in turn["context"]["completedSteps"]
    assert turn["intent"]["type"] == "STEP_HELP"


@pytest.mark.parametrize(
    ("step", "text"),
    [
        *(("wp_2", "label on the side says shurflo 2014"), ("ac_3", "the shroud has a big dent on the left")),
        *(("wh_3", "owner had the tank filled in june"), ("wp_2", "the cover screws are all rusty")),
        *(("wp_2", "на корпусе наклейка 2016 года"), ("wp_3", "хозяин его в прошлом году менял")),
        *(("wp_2", "la etiqueta dice modelo 2015"), ("ac_3", "la tapa del techo tiene un golpe")),
    ],
)
def test_what_is_told_of_something_else_is_kept_and_leaves_the_step_open(step: str, text: str) -> None:
    face = at(step)
    assert face.turn(text)["context"]["activeStepId"] == step
    assert face.chat.state.procedure.notes == ((step, text),)


@pytest.mark.parametrize(
    ("text", "system"),
    [
        ("oh and the furnace isnt lighting either", "furnace"),
        ("also the awning is stuck", "awning"),
        ("fridge quit too btw", "refrigerator"),
        ("и печка тоже не зажигается", "furnace"),
        ("холодильник тоже встал кстати", "refrigerator"),
        ("y la nevera tampoco enfría", "refrigerator"),
        ("otra cosa, el toldo no sale", "awning"),
    ],
)
def test_a_second_complaint_is_noted_and_leaves_the_step_open(text: str, system: str) -> None:
    face = at("wp_2")
    known = len(face.context()["facts"])
    assert face.turn(text)["context"]["activeStepId"] == "wp_2"
    assert [complaint.system for complaint in face.chat.state.procedure.complaints] == [system]
    assert len(face.context()["facts"]) == known


def test_a_second_complaint_is_offered_when_the_first_is_done() -> None:
    talk = Talk("water pump dead", "hums", "fridge quit too btw", "12.4", "good", "dry", "clicks")
    assert "fridge quit too btw" in talk.reply


def test_a_first_message_closes_exactly_what_it_answers() -> None:
    talk = Talk("water heater wont light. 12.7V at the board and the igniter clicks")
    assert talk.context["completedSteps"] == ["wh_5", "wh_6"]
    assert Talk("suburban water heater, gas only, no hot water").step == "wh_2"
    assert Talk("Water pump not working").context["completedSteps"] == []


def test_parts_are_known_by_their_ids() -> None:
    talk = Talk("furnace wont light")
    assert "temperature of the room" in talk.say("What is a thermostat?")
    assert "thermistor" not in talk.say("where are the terminals?")
    assert "millivolts" in talk.say("what is a themocouple?") or "millivolts" in talk.say("what is a thermocouple?")
    talk.say("thermostat is bad")
    talk.say("thermocouple is clean")
    assert talk.chat.state.evidence.contradictions == ()


@pytest.mark.parametrize(
    "texts",
    [
        ("water pump not working", "it hums", "replaced fuse, all good"),
        (
            "rooftop ac not cooling",
            "just hums",
            "put a new 45/5 cap in. compressor starts right up and its blowing cold",
        ),
        ("водяной насос не работает", "гудит", "предохранитель сгорел", "поменял", "да, работает"),
    ],
)
def test_a_repair_is_an_action_and_a_part(texts: tuple[str, ...]) -> None:
    talk = Talk(*texts)
    assert talk.context["terminalState"] == "terminal"
    assert any(fact.category == "repair" for fact in talk.chat.state.evidence.live())


@pytest.mark.parametrize(
    "texts",
    [
        ("водонагреватель не греет", "только газ", "баллон заправили вчера"),
        ("roof ac warm", "hums", "I think the cap is bad"),
    ],
)
def test_what_was_done_before_and_what_is_thought_is_no_repair(texts: tuple[str, ...]) -> None:
    talk = Talk(*texts)
    assert talk.context["terminalState"] == "normal"
    assert not any(fact.category == "repair" for fact in talk.chat.state.evidence.live())


BLOWN = {
    "en": ("water pump not working", "it hums", "the fuse is blown"),
    "ru": ("водяной насос не работает", "гудит", "предохранитель сгорел"),
    "es": ("la bomba de agua no funciona", "zumba", "el fusible está quemado"),
}


@every(
    ("language", "text", "done"),
    [
        ("en", "slapped a fresh one in", True),
        ("en", "fitted a spare", True),
        ("en", "ought to put a new one in", False),
        ("en", "I'll put a new one in later", False),
        ("en", "put a new video on for the kids", False),
        ("ru", "воткнул новый", True),
        ("ru", "поставил другой", True),
        ("ru", "новый заказал", False),
        ("es", "le puse uno nuevo", True),
        ("es", "monté otro", True),
        ("es", "hay que poner uno nuevo", False),
    ],
)
def test_a_new_one_put_in_is_the_part_that_was_spoken_of(language: str, text: str, done: bool) -> None:
    talk = Talk(*BLOWN[language], text)
    assert any(fact.category == "repair" for fact in talk.chat.state.evidence.live()) is done


def test_a_repair_told_beside_a_correction_is_kept() -> None:
    talk = Talk("water pump not working", "hums", "12.6 V", "0.3 ohm", "oops, it was 11.2 V. Replaced the fuse too.")
    told = {fact.category: fact for fact in talk.chat.state.evidence.live()}
    assert (told["test_result"].number, told["repair"].value.strip()) == (11.2, "Replaced the fuse too.")


@every(
    "text",
    ["is nine a lot? new at this", "а девять это много? я тут новенький", "¿nueve voltios es mucho? soy nuevo en esto"],
)
def test_a_question_before_a_remark_is_a_question(text: str) -> None:
    talk = Talk("water pump not working", "hums", text)
    assert (talk.turn.intent.type, talk.step) == ("STEP_HELP", "wp_2")


PUMP = ("hums", "12.4", "all tight", "dry", "clicks")
RU = ("водяной насос не работает", "гудит", "12.4", "норм", "сухо", "щёлкает")
ES = ("la bomba de agua no funciona", "zumba", "12.4", "limpia y firme", "seco", "hace clic")


def test_the_complaint_of_the_report_is_the_complaint() -> None:
    report = Talk("Morning.", "water pump dead", *PUMP, "START FINAL REPORT").reply
    assert report.startswith('Complaint:\n"water pump dead"')


@pytest.mark.parametrize("text", ["пиши отчёт", "ВЫДАЙ РЕПОРТ", "дай отчет"])
def test_a_report_is_a_verb_and_its_name(text: str) -> None:
    reply = Talk(*RU, text).reply
    assert reply.startswith("Complaint:")
    assert '"гудит" (said in Russian)' in reply


@pytest.mark.parametrize(
    ("text", "hours"), [("make labor 1.5", 1.5), ("поставь час работы", 1.0), ("pon 2 horas de trabajo", 2)]
)
def test_hours_are_put_down_in_any_order_of_words(text: str, hours: float) -> None:
    talk = Talk("water pump dead", *PUMP, "START FINAL REPORT", text)
    assert talk.chat.state.labor.hours == hours


@every(
    ("language", "text", "hours"),
    [
        ("en", "took 3 hours. write the report", 3),
        ("ru", "полтора часа вышло. пиши отчёт", 1.5),
        ("es", "fueron 2 horas. haz el informe", 2),
    ],
)
def test_hours_told_beside_a_wish_for_the_report_are_put_down(language: str, text: str, hours: float) -> None:
    talk = Talk(*{"en": ("water pump dead", *PUMP), "ru": RU, "es": ES}[language], text)
    assert (talk.chat.state.labor.hours, talk.context["mode"]) == (hours, "final_report")


def test_the_language_of_the_answers_is_ordered_in_any_language() -> None:
    talk = Talk("la bomba de agua no funciona", "zumba", "respuesta en inglés")
    assert talk.chat.state.conversation.language == "en"


def test_two_readings_at_one_place_that_disagree_are_asked_about() -> None:
    talk = Talk("water pump not working", "it hums", "12.4 V", "0 V at the terminals")
    assert "which of the two is right" in talk.reply


def test_a_motor_that_ran_on_direct_power_is_not_replaced_by_any_name() -> None:
    talk = Talk(
        "awning does not open",
        "12.6 V",
        "ok",
        "clicks",
        "ok",
        "12.4 V",
        "motor runs fine when I jump it to the battery",
    )
    for text in ("Swap the motor?", "Shall we put in a new motor?"):
        assert "PART_PROVEN_GOOD" in [violation.rule for violation in talk.chat.check(text).violations]


def test_what_the_desk_thinks_is_told_with_its_evidence() -> None:
    talk = Talk("water pump not working", "hums", "12.4", "I think the pump is bad", "what do you think is wrong?")
    assert '"I think the pump is out of specification"' in talk.reply
    assert talk.step == "wp_3"


def test_where_labor_blocks_the_text_does_not_say_that_nothing_waits() -> None:
    blocking = pack(ENABLE_NON_BLOCKING_LABOR=False)
    talk = Talk("water pump dead", "hums", "replaced the pump, works now", "START FINAL REPORT", pack=blocking)
    assert "the report waits for it" in talk.reply


@pytest.mark.parametrize("text", ["no. what's next?", "да. что дальше?", "no. ¿Qué sigue?"])
def test_a_yes_or_no_before_the_wish_to_go_on_is_the_answer(text: str) -> None:
    assert closes("wp_1", text)


def test_the_complaint_is_what_was_told_before_the_question_which_system_it_is() -> None:
    talk = Talk("AC not cooling", "the dash one", *["can't check that"] * 6, "START FINAL REPORT")
    complaint, _, rest = talk.reply.partition("Diagnostic Procedure")
    assert "AC not cooling" in complaint
    assert "AC not cooling" not in rest


def test_a_report_does_not_recommend_a_part_that_was_shown_to_work() -> None:
    talk = Talk("Awning does not open", "12.6", "fuse is good", "no click", "needs a new motor", "tight")
    talk.each(["0 volts", "works fine", "START FINAL REPORT"])
    assert "Complaint" in talk.reply
    assert "new motor" not in talk.reply.partition("Recommended")[2]


@pytest.mark.parametrize(
    ("text", "noted"),
    [
        ("they told me the lights over the dinette flicker as well", ["electrical_12v"]),
        ("они ещё жалуются что слайд заедает", ["slide_out"]),
        ("también dicen que el toldo hace ruido", ["awning"]),
        ("also the fridge works fine", []),
        ("холодильник тоже в порядке", []),
    ],
)
def test_what_is_told_of_one_more_system_leaves_the_step_open_and_is_noted_unless_it_is_well(
    text: str, noted: list[str]
) -> None:
    face = at("wp_2")
    assert face.turn(text)["context"]["activeStepId"] == "wp_2"
    assert [complaint.system for complaint in face.chat.state.procedure.complaints] == noted


def test_a_question_is_no_complaint_and_quoted_in_a_report_it_loops_nothing() -> None:
    talk = Talk("hello", "where is the fuse?", *["can't check that"] * 7, "START FINAL REPORT")
    assert "Complaint:" in talk.reply
    assert '"where is the fuse?"' not in talk.reply.partition("Diagnostic Procedure")[0]


@pytest.mark.parametrize(
    ("text", "system"),
    [
        ("the refridgerator is warm, we run it on propane", "refrigerator"),
        ("furnance wont come on", "furnace"),
        ("холодильинк не морозит", "refrigerator"),
        ("el calefacctor no prende", "furnace"),
        ("leveling jacks do nothing, pump is quiet", "leveling"),
        ("the pump is quiet and the jacks do nothing", "water_pump"),
    ],
)
def test_a_system_is_known_by_a_misspelt_name_and_its_own_parts_name_no_other(text: str, system: str) -> None:
    assert HF.session(f"case-{next(_ids)}").face.turn(text)["context"]["primarySystem"] == system


def test_a_wish_that_a_report_quotes_is_not_about_the_part_whose_label_stands_before_it() -> None:
    face = HF.session(f"case-{next(_ids)}").face
    face.start("electrical_12v", active="e12_6")
    face.turn("Component runs fine when I apply 12V directly")
    face.enter("final_report")

    def is_refused(line: str) -> bool:
        return "PART_PROVEN_GOOD" in [violation.rule for violation in face.chat.check(line).violations]

    assert is_refused("Recommended: the component needs replacement")
    assert not is_refused('Component: "checked the solenoid, it does not work, needs replacement"')


@pytest.mark.parametrize(
    ("text", "done"),
    [
        ("connector was melted, so i crimped a new one on", True),
        ("реле сгорело, воткнул новое", True),
        ("el cable estaba roto, le puse uno nuevo", True),
        ("connector was melted, i put new gloves on", False),
    ],
)
def test_a_new_one_is_the_part_that_the_sentence_spoke_of(text: str, done: bool) -> None:
    facts = at("wp_3").turn(text)["context"]["facts"]
    assert any(fact.get("category") == "repair" for fact in facts) == done


def test_a_photo_beside_an_answer_leaves_it_an_answer_and_beside_a_question_is_help() -> None:
    assert at("ac_3").turn("blade is cracked", photo="fan.jpg")["context"]["activeStepId"] != "ac_3"
    turn = at("ac_3").turn("is this the one?", photo="fan.jpg")
    assert (turn["context"]["activeStepId"], turn["intent"]["type"]) == ("ac_3", "STEP_HELP")


@pytest.mark.parametrize(
    ("step", "text"),
    [
        ("wp_1", "gotcha. it hums"),
        ("wp_1", "ясно. молчит"),
        ("ac_3", "sale. gira libre"),
        ("wh_3", "cool. stove lights"),
    ],
)
def test_a_remark_before_an_answer_leaves_it_an_answer(step: str, text: str) -> None:
    assert closes(step, text)


@pytest.mark.parametrize(("step", "text"), [("wp_1", "12.8"), ("wh_3", "118"), ("wh_3", "yeah the motor turns")])
def test_a_figure_alone_and_another_part_tell_nothing_of_how_a_part_is(step: str, text: str) -> None:
    assert not closes(step, text)


@pytest.mark.parametrize(
    ("text", "ran"),
    [
        *(("fuse is good. hooked it to a spare battery and it just sits there", False),),
        *(("pump was dead, but it spins fine wired straight to a battery", True),),
        *(("12.4. запитал его от акб, стоит колом", False), ("насос молчал, напрямую крутится", True)),
        *(("la bomba estaba muerta, pero jala si la conecto directo a la bateria", True),),
        *(("la conecte directo y ni se mueve", False),),
    ],
)
def test_how_a_part_ran_on_direct_power_is_told_with_the_test(text: str, ran: bool) -> None:
    talk = Talk.after("water pump not working", "no sound at all")
    talk.say(text)
    diagnosis = talk.chat.state.diagnosis
    assert (bool(diagnosis.proven_good), diagnosis.isolation_complete) == (ran, not ran)


@pytest.mark.parametrize(
    ("texts", "system"),
    [
        *((("ac isnt cooling", "the one up top"), "roof_ac"), (("ac isnt cooling", "up front"), "cab_ac")),
        *(
            (("кондиционер не холодит", "который наверху"), "roof_ac"),
            (("el aire no enfria", "el de arriba"), "roof_ac"),
        ),
    ],
)
def test_which_of_several_systems_is_meant_is_told_by_where_it_sits(texts: tuple[str, ...], system: str) -> None:
    assert Talk.after(*texts).chat.state.procedure.system == system


@pytest.mark.parametrize(
    ("text", "gated", "closed"),
    [
        *(("gas only water heater, no hot water", ("combo",), ["wh_1"]), ("water heater wont light on gas", (), [])),
        *(("бойлер чисто газовый, горячей воды нет", ("combo",), ["wh_1"]),),
        *(("no hay agua caliente, es un combo", (), ["wh_1"]),),
    ],
)
def test_a_first_message_tells_which_kind_of_unit_it_is(text: str, gated: tuple[str, ...], closed: list[str]) -> None:
    progress = Talk.after(text).chat.state.procedure
    assert (progress.excluded, list(progress.closed)) == (gated, closed)


def test_of_two_complaints_in_one_sentence_the_first_is_the_case() -> None:
    progress = Talk.after("jacks wont come down and also the awning is stuck").chat.state.procedure
    assert (progress.system, [noted.system for noted in progress.complaints]) == ("leveling", ["awning"])


@pytest.mark.parametrize(
    "text",
    [
        *("breaker was tripped, reset it and everything's back", "перегорел. воткнул новый и свет появился"),
        *("estaba quemado, le puse otro de 15 y ya prendieron", "blown, popped another in and they came right on"),
    ],
)
def test_what_is_set_back_or_put_in_and_works_ends_the_case(text: str) -> None:
    talk = Talk.after("no 12v lights in the coach", "12.6 at the battery")
    talk.say(text)
    assert talk.chat.state.diagnosis.terminal == "terminal"


@pytest.mark.parametrize(
    ("complaint", "asks", "text"),
    [
        ("water pump not working", "wp_2", "11.9"),
        ("awning wont extend", "awn_4", "tight and shiny"),
        ("отопитель не греет", "furn_4", "чистый"),
        ("el toldo no abre", "awn_2", "quemado"),
    ],
)
def test_what_is_answered_is_the_step_that_the_agent_asked_though_another_was_due(
    complaint: str, asks: str, text: str
) -> None:
    talk = HF.session(f"case-{next(_ids)}")
    talk.hear(complaint)
    due = talk.state.procedure.active
    step = talk.face.desk.library.step(asks)
    talk.say(step.in_(talk.state.conversation.language))
    talk.hear(text)
    assert (asks != due, list(talk.state.procedure.closed), talk.state.procedure.active) == (True, [asks], due)


@pytest.mark.parametrize(
    ("text", "closed"),
    [
        (
            "water pump quit. not a sound out of it when I open a tap",
            {"wp_1": "not a sound out of it when I open a tap"},
        ),
        ("водяной насос не качает, жужжит еле слышно", {"wp_1": "жужжит еле слышно"}),
        ("water pump quit. ground is good, 0.2 ohms", {"wp_3": "ground is good"}),
        ("roof ac not cooling since monday", {}),
    ],
)
def test_a_first_message_closes_the_step_that_would_be_asked_first_where_it_plainly_answers_it(
    text: str, closed: dict[str, str]
) -> None:
    progress = Talk.after(text).chat.state.procedure
    assert {step: closing.value for step, closing in progress.closed.items()} == closed


def test_what_cannot_be_seen_is_heard_though_more_is_said_in_the_same_breath() -> None:
    face = at("wp_3")
    face.turn("no llego a verla, está todo soldado")
    assert face.chat.state.procedure.closed["wp_3"].value == "no llego a verla, está todo soldado"


def test_a_part_is_not_in_doubt_because_its_sentence_complains_of_something_else() -> None:
    talk = HF.session(f"case-{next(_ids)}")
    talk.hear("roof ac wont cool, blower runs fine")
    assert talk.hear("fan spins fine").question is None


def test_what_stands_beside_a_correction_answers_the_step_anew() -> None:
    face = at("wp_3")
    face.turn("loose and green")
    face.turn("correction on the ground, I looked at the wrong wire. It's clean and tight")
    assert face.chat.state.procedure.closed["wp_3"].value == "It's clean and tight"
