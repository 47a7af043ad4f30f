"""Code that makes a scene with a library: short, whole and readable, with nothing in it but plain values."""

from __future__ import annotations

from collections.abc import Callable, Iterator

from holdfast.agents.making import papers
from holdfast.agents.making.places import HEIGHT, WIDTH, Mark, box, corners, marks
from holdfast.agents.making.scenes import Scene

Writer = Callable[[Scene], Iterator[str]]


def code(scene: Scene) -> str:
    """The program that writes the file of a scene."""
    return "\n".join(_WRITERS[scene.kind][scene.library](scene)) + "\n"


def beside(scene: Scene) -> tuple[str, ...]:
    """Libraries that a scene needs beside its own: a document's pictures are drawn before they are set in."""
    if scene.kind == "pdf" and papers.wide(scene):
        return ("matplotlib",)  # it brings the font
    if scene.kind != "document":
        return ()
    return (*(("Pillow",) if scene.shapes else ()), *(("matplotlib",) if scene.labels else ()))


def _pillow(scene: Scene) -> Iterator[str]:
    yield "from PIL import Image, ImageDraw"
    yield ""
    yield f"image = Image.new({'RGB'!r}, {(WIDTH, HEIGHT)}, {scene.background!r})"
    yield "draw = ImageDraw.Draw(image)"
    shared = bool(scene.shapes and scene.labels)
    for mark in marks(scene, HEIGHT // 2 if shared else HEIGHT):
        if mark.form in ("circle", "ellipse"):
            yield f"draw.ellipse({box(mark)}, fill={mark.color!r})"
        else:
            yield f"draw.polygon({corners(mark)}, fill={mark.color!r})"
    if scene.labels:
        yield from _pillow_bars(scene, HEIGHT // 2 if shared else 30)
    if scene.scale != 1:
        yield f"image = image.resize({(round(WIDTH * scene.scale), round(HEIGHT * scene.scale))})"
    yield f"image.save({scene.file!r})"


def _pillow_bars(scene: Scene, top: int) -> Iterator[str]:
    if scene.title:
        yield f"draw.text((20, 8), {scene.title!r}, fill='black')"
    if scene.chart in ("pie", "trend"):
        yield from _pillow_pie(scene, top) if scene.chart == "pie" else _pillow_line(scene, top)
        return
    step = (WIDTH - 40) / len(scene.labels)
    most = max([abs(value) for value in scene.values] or [1.0]) or 1.0
    for index, (label, value) in enumerate(zip(scene.labels, scene.values, strict=True)):
        left, right = round(20 + index * step + step * 0.15), round(20 + (index + 1) * step - step * 0.15)
        high = round(HEIGHT - 30 - (HEIGHT - 50 - top) * abs(value) / most)
        yield f"draw.rectangle(({left}, {high}, {right}, {HEIGHT - 30}), fill={scene.color or 'steelblue'!r})"
        yield f"draw.text(({left}, {HEIGHT - 24}), {label!r}, fill='black')"


_COLORS = ("steelblue", "darkorange", "seagreen", "firebrick", "mediumpurple", "goldenrod", "teal", "slategray")


def _pillow_pie(scene: Scene, top: int) -> Iterator[str]:
    whole = sum(abs(value) for value in scene.values) or 1.0
    box = (WIDTH // 2 - (HEIGHT - top) // 2 + 10, top + 10, WIDTH // 2 + (HEIGHT - top) // 2 - 10, HEIGHT - 10)
    start = -90.0
    for index, (label, value) in enumerate(zip(scene.labels, scene.values, strict=True)):
        end = start + 360 * abs(value) / whole
        color = _COLORS[index % len(_COLORS)]
        yield f"draw.pieslice({box}, {start:.1f}, {end:.1f}, fill={color!r})"
        yield f"draw.text((12, {top + 14 * index}), {label!r}, fill={color!r})"
        start = end


def _pillow_line(scene: Scene, top: int) -> Iterator[str]:
    most = max([abs(value) for value in scene.values] or [1.0]) or 1.0
    step = (WIDTH - 60) / max(1, len(scene.labels) - 1)
    points = [
        (round(30 + index * step), round(HEIGHT - 30 - (HEIGHT - 50 - top) * abs(value) / most))
        for index, value in enumerate(scene.values)
    ]
    yield f"draw.line({points}, fill={scene.color or 'steelblue'!r}, width=3)"
    for (x, _y), label in zip(points, scene.labels, strict=True):
        yield f"draw.text(({x - 10}, {HEIGHT - 24}), {label!r}, fill='black')"


def _matplotlib(scene: Scene) -> Iterator[str]:
    yield "import matplotlib"
    yield ""
    yield "matplotlib.use('Agg')"
    yield "import matplotlib.pyplot as plt"
    shapes = bool(scene.shapes) or not scene.labels
    if shapes:
        yield "from matplotlib.patches import Ellipse, Polygon"
    yield ""
    if shapes and scene.labels:
        yield "figure, (axes, chart) = plt.subplots(1, 2, figsize=(8, 3))"
    else:
        yield f"figure, {'axes' if shapes else 'chart'} = plt.subplots(figsize={_inches(scene)})"
    yield f"figure.set_facecolor({scene.background!r})"
    if shapes:
        yield from _patches(scene)
    if scene.labels:
        yield from _plot(scene)
    yield f"figure.savefig({scene.file!r}, dpi=100)"
    yield "plt.close(figure)"


def _inches(scene: Scene) -> tuple[float, float]:
    return round(4 * scene.scale, 1), round(3 * scene.scale, 1)


def _patches(scene: Scene) -> Iterator[str]:
    yield f"axes.set_xlim(0, {WIDTH})"
    yield f"axes.set_ylim({HEIGHT}, 0)"
    yield "axes.set_aspect('equal')"
    yield "axes.axis('off')"
    for mark in marks(scene):
        if mark.form in ("circle", "ellipse"):
            left, up, right, down = box(mark)
            size = f"{right - left}, {down - up}"
            yield f"axes.add_patch(Ellipse(({mark.x}, {mark.y}), {size}, color={mark.color!r}))"
        else:
            yield f"axes.add_patch(Polygon({corners(mark)}, color={mark.color!r}))"


def _plot(scene: Scene) -> Iterator[str]:
    yield f"labels = {scene.labels!r}"
    yield f"values = {scene.values!r}"
    color = f", color={scene.color!r}" if scene.color else ""
    if scene.chart == "pie":
        yield "chart.pie([abs(value) for value in values], labels=labels)"
    elif scene.chart == "trend":
        yield f"chart.plot(labels, values{color})"
    else:
        yield f"chart.bar(labels, values{color})"
    if scene.title:
        yield f"chart.set_title({scene.title!r})"


def _seaborn(scene: Scene) -> Iterator[str]:
    if scene.chart == "pie":  # seaborn draws no pies; it gives the colours
        yield "import matplotlib.pyplot as plt"
    yield "import seaborn as sns"
    yield ""
    yield f"sns.set_theme(style='whitegrid', rc={{'figure.figsize': {_inches(scene)}}})"
    yield f"labels = {scene.labels!r}"
    yield f"values = {scene.values!r}"
    color = f", color={scene.color!r}" if scene.color else ""
    if scene.chart == "pie":
        yield "figure, chart = plt.subplots()"
        yield "chart.pie([abs(value) for value in values], labels=labels, colors=sns.color_palette())"
    else:
        yield f"chart = sns.{'lineplot' if scene.chart == 'trend' else 'barplot'}(x=labels, y=values{color})"
    if scene.title:
        yield f"chart.set_title({scene.title!r})"
    yield f"chart.figure.savefig({scene.file!r}, dpi=100, bbox_inches='tight')"
    yield "chart.figure.clear()"


def _plotly(scene: Scene) -> Iterator[str]:
    yield "import plotly.graph_objects as go"
    yield ""
    yield f"labels = {scene.labels!r}"
    yield f"values = {scene.values!r}"
    color = f", marker_color={scene.color!r}" if scene.color else ""
    if scene.chart == "pie":
        yield "trace = go.Pie(labels=labels, values=[abs(value) for value in values])"
    elif scene.chart == "trend":
        yield f"trace = go.Scatter(x=labels, y=values, mode='lines+markers'{color})"
    else:
        yield f"trace = go.Bar(x=labels, y=values{color})"
    size = {} if scene.scale == 1 else {"width": round(700 * scene.scale), "height": round(450 * scene.scale)}
    yield f"figure = go.Figure(trace, layout={ {'title': scene.title, **size}!r})"
    yield f"figure.write_html({scene.file!r})"


def _openpyxl(scene: Scene) -> Iterator[str]:
    yield "from openpyxl import Workbook"
    yield "from openpyxl.styles import Font"
    yield ""
    yield "book = Workbook()"
    yield "sheet = book.active"
    yield f"sheet.append({['Item', 'Value']!r})"
    for label, value in zip(scene.labels, scene.values, strict=True):
        yield f"sheet.append({[label, value]!r})"
    if scene.total:
        yield f"sheet.append(['Total', '=SUM(B2:B{len(scene.labels) + 1})'])"
    yield "for cell in sheet[1]:"
    yield f"    cell.font = Font(bold=True{', color=' + repr(_HEX[scene.color]) if scene.color in _HEX else ''})"
    yield f"book.save({scene.file!r})"


_HEX = {"red": "FFCC0000", "blue": "FF0000CC", "green": "FF008800", "orange": "FFCC7700", "purple": "FF770077"}


def _pandas(scene: Scene) -> Iterator[str]:
    yield "import pandas as pd"
    yield ""
    yield f"frame = pd.DataFrame({{'Item': {scene.labels!r}, 'Value': {scene.values!r}}})"
    if scene.total:
        yield "frame.loc[len(frame)] = ['Total', frame['Value'].sum()]"
    write = "to_csv" if scene.file.endswith(".csv") else "to_excel"
    yield f"frame.{write}({scene.file!r}, index=False)"


def _docx(scene: Scene) -> Iterator[str]:
    if scene.shapes or scene.labels:
        yield "from io import BytesIO"
        yield ""
    yield "from docx import Document"
    if scene.shapes or scene.labels:
        yield "from docx.shared import Inches"
    if scene.shapes:
        yield "from PIL import Image, ImageDraw"
    if scene.labels:
        yield "import matplotlib"
        yield ""
        yield "matplotlib.use('Agg')"
        yield "import matplotlib.pyplot as plt"
    yield ""
    yield "document = Document()"
    if scene.shapes:
        yield "line = document.add_paragraph()"
        for shape in scene.shapes:
            yield from _inline(Mark(shape.form, shape.color, 50, 50, min(48, int(40 * shape.size))), shape.count)
    yield f"document.add_heading({scene.title!r}, 0)"
    if scene.author:
        yield f"document.core_properties.author = {scene.author!r}"
        yield f"document.add_paragraph({scene.author!r})"
    for paragraph in scene.paragraphs:
        if paragraph.startswith("# "):
            yield f"document.add_heading({paragraph[2:]!r}, 1)"
        else:
            yield f"document.add_paragraph({paragraph!r})"
    if scene.labels:
        yield "figure, chart = plt.subplots(figsize=(4, 3))"
        yield from _plot(scene)
        yield "plotted = BytesIO()"
        yield "figure.savefig(plotted, format='png')"
        yield "document.add_picture(plotted, Inches(4))"
    yield f"document.save({scene.file!r})"


def _inline(mark: Mark, count: int) -> Iterator[str]:
    """A shape drawn with Pillow and set into the line, as often as asked."""
    yield "picture = Image.new('RGBA', (100, 100), (0, 0, 0, 0))"
    if mark.form in ("circle", "ellipse"):
        yield f"ImageDraw.Draw(picture).ellipse({box(mark)}, fill={mark.color!r})"
    else:
        yield f"ImageDraw.Draw(picture).polygon({corners(mark)}, fill={mark.color!r})"
    yield "drawn = BytesIO()"
    yield "picture.save(drawn, 'PNG')"
    yield f"for _ in range({count}):"
    yield "    drawn.seek(0)"
    yield "    line.add_run().add_picture(drawn, Inches(0.5))"


_WRITERS: dict[str, dict[str, Writer]] = {
    "image": {"Pillow": _pillow, "matplotlib": _matplotlib},
    "chart": {"matplotlib": _matplotlib, "seaborn": _seaborn, "plotly": _plotly, "Pillow": _pillow},
    "sheet": {"openpyxl": _openpyxl, "pandas": _pandas},
    "document": {"python-docx": _docx},
    "pdf": {"reportlab": papers.reportlab, "fpdf": papers.fpdf},
    "slides": {"python-pptx": papers.pptx},
}
CAN: dict[str, tuple[str, ...]] = {kind: tuple(writers) for kind, writers in _WRITERS.items()}
"""Libraries that each kind can be made with; the first is taken where nothing else decides."""
MODULES = {
    "Pillow": ("PIL",),
    "matplotlib": ("matplotlib",),
    "seaborn": ("seaborn", "matplotlib"),
    "plotly": ("plotly",),
    "openpyxl": ("openpyxl",),
    "pandas": ("pandas", "openpyxl"),
    "python-docx": ("docx",),
    "reportlab": ("reportlab",),
    "fpdf": ("fpdf",),
    "python-pptx": ("pptx",),
}
WRITES = {"plotly": "html"}
"""The type of file of a library that cannot write that of its kind."""
