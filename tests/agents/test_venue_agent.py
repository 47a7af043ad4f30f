"""A conversation with the built-in venue agent works end to end: search, narrow, details, compare, book."""

from __future__ import annotations

from itertools import pairwise
from pathlib import Path

import pytest

from holdfast import Holdfast
from holdfast.agents import run
from holdfast.agents.catalogue import invented, known, named_alone, search, venue
from holdfast.agents.venues import venues
from holdfast.faculties.plans import plans_of
from tests.agents.venue_talk import names, talk


def test_the_same_venues_are_invented_every_time() -> None:
    """Conversations hold their ids: another Python, or another order of inventing, must not change them."""
    assert len(known()) == 720
    assert (known()[0].id, known()[-1].id) == ("ChIJkKa-GU8cNU6Vbozf", "ChIJ4Uey_D8m8i5KKri7")


def test_a_search_needs_a_query_and_a_place_and_asks_for_each_once() -> None:
    _, said = talk("hi", "sushi", "boston")
    assert said[1] == "Where should I look?"
    assert names(said[2])


def test_a_list_narrows_by_price_and_wishes() -> None:
    _, said = talk("italian in philly", "something cheap", "with outdoor seating")
    cheap = {v.name for v in known() if v.city == "Philadelphia" and v.price == 1}
    assert len(names(said[0])) == 3
    assert set(names(said[1])) <= cheap
    assert all(
        "outdoor seating" in v.features for v in known() if v.name in names(said[2]) and v.city == "Philadelphia"
    )
    assert names(said[2])


def test_details_compare_and_book_go_by_what_the_person_points_at() -> None:
    session, said = talk(
        "italian in philly",
        "more details on the second one",
        "compare the first two",
        "book the first one for four tomorrow at eight",
        "thanks",
    )
    first, second, _ = names(said[0])
    assert said[1].startswith(f"**{second}** (italian) is in ")
    assert first in said[2]
    assert second in said[2]
    assert said[3].startswith(f"Booked: **{first}**, tomorrow at eight, for 4 people.")
    assert said[4] == "You are welcome!"
    assert session.face.context()["event_venue_name"] == first


def test_a_booking_asks_for_what_is_missing_and_nothing_else() -> None:
    _, said = talk("sushi in boston", "book the second one", "4", "tomorrow at 8pm")
    assert said[1:3] == ["For how many people?", "For what day and time?"]
    assert said[3].startswith("Booked: ")


def test_more_options_are_other_ones() -> None:
    _, said = talk("restaurants in austin", "what else?")
    assert names(said[1])
    assert not set(names(said[0])) & set(names(said[1]))


def test_it_speaks_russian_and_spanish() -> None:
    _, said = talk("пицца в Москве", "подробнее о втором", "забронируй на двоих завтра в 8 вечера")
    assert "Рейтинг" in said[1]
    assert said[2].startswith("Забронировано: ")
    _, said = talk("sushi en Madrid", "el segundo", "reserva para cuatro mañana a las 8")
    assert said[2].startswith("Reservado: ")


def test_a_place_without_venues_and_an_open_place_are_said() -> None:
    _, said = talk("ramen in Oslo", "restaurants in dallas or austin")
    assert "Oslo" in said[0]
    assert said[1] == "dallas or austin?"


def test_every_venue_has_an_id_of_its_own_and_can_be_found() -> None:
    assert len(known()) > 300
    assert len({venue.id for venue in known()}) == len(known())
    assert all(venue.id.startswith("ChIJ") for venue in known())
    assert search("italian", "South Philly")
    assert all(venue.price <= 2 for venue in search("bar", "Chicago", price=2))


def test_a_booking_is_changed_by_talking_and_can_be_cancelled() -> None:
    session, said = talk(
        "italian in philly",
        "book the second one for four tomorrow at eight",
        "actually make it five",
        "and at 9 instead",
        "cancel that",
    )
    name = names(said[0])[1]
    assert said[2].startswith(f"Changed: **{name}**, tomorrow at eight, for 5 people.")
    assert said[3].startswith(f"Changed: **{name}**, tomorrow at 9, for 5 people.")
    assert said[4].startswith(f"The booking at **{name}** is cancelled.")
    assert session.face.context()["event_venue_name"] is None


def test_a_detail_that_is_asked_for_is_all_that_is_told() -> None:
    _, said = talk(
        "sushi in boston", "the first one", "what's the phone number?", "where is it?", "when does it close?"
    )
    venue = next(v for v in known() if v.name == names(said[0])[0] and v.city == "Boston")
    assert said[2] == f"The phone number of **{venue.name}** is {venue.phone}."
    assert said[3] == f"**{venue.name}** is in {venue.area}, Boston."
    assert said[4] == f"**{venue.name}** is open from {venue.opens} to {venue.closes}."


def test_a_question_for_a_feature_is_answered_with_yes_or_no() -> None:
    _, said = talk("italian in philly", "the first one", "does it have parking?", "is it dog friendly?")
    venue = next(v for v in known() if v.name == names(said[0])[0] and v.city == "Philadelphia")
    assert said[2].startswith("Yes" if "parking" in venue.features else "No")
    assert said[3].startswith("Yes" if "pet friendly" in venue.features else "No")


def test_after_a_list_a_booking_asks_which_one() -> None:
    _, said = talk("italian in philly", "book a table for four tomorrow at eight", "the second")
    assert said[1] == "Which venue shall I book?"
    assert said[2].startswith(f"Booked: **{names(said[0])[1]}**, tomorrow at eight, for 4 people.")


def test_a_part_of_town_with_few_venues_is_filled_up_from_the_rest_of_it() -> None:
    _, said = talk("Italian places in South Philly, nothing fancy", "more about the second one")
    shown = [v for v in known() if v.name in names(said[0]) and v.city == "Philadelphia"]
    assert len(shown) == 3
    assert all(venue.price <= 2 for venue in shown)
    assert next(v for v in shown if v.name == names(said[0])[0]).area == "South Philly"
    assert said[1].startswith(f"**{names(said[0])[1]}** (")


def test_what_was_not_shown_cannot_be_pointed_at() -> None:
    _, said = talk("sushi in boston", "the ninth one", "thanks", "hi", "my name is Ana")
    assert said[1].startswith("I showed 2 of them.")
    assert said[2:] == ["You are welcome!", "Hello! Tell me what you are looking for and where.", "Noted, Ana."]


def test_a_noun_says_which_of_two_lists_is_counted_in() -> None:
    _, said = talk("museums in london", "and parks?", "tell me about the first museum", "the second park")
    assert said[2].startswith(f"**{names(said[0])[0]}** (museum) is in ")
    assert said[3].startswith(f"**{names(said[1])[1]}** (park) is in ")


def test_where_nothing_is_booked_nothing_is_cancelled() -> None:
    _, said = talk("seafood in boston", "the first one", "cancel")
    assert said[2] == "Nothing is booked."


def test_food_is_any_restaurant_and_not_only_seafood() -> None:
    _, said = talk("food in boston", "a drink in austin")
    assert len(names(said[0])) == 3
    assert any(v.kind != "seafood" for v in known() if v.name in names(said[0]) and v.city == "Boston")
    assert all(v.kind in ("bar", "american") for v in known() if v.name in names(said[1]) and v.city == "Austin")


def test_it_says_what_is_remembered_and_that_it_was_forgotten() -> None:
    session, said = talk("суши в казани", "что ты помнишь?", "забудь город", "что ты помнишь?", "сотри всё")
    assert said[1] == "Помню: ищем: суши; место: казань."
    assert said[2:] == ["Забыто.", "Помню: ищем: суши.", "Забыто."]
    assert not session.state.slots.values


def test_a_place_is_kept_as_typed_and_shown_in_the_form_that_stands_alone() -> None:
    session, _ = talk("суши в москве")
    held = session.state.slots.values["location"]
    assert (held.value, held.own, held.canonical) == ("москве", "москва", "Moscow")


@pytest.mark.parametrize(
    ("search", "book", "first", "there"),
    [
        ("sushi in boston", "book it", "the first one", "u there?"),
        ("суши в москве", "забронируй его", "первое", "ты тут?"),
        ("pizza en Barcelona", "resérvalo", "el 1", "¿estás ahí?"),
    ],
)
def test_another_place_than_the_offered_one_is_the_one_that_is_booked(
    search: str, book: str, first: str, there: str
) -> None:
    session, said = talk(search, book, first, there)
    assert [plan.venue for plan in session.state.plans.standing] == names(said[0])[:1]
    assert "**" not in said[3]  # nobody asked about a venue


def test_what_it_does_not_know_is_said_once_and_nothing_is_chosen_from_no_list() -> None:
    _, said = talk("deep dish in chicago", "which is cheapest", "does it have outdoor seating", "book it for sunday 7")
    assert all(one != two for one, two in pairwise(said))
    assert not any(": ." in reply for reply in said)


def test_which_one_is_cheaper_is_answered_by_that_one_and_a_relative_by_a_nod() -> None:
    _, said = talk("суши в москве", "какой из них дешевле?", "муж обожает французскую кухню")
    cheapest = min(search("sushi", "Moscow")[:3], key=lambda venue: venue.price)
    assert cheapest.name in said[1]
    assert "не знаю" not in said[1]
    assert "не умею" not in said[2]


@pytest.mark.parametrize(
    ("search", "book", "asks"),
    [
        ("dinner in austin", "book the first for 4 on friday at 7", "whens the dinner again?"),
        ("ужин в москве", "забронируй первый на двоих в пятницу в семь", "что у нас по плану"),
        ("cena en madrid", "reserva el primero para cuatro el viernes a las 9", "me recuerdas qué aparté?"),
    ],
)
def test_what_is_planned_is_told_however_it_is_asked_for(search: str, book: str, asks: str) -> None:
    session, said = talk(search, book, asks)
    assert session.state.plans.items[0].venue in said[-1]
    assert session.state.plans.items[0].when in said[-1]


def test_a_day_that_comes_next_asks_for_no_more_results() -> None:
    _, said = talk("mexican in austin", "book the first for 10 on friday", "next saturday evening")
    assert said[-1].startswith("Changed: ")


@pytest.mark.parametrize(
    ("search", "asked", "told"),
    [
        ("italian in philly", "the second one, when do they close", " is open from "),
        ("italian in philly", "hours?", " is open from "),
        ("суши в москве", "первый во сколько закрывается", " открыто с "),
        ("паста в питере", "часы работы", " открыто с "),
        ("tapas en madrid", "el primero a qué hora cierra", " abre de "),
        ("tapas en madrid", "horario", " abre de "),
    ],
)
def test_a_detail_is_told_however_it_is_asked(search: str, asked: str, told: str) -> None:
    _, said = talk(search, asked)
    assert told in said[1]
    assert "\n" not in said[1]


@pytest.mark.parametrize(
    ("search", "remark"),
    [
        ("italian in philly", "haha my cousin Rob is going to love that so much"),
        ("паста в питере", "ой у меня там прабабушка всю жизнь прожила"),
        ("tapas en madrid", "jajaja mi hermano siempre llega tarde a todas partes"),
    ],
)
def test_a_remark_is_no_question_about_a_venue(search: str, remark: str) -> None:
    _, said = talk(search, remark)
    assert "**" not in said[1]


@pytest.mark.parametrize(
    ("search", "asked"),
    [
        ("italian in philly", "what would you recommend?"),
        ("паста в питере", "а вы бы что выбрали?"),
        ("tapas en madrid", "cuál me recomiendas?"),
    ],
)
def test_who_asks_for_advice_gets_the_best_of_what_was_shown(search: str, asked: str) -> None:
    _, said = talk(search, asked)
    assert f"**{names(said[0])[0]}**" in said[1]


@pytest.mark.parametrize(
    ("search", "complaint"),
    [
        ("italian in philly", "nah, way too pricey for us"),
        ("паста в питере", "дороговато"),
        ("cena en madrid", "uf, carísimos"),
    ],
)
def test_what_is_too_dear_is_followed_by_what_costs_less(search: str, complaint: str) -> None:
    _, said = talk(search, complaint)
    before, after = ([line.count("$") for line in reply.splitlines() if line[:1].isdigit()] for reply in said)
    assert max(after) < max(2, min(before))


def test_a_booking_speaks_of_one_person_and_takes_the_one_that_is_named_at_last() -> None:
    session, said = talk("italian in philly", "table at the first one tomorrow at 8, just me", "yes but the second one")
    _, second, _ = names(said[0])
    assert "for 1 person" in " ".join(said[1:])
    assert [plan.venue for plan in plans_of(session.state).standing if plan.status == "booked"] in ([], [second])
    assert second in said[2]


def test_what_is_given_instead_of_an_answer_is_noted_before_the_question_comes_again() -> None:
    _, said = talk("italian in philly", "book the first one", "tomorrow", "at nine")
    assert said[1] == "For how many people?"
    assert said[2] == "Noted: tomorrow. For how many people?"
    assert said[3] == "Noted: tomorrow at nine. For how many people?"


def test_a_part_of_town_that_nobody_knows_is_looked_for_in_its_city() -> None:
    _, said = talk("bars in chicago", "near the loop")
    assert names(said[1])


def test_refusing_what_was_shown_shows_others_and_asking_whether_that_is_all_is_no_goodbye() -> None:
    _, said = talk("dinner in chicago", "not those", "that's all?")
    assert names(said[1])
    assert not set(names(said[0])) & set(names(said[1]))
    assert said[2] != "Enjoy!"


@pytest.mark.parametrize(
    ("search", "admitted"),
    [
        ("a cosy italian place in philly", "Whether they fit “cosy” I do not know."),
        ("бар в москве с настольными играми", "Подходят ли они («настольными играми»), я не знаю."),
        ("un bar en madrid con futbolín", "Si encajan con «futbolín», no lo sé."),
    ],
)
def test_a_wish_that_the_table_does_not_know_is_admitted_and_hides_nothing(search: str, admitted: str) -> None:
    _, said = talk(search)
    assert names(said[0])
    assert admitted in said[0]


@pytest.mark.parametrize(
    "wish", ["sushi or thai in boston", "суши или тайская кухня в москве", "sushi o tapas en madrid"]
)
def test_two_kinds_of_places_that_are_wished_for_are_both_looked_for(wish: str) -> None:
    _, said = talk(wish)
    assert len({venue.kind for venue in known() if venue.name in names(said[0])}) > 1


@pytest.mark.parametrize(
    ("search", "asked"),
    [
        ("italian in philly", "do any of these have vegetarian dishes?"),
        ("паста в питере", "в каких из них есть веганские блюда?"),
        ("tapas en madrid", "¿alguno de estos tiene opciones vegetarianas?"),
    ],
)
def test_which_of_several_have_something_is_told_in_one_sentence(search: str, asked: str) -> None:
    session, said = talk(search, asked)
    shown = {entity.id for entity in session.state.references.shown()}
    having = [venue.name for venue in known() if venue.id in shown and "vegan options" in venue.features]
    assert "\n" not in said[1]
    assert {name for name in names(said[0]) if f"**{name}**" in said[1]} == set(having)


def test_a_diet_narrows_what_is_found_and_does_not_hide_what_it_was_not_wished_of() -> None:
    _, said = talk("italian in philly", "my boyfriend is vegetarian btw", "and a bar")
    assert names(said[0]) != names(said[1])
    assert names(said[2])


def test_who_refuses_what_was_shown_and_asks_for_others_gets_others() -> None:
    _, said = talk("restaurants in austin", "well i heard bad things about those. anything else?")
    assert names(said[1])
    assert not set(names(said[0])) & set(names(said[1]))


@pytest.mark.parametrize(
    ("search", "drop", "left"),
    [
        (
            "cheap bars with live music in philadelphia",
            "forget the price, the music is what i care about",
            "live music",
        ),
        ("недорогой бар с живой музыкой в Мадриде", "цена не важна, главное живая музыка", "live music"),
        ("un bar barato con música en vivo en Filadelfia", "olvida el precio", "live music"),
    ],
)
def test_without_one_limit_it_is_searched_again_with_the_others(search: str, drop: str, left: str) -> None:
    _, said = talk(search, drop)
    shown = [venue for venue in known() if venue.name in names(said[1])]
    assert any(venue.price > 2 and left in venue.features for venue in shown)
    assert all(any(left in venue.features for venue in known() if venue.name == name) for name in names(said[1]))


@pytest.mark.parametrize(
    ("search", "asked", "told"),
    [
        (
            "bars in philadelphia",
            "is amber taproom far from rittenhouse and how late is it open?",
            ("University City", "02:00"),
        ),
        ("бары в Мадриде", "где находится Pepper Taproom и до скольки он работает?", ("Lavapiés", "01:00")),
        ("bares en Madrid", "¿dónde está Pepper Taproom y cuánto cuesta?", ("Lavapiés", "$$")),
    ],
)
def test_two_questions_get_two_answers(search: str, asked: str, told: tuple[str, str]) -> None:
    _, said = talk(search, asked)
    assert all(one in said[1] for one in told)


@pytest.mark.parametrize(
    ("search", "asked"),
    [
        ("dinner in boston for 4 on friday", "tell me more about the first one"),
        ("ужин в Москве на четверых в пятницу", "расскажи подробнее про первый"),
        ("cena en Madrid para 4 el viernes", "cuéntame más del primero"),
    ],
)
def test_who_wants_to_know_more_books_nothing(search: str, asked: str) -> None:
    session, said = talk(search, asked)
    assert not plans_of(session.state).items
    assert "+1-555" in said[1]


@pytest.mark.parametrize(
    ("search", "another"),
    [
        ("museums in philadelphia", "is there anything cheaper for them, like a park or a playground"),
        ("музеи в Москве", "а есть что-нибудь подешевле для них, например парк"),
        ("museos en Madrid", "¿y no habrá algo más barato para ellos, un parque o un jardín?"),
    ],
)
def test_another_kind_of_thing_takes_the_place_of_the_first(search: str, another: str) -> None:
    _, said = talk(search, another)
    assert {venue.kind for venue in known() if venue.name in names(said[1])} == {"park"}


@pytest.mark.parametrize(
    ("search", "next_day"),
    [
        ("dinner spot in rittenhouse, philadelphia", "now brunch for sunday"),
        ("где поужинать в Мадриде", "теперь бранч на воскресенье"),
        ("dónde cenar en Madrid", "ahora un brunch para el domingo"),
    ],
)
def test_where_a_person_looked_before_it_is_looked_again(search: str, next_day: str) -> None:
    hf = Holdfast(pack="vibehuntr")
    for name, text in (("s", search), ("t", next_day)):
        session = hf.session(name, user="ana")
        said = [reply.text for reply in run(venues, session.hear(text), session)][-1]
    assert names(said)


@pytest.mark.parametrize(
    ("language", "said", "kind", "town"),
    [
        ("en", "find me a gym in Lubbock", "Gym", "Lubbock"),
        ("en", "physio in leeds, evenings", "Physio", "Leeds"),
        ("ru", "посоветуй барбершоп в Казани", "Барбершоп", "Казань"),
        ("es", "busco un fisioterapeuta en Cuenca", "Fisioterapeuta", "Cuenca"),
    ],
)
def test_what_no_list_names_is_found_in_any_town_and_can_be_booked(
    tmp_path: Path, language: str, said: str, kind: str, town: str
) -> None:
    store = f"sqlite:///{tmp_path / 'v.db'}"
    with Holdfast(store, pack="vibehuntr") as hf:
        chat = hf.session("s", user="u")
        told = [reply.text for reply in run(hf.pack.agent, chat.hear(said), chat)]  # type: ignore[arg-type]
        assert kind in told[0]
        assert town in told[0]
        shown = names(told[0])
        assert len(shown) == 3
    book = {
        "en": "book the second one for friday at 7, 2 people",
        "ru": "забронируй второй на пятницу в 19:00 на двоих",
    }
    book["es"] = "reserva el segundo para el viernes a las 19:00 para dos"
    with Holdfast(store, pack="vibehuntr") as hf:  # another process knows them again
        chat = hf.session("s", user="u")
        told = [reply.text for reply in run(hf.pack.agent, chat.hear(book[language]), chat)]  # type: ignore[arg-type]
        assert shown[1] in told[0]
        assert plans_of(chat.state).standing[0].status == "booked"


def test_an_id_that_is_none_of_ours_is_no_venue() -> None:
    assert venue("ChIJnone") is None
    assert venue("ChIJ" + "é") is None
    made = invented("Bath", "gym")[2]
    assert venue(made.id) == made


def test_a_part_of_town_that_no_list_has_is_looked_through_as_well() -> None:
    _, said = talk("coffee in the northern quarter, manchester", "how about berlin, a hotel near mitte")
    assert "Northern Quarter" in said[0]
    assert "Mitte" in said[1]


@pytest.mark.parametrize(
    ("language", "messages", "told"),
    [
        ("en", ["brunch in london for four", "the second one on sunday at noon please"], "Did you book the table?"),
        ("ru", ["бар в москве", "забронируй первый на пятницу в 8 вечера, нас 10"], "так ты забронировал или нет?"),
        ("es", ["un bar en madrid", "reserva el primero para el viernes a las 8, somos 4"], "¿está reservado?"),
    ],
)
def test_whether_it_was_booked_is_told(language: str, messages: list[str], told: str) -> None:
    _, said = talk(*messages, told)
    assert {"en": "booked", "ru": "ронирова", "es": "reserva"}[language] in said[-1]


def test_a_yes_beside_a_question_books_and_answers() -> None:
    _, said = talk(
        "brunch in london",
        "The second one sounds fine. A table for four on Sunday at noon, please",
        "Yes, please do. And do they have high chairs?",
    )
    assert said[1].startswith("Shall I book")
    assert "Booked: " in said[2]
    assert "I do not know that" in said[2]


def test_nobody_brings_a_party_to_a_barber() -> None:
    _, said = talk("a barber in boston", "book the first for tomorrow at 5")
    assert said[-1].startswith("Booked: ")
    assert "1 person" in said[-1]


def test_what_is_looked_for_is_called_as_it_stands_alone() -> None:
    assert "Парикмахерская " in talk("посоветуйте парикмахерскую в Казани")[1][0]


def test_a_word_that_is_all_ending_is_looked_for_as_it_is() -> None:
    assert named_alone("у фонтана") == "у фонтана"


def test_what_is_found_instead_of_what_was_cancelled_is_shown_at_once() -> None:
    _, said = talk(
        "dentist in chicago",
        "book the first for tomorrow at 9",
        "actually cant make it, cancel. find me a barber instead",
    )
    assert "is cancelled. Here is what I found in Chicago for “barber”" in said[-1]


def test_a_wish_to_book_in_the_form_of_a_question_asks_nothing_of_the_place() -> None:
    _, said = talk("looking for pizza in chicago pls", "how late is the third one open?", "can you reserve the third?")
    assert said[-1] == "For how many people?"


def test_a_question_leaves_the_offer_open_and_no_word_but_a_yes_to_it_books() -> None:
    chat, said = talk(
        "italian in boston", "I'd like the second one for friday at 7, we are two", "do they have high chairs?"
    )
    assert said[1].startswith("Shall I book")
    assert said[2].endswith(said[1])
    assert plans_of(chat.state).standing[0].status == "planned"


def test_braces_in_what_is_looked_for_are_only_words() -> None:
    (first, *_) = search("{x} {0.__class__} den", "Boston")
    assert "{" not in first.name
    assert venue(first.id) == first
