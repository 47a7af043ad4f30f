"""Commands that check: `replay` folds every log again or asks what another pack would have decided, `test` runs
conversation files, `doctor` looks whether all is here that Holdfast needs. Exit codes are those of `diff`: 0 all is
well, 1 something differs, 2 it could not be done."""

from __future__ import annotations

import platform
import sqlite3
from argparse import Namespace
from collections import Counter
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import NamedTuple

import msgspec
from rich.console import Console
from rich.text import Text

import holdfast
from holdfast import pack as packs
from holdfast.cli.terminal import DIM, clip, console, count, existing_store, plain, shown, store_file, track, where
from holdfast.errors import HoldfastError, InvalidInput
from holdfast.guests import Contained
from holdfast.history.whatif import Difference, Replayed, recorded, verify, what_if
from holdfast.pack import Pack
from holdfast.session import Holdfast
from holdfast.stores import open_store
from holdfast.stores.protocol import SessionInfo
from holdfast.testing.conversations import SUFFIX, Conversation, Failure, collect, find_pack, read
from holdfast.testing.conversations import run as play

Results = list[tuple[Conversation, list[Failure]]]


class Finding(NamedTuple):
    well: bool
    what: str
    todo: str = ""


def replay(options: Namespace) -> int:
    with Holdfast(existing_store(options.store)) as hf:
        sessions = list(recorded(hf, options.session))
        if options.pack is None:
            return _verify(hf, sessions, console(), options.json)
        results = what_if(hf, find_pack(options.pack), options.session)
        return _tell_differences(list(track(results, "deciding again", len(sessions))), options)


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


def _tell_differences(results: Sequence[Replayed], options: Namespace) -> int:
    screen, json = console(), options.json
    differences = [difference for result in results for difference in result.differences]
    messages = sum(result.messages for result in results)
    for difference in differences:
        if json:
            print(msgspec.json.encode(difference._asdict()).decode())
        else:
            _tell_difference(difference, screen)
    if not json:
        told = f"{count(messages, 'message')} of {count(len(results), 'session')} under {options.pack}"
        many = f"{len(differences)} would be decided otherwise" if differences else "nothing would be decided otherwise"
        screen.print(plain(f"{told}: {many}"))
    return 1 if differences else 0


def _tell_difference(difference: Difference, screen: Console) -> None:
    where = f"{difference.session} {difference.version} {difference.role}: "
    screen.print(Text(where, DIM).append_text(plain(clip(difference.text, 100), "bold")))
    for line in difference.gone:
        screen.print(plain(f"  - {line}", "red"))
    for line in difference.new:
        screen.print(plain(f"  + {line}", "green"))


def test(options: Namespace) -> int:
    files = collect(options.paths)
    if not files:
        raise InvalidInput(f"there are no {SUFFIX} files in {', '.join(options.paths)}; name a file or folder that has")
    pack = find_pack(options.pack) if options.pack else None
    counts = Counter[str]()
    for path, results in [(path, _played(path, pack)) for path in track(files, "running", len(files))]:
        counts += _tell_file(path, results, console())
    broken, failed = counts["broken"], counts["failed"]
    summary = f"{count(counts['held'], 'expectation')} held" + (f", {failed} did not" if failed else "")
    console().print(plain(summary + (f", {count(broken, 'file')} could not be read" if broken else "")))
    return 2 if broken else 1 if failed else 0


def _played(path: Path, pack: Pack | None) -> Results | str:
    """What came of the conversations of a file, or what is wrong with the file."""
    try:
        return [(conversation, play(conversation, pack)) for conversation in read(path)]
    except HoldfastError as wrong:
        return str(wrong) if str(path) in str(wrong) else f"{path}: {wrong}"


def _tell_file(path: Path, results: Results | str, screen: Console) -> Counter[str]:
    """Show what came of a file, and count it."""
    if isinstance(results, str):
        screen.print(Text("broken  ", "red").append_text(plain(results)))
        return Counter(broken=1)
    wrong = [failure for _, failures in results for failure in failures]
    head = Text("failed  ", "red") if wrong else Text("ok      ", "green")
    screen.print(head.append_text(plain(str(path))).append(f"  {count(len(results), 'conversation')}", DIM))
    for failure in wrong:
        _show(failure, screen)
    held = sum(conversation.held(failures) for conversation, failures in results)
    return Counter(failed=len(wrong), held=held)


def _show(failure: Failure, screen: Console) -> None:
    screen.print(plain(f"  {failure.place}: ", "bold").append_text(plain(failure.title)))
    for label, text, style in (
        ("", str(failure.step), DIM),
        ("expected  ", failure.expected, "green"),
        ("seen      ", failure.seen, "red"),
    ):
        first, *more = shown(text).split("\n")
        screen.print(Text(f"    {label}").append_text(plain(first, style)))
        for line in more:
            screen.print(plain(f"    {' ' * len(label)}{line}", style))


def doctor(options: Namespace) -> int:
    if options.pack:
        find_pack(options.pack)
    screen = console()
    well = True
    for finding in _findings(options.store):
        well = well and finding.well
        head = Text("ok     ", "green") if finding.well else Text("wrong  ", "red")
        screen.print(head.append_text(plain(finding.what)))
        if finding.todo:
            screen.print(plain(f"       {finding.todo}", "yellow"))
    return 0 if well else 1


def _findings(store: str) -> Iterator[Finding]:
    python = f"Python {platform.python_version()}, {platform.system()} {platform.machine()}"
    yield Finding(True, f"Holdfast {holdfast.__version__}, {python}")
    yield _sqlite()
    yield from _packs()
    yield from _store(store)


def _sqlite() -> Finding:
    what = f"SQLite {sqlite3.sqlite_version}"
    try:
        with sqlite3.connect(":memory:") as db:
            db.execute("CREATE VIRTUAL TABLE words USING fts5 (text)")
    except sqlite3.Error as wrong:
        return Finding(
            False, f"{what}, without FTS5 ({wrong})", "use a Python whose SQLite has FTS5, such as python.org's"
        )
    return Finding(True, f"{what} with FTS5")


def _packs() -> Iterator[Finding]:
    names = packs.installed()
    if not names:
        yield Finding(False, "no packs are installed", "install Holdfast again: pip install --force-reinstall holdfast")
    for name in names:
        faults: list[Exception] = []
        # A pack is anybody's code: whatever it raises when it loads is a finding.
        with Contained(faults.append):
            pack = packs.load(name)
            pack.reader.read("hello")
            agent = "" if pack.agent else "; no agent of its own"
            yield Finding(True, f"pack {name}: {len(pack.faculties)} faculties, {', '.join(pack.languages)}{agent}")
        for wrong in faults:
            todo = "mend the pack, or uninstall the package that brings it"
            yield Finding(False, f"pack {name} does not load: {wrong}", todo)


def _store(address: str) -> Iterator[Finding]:
    file = store_file(address)
    if file is not None and not file.exists():
        yield Finding(True, f"no store at {file} yet; the first “holdfast chat” makes it")
        return
    try:
        store = open_store(address)
    except HoldfastError as wrong:
        yield Finding(False, str(wrong), "name the right file with --store, or restore it from a backup")
        return
    with Holdfast(store) as hf:
        try:
            yield from _logs(hf, address)
        except HoldfastError as wrong:
            yield Finding(False, str(wrong), "restore the store from a backup")


def _logs(hf: Holdfast, address: str) -> Iterator[Finding]:
    faults = hf.store.check()
    sessions = list(recorded(hf))
    for fault in faults:
        yield Finding(
            False, f"{where(address)}: {fault}", "restore the store from a backup; “holdfast export” saves what reads"
        )
    if not faults:
        yield Finding(True, f"store {where(address)}: {count(len(sessions), 'conversation')}, readable")
    results = list(track(verify(hf, sessions), "folding", len(sessions)))
    wrong = [f"{result.session}: {fault}" for result in results for fault in result.faults]
    for fault in wrong:
        yield Finding(False, fault, "“holdfast replay” lists all; a changed pack needs its old fold, or a new name")
    if not wrong:
        yield Finding(True, f"replay: {sum(result.rows for result in results):,} rows fold into their state")
