"""Corrections of what was said before: "not X, use Y", "change from X to Y", "I meant X", "actually, Y", "Y instead
of X". Where neither value is known, only the memory can tell what is corrected."""

from __future__ import annotations

from collections.abc import Iterator

from holdfast.reading.asserting import MOST_CUES, Statement, asserted, asserts, of_one_piece
from holdfast.reading.clauses import count, first, short
from holdfast.reading.reader import Cue, Reading
from holdfast.reading.terms import term_at, term_in
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
        if place is None:
            continue
        if not asserted(reading, cue, place, negative=True):
            continue
        one = _corrected(reading, cue)
        if one is not None and not (one.slot and of_one_piece(reading, cue)):
            yield one


def _corrected(reading: Reading, cue: Cue) -> Statement | None:
    span = trimmed(reading, cue.groups["new"])
    if count(reading, span) <= 2 and first(reading, span) in reading.phrases("memory", "not_new"):
        return None  # "No wait", "No, thanks"
    old_span = cue.groups.get("old")
    old = term_in(reading, old_span) if old_span else None
    new = term_at(reading, span)
    if new is not None and (old is None or old.slot != new.slot) and only_a_word(reading, new, span, True):
        new = None
    if new is None and old is not None and (inside := term_in(reading, span)) and inside.slot == old.slot:
        new = inside  # "I now use pnpm instead of npm": the clause says more than the value
    name = cue.means
    if new is not None and (old is None or old.slot == new.slot):
        one = asserts(reading, cue, new.slot, new.value, new.span, verb="correct")
        was = old.value if old else ""
    elif old is not None and 0 < count(reading, short(reading, span)) <= 3:
        bare = short(reading, span)
        one = asserts(reading, cue, old.slot, reading.words(bare), bare, verb="correct")
        was = old.value
    else:
        return None
    mark = "now" if name in _CHANGING else "meant" if name == "meant" else "actually"
    return one._replace(old=was, marks=one.marks | {mark})
