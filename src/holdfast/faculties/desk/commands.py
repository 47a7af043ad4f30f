"""Words that are orders and not findings: the report, an authorization, skipping labor, the language, report edits.

A mode command is a whole message. A report is made only when the case is ready: terminal, isolated, or with all steps
closed; a wish alone never makes it so, but an offer once made stands.
"""

from __future__ import annotations

from collections.abc import Iterator

from holdfast.events import Event, Intent, IntentRead
from holdfast.faculties.desk import edits, estimates
from holdfast.faculties.desk.case import Case
from holdfast.faculties.desk.procedure import SystemFound
from holdfast.faculties.desk.steps import open_steps, system_in
from holdfast.faculties.desk.topics import ModeChanged
from holdfast.state import State
from holdfast.telling import said

MAX_WISH_WORDS = 8
"""Words of a message that can be a wish for the report."""


class NotReady(Event, frozen=True):
    """A report or an authorization was asked for too early."""

    did = "refused"
    told = "refused.not_ready"

    asked: str


def ready(case: Case) -> bool:
    """Whether a report may be made."""
    diagnosis = case.diagnosis
    if diagnosis.isolation_complete or diagnosis.offered:
        return True
    return all_closed(case)


def all_closed(case: Case) -> bool:
    procedure = case.procedure
    return procedure is not None and bool(case.progress.closed) and not open_steps(procedure, case.progress)


def commands(case: Case) -> Iterator[Event]:
    """The stage: what the message orders, if it orders anything."""
    reading = case.reading
    command = reading.first("command")
    if command is not None:
        yield from _mode(case, command.means, command.id)
    elif reading.has("labor_skip") and "labor" in case.state.session.slices:
        yield _order(case, "labor_skip")
        yield estimates.LaborSkipped(because=case.cause("labor.skip"))
    elif reading.has("language_request") and len(reading.tokens) <= 4:
        yield _order(case, "language")
    elif _after_report(case.state):
        yield from _edit(case)
    elif _wish(case):
        yield from _mode(case, "report_request", "command.report_wish")
    else:
        yield from _beside_steps(case)


def _beside_steps(case: Case) -> Iterator[Event]:
    """What may be ordered where no step is open, and where the case is over."""
    hours = estimates.requested(case.reading) if case.reading.has("labor_word") else None
    if case.progress.active is None and hours is not None:
        yield from _set_total(case, hours)
    elif case.diagnosis.terminal == "terminal" and case.reading.has("take_up"):
        yield from _take_up(case)


def _set_total(case: Case, hours: float) -> Iterator[Event]:
    yield _order(case, "labor_total")
    yield estimates.LaborRequested(hours=hours, because=case.cause("labor.requested"))


def _order(case: Case, what: str) -> IntentRead:
    return IntentRead(intent=Intent("COMMAND", value=what), because=case.cause(f"command.{what}"))


def _wish(case: Case) -> bool:
    """A report asked for in words, and not the word in some other sentence."""
    reading = case.reading
    composed = reading.has("report_noun") and reading.has("makes")
    if not (composed or reading.has("report_wish")) or reading.has("not_now", "negation"):
        return False
    return len(reading.tokens) <= MAX_WISH_WORDS and "?" not in reading.text


def _mode(case: Case, asked: str, rule: str) -> Iterator[Event]:
    yield _order(case, asked)
    mode = "final_report" if asked in ("final_report", "report_request") else asked
    if not ready(case):
        yield NotReady(asked=asked, because=case.cause(rule))
    elif mode == "final_report" and not _labor_settled(case):
        yield NotReady(asked="labor", because=case.cause("labor.waits"))
    elif case.topics.mode != mode:
        yield ModeChanged(mode=mode, reason=said("desk.why_asked", asked=asked), because=case.cause(rule))


def _labor_settled(case: Case) -> bool:
    """With the older behaviour a report waits for confirmed hours."""
    if case.desk.flags.free_labor or "labor" not in case.state.session.slices:
        return True
    return case.state.labor.mode in ("confirmed", "skipped")


def _after_report(state: State) -> bool:
    return (
        "report" in state.session.slices
        and bool(state.report.produced)
        and (state.topics.mode == "final_report" or state.report.last)
    )


def _edit(case: Case) -> Iterator[Event]:
    """After a report: another total, or another wording; both stay in the report."""
    hours = estimates.requested(case.reading)
    if hours is not None:
        yield from _set_total(case, hours)
    elif edits.wanted(case.reading):
        yield _order(case, "report_edit")
        yield from edits.edit(case)
    elif case.reading.has("take_up"):
        yield from _take_up(case)
        return
    else:
        return
    if case.topics.mode != "final_report":
        yield ModeChanged(mode="final_report", reason=said("desk.why_edited"))


def _take_up(case: Case) -> Iterator[Event]:
    """The complaint that was noted is taken up after the first one is done."""
    noted = case.progress.complaints
    named = system_in(case.reading, case.desk.library.procedures)
    system = named[0] if named else noted[0].system if noted else None
    if system is None or system == case.progress.system:
        return
    yield _order(case, "take_up")
    yield ModeChanged(mode="diagnostic", reason=said("desk.why_system", system=system))
    yield SystemFound(system=system, because=case.cause("system.taken_up"))
