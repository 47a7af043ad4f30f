"""Memory: what a person told us, kept true over time.

Statements become items in slots. Every write has one relation to what was known (`relations.py`) and is made in
`writing.py`; what is kept is in `memos.py`, what is taken back in `taking_back.py`, what is decided in `deciding.py`,
what stands against each other in `disputes.py`, and what the agent is told of it all in `telling.py`. What is said for
good lives in the user's log, what is said for a project in the project's, the rest in the session's.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from itertools import filterfalse

import msgspec

from holdfast.events import Event, Scope
from holdfast.faculties.facts import memos as m
from holdfast.faculties.facts.answers import answering, answers_given
from holdfast.faculties.facts.asked_for import asked_for, only_asks_to_keep
from holdfast.faculties.facts.beside import NOTE
from holdfast.faculties.facts.bygone import tell_past
from holdfast.faculties.facts.changes import answered_anew, changed, corrected
from holdfast.faculties.facts.choosing import chosen_of_two
from holdfast.faculties.facts.claims import DECISION, told
from holdfast.faculties.facts.deciding import (
    decided,
    decided_in_words,
    decided_on,
    is_chosen,
    mentioned,
    redecide,
    takes_a_place,
)
from holdfast.faculties.facts.disputes import settle_by_answer
from holdfast.faculties.facts.fold import FactsFaculty
from holdfast.faculties.facts.memos import held_in, live
from holdfast.faculties.facts.moved import moved
from holdfast.faculties.facts.relations import Memo, slot_kind
from holdfast.faculties.facts.slots.view import value_set
from holdfast.faculties.facts.taking_back import ended, reject
from holdfast.faculties.facts.telling import memory_sections, remembered
from holdfast.faculties.facts.wording import clause_words
from holdfast.faculties.facts.writing import only_seems_another, searchable, write
from holdfast.faculties.questions.pending import answering_clauses
from holdfast.faculty import Draft, Item, Section
from holdfast.reading.asserting import Statement
from holdfast.reading.corrections import corrections
from holdfast.reading.reader import inside
from holdfast.reading.standing import LONG
from holdfast.state import State
from holdfast.stores.protocol import Note

UNSURE = 5
"""The most words of a message that only says "I don't know"."""


class MemoryFaculty(FactsFaculty):
    name = "memory"
    words = ("holdfast.faculties.facts/memory", "holdfast.reading/places", "holdfast.reading/dates")

    def __init__(self, *, sections: bool = False, project_context: bool = False, agent_decides: bool = False) -> None:
        self._sections = sections
        self._context = project_context
        self._agent_decides = agent_decides

    # Hearing

    def hear(self, draft: Draft) -> Iterator[Event]:
        reading = draft.reading
        yield from settle_by_answer(draft)
        if len(reading.text) > LONG:
            return  # a pasted document states nothing about the person
        if only_asks_to_keep(draft):
            yield from asked_for(draft)
            return
        yield from chosen_of_two(draft)
        yield from answered_anew(draft)
        answers = _only_answers(draft)
        if not answers:
            yield from (answering(draft, event) for event in self._heard(draft))
        several = answers and _tell_several(told(draft, beside_answer=True))
        if several:
            yield from (answering(draft, event) for event in self._beside(draft))
        yield from answers_given(draft)
        yield from changed(draft)
        if answers and not several:
            yield from self._beside(draft)
        yield from moved(draft)
        yield from asked_for(draft)

    def _beside(self, draft: Draft) -> Iterator[Event]:
        """What is told beside an answer: "yeah, second year at UNSW"."""
        yield from ended(draft)
        for said in told(draft, beside_answer=True):
            yield from self._take(draft, said)

    def _heard(self, draft: Draft) -> Iterator[Event]:
        """What the message states, takes back and decides."""
        for said in draft.reading.find(corrections):
            yield from self._take(draft, said)
        claims = told(draft)
        first = [said for said in claims if takes_a_place(draft, said)]  # what is not over, but another
        for said in first:
            yield from self._take(draft, said)
        mark = len(draft.events)
        yield from corrected(draft, any(value_set(event) is not None for event in draft.events))
        yield from ended(draft)
        if self._context and draft.reading.has("tech"):  # before what else is told: the project's stack is its context
            yield from mentioned(draft)
        left = claims if len(draft.events) == mark else told(draft)
        for said in filterfalse(first.__contains__, left):
            yield from self._take(draft, said)
        yield from decided(draft, agent=False, of_work=self._context)

    def say(self, draft: Draft) -> Iterator[Event]:
        if self._agent_decides and draft.reading.has("decides"):
            yield from decided(draft, agent=True)

    def _take(self, draft: Draft, said: Statement) -> Iterator[Event]:
        """One statement, related to what is known."""
        if said.verb != "prefer" and said.act != "past":
            mark = len(draft.events)
            yield from decided_on(draft, said) if is_chosen(said) else redecide(draft, said)
            if len(draft.events) > mark:
                return
        if said.slot == DECISION:
            yield from decided_in_words(draft, said)
            return
        if said.act == "states" and "now" not in said.marks and (clause := only_seems_another(draft, said)):
            if clause.act == "requests":
                return  # what is asked for at its price is no other budget
            span, words = (clause.start, clause.end), clause_words(draft.reading, clause)
            said = said._replace(slot=NOTE, value=words, span=span, words="")
        if said.act != "stops":  # what is over is ended already
            kind = slot_kind(draft.reading.reader, said.slot)
            yield from {"rejects": reject, "past": tell_past}.get(said.act, write)(draft, said, kind)

    # Telling

    def context(self, draft: Draft) -> Iterable[Item]:
        if self._sections:
            return ()
        return remembered(draft)

    def sections(self, draft: Draft) -> Iterable[Section]:
        if not self._sections:
            return ()
        told = memory_sections(draft.state, draft.moment.at)
        first = draft.state.conversation.turns <= 1
        if told and first and any(memo.session != draft.origin for _, memo in live(draft.state)):
            return [Section("Persistent Memory", "[Persistent Memory - Previous Session Context]", keep=99), *told]
        return told

    def clears(self, state: State) -> Iterable[str]:
        return [memo.id for _, memo in live(state)]

    def clear(self, draft: Draft, what: str | None, index: int | None) -> Iterator[Event]:
        if what is None:
            yield m.ItemsCleared(lifespan="session")
            return
        for scope, memo in live(draft.state):
            if what in (memo.id, memo.slot):
                yield m.ItemRetracted(id=memo.id, label=memo.told, why="removed on request", scope=scope)

    def notes(self, draft: Draft) -> Iterable[tuple[Scope, Note]]:
        """What the search index of each scope must know about what this turn did."""
        made: dict[tuple[Scope, str], Memo | None] = {}
        for event in draft.events:
            match event:
                case m.ItemLearned(item=item) | m.ItemRestored(item=item) | m.ItemPromoted(item=item):
                    made[event.scope, item.id] = item
                case m.ItemConfirmed(id=id) | m.ItemMarked(id=id):
                    if (known := _now(draft, event.scope, id)) is not None:
                        made[event.scope, id] = known
                case _ if isinstance(event, _CLOSES):
                    made[event.scope, event.id] = None
        for (scope, id), learned_now in made.items():
            memo = _now(draft, scope, id) or learned_now
            if memo is None:
                yield scope, Note(id, "", False, b"")
            else:
                yield scope, Note(id, searchable(memo), memo.current, msgspec.json.encode(memo))


_CLOSES = (m.ItemSuperseded, m.ItemRetracted, m.ItemUndone, m.ItemForgotten, m.ItemReleased)
"""Events after which the index has an item as it is in the state, or no longer."""


def _now(draft: Draft, scope: Scope, id: str) -> Memo | None:
    stream = draft.state.stream(scope)
    return held_in(stream.slices["memory"], id) if stream is not None else None


def _tell_several(claims: list[Statement]) -> bool:
    """Whether an answer tells several things, each with an attribute of its own: then it is no value of one."""
    return len({said.sentence for said in claims if said.slot != NOTE}) > 1


def _only_answers(draft: Draft) -> bool:
    """Whether what answers in a message is nothing but an answer: "not black" is a colour then, no formatter."""
    if draft.reading.has("unsure") and len(draft.reading.tokens) <= UNSURE:
        return True  # "I have no idea" rejects nothing
    answering = answering_clauses(draft)
    words = {draft.reading.said(token) for span in answering for token in inside(draft.reading.tokens, span)}
    return bool(answering) and words.isdisjoint(draft.reading.phrases("question", "subjects"))
