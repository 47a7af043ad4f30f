"""Taking back what was said: a corrected reading supersedes its fact and reopens exactly what rested on it; "the second
one" settles which of two facts is right."""

from __future__ import annotations

from collections.abc import Callable, Iterator

from holdfast.events import DoubtRaised, Event
from holdfast.faculties.desk.case import Case
from holdfast.faculties.desk.evidence import MAX_FACT_CHARS, ContradictionResolved, Fact, FactLearned, FactsSuperseded
from holdfast.faculties.desk.hearing import UNITS
from holdfast.faculties.desk.isolation import DoubtSettled
from holdfast.faculties.desk.learning import figure_of, settle
from holdfast.faculties.desk.library import lemmas
from holdfast.faculties.desk.procedure import BranchLeft, StepClosed, StepReopened, StepsTakenOut
from holdfast.faculties.desk.signals import measures
from holdfast.faculties.desk.steps import triggered
from holdfast.reading.mentions import ordinal
from holdfast.reading.reader import Reading
from holdfast.telling import said


def correct(case: Case) -> Iterator[Event]:
    """A corrected reading: the old fact gives way; with a new value its step is answered anew, without one reopened."""
    old = corrected(case) if case.intent.type == "CORRECTION" else None
    if old is None:
        return
    if isinstance(case.intent.value, float):
        yield from _replaced(case, old, case.intent.value)
        return
    yield FactsSuperseded(facts=(old.id,), by="correction", because=case.cause("fact.withdrawn"))
    yield from settle(case, old.id, said("desk.taken_back"))
    if old.step is not None and not _stands(case):
        yield from _undo_branches(case, old.step)
        yield StepReopened(step=old.step, reason=said("desk.why_reading_back"), because=case.cause("step.withdrawn"))


def _replaced(case: Case, old: Fact, value: float) -> Iterator[Event]:
    """Another reading takes the place of a fact."""
    unit = next((m.unit for m in case.reading.find(measures) if m.value == value), None) or old.unit
    figure = figure_of(case, old.step)
    fact = Fact(
        id=case.draft.new_id("f"),
        type="measurement",
        value=case.reading.text[:MAX_FACT_CHARS],
        at=case.draft.moment.at,
        step=old.step,
        category="test_result",
        number=value,
        unit=unit,
        parts=old.parts,
        out_of_range=figure is not None and figure.is_off(value, unit or figure.unit),
    )
    yield FactsSuperseded(facts=(old.id,), by=fact.id, because=case.cause("fact.corrected"))
    yield FactLearned(fact=fact, because=case.cause("fact.corrected"))
    yield from settle(case, old.id, said("desk.newer", fact=fact.id))
    if old.step is not None:
        yield from _undo_branches(case, old.step)
        yield StepClosed(step=old.step, value=fact.value, because=case.cause("step.corrected"))


def _stands(case: Case) -> bool:
    """Whether the conclusion stays whatever is taken back: the case is over, or replans are switched off."""
    diagnosis = case.diagnosis
    return diagnosis.terminal == "terminal" or (diagnosis.isolation_complete and not case.desk.flags.replan)


def settle_doubt(case: Case) -> Iterator[Event]:
    """ "The second one", after two facts disagreed and the technician was asked which of them is right."""
    asked = case.draft.before.diagnosis.doubt_on
    if not asked or case.happened(DoubtRaised):
        return  # nothing was in doubt, or something else is now
    yield DoubtSettled()
    found = next((c for c in case.evidence.contradictions if c.id == asked and c.resolution is None), None)
    chosen = _chosen(case.reading) if found is not None else None
    if found is None or chosen is None:
        return
    wrong, right = (found.b, found.a) if chosen == 1 else (found.a, found.b)
    yield FactsSuperseded(facts=(wrong,), by=right, because=case.cause("contradiction.word"))
    yield ContradictionResolved(id=found.id, resolution=said("desk.technician", words=case.reading.text[:80]))


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
    """The fact that a correction is about: by the figure it names, by its unit, by its part, or the newest reading."""
    live = [f for f in reversed(case.evidence.live()) if f.source == "technician" and f.category != "repair"]
    named = {m.value for m in case.reading.find(measures)} - {case.intent.value}
    units = _quantities(case.reading)
    stop = case.reading.reader.phrases("stop", "words")
    words = lemmas(case.reading.text, stop)
    ways: tuple[Callable[[Fact], bool], ...] = (
        lambda fact: fact.number in named,
        lambda fact: fact.number is not None and fact.unit in units,
        lambda fact: fact.step is not None and not words.isdisjoint(lemmas(_part(case, fact.step), stop)),
        lambda fact: fact.number is not None,
        lambda fact: fact.step is not None,
    )
    return next((fact for way in ways for fact in live if way(fact)), None)


def _quantities(reading: Reading) -> set[str]:
    """Units of what a correction names: "the voltage was 11.9", "9.5 V"."""
    units = {m.unit for m in reading.find(measures) if m.unit}
    return units | {UNITS[cue.means] for cue in reading.all("quantity")}


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
        yield StepsTakenOut(
            steps=steps, reason=said("desk.why_not_valid", branch=branch.id), because=case.cause("branch.undone")
        )
        yield BranchLeft(branch=branch.id, reason=said("desk.why_reading_fixed"), unlocks=branch.excludes)
