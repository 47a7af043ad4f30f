"""Times that people name when they say since when, until when or when something held: "since Monday", "until last
year", "in 2019", "three years ago", "in the nineties"."""

from __future__ import annotations

import re
from datetime import UTC, datetime, timedelta

from holdfast.reading.reader import Reader, Reading
from holdfast.reading.shapes import Shape

Interval = tuple[float | None, float | None]
"""From when, until when; None where nobody said."""

_YEAR = re.compile(r"\b(19\d\d|20\d\d)")
_DECADE = re.compile(r"\b(19|20)?(\d)0")
_NUMBER = re.compile(r"\b(\d{1,3})\b")
_LAST = Shape("%memory.last%")
_AGO = re.compile(r"(\d{1,3})")


def since_when(words: str, now: float, reading: Reading) -> float | None:
    """The moment that the words name, or None when they name none."""
    here = datetime.fromtimestamp(now, UTC)
    midnight = here.replace(hour=0, minute=0, second=0, microsecond=0)
    found = _named(words, reading)
    if found is not None:
        unit, number = found
        if unit == "weekday":
            back = (midnight.weekday() - int(number)) % 7 or 7
            return (midnight - timedelta(days=back)).timestamp()
        if unit in ("month", "season"):
            return _month(words, int(number), midnight, reading.made(_LAST).search(words) is not None).timestamp()
        if unit == "ago":
            return _ago(words, number, midnight, reading).timestamp()
        count = int(given[1]) if (given := _AGO.search(words)) and number == "1" and unit == "days" else 1
        return (midnight - timedelta(days=int(number) * count)).timestamp()
    if year := _YEAR.search(words):
        return datetime(int(year[1]), 1, 1, tzinfo=UTC).timestamp()
    return None


def during(when: str, until: str, decade: str, now: float, reading: Reading) -> Interval:
    """The time in which something held, from the words that name it."""
    if decade:
        return _decade(decade, reading)
    end = since_when(until, now, reading) if until else None
    if not when:
        return None, end
    start = since_when(when, now, reading)
    if start is None or end is not None:
        return start, end
    return _whole(start, when, now, reading)


def _whole(start: float, when: str, now: float, reading: Reading) -> Interval:
    """A time that is named alone lasts as long as what names it: a year, a month, a week or a day."""
    first = datetime.fromtimestamp(start, UTC)
    unit = _unit(when, reading)
    if unit == "year":
        begin = datetime(first.year, 1, 1, tzinfo=UTC)
        end = datetime(first.year + 1, 1, 1, tzinfo=UTC)
    elif unit == "month":
        begin = datetime(first.year, first.month, 1, tzinfo=UTC)
        end = (begin + timedelta(days=32)).replace(day=1)
    elif unit == "season":
        begin, end = first, first + timedelta(days=92)
    elif unit == "week":
        begin = first - timedelta(days=first.weekday())
        end = begin + timedelta(days=7)
    else:
        begin, end = first, first + timedelta(days=1)
    return begin.timestamp(), min(end.timestamp(), now)


def _unit(when: str, reading: Reading) -> str:
    """What names a time: a year, a month, a season, a week, or a day."""
    found = _named(when, reading)
    if found is None:
        return "year" if _YEAR.search(when) else "day"
    if found[0] == "days":
        return {"7": "week", "30": "month", "365": "year"}.get(found[1], "day")
    return found[1] if found[0] == "ago" else found[0]


def _named(words: str, reading: Reading) -> tuple[str, str] | None:
    """The unit and the number of a time that the table names."""
    return next((meaning for word, meaning in reading.made(_times) if word.search(words)), None)


def _times(reader: Reader, language: str | None) -> list[tuple[re.Pattern[str], tuple[str, str]]]:
    """What a word for a time says: of the days of the week and the months, which one it is."""
    rows: list[tuple[str, str, str]] = []
    for word, meaning in reader.data("memory_times", language).items():
        unit, first = {"weekdays": ("weekday", 0), "months": ("month", 1)}.get(word, ("", 0))
        if unit:
            rows += [(name, unit, str(place)) for place, name in enumerate(str(meaning).split("|"), first)]
        else:
            unit, _, number = str(meaning).partition(" ")
            rows.append((word, unit, number))
    return [(re.compile(rf"(?:^|\W)(?:{word})"), (unit, number)) for word, unit, number in rows]


def _month(words: str, month: int, midnight: datetime, last: bool) -> datetime:
    year = midnight.year - (month > midnight.month or (last and month == 12))
    if stated := _YEAR.search(words):
        year = int(stated[1])
    return midnight.replace(year=year, month=month, day=1)


def _ago(words: str, unit: str, midnight: datetime, reading: Reading) -> datetime:
    count = _count(words, reading)
    if unit == "year":
        return midnight.replace(year=max(1, midnight.year - count), month=1, day=1)
    if unit == "month":
        months = midnight.year * 12 + midnight.month - 1 - count
        return midnight.replace(year=months // 12, month=months % 12 + 1, day=1)
    return midnight - timedelta(days=count * (7 if unit == "week" else 1))


def _count(words: str, reading: Reading) -> int:
    if found := _NUMBER.search(words):
        return int(found[1])
    names = {**reading.data("numbers"), **reading.data("memory_counts")}
    return next((int(names[word]) for word in words.split() if word in names), 1)


def _decade(words: str, reading: Reading) -> Interval:
    names = reading.reader.data("memory_decades", reading.language)
    year = int(names[words]) if words in names else 0
    if not year and (found := _DECADE.search(words)):
        century = int(found[1]) * 100 if found[1] else (1900 if int(found[2]) >= 3 else 2000)
        year = century + int(found[2]) * 10
    if not year:
        return None, None
    return datetime(year, 1, 1, tzinfo=UTC).timestamp(), datetime(year + 10, 1, 1, tzinfo=UTC).timestamp()
