"""Search over messages: words, speakers and what stands around."""

from __future__ import annotations

from holdfast import Holdfast
from holdfast.session import Session


def talk() -> Session:
    chat = Holdfast().session("s", user="Mia")
    chat.say("Hi Mia! I finally joined a pottery class.", agent="Leo")
    chat.hear("Cool, what did you make?")
    chat.say("A blue bowl for my sister.", agent="Leo")
    chat.hear("I was researching hikes in the Alps")
    return chat


def test_only_messages_with_words_of_the_query_are_found_and_other_forms_count() -> None:
    assert [hit.text for hit in talk().search("research")] == ["I was researching hikes in the Alps"]
    assert talk().search("volcano") == []


def test_with_around_the_answer_is_found_by_the_question_before_it() -> None:
    found = [hit.text for hit in talk().search("what did they make", around=True)]
    assert "A blue bowl for my sister." in found[:2]


def test_the_name_of_a_speaker_says_whose_words_are_looked_for() -> None:
    chat = talk()
    chat.hear("Leo, my sister likes bowls too")
    names = {"person": "Mia", "agent": "Leo"}
    first = chat.holdfast.search("Leo's sister", user="Mia", names=names)[0]
    assert (first.role, first.text) == ("agent", "A blue bowl for my sister.")
