"""The example on the page runs, and every call that the page names exists."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

from holdfast.packs.service_desk.face import DeskFace

PAGE = (Path(__file__).parents[2] / "docs" / "service_desk.md").read_text(encoding="utf-8")


def test_the_example_runs() -> None:
    (code,) = re.findall(r"```python\n(.*?)```", PAGE, re.DOTALL)
    names: dict[str, Any] = {}
    exec(code, names)
    assert names["turn"].intent.type == "MAIN_DIAGNOSTIC"
    assert names["chat"].face.context()["activeStepId"] == "wp_1"
    assert names["reply"].allowed


def test_every_call_in_the_table_exists() -> None:
    rows = [line for line in PAGE.splitlines() if line.startswith("| `")]
    calls = [name for row in rows for name in re.findall(r"`(\w+)\(", row.split("|")[1])]
    assert len(calls) > 15
    assert all(hasattr(DeskFace, name) for name in calls)
