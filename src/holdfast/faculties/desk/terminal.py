"""When a case is over, and what may be concluded on the way: fault, repair and restoration make it terminal.

A part that is named as faulty is a candidate: one question follows, whether it was repaired and the unit works. A part
that does not run on direct power is isolated; one that runs is good, and the fault is upstream of it. "Needs
replacement" is never "replaced".
"""

from __future__ import annotations

from collections.abc import Iterator

from holdfast.events import Event
from holdfast.faculties.desk import isolation, signals
from holdfast.faculties.desk.case import Case
from holdfast.faculties.desk.evidence import HypothesisMoved
from holdfast.faculties.desk.library import DirectPower, Procedure, lemma, lemmas
from holdfast.faculties.desk.procedure import StepClosed, StepReopened, StepSetAside, SystemFound
from holdfast.faculties.desk.steps import advance, open_steps
from holdfast.reading.reader import Reading, within
from holdfast.reading.standing import sentence_of
from holdfast.telling import Said, said

SHOWN = 120
PATIENCE = 2
"""Restoration checks that are asked before the open steps go on."""
QUIET = ("LOCATE", "EXPLAIN", "HOWTO", "STEP_HELP", "COMMAND", "CORRECTION", "UNABLE_TO_VERIFY")


def terminal(case: Case) -> Iterator[Event]:
    """The stage: normal, fault_candidate or terminal."""
    state = case.diagnosis.terminal
    if state == "terminal":
        yield from _back(case)
    elif case.happened(isolation.Replanned) or case.happened(SystemFound) or not case.draft.before.procedure.closed:
        return
    elif state == "fault_candidate" and case.happened(StepReopened):
        yield isolation.CaseResumed(reason=said("desk.why_check"), because=case.cause("terminal.resumed"))
    elif state == "fault_candidate":
        yield from _candidate(case)
    elif case.intent.type not in QUIET:
        yield from _normal(case)


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
    reading = case.reading
    repair = reading.find(signals.repaired)
    if reading.find(signals.restored) is not None and (repair is not None or case.diagnosis.repaired):
        yield from _end(case)
        return
    yield from _repair_seen(reading)
    # "I think the cap is bad" raises a hypothesis and nothing more
    guessed = reading.all("guessed")
    found = reading.find(signals.faults)
    named = [fault for fault in found if not within(guessed, sentence_of(reading, fault.span))][:1]
    for fault in named if not case.diagnosis.isolation_complete and not _isolates(case) else ():
        if not _good(case, fault.part):
            yield from _suspect(case, fault)


def _repair_seen(reading: Reading) -> Iterator[Event]:
    repair = reading.find(signals.repaired)
    if repair is not None:
        yield isolation.RepairSeen(words=reading.words(sentence_of(reading, repair.span))[:SHOWN])


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


def _good(case: Case, part: str) -> bool:
    """A part that ran on direct power is not the fault."""
    words = {lemma(word) for word in part.casefold().split()}
    return any(words & {lemma(w) for w in good.casefold().split()} for good in case.diagnosis.proven_good)


def _candidate(case: Case) -> Iterator[Event]:
    """The answer to the restoration check."""
    if case.intent.type in QUIET:
        return
    reading = case.reading
    goes_on = case.answers.does("flow") is not None
    still = any(not signals.supposed(reading, cue.span) for cue in reading.all("not_restored"))
    if not still and (_agrees(reading, goes_on) or reading.find(signals.restored) is not None):
        yield from _end(case)
    elif goes_on:
        yield from _resume(case, said("desk.why_goes_on"))
    elif reading.find(signals.repaired) is not None:
        yield from _repair_seen(reading)
    elif case.diagnosis.asks >= PATIENCE + still:
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
    return names or asked or not _other_part(case.reading)


def _answers_test(case: Case, procedure: Procedure) -> bool:
    """Whether the step that asks for the test was answered."""
    closed = [procedure.steps.get(event.step) for event in case.happened(StepClosed) if event.how == "answered"]
    return any(step is not None and step.check == "direct" for step in closed)


def _ran(reading: Reading, asked: bool) -> bool | None:
    """Whether the part ran; None where nothing is said of it. To the question itself a yes or no will do."""
    if any(not signals.supposed(reading, cue.span) for cue in reading.all("not_runs")) or (
        asked and signals.bare(reading, "no")
    ):
        return False
    if any(not signals.negated(reading, cue.span) for cue in reading.all("runs")) or (asked and reading.has("yes")):
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
