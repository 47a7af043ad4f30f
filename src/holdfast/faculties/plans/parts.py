"""The parts of a message that speak of plans: the hour that one is moved to, the numbers that may count people, and a
booking as an agent tells of it: "Booked: Aster, Friday 8 pm, two people"."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from itertools import pairwise
from typing import Any, NamedTuple

from holdfast.events import Entity
from holdfast.faculties.facts.slots.readers import party
from holdfast.reading.dates import dates, days, hours
from holdfast.reading.reader import Reading, Span, begins_in, touches
from holdfast.reading.standing import sentences, standing
from holdfast.reading.text import fold
from holdfast.reading.values import Number, numbers

HOURS, PEOPLE = 24, "people"
"""The hours of a day, and the unit of those who come."""


def moved_to(reading: Reading) -> str:
    """The bare hour that something is moved to: "push it to 10", but not "to 10 people"."""
    leads = reading.phrases("plans", "moved_to")
    led = {token[0] for before, token in pairwise(reading.tokens) if reading.said(before) in leads}
    people = reading.data("counts")  # "на троих" is no hour
    bare = [n for n in _free(reading) if n.span[0] in led and n.unit is None and reading.said(n.span) not in people]
    return next((f"{n.value:g}" for n in bare if n.value <= HOURS), "")


def counts(reading: Reading, span: Span) -> list[str]:
    """The numbers of a part of a message that may count people, and are no hour that something is moved to."""
    hour = moved_to(reading) if reading.has("plan_moves") else ""
    told = [f"{n.value:g}" for n in begun(_free(reading), span) if n.unit in (None, PEOPLE)]
    return [value for value in told if value != hour]


def _free(reading: Reading) -> list[Number]:
    """The numbers of a message that are no part of a time, and point at nothing ("las dos")."""
    other = [cue.span for cue in (*reading.find(hours), *reading.find(days), *reading.all("pointing_several"))]
    return [n for n in reading.find(numbers) if n.value > 0 and not touches(n.span, other)]


class Told(NamedTuple):
    """A booking as an agent tells of it."""

    venue: Entity
    when: str
    number: str


def told(reading: Reading, known: Mapping[str, Entity], cue: str) -> list[Told]:
    """The bookings that a reply speaks of in sentences that have a cue of a family ("Booked: …"), with the place, the
    time and the number of people that it names."""
    spans = [span for span in reading.find(sentences) if _speaks(reading, span, cue)]
    if not spans:
        return []
    near = spans[0][0], max(spans[-1][1], _end(reading, spans[-1]))
    return _told_in(reading, known, near) or _told_in(reading, known, (0, len(reading.text)))


def _told_in(reading: Reading, known: Mapping[str, Entity], span: Span) -> list[Told]:
    """The booking of a part of a reply that names one place."""
    venues = _named(reading, known, span)
    times = ["", *(one.value for one in begun(reading.find(dates), span))]
    counts = ["", *(found.value for found in begun(party(reading), span))]
    return [Told(venues[0], times[-1], counts[-1])] if len(venues) == 1 and any((*times, *counts)) else []


def begun(found: Iterable[Any], span: Span) -> list[Any]:
    """What begins in a part of a text."""
    return [one for one in found if begins_in(one.span[0], [span])]


def _speaks(reading: Reading, span: Span, cue: str) -> bool:
    """Whether a sentence tells of a booking; one that is denied is none."""
    cues = [one for one in reading.all(cue) if span[0] <= one.start < span[1]]
    return any("negated" not in reading.find(standing).of(one.span) for one in cues)


def _end(reading: Reading, span: Span) -> int:
    """Where what is said of a booking ends: "Done!" is followed by what was done."""
    after = [b for a, b in reading.find(sentences) if a >= span[1]]
    return after[0] if after and not reading.text[: after[0]].rstrip().endswith("?") else span[1]


def _named(reading: Reading, known: Mapping[str, Entity], span: Span) -> list[Entity]:
    """What is named in a part of a text, in its order."""
    places = {key: reading.folded.find(fold(e.name), *span) for key, e in known.items() if e.name}
    return [known[key] for key in sorted(places, key=lambda key: places[key]) if places[key] >= 0]
