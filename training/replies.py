"""Fits the scorer that tells which clauses of a message answer a question, and writes its model file.

    make train

After a question of the agent each clause of the next message is an example. Clauses are those that the reading finds.
"""

from __future__ import annotations

from collections.abc import Iterator
from multiprocessing import Pool
from pathlib import Path

from holdfast.faculties.questions.replies import REPLIES, features, judge
from holdfast.reading.model.clauses import understand
from holdfast.reading.model.scorer import save
from training.corpus import HOME, Clause, Row, read, writers
from training.examples import Example
from training.fit import fit

MODEL = Path(__file__).parent.parent / "src/holdfast/faculties/questions/replies.bin"
TELLS = frozenset({"states", "corrects", "rejects"})
"""Acts that answer where nothing else in a message that answers does; else they may or may not."""
HOUSE = 4.0
"""How many ordinary examples one of the house's own counts for."""


def examples(name: str) -> Iterator[Example]:
    """The examples of one writer."""
    for row in read(HOME / f"{name}.txt"):
        clauses = understand(row.text, row.asked, row.language, told=row.told) if "?" in row.asked else []
        for place, clause in enumerate(clauses if row.clauses else ()):
            most = max(row.clauses, key=lambda one: min(clause.end, one.end) - max(clause.start, one.start))
            label = _answers(row, most)
            if label is not None:
                yield Example(features(clauses, place), "yes" if label else "no")


def _answers(row: Row, clause: Clause) -> bool | None:
    """Whether a clause answers; None where the marks leave it open."""
    if clause.act not in TELLS or "answer" not in row.aims:
        return clause.act in REPLIES
    return None if any(one.act in REPLIES for one in row.clauses) else True


def of_writer(name: str) -> list[Example]:
    return list(examples(name))


def of_split(*splits: str) -> list[Example]:
    """The examples of all writers of some splits."""
    with Pool(2) as pool:
        names = [name for split in splits for name in writers(split)]
        return [one for found in pool.imap(of_writer, names) for one in found]


def main() -> None:
    made = of_split("train") + [one._replace(weight=HOUSE) for one in of_split("house")]
    trained = fit("replies", made, fine=4, slight=4)
    save(MODEL, [trained])
    print(f"replies {len(made):,} examples, {len(trained.rows):,} features, {MODEL.stat().st_size / 1e6:.2f} MB")
    found = [(judge().lead(one.features), one.label == "yes") for one in of_split("dev")]
    for least in (-16, 0, 16):
        taken = [yes for lead, yes in found if lead >= least]
        right, all_ = sum(taken), sum(yes for _, yes in found)
        print(f"from {least:3}: precision {right / len(taken):.3f}, recall {right / all_:.3f}")


if __name__ == "__main__":
    main()
