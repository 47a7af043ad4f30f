"""What people say in their first minute: several things in one breath, whose a name is, what a number is of, and what
is over or put right a moment later."""

from __future__ import annotations

import pytest

from holdfast import Holdfast, Session


def told(*said: str) -> Session:
    """A conversation; what begins with "S:" is said by the agent."""
    chat = Holdfast(pack="general", reader="linear").session("s", user="u")
    for text in said:
        if text.startswith("S: "):
            chat.say(text[3:])
        else:
            chat.hear(text)
    return chat


def known(chat: Session) -> dict[str, str]:
    return {item.slot: item.value for item in (*chat.memory.facts(), *chat.memory.preferences())}


@pytest.mark.parametrize(
    ("said", "facts"),
    [
        (
            "hey im Wes, i live in york and work at Brightmoor",
            {"name": "Wes", "home": "york", "employer": "Brightmoor"},
        ),
        ("hola soy Nuria, vivo en Cuenca y trabajo en Telvira", {"home": "Cuenca", "employer": "Telvira"}),
        ("привет, я Лида, живу в Омске, работаю в Сибтехе", {"home": "Омск", "employer": "Сибтех"}),
    ],
)
def test_each_thing_of_an_introduction_is_known(said: str, facts: dict[str, str]) -> None:
    held = known(told(said))
    assert {slot: held.get(slot, "")[: len(value)] for slot, value in facts.items()} == facts


@pytest.mark.parametrize(
    "said",
    ["my doctor is Dr Adeyemi, at Kiln Street", "i've a dog called Rolo", "la veterinaria se llama Inés Roldán"],
)
def test_the_name_of_another_is_not_the_speakers(said: str) -> None:
    chat = told(said)
    assert chat.memory.facts()
    assert "name" not in known(chat)


@pytest.mark.parametrize(
    "said", ["my account number is 30188274", "mi número de póliza es 5521908", "номер договора 7740 1182 90"]
)
def test_a_number_that_is_named_is_no_telephone(said: str) -> None:
    assert set(known(told(said))) == {"number"}


@pytest.mark.parametrize(
    ("question", "said", "slot"),
    [
        ("¿Cómo te llamas?", "evaristo", "name"),
        ("¿Dónde vives?", "en Cuenca", "home"),
        ("Где вы живёте?", "в Самаре", "home"),
        ("¿A qué te dedicas?", "enfermera", "role"),
    ],
)
def test_a_question_in_the_second_person_names_what_it_asks_for(question: str, said: str, slot: str) -> None:
    assert slot in known(told(f"S: {question}", said))


@pytest.mark.parametrize(
    ("first", "then", "kept"),
    [
        ("haircut on tuesday at 5", "oops i meant friday", "haircut on friday at 5"),
        ("el examen es el 3 de junio", "perdón, es el 5 de junio", "el examen es el 5 de junio"),
        ("экзамен в среду", "ой нет, в пятницу", "экзамен в пятницу"),
    ],
)
def test_a_date_put_right_leaves_what_it_is_the_date_of(first: str, then: str, kept: str) -> None:
    assert known(told(first, "S: Noted.", then)).get("event") == kept


@pytest.mark.parametrize(
    ("first", "then"),
    [
        ("voy a natación los martes", "lo de natación ya no va"),
        ("estudio filología", "eso de que estudio filología ya no es verdad"),
    ],
)
def test_what_only_says_that_something_is_over_is_not_kept_itself(first: str, then: str) -> None:
    assert known(told(first, "S: Vale.", then)) == {}


@pytest.mark.parametrize(
    ("first", "then"),
    [
        ("i'm 52", "please dont store my age"),
        ("мне 33 года", "не сохраняй мой возраст"),
        ("mi dirección es calle Sol 12", "mejor bórrala, no quiero que guardes mi dirección"),
        ("comenta siempre cada función", "quita esa regla"),
    ],
)
def test_what_is_not_to_be_kept_is_gone(first: str, then: str) -> None:
    chat = told(first)
    assert known(chat)
    chat.say("ok")
    chat.hear(then)
    assert known(chat) == {}


@pytest.mark.parametrize(
    ("first", "then"),
    [
        ("i'm 52", "dont forget my age"),
        ("my email is a@b.org", "don't share my email with anyone"),
        ("мой день рождения 5 мая", "не забудь мой день рождения"),
        ("mi cumpleaños es el 5 de mayo", "no olvides mi cumpleaños"),
    ],
)
def test_what_is_not_to_be_forgotten_or_passed_on_is_kept(first: str, then: str) -> None:
    chat = told(first)
    before = known(chat)
    chat.say("ok")
    chat.hear(then)
    assert before.items() <= known(chat).items()


@pytest.mark.parametrize(
    ("said", "theirs"),
    [
        ("bruno is allergic to cashews", "bruno"),
        ("у димы аллергия на орехи", "димы"),
        ("nahuel es celiaco", "nahuel"),
    ],
)
def test_what_is_told_of_somebody_by_name_is_theirs(said: str, theirs: str) -> None:
    (fact,) = told(said).memory.facts()
    assert fact.slot == "friend"
    assert theirs in fact.value


def test_a_clause_that_points_at_what_stands_before_it_is_kept_with_it() -> None:
    chat = told("the pricing worker only has a health endpoint, thats on 9107")
    assert any("pricing" in fact.value and "9107" in fact.value for fact in chat.memory.facts())


def test_an_animal_with_its_name_is_one_animal_and_goes_as_one() -> None:
    chat = told("we have a rabbit called Clover")
    assert len(chat.memory.facts()) == 1
    chat.hear("the rabbit died last week")
    assert chat.memory.facts() == []


def test_a_new_job_is_known_beside_the_day_it_begins() -> None:
    held = known(told("i work at Fenwick", "got a new job!! starting at Oakley on monday"))
    assert held["employer"] == "Oakley"
    assert "monday" in held["event"]


def test_another_tool_said_alone_changes_what_was_decided() -> None:
    chat = told("we'll use redis for the queue", "S: Redis for the queue, fine.", "actually rabbitmq")
    assert [item.value.lower() for item in chat.memory.decisions()] == ["rabbitmq"]


def test_a_rule_with_a_condition_is_a_rule() -> None:
    assert told("please dont write comments in the code unless i ask").memory.preferences()


@pytest.mark.parametrize(
    ("said", "facts"),
    [
        ("buenas, tengo dos hijas", {"family": "dos hijas"}),
        ("we have four cats", {"pet": "four cats"}),
        ("у меня трое сыновей", {"family": "трое сыновей"}),
        ("i have 2 sisters", {"family": "2 sisters"}),
        ("у нас трое детей", {"family": "трое детей"}),
        ("Добрый вечер. Тимур, Самара, логист в Вектре, двое детей.", {"name": "Тимур", "employer": "Вектре"}),
        ("vivo en Villarrubia del Cerro", {"home": "Villarrubia del Cerro"}),
        ("i live in Cardiff since 2016", {"home": "Cardiff"}),
        ("i'm on the refunds team at Nordwick", {"team": "refunds team", "employer": "Nordwick"}),
        ("Преподаю физику в школе", {"role": "Преподаю физику"}),
        ("Марат, Казань, сварщик, двое детей", {"home": "Казань", "role": "сварщик", "family": "двое детей"}),
        ("Ewan here, plumber by trade, based in Dundee with 2 kids", {"home": "Dundee", "family": "2 kids"}),
    ],
)
def test_what_is_found_goes_under_what_it_is_a_value_of(said: str, facts: dict[str, str]) -> None:
    held = known(told(said))
    assert {slot: held.get(slot) for slot in facts} == facts


@pytest.mark.parametrize("said", ["vivo al lado del parque", "i live near the canal", "живу рядом с рынком"])
def test_what_is_no_name_is_nobodys_home(said: str) -> None:
    held = known(told(said))
    assert held
    assert "home" not in held


def test_a_time_is_nobodys_employer() -> None:
    held = known(told("i finish work at 7:15"))
    assert held
    assert "employer" not in held


@pytest.mark.parametrize(
    ("first", "then", "slot", "value"),
    [
        ("i work at Lidl", "left Lidl, im at Brindle now", "employer", "Brindle"),
        ("у меня солярис", "продал солярис, взял черри тигго", "vehicle", "черри тигго"),
    ],
)
def test_what_stands_beside_something_that_is_over_takes_its_place(
    first: str, then: str, slot: str, value: str
) -> None:
    assert known(told(first, then)) == {slot: value}


def test_one_thing_liked_and_another_not_are_two() -> None:
    chat = told("me encanta la cumbia y odio el trap")
    assert {(item.value, item.positive) for item in chat.memory.facts()} == {("cumbia", True), ("trap", False)}


@pytest.mark.parametrize(
    ("said", "kept"),
    [
        ("i've got a weak ankle so no long hikes", "ankle"),
        ("i have asthma so no incense please", "asthma"),
        ("tengo la espalda mal asi que no cargo cajas", "espalda"),
    ],
)
def test_what_follows_from_a_state_of_health_takes_none_of_it_back(said: str, kept: str) -> None:
    assert kept in " ".join(item.value for item in told(said).memory.facts() if item.slot == "health")


def test_a_sentence_without_its_apostrophe_asks_nothing() -> None:
    assert "ava" in [item.value for item in told("were using ava for the tests").memory.preferences()]
    assert not told("are we using ava for the tests").memory.preferences()
