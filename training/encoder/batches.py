"""Examples as tensors: cut into tokens, spans of characters turned into spans of tokens, padded."""

from __future__ import annotations

import random
from collections.abc import Iterable, Iterator, Sequence
from typing import Any, NamedTuple

import numpy as np
import torch
from tokenizers import Tokenizer
from torch import Tensor
from torch.utils.data import Dataset

from training.encoder.model import ACTS, AIMS, ATTRIBUTES, DESK, DIALOGUE_ACTS, FLAGS, GENERIC, KINDS, TOKEN_TAGS, TURNS

UNKNOWN, CLS, SEP = 1, 2, 3
MESSAGE_TOKENS, TURN_TOKENS, TEXT_TOKENS = 126, 34, 30
TURN_START = 10
"""Of a long earlier turn its first tokens and its last are kept: what it is about, and what it asks."""
DESCRIPTIONS = 8
"""Descriptions that one example is asked about in training."""
MARKS = set(".,!?;:")


class Cut(NamedTuple):
    ids: list[int]
    offsets: list[tuple[int, int]]


class Texts:
    """Every text of the examples, cut once."""

    def __init__(self, tokenizer: Tokenizer) -> None:
        self._tokenizer = tokenizer
        self._known: dict[str, Cut] = {}
        self.marks = {tokenizer.token_to_id(mark) for mark in MARKS}

    def add(self, texts: Iterable[str]) -> None:
        fresh = [text for text in dict.fromkeys(texts) if text not in self._known]
        for text, cut in zip(fresh, self._tokenizer.encode_batch(fresh, add_special_tokens=False), strict=True):
            self._known[text] = Cut(cut.ids[:MESSAGE_TOKENS], cut.offsets[:MESSAGE_TOKENS])

    def __getitem__(self, text: str) -> Cut:
        return self._known[text]

    def turn(self, text: str) -> list[int]:
        ids = self[text].ids
        if len(ids) > TURN_TOKENS - 2:
            ids = ids[:TURN_START] + ids[-(TURN_TOKENS - 2 - TURN_START) :]
        return [CLS, *ids, SEP]

    def alone(self, text: str) -> list[int]:
        return [CLS, *self[text].ids[: TEXT_TOKENS - 2], SEP]


def texts_of(example: dict[str, Any]) -> Iterator[str]:
    yield example["text"]
    yield from (text for _, text in example["before"])
    slots = example.get("slots") or {"in": [], "out": []}
    for forms in (*(forms for forms, _ in slots["in"]), *slots["out"]):
        yield from forms
    yield from (text for text, _ in example.get("match") or ())


class Examples(Dataset[Any]):
    """Batches by number: `order` lists which examples make up each."""

    def __init__(
        self, examples: Sequence[dict[str, Any]], texts: Texts, order: list[list[int]], *, train: bool
    ) -> None:
        self._examples, self._texts, self._order, self._train = examples, texts, order, train

    def __len__(self) -> int:
        return len(self._order)

    def __getitem__(self, number: int) -> dict[str, Tensor]:
        draw = random.Random(number * 7919 + id(self) % 1009 if self._train else number)
        return Batch(self._texts, self._train, draw).of([self._examples[i] for i in self._order[number]])


def padded(rows: Sequence[Sequence[int]], least: int = 1) -> np.ndarray:
    width = max([least, *map(len, rows)])
    out = np.zeros((len(rows), width), np.int64)
    for row, given in zip(out, rows, strict=True):
        row[: len(given)] = given
    return out


class Batch:
    def __init__(self, texts: Texts, train: bool, draw: random.Random) -> None:
        self.texts, self.train, self.draw = texts, train, draw
        self.alone: dict[str, int] = {}

    def of(self, examples: list[dict[str, Any]]) -> dict[str, Tensor]:
        cuts = [self.cut(example) for example in examples]
        ids = padded([[CLS, *cut.ids, SEP] for cut in cuts])
        size, width = ids.shape
        befores = [self.before(example) for example in examples]
        turns = padded([self.texts.turn(t[1]) if t else [] for before in befores for t in before])
        out: dict[str, np.ndarray] = {
            "ids": ids,
            "who": np.array([int(example["who"] == "S") for example in examples]),
            "turns": turns.reshape(size, TURNS, -1),
            "speakers": np.array([[int(bool(t) and t[0] == "S") for t in before] for before in befores]),
        }
        self.message_targets(examples, out)
        self.span_targets(examples, cuts, width, out)
        self.token_targets(examples, cuts, width, out)
        self.slot_targets(examples, cuts, width, out)
        self.match_targets(examples, out)
        out["alone"] = padded([self.texts.alone(text) for text in self.alone] or [[CLS, SEP]])
        return {name: torch.from_numpy(value) for name, value in out.items()}

    def cut(self, example: dict[str, Any]) -> Cut:
        cut = self.texts[example["text"]]
        if self.train and example["src"] in ("corpus", "tiage", "agreed", "saying") and self.draw.random() < 0.5:
            # What is few would be known by heart: some words are blotted out.
            return Cut([i if self.draw.random() > 0.12 else UNKNOWN for i in cut.ids], cut.offsets)
        if not self.train or len(cut.ids) < 4 or self.draw.random() > 0.15:
            return cut
        # People who type fast leave the marks out.
        stays = [i for i, token in enumerate(cut.ids) if token not in self.texts.marks]
        return Cut([cut.ids[i] for i in stays], [cut.offsets[i] for i in stays]) if stays else cut

    def before(self, example: dict[str, Any]) -> list[Any]:
        turns = list(example["before"])
        if self.train and turns and "new_topic" not in example and self.draw.random() < 0.1:
            turns = turns[: self.draw.randrange(len(turns))]
        return (turns + [None] * TURNS)[:TURNS]

    def message_targets(self, examples: list[dict[str, Any]], out: dict[str, np.ndarray]) -> None:
        for name in ("changed", "new_topic", "repaired"):
            out[name] = np.array([example.get(name, -1) for example in examples])
        out["request"] = np.array([KINDS.index(e["request"]) if "request" in e else -1 for e in examples])
        out["desk"] = np.array([DESK.index(e["desk"]) if "desk" in e else -1 for e in examples])
        for name, labels in (("aim", AIMS), ("acts", DIALOGUE_ACTS), ("generic", GENERIC)):
            out[name] = np.array([several(e.get(name), labels) for e in examples], np.float32)

    def span_targets(
        self, examples: list[dict[str, Any]], cuts: list[Cut], width: int, out: dict[str, np.ndarray]
    ) -> None:
        most = max([1, *(len(e.get("spans") or ()) for e in examples)])
        weights = np.zeros((len(examples), most, width), np.float32)
        known = {name: np.full((len(examples), most), -1) for name in ("act", "about", "attribute")}
        flags = np.full((len(examples), most, len(FLAGS)), -1.0, np.float32)
        for i, (example, cut) in enumerate(zip(examples, cuts, strict=True)):
            for j, span in enumerate(example.get("spans") or ()):
                inside = tokens_in(cut, *span["at"])
                if inside:
                    weights[i, j, inside] = 1 / len(inside)
                    for name, labels in (("act", ACTS), ("about", ATTRIBUTES), ("attribute", ATTRIBUTES)):
                        known[name][i, j] = labels.index(span[name]) if span.get(name) in labels else -1
                    flags[i, j] = span.get("flags", -1)
        out |= {"spans": weights, "flags": flags, **{f"span_{name}": value for name, value in known.items()}}

    def token_targets(
        self, examples: list[dict[str, Any]], cuts: list[Cut], width: int, out: dict[str, np.ndarray]
    ) -> None:
        tags = np.full((len(examples), width, len(TOKEN_TAGS)), -1.0, np.float32)
        for i, (example, cut) in enumerate(zip(examples, cuts, strict=True)):
            length = len(cut.ids) + 1
            for name, spans in self.tagged(example):
                tag = TOKEN_TAGS.index(name)
                tags[i, 1:length, tag] = 0
                for start, end in spans:
                    inside = tokens_in(cut, start, end)
                    tags[i, inside[:1] if name in ("clause", "first") else inside, tag] = 1
        out["tags"] = tags

    @staticmethod
    def tagged(example: dict[str, Any]) -> Iterator[tuple[str, list[Any]]]:
        if example.get("changed") is not None and example.get("new") is not None:
            yield "new", example["new"]
            yield "first", example["new"]
            yield "old", example["old"]
        if example["src"] == "corpus" or example.get("task") == "corpus":
            yield "clause", [span["at"] for span in example["spans"] if "act" in span]
        if "slots" in example and example["src"] != "nlupp":
            yield "value", [span for _, spans in example["slots"]["in"] for span in spans]

    def slot_targets(
        self, examples: list[dict[str, Any]], cuts: list[Cut], width: int, out: dict[str, np.ndarray]
    ) -> None:
        asked = [self.asked(example) for example in examples]
        most = max([1, *map(len, asked)])
        which = np.full((len(examples), most), -1)
        spans = np.zeros((len(examples), width, most, 3), np.float32)
        for i, (cut, wanted) in enumerate(zip(cuts, asked, strict=True)):
            for k, (text, found) in enumerate(wanted):
                which[i, k] = self.number(text)
                for start, end in found:
                    inside = tokens_in(cut, start, end)
                    if inside:
                        spans[i, inside[0], k, 0] = spans[i, inside[-1], k, 2] = 1
                        spans[i, inside, k, 1] = 1
        out |= {"slots": which, "slot_spans": spans}

    def asked(self, example: dict[str, Any]) -> list[tuple[str, list[Any]]]:
        slots = example.get("slots")
        if not slots:
            return []
        if not self.train:
            return [(forms[0], s) for forms, s in slots["in"]] + [(forms[0], []) for forms in slots["out"]]
        found = [(self.draw.choice(forms), spans) for forms, spans in slots["in"]][:DESCRIPTIONS]
        room = min(len(slots["out"]), DESCRIPTIONS - len(found))
        return found + [(self.draw.choice(forms), []) for forms in self.draw.sample(slots["out"], max(0, room))]

    def match_targets(self, examples: list[dict[str, Any]], out: dict[str, np.ndarray]) -> None:
        given = [(example.get("match") or ())[-4:] for example in examples]
        most = max([1, *map(len, given)])
        which, fits = np.full((len(examples), most), -1), np.zeros((len(examples), most), np.float32)
        for i, candidates in enumerate(given):
            for k, (text, fit) in enumerate(candidates):
                which[i, k], fits[i, k] = self.number(text), fit
        out |= {"candidates": which, "fits": fits}

    def number(self, text: str) -> int:
        return self.alone.setdefault(text, len(self.alone))


def several(given: list[str] | None, labels: list[str]) -> list[float]:
    return [-1.0] * len(labels) if given is None else [float(label in given) for label in labels]


def tokens_in(cut: Cut, start: int, end: int) -> list[int]:
    """Places of the tokens that lie in a span of characters; the first place is [CLS]."""
    return [i + 1 for i, (s, e) in enumerate(cut.offsets) if s < end and start < e]
