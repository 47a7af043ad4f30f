"""A short reply belongs to the newest question that it can answer, whatever form it has: some eighty exchanges in three
languages, in the file beside this one."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

from holdfast import Holdfast
from tests.rows import every

FILE = Path(__file__).parent / "replies" / "all.txt"
KINDS = {"bound", "learned", "superseded", "confirmed", "resolved", "routed"}


def exchanges() -> Iterator[tuple[str, str, str]]:
    pack = ""
    for line in FILE.read_text(encoding="utf-8").splitlines():
        if line.startswith("@"):
            pack = line[1:].strip()
        elif line and not line.startswith("#"):
            said, _, expected = line.partition("=>")
            yield pack, said.strip(), expected.strip()


@every(("pack", "said", "expected"), list(exchanges()))
def test_a_short_reply_answers_the_newest_question_that_it_can(pack: str, said: str, expected: str) -> None:
    chat = Holdfast(pack=pack).session("s")
    for part in said.replace("\\n", "\n").split("//"):
        agent = re.match(r"A(?:\[(\w+)\])?: (.*)", part.strip(), re.DOTALL)
        if agent:
            chat.say(agent[2], agent=agent[1])
        else:
            turn = chat.hear(part.strip())
    did = [line.what for line in turn.receipt.lines if line.did in KINDS]
    text = "; ".join((*did, turn.context, turn.route.agent)).casefold()
    for mark in expected.split():
        assert (mark[1:].replace("_", " ").casefold() in text) == (mark[0] == "+"), text
