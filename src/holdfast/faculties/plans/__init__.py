"""Plans: what is to happen, where, when, with how many and for whom. Records of their own, beside the search.

A plan begins where something is to be booked or takes place at a venue; what is said of the time and the number of
people then belongs to it. A new search leaves it alone: looking for a museum on Saturday does not move Friday's dinner.
Several plans live side by side; an agent marks the one that it booked or cancelled with `booked` and `cancelled`.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from typing import Literal

import msgspec

from holdfast.errors import UnknownItem
from holdfast.events import Cleared, Entity, Event, ReferenceResolved, Resolution, Source
from holdfast.faculties.facts.memos import SlotSet
from holdfast.faculties.facts.slots.readers import day_of, lacks_hour, same_day, same_day_or_moved
from holdfast.faculties.plans.parts import moved_to, parts, told, venues_of
from holdfast.faculty import Draft, Faculty, Item
from holdfast.reading.endings import says
from holdfast.reading.reader import Reading, Span
from holdfast.reading.standing import standing
from holdfast.reading.text import fold
from holdfast.state import Moment, State
from holdfast.telling import Telling, said

Status = Literal["planned", "booked", "cancelled"]
CHOICE = frozenset({"chooses", "answers", "confirms", "requests"})
"""Acts of clauses by which something that was shown is taken."""
DOUBTED, SURE = 4, 8
"""Lead below which an act may be another, and from which it is believed."""
KEPT = 12
"""Plans that are at hand; older ones are in the log."""
UNWANTED = frozenset({"negated", "question"})
"""How words stand that cancel nothing: "don't cancel it", "can I cancel later?"."""
TOPIC = "search_query"
"""The slot that says what is looked for."""
SLOTS = {"event_venue_name": "venue", "event_date_time": "when", "event_party_size": "count"}
"""The slots that speak of a plan, and which part of it they give."""


class Plan(msgspec.Struct, frozen=True, omit_defaults=True):
    id: str
    venue: str = ""
    venue_id: str = ""
    place: str = ""
    what: str = ""
    """What was looked for when it was made: "dinner", "sushi"."""
    when: str = ""
    count: str = ""
    whom: str = ""
    """For whom, or for what: "my mom's birthday"."""
    status: Status = "planned"

    def words(self) -> list[str]:
        """The words by which it may be called."""
        return fold(f"{self.venue} {self.what}").split()

    def line(self) -> str:
        """The plan in one line, for the context and the receipt."""
        people = f"{self.count} people" if self.count else ""
        return ", ".join(part for part in (self.venue, self.when, people, self.whom) if part)


class PlanKept(Event, frozen=True):
    """A plan was made, changed, booked or cancelled; it is here as it stands since."""

    plan: Plan
    fresh: bool = False
    was: Status = "planned"
    """What it was before, where it is cancelled."""

    @property
    def did(self) -> str:  # type: ignore[override]
        return "retracted" if self.plan.status == "cancelled" else "learned" if self.fresh else "superseded"

    def tell(self) -> Telling:
        return said("plan.kept", state=self.plan.status, value=self.plan.line())


class PlanSetDown(Event, frozen=True):
    """Something else is looked for: what is said from now on is no part of this plan."""

    did = "turned"
    told = "topic.plan_stays"

    id: str


class Plans(msgspec.Struct, frozen=True, omit_defaults=True):
    items: tuple[Plan, ...] = ()
    """Oldest first."""
    current: str = ""
    """Id of the one that is being spoken of."""

    def get(self, id: str) -> Plan | None:
        return next((plan for plan in self.items if plan.id == id), None)

    @property
    def now(self) -> Plan | None:
        """The plan that is being spoken of."""
        return self.get(self.current)

    def but(self, id: str) -> tuple[Plan, ...]:
        return tuple(plan for plan in self.items if plan.id != id)

    @property
    def standing(self) -> tuple[Plan, ...]:
        return tuple(plan for plan in self.items if plan.status != "cancelled")


class PlansFaculty(Faculty):
    """After the slots: it reads what they took from the message."""

    name = "plans"
    words = ("holdfast.faculties.plans/plans",)
    slice = Plans
    events = (PlanKept, PlanSetDown, Cleared)

    def __init__(self, whom: Callable[[Draft], str]) -> None:
        self._whom = whom
        """Says for whom, or for what, a message plans something."""

    def hear(self, draft: Draft) -> Iterator[Event]:
        said = {e.slot: e for e in draft.events if isinstance(e, SlotSet)}
        plans: Plans = draft.state.plans
        if draft.reading.has("clock") and (several := _several(draft, said)):
            yield from self._made_together(draft, several)
            return
        given = {SLOTS[name]: event.value for name, event in said.items() if name in SLOTS}
        if (plans.items or said) and (whom := self._whom(draft)):
            given["whom"] = whom
        if not given and (draft.reading.has("yes", "accepts") or _known(draft)):
            given |= self._taken(draft, plans)
        if plans.items:
            yield from self._of_plans(draft, plans, given, said)
        elif "venue" in given:
            yield from _shown(draft, _made(draft, {**_in_slots(draft), **given}, "plan.made"))

    def _of_plans(self, draft: Draft, plans: Plans, given: dict[str, str], said: dict[str, SlotSet]) -> Iterator[Event]:
        """What a message says while there are plans: of one of them, or of another one."""
        plan = _spoken_of(draft, plans, said.get(TOPIC))
        if draft.reading.has("cancels") and "venue" not in given:
            yield from _cancelled(draft, plans)
            return
        if plan is not None and plan == plans.now and self._elsewhere(plan, said):
            yield from self._set_down(draft, said, plan)
            plan = None
        if plan is not None and not _another(plan, given):
            yield from _pointed_at(draft, plan, plans)
            yield from _altered(draft, plan, given)
        elif "venue" in given:
            yield from _shown(draft, _made(draft, {**_in_slots(draft), **given}, "plan.made"))

    def say(self, draft: Draft) -> Iterator[Event]:
        """What an agent tells to be booked is a plan, or settles the one that is there."""
        for found in told(draft.reading, draft.state.references.known, "booked") if draft.reading.has("booked") else ():
            plan = next((one for one in draft.state.plans.standing if one.venue == found.venue.name), None)
            told_of = {"when": found.when, "count": found.number}
            if plan is None:
                yield from _shown(
                    draft,
                    _made(draft, {"venue": found.venue.name, **told_of, "status": "booked"}, "plan.told"),
                    "agent",
                )
            elif plan != (settled := _settled(plan, draft.reading, **told_of)):
                yield PlanKept(plan=settled, because=draft.cause("plan.told"))

    def _made_together(self, draft: Draft, several: list[dict[str, str]]) -> Iterator[Event]:
        """Several plans of one message; of those that stand, what it says is new."""
        for given in several:
            plan = next((one for one in draft.state.plans.standing if one.venue == given["venue"]), None)
            if plan is None:
                yield from _shown(draft, _made(draft, {**_in_slots(draft), **given}, "plan.made"))
            else:
                yield PlanKept(plan=msgspec.structs.replace(plan, **given), because=draft.cause("plan.changed"))

    def _taken(self, draft: Draft, plans: Plans) -> dict[str, str]:
        """Where something is to take place though no word of booking says so: what the agent proposed ("Shall I book
        Aster at six?"), or the one thing that is chosen, once it is known when or for how many."""
        if draft.reading.has("yes", "accepts") and (offer := _proposed(draft, plans)):
            return offer
        if not draft.reading.has("accepts") and not (_known(draft) and plans.now is None):
            return {}
        chosen = [entity.name for span, entity in pointed(draft) if _chooses(draft, span)]
        return {"venue": chosen[0]} if len(chosen) == 1 else {}

    def _elsewhere(self, plan: Plan, said: dict[str, SlotSet]) -> bool:
        """Whether the message looks for something beside the plan: for another thing, and the plan is settled, or it
        has a time or a number of people that the message gives anew."""
        sought = said.get(TOPIC)
        if sought is None or sought.value == sought.old or "event_venue_name" in said:
            return False
        anew = any(name in said and getattr(plan, part) not in ("", said[name].value) for name, part in SLOTS.items())
        return plan.status == "booked" or anew

    def _set_down(self, draft: Draft, said: dict[str, SlotSet], plan: Plan) -> Iterator[Event]:
        yield PlanSetDown(id=plan.id, because=draft.cause("plan.set_down"))
        for name in SLOTS:  # the record has them; what is asked for next begins with no more than the day
            held = draft.state.slots.get(name)
            if name in said or held is None:
                continue
            day = day_of(draft.reading, held) if name == "event_date_time" else ""
            if day:
                yield SlotSet(slot=name, value=day, old=held, because=draft.cause("plan.set_down"))
            else:
                yield Cleared(what=name, because=draft.cause("plan.set_down"))

    def fold(self, slice: Plans, event: Event, moment: Moment) -> Plans:
        match event:
            case PlanKept(plan=plan):
                return Plans((*slice.but(plan.id), plan)[-KEPT:], "" if plan.status == "cancelled" else plan.id)
            case PlanSetDown():
                return Plans(slice.items, "")
            case Cleared(what="everything"):
                return Plans()
            case Cleared(what="event_venue_name") if (now := slice.now) is not None and now.status == "planned":
                return Plans(slice.but(now.id), "")
        return slice

    def context(self, draft: Draft) -> Iterable[Item]:
        """Plans that the other keys no longer tell."""
        plans: Plans = draft.state.plans
        others = [plan for plan in plans.standing if plan.id != plans.current] if plans.items else []
        told = "; ".join(f"{plan.line()} ({plan.status})" for plan in others)
        return [Item("Plans", told, 60)] if told else []


def _shown(draft: Draft, kept: PlanKept, source: Source = "person") -> Iterator[Event]:
    """A plan that is made or changed; the slots that speak of plans hold what is known of it."""
    for name, part in SLOTS.items():
        value, old = getattr(kept.plan, part), draft.state.slots.get(name)
        if value and value != old:
            yield SlotSet(slot=name, value=value, old=old, source=source, because=draft.cause("plan.spoken_of"))
    yield kept


def _settled(plan: Plan, reading: Reading, when: str, count: str) -> Plan:
    """A plan once it is booked, with what was not known of it before: what the person said stays as it is."""
    lacks = not plan.when or lacks_hour(reading, plan.when) or not day_of(reading, plan.when)
    when = same_day(reading, when, plan.when) if when and lacks else plan.when
    return msgspec.structs.replace(plan, status="booked", when=when, count=plan.count or count)


def _altered(draft: Draft, plan: Plan, given: dict[str, str]) -> Iterator[Event]:
    if "when" not in given and (hour := moved_to(draft.reading)):
        given = given | {"when": same_day(draft.reading, hour, plan.when)}
    changed = msgspec.structs.replace(plan, **given)
    if changed != plan and not _only_asks(draft):
        yield from _shown(draft, PlanKept(plan=changed, because=draft.cause("plan.changed")))


def _spoken_of(draft: Draft, plans: Plans, sought: SlotSet | None) -> Plan | None:
    """The plan that a message speaks of: the one at a place that it points at, or that it calls by a word of its name
    or by what it is ("move bowling to six"); else the one at hand. Who looks for something new calls none."""
    names = {entity.name for _, entity in pointed(draft)}
    named = [plan for plan in plans.standing if plan.venue in names]
    if not named and (sought is None or sought.value == sought.old):
        named = called(draft.reading, plans)
    return named[0] if len(named) == 1 else plans.now


def called(reading: Reading, plans: Plans) -> list[Plan]:
    """The plans that a message calls by a word of their name or by what they are, and by no word that others share."""
    small = reading.reader.phrases("small", "words") | reading.reader.phrases("pointing", "small", "articles")
    words = {plan.id: {*plan.words()} - small for plan in plans.standing}
    shared = Counter(word for of_plan in words.values() for word in of_plan)
    return [plan for plan in plans.standing if says(reading, (w for w in words[plan.id] if shared[w] == 1))]


def _pointed_at(draft: Draft, plan: Plan, plans: Plans) -> Iterator[Event]:
    """Who calls a plan points at where it takes place."""
    if pointed(draft) or plan not in called(draft.reading, plans):
        return
    words = draft.reading.text.strip()
    meant = Resolution(words, (0, len(words)), "resolved", (Entity(plan.venue, plan.venue_id),))
    yield ReferenceResolved(resolution=meant, because=draft.cause("plan.called"))


def _known(draft: Draft) -> bool:
    """Whether it is known when something takes place, or with how many."""
    return not draft.state.slots.values.keys().isdisjoint(("event_date_time", "event_party_size"))


def _several(draft: Draft, said: dict[str, SlotSet]) -> list[dict[str, str]]:
    """What a message says of several plans at once: each has a time of its own."""
    named = pointed(draft)
    found = parts(draft.reading, [span for span, _ in named])
    venues = [] if _only_asks(draft) else venues_of(draft, found, named)
    if not found or len({venue.name for venue in venues}) != len(found):
        return []
    count = {"count": said["event_party_size"].value} if "event_party_size" in said else {}
    day = draft.before.slots.get("event_date_time")  # for a time that names none itself
    times = [same_day_or_moved(draft.reading, part.when, day) if day else part.when for part in found]
    return [
        {"venue": venue.name, "when": when, "what": part.label, **count}
        for venue, when, part in zip(venues, times, found, strict=True)
    ]


def _proposed(draft: Draft, plans: Plans) -> dict[str, str]:
    """What the agent asked leave to book, where a message says yes to it."""
    if not draft.asked or draft.reading.has("no"):
        return {}
    offers = told(draft.reading.reader.read(draft.asked), draft.state.references.known, "books")
    if len(offers) != 1 or any(plan.venue == offers[0].venue.name for plan in plans.standing):
        return {}
    offer = {"venue": offers[0].venue.name, "when": offers[0].when, "count": offers[0].number}
    return {part: value for part, value in offer.items() if value}


def pointed(draft: Draft) -> list[tuple[Span, Entity]]:
    """What a message points at, in its order, each by words of its own."""
    found = [e.resolution for e in draft.events if isinstance(e, ReferenceResolved) and e.resolution.how != "silent"]
    sure = [one for one in found if one.status == "resolved"]
    return sorted(((one.span, entity) for one in sure for entity in one.entities), key=lambda one: one[0])


def _chooses(draft: Draft, span: Span) -> bool:
    """Whether words choose what they point at, and ask nothing of it."""
    clause = next((one for one in draft.clauses if one.start <= span[0] < one.end), None)
    asks = "?" in draft.reading.text or any(one.act == "asks" and one.lead >= SURE for one in draft.clauses)
    return clause is not None and (clause.act in CHOICE or clause.lead < DOUBTED) and not asks


def plans_of(state: State) -> Plans:
    plans: Plans = state.session.slices.get("plans") or Plans()
    return plans


def booked(id: str) -> Callable[[Draft], Iterator[Event]]:
    """For `chat.act`: an agent booked a plan."""
    return _marked(id, "booked")


def cancelled(id: str) -> Callable[[Draft], Iterator[Event]]:
    """For `chat.act`: an agent cancelled a plan."""
    return _marked(id, "cancelled")


def _marked(id: str, status: Literal["booked", "cancelled"]) -> Callable[[Draft], Iterator[Event]]:
    def act(draft: Draft) -> Iterator[Event]:
        plan = plans_of(draft.state).get(id)
        if plan is None:
            raise UnknownItem(f"there is no plan {id!r}; `state.plans.items` has those that are kept")
        if status == "cancelled":
            yield from _ended(draft, plan, "call.cancelled")
        else:
            yield PlanKept(plan=msgspec.structs.replace(plan, status=status), because=draft.cause(f"call.{status}"))

    return act


def _ended(draft: Draft, plan: Plan, rule: str) -> Iterator[Event]:
    """A plan is no more, and what the slots hold of it is let go."""
    yield PlanKept(plan=msgspec.structs.replace(plan, status="cancelled"), was=plan.status, because=draft.cause(rule))
    for name in SLOTS:
        if name in draft.state.slots.values:
            yield Cleared(what=name, because=draft.cause(rule))


def _cancelled(draft: Draft, plans: Plans) -> Iterator[Event]:
    """A person takes back a plan: one at a place that is named, else the one at hand."""
    stands = draft.reading.find(standing)
    plan = _spoken_of(draft, plans, None) or next(reversed(plans.standing), None)
    wanted = any(stands.of(cue.span).isdisjoint(UNWANTED) for cue in draft.reading.all("cancels"))
    if wanted and plan is not None:
        yield from _ended(draft, plan, "plan.cancelled")


def planned(venue: str, venue_id: str) -> Callable[[Draft], Iterator[Event]]:
    """For `chat.act`: the person wants something at this venue; what the slots hold of time and people goes with it. A
    plan at the same venue that is not settled yet goes on."""

    def act(draft: Draft) -> Iterator[Event]:
        now, given = plans_of(draft.state).now, {**_in_slots(draft), "venue": venue, "venue_id": venue_id}
        if now is not None and (now.venue == venue or now.status == "planned"):
            yield PlanKept(plan=msgspec.structs.replace(now, **given), because=draft.cause("call.planned"))
        else:
            yield _made(draft, given, "call.planned")

    return act


def _in_slots(draft: Draft) -> dict[str, str]:
    """The parts of a plan that the slots hold."""
    return {part: draft.state.slots.get(name) or "" for name, part in SLOTS.items()}


def _made(draft: Draft, given: dict[str, str], rule: str) -> PlanKept:
    what, place = (draft.state.slots.get(name) or "" for name in (TOPIC, "location"))
    known = [entity.id for entity in draft.state.references.known.values() if entity.name == given["venue"]]
    given = {"what": what, "place": place, "venue_id": "".join(known[-1:]), **given}
    plan = msgspec.structs.replace(Plan(draft.new_id("plan")), **given)
    return PlanKept(plan=plan, fresh=True, because=draft.cause(rule))


def _another(plan: Plan, given: dict[str, str]) -> bool:
    """Whether what is given is another plan: at another venue, while this one is booked or has another time."""
    if given.get("venue", plan.venue) == plan.venue:
        return False
    return plan.status == "booked" or bool(plan.when and given.get("when", plan.when) != plan.when)


def _only_asks(draft: Draft) -> bool:
    """Whether a message with a time or a number only asks about it: "was it friday or saturday?"."""
    asks = draft.reading.text.rstrip().endswith("?") and draft.reading.has("asked_of")
    return asks and not draft.reading.has("books", "recount", "requesting")
