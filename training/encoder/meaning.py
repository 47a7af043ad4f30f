"""Teaches the encoder what texts mean as a whole, so that what is alike can be found: a few layers over its lower
layers, which stay as they are, learn to give the vectors that MiniLM gives.

    python -m training.encoder.meaning --data FOLDER --start WEIGHTS --out FOLDER [--layers 3] [--seconds 300]

FOLDER holds minilm.safetensors and tokenizer.json (weights.py), and examples.jsonl.xz (prepare.py), of which every
text teaches. Needs one GPU.
"""

from __future__ import annotations

import argparse
import random
import time
from pathlib import Path

import torch
from safetensors.torch import save_file
from tokenizers import Tokenizer
from torch import Tensor, nn
from torch.nn import functional

from training.encoder.batches import CLS, SEP, texts_of
from training.encoder.files import read
from training.encoder.model import FEED, LAYERS, WIDTH, Lower, Meaning, carried, from_minilm, looked_at, mean, slimmed

DEVICE = "cuda" if torch.cuda.is_available() else "cpu"
MAX_TOKENS = 64
BATCH = 1024


class Teacher(nn.Module):
    """MiniLM as it came: all layers over a text alone, and the mean of its words."""

    def __init__(self, given: dict[str, Tensor]) -> None:
        super().__init__()
        reader = from_minilm(given, lower=LAYERS)
        self.lower: Lower = reader.lower

    def forward(self, ids: Tensor) -> Tensor:
        x = self.lower(ids, torch.zeros_like(ids[:, 0]), looked_at(ids))
        return functional.normalize(mean(x, ids).float(), dim=-1)


class Student(nn.Module):
    def __init__(self, lower: Lower, meaning: Meaning) -> None:
        super().__init__()
        self.lower, self.meaning = lower, meaning

    def forward(self, ids: Tensor) -> Tensor:
        with torch.no_grad():
            x = self.lower(ids, torch.zeros_like(ids[:, 0]), looked_at(ids))
        return functional.normalize(self.meaning(x, looked_at(ids), ids).float(), dim=-1)


def cut(tokenizer: Tokenizer, texts: list[str]) -> list[list[int]]:
    return [[CLS, *one.ids[: MAX_TOKENS - 2], SEP] for one in tokenizer.encode_batch(texts, add_special_tokens=False)]


def padded(rows: list[list[int]]) -> Tensor:
    width = max(map(len, rows))
    return torch.tensor([row + [0] * (width - len(row)) for row in rows])


def batches(rows: list[list[int]], draw: random.Random) -> list[list[int]]:
    """Texts of alike lengths together, in any order."""
    order = sorted(range(len(rows)), key=lambda place: (len(rows[place]), draw.random()))
    made = [order[at : at + BATCH] for at in range(0, len(order), BATCH)]
    draw.shuffle(made)
    return made


def vectors(model: nn.Module, rows: list[list[int]]) -> Tensor:
    """The vectors of texts, in their order."""
    order = sorted(range(len(rows)), key=lambda place: len(rows[place]))
    found = torch.zeros(len(rows), WIDTH)
    model.eval()
    with torch.no_grad(), torch.autocast(DEVICE, torch.bfloat16, enabled=DEVICE == "cuda"):
        for at in range(0, len(order), 4 * BATCH):
            part = order[at : at + 4 * BATCH]
            found[part] = model(padded([rows[place] for place in part]).to(DEVICE)).float().cpu()
    return found


def started(start: dict[str, Tensor], given: dict[str, Tensor], sample: list[Tensor], layers: int) -> Student:
    """The lower layers of the reader, and the last layers of MiniLM with the inner units that do most."""
    whole = from_minilm(given)
    feed = len(start["lower.layers.0.up.bias"])
    slim = slimmed(whole, sample, feed) if feed < FEED else whole
    lower = Lower(len(start["lower.words.weight"]), len(slim.lower.layers), feed)
    lower.load_state_dict({name.removeprefix("lower."): v for name, v in start.items() if name.startswith("lower.")})
    meaning = Meaning(layers, feed)
    taken = list(slim.upper.layers)[-layers:]
    for ours, theirs in zip(meaning.layers, taken, strict=True):
        ours.load_state_dict(theirs.state_dict())
    return Student(lower, meaning)


def learn(student: Student, rows: list[list[int]], wanted: Tensor, seconds: float, rate: float) -> None:
    draw, began, step = random.Random(1), time.time(), 0
    student.lower.eval()
    for one in student.lower.parameters():
        one.requires_grad_(False)
    wheel = torch.optim.AdamW(student.meaning.parameters(), lr=rate, weight_decay=0.01)
    while (spent := time.time() - began) < seconds:
        for part in batches(rows, draw):
            spent = time.time() - began
            if spent >= seconds:
                break
            for group in wheel.param_groups:
                group["lr"] = rate * min(1.0, step / 200) * max(0.02, 1 - spent / seconds)
            ids, aim = padded([rows[place] for place in part]).to(DEVICE), wanted[part].to(DEVICE)
            student.meaning.train()
            with torch.autocast(DEVICE, torch.bfloat16, enabled=DEVICE == "cuda"):
                made = student(ids)
            apart = (made @ made.T - aim @ aim.T).pow(2).mean()
            loss = (1 - (made * aim).sum(-1)).mean() + 10 * apart
            wheel.zero_grad()
            loss.backward()
            nn.utils.clip_grad_norm_(student.meaning.parameters(), 1.0)
            wheel.step()
            step += 1
            if step % 500 == 0:
                print(f"{step} steps, {spent:.0f} s, loss {float(loss):.4f}", flush=True)


def main() -> None:
    options = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    options.add_argument("--data", type=Path, required=True)
    options.add_argument("--start", type=Path, required=True)
    options.add_argument("--out", type=Path, required=True)
    options.add_argument("--layers", type=int, default=3)
    options.add_argument("--seconds", type=float, default=300)
    options.add_argument("--rate", type=float, default=5e-4)
    given = options.parse_args()
    torch.manual_seed(1)
    tokenizer = Tokenizer.from_file(str(given.data / "tokenizer.json"))
    texts = {text for example in read(given.data / "examples.jsonl.xz") for text in texts_of(example)}
    rows = cut(tokenizer, sorted(text for text in texts if text.strip()))
    weights = carried(given.data / "minilm.safetensors")
    teacher = Teacher(weights).to(DEVICE)
    wanted = vectors(teacher, rows)
    print(f"{len(rows)} texts", flush=True)
    sample = [padded(rows[at : at + 64]) for at in range(0, 3000, 64)]
    student = started(carried(given.start), weights, sample, given.layers).to(DEVICE)
    learn(student, rows, wanted, given.seconds, given.rate)
    given.out.mkdir(parents=True, exist_ok=True)
    state = {f"meaning.{name}": v.half().cpu().contiguous() for name, v in student.meaning.state_dict().items()}
    save_file(state, given.out / "meaning.safetensors")


if __name__ == "__main__":
    main()
