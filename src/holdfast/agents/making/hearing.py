"""What a message gives the maker, and what it does, learned from `corpus/making`."""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache

from holdfast.agents.making.scenes import reader
from holdfast.reading.model import hearing
from holdfast.reading.model.clauses import Clause, understand
from holdfast.reading.model.hearing import Given, Hearing, Told, beside
from holdfast.reading.reader import Reading

FACETS = (
    *("file", "title", "name", "row", "text", "shape", "colour", "size", "where", "kind", "value", "count", "pick"),
    *("tool", "look"),
)
"""What words give: `row` is the label of one with its `value`, `pick` says which part of what is there is meant."""
KINDS = ("make", "add", "remove", "change", "undo", "copy", "tool", "yes", "no", "answer", "ask", "stop", "talk")
"""What a message may do; several at once."""
CUES = (
    *("spot", "kind", "shape", "color", "tone", "place", "size", "act", "part", "order", "named", "same", "hue"),
    *("total", "another", "polite", "topic", "negation"),
)
"""Families of patterns whose words tell something of a facet."""
BOLD = 12
"""How much less speaks for a word giving nothing than the scorer has it."""
HEARING = Hearing(FACETS, KINDS, BOLD, *beside(__file__, "heard.bin"))
MAX_KEPT = 256
"""Texts of which it is kept what they give: a request is taken apart several times."""


def told(reading: Reading, clauses: Sequence[Clause], asked: str) -> Told:
    """What the scorers look at, with what the tables know of the words."""
    known = [(cue.span, f"{cue.family} {cue.means}") for family in CUES for cue in reading.all(family)]
    return hearing.told(reading, clauses, asked, (), known)


@lru_cache(MAX_KEPT)
def heard(text: str) -> tuple[Given, ...]:
    """What the words of a text give."""
    said = _told(text)
    return tuple(HEARING.given(said)) if said is not None else ()


@lru_cache(MAX_KEPT)
def does(text: str) -> dict[str, int]:
    """How far it speaks for each kind that a text is one."""
    said = _told(text)
    return HEARING.does(said, False) if said is not None else dict.fromkeys(KINDS, hearing.UNHEARD)


def _told(text: str) -> Told | None:
    reading = reader().read(text)
    clauses = understand(text, "", reading.language) if text.strip() else []
    return told(reading, clauses, "") if clauses else None
