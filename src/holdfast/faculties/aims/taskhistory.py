"""What the agent has done: the last tasks, with their code, their result and, for failed ones, what went wrong, so
that the next one can reuse what worked and try something else where it did not."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

import msgspec

from holdfast.events import Cleared, Event
from holdfast.faculties.attachments import executed, names
from holdfast.faculty import Draft, Faculty, Section
from holdfast.state import Moment

KEPT = 10
SHOWN = 5
CODE = 4000
"""Characters of a task's code and result that are kept; the log has all of it."""


class Task(msgspec.Struct, frozen=True, omit_defaults=True):
    """One task that was carried out, or failed."""

    title: str
    version: int
    done: bool = True
    error: str = ""
    result: str = ""
    memorized: str = ""
    files: tuple[str, ...] = ()
    id: str = ""


class TaskDone(Event, frozen=True):
    did = "recorded"

    task: Task

    def tell(self) -> str:
        return line(self.task)


class TaskHistory(msgspec.Struct, frozen=True, omit_defaults=True):
    tasks: tuple[Task, ...] = ()
    """Newest last."""


class TaskHistoryFaculty(Faculty):
    name = "task_history"
    slice = TaskHistory
    events = (TaskDone, Cleared)
    says = ("task", "code", "memorized", "files", "status")

    def say(self, draft: Draft) -> Iterator[Event]:
        if any(name in draft.attached for name in self.says) and draft.attached.get("role") != "system":
            yield TaskDone(task=_task(draft), because=draft.cause("task.attached"))

    def fold(self, slice: TaskHistory, event: Event, moment: Moment) -> TaskHistory:
        match event:
            case TaskDone(task=task):
                return TaskHistory((*slice.tasks, task)[-KEPT:])
            case Cleared(what="everything"):
                return TaskHistory()
        return slice

    def sections(self, draft: Draft) -> Iterable[Section]:
        tasks: tuple[Task, ...] = draft.state.task_history.tasks[-SHOWN:]
        if tasks:
            yield Section("task_history", told(tasks), keep=35)


def line(task: Task) -> str:
    if task.done:
        return f"✓ {task.title}"
    return f"✗ {task.title}" + (f" (Error: {task.error})" if task.error else "")


def told(tasks: Iterable[Task]) -> str:
    """The history as a section of the prompt."""
    shown = list(tasks)[-SHOWN:]
    lines = ["**TASK HISTORY:**", *(line(task) for task in shown)]
    if any(not task.done for task in shown):
        lines.append("A task marked ✗ failed: try a different approach than the one that failed.")
    return "\n".join(lines)


def _task(draft: Draft) -> Task:
    attached = draft.attached
    given = attached.get("task") or {}
    given = {"title": given} if isinstance(given, str) else given
    told = {key: str(value) for key, value in given.items() if value}
    status = told.get("status") or str(attached.get("status") or "success")
    error = told.get("error", "")
    return Task(
        title=" ".join((told.get("title") or _request(draft) or draft.text).split())[:200],
        version=draft.moment.version,
        done=status in ("success", "completed", "done", "ok") and not error,
        error=" ".join(error.split())[:300],
        result=told.get("result", "")[:CODE],
        memorized=executed(attached)[:CODE],
        files=names(attached)[:20],
        id=told.get("id", ""),
    )


def _request(draft: Draft) -> str:
    """What the person asked for: where the newest message only let an earlier request go on, that request."""
    files = draft.state.session.slices.get("files")
    if files is not None and files.request is not None and files.request.continues:
        return str(files.request.continues)
    return next((m.text for m in reversed(draft.state.conversation.recent) if m.role == "user"), "")
