"""What the words of a message give, and what the message does, learned from marked rows of one kind of talk: with a
browser, about venues, about files.

A message is tagged word by word with the facets of that talk; then each stretch of words is judged: is it wanted,
asked about, given up, or only told of? The message as a whole may do several things at once. The scorers look at the
words, at what is known of them (hints that the caller gives), at what their clause does and at what was said before.
"""

from __future__ import annotations

import os
from bisect import bisect_left
from collections.abc import Callable, Iterable, Sequence
from functools import cached_property, partial
from itertools import chain
from operator import attrgetter
from typing import NamedTuple

from holdfast.reading.model.clauses import Clause, decided
from holdfast.reading.model.features import asked_features, clause_features, sign_features, tag_features, value_features
from holdfast.reading.model.scorer import Scorer, load
from holdfast.reading.model.tokens import Token, tokens, tokens_of
from holdfast.reading.reader import Reading, Span

MAX_TOKENS = 120
"""Words and signs of a message that are looked at."""
MAX_ASKED = 400
"""Characters at the end of what was said before that are looked at."""
STEM = 5
"""Letters that the forms of a word share."""
OUT = "out"

Hints = list[tuple[Span, str]]
"""Where something is known of the words of a message, and what."""


class Given(NamedTuple):
    """Words that give something."""

    facet: str
    stands: str
    span: Span
    lead: int
    """How far the way it stands leads over the next best."""
    sure: int
    """How far the facet of its least certain word leads."""


class Told(NamedTuple):
    """A message as the scorers look at it."""

    tokens: list[Token]
    hints: list[list[str]]
    """What is known of each word."""
    clauses: list[tuple[int, int, str]]
    """The clauses, by tokens, and what each does."""
    asked: list[str]
    """What was said before, as features."""
    led: tuple[str, ...] | None = None
    """What the message does that tells what its words give; None where nobody looked."""


class Run(NamedTuple):
    """Words of one facet, by tokens."""

    first: int
    last: int
    """The token after its last."""
    facet: str
    sure: int = 0
    """How far the facet of its least certain word leads."""


class _Words(NamedTuple):
    """What is known of the words of a message."""

    known: Hints
    said: dict[str, str]
    """The beginnings of the words that were said before, and how they were written."""
    shown: frozenset[str]
    """Those of the names of what was shown."""

    def of(self, token: Token) -> list[str]:
        """What is known of a word."""
        found, stem = [name for (start, end), name in self.known if start <= token.start < end], token.word[:STEM]
        if stem in self.said:
            found += ("again", f"again {self.said[stem]}")
        return [*dict.fromkeys([*found, "shown"] if stem in self.shown else found)]


def told(reading: Reading, clauses: Sequence[Clause], asked: str, shown: Iterable[str], known: Hints) -> Told:
    """What the scorers look at, after what was said last; `shown` are the names of what was shown, and `known` is what
    the caller knows of the words."""
    found, before = reading.find(tokens_of)[:MAX_TOKENS], tokens(asked[-MAX_ASKED:], reading.language)
    words = _Words(
        known,
        {token.word[:STEM]: token.shape for token in before if len(token.word) > 2},
        frozenset(t.word[:STEM] for name in shown for t in tokens(name, reading.language) if len(t.word) > 2),
    )
    starts = [bisect_left(found, clause.start, key=_start) for clause in clauses]
    spans = zip(starts, [*starts, len(found)][1:], clauses, strict=True)
    acts = [(first, last, clause.act) for first, last, clause in spans if first < last]
    return Told(found, [words.of(token) for token in found], acts, asked_features(before))


_start = attrgetter("start")


def kind_features(said: Told, shown: bool) -> list[str]:
    """What is looked at to tell what a message does."""
    found = clause_features(said.tokens, 0, len(said.tokens), 0, 1, said.asked)
    found += meaning(said.tokens)
    found += [f"M={name}" for name in chain.from_iterable(said.hints)]
    acts = [act for _, _, act in said.clauses]
    found += [f"A={act}" for act in acts] + [f"Al={acts[-1] if acts else ''}", f"shown={shown}"]
    for start, end, act in said.clauses:
        words = [token.word for token in said.tokens[start:end]]
        found += [f"c={words[0]}", f"c2={' '.join(words[:2])}", f"cl={words[-1]}", f"ca={act} {words[0]}"]
    return [*dict.fromkeys(found)]


def meaning(said: Sequence[Token]) -> list[str]:
    """What words of another language mean, as features."""
    return [f"w={word}" for token in said for word in token.english.split()]


def tagged(said: Told, place: int, start: int, end: int, act: str) -> list[str]:
    """What is looked at to tell which facet a word gives."""
    found = value_features(said.tokens, start, end, place, act)
    hints = said.hints
    before, after = (hints[place - 1] if place else ()), (hints[place + 1] if place + 1 < len(hints) else ())
    for name in hints[place]:
        found += (f"H={name}", f"lH={said.tokens[place - 1].word if place else '^'} {name}")
    found += [f"Hb={name}" for name in before] + [f"Ha={name}" for name in after]
    found += said.asked if end - start < 6 else said.asked[:1]
    for kind in said.led or ():
        found += (f"D={kind}", f"D={kind} {said.tokens[place].word}", f"D={kind} {act}")
        found += [f"D={kind} {name}" for name in hints[place]]
    return found


def judged(said: Told, run: Run, others: Sequence[str]) -> list[str]:
    """What is looked at to tell how the words of a facet stand; `others` are the other facets of the message."""
    first, last, facet, _ = run
    start, end, act = next((c for c in said.clauses if c[0] <= first < c[1]), (0, len(said.tokens), ""))
    found = sign_features(said.tokens, start, end, first, last, act)
    words = [token.word for token in said.tokens if token.shape != "."]
    found += [f"fa={facet}", f"fa={facet} {act}", *(f"A={one[2]}" for one in said.clauses), f"n={min(len(words), 8)}"]
    found += [f"M={name}" for name in chain.from_iterable(said.hints)]
    found += [f"w={word}" for word in words]
    found += [f"m={token.english}" for token in said.tokens if token.english]
    for other in others:
        found += (f"o={other}", f"fo={facet} {other}")
    signs = [token.word for token in said.tokens[start : end + 1]]
    found += [f"?={said.tokens[-1].word == '?'}", f"c?={'?' in signs}", *said.asked]
    return [*dict.fromkeys(found)]


def runs(said: Told, tagger: Scorer, bold: int) -> list[Run]:
    """The stretches of words that give something; `bold` is how much less speaks for a word giving nothing than the
    scorer has it: most words of most talk give nothing."""
    found: list[Run] = []
    previous, out = OUT, tagger.classes.index(OUT)
    for start, end, act in said.clauses:
        for place in range(start, end):
            scores = tagger.scores([*tagged(said, place, start, end, act), *tag_features(previous, said.tokens[place])])
            scores[out] -= bold
            second, best = sorted(scores)[-2:]
            tag = tagger.classes[scores.index(best)]
            kind, _, facet = tag.partition(" ")
            if kind == "in" and previous.endswith(f" {facet}"):
                found[-1] = Run(found[-1].first, place + 1, facet, min(found[-1].sure, best - second))
            elif tag != OUT:
                found.append(Run(place, place + 1, facet, best - second))
            previous = tag
    return found


UNHEARD = -99
"""What speaks for a text without words doing anything."""


class Hearing:
    """What is heard in one kind of talk."""

    def __init__(
        self,
        facets: tuple[str, ...],
        kinds: tuple[str, ...],
        bold: int,
        *files: str,
        rules: tuple[str, ...] = (),
        leading: dict[str, int] | None = None,
    ) -> None:
        """`facets` are what words may give, `kinds` what a message may do; `files` are the fitted scorers, and `rules`
        those that rest on what is heard. Of `leading` kinds what words give is looked at anew: from how far on each is
        taken to be done."""
        self.leading = leading or {}
        self.facets, self.kinds, self.bold = facets, kinds, bold
        self._files, self._rules = files, rules

    @cached_property
    def scorers(self) -> dict[str, Scorer]:
        found = {name: scorer for file in self._files for name, scorer in load(file).items()}
        for scorer in found.values():
            scorer.list_all()
        return found

    def does(self, said: Told, shown: bool) -> dict[str, int]:
        """How far it speaks for each kind that a message is one, while something was shown or nothing."""
        judgement = self.scorers["wants"].judge(kind_features(said, shown))
        return {kind: judgement.yes(kind) for kind in self.kinds}

    def led(self, said: Told, does: dict[str, int]) -> Told:
        """The message with what it does that tells what its words give."""
        return said._replace(led=tuple(kind for kind, least in self.leading.items() if does[kind] >= least))

    def given(self, said: Told, decided_by: Callable[..., None] | None = None) -> list[Given]:
        """What the words of a message give; `decided_by` is told what spoke for the way that they stand."""
        judge, found = self.scorers["stands"], list[Given]()
        if self.leading and said.led is None:
            said = self.led(said, self.does(said, False))
        stretches = runs(said, self.scorers["facet"], self.bold)
        for run in stretches:
            seen = judged(said, run, [other.facet for other in stretches if other is not run])
            stands = judge.score(seen)
            span = said.tokens[run.first].start, said.tokens[run.last - 1].end
            found.append(Given(run.facet, stands.best, span, stands.lead, run.sure))
            record = partial(decided, judge, seen, said.tokens, stands.best, stands.lead)
            if decided_by is not None:
                for rule in self._rules:
                    decided_by(rule, record, span)
        return found


def beside(path: str, *names: str) -> tuple[str, ...]:
    """The files of some names beside another."""
    return tuple(os.path.join(os.path.dirname(path), name) for name in names)
