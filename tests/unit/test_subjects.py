"""What a question that leaves its subject out stands for."""

from __future__ import annotations

import pytest

from holdfast import Holdfast
from holdfast.faculties.conversation import ConversationFaculty
from holdfast.faculties.subjects import SubjectsFaculty
from holdfast.pack import Pack
from holdfast.session import Session

PACK = Pack(name="subjects", faculties=(ConversationFaculty(), SubjectsFaculty()))


def chat(subject: str | None = None) -> Session:
    session = Holdfast(pack=PACK).session("s")
    if subject:
        session.say("The page is open.", subject=subject)
    return session


def test_a_pronoun_stands_for_the_subject_that_was_handed_over() -> None:
    assert chat("Ray Allen").hear("When did he join Seattle?").context == "[CONTEXT: About: Ray Allen]"


@pytest.mark.parametrize(
    "message",
    [
        "Who was James Pinckney Henderson?",
        "How old was Hell when he started playing music?",
        "What is universalism?",
        "Thank you for all the tips!",
    ],
)
def test_a_message_that_stands_by_itself_gets_nothing(message: str) -> None:
    assert chat("Ray Allen").hear(message).prompt == message


def test_a_question_for_a_detail_is_about_what_the_agent_named() -> None:
    session = chat()
    session.hear("I am looking for Indian food in the east")
    session.say("Curry Prince serves Indian food and is in the east part of town.")
    assert session.hear("What is the phone number?").context == "[CONTEXT: About: Curry Prince]"


def test_a_name_written_small_is_known_by_its_place() -> None:
    session = chat()
    session.say("taj tandoori is the only one matching your request.")
    assert session.hear("Can I have its address?").context == "[CONTEXT: About: taj tandoori]"


def test_indifference_answers_the_question() -> None:
    session = chat()
    session.hear("a restaurant with turkish food")
    session.say("What price range would you prefer?")
    assert "price range" in session.hear("I don't care").context


def test_another_one_means_another_of_what_was_asked_for() -> None:
    session = chat()
    session.hear("a cheap restaurant in the south")
    session.say("Nandos is cheap and in the south.")
    assert "cheap restaurant south" in session.hear("Is there another one?").context


def test_where_a_thing_is_goes_with_its_name() -> None:
    session = chat()
    session.hear("Where can I get pizza?")
    session.say("Papa Luigi is 3 miles away at 113 Arbol Dr.")
    assert (
        session.hear("Pick a quick route to get there").context == "[CONTEXT: About: Papa Luigi, 3 miles, 113 Arbol Dr]"
    )
    session.say("Green Leaf is the other one.")
    assert session.hear("Is it good?").context == "[CONTEXT: About: Green Leaf]"


@pytest.mark.parametrize(
    ("message", "context"),
    [
        ("What is important about this song?", "[CONTEXT: About: Hurt]"),
        ("Что важного в этой песне?", "[CONTEXT: About: Hurt]"),
        ("How did the Canadians feel about his apology?", "[CONTEXT: About: Hurt]"),
        ("What happened this year in Boston?", ""),
        ("what does global education mean?", ""),
        ("Yes, I want to go on with my studies.", ""),
    ],
)
def test_what_leaves_a_gap_and_what_does_not(message: str, context: str) -> None:
    assert chat("Hurt (song)").hear(message).context == context


def test_a_date_is_no_name() -> None:
    session = chat("Trey Songz")
    session.hear("When did he release Inevitable?")
    session.say("November 28, 2011, on his birthday.")
    assert session.hear("How well did it do?").context == "[CONTEXT: About: Trey Songz, Inevitable]"
