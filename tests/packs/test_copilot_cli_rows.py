"""The rows of the pack `copilot_cli`, one test per row, told through the session and the pack's face."""

from __future__ import annotations

import logging
from collections.abc import Callable
from pathlib import Path

import pytest

from holdfast import Holdfast
from holdfast.agents import run
from holdfast.agents.coder import coder
from holdfast.errors import Refused, UnknownItem
from holdfast.faculties.facts.memos import ItemConfirmed
from holdfast.packs.copilot_cli import CopilotMemory, open_memory
from holdfast.packs.copilot_demo import demo as demo_lines
from holdfast.session import Session

HOUR = 3600.0


class Clock:
    def __init__(self) -> None:
        self.now = 1_800_000_000.0

    def __call__(self) -> float:
        return self.now


@pytest.fixture
def clock() -> Clock:
    return Clock()


@pytest.fixture
def open_session(clock: Clock) -> Callable[..., Session]:
    hf = Holdfast(pack="copilot_cli", clock=clock)
    return lambda name="s-1": hf.session(name, user="u-1", project="p-1")


@pytest.fixture
def chat(open_session: Callable[..., Session]) -> Session:
    return open_session()


@pytest.fixture
def face(chat: Session) -> CopilotMemory:
    return chat.face  # type: ignore[no-any-return]


def demo(face: CopilotMemory) -> tuple[list[str], list[str], list[str]]:
    facts = [
        face.add_user_fact("user prefers VS Code", "personal", 0.8)["id"],
        face.add_user_fact("user prefers Vim", "personal", 0.9)["id"],
    ]
    face.supersede_user_fact(*facts)
    prefs = [face.add_preference("tooling", "editor", value)["id"] for value in ("VS Code", "Neovim")]
    face.supersede_preference(*prefs)
    made = [
        face.add_decision(f"Use {name} for frontend", "architecture", rationale=why)["id"]
        for name, why in (("React", "Team is familiar with it"), ("Vue", "Better performance for our use case"))
    ]
    face.supersede_decision(*made)
    return facts, prefs, made


def test_C_DEMO_001_a_superseded_fact_is_history_and_no_longer_current(face: CopilotMemory) -> None:
    facts, _, _ = demo(face)
    assert [fact["fact"] for fact in face.get_user_facts()] == ["user prefers Vim"]
    everything = face.get_all_user_facts()
    assert [fact["id"] for fact in everything] == facts
    assert everything[0]["supersededBy"] == facts[1]
    assert everything[0]["supersededAt"].timestamp() == 1_800_000_000.0
    assert "supersededBy" not in everything[1]


def test_C_DEMO_002_a_superseded_preference_keeps_its_history(face: CopilotMemory) -> None:
    demo(face)
    assert [(p["key"], p["value"]) for p in face.get_preferences()] == [("editor", "Neovim")]
    assert [p["value"] for p in face.get_all_preferences()] == ["VS Code", "Neovim"]


def test_C_DEMO_004_the_context_shows_only_what_is_current(face: CopilotMemory) -> None:
    demo(face)
    context = face.get_current_context()
    assert "user prefers Vim" in context
    assert "tooling/editor: Neovim" in context
    assert "Use Vue for frontend" in context
    assert "VS Code" not in context
    assert "React" not in context


def test_C_API_001_lookup_by_key_gives_the_successor(face: CopilotMemory) -> None:
    demo(face)
    found = face.get_preference_by_key("tooling", "editor")
    assert found is not None
    assert found["value"] == "Neovim"


def test_C_API_002_a_key_that_was_never_set_gives_nothing(face: CopilotMemory) -> None:
    assert face.get_preference_by_key("tooling", "editor") is None


def test_C_API_003_of_two_live_preferences_the_newest_counts_and_talk_never_makes_two(
    chat: Session, face: CopilotMemory
) -> None:
    for value in ("VS Code", "Neovim"):
        face.add_preference("tooling", "editor", value)
    assert len(face.get_preferences()) == 2
    found = face.get_preference_by_key("tooling", "editor")
    assert found is not None
    assert found["value"] == "Neovim"
    chat.hear("I use npm")
    chat.hear("I use pnpm")
    assert len([p for p in face.get_preferences() if p["key"] == "package_manager"]) == 1


def test_C_API_004_a_superseded_decision_is_still_found_by_id(face: CopilotMemory) -> None:
    _, _, (old, new) = demo(face)
    found = face.get_decision_by_id(old)
    assert found is not None
    assert found["supersededBy"] == new
    assert found["supersededAt"] is not None
    assert found["rationale"] == "Team is familiar with it"


@pytest.mark.parametrize("row", ["C-API-005", "C-API-006"])
def test_unknown_ids_are_refused_by_name_and_nothing_changes(row: str, face: CopilotMemory) -> None:
    known = face.add_user_fact("user prefers Vim")["id"]
    pair = ("fact_none", known) if row == "C-API-005" else (known, "fact_none")
    with pytest.raises(UnknownItem, match="fact_none"):
        face.supersede_user_fact(*pair)
    assert [fact["id"] for fact in face.get_user_facts()] == [known]
    assert "supersededBy" not in face.get_all_user_facts()[0]


def test_C_API_007_supersessions_form_a_chain_that_any_item_can_tell(face: CopilotMemory) -> None:
    a, b, c = (face.add_user_fact(f"fact {name}")["id"] for name in "abc")
    face.supersede_user_fact(a, b)
    face.supersede_user_fact(b, c)
    assert [fact["id"] for fact in face.get_user_facts()] == [c]
    for start in (a, b, c):
        assert [item["id"] for item in face.chain(start)] == [a, b, c]
    assert [item.get("supersededBy") for item in face.chain(c)] == [b, c, None]
    with pytest.raises(Refused, match="cycle"):
        face.supersede_user_fact(c, a)
    with pytest.raises(Refused):
        face.supersede_user_fact(c, c)


def test_C_API_011_reinforcing_raises_the_confidence_and_never_above_one(face: CopilotMemory, clock: Clock) -> None:
    id = face.add_user_fact("user prefers Vim", confidence=0.8)["id"]
    clock.now += 5
    again = face.reinforce(id)
    assert again["confidence"] == pytest.approx(0.9)
    assert again["lastReinforced"].timestamp() == clock.now
    face.reinforce(id)
    assert face.reinforce(id)["confidence"] == 1.0


def test_C_API_012_changing_a_value_is_a_supersession(face: CopilotMemory) -> None:
    face.add_preference("style", "indentation", "tabs")
    new = face.update_preference("style", "indentation", "2 spaces")
    assert [p["value"] for p in face.get_preferences()] == ["2 spaces"]
    assert [p["value"] for p in face.get_all_preferences()] == ["tabs", "2 spaces"]
    assert face.get_all_preferences()[0]["supersededBy"] == new["id"]


def test_C_API_014_only_session_items_expire(face: CopilotMemory) -> None:
    face.add_user_fact("kept", "other", 0.15, "project")
    face.add_user_fact("gone", "other", 0.15, "session")
    assert [fact["fact"] for fact in face.get_user_facts()] == ["kept"]


def test_C_API_015_session_items_are_not_current_in_a_new_session(open_session: Callable[..., Session]) -> None:
    face: CopilotMemory = open_session("s-1").face
    for lifespan in ("session", "project", "permanent"):
        face.add_user_fact(f"fact of the {lifespan}", "other", 0.8, lifespan)
        face.add_preference("style", lifespan, "x", 0.8, lifespan)
    face.add_decision("Use Vue for frontend")
    assert face.save()
    again: CopilotMemory = open_session("s-2").face
    assert [fact["fact"] for fact in again.get_user_facts()] == ["fact of the project", "fact of the permanent"]
    assert [p["key"] for p in again.get_preferences()] == ["project", "permanent"]
    assert [d["description"] for d in again.get_decisions()] == ["Use Vue for frontend"]


def test_C_API_018_a_failing_save_is_logged_and_the_memory_stays(
    face: CopilotMemory, tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    face.add_user_fact("user prefers Vim")
    with caplog.at_level(logging.WARNING):
        assert not face.save(tmp_path / "no" / "folder.json")
    assert "was not saved" in caplog.text
    assert [fact["fact"] for fact in face.get_user_facts()] == ["user prefers Vim"]


def test_C_API_019_a_damaged_store_is_logged_and_the_memory_starts_empty(
    face: CopilotMemory, tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    damaged = tmp_path / "memory.db"
    damaged.write_bytes(b"this is no database" * 400)
    with caplog.at_level(logging.WARNING):
        opened = open_memory(str(damaged))
    assert "cannot be opened" in caplog.text
    assert opened.memory.facts() == []
    (tmp_path / "memory.json").write_text("{ damaged")
    assert not face.load(tmp_path / "memory.json")
    assert face.get_user_facts() == []


def test_saving_and_loading_restores_items_chains_and_times(face: CopilotMemory, tmp_path: Path) -> None:
    facts, _, _ = demo(face)
    assert face.save(tmp_path / "memory.json")
    other: CopilotMemory = Holdfast(pack="copilot_cli").session("x").face
    assert other.load(tmp_path / "memory.json")
    assert other.get_all_user_facts()[0]["supersededBy"] == facts[1]
    assert other.get_all_user_facts()[0]["supersededAt"] == face.get_all_user_facts()[0]["supersededAt"]
    assert [p["value"] for p in other.get_preferences()] == ["Neovim"]
    assert [d["description"] for d in other.get_decisions()] == ["Use Vue for frontend"]


def test_C_API_021_clearing_the_project_leaves_the_other_lifespans(chat: Session, face: CopilotMemory) -> None:
    for lifespan in ("session", "project", "permanent"):
        face.add_user_fact(lifespan, "other", 0.8, lifespan)
    face.add_decision("Use Vue for frontend")
    chat.hear("This is a react app")
    face.clear("project")
    assert [fact["fact"] for fact in face.get_user_facts()] == ["session", "permanent"]
    assert face.get_project_contexts() == []
    assert len(face.get_decisions()) == 1


def test_C_API_024_loading_twice_never_subtracts_the_same_hours_twice(
    open_session: Callable[..., Session], clock: Clock
) -> None:
    open_session("a").face.add_preference("style", "quotes", "single", 0.8, "project")
    for hours in (10, 20):
        clock.now = 1_800_000_000.0 + hours * HOUR
        once = open_session(f"load-{hours}").face.get_preferences()[0]["confidence"]
        again = open_session(f"load-{hours}-b").face.get_preferences()[0]["confidence"]
        assert once == again == pytest.approx(0.8 - 0.01 * hours)


def test_C_CTX_001_and_004_superseded_items_are_absent_and_decisions_have_their_section(face: CopilotMemory) -> None:
    demo(face)
    context = face.get_current_context()
    assert "VS Code" not in context
    assert context.index("## Current Decisions") < context.index("Use Vue for frontend")
    assert "React" not in context


def everything(face: CopilotMemory) -> list[str]:
    demo(face)
    face.set_goal("Build the shop")
    face.add_task("Write the cart", "active", current=True)
    face.add_task("Write the checkout")
    for number in range(4):
        face.add_error(f"error {number}")
    face.working_on("cart.py")
    face._chat.hear("the shop uses svelte")
    return [line[3:] for line in face.get_current_context().splitlines() if line.startswith("## ")]


def test_C_CTX_003_the_sections_stand_in_their_order(face: CopilotMemory) -> None:
    assert everything(face) == [
        "Mission",
        "Current Task",
        "Unresolved Errors",
        "User Context",
        "User Preferences",
        "Current Decisions",
        "Working On",
        "Pending Tasks",
        "Project Context",
    ]
    context = face.get_current_context()
    assert "error 0" not in context
    assert "error 3" in context
    assert "- tooling/editor: Neovim" in context


def test_C_CTX_005_the_budget_is_never_exceeded(chat: Session, face: CopilotMemory) -> None:
    everything(face)
    full = len(face.get_current_context()) // 4
    for budget in range(0, full + 5, 7):
        part = face.get_current_context(budget)
        assert -(-len(part) // 4) <= budget
        assert face.get_current_context().startswith(part)
    assert face.get_current_context(10_000) == face.get_current_context()
    assert face.get_current_context(12).startswith("## Mission")


def test_C_AUTO_002_now_makes_a_change_and_the_confidence_rises(chat: Session) -> None:
    chat.hear("I'm a junior developer")
    chat.hear("Actually, I'm a senior developer now")
    old, new = chat.memory.facts(history=True)
    assert (old.value, old.superseded_by) == ("junior developer", new.id)
    assert (new.slot, new.value, new.relation) == ("role", "senior developer", "CHANGES")
    assert new.confidence == pytest.approx(0.9)


def test_C_AUTO_003_the_same_fact_again_confirms(chat: Session, clock: Clock) -> None:
    chat.hear("I'm a junior developer")
    clock.now += 60
    turn = chat.hear("I am a junior developer")
    assert any(isinstance(event, ItemConfirmed) for event in turn.events)
    (fact,) = chat.memory.facts(history=True)
    assert fact.confidence == pytest.approx(0.9)
    assert fact.reinforced == clock.now


def test_C_AUTO_004_a_role_is_no_name(chat: Session) -> None:
    chat.hear("I'm a junior developer")
    assert [(fact.slot, fact.value) for fact in chat.memory.facts()] == [("role", "junior developer")]


def test_C_AUTO_007_a_raised_confidence_stays_within_one(chat: Session) -> None:
    first = chat.memory.add("VS Code", kind="preference", slot="tooling/editor", category="tooling", confidence=0.95)
    assert chat.memory.edit(first.id, "Vim").confidence == 1.0


PAIRS = [
    ("C-AUTO-008", "tooling/package_manager", ("I prefer npm", "use pnpm please"), ["npm", "pnpm"], None),
    ("C-AUTO-011", "tooling/package_manager", ("not npm, use pnpm",), ["pnpm"], None),
    ("C-AUTO-013", "tooling/package_manager", ("I use npm", "switch npm to pnpm"), ["npm", "pnpm"], "CHANGES"),
    ("C-AUTO-016", "tooling/package_manager", ("no, use yarn",), ["yarn"], None),
    ("C-AUTO-018", "tooling/editor", ("I prefer VS Code", "Actually, I prefer Vim"), ["VS Code", "Vim"], "CORRECTS"),
    (
        "C-AUTO-019",
        "tooling/editor",
        ("I always use VS Code", "I've switched to Neovim"),
        ["VS Code", "Neovim"],
        "CHANGES",
    ),
    (
        "C-AUTO-020",
        "style/indentation",
        ("I use tabs for indentation", "Actually, let's use 2 spaces instead"),
        ["tabs", "2 spaces"],
        "CHANGES",
    ),
]


@pytest.mark.parametrize(("slot", "said", "values", "relation"), [p[1:] for p in PAIRS], ids=[p[0] for p in PAIRS])
def test_plain_sentences_replace_values(
    slot: str, said: tuple[str, ...], values: list[str], relation: str | None, chat: Session
) -> None:
    for text in said:
        turn = chat.hear(text)
    past = chat.memory.preferences(history=True)
    assert [(item.slot, item.value) for item in past] == [(slot, value) for value in values]
    assert chat.memory.value(slot) == values[-1]
    assert [item.superseded_by for item in past[:-1]] == [item.id for item in past[1:]]
    assert relation is None or past[-1].relation == relation
    assert f"{slot}: {values[-1]}" in turn.system
    assert len(values) == 1 or f"{slot}: {values[0]}\n" not in turn.system + "\n"


def test_C_AUTO_010_the_same_use_again_confirms(chat: Session) -> None:
    chat.hear("use pnpm")
    chat.hear("use pnpm")
    (item,) = chat.memory.preferences(history=True)
    assert item.confidence == pytest.approx(0.8)


def test_C_AUTO_022_a_decision_replaces_only_its_own_subject(chat: Session, face: CopilotMemory) -> None:
    face.add_decision("Use React for frontend", "architecture")
    face.decide("Use Vue for frontend", "architecture")
    assert [d["description"] for d in face.get_decisions()] == ["Use Vue for frontend"]
    face.decide("Use PostgreSQL for the database", "architecture")
    assert len(face.get_decisions()) == 2
    chat.hear("Svelte would be better for this use case")
    assert {d["description"] for d in face.get_decisions()} == {
        "Use Svelte for frontend",
        "Use PostgreSQL for the database",
    }


@pytest.mark.parametrize(
    ("said", "about"),
    [
        ("Let's go with Redis for the session cache.", "Redis"),
        ("I'll use FastAPI here.", "FastAPI"),
        ("We'll use a message queue between the two.", "message queue"),
        ("We decided to split the monolith.", "plit the monolith"),
        ("The approach is optimistic locking.", "ptimistic locking"),
        ("The solution is to cache the token.", "ache the token"),
    ],
)
def test_C_AUTO_023_an_agent_that_decides_makes_a_decision(said: str, about: str, chat: Session) -> None:
    chat.say(said)
    (made,) = chat.memory.decisions()
    assert about in made.text
    assert made.by == "agent"


def test_C_AUTO_024_a_deadline_is_a_fact_of_the_session(chat: Session) -> None:
    chat.hear("deadline is Friday")
    (fact,) = chat.memory.facts()
    assert (fact.slot, fact.value, fact.category) == ("deadline", "Friday", "schedule")
    assert (fact.lifespan, fact.confidence) == ("session", 0.8)
    assert fact.text == "Deadline on Friday"


def test_C_AUTO_025_presentations_and_meetings_are_facts_of_the_schedule(chat: Session) -> None:
    chat.hear("presenting on Friday")
    chat.hear("meeting on 3/14")
    assert [(fact.text, fact.category) for fact in chat.memory.facts()] == [
        ("Presentation on Friday", "schedule"),
        ("Event on 3/14", "schedule"),
    ]


def test_C_AUTO_027_a_framework_is_one_entry_however_often_it_is_mentioned(chat: Session) -> None:
    chat.hear("The react app does not start")
    before = chat.memory.items("context")[0].confidence
    chat.hear("Maybe it is the react router config")
    chat.hear("Show me the React component")
    (entry,) = chat.memory.items("context", history=True)
    assert (entry.slot, entry.value) == ("tech_stack/framework", "react")
    assert entry.confidence > before


def test_C_AUTO_029_the_first_request_is_the_mission(chat: Session, face: CopilotMemory) -> None:
    chat.hear("hi")
    chat.hear("Build a small shop with a cart and a checkout")
    chat.hear("Now fix the failing test in the cart module")
    assert face.goal == "Build a small shop with a cart and a checkout"


def test_C_AUTO_030_clearing_the_conversation_keeps_project_and_permanent_items(
    chat: Session, face: CopilotMemory
) -> None:
    chat.hear("I always use Vim")
    chat.hear("we use pnpm here")
    chat.hear("deadline is Friday")
    face.clear("conversation")
    assert [m["role"] for m in chat.hear("hello").messages] == ["system", "user"]
    assert [fact["fact"] for fact in face.get_user_facts()] == []
    assert sorted(p["value"] for p in face.get_preferences()) == ["Vim", "pnpm"]


def test_C_AUTO_031_a_correction_is_kept_whole_when_the_history_is_compressed(
    chat: Session, face: CopilotMemory
) -> None:
    chat.hear("I use npm for everything in this repository")
    chat.say("Fine.")
    chat.hear("no, not npm, use pnpm: the lockfile is shared with the other packages")
    for number in range(30):
        chat.hear(f"What does line {number} do?")
        chat.say(f"It adds {number}.")
    parts = face.compressed(keep=6)
    (whole,) = [part for part in parts if "use pnpm" in part[0]["content"]]
    assert whole[0]["content"] == "no, not npm, use pnpm: the lockfile is shared with the other packages"
    assert sum(len(part) for part in parts) < 30


def test_C_TOOL_001_the_answer_lists_only_what_was_given(face: CopilotMemory) -> None:
    answer = face.add_decision_tool("Use Vue for frontend")
    id = face.get_decisions()[0]["id"]
    assert answer == f"Decision recorded: {id}\nDescription: Use Vue for frontend"
    assert "Rationale: it is fast" in face.add_decision_tool("Use Vite", rationale="it is fast")


def test_C_TOOL_002_the_list_shows_current_or_all_decisions(face: CopilotMemory) -> None:
    _, _, (old, new) = demo(face)
    assert "React" not in face.list_decisions_tool()
    assert f"Superseded by: {new}" in face.list_decisions_tool(include_superseded=True)
    assert old in face.list_decisions_tool(include_superseded=True)
    assert face.list_decisions_tool(category="tooling") == "No decisions found"


def test_C_TOOL_003_unknown_ids_are_named_and_nothing_changes(face: CopilotMemory) -> None:
    id = face.add_decision("Use Vue for frontend")["id"]
    assert "dec_none" in face.supersede_decision_tool("dec_none", id)
    assert "dec_none" in face.supersede_decision_tool(id, "dec_none")
    assert [d["id"] for d in face.get_decisions()] == [id]


def test_C_TOOL_007_the_task_that_was_set_comes_first_even_while_it_waits(face: CopilotMemory) -> None:
    first = face.add_task("first", "active")
    second = face.add_task("second", "active")
    waiting = face.add_task("waiting", "waiting")
    face.set_current_task(waiting)
    assert face.current_task is not None
    assert face.current_task.id == waiting
    face.complete_task(waiting)
    assert face.current_task is not None
    assert face.current_task.id == second
    face.complete_task(second)
    assert face.current_task is not None
    assert face.current_task.id == first


def test_the_demo_shows_all_five_parts_and_restores_what_it_stored(tmp_path: Path) -> None:
    told = "\n".join(demo_lines(str(tmp_path)))
    assert "junior developer → senior developer [CHANGES]" in told
    assert "VS Code → Neovim [CHANGES]" in told
    assert "Use PostgreSQL → Use MongoDB [CHANGES, the requirements changed]" in told
    context, restored = told.split("4. ")[1].split("5. ")
    for current in ("senior developer", "tooling/editor: Neovim", "Use PostgreSQL with caching layer"):
        assert current in context
        assert current in restored
    assert "VS Code" not in context
    assert "and 4 superseded items" in restored


def test_a_reference_to_earlier_work_brings_it_back_before_the_message(chat: Session, face: CopilotMemory) -> None:
    chat.hear("How do I debounce?")
    chat.say("def debounce(wait): return Timer(wait)  # the debounce function")
    for number in range(20):
        chat.hear(f"And what is {number}?")
        chat.say(f"It is {number}.")
    sent = face.messages(chat.hear("Change the debounce function you showed me to wait longer"))
    assert sent[-2]["content"].startswith("[Retrieved from earlier context]")
    assert "def debounce(wait)" in sent[-2]["content"]
    assert sent[-1]["role"] == "user"
    assert not any("[Retrieved" in m["content"] for m in face.messages(chat.hear("What is a monad?")))


def test_a_new_session_is_told_of_the_stored_memory(open_session: Callable[..., Session]) -> None:
    open_session("a").hear("I always use Vim")
    assert "[Persistent Memory - Previous Session Context]" in open_session("b").hear("Hello").system
    assert "[Persistent Memory" not in open_session("a").hear("Hello").system


def test_at_most_five_sure_facts_and_ten_preferences_reach_the_model(face: CopilotMemory) -> None:
    for number in range(8):
        face.add_user_fact(f"fact number {number}", "other", 0.7)
        face.add_user_fact(f"doubt number {number}", "other", 0.5)
    for number in range(14):
        face.add_preference("style", f"key{number}", "x", 0.7)
    context = face.get_current_context()
    assert context.count("fact number") == 5
    assert context.count("doubt number") == 0
    assert context.count("- style/key") == 10


def answers(chat: Session, *said: str) -> list[str]:
    told: list[str] = []
    for text in said:
        told += [reply.text for reply in run(coder, chat.hear(text), chat)]
    return told


def test_the_built_in_agent_acknowledges_answers_and_shows_chains(chat: Session) -> None:
    told = answers(
        chat,
        "I always use VS Code",
        "I've switched to Neovim",
        "What do you know about me?",
        "What's my editor?",
        "show me the history of my editor",
        "What is my blood type?",
        "We decided to use PostgreSQL for the database",
        "We decided to use SQLite for the database instead",
    )
    assert told[0] == "I will remember: your editor is VS Code."
    assert told[1] == "I changed it: your editor is Neovim and no longer VS Code."
    assert "your editor is Neovim." in told[2]
    assert told[3] == "As far as I know, your editor is Neovim."
    assert told[4] == "VS Code → Neovim [CHANGES]"
    assert told[5] == "You have not told me that."
    assert told[6] == "I will remember: your database is postgresql."
    assert told[7] == "I changed it: your database is sqlite and no longer postgresql."


def test_the_built_in_agent_speaks_russian_and_spanish_and_asks_when_in_doubt(chat: Session) -> None:
    assert answers(chat, "Я использую npm") == ["Запомню: менеджер пакетов — npm."]
    assert answers(chat, "Uso pnpm o tal vez yarn")[0].startswith("Antes dijiste npm")
