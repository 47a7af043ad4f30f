"""Talk that did not happen: a value is said, the reply cannot serve it (or asks on), and the next message gives another
value, the same one again, or one of something else. People who book or search do this all the time, the public
dialogues rarely; and beside each change stands its neighbour that changes nothing, so that no phrase alone tells.
"""

from __future__ import annotations

import random
import re
import tomllib
from collections import defaultdict
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any, NamedTuple

from holdfast.reading import lexicon

Example = dict[str, Any]
KINDS = (
    "cuisine placekind food drink colour size vehicle clothing device hobby weekday month dayPart software language "
    "event material household animal study"
).split()
"""Kinds of the lexicon whose words people look for, order and choose between."""
SAYINGS = tomllib.loads((Path(__file__).parent / "descriptions.toml").read_text("utf-8"))["invented"]
"""How people wish, try and insist, and how agents refuse, repeat and ask."""


class Said(NamedTuple):
    """A message with the values that it gives, by what they are values of."""

    text: str
    spans: dict[str, tuple[int, int]]
    before: list[list[str]]

    def value(self, slot: str) -> str:
        return self.text[slice(*self.spans[slot])]


def invented(talk: Iterable[Example], draw: random.Random, count: int) -> Iterator[Example]:
    by_slot = gathered(talk)
    slots = [slot for slot, said in by_slot.items() if len({one.value(slot).lower() for one in said}) > 3]
    while count > 0:
        slot = draw.choice(slots)
        first, later = draw.sample(by_slot[slot], 2)
        for example in around(slot, first, later, by_slot, draw):
            yield example
            count -= 1


def gathered(talk: Iterable[Example]) -> dict[str, list[Said]]:
    """Messages by the slot that they fill: those of dialogues, and wishes for things of one kind."""
    found: dict[str, list[Said]] = defaultdict(list)
    for example in talk:
        if example["src"] == "sgd" and example.get("changed") == 0 and len(example["text"]) < 140:
            given = (example.get("slots") or {"in": []})["in"]
            said = Said(example["text"], {f[3]: (s[0][0], s[0][1]) for f, s in given if s}, example["before"])
            for slot in said.spans:
                found[slot].append(said)
    for line in (Path(lexicon.__file__).parent / "en.txt").read_text("utf-8").splitlines():
        kind, _, words = line.partition(": ")
        if kind in KINDS:
            named = f"{kind.removesuffix('kind').replace('dayP', 'p')}: kind of thing"
            for word in words.split(", "):
                found[named] += [filled(wish, word, named) for wish in SAYINGS["wants"][:: 1 + len(words) // 400]]
    return found


def filled(template: str, value: str, slot: str) -> Said:
    """A template with the value in it, as somebody would say it."""
    place = template.index("{}")
    return Said(template.replace("{}", value), {slot: (place, place + len(value))}, [])


def around(
    slot: str, first: Said, later: Said, by_slot: dict[str, list[Said]], draw: random.Random
) -> Iterator[Example]:
    """A change with its neighbours that are none: the old value again, and a value of something else."""
    old, new = first.value(slot), later.value(slot)
    if re.sub(r"\W", "", old.lower()) == re.sub(r"\W", "", new.lower()):
        return
    reply = draw.choice(SAYINGS["refuses"] if draw.random() < 0.7 else SAYINGS["repeats"])
    if draw.random() < 0.6:
        later = filled(draw.choice(SAYINGS["tries"]).replace("{old}", old), new, slot)
    yield told(first, reply, later, slot, draw)
    if draw.random() < 0.5:
        yield told(first, reply, filled(draw.choice(SAYINGS["insists"] + SAYINGS["tries"][-3:]), old, slot), slot, draw)
    other = draw.choice(by_slot[draw.choice(list(by_slot))])
    if not {shape(other.value(name)) for name in other.spans} & {shape(first.value(name)) for name in first.spans}:
        name = draw.choice(list(other.spans))
        if draw.random() < 0.5:
            other = filled(draw.choice(SAYINGS["tries"]).replace("{old}", "the other one"), other.value(name), name)
        asks = draw.choice(SAYINGS["asks"] if draw.random() < 0.7 else SAYINGS["refuses"] + SAYINGS["repeats"])
        yield told(first, asks, other, name, draw, anew=True)


def shape(value: str) -> str:
    """What a value may be, roughly: a figure, a name, a word. Values of one shape may be of one kind."""
    if re.search(r"\d|day|morning|noon|evening|(?i:one|two|three|four|five|six|seven|eight|nine|ten)\b", value):
        return "figure"
    return "name" if value[:1].isupper() else "word"


def told(first: Said, reply: str, later: Said, slot: str, draw: random.Random, anew: bool = False) -> Example:
    """What was said, with the values that take the place of others."""
    given = first.value(next(iter(first.spans))) if anew else first.value(slot)
    reply = reply.replace("{slot}", slot.partition(":")[0]).replace("{}", given)
    both = [] if anew else [name for name in later.spans if name in first.spans]
    new = [list(later.spans[name]) for name in both if later.value(name).lower() != first.value(name).lower()]
    text = later.text if draw.random() < 0.7 else later.text.lower()
    there = text.lower().find(given.lower()) if new else -1
    old = (
        [[there, there + len(given)]]
        if there >= 0 and all(b <= there or there + len(given) <= a for a, b in new)
        else []
    )
    return {
        "src": "invented",
        "who": "U",
        "text": text,
        "before": [["S", reply], ["U", first.text], *first.before[:1]],
        "changed": int(bool(new)),
        "new": new,
        "old": old,
    }
