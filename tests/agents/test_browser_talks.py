"""Short talks with the browser agent: what is in the basket and which tabs are open after each message. Questions,
denials and talk around an order change nothing; an order of several things is kept line by line."""

from __future__ import annotations

from collections import Counter

import pytest

from holdfast import Holdfast
from holdfast.agents import run
from holdfast.agents.browser import Browser
from holdfast.agents.browsing.web import Web, pages, restored
from tests.rows import every

TALKS = {
    "en": [
        [
            ("order 2 soft toothbrushes and a mint bright toothpaste on amazon", "brush*2 mint"),
            ("make it 3 toothbrushes, my son wants one too", "brush*3 mint"),
            ("is the herbal one cheaper?", "brush*3 mint"),
            ("what's in my basket?", "brush*3 mint"),
            ("replace the toothpaste with the herbal one", "brush*3 herbal"),
            ("dont order it yet", "brush*3 herbal"),
        ],
        [
            ("i need a flight berlin to oslo on friday, 2 people", "oslo-am*2"),
            ("no not the morning, the cheaper one, 18:40", "oslo-pm*2"),
            ("make it 3 passengers actually, my brother comes too", "oslo-pm*3"),
            ("is it direct?", "oslo-pm*3"),
            ("and dont book any flight again, we have one already", "oslo-pm*3"),
        ],
        [
            ("show me toothpaste on amazon", ""),
            ("the 4.10 one", ""),
            ("add two of it to the cart", "steel*2"),
            ("no, just one", "steel"),
            ("remove it", ""),
        ],
        [
            ("find me a hotel in oslo", ""),
            ("do you have a site for hotels?", ""),
            ("then book the flight to bergen", "bergen"),
        ],
    ],
    "ru": [
        [
            ("закажи отбеливающую пасту, щётку и 3 блокнота на amazon", "steel brush notebook*3"),
            ("хватит двух блокнотов", "steel brush notebook*2"),
            ("сколько всё вместе?", "steel brush notebook*2"),
            ("убери щётку", "steel notebook*2"),
            ("что в корзине?", "steel notebook*2"),
            ("не, забудь, сам куплю", ""),
        ],
        [
            ("забронируй утренний рейс в осло", "oslo-am"),
            ("не утренний, а вечерний", "oslo-pm"),
            ("какой рейс мы забронировали?", "oslo-pm"),
            ("больше ничего не бронируй", "oslo-pm"),
        ],
    ],
    "es": [
        [
            ("pon auriculares y dos cuadernos en la cesta de amazon", "hush notebook*2"),
            ("no, solo un cuaderno", "hush notebook"),
            ("y añade la lámpara azul", "hush notebook dot"),
            ("¿cuánto es todo?", "hush notebook dot"),
            ("quita los auriculares", "notebook dot"),
            ("no compres nada todavía", "notebook dot"),
        ],
        [
            ("somos cuatro, busca un vuelo a oslo el viernes", ""),
            ("el de las 9:10", ""),
            ("resérvalo", "oslo-am*4"),
            ("no el de la mañana, el de la tarde", "oslo-pm*4"),
        ],
    ],
}


def heard(messages: list[str], language: str) -> tuple[str, Web]:
    """What the agent said last in a talk, and the browser after it."""
    said = ""
    with Holdfast(pack="nxtscape") as hf:
        chat = hf.session("s")
        for text in messages:
            said = "\n".join(reply.text for reply in run(Browser(pause=0), chat.hear(text), chat))
        return said, restored(chat.state.task.seen, language)


def basket(things: str) -> Counter[str]:
    counts = [thing.partition("*") for thing in things.split()]
    return Counter({name: int(count or 1) for name, _, count in counts})


@every("language, talk", [(language, talk) for language, talks in TALKS.items() for talk in talks])
def test_only_what_a_message_speaks_of_changes_in_the_basket(language: str, talk: list[tuple[str, str]]) -> None:
    for end, (_, things) in enumerate(talk, 1):
        _, web = heard([text for text, _ in talk[:end]], language)
        assert Counter(web.cart) == basket(things), talk[end - 1]
        assert not web.bought


@pytest.mark.parametrize(
    ("language", "messages", "open_tabs"),
    [
        ("en", ["close the google search one, keep the other", "did you close the other one?"], [2, 3, 4, 5, 6]),
        (
            "en",
            ["also kill the soup thing, but keep the packing list pls", "please dont close the docs"],
            [1, 2, 3, 4, 5],
        ),
        ("ru", ["закрой рецепт и статью про мост, остальное оставь", "ты их закрыл?"], [1, 2, 3, 4]),
        ("es", ["cierra los documentos pero deja la búsqueda", "no cierres la receta"], [1, 3, 4, 5, 6]),
    ],
)
def test_a_question_and_a_denial_close_no_tab(language: str, messages: list[str], open_tabs: list[int]) -> None:
    assert [tab.id for tab in heard(messages, language)[1].tabs] == open_tabs


@pytest.mark.parametrize(
    ("language", "messages", "told"),
    [
        ("en", ["close the soup tab", "what is left open?"], "Packing list"),
        ("en", ["which sites can you use?"], "Skybook"),
        ("en", ["book a table at kumo", "whats going on now, what is still to do?"], "Table at Kumo"),
        ("en", ["book a flight to bergen", "yes", "hey, which flight did we book and what tabs are open"], "Lentil"),
        ("en", ["book a flight to oslo", "forget the hotel, i do it myself", "where were we?"], "Flight to Oslo"),
        ("ru", ["закажи мятную пасту", "а отбеливающая почём?"], "$4.10"),
        ("ru", ["забронируй столик в kumo", "на чём мы остановились?"], "Столик в Kumo"),
        ("es", ["reserva un vuelo a bergen", "¿qué queda por hacer?"], "Vuelo a Bergen"),
        ("es", ["búscame un hotel en bergen"], "Hotel Fjord"),
    ],
)
def test_a_question_is_answered_from_what_the_agent_knows(language: str, messages: list[str], told: str) -> None:
    assert told in heard(messages, language)[0]


@pytest.mark.parametrize(
    ("order", "aside", "waits"),
    [
        ("reserve a table at kumo for three", "ok but what time is it", "Kumo, 20:15 for 3"),
        ("order a soft toothbrush", "sure, only is it bamboo?", "Soft toothbrush"),
        ("забронируй столик в kumo на троих", "да, а во сколько?", "Kumo, 20:15 (на 3 чел.)"),
        ("reserva mesa en kumo para tres", "sí, ¿pero a qué hora es?", "Kumo, 20:15 para 3"),
    ],
)
def test_a_yes_with_a_question_beside_it_confirms_nothing(order: str, aside: str, waits: str) -> None:
    language = "ru" if order[0] == "з" else "es" if order.startswith("reserva ") else "en"
    _, web = heard([order, aside], language)
    assert not web.bought
    assert web.cart
    said, web = heard([order, aside, {"en": "yes", "ru": "да", "es": "sí"}[language]], language)
    assert waits in said
    assert not web.cart


@pytest.mark.parametrize(
    ("language", "messages", "bought"),
    [
        ("en", ["order two dotted notebooks", "have they been paid for yet", "go ahead, buy"], "notebook*2"),
        ("en", ["book a flight to bergen", "yep. and close the recipe when it is done"], "bergen"),
        ("ru", ["закажи синюю лампу", "ну покупай давай"], "dot"),
        ("ru", ["закажи щётку", "хорошо, бери, и заглуши ютуб"], "brush"),
        ("es", ["pide dos cuadernos", "venga, cómpralos"], "notebook*2"),
    ],
)
def test_a_yes_in_other_words_orders_once(language: str, messages: list[str], bought: str) -> None:
    assert Counter(heard(messages, language)[1].bought) == basket(bought)
    repeated = [*messages, {"en": "did you buy it?", "ru": "ты купил?", "es": "¿lo has comprado?"}[language]]
    said, web = heard(repeated, language)
    assert Counter(web.bought) == basket(bought)
    assert said.startswith(("Confirmed", "Подтверждено", "Confirmado", "Still so", "Всё так же", "Sigue igual"))


@pytest.mark.parametrize(
    ("language", "messages", "cart"),
    [
        ("en", ["order a notebook", "how many is that, one or two?"], "notebook"),
        ("en", ["order a notebook", "7.50, seriously?"], "notebook"),
        ("en", ["is there any toothpaste in there already"], ""),
        ("en", ["i need headphones for less than 40"], ""),
        ("en", ["book a table at osteria luce for two", "that is too early for us"], "kumo*2"),
        ("ru", ["забронируй рейс в осло на пятницу утром", "а вечером в шесть есть?"], "oslo-am"),
        ("ru", ["нужна лампа дешевле 15"], ""),
        ("es", ["reserva un vuelo a berlín", "sale a las siete, ¿no?"], "berlin"),
        ("es", ["quiero una lámpara", "la otra, que es más barata"], "dot"),
    ],
)
def test_numbers_are_kept_for_what_they_are(language: str, messages: list[str], cart: str) -> None:
    _, web = heard(messages, language)
    assert Counter(web.cart) == basket(cart)
    assert not web.bought


@pytest.mark.parametrize(
    ("language", "messages", "told"),
    [
        ("en", ["order two notebooks", "what will that come to?"], "$15.00"),
        ("en", ["book a flight to berlin", "yes", "did we get headphones as well"], "Not ordered"),
        ("en", ["close the recipe", "is the recipe still open?"], "closed"),
        ("en", ["mute the lo-fi one", "which tabs are muted?"], "Lo-fi"),
        ("en", ["what is in my bookmarks?"], "empty"),
        ("en", ["who won the cup final?"], "cup, final"),
        ("ru", ["закажи две щётки", "это сколько в сумме?"], "$4.00"),
        ("ru", ["закрой газету", "газета ещё открыта?"], "закрыта"),
        ("es", ["pide dos cepillos", "¿cuánto sale en total?"], "$4.00"),
        ("es", ["¿qué hay en tableside?"], "Kumo"),
    ],
)
def test_the_state_answers_for_itself(language: str, messages: list[str], told: str) -> None:
    assert told in heard(messages, language)[0]


@pytest.mark.parametrize(
    ("language", "messages", "open_tabs"),
    [
        ("en", ["save the recipe and shut everything else"], [6]),
        ("en", ["close tab 4", "no, get it back"], [1, 2, 3, 4, 5, 6]),
        ("en", ["shut the newspaper and the music"], [1, 2, 3, 6]),
        ("en", ["close the newspaper and the recipe", "reopen the recipe only"], [1, 2, 3, 4, 6]),
        ("en", ["close everything but the calculator"], [1, 2, 3, 4, 5, 6]),
        ("ru", ["закрой газету и открой рецепт"], [1, 2, 3, 4, 6]),
        ("es", ["cierra la 2 y la 6", "que abras la 6 otra vez"], [1, 3, 4, 5, 6]),
        ("es", ["cierra el periódico y fija la receta"], [1, 2, 3, 4, 6]),
    ],
)
def test_every_part_of_a_message_about_tabs_is_done(language: str, messages: list[str], open_tabs: list[int]) -> None:
    assert [tab.id for tab in heard(messages, language)[1].tabs] == open_tabs


@pytest.mark.parametrize(
    ("language", "message"),
    [("en", "frobnicate the gizmo"), ("ru", "сделай мне красиво"), ("es", "haz la cosa esa")],
)
def test_the_same_is_not_said_twice_in_a_row(language: str, message: str) -> None:
    assert heard([message], language)[0] != heard([message, message], language)[0]


@pytest.mark.parametrize(
    ("language", "messages", "cart"),
    [
        ("en", ["yo order me some cat food"], "Cat food, simple"),
        ("en", ["order two chargers", "empty the cart"], ""),
        ("en", ["order two chargers", "Never mind. Order me a lemon from Amazon please"], "Lemon, simple"),
        ("en", ["order me red lentils 2 packs from amazon cheapest"], "Red lentils, simple"),
        ("en", ["how do i make the soup, whats in it", "i want to buy red lentils"], "Red lentils, simple"),
        ("en", ["reserve a table at kumo", "and saturday"], "Table at Kumo, 20:15"),
        (
            "ru",
            ["закажи шарф на Amazon", "и лампу", "убери лампу из корзины, оставь только шарф"],
            "Шарф, простой вариант",
        ),
        ("es", ["quiero comprar lentejas"], "Lentejas, sencillo"),
    ],
)
def test_a_wish_for_what_no_list_names_fills_the_basket(language: str, messages: list[str], cart: str) -> None:
    _, web = heard(messages, language)
    named = pages(language).holding(web.cart).named([*dict.fromkeys(web.cart)])
    assert ", ".join(thing.name for thing in named) == cart


def test_a_yes_with_a_farewell_is_a_yes() -> None:
    assert heard(["закажи шарф на Amazon", "да. спасибо большое, до свидания!"], "ru")[1].bought


def test_a_request_with_a_question_mark_is_looked_for() -> None:
    assert "Coffee grinder, simple" in heard(["hey, can you help me find a coffee grinder?"], "en")[0]


def test_a_page_is_told_where_no_sentence_answers() -> None:
    assert "two onions" in heard(["does the recipe say what ingredients"], "en")[0]


@pytest.mark.parametrize(
    ("language", "messages", "cart"),
    [
        ("en", ["need aa batteries"], "Aa batteries, simple"),
        ("en", ["order 8 batteries", "make it 1"], "Batteries, simple"),
        ("ru", ["привет! нужно купить наушники беспроводные, недорого"], "Наушники Hush"),
        (
            "es",
            ["Hola!! buenas tardes, oye, compra una cafetera para mi mama, porfa"],
            "Cafetera, sencillo",
        ),
        ("en", ["ok and whats the soup recipe need? i gotta order stuff for it"], ""),
    ],
)
def test_talk_around_a_wish_is_no_product(language: str, messages: list[str], cart: str) -> None:
    _, web = heard(messages, language)
    assert ", ".join(thing.name for thing in pages(language).holding(web.cart).named(web.cart)) == cart


def test_what_is_needless_is_not_all_the_rest() -> None:
    _, web = heard(["привет, закрой лишние вкладки с ютубом"], "ru")
    assert [tab.id for tab in web.tabs] == [1, 2, 5, 6]
