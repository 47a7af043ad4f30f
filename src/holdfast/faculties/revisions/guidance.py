"""What a specialist is told of the library in force, in the words of the document, and what a switch would break."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Literal

import msgspec

from holdfast.reading.libraries import Libraries
from holdfast.reading.overrides import Override

Confidence = Literal["high", "medium"]

LINES = (
    "- If previous revision used Pillow/PIL for images → Continue using Pillow/PIL (unless user explicitly requests "
    "otherwise)",
    "- If previous revision used matplotlib → Continue using matplotlib",
    "- If previous revision used pandas → Continue using pandas",
    "- If previous revision used reportlab/fpdf → Continue using the same PDF library",
    "- If previous revision used openpyxl → Continue using openpyxl",
    "- Maintain consistency across revisions UNLESS user explicitly asks for a different approach",
    '- If user says "instead", "rather", "switch to", or "use X instead" → Honor their request and change approach',
)


class Record(msgspec.Struct, frozen=True, omit_defaults=True):
    """The library in force, how sure that is, and why."""

    library: str
    method: str
    confidence: Confidence
    strength: float
    version: int = 0
    real: str = ""
    file: str | None = None
    words: str = ""

    def view(self) -> dict[str, str]:
        return {"method": self.method, "confidence": self.confidence, "library": self.library}


def block(record: Record) -> str:
    """The section that keeps the specialist on the library in force."""
    verb = "SHOULD" if record.confidence == "high" else "CONSIDER"
    use = "use" if record.confidence == "high" else "using"
    return "\n".join(
        (
            "**PREVIOUS IMPLEMENTATION METHOD:**",
            f"{record.method} (Confidence: {record.confidence})",
            "",
            f"**IMPORTANT:** When making revisions, you {verb} {use} the SAME implementation approach as before for "
            "consistency.",
            *LINES,
        )
    )


def warnings(
    libraries: Libraries, old: str | None, asked: Override, type: str | None, words: Mapping[str, str]
) -> Iterator[str]:
    """What a switch breaks, one sentence each, in the language of the talk."""
    key = _trouble(libraries, old, asked, type)
    if key is not None:
        yield str(words[key]).format(library=asked.requested, type=type)


def _trouble(libraries: Libraries, old: str | None, asked: Override, type: str | None) -> str | None:
    new = asked.requested
    if new is None or new not in libraries:
        return None
    row = libraries[new]
    drawing = (old in libraries and libraries[old].use_case in ("image", "chart")) if old else False
    if new == "pandas" and (drawing or type in ("png", "jpg", "jpeg", "gif", "bmp", "svg")):
        return "warn_draws_not"
    if old == "openpyxl" and new == "pandas" and type in (None, "xlsx", "xlsm"):
        return "warn_rewrites"
    if asked.real == "xlsxwriter" and type in ("xlsx", "xlsm"):
        return "warn_opens_not"
    if new in ("reportlab", "fpdf") and type == "pdf":
        return "warn_edits_not"
    if {old, new} == {"Pillow", "matplotlib"}:
        return "warn_pixels"
    if old == "python-docx" and type in (None, "docx") and row.use_case != "docx":
        return "warn_docx"
    if type and row.writes and type not in row.writes:
        return "warn_type"
    return None
