"""Pending questions: the one register of what is waited for, and the one place that says what a message answers.

What an agent asks becomes a record, and so does what the engine has to ask: a name, a kind of document, which task. A
short reply binds to the newest open question that it can answer, and not to its own words: after "Where?", "philly" is
a place, and "yes" goes to the agent that asked. A question that work on a file waits for stays open until something
answers it, however many messages later: a reply, a statement that takes up its words, or an upload.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from itertools import chain, islice
from typing import Any

import msgspec

from holdfast.events import Cleared, Event, Route, Routed
from holdfast.faculties.aims.aim import aim, requests
from holdfast.faculties.attachments import executed, names, succeeded
from holdfast.faculties.questions.replies import REPLIES, SURELY, Part, part
from holdfast.faculty import Draft, Faculty, Item
from holdfast.reading.asking import ANYTHING, Expects, asks, questions, specific, worded
from holdfast.reading.kinds import typed_spans
from holdfast.reading.model.tokens import tokens_of
from holdfast.reading.places import places
from holdfast.reading.reader import Reading, Span, overlap, touches
from holdfast.reading.replying import BRIEF, PLACED, SHORT, Fit, chosen, fits, might
from holdfast.reading.sharing import shares
from holdfast.reading.values import number_in
from holdfast.state import Moment, State
from holdfast.telling import Telling, said

OPEN = 5
"""Questions that can be open at once; older ones are no longer waited for."""
PATIENCE = 6
"""Turns of the person after which an unanswered question is no longer waited for, unless work waits for it."""
SOON = 3
"""Turns after which a yes or an "ok" no longer means it."""
NAME, KIND, TASK = "name", "kind", "task"
"""What questions are about that are answered by what a message is: a person's name, a kind of document, a task."""

_WORD = re.compile(r"[^\W\d_]{4,}")
_COURTESIES = frozenset({"greeting", "reaction", "thanks", "farewell"})
"""What words are that only keep a talk friendly."""
_AGREES = ("confirms", "denies")
"""What clauses do that say yes or no."""
_IDLE = frozenset({"remarks", "supposes", "postpones", "quotes", "unable"})
"""Acts of talk beside a question: of messages that were nothing else, three in five told nothing, and one in seven
answered."""
ELSEWHERE, PLAINLY = 16, 32
"""How far another aim may lead over an answer where the words of a message could answer anything; and the lead from
which it plainly answers."""


class Work(msgspec.Struct, frozen=True, omit_defaults=True):
    """What cannot go on before a question is answered."""

    request: str
    """What the person had asked for."""
    file: str | None = None
    """The file that is worked on."""


class Question(msgspec.Struct, frozen=True, omit_defaults=True):
    """Something that an agent, or the engine itself, wants to know."""

    id: str
    text: str
    about: str
    """What it asks for: a slot's asking word ("where"), the id of a step, or "" when nothing tells."""
    expects: Expects
    turn: int
    by: str | None = None
    options: tuple[str, ...] = ()
    work: Work | None = None
    """What waits for the answer; such a question stays open until it has one."""


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
    files: tuple[str, ...] = ()
    """What was uploaded as the answer."""


class QuestionAsked(Event, frozen=True):
    did = "asked"

    question: Question

    def tell(self) -> Telling:
        waits = "question.waits_file" if self.question.expects == "file" else "question.waits"
        return said(waits, question=self.question.text)


class QuestionAnswered(Event, frozen=True):
    did = "bound"

    answer: Answer

    def tell(self) -> Telling:
        given = ", ".join(self.answer.files) or self.answer.value
        return said("question.answered", value=given, question=self.answer.question.text)


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


def answered(state: State, about: str = "") -> Answer | None:
    """The newest question that the current message answers, if it answers one (about something, where it is named)."""
    found = all_answered(state)
    return found[-1] if found and about in ("", found[-1].question.about) else None


def answering_clauses(draft: Draft) -> list[Span]:
    """Where the clauses of the current message stand that answer something."""
    spans = [answer.span for answer in all_answered(draft.state)]
    clauses = [(clause.start, clause.end) for clause in draft.clauses]
    return [clause for clause in clauses if touches(clause, spans)]


def just_asked(state: State) -> list[Question]:
    """The questions of the newest reply that are open, the last one first."""
    open_: tuple[Question, ...] = state.questions.open if "questions" in state.session.slices else ()
    turn = state.conversation.turns
    return [question for question in reversed(open_) if turn - question.turn <= 1]


def waiting(state: State, *abouts: str) -> list[Question]:
    """The open questions about something, the newest last; none where the pack has no register."""
    if "questions" not in state.session.slices:
        return []
    return [question for question in state.questions.open if question.about in abouts]


def ask(draft: Draft, text: str, about: str, rule: str, span: Span | None = None, **more: Any) -> Iterator[Event]:
    """Put a question of the engine itself into the register, where the pack has one: whoever asks it, the next message
    may answer it."""
    if "questions" in draft.state.session.slices:
        given: dict[str, Any] = {"expects": "text", "turn": draft.state.conversation.turns, **more}
        question = Question(draft.new_id("q"), text[:300], about, **given)
        yield QuestionAsked(question=question, because=draft.cause(rule, span))


class QuestionsFaculty(Faculty):
    name = "questions"
    words = ("holdfast.faculties.questions/questions",)
    slice = Questions
    events = (QuestionAsked, QuestionAnswered, QuestionDropped, Cleared)
    says = ("asks",)

    def say(self, draft: Draft) -> Iterator[Event]:
        if draft.attached.get("files") or executed(draft.attached):  # the agent chose a kind and made the file
            yield from (QuestionDropped(id=question.id) for question in waiting(draft.state, KIND))
        asked = draft.attached.get("asks")
        if asked is None:
            yield from self._read(draft)
            return
        # an agent that knows what it asks for need not be guessed at
        given: dict[str, Any] = {"about": asked} if isinstance(asked, str) else dict(asked)
        options = tuple(given.get("options", ()))
        expects: Expects = "choice" if options else given.get("expects", "text")
        yield self._asked(draft, draft.text, given.get("about", ""), expects, options, None)

    def _read(self, draft: Draft) -> Iterator[Event]:
        """The questions that stand in a reply; where the agent works on files, what it wants to be sent."""
        reading = draft.reading
        spans = reading.find(questions)[-OPEN:]
        sends = reading.first("please_send") if _worked(draft) else None
        for span in spans:
            about, expects, options = asks(reading, span)
            if about != ANYTHING and not (about == NAME and waiting(draft.state, NAME)):
                expects = "file" if sends is not None and span == spans[-1] else expects
                yield self._asked(draft, worded(reading, span), about, expects, options, span)
        if sends is not None and not spans:
            span = (sends.start, len(reading.text))
            yield self._asked(draft, reading.words(span), "", "file", (), span)

    def _asked(
        self, draft: Draft, text: str, about: str, expects: Expects, options: tuple[str, ...], span: Span | None
    ) -> QuestionAsked:
        work = _work(draft) if expects != "yes_no" and _worked(draft) else None
        turn, agent = draft.state.conversation.turns, getattr(draft.message, "agent", None)
        question = Question(draft.new_id("q"), text[:200], about, expects, turn, agent, options, work)
        return QuestionAsked(question=question, because=draft.cause("question.asked", span))

    def hear(self, draft: Draft) -> Iterator[Event]:
        open_: tuple[Question, ...] = draft.state.questions.open
        if not open_:
            return
        turn, several = draft.state.conversation.turns, draft.reading.reader.data("aims")
        # where something else begins, what can only be agreed to lapses: a later "ok" orders nothing
        begins = several and aim(draft).what in ("new", "fresh")
        gone = [q for q in open_ if turn - q.turn > PATIENCE or (begins and q.expects == "yes_no")]
        yield from (QuestionDropped(id=q.id) for q in gone if q.work is None)
        if draft.reading.has("let_go") or (several and aim(draft).what == "stop"):
            # "never mind": what was just asked need not be answered
            yield from (QuestionDropped(id=q.id) for q in just_asked(draft.state))
            return
        newest: Answer | None = None
        for answer in answers(draft):
            newest = answer
            yield QuestionAnswered(answer=answer, because=draft.cause(_rule(answer), answer.span))
        if newest is not None and newest.question.by is not None:
            why = said("route.answers", agent=newest.question.by, question=newest.question.text)
            route = Route(newest.question.by, follow_up=True, said=why)
            yield Routed(route=route, because=draft.cause(_rule(newest)))

    def context(self, draft: Draft) -> Iterable[Item]:
        answer = answered(draft.state)
        if answer is None or answer.question.work is None:
            return ()
        items = [Item("Answers the open request", answer.question.text, keep=90)]
        if answer.files:
            items.append(Item("Uploaded", ", ".join(answer.files), keep=90))
        if answer.question.work.request:
            items.append(Item("Continue with", answer.question.work.request, keep=85))
        return items

    def fold(self, slice: Questions, event: Event, moment: Moment) -> Questions:
        match event:
            case QuestionAsked(question=question):
                return Questions((*_without(slice.open, question), question)[-OPEN:], slice.answers)
            case QuestionAnswered(answer=answer):
                before = (a for a in slice.answers if a.version == answer.version)
                return Questions(_without(slice.open, answer.question), (*before, answer))
            case QuestionDropped(id=id):
                return Questions(tuple(q for q in slice.open if q.id != id), slice.answers)
            case Cleared(what="everything"):
                return Questions()
        return slice


def _without(open_: tuple[Question, ...], other: Question) -> tuple[Question, ...]:
    """Without those that ask for the same thing: the newer one stands for both."""
    return tuple(question for question in open_ if not _same(question, other))


def _same(one: Question, other: Question) -> bool:
    return one.id == other.id or one.text == other.text or (specific(one.about) and one.about == other.about)


def _rule(answer: Answer) -> str:
    return f"answer.{answer.question.expects}" if answer.fits else "answer.just_asked"


def answers(draft: Draft) -> Iterator[Answer]:
    """What a message answers: a question that work waits for, by what it is; else, unless it asks for something itself,
    what was asked last; else a question of which it takes up the words."""
    waits = [question for question in reversed(draft.state.questions.open) if question.work is not None]
    if waits and (found := _by_kind(draft, waits)) is not None:
        yield found
        return
    bound = [answer for answer in _bound(draft) if _is_meant(draft, answer)] if not _leaves(draft) else []
    yield from bound
    if waits and not bound and (taken := _taken_up(draft, waits)) is not None:
        yield _whole(draft, taken)


def _leaves(draft: Draft) -> bool:
    """Whether a message leaves what was asked: a request beats a question, and a courtesy answers none."""
    several = bool(draft.reading.reader.data("aims"))  # else there is nothing to be about but the talk itself
    return (several and aim(draft).leaves and not waiting(draft.state, TASK)) or _courtesy(draft)


def _is_meant(draft: Draft, answer: Answer) -> bool:
    """Whether a message is about what was asked, where its words alone could answer anything: "close the rest" or "my
    sister comes, too" is no answer to "shall I?"."""
    question = answer.question
    told = answer.yes is not None or answer.takes or (answer.fits and specific(question.about))
    if told or question.expects == "number":
        return True
    gives = draft.reading.find(typed_spans) or any(clause.values for clause in draft.clauses)
    if not gives and all(clause.act in _IDLE for clause in draft.clauses):
        return False
    if not draft.reading.reader.data("aims"):
        return True
    about = aim(draft)
    plainly = all(clause.act in REPLIES and clause.lead >= PLAINLY for clause in draft.clauses)
    return plainly or about.prefers(("answer",), about.scores.keys() - {"answer"}) > -ELSEWHERE


def _courtesy(draft: Draft) -> bool:
    """Whether a message only greets, thanks, laughs or wonders: that answers nothing ("yo", "hola buenas", "lol")."""
    if not 0 < len(draft.reading.tokens) <= SHORT or draft.reading.has("yes", "no"):
        return False
    words = [token for token in draft.reading.find(tokens_of) if token.shape != "."]
    idle = all(token.kinds and _COURTESIES.issuperset(token.kinds) for token in words)
    return idle or all(clause.act in ("greets", "thanks") for clause in draft.clauses)


def _whole(draft: Draft, question: Question, files: tuple[str, ...] = ()) -> Answer:
    """The message as it is, as an answer."""
    text = draft.reading.text.strip()
    value = text.rstrip(".!") if question.about == NAME else text
    return Answer(question, value[:500], (0, min(len(draft.reading.text), 200)), draft.moment.version, files=files)


def _by_kind(draft: Draft, waits: list[Question]) -> Answer | None:
    """A message that answers a question which work waits for by what it is: an upload, a kind of document, a name."""
    reading = draft.reading
    if draft.attached and (files := names(draft.attached)):
        wanted = _for_upload(draft, waits)
        return _whole(draft, wanted[0], files) if wanted else None
    short = len(reading.tokens) <= SHORT
    tells = {KIND: short and reading.has("document_kind"), NAME: short and _only_a_name(draft)}
    return next((_whole(draft, question) for question in waits if tells.get(question.about)), None)


def _only_a_name(draft: Draft) -> bool:
    """Whether a message is a name and nothing else: "Dana Frey"."""
    named = [value for clause in draft.clauses for value in clause.values if value.attribute == "name"]
    return any(draft.reading.text[one.start : one.end] == draft.reading.text.strip(" .!") for one in named)


def _for_upload(draft: Draft, waits: list[Question]) -> list[Question]:
    """Where an upload goes: to what was to be sent, else, where nothing is asked with it, to what a file can answer."""
    wanted = [question for question in waits if question.expects == "file"]
    if wanted or requests(draft):
        return wanted
    return [question for question in waits if question.about not in (NAME, KIND)]


def _taken_up(draft: Draft, waits: list[Question]) -> Question | None:
    """The question that work waits for and of which a statement repeats a word: "the loan is 10,000 at 4 %"."""
    reading = draft.reading
    if len(reading.tokens) < 3 or reading.text.rstrip().endswith("?") or requests(draft):
        return None
    return next((question for question in waits if _takes_up(reading, question)), None)


def _takes_up(reading: Reading, question: Question) -> bool:
    """Whether a message repeats a word of a question."""
    told = set(_WORD.findall(reading.text[:2000].lower())) - reading.phrases("questions", "small")
    return not told.isdisjoint(_WORD.findall(question.text.lower()))


def _worked(draft: Draft) -> bool:
    """Whether files are worked on here, and what the agent did worked: then work may wait for an answer."""
    return "files" in draft.state.session.slices and succeeded(draft.attached)


def _work(draft: Draft) -> Work:
    request = draft.state.files.request
    recent = [m.text for m in draft.state.conversation.recent if m.role == "user"]
    return Work(recent[-1][:300] if recent else "", request.target if request is not None else None)


_Said = tuple[Question, Reading, Part]
"""A question, with what of a message is said in answer to it."""


def _parts(draft: Draft, fresh: list[Question]) -> list[_Said]:
    """What of a message likely answers each of the open questions, the newest first."""
    open_ = draft.state.questions.open[::-1] if draft.clauses else ()  # a mere file says nothing
    parts = [(question, *_part(draft, question, fresh)) for question in open_ if _is_open(draft, question, fresh)]
    return [one for one in parts if one[2].likely]


def _is_open(draft: Draft, question: Question, fresh: list[Question]) -> bool:
    """Whether a message may answer a question in any way: seen before it is read as said after that."""
    return question in fresh or _may_fit(draft, question, fresh) or _in_its_words(question, fresh)


def _part(draft: Draft, question: Question, fresh: list[Question]) -> tuple[Reading, Part]:
    """The part of a message that answers a question, with the message as if nothing else were said; to a question of
    before, it is read as if that had been asked just now."""
    reading, late = draft.reading, question not in fresh
    clauses = reading.as_after(question.text, draft.told) if late else draft.clauses
    spans = [(clause.start, clause.end) for clause in clauses]
    found = part(clauses, draft.clauses, [_gives(reading, span, question) for span in spans])
    (start, end), text = found.span, reading.text
    if len(fresh) < 2 and (start, end) != (spans[0][0], spans[-1][1]):  # what answers two questions is one breath
        reading = reading.reader.read(" " * start + text[start:end] + " " * (len(text) - end))
    return reading, found


def _gives(reading: Reading, span: Span, question: Question) -> bool:
    """Whether words give something of the kind that a question waits for: an option, a yes or no, a number, a time or
    a place."""
    if question.options:
        return bool(chosen(reading, span, question.options, by_place=False))
    if question.expects == "number":
        return number_in(reading, span) is not None
    if question.about in PLACED:
        return any(overlap(place.span, span) for place in reading.find(places))
    families = ("yes", "no") if question.expects == "yes_no" else ("day", "clock") if question.about == "when" else ()
    return any(overlap(cue.span, span) for family in families for cue in reading.all(family))


def _bound(draft: Draft) -> Iterator[Answer]:
    """The newest question that the message can answer; failing that, one that was just asked and might be meant. Where
    several were just asked, one message may answer them all."""
    reading, version = draft.reading, draft.moment.version
    fresh = just_asked(draft.state)
    if reading.has("unsure") or (not fresh and reading.has("correction")):
        return  # "sorry, 221A" is about what was answered, and "I don't know" leaves open what is open
    asked = fresh[::-1]
    shared = shares(reading, [(q.expects, q.about, q.options) for q in asked]) if len(asked) > 1 else []
    if shared:
        yield from (_answer(asked[place], fit, version, strictly=True) for place, fit in shared)
        return
    parts = _parts(draft, fresh)
    ways = _fitting(draft, parts, fresh), _perhaps_meant(draft, parts, fresh), _in_words(draft, parts, fresh)
    yield from islice(chain(*ways), 1)


def _fitting(draft: Draft, parts: list[_Said], fresh: list[Question]) -> Iterator[Answer]:
    """What is said in answer, as one of the kind that an open question waits for, the newest question first."""
    for question, heard, _ in parts:
        own = question in fresh
        if _may_fit(draft, question, fresh):
            fit = fits(heard, question.expects, question.about, question.options, own, own or not fresh)
            if fit is not None:
                yield _answer(question, fit, draft.moment.version, strictly=True)


def _perhaps_meant(draft: Draft, parts: list[_Said], fresh: list[Question]) -> Iterator[Answer]:
    """The same as an answer of another kind to what was just asked."""
    references = draft.state.session.slices.get("references")
    pointable = references is not None and bool(references.lists or references.entities)
    most = SHORT if len(draft.state.questions.open) == 1 else BRIEF
    for question, heard, _ in parts:
        if question in fresh:
            fit = might(heard, question.expects, question.about, question.options, pointable, most)
            if fit is not None:
                yield _answer(question, fit, draft.moment.version, strictly=False)


def _in_words(draft: Draft, parts: list[_Said], fresh: list[Question]) -> Iterator[Answer]:
    """What is surely said in answer, however long it is; to a question of before, where it gives a value and nothing
    else was asked since. It is no plain yes or no: what waits for one waits on."""
    for question, heard, found in parts:
        value = heard.words(found.span).strip(" ,.;!")
        if found.lead >= SURELY and value and _in_its_words(question, fresh):
            yield Answer(question, value[:500], found.span, draft.moment.version, fits=False)


def _in_its_words(question: Question, fresh: list[Question]) -> bool:
    """Whether a question may be answered in whatever words."""
    return question.work is None and (question in fresh or not (fresh or question.expects == "yes_no"))


def _may_fit(draft: Draft, question: Question, fresh: list[Question]) -> bool:
    """Whether what is of the kind that a question waits for may be meant for it."""
    return _waits(question, fresh, draft.reading) and (question in fresh or not _gone_by(draft, question))


def _gone_by(draft: Draft, question: Question) -> bool:
    """Whether a question of an earlier reply is gone by for this message: one for free words would be answered by
    whatever comes next, and "ok, and the hotel?" is no yes to it."""
    if question.expects == "yes_no":
        agrees = draft.clauses and draft.clauses[0].act in _AGREES
        agrees = agrees or _takes_up(draft.reading, question)  # "ok, elm street" to "the one on Elm Street?"
        return not agrees or draft.state.conversation.turns - question.turn > SOON
    return question.expects == "text" and question.work is None and not specific(question.about)


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
