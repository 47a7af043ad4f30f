"""A small real venue agent over a table of invented venues: search, narrow, details, compare, plan and book.

It remembers nothing itself. Everything it needs is in what the engine holds: what is looked for, where, how dear it
may be, which venue the person points at, and what was planned. It answers what was asked before it asks, never puts
the same question twice in a row, and books only what the person asked to be booked or said yes to.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from itertools import takewhile

from holdfast.agents import Said
from holdfast.agents.catalogue import FEATURES, Venue, kind_of, known, venue, words_reader
from holdfast.agents.courtesies import courtesy
from holdfast.agents.looking_for_venues import LIMITS, SURE, Seeker
from holdfast.agents.telling_venues import ABOUT, DISH, ELSE, KITCHENS, WHEN, Question
from holdfast.agents.texts import texts
from holdfast.events import Cleared, DoubtRaised, ReferenceResolved
from holdfast.faculties.facts.slots import put
from holdfast.faculties.facts.slots.readers import lacks_hour
from holdfast.faculties.plans import (
    Plan,
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
from holdfast.reading.reader import Cue, Reading, begins_in, touches
from holdfast.reading.standing import standing
from holdfast.reading.text import fold
from holdfast.session import Session
from holdfast.turn import Turn

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
DONE_WITH = ("booked", "rebooked", "not_booked")
"""What we say where a booking is settled: a wish from before it asks for no other one."""
BARE = 4
"""Words of a message of which nobody can tell whether it only tells something."""
BY_TABLES = {"when": WHEN, "where": "where", "cost": "cost", "contact": "contact"}
"""What the details that the tables know are about."""
NO_DETAIL = frozenset({"table", "more", "advise"})
"""What a question is about that asks for no detail of a place: it wants a table, other places, or advice."""
LEAVING = REMARKS | {"postpones", "chooses", "answers", "stops"}
"""Acts of a message that only takes leave."""
ASKED = 10
"""Lead of what a message is about from which it is believed to ask for it, though it is not known to ask."""
LOOSE = frozenset({ELSE, ABOUT})
"""What a message must be known to ask, so that it is believed to ask for it."""
OTHERWISE = frozenset({"advise", "compare", "bye", "thanks", "help", "there", "hello"})
"""What is answered in its own way, also where it is asked."""


def venues(turn: Turn, chat: Session) -> Iterator[Said]:
    """Answer one turn."""
    yield _Answer(turn, chat).said()


def _asked(reading: Reading, negated: bool = False) -> set[str]:
    """What a message asks the agent for; with `negated`, what it asks not to be done."""
    stands = reading.find(standing)
    return {cue.means for cue in reading.all("venue_asks") if ("negated" in stands.of(cue.span)) == negated}


def _by_tables(details: Iterable[DetailAsked], topics: set[str]) -> list[Question]:
    """What the tables know that is asked, beside some topics; "where can I park?" asks for no address."""
    known = topics | ({"where"} if topics & {*FEATURES} else set())
    asked = [BY_TABLES[one.detail] for one in details if one.detail in BY_TABLES]
    return [Question(topic) for topic in asked if topic not in known]


class _Answer(Seeker):
    """One answer in the making."""

    def __init__(self, turn: Turn, chat: Session) -> None:
        super().__init__(turn, chat)
        self.asks = self._asked_for() | ({courtesy(turn.text, turn.clauses)} - {""})
        self.asks |= {one.topic for one in self.wants.questions if one.lead >= SURE} & {"more", "advise"}
        self.refused = self._refuses()
        self.asking = self._is_question()
        self.pointed = self._pointed()
        self.questions = self._questions()
        if self.refused:
            self._close()
        self._located()
        missed = any(found.status == "none" for found in turn.references)
        refused = missed and self.heard.has("pointing_none", "pointing_away")
        self.beyond = missed and not refused
        if refused and not self.wonders:
            self.asks.add("more")  # "not those": others are wanted

    def said(self) -> Said:
        """The first of these that has something to say."""
        parts = (
            self._doubt,
            self._answered,
            self._not_meant,
            self._consent,
            self._courtesy,
            self._parting,
            self._cancel,
            self._plans,
            self._remember,
            self._advice,
            self._cheaper,
            self._booking,
            self._forgotten,
            self._about_pointed,
            self._searched,
            self._gave,
            self._beyond,
            self._goodbye,
        )
        if self.refused:
            return self._without_booking()
        said = next((said for part in parts if (said := part()) is not None), None) or self._lost()
        # What it names is attached with its ids, where it is shown; elsewhere a name in bold is nothing new.
        return said._replace(attached={"entities": [], **said.attached})

    def _asked_for(self) -> set[str]:
        """What the message asks us for; "do we need to book it?" asks for no booking."""
        reading = self.heard
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
        if not self.asking and "corrects" not in self.acts and self._only_tells():
            return []
        ids = [entity.id for found in self.turn.references if found.status == "resolved" for entity in found.entities]
        return [found for id in dict.fromkeys(ids) if (found := venue(id))]

    def _only_tells(self) -> bool:
        """Whether the message tells something at length, and asks for nothing."""
        if len(self.turn.text.split()) <= BARE or self._detail():
            return False
        return all(c.act not in ADDRESSED and (c.lead >= REMARK or self._vague()) for c in self.turn.clauses)

    def _looks(self) -> bool:
        """Whether the message looks for something, beside what it points at ("the first museum", "the one in Soho")."""
        if self.asking:
            return False
        there = " ".join(f"{venue.area} {venue.city}" for venue in self.pointed)
        placed = self._new("location") and fold(self.area or self.city) not in fold(there)
        return placed or self._new("price_level") or self._names_what()

    def _names_what(self) -> bool:
        """Whether the message says what is looked for, beside what it points at."""
        mentioned = fold(" ".join(found.mention for found in self.turn.references))
        return self._new("search_query") and (self.slots.get("search_query") or "") not in mentioned

    def _tied(self) -> list[str]:
        """The venues among which nobody can tell which one is meant."""
        found = (reference for reference in self.turn.references if reference.status == "ambiguous")
        return [entity.id for reference in found for entity in reference.entities]

    def _doubt(self) -> Said | None:
        question = self.turn.question
        if not question:
            return None
        tied = self._tied()
        if tied and self.wonders and "book" not in self.asks:  # "which is the cheapest?", and two are
            return self._several([found for id in tied if (found := venue(id))])
        text = self._say("one_of", names=question.rstrip("?")) if self._last() == question else question
        return Said(text)

    def _parting(self) -> Said | None:
        """Thanks or a goodbye, with a word of what the person will do now."""
        said = [courtesy(self.turn.text[clause.start : clause.end], [clause]) for clause in self.turn.clauses]
        acts = {c.act for c, kind in zip(self.turn.clauses, said, strict=True) if not kind}
        if not {"bye", "thanks"} & {*said} or not acts <= LEAVING or self._is_busy():
            return None
        return Said(self.words["bye" if "bye" in said else "thanks"])

    def _is_busy(self) -> bool:
        """Whether the message wants something of us."""
        wants = any(self.wants.has(kind) for kind in ("search", "refine", "change", "cancel"))
        asks = self.asking or "?" in self.turn.text or bool(self.turn.all(PlansAsked))
        return wants or asks or "book" in self.asks

    def _courtesy(self) -> Said | None:
        """Greetings, thanks and goodbyes, and what we can do."""
        told = {"bye": "bye", "thanks": "thanks", "help": "help", "there": "chat_again", "hello": "hello"}
        return next((Said(self.words[key]) for asked, key in told.items() if asked in self.asks), None)

    def _consent(self) -> Said | None:
        """A yes to "shall I book …?", or to "shall I take …?" where that is what is planned."""
        plan = plans_of(self.state).now
        if plan is None or any(v.name != plan.venue for v in self.pointed):
            return None
        if self.refused or not (self._agrees() or "book" in self.asks):
            return None
        if self._said_last("mean") and plan.status == "planned" and f"**{plan.venue}**" in self._last():
            return self._next(plan)
        if not self._said_last("shall"):
            return None
        return self._next(plan) if self._puts_right() else self._settled(plan)

    def _puts_right(self) -> bool:
        """Whether the message puts a time right after it agreed: "yes. no wait, friday is better"."""
        right = [clause.start for clause in self.turn.clauses if clause.act == "corrects"]
        agreed = [cue.start for cue in self.reading.all("yes")]
        return self._new("event_date_time") and bool(right and agreed) and agreed[-1] < right[-1]

    def _not_meant(self) -> Said | None:
        """A no to "do you mean …?"."""
        if not self.reading.has("no") or not self._said_last("mean") or self._gives():
            return None
        if "event_venue_name" in self.slots.values:
            self.chat.clear("event_venue_name")
        return Said(self.words["not_booked"])

    def _ended_now(self) -> list[str]:
        """What is told of the plans that the message took back itself."""
        kept = self.turn.all(PlanKept)
        return [self._ended(event.plan, event.was) for event in kept if event.did == "retracted"]

    def _cancel(self) -> Said | None:
        """What the message took back itself; where nobody can tell which plan it means, those that it may mean."""
        if ended := self._ended_now():
            told = " ".join([*ended, *(self._listing(one.ids) for one in self.turn.all(PlansAsked))])
            found = self._search() if self._new("search_query") else None  # "cancel, and find me a barber"
            return found._replace(text=f"{told} {found.text}") if found is not None else Said(told)
        if doubts := [doubt.ids for doubt in self.turn.all(PlansAsked) if doubt.to_cancel]:
            return Said(f"{self.words['cancel_which']} {self._listing(doubts[0])}")
        if "cancel" in self.asks and not plans_of(self.state).standing:
            return Said(self.words["left" if self._said_last(*BOOKING, "shall") else "no_booking"])
        return None

    def _ended(self, plan: Plan, was: str) -> str:
        """That a plan is no more."""
        if was == "booked":
            return self._say("cancelled", name=plan.venue)
        others = any(one.status == "booked" for one in plans_of(self.state).standing)
        return self._say("dropped", name=plan.venue) if others else self.words["left"]

    def _plans(self) -> Said | None:
        """What was booked and planned, in whole sentences: what the message asks about."""
        asked, now = self.turn.all(PlansAsked), plans_of(self.state).now
        if not asked:
            return None
        told = self._listing(asked[0].ids)
        if now is not None and now.status == "planned" and self._said_last("shall"):
            return self._next(now)._replace(text=f"{told} {self._next(now).text}")
        return Said(told or self.words["no_booking"])

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

    def _advice(self) -> Said | None:
        """What we would take ourselves of what was shown last."""
        latest = self._latest()
        if "advise" not in self.asks or not latest or self._seeks():
            return None
        best = max(latest, key=lambda venue: venue.rating)
        return self._telling(self._filled("advice", best), [best])

    def _searched(self) -> Said | None:
        """A search, where the message gave or changed something of it, or wants more of it."""
        wanted = (
            self._new(*SEARCHED)
            or self.wants.has("search")
            or ("show" in self.asks or ("more" in self.asks and not self.pointed))
        )
        asked = self._said_last(
            "where", "where_again", "kept_where", "query", "query_again"
        )  # and something else was said
        if wanted or (not self.beyond and asked and not self._gives() and not self.asks):
            return self._search()
        return None

    def _about_pointed(self) -> Said | None:
        if not self.pointed or self._looks() or "show" in self.asks:
            return None
        if len(self.pointed) == 1:
            return self._telling(self._told(self.pointed[0], self.questions or [Question(ABOUT)]), self.pointed)
        return (
            self._several(self.pointed)
            if self.questions and "compare" not in self.asks
            else self._compared(self.pointed)
        )

    def _several(self, found: list[Venue]) -> Said:
        """The same of each; it is no new list, so that numbers go on counting in the one that was shown."""
        tied = any(isinstance(event, DoubtRaised) for event in self.turn.events)
        asked = self.questions[0] if self.questions else Question(ELSE)
        if not tied and (asked.topic in (*FEATURES, ELSE) or (asked.topic == DISH and asked.words)):
            return Said(self._of_several(found, asked))
        lines = [self._filled("compared", venue) if tied else self._told(venue, self.questions) for venue in found]
        return Said("\n".join(lines))

    def _detail(self) -> str:
        return next((event.detail for event in self.turn.all(DetailAsked)), "")

    def _refuses(self) -> bool:
        """Whether the message wants nothing to be booked: it says so, or says no where we asked."""
        booking = [cue for cue in self.heard.all("plan_word") if cue.means == "booking"]
        no = [cue for cue in booking if self._is_denied(cue)]
        if no or not self._said_last("shall"):
            return bool(no) and len(no) == len(booking)
        return self.reading.has("no") and not self._agrees() and not self._gives()

    def _is_denied(self, cue: Cue) -> bool:
        """Whether words are negated, given up ("forget booking") or followed by a no («бронь не надо»)."""
        given_up = any(one.end + 1 == cue.start for one in self.heard.all("forgets"))
        denied = any(one.start - 1 == cue.end for one in self.heard.all("negation"))
        return given_up or denied or "negated" in self.heard.find(standing).of(cue.span)

    def _close(self) -> None:
        """A refused booking is closed for good, unless it is only put off; when, and how many come, stays known."""
        plan = plans_of(self.state).now
        if plan is None or plan.status != "planned" or "postpones" in self.acts:
            return
        self.chat.act(cancelled(plan.id))
        for name, value in (("event_date_time", plan.when), ("event_party_size", plan.count)):
            if value:
                self.chat.act(put(name, value, "agent"))
        self.state = self.chat.state
        self.slots = self.state.slots

    def _without_booking(self) -> Said:
        """That nothing is booked, before whatever else is asked or looked for."""
        looks = self._new(*SEARCHED) or self.wants.has("search") or {"show", "more"} & self.asks
        said = self._answered() or (self._search() if looks else None)
        told = self.words["not_booked"]
        return said._replace(text=f"{told} {said.text}") if said is not None else Said(told, attached={"entities": []})

    def _is_question(self) -> bool:
        """Whether the message asks something of what was shown, and looks for nothing else."""
        topics, points = self._topics(), self._points()
        no_detail = topics & NO_DETAIL and topics <= NO_DETAIL | LOOSE
        if no_detail or not self.state.references.known or self._wants_else(points):
            return False
        asks = self._asks_sure(points)
        if self.refused or points:
            return asks
        kinds = self.wants.kinds
        return asks and max(kinds["ask"], 0) >= max(kinds["search"], kinds["refine"])

    def _topics(self) -> set[str]:
        return {one.topic for one in self.wants.questions}

    def _points(self) -> bool:
        """Whether the message points at something by more than a pronoun."""
        return any(one.status == "resolved" and not one.how for one in self.turn.references)

    def _wants_else(self, points: bool) -> bool:
        """Whether the message changes a booking, or looks for something, by asking."""
        forgets = any(event.what == "price_level" for event in self.turn.all(Cleared))
        if forgets or self.wants.has("change"):
            return True
        dear = any(one.lead >= SURE for one in self.wants.of(("price",), ("wanted",)))
        return not points and (dear or self._seeks())

    def _asks_sure(self, points: bool) -> bool:
        """Whether it is believed that the message asks, by the whole of it, by what it asks or by the tables."""
        if "book" in self.asks or self.wants.has("plan", SURE):  # "can you reserve the third?" asks nothing of it
            return self.wants.has("ask", SURE) and not self._topics() <= LOOSE
        sure = 0 if self.refused else ASKED
        wished = [one.span for one in self.wants.of(("wish",), ("wanted",)) if one.lead >= SURE]
        free = [one for one in self.wants.questions if not touches(one.span, wished)]
        told = any(one.topic not in LOOSE and one.lead >= sure for one in free)
        tables = points and any(one.detail in BY_TABLES for one in self.turn.all(DetailAsked))
        return told or tables or self.wants.has("ask")

    def _answered(self) -> Said | None:
        """A question about a place comes first, whatever booking is open; what the message gives or wants for that is
        seen to after it."""
        asked_of = self._asked_of() if self.asking and not self._answers_otherwise() else []
        if not asked_of:
            return None
        said = self._several(asked_of) if len(asked_of) > 1 else self._telling(self._answer_of(asked_of[0]), asked_of)
        books = not self.refused and "book" in self.asks
        after = self._consent() or (self._booking() if books else self._asked_anew())
        if after is None:
            return said
        return said._replace(text=f"{said.text} {after.text}", attached={**after.attached, **said.attached})

    def _asked_anew(self) -> Said | None:
        """The question whether to book, which a question about the place leaves open."""
        plan = plans_of(self.state).now
        return self._shall(plan) if plan is not None and not self.refused and self._said_last("shall") else None

    def _asked_of(self) -> list[Venue]:
        """What a question is asked of: what it points at, where a booking is under way, or what we spoke of last."""
        plan = plans_of(self.state).now if self._said_last(*BOOKING) else None
        booking = self._chosen(plan) if plan is not None else None
        return self.pointed or ([booking] if booking is not None else self._in_last())

    def _answers_otherwise(self) -> bool:
        """Whether what is asked is answered in its own way: a question about plans, a courtesy or the list again."""
        of_plans = self.turn.all(PlansAsked) and not self._asks_of_place()
        again = "show" in self.asks and {one.topic for one in self.questions} <= LOOSE
        return bool(of_plans or OTHERWISE & self.asks or again)

    def _asks_of_place(self) -> bool:
        sure = (one.topic for one in self.questions if not 0 < one.lead < SURE)
        return any(topic in (*FEATURES, "cost", "contact", "rating") for topic in sure)

    def _answer_of(self, venue: Venue) -> str:
        """The answer of what is asked of one venue; the same "I do not know" is not said twice."""
        told = self._told(venue, self.questions)
        again = self._filled("unknown_again", venue)
        return again if self._said_last("unknown_detail") and told == self._filled("unknown_detail", venue) else told

    def _questions(self) -> list[Question]:
        """What the message asks: what is heard, and what else the tables know of."""
        heard = list(self.wants.questions)
        tables = _by_tables(self.turn.all(DetailAsked), {one.topic for one in heard})
        known = [one for one in heard if one.topic != ELSE] if tables else heard
        return sorted([*known, *tables], key=lambda one: one.span)

    def _compared(self, pointed: list[Venue]) -> Said:
        lines = [f"{n}. {self._filled('compared', venue)}" for n, venue in enumerate(pointed, start=1)]
        best = max(pointed, key=lambda venue: venue.rating)
        tied = sum(venue.rating == best.rating for venue in pointed) > 1
        last = self.words["tied"] if tied else self._say("best", name=best.name)
        return self._telling("\n".join([self.words["compare"], *lines, last]), pointed)

    def _gives(self) -> bool:
        """Whether the message gives something that a booking needs, or points at where."""
        return self._new("event_party_size", "event_date_time", "event_venue_name") or len(self.pointed) == 1

    def _booking(self) -> Said | None:
        plan = plans_of(self.state).now
        # "do they take reservations?" only asks
        asks = self._detail() == "other" and self.wonders and not self._gives()
        if ("book" in self.asks and not asks) or self._going_on(plan):
            return self._book(plan)
        if self._changed_plans(plan):
            return self._after_changes()
        return self._book(plan) if self._said_last(*BOOKING) and self._says_nothing() else None

    def _changed_plans(self, plan: Plan | None) -> bool:
        """Whether the message changed a booking, or what may become one."""
        changed = bool(self.turn.all(PlanTurnedTo)) or (plan is not None and bool(self.turn.all(PlanKept)))
        return changed and (plan is None or plan.status == "booked" or self._may_book())

    def _may_book(self) -> bool:
        """Whether a booking may be begun by what the message chooses or gives: not after one was refused."""
        return not self.asking and (not self._was_refused() or self.wants.has("plan", SURE))

    def _was_refused(self) -> bool:
        """Whether the person wanted no booking, and none was made or asked for since."""
        said = [m.text for m in reversed(self.state.conversation.recent) if m.role == "assistant"]
        since = takewhile(lambda text: not self._is(text, "booked", "rebooked", *BOOKING), said)
        return any(self.words["not_booked"] in text for text in since)

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
        if not self._gives() or self._aside() or not self._may_book():
            return False
        planned = plan is not None and plan.status == "planned"
        return self._said_last(*BOOKING, "shall") or (planned and len(self.pointed) == 1)

    def _changed(self, plan: Plan) -> Said | None:
        """What this message changed of a booking; of a plan that is not booked, whether it should be."""
        if plan.status == "booked":
            return self._confirmed("rebooked", plan)
        return self._next(plan) if self._chosen(plan) else None

    def _next(self, plan: Plan) -> Said:
        """What is still missing; with everything known, the booking where it was asked for, else whether to book."""
        if not plan.count and self._seats(plan):
            return self._ask("how_many", PARTY)
        if not plan.when:
            return self._ask("when", "when")
        if self._asked_to_book():
            return self._settled(plan)
        if lacks_hour(self.heard, plan.when):
            return self._ask("hour", "when")
        return self._shall(plan)

    def _shall(self, plan: Plan) -> Said:
        return Said(self._say("shall", name=plan.venue, when=self._when(plan.when), people=self._people(plan.count)))

    def _seats(self, plan: Plan) -> bool:
        """Whether one comes to a place in company: nobody brings a party to a barber."""
        venue = self._chosen(plan)
        return venue is None or bool(kind_of(venue.kind) or KITCHENS & {*venue.tags.split()})

    def _asked_to_book(self) -> bool:
        """Whether the person asked for this booking, now or in what was said since we booked the last one, or were told
        not to book it."""
        recent = [m for m in reversed(self.state.conversation.recent) if m.version < self.turn.version]
        since = takewhile(lambda m: m.role == "user" or not self._is(m.text, *DONE_WITH), recent)
        said = [words_reader().read(m.text) for m in since if m.role == "user" and "?" not in m.text]
        return "book" in self.asks or any("book" in _asked(reading) for reading in said)

    def _without_venue(self) -> Said:
        """A booking that names no venue: the one that was pointed at, what is looked for, or which it is."""
        if len(self.pointed) == 1:  # "it", after a list: the newest is meant, and a yes is needed
            return Said(self._say("mean", name=self.pointed[0].name), attached={"asks": OFFER})
        looked_for = self.slots.get("search_query") or self.slots.get("location")
        if looked_for and not self.state.references.shown():
            return self._search()
        return self._ask("which", "which")

    def _book(self, plan: Plan | None) -> Said:
        venue = self._wanted(plan)
        if venue is None:
            return self._without_venue()
        if self.slots.get("event_venue_name") != venue.name:  # the person chose it by saying nothing else
            self.chat.act(put("event_venue_name", venue.name, "agent"))
        self.chat.act(planned(venue.name, venue.id))
        made = plans_of(self.chat.state).now
        assert made is not None
        return self._next(made)

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
        ids = dict.fromkeys(entity.id for entity in self.state.references.known.values())
        return [found for id in ids if (found := venue(id)) and f"**{found.name}**" in text]

    def _chosen(self, plan: Plan) -> Venue | None:
        called = (one for one in known() if fold(one.name) == fold(plan.venue))
        return venue(plan.venue_id) or next(called, None)

    def _settled(self, plan: Plan) -> Said:
        self.chat.act(booked(plan.id))
        return self._confirmed("booked", plan)

    def _confirmed(self, key: str, plan: Plan) -> Said:
        text = self._say(key, name=plan.venue, when=self._when(plan.when), people=self._people(plan.count))
        if who := self.slots.get("user_email"):
            text = f"{text} {self._say('confirmation', who=who)}"
        venue = self._chosen(plan)
        return self._telling(text, [venue]) if venue else Said(text)

    def _gave(self) -> Said | None:
        """A name, a time, a number or an occasion, before anything is chosen."""
        if self._new("user_name", "user_email"):
            return Said(self._say("noted", who=self.slots.get("user_name") or self.slots.get("user_email")))
        if self.heard.has("plan_for"):
            return Said(self.words["occasion"])
        if not self._new("event_party_size", "event_date_time"):
            return None
        told = self._when_and_who(self.slots.get("event_date_time"), self.slots.get("event_party_size"))
        if self.pointed or self.state.references.single:
            return Said(self._say("kept", what=told))
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
        if self._said_last("shall"):
            return Said(self.words["not_booked"])
        if self._only_remarks() or self._agrees():
            return Said(self.words["chat" if not self._said_last("chat") else "chat_again"])
        if self.asking and not self._said_last("unknown_asked"):
            return Said(self.words["unknown_asked"])
        return self._lost_in_search()

    def _lost_in_search(self) -> Said:
        query = self.slots.get("search_query")
        if query and self.place and not self._said_last("still"):
            return Said(self._say("still", query=query, place=self.where))
        return Said(self.words["lost" if not self._said_last("lost") else "lost_again"])

    def _only_remarks(self) -> bool:
        """Whether the message is only talk, a word such as "haha" apart. What is hardly taken for a remark may be a
        wish."""
        told = [c for c in self.turn.clauses if " " in self.turn.text[c.start : c.end].strip()] or self.turn.clauses
        sure = all(c.act in REMARKS and (c.act != "remarks" or c.lead >= REMARK) for c in told)
        return sure and not self.wonders
