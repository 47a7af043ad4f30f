"""Days and times in text: "table at 7pm on Friday" → "on friday at 7pm", the day first, then the time."""

from __future__ import annotations

import re
from bisect import bisect_right
from typing import NamedTuple

from holdfast.reading.reader import Cue, Reading, Span, touches
from holdfast.reading.standing import sentences, standing

_HOUR = re.compile(r",? +(?P<hour>(?:1?\d|2[0-3])(?:[:.]?[0-5]\d)?)(?![\w:/-]|\.\d)(?: (?P<next>\w+))?")
_HOUR_BEFORE = re.compile(r"(?<![\w.$€£])(?P<hour>(?:1?\d|2[0-3])[:.][0-5]\d),? +$")
_CLOCK = re.compile(r"(?P<hour>\d{1,2})(?:(?P<mark>[:.])(?P<past>\d{2}))?")
MAX_TIMES = 64
"""Times of one message that are looked at."""


class When(NamedTuple):
    """A point in time as it was said."""

    value: str
    span: Span
    rule: str
    day: str = ""
    clock: str = ""


def dates(reading: Reading) -> list[When]:
    """The times that a message names, one for each sentence that names any. Use as `reading.find(dates)`."""
    if not reading.has("day", "clock"):
        return []
    spans = reading.find(sentences)
    parts: dict[int, tuple[list[Cue], list[Cue]]] = {}
    for kind, cues in enumerate((reading.find(days), reading.find(hours))):
        for cue in cues:
            sentence = _sentence(reading, spans, cue)
            parts.setdefault(sentence, ([], []))[kind].append(cue)
    return [_joined(reading, _held(reading, day), _held(reading, clock)) for _, (day, clock) in sorted(parts.items())]


def _held(reading: Reading, cues: list[Cue]) -> list[Cue]:
    """The last of several days or hours that is not refused for another: "sunday rather than saturday"."""
    if len(cues) < 2:
        return cues
    swapped = [cue.groups["old"] for cue in reading.all("correction") if "old" in cue.groups]
    refused = [*swapped, *reading.find(standing).spans["negated"]]
    return ([cue for cue in cues if not touches(cue.span, refused)] or cues)[-1:]


def days(reading: Reading) -> list[Cue]:
    """Every day that a message names. Use as `reading.find(days)`."""
    return [cue for cue in _longest(reading.all("day")) if _stands(reading, cue)]


def hours(reading: Reading) -> list[Cue]:
    """Every time of a day that a message names. Use as `reading.find(hours)`."""
    of_days = [cue.span for cue in reading.find(days)]
    return [cue for cue in _longest(reading.all("clock")) if _stands(reading, cue) and not touches(cue.span, of_days)]


def shifts(reading: Reading) -> list[Cue]:
    """Where a time is moved by so much: "an hour later"."""
    return [cue for cue in reading.all("shift") if minutes(reading, cue)] if reading.has("shift") else []


def minutes(reading: Reading, cue: Cue) -> int:
    """By how many minutes a cue moves a time, and back where that is less than none; 0 where it names no length."""
    said, lengths = reading.group(cue, "amount"), reading.data("lengths")
    length = max((name for name in lengths if f" {said}".endswith(f" {name}")), key=len, default="")
    if not length:
        return 0
    count = said.removesuffix(length).split()[-1:] or ["1"]
    times = int(count[0]) if count[0].isdigit() else int(reading.data("numbers").get(count[0], 1))
    return times * int(lengths[length]) * (1 if cue.means == "later" else -1)


def moved(when: When, by: int, hours: int) -> str:
    """A time that is moved by some minutes; empty where its hour is not in digits. `hours` are those of a bare one."""
    hour = _CLOCK.search(when.clock)
    if hour is None:
        return ""
    at = (int(hour["hour"]) * 60 + int(hour["past"] or 0) + by) % (24 * 60)
    shown = (at // 60 - 1) % 12 + 1 if int(hour["hour"]) <= hours == 12 else at // 60
    past = f"{hour['mark'] or ':'}{at % 60:02}" if at % 60 or hour["past"] else ""
    clock = f"{when.clock[: hour.start()]}{shown}{past}{when.clock[hour.end() :]}"
    return f"{when.day} {clock}".strip()


def _sentence(reading: Reading, spans: list[Span], cue: Cue) -> int:
    """The number of the sentence that a cue stands in; the dots of "6 p.m. today" end none."""
    number = bisect_right(spans, (cue.start, len(reading.text)))
    if number > 1 and reading.folded[: spans[number - 2][1]].endswith((" a.m.", " p.m.")):
        return number - 1
    return number


def _joined(reading: Reading, day: list[Cue], clock: list[Cue]) -> When:
    """Day and time as one value, the day first; an hour may follow its day without a word: "saturday 8"."""
    hour = _beside(reading, day[0]) if day and not clock else None
    if hour is not None:
        clock = [day[0]._replace(start=hour.start("hour"), end=hour.end("hour"))]
    parts = [*day, *clock]
    value = " ".join(reading.words(cue.span) for cue in parts)
    span = min(c.start for c in parts), max(c.end for c in parts)
    said = [reading.words(cues[0].span) if cues else "" for cues in (day, clock)]
    return When(value, span, parts[0].id, *said)


def _beside(reading: Reading, day: Cue) -> re.Match[str] | None:
    """An hour right after a day or, with its minutes, right before it: "saturday 8", "7.30 tomorrow"."""
    before = _HOUR_BEFORE.search(reading.folded, max(0, day.start - 8), day.start)
    hour = _HOUR.match(reading.folded, day.end)
    follows = reading.phrases("small", "words") - reading.phrases("dates", "not_after")
    stands = hour is not None and (not hour["next"] or hour["next"] in follows)
    return before or (hour if stands else None)


def _stands(reading: Reading, cue: Cue) -> bool:
    """Whether it is a time here: not "every Friday", "at 5 stars", "see you tomorrow" or "на час позже"."""
    if any(other.start <= cue.start < other.end for other in (*reading.all("date_not"), *shifts(reading))):
        return False
    before = reading.folded[max(0, cue.start - 20) : cue.start].rsplit(None, 1)[-1:]
    if before and before[0] in reading.phrases("dates", "not_before"):
        return False
    if "beside" in cue.groups and not _timed(reading, cue):
        return False
    return "bare" not in cue.groups or _is_hour(reading, cue)


def _is_hour(reading: Reading, cue: Cue) -> bool:
    """Whether a bare number is one of the hours of a day, and counts nothing."""
    said = reading.words(cue.groups["bare"])
    if said.isdigit() and not 0 < int(said) <= int(reading.reader.data("dates", cue.language).get("hours", 23)):
        return False
    after = reading.folded[cue.end : cue.end + 20].split(None, 1)[:1]
    return not (after and after[0].strip(".,?!") in reading.phrases("dates", "not_after"))


def _timed(reading: Reading, day: Cue) -> bool:
    """Whether an hour in digits stands right beside a word that is a day only with one: "sat 6pm", but not "we sat at
    6"."""
    clocks = [cue for cue in reading.all("clock") if reading.folded[cue.start].isdigit()]
    near = any(max(cue.start - day.end, day.start - cue.end) == 1 for cue in clocks)
    return near or _beside(reading, day) is not None


def _longest(cues: list[Cue]) -> list[Cue]:
    """Of cues that overlap, the one that says most."""
    kept: list[Cue] = []
    for cue in sorted(cues, key=lambda cue: cue.start - cue.end)[:MAX_TIMES]:
        if not any(other.start < cue.end and cue.start < other.end for other in kept):
            kept.append(cue)
    return sorted(kept, key=lambda cue: cue.start)
