"""What developers say of a project: tools and decisions are about one thing, and what is said last holds."""

from __future__ import annotations

import pytest

from holdfast import Holdfast
from holdfast.session import Session


def talk(*messages: str) -> Session:
    chat = Holdfast(pack="copilot_cli").session("s", user="u", project="p")
    for message in messages:
        chat.say(message[3:]) if message.startswith("A: ") else chat.hear(message)
    return chat


def known(chat: Session) -> dict[str, set[str]]:
    """By kind: what is known now, without what is refused."""
    found: dict[str, set[str]] = {}
    for item in chat.memory.items():
        if item.positive and not item.slot.startswith("answer/"):
            found.setdefault(item.kind, set()).add(item.value)
    return found


@pytest.mark.parametrize(
    ("said", "value"),
    [
        ("our database is postgres 15", "PostgreSQL 15"),
        ("база у нас mysql 8", "MySQL 8"),
        ("usamos mariadb 11 como base de datos", "MariaDB 11"),
    ],
)
def test_what_the_work_is_built_on_is_known_with_its_version_and_told_once(said: str, value: str) -> None:
    chat = talk(said)
    assert value in known(chat)["preference"]
    assert chat.hear("which database do we use?").system.lower().count(value.split(maxsplit=1)[0].lower()) == 1


@pytest.mark.parametrize(
    ("first", "then", "left"),
    [
        ("we lint with pylint", "we migrated from pylint to ruff", "ruff"),
        ("линтер у нас pylint", "с pylint перешли на ruff", "ruff"),
        ("usamos stylelint", "cambiamos stylelint por biome", "biome"),
    ],
)
def test_a_tool_takes_the_place_of_one_of_another_kind_that_it_is_traded_for(first: str, then: str, left: str) -> None:
    assert known(talk(first, then))["preference"] == {left}


@pytest.mark.parametrize(
    ("first", "then", "left"),
    [
        ("We decided to try yarn", "yarn is too slow, we're going back to npm", {"decision": {"npm"}}),
        ("Мы решили попробовать poetry", "poetry не взлетел, возвращаемся на pip", {"decision": {"pip"}}),
        ("we use npm in this repo", "we decided to go with pnpm", {"decision": {"pnpm"}}),
    ],
)
def test_a_decision_and_a_tool_about_one_thing_meet(first: str, then: str, left: dict[str, set[str]]) -> None:
    assert known(talk(first, then)) == left


def test_what_a_person_always_uses_stays_theirs_beside_a_decision_of_the_project() -> None:
    chat = talk("I always use npm", "for this project we decided to go with pnpm")
    assert {"npm"} <= known(chat)["preference"]


def test_tools_of_one_kind_for_several_parts_hold_side_by_side() -> None:
    chat = talk("production is on AWS, staging is on Hetzner")
    assert known(chat)["preference"] == {"AWS", "Hetzner"}
