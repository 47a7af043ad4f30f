"""Choosing among things by what is known of them: the cheapest, the best rated, the one in a place, the vegan one."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from typing import TypeVar

from holdfast.events import Entity
from holdfast.reading.reader import Reading
from holdfast.reading.text import WORD, fold

_PARTS = re.compile(f"[{WORD}]+")
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


def _time(entity: Entity) -> float | None:
    said = _CLOCK.search(str(entity.facts.get("time") or entity.facts.get("date") or ""))
    if not said:
        return None
    hour = int(said[1]) % 12 + 12 if (said[3] or "").startswith("p") else int(said[1])
    return hour + int(said[2] or 0) / 60


_CLOCK = re.compile(r"(\d{1,2})(?::(\d{2}))?\s?([ap]\.?m)?\b", re.I)
_MEASURES: dict[str, tuple[Callable[[Entity], float | None], int]] = {
    "low_price": (price, -1),
    "high_price": (price, 1),
    "high_rating": (rating, 1),
    "low_rating": (rating, -1),
    "many_reviews": (reviews, 1),
    "early": (_time, -1),
    "late": (_time, 1),
}


def matching(reading: Reading, entities: Sequence[Thing], words: str) -> list[Thing]:
    """Those of which all the telling words are known, in their name, their facts or what was said of them."""
    small = reading.phrases("pointing", "small")
    wanted = {w for w in _PARTS.findall(words) if w not in small}
    if not wanted:
        return []
    return [e for e in entities if all(_tells(_known_of(e), word) for word in wanted)]


def _known_of(entity: Entity) -> set[str]:
    said = [entity.name, entity.kind, *(str(v) for k, v in entity.facts.items() if k != "website")]
    return set(_PARTS.findall(fold(" ".join(said))))


def _tells(known: set[str], word: str) -> bool:
    stem = word[:-2] if len(word) > 5 else word  # endings differ: "итальянский", "итальянская"
    return word in known or (len(stem) > 3 and any(k.startswith(stem) for k in known))
