"""Whether a message changes something that was settled before, and to what: slots that are taught by examples, read
from what the turn superseded."""

from __future__ import annotations

from typing import Any

from holdfast import Holdfast, Pack
from holdfast.events import Reread
from holdfast.faculties.conversation import ConversationFaculty
from holdfast.faculties.facts import MemoryFaculty
from holdfast.faculties.facts.slots import Slot, SlotSet, SlotsFaculty
from holdfast.faculties.facts.slots.readers import asked_place, place_answer, stop
from holdfast.faculties.questions.pending import QuestionsFaculty
from holdfast.reading.tiers import ENCODER


def taught(name: str, *examples: str, **fields: Any) -> Slot:
    return Slot(name, name.capitalize(), examples=examples, survives=False, **fields)


SLOTS = (
    taught(
        "service",
        "I need a [restaurant] for tonight",
        "book me a [hotel] please",
        "find a [train] to London",
        "is there a [bus] on Friday?",
        "I want a [flight] to Boston",
        "get me a [taxi]",
        "what's the [weather] like?",
        "show me a good [movie]",
        "play some [music]",
        "check my account [balance]",
        "find me a [dentist]",
        "I need a [haircut]",
        "I'm looking for an [apartment]",
        "I want to rent a [car]",
        "any [events] this weekend?",
        "set an [alarm]",
        topic=lambda value: value.lower(),
    ),
    taught(
        "day",
        "on [March 5th] please",
        "make it [Friday] instead",
        "for [tomorrow]",
        "change it to [the 12th]",
        "I'd rather go [next Monday]",
        "[Saturday] works better",
    ),
    taught(
        "time",
        "at [5 pm] please",
        "make it [half past 6]",
        "at [7 in the evening]",
        "for [quarter to 2 in the afternoon]",
        "actually [10:30 am] is better",
        "change the time to [7:15]",
        "around [noon]",
        "leaving at [9 o'clock]",
    ),
    taught(
        "people",
        "for [4] people",
        "there will be [two] of us",
        "[3] tickets please",
        "a table for [2]",
        "make that [5] seats",
        "only [1] ticket",
    ),
    taught(
        "nights",
        "for [3] nights",
        "we stay [two] days",
        "make it [5] days",
        "only [one] day please",
        "change it to [four] nights instead",
        "a room for [6] days from Monday",
    ),
    taught("rooms", "[2] rooms please", "I need [three] bedrooms", "only [1] room", "make that [two] rooms"),
    taught("stars", "a [4] star hotel", "with [3] stars", "[5] star please", "with a rating of [2] stars"),
    Slot(
        "from",
        "From",
        stop("from"),
        asked="from",
        answer=place_answer,
        meets=asked_place("from"),
        survives=False,
    ),
    Slot("to", "To", stop("to"), asked="to", answer=place_answer, meets=asked_place("to"), survives=False),
    taught(
        "place",
        "in [Oakland] please",
        "try [San Jose] instead",
        "what about [Berkeley]?",
        "look around [New York, NY]",
        asked="where",
        answer=place_answer,
    ),
    taught(
        "food",
        "I'd like [italian] food",
        "how about a [chinese] place?",
        "any [indian] restaurants?",
        "something [british] instead",
        "does it serve [thai]?",
        "one that serves [mexican] food",
        "do you have any [modern european] places?",
        "let's try [seafood] then",
    ),
    taught(
        "price",
        "something [cheap]",
        "in the [moderate] price range",
        "an [expensive] one",
        "make it [luxurious]",
    ),
    taught(
        "area",
        "in the [north] of town",
        "on the [east] side",
        "in the [centre]",
        "the [south] please",
        "what about the [west] area?",
    ),
    taught(
        "account",
        "from my [savings] account",
        "to my [checking] account",
        "the [checking] one instead",
        "what is in my [savings]?",
        "go with [checking]",
    ),
    taught("kind", "a [museum] maybe", "any [parks]?", "a [nightclub]", "a [college] instead", "a [guesthouse]"),
    taught(
        "genre",
        "a [comedy] film",
        "any [horror] movies?",
        "some [rock] songs",
        "[drama] instead",
        "[jazz] music",
    ),
    taught("car", "a [compact] car", "an [SUV] instead", "a [full-size] one"),
    taught("device", "on the [kitchen speaker]", "on my [bedroom speaker]", "play it on the [TV]", "no, on my [TV]"),
    taught("doctor", "a [psychologist] please", "a [dermatologist] instead", "a family [counselor]"),
)
PACK = Pack("bookings", (ConversationFaculty(), QuestionsFaculty(), SlotsFaculty(*SLOTS)))
ELSE = Slot("else", describe="what else the booking or the search should be like", survives=False)
"""With a slot that has only a description, the encoder reads every message."""
READING = PACK.but(
    faculties=(ConversationFaculty(), QuestionsFaculty(), SlotsFaculty(*SLOTS, ELSE), MemoryFaculty()), tier=ENCODER
)


def predict(row: dict[str, Any], extra: None) -> dict[str, Any]:
    with Holdfast(pack=PACK) as hf:
        if hf.pack.tier == ENCODER:
            hf.pack = READING
        chat = hf.session("s")
        for speaker, text in row["history"]:
            if text.strip():
                (chat.hear if speaker == "U" else chat.say)(text)
        turn = chat.hear(row["utterance"])
    filled = [event for event in turn.events if isinstance(event, SlotSet) and event.slot not in ("service", "else")]
    told = next((event for event in turn.events if isinstance(event, Reread)), None)
    if told is not None:  # the encoder says in so many words what changes; a slot knows the form of its value
        heard = [row["utterance"][one.start : one.end] for one in told.new] if told.changed >= 0.5 else []
        return {"changed": told.changed >= 0.5, "changes": [{"new": formed(new, filled), "old": None} for new in heard]}
    found = [event for event in filled if event.old not in (None, event.value)]
    return {"changed": bool(found), "changes": [{"new": event.value, "old": event.old} for event in found]}


def formed(words: str, filled: list[SlotSet]) -> str:
    """Words as the slot has them that they fill: "4" of "4 nights"."""
    inside = [event.value for event in filled if f" {event.value.lower()} " in f" {words.lower()} "]
    return inside[0] if len(inside) == 1 else words
