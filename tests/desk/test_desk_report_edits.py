"""A technician takes lines out of a report, puts them in other words and adds to it; every claim still rests on what
was said."""

from __future__ import annotations

import pytest

from tests.desk.talk import Talk
from tests.rows import every

CASES = {
    "en": [
        "Rooftop AC not cooling",
        "hums",
        "good air",
        "left fan blade is bent, fan turns hard",
        "COOL at 65",
        "capacitor is swollen",
        "118 V",
        "contacts pitted",
        "filters filthy",
        "iced over",
        "no codes",
        "START FINAL REPORT",
    ],
    "ru": [
        "крышный кондиционер не охлаждает",
        "гудит",
        "воздух хороший",
        "левый подшипник гудит",
        "COOL",
        "вздулся конденсатор",
        "118 В",
        "контакты подгорели",
        "фильтры грязные",
        "обмёрз",
        "кодов нет",
        "итоговый отчёт",
    ],
    "es": [
        "aire de techo no enfría",
        "zumba",
        "buen aire",
        "el ventilador izquierdo no gira",
        "COOL",
        "capacitor hinchado",
        "118 V",
        "contactos picados",
        "filtros sucios",
        "congelado",
        "sin códigos",
        "informe final",
    ],
}


@every(
    ("language", "text", "gone", "there"),
    [
        ("en", "take out the line about the capacitor", "swollen", "contacts pitted"),
        ("en", "remove the filter line", "filthy", "iced over"),
        ("en", "leave the codes out", "no codes", "iced over"),
        ("en", "change 118 to 117", "118 V", "117 V"),
        ("en", "should say lightly pitted, not pitted", "contacts pitted", "contacts lightly pitted"),
        ("en", "put soiled instead of filthy", "filthy", "filters soiled"),
        ("en", "it was the right one", "left fan", "right fan blade"),
        ("en", "replace the capacitor line with capacitor top is domed", "swollen", "capacitor top is domed"),
        ("ru", "убери строчку про конденсатор", "вздулся", "левый подшипник"),
        ("ru", "вычеркни фильтры", "грязные", "обмёрз"),
        ("ru", "поменяй 118 на 117", "118 В", "117 В"),
        ("ru", "не подгорели, а слегка потемнели", "подгорели", "слегка потемнели"),
        ("ru", "это был правый", "левый", "правый подшипник"),
        ("es", "quita lo del capacitor", "hinchado", "contactos picados"),
        ("es", "cambia 118 por 117", "118 V", "117 V"),
        ("es", "era el derecho", "izquierdo", "ventilador derecho"),
        ("es", "pon oxidados en vez de picados", "picados", "contactos oxidados"),
    ],
)
def test_an_edit_takes_out_or_rewords_the_lines_it_names(language: str, text: str, gone: str, there: str) -> None:
    talk = Talk.after(*CASES[language])
    assert gone in talk.reply
    report = talk.say(text)
    assert report.startswith("Complaint:")
    assert gone not in report
    assert there in report


def test_what_an_edit_takes_out_of_the_report_stays_in_the_case() -> None:
    talk = Talk.after(*CASES["en"])
    talk.say("take out the line about the capacitor")
    assert "capacitor is swollen" in [fact["value"] for fact in talk.context["facts"]]
    assert "swollen" not in talk.chat.face.fact_lock()


@pytest.mark.parametrize(
    ("language", "text", "hours"),
    [
        ("en", "change 2 hours to 1.5", "Total labor: 1.5 hr"),
        ("en", "make it 2 hours", "Total labor: 2 hr"),
        ("ru", "поменяй 1.5 часа на 2", "Total labor: 2 hr"),
        ("es", "cambia 1,5 horas a 2", "Total labor: 2 hr"),
    ],
)
def test_hours_in_an_edit_change_the_total(language: str, text: str, hours: str) -> None:
    assert hours in Talk.after(*CASES[language]).say(text)


@pytest.mark.parametrize(
    ("language", "text", "claim", "undo"),
    [
        ("en", "add that I cleaned the filters", '"I cleaned the filters"', "remove that"),
        ("ru", "добавь, что я промыл фильтры", '"я промыл фильтры"', "убери это"),
        ("es", "agrega que limpié los filtros", '"limpié los filtros"', "quita eso"),
    ],
)
def test_what_is_added_becomes_a_fact_and_can_be_taken_out_again(
    language: str, text: str, claim: str, undo: str
) -> None:
    talk = Talk.after(*CASES[language])
    report = talk.say(text)
    assert f"Repair performed by the technician: {claim}" in report
    assert talk.fact.category == "repair"
    assert claim not in talk.say(undo)


@pytest.mark.parametrize(
    ("language", "text", "asked"),
    [
        ("en", "remove the line about the unicorn", "Which line is it"),
        ("ru", "убери строчку про единорога", "Какая это строка"),
        ("es", "quita lo del unicornio", "¿Cuál línea es"),
    ],
)
def test_an_edit_of_a_line_that_is_not_there_is_asked_about(language: str, text: str, asked: str) -> None:
    talk = Talk.after(*CASES[language])
    before = talk.chat.face.report()
    assert asked in talk.say(text)
    assert talk.chat.face.report() == before
    assert talk.context["mode"] == "final_report"


@every(
    ("language", "text", "header", "there"),
    [
        (
            "en",
            "corrective action should read: replaced the fan blade",
            "Recommended Corrective Action",
            "Replaced the fan blade",
        ),
        ("en", "required parts should be run capacitor 45/5. labor 1.5", "Required Parts", "run capacitor 45/5"),
        ("en", "parts is just 2 x 40a fuses, no converter", "Required Parts", "2 x 40a fuses, no converter"),
        ("en", "complaint is wrong. change it to: trips the breaker", "Complaint", "Trips the breaker"),
        ("ru", "корректирующее действие: заменил подшипник", "Recommended Corrective Action", "Заменил подшипник"),
        (
            "es",
            "la acción correctiva debe decir: cambié el ventilador",
            "Recommended Corrective Action",
            "Cambié el ventilador",
        ),
    ],
)
def test_a_section_says_what_the_technician_wants_it_to_say(language: str, text: str, header: str, there: str) -> None:
    report = Talk.after(*CASES[language]).say(text)
    said = report.partition(f"{header}:\n")[2].partition("\n\n")[0]
    assert said == there
    assert report.count(there) <= (1 if language == "en" else 2)  # with the translation


def test_a_further_complaint_is_no_edit_of_the_first() -> None:
    talk = Talk.after(*CASES["en"])
    report = talk.reply
    assert "awning" not in talk.say("next complaint: awning goes out slow, motor gets 11.2v").partition("Verified")[0]
    assert "Rooftop AC not cooling" in report


@pytest.mark.parametrize("text", ["the complaint is fixed now", "the action was quick", "no further action to take"])
def test_talk_of_a_section_words_none(text: str) -> None:
    talk = Talk.after(*CASES["en"])
    talk.say(text)
    assert not any(type(event).__name__ == "ClaimsChanged" for event in talk.turn.events)
