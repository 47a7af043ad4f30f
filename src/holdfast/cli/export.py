"""`holdfast export`: conversations out, as our JSONL, message lists or conversation files; or everything, as an
archive."""

from __future__ import annotations

import sys
from argparse import Namespace
from collections.abc import Iterator
from pathlib import Path

import msgspec

from holdfast.cli.terminal import console, count, existing_store, plain, track
from holdfast.errors import InvalidInput
from holdfast.exchange import archive
from holdfast.exchange import transcripts as exchange
from holdfast.history.whatif import Shells, recorded
from holdfast.session import Holdfast
from holdfast.stores.protocol import SessionInfo
from holdfast.testing.conversations import find_pack


def run(options: Namespace) -> int:
    if options.pack:
        find_pack(options.pack)  # conversations of a pack in a file can be read once it is loaded
    with Holdfast(existing_store(options.store)) as hf:
        if options.format == "archive":
            return _archive(hf, options)
        if options.user or options.project:
            raise InvalidInput("--user and --project go with --format archive; other formats take --session")
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


def _archive(hf: Holdfast, options: Namespace) -> int:
    chosen = {name: value for name in ("session", "user", "project") if (value := getattr(options, name)) is not None}
    made = (line + "\n" for line in archive.lines(hf, **chosen))
    if options.output is None:
        for line in made:
            sys.stdout.write(line)
        return 0
    with Path(options.output).open("w", encoding="utf-8") as file:
        rows = sum(file.write(line) > 0 and not line.startswith('{"log"') for line in made) - 1
    console(stderr=True).print(plain(f"{count(rows, 'row')} written to {options.output}"))
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
