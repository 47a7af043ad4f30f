"""Values that belong to a thing: another value of it takes the place of the old one, and leaves other things alone."""

from __future__ import annotations

import pytest

from holdfast import Holdfast


def known(*said: str, pack: str = "general") -> list[str]:
    chat = Holdfast(pack=pack).session("s", user="u", project="p")
    for text in said:
        chat.hear(text)
    return [item.text or item.value for item in (*chat.memory.facts(), *chat.memory.preferences())]


@pytest.mark.parametrize(
    ("told", "then", "now", "stays"),
    [
        (
            "the tracking api runs on 8080 and the admin site is on 3000",
            "the tracking api is not 8080, its 8000",
            "the tracking api runs on 8000",
            "the admin site is on 3000",
        ),
        (
            "mums appointment is on the 14th and mine is the 21st",
            "mums got moved to the 16th",
            "mums appointment is on the 16th",
            "mine is the 21st",
        ),
        (
            "callums is 18.50 a month and tillys is 12",
            "his is 23 a month as of now",
            "callums is 23 a month",
            "tillys is 12",
        ),
        ("у мамы прием 14 мая, а у меня 21 мая", "мамин перенесли на 16 мая", "у мамы прием 16 мая", "у меня 21 мая"),
        (
            "el panel corre en el puerto 3000 y la api en el 8080",
            "la api no esta en 8080, esta en 8000",
            "la api en el 8000",
            "el panel corre en el puerto 3000",
        ),
    ],
)
def test_another_value_of_a_thing_leaves_what_is_known_of_others(told: str, then: str, now: str, stays: str) -> None:
    assert sorted(known(told, then)) == sorted([now, stays])


@pytest.mark.parametrize(
    ("told", "then", "now"),
    [
        ("we're on postgres 14", "upgraded postgres to 16", "PostgreSQL 16"),
        ("мы на postgres 14", "обновили postgres до 16", "PostgreSQL 16"),
        ("estamos en redis 6", "actualizamos redis a 7", "Redis 7"),
    ],
)
def test_a_number_that_a_tool_is_brought_to_is_its_version(told: str, then: str, now: str) -> None:
    assert known(told, then, pack="copilot_cli") == [now]


def test_what_lessons_cost_is_no_budget_and_rises_by_itself() -> None:
    held = known("piano lessons for ella are 25 a week", "my budget for the new fridge is 400", "lessons went up to 28")
    assert sorted(held) == ["my budget for the new fridge is 400", "piano lessons for ella are 28 a week"]


def test_a_version_says_nothing_of_a_port() -> None:
    assert "the tracking api runs on 8000" in known("the tracking api runs on 8000", "tracking is still on 3.9")


@pytest.mark.parametrize(
    ("told", "then", "stays"),
    [
        ("auth is on port 4000", "billing is on port 4001", "auth is on port 4000"),
        ("dilan joins monday", "the release slipped, its 5 december now", "dilan joins monday"),
        ("la api corre en el puerto 8080", "staging corre en el puerto 9090", "la api corre en el puerto 8080"),
        (
            "кухонная посуда от бабушки в коробке 3",
            "книги намокли, они теперь в коробке 5",
            "кухонная посуда от бабушки в коробке 3",
        ),
    ],
)
def test_a_value_of_another_thing_takes_no_place(told: str, then: str, stays: str) -> None:
    assert stays in known(told, then)


@pytest.mark.parametrize(
    "said",
    [
        "Gord is home again, and his blood pressure pill is ramipril",
        "my brother has gout, takes allopurinol in the morning",
        "у мамы давление, пьет лозап утром",
    ],
)
def test_what_somebody_else_takes_is_never_the_speakers(said: str) -> None:
    chat = Holdfast(pack="general").session("s", user="u")
    chat.hear(said)
    assert not [fact.value for fact in chat.memory.facts() if fact.slot == "medication"]
