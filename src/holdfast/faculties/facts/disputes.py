"""Two values that stand against each other, and the short answer that settles which one holds."""

from __future__ import annotations

from collections.abc import Iterator

import msgspec

from holdfast.events import Event
from holdfast.faculties.facts.claims import read, told
from holdfast.faculties.facts.memos import Dispute, DisputeSettled, slices
from holdfast.faculties.facts.relations import Memo, same, slot_kind
from holdfast.faculties.facts.writing import compose, settle
from holdfast.faculties.questions.pending import answered
from holdfast.faculty import Draft
from holdfast.reading.reader import Reading
from holdfast.reading.text import fold
from holdfast.state import State


def disputed(state: State) -> bool:
    return any(memory.disputes for _, memory in slices(state))


def settle_by_answer(draft: Draft) -> Iterator[Event]:
    """A short answer that names one of the two values, or both, settles a conflict."""
    reading = draft.reading
    if len(reading.tokens) > 12:
        return
    text = f" {reading.folded.strip(' .!?')} "
    for scope, memory in list(slices(draft.state)):
        for dispute in memory.disputes:
            held = memory.items.get(dispute.held)
            if held is None:
                yield DisputeSettled(id=dispute.id, kept="gone", slot=dispute.slot, scope=scope)
                continue
            choice = _choice(reading, text, held, dispute.rival)
            third = _third(draft, dispute, held) if choice is None else None
            if third is not None:
                yield from settle(draft, scope, msgspec.structs.replace(dispute, rival=third), held, "new")
                return
            if choice is not None:
                yield from settle(draft, scope, dispute, held, choice)
                return


def _third(draft: Draft, dispute: Dispute, held: Memo) -> Memo | None:
    """A value that is neither of the two: "Vim or Emacs?" – "I use Helix"."""
    reader = draft.reading.reader
    for said in (*read(draft), *told(draft)):
        known = any(same(reader, memo.value, said.value) for memo in (held, dispute.rival))
        if said.slot == dispute.slot and said.act == "states" and not known and answered(draft.state) is not None:
            return compose(draft, said, slot_kind(reader, said.slot), "CHANGES")
    return None


def _choice(reading: Reading, text: str, held: Memo, rival: Memo) -> str | None:
    def said(key: str) -> bool:
        return any(f" {phrase} " in text for phrase in reading.phrases("memory", key))

    terms = {fold(held.value): "old", fold(rival.value): "new"}
    named = {which for value, which in terms.items() if f" {value} " in text.replace(",", " ").replace(".", " ")}
    if said("both") or (len(named) == 2 and not reading.has("negation", "correction")):
        return "both"
    if len(named) == 1 and not reading.text.rstrip().endswith("?"):
        return named.pop()
    return "old" if said("old_one") else "new" if said("new_one") else None
