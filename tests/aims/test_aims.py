"""What a message is about: another goal, a request after a question, tab work in between, nothing at all; a file."""

from __future__ import annotations

import pytest

from holdfast import Holdfast, Session
from tests.rows import every

PLAN = ["Open Amazon", "Search for toothpaste", "Choose a toothpaste", "Check out"]
CHART = "import matplotlib.pyplot as plt\nplt.bar([1], [2])\nplt.savefig('chart.png')"


def browser(*said: str) -> Session:
    """A conversation with the browser; what begins with S: is said by the agent."""
    chat = Holdfast(pack="nxtscape").session("s")
    for text in said:
        _ = chat.say(text[2:]) if text.startswith("S:") else chat.hear(text)
    return chat


def files(*names: str, code: str = "") -> Session:
    chat = Holdfast(pack="grace").session("c", user="u")
    for name in names:
        chat.say("Done.", files=[name], **({"code": code} if code else {}))
    return chat


@pytest.mark.parametrize(
    "said",
    [
        *("order a book on amazon", "order shoes on amazon", "buy a lamp on amazon", "find me a cheap flight to rome"),
        *(
            "get me a taxi",
            "i need a birthday present for my mum",
            "check my calendar for tomorrow",
            "закажи пиццу",
            "compra una silla",
        ),
    ],
)
def test_another_goal_is_another_task_even_on_the_same_site(said: str) -> None:
    turn = browser("Order toothpaste on Amazon").hear(said)
    assert (turn.route.agent, turn.state.task.link.relation, turn.state.task.current.query) == ("planner", "new", said)
    assert [task.query for task in turn.state.task.paused] == ["Order toothpaste on Amazon"]


def test_eleven_orders_in_a_row_are_eleven_tasks() -> None:
    chat = browser()
    things = "shoes lamps rice batteries pens towels soap candles gloves plates mugs".split()
    assert len({chat.hear(f"order {thing} on amazon").state.task.current.id for thing in things}) == 11


@every(
    "said",
    [
        *("find me a cheap flight to rome", "order toothpaste on amazon", "book a table for two at kumo"),
        *("look up the weather in oslo", "i'd like to buy a new kettle", "sign me up for the yoga class"),
        *("reply to anna's email", "track my parcel", "busca vuelos baratos a oslo", "закажи пиццу"),
    ],
)
def test_after_work_on_tabs_a_request_goes_to_the_browser(said: str) -> None:
    route = browser("Close all Google tabs", "S:Closed 3 tabs.").hear(said).route
    assert (route.agent, route.task_type, route.relation) == ("planner", "browse", "new")


@pytest.mark.parametrize("question", ["Hello! What can I do?", "Which site should I use?"])
def test_a_request_beats_an_open_question(question: str) -> None:
    turn = browser(f"S:{question}").hear("order toothpaste on amazon")
    assert (turn.route.agent, turn.state.task.current.query) == ("planner", "order toothpaste on amazon")
    assert not turn.receipt.did("bound")


def test_a_request_for_another_file_answers_no_question() -> None:
    chat = files()
    chat.hear("make a chart")
    chat.say("Which data should I plot?")
    turn = chat.hear("actually forget the chart, write a poem in a txt file")
    assert chat.state.files.request.mode == "creation"
    assert not turn.receipt.did("bound")


@pytest.mark.parametrize("said", ["hello", "thanks", "haha", "nice", "спасибо", "привет", "gracias", "hola"])
def test_greetings_thanks_and_remarks_start_and_reopen_nothing(said: str) -> None:
    assert browser().hear(said).state.task.current is None
    after = browser("Close all Google tabs", "S:Closed 3 tabs.").hear(said).state.task
    assert (after.current.status, len(after.paused)) == ("done", 0)


@pytest.mark.parametrize(
    "said",
    [
        *("stop", "hold on", "never mind, i dont need it anymore", "стоп", "подожди", "неважно, уже не надо"),
        *("espera", "déjalo, ya no lo necesito"),
    ],
)
def test_what_stops_or_puts_off_pauses_the_task_where_it_is(said: str) -> None:
    chat = browser("Order toothpaste on Amazon")
    chat.plan(PLAN)
    chat.step(1, "done")
    turn = chat.hear(said)
    assert (turn.state.task.status, turn.route.replan) == ("paused", False)
    assert turn.state.task.current.interrupted_at.startswith("step 2 of 4")


@pytest.mark.parametrize("said", ["Stop, take the second result", "wait, the small one", "espera, la grande"])
def test_the_same_words_before_an_instruction_change_the_task(said: str) -> None:
    chat = browser("Order toothpaste on Amazon")
    chat.plan(PLAN)
    turn = chat.hear(said)
    assert (turn.state.task.status, turn.route.replan) == ("running", True)


def test_a_new_task_after_forgetting_all_starts_fresh() -> None:
    turn = browser("Order toothpaste on Amazon").hear("forget all that, new task: book a hotel in rome")
    assert (turn.state.task.link.relation, turn.state.task.current.type, turn.state.task.paused) == (
        "fresh",
        "browse",
        (),
    )


@pytest.mark.parametrize("said", ["and two passengers", "actually make it saturday", "after that pay with paypal"])
def test_what_only_adds_goes_on_with_the_task(said: str) -> None:
    turn = browser("Book a flight to Oslo on Friday").hear(said)
    assert (turn.route.task_type, turn.route.relation) == ("browse-follow-up", "continue")


@pytest.mark.parametrize("said", ["ok go on with the calendar", "back to the calendar thing"])
def test_a_task_is_found_again_though_its_name_was_misspelt(said: str) -> None:
    chat = browser("check my calender for friday", "S:Opening it …", "order a raincoat on asos", "S:On the site.")
    assert chat.hear(said).state.task.current.query == "check my calender for friday"


@every(
    "said",
    [
        *("which weekday is may 5", "is lisbon on the coast?", "what currency do they use there"),
        *("какая там валюта?", "это далеко от моря?", "en qué país está eso?"),
    ],
)
def test_what_only_asks_leaves_the_task_running(said: str) -> None:
    task = browser("find a hotel in lisbon for may 5", "S:Searching …").hear(said).state.task
    assert (task.current.query, task.current.status) == ("find a hotel in lisbon for may 5", "running")


@pytest.mark.parametrize("said", ["whats the capital of peru anyway", "какая там столица?"])
def test_a_question_aside_goes_to_the_agent_that_answers_and_the_task_stays_at_hand(said: str) -> None:
    turn = browser("find a hotel in lisbon for may 5", "S:Searching …").hear(said)
    assert (turn.route.agent, turn.state.task.type, turn.state.task.status) == ("answer", "browse", "running")


# What agents get in the browser pack.


def test_navigation_is_told_before_change() -> None:
    chat = browser("Order toothpaste on Amazon")
    chat.hear("go to eBay instead")
    assert chat.face.hint() == "navigate"


def test_clear_leaves_nothing() -> None:
    chat = browser("Order toothpaste on Amazon", "Close all Google tabs")
    chat.face.set_system("be brief")
    chat.face.page_state("results")
    chat.clear()
    assert (chat.face.task(), chat.face.stack(), chat.face.history()) == (None, [], [])


def test_steps_that_are_handed_out_are_in_progress() -> None:
    chat = browser("Order toothpaste on Amazon")
    chat.plan(PLAN)
    assert [step["doing"] for step in chat.face.next_steps()] == [True, False, False]
    assert chat.face.steps()[0]["doing"]


def test_the_planners_text_keeps_to_its_budget() -> None:
    chat = browser("Order toothpaste on Amazon")
    for number in range(30):
        chat.say(f"note {number}: " + "word " * 200)
    chat.say("x" * 9000)
    chat.say("Which size?")
    chat.hear("the large tube")
    text = chat.face.planner_text(budget=4000)
    assert len(text) <= 4000 * 3
    assert "Which size?" in text
    assert "note 29" in text
    assert "of 9000 characters" in text


def test_requests_are_marked_for_the_model() -> None:
    chat = browser("Order toothpaste on Amazon", "S:Done.")
    said = [message["content"] for message in chat.hear("the large tube").messages if message["role"] == "user"]
    assert said[0] == "TASK (earlier):\n<user_request>\nOrder toothpaste on Amazon\n</user_request>"
    assert said[-1] == "NEW FOLLOW UP TASK (current task):\n<user_request>\nthe large tube\n</user_request>"


# Beside a file.


@every(
    "said",
    [
        *("its too long, cut it in half", "page numbers please", "you forgot the conclusion", "proofread it"),
        *("same but shorter", "revert the last change", "слишком длинно, сократи", "olvidaste la conclusión"),
        *("bigger font", "date should be 3 may", "demasiado largo, córtalo", "swap the photo"),
    ],
)
def test_a_message_beside_a_file_revises_it_in_any_wording(said: str) -> None:
    chat = files("essay.docx")
    chat.hear(said)
    assert (chat.state.files.request.mode, chat.state.files.request.target) == ("revision", "essay.docx")


@pytest.mark.parametrize(
    ("said", "mode"),
    [
        ("now one about coffee", "creation"),
        ("and a spreadsheet with prices", "creation"),
        ("letter to my landlord about the heating", "creation"),
        ("could i get that as a pdf", "creation"),
        ("is a pdf better than word for this?", "question"),
        ("how many pages is it", "question"),
        ("what is the capital of france", "question"),
    ],
)
def test_creations_without_a_verb_and_questions_change_nothing(said: str, mode: str) -> None:
    chat = files("essay.docx")
    chat.hear(said)
    assert (chat.state.files.request.mode, chat.state.files.request.target) == (mode, None)


@pytest.mark.parametrize("said", ["thanks", "good morning", "спасибо, супер", "never mind"])
def test_small_talk_beside_a_file_is_about_nothing(said: str) -> None:
    chat = files("essay.docx")
    chat.hear(said)
    assert chat.state.files.request is None or chat.state.files.request.mode == ""


@pytest.mark.parametrize("said", ["add the chart to the essay", "put the chart at the top of the essay"])
def test_what_is_moved_and_where_to_are_two_roles(said: str) -> None:
    chat = files("essay.docx", "chart.png")
    chat.hear(said)
    assert chat.state.files.request.target == "essay.docx"


def test_an_answer_names_the_file_that_a_question_is_about() -> None:
    chat = files("holidays.xlsx", "quarter.pptx")
    chat.hear("blue header")
    chat.say("Where: in the table or in the slides?")
    chat.hear("in the table")
    assert chat.state.files.request.target == "holidays.xlsx"


@pytest.mark.parametrize(
    ("said", "library"),
    [
        ("switch it over to bokeh pls", "bokeh"),
        ("plotly version please", "plotly"),
        ("используй pandas вместо этого", "pandas"),
        ("use skia instead", "skia"),
        ("use graphiq for it", "graphiq"),
        ("try plotzilla for this please", "plotzilla"),
    ],
)
def test_another_library_is_asked_for_in_any_order_known_or_not(said: str, library: str) -> None:
    turn = files("chart.png", code=CHART).hear(said)
    assert f"explicitly asked for {library}" in turn.system
    assert "PREVIOUS IMPLEMENTATION METHOD" not in turn.system


@pytest.mark.parametrize("said", ["¿por qué plotly?", "use red instead", "use arial instead"])
def test_questions_and_attributes_ask_for_no_library(said: str) -> None:
    assert "PREVIOUS IMPLEMENTATION METHOD" in files("chart.png", code=CHART).hear(said).system


def test_guidance_is_given_only_where_the_library_fits() -> None:
    chat = files("star.png", code="from PIL import Image\nImage.new('RGB', (9, 9)).save('star.png')")
    assert "PREVIOUS IMPLEMENTATION METHOD" not in chat.hear("write an essay about rain in Word").system
    assert "Pillow" in chat.hear("make the star bigger").system


def test_a_rule_is_told_only_with_what_it_is_for() -> None:
    chat = files()
    chat.hear("always use plotly for charts")
    assert "Always use plotly" in chat.hear("make a chart of sales").system
    assert "Always use plotly" not in chat.hear("write an essay about rain in Word").system


def test_a_task_that_goes_on_is_titled_by_its_request() -> None:
    chat = files()
    chat.hear("Write a letter to the bank")
    chat.say("How much is the loan?")
    chat.hear("10000")
    chat.say("Done.", files=["letter.docx"])
    assert chat.state.task_history.tasks[-1].title == "Write a letter to the bank"


# In plain talk.


@pytest.mark.parametrize(
    "said",
    [
        *("by the way, do you know a good lasagna recipe?", "on another note, can you help me with my cv"),
        *("кстати, как вывести пятно от вина?", "cambiando de tema, necesito ayuda con mi currículum"),
        "how do i train a puppy",
    ],
)
def test_another_topic_is_told_by_what_is_said_in_any_wording(said: str) -> None:
    chat = Holdfast(pack="general").session("s")
    chat.hear("I'm looking for a hotel in Rome for May")
    chat.say("The Forum is central, 120 a night.")
    assert chat.hear("does it have a pool").route.follow_up
    assert not chat.hear(said).route.follow_up


def test_an_ordinary_thing_of_a_list_is_pointed_at_by_its_place() -> None:
    chat = Holdfast(pack="general").session("s")
    chat.hear("give me ideas")
    chat.say("1. a cookbook\n2. garden gloves\n3. a scarf")
    (found,) = chat.hear("the second one").references
    assert [entity.name for entity in found.entities] == ["garden gloves"]


def test_a_plan_is_told_to_the_agent_that_carries_it_out() -> None:
    chat = Holdfast(pack="general").session("s")
    chat.hear("please plan the garden party")
    chat.plan(["Buy lamps", "Invite friends"])
    chat.step(1, "done")
    system = chat.hear("what is next?").system
    assert "CURRENT PLAN (1 of 2 steps done)" in system
    assert "2. [ ] Invite friends" in system


@pytest.mark.parametrize(
    "said", ["saturday is better", "lets do saturday", "move it to sunday", "лучше в субботу", "mejor el sábado"]
)
def test_a_value_of_a_kind_that_the_plan_has_changes_it_whatever_the_verb(said: str) -> None:
    chat = browser("Book a flight to Oslo on Friday")
    chat.plan(["Open Skyscanner", "Search flights to Oslo on Friday", "Choose the cheapest flight", "Pay with Visa"])
    chat.hear(said)
    assert [step["number"] for step in chat.face.steps() if step["checkAgain"]] == [2]


@pytest.mark.parametrize(
    ("said", "why"),
    [
        ("the 28th will not do. let us say the 25th", "28 May → 25"),
        ("лучше 15го, 14го я занят", "14 May → 15го"),
        ("three passengers please", "2 → three"),
        ("my size is 43", ""),
    ],
)
def test_of_several_days_the_one_that_is_named_gives_way_and_no_name_is_a_number(said: str, why: str) -> None:
    chat = browser("Book a flight to Oslo")
    chat.plan(["Open Skyscanner", "Enter 14 May to 28 May", "Choose 2 passengers", "Buy the Boeing 747 poster"])
    chat.hear(said)
    assert [step["checkAgain"] for step in chat.face.steps() if step["checkAgain"]] == [why] * bool(why)


# A question that was asked, and what is said after it.


@every(
    ("question", "said"),
    [
        ("Shall I go on with the booking?", "my cousin is coming with us so make that three tickets"),
        ("Continuar?", "cierra las demás pestañas"),
        ("Подтверждаете?", "а кстати, сколько до аэропорта ехать?"),
    ],
)
def test_words_that_ask_for_something_else_are_no_answer(question: str, said: str) -> None:
    turn = browser("Book a flight to Oslo on Friday", f"S:{question}").hear(said)
    assert not turn.receipt.did("bound")


def test_an_answer_after_a_detour_goes_to_the_task_that_was_asked_for() -> None:
    chat = browser("Book a flight to Oslo on Friday", "S:Which airport?", "close all youtube tabs")
    chat.say("Closed. For the flight to Oslo: which airport?")
    turn = chat.hear("Gardermoen")
    assert (turn.state.task.current.query, turn.route.relation) == ("Book a flight to Oslo on Friday", "resume")


# Which file is meant.


@every(
    ("made", "said", "target"),
    [
        (
            [("invoice for the bakery", "a.pdf"), ("invoice for the school", "b.pdf")],
            "on the bakery one change the date",
            "a.pdf",
        ),
        (
            [("нарисуй открытку бабушке", "a.png"), ("напиши тост", "b.txt")],
            "а теперь размести его на открытке внизу",
            "a.png",
        ),
        (
            [("haz un cartel de la feria", "a.png"), ("escribe un lema", "b.txt")],
            "y eso mételo en el cartel, arriba",
            "a.png",
        ),
    ],
)
def test_a_file_is_known_by_what_it_was_made_for(made: list[tuple[str, str]], said: str, target: str) -> None:
    chat = files()
    for request, name in made:
        chat.hear(request)
        chat.say("Done.", files=[name])
    chat.hear(said)
    assert chat.state.files.request.target == target


@every("said", ["i need that as a pdf as well", "сделай то же в pdf", "pásalo también a pdf"])
def test_a_format_that_no_file_has_is_a_new_file(said: str) -> None:
    chat = files("budget.xlsx")
    chat.hear(said)
    assert chat.state.files.request.mode == "creation"


@every(
    ("said", "library"),
    [
        ("got it. redo it in bokeh please, our whole dashboard at the office runs on that", "bokeh"),
        ("можно не в matplotlib, а в bokeh?", "bokeh"),
        ("mejor no en matplotlib sino en bokeh, por favor", "bokeh"),
    ],
)
def test_a_library_is_asked_for_beside_other_talk(said: str, library: str) -> None:
    assert f"explicitly asked for {library}" in files("chart.png", code=CHART).hear(said).system
