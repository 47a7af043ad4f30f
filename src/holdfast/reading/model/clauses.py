"""A message as clauses with acts and claims, by the learned scorers."""

from __future__ import annotations

import os
from functools import cached_property
from typing import NamedTuple

from holdfast.reading.model import scorer
from holdfast.reading.model.features import (
    asked_features,
    attribute_features,
    clause_features,
    gap_features,
    sign_features,
    tag_features,
    value_features,
)
from holdfast.reading.model.scorer import Scorer
from holdfast.reading.model.tokens import Token, tokens

MAX_TOKENS = 600
"""A longer message is a document: its first part is understood, the rest is left alone."""
_FILE = os.path.join(os.path.dirname(__file__), "talk.bin")


class Value(NamedTuple):
    """Words of a clause that are the value of something."""

    start: int
    end: int
    attribute: str
    lead: int
    """How far the attribute leads over the next best; small means in doubt."""
    positive: bool
    """Whether it is so; false for what is said not to be, not wanted, or no longer."""


class Clause(NamedTuple):
    """The smallest part of a message with an act of its own."""

    start: int
    end: int
    act: str
    lead: int
    keep: int
    """How much speaks for keeping what it tells; below zero nothing does."""
    about: str
    """The lasting attribute that it is about ("employer"), or "none"."""
    values: tuple[Value, ...]


class Model:
    """The scorers of the reading, loaded when somebody first asks."""

    def __init__(self, path: str = _FILE) -> None:
        self._path = path

    @cached_property
    def _scorers(self) -> dict[str, Scorer]:
        return scorer.load(self._path)

    def clauses(self, text: str, asked: str = "") -> list[Clause]:
        """What each part of a message does, told after what the agent said last."""
        found = tokens(text)[:MAX_TOKENS]
        if not found:
            return []
        hints = asked_features(tokens(asked[-400:]))
        spans = self.split(found)
        no, yes = self._scorers["teaches"].scores(clause_features(found, 0, len(found), 0, 1, hints))
        return [self._clause(found, spans, place, hints, yes - no) for place in range(len(spans))]

    def split(self, found: list[Token]) -> list[tuple[int, int]]:
        """The clauses of a message, by tokens."""
        splitter = self._scorers["split"]
        starts = [0]
        for place in range(1, len(found)):
            if found[place].shape != ".":
                no, yes = splitter.scores(gap_features(found, place))
                if yes > no:
                    starts.append(place)
        return list(zip(starts, [*starts[1:], len(found)], strict=True))

    def _clause(
        self, found: list[Token], spans: list[tuple[int, int]], place: int, hints: list[str], teaches: int = 0
    ) -> Clause:
        start, end = spans[place]
        features = list(clause_features(found, start, end, place, len(spans), hints))
        act = self._scorers["act"].score(features)
        no, yes = self._scorers["keep"].scores(features)
        about = self._scorers["about"].score(features).best
        values = self._values(found, start, end, act.best, hints)
        return Clause(
            found[start].start, found[end - 1].end, act.best, act.lead, yes - no + teaches // 2, about, tuple(values)
        )

    def _values(self, found: list[Token], start: int, end: int, act: str, hints: list[str]) -> list[Value]:
        tagger, previous = self._scorers["tag"], "out"
        runs: list[list[int]] = []
        for place in range(start, end):
            features = list(value_features(found, start, end, place, act))
            features += tag_features(previous, found[place])
            tag = tagger.score(features).best
            if tag == "begin" or (tag == "in" and previous == "out"):
                runs.append([place, place + 1])
            elif tag == "in":
                runs[-1][1] = place + 1
            previous = tag
        made = []
        for first, last in runs:
            told = self._scorers["attribute"].score(attribute_features(found, start, end, first, last, act, hints))
            no, yes = self._scorers["sign"].scores(sign_features(found, start, end, first, last, act))
            made.append(Value(found[first].start, found[last - 1].end, told.best, told.lead, yes >= no))
        return made


_MODEL = Model()


def understand(text: str, asked: str = "") -> list[Clause]:
    """The clauses of a message by the model that comes with Holdfast."""
    return _MODEL.clauses(text, asked)
