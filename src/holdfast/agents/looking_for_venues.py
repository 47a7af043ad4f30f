"""How the venue agent looks for venues: what is looked for and where, by what the engine holds; what fits, told as a
list; and what is asked where something is missing."""

from __future__ import annotations

from string import capwords
from typing import Any

from holdfast.agents import Said
from holdfast.agents.catalogue import (
    COVERED,
    DIETS,
    FEATURES,
    Venue,
    at,
    feeds,
    has_feature,
    is_city,
    is_listed,
    is_tagged,
    kind_of,
    known,
    named_alone,
    search,
    search_any,
    venue,
    words_reader,
)
from holdfast.agents.recalling import other_talks
from holdfast.agents.telling_venues import Speaker, Wants
from holdfast.agents.texts import LANGUAGES, is_made_of, texts
from holdfast.events import Cleared
from holdfast.faculties.facts.slots import SlotSet, put
from holdfast.reading.places import PARTS, gazetteer
from holdfast.reading.reader import Reading, touches
from holdfast.reading.text import fold
from holdfast.session import Session
from holdfast.turn import Turn

SHOWN = 3
LIMITS = ("price_level", "constraints")
"""What narrows a search."""
SURE = 16
"""Lead from which it is believed what a question is about, or what is wished for."""
STEM = 5
"""Letters that the forms of a name share."""


def stem(word: str) -> str:
    return word[:STEM]


def _stems(words: str) -> set[str]:
    return {*map(stem, fold(words).split())}


class Seeker(Speaker):
    """Looks for venues for one answer."""

    place: str
    city: str
    area: str

    def __init__(self, turn: Turn, chat: Session) -> None:
        super().__init__(turn.language or words_reader().read(turn.text).language)
        self.turn = turn
        self.chat = chat
        self.state = chat.state
        self.slots = self.state.slots
        self.reading: Reading = words_reader().read(turn.text)
        self.heard = chat.pack.reader.read(turn.text)
        self.wants: Wants = chat.face.wants(turn.text, turn.clauses, self._last())
        self.acts = {clause.act for clause in turn.clauses}
        self.wonders = "?" in turn.text or "asks" in self.acts
        self.asks: set[str] = set()
        self.pointed: list[Venue] = []
        self.asking = False

    def _located(self) -> None:
        """Where it is looked."""
        self.slots = self.chat.state.slots
        self.place = self.slots.get("location") or ""
        city = self._city()
        self.city = at(city)[0].city if at(city) else city
        self.area = ""
        self.area = self._part_of_town() or self._strange_part()

    def _is_placed(self) -> bool:
        """Whether it is known where to look: where the person looked in another conversation, it is looked again."""
        if self.place:
            return True
        held = (talk.state.slots.values.get("location") for talk in other_talks(self.chat))
        if place := next(filter(None, held), None):
            self.chat.act(put("location", place.value, "agent", place.canonical))
            self._located()
        return place is not None

    def _new(self, *names: str) -> bool:
        """Whether this very message gave one of these values."""
        given = {event.slot for event in self.turn.all(SlotSet)}
        return any(name in given and name in self.slots.values for name in names)

    def _last(self) -> str:
        """What we said before."""
        return str(self.state.conversation.last("assistant"))

    def _said_last(self, *keys: str) -> bool:
        """Whether our last message was one of these, whatever was filled in."""
        return self._is(self._last(), *keys)

    def _is(self, text: str, *keys: str) -> bool:
        """Whether a message of ours is one of these, whatever was filled in."""
        return any(is_made_of(text, self.words[key]) for key in keys)

    def _ask(self, key: str, asks: Any, **fields: Any) -> Said:
        """Ask; in another way where that was just asked, and not a third time. Who gave something else meanwhile hears
        so."""
        if not self._said_last(key, f"{key}_again"):
            return Said(self._say(key, **fields), attached={"asks": asks})
        # the time and the number of people that this very message gave
        when, size = (
            self.slots.get(name) if self._new(name) else None for name in ("event_date_time", "event_party_size")
        )
        if given := self._when_and_who(when, size):
            return Said(f"{self._say('kept', what=given)} {self._say(key, **fields)}", attached={"asks": asks})
        if not self._said_last(f"{key}_again"):
            return Said(self._say(f"{key}_again", **fields, **self._offers()), attached={"asks": asks})
        return Said(self._say("leave", **self._offers()))

    def _when_and_who(self, when: str | None, count: str | None, whom: str = "") -> str:
        """A time and people, as far as there are such, in words that a sentence ends with."""
        said = (self._when(when) if when else "", self._people(count) if count else "", whom)
        return ", ".join(filter(None, said)).rstrip(".")

    def _offers(self) -> dict[str, str]:
        """What there is to choose from, for another way of asking."""
        latest = [entity.name for entity in self.state.references.latest() if entity.name]
        return {"kinds": self._kinds(), "names": ", ".join(latest[:5])}

    def _latest(self) -> list[Venue]:
        """What was shown last, in its order."""
        return [shown for entity in self.state.references.shown() if (shown := venue(entity.id))]

    def _is_too_dear(self) -> bool:
        """Whether the person finds what was shown too dear, and neither books one nor looks for something else."""
        books = "book" in self.asks or (self.pointed and self.wants.has("plan"))
        return not self.asking and not books and self._finds_dear() and not self._seeks()

    def _cheaper(self) -> Said | None:
        """ "Too expensive", or a price that has no level ("something a tad cheaper"): what costs less than that, or
        than all that was shown."""
        dear = self.pointed or self._latest()
        if not dear or not self._is_too_dear():
            return None
        self._put("price_level", str(max(1, min(venue.price for venue in dear) - 1)))
        return self._search()

    def _finds_dear(self) -> bool:
        """Whether something is too dear, or wanted at another price."""
        forgot = any(event.what in LIMITS for event in self.turn.all(Cleared))
        prices = [] if forgot else self.wants.of(("price",), ("wanted", "dropped"))
        return bool(prices) or ("cheaper" in self.asks and "?" not in self.turn.text)

    def _search(self) -> Said:
        query = self._query()
        if query is None:
            return self._ask_what()
        if not self._is_placed():
            return self._ask_where()
        if found := self._found(query, self._wishes()):
            return self._listed_anew(found)
        told = self._nothing(query)
        return self._anyhow(query) or (Said(told) if told != self._last() else self._ask("query", "query"))

    def _anyhow(self, query: str) -> Said | None:
        """What is there without the limits, and was not shown already, as a list that says so."""
        shown = self._latest() if "show" not in self.asks else []
        found = [venue for venue in self._found(query, (), any_price=True) if venue not in shown][:SHOWN]
        if not found or not self._limits():
            return None
        said, place = self._listed(found), self._called(self.city)
        opening = self._say("none_without", query=self._query_told(), place=place, limits=self._limits())
        return said._replace(text=said.text.replace(self._opening(found), opening, 1))

    def _query(self) -> str | None:
        """What is looked for: what is held, or what the message names; "", which is anything, where only what it should
        have is known."""
        held: str | None = self.slots.get("search_query")
        if held is not None:
            return held
        if self.wants.named and self.wants.has("search"):
            return self._put("search_query", self.wants.named[0])
        return "" if self._limits() else None

    def _put(self, name: str, value: str) -> str:
        """A value that we take to be meant, kept."""
        self.chat.act(put(name, value, "agent"))
        self.slots = self.chat.state.slots
        return value

    def _query_told(self) -> str:
        """What is looked for, in words."""
        return ", ".join(self._sought(self.slots.get("search_query") or self.words["anything"]))

    def _ask_what(self) -> Said:
        """Ask what is looked for; who said when and with whom hears that it is kept."""
        told = self._when_and_who(self.slots.get("event_date_time"), self.slots.get("event_party_size"))
        if told and not self._said_last("kept_query", "query"):
            return Said(self._say("kept_query", what=told), attached={"asks": "query"})
        return self._ask("query", "query") if self.place or self._last() else Said(self.words["hello"])

    def _ask_where(self) -> Said:
        """Ask where, and say what was understood of a first message."""
        wishes = [self._limits(), *(self._name(wish) for wish in self._wishes() if wish not in FEATURES)]
        when = self._when_and_who(self.slots.get("event_date_time"), self.slots.get("event_party_size"))
        told = ", ".join(filter(None, [*wishes, when]))
        if self._query() or not told or self._said_last("where", "where_again", "kept_where"):
            return self._ask("where", "where")
        return Said(self._say("kept_where", what=told), attached={"asks": "where"})

    def _listed_anew(self, found: list[Venue]) -> Said:
        """What fits; the very list that was just shown is not shown again, but what else there is."""
        shown = self._latest()
        if "show" in self.asks or self._seeks() or self._new("location") or {*found[:SHOWN]} != {*shown}:
            return self._listed(found[:SHOWN])
        others = [venue for venue in found if venue not in shown]
        if others:
            return self._listed(others[:SHOWN])
        none = self._say("none_left", query=self._query_told(), place=self._called(self.city))
        return Said(" ".join([none, *self._admitted(found)]))

    @property
    def _there(self) -> str:
        """Where it is looked, as the catalogue calls it."""
        return self.area if is_city(self.area) else f"{self.area}, {self.city}" if self.area else self.city

    def _called(self, city: str) -> str:
        """A city that no list has is called as the person calls it."""
        held = self.slots.values.get("location")
        own = (held.own or held.value) if held is not None and city == self.city and not is_city(city) else ""
        return capwords(own) if own and city not in capwords(own) and not own.isascii() else super()._called(city)

    @property
    def where(self) -> str:
        """The place as it is told: a part of town as it was named, a town by its name."""
        return self.area or self._called(self.city)

    def _city(self) -> str:
        """The city of the place; of a part of town that we do not know, the city that was named before it."""
        city, place = self.slots.canonical("location") or self.place, fold(self.place)
        before = [value.canonical or "" for value in reversed(self.slots.past.get("location", ())) if value.canonical]
        areas = " ".join(fold(venue.area) for venue in known() if venue.city in before)
        if is_city(city) or (self._is_town(city) and place not in areas):
            return city  # "Roma", in Mexico City, is a part of that
        return next(filter(None, before), city)

    def _is_town(self, city: str) -> bool:
        """Whether a place is a town of its own."""
        row = gazetteer().row(fold(city))
        return row is not None and row.mark not in PARTS

    def _part_of_town(self) -> str:
        """The part of the city that is named."""
        for one in at(self.city):
            if fold(self.place).startswith(f"{fold(one.name)}, "):  # near what is planned
                return one.area
        said, whole = fold(self.place), self.slots.canonical("location") == self.city
        areas = {one.area: fold(self._name(one.area)) for one in at(self.city) if said}
        small = self.heard.phrases("small", "words") | self.heard.phrases("choice", "articles")
        part = {*said.split()} - small  # "la roma" is Roma Norte
        stems = {*map(stem, part)}
        named = {
            area: name in said or (stems <= {*map(stem, name.split())} and not whole) for area, name in areas.items()
        }
        return next(filter(named.get, named), "") if part else ""

    def _listed(self, found: list[Venue]) -> Said:
        lines = [self._filled("line", venue, number=number) for number, venue in enumerate(found, start=1)]
        return self._telling("\n".join([self._opening(found), *lines, *self._admitted(found)]), found)

    def _admitted(self, found: list[Venue]) -> list[str]:
        """That we do not know whether places have what is wished for, where their table does not say: with the first
        list, and when something else is wished for."""
        told = self._latest() and not self._new("constraints")
        free = [wish for wish in self._wishes() if wish not in FEATURES and not told]
        unknown = [self._name(wish) for wish in free if not all(is_tagged(venue, fold(wish)) for venue in found)]
        return [self._say("wish_unknown", wishes=", ".join(unknown))] if unknown else []

    def _opening(self, found: list[Venue]) -> str:
        """What was looked for that all of them are and have, and where they are."""
        wishes = [self._name(wish) for wish in self._wishes() if all(has_feature(venue, wish) for venue in found)]
        sought = self._sought(self.slots.get("search_query") or "")
        query = ", ".join(dict.fromkeys(filter(None, [*sought, *wishes]))) or self.words["anything"]
        city = self._called(found[0].city)
        inside = [(self.where or city) in (city, venue.area) for venue in found]
        key = "found" if all(inside) else "found_partly" if any(inside) else "found_near"
        return self._say(key, query=query, place=self.where or city, city=city)

    def _city_stems(self) -> set[str]:
        """The words of the city's names in all languages."""
        names = (texts("venues.name", language).get(self.city, self.city) for language in LANGUAGES)
        return _stems(" ".join([self.city, *names]))

    def _strange_part(self) -> str:
        """The part of a city that was named and that no list has."""
        held = self.slots.values.get("location")
        if held is None:
            return ""
        city = self._city_stems()
        words = [word.strip(",") for word in (held.own or held.value).split()]
        if beside := self._named_beside(city | _stems(" ".join([*words, self.place]))):
            return beside
        left = [word for word in words if stem(fold(word)) not in city]
        row, canonical = gazetteer().row(fold(held.value)), self.slots.canonical("location")
        part = row is not None and canonical not in ("", None, row.canonical)
        if left == words and not part and canonical in ("", self.city, None):
            return ""  # the city by another name
        small = self.heard.phrases("small", "words") | self.heard.phrases("choice", "articles")
        return capwords(" ".join(word for word in left if fold(word) not in small))

    def _named_beside(self, told: set[str]) -> str:
        """A place that is named beside the one that is held: "a bar in Vallecas, Madrid"."""
        areas = {*fold(" ".join(f"{venue.area} {venue.city}" for venue in known())).split()}
        named = [one.span for one in self.wants.of(("city",), ("wanted",))]
        free = [span for span in named if told.isdisjoint(_stems(self.heard.said(span)))]
        strange = [span for span in free if areas.isdisjoint(self.heard.said(span).split())]
        return capwords(self.heard.words(strange[0])) if strange else ""

    def _bounds(self, wished: tuple[str, ...], any_price: bool) -> tuple[int | None, tuple[str, ...], tuple[str, ...]]:
        """What a place may cost, what it must have, and, where more is asked for, those that were shown already."""
        level = None if any_price else self.slots.get("price_level")
        wishes = tuple(wish for wish in wished if wish in FEATURES)
        return int(level) if level else None, wishes, self._shown_ids() if "more" in self.asks else ()

    def _found(self, query: str, wished: tuple[str, ...], any_price: bool = False) -> list[Venue]:
        """What fits in the part of town that was named, and, where that is little, what fits in the rest of it; without
        the parts that the message refuses."""
        limits = self._bounds(wished, any_price)
        found = search_any(self._sought(query), self._there, *limits)
        town = at(self.city)[0].city
        if len(found) < SHOWN and fold(self.area or self.city) != fold(town):
            found = [*dict.fromkeys([*found, *search_any(self._sought(query), town, *limits)])]
        refused = self._refused_words()
        return [venue for venue in found if refused.isdisjoint(_stems(venue.area))]

    def _shown_ids(self) -> tuple[str, ...]:
        """What was shown already."""
        refs = self.state.references
        past = (*refs.entities, *(entity for shown in refs.lists for entity in shown.entities))
        return tuple(entity.id for entity in past)

    def _refused_words(self) -> set[str]:
        """The words of clauses that refuse something, without those that tell no part of town."""
        clauses = [(c.start, c.end) for c in self.turn.clauses if c.act in ("rejects", "denies")]
        words = {self.heard.said(token) for token in self.heard.tokens if touches(token, clauses)}
        small = self.heard.phrases("small", "words") | self.heard.phrases("pointing", "small")
        return {stem(word) for word in words - small}

    def _named_kinds(self) -> list[str]:
        """The kinds of places that were named side by side."""
        held = self.slots.values.get("search_query")
        return [part for part in (held.own if held is not None else "").split(", ") if kind_of(part)]

    def _sought(self, query: str) -> list[str]:
        """What is looked for: of several kinds of places that are named side by side each, "sushi or ramen"."""
        named = self._named_kinds()
        if named or not query or is_listed(query):
            return named or [query]
        return [word for word in query.split() if kind_of(word)] or [named_alone(query)]  # of a "wine bar", a bar

    def _wishes(self) -> tuple[str, ...]:
        """What is wished for; a diet that was told before is for where one eats."""
        held, query = self.slots.values.get("constraints"), self.slots.get("search_query") or ""
        diets = (
            {*DIETS}.difference(cue.means.replace("_", " ") for cue in self.reading.all("constraint"))
            if not feeds(self._sought(query))
            else ()
        )
        wishes = [COVERED.get(wish, wish) for wish in held.items] if held is not None else []
        return tuple(wish for wish in wishes if wish not in diets)

    def _limits(self) -> str:
        """What narrows the search, in words."""
        level = self.slots.get("price_level")
        limits = [self._say("price", price="$" * int(level))] if level else []
        return ", ".join([*limits, *(self._name(wish) for wish in self._wishes() if wish in FEATURES)])

    def _nothing(self, query: str) -> str:
        place, told = self._called(self.city), self._query_told()
        limits = self._limits()
        if "more" in self.asks and search(query, self.city) and not limits:
            return self._say("all_shown", query=told, place=place)
        if limits:
            return self._say("none", query=told, place=place, limits=limits)
        return self._say("none_left", query=told, place=place)

    def _telling(self, text: str, found: list[Venue]) -> Said:
        """A message with the venues that it names, so that nobody has to read their ids."""
        named = [
            {
                "name": venue.name,
                "id": venue.id,
                "kind": "venue",
                "location": venue.area,
                "price": "$" * venue.price,
                "rating": venue.rating,
                "reviews": venue.reviews,
            }
            for venue in found
        ]
        return Said(text, attached={"entities": named})

    def _people(self, count: str) -> str:
        """A number of people in words; where nobody brings company, and none was told, it is one."""
        return self._say("one_person" if count in ("", "1") else "people", count=count or "1")

    def _when(self, when: str) -> str:
        """A time as it is told: "for friday at 7" is "friday at 7"."""
        return when.removeprefix(self.words["when_lead"])

    def _seeks(self) -> bool:
        """Whether the message gives something else that is looked for, another price or place."""
        names = {"search_query"}
        if self.wants.of(("price",), ("wanted",)) or self.wants.has("search") or self.wants.has("refine"):
            names.add("price_level")
        if self.wants.of(("area", "city"), ("wanted",)):
            names.add("location")
        return any(event.value != event.old for event in self.turn.all(SlotSet) if event.slot in names)
