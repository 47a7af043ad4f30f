"""Things that values are told of: what some words are about, and the days, times and numbers that they give of it.

"The admin site is on 3000" and "the api is on 8080" give values of one type, and of two things.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from typing import NamedTuple

from holdfast.kept import kept
from holdfast.reading.endings import Endings
from holdfast.reading.kinds import KEPT_VALUES, TIMES, means_same, typed_spans
from holdfast.reading.lexicon import kinds as kinds_of
from holdfast.reading.model.clauses import LANGUAGES
from holdfast.reading.model.tokens import Token, tokens_of
from holdfast.reading.reader import Reader, Reading, Span, overlap, touches

NUMBER = "number"
BESIDE = 2
"""How far a unit may stand from its number: "25 a week"."""
MAX_TIMES = 50
"""How many times as much a value may become and still be one of the same kind: a port is no version."""
MIN_DIGITS, MAX_SLIPS = 3, 2
"""How long a number must be to be known by its digits, and how many of them may be wrong."""
MAX_DAY = 31
MAX_ENDING = 2
"""Letters in which the forms of a name may differ: "mum" and "mums"."""
_UNITS = frozenset({"unit", "money"})
_NAMES_NOTHING = _UNITS.union(
    "now changeverb pointer number negation correction hedge reaction yes no always past future".split()
)
"""Kinds of words that name no thing by themselves."""
_NTH = re.compile(r"\d{1,2}[^\W\d]{1,2}")
_DIGITS = re.compile(r"\d+(?:[.,:]\d+)*")


class Piece(NamedTuple):
    """A value in some words: where it stands, its type, and what it counts."""

    start: int
    end: int
    type: str
    words: str
    unit: str = ""

    @property
    def bare(self) -> bool:
        """Whether it is a small number of nothing, as that of a day is."""
        return self.type == NUMBER and not self.unit and self.words.isdigit() and len(self.words) <= 2

    def like(self, old: Piece) -> bool:
        """Whether it may stand where another one does: a mere number may be that of a day or an hour."""
        one_type = self.type == old.type or (self.bare and _DIGITS.search(old.words) is not None)
        if self.type == old.type == NUMBER and (_size(self.words) is None) != (_size(old.words) is None):
            return False  # no port is a host
        return one_type and (not self.unit or not old.unit or self.unit == old.unit)

    def times(self, other: Piece) -> float:
        """How many times as large the larger of two numbers is; values that are none are of one size."""
        small, large = sorted(_size(piece.words) or 0.0 for piece in (self, other))
        return large / small if small > 0 else 1


def _size(words: str) -> float | None:
    try:
        return float(words.strip("$€£%").replace(",", "."))
    except ValueError:
        return None


class Thing(NamedTuple):
    """What some words are about, each name with its place, and the values that they give."""

    names: dict[str, int]
    pieces: tuple[Piece, ...]


@kept(KEPT_VALUES)
def thing(reader: Reader, words: str) -> Thing:
    """What some words are about, and the days, times and numbers that they give of it."""
    reading = reader.read(words)
    found = [token for token in reading.find(tokens_of) if token.shape != "."]
    pieces = tuple(_joined(reading, _pieces(reading, found)))
    taken = [piece[:2] for piece in pieces]
    rest = [token for token in found if not touches((token.start, token.end), taken)]
    return Thing({reader.made(Endings).word(token.word): token.start for token in _naming(reader, rest)}, pieces)


def _naming(reader: Reader, found: Iterable[Token]) -> list[Token]:
    """The words among some that name something."""
    small = reader.phrases("small", "words") | reader.phrases("memory", "myself")
    telling = [token for token in found if len(token.word) > 2 and token.word not in small]
    return [token for token in telling if _NAMES_NOTHING.isdisjoint(token.kinds)]


def _pieces(reading: Reading, found: Sequence[Token]) -> Iterator[Piece]:
    """The values among some words, with their units. The 16th is a day, and "at 3 km" no time."""
    small = reading.reader.phrases("small", "words")
    for start, end, type in reading.find(typed_spans):
        unit = _unit(found, end)
        if type == NUMBER or (unit and reading.folded[start:end].isdigit()):
            whole = _whole_word(found, (start, end))
            words = reading.text[slice(*whole)]
            yield Piece(*whole, "day", words) if not unit and _is_nth(words) else Piece(*whole, NUMBER, words, unit)
        elif type in TIMES:
            first, _, rest = reading.folded[start:end].partition(" ")
            begin = end - len(rest) if rest and first in small else start  # "the 14th"
            yield Piece(begin, end, type, reading.text[begin:end])


def _unit(found: Sequence[Token], end: int) -> str:
    """What a number counts that ends somewhere; "5mg" says it itself."""
    after = [token for token in found if token.start >= end][:BESIDE]
    own = next((_own_unit(token) for token in found if token.start < end <= token.end), "")
    return own or next((token.word for token in after if not _UNITS.isdisjoint(token.kinds)), "")


def _own_unit(number: Token) -> str:
    own = number.word.lstrip("0123456789.,") if number.shape == "0" else ""
    return own if own and any("unit" in kinds for kinds in kinds_of([own], LANGUAGES)) else ""


def _is_nth(words: str) -> bool:
    """Whether a number is that of a day: "14th"."""
    return _NTH.fullmatch(words) is not None and int(_DIGITS.findall(words)[0]) <= MAX_DAY


def _whole_word(found: Iterable[Token], span: Span) -> Span:
    """A number with all of its word: "2.3.1", "HAUL-1120"."""
    inside = [token for token in found if overlap((token.start, token.end), span)]
    return min([span[0], *(token.start for token in inside)]), max([span[1], *(token.end for token in inside)])


def _joined(reading: Reading, pieces: Iterable[Piece]) -> list[Piece]:
    """Pieces of one type with no more than a sign or a small word between them as one: "monday and friday", "2-4"; and
    the number of a day with its name: "martes 25"."""
    made: list[Piece] = []
    for piece in pieces:
        last = made[-1] if made and (made[-1].type == piece.type or _numbers(made[-1], piece)) else None
        if last is not None and _side_by_side(reading, last, piece):
            words = reading.text[last.start : piece.end]
            made[-1] = last._replace(end=piece.end, words=words, unit=piece.unit)
        else:
            made.append(piece)
    return made


def _numbers(day: Piece, piece: Piece) -> bool:
    """Whether a number may be that of a day which stands right before it."""
    return day.type == "day" and piece.start == day.end + 1 and piece.words.isdigit() and int(piece.words) <= MAX_DAY


def _side_by_side(reading: Reading, one: Piece, other: Piece) -> bool:
    between = reading.folded[one.end : other.start].strip()
    if one.type not in TIMES:
        return between == "-"
    return len(between) <= 1 or between in reading.reader.phrases("small", "words")


def shared(names: Iterable[str], others: Iterable[str]) -> frozenset[str]:
    """Those of some names that are among others, in whatever form."""
    return frozenset(one for one in names if any(_forms(one, other) for other in others))


def _forms(one: str, other: str) -> bool:
    short, long = sorted((one, other), key=len)
    return one == other or (len(short) > 2 and long.startswith(short) and len(long) - len(short) <= MAX_ENDING)


def put(reader: Reader, words: str, given: Iterable[Piece], names: Iterable[str] = ()) -> str:
    """Some words with other values in the places of theirs: by what they count, and by the name that stands nearest."""
    before = thing(reader, words)
    for new in given:
        held = thing(reader, words)
        fitting = [piece for piece in held.pieces if new.like(piece)]
        if not fitting or any(means_same(reader, new.words, piece.words) for piece in before.pieces):
            continue  # "from 25 to 28"
        near = [held.names[name] for name in shared(held.names, names)]
        old = min(fitting, key=lambda piece: (piece.unit != new.unit, min((_apart(piece, n) for n in near), default=0)))
        value = new.words if new.type == old.type else _DIGITS.sub(new.words, old.words, count=1)
        words = words[: old.start] + value + words[old.end :]
    return words


def is_number(words: str) -> bool:
    """Whether some words are no more than the digits of a number."""
    return _DIGITS.fullmatch(words) is not None


def digits_put_right(words: str, new: str, old: str) -> str:
    """Some words with a few digits of a number put right, of which the last ones are often all that is said: "0178" of
    "0187" by "78 not 87", "PROJ-4417" of "PROJ-4471" by "4417"; empty where they have no such number."""
    for run in reversed([*_DIGITS.finditer(words)]):
        digits = run.group()
        if old and (digits == old or (len(old) > 1 and digits.endswith(old))):
            return words[: run.end() - len(old)] + new + words[run.end() :]
        differ = sum(one != other for one, other in zip(digits, new, strict=False))
        if not old and len(digits) == len(new) >= MIN_DIGITS and 0 < differ <= MAX_SLIPS:
            return words[: run.start()] + new + words[run.end() :]
    return ""


def _apart(piece: Piece, place: int) -> int:
    """How far a name stands from a value: names mostly stand before theirs."""
    return piece.start - place if place < piece.start else 2 * (place - piece.start)


def of_another(reader: Reader, words: str, others: str) -> bool:
    """Whether some words give a value of one thing, and others that of another."""
    one, other = thing(reader, words), thing(reader, others)
    return bool(one.names and other.names and one.pieces and other.pieces) and not shared(one.names, other.names)


def beside_each_other(reader: Reader, words: str, others: str) -> bool:
    """Whether some words give a value of one thing, and others that of a second, whatever both are: "auth is on port
    4000", "billing is on port 4001"."""
    one, other = thing(reader, words), thing(reader, others)
    own = (
        len(names) - len(shared(names, rest)) for names, rest in ((one.names, other.names), (other.names, one.names))
    )
    return bool(one.pieces and other.pieces) and all(own)


def given_anew(reader: Reader, words: str, others: str, least: int) -> bool:
    """Whether some words say the same as others but for the values: "the desk is on floor 2", then "… on floor 5"."""
    one, other = thing(reader, words), thing(reader, others)
    values, held = ([piece.words for piece in some.pieces] for some in (one, other))
    return (
        len(one.names) >= least and one.names.keys() == other.names.keys() and bool(values and held) and values != held
    )
