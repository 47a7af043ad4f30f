"""Values of a task that a message changes, so that exactly the steps that rest on them can be marked.

What is replaced is said ("Saturday instead of Friday", "not Oslo"), shared with the plan where something is corrected
("make it fluoride-free toothpaste"), or the one word of the plan that is of the same kind as a word of the message,
whatever verb comes with it: "saturday is better" where the plan has one weekday, "two passengers" where it has one
passenger, "with Mastercard" where it pays with Visa.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from itertools import pairwise
from typing import NamedTuple

from holdfast.events import Cause
from holdfast.faculties.aims.aim import aim
from holdfast.faculties.aims.naming import COMPARED_WORDS, light_words
from holdfast.faculties.aims.tasks.events import Task
from holdfast.faculty import Draft
from holdfast.kept import kept
from holdfast.reading.endings import Endings
from holdfast.reading.model.tokens import Token, tokens, tokens_of
from holdfast.reading.reader import Cue, Reading, Span, inside
from holdfast.reading.standing import standing

KINDS = {
    **{"weekday": "day", "future": "day", "month": "month", "dayPart": "part of the day"},
    **{"colour": "colour", "size": "size", "number": "number"},
}
"""What a word can be of which one stands in the place of another, by what the lexicon calls it."""


class Change(NamedTuple):
    """What was replaced, in all the forms in which the plan has it, by what, and why we think so."""

    old: list[str]
    new: str
    because: Cause | None


class _Value(NamedTuple):
    """A word that can stand in the place of another one of its kind."""

    kind: str
    word: str
    span: Span


def changes(draft: Draft, task: Task) -> Iterator[Change]:
    """The values that this message changed."""
    for event in draft.events:
        if event.did == "superseded" and (old := getattr(event, "old", None)):
            yield Change([str(old)], str(getattr(event, "value", "")), event.because)
    if task.plan is None or aim(draft).what == "side":
        return
    reading = draft.reading
    cues = [cue for cue in reading.all("correction")[:10] if "new" in cue.groups]
    plan = _read(reading.reader.made(Endings), task.plan.texts, task.query)
    for old, new, cue in _replaced(reading, cues, plan, task):
        cause = draft.cause(cue.id, cue.span) if cue is not None else draft.cause("task.value", new)
        yield Change(old, reading.words(new).strip(), cause)


def _replaced(reading: Reading, cues: list[Cue], plan: _Plan, task: Task) -> list[_Found]:
    """What takes the place of what, by the first way that finds it."""
    found = _named(reading, cues, plan) or _shared(reading, cues, task) or _kin(reading, cues, plan)
    return list(filter(None, [found or _other_name(reading, cues, plan)]))


class _Plan:
    """The words of a plan: as they are written, by how they are read, those of a kind, and names."""

    def __init__(self, endings: Endings, text: str, query: str) -> None:
        found = tokens(text)
        self.stem = endings.word
        self.written = {token.word: text[token.start : token.end] for token in found}
        self.values = [*_values(found, self.stem)]
        self.before = {token.word: last.word for last, token in pairwise(found)}
        small = {last.word for last in found if last.shape == "w"}
        inside = {token.word for last, token in pairwise(found) if token.shape in "WA" and last.word in small}
        asked = {token.word for token in tokens(query)[1:] if token.shape in "WA"} & self.written.keys()
        self.names = (inside | asked) - {value.word for value in self.values}

    def alike(self, value: _Value, loosely: bool) -> list[str]:
        """The words of the kind of another one; `loosely` counts whatever there is one number of: "make it two"."""
        kinds = [known.kind for known in self.values]
        if loosely and value.kind not in kinds:
            kinds, kind = [kind.split()[0] for kind in kinds], value.kind.split()[0]
        else:
            kind = value.kind
        return [known.word for known, one in zip(self.values, kinds, strict=True) if one == kind]

    def one(self, found: list[str]) -> list[str]:
        """The forms of one word as the plan writes them, or nothing where several could be meant."""
        return [self.written[word] for word in found] if len({self.stem(word) for word in found}) == 1 else []


@kept(64)
def _read(endings: Endings, texts: tuple[str, ...], query: str) -> _Plan:
    return _Plan(endings, ". ".join(texts), query)


def _values(found: list[Token], stem: Callable[[str], str]) -> Iterator[_Value]:
    for place, token in enumerate(found[:COMPARED_WORDS]):
        kind = next((KINDS[one] for one in token.kinds if one in KINDS), "number" if token.word.isdigit() else "")
        if kind == "number":  # of one thing: "two passengers" are no two rooms
            after = found[place + 1].word if place + 1 < len(found) else ""
            kind = f"number {stem(after)}"
        if kind:
            yield _Value(kind, token.word, (token.start, token.end))


_Found = tuple[list[str], Span, Cue | None]


def _named(reading: Reading, cues: list[Cue], plan: _Plan) -> _Found | None:
    """Where the old value is said: the shortest reading of it; else where a word of the plan is denied."""
    told = [cue for cue in cues if "old" in cue.groups]
    for cue in sorted(told, key=lambda c: sum(end - start for start, end in c.groups.values())):
        old, new = _bare(reading, cue.groups["old"]), _bare(reading, cue.groups["new"])
        if old is not None:
            words = reading.words(old).strip()
            return [words], new or cue.groups["new"], cue
    return _denied(reading, plan) if reading.has("negation") else None


def _denied(reading: Reading, plan: _Plan) -> _Found | None:
    """Where a word of the plan is denied, and what is said instead of it."""
    light, flags = reading.phrases("task_words", "light", "browser"), reading.find(standing)
    said = [token for token in reading.tokens[:COMPARED_WORDS] if reading.said(token) not in light]
    known = [token for token in said if reading.said(token) in plan.written and "negated" in flags.of(token)]
    others = [t for t in said if reading.said(t) not in plan.written and "negated" not in flags.of(t)]
    return ([reading.words(known[0])], others[0], None) if known and others else None


def _shared(reading: Reading, cues: list[Cue], task: Task) -> _Found | None:
    """Where the new value repeats a word of the task: that is what it refines."""
    light, known = reading.phrases("task_words", "light", "browser"), frozenset(task.words)
    stem = reading.reader.made(Endings).word
    for cue in cues:
        said = [
            token
            for token in inside(reading.tokens[:COMPARED_WORDS], cue.groups["new"])
            if reading.said(token) not in light
        ]
        words = [reading.words(token) for token in said if stem(reading.said(token)) in known]
        if words:
            return words, _bare(reading, cue.groups["new"]) or cue.groups["new"], cue
    return None


def _kin(reading: Reading, cues: list[Cue], plan: _Plan) -> _Found | None:
    """Where the plan has exactly one word of the kind of a word of the message."""
    for value in _values(reading.find(tokens_of), plan.stem):
        alike = plan.alike(value, loosely=bool(cues))
        if value.word not in alike and (old := plan.one(alike)):
            return old, value.span, _around(cues, value.span)
    return None


def _other_name(reading: Reading, cues: list[Cue], plan: _Plan) -> _Found | None:
    """Where the plan has one name in the place of another, after the same word or where something is corrected."""
    before = ""
    for token in reading.find(tokens_of):
        last, before = before, token.word
        if token.shape in "WA" and token.word not in plan.written and (cues or last):
            cue = _around(cues, (token.start, token.end))
            alike = [name for name in plan.names if cue is not None or plan.before.get(name) == last]
            if old := plan.one(sorted(alike)):
                return old, (token.start, token.end), cue
    return None


def _around(cues: list[Cue], span: Span) -> Cue | None:
    """The correction whose new value a word stands in."""
    return next((cue for cue in cues if cue.groups["new"][0] <= span[0] < cue.groups["new"][1]), None)


def _bare(reading: Reading, span: Span) -> Span | None:
    """A value without the small words before it ("make it fluoride-free" is fluoride-free); None without any other."""
    light = light_words(reading)[0]
    for token in inside(reading.tokens[:COMPARED_WORDS], span):
        if reading.said(token) not in light:
            return token[0], span[1]
    return None
