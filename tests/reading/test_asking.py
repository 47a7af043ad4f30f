"""What a reply asks: its questions without what leads up to them, what each waits for, and what it offers."""

from __future__ import annotations

import pytest

from holdfast.packs.general import PACK
from holdfast.reading.asking import asks, questions, worded
from tests.rows import every


def asked(reply: str) -> list[str]:
    reading = PACK.reader.read(reply)
    return [worded(reading, span) for span in reading.find(questions)]


def options(reply: str) -> tuple[str, ...]:
    reading = PACK.reader.read(reply)
    return asks(reading, reading.find(questions)[-1]).options


def about(reply: str) -> tuple[str, str]:
    reading = PACK.reader.read(reply)
    return asks(reading, reading.find(questions)[-1])[:2]


@every(
    ("reply", "texts"),
    [
        ("Sure!\n1. **Dates** – When will you go?\n2. **Guests** – How many?", ["When will you go?", "How many?"]),
        ("👍 How many servings?", ["How many servings?"]),
        ("1️⃣ How old are you?\n2️⃣ Where do you live?", ["How old are you?", "Where do you live?"]),
        ("Got it, what is your member number?", ["what is your member number?"]),
        ("**What's your budget?**", ["What's your budget?"]),
        ("How many **nights** will you stay?", ["How many nights will you stay?"]),
        ("I see a charge on Nov 3. Is that the one?", ["Is that the one?"]),
        ("Dr. Patel is free. Shall I ask Dr. Kim?", ["Shall I ask Dr. Kim?"]),
        ("Адрес прежний, ул. Мира, 5?", ["Адрес прежний, ул. Мира, 5?"]),
        ("(1) Сколько вас? (2) Есть ли дети?", ["Сколько вас?", "Есть ли дети?"]),
        ("If so, (1) for how many people, and (2) what time?", ["for how many people?", "what time?"]),
        (
            "Could you tell me your full name and date of birth?",
            ["Could you tell me your full name?", "date of birth?"],
        ),
        ("What day do you come, and for how many people?", ["What day do you come?", "for how many people?"]),
        ("How old is he, what does he enjoy, and what's your budget?", None),
        ("¿Me dice su nombre completo y su fecha de nacimiento?", None),
        ("Pick one:\na) Red\nb) Green", ["Pick one?"]),
        ("¿Quieres que te explique cómo:\na) leerlo\nb) crearlo?", ["¿Quieres que te explique cómo?"]),
        ("Really??", ["Really??"]),
    ],
)
def test_a_question_is_told_without_what_leads_up_to_it(reply: str, texts: list[str] | None) -> None:
    found = asked(reply)
    assert found == texts if texts is not None else len(found) > 1


@pytest.mark.parametrize(
    "reply",
    [
        "See https://example.com/?q=1 for more.",
        "Use `x ? 1 : 2` there.",
        "```js\nconst a = b ? 1 : 2\n```\nThat is all.",
        "Steps:\n1. Open it.\n2. Close it.",
        "Your options are:\n- rest\n- water\n\nTake care.",
    ],
)
def test_what_asks_nothing_is_no_question(reply: str) -> None:
    assert asked(reply) == []


@every(
    ("reply", "found"),
    [
        ("Are you running this locally or in Docker?", ("running this locally", "in Docker")),
        ("First: does it happen on all devices or only one?", ("all devices", "only one")),
        ("Would you like it spicy or mild?", ("spicy", "mild")),
        ("Standard (5-7 days) or express (2 days, $15)?", ("Standard (5-7 days)", "express (2 days, $15)")),
        ("What's your level — beginner or advanced?", ("beginner", "advanced")),
        ("Book one of these, or should I look further?", ("Book one of these", "look further")),
        ("What tone would you like?\n1) Formal\n2) Friendly", ("Formal", "Friendly")),
        ("Do you have one of these?\n- Fever\n- Cough", ("Fever", "Cough")),
        ("I have 5:45 or 6:30. Which works better?", ("5:45", "6:30")),
        ("Any color preference? Options are Silver or Gray.", ("Silver", "Gray")),
        ("Есть вторник 10:20 или среда 15:00. Когда вам удобно?", ("вторник 10:20", "среда 15:00")),
        ("Хотите, я покажу, как:\nа) записать\nб) стереть", ("записать", "стереть")),
        ("¿Qué color prefieres? Hay plata o gris.", ("plata", "gris")),
        ("1. **Osteria** 2. **Vedge**. Want to see any of these?", ("Osteria", "Vedge")),
        ("Do you have any garlic or onions?", ()),
        ("I'd try Luigi or Mario. Want me to compare them?", ()),
        ("What do you need?\n- How many?\n- Which size?", ()),
    ],
)
def test_options_stand_in_a_question_beside_it_or_in_its_list(reply: str, found: tuple[str, ...]) -> None:
    assert options(reply) == found


@every(
    ("reply", "kind"),
    [
        ("What is the name of the adapter?", ("what", "text")),
        ("What is your dog's name?", ("what", "text")),
        ("What is your name?", ("name", "text")),
        ("¿Cómo se llama la persona?", ("what", "text")),
        ("Do you listen to music when you run?", ("", "yes_no")),
        ("Can you tell me when you will come?", ("when", "text")),
        ("Слушаешь музыку, когда рисуешь?", ("elliptic", "yes_no")),
        ("Горит ли какой-нибудь индикатор?", ("elliptic", "yes_no")),
        ("Заблокировать карту?", ("offer", "yes_no")),
        ("¿Te pongo un recordatorio?", ("offer", "yes_no")),
        ("Did that help?", ("offer", "yes_no")),
        ("How's your day going?", ("anything", "text")),
        ("А у тебя как?", ("anything", "text")),
        ("¡Genial! How do you say that in Spanish?", ("what", "text")),
    ],
)
def test_a_question_says_what_it_waits_for(reply: str, kind: tuple[str, str]) -> None:
    assert about(reply) == kind
