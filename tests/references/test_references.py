"""What a message points at."""

from __future__ import annotations

import pytest

from holdfast import Holdfast
from holdfast.errors import InvalidInput
from holdfast.events import Entity, FacultyFailed
from holdfast.faculties.conversation import ConversationFaculty
from holdfast.faculties.questions.pending import QuestionsFaculty
from holdfast.faculties.references.faculty import DetailAsked, EntitiesMentioned, ReferencesFaculty
from holdfast.pack import Pack
from holdfast.reading.details import details
from holdfast.session import Session
from holdfast.turn import Turn
from tests.rows import every

PACK = Pack(
    name="venues",
    faculties=(
        ConversationFaculty(),
        QuestionsFaculty(),
        ReferencesFaculty(id_label="Place ID", id=r"ChI[A-Za-z0-9_-]+", kind="venue"),
    ),
)
LIST = (
    "1. **Osteria**, Italian, in Philadelphia, $$, 4.5/5. Place ID: ChIJa\n"
    "2. **Vedge**, vegan, in Boston, $$$, 4.8/5. Place ID: ChIJb\n"
    "3. **Zahav**, Israeli, in Philadelphia, $, 4.1/5. Place ID: ChIJc"
)


def chat(*replies: str) -> Session:
    session = Holdfast(pack=PACK).session("s")
    for reply in replies:
        session.say(reply)
    return session


def pointed(turn: Turn) -> list[str]:
    return [e.name for r in turn.references if r.status == "resolved" for e in r.entities]


@every(
    ("message", "names"),
    [
        ("tell me about the second place", ["Vedge"]),
        ("number three please", ["Zahav"]),
        ("#1", ["Osteria"]),
        ("the 2nd", ["Vedge"]),
        ("second to last", ["Vedge"]),
        ("what about the last one?", ["Zahav"]),
        ("the top one", ["Osteria"]),
        ("compare the first two", ["Osteria", "Vedge"]),
        ("first and third", ["Osteria", "Zahav"]),
        ("is the second cheaper than the first?", ["Vedge", "Osteria"]),
        ("all of them", ["Osteria", "Vedge", "Zahav"]),
        ("the cheapest one", ["Zahav"]),
        ("which one is the best rated?", ["Vedge"]),
        ("the one in Boston", ["Vedge"]),
        ("the Italian place", ["Osteria"]),
        ("let's do the vegan one", ["Vedge"]),
        ("tell me about vedge", ["Vedge"]),
        ("is Ostera any good?", ["Osteria"]),
        ("what about Vedge, that one looks nice", ["Vedge"]),
        ("not the first one, the second", ["Vedge"]),
        ("not Osteria, Vedge", ["Vedge"]),
        ("the other two", ["Osteria", "Vedge"]),
        ("what's the address?", ["Zahav"]),
        ("how much is it?", ["Zahav"]),
        ("do they have parking?", ["Osteria", "Vedge", "Zahav"]),
        ("I want to go there", ["Zahav"]),
        ("sounds great, book it", ["Zahav"]),
        ("el primero", ["Osteria"]),
        ("la segunda opción", ["Vedge"]),
        ("el más barato", ["Zahav"]),
        ("el de Boston", ["Vedge"]),
        ("¿cuál es la dirección?", ["Zahav"]),
        ("расскажи про второй вариант", ["Vedge"]),
        ("сравни первый и третий", ["Osteria", "Zahav"]),
        ("самый дешевый", ["Zahav"]),
        ("какой адрес?", ["Zahav"]),
        ("предпоследний", ["Vedge"]),
    ],
)
def test_words_that_point(message: str, names: list[str]) -> None:
    assert pointed(chat(LIST).hear(message)) == names


@every(
    "message",
    [
        "none of those",
        "neither",
        "not that one",
        "anything but the first",
        "the first two weeks in May",
        "I don't like any of them",
        "something else please",
        "the first time I went",
        "at first I wanted sushi",
        "first, find me a hotel",
        "one more thing",
        "one of my friends is coming",
        "wait a second",
        "is it possible to pay later?",
        "it's my birthday",
        "is this weekend ok?",
        "I think that we should eat",
        "book a table for 4 people on the 3rd",
        "the 7th",
        "any with outdoor seating?",
        "hello there",
        "thanks",
        "my first choice was sushi",
        "ninguno",
        "la primera vez",
        "esta noche",
        "ни один из них",
        "я в первый раз в городе",
        "это мой день рождения",
    ],
)
def test_words_that_only_look_like_pointing(message: str) -> None:
    turn = chat(LIST).hear(message)
    assert pointed(turn) == []
    assert "Refers to" not in turn.context


def test_what_stays_ambiguous_has_candidates_and_a_question() -> None:
    turn = chat(LIST).hear("the one in Philadelphia")
    (resolution,) = turn.references
    assert resolution.status == "ambiguous"
    assert [e.name for e in resolution.entities] == ["Osteria", "Zahav"]
    assert turn.question == "Which one do you mean: Osteria or Zahav?"
    assert "Refers to" not in turn.context


def test_the_answer_to_which_one_resolves() -> None:
    session = chat(LIST)
    question = session.hear("the one in Philadelphia").question
    session.say(question or "")
    assert pointed(session.hear("the second")) == ["Zahav"]
    session.say("Which one do you mean: Osteria or Zahav?")
    assert pointed(session.hear("Osteria")) == ["Osteria"]


def test_a_property_that_is_not_known_of_all_stays_open() -> None:
    session = chat("1. **Alpha** $$ Place ID: ChIJa\n2. **Beta** Place ID: ChIJb")
    turn = session.hear("the cheaper one")
    assert [r.status for r in turn.references] == ["ambiguous"]


def test_the_other_one_is_the_one_that_was_not_spoken_of() -> None:
    session = chat("1. **Alpha** Place ID: ChIJa\n2. **Beta** Place ID: ChIJb")
    assert pointed(session.hear("tell me about the first one")) == ["Alpha"]
    assert pointed(session.hear("and the other one?")) == ["Beta"]


def test_what_the_person_pointed_at_is_what_it_means_next() -> None:
    session = chat(LIST)
    session.hear("tell me about the first one")
    session.say("It is lovely, with a garden.")
    assert pointed(session.hear("how much does it cost?")) == ["Osteria"]


def test_a_reply_that_comes_back_to_one_makes_it_the_most_recent() -> None:
    session = chat("There are two: **Alpha** [ChIJa] and **Beta** [ChIJb]. I suggest Alpha.")
    assert pointed(session.hear("book that")) == ["Alpha"]


def test_a_number_that_answers_how_many_points_at_nothing() -> None:
    session = chat(LIST, "How many people?")
    assert pointed(session.hear("2")) == []


def test_an_earlier_list_can_be_pointed_into() -> None:
    session = chat(LIST, "1. **Gamma** Place ID: ChIJg\n2. **Delta** Place ID: ChIJd")
    assert pointed(session.hear("the first one")) == ["Gamma"]
    assert pointed(session.hear("the first one from the earlier list")) == ["Osteria"]


def test_a_repeated_id_is_one_entry_moved_to_the_end_with_its_facts() -> None:
    session = chat(LIST, "**Osteria** is open. Phone: 215-763-0920. Place ID: ChIJa")
    entities = session.state.references.entities
    assert [e.name for e in entities] == ["Vedge", "Zahav", "Osteria"]
    assert entities[-1].facts["price"] == "$$"
    assert entities[-1].facts["phone"] == "215-763-0920"


def test_an_agent_that_repeats_our_words_teaches_nothing_and_makes_no_list() -> None:
    session = chat(LIST, "1. **Gamma** Place ID: ChIJg\n2. **Delta** Place ID: ChIJd")
    told = session.hear("hello").context
    before = session.state.references
    echoed = told.removeprefix("[CONTEXT: ").removesuffix("]")
    reply = session.say(f"I see: {echoed}. How can I help?")
    assert [e.fresh for e in reply.events if isinstance(e, EntitiesMentioned)] == [0]
    after = session.state.references
    assert after.lists == before.lists
    assert {e.id for e in after.entities} == {e.id for e in before.entities}
    session.say(f"{told} Hello.")
    assert session.state.references.lists == before.lists


def test_entities_can_be_attached_in_any_form() -> None:
    session = Holdfast(pack=PACK).session("s")
    session.say(
        "Two things.",
        entities=[Entity("Alpha", "ChIJa"), {"name": "Beta", "place_id": "ChIJb", "location": "Boston", "price": "$"}],
    )
    alpha, beta = session.state.references.entities
    assert (alpha.name, alpha.id, alpha.kind) == ("Alpha", "ChIJa", "venue")
    assert (beta.id, beta.facts) == ("ChIJb", {"price": "$", "place": "Boston"})
    assert pointed(session.hear("the one in Boston")) == ["Beta"]
    reply = session.say("Bad.", entities=[{"id": "x"}])
    assert any("a dict with a name" in e.error for e in reply.events if isinstance(e, FacultyFailed))


def test_definite_nouns_find_the_thing_of_their_kind_and_the_way_between() -> None:
    session = Holdfast(pack=PACK).session("s")
    session.say("Booked.", entities=[{"name": "Acorn", "kind": "hotel"}])
    session.say("Booked.", entities=[{"name": "Curry Garden", "kind": "restaurant"}])
    turn = session.hear("I need a taxi from my hotel to the restaurant")
    assert [(r.entities[0].name, r.role) for r in turn.references] == [("Acorn", "from"), ("Curry Garden", "to")]


@every(
    ("message", "detail"),
    [
        ("What's the address?", "where"),
        ("Yes please. How much is it per night?", "cost"),
        ("can I get their phone number", "contact"),
        ("what time do they open?", "when"),
        ("Yes, that is right. How long will it take.", "when"),
        ("Okay. It is good.", None),
        ("Does the flight land the next day?", "other"),
        ("does it have wifi?", "other"),
        ("Can you find me another hotel?", None),
        ("My address is 5 Main Street", None),
        ("¿cuánto cuesta?", "cost"),
        ("где это находится?", "where"),
    ],
)
def test_the_detail_that_is_asked_for(message: str, detail: str | None) -> None:
    asked = [e.detail for e in chat(LIST).hear(message).events if isinstance(e, DetailAsked)]
    assert asked == ([detail] if detail else [])


def test_asking_which_is_fine_while_nothing_is_resolved() -> None:
    session = chat(LIST)
    session.hear("hm, let me think")
    assert session.say("Which one would you like?").allowed


def test_the_log_replays_to_the_same_state_and_all_of_it_is_bounded() -> None:
    session = chat()
    for n in range(30):
        session.say("\n".join(f"{k}. **Venue {n} {k}** Place ID: ChIJ{n}_{k}" for k in range(1, 30)))
        session.hear(("the first one", "both", "the cheaper one", "Venue 3 2", "it")[n % 5])
    state = session.state
    assert session.at(state.version).references == state.references
    assert len(state.references.entities) == 5
    assert len(state.references.lists) == 3
    assert all(len(listing.entities) <= 20 for listing in state.references.lists)
    assert len(state.references.focus) <= 12


def test_clearing_takes_a_name_and_an_index() -> None:
    session = chat(LIST)
    with pytest.raises(InvalidInput):
        session.clear("entity", -1)
    session.clear("entity", 0)
    assert [e.name for e in session.state.references.entities] == ["Vedge", "Zahav"]
    assert pointed(session.hear("Osteria")) == []


@pytest.mark.parametrize(
    "message",
    ["the first. Actually no, the second one", "первый, ой, нет, второй", "el primero, digo, el segundo"],
)
def test_of_two_that_are_named_in_one_breath_the_one_that_was_taken_back_is_not_meant(message: str) -> None:
    assert pointed(chat(LIST).hear(message)) == ["Vedge"]


def test_an_option_that_is_chosen_is_nothing_that_was_mentioned_before() -> None:
    session = chat(LIST, "Inside or outside?")
    turn = session.hear("the former")
    assert turn.state.questions.answer.value == "Inside"
    assert pointed(turn) == []


def test_several_options_that_are_chosen_are_all_referred_to() -> None:
    session = chat("1. **Osteria** 2. **Vedge** 3. **Zahav**. Which ones do you like?")
    assert pointed(session.hear("the first two")) == ["Osteria", "Vedge"]


@pytest.mark.parametrize(
    "message",
    [
        "how is it different from the first one?",
        "а чем он отличается от первого?",
        "¿en qué se diferencia eso del primero?",
    ],
)
def test_what_is_compared_is_both_and_the_talk_stays_with_the_one(message: str) -> None:
    session = chat(LIST)
    session.hear("number 2")
    assert sorted(pointed(session.hear(message))) == ["Osteria", "Vedge"]
    session.say("It is vegan.")
    assert pointed(session.hear("ok, I'll take it")) == ["Vedge"]


def test_which_of_two_may_be_asked_and_which_one_when_it_is_known_may_not() -> None:
    chat = Holdfast().session("s")
    chat.say("1. **BritMove** 2. **EasyVan**. Which one?")
    chat.hear("compare the first and the second")
    assert chat.check("Which one do you mean?").allowed
    chat.hear("the second")
    assert [v.rule for v in chat.check("Which one do you mean?").violations] == ["references.known"]


GIFTS = "Some ideas:\n1. Fly-fishing rod set – €75\n2. Waterproof tackle bag – €49\n3. Personalised lure box – €35"
DISHES = "You could make:\n1. Chicken fried rice\n2. Stuffed peppers\n3. Rice with beans\nWhich one sounds good?"
STEPS = (
    "Let's check:\n1. Restart the computer\n2. Open the task manager\n3. Remove the update\nDid you restart already?"
)


@pytest.mark.parametrize(
    ("said", "heard", "meant"),
    [
        (GIFTS, "tell me more about the second one", ["Waterproof tackle bag"]),
        (GIFTS, "the tackle bag please", ["Waterproof tackle bag"]),
        (DISHES, "the last one", ["Rice with beans"]),
        (DISHES, "what about the peppers?", ["Stuffed peppers"]),
        (DISHES, "I have only chicken stock", []),
        (DISHES, "my wife is joining, she's vegetarian", []),
        (STEPS, "the second one", ["Open the task manager"]),  # counted, it is one of them
        (STEPS, "I removed the old printer", []),
        (
            "Hay varias:\n1. Tortilla de patatas\n2. Arroz con pollo\n¿Cuál prefieres?",
            "la segunda",
            ["Arroz con pollo"],
        ),
        ("Есть время:\n1) вторник 10:00\n2) среда 15:30\nКакое вам удобно?", "второе", ["среда 15:30"]),
    ],
)
def test_things_to_choose_from_are_things_however_they_are_written(said: str, heard: str, meant: list[str]) -> None:
    chat = Holdfast().session("s")
    chat.say(said)
    found = [e.name for r in chat.hear(heard).references if r.status == "resolved" for e in r.entities]
    assert found == meant


@pytest.mark.parametrize(
    ("heard", "meant"),
    [
        ("the one with the pool sounds good, does it have parking?", "Alameda House"),
        ("the terrace one looks nice", "Roman Inn"),
        ("I like the pool", "Alameda House"),
        ("el de la piscina suena bien", "Casa Alameda"),
        ("la de la terraza parece cara", "Posada Roma"),
        ("el que tiene piscina me gusta", "Casa Alameda"),
        ("тот, что с бассейном, подходит", "Дом Аламеда"),
        ("тот, где терраса, дорогой", "Рим"),
    ],
)
def test_what_is_said_of_a_described_thing_is_no_part_of_its_description(heard: str, meant: str) -> None:
    chat = Holdfast().session("s")
    if heard.isascii() and not heard.startswith(("el ", "la ")):
        chat.say("1. **Hotel Simon**, €98, centre\n2. **Alameda House**, €115, pool\n3. **Roman Inn**, €140, terrace")
    elif heard.isascii():
        chat.say("1. **Hotel Simón**, 98 €\n2. **Casa Alameda**, 115 €, piscina\n3. **Posada Roma**, 140 €, terraza")
    else:
        chat.say("1. **Отель Симон**, 98 €\n2. **Дом Аламеда**, 115 €, бассейн\n3. **Рим**, 140 €, терраса")
    found = chat.hear(heard).references
    assert [(r.status, [e.name for e in r.entities]) for r in found] == [("resolved", [meant])]


@pytest.mark.parametrize(
    ("message", "asked"),
    [
        ("can you get me the hall's location?", "where"),
        ("when did that album come out?", "other"),
        ("perfect, go ahead and book it then", None),
        ("could you find me another one in Boston?", None),
    ],
)
def test_the_detail_that_is_asked_for_is_told_by_what_was_learned(message: str, asked: str | None) -> None:
    found, _ = details(PACK.reader.read(message), "I found a concert of the Blue Line for you.")
    assert [detail.label for detail in found[:1]] == ([asked] if asked else [])


@pytest.mark.parametrize(
    ("said", "pointer", "meant"),
    [
        ("I'd suggest a day at the spa, a good blanket or an e-reader.", "the second one", "good blanket"),
        ("Можно подарить сертификат, хороший плед или электронную книгу.", "второе", "хороший плед"),
        ("Te puedo poner una manzanilla, un poleo o un té verde", "el poleo", "poleo"),
        ("1. a cookbook 2. garden gloves 3. a lamp", "the second one please", "garden gloves"),
        ("Found three PDFs: owner's manual, troubleshooting, wiring.", "wiring duh", "wiring"),
        ("Pot roast, smoked chicken, mushroom risotto, trout.", "chicken sounds alright", "smoked chicken"),
        ("Сельдь, яблоко, лук, яйцо, булка.", "лук уберите", "лук"),
        ("Есть в 21:40, плацкарт 1650 ₽, купе 2900 ₽.", "плацкарт, нижняя", "плацкарт"),
        ("Boston Pizza South, Cilantro & Chive, Montana's.", "BP please", "Boston Pizza South"),
        ("Queda SQLite.", "eso", "SQLite"),
        ("1. «Берёзка», 1 300 ₽\n2. «Уют», 1 200 ₽", "В «Уюте» поминки справляют", "Уют"),
        ("1. Dr. Patel, Elkhart\n2. Urgent Care, today", "the first one", "Dr. Patel"),
    ],
)
def test_ordinary_things_named_side_by_side_can_be_picked(said: str, pointer: str, meant: str) -> None:
    chat = Holdfast().session("s")
    chat.say(said)
    (found,) = chat.hear(pointer).references
    assert [entity.name for entity in found.entities] == [meant]


def test_of_choices_named_in_passing_nothing_is_told_until_one_is_picked() -> None:
    chat = Holdfast().session("s")
    chat.say("You can pay by card or in cash.")
    assert chat.hear("ok thanks").context == ""


@pytest.mark.parametrize(
    ("said", "heard", "meant"),
    [
        ("Hello Gregor. How was curling?", "It was fine. What's the weather like?", []),
        ("I'd suggest Zahav.", "book it", ["Zahav"]),
        ("I'd suggest Zahav.", "her mother never liked it when they came late", []),
        ("1. Osteria\n2. Vedge", "do they have parking?", ["Osteria", "Vedge"]),
        ("Понял, продаёте дачу под Вязьмой.", "мама там родилась", []),
        ("Quedan Costa Brisa y Parque da Ribeira.", "cual esta mas cerca de la playa", []),
        (
            "Opciones:\n1. Refactorizar el servicio\n2. Añadir una caché",
            "vamos con la primera",
            ["Refactorizar el servicio"],
        ),
    ],
)
def test_a_pronoun_needs_a_thing_it_can_be_said_of(said: str, heard: str, meant: list[str]) -> None:
    for pack in ("general", "copilot_cli"):
        chat = Holdfast(pack=pack).session("s")
        chat.say(said)
        found = [e.name for r in chat.hear(heard).references if r.status == "resolved" for e in r.entities]
        assert found == meant
