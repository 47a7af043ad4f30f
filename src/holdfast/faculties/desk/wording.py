"""What the desk says by itself, in the language of the case: the question of a step, help on it, the restoration check,
the offer of the report, and what stands in for a reply that may not go out."""

from __future__ import annotations

from typing import NamedTuple

from holdfast.faculties.desk.case import Desk
from holdfast.faculties.desk.intents import HYPOTHESES
from holdfast.faculties.desk.library import Procedure, Step, lemmas
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
        text += " " + desk.texts.get(language, "howto.expected", expected=figure.text())
    return text


def help_text(state: State, desk: Desk, asks: str = "") -> str:
    """Help on the open step without a model: the answer, then that the same step is still open. With `asks`, a question
    that the technician has not seen yet takes the place of that sentence."""
    language = state.conversation.language
    step = desk.library.step(state.procedure.active)
    procedure = desk.library.procedure(state.procedure.system)
    if procedure is None:
        return desk.texts.get(language, "ask.system")
    said = _explained(state, step, procedure, desk)
    if step is None:
        return said
    return f"{said} {asks or same_step(step, state, desk)}"


class Help(NamedTuple):
    """A side question on a part: what can be told of it."""

    desk: Desk
    procedure: Procedure
    step: Step | None
    """The open step."""
    part: str
    is_own: bool
    """Whether it is the part of that step."""
    language: str | None

    def place(self) -> str:
        place = self.desk.library.place_of(self.procedure.id, self.part, self.language)
        return self._told("help.place" if place else "help.place_unknown", place=place)

    def meaning(self) -> str:
        what = self.desk.library.explained(self.part, self.language)
        if what:
            return self._told("help.what", what=what)
        return self.check() if self.is_own else self._role()

    def check(self) -> str:
        other = None if self.is_own else _on_part(self.procedure, self.part)
        if other is not None:
            return f"{self.place()} {how_to(other, self.desk, self.language)}"
        return how_to(self.step, self.desk, self.language) if self.step is not None else self._role()

    def _role(self) -> str:
        return self._told("help.role", role=self.procedure.role.in_(self.language))

    def _told(self, key: str, **fields: str | None) -> str:
        return capital(self.desk.texts.get(self.language, key, part=self.part, **fields))


def _explained(state: State, step: Step | None, procedure: Procedure, desk: Desk) -> str:
    """The answer to a side question: the place, what the part does, or how to check."""
    if state.topics.intent is not None and state.topics.intent.value == HYPOTHESES:
        return hypotheses(state, desk)
    language = state.conversation.language
    own = step.part.in_(language) if step else procedure.name.in_(language)
    top = state.topics.stack[-1] if state.topics.stack else Topic("", "howto", None)
    part = (top.topic and _named(top.topic, desk, language)) or own
    help = Help(desk, procedure, step, part, part == own, language)
    # one more question on the same part: the other half of what is known
    again = help.is_own and helped(state) % 2 and top.submode in ("explain", "howto")
    tell = {"locate": help.place, "explain": help.meaning}.get(top.submode, help.check)
    return help.place() if again else tell()


def hypotheses(state: State, desk: Desk) -> str:
    """The leading hypotheses, each with what speaks for it in the technician's words, or that nothing leads."""
    language = state.conversation.language
    rank = {"high": 0, "medium": 1, "low": 2}
    led = sorted(state.evidence.hypotheses, key=lambda h: (rank[h.confidence], -len(h.supporting)))
    lines = []
    for hypothesis in led[:SHOWN]:
        facts = [fact for id in hypothesis.supporting if (fact := state.evidence.fact(id)) is not None]
        said = next((fact.value for fact in reversed(facts) if fact.superseded_by is None), "")
        if said:
            lines.append(desk.texts.get(language, "help.hypothesis", words=said))
    lines = list(dict.fromkeys(lines))
    if not lines:
        return desk.texts.get(language, "help.no_hypothesis")
    return " ".join([desk.texts.get(language, "help.hypotheses"), *lines])


def _named(topic: str, desk: Desk, language: str | None) -> str:
    """A part as it was called, or, where that was in another alphabet, as the language of the case calls it."""
    own = alphabets(desk.texts.get(language, "help.not_said"))
    return topic if topic.isascii() or alphabets(topic) == own else desk.library.called(topic, language) or ""


def _on_part(procedure: Procedure, part: str) -> Step | None:
    """The step of a procedure that is about a part."""
    asked = lemmas(part, frozenset())
    named = [(s, lemmas(s.part.every, frozenset())) for s in procedure.step]
    return next((step for step, known in named if asked and asked <= known), None)


def helped(state: State) -> int:
    """How many replies in a row were help."""
    helps = [action.type == "clarification" for action in reversed(state.guard.actions)]
    return helps.index(False) if False in helps else len(helps)


def same_step(step: Step, state: State, desk: Desk) -> str:
    """That the step is still open; when the last reply said so already, in the words of its question."""
    language = state.conversation.language
    if helped(state) % 2:
        return desk.texts.get(language, "help.same_question", question=step.in_(language))
    return desk.texts.get(language, "help.same_step", part=step.part.in_(language))


def capital(text: str) -> str:
    return text[:1].upper() + text[1:]


def restoration(state: State, desk: Desk) -> str:
    """Whether the fault was repaired and the unit works: asked in the words that fit what is known already."""
    language, diagnosis = state.conversation.language, state.diagnosis
    procedure = desk.library.procedure(state.procedure.system)
    part = _named(diagnosis.candidate, desk, language) or (procedure.name.in_(language) if procedure else "")
    key = "ask.restoration_again" if diagnosis.asks > 1 else "ask.restoration"
    if diagnosis.repaired:
        key = "ask.restored_yet"
    return desk.texts.get(language, key, part=part)


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
    language, texts = state.conversation.language, desk.texts
    action = state.diagnosis.action
    step = desk.library.step(state.procedure.active)
    if state.topics.mode == "final_report":
        return texts.get(language, "ask.report_stands" if action == "acknowledge_and_continue" else "fallback.report")
    if action == "generate_labor" and state.labor.mode == "none":
        return texts.get(language, "fallback.labor", hours="1.0")
    if state.topics.mode == "authorization":
        return texts.get(language, "fallback.authorization")
    return _asked_now(state, desk, step, action)


def _asked_now(state: State, desk: Desk, step: Step | None, action: str) -> str:
    """The question of the moment in a diagnosis."""
    if state.topics.stack and step is not None:
        return help_text(state, desk)
    if state.diagnosis.terminal == "fault_candidate":
        return restoration(state, desk)
    if step is not None:
        return step.in_(state.conversation.language)
    return completion(state, desk) if action == "offer_completion" else _fallback(state, desk)


def _fallback(state: State, desk: Desk) -> str:
    """What is asked where nothing else is due; after one such question, the next names what it is for."""
    language = state.conversation.language
    if language not in desk.texts.languages:
        return desk.texts.get("en", "fallback.language")
    return desk.texts.get(language, "ask.system" if state.guard.fallbacks else "fallback.diagnostic")
