"""Where a case stands in its procedure: the open step, what is closed and how, the branch, what is taken out.

The rules that move it are in `steps.py`; the questions themselves are data (`library.py`).
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Literal

import msgspec

from holdfast.events import Cleared, Event
from holdfast.faculties.desk.case import Desk
from holdfast.faculty import Faculty
from holdfast.reading.tables import Table
from holdfast.state import Moment, State
from holdfast.telling import Telling, said

How = Literal["answered", "already", "unable"]
COMPLAINTS = 5
"""Further complaints that are noted for later."""
NOTES = 20
LONGEST = 200


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

    system: str
    complaint: str = ""
    """The words in which the technician complained; older records tell them by their facts alone."""

    def tell(self) -> Telling:
        return said("desk.system", system=self.system)


class StepOpened(Event, frozen=True):
    did = "opened"

    step: str

    def tell(self) -> Telling:
        return said("desk.step", step=self.step)


class StepClosed(Event, frozen=True):
    did = "closed"

    step: str
    how: How = "answered"
    value: str = ""
    about: str | None = None

    def tell(self) -> Telling:
        return said("desk.answered", step=self.step, how=self.how, value=self.value)


class StepReopened(Event, frozen=True):
    did = "reopened"

    step: str
    reason: Telling = ""

    def tell(self) -> Telling:
        return said("desk.step_why", step=self.step, reason=self.reason)


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

    branch: str
    entry: str
    step: str
    excludes: tuple[str, ...] = ()

    def tell(self) -> Telling:
        return said("desk.branch", branch=self.branch, step=self.entry)


class BranchLeft(Event, frozen=True):
    did = "routed"

    branch: str
    reason: Telling = ""
    unlocks: tuple[str, ...] = ()
    """Branches that its end lets in again: it was entered by mistake."""

    def tell(self) -> Telling:
        return said("desk.branch_left", branch=self.branch, reason=self.reason)


class SubtypeExcluded(Event, frozen=True):
    did = "learned"

    gate: str

    def tell(self) -> Telling:
        return said("desk.not_type", value=self.gate)


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

    def completed(self) -> list[str]:
        return [step for step, closing in self.closed.items() if closing.how != "unable"]

    def unable(self) -> list[str]:
        return [step for step, closing in self.closed.items() if closing.how == "unable"]


class ProcedureFaculty(Faculty):
    name = "procedure"
    slice = Progress
    events = (
        SystemFound,
        StepOpened,
        StepClosed,
        StepReopened,
        StepSetAside,
        StepsTakenOut,
        BranchEntered,
        BranchLeft,
        SubtypeExcluded,
        ComplaintNoted,
        NoteKept,
        Cleared,
    )

    def __init__(self, desk: Desk) -> None:
        self.desk = desk

    def tables(self) -> Iterable[Table]:
        return self.desk.library.tables

    def fold(self, slice: Progress, event: Event, moment: Moment) -> Progress:
        change = msgspec.structs.replace
        match event:
            case SystemFound(system=system, complaint=complaint):
                others = tuple(noted for noted in slice.complaints if noted.system != system)
                said = next((noted.words for noted in slice.complaints if noted.system == system), "")
                return Progress(system=system, complaints=others, complaint=complaint or said)
            case StepOpened(step=step):
                return change(slice, active=step)
            case StepClosed(step=step, how=how, value=value, about=about):
                closed = {**slice.closed, step: Closed(how, value[:LONGEST], moment.version, about)}
                reopened = tuple(id for id in slice.reopened if id != step)
                active = None if slice.active == step else slice.active
                return change(slice, closed=closed, reopened=reopened, active=active)
            case StepReopened(step=step):
                closed = {id: closing for id, closing in slice.closed.items() if id != step}
                reopened = (*(id for id in slice.reopened if id != step), step)
                return change(slice, closed=closed, reopened=reopened, active=step)
            case StepSetAside(step=step):
                return change(slice, active=None if slice.active == step else slice.active)
            case StepsTakenOut(steps=steps):
                closed = {id: closing for id, closing in slice.closed.items() if id not in steps}
                active = None if slice.active in steps else slice.active
                return change(slice, closed=closed, active=active)
            case BranchEntered(branch=branch, step=step, excludes=excludes):
                locked = tuple(dict.fromkeys((*slice.locked, *excludes)))
                return change(slice, branch=branch, entered={**slice.entered, branch: step}, locked=locked)
            case BranchLeft(branch=branch, unlocks=unlocks):
                locked = tuple(id for id in slice.locked if id not in unlocks)
                return change(slice, branch=None if slice.branch == branch else slice.branch, locked=locked)
            case SubtypeExcluded(gate=gate):
                return change(slice, excluded=tuple(dict.fromkeys((*slice.excluded, gate))))
            case ComplaintNoted(complaint=complaint):
                others = tuple(c for c in slice.complaints if c.system != complaint.system)
                return change(slice, complaints=(*others, complaint)[-COMPLAINTS:])
            case NoteKept(step=step, words=words):
                return change(slice, notes=(*slice.notes, (step, words[:LONGEST]))[-NOTES:])
            case Cleared(what="everything"):
                return Progress()
        return slice


def closings(state: State) -> dict[str, Closed]:
    """How each closed step of the case was closed; nothing in a pack without procedures."""
    return state.procedure.closed if "procedure" in state.session.slices else {}
