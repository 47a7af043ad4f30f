"""What slots show of the facts, and the facts that their values make."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from holdfast.events import Event
from holdfast.faculties.facts.attributes import attribute_at
from holdfast.faculties.facts.lookup import content, in_slot, in_talk
from holdfast.faculties.facts.memos import SLOT, ItemConfirmed, ItemLearned, SlotSet, Value, change, find, slices
from holdfast.faculties.facts.relations import IN_DOUBT, Memo, slot_kind
from holdfast.faculties.facts.slots.values import PAST, Slots
from holdfast.faculties.facts.writing import write
from holdfast.faculties.questions.pending import all_answered
from holdfast.faculty import Draft
from holdfast.reading.asserting import Statement
from holdfast.reading.clauses import sentence
from holdfast.reading.model.tokens import tokens
from holdfast.reading.reader import Reading
from holdfast.state import State

_DOUBTS = frozenset({"supposes", "doubts"})
"""Acts of clauses that only think something to be so."""
_BOUND = "answer."
"""Rules of values that were given in reply to a question."""


def seen(state: State, attributes: Mapping[str, str], names: tuple[str, ...]) -> Slots:
    """The slots of a state. `attributes` says which of them show what is known of the person, in whatever scope."""
    own = state.session.slices["memory"]
    values: dict[str, Memo] = {}
    aside: dict[str, dict[str, Value]] = {}
    told = state.user.slices.get("memory") if state.user is not None else None  # what the person told before
    for memo in (*(in_talk(told) if told is not None else ()), *in_talk(own)):
        if memo.aside:
            aside.setdefault(memo.aside, {})[memo.slot] = _value(memo)
        else:
            values[memo.slot] = memo
    for name, attribute in attributes.items():
        # what the conversation is about goes before what is known of the person, unless it said so later
        if (known := _known(state, name, attribute)) is not None:
            values[name] = known
    order = [name for name in (*names, *values) if name in values]
    shown = {name: _value(values[name]) for name in order}
    return Slots(shown, _past(state, attributes), own.topic, aside, own.offers, dict(attributes))


def _known(state: State, name: str, attribute: str) -> Memo | None:
    """What a slot shows of the person: of what one conversation said, the newest."""
    known = [memo for _, memo in in_slot(state, attribute, name) if memo.positive]
    same = [memo for memo in known if memo.session == known[0].session]
    return max(same, key=lambda memo: memo.recorded, default=None)


def _past(state: State, attributes: Mapping[str, str]) -> dict[str, tuple[Value, ...]]:
    shows = {attribute: name for name, attribute in attributes.items()}
    past: dict[str, tuple[Value, ...]] = {}
    for _, memory in slices(state):
        for memo in memory.closed:
            name = memo.slot if memo.category == SLOT or memo.slot in attributes else shows.get(memo.slot)
            if name is not None:
                past[name] = (*past.get(name, ()), _value(memo))[-PAST:]
    return past


def _value(memo: Memo) -> Value:
    more = memo.details
    return Value(
        memo.value,
        memo.version,
        memo.by,
        memo.rule,
        more.get("canonical", ""),
        tuple(more.get("items", ())),
        tuple(more.get("candidates", ())),
        memo.until,
        more.get("own", ""),
        "" if memo.category == SLOT else memo.id,
    )


def stated(draft: Draft, made: SlotSet, attribute: str) -> Iterator[Event]:
    """What a value of a slot makes known: the value alone, or, where the slot shows an attribute, a fact."""
    if not attribute:
        yield made
    else:
        yield from _written(draft, made, attribute)


def _written(draft: Draft, made: SlotSet, attribute: str) -> Iterator[Event]:
    cause, slot = made.because, _kept_under(draft, made, attribute)
    assert cause is not None
    if _doubted(draft, attribute, cause.start):
        return  # "maybe I live in Oslo" is a doubt about what is known
    span = cause.start, cause.end
    marks = frozenset({"corrects"} if made.old else ())
    said = Statement(slot, made.value, span, cause.rule, sentence(draft.reading, cause.start), marks=marks)
    more: dict[str, Any] = {"confidence": IN_DOUBT} if slot != attribute and not made.canonical else {}
    details = {name: value for name in ("canonical", "own", "candidates") if (value := getattr(made, name))}
    for event in write(draft, said, slot_kind(draft.reading.reader, slot)):
        if isinstance(event, ItemLearned):
            yield change(event, item=change(event.item, details=details, **more))
        else:
            yield event


def _kept_under(draft: Draft, made: SlotSet, attribute: str) -> str:
    """What somebody replied to "where?" is where the talk is about, unless the question and the reply speak for where
    they live; what they replied when asked for their name is their name. A changed value stays under the key it was
    kept under."""
    held = draft.state.slots.values.get(made.slot)
    found = find(draft.state, held.fact) if held is not None and made.old is not None else None
    if found is not None and found[1].slot == made.slot:
        return made.slot
    cause = made.because
    bound = cause is not None and cause.rule.startswith(_BOUND)
    if not bound or slot_kind(draft.reading.reader, attribute).identity:
        return attribute
    asks = any(_says_of_what(draft.reading, one.question.text) for one in all_answered(draft.state))
    given = attribute_at(draft, (cause.start, cause.end)) if cause is not None and asks else None
    return attribute if given is not None and given.attribute == attribute else made.slot


def _says_of_what(reading: Reading, question: str) -> bool:
    """Whether a question says what it asks for: "Where?" does not, "Where do you live?" does."""
    words = [token.word for token in tokens(question, reading.language) if "askword" not in token.kinds]
    return bool(content(reading.reader, " ".join(words)))


def _doubted(draft: Draft, attribute: str, place: int) -> bool:
    """Whether a clause only doubts an attribute that is known."""
    doubts = (one for one in draft.clauses if one.act in _DOUBTS)
    return bool(in_slot(draft.state, attribute)) and any(one.start <= place < one.end for one in doubts)


def value_set(event: Event) -> Event | None:
    """The event, where it gave a slot a value."""
    return event if isinstance(event, SlotSet | ItemLearned | ItemConfirmed) else None
