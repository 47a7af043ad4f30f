"""What a person's message points with: "the second one", "number 3", "both", "the cheaper one", "that", "it", "the
hotel", or nothing said at all ("what's the address?").

Found here without any state: what the words point at is decided by the faculty that knows what was mentioned. Words
that look like pointing and are none ("the first time", "one more thing", "it is raining") are left out.
"""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Iterator
from functools import lru_cache
from typing import Literal, NamedTuple

from holdfast.reading.reader import Cue, Reader, Reading, Span
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
    "person",
    "silent",
]

COUNTED = "pointing.counted"
LATIN = "abcdefghijklmnopqrstuvwxyz"
ITEMS, SAID = 8, 24
"""Items that are counted by a letter, and words of a message in which one is looked for."""
_DIGITS = re.compile(r"[0-9]+")
PROPERTIES = (
    "low_price",
    "high_price",
    "high_rating",
    "low_rating",
    "many_reviews",
    "early",
    "late",
    "where",
    "with",
    "like",
)


class Mention(NamedTuple):
    """Some words that point."""

    kind: Kind
    span: Span
    rule: str
    place: int = 0
    """Of ordinals: 1, 2, 3 … from the front, -1, -2 … from the back. Of a property: 2 where several have it."""
    value: str = ""
    """Of a property: its name ("low_price") and the folded words to look for ("where:fishtown"). Of an ordinal: what
    it counts ("the first Italian place")."""
    noun: str = ""
    """The thing it is said to be ("hotel"), where that is said."""
    means: str = ""
    """What its pattern means, as the table declares it."""
    vague: bool = False
    """Whether it is no more than a pronoun or the like."""


def mentions(reading: Reading) -> list[Mention]:
    """The pointing words of a message, in order. Use as `reading.find(mentions)`."""
    found = _pointing(reading)
    if found and reading.has("pointing_away", "repair", "repair_weak"):
        found = _turned_away(reading, found)
    return sorted(found, key=lambda mention: mention.span)


def _pointing(reading: Reading) -> list[Mention]:
    """All that points, refused or not."""
    found = [mention for family, part in _PARTS.items() if reading.has(family) for mention in part(reading)]
    found += [m for m in _counted(reading) if not _touches(m.span, [other.span for other in found])]
    if found and reading.has("not_pointing"):
        masked = [cue.span for cue in reading.all("not_pointing")]
        found = [mention for mention in found if not _touches(mention.span, masked)]
    return found


def refusals(reading: Reading) -> list[Mention]:
    """What is pointed at only to be refused: the first in "not the first one, the other two"."""
    return _away(reading, _pointing(reading)) if reading.has("pointing_away", "repair", "repair_weak") else []


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
    kept = [m for m in found if m not in away and not _touches(m.span, [r.span for r in away])]
    return kept if kept or not away else [Mention("none", away[0].span, "pointing.away")]


def refused(reading: Reading, span: Span) -> bool:
    """Whether what stands there is named only to be refused ("not Osteria", "anything but the first"), or taken back
    ("the second, no, the third")."""
    if reading.has("repair", "repair_weak") and "withdrawn" in reading.find(standing).of(span):
        return True
    return any(0 < span[0] - cue.end <= 2 for cue in reading.all("pointing_away"))


def earlier_list(reading: Reading) -> bool:
    """Whether the message speaks of a list before the latest ("the second one from before")."""
    return reading.has("pointing_list")


def _none(reading: Reading) -> Iterator[Mention]:
    for cue in reading.all("pointing_none"):
        yield Mention("none", cue.span, cue.id)


def _several(reading: Reading) -> Iterator[Mention]:
    numbers = reading.data("numbers")
    for cue in reading.all("pointing_several"):
        after = around(reading, cue.span)[1]
        if cue.means == "all_but":
            yield Mention("remainder", cue.span, cue.id)
            continue
        pronoun = reading.folded[: cue.end].split()[-1] in reading.phrases("pointing", "they", "plurals", "ones")
        follows = reading.phrases("pointing", "follows")
        if after and not pronoun and after not in things(reading) and after not in follows:
            continue  # "the first two weeks"
        if "n" in cue.groups:
            word = reading.folded[slice(*cue.groups["n"])]
            count = int(word) if word.isdigit() else int(numbers.get(word, 2))  # "оба последних"
            which = reading.folded[slice(*cue.groups["first_n"])]
            last = which in reading.phrases("pointing", "last_words")
            yield Mention("first_n", cue.span, cue.id, -count if last else count)
        else:
            yield Mention("several", cue.span, cue.id, 2 if cue.means == "both" else 0)


def _ordinals(reading: Reading) -> Iterator[Mention]:
    cues = reading.all("pointing_ordinal")
    ends = [cue for cue in cues if "from_end" in cue.groups or "next_to" in cue.groups]
    taken = [cue.span for cue in ends]
    for cue in ends:
        third = "from_end" in cue.groups and ordinal(reading, reading.folded[slice(*cue.groups["from_end"])]) == 3
        yield Mention("ordinal", cue.span, cue.id, -3 if third else -2)
    found: list[Mention] = []
    for cue in cues:
        if _touches(cue.span, taken):
            continue
        for group in ("number", "number2", "number3"):
            if group in cue.groups:
                found.append(Mention("ordinal", cue.span, cue.id, _number(reading, cue.groups[group])))
                taken.append(cue.span)
    spans = [cue.span for cue in cues if "ordinal" in cue.groups and not _touches(cue.span, taken)]
    for cue in cues:
        if "ordinal" in cue.groups and cue.span in spans:
            yield from _ordinal(reading, cue, spans)
    yield from found


def _ordinal(reading: Reading, cue: Cue, spans: list[Span]) -> Iterator[Mention]:
    """An ordinal points at a thing when a noun for things or a small word follows, and something leads to it."""
    place = ordinal(reading, reading.folded[slice(*cue.groups["ordinal"])])
    if place is None:
        return
    if "like" in cue.groups:  # "the first Italian place"
        like = reading.folded[slice(*cue.groups["like"])]
        yield Mention("ordinal", cue.span, cue.id, place, like, reading.folded[slice(*cue.groups["noun"])])
        return
    before, after = around(reading, cue.span)
    noun = after if after in things(reading) else ""
    joined = any(s != cue.span and 0 <= max(s[0] - cue.end, cue.start - s[1]) <= 12 for s in spans)
    alone = len(reading.tokens) <= 3 or joined or not reading.phrases("pointing", "articles")
    open_end = not after or after in reading.phrases("pointing", "follows") | reading.phrases("detail", "openers")
    led = alone or before in reading.phrases("pointing", "leads")
    if noun or (open_end and led):
        start = cue.start - len(before) - 1 if before in reading.phrases("pointing", "articles") else cue.start
        yield Mention("ordinal", (start, cue.end + len(noun) + bool(noun)), cue.id, place, noun=noun)


def _counted(reading: Reading) -> Iterator[Mention]:
    """An item by its letter or its number alone: "c it is", "B but not today", "does 3 have a pool?"."""
    letters = "".join(sorted(reading.reader.recogniser.alphabets.get(reading.language or "", LATIN)))
    for span in reading.tokens[:SAID]:
        word = reading.folded[slice(*span)]
        if len(word) != 1 or not (word.isdigit() or word in letters[:ITEMS]):
            continue
        before, after = around(reading, span)
        ends = not after or after in reading.phrases("pointing", "follows")
        asked = before in reading.phrases("detail", "aux") or before in reading.phrases("pointing", "numbered")
        opens = not reading.folded[: span[0]].rstrip(' ¿¡"(') or reading.folded[: span[0]].rstrip()[-1] in ".,;!?"
        alone = (
            opens and not before and (word.isdigit() or reading.text[span[0]].isupper() or len(reading.tokens) < ITEMS)
        )
        if ends and word != "0" and (asked or (alone and _is_no_word(reading, word))):
            place = int(word) if word.isdigit() else letters.index(word) + 1
            yield Mention("ordinal", span, COUNTED, place)


def _is_no_word(reading: Reading, word: str) -> bool:
    """Whether a letter is no word of the language, or all that is said: "a" is an article, "в" a preposition."""
    recogniser = reading.reader.recogniser
    known = reading.language in recogniser.scripts or recogniser.knows(word, reading.language)
    return word.isdigit() or len(reading.tokens) == 1 or not known


def _number(reading: Reading, span: Span) -> int:
    word = reading.folded[slice(*span)]
    return int(word) if word.isdigit() else int(reading.data("numbers").get(word, 0))


def _others(reading: Reading) -> Iterator[Mention]:
    for cue in reading.all("pointing_other"):
        if "before" in cue.groups or "next" in cue.groups:
            yield Mention("beside", cue.span, cue.id, -1 if "before" in cue.groups else 1)
        elif "former" in cue.groups:
            word = reading.folded[slice(*cue.groups["former"])]
            last = word in reading.phrases("pointing", "last_words")
            yield Mention("former", cue.span, cue.id, 2 if last else 1)
        else:
            words = reading.folded[slice(*cue.span)].split()
            many = not reading.phrases("pointing", "many").isdisjoint(words)
            like = reading.folded[slice(*cue.groups["like"])] if "like" in cue.groups else ""
            yield Mention("other", cue.span, cue.id, 2 if many else 1, like)


def _properties(reading: Reading) -> Iterator[Mention]:
    small = reading.phrases("pointing", "small")
    for cue in reading.all("pointing_property"):
        name = next((p for p in PROPERTIES if p in cue.groups and p != "like"), "like")
        told = [reading.folded[slice(*cue.groups[k])].strip() for k in ("like", "where", "with") if k in cue.groups]
        words = " ".join(told)  # "the cheaper Italian one", "the tiny one in Dinkytown"
        if name == "where" and words[:1].isdigit():
            continue  # "leave the hotel by 20:00" is no hotel by something
        if name == "like" and small.intersection(words.split()):
            continue  # "the hotel to the restaurant" describes nothing
        noun = reading.folded[slice(*cue.groups["noun"])] if "noun" in cue.groups else ""
        many = 2 if cue.means == "likes" else 0
        yield Mention("property", cue.span, cue.id, many, f"{name}:{words}", noun, cue.means)
        if "like2" in cue.groups:  # "the Thai and Lebanese ones"
            more = reading.folded[slice(*cue.groups["like2"])]
            yield Mention("property", cue.groups["like2"], cue.id, many, f"like:{more}", means=cue.means)


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
    persons = reading.phrases("pointing", "persons")
    for cue in reading.all("pointing_vague"):
        rule = cue.means
        word = reading.folded[slice(*cue.span)]
        if rule == "demonstrative" and not _stands_alone(reading, cue):
            continue
        if rule == "pronoun" and word in persons:
            yield Mention("person", cue.span, cue.id, means=rule, vague=True)
        elif rule == "demonstrative" and word in reading.phrases("pointing", "plurals"):
            yield Mention("several", cue.span, cue.id, means=rule, vague=True)
        else:
            noun = reading.folded[slice(*cue.groups["noun"])] if "noun" in cue.groups else ""
            yield Mention("vague", cue.span, cue.id, noun=noun, means=rule, vague=True)


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


Way = Literal["", "from", "to"]


def role(reading: Reading, span: Span) -> Way:
    """Whether the words before a mention say that a way leads from it or to it."""
    before = _before(reading, span)
    if way := _led(reading, before):
        return way
    if not _between(reading, span):
        return ""
    return _side(reading, span) or (
        "to" if before[-1:] and before[-1] in reading.phrases("pointing", "joins") else "from"
    )


def _before(reading: Reading, span: Span) -> list[str]:
    """The words before a mention, without articles and the like."""
    text = reading.folded
    place = bisect_left(reading.tokens, (span[0], 0))
    before = [text[a:b] for a, b in reading.tokens[max(0, place - 7) : place] if b <= span[0]]
    skipped = reading.phrases("pointing", "skipped")
    while before and before[-1] in skipped:
        before.pop()
    return before


def _led(reading: Reading, before: list[str]) -> Way:
    for count in (4, 3, 2, 1):
        words = " ".join(before[-count:])
        if words in reading.phrases("pointing", "from_words"):
            return "from"
        if words in reading.phrases("pointing", "to_words"):
            return "to"
    return ""


def _side(reading: Reading, span: Span) -> Way:
    """Which side of "between the restaurant and the hotel" it is, where other words of the message say so ("I want to
    leave the hotel by 8")."""
    noun = reading.folded[slice(*span)].split()[-1]
    for mention in reading.find(mentions):
        if mention.kind == "noun" and (way := _led(reading, _before(reading, mention.span))):
            return way if mention.noun == noun else "to" if way == "from" else "from"
    return ""


def _between(reading: Reading, span: Span) -> bool:
    """Whether a mention is one side of "between … and …"."""
    text = reading.folded[max(0, span[0] - 60) : span[0]]
    return any(f" {word} " in f" {text}" for word in reading.phrases("pointing", "between"))


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


@lru_cache(maxsize=64)
def _stems(reader: Reader, language: str | None) -> list[tuple[str, int]]:
    """How ordinals begin, the longest first."""
    ordinals = reader.data("ordinals", language).items()
    return sorted(((stem, int(place)) for stem, place in ordinals), key=lambda pair: -len(pair[0]))


_PARTS = {
    "pointing_none": _none,
    "pointing_several": _several,
    "pointing_ordinal": _ordinals,
    "pointing_other": _others,
    "pointing_property": _properties,
    "pointing_noun": _nouns,
    "pointing_vague": _vague,
}
"""What each family of words is read by."""


def _touches(span: Span, others: list[Span]) -> bool:
    return any(start < span[1] and span[0] < end for start, end in others)
