"""Pending questions. What an agent asks becomes a record; a short reply binds to the newest open question that it can
answer, and not to its own words: after "Where?", "philly" is a place, and "yes" goes to the agent that asked."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import msgspec

from holdfast.events import Cleared, Event, MessageSaid, Route, Routed
from holdfast.faculties.aims.aim import aim, chooses
from holdfast.faculty import Draft, Faculty
from holdfast.reading.asking import ANYTHING, Expects, asks, questions, specific, worded
from holdfast.reading.places import places
from holdfast.reading.reader import Reading, Span
from holdfast.reading.replying import BRIEF, LONG, SHORT, Fit, fits, might
from holdfast.reading.sharing import LONGEST, shares
from holdfast.state import Moment, State
from holdfast.telling import Telling, said

OPEN = 5
"""Questions that can be open at once; older ones are no longer waited for."""
PATIENCE = 6
"""Turns of the person after which an unanswered question is no longer waited for."""
SOON = 3
"""Turns after which a yes or an "ok" no longer means it."""


class Question(msgspec.Struct, frozen=True, omit_defaults=True):
    """Something the agent wants to know."""

    id: str
    text: str
    about: str
    """What it asks for: a slot's asking word ("where"), the id of a step, or "" when nothing tells."""
    expects: Expects
    turn: int
    by: str | None = None
    options: tuple[str, ...] = ()


class Answer(msgspec.Struct, frozen=True, omit_defaults=True):
    """A reply, bound to the question it answers."""

    question: Question
    value: str
    span: Span
    version: int
    yes: bool | None = None
    takes: tuple[int, ...] = ()
    """The places of the options that it takes."""
    fits: bool = True
    """Whether it is of the kind that the question waits for."""


class QuestionAsked(Event, frozen=True):
    did = "asked"

    question: Question

    def tell(self) -> Telling:
        return said("question.waits", question=self.question.text)


class QuestionAnswered(Event, frozen=True):
    did = "bound"

    answer: Answer

    def tell(self) -> Telling:
        return said("question.answered", value=self.answer.value, question=self.answer.question.text)


class QuestionDropped(Event, frozen=True):
    """Nobody waits for the answer any more: it came by another way, or the talk went on."""

    id: str


class Questions(msgspec.Struct, frozen=True, omit_defaults=True):
    open: tuple[Question, ...] = ()
    """Newest last."""
    answers: tuple[Answer, ...] = ()
    """What the newest message that answered anything answered, in the order of the questions; it speaks for the
    message of its own version only."""

    @property
    def answer(self) -> Answer | None:
        """The answer to the newest of those questions."""
        return self.answers[-1] if self.answers else None


def all_answered(state: State) -> tuple[Answer, ...]:
    """The questions that the current message answers, each with its answer."""
    answers: tuple[Answer, ...] = state.questions.answers if "questions" in state.session.slices else ()
    return answers if answers and answers[-1].version == state.version else ()


def answered(state: State) -> Answer | None:
    """The newest question that the current message answers, if it answers one."""
    answer: Answer | None = state.questions.answer if "questions" in state.session.slices else None
    return answer if answer is not None and answer.version == state.version else None


def just_asked(state: State) -> list[Question]:
    """The questions of the newest reply that are open, the last one first."""
    turn = state.conversation.turns
    return [question for question in reversed(state.questions.open) if turn - question.turn <= 1]


class QuestionsFaculty(Faculty):
    name = "questions"
    slice = Questions
    events = (QuestionAsked, QuestionAnswered, QuestionDropped, Cleared)
    says = ("asks",)

    def say(self, draft: Draft) -> Iterator[Event]:
        message = draft.message
        assert isinstance(message, MessageSaid)
        turn = draft.state.conversation.turns
        asked = message.attached.get("asks")
        if asked is not None:  # an agent that knows what it asks for need not be guessed at
            given: dict[str, Any] = {"about": asked} if isinstance(asked, str) else dict(asked)
            options = tuple(given.get("options", ()))
            expects: Expects = "choice" if options else given.get("expects", "text")
            yield self._asked(draft, message.text, given.get("about", ""), expects, turn, options, None)
            return
        for span in draft.reading.find(questions)[-OPEN:]:
            about, expects, options = asks(draft.reading, span)
            if about != ANYTHING:
                yield self._asked(draft, worded(draft.reading, span), about, expects, turn, options, span)

    def _asked(
        self,
        draft: Draft,
        text: str,
        about: str,
        expects: Expects,
        turn: int,
        options: tuple[str, ...],
        span: Span | None,
    ) -> QuestionAsked:
        message = draft.message
        assert isinstance(message, MessageSaid)
        question = Question(draft.new_id("q"), text[:200], about, expects, turn, message.agent, options)
        return QuestionAsked(question=question, because=draft.cause("question.asked", span))

    def hear(self, draft: Draft) -> Iterator[Event]:
        waiting: tuple[Question, ...] = draft.state.questions.open
        if not waiting:
            return
        turn = draft.state.conversation.turns
        if turn - waiting[0].turn > PATIENCE:
            yield from (QuestionDropped(id=q.id) for q in waiting if turn - q.turn > PATIENCE)
        if draft.reading.has("let_go"):  # "never mind": what was just asked need not be answered
            yield from (QuestionDropped(id=q.id) for q in just_asked(draft.state))
            return
        if chooses(draft) and aim(draft).leaves:  # a request beats an open question
            return
        words = draft.reading.folded.count(" ")
        few = words <= LONG or (words <= LONGEST and len(just_asked(draft.state)) > 1)
        if not few and not draft.reading.has("yes", "no"):
            return  # too long to be nothing but an answer
        bound = False
        for answer in _bound(draft):
            bound = True
            rule = f"answer.{answer.question.expects}" if answer.fits else "answer.just_asked"
            yield QuestionAnswered(answer=answer, because=draft.cause(rule, answer.span))
        newest = answered(draft.state) if bound else None
        if newest is not None and newest.question.by is not None:
            why = said("route.answers", agent=newest.question.by, question=newest.question.text)
            rule = f"answer.{newest.question.expects}" if newest.fits else "answer.just_asked"
            route = Route(newest.question.by, follow_up=True, said=why)
            yield Routed(route=route, because=draft.cause(rule))

    def fold(self, slice: Questions, event: Event, moment: Moment) -> Questions:
        match event:
            case QuestionAsked(question=question):
                others = [q for q in slice.open if not _same(q, question)]
                return Questions((*others, question)[-OPEN:], slice.answers)
            case QuestionAnswered(answer=answer):
                before = [a for a in slice.answers if a.version == answer.version]
                return Questions(tuple(q for q in slice.open if q.id != answer.question.id), (*before, answer))
            case QuestionDropped(id=id):
                return Questions(tuple(q for q in slice.open if q.id != id), slice.answers)
            case Cleared(what="everything"):
                return Questions()
        return slice


def _same(one: Question, other: Question) -> bool:
    """Whether two ask for the same thing: then the newer one stands for both."""
    return one.text == other.text or (specific(one.about) and one.about == other.about)


def _bound(draft: Draft) -> Iterator[Answer]:
    """The newest question that the message can answer; failing that, one that was just asked and might be meant. Where
    several were just asked, one message may answer them all."""
    reading, version = draft.reading, draft.moment.version
    fresh = just_asked(draft.state)
    if reading.has("unsure") or (not fresh and reading.has("correction")):
        return  # "sorry, 221A" is about what was answered, and "I don't know" leaves open what is open
    if len(fresh) > 1:
        shared = shares(reading, [(q.expects, q.about, q.options) for q in reversed(fresh)])
        if shared:
            asked = fresh[::-1]
            yield from (_answer(asked[place], fit, version, strictly=True) for place, fit in shared)
            return
    for question in draft.state.questions.open[::-1]:
        if not _waits(question, fresh, reading):
            continue
        own = question in fresh
        if question.expects == "yes_no" and draft.state.conversation.turns - question.turn > SOON:
            continue
        fit = fits(reading, question.expects, question.about, question.options, own, own or not fresh)
        if fit is not None:
            yield _answer(question, fit, version, strictly=True)
            return
    references = draft.state.session.slices.get("references")
    pointable = references is not None and bool(references.lists or references.entities)
    most = SHORT if len(draft.state.questions.open) == 1 else BRIEF
    for question in fresh:
        fit = might(reading, question.expects, question.about, question.options, pointable, most)
        if fit is not None:
            yield _answer(question, fit, version, strictly=False)
            return


def _waits(question: Question, fresh: list[Question], reading: Reading) -> bool:
    """Whether a reply may still be meant for a question where newer ones were just asked: only if it is of a kind that
    can be told apart from what they ask for."""
    if not fresh or question in fresh or question.expects == "yes_no":
        return True
    if question.expects != "text":
        return all(q.expects == "yes_no" for q in fresh)
    if question.about == "name":
        return reading.text[:1].isupper()
    return specific(question.about) and bool(question.about in ("when", "email") or reading.find(places))


def _answer(question: Question, fit: Fit, version: int, strictly: bool) -> Answer:
    return Answer(question, fit.value, fit.span, version, fit.yes, fit.places, strictly)
