"""The loop guard and the topic stack serve any pack, with or without procedures."""

from __future__ import annotations

from holdfast import Holdfast
from holdfast.faculties.conversation import ConversationFaculty
from holdfast.faculties.desk.guard import GuardFaculty
from holdfast.faculties.desk.topics import TopicsFaculty
from holdfast.pack import Pack
from holdfast.session import Session

PACK = Pack(name="plain", faculties=(ConversationFaculty(), TopicsFaculty(), GuardFaculty()))


def chat() -> Session:
    return Holdfast(pack=PACK).session("s")


def test_a_second_empty_request_is_refused_and_comes_with_something_to_do() -> None:
    talk = chat()
    assert talk.say("Can you provide more details?").allowed
    talk.hear("it is loud")
    reply = talk.say("Could you tell me more about it?")
    assert [v.rule for v in reply.violations] == ["loop.fallback"]
    assert reply.instead


def test_a_refused_reply_does_not_count_as_said() -> None:
    talk = chat()
    talk.say("Can you provide more details?")
    talk.say("Can you provide more details?")
    assert talk.state.guard.fallbacks == 1


def test_going_back_and_forth_between_two_questions_is_seen() -> None:
    talk = chat()
    for text in ("Is the red lamp on?", "Is the door shut?", "Is the red lamp on?"):
        assert talk.say(text).allowed
        talk.hear("hm")
    assert not talk.check("Is the door shut?").allowed
    assert talk.check("Is the cable in?").allowed


def test_a_topic_that_was_answered_rests_for_three_turns() -> None:
    talk = chat()
    talk.say("What is the battery voltage?")
    talk.hear("12.6 V")
    talk.say("Is the door shut?")
    talk.hear("yes")
    assert [v.rule for v in talk.check("And the battery, what does it measure?").violations] == ["loop.topic"]
    for word in ("one", "two", "three"):
        talk.hear(word)
    assert talk.check("And the battery, what does it measure?").allowed


def test_side_questions_are_pushed_and_popped_without_a_procedure() -> None:
    talk = chat()
    turn = talk.hear("where is the fuse box?")
    assert turn.intent is not None
    assert (turn.intent.type, turn.intent.query) == ("LOCATE", "fuse box")
    assert talk.state.topics.submode == "locate"
    talk.say("Under the seat.")
    assert talk.state.topics.submode == "main"
