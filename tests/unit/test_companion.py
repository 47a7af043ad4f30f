"""The companion: it answers from what is remembered, asks for what is missing, and is honest about the rest."""

from __future__ import annotations

import pytest

from holdfast import Faculty, Holdfast, Session, agents
from holdfast.agents.companion import companion
from holdfast.events import DoubtRaised, Event
from holdfast.faculty import Draft
from holdfast.packs.general import PACK


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
    ("question", "before", "told", "after"),
    [
        ("what is my email?", "You have not told me your e-mail yet.", "it is a@b.com", "Your e-mail: a@b.com."),
        ("какая у меня почта?", "Этого вы мне ещё не говорили: почта.", "моя почта a@b.ru", "почта: a@b.ru."),
        ("¿cuál es mi correo?", "Aún no me has dicho tu correo.", "mi correo es a@b.es", "Tu correo: a@b.es."),
    ],
)
def test_it_knows_only_what_it_was_told(chat: Session, question: str, before: str, told: str, after: str) -> None:
    assert replies(chat, question, told, question)[::2] == [before, after]


def test_it_says_what_it_kept_and_what_it_changed(chat: Session) -> None:
    first, second = replies(chat, "write to a@b.com", "sorry, write to c@d.com")
    assert first.startswith("Noted: e-mail: a@b.com")
    assert second.startswith("Changed: e-mail: a@b.com → c@d.com")


def test_everything_known_can_be_asked_for(chat: Session) -> None:
    nothing, _, everything = replies(chat, "what do you know about me?", "my mail is a@b.com", "what do you know?")
    assert "nothing about you yet" in nothing
    assert "e-mail: a@b.com" in everything


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
    assert len(said) < 160
