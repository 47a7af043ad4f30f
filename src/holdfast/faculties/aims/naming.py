"""What a message names: the words that carry meaning, by their stems, and among them those that only say where."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Callable, Iterable
from functools import lru_cache
from itertools import pairwise

from holdfast.faculty import Draft
from holdfast.reading.endings import Endings
from holdfast.reading.reader import Reading, Span
from holdfast.reading.text import WORD, fold, later

COMPARED_WORDS = 300
"""Words of a message that are compared with tasks: enough for any request, and a bound for pasted text."""

_WORDS = later(f"[{WORD}'.-]+")


def content(reading: Reading, span: Span | None = None) -> frozenset[str]:
    """The stems of the words that carry meaning, in a message or a part of it."""
    if span is None:
        return reading.find(_whole)
    tokens = reading.tokens
    return _carrying(reading, tokens[bisect_left(tokens, (span[0], 0)) : bisect_left(tokens, (span[1], 0))])


def _whole(reading: Reading) -> frozenset[str]:
    return _carrying(reading, reading.tokens[:COMPARED_WORDS])


def _carrying(reading: Reading, tokens: Iterable[Span]) -> frozenset[str]:
    light, common = light_words(reading)
    stem, introduces = reading.reader.made(Endings).word, reading.phrases("task_words", "one")
    known, last, found = _stems(stem, common), "", set()
    for start, end in tokens:
        word = reading.folded[start:end]
        if word not in light and len(word) > 1 and (stem(word) not in known or last in introduces):
            found.add(stem(word))
        last = word
    return frozenset(found)


def where(reading: Reading) -> list[Span]:
    """The words that only say where something is wanted, by the small word before them: "on amazon", "from target".
    Use as `reading.find(where)`."""
    before = reading.phrases("task_words", "where")
    folded, tokens = reading.folded, reading.tokens[:COMPARED_WORDS]
    return [here for last, here in pairwise(tokens) if folded[last[0] : last[1]] in before]


def beside(reading: Reading) -> frozenset[str]:
    """The stems of the words that only say where. Use as `reading.find(beside)`."""
    return _carrying(reading, reading.find(where))


def objects(reading: Reading) -> frozenset[str]:
    """The stems of the things that a message names, without where. Use as `reading.find(objects)`."""
    return reading.find(_whole) - reading.find(beside)


@lru_cache(maxsize=64)
def _stems(stem: Callable[[str], str], words: frozenset[str]) -> frozenset[str]:
    """A pack's common words count in all their forms: "open", "opened"."""
    return frozenset(stem(word) for word in words)


def stems_of(draft: Draft, text: str) -> tuple[str, ...]:
    """The stems of a text that nobody said in this turn: a query or the steps of a plan."""
    reader, language = draft.reading.reader, draft.state.conversation.language
    light = reader.phrases("task_words", "light", language)
    stem = reader.made(Endings).word
    known = _stems(stem, reader.phrases("task_words", "browser", language))
    words = (word.strip(".-'") for word in _WORDS.findall(fold(text)))
    return tuple(sorted({stem(word) for word in words if len(word) > 1 and word not in light} - known))


def light_words(reading: Reading) -> tuple[frozenset[str], frozenset[str]]:
    """Words that say nothing of what a task is about: small words, and the pack's own common ones."""
    return reading.phrases("task_words", "light"), reading.phrases("task_words", "browser")
