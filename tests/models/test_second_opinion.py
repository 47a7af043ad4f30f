"""A second opinion over a real HTTP server that speaks the protocol of chat completions, as a paid API would."""

from __future__ import annotations

import asyncio
import io
import json
import threading
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import httpx2
import pytest

from holdfast import AsyncHoldfast, Holdfast
from holdfast.cli import main
from holdfast.errors import StoreBusy
from holdfast.models.claims import stands, unread
from holdfast.models.endpoints import Local, SecondOpinion, Upstream
from holdfast.models.opinion import understood
from holdfast.pack import load
from holdfast.session import Session
from holdfast.stores.sqlite import SqliteStore
from tests.server.running import served, until
from tests.server.upstream import Upstream as Double


@pytest.fixture
def chat(opinion: SecondOpinion) -> Iterator[Session]:
    with Holdfast(pack="copilot_cli", second_opinion=opinion) as hf:
        yield hf.session("s", user="u", project="p")


def answers(model: Double, **answer: Any) -> None:
    model.replies = [f"Here you are:\n```json\n{json.dumps(answer)}\n```"]


def claims(model: Double, *found: dict[str, Any]) -> None:
    model.replies = [f"Sure!\n```json\n{json.dumps({'claims': found})}\n```"]


def in_conflict(chat: Session) -> None:
    """A hedged statement against a value that was said for sure."""
    for _ in range(2):
        chat.hear("I use npm")
    chat.hear("maybe I use pnpm")
    assert chat.memory.disputes() or chat.holdfast.settled()


def test_a_conflict_is_settled_by_words_that_stand_in_the_message(chat: Session, model: Double) -> None:
    answers(model, holds="new", words="I use pnpm")
    in_conflict(chat)
    assert chat.holdfast.settled()
    assert (chat.memory.value("tooling/package_manager"), chat.memory.disputes()) == ("pnpm", [])
    chain = chat.memory.chain(chat.memory.holding("tooling/package_manager").id)  # type: ignore[union-attr]
    assert [memo.value for memo in chain] == ["npm", "pnpm"]
    assert (chain[1].rule, chain[1].version, chain[1].details["second_opinion"]) == ("second_opinion", 3, "big")


def test_the_decision_has_a_receipt_with_the_rule_and_the_words(chat: Session, model: Double) -> None:
    answers(model, holds="new", words="I use pnpm")
    chat = chat.holdfast.session("alone")
    in_conflict(chat)
    assert chat.holdfast.settled()
    done = chat.entry(chat.state.version)
    because = [event.because for event in done.entry.events if event.because is not None]
    assert done.role == "call"
    assert {(cause.rule, cause.version, cause.words) for cause in because} == {("second_opinion", 3, "I use pnpm")}
    assert "second_opinion" in str(done.receipt)


@pytest.mark.parametrize(
    "answer",
    [
        {"holds": "new", "words": "I switched to pnpm for good"},  # nobody wrote that
        {"holds": "new", "words": ""},
        {"holds": "new"},
        {"holds": "whatever", "words": "I use pnpm"},
        {"holds": 7, "words": ["I use pnpm"]},
        {},
    ],
)
def test_words_that_nobody_wrote_decide_nothing(chat: Session, model: Double, answer: dict[str, Any]) -> None:
    answers(model, **answer)
    in_conflict(chat)
    assert chat.holdfast.settled()
    assert chat.memory.value("tooling/package_manager") == "npm"
    assert len(chat.memory.disputes()) == 1


@pytest.mark.parametrize("reply", [400, 401, "no JSON at all", '{"holds": "new", "words"'])
def test_a_model_that_fails_leaves_the_doubt_open(chat: Session, model: Double, reply: Any) -> None:
    model.replies = [reply]
    in_conflict(chat)
    assert chat.holdfast.settled()
    assert model.asked
    assert len(chat.memory.disputes()) == 1


def test_a_model_that_is_not_there_leaves_the_doubt_open() -> None:
    nobody = SecondOpinion(Upstream("http://127.0.0.1:9/v1", "key", "big", seconds=1))
    with Holdfast(pack="copilot_cli", second_opinion=nobody) as hf:
        chat = hf.session("s")
        in_conflict(chat)
        assert hf.settled()
        assert len(chat.memory.disputes()) == 1


def test_nobody_is_asked_where_the_rules_are_sure(chat: Session, model: Double) -> None:
    for text in (
        "I use VS Code",
        "I've switched to Neovim",
        "Thanks, that works!",
        "Can you show me the tests?",
        "What if I used Emacs?",
        "Find me a cheap restaurant in the centre",
        "forget that I use Neovim",
    ):
        chat.hear(text)
    assert chat.holdfast.settled()
    assert model.asked == []


def test_without_a_model_nobody_is_asked(model: Double) -> None:
    with Holdfast(pack="copilot_cli") as hf:
        chat = hf.session("s")
        in_conflict(chat)
        assert hf.settled()
        assert len(chat.memory.disputes()) == 1
    assert model.asked == []


@pytest.mark.parametrize(
    ("said", "key", "value"),
    [
        ("keyboard's a Colemak one.", "keyboard", "Colemak"),
        ("Под рукой ThinkPad, ноутбук.", "laptop", "ThinkPad"),
        ("Todavía con el theremín.", "instrument", "theremín"),
    ],
)
def test_what_no_rule_read_is_learned(chat: Session, model: Double, said: str, key: str, value: str) -> None:
    with Holdfast(pack="copilot_cli") as alone:
        unaided = alone.session("s", user="u", project="p")
        unaided.hear(said)
        assert unaided.memory.facts() == []
    claims(model, {"message": 1, "attribute": key, "value": value, "words": said.strip(".")})
    assert chat.hear(said).receipt is not None
    assert chat.holdfast.settled()
    (fact,) = chat.memory.facts()
    assert (fact.slot, fact.value, fact.rule) == (f"trait/{key}", value, "second_opinion")
    assert said[fact.start : fact.end] == value
    assert fact.words in said


def test_what_only_a_model_read_never_takes_the_place_of_what_the_person_said(chat: Session, model: Double) -> None:
    chat.hear("I live in Boston")
    claims(model, {"message": 1, "attribute": "home", "value": "Workman", "words": "layout's Workman here"})
    chat.hear("layout's Workman here.")
    assert chat.holdfast.settled()
    assert model.asked
    assert chat.memory.value("home") == "Boston"
    assert [(dispute.slot, dispute.rival.value) for dispute in chat.memory.disputes()] == [("home", "Workman")]


def test_a_correction_that_names_no_item_is_asked_about_and_corrects_the_one_that_is_meant(
    chat: Session, model: Double
) -> None:
    chat.hear("I prefer dark mode")
    answers(model, item=1, value="the light one", words="I meant the light one")
    chat.hear("I meant the light one")
    assert chat.holdfast.settled()
    (now,) = chat.memory.preferences()
    assert (now.slot, now.value, now.relation) == ("style/theme", "the light one", "CORRECTS")


def test_an_opinion_that_cannot_be_written_leaves_the_doubt_open_and_the_next_one_is_asked_for(
    chat: Session, model: Double, monkeypatch: pytest.MonkeyPatch
) -> None:
    store = chat.holdfast.store
    asked = len(model.asked)

    def busy(*given: Any) -> None:
        if len(model.asked) > asked:
            raise StoreBusy("try again")
        SqliteStore.append(store, *given)  # type: ignore[arg-type]

    monkeypatch.setattr(store, "append", busy)
    answers(model, holds="new", words="I use pnpm")
    in_conflict(chat)
    assert chat.holdfast.settled()
    assert len(chat.memory.disputes()) == 1
    monkeypatch.undo()
    again = chat.holdfast.session("other")
    in_conflict(again)
    assert chat.holdfast.settled(10)
    assert again.memory.value("tooling/package_manager") == "pnpm"


def test_a_removal_that_found_nothing_is_asked_about(chat: Session, model: Double) -> None:
    chat.hear("My name is Dana")
    chat.hear("I work at Initech")
    answers(model, item=1, words="forget my paymaster")
    chat.hear("please forget my paymaster")
    assert chat.holdfast.settled()
    assert "1. employer: Initech" in str(model.asked[-1])
    assert "2. name: Dana" in str(model.asked[-1])
    assert [memo.slot for memo in chat.memory.facts()] == ["name"]


def test_a_doubt_that_the_person_settled_first_stays_as_they_said(endpoint: tuple[str, Double]) -> None:
    gate = threading.Event()

    def slow(messages: list[dict[str, str]]) -> str:
        gate.wait(10)
        return '{"holds": "new", "words": "I use pnpm"}'

    with Holdfast(pack="copilot_cli", second_opinion=slow) as hf:
        chat = hf.session("s")
        in_conflict_now(chat)
        chat.hear("npm")  # the turn does not wait for the model
        gate.set()
        assert hf.settled()
        assert (chat.memory.value("tooling/package_manager"), chat.memory.disputes()) == ("npm", [])


def in_conflict_now(chat: Session) -> None:
    for text in ("I use npm", "I use npm", "maybe I use pnpm"):
        chat.hear(text)


def test_an_opinion_can_be_undone(chat: Session, model: Double) -> None:
    answers(model, holds="new", words="I use pnpm")
    in_conflict(chat)
    assert chat.holdfast.settled()
    chat.memory.undo(chat.memory.holding("tooling/package_manager").id)  # type: ignore[union-attr]
    assert chat.memory.value("tooling/package_manager") == "npm"


def test_the_state_is_the_replay_of_the_log(chat: Session, model: Double) -> None:
    answers(model, holds="new", words="I use pnpm")
    in_conflict(chat)
    assert chat.holdfast.settled()
    assert chat.at(chat.state.version).json() == chat.state.json()


def test_the_async_shell_asks_as_well(opinion: SecondOpinion, model: Double) -> None:
    answers(model, holds="new", words="I use pnpm")
    assert asyncio.run(_awaited(opinion)) == "pnpm"


async def _awaited(opinion: SecondOpinion) -> Any:
    async with AsyncHoldfast(pack="copilot_cli", second_opinion=opinion) as hf:
        chat = await hf.session("s")
        for text in ("I use npm", "I use npm", "maybe I use pnpm"):
            await chat.hear(text)
        assert await hf.settled()
        return await chat.memory.value("tooling/package_manager")


def test_a_pack_can_bring_the_model(opinion: SecondOpinion, model: Double) -> None:
    answers(model, holds="new", words="I use pnpm")
    with Holdfast(pack=load("copilot_cli").but(settings={"second_opinion": opinion})) as hf:
        chat = hf.session("s")
        in_conflict(chat)
        assert hf.settled()
        assert chat.memory.value("tooling/package_manager") == "pnpm"


def test_the_terminal_asks_when_told_to(
    endpoint: tuple[str, Double], model: Double, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    answers(model, holds="new", words="I use pnpm")
    monkeypatch.setattr("sys.stdin", io.StringIO("I use npm\nI use npm\nmaybe I use pnpm\n"))
    store = f"sqlite:///{tmp_path}/chat.db"
    monkeypatch.setenv("HOLDFAST_MODEL", "big")
    assert main(["chat", "--pack", "copilot_cli", "--store", store, "--second-opinion", endpoint[0]]) == 0
    with Holdfast(store, pack="copilot_cli") as hf:
        assert hf.existing("copilot_cli").memory.value("tooling/package_manager") == "pnpm"


def test_an_answer_is_found_wherever_it_stands() -> None:
    found = understood('Well {not json} but {"holds": "old", "words": "no", "more": 1} so.')
    assert found is not None
    assert found.holds == "old"
    assert understood("none") is None


def test_words_stand_in_a_text_as_whole_words() -> None:
    assert stands("I  USE pnpm.", "maybe i use pnpm!")
    assert not stands("pm", "maybe I use pnpm")
    assert not stands(" ", "maybe")


@pytest.mark.parametrize(
    ("text", "asked"),
    [
        ("the kayak is a two seater Prijon", True),
        ("still on the theremin", True),
        ("been married for 12 years", True),
        ("I want something cheaper", False),
        ("Is my bike a Brompton?", False),
        ("If my bike is stolen, I walk", False),
        ("Thanks for the help", False),
        ("haha nice one", False),
        ("У меня есть горн", True),
        ("У меня есть свисток", True),
        ("Мне нужен отель", False),
        ("Mi gaita es una Seivane", True),
        ("¿Mi moto es una Vespa?", False),
        ('She said "my bike is a Brompton"', False),
    ],
)
def test_a_model_reads_what_may_tell_something_and_was_not_read(text: str, asked: bool) -> None:
    with Holdfast(pack="copilot_cli") as hf:
        chat = hf.session("s")
        chat.hear(text)
        assert (unread(chat.heard(1).draft) is not None) is asked


@pytest.mark.sweep  # a real model answers with every change in tests/server/test_local_model.py
def test_a_real_model_never_decides_with_words_that_nobody_wrote(local_model: Local) -> None:
    with Holdfast(pack="copilot_cli", second_opinion=SecondOpinion(local_model)) as hf:
        chat = hf.session("s")
        in_conflict_now(chat)
        assert hf.settled(600)
        if chat.memory.value("tooling/package_manager") == "pnpm":  # a small model may be right, and then it quoted
            held = chat.memory.holding("tooling/package_manager")
            assert held is not None
            assert held.rule == "second_opinion"
        else:
            assert chat.memory.value("tooling/package_manager") == "npm"


def test_the_server_asks_when_told_to(endpoint: tuple[str, Double], model: Double) -> None:
    answers(model, holds="new", words="I use pnpm")
    with served(second_opinion=Upstream(endpoint[0], "key", "big")) as at, httpx2.Client(base_url=at) as client:
        client.post("/api/sessions", json={"id": "s", "pack": "copilot_cli"})
        for text in ("I use npm", "I use npm", "maybe I use pnpm"):
            client.post("/api/sessions/s/hear", json={"text": text})

        def values() -> list[str]:
            return [item["value"] for item in client.get("/api/sessions/s/memory").json()["items"]]

        until(lambda: values() == ["pnpm"])
