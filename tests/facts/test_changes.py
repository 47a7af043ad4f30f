"""What was said before changes however the change is worded, everywhere it is held, and never by small talk."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import chain

import pytest

from holdfast import Holdfast, Session
from holdfast.events import Event
from holdfast.faculties.facts.deciding import decided_in_words
from holdfast.faculties.facts.memos import CorrectionHeard
from holdfast.faculties.facts.relations import slot_kind
from holdfast.faculties.facts.writing import write
from holdfast.faculty import Draft
from holdfast.reading.asserting import Statement


def talk(*messages: str, pack: str = "general") -> Session:
    chat = Holdfast(pack=pack).session("s", user="u", project="p")
    for message in messages:
        if message.startswith("A: "):
            chat.say(message[3:])
        else:
            chat.hear(message)
    return chat


def values(chat: Session, slot: str) -> list[str]:
    memory = chat.memory
    items = [*memory.facts(), *memory.preferences(), *memory.decisions()]
    return [item.value for item in items if item.slot == slot and item.positive]


def test_a_corrected_address_is_the_same_in_the_slot_the_memory_and_the_context() -> None:
    chat = talk("my email is a@b.org", "no wait its c@d.org")
    assert values(chat, "email") == ["c@d.org"]
    assert chat.state.slots.values["email"].value == "c@d.org"
    assert "a@b.org" not in chat.hear("ok").context


@pytest.mark.parametrize(
    ("told", "put_right", "town"),
    [
        ("vivo en sevila", "*sevilla", "sevilla"),
        ("i live in barcelnoa", "*barcelona", "barcelona"),
        ("я живу в самраа", "*самара", "самара"),
    ],
)
def test_a_town_that_nobody_knows_gives_way_to_the_one_that_was_meant(told: str, put_right: str, town: str) -> None:
    assert [value.lower() for value in values(talk(told, put_right), "home")] == [town]


def test_a_decision_changes_with_a_tool_of_its_kind() -> None:
    chat = talk("We decided on PostgreSQL for the shop", "no, actually MySQL", pack="copilot_cli")
    assert [item.value.lower() for item in chat.memory.decisions()] == ["mysql"]


@pytest.mark.parametrize(
    "said", ["actually make it Saturday", "Saturday instead", "wait, Saturday is better", "change that to Saturday"]
)
def test_an_answered_day_changes_to_another_day(said: str) -> None:
    chat = talk("A: When?", "next Friday", said)
    assert [known.answer for known in chat.state.answers.kept] == ["Saturday"]


def test_an_answer_that_names_the_person_is_a_fact() -> None:
    assert values(talk("A: What is your name?", "Dana"), "name") == ["Dana"]


@pytest.mark.parametrize(("first", "then", "now"), [("my name is Sam", "sorry, it's Samuel not Sam", "Samuel"),
                                                   ("My name is Jon", "oops typo, John", "John")])  # fmt: skip
def test_a_name_is_put_right(first: str, then: str, now: str) -> None:
    chat = talk(first, then)
    assert values(chat, "name") == [now]
    assert chat.state.slots.values["name"].value == now


@pytest.mark.parametrize("said", ["no rush", "no onions", "no kidding", "no worries", "actually, great"])
def test_small_talk_overwrites_no_allergy(said: str) -> None:
    assert values(talk("I'm allergic to penicillin", said), "allergy") == ["penicillin"]


def test_an_allergy_is_told_with_every_message_and_in_the_prompt() -> None:
    chat = talk("I'm allergic to penicillin", "A: Noted.", "ok")
    assert "penicillin" in chat.hear("find me a pharmacy").prompt


def test_home_and_origin_keep_their_roles() -> None:
    chat = talk("я живу в Перми, но родом из Самары")
    assert chat.state.slots.values["location"].value.startswith("Перм")


def test_everything_is_forgotten_on_request() -> None:
    chat = talk("I'm Sam, I live in Oslo", "forget everything about me")
    assert not chat.memory.facts()
    assert not chat.state.slots.values


@pytest.mark.parametrize(("first", "then"), [("у меня аллергия на орехи", "забудь про аллергию")])
def test_what_is_named_by_its_attribute_is_forgotten(first: str, then: str) -> None:
    assert not values(talk(first, then), "allergy")


@pytest.mark.parametrize(
    ("first", "said", "slot", "kept"),
    [
        ("I'm allergic to peanuts", "no onions please", "allergy", "peanuts"),
        ("I'm allergic to kale", "no rush", "allergy", "kale"),
        ("I live in Boston", "no, cheaper", "home", "Boston"),
        ("I like jazz", "no, cheaper", "likes", "jazz"),
    ],
)
def test_what_is_no_value_of_its_kind_changes_nothing(first: str, said: str, slot: str, kept: str) -> None:
    assert values(talk(first, said), slot) == [kept]


@pytest.mark.parametrize(
    "said",
    [
        "make that nine people",
        "No, strike that, we leave on the 20th",
        "we stay till the end of March, and I like not working then",
        "una mesa, no dos",
        "нас не семеро, а девять",
    ],
)
def test_what_is_put_right_of_the_matter_at_hand_changes_nothing_that_is_known(said: str) -> None:
    told = ("I take Eliquis for my heart", "I have two dogs", "I go swimming twice a week")
    known, chat = talk(*told).memory.facts(), talk(*told, "A: A table for seven at noon?", said)
    assert {item.value for item in known} <= {item.value for item in chat.memory.facts()}


def test_what_is_put_right_of_the_matter_at_hand_is_told() -> None:
    chat = talk("I have two dogs", "A: A table for seven at noon.")
    heard = [event.new for event in chat.hear("make that nine people").events if isinstance(event, CorrectionHeard)]
    assert heard == ["nine people"]


@pytest.mark.parametrize(("first", "said"), [("работаю в Озоне", "больше не работаю в озоне"),
                                             ("trabajo en Telefónica", "ya no trabajo en Telefónica")])  # fmt: skip
def test_what_is_over_is_known_in_whatever_case(first: str, said: str) -> None:
    assert not values(talk(first, said), "employer")


def test_a_role_is_kept_whole_and_the_employer_beside_it() -> None:
    chat = talk("soy analista de datos en BBVA")
    assert (values(chat, "role"), values(chat, "employer")) == (["analista de datos"], ["BBVA"])


def test_a_number_that_stands_for_something_is_kept() -> None:
    assert ["48213" in item.value for item in talk("my order number is 48213").memory.facts()] == [True]


def test_decisions_that_share_nothing_stand_side_by_side() -> None:
    said = [
        Statement("decision", words, (0, 0), "test", (0, 0)) for words in ("three levels are enough", "-6 is better")
    ]
    chat = talk()
    chat.act(lambda draft: chain.from_iterable(decided_in_words(draft, one) for one in said))
    assert {item.value for item in chat.memory.decisions()} == {"three levels are enough", "-6 is better"}


def test_several_values_told_in_one_breath_stand_side_by_side() -> None:
    said = [Statement("role", words, (0, 0), "test", (0, 0)) for words in ("nurse", "treasurer")]
    chat = talk()

    def act(draft: Draft) -> Iterator[Event]:
        for one in said:
            yield from write(draft, one, slot_kind(draft.reading.reader, one.slot))

    chat.act(act)
    assert sorted(values(chat, "role")) == ["nurse", "treasurer"]


@pytest.mark.parametrize(
    ("asked", "first", "then", "now"),
    [
        ("What time?", "at 7", "wait, 8 suits me more", "8"),
        ("¿Qué día?", "el martes", "espera, el jueves mejor", "jueves"),
        ("На сколько человек?", "на четверых", "нет, лучше на шестерых", "шест"),
    ],
)
def test_an_answer_gives_way_to_another_of_its_type(asked: str, first: str, then: str, now: str) -> None:
    chat = talk(f"A: {asked}", first, then)
    (known,) = chat.state.answers.kept
    assert now in known.answer


def test_what_is_told_of_another_day_changes_no_answer() -> None:
    chat = talk("A: When?", "next Friday", "nice, my sister comes on Sunday")
    assert [known.answer for known in chat.state.answers.kept] == ["next Friday"]


@pytest.mark.parametrize(
    ("first", "then", "left"),
    [
        ("my budget is 400", "ok find a toaster for like 30 bucks", "400"),
        ("мой бюджет 4000", "найди тостер за 900 рублей", "4000"),
    ],
)
def test_what_is_asked_for_at_its_price_is_no_other_budget(first: str, then: str, left: str) -> None:
    assert values(talk(first, then), "budget") == [left]


def test_what_answers_a_question_about_another_takes_nothing_over() -> None:
    chat = talk("I'm a plumber", "A: Who is Deb?", "service writer. she pays us")
    assert values(chat, "role") == ["plumber"]
    assert [kept.answer for kept in chat.state.answers.kept] == ["service writer"]


def test_a_correction_leads_to_the_value_that_the_next_clause_gives() -> None:
    chat = talk("new intern starts on the 6th, Aoife", "no wait HR emailed, she starts the 13th")
    assert values(chat, "event") == ["new intern starts on the 13th, Aoife"]


@pytest.mark.parametrize(
    "said",
    [
        "A colleague, not me, truly not me, has been offered a job",
        "the Polish man says he would use Polars instead of pandas",
        "last week he chewed my fork, well not chewed but bit it",
    ],
)
def test_two_things_told_apart_correct_nothing(said: str) -> None:
    heard = talk("hi").hear(said).events
    assert not [event for event in heard if isinstance(event, CorrectionHeard)]
