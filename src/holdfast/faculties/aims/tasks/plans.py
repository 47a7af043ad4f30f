"""A plan: numbered steps, each with a state, and nothing counted that is not marked.

Numbers never change: a skipped step keeps its place and its mark. When a value changes or something new is found, the
steps that rest on it are marked, those and no others, together with the steps that rest on their outcome.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from typing import Any, Literal, get_args

import msgspec

from holdfast.accepting import accept_writable, shown
from holdfast.errors import InvalidInput, Refused, UnknownItem
from holdfast.reading.values import whole_words

Mark = Literal["open", "running", "done", "skipped", "failed"]

MAX_STEP_CHARS = 500
"""Characters of a step or a reason."""
SAME: dict[str, Mark] = {
    "doing": "running",
    "in progress": "running",
    "in_progress": "running",
    "started": "running",
    "skip": "skipped",
    "completed": "done",
    "todo": "open",
    "error": "failed",
}
"""Other names under which agents know the states."""

_SIGNS: dict[Mark, str] = {"open": " ", "running": " ", "done": "x", "skipped": "~", "failed": "!"}
_LINE = re.compile(r"^\s*(?:[-*]\s+|\d{1,2}[.)]\s+)?(?:\[(?P<sign>[ xX~!])\]\s*)?(?P<text>.*?)\s*$")
_REASON = re.compile(r"^(?P<text>.*\S)\s*\((?:skipped|failed): (?P<reason>[^()]*)\)$")
_TAGGED = re.compile(r"<plan>(.*?)</plan>", re.DOTALL)


class Step(msgspec.Struct, frozen=True, omit_defaults=True):
    """One step of a plan."""

    number: int
    text: str
    state: Mark = "open"
    reason: str = ""
    rests_on: tuple[str, ...] = ()
    """Values, or numbers of steps, without which the step makes no sense."""
    stale: str = ""
    """What changed under the step since it was planned or done."""

    @property
    def closed(self) -> bool:
        return self.state in ("done", "skipped", "failed")

    def line(self) -> str:
        """`- [x] text`, `- [~] text (skipped: reason)` …"""
        why = f" ({self.state}: {self.reason or 'no reason given'})" if self.state in ("skipped", "failed") else ""
        return f"- [{_SIGNS[self.state]}] {self.text}{why}"


class Plan(msgspec.Struct, frozen=True, omit_defaults=True):
    """The steps of a task."""

    steps: tuple[Step, ...] = ()
    confidence: Literal["normal", "low"] = "normal"

    @property
    def texts(self) -> tuple[str, ...]:
        return tuple(step.text for step in self.steps)

    @property
    def done(self) -> int:
        """Steps from the start that are done or skipped, up to the first other one."""
        for count, step in enumerate(self.steps):
            if step.state not in ("done", "skipped"):
                return count
        return len(self.steps)

    @property
    def finished(self) -> bool:
        return all(step.closed for step in self.steps)

    @property
    def running(self) -> Step | None:
        return next((step for step in self.steps if step.state == "running"), None)

    @property
    def first_open(self) -> Step | None:
        return next((step for step in self.steps if not step.closed), None)

    def progress(self) -> str:
        return f"{self.done} of {len(self.steps)} steps done"

    def lines(self) -> list[str]:
        return [step.line() for step in self.steps]

    def numbered(self) -> list[str]:
        """The steps as a planner sees them: number, mark, and what changed under them."""
        told = []
        for step in self.steps:
            doing = " (in progress)" if step.state == "running" else ""
            stale = f" (check again: {step.stale})" if step.stale else ""
            told.append(f"{step.number}. {step.line()[2:]}{doing}{stale}")
        return told

    def tagged(self) -> str:
        """The plan as a stored message: a JSON array inside plan tags."""
        return f"<plan>{msgspec.json.encode(self.texts).decode()}</plan>"

    def remaining(self, most: int = 3) -> tuple[Step, ...]:
        """The next steps to carry out. A finished plan has none, and asking for them is an error."""
        if self.finished:
            raise Refused("every step of this plan is closed; make a new plan before asking for steps")
        return tuple(step for step in self.steps if not step.closed)[:most]

    def step(self, number: int) -> Step:
        if isinstance(number, bool) or not isinstance(number, int) or not 1 <= number <= len(self.steps):
            raise UnknownItem(f"the plan has no step {number!r}; its steps are 1 to {len(self.steps)}")
        return self.steps[number - 1]

    def marked(self, number: int, state: Mark, reason: str = "") -> Plan:
        """The plan with one step in another state; a step that is worked on again is no longer stale."""
        fresh = "" if state in ("running", "done") else self.step(number).stale
        return self._with(msgspec.structs.replace(self.step(number), state=state, reason=reason, stale=fresh))

    def reworded(self, number: int, text: str) -> Plan:
        """The plan with one step changed and open again; the others are not touched."""
        return self._with(Step(number, text, rests_on=self.step(number).rests_on))

    def stale(self, numbers: Iterable[int], why: str) -> Plan:
        known = set(numbers)
        steps = (msgspec.structs.replace(s, stale=why) if s.number in known else s for s in self.steps)
        return Plan(tuple(steps), self.confidence)

    def _with(self, step: Step) -> Plan:
        steps = tuple(step if s.number == step.number else s for s in self.steps)
        return Plan(steps, self.confidence)

    def resting_on(self, names: Iterable[str]) -> list[int]:
        """Numbers of the steps that rest on any of these: by declaration, by naming it, or by resting on such a
        step."""
        wanted = [name.casefold() for name in names if name.strip()]
        hit: set[int] = set()
        for step in self.steps:
            declared = {rest.casefold() for rest in step.rests_on}
            named = any(whole_words(step.text.casefold(), name) for name in wanted)
            if named or declared.intersection(wanted) or any(str(number) in declared for number in hit):
                hit.add(step.number)
        return sorted(hit)


def mark(state: str) -> Mark:
    """A step state by any of its names."""
    known = SAME.get(state, state) if isinstance(state, str) else state
    if known not in get_args(Mark):
        raise InvalidInput(f"a step is one of {', '.join(get_args(Mark))}; got {shown(state)}")
    return known  # type: ignore[return-value]


def plan_of(given: Any, most: int) -> tuple[Plan, int]:
    """A plan from what an agent hands over, and how many steps were cut: a list of texts or of mappings with `step`,
    `state`, `reason`, `rests_on`; or a text, one step a line, or in plan tags."""
    rows = _rows(given)
    steps = [step for number, row in enumerate(rows[:most], 1) if (step := _step(number, row)) is not None]
    for step in steps:
        accept_writable(f"step {step.number} of the plan", step.text)
    if sum(step.state == "running" for step in steps) > 1:
        raise Refused("only one step at a time can be in progress")
    return Plan(tuple(steps)), len(rows) - len(steps)


def single(task: str) -> Plan:
    """What is done when planning fails: the task itself as the only step."""
    return Plan((Step(1, task[:MAX_STEP_CHARS]),), "low")


def tagged(text: str) -> list[str] | None:
    """The steps of the last plan message in a text, if it has one."""
    found = _TAGGED.findall(text) if "<plan>" in text else []
    if not found:
        return None
    try:
        return msgspec.json.decode(found[-1], type=list[str])
    except msgspec.MsgspecError:
        return [line for line in found[-1].splitlines() if line.strip()]


def _rows(given: Any) -> list[Any]:
    if isinstance(given, str):
        listed = tagged(given)
        given = listed if listed is not None else given.splitlines()
    if given is None:
        return []
    if not isinstance(given, Sequence):
        raise InvalidInput(f"a plan is a list of steps, or a text with one step a line; got {type(given).__name__}")
    return [row for row in given if not isinstance(row, str) or row.strip()]


def _step(number: int, row: Any) -> Step | None:
    if isinstance(row, Step):
        return msgspec.structs.replace(row, number=number)
    if isinstance(row, Mapping):
        return _step_from_mapping(number, row)
    if not isinstance(row, str):
        raise InvalidInput(f"step {number} of the plan must be a text or a mapping, not {type(row).__name__}")
    found = _LINE.match(row.replace("\n", " "))
    text, sign = (found["text"], found["sign"]) if found else (row, None)
    state: Mark = next((name for name, known in _SIGNS.items() if sign and known == sign.lower()), "open")
    closed = _REASON.match(text) if state in ("skipped", "failed") else None
    if closed:
        return Step(number, closed["text"][:MAX_STEP_CHARS], state, closed["reason"][:MAX_STEP_CHARS])
    return Step(number, text[:MAX_STEP_CHARS], state)


def _step_from_mapping(number: int, row: Mapping[str, Any]) -> Step:
    rests = row.get("rests_on") or ()
    rests = (rests,) if isinstance(rests, (str, int)) else rests
    text = str(row.get("step") or row.get("text") or "").strip()[:MAX_STEP_CHARS]
    if not text:
        raise InvalidInput(f"step {number} of the plan has no text; give it as 'step'")
    reason = str(row.get("reason") or "")[:MAX_STEP_CHARS]
    return Step(number, text, mark(row.get("state", "open")), reason, tuple(str(rest) for rest in rests))
