"""What was told in one conversation is known, told and taken back in the next one."""

from __future__ import annotations

import pytest

from holdfast import Holdfast


@pytest.mark.parametrize(
    ("asked", "told", "later", "value"),
    [
        ("", "my thesis is due on 12 May", "how long have i got left for my thesis?", "12 May"),
        ("", "my budget for the kitchen is 4000 euros", "find me an oven", "4000"),
        (
            "Do you eat everything?",
            "everything but pork, I don't eat it for religious reasons",
            "find me a dish",
            "pork",
        ),
        ("¿Come de todo?", "todo menos cerdo, no lo como por religión", "recomiéndame un plato", "cerdo"),
        ("Есть срок?", "да, сдаю проект 15 мая", "напомни мне, когда я сдаю проект", "15 мая"),
    ],
)
def test_what_was_said_is_told_on_another_day(asked: str, told: str, later: str, value: str) -> None:
    hf = Holdfast(pack="general")
    first = hf.session("monday", user="u")
    if asked:
        first.say(asked)
    first.hear(told)
    again = hf.session("tuesday", user="u")
    again.hear("hello")
    assert value in again.hear(later).context


@pytest.mark.parametrize(
    ("told", "over", "value"),
    [
        ("I work as a night guard in a depot", "forget that guard thing", "guard"),
        ("Trabajo de vigilante en un polígono", "He dejado lo de vigilante", "vigilante"),
        ("мой кот Барсик", "забудь про кота", "Барсик"),
    ],
)
def test_the_first_message_of_a_conversation_takes_back_what_the_first_of_another_told(
    told: str, over: str, value: str
) -> None:
    hf = Holdfast(pack="general")
    hf.session("monday", user="u").hear(told)
    again = hf.session("tuesday", user="u")
    again.hear(over)
    assert not any(value in str(item.text or item.value) for item in again.memory.facts())


def test_what_is_taken_back_without_a_name_is_of_this_conversation() -> None:
    hf = Holdfast(pack="general")
    hf.session("monday", user="u").hear("I live in Leeds")
    again = hf.session("tuesday", user="u")
    again.hear("scrap that")
    assert [item.value for item in again.memory.facts() if item.slot == "home"] == ["Leeds"]


def test_a_question_of_nobody_is_told_nothing_of_the_person() -> None:
    hf = Holdfast(pack="general")
    hf.session("monday", user="u").hear("My dog is called Rex")
    again = hf.session("tuesday", user="u")
    again.hear("hello")
    assert "Rex" not in again.hear("How high is Mont Blanc?").context
    assert "Rex" in again.hear("what could I do on Sunday?").context


def test_a_long_answer_gives_the_value_that_was_asked_for() -> None:
    chat = Holdfast(pack="general").session("s", user="u")
    chat.say("How old are you?")
    chat.hear("kinda young. im 19 and still living with my parents so mostly over the phone")
    assert [item.value for item in chat.memory.facts() if item.slot == "age"] == ["19"]


@pytest.mark.parametrize(
    ("told", "now", "slot", "value"),
    [
        ("we use npm", "we use pnpm now, npm was too slow", "tooling/package_manager", ["pnpm"]),
        ("I live in York", "I live in Leeds now, York was too expensive", "home", ["Leeds"]),
    ],
)
def test_what_was_too_much_of_the_old_is_none_of_the_new(told: str, now: str, slot: str, value: list[str]) -> None:
    chat = Holdfast(pack="general").session("s", user="u")
    chat.hear(told)
    chat.hear(now)
    known = [*chat.memory.facts(), *chat.memory.preferences()]
    assert [item.value for item in known if item.slot == slot] == value


@pytest.mark.parametrize(
    ("told", "moves", "known"),
    [
        ("my dentist appointment is on Monday", "it got moved to Thursday", "my dentist appointment is on Thursday"),
        ("my op is on 9 March", "ugh they bumped my op. it's the 23rd of March now", "my op is on 23rd of March"),
        ("tengo el examen el lunes", "me lo pasaron al jueves", "tengo el examen el jueves"),
        ("у меня экзамен в понедельник", "перенесли на четверг", "у меня экзамен в четверг"),
    ],
)
def test_a_date_that_moves_is_the_date_of_what_is_known(told: str, moves: str, known: str) -> None:
    hf = Holdfast(pack="general")
    hf.session("monday", user="u").hear(told)
    again = hf.session("tuesday", user="u")
    again.hear("hello")
    again.hear(moves)
    assert [item.value for item in again.memory.facts() if item.category == "schedule"] == [known]


def test_a_date_of_something_else_moves_nothing() -> None:
    hf = Holdfast(pack="general")
    hf.session("monday", user="u").hear("my dentist appointment is on Monday")
    again = hf.session("tuesday", user="u")
    again.hear("I have a job interview on Thursday now")
    kept = [item.value for item in again.memory.facts() if item.slot == "event"]
    assert "my dentist appointment is on Monday" in kept


@pytest.mark.parametrize(
    ("told", "now", "kept"),
    [
        ("I drive a Kenworth T680", "sold the Kenworth", []),
        ("езжу на ниве", "продал ниву, купил шкоду", ["шкоду"]),
    ],
)
def test_a_part_of_its_name_ends_what_is_known(told: str, now: str, kept: list[str]) -> None:
    chat = Holdfast(pack="general").session("s", user="u")
    chat.hear(told)
    chat.hear(now)
    assert [item.value for item in chat.memory.facts() if item.slot == "vehicle"] == kept
