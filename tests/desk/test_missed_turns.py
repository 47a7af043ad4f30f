"""Messages at an open step that the desk still misses. Each is expected to fail, and says so when it no longer does:
then it moves back to the rows that hold (`desk_turns.toml`, `desk_remarks.toml`)."""

from __future__ import annotations

import pytest

from tests.desk.test_desk_remarks import STEPS, open_after
from tests.desk.test_desk_turns import at

UNABLE = [("ref_9", "nose is stuffed up so couldn't say")]
REMARKS = ["no te preocupes, tómate tu tiempo"]


@pytest.mark.xfail(strict=True, reason="the scorer of the desk takes both clauses for talk")
@pytest.mark.parametrize(("step", "text"), UNABLE)
def test_what_cannot_be_checked_is_closed_as_that(step: str, text: str) -> None:
    assert step in at(step).turn(text)["context"]["unableSteps"]


@pytest.mark.xfail(strict=True, reason="the scorer of the desk takes a denied worry for a no")
@pytest.mark.parametrize("text", REMARKS)
def test_a_remark_leaves_every_step_open(text: str) -> None:
    assert [step for system, done, step in STEPS if not open_after(system, done, step, text)] == []
