"""Things of which a value is known that changes: a date that moves, a price that rises, a port, a version.

"Mum's appointment is on the 14th" and "mum's got moved to the 16th" speak of one thing by some of the same words, and
give it values of one type. What was said of it stays, with the other value in the place of the old one. "It got moved
to Thursday" names nothing itself: then it is something with such a value that is known already.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Iterator, Sequence
from typing import NamedTuple

from holdfast.faculties.facts.bygone import bygone
from holdfast.faculties.facts.lookup import with_types
from holdfast.faculties.facts.relations import Memo, slot_kind
from holdfast.faculties.facts.whose import THEIRS, speaks_of_oneself
from holdfast.faculties.facts.writing import NEAR, told_now
from holdfast.faculty import Draft
from holdfast.kept import kept
from holdfast.reading.clauses import sentence
from holdfast.reading.endings import Endings
from holdfast.reading.kinds import KEPT_VALUES, TIMES, means_same, typed_spans
from holdfast.reading.model.clauses import Clause
from holdfast.reading.model.tokens import Token, tokens_of
from holdfast.reading.reader import Reader, Reading, overlap
from holdfast.reading.standing import standing

NUMBER = "number"
BESIDE = 2
"""How far a unit may stand from its number ("25 a week"), and the days of one piece from each other."""
OF_ONE_THING = 2
"""Words that two facts must share to be of one thing where it may have several values: gym on mondays and thursdays."""
LITTLE, FAR = 4, 50
"""How many times as much a value may become where nothing says that it changes, and where something does."""
MAX_LOOKED_AT = 60
"""How many of the facts with a value are looked at, the newest first."""
MAX_ENDING = 2
"""Letters in which the forms of a name may differ: "mum" and "mums"."""
_NAMES_NOTHING = frozenset(
    "now changeverb pointer unit money number negation correction hedge reaction yes no always past future".split()
)
"""Kinds of words that name no thing by themselves."""
_CHANGES = frozenset({"now", "changeverb"})
_CHANGING = frozenset({"corrects", "returns"})
_NOT_TELLING = frozenset({"asks", "supposes", "quotes", "doubts", "thanks", "greets", "postpones"})
_TELLING = frozenset({"states", "answers", "instructs", "remarks", "reports"})
"""Acts of clauses that give a thing another value, by themselves or with a word that says so."""
_UNITS = frozenset({"unit", "money"})
_NTH = re.compile(r"\d{1,2}[^\W\d]{1,2}")
_DIGITS = re.compile(r"\d+(?:[.,:]\d+)*")


class Piece(NamedTuple):
    """A value in some words: from where to where, its type, and what it counts."""

    start: int
    end: int
    type: str
    unit: str = ""


class Thing(NamedTuple):
    """What some words are about, each name with its place, and the values that they give."""

    names: dict[str, int]
    pieces: tuple[Piece, ...]


class Renewal(NamedTuple):
    """A known fact with the other value that a clause gives of its thing."""

    memo: Memo
    value: str
    text: str
    """The words that are kept with the value."""


@kept(KEPT_VALUES)
def thing(reader: Reader, words: str) -> Thing:
    """What some words are about, and the days, times and numbers that they give of it."""
    reading = reader.read(words)
    found = [token for token in reading.find(tokens_of) if token.shape != "."]
    pieces = tuple(_joined(reading, _pieces(reading, found)))
    small, cut = reading.phrases("small", "words"), reader.made(Endings).word
    names = {
        cut(token.word): token.start
        for token in found
        if len(token.word) > 2
        and token.word not in small
        and _NAMES_NOTHING.isdisjoint(token.kinds)
        and not any(overlap(piece[:2], (token.start, token.end)) for piece in pieces)
    }
    return Thing(names, pieces)


def _pieces(reading: Reading, found: Sequence[Token]) -> Iterator[Piece]:
    """The values among some words: a number with all of its word ("2.3.1"; the 16th is a day), and with its unit."""
    for start, end, type in reading.find(typed_spans):
        after = [token for token in found if token.start >= end][:BESIDE]
        units = [token.word for token in after if _UNITS.intersection(token.kinds)]
        counts = type == NUMBER or (type == "clock" and reading.folded[start:end].isdigit() and units)  # "at 3 km"
        if counts:
            inside = [(token.start, token.end) for token in found if overlap((token.start, token.end), (start, end))]
            whole = (min([start, *(one for one, _ in inside)]), max([end, *(one for _, one in inside)]))
            nth = _NTH.fullmatch(reading.folded[slice(*whole)])
            yield Piece(*whole, "day") if nth else Piece(*whole, NUMBER, (units or [""])[0])
        elif type in TIMES:
            yield Piece(start, end, type)


def _joined(reading: Reading, pieces: Iterable[Piece]) -> list[Piece]:
    """Pieces of one type with no more than a sign or a small word between them as one: "monday and friday", "2-4"."""
    made: list[Piece] = []
    for piece in pieces:
        last = made[-1] if made else None
        between = reading.folded[last.end : piece.start].strip() if last else ""
        near = len(between) <= 1 or between in reading.reader.phrases("small", "words")
        if last and last.type == piece.type and (near if piece.type in TIMES else between == "-"):
            made[-1] = last._replace(end=piece.end)
        else:
            made.append(piece)
    return made


def shared(names: Iterable[str], others: Iterable[str]) -> frozenset[str]:
    """Those of some names that are among others, in whatever form."""
    return frozenset(one for one in names if any(_forms(one, other) for other in others))


def _forms(one: str, other: str) -> bool:
    short, long = sorted((one, other), key=len)
    return one == other or (len(short) > 2 and long.startswith(short) and len(long) - len(short) <= MAX_ENDING)


class _Said(NamedTuple):
    """A clause as what it says of a thing: what it is about, the values that it gives and those that it denies."""

    words: str
    names: dict[str, int]
    given: list[Piece]
    denied: list[str]
    changes: bool
    verb: str = ""
    """The name that may be the word for how a value is reached: "went" of "lessons went up to 28"."""


def renewed(draft: Draft, clause: Clause, over: Collection[str] = ()) -> list[Renewal]:
    """The known facts of which a clause gives another value. `over`: ids of those that the message says to be over."""
    said = _said(draft, clause)
    if said is None:
        return []
    found = [(fit, memo) for memo in _with_values(draft) if (fit := _fit(draft, clause, said, memo, memo.id in over))]
    if not found:
        return []
    best = max(fit for fit, _ in found)
    memos = [memo for fit, memo in found if fit == best]
    made = [one for memo in memos if (one := _with_value(draft.reading.reader, memo, said))]
    return made if len(made) == 1 or len({_held(draft.reading.reader, memo) for memo in memos}) == 1 else []


def _said(draft: Draft, clause: Clause) -> _Said | None:
    """What a clause says of a thing; nothing where it gives no value as it is."""
    reading, span = draft.reading, (clause.start, clause.end)
    changes = _changes(draft, clause)
    also = any(overlap(cue.span, span) for cue in reading.all("also"))
    words = reading.text[clause.start : clause.end]
    if also or clause.act in _NOT_TELLING or bygone(reading, clause):
        return None
    about, flags = thing(reading.reader, words), reading.find(standing)
    reached = next((p for p in about.pieces if _reached(reading, clause.start + p.start)), None)
    changes = changes or reached is not None
    verbs = [name for name, place in about.names.items() if reached and place < reached.start]
    verb = max(verbs, key=lambda name: about.names[name], default="")
    no = [p for p in about.pieces if "negated" in flags.of((clause.start + p.start, clause.start + p.end))]
    given = [piece for piece in about.pieces if piece not in no]
    denied = [words[piece.start : piece.end] for piece in no]
    names = about.names
    if not names and (before := _before(draft, clause)) is not None:
        names, denied = before
    tells = changes or clause.act in _TELLING
    return _Said(words, names, given, denied, changes, verb) if given and tells else None


def _changes(draft: Draft, clause: Clause) -> bool:
    """Whether a clause says that something is another now, or the message puts something right up to there."""
    before = [one for one in draft.clauses if one.start <= clause.start]
    cues = [*draft.reading.all("correction"), *draft.reading.all("corrects")]
    first, end = sentence(draft.reading, clause.start)
    return (
        not clause.kinds.isdisjoint(_CHANGES)
        or any(one.act in _CHANGING for one in before)
        or any(cue.start < clause.end for cue in cues)
        or any(first <= cue.start < end for cue in draft.reading.all("since"))
    )


def _reached(reading: Reading, start: int) -> bool:
    """Whether a value is said to be reached: "went up to 28", "moved to the 16th"."""
    before, small = reading.folded[:start].split()[-BESIDE:], reading.reader.phrases("small", "words")
    towards = reading.phrases("memory", "towards")
    return before[-1:] != [] and (before[-1] in towards or (before[0] in towards and before[-1] in small))


def _before(draft: Draft, clause: Clause) -> tuple[dict[str, int], list[str]] | None:
    """What the clause before is about, and the values that it denies: "the api is not on 8080, it's 8000"."""
    place = draft.clauses.index(clause)
    other = draft.clauses[place - 1] if place else None
    if other is None or "negation" not in other.kinds:
        return None
    words = draft.reading.text[other.start : other.end]
    about = thing(draft.reading.reader, words)
    return (about.names, [words[one.start : one.end] for one in about.pieces]) if about.pieces else None


def _with_values(draft: Draft) -> list[Memo]:
    """The known facts with a value that may change, the newest first."""
    found = [memo for _, memo in with_types(draft.before, draft.reading.reader, (NUMBER, "when"))]
    held = [memo for memo in found if memo.positive and not told_now(draft, memo)]
    return sorted(held, key=lambda memo: -memo.recorded)[:MAX_LOOKED_AT]


Fit = tuple[bool, int, bool, bool, float]
"""What speaks for a fact: a value of it is denied, the words that it shares, whether these are all of its own and
whether the value counts the same; then, of what is only pointed at, when it was told."""


def _fit(draft: Draft, clause: Clause, said: _Said, memo: Memo, over: bool) -> Fit | None:
    """How well a clause fits a fact as another value of its thing; None where it gives none."""
    reader = draft.reading.reader
    held = thing(reader, memo.text or memo.value)
    denies = any(means_same(reader, one, _words(memo, piece)) for one in said.denied for piece in held.pieces)
    changes = said.changes or denies or over
    if not _another(reader, said, memo, held, FAR if changes else LITTLE):
        return None
    names = shared(said.names, held.names)
    unit = any(one.unit and one.unit == piece.unit for one in said.given for piece in held.pieces)
    own = {*said.names} - ({said.verb} - names)
    if not own:
        points = changes and _pointed_at(draft, memo)
        return (denies, 0, False, unit, memo.recorded) if points else None
    if memo.slot in THEIRS and speaks_of_oneself(draft.reading, clause) and not changes:
        return None
    named = _meant(reader, memo, own, held, names) if changes else _named(said, own, names)
    return (denies, len(names), len(names) == len(held.names), unit, 0.0) if named else None


def _pointed_at(draft: Draft, memo: Memo) -> bool:
    """Whether a fact may be meant by a clause that names nothing: it was told a moment ago, or is something with a
    date; what could do harm gives way to nothing but what names it."""
    kind = slot_kind(draft.reading.reader, memo.slot)
    near = memo.session in ("", draft.origin) and draft.ago(memo.version) <= NEAR
    return (near or kind.category == "schedule") and not kind.vital


def _named(said: _Said, own: set[str], names: frozenset[str]) -> bool:
    """Whether a clause that says nothing of a change names the thing of a fact, by all of its words."""
    recurs = all(piece.type in TIMES for piece in said.given)
    return len(names) == len(own) and len(names) >= (OF_ONE_THING if recurs else 1)


def _meant(reader: Reader, memo: Memo, own: set[str], held: Thing, names: frozenset[str]) -> bool:
    """Whether a clause that says that something changes means a fact: it has most of the words of either, or any of
    something with a date."""
    dated = slot_kind(reader, memo.slot).category == "schedule"
    return bool(names) and (dated or 2 * len(names) >= min(len(own), len(held.names)))


def _another(reader: Reader, said: _Said, memo: Memo, held: Thing, far: int) -> bool:
    """Whether a clause gives another value of a type that a fact has one of."""
    return any(_replaces(reader, said, memo, piece, new, far) for new in said.given for piece in held.pieces)


def _replaces(reader: Reader, said: _Said, memo: Memo, old: Piece, new: Piece, far: int) -> bool:
    one, other = said.words[new.start : new.end], _words(memo, old)
    if not _one_type(new, old, one, other) or (new.unit and old.unit and new.unit != old.unit):
        return False
    return not means_same(reader, one, other) and _size(one, other) <= far


def _one_type(new: Piece, old: Piece, one: str, other: str) -> bool:
    """Whether two values are of one type; a mere number may be that of a day or an hour."""
    bare = new.type == NUMBER and not new.unit and bool(_DIGITS.search(other)) and len(one) <= 2
    return new.type == old.type or bare


def _size(one: str, other: str) -> float:
    """How many times as large the larger of two numbers is; values that are none are of one size."""
    try:
        small, large = sorted(float(words.strip("$€£%").replace(",", ".")) for words in (one, other))
    except ValueError:
        return 1
    return large / small if small > 0 else 1


def _words(memo: Memo, piece: Piece) -> str:
    return (memo.text or memo.value)[piece.start : piece.end]


def _held(reader: Reader, memo: Memo) -> tuple[str, ...]:
    return tuple(_words(memo, piece) for piece in thing(reader, memo.text or memo.value).pieces)


def _with_value(reader: Reader, memo: Memo, said: _Said) -> Renewal | None:
    """A fact with the values of a clause: in the words of the clause where they name the whole of it."""
    value, text = (_put(reader, words, said) for words in (memo.value, memo.text))
    if value == memo.value:
        return None
    return Renewal(memo, value, text)


def _put(reader: Reader, words: str, said: _Said) -> str:
    """Some words with the values of a clause in the places of theirs, each by the name that stands nearest."""
    held = thing(reader, words)
    names = shared(held.names, said.names)
    held_now = [words[p.start : p.end] for p in held.pieces]
    for new in said.given:
        one = said.words[new.start : new.end]
        fitting = [p for p in held.pieces if _one_type(new, p, one, words[p.start : p.end])]
        if not fitting or any(means_same(reader, one, other) for other in held_now):
            continue  # "from 25 to 28"
        units = [p for p in fitting if p.unit == new.unit] or fitting
        old = min(units, key=lambda p: min((_apart(p, held.names[name]) for name in names), default=0))
        if old.type != new.type:
            one = _DIGITS.sub(one, words[old.start : old.end], count=1)
        words = words[: old.start] + one + words[old.end :]
        held = thing(reader, words)
    return words


def _apart(piece: Piece, place: int) -> int:
    """How far a name stands from a value: names mostly stand before theirs."""
    return piece.start - place if place < piece.start else 2 * (place - piece.start)


def other_value(reader: Reader, memo: Memo, new: str) -> str:
    """The value of a fact with another date, where more is known of it: "oops, I meant Thursday" leaves the dentist
    where he is."""
    if memo.question or not thing(reader, memo.value).names:
        return ""
    value = _put(reader, memo.value, _Said(new, {}, [*thing(reader, new).pieces], [], True))
    return value if value != memo.value else ""


def of_another_thing(reader: Reader, words: str, memo: Memo) -> bool:
    """Whether some words give a value of one thing, and a fact that of another."""
    (names, given), (others, values) = (thing(reader, one) for one in (words, memo.text or memo.value))
    return bool(names and others and given and values) and not shared(names, others)
