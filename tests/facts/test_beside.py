"""What stands beside what is told: questions, wishes are no facts, one thing stays one, and none of
several things in a row is lost."""

from __future__ import annotations

from holdfast import Holdfast
from tests.rows import every

ENGINE = Holdfast()


def kept(*said: str, pack: str = "general") -> list[str]:
    """What is known after some messages, in its words."""
    chat = Holdfast(pack=pack).session("s", user="u", project="p")
    for text in said:
        chat.hear(text)
    items = (*chat.memory.facts(), *chat.memory.preferences(), *chat.memory.decisions())
    return sorted({item.text or item.value for item in items})


@every(
    "told, asked",
    [
        ("the boiler manual is in drawer 4", "boiler manual"),
        ("the choir rehearses in hall 6", "choir hall"),
        ("the choir rehearses in hall 6", "show me everything you noted"),
        ("le pago 40 euros a la niñera", "y la niñera"),
        ("le pago 40 euros a la niñera", "enséñame todo lo que tienes guardado"),
        ("котельная в подвале 2", "а котельная"),
        ("котельная в подвале 2", "выведи всё что ты записал"),
    ],
)
def test_what_only_names_something_known_or_asks_for_it_is_no_fact(told: str, asked: str) -> None:
    assert kept(told, asked) == kept(told)


@every(
    "said, words",
    [
        ("owe Pam 12 for jars, Clive 30 for the smoker and the lad at the shop 6.50", ("Pam", "Clive", "lad")),
        ("Ines reviews the migrations, Pavel owns the ci", ("Ines", "Pavel")),
        ("Инна ведёт финансы, Павел отвечает за ci", ("Инна", "Павел")),
        ("a Marta le pago 20, a Julio 35 y lo del taller son 60", ("Marta", "Julio", "taller")),
    ],
)
def test_each_of_several_things_in_a_row_is_known(said: str, words: tuple[str, ...]) -> None:
    known = kept(said)
    assert all(any(word in one for one in known) for word in words), known


@every(
    "said, words",
    [
        ("two lodgers: Vera (attic, pays on fridays), Otto (cellar, pays cash)", "Vera (attic, pays on fridays)"),
        ("два жильца: Вера (мансарда, платит по пятницам), Отто (подвал)", "Вера (мансарда, платит по пятницам)"),
        ("dos inquilinos: Vera (ático, paga los viernes), Otto (sótano)", "Vera (ático, paga los viernes)"),
    ],
)
def test_what_stands_in_brackets_stays_with_its_thing(said: str, words: str) -> None:
    assert any(words in one for one in kept(said))


@every(
    "said",
    [
        ("one drop at breakfast, two drops at noon, and the ointment only on sundays"),
        ("одна капля утром, две капли днём, а мазь только по воскресеньям"),
    ],
)
def test_no_sentence_is_kept_with_its_own_parts(said: str) -> None:
    known = kept(said)
    assert known
    assert not any(one in other for one in known for other in known if one != other)


@every(
    "said, words",
    [
        ("oh and the concert is on the 3rd of may", "the concert is on the 3rd of may"),
        ("кстати у меня встреча 3 июня в Твери", "у меня встреча 3 июня в Твери"),
        ("pues el concierto es el 3 de mayo", "el concierto es el 3 de mayo"),
        ("anota que el saco cuesta 32 euros", "el saco cuesta 32 euros"),
        ("да, запомни: код от сейфа 7719", "код от сейфа 7719"),
    ],
)
def test_what_only_leads_up_to_something_is_not_kept_with_it(said: str, words: str) -> None:
    assert words in kept(said)


@every(
    "said, slot",
    [
        ("моя бабушка на даче, 81 год", "age"),
        ("my nan's in a home, 91 years old", "age"),
        ("воспитательница Ольга Павловна, телефон 8-912-555-01-02", "phone"),
        ("my brother has a place in Porto, phone 555 0133", "phone"),
    ],
)
def test_what_goes_on_about_somebody_else_is_not_the_speakers(said: str, slot: str) -> None:
    chat = ENGINE.session(said, user=said)
    chat.hear(said)
    assert slot not in {item.slot for item in chat.memory.facts()}
