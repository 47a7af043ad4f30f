"""`holdfast sessions`: the conversations of a store."""

from __future__ import annotations

from argparse import Namespace

from rich.table import Table

from holdfast.cli.terminal import DIM, ago, clip, console, holdfast, plain, print_json
from holdfast.history.whatif import recorded


def run(options: Namespace) -> int:
    with holdfast(options) as hf:
        found = [info for info in recorded(hf) if options.user in (None, info.user)]
        if options.json:
            return print_json(found)
        table = Table.grid(padding=(0, 2))
        for info in sorted(found, key=lambda info: -info.changed):
            whose = " ".join(filter(None, (info.user, info.project)))
            table.add_row(
                plain(info.name, "bold"),
                plain(info.pack, "cyan"),
                plain(whose),
                plain(f"{info.version} entries, {ago(info.changed)}", DIM),
                plain(clip(info.preview, 60)),
            )
        console().print(table if found else plain("no conversations yet; begin one with “holdfast chat”", DIM))
    return 0
