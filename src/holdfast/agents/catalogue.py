"""The invented venues that the venue agent looks through, and the words that it is read with. None of them is real;
they are made of a few lists (`data/venues.tsv`) by dice that fall the same way every time. Some cities are listed;
what another town has, and what no list names, is invented when somebody looks for it, and its id says of what."""

from __future__ import annotations

import random
import string
from base64 import urlsafe_b64decode, urlsafe_b64encode
from collections.abc import Iterable
from functools import lru_cache
from itertools import product
from typing import Any, NamedTuple

from holdfast.agents.texts import LANGUAGES, grouped, reader_of, texts
from holdfast.reading.model.tokens import tokens
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
SEATED = ("outdoor seating", "pet friendly")
"""What only places have where one sits and stays."""
EATING = frozenset({"restaurant", "cafe"})
"""Tags of places where one eats."""
DEAREST = {"museum": 2, "park": 1}
"""Price of what is never dear, and has no kitchen."""
FOODS = frozenset({"food", "cuisine", "diet"})
"""What words are that name something to eat, by the lexicon."""
KINDS = ("kind", "later")
"""Kinds of venues, as they were invented first and later."""
MORNING, LATE = "05:00", "23:00"
"""Between these a place is not open late."""
FREQUENT, EARLY = ("italian", "bar"), ("coffee", "brunch")
ID = "ChIJ"
"""How an id begins."""
OF_ITS_KIND, PARTS = 6, 3
"""How many there are of what no list names; the parts of a town that no list has, with one of each kind in each."""


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


class _Lists(NamedTuple):
    """What venues are made of."""

    cities: dict[str, list[str]]
    kinds: list[_Kind]
    later: list[_Kind]
    parts: list[str]
    words: list[str]
    cases: list[list[str]]
    """Endings of a Russian word that is looked for, and what the word ends in alone."""


@lru_cache(maxsize=1)
def _lists() -> _Lists:
    table = grouped("data/venues.tsv")
    kinds, later = ([_Kind(name, shapes.split("|"), tags) for name, shapes, tags, *_ in table[k]] for k in KINDS)
    cities = {city: areas.split("|") for city, areas, *_ in table["city"]}
    cases = [pair.split("-") for pair in table["cases"][0][0].split()]
    return _Lists(cities, kinds, later, table["parts"][0][0].split("|"), table["words"][0][0].split(), cases)


@lru_cache(maxsize=1)
def known() -> tuple[Venue, ...]:
    """All venues of the listed cities."""
    lists = _lists()
    cities = lists.cities.items()
    places = [(city, kind, areas) for (city, areas), kind in product(cities, lists.kinds) for _ in range(_count(kind))]
    later = product(cities, lists.later)
    places += [(city, kind, [area]) for (city, areas), kind in later for area in areas[: _count(kind)]]
    dice, taken = random.Random(20), set[str]()
    return tuple(_invented(dice, *place, lists.words, taken) for place in places)


@lru_cache(maxsize=256)
def invented(town: str, what: str = "") -> tuple[Venue, ...]:
    """What a town, or a part of one ("Mitte, Berlin"), has of something that no list names; with nothing said, all that
    a place has that no list has."""
    lists, dice, taken = _lists(), random.Random(f"{town}\n{what}"), set[str]()
    part, _, city = town.rpartition(", ")
    areas = [part] if part else _parts(city)
    named = what.replace("{", "").replace("}", "")  # it becomes a part of what names are made by
    shape = f"{{}} {string.capwords(named)}" if named.isascii() else f"{named.capitalize()} {{}}"
    eaten = any(not FOODS.isdisjoint(token.kinds) for token in tokens(what))
    known_kinds = [kind for kind in (*lists.kinds, *lists.later) for _ in range(PARTS)]
    kinds = [_Kind(what, [shape], "restaurant" if eaten else "")] * OF_ITS_KIND if what else known_kinds
    made = (_invented(dice, city, kind, areas, lists.words, taken) for kind in kinds)
    return tuple(one._replace(id=_id(town, what, number)) for number, one in enumerate(made))


def _parts(city: str) -> list[str]:
    """The parts of a town."""
    return _lists().cities.get(city) or random.Random(city).sample(_lists().parts, PARTS)


def _id(town: str, what: str, number: int) -> str:
    return ID + urlsafe_b64encode(f"{town}\n{what}\n{number}".encode()).decode()


@lru_cache(maxsize=1)
def _by_id() -> dict[str, Venue]:
    return {venue.id: venue for venue in known()}


def venue(id: str) -> Venue | None:
    """The venue that an id means."""
    return _by_id().get(id) or _made_again(id)


def _made_again(id: str) -> Venue | None:
    """A venue that was invented when somebody looked for it; nothing where the id is none of ours."""
    try:
        town, what, number = urlsafe_b64decode(id.removeprefix(ID)).decode().split("\n")
        return invented(town, what)[int(number)]
    except (ValueError, IndexError):
        return None


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
    if not kind.tags:  # a gym, a barber
        opens, closes = dice.choice((6, 7, 8, 9)), dice.choice((18, 20, 22))
    extras = sorted(dice.sample(FEATURES, dice.choice((1, 2, 3))))
    return Venue(
        ID + "".join(dice.choices(LETTERS, k=16)),
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
        tuple(_fitting(extras, kind, closes)) or ("wifi",),
    )


def _fitting(extras: list[str], kind: _Kind, closes: int) -> list[str]:
    """The features that such a place can have."""
    lacks = () if kind.tags and kind.name not in DEAREST else KITCHEN if kind.tags else (*KITCHEN, *SEATED)
    return [e for e in extras if e not in lacks and not (e == "open late" and 2 < closes < 23)]


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
        for venue in _offered(query, place)
        if (price is None or venue.price <= price)
        and all(has_feature(venue, feature) for feature in features)
        and venue.id not in past
    ]
    return sorted(found, key=lambda venue: (-venue.rating, venue.name))


def _offered(query: str, place: str) -> list[Venue]:
    """What a place has of what is looked for."""
    part, _, town = place.rpartition(", ")
    named = fold(place) if not part or part in _parts(town) else ""
    here = (_places().get(named) or [one for one in known() if named and _is_in(one, named)]) or at(place)
    found = [venue for venue in here if _fits(venue, query)]
    if found or not here or is_listed(query):
        return found
    area, city = here[0].area, here[0].city
    strange = area not in _parts(city)
    made = invented(f"{area}, {city}" if strange else city, fold(query))
    return [venue for venue in made if strange or _is_in(venue, fold(place))]


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


@lru_cache(maxsize=1024)
def is_listed(query: str) -> bool:
    """Whether some venue of the lists is known for what is looked for."""
    return any(is_tagged(venue, query) for venue in known())


def named_alone(words: str) -> str:
    """What is looked for as it stands alone in Russian, where the lexicon knows that form: «кофейню» is «кофейня»."""
    return " ".join(map(_alone, words.split())) if not words.isascii() else words


def _alone(word: str) -> str:
    english = "".join(token.english for token in tokens(word, "ru")[:1])
    forms = (word[: -len(end)] + own for end, own in _lists().cases if word.endswith(end))
    known = (token for form in forms for token in tokens(form, "ru")[:1])  # none of «у», without its ending
    return next((one.word for one in known if one.kinds and english in ("", one.english)), word)


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


@lru_cache(maxsize=1)
def _places() -> dict[str, list[Venue]]:
    """The listed venues by their city and by their part of town."""
    found: dict[str, list[Venue]] = {}
    for one in known():
        for name in dict.fromkeys((fold(one.city), fold(one.area))):
            found.setdefault(name, []).append(one)
    return found


def is_city(name: str) -> bool:
    """Whether a city, or a part of one, is listed."""
    return fold(name) in _places()


def at(place: str) -> list[Venue]:
    """The venues of a town, or of a part of one: "Riverside, Bath" where the town is not listed."""
    if not place:
        return []
    if listed := _places().get(fold(place)):
        return listed
    part, _, town = place.rpartition(", ")
    inside = [one for one in invented(town) if fold(one.area) == fold(part)] if part in _parts(town) else []
    return inside or list(invented(string.capwords(place) if place.islower() else place))


@lru_cache(maxsize=1)
def _kinds() -> dict[str, str]:
    """The tags that words of any language mean."""
    known = [pair for language in LANGUAGES for pair in texts("venues.kind", language).items()]
    return {word: tag for tag, words in known for word in words.split()}
