"""`holdfast replay`: fold every log again and compare; or, with --pack, ask what another pack would have decided.

Exit codes are those of `diff`: 0 the same, 1 something differs, 2 it could not be done."""

from __future__ import annotations

from argparse import Namespace
from collections.abc import Sequence

import msgspec
from rich.console import Console
from rich.text import Text

from holdfast.cli.terminal import DIM, clip, console, count, existing_store, plain, track
from holdfast.history.whatif import Difference, Replayed, recorded, verify, what_if
from holdfast.session import Holdfast
from holdfast.stores.protocol import SessionInfo
from holdfast.testing.conversations import find_pack


def run(options: Namespace) -> int:
    with Holdfast(existing_store(options.store)) as hf:
        sessions = list(recorded(hf, options.session))
        if options.pack is None:
            return _verify(hf, sessions, console(), options.json)
        results = what_if(hf, find_pack(options.pack), options.session)
        return _tell_all(list(track(results, "deciding again", len(sessions))), options)


def _verify(hf: Holdfast, sessions: Sequence[SessionInfo], screen: Console, json: bool) -> int:
    results = list(track(verify(hf, sessions), "folding", len(sessions)))
    wrong = [result for result in results if result.faults]
    rows = sum(result.rows for result in results)
    if json:
        print(msgspec.json.encode({"sessions": len(results), "rows": rows, "wrong": wrong}).decode())
        return 1 if wrong else 0
    for result in wrong:
        for fault in result.faults:
            screen.print(Text("wrong  ", "red").append_text(plain(f"{result.session}: {fault}")))
    if wrong:
        screen.print(plain(f"{len(wrong)} of {len(results)} sessions differ; “holdfast doctor” looks at the store"))
        return 1
    counted = f"{count(len(results), 'session')}, {count(rows, 'row')}"
    screen.print(Text("ok  ", "green").append(f"{counted}: every log folds into its state, byte for byte"))
    return 0


def _tell_all(results: Sequence[Replayed], options: Namespace) -> int:
    screen, json = console(), options.json
    differences = [difference for result in results for difference in result.differences]
    messages = sum(result.messages for result in results)
    for difference in differences:
        if json:
            print(msgspec.json.encode(difference._asdict()).decode())
        else:
            _tell(difference, screen)
    if not json:
        told = f"{count(messages, 'message')} of {count(len(results), 'session')} under {options.pack}"
        many = f"{len(differences)} would be decided otherwise" if differences else "nothing would be decided otherwise"
        screen.print(plain(f"{told}: {many}"))
    return 1 if differences else 0


def _tell(difference: Difference, screen: Console) -> None:
    where = f"{difference.session} {difference.version} {difference.role}: "
    screen.print(Text(where, DIM).append_text(plain(clip(difference.text, 100), "bold")))
    for line in difference.gone:
        screen.print(plain(f"  - {line}", "red"))
    for line in difference.new:
        screen.print(plain(f"  + {line}", "green"))
