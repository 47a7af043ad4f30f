"""The learner behind examples: an averaged perceptron over whole numbers. The same examples give the same weights on
every machine and in every order, since whoever teaches sorts them first."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

Weights = dict[str, list[int]]


class Perceptron:
    """Weights of features for some labels, and how they are moved by mistakes."""

    def __init__(self, labels: Sequence[str]) -> None:
        self.labels = tuple(labels)
        self._now: Weights = {}
        self._late: Weights = {}
        self.steps = 1

    def scores(self, features: Iterable[str]) -> list[int]:
        """What speaks for each label while it is being learned."""
        return added(self._now, features, len(self.labels))

    def move(self, features: Iterable[str], label: int, by: int) -> None:
        """Let some features speak more, or less, for a label."""
        width = len(self.labels)
        for feature in features:
            self._now.setdefault(feature, [0] * width)[label] += by
            self._late.setdefault(feature, [0] * width)[label] += by * self.steps

    def deny(self, features: Sequence[str], scores: Sequence[int], margin: int, own: int = -1) -> None:
        """Let some features speak less for every label but their own, unless they speak clearly against it."""
        for label, score in enumerate(scores):
            if label != own and score > -margin:
                self.move(features, label, -1)

    def learned(self) -> Weights:
        """The sum of the weights over all steps, which forgets what only the last examples said."""
        return {
            feature: [now * self.steps - late for now, late in zip(row, self._late[feature], strict=True)]
            for feature, row in self._now.items()
        }


def added(weights: Weights, features: Iterable[str], width: int) -> list[int]:
    """The weights of some features, summed up for each label."""
    total = [0] * width
    for feature in features:
        row = weights.get(feature)
        if row is not None:
            for place in range(width):
                total[place] += row[place]
    return total
