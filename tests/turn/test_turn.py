"""One turn: what a message does, what the agent is told, what the reply may not do."""

from __future__ import annotations

import pytest

from holdfast import Holdfast
from holdfast import pack as packs
from holdfast.reading.model import clauses


def test_a_bare_place_answers_the_question_where() -> None:
    chat = Holdfast().session("s")
    chat.hear("I want a cheesesteak")
    chat.say("Where?", agent="venues")
    turn = chat.hear("philly")
    assert turn.prompt == "[CONTEXT: Location: philly]\n\nphilly"
    assert turn.route.agent == "venues"


def test_yes_goes_to_the_agent_that_asked() -> None:
    chat = Holdfast().session("s")
    chat.say("Shall I book it?", agent="booker")
    assert chat.hear("yes").route.agent == "booker"


def test_without_context_the_message_goes_through_untouched() -> None:
    assert Holdfast().session("s").hear("  Hello there! ").prompt == "  Hello there! "


@pytest.mark.parametrize(
    ("asked", "said", "chosen"),
    [
        ("Pizza or sushi?", "the second", "sushi"),
        ("Do you want pizza, or sushi?", "the first", "pizza"),
        ("Вы хотите пиццу или суши?", "второй", "суши"),
        ("¿Prefiere pizza o sushi?", "la primera", "pizza"),
    ],
)
def test_a_choice_is_offered_and_taken_in_three_languages(asked: str, said: str, chosen: str) -> None:
    chat = Holdfast().session("s")
    chat.say(asked)
    chat.hear(said)
    assert chat.state.questions.answer.value == chosen


def test_a_pack_that_was_warmed_has_loaded_what_a_first_message_in_any_language_needs() -> None:
    pack = packs.load("general")
    pack.warm()
    assert {"en", "ru", "es"} <= set(pack.reader._finders)
    assert {"en", "ru", "es"} <= set(pack.reader._menders)
    assert "_decoder" in vars(pack.codec), "what reads a log that is there"
    assert clauses._MODEL.scorer("clause")._asked is None, "all features are listed"
