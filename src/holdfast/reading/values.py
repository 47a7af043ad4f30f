"""Values in text: numbers with their units, and values cut free of courtesies."""

from __future__ import annotations

import re
from typing import NamedTuple

from holdfast.reading.reader import Reading, Span
from holdfast.reading.spoken import spoken

_NUMBER = re.compile(r"(?<![\w.,])([$€£₽]?)(-?\d{1,12}(?:[.,]\d{1,6})?)\s?([\w$€%°\"'/]{0,12})")
_EMAIL = re.compile(r"[\w.+-]{1,64}@[\w-]{1,63}(?:\.[\w-]{1,63}){1,4}")
_EDGES = " \t\n.,;:!?\"'()[]*"


LONGEST = 300
"""Characters of a value from which courtesies are cut; anything longer is no value."""


class Number(NamedTuple):
    """A number in the text, with its unit where one stands beside it."""

    value: float
    unit: str | None
    span: Span


def numbers(reading: Reading) -> list[Number]:
    """The numbers of a message, in digits and in words. Use as `reading.find(numbers)`."""
    text = reading.folded
    units, signs = reading.data("units"), reading.data("signs")
    found = [
        Number(
            float(m[2].replace(",", ".")),
            "$" if m[1] == "$" else m[1] or signs.get(m[3]) or units.get(m[3]),
            (m.start(1), m.end(2)),
        )
        for m in _NUMBER.finditer(text)
    ]
    found = [_and_a_half(reading, number) for number in found]
    tokens = reading.tokens
    for value, span, last in reading.find(spoken):
        after = tokens[last + 1] if last + 1 < len(tokens) else (0, 0)
        found.append(_and_a_half(reading, Number(value, units.get(text[after[0] : after[1]]), span)))
    return sorted(found, key=lambda number: number.span)


def number_in(reading: Reading, span: Span) -> Number | None:
    """The first number that begins in a span."""
    return next((number for number in reading.find(numbers) if span[0] <= number.span[0] < span[1]), None)


def _and_a_half(reading: Reading, number: Number) -> Number:
    """ "Two and a half hours", "две с половиной", "2 horas y media"."""
    rest = reading.folded[number.span[1] : number.span[1] + 24].split(" ")
    if "" in rest[:1]:
        rest = rest[1:]
    for skip in (0, 1):
        for half in reading.phrases("joints", "half"):
            said = " ".join(rest[skip:])
            if said.startswith(half) and not said[len(half) : len(half) + 1].isalnum():
                after = said[len(half) :].split()
                unit = number.unit or (reading.data("units").get(after[0].strip(".,")) if after else None)
                return Number(number.value + 0.5, unit, number.span)
    return number


def emails(reading: Reading) -> list[Span]:
    """The mail addresses of a message. Use as `reading.find(emails)`."""
    return [m.span() for m in _EMAIL.finditer(reading.text)] if "@" in reading.text else []


def trimmed(reading: Reading, span: Span) -> Span:
    """A value without the courtesies and small words around it ("sushi please" → "sushi")."""
    ends, starts = reading.phrases("trim", "ends"), reading.phrases("trim", "starts")
    text = reading.folded
    start, end = _without_edges(text, *span)
    while start < end and end - start <= LONGEST:
        words = text[start:end].split(" ")
        # A courtesy has three words at most: look those up rather than trying every courtesy there is.
        tail = next((t for n in (3, 2, 1) if n < len(words) and (t := " ".join(words[-n:])) in ends), None)
        head = next((h for n in (3, 2, 1) if n < len(words) and (h := " ".join(words[:n])) in starts), None)
        if tail is not None:
            start, end = _without_edges(text, start, end - len(tail))
        elif head is not None:
            start, end = _without_edges(text, start + len(head), end)
        else:
            break
    return start, max(start, end)


def _without_edges(text: str, start: int, end: int) -> Span:
    piece = text[start:end]
    start += len(piece) - len(piece.lstrip(_EDGES))
    return start, start + len(piece.strip(_EDGES))
