"""Values of a task that a message changes, so that exactly the steps that rest on them can be marked.

What is replaced is named ("Saturday instead of Friday"), shared with the plan ("make it fluoride-free toothpaste"), or
of the same class as a single word of the plan: "make it Saturday" where the plan has one day of the week, "no, Bergen"
where the task has one proper name.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import NamedTuple

from holdfast.events import Cause
from holdfast.faculties.aims.naming import MOST, light_words
from holdfast.faculties.aims.tasks.events import Task
from holdfast.faculty import Draft
from holdfast.reading.endings import Endings
from holdfast.reading.reader import Cue, Reading, Span
from holdfast.reading.text import WORD, fold

_WORDS = re.compile(f"[{WORD}'-]+")
_SHOWN = re.compile(r"[^\W_][\w'-]*")


class Change(NamedTuple):
    """What was replaced, in all the forms in which the plan has it, by what, and why we think so."""

    old: list[str]
    new: str
    because: Cause | None


def changes(draft: Draft, task: Task) -> Iterator[Change]:
    """The values that this message changed."""
    reading = draft.reading
    for event in draft.events:
        if event.did == "superseded" and (old := getattr(event, "old", None)):
            yield Change([str(old)], str(getattr(event, "value", "")), event.because)
    cues = [cue for cue in reading.all("correction")[:10] if "new" in cue.groups]
    if not cues or task.plan is None:
        return
    found = _named(reading, cues, task) or _shared(reading, cues, task) or _kin(reading, cues, task)
    if found is not None:
        old, new, cue = found
        yield Change(old, reading.words(new).strip(), draft.cause(cue.id, cue.span))


_Found = tuple[list[str], Span, Cue]


def _named(reading: Reading, cues: list[Cue], task: Task) -> _Found | None:
    """Where the old value is said: the shortest reading of it."""
    told = [cue for cue in cues if "old" in cue.groups and _bare(reading, cue.groups["old"]) is not None]
    for cue in sorted(told, key=lambda c: sum(end - start for start, end in c.groups.values())):
        old, new = _bare(reading, cue.groups["old"]), _bare(reading, cue.groups["new"])
        if old is not None:
            words = reading.words(old).strip()
            return [words, *_forms(reading, task, words)], new or cue.groups["new"], cue
    return None


def _shared(reading: Reading, cues: list[Cue], task: Task) -> _Found | None:
    """Where the new value repeats a word of the task: that is what it refines."""
    light, known = frozenset.union(*light_words(reading)), frozenset(task.words)
    stem = reading.reader.made(Endings).word
    for cue in cues:
        start, end = cue.groups["new"]
        words = [
            reading.words((a, b))
            for a, b in reading.tokens[:MOST]
            if start <= a < end and reading.folded[a:b] not in light and stem(reading.folded[a:b]) in known
        ]
        if words:
            return words, _bare(reading, cue.groups["new"]) or cue.groups["new"], cue
    return None


def _kin(reading: Reading, cues: list[Cue], task: Task) -> _Found | None:
    """Where the plan has exactly one word of the class of the new value."""
    for cue in sorted(cues, key=lambda c: c.groups["new"][1] - c.groups["new"][0]):
        new = _bare(reading, cue.groups["new"])
        if new is None:
            continue
        for a, b in reading.tokens[:MOST]:
            if new[0] <= a < new[1] and (old := _like(reading, (a, b), task)):
                return old, new, cue
    return None


def _like(reading: Reading, span: Span, task: Task) -> list[str]:
    """The word of the plan that is of the same class as a word of the message, in its forms there."""
    word, planned = reading.folded[slice(*span)], _planned(task)
    for words in _classes(reading):
        if word in words:
            return _single(reading, [other for other in planned if other in words and other != word], planned)
    if not reading.words(span)[:1].isupper():
        return []
    names = [name for name in _SHOWN.findall(task.query)[1:] if name[:1].isupper()]
    classed = frozenset().union(*_classes(reading))
    found = [fold(name) for name in names if fold(name) in planned and fold(name) not in classed]
    return _single(reading, found, planned)


def _single(reading: Reading, found: list[str], planned: dict[str, str]) -> list[str]:
    """The forms of one word as the plan writes them, or nothing where several could be meant."""
    stem = reading.reader.made(Endings).word
    return [planned[word] for word in found] if len({stem(word) for word in found}) == 1 else []


def _classes(reading: Reading) -> list[frozenset[str]]:
    named = [reading.phrases("task_classes", name) for name in ("day", "month", "color", "size")]
    return [*named, frozenset(reading.data("numbers")), _DIGITS]


class _Digits(frozenset[str]):
    """All numbers in digits."""

    def __contains__(self, word: object) -> bool:
        return isinstance(word, str) and word.isdigit()


_DIGITS = _Digits()


def _planned(task: Task) -> dict[str, str]:
    """The words of the plan, folded, and as they are written."""
    text = " ".join(task.plan.texts) if task.plan else ""
    return {hit[0]: text[hit.start() : hit.end()] for hit in _WORDS.finditer(fold(text))}


def _forms(reading: Reading, task: Task, words: str) -> list[str]:
    """The forms in which the plan has a word that is named."""
    wanted = fold(words)
    if " " in wanted:
        return []
    stem = reading.reader.made(Endings).word
    return sorted(word for word in _planned(task) if stem(word) == stem(wanted) and word != wanted)


def _bare(reading: Reading, span: Span) -> Span | None:
    """A value without the small words before it ("make it fluoride-free" is fluoride-free); None without any other."""
    light = light_words(reading)[0]
    for start, end in reading.tokens[:MOST]:
        if span[0] <= start < span[1] and reading.folded[start:end] not in light:
            return start, span[1]
    return None
