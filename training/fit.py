"""Fits every scorer of the reading on the writers of the training split and writes the model file.

    make train

Minutes on two cores; scikit-learn is needed here and nowhere else.
"""

from __future__ import annotations

import sys
from collections import Counter
from pathlib import Path
from typing import Any

import numpy as np
from scipy.sparse import csr_matrix
from sklearn.linear_model import LogisticRegression

from holdfast.reading.model.scorer import RAISED, UNIT, save
from training import examples as ex
from training.corpus import empty_sayings, rows

MODEL = Path(ex.__file__).parent.parent / "src/holdfast/reading/model/talk.bin"
SEEN = 2
"""A feature that fewer examples have is left out."""
SLIGHT = 3
"""A feature none of whose weights reaches this is left out of the file."""
STRENGTH = {
    "split": 1.0,
    "act": 0.6,
    "keep": 0.4,
    "tag": 0.8,
    "attribute": 1.5,
    "sign": 1.0,
    "about": 1.0,
    "teaches": 0.3,
    "detail": 3.0,
}
"""How far a scorer may follow its examples (the inverse of the regularisation)."""


SAYINGS = ("keep", "teaches")
"""Decisions that the sentences which tell nothing teach as well."""


def fit(
    name: str, examples: list[ex.Example], *, rounds: int = 200, exactness: float = 1e-3, slight: int = SLIGHT
) -> tuple[str, list[str], list[int], dict[str, bytes]]:
    """One scorer: its classes, bias and weights as whole numbers."""
    counts = Counter(feature for one in examples for feature in set(one.features))
    vocabulary = {feature: place for place, feature in enumerate(sorted(f for f, n in counts.items() if n >= SEEN))}
    classes = sorted({one.label for one in examples})
    matrix = _matrix(examples, vocabulary)
    labels = np.array([classes.index(one.label) for one in examples])
    model: Any = LogisticRegression(C=STRENGTH.get(name, 1.0), max_iter=rounds, tol=exactness)
    model.fit(matrix, labels)
    weights, bias = model.coef_, model.intercept_
    if len(classes) == 2:  # scikit-learn gives one row for two classes: the second's
        weights, bias = np.vstack([weights * 0, weights]), np.array([0.0, bias[0]])
    whole = np.clip(np.rint(weights * UNIT), -RAISED, RAISED - 1).astype(int)
    kept = {
        feature: bytes((whole[:, place] + RAISED).tolist())
        for feature, place in vocabulary.items()
        if np.abs(whole[:, place]).max() >= slight and "\n" not in feature
    }
    return name, classes, [round(float(one) * UNIT) for one in bias], kept


def _matrix(examples: list[ex.Example], vocabulary: dict[str, int]) -> Any:
    ends, places = [0], []
    for one in examples:
        places += sorted({vocabulary[f] for f in one.features if f in vocabulary})
        ends.append(len(places))
    return csr_matrix((np.ones(len(places)), places, ends), shape=(len(examples), len(vocabulary)))


def main(splits: tuple[str, ...] = ("train",), model: Path = MODEL) -> None:
    cuts = [ex.cut(row) for split in splits for row in rows(split)]
    empty = [ex.cut(row) for row in empty_sayings()]
    made = []
    for name, examples in ex.TASKS.items():
        found = [one for cut in (*cuts, *empty) for one in examples(cut) if cut.row.writer or name in SAYINGS]
        made.append(fit(name, found))
        print(f"{name:10} {len(found):7,} examples, {len(made[-1][3]):7,} features", flush=True)
    save(model, made)
    print(f"{model.name}: {model.stat().st_size / 1e6:.1f} MB")


if __name__ == "__main__":
    main(tuple(sys.argv[1:]) or ("train",))
