"""What does harm where it is misread: what a person must not eat or take. One word of it says nothing by itself (the
"dairy" of "dairy makes me sick"), and that something is bad for one is no end of it.
"""

from __future__ import annotations

from holdfast.faculties.facts.relations import slot_kind
from holdfast.faculties.facts.taking_back import no_longer
from holdfast.reading.model.clauses import Clause
from holdfast.reading.model.tokens import tokens
from holdfast.reading.reader import Reading

_TAKEN = frozenset({"diet", "medication"})
"""Slots of what one takes in: what is refused of it is worth knowing as such."""


def tells(reading: Reading, clause: Clause) -> bool:
    """Whether a clause rather tells of such a thing than of nothing. A budget is told with every message too, but a
    missed one does no harm."""
    slot = str(reading.reader.data("memory_attributes", None).get(clause.tells.best, ""))
    return clause.told >= 0 and bool(slot) and slot_kind(reading.reader, slot).vital and slot != "budget"


def stands(reading: Reading, clause: Clause, slot: str) -> bool:
    """Whether what a clause says not to be good for one stands all the same: it is not said to be over."""
    return slot_kind(reading.reader, slot).vital and clause.act != "retracts" and not no_longer(reading, clause)


def none_of(reading: Reading, clause: Clause, slot: str, words: str) -> str | None:
    """What is known where a value of such a slot is refused: that one takes none of it, or, where no word denies it,
    the value itself ("ibuprofen gives me hives"). Nothing where it is denied of the person: "I'm not vegan"."""
    denied = "negation" in clause.kinds
    way = any("diet" in token.kinds for token in tokens(words, reading.language))
    if denied and not way and (slot == "diet" or (slot in _TAKEN and stands(reading, clause, slot))):
        return reading.wording("memory", "none_of", what=words)
    return words if not denied and stands(reading, clause, slot) else None
