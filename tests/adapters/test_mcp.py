"""The tools of `holdfast mcp`, called by a real client of the protocol over the pipes of a real process."""

from __future__ import annotations

import asyncio
import os
import sys
import threading
from collections.abc import Awaitable, Callable, Coroutine, Iterator
from concurrent.futures import Future
from contextlib import contextmanager
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest
from mcp import Client, StdioServerParameters
from mcp.server import MCPServer
from mcp_types import CallToolResult, TextContent

from holdfast import Holdfast
from holdfast.adapters.mcp import server
from holdfast.cli import main

Call = Callable[..., Awaitable[Any]]
Talk = Callable[[Client, Call], Coroutine[Any, Any, None]]
Host = Callable[[Talk], None]

pytestmark = pytest.mark.xdist_group("mcp")


def command(store: Path) -> StdioServerParameters:
    """The command, to be started as a host starts it."""
    given = ["-m", "holdfast.cli", "mcp", "--store", f"sqlite:///{store}"]
    return StdioServerParameters(command=sys.executable, args=given, env=dict(os.environ))


@contextmanager
def started(place: StdioServerParameters | MCPServer[Any]) -> Iterator[Host]:
    """A host that has connected to the tools; a talk uses them."""
    loop, ready, done = asyncio.new_event_loop(), Future[Client](), asyncio.Event()

    async def connected() -> None:
        try:
            async with Client(place) as client:
                ready.set_result(client)
                await done.wait()
        except Exception as wrong:
            if ready.done():
                raise
            ready.set_exception(wrong)

    def host(talk: Talk) -> None:
        async def call(tool: str, **given: Any) -> Any:
            result = await client.call_tool(tool, given)
            if result.is_error:
                raise AssertionError(said(result))
            made = result.structured_content or {}
            return made["result"] if set(made) == {"result"} else made

        asyncio.run_coroutine_threadsafe(talk(client, call), loop).result()

    thread = threading.Thread(target=loop.run_until_complete, args=(connected(),))
    thread.start()
    client = ready.result()
    yield host
    loop.call_soon_threadsafe(done.set)
    thread.join()
    loop.close()


@pytest.fixture(scope="module")
def store(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("mcp") / "chat.db"


@pytest.fixture(scope="module")
def host(store: Path) -> Iterator[Host]:
    """One process for all that needs no options: starting it takes longer than talking to it."""
    with started(command(store)) as begun:
        yield begun


def said(result: CallToolResult) -> str:
    return " ".join(part.text for part in result.content if isinstance(part, TextContent))


def test_a_host_hears_the_context_and_what_a_message_refers_to(host: Host, store: Path) -> None:
    async def talk(client: Client, call: Call) -> None:
        first = await call("hear", text="My name is Dana", session="s")
        assert first["continues"] is False
        await call("say", text="1. **Osteria** 2. **Vedge** 3. **Zahav**. Which one would you like?", session="s")
        heard = await call("hear", text="the second one", session="s")
        assert heard["refers_to"] == ["Vedge"]
        assert heard["context"].startswith("[CONTEXT: ")
        assert "Dana" in heard["context"]
        assert any("Vedge" in line for line in await call("why", session="s", version=3))

    host(talk)
    with Holdfast(f"sqlite:///{store}") as hf:
        assert [past.text for past in hf.existing("s").history()][-1] == "the second one"


def test_a_reply_that_asks_for_what_is_known_is_not_allowed(host: Host) -> None:
    async def talk(client: Client, call: Call) -> None:
        await call("hear", text="My name is Dana")
        verdict = await call("say", text="What is your name?")
        assert verdict["allowed"] is False
        assert "Name is Dana" in verdict["problems"][0]
        assert await call("clear", what="name")
        assert (await call("say", text="What is your name?"))["allowed"] is True

    host(talk)


def test_what_a_person_told_is_recalled_in_another_conversation_and_can_be_corrected() -> None:
    async def talk(client: Client, call: Call) -> None:
        await call("hear", text="I always use pnpm for my projects", session="monday")
        (kept,) = await call("add_memory", text="The staging server is called heron.")
        found = await call("recall", query="staging server", session="tuesday")
        assert (kept["event"], kept["item"]["id"]) == ("ADD", found["memory"][0]["id"])
        changed = await call("update_memory", id=kept["item"]["id"], text="The staging server is called egret")
        assert changed["value"].endswith("egret")
        past = await call("memory_history", id=changed["id"])
        assert [item["value"].split()[-1] for item in past] == ["heron", "egret"]
        assert (await call("search_memories", query="staging server"))[0]["id"] == changed["id"]
        before = await call("get_memories")
        left = await call("delete_memory", id=changed["id"])
        assert [item["id"] for item in before if item["id"] != changed["id"]] == [item["id"] for item in left]
        assert await call("add_memory", text="What is my name?") == []
        found = await call("recall", query="pnpm", session="tuesday")
        assert [hit["session"] for hit in found["messages"]] == ["monday"]

    with Holdfast() as hf, started(server(hf, user="dana")) as host:
        host(talk)


def test_the_command_has_the_tools_of_whom_it_is_told(monkeypatch: pytest.MonkeyPatch) -> None:
    given: list[object] = []

    def made(hf: Holdfast, *whom: str | None) -> SimpleNamespace:
        given.extend((hf.pack.name, *whom))
        return SimpleNamespace(run=given.append)

    monkeypatch.setattr("holdfast.adapters.mcp.server", made)
    assert (
        main(["mcp", "--store", "sqlite:///:memory:", "--pack", "nxtscape", "--user", "dana", "--project", "home"]) == 0
    )
    assert given == ["nxtscape", "dana", "home", "stdio"]


def test_without_a_person_a_conversation_remembers_and_corrects_for_itself(host: Host) -> None:
    async def talk(client: Client, call: Call) -> None:
        kept = await call("remember", text="The staging server is called heron.", session="monday")
        assert (await call("correct", id=kept["id"], value="egret", session="monday"))["value"] == "egret"
        assert (await call("recall", query="staging server", session="tuesday"))["memory"] == []

    host(talk)


def test_mistakes_come_back_as_sentences_that_a_model_can_read(host: Host) -> None:
    async def talk(client: Client, call: Call) -> None:
        for tool, given, word in (
            ("hear", {"text": "  "}, "empty"),
            ("hear", {"text": "hello", "session": ""}, "session id"),
            ("clear", {"what": "the moon"}, "nothing called"),
            ("correct", {"id": "fact_9_9", "value": "x"}, "no item"),
            ("why", {"session": "never"}, "nothing was said"),
        ):
            result = await client.call_tool(tool, given)
            assert result.is_error, tool
            assert word in said(result)

    host(talk)


def test_the_tools_say_what_they_are_for_and_a_pack_without_memory_offers_none() -> None:
    async def talk(client: Client, call: Call) -> None:
        tools = {tool.name: tool for tool in (await client.list_tools()).tools}
        assert set(tools) == {"hear", "say", "recall", "clear", "why"}
        assert all(tool.description and tool.output_schema for tool in tools.values())
        assert "word for word" in (client.instructions or "")

    with Holdfast(pack="rv_service_desk") as hf, started(server(hf)) as host:
        host(talk)


def test_a_file_that_is_no_store_ends_in_one_line_that_says_so(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "notes.txt").write_text("no database at all, but long enough to be looked at " * 20)
    assert main(["mcp", "--store", f"sqlite:///{tmp_path / 'notes.txt'}"]) == 2
    told = capsys.readouterr().err
    assert "left as it is" in told
    assert len(told.splitlines()) == 1
