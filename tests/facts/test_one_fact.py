"""One fact, told the same in slots, answers, the memory, what the agent is sent, and the next conversation."""

from __future__ import annotations

import pickle
from pathlib import Path

import pytest

from holdfast import Holdfast, Session
from holdfast.faculties.questions.pending import QuestionAnswered


def talk(*messages: str, pack: str = "general", name: str = "s") -> Session:
    return go_on(Holdfast(pack=pack).session(name, user="u", project="p"), *messages)


def go_on(chat: Session, *messages: str) -> Session:
    for message in messages:
        chat.say(message[3:]) if message.startswith("A: ") else chat.hear(message)
    return chat


def known(chat: Session) -> list[tuple[str, str]]:
    return [(item.slot, item.value) for item in chat.memory.items() if item.positive]


@pytest.mark.parametrize(
    ("question", "reply", "slot", "value"),
    [
        ("What is your name?", "Dana", "name", "Dana"),
        ("Which package manager do you use?", "pnpm", "tooling/package_manager", "pnpm"),
        ("Should I use Postgres or MySQL?", "let's go with Postgres", "database", "PostgreSQL"),
        ("What size?", "medium", "answer/size", "medium"),
        ("When?", "next Friday", "answer/when", "next Friday"),
    ],
)
def test_a_bound_answer_is_a_fact_and_told_everywhere(question: str, reply: str, slot: str, value: str) -> None:
    chat = talk(f"A: {question}", reply)
    assert (slot, value) in known(chat)
    turn = chat.hear("what else do we need?")
    assert value in turn.context
    assert value in turn.messages[-1]["content"]


def test_an_address_put_right_is_the_same_in_the_next_conversation() -> None:
    chat = talk("my email is a@b.org", "no wait its c@d.org")
    turn = chat.holdfast.session("next", user="u").hear("hello")
    assert turn.context == "[CONTEXT: User's email: c@d.org]"
    assert turn.state.slots.get("email") == "c@d.org"


@pytest.mark.parametrize(
    ("said", "slot", "value"),
    [
        ("I'm a backend guy", "role", "backend guy"),
        ("I'm diabetic", "health", "diabetic"),
        ("new job at Netflix", "employer", "Netflix"),
        ("hey im Tom, i live in leeds and work at Monzo", "employer", "Monzo"),
        ("hey im Tom, i live in leeds and work at Monzo", "home", "leeds"),
        ("im jonas", "name", "jonas"),
        ("i cant drink coffee anymore", "diet", "no coffee"),
    ],
)
def test_what_is_said_of_oneself_is_kept_by_the_type_of_its_words(said: str, slot: str, value: str) -> None:
    assert (slot, value) in known(talk(said))


@pytest.mark.parametrize(
    "said",
    ["I'm far from vegan", "I'd eat vegan food", "I never lived in Boston", "am I diabetic?"],
)
def test_what_is_denied_supposed_asked_or_of_others_is_not(said: str) -> None:
    assert known(talk(said)) == []


@pytest.mark.parametrize(
    ("first", "then", "left"),
    [
        ("I work at Google", "new job at Netflix", [("employer", "Netflix")]),
        ("I use Windows", "switched to mac", [("tooling/os", "macOS")]),
        ("I work at Stripe", "forget where I work", []),
        ("I work at Zalando", "i dont work at zalando anymore", []),
        ("у меня аллергия на кошек", "нет, не на кошек, на собак", [("allergy", "собак")]),
        ("I live in Leeds", "the boxes are unpacked, so it's York I'm setting off from, not Leeds", [("home", "York")]),
        ("живу в Самаре", "я тут переехала в Казань", [("home", "Казань")]),
        (
            "I take 5mg of bisoprolol in the morning",
            "sorry, it's 2.5 not 5",
            [("medication", "2.5mg of bisoprolol in the morning")],
        ),
    ],
)
def test_a_change_finds_the_fact_that_it_is_about(first: str, then: str, left: list[tuple[str, str]]) -> None:
    assert known(talk(first, then)) == left


def test_another_value_that_is_only_thought_to_hold_opens_a_question() -> None:
    chat = talk("I use npm", "hmm I think it might be pnpm")
    assert [(d.slot, d.rival.value) for d in chat.memory.disputes()] == [("tooling/package_manager", "pnpm")]
    assert chat.memory.value("tooling/package_manager") == "npm"


@pytest.mark.parametrize(
    ("said", "asked", "reply", "now"),
    [
        (["we use supabase", "might swap supabase for firebase"], "Do you want to switch?", "nope", "Supabase"),
        (["uso mongo", "quizás cambie mongo por postgres, no sé"], "¿Lo cambiamos ya?", "no, déjalo", "MongoDB"),
        (["uso mongo", "quizá me cambio a postgres, no sé"], "¿Quieres cambiar ya?", "sí ya", "PostgreSQL"),
        (["мы на mysql", "кажется, база у нас postgres"], "Остаёмся на mysql?", "да", "MySQL"),
    ],
)
def test_a_plain_answer_to_the_agents_own_question_settles_which_value_holds(
    said: list[str], asked: str, reply: str, now: str
) -> None:
    chat = talk(*said)
    assert chat.memory.disputes()
    chat.say(asked)
    chat.hear(reply)
    assert (chat.memory.disputes(), chat.memory.value("tooling/database")) == ([], now)


def test_the_value_that_a_message_names_is_the_one_that_gives_way() -> None:
    chat = talk("usamos jest y playwright", "jest está lentísimo, migramos a vitest")
    assert {value for _, value in known(chat)} == {"playwright", "vitest"}


@pytest.mark.parametrize(
    ("said", "before"),
    [
        (["I use neovim", "switched to helix", "forget helix, went back"], "Neovim"),
        (["uso vim", "me pasé a helix", "helix no me convence, volví"], "Vim"),
    ],
)
def test_who_goes_back_has_what_was_before(said: list[str], before: str) -> None:
    assert talk(*said).memory.value("tooling/editor") == before


@pytest.mark.parametrize(
    ("first", "then"),
    [
        ("Let's use Redis for caching", "Let's use Memcached for the cache"),
        ("We decided to use Redis for caching", "for the cache we use Memcached now"),
    ],
)
def test_decisions_about_one_subject_meet_in_whatever_form_it_is_named(first: str, then: str) -> None:
    assert [item.value for item in talk(first, then, pack="copilot_cli").memory.decisions()] == ["Memcached"]


def test_how_big_we_are_is_no_subject() -> None:
    (made,) = talk("Let's use SQLite for our size", pack="copilot_cli").memory.decisions()
    assert made.slot == "database"


def test_words_that_state_no_goal_set_no_mission() -> None:
    chat = talk("ok thanks, i will test it later tonight", pack="copilot_cli")
    assert chat.face.goal == ""
    chat.hear("Build a small shop with a cart and a checkout")
    assert chat.face.goal.startswith("Build")


@pytest.mark.parametrize(
    "said",
    [
        "We build with meson and ship it through copr",
        "the worker box is hub.lan, ssh on 2022, user deploy",
        "always write tests before the code please",
        "сборка на meson, миграции лежат в sql/migrate",
        "prefiero que escribas los comentarios en castellano",
    ],
)
def test_how_a_project_is_made_is_no_mission(said: str) -> None:
    assert talk(said, pack="copilot_cli").face.goal == ""


@pytest.mark.parametrize(
    "said",
    [
        "I want to build a small synth for my kid",
        "we have rules. now write a parser for the old save files",
        "хочу сделать бота для записи к парикмахеру",
        "añade un modo oscuro a la página de ajustes",
    ],
)
def test_what_is_wanted_or_asked_for_first_is_the_mission(said: str) -> None:
    assert talk(said, pack="copilot_cli").face.goal == said


def test_a_saved_memory_is_loaded_whole(tmp_path: Path) -> None:
    chat = talk("We decided on PostgreSQL for the shop", "I use npm", "I've switched to pnpm", pack="copilot_cli")
    assert chat.face.save(tmp_path / "memory.json")
    other = talk(pack="copilot_cli", name="other")
    assert other.face.load(tmp_path / "memory.json")
    fields = ("slot", "value", "relation", "replaces", "superseded_by", "words", "rule", "sessions", "details")
    there, here = ({m.id: m for m in c.memory.items(history=True)} for c in (chat, other))
    assert {id: [getattr(m, f) for f in fields] for id, m in here.items()} == {
        id: [getattr(m, f) for f in fields] for id, m in there.items()
    }
    go_on(other, "no, actually MySQL")
    assert [(m.slot, m.value.lower()) for m in other.memory.decisions()] == [("shop", "mysql")]


def test_a_value_said_for_now_again_and_again_is_one_item() -> None:
    hf = Holdfast(pack="copilot_cli")
    for number in range(4):
        chat = go_on(hf.session(f"s{number}", user="u", project="p"), "use tabs for now")
        assert [item.value for item in chat.memory.preferences()] == ["tabs"]


def test_a_copied_state_shows_what_it_showed() -> None:
    state = talk("My name is Dana").state
    assert pickle.loads(pickle.dumps(state)).slots.get("name") == "Dana"


@pytest.mark.parametrize(
    ("question", "said", "slot", "value"),
    [
        ("", "im celiac, what can i eat at a diner?", "health", "celiac"),
        (
            "Is this for a class?",
            "yeah second year econ at UNSW, midterm's on the 14th of april",
            "note",
            "midterm's on the 14th of april",
        ),
        ("What's the deadline?", "hand in is july 1", "deadline", "hand in is july 1"),
        ("What do you eat?", "i hate onions. and allergic to nuts since childhood", "allergy", "nuts"),
        ("", "I hate onions, and I'm allergic to nuts since I was a kid, perhaps I even swell", "allergy", "nuts"),
        ("", "лук ненавижу. и на орехи аллергия с детства, прям отёк может быть", "allergy", "орехи"),
        ("", "каждую субботу пою в хоре «Заря»", "habit", "каждую субботу пою в хоре «Заря»"),
        (
            "",
            'canto todos los sábados en el coro "La Alondra"',
            "hobby",
            'canto todos los sábados en el coro "La Alondra"',
        ),
        ("", "без вступлений, и никаких смайликов в ответах", "style", "без вступлений"),
    ],
)
def test_what_is_told_beside_a_question_or_in_an_answer_is_kept(
    question: str, said: str, slot: str, value: str
) -> None:
    chat = Holdfast().session("s", user="u")
    if question:
        chat.say(question)
    chat.hear(said)
    assert (slot, value) in known(chat)


@pytest.mark.parametrize(
    ("question", "said"),
    [
        (
            "Is a flame visible briefly at the burner?",
            "There's a glimpse, through the lower vent; a second, perhaps two, and then out.",
        ),
        (
            "¿Y los logs?",
            "slog en json, nada de logrus, aunque haya código viejo que lo usa en dos o tres sitios",
        ),
        (
            "Принимаете лекарства?",
            "Лозап пятьдесят, по утрам, Ирина Викторовна назначила, участковая, хорошая женщина, но вечно торопится",
        ),
    ],
)
def test_a_long_answer_is_bound_to_what_was_asked(question: str, said: str) -> None:
    chat = Holdfast().session("s", user="u")
    chat.say(question)
    answered = [event.answer.question.text for event in chat.hear(said).events if isinstance(event, QuestionAnswered)]
    assert answered == [question]


def test_another_day_of_the_same_thing_takes_the_place_of_the_old_one() -> None:
    chat = talk("my midterm is on the 14th of april", "my dentist appointment is on the 14th of april")
    chat.hear("my midterm is on the 21st of april")
    told = [value for _, value in known(chat)]
    assert "my midterm is on the 21st of april" in told
    assert not any("midterm" in value and "14th" in value for value in told)
    assert any("dentist" in value and "14th" in value for value in told)


@pytest.mark.parametrize(
    ("said", "slot"),
    [
        ("no emojis please", "communication/emoji"),
        ("и никаких смайликов в ответах", "communication/emoji"),
        ("sin emojis, por favor", "communication/emoji"),
        ("no semicolons", "style/semicolons"),
        ("no comments in the code", "style/comments"),
    ],
)
def test_what_is_refused_is_kept_as_refused(said: str, slot: str) -> None:
    chat = Holdfast(pack="copilot_cli").session("s", user="u")
    chat.hear(said)
    (kept,) = chat.memory.preferences()
    assert (kept.slot, kept.positive) == (slot, False)


@pytest.mark.parametrize(
    ("told", "said", "left"),
    [
        ("I'm Delroy, 58, and have type 2 diabetes", "actually wipe everything you know about me please", []),
        ("меня зовут Олег, я врач", "сотри всё что знаешь обо мне", []),
        ("soy Ana, soy médica", "borra todo lo que sabes de mí", []),
        ("I'm Delroy, and my son Tom is 7", "forget everything I said about Jerry", ["Delroy", "my son Tom is 7"]),
        ("I'm Delroy, and my son Tom is 7", "forget everything about the garden", ["Delroy", "my son Tom is 7"]),
    ],
)
def test_everything_is_forgotten_of_the_one_that_is_named(told: str, said: str, left: list[str]) -> None:
    chat = Holdfast().session("s", user="u")
    chat.hear(told)
    chat.hear(said)
    assert sorted(item.value for item in chat.memory.facts()) == sorted(left)


@pytest.mark.parametrize(
    ("told", "said", "now"),
    [
        ("мой номер 8 922 310 44 15", "последние цифры 51 а не 15, промахнулась", "8 922 310 44 51"),
        ("my phone is 0161 555 0187", "sorry ends in 78 not 87", "0161 555 0178"),
        ("mi matrícula es 4471 KLM", "perdón, 4417", "mi matrícula es 4417 KLM"),
    ],
)
def test_digits_are_put_right_where_they_stand(told: str, said: str, now: str) -> None:
    chat = Holdfast().session("s", user="u")
    chat.hear(told)
    chat.hear(said)
    assert [item.value for item in chat.memory.facts()] == [now]


@pytest.mark.parametrize(
    ("told", "said", "now"),
    [
        ("we picked kafka for the event bus", "kafka is overkill, nats will do", ["NATS"]),
        ("решили хранить файлы в minio", "посчитали деньги, файлы всё-таки переносим в s3", ["s3"]),
        (
            "I work at Brightpay",
            "starting at Datadog on Monday as a platform engineer",
            ["Datadog", "platform engineer"],
        ),
    ],
)
def test_what_is_chosen_in_the_place_of_something_ends_it(told: str, said: str, now: list[str]) -> None:
    chat = Holdfast(pack="copilot_cli").session("s", user="u", project="p")
    chat.hear(told)
    chat.hear(said)
    memory = chat.memory
    assert sorted(item.value for item in (*memory.facts(), *memory.preferences(), *memory.decisions())) == sorted(now)


@pytest.mark.parametrize(
    ("said", "slot", "value"),
    [
        ("I work at a small fintech called Brightpay as a data engineer", "employer", "Brightpay"),
        ("we have a hamster called Peanut", "pet", "hamster called Peanut"),
        ("I drive an old Volvo called Bertha", "name", None),
        ("ive been at Acme two years now", "employer", "Acme"),
    ],
)
def test_the_name_of_a_thing_belongs_to_it(said: str, slot: str, value: str | None) -> None:
    chat = Holdfast().session("s", user="u")
    chat.hear(said)
    assert chat.memory.value(slot) == value


@pytest.mark.parametrize(
    "said",
    [
        "the second one, and I'm allergic to nuts",
        "второй, и у меня аллергия на орехи",
        "el segundo, y soy alérgica a los frutos secos",
    ],
)
def test_an_allergy_is_kept_whatever_else_the_message_does(said: str) -> None:
    chat = Holdfast().session("s", user="u")
    chat.say("1. **Osteria** 2. **Vedge**. Which one?")
    chat.hear(said)
    assert chat.memory.value("allergy") is not None


@pytest.mark.parametrize(
    "said",
    [
        "I take {} mg of sertraline at night",
        "Tomo {} mg de sertralina por la noche",
        "я принимаю {} мг сертралина на ночь",
    ],
)
def test_another_dose_takes_the_place_of_the_one_before(said: str) -> None:
    chat = Holdfast().session("s", user="u")
    for dose in (50, 75):
        chat.hear(said.format(dose))
    assert ["75" in item.value for item in chat.memory.facts()] == [True]
