"""`holdfast memory`: what is remembered, each item with its chain, or the items that fit a question."""

from __future__ import annotations

from argparse import Namespace

import msgspec
from rich.table import Table

from holdfast.cli.terminal import DIM, ago, console, opened, plain
from holdfast.errors import Refused
from holdfast.faculties.facts.relations import Memo
from holdfast.history.recall import told
from holdfast.memory import SessionMemory


def run(options: Namespace) -> int:
    hf, chat = opened(options)
    with hf:
        if not chat.pack.has("memory"):
            raise Refused(f"the pack {hf.pack.name} keeps no memory to look into")
        found = _found(chat.memory, " ".join(options.query), options.history)
        if options.json:
            for memo in found:
                print(msgspec.json.encode(memo).decode())
            return 0
        table = Table.grid(padding=(0, 2))
        for memo in found:
            about = f"{memo.confidence:.2f} {memo.lifespan}, {ago(memo.recorded)}"
            chain = plain(told(chat.memory.chain(memo.id)), "" if memo.current else DIM)
            table.add_row(plain(memo.slot or memo.kind, "bold"), chain, plain(memo.id, "cyan"), plain(about, DIM))
        console().print(table if found else plain("nothing is remembered that fits", DIM))
    return 0


def _found(memory: SessionMemory, query: str, history: bool) -> list[Memo]:
    if query:
        return [hit.item for hit in memory.search(query, k=20, history=history)]
    found = memory.items(history=history)
    return sorted(found, key=lambda memo: (not memo.current, memo.kind, memo.slot, memo.recorded))
