"""Several writers on one session: nothing lost, nothing doubled, every turn decided on the state it follows."""

from __future__ import annotations

import asyncio
import subprocess
import sys
import threading
import uuid
from pathlib import Path

import pytest

from holdfast import AsyncHoldfast, Holdfast
from holdfast.stores.protocol import Key
from tests.postgres import postgres_address


def verify(hf: Holdfast, session: str, expected: list[str]) -> None:
    chat = hf.session(session)
    texts = [past.text for past in chat.history(limit=10_000)]
    assert sorted(str(text) for text in texts) == sorted(expected)
    replayed = hf.pack.folder.replay(hf.entries(Key("session", session)))
    assert hf.pack.folder.encode(replayed) == hf.pack.folder.encode(chat.state.session)
    assert chat.state.conversation.turns == len(expected)


def test_threads_with_one_holdfast(tmp_path: Path) -> None:
    with Holdfast(f"sqlite:///{tmp_path}/chat.db") as hf:
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
        with Holdfast(store) as own:
            chat = own.session("s", user="u")
            for message in range(15):
                chat.hear(f"writer {number} message {message}")

    threads = [threading.Thread(target=talk, args=(n,)) for n in range(6)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    with Holdfast(store) as hf:
        verify(hf, "s", [f"writer {n} message {m}" for n in range(6) for m in range(15)])


@pytest.mark.parametrize("kind", ["sqlite", "postgres"])
def test_processes(tmp_path: Path, kind: str) -> None:
    postgres = f"{postgres_address()}&schema=s{uuid.uuid4().hex}"
    store = f"sqlite:///{tmp_path}/chat.db" if kind == "sqlite" else postgres
    code = (
        "import sys; from holdfast import Holdfast; chat = Holdfast(sys.argv[1]).session('s')\n"
        "for m in range(25): chat.hear(f'process {sys.argv[2]} message {m}')"
    )
    running = [subprocess.Popen([sys.executable, "-c", code, store, str(n)]) for n in range(4)]
    assert [process.wait() for process in running] == [0, 0, 0, 0]
    with Holdfast(store) as hf:
        verify(hf, "s", [f"process {n} message {m}" for n in range(4) for m in range(25)])


def test_tasks(tmp_path: Path) -> None:
    store = f"sqlite:///{tmp_path}/chat.db"

    async def talk() -> None:
        async with AsyncHoldfast(store) as hf:
            chat = await hf.session("s")
            await asyncio.gather(*(chat.hear(f"task {n}") for n in range(60)))
            assert (await chat.state).version == 60
            turn = await chat.hear("last one")
            assert turn.prompt.endswith("last one")

    asyncio.run(talk())
    with Holdfast(store) as hf:
        verify(hf, "s", [*(f"task {n}" for n in range(60)), "last one"])


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


@pytest.fixture(params=["sqlite", "postgres"])
def address(request: pytest.FixtureRequest, tmp_path: Path) -> str:
    if request.param == "postgres":
        return f"{postgres_address()}&schema=s{uuid.uuid4().hex}"
    return f"sqlite:///{tmp_path / 'chat.db'}"


def test_what_one_process_erases_no_other_remembers(address: str) -> None:
    with Holdfast(address) as one, Holdfast(address) as two:
        chat = one.session("s")
        for text in ("I live in Lyon", "my name is Dana", "hello"):
            chat.hear(text)
        elsewhere = two.session("s")
        two.forget(session="s")
        for text in ("hi", "what is up?", "hello"):  # as many messages as the erased conversation had
            elsewhere.hear(text)
        assert chat.hear("and where do I live?").context == ""
        assert "Lyon" not in chat.state.json()
        assert [past.text for past in chat.history()] == ["hi", "what is up?", "hello", "and where do I live?"]


def test_a_person_erased_in_one_process_is_a_stranger_in_the_other(address: str) -> None:
    with Holdfast(address) as one, Holdfast(address) as two:
        one.session("s-1", user="u").hear("I'm allergic to peanuts")
        two.forget(user="u")
        two.session("s-2", user="u").hear("I'm allergic to milk")
        chat = one.session("s-3", user="u")
        assert "peanuts" not in chat.hear("hello").context
        assert [memo.value for memo in chat.memory.items()] == ["milk"]


def test_one_fact_erased_in_one_process_is_told_by_no_other(address: str) -> None:
    with Holdfast(address) as one, Holdfast(address) as two:
        chat = one.session("s-1", user="u")
        chat.hear("my name is Zebulon")
        memory = two.session("s-2", user="u").memory
        memory.forget(memory.holding("name").id)  # type: ignore[union-attr]
        turn = chat.hear("who am I?")
        assert "Zebulon" not in str([turn.context, turn.messages, chat.state.json()])
        assert not one.search("Zebulon")
