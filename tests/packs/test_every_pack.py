"""Whatever the pack: its logs fold into its state, it decides alike when asked again, and its conversations travel."""

from __future__ import annotations

import random

import pytest

from holdfast import Holdfast
from holdfast.exchange import transcripts as exchange
from holdfast.history.whatif import recorded, verify, what_if
from holdfast.pack import installed
from holdfast.testing import conversations

PERSON = (
    *("Italian places in South Philly", "the second one", "no, I meant Dallas", "yes", "2", "for 4 people tomorrow"),
    *("my name is Ann and I live in Lisbon", "use plotly instead of matplotlib", "I prefer tabs", "what do you know?"),
    *("close all youtube tabs", "and the news ones too", "start fresh", "12.4 volts", "it still does not work"),
    *("Меня зовут Анна, я живу в Казани", "нет, в Самаре", "второй вариант", "закрой все вкладки", "спасибо"),
    *("Me llamo Ana y vivo en Lima", "no, en Cusco", "el segundo", "crea una imagen roja", "gracias"),
)
AGENT = (
    *(
        "Where?",
        "Shall I book it?",
        "Here are two:\n1. **Osteria** Place ID: ChIJosteria01\n2. **Roma** Place ID: ChIJroma02",
    ),
    *(
        "Done.",
        "What is the voltage?",
        "1. Open the page\n2. Read it\n3. Tell you",
        "Где вы?",
        "¿Cuál prefieres, uno o dos?",
    ),
)


@pytest.fixture(params=installed())
def hf(request: pytest.FixtureRequest) -> Holdfast:
    """Two sessions of one user and project, talked through in turns."""
    chance = random.Random(f"talk to {request.param}")
    hf = Holdfast(pack=request.param)
    for _ in range(60):
        chat = hf.session(chance.choice(["one", "two"]), user="u", project="p")
        if chance.random() < 0.6:
            chat.hear(chance.choice(PERSON))
        else:
            chat.say(chance.choice(AGENT), agent=chance.choice([None, "helper"]))
    return hf


def test_its_logs_fold_into_its_state_and_no_faculty_failed(hf: Holdfast) -> None:
    assert [result.faults for result in verify(hf, recorded(hf))] == [(), ()]
    for info in recorded(hf):
        assert [line.what for past in hf.session(info.name).history(100) for line in past.receipt.did("failed")] == []


def test_it_decides_alike_when_asked_again(hf: Holdfast) -> None:
    assert [result.differences for result in what_if(hf, hf.pack)] == [(), ()]


def test_its_conversations_come_in_elsewhere_with_the_same_state(hf: Holdfast) -> None:
    (one, _) = recorded(hf)
    alone = Holdfast(pack=hf.pack)  # a user's other sessions would have told more: take one that stands by itself
    (told,) = exchange.parse("\n".join(exchange.jsonl(hf, one)).encode(), "x", "x")
    exchange.take_in(alone, told)
    copy = Holdfast(pack=hf.pack)
    (told,) = exchange.parse("\n".join(exchange.jsonl(alone, next(recorded(alone)))).encode(), "x", "x")
    exchange.take_in(copy, told)
    assert copy.session("one").state.json() == alone.session("one").state.json()


def test_a_conversation_of_it_written_as_a_file_holds(hf: Holdfast) -> None:
    alone = Holdfast(pack=hf.pack)
    (told,) = exchange.parse("\n".join(exchange.jsonl(hf, next(recorded(hf)))).encode(), "x", "x")
    exchange.take_in(alone, told)
    (conversation,) = conversations.parse(exchange.talk(alone, next(recorded(alone))))
    assert conversation.expectations > 10
    assert [str(failure) for failure in conversations.run(conversation)] == []
