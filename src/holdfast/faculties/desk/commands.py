"""Words that are orders and not findings: the report, an authorization, skipping labor, the language, report edits.

A mode command is a whole message. A report is made only when the case is ready: terminal, isolated, or with all steps
closed; a wish alone never makes it so, but an offer once made stands. An edit names the lines it is about by their
words; where none fits, one question is asked. What is taken out of the report stays in the case, and what is added
becomes a fact, so that every claim still rests on something that was said.
"""

from __future__ import annotations

from collections.abc import Iterator

from holdfast.events import Event, Intent, IntentRead
from holdfast.faculties.desk import edits, estimates
from holdfast.faculties.desk.case import Case
from holdfast.faculties.desk.hearing import NOT
from holdfast.faculties.desk.intents import SUPPORT, TELLS, beside_question
from holdfast.faculties.desk.isolation import NotReady
from holdfast.faculties.desk.procedure import SystemFound
from holdfast.faculties.desk.report import (
    ReportEdited,
)
from holdfast.faculties.desk.signals import clauses, misspelled_systems, negated
from holdfast.faculties.desk.steps import (
    TROUBLE,
    asked_about,
    complaint_in,
    open_steps,
    system_in,
    unwanted,
)
from holdfast.faculties.desk.topics import ModeChanged
from holdfast.reading.reader import Reading, Span, overlap
from holdfast.telling import said

SURE = 8
"""How far words must lead that put a job aside."""
PLAIN = 24
"""How far it must speak for a wish for the report where something else waits, or something is asked."""
GOES_ON = ("switch", "flow")
"""What takes up the next complaint where a case is over."""
MAX_WISH_WORDS = 8
"""Words of a message that can be a wish for the report."""


def ready(case: Case) -> bool:
    return case.diagnosis.isolation_complete or case.diagnosis.offered or all_closed(case)


def all_closed(case: Case) -> bool:
    procedure = case.procedure
    return procedure is not None and bool(case.progress.closed) and not open_steps(procedure, case.progress)


def commands(case: Case) -> Iterator[Event]:
    """The stage: what the message orders, if it orders anything."""
    reading = case.reading
    case.skips = tuple(unwanted(case))
    command = reading.first("command")
    if command is not None:
        yield from _mode(case, command.means, command.id)
    elif reading.has("labor_skip"):
        yield _order(case, "labor_skip")
        yield estimates.LaborSkipped(because=case.cause("labor.skip"))
    elif reading.has("language_request") and len(reading.tokens) <= 4:
        yield _order(case, "language")
    elif (switch := _switched(case)) is not None:
        yield from _switch(case, switch)
    elif case.state.report.produced and (case.topics.mode == "final_report" or case.state.report.last):
        yield from _edit(case)
    elif (wish := _wish(case)) is not None:
        yield from _report_asked(case, wish)
    else:
        yield from _beside_steps(case)


def _report_asked(case: Case, wish: Span) -> Iterator[Event]:
    """A report that is asked for beside a finding, or once all else is skipped, comes after that was taken in."""
    rest = beside_question(case.reading, wish, case.answers)
    if rest is not None or case.answers.does("skips") is not None:
        case.wants_report = True
        case.set_apart(rest or (0, len(case.reading.text)), None)
        return
    yield from _mode(case, "report_request", "command.report_wish")


def report_beside(case: Case) -> Iterator[Event]:
    """The stage: the report that was asked for beside a finding, or before the case was ready for it; what is told of
    its parts when all is done stands in it."""
    if case.progress.active is None and not case.state.report.produced:
        yield from edits.parts_told(case)
    if case.wants_report or (case.draft.before.diagnosis.report_due and ready(case) and not case.happened(ModeChanged)):
        yield from _mode(case, "report_request", "command.report_wish")


def _beside_steps(case: Case) -> Iterator[Event]:
    """What may be ordered where no step is open, and where the case is over."""
    hours = estimates.requested(case.reading) if case.reading.has("labor_word") else None
    if case.progress.active is None and hours is not None:
        yield _order(case, "labor_total")
        yield estimates.LaborRequested(hours=hours, because=case.cause("labor.requested"))
    elif case.diagnosis.terminal == "terminal" and case.answers.does(*GOES_ON) is not None:
        yield from _take_up(case)


def _order(case: Case, what: str) -> IntentRead:
    return IntentRead(intent=Intent("COMMAND", value=what), because=case.cause(f"command.{what}"))


def _asks_for_report(case: Case) -> Span | None:
    """The words that are heard to ask for a report now."""
    told = case.answers.does("report")
    if told is None or told.lead <= SURE:
        return None
    said = case.reading.reader.read(case.reading.words(told.span))
    return None if said.has("not_now", "negation") else told.span


def _wish(case: Case) -> Span | None:
    """The clause that asks for a report, all of it; the word in some other sentence does not."""
    reading, told = case.reading, _asks_for_report(case)
    if told is not None:
        return told
    waits = case.state.labor.mode == "draft"  # then a nod is one to the estimate
    asked = case.does("report", lead=PLAIN if waits or "?" in reading.text else 0)
    if asked and ready(case) and not reading.has("not_now", "negation"):
        return reading.find(clauses)[-1]
    if not reading.has("report_noun", "report_wish"):
        return None
    spans = (*reading.find(clauses), (0, len(reading.text)))
    return next((span for span in spans if _wishes(reading.reader.read(reading.words(span)))), None)


def _is_now(reading: Reading) -> bool:
    return "?" not in reading.text and not reading.has("not_now", "negation")


def _wishes(said: Reading) -> bool:
    asked = said.has("report_wish") or (said.has("report_noun") and said.has("makes"))
    return asked and _is_now(said) and len(said.tokens) <= MAX_WISH_WORDS


def _mode(case: Case, asked: str, rule: str) -> Iterator[Event]:
    yield _order(case, asked)
    mode = "final_report" if asked in ("final_report", "report_request") else asked
    if not ready(case):
        yield NotReady(asked=asked, because=case.cause(rule))
    elif mode == "final_report" and not labor_settled(case):
        yield NotReady(asked="labor", because=case.cause("labor.waits"))
    elif case.topics.mode != mode:
        yield ModeChanged(mode=mode, reason=said("desk.why_asked", asked=asked), because=case.cause(rule))


def labor_settled(case: Case) -> bool:
    """With the older behaviour a report waits for confirmed hours."""
    return case.desk.flags.free_labor or case.state.labor.mode in ("confirmed", "skipped")


def _edit(case: Case) -> Iterator[Event]:
    """After a report: another total, another wording, what was left out; all of it stays in the report."""
    made = edits.edit(case)
    if edits.is_plain(made) or not (goes_on := list(_instead_of_edit(case))):
        yield from _edited(case, made)
    else:
        yield from goes_on


def _instead_of_edit(case: Case) -> Iterator[Event]:
    """What else a message after a report may want: the next job, or to see the report again."""
    if case.answers.does(*GOES_ON) is not None:
        yield from _take_up(case)
    elif _wish(case) is not None:
        yield _order(case, "report_request")


def _edited(case: Case, made: list[Event]) -> Iterator[Event]:
    if not made:
        return
    words = [event for event in made if not isinstance(event, estimates.LaborRequested)]
    yield _order(case, "report_edit" if words else "labor_total")
    if words:
        yield ReportEdited(words=case.reading.text[:300], because=case.cause("report.edit"))
    yield from made
    if case.topics.mode != "final_report":
        yield ModeChanged(mode="final_report", reason=said("desk.why_edited"))


def _switched(case: Case) -> Span | None:
    """The words that put the open job aside for another: for one that is named, that waits, or that is asked about.
    "Also" tells of one more."""
    if case.progress.active is None:
        return None
    if (mistaken := _named_by_mistake(case)) is not None:
        return mistaken
    told = case.answers.does("switch")
    if told is None or told.lead < SURE or case.reading.has("another", "direct_power"):
        return None
    meant = _other_systems(case) or case.progress.complaints or "?" in case.reading.text
    return told.span if meant else None


def _named_by_mistake(case: Case) -> Span | None:
    """The words by which the machine at hand is not the one that is meant, where another one is named for it."""
    denied, said = case.spans("system", stands=NOT), case.spans("system")
    if not denied and not (case.does("other") and case.does("correct", "wrong")):
        return None
    # "the furnace, not the water heater" may be heard as two that are denied
    said = said or [span for span in denied if not negated(case.reading, span)]
    meant = [span for span in _other_systems(case) if _inside(span, said)]
    return next(iter(denied or meant)) if meant else None


def _inside(span: Span, others: list[Span]) -> bool:
    return any(overlap(span, other) for other in others)


def _other_systems(case: Case) -> list[Span]:
    """Where other systems are named than the open one and those that its step asks about; a word that fits several of
    which one is open is none."""
    several = case.reading.reader.data("ambiguous", "en")
    named = [cue for family in ("system", "ambiguous") for cue in case.reading.all(family)]
    meant = [(cue.span, (cue.means, *str(several.get(cue.means, "")).split())) for cue in named]
    own = {case.progress.system, *asked_about(case)}
    return [span for span, systems in meant if own.isdisjoint(systems)]


def _switch(case: Case, told: Span) -> Iterator[Event]:
    """Another job is wanted; where none is named, how one is taken up is told."""
    if _job(case) is not None:
        yield from _take_up(case)
    elif case.progress.active is not None:
        intent = Intent("STEP_HELP", case.step.part.in_(case.language) if case.step else "", SUPPORT)
        yield IntentRead(intent=intent, means="switch", because=case.cause("asks.switch", told))


def _take_up(case: Case) -> Iterator[Event]:
    """Another job is taken up; the open one is put aside as it is, and goes on when it is named again."""
    system = _job(case)
    if system is None:
        return
    if not any(clause.does in TELLS for clause in case.answers.heard):
        yield _order(case, "take_up")  # else what is told of the job is taken in
    if case.topics.mode != "diagnostic":
        yield ModeChanged(mode="diagnostic", reason=said("desk.why_system", system=system))
    leaves = case.progress.system or "" if case.progress.active is not None else ""
    named = system_in(case.reading, case.desk.library.procedures)
    tells = case.reading.has(*TROUBLE)  # else what was noted of it stays
    words = complaint_in(case, named[1]) if named is not None and named[0] == system and tells else ""
    wrong, cause = _is_mistaken(case, leaves), case.cause("system.taken_up")
    yield SystemFound(system=system, complaint=words, leaves=leaves, mistaken=wrong, because=cause)


def _is_mistaken(case: Case, leaves: str) -> bool:
    """Whether the job that is left was named by mistake: "not the slide, the awning"."""
    return bool(leaves) and (_named_by_mistake(case) is not None or case.reading.has("correction"))


def _job(case: Case) -> str | None:
    """The job that a message takes up: another system that it names, or the complaint that was noted first."""
    noted = [complaint.system for complaint in case.progress.complaints]
    named = [cue.means for cue in case.reading.all("system")] + [p.id for p in case.reading.find(misspelled_systems)]
    waiting = noted if not named and "?" not in case.reading.text else []
    return next((id for id in (*named, *waiting) if id != case.progress.system), None)
