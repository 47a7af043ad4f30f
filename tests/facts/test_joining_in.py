"""Whose a clause is in which the speaker only joins in, and what is only wished for."""

from __future__ import annotations

import pytest

from holdfast import Holdfast


@pytest.mark.parametrize(
    ("text", "kept"),
    [
        ("Mi padre es médico y yo lo admiro", [("family", "Mi padre es médico y yo lo admiro")]),
        ("mi hermana Ana me ayuda mucho", [("family", "hermana Ana")]),
        ("my wife and I moved to Leeds", [("home", "Leeds")]),
        ("mi hermana y yo vivimos en Cádiz", [("home", "Cádiz")]),
        ("my son Theo and I love chess", [("family", "son Theo"), ("likes", "chess")]),
    ],
)
def test_what_is_told_before_the_speaker_joins_in_is_told_of_others(text: str, kept: list[tuple[str, str]]) -> None:
    chat = Holdfast().session("s", user="u")
    chat.hear(text)
    assert [(item.slot, item.value) for item in chat.memory.items()] == kept


@pytest.mark.parametrize(
    ("text", "kept"), [("Quiero tacos de carne", []), ("Quiero dejar la carne", ["diet"]), ("Quiero paella", [])]
)
def test_a_dish_that_is_wished_for_is_no_diet(text: str, kept: list[str]) -> None:
    chat = Holdfast().session("s", user="u")
    chat.hear(text)
    assert [item.slot for item in chat.memory.items()] == kept


@pytest.mark.parametrize(
    ("text", "kept"),
    [
        ("we rent in Hull with my brother Gus", ("family", "brother Gus")),
        ("vivo en Soria con mi hermana Inés", ("family", "hermana Inés")),
        ("живу в Твери с братом Глебом", ("family", "братом Глебом")),
        ("looking for a kettle, my limit is $35", ("budget", "$35")),
        ("busco una bici por menos de 200 euros", ("budget", "200 euros")),
        ("ищу чайник до 3000 рублей", ("budget", "до 3000 рублей")),
    ],
)
def test_a_relative_that_is_named_and_what_one_can_spend_are_told_in_passing(text: str, kept: tuple[str, str]) -> None:
    chat = Holdfast().session("s", user="u")
    chat.hear(text)
    assert kept in [(item.slot, item.value) for item in chat.memory.items()]


def test_what_something_costs_is_nobodys_budget() -> None:
    chat = Holdfast().session("s", user="u")
    chat.hear("a beer is 5 dollars here")
    assert chat.memory.items() == []
