"""The service desk without a key: whole conversations, from the first complaint to the report, in three languages."""

from __future__ import annotations

import subprocess
import sys
from itertools import pairwise
from pathlib import Path

import pytest

from holdfast import Holdfast
from holdfast.agents import run
from holdfast.packs.rv_service_desk import PACK, pack

ROOT = Path(__file__).parents[2]

TALKS = {
    "en": [
        ("Rooftop AC not cooling", "compressor"),
        ("it hums but does not start", "indoor blower"),
        ("what is a capacitor?", "the push it needs to start"),
        ("blower runs, good air", "condenser fan"),
        ("I don't understand the question", "In other words"),
        ("turns freely", "thermostat"),
        ("yes, set to COOL", "capacitor"),
        ("bulged capacitor, the capacitor is bad", "Was this fault repaired"),
        ("replaced the capacitor, AC works now", "START FINAL REPORT"),
        ("START FINAL REPORT", "Complaint:"),
    ],
    "ru": [
        ("Водонагреватель не греет", "Какой это водонагреватель"),
        ("газовый Suburban", "баллон"),
        ("полный, открыт", "Работают ли другие"),
        ("да", "Открыт ли ручной кран"),
        ("где он находится?", "Тот же шаг ещё открыт"),
        ("открыт", "12 В DC"),
        ("нет 12 В", "Выше платы управления"),
        ("обрыв проводки у предохранителя", "устранена"),
        ("заменил проводку, работает", "START FINAL REPORT"),
        ("итоговый отчёт", "--- TRANSLATION ---"),
    ],
    "es": [
        ("El toldo no abre", "voltaje de la batería"),
        ("12,6 V", "fusible"),
        ("¿dónde está?", "mismo paso sigue abierto"),
        ("intacto", "interruptor del toldo"),
        ("sí, hace clic", "tierra"),
        ("limpia y firme", "terminales del motor"),
        ("sí, 12,4 V", "directamente con 12 V"),
        ("no", "START FINAL REPORT"),
        ("informe final", "--- TRANSLATION ---"),
    ],
}


@pytest.mark.parametrize("language", TALKS)
def test_the_desk_leads_a_technician_to_the_report(language: str) -> None:
    chat = Holdfast(pack=PACK).session("case")
    for text, expected in TALKS[language]:
        turn = chat.hear(text)
        replies = list(run(PACK.agent, turn, chat))  # type: ignore[arg-type]
        assert all(reply.allowed for reply in replies), (text, [r.violations for r in replies])
        assert expected in " ".join(reply.text for reply in replies), (text, [r.text for r in replies])


def test_with_the_older_labor_the_report_waits_for_the_hours() -> None:
    older = pack(ENABLE_NON_BLOCKING_LABOR=False)
    chat = Holdfast(pack=older).session("case")
    said = ""
    for text in (
        "Water pump not working",
        "no sound",
        "Applied 12V directly to the pump, it does not run",
        "START FINAL REPORT",
        "2 hours",
        "START FINAL REPORT",
    ):
        turn = chat.hear(text)
        replies = list(run(older.agent, turn, chat))  # type: ignore[arg-type]
        assert all(reply.allowed for reply in replies), (text, [r.violations for r in replies])
        said += f"> {text}\n{replies[0].text}\n"
    assert said.count("Estimated total labor") == 2
    assert "Total labor: 2 hr" in said


def test_a_second_complaint_is_acknowledged() -> None:
    chat = Holdfast(pack=PACK).session("case")
    chat.hear("Water pump not working")
    turn = chat.hear("it hums. Also the fridge is not cooling")
    replies = list(run(PACK.agent, turn, chat))  # type: ignore[arg-type]
    assert replies[0].text.startswith("The other complaint is noted")
    assert replies[0].allowed


def test_every_text_of_the_desk_passes_its_own_checks() -> None:
    """The question and the help of each of the 147 steps, in each language, may go out."""
    hf = Holdfast(pack=PACK)
    for language, hello in (("en", "speak english"), ("ru", "говори по-русски"), ("es", "habla español")):
        for name, procedure in PACK.faculty("procedure").desk.library.procedures.items():  # type: ignore[attr-defined]
            chat = hf.session(f"{language}-{name}")
            chat.hear(hello)
            for step in procedure.step[:3]:
                chat.face.start(name, active=step.id)
                assert chat.check(step.in_(language)).allowed, (step.id, chat.check(step.in_(language)).violations)
                for kind in ("LOCATE", "EXPLAIN", "HOWTO"):
                    chat.face.push(kind, step.part.in_(language))
                    help_ = chat.face.help_text()
                    assert chat.check(help_).allowed, (help_, chat.check(help_).violations)
                    chat.face.pop()


def test_the_picture_of_the_modes_is_that_of_the_code() -> None:
    drawn = subprocess.run(
        [sys.executable, str(ROOT / "tools" / "draw_modes.py"), "-"], capture_output=True, text=True, check=True
    )
    assert drawn.stdout == (ROOT / "docs" / "modes.md").read_text(encoding="utf-8")


@pytest.mark.parametrize(
    "said", [("hello", "my dog is called Rex", "yes", "no idea"), ("привет", "собака", "не знаю", "нет")]
)
def test_the_system_is_asked_for_in_another_way_each_time(said: tuple[str, ...]) -> None:
    engine = Holdfast(pack="rv_service_desk")
    chat = engine.session("s")
    replies = [next(iter(run(engine.pack.agent, chat.hear(text), chat))).text for text in said]  # type: ignore[arg-type]
    assert len({*replies}) >= 3
    assert all(reply not in after for reply, after in pairwise(replies))
