"""Plans: what is to happen, where, when, with how many and for whom. Records of their own, beside the search.

A plan begins where something is to be booked or takes place at a venue; what is said of the time and the number of
people then belongs to it. A new search leaves it alone: looking for a museum on Saturday does not move Friday's dinner.
Several plans live side by side; an agent marks the one that it booked or cancelled with `booked` and `cancelled`.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from typing import Literal

import msgspec

from holdfast.errors import UnknownItem
from holdfast.events import Cleared, Event, ReferenceResolved
from holdfast.faculties.facts.memos import SlotSet
from holdfast.faculty import Draft, Faculty, Item
from holdfast.reading.standing import standing
from holdfast.state import Moment, State
from holdfast.telling import Telling, said

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
    status: Literal["planned", "booked", "cancelled"] = "planned"

    def line(self) -> str:
        """The plan in one line, for the context and the receipt."""
        people = f"{self.count} people" if self.count else ""
        return ", ".join(part for part in (self.venue, self.when, people, self.whom) if part)


class PlanKept(Event, frozen=True):
    """A plan was made, changed, booked or cancelled; it is here as it stands since."""

    plan: Plan
    fresh: bool = False

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

    def hear(self, draft: Draft) -> Iterator[Event]:
        said = {e.slot: e for e in draft.events if isinstance(e, SlotSet)}
        plans: Plans = draft.state.plans
        if not plans.items and not said:
            return
        plan = plans.now
        if plan is not None and self._elsewhere(plan, said):
            yield from self._set_down(draft, said, plan)
            plan = None
        given = {SLOTS[name]: event.value for name, event in said.items() if name in SLOTS} | _whom(draft)
        if draft.reading.has("cancels") and "venue" not in given:
            yield from _cancelled(draft, plans)
        elif plan is not None and not _another(plan, given):
            yield from _altered(draft, plan, given)
        elif "venue" in given:
            yield _made(draft, {**_in_slots(draft), **given}, "plan.made")

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
        for name in SLOTS:  # the record has them; what is asked for next begins without them
            if name not in said and name in draft.state.slots.values:
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


def _altered(draft: Draft, plan: Plan, given: dict[str, str]) -> Iterator[Event]:
    changed = msgspec.structs.replace(plan, **given)
    if changed != plan and not _only_asks(draft):
        yield PlanKept(plan=changed, because=draft.cause("plan.changed"))


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
    yield PlanKept(plan=msgspec.structs.replace(plan, status="cancelled"), because=draft.cause(rule))
    for name in SLOTS:
        if name in draft.state.slots.values:
            yield Cleared(what=name, because=draft.cause(rule))


def _cancelled(draft: Draft, plans: Plans) -> Iterator[Event]:
    """A person takes back a plan before it is booked: one at a place that is named, else the one at hand. What is
    booked is for the agent to cancel."""
    stands = draft.reading.find(standing)
    named = {entity.name for e in draft.events if isinstance(e, ReferenceResolved) for entity in e.resolution.entities}
    plan = next((plan for plan in reversed(plans.standing) if plan.venue in named), plans.now)
    wanted = any(stands.of(cue.span).isdisjoint(UNWANTED) for cue in draft.reading.all("cancels"))
    if wanted and plan is not None and plan.status == "planned":
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


def _whom(draft: Draft) -> dict[str, str]:
    spans = [cue.groups["whom"] for cue in draft.reading.all("plan_for") if "whom" in cue.groups]
    return {"whom": draft.reading.words(spans[0])} if spans else {}


def _another(plan: Plan, given: dict[str, str]) -> bool:
    """Whether what is given is another plan: at another venue, while this one is booked or has another time."""
    if given.get("venue", plan.venue) == plan.venue:
        return False
    return plan.status == "booked" or bool(plan.when and given.get("when", plan.when) != plan.when)


def _only_asks(draft: Draft) -> bool:
    """Whether a message with a time or a number only asks about it: "was it friday or saturday?"."""
    asks = draft.reading.text.rstrip().endswith("?") and draft.reading.has("asked_of")
    return asks and not draft.reading.has("books", "recount", "requesting")
