"""`vibehuntr`: finds places to eat and spend time, and never asks again for what was said.

This file declares the slots and the order of the context line. `heard.py` tells what the words of a message give and
how that stands, which is learned, and what the slots take of it; `wants.py` tells what a message wants and asks.
`wishes.py` reads the words that the tables know, `seeking.py` tells a new search from what is said beside it,
`people.py` counts who comes, `words/` holds the words, `instructions.md` the rules for the agent, and `face.py` the
calls of the document.
"""

from importlib.resources import files

from holdfast.agents.venues import venues
from holdfast.faculties.conversation import ConversationFaculty
from holdfast.faculties.facts.slots import Slot, SlotsFaculty, readers
from holdfast.faculties.plans import PlanMeant, PlansFaculty
from holdfast.faculties.questions.pending import QuestionsFaculty
from holdfast.faculties.references.faculty import ReferencesFaculty
from holdfast.pack import Pack
from holdfast.packs.vibehuntr import heard, seeking, wishes
from holdfast.packs.vibehuntr.face import VibehuntrFace
from holdfast.packs.vibehuntr.people import SLOT as PARTY
from holdfast.packs.vibehuntr.people import added, people, put_right
from holdfast.reading.tables import shipped

MODEL = "gemini-2.0-flash-exp"
TABLES = tuple(shipped("holdfast.packs.vibehuntr", "vibehuntr"))

SLOTS = (
    Slot(
        "user_name",
        "User's name",
        readers.person,
        asked="name",
        answer=readers.person_answer,
        claim=True,
        named=True,
        scope="user",
    ),
    Slot("user_email", "User's email", readers.email, asked="email", answer=readers.email_answer, scope="user"),
    Slot(
        "event_venue_name",
        "Planning event at",
        wishes.event_venue,
        wakes=("venue_at",),
        hears=heard.venue,
        gives_way=seeking.of_plan,
        named=True,
    ),
    Slot(
        "event_party_size",
        "Party size",
        lambda reading: reading.find(people),
        asked="party",
        answers=("how_many",),
        answer=readers.number_answer,
        meets=put_right(PARTY),
        hears=heard.number,
        gives_way=seeking.of_plan,
        joins=added,
        told="{} people",
    ),
    Slot(
        "event_date_time",
        "Event time",
        wishes.when,
        wakes=("day", "clock", "party", "shift"),
        asked="when",
        answer=wishes.when_answer,
        meets=put_right("event_date_time"),
        hears=heard.time,
        lower=True,
        gives_way=seeking.of_plan,
        joins=readers.same_day_or_moved,
    ),
    Slot(
        "search_query",
        "User is looking for",
        wishes.query,
        asked="query",
        answers=("what", "which"),
        answer=wishes.query_answer,
        meets=wishes.searched_before,
        hears=heard.sought,
        lower=True,
        topic=wishes.topics(TABLES),
        gives_way=seeking.new_search,
    ),
    Slot(
        "location",
        "Location",
        wishes.where,
        asked="where",
        answer=readers.place_answer,
        meets=wishes.where_else,
        hears=heard.place,
        gives_way=seeking.new_place,
        lower=True,
        doubt=True,
    ),
    Slot(
        "price_level",
        "Price level",
        wishes.price,
        wakes=("price",),
        asked="price",
        hears=heard.price,
        drops=heard.dropped("price"),
        gives_way=seeking.new_limit,
    ),
    Slot(
        "constraints",
        "Constraints",
        wishes.constraints,
        hears=heard.wishes,
        drops=heard.dropped("wish"),
        many=True,
        survives=False,
        gives_way=seeking.new_limit,
    ),
)

PACK = Pack(
    name="vibehuntr",
    summary="Finds places to eat and spend time, and never asks again for what was said",
    instructions=files("holdfast.packs.vibehuntr").joinpath("instructions.md").read_text(encoding="utf-8").strip(),
    model=MODEL,
    faculties=(
        ConversationFaculty(recall="Last user message"),
        QuestionsFaculty(),  # before all that reads values: a short reply belongs to the question it answers
        ReferencesFaculty(
            recent_label="Recently mentioned venues",
            refers_label="User is referring to",
            id_label="Place ID",
            id=r"ChI[A-Za-z0-9_-]+",
            kind="venue",
            item="venue",
            newest_is_it=True,  # the document's rule: a vague word is the most recently mentioned venue
            heard=heard.pointing,
        ),
        # before slots: what they take belongs to the plan that is meant
        PlanMeant(kin=seeking.kin, dropped=heard.given_up),
        SlotsFaculty(*SLOTS),  # after references: "book it" plans an event at the venue that "it" means
        # after slots: a plan takes its parts from them
        PlansFaculty(whom=heard.whom, chosen=heard.chosen, kin=seeking.kin),
    ),
    tables=TABLES,
    context_order=(
        *(slot.label for slot in SLOTS),
        "Recently mentioned venues",
        "User is referring to",
        "Plans",
        "Last user message",
    ),
    agent=venues,
    face=VibehuntrFace,
)
