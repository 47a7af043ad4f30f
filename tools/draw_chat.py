"""Draws docs/images/chat.svg: a real conversation in the terminal, typed into `holdfast chat` and recorded.

python tools/draw_chat.py
"""

from __future__ import annotations

import os
import pty
import re
import select
import sys
import tempfile
from pathlib import Path

from rich.console import Console
from rich.text import Text

TYPED = [
    "Sushi in Boston for four people",
    "tell me more about the second one",
    "we'll be five, no wait, six",
    "book it for tomorrow at eight",
    "/why",
]
WIDTH = 100
PROMPT = "› ".encode()
QUIET = 2.0
"""Seconds without a sign after which a prompt waits for an answer: what was typed is shown before it is answered."""
PATIENCE = 60.0


def record() -> str:
    """Type the lines into a real terminal and give back what it showed, colours included."""
    child, terminal = pty.fork()
    if child == 0:
        os.chdir(tempfile.mkdtemp())
        os.environ.update(TERM="xterm-256color", COLUMNS=str(WIDTH), LINES="60", COLORTERM="truecolor")
        os.execv(sys.executable, [sys.executable, "-m", "holdfast.cli", "chat", "--pack", "vibehuntr"])
    shown = _read(terminal)
    for line in [*TYPED, "/quit"]:
        os.write(terminal, line.encode() + b"\n")
        shown += _read(terminal)
    os.close(terminal)
    os.waitpid(child, 0)
    return shown


def _read(terminal: int) -> str:
    """What the terminal shows until it asks for the next line, or ends."""
    shown = b""
    while select.select([terminal], [], [], QUIET if PROMPT in shown else PATIENCE)[0]:
        try:
            shown += os.read(terminal, 65536)
        except OSError:  # the program has left
            break
    return shown.decode(errors="replace")


def main() -> None:
    shown = re.sub(r"\x1b\[\?2004[hl]|\x1b\[[0-9]*[ABCDGKJ]|\r", "", record())
    shown = shown.split("› /quit")[0].rstrip()
    console = Console(record=True, width=WIDTH, file=open(os.devnull, "w", encoding="utf-8"), force_terminal=True)  # noqa: SIM115
    console.print(Text.from_ansi(shown))
    target = Path(__file__).parents[1] / "docs" / "images" / "chat.svg"
    target.write_text(console.export_svg(title="holdfast chat --pack vibehuntr"), encoding="utf-8")
    print(target)


if __name__ == "__main__":
    main()
