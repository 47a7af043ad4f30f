"""Statements: what a person says about themselves, their tools, style, work, plans and tastes, as keyed values.

What a message states comes from three kinds of cues: those whose pattern names the slot (`stating.py`), those whose
value does (`using.py`), and corrections (`correcting.py`); here they are brought together, each value once. Nothing
here knows what was said before: how a statement stands to it is decided by the memory.
"""

from __future__ import annotations

from collections.abc import Iterator

from holdfast.reading.asserting import Statement
from holdfast.reading.clauses import sentence
from holdfast.reading.correcting import corrections
from holdfast.reading.reader import Reading, overlap
from holdfast.reading.standing import LONG, meant
from holdfast.reading.stating import states
from holdfast.reading.text import fold
from holdfast.reading.using import uses

FAMILIES = ("states", "uses", "correction", "contrast")
"""Families without which a message states nothing about the speaker."""


def statements(reading: Reading) -> list[Statement]:
    """Use as `reading.find(statements)`; in the order of the text, each value once."""
    if not reading.has(*FAMILIES) or len(reading.text) > LONG:
        return []
    if (said := meant(reading)) is not reading:  # "in Paris, no sorry, in Lyon" is a statement about Lyon
        found = [as_said(reading, one) for one in said.find(statements)]
        if found or not reading.has("contrast"):  # "not in Paris but in Lyon" may correct what was said before
            return found
    known = list(_without_replaced(_each_once([*uses(reading), *states(reading), *corrections(reading)])))
    plain = [one.span for one in known if not one.slot.startswith("other/")]
    known = [o for o in known if not o.slot.startswith("other/") or not any(overlap(o.span, p) for p in plain)]
    if any(one.slot != "note" for one in known):  # "remember that I use Vim" is one statement, not two
        known = [one for one in known if one.slot != "note"]
    return sorted(known, key=lambda one: one.span)


def _each_once(found: list[Statement]) -> list[Statement]:
    """Each value of a slot once, as the statement that says most of it."""
    kept: dict[tuple[str, str], Statement] = {}
    for one in found:
        key = (one.slot, fold(one.value))
        rival = kept.get(key)
        if rival is None or (one.old and not rival.old) or (one.act != "states" and rival.act == "states"):
            kept[key] = one._replace(marks=one.marks | rival.marks) if rival else one
    return list(kept.values())


def as_said(reading: Reading, one: Statement) -> Statement:
    """A statement of the message as meant, with the places of the message as said: all of it where the words of the
    value do not stand there in one piece."""
    start = reading.folded.rfind(fold(one.value))
    span = (start, start + len(one.value)) if start >= 0 else (0, len(reading.text))
    return one._replace(span=span, sentence=sentence(reading, max(0, start)))


def _without_replaced(known: list[Statement]) -> Iterator[Statement]:
    """ "not npm, use pnpm", "I no longer use npm, I use pnpm": one statement with an old value, not two."""
    for one in known:
        if one.act in ("rejects", "stops"):
            if not any(o.act == "states" and o.slot == one.slot and o.value != one.value for o in known):
                yield one
            continue
        gone = [o for o in known if o.act in ("rejects", "stops") and o.slot == one.slot and o.value != one.value]
        if one.act == "states" and gone and not one.old:
            yield one._replace(old=gone[0].value, marks=one.marks | {"now" if gone[0].act == "stops" else "actually"})
        else:
            yield one
