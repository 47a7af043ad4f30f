"""Erasure in a SQLite file: no byte is left when it says so; where somebody holds it up it says that, and goes on by
itself; and it goes on wherever a process was stopped in it."""

from __future__ import annotations

import random
import sqlite3
import threading
from pathlib import Path
from types import SimpleNamespace

import pytest

from holdfast import Holdfast
from holdfast.exchange import archive
from holdfast.stores import erasing
from holdfast.stores.pages import Pages
from holdfast.stores.protocol import Key, Note, Row, SessionInfo, Snapshot, Write
from holdfast.stores.sqlite import SqliteStore
from tests.server.running import until
from tests.stores.stopping import POINTS, stopped, stops

SECRET = "Zanzibarquokka"


def bytes_of(folder: Path) -> bytes:
    return b"".join(path.read_bytes() for path in sorted(folder.iterdir()) if path.is_file())


def test_a_reader_holds_up_the_bytes_and_not_the_truth(tmp_path: Path) -> None:
    with Holdfast(tmp_path / "chat.db") as hf:
        hf.session("s").hear(f"my name is {SECRET}")
        hf.session("other").hear("hello")
        reader = sqlite3.connect(tmp_path / "chat.db", isolation_level=None)
        reader.execute("BEGIN")
        reader.execute("SELECT count(*) FROM log").fetchone()
        gone = hf.forget(session="s")
        assert gone == 1
        assert "reader" in gone.waiting
        assert hf.session("other").hear("and nobody waits for it").version == 2
        assert SECRET.encode() in bytes_of(tmp_path)
        reader.execute("COMMIT")
        until(lambda: not hf.store.waiting())
        assert SECRET.encode() not in bytes_of(tmp_path)
        reader.close()


def fill(store: SqliteStore, seed: int, logs: int = 120, rows: int = 3000) -> dict[str, bytes]:
    """Logs of all sizes in any order, so that SQLite has to rearrange its pages; the words that each has to itself."""
    rng = random.Random(seed)
    heads: dict[str, int] = {}
    words = {f"s-{number}": f"zq{number:04d}x" for number in range(logs)}
    for _ in range(rows):
        name = rng.choice(list(words))
        heads[name] = version = heads.get(name, 0) + 1
        key, own = Key("session", name), words[name]
        text = f"{own} {'word ' * rng.choice((1, 10, 30, 400))}{own}"
        snapshot = Snapshot(version, (own * rng.choice((5, 300, 2000))).encode(), "s") if version % 4 == 0 else None
        notes = (Note(f"n{version}", text[:200], True, own.encode() * 9),) if version % 3 == 0 else ()
        body = (own * rng.choice((1, 20, 90))).encode()
        about = SessionInfo(name, "general", f"u{own}", f"p{own}")
        store.append([Write(Row(key, version, float(version), "person", text, body, 2), snapshot, about, notes)])
        if rng.random() < 0.01:
            store.search(own, None, 5)
            store.recall([key], own, 5)
    return {name: own.encode() for name, own in words.items()}


@pytest.mark.parametrize("seed", [0, *(pytest.param(seed, marks=pytest.mark.sweep) for seed in range(1, 4))])
def test_no_byte_is_left_however_sqlite_arranged_its_pages(tmp_path: Path, seed: int) -> None:
    store = SqliteStore(str(tmp_path / "chat.db"))
    words = fill(store, seed)
    gone = random.Random(seed).sample(sorted(words), 30)
    store.erase([Key("session", name) for name in gone])
    assert not store.waiting()
    data = bytes_of(tmp_path)
    assert [name for name in gone if words[name] in data] == []
    assert all(words[name] in data for name in words if name not in gone)
    assert store.check() == []
    kept = next(name for name in words if name not in gone)
    store.recall([Key("session", kept)], "word", 5)  # with a search the indexes hold everything
    assert {hit.session for hit in store.search(words[kept].decode(), None, 5)} == {kept}
    db = sqlite3.connect(tmp_path / "chat.db")
    assert db.execute("PRAGMA integrity_check").fetchall() == [("ok",)]
    for table in ("words", "note_words"):
        db.execute(f"INSERT INTO {table} ({table}, rank) VALUES ('integrity-check', 1)")
    db.close()
    store.close()


def test_whoever_read_a_page_before_it_was_cleaned_does_not_write_it_back(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path, own = tmp_path / "chat.db", Key("session", "s")
    store = SqliteStore(str(path))
    store.append([Write(Row(own, 1, 1.0, "person", "hello there", b"[]", 2), None, SessionInfo("s", "general"))])
    store.close()
    data = bytearray(path.read_bytes())
    page = next(at for at in range(0, len(data), 4096) if data[at] == 13 and b"hello there" in data[at : at + 4096])
    data[page + 200 : page + 200 + len(SECRET)] = SECRET.encode()  # what SQLite left there when it rearranged the page
    path.write_bytes(data)
    store, other = (SqliteStore(str(path)) for _ in range(2))
    free, sync, wrote = Pages.free, Pages.sync, list[int]()

    def reading(self: Pages) -> dict[int, int]:
        other.rows(own)
        return free(self)

    def writing(self: Pages) -> None:
        if not wrote:
            other.append([Write(Row(own, 2, 1.0, "person", "and on", b"[]", 2))])
            wrote.append(2)
        sync(self)

    monkeypatch.setattr(Pages, "free", reading)
    monkeypatch.setattr(Pages, "sync", writing)
    store.erase([Key("session", "none")])
    assert wrote
    assert not store.waiting()
    store.close()
    other.close()
    assert SECRET.encode() not in bytes_of(tmp_path)


def test_others_write_while_a_large_log_is_erased(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(erasing, "SLICE", 0.001)
    store, other = (SqliteStore(str(tmp_path / "chat.db"), busy_seconds=5) for _ in range(2))
    big, small = Key("session", "big"), Key("session", "small")
    for start in range(1, 6001, 500):
        rows = [Row(big, start + n, 1.0, "person", f"{SECRET} {n} of many", b"[]" * 100, 2) for n in range(500)]
        store.append([Write(row, None, SessionInfo("big", "general")) for row in rows])
    store.search(SECRET, None, 1)
    store.append([Write(Row(small, 1, 1.0, "person", "hi", b"[]", 2), None, SessionInfo("small", "general"))])
    working = threading.Thread(target=store.erase, args=([big],))
    working.start()
    between = 0
    while working.is_alive():
        version = other.version(small) + 1
        other.append([Write(Row(small, version, 1.0, "person", "hi", b"[]", 2))])
        between += 1
    assert between > 3, "it was one long step"
    store.erase([])  # nothing is left to do
    until(lambda: not store.waiting())
    assert SECRET.encode() not in bytes_of(tmp_path)
    assert other.check() == []
    for each in (store, other):
        each.close()


@POINTS
@pytest.mark.parametrize("what", ["user", "item"])
def test_an_erasure_that_was_stopped_anywhere_is_finished_by_whoever_comes_next(
    tmp_path: Path, what: str, points: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(erasing, "SLICE", 0.001)  # nobody else needs a turn in between
    first = tmp_path / "first"
    first.mkdir()
    with Holdfast(first / "chat.db") as hf:
        for name in ("s", "t"):
            chat = hf.session(name, user="u")
            for number in range(3):
                chat.hear(f"I always use {SECRET}" if number % 2 == 0 else "and so on")
        hf.search(SECRET)
        hf.session("other").hear("hello there")
    item: list[str] = []

    def find(hf: Holdfast) -> None:
        item[:] = [hf.session("s", user="u").memory.preferences()[0].id]

    def forget(hf: Holdfast) -> None:
        hf.forget(user="u") if what == "user" else hf.session("s", user="u").memory.forget(item[0])

    with Holdfast(_copied(first, tmp_path / "here")) as hf:  # what a process loads once is loaded before the forks
        find(hf)
        forget(hf)
    steps = stopped(_copied(first, tmp_path / "whole"), 0, forget, find)
    for last in stops(steps, points):
        path = _copied(first, tmp_path / f"at-{last}")
        stopped(path, last, forget, find)
        with Holdfast(path) as hf:
            until(lambda: not hf.store.waiting())
            begun = not hf.store.version(Key("user", "u")) if what == "user" else _forgotten(hf)
            left = SECRET.encode() in bytes_of(path.parent)
            assert left != begun, f"stopped at {last} of {len(steps)}: {'words are left' if left else 'lost'}"
            assert hf.store.jobs() == []
            assert hf.store.check() == []
            assert [past.text for past in hf.session("other").history()] == ["hello there"]


def _copied(source: Path, folder: Path) -> Path:
    folder.mkdir()
    for path in source.iterdir():
        (folder / path.name).write_bytes(path.read_bytes())
    return folder / "chat.db"


def _forgotten(hf: Holdfast) -> bool:
    return all(memo.forgotten for memo in hf.session("s", user="u").memory.preferences(history=True))


def test_a_name_in_another_form_of_its_letters_is_forgotten_too(tmp_path: Path) -> None:
    with Holdfast(tmp_path / "chat.db") as hf:
        chat = hf.session("s", user="u")
        composed, apart = "Zo\u00eb", "Zoe\u0308"
        chat.hear(f"My name is {composed}")
        chat.hear(f"as I said, {apart} it is")
        chat.memory.forget(next(memo.id for memo in chat.memory.items() if memo.value == composed))
        data = bytes_of(tmp_path)
        assert composed.encode() not in data
        assert apart.encode() not in data


@POINTS
def test_an_archive_that_was_stopped_anywhere_is_there_whole_or_not_at_all(tmp_path: Path, points: str) -> None:
    with Holdfast() as hf:
        for name in ("s", "t"):
            chat = hf.session(name, user="u")
            for number in range(4):
                chat.hear(f"I always use editor{number}")
        half = "\n".join(archive.lines(hf, session="s")).encode()
        hf.session("s").hear("and one more")
        whole = "\n".join(archive.lines(hf)).encode()
        expected = {name: hf.session(name).state.json() for name in ("s", "t")}
    first = tmp_path / "first"
    first.mkdir()
    with Holdfast(first / "chat.db") as hf:
        archive.restore(hf, half)  # some of it is there already
        before = hf.session("s").state.json()

    def bring(hf: Holdfast) -> None:
        archive.restore(hf, whole)

    with Holdfast(_copied(first, tmp_path / "here")) as hf:  # what a process loads once is loaded before the forks
        bring(hf)
    steps = stopped(_copied(first, tmp_path / "whole"), 0, bring)
    for last in stops(steps, points):
        path = _copied(first, tmp_path / f"at-{last}")
        stopped(path, last, bring)
        with Holdfast(path) as hf:
            there = hf.store.version(Key("session", "t")) > 0
            assert hf.session("s").state.json() == (expected["s"] if there else before)
            assert [info.name for info in hf.sessions()] == (["s", "t"] if there else ["s"])
            archive.restore(hf, whole)
            assert {name: hf.session(name).state.json() for name in expected} == expected
            assert hf.session("t", user="u").memory.search("editor3")
            assert hf.store.check() == []
            with sqlite3.connect(path) as db:
                assert db.execute("SELECT count(*) FROM streams WHERE kind = 'staged'").fetchone() == (0,)


def test_the_index_of_many_messages_is_merged_when_nobody_writes(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(erasing, "MANY_MESSAGES", 0)
    now = [1000.0]
    monkeypatch.setattr(erasing, "time", SimpleNamespace(monotonic=lambda: now[0]))
    with Holdfast(tmp_path / "chat.db") as hf:
        hf.session("kept").hear("hello")
        hf.session("s").hear("the heron stands in the reeds")
        assert hf.search("heron")
        assert hf.forget(session="s", patience=0.5).waiting == erasing.QUIETLY
        step = hf.store._eraser._step  # type: ignore[attr-defined]
        now[0] += erasing.QUIET + 1
        hf.session("kept").hear("and on")
        assert step() is False  # somebody has just written
        now[0] += erasing.QUIET + 1
        while step() is not None:
            pass
        assert hf.store.waiting() == ""
        assert b"heron" not in (tmp_path / "chat.db").read_bytes()
