"""A small real venue agent over a table of invented venues: search, narrow, details, compare, plan and book.

It remembers nothing itself. Everything it needs is in what the engine holds: what is looked for, where, how dear it
may be, which venue the person points at, and what was planned. It answers what was asked before it asks, never puts
the same question twice in a row, and books only what the person asked to be booked or said yes to.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from itertools import takewhile
from typing import Any

from holdfast.agents import Said
from holdfast.agents.catalogue import (
    COVERED,
    DIETS,
    FEATURES,
    Venue,
    at,
    feeds,
    kind_of,
    known,
    search,
    search_any,
    words_reader,
)
from holdfast.agents.courtesies import courtesy
from holdfast.agents.recalling import other_talks
from holdfast.agents.texts import texts
from holdfast.events import Cleared, DoubtRaised, ReferenceResolved
from holdfast.faculties.facts.slots import SlotSet, put
from holdfast.faculties.facts.slots.readers import lacks_hour
from holdfast.faculties.plans import (
    Plan,
    PlanBeside,
    PlanKept,
    PlansAsked,
    PlanTurnedTo,
    booked,
    cancelled,
    planned,
    plans_of,
)
from holdfast.faculties.plans.meant import asks
from holdfast.faculties.references.faculty import ADDRESSED, DetailAsked
from holdfast.reading.lexicon import kinds
from holdfast.reading.model.tokens import tokens
from holdfast.reading.places import PARTS, gazetteer
from holdfast.reading.reader import Reading, begins_in
from holdfast.reading.standing import standing
from holdfast.reading.text import fold
from holdfast.session import Session
from holdfast.turn import Turn

SHOWN = 3
SEARCHED = ("search_query", "location", "price_level", "constraints")
BOOKING = (
    *("mean", "which", "which_again", "kept_which", "how_many", "how_many_again"),
    *("when", "when_again", "hour", "hour_again"),
)
"""What is asked for a booking."""
REMARKS = {"remarks", "reports", "states", "greets", "thanks", "confirms"}
"""Acts of a message that is only talk."""
REMARK = 12
"""Lead from which a remark is believed to be one."""
PARTY = {"about": "party", "expects": "number"}
OFFER = {"about": "offer", "expects": "yes_no"}
BARE = 4
"""Words of a message of which nobody can tell whether it only tells something."""
TOLD = ("where", "when", "cost", "contact")
"""Details that the table has of a venue."""
QUESTION_BEFORE = 6
"""Messages and calls before one in which the question before it stands."""
LIMITS = ("price_level", "constraints")
"""What narrows a search."""


_FIELD = re.compile(r"\{\w+\}")


def venues(turn: Turn, chat: Session) -> Iterator[Said]:
    """Answer one turn."""
    yield _Answer(turn, chat).said()


def _asked(reading: Reading, negated: bool = False) -> set[str]:
    """What a message asks the agent for; with `negated`, what it asks not to be done."""
    stands = reading.find(standing)
    return {cue.means for cue in reading.all("venue_asks") if ("negated" in stands.of(cue.span)) == negated}


def _questions(reading: Reading, details: Iterable[DetailAsked]) -> list[str]:
    """What a message asks of a venue: features that the table tells of, and details; all of them where it says so."""
    wished = [cue.means.replace("_", " ") for cue in reading.all("constraint")]
    features = [name for name in (COVERED.get(one, one) for one in wished) if name in FEATURES]
    everything = ["details"] if "details" in _asked(reading) else []
    return [*dict.fromkeys((*features, *(event.detail for event in details), *everything))]


class _Answer:
    """One answer in the making."""

    def __init__(self, turn: Turn, chat: Session) -> None:
        self.turn = turn
        self.chat = chat
        self.state = chat.state
        self.slots = self.state.slots
        self.reading: Reading = words_reader().read(turn.text)
        self.language = turn.language or self.reading.language
        self.words = texts("venues", self.language)
        self.asks = self._asked_for() | ({courtesy(turn.text, turn.clauses)} - {""})
        self.acts = {clause.act for clause in turn.clauses}
        self.wonders = "?" in turn.text or "asks" in self.acts
        self.pointed = self._pointed()
        self.questions = self._questions()
        self._located()
        missed = any(found.status == "none" for found in turn.references)
        refused = missed and chat.pack.reader.read(turn.text).has("pointing_none", "pointing_away")
        self.beyond = missed and not refused
        if refused and not self.wonders:
            self.asks.add("more")  # "not those": others are wanted

    def said(self) -> Said:
        """The first of these that has something to say."""
        parts = (
            self._doubt,
            self._not_meant,
            self._consent,
            self._courtesy,
            self._cancel,
            self._plans,
            self._remember,
            self._advice,
            self._cheaper,
            self._booking,
            self._forgotten,
            self._nearest,
            self._about_pointed,
            self._searched,
            self._gave,
            self._beyond,
            self._goodbye,
        )
        said = next((said for part in parts if (said := part()) is not None), None) or self._lost()
        # What it names is attached with its ids, where it is shown; elsewhere a name in bold is nothing new.
        return said._replace(attached={"entities": [], **said.attached})

    def _located(self) -> None:
        """Where it is looked."""
        self.slots = self.chat.state.slots
        self.place = self.slots.get("location") or ""
        self.city = self._city()
        self.area = self._part_of_town()

    def _is_placed(self) -> bool:
        """Whether it is known where to look: where the person looked in another conversation, it is looked again."""
        if self.place:
            return True
        held = (talk.state.slots.values.get("location") for talk in other_talks(self.chat))
        if place := next(filter(None, held), None):
            self.chat.act(put("location", place.value, "agent", place.canonical))
            self._located()
        return place is not None

    def _asked_for(self) -> set[str]:
        """What the message asks us for; "do we need to book it?" asks for no booking."""
        reading = self.chat.pack.reader.read(self.turn.text)
        questions = [(c.start, c.end) for c in self.turn.clauses if asks(reading, c)]
        wondered = {c.means for c in self.reading.all("venue_asks") if begins_in(c.start, questions)}
        told = {c.means for c in self.reading.all("venue_asks") if not begins_in(c.start, questions)}
        return _asked(self.reading) - ({"book"} & (wondered - told))

    def _agrees(self) -> bool:
        """Whether the message says yes, and not in a question."""
        asking = [(c.start, c.end) for c in self.turn.clauses if c.act == "asks"]
        said = any(not begins_in(cue.start, asking) for cue in self.reading.all("yes"))
        return said or any(c.act == "confirms" and c.lead >= REMARK for c in self.turn.clauses)

    def _pointed(self) -> list[Venue]:
        """The venues that the message points at, as far as the table knows them; what is only told ("Greg will love
        that") asks nothing of them."""
        if self._only_tells():
            return []
        ids = [entity.id for found in self.turn.references if found.status == "resolved" for entity in found.entities]
        return [venue for id in dict.fromkeys(ids) for venue in known() if venue.id == id]

    def _only_tells(self) -> bool:
        """Whether the message tells something at length, and asks for nothing."""
        if len(self.turn.text.split()) <= BARE or self._detail():
            return False
        return all(c.act not in ADDRESSED and (c.lead >= REMARK or self._vague()) for c in self.turn.clauses)

    def _new(self, *names: str) -> bool:
        """Whether this very message gave one of these values."""
        given = {event.slot for event in self.turn.all(SlotSet)}
        return any(name in given and name in self.slots.values for name in names)

    def _looks(self) -> bool:
        """Whether the message looks for something, beside what it points at ("the first museum")."""
        mentioned = " ".join(fold(found.mention) for found in self.turn.references)
        query = self.slots.get("search_query") or ""
        return self._new("location", "price_level") or (self._new("search_query") and query not in mentioned)

    def _last(self) -> str:
        """What we said before."""
        return str(self.state.conversation.last("assistant"))

    def _said_last(self, *keys: str) -> bool:
        """Whether our last message was one of these, whatever was filled in."""
        return self._is(self._last(), *keys)

    def _is(self, text: str, *keys: str) -> bool:
        """Whether a message of ours is one of these, whatever was filled in."""
        return any(text and all(part in text for part in _FIELD.split(self.words[key])) for key in keys)

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
        return {"cities": ", ".join(self._cities()[:6]), "kinds": self._kinds(), "names": ", ".join(latest[:5])}

    def _cities(self) -> list[str]:
        return sorted({self._called(venue.city) for venue in known()})

    # what is settled before anything else

    def _doubt(self) -> Said | None:
        question = self.turn.question
        if not question:
            return None
        tied = [entity.id for found in self.turn.references if found.status == "ambiguous" for entity in found.entities]
        if tied and self.wonders and "book" not in self.asks:  # "which is the cheapest?", and two are
            return self._several([venue for venue in known() if venue.id in tied])
        text = self._say("one_of", names=question.rstrip("?")) if self._last() == question else question
        return Said(text)

    def _courtesy(self) -> Said | None:
        """Greetings, thanks and goodbyes, and what we can do."""
        told = {"bye": "bye", "thanks": "thanks", "help": "help", "there": "chat_again", "hello": "hello"}
        return next((Said(self.words[key]) for asked, key in told.items() if asked in self.asks), None)

    def _consent(self) -> Said | None:
        """A yes or a no to "shall I book …?"."""
        plan = plans_of(self.state).now
        yes, no = self._agrees(), self.reading.has("no")
        if plan is None or not self._said_last("shall") or any(v.name != plan.venue for v in self.pointed):
            return None
        if no and not yes:
            return None if self._gives() else Said(self.words["not_booked"])
        return self._settled(plan) if yes or "book" in self.asks else None

    def _not_meant(self) -> Said | None:
        """A no to "do you mean …?"."""
        if not self.reading.has("no") or not self._said_last("mean") or self._gives():
            return None
        if "event_venue_name" in self.slots.values:
            self.chat.clear("event_venue_name")
        return Said(self.words["not_booked"])

    def _cancel(self) -> Said | None:
        """What the message took back itself; where nobody can tell which plan it means, those that it may mean."""
        if ended := [
            self._ended(event.plan, event.was) for event in self.turn.all(PlanKept) if event.did == "retracted"
        ]:
            return Said(" ".join([*ended, *(self._listing(one.ids) for one in self.turn.all(PlansAsked))]))
        if doubts := [doubt.ids for doubt in self.turn.all(PlansAsked) if doubt.to_cancel]:
            return Said(f"{self.words['cancel_which']} {self._listing(doubts[0])}")
        if "cancel" in self.asks and not plans_of(self.state).standing:
            return Said(self.words["left" if self._said_last(*BOOKING, "shall") else "no_booking"])
        return self._scrapped(plans_of(self.state).now) if self._stops() else None

    def _scrapped(self, now: Plan | None) -> Said | None:
        """ "Scrap it": what is planned, or the booking that is spoken of."""
        if now is None or not (now.status == "planned" or self._says_it()):
            return None
        self.chat.act(cancelled(now.id))
        return Said(self._ended(now, now.status))

    def _ended(self, plan: Plan, was: str) -> str:
        """That a plan is no more."""
        if was == "booked":
            return self._say("cancelled", name=plan.venue)
        others = any(one.status == "booked" for one in plans_of(self.state).standing)
        return self._say("dropped", name=plan.venue) if others else self.words["left"]

    def _stops(self) -> bool:
        """Whether the message wants something to end, and asks for nothing else."""
        short = len(self.turn.text.split()) <= BARE
        return ("stops" in self.acts or (short and self.acts == {"retracts"})) and not self._aside()

    def _says_it(self) -> bool:
        """Whether the message points by a pronoun: "scrap it"."""
        return bool(self.turn.references) and self._vague()

    def _plans(self) -> Said | None:
        """What was booked and planned, in whole sentences: what the message asks about."""
        asked, now = self.turn.all(PlansAsked), plans_of(self.state).now
        if not asked and not self._wonders_about_it():
            return None
        told = self._listing(asked[0].ids if asked else [now.id] if now else [])
        if now is not None and now.status == "planned" and self._said_last("shall"):
            return self._next(now)._replace(text=f"{told} {self._next(now).text}")
        return Said(told or self._none_such())

    def _none_such(self) -> str:
        """That nothing of the kind is booked, what is, and what we are at."""
        query = self.slots.get("search_query")
        if others := self._listing([plan.id for plan in plans_of(self.state).standing]):
            return f"{self.words['no_such']} {others}"
        looking = [self._say("looking", query=query, place=self.where)] if query and self.place else []
        return " ".join([self.words["no_booking"], *looking])

    def _wonders_about_it(self) -> bool:
        """Whether a question after a booking asks for nothing else that we know of: "did that go through?"."""
        asks_else = self.asks or self.pointed or self._looks() or self._feature() or self._detail() in TOLD
        return self.wonders and self._said_last("booked", "rebooked") and not asks_else

    def _listing(self, ids: Iterable[str]) -> str:
        """Plans that stand, a sentence for each."""
        told = []
        for plan in plans_of(self.state).standing:
            details = self._when_and_who(plan.when, plan.count, plan.whom) or self.words["open"]
            key = "plan_booked" if plan.status == "booked" else "plan_open"
            told += [self._say(key, name=plan.venue, details=details)] if plan.id in ids else []
        return " ".join(told)

    def _remember(self) -> Said | None:
        if "remember" not in self.asks:
            return None
        labels = texts("venues.slot", self.language)
        held = self.slots.values
        told = [f"{label}: {held[name].own or held[name].value}" for name, label in labels.items() if name in held]
        held_of_it = [self._say("remembered", what="; ".join(told))] if told else []
        booked = self._listing([plan.id for plan in plans_of(self.state).standing])
        return Said(" ".join(filter(None, [*held_of_it, booked])) or self.words["nothing_yet"])

    def _forgotten(self) -> Said | None:
        """What was to be forgotten where nothing new was said; without one of its limits a search goes on."""
        gone = {event.what for event in self.turn.all(Cleared)}
        if not gone or self._new("search_query", "location", "price_level", "event_party_size", "event_date_time"):
            return None
        goes_on = gone.issubset(LIMITS) and self.place and "search_query" in self.slots.values
        return self._search() if goes_on else Said(self.words["forgotten"])

    def _latest(self) -> list[Venue]:
        """What was shown last, in its order."""
        return [venue for entity in self.state.references.shown() for venue in known() if venue.id == entity.id]

    def _advice(self) -> Said | None:
        """What we would take ourselves of what was shown last."""
        latest = self._latest()
        if "advise" not in self.asks or not latest:
            return None
        best = max(latest, key=lambda venue: venue.rating)
        return self._telling(self._filled("advice", best), [best])

    def _cheaper(self) -> Said | None:
        """ "Too expensive": what costs less than that, or than all that was shown."""
        dear = self.pointed or self._latest()
        if "cheaper" not in self.asks or self.wonders or not dear or self._new("price_level"):
            return None
        self.chat.act(put("price_level", str(max(1, min(venue.price for venue in dear) - 1)), "agent"))
        self.slots = self.chat.state.slots
        return self._search()

    # looking for venues

    def _searched(self) -> Said | None:
        """A search, where the message gave or changed something of it, or wants more of it."""
        wanted = self._new(*SEARCHED) or ({"more", "show"} & self.asks and not self.pointed)
        widened = self.reading.has("yes") and self._said_last("widen")
        asked = self._said_last("where", "where_again", "query", "query_again")  # and something else was said
        if wanted or (not self.beyond and (widened or (asked and not self._gives() and not self.asks))):
            return self._search(widened)
        return None

    def _search(self, widened: bool = False) -> Said:
        query = self.slots.get("search_query")
        if query is None:
            return self._ask("query", "query") if self.place or self._last() else Said(self.words["hello"])
        if not self._is_placed():
            return self._ask("where", "where")
        if not at(self.city):
            return Said(self._say("unknown_place", place=self._called(self.city), cities=", ".join(self._cities())))
        if widened:
            self._widen()
        if found := self._found(query, self._wishes()):
            return self._listed(found[:SHOWN])
        told = self._nothing(query)
        return self._wished_before(query) or (Said(told) if told != self._last() else self._ask("query", "query"))

    def _wished_before(self, query: str) -> Said | None:
        """What fits something new without what was wished of something else: that is not worth finding nothing."""
        new = self._new("search_query") and not self.reading.has("constraint")
        found = self._found(query, ())[:SHOWN] if new else []
        if not found:
            return None
        listed, had = self._listed(found), {feature for venue in found for feature in venue.features}
        lacks = ", ".join(self._name(wish) for wish in self._wishes() if wish in FEATURES and wish not in had)
        return listed._replace(text=f"{listed.text}\n{self._say('none_have', feature=lacks)}") if lacks else listed

    @property
    def where(self) -> str:
        """The place as it is told: a part of town as it was named, a town by its name."""
        return self.area or self._called(self.city)

    def _city(self) -> str:
        """The city of the place; of a part of town that we do not know, the city that was named before it."""
        city = self.slots.canonical("location") or self.place
        before = [value.canonical for value in reversed(self.slots.past.get("location", ())) if value.canonical]
        row = gazetteer().row(fold(self.place))
        areas = [fold(venue.area) for venue in known() if venue.city in before]
        if at(city) or (row is not None and row.mark not in PARTS and fold(self.place) not in " ".join(areas)):
            return city  # "Roma", in Mexico City, is a part of that
        return next((one for one in before if at(one)), city)

    def _part_of_town(self) -> str:
        """The part of the city that is named."""
        for venue in at(self.city):
            if fold(self.place).startswith(f"{fold(venue.name)}, "):  # near what is planned
                return venue.area
        said, whole = fold(self.place), self.slots.canonical("location") == self.city
        areas = {venue.area: fold(venue.area) for venue in known() if said and venue.city == self.city}
        return next((area for area, name in areas.items() if name in said or (said in name and not whole)), "")

    def _listed(self, found: list[Venue]) -> Said:
        lines = [self._filled("line", venue, number=number) for number, venue in enumerate(found, start=1)]
        said = fold(self.turn.text)
        unknown = [wish for wish in self._wishes() if wish not in FEATURES and fold(wish) in said]
        admitted = [self._say("wish_unknown", wishes=", ".join(unknown))] if unknown else []
        return self._telling("\n".join([self._opening(found), *lines, *admitted]), found)

    def _opening(self, found: list[Venue]) -> str:
        """What was looked for that all of them are and have, and where they are."""
        wishes = [self._name(wish) for wish in self._wishes() if all(wish in venue.features for venue in found)]
        query = ", ".join([*self._sought(self.slots.get("search_query") or ""), *wishes])
        city = self._called(found[0].city)
        inside = [(self.where or city) in (city, venue.area) for venue in found]
        key = "found" if all(inside) else "found_partly" if any(inside) else "found_near"
        return self._say(key, query=query, place=self.where or city, city=city)

    def _found(self, query: str, wished: tuple[str, ...]) -> list[Venue]:
        """What fits in the part of town that was named, and, where that is little, what fits in the rest of it."""
        level, wishes = self.slots.get("price_level"), tuple(wish for wish in wished if wish in FEATURES)
        refs = self.state.references
        past = (*refs.entities, *(entity for shown in refs.lists for entity in shown.entities))
        shown = tuple(entity.id for entity in past) if "more" in self.asks else ()
        limits = (int(level) if level else None, wishes, shown)
        found = search_any(self._sought(query), self.area or self.city, *limits)
        town = at(self.city)[0].city
        if len(found) < SHOWN and fold(self.area or self.city) != fold(town):
            found += [venue for venue in search_any(self._sought(query), town, *limits) if venue not in found]
        return found

    def _sought(self, query: str) -> list[str]:
        """What is looked for: of several kinds of places that are named side by side each, "sushi or ramen"."""
        held = self.slots.values.get("search_query")
        named = [part for part in (held.own if held is not None else "").split(", ") if kind_of(part)]
        return named or [query]

    def _wishes(self) -> tuple[str, ...]:
        """What is wished for; a diet that was told before is for where one eats."""
        held, query = self.slots.values.get("constraints"), self.slots.get("search_query") or ""
        diets = {*DIETS}.difference(_questions(self.reading, ())) if not feeds(self._sought(query)) else ()
        wishes = [COVERED.get(wish, wish) for wish in held.items] if held is not None else []
        return tuple(wish for wish in wishes if wish not in diets)

    def _widen(self) -> None:
        """A yes to dropping the limits drops them."""
        for name in LIMITS:
            if name in self.slots.values:
                self.chat.clear(name)
        self.slots = self.chat.state.slots

    def _nothing(self, query: str) -> str:
        place = self._called(self.city)
        limits = [self.words["price"]] if "price_level" in self.slots.values else []
        limits += [self._name(wish) for wish in self._wishes()]
        if "more" in self.asks and search(query, self.city) and not limits:
            return self._say("all_shown", query=query, place=place)
        if limits:
            return f"{self._say('none', query=query, place=place, limits=', '.join(limits))} {self.words['widen']}"
        return self._say("no_kind", query=query, place=place, kinds=self._kinds())

    def _kinds(self) -> str:
        return ", ".join(sorted({self._name(venue.kind) for venue in known()}))

    def _called(self, city: str) -> str:
        """A city in the language of the talk."""
        name = self._name(city)
        return name.title() if name.islower() else name

    def _name(self, thing: str) -> str:
        """A city, a kind or a feature of the table in the language of the talk."""
        return texts("venues.name", self.language).get(thing, thing)

    # telling of one or several

    def _about_pointed(self) -> Said | None:
        if self._goes_back():
            return self._listed(self.pointed)
        if not self.pointed or self._looks():
            return None
        if len(self.pointed) == 1:
            return self._telling(self._told(self.pointed[0]), self.pointed)
        if "compare" in self.asks or not (self._detail() or self._feature()):
            return self._compared(self.pointed)
        return self._several(self.pointed)

    def _goes_back(self) -> bool:
        """Whether what was shown before is wanted again: "back to the sushi places"."""
        if len(self.pointed) < 2 or not self._new("search_query") or "compare" in self.asks:
            return False
        return {*self.pointed} <= {*self._found(self.slots.get("search_query") or "", ())}

    def _nearest(self) -> Said | None:
        """Which of what was shown is near something that is planned, by their parts of town."""
        there, shown = self._near_what(), self._latest()
        if there is None or not shown or self._looks():
            return None
        close = [venue for venue in shown if venue.area == there.area and venue != there]
        names = ", ".join(f"**{venue.name}** ({venue.area})" for venue in close or shown)
        return Said(self._filled("near" if close else "none_near", there, names=names))

    def _near_what(self) -> Venue | None:
        """Where something is planned that the message wants something near to."""
        near = [plans_of(self.state).get(event.id) for event in self.turn.all(PlanBeside) if event.near]
        return self._chosen(near[0]) if self.wonders and near and near[0] is not None else None

    def _several(self, found: list[Venue]) -> Said:
        """The same of each; it is no new list, so that numbers go on counting in the one that was shown."""
        tied = any(isinstance(event, DoubtRaised) for event in self.turn.events) and not self._feature()
        if (feature := self._feature()) or not (tied or self._detail() in TOLD):
            return Said(self._of_several(found, feature))
        lines = [self._filled("compared", venue) if tied else self._told(venue) for venue in found]
        return Said("\n".join(lines))

    def _of_several(self, found: list[Venue], feature: str) -> str:
        """Which of several have a feature, in one sentence; without one, that we do not know."""
        having = [venue for venue in found if not feature or feature in venue.features]
        key = "unknown_of" if not feature else "some_have" if having else "none_have"
        names = ", ".join(f"**{venue.name}**" for venue in having)
        return self._say(key, names=names, feature=self._name(feature))

    def _feature(self) -> str:
        """What the venue is asked to have, where the table tells of such things: "does it have parking?"."""
        return next((asked for asked in self.questions if asked in FEATURES), "")

    def _detail(self) -> str:
        return next((event.detail for event in self.turn.all(DetailAsked)), "")

    def _questions(self) -> list[str]:
        """What is asked of what is pointed at; a question that only names another place ("and magnolia?") asks the
        same as the one before it."""
        asked = _questions(self.reading, self.turn.all(DetailAsked))
        if not self.pointed or not self.wonders or not {*asked} <= {"other"} or self._says_more():
            return asked
        before = [past for past in self.chat.history(QUESTION_BEFORE, self.turn.version) if past.role == "person"]
        if not before:
            return asked
        return _questions(words_reader().read(before[-1].text or ""), before[-1].all(DetailAsked)) or asked

    def _says_more(self) -> bool:
        """Whether a message says more than what it points at."""
        named = sum(len(found.mention.split()) for found in self.turn.references)
        return len(self.turn.text.split()) - named >= BARE

    def _told(self, venue: Venue) -> str:
        """The details that were asked for, or all that is known. What the table does not have is said to be unknown."""
        told = [self._answer(venue, asked) for asked in self.questions if asked in (*TOLD, *FEATURES)]
        if told:
            return " ".join(told)
        # "which one is cheaper?" is answered by the one that it is
        chooses = self.chat.pack.reader.read(self.turn.text).has("pointing_property")
        wondering = ("other" in self.questions or "asks" in self.acts) and "details" not in self.questions
        return self._filled("unknown_detail" if wondering and not chooses else "details", venue)

    def _answer(self, venue: Venue, asked: str) -> str:
        if asked in TOLD:
            return self._filled(f"asked_{asked}", venue)
        return self._filled("has" if asked in venue.features else "has_not", venue, feature=self._name(asked))

    def _compared(self, pointed: list[Venue]) -> Said:
        lines = [f"{n}. {self._filled('compared', venue)}" for n, venue in enumerate(pointed, start=1)]
        best = max(pointed, key=lambda venue: venue.rating)
        tied = sum(venue.rating == best.rating for venue in pointed) > 1
        last = self.words["tied"] if tied else self._say("best", name=best.name)
        return self._telling("\n".join([self.words["compare"], *lines, last]), pointed)

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

    # planning and booking

    def _gives(self) -> bool:
        """Whether the message gives something that a booking needs, or points at where."""
        return self._new("event_party_size", "event_date_time", "event_venue_name") or len(self.pointed) == 1

    def _booking(self) -> Said | None:
        plan = plans_of(self.state).now
        wants = self._wants_booking()
        if self._turned_down():
            return Said(self.words["not_booked"])
        if wants or self._going_on(plan):
            return self._book(plan)
        if bool(self.turn.all(PlanTurnedTo)) or (plan is not None and bool(self.turn.all(PlanKept))):
            return self._after_changes()
        return self._book(plan) if self._said_last(*BOOKING) and self._says_nothing() else None

    def _after_changes(self) -> Said | None:
        """What the message changed of plans; how those stand that it means and that are so already."""
        changed = [event.plan for event in self.turn.all(PlanKept)]
        told = [said for plan in changed if (said := self._changed(plan))]
        if changed:
            return told[-1]._replace(text=" ".join(said.text for said in told)) if told else None
        return Said(self._listing([event.id for event in self.turn.all(PlanTurnedTo)]))

    def _says_nothing(self) -> bool:
        return not (self.asks or self.turn.references or self._aside() or self._only_remarks())

    def _aside(self) -> bool:
        """Whether the message asks for a detail, or looks for something else."""
        return bool(self._detail()) or self._looks()

    def _going_on(self, plan: Plan | None) -> bool:
        """Whether a message gives more of a booking that is under way: we asked for a part of it, or a plan stands and
        one venue is pointed at."""
        if not self._gives() or self._aside():
            return False
        planned = plan is not None and plan.status == "planned"
        return self._said_last(*BOOKING, "shall") or (planned and len(self.pointed) == 1)

    def _wants_booking(self) -> bool:
        """Whether a booking is wanted, and not only asked about: "do they take reservations?"."""
        asks = self._detail() == "other" and self.wonders and not self._gives()
        return "book" in self.asks and not asks and not self._turned_down()

    def _turned_down(self) -> bool:
        """ "Don't book anything yet"."""
        refused = "book" in self.asks and self.acts <= {"rejects", "denies"}
        return refused or "book" in _asked(self.reading, negated=True)

    def _changed(self, plan: Plan) -> Said | None:
        """What this message changed of a booking; of a plan that is not booked, whether it should be."""
        if plan.status == "booked":
            return self._confirmed("rebooked", plan)
        return self._next(plan) if self._chosen(plan) else None

    def _next(self, plan: Plan) -> Said:
        """What is still missing; with everything known, the booking where it was asked for, else whether to book."""
        if not plan.count:
            return self._ask("how_many", PARTY)
        if not plan.when:
            return self._ask("when", "when")
        if self._asked_to_book():
            return self._settled(plan)
        if lacks_hour(self.chat.pack.reader.read(self.turn.text), plan.when):
            return self._ask("hour", "when")
        return Said(self._say("shall", name=plan.venue, when=self._when(plan.when), people=self._people(plan.count)))

    def _asked_to_book(self) -> bool:
        """Whether the person asked for this booking, now or in what was said since we booked the last one."""
        recent = [m for m in reversed(self.state.conversation.recent) if m.version < self.turn.version]
        since = takewhile(lambda m: m.role == "user" or not self._is(m.text, "booked", "rebooked"), recent)
        said = [words_reader().read(m.text) for m in since if m.role == "user" and "?" not in m.text]
        return "book" in self.asks or any("book" in _asked(reading) for reading in said)

    def _book(self, plan: Plan | None) -> Said:
        venue = self._wanted(plan)
        if venue is None and len(self.pointed) == 1:  # "it", after a list: the newest is meant, and a yes is needed
            return Said(self._say("mean", name=self.pointed[0].name), attached={"asks": OFFER})
        looked_for = self.slots.get("search_query") or self.slots.get("location")
        if venue is None and looked_for and not self.state.references.shown():
            return self._search()
        if venue is None:
            return self._ask("which", "which")
        moved = self._moves(plan, venue)
        if self.slots.get("event_venue_name") != venue.name:  # the person chose it by saying nothing else
            self.chat.act(put("event_venue_name", venue.name, "agent"))
        self.chat.act(planned(venue.name, venue.id))
        made = plans_of(self.chat.state).now
        assert made is not None
        asked = self._next(made)
        if moved and not (made.count and made.when):
            return asked._replace(text=f"{self._say('then', name=venue.name)} {asked.text}")
        return asked

    def _moves(self, plan: Plan | None, venue: Venue) -> bool:
        """Whether what is being planned goes to another venue."""
        planned = plan is not None and plan.status == "planned" and plan.venue != venue.name
        return planned and self._said_last(*BOOKING)

    def _wanted(self, plan: Plan | None) -> Venue | None:
        """The venue to be booked: the one that is pointed at, the one of the plan, the only one that we spoke of
        last. A vague word after a list means none of it yet: a booking is no guess."""
        if len(self.pointed) == 1:
            return None if self._vague() and len(self._in_last()) > 1 else self.pointed[0]
        if plan is not None and plan.status == "planned" and not self.pointed and (venue := self._chosen(plan)):
            return venue
        told = self._in_last()
        return told[0] if len(told) == 1 and not self.pointed else None

    def _vague(self) -> bool:
        return all(e.resolution.how for e in self.turn.events if isinstance(e, ReferenceResolved))

    def _in_last(self) -> list[Venue]:
        """The venues of our last message that named any; one that only asks for a yes is left out."""
        asks = self.words["mean"].split("{")[0]
        said = [message.text for message in reversed(self.state.conversation.recent) if message.role == "assistant"]
        agreed = said[:1] if self.reading.has("yes") else []
        told = [text for text in said if asks not in text or text in agreed]
        return next((named for text in told if (named := self._named_in(text))), [])

    def _named_in(self, text: str) -> list[Venue]:
        ids = {entity.id for entity in self.state.references.known.values()}
        return [venue for venue in known() if venue.id in ids and f"**{venue.name}**" in text]

    def _chosen(self, plan: Plan) -> Venue | None:
        called = [venue for venue in known() if fold(venue.name) == fold(plan.venue)]
        return next((venue for venue in called if venue.id == plan.venue_id), called[0] if called else None)

    def _settled(self, plan: Plan) -> Said:
        self.chat.act(booked(plan.id))
        return self._confirmed("booked", plan)

    def _confirmed(self, key: str, plan: Plan) -> Said:
        text = self._say(key, name=plan.venue, when=self._when(plan.when), people=self._people(plan.count))
        if who := self.slots.get("user_email"):
            text = f"{text} {self._say('confirmation', who=who)}"
        venue = self._chosen(plan)
        return self._telling(text, [venue]) if venue else Said(text)

    def _people(self, count: str) -> str:
        return self._say("one_person" if count == "1" else "people", count=count)

    def _when(self, when: str) -> str:
        """A time as it is told: "for friday at 7" is "friday at 7"."""
        return when.removeprefix(self.words["when_lead"])

    # what is only said

    def _gave(self) -> Said | None:
        """A name, a time, a number or an occasion, before anything is chosen."""
        if self._new("user_name", "user_email"):
            return Said(self._say("noted", who=self.slots.get("user_name") or self.slots.get("user_email")))
        if self.chat.pack.reader.read(self.turn.text).has("plan_for"):
            return Said(self.words["occasion"])
        if not self._new("event_party_size", "event_date_time"):
            return None
        told = self._when_and_who(self.slots.get("event_date_time"), self.slots.get("event_party_size"))
        if any(entity.name for entity in self.state.references.latest()):
            return Said(self._say("kept_which", what=told), attached={"asks": "which"})
        return Said(self._say("kept_query", what=told), attached={"asks": "query"})

    def _beyond(self) -> Said | None:
        """Pointing at what was not shown."""
        if self.beyond and "more" not in self.asks and not self._gives():
            return Said(self._say("only", count=len(self.state.references.latest())))
        return None

    def _goodbye(self) -> Said | None:
        """ "All right, that will do"."""
        return Said(self.words["bye"]) if "stops" in self.acts and self.acts <= REMARKS | {"stops"} else None

    def _lost(self) -> Said:
        """Nothing of it is for us: said once in a friendly line with what can be done, then by what we are at."""
        if not self._last():
            return Said(self.words["hello"])
        if self._only_remarks():
            return Said(self.words["chat" if not self._said_last("chat") else "chat_again"])
        query = self.slots.get("search_query")
        if self.place and self._said_last("unknown_place"):
            return Said(self._say("where_again", **self._offers()))
        if query and self.place and not self._said_last("still"):
            return Said(self._say("still", query=query, place=self.where))
        return Said(self.words["lost" if not self._said_last("lost") else "lost_again"])

    def _only_remarks(self) -> bool:
        """Whether the message is only talk, a word such as "haha" apart. What is hardly taken for a remark may be a
        wish."""
        told = [c for c in self.turn.clauses if " " in self.turn.text[c.start : c.end].strip()] or self.turn.clauses
        sure = all(c.act in REMARKS and (c.act != "remarks" or c.lead >= REMARK) for c in told)
        return (sure or self._of_the_family()) and not self.wonders

    def _of_the_family(self) -> bool:
        """Whether a message only tells of a relative: "my wife loves french food"."""
        words = [token.word for token in tokens(self.turn.text)]
        told = kinds(words, [self.turn.language] if self.turn.language else ())
        return any("kin" in kind for kind in told) and all(c.act in ("states", "reports") for c in self.turn.clauses)

    def _filled(self, key: str, venue: Venue, **more: Any) -> str:
        fields: dict[str, Any] = {**venue._asdict(), **more, "city": self._called(venue.city)}
        fields |= {"price": "$" * venue.price, "features": ", ".join(self._name(f) for f in venue.features)}
        return self._say(key, **fields)

    def _say(self, key: str, **fields: Any) -> str:
        return self.words[key].format(**fields)
