"""One reply to several questions: "12-19 May, 2 adults, from Chicago".

What commas, lines and sentences part goes to the questions in their order, where there are as many parts as questions
and each part can answer its own; failing that, a time and a number go to the questions for them.
"""

from __future__ import annotations

import re

from holdfast.reading.asking import Expects, specific
from holdfast.reading.places import places
from holdfast.reading.reader import Reading, Span
from holdfast.reading.replying import LONG, PLACED, Fit, fits, might
from holdfast.reading.values import number_in

CHARACTERS = 600
"""Characters of such a reply."""
BREATH = 3
"""Words that may name a place nobody knows."""
PARTS = 8
"""Parts of a reply that are told apart."""

Asked = tuple[Expects, str, tuple[str, ...]]
"""What a question waits for, what it is about, and what it offers."""

_PARTING = re.compile(r"\s*(?:[,;\n]|[.!](?=\s|$)|\s-\s)+\s*")
_TIMES = ("day", "clock")
_STATE = re.compile(r", [A-Z]{2}\b")


def shares(reading: Reading, asked: list[Asked]) -> list[tuple[int, Fit]]:
    """Which of several questions a reply answers, and with what; nothing where it is one answer or none."""
    if "?" in reading.text or len(reading.text) > CHARACTERS:
        return []
    spans = _parts(reading)
    several = zip(spans, asked, strict=True) if 1 < len(spans) == len(asked) else ()
    found = [_fit(reading, span, question) for span, question in several]
    fitting = [(place, fit) for place, fit in enumerate(found) if fit is not None]
    return fitting if len(fitting) == len(asked) else _within_one(reading, asked)


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
        fit = might(said, expects, options, False, LONG)
    return fit._replace(span=(fit.span[0] + span[0], fit.span[1] + span[0])) if fit is not None else None


def _within_one(reading: Reading, asked: list[Asked]) -> list[tuple[int, Fit]]:
    """A time and a number in one breath, where both were asked for: "Friday 7pm for 3"."""
    when = [place for place, question in enumerate(asked) if question[1] == "when"]
    count = [place for place, question in enumerate(asked) if question[0] == "number"]
    if len(when) != 1 or len(count) != 1 or not reading.has(*_TIMES):
        return []
    times = [cue.span for family in _TIMES for cue in reading.all(family)]
    span = min(start for start, _ in times), max(end for _, end in times)
    number = number_in(reading, (span[1], len(reading.text))) or number_in(reading, (0, span[0]))
    if number is None:
        return []
    both = [(when[0], Fit(reading.words(span), span)), (count[0], Fit(reading.words(number.span), number.span))]
    return sorted(both)
