"""Rows of data as people type them: "jan 4200, feb 3900", "week 1 84.2", "rent: 900€", "12 apples, 7 pears", or numbers
alone."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from itertools import pairwise

from holdfast.agents.making.asked import ACTS, roles
from holdfast.agents.making.scenes import MAX_PARTS, QUOTES, reader
from holdfast.reading.model.tokens import Token, tokens_of
from holdfast.reading.reader import Reading, Span
from holdfast.reading.shapes import Shape as Form
from holdfast.reading.text import fold

Row = tuple[str, float]
_NUMBER = re.compile(
    r"(?<![\w.,])[$€£₽]?(-?(?:\d{1,3}(?:[.,]\d{3})+(?:[.,]\d{1,2})?|\d{1,9}(?:[.,]\d{1,4})?))(?:[%€$£₽]|(k)\b)?(?!\w|[.,]\d)"
)
_PARTED = Form(r"[;\n]|,(?!\d)|[.!?](?:\s|$)| %joints.between% ")
_ROW = re.compile(r"\d,\d+(?:,\d)+")
_COUNTS = re.compile(r"\d[\d.,]*\s+[^\W\d_]+\s*$")
_LETTERS = re.compile(r"(?:^|[\s,;:])[^\W\d_] ?[:=]? ?\d")
MIN_RUN = 3
"""Numbers in a row without words between them that have no names."""


def given(reading: Reading) -> list[Row]:
    """The numbers that a request brings, each with its name; those that have none are called A, B, C."""
    named, bare = told(reading)
    return named or [(chr(ord("A") + place), number) for place, number in enumerate(bare[:26]) if len(bare) > 1]


def told(reading: Reading) -> tuple[list[Row], list[float]]:
    """The rows of a request that have names, and the numbers that have none."""
    named, bare = list[Row](), list[float]()
    text = _ROW.sub(lambda hit: hit[0].replace(",", ", "), reading.text)
    parts = reader().made(_PARTED).split(text)[: 2 * MAX_PARTS]
    counts = sum(_COUNTS.search(piece) is not None for piece in parts) > 1
    for piece in parts:
        rows = list(_in_piece(piece, reading, counts))
        named += [row for row in rows if row[0]]
        bare += [number for name, number in rows if not name]
    named, bare = (named, bare) if named else _named_before(bare, parts)
    if len(named) == 1 and len(bare) > 1:  # "plot my sleep: 7, 6.5, 8"
        named, bare = [], [named[0][1], *bare]
    return named[:MAX_PARTS], bare[:MAX_PARTS]


def _named_before(bare: list[float], parts: Sequence[str]) -> tuple[list[Row], list[float]]:
    """The only number with the name in the part before it: "add a row for tyres, 280"."""
    name = _before(parts) if len(parts) > 1 and len(bare) == 1 else ""
    return ([(name, bare[0])], []) if name else ([], bare)


def _before(parts: Sequence[str]) -> str:
    """The name in the part before one that is nothing but a number."""
    places = [n for n, part in enumerate(parts) if n and _NUMBER.fullmatch(part.strip(" ."))]
    before = parts[places[0] - 1] if len(places) == 1 else ""
    return name_of(before) if before and not _NUMBER.search(before) else ""


def _in_piece(piece: str, reading: Reading, counts: bool) -> Iterator[Row]:
    """The rows between two commas; `counts` says that numbers stand before their names."""
    letters = len(_LETTERS.findall(reading.text)) > 1
    hits = list(_NUMBER.finditer(piece))
    gaps = _gaps(piece, hits)
    if not hits or _refused(gaps[0]):
        return
    names, numbers = [name_of(gap, letters) for gap in gaps], [_value(hit, reading) for hit in hits]
    if _is_numbered(names, gaps[0]):
        yield from [(f"{names[0]} {hits[0][1]}", numbers[1])] if names[0] else _nameless(numbers)
    elif _is_run(names):
        yield from _nameless(numbers)
    elif counts and _is_behind(names):
        yield names[1], numbers[0]
    else:
        yield from _side_by_side(names, numbers, gaps)


def _gaps(piece: str, hits: list[re.Match[str]]) -> list[str]:
    """What stands before, between and behind the numbers."""
    places = [0, *(place for hit in hits for place in hit.span()), len(piece)]
    return [piece[a:b] for a, b in pairwise(places)][::2]


def _is_numbered(names: list[str], first: str) -> bool:
    """Whether the first of two numbers belongs to the name: "week 1 84.2", "week 1 is 84.2"."""
    return len(names) == 3 and not names[1] and bool(first.strip())


def _is_run(names: list[str]) -> bool:
    """Whether several numbers follow each other without words between them."""
    return len(names) > MIN_RUN and not any(names[1:-1])


def _nameless(numbers: list[float]) -> list[Row]:
    return [("", number) for number in numbers]


def _is_behind(names: list[str]) -> bool:
    """Whether the name stands behind the only number: "12 apples"."""
    return len(names) == 2 and bool(names[1]) and not names[0]


def _side_by_side(names: list[str], numbers: list[float], gaps: list[str]) -> Iterator[Row]:
    rows = zip(names, numbers, gaps, strict=False)
    return ((name, number) for name, number, gap in rows if not _refused(gap))


def _refused(before: str) -> bool:
    """Whether a number is said not to be: "not 5"."""
    said = reader().read(before).find(tokens_of)
    return bool(said) and "refused" in roles(said[-1])


def _value(hit: re.Match[str], reading: Reading) -> float:
    digits, thousands = hit[1], (reading.language and reading.data("joints").get("thousands")) or ","
    last = max(digits.rfind(","), digits.rfind("."))
    parts = len(digits) - last == 4 and (digits[last] == thousands or digits.count(digits[last]) > 1)
    if last >= 0 and not parts:
        digits = digits[:last].replace(",", "").replace(".", "") + "." + digits[last + 1 :]
    else:
        digits = digits.replace(",", "").replace(".", "")
    return float(digits) * (1000 if hit[2] else 1)


def name_of(said: str, letters: bool = False) -> str:
    """The name in the words before a number, without the request around it: of "add a row: cinema" and "chart of y
    apples" the name is left, of "we are" and "make it" nothing."""
    said = said.rstrip(" :=-–—→\t")
    said = said.rpartition(":")[2] if ":" in said else said
    part = reader().read(said)
    leads = sorted(_leads(part))
    behind = bare(said[max((end for _, end in leads), default=0) :], letters)
    return behind or (bare(said[: leads[0][0]]) if leads else "")  # "rent should be changed to"


def _leads(part: Reading) -> Iterator[Span]:
    """Words that lead to a name and are no part of it: verbs, the kind of thing that is made, "of", "for"."""
    tokens = [token for token in part.find(tokens_of) if token.shape != "."]
    yield from ((token.start, token.end) for token in tokens if _leading(token))
    cues = (*part.all("act"), *part.all("kind"), *part.all("part"))
    yield from (cue.span for cue in cues if cue.start or cue.end < len(part.text.rstrip()))


def _leading(token: Token) -> bool:
    lead = reader().phrases("maker_lead", "words")
    return bool(roles(token) & {*ACTS, "say"}) or "requestverb" in token.kinds or fold(token.word) in lead


def bare(name: str, letters: bool = False) -> str:
    """A name without the small words around it: of "y Arequipa" and "alcohol to" the name is left."""
    tokens = [token for token in reader().read(name).find(tokens_of) if token.shape != "."]
    if not (letters and len(name.strip()) == 1):
        while tokens and _small(tokens[0]):
            del tokens[0]
        while tokens and _small(tokens[-1]):
            del tokens[-1]
    return name[tokens[0].start : tokens[-1].end].strip(QUOTES) if tokens else ""


def _small(token: Token) -> bool:
    edges = reader().phrases("maker_lead", "edges")
    return fold(token.word) in edges or bool(roles(token) & {"small", "link", "be"})


def called(said: str, names: Sequence[str]) -> list[int]:
    """Which of some names a text says: in so many words, else in another form ("бумагу", "wednesday" for "wed")."""
    exact = [n for n, name in enumerate(names) if _says(said, name)]
    words = _WORDS.findall(fold(said))
    return exact or [n for n, name in enumerate(names) if all(any(alike(p, w) for w in words) for p in _long(name))]


SHORT_WORD = 5
_WORDS = re.compile(r"\w+")


def _says(said: str, name: str) -> bool:
    """Whether a text says a name; the row "A" is not meant by "a row"."""
    plain, words = (f" {' '.join(_WORDS.findall(fold(text)))} " for text in (said, name))
    return words in plain and (len(name) > 1 or name in said)


def _long(name: str) -> list[str]:
    return [word for word in _WORDS.findall(fold(name)) if len(word) > 2 or word.isdigit()] or [name]


def alike(name: str, word: str) -> bool:
    """Whether a word is a form of a name: all but its end is the same."""
    longest = max(len(name), len(word))
    shared = next((n for n, (a, b) in enumerate(zip(name, word, strict=False)) if a != b), min(len(name), len(word)))
    return shared >= max(3, longest - (1 if longest <= SHORT_WORD else 2)) or shared == len(name) > 1 + (
        len(word) <= SHORT_WORD - 1
    )
