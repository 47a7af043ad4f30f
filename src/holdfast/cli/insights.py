"""`holdfast insights`: which keys are unstable, which decisions did not last, and where an unmarked change is asked
about."""

from __future__ import annotations

from argparse import Namespace

import msgspec
from rich.table import Table

from holdfast.cli.terminal import DIM, console, opened, plain
from holdfast.errors import Refused
from holdfast.history.insights import DecisionInsight, Insights, KeyInsight


def run(options: Namespace) -> int:
    hf, chat = opened(options)
    with hf:
        if not chat.pack.has("memory"):
            raise Refused(f"the pack {hf.pack.name} keeps no memory to look into")
        found = chat.memory.insights()
        if options.json:
            print(msgspec.json.encode(found).decode())
            return 0
        console().print(_table(found) if found.keys else plain("nothing is remembered yet", DIM))
    return 0


def _table(found: Insights) -> Table:
    table = Table.grid(padding=(0, 2))
    for key in sorted(found.keys, key=lambda key: (not key.unstable, key.key)):
        asks = "asks before a change" if key.key in found.ask_first else ""
        mark = plain("unstable", "bold red") if key.unstable else plain("")
        table.add_row(plain(key.key, "bold"), mark, plain(_told(key)), plain(asks, DIM))
    for decision in found.decisions:
        table.add_row(plain(decision.subject or "decision", "bold"), plain("reversed", "red"), plain(_chain(decision)))
    return table


def _told(key: KeyInsight) -> str:
    counts = ", ".join(f"{count} {name}" for name, count in key.relations.items())
    return counts + (f"; a value lives {_lasting(key.mean_life)}" if key.mean_life is not None else "")


def _chain(decision: DecisionInsight) -> str:
    return f"{' → '.join(decision.chain)} (the shortest held {_lasting(decision.shortest)})"


def _lasting(seconds: float) -> str:
    for size, unit in ((86400.0, "days"), (3600.0, "hours"), (60.0, "minutes")):
        if seconds >= 2 * size:
            return f"{seconds / size:.0f} {unit}"
    return f"{seconds:.0f} seconds"
