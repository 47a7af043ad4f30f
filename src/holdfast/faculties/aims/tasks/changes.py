"""Values of a task that a message changes, so that exactly the steps that rest on them can be marked.

What is replaced is said ("Saturday instead of Friday", "not Oslo"), shared with the plan where something is corrected
("make it fluoride-free toothpaste"), or the one thing of the plan that is of the same kind as one in the message,
whatever verb comes with it: "saturday is better" where the plan has one day, "there are two of us" where it has one
number, "with Mastercard" where it pays with Visa, "look on eBay" where it opens Amazon. What is asked, or told of
others, changes nothing.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from itertools import pairwise
from typing import NamedTuple

from holdfast.events import Cause
from holdfast.faculties.aims.aim import aim
from holdfast.faculties.aims.naming import COMPARED_WORDS, light_words, where
from holdfast.faculties.aims.tasks.events import Task
from holdfast.faculty import Draft
from holdfast.kept import kept
from holdfast.reading.endings import Endings
from holdfast.reading.kinds import means_same, typed_spans
from holdfast.reading.model.tokens import Token, tokens, tokens_of
from holdfast.reading.reader import Cue, Reader, Reading, Span, inside, touches
from holdfast.reading.standing import standing
from holdfast.reading.text import accept, fold

KINDS = frozenset({"colour", "size"})
"""What a word can be of which one stands in the place of another, by what the lexicon calls it."""
NUMBER, DAY, SITE = "number", "day", "software"
PEOPLE, COUNTED_IN = frozenset({"kin", "role"}), 3
"""Kinds of words that say who is counted, and the words after a number in which they do."""
OTHERS, SURE = frozenset({"asks", "reports", "quotes", "supposes"}), 16
"""What clauses do that give a task no value, and the lead from which one is believed to."""


class Change(NamedTuple):
    """What was replaced, in all the forms in which the plan has it, by what, and why we think so."""

    old: list[str]
    new: str
    because: Cause | None


class _Value(NamedTuple):
    """Words that others of their kind can take the place of."""

    kind: str
    words: str
    span: Span


_Found = tuple[list[str], Span, Cue | None]


def changes(draft: Draft, task: Task) -> Iterator[Change]:
    """The values that this message changed."""
    for event in draft.events:
        if event.did == "superseded" and (old := getattr(event, "old", None)):
            yield Change([str(old)], str(getattr(event, "value", "")), event.because)
    if task.plan is None or aim(draft).what == "side":
        return
    reading = draft.reading
    plan = _read(reading.reader, task.plan.texts, task.query)
    for old, new, cue in _replaced(reading, plan, task, _told(draft)):
        cause = draft.cause(cue.id, cue.span) if cue is not None else draft.cause("task.value", new)
        yield Change(old, reading.words(new).strip(), cause)


def _told(draft: Draft) -> list[_Value]:
    """The values of a message that are neither asked about nor told of others."""
    others = [(clause.start, clause.end) for clause in draft.clauses if clause.act in OTHERS and clause.lead >= SURE]
    return [value for value in draft.reading.find(_values) if not touches(value.span, others)]


def _replaced(reading: Reading, plan: _Plan, task: Task, said: list[_Value]) -> list[_Found]:
    """What takes the place of what, by the first way that finds it."""
    cues = [cue for cue in reading.all("correction")[:10] if "new" in cue.groups]
    told = _named(reading, cues, plan) or _shared(reading, cues, task)
    found = [told] if told else [*_kin(reading, cues, plan, said)]
    return found or list(filter(None, [_other_name(reading, cues, plan) or _elsewhere(reading, cues, plan)]))


class _Plan:
    """The words of a plan: as they are written, those of a kind, names, and what a step opens."""

    def __init__(self, reader: Reader, texts: tuple[str, ...], query: str) -> None:
        reading = reader.read(accept(". ".join(texts), empty=True))
        found = reading.find(tokens_of)
        self.stem = reader.made(Endings).word
        self.written = {token.word: reading.text[token.start : token.end] for token in found}
        self.values = reading.find(_values)
        self.before = {token.word: last.word for last, token in pairwise(found)}
        asked = {token.word for token in tokens(query)[1:] if token.shape in "WA"} & self.written.keys()
        self.names = (_inside(found) | asked) - {word for value in self.values for word in fold(value.words).split()}
        self.opened = [token.word for text in texts for token in tokens(text)[1:2] if _has_capital(text, token)]

    def alike(self, value: _Value, loosely: bool) -> list[str]:
        """What the plan has of the kind of a value; of a number that counts nothing, or `loosely`, whatever there is a
        number of: "make it two", "we are three"."""
        same = [known.words for known in self.values if known.kind == value.kind]
        if not same and value.kind.startswith(NUMBER) and (loosely or value.kind == NUMBER):
            same = [known.words for known in self.values if known.kind.startswith(NUMBER)]
        return same

    def has(self, value: _Value, alike: list[str], reader: Reader) -> bool:
        """Whether a value is what the plan has already, in any form: "grises" is "gris", "the 28th" is "28 May"."""
        day = _digits(value.words) if value.kind == DAY else ""
        if day and day in map(_digits, alike):
            return True
        forms = {fold(value.words), self.stem(fold(value.words))}
        same = any(not forms.isdisjoint((fold(known), self.stem(fold(known)))) for known in alike)
        return same or any(means_same(reader, value.words, known) for known in alike)

    def one(self, found: Iterable[str]) -> list[str]:
        """The forms of one thing as the plan writes them, or nothing where several could be meant."""
        words = [*dict.fromkeys(found)]
        return [self.written.get(word, word) for word in words] if len({*map(self.stem, words)}) == 1 else []


def _inside(found: list[Token]) -> set[str]:
    """Words with a capital in the middle of a sentence."""
    small = {last.word for last in found if last.shape == "w"}
    return {token.word for last, token in pairwise(found) if token.shape in "WA" and last.word in small}


def _has_capital(text: str, token: Token) -> bool:
    return not text[token.start : token.end].islower()


@kept(64)
def _read(reader: Reader, texts: tuple[str, ...], query: str) -> _Plan:
    return _Plan(reader, texts, query)


def _values(reading: Reading) -> list[_Value]:
    """What stands in a text that something else of its kind may take the place of. Use as `reading.find(_values)`."""
    articles, named = reading.phrases("choice", "articles"), _names_end(reading)
    typed = [(one.type, (one.start, one.end)) for one in reading.find(typed_spans) if one.type != "email"]
    typed += _of_lexicon(reading, [span for _, span in typed])
    found: list[_Value] = []
    for kind, span in typed:
        counted = _counting(reading, span) if kind == NUMBER else kind
        named_so = counted == NUMBER and span[0] - 1 in named  # "New Balance 574" is no number
        if not named_so and reading.said(span) not in articles:  # neither is "una"
            found.append(_Value(counted, reading.words(span), span))
    return found


def _names_end(reading: Reading) -> set[int]:
    """Where words with a capital end that begin no sentence."""
    pairs = pairwise(reading.find(tokens_of))
    return {name.end for last, name in pairs if name.shape in "WA" and last.shape != "."}


def _of_lexicon(reading: Reading, taken: list[Span]) -> Iterator[tuple[str, Span]]:
    for token in reading.find(tokens_of)[:COMPARED_WORDS]:
        if not touches((token.start, token.end), taken):
            yield from ((kind, (token.start, token.end)) for kind in token.kinds if kind in KINDS)


def _counting(reading: Reading, span: Span) -> str:
    """The kind of a number, by what it counts: "two passengers" are no two rooms, "three of my friends" not the people
    of a booking."""
    if reading.folded[span[1] : span[1] + 2].split(" ")[0].strip(",.;!") in reading.phrases("task_words", "nth"):
        return DAY  # "the 28th"
    counted = _counted(reading, span[1])
    return f"{NUMBER} {reading.reader.made(Endings).word(counted[0].word)}" if counted else NUMBER


def _counted(reading: Reading, end: int) -> list[Token]:
    """What a number that ends somewhere counts: the word after it, or people near it."""
    after = [token for token in reading.find(tokens_of) if token.start >= end][:COUNTED_IN]
    light = light_words(reading)[0]
    first = [t for t in after[:1] if t.shape != "." and t.word not in light and KINDS.isdisjoint(t.kinds)]
    return first + [token for token in after if not PEOPLE.isdisjoint(token.kinds)]


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
    stands = [(reading.said(token) in plan.written, "negated" in flags.of(token)) for token in said]
    if (True, True) not in stands or (False, False) not in stands:
        return None
    return [reading.words(said[stands.index((True, True))])], said[stands.index((False, False))], None


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


def _kin(reading: Reading, cues: list[Cue], plan: _Plan, said: list[_Value]) -> Iterable[_Found]:
    """Where the plan has exactly one thing of the kind of a value of the message, and another one; of several days the
    one that the message names gives way to the last: "the 28th will not do, let us say the 25th"."""
    loosely, found = bool(cues) or reading.has("task_change"), dict[tuple[str, ...], _Found]()
    for value in said:
        alike = plan.alike(value, loosely=loosely)
        alike = _of_days(alike, said) if value.kind == DAY else alike
        if not plan.has(value, alike, reading.reader) and (old := plan.one(alike)):
            found[tuple(old)] = old, value.span, _around(cues, value.span)
    return found.values()


def _of_days(alike: list[str], said: list[_Value]) -> list[str]:
    """The days of a plan that a message names, else all of them."""
    days = {_digits(value.words) for value in said if value.kind == DAY} - {""}
    return [known for known in alike if _digits(known) in days] or alike


def _digits(words: str) -> str:
    """The day of the month that is named, or nothing."""
    return next(iter(re.findall(r"\d+", words)), "")


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


def _elsewhere(reading: Reading, cues: list[Cue], plan: _Plan) -> _Found | None:
    """Where another site is named than the one that the plan opens: one that is known, or, where something is changed,
    whatever stands after "on" and "at"."""
    places = reading.find(where) if cues or reading.has("task_change") else []
    for token in reading.find(tokens_of):
        span = (token.start, token.end)
        if (
            (SITE in token.kinds or span in places)
            and token.word not in plan.written
            and (old := plan.one(plan.opened))
        ):
            return old, span, _around(cues, span)
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
