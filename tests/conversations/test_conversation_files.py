"""Every conversation file of this folder holds."""

from __future__ import annotations

from pathlib import Path

import pytest

from holdfast.testing.conversations import Conversation, collect, read, run

HERE = Path(__file__).parent
ALL = [conversation for path in collect([HERE, HERE.parents[1] / "examples"]) for conversation in read(path)]


@pytest.mark.parametrize("conversation", ALL, ids=lambda c: f"{Path(c.file).stem}: {c.title}")
def test_the_conversation_goes_as_written(conversation: Conversation) -> None:
    assert not [str(failure) for failure in run(conversation)]


def test_every_conversation_expects_something() -> None:
    assert [conversation.title for conversation in ALL if not conversation.expectations] == []
