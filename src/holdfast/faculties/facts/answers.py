"""Answers: what a person replied to an agent's questions stays known, whatever it was about, and is not asked again.

Slots hold what a pack declares; this holds the rest. After "How long will you stay?" and "five days", every later brief
says so, a correction ("a week, not five days") changes the answer, and an agent that asks the same question again is
told what the answer was.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator

import msgspec

from holdfast.events import Cleared, Event, Scope, Violation
from holdfast.faculties.facts import claims
from holdfast.faculties.facts.attributes import MAX_VALUE_WORDS, SURE, likely, slot_named, values_of
from holdfast.faculties.facts.claims import IN_OWN_WORDS
from holdfast.faculties.facts.deciding import decided_on
from holdfast.faculties.facts.fold import FactsFaculty
from holdfast.faculties.facts.lookup import answers_in, content, in_slot
from holdfast.faculties.facts.memos import ItemLearned, change
from holdfast.faculties.facts.relations import CONFIDENT, IN_DOUBT, Memo, same, slot_kind
from holdfast.faculties.facts.slots.view import value_set
from holdfast.faculties.facts.whose import THEIRS, asked_of_others
from holdfast.faculties.facts.writing import DEADLINE, told_now, write
from holdfast.faculties.questions.pending import Answer, all_answered
from holdfast.faculty import Action, Draft, Item
from holdfast.reading.asking import OFFER, Expects, questions, specific, worded
from holdfast.reading.asserting import Statement
from holdfast.reading.decisions import DECIDED_ON
from holdfast.reading.kinds import value_types
from holdfast.reading.model.clauses import KEEP, TELLS_NOTHING, Clause, Value, understand
from holdfast.reading.reader import Reader, Reading, Span, overlap, touches
from holdfast.reading.terms import known_terms, only_a_word, term_in
from holdfast.reading.text import fold
from holdfast.reading.values import trimmed
from holdfast.state import State
from holdfast.telling import said as telling

LONGEST = 80
"""Characters of a question or an answer that are told again."""

TOLD_OF = 24
"""Lead from which what a clause as a whole tells of is what an answer tells of."""
DIET = "diet"
GIVING = frozenset({"answers", "chooses", "states"})
"""Acts by which a reply gives what was asked for."""


_OF_THE_QUESTION = frozenset({"number", claims.DECISION})
"""Attributes of which only the question can say what they are a value of."""


class Answered(msgspec.Struct, frozen=True, omit_defaults=True):
    """A question with its answer."""

    question: str
    answer: str
    expects: Expects
    version: int
    about: str = ""
    options: tuple[str, ...] = ()


class Answers(msgspec.Struct, frozen=True, omit_defaults=True):
    kept: tuple[Answered, ...] = ()
    """Newest last."""


class AnswersFaculty(FactsFaculty):
    """Shows answers: `label` is the key under which they are told."""

    name = "answers"
    words = ("holdfast.faculties.facts/answers",)

    def __init__(self, label: str = "Already answered", keep: int = 40) -> None:
        self.label = label
        self.keep = keep

    def view(self, state: State) -> Answers:
        return Answers(tuple(_shown(memo) for _, memo in asked_and_known(state)))

    def clears(self, state: State) -> Iterable[str]:
        return ["answers"] if state.answers.kept else []

    def clear(self, draft: Draft, what: str | None, index: int | None) -> Iterator[Event]:
        if what == "answers":
            yield Cleared(what="answers")

    def context(self, draft: Draft) -> Iterable[Item]:
        known = [memo for _, memo in asked_and_known(draft.state) if memo.session in ("", draft.origin)]
        told = [f"{memo.question} {memo.value}" for memo in known]
        return [Item(self.label, "; ".join(told), self.keep)] if told else ()

    def forbid(self, action: Action, reading: Reading, state: State) -> Iterable[Violation]:
        """An agent does not ask what was answered, unless in other words."""
        kept = state.answers.kept if "?" in reading.text else ()
        if not kept:
            return
        texts = [worded(reading, span)[:LONGEST] for span in reading.find(questions)]
        asked = {_bare(text, reading.reader) for text in texts} - {frozenset()}
        for known in kept:
            if known.about == OFFER:
                continue  # the same may be offered again
            if _bare(known.question, reading.reader) in asked or (specific(known.about) and known.question in texts):
                instead = str(reading.data("answers").get("known", "{answer}")).replace("{answer}", known.answer)
                why = telling("guard.answered", value=known.answer)
                yield Violation("answers.known", instead=instead, said=why)


def asked_and_known(state: State) -> list[tuple[Scope, Memo]]:
    """The facts that answer a question, the newest last."""
    return sorted(answers_in(state), key=lambda one: one[1].recorded)


def _shown(memo: Memo) -> Answered:
    more = memo.details
    expects, options = more.get("expects", "text"), tuple(more.get("options", ()))
    return Answered(memo.question, memo.value, expects, memo.version, more.get("about", ""), options)


def answering(draft: Draft, event: Event) -> Event:
    """A fact that the message tells in reply to a question knows the question."""
    if not isinstance(event, ItemLearned):
        return event
    for answer in all_answered(draft.state):
        if overlap(answer.span, (event.item.start, event.item.end)):
            return change(event, item=change(event.item, question=answer.question.text[:LONGEST]))
    return event


def answers_given(draft: Draft) -> Iterator[Event]:
    """What a message answers and nothing else of it has told is a fact: the question says what it is about."""
    for answer in all_answered(draft.state):
        told = _told_in(draft, answer.span)
        left = _left_over(draft, answer, told) if told else answer
        if left is not None and _lasting(answer, draft.reading.reader):
            yield from _answered(draft, left, in_words=bool(told))


def _answered(draft: Draft, answer: Answer, in_words: bool) -> Iterator[Event]:
    """An answer as a fact: of what it is a value of, or `in_words` of its own, as the answer to its question."""
    asked, reader = answer.question, draft.reading.reader
    question, value = asked.text[:LONGEST], answer.value[:LONGEST]
    about = " ".join(sorted(_bare(question, reader))) or asked.about
    surely = _surely(draft, answer)
    slot, value = (_attribute(draft, answer) if surely and not in_words else None) or ("", value)
    if not slot:
        slot, value = f"answer/{about}", answer.value[:LONGEST]
    said = Statement(slot, value, answer.span, "answers.kept", answer.span, marks=frozenset({"now"}))
    more = {"expects": asked.expects, "about": asked.about, "options": list(asked.options)}
    details = {name: part for name, part in more.items() if part}
    sure = CONFIDENT if surely else IN_DOUBT
    events = write(draft, said, slot_kind(reader, said.slot))
    if asked.options and slot in DECIDED_ON:
        events = decided_on(draft, said)
    for event in events:
        if isinstance(event, ItemLearned):
            told = event.item.text if value == answer.value[:LONGEST] else answer.value[:LONGEST]
            told = f"{question} {value}" if slot.startswith("answer/") or slot in IN_OWN_WORDS else told
            item = change(event.item, question=question, text=told, details=details, confidence=sure)
            yield change(event, item=item)
        else:
            yield event


def _attribute(draft: Draft, answer: Answer) -> tuple[str, str] | None:
    """What an answer is a value of: a known tool, what the question asks for by name, or what the words of both most
    speak for. Nothing where that is in doubt: then it stays an answer to its question, in its own words."""
    reading, question = draft.reading, answer.question
    if answer.yes is not None:
        return None
    if asked_of_others(reading, question.text):
        return _of_others(draft, answer)
    term = term_in(reading, answer.span)
    alone = term is not None and len(answer.value.split()) <= len(term.value.split()) + 1
    if term is not None and alone and not only_a_word(reading, term, answer.span, True) and not reading.has("negation"):
        return term.slot, term.value
    if question.options:
        return _picked(draft, answer)
    if len(all_answered(draft.state)) > 1:
        return None  # each goes by its own question, and the words beside it belong to others
    for clause, given in _given(draft, answer):
        slot = slot_named(reading.reader, given.attribute) if given.attribute not in _OF_THE_QUESTION else ""
        lasts = clause.keep >= KEEP or given.lead >= 3 * SURE
        if slot and lasts and _gives(reading, given, answer) and _may_replace(draft, answer, clause, slot):
            return slot, _given_as(draft, answer, given.attribute)
    return _told_of(draft, answer)


def _may_replace(draft: Draft, answer: Answer, clause: Clause, slot: str) -> bool:
    """Whether an answer may take the place of what a slot holds, if it holds something else: its clause tells of
    nothing else, and so does the question, or the clause does so by far."""
    reader = draft.reading.reader
    one = not slot_kind(reader, slot).many or slot == DEADLINE
    if not one or not _holds_another(draft, slot, answer.value):
        return True
    asked = understand(answer.question.text, "", draft.reading.language)
    enough = 0 if any(slot_named(reader, one.tells.best) == slot for one in asked) else 2 * TOLD_OF
    return slot_named(reader, clause.tells.best) == slot and clause.tells.lead >= enough


def _holds_another(draft: Draft, slot: str, value: str) -> bool:
    """Whether a slot held another value before this message."""
    known = [memo for _, memo in in_slot(draft.state, slot) if memo.positive and not told_now(draft, memo)]
    return not all(same(draft.reading.reader, memo.value, value) for memo in known)


def _picked(draft: Draft, answer: Answer) -> tuple[str, str] | None:
    """What was picked is an answer to that question; of the person it says which tool, and how they want answers."""
    term = known_terms(draft.reading.reader).get(fold(answer.value))
    told = _told_of(draft, answer)
    if term is not None and term[0].startswith("tooling/"):
        return term
    return told if told and told[0] == "style" else None


def _given_as(draft: Draft, answer: Answer, attribute: str) -> str:
    """The value of an attribute in the words of an answer: all of a short one, of a long one what gives the value."""
    clauses = [clause for clause in draft.clauses if overlap((clause.start, clause.end), answer.span)]
    if len(answer.value.split()) > MAX_VALUE_WORDS or len(clauses) > 1:
        for _, given in _given(draft, answer):
            if given.attribute == attribute:
                return draft.reading.words((given.start, given.end))
    return answer.value


def _given(draft: Draft, answer: Answer) -> Iterator[tuple[Clause, Value]]:
    """The values that an answer gives, each with its clause: nothing that is asked, or told of others."""
    for clause in draft.clauses:
        for given in values_of(draft.reading, clause) if clause.act not in TELLS_NOTHING else ():
            if overlap((given.start, given.end), answer.span):
                yield clause, given


def _of_others(draft: Draft, answer: Answer) -> tuple[str, str] | None:
    """What an answer to a question about a relative or an animal tells of who they are ("What's your dog called?");
    whatever else it says of them is an answer to that question."""
    told = _told_of(draft, answer)
    who = [given.attribute for _, given in _given(draft, answer)] + [told[0] if told else ""]
    return next(((one, answer.value) for one in who if one in THEIRS), None)


def _told_of(draft: Draft, answer: Answer) -> tuple[str, str] | None:
    """What a clause that is worth keeping surely tells of, in the words of the answer: "as few as possible, and at the
    end" of explanations is a style. What has several values is told value by value."""
    for clause in draft.clauses:
        slot = slot_named(draft.reading.reader, clause.tells.best)
        here = len(clause.values) < 2 and overlap((clause.start, clause.end), answer.span)
        if here and slot and _surely_tells(clause):
            return (slot, answer.value) if slot_kind(draft.reading.reader, slot).many else None
    return None


def _surely_tells(clause: Clause) -> bool:
    """Whether a clause surely tells something of its attribute that is worth keeping."""
    worth = clause.keep >= KEEP or (clause.tells.best == "style" and clause.tells.lead >= 2 * TOLD_OF)
    return clause.act in GIVING and worth and clause.told >= 0 and clause.tells.lead >= TOLD_OF


def _gives(reading: Reading, given: Value, answer: Answer) -> bool:
    """Whether an answer likely gives a value of its attribute, in its own words also where that is all but one: "all
    except pork". It says nothing where the question does not say of what: "When?", "Where?"."""
    own = given.sign not in ("no", "others") or (given.attribute == DIET and given.start > answer.span[0])
    return own and likely(reading, given) and bool(_bare(answer.question.text, reading.reader))


def _surely(draft: Draft, answer: Answer) -> bool:
    """Whether it was meant as an answer, and tells something: a remark that follows a question is known of nobody."""
    clauses = [clause for clause in draft.clauses if overlap((clause.start, clause.end), answer.span)]
    typed = bool(value_types(draft.reading.reader, answer.value))
    sure = any(value.lead >= 2 * SURE for clause in clauses for value in clause.values)
    return any((clause.act in GIVING and (typed or sure)) or clause.keep >= KEEP for clause in clauses)


def _told_in(draft: Draft, span: Span) -> list[Event]:
    """What was learned in this message from some of its words."""
    causes = [(event, event.because) for event in draft.events if value_set(event) is not None]
    return [event for event, cause in causes if cause is not None and overlap((cause.start, cause.end), span)]


def _left_over(draft: Draft, answer: Answer, told: list[Event]) -> Answer | None:
    """What of an answer nothing was learned from: a clause of it, or all where most of its words are new."""
    if _says_more(draft.reading.reader, answer, told):
        return answer
    spans = [(event.because.start, event.because.end) for event in told if event.because is not None]
    clauses = [(one.start, one.end) for one in draft.clauses if one.act in GIVING]
    left = [one for one in clauses if overlap(one, answer.span) and not touches(one, spans)]
    if not left:
        return None
    span = trimmed(draft.reading, left[0])
    return msgspec.structs.replace(answer, span=span, value=draft.reading.words(span))


def _says_more(reader: Reader, answer: Answer, told: list[Event]) -> bool:
    """Whether most of what an answer says is not yet told by what was learned from it."""
    items = [event.item for event in told if isinstance(event, ItemLearned)]
    known = frozenset[str]().union(*(content(reader, f"{item.value} {item.text}") for item in items))
    said = content(reader, answer.value)
    return len(items) == len(told) and 2 * len(said - known) > len(said)


def _bare(question: str, reader: Reader) -> frozenset[str]:
    """The words that make it the same question: none for "Which one?", which is another one for every list."""
    small, ones = reader.phrases("small", "words"), reader.phrases("answers", "ones")
    words = [word.strip(".,;:!?¿¡\"'()") for word in fold(question[:LONGEST]).split()]
    return frozenset(word for word in words if word and word not in small and word not in ones)


def _lasting(answer: Answer, reader: Reader) -> bool:
    """Whether an answer says something without what stood before its question, and for longer than now: what agrees to
    an offer, or not, is over when it is done."""
    about, agrees = answer.question.about, answer.yes is not None or bool(answer.takes)
    return specific(about) or (not (about == OFFER and agrees) and bool(_bare(answer.question.text, reader)))
