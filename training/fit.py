"""Fits every scorer of the reading on the writers of the training split and writes the model file.

    make train

Some twenty minutes on two cores; scikit-learn is needed here and nowhere else.

What a clause does is told to the scorers of values. They learn it as it is read, with its mistakes, by a model that was
not taught by the writer (`training.halves`); by the marks it would seem surer than it ever is.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from multiprocessing import Pool
from pathlib import Path
from typing import Any

import numpy as np
from scipy.sparse import csr_matrix, hstack
from sklearn.linear_model import LogisticRegression

from holdfast.reading.model.clauses import Model
from holdfast.reading.model.scorer import RAISED, UNIT, Trained, save
from training import examples as ex
from training import halves
from training.corpus import HOME, read, rows, writers
from training.words import DIMENSIONS, vectors

MODEL = Path(ex.__file__).parent.parent / "src/holdfast/reading/model/talk.bin"
SEEN = 2
"""A feature that fewer examples have is left out."""
SLIGHT = 3
"""A feature none of whose weights reaches this is left out of the file; where weights are fine, two parts more than
a unit."""
STRENGTH = {
    "split": 0.3,
    "act": 0.15,
    "keep": 0.2,
    "tag": 0.3,
    "attribute": 0.5,
    "sign": 0.5,
    "about": 0.4,
    "teaches": 0.1,
    "detail": 3.0,
    "over": 0.2,
    "answers": 0.05,
    "replies": 0.1,
}
"""How far a scorer may follow its examples (the inverse of the regularisation)."""
EXACTNESS = {
    **dict.fromkeys(("detail", "split", "tag", "over", "answers"), 1e-5),
    **dict.fromkeys(("keep", "attribute", "sign", "task", "file", "replies"), 1e-4),
}
"""How near to its optimum a scorer is taken, where 1e-3 is too far: of many examples that are mostly the same, the
gradient is small long before what matters is learned."""
LEAN = {("tag", "out"): -4}
"""By decision and class, what is added to its score: chosen on the dev writers, by the values that are found."""
HEADS = {
    "clause": ("about", "act", "keep"),
    "teaches": ("teaches",),
    "split": ("split",),
    "tag": ("tag",),
    "attribute": ("attribute",),
    "sign": ("sign",),
}
"""The scorers of the model file, and what each decides: decisions over the same features share one."""
FINE = {"clause": 4, "teaches": 4, "attribute": 2}
"""Into how many parts a unit of the score is divided for the weights, where many small ones add up."""
MEANT = {**dict.fromkeys(("about", "act", "keep", "replies"), ("w",)), "attribute": ("v", "l0"), "sign": ("v", "b")}
"""Features of words that are weighed by what the words mean, too (`training.words`), by decision."""
HOUSE_WEIGHT = {"no": 10.0, "none": 10.0}
"""How many ordinary examples one of the house's own sentences counts for, by what it teaches; 4 where nothing is said.
To learn what is false costs most."""


def fit(
    name: str,
    examples: list[ex.Example],
    *,
    rounds: int = 200,
    slight: int = SLIGHT,
    fine: int = 1,
) -> Trained:
    """One decision: its classes, bias and weights as whole numbers."""
    counts = Counter(feature for one in examples for feature in set(one.features))
    vocabulary = {feature: place for place, feature in enumerate(sorted(f for f, n in counts.items() if n >= SEEN))}
    classes = sorted({one.label for one in examples})
    matrix, shares = _matrix(examples, vocabulary), _shares(vocabulary, MEANT.get(name, ()))
    labels = np.array([classes.index(one.label) for one in examples])
    model: Any = LogisticRegression(C=STRENGTH.get(name, 1.0), max_iter=rounds, tol=EXACTNESS.get(name, 1e-3))
    model.fit(hstack([matrix, matrix @ shares], "csr"), labels, np.array([one.weight for one in examples]))
    weights = model.coef_[:, : len(vocabulary)] + model.coef_[:, len(vocabulary) :] @ shares.T
    bias = model.intercept_
    if len(classes) == 2:  # scikit-learn gives one row for two classes: the second's
        weights, bias = np.vstack([weights * 0, weights]), np.array([0.0, bias[0]])
    whole = np.clip(np.rint(weights * UNIT * fine), -RAISED, RAISED - 1).astype(int)
    kept = {
        feature: bytes((whole[:, place] + RAISED).tolist())
        for feature, place in vocabulary.items()
        if np.abs(whole[:, place]).max() >= slight and "\n" not in feature
    }
    leaning = [round(float(one) * UNIT) + LEAN.get((name, cls), 0) for cls, one in zip(classes, bias, strict=True)]
    return Trained(name, classes, leaning, kept, fine)


def joined(name: str, heads: list[Trained]) -> Trained:
    """Several decisions over the same features as one scorer: a feature is looked up once for all of them."""
    if len(heads) == 1:
        return heads[0]
    silent = [bytes([RAISED]) * len(head.classes) for head in heads]
    features = sorted({feature for head in heads for feature in head.rows})
    rows = {f: b"".join(head.rows.get(f, no) for head, no in zip(heads, silent, strict=True)) for f in features}
    classes = [f"{head.name}:{one}" for head in heads for one in head.classes]
    return Trained(name, classes, [one for head in heads for one in head.bias], rows, heads[0].fine)


def _matrix(examples: list[ex.Example], vocabulary: dict[str, int]) -> Any:
    ends, places = [0], []
    for one in examples:
        places += sorted({vocabulary[f] for f in one.features if f in vocabulary})
        ends.append(len(places))
    return csr_matrix((np.ones(len(places)), places, ends), shape=(len(examples), len(vocabulary)))


def _shares(vocabulary: dict[str, int], kinds: tuple[str, ...]) -> Any:
    """For each feature the dimensions of its word, apart for each kind of feature."""
    known = vectors() if kinds else {}
    made = np.zeros((len(vocabulary), DIMENSIONS * len(kinds)), np.float32)
    for feature, place in vocabulary.items():
        kind, _, word = feature.partition("=")
        if kind in kinds and word in known:
            start = DIMENSIONS * kinds.index(kind)
            made[place, start : start + DIMENSIONS] = known[word]
    return csr_matrix(made)


FIRST, AFTER = ("clause", "teaches", "split", "sign"), ("tag", "attribute")
"""Scorers that learn from the marks alone, and those that learn from what clauses do as it was read: how a value stands
is learned no better so."""


def fitted(scorers: Iterable[str], cuts: list[ex.Cut], house: list[ex.Cut]) -> list[Trained]:
    """Some scorers of the model file."""
    made = []
    for scorer in scorers:
        trained, fine = [], FINE.get(scorer, 1)
        for name in HEADS[scorer]:
            found = [one for cut in cuts for one in ex.TASKS[name](cut)]
            more = (one for cut in house for one in ex.TASKS[name](cut))
            found += [one._replace(weight=HOUSE_WEIGHT.get(one.label, 4.0)) for one in more]
            trained.append(fit(name, found, slight=SLIGHT if fine == 1 else fine + 2, fine=fine))
            print(f"{name:10} {len(found):7,} examples, {len(trained[-1].rows):7,} features", flush=True)
        made.append(joined(scorer, trained))
    return made


def _cuts(half: int) -> list[ex.Cut]:
    return [ex.cut(row) for name in writers("train") if halves.half(name) == half for row in read(HOME / f"{name}.txt")]


def _house() -> list[ex.Cut]:
    return [ex.cut(row) for row in rows("house")]


def _first(half: int) -> list[Trained]:
    made = fitted(FIRST, _cuts(half), _house())
    save(halves.model(half), made)
    return made


def _as_read(half: int) -> list[ex.Cut]:
    """The messages of one half of the writers, with the acts that the model of the other half reads."""
    by = Model(str(halves.model(1 - half)))
    return [ex.as_read(one, by) for one in _cuts(half)]


def _after(half: int) -> list[Trained]:
    return fitted(AFTER, _as_read(half), _house())


def main() -> None:
    halves.HOME.mkdir(parents=True, exist_ok=True)
    with Pool(2) as pool:
        first = pool.map(_first, (0, 1))
        for half, made in enumerate(pool.map(_after, (0, 1))):
            save(halves.model(half), first[half] + made)
    house = _house()
    trained = fitted(FIRST, _cuts(0) + _cuts(1), house) + fitted(AFTER, _as_read(0) + _as_read(1), house)
    save(MODEL, trained)
    print(f"{MODEL.name}: {MODEL.stat().st_size / 1e6:.1f} MB")


if __name__ == "__main__":
    main()
