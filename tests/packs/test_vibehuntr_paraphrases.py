"""What the pack's requirements promise, said in other words and in three languages."""

from __future__ import annotations

import pytest

from holdfast import Holdfast
from holdfast.session import Session
from tests.rows import every


def heard(*texts: str) -> Session:
    session = Holdfast(pack="vibehuntr").session("s")
    for text in texts:
        session.hear(text)
    return session


def held(session: Session, slot: str) -> str | None:
    value: str | None = session.state.slots.get(slot)
    return value


LOCATIONS = [
    ("Find me tacos in south philly", "south philly", "Philadelphia"),
    ("bars near me in DC", "dc", "Washington"),
    ("Washington DC brunch", "washington dc", "Washington"),
    ("switch location to Denver", "denver", "Denver"),
    ("not Boston, Chicago", "chicago", "Chicago"),
    ("Denver rather than Austin", "denver", "Denver"),
    ("uptown charlotte", "uptown charlotte", "Charlotte"),
    ("the Bronx", "the bronx", "The Bronx"),
    ("in Old Town Alexandria", "old town alexandria", "Alexandria"),
    ("I live in Boston but I'm looking for food in NYC", "nyc", "New York City"),
    ("Nashville hot chicken in Chicago", "chicago", "Chicago"),
    ("New York style pizza in Dallas", "dallas", "Dallas"),
    ("moving from Boston to Austin, find a diner", "austin", "Austin"),
    ("food in sao paulo", "sao paulo", "São Paulo"),
    ("пицца в Москве", "москве", "Moscow"),
    ("суши в Саратове", "саратове", "Saratov"),
    ("бары в Ростове-на-Дону", "ростове-на-дону", "Rostov-na-Donu"),
    ("где поесть в Челябинске", "челябинске", "Chelyabinsk"),
    ("давай Казань вместо Москвы", "казань", "Kazan"),
    ("лучше Самара, чем Казань", "самара", "Samara"),
    ("не в Москве, а в Казани", "казани", "Kazan"),
    ("я живу в Москве, ищу ресторан в Сочи", "сочи", "Sochi"),
    ("из Москвы в Казань", "казань", "Kazan"),
    ("южный Лондон", "южный лондон", "London"),
    ("смени место на Сочи", "сочи", "Sochi"),
    ("Barcelona en vez de Madrid", "barcelona", "Barcelona"),
    ("Madrid no, Barcelona", "barcelona", "Barcelona"),
    ("de Madrid a Sevilla", "sevilla", "Sevilla"),
    ("vivo en Madrid pero busco algo en Valencia", "valencia", "Valencia"),
    ("tapas en San Sebastián", "san sebastián", "Donostia / San Sebastián"),
    ("el norte de Bogotá", "el norte de bogotá", "Bogotá"),
    ("cambia la ubicación a Bilbao", "bilbao", "Bilbao"),
]


@every(("text", "value", "canonical"), LOCATIONS)
def test_the_place_where_something_is_looked_for_is_held(text: str, value: str, canonical: str) -> None:
    session = heard(text)
    assert (held(session, "location"), session.state.slots.canonical("location")) == (value, canonical)
    assert not session.state.slots.values["location"].ambiguous


NOWHERE = [
    "near me",
    "in an hour",
    "open it in a new tab",
    "I'm in love with ramen",
    "Peking duck",
    "a la carte menu",
    "in cash please",
    "Charlotte told me about it",
    "I'm from Paris",
    "рядом со мной",
    "в общем, хочу пиццу",
    "в новой вкладке",
    "был вчера у Маши",
    "встреча с Суворовым",
    "какой рост у него",
    "cerca de mí",
    "en general me gusta el sushi",
    "en casa",
    "los gatos son bonitos",
]


@every("text", NOWHERE)
def test_what_is_no_place_is_not_held_as_one(text: str) -> None:
    assert held(heard(text), "location") is None


@pytest.mark.parametrize(
    ("text", "question"),
    [
        ("restaurants in dallas or houston", "dallas or houston?"),
        ("в москве или в питере", "москва или питер?"),
        ("Madrid o Barcelona", "madrid o barcelona?"),
    ],
)
def test_two_places_are_asked_about_in_the_form_that_stands_alone(text: str, question: str) -> None:
    session = Holdfast(pack="vibehuntr").session("s")
    assert session.hear(text).question == question


QUERIES = [
    ("any good happy hour spots?", "happy hour"),
    ("somewhere to eat in Boston", "food"),
    ("I don't want pizza, thai please", "thai"),
    ("instead of pizza let's do sushi", "sushi"),
    ("pizza no, sushi", "sushi"),
    ("let's do lunch instead of dinner", "lunch"),
    ("bars with live music", "bar"),
    ("House of Kabob", "house of kabob"),
    ("South Philly Barbacoa", "south philly barbacoa"),
    ("вместо пиццы хочу суши", "суши"),
    ("не суши, а пиццу", "пицца"),
    ("где выпить кофе в Питере?", "кофе"),
    ("where to eat sushi", "sushi"),
    ("cheap eats in dc", "food"),
    ("не хочу пиццу давай суши", "суши"),
    ("поужинать в Казани", "ужин"),
    ("no quiero pizza, sushi", "sushi"),
    ("sushi en vez de pizza", "sushi"),
    ("cenar en Valencia", "cena"),
    ("quiero comer tacos", "taco"),
]


@every(("text", "value"), QUERIES)
def test_what_is_looked_for_is_held(text: str, value: str) -> None:
    assert held(heard(text), "search_query") == value


@every(
    "text",
    [
        "any with vegan options?",
        "do they have live music?",
        "don't show me pizza",
        "hello",
        "the Bronx",
        "no sushi",
        "с живой музыкой",
        "веганские блюда есть?",
        "только не пиццу",
        "opciones veganas",
        "cualquier cosa menos sushi",
    ],
)
def test_a_message_that_looks_for_nothing_else_leaves_the_query(text: str) -> None:
    session = heard("italian in boston", text)
    assert held(session, "search_query") == "italian"


VALUES = [
    ("dinner and drinks for 4 in boston tomorrow", {"event_party_size": "4", "event_date_time": "tomorrow"}),
    ("we'll be four, no wait, five", {"event_party_size": "5"}),
    ("столик на четверых завтра в 8 вечера", {"event_party_size": "4", "event_date_time": "завтра в 8 вечера"}),
    ("mesa para cuatro mañana a las ocho", {"event_party_size": "4", "event_date_time": "mañana a las ocho"}),
    ("Sarah Connor sarah@sky.net", {"user_name": "Sarah Connor", "user_email": "sarah@sky.net"}),
    ("я Борис, boris@x.ru", {"user_name": "Борис", "user_email": "boris@x.ru"}),
    ("soy Carlos y mi correo es c@x.es", {"user_name": "Carlos", "user_email": "c@x.es"}),
    ("dinner at Zahav on sunday", {"event_venue_name": "Zahav", "event_date_time": "on sunday"}),
    ("ужин в ресторане Пушкин", {"event_venue_name": "Пушкин", "location": None}),
    ("cena en Casa Lucio", {"event_venue_name": "Casa Lucio", "location": None}),
    ("italian, nothing fancy", {"price_level": "2"}),
    ("it's not expensive", {"price_level": None}),
    ("money is no object", {"price_level": "4"}),
    ("forget the price", {"price_level": None}),
    ("something nicer", {"price_level": "3", "search_query": None}),
    ("nothing over $30", {"price_level": "2"}),
    ("что-нибудь недорогое", {"price_level": "1"}),
    ("не очень дорогое место", {"price_level": "2"}),
    ("кафе до 15 долларов", {"price_level": "1"}),
    ("algo nada caro", {"price_level": "2"}),
    ("un restaurante de lujo", {"price_level": "4"}),
    ("dog friendly with a patio", {"constraints": "pet friendly, outdoor seating"}),
    ("с террасой и парковкой", {"constraints": "outdoor seating, parking"}),
    ("un lugar tranquilo con vistas", {"constraints": "quiet, with a view"}),
]


@every(("text", "slots"), VALUES)
def test_values_of_all_kinds_are_held(text: str, slots: dict[str, str | None]) -> None:
    session = heard(text)
    assert {name: held(session, name) for name in slots} == slots


def test_a_cleared_value_neither_comes_back_nor_reaches_the_agent() -> None:
    session = heard("cheap sushi in boston with parking")
    session.clear("location")
    for text in ("any more?", "a museum there", "sushi again", "yes"):
        assert "boston" not in session.hear(text).context
    session.clear()
    assert session.hear("sushi").context == "[CONTEXT: User is looking for: sushi]"


LIST = """Three that fit:
1. **Osteria** 4.5/5 (200 reviews), Price: $$, 640 N Broad St, Philadelphia. Place ID: ChIJabc123
2. **Vedge** 4.8/5 (310 reviews), Price: $$$, vegan, in Boston. Place ID: ChIJdef456
3. **Zahav** 4.7/5 (900 reviews), Price: $$$$, Israeli. Place ID: ChIJghi789"""

POINTED = [
    ("2nd", ["Vedge"]),
    ("#2", ["Vedge"]),
    ("option 3 please", ["Zahav"]),
    ("the next to last one", ["Vedge"]),
    ("1 and 3", ["Osteria", "Zahav"]),
    ("either of the first two", ["Osteria", "Vedge"]),
    ("compare the first with the third", ["Osteria", "Zahav"]),
    ("is Vedge better than Zahav?", ["Vedge", "Zahav"]),
    ("the one in Boston", ["Vedge"]),
    ("the vegan place", ["Vedge"]),
    ("give me the third restaurant", ["Zahav"]),
    ("which one is the cheapest?", ["Osteria"]),
    ("the highest rated one", ["Vedge"]),
    ("which is better?", ["Vedge"]),
    ("no, the one before that", ["Vedge"]),
    ("предыдущий", ["Vedge"]),
    ("el anterior", ["Vedge"]),
    ("not the first, the second", ["Vedge"]),
    ("osterria", ["Osteria"]),
    ("zahv", ["Zahav"]),
    ("what's the address?", ["Zahav"]),
    ("do they take reservations?", ["Osteria", "Vedge", "Zahav"]),
    ("второе место", ["Vedge"]),
    ("сравни первые два", ["Osteria", "Vedge"]),
    ("не первый, а второй", ["Vedge"]),
    ("тот, что в Бостоне", ["Vedge"]),
    ("который в Филадельфии", ["Osteria"]),
    ("самый дорогой", ["Zahav"]),
    ("когда закрывается?", ["Zahav"]),
    ("этот ресторан", ["Zahav"]),
    ("los dos primeros", ["Osteria", "Vedge"]),
    ("el que está en Filadelfia", ["Osteria"]),
    ("el mejor valorado", ["Vedge"]),
    ("¿abren el domingo?", ["Osteria", "Vedge", "Zahav"]),
    ("no el primero, el segundo", ["Vedge"]),
    ("reserva el tercero", ["Zahav"]),
    ("none of those", []),
    ("the first time I went", []),
    ("the fourth one", []),
    ("what time is it?", []),
    ("any museums there?", []),
    ("I was there first", []),
    ("ни один из них", []),
    ("никакой", []),
    ("который час?", []),
    ("el primero no", []),
    ("¿qué hora es?", []),
    ("la primera vez que fui", []),
]


@every(("text", "names"), POINTED)
def test_a_message_points_at_what_it_means(text: str, names: list[str]) -> None:
    session = heard("food in philly")
    session.say(LIST)
    turn = session.hear(text)
    assert [entity.name for found in turn.references for entity in found.entities] == names
    assert held(session, "location") == "philly"
    if names:
        assert held(session, "search_query") == "food"
        written = ", ".join(f"{e.name} (Place ID: {e.id})" for found in turn.references for e in found.entities)
        assert f"User is referring to: {written}" in turn.context


REPLIES = [
    "* Osteria (ChIJabc)\n* Vedge (ChIJdef)",
    "1) Osteria - Place ID: ChIJabc\n2) Vedge - Place ID: ChIJdef",
    "| Name | Rating | Place ID |\n|---|---|---|\n| Osteria | 4.5 | ChIJabc |\n| Vedge | 4.8 | ChIJdef |",
    "### 1. Osteria\nPlace ID: ChIJabc\n### 2. Vedge\nPlace ID: ChIJdef",
    "Name: Osteria\nAddress: 640 N Broad\nPlace ID: ChIJabc\n\nName: Vedge\nPlace ID: ChIJdef",
    "1. [Osteria](https://o.example) Place ID: ChIJabc\n2. [Vedge](https://v.example) Place ID: ChIJdef",
    "Osteria (Place ID: ChIJabc), Vedge (Place ID: ChIJdef)",
]


@pytest.mark.parametrize("text", REPLIES)
def test_a_list_is_read_in_any_form(text: str) -> None:
    session = heard("food in philly")
    session.say(text)
    assert [(e.name, e.id) for e in session.state.references.entities] == [("Osteria", "ChIJabc"), ("Vedge", "ChIJdef")]
    assert [e.name for e in session.hear("the first one").references[0].entities] == ["Osteria"]


@pytest.mark.parametrize(
    ("text", "names"),
    [
        ("I'd recommend Osteria on Broad Street or Vedge in Center City.", ["Osteria", "Vedge"]),
        ("Советую «Пушкин» или «Белый Кролик».", ["Пушкин", "Белый Кролик"]),
        ("Te recomiendo Casa Lucio o Botín en el centro.", ["Casa Lucio", "Botín"]),
        ("I can look for **Italian** or **French** food.", []),
    ],
)
def test_names_are_read_from_plain_sentences(text: str, names: list[str]) -> None:
    session = heard("food in philly")
    session.say(text)
    assert [e.name for e in session.state.references.entities] == names


def test_a_column_of_ratings_chooses_the_best() -> None:
    session = heard("food in philly")
    session.say(REPLIES[2])
    assert [e.name for e in session.hear("the best rated one").references[0].entities] == ["Vedge"]


@pytest.mark.parametrize(
    ("texts", "size", "time"),
    [
        (("for four tomorrow at eight please", "actually make it five", "and at 9 instead"), "5", "tomorrow at 9"),
        (("table for two on friday at 7pm", "move it to saturday"), "2", "saturday at 7pm"),
        (("table for two on friday at 7pm", "on saturday"), "2", "on saturday"),
        (("столик на четверых завтра в 8 вечера", "нет, на пятерых", "лучше в 9"), "5", "завтра в 9"),
        (("столик на двоих завтра в 19:00", "перенеси на пятницу"), "2", "на пятницу в 19:00"),
        (("mesa para cuatro mañana a las ocho", "que sean cinco", "mejor a las diez"), "5", "mañana a las diez"),
    ],
)
def test_a_plan_is_changed_part_by_part(texts: tuple[str, ...], size: str, time: str) -> None:
    session = heard(*texts)
    assert (held(session, "event_party_size"), held(session, "event_date_time")) == (size, time)


def test_making_it_five_is_no_number_of_people_where_none_was_given() -> None:
    assert held(heard("sushi in boston", "make it five"), "event_party_size") is None


def test_a_place_after_the_one_that_is_told_of_is_the_value() -> None:
    session = heard("the food was great in Tokyo, but now Boston again")
    assert held(session, "location") == "boston"


def test_changing_the_location_points_at_no_venue() -> None:
    session = heard("food in philly")
    session.say(LIST)
    assert session.hear("change the location to Miami").references == []
    assert held(session, "location") == "miami"


def test_a_wish_that_is_taken_back_goes() -> None:
    session = heard("бар с живой музыкой в Москве", "без музыки тоже можно")
    assert held(session, "constraints") is None
