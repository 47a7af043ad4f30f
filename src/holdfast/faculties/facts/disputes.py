"""Two values that stand against each other, and the short answer that settles which one holds."""

from __future__ import annotations

from collections.abc import Iterator

from holdfast.events import Event
from holdfast.faculties.facts.memos import DisputeSettled, slices
from holdfast.faculties.facts.relations import Memo
from holdfast.faculties.facts.writing import settle
from holdfast.faculty import Draft
from holdfast.reading.model.tokens import tokens
from holdfast.reading.reader import Reading
from holdfast.reading.text import fold


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
            choice = _choice(reading, text, held, dispute.rival) or _agreed(draft, held, dispute.rival)
            if choice is not None:
                yield from settle(draft, scope, dispute, held, choice)
                return


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


def _agreed(draft: Draft, held: Memo, rival: Memo) -> str | None:
    """What a plain yes or no to the agent's own question settles: "do you want to switch?", "keep MongoDB?"."""
    act = draft.clauses[0].act if draft.clauses else ""
    asked = f" {fold(draft.asked)} "
    if act not in ("confirms", "denies") or not asked.rstrip().endswith("?"):
        return None
    names = [fold(memo.value) in asked for memo in (held, rival)]
    changes = _asks_to_change(draft)
    if not changes and names[0] == names[1]:
        return None
    new = changes or names[1]
    return "new" if new == (act == "confirms") else "old"


def _asks_to_change(draft: Draft) -> bool:
    """Whether the agent asks if something is to be another."""
    changing = draft.reading.reader.phrases("memory", "changing")
    asked = tokens(draft.asked, draft.reading.language)
    return any(not changing.isdisjoint((token.word, *token.english.split())) for token in asked)
