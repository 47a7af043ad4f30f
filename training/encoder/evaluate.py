"""Measures a run-time model, in bytes or in full precision, on examples that nobody learned from.

python -m training.encoder.evaluate MODEL --measured measured.jsonl.xz [--every 4] [--tasks corrections,corpus]
"""

from __future__ import annotations

import argparse
import json
import time
from pathlib import Path
from typing import Any

import numpy as np

from holdfast.reading.encoder import Encoder
from training.encoder.figures import figures
from training.encoder.files import read
from training.encoder.model import MESSAGE_HEADS, SPAN_HEADS


def told(encoder: Encoder, example: dict[str, Any]) -> dict[str, Any]:
    """What the model says of an example, in the form that `figures` reads."""
    before = [(who, text) for who, text in reversed(example["before"])]
    spans = [tuple(span["at"]) for span in example.get("spans") or ()]
    slots = example.get("slots") or {"in": [], "out": []}
    asked = [forms[0] for forms, _ in slots["in"]] + [forms[0] for forms in slots["out"]]
    scores = encoder.scores(example["text"], before, spans, asked, who=example["who"])
    row = dict(
        zip(MESSAGE_HEADS, np.split(scores["message"], np.cumsum(list(MESSAGE_HEADS.values()))[:-1]), strict=True)
    )
    parts = np.split(scores["judged"], np.cumsum(list(SPAN_HEADS.values()))[:-1], axis=-1)
    row |= dict(zip(SPAN_HEADS, parts, strict=True))
    row |= {"tokens": scores["tokens"], "offsets": scores["offsets"]}
    row["slots"] = np.stack(scores["slots"], 1) if asked else np.zeros((len(scores["tokens"]), 0, 3))
    return row


def main() -> None:
    options = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    options.add_argument("model", type=Path)
    options.add_argument("--measured", type=Path, required=True)
    options.add_argument("--tasks", default="corrections,described,follow_up_vs_new_topic,request_intent,corpus")
    options.add_argument("--every", type=int, default=1, help="only every so many examples")
    given = options.parse_args()
    encoder = Encoder(given.model)
    chosen = [e for e in read(given.measured) if e["task"] in given.tasks.split(",")][:: given.every]
    began = time.process_time()
    rows = [told(encoder, example) for example in chosen]
    spent = time.process_time() - began
    print(json.dumps(figures(chosen, rows), indent=1))
    print(f"{len(rows)} messages, {1000 * spent / len(rows):.1f} ms of processor time each")


if __name__ == "__main__":
    main()
