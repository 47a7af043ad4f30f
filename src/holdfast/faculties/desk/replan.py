"""Taking a conclusion back: after isolation, physical evidence, a dispute or a reading that contradicts it.

A replan says why, supersedes the facts that called the part in order, unlocks branches, and decides which open step
comes first. Without isolation there is never one, and a terminal case stays terminal.
"""

from __future__ import annotations

from collections.abc import Iterator

from holdfast.events import Event
from holdfast.faculties.desk.case import Case
from holdfast.faculties.desk.evidence import Fact, FactsSuperseded, HypothesisMoved, disagree, of_part
from holdfast.faculties.desk.isolation import NoticeGiven, Replan, Replanned
from holdfast.faculties.desk.learning import parts_in
from holdfast.faculties.desk.library import lemmas
from holdfast.faculties.desk.procedure import BranchLeft, StepReopened
from holdfast.faculties.desk.signals import damage, measures, path_label, restored
from holdfast.faculties.desk.steps import open_steps
from holdfast.faculties.desk.topics import SubmodeChanged
from holdfast.telling import said

SHOWN = 100
"""Characters of the message in the reason."""


def replan(case: Case) -> Iterator[Event]:
    """The stage: is the conclusion still good?"""
    if case.topics.submode == "replan":  # the notice of an earlier turn was given
        yield SubmodeChanged(submode="main", reason=said("desk.why_noticed"))
        yield NoticeGiven()
    concluded = case.diagnosis.isolation_complete and case.diagnosis.terminal != "terminal"
    evidence = _evidence(case) if case.desk.flags.replan and concluded else None
    if evidence is not None:
        yield from _replanned(case, evidence)


def _replanned(case: Case, evidence: str) -> Iterator[Event]:
    diagnosis, id = case.diagnosis, case.draft.new_id("replan")
    label = path_label(case.reading.find(damage)) if evidence == "physical_damage" else None
    words = case.reading.text[:SHOWN]
    reason = str(said("desk.why_evidence", words=words))
    compared = _compared(case) if evidence == "measurement_change" else None
    deciding = (compared.step if compared is not None else None) or diagnosis.deciding_step
    yield Replanned(
        replan=Replan(id, reason, evidence, label, diagnosis.finding, words),
        prefer=_first_steps(case),
        because=case.cause(f"replan.{evidence}"),
    )
    yield SubmodeChanged(submode="replan", reason=reason)
    yield from _supersede(case, id, evidence, diagnosis.deciding_fact)
    if label is not None:
        yield HypothesisMoved(id=case.draft.new_id("h"), description=label, because=case.cause("replan.path"))
    if case.progress.branch is not None or case.progress.locked:
        branch = case.progress.branch or ""
        yield BranchLeft(branch=branch, reason=said("desk.why_concluded"), unlocks=case.progress.locked)
    yield from _reopen(case, evidence, deciding)


def _evidence(case: Case) -> str | None:
    """The kind of evidence that speaks against the conclusion, if any does."""
    intent = case.intent
    if intent.type == "CORRECTION" and case.happened(StepReopened):
        return "measurement_change"  # a reading that it may rest on was taken back
    if intent.type == "DISPUTE_OR_NEW_EVIDENCE":
        if intent.evidence == "measurement_change":
            return intent.evidence if _contradicts(case, unknown=True) else None
        return intent.evidence
    if intent.type == "MAIN_DIAGNOSTIC" and case.reading.find(restored) is None and _contradicts(case, unknown=False):
        return "measurement_change"
    return None


def _compared(case: Case) -> Fact | None:
    """The live fact on the quantity that the message measures."""
    read = [m for m in case.reading.find(measures) if m.unit]
    if not read:
        return None
    unit = read[-1].unit
    same = [f for f in case.evidence.live() if f.number is not None and f.unit == unit]
    named = of_part(same, parts_in(case.reading, (0, len(case.reading.text))))
    found: list[Fact] = named or same
    return found[-1] if found else None


def _contradicts(case: Case, unknown: bool) -> bool:
    """Whether a reading disagrees with what is known; `unknown` is the answer when there is nothing to compare."""
    read = [m for m in case.reading.find(measures) if m.unit]
    if not read:
        return unknown
    old = _compared(case)
    if old is None or old.number is None:
        return unknown
    return disagree(old.number, read[-1].value, old.unit)


def _supersede(case: Case, id: str, evidence: str, deciding: str | None) -> Iterator[Event]:
    live = case.evidence.live()
    gone = [fact.id for fact in live if fact.id == deciding]
    if evidence == "physical_damage":
        parts = parts_in(case.reading, (0, len(case.reading.text)))
        gone += [fact.id for fact in of_part(live, parts) if fact.state == "ok"]
    if gone:
        yield FactsSuperseded(facts=tuple(dict.fromkeys(gone)), by=id, because=case.cause("replan.superseded"))


def _first_steps(case: Case) -> tuple[str, ...]:
    """Open steps on the component of the new evidence."""
    procedure = case.procedure
    if procedure is None:
        return ()
    stop = case.reading.reader.phrases("stop", "words")
    words = lemmas(case.reading.text, stop)
    open_ = open_steps(procedure, case.progress)
    return tuple(id for id in open_ if words & lemmas(procedure.steps[id].every, stop))[:6]


def _reopen(case: Case, evidence: str, deciding: str | None) -> Iterator[Event]:
    """A dispute or another reading goes back to the deciding step; so does anything else when no step is open."""
    procedure = case.procedure
    if procedure is None:
        return
    closed = list(case.progress.closed)
    target = deciding if deciding in procedure.steps else None
    if evidence in ("technician_dispute", "measurement_change") and target in closed and target is not None:
        yield StepReopened(step=target, reason=evidence, because=case.cause("replan.step"))
    elif not open_steps(procedure, case.progress) and closed:
        again = target if target in closed and target is not None else closed[-1]
        yield StepReopened(step=again, reason=evidence, because=case.cause("replan.step"))
