"""Who has mended the unit, wants no more checks, wants the report or leaves is heard, in whatever words, and what was
told on the way stands in the report where it belongs."""

from __future__ import annotations

import pytest

from tests.desk.talk import Talk
from tests.rows import every

PUMP = {
    "en": ("water pump wont run", "not a sound", "12.4 V at the terminals"),
    "ru": ("водяной насос не работает", "ни звука", "12,4 В на клеммах"),
    "es": ("la bomba de agua no funciona", "ni un ruido", "12,4 V en los bornes"),
}


@every(
    ("language", "text"),
    [
        ("en", "crimped a new lug on the feed wire, she runs again"),
        ("en", "plug was corroded, cleaned it, pumping like new"),
        ("ru", "обжал новую клемму, насос снова качает"),
        ("ru", "зачистил разъём, всё заработало"),
        ("es", "le puse un conector nuevo y ya bombea"),
        ("es", "limpié el enchufe, anda perfecto"),
    ],
)
def test_a_repair_after_which_all_works_ends_the_checks(language: str, text: str) -> None:
    talk = Talk(*PUMP[language], text)
    assert talk.context["terminalState"] == "terminal"
    assert "START FINAL REPORT" in talk.reply


@every(
    ("language", "text", "asked", "yes"),
    [
        ("en", "put a new pump in", "work again now?", "yes"),
        ("ru", "поставил новый насос", "снова работает?", "да"),
        ("es", "le puse una bomba nueva", "vuelve a funcionar", "sí"),
    ],
)
def test_after_a_repair_one_question_is_left(language: str, text: str, asked: str, yes: str) -> None:
    talk = Talk(*PUMP[language], text)
    assert asked in talk.reply
    talk.say(yes)
    assert talk.context["terminalState"] == "terminal"


@pytest.mark.parametrize(
    ("language", "no"), [("en", "no, still dead"), ("ru", "нет, не работает"), ("es", "no, sigue igual")]
)
def test_a_repair_that_did_not_help_leads_back_to_the_checks(language: str, no: str) -> None:
    talk = Talk(*PUMP[language])
    open_ = talk.step
    talk.say({"en": "put a new pump in", "ru": "поставил новый насос", "es": "le puse una bomba nueva"}[language])
    talk.say(no)
    assert talk.step == open_


@every(
    ("language", "text"),
    [
        ("en", "skip the remaining checks please"),
        ("en", "no more checks, we are done here"),
        ("ru", "остальные проверки пропускаем"),
        ("ru", "хватит вопросов"),
        ("es", "salta las demás revisiones"),
        ("es", "no más preguntas"),
    ],
)
def test_who_wants_no_more_checks_gets_the_report_of_what_is_known(language: str, text: str) -> None:
    talk = Talk(*PUMP[language], text)
    assert "START FINAL REPORT" in talk.reply
    assert len(talk.context["unableSteps"]) >= 3
    assert "Not verified" in talk.say("START FINAL REPORT")


@every(
    ("language", "text"),
    [
        ("en", "ok bye, talk tomorrow"),
        ("en", "thanks, im heading home"),
        ("ru", "ну всё, до завтра"),
        ("ru", "спасибо, до свидания"),
        ("es", "bueno, hasta mañana"),
        ("es", "gracias, adiós"),
    ],
)
def test_who_says_goodbye_is_let_go_and_the_step_waits(language: str, text: str) -> None:
    talk = Talk(*PUMP[language])
    open_ = talk.step
    said = {"en": "goodbye", "ru": "до свидания", "es": "hasta luego"}[language]
    assert said in talk.say(text)
    assert talk.step == open_


@every(
    ("language", "texts", "hours", "parts"),
    [
        (
            "en",
            ("swapped the pump, took me 1.25 hours. it runs again", "report. no parts needed"),
            "1.25",
            "none needed",
        ),
        ("ru", ("заменил насос, снова работает, полтора часа", "отчёт, запчастей нет"), "1.5", "none needed"),
        ("es", ("cambié la bomba y ya funciona, 45 minutos", "el informe, sin repuestos"), "0.75", "none needed"),
    ],
)
def test_hours_and_parts_that_are_told_with_the_repair_stand_in_the_report(
    language: str, texts: tuple[str, ...], hours: str, parts: str
) -> None:
    talk = Talk(*PUMP[language], *texts)
    assert f"Total labor: {hours} hr" in talk.reply
    assert parts in talk.reply
    assert "Repair performed" in talk.reply


@every(
    ("language", "text", "told"),
    [
        ("en", "is it dangerous to touch the terminals", "trained"),
        ("ru", "это не опасно, током не ударит?", "обученный"),
        ("es", "¿es peligroso tocar eso?", "capacitado"),
        ("en", "what should the ground read?", "0-1 ohm"),
        ("ru", "сколько должно быть на массе?", "0-1 Ом"),
        ("es", "¿cuánto debe marcar la tierra?", "0-1 ohm"),
    ],
)
def test_a_question_is_answered_by_a_figure_or_by_a_warning(language: str, text: str, told: str) -> None:
    talk = Talk(*PUMP[language])
    open_ = talk.step
    assert told in talk.say(text)
    assert talk.step == open_


def test_the_report_that_was_asked_for_too_early_comes_when_the_case_is_ready() -> None:
    talk = Talk(*PUMP["en"], "final report")
    assert "skip the rest" in talk.reply
    talk.say("put a new pump in")
    assert talk.say("yes").startswith("Complaint:")


def test_edits_in_one_message_are_each_done() -> None:
    talk = Talk(*PUMP["en"], "swapped the pump, it runs again", "START FINAL REPORT")
    report = talk.say("remove the terminals line. labor was 2 hours, no parts")
    assert "12.4 V" not in report
    assert "Total labor: 2 hr" in report
    assert "none needed" in report
