"""The browser agent hears what is wanted in talk as people type it, and orders nothing on a nod beside other words."""

from __future__ import annotations

import pytest

from tests.agents.test_browser_talks import heard


@pytest.mark.parametrize(
    ("messages", "cart"),
    [
        (["i need a hotel in bergen, me and my sister"], 1),
        (["order a pipe wrench", "nah the premium one. cheap ones slip"], 1),
        (["book a flight to istanbul", "the 13:25 one, two tickets"], 2),
        (["reserva un vuelo a lima", "el de la 1:25 está bien"], 1),
        (["order a desk lamp and a notebook", "take the lamp out"], 1),
        (["order two notebooks", "one is enough"], 1),
        (["закажи чайник", "Господи, нет. Очистите корзину полностью."], 0),
        (["hey so money is tight this month and my laptop is dying"], 0),
        (["my deck light burned out last night. need a flood light, waterproof, not the plastic junk"], 1),
        (["order a desk lamp and a notebook", "remove the last one"], 1),
    ],
)
def test_talk_becomes_no_goods_and_what_is_picked_is_taken(messages: list[str], cart: int) -> None:
    _, web = heard(messages, "en")
    assert len(web.cart) == cart, web.cart
    assert not web.bought


@pytest.mark.parametrize(
    ("messages", "name"),
    [
        (["order a pipe wrench", "nah the premium one. cheap ones slip"], "fine"),
        (["book a flight to istanbul", "the 13:25 one"], "noon"),
        (["reserva un hotel en lisboa", "no, quiero el grand"], "grand"),
        (["reserva un vuelo a lima", "el de la 1:25 está bien"], "noon"),
        (["order a pipe wrench", "the premium. the classic is nothing for me and the cheap one slips"], "fine"),
    ],
)
def test_a_row_is_picked_by_its_time_or_kind(messages: list[str], name: str) -> None:
    _, web = heard(messages, "en")
    assert [id.split("/")[1] for id in web.cart] == [name]


@pytest.mark.parametrize(
    ("language", "messages"),
    [
        ("es", ["añade una lámpara de escritorio", "vale, dejala ahi. resumeme lo del puente y ya me voy"]),
        ("es", ["reserva un hotel en lisboa", "vale, y el vuelo de las 13:25 sigue ahí o se perdió?"]),
        ("en", ["order toothpaste", "ok but is it the large one?"]),
        ("ru", ["закажи наушники", "хорошо, но пока не надо"]),
        ("en", ["book a hotel in vancouver for 2 nights", "Burrard."]),  # a mere name is no yes
    ],
)
def test_a_nod_beside_other_words_orders_nothing(language: str, messages: list[str]) -> None:
    assert not heard(messages, language)[1].bought


@pytest.mark.parametrize(
    ("language", "messages"),
    [
        ("en", ["order toothpaste", "yes go ahead, and then tell me what tabs i have open"]),
        ("ru", ["закажи наушники", "ну всё, оформляй наушники"]),
        ("en", ["order toothpaste", "yes please. And after that I need to know what's in my inbox"]),
    ],
)
def test_a_yes_with_another_wish_is_a_yes(language: str, messages: list[str]) -> None:
    assert heard(messages, language)[1].bought


@pytest.mark.parametrize(
    ("language", "messages", "told"),
    [
        ("es", ["ah y de q habla lo del puente ese? lo deje abierto y ni lo lei"], "310 millones"),
        ("en", ["whats in my mail", "what does the bank one say"], "cannot open"),
        ("en", ["huh? i just want the list of my open tabs"], "6 tabs"),
        ("en", ["group all my tabs as trip"], "“trip”"),
        ("en", ["order toothpaste", "nice, k bye, close amazon"], "No tab fits"),
    ],
)
def test_pages_mail_and_tabs_are_told_of_in_plain_talk(language: str, messages: list[str], told: str) -> None:
    assert told in heard(messages, language)[0]
