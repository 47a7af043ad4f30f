"""Answers: what was replied to an agent stays known and is not asked again."""

from __future__ import annotations

import pytest

from holdfast import Holdfast, Session


@pytest.fixture
def chat() -> Session:
    return Holdfast().session("s")


def answer(chat: Session, question: str, reply: str) -> str:
    chat.hear("hello there")
    chat.say(question)
    return chat.hear(reply).context


@pytest.mark.parametrize(
    ("question", "reply", "kept"),
    [
        ("How long will you stay?", "five days", "five days"),
        ("Do you prefer a hotel or an apartment?", "apartment, but not too expensive", "apartment"),
        ("What color?", "blue please", "blue"),
        ("Какой у вас бюджет?", "тысяч десять", "тысяч десять"),
        ("Как долго вы пробудете?", "пять дней", "пять дней"),
        ("¿Qué talla?", "la mediana", "mediana"),
    ],
)
def test_what_was_answered_is_told_from_then_on(chat: Session, question: str, reply: str, kept: str) -> None:
    answer(chat, question, reply)
    assert f"Already answered: {question} {kept}" in chat.hear("and what else do we need to think of today?").context


@pytest.mark.parametrize("said", ["thanks!", "hello there", "what do you mean?"])
def test_a_courtesy_or_a_question_answers_nothing(chat: Session, said: str) -> None:
    assert answer(chat, "What color?", said) == ""


@pytest.mark.parametrize("offer", ["How can I help you?", "Чем помочь?", "¿Qué necesitas?", "What's up?"])
def test_a_question_that_waits_for_nothing_keeps_no_answer(chat: Session, offer: str) -> None:
    assert "Already answered" not in answer(chat, offer, "good morning everybody")
    assert chat.state.questions.open == ()


def test_what_a_slot_took_is_not_told_twice(chat: Session) -> None:
    context = answer(chat, "What is your name?", "Dana")
    assert context == "[CONTEXT: User's name: Dana]"


def test_a_yes_is_over_when_it_is_said(chat: Session) -> None:
    assert "Already answered" not in answer(chat, "Shall I book it?", "yes please")


@pytest.mark.parametrize(
    ("said", "now"),
    [
        ("actually we'll stay a week, not five days", "a week"),
        ("not five days, a whole week", "whole week"),
        ("change it from five days to two weeks", "two weeks"),
    ],
)
def test_a_correction_changes_the_answer(chat: Session, said: str, now: str) -> None:
    answer(chat, "How long will you stay?", "five days")
    turn = chat.hear(said)
    assert f"How long will you stay? {now}" in turn.context
    assert any("was five days" in line.what for line in turn.receipt.did("superseded"))


def test_a_refusal_of_something_else_changes_no_answer(chat: Session) -> None:
    answer(chat, "How long will you stay?", "five days")
    assert "five days" in chat.hear("we have no car, not even bicycles").context


def test_an_agent_that_asks_again_is_told_the_answer(chat: Session) -> None:
    answer(chat, "How long will you stay?", "five days")
    verdict = chat.check("Good. How long will you stay?")
    assert not verdict.allowed
    assert verdict.instead == "You already told me: five days."
    assert chat.check("How long does the flight take?").allowed


def test_answers_can_be_cleared_and_are_bounded(chat: Session) -> None:
    for number in range(9):
        answer(chat, f"What is the size of box {number}?", f"{number} boxes high")
    assert len(chat.state.answers.kept) == 6
    chat.clear("answers")
    assert chat.state.answers.kept == ()


def test_which_one_is_another_question_for_every_list(chat: Session) -> None:
    chat.hear("any thai places?")
    chat.say("1. **Siam** 2. **Erawan**. Which one?")
    chat.hear("the second one")
    chat.hear("any pizza places?")
    assert chat.check("1. **Luigi** 2. **Mario**. Which one?").allowed


@pytest.mark.parametrize("said", ["why?", "stop asking", "ask again", "try again", "scroll up"])
def test_what_is_no_answer_moves_nobody(chat: Session, said: str) -> None:
    chat.hear("I live in Lyon")
    chat.say("Which city are you in?")
    chat.hear(said)
    assert chat.state.slots.get("location") == "Lyon"
