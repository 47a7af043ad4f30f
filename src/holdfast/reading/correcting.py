"""Corrections of what was said before: "not X, use Y", "change from X to Y", "I meant X", "actually, Y", "Y instead
of X". Where neither value is known, only the memory can tell what is corrected."""

from __future__ import annotations

from collections.abc import Iterator

from holdfast.reading.asserting import MOST_CUES, Statement, asserted, asserts, of_one_piece
from holdfast.reading.clauses import count, first, short
from holdfast.reading.reader import Cue, Reading, Span
from holdfast.reading.terms import Term, term_at, term_in
from holdfast.reading.using import only_a_word
from holdfast.reading.values import trimmed

_CHANGING = {
    "change_from_to",
    "moved",
    "change_x_to_y",
    "replace_x_with_y",
    "instead_of_first",
    "instead_of_use",
    "instead_of",
    "instead",
    "moved_to",
}


def corrections(reading: Reading) -> Iterator[Statement]:
    """What is said in the place of something else."""
    for cue in reading.all("correction")[:MOST_CUES]:
        place = cue.groups.get("new")
        if place is None or not asserted(reading, cue, place, negative=True):
            continue
        one = _corrected(reading, cue)
        if one is not None and not (one.slot and of_one_piece(reading, cue)):
            yield one


def _corrected(reading: Reading, cue: Cue) -> Statement | None:
    span = trimmed(reading, cue.groups["new"])
    if count(reading, span) <= 2 and first(reading, span) in reading.phrases("memory", "not_new"):
        return None  # "No wait", "No, thanks"
    old = term_in(reading, cue.groups["old"]) if "old" in cue.groups else None
    new = _new_term(reading, span, old)
    if new is not None:
        one = asserts(reading, cue, new.slot, new.value, new.span, verb="correct")
    elif old is not None and 0 < count(reading, bare := short(reading, span)) <= 3:
        one = asserts(reading, cue, old.slot, reading.words(bare), bare, verb="correct")
    else:
        return None
    mark = "now" if cue.means in _CHANGING else "meant" if cue.means == "meant" else "actually"
    return one._replace(old=old.value if old else "", marks=one.marks | {mark})


def _new_term(reading: Reading, span: Span, old: Term | None) -> Term | None:
    """The known value that is said, of the slot of the old one where that is known too."""
    new = term_at(reading, span)
    if old is None:
        return new if new is None or not only_a_word(reading, new, span, True) else None
    if new is None or new.slot != old.slot:  # "I now use pnpm instead of npm": the clause says more than the value
        new = term_in(reading, span)
    return new if new is not None and new.slot == old.slot else None
