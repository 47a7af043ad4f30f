"""A choice between what the person weighed is kept as what was decided, and told when it is asked for."""

from __future__ import annotations

from holdfast import Holdfast, Session, agents
from holdfast.agents.companion import companion
from tests.rows import every


def chosen(chat: Session) -> list[str]:
    return [memo.value for memo in chat.memory.decisions()]


@every(
    ("weighed", "taken", "value"),
    [
        ("for the hall, a mirror or a painting?", "the second one", "painting"),
        ("should we get a cat or a dog?", "i think the first one", "cat"),
        ("do i paint the shed green or blue?", "blue", "blue"),
        ("i'm torn between the oak table and the glass desk", "the oak one", "oak table"),
        ("redis or memcached?", "the first one i guess", "redis"),
        ("взять либо палатку, либо гамак, либо домик", "давай третье", "домик"),
        ("не знаю, купить велосипед или самокат", "лучше первое", "велосипед"),
        ("в отпуск на море или в горы?", "второе", "в горы"),
        ("le compro una bufanda o unos guantes", "mejor los guantes", "guantes"),
        ("¿pinto el salón de azul o de verde?", "el primero", "azul"),
        ("dudo entre el sofá gris y la butaca verde", "mejor la verde", "butaca verde"),
        ("no sé si un reloj o una pulsera", "el segundo", "pulsera"),
    ],
)
def test_one_of_several_is_chosen_by_its_place_or_its_name(weighed: str, taken: str, value: str) -> None:
    chat = Holdfast().session("s", user="u")
    chat.hear("My friend Olga has a parrot called Kiwi.")
    for text in (weighed, taken):
        list(agents.run(companion, chat.hear(text), chat))
    assert [value] == chosen(chat)


@every(
    ("said", "asked", "value"),
    [
        (
            ("what do i give Ada for her birthday, a lamp or a scarf?", "the second one"),
            "what am i giving Ada?",
            "scarf",
        ),
        (("monday or friday for the concert?", "the second one"), "what day did i choose?", "friday"),
        (("дарить Оле книгу или шарф?", "давай второе"), "что я выбрал?", "шарф"),
        (("le regalo a Ada un libro o una bufanda", "el segundo"), "¿qué elegí?", "bufanda"),
    ],
)
def test_what_was_chosen_is_told_in_the_next_conversation(said: tuple[str, ...], asked: str, value: str) -> None:
    hf = Holdfast()
    chat = hf.session("one", user="u")
    for text in said:
        list(agents.run(companion, chat.hear(text), chat))
    other = hf.session("two", user="u")
    (reply,) = agents.run(companion, other.hear(asked), other)
    assert value in reply.text


def test_another_choice_takes_the_place_of_the_first() -> None:
    chat = Holdfast().session("s", user="u")
    for text in ("a lamp or a scarf?", "the second one", "hmm no, the first one"):
        chat.hear(text)
    assert chosen(chat) == ["lamp"]


@every(
    "said",
    ["the second time it rained", "what is the second one?", "my brother took the second one yesterday, he says"],
)
def test_what_chooses_nothing_decides_nothing(said: str) -> None:
    chat = Holdfast().session("s", user="u")
    chat.hear("a lamp or a scarf?")
    chat.hear(said)
    assert not chosen(chat)


@every("said", ["the second one", "давай второе", "mejor el segundo"])
def test_what_is_known_of_the_person_is_no_list_to_choose_from(said: str) -> None:
    chat = Holdfast().session("s", user="u")
    for text in ("my friend Olga has a parrot", "I work as a welder", "my sister lives in Bern"):
        list(agents.run(companion, chat.hear(text), chat))
    known = {memo.id for memo in chat.memory.items()}
    turn = chat.hear(said)
    assert not turn.references
    assert {memo.id for memo in chat.memory.items()} == known
