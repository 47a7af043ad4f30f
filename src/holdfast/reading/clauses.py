"""Where a value ends: at the end of its clause, or at a word that cannot belong to it.

Patterns catch the grammatical place of a value by its first word; what follows is cut here.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from holdfast.reading.places import gazetteer
from holdfast.reading.reader import Reading, Span
from holdfast.reading.shapes import Shape
from holdfast.reading.standing import sentences
from holdfast.reading.values import trimmed

_WORD = re.compile(r"[\w+#@/'&-]+(?:\.[\w+#-]+)*")
_CLAUSE = Shape(r"[,;:()\n\"]|\s-\s|(?<![.!?])[.!?]++(?=\s|$)|\s%memory.turns%\s")
_TAIL = Shape(r"\s%memory.tails%\b.*$")
_TIMED = {"deadline", "event", "birthday", "note"}
"""Slots whose values tell a time, so that words of time belong to them."""
_STOPS = {
    "role": "role_stops",
    "home": "place_stops",
    "origin": "place_stops",
    "employer": "place_stops",
    "name": "role_stops",
}
_KEEPS_ALL = {"likes", "family", "hobby", "plan", "allergy", "speaks", "favourite"}


def cut(reading: Reading, place: Span, slot: str) -> Span:
    """A value from its first word to the end of its clause, or to a word that cannot belong to it."""
    if slot == "note":
        return place[0], sentence(reading, place[0])[1]
    place = _past_fillers(reading, place)
    end = clause(reading, place[0])
    stops = reading.phrases("memory", _STOPS.get(slot, "stops"))
    more, speaker = reading.phrases("memory", "stops"), reading.phrases("reported", "speaker")
    for start, finish in tokens(reading, place[0], end):
        word = reading.folded[start:finish]
        stop = word in stops or word in speaker or (word in more and slot not in _KEEPS_ALL)
        if slot == "role" and word in reading.phrases("memory", "role_of") and _common(reading, finish):
            continue  # "analista de datos", but "ingeniero de Sevilla"
        if start > place[0] and stop:  # "my name is Rachel i live in …": the speaker begins anew
            end = start
            break
    if reading.has("dated"):
        end = min((cue.start for cue in reading.all("dated") if place[0] < cue.start < end), default=end)
    if slot not in _TIMED and (tail := reading.reader.made(_TAIL).search(reading.folded, place[0], end)):
        end = tail.start()
    while end > place[0] and reading.folded[end - 1] in " .,;:!?\"')":
        end -= 1
    return place[0], end


def _common(reading: Reading, place: int) -> bool:
    """Whether the next word is no name."""
    start, end = next(tokens(reading, place, len(reading.folded)), (0, 0))
    return end > start and not reading.text[start].isupper() and not gazetteer().knows(reading.folded[start:end])


def _past_fillers(reading: Reading, place: Span) -> Span:
    """A value without the sounds before it: "in uh Sacramento"."""
    fillers = reading.phrases("memory", "fillers")
    skipped = False
    for start, end in tokens(reading, place[0], min(len(reading.folded), place[0] + 40)):
        if reading.folded[start:end] not in fillers:
            return (start, max(end, place[1])) if skipped else place
        skipped = True
    return place


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
