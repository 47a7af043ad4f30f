"""Which of the values that a message names are meant: not what is denied, quoted, let go, swapped for another, or
part of the name of something that was mentioned.
"""

from __future__ import annotations

from holdfast.events import ReferenceResolved
from holdfast.faculties.facts.slots.values import Found, Slot
from holdfast.faculty import Draft
from holdfast.reading.endings import says
from holdfast.reading.reader import Cue, Reading, Span, begins_in, overlap
from holdfast.reading.standing import asked, clause_end, sentences, standing, suppositions
from holdfast.reading.text import fold

GIVING_UP = frozenset({"retracts", "denies"})
"""Acts of clauses by which something is given up."""
_STANDS_NOT = {"negated", "withdrawn", "quoted"}
_SWAPS = "instead_of instead_of_first rather_than change_from_to moved change_x_to_y replace_x_with_y".split()


def meant_of(reading: Reading, slot: Slot, found: list[Found]) -> list[Found]:
    """Of the values that a message names for a slot, those that are meant."""
    firm = [f for f in found if f.firm or (stands(reading, f) and not (slot.claim and idle(reading, f)))]
    return without_swapped(reading, firm) or swapped(reading, found)


def stands(reading: Reading, found: Found) -> bool:
    """Whether a value is meant: not negated, taken back, quoted or dropped ("forget the pizza, sushi")."""
    if reading.find(standing).of(found.span) & _STANDS_NOT:
        return False
    if any(0 <= found.span[0] - end <= 1 for end in let_go_of(reading)):
        return False
    dropped = (cue.end for cue in reading.all("override") if cue.means == "forget")
    return not any(start <= found.span[0] < clause_end(reading, start) for start in dropped)


def let_go_of(reading: Reading) -> list[int]:
    """Where words end that let go of what follows: "never mind the", "anything but"."""
    return [cue.end for cue in reading.all("forgets") if cue.means == "value"]


def given_up(slot: Slot, found: list[Found], draft: Draft) -> list[tuple[Span, str]]:
    """The values of a slot with several that a message gives up, each with the part of it that says so: "forget the
    terrace", "it needn't be vegan", "круглосуточно не обязательно"."""
    held = draft.state.slots.values.get(slot.name)
    if held is None:
        return []
    denials = [(cue.start, cue.end) for cue in draft.reading.all("negation")]
    clauses = [((one.start, one.end), one.act) for one in draft.clauses]
    denying = [span for span, act in clauses if act in GIVING_UP or any(overlap(span, one) for one in denials)]
    spans = (slot.drops(draft) if slot.drops is not None else []) or denying
    read = [*found, *(slot.read(draft.reading) if slot.read else ())]
    return [(part, item) for part in spans for item in held.items if _names(draft.reading, part, item, read)]


def _names(reading: Reading, part: Span, item: str, read: list[Found]) -> bool:
    """Whether a part of a message names a value, by its words or in another way."""
    known = any(f.value == item and begins_in(f.span[0], [part]) for f in read)
    return known or says(reading, item.split(), part)


def idle(reading: Reading, found: Found) -> bool:
    """Whether a value is only asked about or supposed. "If you need it, my name is Ana" says it all the same, and so
    does "can you call me Ana?"."""
    if asked(reading, found.span):
        return not any(cue.id == found.rule and cue.means == "call_me" for cue in reading.all("name_said"))
    end = found.span[0]
    start = next((a for a, b in reading.find(sentences) if a <= end < b), 0)
    doubts = (cue for cue in reading.find(suppositions) if start <= cue.start < end)
    return any(cue.means != "might" and _reaches(reading, cue, end) for cue in doubts)


def _reaches(reading: Reading, cue: Cue, place: int) -> bool:
    """Whether a supposition covers a place of the text. A condition ends with its clause."""
    return cue.means != "condition" or clause_end(reading, cue.end) >= place


def without_swapped(reading: Reading, stands: list[Found]) -> list[Found]:
    """Of "X instead of Y", "from Y to X" and "Y no, X", only X."""
    if len(stands) < 2:
        return stands
    refused = reading.phrases("slots", "refused_by")
    stands = [f for f in stands[:-1] if _next_word(reading, f.span[1]) not in refused] + stands[-1:]
    for start, end in _given_up(reading):
        # "instead of Y let's take X": the words may run on over both
        stands = [f for f in stands if not start <= f.span[0] < end] or stands[1:] or stands
    return stands


def _given_up(reading: Reading) -> list[Span]:
    """Where corrections name the old value."""
    swaps = [cue.groups["old"] for cue in reading.all("correction") if "old" in cue.groups and cue.means in _SWAPS]
    return [(start, min(end, clause_end(reading, start))) for start, end in swaps]


def swapped(reading: Reading, found: list[Found]) -> list[Found]:
    """X in "instead of Y show me X", where both were read as refused."""
    if len(found) != 2:
        return []
    old, new = sorted(found, key=lambda f: f.span)
    before = reading.folded[max(0, old.span[0] - 30) : old.span[0]].rstrip()
    return [new] if before.endswith(tuple(reading.phrases("slots", "instead"))) and old.value != new.value else []


def _next_word(reading: Reading, end: int) -> str:
    """The word after a place of the text, with the mark that follows it."""
    return reading.folded[end : end + 20].strip().split(" ", 1)[0]


def outside_names(slot: Slot, found: list[Found], draft: Draft) -> list[Found]:
    """Without the words that are a part of a known name ("Boston" in "tell me about the Boston Grill") or of what
    points at something known ("the vegan place")."""
    if slot.named or "references" not in draft.state.session.slices:
        return found
    known, pointed = _named(draft), _pointed_at(draft)
    return [f for f in found if not _within(f, known) and not _within(f, pointed)]


def _named(draft: Draft) -> list[Span]:
    """Where a message names something known."""
    text = draft.reading.folded
    names = filter(None, (fold(entity.name) for entity in draft.state.references.entities))
    return [(place, place + len(name)) for name in names if (place := text.find(name)) >= 0]


def _pointed_at(draft: Draft) -> list[Span]:
    """Words that point at something known; not those of "back to the Italian places", which say what is looked for."""
    back = {cue.id for cue in draft.reading.all("pointing_back")}
    if any(event.because is not None and event.because.rule in back for event in draft.events):
        return []
    return [e.resolution.span for e in draft.events if isinstance(e, ReferenceResolved) and e.resolution.entities]


def _within(found: Found, spans: list[Span]) -> bool:
    return any(a <= found.span[0] and found.span[1] <= b and b - a > len(found.value) for a, b in spans)
