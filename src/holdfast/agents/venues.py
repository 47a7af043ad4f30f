"""A small real venue agent over a table of invented venues: search, narrow, details, compare, book.

It remembers nothing itself. Everything it needs is in what the engine holds: what is looked for, where, how dear it
may be, and which venue the person points at.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import lru_cache
from importlib.resources import files
from typing import Any, NamedTuple

from holdfast.agents import Said
from holdfast.reading.reader import Reader, Reading
from holdfast.reading.tables import shipped
from holdfast.reading.text import fold
from holdfast.session import Session
from holdfast.turn import Turn

SHOWN = 3


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
    text = files("holdfast.agents").joinpath("data/venues.tsv").read_text(encoding="utf-8")
    return tuple(_venue(line.split("\t")) for line in text.splitlines() if not line.startswith("#"))


def _venue(row: list[str]) -> Venue:
    id, name, city, area, kind, tags, price, rating, reviews, opens, closes, phone, features = row
    had = tuple(features.split(","))
    return Venue(id, name, city, area, kind, tags, int(price), float(rating), int(reviews), opens, closes, phone, had)


@lru_cache(maxsize=1)
def _reader() -> Reader:
    languages = ("en", "ru", "es")
    return Reader([*shipped("holdfast.reading", "shared", languages), *shipped("holdfast.agents", "venues", languages)])


def venues(turn: Turn, chat: Session) -> Iterator[Said]:
    """Answer one turn."""
    agent = _Answer(turn, chat)
    yield agent.said()


def search(
    query: str | None, place: str, price: int | None = None, features: tuple[str, ...] = (), past: tuple[str, ...] = ()
) -> list[Venue]:
    """Venues of a city or an area that fit, best rated first; `past` names ids that were already shown."""
    here = fold(place)
    found = [
        venue
        for venue in known()
        if (fold(venue.city) == here or fold(venue.area) in here or here.endswith(fold(venue.city)))
        and (
            query is None or query in venue.tags or fold(query) in fold(venue.name) or _kin(query) in venue.tags.split()
        )
        and (price is None or venue.price <= price)
        and set(features) <= set(venue.features)
        and venue.id not in past
    ]
    return sorted(found, key=lambda venue: (-venue.rating, venue.name))


def _kin(query: str) -> str:
    """The tag that a word of another language means."""
    return str(_reader().data("venue_kinds").get(fold(query), ""))


class _Answer:
    """One answer in the making."""

    def __init__(self, turn: Turn, chat: Session) -> None:
        self.turn = turn
        self.state = chat.state
        self.slots = self.state.slots
        self.reading: Reading = _reader().read(turn.text)
        self.words = _reader().data("venue_agent", turn.language or "en")
        self.asks = {cue.id.rpartition(".")[2] for cue in self.reading.all("venue_asks")}

    def said(self) -> Said:
        if self.turn.question:
            return Said(self.turn.question)
        if self.reading.has("politeness") and len(self.reading.tokens) <= 4 and not self._searching():
            return Said(self.words["thanks"])
        pointed = self._pointed()
        if "book" in self.asks or self._booking():
            return self._book(pointed)
        if len(pointed) > 1:
            return self._compare(pointed)
        if pointed and not self._searching():
            return Said(self._filled("details", pointed[0]))
        return self._search()

    def _pointed(self) -> list[Venue]:
        """The venues that the message points at, as far as the table knows them."""
        ids = [entity.id for found in self.turn.references if found.status == "resolved" for entity in found.entities]
        return [venue for id in dict.fromkeys(ids) for venue in known() if venue.id == id]

    def _searching(self) -> bool:
        """Whether this very message says what to look for or where."""
        held = self.slots.values
        return any(name in held and held[name].version == self.turn.version for name in ("search_query", "location"))

    def _booking(self) -> bool:
        """Whether a booking is under way: this message answers a question for it."""
        last = next((m.text for m in reversed(self.state.conversation.recent) if m.role == "assistant"), "")
        return last in (self.words["how_many"], self.words["when"], self.words["which"])

    def _search(self) -> Said:
        query, place = self.slots.get("search_query"), self.slots.get("location")
        if query is None and place is None:
            return Said(self.words["hello"])
        if query is None:
            return Said(self.words["query"], attached={"asks": "query"})
        if place is None:
            return Said(self.words["where"], attached={"asks": "where"})
        city = self.slots.canonical("location") or place
        if not any(fold(venue.city) == fold(city) or fold(venue.area) == fold(city) for venue in known()):
            return Said(self._say("unknown_place", place=place, cities=", ".join(sorted({v.city for v in known()}))))
        level, wishes = self.slots.get("price_level"), self.slots.values.get("constraints")
        shown = self._shown() if "more" in self.asks else ()
        area = place if any(fold(v.area) in fold(place) for v in known() if v.city == city) else city
        found = search(query, area, int(level) if level else None, wishes.items if wishes else (), shown)
        if not found:
            return Said(self._say("none", query=query, place=place))
        lines = [self._filled("line", venue, number=number) for number, venue in enumerate(found[:SHOWN], start=1)]
        head = self._say("found", query=query, place=place)
        return Said("\n".join([head, *lines]))

    def _shown(self) -> tuple[str, ...]:
        if "references" not in self.state.session.slices:
            return ()
        return tuple(entity.id for entity in self.state.references.entities)

    def _compare(self, pointed: list[Venue]) -> Said:
        lines = [f"{n}. {self._filled('compared', venue)}" for n, venue in enumerate(pointed, start=1)]
        best = max(pointed, key=lambda venue: venue.rating)
        return Said("\n".join([self.words["compare"], *lines, self._say("best", name=best.name)]))

    def _book(self, pointed: list[Venue]) -> Said:
        venue = pointed[0] if pointed else self._planned()
        if venue is None:
            return Said(self.words["which"], attached={"asks": "which"})
        size, when = self.slots.get("event_party_size"), self.slots.get("event_date_time")
        if size is None:
            return Said(self.words["how_many"], attached={"asks": {"about": "party", "expects": "number"}})
        if when is None:
            return Said(self.words["when"], attached={"asks": "when"})
        who = self.slots.get("user_email") or self.words["who"]
        return Said(self._say("booked", name=venue.name, when=when, count=size, who=who, id=venue.id))

    def _planned(self) -> Venue | None:
        """The venue that was named for the event, else the one that was spoken of last."""
        name = self.slots.get("event_venue_name")
        recent = self.state.references.entities if "references" in self.state.session.slices else ()
        names = [name] if name else [entity.name for entity in reversed(recent)]
        ids = {entity.name: entity.id for entity in recent}
        for wanted in names:
            for venue in known():
                if venue.id == ids.get(wanted) or (wanted not in ids and fold(venue.name) == fold(wanted)):
                    return venue
        return None

    def _filled(self, key: str, venue: Venue, **more: Any) -> str:
        fields: dict[str, Any] = {**venue._asdict(), **more}
        fields |= {"price": "$" * venue.price, "features": ", ".join(venue.features)}
        return self._say(key, **fields)

    def _say(self, key: str, **fields: Any) -> str:
        return str(self.words[key]).format(**fields)
