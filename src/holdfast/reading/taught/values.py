"""Values learned from examples: which words of a message are the value of which slot.

A message is cut into values and the words between them so that the whole scores best: every word belongs to one value
at most, and the order in which slots were declared plays no part. What counts is what the words are (their types and
kinds), how they are written, and what stands beside them.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import NamedTuple

from msgspec.structs import replace

from holdfast.reading.kinds import token_types, typed_spans
from holdfast.reading.model.clauses import strange
from holdfast.reading.model.tokens import Token, tokens
from holdfast.reading.reader import Reader, Reading, Span
from holdfast.reading.taught.examples import Example, lessons_of, ordinary, version
from holdfast.reading.taught.perceptron import Perceptron, added

ROUNDS = 10
"""How often the examples are gone through."""
MARGIN = 10
"""By how much a value must lead over everything else before an example counts as learned."""
FOR = 2
"""How much more a value that was missed counts than one that is none: examples show what is meant."""
FAVOUR = 12
"""What speaks for a value of what was just asked for, before anything else does."""
TYPE_COUNTS = 3
"""How much more the type of some words counts than one of the words."""
MAX_VALUE_UNITS = 6
MAX_UNITS = 300
"""Words and signs of a message that are looked at; what follows is a document and no request."""
MAX_CHARS = 4000
_STEM = 5
_TYPED = "T"
"""The shape of words that are one thing."""
_EDGE = Token(0, 0, "^", "^")


class Value(NamedTuple):
    """Words that are a value of a slot."""

    slot: str
    start: int
    end: int
    score: int


class Unit(NamedTuple):
    """A word with its types; a day, a time, a number, an address or a place is one word."""

    token: Token
    types: tuple[str, ...]


def units(reading: Reading) -> list[Unit]:
    """The units of a text. Use as `reading.find(units)`."""
    found: list[Unit] = []
    spans = iter(reading.find(typed_spans))
    span = next(spans, None)
    for token in tokens(reading.text[:MAX_CHARS], reading.language):
        while span is not None and span.end <= token.start:
            span = next(spans, None)
        if span is None or token.end <= span.start:
            found.append(Unit(token, token_types(token)))
        elif found and found[-1].token.end > span.start:  # one more word of the same span
            last = found[-1].token
            found[-1] = Unit(replace(last, end=max(token.end, last.end)), found[-1].types)
        else:
            whole = Token(min(span.start, token.start), max(span.end, token.end), span.type, _TYPED)
            found.append(Unit(whole, (span.type,)))
        if len(found) == MAX_UNITS:
            break
    return found


def unit_features(unit: Unit) -> Iterator[str]:
    """What is to be seen of one word of a value, wherever it stands in it."""
    token = unit.token
    yield f"w={token.word}"
    if len(token.word) > _STEM:
        yield f"p={token.word[:_STEM]}"
    if token.shape not in (".", _TYPED):
        yield "strange" if strange(token.word) else "known"
    for name in token.kinds:
        yield f"k={name}"


def run_features(found: Sequence[Unit], start: int, end: int) -> Iterator[str]:
    """What is to be seen of a run of words as a whole, and beside it."""

    def word(place: int) -> str:
        return found[place].token.word if 0 <= place < len(found) else _EDGE.word

    names = dict.fromkeys(name for unit in found[start:end] for name in unit.types or ("-",))
    kind = "+".join(names)
    left, right = word(start - 1), word(end)
    yield "any"
    yield f"n={min(end - start, 4)}"
    for strength in range(TYPE_COUNTS):
        yield f"t{strength}={kind}"
    yield f"tn={kind} {end - start}"
    for name in names:
        yield f"has={name}"
        yield f"only={name} {end - start}"
    yield f"l={left}"
    yield f"r={right}"
    yield f"ll={word(start - 2)} {left}"
    yield f"rr={right} {word(end + 1)}"
    yield f"lt={left} {kind}"
    yield f"rt={right} {kind}"
    yield f"f={found[start].token.word}"
    yield f"e={found[end - 1].token.word}"
    yield f"s={''.join(unit.token.shape for unit in found[start:end])}"
    for side, place in (("L", start - 1), ("R", end)):
        for name in found[place].types if 0 <= place < len(found) else ():
            yield f"{side}={name}"
            yield f"{side}t={name} {kind}"


def runs(found: Sequence[Unit], longest: int) -> Iterator[tuple[int, int]]:
    """The runs of words that may be a value: they begin and end with a word, and lie in one sentence."""
    for start, unit in enumerate(found):
        if unit.token.shape == ".":
            continue
        for end in range(start + 1, min(start + longest, len(found)) + 1):
            last = found[end - 1].token
            if last.shape != ".":
                yield start, end
            elif last.word in ".!?;:":
                break


Seen = dict[tuple[int, int], tuple[str, ...]]
"""The runs of a sentence, each with all its features."""


class Values:
    """The values of some slots, learned from their examples."""

    def __init__(self, taught: Mapping[str, Sequence[Example]], reader: Reader) -> None:
        self.slots = tuple(sorted(taught))
        lessons = lessons_of(taught)
        self.version = version(lessons)
        placed = [(reader.read(one.text).find(units), one) for one in lessons]
        marks = [{_place(found, span) for span in one.spans} for found, one in placed]
        self._longest = min(MAX_VALUE_UNITS, 1 + max(end - start for spans in marks for start, end in spans))
        self._types: dict[str, set[str]] = {name: set() for name in self.slots}
        """The types of the values of each slot that its examples show."""
        self._opens: dict[str, set[str]] = {name: set() for name in self.slots}
        """The words that values of each slot begin with."""
        for (found, one), spans in zip(placed, marks, strict=True):
            for start, end in spans:
                self._types[one.label] |= {name for unit in found[start:end] for name in unit.types} or {""}
                self._opens[one.label].add(found[start].token.word)
        teacher = self._taught(placed, marks, reader)
        self._weights, self._favour = teacher.learned(), FAVOUR * teacher.steps

    def _taught(
        self, placed: Sequence[tuple[list[Unit], Example]], marks: Sequence[set[tuple[int, int]]], reader: Reader
    ) -> Perceptron:
        sentences = [(self._seen(found), self.slots.index(one.label)) for found, one in placed]
        plain = [self._seen(reader.read(text).find(units)) for text in ordinary()]
        teacher = Perceptron(self.slots)
        for _ in range(ROUNDS):
            for (seen, own), spans in zip(sentences, marks, strict=True):
                self._learn(teacher, seen, own, spans)
            for seen in plain:
                self._unlearn(teacher, seen)
        return teacher

    def _seen(self, found: Sequence[Unit]) -> Seen:
        inner = [tuple(unit_features(unit)) for unit in found]
        return {
            (start, end): (*run_features(found, start, end), *(f for part in inner[start:end] for f in part))
            for start, end in runs(found, self._longest)
        }

    def _learn(self, teacher: Perceptron, seen: Seen, own: int, marked: set[tuple[int, int]]) -> None:
        """In an example of a slot only the marked words are its values, and they are values of no other. What is wrong
        gets a lead in the choice, so that what is right has to win by some way."""
        teacher.steps += 1
        scores = {run: teacher.scores(features) for run, features in seen.items()}
        offers = [(*run, told[own] + (-MARGIN if run in marked else MARGIN)) for run, told in scores.items()]
        chosen = {offers[place][:2] for place in disjoint(offers)}
        for run in sorted((marked - chosen) & seen.keys()):
            teacher.move(seen[run], own, FOR)
        for run in sorted(chosen - marked):
            teacher.move(seen[run], own, -1)
        for run in sorted(marked & seen.keys()):
            teacher.deny(seen[run], scores[run], MARGIN, own)

    def _unlearn(self, teacher: Perceptron, seen: Seen) -> None:
        """What people say anywhere holds no value."""
        teacher.steps += 1
        for features in seen.values():
            teacher.deny(features, teacher.scores(features), MARGIN)

    def find(self, reading: Reading, asked: frozenset[str] = frozenset()) -> list[Value]:
        """The values of a message: no word in two of them, and so that all together score best. What was just asked
        for needs less to be taken for a value."""
        found, width = reading.find(units), len(self.slots)
        inner = [added(self._weights, unit_features(unit), width) for unit in found]
        values: list[Value] = []
        offers: list[tuple[int, int, int]] = []
        for start, end in runs(found, self._longest):
            scores = added(self._weights, run_features(found, start, end), width)
            for lane, slot in enumerate(self.slots):
                score = scores[lane] + sum(part[lane] for part in inner[start:end])
                if (score := score + (self._favour if slot in asked else 0)) > 0:
                    first = self._past_small(reading, found, slot, start, end)
                    values.append(Value(slot, found[first].token.start, found[end - 1].token.end, score))
                    offers.append((start, end, score))
        return [values[place] for place in disjoint(offers)]

    def _past_small(self, reading: Reading, found: Sequence[Unit], slot: str, start: int, end: int) -> int:
        """Where a value begins behind small words that no example begins with: "it next Tuesday" is next Tuesday."""
        small = reading.phrases("small", "words")
        while start < end - 1 and (word := found[start].token.word) in small and word not in self._opens[slot]:
            start += 1
        return start

    def fits(self, slot: str, reading: Reading, span: Span) -> bool:
        """Whether some words can be a value of a slot by their types: "saturday at 7" is no number of boxes."""
        inside = [unit for unit in reading.find(units) if span[0] < unit.token.end and unit.token.start < span[1]]
        types = {name for unit in inside for name in unit.types}
        return not types or not self._types[slot].isdisjoint(types)


def _place(found: Sequence[Unit], span: Span) -> tuple[int, int]:
    """The units of a span of characters."""
    inside = [place for place, unit in enumerate(found) if span[0] < unit.token.end and unit.token.start < span[1]]
    return inside[0], inside[-1] + 1


def disjoint(offers: Sequence[tuple[int, int, int]]) -> list[int]:
    """Of runs of words (from, to, score) those that share no word and together score best; of equals the first."""
    size = max((end for _, end, _ in offers), default=0)
    ending: dict[int, list[int]] = {}
    for place, (_, end, score) in enumerate(offers):
        if score > 0:
            ending.setdefault(end, []).append(place)
    best: list[tuple[int, int]] = [(0, -1)]
    for end in range(1, size + 1):
        total, chosen = best[end - 1][0], -1
        for place in ending.get(end, ()):
            start, _, score = offers[place]
            if best[start][0] + score > total:
                total, chosen = best[start][0] + score, place
        best.append((total, chosen))
    found, end = [], size
    while end:
        chosen = best[end][1]
        if chosen >= 0:
            found.append(chosen)
        end = offers[chosen][0] if chosen >= 0 else end - 1
    return found[::-1]
