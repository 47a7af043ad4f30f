"""Evidence: facts with their source and step, hypotheses that facts carry or speak against, contradictions.

Only what a technician says becomes a fact. A corrected reading supersedes its fact and keeps it; identical sentences
make one fact. Two live facts on the same quantity that disagree are a contradiction until one of them gives way. How a
message becomes facts, and how a correction takes one back, is in `learning.py`.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any, Literal

import msgspec
from msgspec.structs import replace

from holdfast.events import Cleared, Event
from holdfast.faculties.desk.case import Folds, folded, put_aside
from holdfast.faculties.desk.procedure import SystemFound
from holdfast.faculty import Faculty
from holdfast.state import Moment
from holdfast.telling import Telling, said

Kind = Literal["measurement", "observation", "finding"]
Category = Literal["symptom", "test_result", "observation", "repair"]
Confidence = Literal["high", "medium", "low"]

FACTS, HYPOTHESES, CONTRADICTIONS, MAX_FACT_CHARS = 60, 12, 12, 300
APART_VOLTS, APART_SHARE = 0.5, 0.05
"""Two readings disagree when they are further apart than this."""


class Fact(msgspec.Struct, frozen=True, omit_defaults=True):
    """Something that the technician said is so."""

    id: str
    type: Kind
    value: str
    at: float
    step: str | None = None
    source: Literal["technician", "inference"] = "technician"
    category: Category = "observation"
    superseded_by: str | None = None
    number: float | None = None
    unit: str | None = None
    state: str | None = None
    """Whether it calls its part "ok" or "not ok"."""
    parts: tuple[str, ...] = ()
    """Ids of the parts that it is about."""
    out_of_range: bool = False
    added: bool = False
    """Whether the technician wanted it in the report."""
    section: str = ""
    """The section of the report in which it shall stand."""


class Hypothesis(msgspec.Struct, frozen=True, omit_defaults=True):
    id: str
    description: str
    supporting: tuple[str, ...] = ()
    contradicting: tuple[str, ...] = ()

    @property
    def confidence(self) -> Confidence:
        if len(self.supporting) >= 2 and not self.contradicting:
            return "high"
        return "medium" if len(self.supporting) > len(self.contradicting) else "low"


class Contradiction(msgspec.Struct, frozen=True, omit_defaults=True):
    id: str
    a: str
    b: str
    resolution: Telling | None = None


class FactLearned(Event, frozen=True):
    did = "learned"

    fact: Fact

    def tell(self) -> Telling:
        return said("desk.range" if self.fact.out_of_range else "slot.is", slot=self.fact.type, value=self.fact.value)


class FactsSuperseded(Event, frozen=True):
    did = "superseded"

    facts: tuple[str, ...]
    by: str

    def tell(self) -> Telling:
        return said("desk.replaced", facts=", ".join(self.facts), new=self.by)


class HypothesisMoved(Event, frozen=True):
    """A hypothesis was raised, or got a fact for or against it."""

    did = "weighed"

    id: str
    description: str
    supporting: tuple[str, ...] = ()
    contradicting: tuple[str, ...] = ()

    def tell(self) -> Telling:
        return self.description


class ContradictionFound(Event, frozen=True):
    did = "doubted"

    contradiction: Contradiction

    def tell(self) -> Telling:
        return said("desk.disagree", one=self.contradiction.a, other=self.contradiction.b)


class ContradictionResolved(Event, frozen=True):
    did = "resolved"

    id: str
    resolution: Telling

    def tell(self) -> Telling:
        return self.resolution


class TopicsGiven(Event, frozen=True):
    """Topics of the bench on which the technician has given something."""

    topics: tuple[str, ...]


class Evidence(msgspec.Struct, frozen=True, omit_defaults=True):
    facts: tuple[Fact, ...] = ()
    hypotheses: tuple[Hypothesis, ...] = ()
    contradictions: tuple[Contradiction, ...] = ()
    topics: tuple[str, ...] = ()
    rested: dict[str, Evidence] = {}
    """What was found in the jobs that were put aside, by their systems."""

    def live(self) -> list[Fact]:
        return [fact for fact in self.facts if fact.superseded_by is None]


FOLDS: Folds = {
    SystemFound: lambda evidence, event, moment: put_aside(evidence, event) if event.leaves else evidence,
    FactLearned: lambda evidence, event, moment: replace(evidence, facts=_kept((*evidence.facts, event.fact))),
    FactsSuperseded: lambda evidence, event, moment: replace(
        evidence, facts=_changed(evidence.facts, event.facts, superseded_by=event.by)
    ),
    HypothesisMoved: lambda evidence, event, moment: replace(evidence, hypotheses=_moved(evidence.hypotheses, event)),
    ContradictionFound: lambda evidence, event, moment: replace(
        evidence, contradictions=(*evidence.contradictions, event.contradiction)[-CONTRADICTIONS:]
    ),
    ContradictionResolved: lambda evidence, event, moment: replace(
        evidence, contradictions=_changed(evidence.contradictions, (event.id,), resolution=event.resolution)
    ),
    TopicsGiven: lambda evidence, event, moment: replace(
        evidence, topics=tuple(dict.fromkeys((*evidence.topics, *event.topics)))
    ),
}


class EvidenceFaculty(Faculty):
    name = "evidence"
    slice = Evidence
    events = (*FOLDS, Cleared)

    def fold(self, slice: Evidence, event: Event, moment: Moment) -> Evidence:
        return folded(FOLDS, slice, event, moment)


def _changed(rows: tuple[Any, ...], ids: tuple[str, ...], **fields: Any) -> tuple[Any, ...]:
    """Rows of which those with some ids have other fields."""
    return tuple(replace(row, **fields) if row.id in ids else row for row in rows)


def _kept(facts: tuple[Fact, ...]) -> tuple[Fact, ...]:
    """The facts within their bound: what was superseded long ago goes first."""
    if len(facts) <= FACTS:
        return facts
    old = next((fact for fact in facts if fact.superseded_by), facts[0])
    return tuple(fact for fact in facts if fact is not old)


def _moved(hypotheses: tuple[Hypothesis, ...], event: HypothesisMoved) -> tuple[Hypothesis, ...]:
    known = next((h for h in hypotheses if h.id == event.id or h.description == event.description), None)
    if known is None:
        raised = Hypothesis(event.id, event.description, event.supporting, event.contradicting)
        return (*hypotheses, raised)[-HYPOTHESES:]
    grown = Hypothesis(
        known.id,
        known.description,
        tuple(dict.fromkeys((*known.supporting, *event.supporting)))[-8:],
        tuple(dict.fromkeys((*known.contradicting, *event.contradicting)))[-8:],
    )
    return tuple(grown if h is known else h for h in hypotheses)


def disagree(a: float, b: float, unit: str | None) -> bool:
    """Whether two readings of one quantity cannot both be true."""
    if unit == "V" and abs(a - b) <= APART_VOLTS:
        return False
    return abs(a - b) > APART_SHARE * max(abs(a), abs(b)) and abs(a - b) > 1e-9


def opposed(a: Fact, b: Fact) -> bool:
    """Whether two facts are on the same thing and cannot both hold."""
    same_part, same_step = not set(a.parts).isdisjoint(b.parts), a.step == b.step
    if a.number is not None and b.number is not None and a.unit == b.unit and a.unit is not None:
        placed = same_step if a.step and b.step else same_part
        return placed and disagree(a.number, b.number, a.unit)
    # "it pumps fine, but leaks back past the valve": of more than one part both can be true
    return same_part and set(a.parts) == set(b.parts) and {a.state, b.state} == {"ok", "not ok"}


def of_part(facts: Iterable[Fact], parts: Iterable[str]) -> list[Fact]:
    wanted = set(parts)
    return [fact for fact in facts if wanted & set(fact.parts)]
