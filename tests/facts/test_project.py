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


def facts(chat: Session) -> dict[str, str]:
    return {item.slot: item.value for item in chat.memory.facts() if not item.slot.startswith("answer/")}


@pytest.mark.parametrize(
    ("said", "thing", "place"),
    [
        ("the fixtures live in spec/fixtures", "fixtures", "spec/fixtures"),
        ("logs go to /var/log/shop on the box", "logs", "/var/log/shop"),
        ("схемы лежат в lib/schemas", "схемы", "lib/schemas"),
        ("las plantillas estan en web/templates", "plantillas", "web/templates"),
        ("the build server is bob.internal", "build", "bob.internal"),
    ],
)
def test_where_something_of_the_project_is_is_a_fact_of_its_own(said: str, thing: str, place: str) -> None:
    assert facts(talk(said)) == {f"project/{thing}": place}


@pytest.mark.parametrize(
    ("first", "then", "left"),
    [
        ("the fixtures live in spec/fixtures", "the fixtures are in test/data now", "test/data"),
        ("схемы лежат в lib/schemas", "стоп, про схемы я ошибся, они в lib/models", "lib/models"),
        ("las plantillas estan en web/templates", "las plantillas estan ahora en views/html", "views/html"),
    ],
)
def test_another_place_of_the_same_thing_takes_its_place(first: str, then: str, left: str) -> None:
    assert list(facts(talk(first, then)).values()) == [left]


@pytest.mark.parametrize(
    "said",
    [
        "fix the import in src/nav.tsx",
        "it works and/or it does not, 24/7",
        "why does lib/core.py fail?",
        "добавь проверку в lib/orders.ts",
        "renombra la variable en util/helpers.py",
    ],
)
def test_a_place_that_is_only_worked_on_is_no_fact(said: str) -> None:
    assert facts(talk(said)) == {}


@pytest.mark.parametrize(
    ("asked", "said", "slot", "value"),
    [
        ("Which port should the server use?", "put 4310", "project/port", "4310"),
        ("Which branch do releases come from?", "from stable", "project/branch", "stable"),
        ("На каком порту слушает сервер?", "3010 давай", "project/port", "3010"),
        ("¿De qué rama salen las versiones?", "de estable", "project/branch", "estable"),
        ("What is the goal of this project?", "halve the cost of the nightly jobs", "goal", "halve the cost of the"),
    ],
)
def test_what_a_question_asks_for_by_name_is_known_under_it(asked: str, said: str, slot: str, value: str) -> None:
    assert facts(talk(f"A: {asked}", said)).get(slot, "").startswith(value)


def test_a_tool_that_is_picked_from_a_choice_is_that_tool() -> None:
    chat = talk("A: mocha or jasmine?", "the second one")
    assert ("tooling/test_framework", "jasmine") in {(item.slot, item.value) for item in chat.memory.preferences()}


@pytest.mark.parametrize(
    ("first", "then"),
    [
        ("rule: every module gets a readme", "you can ignore that readme rule from now on"),
        ("lines no longer than 90 characters please", "forget the rule about 90 characters"),
        ("строки не длиннее 90 символов", "правило про 90 символов можешь игнорить, отменили"),
    ],
)
def test_a_rule_that_is_taken_back_is_gone_and_nothing_is_kept_of_it(first: str, then: str) -> None:
    assert known(talk(first, then)).get("preference", set()) == set()


def test_what_is_no_longer_used_and_was_never_known_is_no_news() -> None:
    assert known(talk("we no longer use zipkin btw")) == {}


@pytest.mark.parametrize(
    ("said", "value"),
    [
        ("the db will be cassandra", "Cassandra"),
        ("бд будет cassandra", "Cassandra"),
        ("la base de datos va a ser cassandra", "Cassandra"),
        ("давай для кэша возьмем memcached", "Memcached"),
        ("going with neo4j for the graph part", "Neo4j"),
        ("We agreed in the standup to go with gRPC instead of SOAP", "gRPC"),
    ],
)
def test_a_tool_that_is_named_with_its_kind_or_chosen_is_kept(said: str, value: str) -> None:
    chat = talk(said)
    assert known(chat).get("preference", set()) | known(chat).get("decision", set()) == {value}


@pytest.mark.parametrize(
    ("named", "said", "value"),
    [
        ("Both Bokeh and Zdog would do for the charts.", "lets go with zdog", "zdog"),
        ("Options for the physics: Jolt, Cannon-ES, Oimo.", "lets go with cannon-es for now", "cannon-es for now"),
        ("Para el estado puedo usar bloc, provider o mobx.", "vamos con provider", "provider"),
    ],
)
def test_a_thing_that_the_agent_named_and_that_is_gone_with_is_decided(named: str, said: str, value: str) -> None:
    assert known(talk(f"A: {named}", said))["decision"] == {value}


def test_what_nobody_named_and_is_no_tool_is_no_decision() -> None:
    assert "decision" not in known(talk("A: What shall we watch?", "Let's go with Green Book"))


def test_a_change_of_what_was_decided_for_one_part_is_a_change_of_the_decision() -> None:
    chat = talk("going with mongodb for the event log", "mongo is too slow for that, moving to cassandra")
    assert known(chat)["decision"] == {"Cassandra"}


@pytest.mark.parametrize(
    ("first", "then"),
    [("we host on netlify", "hm scratch netlify, its too slow"), ("usamos jest", "venga, olvida lo de jest, no va")],
)
def test_a_tool_that_is_let_go_is_gone(first: str, then: str) -> None:
    assert known(talk(first, then)).get("preference", set()) == set()


def test_a_change_that_is_asked_for_in_one_piece_of_code_tells_nothing() -> None:
    assert known(talk("в этом файле замени табы на пробелы")) == {}
