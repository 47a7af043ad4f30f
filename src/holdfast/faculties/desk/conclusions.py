"""When a case is over, and what may be concluded on the way: fault, repair and restoration make it terminal.

A part that is named as faulty is a candidate: one question follows, whether it was repaired and the unit works. A part
that does not run on direct power is isolated; one that runs is good, and the fault is upstream of it. "Needs
replacement" is never "replaced". After isolation, physical evidence, a dispute or a reading that contradicts it takes
the conclusion back: a replan says why, supersedes the facts that called the part in order, unlocks branches, and
decides which open step comes first.
"""

from __future__ import annotations

from collections.abc import Iterator

from holdfast.events import Event
from holdfast.faculties.desk import isolation, signals
from holdfast.faculties.desk.answering import is_done, is_so, mended, works
from holdfast.faculties.desk.case import LEANS, Case
from holdfast.faculties.desk.estimates import worked
from holdfast.faculties.desk.evidence import Fact, FactsSuperseded, HypothesisMoved, disagree, of_part
from holdfast.faculties.desk.isolation import NoticeGiven, Replan, Replanned
from holdfast.faculties.desk.learning import parts_in
from holdfast.faculties.desk.library import DirectPower, Procedure, lemmas
from holdfast.faculties.desk.procedure import BranchLeft, StepClosed, StepReopened, StepSetAside, SystemFound
from holdfast.faculties.desk.report import proven_good
from holdfast.faculties.desk.signals import damage, measures, path_label
from holdfast.faculties.desk.steps import advance, open_steps
from holdfast.faculties.desk.topics import SubmodeChanged
from holdfast.reading.reader import Reading, Span
from holdfast.reading.standing import sentence_of
from holdfast.telling import Said, said

SHOWN = 120
PATIENCE = 2
"""Restoration checks that are asked before the open steps go on."""
QUIET = ("LOCATE", "EXPLAIN", "HOWTO", "STEP_HELP", "COMMAND", "CORRECTION", "UNABLE_TO_VERIFY")


def terminal(case: Case) -> Iterator[Event]:
    """The stage: normal, fault_candidate or terminal."""
    state = case.diagnosis.terminal
    if state == "terminal" and not case.reading.has("back") and _works_not(case):
        yield from _resume(case, said("desk.why_not_yet"))
    elif state == "terminal":
        yield from _back(case)
    elif case.happened(isolation.Replanned) or case.happened(SystemFound) or not _is_begun(case):
        return
    elif state == "fault_candidate" and case.happened(StepReopened):
        yield isolation.CaseResumed(reason=said("desk.why_check"), because=case.cause("terminal.resumed"))
    elif state == "fault_candidate":
        yield from _candidate(case)
    elif case.intent.type not in QUIET or case.intent.type == "UNABLE_TO_VERIFY":
        yield from _normal(case)


def _is_begun(case: Case) -> bool:
    """Whether a step was answered before, or is by a message that also tells of a repair."""
    return bool(case.draft.before.procedure.closed or (case.progress.closed and case.reading.find(mended)))


def _works_not(case: Case) -> bool:
    return case.still and not _works(case) and case.intent.type not in QUIET


def _back(case: Case) -> Iterator[Event]:
    """Only the complaint itself reopens a case that is over."""
    cue = case.reading.first("back")
    if cue is None or signals.supposed(case.reading, cue.span) or case.intent.type in ("LOCATE", "EXPLAIN", "HOWTO"):
        return
    deciding = case.diagnosis.deciding_step
    yield isolation.CaseResumed(reason=said("desk.why_back"), because=case.cause(cue.id, cue.span))
    if not open_steps(case.procedure, case.progress):
        closed = list(case.progress.closed)
        again = deciding if deciding in closed else closed[-1] if closed else None
        if again is not None:
            yield StepReopened(step=again, reason=said("desk.why_back"))
    yield from advance(case)


def _normal(case: Case) -> Iterator[Event]:
    reading, repair = case.reading, _repair(case)
    if _works(case) and not case.still and (repair is not None or case.diagnosis.repaired):
        yield from _end(case)
        return
    yield from _repair_seen(case)
    if repair is not None and not case.still and not case.diagnosis.isolation_complete:
        own = case.procedure.name.in_(case.language) if case.procedure is not None else ""
        parts = [reading.words(span) for _, span in signals.parts_within(reading, repair)]
        yield from _asks_of(case, next(iter(parts), own), "terminal.repaired")
    else:
        yield from _found(case)


def _asks_of(case: Case, part: str, rule: str) -> Iterator[Event]:
    """Whether all works again is asked; no step is, until that is told."""
    yield isolation.TerminalReached(terminal="fault_candidate", part=part, because=case.cause(rule))
    yield from _set_aside(case)


def _found(case: Case) -> Iterator[Event]:
    """A part that is named as faulty."""
    reading = case.reading
    named = _named_faulty(reading)
    for fault in named if not case.diagnosis.isolation_complete and not _isolates(case) else ():
        if proven_good(reading, fault.span, case.state) is None:
            yield from _suspect(case, fault)


def _named_faulty(reading: Reading) -> list[signals.Fault]:
    named = [fault for fault in reading.find(signals.faults) if fault not in reading.find(signals.guessed)]
    return named[:1]


def _repair(case: Case) -> Span | None:
    """The words of a repair: by themselves, or as they are heard after what was asked."""
    known = case.reading.find(mended)
    if known is not None or case.reading.text != case.whole.text:
        return known
    return next((span for span in case.spans("done") if is_done(case.reading, span)), None)


def _works(case: Case, asked: bool = False) -> bool:
    """Whether a message says that the unit works again: by itself, or, less plainly, as an answer to that question."""
    repaired = bool(case.spans("done"))  # "replaced it" tells nothing of the unit
    heard = case.spans("works")
    if any(not is_so(case.whole, span) for span in heard):
        return False  # "works: no"
    told = bool(heard) or case.does("works", lead=LEANS if asked and not repaired else 0)
    return case.reading.find(works) is not None or (told and case.reading.text == case.whole.text)


def _repair_seen(case: Case) -> Iterator[Event]:
    repair, reading = _repair(case), case.reading
    if repair is not None:
        yield isolation.RepairSeen(words=reading.words(sentence_of(reading, repair))[:SHOWN])


def _suspect(case: Case, fault: signals.Fault) -> Iterator[Event]:
    """A part is named as faulty: whether it was repaired, or works again, is asked once."""
    part = _accepted(case, fault.part)
    if part.casefold() != case.diagnosis.resumed.casefold():
        cause = case.cause(fault.rule, fault.span)
        yield isolation.TerminalReached(terminal="fault_candidate", part=part, because=cause)
        yield from _set_aside(case)


def _accepted(case: Case, part: str) -> str:
    """The name of a part without words that a warranty desk refuses: it is asked about by this name."""
    reading = case.reading.reader.read(part)
    for cue in reversed(reading.all("prohibited")):
        part = part[: cue.start] + part[cue.end :]
    return " ".join(part.split()) or part


def _isolates(case: Case) -> bool:
    """Whether the message is for the special isolations: they conclude more than a candidate."""
    tested = case.procedure is not None and case.procedure.direct_power is not None
    return bool(component(case)) or (tested and case.reading.has("direct_power"))


def _candidate(case: Case) -> Iterator[Event]:
    """The answer to the restoration check."""
    if case.intent.type in QUIET:
        return
    goes_on = case.answers.does("flow") is not None
    still = case.still
    if not still and (_agrees(case.reading, goes_on) or _works(case, asked=True)):
        yield from _end(case)
    elif goes_on:
        yield from _resume(case, said("desk.why_goes_on"))
    elif _repair(case) is not None:
        yield from _repair_seen(case)
    elif still and case.diagnosis.repaired:
        yield from _resume(case, said("desk.why_not_yet"))
    elif case.diagnosis.asks >= PATIENCE + still and worked(case.whole) is None:
        yield from _resume(case, said("desk.why_not_yet" if still else "desk.why_unanswered"))


def _agrees(reading: Reading, goes_on: bool) -> bool:
    """Whether a message is a yes to the check; in "yes, what's next" it is to what comes next."""
    return reading.has("yes") and not reading.has("no") and not goes_on


def _resume(case: Case, reason: Said) -> Iterator[Event]:
    yield isolation.CaseResumed(reason=reason, because=case.cause("terminal.resumed"))
    yield from advance(case)


def _end(case: Case) -> Iterator[Event]:
    words = case.reading.text.strip()[:SHOWN]
    if case.diagnosis.candidate and case.diagnosis.candidate.casefold() not in words.casefold():
        words = f"{case.diagnosis.candidate}: {words}"
    yield isolation.TerminalReached(
        terminal="terminal", finding=f"Verified restoration - {words}", because=case.cause("terminal.restored")
    )
    yield from _set_aside(case)


def _set_aside(case: Case) -> Iterator[Event]:
    if case.progress.active is not None:
        yield StepSetAside(step=case.progress.active)


# --- special isolations ---


def isolate(case: Case) -> Iterator[Event]:
    """The stage: a test on direct power, and a component that was checked, does not work and needs replacement."""
    if case.diagnosis.terminal == "terminal" or case.happened(isolation.Replanned) or case.procedure is None:
        return
    if case.intent.type in QUIET:
        return
    test = case.procedure.direct_power
    if test is not None and _is_tested(case, case.procedure):
        yield from _direct_power(case, case.procedure, test)
    part = component(case)
    if part and not case.diagnosis.isolation_complete:
        yield from _conclude(case, f"{part[:1].upper()}{part[1:]} was checked and does not operate; replacement needed")


def _conclude(case: Case, finding: str) -> Iterator[Event]:
    closed = case.happened(StepClosed)
    fact = case.evidence.facts[-1].id if case.evidence.facts else None
    step = closed[-1].step if closed else None
    yield isolation.Isolated(finding=finding, step=step, fact=fact, because=case.cause("isolation.evidence"))
    yield from _set_aside(case)


def _direct_power(case: Case, procedure: Procedure, test: DirectPower) -> Iterator[Event]:
    asked = _answers_test(case, procedure)
    told = asked or case.reading.has("direct_power")
    result = _ran(case.reading, asked)
    if result is True and told:
        cue = case.reading.first("direct_power")
        yield isolation.DirectPowerUsed(
            works=True, part=test.part, because=case.cause("direct_power.works", cue and cue.span)
        )
        yield HypothesisMoved(
            id=case.draft.new_id("h"),
            description=f"the fault is upstream of the {test.part.lower()}",
            supporting=tuple(f.id for f in case.evidence.facts[-1:]),
        )
    elif result is False and not case.diagnosis.isolation_complete and test.part not in case.diagnosis.proven_good:
        yield isolation.DirectPowerUsed(part=test.part)
        yield from _conclude(case, f"{test.part} failed direct-power test - {test.what} failure confirmed")
    elif told:
        yield isolation.DirectPowerUsed(part=test.part)


def _is_tested(case: Case, procedure: Procedure) -> bool:
    """Whether a message tells of the part that the procedure tests on direct power."""
    names, asked = case.reading.has(f"powered.{procedure.id}"), _answers_test(case, procedure)
    if not case.reading.has("direct_power") and not asked and not (case.diagnosis.direct and names):
        return False
    return names or asked or not any(_other_part(said) for said in _of_the_test(case.reading))


def _answers_test(case: Case, procedure: Procedure) -> bool:
    closed = [procedure.steps.get(event.step) for event in case.happened(StepClosed) if event.how == "answered"]
    return any(step is not None and step.check == "direct" for step in closed)


def _ran(reading: Reading, asked: bool) -> bool | None:
    """Whether the part ran; None where nothing is said of it."""
    results = (_told_to_run(said, asked) for said in _of_the_test(reading))
    return next((result for result in results if result is not None), None)


def _of_the_test(reading: Reading) -> Iterator[Reading]:
    """What a message tells of a test on direct power: its clause, what follows, and its sentence. What was said before
    that ("the awning is dead") is why it was tested."""
    cue = reading.first("direct_power")
    if cue is None:
        yield reading
        return
    clause = signals.clause_of(reading, cue.start)
    for span in (clause, (clause[0], len(reading.text)), sentence_of(reading, cue.span)):
        yield reading.reader.read(reading.words(span))


def _told_to_run(reading: Reading, asked: bool) -> bool | None:
    """Whether words say that something ran, or that it did not. To the question itself a yes or no will do."""
    if any(not signals.supposed(reading, cue.span) for cue in reading.all("not_runs")) or (
        asked and signals.bare(reading, "no")
    ):
        return False
    runs = signals.beside(reading.all("runs"), reading, "running_it")  # "ran it off a battery" tells of the test
    if any(not signals.negated(reading, cue.span) for cue in runs) or (asked and reading.has("yes")):
        return True
    return None


def _other_part(reading: Reading) -> bool:
    """Whether another part than the source of the power is named."""
    named = [reading.folded[slice(*part.span)].split() for part in reading.find(signals.parts)]
    sources = tuple(reading.reader.phrases("power", "sources"))
    return any(not any(word.startswith(sources) for word in words) for words in named)


def component(case: Case) -> str:
    """The component that one message says was checked, does not work and needs replacement."""
    reading = case.reading
    if not reading.has("checked") or not reading.has("repair_needed") or case.procedure is None:
        return ""
    stop = reading.reader.phrases("stop", "words")
    known = frozenset(stem for step in case.procedure.step for stem in lemmas(step.every, stop))
    for broken in reading.all("not_working"):
        start, end = sentence_of(reading, broken.span)
        for part in reversed(reading.find(signals.parts)):
            if start <= part.span[0] < end and lemmas(reading.words(part.span), stop) & known:
                return reading.words(signals.whole_name(reading, part.span))
    return ""


# --- taking a conclusion back ---


REASON_CHARS = 100
"""Characters of the message in the reason of a replan."""


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
    words = case.reading.text[:REASON_CHARS]
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
    if intent.type == "MAIN_DIAGNOSTIC" and case.reading.find(works) is None and _contradicts(case, unknown=False):
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
    old = _compared(case)
    if old is None or old.number is None:
        return unknown
    return disagree(old.number, [m.value for m in case.reading.find(measures) if m.unit][-1], old.unit)


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
    again = deciding if deciding in procedure.steps and deciding in closed else None
    if again is None or evidence not in ("technician_dispute", "measurement_change"):
        over = closed and not open_steps(procedure, case.progress)
        again = (again or closed[-1]) if over else None
    if again is not None:
        yield StepReopened(step=again, reason=evidence, because=case.cause("replan.step"))
