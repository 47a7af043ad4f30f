"""What a technician types is taken by what its words give: repairs, what works, what is wrong, what a report says."""

from __future__ import annotations

import pytest

from holdfast.faculties.desk import hearing
from holdfast.faculties.desk.answering import mended, works
from holdfast.packs.rv_service_desk import PACK
from tests.desk.talk import Talk
from tests.rows import every

PUMP = ("water pump wont run", "hums", "12.4", "all tight", "dry", "clicks")
DONE = "pressure switch was seized, put a new one in, pumps fine now"


def _given(text: str, facet: str, stands: str = hearing.SO) -> list[str]:
    reading = PACK.reader.read(text)
    return [reading.words(span) for span in hearing.spans(reading, facet, stands=stands)]


@every(
    ("text", "there"),
    [
        ("yanked the old element and threaded in a fresh one", True),
        ("soldered the broken lead back on", True),
        ("перепаял оторванный провод", True),
        ("поставил другой клапан взамен", True),
        ("le soldé el cable suelto", True),
        ("puse otro fusible", True),
        ("will swap the element after lunch", False),
        ("the last guy put a new board in back in may", False),
        ("надо бы клапан поменять", False),
        ("mañana le cambio la tarjeta", False),
    ],
)
def test_a_repair_is_what_was_done_and_nothing_planned(text: str, there: bool) -> None:
    assert bool(_given(text, "done")) is there


@every(
    "text",
    [
        "i havent fixed anything yet!",
        "Repaired: no. Unit works: no.",
        "not replaced yet",
        "ещё ничего не чинил",
        "no reparé nada",
    ],
)
def test_what_is_denied_is_no_repair_and_nothing_that_works(text: str) -> None:
    reading = PACK.reader.read(text)
    assert (reading.find(mended), reading.find(works)) == (None, None)


@every(
    ("text", "complaint"),
    [
        ("hey there, got a 2016 cougar in the bay, owner says the furnace blows cold", "the furnace blows cold"),
        ("добрый день! клиент приехал, холодильник не морозит", "холодильник не морозит"),
        ("buenas tardes, una pregunta, la bomba de agua no arranca", "la bomba de agua no arranca"),
    ],
)
def test_the_complaint_begins_with_the_machine(text: str, complaint: str) -> None:
    assert complaint in Talk(text).chat.state.procedure.complaint
    assert len(Talk(text).chat.state.procedure.complaint) <= len(complaint) + 4


@every(
    ("text", "gone", "there"),
    [
        ("ditch the bit about the ground", "all tight", "clicks"),
        ("where it says hums write hums under load", '"hums"', "hums under load"),
        ("and in the repair put replaced pressure switch", "Repair performed", "Replaced pressure switch"),
        ("complaint should just be pump does not run", '"water pump wont run"', "Pump does not run"),
        ("lose the ground line and add that the strainer was cleaned", "all tight", "strainer was cleaned"),
    ],
)
def test_a_report_is_changed_in_any_words(text: str, gone: str, there: str) -> None:
    talk = Talk.after(*PUMP, DONE, "START FINAL REPORT")
    assert gone in talk.reply
    report = talk.say(text)
    assert report.startswith("Complaint:")
    assert gone not in report.partition("--- ")[0]
    assert there in report


def test_what_is_added_stands_in_its_section() -> None:
    talk = Talk.after(*PUMP, DONE, "START FINAL REPORT")
    report = talk.say("add pressure switch 45 psi to required parts")
    assert "pressure switch 45 psi" in report.partition("Required Parts:")[2]


@pytest.mark.parametrize(
    "texts",
    [
        ("water heater wont light", "no its the furnace, not the water heater"),
        ("водонагреватель не зажигается", "это не водонагреватель, а печка"),
    ],
)
def test_a_machine_that_was_named_by_mistake_gives_way(texts: tuple[str, ...]) -> None:
    talk = Talk(*texts)
    assert talk.context["activeProcedureId"] == "furnace"


@every(
    ("text", "safe"),
    [
        ("plug is melted and smoking at the pedestal", "disconnect the power"),
        ("i smell gas real bad at the tank", "close the gas"),
    ],
)
def test_what_can_hurt_is_made_safe_first(text: str, safe: str) -> None:
    assert safe in Talk("stove wont light", text).reply


def test_what_is_found_out_of_order_is_named() -> None:
    reply = Talk("furnace wont light", "igniter electrode is cracked").reply
    assert '"igniter electrode is cracked"' in reply


@pytest.mark.parametrize(
    "texts",
    [
        (*PUMP, "the owner says somebody replaced the pump head last summer", DONE, "START FINAL REPORT"),
        (*PUMP, DONE, "START FINAL REPORT", "в отчёте жалоба: насос молчит"),
    ],
)
def test_the_report_of_the_desk_itself_is_never_refused(texts: tuple[str, ...]) -> None:
    talk = Talk(*texts)  # each reply must be one that may go out
    assert talk.reply.startswith("Complaint:")


def test_a_report_that_is_asked_for_again_is_shown_again() -> None:
    talk = Talk.after(*PUMP, DONE, "START FINAL REPORT")
    report = talk.reply
    assert talk.say("write up the report again please") == report


def test_a_small_word_rewords_nothing() -> None:
    talk = Talk.after(*PUMP, DONE, "START FINAL REPORT")
    lines = talk.reply.count(" the ")
    talk.say('change "the" to "a"')
    assert talk.chat.face.report().count(" the ") == lines


def test_a_unit_that_does_not_work_after_all_takes_the_case_up_again() -> None:
    talk = Talk(*PUMP, DONE)
    assert talk.context["terminalState"] == "terminal"
    talk.say("no its still not working, same as before")
    assert talk.context["terminalState"] != "terminal"
