"""Pending questions. What an agent asks becomes a record; a short reply binds to the newest open question that it can
answer, and not to its own words: after "Where?", "philly" is a place, and "yes" goes to the agent that asked."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any, Literal

import msgspec

from holdfast.events import Cleared, Event, MessageSaid, Route, Routed
from holdfast.faculty import Draft, Faculty
from holdfast.reading.lists import list_items
from holdfast.reading.mentions import ordinal
from holdfast.reading.reader import Reading, Span
from holdfast.reading.values import numbers, trimmed
from holdfast.state import Moment, State

Expects = Literal["yes_no", "choice", "number", "text"]

OPEN = 5
"""Questions that can be open at once; older ones are no longer waited for."""
SHORT = 6
"""Words of a reply that is short enough to be an answer and nothing else."""
BESIDE = 2
"""Words that may stand beside an ordinal that chooses an option ("the second, please")."""
ASKED = 8
"""Questions that are taken from one reply."""
PATIENCE = 6
"""Turns of the person after which an unanswered question is no longer waited for."""

_BEFORE_ASKING = ("\n", ". ", "! ", "? ")
_WORDS_BEFORE = re.compile(r"[^,?.!:]{1,60}$")
_NUMBERS = {"how_many"}
_YES_NO = {"yes_no", "want"}
_ANYTHING = "anything"
"""The asking word of a question that waits for nothing: "how can I help?", "anything else?"."""
_UNSPECIFIC = {*_YES_NO, _ANYTHING, "which", "what"}


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
    option: int | None = None


class QuestionAsked(Event, frozen=True):
    did = "asked"

    question: Question

    def tell(self) -> str:
        return f"{self.question.text!r} waits for an answer"


class QuestionAnswered(Event, frozen=True):
    did = "bound"

    answer: Answer

    def tell(self) -> str:
        return f"{self.answer.value!r} answers {self.answer.question.text!r}"


class QuestionDropped(Event, frozen=True):
    """Nobody waits for the answer any more: it came by another way, or the talk went on."""

    id: str


class Questions(msgspec.Struct, frozen=True, omit_defaults=True):
    open: tuple[Question, ...] = ()
    """Newest last."""
    answer: Answer | None = None
    """The newest answer; it speaks for the message of its own version only."""


def answered(state: State) -> Answer | None:
    """The question that the current message answers, if it does."""
    answer: Answer | None = state.questions.answer if "questions" in state.session.slices else None
    return answer if answer is not None and answer.version == state.version else None


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
            about, expects, options = _asks(draft.reading, span)
            if about != _ANYTHING:
                yield self._asked(draft, draft.reading.words(span), about, expects, turn, options, span)

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
        if draft.reading.folded.count(" ") > SHORT and not draft.reading.has("yes", "no"):
            return  # too long to be nothing but an answer
        for question in reversed(draft.state.questions.open):
            answer = _answer(draft.reading, question, draft.moment.version)
            if answer is None:
                continue
            rule = f"answer.{question.expects}"
            yield QuestionAnswered(answer=answer, because=draft.cause(rule, answer.span))
            if question.by is not None:
                reason = f"answers the question of {question.by}: {question.text!r}"
                yield Routed(route=Route(question.by, follow_up=True, reason=reason), because=draft.cause(rule))
            return

    def fold(self, slice: Questions, event: Event, moment: Moment) -> Questions:
        match event:
            case QuestionAsked(question=question):
                others = [q for q in slice.open if not question.about or q.about != question.about]
                return Questions((*others, question)[-OPEN:], slice.answer)
            case QuestionAnswered(answer=answer):
                return Questions(tuple(q for q in slice.open if q.id != answer.question.id), answer)
            case QuestionDropped(id=id):
                return Questions(tuple(q for q in slice.open if q.id != id), slice.answer)
            case Cleared(what="everything"):
                return Questions()
        return slice


def questions(reading: Reading) -> list[Span]:
    """The sentences of a reply that ask something. Use as `reading.find(questions)`."""
    text = reading.text
    found: list[Span] = []
    place = text.find("?")
    while place >= 0 and len(found) < ASKED:
        start = max(text.rfind(mark, 0, place) for mark in _BEFORE_ASKING) + 1
        while start < place and text[start].isspace():
            start += 1
        if start < place:
            found.append((start, place + 1))
        place = text.find("?", place + 1)
    return found


def _asks(reading: Reading, span: Span) -> tuple[str, Expects, tuple[str, ...]]:
    """What a question asks for, the kind of answer it expects, and the options it offers."""
    start, end = span
    words = [cue.id.rpartition(".")[2] for cue in reading.all("asks") if start <= cue.start < end]
    options = _options(reading, span, "which" in words)
    about = next((word for word in words if word not in _UNSPECIFIC), "")
    if options:
        return about or ("which" if "which" in words else ""), "choice", options
    if not about and _ANYTHING in words and words[0] not in _YES_NO:
        return _ANYTHING, "text", ()
    if not _NUMBERS.isdisjoint(words):
        return about, "number", ()
    if about or not words or words[0] not in _YES_NO:  # "how long will you stay?" wants more than a yes
        return about or (words[0] if words else ""), "text", ()
    return "", "yes_no", ()


def _options(reading: Reading, span: Span, which: bool) -> tuple[str, ...]:
    """The choices a question offers: "Dallas or Houston?", or the list that stands before "which one?"."""
    choice = next((cue for cue in reading.all("choice") if span[0] < cue.start < span[1]), None)
    if choice:
        before = _WORDS_BEFORE.search(reading.text[span[0] : choice.start].rstrip(" ,"))
        first = _without_lead(reading, before[0]) if before else ""
        second = _without_article(reading, reading.text[choice.end : span[1] - 1].strip())
        return (first, second) if first and 0 < len(second) <= 60 else ()
    items = reading.find(list_items) if which else []
    return tuple(item.name for item in items) if len(items) > 1 else ()


def _without_lead(reading: Reading, words: str) -> str:
    """The first choice without what leads up to it: "do you want pizza" → "pizza"."""
    leads = reading.phrases("choice", "leads")
    said = words.split()
    last = max((place for place, word in enumerate(said) if word.lower().strip("¿¡") in leads), default=-1)
    return " ".join(said[last + 1 :])


def _without_article(reading: Reading, words: str) -> str:
    first, _, rest = words.partition(" ")
    return rest.strip() if rest and first.lower() in reading.phrases("choice", "articles") else words


def _answer(reading: Reading, question: Question, version: int) -> Answer | None:
    """The reply as an answer to the question, if it can be one."""
    agreed = reading.has("yes", "no")
    if question.expects == "yes_no":
        said = reading.first("yes") or reading.first("no") if agreed else None
        yes = said is not None and said.family == "yes"
        return Answer(question, reading.words(said.span), said.span, version, yes=yes) if said else None
    if len(reading.tokens) > SHORT:
        return None
    whole = trimmed(reading, (0, len(reading.text)))
    if question.expects == "choice":
        place = _chosen(reading, question.options)
        return None if place is None else Answer(question, question.options[place], whole, version, option=place)
    if question.expects == "number":
        found = reading.find(numbers)
        return Answer(question, reading.words(found[0].span), found[0].span, version) if found else None
    whole = _after_lead(reading, whole)
    text = reading.words(whole)
    asking = reading.text.rstrip("\"') ").endswith("?") or reading.folded.split(" ", 1)[0] in reading.phrases(
        "question", "openers"
    )
    other = agreed or _points(reading, whole[0]) or _only_a_number(text) or _only_polite(reading, whole)
    if text and not asking and not other:
        return Answer(question, text, whole, version)
    return None


def _after_lead(reading: Reading, span: Span) -> Span:
    """A reply without the words that only lead to it: "it's Dana"."""
    start, end = span
    for lead in reading.phrases("choice", "replies"):
        if reading.folded.startswith(lead + " ", start) and start + len(lead) + 1 < end:
            return start + len(lead) + 1, end
    return span


def _points(reading: Reading, start: int) -> bool:
    """Whether something is pointed at from there on; "la" of "la mediana" is an article and no pronoun."""
    articles = reading.phrases("choice", "articles")
    cues = (cue for cue in reading.all("reference") if cue.end > start)
    return any(reading.folded[cue.start : cue.end] not in articles for cue in cues)


def _only_polite(reading: Reading, span: Span) -> bool:
    """Whether courtesies are all that is said: "hello there", and not "blue, please"."""
    polite = [cue.span for cue in reading.all("politeness")]
    return bool(polite) and all(
        any(start <= token[0] < end for start, end in polite) for token in reading.tokens if token[0] < span[1]
    )


def _only_a_number(text: str) -> bool:
    return not any(char.isalpha() for char in text)


def _chosen(reading: Reading, options: tuple[str, ...]) -> int | None:
    """Which option a short reply takes: by its place ("2", "the second", "last") or by its name."""
    text = reading.folded.strip(" .!?,")
    if text.isdigit():
        return int(text) - 1 if 0 < int(text) <= len(options) else None
    for cue in reading.all("reference"):
        beside = sum(not (cue.start <= start < cue.end) for start, _ in reading.tokens)
        if "ordinal" in cue.groups and beside <= BESIDE:
            place = ordinal(reading, reading.folded[slice(*cue.groups["ordinal"])])
            if place is not None and -len(options) <= place <= len(options):
                return place - 1 if place > 0 else len(options) + place
    names = [option.casefold() for option in options]
    named = [place for place, name in enumerate(names) if name in text or (len(text) > 2 and text in name)]
    return named[0] if len(named) == 1 else None
