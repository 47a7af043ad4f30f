"""How a message is matched with tasks: the kinds it shows, the words it shares, the goal it names.

Nothing here decides; `tasks.py` does, from what is found here.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import NamedTuple

from holdfast.faculties.aims.aim import LONG_WORD, VOWELS
from holdfast.faculties.aims.naming import light_words
from holdfast.faculties.aims.tasks.events import Task, Tasks
from holdfast.reading.endings import Endings
from holdfast.reading.reader import Cue, Reading, Span, inside
from holdfast.reading.standing import standing
from holdfast.reading.text import WORD, fold

_WORDS = re.compile(f"[{WORD}'.-]+")


class Kind(NamedTuple):
    """A kind of task that a pack's agents carry out."""

    name: str
    agent: str
    planner: str | None = None
    """The agent that plans it first, where it is planned."""
    follow_up: str | None = None
    """What its follow-ups are called, where they have a name of their own."""
    examples: tuple[str, ...] = ()
    """Sentences that ask for it, learned when the pack is opened; others like them are then known too."""
    about: str = ""
    """What it is, in a line, for a model that is asked where words leave the kind open."""

    @property
    def first(self) -> str:
        return self.planner or self.agent

    @property
    def path(self) -> tuple[str, ...]:
        """The agents that a task passes."""
        return (self.planner, self.agent) if self.planner else (self.agent,)


def stands(reading: Reading, cue: Cue) -> bool:
    """Whether words are meant, and not forbidden, quoted or told of others."""
    if not reading.has("negation", "reported") and '"' not in reading.folded:
        return True
    return not reading.find(standing).of(cue.span) & {"negated", "quoted", "reported", "withdrawn"}


def meant(reading: Reading, family: str) -> Cue | None:
    return next((cue for cue in reading.all(family) if stands(reading, cue)), None)


def unfinished(tasks: Tasks) -> list[Task]:
    return [*tasks.paused, *([tasks.current] if tasks.current and tasks.current.open else [])]


def nearest(words: frozenset[str], tasks: Tasks) -> list[Task]:
    """The tasks that share most words, the one at hand first; none where no word is shared."""
    among = [*([tasks.current] if tasks.current else []), *reversed(tasks.paused)]
    shared = [len(words.intersection(task.words)) for task in among]
    if not any(shared):  # "the calendar" is what was typed as "calender"
        bare = _bare(words)
        shared = [len(bare & _bare(task.words)) for task in among]
    best = max(shared, default=0)
    return [task for task, count in zip(among, shared, strict=True) if count == best > 0]


def over(words: frozenset[str], tasks: Tasks) -> list[Task]:
    """The last task that is over and shares a word."""
    return [task for task in tasks.ended[::-1] if words.intersection(task.words)][:1]


def _bare(words: Iterable[str]) -> set[str]:
    """Longer words by what a slip of one vowel leaves of them."""
    return {word.translate(VOWELS) for word in words if len(word) > LONG_WORD}


def called(reading: Reading, span: Span, tasks: Tasks) -> list[Task]:
    """Paused tasks that are called by a common word of theirs: "the order" among several things to order."""
    light, stem = light_words(reading)[0], reading.reader.made(Endings).word
    words = {stem(word) for word in map(reading.said, inside(reading.tokens, span)) if word not in light}
    return [task for task in tasks.paused if words & {stem(word) for word in _WORDS.findall(fold(task.query))}]
