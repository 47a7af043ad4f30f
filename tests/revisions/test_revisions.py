"""Beyond the document: several libraries at once, fading, files of their own, rules and preferences of the user."""

from __future__ import annotations

import logging

import pytest

from holdfast import Holdfast, Session, Turn
from holdfast.packs.grace import grace
from holdfast.reading.libraries.code import known
from tests.rows import every

PILLOW = "from PIL import Image\nImage.new('RGB', (9, 9))"
PLOT = "import matplotlib.pyplot as plt\nplt.plot([1])"
DOCX = "from docx import Document\nDocument()"
SHEET = "import openpyxl\nopenpyxl.Workbook()"
BLOCK = "**PREVIOUS IMPLEMENTATION METHOD:**"


def session(id: str = "c1", hf: Holdfast | None = None) -> Session:
    return (hf or Holdfast(pack="grace")).session(id, user="u1")


def library(chat: Session) -> str | None:
    found = chat.face.detect()
    return found["library"] if found else None


def chatter(chat: Session, count: int) -> None:
    for number in range(count):
        if number % 2:
            chat.say("I see.")
        else:
            chat.hear("and so on")


def test_strength_falls_with_every_message_without_use_and_a_use_restores_it() -> None:
    chat = session()
    chat.say("x", code=PILLOW)
    strengths = [chat.face.libraries()[0]["strength"]]
    for _ in range(3):
        chat.say("I see.")
        strengths.append(chat.face.libraries()[0]["strength"])
    assert strengths == [1.0, 0.95, 0.9, 0.85]
    chatter(chat, 30)
    assert chat.face.libraries()[0]["strength"] == 0.1
    chat.say("x", code=PILLOW)
    assert chat.face.libraries()[0]["strength"] == 1.0


def test_an_import_alone_gives_guidance_for_six_messages() -> None:
    chat = session()
    chat.say("x", code="from PIL import Image")
    chatter(chat, 6)
    assert library(chat) == "Pillow"
    chatter(chat, 1)
    assert library(chat) is None
    assert [row["library"] for row in chat.face.libraries()] == ["Pillow"]


def test_a_file_keeps_its_library_beyond_the_window_as_a_suggestion() -> None:
    chat = session()
    chat.say("x", code=DOCX, files=["love.docx"])
    chatter(chat, 24)
    chat.hear("hello")
    assert library(chat) is None
    turn = chat.hear("add a paragraph to love.docx")
    assert chat.face.detect() == {
        "method": "Used python-docx for Word document creation",
        "confidence": "medium",
        "library": "python-docx",
    }
    assert "you CONSIDER using the SAME" in turn.system


def test_each_file_has_its_own_library() -> None:
    chat = session()
    chat.say("x", code=DOCX, files=["love.docx"])
    chat.say("y", code=SHEET, files=["costs.xlsx"])
    chat.say("z", code=PLOT, files=["sales.png"])
    chat.hear("add a row to the spreadsheet")
    assert library(chat) == "openpyxl"
    chat.hear("change the title of the document")
    assert library(chat) == "python-docx"
    chat.hear("make it red")
    assert library(chat) == "matplotlib"


def test_an_override_for_one_file_leaves_the_others_alone() -> None:
    chat = session()
    chat.say("x", code=DOCX, files=["love.docx"])
    chat.say("z", code=PLOT, files=["sales.png"])
    chat.hear("redo the chart with plotly")
    assert library(chat) is None
    chat.hear("add a paragraph to the document")
    assert library(chat) == "python-docx"
    chat.hear("make the chart bigger")
    assert library(chat) is None
    chat.say("done", code="import plotly.express as px\npx.bar(x=[1])", files=["sales.png"])
    chat.hear("make the chart red")
    assert library(chat) == "plotly"


def test_without_files_the_kind_of_output_that_is_spoken_of_decides() -> None:
    chat = session()
    chat.say("x", code=SHEET)
    chat.say("y", code=PILLOW)
    chat.say("here", files=["notes.txt"])
    chat.hear("add a column to the excel sheet")
    assert library(chat) == "openpyxl"


def test_another_library_of_the_same_kind_takes_over_a_file() -> None:
    chat = session()
    chat.say("x", code=PILLOW, files=["a.png"])
    chat.hear("Use cairo instead")
    chat.say("y", code="import cairo\ncairo.ImageSurface(0, 1, 1)", files=["a.png"])
    chatter(chat, 20)
    chat.hear("add a dot to a.png")
    assert library(chat) == "cairo"


@pytest.mark.parametrize(
    ("code", "file", "said", "warning"),
    [
        (PILLOW, "a.png", "Switch to pandas", "pandas does not draw; only table data survives"),
        (SHEET, "a.xlsx", "use pandas instead", "drops formats, charts and formulas"),
        (SHEET, "a.xlsx", "use xlsxwriter instead", "xlsxwriter cannot open existing files"),
        ("from reportlab.pdfgen import canvas\ncanvas.Canvas('a')", "a.pdf", "use fpdf", "cannot edit an existing PDF"),
        (PILLOW, "a.png", "Use matplotlib instead", "pixel positions and sizes do not carry over"),
        (PLOT, "a.png", "Use Pillow instead", "pixel positions and sizes do not carry over"),
        (DOCX, "a.docx", "Use reportlab instead", "the result is another file type"),
        (PLOT, "a.png", "Use openpyxl instead", "openpyxl cannot write png files"),
    ],
)
def test_a_switch_that_breaks_the_file_is_warned_of(code: str, file: str, said: str, warning: str) -> None:
    chat = session()
    chat.say("x", code=code, files=[file])
    turn = chat.hear(f"{said}, and change the file")
    assert any(warning in text for text in chat.face.override()["warnings"])
    assert f"{warning}" in turn.system
    assert any(warning in line.what for line in turn.receipt.did("warned"))


def test_a_harmless_switch_is_not_warned_of() -> None:
    chat = session()
    chat.say("x", code=PLOT, files=["a.png"])
    chat.hear("Use seaborn instead")
    assert chat.face.override()["warnings"] == []


@every(
    ("said", "rule"),
    [
        ("from now on every chart should be done in seaborn", "seaborn for chart"),
        ("every pdf of mine with reportlab from today", "reportlab for pdf"),
        ("с этого дня все мои графики на plotly", "plotly for chart"),
        ("a partir de ahora todas mis tablas con pandas por favor", "pandas for table data"),
    ],
)
def test_a_rule_needs_no_verb_and_makes_nothing(said: str, rule: str) -> None:
    prompt = session().hear(said).system
    assert f"- Always use {rule}." in prompt
    assert "This is a CREATION" not in prompt


@every("said", ["my sister always makes her charts with plotly", "все делают графики на plotly"])
def test_what_others_always_use_is_no_rule(said: str) -> None:
    assert "Always use" not in session().hear(said).system


@every(
    ("said", "name"),
    [
        ("make me a business card image, I'm Rosa", "Rosa"),
        ("сделай визитку, я Олег", "Олег"),
        ("quiero una tarjeta con mi nombre, soy Rosa", "Rosa"),
    ],
)
def test_a_name_is_told_beside_a_request(said: str, name: str) -> None:
    chat = session()
    chat.hear(said)
    assert chat.face.build("r").profile == {"name": name}


def test_a_pin_outlives_the_conversation_and_ends_by_request() -> None:
    hf = Holdfast(pack="grace")
    session("c1", hf).hear("always use plotly for charts")
    chat = session("c2", hf)
    chat.say("x", code=PLOT)
    turn = chat.hear("make the line thicker")
    assert "- Always use plotly for chart." in turn.system
    assert BLOCK not in turn.system  # matplotlib draws charts, and those are plotly's now
    chat.say("x", code=PILLOW)
    assert "Used Pillow/PIL" in chat.hear("make the circle red").system
    chat.hear("you don't have to use plotly")
    assert "Always use" not in session("c3", hf).hear("hi").system


def test_a_ban_outlives_the_conversation_and_ends_by_request() -> None:
    hf = Holdfast(pack="grace")
    turn = session("c1", hf).hear("never use fpdf")
    assert turn.receipt.did("learned")
    chat = session("c2", hf)
    assert "- Never use fpdf." in chat.hear("make a pdf").system
    code = "```python\nfrom fpdf import FPDF\nFPDF()\n```"
    assert not chat.check(code).allowed
    assert chat.check("```python\nfrom reportlab.pdfgen import canvas\ncanvas.Canvas('a')\n```").allowed
    turn = chat.hear("use fpdf for this one")
    assert turn.question == "You asked never to use fpdf. Use it this once, or lift that rule?"
    assert chat.check(code).allowed
    chat.hear("you can use fpdf again")
    assert session("c3", hf).check(code).allowed


@pytest.mark.parametrize(
    "said", ["I always use pandas at work", "we never use matplotlib here", "do you always use Pillow?"]
)
def test_talk_about_habits_makes_no_rule(said: str) -> None:
    turn = session().hear(said)
    assert "LIBRARY RULES" not in turn.system


@pytest.mark.parametrize(
    ("said", "rule"),
    [
        ("From now on use seaborn for all charts", "- Always use seaborn for chart."),
        ("всегда используй plotly для графиков", "- Always use plotly for chart."),
        ("usa siempre plotly para los gráficos", "- Always use plotly for chart."),
        ("don't ever use fpdf again", "- Never use fpdf."),
        ("никогда не используй fpdf", "- Never use fpdf."),
        ("nunca uses fpdf", "- Never use fpdf."),
    ],
)
def test_rules_are_understood_in_three_languages(said: str, rule: str) -> None:
    assert rule in session().hear(said).system


def test_a_stated_preference_is_remembered_and_only_suggested() -> None:
    hf = Holdfast(pack="grace")
    session("c1", hf).hear("I prefer seaborn for charts")
    chat = session("c2", hf)
    turn = chat.hear("Create a chart")
    assert "chart: CONSIDER using seaborn" in turn.system
    assert chat.face.routing()["profile"] == {"library.chart": "seaborn"}
    chat.say("x", code=PLOT)
    assert "seaborn" not in chat.hear("make it red").system


def test_choices_in_two_conversations_become_a_preference() -> None:
    hf = Holdfast(pack="grace")
    for id in ("c1", "c1", "c2"):
        assert "CONSIDER using plotly" not in session("probe" + id, hf).hear("Create a chart").system
        session(id, hf).hear("use plotly")
    assert "chart: CONSIDER using plotly" in session("c3", hf).hear("Create a chart").system


def test_the_user_can_ask_which_library_is_in_force_and_why() -> None:
    chat = session()
    chat.hear("Create an image with a red circle")
    chat.say("Done.", code=PILLOW)
    turn = chat.hear("which library are you using?")
    answer = "Pillow: taken in message 2; you named no other."
    assert f"**LIBRARY IN FORCE:**\n{answer}" in turn.system
    assert chat.face.in_force()["why"] == answer
    assert chat.face.in_force()["message"] == 2
    chat.hear("Use matplotlib instead")
    assert "you asked for it in message 4" in chat.face.in_force()["why"]


def test_a_refused_library_stays_out_until_it_is_asked_for() -> None:
    chat = session()
    chat.say("x", code=PILLOW)
    turn = chat.hear("don't use Pillow")
    assert "Do not use: Pillow." in turn.system
    chat.say("x", code=PLOT)
    chat.say("x", code=PILLOW)
    chat.hear("go on")
    assert library(chat) == "matplotlib"
    chat.hear("ok, use Pillow")
    chat.say("x", code=PILLOW)
    chat.hear("go on")
    assert library(chat) == "Pillow"


def test_refusing_a_library_that_is_not_in_force_keeps_the_guidance() -> None:
    chat = session()
    chat.say("x", code=PILLOW)
    turn = chat.hear("please avoid matplotlib")
    assert "Used Pillow/PIL" in turn.system
    assert "Do not use: matplotlib." in turn.system


def test_an_ordinary_word_is_refused_as_a_library_only_where_it_is_one() -> None:
    chat = session()
    chat.say("x", code=PLOT)
    chat.hear("draw a zoo without pandas")
    assert chat.face.override() is None


def test_every_turn_says_what_was_kept_and_what_was_overridden(caplog: pytest.LogCaptureFixture) -> None:
    chat = session()
    chat.say("x", code=PILLOW)
    with caplog.at_level(logging.INFO, logger="holdfast"):
        chat.hear("Add a blue square")
        chat.hear("Forget Pillow, use matplotlib")
    assert "Pillow (high)" in caplog.text
    turn = chat.hear("Use plotly instead")
    line = turn.receipt.did("superseded")[0]
    assert line.what.startswith("Library: use plotly")
    assert line.words == "Use plotly"
    assert line.rule == "en.lib_choose.use"


def test_the_log_tells_the_same_as_the_turn_did() -> None:
    chat = session()
    chat.say("x", code=PILLOW, files=["a.png"])
    for said in ("Add a blue square", "which library did you use?", "Use pandas instead", "try something different"):
        turn = chat.hear(said)
        assert chat.entry(turn.version).receipt == turn.receipt


def test_memorized_code_of_earlier_tasks_can_be_reused() -> None:
    chat = session()
    chat.hear("Create an image with a red circle")
    chat.say("Done.", code=PILLOW, files=["a.png"])
    task = chat.face.specialist()["taskHistory"][0]
    assert (task["title"], task["memorized"], task["files"]) == (
        "Create an image with a red circle",
        PILLOW,
        ["a.png"],
    )


def test_a_library_of_ones_own_is_kept_and_overridden_like_the_others() -> None:
    mine = known().extended(
        '[[library]]\nname = "drawbot"\nimports = ["drawBot"]\nuse_case = "image"\nwords = ["drawbot"]\n'
    )
    chat = Holdfast(pack=grace(mine)).session("c", user="u")
    chat.say("x", code=PILLOW)
    chat.hear("use drawbot instead")
    assert chat.face.override()["requested"] == "drawbot"
    chat.say("x", code="import drawBot\ndrawBot.newPage()")
    assert "Used drawbot for image (Confidence: high)" in chat.hear("add a dot").system


def _busy(chat: Session) -> list[Turn]:
    turns = []
    for number in range(60):
        turns.append(
            chat.hear(f"Add chart number {number} to the report, use {'plotly' if number % 7 == 0 else 'blue'}")
        )
        chat.say("Done.", code=PLOT if number % 2 else PILLOW, files=[f"out/chart_{number}x.png"])
    return turns


def test_the_state_stays_bounded_and_replays_to_the_same() -> None:
    hf = Holdfast(pack="grace")
    chat = session("c", hf)
    _busy(chat)
    first = len(hf.pack.folder.encode(chat.state.session))
    _busy(chat)
    assert len(hf.pack.folder.encode(chat.state.session)) < first * 1.1
    replayed = chat.at(chat.state.version)
    assert hf.pack.folder.encode(replayed.session) == hf.pack.folder.encode(chat.state.session)
    decoded = hf.pack.folder.decode(hf.pack.folder.encode(chat.state.session))
    assert decoded == chat.state.session
