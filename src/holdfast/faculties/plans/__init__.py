"""Plans: what is to happen, where, when, with how many and for whom. Records of their own, beside the search.

A plan begins where something is to be booked or takes place at a venue; what is said of the time and the number of
people then belongs to it. A new search leaves it alone: looking for a museum on Saturday does not move Friday's dinner.
Several plans live side by side, and belong to the person; `meant.py` chooses which of them words are about. An agent
marks the one that it booked or cancelled with `booked` and `cancelled`.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator

import msgspec

from holdfast.events import Cleared, Entity, Event, ReferenceResolved, Source
from holdfast.faculties.facts.memos import SlotSet
from holdfast.faculties.facts.slots.readers import day_of, lacks_hour, same_day, same_day_or_moved, same_hour
from holdfast.faculties.plans.keeping import (
    SLOTS,
    SPOKEN_OF,
    TOPIC,
    booked,
    cancelled,
    ended,
    in_slots,
    kept,
    made,
    planned,
    shown,
)
from holdfast.faculties.plans.meant import Kin, elsewhere, giving
from holdfast.faculties.plans.parts import moved_to, parts, told, venues_of
from holdfast.faculties.plans.records import (
    KEPT,
    SLICE,
    Plan,
    PlanBeside,
    PlanKept,
    Plans,
    PlansAsked,
    PlanSetDown,
    PlanTurnedTo,
)
from holdfast.faculties.plans.turning import changes, pointed_at, spoken_of
from holdfast.faculty import Draft, Faculty, Item
from holdfast.reading.reader import Reading, Span, touches
from holdfast.state import Moment, State

__all__ = [
    "Plan",
    "PlanBeside",
    "PlanKept",
    "PlanMeant",
    "PlanTurnedTo",
    "Plans",
    "PlansAsked",
    "PlansFaculty",
    "about_plans",
    "booked",
    "cancelled",
    "planned",
    "plans_of",
    "turned_to",
]
KNOWN = frozenset({"event_date_time", "event_party_size"})
"""Slots by which it is known when something takes place, or with how many."""
SILENT = (PlansAsked, PlanBeside, PlanKept)
SPEAKING = (*SILENT, PlanTurnedTo)
"""What happened where a message speaks of plans, first where it gives them nothing."""


class PlanMeant(Faculty):
    """After the references and before the slots: which plan a message is about, so that what it gives belongs to that
    one. A question about plans gives nothing, and neither do the words by which one is cancelled."""

    name = "plan_meant"
    events = (PlansAsked, PlanBeside)

    def __init__(self, kin: Kin, dropped: Callable[[Draft], list[Span]]) -> None:
        self._kin = kin
        """How far words say what a plan is."""
        self._dropped = dropped
        """Where a message gives up a place."""

    def hear(self, draft: Draft) -> Iterator[Event]:
        if draft.state.plans.items or draft.reading.has("plan_word"):
            yield from spoken_of(draft, self._kin, self._dropped(draft) if draft.state.plans.items else [])


def about_plans(draft: Draft, given: bool = False) -> list[Span]:
    """Where a message speaks of plans that stand, and looks for nothing; with `given`, only where it gives nothing
    either: it asks about them, or takes them back."""
    found = [event.because for event in draft.events if isinstance(event, SILENT if given else SPEAKING)]
    return [(cause.start, cause.end) for cause in found if cause is not None and cause.end]


def turned_to(draft: Draft) -> list[Span]:
    """Where a message gives something to a plan that it describes or names."""
    found = [event.because for event in draft.events if isinstance(event, PlanTurnedTo)]
    return [(cause.start, cause.end) for cause in found if cause is not None and cause.end]


def plans_of(state: State) -> Plans:
    """What `state.plans` shows; nothing where a pack has no plans."""
    return state.plans if "plans" in state else Plans()


class PlansFaculty(Faculty):
    """After the slots: it reads what they took from the message."""

    name = "plans"
    kept_in = SLICE
    words = ("holdfast.faculties.plans/plans",)
    slice = Plans
    events = (PlanKept, PlanSetDown, PlanTurnedTo, Cleared)

    def __init__(self, whom: Callable[[Draft], str], chosen: Callable[[Draft], list[Span]], kin: Kin) -> None:
        self._whom = whom
        """Says for whom, or for what, a message plans something."""
        self._chosen = chosen
        """Where a message chooses a place."""
        self._kin = kin

    def view(self, state: State) -> Plans:
        """The plans of the conversation and of the person, and which of them is being spoken of."""
        own: Plans = state.session.slices[SLICE]
        theirs: Plans | None = state.user.slices.get(SLICE) if state.user is not None else None
        return Plans((*theirs.items, *own.items), own.current) if theirs is not None and theirs.items else own

    def hear(self, draft: Draft) -> Iterator[Event]:
        if PlanKept in map(type, draft.events):
            return  # some were taken back: nothing else is said of them
        said = {e.slot: e for e in draft.events if isinstance(e, SlotSet)}
        plans: Plans = draft.state.plans
        changed = changes(draft, self._kin) if plans.items and turned_to(draft) else {}
        if several := _several(draft, said, changed) if draft.reading.has("clock") or len(changed) > 1 else []:
            yield from self._made_together(draft, several)
            return
        given = _in(said) if SLOTS.keys() & said.keys() else {}
        if changed and (now := plans.now) is not None:
            given = {**changed.get(now, {}), **given}
        if (plans.items or said) and (whom := self._whom(draft)):
            given["whom"] = whom
        if not said and (draft.reading.has("yes", "accepts") or KNOWN & draft.state.slots.values.keys()):
            given |= self._taken(draft, plans)
        if plans.items:
            yield from self._of_plans(draft, plans, given, said)
        elif "venue" in given:
            yield from _begun(draft, {**in_slots(draft), **given}, "plan.made")

    def _of_plans(self, draft: Draft, plans: Plans, given: dict[str, str], said: dict[str, SlotSet]) -> Iterator[Event]:
        """What a message says while there are plans: of the one at hand, or of another one."""
        yield from pointed_at(draft)
        plan = plans.now
        if plan is not None and self._elsewhere(plan, said):
            yield from self._set_down(draft, said, plan)
            plan = None
        if "venue" not in given and given.keys() & {"when", "count"} and (place := _chosen(draft, self._kin)):
            given = {"venue": place.name, **given}
        if plan is not None and not _another(plan, given):
            yield from _altered(draft, plan, given)
        elif "venue" in given:
            yield from _begun(draft, {**in_slots(draft), **given}, "plan.made")

    def say(self, draft: Draft) -> Iterator[Event]:
        """What an agent tells to be booked is a plan, or settles the one that is there."""
        for found in told(draft.reading, draft.state.references.known, "booked") if draft.reading.has("booked") else ():
            plan = next((one for one in draft.state.plans.standing if one.venue == found.venue.name), None)
            told_of = {"when": found.when, "count": found.number}
            if plan is None:
                given = {"venue": found.venue.name, **told_of, "status": "booked"}
                yield from _begun(draft, given, "plan.told", "agent")
            elif plan != (settled := _settled(plan, draft.reading, **told_of)):
                yield from kept(draft, settled, draft.cause("plan.told"))

    def _made_together(self, draft: Draft, several: list[dict[str, str]]) -> Iterator[Event]:
        """Several plans of one message; of those that stand, what it says is new."""
        for given in several:
            plan = next((one for one in draft.state.plans.standing if one.venue == given["venue"]), None)
            if plan is None:
                yield from _begun(draft, {**in_slots(draft), **given}, "plan.made")
            else:
                yield from _altered(draft, plan, given)

    def _taken(self, draft: Draft, plans: Plans) -> dict[str, str]:
        """Where something is to take place though no word of booking says so: what the agent proposed ("Shall I book
        Aster at six?"), or the one thing that is chosen, once it is known when or for how many."""
        if draft.reading.has("yes", "accepts") and (offer := _proposed(draft, plans)):
            return offer
        if not draft.reading.has("accepts") and not (KNOWN & draft.state.slots.values.keys() and plans.now is None):
            return {}
        spans = self._chosen(draft)
        chosen = [entity.name for span, entity in pointed(draft) if touches(span, spans)]
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
            timed = name == "event_date_time"
            # a day that is named for it has not the hour of the plan
            if held is None or (name in said and not (timed and not draft.reading.has("clock"))):
                continue
            day = day_of(draft.reading, held) if timed else ""
            if day == held:
                continue
            if day:
                yield SlotSet(slot=name, value=day, old=held, because=draft.cause("plan.set_down"))
            else:
                yield Cleared(what=name, because=draft.cause("plan.set_down"))

    def fold(self, slice: Plans, event: Event, moment: Moment) -> Plans:
        match event:
            case PlanKept(plan=plan):
                return Plans((*slice.but(plan.id), plan)[-KEPT:], "" if plan.status == "cancelled" else plan.id)
            case PlanTurnedTo(id=id):
                return Plans(slice.items, id)
            case PlanSetDown():
                return Plans(slice.items, "")
            case Cleared(what="everything"):
                return Plans()
            case Cleared(what="event_venue_name") if (now := slice.now) is not None and now.status == "planned":
                return Plans(slice.but(now.id), "")
        return slice

    def clear(self, draft: Draft, what: str | None, index: int | None) -> Iterator[Event]:
        """With everything goes what was only planned; what is booked stays the person's."""
        for plan in draft.state.plans.standing if what is None else ():
            if plan.status == "planned":
                yield from ended(draft, plan, draft.cause("plan.cancelled"))

    def context(self, draft: Draft) -> Iterable[Item]:
        """Plans that the other keys no longer tell."""
        plans: Plans = draft.state.plans
        others = [plan for plan in plans.standing if plan.id != plans.current] if plans.items else []
        told = "; ".join(f"{plan.line()} ({plan.status})" for plan in others)
        return [Item("Plans", told, 60)] if told else []


def _begun(draft: Draft, given: dict[str, str], rule: str, source: Source = "person") -> Iterator[Event]:
    """A new plan; the slots hold what is known of it."""
    plan = made(draft, given)
    yield from shown(draft, plan, source)
    yield from kept(draft, plan, draft.cause(rule), fresh=True)


def _chosen(draft: Draft, kin: Kin) -> Entity | None:
    """A place that was shown and has no plan, where it is named by who gives a time or a number of people, and asks
    nothing."""
    return next((one for c in giving(draft) if (one := elsewhere(draft, kin, (c.start, c.end)))), None)


def _settled(plan: Plan, reading: Reading, when: str, count: str) -> Plan:
    """A plan once it is booked, with what was not known of it before: what the person said stays as it is."""
    lacks = not plan.when or lacks_hour(reading, plan.when) or not day_of(reading, plan.when)
    when = same_day(reading, when, plan.when) if when and lacks else plan.when
    return msgspec.structs.replace(plan, status="booked", when=when, count=plan.count or count)


def _altered(draft: Draft, plan: Plan, given: dict[str, str]) -> Iterator[Event]:
    hour = moved_to(draft.reading)
    if hour not in ("", given.get("count")) and given.get("when", plan.when) == plan.when:
        given = given | {"when": same_day(draft.reading, hour, plan.when)}
    elif "when" in given:  # at another hour it keeps its day, on another day its hour
        when = same_day(draft.reading, given["when"], plan.when)
        given = given | {"when": same_hour(draft.reading, when, plan.when)}
    changed = msgspec.structs.replace(plan, **given)
    if changed != plan:
        yield from shown(draft, changed)
        yield from kept(draft, changed, draft.cause("plan.changed"))


def _in(said: dict[str, SlotSet]) -> dict[str, str]:
    """The parts of a plan that a message gives to slots, and not those that only show what is known of one."""
    new = {name: e.value for name, e in said.items() if e.because is None or e.because.rule != SPOKEN_OF}
    return {part: new[name] for name, part in SLOTS.items() if name in new}


def _several(draft: Draft, said: dict[str, SlotSet], changed: dict[Plan, dict[str, str]]) -> list[dict[str, str]]:
    """What a message says of several plans at once: it names them, or each has a time of its own."""
    if len(changed) > 1:
        return [{"venue": plan.venue, **given} for plan, given in changed.items()]
    named = pointed(draft)
    found = parts(draft.reading, [span for span, _ in named])
    venues = venues_of(draft, found, named) if giving(draft) else []
    if not found or len({venue.name for venue in venues}) != len(found):
        return []
    counted = "event_party_size" in said and not turned_to(draft)
    count = {"count": said["event_party_size"].value} if counted else {}
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


def _another(plan: Plan, given: dict[str, str]) -> bool:
    """Whether what is given is another plan: at another venue, while this one is booked or has another time."""
    if given.get("venue", plan.venue) == plan.venue:
        return False
    return plan.status == "booked" or bool(plan.when and given.get("when", plan.when) != plan.when)
