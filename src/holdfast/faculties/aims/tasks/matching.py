"""How a message is matched with tasks: the kinds it shows, the words it shares, the goal it names.

Nothing here decides; `tasks.py` does, from what is found here.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import NamedTuple

from holdfast.faculties.aims.naming import content, light_words
from holdfast.faculties.aims.tasks.events import Task, Tasks
from holdfast.reading.endings import Endings
from holdfast.reading.reader import Cue, Reading, Span
from holdfast.reading.standing import standing
from holdfast.reading.text import WORD, fold

_WORDS = re.compile(f"[{WORD}'.-]+")


class Kind(NamedTuple):
    """A kind of task that a pack's agents carry out, and the families of patterns by which it is known."""

    name: str
    agent: str
    planner: str | None = None
    """The agent that plans it first, where it is planned."""
    follow_up: str | None = None
    """What its follow-ups are called, where they have a name of their own."""
    clear: str = ""
    """Family of its clear evidence: a verb with what it acts on."""
    goal: str = ""
    """Family whose `what` names a goal, so that another goal of the same kind is another task."""
    likely: str = ""
    """Family that only leans towards it."""
    named: bool = True
    """Whether the words beside its verbs name what it acts on (for questions about a page they do not)."""
    acts: bool = False
    """Whether an order belongs to it that shows no kind by words that a table knows."""
    about: str = ""
    """What it is, in a line, for a model that is asked where words leave the kind open."""

    @property
    def first(self) -> str:
        return self.planner or self.agent


class Evidence(NamedTuple):
    """What a message says of its kind."""

    kind: Kind | None = None
    clear: bool = False
    cue: Cue | None = None


def evidence(reading: Reading, kinds: Iterable[Kind]) -> Evidence:
    """The kind that a message shows. Where evidence of two kinds lies on the same verb, the earlier kind wins; two
    kinds side by side are work for the one that plans."""
    taken: list[Span] = []
    clear: list[tuple[Kind, Cue]] = []
    for kind in kinds:
        cues = [c for c in reading.all(kind.clear) if not overlaps(verb(c), taken) and stands(reading, c)]
        if cues:
            clear.append((kind, cues[0]))
            taken += [cue.span for cue in cues]
    if len(clear) == 1:
        return Evidence(clear[0][0], True, clear[0][1])
    if clear:
        kind, cue = next(((k, c) for k, c in clear if k.planner), min(clear, key=lambda found: found[1].start))
        return Evidence(kind, False, cue)
    for kind in kinds:
        if kind.likely and (likely := reading.first(kind.likely)):
            return Evidence(kind, False, likely)
    acting = next((kind for kind in kinds if kind.acts), None)
    order = _order(reading) if acting is not None else None
    return Evidence(acting, False, order) if order is not None else Evidence()


def _order(reading: Reading) -> Cue | None:
    """An order whose verb no table knows, by where it stands: first, and before what it acts on ("delete my old
    tweets"), or by its ending, in a language that has one for orders."""
    light, _ = light_words(reading)
    words = [reading.folded[start:end] for start, end in reading.tokens[:12]]
    leads = reading.phrases("task_words", "lead")
    first = next((place for place, word in enumerate(words) if word not in leads), len(words))
    if first + 1 >= len(words) or words[first] in light or len(words[first]) < 3:
        return None
    objects, ends = reading.phrases("task_words", "object"), reading.phrases("task_words", "ends")
    if (objects and words[first + 1] not in objects) or (ends and not words[first].endswith(tuple(ends))):
        return None
    span = reading.tokens[first]
    return Cue("any.task.order", "task_order", "any", *span, {})


def verb(cue: Cue) -> Span:
    """The part of a cue that is its verb: what comes before the thing it acts on."""
    return cue.start, cue.groups["what"][0] if "what" in cue.groups else cue.end


def overlaps(span: Span, others: Iterable[Span]) -> bool:
    return any(start < span[1] and span[0] < end for start, end in others)


def stands(reading: Reading, cue: Cue) -> bool:
    """Whether words are meant, and not forbidden, quoted or told of others."""
    if not reading.has("negation", "reported") and '"' not in reading.folded:
        return True
    return not reading.find(standing).of(cue.span) & {"negated", "quoted", "reported", "withdrawn"}


def meant(reading: Reading, family: str) -> Cue | None:
    return next((cue for cue in reading.all(family) if stands(reading, cue)), None)


def talks_about(reading: Reading, task: Task, seen: Evidence) -> bool:
    """Whether a message talks about the task at hand: it points, it adds, it changes, or it names what the task has."""
    kind = seen.kind
    points = [cue for cue in reading.all("task_points") if not _own(cue, task, seen)]
    if points or reading.has("task_change", "task_continue"):  # after a task is done, "the cheapest flight" is any one
        return True
    if task.status != "done" and reading.has("task_more", "task_then"):
        return True
    return kind is not None and kind.named and shares(reading, task)


def _own(pointer: Cue, task: Task, seen: Evidence) -> bool:
    """Whether a feature belongs to what a message names itself: "the other tabs" of "close the other tabs"."""
    if not pointer.id.endswith(".feature"):
        return False
    named = seen.clear and seen.kind is not None and seen.kind.name != task.type and seen.cue is not None
    return task.status == "done" or (named and overlaps(pointer.span, [seen.cue.span]))  # type: ignore[union-attr]


def other_goal(reading: Reading, kind: Kind, task: Task) -> Cue | None:
    """Another goal, named in full: nothing of it occurs in the task, and it lies not merely on the page."""
    for cue in reading.all(kind.goal) if kind.goal else ():
        span = cue.groups.get("what", cue.span)
        words = content(reading, span)
        if words and not near(reading, span) and not words & _known(task):
            return cue
    return None


def _known(task: Task) -> frozenset[str]:
    """The stems of what a task is about, worked out when it began and whenever its plan changes."""
    return frozenset(task.words)


def shares(reading: Reading, task: Task, mostly: bool = False) -> bool:
    """Whether a message names what a task is about; `mostly`, whether half of what it names is known there."""
    words = content(reading)
    both = len(words.intersection(task.words))
    return 2 * both >= len(words) > 0 if mostly else both > 0


def near(reading: Reading, span: Span) -> bool:
    """Whether words name a place on the page or the site, rather than a task."""
    return any(span[0] <= cue.start < span[1] for cue in reading.all("task_nearby"))


def unfinished(tasks: Tasks) -> list[Task]:
    return [*tasks.paused, *([tasks.current] if tasks.current and tasks.current.open else [])]


def ranked(words: frozenset[str], tasks: Tasks) -> list[tuple[int, Task]]:
    """The tasks by how many words they share, best first; the task at hand before others that share as many."""
    among = [*([tasks.current] if tasks.current else []), *reversed(tasks.paused)]
    return sorted(((len(words & _known(task)), task) for task in among), key=lambda pair: -pair[0])


def called(reading: Reading, span: Span, tasks: Tasks) -> list[Task]:
    """Paused tasks that are called by a common word of theirs: "the order" among several things to order."""
    light, stem = light_words(reading)[0], reading.reader.made(Endings).word
    words = {
        stem(word) for a, b in reading.tokens if span[0] <= a < span[1] and (word := reading.folded[a:b]) not in light
    }
    return [task for task in tasks.paused if words & {stem(word) for word in _WORDS.findall(fold(task.query))}]


def chosen(reading: Reading, tasks: Tasks) -> Task | None:
    """The task that a reply to "which task?" picks, by its words or its place in the question."""
    among = [task for task in unfinished(tasks) if task.id in tasks.asking]
    words = content(reading)
    best: list[tuple[int, Task]] = sorted(((len(words & _known(t)), t) for t in among), key=lambda pair: -pair[0])
    if best and best[0][0] > 0 and (len(best) == 1 or best[0][0] > best[1][0]):
        return best[0][1]
    places = reading.data("ordinals")
    for cue in reading.all("reference"):
        if "ordinal" in cue.groups:
            place = places.get(reading.folded[slice(*cue.groups["ordinal"])])
            if place and -len(among) <= place <= len(among):
                return among[int(place) - 1 if place > 0 else int(place)]
    return None
