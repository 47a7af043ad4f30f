"""What is told of relatives, friends and animals is theirs: kept in its own words, told as theirs, never the
speaker's."""

from __future__ import annotations

from holdfast import Holdfast, Session
from holdfast.faculties.facts.whose import THEIRS
from tests.rows import every

ENGINE = Holdfast()
SPEAKERS = ("name", "age", "home", "location", "role", "employer", "studies", "health", "diet", "allergy", "nickname")


def heard(*said: str) -> Session:
    """A talk; what begins with "A:" is said by the agent."""
    chat = ENGINE.session(f"{hash(said)}", user=f"{hash(said)}")
    for text in said:
        if text.startswith("A:"):
            chat.say(text[2:].strip())
        else:
            chat.hear(text)
    return chat


def slots(chat: Session) -> dict[str, str]:
    return {item.slot.partition("/")[0]: str(item.value) for item in chat.memory.facts()}


@every(
    "said, whose, words",
    [
        ("my son Theo is lactose intolerant", "family", "Theo is lactose intolerant"),
        ("my mum can't eat gluten", "family", "my mum can't eat gluten"),
        ("my wife is diabetic", "family", "my wife is diabetic"),
        ("My sister Nora is a vet in Bergen", "family", "vet in Bergen"),
        ("my best friend Lou is allergic to cats", "friend", "Lou is allergic to cats"),
        ("у сына аллергия на орехи", "family", "у сына аллергия на орехи"),
        ("муж работает водителем на Яндекс", "family", "водителем"),
        ("моя подруга Лена вегетарианка", "friend", "Лена вегетарианка"),
        ("mi marido es celíaco", "family", "celíaco"),
        ("mi hija Ana estudia en Salamanca", "family", "estudia en Salamanca"),
        ("mi amiga Marta es alérgica al polen", "friend", "alérgica al polen"),
    ],
)
def test_what_is_told_of_others_is_kept_as_theirs(said: str, whose: str, words: str) -> None:
    chat = heard(said)
    known = slots(chat)
    assert words in known[whose]
    assert known.keys().isdisjoint(SPEAKERS)
    assert words in chat.hear("what should I cook or buy?").context + str(chat.memory.search(words))


@every(
    "before, said",
    [
        ("my son Theo starts school in May", "Theo is lactose intolerant, what snacks work for him?"),
        ("mi hija Emi tiene cinco años", "Emi es alérgica al huevo"),
        ("мою дочь зовут Вера, моя дочь Вера учится в школе", "Вера вегетарианка"),
    ],
)
def test_a_name_that_was_told_says_whose_it_is(before: str, said: str) -> None:
    chat = heard(before, said)
    assert slots(chat).keys().isdisjoint(SPEAKERS)


@every(
    "asked, said, whose",
    [
        ("How old is your son?", "fifteen", "answer"),
        ("What does your sister do?", "she's a nurse", "answer"),
        ("Where does your brother live?", "Lisbon", "answer"),
        ("How old is he?", "47", "answer"),
        ("What's your wife's name?", "Ingrid", "family"),
        ("What is the cat's name?", "Dame Kiri", "pet"),
        ("Сколько лет вашей дочери?", "семь", "answer"),
        ("Как зовут вашего мужа?", "Рустам", "family"),
        ("¿Cuántos años tiene tu hijo?", "nueve", "answer"),
        ("¿Cómo se llama tu perro?", "Tango", "pet"),
    ],
)
def test_an_answer_about_others_is_none_of_the_speaker(asked: str, said: str, whose: str) -> None:
    chat = heard(f"A: {asked}", said)
    assert slots(chat).keys() == {whose}
    assert chat.state.answers.kept[-1].answer == said


@every(
    "said, slot",
    [
        ("my wife and I live in Leeds", "home"),
        ("mi mujer y yo vivimos en Sevilla", "home"),
        ("я живу с женой в Казани", "home"),
        ("I'm allergic to cats", "allergy"),
        ("But no shellfish, I swell up", "diet"),
    ],
)
def test_what_is_told_with_others_is_the_speakers_own(said: str, slot: str) -> None:
    known = slots(heard(said))
    assert slot in known
    assert known.keys().isdisjoint(THEIRS)


@every(
    "said",
    ["my trainer is a former boxer", "my accountant is vegan", "mi profesora es de Cusco", "мой тренер бывший военный"],
)
def test_what_somebody_is_whom_one_names_by_their_work_is_not_the_speakers(said: str) -> None:
    known = slots(heard("I'm a pilot and I eat everything", said))
    assert known["role"] == "pilot"
    assert not {"origin", "home"} & set(known)
    assert "vegan" not in known.get("diet", "")
