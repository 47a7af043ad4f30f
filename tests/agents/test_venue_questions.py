"""A question about a place is answered first, whatever booking is open, and a booking that is refused stays closed."""

from __future__ import annotations

import pytest

from holdfast import Session
from holdfast.agents.catalogue import known
from holdfast.faculties.plans import plans_of
from tests.agents.venue_talk import names, talk


def booked(session: Session) -> list[str]:
    return [plan.venue for plan in plans_of(session.state).standing if plan.status == "booked"]


@pytest.mark.parametrize(
    ("search", "choice", "asked", "told"),
    [
        ("ramen in boston", "a table at the first one tomorrow for 3", "hang on, what time do they shut?", " is open "),
        ("ramen in boston", "a table at the first one tomorrow for 3", "is there anywhere to park", "parking"),
        ("рамен в москве", "первое на завтра, нас трое", "погоди, а до скольки они открыты?", " открыто с "),
        ("рамен в москве", "первое на завтра, нас трое", "а машину там есть где оставить", "парковк"),
        ("ramen en madrid", "mesa en el primero para mañana, somos 3", "espera, ¿a qué hora cierran?", " abre de "),
        ("ramen en madrid", "mesa en el primero para mañana, somos 3", "y se puede aparcar?", "aparcamiento"),
    ],
)
def test_a_question_is_answered_while_a_booking_is_open(search: str, choice: str, asked: str, told: str) -> None:
    session, said = talk(search, choice, asked)
    first = names(said[0])[0]
    assert f"**{first}**" in said[2]
    assert told in said[2]
    assert not booked(session)


@pytest.mark.parametrize(
    ("search", "choice", "refusal", "asked"),
    [
        ("brunch in seattle", "the first on sunday at 11 for 2", "please don't book anything", "do they have wifi?"),
        ("бранч в питере", "первое на воскресенье в 11 на двоих", "ничего бронировать не надо", "вайфай там есть?"),
        ("brunch en chicago", "el primero el domingo a las 11 para 2", "no hace falta reservar", "¿hay wifi?"),
    ],
)
def test_a_refused_booking_does_not_come_back(search: str, choice: str, refusal: str, asked: str) -> None:
    session, said = talk(search, choice, refusal, asked)
    assert not plans_of(session.state).standing
    assert session.state.slots.get("event_party_size") == "2"  # what was said stays known
    assert "?" not in said[3]
    assert "wifi" in said[3] or "вай-фай" in said[3]


@pytest.mark.parametrize(
    ("search", "first", "second"),
    [
        ("thai in miami", "is the first one noisy?", "are there many steps?"),
        ("тайская кухня в москве", "в первом шумно?", "а ступенек там много?"),
        ("tailandés en madrid", "¿en el primero hay mucho ruido?", "¿tiene muchas escaleras?"),
    ],
)
def test_what_the_table_does_not_have_is_not_known_and_is_said_so_in_two_ways(
    search: str, first: str, second: str
) -> None:
    _, said = talk(search, first, second)
    unknown = ("do not know", "не знаю", "no lo sé", "Tampoco")
    assert all(any(words in reply for words in unknown) for reply in said[1:])
    assert said[1] != said[2]


@pytest.mark.parametrize(
    ("search", "asked", "kind"),
    [
        ("dinner in miami", "is the second a fish restaurant?", "seafood"),
        ("ужин в москве", "а второе это итальянское?", "итальянск"),
        ("cena en madrid", "¿el segundo es italiano?", "italiana"),
    ],
)
def test_what_a_place_serves_is_told_by_its_kind(search: str, asked: str, kind: str) -> None:
    _, said = talk(search, asked)
    venue = next(one for one in known() if one.name == names(said[0])[1])
    assert f"**{venue.name}**" in said[1]
    assert "“" in said[1] or "«" in said[1]


@pytest.mark.parametrize(
    ("search", "part"),
    [
        ("a bar in hackney, london", "Hackney"),
        ("бар в бирюлёво, москва", "Бирюлёво"),
        ("un bar en vallecas, madrid", "Vallecas"),
    ],
)
def test_a_part_of_town_that_the_table_lacks_is_said_to_be_unknown(search: str, part: str) -> None:
    _, said = talk(search)
    assert part.casefold() in said[0].casefold()
    assert names(said[0])


@pytest.mark.parametrize(
    "messages",
    [
        ("sushi in chicago", "something else like that?"),
        ("суши в мадриде", "а есть другие варианты?"),
        ("sushi en londres", "¿hay otras opciones?"),
    ],
)
def test_the_list_that_was_just_shown_is_not_shown_again_as_something_else(messages: tuple[str, str]) -> None:
    _, said = talk(*messages)
    assert not {*names(said[0])} & {*names(said[1])}


@pytest.mark.parametrize(
    ("search", "goodbye"),
    [
        ("coffee in seattle", "thanks, I'll walk over to the first one tomorrow morning. bye"),
        ("кофе в москве", "спасибо, зайду завтра в первую. всего доброго"),
        ("café en barcelona", "gracias, mañana paso por el primero. adiós"),
    ],
)
def test_who_leaves_is_not_asked_for_a_booking(search: str, goodbye: str) -> None:
    session, said = talk(search, goodbye)
    assert "?" not in said[1]
    assert not booked(session)
