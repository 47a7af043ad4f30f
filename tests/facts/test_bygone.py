"""What is told of the past is filed in its place in time, and is never current."""

from __future__ import annotations

from datetime import UTC, datetime

import pytest

from holdfast import Holdfast
from holdfast.agents.coder import coder
from holdfast.session import Session
from tests.rows import every


def at(year: int, month: int = 6) -> float:
    return datetime(year, month, 1, tzinfo=UTC).timestamp()


NOW = at(2026, 11)


def heard(*texts: str) -> Session:
    chat = Holdfast(pack="copilot_cli", clock=lambda: NOW).session("s", user="u")
    for text in texts:
        chat.hear(text)
    return chat


def true_at(chat: Session, when: float) -> list[str]:
    return [memo.value for memo in chat.memory.items(as_of=when) if memo.kind != "context"]


@every(
    ("text", "value", "then", "not_then"),
    [
        ("In 2019 I lived in Berlin", "Berlin", at(2019), at(2021)),
        ("Until last year I used Vim", "Vim", at(2024), at(2026)),
        ("I lived in Rome from 2010 to 2014", "Rome", at(2012), at(2015)),
        ("Three years ago I worked at Initech", "Initech", at(2023), at(2025)),
        ("In the nineties I programmed in Perl", "Perl", at(1995), at(2003)),
        ("I was a junior developer in 2015", "junior developer", at(2015), at(2017)),
        ("We used MongoDB until March 2020", "MongoDB", at(2019), at(2020)),
        ("Last year I preferred tabs", "tabs", at(2025), at(2026)),
        ("В 2019 году я жил в Берлине", "Берлине", at(2019), at(2021)),
        ("До прошлого года я пользовался Vim", "Vim", at(2024), at(2026)),
        ("Три года назад я работал в Яндексе", "Яндекс", at(2023), at(2025)),
        ("С 2015 по 2018 работал в Сбере", "Сбер", at(2016), at(2019)),
        ("En 2019 vivía en Berlín", "Berlín", at(2019), at(2021)),
        ("Hasta el año pasado usaba Vim", "Vim", at(2024), at(2026)),
        ("Hace tres años trabajé en Indra", "Indra", at(2023), at(2025)),
        ("Trabajé en Telefónica de 2015 a 2018", "Telefónica", at(2016), at(2019)),
    ],
)
def test_a_dated_past_is_true_of_its_time_and_not_current(text: str, value: str, then: float, not_then: float) -> None:
    chat = heard(text)
    assert [memo for memo in chat.memory.items() if memo.kind != "context"] == []
    assert (true_at(chat, then), true_at(chat, not_then)) == ([value], [])


@pytest.mark.parametrize(
    "text",
    [
        "Back in college I wrote Java",
        "В университете я писал на Java",
        "En la universidad programaba en Java",
        "I used to work with Java",
    ],
)
def test_a_past_without_a_date_is_history_alone(text: str) -> None:
    chat = heard(text)
    assert chat.memory.items("preference") == []
    assert [memo.value for memo in chat.memory.preferences(history=True)] == ["Java"]
    assert true_at(chat, at(2020)) == []


@pytest.mark.parametrize(
    "text",
    [
        "I was tired last year",
        "My sister lived in Berlin in 2019",
        "Did I live in Berlin in 2019?",
        "We had dinner in Rome last week",
        "I worked for free last year",
        "in 2019 I was thinking about Vim",
    ],
)
def test_other_talk_of_the_past_is_no_fact(text: str) -> None:
    assert heard(text).memory.items(history=True) == []


def test_what_is_current_stays_beside_a_past_of_the_same_key() -> None:
    chat = heard("I live in Lyon", "In 2019 I lived in Berlin")
    assert chat.memory.value("home") == "Lyon"
    assert true_at(chat, at(2019)) == ["Berlin"]


def test_what_was_so_before_may_be_so_still() -> None:
    chat = heard("I use npm", "In 2019 I used npm")
    assert chat.memory.value("tooling/package_manager") == "npm"


def test_a_move_that_is_told_late_goes_before_what_is_known() -> None:
    chat = heard("I live in Lyon", "In 2018 I moved to Lisbon")
    assert chat.memory.value("home") == "Lyon"
    assert true_at(chat, at(2020)) == ["Lisbon"]


def test_a_move_of_last_month_is_a_change() -> None:
    chat = heard("I live in Lyon", "I moved to Rome last month")
    assert chat.memory.value("home") == "Rome"


@pytest.mark.parametrize("text", ["I used to use npm", "Until last week I used npm", "Раньше я пользовался npm"])
def test_what_ended_is_no_longer_current(text: str) -> None:
    chat = heard("I use npm", text)
    assert chat.memory.value("tooling/package_manager") is None


@pytest.mark.parametrize(
    ("text", "slot"),
    [
        ("I have lived in Berlin since 2019", "home"),
        ("Живу в Берлине с 2019", "home"),
        ("Vivo en Berlín desde 2019", "home"),
        ("I've used Vim since 2019", "tooling/editor"),
    ],
)
def test_since_tells_from_when_what_is_current_holds(text: str, slot: str) -> None:
    chat = heard(text)
    assert chat.memory.value(slot) is not None
    assert len(true_at(chat, at(2020))) == 1
    assert true_at(chat, at(2018)) == []


def test_the_past_is_no_change_and_is_told_as_past() -> None:
    chat = heard("I use VS Code", "In 2019 I used Emacs")
    (key,) = chat.memory.insights().keys
    assert key.relations == {"NEW": 2}
    (said,) = coder(chat.hear("In 2017 I used Vim"), chat)
    assert said.text == "Noted, of the past: “In 2017 I used Vim”."
