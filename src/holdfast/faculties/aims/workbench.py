"""The workbench of a coding session: the mission, the tasks, the errors not yet resolved, the files in hand.

The mission is the first message that states a goal or asks for work; later messages do not replace it. The current task
is the one that was set, even while it waits; after its end the newest active one takes its place.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Literal

import msgspec

from holdfast.errors import UnknownItem
from holdfast.events import Cleared, Event
from holdfast.faculty import Draft, Faculty, Section
from holdfast.state import Moment, State
from holdfast.telling import Telling, said

Status = Literal["pending", "active", "waiting", "done"]
LONG_ENOUGH = 20
"""Characters above which a first message can be a mission."""
TASKS, ERRORS, FILES = 30, 10, 10

change = msgspec.structs.replace


class Task(msgspec.Struct, frozen=True, omit_defaults=True):
    id: str
    text: str
    status: Status = "pending"


class Trouble(msgspec.Struct, frozen=True, omit_defaults=True):
    """An error that was met and not yet resolved."""

    id: str
    text: str


_SAYS_SO = frozenset({"states", "answers", "instructs"})
"""Acts by which a goal is told."""
_GOAL = "goal"
"""The attribute of what is to be reached."""
PLAINLY = 16
"""Lead from which a clause tells of one of them."""


class MissionSet(Event, frozen=True):
    did = "understood"
    told = "plan.mission"

    text: str


class TaskSet(Event, frozen=True):
    did = "planned"

    task: Task
    current: bool = False

    def tell(self) -> Telling:
        return said("plan.task", text=self.task.text, state=self.task.status)


class ErrorMet(Event, frozen=True):
    did = "noted"

    error: Trouble

    def tell(self) -> Telling:
        return self.error.text


class ErrorResolved(Event, frozen=True):
    did = "resolved"

    id: str

    def tell(self) -> Telling:
        return self.id


class FileTouched(Event, frozen=True):
    did = "noted"

    path: str

    def tell(self) -> Telling:
        return self.path


class Workbench(msgspec.Struct, frozen=True, omit_defaults=True):
    mission: str = ""
    tasks: tuple[Task, ...] = ()
    current: str = ""
    errors: tuple[Trouble, ...] = ()
    files: tuple[str, ...] = ()

    @property
    def task(self) -> Task | None:
        """The task at hand: the one that was set, else the newest active one."""
        named = next((t for t in self.tasks if t.id == self.current and t.status != "done"), None)
        return named or next((t for t in reversed(self.tasks) if t.status == "active"), None)


def _states_a_goal(draft: Draft, place: int) -> bool:
    """Whether the words at a place say what is to be done: by a request, by a clause that tells a goal, or by one that
    begins with what to do. A lasting rule ("always add type hints") is none."""
    for clause in draft.clauses:
        if not clause.start <= place < clause.end or "laterphrase" in clause.kinds:
            continue
        told = [clause.tells, *(value.lasting for value in clause.values)]
        goal = any(one.best == _GOAL and one.lead >= PLAINLY for one in told)
        begins = (clause.act, clause.start) == ("states", place)  # "Build a small shop"
        return clause.act == "requests" or begins or (clause.act in _SAYS_SO and goal)
    return False


class WorkbenchFaculty(Faculty):
    name = "workbench"
    words = ("holdfast.faculties.aims/workbench",)
    slice = Workbench
    events = (MissionSet, TaskSet, ErrorMet, ErrorResolved, FileTouched, Cleared)

    def hear(self, draft: Draft) -> Iterator[Event]:
        if draft.state.workbench.mission or not draft.reading.has("action"):
            return
        text = draft.reading.text.strip()
        cue = next((one for one in draft.reading.all("action") if _states_a_goal(draft, one.start)), None)
        if len(text) > LONG_ENOUGH and cue is not None:
            yield MissionSet(text=text[:300], because=draft.cause(cue.id, cue.span))

    def fold(self, slice: Workbench, event: Event, moment: Moment) -> Workbench:
        match event:
            case MissionSet(text=text):
                return change(slice, mission=text)
            case TaskSet(task=task, current=current):
                return _with_task(slice, task, current)
            case ErrorMet(error=error):
                return change(slice, errors=(*slice.errors, error)[-ERRORS:])
            case ErrorResolved(id=id):
                return change(slice, errors=tuple(e for e in slice.errors if e.id != id))
            case FileTouched(path=path):
                return change(slice, files=(*(f for f in slice.files if f != path), path)[-FILES:])
            case Cleared(what="everything"):
                return Workbench()
        return slice

    def sections(self, draft: Draft) -> Iterable[Section]:
        return workbench_sections(draft.state)


def _with_task(slice: Workbench, task: Task, current: bool) -> Workbench:
    """With a task in its place or at the end; what is done is dropped."""
    tasks = {**{t.id: t for t in slice.tasks}, task.id: task}.values()
    kept = [t for t in tasks if t.status != "done"][-TASKS:]
    return change(slice, tasks=tuple(kept), current=task.id if current else slice.current)


def workbench_sections(state: State) -> list[Section]:
    bench: Workbench = state.workbench
    task = bench.task
    pending = [t for t in bench.tasks if t is not task and t.status != "done"]
    parts = (
        ("Mission", 90, bench.mission),
        ("Current Task", 80, task.text if task else ""),
        ("Unresolved Errors", 70, "\n".join(f"- {e.text}" for e in bench.errors[-3:])),
        ("Working On", 45, "\n".join(f"- {path}" for path in bench.files)),
        ("Pending Tasks", 40, "\n".join(f"- {t.text}" for t in pending)),
    )
    return [Section(name, f"## {name}\n{text}", keep) for name, keep, text in parts if text]


def find_task(state: State, id: str) -> Task:
    found = next((task for task in state.workbench.tasks if task.id == id), None)
    if found is None:
        raise UnknownItem(f"there is no task {id!r}")
    return found  # type: ignore[no-any-return]
