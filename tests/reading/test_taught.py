"""Slots and intents that a pack teaches by example sentences: what is understood, and what is said of a wrong pack."""

from __future__ import annotations

import random
import re
from pathlib import Path
from typing import Any

import pytest

from holdfast import Holdfast, Pack
from holdfast.errors import PackError
from holdfast.faculties.aims.tasks import Kind, TasksFaculty
from holdfast.faculties.conversation import ConversationFaculty
from holdfast.faculties.facts.slots import Slot, SlotsFaculty
from holdfast.faculties.facts.slots.readers import cued, number_answer, party, same_day, when
from holdfast.faculties.intents import Intent, IntentsFaculty
from holdfast.faculties.questions.pending import QuestionsFaculty
from holdfast.packs.vibehuntr import PACK as VIBEHUNTR
from holdfast.reading.kinds import means_same
from holdfast.reading.tables import parse
from holdfast.reading.taught.values import disjoint
from holdfast.session import Session
from tests.linear import stays_linear
from tests.rows import every

DOCS = Path(__file__).parent.parent.parent / "docs/packs.md"


def pharmacy() -> Pack:
    """The pharmacy of docs/packs.md, which has no pattern."""
    section = DOCS.read_text(encoding="utf-8").split("## Teaching by examples")[1]
    code = section.split("```python\n")[1].split("\nchat = ")[0]
    told: dict[str, Any] = {}
    exec(code, told)
    pack = told["PHARMACY"]
    assert isinstance(pack, Pack)
    return pack


PHARMACY = pharmacy()


def talk(pack: Pack, *messages: str) -> tuple[Session, Any]:
    chat = Holdfast(pack=pack).session("s")
    turn = None
    for message in messages:
        if message.startswith("agent: "):
            chat.say(message.removeprefix("agent: "))
        else:
            turn = chat.hear(message)
    return chat, turn


def held(chat: Session) -> dict[str, str]:
    return {name: value.value for name, value in chat.state.slots.values.items()}


@every(
    ("messages", "values"),
    [
        (("good morning, do you sell cetirizine?",), {"medicine": "cetirizine"}),
        (("I would like a refill of my atorvastatin",), {"medicine": "atorvastatin"}),
        (
            ("we need two bottles of nurofen, I will come on Saturday at 10",),
            {"medicine": "nurofen", "amount": "two bottles", "pickup": "Saturday at 10"},
        ),
        (("my mother takes lisinopril 20 mg",), {"medicine": "lisinopril", "strength": "20 mg"}),
        (("3 boxes of omeprazole", "no wait, make it 6 boxes"), {"medicine": "omeprazole", "amount": "6 boxes"}),
        (("I'll pick it up on Monday", "actually, Sunday at 11 is better"), {"pickup": "Sunday at 11"}),
        (("agent: Which medicine is it?", "zorbamax"), {"medicine": "zorbamax"}),
        (("agent: How many packs do you need?", "saturday at 7"), {"pickup": "saturday at 7"}),
        (("thanks a lot, bye",), {}),
        (("it is raining again and my bus was late",), {}),
        (("I don't need aspirin",), {}),
    ],
)
def test_other_sentences_than_the_examples_are_understood(messages: tuple[str, ...], values: dict[str, str]) -> None:
    assert held(talk(PHARMACY, *messages)[0]) == values


def test_the_agent_is_told_what_was_understood() -> None:
    turn = talk(PHARMACY, "hi, could I have 3 packs of naproxen 250 mg?")[1]
    assert turn.context == "[CONTEXT: Medicine: naproxen | Amount: 3 packs | Strength: 250 mg | Intent: order]"


@pytest.mark.parametrize(
    ("message", "intents"),
    [
        ("could I order some cough syrup?", ["order"]),
        ("I'd like to get a refill please", ["order"]),
        ("are you open tomorrow?", ["opening_hours"]),
        ("what time do you open on Saturdays?", ["opening_hours"]),
        ("my back hurts", []),
        ("ok thanks", []),
    ],
)
def test_intents_are_understood_in_other_words(message: str, intents: list[str]) -> None:
    turn = talk(PHARMACY, message)[1]
    assert [intent.type for intent in turn.intents] == intents


def test_a_receipt_names_the_examples_that_decided() -> None:
    turn = talk(PHARMACY, "two packs of naproxen")[1]
    rules = {line.because.rule for line in turn.events if line.because is not None}
    assert any(re.fullmatch(r"examples\.amount\.[0-9a-f]{8}", rule) for rule in rules)


def test_an_agent_does_not_ask_again_for_what_examples_gave() -> None:
    chat, _ = talk(PHARMACY, "two packs of naproxen please")
    assert not chat.check("How many do you need?").allowed
    assert chat.check("Anything else?").allowed


TALKS = (
    ("book a table at Zahav", "agent: For how many people?", "saturday at 7"),
    ("sushi in Boston for four tomorrow at 8", "make it five", "no, in Chicago"),
    ("agent: What's your name?", "Austin", "cheap tacos in Austin please"),
    ("agent: Where should I search?", "pizza", "around Madison"),
)


@pytest.mark.parametrize("seed", range(6))
@pytest.mark.parametrize("messages", TALKS)
def test_the_order_in_which_slots_are_declared_changes_nothing(messages: tuple[str, ...], seed: int) -> None:
    slots = list(VIBEHUNTR.faculty("slots").slots)  # type: ignore[attr-defined]
    random.Random(seed).shuffle(slots)
    faculties = tuple(SlotsFaculty(*slots) if f.name == "slots" else f for f in VIBEHUNTR.faculties)
    assert held(talk(VIBEHUNTR.but(faculties=faculties), *messages)[0]) == held(talk(VIBEHUNTR, *messages)[0])


@pytest.mark.parametrize("seed", range(4))
def test_the_order_of_taught_slots_and_of_their_examples_changes_nothing(seed: int) -> None:
    message = "we need two bottles of nurofen 200 mg, I will come on Saturday at 10"
    draw = random.Random(seed)
    slots = [s._replace(examples=tuple(draw.sample(s.examples, len(s.examples)))) for s in _slots(PHARMACY)]
    draw.shuffle(slots)
    pack = PHARMACY.but(faculties=(ConversationFaculty(), QuestionsFaculty(), SlotsFaculty(*slots)))
    assert held(talk(pack, message)[0]) == held(talk(PHARMACY, message)[0])


def _slots(pack: Pack) -> tuple[Slot, ...]:
    return pack.faculty("slots").slots  # type: ignore[attr-defined, no-any-return]


@pytest.mark.parametrize(
    ("messages", "values"),
    [
        (("agent: For how many people?", "saturday at 7"), {"time": "saturday at 7"}),
        (("agent: For how many people?", "7pm works"), {"time": "7pm"}),
        (("agent: For how many people?", "7"), {"people": "7"}),
        (("agent: For how many people?", "at 7"), {"time": "at 7"}),
        (("mesa para 4 el sábado a las 9", "mejor a las 10"), {"people": "4", "time": "el sábado a las 10"}),
        (("столик на четверых в субботу на 8", "нет, лучше на 9"), {"people": "4", "time": "в субботу на 9"}),
        (("agent: На сколько человек?", "на 4"), {"people": "4"}),
    ],
)
def test_a_word_belongs_to_one_reading(messages: tuple[str, ...], values: dict[str, str]) -> None:
    table = Slot("time", "Time", when, asked="when", joins=same_day)
    people = Slot("people", "People", party, asked="party", answers=("how_many",), answer=number_answer)
    pack = Pack("table", (ConversationFaculty(), QuestionsFaculty(), SlotsFaculty(table, people)))
    assert held(talk(pack, *messages)[0]) == values


@every(
    ("one", "other", "same"),
    [
        ("four", "4", True),
        ("March 13th", "13th", True),
        ("March 14th", "the 14th of March", True),
        ("5:30 pm", "5:30", True),
        ("2 boxes", "two boxes", True),
        ("5:30 pm", "5:30 am", False),
        ("March 3rd", "April 3rd", False),
        ("2 boxes", "2 packs", False),
        ("saturday at 7", "saturday at 8", False),
        ("friday", "saturday", False),
        ("Boston", "Austin", False),
    ],
)
def test_a_value_in_other_words_is_the_same_value(one: str, other: str, same: bool) -> None:
    assert means_same(VIBEHUNTR.reader, one, other) is same
    assert means_same(VIBEHUNTR.reader, other, one) is same


def test_a_yes_to_what_is_known_in_other_words_changes_nothing() -> None:
    chat, turn = talk(PHARMACY, "four packs of naproxen", "agent: So 4 packs, is that right?", "yes")
    assert held(chat)["amount"] == "four packs"
    assert not [event for event in turn.events if event.did == "superseded"]


def test_of_runs_that_share_words_those_that_score_best_together_are_chosen() -> None:
    assert disjoint([(0, 2, 5), (1, 3, 9), (2, 4, 5)]) == [0, 2]
    assert disjoint([(0, 2, 5), (1, 3, 11), (2, 4, 5)]) == [1]
    assert disjoint([(0, 1, -3)]) == []


WORDS = parse("shop.en.toml", "en", "[size]\nsize = 'size (?P<value>\\w+)'")


def shop(*slots: Slot, **fields: Any) -> Holdfast:
    pack = Pack("shop", (ConversationFaculty(), QuestionsFaculty(), SlotsFaculty(*slots)), tables=(WORDS,), **fields)
    return Holdfast(pack=pack)


@every(
    ("slots", "says"),
    [
        (
            (Slot("size", "Size", cued("siez")),),
            "'size' reads the family 'siez', which no table has; did you mean 'size'",
        ),
        ((Slot("size", "Size", cued("size")), Slot("size", "Other", cued("size"))), "two slots called 'size'"),
        ((Slot("size", "Size", cued("size")), Slot("fit", "Size", cued("size"))), "both told as 'Size'"),
        ((Slot("size", "Size", examples=("I take a large one",)),), "shows no value; put brackets around it"),
        ((Slot("size", "Size", examples=("I take []",)),), "shows no value"),
        ((Slot("size", "Size", examples=("I take [large",)),), "does not close it"),
        ((Slot("size", "Size", examples=("I take large] now",)),), "without its other half"),
        ((Slot("size", "Size", examples=("a [large] one", "a [large] one")),), "is there twice"),
        ((Slot("size", "Size", examples="a [large] one"),), "a tuple of sentences"),  # type: ignore[arg-type]
        ((Slot("size", "Size", cued("size"), questions=("Which [size]?",)),), "leave the brackets out"),
        ((Slot("size", "Size", cued("size"), asked="wher"),), "is asked by 'wher', which no table knows; did you mean"),
        ((Slot("size", "Size"),), "can never get a value; give it examples"),
        ((Slot("size", "Size", cued("size"), told="size"),), "without its value"),
        (("size",), "'size' is no slot"),
    ],
)
def test_what_a_pack_gets_wrong_about_slots_is_said_when_it_is_opened(slots: tuple[Any, ...], says: str) -> None:
    with pytest.raises(PackError, match=re.escape(says)):
        shop(*slots)


@pytest.mark.parametrize(
    ("intents", "says"),
    [
        ((Intent("buy", ()),), "'buy' has no examples"),
        ((Intent("buy", ("I buy it",)), Intent("buy", ("sell me that",))), "two intents called 'buy'"),
        ((Intent("buy", ("I want it",)), Intent("ask", ("I want it",))), "an example of both 'buy' and 'ask'"),
        ((Intent("buy", ("I buy [it]",)),), "leave the brackets out"),
        (("buy",), "is no intent"),
    ],
)
def test_what_a_pack_gets_wrong_about_intents_is_said_when_it_is_made(intents: tuple[Any, ...], says: str) -> None:
    with pytest.raises(PackError, match=re.escape(says)):
        IntentsFaculty(*intents)


def test_a_family_that_is_nearly_one_that_is_read_is_told() -> None:
    misspelt = parse("mine.en.toml", "en", "[corection]\nmine = 'rather'")
    pack = Pack(
        "shop", (ConversationFaculty(), SlotsFaculty(Slot("size", "Size", cued("size")))), tables=(WORDS, misspelt)
    )
    with pytest.raises(PackError, match=r"mine\.en\.toml has a family \[corection\].*write \[correction\]"):
        Holdfast(pack=pack)


@pytest.mark.parametrize("piece", ["? ", "2 boxes of ibuprofen ", "[", "at 5 on Friday ", "a,"])
def test_what_is_read_by_examples_stays_linear(piece: str) -> None:
    chat = Holdfast(pack=PHARMACY).session("s")
    stays_linear(chat.hear, piece)


def test_kinds_of_tasks_are_known_by_examples() -> None:
    repair = (
        "can you fix my bike?",
        "my brakes need repair",
        "the chain is broken, please mend it",
        "I have a flat tyre",
    )
    hire = ("I'd like to rent a bike", "can we hire two e-bikes for Saturday?", "how much is a rental?")
    tasks = TasksFaculty(Kind("repair", agent="workshop", examples=repair), Kind("hire", agent="desk", examples=hire))
    pack = Pack("bikes", (ConversationFaculty(), QuestionsFaculty(), tasks), agents=("desk", "workshop"))
    chat = Holdfast(pack=pack).session("s")
    routes = [
        chat.hear(message).route
        for message in (
            "my front wheel is broken, can you repair it?",
            "it makes a noise too",
            "we want to rent three bikes tomorrow",
        )
    ]
    assert [(route.agent, route.task_type, route.relation) for route in routes] == [
        ("workshop", "repair", "new"),
        ("workshop", "repair", "continue"),
        ("desk", "hire", "new"),
    ]
