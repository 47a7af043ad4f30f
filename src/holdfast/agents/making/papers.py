"""Code that makes a paper with a library: a PDF with reportlab or fpdf, slides with python-pptx.

A paper is a title, an author, headings and paragraphs, small shapes at the top, and a bar chart of its numbers.
"""

from __future__ import annotations

from collections.abc import Iterator

from holdfast.agents.making.places import Mark, box, corners, marks
from holdfast.agents.making.scenes import Scene

FONT = "DejaVuSans.ttf"
"""A font with Cyrillic letters: the maker puts it beside the file where the text needs it."""
BAND = 110
"""Height of the band of shapes."""
RGB = {
    "red": (255, 0, 0),
    "blue": (0, 0, 255),
    "green": (0, 128, 0),
    "yellow": (255, 255, 0),
    "orange": (255, 165, 0),
    "purple": (128, 0, 128),
    "black": (0, 0, 0),
    "white": (255, 255, 255),
    "pink": (255, 192, 203),
    "gray": (128, 128, 128),
    "brown": (165, 42, 42),
    "gold": (255, 215, 0),
    "steelblue": (70, 130, 180),
}


def wide(scene: Scene) -> bool:
    """Whether the text of a scene needs more letters than the fonts of every PDF have."""
    text = " ".join((scene.title, scene.author, *scene.paragraphs, *scene.labels))
    return not all(sign in _LATIN for sign in text)


_LATIN = frozenset(bytes(range(32, 256)).decode("latin-1"))


def reportlab(scene: Scene) -> Iterator[str]:
    yield "from reportlab.lib.styles import getSampleStyleSheet"
    yield "from reportlab.platypus import Paragraph, SimpleDocTemplate"
    if scene.shapes or scene.labels:
        yield "from reportlab.graphics.shapes import Drawing, Ellipse, Polygon, Rect, String"
        yield "from reportlab.lib import colors"
    if wide(scene):
        yield "from reportlab.pdfbase import pdfmetrics"
        yield "from reportlab.pdfbase.ttfonts import TTFont"
        yield ""
        yield f"pdfmetrics.registerFont(TTFont('DejaVu', {FONT!r}))"
    yield ""
    yield "styles = getSampleStyleSheet()"
    if wide(scene):
        yield "for name in ('Title', 'Heading1', 'BodyText'):"
        yield "    styles[name].fontName = 'DejaVu'"
    yield "story = []"
    if scene.shapes:
        yield f"drawing = Drawing(400, {BAND})"
        yield from (f"drawing.add({_drawn(mark)})" for mark in marks(scene, BAND))
        yield "story.append(drawing)"
    yield f"story.append(Paragraph({_plain(scene.title)!r}, styles['Title']))"
    if scene.author:
        yield f"story.append(Paragraph({_plain(scene.author)!r}, styles['BodyText']))"
    for paragraph in scene.paragraphs:
        style = "Heading1" if paragraph.startswith("# ") else "BodyText"
        yield f"story.append(Paragraph({_plain(paragraph.removeprefix('# '))!r}, styles[{style!r}]))"
    if scene.labels:
        font = ", fontName='DejaVu'" if wide(scene) else ""
        yield "chart = Drawing(400, 160)"
        for left, high, label in _bars(scene):
            yield f"chart.add(Rect({left}, 20, {_width(scene)}, {high}, fillColor=colors.{scene.color or 'steelblue'}))"
            yield f"chart.add(String({left}, 6, {label!r}, fontSize=9{font}))"
        yield "story.append(chart)"
    about = f", author={scene.author!r}" if scene.author else ""
    yield f"SimpleDocTemplate({scene.file!r}, title={scene.title!r}{about}).build(story)"


def _drawn(mark: Mark) -> str:
    """A shape in reportlab, whose y goes upwards."""
    color = f"fillColor=colors.{mark.color}, strokeColor=None"
    if mark.form in ("circle", "ellipse"):
        left, up, right, down = box(mark)
        return f"Ellipse({mark.x}, {BAND - mark.y}, {(right - left) // 2}, {(down - up) // 2}, {color})"
    points = [value for x, y in corners(mark) for value in (x, BAND - y)]
    return f"Polygon({points}, {color})"


def fpdf(scene: Scene) -> Iterator[str]:
    font = "DejaVu" if wide(scene) else "Helvetica"
    yield "from fpdf import FPDF"
    yield ""
    yield "pdf = FPDF()"
    yield "pdf.add_page()"
    if wide(scene):
        yield f"pdf.add_font('DejaVu', fname={FONT!r})"
    for mark in marks(scene, BAND):
        yield f"pdf.set_fill_color{RGB.get(mark.color, (0, 0, 0))}"
        if mark.form in ("circle", "ellipse"):
            left, up, right, down = (round(value * 0.45) for value in box(mark))
            yield f"pdf.ellipse({left + 10}, {up + 10}, {right - left}, {down - up}, style='F')"
        else:
            points = [(round(x * 0.45) + 10, round(y * 0.45) + 10) for x, y in corners(mark)]
            yield f"pdf.polygon({points}, style='F')"
    if scene.shapes:
        yield "pdf.set_y(65)"
    yield from _fpdf_text(scene.title, font, 22)
    if scene.author:
        yield f"pdf.set_author({scene.author!r})"
        yield from _fpdf_text(scene.author, font, 12)
    for paragraph in scene.paragraphs:
        yield from _fpdf_text(paragraph.removeprefix("# "), font, 16 if paragraph.startswith("# ") else 12)
    if scene.labels:
        yield f"pdf.set_fill_color{RGB.get(scene.color or 'steelblue', (70, 130, 180))}"
        yield f"pdf.set_font({font!r}, size=9)"
        yield "base = pdf.get_y() + 60"
        for left, high, label in _bars(scene):
            x, up = round(left * 0.45) + 10, round(high * 0.4)
            yield f"pdf.rect({x}, base - {up}, {round(_width(scene) * 0.45)}, {up}, style='F')"
            yield f"pdf.text({x}, base + 5, {label!r})"
    yield f"pdf.output({scene.file!r})"


def _fpdf_text(text: str, font: str, size: int) -> Iterator[str]:
    yield f"pdf.set_font({font!r}, size={size})"
    yield f"pdf.multi_cell(0, {size // 2 + 2}, {text!r}, new_x='LMARGIN', new_y='NEXT')"


def pptx(scene: Scene) -> Iterator[str]:
    yield "from pptx import Presentation"
    if scene.labels:
        yield "from pptx.chart.data import CategoryChartData"
        yield "from pptx.enum.chart import XL_CHART_TYPE"
    if scene.shapes:
        yield "from pptx.dml.color import RGBColor"
        yield "from pptx.enum.shapes import MSO_SHAPE"
    if scene.shapes or scene.labels:
        yield "from pptx.util import Inches"
    yield ""
    yield "deck = Presentation()"
    yield "slide = deck.slides.add_slide(deck.slide_layouts[0])"
    yield f"slide.shapes.title.text = {scene.title!r}"
    if scene.author:
        yield f"slide.placeholders[1].text = {scene.author!r}"
        yield f"deck.core_properties.author = {scene.author!r}"
    yield from _on_slide(scene)
    for heading, points in _slides(scene):
        yield "slide = deck.slides.add_slide(deck.slide_layouts[1])"
        yield f"slide.shapes.title.text = {heading!r}"
        yield f"slide.placeholders[1].text = {chr(10).join(points)!r}"
    if scene.labels:
        yield "slide = deck.slides.add_slide(deck.slide_layouts[5])"
        yield f"slide.shapes.title.text = {scene.title!r}"
        yield "data = CategoryChartData()"
        yield f"data.categories = {scene.labels!r}"
        yield f"data.add_series({scene.title!r}, {scene.values!r})"
        kind = {"pie": "PIE", "trend": "LINE"}.get(scene.chart, "COLUMN_CLUSTERED")
        place = "Inches(1), Inches(1.7), Inches(8), Inches(5)"
        yield f"slide.shapes.add_chart(XL_CHART_TYPE.{kind}, {place}, data)"
    yield f"deck.save({scene.file!r})"


_FORMS = {
    "circle": "OVAL",
    "ellipse": "OVAL",
    "square": "RECTANGLE",
    "rectangle": "RECTANGLE",
    "triangle": "ISOSCELES_TRIANGLE",
    "star": "STAR_5_POINT",
    "line": "RECTANGLE",
}


def _on_slide(scene: Scene) -> Iterator[str]:
    """Shapes in the upper part of the first slide."""
    for mark in marks(scene, BAND):
        left, up, right, down = (round(value / 50, 2) for value in box(mark))
        place = f"Inches({left + 1:.2f}), Inches({up + 0.2:.2f}), Inches({right - left:.2f}), Inches({down - up:.2f})"
        yield f"shape = slide.shapes.add_shape(MSO_SHAPE.{_FORMS.get(mark.form, 'OVAL')}, {place})"
        yield "shape.fill.solid()"
        yield f"shape.fill.fore_color.rgb = RGBColor{RGB.get(mark.color, (0, 0, 0))}"


def _slides(scene: Scene) -> Iterator[tuple[str, list[str]]]:
    """The slides after the first: a heading begins one, and so does text that has none."""
    heading, points = scene.title, list[str]()
    for paragraph in scene.paragraphs:
        if paragraph.startswith("# "):
            if points:
                yield heading, points
            heading, points = paragraph[2:], []
        else:
            points.append(paragraph)
    if points or heading != scene.title:
        yield heading, points


def _bars(scene: Scene) -> Iterator[tuple[int, int, str]]:
    """Left edge, height and label of every bar in a field of 400 by 120."""
    most = max([abs(value) for value in scene.values] or [1.0]) or 1.0
    for index, (label, value) in enumerate(zip(scene.labels, scene.values, strict=True)):
        yield round(10 + index * 380 / len(scene.labels)), round(120 * abs(value) / most), label


def _width(scene: Scene) -> int:
    return round(300 / len(scene.labels))


def _plain(text: str) -> str:
    """Text in which reportlab finds no markup."""
    return text.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;")
