"""Trains the encoder and its heads on one GPU, in minutes (on a processor only for a trial with --limit).

    python -m training.encoder.train --data FOLDER --out FOLDER [--epochs 6] [--feed 768] [--limit N]

FOLDER holds examples.jsonl.xz (prepare.py), minilm.safetensors and tokenizer.json (weights.py), and may hold
measured.jsonl.xz: examples that are only measured, whose figures are printed after training.
"""

from __future__ import annotations

import argparse
import gc
import json
import random
import time
from pathlib import Path
from typing import Any

import torch
from safetensors.torch import save_file
from tokenizers import Tokenizer
from torch import Tensor
from torch.nn import functional
from torch.utils.data import DataLoader

from training.encoder.batches import Examples, Texts, padded, texts_of
from training.encoder.figures import figures
from training.encoder.files import read
from training.encoder.model import (
    FEED,
    HELPER_HEADS,
    MESSAGE_HEADS,
    SPAN_HEADS,
    TOKEN_TAGS,
    Reader,
    carried,
    from_minilm,
    slimmed,
)

DEVICE = "cuda" if torch.cuda.is_available() else "cpu"
UNSURE = 0.04
"""What is marked is not quite sure, and so the model should not be: its chances stand beside the linear tier's."""
FEW = 16
"""Below so many examples of a head in a batch, its loss counts in proportion."""


def cut_up(logits: Tensor, heads: dict[str, int]) -> dict[str, Tensor]:
    return dict(zip(heads, logits.split(list(heads.values()), -1), strict=True))


def averaged(loss: Tensor, valid: Tensor) -> Tensor:
    """The mean over what is valid; where little is, it counts less."""
    return (loss * valid).sum() / valid.sum().clamp(min=FEW)


def yes_no(logits: Tensor, target: Tensor, weight: float = 1.0) -> Tensor:
    target = target.float()
    loss = functional.binary_cross_entropy_with_logits(
        logits,
        target.clamp(UNSURE / 2, 1 - UNSURE / 2),
        reduction="none",
        pos_weight=torch.tensor(weight, device=logits.device),
    )
    return averaged(loss, (target >= 0).float())


def one_of(logits: Tensor, target: Tensor) -> Tensor:
    loss = functional.cross_entropy(
        logits.flatten(0, -2), target.flatten(), ignore_index=-1, reduction="none", label_smoothing=UNSURE
    )
    return averaged(loss, (target.flatten() >= 0).float())


def losses(reader: Reader, batch: dict[str, Tensor]) -> dict[str, Tensor]:
    out = reader.read(batch["ids"], batch["who"], batch["turns"], batch["speakers"], batch["spans"])
    out = {name: value.float() for name, value in out.items()}
    alone = {name: value.float() for name, value in reader.alone(batch["alone"]).items()}
    message, helpers = cut_up(out["message"], MESSAGE_HEADS), cut_up(out["helpers"], HELPER_HEADS)
    span = cut_up(out["spans"], SPAN_HEADS)
    found = reader.heads.found(out["points"], alone["described"][batch["slots"].clamp(min=0)])
    matches = reader.heads.matches(out["aimed"], alone["candidate"][batch["candidates"].clamp(min=0)])
    there = (batch["ids"] > 0)[:, :, None, None] & (batch["slots"] >= 0)[:, None, :, None]
    span_loss = functional.binary_cross_entropy_with_logits(
        found, batch["slot_spans"], reduction="none", pos_weight=torch.tensor(3.0, device=found.device)
    )
    tags = zip(TOKEN_TAGS, (3.0, 3.0, 2.0, 2.0, 1.0), range(len(TOKEN_TAGS)), strict=True)
    return {
        "changed": 2 * yes_no(message["changed"][:, 0], batch["changed"], 5.0),
        "new_topic": 2 * yes_no(message["new_topic"][:, 0], batch["new_topic"], 2.0),
        "repaired": 0.3 * yes_no(message["repaired"][:, 0], batch["repaired"]),
        "request": one_of(message["request"], batch["request"]),
        "aim": 3 * yes_no(message["aim"], batch["aim"], 1.5),
        "acts": 0.5 * yes_no(helpers["acts"], batch["acts"]),
        "generic": 0.3 * yes_no(helpers["generic"], batch["generic"], 2.0),
        "desk": 0.2 * one_of(helpers["desk"], batch["desk"]),
        "act": one_of(span["act"], batch["span_act"]),
        "flags": 2 * yes_no(span["flags"], batch["flags"]),
        "about": 0.5 * one_of(span["about"], batch["span_about"]),
        "attribute": 0.7 * one_of(span["attribute"], batch["span_attribute"]),
        "tags": 2 * sum(yes_no(out["tokens"][..., i], batch["tags"][..., i], weight) for _, weight, i in tags),
        "slots": 20 * averaged(span_loss, there.float().expand_as(span_loss)),
        "match": 0.5
        * averaged(
            functional.binary_cross_entropy_with_logits(matches, batch["fits"], reduction="none"),
            (batch["candidates"] >= 0).float(),
        ),
    }


def drawn(examples: list[dict[str, Any]], given: Any, draw: random.Random) -> list[list[int]]:
    """The batches of one epoch: the rare more often, the plain less, alike lengths together."""
    chosen, size = list[int](), given.batch
    for i, example in enumerate(examples):
        source = example["src"]
        times = {"tiage": given.chat_times, "corpus": given.corpus_times}.get(source, 1)
        telling = example.get("changed") or example.get("new_topic") or example.get("request", "none") != "none"
        if source == "sgd" and not telling and draw.random() < 0.5:
            continue
        chosen += [i] * times
    draw.shuffle(chosen)
    pools = [chosen[i : i + 32 * size] for i in range(0, len(chosen), 32 * size)]
    order = []
    for pool in pools:
        pool.sort(key=lambda i: len(examples[i]["text"]))
        order += [pool[i : i + size] for i in range(0, len(pool), size)]
    draw.shuffle(order)
    return order


def predicted(reader: Reader, examples: list[dict[str, Any]], texts: Texts, workers: int) -> list[dict[str, Any]]:
    """What the heads say of each example, as arrays."""
    order = [list(range(i, min(i + 64, len(examples)))) for i in range(0, len(examples), 64)]
    rows: list[dict[str, Any]] = []
    reader.eval()
    loader = DataLoader(Examples(examples, texts, order, train=False), batch_size=None, num_workers=workers)
    with torch.no_grad():
        for number, given in enumerate(loader):
            batch = {name: value.to(DEVICE) for name, value in given.items()}
            with torch.autocast(DEVICE, torch.bfloat16, enabled=DEVICE == "cuda"):
                out = reader.read(batch["ids"], batch["who"], batch["turns"], batch["speakers"], batch["spans"])
                alone = reader.alone(batch["alone"])
            found = reader.heads.found(out["points"].float(), alone["described"].float()[batch["slots"].clamp(min=0)])
            fits = reader.heads.matches(
                out["aimed"].float(), alone["candidate"].float()[batch["candidates"].clamp(min=0)]
            )
            message = {k: v.float().cpu().numpy() for k, v in cut_up(out["message"], MESSAGE_HEADS).items()}
            parts = {"tokens": out["tokens"], "slots": found, "fits": fits, **cut_up(out["spans"], SPAN_HEADS)}
            arrays = {k: v.float().cpu().numpy() for k, v in parts.items()}
            for j, i in enumerate(order[number]):
                cut = texts[examples[i]["text"]]
                row = {k: v[j] for k, v in message.items()} | {k: v[j] for k, v in arrays.items()}
                rows.append(row | {"offsets": cut.offsets})
    return rows


def main() -> None:
    options = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    options.add_argument("--data", type=Path, required=True)
    options.add_argument("--out", type=Path, required=True)
    options.add_argument("--epochs", type=int, default=6)
    options.add_argument("--lower", type=int, default=2)
    options.add_argument("--layers", type=int, default=6)
    options.add_argument("--feed", type=int, default=768, help="inner units of a layer; MiniLM has 1536")
    options.add_argument("--batch", type=int, default=512)
    options.add_argument("--rate", type=float, default=2.5e-4)
    options.add_argument("--corpus-times", type=int, default=2, help="how often an epoch has a row of the corpus")
    options.add_argument("--chat-times", type=int, default=1, help="and a message of free chat")
    options.add_argument("--seconds", type=float, default=1e9, help="learn no longer than this; the rate falls with it")
    options.add_argument("--keep-every", type=float, default=1e9, help="seconds after which what is learned is kept")
    options.add_argument("--workers", type=int, default=8)
    options.add_argument("--limit", type=int, default=0)
    options.add_argument("--all-writers", action="store_true", help="teach with the writers of dev, too")
    options.add_argument("--start", type=Path, help="go on from these weights instead of MiniLM's")
    options.add_argument("--anew", default="-", help="parts of those weights that are learned anew")
    options.add_argument("--share", type=float, default=1.0, help="how far to go from those weights to the new")
    options.add_argument("--seed", type=int, default=1)
    given = options.parse_args()
    random.seed(given.seed)
    torch.manual_seed(given.seed)
    began = time.time()
    texts = Texts(Tokenizer.from_file(str(given.data / "tokenizer.json")))
    examples = [e for e in read(given.data / "examples.jsonl.xz") if teaches(e, given.all_writers)]
    if given.limit:
        examples = random.sample(examples, given.limit)
    texts.add(text for example in examples for text in texts_of(example))
    print(f"{len(examples)} examples cut after {time.time() - began:.0f} s", flush=True)
    reader = begun(given, texts, examples)
    learn(reader, examples, texts, given)
    if given.start and given.share < 1:
        between(carried(given.start), reader, given.share)
    keep(reader, given.out)
    measured = given.data / "measured.jsonl.xz"
    if measured.exists():
        rows = read(measured)
        rows = rows if not given.limit else random.sample(rows, min(len(rows), given.limit))
        texts.add(text for example in rows for text in texts_of(example))
        told = figures(rows, predicted(reader, rows, texts, given.workers))
        (given.out / "figures.json").write_text(json.dumps(told, indent=1))
        print(json.dumps(told))
    print(f"done after {time.time() - began:.0f} s")


def between(start: dict[str, Tensor], reader: Reader, share: float) -> None:
    """Moves the weights back towards where they began: what is learned last costs some of what was known before, and
    on the way between both nearly all of either is kept."""
    with torch.no_grad():
        for name, learned in reader.state_dict().items():
            if name in start:
                learned.lerp_(start[name].to(learned), 1 - share)


def keep(reader: Reader, folder: Path) -> None:
    folder.mkdir(parents=True, exist_ok=True)
    state = {name: value.half().cpu().contiguous() for name, value in reader.state_dict().items()}
    save_file(state, folder / "reader.safetensors")


def begun(given: Any, texts: Texts, examples: list[dict[str, Any]]) -> Reader:
    """A reader to teach, from MiniLM or from an earlier training."""
    if given.start:
        known = carried(given.start)
        reader = Reader(len(known["lower.words.weight"]), given.lower, given.layers, given.feed)
        state = {name: value for name, value in known.items() if not name.startswith(tuple(given.anew.split(",")))}
        reader.load_state_dict(state, strict=False)
        return reader.to(DEVICE)
    weights = carried(given.data / "minilm.safetensors")
    reader = from_minilm(weights, given.lower, given.layers)
    if given.feed < FEED:
        drawn = random.sample(examples, min(len(examples), 4000))
        cut = [texts.alone(example["text"]) for example in drawn]
        some = [torch.from_numpy(padded(cut[i : i + 100])) for i in range(0, len(cut), 100)]
        reader = slimmed(reader.eval(), some, given.feed)
    return reader.to(DEVICE)


def teaches(example: dict[str, Any], all_writers: bool) -> bool:
    if example["src"] != "corpus":
        return True
    return example["part"] == "train" or (example["part"] == "dev" and all_writers)


def learn(reader: Reader, examples: list[dict[str, Any]], texts: Texts, given: Any) -> None:
    draw = random.Random(given.seed)
    slow = [p for n, p in reader.named_parameters() if not n.startswith("heads.")]
    fast = [p for n, p in reader.named_parameters() if n.startswith("heads.")]
    optimizer = torch.optim.AdamW(
        [{"params": slow, "lr": given.rate}, {"params": fast, "lr": 4 * given.rate}],
        weight_decay=0.01,
        fused=DEVICE == "cuda",
    )
    rates = [group["lr"] for group in optimizer.param_groups]
    order = [batch for _ in range(given.epochs) for batch in drawn(examples, given, draw)]
    gc.freeze()  # what the workers share with this process is then not copied by their collector
    loader = DataLoader(
        Examples(examples, texts, order, train=True),
        batch_size=None,
        num_workers=given.workers,
        pin_memory=DEVICE == "cuda",
        prefetch_factor=8 if given.workers else None,
    )
    reader.train()
    began, sums = time.time(), dict[str, float]()
    kept_at = began
    for step, batch in enumerate(loader):
        done = max(step / len(order), (time.time() - began) / given.seconds)
        if done >= 1:
            break
        for group, rate in zip(optimizer.param_groups, rates, strict=True):
            group["lr"] = rate * min(1.0, step / 200) * (1 - done)
        on_device = {name: value.to(DEVICE, non_blocking=True) for name, value in batch.items()}
        with torch.autocast(DEVICE, torch.bfloat16, enabled=DEVICE == "cuda"):
            parts = losses(reader, on_device)
        loss = torch.stack(list(parts.values())).sum()
        optimizer.zero_grad(set_to_none=True)
        loss.backward()
        torch.nn.utils.clip_grad_norm_(reader.parameters(), 1.0)
        optimizer.step()
        if step % 50 == 0 or given.limit:
            sums |= {name: 0.8 * sums.get(name, value.item()) + 0.2 * value.item() for name, value in parts.items()}
        if time.time() - kept_at > given.keep_every:
            kept_at = time.time()
            keep(reader, given.out)
        if step % 300 == 0:
            told = " ".join(f"{name} {value:.3f}" for name, value in sums.items())
            print(f"step {step}/{len(order)} {time.time() - began:.0f} s: {told}", flush=True)


if __name__ == "__main__":
    main()
