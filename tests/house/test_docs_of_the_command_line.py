"""What can be typed is written down: every command, every step and every expectation has its place in the docs."""

from __future__ import annotations

import re
from pathlib import Path

from holdfast.cli import arguments
from holdfast.testing import expectations
from holdfast.testing.conversations import parse, run

DOCS = Path(__file__).parents[2] / "docs"


def test_every_command_is_documented() -> None:
    text = (DOCS / "command-line.md").read_text(encoding="utf-8")
    listed = re.search(r"\{([\w,]+)\}|positional arguments:(?s:(.*?))options:", arguments.parser().format_help())
    assert listed is not None
    commands = re.findall(r"^    (\w+) ", listed[2] or "", re.MULTILINE)
    assert len(commands) > 10
    assert [name for name in commands if f"`holdfast {name}" not in text] == []


def test_every_expectation_and_step_is_documented() -> None:
    text = (DOCS / "conversation-files.md").read_text(encoding="utf-8")
    words = [word for word in expectations.CHECKS if word not in expectations.VERBS]
    assert [word for word in words if f"`{word}`" not in text] == []
    for step in ("person", "agent", "answer", "check", "clear", "session", "later"):
        assert f"`{step}: " in text


def test_the_conversation_in_the_docs_holds() -> None:
    text = (DOCS / "conversation-files.md").read_text(encoding="utf-8")
    examples = re.findall(r"```talk\n(.*?)```", text, re.DOTALL)
    assert examples
    assert [run(conversation) for example in examples for conversation in parse(example)] == [[]] * len(examples)
