"""Tasks: which one a message belongs to, what lies on the stack, and what rests on what."""

from __future__ import annotations

import threading
from collections.abc import Iterator

import pytest

from holdfast import Holdfast
from holdfast.errors import InvalidInput, PackError, Refused, UnknownItem
from holdfast.faculties.aims.tasks import Kind, TasksFaculty
from holdfast.faculties.aims.tasks.plans import plan_of
from holdfast.session import Session
from tests.linear import stays_linear
from tests.rows import every

TOOTHPASTE = "Order toothpaste on Amazon"
FLIGHT = "Book a flight to Oslo"
PLAN = ["Open Amazon", "Search for toothpaste", "Choose a toothpaste", "Check out"]


@pytest.fixture
def chat() -> Iterator[Session]:
    with Holdfast(pack="nxtscape") as hf:
        yield hf.session("s")


def shopping(chat: Session) -> Session:
    chat.hear(TOOTHPASTE)
    chat.plan(PLAN)
    chat.step(1, "done")
    return chat


def three(chat: Session) -> Session:
    """A shopping task and a journey, both paused, and tabs that were closed."""
    shopping(chat)
    chat.hear(FLIGHT)
    chat.hear("Close all Google tabs")
    chat.say("Closed 3 tabs.")
    return chat


@pytest.mark.parametrize(
    "text",
    [
        *("go back to the toothpaste", "return to the toothpaste order", "continue with the toothpaste"),
        *("Resume the toothpaste", "ok, back to the toothpaste", "pick up the toothpaste again"),
        *("what about the toothpaste?", "let's get back to the toothpaste"),
    ],
)
def test_a_paused_task_comes_back_when_it_is_named(chat: Session, text: str) -> None:
    turn = three(chat).hear(text)
    assert (turn.state.task.link.relation, turn.state.task.current.query) == ("resume", TOOTHPASTE)
    assert (turn.route.agent, turn.route.task_type) == ("planner", "browse-follow-up")
    assert turn.route.previous_plan == tuple(PLAN)
    assert turn.state.task.link.indicator == f"Back to: {TOOTHPASTE}."
    assert [task.query for task in turn.state.task.paused] == [FLIGHT]


@pytest.mark.parametrize(
    ("first", "back"),
    [
        ("Закажи зубную пасту на Озоне", "вернись к зубной пасте"),
        ("Compra pasta de dientes en Amazon", "volvamos a la pasta de dientes"),
    ],
)
def test_a_paused_task_comes_back_in_other_languages(chat: Session, first: str, back: str) -> None:
    chat.hear(first)
    chat.hear("Close all Google tabs")
    turn = chat.hear(back)
    assert (turn.state.task.link.relation, turn.state.task.current.query) == ("resume", first)


@pytest.mark.parametrize("text", ["where were we?", "continue", "resume", "go back to the previous task", "go on"])
def test_unnamed_it_is_the_last_one_that_was_left(chat: Session, text: str) -> None:
    turn = three(chat).hear(text)
    assert (turn.state.task.link.relation, turn.state.task.current.query) == ("resume", FLIGHT)


def test_when_nothing_or_too_much_fits_the_person_is_asked(chat: Session) -> None:
    turn = three(chat).hear("go back to the weather")
    assert turn.question is not None
    assert TOOTHPASTE in turn.question
    assert FLIGHT in turn.question
    assert turn.receipt.did("doubted")
    assert [task.query for task in turn.state.task.paused] == [TOOTHPASTE, FLIGHT]
    assert chat.hear("the flight").state.task.current.query == FLIGHT


def test_a_tie_gives_the_tied_tasks_as_candidates(chat: Session) -> None:
    chat.hear("Order mint toothpaste on Amazon")
    chat.hear("Close all Google tabs")
    chat.say("Closed.")
    chat.hear("Order mint tea from the Leaf House")
    chat.hear("Close all YouTube tabs")
    chat.say("Closed.")
    turn = chat.hear("go back to the mint one")
    (doubt,) = (event for event in turn.events if type(event).__name__ == "DoubtRaised")
    assert set(doubt.candidates) == {"Order mint toothpaste on Amazon", "Order mint tea from the Leaf House"}  # type: ignore[attr-defined]
    assert chat.hear("the second one").state.task.link.relation == "resume"


def test_going_back_on_the_page_is_no_resuming(chat: Session) -> None:
    three(chat)
    chat.hear("go back to the toothpaste")
    turn = chat.hear("go back to the search results")
    assert (turn.state.task.link.relation, turn.state.task.current.query) == ("continue", TOOTHPASTE)
    assert turn.question is None


def test_another_goal_of_the_same_kind_leaves_the_first_on_the_stack(chat: Session) -> None:
    turn = shopping(chat).hear(FLIGHT)
    assert (turn.route.task_type, turn.route.replan, turn.route.agent) == ("browse-follow-up", True, "planner")
    assert turn.state.task.link.relation == "new"
    assert [(task.query, task.status) for task in turn.state.task.paused] == [(TOOTHPASTE, "paused")]


def test_an_answer_in_between_does_not_lose_the_task(chat: Session) -> None:
    shopping(chat)
    assert chat.hear("what does this page say about shipping?").route.agent == "answer"
    chat.say("It takes two days.", agent="answer")
    assert chat.hear("and who wrote it?").route.agent == "answer"
    chat.say("Nobody says.", agent="answer")
    turn = chat.hear("get the fluoride-free toothpaste")
    assert (turn.state.task.link.relation, turn.state.task.current.query) == ("resume", TOOTHPASTE)


def test_an_interruption_is_told_and_the_next_message_continues(chat: Session) -> None:
    shopping(chat)
    done = chat.interrupt("search results")
    assert done.state.task.status == "paused"
    assert "next message continues it" in done.state.task.link.indicator
    assert done.state.task.current.interrupted_at == "step 2 of 4: Search for toothpaste; search results"
    assert chat.hear("the large tube").state.task.status == "running"
    assert not chat.interrupt().state.task.paused


def test_interrupting_nothing_does_nothing(chat: Session) -> None:
    assert chat.interrupt().events == ()


# What rests on what.


@pytest.mark.parametrize(
    ("text", "steps"),
    [
        ("Use eBay instead of Amazon", [1]),
        ("not Amazon, use eBay", [1]),
        ("Actually, make it fluoride-free toothpaste", [2, 3]),
        ("the large tube please", []),
        ("continue", []),
    ],
)
def test_a_changed_value_marks_exactly_the_steps_that_rest_on_it(chat: Session, text: str, steps: list[int]) -> None:
    turn = shopping(chat).hear(text)
    assert [step.number for step in turn.state.task.plan.steps if step.stale] == steps
    assert [step.state for step in turn.state.task.plan.steps] == ["done", "open", "open", "open"]
    if steps:
        valid = ", ".join(str(number) for number in (1, 2, 3, 4) if number not in steps)
        assert f"Still valid: step {valid}." in turn.system


def test_new_evidence_marks_what_rests_on_it_and_what_rests_on_that(chat: Session) -> None:
    chat.hear(FLIGHT)
    chat.plan(
        [
            {"step": "Compare prices", "rests_on": "date"},
            {"step": "Read the baggage rules"},
            {"step": "Pick the cheapest", "rests_on": [1]},
            {"step": "Pay", "rests_on": [3]},
        ]
    )
    chat.step(1, "done")
    done = chat.face.evidence("date", "the meeting moved to Friday")
    assert [step.number for step in done.state.task.plan.steps if step.stale] == [1, 3, 4]
    assert chat.face.evidence("hotel", "none is free").events == ()
    assert not chat.step(1, "done").state.task.plan.steps[0].stale


def test_one_step_changes_without_touching_the_others(chat: Session) -> None:
    shopping(chat)
    chat.face.change_step(3, "Choose the mint toothpaste")
    assert chat.face.previous_plan() == [*PLAN[:2], "Choose the mint toothpaste", PLAN[3]]
    assert chat.face.lines()[0] == "- [x] Open Amazon"


# What is refused.


def test_steps_that_are_not_there_are_named_in_the_error(chat: Session) -> None:
    with pytest.raises(Refused, match="no plan"):
        chat.step(1, "done")
    shopping(chat)
    for wrong in (0, 5, -1):
        with pytest.raises(UnknownItem, match="1 to 4"):
            chat.step(wrong, "done")
    for odd in (True, "1"):
        with pytest.raises(InvalidInput, match="number: expected int"):
            chat.step(odd, "done")  # type: ignore[arg-type]
    with pytest.raises(InvalidInput, match="open, running, done"):
        chat.step(1, "finito")
    with pytest.raises(InvalidInput, match="a plan is a list"):
        chat.plan(7)
    with pytest.raises(InvalidInput, match="must be a text"):
        chat.plan([7])


def test_a_pack_that_declares_an_unknown_default_is_refused() -> None:
    with pytest.raises(PackError, match="default kind"):
        TasksFaculty(Kind("a", "agent"), default="b")
    with pytest.raises(PackError, match="no kind"):
        TasksFaculty(Kind("a", "agent")).kind("c")


def test_a_plan_may_come_as_lines_or_in_tags() -> None:
    assert plan_of("1. one\n\n2) two\n- three", 5)[0].texts == ("one", "two", "three")
    assert plan_of('<plan>["one","two"]</plan>', 5)[0].texts == ("one", "two")
    with pytest.raises(Refused, match="one step at a time"):
        plan_of([{"step": "a", "state": "running"}, {"step": "b", "state": "running"}], 5)


def test_a_plan_in_an_agents_words_is_stored(chat: Session) -> None:
    chat.hear(TOOTHPASTE)
    chat.say('Here we go. <plan>["a","b"]</plan>', agent="planner")
    assert chat.face.previous_plan() == ["a", "b"]


def test_a_plan_without_tasks_works_in_the_general_pack() -> None:
    chat = Holdfast().session("s")
    chat.hear("Help me move house")
    chat.plan(["Pack", "Drive", "Unpack"])
    chat.step(1, "done")
    assert chat.state.task.plan.progress() == "1 of 3 steps done"
    assert chat.hear("continue").state.task.link.relation == "continue"
    assert chat.hear("start fresh").state.task.current is None


def test_starting_fresh_in_the_general_pack_ends_tasks_and_keeps_who_one_is() -> None:
    chat = Holdfast().session("s")
    chat.hear("My name is Dana")
    chat.plan(["Pack", "Drive"])
    state = chat.hear("let's start over").state
    assert state.task.current is None
    assert state.slots.get("name") == "Dana"


# What must hold for any conversation.


def test_state_is_bounded_however_many_tasks_come(chat: Session) -> None:
    sizes = []
    for number in range(60):
        chat.hear(f"Order thing{number} alpha{number}beta on Amazon{number}")
        chat.plan([f"Step {number} {letter} " + "x" * 600 for letter in "abcde"])
        sizes.append(len(str(chat.state.task)))
    assert len(chat.state.task.paused) == 8
    assert sizes[-1] < sizes[20] * 1.1


def test_a_replay_gives_the_same_tasks(chat: Session) -> None:
    three(chat)
    chat.hear("go back to the toothpaste")
    chat.step(2, "failed", reason="gone")
    chat.hear("Use eBay instead of Amazon", tabs=[3])
    chat.face.validated(False, ["look again"])
    assert chat.at(chat.state.version).task == chat.state.task


@pytest.mark.parametrize("piece", ["go back to ", "close the ", "order ", "a"])
def test_hostile_text_stays_linear(chat: Session, piece: str) -> None:
    shopping(chat)
    stays_linear(chat.hear, piece, 20_000)


def test_two_threads_mark_steps_without_losing_one() -> None:
    with Holdfast(pack="nxtscape") as hf:
        hf.session("s").hear(TOOTHPASTE)
        hf.session("s").plan(["a", "b", "c", "d"])
        threads = [threading.Thread(target=lambda n=number: hf.session("s").step(n, "done")) for number in (1, 2, 3, 4)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        assert hf.session("s").state.task.status == "done"


TRIPS = {
    "en": ("Book a flight to Oslo on Friday", "Open Skybook|Search flights to Oslo|Pick the Friday flight|Pay"),
    "ru": ("Забронируй рейс в Осло на пятницу", "Открыть Skybook|Найти рейсы в Осло|Выбрать рейс в пятницу|Оплатить"),
    "es": (
        "Reserva un vuelo a Oslo el viernes",
        "Abrir Skybook|Buscar vuelos a Oslo|Elegir el vuelo del viernes|Pagar",
    ),
}


@every(
    ("language", "said", "steps"),
    [
        ("en", "Actually, Saturday instead of Friday", [3]),
        ("en", "Actually, make it Saturday", [3]),
        ("en", "make it Bergen instead of Oslo", [2]),
        ("en", "no, Bergen", [2]),
        ("en", "change it to Sunday", [3]),
        ("en", "no, not Friday but Saturday", [3]),
        ("en", "Actually, make it cheaper", []),
        ("en", "continue", []),
        ("ru", "нет, не в пятницу, а в субботу", [3]),
        ("ru", "лучше в Берген вместо Осло", [2]),
        ("ru", "не Осло, а Берген", [2]),
        ("ru", "вообще-то, в субботу", [3]),
        ("es", "mejor el sábado en vez del viernes", [3]),
        ("es", "cambia Oslo por Bergen", [2]),
        ("es", "en realidad, el sábado", [3]),
    ],
)
def test_a_value_that_is_changed_in_any_words_marks_its_steps_and_no_others(
    language: str, said: str, steps: list[int]
) -> None:
    query, plan = TRIPS[language]
    with Holdfast(pack="nxtscape") as hf:
        chat = hf.session("s")
        chat.hear(query)
        chat.plan(plan.split("|"))
        chat.step(1, "done")
        turn = chat.hear(said)
        assert [step["number"] for step in chat.face.steps() if step["checkAgain"]] == steps
        assert not steps or f"It touches step {steps[0]}." in turn.system


def test_a_common_word_of_several_tasks_asks_which_one_is_meant() -> None:
    with Holdfast(pack="nxtscape") as hf:
        chat = hf.session("s")
        for said in ("Order toothpaste on Amazon", "Order a toothbrush on eBay", "Close all tabs"):
            chat.hear(said)
        turn = chat.hear("go back to the order")
        assert turn.question == (
            "Which task do you mean: “Order toothpaste on Amazon” or “Order a toothbrush on eBay”?"
        )
        assert chat.hear("the toothbrush").indicator == "Back to: Order a toothbrush on eBay."


def test_where_we_were_with_something_names_the_task() -> None:
    with Holdfast(pack="nxtscape") as hf:
        chat = hf.session("s")
        chat.hear("Book a flight to Oslo")
        chat.hear("Order toothpaste on Amazon")
        assert chat.hear("where were we with the flight?").indicator == "Back to: Book a flight to Oslo."


def test_an_outcome_that_comes_in_after_a_stop_leaves_the_task_stopped() -> None:
    with Holdfast(pack="nxtscape") as hf:
        chat = hf.session("s")
        chat.hear("Order toothpaste on Amazon")
        chat.plan(["Open Amazon", "Search for toothpaste"])
        chat.step(1, "running")
        chat.interrupt()
        chat.say("Opened Amazon.", step={"number": 1, "state": "done"})
        assert (chat.face.task()["status"], chat.face.done_count()) == ("paused", 1)
        chat.hear("continue")
        assert chat.face.task()["status"] == "running"


SHOWN = "1. Casa Azul 2. Hotel Douro 3. Ribeira Inn"


@every(
    ("said", "names"),
    [
        ("no stop, not those, the third", ["Ribeira Inn"]),
        ("i'd take the douro", ["Hotel Douro"]),
        ("do any of them have parking?", ["Casa Azul", "Hotel Douro", "Ribeira Inn"]),
        ("venga, el ribeira", ["Ribeira Inn"]),
        ("давай последний", ["Ribeira Inn"]),
    ],
)
def test_what_was_shown_is_pointed_at_and_the_task_stays(said: str, names: list[str]) -> None:
    with Holdfast(pack="nxtscape") as hf:
        chat = hf.session("s")
        chat.hear("find a hotel in porto")
        chat.say(SHOWN)
        turn = chat.hear(said)
        assert [entity.name for found in turn.references for entity in found.entities] == names
        assert (turn.state.task.current.query, turn.state.task.paused) == ("find a hotel in porto", ())


@every(
    ("query", "plan", "said", "steps"),
    [
        ("book a flight", "Open Skybook|Choose 1 passenger|Pay", "and theres two of us", [2]),
        ("забронируй столик", "Открыть сайт|Выбрать столик на двоих|Готово", "и нас будет трое вообще-то", [2]),
        ("reserva mesa", "Abrir la web|Elegir mesa para dos mañana|Pagar", "al final somos cinco", [2]),
        ("reserva mesa", "Abrir la web|Elegir mesa para dos mañana|Pagar", "pasado mañana nos viene mejor", [2]),
        ("find a case on ebay", "Open eBay|Search for a case", "look on amazon, its cheaper there", [1]),
        ("book a table", "Open Kumo|Pick tonight for two people|Confirm", "tomorrow works better for us", [2]),
        ("book a table", "Open Kumo|Pick tonight for two people|Confirm", "three of my colleagues went there", []),
        ("купи билет", "Открыть кассу|Выбрать пятницу|Оплатить", "а в субботу там сколько стоит?", []),
    ],
)
def test_another_value_of_a_kind_marks_its_steps(query: str, plan: str, said: str, steps: list[int]) -> None:
    with Holdfast(pack="nxtscape") as hf:
        chat = hf.session("s")
        chat.hear(query)
        chat.plan(plan.split("|"))
        chat.hear(said)
        assert [step["number"] for step in chat.face.steps() if step["checkAgain"]] == steps


@every(
    ("before", "asked", "said", "relation", "left"),
    [
        ("find a used bike", "Which city?", "actually drop that. see whether the post office is open", "new", 1),
        ("найди репетитора", "На какой день?", "всё, не нужен репетитор, закажи продукты в самокате", "new", 1),
        ("reserva un vuelo a lima", "¿Qué día?", "no, olvídate del vuelo, compra un libro de cocina", "new", 1),
        ("compara teles", "LG.", "olvídate de todo, otra tarea: busca un gimnasio", "fresh", 0),
        ("order a kettle", "Which colour?", "hold on, phone", "continue", 0),
    ],
)
def test_what_is_dropped_is_left_and_what_is_asked_instead_begins(
    before: str, asked: str, said: str, relation: str, left: int
) -> None:
    with Holdfast(pack="nxtscape") as hf:
        chat = hf.session("s")
        chat.hear(before)
        chat.say(asked)
        turn = chat.hear(said)
        assert (turn.state.task.link.relation, len(turn.state.task.paused)) == (relation, left)
        assert not turn.state.questions.answers


def test_an_aside_leaves_the_question_open_that_a_yes_answers_then() -> None:
    with Holdfast(pack="nxtscape") as hf:
        chat = hf.session("s")
        chat.hear("book a taxi to the airport")
        chat.say("Pick you up at Baker Street?")
        chat.hear("how much will it be?")
        chat.say("About 40.")
        assert chat.hear("alright, baker street then").state.questions.answer.yes


def test_thanks_are_no_task_for_the_model() -> None:
    with Holdfast(pack="nxtscape") as hf:
        chat = hf.session("s")
        chat.hear("order cat litter on chewy")
        chat.say("Done.")
        chat.hear("awesome thank you so much!!")
        said = [message["content"] for message in chat.face.messages() if message["role"] == "user"]
        assert said[-1] == "awesome thank you so much!!"
        assert said[0].startswith("TASK (current task)")


@pytest.mark.parametrize(
    ("asked_for", "question", "said"),
    [
        ("rent a car in porto for the weekend", "Which size of car?", "actually never mind, a friend is picking me up"),
        ("закажи пиццу на вечер", "Какую пиццу?", "ой, отбой, жена уже ужин приготовила"),
        ("order a kettle on amazon", "", "you know what, scrap that, found one in the cupboard"),
    ],
)
def test_what_is_called_off_stops_and_answers_nothing(asked_for: str, question: str, said: str) -> None:
    chat = Holdfast(pack="nxtscape").session("s", user="u")
    chat.hear(asked_for)
    if question:
        chat.say(question)
    chat.hear(said)
    assert chat.state.task.current.status == "paused"
    assert not chat.state.questions.open
