"""The maker really makes files: every test runs the code it shows and looks into the file that comes of it."""

from __future__ import annotations

import contextlib
import importlib.util
import io
from pathlib import Path
from typing import Any

import docx
import openpyxl
import pptx
import pytest
from PIL import Image

from holdfast import Holdfast, Session
from holdfast.agents import Said
from holdfast.agents.maker import Maker, Run, apart, maker
from holdfast.cli import main
from holdfast.extras import install


def here(program: str, folder: Path) -> str:
    """Run a program in this process: the libraries are loaded once for all tests."""
    with contextlib.chdir(folder):
        exec(compile(program, "shown", "exec"), {"__name__": "__main__"})
    return ""


class Talk:
    """A conversation with the maker."""

    def __init__(self, folder: Path, run: Run = here) -> None:
        self.chat: Session = Holdfast(pack="grace").session("talk", user="u")
        self.folder = folder / "talk"
        self.said: list[Said] = []
        self._maker = Maker(folder, run)

    def __call__(self, said: str) -> str:
        """What is answered, with the program that was run, which people see only where they ask for it."""
        self.said = [piece for piece in self._maker(self.chat.hear(said), self.chat) if isinstance(piece, Said)]
        for one in self.said:
            self.chat.say(one.text, agent=one.agent, **one.attached)
        return "\n".join(f"{one.text}\n{one.attached.get('code', '')}".strip() for one in self.said)

    def colors(self, file: str) -> set[tuple[int, int, int]]:
        image = Image.open(self.folder / file).convert("RGB")
        found: Any = image.getcolors(1 << 20)
        return {color for count, color in found if count > 50}

    @property
    def library(self) -> str | None:
        found = self.chat.face.detect()
        return found["library"] if found else None


@pytest.fixture
def talk(tmp_path: Path) -> Talk:
    return Talk(tmp_path)


RED, BLUE, GREEN, YELLOW = (255, 0, 0), (0, 0, 255), (0, 128, 0), (255, 255, 0)


def test_an_image_is_drawn_revised_and_drawn_anew_with_another_library(talk: Talk) -> None:
    shown = talk("Create an image with a red circle")
    assert "from PIL import Image" in shown
    assert RED in talk.colors("red_circle.png")
    assert BLUE not in talk.colors("red_circle.png")
    assert "still with Pillow" in talk("Add a blue square")
    assert {RED, BLUE} <= talk.colors("red_circle.png")
    assert talk.library == "Pillow"
    assert "3 × blue square" in talk("make it 3 instead of 1")
    shown = talk("Use matplotlib instead")
    assert "import matplotlib.pyplot as plt" in shown
    assert "pixel positions and sizes do not carry over" in shown
    assert {RED, BLUE} <= talk.colors("red_circle.png")
    assert talk.library == "matplotlib"
    assert len(talk.chat.state.files.files) == 1


def test_a_program_runs_in_a_process_of_its_own_and_tells_its_error(tmp_path: Path) -> None:
    talk = Talk(tmp_path, apart)
    assert "I made red_circle.png" in talk("Create an image with a red circle")
    assert RED in talk.colors("red_circle.png")
    assert apart("import nothing_of_that_name", tmp_path).startswith("ModuleNotFoundError")


def test_a_failed_program_is_reported_and_counts_for_nothing(tmp_path: Path) -> None:
    talk = Talk(tmp_path, lambda program, folder: "OSError: disk full")
    talk("Create an image with a red circle")
    assert talk.said[0].text == "The code failed: OSError: disk full"
    assert talk.library is None
    assert not talk.chat.state.files.files
    assert "✗ Create an image with a red circle (Error: OSError: disk full)" in talk.chat.hear("again").system


def test_attributes_change_and_the_library_stays(talk: Talk) -> None:
    talk("Create an image with a red circle on the left and two green triangles")
    talk("make the circle blue instead")
    assert talk.colors("red_circle.png") >= {BLUE, GREEN}
    talk("make the background yellow")
    assert YELLOW in talk.colors("red_circle.png")
    talk("remove the triangles")
    assert GREEN not in talk.colors("red_circle.png")
    assert talk.library == "Pillow"
    assert talk.chat.face.override() is None


@pytest.mark.parametrize(
    ("said", "then", "more"),
    [
        ("Нарисуй картинку с красным кругом", "Добавь синий квадрат", "сделай 3 вместо 1"),
        ("Crea una imagen con un círculo rojo", "Añade un cuadrado azul", "que sean 3 en vez de 1"),
    ],
)
def test_it_works_in_other_languages(talk: Talk, said: str, then: str, more: str) -> None:
    talk(said)
    talk(then)
    assert "3 ×" in talk(more)
    assert talk.colors("red_circle.png") >= {RED, BLUE}
    assert talk.library == "Pillow"


def test_a_document_gets_stars_and_an_author(talk: Talk) -> None:
    shown = talk("make me a word document about poker")
    assert "overview, a reflection, a report or an essay?" in shown
    talk("add a star at the top")
    assert len(docx.Document(str(talk.folder / "poker.docx")).inline_shapes) == 1
    assert talk.library == "Pillow"  # the star is a picture, drawn with Pillow inside the document
    talk("make it 3 instead of 1")
    assert len(docx.Document(str(talk.folder / "poker.docx")).inline_shapes) == 3
    assert talk("add my name as author, if you don't know ask") == "What name should I put as the author?"
    talk("Dana Frey")
    made = docx.Document(str(talk.folder / "poker.docx"))
    assert made.core_properties.author == "Dana Frey"
    assert made.paragraphs[1].text == "Poker"
    assert len(made.inline_shapes) == 3


def test_a_sheet_is_filled_changed_and_switched(talk: Talk) -> None:
    talk("make a spreadsheet of expenses: rent 500, food 200")
    talk("change rent to 550")
    rows = list(openpyxl.load_workbook(talk.folder / "expenses.xlsx").active.values)
    assert rows == [("Item", "Value"), ("rent", 550), ("food", 200)]
    assert talk.library == "openpyxl"
    shown = talk("switch to pandas")
    assert "import pandas as pd" in shown
    assert "drops formats, charts and formulas" in shown
    assert talk.library == "pandas"


def test_a_chart_without_numbers_says_that_they_are_examples(talk: Talk) -> None:
    assert "these are examples" in talk("Create a chart")
    assert "examples" not in talk("Jan 10, Feb 20")
    assert "Jan 10, Feb 20" in talk("make it a pie chart")


def test_a_library_that_cannot_do_it_is_refused_and_nothing_changes(talk: Talk) -> None:
    talk("Create an image with a red circle")
    before = (talk.folder / "red_circle.png").read_bytes()
    assert "I cannot make this image with pandas" in talk("Use pandas instead")
    assert (talk.folder / "red_circle.png").read_bytes() == before
    assert "still with Pillow" in talk("make it green")


def test_a_missing_library_is_named_with_what_brings_it(talk: Talk, monkeypatch: pytest.MonkeyPatch) -> None:
    find = importlib.util.find_spec
    monkeypatch.setattr(importlib.util, "find_spec", lambda name: None if name == "PIL" else find(name))
    shown = talk("Create an image with a red circle")
    assert shown.startswith("Pillow is not installed yet. Install it with this command, then ask again:")
    assert f"```\n{install('pillow')}\n```" in shown
    assert not talk.chat.state.files.files


def test_it_answers_which_library_and_asks_what_is_open(talk: Talk) -> None:
    talk("Create an image with a red circle")
    assert talk("why did you use Pillow?").startswith("Pillow: taken in message 2; you named no other")
    assert talk("can we try something different") == "Another library, or another look?"
    assert "I can make a small image" in Talk(talk.folder)("hello there")


def test_at_the_terminal_the_pack_starts_without_a_user(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr("sys.stdin", io.StringIO("hello\n"))
    assert main(["chat", "--pack", "grace", "--store", "sqlite:///x.db", "--quiet"]) == 0
    with Holdfast("sqlite:///x.db", pack="grace") as hf:
        assert hf.session("grace").user == "me"


def test_text_of_the_person_stays_text_in_the_code(talk: Talk) -> None:
    talk("make a word document about love")
    talk("change the title to \"x'); import os; print('y\"")
    assert docx.Document(str(talk.folder / "love.docx")).paragraphs[0].text == "x'); import os; print('y"


def test_a_paper_is_made_as_pdf_and_as_slides_and_keeps_its_library(talk: Talk) -> None:
    assert "penguins.pdf with reportlab" in talk("Make a PDF report about penguins")
    assert "still with reportlab" in talk("Add a section about food")
    told = talk("Use fpdf instead")
    assert "anew with fpdf" in told
    assert "fpdf cannot edit an existing PDF" in told
    assert "still with fpdf" in talk("Add two stars at the top")
    assert talk.library == "fpdf"
    assert (talk.folder / "penguins.pdf").read_bytes().startswith(b"%PDF")
    assert "penguins.pptx with python-pptx" in talk("make it a presentation instead")
    assert "still with python-pptx" in talk("Add a slide about ice")
    slides = pptx.Presentation(str(talk.folder / "penguins.pptx")).slides
    assert [slide.shapes.title.text for slide in slides] == ["Penguins", "Food", "Ice"]


@pytest.mark.parametrize(
    ("first", "then", "library"),
    [
        ("Сделай PDF про пингвинов", "добавь раздел про еду", "reportlab"),
        ("Haz un PDF sobre pingüinos", "Añade una sección sobre la comida", "reportlab"),
    ],
)
def test_papers_hold_the_letters_of_other_languages(talk: Talk, first: str, then: str, library: str) -> None:
    talk(first)
    assert library in talk(then)
    assert talk.library == library
    talk("fpdf")
    assert talk.library == "fpdf"
    (made,) = talk.folder.glob("*.pdf")
    assert made.stat().st_size > 900


def test_a_chart_goes_from_library_to_library_with_its_numbers(talk: Talk) -> None:
    talk("Create a bar chart of sales: Jan 10, Feb 14, Mar 9")
    assert "sales.png anew with seaborn" in talk("Use seaborn instead")
    assert "still with seaborn" in talk("change Feb to 20")
    assert talk.library == "seaborn"
    assert "sales.html anew with plotly" in talk("Switch to plotly")
    assert "20" in (talk.folder / "sales.html").read_text(encoding="utf-8")
    assert "still with plotly" in talk("Add Apr 12")
    assert "sales.png anew with matplotlib" in talk("go back to matplotlib")


def test_a_rule_for_all_time_is_noted_and_holds_in_the_next_conversation(talk: Talk) -> None:
    assert talk("Always use plotly for charts").startswith("Noted")
    assert talk("Never use reportlab").startswith("Noted")
    talk.chat = talk.chat.holdfast.session("another", user="u")
    assert "with plotly" in talk("Create a chart of rainfall: Mon 3, Tue 5")
    assert "with fpdf" in talk("Make a PDF report about cats")


def test_a_banned_library_is_used_once_when_the_person_insists_and_stays_for_that_file(talk: Talk) -> None:
    talk("Never use fpdf")
    talk("Make a PDF report about cats")
    assert "You asked never to use fpdf" in talk("use fpdf instead")
    assert "with fpdf" in talk("just this once")
    assert "still with fpdf" in talk("add a section about food")


def test_what_a_file_shows_tells_which_file_is_meant(talk: Talk) -> None:
    talk("Create an image with a yellow star")
    talk("Write an essay about tea")
    talk("Add a chart to it: green 5, black 7")
    assert "yellow_star.png" in talk("Make the star red")
    assert "tea.docx" in talk("make the chart blue")
    assert "yellow_star.png" in talk("put a blue circle in the picture")


def test_a_chart_of_the_same_data_takes_the_numbers_of_the_sheet(talk: Talk) -> None:
    talk("Make a spreadsheet of expenses: hotel 300, train 80")
    assert "hotel 300, train 80" in talk("Create a chart of the same data")


def test_a_chart_grows_goes_into_a_document_and_back_into_another_paper(talk: Talk) -> None:
    talk("Create a chart of sales: Jan 10, Feb 14")
    small = Image.open(talk.folder / "sales.png").size
    assert "(larger)" in talk("that is too small, make it bigger")
    assert Image.open(talk.folder / "sales.png").size > small
    assert "sales.docx with python-docx" in talk("now put it into a word document")
    assert len(docx.Document(str(talk.folder / "sales.docx")).inline_shapes) == 1
    assert "still with python-docx" in talk("add a paragraph: It grows")


@pytest.mark.parametrize(
    "said", ["can you make charts?", "which library will you use?", "thanks", "why not matplotlib?"]
)
def test_a_question_or_a_courtesy_makes_nothing(talk: Talk, said: str) -> None:
    talk("Create an image with a red circle")
    assert "red_circle" not in talk(said)


@pytest.mark.parametrize(
    ("made", "asked", "name"),
    [
        ("Write an essay about tea", "add my name as author", "Dana Frey"),
        ("Напиши эссе про чай", "добавь моё имя как автора", "Анна Иванова"),
        ("Escribe un ensayo sobre el té", "pon mi nombre como autor", "Ana Ruiz"),
    ],
)
def test_a_name_that_nobody_knows_is_asked_for_and_never_made_up(talk: Talk, made: str, asked: str, name: str) -> None:
    talk(made)
    assert talk(asked).endswith("?")
    assert name in talk(name)


def test_where_there_is_no_other_library_it_says_so(talk: Talk) -> None:
    talk("Make a PDF report about cats")
    talk("don't use reportlab")
    assert talk("try another library") == "I know no other library for that; it stays with fpdf."


def test_what_was_made_goes_when_its_conversation_is_forgotten(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    store = f"sqlite:///{tmp_path / 'made.db'}"
    with Holdfast(store, pack="grace") as hf:
        for name in ("one", "other"):
            hf.session(name, user=f"u-{name}").hear("Create an image with a red circle")
            maker.place(name).mkdir(parents=True)
            (maker.place(name) / "red_circle.png").write_bytes(b"red")
    assert main(["forget", "--user", "u-one", "--yes", "--store", store]) == 0
    assert [path.name for path in Path("holdfast-files").iterdir()] == ["other"]
    assert main(["forget", "--session", "other", "--yes", "--store", store]) == 0
    assert list(Path("holdfast-files").iterdir()) == []


def test_a_picture_is_put_into_a_paper_where_it_is_wanted_as_one(talk: Talk) -> None:
    talk("draw a red circle")
    assert "red_circle.pdf" in (told := talk("now as a pdf"))
    assert "Ellipse" in told


def test_numbers_in_a_row_are_the_numbers_of_the_chart(talk: Talk) -> None:
    assert "A 3, B 5, C 9" in talk("Make a bar chart of 3, 5, 9 with matplotlib")


@pytest.mark.parametrize(
    ("sheet", "row", "chart"),
    [
        ("make a spreadsheet: rent 500, food 200", "add a row cinema 40", "make a pie chart of that"),
        ("сделай таблицу: жильё 500, еда 200", "добавь строку кино 40", "построй график по этой таблице"),
        ("haz una hoja de cálculo: alquiler 500, comida 200", "añade una fila cine 40", "hazme un gráfico de eso"),
    ],
)
def test_a_chart_of_the_table_at_hand_has_its_rows(talk: Talk, sheet: str, row: str, chart: str) -> None:
    talk(sheet)
    talk(row)
    shown = talk(chart)
    assert "chart.png" in shown
    assert "[500.0, 200.0, 40.0]" in shown
    assert any(f"'{word}']" in shown for word in ("cinema", "кино", "cine"))


@pytest.mark.parametrize("said", ["draw a house", "нарисуй дом", "dibuja una casa", "create a picture of a cat"])
def test_what_it_cannot_draw_it_says_and_makes_no_empty_page(talk: Talk, said: str) -> None:
    assert "png" not in talk(said)
    assert talk.chat.state.files.files == ()


def test_paragraphs_and_sections_go_and_what_it_cannot_write_it_says(talk: Talk) -> None:
    talk("create a report about bees with 3 paragraphs")
    talk("remove the second paragraph")
    talk('add a section called "Honey"')
    told = talk("shorten the first paragraph")
    assert "did not understand" in told
    assert "Honey" not in talk("remove the Honey section")
    texts = [
        paragraph.text
        for paragraph in docx.Document(str(talk.folder / talk.chat.state.files.files[-1].name)).paragraphs
    ]
    assert not any("Paragraph 2" in text for text in texts)
    assert any("Paragraph 3" in text for text in texts)


@pytest.mark.parametrize(
    ("first", "then", "made"),
    [
        ("make a spreadsheet with rent 900 food 300", "you forgot gym 40", "rent 900, food 300, gym 40"),
        ("сделай таблицу: аренда 900, еда 300", "ты забыл интернет 40", "аренда 900, еда 300, интернет 40"),
        ("haz una tabla: alquiler 900, comida 300", "te faltó internet 40", "alquiler 900, comida 300, internet 40"),
        ("write a report about bees with 4 paragraphs", "too long, cut it in half", "2 paragraphs"),
        ("нарисуй синий квадрат", "сделай его поменьше", "(мельче)"),
        ("chart: mon 3 tue 5 wed 2", "the wednesday one should be 4", "mon 3, tue 5, wed 4"),
        ("chart: mon 3 tue 5", "make it a line", "line chart"),
        ("draw a yellow star", "add text happy birthday", "yellow star, “happy birthday”"),
        ("draw a yellow star", "can i have it as pdf", "yellow_star.pdf"),
        ("draw a yellow star", "put a small red heart next to it", "did not understand"),
        ("нарисуй звезду", "график: пн 3, вт 5", "chart.png"),
        ("hazme una presentación de gatos", "agrega una diapositiva de comida", "secciones: Comida"),
    ],
)
def test_what_was_forgotten_is_put_in_and_what_is_too_much_taken_out(
    talk: Talk, first: str, then: str, made: str
) -> None:
    talk(first)
    assert made in talk(then)
    assert talk("what did you make so far?").startswith(("So far: ", "Пока есть: ", "Hasta ahora: "))


@pytest.mark.parametrize("back", ["undo that", "отмени", "deshaz eso"])
def test_the_last_change_is_taken_back(talk: Talk, back: str) -> None:
    talk("draw a red circle")
    talk("make it blue")
    talk(back)
    assert {(255, 0, 0), (0, 0, 255)} & talk.colors("red_circle.png") == {(255, 0, 0)}


@pytest.mark.parametrize(
    ("first", "then", "shown"),
    [
        (
            "report in word about bees with sections Honey, Hives and Risks",
            "rename Hives to Homes",
            "Honey, Homes, Risks",
        ),
        (
            "informe en word sobre el agua con las secciones Uso y Futuro",
            "agrega otra llamada Origen",
            "Uso, Futuro, Origen",
        ),
        ("отчёт в ворде про пчёл с разделами Мёд и Ульи", "переименуй раздел Ульи в Дома", "Мёд, Дома"),
        ("sheet: rent 900, food 300", "sort it by value and add the total", "food 300, rent 900, total 1200"),
        ("gráfico: Lima 10, Cusco 7", "y Puno 5 también", "Lima 10, Cusco 7, Puno 5"),
        ("таблица: ручки 2, бумага 6", "бумаги не 6, а 8", "ручки 2, бумага 8"),
        ("chart: kiwis 3, plums 4", "the label should be kiwi, not kiwis", "kiwi 3, plums 4"),
        ("dibuja un círculo azul con un triángulo amarillo al lado", "el círculo rojo oscuro", "círculo (rojo oscuro)"),
        ("gráfico: lun 3, mar 5", "hazlo verde y añade una animación", "no lo hice: “y añade una animación”"),
        ("draw a red circle and a blue square", "remove the square and add a star", "red circle, gold star"),
        ("word notice: the pool is closed", "the heading of it, remove it", "still with"),
        ("chart: mon 3, tue 5", "haha great, you saved my evening", "changed nothing"),
    ],
)
def test_all_parts_of_a_message_are_done_or_told(talk: Talk, first: str, then: str, shown: str) -> None:
    talk(first)
    assert shown in talk(then)


def test_a_question_is_answered_from_what_was_made(talk: Talk) -> None:
    talk("make a bar chart of rainfall: jan 30, feb 45")
    talk("paint the bars purple")
    assert "Because you said “paint the bars purple”" in talk("why are the bars purple?")
    assert "“paint the bars purple”" in talk("what did you change last?")
    assert "jan 30" in talk("what is in it?")
    talk("put it in a word document")
    assert "rainfall.png" in talk("back to the chart: title in blue please")


def test_a_standing_wish_is_kept_told_worn_and_taken_back(talk: Talk) -> None:
    assert "“from now on i always want dark blue titles" in talk("from now on i always want dark blue titles ok?")
    assert "color='darkblue'" in talk("chart of cats 3, dogs 5, titled Pets")
    talk.chat = talk.chat.holdfast.session("next", user="u")
    assert "dark blue titles" in talk("¿de qué color quería siempre los títulos?")
    talk("forget that wish about the titles")
    assert "darkblue" not in talk("chart of cats 3, dogs 5, titled Pets")


def test_a_file_of_an_earlier_talk_is_told_and_taken_up_and_none_is_made_up(talk: Talk) -> None:
    talk("make me a price sheet: glue 4, paper 7")
    talk.chat = talk.chat.holdfast.session("next", user="u")
    assert "glue 4, paper 7" in talk("hi! do you still have the price sheet from yesterday?")
    assert not talk.chat.state.files.files
    assert "glue 5, paper 7" in talk("open it and change glue to 5")
    talk.chat = talk.chat.holdfast.session("other", user="somebody")
    assert "no such file" in talk("open the price sheet from yesterday")


@pytest.mark.parametrize(
    ("first", "then", "shown"),
    [
        ("make a word document about tea", "the heading must be Green tea", "title “Green tea”"),
        ("сделай документ в ворде про чай", "пусть заголовок будет Зелёный чай", "заголовок “Зелёный чай”"),
        ("haz un documento de word sobre el té", "el título tiene que ser Té verde", "título “Té verde”"),
        (
            "make a word document about tea",
            "write underneath: Boil it, then wait. Enjoy",
            "“Boil it, then wait. Enjoy”",
        ),
        ("сделай документ в ворде про чай", "допиши абзац: Кипяток, потом ждать", "текст “Кипяток, потом ждать”"),
        ("haz un documento de word sobre el té", "añade una línea que diga hervir, y esperar", "“hervir, y esperar”"),
        ("pdf about tea that says: Drink it hot", "swap hot for cold", "title “Drink it cold”"),
        ("таблица: чай 80, кофе 200", "столбцы назови Напиток и Цена", "столбцы Напиток, Цена"),
        ("tabla: pan 80, café 200", "las columnas son Bebida y Precio", "columnas Bebida, Precio"),
        (
            "pie chart: tea 3, milk 5, juice 2",
            "milk in blue and the rest grey",
            "tea 3 (gray), milk 5 (blue), juice 2 (gray)",
        ),
        ("круговая диаграмма: чай 3, сок 5", "сок сделай жёлтым", "чай 3, сок 5 (жёлтый)"),
        ("таблица: чай 80, кофе 200, сок 90", "убери последние две строки", ": чай 80."),
        ("draw a blue square", "write Tom & Eve under it", "blue square, “Tom & Eve”"),
        ("line chart: lap 1 62.5, lap 2 61.0", "lap 2 is 60", "lap 1 62.5, lap 2 60"),
        ("gráfico de líneas: 62,5 61 60,2", "añade lunes 59", "A 62.5, B 61, C 60.2, lunes 59"),
    ],
)
def test_a_change_is_understood_by_its_part_its_act_and_its_words(
    talk: Talk, first: str, then: str, shown: str
) -> None:
    talk(first)
    assert shown in talk(then)


@pytest.mark.parametrize(
    ("chart", "paper", "change", "kept"),
    [
        ("bar chart: tea 3, milk 5", "the same as a pdf", "in the png make the bars red, leave the pdf", "pdf"),
        ("график: чай 3, сок 5", "то же самое в пдф", "на графике столбики красные, пдф не трогай", "pdf"),
        ("gráfico: pan 3, leche 5", "lo mismo en pdf", "en el png las barras en rojo, el pdf déjalo", "pdf"),
    ],
)
def test_the_file_that_is_named_changes_and_the_other_one_stays(
    talk: Talk, chart: str, paper: str, change: str, kept: str
) -> None:
    talk(chart)
    talk(paper)
    before = {path.name: path.read_bytes() for path in talk.folder.glob("[!.]*.p*")}
    talk(change)
    changed = [name for name, content in before.items() if (talk.folder / name).read_bytes() != content]
    assert [name.rpartition(".")[2] for name in changed] == ["png"]
    assert kept not in changed


@pytest.mark.parametrize(
    ("request_", "then"),
    [
        ("make a word document about tea", "make the title green and underlined"),
        ("сделай документ в ворде про чай", "сделай заголовок зелёным и подчёркнутым"),
        ("haz un documento de word sobre el té", "el título en verde y subrayado"),
    ],
)
def test_what_is_not_done_of_a_part_is_told(talk: Talk, request_: str, then: str) -> None:
    talk(request_)
    assert len(talk(then).split("\nfrom ")[0].splitlines()) == 2


@pytest.mark.parametrize("asked", ["show me the code", "покажи код", "muéstrame el código"])
def test_the_program_is_shown_where_it_is_asked_for_and_nowhere_else(talk: Talk, asked: str) -> None:
    talk("draw a red circle")
    assert "```" not in talk.said[0].text
    assert "from PIL import Image" in talk(asked)
    assert "```python" in talk.said[0].text


def test_changes_are_taken_back_one_after_the_other(talk: Talk) -> None:
    talk("bar chart: tea 3, milk 5")
    talk("make it red")
    talk("add juice 2")
    assert "red, tea 3, milk 5." in talk("undo that")
    assert "bar chart: tea 3, milk 5." in talk("undo that")
    assert "did you" not in talk("did you undo the colour?")
    assert len(talk.chat.state.files.files) == 1


@pytest.mark.parametrize(
    ("first", "then", "shown"),
    [
        ("bar chart: tea 3, milk 5", "call the file drinks.png", "drinks.png: bar chart: tea 3, milk 5"),
        ("график: чай 3, сок 5", "переименуй файл в napitki.png", "napitki.png: столбики: чай 3, сок 5"),
        ("gráfico: pan 3, leche 5", "renombra el archivo a bebidas.png", "bebidas.png: barras: pan 3, leche 5"),
    ],
)
def test_a_file_gets_another_name_and_keeps_what_it_holds(talk: Talk, first: str, then: str, shown: str) -> None:
    talk(first)
    assert shown in talk(then)
    assert (talk.folder / shown.partition(":")[0]).is_file()


@pytest.mark.parametrize(
    ("sheet", "paper", "row"),
    [
        ("spreadsheet: tea 80, coffee 200", "the same in word", "coffee"),
        ("таблица: чай 80, кофе 200", "то же самое в ворде", "кофе"),
        ("tabla: pan 80, café 200", "ponlo también en word", "café"),
    ],
)
def test_the_same_in_another_format_keeps_its_rows(talk: Talk, sheet: str, paper: str, row: str) -> None:
    talk(sheet)
    talk(paper)
    (made,) = talk.folder.glob("*.docx")
    (table,) = docx.Document(str(made)).tables
    assert (table.cell(2, 0).text, table.cell(2, 1).text) == (row, "200")


@pytest.mark.parametrize(
    ("question", "told"),
    [
        ("what's the total?", "435"),
        ("which one is the highest?", "lemonade: 203"),
        ("what's the average", "145"),
        ("how much were the brownies?", "74"),
    ],
)
def test_what_is_asked_of_the_numbers_is_answered(tmp_path: Path, question: str, told: str) -> None:
    talk = Talk(tmp_path)
    talk("bar chart: cookies 158, brownies 74, lemonade 203")
    assert told in talk(question)


def test_a_new_name_is_taken_out_of_a_complaint_and_the_rest_is_done(tmp_path: Path) -> None:
    talk = Talk(tmp_path)
    talk("spreadsheet: fuel 320, repairs 540")
    said = talk("The file name is a bit odd, please call it van_costs. And add a row for tyres, 280.")
    assert "van_costs.xlsx" in said
    assert "tyres 280" in said


@pytest.mark.parametrize("said", ["Thank you, the name is right.", "that's not quite right,"])
def test_praise_and_complaint_are_no_wishes_that_failed(tmp_path: Path, said: str) -> None:
    talk = Talk(tmp_path)
    talk("spreadsheet: fuel 320, repairs 540")
    answer = talk(f"{said} add lunch, 12")
    assert "lunch 12" in answer
    assert "did not do" not in answer
