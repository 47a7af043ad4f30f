"""Evidence: facts with their source and step, hypotheses that facts carry or speak against, contradictions.

Only what a technician says becomes a fact. A corrected reading supersedes its fact and keeps it; identical sentences
make one fact. Two live facts on the same quantity that disagree are a contradiction until one of them gives way.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Literal

import msgspec

from holdfast.events import Cleared, DoubtRaised, Event
from holdfast.faculties.case import Case
from holdfast.faculties.isolation import DoubtSettled
from holdfast.faculties.library import Figure, stems
from holdfast.faculties.procedure import BranchEntered, BranchLeft, StepClosed, StepReopened, StepsTakenOut, triggered
from holdfast.faculties.signals import (
    Measure,
    damage,
    faults,
    key_findings,
    measures,
    repaired,
    state_words,
)
from holdfast.faculties.signals import topics as topics_of
from holdfast.faculty import Faculty
from holdfast.reading.mentions import ordinal
from holdfast.reading.reader import Reading, Span
from holdfast.reading.standing import sentences
from holdfast.state import Moment

Kind = Literal["measurement", "observation", "finding"]
Category = Literal["symptom", "test_result", "observation", "repair"]
Confidence = Literal["high", "medium", "low"]

FACTS, HYPOTHESES, CONTRADICTIONS, LONGEST, SENTENCES = 60, 12, 12, 300, 8
APART_VOLTS, APART_SHARE = 0.5, 0.05
"""Two readings disagree when they are further apart than this."""
LEARNS = ("MAIN_DIAGNOSTIC", "DISPUTE_OR_NEW_EVIDENCE", "ALREADY_ANSWERED", "CORRECTION")


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
    """Stems of the parts and topics that it is about."""
    out_of_range: bool = False


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
    resolution: str | None = None


class FactLearned(Event, frozen=True):
    did = "learned"

    fact: Fact

    def tell(self) -> str:
        return f"{self.fact.type}: {self.fact.value}" + (" (out of range)" if self.fact.out_of_range else "")


class FactsSuperseded(Event, frozen=True):
    did = "superseded"

    facts: tuple[str, ...]
    by: str

    def tell(self) -> str:
        return f"{', '.join(self.facts)} by {self.by}"


class HypothesisMoved(Event, frozen=True):
    """A hypothesis was raised, or got a fact for or against it."""

    did = "weighed"

    id: str
    description: str
    supporting: tuple[str, ...] = ()
    contradicting: tuple[str, ...] = ()

    def tell(self) -> str:
        return self.description


class ContradictionFound(Event, frozen=True):
    did = "doubted"

    contradiction: Contradiction

    def tell(self) -> str:
        return f"{self.contradiction.a} and {self.contradiction.b} disagree"


class ContradictionResolved(Event, frozen=True):
    did = "resolved"

    id: str
    resolution: str

    def tell(self) -> str:
        return self.resolution


class TopicsGiven(Event, frozen=True):
    """Topics of the bench on which the technician has given something."""

    topics: tuple[str, ...]


class Evidence(msgspec.Struct, frozen=True, omit_defaults=True):
    facts: tuple[Fact, ...] = ()
    hypotheses: tuple[Hypothesis, ...] = ()
    contradictions: tuple[Contradiction, ...] = ()
    topics: tuple[str, ...] = ()

    def live(self) -> list[Fact]:
        return [fact for fact in self.facts if fact.superseded_by is None]

    def fact(self, id: str) -> Fact | None:
        return next((fact for fact in self.facts if fact.id == id), None)


class EvidenceFaculty(Faculty):
    name = "evidence"
    slice = Evidence
    events = (
        FactLearned,
        FactsSuperseded,
        HypothesisMoved,
        ContradictionFound,
        ContradictionResolved,
        TopicsGiven,
        Cleared,
    )

    def fold(self, slice: Evidence, event: Event, moment: Moment) -> Evidence:
        change = msgspec.structs.replace
        match event:
            case FactLearned(fact=fact):
                return change(slice, facts=_kept((*slice.facts, fact)))
            case FactsSuperseded(facts=ids, by=by):
                return change(
                    slice, facts=tuple(change(f, superseded_by=by) if f.id in ids else f for f in slice.facts)
                )
            case HypothesisMoved():
                return change(slice, hypotheses=_moved(slice.hypotheses, event))
            case ContradictionFound(contradiction=found):
                return change(slice, contradictions=(*slice.contradictions, found)[-CONTRADICTIONS:])
            case ContradictionResolved(id=id, resolution=resolution):
                settled = tuple(change(c, resolution=resolution) if c.id == id else c for c in slice.contradictions)
                return change(slice, contradictions=settled)
            case TopicsGiven(topics=topics):
                return change(slice, topics=tuple(dict.fromkeys((*slice.topics, *topics))))
            case Cleared(what="everything"):
                return Evidence()
        return slice


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


# --- reading facts ---


def disagree(a: float, b: float, unit: str | None) -> bool:
    """Whether two readings of one quantity cannot both be true."""
    if unit == "V" and abs(a - b) <= APART_VOLTS:
        return False
    return abs(a - b) > APART_SHARE * max(abs(a), abs(b)) and abs(a - b) > 1e-9


def parts_in(reading: Reading, span: Span) -> tuple[str, ...]:
    """Stems of the parts that a sentence names."""
    found = [
        reading.folded[cue.start : cue.end].split()[-1][:5]
        for family in ("part", "site")
        for cue in reading.all(family)
        if span[0] <= cue.start < span[1]
    ]
    return tuple(dict.fromkeys(found))[:6]


def _category(said: Reading, measured: bool) -> Category:
    if said.find(repaired) is not None:
        return "repair"
    if measured:
        return "test_result"
    if said.has("symptom"):
        return "symptom"
    return "test_result" if said.has("checked", "in_order") else "observation"


def _facts(case: Case, step: str | None) -> Iterator[tuple[Fact, Span, Reading]]:
    """The sentences of the message as facts."""
    reading = case.reading
    figure = _figure(case, step)
    for start, end in reading.find(sentences)[:SENTENCES]:
        words = reading.words((start, end))
        said = reading.reader.read(words) if len(reading.find(sentences)) > 1 else reading
        if not said.tokens:
            continue
        measure = _measure(said, figure)
        hard = bool(said.find(faults)) or bool(said.find(damage)) or bool(said.find(key_findings))
        hard = hard or said.find(repaired) is not None
        kind: Kind = "measurement" if measure and measure.unit else "finding" if hard else "observation"
        off = figure is not None and measure is not None and not figure.low <= measure.value <= figure.high
        fact = Fact(
            id=case.draft.new_id("f"),
            type=kind,
            value=words[:LONGEST],
            at=case.draft.moment.at,
            step=step,
            category=_category(said, kind == "measurement"),
            number=measure.value if measure else None,
            unit=measure.unit if measure else None,
            state=state_words(said),
            parts=parts_in(said, (0, len(said.text))),
            out_of_range=off and measure is not None and figure is not None and measure.unit == figure.unit,
        )
        yield fact, (start, end), said


def _figure(case: Case, step: str | None) -> Figure | None:
    known = case.desk.library.step(step)
    return case.desk.library.figures.get(known.expects) if known is not None and known.expects else None


def _measure(said: Reading, figure: Figure | None) -> Measure | None:
    """The reading of a sentence; a bare number takes the unit that the step expects."""
    found = said.find(measures)
    if figure is not None:
        fitting = [m for m in found if m.unit == figure.unit]
        if fitting:
            return fitting[-1]
        bare = [m for m in found if m.unit is None]
        if bare and len(said.tokens) <= 6:
            return bare[-1]._replace(unit=figure.unit)
    with_unit = [m for m in found if m.unit not in (None, "h", "$", "people", "d")]
    return with_unit[-1] if with_unit else None


# --- the stages ---


def learn(case: Case) -> Iterator[Event]:
    """Facts from the message, and what they do to hypotheses and contradictions."""
    if case.intent.type not in LEARNS or case.intent.evidence == "technician_dispute":
        return
    given = tuple(case.reading.find(topics_of))
    if given and not set(given) <= set(case.evidence.topics):
        yield TopicsGiven(topics=given)
    if case.intent.type == "CORRECTION":
        return  # what it says was taken in by `correct`
    if case.intent.type == "ALREADY_ANSWERED" and not case.reading.find(measures) and state_words(case.reading) is None:
        return  # it only says that something was said
    closed = case.happened(StepClosed)
    step = closed[0].step if closed else None
    for fact, span, said in list(_facts(case, step)):
        same = next((f for f in case.evidence.live() if _same(f, fact)), None)
        if same is not None:
            continue
        yield FactLearned(fact=fact, because=case.cause(f"fact.{fact.type}", span))
        yield from _doubt_impossible(case, fact)
        yield from _contradict(case, fact)
        yield from _weigh(case, fact, said)
    for entered in case.happened(BranchEntered):
        newest = case.evidence.facts[-1].id if case.evidence.facts else ""
        yield HypothesisMoved(
            id=case.draft.new_id("h"), description=f"{entered.branch} at {entered.step}", supporting=(newest,)
        )


def _same(a: Fact, b: Fact) -> bool:
    bare = len(b.value.split()) <= 2
    return a.value.strip(" .!").casefold() == b.value.strip(" .!").casefold() and (not bare or a.step == b.step)


def _doubt_impossible(case: Case, fact: Fact) -> Iterator[Event]:
    """A reading that its quantity cannot have is kept and asked about, once; until then its step is open."""
    figure = _figure(case, fact.step)
    if figure is None or fact.number is None or fact.unit != figure.unit:
        return
    if not figure.least <= fact.number <= figure.most:
        question = case.text("doubt.impossible", value=f"{fact.number:g} {fact.unit}", expected=figure.text())
        yield DoubtRaised(about=f"{fact.step}: {fact.number:g} {fact.unit}", question=question)
        if fact.step is not None and fact.step not in case.draft.before.procedure.reopened:
            yield StepReopened(step=fact.step, reason="its reading cannot be", because=case.cause("fact.impossible"))


def _contradict(case: Case, fact: Fact) -> Iterator[Event]:
    """Another live fact on the same quantity or part that disagrees. A reading said to be new takes its place."""
    changed = case.reading.has("changed")
    for other in case.evidence.live():
        if other.id == fact.id or not opposed(other, fact):
            continue
        if changed or _settles(case, fact):
            yield FactsSuperseded(facts=(other.id,), by=fact.id)
            yield from settle(case, other.id, f"superseded by {fact.id}")
            continue
        found = Contradiction(case.draft.new_id("c"), other.id, fact.id)
        yield ContradictionFound(contradiction=found)
        question = case.text("doubt.contradiction", first=other.value, second=fact.value)
        yield DoubtRaised(about=found.id, question=question, candidates=(other.value, fact.value))
        return


def opposed(a: Fact, b: Fact) -> bool:
    """Whether two facts are on the same thing and cannot both hold."""
    shared = (a.step is not None and a.step == b.step) or bool(set(a.parts) & set(b.parts))
    if not shared:
        return False
    if a.number is not None and b.number is not None and a.unit == b.unit and a.unit is not None:
        return a.step == b.step and disagree(a.number, b.number, a.unit)
    return a.state is not None and b.state is not None and a.state != b.state and bool(set(a.parts) & set(b.parts))


def _settles(case: Case, fact: Fact) -> bool:
    """A third word on a quantity that is in doubt settles it, and so does the new answer to a reopened step."""
    if fact.step is not None and fact.step in case.draft.before.procedure.reopened:
        return True
    doubted = {id for c in case.evidence.contradictions if c.resolution is None for id in (c.a, c.b)}
    return any(f.id in doubted and f.step == fact.step and f.id != fact.id for f in case.evidence.live())


def settle(case: Case, fact: str, resolution: str) -> Iterator[Event]:
    """The contradictions in which a fact stood are over."""
    for found in case.evidence.contradictions:
        if found.resolution is None and fact in (found.a, found.b):
            yield ContradictionResolved(id=found.id, resolution=resolution)


def _weigh(case: Case, fact: Fact, said: Reading) -> Iterator[Event]:
    """Key findings raise hypotheses; a part called in order speaks against those about it."""
    for name, cue in said.find(key_findings):
        yield HypothesisMoved(
            id=case.draft.new_id("h"), description=name, supporting=(fact.id,), because=case.cause(cue.id)
        )
    for fault in said.find(faults):
        yield HypothesisMoved(id=case.draft.new_id("h"), description=f"fault: {fault.part}", supporting=(fact.id,))
    if fact.state != "ok" and not said.has("runs"):
        return
    for hypothesis in case.evidence.hypotheses:
        about = {word[:5] for word in hypothesis.description.casefold().split()}
        if about & set(fact.parts) and fact.id not in hypothesis.supporting:
            yield HypothesisMoved(id=hypothesis.id, description=hypothesis.description, contradicting=(fact.id,))


def correct(case: Case) -> Iterator[Event]:
    """A corrected reading: the old fact gives way; with a new value its step is answered anew, without one reopened."""
    if case.intent.type != "CORRECTION":
        return
    old = corrected(case)
    if old is None:
        return
    value = case.intent.value
    if isinstance(value, float):
        number = next((m for m in case.reading.find(measures) if m.value == value), None)
        figure = _figure(case, old.step)
        fact = Fact(
            id=case.draft.new_id("f"),
            type="measurement",
            value=case.reading.text[:LONGEST],
            at=case.draft.moment.at,
            step=old.step,
            category="test_result",
            number=value,
            unit=(number.unit if number else None) or old.unit,
            parts=old.parts,
            out_of_range=figure is not None and not figure.low <= value <= figure.high,
        )
        yield FactsSuperseded(facts=(old.id,), by=fact.id, because=case.cause("fact.corrected"))
        yield FactLearned(fact=fact, because=case.cause("fact.corrected"))
        yield from settle(case, old.id, f"superseded by {fact.id}")
        if old.step is not None:
            yield from _undo_branches(case, old.step)
            yield StepClosed(step=old.step, value=fact.value, because=case.cause("step.corrected"))
        return
    yield FactsSuperseded(facts=(old.id,), by="correction", because=case.cause("fact.withdrawn"))
    yield from settle(case, old.id, "withdrawn by the technician")
    if old.step is not None:
        yield from _undo_branches(case, old.step)
        yield StepReopened(step=old.step, reason="its reading was taken back", because=case.cause("step.withdrawn"))


def settle_doubt(case: Case) -> Iterator[Event]:
    """ "The second one", after two facts disagreed and the technician was asked which of them is right."""
    asked = case.draft.before.diagnosis.doubt_on
    if not asked:
        return
    yield DoubtSettled()
    found = next((c for c in case.evidence.contradictions if c.id == asked and c.resolution is None), None)
    chosen = _chosen(case.reading) if found is not None else None
    if found is None or chosen is None:
        return
    wrong, right = (found.b, found.a) if chosen == 1 else (found.a, found.b)
    yield FactsSuperseded(facts=(wrong,), by=right, because=case.cause("contradiction.word"))
    yield ContradictionResolved(id=found.id, resolution=f"the technician's word: {case.reading.text[:80]}")


def _chosen(reading: Reading) -> int | None:
    """Which of two a short message takes."""
    if len(reading.tokens) > 8:
        return None
    for cue in reading.all("reference"):
        words = reading.folded[cue.start : cue.end]
        place = ordinal(reading, reading.folded[slice(*cue.groups["ordinal"])]) if "ordinal" in cue.groups else None
        if place in (1, 2, -1) or "former" in cue.groups:
            return 1 if place == 1 or "former" in words else 2
    return None


def corrected(case: Case) -> Fact | None:
    """The fact that a correction is about: by the figure it names, by its topic, or the newest reading."""
    live: list[Fact] = [fact for fact in case.evidence.live() if fact.source == "technician"]
    named = {m.value for m in case.reading.find(measures)} - {case.intent.value}
    read = [fact for fact in live if fact.number is not None]
    for fact in reversed(read):
        if fact.number in named:
            return fact
    stop = case.reading.reader.phrases("stop", "words")
    words = stems(case.reading.text, stop)
    for fact in reversed(live):
        if fact.step is not None and words & stems(_part(case, fact.step), stop):
            return fact
    if read:
        return read[-1]
    return next((fact for fact in reversed(live) if fact.step is not None), None)


def _part(case: Case, step: str) -> str:
    known = case.desk.library.step(step)
    return f"{known.part.in_(case.language)} {known.part.en}" if known else ""


def _undo_branches(case: Case, step: str) -> Iterator[Event]:
    """A branch that the old answer opened, and the new one does not, is left and its steps are taken out."""
    procedure = case.procedure
    if procedure is None:
        return
    for branch in procedure.branch:
        if case.progress.entered.get(branch.id) != step or triggered(branch, case.reading):
            continue
        steps = tuple(s.id for s in procedure.step if s.branch == branch.id)
        yield StepsTakenOut(steps=steps, reason=f"{branch.id} no longer applies", because=case.cause("branch.undone"))
        yield BranchLeft(branch=branch.id, reason="its reading was corrected", unlocks=branch.excludes)


def of_part(facts: Iterable[Fact], parts: Iterable[str]) -> list[Fact]:
    """Facts on any of the parts."""
    wanted = set(parts)
    return [fact for fact in facts if wanted & set(fact.parts)]
