"""`holdfast insights`: which keys are unstable, which decisions did not last, and where an unmarked change is asked
about."""

from __future__ import annotations

from argparse import Namespace

from rich.table import Table

from holdfast.cli.terminal import DIM, console, opened, plain, print_json, spoken
from holdfast.errors import Refused
from holdfast.history.insights import Insights
from holdfast.telling import Words, said


def run(options: Namespace) -> int:
    hf, chat = opened(options)
    with hf:
        if not chat.pack.has("memory"):
            raise Refused(f"the pack {hf.pack.name} keeps no memory to look into")
        found = chat.memory.insights()
        if options.json:
            return print_json([found])
        words = spoken(options, chat)
        console().print(_table(found, words) if found.keys else plain(words.around("empty"), DIM))
    return 0


def _table(found: Insights, words: Words) -> Table:
    table = Table.grid(padding=(0, 2))
    for key in sorted(found.keys, key=lambda key: (not key.unstable, key.key)):
        asks = words.say(said("insight.asks")) if key.key in found.ask_first else ""
        table.add_row(plain(key.key, "bold"), plain(words.say(key.counts())), plain(asks, DIM))
    for decision in found.decisions:
        name, mark = decision.subject or words.name("decision"), words.say(said("insight.reversed"))
        table.add_row(plain(name, "bold"), plain(words.say(decision.told())), plain(mark, "red"))
    return table
