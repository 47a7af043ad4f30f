"""Words, clauses and sentences around a place in a message."""

from __future__ import annotations

import re
from collections.abc import Iterator

from holdfast.reading.reader import Reading, Span
from holdfast.reading.shapes import Shape
from holdfast.reading.standing import sentences
from holdfast.reading.values import trimmed

_WORD = re.compile(r"[\w+#@/'&-]+(?:\.[\w+#-]+)*")
_CLAUSE = Shape(r"[,;:()\n\"]|\s-\s|(?<![.!?])[.!?]++(?=\s|$)|\s%memory.turns%\s")


def short(reading: Reading, span: Span) -> Span:
    """A value without what follows it for a purpose: "Zed for everything" is Zed."""
    span = trimmed(reading, span)
    cuts = reading.phrases("memory", "cuts")
    for start, end in tokens(reading, *span):
        if start > span[0] and reading.folded[start:end] in cuts:
            return span[0], start - 1
    return span


def clause(reading: Reading, start: int) -> int:
    """The end of the clause, where "just" and "only" are no "but"."""
    text = reading.folded
    hit = reading.reader.made(_CLAUSE).search(text, start)
    return hit.start() if hit else len(text)


def sentence(reading: Reading, place: int) -> Span:
    """The sentence that a place is in."""
    for start, end in reading.find(sentences):
        if start <= place < end:
            return start, end
    return 0, len(reading.text)


def tokens(reading: Reading, start: int, end: int) -> Iterator[Span]:
    """The words of a span, names like "node.js" and "c++" whole."""
    for token in _WORD.finditer(reading.folded, start, end):
        yield token.span()


def first(reading: Reading, span: Span) -> str:
    """The first word of a span."""
    return next((reading.folded[a:b] for a, b in tokens(reading, *span)), "")


def count(reading: Reading, span: Span) -> int:
    """How many words a span has."""
    return sum(1 for _ in tokens(reading, *span))
