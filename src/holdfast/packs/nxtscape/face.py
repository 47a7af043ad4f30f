"""The document's own calls, over a session: follow-up context, routing state, plans, planner text, message views."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any

from holdfast.errors import PackError
from holdfast.events import Event, Refusal, Route
from holdfast.faculties.aims.tasks import TasksFaculty
from holdfast.faculties.aims.tasks.classifying import classified
from holdfast.faculties.aims.tasks.events import Link, PageSeen, Task, Tasks
from holdfast.faculties.aims.tasks.plans import Plan, Step
from holdfast.guests import Contained
from holdfast.packs import keyed
from holdfast.packs.nxtscape import messages as listed
from holdfast.packs.nxtscape import planner
from holdfast.packs.nxtscape.messages import Message
from holdfast.packs.nxtscape.notes import MAX_NOTE_CHARS, SystemSet, ToolNoted
from holdfast.session import Session
from holdfast.telling import said
from holdfast.turn import Done

SEEN_BY_CLASSIFIER = 10
PAGE_OF_LOG = 500
MOST_OF_LOG = 5000


class NxtscapeFace:
    """`chat.face` in the pack `nxtscape`. Exported views are plain data with the document's keys."""

    def __init__(self, chat: Session) -> None:
        self._chat = chat
        faculty = chat.pack.faculty("task")
        assert isinstance(faculty, TasksFaculty)
        self._faculty = faculty

    @property
    def _tasks(self) -> Tasks:
        return self._chat.state.task  # type: ignore[no-any-return]

    @property
    def _link(self) -> Link:
        return self._tasks.link or Link(0, "new")

    # Where the newest message belongs.

    def is_fresh(self) -> bool:
        """Whether nothing was said yet (or since the conversation began anew)."""
        return self._tasks.messages == 0

    def follow_up_context(self) -> dict[str, Any] | None:
        """For the newest message: what it follows, or None when it follows nothing."""
        names = "isFollowUp=follows lastAgentType=previous_type lastPlan=previous_plan? previousQuery=previous_query"
        return keyed(self._link, names) if self._link.follows else None

    def routing_state(self) -> dict[str, Any]:
        """For the newest message: the state in which the entry decision left it."""
        names = "isFollowUp=follows previousTaskType=previous_type previousPlan=previous_plan?"
        return keyed(self._link, f"{names} requiresReplanning=replan taskType=type")

    def path(self) -> list[str]:
        """The agents that the newest message passes; `classify` first where its kind had to be read."""
        return list(self._link.path)

    def indicator(self) -> dict[str, str]:
        """What the person sees of it: the kind (new, continue, resume, fresh) and a text."""
        return {"kind": self._link.relation, "text": self._link.indicator}

    def hint(self) -> str:
        """Which hint goes with a follow-up: choose, continue, extend, change, look, navigate, or nothing."""
        return self._link.hint

    def route(self, name: str) -> Route:
        """A route by the name of its agent; an unknown one is an error at once."""
        agents = self._chat.pack.agents
        if name not in agents:
            raise PackError(f"there is no agent {name!r}; the routes are {', '.join(agents)}")
        return Route(name)

    def classify(self, classifier: Callable[[list[dict[str, str]]], str]) -> str | None:
        """Ask a model for the kind of the newest task if words left it open; gives the kind that holds then. What the
        model cannot say, or a model that fails, is recorded and changes nothing. With `Holdfast(second_opinion=…)` that
        is done while the message is heard."""
        tasks = self._tasks
        if not self._link.guessed:
            return tasks.type
        talk = [m for m in self.history(page_states=False) if m["type"] != "system"][-SEEN_BY_CLASSIFIER:]
        told: dict[str, str] = {}
        # A failing model must never cost the person their turn: whatever it raises is recorded, the default holds.
        with Contained(lambda error: told.update(error=f"{type(error).__name__}: {error}")):
            told["answer"] = str(classifier([{"role": m["role"], "content": m["content"]} for m in talk]))
        kind, _, wrong = classified(told, self._faculty.kinds)
        if kind is None:
            self._record(Refusal(what=said("refused.classification"), reason=wrong))
            return tasks.type
        self._chat.act(lambda draft: self._faculty.typed(draft, kind.name))
        return kind.name

    # Tasks, plans and steps.

    def task(self) -> dict[str, Any] | None:
        return _exported(self._tasks.current) if self._tasks.current else None

    def stack(self) -> list[dict[str, Any]]:
        """Paused tasks, newest first."""
        return [_exported(task) for task in reversed(self._tasks.paused)]

    def last_agent_type(self) -> str | None:
        return self._tasks.last_type

    def store_plan(self, steps: Any) -> Done:
        return self._chat.plan(steps)

    def previous_plan(self) -> list[str] | None:
        plan = self._tasks.last_plan
        return list(plan) if plan else None

    def plan_message(self) -> str | None:
        """The plan in its stored form: a JSON array inside plan tags."""
        return self._tasks.plan.tagged() if self._tasks.plan else None

    def steps(self) -> list[dict[str, Any]]:
        return [_exported_step(step) for step in self._plan.steps]

    def lines(self) -> list[str]:
        """`- [ ] text`, `- [x] text`, `- [~] text (skipped: …)`, `- [!] text (failed: …)`."""
        return self._plan.lines()

    def done_count(self) -> int:
        return self._plan.done

    def next_steps(self, most: int = 3) -> list[dict[str, Any]]:
        """Hand out at most three steps that remain: the first of them is in progress from here on. A finished plan has
        none, and asking is an error."""
        first = self._plan.remaining(1)[0]
        if self._plan.running is None:
            self._chat.step(first.number, "running")
        return [_exported_step(step) for step in self._plan.remaining(min(most, 3))]

    @property
    def _plan(self) -> Plan:
        return self._tasks.plan or Plan()

    def change_step(self, number: int, text: str) -> Done:
        """Change one step without touching the others."""
        return self._chat.act(lambda draft: self._faculty.reword(draft, number, text))

    def evidence(self, about: str, found: str) -> Done:
        """Something new was found: marks exactly the steps that rest on it."""
        return self._chat.act(lambda draft: self._faculty.challenge(draft, about, f"{about}: {found}"))

    def validated(self, valid: bool, suggestions: Iterable[str] = ()) -> dict[str, Any]:
        """A validator's verdict: whether a replan is wanted, and the count of them so far."""
        before = self._tasks.current.replans if self._tasks.current else 0
        done = self._chat.act(lambda draft: self._faculty.validated(draft, valid, suggestions))
        task = done.state.task.current
        return {"requiresReplanning": task.replans > before, "retries": task.replans, "status": task.status}

    def planner_system(self) -> str:
        return planner.system(self._tasks)

    def planner_text(self, page: str = "", budget: int = listed.BUDGET) -> str:
        """The planner's user part for the newest message, within the budget at any length of the history."""
        return planner.text(self._tasks, [m for m in self._logged() if not m.current], page, budget)

    # Messages.

    def set_system(self, text: str) -> None:
        self._record(SystemSet(text=text[:MAX_NOTE_CHARS]))

    def page_state(self, text: str) -> None:
        """What the browser shows now; only the newest is kept, and the task stays bound to its own page."""
        self._record(PageSeen(text=text[:MAX_NOTE_CHARS]))

    def tool(self, text: str, images: int = 0) -> None:
        self._record(ToolNoted(text=text[:MAX_NOTE_CHARS], images=images))

    def history(self, page_states: bool = True) -> list[dict[str, Any]]:
        """All messages, oldest first: one system message, the talk, the newest plan of each task, one page state."""
        return [_exported_message(message) for message in self._all(page_states)]

    def history_text(self, page_states: bool = False) -> str:
        """The history as `role: content` lines, for a model that takes only text."""
        return "\n".join(f"{message.role}: {message.content}" for message in self._all(page_states))

    def planner_history(self) -> list[str]:
        """`[n] User: …`, `[n] Assistant: …`."""
        return planner.lines(self._logged())

    def messages(self, view: str = "planner", page: str = "", budget: int = listed.BUDGET) -> list[dict[str, Any]]:
        """What an agent sees, ready for a model and within the budget: the planner and the browse agent all of it (the
        browse agent with the page state that it brings), the validator the page state alone."""
        known = self._all(page_states=False)
        seen = page if view == "browse" and page else self._tasks.seen
        state = [Message("browser_state", f"<browser_state>\n{listed.neutral(seen)}\n</browser_state>")] if seen else []
        if view == "validator":
            return [_exported_message(message) for message in state]
        self.route(view)
        ready = [listed.wrapped(m) if m.type == "human" else m for m in known]
        return [_exported_message(message) for message in listed.trimmed([*ready, *state], budget)]

    def trimmed(self, budget: int = listed.BUDGET, new: str = "", images: int = 0) -> list[dict[str, Any]]:
        """The history within three quarters of a budget, a new message counted first."""
        coming = Message("human", new, images) if new else None
        return [_exported_message(message) for message in listed.trimmed(self._all(False), budget, coming)]

    def tokens(self) -> int:
        return listed.count(self._all(False))

    def _all(self, page_states: bool) -> list[Message]:
        state = self._chat.state
        system = [Message("system", state.notes.system)] if state.notes.system else []
        seen = [Message("browser_state", state.task.seen)] if page_states and state.task.seen else []
        return [*system, *self._logged(), *seen]

    def _logged(self) -> list[Message]:
        since = self._tasks.since
        past: list[Any] = []
        before: int | None = None
        while len(past) < MOST_OF_LOG and (page := self._chat.history(PAGE_OF_LOG, before)):
            past = [*page, *past]
            before = page[0].version
            if before <= max(since, 1):
                break
        return listed.logged(past, since)

    def _record(self, event: Event) -> None:
        self._chat.act(lambda draft: [event])


def _exported(task: Task) -> dict[str, Any]:
    plan = [_exported_step(step) for step in task.plan.steps] if task.plan else None
    told = keyed(task, "id type query status page interruptedAt=interrupted_at? retries=replans")
    return told | {"plan": plan, "confidence": task.plan.confidence if task.plan else None}


def _exported_step(step: Step) -> dict[str, Any]:
    doing = step.state == "running"
    told = keyed(step, "number text reason? checkAgain=stale?")
    return told | {"status": "open" if doing else step.state, "doing": doing}


def _exported_message(message: Message) -> dict[str, Any]:
    return keyed(message, "type role content images current")
