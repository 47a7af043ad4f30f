"""What the HTTP door costs, against a bare handler with one SQLite insert measured in the same run.

    python benchmarks/server.py                # all of it, about a minute
    python benchmarks/server.py --soak 600     # a soak of ten minutes

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

TEXT = "what time do they close on Friday?"
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


async def request(reader: asyncio.StreamReader, writer: asyncio.StreamWriter, path: str, body: object) -> int:
    """One POST on an open connection; gives the status."""
    data = json.dumps(body).encode()
    head = f"POST {path} HTTP/1.1\r\nhost: 127.0.0.1\r\ncontent-type: application/json\r\ncontent-length: {len(data)}"
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
            status = await request(reader, writer, f"/api/sessions/s{number}/hear", {"text": TEXT})
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
    base, own = figures["bare handler"], figures["holdfast"]
    ratio = statistics.median(b[0] / o[0] for b, o in zip(base, own, strict=True))
    show("bare handler against holdfast", f"{ratio:5.2f}x in turns a second")


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


def soak(folder: Path, seconds: float) -> None:
    """Turns at a steady pace: memory at the end against memory after a tenth of the time."""
    with server(OURS, folder / "soak.db", 9474) as pid:
        asyncio.run(opened(9474, 8))
        asyncio.run(load(9474, 8, max(2.0, seconds / 10)))
        early, done = memory(pid), 0
        slices = max(1, round(seconds / 10))
        rates = []
        for _ in range(slices):
            took = asyncio.run(load(9474, 8, seconds / slices))
            done += len(took)
            rates.append(len(took) / (seconds / slices))
        grown = memory(pid) - early
        show(f"soak of {seconds:.0f} s", f"{done:,} turns   {early:.0f} MB, grown by {grown:+.1f} MB")
        show("first against last tenth", f"{rates[0]:.0f} and {rates[-1]:.0f} turns/s")


def show(what: str, figure: str) -> None:
    print(f"{what:<32} {figure}", flush=True)


def main() -> None:
    parser = argparse.ArgumentParser(description="What the HTTP door costs.")
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--seconds", type=float, default=3, help="length of a round")
    parser.add_argument("--connections", type=int, default=8)
    parser.add_argument("--viewers", type=int, default=1000)
    parser.add_argument("--soak", type=float, default=20, help="seconds; 600 for ten minutes, 0 for none")
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        turns(folder, min(options.rounds, 50), min(options.seconds, 60), min(options.connections, 64))
        if options.viewers:
            viewers(folder, min(options.viewers, 4000))
        if options.soak:
            soak(folder, min(options.soak, 3600))


if __name__ == "__main__":
    main()
