"""Ranked search where words are common: rare words choose, common ones order, and nothing outside is found."""

from __future__ import annotations

import sqlite3

import pytest

from holdfast import Holdfast
from holdfast.stores.ranking import CANDIDATES, PLAIN, Index, expression, shortened

ROWS = 2 * PLAIN


@pytest.fixture(scope="module")
def db() -> sqlite3.Connection:
    made = sqlite3.connect(":memory:")
    made.execute("CREATE VIRTUAL TABLE t USING fts5 (text, home)")
    texts = ((f"every row holds the same words {'even' if n % 2 == 0 else 'odd'}", f"s{n % 7}") for n in range(ROWS))
    made.executemany("INSERT INTO t (text, home) VALUES (?, ?)", texts)
    made.execute("UPDATE t SET text = text || ' needle' WHERE rowid IN (100, 4001)")
    return made


@pytest.fixture
def index(db: sqlite3.Connection) -> Index:
    return Index(db, "t", "SELECT max(rowid) FROM t")


def test_only_a_query_of_common_words_is_too_much_for_sqlite(index: Index) -> None:
    assert not index.common(["needle"])
    assert index.common(["same", "words"])


def test_rare_words_choose_and_common_ones_order(index: Index) -> None:
    found = index.best(["same", "words", "needle", "odd"])
    assert [row for row, _ in found] == [100, 4001]  # row 100 is odd: counting begins at 1
    assert found[0][1] > found[1][1]


def test_every_word_that_a_row_holds_adds_to_its_score_and_a_rare_one_the_most(index: Index) -> None:
    alone, both = (dict(index.best(words))[100] for words in (["needle"], ["needle", "same"]))
    assert alone < both < 1.1 * alone


def test_where_every_word_is_common_those_that_hold_all_are_found(index: Index) -> None:
    found = index.best(["same", "even"])
    assert len(found) == CANDIDATES
    assert all(row % 2 == 1 for row, _ in found)


def test_a_word_that_nobody_wrote_finds_nothing(index: Index) -> None:
    assert index.best(["nowhere"]) == []


def test_nothing_is_found_outside_of_where_it_looks(index: Index) -> None:
    assert next(row for row, _ in index.best(["needle", "same"], ranges=[(90, 110)])) == 100
    assert all(90 <= row <= 110 for row, _ in index.best(["same"], ranges=[(90, 110)]))
    many = [(n * 10, n * 10 + 4) for n in range(200)]
    assert all(row % 10 <= 4 for row, _ in index.best(["same"], ranges=many))
    assert [row for row, _ in index.best(["needle"], "AND home : s1")] == [100]


def test_counts_are_taken_anew_when_the_index_has_grown() -> None:
    db = sqlite3.connect(":memory:")
    db.execute("CREATE VIRTUAL TABLE t USING fts5 (text)")
    index = Index(db, "t", "SELECT max(rowid) FROM t")
    assert not index.common(["word"])
    db.executemany("INSERT INTO t VALUES (?)", (("word",) for _ in range(ROWS)))
    assert index.common(["word"])


def test_longer_texts_count_less() -> None:
    assert shortened([(1, 1.0)], {1: 400}) == [(1, 1.0)]  # as long as the others are
    assert [row for row, _ in shortened([(1, 1.0), (2, 1.0)], {1: 400, 2: 20})] == [2, 1]


def test_words_are_quoted() -> None:
    assert expression(['a"b', "c"]) == '"a""b" OR "c"'


def test_messages_and_items_are_found_among_many_that_share_their_words() -> None:
    with Holdfast() as hf:
        chat = hf.session("s", user="u")
        chat.memory.learn([f"The colour of thing {n} is {'teal' if n == 70 else 'grey'}" for n in range(ROWS)])
        assert chat.memory.search("the colour of the thing that is teal")[0].item.value == "teal"
        other = hf.session("other", user="v")
        other.hear("my favourite colour is teal")
        assert [hit.session for hit in hf.search("teal colour")] == ["other"]
        assert [found.item.value for found in other.memory.search("colour of thing 71")] == ["teal"]
