"""Kinds of messages learned from examples: which request, or which question, a sentence is, if any of those that a
pack knows."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import NamedTuple

from holdfast.reading.reader import Reader, Reading, Span
from holdfast.reading.taught.examples import Example, lessons_of, ordinary, version
from holdfast.reading.taught.perceptron import Perceptron, added
from holdfast.reading.taught.values import Unit, units

ROUNDS = 10
MARGIN = 6
FOR = 3
"""How much more an example counts that was missed than one that was taken for another kind."""
_STEM = 5


class Chosen(NamedTuple):
    """The kind that a sentence is, and how sure that is."""

    label: str
    score: int


def sentence_features(found: Sequence[Unit]) -> Iterator[str]:
    """What is to be seen of a sentence."""
    words = [unit.token.word for unit in found if unit.token.shape != "."]
    yield "any"
    for word in dict.fromkeys(words):
        yield f"w={word}"
        yield f"p={word[:_STEM]}"
    for one, two in zip(("^", *words), (*words, "$"), strict=True):
        yield f"2={one} {two}"
    for name in dict.fromkeys(name for unit in found for name in (*unit.token.kinds, *unit.types)):
        yield f"k={name}"
    if any(unit.token.word == "?" for unit in found):
        yield "?"


class Choices:
    """Some kinds of sentences, learned from their examples."""

    def __init__(self, taught: Mapping[str, Sequence[Example]], reader: Reader) -> None:
        self.labels = tuple(sorted(taught))
        lessons = lessons_of(taught)
        self.version = version(lessons)
        sentences = [(self._seen(reader.read(one.text)), self.labels.index(one.label)) for one in lessons]
        plain = [(self._seen(reader.read(text)), -1) for text in ordinary()]
        teacher = Perceptron(self.labels)
        for features, own in (*sentences, *plain) * ROUNDS:
            teacher.steps += 1
            scores = teacher.scores(features)
            if own >= 0 and scores[own] < MARGIN:
                teacher.move(features, own, FOR)
            teacher.deny(features, scores, MARGIN, own)
        self._weights = teacher.learned()

    def _seen(self, reading: Reading) -> tuple[str, ...]:
        return tuple(sentence_features(reading.find(units)))

    def choose(self, reading: Reading, span: Span) -> Chosen | None:
        """The kind of a part of a message; none where nothing speaks for one."""
        found = [unit for unit in reading.find(units) if span[0] <= unit.token.start < span[1]]
        scores = added(self._weights, sentence_features(found), len(self.labels))
        score, label = max(zip(scores, self.labels, strict=True), default=(0, ""))
        return Chosen(label, score) if score > 0 else None
