"""Lists and reminders: whose they are, how things come on them and go, how they change and are shown."""

from __future__ import annotations

from holdfast import Holdfast, Session, agents
from holdfast.agents.coder import coder
from holdfast.agents.companion import companion
from holdfast.faculties.lists.kept import ListChanged
from tests.rows import every


def talk(*said: str, chat: Session | None = None) -> tuple[Session, str]:
    """A conversation with the companion, and its last reply."""
    chat = chat or Holdfast().session("s", user="u")
    last = ""
    for text in said:
        last = " ".join(reply.text for reply in agents.run(companion, chat.hear(text), chat))
    return chat, last


def on(chat: Session, name: str) -> str:
    return " | ".join(chat.state.lists.get(name))


@every(
    ("said", "asked", "told"),
    [
        ("put soap on my shopping list", "what's on my shopping list?", "soap"),
        ("remind me to renew the passport in May", "what are my reminders?", "renew the passport"),
        ("добавь в список покупок мыло", "что в списке покупок?", "мыло"),
        ("напомни сдать анализы в четверг", "какие у меня напоминания?", "сдать анализы"),
        ("añade jabón a la lista de la compra", "¿qué hay en la lista de la compra?", "jabón"),
        ("recuérdame renovar el carné en mayo", "¿qué recordatorios tengo?", "renovar el carné"),
    ],
)
def test_what_is_on_a_list_is_known_in_the_next_conversation_of_the_same_person(
    said: str, asked: str, told: str
) -> None:
    hf = Holdfast()
    talk(said, chat=hf.session("first", user="u"))
    assert told in talk(asked, chat=hf.session("second", user="u"))[1]
    assert told not in talk(asked, chat=hf.session("third", user="somebody else"))[1]


def test_a_conversation_without_a_user_keeps_its_lists_for_itself() -> None:
    hf = Holdfast()
    one, _ = talk("put soap on my shopping list", chat=hf.session("first"))
    other, _ = talk("hello", chat=hf.session("second"))
    assert on(one, "shopping") == "soap"
    assert not other.state.lists.lists


def test_whoever_is_erased_has_no_lists_left() -> None:
    hf = Holdfast()
    talk("put soap on my shopping list", chat=hf.session("first", user="u"))
    hf.forget(user="u")
    assert not hf.session("second", user="u").state.lists.lists


def test_lists_that_an_older_log_kept_in_its_conversation_are_seen_and_changed_there() -> None:
    hf = Holdfast()
    chat = hf.session("s", user="u")
    chat.hear("hello")
    chat.act(lambda draft: [ListChanged(name="shopping", added=("soap", "rice"))])
    assert on(chat, "shopping") == "soap | rice"
    talk("take the soap off my shopping list", chat=chat)
    assert on(chat, "shopping") == "rice"
    assert not hf.session("t", user="u").state.lists.lists


def test_what_is_undone_is_on_the_list_of_the_person_no_longer() -> None:
    chat, _ = talk("put soap and rice on my shopping list", "take the rice off")
    chat.rewind(2)
    assert on(chat, "shopping") == "soap | rice"
    chat.rewind(0)
    assert not chat.state.lists.lists


def test_lists_can_be_cleared_by_their_name() -> None:
    chat, _ = talk("put soap on my shopping list", "remind me to vote on sunday")
    chat.clear("lists")
    assert not chat.state.lists.lists


@every(
    ("said", "name", "kept"),
    [
        (["jot down in my shopping list: soap, two lemons"], "shopping", "soap | two lemons"),
        (["make a packing list: socks, a charger and the tickets"], "packing", "socks | charger | tickets"),
        (["put soap on my shopping list", "also some rice"], "shopping", "soap | rice"),
        (["put soap on my shopping list", "oh and some rice"], "shopping", "soap | rice"),
        (["put soap on my shopping list", "stick rice on there too"], "shopping", "soap | rice"),
        (["put soap on my shopping list", "add rice too please"], "shopping", "soap | rice"),
        (["put soap on my shopping list", "and don't let me forget the rice"], "shopping", "soap | rice"),
        (["создай список покупок: мыло, два лимона"], "покупки", "мыло | два лимона"),
        (["запиши в список дел постирать шторы"], "дела", "постирать шторы"),
        (["добавь в список покупок мыло", "ещё рис"], "покупки", "мыло | рис"),
        (["добавь в список покупок мыло", "и рис, пожалуйста"], "покупки", "мыло | рис"),
        (["anota en la lista de la compra: jabón y dos limones"], "compra", "jabón | dos limones"),
        (["añade jabón a la lista de la compra", "pon también arroz"], "compra", "jabón | arroz"),
        (["añade jabón a la lista de la compra", "y q no se me olvide el arroz"], "compra", "jabón | arroz"),
    ],
)
def test_things_come_on_the_list_that_is_named_or_being_filled(said: list[str], name: str, kept: str) -> None:
    assert on(talk(*said)[0], name) == kept


@every(
    "said",
    [
        ["put soap on my shopping list", "and I work in a bank"],
        ["put soap on my shopping list", "i put my shoes on"],
        ["put soap on my shopping list", "how do i get there?"],
        ["put soap on my shopping list", "I'm not a soap person"],
        ["put soap on my shopping list", "add a picture to the page"],
        ["добавь в список покупок soap", "и я работаю в банке"],
        ["añade soap a la lista de la compra", "y yo trabajo en un banco"],
    ],
)
def test_what_is_said_of_something_else_comes_on_no_list(said: list[str]) -> None:
    (items,) = talk(*said)[0].state.lists.lists.values()
    assert items == ("soap",)


FILL = {
    "en": "put soap, rice, brown sugar and candles on my shopping list",
    "ru": "добавь в список покупок мыло, рис, сахар и свечи",
    "es": "añade jabón, arroz, azúcar y velas a la lista de la compra",
}


@every(
    ("language", "said", "left"),
    [
        ("en", "take the rice off", "soap | brown sugar | candles"),
        ("en", "leave out the sugar, we have some", "soap | rice | candles"),
        ("en", "not the rice actually", "soap | brown sugar | candles"),
        ("en", "scratch the second one", "soap | brown sugar | candles"),
        ("en", "i already have candles, delete them", "soap | rice | brown sugar"),
        ("en", "i bought the soap and the rice", "brown sugar | candles"),
        ("en", "drop the rice and add lentils instead", "soap | brown sugar | candles | lentils"),
        ("ru", "рис не надо", "мыло | сахар | свечи"),
        ("ru", "рис убери", "мыло | сахар | свечи"),
        ("ru", "мыло купил, вычеркни его", "рис | сахар | свечи"),
        ("ru", "последнее удали", "мыло | рис | сахар"),
        ("ru", "сахар у нас уже есть", "мыло | рис | свечи"),
        ("es", "el arroz no hace falta", "jabón | azúcar | velas"),
        ("es", "quita el tercero", "jabón | arroz | velas"),
        ("es", "borra el arroz de la lista", "jabón | azúcar | velas"),
        ("es", "ya tengo velas, quítalas", "jabón | arroz | azúcar"),
        ("es", "ya he comprado el jabón", "arroz | azúcar | velas"),
        ("es", "terminé el tercero", "jabón | arroz | velas"),
    ],
)
def test_things_go_by_their_names_by_their_places_and_when_they_are_had(language: str, said: str, left: str) -> None:
    chat, told = talk(FILL[language], said)
    (items,) = chat.state.lists.lists.values()
    assert " | ".join(items) == left
    assert told
    assert not chat.memory.facts()


@every(
    "said",
    ["don't take the soap off", "did you take the soap off?", "the soap smells nice", "i sold my car, delete it"],
)
def test_nothing_else_goes(said: str) -> None:
    assert on(talk(FILL["en"], said)[0], "shopping") == "soap | rice | brown sugar | candles"


@every(
    ("said", "kept"),
    [
        ("remind me to book the dentist on monday and to renew my pass", "book the dentist on monday | renew my pass"),
        ("remind me to buy milk and eggs", "buy milk and eggs"),
        ("напомни в среду полить цветы и в четверг вынести ёлку", "в среду полить цветы | в четверг вынести ёлку"),
        ("напомни купить хлеб и молоко", "купить хлеб и молоко"),
        (
            "recuérdame regar las plantas el jueves y sacar la basura el viernes",
            "regar las plantas el jueves | sacar la basura el viernes",
        ),
        ("recuérdame comprar pan y leche", "comprar pan y leche"),
        ("the rent is due on the 5th, don't let me forget that", "the rent is due on the 5th"),
        ("the plumber comes on friday at nine, remind me of that", "the plumber comes on friday at nine"),
        ("в пятницу придёт сантехник, напомни об этом", "в пятницу придёт сантехник"),
    ],
)
def test_each_thing_to_be_done_is_a_reminder_of_its_own(said: str, kept: str) -> None:
    assert on(talk(said)[0], "reminders") == kept


REMIND = {
    "en": "remind me to see the notary on tuesday and to walk the neighbour's dog on wednesday at 6",
    "ru": "напомни во вторник зайти к нотариусу и в среду в 6 выгулять собаку",
    "es": "recuérdame ver al notario el martes y pasear al perro el miércoles a las 6",
}


@every(
    ("language", "said", "left"),
    [
        (
            "en",
            "make the notary thursday not tuesday",
            "see the notary on thursday | walk the neighbour's dog on wednesday at 6",
        ),
        ("en", "move the dog to sunday", "see the notary on tuesday | walk the neighbour's dog on sunday at 6"),
        ("en", "cancel the notary", "walk the neighbour's dog on wednesday at 6"),
        ("en", "i walked the neighbour's dog", "see the notary on tuesday"),
        ("en", "i walked the dog", "see the notary on tuesday"),
        ("ru", "собаку перенеси на пятницу", "во вторник зайти к нотариусу | в пятницу в 6 выгулять собаку"),
        ("ru", "второе перенеси на 8", "во вторник зайти к нотариусу | в среду в 8 выгулять собаку"),
        ("ru", "собаку выгулял", "во вторник зайти к нотариусу"),
        ("ru", "про нотариуса отмени", "в среду в 6 выгулять собаку"),
        ("es", "lo del notario mejor el jueves", "ver al notario el jueves | pasear al perro el miércoles a las 6"),
        ("es", "borra el segundo", "ver al notario el martes"),
        ("es", "ya he paseado al perro, quítalo", "ver al notario el martes"),
    ],
)
def test_a_reminder_changes_its_time_and_goes_when_it_is_done(language: str, said: str, left: str) -> None:
    chat, told = talk(REMIND[language], said)
    assert on(chat, "reminders") == left
    assert "reminders" not in told
    assert not chat.memory.facts()


@every(
    ("set", "said", "now"),
    [
        ("remind me to call the bank at 4", "no, make it 5", "call the bank at 5"),
        ("напомни 3 марта купить цветы", "ой нет, не 3, лучше 5", "5 марта купить цветы"),
        ("напомни сдать отчёт до 5 числа", "до 8", "сдать отчёт до 8 числа"),
        ("recuérdame pagar la luz el 3", "el 4, perdona", "pagar la luz el 4"),
        ("recuérdame llamar al banco el lunes", "no, mejor el martes", "llamar al banco el martes"),
    ],
)
def test_a_reminder_that_was_just_set_is_put_right(set: str, said: str, now: str) -> None:
    assert on(talk(set, said)[0], "reminders") == now


@every(
    ("language", "asked", "told"),
    [
        ("en", "which reminders have i got?", ["notary", "dog"]),
        ("en", "what have i still to do?", ["notary", "dog"]),
        ("en", "is there anything else left?", ["notary", "dog"]),
        ("en", "when do i have to see the notary?", ["tuesday"]),
        ("ru", "покажи напоминания", ["нотариусу", "собаку"]),
        ("ru", "когда мне к нотариусу?", ["вторник"]),
        ("ru", "что осталось?", ["нотариусу", "собаку"]),
        ("es", "¿cuáles me quedan?", ["notario", "perro"]),
        ("es", "¿queda algo más?", ["notario", "perro"]),
        ("es", "enséñame los recordatorios", ["notario", "perro"]),
        ("es", "¿cuándo tengo que ver al notario?", ["martes"]),
    ],
)
def test_what_is_to_be_done_is_told_in_whatever_words_it_is_asked_for(
    language: str, asked: str, told: list[str]
) -> None:
    answer = talk(REMIND[language], asked)[1]
    assert all(word in answer for word in told)


@every(
    ("language", "asked"),
    [
        ("en", "whats on the list"),
        ("en", "what do i still have to buy?"),
        ("en", "read me the shopping list"),
        ("en", "what have i got on there?"),
        ("ru", "покажи список"),
        ("ru", "что надо купить?"),
        ("ru", "что там в списке?"),
        ("ru", "а что у меня там?"),
        ("es", "q hay en la lista?"),
        ("es", "dime la lista de la compra"),
        ("es", "qué me falta por comprar?"),
    ],
)
def test_a_list_is_told_in_whatever_words_it_is_asked_for(language: str, asked: str) -> None:
    answer = talk(FILL[language], asked)[1]
    assert any(word in answer for word in ("brown sugar", "сахар", "azúcar"))


@every("asked", ["how much money have i left?", "сколько у меня осталось денег?", "¿cuánto dinero me queda?"])
def test_what_is_left_of_something_else_is_asked_of_no_list(asked: str) -> None:
    chat, _ = talk(FILL["en"])
    assert "soap" not in talk("hello", "my cat is old", asked, chat=chat)[1]


@every(
    ("said", "told"),
    [
        (["remind me to vote on sunday", "cancel it"], "vote on sunday"),
        (["напомни полить цветы", "отмени"], "полить цветы"),
        (["recuérdame votar el domingo", "bórralo"], "votar el domingo"),
    ],
)
def test_it_is_what_was_just_put_on_a_list_and_the_reply_says_what_went(said: list[str], told: str) -> None:
    chat, answer = talk(*said)
    assert not on(chat, "reminders")
    assert told in answer


def test_a_list_with_one_thing_left_is_told_whatever_else_was_asked() -> None:
    hf = Holdfast(pack="general")
    first, later = hf.session("monday", user="u"), hf.session("tuesday", user="u")
    for text in ("im Ana, i live in leeds and my dog is called Rex", "put milk and bread on my shopping list"):
        list(agents.run(companion, first.hear(text), first))
    for text in ("whats my dog called", "take the milk off"):
        list(agents.run(companion, later.hear(text), later))
    (reply,) = agents.run(companion, later.hear("whats on the list now"), later)
    assert reply.text == "On your shopping list: bread."


def coding(*said: str, chat: Session | None = None) -> tuple[Session, str]:
    """A conversation with the coding assistant, and its last reply."""
    chat = chat or Holdfast(pack="copilot_cli").session("s", user="u", project="p")
    last = ""
    for text in said:
        last = " ".join(reply.text for reply in agents.run(coder, chat.hear(text), chat))
    return chat, last


@every(
    ("said", "name", "kept"),
    [
        (
            "to do today: 1) renew the cert 2) bump go to 1.23 3) answer legal",
            "to-do",
            "renew the cert | bump go to 1.23 | answer legal",
        ),
        (
            "my tasks for the week: 1. add tests, fix docs 2. drop node 18",
            "to-do",
            "add tests, fix docs | drop node 18",
        ),
        ("todo:\n- fix the build\n- remove lodash", "to-do", "fix the build | remove lodash"),
        ("i need to: ring the bank, pay rent. my bank is Nordea", "to-do", "ring the bank | pay rent"),
        ("gotta buy: a mouse, hdmi cable and tape", "shopping", "mouse | hdmi cable | tape"),
        ("launch checklist: freeze main; tell support", "launch", "freeze main | tell support"),
        ("backlog: dark mode, csv export", "backlog", "dark mode | csv export"),
        ("надо сделать: 1) обновить ноду 2) убрать флаги", "дела", "обновить ноду | убрать флаги"),
        ("задачи на сегодня: починить сборку, ответить Оле", "дела", "починить сборку | ответить Оле"),
        ("запиши: продлить домен, закрыть тикет", "дела", "продлить домен | закрыть тикет"),
        ("надо купить: мышку и кабель", "покупки", "мышку | кабель"),
        (
            "anotame para hacer: 1) migrar los pagos 2) subir el coverage a 80%",
            "tareas",
            "migrar los pagos | subir el coverage a 80%",
        ),
        ("anotame para hacer 1) migrar los pagos 2) arreglar el mock", "tareas", "migrar los pagos | arreglar el mock"),
        (
            "lista de pendientes: actualizar node, borrar flags y avisar a Ana",
            "tareas",
            "actualizar node | borrar flags | avisar a Ana",
        ),
        ("pa la lista del super: leche, pan", "compra", "leche | pan"),
        ("Llevame una lista de lectura: Rayuela, Zama", "lectura", "Rayuela | Zama"),
        ("Составьте список, что купить к посадке: торф, плёнка", "список", "торф | плёнка"),
    ],
)
def test_a_row_under_a_heading_is_a_list_and_nothing_else(said: str, name: str, kept: str) -> None:
    for chat, _ in (talk(said), coding(said)):
        assert on(chat, name) == kept
        assert len(chat.state.lists.lists) == 1
        assert not [item for item in chat.memory.items() if "Nordea" not in item.value]


@every(
    "said",
    [
        "what we do: payments for schools",
        "note: the api is on 8081",
        "our stack: fastapi, postgres, redis",
        "write a function that sums all numbers in a list",
        "make a list component with tests",
        "create a todo app with a list of tasks",
        "add a retry to the http client",
        "remove the lodash import and add a test",
        "delete the old tasks table",
        "добавь логирование в сервис оплаты",
        "удали импорт lodash и добавь тест на парсер",
        "agregá un retry al cliente http",
        "borrá el import de lodash y poné un test",
    ],
)
def test_what_a_coder_wants_done_to_code_comes_on_no_list(said: str) -> None:
    assert not coding(said)[0].state.lists.lists
    chat, _ = coding("to do: fix the parser, update lodash", "the worker retries three times", said)
    assert on(chat, "to-do") == "fix the parser | update lodash"


@every(
    ("said", "asked", "told", "gone"),
    [
        (["todo: mock the payments, clean up ci", "done with the mock"], "whats left to do", "ci", "mock"),
        (["todo: talk to QA, upgrade pg", "talked to QA"], "is anything still open?", "pg", "QA"),
        (["todo: fix ci, write docs", "both done"], "anything left?", "nothing", "docs"),
        (["todo: fix ci", "i also have to renew the domain"], "show me my todos", "renew the domain", "also"),
        (["надо: поднять редис, написать мок", "мок написал"], "что мне осталось сделать?", "редис", "мок"),
        (["задачи: сверстать лендинг, купить домен", "зачеркни домен"], "какие у меня задачи?", "лендинг", "домен"),
        (
            ["por hacer: pasar a stripe, subir coverage", "tachá lo de stripe"],
            "que tengo pendiente?",
            "coverage",
            "stripe",
        ),
        (
            ["tareas: login, csv", "agregá a la lista el runbook", "marcá el login como hecho"],
            "q me falta?",
            "runbook",
            "login",
        ),
        (["para comprar: mouse y cable", "ya compré el cable"], "q me falta comprar?", "mouse", "cable"),
        (
            ["to do: ship v2", "por hacer: subir coverage"],
            "what's on my todo list?",
            "ship v2 and subir coverage",
            "nothing",
        ),
    ],
)
def test_a_coder_is_told_what_is_left_to_do(said: list[str], asked: str, told: str, gone: str) -> None:
    chat, answer = coding(*said, asked)
    assert told in answer
    assert gone not in answer
    assert not chat.memory.items()


@every(
    ("said", "asked", "told"),
    [
        ("remind me tomorrow at 9 to renew the cert", "what did you have to remind me of today?", "renew the cert"),
        ("tomorrow at 9 remind me to call ops", "what am i supposed to remember?", "tomorrow at 9 call ops"),
        ("напомни завтра в 10 взять доступ у Лены", "о чём ты должен был мне напомнить?", "доступ у Лены"),
        ("в понедельник напомни созвониться с Ирой", "какие у меня напоминания?", "в понедельник созвониться"),
        ("recordame mañana a las 10 pedirle a lucia el acceso", "buen dia, que me tenias que recordar hoy?", "lucia"),
        ("avisame mañana a las 8 que hay deploy", "que recordatorios tengo?", "hay deploy"),
    ],
)
def test_a_coder_is_told_the_next_day_what_to_be_reminded_of(said: str, asked: str, told: str) -> None:
    hf = Holdfast(pack="copilot_cli")
    coding(said, chat=hf.session("monday", user="u"))
    assert told in coding(asked, chat=hf.session("tuesday", user="u"))[1]


def test_the_model_of_a_coder_is_told_the_lists_in_a_section() -> None:
    chat, _ = coding("to do: fix ci, write docs")
    turn = chat.hear("hello")
    assert "## Lists\n- to-do: fix ci, write docs" in turn.system
    assert "CONTEXT" not in turn.prompt


@every(
    "asked",
    [
        "remind me why we chose redis",
        "what was the redis port, remind me for the readme",
        "recordame por que usamos redis",
    ],
)
def test_to_be_reminded_why_sets_no_reminder(asked: str) -> None:
    chat, _ = coding("we chose redis because memcached has no streams", asked)
    assert not chat.state.lists.lists


@every(
    ("said", "name", "items"),
    [
        (
            ["can u make a list for the move: boxes, tape, cancel broadband, ring the council"],
            "list",
            "boxes | tape | cancel broadband | ring the council",
        ),
        (
            ["apunta para la boda: flores, fotógrafo, DJ y probar la tarta"],
            "lista",
            "flores | fotógrafo | DJ | probar la tarta",
        ),
        (["i owe sam 20 for pizza", "no wait its 32.50 in total to sam"], "owing", "sam 32.50"),
        (["tom owes me 45 for the electric", "and tom still owes me 45 right"], "owed", "tom 45"),
        (["i owe sam 20 for pizza, also 12.50 for the soap"], "owing", "sam 20"),
        (["костя должен мне 1500 за интернет", "а я марату должен 700 за пиццу"], "owed", "костя 1500"),
        (["а я марату должен 700 за пиццу"], "owing", "марату 700"),
        (["костя должен мне 1500", "костя вернул 500, осталось 1000"], "owed", "костя 1000"),
        (
            ["remind me to bring my passport on monday at 8", "actually its tuesday not monday"],
            "reminders",
            "bring my passport on tuesday at 8",
        ),
    ],
)
def test_what_strangers_said_of_lists_and_debts(said: list[str], name: str, items: str) -> None:
    chat, _ = talk(*said)
    assert on(chat, name) == items
