"""Several writers on one session: nothing lost, nothing doubled, every turn decided on the state it follows."""

from __future__ import annotations

import asyncio
import os
import threading
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from itertools import pairwise
from pathlib import Path
from statistics import median
from typing import Any

import pytest

from holdfast import AsyncHoldfast, Holdfast, Turn, shell
from holdfast.errors import Refused, StoreError, StoreGone, UnknownItem
from holdfast.reading import reader
from holdfast.stores import wire
from holdfast.stores.protocol import Key
from tests import warmed
from tests.forking import fork
from tests.plain import PLAIN
from tests.stores.postgres import new_schema


def verify(hf: Holdfast, session: str, expected: list[str]) -> None:
    chat = hf.session(session)
    texts = [past.text for past in chat.history(limit=10_000)]
    assert sorted(str(text) for text in texts) == sorted(expected)
    replayed = hf.pack.folder.replay(hf.entries(Key("session", session)))
    assert hf.pack.folder.encode(replayed) == hf.pack.folder.encode(chat.state.session)
    assert chat.state.conversation.turns == len(expected)


def test_threads_with_one_holdfast(tmp_path: Path) -> None:
    with Holdfast(f"sqlite:///{tmp_path}/chat.db", PLAIN) as hf:
        chat = hf.session("s")
        threads = [
            threading.Thread(target=lambda n=n: [chat.hear(f"thread {n} message {m}") for m in range(25)])
            for n in range(8)
        ]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        verify(hf, "s", [f"thread {n} message {m}" for n in range(8) for m in range(25)])


def test_threads_with_a_holdfast_each(tmp_path: Path) -> None:
    store = f"sqlite:///{tmp_path}/chat.db"

    def talk(number: int) -> None:
        with Holdfast(store, PLAIN) as own:
            chat = own.session("s", user="u")
            for message in range(15):
                chat.hear(f"writer {number} message {message}")

    threads = [threading.Thread(target=talk, args=(n,)) for n in range(6)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    with Holdfast(store, PLAIN) as hf:
        verify(hf, "s", [f"writer {n} message {m}" for n in range(6) for m in range(15)])


@pytest.mark.parametrize("kind", ["sqlite", "postgres"])
def test_processes(tmp_path: Path, kind: str) -> None:
    store = f"sqlite:///{tmp_path}/chat.db" if kind == "sqlite" else new_schema()
    code = (
        "import sys; from holdfast import Holdfast; from tests.plain import PLAIN; "
        "chat = Holdfast(sys.argv[1], PLAIN).session('s')\n"
        "for m in range(25): chat.hear(f'process {sys.argv[2]} message {m}')"
    )
    with open(os.devnull, "r+b") as nothing:
        running = [
            warmed.Process(store, str(n), program=code, stdin=nothing, stdout=nothing, stderr=2) for n in range(4)
        ]
        assert [process.wait() for process in running] == [0, 0, 0, 0]
    with Holdfast(store, PLAIN) as hf:
        verify(hf, "s", [f"process {n} message {m}" for n in range(4) for m in range(25)])


def together(writers: int, talk: Callable[[int, threading.Barrier], None]) -> None:
    """Threads that begin at once, when all are ready."""
    begin = threading.Barrier(writers)
    with ThreadPoolExecutor(writers) as threads:
        for done in [threads.submit(talk, number, begin) for number in range(writers)]:
            done.result()


@pytest.mark.parametrize("kind", ["sqlite", "postgres"])
def test_of_sixteen_writers_on_one_session_none_is_lost_doubled_or_passed_over(tmp_path: Path, kind: str) -> None:
    store = f"sqlite:///{tmp_path}/chat.db?busy_seconds=60" if kind == "sqlite" else new_schema(timeout=60)

    def talk(number: int, begin: threading.Barrier) -> None:
        with Holdfast(store, PLAIN) as own:
            chat = own.session("s")
            begin.wait(60)
            for message in range(10):
                chat.hear(f"{number} {message}")

    together(16, talk)
    with Holdfast(store, PLAIN) as hf:
        verify(hf, "s", [f"{n} {m}" for n in range(16) for m in range(10)])
        said = [str(past.text).split() for past in hf.session("s").history(limit=1000)]
        assert all([m for n, m in said if n == str(k)] == [str(m) for m in range(10)] for k in range(16))
        if kind == "postgres":  # they take turns: between two messages of one the others mostly speak
            places = [[place for place, (n, _) in enumerate(said) if n == str(k)] for k in range(16)]
            assert median(later - earlier for own in places for earlier, later in pairwise(own)) >= 8


def _thing(number: int, message: int) -> str:
    return f"thing{'abcdefghijklmnop'[number]}o{'xyz'[message]}"


@pytest.mark.parametrize("kind", ["sqlite", "postgres"])
def test_of_sixteen_sessions_of_one_person_everything_is_remembered_once(tmp_path: Path, kind: str) -> None:
    store = f"sqlite:///{tmp_path}/chat.db?busy_seconds=60" if kind == "sqlite" else new_schema(timeout=60)

    def talk(number: int, begin: threading.Barrier) -> None:
        with Holdfast(store) as own:
            chat = own.session(f"s-{number}", user="u")
            begin.wait(60)
            for message in range(3):
                chat.hear(f"I'm allergic to {_thing(number, message)}")

    together(16, talk)
    with Holdfast(store) as hf:
        kept = [fact.value for fact in hf.session("after", user="u").memory.facts()]
        assert sorted(kept) == sorted(_thing(n, m) for n in range(16) for m in range(3))
        for number in range(16):
            told = [past.text for past in hf.session(f"s-{number}").history()]
            assert told == [f"I'm allergic to {_thing(number, message)}" for message in range(3)]
        replayed = hf.pack.folder.replay(hf.entries(Key("user", "u")))
        assert hf.pack.folder.encode(replayed) == hf.pack.folder.encode(hf._streams([Key("user", "u")])[0][0])
        assert hf.store.check() == []


def test_tasks(tmp_path: Path) -> None:
    store = f"sqlite:///{tmp_path}/chat.db"

    async def talk() -> None:
        async with AsyncHoldfast(store, PLAIN) as hf:
            chat = await hf.session("s")
            await asyncio.gather(*(chat.hear(f"task {n}") for n in range(60)))
            assert (await chat.state).version == 60
            turn = await chat.hear("last one")
            assert turn.prompt.endswith("last one")

    asyncio.run(talk())
    with Holdfast(store, PLAIN) as hf:
        verify(hf, "s", [*(f"task {n}" for n in range(60)), "last one"])


FORKED = """
import os, sys
from holdfast import Holdfast
from tests.plain import PLAIN
store, anew = sys.argv[1], sys.argv[2] == "anew"
hf = Holdfast(store, PLAIN)
chat = hf.session("s")
chat.hear("parent 1")
ready, go = os.pipe(), os.pipe()
if os.fork() == 0:
    own = Holdfast(store, PLAIN).session("s") if anew else chat
    own.hear("child 1")
    os.write(ready[1], b"x")
    os.read(go[0], 1)
    for number in (2, 3, 4):
        own.hear(f"child {number}")
    os._exit(0)
os.read(ready[0], 1)
chat.hear("parent 2")
hf.close()  # a parent that goes takes nothing of the child's with it
os.write(go[1], b"x")
os.wait()
"""


@pytest.mark.parametrize("way", ["inherited", "anew"])
@pytest.mark.parametrize("kind", ["sqlite", "postgres"])
def test_a_forked_process_loses_nothing_when_its_parent_closes(tmp_path: Path, kind: str, way: str) -> None:
    store = f"sqlite:///{tmp_path}/chat.db" if kind == "sqlite" else new_schema()
    done = warmed.run(store, way, program=FORKED)
    assert (done.returncode, done.stderr) == (0, "")
    with Holdfast(store, PLAIN) as hf:
        verify(hf, "s", ["parent 1", "parent 2", *(f"child {number}" for number in range(1, 5))])
        assert hf.store.check() == []


BUSY_FORK = """
import os, sys, threading
from holdfast import Holdfast
from tests.plain import PLAIN
hf = Holdfast(sys.argv[1], PLAIN)
chats = [hf.session(f"s-{number}") for number in range(3)]
go = threading.Event()
def talk(chat):
    go.wait()
    for number in range(150):
        chat.hear(f"message {number}")
threads = [threading.Thread(target=talk, args=(chat,)) for chat in chats]
for thread in threads: thread.start()
go.set()
codes = []
for child in range(8):
    pid = os.fork()
    if pid == 0:
        os._exit(0 if hf.session(f"c-{child}").hear("from a child").version == 1 else 1)
    codes.append(os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1]))
for thread in threads: thread.join()
print(codes == [0] * 8, flush=True)
os._exit(0)
"""


@pytest.mark.parametrize("kind", ["sqlite", "postgres"])
def test_a_process_that_is_forked_while_others_write_works(tmp_path: Path, kind: str) -> None:
    store = f"sqlite:///{tmp_path}/chat.db" if kind == "sqlite" else new_schema(timeout=20)
    done = warmed.run(store, program=BUSY_FORK)
    assert (done.returncode, done.stdout, done.stderr) == (0, "True\n", "")
    with Holdfast(store, PLAIN) as hf:
        assert len(hf.sessions()) == 11
        assert hf.store.check() == []


def test_a_process_that_is_forked_inside_a_turn_is_told_so(tmp_path: Path) -> None:
    with Holdfast(tmp_path / "chat.db", PLAIN) as hf:
        hf.session("s").hear("one")
        with hf.store.turn({Key("session", "s"): 0}):
            child = fork()
            if child == 0:
                try:
                    hf.session("s").hear("two")
                except StoreGone as wrong:
                    os._exit(0 if "forked in the middle of a turn" in str(wrong) else 1)
                finally:
                    os._exit(2)
            assert os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) == 0
        assert hf.session("s").hear("two").version == 2


def test_what_is_in_memory_goes_on_in_a_forked_process_as_a_copy() -> None:
    code = (
        "import os; from holdfast import Holdfast; from tests.plain import PLAIN; "
        "hf = Holdfast(pack=PLAIN); chat = hf.session('s'); chat.hear('one')\n"
        "if os.fork() == 0: os._exit(chat.hear('two').version)\n"
        "print(os.waitstatus_to_exitcode(os.wait()[1]), chat.state.version)"
    )
    assert warmed.run(program=code).stdout == "2 1\n"


def test_a_cancelled_task_leaves_a_whole_log_and_the_next_one_goes_on(tmp_path: Path) -> None:
    async def talk() -> None:
        async with AsyncHoldfast(tmp_path / "chat.db") as hf:
            chat = await hf.session("s", user="u")
            for number in range(30):
                task = asyncio.create_task(chat.hear(f"I live in Boston, message {number}"))
                await asyncio.sleep(0.0002 * (number % 10))
                task.cancel()
                await asyncio.gather(task, return_exceptions=True)
            await chat.hear("and now")  # a cancelled message may still be on its way, and come after it

    asyncio.run(talk())
    with Holdfast(tmp_path / "chat.db") as hf:
        versions = [past.version for past in hf.session("s").history(limit=100)]
        assert versions == list(range(1, len(versions) + 1))
        assert "and now" in [past.text for past in hf.session("s").history(limit=100)]
        verify(hf, "s", [str(past.text) for past in hf.session("s").history(limit=100)])
        assert hf.store.check() == []


def test_closing_in_the_middle_and_twice_is_told_and_loses_no_turn_that_was_answered(tmp_path: Path) -> None:
    async def talk() -> int:
        hf = AsyncHoldfast(tmp_path / "chat.db", PLAIN)
        chat = await hf.session("s")
        tasks = [asyncio.create_task(chat.hear(f"message {number}")) for number in range(12)]
        await asyncio.sleep(0.004)
        await hf.close()
        await hf.close()
        results = await asyncio.gather(*tasks, return_exceptions=True)
        assert {type(result) for result in results} <= {Turn, StoreError}
        return sum(isinstance(result, Turn) for result in results)

    answered = asyncio.run(talk())
    with Holdfast(tmp_path / "chat.db") as hf:
        assert hf.session("s").state.version == answered


def test_a_turn_after_an_erasure_elsewhere_is_not_lost_and_goes_to_no_other_session(tmp_path: Path) -> None:
    address = f"sqlite:///{tmp_path / 'chat.db'}"
    with Holdfast(address) as one, Holdfast(address) as two:
        one.session("s").hear("first")
        chat = two.session("s")
        chat.hear("second")
        one.forget(session="s")
        one.session("other").hear("somebody else")  # may be given the number that the erased log had
        assert chat.hear("third").version == 1
        assert [past.text for past in one.session("s").history()] == ["third"]
        assert [past.text for past in one.session("other").history()] == ["somebody else"]
        assert one.store.check() == []


@pytest.mark.parametrize("kind", ["sqlite", "postgres"])
def test_nobody_goes_on_in_a_session_that_was_begun_anew_for_somebody_else(tmp_path: Path, kind: str) -> None:
    address = f"sqlite:///{tmp_path}/chat.db" if kind == "sqlite" else new_schema()
    with Holdfast(address) as one, Holdfast(address) as two:
        chat, early = two.session("s", user="dana"), two.session("t", user="dana")
        chat.hear("I am vegan")
        for name in ("s", "t"):
            one.forget(session=name)
            one.session(name, user="omar").hear("hello")
        for own in (chat, early):
            with pytest.raises(Refused, match="somebody else"):
                own.hear("and I live in Lisbon")
            assert [past.text for past in one.session(own.id).history()] == ["hello"]


@pytest.mark.parametrize("kind", ["sqlite", "postgres"])
def test_what_was_erased_elsewhere_is_known_to_nobody_any_more(tmp_path: Path, kind: str) -> None:
    address = f"sqlite:///{tmp_path}/chat.db" if kind == "sqlite" else new_schema()
    with Holdfast(address) as one, Holdfast(address) as two:
        writing, reading = two.session("s"), two.session("r")
        writing.hear("my name is Dana")
        one.session("r").hear("my name is Dana")
        assert reading.state.memory.items
        for name in ("s", "r"):
            one.forget(session=name)
            one.session(name).hear("hello")  # the same version again, of another conversation
        assert not reading.state.memory.items
        for chat in (writing, reading):
            chat.hear("hi again")
            assert [past.text for past in chat.history()] == ["hello", "hi again"]
            assert [message.text for message in chat.state.conversation.recent] == ["hello", "hi again"]
            assert not chat.state.memory.items
        assert one.store.check() == []


def test_words_that_were_erased_elsewhere_come_back_with_no_snapshot(tmp_path: Path) -> None:
    address = f"sqlite:///{tmp_path}/chat.db"
    with Holdfast(address) as one, Holdfast(address) as two:
        told = two.session("told", user="u")
        for _ in range(30):
            told.hear("hm")
        told.hear("I always use Neovim")  # the item lives in the log of the user, the words in that of the session
        other = one.session("other", user="u")
        other.memory.forget(other.memory.preferences()[0].id)
        told.hear("and so on")  # version 32 is kept as a snapshot
        (snapshot,) = one.store.snapshots([told.keys["session"]]).values()
        assert b"Neovim" not in snapshot.body


def test_where_others_write_too_a_message_is_read_before_its_turn_and_not_in_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with Holdfast(tmp_path / "chat.db") as hf:
        chat = hf.session("s")
        chat.hear("hello")
        monkeypatch.setattr(hf, "_crowded", lambda key, lost=False: True)
        read: list[bool] = []
        understand = reader.__dict__["understand"]

        def watched(*given: Any, **named: Any) -> Any:
            read.append(hf.store._db.in_transaction)  # type: ignore[attr-defined]
            return understand(*given, **named)

        monkeypatch.setattr(reader, "understand", watched)
        assert chat.hear("I moved to Porto and I drink tea").version == 2
        assert read == [False]


def test_on_postgres_a_message_of_a_person_is_one_round_trip_and_knows_what_others_wrote(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(shell, "TRUSTED", 1000.0)
    asked: list[str] = []

    def watched(db: wire.Connection, query: str, given: Sequence[object] = ()) -> list[tuple[Any, ...]]:
        if "pg_notify" not in query:
            asked.append(query)
        return wire.ask(db, query, given)

    monkeypatch.setattr("holdfast.stores.postgres.ask", watched)
    address = new_schema()
    with Holdfast(address) as one, Holdfast(address) as two:
        here, there = one.session("here", user="u"), two.session("there", user="u")
        for text in ("hello", "I'm allergic to peanuts"):  # nothing is known of the person yet
            there.hear("hm")
            asked.clear()
            there.hear("how are you?")
            there.say("I am well")
            assert len(asked) == 2
            here.hear(text)
        assert "peanuts" in there.hear("what can I eat?").context
        with pytest.raises(UnknownItem):
            there.memory.undo("nothing")
        one.forget(user="u")
        assert "peanuts" not in there.hear("what can I eat?").context
