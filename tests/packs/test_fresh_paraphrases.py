"""Paraphrases of the rows of three packs in three languages: `fresh_paraphrases.toml`."""

from __future__ import annotations

import itertools
import tomllib
from pathlib import Path
from typing import Any

from holdfast import Holdfast
from holdfast.faculties.revisions.faculty import OverrideRead
from tests.rows import every

ROWS: dict[str, list[Any]] = tomllib.loads(
    Path(__file__).with_name("fresh_paraphrases.toml").read_text(encoding="utf-8")
)
DESK, BROWSER, MAKER = (Holdfast(pack=pack) for pack in ("rv_service_desk", "nxtscape", "grace"))
DRAWN = "from PIL import Image\nim = Image.new('RGB', (9, 9))\nim.save('a.png')"
_ids = itertools.count()


@every(("text", "intent", "stays"), ROWS["desk"])
def test_the_desk_reads_the_intent_and_keeps_or_closes_the_step(text: str, intent: str, stays: bool) -> None:
    face = DESK.session(f"case-{next(_ids)}").face
    face.start("water_pump", active="wp_1")
    turn = face.turn(text)
    assert turn["intent"]["type"] == intent
    assert (turn["context"]["activeStepId"] == "wp_1") is stays


@every(("said", "agent", "type", "relation"), ROWS["browser"])
def test_the_browser_routes_by_the_new_task(said: str, agent: str, type: str, relation: str) -> None:
    chat = BROWSER.session(f"s-{next(_ids)}")
    for text in said.split(" > "):
        turn = chat.hear(text)
    assert chat.state.task.link.relation == relation
    if agent:
        assert (turn.route.agent, turn.route.task_type) == (agent, type)


@every(("said", "kind", "library"), ROWS["maker"])
def test_the_maker_reads_an_override_and_nothing_else(said: str, kind: str, library: str) -> None:
    chat = MAKER.session(f"s-{next(_ids)}", user=f"u-{next(_ids)}")
    chat.hear("Create an image with a red circle")
    chat.say("Done", code=DRAWN, files=["a.png"])
    turn = chat.hear(said)
    read = [event.asked.override for event in turn.events if isinstance(event, OverrideRead)]
    assert [f"{one.kind} {one.requested or ''}" for one in read] == ([f"{kind} {library}"] if kind else [])
