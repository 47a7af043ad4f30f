"""How each part of a message stands: asserted, negated, asked, supposed, quoted, told of others, or taken back.

A value counts as a fact about the speaker only where it is asserted. Everything here is worked out from cues and marks,
once per message and only when somebody asks.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Literal, NamedTuple

from holdfast.reading.reader import Cue, Reading, Span

LONGEST_CLAUSE = 1000
"""Characters after which a clause ends in any case, so that text without marks stays linear to read."""

Flag = Literal["negated", "question", "hypothetical", "quoted", "reported", "withdrawn"]

# Fixed and without choices, so the standard library's matcher is linear here too.
_SENTENCE_END = re.compile(r"[.!?]+(?=\s|$)|\n+|;(?=\s|$)")
_CLAUSE_END = re.compile(r"[,;:()]|\s-\s|\n")
_QUOTES = re.compile(r'```[^`]*```|"[^"\n]{1,2000}"|^>[^\n]*$', re.MULTILINE)
_BACKTICKS = re.compile(r"```.*?(?:```|\Z)|`[^`\n]{1,2000}`", re.DOTALL)


class Standing(NamedTuple):
    """The flagged spans of one message, by flag."""

    spans: dict[Flag, list[Span]]

    def of(self, span: Span) -> set[Flag]:
        """The flags that touch a span."""
        return {
            flag for flag, spans in self.spans.items() if any(start < span[1] and span[0] < end for start, end in spans)
        }

    def asserted(self, span: Span) -> bool:
        """Whether what stands there is simply said by the speaker, as true."""
        return not self.of(span)


class Repair(NamedTuple):
    """A false start: what was said first, the words that take it back, and what was meant."""

    reparandum: Span
    interregnum: Span
    repair: Span
    rule: str


def sentences(reading: Reading) -> list[Span]:
    """The sentences of a message, without the white space around them."""
    return list(_cut(reading.folded, 0, len(reading.folded), _SENTENCE_END))


def clause_end(reading: Reading, start: int) -> int:
    """Where the clause that runs at `start` ends: at a comma, a bracket, a "but", or the end of its sentence."""
    text = reading.folded
    stop = min(len(text), start + LONGEST_CLAUSE)
    for mark in (_CLAUSE_END, _SENTENCE_END):  # the second looks no further than the first found: hostile text is long
        if hit := mark.search(text, start, stop + 1):
            stop = hit.start()
    return min([stop, *(cue.start for cue in reading.all("but") if cue.start > start)])


def standing(reading: Reading) -> Standing:
    """Use as `reading.find(standing)`."""
    text = reading.folded
    quoted = [m.span() for m in _QUOTES.finditer(text)]
    if "`" in reading.text:
        quoted += [m.span() for m in _BACKTICKS.finditer(reading.text)]
    spans: dict[Flag, list[Span]] = {
        "quoted": quoted,
        "negated": _negated(reading),
        "withdrawn": [repair.reparandum for repair in reading.find(repairs)],
        "question": [],
        "hypothetical": [],
        "reported": [(cue.end, clause_end(reading, cue.end)) for cue in reading.all("reported")],
    }
    openers = reading.phrases("question", "openers")
    doubts = reading.all("hypothetical")
    for start, end in reading.find(sentences):
        head = re.split(r"[\s,]", text[start:end].lstrip('¿¡"( '), maxsplit=1)[0]
        if text[start:end].rstrip('") ').endswith("?") or head in openers:
            spans["question"].append((start, end))
        if any(start <= cue.start < end for cue in doubts):
            spans["hypothetical"].append((start, end))
    return Standing(spans)


def _negated(reading: Reading) -> list[Span]:
    """From each negation to the end of its clause. The "no" of a repair ("Boston, no wait, Austin") and a "no" that is
    an answer of its own ("No.I meant Austin") negate nothing."""
    taken = [cue.span for cue in reading.all("repair")]
    return [
        (cue.end, clause_end(reading, cue.end))
        for cue in reading.all("negation")
        if not any(start <= cue.start < end for start, end in taken)
        and reading.folded[cue.end : cue.end + 1] not in (".", "!", ",")
    ]


def repairs(reading: Reading) -> list[Repair]:
    """The false starts of a message. Use as `reading.find(repairs)`."""
    found: list[Repair] = []
    tokens = reading.tokens
    for cue in _outermost(reading.all("repair")):
        before = [t for t in tokens if t[1] <= cue.start]
        after = [t for t in tokens if t[0] >= cue.end]
        if not before or not after:
            continue
        stop = clause_end(reading, after[0][0])
        after = [t for t in after if t[1] <= stop] or after[:1]
        start = _false_start(reading, before, after)
        found.append(Repair((start, before[-1][1]), cue.span, (after[0][0], after[-1][1]), cue.id))
    return found


def fluent(reading: Reading) -> str:
    """The message as it was meant: without false starts and the words that take them back."""
    text, place = "", 0
    for repair in reading.find(repairs):
        if repair.reparandum[0] >= place:
            text += reading.text[place : repair.reparandum[0]]
            place = repair.repair[0]
    return text + reading.text[place:]


def _false_start(reading: Reading, before: list[Span], after: list[Span]) -> int:
    """Where the words that are taken back begin.

    A speaker who repairs goes back either to a word said again ("to Boston, no, to Austin") or to a word of the same
    kind (a name for a name, a number for a number); failing both, to as many words as the repair has.
    """
    words = reading.folded
    first = words[after[0][0] : after[0][1]]
    for start, end in reversed(before[-8:]):
        if words[start:end] == first:
            return start
    shape = _shape(reading, after[0])
    run = 0
    for token in reversed(before[-4:]):
        if _shape(reading, token) != shape:
            break
        run += 1
    if shape != "word" and run:
        return before[-run][0]
    return before[-min(len(after), len(before), 3)][0]


def _shape(reading: Reading, span: Span) -> str:
    word = reading.words(span)
    if word[:1].isdigit() or reading.words(span).lower() in reading.data("numbers"):
        return "number"
    return "name" if word[:1].isupper() and span[0] > 0 else "word"


def _outermost(cues: list[Cue]) -> Iterator[Cue]:
    end = -1
    for cue in cues:
        if cue.start >= end:
            yield cue
            end = cue.end


def _cut(text: str, start: int, stop: int, mark: re.Pattern[str]) -> Iterator[Span]:
    for hit in mark.finditer(text, start, stop):
        yield from _trimmed(text, start, hit.end())
        start = hit.end()
    yield from _trimmed(text, start, stop)


def _trimmed(text: str, start: int, end: int) -> Iterator[Span]:
    piece = text[start:end]
    start += len(piece) - len(piece.lstrip())
    end = start + len(piece.strip())
    if end > start:
        yield start, end
