"""Erasure and archives on PostgreSQL when the process is killed: whoever comes next finishes it, or finds nothing of
it; and no byte of what was erased is left in the files once the store says so."""

from __future__ import annotations

import time
from collections.abc import Callable

import pytest

from holdfast import Holdfast
from holdfast.exchange import archive
from holdfast.stores.postgres import PostgresStore
from holdfast.stores.protocol import Key
from holdfast.stores.steps import WORK
from tests.stores.postgres import bytes_of, emptied
from tests.stores.stopping import POINTS, stopped, stops

SECRET = "Zanzibarquokka"


def swept(hf: Holdfast) -> None:
    """Wait until the work that somebody left is done, and write every table anew."""
    assert isinstance(hf.store, PostgresStore)
    while hf.store.waiting() == WORK:
        time.sleep(0.01)
    hf.store.compact()
    assert hf.store.waiting() == ""


def talk(address: str) -> None:
    with Holdfast(address) as hf:
        for name in ("s", "t"):
            chat = hf.session(name, user="u")
            for number in range(3):
                chat.hear(f"I always use {SECRET}" if number % 2 == 0 else "and so on")
        hf.session("other").hear("hello there")


def forget_user(hf: Holdfast) -> None:
    hf.forget(user="u")


def forget_item(hf: Holdfast) -> None:
    memory = hf.session("s", user="u").memory
    for item in memory.preferences():
        memory.forget(item.id)


def user_is_gone(hf: Holdfast) -> bool:
    return not hf.store.version(Key("user", "u"))


def item_is_gone(hf: Holdfast) -> bool:
    return all(memo.forgotten for memo in hf.session("s", user="u").memory.preferences(history=True))


@POINTS
@pytest.mark.parametrize(("forget", "gone"), [(forget_user, user_is_gone), (forget_item, item_is_gone)])
def test_an_erasure_that_was_stopped_anywhere_is_finished_by_whoever_comes_next(
    forget: Callable[[Holdfast], None], gone: Callable[[Holdfast], bool], points: str
) -> None:
    address = emptied()
    talk(address)
    steps = stopped(address, 0, forget)
    for last in stops(steps, points):
        talk(emptied())
        stopped(address, last, forget)
        with Holdfast(address) as hf:
            swept(hf)
            left = SECRET.encode() in bytes_of(address)
            assert left != gone(hf), f"stopped at {last} of {len(steps)}: {'words are left' if left else 'lost'}"
            assert hf.store.jobs() == []
            assert hf.store.check() == []
            assert [past.text for past in hf.session("other").history()] == ["hello there"]


@POINTS
def test_an_archive_that_was_stopped_anywhere_is_there_whole_or_not_at_all(points: str) -> None:
    with Holdfast() as hf:
        for name in ("s", "t"):
            chat = hf.session(name, user="u")
            for number in range(4):
                chat.hear(f"I always use editor{number}")
        half = "\n".join(archive.lines(hf, session="s")).encode()
        hf.session("s").hear("and one more")
        whole = "\n".join(archive.lines(hf)).encode()
        expected = {name: hf.session(name).state.json() for name in ("s", "t")}

    def bring(hf: Holdfast) -> None:
        archive.restore(hf, whole)

    def half_there() -> tuple[str, str]:
        address = emptied()
        with Holdfast(address) as hf:
            archive.restore(hf, half)
            return address, hf.session("s").state.json()

    address, before = half_there()
    steps = stopped(address, 0, bring)
    for last in stops(steps, points):
        half_there()
        stopped(address, last, bring)
        with Holdfast(address) as hf:
            there = hf.store.version(Key("session", "t")) > 0
            assert hf.session("s").state.json() == (expected["s"] if there else before)
            assert [info.name for info in hf.sessions()] == (["s", "t"] if there else ["s"])
            archive.restore(hf, whole)
            assert {name: hf.session(name).state.json() for name in expected} == expected
            assert hf.session("t", user="u").memory.search("editor3")
            assert hf.store.check() == []
            assert isinstance(hf.store, PostgresStore)
            assert hf.store._all("SELECT count(*) FROM streams WHERE kind = 'staged'") == [(0,)]
