"""What the heads get right on examples that nobody learned from. Works on arrays, so it measures any form of the model.

Thresholds are not searched here, except where a figure says `tuned`: then half of the groups chose it and the other
half is reported.
"""

from __future__ import annotations

import hashlib
import re
import unicodedata
from collections import defaultdict
from typing import Any

import numpy as np

from training.encoder.model import ACTS, AIMS, ATTRIBUTES, FLAGS, KINDS, TOKEN_TAGS

Row = dict[str, Any]
LIMITS = [0.01, 0.02, 0.03, 0.05, 0.08, 0.1, 0.15, 0.2, 0.25, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9]


def norm(text: str) -> str:
    return " ".join(re.findall(r"\w+", unicodedata.normalize("NFKD", text).lower()))


def share(hits: list[Any]) -> float | None:
    return round(100 * sum(map(bool, hits)) / len(hits), 1) if hits else None


def half(example: Row) -> int:
    return int(hashlib.sha256(str(example.get("group", example["text"])).encode()).hexdigest(), 16) % 2


def f1(pairs: list[tuple[bool, bool]]) -> float:
    right = sum(p and g for p, g in pairs)
    return round(200 * right / max(1, sum(p for p, _ in pairs) + sum(g for _, g in pairs)), 1)


def chances(logits: Any) -> Any:
    return 1 / (1 + np.exp(-np.asarray(logits, np.float64)))


def tagged(row: Row, tag: str, at: float) -> list[tuple[int, int]]:
    """Runs of tokens that are probably of a tag, as spans of characters; the likeliest token's run where none is."""
    chance = chances(row["tokens"][1 : len(row["offsets"]) + 1, TOKEN_TAGS.index(tag)])
    if not len(chance):
        return []
    marked = chance >= min(at, chance.max())
    spans: list[tuple[int, int]] = []
    for i, (start, end) in enumerate(row["offsets"]):
        if not marked[i]:
            continue
        if i and marked[i - 1] and spans:
            spans[-1] = (spans[-1][0], end)
        else:
            spans.append((start, end))
    return spans


def best_span(scores: Any, length: int, longest: int = 12) -> tuple[float, int, int]:
    """The likeliest span for one description, from [L, 3] logits of start, inside, end: chance, first, last token."""
    start, inside, end = (scores[1 : length + 1, i] for i in range(3))
    best = (-99.0, 0, 0)
    for i in np.argsort(-start)[:4]:
        for j in range(i, min(length, i + longest)):
            score = min(start[i], end[j], float(inside[i : j + 1].mean()))
            if score > best[0]:
                best = (float(score), int(i), int(j))
    return float(chances(best[0])), best[1], best[2]


def figures(examples: list[Row], rows: list[Row]) -> dict[str, Any]:
    by_task: dict[str, list[tuple[Row, Row]]] = defaultdict(list)
    for example, row in zip(examples, rows, strict=True):
        by_task[example["task"]].append((example, row))
    return {task: TASKS[task](pairs) for task, pairs in by_task.items()}


def corrections(pairs: list[tuple[Row, Row]]) -> Any:
    chance = [float(chances(row["changed"][0])) for _, row in pairs]
    told: dict[str, Any] = {}

    def at(limit: float, keep: Any) -> float:
        return f1([(c >= limit, bool(e["changed"])) for (e, _), c in zip(pairs, chance, strict=True) if keep(e)])

    best = max(LIMITS, key=lambda limit: at(limit, lambda e: half(e) == 0))
    told["threshold"] = best
    told["f1_at_half"] = at(0.5, lambda e: True)
    told["f1_tuned"] = at(best, lambda e: half(e) == 1)
    for source in sorted({e["source"] for e, _ in pairs}):
        told[f"f1_tuned_{source}"] = at(best, lambda e, s=source: half(e) == 1 and e["source"] == s)
        told[f"f1_{source}"] = at(best, lambda e, s=source: e["source"] == s)
    right, spans = [], []
    for example, row in pairs:
        if example["changed"]:
            given = tagged(row, "new", 0.4)
            news = {norm(example["text"][s:e]) for s, e in given}
            spans.append(len(given))
            right.append(all({norm(v) for v in w} & news for w in example["wanted"]))
    return told | {"new_value_right": share(right), "values_given": round(float(np.mean(spans)), 2)}


def follow_up(pairs: list[tuple[Row, Row]]) -> Any:
    told: dict[str, Any] = {}
    chance = [float(chances(row["new_topic"][0])) for _, row in pairs]

    def at(limit: float, keep: Any) -> Any:
        return share([(c >= limit) == e["new_topic"] for (e, _), c in zip(pairs, chance, strict=True) if keep(e)])

    best = max(LIMITS, key=lambda limit: at(limit, lambda e: half(e) == 0))
    told["threshold"] = best
    for source in sorted({e["source"] for e, _ in pairs}):
        told[f"{source}_at_half"] = at(0.5, lambda e, s=source: e["source"] == s)
        told[f"{source}_tuned"] = at(best, lambda e, s=source: e["source"] == s and half(e) == 1)
    return told


def request(pairs: list[tuple[Row, Row]]) -> Any:
    return share([KINDS[int(np.argmax(row["request"]))] == example["request"] for example, row in pairs])


def corpus(pairs: list[tuple[Row, Row]]) -> Any:
    told: dict[str, Any] = {}
    for writer in ["all", *sorted({e["group"] for e, _ in pairs})]:
        chosen = [(e, r) for e, r in pairs if writer in ("all", e["group"])]
        hits: dict[str, list[bool]] = defaultdict(list)
        flags = defaultdict(list)
        for example, row in chosen:
            for j, span in enumerate(example["spans"]):
                for name, labels in (("act", ACTS), ("about", ATTRIBUTES), ("attribute", ATTRIBUTES)):
                    if name in span:
                        hits[name].append(labels[int(np.argmax(row[name][j]))] == span[name])
                for k, given in enumerate(span.get("flags", ())):
                    flags[FLAGS[k]].append((row["flags"][j, k] > 0, bool(given)))
        told[writer] = {"clauses": len(hits["act"]), **{name: share(found) for name, found in hits.items()}}
        for name, found in flags.items():
            told[writer][name] = share([p == g for p, g in found])
            told[writer][f"{name}_f1"] = f1(found)
        told[writer]["aim"] = share([AIMS[int(np.argmax(r["aim"]))] in e["aim"] for e, r in chosen if e["aim"]])
        told[writer]["changed_f1"] = f1(
            [(r["changed"][0] > 0, bool(e["changed"])) for e, r in chosen if "changed" in e]
        )
        told[writer] |= spans_found(chosen)
        told[writer]["boundaries_f1"] = boundaries(chosen)
    return told


def boundaries(pairs: list[tuple[Row, Row]]) -> float:
    hits = []
    for example, row in pairs:
        starts = {span["at"][0] for span in example["spans"] if "act" in span}
        chance = row["tokens"][1 : len(row["offsets"]) + 1, TOKEN_TAGS.index("clause")]
        hits += [(chance[i] > 0, start in starts) for i, (start, _) in enumerate(row["offsets"]) if i]
    return f1(hits)


def spans_found(pairs: list[tuple[Row, Row]]) -> Any:
    """Values found by description: exactly, or half of them; how often something is found where nothing is."""
    exact, near, false = [], [], []
    for example, row in pairs:
        length = len(row["offsets"])
        slots = example.get("slots") or {"in": [], "out": []}  # descriptions are English
        for k, (_, spans) in enumerate(slots["in"]):
            chance, i, j = best_span(row["slots"][:, k], length)
            start, end = row["offsets"][i][0], row["offsets"][j][1]
            s, e = spans[0]
            exact.append(chance >= 0.5 and norm(example["text"][start:end]) == norm(example["text"][s:e]))
            near.append(chance >= 0.5 and min(end, e) - max(start, s) >= 0.5 * (e - s))
        more = len(slots["in"])
        false += [best_span(row["slots"][:, more + k], length)[0] >= 0.5 for k in range(len(slots["out"]))]
    return {"spans": len(exact), "span_exact": share(exact), "span_near": share(near), "span_false": share(false)}


def described(pairs: list[tuple[Row, Row]]) -> Any:
    told = {}
    for source in ["all", *sorted({e["source"] for e, _ in pairs})]:
        told[source] = spans_found([(e, r) for e, r in pairs if source in ("all", e["source"])])
    return told


def carryover(pairs: list[tuple[Row, Row]]) -> Any:
    """The slot's value as the last turn has it that speaks of the slot, by the person or the agent."""
    cases: dict[str, list[tuple[Row, Row]]] = defaultdict(list)
    for example, row in pairs:
        cases[example["case"]].append((example, row))
    told: dict[str, Any] = {}
    for limit in (0.3, 0.5, 0.7):
        hits: dict[str, list[bool]] = defaultdict(list)
        for turns in cases.values():
            value, first = "", turns[0][0]
            guess = (0.0, "")
            for example, row in turns:
                chance, i, j = best_span(row["slots"][:, 0], len(row["offsets"])) if row["offsets"] else (0.0, 0, 0)
                text = example["text"][row["offsets"][i][0] : row["offsets"][j][1]] if row["offsets"] else ""
                guess = max(guess, (chance, text))
                value = text if chance >= limit else value
            right = norm(value or guess[1]) in first["gold"]
            for name in ("all", first["source"], f"{first['source']}:{first['kind']}"):
                hits[name].append(right)
        told[str(limit)] = {name: share(found) for name, found in hits.items()}
    return told


TASKS = {
    "corrections": corrections,
    "follow_up_vs_new_topic": follow_up,
    "request_intent": request,
    "slot_carryover": carryover,
    "described": described,
    "corpus": corpus,
}
