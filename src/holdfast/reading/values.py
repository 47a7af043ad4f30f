"""Values in text: numbers with their units, and values cut free of courtesies."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import NamedTuple

from holdfast.reading.reader import Reading, Span, touches
from holdfast.reading.spoken import spoken
from holdfast.reading.text import fold, later

_NUMBER = later(
    r"(?<![\w.,])([$€£₽]?)(-?(?:\d{1,3}(?:[.,]\d{3}){1,3}(?:[.,]\d{1,2})?(?!\d|[.,]\d)|\d{1,12}(?:[.,]\d{1,6})?))\s?([\w$€%°\"'/]{0,12})"
)
_MONEY = ("$", "€", "£", "₽")
EMAIL = later(r"[\w.+-]{1,64}@[\w-]{1,63}(?:\.[\w-]{1,63}){1,4}")
PHONE = later(r"\+?\(?\d[\d ().-]{5,18}\d")
_EDGES = " \t\n.,;:!?\"'()[]*"


MAX_VALUE_CHARS = 300
"""Characters of a value from which courtesies are cut; anything longer is no value."""


class Number(NamedTuple):
    """A number in the text, with its unit where one stands beside it."""

    value: float
    unit: str | None
    span: Span


def numbers(reading: Reading) -> list[Number]:
    """The numbers of a message, in digits and in words. Use as `reading.find(numbers)`."""
    found = [_typed(reading, m) for m in _NUMBER.finditer(reading.folded)]
    found += _in_words(reading, {number.span[1] + 1 for number in found})
    found = [_and_a_half(reading, number) for number in found]
    for words, amount in reading.data("amounts").items():
        for start, end in whole_words(reading.folded, words)[:1]:
            size, _, unit = str(amount).partition(" ")
            found = [number for number in found if not start <= number.span[0] < end]
            found.append(Number(float(size), unit or None, (start, end)))
    return sorted(found, key=lambda number: number.span)


def _in_words(reading: Reading, ends: set[int]) -> Iterator[Number]:
    """Numbers in words. One that begins at one of these ends may belong to digits: the "thousand" of "5 thousand"."""
    text, tokens = reading.folded, reading.tokens
    units, scales, minus = reading.data("units"), reading.data("scales"), reading.phrases("joints", "minus")
    for value, span, last in reading.find(spoken):
        if span[0] not in ends or reading.said(span) not in scales:
            after = tokens[last + 1] if last + 1 < len(tokens) else (0, 0)
            below = text[max(0, span[0] - 12) : span[0]].split()[-1:]
            yield Number(value if minus.isdisjoint(below) else -value, units.get(reading.said(after)), span)


def whole_words(text: str, words: str) -> list[Span]:
    """Where some words stand in a text, and are no part of a longer one."""
    return [m.span() for m in re.finditer(rf"(?<![^\W_]){re.escape(words)}(?![^\W_])", text)] if words in text else []


def _typed(reading: Reading, m: re.Match[str]) -> Number:
    """A number in digits: with the sign of money or the unit beside it, its thousands parted, its scale ("3k")."""
    units, signs, scales = reading.data("units"), reading.data("signs"), reading.data("scales")
    money, digits, beside = m[1], m[2], m[3]
    value = _value(digits, str(reading.data("joints").get("thousands", "")))
    scale = scales.get(beside, 1)
    if scale > 1:
        value *= scale
        follows = reading.folded[m.end() : m.end() + 16].split()[:1]
        beside = follows[0].strip(".,!?") if follows else ""
    unit = money or (beside if beside in _MONEY else None) or signs.get(beside) or units.get(beside)
    return Number(value, unit, (m.start(1), m.end(2)))


def _value(digits: str, mark: str) -> float:
    """The value of digits with marks in them: of two or more only the last can be that of decimals, and of one only
    the language tells whether it parts thousands."""
    if digits.isdigit():
        return float(digits)
    head, last, tail = digits.rpartition(",") if digits.rfind(",") > digits.rfind(".") else digits.rpartition(".")
    if not last:
        return float(digits)
    whole = head.replace(",", "").replace(".", "")
    thousands = len(tail) == 3 and (len(whole) < len(head) or (last == mark and head not in ("0", "-0")))
    return float(whole + tail if thousands else f"{whole}.{tail}")


def number_in(reading: Reading, span: Span) -> Number | None:
    """The first number that begins in a span, of several the first that is no time: "at half past 8, and 6 of us"."""
    found = [number for number in reading.find(numbers) if span[0] <= number.span[0] < span[1]]
    clocks = [cue.span for cue in reading.all("clock")] if len(found) > 1 else []
    return next((number for number in found if not touches(number.span, clocks)), found[0] if found else None)


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
    return [m.span() for m in EMAIL.finditer(reading.text)] if "@" in reading.text else []


def trimmed(reading: Reading, span: Span) -> Span:
    """A value without the courtesies and small words around it ("sushi please" → "sushi")."""
    ends, starts = reading.phrases("trim", "ends"), reading.phrases("trim", "starts")
    start, end = span
    while True:
        piece = reading.folded[start:end]
        start += len(piece) - len(piece.lstrip(_EDGES))
        piece = piece.strip(_EDGES)
        end = start + len(piece)
        words = piece.split(" ") if len(piece) <= MAX_VALUE_CHARS else []
        # A courtesy has three words at most: look those up rather than trying every courtesy there is.
        for count in range(min(3, len(words) - 1), 0, -1):
            if (tail := " ".join(words[-count:])) in ends:
                end -= len(tail)
                break
        else:
            for count in range(min(3, len(words) - 1), 0, -1):
                if (head := " ".join(words[:count])) in starts:
                    start += len(head)
                    break
            else:
                return start, end


def standing_alone(reading: Reading, slot: str, words: str) -> str:
    """A value in the form in which it stands alone, where its ending leaves no doubt; else as it was said. Only a name
    of one word is turned: in a longer one, other words may have to change as well."""
    if " " in words or slot not in reading.data("memory_forms"):
        return words
    for row in str(reading.data("memory_forms")[slot]).split("|"):
        ending, _, alone = row.partition("=")
        if fold(words).endswith(ending):
            return words[: len(words) - len(ending)] + _cased(alone, words[len(words) - len(ending) :])
    return words


def _cased(new: str, old: str) -> str:
    """The new ending in the letters of the old one: "ЯНДЕКСЕ" stays loud."""
    if old.isupper():
        return new.upper()
    return new.capitalize() if old[:1].isupper() else new
