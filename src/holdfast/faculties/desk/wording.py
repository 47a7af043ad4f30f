"""What the desk says by itself, in the language of the case: the question of a step, help on it, the restoration check,
the offer of the report, and what stands in for a reply that may not go out."""

from __future__ import annotations

from holdfast.faculties.desk.case import Desk
from holdfast.faculties.desk.intents import HYPOTHESES, RECORDED
from holdfast.faculties.desk.library import Figure, Procedure, Step, lemmas
from holdfast.faculties.desk.steps import open_steps
from holdfast.faculties.desk.topics import Topic
from holdfast.reading.text import alphabets
from holdfast.state import State

SHOWN = 3
"""Hypotheses that are told at a time."""


def how_to(step: Step, desk: Desk, language: str | None) -> str:
    """How to check a step: its own text, or one made from its part, its check and what is expected."""
    if step.howto is not None:
        return step.howto.in_(language)
    text = desk.texts.get(language, f"howto.{step.check}", part=step.part.in_(language))
    figure = desk.library.figures.get(step.expects or "")
    if figure is not None:
        text += " " + desk.texts.get(language, "howto.expected", expected=expected(figure, desk, language))
    return text


def expected(figure: Figure, desk: Desk, language: str | None) -> str:
    """Between which values a reading should be."""
    return f"{figure.low:g}-{figure.high:g} {_unit(figure, desk, language)}"


def _unit(figure: Figure, desk: Desk, language: str | None) -> str:
    """The unit of a figure as a language writes it, where the texts tell."""
    key = f"unit.{figure.unit}"
    return desk.texts.get(language, key) if desk.texts.all(key) else figure.unit


def help_text(state: State, desk: Desk, asks: str = "") -> str:
    """Help on the open step without a model: the answer, then that the same step is still open. With `asks`, a question
    that the technician has not seen yet takes the place of that sentence."""
    step = desk.library.step(state.procedure.active)
    procedure = desk.library.procedure(state.procedure.system)
    if procedure is None:
        return desk.say(state, "ask.system")
    said = _explained(state, step, procedure, desk)
    return f"{said} {asks or same_step(step, state, desk)}" if step is not None else said


def _explained(state: State, step: Step | None, procedure: Procedure, desk: Desk) -> str:
    """The answer to a side question: the place, what the part does, or how to check."""
    if state.topics.intent is not None and state.topics.intent.value == HYPOTHESES:
        return hypotheses(state, desk)
    language = state.conversation.language
    if state.topics.intent is not None and state.topics.intent.value == RECORDED:
        return recorded(state, desk, state.topics.intent.query or "")
    own = step.part.in_(language) if step else procedure.name.in_(language)
    top = state.topics.stack[-1] if state.topics.stack else Topic("", "howto", None)
    part = (top.topic and _named(top.topic, desk, language)) or own
    # one more question on the same part: the other half of what is known
    again = part == own and helped(state) % 2 and top.submode in ("explain", "howto")
    if top.submode == "locate" or again:
        return _place(part, procedure, state, desk)
    what = desk.library.explained(part, language) if top.submode == "explain" else None
    if what:
        return capital(desk.say(state, "help.what", part=part, what=what))
    return _check(part, part == own, top.submode == "explain", procedure, state, desk)


def _check(part: str, own: bool, explains: bool, procedure: Procedure, state: State, desk: Desk) -> str:
    """How a part is checked; what its system is for, where that is asked and the part is not the open step's."""
    language, step = state.conversation.language, desk.library.step(state.procedure.active)
    other = None if own or explains else _on_part(procedure, part)
    if other is not None:
        return f"{_place(part, procedure, state, desk)} {how_to(other, desk, language)}"
    known = own or desk.library.called(part, language) is not None
    if step is not None and not (explains and known and not own):
        return how_to(step, desk, language)
    return capital(desk.say(state, "help.role", part=part, role=procedure.role.in_(language)))


def _place(part: str, procedure: Procedure, state: State, desk: Desk) -> str:
    place = desk.library.place_of(procedure.id, part, state.conversation.language)
    return capital(desk.say(state, "help.place" if place else "help.place_unknown", part=part, place=place))


def hypotheses(state: State, desk: Desk) -> str:
    """The leading hypotheses, each with what speaks for it in the technician's words, or that nothing leads."""
    rank = {"high": 0, "medium": 1, "low": 2}
    led = sorted(state.evidence.hypotheses, key=lambda h: (rank[h.confidence], -len(h.supporting)))
    live = {fact.id: fact.value for fact in state.evidence.live()}
    told = [next((live[id] for id in reversed(one.supporting) if id in live), "") for one in led[:SHOWN]]
    lines = [desk.say(state, "help.hypothesis", words=words) for words in dict.fromkeys(told) if words]
    return " ".join([desk.say(state, "help.hypotheses"), *lines]) if lines else desk.say(state, "help.no_hypothesis")


def _job_name(state: State, desk: Desk) -> str:
    procedure = desk.library.procedure(state.procedure.system)
    return procedure.name.in_(state.conversation.language) if procedure is not None else ""


def recorded(state: State, desk: Desk, topic: str = "") -> str:
    """What is noted of a part, or of the whole case where nothing is: in the technician's words."""
    lines, asked = _answered(state, desk), lemmas(topic)
    own = [(part, words) for part, words in lines if asked & lemmas(f"{part} {words}")]
    later = [(desk.say(state, "help.noted"), noted.words) for noted in state.procedure.complaints]
    shown = own or [(_job_name(state, desk), state.procedure.complaint), *lines, *later]
    told = [desk.say(state, "help.recorded", part=capital(part), words=words) for part, words in shown if words]
    left = [] if own else _left(state, desk)
    more = ["…"] if len(left) > SHOWN else []
    return " ".join([*told, *([desk.say(state, "help.left", parts=", ".join(left[:SHOWN] + more))] if left else [])])


def _left(state: State, desk: Desk) -> list[str]:
    """The parts that are still to be checked."""
    left = open_steps(desk.library.procedure(state.procedure.system), state.procedure)
    steps = map(desk.library.step, left)
    return list(dict.fromkeys(step.part.in_(state.conversation.language) for step in steps if step is not None))


def _answered(state: State, desk: Desk) -> list[tuple[str, str]]:
    """The parts that were checked, and what was found there."""
    language, closed = state.conversation.language, state.procedure.closed
    told = [(desk.library.step(id), closing.value) for id, closing in closed.items() if closing.how == "answered"]
    return [(step.part.in_(language), value) for step, value in told if step is not None]


def _named(topic: str, desk: Desk, language: str | None) -> str:
    """A part as it was called, or, where that was in another alphabet, as the language of the case calls it."""
    own = alphabets(desk.texts.get(language, "help.not_said"))
    return topic if topic.isascii() or alphabets(topic) == own else desk.library.called(topic, language) or ""


def _on_part(procedure: Procedure, part: str) -> Step | None:
    asked = lemmas(part)
    named = [(s, lemmas(s.part.every)) for s in procedure.step]
    return next((step for step, known in named if asked and asked <= known), None)


def helped(state: State) -> int:
    """How many replies in a row were help."""
    helps = [action.type == "clarification" for action in reversed(state.guard.actions)]
    return helps.index(False) if False in helps else len(helps)


def same_step(step: Step, state: State, desk: Desk) -> str:
    """That the step is still open; when the last reply said so already, in the words of its question."""
    language = state.conversation.language
    key = "help.same_question" if helped(state) % 2 else "help.same_step"
    return desk.say(state, key, question=step.in_(language), part=step.part.in_(language))


def capital(text: str) -> str:
    return text[:1].upper() + text[1:]


def restoration(state: State, desk: Desk) -> str:
    """Whether the fault was repaired and the unit works: asked in the words that fit what is known already."""
    language, diagnosis = state.conversation.language, state.diagnosis
    procedure = desk.library.procedure(state.procedure.system)
    part = _named(diagnosis.candidate, desk, language) or (procedure.name.in_(language) if procedure else "")
    again = "ask.restoration_again" if diagnosis.asks > 1 else "ask.restoration"
    return desk.say(state, "ask.restored_yet" if diagnosis.repaired else again, part=part)


def completion(state: State, desk: Desk) -> str:
    """The summary of one or two sentences that ends with the offer of the report."""
    diagnosis = state.diagnosis
    how = "isolated" if diagnosis.isolation_complete else "all_steps"
    how = "restored" if diagnosis.terminal == "terminal" else how
    return f"{desk.say(state, f'done.{how}')} {desk.say(state, 'done.offer')}"


def stand_in(state: State, desk: Desk) -> str:
    """What to say when a reply may not go out: the exact question of the open step, or what the moment asks for."""
    action = state.diagnosis.action
    if state.topics.mode == "final_report":
        return desk.say(state, "ask.report_stands" if action == "acknowledge_and_continue" else "fallback.report")
    if action == "generate_labor" and state.labor.mode == "none":
        return desk.say(state, "fallback.labor", hours="1.0")
    if state.topics.mode == "authorization":
        return desk.say(state, "fallback.authorization")
    return _asked_now(state, desk, action)


def _asked_now(state: State, desk: Desk, action: str) -> str:
    """The question of the moment in a diagnosis."""
    step = desk.library.step(state.procedure.active)
    if state.topics.stack and step is not None:
        return help_text(state, desk)
    if state.diagnosis.terminal == "fault_candidate":
        return restoration(state, desk)
    if step is not None:
        return step.in_(state.conversation.language)
    return completion(state, desk) if action == "offer_completion" else _fallback(state, desk)


def _fallback(state: State, desk: Desk) -> str:
    """What is asked where nothing else is due; after one such question, the next names what it is for."""
    if state.conversation.language not in desk.texts.languages:
        return desk.texts.get("en", "fallback.language")
    return desk.say(state, "ask.system" if state.guard.fallbacks else "fallback.diagnostic")
