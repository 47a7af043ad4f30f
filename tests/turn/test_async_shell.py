"""The async shell has every name, argument and default of the sync one."""

from __future__ import annotations

import asyncio
import inspect
from typing import Any

import pytest

from holdfast import AsyncHoldfast, Holdfast, Turn
from holdfast.aio import AsyncMemory, AsyncOwnedMemory, AsyncSession
from holdfast.errors import InvalidInput, UnknownSession
from holdfast.memory import SessionMemory
from holdfast.owned import OwnedMemory
from holdfast.session import Session

SHELLS = [
    (Holdfast, AsyncHoldfast),
    (Session, AsyncSession),
    (SessionMemory, AsyncMemory),
    (OwnedMemory, AsyncOwnedMemory),
]


def names(thing: object) -> set[str]:
    return {name for name in dir(thing) if not name.startswith("_")}


def methods(kind: type[Any]) -> list[str]:
    return [name for name in names(kind) if inspect.isfunction(getattr(kind, name))]


@pytest.mark.parametrize(("sync", "awaiting"), SHELLS)
def test_every_method_has_the_arguments_and_defaults_of_its_sync_namesake(sync: type[Any], awaiting: type[Any]) -> None:
    for name in methods(sync):
        given, taken = inspect.signature(getattr(sync, name)), inspect.signature(getattr(awaiting, name))
        assert list(taken.parameters.values()) == list(given.parameters.values()), name
        assert inspect.iscoroutinefunction(getattr(awaiting, name)), name


def test_both_are_opened_with_the_same_arguments() -> None:
    assert inspect.signature(AsyncHoldfast) == inspect.signature(Holdfast)


def test_no_public_name_is_missing_once_the_shells_are_open() -> None:
    async def both() -> None:
        async with AsyncHoldfast(pack="grace") as hf:
            chat = await hf.session("s", user="u", project="p")
            assert names(hf.sync) <= names(hf)
            assert names(chat.sync) <= names(chat)
            assert names(chat.sync.memory) <= names(chat.memory)
            assert (chat.id, chat.user, chat.project) == ("s", "u", "p")
            assert chat.pack is hf.pack
            assert chat.holdfast.sync is hf.sync

    asyncio.run(both())


def test_what_used_to_be_missing_can_be_awaited() -> None:
    async def talk() -> None:
        async with AsyncHoldfast(pack="copilot_cli") as hf:
            chat = await hf.session("s", user="u")
            heard = await chat.hear("We use pnpm in this project", idempotency_key="once")
            assert (await chat.hear("We use pnpm in this project", idempotency_key="once")).version == heard.version
            assert [hit.text for hit in await hf.search("pnpm", user="u", around=True)]
            assert [hit.text for hit in await chat.search("pnpm", around=True)]
            assert (await (await hf.existing("s")).entry(heard.version)).text == heard.text
            assert [entry.version for entry in await hf.entries(chat.keys["session"])] == [1]
            assert await chat.memory.value("tooling/package_manager") == "pnpm"

    asyncio.run(talk())


def test_the_face_of_a_pack_can_be_awaited() -> None:
    async def talk() -> None:
        async with AsyncHoldfast(pack="vibehuntr") as hf:
            chat = await hf.session("s")
            await chat.hear("Italian places in South Philly")
            assert await chat.face.context() == chat.sync.face.context()

    asyncio.run(talk())


def test_an_existing_conversation_is_not_begun_anew_after_it_was_erased() -> None:
    with Holdfast() as hf:
        hf.session("s").hear("Hello")
        chat = hf.existing("s")
        hf.forget(session="s")
        with pytest.raises(UnknownSession):
            chat.hear("Hello again")


def test_a_type_checker_sees_the_arguments_and_results() -> None:
    """mypy, which is part of `make check`, objects to a comment below that hides no error."""

    async def talk() -> None:
        async with AsyncHoldfast(pack="general", hot=10) as hf:
            chat: AsyncSession = await hf.session("s", user="u")
            turn: Turn = await chat.hear("Hello", idempotency_key="1")
            assert turn.version == 1
            with pytest.raises(InvalidInput):
                await chat.search("x", around="no")  # type: ignore[arg-type]
            with pytest.raises(AttributeError):
                await chat.nothing()  # type: ignore[attr-defined]
            with pytest.raises(TypeError):
                AsyncHoldfast(hott=3)  # type: ignore[call-arg]

    asyncio.run(talk())
