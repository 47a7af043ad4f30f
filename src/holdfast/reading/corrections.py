"""Corrections of what was said before: "not X, use Y", "change from X to Y", "I meant X", "actually, Y", "Y instead
of X". Nothing here knows what was said before: how a correction stands to it is decided by the memory."""

from __future__ import annotations

from collections.abc import Iterator

from holdfast.reading.asserting import MOST_CUES, Statement, asserted, asserts, of_one_piece
from holdfast.reading.clauses import count, first, sentence, short
from holdfast.reading.reader import Cue, Reading, Span
from holdfast.reading.standing import LONG, meant
from holdfast.reading.terms import Term, only_a_word, term_at, term_in, terms_in
from holdfast.reading.text import fold
from holdfast.reading.values import trimmed

_CHANGING = {"change_from_to", "moved", "change_x_to_y", "replace_x_with_y", "moved_to"}
_CHANGING |= {"instead_of_first", "instead_of_use", "instead_of", "instead"}


def corrections(reading: Reading) -> list[Statement]:
    """What is said in the place of something else, in the order of the text, each value once. Use as
    `reading.find(corrections)`."""
    if not reading.has("correction") or len(reading.text) > LONG:
        return []
    if (said := meant(reading)) is not reading:  # "in Paris, no sorry, in Lyon" is a statement about Lyon
        found = [as_said(reading, one) for one in said.find(corrections)]
        if found or not reading.has("contrast"):  # "not in Paris but in Lyon" may correct what was said before
            return found
    kept: dict[tuple[str, str], Statement] = {}
    for one in _corrections(reading):
        rival = kept.get(key := (one.slot, fold(one.value)))
        if rival is None or (one.old and not rival.old):
            kept[key] = one._replace(marks=one.marks | rival.marks) if rival else one
    return sorted(kept.values(), key=lambda one: one.span)


def as_said(reading: Reading, one: Statement) -> Statement:
    """A statement of the message as meant, with the places of the message as said: all of it where the words of the
    value do not stand there in one piece."""
    start = reading.folded.rfind(fold(one.value))
    span = (start, start + len(one.value)) if start >= 0 else (0, len(reading.text))
    return one._replace(span=span, sentence=sentence(reading, max(0, start)))


def _corrections(reading: Reading) -> Iterator[Statement]:
    for cue in reading.all("correction")[:MOST_CUES]:
        place = cue.groups.get("new")
        if place is None or refuses(reading, cue) or not asserted(reading, cue, place, negative=True):
            continue
        one = _corrected(reading, cue)
        if one is not None and not (one.slot and of_one_piece(reading, cue)):
            yield one


def refuses(reading: Reading, cue: Cue) -> bool:
    """ "No onions" refuses, "no, onions" corrects."""
    between = reading.folded[cue.start : cue.groups["new"][0]]
    return cue.means == "no_comma" and set(between).isdisjoint(",.!-;:")


def _corrected(reading: Reading, cue: Cue) -> Statement | None:
    span = trimmed(reading, cue.groups["new"])
    if count(reading, span) <= 2 and first(reading, span) in reading.phrases("memory", "not_new"):
        return None  # "No wait", "No, thanks"
    old = term_in(reading, cue.groups["old"]) if "old" in cue.groups else None
    new = _new_term(reading, span, cue.groups["new"], old)
    if new is not None:
        one = asserts(reading, cue, new.slot, new.value, new.span)
    elif old is not None and _is_a_value(reading, bare := short(reading, span)):
        one = asserts(reading, cue, old.slot, reading.words(bare), bare)
    else:
        return None
    mark = "now" if cue.means in _CHANGING else "meant" if cue.means == "meant" else "actually"
    return one._replace(old=old.value if old else "", marks=one.marks | {mark})


def _is_a_value(reading: Reading, span: Span) -> bool:
    """Whether words may be a value that is not known by name: few, and no sentence as "We decided" is."""
    return 0 < count(reading, span) <= 3 and first(reading, span) not in reading.phrases("question", "subjects")


def _manner(reading: Reading, span: Span) -> Term | None:
    """How one wants to be answered: "actually, give me detailed answers"."""
    manner = term_in(reading, span)
    return manner if manner is not None and manner.slot.startswith("communication/") else None


def _new_term(reading: Reading, span: Span, whole: Span, old: Term | None) -> Term | None:
    """The known value that is said, of the slot of the old one where that is known too."""
    new = term_at(reading, span)
    new = _manner(reading, span) if new is None else new
    if old is None:
        return new if new is None or not only_a_word(reading, new, span, True) else None
    # "I now use pnpm instead of npm": the clause says more than the value
    found = [term for term in (new, *terms_in(reading, whole)) if term is not None and term.slot == old.slot]
    return found[0] if found else None
