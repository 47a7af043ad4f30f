"""Many ways to say the same things, in three languages: places, wishes, prices, plans, replies and references. The rows
are in the `vibehuntr_*.toml` beside this file, one line each."""

from __future__ import annotations

import itertools
import tomllib
from pathlib import Path
from typing import Any

import pytest

from holdfast import Holdfast, Session
from holdfast.turn import Reply, Turn
from tests.rows import every

FILES = [
    tomllib.loads(Path(__file__).with_name(f"vibehuntr_{name}.toml").read_text("utf-8"))
    for name in ("utterances", "fresh", "finding", "plain")
]
REPLIES = {name: text for table in FILES for name, text in table.pop("replies").items()}
TABLE = {group: rows for table in FILES for group, rows in table.items()}
ENGINE = Holdfast(pack="vibehuntr")
_ids = itertools.count()


def talked(said: list[str]) -> tuple[Session, Turn | None, Reply | None]:
    """A conversation, with its last turn and its last reply."""
    session, turn, reply = ENGINE.session(f"utterance-{next(_ids)}"), None, None
    for message in said:
        if message.startswith("agent: "):
            text = message.removeprefix("agent: ")
            reply = session.say(REPLIES[text[1:]] if text.startswith("@") else text)
        else:
            turn = session.hear(message)
    return session, turn, reply


def told(session: Session, turn: Turn | None, reply: Reply | None, key: str) -> Any:
    """What a row speaks of under a key; what is no key of its own is a slot."""
    slots, entities = session.state.slots, session.state.references.entities
    match key:
        case "canonical":
            return slots.canonical("location") or ""
        case "ambiguous":
            return "location" in slots.values and slots.values["location"].ambiguous
        case "known":
            return [entity.name for entity in entities]
        case "venues":
            return [[entity.name, entity.id] for entity in entities]
        case "plans":
            return [[plan.line(), plan.status] for plan in session.state.plans.items]
        case "allowed":
            return reply is not None and reply.allowed
        case "context" | "told":
            return turn.context if turn else ""
        case "asks":
            return turn is not None and bool(turn.question)
        case "points_at" | "candidates":
            status = "resolved" if key == "points_at" else "ambiguous"
            found = turn.references if turn else []
            names = [e.name for reference in found if reference.status == status for e in reference.entities]
            return names if key == "points_at" else sorted(names)
    return slots.get(key) or ""


def is_understood(row: dict[str, Any]) -> None:
    talk = talked(row["said"])
    for key, expected in row.items():
        found = told(*talk, key) if key != "said" else expected
        held = all(part in found for part in expected) if key == "told" else found == expected
        assert held, f"{key} is {found!r}, not {expected!r}"


@pytest.mark.parametrize("group", TABLE)
def test_what_is_said_in_many_ways_is_understood(group: str) -> None:
    every("row", TABLE[group]["rows"])(is_understood)()
