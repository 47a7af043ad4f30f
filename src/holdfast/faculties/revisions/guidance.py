"""What a specialist is told of the library in force, in the words of the document, and what a switch would break."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from typing import Literal, NamedTuple

import msgspec

from holdfast.reading.libraries.code import Libraries, Library
from holdfast.reading.libraries.overrides import Override

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


class _Switch(NamedTuple):
    """A change of library in a file of some type."""

    old: str
    new: str
    real: str
    type: str
    row: Library
    drew: bool
    """Whether the old library is one for images or charts."""


_IMAGES = ("png", "jpg", "jpeg", "gif", "bmp", "svg")
_SHEETS = ("xlsx", "xlsm")
_TROUBLES: tuple[tuple[str, Callable[[_Switch], bool]], ...] = (
    ("warn_draws_not", lambda s: s.new == "pandas" and (s.drew or s.type in _IMAGES)),
    ("warn_rewrites", lambda s: (s.old, s.new) == ("openpyxl", "pandas") and s.type in ("", *_SHEETS)),
    ("warn_opens_not", lambda s: s.real == "xlsxwriter" and s.type in _SHEETS),
    ("warn_edits_not", lambda s: s.new in ("reportlab", "fpdf") and s.type == "pdf"),
    ("warn_pixels", lambda s: {s.old, s.new} == {"Pillow", "matplotlib"}),
    ("warn_docx", lambda s: s.old == "python-docx" and s.type in ("", "docx") and s.row.use_case != "docx"),
    ("warn_type", lambda s: bool(s.type and s.row.writes) and s.type not in s.row.writes),
)
"""What a switch breaks: the first of these that applies is told."""


def warnings(
    libraries: Libraries, old: str | None, asked: Override, type: str | None, words: Mapping[str, str]
) -> Iterator[str]:
    """What a switch breaks, one sentence each, in the language of the talk."""
    new = asked.requested or ""
    if new in libraries:
        drew = old in libraries.rows and libraries[old].use_case in ("image", "chart") if old else False
        switch = _Switch(old or "", new, asked.real, type or "", libraries[new], drew)
        for key in [key for key, applies in _TROUBLES if applies(switch)][:1]:
            yield str(words[key]).format(library=new, type=type)
