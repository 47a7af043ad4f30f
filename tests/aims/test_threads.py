"""Threads of talk: what goes on, what turns, what comes back."""

from __future__ import annotations

import pytest

from holdfast import Holdfast
from holdfast.session import Session


@pytest.fixture
def chat() -> Session:
    return Holdfast().session("s")


def turned(chat: Session, text: str) -> bool:
    return not chat.hear(text).route.follow_up


def test_the_first_message_follows_nothing(chat: Session) -> None:
    assert turned(chat, "I need a hotel in Rome")
    assert chat.state.threads.thread == ("lodging",)


@pytest.mark.parametrize(
    "text",
    [
        *("Does it have wifi?", "the second one please", "yes", "What is the address?", "Something cheaper"),
        *("Can you book the hotel for two nights?", "Is the hotel close to a museum?", "thanks, that is fine"),
    ],
)
def test_what_belongs_to_the_thread_goes_on_with_it(chat: Session, text: str) -> None:
    chat.hear("I need a hotel in Rome")
    chat.say("I found the Hotel Luna, a 3 star hotel.")
    turn = chat.hear(text)
    assert turn.route.follow_up
    assert turn.receipt.did("turned") == []


@pytest.mark.parametrize(
    ("text", "field"),
    [
        ("Great. What's the weather like there?", "weather"),
        ("I also need a cab to the hotel", "rides"),
        ("Can you find me a restaurant near the hotel?", "eating"),
        ("Not now. I want to check my balance.", "banking"),
        ("Ok, a flight from Paris then", "flights"),
    ],
)
def test_asking_for_something_of_another_field_turns(chat: Session, text: str, field: str) -> None:
    chat.hear("I need a hotel in Rome")
    chat.say("I found the Hotel Luna, a 3 star hotel.")
    turn = chat.hear(text)
    assert not turn.route.follow_up
    assert turn.state.threads.thread == (field,)
    (line,) = turn.receipt.did("turned")
    assert "(before: lodging)" in line.what
    assert line.words


def test_coming_back_is_told_as_coming_back(chat: Session) -> None:
    for text in ("Find me a concert in Oslo", "What is the weather there?"):
        chat.hear(text)
        chat.say("Here is what I found.")
    turn = chat.hear("Ok, get me two tickets please")
    (line,) = turn.receipt.did("turned")
    assert line.what.startswith("back to events")


@pytest.mark.parametrize(
    ("first", "goes_on", "turns"),
    [
        ("Мне нужен отель в Казани", "а завтрак там есть?", "Какая там погода?"),
        ("Necesito un hotel en Madrid", "¿tiene wifi?", "¿Puedes buscar un restaurante cerca?"),
    ],
)
def test_threads_in_other_languages(chat: Session, first: str, goes_on: str, turns: str) -> None:
    chat.hear(first)
    assert not turned(chat, goes_on)
    assert turned(chat, turns)


def test_in_a_chat_a_question_about_another_matter_turns(chat: Session) -> None:
    chat.say("I just walked my dog in the park.")
    assert not turned(chat, "nice, what kind of dog is it?")
    chat.say("A small poodle, he is three.")
    assert turned(chat, "cute. what do you do for a living?")


def test_in_a_chat_an_answer_is_no_turn(chat: Session) -> None:
    chat.hear("hello")
    chat.say("Hi! What do you do for fun?")
    assert not turned(chat, "I play the guitar and read a lot.")


def test_starting_over_forgets_the_thread(chat: Session) -> None:
    chat.hear("I need a hotel in Rome")
    chat.clear()
    assert chat.state.threads.thread == ()


def test_the_thread_does_not_grow_with_the_talk(chat: Session) -> None:
    asks = ["Find a hotel", "Find a restaurant", "Find a bus", "Find a dentist", "Find a concert", "I need a cab"]
    asks += ["Find me an apartment", "Book a flight", "Play a song please", "Check the weather please", "Find a museum"]
    for _ in range(3):
        for ask in asks:
            chat.hear(ask)
            chat.say("Done, here are my dog and my cat.")
    assert len(chat.state.threads.earlier) == 8
    assert len(chat.state.threads.recent) == 2


@pytest.mark.parametrize(
    ("first", "aside", "back"),
    [
        ("I'm planning a trip to Lisbon", "by the way, who won the match?", "ok back to the trip, what do we need?"),
        ("я планирую поездку в Лиссабон", "кстати, кто выиграл матч?", "вернёмся к поездке: что нам нужно?"),
        ("busco un hotel en Madrid", "por cierto, ¿quién ganó el partido?", "volviendo al hotel, ¿tiene piscina?"),
    ],
)
def test_going_back_is_going_on(first: str, aside: str, back: str) -> None:
    chat = Holdfast().session("s")
    for message in (first, aside):
        chat.hear(message)
        chat.say("I see.")
    assert chat.hear(back).route.follow_up
