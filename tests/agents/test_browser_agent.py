"""The browser agent: it plans, can be stopped between steps, goes on from there, works on tabs and answers."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from holdfast import Holdfast
from holdfast.agents import run
from holdfast.agents.browser import Browser
from holdfast.session import Session

AGENT = Browser(pause=0)
YES = {"en": "yes", "ru": "да", "es": "sí"}


@pytest.fixture
def chat() -> Iterator[Session]:
    with Holdfast(pack="nxtscape") as hf:
        yield hf.session("s")


def talk(chat: Session, text: str, stop: str = "", agree: bool = True) -> list[str]:
    """What the agent says to a message; it is told yes where it asks whether to confirm a deal."""
    said = []
    for reply in run(AGENT, turn := chat.hear(text), chat):
        assert not reply.receipt.did("failed"), str(reply.receipt)
        said.append(reply.text)
        if stop and stop in reply.text:
            chat.interrupt()
    asked = said and any(words in said[-1] for words in ("Shall I confirm", "Подтвердить", "¿Confirmo"))
    return [*said, *talk(chat, YES[turn.language or "en"], stop)] if asked and agree else said


def test_it_carries_out_its_plan_step_by_step(chat: Session) -> None:
    said = talk(chat, "Order toothpaste on Amazon")
    assert said[0].startswith("Plan:\n1. Open Amazon")
    assert said[-1].startswith("Confirmed on Amazon")
    assert chat.face.task()["status"] == "done"


@pytest.mark.parametrize(
    ("order", "asks", "no"),
    [
        ("Order toothpaste on Amazon", "Mint Bright toothpaste. Shall I confirm the order?", "no, not yet"),
        ("Закажи зубную пасту на Amazon", "Зубная паста Mint Bright. Подтвердить заказ?", "нет"),
        ("Reserva un vuelo a Oslo", "Oslo, viernes 9:10. ¿Confirmo la reserva?", "no"),
    ],
)
def test_nothing_is_bought_or_booked_without_a_yes(chat: Session, order: str, asks: str, no: str) -> None:
    assert talk(chat, order, agree=False)[-1].endswith(asks)
    assert not any(
        word in line for line in talk(chat, no, agree=False) for word in ("onfirmed", "тверждено", "onfirmado")
    )
    assert chat.face.task()["status"] != "done"


def test_interrupted_at_the_results_it_starts_from_there(chat: Session) -> None:
    said = talk(chat, "Order toothpaste on Amazon", stop="Results on Amazon")
    assert "Confirmed" not in said[-1]
    assert chat.face.done_count() == 2
    said = talk(chat, "Actually, make it fluoride-free toothpaste")
    assert "1. Filter the results" in said[1]
    assert said[-1] == "Confirmed on Amazon: Herbal Calm toothpaste."


def test_it_goes_on_after_a_restart(tmp_path: Path) -> None:
    store = f"sqlite:///{tmp_path / 'chat.db'}"
    with Holdfast(store, pack="nxtscape") as hf:
        talk(hf.session("s"), "Book a flight to Oslo", stop="Opened Skybook")
    with Holdfast(store, pack="nxtscape") as hf:
        said = talk(hf.session("s"), "continue")
        assert said[1] == "Going on with the plan: 1 of 5 steps done."
        assert said[-1].startswith("Confirmed on Skybook: Flight to Oslo")


def test_tabs_stay_closed_and_a_follow_up_takes_the_verb_before(chat: Session) -> None:
    assert talk(chat, "Close all Google tabs")[0].startswith("Closed 2 tabs")
    assert talk(chat, "and the YouTube ones")[-1].startswith("Closed 2 tabs: YouTube")
    assert talk(chat, "List my tabs")[-1].startswith("2 tabs:")


def test_it_answers_from_the_page_and_comes_back_to_the_task(chat: Session) -> None:
    talk(chat, "Book a flight to Oslo", stop="Results on Skybook")
    assert "Ferries will run" in talk(chat, "what does this page say about ferries?")[-1]
    said = talk(chat, "go back to the flight")
    assert said[0] == "Back to: Book a flight to Oslo."
    assert said[-1].startswith("Confirmed on Skybook")


def test_what_cannot_be_found_is_marked_failed_and_the_rest_skipped(chat: Session) -> None:
    talk(chat, "Find the first mail about a unicorn")
    assert [step["status"] for step in chat.face.steps()] == ["done", "failed", "skipped"]
    assert "nothing for" in chat.face.steps()[1]["reason"]


def test_another_message_in_between_stops_it(chat: Session) -> None:
    replies = run(AGENT, chat.hear("Order toothpaste on Amazon"), chat)
    next(replies)
    next(replies)
    chat.hear("Close all Google tabs")
    assert list(replies) == []
    assert chat.face.stack()[0]["query"] == "Order toothpaste on Amazon"


def test_start_fresh_is_acknowledged_and_asks_for_nothing(chat: Session) -> None:
    talk(chat, "Order toothpaste on Amazon", stop="Opened")
    assert talk(chat, "start fresh") == ["Starting fresh."]
    assert chat.face.task() is None


ERRANDS = {
    "en": (
        "Order toothpaste on Amazon",
        "Results",
        "Actually, make it fluoride-free toothpaste",
        "Confirmed on Amazon",
    ),
    "ru": ("Закажи зубную пасту на Amazon", "Результаты", "Вообще-то, пусть будет без фтора", "Подтверждено на Amazon"),
    "es": ("Pide pasta de dientes en Amazon", "Resultados", "En realidad, que sea sin flúor", "Confirmado en Amazon"),
}


@pytest.mark.parametrize("language", ERRANDS)
def test_an_errand_is_planned_stopped_changed_and_ended_in_every_language(chat: Session, language: str) -> None:
    order, results, change, confirmed = ERRANDS[language]
    talk(chat, order, stop=results)
    assert chat.face.done_count() == 2
    said = talk(chat, change)
    assert said[-1].startswith(confirmed)
    assert "Herbal Calm" in said[-1]


@pytest.mark.parametrize(
    ("first", "then", "back"),
    [
        ("Order toothpaste on Amazon", "Book a flight to Oslo", "go back to the toothpaste"),
        ("Закажи зубную пасту на Amazon", "Забронируй рейс в Осло", "вернись к зубной пасте"),
        ("Pide pasta de dientes en Amazon", "Reserva un vuelo a Oslo", "volvamos a la pasta de dientes"),
    ],
)
def test_a_task_that_comes_back_finds_its_own_page(chat: Session, first: str, then: str, back: str) -> None:
    talk(chat, first, stop="Mint Bright")
    talk(chat, then, stop="Skybook")
    said = talk(chat, back)
    assert "Mint Bright" in said[-1]
    assert "Amazon" in said[-1]


@pytest.mark.parametrize(
    ("order", "question", "price"),
    [
        ("Book a flight to Oslo", "how much is the second one?", "$74.00"),
        ("забронируй рейс в Осло", "сколько стоит второй?", "$74.00"),
        ("Reserva un vuelo a Oslo", "¿cuánto cuesta el segundo?", "$74.00"),
    ],
)
def test_a_side_question_is_answered_and_changes_nothing_of_the_plan(
    chat: Session, order: str, question: str, price: str
) -> None:
    talk(chat, order, stop="9:10")
    before = chat.face.steps()
    assert talk(chat, question)[-1].endswith(price)
    assert chat.face.steps() == before


@pytest.mark.parametrize(
    "said", ["thanks!", "no", "stop", "great", "спасибо", "стоп", "нет", "gracias", "para", "no, gracias"]
)
def test_what_asks_for_nothing_orders_nothing(chat: Session, said: str) -> None:
    talk(chat, "Order toothpaste on Amazon", stop="Results")
    told = talk(chat, said)
    assert chat.face.done_count() == 2
    assert not any("Plan" in line or "Confirmed" in line for line in told)


@pytest.mark.parametrize(
    ("said", "closed"),
    [
        ("close everything except the Google tabs", 4),
        ("закрой все вкладки, кроме Google", 4),
        ("cierra todas las pestañas excepto las de Google", 4),
        ("close the Google Docs tab", 1),
        ("закрой вкладку с рецептами", 1),
        ("cierra la pestaña del puente", 1),
        ("закрой все вкладки кроме ютуба", 4),
        ("cierra todo menos google", 4),
        ("close all the chess tabs", 0),
    ],
)
def test_exactly_the_tabs_that_are_meant_are_closed(chat: Session, said: str, closed: int) -> None:
    talk(chat, said)
    count = talk(chat, "how many tabs are open?")[-1]
    assert str(6 - closed) in count


def test_a_stop_in_words_pauses_and_a_word_goes_on(chat: Session) -> None:
    talk(chat, "Order toothpaste on Amazon", stop="Results")
    assert talk(chat, "wait")[-1].startswith("Stopped: 2 of 5")
    assert chat.face.task()["status"] == "paused"
    assert "Next: Choose" in talk(chat, "what's left?")[-1]
    assert talk(chat, "ok go on")[-1].startswith("Confirmed on Amazon")


def test_a_task_that_is_over_can_be_returned_to_by_name(chat: Session) -> None:
    talk(chat, "Book a flight to Oslo")
    talk(chat, "Close all YouTube tabs")
    said = talk(chat, "go back to the flight")
    assert said[0] == "Back to: Book a flight to Oslo."
    assert said[1].startswith("Nothing is left to do")


def test_what_nobody_understood_is_nothing_to_be_continued(chat: Session) -> None:
    talk(chat, "hello")
    assert chat.hear("asdf qwer").indicator == ""
    assert chat.hear("I need a lamp").route.task_type == "browse"


@pytest.mark.parametrize(
    ("order", "question", "told"),
    [
        ("Renew my library books", "how long does the lentil soup keep?", "It keeps for three days"),
        ("продли мои книги в библиотеке", "сколько хранится чечевичный суп?", "Суп хранится в холодильнике три дня"),
        ("Renueva mis libros en la biblioteca", "¿cuánto se conserva la sopa de lentejas?", "Se conserva tres días"),
    ],
)
def test_a_question_about_an_open_page_in_the_middle_of_an_errand_is_answered(
    chat: Session, order: str, question: str, told: str
) -> None:
    talk(chat, order, stop="CityLibrary" if order[0] == "п" else "ibr")
    before = chat.face.steps()
    assert told in talk(chat, question)[-1]
    assert chat.face.steps() == before


def test_another_site_and_tabs_in_the_same_breath(chat: Session) -> None:
    talk(chat, "Order toothpaste on Amazon", stop="Results")
    assert "Confirmed on eBay: Mint Bright toothpaste." in talk(chat, "go to eBay instead")
    said = talk(chat, "order headphones on eBay and close the YouTube tabs")
    assert any(line.startswith("Closed 2 tabs") for line in said)
    assert "Confirmed on eBay: Over-ear headphones Hush." in said


@pytest.mark.parametrize(
    ("first", "then", "told"),
    [
        ("what does the bridge article say about the opening?", "who wrote it?", ["4 May", "Mara Lindqvist"]),
        ("summarize this page", "and who is the author?", ["4 May", "Mara Lindqvist"]),
        ("перескажи статью про мост", "кто автор?", ["4 мая", "Мара Линдквист"]),
        ("¿qué dice el artículo del puente?", "¿quién lo escribió?", ["4 de mayo", "Mara Lindqvist"]),
    ],
)
def test_a_question_gets_the_sentence_that_tells_it(chat: Session, first: str, then: str, told: list[str]) -> None:
    assert told[0] in talk(chat, first)[-1]
    assert told[1] in talk(chat, then)[-1]


def test_tabs_are_known_by_their_place(chat: Session) -> None:
    assert "flights to Oslo" in talk(chat, "mute the first tab")[-1]
    assert "Lentil soup" in talk(chat, "close the last tab")[-1]


@pytest.mark.parametrize("said", ["find me the cheapest flight to lisbon", "book a flight to Tokyo"])
def test_nothing_is_chosen_that_is_for_another_place(chat: Session, said: str) -> None:
    chosen = [line for line in talk(chat, said) if line.startswith("Chose")]
    assert chosen
    assert all(said.rsplit(maxsplit=1)[-1] in line for line in chosen)


@pytest.mark.parametrize("said", ["ok cool", "lol", "whats the plan so far?", "thanks, thats all!"])
def test_talk_after_an_order_orders_nothing_again(chat: Session, said: str) -> None:
    talk(chat, "Order toothpaste on Amazon")
    assert not any("Confirmed on" in line for line in talk(chat, said))


@pytest.mark.parametrize(
    ("order", "beside", "yes"),
    [
        ("order toothpaste", "close everything except google", "ok"),
        ("закажи зубную пасту", "закрой всё кроме гугла", "ну давай"),
        ("pide pasta de dientes", "cierra las pestañas menos google", "dale"),
    ],
)
def test_tab_work_beside_an_order_changes_nothing_of_it(chat: Session, order: str, beside: str, yes: str) -> None:
    talk(chat, order, agree=False)
    assert "Lo-fi" in (told := talk(chat, beside)[-1]) or "YouTube" in told  # closed
    asked = talk(chat, yes, agree=False)[-1]  # what still waits is named, and nothing is ordered
    assert "Mint Bright" in asked
    assert not asked.startswith(("Confirmed", "Подтверждено", "Confirmado"))


@pytest.mark.parametrize(
    ("first", "dear"),
    [
        ("find a flight to oslo", "hmm too expensive"),
        ("найди рейс в осло", "слишком дорого"),
        ("busca un vuelo a oslo", "muy caro"),
    ],
)
def test_too_expensive_asks_for_the_cheapest(chat: Session, first: str, dear: str) -> None:
    talk(chat, first)
    assert "$74.00" in talk(chat, dear)[-1]


def test_what_is_missing_of_an_order_is_said(chat: Session) -> None:
    found = talk(chat, "find a mail about a unicorn", agree=False)
    assert any("nothing for" in line for line in found)


def test_what_no_list_names_is_sold_all_the_same_and_known_again(chat: Session) -> None:
    assert "Added Birthday card, simple, Wrapping paper, simple." in talk(
        chat, "i need a birthday card and wrapping paper", agree=False
    )
    assert talk(chat, "no wait, just the card", agree=False)[-1].startswith("Taken out: Wrapping paper, simple.")
    assert talk(chat, "yes", agree=False) == ["Confirmed on Amazon: Birthday card, simple."]
    assert "Birthday card, simple" in talk(chat, "what did i buy?", agree=False)[-1]


@pytest.mark.parametrize("said", ["--", "...", "cheaper", "something else"])
def test_nothing_is_ordered_on_a_word_that_is_no_yes(chat: Session, said: str) -> None:
    talk(chat, "order a charger", agree=False)
    assert not any("Confirmed" in line for line in talk(chat, said, agree=False))


def test_another_day_is_looked_for_at_the_same_place(chat: Session) -> None:
    talk(chat, "find a flight to oslo", agree=False)
    assert "oslo saturday" in talk(chat, "make it saturday", agree=False)[-1]


@pytest.mark.parametrize("said", ["mute that youtube thing", "silencia youtube", "заглуши ютуб"])
def test_what_is_done_to_tabs_alone_is_done_to_them_in_the_middle_of_an_errand(chat: Session, said: str) -> None:
    talk(chat, "find a flight to oslo")
    assert talk(chat, said)[-1].startswith(("Muted YouTube", "Silencié YouTube", "Заглушил: YouTube"))


@pytest.mark.parametrize(
    ("order", "more", "total", "through"),
    [
        ("get me headphones", "add a notebook too", "how much is it all together?", "did it go through?"),
        ("закажи наушники", "добавь ещё блокнот", "сколько всего выходит?", "заказ прошёл?"),
        ("pide unos auriculares", "agrega un cuaderno también", "cuánto es en total?", "se hizo el pedido?"),
    ],
)
def test_what_is_in_the_basket_is_summed_up_and_what_was_ordered_told(
    chat: Session, order: str, more: str, total: str, through: str
) -> None:
    talk(chat, order, agree=False)
    talk(chat, more, agree=False)
    assert "$96.50" in talk(chat, total, agree=False)[-1]
    talk(chat, YES["en"])
    assert "Hush" in talk(chat, through)[-1]


def test_a_table_for_two_is_one_table_and_the_mail_is_asked_for_what_is_in_it(chat: Session) -> None:
    assert not any("2 ×" in line for line in talk(chat, "una mesa japonesa para dos"))
    talk(chat, "open my mail")
    assert talk(chat, "who wrote about lunch?")[-1] == "Mail from Mara: lunch on Friday"


def test_a_basket_waits_for_its_yes_while_a_tab_is_looked_at(chat: Session) -> None:
    talk(chat, "Order toothpaste on Amazon", agree=False)
    assert "Switched to Google Docs" in "\n".join(talk(chat, "switch to the docs tab", agree=False))
    assert talk(chat, "yes, order it", agree=False)[-1].startswith("In the basket")
    assert talk(chat, "yes", agree=False)[-1].startswith("Confirmed on Amazon")


@pytest.mark.parametrize("said", ["who's last", "the last one", "¿y el último?"])
def test_the_last_of_no_tabs_is_none(chat: Session, said: str) -> None:
    talk(chat, "close all tabs")
    assert talk(chat, said)
