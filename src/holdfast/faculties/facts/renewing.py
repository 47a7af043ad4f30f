"""What is known of a thing and gets another value: a date that moves, a price that rises, a port, a version.

"Mum's appointment is on the 14th" and "mum's got moved to the 16th" speak of one thing by some of the same words, and
give it values of one type. What was said of it stays, with the other value in the place of the old one. "It got moved
to Thursday" names nothing itself: then it is something with such a value that is known already.
"""

from __future__ import annotations

from collections.abc import Collection
from typing import NamedTuple

from holdfast.faculties.facts.bygone import bygone
from holdfast.faculties.facts.lookup import with_types
from holdfast.faculties.facts.relations import Memo, slot_kind
from holdfast.faculties.facts.things import BESIDE, MAX_TIMES, NUMBER, Piece, Thing, put, shared, thing
from holdfast.faculties.facts.whose import THEIRS, speaks_of_oneself
from holdfast.faculties.facts.wording import clause_words
from holdfast.faculties.facts.writing import NEAR, OF_ONE_THING, told_now
from holdfast.faculty import Draft
from holdfast.reading.clauses import sentence
from holdfast.reading.kinds import TIMES, means_same
from holdfast.reading.model.clauses import Clause
from holdfast.reading.reader import Reader, Reading, overlap
from holdfast.reading.standing import standing

MAX_TIMES_UNSAID = 4
"""How many times as much a value may become where nothing says that it changes."""
MAX_LOOKED_AT = 60
"""How many of the facts with a value are looked at, the newest first."""
_CHANGES = frozenset({"now", "changeverb"})
"""Kinds of words that say that something is another now."""
_CHANGING = frozenset({"corrects", "returns"})
_TELLING = frozenset({"states", "answers", "instructs", "remarks", "reports"})
"""Acts by which a value is told, also where nothing says that it changes."""
_NOT_TELLING = frozenset({"asks", "supposes", "quotes", "doubts", "thanks", "greets", "postpones"})


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
    changes: bool
    """Whether it says that something is another now."""
    words: str
    verb: str = ""
    """The name that may be the word for how a value is reached: "went" of "lessons went up to 28"."""


def renewed(draft: Draft, clause: Clause, over: Collection[str] = ()) -> list[Renewal]:
    """The known facts of which a clause gives another value; none where several of different values fit as well.
    `over`: ids of those that the clause says to be over."""
    said = _said(draft, clause) if _may_tell(draft.reading, clause) else None
    return _of_one_value(draft.reading.reader, said, _best(draft, clause, said, over)) if said is not None else []


def _best(draft: Draft, clause: Clause, said: _Said, over: Collection[str]) -> list[Memo]:
    """The facts that fit best."""
    fits = [(_fit(draft, clause, said, memo, memo.id in over), memo) for memo in _with_values(draft)]
    best = max((fit for fit, _ in fits if fit is not None), default=None)
    return [memo for fit, memo in fits if fit is not None and fit == best]


def _of_one_value(reader: Reader, said: _Said, memos: list[Memo]) -> list[Renewal]:
    values = {tuple(piece.words for piece in _held(reader, memo).pieces) for memo in memos}
    made = [_with_value(reader, memo, said) for memo in memos] if len(values) == 1 else []
    return [one for one in made if one.value != one.memo.value]


def _may_tell(reading: Reading, clause: Clause) -> bool:
    """Whether a clause may give something known another value: it tells of no other time, and of nothing more."""
    also = any(overlap(cue.span, (clause.start, clause.end)) for cue in reading.all("also"))
    return not also and clause.act not in _NOT_TELLING and not bygone(reading, clause)


def _said(draft: Draft, clause: Clause) -> _Said | None:
    """What a clause says of a thing; nothing where it gives no value."""
    reading = draft.reading
    about = thing(reading.reader, reading.text[clause.start : clause.end])
    reached = [piece for piece in about.pieces if _reached(reading, clause.start + piece.start)]
    given, denied = _given(reading, clause, about)
    changes = bool(reached) or _changes(draft, clause)
    if not about.names and (before := _before(draft, clause)) is not None:
        about, denied = before, [*before.pieces]
    if not given or not (changes or clause.act in _TELLING):
        return None
    return _Said(about.names, given, denied, changes, clause_words(reading, clause), _verb(about, reached))


def _given(reading: Reading, clause: Clause, about: Thing) -> tuple[list[Piece], list[Piece]]:
    """The values that a clause gives, and those that it denies."""
    flags, at = reading.find(standing), clause.start
    denied = [piece for piece in about.pieces if "negated" in flags.of((at + piece.start, at + piece.end))]
    return [piece for piece in about.pieces if piece not in denied], denied


def _before(draft: Draft, clause: Clause) -> Thing | None:
    """What the clause before denies of something: "the api is not on 8080, it's 8000"."""
    place = draft.clauses.index(clause)
    other = draft.clauses[place - 1] if place else None
    if other is None or "negation" not in other.kinds:
        return None
    about = thing(draft.reading.reader, draft.reading.text[other.start : other.end])
    return about if about.pieces else None


def _changes(draft: Draft, clause: Clause) -> bool:
    """Whether a clause says that something is another now, or the message puts something right up to there."""
    reading, (start, end) = draft.reading, sentence(draft.reading, clause.start)
    if not clause.kinds.isdisjoint(_CHANGES) or any(start <= cue.start < end for cue in reading.all("since")):
        return True
    cues = (*reading.all("correction"), *reading.all("corrects"))
    return any(cue.start < clause.end for cue in cues) or any(
        one.act in _CHANGING and one.start <= clause.start for one in draft.clauses
    )


def _reached(reading: Reading, start: int) -> bool:
    """Whether a value is said to be reached: "went up to 28", "moved to the 16th"."""
    before, small = reading.folded[:start].split()[-BESIDE:], reading.reader.phrases("small", "words")
    towards = reading.phrases("memory", "towards")
    return bool(before) and (before[-1] in towards or (before[0] in towards and before[-1] in small))


def _verb(about: Thing, reached: list[Piece]) -> str:
    before = [name for name, place in about.names.items() if reached and place < reached[0].start]
    return max(before, key=lambda name: about.names[name], default="")


def _with_values(draft: Draft) -> list[Memo]:
    """The known facts with a value that may change, the newest first."""
    found = [memo for _, memo in with_types(draft.before, draft.reading.reader, (NUMBER, "when"))]
    held = [memo for memo in found if memo.positive and not told_now(draft, memo) and _is_declared(draft, memo)]
    return sorted(held, key=lambda memo: -memo.recorded)[:MAX_LOOKED_AT]


def _is_declared(draft: Draft, memo: Memo) -> bool:
    """Whether a fact may be written by what is said: one that a program keyed by its words is written by that."""
    return memo.kind in ("decision", slot_kind(draft.reading.reader, memo.slot).kind)


def _held(reader: Reader, memo: Memo) -> Thing:
    return thing(reader, memo.text or memo.value)


_Fit = tuple[bool, int, bool, bool, float]
"""What speaks for a fact: a value of it is denied, the words that it shares, whether these are all of its own and
whether the value counts the same; then, of what is only pointed at, when it was told."""


def _fit(draft: Draft, clause: Clause, said: _Said, memo: Memo, over: bool) -> _Fit | None:
    """How well a fact fits a clause that may give another value of its thing; None where it does not."""
    held = _held(draft.reading.reader, memo)
    denies = _denies(draft.reading.reader, said, held)
    said = said._replace(changes=said.changes or denies or over)
    if not _another(draft.reading.reader, said, held):
        return None
    names = shared(said.names, held.names)
    own = len(said.names) - (said.verb != "" and said.verb not in names)
    named = _named(draft, clause, said, memo, len(names), own) if own else _pointed_at(draft, clause, said, memo, over)
    when = 0.0 if own else memo.recorded
    return (denies, len(names), len(names) == len(held.names), _counts_alike(said, held), when) if named else None


def _denies(reader: Reader, said: _Said, held: Thing) -> bool:
    return any(means_same(reader, one.words, piece.words) for one in said.denied for piece in held.pieces)


def _counts_alike(said: _Said, held: Thing) -> bool:
    return not {one.unit for one in said.given if one.unit}.isdisjoint(piece.unit for piece in held.pieces)


def _another(reader: Reader, said: _Said, held: Thing) -> bool:
    """Whether a clause gives another value of a type that a fact has one of, and not one of another size."""
    most = MAX_TIMES if said.changes else MAX_TIMES_UNSAID
    pairs = ((new, old) for new in said.given for old in held.pieces if new.like(old))
    return any(new.times(old) <= most and not means_same(reader, new.words, old.words) for new, old in pairs)


def _named(draft: Draft, clause: Clause, said: _Said, memo: Memo, names: int, own: int) -> bool:
    """Whether a clause names the thing of a fact: by all of its words where nothing says that something changes; else
    by half of its words, and where it has no date by all of them or by half of those of the fact."""
    if said.changes:
        dated = _dated(said) and slot_kind(draft.reading.reader, memo.slot).category == "schedule"
        most = names == own or 2 * names >= len(_held(draft.reading.reader, memo).names)
        return names > 0 and 2 * names >= own and (dated or most)
    theirs = memo.slot in THEIRS and speaks_of_oneself(draft.reading, clause)
    recurs = all(piece.type in TIMES for piece in said.given)  # the gym may be on mondays and on thursdays
    return names == own and names >= (OF_ONE_THING if recurs else 1) and not theirs


def _dated(said: _Said) -> bool:
    return any(piece.type in TIMES for piece in said.given)


def _pointed_at(draft: Draft, clause: Clause, said: _Said, memo: Memo, over: bool) -> bool:
    """Whether a fact may be meant by a clause that names nothing: it was told a moment ago and is put right, or it has
    a date that is said to move; what could do harm gives way to nothing but what names it."""
    kind, about = (slot_kind(draft.reading.reader, slot) for slot in (memo.slot, clause.tells.best))
    near = memo.session in ("", draft.origin) and draft.ago(memo.version) <= NEAR
    dated = _dated(said) and about.category == kind.category == "schedule"
    meant = over or (_points(draft.reading, clause, said) and (near or dated))
    return said.changes and meant and not kind.vital


def _points(reading: Reading, clause: Clause, said: _Said) -> bool:
    """Whether a clause speaks of something known without a name for it: "it moved to thursday", "his is 23 now"."""
    says_so = {"changeverb", "pointer", "now"} if _dated(said) else {"changeverb", "pointer"}
    theirs = not reading.phrases("memory", "others").isdisjoint(reading.folded[clause.start : clause.end].split())
    return theirs or clause.act in _CHANGING or not clause.kinds.isdisjoint(says_so)


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
