"""What an object shows of itself in a shell, a log or a failing test."""

from __future__ import annotations

from holdfast import Holdfast
from holdfast.pack import load


def test_a_session_shows_who_talks_with_which_pack() -> None:
    with Holdfast(pack="copilot_cli") as hf:
        assert repr(hf.session("s-1", user="u-1")) == "Session('s-1', user='u-1', pack='copilot_cli')"
        assert repr(hf.session("s-2")) == "Session('s-2', pack='copilot_cli')"
        assert repr(hf.session("s-1", user="u-1").memory) == "SessionMemory(session='s-1', user='u-1')"
        assert repr(hf) == "Holdfast(store='SqliteStore', pack='copilot_cli')"


def test_a_turn_shows_its_message_and_what_came_of_it() -> None:
    with Holdfast(pack="vibehuntr") as hf:
        chat = hf.session("s")
        turn = chat.hear("Italian places in South Philly")
        shown = repr(turn)
        assert shown.startswith("Turn('Italian places in South Philly', version=1, agent=")
        assert f"context={turn.context!r}" in shown
        assert "question" not in shown
        assert repr(chat.entry(1)) == "Past('Italian places in South Philly', version=1, role='person')"
        assert repr(chat.state).startswith("State(version=1, keeps=")


def test_a_long_message_is_cut() -> None:
    with Holdfast() as hf:
        assert len(repr(hf.session("s").hear("word " * 5000))) < 400


def test_a_reply_shows_whether_it_may_go_out() -> None:
    with Holdfast() as hf:
        chat = hf.session("s")
        assert repr(chat.say("Good morning.")) == "Reply('Good morning.', allowed=True, version=1)"
        assert repr(chat.check("Good morning.")) == "Verdict(allowed=True)"


def test_a_reply_that_is_held_shows_the_rules_that_hold_it() -> None:
    with Holdfast(pack="rv_service_desk") as hf:
        chat = hf.session("s")
        chat.hear("water pump won't turn on")
        reply = chat.say("The pump is bad. Replace it. Labor: 9 hours.")
        assert not reply.allowed
        assert f"allowed=False, version=2, violations=[{reply.violations[0].rule!r}" in repr(reply)


def test_a_fact_shows_its_value_and_why_it_no_longer_holds() -> None:
    with Holdfast(pack="copilot_cli") as hf:
        chat = hf.session("s", user="u")
        chat.hear("I use pnpm")
        chat.hear("Actually, I switched to yarn")
        old, new = chat.memory.items(history=True)
        assert repr(new).startswith(f"{type(new).__name__}({new.id!r}, 'tooling/package_manager: yarn', kind=")
        assert "superseded_by" not in repr(new)
        assert f"superseded_by={new.id!r}" in repr(old)


def test_a_pack_shows_its_faculties() -> None:
    assert repr(load("general")).startswith("Pack('general', faculties=['conversation', ")
