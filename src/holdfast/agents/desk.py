"""The service desk without a model: asks the step's question, answers where, what and how from the procedure's texts,
acknowledges a replan, offers labor, and writes the report, in the language of the case."""

from __future__ import annotations

from collections.abc import Iterator

from holdfast.agents import Said
from holdfast.faculties import planning, report
from holdfast.faculties.case import Desk
from holdfast.faculties.procedure import ComplaintNoted
from holdfast.session import Session
from holdfast.state import State
from holdfast.turn import Turn


def desk_agent(turn: Turn, chat: Session, desk: Desk) -> Iterator[Said]:
    """What the desk says to a message."""
    state = turn.state
    plan = state.diagnosis.plan
    action = plan.action if plan is not None else "acknowledge_and_continue"
    language = state.conversation.language
    if action == "generate_report":
        yield Said(report.compose(state, desk, chat.pack.reader))
    elif action == "provide_clarification":
        yield Said(_help(turn, state, desk))
    elif action == "generate_labor":
        procedure = desk.library.procedure(state.procedure.system)
        hours = state.labor.hours or (procedure.labor_hours if procedure else 1.0)
        yield Said(desk.texts.get(language, "ask.labor", hours=f"{hours:g}"))
    else:
        yield Said(_next(turn, state, desk, action))


def _next(turn: Turn, state: State, desk: Desk, action: str) -> str:
    """An acknowledgement where one is due, then the one thing that comes next."""
    language = state.conversation.language
    lead = ""
    if any(isinstance(event, ComplaintNoted) for event in turn.events):
        lead = desk.texts.get(language, "ask.second") + " "
    if action == "replan_notice":
        lead = desk.texts.get(language, "ask.replan") + " "
    elif "Diagnostics not ready" in state.diagnosis.notices:
        lead = desk.texts.get(language, "ask.not_ready") + " "
    if turn.question is not None:
        return lead + turn.question
    if action == "offer_completion":
        return lead + planning.completion(state, desk)
    said = planning.stand_in(state, desk)
    if said == desk.texts.get(language, "fallback.diagnostic"):
        said = desk.texts.get(language, "ask.system")  # a question with an object goes before a fallback
    return lead + said


def _help(turn: Turn, state: State, desk: Desk) -> str:
    """The answer to a side question; a question that was not understood is put in other words."""
    step = desk.library.step(state.procedure.active)
    rule = next((e.because.rule for e in turn.events if e.because and "not_understood" in e.because.rule), None)
    if rule is not None and step is not None:
        language = state.conversation.language
        howto = planning.how_to(step, desk, language)
        return desk.texts.get(language, "ask.rephrase", part=step.part.in_(language), howto=howto)
    return planning.help_text(state, desk)
