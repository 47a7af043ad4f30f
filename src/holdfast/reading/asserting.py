"""What one statement is, and whether the speaker says it as true, about themselves: what is asked, supposed, quoted,
negated or told of others is no statement about the speaker."""

from __future__ import annotations

from typing import Literal, NamedTuple

from holdfast.reading.clauses import clause, sentence
from holdfast.reading.reader import Cue, Reading, Span
from holdfast.reading.shapes import Shape
from holdfast.reading.standing import asked, reports, standing

Act = Literal["states", "rejects", "stops", "past", "corrects"]

MOST_CUES = 24
"""Cues of one family that are followed in one message: more than anybody says of themselves at once."""
_MARKS = ("corrects", "since", "also", "hedge")
_MEANING = {"from_now": "now", "switched": "now", "since": "now", "maybe": "hedged", "think": "hedged"}
_MEANING |= {mark: mark for mark in ("now", "lets", "meant", "also")}


class Then(NamedTuple):
    """The words for a time in the past; all empty where it has no date ("back in college")."""

    when: str = ""
    until: str = ""
    decade: str = ""


class Statement(NamedTuple):
    """Something asserted about the speaker (or, for `corrects`, about whatever was said before)."""

    slot: str
    """ "role", "tooling/editor" …; empty when only the memory can tell."""
    value: str
    span: Span
    rule: str
    sentence: Span
    act: Act = "states"
    old: str = ""
    """The value that it replaces, where the speaker names it."""
    marks: frozenset[str] = frozenset()
    """How it was said: now, lets, actually, meant, also, hedged, doubted, either."""
    lifespan: str | None = None
    """The scope the speaker named: session, project or permanent."""
    since: str = ""
    verb: str = ""
    then: Then | None = None
    """When it was so, where the speaker tells of a time in the past."""
    words: str = ""
    """The clause in its own words, where it says more than the value."""


_PIECE = Shape(r"(?<!\w)%memory.within%\s%memory.this%\s(?:\w+\s)?%memory.piece%\b")


def asserts(reading: Reading, cue: Cue, slot: str, value: str, span: Span) -> Statement:
    """The statement that a correction makes, with what its sentence says of how and when it holds."""
    return placed(reading, Statement(slot, value, span, cue.id, cue.span, verb="correct"), cue.start)


def placed(reading: Reading, said: Statement, at: int, began: bool = False) -> Statement:
    """A statement that is made at a place, with what its sentence says of how and when it holds. `began`: it holds from
    the time on that is told: "in 2019 I moved to Berlin"."""
    whole = sentence(reading, at)
    marks, since = set(said.marks), ""
    for family in _MARKS:
        for mark in reading.all(family):
            if whole[0] <= mark.start < whole[1] or (family == "corrects" and mark.end <= whole[0]):
                marks.add(_MEANING.get(mark.means, family))
                if "when" in mark.groups:
                    since = reading.folded[mark.groups["when"][0] : clause(reading, mark.groups["when"][0])]
    then = _then(reading, whole) if reading.has("dated") else None
    if then is not None and said.act == "states":
        since, then = (since or then.when, then) if began else (since, None)
    span = said.lifespan or _lifespan(reading, whole)
    return said._replace(sentence=whole, marks=frozenset(marks), lifespan=span, since=since, then=then)


def _then(reading: Reading, whole: Span) -> Then | None:
    """The time in the past that a sentence names: until when goes before when, and any date before none."""
    best: Then | None = None
    for cue in reading.all("dated"):
        if whole[0] <= cue.start < whole[1]:
            words = {name: reading.folded[span[0] : span[1]] for name, span in cue.groups.items()}
            found = Then(**words)
            if best is None or not any(best) or (found.until and not best.until):
                best = found
    return best


def _lifespan(reading: Reading, whole: Span) -> str | None:
    """The scope that the sentence names; the narrowest wins ("for now, always …" is for now)."""
    named = {c.means for c in reading.all("span") if whole[0] <= c.start < whole[1]}
    return next((one for one in ("session", "project", "permanent") if one in named), None)


def asserted(reading: Reading, cue: Cue, place: Span, negative: bool = False, asks: bool = False) -> bool:
    """Whether the speaker says this, as true, about themselves: the one guard of whatever a pattern reads. `negative`
    is what holds though it is negated, `asks` what holds though it is asked: "can you call me Bob?" says a name."""
    flags = reading.find(standing).of((place[0], place[1]))
    if flags & {"quoted", "withdrawn"}:
        return False
    start, end = sentence(reading, cue.start)
    looks = reading.folded[start:end].rstrip('") ').endswith("?") or not negative
    if looks and not asks and asked(reading, place):
        return False
    if "negated" in flags and not negative and not _negates_elsewhere(reading, cue):
        return False
    return not of_others(reading, cue, place)


def of_others(reading: Reading, cue: Cue, place: Span) -> bool:
    """Whether a value stands in what is told of others: "my boss says I …", "they decided to …"."""
    told = reading.find(reports)
    return bool(told) and any(other.start < cue.start and place[0] < end for other, end in told)


def of_one_piece(reading: Reading, cue: Cue) -> bool:
    """ "convert tabs to spaces in this file" asks for work on one piece, and tells nothing that holds beyond it."""
    return bool(reading.reader.made(_PIECE).search(reading.folded, *sentence(reading, cue.start)))


def _negates_elsewhere(reading: Reading, cue: Cue) -> bool:
    """A pattern that reads a negation itself ("I don't like X", "I never …") is not undone by it."""
    return any(cue.start <= no.start and no.end <= cue.end for no in reading.all("negation"))
