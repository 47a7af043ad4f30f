"""What slots show of the facts, and the facts that their values make."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from holdfast.events import Event
from holdfast.faculties.facts.lookup import in_slot, in_talk
from holdfast.faculties.facts.memos import SLOT, ItemConfirmed, ItemLearned, SlotSet, Value, change, find, slices
from holdfast.faculties.facts.relations import IN_DOUBT, Memo, slot_kind
from holdfast.faculties.facts.slots.values import PAST, Slots
from holdfast.faculties.facts.writing import write
from holdfast.faculty import Draft
from holdfast.reading.asserting import Statement
from holdfast.reading.statements import statements
from holdfast.state import State

_BOUND = "answer."
"""Rules of values that were given in reply to a question."""


def seen(state: State, attributes: Mapping[str, str], names: tuple[str, ...]) -> Slots:
    """The slots of a state. `attributes` says which of them show what is known of the person, in whatever scope."""
    own = state.session.slices["memory"]
    values: dict[str, Memo] = {}
    aside: dict[str, dict[str, Value]] = {}
    for memo in in_talk(own):
        if memo.aside:
            aside.setdefault(memo.aside, {})[memo.slot] = _value(memo)
        else:
            values[memo.slot] = memo
    for name, attribute in attributes.items():
        known = [m for _, m in in_slot(state, attribute, name) if m.positive]
        if known:  # what the conversation is about goes before what is known of the person, unless it said so later
            first = known[0]
            since = [m for m in known if m.session == first.session and m.recorded > first.recorded]
            values[name] = max(since, key=lambda memo: memo.recorded, default=first)
    order = [name for name in (*names, *values) if name in values]
    shown = {name: _value(values[name]) for name in order}
    return Slots(shown, _past(state, attributes), own.topic, aside, own.offers, dict(attributes))


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
    """The fact that a value of a slot is. What somebody replied to "where?" is where the talk is about, and not where
    they live; what they replied when asked for their name is their name."""
    cause = made.because
    assert cause is not None
    if any(said.slot == attribute for said in draft.reading.find(statements)):
        return  # said in so many words: whoever reads statements takes it
    reader, span = draft.reading.reader, (cause.start, cause.end)
    held = draft.state.slots.values.get(made.slot)
    found = find(draft.state, held.fact) if held is not None else None
    bound = cause.rule.startswith(_BOUND) and not slot_kind(reader, attribute).identity
    bound = bound or (made.old is not None and found is not None and found[1].slot == made.slot)
    slot = made.slot if bound else attribute
    marks = frozenset({"corrects"} if made.old else ())
    said = Statement(slot, made.value, span, cause.rule, span, marks=marks)
    details = {name: value for name in ("canonical", "own", "candidates") if (value := getattr(made, name))}
    for event in write(draft, said, slot_kind(reader, slot)):
        if isinstance(event, ItemLearned) and event.item.slot == slot:
            sure = IN_DOUBT if bound and not made.canonical else event.item.confidence
            yield change(event, item=change(event.item, details=details, confidence=sure))
        else:
            yield event


def value_set(event: Event) -> str | None:
    """The value that an event gave a slot."""
    match event:
        case SlotSet(value=value):
            return value
        case ItemLearned(item=item):
            return item.value
        case ItemConfirmed(id=id):
            return id
    return None
