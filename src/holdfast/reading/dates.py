"""Days and times in text: "table at 7pm on Friday" → "on friday at 7pm", the day first, then the time."""

from __future__ import annotations

from typing import NamedTuple

from holdfast.reading.reader import Cue, Reading, Span
from holdfast.reading.standing import sentences


class When(NamedTuple):
    """A point in time as it was said."""

    value: str
    span: Span
    rule: str


def dates(reading: Reading) -> list[When]:
    """The times that a message names, one for each sentence that names any. Use as `reading.find(dates)`."""
    if not reading.has("day", "clock"):
        return []
    days = [cue for cue in _longest(reading.all("day")) if _stands(reading, cue)]
    clocks = [cue for cue in _longest(reading.all("clock")) if _stands(reading, cue)]
    clocks = [c for c in clocks if not any(d.start < c.end and c.start < d.end for d in days)]
    found = []
    for start, end in reading.find(sentences):
        day = [cue for cue in days if start <= cue.start < end]
        clock = [cue for cue in clocks if start <= cue.start < end]
        if day or clock:
            found.append(_joined(reading, day[-1:], clock[-1:]))
    return found


def _joined(reading: Reading, day: list[Cue], clock: list[Cue]) -> When:
    """Day and time as one value, the day first."""
    parts = [*day, *clock]
    value = " ".join(reading.words(cue.span) for cue in parts)
    return When(value, (min(c.start for c in parts), max(c.end for c in parts)), parts[0].id)


def _stands(reading: Reading, cue: Cue) -> bool:
    """Whether it is a time here: not "every Friday", "at 5 stars" or "see you tomorrow"."""
    if any(other.start <= cue.start < other.end for other in reading.all("date_not")):
        return False
    before = reading.folded[: cue.start].rsplit(None, 1)[-1:] if cue.start else []
    if before and before[0] in reading.phrases("dates", "not_before"):
        return False
    after = reading.folded[cue.end : cue.end + 20].split(None, 1)[:1]
    return not ("bare" in cue.groups and after and after[0].strip(".,") in reading.phrases("dates", "not_after"))


def _longest(cues: list[Cue]) -> list[Cue]:
    """Of cues that overlap, the one that says most."""
    kept: list[Cue] = []
    for cue in sorted(cues, key=lambda cue: cue.start - cue.end):
        if not any(other.start < cue.end and cue.start < other.end for other in kept):
            kept.append(cue)
    return sorted(kept, key=lambda cue: cue.start)
