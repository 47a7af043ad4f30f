"""One reply to several questions: "12-19 May, 2 adults, from Chicago", "1. yes 2. no", "Friday 7pm for 3".

What commas, lines and sentences part goes to the questions in their order, where there are as many parts as questions
and each part can answer its own. Otherwise a part goes to the one question that it is of the kind of, and what could
answer any of several answers none.
"""

from __future__ import annotations

import re
from typing import NamedTuple

from holdfast.reading.asking import Expects, specific
from holdfast.reading.places import places
from holdfast.reading.reader import Reading, Span
from holdfast.reading.replying import LONG, PLACED, Fit, fits, might
from holdfast.reading.values import number_in

LONGEST = 60
"""Words of a reply to several questions."""
CHARACTERS = 600
"""Characters of such a reply."""
BREATH = 3
"""Words that may name a place nobody knows."""
PARTS = 8
"""Parts of a reply that are told apart."""

Asked = tuple[Expects, str, tuple[str, ...]]
"""What a question waits for, what it is about, and what it offers."""

_PARTING = re.compile(r"\s*(?:[,;\n]|[.!](?=\s|$)|\s-\s)+\s*")
_NUMBERED = re.compile(r"(?:^|(?<=[\s,;.]))\(?(\d|[a-h])[).:]\s*(?=\S)", re.MULTILINE)
_STATE = re.compile(r", [A-Z]{2}\b")
_TIMES = ("day", "clock")


class Part(NamedTuple):
    """A part of a reply, read for itself, and where it stands."""

    reading: Reading
    start: int


def shares(reading: Reading, asked: list[Asked]) -> list[tuple[int, Fit]]:
    """Which of several questions a reply answers, and with what; nothing where it is one answer or none. The reply must
    hold more than one answer, or it is read as a whole."""
    if "?" in reading.text or len(reading.text) > CHARACTERS:
        return []
    numbered = list(_NUMBERED.finditer(reading.folded))
    if len(numbered) > 1:
        return _by_number(reading, asked, numbered)
    spans = _parts(reading)
    if len(spans) < 2:
        return _within_one(reading, asked)
    parts = [Part(reading.reader.read(reading.text[a:b]), a) for a, b in spans]
    if len(parts) == len(asked):
        found = [_fit(part, question) for part, question in zip(parts, asked, strict=True)]
        if all(fit is not None for fit in found):
            return [(place, fit) for place, fit in enumerate(found) if fit is not None]
    return _by_kind(parts, asked)


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


def _by_number(reading: Reading, asked: list[Asked], marks: list[re.Match[str]]) -> list[tuple[int, Fit]]:
    """Answers that are numbered as the questions were."""
    ends = [mark.start() for mark in marks[1:]] + [len(reading.text)]
    found: list[tuple[int, Fit]] = []
    for mark, end in zip(marks, ends, strict=True):
        place = int(mark[1]) - 1 if mark[1].isdigit() else ord(mark[1]) - ord("a")
        words = reading.text[mark.end() : end].rstrip(" ,;\n")
        if not 0 <= place < len(asked) or not words:
            return []
        fit = _fit(Part(reading.reader.read(words), mark.end()), asked[place])
        whole = Fit(words.rstrip("."), (mark.end(), mark.end() + len(words)))
        found.append((place, fit or whole))
    return found


def _by_kind(parts: list[Part], asked: list[Asked]) -> list[tuple[int, Fit]]:
    """Each part to the one question that it is of the kind of."""
    taken: dict[int, Fit] = {}
    for part in parts:
        both = [(place, _moved(fit, part)) for place, fit in _within_one(part.reading, asked) if place not in taken]
        taken.update(both if len(both) > 1 else ())
    return sorted(taken.items())


def _fit(part: Part, question: Asked) -> Fit | None:
    """A part as the answer to a question, with its place in the whole reply."""
    expects, about, options = question
    said = part.reading
    if about in PLACED and len(said.tokens) > BREATH and not said.find(places):
        return None
    fit = fits(said, expects, about, options, True)
    if fit is None and not _tells_of_oneself(said) and (expects != "text" or not specific(about) or about == "price"):
        fit = might(said, expects, about, options, False, LONG)
    return _moved(fit, part) if fit is not None else None


def _tells_of_oneself(reading: Reading) -> bool:
    """Whether a part is a sentence about the speaker, and so no mere answer."""
    subjects = reading.phrases("question", "subjects")
    return any(reading.folded[start:end] in subjects for start, end in reading.tokens)


def _moved(fit: Fit, part: Part) -> Fit:
    start, end = fit.span
    return fit._replace(span=(start + part.start, end + part.start))


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
