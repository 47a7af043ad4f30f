"""Known values: tools, styles and habits whose name alone tells the slot they fill, whatever they are called.

They are rows of the tables (`[data.memory_terms]`); a pack's own table adds its own. Widths of indentation are made of
a number and a word, so they are read and not listed.
"""

from __future__ import annotations

import re
from functools import lru_cache
from itertools import chain
from typing import NamedTuple

from holdfast.reading.clauses import tokens
from holdfast.reading.reader import Reader, Reading, Span
from holdfast.reading.shapes import Shape
from holdfast.reading.tables import either
from holdfast.reading.text import fold
from holdfast.reading.values import trimmed

WIDEST = 8
"""Spaces of an indentation."""
_LONGEST = 4
"""Words of the longest value."""
_MOST_WORDS = 40
"""Words of a clause among which known values are looked for."""
JOIN = Shape(r"[,\s]+%memory.joins%\s+|,\s*")
"""What stands between the things of a list."""


class Term(NamedTuple):
    """A value that is known: the slot it fills, its usual spelling, and where it stands."""

    slot: str
    value: str
    span: Span


def term_at(reading: Reading, span: Span) -> Term | None:
    """The known value that a span begins with (small words before it skipped)."""
    start = trimmed(reading, span)[0] if span[1] > span[0] else span[0]
    skip = reading.phrases("memory", "skips")
    words = list(tokens(reading, start, span[1]))[: _LONGEST + 3]
    while words and reading.folded[words[0][0] : words[0][1]] in skip:
        if found := _term(reading, words, span):  # "на ты": the small word is part of the value
            return found
        words = words[1:]
    return _term(reading, words, span)


def term_in(reading: Reading, span: Span) -> Term | None:
    """The first known value anywhere in a span."""
    words = list(tokens(reading, *span))[:12]
    for place in range(len(words)):
        if found := _term(reading, words[place:], span):
            return found
    return None


def terms_in(reading: Reading, span: Span) -> list[Term]:
    """The known values anywhere in a span, in order, no word in two of them."""
    found: list[Term] = []
    words = list(tokens(reading, *span))[:_MOST_WORDS]
    for place, (start, _) in enumerate(words):
        if not found or start >= found[-1].span[1]:
            term = _term(reading, words[place:], span)
            found += [term] if term else []
    return found


def only_a_word(reading: Reading, term: Term, whole: Span, taste: bool) -> bool:
    """ "I want to go", "I like fish": names of tools that are words of everyday talk need the spelling of the tool, or
    a verb or a purpose that leaves no doubt."""
    typed, reader = reading.words(term.span), reading.reader
    if fold(typed) in reader.phrases("memory", "vague"):
        return taste  # "I want a short trip": only the manner of answering makes a style of it
    if fold(typed) not in reader.phrases("memory", "ambiguous"):
        return False
    if typed == term.value and not typed.islower():
        return False
    if fold(typed) in reader.phrases("memory", "spelled"):
        return True
    return taste and purpose(reading, (term.span[1], whole[1])) != term.slot


def purpose(reading: Reading, rest: Span) -> str:
    """The kind of tool that a purpose tells: "for testing", "as my editor"."""
    text = reading.folded[rest[0] : rest[1]]
    return next((slot for word, slot in reading.reader.made(_kinds) if word.search(text)), "") if text.strip() else ""


def _kinds(reader: Reader, language: str | None) -> list[tuple[re.Pattern[str], str]]:
    """What kinds of tools are called, and what decisions about them are said to be about."""
    kinds, subjects = reader.data("memory_kinds", language), reader.data("memory_subjects", language)
    slots = {str(name): slot for slot, name in subjects.items() if not slot.startswith("~")}
    called = [(re.compile(rf"\b{re.escape(word)}\b"), str(slot)) for word, slot in kinds.items()]
    about = [(word, slots[str(name)]) for word, name in subjects.items() if word.startswith("~") and name in slots]
    return called + [(re.compile(rf"(?:^|\s){word[1:]}"), slot) for word, slot in about]


@lru_cache(maxsize=16)
def known_terms(reader: Reader) -> dict[str, tuple[str, str]]:
    """Every spelling of every known value: its slot and its usual spelling."""
    terms: dict[str, tuple[str, str]] = {}
    tables = (reader.data("memory_terms", language) for language in reader.languages("memory_terms"))
    for slot, row in chain.from_iterable(table.items() for table in tables):
        for names in (value.split("=") for value in str(row).split("|")):
            for name in names:
                terms.setdefault(fold(name), (slot, names[0]))
    return terms


def kind_of(reader: Reader, value: str) -> str:
    """The slot of the known value that some words begin with: "PostgreSQL 16", "Redis with a replica"."""
    words, terms = fold(value).split(), known_terms(reader)
    found = (terms.get(" ".join(words[:size])) for size in range(min(_LONGEST, len(words)), 0, -1))
    return next((term[0] for term in found if term is not None), "")


def _term(reading: Reading, words: list[Span], span: Span) -> Term | None:
    if not words:
        return None
    start = words[0][0]
    if spaces := reading.reader.made(_spaces).match(reading.folded, start, span[1]):
        width = reading.reader.made(_widths).get(spaces[1], spaces[1])
        return Term("style/indentation", f"{width} spaces", spaces.span())
    terms = known_terms(reading.reader)
    for size in range(min(_LONGEST, len(words)), 0, -1):
        end = words[size - 1][1]
        known = terms.get(reading.folded[start:end])
        if known is not None:
            return Term(known[0], known[1], (start, end))
    return None


def _widths(reader: Reader, language: str | None) -> dict[str, int]:
    """Words for the numbers that an indentation can be wide."""
    counts = {**reader.data("numbers", language), **reader.data("memory_counts", language)}
    return {word: int(count) for word, count in counts.items() if 1 < count <= WIDEST}


def _spaces(reader: Reader, language: str | None) -> re.Pattern[str]:
    """ "4 spaces", "two-space"."""
    widths = either(reader.made(_widths, language))
    return re.compile(rf"(\d{{1,2}}|{widths})[ -]{either(reader.phrases('memory', 'spaces', language))}\b")
