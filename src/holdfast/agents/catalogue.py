"""The table of invented venues that the venue agent looks through, and the words that it is read with."""

from __future__ import annotations

from functools import lru_cache
from typing import NamedTuple

from holdfast.agents.texts import LANGUAGES, rows, texts
from holdfast.reading.reader import Reader
from holdfast.reading.tables import shipped
from holdfast.reading.text import fold


class Venue(NamedTuple):
    """A row of the table."""

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


@lru_cache(maxsize=1)
def known() -> tuple[Venue, ...]:
    """All venues of the table."""
    return tuple(_venue(row) for row in rows("data/venues.tsv"))


def _venue(row: list[str]) -> Venue:
    id, name, city, area, kind, tags, price, rating, reviews, opens, closes, phone, features = row
    had = tuple(features.split(","))
    return Venue(id, name, city, area, kind, tags, int(price), float(rating), int(reviews), opens, closes, phone, had)


@lru_cache(maxsize=1)
def words_reader() -> Reader:
    """What the agent understands and says, and what a venue can be asked to have."""
    subjects = (
        ("holdfast.reading", "shared"),
        ("holdfast.agents", "venues"),
        ("holdfast.packs.vibehuntr", "vibehuntr"),  # what a venue can be asked to have
    )
    return Reader([table for package, subject in subjects for table in shipped(package, subject, LANGUAGES)])


def search(
    query: str | None, place: str, price: int | None = None, features: tuple[str, ...] = (), past: tuple[str, ...] = ()
) -> list[Venue]:
    """Venues of a city or an area that fit, best rated first; `past` names ids that were already shown."""
    found = [
        venue
        for venue in known()
        if _is_in(venue, fold(place))
        and (query is None or _is_a(venue, query))
        and (price is None or venue.price <= price)
        and set(features) <= set(venue.features)
        and venue.id not in past
    ]
    return sorted(found, key=lambda venue: (-venue.rating, venue.name))


def _is_in(venue: Venue, place: str) -> bool:
    return fold(venue.city) == place or fold(venue.area) in place or place.endswith(fold(venue.city))


def _is_a(venue: Venue, query: str) -> bool:
    return f" {query} " in f" {venue.tags} " or fold(query) in fold(venue.name) or _kin(query) in venue.tags.split()


def _kin(query: str) -> str:
    """The tag that a word of any language means."""
    return _kinds().get(fold(query), "")


@lru_cache(maxsize=1)
def _kinds() -> dict[str, str]:
    known = [pair for language in LANGUAGES for pair in texts("venues.kind", language).items()]
    return {word: tag for tag, words in known for word in words.split()}
