"""A whole memory goes out and comes in again, byte for byte, with its history, chains, clocks and receipts."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from holdfast import Holdfast
from holdfast.cli import main
from holdfast.errors import Conflict, InvalidInput, Refused, UnknownSession
from holdfast.exchange import archive


def lived(hf: Holdfast) -> None:
    """Two sessions of one user in one project, and somebody else."""
    first = hf.session("s-1", user="u", project="p")
    for text in ("I use VS Code", "I always prefer tabs", "I'm a junior developer", "in this project we use npm"):
        first.hear(text)
    second = hf.session("s-2", user="u", project="p")
    for text in ("I've switched to Neovim", "Actually, I'm a senior developer now", "not npm, use pnpm"):
        second.hear(text)
    second.say("Let's go with PostgreSQL for the database.")
    second.memory.forget(second.memory.add("a secret of mine").id)
    hf.session("else", user="v").hear("I use Emacs")


def carried(hf: Holdfast, **chosen: str) -> bytes:
    return "\n".join(archive.lines(hf, **chosen)).encode()


def memory_of(hf: Holdfast, name: str) -> bytes:
    """All that a session's memory can tell."""
    chat = hf.existing(name)
    told = [chat.state.json(), *map(repr, chat.memory.items(history=True)), str(chat.memory.insights())]
    told += [repr(chat.memory.items(known_at=memo.recorded)) for memo in chat.memory.items(history=True)]
    told += [str(past.receipt) for past in chat.history()]
    return "\n".join(told).encode()


@pytest.fixture
def full() -> Holdfast:
    clock = iter(range(1_000_000, 2_000_000))
    hf = Holdfast(pack="copilot_cli", clock=lambda: float(next(clock)) + 0.1)
    lived(hf)
    return hf


def empty() -> Holdfast:
    return Holdfast(pack="copilot_cli", clock=lambda: 3_000_000.0)


def test_everything_comes_in_as_it_went_out(full: Holdfast) -> None:
    other = empty()
    done = archive.restore(other, carried(full))
    assert (done.logs, done.known) == (6, 0)
    assert carried(other) == carried(full)
    full.clock = other.clock
    for name in ("s-1", "s-2", "else"):
        assert memory_of(other, name) == memory_of(full, name)


def test_what_came_in_is_found_and_can_be_undone(full: Holdfast) -> None:
    other = empty()
    archive.restore(other, carried(full))
    chat = other.existing("s-2")
    assert chat.memory.search("editor")[0].item.value == "Neovim"
    assert [hit.text for hit in other.search("senior")] == ["Actually, I'm a senior developer now"]
    held = chat.memory.holding("tooling/editor")
    assert held is not None
    assert [memo.value for memo in chat.memory.chain(held.id)] == ["VS Code", "Neovim"]
    chat.memory.undo(held.id)
    assert chat.memory.value("tooling/editor") == "VS Code"


def test_bringing_it_again_adds_only_what_is_new(full: Holdfast) -> None:
    other = empty()
    first = archive.restore(other, carried(full))
    full.existing("s-1").hear("I've switched to Zed")
    again = archive.restore(other, carried(full))
    assert again.known == first.added
    assert again.added > 0
    assert other.existing("s-1").memory.value("tooling/editor") == "Zed"


def test_a_log_that_went_another_way_is_refused_and_nothing_is_written(full: Holdfast) -> None:
    other = empty()
    other.session("s-1", user="u", project="p").hear("I use Helix")
    before = carried(other)
    with pytest.raises(Refused, match="another one"):
        archive.restore(other, carried(full))
    assert carried(other) == before


def test_an_archive_that_lost_a_race_leaves_no_word_in_the_file(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with Holdfast() as hf:
        hf.session("s").hear("my name is Zanzibarquokka")
        data = carried(hf)
    with Holdfast(tmp_path / "chat.db") as hf, Holdfast(tmp_path / "chat.db") as other:
        append = hf.store.append

        def late(*given: Any, **named: Any) -> None:
            append(*given, **named)
            other.session("s").hear("hello")  # before what was staged is published

        monkeypatch.setattr(hf.store, "append", late)
        with pytest.raises(Conflict):
            archive.restore(hf, data)
        assert [past.text for past in hf.session("s").history()] == ["hello"]
    assert all(b"quokka" not in path.read_bytes() for path in tmp_path.iterdir())


def test_one_user_or_project_or_session_can_be_carried(full: Holdfast) -> None:
    def names(data: bytes) -> set[str]:
        return {head["name"] for line in data.splitlines() if "log" in (head := json.loads(line))}

    assert names(carried(full, user="u")) == {"s-1", "s-2", "u", "p"}
    assert names(carried(full, project="p")) == {"s-1", "s-2", "u", "p"}
    assert names(carried(full, session="else")) == {"else", "v"}
    with pytest.raises(UnknownSession):
        carried(full, session="nobody")
    with pytest.raises(InvalidInput):
        carried(full, session="s-1", user="u")


def test_what_was_forgotten_is_not_carried(full: Holdfast) -> None:
    assert b"a secret of mine" not in carried(full)


@pytest.mark.parametrize(
    "broken",
    [
        b"",
        b"{}",
        b"\n",
        b"\xff\xfeh",
        b"[" * 100_000,
        b'{"holdfast": "archive"}',
        b'{"holdfast": "archive", "format": "one"}',
        b'{"holdfast": "archive", "format": 1}\n{"log": "session", "name": "x"}\n{"version": 2}',
        b'{"holdfast": "archive", "format": 1}\n{"log": "nothing", "name": "x"}',
        b'{"holdfast": "archive", "format": 1}\n{"log": "session", "name": "x"}\n'
        b'{"version": 1, "at": 1, "role": "king", "format": 1, "events": []}',
        b'{"holdfast": "archive", "format": 1}\n{"log": "session", "name": "x"}\n'
        b'{"version": 1, "at": 1, "role": "call", "format": 1, "events": [1]}',
    ],
)
def test_a_broken_archive_is_told_in_words(broken: bytes) -> None:
    with pytest.raises(InvalidInput):
        archive.restore(empty(), broken)


def test_an_archive_of_a_newer_release_is_refused() -> None:
    with pytest.raises(Refused, match="newer"):
        archive.restore(empty(), b'{"holdfast": "archive", "format": 999}')


def test_the_command_line_carries_a_memory_from_store_to_store(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    here, there, file = f"sqlite:///{tmp_path}/a.db", f"sqlite:///{tmp_path}/b.db", str(tmp_path / "all.jsonl")
    with Holdfast(here, pack="copilot_cli") as hf:
        lived(hf)
    assert main(["export", "--store", here, "--format", "archive", "--user", "u", "-o", file]) == 0
    assert main(["import", "--store", there, file]) == 0
    assert "4 logs in" in capsys.readouterr().out
    with Holdfast(here, pack="copilot_cli") as one, Holdfast(there, pack="copilot_cli") as other:
        assert carried(one, user="u") == carried(other, user="u")
        assert other.existing("s-2").memory.value("tooling/package_manager") == "pnpm"
    assert main(["import", "--store", there, file, "--user", "w"]) == 2


def test_the_command_line_shows_chains_and_what_is_unstable(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    store = f"sqlite:///{tmp_path}/a.db"
    with Holdfast(store, pack="copilot_cli") as hf:
        chat = hf.session("s", user="u")
        for text in (
            "I use VS Code",
            "I've switched to Neovim",
            "I've switched to Zed",
            "let's go with React",
            "My name is Ann",
        ):
            chat.hear(text)
    assert main(["memory", "search", "which", "editor", "--store", store]) == 0
    assert "VS Code → Neovim [CHANGES] → Zed [CHANGES]" in capsys.readouterr().out
    assert main(["memory", "--store", store, "--json"]) == 0
    assert {json.loads(line)["value"] for line in capsys.readouterr().out.splitlines()} >= {"Zed", "Ann"}
    assert main(["insights", "--store", store]) == 0
    told = capsys.readouterr().out
    assert "tooling/editor" in told
    assert "changes often" in told
    assert main(["insights", "--store", store, "--json"]) == 0
    assert "tooling/editor" in json.loads(capsys.readouterr().out)["ask_first"]
