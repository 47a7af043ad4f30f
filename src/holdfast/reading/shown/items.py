"""The items of a reply's lists and tables.

A list may be numbered, lettered or bulleted, stand on one line or many, and come more than once in a reply. The
patterns here are fixed and without nested choices, so the standard library's matcher stays linear.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import NamedTuple

from holdfast.reading.facts import EDGES
from holdfast.reading.naming import BOLD, QUOTED, Naming, bare, is_title, trimmed
from holdfast.reading.reader import Reading, Span
from holdfast.reading.text import later

MAX_ITEMS = 50
"""Items that are read from one reply."""
NAME = 120
"""Characters of the longest name."""

_NUMBERED = later(
    r"(?P<lead>^[ \t]*|(?<=\s))(?:\*\*)?\(?(?P<number>\d{1,2})(?:[.)]|️?⃣)(?:\*\*)?[ \t]+(?=\S)", re.MULTILINE
)
_LETTERED = later(r"^[ \t]*\(?(?P<letter>[^\W\d_])[.)][ \t]+(?=\S)", re.MULTILINE)
_BULLET = later(r"^(?P<indent>[ \t]*)[-*•–·▪►][ \t]+(?=\S)", re.MULTILINE)
_ROW = later(r"^[ \t]*\|(?P<cells>[^\n]*)\|[ \t]*$", re.MULTILINE)
_RULE = later(r"^[\s|:-]*$")
HEADING = later(r"^[ \t]*(?:#{1,6}[ \t]+(?P<hash>[^\n]{1,120})|(?P<colon>[^\n|]{1,80}):)[ \t*]*$", re.MULTILINE)
_BLANK = later(r"\n[ \t]*\n[ \t]*(?=[^\s\d•*|-])")
_STOP = later(r"[.!?](?:\s|$)|\n")
_ID_FIRST = later(r"ID: ?\S{1,80}[\s,:–—-]+(?=\S)")


class ListItem(NamedTuple):
    """One item of a list: its place, its name, all of its text, the heading over the list, the list's number, and of a
    table row the titles of its columns."""

    place: int
    name: str
    name_span: Span
    span: Span
    heading: str = ""
    list: int = 0
    titles: str = ""
    counted: str = ""
    """By what its list counts: "letter", or nothing special."""


class _Mark(NamedTuple):
    start: int
    end: int
    place: int
    kind: str
    titles: str = ""


def list_items(reading: Reading) -> list[ListItem]:
    """The items of a reply's lists and tables, in the order of the text. Use as `reading.find(list_items)`."""
    text, naming = reading.text, reading.reader.made(Naming)
    marks = _marks(text, naming)
    headings = [(m.end(), (m["hash"] or m["colon"]).strip(EDGES)) for m in HEADING.finditer(text)] if marks else []
    found: list[ListItem] = []
    lists = 0
    for number, mark in enumerate(marks[:MAX_ITEMS]):
        lists += mark.place == 1
        end = marks[number + 1].start if number + 1 < len(marks) else len(text)
        end = _item_end(text, mark.end, end, mark.kind, naming)
        name_span = _cell(text, mark.end, end) if mark.kind == "row" else _opening(reading, mark.end, end, naming)
        if name_span[1] > name_span[0]:
            over = next((h for place, h in reversed(headings) if place <= mark.start), "")
            name = text[slice(*name_span)]
            found.append(ListItem(mark.place, name, name_span, (mark.end, end), over, lists, mark.titles, mark.kind))
    return found


def last_list(reading: Reading) -> list[ListItem]:
    """The items of the last list of a reply."""
    items = reading.find(list_items)
    return [item for item in items if item.list == items[-1].list]


def asks_after(text: str, start: int, end: int) -> bool:
    """Whether a question follows a name in its line: "**Dates** – when will you go?", but not "Osteria. Which one?"."""
    mark = text.find("?", start, end)
    return mark > 0 and _STOP.search(text, start, mark) is None and any(map(str.isalpha, text[start:mark]))


def bold_before(text: str, start: int) -> bool:
    """Whether bold type is on there: "**Osteria**", "**1. Osteria**"."""
    line = text.rfind("\n", 0, start) + 1
    return text[max(0, start - 2) : start] in ("**", "__") or text.count("**", line, start) % 2 == 1


def _marks(text: str, naming: Naming) -> list[_Mark]:
    """Where items begin. Numbers must count up from one; bullets under a numbered item are its details."""
    marks = list(_numbers(text)) or list(_letters(text)) or list(_bullets(text, naming))
    if "|" in text:
        marks += _rows(text, naming)
    if marks and "```" in text:
        marks = [mark for mark in marks if text.count("```", 0, mark.start) % 2 == 0]  # what code holds is no list
    return sorted(marks)


def _numbers(text: str) -> Iterator[_Mark]:
    chain: list[_Mark] = []
    for m in _NUMBERED.finditer(text):
        number = int(m["number"])
        if ")" in m[0] and "(" not in m[0] and _in_brackets(text, m.start("number")):
            continue  # "(May 2)", but not "(2) …"
        opens = m.start() == 0 or text[m.start() - 1] == "\n"
        mark = _Mark(m.start(), m.end(), number, "line" if opens else "inline")
        if chain and number == chain[-1].place + 1:
            chain.append(mark)
        elif number == 1:
            yield from _whole(chain)
            chain = [mark]
    yield from _whole(chain)


def _in_brackets(text: str, place: int) -> bool:
    """Whether a bracket is open there, a little way back in the line."""
    before = text[max(0, place - 60, text.rfind("\n", 0, place) + 1) : place]
    return before.rfind("(") > before.rfind(")")


def _whole(chain: list[_Mark]) -> list[_Mark]:
    """A chain that is a list: one number in the middle of a line is none."""
    return chain if len(chain) > 1 or (chain and chain[0].kind == "line") else []


def _letters(text: str) -> list[_Mark]:
    """Lines that count in letters: "A. Osteria", "B. Vedge"."""
    found = list(_LETTERED.finditer(text)) if "\n" in text else []
    letters = [ord(m["letter"].casefold()) for m in found]
    lettered = len(found) > 1 and letters == list(range(letters[0], letters[0] + len(letters)))
    return [_Mark(m.start(), m.end(), place, "letter") for place, m in enumerate(found, start=1)] if lettered else []


def _bullets(text: str, naming: Naming) -> list[_Mark]:
    """The outermost bullets that hold no detail of something else."""
    found = [m for m in _BULLET.finditer(text) if not naming.detail(text, m.end())]
    least = min((len(m["indent"]) for m in found), default=0)
    outer = (m for m in found if len(m["indent"]) == least)
    return [_Mark(m.start(), m.end(), place, "bullet") for place, m in enumerate(outer, start=1)]


def _rows(text: str, naming: Naming) -> Iterator[_Mark]:
    """The rows of a table; those of a timetable, or of one that compares its columns, are none."""
    rows = list(_ROW.finditer(text))
    place, titles, skipped = 0, "", False
    for number, row in enumerate(rows):
        follows = rows[number + 1] if number + 1 < len(rows) else None
        if _RULE.match(row["cells"]):
            continue  # the rule under a header
        if follows and _RULE.match(follows["cells"]):
            place, titles = 0, row["cells"]
            title = titles.partition("|")[0].strip()
            skipped = not title or bare(title) in naming.compared | naming.scheduled
        elif not skipped:
            place += 1
            yield _Mark(row.start(), row.start("cells"), place, "row", titles)


def _item_end(text: str, start: int, end: int, kind: str, naming: Naming) -> int:
    """An item ends before the next one; the last one before a new paragraph, unless an id still follows there."""
    if kind == "row":
        return min(end, text.find("\n", start) if "\n" in text[start:end] else end)
    gap = _BLANK.search(text, start, end)
    if gap and naming.id_near.search(text, gap.end(), min(end, gap.end() + 60)) is None:
        return gap.start()
    return end


def _cell(text: str, start: int, end: int) -> Span:
    """The first cell of a table row that is a name and no number."""
    place = start
    for cell in text[start:end].split("|"):
        span = trimmed(text, place, place + len(cell))
        if any(char.isalpha() for char in text[slice(*span)]):
            return span
        place += len(cell) + 1
    return start, start


def _opening(reading: Reading, start: int, end: int, naming: Naming) -> Span:
    """The name that opens an item: its bold or quoted text, else its words up to the first mark."""
    text = reading.text
    if identified := _ID_FIRST.match(text, start, end):
        start = identified.end()
    while start < end and not (text[start].isalnum() or text[start] in "*_[\"'“«`<"):
        start += 1  # an emoji before the name
    marked = BOLD.match(text, start, end) or QUOTED.match(text, start, end)
    if marked:
        return trimmed(text, *marked.span(marked.lastindex or 0))
    for closing, opened in (("**", bold_before(text, start)), ("]", text[start : start + 1] == "[")):
        close = text.find(closing, start, min(end, start + NAME)) if opened else -1
        if close > 0:
            return trimmed(text, start, close)
    stops = naming.end.finditer(text, start, min(end, start + NAME + 2))
    stop = next((m.start() for m in stops if m[0] != "." or not is_title(reading, m.start())), end)
    return trimmed(text, start, min(stop, start + NAME))
