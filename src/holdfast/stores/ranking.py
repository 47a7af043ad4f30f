"""Ranked search in an FTS5 index, in time that does not grow with how common the words are.

SQLite's own bm25() scores every row that holds any word of the query: in an index of 100,000 rows a common word costs
100 ms. Here rare words choose the candidates and common ones only help to order them. Where the words are rare, or the
index is small, SQLite's own ranking is used as it is.
"""

from __future__ import annotations

import math
import sqlite3
from bisect import bisect_right
from collections.abc import Iterable, Sequence
from typing import NamedTuple

PLAIN = 3000
"""Rows that SQLite may score by itself: a few milliseconds."""
CANDIDATES = 1000
"""Rows that are looked at when it may not."""
MOST_WORDS = 8
"""Words of a long query that count there, the rarest first."""
COUNTED = 10_000
"""Rows with a word that are counted one by one: a millisecond."""
STALE = 1.1
"""Growth of an index after which the counts of its words are taken anew."""
MIN_HITS = 20
RANGES = 10
"""Parts of an index that are searched one by one, the newest; what is found in the others is sifted."""
EVERYWHERE = (0, (1 << 63) - 1)
K1, B = 1.2, 0.75

Range = tuple[int, int]
Scored = tuple[int, float]


class _Look(NamedTuple):
    within: str
    ranges: Sequence[Range] | None


class Index:
    """One FTS5 table with a column `text`, whose rows are numbered by `rowid`."""

    def __init__(self, db: sqlite3.Connection, table: str, newest: str) -> None:
        self._db = db
        self._table = table
        self._newest = newest
        """SQL that tells roughly how many rows there are."""
        self._counts: dict[str, int] = {}
        self._size = 1

    def common(self, words: Sequence[str]) -> bool:
        """Whether a query matches more rows than SQLite should score by itself."""
        self._refresh()
        return sum(self._count(word) for word in words) > PLAIN

    def best(self, words: Sequence[str], within: str = "", ranges: Sequence[Range] | None = None) -> list[Scored]:
        """Candidates with their scores by the words they hold, best first. `within` is more of the MATCH expression
        (it begins with AND, or is empty); `ranges` are the only rows that may be found."""
        self._refresh()
        known = sorted((self._count(word), word) for word in dict.fromkeys(words))
        chosen = [word for count, word in known if count][:MOST_WORDS]
        scores: dict[int, float] = {}
        for word, rows in self._sets(chosen, _Look(within, ranges)).items():
            weight = self._weight(word)
            for row in rows:
                scores[row] = scores.get(row, 0.0) + weight
        return sorted(scores.items(), key=lambda one: (-one[1], -one[0]))

    def _sets(self, words: Sequence[str], look: _Look) -> dict[str, list[int]]:
        """The rows that hold each word, of those that the rarest words choose."""
        if look.ranges is not None:
            return {word: self._rows(_quoted(word), look) for word in words}
        essential, total = [], 0
        for word in words:
            total += self._count(word)
            if total > CANDIDATES:
                break
            essential.append(word)
        if not essential:
            return self._together(words, look)
        found = {word: self._rows(_quoted(word), look) for word in essential}
        anchor = " OR ".join(map(_quoted, essential))
        for word in words[len(essential) :]:
            found[word] = self._rows(f"({anchor}) AND {_quoted(word)}", look)
        return found

    def _together(self, words: Sequence[str], look: _Look) -> dict[str, list[int]]:
        """Where every word is common: the newest rows that hold all of them, or all but the commonest, and so on."""
        for size in range(len(words), 0, -1):
            rows = self._rows(" AND ".join(map(_quoted, words[:size])), look)
            if len(rows) >= MIN_HITS or size == 1:
                return dict.fromkeys(words[:size], rows)
        return {}

    def _rows(self, match: str, look: _Look) -> list[int]:
        """The newest rows that match."""
        query = f"SELECT rowid FROM {self._table} WHERE {self._table} MATCH ? AND rowid BETWEEN ? AND ? "
        query += "ORDER BY rowid DESC LIMIT ?"
        text = f"text : ({match}) {look.within}".strip()

        def newest(first: int, last: int, most: int = CANDIDATES) -> list[int]:
            return [row for (row,) in self._db.execute(query, (text, first, last, most))]

        if look.ranges is None:
            return newest(*EVERYWHERE)
        spans = sorted(look.ranges)
        near, far = spans[-RANGES:], spans[:-RANGES]
        rows = [row for span in near for row in newest(*span)]
        if far:
            starts = [first for first, _ in far]
            found = newest(starts[0], far[-1][1], 3 * CANDIDATES)
            rows += [row for row in found if row <= far[bisect_right(starts, row) - 1][1]]
        return rows

    def _refresh(self) -> None:
        """Let go of counts that no longer fit the size of the index."""
        size = (self._db.execute(self._newest).fetchone()[0] or 0) + 1
        if not self._size <= size <= self._size * STALE:
            self._counts.clear()
            self._size = size

    def _count(self, word: str) -> int:
        """How many rows hold a word; of a common one an estimate, by how soon so many of them are found. Kept until the
        index has grown."""
        if word not in self._counts:
            if len(self._counts) > 50_000:
                self._counts.clear()
            asked = (f"text : {_quoted(word)}",)
            found = f"FROM {self._table} WHERE {self._table} MATCH ?"
            last = self._db.execute(f"SELECT rowid {found} LIMIT 1 OFFSET {COUNTED}", asked).fetchone()
            if last is None:
                count = self._db.execute(f"SELECT count(*) {found}", asked).fetchone()[0]
            else:
                newest = self._db.execute(f"SELECT max(rowid) FROM {self._table}").fetchone()[0]
                count = int(COUNTED * max(1.0, newest / last[0]))
            self._counts[word] = count
        return self._counts[word]

    def _weight(self, word: str) -> float:
        count = self._count(word)
        return max(0.05, math.log((max(self._size, count) - count + 0.5) / (count + 0.5)))


def expression(words: Iterable[str]) -> str:
    """Any of the words, for MATCH."""
    return " OR ".join(map(_quoted, words))


def shortened(scored: Iterable[Scored], lengths: dict[int, int]) -> list[Scored]:
    """The scores again, with longer texts counting less, as BM25 does."""
    mean = sum(lengths.values()) / len(lengths) if lengths else 1.0
    normed = [
        (row, score * (K1 + 1) / (1 + K1 * (1 - B + B * lengths[row] / (mean or 1.0))))
        for row, score in scored
        if row in lengths
    ]
    return sorted(normed, key=lambda one: (-one[1], -one[0]))


def _quoted(word: str) -> str:
    return '"' + word.replace('"', '""') + '"'
