"""The file: durable, refused when it is not ours, migrated in place, honest when the disk or the lock says no."""

from __future__ import annotations

import os
import re
import signal
import sqlite3
from pathlib import Path
from typing import Any

import pytest

from holdfast import Holdfast
from holdfast.errors import HoldfastError, InvalidInput, StoreBusy, StoreError, StoreFull, StoreGone, StoreUnreadable
from holdfast.events import FORMAT
from holdfast.stores.protocol import Key, Note, Row, SessionInfo, Snapshot, Write
from holdfast.stores.sqlite import APPLICATION, SqliteStore, _explain, migrations
from tests import warmed


def bytes_of(folder: Path) -> bytes:
    return b"".join(path.read_bytes() for path in sorted(folder.iterdir()) if path.is_file())


def test_a_killed_process_loses_no_acknowledged_turn(tmp_path: Path) -> None:
    code = (
        "import sys; from holdfast import Holdfast; chat = Holdfast(sys.argv[1]).session('s')\n"
        "while True: print(chat.hear('one more message').version, flush=True)"
    )
    store = f"sqlite:///{tmp_path}/chat.db"
    for _ in range(3):
        heard, said = os.pipe()
        process = warmed.Process(store, program=code, stdin=0, stdout=said, stderr=2)
        os.close(said)
        with os.fdopen(heard) as lines:
            acknowledged = [int(lines.readline()) for _ in range(40)]
            os.kill(process.pid, signal.SIGKILL)
            acknowledged += [int(line) for line in lines.read().split() if line.strip().isdigit()]
        assert process.wait() == -signal.SIGKILL
        with Holdfast(store) as hf:
            assert hf.session("s").state.version >= max(acknowledged)
            assert hf.store.check() == []


def test_a_session_reopened_is_the_session_that_was_left(tmp_path: Path) -> None:
    store = f"sqlite:///{tmp_path}/chat.db"
    with Holdfast(store) as hf:
        chat = hf.session("s", user="u", project="p")
        for number in range(70):
            chat.say("Where?")
            chat.hear(f"place{number}")
        left = hf.pack.folder.encode(chat.state.session)
    with Holdfast(store) as hf:
        assert hf.pack.folder.encode(hf.session("s").state.session) == left
        assert hf.session("s").user == "u"


@pytest.mark.parametrize("content", [b"not a database at all", b"SQLite format 3\0" + b"\xff" * 5000, b"\0" * 4096])
def test_an_unreadable_file_is_refused_and_left_as_it_is(tmp_path: Path, content: bytes) -> None:
    path = tmp_path / "chat.db"
    path.write_bytes(content)
    with pytest.raises(StoreError, match=r"chat\.db"):
        Holdfast(f"sqlite:///{path}")
    assert path.read_bytes() == content


def test_a_file_of_another_program_is_refused_and_left_as_it_is(tmp_path: Path) -> None:
    path = tmp_path / "mail.db"
    with sqlite3.connect(path) as db:
        db.execute("CREATE TABLE mail (id)")
    before = path.read_bytes()
    with pytest.raises(StoreUnreadable, match="another program"):
        Holdfast(f"sqlite:///{path}")
    assert path.read_bytes() == before


def test_a_file_of_a_newer_release_is_refused_and_left_as_it_is(tmp_path: Path) -> None:
    path = tmp_path / "chat.db"
    Holdfast(f"sqlite:///{path}").close()
    with sqlite3.connect(path) as db:
        db.execute("PRAGMA user_version = 99")
    before = path.read_bytes()
    with pytest.raises(StoreUnreadable, match="newer release"):
        Holdfast(f"sqlite:///{path}")
    assert path.read_bytes() == before


@pytest.mark.parametrize("oldest", range(1, len(migrations())))
def test_every_older_schema_is_brought_up_to_date_with_all_it_holds(tmp_path: Path, oldest: int) -> None:
    path = tmp_path / "chat.db"
    db = sqlite3.connect(path)
    for step in migrations()[:oldest]:
        db.executescript(step)
    db.execute(f"PRAGMA application_id = {APPLICATION}")
    db.execute(f"PRAGMA user_version = {oldest}")
    db.execute("INSERT INTO streams (id, kind, name, pack, created) VALUES (1, 'session', 's', 'general', 1.0)")
    for version, (role, text) in enumerate((("agent", "Where?"), ("person", "philly")), start=1):
        db.execute("INSERT INTO log VALUES (?, ?, ?, ?, ?, ?)", (1 << 32 | version, 1.0, role, text, b"[]", 1))
    db.commit()
    db.close()
    with Holdfast(f"sqlite:///{path}") as hf:
        chat = hf.session("s")
        assert [past.text for past in chat.history()] == ["Where?", "philly"]
        assert [hit.text for hit in chat.search("philly")] == ["philly"]
        assert [(info.name, info.changed) for info in hf.store.newest()] == [("s", 1.0)]
        assert chat.hear("and now?").version == 3
        assert hf.store.newest()[0].changed > 1.0


SMALL = ("erasures", "sweeping", "indexed", "jobs", "doomed", "condemned", "words", "note_words", "main.", "CONSTANT")
"""Tables with a row or two, what is being erased, and those that are searched by words."""


def test_nothing_walks_all_sessions_messages_or_notes(tmp_path: Path) -> None:
    store, own = SqliteStore(str(tmp_path / "chat.db")), Key("session", "@acme/s")
    asked: list[str] = []
    store._db.set_trace_callback(asked.append)
    about = SessionInfo(own.name, "general", "u", "p")
    for version in (1, 2):
        note = (Note(f"m{version}", "tea", True, b"{}"), Note("m0", "", False, b""))
        row = Row(own, version, 1.0, "person", "stone river", b"[]", FORMAT)
        store.append(
            [Write(row, Snapshot(version, b"{}", "x"), about, note, f"k{version}", b"{}")], {}, {own: version - 1}
        )
    store.heads([own])
    store.rows(own, 1)
    store.snapshots([own])
    store.written(own, "k1")
    store.claim(own, "answer")
    assert store.claimants("answer") == [own.name]
    assert store.recall([own], "tea", 5)
    store.session(own.name)
    store.logs()
    for user in (None, "u"):
        store.sessions(user, project=None if user else "p")
        for tenant in ("", "@acme/"):
            assert store.search("stone", None, 5, tenant, user)
            for before in (None, (9.0, "s")):
                store.newest(user, tenant, before)
    store.search("stone", [own.name], 5)
    for job, _ in store.jobs():
        store.finished(job)
    store.rewrite([Row(own, 2, 1.0, "person", "river", b"[]", FORMAT)], [(own, "m1")])
    store.erase([own])
    assert not store.waiting()
    store._db.set_trace_callback(None)
    for statement in dict.fromkeys(asked):
        if statement.startswith(("SELECT", "INSERT INTO log", "UPDATE", "DELETE", "REPLACE")):
            _is_short(store, statement)
    store.close()


def _is_short(store: SqliteStore, statement: str) -> None:
    inner = re.findall(r"\) (\w)\b", statement)  # names of selections that have a limit
    for _, within, _, step in store._db.execute(f"EXPLAIN QUERY PLAN {statement}"):
        verb, _, what = step.partition(" ")
        walked = verb == "SCAN" and " INDEX " not in what and not what.startswith((*SMALL, *inner))
        assert not walked, f"{step}: {statement}"
        assert not step.endswith("(kind=?)") or "staged" in statement, f"{step}: {statement}"
        sorts = step == "USE TEMP B-TREE FOR ORDER BY" and (within or not inner)
        assert not sorts or "bm25" in statement, f"{step}: {statement}"


def test_a_full_disk_is_a_clear_error_and_loses_nothing(tmp_path: Path) -> None:
    with Holdfast(f"sqlite:///{tmp_path}/chat.db") as hf:
        assert isinstance(hf.store, SqliteStore)
        chat = hf.session("s")
        chat.hear("this one is kept")
        pages = hf.store._db.execute("PRAGMA page_count").fetchone()[0]
        hf.store._db.execute(f"PRAGMA max_page_count = {pages + 2}")
        with pytest.raises(StoreFull, match="space"):
            chat.hear("x" * 40_000)
        kept = chat.state.version
        hf.store._db.execute("PRAGMA max_page_count = 1000000")
        assert chat.hear("and on it goes").version == kept + 1
        assert hf.store.check() == []


def test_a_locked_database_is_a_clear_error_and_loses_nothing(tmp_path: Path) -> None:
    with Holdfast(f"sqlite:///{tmp_path}/chat.db?busy_seconds=0.1") as hf:
        chat = hf.session("s")
        chat.hear("before")
        other = sqlite3.connect(tmp_path / "chat.db", isolation_level=None)
        other.execute("BEGIN IMMEDIATE")
        with pytest.raises(StoreBusy, match="Try again"):
            chat.hear("during")
        other.execute("ROLLBACK")
        other.close()
        assert chat.hear("after").version == 2
        assert [past.text for past in chat.history()] == ["before", "after"]


def look_again(hf: Holdfast, monkeypatch: pytest.MonkeyPatch) -> None:
    """The store looks ten times a second whether its files are still there: let that time be over."""
    monkeypatch.setattr(hf.store, "_looked", 0.0)


def test_a_vanished_database_is_noticed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    with Holdfast(f"sqlite:///{tmp_path}/chat.db") as hf:
        chat = hf.session("s")
        chat.hear("before")
        (tmp_path / "chat.db").unlink()
        look_again(hf, monkeypatch)
        with pytest.raises(StoreGone, match="removed or replaced"):
            chat.hear("into nowhere")


def test_a_folder_that_is_not_there_is_a_clear_error(tmp_path: Path) -> None:
    with pytest.raises(HoldfastError, match="does its folder exist"):
        Holdfast(f"sqlite:///{tmp_path}/no/such/folder/chat.db")


@pytest.mark.parametrize(
    ("change", "says"),
    [
        ("body = x'7b7b'", "version 2 of session 's' is damaged"),
        ("body = cast('5' AS BLOB)", "version 2 of session 's' is damaged"),
        ('body = cast(\'[{"type":"slot_set","slot":5}]\' AS BLOB)', "version 2 of session 's' is damaged"),
        ("format = 77", "written by a newer release"),
    ],
)
def test_a_row_that_cannot_be_read_is_named(tmp_path: Path, change: str, says: str) -> None:
    path = tmp_path / "chat.db"
    with Holdfast(path) as hf:
        for number in range(3):
            hf.session("s").hear(f"message {number}")
    db = sqlite3.connect(path)
    db.execute(f"UPDATE log SET {change} WHERE id = (SELECT id FROM log ORDER BY id LIMIT 1 OFFSET 1)")
    db.commit()
    db.close()
    with Holdfast(path) as hf, pytest.raises(StoreUnreadable, match=says):
        hf.session("s").hear("one more")


def test_a_store_may_be_named_by_a_path(tmp_path: Path) -> None:
    with Holdfast(tmp_path / "chat.db") as hf:
        hf.session("s").hear("My name is Ana")
    with Holdfast(str(tmp_path / "chat.db")) as hf:
        assert hf.existing("s").state.slots.get("name") == "Ana"


@pytest.mark.parametrize("store", [5, b"chat.db", "", "mysql://host/db", "sqlite:///"])
def test_what_names_no_store_is_a_clear_error(store: Any) -> None:
    with pytest.raises(InvalidInput):
        Holdfast(store)


@pytest.mark.parametrize(
    ("said", "kind", "next_step"),
    [
        ("database is locked", StoreBusy, "raise busy_seconds"),
        ("database or disk is full", StoreFull, "Free some space"),
        ("file is not a database", StoreUnreadable, "left as it is"),
        ("database disk image is malformed", StoreUnreadable, "left as it is"),
        ("unable to open database file", StoreError, "does its folder exist"),
        ("attempt to write a readonly database", StoreError, "cannot be written by this user"),
        ("disk I/O error", StoreGone, "cannot be read or written any more"),
        ("Cannot operate on a closed database.", StoreError, "make a new Holdfast"),
        ("no such table: log", StoreError, "chat.db: no such table: log"),
    ],
)
def test_every_fault_of_the_database_is_told_with_what_to_do_next(
    said: str, kind: type[StoreError], next_step: str
) -> None:
    told = _explain(sqlite3.OperationalError(said), "chat.db")
    assert type(told) is kind
    assert next_step in str(told)


@pytest.mark.parametrize("seconds", ["abc", "-1", "nan", "inf"])
def test_a_busy_time_that_is_no_time_is_a_clear_error(tmp_path: Path, seconds: str) -> None:
    with pytest.raises(InvalidInput, match="busy_seconds"):
        Holdfast(f"sqlite:///{tmp_path}/chat.db?busy_seconds={seconds}")


def test_after_forget_no_byte_of_the_text_is_in_any_file(tmp_path: Path) -> None:
    with Holdfast(f"sqlite:///{tmp_path}/chat.db") as hf:
        assert isinstance(hf.store, SqliteStore)
        hf.store._db.execute("PRAGMA secure_delete = OFF")  # as an older release had it, which the file is marked by
        hf.store._db.execute("UPDATE sweeping SET wiped = 0")
        chat = hf.session("s-1", user="u-1")
        for number in range(80):
            chat.hear(f"my secret is xyzzy{number}plugh")
            chat.say("noted xyzzy, where do you live?")
        chat.search("xyzzy5plugh")
        other = hf.session("s-2", user="u-2")
        other.hear("this stays here")
        assert chat.state.user is not None
        rows = chat.state.session.version + chat.state.user.version  # the talk, and what is kept of the person
        assert rows >= 160
        assert hf.forget(user="u-1") == rows
        assert b"xyzzy" not in bytes_of(tmp_path)
        assert b"this stays here" in bytes_of(tmp_path)
        assert hf.session("s-1").state.version == 0
        assert other.hear("still here").version == 2


FILLED = """
import resource, signal, sys
from holdfast import Holdfast
signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
hf = Holdfast(sys.argv[1])
chat = hf.session("s", user="u")
chat.hear("I live in Boston")
resource.setrlimit(resource.RLIMIT_FSIZE, (200_000, resource.RLIM_INFINITY))
kept, said = 1, set()
for number in range(40):
    try:
        chat.hear(f"I live in Austin {number} " + "x" * 9000)
        kept += 1
    except Exception as wrong:
        said.add(f"{type(wrong).__name__} {wrong}")
resource.setrlimit(resource.RLIMIT_FSIZE, (resource.RLIM_INFINITY, resource.RLIM_INFINITY))
print(chat.state.version == kept, chat.hear("there is room again").version == kept + 1, hf.store.check(), *said)
"""


def test_a_file_that_may_not_grow_is_told_as_what_it_is_and_nothing_is_half_written(tmp_path: Path) -> None:
    done = warmed.run(str(tmp_path / "chat.db"), program=FILLED)
    assert done.stdout.startswith("True True []")
    assert done.stdout.count("StoreGone") == 1
    assert "disk I/O error); nothing was written" in done.stdout


def test_a_write_ahead_log_that_was_removed_is_noticed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    with Holdfast(tmp_path / "chat.db") as hf:
        chat = hf.session("s")
        chat.hear("first")
        (tmp_path / "chat.db-wal").unlink()
        look_again(hf, monkeypatch)
        with pytest.raises(StoreGone, match="removed or replaced"):
            chat.hear("into nowhere")


def test_a_process_may_go_elsewhere_with_a_relative_path(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "deeper").mkdir()
    monkeypatch.chdir(tmp_path)
    with Holdfast("sqlite:///chat.db") as hf:
        hf.session("s").hear("here")
        monkeypatch.chdir(tmp_path / "deeper")
        look_again(hf, monkeypatch)
        assert hf.session("s").hear("and there").version == 2


def test_a_folder_and_a_nul_name_no_store(tmp_path: Path) -> None:
    with pytest.raises(StoreError, match="is a folder; name a file in it"):
        Holdfast(tmp_path)
    with pytest.raises(InvalidInput, match="NUL"):
        Holdfast("chat\0.db")
