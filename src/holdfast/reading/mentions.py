"""What a person's message points with: "the second one", "number 3", "both", "the cheaper one", "that", "it", "the
hotel", or nothing said at all ("what's the address?").

Found here without any state: what the words point at is decided by the faculty that knows what was mentioned. Words
that look like pointing and are none ("the first time", "one more thing", "it is raining") are left out.
"""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Callable, Iterator, Sequence
from functools import lru_cache
from typing import Literal, NamedTuple, TypeVar

from holdfast.reading.details import ORDER as DETAILS
from holdfast.reading.lexicon import kinds
from holdfast.reading.places import places
from holdfast.reading.reader import Cue, Reader, Reading, Span, touches
from holdfast.reading.standing import standing

Kind = Literal[
    "none",
    "several",
    "first_n",
    "remainder",
    "ordinal",
    "other",
    "former",
    "beside",
    "property",
    "noun",
    "vague",
    "silent",
]
Thing = TypeVar("Thing")
COUNTED = "pointing.counted"
LATIN = "abcdefghijklmnopqrstuvwxyz"
ITEMS, SAID, BESIDE = 8, 24, 3
"""Items that are counted by a letter, and words of a message in which one is looked for."""
SAID_OF = frozenset({"yes", "no", "negation", "always", "state"})
"""What words are that say something of a thing, and name none."""
SETTING_ASIDE = frozenset({"rejects", "denies", "retracts", "corrects", "states", "remarks", "reports", "doubts"})
"""Acts of clauses by which nothing is asked of or done with what they name."""
_TURNING = ("pointing_away", "pointing_other", "repair", "repair_weak")
"""Families of patterns by which one turns away from a thing."""
_DIGITS = re.compile(r"[0-9]+")
PROPERTIES = tuple("low_price high_price high_rating low_rating many_reviews where with".split())
"""What a thing is told apart by; where none of these is said, by words that are like it."""


class Mention(NamedTuple):
    """Some words that point."""

    kind: Kind
    span: Span
    rule: str
    place: int = 0
    """Of ordinals: 1, 2, 3 … from the front, -1, -2 … from the back. Of a property: 2 where several have it."""
    value: str = ""
    """Of a property: its name ("low_price") and the folded words to look for ("where:fishtown")."""
    noun: str = ""
    """The thing it is said to be ("hotel"), where that is said."""
    means: str = ""
    """What its pattern means, as the table declares it."""
    vague: bool = False
    """Whether it is no more than a pronoun or the like."""


def mentions(reading: Reading) -> list[Mention]:
    """The pointing words of a message, in order. Use as `reading.find(mentions)`."""
    found = _pointing(reading)
    if found and reading.has(*_TURNING):
        found = _turned_away(reading, found)
    return sorted(found, key=lambda mention: mention.span)


def _pointing(reading: Reading) -> list[Mention]:
    """All that points, refused or not."""
    found = [mention for family, part in _PARTS.items() if reading.has(family) for mention in part(reading)]
    spans = [mention.span for mention in found]
    found += [mention for mention in _counted(reading) if not touches(mention.span, spans)]
    masked = [cue.span for cue in reading.all("not_pointing")]
    return [mention for mention in found if not touches(mention.span, masked)]


def refusals(reading: Reading) -> list[Mention]:
    """What is pointed at only to be refused: the first in "not the first one, the other two"."""
    return _away(reading, _pointing(reading)) if reading.has(*_TURNING) else []


def _away(reading: Reading, found: list[Mention]) -> list[Mention]:
    left_out = [m.span[1] for m in found if m.kind == "remainder"]
    return [
        m
        for m in found
        if m.kind not in ("none", "remainder")
        and refused(reading, m.span)
        and not any(0 < m.span[0] - end <= 2 for end in left_out)
    ]


def _turned_away(reading: Reading, found: list[Mention]) -> list[Mention]:
    """Without what is pointed at only to be refused ("not the first one, the second"); where nothing else is pointed
    at, that is pointing at nothing."""
    away = _away(reading, found)
    kept = [m for m in found if m not in away and not touches(m.span, [r.span for r in away])]
    return kept if kept or not away else [Mention("none", away[0].span, "pointing.away")]


def refused(reading: Reading, span: Span) -> bool:
    """Whether what stands there is named only to be refused ("not Osteria", "anything but the first"), taken back ("the
    second, no, the third"), or left for the others ("the first is too far, compare the other two")."""
    if reading.has("repair", "repair_weak") and "withdrawn" in reading.find(standing).of(span):
        return True
    return _left_for_others(reading, span) or any(
        _turns_away(reading.folded, cue, span) for cue in reading.all("pointing_away")
    )


def _left_for_others(reading: Reading, span: Span) -> bool:
    """Whether a clause says no more of a thing than how it is, or that it is not wanted, and a later one turns to the
    others."""
    others = [cue.start for cue in reading.all("pointing_other") if cue.start >= span[1]]
    said = [c for c in reading.after("") if c.start <= span[0] < c.end] if others else []
    return bool(said) and said[0].act in SETTING_ASIDE and others[-1] >= said[0].end


def _turns_away(text: str, cue: Cue, span: Span) -> bool:
    """Whether a no belongs to the words after it, with nothing but a blank between ("not Osteria"), or to those before
    it, with a mark after it ("el segundo no, el tercero")."""
    if cue.start >= span[1]:
        return cue.start - span[1] == 1 and text[cue.end : cue.end + 1] in ("", ",", ".")
    return 0 < span[0] - cue.end <= 2 and "," not in text[cue.end : span[0]]


def _several(reading: Reading) -> Iterator[Mention]:
    for cue in reading.all("pointing_several"):
        if cue.means == "all_but":
            yield Mention("remainder", cue.span, cue.id)
        elif _counts_what_is_no_thing(reading, cue) or _is_time_or_too(reading, cue):
            continue
        elif "n" in cue.groups:
            count = _number(reading, cue.groups["n"], unknown=2)  # "оба последних"
            last = reading.group(cue, "first_n") in reading.phrases("pointing", "last_words")
            yield Mention("first_n", cue.span, cue.id, -count if last else count)
        else:
            yield Mention("several", cue.span, cue.id, 2 if cue.means == "both" else 0)


def _is_time_or_too(reading: Reading, cue: Cue) -> bool:
    """Whether words that may mean several mean none: "a las dos" is a time."""
    return touches(cue.span, [clock.span for clock in reading.all("clock")]) or is_too(reading, cue.span)


def is_too(reading: Reading, span: Span) -> bool:
    """Whether a word that may mean some of several is a "too" of what is denied: "it isn't close either"."""
    denied = any(other.end <= span[0] for other in reading.all("negation"))
    return denied and reading.said(span) in reading.phrases("pointing", "nor")


def _counts_what_is_no_thing(reading: Reading, cue: Cue) -> bool:
    """Whether something else is counted than things that were shown: "the first two weeks"."""
    after = around(reading, cue.span)[1]
    last = reading.folded[: cue.end].split()[-1].lstrip("¿¡")
    pronoun = last in reading.phrases("pointing", "they", "plurals", "ones")
    known = after in things(reading) or after in reading.phrases("pointing", "follows")
    return bool(after) and not pronoun and not known


def _ordinals(reading: Reading) -> Iterator[Mention]:
    """Places from the back and numbers go first: their words are no ordinals of their own."""
    cues = reading.all("pointing_ordinal")
    taken: list[Span] = []
    for cue in sorted(cues, key=lambda cue: _FROM_END.isdisjoint(cue.groups)):
        said = [group for group in _PLACES if group in cue.groups]  # one pattern may hold several: "1, 2 or 3"
        if said and not touches(cue.span, taken):
            taken.append(cue.span)
            for group in said:
                yield Mention("ordinal", cue.span, cue.id, _PLACES[group](reading, cue.groups[group]))
    ordinals = [cue for cue in cues if "ordinal" in cue.groups and not touches(cue.span, taken)]
    spans = [cue.span for cue in ordinals]
    for cue in ordinals:
        yield from _ordinal(reading, cue, spans)


def _ordinal(reading: Reading, cue: Cue, spans: list[Span]) -> Iterator[Mention]:
    """An ordinal points at a thing when a noun for things or a small word follows, and something leads to it."""
    place = ordinal(reading, reading.group(cue, "ordinal"))
    if place is None:
        return
    if "like" in cue.groups:  # "the first Italian place"
        yield Mention("ordinal", cue.span, cue.id, place, noun=reading.group(cue, "noun"))
        return
    before, after = around(reading, cue.span)
    noun = after if after in things(reading) else ""
    if noun or _stands_for_a_thing(reading, cue, spans):
        start = cue.start - len(before) - 1 if before in reading.phrases("pointing", "articles") else cue.start
        yield Mention("ordinal", (start, cue.end + len(noun) + bool(noun)), cue.id, place, noun=noun)


def _stands_for_a_thing(reading: Reading, cue: Cue, spans: list[Span]) -> bool:
    """Whether an ordinal without a noun is one of a list: no other word follows, and it is led to, stands beside
    another one, or is nearly all that is said."""
    before, after = around(reading, cue.span)
    has = before in reading.phrases("pointing", "having") and not reading.phrases("pointing", "has").isdisjoint(
        reading.folded[cue.end :].strip(" ?!.").split()[:BESIDE]  # "у второго парковка есть"
    )
    if after and not has and not _goes_on_after(reading, cue.end, after):
        return False
    if len(reading.tokens) <= 3 or before in reading.phrases("pointing", "leads"):
        return True
    joined = any(s != cue.span and 0 <= max(s[0] - cue.end, cue.start - s[1]) <= 12 for s in spans)
    return joined or not reading.phrases("pointing", "articles")


def _goes_on_after(reading: Reading, end: int, after: str) -> bool:
    """Whether a word after an ordinal is none that it counts."""
    known = reading.phrases("pointing", "follows") | reading.phrases("detail", "openers")
    timed = any(cue.start == end + 1 for cue in (*reading.all("day"), *reading.all("clock")))
    if timed or after in known or _asks_next(reading, end):
        return True
    said = kinds([after], [reading.language] if reading.language else ())[0]
    return not SAID_OF.isdisjoint(said)  # "второе точно не подходит"


def _asks_next(reading: Reading, end: int) -> bool:
    """Whether what follows asks for a detail: "la segunda abre los lunes?" """
    place = bisect_left(reading.tokens, (end, 0))
    start = reading.tokens[place][0] if place < len(reading.tokens) else -1
    return any(cue.start == start for label in DETAILS for cue in reading.all(f"detail_{label}"))


def _counted(reading: Reading) -> Iterator[Mention]:
    """An item by its letter or its number alone: "c it is", "B but not today", "does 3 have a pool?"."""
    places = reading.made(_item_marks)
    for span in reading.tokens[:SAID]:
        place = places.get(reading.said(span))
        if place is not None and (_in_a_row(reading, span) or _is_item(reading, span)):
            yield Mention("ordinal", span, COUNTED, place)


def _item_marks(reader: Reader, language: str | None) -> dict[str, int]:
    """What the items of a list are counted by, with the place that each stands for."""
    letters = sorted(reader.recogniser.alphabets.get(language or "", LATIN))[:ITEMS]
    return {mark: place for marks in (letters, "123456789") for place, mark in enumerate(marks, 1)}


def _is_item(reading: Reading, span: Span) -> bool:
    """Whether a letter or a number is an item: something is asked of it, or it opens what is said and is no word."""
    before, after = around(reading, span)
    if after and after not in reading.phrases("pointing", "follows"):
        return False
    if before:
        return before in reading.phrases("detail", "aux") or before in reading.phrases("pointing", "numbered")
    head = reading.folded[: span[0]].rstrip()
    opens = not head.rstrip(' ¿¡"(') or head[-1] in ".,;!?"
    counts = reading.said(span).isdigit() or reading.text[span[0]].isupper() or len(reading.tokens) < ITEMS
    return opens and counts and _is_no_word(reading, reading.said(span))


def _in_a_row(reading: Reading, span: Span) -> bool:
    """Whether a number stands beside another one and counts nothing: "save 1 and 4 for me"."""
    place = bisect_left(reading.tokens, (span[0], 0))
    joins = reading.phrases("asking", "or") | reading.phrases("joints", "and") | {"&"}
    for first in (place, place - 2):
        row = [reading.said(token) for token in reading.tokens[max(first, 0) : first + 3]]
        if len(row) == 3 and row[0].isdigit() and row[2].isdigit() and row[1] in joins:
            after = around(reading, reading.tokens[first + 2])[1]
            counted = touches(span, [cue.span for cue in (*reading.all("clock"), *reading.all("day"))])
            return not counted and (not after or after in reading.phrases("pointing", "follows"))
    return False


def _is_no_word(reading: Reading, word: str) -> bool:
    """Whether a letter is no word of the language, or all that is said: "a" is an article, "в" a preposition."""
    recogniser = reading.reader.recogniser
    known = reading.language in recogniser.scripts or recogniser.knows(word, reading.language)
    return word.isdigit() or len(reading.tokens) == 1 or not known


def _number(reading: Reading, span: Span, unknown: int = 0) -> int:
    word = reading.said(span)
    return int(word) if word.isdigit() else int(reading.data("numbers").get(word, unknown))


_FROM_END = frozenset(("from_end", "next_to"))
_PLACES: dict[str, Callable[[Reading, Span], int]] = {
    "from_end": lambda reading, span: -3 if ordinal(reading, reading.said(span)) == 3 else -2,
    "next_to": lambda reading, span: -2,
    **dict.fromkeys(("number", "number2", "number3"), _number),
}
"""The place that a part of a pattern stands for: "third from the end", "next to last", "number 3"."""


def _others(reading: Reading) -> Iterator[Mention]:
    for cue in reading.all("pointing_other"):
        if "before" in cue.groups or "next" in cue.groups:
            yield Mention("beside", cue.span, cue.id, -1 if "before" in cue.groups else 1)
        elif former := reading.group(cue, "former"):
            last = former in reading.phrases("pointing", "last_words")
            yield Mention("former", cue.span, cue.id, 2 if last else 1)
        else:
            many = not reading.phrases("pointing", "many").isdisjoint(reading.said(cue.span).split())
            yield Mention("other", cue.span, cue.id, 2 if many else 1, reading.group(cue, "like"))


def _properties(reading: Reading) -> Iterator[Mention]:
    for cue in reading.all("pointing_property"):
        name = next((p for p in PROPERTIES if p in cue.groups), "like")
        told = [reading.group(cue, part).strip() for part in ("like", "where", "with")]
        words = " ".join(filter(None, told))  # "the cheaper Italian one", "the tiny one in Dinkytown"
        if _describes_nothing(reading, name, words):
            continue
        many = 2 if cue.means == "likes" else 0
        yield Mention("property", cue.span, cue.id, many, f"{name}:{words}", reading.group(cue, "noun"), cue.means)
        if more := reading.group(cue, "like2"):  # "the Thai and Lebanese ones"
            yield Mention("property", cue.groups["like2"], cue.id, many, f"like:{more}", means=cue.means)


def _describes_nothing(reading: Reading, name: str, words: str) -> bool:
    if name == "where":
        return words[:1].isdigit()  # "leave the hotel by 20:00" is no hotel by something
    small = reading.phrases("pointing", "small")  # "the hotel to the restaurant" describes nothing
    return name == "like" and not small.isdisjoint(words.split())


def _nouns(reading: Reading) -> Iterator[Mention]:
    known = things(reading)
    for cue in reading.all("pointing_noun"):
        words = reading.folded[slice(*cue.groups["noun"])]
        noun = words if words in known else words.split(" ")[0]
        begin = cue.groups["noun"][0]
        if noun in known:
            kind: Kind = "noun" if kinds_of(reading, noun) else "vague"
            yield Mention(kind, (cue.start, begin + len(noun)), cue.id, noun=noun)


def _vague(reading: Reading) -> Iterator[Mention]:
    for cue in reading.all("pointing_vague"):
        rule, word = cue.means, reading.said(cue.span)
        if rule == "demonstrative" and not _stands_alone(reading, cue):
            continue
        if rule == "pronoun" and (_is_set(reading, cue.end) or word in reading.phrases("pointing", "persons")):
            continue  # what is shown is nobody: "she" and "his" are of those that are told of
        several = rule == "demonstrative" and word in reading.phrases("pointing", "plurals")
        kind: Kind = "several" if several else "vague"
        noun = reading.group(cue, "noun") if kind == "vague" else ""
        yield Mention(kind, cue.span, cue.id, noun=noun, means=rule, vague=True)


def _is_set(reading: Reading, end: int) -> bool:
    """Whether "it" stands for what is being settled, since a place follows: "no, make it New York"."""
    place = bisect_left(reading.tokens, (end, 0))
    following = reading.tokens[place][0] if place < len(reading.tokens) else -1
    return any(found.span[0] == following for found in reading.find(places))


def _stands_alone(reading: Reading, cue: Cue) -> bool:
    """Whether "that" stands for a thing, and neither before a noun nor at the head of a clause."""
    before, after = around(reading, cue.span)
    follows = not after or after in reading.phrases("pointing", "follows")
    return follows and (not before or before in reading.phrases("pointing", "leads_alone"))


def around(reading: Reading, span: Span) -> tuple[str, str]:
    """The folded words right before and after a span, empty where a mark or the end of the text stands there."""
    text, tokens = reading.folded, reading.tokens
    place = bisect_left(tokens, (span[0], 0))
    before = after = ""
    if place and tokens[place - 1][1] <= span[0] and not text[tokens[place - 1][1] : span[0]].strip():
        before = text[slice(*tokens[place - 1])]
    while place < len(tokens) and tokens[place][0] < span[1]:
        place += 1
    if place < len(tokens) and not text[span[1] : tokens[place][0]].strip():
        after = text[slice(*tokens[place])]
    return before, after


def role(reading: Reading, span: Span) -> Literal["", "from", "to"]:
    """Whether the words before a mention say that a way leads from it or to it."""
    place = bisect_left(reading.tokens, (span[0], 0))
    before = [reading.said(token) for token in reading.tokens[max(0, place - 7) : place]]
    skipped = reading.phrases("pointing", "skipped")  # articles and the like
    while before and before[-1] in skipped:
        before.pop()
    for count in (4, 3, 2, 1):
        words = " ".join(before[-count:])
        if words in reading.phrases("pointing", "from_words"):
            return "from"
        if words in reading.phrases("pointing", "to_words"):
            return "to"
    return ""


def things(reading: Reading) -> frozenset[str]:
    """Nouns that may stand for something mentioned."""
    return _nouns_and_kinds(reading.reader, reading.language)[0]


def kinds_of(reading: Reading, noun: str) -> tuple[str, ...]:
    """The kinds of thing that a noun may name ("guesthouse": hotel)."""
    return _nouns_and_kinds(reading.reader, reading.language)[1].get(noun, ())


@lru_cache(maxsize=64)
def _nouns_and_kinds(reader: Reader, language: str | None) -> tuple[frozenset[str], dict[str, tuple[str, ...]]]:
    kinds: dict[str, tuple[str, ...]] = {}
    for kind in reader.data("kinds", language):
        for noun in reader.phrases("kinds", kind, language):
            kinds[noun] = (*kinds.get(noun, ()), kind)
    return reader.phrases("pointing", "nouns", language) | kinds.keys(), kinds


def ordinal(reading: Reading, word: str) -> int | None:
    """The place that an ordinal names: from the front 1, 2, 3 …, from the back -1, -2 …"""
    if word[:1].isdigit():  # "2nd", "3o", "2."
        return int(_DIGITS.match(word)[0])  # type: ignore[index]  # it begins with one
    stems = _stems(reading.reader, reading.language)
    return next((place for stem, place in stems if word.startswith(stem)), None)


def at_place(things: Sequence[Thing], place: int) -> Sequence[Thing]:
    """What stands at a place: counted from the front, from the back, or, for 0, in the middle; nothing where the row
    has no such place."""
    at = place - 1 if place > 0 else len(things) + place
    if place == 0:
        at = len(things) // 2 if len(things) % 2 else -1
    return things[at : at + 1] if at >= 0 else things[:0]


@lru_cache(maxsize=64)
def _stems(reader: Reader, language: str | None) -> list[tuple[str, int]]:
    """How ordinals begin, the longest first."""
    ordinals = reader.data("ordinals", language).items()
    return sorted(((stem, int(place)) for stem, place in ordinals), key=lambda pair: -len(pair[0]))


_PARTS = {
    "pointing_none": lambda reading: (Mention("none", cue.span, cue.id) for cue in reading.all("pointing_none")),
    "pointing_several": _several,
    "pointing_ordinal": _ordinals,
    "pointing_other": _others,
    "pointing_property": _properties,
    "pointing_noun": _nouns,
    "pointing_vague": _vague,
}
"""What each family of words is read by."""
