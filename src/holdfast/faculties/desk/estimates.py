"""Labor: a draft that blocks nothing. It is confirmed, changed, skipped or left alone; a report takes what there is.

Hours are read from the agent's estimate; what the technician confirms wins over it and both are kept. The lines of a
report must add up to its total, and its total must be the confirmed one.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Literal

import msgspec

from holdfast.events import Cleared, Event, Violation
from holdfast.faculties.desk.answering import mended, works
from holdfast.faculties.desk.case import Case
from holdfast.faculties.desk.signals import clauses
from holdfast.faculties.desk.topics import ModeChanged
from holdfast.faculty import Action, Draft, Faculty
from holdfast.reading.reader import Reader, Reading, Span, overlap
from holdfast.reading.standing import standing
from holdfast.reading.values import numbers
from holdfast.state import Moment, State
from holdfast.telling import said

Mode = Literal["none", "draft", "confirmed", "skipped"]
MIN_TOTAL_HOURS, MAX_TOTAL_HOURS = 0.1, 24.0
"""Hours that a report's total can be set to."""
SUM_TOLERANCE = 0.05
"""How far the sum of the lines and the total may be apart."""


class LaborDrafted(Event, frozen=True):
    did = "learned"
    told = "desk.labor_draft"

    hours: float


class LaborConfirmed(Event, frozen=True):
    did = "confirmed"
    told = "desk.labor"

    hours: float


class LaborSkipped(Event, frozen=True):
    did = "resolved"
    told = "desk.labor_skipped"


class LaborRequested(Event, frozen=True):
    """Another total was asked for after a report."""

    did = "superseded"
    told = "desk.labor_total"

    hours: float


class Labor(msgspec.Struct, frozen=True, omit_defaults=True):
    mode: Mode = "none"
    estimated: float | None = None
    confirmed: float | None = None
    drafted_at: float | None = None
    confirmed_at: float | None = None

    @property
    def hours(self) -> float | None:
        """What a report takes: the confirmed hours, else the draft; nothing when labor is skipped."""
        if self.mode == "skipped":
            return None
        return self.confirmed if self.confirmed is not None else self.estimated


class LaborFaculty(Faculty):
    name = "labor"
    words = ("holdfast.faculties.desk/labor",)
    slice = Labor
    events = (LaborDrafted, LaborConfirmed, LaborSkipped, LaborRequested, Cleared)

    def say(self, draft: Draft) -> Iterator[Event]:
        """An estimate in the agent's words is a draft, unless hours are confirmed already."""
        hours = estimate(draft.reading)
        if hours is not None and draft.state.labor.mode in ("none", "draft"):
            cue = draft.reading.first("labor_estimate")
            yield LaborDrafted(hours=hours, because=draft.cause("labor.estimate", cue.span if cue else None))

    def fold(self, slice: Labor, event: Event, moment: Moment) -> Labor:
        change = msgspec.structs.replace
        match event:
            case LaborDrafted(hours=hours):
                return change(slice, mode="draft", estimated=hours, drafted_at=moment.at)
            case LaborConfirmed(hours=hours) | LaborRequested(hours=hours):
                return change(slice, mode="confirmed", confirmed=hours, confirmed_at=moment.at)
            case LaborSkipped():
                return change(slice, mode="skipped")
            case Cleared(what="everything"):
                return Labor()
        return slice

    def forbid(self, action: Action, reading: Reading, state: State) -> Iterable[Violation]:
        """The lines of a report add up, and its total is the confirmed one."""
        total = estimate(reading)
        if total is None:
            return
        confirmed = state.labor.confirmed
        if confirmed is not None and abs(total - confirmed) > SUM_TOLERANCE:
            why = said("guard.total", all=total, n=confirmed)
            yield Violation("LABOR_TOTAL_MISMATCH", instead=_with_total(reading, confirmed), said=why)
        lines = [_hours(reading, span) for span in _line_spans(reading)]
        if len(lines) > 1 and abs(sum(lines) - total) > SUM_TOLERANCE:
            why = said("guard.sum", n=sum(lines), all=total)
            instead = _with_total(reading, sum(lines)) if confirmed is None else _without_lines(reading)
            yield Violation("LABOR_SUM_DRIFT", instead=instead, said=why)


def _with_total(reading: Reading, hours: float) -> str:
    start, end = reading.all("labor_estimate")[-1].groups["hours"]
    return f"{reading.text[:start]}{hours:g}{reading.text[end:]}"


def _without_lines(reading: Reading) -> str:
    """The text without the lines that carry hours of their own: the total was confirmed, they were not."""
    kept, at = [], 0
    spans = _line_spans(reading)
    for line in reading.text.splitlines(keepends=True):
        if not any(at <= start < at + len(line) for start, _ in spans):
            kept.append(line)
        at += len(line)
    return "".join(kept)


def estimate(reading: Reading) -> float | None:
    """The total that a text gives: "Estimated total labor: 1.5 hours"."""
    found = reading.all("labor_estimate")
    return _hours(reading, found[-1].groups["hours"]) if found else None


def _hours(reading: Reading, span: Span) -> float:
    return float(reading.folded[slice(*span)].replace(",", "."))


def _line_spans(reading: Reading) -> list[Span]:
    """Where hours stand that are no total. What the technician said, in quotation marks, is no line of labor, and what
    follows the mark of a translation says the same once more."""
    other = [cue.span for cue in reading.all("labor_estimate")] + reading.find(standing).spans["quoted"]
    again = reading.first("translation")
    end = again.start if again is not None else len(reading.text)
    spans = {cue.groups["hours"] for cue in reading.all("labor_line") if cue.start < end}
    return sorted(span for span in spans if not any(start <= span[0] < stop for start, stop in other))


SPOKEN_HOURS = {"half_hour": 0.5, "one_hour": 1.0}
"""Hours that are told without a figure."""


def requested(reading: Reading) -> float | None:
    """Another total for a report: only in words for labor or total, or "make it / set to" with hours."""
    if not reading.has("labor_change", "labor_word") or "?" in reading.text:
        return None
    return _in_range(_requested(reading))


def hours_told(reader: Reader, words: str) -> float | None:
    """The hours in words that give hours: "1.25", "an hour and a half"."""
    said = reader.read(words)
    timed = [number.value * PARTS_OF_HOUR.get(number.unit or "h", 0) for number in said.find(numbers)]
    return _in_range(round(sum(timed), 2) or _spoken_hours(said))


PARTS_OF_HOUR = {"h": 1.0, "min": 1 / 60}


def worked(reading: Reading) -> float | None:
    """How long the work took: told in a clause of its own ("0.8 hours"), or with words for it ("took me half an hour");
    not how long something ran."""
    told = (_worked_in(reading.reader.read(reading.words(clause))) for clause in reading.find(clauses))
    return next((_in_range(round(hours, 2)) for hours in told if hours), None)


def _worked_in(said: Reading) -> float:
    """The hours of a clause that tells nothing else."""
    timed = [number for number in said.find(numbers) if number.unit in PARTS_OF_HOUR]
    hours = sum(number.value * PARTS_OF_HOUR[number.unit or ""] for number in timed) or _spoken_hours(said)
    others = _beside_hours(said, [number.span for number in timed]) if hours else []
    return hours if "?" not in said.text and len(others) <= said.has("labor_word", "labor_took") else 0.0


def _spoken_hours(said: Reading) -> float:
    return next((hours for family, hours in SPOKEN_HOURS.items() if said.has(family)), 0.0)


def _beside_hours(said: Reading, spans: list[Span]) -> list[Span]:
    """The words of a clause that tell neither of hours nor of work."""
    cues = [cue.span for family in ("hours", "labor_word", "labor_took", *SPOKEN_HOURS) for cue in said.all(family)]
    small = said.reader.phrases("stop", "words") | said.reader.phrases("articles", "words")
    return [w for w in said.tokens if said.folded[slice(*w)] not in small and not _inside(w, spans + cues)]


def _inside(word: Span, spans: list[Span]) -> bool:
    return any(overlap(word, span) for span in spans)


def _in_range(hours: float | None) -> float | None:
    return hours if hours is not None and MIN_TOTAL_HOURS <= hours <= MAX_TOTAL_HOURS else None


def _requested(reading: Reading) -> float | None:
    found = reading.find(numbers)
    last = {number.unit: number.value for number in found}
    if [number.unit for number in found] == ["h", None]:
        return last[None]  # "change 2 hours to 1.5"
    if "h" in last or not reading.has("labor_word"):
        return last.get("h")
    return last.get(None) or next((hours for family, hours in SPOKEN_HOURS.items() if reading.has(family)), None)


def _of_the_work(case: Case) -> bool:
    """Whether hours can be those of the work: it is told of, or it is over."""
    said = case.whole
    told = said.find(mended) is not None or said.find(works) is not None
    over = case.progress.system is not None and case.progress.active is None
    free = not said.has("labor_change") and not case.happened(LaborRequested)
    timed = case.wants_report or not said.has("technical")  # "20 minutes" may be how long it ran
    return told or (free and ((over and timed) or said.has("labor_word")))


def _told_hours(case: Case) -> float | None:
    """The hours that a message gives for the work."""
    if case.state.report.produced:
        return None  # then it is an edit
    told = case.spans("hours") if case.does("hours", lead=0) else []
    return hours_told(case.whole.reader, case.whole.words(told[-1])) if told else None


def confirm(case: Case) -> Iterator[Event]:
    """The stage: hours or a nod while an estimate waits, and hours that are told with the work."""
    if case.intent.type != "CONFIRMATION":
        worked_for = worked(case.whole) or _told_hours(case)
        if worked_for is not None and _of_the_work(case):
            yield LaborRequested(hours=worked_for, because=case.cause("labor.told"))
        return
    labor: Labor = case.state.labor
    value = case.intent.value
    hours = value if isinstance(value, float) else worked(case.whole) or labor.estimated
    if hours is not None:
        yield LaborConfirmed(hours=hours, because=case.cause("labor.confirmed"))
        if case.topics.mode == "authorization":
            yield ModeChanged(mode="diagnostic", reason=said("desk.why_labor"))
