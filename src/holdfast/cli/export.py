"""`holdfast export`: conversations out, as our JSONL, as message lists, or as conversation files."""

from __future__ import annotations

import sys
from argparse import Namespace
from collections.abc import Iterator
from pathlib import Path

import msgspec

from holdfast import exchange
from holdfast.cli.terminal import console, count, existing_store, plain, track
from holdfast.session import Holdfast
from holdfast.stores.protocol import SessionInfo
from holdfast.whatif import Shells, recorded


def run(options: Namespace) -> int:
    with Holdfast(existing_store(options.store)) as hf:
        sessions = list(recorded(hf, options.session))
        shells = Shells(hf)
        parts = (
            part
            for info in track(sessions, "exporting", len(sessions))
            for part in _written(shells.of(info.pack), info, options.format, alone=options.session is not None)
        )
        if options.output is None:
            for part in parts:
                sys.stdout.write(part)
            return 0
        with Path(options.output).open("w", encoding="utf-8") as file:
            file.writelines(parts)
    console(stderr=True).print(plain(f"{count(len(sessions), 'conversation')} written to {options.output}"))
    return 0


def _written(hf: Holdfast, info: SessionInfo, form: str, alone: bool) -> Iterator[str]:
    if form == "talk":
        yield ("" if alone else "---\n") + exchange.talk(hf, info)
    elif form == "messages":
        messages = exchange.messages(hf, info)
        whole = messages if alone else {"session": info.name, "messages": messages}
        yield msgspec.json.encode(whole).decode() + "\n"
    else:
        yield from (line + "\n" for line in exchange.jsonl(hf, info))
