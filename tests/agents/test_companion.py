"""The companion: it answers from what is remembered, asks for what is missing, and is honest about the rest."""

from __future__ import annotations

from itertools import pairwise

import pytest

from holdfast import Faculty, Holdfast, Session, agents
from holdfast.agents.companion import _told_in_one, companion
from holdfast.agents.wording import Words
from holdfast.events import DoubtRaised, Event
from holdfast.faculty import Draft
from holdfast.packs.general import PACK
from tests.linear import stays_linear
from tests.rows import every


def replies(chat: Session, *said: str) -> list[str]:
    return [reply.text for text in said for reply in agents.run(companion, chat.hear(text), chat)]


@pytest.fixture
def chat() -> Session:
    return Holdfast().session("s")


def test_it_is_the_agent_of_the_general_pack() -> None:
    assert PACK.agent is companion


@pytest.mark.parametrize(
    ("wish", "where", "place", "back"),
    [
        ("I want a cheesesteak", "Where?", "philly", "So, back to “I want a cheesesteak”."),
        ("Я хочу плов", "Где?", "Казань", "Итак, вернёмся к «Я хочу плов»."),
        ("Quiero tacos de pescado", "¿Dónde?", "Sevilla", "Entonces, volvamos a «Quiero tacos de pescado»."),
    ],
)
def test_a_wish_without_a_place_is_asked_where_and_picked_up_again(
    chat: Session, wish: str, where: str, place: str, back: str
) -> None:
    asked, answered = replies(chat, wish, place)
    assert asked == where
    assert place in answered
    assert back in answered
    assert where not in replies(chat, wish)  # what is known is not asked again


@pytest.mark.parametrize("wish", ["Find me coffee in Philadelphia", "Ищу кофейни в Москве", "Busco un café en Madrid"])
def test_a_wish_that_names_its_place_is_not_asked_where(chat: Session, wish: str) -> None:
    assert not replies(chat, wish)[0].endswith("?")


@pytest.mark.parametrize(
    ("told", "question", "city", "wish"),
    [
        ("i live in Leeds", "where do i live?", "Leeds", "write me a poem about rain"),
        ("я живу в Перми", "где я живу?", "Перми", "напиши стих"),
        ("vivo en Sevilla", "¿dónde vivo?", "Sevilla", "escribe un poema"),
    ],
)
def test_a_home_answers_where_one_lives_and_a_poem_needs_no_place(
    chat: Session, told: str, question: str, city: str, wish: str
) -> None:
    assert not replies(chat, wish)[0].endswith("?")
    assert city in replies(Holdfast().session("t", user="u"), told, question)[-1]


@pytest.mark.parametrize(
    ("question", "before", "told", "after"),
    [
        (
            "what is my email?",
            "You have not told me your e-mail yet.",
            "it is a@b.com",
            "As far as I know, your e-mail is a@b.com.",
        ),
        (
            "какая у меня почта?",
            "Этого вы мне ещё не говорили: почта.",
            "моя почта a@b.ru",
            "Насколько я знаю, ваша почта — a@b.ru.",
        ),
        (
            "¿cuál es mi correo?",
            "Aún no me has dicho tu correo.",
            "mi correo es a@b.es",
            "Que yo sepa, tu correo es a@b.es.",
        ),
    ],
)
def test_it_knows_only_what_it_was_told(chat: Session, question: str, before: str, told: str, after: str) -> None:
    assert replies(chat, question, told, question)[::2] == [before, after]


def test_it_says_what_it_kept_and_what_it_changed(chat: Session) -> None:
    first, second = replies(chat, "write to a@b.com", "sorry, write to c@d.com")
    assert first.startswith("I will remember that your e-mail is a@b.com")
    assert second.startswith("I changed it: your e-mail is c@d.com and no longer a@b.com")


@every(
    ("text", "answer"),
    [
        ("I live in Lisbon", "I know: you live in Lisbon."),
        ("My name is Dana, write to me at dana@example.org", "I know: your name is Dana and your e-mail is"),
        ("Меня зовут Олег", "Знаю: вас зовут Олег."),
        ("Me llamo Ana y vivo en Sevilla", "Ya lo sé: te llamas Ana y vives en Sevilla."),
    ],
)
def test_what_was_told_in_another_conversation_is_known(text: str, answer: str) -> None:
    hf = Holdfast()
    replies(hf.session("first", user="u"), text)
    assert replies(hf.session("second", user="u"), text)[0].startswith(answer)


def test_everything_known_can_be_asked_for(chat: Session) -> None:
    nothing, _, everything = replies(chat, "what do you know about me?", "my mail is a@b.com", "what do you know?")
    assert "nothing about you yet" in nothing
    assert "your e-mail is a@b.com" in everything


def test_it_finds_what_was_said_and_says_when_it_does_not(chat: Session) -> None:
    replies(chat, "my dog Rex hates Mondays", "the meeting is at noon in the blue room")
    assert replies(chat, "what did I say about my dog?") == ["You said: “my dog Rex hates Mondays”."]
    assert replies(chat, "when is the meeting?") == ["You said: “the meeting is at noon in the blue room”."]
    assert replies(chat, "what did I say about taxes?") == ["I find nothing about that in what you told me."]


def test_it_does_not_pretend_to_know_the_world(chat: Session) -> None:
    assert "I only have what you told me" in replies(chat, "who won the world cup in 1998?")[0]
    assert "no model" in replies(chat, "who are you?")[0]


@pytest.mark.parametrize(
    ("text", "answer"),
    [
        ("Hello!", "Hello. What is on your mind?"),
        ("thanks a lot", "You are welcome."),
        ("Bye", "Until next time."),
        ("Привет", "Здравствуйте. О чём поговорим?"),
        ("спасибо", "Пожалуйста."),
        ("Пока!", "До встречи."),
        ("¡Hola!", "Hola. ¿De qué hablamos?"),
        ("gracias", "De nada."),
        ("adiós", "Hasta pronto."),
    ],
)
def test_it_is_polite_in_three_languages(chat: Session, text: str, answer: str) -> None:
    assert replies(chat, text)[0].startswith(answer)


def test_an_open_question_is_asked_first() -> None:
    class Doubting(Faculty):
        name = "doubting"

        def hear(self, draft: Draft) -> list[Event]:  # type: ignore[override]
            return [DoubtRaised(about="place", question="Paris in France or in Texas?")]

    chat = Holdfast(pack=PACK.but(name="x", faculties=(*PACK.faculties, Doubting()))).session("s")
    assert replies(chat, "I am in Paris") == ["Paris in France or in Texas?"]


def test_a_long_message_is_quoted_in_part(chat: Session) -> None:
    replies(chat, "the budget " + "is large and " * 100)
    (said,) = replies(chat, "what did I say about the budget?")
    assert len(said) < 240


def test_asking_back_stays_linear_in_the_messages_that_it_looks_through() -> None:
    def ask_back(text: str) -> None:
        chat = Holdfast().session("s", user="u")
        replies(chat, text)
        replies(chat, "what did I say about the budget?")

    ask_back("the budget is large")  # what is made once is made now
    stays_linear(ask_back, "the budget is large and so is the flat, ", 200)


@pytest.mark.parametrize(
    ("said", "answers"),
    [
        (
            ("add milk and eggs to my shopping list", "whats on my shopping list?", "take the milk off the list"),
            (
                "I put this on your shopping list: milk and eggs.",
                "On your shopping list: milk and eggs.",
                "I took this off your shopping list: milk.",
            ),
        ),
        (
            ("добавь молоко в список покупок", "что в списке покупок?"),
            ("В списке «покупки» теперь есть: молоко.", "В списке «покупки»: молоко."),
        ),
        (
            ("añade leche y pan a la lista de la compra", "¿qué hay en la lista?"),
            ("He apuntado en tu lista de compra: leche y pan.", "En tu lista de compra: leche y pan."),
        ),
    ],
)
def test_it_keeps_lists(chat: Session, said: tuple[str, ...], answers: tuple[str, ...]) -> None:
    assert tuple(replies(chat, *said)) == answers


@pytest.mark.parametrize(
    ("said", "kept", "over"),
    [
        (
            "Remind me to feed the parrot at noon. We sold the boat.",
            "feed the parrot at noon",
            "scratch the parrot thing",
        ),
        ("recuérdame regar las plantas el lunes, gracias", "regar las plantas el lunes", "olvida lo de las plantas"),
        ("напомни купить корм коту. а дача у нас в Луге", "купить корм коту", "про корм забудь"),
    ],
)
def test_a_reminder_ends_where_the_message_goes_on_and_is_taken_off_by_its_words(
    chat: Session, said: str, kept: str, over: str
) -> None:
    chat.hear(said)
    assert chat.state.lists.get("reminders") == (kept,)
    chat.hear(over)
    assert chat.state.lists.get("reminders") == ()


def test_what_one_gives_up_stays_on_a_list_of_things(chat: Session) -> None:
    chat.hear("add eggs to my shopping list")
    chat.hear("I don't eat eggs anymore")
    assert chat.state.lists.get("shopping") == ("eggs",)


def test_asking_what_was_said_is_no_reminder(chat: Session) -> None:
    chat.hear("remind me what I told you about the roof?")
    assert chat.state.lists.lists == {}


def test_it_keeps_reminders_and_plans_and_tells_them(chat: Session) -> None:
    said = replies(
        chat,
        "remind me to call mom tomorrow at 5",
        "what are my reminders?",
        "whats the plan so far?",
        "plan: friday dinner with anna",
        "whats the plan so far?",
    )
    assert "call mom tomorrow at 5" in said[0]
    assert said[1] == "You wanted to be reminded: call mom tomorrow at 5."
    assert said[2].startswith("There is no plan yet.")
    assert said[4] == "The plan so far: friday dinner with anna."


def test_what_is_denied_or_asked_about_is_put_on_no_list(chat: Session) -> None:
    replies(chat, "did you add milk to my list?", "don't add milk to my list")
    assert not chat.state.lists.lists


def test_it_tells_once_how_to_give_it_a_model_and_never_answers_twice_in_the_same_words(chat: Session) -> None:
    said = replies(chat, "tell me a joke", "sing me a song", "hmm", "so so", "write me a poem")
    assert sum("holdfast serve --model" in text for text in said) == 1
    assert all(before != after for before, after in pairwise(said))


def test_it_says_that_it_keeps_something_only_when_it_does(chat: Session) -> None:
    for text in ("lol", "nice weather today", "whatever"):
        (said,) = replies(chat, text)
        assert not said.startswith(("I will", "Noted", "Got it"))
    assert chat.memory.facts() == []


@pytest.mark.parametrize("wish", ["book me a flight", "закажи билет", "resérvame un vuelo"])
def test_no_wish_is_asked_where_in_vain_or_twice(chat: Session, wish: str) -> None:
    first, second = replies(chat, wish, wish)
    assert not first.endswith("?")
    assert first.split(".")[0] != second.split(".")[0]


@pytest.mark.parametrize(
    ("told", "asked", "answer"),
    [
        ("the deadline is friday", "when is the deadline", "friday"),
        ("my daughter is called Mia", "what is my daughter's name?", "Mia"),
        ("mi hija se llama Mía", "¿cómo se llama mi hija?", "Mía"),
        ("у меня аллергия на орехи", "какая у меня аллергия?", "орехи"),
    ],
)
def test_what_is_known_by_a_name_is_told_where_a_question_holds_that_name(
    chat: Session, told: str, asked: str, answer: str
) -> None:
    assert answer in replies(chat, told, asked)[-1]


@pytest.mark.parametrize(
    ("put", "off", "asked"),
    [
        ("add milk to my list", "take milk off the list", "whats on the list"),
        ("añade leche a la lista", "quita la leche de la lista", "¿qué hay en la lista?"),
    ],
)
def test_an_emptied_list_is_empty_and_not_what_was_once_put_on_it(
    chat: Session, put: str, off: str, asked: str
) -> None:
    assert "milk" not in replies(chat, put, off, asked)[-1]
    assert "leche" not in replies(chat, asked)[-1]


@pytest.mark.parametrize(
    "text", ["tell me a joke", "what do you know about me?", "cuéntame un chiste", "расскажи анекдот"]
)
def test_what_it_says_of_itself_is_no_choice_and_no_question(chat: Session, text: str) -> None:
    replies(chat, "I live in Lyon", "I like green tea", text)
    assert chat.state.references.latest() == ()
    assert chat.state.questions.open == ()


@every(
    ("said", "told"),
    [
        ("gardener", "you work as a gardener"),
        ("usher", "you work as an usher"),
        ("the keeper of the lighthouse", "you work as the keeper of the lighthouse"),
    ],
)
def test_work_is_told_with_an_article_where_it_has_none(said: str, told: str) -> None:
    assert Words("en").fact("role", said) == told


@every(
    ("said", "told"),
    [
        ("the plumber says the pipe is rotten", "“the plumber says the pipe is rotten”: say"),
        ("сантехник сказал, что труба гнилая", "труба гнилая"),
        ("el fontanero dice que la tubería está podrida", "la tubería está podrida"),
    ],
)
def test_a_statement_is_told_back_whether_or_not_a_fact_is_kept_of_it(said: str, told: str) -> None:
    (reply,) = replies(Holdfast().session("s"), said)
    assert told in reply
    assert "--model" not in reply


@every(
    ("before", "said"),
    [
        ("the cat is ill", "that's not what I meant"),
        ("el gato está malo", "no, eso no es lo que dije"),
    ],
)
def test_who_complains_is_told_sorry_and_never_twice_in_the_same_words(before: str, said: str) -> None:
    _, first, second = replies(Holdfast().session("s"), before, said, said)
    assert any(word in first for word in ("Sorry", "Простите", "Perdona"))
    assert first != second


def test_what_a_message_did_asks_and_tells_is_answered_in_all_its_parts(chat: Session) -> None:
    replies(chat, "my coach is called Femi", "put soap on my shopping list")
    (reply,) = replies(chat, "add rice to my shopping list. what is my coach called?")
    assert "rice" in reply
    assert "Femi" in reply


@every(
    "said",
    [
        "the gate code is 4471, the alarm code is 9020",
        "код от калитки 4471, код от сигнализации 9020",
        "el código de la verja es 4471, el de la alarma es 9020",
    ],
)
def test_no_words_of_a_message_are_quoted_twice(said: str) -> None:
    (reply,) = replies(Holdfast().session("s"), said)
    assert reply.count("4471") <= 1
    assert reply.count("9020") <= 1


def test_that_nothing_rings_is_told_once(chat: Session) -> None:
    first, second = replies(chat, "remind me to dust the shelves", "remind me to air the quilts")
    assert "I cannot ring" in first
    assert "I cannot ring" not in second


def test_a_way_of_eating_is_what_the_diet_is_and_food_is_eaten() -> None:
    assert Words("en").fact("diet", "vegan") == "your diet is vegan"
    assert Words("en").fact("diet", "trout") == "you eat trout"


def test_facts_that_begin_alike_are_told_in_one_and_what_is_quoted_stands_whole() -> None:
    (told,) = replies(Holdfast().session("s"), "We use Vitest and Playwright for tests")
    assert told == "I will remember that your test framework is vitest and playwright."
    quotes = ["“the gate is red”", "“the gate is blue”"]
    assert _told_in_one(quotes, "“") == quotes
