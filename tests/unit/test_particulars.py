"""The particulars of a request, and when they change."""

from __future__ import annotations

import pytest

from holdfast import Holdfast
from holdfast.faculties.conversation import ConversationFaculty
from holdfast.faculties.particulars import Particulars, ParticularsFaculty, changes
from holdfast.pack import Pack
from holdfast.session import Session

PACK = Pack("talk", (ConversationFaculty(), ParticularsFaculty()))


def changed(*said: str) -> list[tuple[str, str | None, str]]:
    chat = Holdfast(pack=PACK).session("s")
    for text in said[:-1]:
        (chat.say if text.startswith("> ") else chat.hear)(text.removeprefix("> "))
    return [(event.kind, event.old, event.given.value) for event in changes(chat.hear(said[-1]).events)]


@pytest.mark.parametrize(
    ("said", "expected"),
    [
        (("A table for two at 7 pm", "Actually, make it 8 pm"), [("time", "7 pm", "8 pm")]),
        (("A train on Monday", "> None.", "How about Tuesday?"), [("date", "Monday", "Tuesday")]),
        (("I need 3 tickets for the bus", "No, only 2 tickets"), [("people", "3", "2")]),
        (("Buses from Fresno to Oakland", "Leave from San Jose instead"), [("from", "Fresno", "San Jose")]),
        (("Any Italian restaurants?", "What about Thai food?"), [("cuisine", "Italian", "Thai")]),
        (("Столик на двоих в 19:00", "Нет, лучше в 20:00"), [("time", "19:00", "20:00")]),
        (("Una mesa para dos el lunes", "Mejor el martes"), [("date", "lunes", "martes")]),
    ],
)
def test_another_value_for_the_same_thing_is_a_change(
    said: tuple[str, ...], expected: list[tuple[str, str | None, str]]
) -> None:
    assert changed(*said) == expected


@pytest.mark.parametrize(
    "said",
    [
        ("A table for two", "At 7 pm please"),
        ("A table at 7 pm", "Yes, 7 pm is fine"),
        ("A table at 7 pm on Friday", "What is the weather on Saturday?"),
        ("I leave on March 5th", "> March 5th, correct?", "Yes, the 5th"),
        ("Two rooms for three nights", "Thanks, that's all"),
        ("Flights on Monday", "> Which day is the return flight?", "Friday"),
        ("I want it at half past 7", "yes, 7:30"),
    ],
)
def test_first_values_repeated_values_and_other_business_change_nothing(said: tuple[str, ...]) -> None:
    assert changed(*said) == []


def test_an_agents_confirmation_can_be_corrected() -> None:
    told = ("Book it", "> Please confirm: 2 tickets for March 3rd. Is that correct?", "No, I need 4 tickets")
    assert changed(*told) == [("people", "2", "4")]


def test_the_particulars_stay_bounded() -> None:
    chat: Session = Holdfast(pack=PACK).session("s")
    for number in range(300):
        chat.hear(f"A train from Town{number} to Place{number} at {number % 12 + 1} pm on Monday")
    held: Particulars = chat.state.particulars
    assert len(held.values) <= 60


@pytest.mark.parametrize(
    ("said", "expected"),
    [
        (
            ("2 tickets for the bus from Reno to Tahoe", "Let's take 4 people from Elko to Boise"),
            [("people", "2", "4"), ("from", "Reno", "Elko"), ("to", "Tahoe", "Boise")],
        ),
        (
            ("Weather in Dallas on May 3rd", "How about in Marlow on May 5th?"),
            [("place", "Dallas", "Marlow"), ("date", "May 3rd", "May 5th")],
        ),
        (
            ("A dentist in the Salem area", "Any psychologist in the Novi area?"),
            [("therapist", "dentist", "psychologist"), ("place", "Salem", "Novi")],
        ),
        (("Events in Menlo Park", "What is happening in Oak Park, March 4th?"), [("place", "Menlo Park", "Oak Park")]),
        (("A flight to the city of Atlanta", "Find me one to Denver"), [("to", "Atlanta", "Denver")]),
        (("Check the weather in Alamo", "Take a look at Juneau"), [("place", "Alamo", "Juneau")]),
        (
            ("i need a bus that is leaving from las cruces", "leaving from long beach instead"),
            [("from", "las cruces", "long beach")],
        ),
    ],
)
def test_every_value_of_a_message_is_heard_also_beside_another(
    said: tuple[str, ...], expected: list[tuple[str, str | None, str]]
) -> None:
    assert sorted(changed(*said)) == sorted(expected)


def test_a_month_is_no_place_and_a_town_that_begins_like_one_is() -> None:
    assert changed("Weather in Alamo", "How about in March?") == []
    assert changed("Weather in Alamo", "How about in Marchwood?") == [("place", "Alamo", "Marchwood")]
