"""The command on a real terminal: what a person sees and types, through a pseudo-terminal."""

from __future__ import annotations

import json
import os
import pty
import re
import select
import signal
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from holdfast import Holdfast
from tests import warmed

PATIENCE = 60.0
_ESCAPES = re.compile(r"\x1b\[[0-9;?]*[A-Za-z]")


ON_A_TERMINAL = """
import fcntl, os, signal, sys, termios
os.setsid()
fcntl.ioctl(0, termios.TIOCSCTTY, 0)
signal.signal(signal.SIGINT, signal.default_int_handler)
from holdfast.cli import main
sys.exit(main(sys.argv[1:]))
"""
"""Makes the terminal the process's own, so that ^C reaches it, and lets ^C interrupt: where the tests themselves were
started in the background, it would be ignored."""


class Terminal:
    """A process with a terminal of 100 columns around it."""

    def __init__(self, folder: Path, *arguments: str) -> None:
        self.master, slave = pty.openpty()
        environment = {**os.environ, "TERM": "xterm-256color", "COLUMNS": "100", "LINES": "40"}
        for name in ("NO_COLOR", "HOLDFAST_STORE"):
            environment.pop(name, None)
        self.process = warmed.Process(
            *arguments,
            program=ON_A_TERMINAL,
            stdin=slave,
            stdout=slave,
            stderr=slave,
            folder=folder,
            environment=environment,
        )
        os.close(slave)
        self.read = b""

    @property
    def raw(self) -> str:
        return self.read.decode(errors="replace")  # the whole: a character may come in two pieces

    @property
    def text(self) -> str:
        return _ESCAPES.sub("", self.raw).replace("\r", "")

    def until(self, words: str) -> str:
        """Read until the words are on the screen."""
        end = time.monotonic() + PATIENCE
        while words not in self.text and time.monotonic() < end and self._read():
            pass
        assert words in self.text, self.text
        return self.text

    def say(self, text: str) -> None:
        """Type when the prompt is there: before that, keys go to whatever the terminal does meanwhile."""
        end = time.monotonic() + PATIENCE
        while not self.text.endswith("› ") and time.monotonic() < end and self._read():
            pass
        assert self.text.endswith("› "), self.text
        self.type(text)

    def _read(self) -> bool:
        """Read what comes within a moment; False when nothing more will come."""
        if select.select([self.master], [], [], 0.2)[0]:
            try:
                read = os.read(self.master, 65536)
            except OSError:  # the other end is closed
                return False
            self.read += read
            return bool(read)
        return True

    def type(self, text: str) -> None:
        os.write(self.master, text.encode())

    def left(self, seconds: float) -> bool:
        """Whether the process leaves within some seconds."""
        end = time.monotonic() + seconds
        while not self.process.ended() and time.monotonic() < end:
            self._read()
        return self.process.ended()

    def end(self) -> int:
        """The exit code, once the process has left."""
        end = time.monotonic() + PATIENCE
        while time.monotonic() < end and self._read():
            pass
        return self.process.wait()


@pytest.fixture
def terminals(tmp_path: Path) -> Iterator[list[Terminal]]:
    opened: list[Terminal] = []
    yield opened
    for terminal in opened:
        if not terminal.process.ended():
            os.kill(terminal.process.pid, signal.SIGKILL)
        terminal.process.wait()
        os.close(terminal.master)


def start(terminals: list[Terminal], folder: Path, *arguments: str) -> Terminal:
    terminals.append(Terminal(folder, *arguments))
    return terminals[-1]


def test_a_chat_greets_answers_in_colour_and_leaves_on_end_of_input(terminals: list[Terminal], tmp_path: Path) -> None:
    chat = start(terminals, tmp_path, "chat")
    chat.until("session general in holdfast.db, new. /help lists commands, /quit leaves.")
    chat.say("I want a cheesesteak\n")
    chat.until("Where?\n")
    chat.say("philly\n")
    chat.until("learned Location: philly")
    chat.until("I will remember that you are in philly")
    chat.say("/why\n")
    chat.until("answer.where from “philly”")
    chat.say("\x04")
    assert chat.end() == 0
    assert "\x1b[4;32mphilly" in chat.raw  # the words that the rule fired on are marked in the message


def test_an_interrupt_at_the_prompt_leaves_quietly_and_keeps_the_conversation(
    terminals: list[Terminal], tmp_path: Path
) -> None:
    chat = start(terminals, tmp_path, "chat", "--session", "kept")
    chat.say("hello\n")
    chat.until("What is on your mind?")
    chat.say("\x03")
    if not chat.left(3.0):  # an interrupt in the instant before readline waits is only seen with the next key
        chat.type("\x03")
    assert chat.end() == 0
    assert "Traceback" not in chat.text
    again = start(terminals, tmp_path, "chat", "--session", "kept")
    again.until("session kept in holdfast.db, 2 entries, the last just now")


def test_an_interrupt_while_the_agent_works_pauses_the_task_and_the_chat_goes_on(
    terminals: list[Terminal], tmp_path: Path
) -> None:
    chat = start(terminals, tmp_path, "chat", "--pack", "nxtscape")
    chat.until("/quit leaves.")
    chat.say("Order toothpaste on Amazon\n")
    chat.until("Results on Amazon")
    chat.type("\x03")
    chat.until("Your next message continues it")
    assert "Confirmed" not in chat.text
    chat.say("continue\n")
    chat.until("Going on with the plan: 2 of 5 steps done.")
    chat.until("Shall I confirm the order?")
    chat.say("yes\n")
    chat.until("Confirmed on Amazon")
    chat.say("/quit\n")
    assert chat.end() == 0
    assert "Traceback" not in chat.text


def test_forgetting_goes_on_only_after_a_yes(terminals: list[Terminal], tmp_path: Path) -> None:
    with Holdfast(str(tmp_path / "holdfast.db")) as hf:
        hf.session("s").hear("hello")
    no = start(terminals, tmp_path, "forget", "--session", "s")
    no.until("It cannot be undone.")
    no.type("no\n")
    assert no.end() == 1
    assert "nothing was erased" in no.text
    yes = start(terminals, tmp_path, "forget", "--session", "s")
    yes.until("Type yes to go on: ")
    yes.type("yes\n")
    assert yes.end() == 0
    assert "1 row gone for good" in yes.text


def test_long_work_shows_how_far_it_is(terminals: list[Terminal], tmp_path: Path) -> None:
    rows = [{"role": "user", "content": f"message {n}"} for n in range(400)]
    (tmp_path / "long.json").write_text(json.dumps(rows))
    work = start(terminals, tmp_path, "import", "long.json")
    assert work.end() == 0
    assert "importing" in work.text
    assert "/400" in work.text
    assert work.text.rstrip().endswith("long: 400 messages in")
