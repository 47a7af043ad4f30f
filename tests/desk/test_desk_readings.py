"""How readings, questions and answers really come from a bench: commas, words, "OL", "no voltage", two things in one
message, corrections of something said before."""

from __future__ import annotations

import pytest

from tests.desk.talk import Talk
from tests.rows import every

PUMP = {"en": "Water pump not working", "ru": "водяной насос не работает", "es": "la bomba de agua no funciona"}
SOUND = {"en": "hums", "ru": "гудит", "es": "zumba"}


@every(
    ("language", "text", "number", "off"),
    [
        ("en", "12,4 V", 12.4, False),
        ("en", "twelve point four volts at the terminals", 12.4, False),
        ("en", "~12", 12.0, False),
        ("en", "no voltage", 0.0, True),
        ("en", "zero volts", 0.0, True),
        ("en", "about 9.8v dc", 9.8, True),
        ("en", "meter reads nothing", 0.0, True),
        ("ru", "12,4 вольта", 12.4, False),
        ("ru", "двенадцать запятая шесть вольт", 12.6, False),
        ("ru", "нет напряжения", 0.0, True),
        ("ru", "напряжения нет", 0.0, True),
        ("ru", "ноль вольт", 0.0, True),
        ("es", "doce punto seis voltios", 12.6, False),
        ("es", "no hay voltaje", 0.0, True),
        ("es", "12,1 V", 12.1, False),
        ("en", "twelve six at the moment", 12.6, False),
        ("en", "got nineteen there", 19.0, True),
        ("ru", "12 и 2", 12.2, False),
        ("ru", "ровно двенадцать и три", 12.3, False),
        ("es", "once con ocho", 11.8, False),
    ],
)
def test_a_voltage_is_read_however_it_is_said(language: str, text: str, number: float, off: bool) -> None:
    talk = Talk(PUMP[language], SOUND[language], text)
    assert (talk.fact.number, talk.fact.unit, talk.fact.out_of_range) == (number, "V", off)
    assert talk.step == "wp_3"


@pytest.mark.parametrize(
    ("language", "volts", "text", "number", "off"),
    [
        ("en", "12.6 V", "0.3 ohm", 0.3, False),
        ("en", "12.6 V", "1.2 kohm to chassis", 1200.0, True),
        ("en", "12.6 V", "OL", None, True),
        ("en", "12.6 V", "no continuity", None, True),
        ("ru", "12.6 В", "бесконечность", None, True),
        ("ru", "12.6 В", "0,2 Ом", 0.2, False),
        ("es", "12.6 V", "sin continuidad", None, True),
        ("es", "12.6 V", "0,2 ohmios", 0.2, False),
    ],
)
def test_an_ohmmeter_is_read_with_its_ol(language: str, volts: str, text: str, number: float | None, off: bool) -> None:
    talk = Talk(PUMP[language], SOUND[language], volts, text)
    assert (talk.fact.type, talk.fact.number, talk.fact.unit) == ("measurement", number, "ohm")
    assert talk.fact.out_of_range is off


@every("text", ["38 в тени", "уже сорок в гараже", "тут 30 в боксе"])
def test_a_preposition_after_a_figure_is_no_unit(text: str) -> None:
    assert [measure["unit"] for measure in Talk().chat.face.measures(text)] == [None]


def test_ol_on_a_voltage_step_is_asked_about() -> None:
    talk = Talk(PUMP["en"], SOUND["en"], "OL")
    assert "is the meter on the right range" in talk.reply
    assert talk.step == "wp_2"


@pytest.mark.parametrize(
    ("texts", "step", "answered"),
    [
        (
            ("Water heater won't light", "combo", "tank half full, where is the main valve?"),
            "wh_3",
            "on top of the tank",
        ),
        (("Water heater won't light", "it's a combo. What's next?"), "wh_2", "How full is the LP tank"),
        (("Water pump not working", "hums. Where is the pressure switch?"), "wp_2", "on the head of the pump"),
        (("Water pump not working", "hums", "Where is the strainer? I read 12.6 V"), "wp_3", "inlet side"),
        (("водяной насос не работает", "гудит", "12,4 В. А где реле давления?"), "wp_3", "на головке насоса"),
        (("водяной насос не работает", "молчит, а где он стоит кстати?"), "wp_2", "около бака"),
        (
            ("la bomba de agua no funciona", "zumba", "12,5 V. ¿Y dónde queda el presostato?"),
            "wp_3",
            "cabeza de la bomba",
        ),
    ],
)
def test_a_finding_and_a_question_in_one_message_are_both_taken(
    texts: tuple[str, ...], step: str, answered: str
) -> None:
    talk = Talk(*texts)
    assert talk.step == step
    assert answered in talk.reply
    question = talk.chat.face.desk.library.step(step).in_(talk.context["language"])
    assert talk.reply.endswith(question)


@pytest.mark.parametrize(
    "text",
    ["ok. where is it?", "I'm at the pump. which side is it?", "yes, but where is it?", "I see a pump. Is this it?"],
)
def test_words_that_only_lead_to_a_question_close_nothing(text: str) -> None:
    assert Talk(PUMP["en"], text).step == "wp_1"


@pytest.mark.parametrize(
    ("texts", "number", "step"),
    [
        (("Water pump not working", "hums", "12.6 V", "0.3 ohm", "the voltage was 11.9, I misread it"), 11.9, "wp_4"),
        (("Water pump not working", "hums", "12.6 V", "0.3 ohm", "the resistance was 5 ohm, not 0.3"), 5.0, "wp_4"),
        (("Water pump not working", "hums", "12.6 V", "sorry, it was 11.2"), 11.2, "wp_3"),
        (("Water pump not working", "hums", "12.6 V", "0.3 ohm", "oops, those volts were eleven nine"), 11.9, "wp_4"),
        (("водяной насос не работает", "гудит", "12,6 В", "масса чистая", "ой, там 11,9 было"), 11.9, "wp_4"),
        (("la bomba de agua no funciona", "zumba", "12,6 V", "limpia y firme", "perdón, sale 11,9"), 11.9, "wp_4"),
        (("водяной насос не работает", "гудит", "нет напряжения", "ошибся, там 12,2 В"), 12.2, "wp_3"),
        (("la bomba de agua no funciona", "zumba", "no hay voltaje", "me equivoqué, eran 12,1 voltios"), 12.1, "wp_3"),
    ],
)
def test_a_correction_finds_the_reading_it_is_about(texts: tuple[str, ...], number: float, step: str) -> None:
    talk = Talk(*texts)
    assert talk.fact.number == number
    assert talk.step == step
    old = [fact for fact in talk.chat.state.evidence.facts if fact.superseded_by == talk.fact.id]
    assert len(old) == 1
    assert old[0].step == talk.fact.step


def test_what_is_told_of_another_step_closes_that_one_and_stands_there_in_the_report() -> None:
    talk = Talk("Water pump not working", "hums", "12.6 V", "no click from the pressure switch")
    assert talk.step == "wp_3"
    talk.each(["clean and tight", "dry, no corrosion", "START FINAL REPORT"])
    assert 'Pressure switch: "no click from the pressure switch"' in talk.reply
    assert 'Ground path of the pump housing: "clean and tight"' in talk.reply
