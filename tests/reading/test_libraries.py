"""Libraries in code: imports and uses, and never from prose."""

from __future__ import annotations

import pytest

from holdfast.errors import PackError
from holdfast.reading.libraries.code import Sighting, known, written
from tests.linear import stays_linear
from tests.rows import every

LIBRARIES = known()


def seen(code: str = "", content: str = "") -> list[tuple[str, bool]]:
    return [(sight.library, sight.used) for sight in LIBRARIES.detect(code, content)]


@every(
    ("code", "expected"),
    [
        ("from PIL import Image as I\nI.open('a.png')", [("Pillow", True)]),
        ("import PIL.Image\nPIL.Image.new('RGB', (1, 1))", [("Pillow", True)]),
        ("from openpyxl import load_workbook", [("openpyxl", False)]),
        ("from openpyxl import load_workbook\nload_workbook('a.xlsx')", [("openpyxl", True)]),
        ("from docx import Document", [("python-docx", False)]),
        ("# pip install python-docx\ndoc = Document()", [("python-docx", True)]),
        ("from pptx import Presentation\nPresentation().save('a.pptx')", [("python-pptx", True)]),
        ("import plotly.express as px\npx.bar(x=[1], y=[2])", [("plotly", True)]),
        ("from fpdf import FPDF\nclass Paper(FPDF):\n    pass", [("fpdf", True)]),
        ("import cairo\nsurface = cairo.ImageSurface(0, 1, 1)", [("cairo", True)]),
        ("print 'old python'\nimport pandas as pd\npd.read_csv('x')", [("pandas", True)]),
        ("    import seaborn as sns\n    sns.barplot()", [("seaborn", True)]),
        ("!pip install pandas\nimport pandas as pd\npd.DataFrame()", [("pandas", True)]),
        ("importlib.import_module('pandas')", [("pandas", False)]),
        ("def f(frame: 'pd.DataFrame'): ...", []),
        ("text = 'import pandas'", []),
        ("# import pandas", []),
        ("from .docx import helper", []),
        ("my_plt.plot(x)", []),
    ],
)
def test_python_is_read(code: str, expected: list[tuple[str, bool]]) -> None:
    assert seen(code) == expected


@pytest.mark.parametrize(
    ("code", "library"),
    [
        ("const { Chart } = require('chart.js');\nnew Chart(ctx, {});", "Chart.js"),
        ("import * as d3 from 'd3';\nd3.select('svg');", "D3"),
        ("import ExcelJS from 'exceljs';\nconst book = new ExcelJS.Workbook();", "ExcelJS"),
        ("import { jsPDF } from 'jspdf';\nconst doc = new jsPDF();", "jsPDF"),
        (
            '<script src="https://cdn.example/npm/chart.js@4.4.0/dist/chart.umd.min.js"></script>\nnew Chart(c)',
            "Chart.js",
        ),
        ("const sharp = require('sharp');\nsharp('a.png').resize(10)", "sharp"),
    ],
)
def test_javascript_is_read_by_patterns(code: str, library: str) -> None:
    assert seen(code)[0] == (library, True)
    assert seen(content=f"Here:\n```js\n{code}\n```") == seen(code)


@pytest.mark.parametrize(
    "prose",
    [
        "I could import pandas and then plot it with matplotlib.",
        "import pandas and you are done, said the guide",
        "We import matplotlib: it is nice",
        "You can do this with python-docx, Pillow or reportlab (all are good).",
        "The PIL library is old. Use `pandas` instead?",
    ],
)
def test_prose_is_no_evidence(prose: str) -> None:
    assert seen(content=prose) == []


def test_code_blocks_and_bare_lines_of_a_reply_are_read() -> None:
    fenced = "Here you go:\n```python\nfrom PIL import Image\nImage.new('RGB', (1, 1))\n```\nDone."
    assert seen(content=fenced) == [("Pillow", True)]
    assert seen(content="Code: from PIL import Image, ImageDraw\nImage.new('RGB', (1, 1))") == [("Pillow", True)]


def test_import_and_use_may_stand_in_the_two_parts_of_a_message() -> None:
    assert seen("from PIL import Image", "```python\nimport matplotlib.pyplot as plt\nplt.plot([1])\n```") == [
        ("matplotlib", True),
        ("Pillow", False),
    ]


def test_xlsxwriter_is_reported_as_its_family_with_its_own_name_beside() -> None:
    assert LIBRARIES.detect("import xlsxwriter\nxlsxwriter.Workbook('a.xlsx')") == (
        Sighting("openpyxl", "xlsxwriter", True),
    )


def test_a_table_of_ones_own_adds_a_library_without_code() -> None:
    mine = LIBRARIES.extended(
        """
        [[library]]
        name = "drawbot"
        imports = ["drawBot"]
        use_case = "image"
        words = ["drawbot"]
        """
    )
    assert mine.detect("import drawBot\ndrawBot.newPage()") == (Sighting("drawbot", "drawbot", True),)
    assert mine["drawbot"].sentence() == "Used drawbot for image"
    assert "drawbot" not in LIBRARIES


def test_a_broken_table_says_what_is_wrong() -> None:
    with pytest.raises(PackError, match="use_case"):
        LIBRARIES.extended('[[library]]\nname = "x"')


def test_the_files_that_code_saves_are_found() -> None:
    assert written("plt.savefig('a.png')\ndoc.save(\"b.docx\")\nopen('c.txt')\nfig.write_html('d.html')") == (
        "a.png",
        "b.docx",
        "d.html",
    )


@pytest.mark.parametrize(
    "piece",
    [
        "import ",
        "import 'x ",
        "a.",
        ";import x",
        "```",
        "(",
        "<script src='",
        "const a ",
        "require('",
        "from a import (,",
        "-",
    ],
)
def test_hostile_code_is_read_in_linear_time(piece: str) -> None:
    stays_linear(lambda text: LIBRARIES.detect(text, text), piece)
