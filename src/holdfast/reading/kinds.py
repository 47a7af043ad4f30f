"""Of which type a value is: a mail address, a day, a number, a place, a known tool, a dish. A value may take the place
of another only where both are of one type: "no rush" is no allergy, and "Saturday" no party of four."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from typing import NamedTuple

from holdfast.kept import kept
from holdfast.reading.endings import Endings
from holdfast.reading.model.tokens import Token, tokens
from holdfast.reading.places import gazetteer, places
from holdfast.reading.reader import Reader, Reading, Span, touches
from holdfast.reading.terms import known_terms
from holdfast.reading.text import fold
from holdfast.reading.values import EMAIL, emails, number_in, numbers

_CLOCK = re.compile(r"\d{1,2}(?:[:.h]\d\d)?(?:am|pm)|\d{1,2}[:h]\d\d")
_GROUPS = {
    **dict.fromkeys(("weekday", "month", "dayPart", "season"), "when"),
    **dict.fromkeys(("number", "unit"), "number"),
    **dict.fromkeys(("food", "drink"), "food"),
    **{kind: kind for kind in ("allergen", "cuisine", "diet", "role", "workplace", "health", "medication", "animal")},
    **{kind: kind for kind in ("hobby", "vehicle", "language", "nationality", "study", "device", "software")},
    **{kind: kind for kind in ("colour", "size", "material", "document", "clothing", "kin", "marital", "smoking")},
}
"""The kinds of the lexicon that make a value, and the type that each belongs to."""
TIMES = frozenset({"day", "clock"})
"""Types of spans that tell a time."""
KEPT_VALUES = 8192
"""Values whose types are kept at hand: what is known of a person is looked at with every message."""


@kept(KEPT_VALUES)
def value_types(reader: Reader, text: str) -> frozenset[str]:
    """The types of a value; none where its words tell nothing."""
    if EMAIL.fullmatch(text.strip()):
        return frozenset({"email"})
    words = [token for token in tokens(text) if token.shape != "."]
    if words and words[0].shape == "W" and _place(reader, words):
        return frozenset({"place", "name"})
    if (term := known_terms(reader).get(" ".join(fold(text).split()))) is not None:
        return frozenset({f"tool {term[0]}"})
    found = set().union(*map(_groups, words))
    if any(token.word[0].isdigit() for token in words):
        found |= {"when", "number"} if _CLOCK.search(fold(text)) else {"number"}
    return frozenset(found or _named(reader, words))


def _groups(token: Token) -> set[str]:
    kinds = token.kinds
    if not kinds and "-" in token.word:  # of two words in one, the last says what it is: "сеньор-разработчик"
        kinds = next((last.kinds for last in tokens(token.word.rpartition("-")[2])), kinds)
    return {_GROUPS[kind] for kind in kinds if kind in _GROUPS}


class Typed(NamedTuple):
    """Words that are one thing whatever is said of them: a day, a time, a number, a mail address, a known place."""

    start: int
    end: int
    type: str


def typed_spans(reading: Reading) -> list[Typed]:
    """What the words of a message are by themselves, each word in one span at most: of two readings the longer one
    counts. Use as `reading.find(typed_spans)`."""
    small = reading.phrases("small", "words")
    found = [
        Typed(*_past_small(reading, cue.span, small), kind) for kind in ("day", "clock") for cue in reading.all(kind)
    ]
    found += [Typed(*number.span, "number") for number in reading.find(numbers)]
    found += [Typed(*span, "email") for span in reading.find(emails)]
    found += [Typed(*place.span, "place") for place in reading.find(places)]
    kept: list[Typed] = []
    taken = -1
    for one in sorted(found, key=lambda one: (one.start, -one.end, one.type)):
        if one.start >= taken:
            kept.append(one)
            taken = one.end
        elif one.end - one.start > kept[-1].end - kept[-1].start:
            kept[-1], taken = one, one.end
    return kept


def _past_small(reading: Reading, span: Span, small: frozenset[str]) -> Span:
    """A day or a time without the small word before it: "friday" of "on friday", "the 8th" of "on the 8th"."""
    first, _, rest = reading.folded[slice(*span)].partition(" ")
    return (span[1] - len(rest), span[1]) if rest and first in small else span


def token_types(token: Token) -> tuple[str, ...]:
    """The types of a single word, in order of their names; without the ones that take more than the word to see."""
    found = _groups(token)
    if token.shape == "0":
        found.add("email" if EMAIL.fullmatch(token.word) else "when" if _CLOCK.fullmatch(token.word) else "number")
    return tuple(sorted(found))


def _named(reader: Reader, words: Sequence[Token]) -> set[str]:
    """A place that is known, and a name by its capitals."""
    if not 0 < len(words) <= 3:
        return set()
    found = {"place"} if _place(reader, words) else set()
    capital = all(token.shape in "WA" and not token.kinds for token in words)
    return {*found, "name"} if capital else found


def _place(reader: Reader, words: Sequence[Token]) -> bool:
    """Whether some words are the name of a place, in whatever case of it: "Казани"."""
    named, endings = [token.word for token in words], reader.made(Endings)
    if len(words) > 3:
        return False
    return gazetteer().knows(" ".join(named)) or gazetteer().longest(named, endings)[0] == len(words)


def typed_part(reader: Reader, words: str, like: str) -> str:
    """The part of some words that is of the type of another value: "Saturday" of "Saturday is better", where a day is
    meant. All of them where they have no such part."""
    if len(words.split()) <= len(like.split()):
        return words
    wanted = value_types(reader, like)
    runs: list[list[Token]] = [[]]
    said = tokens(words)
    for token in said:
        if wanted & value_types(reader, words[token.start : token.end]):
            runs[-1].append(token)
        elif runs[-1]:
            runs.append([])
    found = [run for run in runs if run]
    return words[with_count(reader, said, found[-1][0]).start : found[-1][-1].end] if found else words


def with_count(reader: Reader, said: Sequence[Token], first: Token) -> Token:
    """Where an amount begins whose unit was seen first: "a week" is one week."""
    place = next(n for n, token in enumerate(said) if token is first)
    counts = place > 0 and "unit" in first.kinds and said[place - 1].word in reader.data("memory_counts", None)
    return said[place - 1] if counts else first


def means_same(reader: Reader, new: str, old: str) -> bool:
    """Whether two values are one in other words: "four" and 4, "5:30 pm" and "5:30", "March 5th" and "the 5th". What
    both of them say must agree, and neither may say more than makes the other more exact."""
    if fold(new) == fold(old):
        return True
    one, other = _meaning(reader, new), _meaning(reader, old)
    common = one.keys() & other.keys()
    return bool(common) and all(one[part] == other[part] for part in common) and one.keys() ^ other.keys() <= _FINER


_FINER = {"month", "half", "weekday"}
"""What makes a value more exact and no other one."""
_HALF = re.compile(r"\d ?([ap])\.?m\b")
_TIME = re.compile(r"\b(\d{1,2})(?:[:.h](\d\d))?")


@kept(KEPT_VALUES)
def _meaning(reader: Reader, value: str) -> dict[str, str]:
    """The parts of a value that can be compared: the number, the hour, the day of the month, what else is said."""
    reading, found = reader.read(value), dict[str, str]()
    typed = reading.find(typed_spans)
    for start, end, type in typed:
        found |= _PARTS[type](reading, (start, end)) if type in _PARTS else {}
    left = _left(reading, [one[:2] for one in typed])
    return found | ({"rest": left} if left else {})


def _left(reading: Reading, typed: list[Span]) -> str:
    """The words of a value of which nothing is known."""
    small = reading.phrases("small", "words")
    rest = [token for token in tokens(reading.text) if not touches((token.start, token.end), typed)]
    return " ".join(token.word for token in rest if not (token.shape in "0." or token.word in small or token.kinds))


def _amount(reading: Reading, span: Span) -> dict[str, str]:
    number = number_in(reading, span)
    nth = reading.folded[span[1] : span[1] + 1].isalpha()  # "13th"
    return {"date" if nth else "number": f"{number.value:g}"} if number is not None else {}


def _hour(reading: Reading, span: Span) -> dict[str, str]:
    words = reading.said(span)
    time, half = _TIME.search(words), _HALF.search(words)
    if time is None:
        return {"hour": words}
    return {"hour": f"{int(time[1]) % 12}:{time[2] or '00'}"} | ({"half": half[1]} if half else {})


def _day(reading: Reading, span: Span) -> dict[str, str]:
    """A day by its number, its month and its weekday, as far as they are said."""
    words = reading.said(span)
    digits = re.findall(r"\d{1,2}", words)
    kinds = {kind: token.word for token in tokens(words) for kind in token.kinds if kind in ("month", "weekday")}
    return kinds | ({"date": digits[0].lstrip("0")} if digits else {}) or {"day": words}


_PARTS: dict[str, Callable[[Reading, Span], dict[str, str]]] = {"clock": _hour, "day": _day, "number": _amount}
"""What a span of each type says that can be compared."""
