"""Several bookings of one person: which of them is meant, what a question does to them, and who may book."""

from __future__ import annotations

import pytest

from holdfast import Holdfast, Session
from holdfast.agents import run
from holdfast.agents.catalogue import known
from holdfast.agents.venues import venues

TWO = {
    "en": (
        *("sushi in boston", "book the first one for 4 on friday at 7pm"),
        *("now a museum for sunday", "book the first one for 2 on sunday at 11am"),
    ),
    "ru": (
        *("суши в москве", "забронируй первое на четверых в пятницу в 7 вечера"),
        *("теперь музей на воскресенье", "забронируй первый на двоих в воскресенье в 11 утра"),
    ),
    "es": (
        *("sushi en madrid", "reserva el primero para cuatro el viernes a las 8"),
        *("ahora un museo para el domingo", "reserva el primero para dos el domingo a las 11"),
    ),
}
"""Dinner for four on friday and a museum for two on sunday; the museum is spoken of last."""


def says(chat: Session, *texts: str) -> str:
    """What the agent says to the last of them."""
    return [reply.text for text in texts for reply in run(venues, chat.hear(text), chat)][-1]


def booked(chat: Session) -> dict[str, tuple[str, str]]:
    """What is booked, by what was looked for."""
    standing = [plan for plan in chat.state.plans.standing if plan.status == "booked"]
    return {plan.what: (plan.when, plan.count) for plan in standing}


@pytest.fixture
def hf() -> Holdfast:
    return Holdfast(pack="vibehuntr")


def with_two(hf: Holdfast, language: str, user: str | None = None) -> Session:
    chat = hf.session("s", user=user)
    says(chat, *TWO[language])
    assert len(booked(chat)) == 2
    return chat


@pytest.mark.parametrize(
    ("language", "question", "told", "untold"),
    [
        ("en", "hang on, which place did we book for friday?", 0, 1),
        ("en", "what time is the dinner again?", 0, 1),
        ("en", "for how many did i book the museum?", 1, 0),
        ("en", "the friday table is for four, right?", 0, 1),
        ("ru", "а что у нас забронировано на пятницу?", 0, 1),
        ("ru", "напомни, во сколько у нас ужин", 0, 1),
        ("ru", "на скольких я бронировал музей?", 1, 0),
        ("es", "espera, ¿qué reservé para el viernes?", 0, 1),
        ("es", "¿a qué hora es la cena?", 0, 1),
        ("es", "¿para cuántos reservé el museo?", 1, 0),
    ],
)
def test_a_question_about_bookings_changes_none_and_is_answered_from_the_one_that_it_means(
    hf: Holdfast, language: str, question: str, told: int, untold: int
) -> None:
    chat = with_two(hf, language)
    names, before = [plan.venue for plan in chat.state.plans.standing], booked(chat)
    answer = says(chat, question)
    assert booked(chat) == before
    assert names[told] in answer
    assert names[untold] not in answer


@pytest.mark.parametrize(
    ("language", "wish", "left"),
    [
        ("en", "we have to cancel friday's dinner, sorry", 1),
        ("en", "actually cancel the museum but keep the dinner", 0),
        ("en", "cancel the thursday one please", 2),
        ("en", "please cancel the bowling", 2),
        ("ru", "отмени ужин в пятницу, пожалуйста", 1),
        ("ru", "отмени музей, но ужин оставь", 0),
        ("ru", "отмени то, что в четверг", 2),
        ("es", "cancela la cena del viernes", 1),
        ("es", "cancela el museo pero deja la cena", 0),
        ("es", "cancela lo del jueves", 2),
    ],
)
def test_what_is_cancelled_is_the_booking_that_fits_and_where_none_does_all_are_named(
    hf: Holdfast, language: str, wish: str, left: int
) -> None:
    chat = with_two(hf, language)
    names = [plan.venue for plan in chat.state.plans.standing]
    answer = says(chat, wish)
    standing = [plan.venue for plan in chat.state.plans.standing]
    assert standing == (names if left == 2 else [names[left]])
    assert all(name in answer for name in names) == (left == 2)


@pytest.mark.parametrize(
    ("language", "wish", "changed", "part"),
    [
        ("en", "could we push the dinner to 9?", 0, "9"),
        ("en", "the dinner will be six people", 0, "6"),
        ("en", "can we do saturday instead, same time", 1, "saturday"),
        ("ru", "можно перенести ужин на 9?", 0, "9"),
        ("ru", "перенеси музей на субботу", 1, "суббот"),
        ("es", "¿podemos mover la cena a las 9?", 0, "9"),
        ("es", "cambia el museo al sábado", 1, "sábado"),
    ],
)
def test_a_change_goes_to_the_booking_that_is_described_and_keeps_its_other_parts(
    hf: Holdfast, language: str, wish: str, changed: int, part: str
) -> None:
    chat = with_two(hf, language)
    before = {plan.venue: plan for plan in chat.state.plans.standing}
    says(chat, wish)
    after = {plan.venue: plan for plan in chat.state.plans.standing}
    names = list(before)
    assert after[names[1 - changed]] == before[names[1 - changed]]
    now = after[names[changed]]
    assert part in f"{now.when} {now.count}"
    assert any(sign.isdigit() for sign in now.when)


@pytest.mark.parametrize(
    ("search", "choice", "doubt", "yes"),
    [
        (
            "museums in boston",
            "lets do the second one, saturday at 11, two of us",
            "do we need to book that?",
            "ok sure",
        ),
        ("музеи в москве", "давай второй, в субботу в 11, нас двое", "а его вообще нужно бронировать?", "да, давай"),
        ("museos en madrid", "el segundo, el sábado a las 11, somos dos", "¿hace falta reservarlo?", "sí, adelante"),
    ],
)
def test_only_a_yes_books_and_a_question_is_none(hf: Holdfast, search: str, choice: str, doubt: str, yes: str) -> None:
    chat = hf.session("s")
    says(chat, search, choice, doubt)
    assert not booked(chat)
    says(chat, yes)
    assert len(booked(chat)) == 1


def test_a_booking_of_before_is_no_leave_for_the_next_one(hf: Holdfast) -> None:
    chat = with_two(hf, "en")
    assert says(chat, "and a bar on saturday", "the second one at 10pm, three of us").startswith("Shall I book ")
    assert len(booked(chat)) == 2


def test_a_place_that_was_shown_and_is_not_booked_makes_a_booking_of_its_own(hf: Holdfast) -> None:
    chat = with_two(hf, "en")
    says(chat, "tapas in boston")
    name = chat.state.references.shown()[0].name
    says(chat, f"ok take {name} then, saturday at 8pm, close to the museum", "two people", "yes")
    assert booked(chat).keys() == {"sushi", "museum", "tapas"}
    assert "sunday" in booked(chat)["museum"][0]


@pytest.mark.parametrize(
    ("language", "name", "asked", "known"),
    [
        ("en", "my name is Ines", "hi! when is our dinner?", "7pm"),
        ("ru", "меня зовут Инес", "привет! во сколько у нас ужин?", "7"),
        ("es", "me llamo Inés", "¡hola! ¿a qué hora es nuestra cena?", "8"),
    ],
)
def test_bookings_and_names_are_known_in_the_next_conversation_of_the_same_person(
    hf: Holdfast, language: str, name: str, asked: str, known: str
) -> None:
    says(with_two(hf, language, "u"), name)
    other, stranger = hf.session("t", user="u"), hf.session("x", user="v")
    assert known in says(other, asked)
    assert other.state.slots.get("user_name") == name.rsplit(maxsplit=1)[-1]
    assert len(booked(other)) == 2
    assert not stranger.state.plans.items
    assert stranger.state.slots.get("user_name") is None


@pytest.mark.parametrize(
    ("language", "wish"),
    [
        ("en", "any coffee near the museum?"),
        ("ru", "есть кофе рядом с музеем?"),
        ("es", "¿hay café cerca del museo?"),
    ],
)
def test_what_is_looked_for_near_a_booking_is_looked_for_in_its_part_of_town(
    hf: Holdfast, language: str, wish: str
) -> None:
    chat = with_two(hf, language)
    museum = next(plan for plan in chat.state.plans.standing if plan.what in ("museum", "музей", "museo"))
    area = next(venue.area for venue in known() if venue.id == museum.venue_id)
    assert area in says(chat, wish)
    assert len(booked(chat)) == 2


def test_a_correction_with_a_question_changes_the_plan_and_asks_again(hf: Holdfast) -> None:
    chat = hf.session("s")
    says(chat, "museums in boston", "the first one, sunday at 11, two of us")
    answer = says(chat, "sunday next week i mean, not this one. do we have to book that at all?")
    assert "Shall I book " in answer
    assert "sunday next week at 11" in answer
    assert not booked(chat)


def test_how_many_come_in_the_end_is_how_many_come(hf: Holdfast) -> None:
    chat = hf.session("s")
    says(chat, "bars in boston for 5 people", "the first one, friday 9pm. we're 6 in the end")
    assert chat.state.plans.now.count == "6"


def test_a_name_that_several_places_share_plans_nothing_until_one_is_chosen(hf: Holdfast) -> None:
    chat = hf.session("s")
    chat.hear("dinner in boston")
    chat.say(
        "1. **Willow Grill** Place ID: ChIJabc123\n2. **Bar Willow** Place ID: ChIJdef456\n"
        "3. **Corvo** Place ID: ChIJghi789"
    )
    chat.hear("what about corvo?")
    chat.say("**Corvo** is open until 11.")
    chat.hear("ok willow, 10.30 pm, but only 4 of us")
    assert not chat.state.plans.items


@pytest.mark.parametrize(
    ("wish", "kind"),
    [("I feel like italian food", "italian"), ("me apetece comida italiana", "italiana"), ("хочется пиццы", "пицц")],
)
def test_a_wish_for_what_a_plan_is_looks_for_another(wish: str, kind: str) -> None:
    hf = Holdfast(pack="vibehuntr")
    earlier = hf.session("monday", user="u")
    earlier.hear("Italian restaurants in South Philly for 5 people")
    earlier.say("1. **Juniper Pizza Kitchen** 2. **Osteria Sable**")
    earlier.hear("book the first one for friday at 7")
    later = hf.session("tuesday", user="u")
    later.hear(wish)
    assert kind in later.state.slots.get("search_query")


def test_with_everything_goes_what_was_only_planned() -> None:
    chat = Holdfast(pack="vibehuntr").session("s", user="u")
    chat.hear("Italian restaurants in South Philly for 5 people")
    chat.say("1. **Juniper Pizza Kitchen** 2. **Osteria Sable**")
    chat.hear("let's take the first one on friday at 7")
    assert chat.state.plans.standing
    chat.clear()
    assert not chat.state.plans.standing


@pytest.mark.parametrize(
    ("language", "change", "dinner", "museum"),
    [
        ("en", "dinner is for 3 now, and the museum for 5", "3", "5"),
        ("en", "make both for 6 people", "6", "6"),
        ("en", "change the dinner to 6 guests", "6", "2"),
        ("en", "the museum should be 5 too", "4", "5"),
        ("ru", "нас теперь пятеро и в ресторане, и в музее", "5", "5"),
        ("ru", "измени музей на 3 гостей", "4", "3"),
        ("ru", "сделай оба на 6 человек", "6", "6"),
        ("es", "somos 5 al final, para la cena y para el museo", "5", "5"),
        ("es", "la cena para 3 y el museo para 5", "3", "5"),
        ("es", "el museo también para 6", "4", "6"),
    ],
)
def test_a_number_of_people_goes_to_every_booking_that_is_named_and_is_no_time(
    hf: Holdfast, language: str, change: str, dinner: str, museum: str
) -> None:
    chat = with_two(hf, language)
    before = [when for when, _ in booked(chat).values()]
    says(chat, change)
    assert sorted(when for when, _ in booked(chat).values()) == sorted(before)
    counts = {plan.when: plan.count for plan in chat.state.plans.standing}
    assert [counts[when] for when in before] == [dinner, museum]


@pytest.mark.parametrize(
    ("language", "wish"),
    [
        ("en", "the museum is too much for the kids, cancel that one"),
        ("ru", "музей детям не потянуть, отмени его"),
        ("es", "el museo es demasiado para los niños, cancélalo"),
    ],
)
def test_what_is_named_before_cancel_that_one_is_cancelled_and_nothing_where_it_is_not_planned(
    hf: Holdfast, language: str, wish: str
) -> None:
    chat = with_two(hf, language)
    says(chat, wish)
    assert [count for _, count in booked(chat).values()] == ["4"]
    says(chat, wish)
    assert len(booked(chat)) == 1


@pytest.mark.parametrize(
    ("language", "asks"),
    [
        ("en", "show me everything thats booked"),
        ("en", "ok so tell me the whole plan one last time"),
        ("ru", "давай ещё раз весь план целиком"),
        ("ru", "покажи всё, что у нас забронировано"),
        ("es", "enséñame todo lo que tengo reservado"),
        ("es", "lista de todas las reservas por favor"),
    ],
)
def test_all_that_is_booked_is_told_in_any_words(hf: Holdfast, language: str, asks: str) -> None:
    chat = with_two(hf, language)
    told = says(chat, asks)
    assert all(plan.venue in told for plan in chat.state.plans.standing)


@pytest.mark.parametrize(
    ("search", "choice", "right", "again", "yes"),
    [
        (
            *("dinner in rittenhouse, philadelphia", "let's do the first one, 4 people"),
            *("sunday 10:30. actually no 11", "no 12 i said", "pm obviously haha. yes go ahead"),
        ),
        (
            *("ужин в москве", "давай первое, нас четверо"),
            *("в воскресенье в 10:30. хотя нет, в 11", "нет, я сказал 12", "конечно днём, да, давай"),
        ),
        (
            *("cena en madrid", "vamos al primero, somos 4"),
            *("el domingo a las 10:30. no, mejor 11", "no, dije 12", "del mediodía claro. sí, adelante"),
        ),
    ],
)
def test_a_number_puts_the_time_right_and_a_yes_counts_wherever_it_stands(
    hf: Holdfast, search: str, choice: str, right: str, again: str, yes: str
) -> None:
    chat = hf.session("s")
    says(chat, search, choice)
    for said, hour in ((right, "11"), (again, "12")):
        says(chat, said)
        plan = chat.state.plans.now
        assert (plan.when.endswith(hour), plan.count, plan.status) == (True, "4", "planned")
    says(chat, yes)
    assert [plan.status for plan in chat.state.plans.standing] == ["booked"]


@pytest.mark.parametrize(
    ("said", "people"),
    [
        ("one of us is in a wheelchair", None),
        ("one of us eats no fish", None),
        ("there are six of us", "6"),
        ("just the two of us", "2"),
        ("10 of us for dinner on friday", "10"),
    ],
)
def test_one_of_those_who_come_is_no_party(said: str, people: str | None) -> None:
    chat = Holdfast(pack="vibehuntr").session("s")
    chat.hear("italian in austin")
    chat.hear(said)
    assert chat.state.slots.get("event_party_size") == people


@pytest.mark.parametrize(
    ("wanted", "refused", "then"),
    [
        ("book the first for friday at 7", "don't book it", "the second, 4 people at 8"),
        ("забронируй первое на пятницу в 7", "не бронируй", "нас четверо, в 8"),
        ("reserva el primero para el viernes a las 7", "no lo reserves", "somos 4, a las 8"),
    ],
)
def test_what_was_called_off_is_booked_on_a_new_yes_only(hf: Holdfast, wanted: str, refused: str, then: str) -> None:
    chat = hf.session("s")
    says(chat, "sushi in boston", wanted, refused, then)
    assert not booked(chat)
