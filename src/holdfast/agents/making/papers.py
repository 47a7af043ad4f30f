"""Code that makes a paper with a library: a PDF with reportlab or fpdf, slides with python-pptx.

A paper is a title, an author, headings and paragraphs, small shapes at the top, and a chart of its numbers.
"""

from __future__ import annotations

from collections.abc import Iterator

from holdfast.agents.making import charts
from holdfast.agents.making.looks import FACES, RGB, Look
from holdfast.agents.making.places import Mark, box, corners, marks
from holdfast.agents.making.scenes import Scene

BAND = 110


def wide(scene: Scene) -> bool:
    """Whether the text of a scene needs more letters than the fonts of every PDF have."""
    look = scene.look
    text = " ".join((scene.title, scene.author, look.caption, look.x, look.y, *scene.paragraphs, *scene.labels))
    return not all(sign in _LATIN for sign in text)


_LATIN = frozenset(bytes(range(32, 256)).decode("latin-1"))


def reportlab(scene: Scene) -> Iterator[str]:
    look = scene.look
    face = "DejaVu" if wide(scene) else FACES[look.face].reportlab
    yield from _reportlab_imports(scene)
    yield "styles = getSampleStyleSheet()"
    yield from _reportlab_type(scene, face)
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
        yield from charts.picture(scene)
        yield "story.append(Image(plotted, 288, 216))"
    about = f", author={scene.author!r}" if scene.author else ""
    paper = f"SimpleDocTemplate({scene.file!r}, title={scene.title!r}{about})"
    if scene.background == "white":
        yield f"{paper}.build(story)"
        return
    yield "def shade(canvas, document):"
    yield f"    canvas.setFillColor(colors.{scene.background})"
    yield "    canvas.rect(0, 0, *document.pagesize, stroke=0, fill=1)"
    yield f"{paper}.build(story, onFirstPage=shade, onLaterPages=shade)"


def _reportlab_imports(scene: Scene) -> Iterator[str]:
    look = scene.look
    yield "from reportlab.lib.styles import getSampleStyleSheet"
    yield "from reportlab.platypus import Image, Paragraph, SimpleDocTemplate"
    if scene.shapes:
        yield "from reportlab.graphics.shapes import Drawing, Ellipse, Polygon"
    if scene.shapes or look.text_color or look.title_color or scene.background != "white":
        yield "from reportlab.lib import colors"
    if wide(scene):
        yield "from reportlab.pdfbase import pdfmetrics"
        yield "from reportlab.pdfbase.ttfonts import TTFont"
        yield ""
        yield f"pdfmetrics.registerFont(TTFont('DejaVu', {FACES[look.face].file!r}))"
    yield ""


def _reportlab_type(scene: Scene, face: str) -> Iterator[str]:
    """The type of text and headings, where it is not the usual one."""
    look = scene.look
    for style in ("Title", "Heading1", "BodyText"):
        grows = look.font * (look.title_size if style == "Title" else 1)
        color = look.text_color if style == "BodyText" else look.title_color
        if wide(scene) or look.face:
            yield f"styles[{style!r}].fontName = {face!r}"
        if grows != 1:
            yield f"styles[{style!r}].fontSize *= {round(grows, 2)}"
            yield f"styles[{style!r}].leading *= {round(grows, 2)}"
        if color:
            yield f"styles[{style!r}].textColor = colors.{color}"


def _drawn(mark: Mark) -> str:
    """A shape in reportlab, whose y goes upwards."""
    color = f"fillColor=colors.{mark.color}, strokeColor=None"
    if mark.form in ("circle", "ellipse"):
        left, up, right, down = box(mark)
        return f"Ellipse({mark.x}, {BAND - mark.y}, {(right - left) // 2}, {(down - up) // 2}, {color})"
    points = [value for x, y in corners(mark) for value in (x, BAND - y)]
    return f"Polygon({points}, {color})"


def fpdf(scene: Scene) -> Iterator[str]:
    look = scene.look
    font = "DejaVu" if wide(scene) else FACES[look.face].fpdf
    heading, text = (RGB.get(color, (0, 0, 0)) for color in (look.title_color, look.text_color))
    yield "from fpdf import FPDF"
    yield ""
    yield "pdf = FPDF()"
    if scene.background != "white":
        yield f"pdf.set_page_background({RGB.get(scene.background, (255, 255, 255))})"
    yield "pdf.add_page()"
    if wide(scene):
        yield f"pdf.add_font('DejaVu', fname={FACES[look.face].file!r})"
    for mark in marks(scene, BAND):
        yield from _fpdf_mark(mark)
    if scene.shapes:
        yield "pdf.set_y(65)"
    yield from _fpdf_text(scene.title, font, round(22 * look.font * look.title_size), heading)
    if scene.author:
        yield f"pdf.set_author({scene.author!r})"
        yield from _fpdf_text(scene.author, font, round(12 * look.font), text)
    for paragraph in scene.paragraphs:
        size, color = (16, heading) if paragraph.startswith("# ") else (12, text)
        yield from _fpdf_text(paragraph.removeprefix("# "), font, round(size * look.font), color)
    if scene.labels:
        yield from charts.picture(scene)
        yield "pdf.image(plotted, w=100)"
    yield f"pdf.output({scene.file!r})"


def _fpdf_mark(mark: Mark) -> Iterator[str]:
    yield f"pdf.set_fill_color{RGB.get(mark.color, (0, 0, 0))}"
    if mark.form in ("circle", "ellipse"):
        left, up, right, down = (round(value * 0.45) for value in box(mark))
        yield f"pdf.ellipse({left + 10}, {up + 10}, {right - left}, {down - up}, style='F')"
    else:
        points = [(round(x * 0.45) + 10, round(y * 0.45) + 10) for x, y in corners(mark)]
        yield f"pdf.polygon({points}, style='F')"


def _fpdf_text(text: str, font: str, size: int, color: tuple[int, int, int]) -> Iterator[str]:
    yield f"pdf.set_font({font!r}, size={size})"
    if color != (0, 0, 0):
        yield f"pdf.set_text_color{color}"
    yield f"pdf.multi_cell(0, {size // 2 + 2}, {text!r}, new_x='LMARGIN', new_y='NEXT')"
    if color != (0, 0, 0):
        yield "pdf.set_text_color(0, 0, 0)"


def pptx(scene: Scene) -> Iterator[str]:
    yield "from pptx import Presentation"
    yield "from pptx.dml.color import RGBColor"
    if scene.shapes:
        yield "from pptx.enum.shapes import MSO_SHAPE"
    yield "from pptx.util import Inches, Pt"
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
        yield from charts.picture(scene)
        yield "slide.shapes.add_picture(plotted, Inches(1.7), Inches(1.7), Inches(6.6), Inches(5))"
    yield from _pptx_type(scene)
    yield f"deck.save({scene.file!r})"


def _pptx_type(scene: Scene) -> Iterator[str]:
    """The type of all slides and their background, where they are not the usual ones."""
    look = scene.look
    titles = _pptx_run(look, 40 * look.title_size, look.title_color)
    texts = _pptx_run(look, 20, look.text_color)
    if scene.background != "white":
        yield "for slide in deck.slides:"
        yield "    slide.background.fill.solid()"
        yield f"    slide.background.fill.fore_color.rgb = RGBColor{RGB.get(scene.background, (255, 255, 255))}"
    for test, lines in (("==", titles), ("!=", texts)):
        if lines:
            yield "for slide in deck.slides:"
            yield "    for shape in slide.placeholders:"
            yield f"        if shape.placeholder_format.idx {test} 0:"
            yield "            for paragraph in shape.text_frame.paragraphs:"
            yield "                for run in paragraph.runs:"
            yield from (f"                    {line}" for line in lines)


def _pptx_run(look: Look, points: float, color: str) -> list[str]:
    sized = [f"run.font.size = Pt({round(points * look.font)})"] if look.font != 1 or points not in (40, 20) else []
    sized += [f"run.font.color.rgb = RGBColor{RGB.get(color, (0, 0, 0))}"] if color else []
    return [*sized, f"run.font.name = {FACES[look.face].office!r}"] if look.face else sized


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


def _plain(text: str) -> str:
    """Text in which reportlab finds no markup."""
    return text.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;")
