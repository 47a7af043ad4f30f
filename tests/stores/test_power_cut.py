"""The power goes: of what was written since the last sync any part may be missing, down to half a page. What is left
opens, is whole turns from the first on with every turn that was acknowledged, and what was erased is gone.

A process works on a file, and before each of its statements the files are copied, with what was acknowledged by then.
Between two copies lies what SQLite, or the eraser, which writes into the file itself, had under way."""

from __future__ import annotations

import random
import shutil
import sqlite3
from collections.abc import Iterator, Mapping
from itertools import pairwise
from pathlib import Path
from typing import Any, NamedTuple

import pytest

from holdfast import Holdfast
from holdfast.stores import erasing
from holdfast.stores.pages import Pages
from holdfast.stores.protocol import Key
from holdfast.stores.sqlite import SqliteStore
from tests.plain import PLAIN
from tests.server.running import until
from tests.stores.test_sqlite_erasing import fill

SECTOR = 512


class Moment(NamedTuple):
    file: bytes
    log: bytes
    turns: int
    """Turns of the session "s" that were acknowledged."""
    erased: str
    """Whether others were erased: "no", "begun" or "yes"."""


class Work:
    """Talks, erases other sessions and talks on; the write-ahead log is moved into the file again and again."""

    def __init__(self, folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
        self.path, self.turns, self.erased = folder / "written.db", 0, "no"
        self.moments: list[Moment] = []
        connect = sqlite3.connect

        def connected(*given: Any, **named: Any) -> sqlite3.Connection:
            made: sqlite3.Connection = connect(*given, **named)
            made.set_trace_callback(self.look)
            return made

        store = SqliteStore(str(self.path))
        words = fill(store, 0, 20, 200)  # so that SQLite has rearranged its pages, and left old copies in them
        self.gone = {name: words[name] for name in sorted(words)[:6]}
        store.close()
        monkeypatch.setattr(sqlite3, "connect", connected)
        with Holdfast(f"sqlite:///{self.path}?synchronous=full", PLAIN) as hf:
            hf.store._db.execute("PRAGMA wal_autocheckpoint = 7")  # type: ignore[attr-defined]
            self.talk(hf, 8)
            self.erased = "begun"
            hf.store.erase([Key("session", name) for name in self.gone])
            self.erased = "yes"
            self.talk(hf, 4)
            self.look()
        monkeypatch.setattr(sqlite3, "connect", connect)

    def talk(self, hf: Holdfast, turns: int) -> None:
        chat = hf.session("s", user="v")
        for _ in range(turns):
            chat.hear(f"turn {self.turns + 1}")
            self.turns += 1

    def look(self, statement: str = "") -> None:
        log = self.path.with_name(f"{self.path.name}-wal")
        found = Moment(self.path.read_bytes(), log.read_bytes() if log.exists() else b"", self.turns, self.erased)
        if not self.moments or found != self.moments[-1]:
            self.moments.append(found)


def mixed(old: bytes, new: bytes, rng: random.Random, by: int) -> bytes:
    """Some parts of the new bytes in the place of the old ones."""
    size = max(len(old), len(new)) if rng.random() < 0.5 else len(old)
    parts = []
    for start in range(0, size, by):
        there, came = old[start : start + by], new[start : start + by]
        parts.append(came if came and rng.random() < 0.5 else there or bytes(len(came)))
    return b"".join(parts)


def cuts(before: Moment, after: Moment, rng: random.Random) -> Iterator[tuple[bytes, bytes]]:
    """What may be on the disk when the power goes between two moments. SQLite writes the log, syncs it and moves it
    into the file; it makes the log short when the file was synced."""
    short = len(after.log) < len(before.log)
    if before.log != after.log and not short:
        yield before.file, mixed(before.log, after.log, rng, SECTOR)
        end = rng.randrange(len(before.log), len(after.log) + 1)
        yield before.file, after.log[:end] + b"\xa5" * rng.choice((0, SECTOR))
    if before.file != after.file:
        by = rng.choice((SECTOR, 4096))
        yield mixed(before.file, after.file, rng, by), before.log if short else after.log
    yield after.file, after.log


def left(folder: Path, gone: Mapping[str, bytes], file: bytes, log: bytes) -> tuple[list[str], bool]:
    """What the session holds after the power went, and whether the others are there, with all checks."""
    folder.mkdir()
    (folder / "chat.db").write_bytes(file)
    (folder / "chat.db-wal").write_bytes(log)
    with Holdfast(f"sqlite:///{folder}/chat.db", PLAIN) as hf:
        assert hf.store.check() == []
        assert hf.store._db.execute("PRAGMA integrity_check").fetchall() == [("ok",)]  # type: ignore[attr-defined]
        held = [str(past.text) for past in hf.session("s").history()] if hf.store.version(Key("session", "s")) else []
        assert hf.session("s").hear("and on").version == len(held) + 1
        until(lambda: not hf.store.waiting())
        there = {hf.store.version(Key("session", name)) > 0 for name in gone}
    data = b"".join(path.read_bytes() for path in folder.iterdir())
    assert {word in data for word in gone.values()} == there, "erased, and still in the file"
    shutil.rmtree(folder)
    return held, there == {True}


@pytest.mark.parametrize(("rounds", "share"), [(1, 0.3), pytest.param(20, 1.0, marks=pytest.mark.sweep)])
def test_what_was_acknowledged_is_there_and_nothing_is_half_there(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, rounds: int, share: float
) -> None:
    """`share` is how many of the cuts are tried: the everyday suite takes others of them each time."""
    with monkeypatch.context() as slowly:  # in many steps
        slowly.setattr(erasing, "PAGES", 4)
        slowly.setattr(erasing, "SLICE", 0.0)
        work = Work(tmp_path, slowly)
    moments, words = work.moments, work.gone.values()
    assert {moment.erased for moment in moments} == {"no", "begun", "yes"}
    unlogged = [moment.file for moment in moments if moment.erased == "begun" and not moment.log]
    assert any(word in file for file in unlogged for word in words), "the eraser had nothing to clean"
    seed = random.randrange(1 << 20)
    for number, (before, after) in enumerate([*pairwise(moments)] * rounds):
        rng = random.Random(f"{seed} {number}")
        for cut, (file, log) in enumerate(cuts(before, after, rng)):
            if rng.random() > share:
                continue
            where = f"between {number} and {number + 1} of {len(moments)}, cut {cut} of seed {seed}"
            held, there = left(tmp_path / f"{number}-{cut}", work.gone, file, log)
            assert held == [f"turn {turn}" for turn in range(1, len(held) + 1)], where
            assert len(held) >= before.turns, where
            assert there == (before.erased == "no") or before.erased == "begun", where


def test_a_page_that_may_be_the_rest_of_a_long_row_is_left_as_it_is(tmp_path: Path) -> None:
    page = bytearray(4096)
    page[0], page[5:7] = 13, (4000).to_bytes(2)  # a leaf without rows, which uses its last 96 bytes
    page[100:200] = b"x" * 100
    (tmp_path / "file").write_bytes((b"\0" * 16 + (4096).to_bytes(2)).ljust(4096, b"\0") + page)
    pages = Pages(str(tmp_path / "file"))
    pages.count = 14 << 24  # in a file of so many pages that could be the number of the next one
    assert not pages.clean(2, {})
    pages.count = 2
    assert pages.clean(2, {})
    assert b"x" not in (tmp_path / "file").read_bytes()
