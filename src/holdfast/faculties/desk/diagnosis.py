"""Diagnosis that thinks along: intents, evidence, steps, conclusions, and what the agent is to do. The order of work is
`ORDER`, below.

Each entry is a plain function from the case to events; what it recorded is seen by those after it. The language (1) is
the conversation's own work and comes before this faculty in every pack.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator

from holdfast.events import DoubtRaised, Event, IntentRead, MessageHeard
from holdfast.faculties.conversation import LanguageSet
from holdfast.faculties.desk import guard as guards
from holdfast.faculties.desk import intents, isolation, topics
from holdfast.faculties.desk.case import Case, Desk
from holdfast.faculties.desk.commands import all_closed, commands, labor_settled, report_beside
from holdfast.faculties.desk.conclusions import isolate, replan, terminal
from holdfast.faculties.desk.estimates import confirm
from holdfast.faculties.desk.evidence import ContradictionResolved, FactsSuperseded
from holdfast.faculties.desk.intents import Situation
from holdfast.faculties.desk.isolation import (
    Artifact,
    ArtifactAdded,
    CaseResumed,
    Diagnosis,
    NotReady,
    Offered,
    Plan,
    Planned,
    Recovered,
    Replanned,
)
from holdfast.faculties.desk.learning import correct, learn, settle_doubt
from holdfast.faculties.desk.procedure import ComplaintNoted, StepClosed, StepOpened, SystemFound
from holdfast.faculties.desk.replies import step_of
from holdfast.faculties.desk.steps import (
    ANSWERS,
    advance,
    close_step,
    find_system,
    first_system,
    keep_note,
    open_steps,
    skip,
    subtypes,
    take_branch,
)
from holdfast.faculties.desk.topics import ModeChanged
from holdfast.faculties.desk.wording import how_to
from holdfast.faculty import Draft, Faculty, Item, Section
from holdfast.reading.reader import overlap
from holdfast.reading.standing import sentence_of
from holdfast.state import Moment
from holdfast.telling import Said, said

ASKING = -32
"""From how far on a message may ask something where no mark says so."""


Stage = Callable[[Case], Iterator[Event]]


def read_intent(case: Case) -> Iterator[Event]:
    """What the message is for, unless it was a command."""
    if not case.happened(IntentRead):
        yield from _read_intent(case)


def _read_intent(case: Case) -> Iterator[Event]:
    step, active = case.step, case.progress.active
    now = Situation(
        step=active,
        component=step.part.in_(case.language) if step else "",
        isolated=case.diagnosis.isolation_complete and case.diagnosis.terminal != "terminal",
        labor_pending=case.state.labor.mode == "draft",
        authorizing=case.topics.mode == "authorization",
        clarify=case.desk.flags.clarification,
        facts=bool(case.evidence.live()),
        numbers=frozenset(fact.number for fact in case.evidence.live() if fact.number is not None),
        units=frozenset(fact.unit for fact in case.evidence.live() if fact.number is not None),
        answers=case.answers,
        asking="?" in case.whole.text or not _puts_right(case),
        chosen=case.draft.before.diagnosis.doubt_on == "system" and first_system(case) is not None,
        worn=active is not None and guards.repeats(active, case.state, planned=True) is not None,
    )
    yield from topics.read_intent(case.draft, now, case.reading)


def _puts_right(case: Case) -> bool:
    """Whether a message puts something right, and asks nothing."""
    return case.does("correct", "other", "wrong") and not case.does("ask", "next", lead=ASKING)


def set_apart(case: Case) -> Iterator[Event]:
    """A finding beside a question: the finding is taken in first, as if it had come alone."""
    flows = case.intent.type == "FLOW_QUESTION"  # "all clean. What's next?": the next question is its answer
    asks = flows or topics.submode_for(case.intent) is not None
    if not asks or case.topics.mode != "diagnostic" or case.progress.active is None:
        return
    read = case.happened(IntentRead)[0]
    span = (read.because.start, read.because.end)
    part = intents.beside_question(case.reading, span, case.answers) if read.means != "photo" else None
    if part is not None:
        case.set_apart(part, None if flows else case.intent)
        yield from _read_intent(case)


def after_correction(case: Case) -> Iterator[Event]:
    """A finding beside a correction: it is taken in once the correction is, as if it had come alone."""
    if case.intent.type != "CORRECTION" or not case.happened(FactsSuperseded):
        return
    cause = case.happened(IntentRead)[-1].because
    put_right = sentence_of(case.reading, (cause.start, cause.end))
    rest = [clause.span for clause in case.answers.given if not overlap(clause.span, put_right)]
    if rest:
        case.set_apart((rest[0][0], rest[-1][1]), None)
        case.puts_right = True
        yield from _read_intent(case)


def answer_aside(case: Case) -> Iterator[Event]:
    """The question that stood beside a finding is answered on the step that is open now."""
    if case.aside is not None:
        yield IntentRead(intent=case.aside, because=case.cause("topic.aside"))
        yield from clarify(case)


def keep_artifacts(case: Case) -> Iterator[Event]:
    """Photos and other things stay with the case."""
    message = case.draft.message
    if not isinstance(message, MessageHeard):
        return
    for kind in ("photo", "artifact"):
        given = message.attached.get(kind)
        for name in given if isinstance(given, list) else [given] if given else []:
            artifact = Artifact(case.draft.new_id("a"), str(name)[:200], kind)
            yield ArtifactAdded(artifact=artifact, because=case.cause(f"artifact.{kind}"))


def which_system(case: Case) -> Iterator[Event]:
    """The procedure; where the words fit several systems, the question that tells them apart."""
    yield from find_system(case)
    if case.state.conversation.language is None and case.happened(SystemFound):
        named = {cue.language for cue in case.reading.all("system") if cue.means == case.progress.system}
        if len(named) == 1:  # "bomba no funciona" has no small word that tells, but its system is named in Spanish
            yield LanguageSet(language=named.pop(), because=case.cause("language.system"))
    cue = case.reading.first("ambiguous")
    if cue is not None and case.progress.system is None:
        question = case.text(f"ambiguous.{cue.means}")
        yield DoubtRaised(about="system", question=question, because=case.cause(cue.id, cue.span))


def clarify(case: Case) -> Iterator[Event]:
    """A side question is pushed; the step stays open."""
    if case.topics.mode == "diagnostic":
        yield from topics.push_topic(case.draft, case.progress.active)


def answer(case: Case) -> Iterator[Event]:
    """An answer pops the side questions first, then closes the open step; it also leads back from the labor draft."""
    given = case.intent.type in (*ANSWERS, "ALREADY_ANSWERED", "UNABLE_TO_VERIFY")
    if not given or case.happened(ContradictionResolved):
        return
    if case.topics.mode == "authorization" and case.progress.active is not None and case.intent.type in ANSWERS:
        yield ModeChanged(mode="diagnostic", reason=said("desk.why_labor_waits"))
    while case.topics.stack:
        top = case.topics.stack[-1]
        yield topics.TopicPopped(topic=top, reason=said("desk.why_answer"), because=case.cause("topic.answer"))
    yield from close_step(case)


# --- what the agent is to do ---


MAX_RECOVERIES = 3
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
    for _ in range(MAX_RECOVERIES):
        step = case.progress.active
        if step is None or case.topics.stack:
            return
        reason = guards.repeats(step, case.state, planned=True) or _worn_out(case, step)
        if reason is None:
            return
        if _is_patient(case):
            yield topics.TopicPushed(topic=topics.Topic("", "howto", step), because=case.cause("topic.waits"))
            return
        way = guards.recovery(reason)
        yield Recovered(action=way.action, reason=way.reason, because=case.cause("guard.recovery"))
        yield StepClosed(step=step, how="unable", value="no answer", because=case.cause("guard.recovery"))
        yield from advance(case)


def _is_patient(case: Case) -> bool:
    """Whether a message did not talk past the open step: it asks what comes, or tells of something else."""
    told = case.happened(ComplaintNoted) or case.told
    return case.intent.type == "FLOW_QUESTION" or bool(told)


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
    stands = case.state.report.produced and case.intent.type != "COMMAND"
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
        (diagnosis.isolation_complete and not labor_settled(case), "generate_labor"),
        (diagnosis.isolation_complete, "offer_completion"),
        (case.progress.active is not None, "ask_step"),
        (all_closed(case), "offer_completion"),
        (bool(case.happened(ModeChanged)), "transition"),
    )
    return next((action for is_due, action in due if is_due), "acknowledge_and_continue")


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


ORDER: tuple[Stage, ...] = (
    keep_artifacts,
    commands,  # 2
    read_intent,  # 3
    set_apart,
    which_system,
    subtypes,  # 4 on any step
    settle_doubt,
    correct,  # 5 before anything rests on the old reading
    after_correction,
    replan,  # 6 only if isolated and not terminal
    clarify,  # 7
    answer,  # 8 pops the topic first
    skip,
    keep_note,
    take_branch,  # 9
    advance,  # 10
    learn,  # 11 facts, hypotheses, contradictions
    terminal,  # 12
    isolate,  # 13 direct power, component
    confirm,  # 14 labor
    answer_aside,
    report_beside,
    loop_check,  # 15
    instruct,  # 16
)


class DiagnosisFaculty(Faculty):
    name = "diagnosis"
    slice = Diagnosis
    events = isolation.EVENTS
    hears = ("photo", "artifact")

    def __init__(self, desk: Desk) -> None:
        self.desk = desk

    def hear(self, draft: Draft) -> Iterator[Event]:
        case = Case(draft, self.desk)
        for stage in ORDER:
            yield from stage(case)

    def say(self, draft: Draft) -> Iterator[Event]:
        """Where the agent asked another step than the open one, it is that one that the technician answers next."""
        asked, active = step_of(draft.reading, draft.state, self.desk), draft.state.procedure.active
        procedure = self.desk.library.procedure(draft.state.procedure.system)
        helps = bool(draft.before.topics.stack)  # help may speak of another step; it comes back to the open one
        if not helps and active not in (None, asked) and asked in open_steps(procedure, draft.state.procedure):
            yield StepOpened(step=asked, because=draft.cause("step.asked"))

    def fold(self, slice: Diagnosis, event: Event, moment: Moment) -> Diagnosis:
        return isolation.fold(slice, event, moment)

    def context(self, draft: Draft) -> Iterable[Item]:
        progress = draft.state.procedure
        return [Item("System", progress.system or "", keep=80), Item("Current step", progress.active or "", keep=90)]

    def sections(self, draft: Draft) -> Iterable[Section]:
        """The text for the model, with a part for the submode that is active."""
        case = Case(draft, self.desk)
        parts = [("procedure", _procedure_text(case)), ("clarification", _clarification_text(case))]
        parts += [("replan", _replan_text(case)), ("moment", _moment_text(case))]
        return [Section(name, text, keep=85) for name, text in parts if text]


def _procedure_text(case: Case) -> str:
    procedure = case.procedure
    if procedure is None:
        given = case.evidence.topics
        return f"ALREADY ANSWERED (do not ask again): {', '.join(given)}" if given else ""
    steps = [step for step in procedure.step if case.progress.applies(step)]
    done = sum(step.id in case.progress.closed for step in steps)
    lines = [f"ACTIVE DIAGNOSTIC PROCEDURE: {procedure.name.en}", f"Progress: {done}/{len(steps)}"]
    step = case.step
    if step is not None:
        lines += [f"CURRENT STEP: {step.id}", f"Ask exactly this question: {step.in_(case.language)}"]
    elif not open_steps(procedure, case.progress):
        lines.append("ALL STEPS COMPLETE. Offer: Send START FINAL REPORT and I will generate the report.")
    lines += [
        "- Do NOT invent diagnostic steps",
        f"- Do NOT ask about systems other than {procedure.name.en}",
        f"- Reply in {case.text('language')}",
    ]
    return "\n".join(lines)


CLARIFICATION = {
    "locate": "Say where it is, how to get access, and which landmarks are near it.",
    "explain": "Say its function, its role in the system, and why it matters for this check.",
    "howto": (
        "Say the actions, the expected reading and the tools. The question is not an answer to the step; "
        "ask the same step again."
    ),
}


def _clarification_text(case: Case) -> str:
    if not case.topics.stack:
        return ""
    top = case.topics.stack[-1]
    lines = [
        "CLARIFICATION SUBFLOW RULES",
        f"Kind: {top.submode.upper()}; query: {top.topic}",
        f"{CLARIFICATION[top.submode]} One paragraph.",
        "Then return to the diagnostic flow. Do NOT close the step.",
    ]
    step = case.desk.library.step(top.return_step)
    if step is not None and top.submode == "howto":
        lines += [
            f"HOW-TO-CHECK INSTRUCTION: {how_to(step, case.desk, case.language)}",
            f"Do NOT close this step; re-ask the SAME step {step.id}.",
        ]
    return "\n".join(lines)


def _replan_text(case: Case) -> str:
    replan = case.diagnosis.replan
    if case.topics.submode != "replan" or replan is None or not case.diagnosis.notice:
        return ""
    return (
        f"REPLAN NOTICE: the earlier isolation is invalidated. {replan.reason}\n"
        "Acknowledge the new evidence, return to questions, do NOT repeat the earlier conclusion."
    )


def _moment_text(case: Case) -> str:
    plan = case.diagnosis.plan
    if plan is None or plan.action in ("ask_step", "provide_clarification", "replan_notice"):
        return ""
    lines = [f"ACTION: {plan.action}", *(f"- {rule}" for rule in plan.constraints)]
    lines += [f"Notice: {notice}" for notice in case.diagnosis.notices]
    return "\n".join(lines)
