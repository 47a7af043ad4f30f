"""The browser agent with several goals in one message, with goals of different reach, and with questions that no page
answers."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from holdfast import Holdfast
from holdfast.agents.browsing.goals import goals
from holdfast.agents.browsing.voice import Voice
from holdfast.session import Session
from tests.agents.test_browser_agent import talk


@pytest.fixture
def chat() -> Iterator[Session]:
    with Holdfast(pack="nxtscape") as hf:
        yield hf.session("s")


MAIL_AND_FLIGHT = {
    "en": ("open my mail and then find the cheapest flight", "Opened Mail.", "Chose Flight to Berlin", "Confirmed"),
    "ru": ("открой почту, а потом найди самый дешёвый рейс", "Открыл Почта.", "Выбрал: Рейс в Берлин", "Подтверждено"),
    "es": ("abre mi correo y luego busca el vuelo más barato", "Abrí Correo.", "Elegí: Vuelo a Berlín", "Confirmado"),
}


@pytest.mark.parametrize("language", MAIL_AND_FLIGHT)
def test_two_goals_are_carried_out_in_order(chat: Session, language: str) -> None:
    text, opened, chose, confirmed = MAIL_AND_FLIGHT[language]
    said = talk(chat, text)
    assert said.index(opened) == 1
    assert said[-1].startswith(chose)
    assert not any(confirmed in one for one in said)


TWO_DEALS = {
    "en": ("order toothpaste on Amazon and then book a flight to Oslo", "Results on Amazon", "Opened Sky", "continue"),
    "ru": ("закажи зубную пасту и забронируй рейс в Осло", "Результаты на Amazon", "Открыл Sky", "продолжай"),
    "es": ("pide pasta de dientes y luego reserva un vuelo a Oslo", "Resultados en Amazon", "Abrí Sky", "continúa"),
}


@pytest.mark.parametrize("language", TWO_DEALS)
def test_goals_that_do_not_fit_one_plan_are_planned_one_after_the_other(chat: Session, language: str) -> None:
    said = talk(chat, TWO_DEALS[language][0])
    assert any("Amazon: " in one and "Mint Bright" in one for one in said)
    assert "Skybook: " in said[-1]
    assert len([one for one in said if one.startswith(("Plan:", "План:"))]) == 2
    assert chat.face.task()["status"] == "done"


@pytest.mark.parametrize("language", TWO_DEALS)
@pytest.mark.parametrize("stop", [1, 2])
def test_stopped_in_either_goal_it_goes_on_to_the_end_of_both(chat: Session, language: str, stop: int) -> None:
    text, *stops, on = TWO_DEALS[language]
    talk(chat, text, stop=stops[stop - 1])
    assert chat.face.task()["status"] == "paused"
    assert "Skybook: " in talk(chat, on)[-1]
    assert chat.face.task()["status"] == "done"


def test_a_change_of_the_first_goal_keeps_the_second(chat: Session) -> None:
    talk(chat, "order toothpaste on Amazon and then book a flight to Oslo", stop="Results on Amazon")
    said = talk(chat, "actually make it fluoride-free")
    assert "Confirmed on Amazon: Herbal Calm toothpaste." in said
    assert said[-1].startswith("Confirmed on Skybook: Flight to Oslo")


def test_another_task_in_between_leaves_both_goals_where_they_were(chat: Session) -> None:
    talk(chat, "order toothpaste on Amazon and then book a flight to Oslo", stop="Results on Amazon")
    talk(chat, "Close all YouTube tabs")
    said = talk(chat, "go back to the toothpaste")
    assert "Confirmed on Amazon: Mint Bright toothpaste." in said
    assert said[-1].startswith("Confirmed on Skybook: Flight to Oslo")


def test_a_goal_that_fails_does_not_take_the_next_one_with_it(chat: Session) -> None:
    said = talk(chat, "find a mail about a unicorn and then order a lamp")
    assert any(line.startswith("Mail has nothing for") for line in said)
    assert said[-1] == "Confirmed on Amazon: Desk lamp Arc."


def test_tabs_are_worked_on_before_the_errand_that_follows(chat: Session) -> None:
    said = talk(chat, "close the Google tabs and then order a lamp")
    assert said[0].startswith("Closed 2 tabs")
    assert said[-1].startswith("Confirmed on Amazon: Desk lamp")


CARTS = {
    "en": ("Search for toothpaste on Amazon", "add it to the cart", "Added Mint Bright", "now check out", "Confirmed"),
    "ru": ("найди зубную пасту на Amazon", "добавь её в корзину", "Добавил: ", "оформи заказ", "Подтверждено"),
    "es": ("busca pasta de dientes en Amazon", "añádela al carrito", "Añadí: ", "confirma el pedido", "Confirmado"),
}


@pytest.mark.parametrize("language", CARTS)
def test_the_basket_is_filled_without_an_order_until_one_is_wanted(chat: Session, language: str) -> None:
    look, put, added, order, confirmed = CARTS[language]
    assert not any(added in one or confirmed in one for one in talk(chat, look))
    assert talk(chat, put)[-1].startswith(added)
    assert talk(chat, order)[-1].startswith(confirmed)


@pytest.mark.parametrize(
    "text",
    [
        *("add toothpaste to the cart on Amazon", "put a lamp in my basket", "find headphones and add them to my cart"),
        *("положи зубную пасту в корзину на Amazon", "añade pasta de dientes al carrito en Amazon"),
    ],
)
def test_what_is_put_into_the_basket_is_not_ordered(chat: Session, text: str) -> None:
    said = talk(chat, text)
    assert not any(word in said[-1] for word in ("Confirmed", "Подтверждено", "Confirmado"))
    assert any(word in said[-1] for word in ("Added", "Добавил", "Añadí"))


@pytest.mark.parametrize(
    ("text", "parts"),
    [
        ("find a flight to Oslo and book it", 1),
        ("Order black and white notebook", 1),
        ("order toothpaste, then book a table at Kumo, and close the Google tabs", 3),
        ("go to the library and renew my loans", 2),
        ("открой почту и закажи лампу", 2),
        ("найди рейс в Осло и забронируй его", 1),
        ("busca un vuelo a Oslo y resérvalo", 1),
    ],
)
def test_a_message_is_cut_where_something_else_is_to_be_done(text: str, parts: int) -> None:
    language = "ru" if text[0] > "z" or text[1] > "z" else "es" if text.startswith("busca") else "en"
    assert len(goals(text, Voice(language))) == parts


@pytest.mark.parametrize(
    "question",
    [
        *("who is the president of France?", "how tall is Mount Everest", "why is the sky blue?", "what is 2 plus 2?"),
        *("how long is the flight to Tokyo?", "what is the population of Oslo?", "what is the capital of Australia?"),
        *("кто президент Франции?", "почему небо голубое?", "сколько лететь до Токио?"),
        *("¿quién es el presidente de Francia?", "¿por qué el cielo es azul?", "¿cuál es la capital de Australia?"),
    ],
)
def test_a_question_that_no_page_answers_is_answered_honestly(chat: Session, question: str) -> None:
    said = talk(chat, question)[-1]
    assert said.startswith(
        ("I find nothing on", "Про «", "No encuentro nada sobre", "Skybook has nothing for", "На Skybook")
    )


@pytest.mark.parametrize(
    ("question", "told"),
    [
        ("how long does the flight to Oslo take?", "two hours"),
        ("how much did the bridge cost?", "310 million"),
        ("who wrote the article?", "Mara Lindqvist"),
        ("how long do the lentils cook?", "forty minutes"),
        ("how often is the starter fed?", "twice a day"),
        ("сколько стоил мост?", "310"),
        ("¿cuánto costó el puente?", "310"),
        ("¿cuándo abre el puente?", "4 de mayo"),
    ],
)
def test_a_question_that_a_page_answers_is_answered_from_it(chat: Session, question: str, told: str) -> None:
    assert told in talk(chat, question)[-1]


@pytest.mark.parametrize(
    ("order", "no", "weather"),
    [
        ("book a flight to Oslo on friday", "no", "whats the weather like?"),
        ("забронируй рейс в Осло", "нет", "какая погода?"),
        ("reserva un vuelo a Oslo", "no", "¿qué tiempo hace?"),
    ],
)
def test_a_no_confirms_nothing_and_an_idle_question_buys_nothing(
    chat: Session, order: str, no: str, weather: str
) -> None:
    talk(chat, order, agree=False)
    assert "Oslo" in (said := talk(chat, no, agree=False)[-1]) or "Осло" in said
    told = talk(chat, weather)
    assert not any("Amazon" in one and "1." in one for one in told)
    assert told[-1].startswith(("I find nothing on", "Про «", "No encuentro nada sobre"))


def test_the_cheapest_of_what_is_wanted_is_no_other_thing(chat: Session) -> None:
    said = talk(chat, "pide pasta de dientes en Amazon", agree=False)
    assert not any("Cepillo" in one for one in (*said, *talk(chat, "la más barata", agree=False)))


def test_a_place_that_no_result_has_is_not_another_one(chat: Session) -> None:
    talk(chat, "cheap headphones", agree=False)
    said = talk(chat, "the second one", agree=False)
    assert "There is no such result: I see 1" in said[-1]
