"""From the state of a case to what the agent is to do: the action and its constraints.

`instruct` is the last stage of a turn; `loop_check` runs before it and takes the guard's way out at once. What can be
said without a model is in `wording.py`.
"""

from __future__ import annotations

from collections.abc import Iterator

from holdfast.events import Event
from holdfast.faculties.desk import guard as guards
from holdfast.faculties.desk.case import Case
from holdfast.faculties.desk.commands import NotReady, all_closed
from holdfast.faculties.desk.isolation import CaseResumed, Offered, Plan, Planned, Recovered, Replanned
from holdfast.faculties.desk.procedure import StepClosed, SystemFound
from holdfast.faculties.desk.steps import advance
from holdfast.faculties.desk.topics import ModeChanged
from holdfast.telling import Said, said

MOST_RECOVERIES = 3
MAX_NOTES = 2
"""Messages at a step that do not answer it, after which it is given up."""
RULES = {
    "ask_step": ("Ask exactly the question of the current step", "Do NOT invent diagnostic steps"),
    "provide_clarification": (
        "Answer the question in one paragraph",
        "Do NOT close the step",
        "Return to the diagnostic flow",
    ),
    "replan_notice": ("Acknowledge the new evidence", "Do NOT repeat the earlier conclusion", "Return to questions"),
    "offer_completion": ("Summarize in one or two sentences", "Do NOT use report headers", "Do NOT ask further steps"),
    "ask_restoration_check": ("Ask one question only: was it repaired, and does the unit work again",),
    "generate_labor": ("Give one total and a line that asks to confirm", "Labor blocks nothing"),
    "generate_report": ("Use only the locked facts", "Do NOT claim a repair that was not done"),
    "acknowledge_and_continue": ("Do NOT ask for what was already given",),
    "transition": ("Say in one sentence where the case goes on",),
}


def loop_check(case: Case) -> Iterator[Event]:
    """The stage: a step that the guard would refuse is closed as unable, and the next one is assigned, at once."""
    if "guard" not in case.state.session.slices:
        return
    for _ in range(MOST_RECOVERIES):
        step = case.progress.active
        if step is None or case.topics.stack:
            return
        reason = guards.repeats(step, case.state, planned=True) or _worn_out(case, step)
        if reason is None:
            return
        way = guards.recovery(reason)
        yield Recovered(action=way.action, reason=way.reason, because=case.cause("guard.recovery"))
        yield StepClosed(step=step, how="unable", value="no answer", because=case.cause("guard.recovery"))
        yield from advance(case)


def _worn_out(case: Case, step: str) -> Said | None:
    """Why a step is given up that was talked past again and again: its question came in other words each time."""
    notes = [noted for noted, _ in case.progress.notes if noted == step]
    tried = len(notes) >= MAX_NOTES and step not in case.progress.reopened
    return said("guard.step_often", step=step) if tried else None


def instruct(case: Case) -> Iterator[Event]:
    """The stage: what the agent does next, and what the technician should hear of this turn."""
    if case.happened(CaseResumed) and case.topics.mode != "diagnostic":
        yield ModeChanged(mode="diagnostic", reason=said("desk.why_case"))
    plan = _plan(case)
    if plan.action == "offer_completion" and not case.diagnosis.offered:
        yield Offered()
    yield Planned(plan=plan, notices=tuple(_notices(case)))


def _plan(case: Case) -> Plan:
    action, step = _action(case), case.progress.active
    constraints = RULES[action]
    stack = case.topics.stack
    if action == "provide_clarification":
        top = stack[-1]
        return Plan(action, step, top.submode, top.topic, top.return_step, constraints)
    name = case.procedure.name.en if case.procedure is not None else None
    if name is not None and action in ("ask_step", "replan_notice"):
        constraints = (*constraints, f"Do NOT ask about systems other than {name}")
    return Plan(action, step, constraints=constraints)


def _action(case: Case) -> str:
    """The first thing that is due."""
    diagnosis, topics, refused = case.diagnosis, case.topics, case.happened(NotReady)
    stands = "report" in case.state.session.slices and case.state.report.produced and case.intent.type != "COMMAND"
    due = (
        (
            bool(refused),
            "generate_labor" if any(event.asked == "labor" for event in refused) else "acknowledge_and_continue",
        ),
        (topics.mode == "final_report", "acknowledge_and_continue" if stands else "generate_report"),
        (topics.mode == "authorization", "generate_labor"),
        (bool(topics.stack), "provide_clarification"),
        (bool(case.happened(Replanned)), "replan_notice"),
        (diagnosis.terminal == "terminal", "offer_completion"),
        (diagnosis.terminal == "fault_candidate", "ask_restoration_check"),
        (diagnosis.isolation_complete and _labor_first(case), "generate_labor"),
        (diagnosis.isolation_complete, "offer_completion"),
        (case.progress.active is not None, "ask_step"),
        (all_closed(case), "offer_completion"),
        (bool(case.happened(ModeChanged)), "transition"),
    )
    return next((action for is_due, action in due if is_due), "acknowledge_and_continue")


def _labor_first(case: Case) -> bool:
    """With the older behaviour a report waits for confirmed hours."""
    waits = not case.desk.flags.free_labor and "labor" in case.state.session.slices
    return waits and case.state.labor.mode in ("none", "draft")


def _notices(case: Case) -> Iterator[str]:
    """What happened, in a line each."""
    for event in case.draft.events:
        match event:
            case Replanned(replan=replan):
                yield f"Replan ({replan.evidence}{', ' + replan.label if replan.label else ''}): {replan.reason}"
            case Recovered(action=action, reason=reason):
                yield f"Recovery {action}: {reason}"
            case NotReady(asked=asked):
                yield "Labor is not confirmed yet" if asked == "labor" else "Diagnostics not ready"
            case CaseResumed(reason=reason):
                yield f"Resumed: {reason}"
            case SystemFound(system=system):
                yield f"System: {system}"
            case _:
                continue
