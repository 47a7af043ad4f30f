"""Which step comes next: finding the system, closing a step, entering and leaving a branch.

The next step is the first in list order that is open, not gated, in the active branch (or in the main flow), with all
it needs closed. An answer closes the open step only, except in the first message, whose findings close what they
answer. `diagnosis.py` says when each stage runs.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from holdfast.events import Cause, Event
from holdfast.faculties.desk.case import Case
from holdfast.faculties.desk.library import Branch, Procedure, Step, lemmas
from holdfast.faculties.desk.procedure import (
    LONGEST,
    BranchEntered,
    BranchLeft,
    Complaint,
    ComplaintNoted,
    How,
    Progress,
    StepClosed,
    StepOpened,
    StepReopened,
    SubtypeExcluded,
    SystemFound,
)
from holdfast.faculties.desk.signals import (
    bare,
    faults,
    key_findings,
    measures,
    repaired,
    restored,
    sentence_of,
    supposed,
)
from holdfast.faculties.desk.signals import topics as topics_of
from holdfast.reading.reader import Reading
from holdfast.reading.standing import sentences

FREE = ("code", "ask")
"""Checks that are answered in any words: a code may name any part."""
LONGEST_KIND = 6
"""Words of a message that can be nothing but the name of a kind."""
JUDGED = ("yes", "no", "negation", "in_order", "unwell", "working", "not_working", "restored", "runs", "not_runs")
"""Cues that say how something is, and not which it is."""
STATES = ("in_order", "unwell", "runs", "not_runs", "working", "not_working")
"""Cues that say how something is, where the question is which it is."""
WHICH = ("kind", "choice")
"""Answers that say which it is: a reading taken elsewhere is none."""
ANSWERS = ("MAIN_DIAGNOSTIC", "DISPUTE_OR_NEW_EVIDENCE")


def system_in(reading: Reading, order: Iterable[str]) -> tuple[str, tuple[int, int]] | None:
    """The first system, in the library's order, whose words the message has."""
    if not reading.has("system"):
        return None
    blocked = {cue.id.rpartition(".")[2] for cue in reading.all("system_not")}
    named: dict[str, tuple[int, int]] = {}
    for cue in reading.all("system"):
        named.setdefault(cue.id.rpartition(".")[2], cue.span)
    return next(((id, named[id]) for id in order if id in named and id not in blocked), None)


def next_step(procedure: Procedure, progress: Progress, branch: str | None, first: tuple[str, ...] = ()) -> Step | None:
    """The step to ask next in a branch (None: the main flow); `first` names steps that go before the list order."""
    open_ = [
        step
        for step in procedure.step
        if step.id not in progress.closed
        and step.branch == branch
        and not (step.gate and step.gate in progress.excluded)
        and all(need in progress.closed for need in step.needs)
    ]
    return next((step for step in open_ if step.id in first), open_[0] if open_ else None)


def open_steps(procedure: Procedure | None, progress: Progress) -> list[str]:
    """Steps that can still be asked: those of the main flow and of the branch that is open."""
    if procedure is None:
        return []
    return [
        step.id
        for step in procedure.step
        if step.id not in progress.closed
        and (step.branch is None or step.branch == progress.branch)
        and not (step.gate and step.gate in progress.excluded)
    ]


# --- the stages ---


def find_system(case: Case) -> Iterator[Event]:
    """Which procedure the case follows; a second complaint is noted for later."""
    found = system_in(case.reading, case.desk.library.procedures)
    if found is None:
        return
    system, span = found
    if case.progress.system is None:
        yield SystemFound(system=system, because=case.cause(f"system.{system}", span))
    elif system != case.progress.system and case.reading.has("another") and case.reading.has("complaint"):
        words = case.reading.words(sentence_of(case.reading, span))[:LONGEST]
        yield ComplaintNoted(complaint=Complaint(system, words), because=case.cause("system.second", span))


def subtypes(case: Case) -> Iterator[Event]:
    """What kind of unit it is: said on any step, or read from the answer to the step that asks for it."""
    procedure, progress = case.procedure, case.progress
    if procedure is None:
        return
    for gate in procedure.gate:
        if gate.id in progress.excluded:
            continue
        denied = case.reading.first(f"gate.{gate.id}.denied")
        asked = progress.active == gate.asked_at and case.intent.type in ANSWERS
        only = case.reading.first(f"gate.{gate.id}.only") if asked else None
        if only is not None and case.reading.has(f"gate.{gate.id}.keeps"):
            only = None
        cue = denied or only
        if cue is None or supposed(case.reading, cue.span):
            continue
        yield SubtypeExcluded(gate=gate.id, because=case.cause(cue.id, cue.span))
        step = case.step
        if step is not None and step.gate == gate.id:
            yield StepClosed(step=step.id, how="unable", value=case.reading.text, because=case.cause(cue.id, cue.span))


def close_step(case: Case) -> Iterator[Event]:
    """An answer closes the open step; in the first message findings close every step that they answer."""
    if case.happened(SystemFound):
        yield from _first_findings(case)
        return
    step, intent = case.step, case.intent
    if step is None or case.topics.mode != "diagnostic" or case.happened(StepClosed) or case.happened(StepReopened):
        return
    how: How | None = None
    if intent.type == "ALREADY_ANSWERED":
        how = "already"
    elif intent.type == "UNABLE_TO_VERIFY":
        how = "unable"
    elif intent.type in ANSWERS and intent.evidence != "technician_dispute":
        beside = _only_a_subtype(case, step) or _only_a_repair(case, step) or _of_another_sort(case, step)
        found = intent.type == "DISPUTE_OR_NEW_EVIDENCE" or bool(case.answers.given)
        how = "answered" if found and not beside else None
    if how is not None:
        about = _spoken_of(case, step) if how == "answered" else None
        yield StepClosed(step=step.id, how=how, value=case.reading.text, about=about, because=case.cause(f"step.{how}"))


def asked_words(step: Step, stop: frozenset[str]) -> frozenset[str]:
    """The content words of a step's question and part, in all languages."""
    return lemmas(f"{step.every} {step.part.every}", stop)


def _of_another_sort(case: Case, step: Step) -> bool:
    """Whether a message gives a reading of some other part where a kind is asked for, or a kind where none is: the
    step stays open. A bare figure, a yes and a no answer whatever is asked."""
    reading, procedure = case.reading, case.procedure
    stop = reading.reader.phrases("stop", "words")
    words = lemmas(reading.text, stop)
    if step.answer in WHICH:
        elsewhere = reading.has("part", "site") and any(measure.unit for measure in reading.find(measures))
        points = {reading.folded[slice(*token)] for token in reading.tokens} & reading.reader.phrases(
            "clause", "pointing"
        )
        judged = reading.has(*STATES) and not reading.has("yes", "no") and not points
        return (elsewhere or judged) and not words & lemmas(step.every, stop)
    if procedure is None or words & asked_words(step, stop):
        return False
    kinds = [asked_words(other, stop) for other in procedure.step if other.answer in WHICH]
    told = len(reading.tokens) <= LONGEST_KIND and not reading.find(measures) and not reading.has(*JUDGED)
    return told and bool(words) and any(words <= kind for kind in kinds)


def _only_a_repair(case: Case, step: Step) -> bool:
    """Whether a message tells of a repair and of nothing that the step asks: the step stays open. A look at a part may
    well be answered by "cleaned it"."""
    reading = case.reading
    if step.check == "look" or reading.find(repaired) is None or reading.find(restored) is not None:
        return False
    if len(reading.find(measures)) + len(reading.find(faults)) or reading.has("in_order", "yes", "no"):
        return False
    stop = reading.reader.phrases("stop", "words")
    return not lemmas(reading.text, stop) & asked_words(step, stop)


def _spoken_of(case: Case, step: Step) -> str | None:
    """The other step that an answer plainly speaks of: it names the part of that one alone, and nothing of the step
    that was asked. The answer still closes what was asked; a report puts it where it belongs."""
    procedure = case.procedure
    if procedure is None or len(case.reading.tokens) < 2 or step.check in FREE or case.reading.has("direct_power"):
        return None
    stop = case.reading.reader.phrases("stop", "words")

    def parts(known: Step) -> frozenset[str]:
        return lemmas(known.part.in_(case.language), stop)

    words = lemmas(case.reading.text, stop)
    if words & asked_words(step, stop):
        return None
    named = [other for other in procedure.step if words & parts(other)]
    return named[0].id if named and all(parts(other) == parts(named[0]) for other in named) else None


def _only_a_subtype(case: Case, step: Step) -> bool:
    """A bare "it is no combo" answers the question for the type and no other."""
    excluded = [event.gate for event in case.happened(SubtypeExcluded)]
    procedure = case.procedure
    if not excluded or procedure is None or len(case.reading.tokens) > 5:
        return False
    return all(step.id != gate.asked_at for gate in procedure.gate if gate.id in excluded)


def _first_findings(case: Case) -> Iterator[Event]:
    """A finding answers a step when it is on the step's topic and on its part; a bare complaint answers none."""
    procedure = case.procedure
    reading = case.reading
    if procedure is None or not reading.has("topic"):
        return
    stop = reading.reader.phrases("stop", "words")
    for start, end in reading.find(sentences):
        said = reading.reader.read(reading.words((start, end)))
        if not said.find(measures) and not said.has("in_order") and not said.find(key_findings):
            continue
        about = set(said.find(topics_of))
        words = lemmas(said.text, stop)
        for step in procedure.step:
            named = lemmas(step.part.in_(case.language), stop) | lemmas(step.part.en, stop)
            if about.intersection(step.topics) and words & named and step.id not in case.progress.closed:
                cause = case.cause("step.first_message", (start, end))
                yield StepClosed(step=step.id, value=said.text, because=cause)


def take_branch(case: Case) -> Iterator[Event]:
    """Trigger words count only on the answer to a trigger step."""
    procedure = case.procedure
    if procedure is None or not procedure.branch:
        return
    for closing in case.happened(StepClosed):
        if closing.how != "answered":
            continue
        for branch in procedure.branch:
            if closing.step in branch.steps and _may_enter(branch, case.progress) and triggered(branch, case.reading):
                if case.progress.branch is not None:
                    yield BranchLeft(branch=case.progress.branch, reason=f"{branch.id} is critical")
                yield BranchEntered(
                    branch=branch.id,
                    entry=branch.entry,
                    step=closing.step,
                    excludes=branch.excludes,
                    because=_trigger_cause(case, branch),
                )
                yield StepOpened(step=branch.entry)
                return


def _may_enter(branch: Branch, progress: Progress) -> bool:
    if branch.id == progress.branch or branch.id in progress.locked or branch.entry in progress.closed:
        return False
    return progress.branch is None or branch.critical


def triggered(branch: Branch, reading: Reading) -> bool:
    """Whether an answer opens the branch: by its words, by a bare no, or by a reading that is too low."""
    if branch.below is not None:
        read = [m for m in reading.find(measures) if m.unit == branch.below.unit]
        if read:
            return read[-1].value < branch.below.value
    if branch.bare_no and bare(reading, "no"):
        return True
    cues = reading.all(f"branch.{branch.id}")
    return any(not supposed(reading, cue.span) for cue in cues)


def _trigger_cause(case: Case, branch: Branch) -> Cause:
    cue = case.reading.first(f"branch.{branch.id}")
    return case.cause(cue.id, cue.span) if cue else case.cause(f"branch.{branch.id}")


def advance(case: Case) -> Iterator[Event]:
    """Open the next step when none is open; a branch without open steps is left."""
    procedure = case.procedure
    if procedure is None or case.progress.active is not None:
        return
    diagnosis = case.diagnosis
    if diagnosis.isolation_complete or diagnosis.terminal != "normal":
        return
    first = diagnosis.prefer
    branch = case.progress.branch
    if branch is not None:
        step = next_step(procedure, case.progress, branch, first)
        if step is not None:
            yield StepOpened(step=step.id)
            return
        yield BranchLeft(branch=branch, reason="all of its steps are closed")
    step = next_step(procedure, case.progress, None, first)
    if step is not None:
        yield StepOpened(step=step.id)
