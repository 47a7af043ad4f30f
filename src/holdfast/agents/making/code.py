"""Code that makes a scene with a library: short, whole and readable, with nothing in it but plain values."""

from __future__ import annotations

from collections.abc import Callable, Iterator

from holdfast.agents.making import charts, papers, sheets
from holdfast.agents.making.looks import FACES, RGB, hexed
from holdfast.agents.making.places import HEIGHT, WIDTH, Mark, box, corners, marks
from holdfast.agents.making.scenes import PAPERS, Scene

Writer = Callable[[Scene], Iterator[str]]


def code(scene: Scene) -> str:
    """The program that writes the file of a scene."""
    return "\n".join(_WRITERS[scene.kind][scene.library](scene)) + "\n"


def beside(scene: Scene) -> tuple[str, ...]:
    """Libraries that a scene needs beside its own: pictures of a paper are drawn before they are set in, and matplotlib
    also brings the fonts."""
    plotted = font_file(scene) is not None or (scene.kind in PAPERS and bool(scene.labels))
    drawn = scene.kind == "document" and bool(scene.shapes)
    return (*(("Pillow",) if drawn else ()), *(("matplotlib",) if plotted else ()))


def font_file(scene: Scene) -> str | None:
    """The font that must lie beside the program of a scene: for letters or a face that its library does not bring."""
    wide = papers.wide(scene)
    drawn = scene.library == "Pillow" and (wide or scene.look.face in ("serif", "mono"))
    return FACES[scene.look.face].file if drawn or (scene.kind == "pdf" and wide) else None


def _pillow(scene: Scene) -> Iterator[str]:
    look = scene.look
    yield f"from PIL import Image, ImageDraw{', ImageFont' if look.caption else ''}"
    yield ""
    yield f"image = Image.new({'RGB'!r}, {(WIDTH, HEIGHT)}, {scene.background!r})"
    yield "draw = ImageDraw.Draw(image)"
    yield from (_pillow_mark("draw", mark) for mark in marks(scene))
    if look.caption:
        file, size = font_file(scene), round(12 * look.font * look.title_size)
        yield f"font = ImageFont.{f'truetype({file!r}, {size})' if file else f'load_default({size})'}"
        color = look.title_color or look.text_color or "black"
        yield f"draw.text((20, 8), {look.caption!r}, fill={color!r}, font=font)"
    if scene.scale != 1:
        yield f"image = image.resize({(round(WIDTH * scene.scale), round(HEIGHT * scene.scale))})"
    yield f"image.save({scene.file!r})"


def _pillow_mark(draw: str, mark: Mark) -> str:
    place = f"ellipse({box(mark)}" if mark.form in ("circle", "ellipse") else f"polygon({corners(mark)}"
    return f"{draw}.{place}, fill={mark.color!r})"


def _docx(scene: Scene) -> Iterator[str]:
    yield from _docx_imports(scene)
    yield "document = Document()"
    yield from _docx_type(scene)
    if scene.shapes:
        yield "line = document.add_paragraph()"
        for shape in scene.shapes:
            yield from _inline(Mark(shape.form, shape.color, 50, 50, min(48, int(40 * shape.size))), shape.count)
    yield f"document.add_heading({scene.title!r}, 0)"
    yield from _docx_background(scene)
    if scene.author:
        yield f"document.core_properties.author = {scene.author!r}"
        yield f"document.add_paragraph({scene.author!r})"
    for paragraph in scene.paragraphs:
        heads = paragraph.startswith("# ")
        yield f"document.add_heading({paragraph[2:]!r}, 1)" if heads else f"document.add_paragraph({paragraph!r})"
    if scene.labels:
        yield from charts.picture(scene)
        yield "document.add_picture(plotted, Inches(4))"
    yield f"document.save({scene.file!r})"


def _docx_imports(scene: Scene) -> Iterator[str]:
    if scene.shapes:
        yield "from io import BytesIO"
        yield ""
        yield "from PIL import Image, ImageDraw"
    yield "from docx import Document"
    yield "from docx.shared import Inches, Pt, RGBColor"
    yield ""


def _docx_type(scene: Scene) -> Iterator[str]:
    """The type of the text and of the headings, where it is not the usual one."""
    look = scene.look
    sizes = {"Normal": 11.0, "Title": 28.0 * look.title_size, "Heading 1": 14.0}
    for style, points in sizes.items():
        font = f"document.styles[{style!r}].font"
        if look.font != 1 or (style == "Title" and look.title_size != 1):
            yield f"{font}.size = Pt({round(points * look.font)})"
        if look.face:
            yield f"document.styles[{style!r}].element.get_or_add_rPr().get_or_add_rFonts().attrib.clear()"
            yield f"{font}.name = {FACES[look.face].office!r}"  # headings carry the face of a theme beside their own
        color = look.text_color if style == "Normal" else look.title_color
        if color:
            yield f"{font}.color.rgb = RGBColor{RGB.get(color, (0, 0, 0))}"


def _docx_background(scene: Scene) -> Iterator[str]:
    if scene.background != "white":
        yield "from docx.oxml import OxmlElement"
        yield "from docx.oxml.ns import qn"
        yield "shade = OxmlElement('w:background')"
        yield f"shade.set(qn('w:color'), {hexed(scene.background)!r})"
        yield "document.element.insert(0, shade)"
        yield "document.settings.element.append(OxmlElement('w:displayBackgroundShape'))"


def _inline(mark: Mark, count: int) -> Iterator[str]:
    """A shape drawn with Pillow and set into the line, as often as asked."""
    yield "picture = Image.new('RGBA', (100, 100), (0, 0, 0, 0))"
    yield _pillow_mark("ImageDraw.Draw(picture)", mark)
    yield "drawn = BytesIO()"
    yield "picture.save(drawn, 'PNG')"
    yield f"for _ in range({count}):"
    yield "    drawn.seek(0)"
    yield "    line.add_run().add_picture(drawn, Inches(0.5))"


_WRITERS: dict[str, dict[str, Writer]] = {
    "image": {"Pillow": _pillow, "matplotlib": charts.matplotlib},
    "chart": {"matplotlib": charts.matplotlib, "seaborn": charts.seaborn, "plotly": charts.plotly},
    "sheet": {"openpyxl": sheets.openpyxl, "pandas": sheets.pandas},
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
