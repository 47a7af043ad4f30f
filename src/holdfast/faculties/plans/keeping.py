"""How plans are made, changed and ended: the events, and what the slots that speak of plans hold of them."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Literal

import msgspec

from holdfast.errors import UnknownItem
from holdfast.events import Cause, Cleared, Event, Source
from holdfast.faculties.facts.memos import SlotSet
from holdfast.faculties.plans.records import Plan, PlanKept, Plans, PlanTurnedTo
from holdfast.faculty import Draft

SPOKEN_OF = "plan.spoken_of"
"""The rule by which slots hold what is known of a plan."""
TOPIC = "search_query"
"""The slot that says what is looked for."""
SLOTS = {"event_venue_name": "venue", "event_date_time": "when", "event_party_size": "count"}
"""The slots that speak of a plan, and which part of it they give."""


def kept(draft: Draft, plan: Plan, because: Cause, fresh: bool = False) -> Iterator[Event]:
    """A plan as it stands now, for the person; the talk is about it."""
    yield PlanKept(plan=plan, fresh=fresh, scope="user", because=because)
    if draft.state.plans.current != plan.id:
        yield PlanTurnedTo(id=plan.id, because=because)


def shown(draft: Draft, plan: Plan, source: Source = "person") -> Iterator[Event]:
    """The slots that speak of plans hold what is known of one."""
    for name, part in SLOTS.items():
        value, old = getattr(plan, part), draft.state.slots.get(name)
        if value and value != old:
            yield SlotSet(slot=name, value=value, old=old, source=source, because=draft.cause(SPOKEN_OF))


def in_slots(draft: Draft) -> dict[str, str]:
    """The parts of a plan that the slots hold."""
    return {part: draft.state.slots.get(name) or "" for name, part in SLOTS.items()}


def made(draft: Draft, given: dict[str, str]) -> Plan:
    """A new plan."""
    what, place = (draft.state.slots.get(name) or "" for name in (TOPIC, "location"))
    known = [entity.id for entity in draft.state.references.known.values() if entity.name == given["venue"]]
    given = {"what": what, "place": place, "venue_id": "".join(known[-1:]), **given}
    # those of one person come from several conversations, and each counts for itself
    id = draft.new_id(f"plan_{draft.origin}" if draft.state.user is not None else "plan")
    return msgspec.structs.replace(Plan(id), **given)


def ended(draft: Draft, plan: Plan, because: Cause) -> Iterator[Event]:
    """A plan is no more, and what the slots hold of it is let go."""
    over = msgspec.structs.replace(plan, status="cancelled")
    at_hand = plan == draft.state.plans.now or draft.state.slots.get("event_venue_name") == plan.venue
    yield PlanKept(plan=over, was=plan.status, scope="user", because=because)
    for name in SLOTS if at_hand else ():
        if name in draft.state.slots.values:
            yield Cleared(what=name, because=because)


def booked(id: str) -> Callable[[Draft], Iterator[Event]]:
    """For `chat.act`: an agent booked a plan."""
    return _marked(id, "booked")


def cancelled(id: str) -> Callable[[Draft], Iterator[Event]]:
    """For `chat.act`: an agent cancelled a plan."""
    return _marked(id, "cancelled")


def _marked(id: str, status: Literal["booked", "cancelled"]) -> Callable[[Draft], Iterator[Event]]:
    def act(draft: Draft) -> Iterator[Event]:
        plan = draft.state.plans.get(id)
        if plan is None:
            raise UnknownItem(f"there is no plan {id!r}; `state.plans.items` has those that are kept")
        because = draft.cause(f"call.{status}")
        if status == "cancelled":
            yield from ended(draft, plan, because)
        else:
            yield from kept(draft, msgspec.structs.replace(plan, status=status), because)

    return act


def planned(venue: str, venue_id: str) -> Callable[[Draft], Iterator[Event]]:
    """For `chat.act`: the person wants something at this venue; what the slots hold of time and people goes with it. A
    plan at the same venue that is not settled yet goes on."""

    def act(draft: Draft) -> Iterator[Event]:
        plans: Plans = draft.state.plans
        now, given = plans.now, {**in_slots(draft), "venue": venue, "venue_id": venue_id}
        goes_on = now is not None and (now.venue == venue or now.status == "planned")
        plan = msgspec.structs.replace(now, **given) if now is not None and goes_on else made(draft, given)
        yield from kept(draft, plan, draft.cause("call.planned"), fresh=not goes_on)

    return act
