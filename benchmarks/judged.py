"""Plays talk of people who never saw the engine beside what they expected, message by message, for somebody to judge.

    python benchmarks/judged.py general read

`benchmarks/judged/` has two files for each pack, of twenty conversations each: one may be read, the one kept aside is
opened by a judge who reports figures only.
"""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import Any

from holdfast import Holdfast, Session
from holdfast.turn import Turn

TALK = Path(__file__).with_name("judged")


def known(chat: Session) -> dict[str, str]:
    """What is known, by id."""
    memory = chat.memory
    return {one.id: f"{one.slot}: {one.value}" for one in (*memory.facts(), *memory.preferences(), *memory.decisions())}


def told(turn: Turn, before: dict[str, str], now: dict[str, str]) -> list[str]:
    """What came of a message."""
    lines = [f"known: {value}" for id, value in now.items() if id not in before]
    lines += [f"gone: {value}" for id, value in before.items() if id not in now]
    lines += [turn.context, f"to {turn.route.agent}, {turn.route.task_type}: {turn.route.reason}"]
    return [line for line in (*lines, turn.question, *map(str, turn.receipt.lines)) if line]


def play(row: dict[str, Any]) -> None:
    print(f"\n{row['id']}, {row['language']}: {row.get('scene', '')}")
    with Holdfast(pack=row["pack"]) as hf:
        day, chat = 1, hf.session("day 1", user="u", project="p")
        for who, *said in row["steps"]:
            match who, said:
                case "U", [text, *expected]:
                    before, turn = known(chat), chat.hear(text)
                    print(f"U: {text}", *(f"  expected: {one}" for one in expected), sep="\n")
                    print(*(f"    {line}" for line in told(turn, before, known(chat))), sep="\n")
                case "A", [text, *more]:
                    chat.say(text, **(more[0] if more else {}))
                    print(f"A: {text}")
                case "PLAN", [steps]:
                    chat.plan(steps)
                case "STEP", [number, state]:
                    chat.step(number, state)
                case _:
                    day, chat = day + 1, hf.session(f"day {day + 1}", user="u", project="p")
                    print("the next day")


if __name__ == "__main__":
    for line in (TALK / f"{sys.argv[1]}_{sys.argv[2]}.jsonl").read_text(encoding="utf-8").splitlines():
        play(json.loads(line))
