"""What holds of written talks: what is known, what is gone, and what the pack's agent answers when it is asked back.

    python benchmarks/talks.py [read|aside] [--show]

`benchmarks/talks/` has a file of talks for each writer (those that begin with c are developers, the rest anybody). The
even talks may be read; the odd ones are seen through figures only, so `--show` leaves them out.
"""

from __future__ import annotations

import json
import re
import sys
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import Any, NamedTuple

from holdfast import Holdfast, agents

TALKS = Path(__file__).with_name("talks")
SHORT, MIN_STEM, MAX_STEM = 4, 4, 6
"""Letters of words that must stand as they are, and of the beginning by which longer ones are known again."""


class Checked(NamedTuple):
    """An expectation of a talk, and whether it holds."""

    talk: str
    kind: str
    expected: str
    holds: bool
    said: list[str]


def words(text: str) -> list[str]:
    return [word.replace("'", "") for word in re.findall(r"[\w']+", text.lower().replace("ё", "е"))]


def holds(expected: str, texts: list[list[str]]) -> bool:
    """Whether one of some texts has all words of one of the ways that are expected."""
    ways = [words(way) for way in expected.split("|")]
    return any(way and all(_said(word, text) for word in way) for way in ways for text in texts)


def _said(word: str, text: list[str]) -> bool:
    if word[:1].isdigit():
        return word in text
    if len(word) <= SHORT:
        return any(one.startswith(word) and len(one) <= len(word) + 2 for one in text)
    stem = word[: max(MIN_STEM, min(len(word) - 1, MAX_STEM))]
    return any(one.startswith(stem) for one in text)


def known(chat: Any) -> list[list[str]]:
    """The words of all that is known."""
    memory, state = chat.memory, chat.state
    items = (*memory.facts(), *memory.preferences(), *memory.decisions())
    found = [f"{item.slot} {item.value} {item.text}" for item in items]
    if "slots" in state:
        found += [f"{name} {value}" for name, value in state.slots.values.items()]
    if "answers" in state:
        found += [f"{kept.question} {kept.answer}" for kept in state.answers.kept]
    found += [repr(getattr(state, name)) for name in ("lists", "plans") if name in state]
    return [words(text) for text in found]


def noted(chat: Any) -> set[str]:
    """The facts that are known beside what only answered a question."""
    memory = chat.memory
    items = (*memory.facts(), *memory.preferences(), *memory.decisions())
    return {f"{item.slot} {item.value}" for item in items if not item.slot.startswith("answer/")}


def checked(talk: dict[str, Any], pack: str) -> Iterator[Checked]:
    """What holds of one talk."""
    engine, days, said = Holdfast(pack=pack, reader="linear"), 0, list[str]()
    chat, before = engine.session("0", user="u", project="p"), set[str]()
    for step in talk["steps"]:
        match step:
            case ["NEW"]:
                days += 1
                chat = engine.session(str(days), user="u", project="p")
            case ["U", text]:
                before = noted(chat)
                chat.hear(text)
                said.append(f"U: {text}")
            case ["CLEAN"]:
                yield Checked(talk["id"], "clean", "nothing new", noted(chat) <= before, [*said])
            case ["A", text]:
                chat.say(text)
                said.append(f"A: {text}")
            case ["ASK", text, expected]:
                turn = chat.hear(text)
                reply = " ".join(one.text for one in agents.run(engine.pack.agent, turn, chat))  # type: ignore[arg-type]
                said += [f"U: {text}", f"   {reply}"]
                yield Checked(talk["id"], "asked back", expected, holds(expected, [words(reply)]), [*said])
            case [kind, expected]:
                right = holds(expected, known(chat)) == (kind == "KNOWN")
                yield Checked(talk["id"], kind.lower(), expected, right, [*said])


def main(half: str, show: bool) -> None:
    tally: Counter[tuple[str, str, bool]] = Counter()
    for path in sorted(TALKS.glob("*.jsonl")):
        for place, line in enumerate(path.read_text(encoding="utf-8").splitlines()):
            if place % 2 != (half == "aside"):
                continue
            for one in checked(json.loads(line), "copilot_cli" if path.stem.startswith("c") else "general"):
                for name in (path.stem, "all"):
                    tally[name, one.kind, one.holds] += 1
                    tally[name, "all", one.holds] += 1
                if show and half == "read" and not one.holds:
                    print(f"\n{one.talk} {one.kind}: {one.expected}", *one.said[-8:], sep="\n  ")
    kinds = ("known", "gone", "asked back", "clean", "all")
    print(f"{half:6}" + "".join(f"{kind:>12}" for kind in kinds))
    for name in sorted({name for name, _, _ in tally}, key=lambda name: (name == "all", name)):
        shares = [(tally[name, kind, True], tally[name, kind, False]) for kind in kinds]
        print(f"{name:6}" + "".join(f"{100 * yes / max(1, yes + no):12.1f}" for yes, no in shares))


if __name__ == "__main__":
    main("aside" if "aside" in sys.argv else "read", "--show" in sys.argv)
