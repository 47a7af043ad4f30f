"""Choosing among things by what is known of them: the cheapest, the best rated, the one in a place, the vegan one."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Sequence
from typing import NamedTuple, TypeVar

from holdfast.events import Entity
from holdfast.kept import kept
from holdfast.reading.reader import Reading, Span, inside
from holdfast.reading.standing import sentences
from holdfast.reading.text import fold

MAX_BARE_WORDS = 3
"""Words of a message that is no more than what it picks."""
LED_WORDS = 4
"""Words over which "the one" leads to what it is."""
LEAD_CHARS = 24
"""Characters before a word in which what leads to it is looked for."""
MAX_SENTENCES = 8
WHOLE = 12
"""What a word counts that is known of one thing alone; of several, each has its share."""

LONG_WORD = 6
"""Letters above which a word may stand for two: "giftcard"."""

_PARTS = re.compile(r"\d+(?:[.,]\d+)+|\w+")  # a figure is one part: of "4.8" the 8 is none
_AMOUNT = re.compile(r"\d+(?:[.,]\d+)?")
Thing = TypeVar("Thing", bound=Entity)


def choose(entities: Sequence[Thing], name: str) -> list[Thing]:
    """Those that win by a property ("low_price"); none where it is not known of all of them."""
    measure, sign = _MEASURES[name]
    values = [measure(e) for e in entities]
    if not values or any(value is None for value in values):
        return []
    best = max(sign * value for value in values if value is not None)
    return [e for e, value in zip(entities, values, strict=True) if value is not None and sign * value == best]


def price(entity: Entity) -> float | None:
    """A price as a number: an amount, or how many signs stand for it."""
    said = entity.facts.get("price", entity.facts.get("price_level"))
    if isinstance(said, (int, float)):
        return float(said)
    if not isinstance(said, str) or not said.strip():
        return None
    amount = _AMOUNT.search(said.replace(",", ""))
    return float(amount[0]) if amount else float(len(said.strip()))


def rating(entity: Entity) -> float | None:
    said = entity.facts.get("rating")
    return float(said) if isinstance(said, (int, float)) else None


def reviews(entity: Entity) -> float | None:
    said = entity.facts.get("reviews")
    return float(said) if isinstance(said, (int, float)) else None


_MEASURES: dict[str, tuple[Callable[[Entity], float | None], int]] = {
    "low_price": (price, -1),
    "high_price": (price, 1),
    "high_rating": (rating, 1),
    "low_rating": (rating, -1),
    "many_reviews": (reviews, 1),
}


def matching(reading: Reading, entities: Sequence[Thing], words: str) -> list[Thing]:
    """Those of which the telling words are known, in their name, their facts or what was said of them: all of the
    words, or else the one thing that they tell from the rest, a figure twice as much ("the 10 dollar one")."""
    wanted = set(_PARTS.findall(words)) - reading.phrases("pointing", "small")
    if not wanted or not entities:
        return []
    told = [{word for word in wanted if _tells(known, word)} for known in map(_known_of, entities)]
    if whole := [e for e, found in zip(entities, told, strict=True) if found == wanted]:
        return whole
    common = set.intersection(*told)
    scores = [sum(1 + word.isdigit() for word in found - common) for found in told]
    best = max(scores)
    sure = scores.count(best) == 1 and 2 * best >= len(wanted)
    return [entities[scores.index(best)]] if sure else []


class Pick(NamedTuple):
    """A thing that words tell apart from the others it was shown with."""

    place: int
    """Which of the things."""
    span: Span


def picks(reading: Reading, entities: Sequence[Entity], fresh: bool) -> list[Pick]:
    """What each sentence of a message picks by words that are known of one thing and not of all: "jazz? no", "the tiny
    one in Dinkytown". Of things that were not just shown, and in a question, a word must lead to it ("the")."""
    known = [_known_of(e) for e in entities]
    said = reading.find(sentences)[:MAX_SENTENCES] if len(known) > 1 else ()
    return [pick for sentence in said if (pick := _pick(reading, sentence, known, fresh)) is not None]


def _pick(reading: Reading, sentence: Span, known: list[str], fresh: bool) -> Pick | None:
    freely = fresh and reading.text[sentence[1] - 1] != "?" and not _of_oneself(reading, sentence)
    scores: Counter[int] = Counter()
    spans: dict[int, list[Span]] = {}
    for span in inside(reading.tokens, sentence):
        who = _known_by(reading, span, known)
        if not who or not _may_pick(reading, span, freely):
            continue
        for n in who:
            scores[n] += WHOLE * (1 + reading.text[span[0]].isdigit()) // len(who)
            spans.setdefault(n, []).append(span)
    (place, best), (_, second) = [*scores.most_common(2), (0, 0), (0, 0)][:2]
    return Pick(place, (spans[place][0][0], spans[place][-1][1])) if best >= WHOLE and best > second else None


def _known_by(reading: Reading, span: Span, known: list[str]) -> list[int]:
    """The things of which a word is known, where it tells them from the others."""
    word = reading.said(span)
    if word in reading.phrases("pointing", "small", "follows", "nouns") or (len(word) < 3 and not word.isdigit()):
        return []
    who = [n for n, of in enumerate(known) if _tells(of, word)]
    return who if len(who) < len(known) else []


def _of_oneself(reading: Reading, sentence: Span) -> bool:
    """Whether a sentence speaks of who says it: "I have only chicken stock" picks no chicken."""
    return not reading.phrases("pointing", "listeners").isdisjoint(reading.folded[slice(*sentence)].split())


def _may_pick(reading: Reading, span: Span, freely: bool) -> bool:
    """Whether a word may tell one thing from others: a figure, or any word that is not said freely, needs a word that
    leads to it."""
    if len(reading.tokens) <= MAX_BARE_WORDS or (freely and not reading.folded[slice(*span)].isdigit()):
        return True
    leads = reading.phrases("pointing", "pointers", "articles")
    before = reading.folded[max(0, span[0] - LEAD_CHARS) : span[0]].split()
    if any(one in reading.phrases("pointing", "ones") for one in before[-LED_WORDS:]):  # "the one that closes at 10"
        return True
    return any(lead in leads for lead in before[-3:])


def _known_of(entity: Entity) -> str:
    """The words that are known of a thing, each between blanks."""
    return _parted(" ".join([entity.name, entity.kind, *(str(v) for k, v in entity.facts.items() if k != "website")]))


_parted = kept(512)(lambda said: f" {' '.join(_PARTS.findall(fold(said)))} ")  # what was shown stays for a while


def _tells(known: str, word: str) -> bool:
    stem = word[:-2] if len(word) > 5 else word  # endings differ: "итальянский", "итальянская"
    if f" {word} " in known or (len(stem) > 3 and f" {stem}" in known):
        return True
    return len(word) > LONG_WORD and word in known.replace(" ", "")  # "giftcard" for "gift card"
