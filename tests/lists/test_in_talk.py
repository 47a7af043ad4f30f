"""Lists as people speak of them in a talk: errands said in passing, rows that go on, what comes back, what is asked of
a list in the words of the moment, and what is owed."""

from __future__ import annotations

from tests.lists.test_lists import on, talk
from tests.rows import every


def listed(name: str, *said: str) -> str:
    return on(talk(*said)[0], name)


ERRANDS = {
    "en": "this week I must clear the loft, sell the piano and visit my aunt",
    "ru": "на этой неделе мне нужно разобрать чердак, продать пианино и навестить тётю",
    "es": "esta semana tengo que vaciar el desván, vender el piano y visitar a mi tía",
}
TASKS = {
    "en": ("to-do", "clear the loft | sell the piano | visit my aunt"),
    "ru": ("дела", "разобрать чердак | продать пианино | навестить тётю"),
    "es": ("tareas", "vaciar el desván | vender el piano | visitar a mi tía"),
}


@every(
    ("language", "agreed"),
    [
        ("en", "sure"),
        ("en", "could you make a list of that"),
        ("en", "put them on my list"),
        ("ru", "давай"),
        ("ru", "ага, составь список"),
        ("es", "claro"),
        ("es", "venga, haz una lista con todo eso"),
    ],
)
def test_errands_are_offered_and_come_on_a_list_only_when_somebody_wants_one(language: str, agreed: str) -> None:
    name, tasks = TASKS[language]
    chat, told = talk(ERRANDS[language])
    assert all(task in told for task in tasks.split(" | "))
    assert not chat.state.lists.lists
    assert not chat.memory.items()
    talk(agreed, chat=chat)
    assert on(chat, name) == tasks


@every("said", ["no thanks", "my aunt is ninety", "yes maybe, not sure", "what did i say about the piano?"])
def test_errands_that_nobody_wants_on_a_list_come_on_none(said: str) -> None:
    assert not talk(ERRANDS["en"], said)[0].state.lists.lists


@every(
    "said",
    [
        "i have to admit she sings well, dances and paints",
        "must i clear the loft, sell the piano and pack?",
        "мама говорит, что надо учиться, а не гулять",
        "i need to write a report, 500 words, on bees",
    ],
)
def test_what_is_no_errand_is_not_offered(said: str) -> None:
    chat, _ = talk(said)
    assert not chat.state.lists.offered


@every(
    ("said", "name", "kept"),
    [
        (["put on my packing list a torch, two maps and dry socks"], "packing", "torch | two maps | dry socks"),
        (["note: glue, coloured paper, scissors"], "list", "glue | coloured paper | scissors"),
        (["запиши в покупки 1,5 кг риса, масло и три лимона"], "покупки", "1,5 кг риса | масло | три лимона"),
        (["apúntame en la lista de la compra arroz, aceite y limones"], "compra", "arroz | aceite | limones"),
        (["my packing list: torch, maps", "you forgot the compass"], "packing", "torch | maps | compass"),
        (["список вещей: карта, фонарик", "ты не записал компас"], "вещи", "карта | фонарик | компас"),
        (["lista de viaje: mapa, linterna", "falta la brújula"], "viaje", "mapa | linterna | brújula"),
        (["my packing list: torch, maps", "we need string too"], "packing", "torch | maps | string"),
        (["my packing list: torch", "i need a list of good vets in leeds"], "packing", "torch"),
        (["my packing list: torch, wool socks", "and the socks"], "packing", "torch | wool socks"),
        (["my packing list: torch", "gloves and a hat", "on the list"], "packing", "torch | gloves | hat"),
        (["my packing list: torch, maps", "you put far too many things on it"], "packing", "torch | maps"),
    ],
)
def test_a_row_is_kept_whole_and_gone_on_with(said: list[str], name: str, kept: str) -> None:
    assert listed(name, *said) == kept


PACK = {
    "en": ("packing", "my packing list: torch, maps and find a tent"),
    "ru": ("вещи", "список вещей: фонарик, карта и найти палатку"),
    "es": ("viaje", "lista de viaje: linterna, mapas y buscar tienda"),
}


@every(
    ("language", "asked"),
    [
        ("en", "and what does it say now"),
        ("en", "which ones do we have"),
        ("en", "repeat it please"),
        ("ru", "что в нём"),
        ("ru", "чего не хватает"),
        ("es", "¿qué pone?"),
        ("es", "¿me la repites?"),
    ],
)
def test_what_points_at_the_list_that_is_spoken_of_is_answered_with_it(language: str, asked: str) -> None:
    answer = talk(PACK[language][1], asked)[1]
    assert any(word in answer for word in ("maps", "карта", "mapas"))


@every("asked", ["why did you do that?", "who are they?", "what time is it?"])
def test_what_asks_for_something_else_is_not_answered_with_a_list(asked: str) -> None:
    assert "maps" not in talk(PACK["en"][1], asked)[1]


def test_a_place_in_a_list_is_told_alone() -> None:
    assert talk(PACK["en"][1], "what's the second one?")[1] == "On your packing list: maps."


@every(
    ("language", "gone", "back"),
    [
        ("en", "take the torch off", "bring it back"),
        ("en", "remove the torch", "sorry, keep the torch"),
        ("en", "clear the list", "restore it"),
        ("ru", "фонарик убери", "верни фонарик"),
        ("ru", "убери фонарик", "ой нет, фонарик оставь"),
        ("es", "quita la linterna", "vuelve a ponerla"),
        ("es", "borra la linterna", "no, la linterna déjala"),
    ],
)
def test_what_was_taken_off_comes_back(language: str, gone: str, back: str) -> None:
    name, filled = PACK[language]
    chat, _ = talk(filled)
    before = set(chat.state.lists.get(name))
    talk(gone, chat=chat)
    assert set(chat.state.lists.get(name)) < before
    talk(back, chat=chat)
    assert set(chat.state.lists.get(name)) == before


def test_a_change_is_taken_back_by_its_words() -> None:
    assert listed("reminders", "remind me to feed the fish on monday", "make it friday", "undo that") == (
        "feed the fish on monday"
    )


@every(
    ("language", "said", "left"),
    [
        ("en", "the torch is bought, and the maps", "find a tent"),
        ("en", "the torch isn't bought", "torch | maps | find a tent"),
        ("en", "got the torch / and the maps too", "find a tent"),
        ("en", "no maps", "torch | find a tent"),
        ("ru", "палатку нашла", "фонарик | карта"),
        ("es", "los mapas ya los tengo", "linterna | buscar tienda"),
    ],
)
def test_what_is_told_to_be_done_goes(language: str, said: str, left: str) -> None:
    name, filled = PACK[language]
    assert listed(name, filled, *said.split(" / ")) == left


def test_what_is_to_be_taken_off_and_is_not_there_is_said_to_be_missing() -> None:
    chat, told = talk(PACK["en"][1], "take the kettle off")
    assert "kettle" in told
    assert on(chat, "packing") == "torch | maps | find a tent"


@every(
    ("set", "said", "now"),
    [
        ("remind me monday to fetch the keys", "at 7", "fetch the keys monday at 7"),
        ("remind me on monday evening to fetch the keys", "make it tuesday", "fetch the keys on tuesday evening"),
        ("remind me to fetch the keys at 6", "make that one 8", "fetch the keys at 8"),
        ("remind me of the parade on the 7th", "move it to the 9th at 10", "the parade on the 9th at 10"),
        ("remind me to stir the jam at noon and at four", "thanks", "stir the jam at noon and at four"),
        ("напомни завтра в 7 утра забрать ключи", "лучше в восемь", "завтра в восемь забрать ключи"),
        ("завтра забрать ключи напомни", "нет, в среду вечером", "в среду вечером забрать ключи"),
        ("напомни забрать ключи", "исправь: в среду в 6 забрать паспорт", "в среду в 6 забрать паспорт"),
        (
            "recuérdame recoger las llaves el lunes",
            "mejor el martes por la tarde",
            "recoger las llaves el martes por la tarde",
        ),
    ],
)
def test_a_reminder_is_said_plainly_and_takes_another_time(set: str, said: str, now: str) -> None:
    assert listed("reminders", set, said) == now


@every(
    "asked",
    [
        "did i ask you to remind me of anything?",
        "have i got something to be reminded of",
        "¿te pedí que me recordaras algo?",
    ],
)
def test_asking_for_reminders_makes_none(asked: str) -> None:
    chat, told = talk("remind me to fetch the keys", asked)
    assert on(chat, "reminders") == "fetch the keys"
    assert "fetch the keys" in told


def test_a_plan_is_kept_whole() -> None:
    assert listed("plans", "plan: swim mon, row wed, rest fri. my coach is Lee") == "swim mon, row wed, rest fri"


def test_what_is_due_on_a_day_is_told() -> None:
    told = talk("remind me to fetch the keys on monday", "and to post the form on friday", "what do i have on friday?")[
        1
    ]
    assert "post the form" in told
    assert "keys" not in told


@every(
    ("said", "owed"),
    [
        (["Nora owes me 12.50, Ali 7 and the lodger 90"], "Nora 12.50 | Ali 7 | lodger 90"),
        (["please track who owes me", "Nora 12, Ali 7"], "Nora 12 | Ali 7"),
        (["Nora owes me 12", "Nora owes me 20"], "Nora 20"),
        (["Nora owes me 12 and Ali 7", "she paid 5"], "Nora 12 | Ali 7"),
        (["Nora owes me 12 and Ali 7", "Ali paid me back"], "Nora 12"),
        (["Nora owes me 12", "Nora gave me 5"], "Nora 7"),
        (["Nora owes me 12", "Nora paid for lunch"], "Nora 12"),
        (["Нина должна мне 300, Рома 150", "Рома отдал 50"], "Нина 300 | Рома 100"),
        (["Nina me debe 30 euros y Raúl 15", "Nina ya me ha pagado"], "Raúl 15"),
        (["she owes me an answer"], ""),
        (["you owe me one"], ""),
        (["я должен позвонить Роме"], ""),
    ],
)
def test_what_others_owe_is_kept_and_paid_off(said: list[str], owed: str) -> None:
    assert listed("owed", *said) == owed


@every(
    ("said", "asked", "told"),
    [
        ("Nora owes me 12 and Ali 7", "who owes me?", "You are owed: Nora 12 and Ali 7 (19 in all)."),
        ("Nora owes me 12 and Ali 7", "how much does ali owe me", "You are owed: Ali 7."),
        ("I owe Nora 12 pounds", "what do i owe?", "You owe: Nora 12 pounds."),
        ("Нина должна мне 300", "кто мне должен?", "Вам должны: Нина 300."),
        ("я должен Роме 200 рублей", "кому я должен?", "Вы должны: Роме 200 рублей."),
        ("le debo 15 euros a Raúl", "¿cuánto debo?", "Debes: Raúl 15 euros."),
        ("le debo 40 a mi prima", "¿a quién le debo?", "Debes: prima 40."),
    ],
)
def test_who_asks_what_is_owed_is_told(said: str, asked: str, told: str) -> None:
    assert talk(said, asked)[1] == told
