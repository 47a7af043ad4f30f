"""The faculties of the service desk in another field: nothing but data changes."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from holdfast import Holdfast
from holdfast.agents import run
from holdfast.pack import from_file

EXAMPLE = Path(__file__).parents[2] / "examples" / "bicycle_workshop" / "__init__.py"


@pytest.fixture
def hf() -> Holdfast:
    """The workshop by the path of its file, as `holdfast chat --pack` takes it."""
    return Holdfast(pack=from_file(EXAMPLE))


def talk(hf: Holdfast, chat: Any, text: str) -> str:
    turn = chat.hear(text)
    replies = list(run(hf.pack.agent, turn, chat))  # type: ignore[arg-type]
    assert all(reply.allowed for reply in replies), [reply.violations for reply in replies]
    return " ".join(reply.text for reply in replies)


def test_a_mechanic_is_led_from_the_complaint_to_the_report(hf: Holdfast) -> None:
    chat = hf.session("bike")
    assert "brake lever" in talk(hf, chat, "the brakes squeal")
    assert "brake lever" in talk(hf, chat, "where is it?")
    assert "rotor" in talk(hf, chat, "short travel but it rubs")
    assert "millimetres" in talk(hf, chat, "true, rubs on the left")
    assert "hose" in talk(hf, chat, "0.8 mm")
    assert chat.face.context()["facts"][-1]["outOfRange"]
    assert "START FINAL REPORT" in talk(hf, chat, "runs free")
    report = talk(hf, chat, "START FINAL REPORT")
    assert report.startswith("Complaint:")
    assert '"0.8 mm"' in report


def test_the_case_ends_with_repair_and_restoration_in_russian(hf: Holdfast) -> None:
    chat = hf.session("bike")
    assert "шифтер" in talk(hf, chat, "передачи не переключаются")
    talk(hf, chat, "третья, щёлкает")
    talk(hf, chat, "заменил цепь, теперь работает")
    assert chat.face.context()["terminalState"] == "terminal"
    assert "--- TRANSLATION ---" in talk(hf, chat, "START FINAL REPORT")


def test_a_side_question_and_a_correction_work_there_too(hf: Holdfast) -> None:
    chat = hf.session("bike")
    talk(hf, chat, "flat front tyre")
    talk(hf, chat, "20 psi")
    context = chat.face.turn("I misread it, it is 60 psi")["context"]
    assert context["facts"][-1]["value"].endswith("60 psi")
    assert "outOfRange" not in context["facts"][-1]
    assert context["activeStepId"] == "wl_2"
