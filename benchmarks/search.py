"""What a search costs in a memory of 100,000 items and among 100,000 messages, against a floor of the same run.

    python benchmarks/search/messages.py [--items 100000]

Floor: the same words as one raw FTS5 query (`MATCH … ORDER BY bm25 LIMIT 5`) over the same texts in the same SQLite,
which scores every row that holds any of the words. Both are measured in alternating rounds by CPU time of the thread,
cold (words never asked before) and warm; the ratio is the median of the rounds.
"""

from __future__ import annotations

import argparse
import random
import sqlite3
import statistics
import tempfile
import time
from collections.abc import Callable
from pathlib import Path

from holdfast import Holdfast
from holdfast.memory import query_words
from holdfast.packs.general import PACK as GENERAL
from holdfast.search import meaning
from holdfast.stores.protocol import Key, Row, SessionInfo, Write

KINDS = "role city project deadline budget allergy hobby language framework database recipe train flight".split()
ASKED = (
    "what is the {kind} of {rare}",
    "which {kind} did {common} and {rare} agree on",
    "{common} {common} {kind}",
    "the {kind} of {common}",
)


class Words:
    """Words as a language has them: a few very common, most of them rare."""

    def __init__(self, seed: int) -> None:
        self._random = random.Random(seed)
        letters = "bdfgklmnprstvz"
        self._all = [
            self._random.choice(letters) + "aeiou"[n % 5] + self._random.choice(letters) + "aeiou"[n // 5 % 5] + str(n)
            for n in range(20_000)
        ]

    def any(self, count: int) -> str:
        places = (min(int(self._random.paretovariate(0.6)), len(self._all) - 1) for _ in range(count))
        return " ".join(self._all[place] for place in places)

    def common(self) -> str:
        return self._random.choice(self._all[1:20])

    def rare(self) -> str:
        return self._random.choice(self._all[3000:])

    def sentence(self, number: int) -> str:
        return f"The {self._random.choice(KINDS)} of {self.any(2)} number {number} is {self.any(4)}"

    def question(self) -> str:
        form = self._random.choice(ASKED)
        return form.format(kind=self._random.choice(KINDS), rare=self.rare(), common=self.common())


class Floor:
    """The texts in a plain FTS5 table."""

    def __init__(self, texts: list[str]) -> None:
        self._db = sqlite3.connect(":memory:")
        self._db.execute("CREATE VIRTUAL TABLE t USING fts5 (text, tokenize = 'porter unicode61 remove_diacritics 2')")
        self._db.executemany("INSERT INTO t VALUES (?)", ((text,) for text in texts))

    def search(self, query: str) -> None:
        words = " OR ".join(f'"{word}"' for word in query_words(query, GENERAL.reader))
        self._db.execute("SELECT rowid, text FROM t WHERE t MATCH ? ORDER BY bm25(t) LIMIT 5", (words,)).fetchall()


def filled(folder: str, words: Words, count: int) -> tuple[Holdfast, list[str]]:
    """A store whose user remembers so many items, and a conversation of so many messages."""
    hf = Holdfast(f"sqlite:///{folder}/search.db")
    chat = hf.session("s", user="u")
    texts = [words.sentence(number) for number in range(count)]
    for start in range(0, count, 10_000):
        chat.memory.learn(texts[start : start + 10_000])
    for start in range(0, count, 1000):
        name = f"talk-{start}"
        about = SessionInfo(name, "general")
        rows = [Row(Key("session", name), v, 1.0, "person", t, b"[]", 1) for v, t in enumerate(texts[start:][:1000], 1)]
        hf.store.append([Write(row, None, about) for row in rows])
    return hf, texts


def cost(search: Callable[[str], object], query: str) -> float:
    start = time.thread_time()
    search(query)
    return (time.thread_time() - start) * 1000


def measure(name: str, search: Callable[[str], object], floor: Floor, words: Words, rounds: int) -> None:
    search("nothing of this kind")  # opens the index
    cold, warm, raw = [], [], []
    for _ in range(rounds):
        query = words.question()
        raw.append(cost(floor.search, query))
        cold.append(cost(search, query))
        warm.append(cost(search, query))
    ratio = statistics.median(mine / theirs for mine, theirs in zip(warm, raw, strict=True))
    slow = sorted(warm)[int(0.95 * len(warm))]
    print(
        f"{name:<16} warm {statistics.median(warm):6.2f} ms (95 %: {slow:.2f})  cold {statistics.median(cold):6.2f} ms"
        f"  raw FTS5 {statistics.median(raw):6.2f} ms  ratio {ratio:.2f}"
    )


def main() -> None:
    given = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    given.add_argument("--items", type=int, default=100_000)
    given.add_argument("--rounds", type=int, default=60)
    options = given.parse_args()
    words = Words(7)
    with tempfile.TemporaryDirectory() as folder:
        started = time.monotonic()
        hf, texts = filled(str(Path(folder)), words, options.items)
        floor = Floor(texts)
        with_meaning = "with" if meaning.ready() else "without"
        print(
            f"{options.items:,} items and messages, {with_meaning} meaning ({time.monotonic() - started:.0f} s to fill)"
        )
        measure("memory.search", hf.session("s", user="u").memory.search, floor, words, options.rounds)
        measure("hf.search", hf.search, floor, words, options.rounds)
        measure("chat.search", hf.session("talk-0").search, floor, words, options.rounds)
        hf.close()


if __name__ == "__main__":
    main()
