"""Colours, titles and sizes change with every library that the maker knows: each test asks for an edit
in plain words, runs the code, and looks into the file that comes of it."""

from __future__ import annotations

import base64
import re
import zlib
from collections.abc import Callable
from functools import cache
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import docx
import matplotlib as mpl
import matplotlib.pyplot as plt
import openpyxl
import pptx
import pytest
from PIL import Image, ImageChops

from holdfast.agents.making.code import CAN
from tests.agents.test_maker import Talk, here

BLUE, YELLOW = (0, 0, 255), (255, 255, 0)


def fresh(program: str, folder: Path) -> str:
    """Run a program as if in a process of its own: without the settings that another one left."""
    mpl.rcdefaults()
    plt.close("all")
    return here(program, folder)


class File:
    """A file that was made, by what can be seen in it."""

    def __init__(self, path: Path) -> None:
        self.path = path

    def image(self) -> Image.Image:
        return Image.open(self.path).convert("RGB")

    def area(self, color: tuple[int, int, int]) -> int:
        found: Any = self.image().getcolors(1 << 22)
        return sum(count for count, seen in found if all(abs(a - b) < 6 for a, b in zip(seen, color, strict=True)))

    def html(self) -> str:
        return self.path.read_text(encoding="utf-8").rpartition("Plotly.newPlot")[2]

    def pdf(self) -> str:
        """The content of a PDF: its streams, unpacked."""
        text = ""
        for stream in re.findall(rb"stream\r?\n(.*?)\r?\n?endstream", self.path.read_bytes(), re.DOTALL):
            text += _unpacked(stream)
        return text + self.path.read_bytes().decode("latin-1")


def _unpacked(data: bytes) -> str:
    stripped = data.strip()
    if stripped.endswith(b"~>"):
        stripped = base64.a85decode(b"<~" + stripped, adobe=True)
    try:
        return zlib.decompress(stripped).decode("latin-1")
    except zlib.error:
        return ""


MADE = {
    ("chart", "matplotlib"): "bar chart with matplotlib: apples 3, pears 5",
    ("chart", "seaborn"): "bar chart with seaborn: apples 3, pears 5",
    ("chart", "plotly"): "bar chart with plotly: apples 3, pears 5",
    ("image", "Pillow"): "image with a red circle, Pillow",
    ("image", "matplotlib"): "image with a red circle, matplotlib",
    ("sheet", "openpyxl"): "spreadsheet with openpyxl: rent 500, food 200",
    ("sheet", "pandas"): "spreadsheet with pandas: rent 500, food 200",
    ("document", "python-docx"): "word document about bees with python-docx",
    ("pdf", "reportlab"): "PDF about bees with reportlab",
    ("pdf", "fpdf"): "PDF about bees with fpdf",
    ("slides", "python-pptx"): "presentation about bees with 2 paragraphs with python-pptx",
}
KINDS = list(MADE)


FILES = TemporaryDirectory()
"""What was made is made once for all tests, which only look at it."""


@cache
def made(kind: str, library: str, *edits: str) -> tuple[Talk, File]:
    talk = Talk(Path(FILES.name) / "-".join((kind, library, *edits)).replace(" ", "_"), fresh)
    said = talk(MADE[kind, library])
    assert f"with {library}" in said, said
    for edit in edits:
        said = talk(edit)
        assert said.startswith("I changed"), said
    return talk, File(talk.folder / talk.chat.state.files.newest[0].name)


def test_no_library_of_the_maker_is_left_out() -> None:
    assert set(KINDS) == {(kind, library) for kind, libraries in CAN.items() for library in libraries if kind != "text"}


def differs(one: File, other: File) -> bool:
    return ImageChops.difference(one.image(), other.image()).getbbox() is not None


def _pixels(color: tuple[int, int, int]) -> Callable[[File], bool]:
    return lambda file: file.area(color) > 500


def _cell(file: File) -> Any:
    return openpyxl.load_workbook(file.path).active["A1"]


def _style(file: File, name: str) -> Any:
    return docx.Document(str(file.path)).styles[name].font


def _run(file: File, place: int) -> Any:
    """The first words of a slide: of its title, or of its text."""
    slide = pptx.Presentation(str(file.path)).slides[1]
    return slide.placeholders[place].text_frame.paragraphs[0].runs[0].font


BLUE_SEEN: dict[tuple[str, str], Callable[[File], bool]] = {
    **dict.fromkeys(KINDS[:2], _pixels(BLUE)),
    ("chart", "plotly"): lambda file: '"marker":{"color":"blue"}' in file.html(),
    **dict.fromkeys(KINDS[3:5], _pixels(BLUE)),
    **dict.fromkeys(KINDS[5:7], lambda file: bool(_cell(file).font.color) and _cell(file).font.color.rgb == "FF0000FF"),
    ("document", "python-docx"): lambda file: _style(file, "Title").color.rgb == docx.shared.RGBColor(*BLUE),
    ("pdf", "reportlab"): lambda file: "0 0 1 rg" in file.pdf(),
    ("pdf", "fpdf"): lambda file: "0 0 1 rg" in file.pdf(),
    ("slides", "python-pptx"): lambda file: bool(_run(file, 0).color.type) and str(_run(file, 0).color.rgb) == "0000FF",
}
"""What a blue colour is, in a file of each library."""
COLOR = {"chart": "make the bars blue", "image": "make the circle blue", "sheet": "make the header blue"}


@pytest.mark.parametrize(("kind", "library"), KINDS)
def test_a_colour_changes(kind: str, library: str) -> None:
    _, file = made(kind, library)
    assert not BLUE_SEEN[kind, library](file)
    _, file = made(kind, library, COLOR.get(kind, "make the title blue"))
    assert BLUE_SEEN[kind, library](file)


TITLE_SEEN: dict[str, Callable[[File], bool]] = {
    "plotly": lambda file: "Honey 2024" in file.html(),
    "openpyxl": lambda file: openpyxl.load_workbook(file.path).sheetnames == ["Honey 2024"],
    "pandas": lambda file: openpyxl.load_workbook(file.path).sheetnames == ["Honey 2024"],
    "python-docx": lambda file: docx.Document(str(file.path)).paragraphs[0].text == "Honey 2024",
    "reportlab": lambda file: "(Honey 2024)" in file.pdf(),
    "fpdf": lambda file: "(Honey 2024)" in file.pdf(),
    "python-pptx": lambda file: pptx.Presentation(str(file.path)).slides[0].shapes.title.text == "Honey 2024",
}


@pytest.mark.parametrize(("kind", "library"), KINDS)
@pytest.mark.parametrize("edit", ["change the title to Honey 2024", 'add a title "Honey 2024"'])
def test_a_title_changes(kind: str, library: str, edit: str) -> None:
    _, before = made(kind, library)
    _, after = made(kind, library, edit)
    seen = TITLE_SEEN.get(library)
    assert seen(after) and not seen(before) if seen else differs(before, after)


SIZE_SEEN: dict[str, Callable[[File], float]] = {
    "plotly": lambda file: float('"width":1050' in file.html()),
    "openpyxl": lambda file: float(_cell(file).font.size or 11),
    "pandas": lambda file: float(_cell(file).font.size or 11),
    "python-docx": lambda file: _style(file, "Normal").size or 0,
    "reportlab": lambda file: float(max(re.findall(r"/F\d (\d+)", file.pdf()), key=int)),
    "fpdf": lambda file: float(max(re.findall(r"/F\d (\d+)", file.pdf()), key=int)),
    "python-pptx": lambda file: _run(file, 1).size or 0,
}


def size_of(library: str, file: File) -> float:
    return SIZE_SEEN[library](file) if library in SIZE_SEEN else file.image().size[0]


@pytest.mark.parametrize(("kind", "library"), KINDS)
def test_a_size_changes(kind: str, library: str) -> None:
    edit = "make the image bigger" if kind == "image" else "make it bigger"
    _, before = made(kind, library)
    _, after = made(kind, library, edit)
    assert size_of(library, after) > size_of(library, before)


@pytest.mark.parametrize(("kind", "library"), KINDS)
def test_the_type_grows(kind: str, library: str) -> None:
    _, before = made(kind, library, "call it Honey")
    _, after = made(kind, library, "call it Honey", "make the font bigger")
    if library == "plotly":
        assert '"size":18' in after.html()
    elif library in SIZE_SEEN:
        assert SIZE_SEEN[library](after) > SIZE_SEEN[library](before)
    else:
        assert before.image().size != after.image().size or differs(before, after)


@pytest.mark.parametrize(("kind", "library"), [key for key in KINDS if key[0] in ("chart", "image")])
def test_a_background_changes(kind: str, library: str) -> None:
    _, file = made(kind, library, "make the background yellow")
    assert '"paper_bgcolor":"yellow"' in file.html() if library == "plotly" else file.area(YELLOW) > 5000


@pytest.mark.parametrize("library", CAN["chart"])
@pytest.mark.parametrize("form", ["pie chart", "line chart"])
def test_other_charts_take_a_colour_too(tmp_path: Path, library: str, form: str) -> None:
    talk = Talk(tmp_path, fresh)
    talk(f"{form} with {library}: apples 3, pears 5")
    assert talk("make it blue").startswith("I changed")
    file = File(talk.folder / talk.chat.state.files.newest[0].name)
    if library == "plotly":
        assert "blue" in file.html() or "#0000ff" in file.html()
    else:
        assert file.area(BLUE) > 100


@pytest.mark.parametrize(
    ("make", "edit", "seen"),
    [
        ("столбчатая диаграмма с plotly: яблоки 3, груши 5", "сделай столбцы синими", '"color":"blue"'),
        ("столбчатая диаграмма с plotly: яблоки 3, груши 5", "измени заголовок на Мёд", "M\\u00e9d|Мёд|\\\\u041c"),
        ("столбчатая диаграмма с plotly: яблоки 3, груши 5", "сделай шрифт крупнее", '"size":18'),
        ("gráfico de barras con plotly: manzanas 3, peras 5", "haz las barras azules", '"color":"blue"'),
        ("gráfico de barras con plotly: manzanas 3, peras 5", "cambia el título a Miel", '"Miel"'),
        ("gráfico de barras con plotly: manzanas 3, peras 5", "haz la fuente más grande", '"size":18'),
    ],
)
def test_the_look_changes_in_every_language(tmp_path: Path, make: str, edit: str, seen: str) -> None:
    talk = Talk(tmp_path, fresh)
    talk(make)
    said = talk(edit)
    assert said.startswith(("Изменено", "Cambié")), said
    file = File(talk.folder / talk.chat.state.files.newest[0].name)
    assert re.search(seen, file.html())


def test_a_colour_goes_to_the_part_that_is_named() -> None:
    edit = "make the background yellow and the bars green and the title red"
    _, file = made("chart", "plotly", "call it Honey", edit)
    assert '"marker":{"color":"green"}' in file.html()
    assert '"paper_bgcolor":"yellow"' in file.html()
    assert '"font":{"color":"red"}' in file.html()


def test_a_plain_text_file_says_that_it_holds_no_look(tmp_path: Path) -> None:
    talk = Talk(tmp_path, fresh)
    talk("a csv file: rent 500, food 200")
    assert "plain text" in talk("make the header blue")
    assert talk("change rent to 550").startswith("I changed")


@pytest.mark.parametrize(
    ("said", "file"),
    [
        *[
            ("bar chart with matplotlib", "png"),
            ("line graph, seaborn", "png"),
            ("pie chart of apples 3, pears 5", "png"),
        ],
        *[("spreadsheet with rent 500, food 200", "xlsx"), ("PDF about cats with fpdf", "pdf"), ("three stars", "png")],
        *[("word document about cats", "docx"), ("presentation on bees", "pptx"), ("blue plotly chart", "html")],
        *[("столбчатая диаграмма на matplotlib", "png"), ("таблица: аренда 500, еда 200", "xlsx")],
        *[("презентация о пчёлах", "pptx"), ("gráfico circular con plotly: a 3, b 4", "html")],
        *[("documento sobre gatos", "docx"), ("hoja de cálculo: renta 500, comida 200", "xlsx")],
    ],
)
def test_a_bare_phrase_is_enough_to_make_something(tmp_path: Path, said: str, file: str) -> None:
    talk = Talk(tmp_path, fresh)
    talk(said)
    assert [known.name.rpartition(".")[2] for known in talk.chat.state.files.files] == [file]


@pytest.mark.parametrize("said", ["what charts can you make?", "hello", "switch to plotly", "какие графики ты умеешь?"])
def test_what_asks_for_nothing_makes_nothing(tmp_path: Path, said: str) -> None:
    talk = Talk(tmp_path, fresh)
    talk(said)
    assert talk.chat.state.files.files == ()


def test_a_bare_phrase_with_numbers_of_its_own_is_a_new_chart(tmp_path: Path) -> None:
    talk = Talk(tmp_path, fresh)
    talk("bar chart with matplotlib: a 1, b 2")
    talk("pie chart of apples 3, pears 5")
    assert len(talk.chat.state.files.files) == 2
    assert "pie chart: a 1, b 2" not in talk("line chart instead")
