"""PostgreSQL when things go wrong: a lost answer, a locked table, a silent network, a reader that stays, few rights."""

from __future__ import annotations

import os
import socket
import threading
import time
import uuid
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from typing import TypeVar
from urllib.parse import parse_qs, urlsplit

import psycopg
import pytest

from holdfast import Holdfast
from holdfast.errors import Conflict, OutcomeUnknown, StoreBusy, StoreGone
from holdfast.events import FORMAT
from holdfast.exchange import archive
from holdfast.stores import postgres
from holdfast.stores.postgres import PostgresStore
from holdfast.stores.protocol import Key, Row, Write
from holdfast.stores.steps import WORK
from tests.stores.postgres import bytes_of, postgres_address


class Line:
    """A line to the database that can be made silent, or cut when something passes by on it."""

    def __init__(self) -> None:
        self._target = os.path.join(parse_qs(urlsplit(postgres_address()).query)["host"][0], ".s.PGSQL.5432")
        self._listening = socket.create_server(("127.0.0.1", 0))
        self.port = self._listening.getsockname()[1]
        self.open = threading.Event()
        self.open.set()
        self.cut_before_answer: Callable[[bytes], bool] = lambda sent: False
        self.refusing = False
        threading.Thread(target=self._accept, daemon=True).start()

    def address(self, schema: str, **options: object) -> str:
        more = "".join(f"&{name}={value}" for name, value in options.items())
        return (
            f"postgresql://postgres:@127.0.0.1:{self.port}/postgres?sslmode=disable&gssencmode=disable"
            f"&schema={schema}{more}"
        )

    def _accept(self) -> None:
        while True:
            near, _ = self._listening.accept()
            if self.refusing:
                near.close()
                continue
            far = socket.socket(socket.AF_UNIX)
            far.connect(self._target)
            cut = threading.Event()
            threading.Thread(target=self._pass, args=(near, far, cut, True), daemon=True).start()
            threading.Thread(target=self._pass, args=(far, near, cut, False), daemon=True).start()

    def _pass(self, one: socket.socket, other: socket.socket, cut: threading.Event, sent: bool) -> None:
        try:
            while data := one.recv(65536):
                self.open.wait()
                if sent and self.cut_before_answer(data):
                    cut.set()
                if not sent and (cut.is_set() or self.refusing):
                    break
                other.sendall(data)
        except OSError:
            pass
        for each in (one, other):
            with suppress(OSError):
                each.shutdown(socket.SHUT_RDWR)


@pytest.fixture
def schema() -> str:
    return f"s{uuid.uuid4().hex}"


@contextmanager
def beside(schema: str) -> Iterator[psycopg.Connection]:
    """Somebody else on the same database."""
    with psycopg.connect(postgres_address()) as db:
        db.execute(f"SET search_path TO {schema}".encode())
        yield db


T = TypeVar("T")


def patiently(act: Callable[[], T]) -> T:
    """Again and again, as long as the store says that nothing was written or that a retry is safe."""
    while True:
        try:
            return act()
        except (StoreBusy, StoreGone, OutcomeUnknown):
            continue


def test_a_lost_answer_is_looked_up_and_the_turn_is_there_once(schema: str) -> None:
    line = Line()
    with Holdfast(line.address(schema)) as hf:
        chat = hf.session("s")
        chat.hear("one")
        cuts = 1

        def once(data: bytes) -> bool:
            nonlocal cuts
            cuts -= b"two" in data and cuts > 0
            return b"two" in data and cuts == 0

        line.cut_before_answer = once
        assert chat.hear("two").version == 2
        line.cut_before_answer = lambda data: False
        assert chat.hear("three").version == 3
        assert [past.text for past in chat.history()] == ["one", "two", "three"]


def test_where_nobody_can_be_asked_it_says_unknown_and_a_retry_is_safe(schema: str) -> None:
    line = Line()
    with Holdfast(line.address(schema, timeout=0.5)) as hf:
        chat = hf.session("s")
        chat.hear("one")

        def cut(data: bytes) -> bool:
            line.refusing = line.refusing or b"two" in data
            return b"two" in data

        line.cut_before_answer = cut
        with pytest.raises(OutcomeUnknown, match="unknown, retry is safe"):
            chat.hear("two")
        line.cut_before_answer, line.refusing = (lambda data: False), False
        assert patiently(lambda: chat.hear("two")).version == 2
        assert [past.text for past in chat.history()] == ["one", "two"]


def test_the_same_key_on_another_machine_finds_the_turn(schema: str) -> None:
    with (
        Holdfast(f"{postgres_address()}&schema={schema}") as one,
        Holdfast(f"{postgres_address()}&schema={schema}") as two,
    ):
        heard = one.session("s").hear("my name is Dana", idempotency_key="k-1")
        one.session("s").hear("and more")
        again = two.session("s").hear("my name is Dana", idempotency_key="k-1")
        assert (again.version, again.context) == (heard.version, heard.context) == (1, heard.context)
        assert two.session("s").state.version == 2


def test_nothing_locks_a_table_that_others_read_or_write(schema: str) -> None:
    """Somebody who read and wrote stays in the transaction: a lock that others would wait for waits for that one, and
    whatever waits is told as busy."""
    address = f"{postgres_address()}&schema={schema}&timeout=10"
    with Holdfast(address) as hf, beside(schema) as other:
        for name in ("s", "t"):
            hf.session(name, user="u").hear("I always use Neovim")
        chat = hf.session("other", user="v")
        chat.hear("I always use Emacs")
        other.execute("INSERT INTO jobs (body) VALUES ('')")
        for table in ("streams", "log", "snapshots", "notes", "once", "erasures", "sweeping"):
            other.execute(f"DELETE FROM {table} WHERE false".encode())  # the lock of one who writes, and no row
            other.execute(f"SELECT count(*) FROM {table}".encode())
        taken = "\n".join(archive.lines(hf, session="s")).encode()
        assert hf.forget(user="u") > 0
        chat.memory.forget(chat.memory.preferences()[0].id)
        archive.restore(hf, taken)
        assert chat.hear("nobody waits").version == 3
        assert [info.name for info in hf.sessions()] == ["other", "s"]
        assert hf.search("Emacs") == []
        with Holdfast(address) as second:  # who opens the store needs none either
            assert second.session("new").hear("hello").version == 1


def test_a_locked_table_is_not_waited_for(schema: str) -> None:
    with Holdfast(f"{postgres_address()}&schema={schema}&timeout=0.3") as hf, beside(schema) as other:
        chat = hf.session("s")
        chat.hear("one")
        other.execute("LOCK TABLE log IN ACCESS EXCLUSIVE MODE")
        with pytest.raises(StoreBusy, match="nothing was written"):
            chat.hear("two")
        other.rollback()
        assert chat.hear("two").version == 2


def test_a_turn_that_others_waited_for_is_on_the_disk_when_it_is_answered(schema: str) -> None:
    key, body = Key("session", "s"), os.urandom(100_000)
    with Holdfast(f"{postgres_address()}&schema={schema}") as hf, beside(schema) as db:
        hf.session("s").hear("one")
        before = db.execute("SELECT pg_current_wal_flush_lsn()").fetchone()
        with hf.store.turn({key: 1}):
            hf.store.append([Write(Row(key, 2, 1.0, "person", "two", body, FORMAT))])
        assert before is not None
        (flushed,) = db.execute("SELECT pg_current_wal_flush_lsn() - %s::pg_lsn", before).fetchall()[0]
        assert flushed > len(body)


def test_where_nothing_can_be_said_of_the_disk_a_turn_is_committed_as_any_other(
    schema: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    with Holdfast(f"{postgres_address()}&schema={schema}") as hf:
        chat = hf.session("s")
        monkeypatch.setattr(hf, "_crowded", lambda key, lost=False: True)
        for flushes in (False, True):
            monkeypatch.setattr(hf.store, "_flushes", flushes)
            chat.hear("one")
        monkeypatch.setattr(postgres, "_FLUSH", "SELECT 1 / 0")  # it goes wrong after the commit
        with pytest.raises(OutcomeUnknown, match="retry is safe"):
            chat.hear("two")
        monkeypatch.undo()
        assert chat.hear("two").version == 3
        assert [past.text for past in chat.history()] == ["one", "one", "two"]


def test_a_silent_network_is_not_waited_for(schema: str) -> None:
    line = Line()
    with Holdfast(line.address(schema, timeout=0.3)) as hf:
        chat = hf.session("s")
        patiently(lambda: chat.hear("one"))  # a busy machine may need more than the timeout
        line.open.clear()
        start = time.monotonic()
        with pytest.raises((OutcomeUnknown, StoreBusy)):  # busy where there is no connection to send it on
            chat.hear("two")
        waited = time.monotonic() - start
        line.open.set()
        assert waited < 25  # it was thirty seconds and more, by the system's own patience
        assert patiently(lambda: chat.hear("two")).version == 2
        assert [past.text for past in patiently(chat.history)] == ["one", "two"]


def test_a_schema_that_is_up_to_date_needs_no_right_to_make_one(schema: str) -> None:
    PostgresStore.at(f"{postgres_address()}&schema={schema}").close()
    role = f"r{uuid.uuid4().hex}"
    with psycopg.connect(postgres_address(), autocommit=True) as db:
        db.execute(f"CREATE ROLE {role} LOGIN".encode())
        db.execute(f"GRANT USAGE ON SCHEMA {schema} TO {role}".encode())
        db.execute(f"GRANT ALL ON ALL TABLES IN SCHEMA {schema} TO {role}".encode())
        db.execute(f"GRANT EXECUTE ON ALL FUNCTIONS IN SCHEMA {schema} TO {role}".encode())
        db.execute("REVOKE CREATE ON DATABASE postgres FROM PUBLIC")
    address = postgres_address().replace("postgres:@", f"{role}:@", 1)
    with Holdfast(f"{address}&schema={schema}") as hf:
        assert hf.session("s").hear("hello").version == 1


def test_nothing_is_written_that_was_decided_on_what_is_being_erased(schema: str) -> None:
    own, user = Key("session", "s"), Key("user", "u")
    with Holdfast(f"{postgres_address()}&schema={schema}") as hf, beside(schema) as db:
        hf.session("s", user="u").hear("I'm allergic to peanuts")
        marks = {key: head.mark for key, head in zip((own, user), hf.store.heads([own, user]), strict=True)}
        db.execute("UPDATE streams SET kind = 'doomed', name = id::text WHERE kind = 'user'")  # not its rows
        db.commit()
        with pytest.raises(Conflict):
            hf.store.append([Write(Row(own, 2, 1.0, "person", "two", b"[]", FORMAT))], marks)
        hf.store.append([Write(Row(own, 2, 1.0, "person", "two", b"[]", FORMAT))], {own: marks[own]})


def test_an_erasure_that_was_stopped_is_finished_by_whoever_comes_next(schema: str) -> None:
    address = f"{postgres_address()}&schema={schema}"
    with Holdfast(address) as hf:
        hf.session("s").hear("my name is Dana")
        with beside(schema) as db:  # as a process leaves it that is stopped after the names are gone
            db.execute("UPDATE streams SET kind = 'doomed', name = id::text")
    with Holdfast(address) as hf, beside(schema) as db:
        while hf.store.waiting() == WORK:  # it is done in the background
            time.sleep(0.01)
        assert db.execute("SELECT (SELECT count(*) FROM log) + (SELECT count(*) FROM streams)").fetchone() == (0,)


def test_no_name_and_no_word_is_left_in_the_files_once_it_says_so(schema: str) -> None:
    address = f"{postgres_address()}&schema={schema}"
    with Holdfast(address) as hf:
        hf.session("s-zanzibar", user="quokkaperson").hear("my name is Zanzibarquokka")
        hf.session("other").hear("hello")
        gone = hf.forget(user="quokkaperson")
        assert "compact" in gone.waiting
        assert isinstance(hf.store, PostgresStore)
        hf.store.compact()
        assert hf.store.waiting() == ""
        data = bytes_of(address)
        assert b"hello" in data
        for word in (b"zanzibar", b"Zanzibar", b"quokkaperson"):
            assert word not in data
        assert hf.session("other").hear("and on").version == 2
        assert hf.store.version(Key("user", "quokkaperson")) == 0
