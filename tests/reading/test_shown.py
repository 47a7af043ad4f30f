"""What an agent's reply names."""

from __future__ import annotations

import pytest

from holdfast import Holdfast
from holdfast.packs.general import PACK
from holdfast.reading.facts import Facts
from holdfast.reading.shown import Finder, Named, list_items
from tests.linear import stays_linear
from tests.rows import every

VENUES = Finder(r"ChI[A-Za-z0-9_-]+", "Place ID", "venue")
THINGS = Finder()


def read(text: str, reader: Finder = VENUES) -> list[Named]:
    return reader(PACK.reader.read(text))


def pairs(text: str) -> list[tuple[str, str]]:
    return [(n.entity.name, n.entity.id) for n in read(text)]


def names(text: str) -> list[str]:
    return [n.entity.name for n in read(text, THINGS)]


@every(
    "text",
    [
        "1. **Osteria** - Place ID: ChIJabc\n2. **Vedge** - Place ID: ChIJdef",
        "1) Osteria, Place ID: ChIJabc\n2) Vedge, Place ID: ChIJdef",
        "- **Osteria** (🆔 Place ID: ChIJabc)\n- **Vedge** (🆔 Place ID: ChIJdef)",
        "• Osteria [ChIJabc]\n• Vedge [ChIJdef]",
        "Osteria (Place ID: ChIJabc), Vedge (Place ID: ChIJdef)",
        "I recommend Osteria (Place ID: ChIJabc) and Vedge (Place ID: ChIJdef).",
        "### Osteria\nGreat pasta.\nPlace ID: ChIJabc\n\n### Vedge\nGreat greens.\nPlace ID: `ChIJdef`",
        "| Name | Price | Place ID |\n|---|---|---|\n| Osteria | $$ | ChIJabc |\n| Vedge | $$$ | ChIJdef |",
        "1. **Osteria**\n   - **Address:** 640 N Broad St\n   - **Place ID:** ChIJabc\n"
        "\n2. **Vedge**\n   - **Place ID:** ChIJdef",
        "Here are **2 options**:\n\n**Osteria** is Italian. Place ID: ChIJabc\n\n**Vedge** is vegan. Place ID: ChIJdef",
        "**Osteria**\nTip: **book early**\nPlace ID: ChIJabc\n**Vedge**\n**Price:** $$\nPlace ID: ChIJdef",
        "My top pick: **Osteria** Place ID: ChIJabc. Runner-up: **Vedge** Place ID: ChIJdef",
    ],
)
def test_every_form_of_a_list_gives_the_same_venues(text: str) -> None:
    assert pairs(text) == [("Osteria", "ChIJabc"), ("Vedge", "ChIJdef")]


def test_the_heading_of_the_item_beats_a_nearer_bold_text() -> None:
    text = "1. **Osteria** is known for **wood-fired pizza**. Place ID: ChIJabc"
    assert pairs(text) == [("Osteria", "ChIJabc")]


@pytest.mark.parametrize(
    "name", ["Five Guys", "3 Brothers Cafe", "Akiko's", "Café Olé", "Пушкинъ", "Joe & Sons", "7 Stars"]
)
def test_names_that_look_like_counts_or_are_not_english_are_names(name: str) -> None:
    assert pairs(f"1. **{name}** Place ID: ChIJabc") == [(name, "ChIJabc")]


@pytest.mark.parametrize("bold", ["3 options", "Two great places", "Note", "Place ID:", "Address"])
def test_labels_and_counts_are_no_names(bold: str) -> None:
    assert [name for name, _ in pairs(f"**{bold}** Place ID: ChIJabc")] == [""]


def test_facts_are_read_with_the_venue() -> None:
    (venue,) = read(
        "1. **Osteria**\n   📍 640 N Broad St, Philadelphia, PA\n   ⭐ 4.5/5 (1,203 reviews)\n"
        "   Price: $$ (above budget)\n"
        "   Phone: (215) 763-0920\n   Website: https://osteria.example\n   Hours: Mon-Fri 5-10pm\n   Place ID: ChIJabc"
    )
    facts = venue.entity.facts
    assert facts["price"] == "$$"
    assert facts["rating"] == 4.5
    assert facts["reviews"] == 1203
    assert facts["address"] == "640 N Broad St, Philadelphia, PA"
    assert facts["place"] == "Philadelphia"
    assert facts["phone"] == "(215) 763-0920"
    assert facts["website"] == "https://osteria.example"
    assert facts["hours"] == "Mon-Fri 5-10pm"


@pytest.mark.parametrize(
    ("told", "facts"),
    [
        ("4,2 estrellas, 30 reseñas, en Madrid, 25 euros", {"rating": 4.2, "reviews": 30, "place": "Madrid"}),
        ("Calificación: 4,5. Dirección: Calle Mayor 5", {"rating": 4.5, "address": "Calle Mayor 5"}),
        ("el 3 de marzo a las 8 p.m.", {"date": "3 de marzo a las 8 p.m."}),
        ("Miércoles a las 20:30", {"date": "Miércoles a las 20:30"}),
        ("рейтинг 4.8, 15 отзывов, в Москве, 350 руб", {"rating": 4.8, "reviews": 15, "place": "Москве"}),
        ("Адрес: Тверская, 5", {"address": "Тверская, 5"}),
        ("5 марта в 19:00", {"date": "5 марта в 19:00"}),
        ("среда в 19:00", {"date": "среда в 19:00"}),
        ("пятницу, 20:00", {"date": "пятницу, 20:00"}),
    ],
)
def test_facts_are_read_in_every_language(told: str, facts: dict[str, object]) -> None:
    found = PACK.reader.made(Facts).read(told, (0, len(told)), None)
    assert {key: found.get(key) for key in facts} == facts


def test_a_bold_name_with_a_date_is_an_event() -> None:
    (event,) = read("Don't miss **Jazz Night** on Friday at 8pm!")
    assert (event.entity.name, event.entity.kind) == ("Jazz Night", "event")
    assert event.entity.facts["date"] == "Friday at 8pm"


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("The **iPhone 15** has a better camera, the **Pixel 8** is cheaper.", ["iPhone 15", "Pixel 8"]),
        ("There are two: **Luigi's** (Italian) and **Sakura** (Japanese).", ["Luigi's", "Sakura"]),
        ("Советую **Кафе Пушкинъ** или **Белый Кролик**.", ["Кафе Пушкинъ", "Белый Кролик"]),
        ("Te recomiendo **Casa Lucio**.", ["Casa Lucio"]),
        ("I can look for **Italian** or **French** food.", []),
        ("Great, **3 people** at **8pm**.", []),
        ("That is **very** important. **Note:** we close at ten. **Hours**: 9 to 10.", []),
    ],
)
def test_bold_names_in_the_middle_of_talk_are_names_and_what_is_stressed_is_not(text: str, expected: list[str]) -> None:
    assert names(text) == expected


def test_a_number_in_brackets_begins_no_item() -> None:
    assert names("Two orders: 1. **Headphones** (May 2) 2. **Desk lamp** (May 9).") == ["Headphones", "Desk lamp"]
    assert names("1) Osteria 2) Vedge 3) Zahav") == ["Osteria", "Vedge", "Zahav"]


def test_a_list_may_end_in_a_question_mark() -> None:
    assert names("Which one: 1. Luigi's 2. Sakura 3. El Toro?") == ["Luigi's", "Sakura", "El Toro"]


def test_items_of_two_lists_know_their_headings() -> None:
    found = read("Restaurants:\n1. Alpha\n2. Beta\n\nBars:\n1. Gamma\n2. Delta", THINGS)
    groups = [(n.entity.name, n.entity.facts["group"]) for n in found]
    assert groups == [("Alpha", "Restaurants"), ("Beta", "Restaurants"), ("Gamma", "Bars"), ("Delta", "Bars")]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("I've found Dogman, Hackers and High Life.", ["Dogman", "Hackers", "High Life"]),
        ("How about the Curry Garden or Midsummer House?", ["Curry Garden", "Midsummer House"]),
        ("Files changed:\n- src/app.py\n- tests/test_app.py", ["src/app.py", "tests/test_app.py"]),
        ("There are 3 Italian restaurants in Boston.", []),
        ("Hello! How can I help you today?", []),
        ("1. Open the app\n2. Click on the button\n3. Done", []),
        ("Here is the plan:\n1. Install dependencies\n2. Run the tests\n3. Deploy", []),
    ],
)
def test_things_without_ids_are_read_and_steps_are_not(text: str, expected: list[str]) -> None:
    assert names(text) == expected


def test_one_number_inside_a_sentence_is_no_list() -> None:
    assert list_items(PACK.reader.read("We open at 1. See you then.")) == []


@pytest.mark.parametrize("piece", ["**a ", "1. ", "| a |\n", "ChIJa ", "- Aaa\n", "Note: ", "(Place ID: ", "Aa, "])
def test_a_hostile_reply_is_read_in_linear_time(piece: str) -> None:
    stays_linear(lambda text: PACK.reader.read(text).find(VENUES), piece)


def test_days_of_a_plan_are_no_things_and_a_quoted_title_keeps_its_marks() -> None:
    chat = Holdfast().session("s")
    chat.say("**Monday** – Upper body\n**Wednesday** – Core\n**Friday** – Full body\nDoes this work for you?")
    assert not chat.state.references.entities
    chat.say("1. Книга «Сад мечты» — 1800 ₽\n2. Набор инструментов — 3200 ₽\nЧто вам нравится?")
    assert [e.name for e in chat.state.references.entities] == ["Книга «Сад мечты»", "Набор инструментов"]
