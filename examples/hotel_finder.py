"""A hotel finder in one file: what it keeps, how it is read, and what lives on when the talk turns to something else.

    holdfast chat --pack examples/hotel_finder.py

The place and the days belong to the trip, so they outlive a change of topic; what a room must have belongs to the
hotel, so it steps aside while the talk is of a table for dinner and comes back with the hotel.
"""

from holdfast import Pack
from holdfast.faculties.conversation import ConversationFaculty
from holdfast.faculties.facts.slots import Slot, SlotsFaculty
from holdfast.faculties.facts.slots.readers import (
    asked_place,
    cued,
    number_answer,
    party,
    place,
    place_answer,
    same_day,
    when,
)
from holdfast.faculties.questions.pending import QuestionsFaculty
from holdfast.faculties.references.faculty import ReferencesFaculty
from holdfast.reading.tables import parse

WORDS = (
    parse(
        "hotels.en.toml",
        "en",
        r"""
        [looked_for]
        thing = '(?P<value>hotel|hostel|apartment|room|restaurant|table for dinner|museum)s?'

        [nights]
        nights = '(?P<value>\d{1,2}|two|three|four|five|six|seven) nights?'

        [room]
        view = '(?P<value>sea view|balcony|breakfast|pool|gym|parking|pets|quiet)'
        """,
    ),
    parse(
        "hotels.es.toml",
        "es",
        r"""
        [looked_for]
        thing = '(?P<value>hotel|hostal|apartamento|habitacion|restaurante|museo)e?s?'

        [nights]
        nights = '(?P<value>\d{1,2}|dos|tres|cuatro|cinco|seis|siete) noches?'

        [room]
        view = '(?P<value>vistas al mar|balcon|desayuno|piscina|gimnasio|aparcamiento)'
        """,
    ),
)


def topic(value: str) -> str:
    """A stay is one topic, a meal another, a museum a third."""
    return value if value in ("museum", "museo") else "meal" if "rest" in value or "table" in value else "stay"


PACK = Pack(
    name="hotels",
    summary="Finds a place to stay",
    instructions="You find hotels. Never ask for what the context line says.",
    faculties=(
        ConversationFaculty(),
        QuestionsFaculty(),
        ReferencesFaculty(kind="hotel", item="hotel", recent_label="Hotels shown", id_label="Hotel ID", place="city"),
        SlotsFaculty(
            Slot("city", "City", place(), asked="where", answer=place_answer, meets=asked_place("where"), doubt=True),
            Slot("looking_for", "Looking for", cued("looked_for"), lower=True, topic=topic),
            Slot("arrival", "Arrival", when, asked="when", lower=True, joins=same_day),
            Slot("nights", "Nights", cued("nights")),
            Slot("guests", "Guests", party, asked="party", answers=("how_many",), answer=number_answer),
            Slot("wishes", "Must have", cued("room"), many=True, survives=False),
        ),
    ),
    tables=WORDS,
)
