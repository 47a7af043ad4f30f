"""`holdfast doctor`: is everything here that Holdfast needs, and is the store well? A line says ok, or what to do."""

from __future__ import annotations

import platform
import sqlite3
import sys
from argparse import Namespace
from collections.abc import Iterator
from typing import NamedTuple

from rich.text import Text

import holdfast
from holdfast import pack as packs
from holdfast.cli.terminal import console, count, plain, store_file, track, where
from holdfast.errors import HoldfastError
from holdfast.guests import Contained
from holdfast.history.whatif import recorded, verify
from holdfast.session import Holdfast
from holdfast.stores import open_store
from holdfast.testing.conversations import find_pack


class Finding(NamedTuple):
    """One thing that was looked at."""

    well: bool
    what: str
    todo: str = ""


def run(options: Namespace) -> int:
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
    yield _python()
    yield _sqlite()
    yield from _packs()
    yield from _store(store)


def _python() -> Finding:
    well = sys.version_info >= (3, 11)
    what = (
        f"Holdfast {holdfast.__version__}, Python {platform.python_version()}, {platform.system()} {platform.machine()}"
    )
    return Finding(well, what, "" if well else "Holdfast needs Python 3.11 or newer; install one")


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
