"""Lists in an agent's reply: numbered and bulleted items, each with the name that opens it."""

from __future__ import annotations

import re
from typing import NamedTuple

from holdfast.reading.reader import Reading, Span

_ITEM = re.compile(r"(?:^|(?<=\s))(?:(?P<number>\d{1,2})[.)]|(?P<bullet>[-*•]))[ \t]+(?=\S)", re.MULTILINE)
_BOLD = re.compile(r"\*\*([^*\n]{1,120})\*\*")
_NAME_END = re.compile(r"\s[-–—:(·|]|[:(|\n]|\s{2,}|\.(?:\s|$)")


class ListItem(NamedTuple):
    """One item of a list: its place, its name, and all of its text."""

    place: int
    name: str
    name_span: Span
    span: Span


def list_items(reading: Reading) -> list[ListItem]:
    """The items of a reply's list, in order. Use as `reading.find(list_items)`."""
    text = reading.text
    marks = [m for m in _ITEM.finditer(text) if m["number"] or m.start() == 0 or text[m.start() - 1] == "\n"]
    numbered = [m for m in marks if m["number"]]
    if numbered and [int(m["number"]) for m in numbered] == list(range(1, len(numbered) + 1)):
        marks = numbered
    else:
        marks = [m for m in marks if m["bullet"]]
    found = []
    for place, mark in enumerate(marks, start=1):
        end = marks[place].start() if place < len(marks) else len(text)
        span = mark.end(), end
        name_span = _name(text, *span)
        if name_span[1] > name_span[0]:
            found.append(ListItem(place, text[slice(*name_span)], name_span, span))
    return found


def _name(text: str, start: int, end: int) -> Span:
    if bold := _BOLD.match(text, start, end):
        return bold.span(1)
    stop = _NAME_END.search(text, start, end)
    name_end = stop.start() if stop else end
    while name_end > start and text[name_end - 1].isspace():
        name_end -= 1
    return start, min(name_end, start + 120)
