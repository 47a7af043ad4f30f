"""The learned reading: whole-number scorers, clauses, the lexicon, the corpus they come from."""

from __future__ import annotations

import sys
from itertools import pairwise
from pathlib import Path

import pytest

from holdfast.pack import load as load_pack
from holdfast.reading.kinds import typed_part, value_types
from holdfast.reading.lexicon import kinds
from holdfast.reading.model.clauses import understand
from holdfast.reading.model.scorer import MAX_FEATURES, Scorer, Trained, load, save
from holdfast.reading.model.tokens import tokens
from tests.linear import stays_linear

ROOT = Path(__file__).parents[2]
sys.path.insert(0, str(ROOT))

from training.corpus import SPLITS, read, writers  # noqa: E402
from training.examples import Example  # noqa: E402
from training.words import vectors  # noqa: E402


def row(*weights: int) -> bytes:
    return bytes(weight + 128 for weight in weights)


@pytest.fixture
def scorer(tmp_path: Path) -> Scorer:
    path = tmp_path / "model.bin"
    save(path, [Trained("taste", ["no", "yes"], [0, 5], {"w=sweet": row(-3, 40), "w=stale": row(60, -128)})])
    return load(path)["taste"]


def test_a_score_is_the_sum_of_its_features_and_the_bias(scorer: Scorer) -> None:
    assert scorer.scores(["w=sweet"]) == [-3, 45]
    assert scorer.scores(["w=sweet", "w=stale", "w=unknown"]) == [57, -83]
    assert scorer.score(["w=stale"]) == ("no", 183)


def test_decisions_over_the_same_features_are_scored_in_one_look(tmp_path: Path) -> None:
    classes = ["taste:no", "taste:yes", "kind:bread", "kind:fruit", "kind:meat"]
    rows = {"w=sweet": row(-3, 41, 0, 90, -7), "w=red": row(0, 1, -20, 8, 30)}
    save(tmp_path / "model.bin", [Trained("food", classes, [0, 5, 0, 0, 0], rows, fine=2)])
    judged = load(tmp_path / "model.bin")["food"].judge(["w=sweet", "w=red", "w=unknown"])
    assert judged.yes("taste") == 21 + 5 - -1
    assert judged.table("kind") == {"bread": -10, "fruit": 49, "meat": 12}
    assert judged.best("kind") == ("fruit", 37)


def test_any_number_of_features_stays_within_the_lanes(scorer: Scorer) -> None:
    assert scorer.scores(["w=stale"] * 10_000) == [60 * MAX_FEATURES, -128 * MAX_FEATURES + 5]


def test_the_features_that_spoke_for_a_class_are_named(scorer: Scorer) -> None:
    assert scorer.spoke(["w=sweet", "w=stale", "w=unknown"], "yes") == [("w=sweet", 40), ("w=stale", -128)]


def test_a_file_that_is_no_model_is_refused(tmp_path: Path) -> None:
    (tmp_path / "other.bin").write_bytes(b"something else")
    with pytest.raises(ValueError, match="no model file"):
        load(tmp_path / "other.bin")


def test_clauses_cover_the_message_in_order_and_the_same_way_each_time() -> None:
    text = "hey im Tom, i live in leeds and work at Monzo. can you book a table for 4?"
    clauses = understand(text, "Hi! Who is there?")
    assert len(clauses) > 1
    assert all(one.end <= two.start for one, two in pairwise(clauses))
    assert clauses[0].start == 0
    assert clauses[-1].end == len(text)
    assert clauses[-1].act in ("asks", "requests")
    again = understand(text, "Hi! Who is there?")
    assert [(c.act, c.lead, c.keep, c.values) for c in clauses] == [(c.act, c.lead, c.keep, c.values) for c in again]


def test_understanding_takes_time_linear_in_the_text() -> None:
    for piece in ("? ", "i live in york, ", "a", "не, ", "😅 "):
        stays_linear(understand, piece)


def test_tokens_even_out_how_people_spell() -> None:
    words = [token.word for token in tokens("Sooooo I DON'T know, whaaat")]
    assert words == ["so", "i", "dont", "know", ",", "what"]


@pytest.mark.parametrize(
    ("word", "language", "kind"),
    [("nurse", "en", "role"), ("nurses", "en", "role"), ("собаками", "ru", "animal"), ("abuelas", "es", "kin")],
)
def test_inflected_words_are_of_the_kind_of_their_base_form(word: str, language: str, kind: str) -> None:
    assert kind in kinds([word], [language])[0]


def test_values_have_types() -> None:
    reader = load_pack("general").reader
    assert value_types(reader, "a@b.org") == {"email"}
    assert "when" in value_types(reader, "next Friday")
    assert typed_part(reader, "Saturday is better", "next Friday") == "Saturday"


@pytest.mark.parametrize("split", SPLITS)
def test_every_row_of_the_corpus_can_be_read(split: str) -> None:
    for writer in writers(split, ROOT / "corpus"):
        rows = list(read(ROOT / "corpus" / f"{writer}.txt"))
        assert len(rows) > 60
        assert all(one.clauses for one in rows)


def test_nobody_is_in_two_splits() -> None:
    everyone = [writer for split in SPLITS for writer in writers(split, ROOT / "corpus")]
    assert len(everyone) == len(set(everyone))
    assert sorted(everyone) == sorted(path.stem for path in (ROOT / "corpus").glob("w*.txt"))


def test_words_that_mean_alike_lie_near_each_other() -> None:
    known = vectors()

    def near(one: str, other: str) -> float:
        a, b = known[one], known[other]
        return float(a @ b / (a @ a * (b @ b)) ** 0.5)

    assert near("nurse", "midwife") > near("nurse", "postgres")
    assert near("leeds", "sheffield") > near("leeds", "peanuts")


def test_a_word_that_no_row_has_twice_takes_after_its_relatives() -> None:
    """What is learned of the dimensions of a meaning goes into the weights of all words that have one."""
    fit = pytest.importorskip(
        "training.fit", reason="what trains is installed by `make train`", exc_type=ImportError
    ).fit
    known = {"nurse": "role", "midwife": "role", "doctor": "role", "surgeon": "role"}
    known |= {"peanuts": "food", "almonds": "food", "walnuts": "food", "hazelnuts": "food"}
    rows = [Example([f"v={word}"], label) for word, label in known.items() for _ in range(4)]
    rows += [Example([f"v={word}"], label) for word in ("patients", "nuts") for label in ("role", "food")]
    trained = fit("attribute", rows, slight=0, fine=2)
    food, role = (trained.classes.index(name) for name in ("food", "role"))
    assert trained.rows["v=nuts"][food] > trained.rows["v=nuts"][role]
    assert trained.rows["v=patients"][role] > trained.rows["v=patients"][food]
