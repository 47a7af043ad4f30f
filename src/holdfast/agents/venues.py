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
from holdfast.events import Cleared
from holdfast.faculties.facts.slots import put
from holdfast.faculties.references.faculty import DetailAsked
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
    wishes = shipped("holdfast.packs.vibehuntr", "vibehuntr", languages)  # what a venue can be asked to have
    return Reader(
        [
            *shipped("holdfast.reading", "shared", languages),
            *shipped("holdfast.agents", "venues", languages),
            *wishes,
        ]
    )


def venues(turn: Turn, chat: Session) -> Iterator[Said]:
    """Answer one turn."""
    yield _Answer(turn, chat).said()


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
            query is None
            or f" {query} " in f" {venue.tags} "
            or fold(query) in fold(venue.name)
            or _kin(query) in venue.tags.split()
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
        self.chat = chat
        self.state = chat.state
        self.slots = self.state.slots
        self.reading: Reading = _reader().read(turn.text)
        spoken = turn.language or ""
        self.language = spoken if spoken in _reader().languages("venue_agent") else "en"
        self.words = _reader().data("venue_agent", self.language)
        self.asks = {cue.id.rpartition(".")[2] for cue in self.reading.all("venue_asks")}

    def said(self) -> Said:
        if self.turn.question:
            return Said(self.turn.question)
        pointed = self._pointed()
        if "cancel" in self.asks:
            return self._cancelled()
        if "book" in self.asks or self._booking() or self._rebooked():
            return self._book(pointed)
        if "remember" in self.asks:
            return Said(self._remembered())
        if self._forgot():
            return Said(self.words["forgotten"])
        if len(pointed) > 1 and self._new("search_query") and "compare" not in self.asks:
            return self._listed(pointed)  # "back to the sushi places"
        if len(pointed) > 1:
            return self._compared(pointed)
        if pointed and not self._looks():
            return Said(self._told(pointed[0]))
        return self._courtesy() or self._search()

    def _pointed(self) -> list[Venue]:
        """The venues that the message points at, as far as the table knows them."""
        ids = [entity.id for found in self.turn.references if found.status == "resolved" for entity in found.entities]
        return [venue for id in dict.fromkeys(ids) for venue in known() if venue.id == id]

    def _new(self, *names: str) -> bool:
        """Whether this very message gave one of these values."""
        held = self.slots.values
        return any(name in held and held[name].version == self.turn.version for name in names)

    def _looks(self) -> bool:
        """Whether the message looks for something, beside what it points at ("the first museum")."""
        mentioned = " ".join(fold(found.mention) for found in self.turn.references)
        query = self.slots.get("search_query") or ""
        return self._new("location", "price_level") or (self._new("search_query") and query not in mentioned)

    def _forgot(self) -> bool:
        """Whether something was to be forgotten, and nothing new was said."""
        gone = any(isinstance(event, Cleared) for event in self.turn.events)
        return gone and not self._new("search_query", "location", "price_level", "event_party_size", "event_date_time")

    def _remembered(self) -> str:
        """All that is held, in the words of the talk's language."""
        labels = _reader().data("venue_slots", self.language)
        held = self.slots.values
        told = [f"{label}: {held[name].own or held[name].value}" for name, label in labels.items() if name in held]
        return self._say("remembered", what="; ".join(told)) if told else self.words["nothing_yet"]

    def _last(self) -> str:
        """What we said before."""
        return next((m.text for m in reversed(self.state.conversation.recent) if m.role == "assistant"), "")

    def _courtesy(self) -> Said | None:
        """Greetings, thanks, and what is said about oneself: nothing to look for."""
        if self._new("search_query", "location", "price_level", "constraints"):
            return None
        if self._new("user_name", "user_email"):
            who = self.slots.get("user_name") or self.slots.get("user_email")
            return Said(self._say("noted", who=who))
        if len(self.reading.tokens) <= 4:
            for key in ("thanks", "hello", "bye"):
                if key in self.asks:
                    return Said(self.words[key])
        if any(found.status == "none" for found in self.turn.references) and "more" not in self.asks:
            return Said(self._say("only", count=len(self.state.references.latest())))
        return None

    # looking for venues

    def _search(self) -> Said:
        query, place = self.slots.get("search_query"), self.slots.get("location")
        if query is None and place is None:
            return Said(self.words["hello"])
        if query is None:
            return Said(self.words["query"], attached={"asks": "query"})
        if place is None:
            return Said(self.words["where"], attached={"asks": "where"})
        city = self.slots.canonical("location") or place
        if not any(fold(city) in (fold(venue.city), fold(venue.area)) for venue in known()):
            cities = ", ".join(sorted({self._called(venue.city) for venue in known()}))
            return Said(self._say("unknown_place", place=self._called(city), cities=cities))
        self._widen()
        found = self._found(query, place, city)
        if not found:
            return Said(self._nothing(query, city))
        return self._listed(found[:SHOWN])

    def _listed(self, found: list[Venue]) -> Said:
        query, place = self.slots.get("search_query"), self.slots.get("location") or found[0].city
        lines = [self._filled("line", venue, number=number) for number, venue in enumerate(found, start=1)]
        told = self._place(place, self.slots.canonical("location") or place)
        return Said("\n".join([self._say("found", query=query, place=told), *lines]))

    def _found(self, query: str, place: str, city: str) -> list[Venue]:
        """What fits in the part of town that was named, and, where that is little, what fits in the rest of it."""
        level, wishes = self.slots.get("price_level"), self.slots.values.get("constraints")
        shown = self._shown() if "more" in self.asks else ()
        limits = (int(level) if level else None, wishes.items if wishes else (), shown)
        area = place if any(fold(v.area) in fold(place) for v in known() if v.city == city) else city
        found = search(query, area, *limits)
        town = next((v.city for v in known() if fold(city) in (fold(v.city), fold(v.area))), city)
        if len(found) < SHOWN and fold(area) != fold(town):
            found += [venue for venue in search(query, town, *limits) if venue not in found]
        return found

    def _widen(self) -> None:
        """A yes to dropping the limits drops them."""
        if self.reading.has("yes") and self._last().endswith(self.words["widen"]):
            for name in ("price_level", "constraints"):
                if name in self.slots.values:
                    self.chat.clear(name)
            self.slots = self.chat.state.slots

    def _nothing(self, query: str, city: str) -> str:
        place = self._called(city)
        if "more" in self.asks and search(query, city):
            return self._say("all_shown", query=query, place=place)
        if "price_level" in self.slots.values or "constraints" in self.slots.values:
            return f"{self._say('none', query=query, place=place)} {self.words['widen']}"
        kinds = ", ".join(sorted({venue.kind for venue in known()}))
        return self._say("no_kind", query=query, place=place, kinds=kinds)

    def _shown(self) -> tuple[str, ...]:
        refs = self.state.references
        return tuple(entity.id for entity in (*refs.entities, *(e for shown in refs.lists for e in shown.entities)))

    def _place(self, place: str, city: str) -> str:
        """The place as it is told: a part of town as it was named, a town by its name."""
        part = next((v.area for v in known() if v.city == city and fold(v.area) in fold(place)), "")
        return part or self._called(city)

    def _called(self, city: str) -> str:
        """A city in the language of the talk."""
        name = self._name(city)
        return name.title() if name.islower() else name

    def _name(self, thing: str) -> str:
        """A city or a feature of the table in the language of the talk."""
        return str(_reader().data("venue_names", self.language).get(thing, thing))

    # telling of one or several

    def _told(self, venue: Venue) -> str:
        """The detail that was asked for, or all that is known."""
        for cue in self.reading.all("constraint"):
            feature = cue.id.rpartition(".")[2].replace("_", " ")
            return self._filled("has" if feature in venue.features else "has_not", venue, feature=self._name(feature))
        asked = next((e.detail for e in self.turn.events if isinstance(e, DetailAsked)), "")
        return self._filled(f"asked_{asked}" if f"asked_{asked}" in self.words else "details", venue)

    def _compared(self, pointed: list[Venue]) -> Said:
        lines = [f"{n}. {self._filled('compared', venue)}" for n, venue in enumerate(pointed, start=1)]
        best = max(pointed, key=lambda venue: venue.rating)
        tied = sum(venue.rating == best.rating for venue in pointed) > 1
        last = self.words["tied"] if tied else self._say("best", name=best.name)
        return Said("\n".join([self.words["compare"], *lines, last]))

    # booking

    def _booking(self) -> bool:
        """Whether a booking is under way: this message answers a question for it."""
        return self._last() in (self.words["how_many"], self.words["when"], self.words["which"])

    def _rebooked(self) -> bool:
        """Whether this message changes what was booked."""
        return "event_venue_name" in self.slots.values and self._new("event_party_size", "event_date_time")

    def _book(self, pointed: list[Venue]) -> Said:
        venue = pointed[0] if pointed else self._planned()
        if venue is None:
            return Said(self.words["which"], attached={"asks": "which"})
        size, when = self.slots.get("event_party_size"), self.slots.get("event_date_time")
        if size is None:
            return Said(self.words["how_many"], attached={"asks": {"about": "party", "expects": "number"}})
        if when is None:
            return Said(self.words["when"], attached={"asks": "when"})
        if self.slots.get("event_venue_name") != venue.name:  # the person chose it by saying nothing else
            self.chat.act(put("event_venue_name", venue.name, "agent"))
        who = self.slots.get("user_email") or self.words["who"]
        key = "rebooked" if self._rebooked() and "book" not in self.asks and not self._booking() else "booked"
        return Said(self._say(key, name=venue.name, when=when, count=size, who=who, id=venue.id))

    def _planned(self) -> Venue | None:
        """The venue that was named for the event, else the only one that we spoke of last."""
        recent = {entity.name: entity.id for entity in self.state.references.entities}
        if name := self.slots.get("event_venue_name"):
            called = [v for v in known() if fold(v.name) == fold(name)]
            return next((v for v in called if v.id == recent.get(name)), called[0] if called else None)
        told = [venue for venue in known() if venue.id in self._last()]
        if not told and self._booking():  # a question of ours came between
            told = [venue for venue in known() if venue.id in list(recent.values())[-1:]]
        return told[0] if len(told) == 1 else None

    def _cancelled(self) -> Said:
        venue = self._planned() if "event_venue_name" in self.slots.values else None
        if venue is None:
            return Said(self.words["no_booking"])
        for name in ("event_venue_name", "event_party_size", "event_date_time"):
            if name in self.slots.values:
                self.chat.clear(name)
        return Said(self._filled("cancelled", venue))

    def _filled(self, key: str, venue: Venue, **more: Any) -> str:
        fields: dict[str, Any] = {**venue._asdict(), **more, "city": self._called(venue.city)}
        fields |= {"price": "$" * venue.price, "features": ", ".join(self._name(f) for f in venue.features)}
        return self._say(key, **fields)

    def _say(self, key: str, **fields: Any) -> str:
        return str(self.words[key]).format(**fields)
