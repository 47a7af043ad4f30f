"""What must not be eaten or taken is never lost, turned round or taken for past because of the words it is told in."""

from __future__ import annotations

import pytest

from holdfast import Holdfast

TOLD = [
    ("penicillin gives me a rash", "penicillin"),
    pytest.param(
        "strawberries give me hives", "strawberries", marks=pytest.mark.xfail(strict=True, reason="a request")
    ),
    ("ibuprofen gives me hives so that's out", "ibuprofen"),
    ("dairy makes me sick", "dairy"),
    ("I swell up if I eat shrimp", "shrimp"),
    ("las fresas me dan alergia", "fresas"),
    ("no tolero la lactosa", "lactosa"),
    ("el gluten me sienta fatal", "gluten"),
    ("арахис мне противопоказан", "арахис"),
    ("мне нельзя орехи", "орехи"),
]


@pytest.mark.parametrize(("said", "what"), TOLD)
def test_what_is_bad_for_one_is_told_with_every_message(said: str, what: str) -> None:
    chat = Holdfast(pack="general").session("s", user="u")
    chat.hear(said)
    chat.say("Thanks for telling me.")
    assert what in chat.hear("hmm, what a day").context


@pytest.mark.parametrize(
    ("known", "said"),
    [
        ("I'm vegan", "no longer vegan here"),
        ("soy vegana", "ya no soy vegana"),
        ("я веган", "я больше не веган"),
    ],
)
def test_a_way_of_eating_that_is_over_is_no_diet(known: str, said: str) -> None:
    hf = Holdfast(pack="general")
    hf.session("a", user="u").hear(known)
    chat = hf.session("b", user="u")
    chat.hear(said)
    assert [item for item in chat.memory.facts() if item.slot == "diet"] == []


def test_a_medicine_that_one_does_not_take_is_told_as_such() -> None:
    chat = Holdfast(pack="general").session("s", user="u")
    chat.hear("I don't take aspirin, it makes my stomach bleed")
    assert [item.value for item in chat.memory.facts() if item.slot == "medication"] == ["no aspirin"]


def test_a_question_about_an_ending_ends_nothing() -> None:
    chat = Holdfast().session("s", user="u")
    chat.hear("My dentist is on the 14th of May")
    chat.say("ok")
    chat.hear("so why did you scrap that")
    assert [fact.value for fact in chat.memory.facts()] == ["My dentist is on the 14th of May"]
