"""What is kept because somebody asks for it a message later."""

from __future__ import annotations

import pytest

from holdfast import Holdfast
from holdfast.session import Session


def kept(*said: str) -> list[str]:
    return [item.value for item in talk(*said).memory.facts()]


def talk(*said: str) -> Session:
    chat = Holdfast(pack="general").session("s", user="u")
    for text in said:
        chat.hear(text)
    return chat


@pytest.mark.parametrize(
    ("told", "asks"),
    [
        ("the blue key opens the shed", "thanks, remember that please"),
        ("the blue key opens the shed", "don't forget that"),
        ("держу палец отваливается", "запомни это"),
        ("la banda se acabo en junio", "recuérdalo"),
        ("la banda se acabo en junio", "no olvides eso"),
    ],
)
def test_the_message_before_is_kept_where_that_is_asked_for(told: str, asks: str) -> None:
    assert kept(told) == []
    assert kept(told, asks) == [told]


@pytest.mark.parametrize(
    "said", ["the gate code is 4411, remember that", "el código es 4411, recuérdalo", "код от двери 4411, запомни это"]
)
def test_what_stands_beside_is_kept_where_that_is_asked_for(said: str) -> None:
    (fact,) = kept(said)
    assert "4411" in fact


def test_what_is_known_already_is_confirmed_and_stands_once() -> None:
    assert kept("my name is Bob", "remember that") == ["Bob"]


def test_what_somebody_answered_a_question_with_is_kept_as_such() -> None:
    chat = talk("how long do the eggs take?")
    chat.say("Eight minutes from cold water.")
    chat.hear("remember that")
    assert [item.value for item in chat.memory.facts()] == ["Eight minutes from cold water"]


@pytest.mark.parametrize(
    "said", ["do you remember that?", "remember?", "don't remember that", "не запоминай это", "no recuerdes eso"]
)
def test_to_ask_or_to_refuse_keeps_nothing(said: str) -> None:
    assert kept("the blue key opens the shed", said) == []


def test_nothing_is_kept_of_a_greeting() -> None:
    assert kept("hi", "remember that") == []


def test_what_else_is_wished_is_not_what_is_kept() -> None:
    assert kept("the blue key opens the shed", "remember that. and book a table for two") == [
        "the blue key opens the shed"
    ]


def test_that_the_agent_does_not_know_is_not_kept() -> None:
    chat = talk("how long do the eggs take?")
    chat.say("I do not know that.")
    chat.hear("remember that")
    assert chat.memory.facts() == []
