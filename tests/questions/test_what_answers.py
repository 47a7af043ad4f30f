"""Which part of a message answers which question: what leads away answers none, what comes back answers the one that is
still open, and what gives another value answers one anew."""

from __future__ import annotations

from holdfast import Holdfast
from tests.rows import every

ROWS = [
    # a side question answers nothing, and the question stays open
    ("A: How many guests? // something else first: whats 15% of 84 // A: 12.6 // tx. we'd be eleven", "+eleven -84"),
    ("A: Which airline do you prefer? // let me interrupt, can you check my passport", "-interrupt -passport"),
    ("A: Round or square table? // sorry, different topic. does vinegar kill mould // A: Yes. // ok, round", "+Round"),
    ("A: How big is it? // one thing, who invented velcro // A: Mestral. // right, the wall: 4 by 3 metres", "+4_by_3"),
    ("A: Какого размера комната? // не в тему, а сколько калорий в банане", "-тему -банан"),
    ("A: Сколько гостей? // кстати а как по-английски свекла // A: Beetroot. // гостей будет семь", "+семь -свекла"),
    ("A: ¿Qué estilo prefieres? // oye otra cosa, ¿mañana es festivo?", "-festivo -otra"),
    ("A: ¿Playa o montaña? // me surge una duda, ¿hace falta visado? // A: No. // bien. montaña entonces", "+montaña"),
    # of a message that says more, what answers is the answer
    ("A: What does it show? // paper jam, tray 2. i could eat a horse btw, is it lunch yet", "+tray_2 -horse"),
    ("A: Which size should I order, S, M or L? // phew good question. L i guess, i like things baggy", "+L -S,"),
    ("A: What frame size do you need? // 56, i'm 6 foot", "+56 -foot"),
    ("A: За сколько напомнить? // минут двадцать утром", "+минут_двадцать"),
    # a later message answers anew
    ("A: How many nights? // four // A: Do you need parking? // yes please. hm make it five nights", "+five -four"),
    ("A: Which colour? // navy // A: How many? // two please. actually lets do maroon", "+two +maroon -navy"),
    ("A: На какой день? // на среду // A: Хорошо. // ой, в среду я на даче. давайте в пятницу", "+пятницу -среду"),
    ("A: Сколько вас будет? // пятеро // A: Во сколько? // в семь. и кстати нас теперь шестеро", "+шестеро +семь"),
    ("A: ¿Cuántas noches? // cuatro // A: ¿Con desayuno? // sí, y que sean cinco noches", "+cinco -cuatro"),
    # what is told of something else does not
    ("A: What colour should it be? // dark green // A: Nice choice. // my car is red btw", "+dark_green -red"),
    ("A: What day is the party? // saturday // A: Noted. // monday i start a new job", "+saturday -monday"),
    ("A: На сколько человек? // на шестерых // A: Готово. // у сестры трое детей, представляешь", "-трое"),
    ("A: ¿Qué día? // el domingo // A: Hecho. // el lunes trabajo temprano", "+domingo -lunes"),
    ("A: How many guests? // eight // A: The Oak is quiet. // book it for the 14th of June then", "+eight -14th"),
    (
        "A: Did you do a specialty? // endodontics // A: Nice. // write them an email and sign it Dr. Ana Ruiz",
        "+endodontics -Ana",
    ),
    (
        "A: Delivery to home? // work // A: Which address? // skip that for now, I've got the code: 448 071",
        "+work -448",
    ),
    (
        "A: Сколько осталось газа? // 30 миллибар // A: А насос? // насос муж поставил, новый, за 6 400",
        "+30_миллибар",
    ),
]


@every(("said", "expected"), ROWS)
def test_a_question_is_answered_by_what_answers_it(said: str, expected: str) -> None:
    chat = Holdfast(pack="general").session("s")
    for part in said.split(" // "):
        if part.startswith("A: "):
            chat.say(part[3:])
        else:
            chat.hear(part)
    kept = "; ".join(known.answer for known in chat.state.answers.kept)
    for mark in expected.split():
        assert (mark[1:].replace("_", " ") in kept) == (mark[0] == "+"), kept
