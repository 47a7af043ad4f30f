"""The invented venues that the venue agent looks through, and the words that it is read with. None of them is real;
they are made of a few lists (`data/venues.tsv`) by dice that fall the same way every time."""

from __future__ import annotations

import random
import string
from collections.abc import Iterable
from functools import lru_cache
from itertools import product
from typing import Any, NamedTuple

from holdfast.agents.texts import LANGUAGES, grouped, reader_of, texts
from holdfast.reading.reader import Reader
from holdfast.reading.tables import shipped
from holdfast.reading.text import fold

LETTERS = f"{string.ascii_uppercase}{string.ascii_lowercase}{string.digits}_-"
FEATURES = (
    *("outdoor seating", "parking", "vegan options", "gluten free"),
    *("pet friendly", "live music", "wifi", "open late"),
)
COVERED = {"vegetarian options": "vegan options"}
"""Wishes that another feature answers."""
DIETS = ("vegan options", "gluten free")
KITCHEN = (*DIETS, "live music")
EATING = frozenset({"restaurant", "cafe"})
"""Tags of places where one eats."""
DEAREST = {"museum": 2, "park": 1}
"""Price of what is never dear, and has no kitchen."""
KINDS = ("kind", "later")
"""Kinds of venues, as they were invented first and later."""
MORNING, LATE = "05:00", "23:00"
"""Between these a place is not open late."""
FREQUENT, EARLY = ("italian", "bar"), ("coffee", "brunch")


class Venue(NamedTuple):
    """One of them."""

    id: str
    name: str
    city: str
    area: str
    kind: str
    tags: str
    price: int
    rating: float
    reviews: int
    opens: str
    closes: str
    phone: str
    features: tuple[str, ...]


class _Kind(NamedTuple):
    """A kind of venue: how such places are called, and what they are known for."""

    name: str
    shapes: list[str]
    tags: str


@lru_cache(maxsize=1)
def known() -> tuple[Venue, ...]:
    """All venues there are."""
    table = grouped("data/venues.tsv")
    cities = [(city, areas.split("|")) for city, areas, *_ in table["city"]]
    kinds, later = ([_Kind(name, shapes.split("|"), tags) for name, shapes, tags, *_ in table[k]] for k in KINDS)
    words = table["words"][0][0].split()
    places = [(city, kind, areas) for (city, areas), kind in product(cities, kinds) for _ in range(_count(kind))]
    places += [(city, kind, [area]) for (city, areas), kind in product(cities, later) for area in areas[: _count(kind)]]
    dice, taken = random.Random(20), set[str]()
    return tuple(_invented(dice, *place, words, taken) for place in places)


def _count(kind: _Kind) -> int:
    """How many of a kind a city has at one time of inventing."""
    return 3 if kind.name in FREQUENT else 2


def _invented(
    dice: random.Random, city: str, kind: _Kind, areas: list[str], words: list[str], taken: set[str]
) -> Venue:
    name = ""
    while not name or f"{name} {city}" in taken:
        name = dice.choice(kind.shapes).format(dice.choice(words))
    taken.add(f"{name} {city}")
    late = kind.name == "bar"
    opens = dice.choice((7, 8)) if kind.name in EARLY else 17 if late else dice.choice((10, 11, 12))
    closes = dice.choice((1, 2)) if late else dice.choice((15, 16, 18)) if opens < 9 else dice.choice((21, 22, 23))
    extras = sorted(dice.sample(FEATURES, dice.choice((1, 2, 3))))
    return Venue(
        "ChIJ" + "".join(dice.choices(LETTERS, k=16)),
        name,
        city,
        dice.choice(areas),
        kind.name,
        f"{kind.name} {kind.tags}",
        min(dice.choice((1, 1, 2, 2, 2, 3, 3, 4)), DEAREST.get(kind.name, 4)),
        dice.choice(range(36, 50)) / 10,
        dice.randrange(20, 2400),
        f"{opens:02}:00",
        f"{closes:02}:00",
        f"+1-555-{dice.randrange(100, 999)}-{dice.randrange(1000, 9999)}",
        tuple(_fitting(extras, kind.name, closes)) or ("wifi",),
    )


def _fitting(extras: list[str], kind: str, closes: int) -> list[str]:
    """The features that such a place can have."""
    return [e for e in extras if not (kind in DEAREST and e in KITCHEN) and not (e == "open late" and 2 < closes < 23)]


@lru_cache(maxsize=1)
def words_reader() -> Reader:
    """What the agent understands and says, and what a venue can be asked to have."""
    wishes = shipped("holdfast.packs.vibehuntr", "vibehuntr", LANGUAGES)  # what a venue can be asked to have
    return reader_of("venues", *wishes)


def search(
    query: str, place: str, price: int | None = None, features: tuple[str, ...] = (), past: tuple[str, ...] = ()
) -> list[Venue]:
    """Venues of a city or an area that fit, best rated first; `past` names ids that were already shown."""
    found = [
        venue
        for venue in known()
        if _is_in(venue, fold(place))
        and _fits(venue, query)
        and (price is None or venue.price <= price)
        and all(has_feature(venue, feature) for feature in features)
        and venue.id not in past
    ]
    return sorted(found, key=lambda venue: (-venue.rating, venue.name))


def has_feature(venue: Venue, feature: str) -> bool:
    """Whether a venue has something, by its features, its hours or its kind: a vegan place has vegan dishes."""
    if feature == "open late":
        return not MORNING < venue.closes < LATE
    return feature in venue.features or feature.split(maxsplit=1)[0] in venue.tags.split()


def _fits(venue: Venue, query: str) -> bool:
    """Whether a venue is what is looked for, by its tags or its name; where nothing is, whether one goes out there."""
    if not query:
        return venue.kind != "hotel"
    return is_tagged(venue, query) or fold(query) in fold(venue.name)


def is_tagged(venue: Venue, query: str) -> bool:
    """Whether a venue is known for what a word of any language names."""
    return f" {query} " in f" {venue.tags} " or _kinds().get(fold(query), "") in venue.tags.split()


def kind_of(word: str) -> str:
    """The kind of place that a word of any language names, or nothing."""
    kind = _kinds().get(fold(word), word)
    return kind if any(venue.kind == kind for venue in known()) else ""


def feeds(queries: Iterable[str]) -> bool:
    """Whether one eats at the places that are looked for."""
    return any(is_tagged(venue, query) for query in queries for venue in known() if EATING & {*venue.tags.split()})


def search_any(queries: Iterable[str], place: str, *limits: Any) -> list[Venue]:
    """What fits any of several queries: "sushi or ramen"."""
    found = {venue for query in queries for venue in search(query, place, *limits)}
    return sorted(found, key=lambda venue: (-venue.rating, venue.name))


def _is_in(venue: Venue, place: str) -> bool:
    return fold(venue.city) == place or fold(venue.area) in place or place.endswith(fold(venue.city))


def at(city: str) -> list[Venue]:
    """The venues of a city, or of a part of one."""
    return [venue for venue in known() if fold(city) in (fold(venue.city), fold(venue.area))]


@lru_cache(maxsize=1)
def _kinds() -> dict[str, str]:
    """The tags that words of any language mean."""
    known = [pair for language in LANGUAGES for pair in texts("venues.kind", language).items()]
    return {word: tag for tag, words in known for word in words.split()}
