"""What the planner is told: who it is, what was planned before and how far it got, what is wanted now, and where the
person is. The order is fixed; parts with nothing to say are left out."""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Sequence

from holdfast.faculties.aims.tasks.events import Task, Tasks
from holdfast.faculties.aims.tasks.faculty import HINTS, previous_plan
from holdfast.packs.nxtscape.messages import BUDGET, PER_TOKEN, SHARE, Message, neutral, newest

GUIDANCE = """FOLLOW-UP: this request follows earlier work in the same conversation.
- Understand the context: read the previous plan, its marks and the conversation before you plan.
- Build on earlier work: start from the current state of the browser.
- Do not restart the task from its beginning.
- Do not repeat steps that are done."""

LABEL = 8
"""Tokens that the number and the name of a speaker take."""
ROLE = (
    "You are the planner. Write one to five short steps for the browse agent, one per line, each an action that can be "
    "checked on the page."
)


def system(tasks: Tasks) -> str:
    """The system part: for a follow-up its guidance comes first."""
    follows = tasks.link is not None and (tasks.link.replan or tasks.link.relation == "resume")
    return f"{GUIDANCE}\n\n{ROLE}" if follows else ROLE


def text(tasks: Tasks, history: Sequence[Message], page: str = "", budget: int = BUDGET) -> str:
    """The user part, for the newest message. The history gets the room that the rest of it leaves."""
    page = page or tasks.seen
    rest = sum(len(part) for part in _parts(tasks, (), page))
    spoken = [message for message in history if message.type in ("human", "ai")]
    room = math.floor(budget * SHARE) - math.ceil(rest / PER_TOKEN)
    return "\n\n".join(part for part in _parts(tasks, newest(spoken, room, LABEL), page) if part)


def _parts(tasks: Tasks, history: Sequence[Message], page: str) -> Iterator[str]:
    link, task = tasks.link, tasks.current
    query = neutral(tasks.query or "")
    if link is not None and link.replan:
        yield "FOLLOW-UP REQUEST: " + (link.indicator or "another request in the same conversation.")
        yield "\n".join(_earlier(tasks, task))
        yield f'NEW INSTRUCTION: "{query}"'
        hint = f" {HINTS[link.hint]}" if link.hint else ""
        yield f"Check the current page first: what is wanted may already be there.{hint}"
    else:
        yield f'TASK: "{query}"'
    yield "\n".join(["CONVERSATION HISTORY:", *lines(history)]) if history else ""
    yield f"YOU ARE HERE NOW:\n{page}" if page else ""
    yield "\n".join(validation(task.suggestions)) if task is not None else ""
    yield f'Make a plan of at most five steps for: "{query}", starting from the current state.'


def _earlier(tasks: Tasks, task: Task | None) -> list[str]:
    known = task if task is not None and task.plan else next((t for t in reversed(tasks.paused) if t.plan), None)
    return previous_plan(known, None) if known is not None else []


def validation(suggestions: Iterable[str]) -> list[str]:
    listed = [f"{number}. {suggestion}" for number, suggestion in enumerate(suggestions, 1)]
    return ["Validation failed. Suggestions for next steps:", *listed] if listed else []


def lines(history: Sequence[Message]) -> list[str]:
    """`[n] User: …` and `[n] Assistant: …`."""
    spoken = [message for message in history if message.type in ("human", "ai")]
    names = {"human": "User", "ai": "Assistant"}
    return [f"[{number}] {names[m.type]}: {m.content}" for number, m in enumerate(spoken, 1)]
