"""What each operation costs in a store of many sessions: the slowest of a few runs, beside the same in an empty store.

python benchmarks/scale.py [--sessions 1000000] [--rows 10] [sqlite] [postgres]
"""

from __future__ import annotations

import argparse
import random
import sqlite3
import tempfile
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager

from holdfast import Holdfast
from holdfast.stores.sqlite import SqliteStore

GOAL = 0.05
WORDS = "river stone light market garden window paper silver morning engine bottle winter music letter island".split()


def texts(count: int, seed: int) -> Iterator[str]:
    rng = random.Random(seed)
    for number in range(count):
        yield f"{' '.join(rng.choices(WORDS, k=6))} w{rng.randrange(500_000)} n{number}"


def fill_sqlite(path: str, sessions: int, rows: int) -> None:
    """Sessions as turns would have left them, by plain inserts: a turn each would take days."""
    SqliteStore(path).close()
    db = sqlite3.connect(path, isolation_level=None)
    db.execute("PRAGMA synchronous = off")
    db.execute("DROP TRIGGER log_changes_stream")
    saying = texts(sessions * rows, 1)
    for start in range(0, sessions, 20_000):
        ids = range(start + 1, min(start + 20_000, sessions) + 1)
        db.execute("BEGIN")
        db.executemany(
            "INSERT INTO streams (id, kind, name, pack, user, project, created, changed, head, indexed) "
            "VALUES (?, 'session', ?, 'general', ?, ?, ?, ?, ?, ?)",
            ((n, f"s-{n:07d}", f"u-{n // 5}", f"p-{n // 20}", 1.0, float(n), rows, rows) for n in ids),
        )
        new = [(n << 32 | v, float(n), "person", next(saying), b"[]", 2) for n in ids for v in range(1, rows + 1)]
        db.executemany("INSERT INTO log VALUES (?, ?, ?, ?, ?, ?)", new)
        db.executemany("INSERT INTO words (rowid, text) VALUES (?, ?)", ((row[0], row[3]) for row in new))
        db.execute("UPDATE indexed SET rows = rows + ?", (len(new),))
        db.execute("COMMIT")
        print(f"\r{ids[-1]:,} sessions", end="", flush=True)
    print()
    with open("src/holdfast/stores/sql/sqlite/007_calm.sql", encoding="utf-8") as file:
        trigger = file.read().partition("CREATE TRIGGER")[2].partition("END;")[0]
    db.execute(f"CREATE TRIGGER{trigger}END")
    db.execute("PRAGMA wal_checkpoint(TRUNCATE)")
    db.close()


@contextmanager
def timed(took: dict[str, list[float]], what: str) -> Iterator[None]:
    start = time.perf_counter()
    yield
    took.setdefault(what, []).append(time.perf_counter() - start)


def measure(hf: Holdfast, sessions: int, runs: int) -> dict[str, list[float]]:
    took: dict[str, list[float]] = {}
    rng = random.Random(2)
    chosen = [rng.randrange(1, sessions - 100) for _ in range(runs)]
    hf.search("river", user="u-1")  # what is imported and compiled once
    for looking in (True, False):
        for number in chosen:
            for what, act in (_looking(hf, number) if looking else _forgetting(hf, number)).items():
                with timed(took, what):
                    act()
    return took


def _looking(hf: Holdfast, number: int) -> dict[str, Callable[[], object]]:
    name, user = f"s-{number:07d}", f"u-{number // 5}"
    return {
        "turn (first of a session)": lambda: hf.session(name).hear("I live in Boston"),
        "turn": lambda: hf.session(name).hear("and I like tea"),
        "sessions": lambda: hf.sessions(limit=50),
        "sessions of a user": lambda: hf.sessions(user, limit=50),
        "newest sessions": lambda: hf.store.newest(limit=50),
        "search after a turn": lambda: hf.search("river stone"),
        "search, rare word": lambda: hf.search("w77777"),
        "search of a user": lambda: hf.search("river", user=user),
        "history": lambda: hf.session(name).history(),
    }


def _forgetting(hf: Holdfast, number: int) -> dict[str, Callable[[], object]]:
    chat = hf.session("forgetful", user=f"u-{number // 5}", project=f"p-{number // 20}")
    chat.hear("I always use Neovim")
    item = chat.memory.preferences()[-1].id
    return {
        "memory.forget": lambda: chat.memory.forget(item, patience=0.0),
        "forget(session)": lambda: hf.forget(session=f"s-{number + 1:07d}", patience=0.0),
        "forget(project)": lambda: hf.forget(project=f"p-{number // 20}", patience=0.0),
        "forget(user)": lambda: hf.forget(user=f"u-{number // 5}", patience=0.0),
        "turn beside an erasure": lambda: hf.session("beside").hear("hello"),
    }


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--sessions", type=int, default=1_000_000)
    parser.add_argument("--rows", type=int, default=10)
    parser.add_argument("--runs", type=int, default=5)
    parser.add_argument("--file", default="")
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        path = options.file or f"{folder}/chat.db"
        start = time.perf_counter()
        fill_sqlite(path, options.sessions, options.rows)
        print(f"filled in {time.perf_counter() - start:.0f} s")
        with Holdfast(path) as hf:
            hf.session("warm").hear("hello")
            for what, times in measure(hf, options.sessions, options.runs).items():
                mark = "" if max(times) <= GOAL else "  over the goal of 50 ms"
                middle = sorted(times)[len(times) // 2]
                print(f"{what:28} {1000 * middle:8.1f} ms   slowest {1000 * max(times):8.1f} ms{mark}")


if __name__ == "__main__":
    main()
