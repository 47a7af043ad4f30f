"""The service desk without a model: asks the step's question, answers where, what and how from the procedure's texts,
acknowledges what changed, offers labor, and writes the report, in the language of the case."""

from __future__ import annotations

from collections.abc import Iterator

from holdfast.agents import Said
from holdfast.agents.courtesies import courtesy
from holdfast.events import Event, IntentRead
from holdfast.faculties.desk import report, wording
from holdfast.faculties.desk.case import Desk
from holdfast.faculties.desk.estimates import LaborConfirmed, LaborRequested, LaborSkipped
from holdfast.faculties.desk.evidence import FactLearned, FactsSuperseded
from holdfast.faculties.desk.intents import HYPOTHESES, RECORDED
from holdfast.faculties.desk.isolation import Isolated, Recovered, RepairSeen, Replanned, TerminalReached
from holdfast.faculties.desk.library import Step
from holdfast.faculties.desk.procedure import ComplaintNoted, StepClosed, StepOpened, SystemFound
from holdfast.faculties.desk.signals import asserted
from holdfast.reading.reader import Reader, Reading
from holdfast.session import Session
from holdfast.state import State
from holdfast.turn import Turn


def desk_agent(turn: Turn, chat: Session, desk: Desk) -> Iterator[Said]:
    state = turn.state
    plan = state.diagnosis.plan
    action = plan.action if plan is not None else "acknowledge_and_continue"
    if action == "generate_report":
        yield Said(turn.question or report.compose(state, desk, chat.pack.reader))
    elif action == "provide_clarification":
        yield Said(_fresh(_help(turn, chat, state, desk), state, desk))
    elif action == "generate_labor":
        waits = "ask.labor" if desk.flags.free_labor else "ask.labor_first"
        yield Said(desk.say(state, waits, hours=_hours(state, desk)))
    else:
        lead = _lead(turn, state, desk, action, chat.pack.reader)
        yield Said(_fresh(f"{lead} {_next(turn, state, desk, action, chat)}".strip(), state, desk))


def _fresh(text: str, state: State, desk: Desk) -> str:
    """What is to be said; in other words where the last reply was the very same question."""
    step, last = desk.library.step(state.procedure.active), state.guard.actions[-1:]
    if text.endswith(asks := desk.say(state, "ask.system")):
        return _which(text.removesuffix(asks).strip(), state, desk)
    if step is None or not last or not text.startswith(last[0].content):
        return text
    return desk.say(state, "ask.rephrase_again", question=step.in_(state.conversation.language))


def _which(lead: str, state: State, desk: Desk) -> str:
    """The question for the system, asked in another way than the last time."""
    ways, said = ("ask.system", "ask.systems", "ask.example"), str(state.conversation.last("assistant"))
    asked = [desk.say(state, way, systems=_systems(state, desk)) for way in ways]
    last = next((place for place, way in enumerate(asked) if way in said), -1)
    now = (last + 1) % len(ways)
    return f"{lead or (desk.say(state, 'ask.no_system') if now else '')} {asked[now]}".strip()


def _systems(state: State, desk: Desk) -> str:
    """The systems that the desk knows, by their names."""
    names = (procedure.name.in_(state.conversation.language) for procedure in desk.library.procedures.values())
    return ", ".join(name.partition(" (")[0] for name in names)


def _hours(state: State, desk: Desk) -> str:
    procedure = desk.library.procedure(state.procedure.system)
    return f"{state.labor.hours or (procedure.labor_hours if procedure else 1.0):g}"


def _next(turn: Turn, state: State, desk: Desk, action: str, chat: Session) -> str:
    if turn.question is not None:
        return turn.question
    if action == "offer_completion":
        return _offer(turn, state, desk, chat)
    if state.topics.mode == "final_report" and action == "acknowledge_and_continue":
        return _after_report(turn, state, desk, chat)
    said = wording.stand_in(state, desk)
    if said == desk.say(state, "fallback.diagnostic"):
        return desk.say(state, "ask.system")  # a question with an object goes before a fallback
    return said


def _after_report(turn: Turn, state: State, desk: Desk, chat: Session) -> str:
    """What is asked about a report is answered from it; a word of leave or of thanks ends the talk."""
    intent = turn.intent
    if intent is not None and (intent.type in HELPED or "?" in turn.text):
        return report.neutral(wording.recorded(state, desk, intent.query or turn.text), desk, chat.pack.reader)
    closing = intent is not None and intent.type == "UNCLEAR"
    return desk.say(state, "ask.closing" if closing else "ask.report_stands")


def _offer(turn: Turn, state: State, desk: Desk, chat: Session) -> str:
    """The offer of the report: in full the first time, with a labor draft where something was isolated."""
    offer = desk.say(state, "done.offer")
    offered = any(action.type == "transition" for action in state.guard.actions[-1:])
    if offered and not _happened(turn, TerminalReached, Isolated):
        return f"{desk.say(state, 'ask.added')} {offer}" if _happened(turn, FactLearned) else offer
    said = wording.completion(state, desk)
    if state.procedure.complaints:
        words = report.neutral(state.procedure.complaints[0].words, desk, chat.pack.reader)
        said = f"{said.removesuffix(offer)}{desk.say(state, 'ask.other_complaint', words=words)} {offer}"
    if state.diagnosis.isolation_complete and state.labor.mode == "none" and desk.flags.free_labor:
        labor = desk.say(state, "done.labor", hours=_hours(state, desk))
        said = f"{said.removesuffix(offer)}{labor} {offer}"
    return said


def _lead(turn: Turn, state: State, desk: Desk, action: str, reader: Reader) -> str:
    key, fields = _acknowledged(turn, state, action)
    if "words" in fields:
        fields = {"words": report.neutral(fields["words"], desk, reader)}
    told = desk.say(state, f"ask.{key}", **fields) if key else ""
    return f"{_hazard(turn, state, desk, reader)} {told}".strip()


def _hazard(turn: Turn, state: State, desk: Desk, reader: Reader) -> str:
    """What is to be made safe first, where what was found can burn or poison somebody."""
    told = [words for event in turn.events for words in _found_bad(event)]
    cues = [cue for words in told for cue in asserted(reader.read(words), "hazard")]
    return desk.say(state, f"hazard.{cues[0].means}") if cues else ""


def _found_bad(event: Event) -> tuple[str, ...]:
    match event:
        case FactLearned(fact=fact) if fact.category != "repair" and fact.state != "ok":
            return (fact.value,)
        case ComplaintNoted(complaint=complaint):
            return (complaint.words,)
    return ()


HELPED = ("LOCATE", "EXPLAIN", "HOWTO", "STEP_HELP")
"""Intents that ask for help; after any other the step only waits."""
GREETED = {"hello": "hello", "there": "hello", "thanks": "welcome", "praise": "welcome"}
"""What is said to a courtesy before any system is known."""
Lead = tuple[str, dict[str, str]]
NOTHING: Lead = ("", {})


def _acknowledged(turn: Turn, state: State, action: str) -> Lead:
    """The text of the acknowledgement, and what it is filled with."""
    if action == "replan_notice":
        return _of_replan(turn)
    if "Diagnostics not ready" in state.diagnosis.notices:
        return ("not_ready_one" if state.diagnosis.terminal == "fault_candidate" else "not_ready"), {}
    done = next(filter(None, map(_of_event, turn.events)), None)
    if done is None and turn.intent is not None and turn.intent.type == "CORRECTION":
        return _correction(turn)
    return done or _added(turn, action) or _of_rule(turn, state)


def _of_replan(turn: Turn) -> Lead:
    evidence = {event.replan.evidence for event in turn.events if isinstance(event, Replanned)}
    return "replan_dispute" if "technician_dispute" in evidence else "replan", {}


def _happened(turn: Turn, *kinds: type[Event]) -> bool:
    return any(isinstance(event, kinds) for event in turn.events)


def _added(turn: Turn, action: str) -> Lead | None:
    """What a message told beside the step, which is asked again."""
    if action != "ask_step" or _happened(turn, SystemFound):
        return None
    if (found := _out_of_order(turn)) is not None:
        return "found", {"words": found}
    if _happened(turn, StepClosed) and _opened(turn) == turn.state.procedure.active:
        return None
    if _happened(turn, RepairSeen):
        return "repaired", {}
    return ("added", {}) if _happened(turn, FactLearned) else None


def _out_of_order(turn: Turn) -> str | None:
    """What was found out of order, in the technician's words."""
    facts = [event.fact for event in turn.events if isinstance(event, FactLearned)]
    found = (fact for fact in facts if (fact.type, fact.state) == ("finding", "not ok") and fact.category != "repair")
    return next((fact.value.strip(" .!,") for fact in found), None)


def _opened(turn: Turn) -> str | None:
    return next((event.step for event in turn.events if isinstance(event, StepOpened)), None)


def _of_event(event: Event) -> Lead | None:
    match event:
        case ComplaintNoted():
            return "second", {}
        case LaborConfirmed(hours=hours) | LaborRequested(hours=hours):
            return "labor_done", {"hours": f"{hours:g}"}
        case LaborSkipped():
            return "labor_skipped", {}
        case Recovered() | StepClosed(how="unable"):
            return "unable", {}
        case StepClosed(how="already"):
            return "already", {}
        case IntentRead(because=because) if because is not None and because.rule == "labor.not_now":
            return "labor_later", {}
    return None


def _of_rule(turn: Turn, state: State) -> Lead:
    """That nothing was understood, or that the step waits."""
    means = _meaning(turn)
    if means == "leaves":
        return "leaves", {}
    if state.procedure.active is None:
        greeted = "" if state.procedure.system else courtesy(turn.text, turn.clauses)
        return GREETED.get(greeted, ""), {}
    if means == "remark":
        return "remark", {}
    return ("unclear", {}) if means == "unread" else NOTHING


def _meaning(turn: Turn) -> str:
    """What made the intent of the message what it is."""
    return next((event.means for event in turn.events if isinstance(event, IntentRead)), "")


def _correction(turn: Turn) -> Lead:
    if not any(isinstance(event, FactsSuperseded) for event in turn.events):
        return "", {}
    facts = [event.fact for event in turn.events if isinstance(event, FactLearned)]
    if not facts or facts[0].number is None:
        return "withdrawn", {}
    return "corrected", {"value": f"{facts[0].number:g} {facts[0].unit or ''}".strip()}


def _help(turn: Turn, chat: Session, state: State, desk: Desk) -> str:
    """The answer to a side question; a question that was not understood is put in other words."""
    if state.procedure.system is None and courtesy(turn.text, turn.clauses) == "help":
        return f"{desk.say(state, 'ask.able')} {desk.say(state, 'ask.systems', systems=_systems(state, desk))}"
    step, language = desk.library.step(state.procedure.active), state.conversation.language
    new = step is not None and any(isinstance(e, StepOpened) and e.step == step.id for e in turn.events)
    asks = "" if step is None else step.in_(language) if new else wording.same_step(step, state, desk)
    told = _told_of(turn, chat.pack.reader.read(turn.text), state, desk)
    if told:
        text = f"{told} {asks}".strip()
    elif step is not None and not new and (text := _help_with(step, turn, chat, state, desk)):
        return text
    elif new and not any(topic.topic for topic in state.topics.stack[-1:]):
        text = asks  # of a step that nobody saw, nothing can have been asked
    else:
        text = wording.help_text(state, desk, asks if new else "")
    return report.neutral(text, desk, chat.pack.reader)


def _told_of(turn: Turn, asked: Reading, state: State, desk: Desk) -> str:
    """What is said to a question that no text of the procedure answers: that it may hurt, or nothing."""
    intent, means = turn.intent, _meaning(turn)
    if intent is None or intent.value in (HYPOTHESES, RECORDED):
        return ""
    if asked.has("danger") and intent.type in ("HOWTO", "EXPLAIN", "STEP_HELP"):
        return desk.say(state, "help.danger")
    return desk.say(state, "help.not_said") if means == "question" else ""


def _help_with(step: Step, turn: Turn, chat: Session, state: State, desk: Desk) -> str:
    """What helps with the step at hand: that it waits, its question in other words, or that this was not asked."""
    language = state.conversation.language
    means = _meaning(turn)
    if means == "switch":
        return f"{desk.say(state, 'help.switch')} {wording.same_step(step, state, desk)}"
    if turn.intent is not None and turn.intent.type not in HELPED:
        lead = _lead(turn, state, desk, "ask_step", chat.pack.reader)
        return f"{lead} {desk.say(state, 'help.same_question', question=step.in_(language))}".strip()
    if means == "leaves":
        return f"{desk.say(state, 'ask.leaves')} {desk.say(state, 'help.same_question', question=step.in_(language))}"
    if means in ("later", "remark"):
        return f"{desk.say(state, 'ask.later')} {wording.same_step(step, state, desk)}"
    if means == "not_understood" and wording.helped(state) % 2:
        return desk.say(state, "ask.rephrase_again", question=step.in_(language))
    if means == "not_understood":
        howto = wording.how_to(step, desk, language)
        return desk.say(state, "ask.rephrase", part=step.part.in_(language), howto=howto)
    return ""
