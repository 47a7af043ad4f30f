"""Code that writes a table with openpyxl or pandas, in the look of its scene."""

from __future__ import annotations

import re
from collections.abc import Iterator

from holdfast.agents.making.looks import FACES, USUAL, Look, hexed
from holdfast.agents.making.scenes import Scene

MAX_NAME_CHARS = 31
_BARRED = re.compile(r"[\[\]:*?/\\]")


def openpyxl(scene: Scene) -> Iterator[str]:
    yield "from openpyxl import Workbook"
    yield f"from openpyxl.styles import Font{', PatternFill' if _filled(scene) else ''}"
    yield ""
    yield "book = Workbook()"
    yield "sheet = book.active"
    if scene.title:
        yield f"sheet.title = {_name(scene)!r}"
    yield f"sheet.append({_headers(scene)!r})"
    for label, value in zip(scene.labels, scene.values, strict=True):
        yield f"sheet.append({[label, value]!r})"
    if scene.total:
        yield f"sheet.append(['Total', '=SUM(B2:B{len(scene.labels) + 1})'])"
    yield from _styled(scene)
    yield f"book.save({scene.file!r})"


def pandas(scene: Scene) -> Iterator[str]:
    plain = scene.file.endswith(".csv")
    first, second = _headers(scene)
    styled = not plain and _is_styled(scene)
    yield "import pandas as pd"
    if styled:
        yield f"from openpyxl.styles import Font{', PatternFill' if _filled(scene) else ''}"
    yield ""
    yield f"frame = pd.DataFrame({{{first!r}: {scene.labels!r}, {second!r}: {scene.values!r}}})"
    if scene.total:
        yield f"frame.loc[len(frame)] = ['Total', frame[{second!r}].sum()]"
    if not styled:
        yield f"frame.{'to_csv' if plain else 'to_excel'}({scene.file!r}, index=False)"
        return
    yield f"with pd.ExcelWriter({scene.file!r}, engine='openpyxl') as writer:"
    yield f"    frame.to_excel(writer, sheet_name={_name(scene)!r}, index=False)"
    yield f"    sheet = writer.sheets[{_name(scene)!r}]"
    yield from (f"    {line}" for line in _styled(scene))


def _is_styled(scene: Scene) -> bool:
    return _filled(scene) or bool(scene.color or scene.title) or scene.look != Look()


def _headers(scene: Scene) -> list[str]:
    return [scene.look.x or "Item", scene.look.y or "Value"]


def _name(scene: Scene) -> str:
    return _BARRED.sub(" ", scene.title)[:MAX_NAME_CHARS].strip() or "Sheet"


def _filled(scene: Scene) -> bool:
    return scene.background != "white"


def _styled(scene: Scene) -> Iterator[str]:
    """The type of the first row and of the others, the background, and columns that are wide enough for them."""
    look = scene.look
    header = scene.color or look.title_color or look.text_color
    yield "for cell in sheet[1]:"
    yield f"    cell.font = Font(bold=True{_type(look, header, look.title_size)})"
    if rest := _type(look, look.text_color):
        yield "for row in sheet.iter_rows(min_row=2):"
        yield "    for cell in row:"
        yield f"        cell.font = Font({rest.removeprefix(', ')})"
    if _filled(scene):
        yield "for row in sheet.iter_rows():"
        yield "    for cell in row:"
        yield f"        cell.fill = PatternFill('solid', start_color={hexed(scene.background)!r})"
    if look.font != 1:
        yield "for column in ('A', 'B'):"
        yield f"    sheet.column_dimensions[column].width = {round(13 * look.font)}"


def _type(look: Look, color: str, size: float = 1.0) -> str:
    named = f", color={'FF' + hexed(color)!r}" if color else ""
    sized = f", size={round(USUAL * look.font * size)}" if look.font * size != 1 else ""
    return named + sized + (f", name={FACES[look.face].office!r}" if look.face else "")
