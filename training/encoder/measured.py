"""Examples that are only measured: public cases that are kept for it, and the writers who are kept out of training.

python -m training.encoder.measured --cases FOLDER [--strangers FOLDER] --out measured.jsonl.xz
"""

from __future__ import annotations

import argparse
import random
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from training.corpus import rows as corpus_rows
from training.encoder.files import read, write
from training.encoder.prepare import before, corpus, marked, places

Example = dict[str, Any]


def case(row: dict[str, Any], task: str, text: str) -> Example:
    return {
        "task": task,
        "src": "measured",
        "source": row["source"],
        "group": row["dialogue"],
        "id": row["id"],
        "who": "U",
        "text": text,
        "before": before(row["history"]),
    }


def corrections(rows: list[dict[str, Any]]) -> Iterator[Example]:
    for row in rows:
        wanted = [[c["new"], *c.get("new_variants", [])] for c in row["changes"]]
        yield case(row, "corrections", row["utterance"]) | {"changed": row["label"], "wanted": wanted}
        found = [
            [[c["slot_description"]], places(row["utterance"], c["new"])[:1]]
            for c in row["changes"]
            if places(row["utterance"], c["new"])
        ]
        if found:
            yield case(row, "described", row["utterance"]) | {"slots": {"in": found, "out": []}}


def follow_ups(rows: list[dict[str, Any]]) -> Iterator[Example]:
    for row in rows:
        label = int(row["label"] == "new_topic")
        yield case(row, "follow_up_vs_new_topic", row["utterance"]) | {"new_topic": label}


def requests(rows: list[dict[str, Any]]) -> Iterator[Example]:
    for row in rows:
        yield case(row, "request_intent", row["utterance"]) | {"request": row["label"]}


def carryover(rows: list[dict[str, Any]]) -> Iterator[Example]:
    """Every turn of the dialogue, asked about the one slot."""
    for row in rows:
        turns = [*row["history"], ["U", row["utterance"]]]
        for i, (who, text) in enumerate(turns):
            told = {**row, "history": turns[:i]}
            yield case(told, "slot_carryover", text) | {
                "who": who,
                "case": row["id"],
                "kind": row["kind"],
                "gold": row["gold_norm"],
                "slots": {"in": [], "out": [[row["slot_description"]]]},
            }


def writers(strangers: Path | None) -> Iterator[Example]:
    """Writers whose rows nobody learned from: those of dev and test, and strangers whose rows are not ours."""
    for part in ("dev", "test"):
        for example in corpus(corpus_rows(part), part, random.Random(3)):
            yield example | {"task": "corpus", "source": part}
    if strangers:
        rows = [marked(row) for path in sorted(strangers.glob("h*.jsonl")) for row in read(path)]
        for example in corpus([row for row in rows if row], "strangers", random.Random(3)):
            yield example | {"task": "corpus", "source": "strangers"}


def main() -> None:
    options = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    options.add_argument("--cases", type=Path, required=True)
    options.add_argument("--strangers", type=Path)
    options.add_argument("--out", type=Path, required=True)
    given = options.parse_args()
    makers = {
        "corrections": corrections,
        "follow_up_vs_new_topic": follow_ups,
        "request_intent": requests,
        "slot_carryover": carryover,
    }
    made = [e for name, make in makers.items() for e in make(read(given.cases / f"{name}.jsonl"))]
    made += writers(given.strangers)
    write(given.out, made)
    print(len(made))


if __name__ == "__main__":
    main()
