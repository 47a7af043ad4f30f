"""What the HTTP door costs, against a bare handler with one SQLite insert measured in the same run.

    python benchmarks/server.py                # all of it, about a minute
    python benchmarks/server.py --only soak --soak 600     # a soak of ten minutes

Servers run as processes of their own on loopback ports. Rounds of the bare handler and of Holdfast alternate, because
machines are shared and noisy; beside requests a second the CPU time of a request is given, which noise hardly moves.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import os
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import NamedTuple

from rich.progress import Progress

TEXT = "what time do they close on Friday?"
SAID = (
    TEXT,
    "I am vegan and live in Lisbon",
    "the second one",
    "actually I moved to Porto",
    "write to dana@example.org",
)
TALKERS = 8
BARE = """
import sqlite3, sys, uvicorn
from starlette.applications import Starlette
from starlette.responses import JSONResponse
from starlette.routing import Route
db = sqlite3.connect(sys.argv[1], isolation_level=None, check_same_thread=False)
db.execute("PRAGMA journal_mode = WAL"); db.execute("PRAGMA synchronous = NORMAL")
db.execute("CREATE TABLE messages (id INTEGER PRIMARY KEY, session TEXT, text TEXT)")
async def hear(request):
    body = await request.json()
    db.execute("INSERT INTO messages (session, text) VALUES (?, ?)", (request.path_params["id"], body["text"]))
    return JSONResponse({"ok": True})
app = Starlette(routes=[Route("/api/sessions/{id}/hear", hear, methods=["POST"])])
uvicorn.run(app, port=int(sys.argv[2]), log_level="error", access_log=False)
"""
OURS = """
import sys
from holdfast.server import serve
serve(port=int(sys.argv[2]), store=f"sqlite:///{sys.argv[1]}", rate=0, viewers=5000)
"""


@contextmanager
def server(code: str, file: Path, port: int) -> Iterator[int]:
    """A server process; gives its process id."""
    process = subprocess.Popen([sys.executable, "-c", code, str(file), str(port)], stdout=subprocess.DEVNULL)
    try:
        asyncio.run(ready(port))
        yield process.pid
    finally:
        process.terminate()
        process.wait(20)


async def ready(port: int) -> None:
    for _ in range(200):
        try:
            _, writer = await asyncio.open_connection("127.0.0.1", port)
        except OSError:
            await asyncio.sleep(0.05)
        else:
            writer.close()
            return
    raise SystemExit("the server did not start")


def cpu(pid: int) -> float:
    """Seconds of processor time that a process has used."""
    fields = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


def memory(pid: int) -> float:
    """Megabytes that a process holds."""
    line = next(line for line in Path(f"/proc/{pid}/status").read_text().splitlines() if line.startswith("VmRSS"))
    return int(line.split()[1]) / 1024


async def request(
    reader: asyncio.StreamReader, writer: asyncio.StreamWriter, path: str, body: object, method: str = "POST"
) -> int:
    """One request on an open connection; gives the status."""
    data = b"" if body is None else json.dumps(body).encode()
    head = (
        f"{method} {path} HTTP/1.1\r\nhost: 127.0.0.1\r\ncontent-type: application/json\r\ncontent-length: {len(data)}"
    )
    writer.write(head.encode() + b"\r\n\r\n" + data)
    answer = await reader.readuntil(b"\r\n\r\n")
    length = next(line for line in answer.lower().split(b"\r\n") if line.startswith(b"content-length"))
    await reader.readexactly(int(length.partition(b":")[2]))
    return int(answer[9:12])


async def load(port: int, connections: int, seconds: float, most: int = 200_000) -> list[float]:
    """Latencies of as many turns as fit in the time."""
    took: list[float] = []
    stop = time.perf_counter() + seconds

    async def one(number: int) -> None:
        reader, writer = await asyncio.open_connection("127.0.0.1", port)
        while (start := time.perf_counter()) < stop and len(took) < most:
            text = f"{SAID[len(took) % len(SAID)]} {len(took)}"  # no two alike: what was read is kept with its reading
            status = await request(reader, writer, f"/api/sessions/s{number}/hear", {"text": text})
            if status != 200:
                raise SystemExit(f"status {status}")
            took.append(time.perf_counter() - start)
        writer.close()

    await asyncio.gather(*(one(number) for number in range(connections)))
    return took


async def opened(port: int, count: int) -> None:
    reader, writer = await asyncio.open_connection("127.0.0.1", port)
    for number in range(count):
        await request(reader, writer, "/api/sessions", {"id": f"s{number}"})
    writer.close()


def turns(folder: Path, rounds: int, seconds: float, connections: int) -> None:
    figures: dict[str, list[tuple[float, float, float, float]]] = {"bare handler": [], "holdfast": []}
    with server(BARE, folder / "bare.db", 9471) as bare, server(OURS, folder / "ours.db", 9472) as ours:
        asyncio.run(opened(9472, connections))
        for _ in range(rounds):
            for name, pid, port in (("bare handler", bare, 9471), ("holdfast", ours, 9472)):
                before = cpu(pid)
                took = sorted(asyncio.run(load(port, connections, seconds)))
                used = (cpu(pid) - before) / len(took)
                p50, p99 = took[len(took) // 2], took[int(len(took) * 0.99)]
                figures[name].append((len(took) / seconds, used * 1e6, p50 * 1e3, p99 * 1e3))
    for name, found in figures.items():
        rate, used, p50, p99 = (statistics.median(column) for column in zip(*found, strict=True))
        show(name, f"{rate:6.0f} turns/s   {used:5.0f} µs CPU   p50 {p50:5.2f} ms   p99 {p99:6.2f} ms")
    pairs = list(zip(figures["bare handler"], figures["holdfast"], strict=True))
    share, busy, late = (statistics.median(own[column] / base[column] for base, own in pairs) for column in (0, 1, 3))
    show("holdfast against the bare handler", f"{share:5.2f} of its turns a second (goal 0.4)")
    show("", f"{busy:5.1f}x its CPU time   {late:5.1f}x its p99 (goal 5x)")


def viewers(folder: Path, count: int) -> None:
    """Idle live views: what each holds, what all cost, and how long news takes to reach them."""
    with server(OURS, folder / "views.db", 9473) as pid:
        asyncio.run(watched(pid, count))


async def watched(pid: int, count: int) -> None:
    await opened(9473, count)
    reader, writer = await asyncio.open_connection("127.0.0.1", 9473)
    before = memory(pid)
    views = []
    for number in range(count):
        view = await asyncio.open_connection("127.0.0.1", 9473, limit=1 << 20)
        view[1].write(f"GET /api/sessions/s{number}/events HTTP/1.1\r\nhost: 127.0.0.1\r\n\r\n".encode())
        await view[0].readuntil(b"STATE_SNAPSHOT")
        await view[0].readuntil(b"\n\n")
        views.append(view)
    held = memory(pid) - before
    used = cpu(pid)
    await asyncio.sleep(5)
    used = (cpu(pid) - used) / 5
    waits = []
    for number in range(0, count, max(1, count // 20)):
        start = time.perf_counter()
        await request(reader, writer, f"/api/sessions/s{number}/hear", {"text": TEXT})
        await views[number][0].readuntil(b"STATE_DELTA")
        waits.append((time.perf_counter() - start) * 1e3)
    show(f"{count:,} idle live views", f"{held / count * 1024:6.1f} KB each   {used * 100:5.1f} % of a core while idle")
    show("turn to view", f"{statistics.median(waits):6.1f} ms   worst {max(waits):.1f} ms")
    for view in views:
        view[1].close()


class Stand(NamedTuple):
    """What a server holds at a moment, as its own /metrics tell it."""

    memory: float
    descriptors: float
    threads: float
    tasks: float


async def stand(port: int) -> Stand:
    await asyncio.sleep(0.5)  # those who left are let go
    reader, writer = await asyncio.open_connection("127.0.0.1", port)
    writer.write(b"GET /metrics HTTP/1.1\r\nhost: 127.0.0.1\r\nconnection: close\r\n\r\n")
    lines = (await reader.read()).decode().splitlines()
    writer.close()
    found = {
        name: float(value)
        for name, _, value in (line.partition(" ") for line in lines if " " in line)
        if "_" in name and value.replace(".", "").isdigit()
    }
    return Stand(
        found["process_resident_memory_bytes"] / 1e6,
        found["process_open_fds"],
        found["process_threads"],
        found["holdfast_tasks"],
    )


async def bustle(port: int, seconds: float, pace: float, round: int) -> int:
    """A stretch of a working day at a steady pace: turns of both sides, viewers that come and go, looks at what is
    known and at the past, users that come with a session and are erased. Gives the number of turns."""
    stop, done = time.perf_counter() + seconds, 0

    async def talker(number: int) -> None:
        nonlocal done
        reader, writer = await asyncio.open_connection("127.0.0.1", port)
        name, turn = f"r{round}-{number}", 0
        await request(reader, writer, "/api/sessions", {"id": name, "user": name})
        while time.perf_counter() < stop:
            due = time.perf_counter() + TALKERS * 2 / pace
            await request(reader, writer, f"/api/sessions/{name}/hear", {"text": SAID[turn % len(SAID)]})
            await request(
                reader, writer, f"/api/sessions/{name}/say", {"text": f"Reply {turn}: 1. **Nonna** 2. **Nove**"}
            )
            if turn % 20 == 0:
                await request(reader, writer, f"/api/sessions/{name}/history?limit=20", None, "GET")
                await request(reader, writer, f"/api/sessions/{name}/context", None, "GET")
            turn, done = turn + 1, done + 2
            await asyncio.sleep(max(0.0, due - time.perf_counter()))
        await request(reader, writer, f"/api/users/{name}", None, "DELETE")
        writer.close()

    async def viewer(number: int) -> None:
        while time.perf_counter() < stop:
            reader, writer = await asyncio.open_connection("127.0.0.1", port, limit=1 << 20)
            writer.write(f"GET /api/sessions/s{number % TALKERS}/events HTTP/1.1\r\nhost: 127.0.0.1\r\n\r\n".encode())
            await reader.readuntil(b"STATE_SNAPSHOT")
            await asyncio.sleep(0.5 + number / 10)
            writer.close()

    await asyncio.gather(*map(talker, range(TALKERS)), *map(viewer, range(TALKERS)))
    return done


def soak(folder: Path, seconds: float, pace: float) -> None:
    """What a server holds at the end against what it held after a fifth of the time, when its caches are full."""
    slices, turns, stands = 50, 0, []
    with server(OURS, folder / "soak.db", 9474), Progress(disable=not sys.stderr.isatty()) as progress:
        asyncio.run(opened(9474, TALKERS))
        bar = progress.add_task(f"soak of {seconds:.0f} s", total=slices)
        for round in range(slices):
            turns += asyncio.run(bustle(9474, seconds / slices, pace, round))
            stands.append(asyncio.run(stand(9474)))
            progress.advance(bar)
    settled = stands[slices // 5 :]
    tenth = max(1, len(settled) // 8)
    first = Stand(*(statistics.median(column) for column in zip(*settled[:tenth], strict=True)))
    last = Stand(*(statistics.median(column) for column in zip(*settled[-tenth:], strict=True)))
    show(
        f"soak of {seconds:.0f} s",
        f"{turns:,} turns, {slices * TALKERS} users come and erased, views coming and going",
    )
    for name, unit in (("memory", " MB"), ("descriptors", ""), ("threads", ""), ("tasks", "")):
        early, late = getattr(first, name), getattr(last, name)
        show(f"  {name}", f"{early:.0f}{unit} after a fifth, {late:.0f}{unit} at the end ({late - early:+.1f}{unit})")


def show(what: str, figure: str) -> None:
    print(f"{what:<32} {figure}", flush=True)


def main() -> None:
    parser = argparse.ArgumentParser(description="What the HTTP door costs.")
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--seconds", type=float, default=3, help="length of a round")
    parser.add_argument("--connections", type=int, default=32)
    parser.add_argument("--viewers", type=int, default=1000)
    parser.add_argument("--soak", type=float, default=20, help="seconds; 600 for ten minutes, 0 for none")
    parser.add_argument("--pace", type=float, default=200, help="turns a second of the soak")
    parser.add_argument("--only", choices=("turns", "viewers", "soak"), help="one of the three")
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        if options.only in (None, "turns"):
            turns(folder, min(options.rounds, 50), min(options.seconds, 60), min(options.connections, 64))
        if options.viewers and options.only in (None, "viewers"):
            viewers(folder, min(options.viewers, 4000))
        if options.soak and options.only in (None, "soak"):
            soak(folder, min(options.soak, 3600), options.pace)


if __name__ == "__main__":
    main()
