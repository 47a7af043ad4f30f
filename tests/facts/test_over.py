"""What a message says to be over is gone, however it is worded; what it only speaks of stays."""

from __future__ import annotations

import pytest

from holdfast import Holdfast, Session
from holdfast.faculties.facts.memos import ItemRetracted


def talk(*said: str) -> Session:
    chat = Holdfast(pack="general").session("s", user="u")
    for text in said:
        chat.hear(text)
    return chat


def held(chat: Session) -> str:
    memory = chat.memory
    return " ".join(item.value for item in (*memory.facts(), *memory.preferences(), *memory.decisions())).lower()


@pytest.mark.parametrize(
    ("told", "over", "gone"),
    [
        ("I drive a Corolla", "sold the Corolla on Sunday", "corolla"),
        ("I drive a Skoda Fabia", "Oh and I've sold the Fabia, I go by tram these days", "fabia"),
        ("tengo un Ford Fiesta", "vendí el Fiesta, ahora voy en una moto eléctrica", "fiesta"),
        ("продаю мёд, езжу на Гранте", "Гранту продал, теперь езжу на велосипеде", "грант"),
        ("I play the cello", "I gave up the cello", "cello"),
        ("I work at Brightpath", "I quit Brightpath last week", "brightpath"),
        ("работаю в Ромашке", "из Ромашки я уволился", "ромашк"),
        ("хожу на йогу по вторникам", "йогу я забросила", "йогу"),
        ("trabajo en Acerola", "renuncié a Acerola", "acerola"),
        ("mi perro se llama Tobi", "Tobi murió ayer", "tobi"),
    ],
)
def test_what_is_said_to_be_over_is_gone(told: str, over: str, gone: str) -> None:
    assert gone in held(talk(told))
    assert gone not in held(talk(told, over))


@pytest.mark.parametrize(
    ("told", "said", "stays"),
    [
        ("I drive a Corolla", "the Corolla needs new tyres", "corolla"),
        ("I'm allergic to peanuts", "no rush", "peanuts"),
        ("I'm allergic to peanuts", "we gave up on the garden this year", "peanuts"),
        ("работаю в Ромашке", "в Ромашке сегодня шумно", "ромашк"),
        ("trabajo en Acerola", "en Acerola hay mucho ruido hoy", "acerola"),
        # it is to be kept from somebody, not forgotten
        ("tengo una entrevista el martes", "no se lo cuentes a mi mujer", "entrevista"),
    ],
)
def test_what_is_only_spoken_of_stays(told: str, said: str, stays: str) -> None:
    assert stays in held(talk(told, said))


def test_an_end_is_on_record_with_the_model_and_its_score() -> None:
    chat = talk("I drive a Corolla")
    turn = chat.hear("sold the Corolla on Sunday")
    (end,) = [event for event in turn.events if isinstance(event, ItemRetracted)]
    assert end.because is not None
    assert end.because.by is not None
    assert end.because.by.model.startswith("over-")


@pytest.mark.parametrize(
    ("told", "changed", "gone"),
    [
        ("we're using nose for our nightly regression suites", "we switched from nose to pytest this week", "nose"),
        ("для ночных регрессий у нас используется mocha", "мы перешли с mocha на vitest", "mocha"),
        ("aquí usamos npm para todos los proyectos viejos", "desde ayer nos pasamos de npm a pnpm", "npm"),
    ],
)
def test_a_sentence_kept_beside_a_value_goes_with_it(told: str, changed: str, gone: str) -> None:
    chat = Holdfast(pack="copilot_cli").session("s", user="u", project="p")
    chat.hear(told)
    assert any(gone in item.value.lower() for item in chat.memory.items())
    chat.hear(changed)
    assert [item.value for item in chat.memory.items() if gone in item.value.lower().split()] == []


@pytest.mark.parametrize(
    ("pack", "told", "agent", "said", "stays"),
    [
        # the agent names several facts: a change of something else ends none of them
        ("copilot_cli", "we're on go 1.22 with mysql 8 and memcached", "I know Go 1.22, MySQL 8 and Memcached.",
         "the gateway moved, its on 7070 now", "mysql 8"),
        ("copilot_cli", "we're on go 1.22 with mysql 8 and memcached", "I know Go 1.22, MySQL 8 and Memcached.",
         "nora is our tester, pavel does the frontend", "mysql 8"),
        ("general", "vivo en Burgos y estudio italiano", "Apuntado: vives en Burgos.",
         "el gimnasio lo dejo, me apunto a natación", "burgos"),
        ("general", "живу в Туле, работаю пекарем", "Запомнил: вы живёте в Туле.",
         "экзамен перенесли на пятницу", "тул"),
        ("general", "I live in Whitby", "Noted: you live in Whitby.",
         "the concert moved, it's on the 3rd of May now", "whitby"),
        ("general", "у дочки аллергия на мёд", "Запомнил: у дочки аллергия на мёд.",
         "мужа зовут Глеб, дочку Уля, ей 4", "аллергия на мёд"),
        # saying it again is no end of it
        ("general", "the christening is on the 9th of May in Truro", "Lovely.",
         "i told you when the christening is, 9th of May", "christening"),
    ],
)  # fmt: skip
def test_what_else_is_told_ends_nothing(pack: str, told: str, agent: str, said: str, stays: str) -> None:
    chat = Holdfast(pack=pack).session("s", user="u", project="p")
    chat.hear(told)
    chat.say(agent)
    assert stays in held(chat)
    chat.hear(said)
    assert stays in held(chat)


@pytest.mark.parametrize(
    ("told", "said", "gone", "stays"),
    [
        (["I live in Whitby", "my neighbour Tom fixes boats"], "forget everything about Tom", "tom", "whitby"),
        (["живу в Туле", "моего брата зовут Егор"], "забудь всё про Егора", "егор", "тул"),
        (["vivo en Burgos", "mi hermano se llama Tomás"], "olvida todo lo de Tomás", "tomás", "burgos"),
    ],
)
def test_everything_about_somebody_is_not_everything(told: list[str], said: str, gone: str, stays: str) -> None:
    chat = talk(*told)
    assert gone in held(chat)
    chat.hear(said)
    assert gone not in held(chat)
    assert stays in held(chat)


@pytest.mark.parametrize(
    ("asked", "answer", "over", "gone"),
    [
        ("How do you pay?", "with my Revolut card", "the Revolut card got cancelled", "revolut"),
        ("How do you get to work?", "by the old Vespa", "sold the Vespa", "vespa"),
        ("What do you play?", "the cello", "I gave up the cello", "cello"),
        ("What do you take?", "enalapril in the morning", "they took me off enalapril", "morning"),
    ],
)
def test_an_answer_is_over_like_what_was_told(asked: str, answer: str, over: str, gone: str) -> None:
    chat = talk("hi")
    chat.say(asked)
    chat.hear(answer)
    assert gone in held(chat)
    chat.hear(over)
    assert gone not in held(chat)


def test_another_thing_of_many_is_not_the_newest_of_them() -> None:
    chat = talk("hi")
    chat.say("Which program do you make music with?")
    chat.hear("Ableton")
    chat.hear("no more Photoshop")
    assert "ableton" in held(chat)


def test_an_attribute_that_is_named_is_the_only_one_that_ends() -> None:
    chat = talk("my address is 12 Mill Lane", "I live in Leeds", "wipe the old address")
    assert held(chat) == "leeds"


def test_what_is_put_back_by_days_brings_nothing_back() -> None:
    moved = talk("I use Vim", "I switched to Helix", "I gave up Helix. The meeting was put back two days")
    assert "vim" not in held(moved)
    assert "vim" in held(talk("I use Vim", "I switched to Helix", "Helix is not for me, went back"))
