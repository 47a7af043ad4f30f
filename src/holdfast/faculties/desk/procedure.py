"""Where a case stands in its procedure: the open step, what is closed and how, the branch, what is taken out.

The rules that move it are in `steps.py`; the questions themselves are data (`library.py`).
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Literal

import msgspec
from msgspec.structs import replace

from holdfast.events import Cleared, Event
from holdfast.faculties.desk.case import Desk, Folds, folded, put_aside
from holdfast.faculties.desk.library import Step
from holdfast.faculty import Faculty
from holdfast.reading.tables import Table
from holdfast.state import Moment, State
from holdfast.telling import Telling, said

How = Literal["answered", "already", "unable"]
COMPLAINTS = 5
"""Further complaints that are noted for later."""
NOTES = 20
MAX_ANSWER_CHARS = 200


class Closed(msgspec.Struct, frozen=True, omit_defaults=True):
    """How a step was closed, with which words."""

    how: How
    value: str = ""
    version: int = 0
    about: str | None = None
    """The other step that the words plainly speak of, if they do."""


class Complaint(msgspec.Struct, frozen=True, omit_defaults=True):
    """Another complaint, to be taken up after the first."""

    system: str
    words: str


class SystemFound(Event, frozen=True):
    did = "learned"
    told = "desk.system"

    system: str
    complaint: str = ""
    """The words in which the technician complained; older records tell them by their facts alone."""
    leaves: str = ""
    """The system whose job is put aside for this one, to be gone on with later."""
    mistaken: bool = False
    """Whether that job was named by mistake, and is not to be gone on with."""


class StepOpened(Event, frozen=True):
    did = "opened"
    told = "desk.step"

    step: str


class StepClosed(Event, frozen=True):
    did = "closed"
    told = "desk.answered"

    step: str
    how: How = "answered"
    value: str = ""
    about: str | None = None


class StepReopened(Event, frozen=True):
    did = "reopened"
    told = "desk.step_why"

    step: str
    reason: Telling = ""


class StepSetAside(Event, frozen=True):
    """The open step is not asked now; it stays open."""

    step: str


class StepsTakenOut(Event, frozen=True):
    """Steps of a branch that no longer applies."""

    did = "retracted"

    steps: tuple[str, ...]
    reason: Telling = ""

    def tell(self) -> Telling:
        return said("desk.step_why", step=", ".join(self.steps), reason=self.reason)


class BranchEntered(Event, frozen=True):
    did = "routed"
    told = "desk.branch"

    branch: str
    entry: str
    step: str
    excludes: tuple[str, ...] = ()


class BranchLeft(Event, frozen=True):
    did = "routed"
    told = "desk.branch_left"

    branch: str
    reason: Telling = ""
    unlocks: tuple[str, ...] = ()
    """Branches that its end lets in again: it was entered by mistake."""


class SubtypeExcluded(Event, frozen=True):
    did = "learned"
    told = "desk.not_type"

    gate: str


class NoteKept(Event, frozen=True):
    """Words at an open step that do not answer it."""

    step: str
    words: str


class ComplaintNoted(Event, frozen=True):
    did = "learned"

    complaint: Complaint

    def tell(self) -> Telling:
        return said("desk.complaint", words=self.complaint.words)


class Progress(msgspec.Struct, frozen=True, omit_defaults=True):
    system: str | None = None
    active: str | None = None
    closed: dict[str, Closed] = {}
    reopened: tuple[str, ...] = ()
    branch: str | None = None
    entered: dict[str, str] = {}
    """The branches that were entered, and the step whose answer did it."""
    locked: tuple[str, ...] = ()
    excluded: tuple[str, ...] = ()
    complaints: tuple[Complaint, ...] = ()
    complaint: str = ""
    """What the case is about, in the technician's words."""
    notes: tuple[tuple[str, str], ...] = ()
    """Steps, and what was said at them that did not answer."""
    rested: dict[str, Progress] = {}
    """The jobs that were put aside, by their systems."""

    def applies(self, step: Step) -> bool:
        """Whether the unit is of the kind that a step is for."""
        return not step.gate or step.gate not in self.excluded

    def is_open(self, step: Step) -> bool:
        """Whether a step can still be asked, in its branch."""
        return step.id not in self.closed and self.applies(step)

    def completed(self) -> list[str]:
        return [step for step, closing in self.closed.items() if closing.how != "unable"]

    def unable(self) -> list[str]:
        return [step for step, closing in self.closed.items() if closing.how == "unable"]


def _case_begun(progress: Progress, event: SystemFound, moment: Moment) -> Progress:
    """A complaint that was noted for later gives its words when its turn comes; one that is left is noted."""
    noted = {complaint.system: complaint for complaint in progress.complaints}
    own = noted.pop(event.system, None)
    if event.leaves and not event.mistaken:
        noted[event.leaves] = Complaint(event.leaves, progress.complaint)
    begun: Progress = put_aside(progress, event)
    words = event.complaint or (own.words if own is not None else "") or begun.complaint
    return replace(begun, system=event.system, complaints=tuple(noted.values()), complaint=words)


def _closed(progress: Progress, event: StepClosed, moment: Moment) -> Progress:
    closed = Closed(event.how, event.value[:MAX_ANSWER_CHARS], moment.version, event.about)
    reopened = _without(progress.reopened, event.step)
    return replace(_rested(progress, event.step), closed={**progress.closed, event.step: closed}, reopened=reopened)


def _reopened(progress: Progress, event: StepReopened, moment: Moment) -> Progress:
    progress = _taken_out(progress, event.step)
    return replace(progress, reopened=(*_without(progress.reopened, event.step), event.step), active=event.step)


def _taken_out(progress: Progress, *steps: str) -> Progress:
    """Steps are neither closed nor being asked."""
    closed = {id: closing for id, closing in progress.closed.items() if id not in steps}
    return replace(_rested(progress, *steps), closed=closed)


def _rested(progress: Progress, *steps: str) -> Progress:
    return replace(progress, active=None) if progress.active in steps else progress


def _entered(progress: Progress, event: BranchEntered, moment: Moment) -> Progress:
    locked = tuple(dict.fromkeys((*progress.locked, *event.excludes)))
    entered = {**progress.entered, event.branch: event.step}
    return replace(progress, branch=event.branch, entered=entered, locked=locked)


def _left(progress: Progress, event: BranchLeft, moment: Moment) -> Progress:
    branch = None if progress.branch == event.branch else progress.branch
    return replace(progress, branch=branch, locked=_without(progress.locked, *event.unlocks))


def _noted(progress: Progress, event: ComplaintNoted, moment: Moment) -> Progress:
    others = tuple(noted for noted in progress.complaints if noted.system != event.complaint.system)
    return replace(progress, complaints=(*others, event.complaint)[-COMPLAINTS:])


def _without(ids: tuple[str, ...], *gone: str) -> tuple[str, ...]:
    return tuple(id for id in ids if id not in gone)


FOLDS: Folds = {
    SystemFound: _case_begun,
    StepOpened: lambda progress, event, moment: replace(progress, active=event.step),
    StepClosed: _closed,
    StepReopened: _reopened,
    StepSetAside: lambda progress, event, moment: _rested(progress, event.step),
    StepsTakenOut: lambda progress, event, moment: _taken_out(progress, *event.steps),
    BranchEntered: _entered,
    BranchLeft: _left,
    SubtypeExcluded: lambda progress, event, moment: replace(
        progress, excluded=(*_without(progress.excluded, event.gate), event.gate)
    ),
    ComplaintNoted: _noted,
    NoteKept: lambda progress, event, moment: replace(
        progress, notes=(*progress.notes, (event.step, event.words[:MAX_ANSWER_CHARS]))[-NOTES:]
    ),
}


class ProcedureFaculty(Faculty):
    name = "procedure"
    slice = Progress
    events = (*FOLDS, Cleared)

    def __init__(self, desk: Desk) -> None:
        self.desk = desk

    def tables(self) -> Iterable[Table]:
        return self.desk.library.tables

    def fold(self, slice: Progress, event: Event, moment: Moment) -> Progress:
        return folded(FOLDS, slice, event, moment)


def closings(state: State) -> dict[str, Closed]:
    """How each closed step of the case was closed; nothing in a pack without procedures."""
    return state.procedure.closed if "procedure" in state.session.slices else {}
