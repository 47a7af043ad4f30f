"""Days and times are read in three languages, the day first."""

from __future__ import annotations

from holdfast.reading.dates import dates
from holdfast.reading.reader import Reader
from holdfast.reading.tables import shipped
from tests.rows import every

LANGUAGES = ("en", "ru", "es")
READER = Reader([*shipped("holdfast.reading", "shared", LANGUAGES), *shipped("holdfast.reading", "dates", LANGUAGES)])


def found(text: str) -> list[str]:
    return [when.value for when in READER.read(text).find(dates)]


@every(
    ("text", "value"),
    [
        ("table at 7pm on Friday", "on Friday at 7pm"),
        ("at 8pm tomorrow", "tomorrow at 8pm"),
        ("tomorrow at eight", "tomorrow at eight"),
        ("dinner tonight", "tonight"),
        ("next friday evening please", "next friday evening"),
        ("on march 5th at 19:30", "on march 5th at 19:30"),
        ("the 3rd of May at noon", "the 3rd of May at noon"),
        ("at 8:30 pm", "at 8:30 pm"),
        ("завтра в 8 вечера", "завтра в 8 вечера"),
        ("столик в пятницу вечером", "в пятницу вечером"),
        ("5 марта в 19:00", "5 марта в 19:00"),
        ("mesa para mañana a las 8", "para mañana a las 8"),
        ("el viernes a las nueve de la noche", "el viernes a las nueve de la noche"),
        ("el 5 de marzo", "el 5 de marzo"),
    ],
)
def test_a_time_is_found_the_day_first(text: str, value: str) -> None:
    assert found(text) == [value]


@every(
    "text",
    [
        "every friday I swim", "happy friday!", "at 5 stars", "at 20 people", "see you tomorrow", "how are you today?",
        "I may go", "at 24 I need it", "what are you doing today?", "march on", "I have a meeting at 5",
        "как дела сегодня?", "каждую пятницу", "hasta mañana",
    ],
)  # fmt: skip
def test_ordinary_talk_names_no_time(text: str) -> None:
    assert found(text) == []


def test_two_sentences_name_two_times() -> None:
    assert found("Tomorrow works. Or friday at 6pm?") == ["Tomorrow", "friday at 6pm"]
