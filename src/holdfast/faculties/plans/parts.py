"""The parts of a message that speak of plans: "museum at 2 and cake at 4 on friday" is two, "Booked: Aster, Friday
8 pm, two people" one. Each has a time and what stands beside it; a day that is said once is for all."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from itertools import pairwise
from typing import Any, NamedTuple

from holdfast.events import Entity
from holdfast.faculties.facts.slots.readers import party
from holdfast.faculty import Draft
from holdfast.reading.dates import dates, days, hours
from holdfast.reading.reader import Cue, Reading, Span, begins_in, inside, touches
from holdfast.reading.standing import sentence_of, sentences, standing
from holdfast.reading.text import fold
from holdfast.reading.values import Number, numbers

HOURS, PEOPLE = 24, "people"
"""The hours of a day, and the unit of those who come."""
MIN_LABEL_LETTERS = 3
"""Letters of a word that may tell one plan from another."""


class Part(NamedTuple):
    """One plan as a message tells of it."""

    when: str
    label: str
    """The words beside its time: "cake", "the escape room"."""
    span: Span


def parts(reading: Reading, named: Sequence[Span] = ()) -> list[Part]:
    """The parts of a message that names several times, in order; `named` is where it names things."""
    clocks: list[Cue] = reading.find(hours)
    if len(clocks) < 2:
        return []
    return [
        Part(" ".join((*_day(reading, clock), reading.words(clock.span))), " ".join(telling(reading, span)), span)
        for clock, span in zip(clocks, _around(reading, clocks, named), strict=True)
    ]


def _day(reading: Reading, clock: Cue) -> list[str]:
    """The day of a time: the one that its sentence names, or the first that the sentences before it name."""
    end = sentence_of(reading, clock.span)[1]
    return [reading.words(cue.span) for cue in reading.find(days) if cue.start < end][:1]


def _around(reading: Reading, clocks: Sequence[Cue], named: Sequence[Span]) -> list[Span]:
    """What belongs to each time: the words before it, or, where it opens what is said of a thing, those after it."""
    start = next((a for a, b in reading.find(sentences) if a <= clocks[0].start < b), 0)
    ends = [start, *(clock.end for clock in clocks)]
    before = list(pairwise(ends))
    opens = min(named) > clocks[0].span if named else not all(telling(reading, span) for span in before)
    starts = [*(clock.start for clock in clocks), len(reading.text)]
    return list(pairwise(starts)) if opens else before


def telling(reading: Reading, span: Span) -> list[str]:
    """The words of a part that tell what it is: no small ones, times, numbers or verbs of booking."""
    small = reading.phrases("small", "words") | reading.phrases("pointing", "small")
    taken = [*reading.find(days), *reading.find(hours), *reading.all("books"), *reading.all("yes")]
    words = [
        reading.said(token)
        for token in inside(reading.tokens, span)
        if not any(cue.start <= token[0] < cue.end for cue in taken)
    ]
    return [word for word in words if word not in small and len(word) >= MIN_LABEL_LETTERS and word.isalpha()]


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


def venues_of(draft: Draft, found: Sequence[Part], named: Sequence[tuple[Span, Entity]]) -> list[Entity]:
    """Where each part takes place: at what it points at or names, else at the next of what the talk is about."""
    said = [_named_in(part, named) for part in found]
    left = iter(_spoken_of(draft, named, {entity.name for entity in said if entity is not None}))
    return [entity for one in said if (entity := one or next(left, None)) is not None]


def _spoken_of(draft: Draft, named: Sequence[tuple[Span, Entity]], taken: set[str]) -> list[Entity]:
    """What the talk is about, without some of it."""
    refs = draft.before.references
    spoken_of = [entity for _, entity in named] or list(refs.pointed) or refs.shown()
    return [entity for entity in spoken_of if entity.name not in taken]


def _named_in(part: Part, named: Sequence[tuple[Span, Entity]]) -> Entity | None:
    return next((entity for span, entity in named if begins_in(span[0], [part.span])), None)


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
    """The bookings of a part of a reply: several, where each has a time of its own, or one."""
    venues, times = _named(reading, known, span), [part.when for part in parts(reading)]
    if len(times) != len(venues):
        times = ["", *(one.value for one in begun(reading.find(dates), span))][-1:]
    counts = ["", *(found.value for found in begun(party(reading), span))]
    if len(venues) != len(times) or not any((*times, *counts)):
        return []
    return [Told(venue, when, counts[-1]) for venue, when in zip(venues, times, strict=True)]


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
