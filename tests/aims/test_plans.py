"""Plans are records of their own: a search beside them changes nothing, and several stand side by side."""

from __future__ import annotations

from itertools import pairwise

import pytest

from holdfast import Holdfast, Session
from holdfast.agents import run
from holdfast.agents.venues import venues
from holdfast.errors import UnknownItem
from holdfast.faculties.plans import booked, cancelled

LIST = (
    "Here are three:\n1. **Osteria** Place ID: ChIJabc123\n2. **Vedge** Place ID: ChIJdef456\n"
    "3. **Zahav** Place ID: ChIJghi789"
)


@pytest.fixture
def chat() -> Session:
    session = Holdfast(pack="vibehuntr").session("s")
    session.hear("italian in philly")
    session.say(LIST)
    return session


def lines(chat: Session) -> list[str]:
    return [plan.line() for plan in chat.state.plans.items]


def test_what_is_to_be_booked_is_a_plan_with_its_parts(chat: Session) -> None:
    chat.hear("book Osteria for friday at 7pm for 4 people")
    chat.hear("its for my mom's birthday")
    (plan,) = chat.state.plans.items
    assert (plan.venue, plan.venue_id, plan.count, plan.whom) == ("Osteria", "ChIJabc123", "4", "my mom's birthday")
    assert "friday at 7pm" in plan.when


def test_looking_for_a_museum_on_saturday_does_not_move_fridays_dinner(chat: Session) -> None:
    chat.hear("book Osteria for friday at 7pm for 4 people")
    before = lines(chat)
    turn = chat.hear("a museum on saturday")
    assert lines(chat) == before
    assert chat.state.slots.get("event_date_time") == "on saturday"
    assert "Plans: Osteria" in turn.context
    assert "Planning event at" not in turn.context


def test_several_plans_live_side_by_side(chat: Session) -> None:
    chat.hear("book Osteria for friday at 7pm")
    chat.hear("and book Vedge for 2 people on tuesday")
    assert [plan.venue for plan in chat.state.plans.items] == ["Osteria", "Vedge"]
    assert "friday" in chat.state.plans.items[0].when


def test_a_change_changes_the_plan_that_is_spoken_of_and_a_question_does_not(chat: Session) -> None:
    chat.hear("book Osteria for friday at 7pm for 4 people")
    chat.hear("was it friday or saturday?")
    assert "friday at 7pm" in chat.state.plans.items[0].when
    chat.hear("actually make it five people")
    assert chat.state.plans.items[0].count == "5"


def test_an_agent_marks_what_it_booked_and_cancelled(chat: Session) -> None:
    chat.hear("book Osteria for friday at 7pm for 4 people")
    (plan,) = chat.state.plans.items
    chat.act(booked(plan.id))
    assert chat.state.plans.items[0].status == "booked"
    chat.act(cancelled(plan.id))
    assert chat.state.plans.standing == ()
    assert chat.state.slots.get("event_venue_name") is None
    with pytest.raises(UnknownItem):
        chat.act(booked("plan_0_0"))


def test_the_built_in_agent_books_only_with_a_yes_and_tells_what_it_booked() -> None:
    chat = Holdfast(pack="vibehuntr").session("s")

    def says(text: str) -> str:
        return "\n".join(reply.text for reply in run(venues, chat.hear(text), chat))

    says("sushi in boston")
    asked = says("how about dinner at the first one on sunday at 7 for 6 people")
    assert asked.startswith("Shall I book **")
    assert not [plan for plan in chat.state.plans.items if plan.status == "booked"]
    assert says("don't book it yet").startswith("All right, I book nothing.")
    assert says("ok, book it").startswith("Booked: **")
    says("a museum on saturday")
    assert "sunday at 7" in says("what did we book again?")


@pytest.mark.parametrize(
    ("said", "asked"),
    [
        (("sushi", "hmm", "dunno"), "Where should I look?"),
        (("book a table", "hmm", "dunno"), "Which venue shall I book?"),
    ],
)
def test_no_question_is_asked_twice_in_a_row(said: tuple[str, ...], asked: str) -> None:
    chat = Holdfast(pack="vibehuntr").session("s")
    told = [reply.text for text in said for reply in run(venues, chat.hear(text), chat)]
    assert told[0] == asked
    assert all(before != after for before, after in pairwise(told))


def test_a_vague_word_after_a_list_books_nothing_without_a_yes() -> None:
    chat = Holdfast(pack="vibehuntr").session("s")

    def says(text: str) -> str:
        return "\n".join(reply.text for reply in run(venues, chat.hear(text), chat))

    first = says("sushi in boston").split("**")[1]
    assert says("book it for 4 people on saturday at 7").startswith("Shall I take **")
    assert says("no").startswith("All right, I book nothing.")
    says("book it")
    assert says("the first").startswith(f"Booked: **{first}**")
