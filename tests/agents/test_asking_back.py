"""Asking back: whatever a person told is found again by its words, by what it is and by what is asked for, in any later
conversation, and is given back in a whole sentence. Nobody's question is an answer."""

from __future__ import annotations

from holdfast import Holdfast, Pack, Session, agents
from holdfast.packs.copilot_cli import PACK as COPILOT
from holdfast.packs.general import PACK as GENERAL
from tests.rows import every


def talk(chat: Session, *said: str) -> list[str]:
    """What the agent of a pack replies, the last of it for each message."""
    agent = chat.pack.agent
    assert agent is not None
    return [[reply.text for reply in agents.run(agent, chat.hear(text), chat)][-1] for text in said]


def asked_later(pack: Pack, told: str, question: str) -> str:
    """The answer in another conversation than the one in which things were told, one message after another."""
    hf = Holdfast(pack=pack)
    talk(hf.session("then", user="u", project="p"), *told.split(" / "))
    return talk(hf.session("now", user="u", project="p"), question)[-1]


@every(
    ("told", "question", "answer"),
    [
        ("the concert is on the 3rd of may in cardiff", "when is the concert again", "3rd of may"),
        ("the concert is on the 3rd of may in cardiff", "whats the date of the concert", "3rd of may"),
        ("the concert is on the 3rd of may in cardiff", "where's the concert on?", "cardiff"),
        ("we adopted a kitten called pickle", "whats the kittens name?", "pickle"),
        ("we adopted a kitten called pickle", "what is my cat called", "pickle"),
        ("i take ramipril for my blood pressure", "what do i take for the blood pressure?", "ramipril"),
        ("my brother tunde is a roofer", "what's my brother called", "tunde"),
        ("my brother tunde is a roofer", "who is the roofer?", "tunde"),
        ("im allergic to latex", "what allergies do i have", "latex"),
        ("we chose postgres, because mongo burned us last year", "why did we choose postgres?", "mongo burned us"),
        ("Marcus wanted LaunchDarkly but it was too expensive", "why not LaunchDarkly?", "too expensive"),
        ("Решили взять Keycloak, потому что у заказчика есть SSO.", "а почему мы взяли Keycloak?", "есть SSO"),
        ("uso pnpm porque npm me llenaba el disco", "¿por qué uso pnpm?", "llenaba el disco"),
        ("the plumber charges 65 an hour", "how much does the plumber cost", "65"),
        ("i live in dundee / i work at a bakery", "where do i live and where do i work?", "dundee"),
        ("i live in dundee / i work at a bakery", "where do i live and where do i work?", "bakery"),
        ("rent is 830 a month", "how much is the rent", "830"),
        ("the choir meets on wednesdays at 7", "what day does the choir meet?", "wednesdays"),
        ("на юбилей едем 9 августа в Суздаль", "когда мы едем на юбилей?", "9 августа"),
        ("на юбилей едем 9 августа в Суздаль", "а куда едем на юбилей?", "Суздаль"),
        ("мою дочку зовут Варя, она ходит на плавание", "как дочку зовут", "Варя"),
        ("мою дочку зовут Варя, она ходит на плавание", "куда варя ходит?", "плавание"),
        ("у мужа аллергия на клубнику", "на что аллергия у мужа?", "клубнику"),
        ("гараж снимаю за 4 тысячи", "сколько стоит гараж?", "4 тысячи"),
        ("я живу в Твери", "где я вообще живу?", "Твери"),
        ("бассейн у меня по средам и субботам", "по каким дням бассейн?", "средам"),
        ("у меня спина болит", "что у меня со спиной?", "спина болит"),
        ("собеседование 17 марта / бюджет на отпуск 90 тысяч", "когда собеседование и какой бюджет?", "17 марта"),
        ("собеседование 17 марта / бюджет на отпуск 90 тысяч", "когда собеседование и какой бюджет?", "90 тысяч"),
        ("меня зовут Глеб", "че ты обо мне знаешь?", "Глеб"),
        ("бабушка любит кроссворды", "что любит бабушка?", "кроссворды"),
        ("la boda de mi prima es el 5 de octubre en toledo", "cuando es la boda?", "5 de octubre"),
        ("la boda de mi prima es el 5 de octubre en toledo", "y donde era la boda?", "toledo"),
        ("el dentista me cobra 90 euros", "cuanto me cobra el dentista?", "90"),
        ("mi perra se llama luna", "como se llama la perra", "luna"),
        ("soy alérgico a las gambas", "q alergias tengo?", "gambas"),
        ("mi hermano pau es vegetariano", "quien es vegetariano?", "pau"),
        ("tengo clase de yoga los jueves a las 6", "a q hora es el yoga?", "6"),
        ("me llamo nerea y vivo en vigo", "q sabes de mi", "nerea"),
        ("el alquiler son 640 al mes", "cuánto era el alquiler?", "640"),
        ("me he comprado una moto por 2100", "cuanto costo la moto", "2100"),
        ("vivo en vigo", "en que ciudad vivo?", "vigo"),
        ("mi suegra odia el cilantro", "que odia mi suegra?", "cilantro"),
    ],
)
def test_what_was_told_answers_a_question_in_other_words(told: str, question: str, answer: str) -> None:
    assert answer in asked_later(GENERAL, told, question)


@every(
    ("told", "question", "answer"),
    [
        ("the gateway listens on port 7001", "which port does the gateway listen on?", "7001"),
        ("the gateway listens on port 7001", "what port's the gateway", "7001"),
        ("launch deadline is 9 february", "whats the launch deadline?", "9 february"),
        ("launch deadline is 9 february", "when do we launch", "9 february"),
        (
            "rule: never commit to release, always open a merge request",
            "what's the rule about release?",
            "merge request",
        ),
        ("ingrid owns the billing service", "who owns billing?", "ingrid"),
        ("we decided to go with kafka for events", "what did we decide about events?", "kafka"),
        ("the docs live in handbook/", "where are the docs?", "handbook/"),
        ("liquibase for schema changes", "what are we using for schema changes", "liquibase"),
        ("i use pnpm", "which package manager do i use?", "pnpm"),
        ("max function length is 40 lines", "what's the function length?", "40"),
        ("we deploy on tuesdays", "what day do we deploy?", "tuesdays"),
        ("сервис оплаты слушает порт 7300", "на каком порту сервис оплаты?", "7300"),
        ("за фронт отвечает Лена", "кто отвечает за фронт?", "Лена"),
        ("релиз 21 апреля", "когда релиз", "21 апреля"),
        ("логи лежат в var/out", "где логи?", "var/out"),
        ("el servidor escucha en el puerto 7400", "en que puerto escucha el servidor?", "7400"),
        ("la entrega es el 12 de mayo", "cuando es la entrega", "12 de mayo"),
        ("julia revisa los cambios de seguridad", "quién revisa los cambios de seguridad?", "julia"),
        ("los tests van en pruebas/", "dónde van los tests?", "pruebas/"),
    ],
)
def test_what_was_told_of_a_project_answers_too(told: str, question: str, answer: str) -> None:
    assert answer in asked_later(COPILOT, told, question)


@every(
    ("told", "question", "answer"),
    [
        ("the match is on friday in leeds / when is the match?", "and where?", "leeds"),
        ("my son is called ravi and my niece is called tara / how is my son called?", "and my niece?", "tara"),
        ("сына зовут Лёва, племянника зовут Егор / как зовут сына?", "а племянника?", "Егор"),
        ("el examen es el lunes en el aula 4 / cuando es el examen?", "y dónde?", "aula 4"),
    ],
)
def test_a_question_goes_on_with_the_one_before(told: str, question: str, answer: str) -> None:
    assert answer in talk(Holdfast(pack=GENERAL).session("s", user="u"), *told.split(" / "), question)[-1]


@every(
    ("told", "question", "wrong"),
    [
        ("what time does the library close?", "when does the library close", "You said"),
        ("во сколько закрывается библиотека?", "когда закрывается библиотека", "Вы говорили"),
        ("¿a qué hora cierra la biblioteca?", "cuando cierra la biblioteca", "Dijiste"),
        ("my name is ines", "what is the parrot's name?", "ines"),
        ("my daughter ada is seven", "what is my sister called?", "ada"),
        ("i take iron for my anaemia / i stopped taking iron", "what do i take for my anaemia?", "I take iron for"),
        ("the boat is moored in hull / forget all about the boat", "where is the boat?", "hull"),
    ],
)
def test_a_question_another_attribute_and_what_is_over_answer_nothing(told: str, question: str, wrong: str) -> None:
    assert wrong not in asked_later(GENERAL, told, question)


@every(
    ("told", "question", "answer", "wrong"),
    [
        ("my budget is 300 / make the budget 450", "what's my budget?", "450", "300"),
        ("the party is on the 4th / the party moved, it's on the 11th now", "when is the party?", "11th", "the 4th"),
        ("вечеринка 4 июня / вечеринку перенесли, теперь 11 июня", "когда вечеринка?", "11 июня", "4 июня,"),
    ],
)
def test_what_was_told_last_answers(told: str, question: str, answer: str, wrong: str) -> None:
    said = asked_later(GENERAL, told, question)
    assert answer in said
    assert wrong not in said


@every(
    ("told", "question", "answers", "wrong"),
    [
        (
            "i'm allergic to bees / i take insulin / my name is bo",
            "what do you know about my health?",
            ("bees", "insulin"),
            "your name",
        ),
        ("меня зовут Ким / у брата астма", "что ты знаешь о моём брате?", ("астма",), "зовут"),
        ("me llamo leo / mi padre es panadero", "qué sabes de mi padre?", ("panadero",), "leo"),
    ],
)
def test_a_topic_is_told_and_nothing_beside_it(told: str, question: str, answers: tuple[str, ...], wrong: str) -> None:
    said = asked_later(GENERAL, told, question)
    assert [answer for answer in answers if answer not in said] == []
    assert wrong not in said


@every(
    ("said", "keys"),
    [
        ("my knee is at me again so i cant kneel", ("health is", "likes")),
        ("у меня колено болит, приседать нельзя", ("health", "number", "habit", "hours")),
        ("я работаю по ночам с 22 до 6", ("hours", "habit", "number")),
        ("mi furgo gasta mucho", ("vehicle", "tu vehicle")),
        ("los lunes salgo a correr", ("habit", "hours")),
    ],
)
def test_no_key_is_said(said: str, keys: tuple[str, ...]) -> None:
    chat = Holdfast(pack=GENERAL).session("s", user="u")
    replies = " ".join(talk(chat, said, "what do you know about me?", "что ты обо мне знаешь?", "¿qué sabes de mí?"))
    assert [key for key in keys if key in replies] == []


@every(
    ("told", "question", "answer"),
    [
        ("remind me to collect the cake on monday", "when do i have to collect the cake?", "on monday"),
        ("напомни в среду забрать ключи", "когда забрать ключи?", "в среду"),
        ("у мамы аллергия на пыль / напомни завтра позвонить аллергологу", "на что у мамы аллергия?", "пыль"),
        ("recuérdame pagar la luz el martes", "cuándo tengo que pagar la luz?", "el martes"),
    ],
)
def test_a_reminder_answers_what_it_is_about_and_nothing_else(told: str, question: str, answer: str) -> None:
    assert answer in asked_later(GENERAL, told, question)


def test_how_to_give_it_a_model_is_told_once_per_person() -> None:
    hf = Holdfast(pack=GENERAL)
    said = [*talk(hf.session("a", user="u"), "write me a song"), *talk(hf.session("b", user="u"), "write me a song")]
    assert sum("holdfast serve --model" in text for text in said) == 1


@every(
    ("told", "question", "answers"),
    [
        (
            "we use go with postgres / ci is on github actions",
            "give me a rundown of the stack",
            "PostgreSQL|GitHub Actions",
        ),
        ("auth service is on port 4000, billing is on port 4001", "list all ports", "4000|4001"),
        ("бэк на джанго, база постгрес", "дай сводку по стеку", "джанго|PostgreSQL"),
        ("апи на порту 8000, воркер на порту 8001", "перечисли все порты", "8000|8001"),
        (
            "usamos fastapi y postgres 15, el front es en svelte",
            "haceme un resumen del stack",
            "FastAPI|PostgreSQL|Svelte",
        ),
    ],
)
def test_a_rundown_tells_all_that_is_known_of_something(told: str, question: str, answers: str) -> None:
    answer = asked_later(COPILOT, told, question)
    assert all(one in answer for one in answers.split("|"))
    assert question not in asked_later(COPILOT, f"{question} / {told}", question)


@every(
    ("told", "question", "answer"),
    [
        ("ok so Dov paints the hall, Mira does the floor, and the keys are with Lena", "who paints the hall?", "Dov"),
        ("well, the rent is 640. anyway the cat threw up again", "how much is the rent?", "the rent is 640"),
        ("ну так вот, аренда 640. а кот опять болеет", "сколько стоит аренда?", "аренда 640"),
        ("bueno pues el alquiler son 640. y el gato otra vez malo", "cuanto es el alquiler?", "el alquiler son 640"),
    ],
)
def test_the_clause_that_answers_is_told_without_what_is_around_it(told: str, question: str, answer: str) -> None:
    said = asked_later(GENERAL, told, question)
    assert answer in said
    assert not any(word in said for word in ("cat ", "кот", "gato", "well", "ну", "bueno"))


@every(
    ("told", "moved", "question", "answer"),
    [
        ("the dentist is on the 4th of june", "moved to the 11th now", "when is the dentist?", "11th"),
        ("занятия по вторникам", "теперь по средам", "когда занятия?", "средам"),
        ("la demo es a las 11", "ahora es a las 12", "a que hora es la demo?", "12"),
    ],
)
def test_the_newest_said_of_a_thing_answers_though_it_names_nothing(
    told: str, moved: str, question: str, answer: str
) -> None:
    chat = Holdfast(pack=GENERAL).session("s", user="u")
    assert answer in talk(chat, told, question, moved, question)[-1]


@every(
    "question",
    [
        "what have you got on me so far",
        "give me everything I told you",
        "read me back all you noted",
        "что у тебя записано обо мне",
        "покажи всё что ты запомнил",
        "dime todo lo que te he contado",
        "quiero ver todo lo que tienes apuntado",
    ],
)
def test_all_that_is_known_is_told_by_kind_in_whatever_words_it_is_asked_for(question: str) -> None:
    chat = Holdfast(pack=GENERAL).session("s", user="u")
    told = talk(chat, "I'm Gwen and I live in Hull", "my brother Idris is a roofer", "add figs to my list", question)[
        -1
    ]
    lines = told.split("\n- ")
    assert len(lines) == 4
    assert all(word in line for word, line in zip(("Gwen", "Idris", "figs"), lines[1:], strict=True))


def test_all_that_is_known_leaves_out_what_is_over() -> None:
    chat = Holdfast(pack=COPILOT).session("s", user="u", project="p")
    told = talk(chat, "we use jest", "we switched to vitest", "what do you have noted?")[-1]
    assert "vitest" in told
    assert "jest" not in told


@every(
    ("told", "question", "answer"),
    [
        ("the boiler manual is in drawer 4", "boiler manual", "drawer 4"),
        ("котельная в подвале 2", "а котельная", "подвале 2"),
        ("le pago 40 euros a la niñera", "y la niñera", "40 euros"),
    ],
)
def test_a_few_words_that_only_name_something_known_ask_for_it(told: str, question: str, answer: str) -> None:
    chat = Holdfast(pack=GENERAL).session("s", user="u")
    assert answer in talk(chat, told, question)[-1]


@every(
    ("told", "question", "wrong"),
    [
        ("my neighbour has diabetes", "what health problems do I have?", "diabetes"),
        ("у соседа диабет", "какие у меня болезни?", "диабет"),
        ("mi vecino es diabético", "que enfermedades tengo yo?", "diabético"),
    ],
)
def test_what_is_told_of_somebody_else_answers_no_question_of_oneself(told: str, question: str, wrong: str) -> None:
    chat = Holdfast(pack=GENERAL).session("s", user="u")
    assert wrong not in talk(chat, told, question)[-1]
