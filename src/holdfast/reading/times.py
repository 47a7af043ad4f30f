"""Times that people name when they say since when something holds: "since Monday", "since 2021", "since last week"."""

from __future__ import annotations

import re
from datetime import UTC, datetime, timedelta

from holdfast.reading.reader import Reading

_YEAR = re.compile(r"\b(19\d\d|20\d\d)\b")
_AGO = re.compile(r"(\d{1,3})")


def since_when(words: str, now: float, reading: Reading) -> float | None:
    """The moment that the words name, or None when they name none."""
    here = datetime.fromtimestamp(now, UTC)
    midnight = here.replace(hour=0, minute=0, second=0, microsecond=0)
    names = reading.reader.data("memory_times", reading.language)
    for word, meaning in names.items():
        if not re.search(rf"(?:^|\W){word}", words):
            continue
        unit, _, number = str(meaning).partition(" ")
        if unit == "weekday":
            back = (midnight.weekday() - int(number)) % 7 or 7
            return (midnight - timedelta(days=back)).timestamp()
        if unit == "month":
            year = midnight.year - (int(number) > midnight.month)
            if stated := _YEAR.search(words):
                year = int(stated[1])
            return midnight.replace(year=year, month=int(number), day=1).timestamp()
        count = int(found[1]) if (found := _AGO.search(words)) and number == "1" and unit == "days" else 1
        return (midnight - timedelta(days=int(number) * count)).timestamp()
    if named := _YEAR.search(words):
        return datetime(int(named[1]), 1, 1, tzinfo=UTC).timestamp()
    return None
