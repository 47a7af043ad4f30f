"""What happens to tasks, and the fold that makes of it which task is at hand and which lie on the stack."""

from __future__ import annotations

from typing import Any, Literal

import msgspec

from holdfast.events import Cleared, Event, MessageHeard, MessageSaid
from holdfast.faculties.aims.tasks.plans import Mark, Plan
from holdfast.state import Moment
from holdfast.telling import Telling, said

Relation = Literal["new", "continue", "resume", "fresh"]
Status = Literal["running", "paused", "done", "failed", "abandoned"]

STACK = 8
"""Paused tasks that are kept; the oldest is let go when one more comes."""
ENDED = 3
"""Planned tasks that are over and can still be returned to by name."""
WORDS = 80
"""Stems by which a task is known."""


class Task(msgspec.Struct, frozen=True, omit_defaults=True):
    """A request with its kind, its plan and how far it is."""

    id: str
    type: str
    query: str
    """As typed."""
    status: Status = "running"
    plan: Plan | None = None
    page: Any = None
    """The page or the tabs given with it; the newest that were given, wherever the person looks since."""
    interrupted_at: str = ""
    replans: int = 0
    suggestions: tuple[str, ...] = ()
    """What a validator wanted, until there is a new plan."""
    words: tuple[str, ...] = ()
    """Stems of what it is about."""
    guessed: bool = False
    """Whether nothing told its kind."""
    beside: tuple[str, ...] = ()
    """Stems among its words that only say where: a site, a shop."""

    @property
    def objects(self) -> set[str]:
        """Stems of the things it is about, without where."""
        return set(self.words).difference(self.beside)

    @property
    def open(self) -> bool:
        return self.status in ("running", "paused")


class Link(msgspec.Struct, frozen=True, omit_defaults=True):
    """How the newest message relates to what was before."""

    version: int
    relation: Relation
    type: str | None = None
    """Its routing type, such as `browse-follow-up`."""
    path: tuple[str, ...] = ()
    """The agents it passes, `classify` first where its kind had to be read."""
    reason: Telling = ""
    hint: str = ""
    indicator: str = ""
    replan_word: str = ""
    replan: bool = False
    guessed: bool = False
    """Whether nothing told its kind, so that a model may be asked."""
    follows: bool = False
    """Whether the conversation had messages before it."""
    previous_type: str | None = None
    previous_plan: tuple[str, ...] | None = None
    previous_query: str | None = None


class Tasks(msgspec.Struct, frozen=True, omit_defaults=True):
    """The task at hand, those that were left, and what the next message is compared with."""

    current: Task | None = None
    paused: tuple[Task, ...] = ()
    """Newest last."""
    ended: tuple[Task, ...] = ()
    """The last planned tasks that are over, newest last."""
    last_type: str | None = None
    last_plan: tuple[str, ...] | None = None
    query: str | None = None
    """The newest query; while a message is heard, the one before it is `previous_query` from there on."""
    previous_query: str | None = None
    messages: int = 0
    """Messages since the conversation began, or began anew."""
    fresh: bool = False
    """Whether nothing was asked since it began anew."""
    since: int = 0
    """The version at which it began anew; what is older is closed to the model."""
    link: Link | None = None
    seen: str = ""
    """The newest page state."""

    @property
    def type(self) -> str | None:
        return self.current.type if self.current else None

    @property
    def status(self) -> Status | None:
        return self.current.status if self.current else None

    @property
    def plan(self) -> Plan | None:
        return self.current.plan if self.current else None

    @property
    def page(self) -> Any:
        return self.current.page if self.current else None


class MessageLinked(Event, frozen=True):
    """A message was taken as belonging to a task."""

    did = "linked"

    link: Link
    query: str
    words: tuple[str, ...] = ()
    idle: bool = False
    """Whether it asks for nothing, so that the task stays as it is."""

    def tell(self) -> Telling:
        return self.link.indicator or self.link.reason


class StartedFresh(Event, frozen=True):
    did = "cleared"
    told = "cleared.tasks"

    carries: bool = False
    """Whether the same message asks for something."""


class TaskStarted(Event, frozen=True):
    did = "started"

    id: str
    kind: str
    query: str
    page: Any = None
    words: tuple[str, ...] = ()
    guessed: bool = False
    beside: tuple[str, ...] = ()

    def tell(self) -> Telling:
        return said("task.started", kind=self.kind, query=self.query[:80])


class TaskTyped(Event, frozen=True):
    """A model said of which kind a task is that words left open."""

    did = "understood"
    told = "task.is_kind"

    id: str
    kind: str
    link: Link


class TaskPaused(Event, frozen=True):
    did = "paused"

    id: str
    by: str
    """`person`, or `request` when another request came in between."""
    at: str = ""
    indicator: str = ""

    def tell(self) -> Telling:
        return self.indicator or (said("task.paused_at", place=self.at) if self.at else said("task.paused"))


class TaskResumed(Event, frozen=True):
    did = "resumed"

    id: str
    query: str

    def tell(self) -> Telling:
        return self.query[:80]


class TaskEnded(Event, frozen=True):
    did = "ended"

    id: str
    status: Status

    def tell(self) -> Telling:
        return said("task.ended", state=self.status)


class PageGiven(Event, frozen=True):
    """The person gave a page or a selection of tabs with the request."""

    id: str
    page: Any = None


class PageSeen(Event, frozen=True):
    """What the browser shows now."""

    text: str


class PlanMade(Event, frozen=True):
    did = "planned"

    id: str
    plan: Plan
    cut: int = 0
    words: tuple[str, ...] = ()

    def tell(self) -> Telling:
        return said("plan.cut" if self.cut else "plan.steps", n=len(self.plan.steps), cut=self.cut)


class StepMarked(Event, frozen=True):
    did = "marked"

    id: str
    number: int
    state: Mark
    text: str = ""
    reason: str = ""

    def tell(self) -> Telling:
        if self.reason:
            return said("plan.marked_why", n=self.number, state=self.state, reason=self.reason)
        return said("plan.marked", n=self.number, state=self.state)


class StepReworded(Event, frozen=True):
    did = "planned"

    id: str
    number: int
    text: str

    def tell(self) -> Telling:
        return said("plan.step", n=self.number, text=self.text[:80])


class StepsChallenged(Event, frozen=True):
    """Something changed under some steps."""

    did = "marked"

    id: str
    numbers: tuple[int, ...]
    why: str

    def tell(self) -> Telling:
        return said("plan.check", steps=", ".join(map(str, self.numbers)), reason=self.why)


class ValidationFailed(Event, frozen=True):
    did = "refused"
    told = "refused.invalid"

    id: str
    suggestions: tuple[str, ...] = ()


def folded(tasks: Tasks, event: Event, moment: Moment) -> Tasks:
    """The tasks after an event."""
    change = msgspec.structs.replace
    match event:
        case MessageHeard():
            return change(tasks, messages=tasks.messages + 1, fresh=False)
        case MessageSaid(text=text):
            return change(tasks, messages=tasks.messages + 1) if text and not tasks.fresh else tasks
        case MessageLinked():
            return _linked(tasks, event)
        case StartedFresh(carries=carries):
            return Tasks(messages=int(carries), fresh=not carries, since=moment.version)
        case Cleared(what="everything"):
            return Tasks(since=moment.version, fresh=True)
        case PageSeen(text=text):
            return change(tasks, seen=text)
    return _task_folded(tasks, event)


def _linked(tasks: Tasks, event: MessageLinked) -> Tasks:
    change = msgspec.structs.replace
    task = tasks.current
    if event.link.relation == "fresh" and not event.link.path:
        return change(tasks, link=event.link)
    if task is not None and event.link.relation != "new" and not event.idle:
        task = change(task, status="running", words=_words(task.words, event.words))
    return change(tasks, current=task, query=event.query, previous_query=tasks.query, link=event.link)


def _task_folded(tasks: Tasks, event: Event) -> Tasks:
    change = msgspec.structs.replace
    match event:
        case TaskStarted(id=id, kind=kind, query=query, page=page, words=words):
            task = Task(
                id, kind, query, page=page, words=words[:WORDS], guessed=event.guessed, beside=event.beside[:WORDS]
            )
            return change(tasks, current=task, ended=_ended(tasks), last_type=kind, last_plan=None)
        case TaskTyped(id=id, kind=kind, link=link) if tasks.current is not None and tasks.current.id == id:
            return change(tasks, current=change(tasks.current, type=kind, guessed=False), last_type=kind, link=link)
        case TaskResumed(id=id):
            return _resumed(tasks, id)
        case TaskPaused(id=id, by=by, at=at, indicator=indicator):
            return _paused(tasks, id, by, at, indicator)
        case TaskEnded(id=id) if any(task.id == id for task in tasks.paused):
            left = tuple(task for task in tasks.paused if task.id != id)
            over = tuple(_current_folded(task, event) for task in tasks.paused if task.id == id and task.plan)
            return change(tasks, paused=left, ended=(*tasks.ended, *over)[-ENDED:])
    if tasks.current is None or getattr(event, "id", None) != tasks.current.id:
        return tasks
    task = _current_folded(tasks.current, event)
    plan = task.plan.texts if task.plan else tasks.last_plan
    return change(tasks, current=task, last_plan=plan)


def _current_folded(task: Task, event: Event) -> Task:
    change = msgspec.structs.replace
    plan = task.plan or Plan()
    match event:
        case TaskEnded(status=status):
            return change(task, status=status)
        case PageGiven(page=page):
            return change(task, page=page)
        case PlanMade(plan=made, words=words):
            ended = "done" if made.finished else "running"
            return change(task, plan=made, status=ended, suggestions=(), words=_words(task.words, words))
        case StepMarked(number=number, state=state, reason=reason):
            # An outcome that comes in after the person stopped the task does not set it going again.
            stopped = task.status == "paused" and state != "running"
            return change(task, plan=plan.marked(number, state, reason), status="paused" if stopped else "running")
        case StepReworded(number=number, text=text):
            return change(task, plan=plan.reworded(number, text), status="running")
        case StepsChallenged(numbers=numbers, why=why):
            return change(task, plan=plan.stale(numbers, why))
        case ValidationFailed(suggestions=suggestions):
            return change(task, replans=task.replans + 1, suggestions=suggestions, status="running")
    return task


def _paused(tasks: Tasks, id: str, by: str, at: str, indicator: str) -> Tasks:
    """Paused by the person, a task stays at hand; paused by another request, it goes on the stack."""
    change = msgspec.structs.replace
    task = tasks.current
    if task is None or task.id != id:
        return tasks
    task = change(task, status="paused", interrupted_at=at or task.interrupted_at)
    if by == "person":
        link = tasks.link or Link(0, "continue", task.type)
        return change(tasks, current=task, link=change(link, indicator=indicator))
    return change(tasks, current=None, paused=(*tasks.paused, task)[-STACK:])


def _resumed(tasks: Tasks, id: str) -> Tasks:
    change = msgspec.structs.replace
    back = next((task for task in (*tasks.paused, *tasks.ended) if task.id == id), None)
    if back is None:
        return tasks
    others = tuple(task for task in tasks.paused if task.id != id)
    ended = tuple(task for task in _ended(tasks) if task.id != id)
    plan = back.plan.texts if back.plan else None
    back = change(back, status="running")
    return change(tasks, current=back, paused=others, ended=ended, last_type=back.type, last_plan=plan)


def _ended(tasks: Tasks) -> tuple[Task, ...]:
    """The tasks that are over, with the one at hand if it is."""
    task = tasks.current
    if task is None or task.open or task.plan is None:
        return tasks.ended
    return (*tasks.ended, task)[-ENDED:]


def _words(known: tuple[str, ...], new: tuple[str, ...]) -> tuple[str, ...]:
    return tuple(dict.fromkeys((*known, *new)))[:WORDS]
