"""A pack for another trade is one short file: the hotel finder and the job finder of `examples/` do what they say."""

from __future__ import annotations

from pathlib import Path

import pytest

from holdfast import Holdfast, Session
from holdfast.pack import from_file

EXAMPLES = Path(__file__).parents[2] / "examples"


def opened(file: str) -> Session:
    return Holdfast(pack=from_file(EXAMPLES / file)).session("s")


def held(session: Session) -> dict[str, str]:
    return {name: value.value for name, value in session.state.slots.values.items()}


def test_a_hotel_finder_keeps_the_trip_and_sets_the_room_aside_for_dinner() -> None:
    chat = opened("hotel_finder.py")
    chat.hear("I need a hotel in Lisbon for two nights, with a balcony")
    chat.hear("from friday at noon for two people")
    stay = {"city": "Lisbon", "arrival": "friday at noon", "nights": "two", "guests": "2"}
    assert held(chat) == stay | {"looking_for": "hotel", "wishes": "balcony"}
    chat.hear("a table for dinner there")
    assert held(chat) == stay | {"looking_for": "table for dinner"}
    chat.hear("back to the hotel")
    assert held(chat) == stay | {"looking_for": "hotel", "wishes": "balcony"}


def test_a_hotel_finder_points_and_changes() -> None:
    chat = opened("hotel_finder.py")
    chat.hear("a hotel in Lisbon on friday at noon")
    chat.say("1. **Casa Azul** - $120, Hotel ID: h-1\n2. **Bela Vista** - $90, Hotel ID: h-2")
    turn = chat.hear("the cheaper one")
    assert "Refers to: Bela Vista (Hotel ID: h-2)" in turn.context
    chat.hear("Porto instead of Lisbon, arriving saturday instead")
    assert held(chat) == {"city": "Porto", "looking_for": "hotel", "arrival": "saturday at noon"}
    assert not chat.check("Which city are you looking in?").allowed


def test_a_hotel_finder_speaks_spanish() -> None:
    chat = opened("hotel_finder.py")
    chat.hear("un hotel en Sevilla por tres noches con piscina")
    assert held(chat) == {"city": "Sevilla", "looking_for": "hotel", "nights": "tres", "wishes": "piscina"}


def test_a_job_finder_keeps_home_and_work_apart() -> None:
    chat = opened("job_finder.py")
    chat.hear("I live in Boston, show me nurse jobs in Austin")
    chat.hear("part-time, at least 60k")
    assert held(chat) == {
        "lives_in": "Boston",
        "trade": "nurse",
        "work_in": "Austin",
        "kind": "part-time",
        "pay": "60,000",
    }
    chat.hear("actually I moved to Dallas")
    assert (held(chat)["lives_in"], held(chat)["work_in"]) == ("Dallas", "Austin")


def test_the_kind_of_one_trade_does_not_leak_into_another() -> None:
    chat = opened("job_finder.py")
    chat.hear("part-time nurse in Austin")
    chat.hear("welder jobs")
    assert "kind" not in held(chat)
    chat.hear("nurse again")
    assert held(chat)["kind"] == "part-time"


@pytest.mark.parametrize("text", ["работа поваром в Казани от 80 тысяч", "повар, Казань, от 80 тысяч"])
def test_a_job_finder_speaks_russian(text: str) -> None:
    chat = opened("job_finder.py")
    chat.say("В каком городе вы ищете работу?")
    chat.hear(text)
    assert (held(chat)["trade"], held(chat)["pay"]) == ("повар", "80,000")
    assert chat.state.slots.canonical("work_in") == "Kazan"
