"""What is known of a thing and gets another value: a date that moves, a price that rises, a port, a version.

"Mum's appointment is on the 14th" and "mum's got moved to the 16th" speak of one thing by some of the same words, and
give it values of one type. What was said of it stays, with the other value in the place of the old one. "It got moved
to Thursday" names nothing itself: then it is something with such a value that is known already.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import NamedTuple

from holdfast.faculties.facts.bygone import bygone
from holdfast.faculties.facts.lookup import with_types
from holdfast.faculties.facts.over import CHANGES, Part, touch
from holdfast.faculties.facts.relations import Memo, slot_kind
from holdfast.faculties.facts.taking_back import AWAY, may_change, parts, told_when
from holdfast.faculties.facts.things import (
    BESIDE,
    MAX_TIMES,
    NUMBER,
    Piece,
    Thing,
    digits_put_right,
    is_number,
    put,
    shared,
    thing,
)
from holdfast.faculties.facts.wording import clause_words
from holdfast.faculties.facts.writing import NEAR, OF_ONE_THING
from holdfast.faculty import Draft
from holdfast.reading.clauses import sentence
from holdfast.reading.kinds import TIMES, means_same
from holdfast.reading.model.clauses import Clause
from holdfast.reading.reader import Reader, Reading, overlap

CHANGED, SAME, NAMED, UNNAMED, BESIDE_OTHERS, NEVER = -80, -40, 24, 32, 40, 1 << 16
"""How far a fact's being replaced must lead: where a clause says that its thing is another now, has the names of its
thing and no others, has some of them, and has none; where both have names that the other has not; and where it names
another thing."""
MAX_LOOKED_AT = 60
"""How many of the facts with a value are looked at, the newest first."""


class Renewal(NamedTuple):
    """A known fact with the other value that a clause gives of its thing."""

    memo: Memo
    value: str
    text: str
    """The words that are kept with the value."""


class _Said(NamedTuple):
    """What a clause says of a thing: its names, the values that it gives and those that it denies."""

    names: dict[str, int]
    given: list[Piece]
    denied: list[Piece]
    words: str
    changes: bool
    """Whether it says that something is another now."""
    verb: str
    """The name that may be the word for how a value is reached: "went" of "lessons went up to 28"."""


def renewed(draft: Draft, clause: Clause) -> list[Renewal]:
    """The known facts of which a clause gives another value; none where several of different values fit as well."""
    if not may_change(clause) or not draft.find(_with_values) or not _may_tell(draft.reading, clause):
        return []
    part = next((part for part in draft.find(parts) if part.clause is clause), None)
    if part is None:
        return []
    if (digits := _by_digits(draft, part)) is not None:
        return [digits]
    said = _said(draft, part)
    return _of_one_value(draft.reading.reader, said, _best(draft, part, said)) if said is not None else []


def _by_digits(draft: Draft, part: Part) -> Renewal | None:
    """What was told in this talk, with the digits that a clause puts right."""
    if part.clause.act != "corrects":
        return None
    new = [piece.words for piece in part.thing.pieces if piece not in part.denied]
    old = [piece.words for piece in part.denied]
    if len(new) != 1 or not all(is_number(words) for words in (*new, *old)):
        return None
    for memo in draft.find(_with_values):
        here = told_when(draft, memo).ago <= (AWAY - 1 if old else NEAR) and memo.value not in old
        if here and (value := digits_put_right(memo.value, new[0], old[0] if old else "")):
            return Renewal(memo, value, value if memo.text else "")
    return None


def _best(draft: Draft, part: Part, said: _Said) -> list[Memo]:
    """The facts that fit best."""
    fits = [(_fit(draft, part, said, memo), memo) for memo in draft.find(_with_values)]
    best = max((fit for fit, _ in fits if fit is not None), default=None)
    return [memo for fit, memo in fits if fit is not None and fit == best]


def _of_one_value(reader: Reader, said: _Said, memos: list[Memo]) -> list[Renewal]:
    values = {tuple(piece.words for piece in _held(reader, memo).pieces) for memo in memos}
    made = [_with_value(reader, memo, said) for memo in memos] if len(values) == 1 else []
    return [one for one in made if one.value != one.memo.value]


def _may_tell(reading: Reading, clause: Clause) -> bool:
    """Whether a clause may give something known another value: it tells of no other time, and of nothing more."""
    also = any(overlap(cue.span, (clause.start, clause.end)) for cue in reading.all("also"))
    return not also and not bygone(reading, clause)


def _said(draft: Draft, part: Part) -> _Said | None:
    """What a clause says of a thing; nothing where it gives no value."""
    about, denied = part.thing, part.denied
    given = [piece for piece in about.pieces if piece not in denied]
    if not about.names and (before := _before(draft.reading, part)) is not None:
        about, denied = before.thing, [*before.thing.pieces] if "negation" in before.clause.kinds else denied
    words, verb = clause_words(draft.reading, part.clause), _verb(draft.reading, part, given)
    changes = verb is not None or not part.clause.kinds.isdisjoint(CHANGES)
    return _Said(about.names, given, denied, words, changes, verb or "") if given else None


def _puts_right(part: Part) -> bool:
    """Whether a clause puts something right, or follows one that does and gives no value: "no wait, HR wrote, she is
    here on the 13th"."""
    before = part.beside[0][1]
    said = part.clause.act == "corrects"
    return said or (before is not None and before.clause.act == "corrects" and not before.thing.pieces)


def _verb(reading: Reading, part: Part, given: Iterable[Piece]) -> str | None:
    """The word for how a value is reached, as far as it can be told from a name; None where none is said to be
    reached. (An hour is not: «a las cinco».)"""
    start = part.clause.start
    reached = [one.start for one in given if one.type != "clock" and _reached(reading, start + one.start)]
    before = {name: at for name, at in part.thing.names.items() if reached and at < reached[0]}
    return max(before, key=before.__getitem__, default="") if reached else None


def _reached(reading: Reading, start: int) -> bool:
    """Whether a value is said to be reached: "went up to 28", "moved to the 16th"."""
    before, small = reading.folded[:start].split()[-BESIDE:], reading.reader.phrases("small", "words")
    towards = reading.phrases("memory", "towards")
    return bool(before) and (before[-1] in towards or (before[0] in towards and before[-1] in small))


def _before(reading: Reading, part: Part) -> Part | None:
    """The clause that says what one without a name is about: "the api is not on 8080, it's 8000", "v2 slipped, it's the
    5th now"."""
    other = part.beside[0][1]
    start = sentence(reading, part.clause.start)[0]
    return other if other is not None and other.thing.names and other.clause.start >= start else None


def _with_values(draft: Draft) -> list[Memo]:
    """The known facts with a value that may change, the newest first. Use as `draft.find(_with_values)`."""
    found = [memo for _, memo in with_types(draft.before, draft.reading.reader, (NUMBER, "when"))]
    held = [memo for memo in found if memo.positive and _is_declared(draft, memo)]
    return sorted(held, key=lambda memo: -memo.recorded)[:MAX_LOOKED_AT]


def _is_declared(draft: Draft, memo: Memo) -> bool:
    """Whether a fact may be written by what is said: one that a program keyed by its words is written by that."""
    return memo.kind in ("decision", slot_kind(draft.reading.reader, memo.slot).kind)


def _held(reader: Reader, memo: Memo) -> Thing:
    return thing(reader, memo.text or memo.value)


_Fit = tuple[bool, int, bool, int]
"""What speaks for a fact: a value of it is denied, the words that it shares, whether the value counts the same, and how
far its being replaced leads."""


def _fit(draft: Draft, part: Part, said: _Said, memo: Memo) -> _Fit | None:
    """How well a fact fits a clause that may give another value of its thing; None where it does not."""
    reader, told = draft.reading.reader, told_when(draft, memo)
    held = _held(reader, memo)
    bare = memo.question and not thing(reader, memo.value).names  # it is put right as an answer
    if bare or not _another(reader, said, held):
        return None
    names, denies = len(shared(said.names, held.names)), _denies(reader, said, held)
    least = CHANGED if denies else _least(draft, part, said, memo, names)
    how = touch(part, told) if least < NEVER else None
    if how is None or (lead := part.lead(told, how)[0]) < least:
        return None
    return denies, names, _counts_the_same(said, held), lead


def _counts_the_same(said: _Said, held: Thing) -> bool:
    return not {one.unit for one in said.given if one.unit}.isdisjoint(piece.unit for piece in held.pieces)


def _denies(reader: Reader, said: _Said, held: Thing) -> bool:
    return any(means_same(reader, one.words, piece.words) for one in said.denied for piece in held.pieces)


def _least(draft: Draft, part: Part, said: _Said, memo: Memo, names: int) -> int:
    """How far the being replaced of a fact must lead that has some names of a clause."""
    if not names and not said.names.keys() <= {said.verb}:
        return NEVER  # it names another thing
    if not names:
        return CHANGED if _pointed_at(draft, part, said, memo) else UNNAMED
    held = _held(draft.reading.reader, memo)
    others = len({*said.names} - ({said.verb} - shared(said.names, held.names))) - names
    changes = said.changes or _puts_right(part)
    whole, mostly = names == len(held.names), others <= (names if changes else 0)
    near = _puts_right(part) and told_when(draft, memo).ago <= NEAR
    if names < OF_ONE_THING and 2 * names < len(held.names) and not near:
        return NEVER  # one word of many: "theyre in box 5 now" is not the kitchen's box
    if mostly and (changes or whole):
        return CHANGED if changes else SAME
    return NAMED if changes or whole or mostly else BESIDE_OTHERS  # auth's port is not billing's


def _pointed_at(draft: Draft, part: Part, said: _Said, memo: Memo) -> bool:
    """Whether a fact may be meant by a clause that names nothing: it was told a moment ago, or has a date that moves;
    what could do harm gives way to nothing but what names it."""
    kind, about = (slot_kind(draft.reading.reader, slot) for slot in (memo.slot, part.clause.tells.best))
    dated = any(piece.type in TIMES for piece in said.given) and about.category == kind.category == "schedule"
    return said.changes and not kind.vital and (dated or told_when(draft, memo).ago <= NEAR)


def _another(reader: Reader, said: _Said, held: Thing) -> bool:
    """Whether a clause gives another value of a type that a fact has one of, and not one of another size."""
    pairs = ((new, old) for new in said.given for old in held.pieces if new.like(old))
    return any(new.times(old) <= MAX_TIMES and not means_same(reader, new.words, old.words) for new, old in pairs)


def _with_value(reader: Reader, memo: Memo, said: _Said) -> Renewal:
    """A fact with the values of a clause; the clause itself where it names all of the thing and more. Where a sentence
    gives another value beside its own that changes, the sentence is what is known: "piano is 25, swimming is 12"."""
    held = _held(reader, memo)
    more = OF_ONE_THING <= len(held.names) == len(shared(held.names, said.names)) < len(said.names)
    if more and memo.text in ("", memo.value) and len(held.pieces) == len(said.given):
        return Renewal(memo, said.words, said.words if memo.text else "")
    text = put(reader, memo.text, said.given, said.names)
    if memo.text != memo.value and memo.value in text:
        return Renewal(memo, text, text)
    return Renewal(memo, put(reader, memo.value, said.given, said.names), text)


def other_value(reader: Reader, memo: Memo, new: str) -> str:
    """The value of a fact with another date, where more is known of it: "oops, I meant Thursday" leaves the dentist
    where he is."""
    if memo.question or not thing(reader, memo.value).names:
        return ""
    value = put(reader, memo.value, thing(reader, new).pieces)
    return value if value != memo.value else ""
