"""Plans as they are kept: what is to happen, where, when, with how many and for whom, and what happened to them.

They belong to the person, where the conversation names one: what was booked in one is known in the next. Which of them
is being spoken of belongs to the conversation.
"""

from __future__ import annotations

from typing import Literal

import msgspec

from holdfast.events import Event
from holdfast.reading.text import fold
from holdfast.telling import Telling, said

Status = Literal["planned", "booked", "cancelled"]
KEPT = 12
"""Plans that are at hand; older ones are in the log."""
SLICE = "planned"
"""What the slice is called; `state.plans` shows those of the conversation and of the person together."""


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


class PlanTurnedTo(Event, frozen=True):
    """The talk turns to a plan: what is said from now on is a part of it."""

    did = "turned"
    told = "topic.plan"

    id: str
    line: str = ""

    @property
    def meant(self) -> tuple[str, ...]:
        return (self.id,)


class PlansAsked(Event, frozen=True):
    """A message asks about plans, or does not say which of them it means; it changes none of them."""

    did = "understood"
    told = "plans.asked"

    ids: tuple[str, ...] = ()
    """Those that are meant; none where there is no such plan."""
    lines: str = ""
    to_cancel: bool = False
    """Whether one should be cancelled, and nobody can tell which."""

    @property
    def meant(self) -> tuple[str, ...]:
        return self.ids


class PlanBeside(Event, frozen=True):
    """A plan is named to say something of another thing: "close to the museum", "same as dinner"."""

    did = "understood"
    told = "plans.beside"

    id: str
    line: str = ""
    near: bool = False
    """Whether the other thing should be near it."""


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
        now = self.get(self.current)
        return now if now is not None and now.status != "cancelled" else None

    def but(self, id: str) -> tuple[Plan, ...]:
        return tuple(plan for plan in self.items if plan.id != id)

    @property
    def standing(self) -> tuple[Plan, ...]:
        return tuple(plan for plan in self.items if plan.status != "cancelled")
