"""Which clauses of a message answer a question that is open: a linear scorer over whole numbers decides (`replies.bin`,
made by `training/replies.py`).

It sees each clause as it reads after that question, and what stands beside it: "before I forget," leads up to a
question of one's own, and what comes behind "back to the tent," answers. Nothing here knows a word of any language.
"""

from __future__ import annotations

import os
from collections.abc import Sequence
from functools import cache
from typing import NamedTuple

from holdfast.reading.model import scorer
from holdfast.reading.model.clauses import Clause
from holdfast.reading.model.scorer import Scorer
from holdfast.reading.reader import Span

_FILE = os.path.join(os.path.dirname(__file__), "replies.bin")
REPLIES = frozenset({"answers", "chooses", "confirms", "denies"})
"""Acts that answer."""
COURTESIES = frozenset({"thanks", "greets"})
PICKS, TELLS = REPLIES - {"answers"}, frozenset({"states", "corrects"})
"""Acts that say yes or no or take an option, and acts by which a question of before is answered as well."""
MAY_FIT, LATE, SURELY, ASKING, GOES_ON = -40, 0, 16, 24, -4
"""Leads of answering from which a clause may answer in words that fit; a question of before; in whatever words; in a
message that asks something itself; and from which it may go on with the answer of the one beside it."""
TYPED, RULED_OUT = 64, -1000
"""How much giving what a question waits for speaks for answering it, and the lead of what cannot answer."""
_MANY, SURE = 6, 16
"""Words from which a neighbour is long, and the lead from which a value is surely one."""


class Part(NamedTuple):
    """The part of a message that answers a question."""

    span: Span
    lead: int
    """How far answering leads in the clause that most speaks for."""
    likely: bool
    """Whether that is enough to take it for an answer, if it fits."""


def part(clauses: Sequence[Clause], said: Sequence[Clause], typed: Sequence[bool]) -> Part:
    """The clause that most answers a question after which a message was read, and those beside it that may go on with
    it. `said`: the same clauses after what was said last; `typed`: which of them give what the question waits for. Only
    what gives a value can mean a question of before; where a message asks or wants something itself, what leads up to
    that gives none ("one other thing, …"), and what asks answers only with what is waited for."""
    late = clauses is not said
    enough = max(LATE, _enough(clauses)) if late else _enough(clauses)
    scores = [
        _lead(clauses, place, typed[place], late, enough) if one.act not in COURTESIES else RULED_OUT
        for place, one in enumerate(said)
    ]
    return Part(_run(clauses, scores), max(scores), max(scores) >= enough)


def _enough(clauses: Sequence[Clause]) -> int:
    """What must speak for answering in a message that follows a question."""
    if any(map(_asks, clauses)):
        return ASKING
    wants = any(clause.act == "requests" and len(clause.tokens) > 1 for clause in clauses)  # a bare word is a value
    return LATE if wants else MAY_FIT if len(clauses) > 1 else RULED_OUT + 1


def _lead(clauses: Sequence[Clause], place: int, typed: bool, late: bool, enough: int) -> int:
    clause = clauses[place]
    gives = _given(clause) != "none" or (not late and clause.act in PICKS)
    if not typed and (_asks(clause) or (enough >= LATE and not gives)):
        return RULED_OUT
    acts = clause.leads(REPLIES | TELLS if late else REPLIES)
    return judge().lead(features(clauses, place)) + acts + TYPED * typed


def _run(clauses: Sequence[Clause], scores: list[int]) -> Span:
    """The clause with the best score, and those beside it that go on with it."""
    first = last = scores.index(max(scores))
    while first and scores[first - 1] >= GOES_ON:
        first -= 1
    while last + 1 < len(scores) and scores[last + 1] >= GOES_ON:
        last += 1
    return clauses[first].start, clauses[last].end


def _asks(clause: Clause) -> bool:
    """Whether a clause asks something itself, also behind words that lead up to it: "one thing, who …"."""
    led = [",", *(token.word for token in clause.tokens)]
    return (
        clause.act == "asks"
        or _ends_asking(clause)
        or any("askword" in token.kinds and before == "," for before, token in zip(led, clause.tokens, strict=False))
    )


def _ends_asking(clause: Clause) -> bool:
    return "?" in [token.word for token in clause.tokens]


def features(clauses: Sequence[Clause], place: int) -> list[str]:
    clause, given = clauses[place], _given(clauses[place])
    sign = clause.tokens[-1].word if clause.tokens[-1].shape == "." else ""
    found = [*clause.features, f"v={given}", f"vn={given} {len(clauses) > 1}"]
    for side, at in (("<", place - 1), (">", place + 1)):
        found += _beside(side, clauses[at], given, sign) if 0 <= at < len(clauses) else [f"{side}n=0"]
    return [*dict.fromkeys(found)]


def _beside(side: str, other: Clause, given: str, sign: str) -> list[str]:
    """A clause before or after one that gives something or nothing, and ends in a sign."""
    words = [token for token in other.tokens if token.shape != "."]
    if not words:
        return [f"{side}n=0"]
    asking = _ends_asking(other) or "askword" in words[0].kinds
    found = [f"{side}n={min(len(words), _MANY)}", f"{side}?={asking} {sign}", f"{side}?v={asking} {given}"]
    found += [f"{side}v={given} {_given(other)}", f"{side}f={words[0].word}"]
    return found + [f"{side}fk={kind}" for token in words[:2] for kind in token.kinds]


def _given(clause: Clause) -> str:
    """Whether a clause gives a value of anything, and how surely."""
    best = max((value.lead for value in clause.values), default=-1)
    return "none" if best < 0 else "sure" if best >= SURE else "maybe"


@cache
def judge() -> Scorer:
    """The scorer, loaded when somebody first asks."""
    return scorer.load(_FILE)["replies"]
