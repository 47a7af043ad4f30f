"""Precision on ordinary talk: how often a turn that changes nothing makes the memory supersede, retract or doubt.

    python benchmarks/ordinary_talk.py CASES.jsonl … [--pack general] [--show 20]

Each file holds rows with `history` ([[speaker, text] …], U for the person) and `utterance` (or `question`). Rows that
are marked as changing something (`label` 1, as in corrections) are left out. Histories of one dialogue are parts of one
conversation: the longest is played through hear and say, every message once. The goal is at most 1 supersession in 200
turns.
"""

from __future__ import annotations

import argparse
import json
from collections import Counter
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any

from holdfast import Holdfast
from holdfast.events import Event
from holdfast.faculties.facts.memos import DisputeOpened, ItemLearned, ItemRetracted

Turns = list[tuple[str, str]]


def conversations(paths: Iterable[Path]) -> Iterator[Turns]:
    """The longest history of every conversation, with its utterance at the end."""
    longest: dict[tuple[str, str], Turns] = {}
    for path in paths:
        for row in (json.loads(line) for line in path.open(encoding="utf-8") if line.strip()):
            if row.get("label") in (1, True):
                continue
            turns = [(speaker, text) for speaker, text in row["history"] if speaker in "US" and text.strip()]
            turns.append(("U", row.get("utterance") or row.get("question") or ""))
            name = (str(row.get("source", "")), str(row.get("dialogue") or row.get("title") or row["id"]))
            if len(turns) > len(longest.get(name, ())):
                longest[name] = turns
    yield from longest.values()


def happened(events: Iterable[Event]) -> Iterator[tuple[str, str]]:
    """What a turn did to the memory, in a word each, with what it was."""
    for event in events:
        match event:
            case ItemLearned(item=item) if item.replaces:
                yield "superseded", item.label
            case ItemLearned(item=item) if item.kind != "context":
                yield "learned", f"{item.slot}: {item.value}"
            case ItemRetracted(label=label):
                yield "retracted", str(label)
            case DisputeOpened(dispute=dispute):
                yield "doubted", f"{dispute.slot}: {dispute.rival.value}"


def play(turns: Turns, pack: str) -> Iterator[tuple[str, str, str]]:
    """What each message of the person did: the message, the word and the item."""
    with Holdfast(pack=pack) as hf:
        chat = hf.session("s", user="u", project="p")
        for speaker, text in turns:
            if not text.strip():
                continue
            if speaker == "S":
                chat.say(text)
                continue
            yield text, "turn", ""
            for word, item in happened(chat.hear(text).events):
                yield text, word, item


def main() -> None:
    given = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    given.add_argument("cases", nargs="+", type=Path)
    given.add_argument("--pack", default="general")
    given.add_argument("--show", type=int, default=0, help="examples to print of each kind")
    options = given.parse_args()
    counts: Counter[str] = Counter()
    examples: dict[str, list[str]] = {}
    for turns in conversations(options.cases):
        for text, word, item in play(turns, options.pack):
            counts[word] += 1
            if word != "turn":
                examples.setdefault(word, []).append(f"  {item}  ⟵  {text[:160]}")
    for word, found in sorted(examples.items()):
        for example in found[: options.show]:
            print(word, example)
    figures: dict[str, Any] = {"pack": options.pack, **counts}
    figures["superseded_per_200"] = round(200 * counts["superseded"] / max(1, counts["turn"]), 2)
    print(json.dumps(figures))


if __name__ == "__main__":
    main()
