"""Fits the scorer that tells which detail a message asks for (where, when, cost, contact, another, none).

    CORPORA=folder make train

It learns from public training talk, the Schema-Guided Dialogue set, and from the rows of our own writers, who mostly
ask for none. Without CORPORA there is nothing to learn from, and the file stays as it is. `PART=3` keeps every service
whose name falls into that part of five aside, and prints how well those are told.
"""

from __future__ import annotations

import os
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any, NamedTuple

from holdfast.packs.general import PACK
from holdfast.reading.details import detail_features
from holdfast.reading.model.scorer import save
from training.aims import made, public
from training.corpus import rows
from training.examples import Example
from training.fit import fit

MODEL = Path(__file__).parent.parent / "src/holdfast/reading/model/details.bin"
PARTS = 5
EVERY = 5
"""One of how many messages that ask for nothing is taken; most of them do."""
SLIGHT = 2
"""A feature none of whose weights reaches this is left out of the file."""
# What a request for a slot of this name is after; the rest are other details.
_KINDS = (
    ("contact", re.compile(r"phone|email")),
    ("cost", re.compile(r"price|fare|cost|balance$")),
    ("where", re.compile(r"address|station|airport|location|venue|^city$|destination|where_to")),
    ("when", re.compile(r"arrival_time|departure_time|ride_duration|^time$|^date$|_date$|show_time|start_time")),
)


class Asked(NamedTuple):
    """A message with the detail that it asks for, and the service that it was said to."""

    text: str
    before: str
    label: str
    service: str


def kind(slot: str) -> str:
    return next((name for name, pattern in _KINDS if pattern.search(slot)), "other")


def label(acts: list[Any]) -> str | None:
    """The one detail that the acts of a message ask for; None where they ask for several kinds, or for how long one
    waits, which is neither a time of day nor a plain detail."""
    slots = {act[2] for act in acts if act[1] == "REQUEST"}
    kinds = {kind(slot) for slot in slots}
    if len(kinds) > 1 or "wait_time" in slots:
        return None
    return kinds.pop() if kinds else "none"


def messages() -> Iterator[Asked]:
    """The messages of public talk."""
    for talk in public("sgd_train"):
        before = ""
        for turn in talk.get("turns", ()):
            told = label(turn["acts"]) if turn["by"] == "U" else None
            if told is not None and (told != "none" or taken(turn["text"])):
                yield Asked(turn["text"], before, told, turn["acts"][0][0] if turn["acts"] else "")
            before = turn["text"]


def example(asked: Asked) -> Example:
    return Example(list(detail_features(PACK.reader.read(asked.text), asked.before)), asked.label)


def taken(text: str) -> bool:
    return sum(text.encode()) % EVERY == 0


def aside(service: str) -> bool:
    """Whether a service is kept aside: all of its versions, so that none of its words is learned."""
    part = os.environ.get("PART", "")
    return bool(part) and sum(service.partition("_")[0].encode()) % PARTS == int(part)


def own() -> Iterator[Asked]:
    """What our writers said that asks for nothing: their clauses without a question."""
    for row in rows("train"):
        if "?" not in row.text and row.text.isascii() and taken(row.text):
            yield Asked(row.text, row.asked, "none", "")


def main() -> None:
    told = list(messages())
    if not told:
        print("details: no CORPORA, the model file stays as it is")
        return
    learned = [example(one) for one in told if not aside(one.service)] + [example(one) for one in own()]
    scorer = fit("detail", learned, rounds=400, slight=SLIGHT)
    kept = [one for one in told if aside(one.service)]
    if kept:
        ready = made(scorer)
        right = sum(ready.score(example(one).features).best == one.label for one in kept)
        print(f"detail: {right / len(kept):.1%} of {len(kept):,} messages to services kept aside")
        return
    save(MODEL, [scorer])
    print(
        f"{MODEL.name}: {len(learned):,} examples, {len(scorer.rows):,} features, {MODEL.stat().st_size / 1e6:.2f} MB"
    )


if __name__ == "__main__":
    main()
