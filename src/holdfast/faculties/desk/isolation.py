"""What is concluded and why: isolation, replan, the terminal state, the plan for the reply, and the decision path.

The events and the slice of the diagnosis. The rules that make these events are in
`conclusions.py`, their order in `diagnosis.py`.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Literal

import msgspec
from msgspec.structs import replace

from holdfast.events import Cleared, DoubtRaised, Event
from holdfast.faculties.desk import procedure
from holdfast.faculties.desk.case import Folds, folded, put_aside
from holdfast.faculties.desk.topics import ModeChanged
from holdfast.state import Moment
from holdfast.telling import Telling, said

Terminal = Literal["normal", "fault_candidate", "terminal"]
PATH, ARTIFACTS, NOTICES = 60, 20, 8


class Replan(msgspec.Struct, frozen=True, omit_defaults=True):
    """Why a conclusion was taken back."""

    id: str
    reason: str
    """In English, for the agent."""
    evidence: str
    label: str | None = None
    finding: str | None = None
    """The conclusion that no longer holds."""
    words: str = ""
    """What the technician said."""


class Plan(msgspec.Struct, frozen=True, omit_defaults=True):
    """What the agent is to do next."""

    action: str
    step: str | None = None
    kind: str | None = None
    query: str | None = None
    return_step: str | None = None
    constraints: tuple[str, ...] = ()


class Walked(msgspec.Struct, frozen=True, omit_defaults=True):
    """One entry of the decision path."""

    what: str
    on: str
    reason: Telling = ""
    version: int = 0


class Artifact(msgspec.Struct, frozen=True, omit_defaults=True):
    """A photo or other thing that belongs to the case."""

    id: str
    name: str
    kind: str = "photo"


class NotReady(Event, frozen=True):
    """A report or an authorization was asked for too early."""

    did = "refused"
    told = "refused.not_ready"

    asked: str


class Isolated(Event, frozen=True):
    did = "concluded"

    finding: str
    step: str | None = None
    fact: str | None = None

    def tell(self) -> Telling:
        return self.finding


class Replanned(Event, frozen=True):
    did = "retracted"

    replan: Replan
    prefer: tuple[str, ...] = ()

    def tell(self) -> Telling:
        finding, words = self.replan.finding or said("desk.isolation"), self.replan.words
        reason = said("desk.why_evidence", words=words) if words else self.replan.reason
        return said("desk.withdrawn", finding=finding, evidence=self.replan.evidence, reason=reason)


class NoticeGiven(Event, frozen=True):
    """The replan notice went to the agent; it is not given again."""


class TerminalReached(Event, frozen=True):
    did = "concluded"

    terminal: Terminal
    finding: str = ""
    part: str = ""

    def tell(self) -> Telling:
        return f"{self.terminal}: {self.finding or self.part}"


class CaseResumed(Event, frozen=True):
    """The technician wants to go on with the open steps, or the complaint is back."""

    did = "reopened"

    reason: Telling

    def tell(self) -> Telling:
        return self.reason


class RepairSeen(Event, frozen=True):
    did = "learned"
    told = "desk.repaired"

    words: str


class DirectPowerUsed(Event, frozen=True):
    """A part was run on direct power, or was tried to."""

    works: bool | None = None
    part: str = ""
    did = "learned"

    def tell(self) -> Telling:
        return said("desk.power_works" if self.works else "desk.power_tried", part=self.part)


class Recovered(Event, frozen=True):
    """The guard's way out of a loop was taken."""

    did = "recovered"
    told = "desk.action"

    action: str
    reason: Telling


class ArtifactAdded(Event, frozen=True):
    did = "learned"

    artifact: Artifact

    def tell(self) -> Telling:
        return f"{self.artifact.kind} {self.artifact.name}"


class Planned(Event, frozen=True):
    did = "planned"

    plan: Plan
    notices: tuple[str, ...] = ()

    def tell(self) -> Telling:
        step = self.plan.step
        return said("desk.plan", action=self.plan.action, step=step) if step else said("kind", kind=self.plan.action)


class DoubtSettled(Event, frozen=True):
    """What was asked about was answered, or the talk went on."""


class Offered(Event, frozen=True):
    """The report was offered; the offer stands until a report was produced."""


class Diagnosis(msgspec.Struct, frozen=True, omit_defaults=True):
    isolation_complete: bool = False
    finding: str | None = None
    invalidated: bool = False
    deciding_step: str | None = None
    deciding_fact: str | None = None
    terminal: Terminal = "normal"
    candidate: str = ""
    """The part that is named as faulty."""
    resumed: str = ""
    """The candidate after which the technician wanted to go on."""
    asks: int = 0
    """How often the restoration check was planned for this candidate."""
    repaired: str = ""
    direct: int = 0
    """Version of the message that told of direct power."""
    proven_good: tuple[str, ...] = ()
    replan: Replan | None = None
    notice: bool = False
    prefer: tuple[str, ...] = ()
    """Steps that come first after a replan."""
    offered: bool = False
    report_due: bool = False
    """Whether the report was asked for before the case was ready."""
    doubt: str = ""
    """The question that would settle what is in doubt; it may be asked in place of the step."""
    doubt_on: str = ""
    plan: Plan | None = None
    notices: tuple[str, ...] = ()
    artifacts: tuple[Artifact, ...] = ()
    path: tuple[Walked, ...] = ()
    rested: dict[str, Diagnosis] = {}
    """What was concluded in the jobs that were put aside, by their systems."""

    @property
    def action(self) -> str:
        """What the agent is to do next, if that is planned."""
        return self.plan.action if self.plan is not None else ""

    def is_doubt_asked(self, reply: str) -> bool:
        return bool(self.doubt) and self.doubt in reply


def _withdrawn(diagnosis: Diagnosis, **fields: Any) -> Diagnosis:
    """What was concluded no longer holds."""
    open_again = {"isolation_complete": False, "finding": None, "invalidated": True, "offered": False}
    return replace(diagnosis, terminal="normal", candidate="", asks=0, **open_again, **fields)


def _ended(diagnosis: Diagnosis, event: TerminalReached, moment: Moment) -> Diagnosis:
    if event.terminal != "terminal":
        return replace(diagnosis, terminal=event.terminal, candidate=event.part, asks=0)
    return replace(diagnosis, terminal="terminal", isolation_complete=True, invalidated=False, finding=event.finding)


def _resumed(diagnosis: Diagnosis, event: CaseResumed, moment: Moment) -> Diagnosis:
    if diagnosis.terminal == "terminal":
        return _withdrawn(diagnosis, resumed=diagnosis.candidate, repaired="")
    return replace(diagnosis, terminal="normal", resumed=diagnosis.candidate, candidate="", asks=0, repaired="")


def _powered(diagnosis: Diagnosis, event: DirectPowerUsed, moment: Moment) -> Diagnosis:
    good = dict.fromkeys((*diagnosis.proven_good, event.part) if event.works else diagnosis.proven_good)
    return replace(diagnosis, direct=moment.version, proven_good=tuple(good)[-4:])


def _planned(diagnosis: Diagnosis, event: Planned, moment: Moment) -> Diagnosis:
    asks = diagnosis.asks + (event.plan.action == "ask_restoration_check")
    return replace(diagnosis, plan=event.plan, notices=event.notices[-NOTICES:], asks=asks)


CONCLUDED: Folds = {
    procedure.SystemFound: lambda diagnosis, event, moment: replace(
        put_aside(diagnosis, event), artifacts=diagnosis.artifacts, path=diagnosis.path
    ),
    Isolated: lambda diagnosis, event, moment: replace(
        diagnosis,
        isolation_complete=True,
        finding=event.finding,
        invalidated=False,
        deciding_step=event.step,
        deciding_fact=event.fact,
    ),
    Replanned: lambda diagnosis, event, moment: _withdrawn(
        diagnosis, replan=event.replan, notice=True, prefer=event.prefer
    ),
    NotReady: lambda diagnosis, event, moment: replace(
        diagnosis, report_due=event.asked.endswith(("report", "request"))
    ),
    ModeChanged: lambda diagnosis, event, moment: replace(diagnosis, report_due=False),
    NoticeGiven: lambda diagnosis, event, moment: replace(diagnosis, notice=False),
    TerminalReached: _ended,
    CaseResumed: _resumed,
    RepairSeen: lambda diagnosis, event, moment: replace(diagnosis, repaired=event.words),
    DirectPowerUsed: _powered,
    ArtifactAdded: lambda diagnosis, event, moment: replace(
        diagnosis, artifacts=(*diagnosis.artifacts, event.artifact)[-ARTIFACTS:]
    ),
    Planned: _planned,
    Offered: lambda diagnosis, event, moment: replace(diagnosis, offered=True),
    DoubtSettled: lambda diagnosis, event, moment: replace(diagnosis, doubt="", doubt_on=""),
    DoubtRaised: lambda diagnosis, event, moment: replace(diagnosis, doubt=event.question, doubt_on=event.about),
}
"""What an event changes about the conclusion."""
WALKED: dict[type[Event], Callable[[Any], tuple[str, str, Telling]]] = {
    procedure.SystemFound: lambda event: ("system", event.system, "named in the complaint"),
    procedure.StepOpened: lambda event: ("step", event.step, "next open step"),
    procedure.StepClosed: lambda event: ("closed", event.step, f"{event.how}: {event.value[:80]}"),
    procedure.StepReopened: lambda event: ("reopened", event.step, event.reason),
    procedure.StepsTakenOut: lambda event: ("taken_out", ", ".join(event.steps), event.reason),
    procedure.BranchEntered: lambda event: ("branch_entered", event.branch, f"answer to {event.step}"),
    procedure.BranchLeft: lambda event: ("branch_left", event.branch, event.reason),
    Isolated: lambda event: ("isolation", event.finding, "evidence"),
    Replanned: lambda event: (
        "replan",
        event.replan.label or event.replan.evidence,
        said("text.because", what=event.replan.evidence, reason=event.replan.reason),
    ),
    TerminalReached: lambda event: (event.terminal, event.finding or event.part, "fault, repair and restoration"),
    CaseResumed: lambda event: ("resumed", "", event.reason),
    Recovered: lambda event: ("recovery", event.action, event.reason),
}
"""What an event is on the decision path, on what, and why."""
EVENTS: tuple[type[Event], ...] = tuple(dict.fromkeys((*CONCLUDED, *WALKED, Cleared)))


def fold(slice: Diagnosis, event: Event, moment: Moment) -> Diagnosis:
    """The slice after an event; what belongs in the decision path is added to it."""
    if (walked := WALKED.get(type(event))) is not None:
        slice = replace(slice, path=(*slice.path, Walked(*walked(event), moment.version))[-PATH:])
    return folded(CONCLUDED, slice, event, moment)
