"""From the state of a case to what the agent is to do and to say: the action, its constraints, and ready texts.

`instruct` is the last stage of a turn; `loop_check` runs before it and takes the guard's way out at once. The texts are
those of the desk, in the language of the case.
"""

from __future__ import annotations

from collections.abc import Iterator

from holdfast.events import Event
from holdfast.faculties import guard as guards
from holdfast.faculties.case import Case, Desk
from holdfast.faculties.commands import NotReady, all_closed
from holdfast.faculties.isolation import CaseResumed, Offered, Plan, Planned, Recovered, Replanned
from holdfast.faculties.library import Step
from holdfast.faculties.procedure import StepClosed, SystemFound
from holdfast.faculties.steps import advance
from holdfast.faculties.topics import ModeChanged
from holdfast.state import State

MOST_RECOVERIES = 3
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
        reason = guards.repeats(step, case.state, planned=True)
        if reason is None:
            return
        way = guards.recovery(reason)
        yield Recovered(action=way.action, reason=way.reason, because=case.cause("guard.recovery"))
        yield StepClosed(step=step, how="unable", value="no answer", because=case.cause("guard.recovery"))
        yield from advance(case)


def instruct(case: Case) -> Iterator[Event]:
    """The stage: what the agent does next, and what the technician should hear of this turn."""
    if case.happened(CaseResumed) and case.topics.mode != "diagnostic":
        yield ModeChanged(mode="diagnostic", reason="the case goes on")
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
    diagnosis, topics = case.diagnosis, case.topics
    if case.happened(NotReady):
        labor = any(event.asked == "labor" for event in case.happened(NotReady))
        return "generate_labor" if labor else "acknowledge_and_continue"
    if topics.mode == "final_report":
        stands = case.state.report.produced and case.intent.type != "COMMAND"
        return "acknowledge_and_continue" if stands else "generate_report"
    if topics.mode == "authorization":
        return "generate_labor"
    if topics.stack:
        return "provide_clarification"
    if case.happened(Replanned):
        return "replan_notice"
    if diagnosis.terminal == "terminal":
        return "offer_completion"
    if diagnosis.terminal == "fault_candidate":
        return "ask_restoration_check"
    if diagnosis.isolation_complete:
        waits = not case.desk.flags.free_labor and "labor" in case.state.session.slices
        if waits and case.state.labor.mode in ("none", "draft"):
            return "generate_labor"
        return "offer_completion"
    if case.progress.active is not None:
        return "ask_step"
    if all_closed(case):
        return "offer_completion"
    return "transition" if case.happened(ModeChanged) else "acknowledge_and_continue"


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


# --- ready texts ---


def question(step: Step, language: str | None) -> str:
    return step.in_(language)


def how_to(step: Step, desk: Desk, language: str | None) -> str:
    """How to check a step: its own text, or one made from its part, its check and what is expected."""
    if step.howto is not None:
        return step.howto.in_(language)
    text = desk.texts.get(language, f"howto.{step.check}", part=step.part.in_(language))
    figure = desk.library.figures.get(step.expects or "")
    if figure is not None:
        text += " " + desk.texts.get(language, "howto.expected", expected=figure.text())
    return text


def help_text(state: State, desk: Desk) -> str:
    """Help on the open step without a model: the how-to or the place, then that the same step is still open."""
    language = state.conversation.language
    step = desk.library.step(state.procedure.active)
    procedure = desk.library.procedure(state.procedure.system)
    top = state.topics.stack[-1] if state.topics.stack else None
    if procedure is None:
        return desk.texts.get(language, "ask.system")
    part = (top.topic if top and top.topic else None) or (step.part.in_(language) if step else "")
    if top is not None and top.submode == "locate":
        said = _capital(desk.texts.get(language, "help.place", part=part, place=procedure.place.in_(language)))
    elif top is not None and (what := desk.library.explained(part, language)) and top.submode == "explain":
        said = _capital(desk.texts.get(language, "help.what", part=part, what=what))
    elif top is not None and top.submode == "explain" and step is not None:
        said = _capital(desk.texts.get(language, "help.role", part=part, role=procedure.role.in_(language)))
        said += " " + how_to(step, desk, language)
    elif step is not None:
        said = how_to(step, desk, language)
    else:
        said = desk.texts.get(language, "help.role", part=part, role=procedure.role.in_(language))
    if step is None:
        return said
    return said + " " + desk.texts.get(language, "help.same_step", part=step.part.in_(language))


def _capital(text: str) -> str:
    return text[:1].upper() + text[1:]


def completion(state: State, desk: Desk) -> str:
    """The summary of one or two sentences that ends with the offer of the report."""
    language = state.conversation.language
    diagnosis = state.diagnosis
    if diagnosis.terminal == "terminal":
        said = desk.texts.get(language, "done.restored")
    elif diagnosis.isolation_complete:
        said = desk.texts.get(language, "done.isolated")
    else:
        said = desk.texts.get(language, "done.all_steps")
    return f"{said} {desk.texts.get(language, 'done.offer')}"


def stand_in(state: State, desk: Desk) -> str:
    """What to say when a reply may not go out: the exact question of the open step, or what the moment asks for."""
    language = state.conversation.language
    texts = desk.texts
    mode = state.topics.mode
    plan = state.diagnosis.plan
    if mode == "final_report":
        stands = plan is not None and plan.action == "acknowledge_and_continue"
        return texts.get(language, "ask.report_stands" if stands else "fallback.report")
    if plan is not None and plan.action == "generate_labor" and state.labor.mode == "none":
        return texts.get(language, "fallback.labor", hours="1.0")
    if mode == "authorization":
        return texts.get(language, "fallback.authorization")
    if state.topics.stack and state.procedure.active:
        return help_text(state, desk)
    if state.diagnosis.terminal == "fault_candidate":
        return texts.get(language, "ask.restoration", part=state.diagnosis.candidate)
    step = desk.library.step(state.procedure.active)
    if step is not None:
        return question(step, language)
    if plan is not None and plan.action == "offer_completion":
        return completion(state, desk)
    if language not in ("en", "ru", "es"):
        return texts.get("en", "fallback.language")
    if state.guard.fallbacks:
        return texts.get(language, "ask.system")
    return texts.get(language, "fallback.diagnostic")
