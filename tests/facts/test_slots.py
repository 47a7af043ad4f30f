"""Slots hold until they change, keep what was, and leave doubt open."""

from __future__ import annotations

import pytest

from holdfast import Holdfast, Pack, Session
from holdfast.errors import InvalidInput, UnknownItem
from holdfast.faculties.conversation import ConversationFaculty
from holdfast.faculties.facts.slots import Slot, SlotsFaculty, put, restore
from holdfast.faculties.facts.slots.readers import (
    asked_place,
    email,
    number_answer,
    party,
    person,
    place,
    place_answer,
    stop,
)
from holdfast.faculties.questions.pending import QuestionsFaculty

TRIP = Pack(
    "trip",
    (
        ConversationFaculty(),
        QuestionsFaculty(),
        SlotsFaculty(
            Slot("name", "Name", person, asked="name"),
            Slot("email", "Email", email, asked="email"),
            Slot("from", "From", stop("from"), asked="from", answer=place_answer, meets=asked_place("from")),
            Slot("to", "To", stop("to"), asked="to", meets=asked_place("to")),
            Slot("hotel_in", "Hotel in", place("in", "near"), asked="where", answer=place_answer, doubt=True),
            Slot("people", "People", party, asked="how_many", answer=number_answer),
        ),
    ),
)


def chat(*messages: str) -> Session:
    session = Holdfast(pack=TRIP).session("s")
    for message in messages:
        if message.startswith("agent:"):
            session.say(message.removeprefix("agent:").strip())
        else:
            session.hear(message)
    return session


def held(session: Session) -> dict[str, str]:
    return {name: value.value for name, value in session.state.slots.values.items()}


def test_roles_are_kept_apart() -> None:
    session = chat("a bus from Boston to Austin", "a hotel in Dallas")
    assert held(session) == {"from": "Boston", "to": "Austin", "hotel_in": "Dallas"}


def test_a_reply_takes_the_role_of_its_question_however_long_it_is() -> None:
    session = chat("I need a bus", "agent: Where are you leaving from?", "Boston, and we are four people in all")
    assert held(session) == {"from": "Boston", "people": "4"}
    assert held(chat("agent: Where are you going?", "Austin")) == {"to": "Austin"}


def test_there_takes_a_place_over() -> None:
    assert held(chat("a hotel in Dallas", "and a flight there")) == {"hotel_in": "Dallas", "to": "Dallas"}
    assert "to" not in held(chat("a hotel in Dallas", "is there parking?"))


def test_a_change_supersedes_and_the_value_before_can_come_back() -> None:
    session = chat("a hotel in Dallas", "a hotel in Austin instead")
    assert held(session)["hotel_in"] == "Austin"
    assert [value.value for value in session.state.slots.past["hotel_in"]] == ["Dallas"]
    session.act(restore("hotel_in"))
    assert held(session)["hotel_in"] == "Dallas"


def test_the_past_of_a_slot_is_bounded() -> None:
    session = chat(*(f"a hotel in {city}" for city in ("Dallas", "Austin", "Boston", "Denver", "Miami", "Chicago")))
    assert [value.value for value in session.state.slots.past["hotel_in"]] == ["Boston", "Denver", "Miami"]


def test_a_clear_can_be_undone_and_nothing_to_undo_is_an_error() -> None:
    session = chat("I'm Ana, ana@example.com", "a hotel in Dallas")
    before = held(session)
    session.clear("hotel_in")
    assert "hotel_in" not in held(session)
    session.act(restore("hotel_in"))
    session.clear()
    assert held(session) == {}
    session.act(restore())
    assert held(session) == before
    with pytest.raises(UnknownItem):
        session.act(restore("people"))


@pytest.mark.parametrize(
    "message",
    [
        "a hotel in Austin, not Dallas",
        "not Dallas, a hotel in Austin",
        "a hotel in Dallas, no wait, in Austin",
        "a hotel in Austin instead of in Dallas",
        "a hotel in Austin rather than in Dallas",
        "forget Dallas, a hotel in Austin",
        "change it from Dallas to a hotel in Austin",
    ],
)
def test_a_correction_in_any_form_takes_the_value_that_is_meant(message: str) -> None:
    session = chat(message)
    assert held(session)["hotel_in"] == "Austin"
    assert not session.state.slots.values["hotel_in"].ambiguous


def test_a_correction_that_names_what_a_slot_holds_sets_that_slot() -> None:
    assert held(chat("I'm Ana", "not Ana, Hannah"))["name"] == "Hannah"


def test_two_values_leave_a_doubt_with_its_question_and_the_answer_settles_it() -> None:
    session = chat("agent: Hello")
    turn = session.hear("a hotel in Dallas or in Austin")
    assert turn.question == "Dallas or Austin?"
    assert [line.what for line in turn.receipt.did("doubted")] == ["hotel in: Dallas or Austin?"]
    assert session.check("In which city, Dallas or Austin?").allowed  # what is open may be asked
    session.say("Dallas or Austin?")
    session.hear("Dallas")
    assert held(session)["hotel_in"] == "Dallas"
    assert not session.check("In which city?").allowed


def test_what_an_agent_or_a_tool_sets_does_not_replace_what_the_person_said() -> None:
    session = chat("a hotel in Dallas")
    done = session.act(put("hotel_in", "Boston", source="agent"))
    assert held(session)["hotel_in"] == "Dallas"
    assert done.receipt.did("refused")
    session.act(put("people", "3", source="tool"))
    session.act(put("people", "4", source="agent"))
    session.act(put("people", "5"))
    session.act(put("people", "6", source="tool"))
    assert held(session)["people"] == "5"
    with pytest.raises(InvalidInput):
        session.act(put("people", " "))


def test_what_an_agent_says_is_taken_only_with_a_yes() -> None:
    session = chat("agent: We have many hotels in Boston.", "thanks, that is good to know")
    assert held(session) == {}
    session = chat("agent: Shall I look for a hotel in Boston?", "yes please")
    assert held(session) == {"hotel_in": "Boston"}
    assert held(chat("agent: Shall I look for a hotel in Boston?", "no, thanks")) == {}


def test_a_receipt_says_rule_and_words() -> None:
    turn = chat().hear("a hotel in Philly")
    (line,) = turn.receipt.did("learned")
    assert (line.what, line.words, line.rule) == ("hotel in: Philly (Philadelphia)", "Philly", "places.gazetteer")


def test_slots_of_a_topic_step_aside_and_come_back() -> None:
    session = Holdfast(pack="vibehuntr").session("s")
    session.hear("thai food in boston with parking")
    session.hear("museums with wifi")
    assert session.face.context()["constraints"] == ["wifi"]
    assert session.face.context()["location"] == "boston"
    session.hear("back to thai food")
    assert session.face.context()["constraints"] == ["parking"]
    session.hear("museums")
    assert session.face.context()["constraints"] == ["wifi"]


def test_a_constraint_that_is_taken_back_goes() -> None:
    session = Holdfast(pack="vibehuntr").session("s")
    session.hear("thai with parking and wifi")
    session.hear("I don't need parking")
    assert session.face.context()["constraints"] == ["wifi"]
    session.hear("no wifi needed")
    assert session.face.context()["constraints"] == []


def test_every_state_can_be_replayed_from_its_log() -> None:
    engine = Holdfast(pack="vibehuntr")
    session = engine.session("s")
    for message in ("cheap thai in boston", "museums", "in dallas or austin", "thai again", "I'm Ana"):
        session.hear(message)
        session.say("Shall I look in Boston?")
    session.clear("location")
    session.act(restore())
    assert session.at(session.state.version).session == session.state.session


@pytest.mark.parametrize(
    "said",
    [
        "My sister lives in Denver",
        "my boss is from Chicago",
        "I was in Boston last year",
        "we went to Miami once",
        "мой брат живет в Москве",
        "mi hermana vive en Madrid",
    ],
)
def test_a_place_that_is_only_told_of_does_not_move_the_search(said: str) -> None:
    chat = Holdfast(pack="vibehuntr").session("s")
    chat.hear("pizza in philly")
    chat.hear(said)
    assert chat.state.slots.get("location") == "philly"


def test_a_wish_of_somebody_else_still_moves_the_search() -> None:
    chat = Holdfast(pack="vibehuntr").session("s")
    chat.hear("pizza in philly")
    chat.hear("my wife wants sushi in Seattle")
    assert chat.state.slots.get("location") == "seattle"


@pytest.mark.parametrize(
    ("said", "people"),
    [
        ("for five", "5"),
        ("for five instead", "5"),
        ("make it six, please", "6"),
        ("para cinco", "5"),
        ("for dinner", "4"),
    ],
)
def test_a_booking_is_recounted_in_a_few_words(said: str, people: str) -> None:
    chat = Holdfast(pack="vibehuntr").session("s")
    chat.hear("book a table for four tomorrow at 8")
    chat.say("Booked for 4 people tomorrow at 8.")
    chat.hear(said)
    assert chat.state.slots.get("event_party_size") == people


@pytest.mark.parametrize(
    ("said", "place"),
    [
        ("I'm from Leeds", "Leeds"),
        ("I'm Tom, 34, from Leeds", "Leeds"),
        ("This is Kim calling from Denver", "Denver"),
        ("we're based in Austin", "Austin"),
        ("Меня зовут Олег, я из Казани", "Казани"),
        ("I'm back from Paris", None),
        ("I got a letter from Boston", None),
        ("I'm from the sales team", None),
    ],
)
def test_where_people_say_to_be_from_is_where_they_are(said: str, place: str | None) -> None:
    assert Holdfast().session("s").hear(said).state.slots.get("location") == place


@pytest.mark.parametrize(
    ("reply", "place"),
    [("Portland will be fine", "Portland"), ("Boston Common", "Boston Common"), ("Paris, Texas", "Paris, Texas")],
)
def test_of_a_reply_to_where_the_place_is_kept_whole_and_alone(reply: str, place: str) -> None:
    chat = Holdfast().session("s")
    chat.say("Where are you?")
    assert chat.hear(reply).state.slots.get("location") == place
