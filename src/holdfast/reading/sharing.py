"""One reply to several questions: "12-19 May, 2 adults, from Chicago".

What commas, lines and sentences part goes to the questions in their order, where there are as many parts as questions
and each part can answer its own.
"""

from __future__ import annotations

import re

from holdfast.reading.asking import Expects, specific
from holdfast.reading.places import places
from holdfast.reading.reader import Reading, Span
from holdfast.reading.replying import LONG, PLACED, Fit, fits, might

CHARACTERS = 600
"""Characters of such a reply."""
BREATH = 3
"""Words that may name a place nobody knows."""
PARTS = 8
"""Parts of a reply that are told apart."""

Asked = tuple[Expects, str, tuple[str, ...]]
"""What a question waits for, what it is about, and what it offers."""

_PARTING = re.compile(r"\s*(?:[,;\n]|[.!](?=\s|$)|\s-\s)+\s*")
_STATE = re.compile(r", [A-Z]{2}\b")


def shares(reading: Reading, asked: list[Asked]) -> list[tuple[int, Fit]]:
    """Which of several questions a reply answers, and with what; nothing where it is not an answer to each of them."""
    if "?" in reading.text or len(reading.text) > CHARACTERS:
        return []
    spans = _parts(reading)
    if not 1 < len(spans) == len(asked):
        return []
    found = [_fit(reading, span, question) for span, question in zip(spans, asked, strict=True)]
    fitting = [(place, fit) for place, fit in enumerate(found) if fit is not None]
    return fitting if len(fitting) == len(asked) else []


def _parts(reading: Reading) -> list[Span]:
    found: list[Span] = []
    place = 0
    named = [p.span for p in reading.find(places)] if "," in reading.text else []
    for mark in _PARTING.finditer(reading.text):
        if mark[0] in (",", ".") and reading.text[mark.end() : mark.end() + 1].isdigit():
            continue  # "10,000"
        if any(start < mark.start() < end for start, end in named) or _STATE.match(reading.text, mark.start()):
            continue  # "Fresno, CA"
        found.append((place, mark.start()))
        place = mark.end()
    found.append((place, len(reading.text)))
    return [span for span in found if span[1] > span[0]][: PARTS + 1]


def _fit(reading: Reading, span: Span, question: Asked) -> Fit | None:
    """A part as the answer to a question, with its place in the whole reply."""
    expects, about, options = question
    said = reading.reader.read(reading.words(span))
    if about in PLACED and len(said.tokens) > BREATH and not said.find(places):
        return None
    fit = fits(said, expects, about, options, True)
    if fit is None and (expects != "text" or not specific(about) or about == "price"):
        fit = might(said, expects, about, options, False, LONG)
    return fit._replace(span=(fit.span[0] + span[0], fit.span[1] + span[0])) if fit is not None else None
