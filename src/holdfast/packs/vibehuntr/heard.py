"""What the words of a message give of a search or a plan, and how each of them stands, learned from `corpus/venues`.

A message is tagged word by word with the facets of what is looked for or planned (`FACETS`); then each stretch of words
is judged: wanted for the search, planned, asked about, dropped, or only told of. The scorers look at the words, at what
the tables and the lexicon know of them, at what their clause does and at what the agent asked.
"""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator, Sequence
from functools import cache
from typing import Literal, NamedTuple

from holdfast.faculty import Draft
from holdfast.packs.vibehuntr.people import people
from holdfast.packs.vibehuntr.wishes import wish_words
from holdfast.reading.mentions import mentions
from holdfast.reading.model.clauses import Clause
from holdfast.reading.model.features import asked_features, sign_features, tag_features, value_features
from holdfast.reading.model.scorer import Scorer, load
from holdfast.reading.model.tokens import Token, tokens, tokens_of
from holdfast.reading.places import named_places
from holdfast.reading.reader import Reading, Span

Facet = Literal["what", "meal", "city", "area", "price", "wish", "when", "people", "for", "place"]
Stands = Literal["wanted", "planned", "asked", "dropped", "told"]
CUES = ("constraint", "price", "landmark", "day", "clock", "party", "shift", "books", "cancels", "negation", "forgets")
"""Families of patterns whose words tell something of a facet."""
MAX_TOKENS = 120
"""Words and signs of a message that are looked at."""
MAX_ASKED = 400
"""Characters at the end of what the agent said that are looked at."""
STEM = 5
"""Letters that the forms of a word share."""
BOLD = 14
"""How much less speaks for a word giving nothing than the scorer has it: most words of most talk give nothing."""
LANGUAGES = ("en", "ru", "es")
"""Languages of the rows."""
OUT = "out"
_FILE = os.path.join(os.path.dirname(__file__), "heard.bin")


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
    """What the tables know of each word."""
    clauses: list[tuple[int, int, str]]
    """The clauses, by tokens, and what each does."""
    asked: list[str]
    """What the agent said last, as features."""


@cache
def _scorers() -> dict[str, Scorer]:
    return load(_FILE)


def told(reading: Reading, clauses: Sequence[Clause], asked: str, shown: Iterable[str]) -> Told:
    """What the scorers look at, after what the agent said last; `shown` are the names of what was shown."""
    found = reading.find(tokens_of)[:MAX_TOKENS]
    hints = asked_features(tokens(asked[-MAX_ASKED:], reading.language))
    named = frozenset(_stem(t.word) for name in shown for t in tokens(name, reading.language) if len(t.word) > 2)
    known = _hints(reading, found, clauses)
    said = {_stem(token.word): token.shape for token in tokens(asked[-MAX_ASKED:], reading.language)}
    for token, names in zip(found, known, strict=True):
        stem = _stem(token.word)
        if len(stem) > 2 and stem in said:
            names += ["again", f"again {said[stem]}"]
        if stem in named:
            names.append("shown")
    return Told(found, known, list(_clauses(found, clauses)), hints)


def _stem(word: str) -> str:
    return word[:STEM]


def _clauses(found: Sequence[Token], clauses: Sequence[Clause]) -> Iterator[tuple[int, int, str]]:
    place = 0
    for clause in clauses:
        start = place
        while place < len(found) and found[place].start < clause.end:
            place += 1
        if place > start:
            yield start, place, clause.act


def _hints(reading: Reading, found: Sequence[Token], clauses: Sequence[Clause]) -> list[list[str]]:
    known = [(hit.span, hit.rule) for hit in reading.find(wish_words)]
    known += [(cue.span, cue.family) for family in CUES for cue in reading.all(family)]
    known += [(spot.span, f"spot {spot.role} {bool(spot.canonical)}") for spot in reading.find(named_places)]
    known += [(one.span, "people") for one in reading.find(people)]
    known += [(one.span, f"points {one.kind}") for one in reading.find(mentions) if one.kind != "silent"]
    for value in [value for clause in clauses for value in clause.values]:
        known += [((value.start, value.end), f"value {value.attribute}"), ((value.start, value.end), "value")]
        known += [((value.start, value.start + 1), f"first {value.attribute}")]
        known += [((value.start, value.end), f"sign {value.sign}")]
    return [[*dict.fromkeys(name for (start, end), name in known if start <= token.start < end)] for token in found]


def tagged(said: Told, place: int, start: int, end: int, act: str) -> list[str]:
    """What is looked at to tell which facet a word gives."""
    found = value_features(said.tokens, start, end, place, act)
    hints = said.hints
    before, after = (hints[place - 1] if place else ()), (hints[place + 1] if place + 1 < len(hints) else ())
    for name in hints[place]:
        found += (f"H={name}", f"lH={said.tokens[place - 1].word if place else '^'} {name}")
    found += [f"Hb={name}" for name in before] + [f"Ha={name}" for name in after]
    found += said.asked if end - start < 6 else said.asked[:1]
    return found


class Run(NamedTuple):
    """Words of one facet, by tokens."""

    first: int
    last: int
    """The token after its last."""
    facet: str
    sure: int = 0
    """How far the facet of its least certain word leads."""


def judged(said: Told, run: Run, others: Sequence[str]) -> list[str]:
    """What is looked at to tell how the words of a facet stand; `others` are the other facets of the message."""
    first, last, facet, _ = run
    start, end, act = next((c for c in said.clauses if c[0] <= first < c[1]), (0, len(said.tokens), ""))
    found = sign_features(said.tokens, start, end, first, last, act)
    acts = [f"A={one[2]}" for one in said.clauses]
    words = [token.word for token in said.tokens if token.shape != "."]
    hints = [f"M={name}" for name in dict.fromkeys(name for names in said.hints for name in names)]
    found += [f"fa={facet}", f"fa={facet} {act}", *acts, *hints, f"n={min(len(words), 8)}"]
    found += [f"w={word}" for word in dict.fromkeys(words)]
    found += [f"m={token.english}" for token in said.tokens if token.english]
    found += [f"o={one}" for one in dict.fromkeys(others)] + [f"fo={facet} {one}" for one in dict.fromkeys(others)]
    found += [f"?={said.tokens[-1].word == '?'}", f"c?={any(t.word == '?' for t in said.tokens[start : end + 1])}"]
    found += said.asked
    return [*dict.fromkeys(found)]


def runs(said: Told, tagger: Scorer) -> list[Run]:
    """The stretches of words that give something."""
    found: list[Run] = []
    previous = OUT
    for start, end, act in said.clauses:
        for place in range(start, end):
            features = [*tagged(said, place, start, end, act), *tag_features(previous, said.tokens[place])]
            tag, lead = _best(tagger, features)
            kind, _, facet = tag.partition(" ")
            if kind == "in" and previous.partition(" ")[2] == facet and found:
                found[-1] = Run(found[-1].first, place + 1, facet, min(found[-1].sure, lead))
            elif tag != OUT:
                found.append(Run(place, place + 1, facet, lead))
            previous = tag
    return found


def _best(tagger: Scorer, features: list[str]) -> tuple[str, int]:
    """What most speaks for a word to be, and how far that leads."""
    scores = tagger.scores(features)
    scores[tagger.classes.index(OUT)] -= BOLD
    best = max(scores)
    place = scores.index(best)
    scores[place] = -1 << 30
    return tagger.classes[place], best - max(scores)


def given(draft: Draft) -> list[Given]:
    """What a message gives. Use as `draft.find(given)`. Of a language that nobody wrote rows in, nothing is known."""
    if draft.reading.language not in (None, *LANGUAGES):
        return []
    shown = [entity.name for entity in draft.before.references.entities]
    said = told(draft.reading, draft.clauses, draft.asked, shown)
    scorers = _scorers()
    found, stretches = [], runs(said, scorers["facet"])
    for run in stretches:
        others = [other.facet for other in stretches if other is not run]
        stands = scorers["stands"].score(judged(said, run, others))
        span = said.tokens[run.first].start, said.tokens[run.last - 1].end
        found.append(Given(run.facet, stands.best, span, stands.lead, run.sure))
    return found
