"""The browser agent: it plans, can be stopped between steps, goes on from there, works on tabs and answers."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from holdfast import Holdfast
from holdfast.agents import run
from holdfast.agents.browser import Browser
from holdfast.session import Session

AGENT = Browser(pause=0)


@pytest.fixture
def chat() -> Iterator[Session]:
    with Holdfast(pack="nxtscape") as hf:
        yield hf.session("s")


def talk(chat: Session, text: str, stop: str = "") -> list[str]:
    said = []
    for reply in run(AGENT, chat.hear(text), chat):
        assert not reply.receipt.did("failed"), str(reply.receipt)
        said.append(reply.text)
        if stop and stop in reply.text:
            chat.interrupt()
    return said


def test_it_carries_out_its_plan_step_by_step(chat: Session) -> None:
    said = talk(chat, "Order toothpaste on Amazon")
    assert said[0].startswith("Plan:\n1. Open Amazon")
    assert said[-1].startswith("Confirmed on Amazon")
    assert chat.face.task()["status"] == "done"


def test_interrupted_at_the_results_it_starts_from_there(chat: Session) -> None:
    said = talk(chat, "Order toothpaste on Amazon", stop="Results on Amazon")
    assert "Confirmed" not in said[-1]
    assert chat.face.done_count() == 2
    said = talk(chat, "Actually, make it fluoride-free toothpaste")
    assert "1. Filter the results" in said[1]
    assert said[-1] == "Confirmed on Amazon: Herbal Calm toothpaste."


def test_it_goes_on_after_a_restart(tmp_path: Path) -> None:
    store = f"sqlite:///{tmp_path / 'chat.db'}"
    with Holdfast(store, pack="nxtscape") as hf:
        talk(hf.session("s"), "Book a flight to Oslo", stop="Opened Skybook")
    with Holdfast(store, pack="nxtscape") as hf:
        said = talk(hf.session("s"), "continue")
        assert said[1] == "Going on with the plan: 1 of 5 steps done."
        assert said[-1].startswith("Confirmed on Skybook: Flight to Oslo")


def test_tabs_stay_closed_and_a_follow_up_takes_the_verb_before(chat: Session) -> None:
    assert talk(chat, "Close all Google tabs")[0].startswith("Closed 2 tabs")
    assert talk(chat, "and the YouTube ones")[-1].startswith("Closed 2 tabs: YouTube")
    assert talk(chat, "List my tabs")[-1].startswith("2 tabs:")


def test_it_answers_from_the_page_and_comes_back_to_the_task(chat: Session) -> None:
    talk(chat, "Book a flight to Oslo", stop="Results on Skybook")
    assert "Ferries will run" in talk(chat, "what does this page say about ferries?")[-1]
    said = talk(chat, "go back to the flight")
    assert said[0] == "Back to: Book a flight to Oslo."
    assert said[-1].startswith("Confirmed on Skybook")


def test_what_cannot_be_found_is_marked_failed_and_the_rest_skipped(chat: Session) -> None:
    talk(chat, "Buy a unicorn on eBay")
    assert [step["status"] for step in chat.face.steps()] == ["done", "failed", "skipped", "skipped", "skipped"]
    assert "nothing for unicorn" in chat.face.steps()[1]["reason"]


def test_another_message_in_between_stops_it(chat: Session) -> None:
    replies = run(AGENT, chat.hear("Order toothpaste on Amazon"), chat)
    next(replies)
    next(replies)
    chat.hear("Close all Google tabs")
    assert list(replies) == []
    assert chat.face.stack()[0]["query"] == "Order toothpaste on Amazon"


def test_start_fresh_is_acknowledged_and_asks_for_nothing(chat: Session) -> None:
    talk(chat, "Order toothpaste on Amazon", stop="Opened")
    assert talk(chat, "start fresh") == ["Starting fresh."]
    assert chat.face.task() is None
