"""Which step comes next: finding the system, closing a step, entering and leaving a branch.

The next step is the first in list order that is open, not gated, in the active branch (or in the main flow), with all
it needs closed. An answer closes the open step only, except in the first message, whose findings close what they
answer. `diagnosis.py` says when each stage runs.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from itertools import pairwise

from holdfast.events import Event
from holdfast.faculties.desk.answering import QUESTIONS, Asked, Heard, answers, asked_at, mended
from holdfast.faculties.desk.case import Case
from holdfast.faculties.desk.estimates import worked
from holdfast.faculties.desk.isolation import CaseResumed
from holdfast.faculties.desk.library import Branch, Gate, Procedure, Step, lemmas
from holdfast.faculties.desk.procedure import (
    MAX_ANSWER_CHARS,
    BranchEntered,
    BranchLeft,
    Complaint,
    ComplaintNoted,
    How,
    NoteKept,
    Progress,
    StepClosed,
    StepOpened,
    StepReopened,
    SubtypeExcluded,
    SystemFound,
)
from holdfast.faculties.desk.signals import (
    bare,
    clauses,
    damage,
    faults,
    guessed,
    measures,
    misspelled_systems,
    named_parts,
    parts,
    supposed,
)
from holdfast.reading.reader import Cue, Reader, Reading, Span, overlap, within
from holdfast.reading.standing import sentences
from holdfast.telling import said

WELL = ("in_order", "working", "runs", "restored", "checked", "all_well")
"""Cues that say that a system is well."""
TROUBLE = ("complaint", "not_working", "symptom", "fault", "bad", "damage", "not_runs")
"""Cues that say what is wrong with a system."""
FREE = ("code", "ask")
"""Checks that are answered in any words: a code may name any part."""
SURE = 32
"""How far an answer must lead where the words could also be a complaint about another system, or an answer to another
step."""
WHICH = ("kind", "choice")
"""Answers that say which it is: a reading taken elsewhere is none."""
ANSWERS = ("MAIN_DIAGNOSTIC", "DISPUTE_OR_NEW_EVIDENCE")
TALK = ("aside", "later", "leaves")
"""Clauses that tell nothing of the machine."""
ORDERS = ("skips", "report", "switch", "already")
"""Clauses that want something of the desk."""
COMPLAINS = -24
"""From how far on a message may complain of another machine."""
TALKS = 8
"""How far talk beside a finding must lead to be left out of what is reported."""
_EDGES = " \t\n.,;:-"
CLOSES: dict[str, How] = {"ALREADY_ANSWERED": "already", "UNABLE_TO_VERIFY": "unable"}
"""Intents that close the open step without an answer to it, and how."""


def _systems_named(reading: Reading, asked_which: bool) -> dict[str, Span]:
    """The systems whose words the message has, and where it names each first."""
    named: dict[str, Span] = {}
    cues = reading.all("system") + (reading.all("side") if asked_which else [])
    for id, span in [*((cue.means, cue.span) for cue in cues), *reading.find(misspelled_systems)]:
        named.setdefault(id, span)
    return named


def system_in(
    reading: Reading, procedures: Mapping[str, Procedure], asked_which: bool = False
) -> tuple[str, Span] | None:
    """The first system, in the library's order, whose words the message has; slips of spelling are known. Where it was
    asked which of several is meant, what tells them apart is enough: "the one up top"."""
    blocked = {cue.means for cue in reading.all("system_not")}
    named = _systems_named(reading, asked_which)
    found = [id for id in procedures if id in named and id not in blocked]
    if not found:
        return None
    whole = next((id for id in found[1:] if _has_part(reading, procedures[id], named[id], named[found[0]])), found[0])
    return whole, named[whole]


def _has_part(reading: Reading, system: Procedure, named: Span, other: Span) -> bool:
    """Whether what names another system is only a part of one named before: "the jacks do nothing, pump is quiet"."""
    inside = {part.id for part in reading.find(parts) if overlap(part.span, other)}
    return named < other and bool(inside) and any(inside & own_parts(step, reading.reader) for step in system.step)


def next_step(procedure: Procedure, progress: Progress, branch: str | None, first: tuple[str, ...] = ()) -> Step | None:
    """The step to ask next in a branch (None: the main flow); `first` names steps that go before the list order."""
    waiting = [step for step in procedure.step if step.branch == branch and progress.is_open(step)]
    open_ = [step for step in waiting if progress.closed.keys() >= set(step.needs)]
    return next((step for step in open_ if step.id in first), open_[0] if open_ else None)


def open_steps(procedure: Procedure | None, progress: Progress) -> list[str]:
    """Steps that can still be asked: those of the main flow and of the branch that is open."""
    if procedure is None:
        return []
    return [step.id for step in procedure.step if step.branch in (None, progress.branch) and progress.is_open(step)]


# --- the stages ---


def find_system(case: Case) -> Iterator[Event]:
    """Which procedure the case follows; a second complaint is noted for later, whatever else the message says."""
    if case.progress.system is None:
        found = first_system(case)
        if found is None:
            return
        system, span = found
        words = complaint_in(case, span)
        yield SystemFound(system=system, complaint=words, because=case.cause(f"system.{system}", span))
        if not case.reading.has("another"):
            return
    if case.reading.has("another") or case.does("complaint", lead=COMPLAINS):
        yield from _second_complaint(case)


def first_system(case: Case) -> tuple[str, Span] | None:
    """The system that a message opens a case on: the one that is named before "and also" another."""
    systems, which = case.desk.library.procedures, case.draft.before.diagnosis.doubt_on == "system"
    first = case.reading.text[slice(*_one_by_one(case.reading)[0])]
    return system_in(case.reading.reader.read(first), systems, which) or system_in(case.reading, systems, which)


def _one_by_one(reading: Reading) -> list[Span]:
    """The sentences of a message; one that tells of "also" another system, cut before the clause that names it."""
    found: list[Span] = []
    for start, end in reading.find(sentences):
        also = within(reading.all("another"), (start, end))
        cuts = [at for at, _ in reading.find(clauses) if also and start < at < end]
        named = reading.all("system")
        cuts = [at for at in cuts if all(within(named, side) for side in ((start, at), (at, end)))]
        found += pairwise([start, *cuts[:1], end])
    return found or [(0, 0)]


def complaint_in(case: Case, named: Span) -> str:
    """The words of a complaint: from the machine to what it does wrong, as they are heard; else the sentence that names
    the system, and those that say what is wrong. Where none does, the question was which system it is: what was told
    before it is the complaint."""
    reading = case.reading
    wrong = [cue.start for family in TROUBLE for cue in reading.all(family)]
    if not wrong and (told := _told_before(case)):
        return told
    if (heard := _heard_complaint(case, named)) is not None:
        return reading.words(heard)[:MAX_ANSWER_CHARS]
    return " ".join(_stated(reading, [named[0], *wrong]))[:MAX_ANSWER_CHARS]


def _stated(reading: Reading, places: list[int]) -> Iterator[str]:
    """The sentences that ask nothing and have one of some places."""
    for start, end in reading.find(sentences):
        words = reading.words((start, end)).strip()
        if "?" not in words and any(start <= place < end for place in places):
            yield words


def _told_before(case: Case) -> str:
    """What was complained of before it was asked which system is meant."""
    if case.draft.before.diagnosis.doubt_on != "system":
        return ""
    told = (fact.value for fact in case.evidence.live() if fact.state == "not ok" or fact.category == "symptom")
    return next(told, "")


def _heard_complaint(case: Case, named: Span) -> Span | None:
    """The words from the machine that is named to what it does wrong, where both are heard in one message."""
    wrong, machine = case.spans("fault"), [one for one in case.spans("system") if overlap(one, named)]
    if case.reading.text != case.whole.text or not wrong or not machine:
        return None
    spans = sorted([machine[0], *wrong])
    return spans[0][0], max(end for _, end in spans)


def _second_complaint(case: Case) -> Iterator[Event]:
    """A sentence that names another system and what is wrong with it. Where the open step asks about that system, it is
    an answer; with a word like "also" it is both."""
    reading = case.reading
    if not reading.has("system"):
        return
    own = asked_about(case)
    for place in _one_by_one(reading):
        said = reading.reader.read(reading.words(place))
        found = system_in(said, case.desk.library.procedures)
        if found is None or found[0] == case.progress.system or _is_own(case, said, found[1]):
            continue
        answers_step = found[0] in own and not said.has("another")
        if not answers_step and _is_wrong(case, said, place):
            complaint = Complaint(found[0], said.text.strip()[:MAX_ANSWER_CHARS])
            yield ComplaintNoted(complaint=complaint, because=case.cause("system.second", place))


def _is_own(case: Case, said: Reading, named: Span) -> bool:
    """Whether what names another system only supposes it, or is a part of the one at hand: the fan of a furnace is no
    vent fan."""
    if supposed(said, named):
        return True
    inside = {part.id for part in said.find(parts) if overlap(part.span, named)}
    steps = case.procedure.step if case.procedure is not None and not said.has("another") else ()
    return any(not inside.isdisjoint(own_parts(step, said.reader)) for step in steps)


def _is_wrong(case: Case, said: Reading, place: Span) -> bool:
    """Whether a sentence says that something is wrong: by its words, as the reading takes it, by telling of one more
    thing, and neither that it is well nor that it was repaired, or by what is to be looked at later."""
    well = any(said.all(family) for family in said.among(WELL)) or said.find(mended) is not None
    one_more = said.has("another") and not well
    if said.has("not_now") or one_more or any(said.all(family) for family in said.among(TROUBLE)):
        return True
    values = [value for clause in case.draft.clauses for value in clause.values if value.attribute == "complaint"]
    return not well and any(place[0] <= value.start < place[1] for value in values)


def asked_about(case: Case) -> set[str]:
    """The systems that the open step asks about: "are the other gas users working (cooktop, furnace)?" """
    if case.step is None:
        return set()
    return {cue.means for cue in case.reading.reader.read(f"{case.step.every} {case.step.part.every}").all("system")}


def subtypes(case: Case) -> Iterator[Event]:
    """What kind of unit it is: said on any step, or read from the answer to the step that asks for it."""
    for gate in case.procedure.gate if case.procedure is not None else ():
        cue = _denied(case, gate) if gate.id not in case.progress.excluded else None
        if cue is None or supposed(case.reading, cue.span):
            continue
        yield SubtypeExcluded(gate=gate.id, because=case.cause(cue.id, cue.span))
        step = case.step
        if step is not None and step.gate == gate.id:
            yield StepClosed(step=step.id, how="unable", value=case.reading.text, because=case.cause(cue.id, cue.span))


def _denied(case: Case, gate: Gate) -> Cue | None:
    """The words that say a unit is of another kind: plainly, or as an answer where that is asked."""
    asked = case.progress.active == gate.asked_at and case.intent.type in ANSWERS
    denied = case.reading.first(f"gate.{gate.id}.denied")
    return denied or (_of_one_kind(case.reading, gate) if asked else None)


def _of_one_kind(said: Reading, gate: Gate) -> Cue | None:
    """The words of an answer by which a unit is not of the kind of a gate."""
    return None if said.has(f"gate.{gate.id}.keeps") else said.first(f"gate.{gate.id}.only")


def close_step(case: Case) -> Iterator[Event]:
    """An answer closes the open step; in the first message findings close every step that they answer."""
    if case.happened(SystemFound):
        yield from _first_findings(case)
        return
    step = case.step if case.topics.mode == "diagnostic" else None
    if step is None or _is_settled(case, step):
        return
    gone: list[Span] = []
    if case.intent.type in ANSWERS:
        yield from _told_elsewhere(case, step)
        gone = _apart(case)
        case.rest = _without(case, gone)
    how = CLOSES.get(case.intent.type) or ("answered" if _is_answered(case, step, gone) else None)
    if how is not None:
        yield StepClosed(step=step.id, how=how, value=_given(case, how), because=case.cause(f"step.{how}"))


def _is_settled(case: Case, step: Step) -> bool:
    """Whether this very message closed a step already, or opened one again and gives nothing in its place."""
    reopened = bool(case.happened(StepReopened)) and not case.puts_right
    return reopened or any(event.step == step.id for event in case.happened(StepClosed))


def _given(case: Case, how: str) -> str:
    """What a message says of the step that it closes."""
    return _words(case.rest or case.reading) if how == "answered" else case.reading.text


def _told_elsewhere(case: Case, step: Step) -> Iterator[Event]:
    """What is told of another part than the one that is asked about answers the step of that part, clause by clause:
    one that is still to come, or that was passed over."""
    if case.reading.has("direct_power") or step.check in FREE:
        return
    for sentence in case.reading.find(sentences):
        case.told |= _told_in(case, step, sentence)
    for id in dict.fromkeys(case.told.values()):
        spans = [span for span, told in case.told.items() if told == id]
        words = case.reading.text[spans[0][0] : spans[-1][1]].strip(_EDGES)
        yield StepClosed(step=id, value=words, because=case.cause("step.elsewhere", spans[0]))


def _told_in(case: Case, step: Step, sentence: Span) -> dict[Span, str]:
    """The clauses of a sentence that speak of other steps; one that names nothing goes with the one before it. What was
    found and what was done about it belong together."""
    reader, other, told = case.reading.reader, None, {}
    if reader.read(case.reading.words(sentence)).find(mended) is not None:
        return {}
    for span in (span for span in case.reading.find(clauses) if sentence[0] <= span[0] < sentence[1]):
        said = reader.read(case.reading.words(span))
        if _is_asked(case.answers.asked, said):
            other = None
        elif named_parts(said):
            other = _other_step(case, step, said)
        if other is not None:
            told[span] = other.id
    return told


def _is_asked(asked: Asked, said: Reading) -> bool:
    """Whether a clause gives the reading that is asked for, whatever it names."""
    units = {measure.unit for measure in said.find(measures)}
    return asked.answer == "reading" and not units.isdisjoint((None, asked.unit))


def _other_step(case: Case, step: Step, said: Reading) -> Step | None:
    """The step, not yet answered, whose part a clause names rather than that of the open one, and which it answers.
    What may be, and damage that was come upon, is evidence and answers nothing."""
    asked = case.answers.asked
    best = None if _is_evidence(said) else _answered_by(case, said, _others(case, step, said))
    if best is None or named_parts(said).isdisjoint(own_parts(best, said.reader) - asked.parts):
        return None
    lead = _lead(said, asked)
    return best if lead <= SURE and _lead_at(case, best, said) - lead >= SURE else None


def _others(case: Case, step: Step, said: Reading) -> list[Step]:
    """The other steps that words may answer: those for a code only where they speak of one."""
    codes = any(cue.means == "error_code" for cue in said.all("topic"))
    return [one for one in _waiting(case) if one.id != step.id and (codes or one.answer != "code")]


def _is_evidence(said: Reading) -> bool:
    if supposed(said, said.tokens[0]):
        return True
    return bool(said.find(guessed)) or any(hurt.found for hurt in said.find(damage))


def _lead(said: Reading, asked: Asked) -> int:
    """How plainly a clause answers a question."""
    return max((clause.answer for clause in answers(said, asked).given), default=0)


def _lead_at(case: Case, step: Step, said: Reading) -> int:
    """The same at a step."""
    return _lead(said, asked_at(step, case.language, said.reader, case.desk.library))


def _waiting(case: Case) -> list[Step]:
    """The steps that are to come, and those that were passed over."""
    closed = {id for id, closing in case.progress.closed.items() if closing.how != "unable"}
    steps = case.procedure.step if case.procedure is not None else ()
    in_flow = [step for step in steps if step.branch in (None, case.progress.branch) and case.progress.applies(step)]
    return [step for step in in_flow if step.id not in closed]


def _names(said: Reading) -> bool:
    """Whether words tell something of the machine: a part, a fault, a reading, a repair."""
    return any(said.find(finder) for finder in (parts, faults, measures)) or said.find(mended) is not None


def _words(said: Reading) -> str:
    """What is left of a message, without the gaps."""
    return said.text if "  " not in said.text else " ".join(said.text.split()).strip(" ,;")


def _apart(case: Case) -> list[Span]:
    """What a message tells of other steps and other systems, and talk."""
    own = asked_about(case)
    noted = [event.because for event in case.happened(ComplaintNoted) if event.complaint.system not in own]
    talk = [clause.span for clause in case.answers.heard if _is_no_finding(case, clause)]
    return [*case.told, *((cause.start, cause.end) for cause in noted if cause is not None), *talk]


def _is_no_finding(case: Case, clause: Heard) -> bool:
    """Whether a clause plainly asks, orders or talks: no report quotes that."""
    plain = clause.does in (*TALK, *ORDERS, *QUESTIONS) and clause.lead > TALKS and clause not in case.answers.given
    asks, said = (
        clause.does in QUESTIONS and clause.lead > SURE,
        case.reading.reader.read(case.reading.words(clause.span)),
    )
    return (plain and (asks or not _names(said))) or (worked(said) is not None and not _names(said))


def _without(case: Case, gone: list[Span]) -> Reading | None:
    """A message without some parts, each other one in its place; all of it where nothing else is said."""
    text = case.reading.text
    for start, end in gone:
        text = text[:start] + " " * (end - start) + text[end:]
    if not gone or not (text.strip(_EDGES) or case.told):
        return case.reading
    return case.reading.reader.read(text) if text.strip(_EDGES) else None


def _is_answered(case: Case, step: Step, gone: list[Span]) -> bool:
    if case.intent.type not in ANSWERS or case.intent.evidence == "technician_dispute":
        return False
    plain = not case.desk.flags.clarification  # the older way: whatever is said is the answer
    return plain or (_gives(case, gone) and not _tells_kind(case, step))


def _gives(case: Case, gone: list[Span]) -> bool:
    """Whether a clause answers that neither stands apart, nor guesses at a fault, nor tells of a system that is not
    asked about: "also the fridge works fine"."""
    own = {case.progress.system, *asked_about(case)}
    named = case.reading.all("system") if case.reading.has("another") else []
    others = [*gone, *(cue.span for cue in named if own.isdisjoint(other.means for other in named))]
    told = [clause.span for clause in case.answers.given if not any(overlap(span, clause.span) for span in others)]
    return any(not _only_guesses(case.reading, span) for span in told)


def _only_guesses(reading: Reading, span: Span) -> bool:
    """Whether all of a clause is that some part may be out of order."""
    faults = [fault.span for fault in reading.find(guessed)]
    inside = [part for part in reading.find(clauses) if overlap(part, span)] if faults else []
    return bool(inside) and all(any(overlap(part, fault) for fault in faults) for part in inside)


def unwanted(case: Case) -> list[str]:
    """The open steps that a technician does not want to be asked: those on what is named ("skip the gas questions"),
    or all that are left."""
    told = case.answers.does("skips")
    if told is None:
        return []
    reader = case.reading.reader
    small = reader.phrases("stop", "words") | reader.phrases("query", "words")
    named, left = lemmas(case.reading.words(told.span), small), open_steps(case.procedure, case.progress)
    steps = {id: case.desk.library.step(id) for id in left}
    own = [id for id, step in steps.items() if step is not None and named & asked_words(step, small)]
    return own or left


def skip(case: Case) -> Iterator[Event]:
    """The stage: what nobody wants to check is closed as not verified."""
    for id in case.skips:
        if id not in case.progress.closed:
            yield StepClosed(step=id, how="unable", because=case.cause("step.skipped"))
    if case.skips and case.diagnosis.terminal == "fault_candidate":
        yield CaseResumed(reason=said("desk.why_goes_on"), because=case.cause("terminal.resumed"))


def keep_note(case: Case) -> Iterator[Event]:
    """What was said at an open step and does not answer it is kept, beside what it taught."""
    step = case.draft.before.procedure.active
    if case.draft.before.diagnosis.doubt:
        return  # another question was open
    said = case.intent.type in ("MAIN_DIAGNOSTIC", "UNCLEAR") and bool(case.reading.tokens)
    if said and step is not None and step == case.progress.active and not case.happened(StepClosed):
        yield NoteKept(step=step, words=case.reading.text.strip()[:MAX_ANSWER_CHARS], because=case.cause("step.note"))


def asked_words(step: Step, stop: frozenset[str]) -> frozenset[str]:
    """The content words of a step's question and part, in all languages."""
    return lemmas(f"{step.every} {step.part.every}", stop)


def _tells_kind(case: Case, step: Step) -> bool:
    """Whether a message is no more than which kind of unit it is, and this was not asked: all its words are of another
    question, which asks for that."""
    if step.answer in WHICH or case.procedure is None:
        return False
    stop = case.reading.reader.phrases("stop", "words")
    words = lemmas(case.reading.text, stop)
    if not words or words & asked_words(step, stop):
        return False
    return any(words <= asked_words(other, stop) for other in case.procedure.step if other.answer in WHICH)


def _first_findings(case: Case) -> Iterator[Event]:
    """Each clause of the first message closes the step of the main flow that it answers, if it answers one: it names
    the part of that step and is of the kind that it asks for, or it plainly answers the step that would be asked first.
    A bare complaint answers none."""
    procedure, reading = case.procedure, case.reading
    if procedure is None:
        return
    first = next_step(procedure, case.progress, None)
    for span in reading.find(clauses):
        said, cause = reading.reader.read(reading.words(span)), case.cause("step.first_message", span)
        gates = [gate for gate in procedure.gate if _tells_which(case, procedure, gate, said)]
        yield from (SubtypeExcluded(gate=g.id, because=cause) for g in gates if _of_one_kind(said, g) is not None)
        steps = [step for step in procedure.step if step.branch is None and case.progress.applies(step)]
        # that the system is named is the complaint itself
        plain = (
            None
            if _only_the_system(said, procedure.id)
            else _answered_by(case, said, steps) or _plainly(case, first, said)
        )
        for id in [gate.asked_at for gate in gates] or ([plain.id] if plain is not None else []):
            if id not in case.progress.closed:
                yield StepClosed(step=id, value=said.text.strip(_EDGES), because=cause)


def _plainly(case: Case, step: Step | None, said: Reading) -> Step | None:
    """A step, where a clause that names no other part plainly answers it."""
    if step is None or step.answer in WHICH or said.has("complaint") or named_parts(said):
        return None
    measured = step.answer != "reading" and bool(said.find(measures))  # a reading stands with what was told before it
    return step if not measured and _lead_at(case, step, said) > SURE else None


def _tells_which(case: Case, procedure: Procedure, gate: Gate, said: Reading) -> bool:
    """Whether a clause says plainly of which kind a unit is: that it is only that, or, where it says neither that it is
    well nor what is wrong, as an answer would. "Wont light on gas" does not."""
    if said.has(f"gate.{gate.id}.only"):
        return said.has("only") and not said.has(f"gate.{gate.id}.keeps")
    named = said.has(f"gate.{gate.id}.keeps", f"gate.{gate.id}.denied") and not said.has(*WELL, *TROUBLE)
    return named and _lead_at(case, procedure.steps[gate.asked_at], said) > 0


def _only_the_system(said: Reading, system: str) -> bool:
    """Whether a clause names the system, and gives no reading: only that, or what is wrong with it."""
    names = [cue.span for cue in said.all("system") if cue.means == system]
    told = all(any(overlap(part.span, name) for name in names) for part in said.find(parts)) or said.has("complaint")
    return bool(names) and told and not any(measure.unit for measure in said.find(measures))


def _answered_by(case: Case, said: Reading, steps: Iterable[Step]) -> Step | None:
    """Of some steps, the one that a clause answers: of several, the one whose parts it names best."""
    named = {part.id for part in said.find(parts)}
    fits = [(len(named & own), -len(own), step) for step in steps for own in [own_parts(step, said.reader)]]
    known = sorted(
        (fit for fit in fits if fit[0] and fit[2].answer not in WHICH), key=lambda fit: fit[:2], reverse=True
    )
    return next((step for _, _, step in known if _lead_at(case, step, said) > 0), None)


def own_parts(step: Step, reader: Reader) -> set[str]:
    return {part.id for part in reader.read(step.part.every).find(parts)}


def take_branch(case: Case) -> Iterator[Event]:
    """Trigger words count only on the answer to a trigger step."""
    procedure = case.procedure
    if procedure is None or not procedure.branch:
        return
    for closing in (one for one in case.happened(StepClosed) if one.how == "answered"):
        for branch in procedure.branch:
            elsewhere = closing.step in case.told.values()
            told = case.reading.reader.read(closing.value) if elsewhere else case.reading
            if closing.step in branch.steps and _may_enter(branch, case.progress) and triggered(branch, told):
                cue = case.reading.first(f"branch.{branch.id}")
                if case.progress.branch is not None:
                    yield BranchLeft(branch=case.progress.branch, reason=said("desk.why_critical", branch=branch.id))
                yield BranchEntered(
                    branch=branch.id,
                    entry=branch.entry,
                    step=closing.step,
                    excludes=branch.excludes,
                    because=case.cause(cue.id, cue.span) if cue else case.cause(f"branch.{branch.id}"),
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
    return any(not supposed(reading, cue.span) for cue in reading.all(f"branch.{branch.id}"))


def advance(case: Case) -> Iterator[Event]:
    """Open the next step when none is open; a branch without open steps is left."""
    procedure, diagnosis, branch = case.procedure, case.diagnosis, case.progress.branch
    concluded = diagnosis.isolation_complete or diagnosis.terminal != "normal"
    if procedure is None or case.progress.active is not None or concluded:
        return
    step = next_step(procedure, case.progress, branch, diagnosis.prefer)
    if step is None and branch is not None:
        yield BranchLeft(branch=branch, reason=said("desk.why_all_closed"))
        step = next_step(procedure, case.progress, None, diagnosis.prefer)
    if step is not None:
        yield StepOpened(step=step.id)
