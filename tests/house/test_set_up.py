"""Setting up on somebody else's machine: what goes wrong is said in one line that tells what to do."""

from __future__ import annotations

import socket
import subprocess
import sys
from pathlib import Path

import pytest

from tests.warmed import run

ROOT = Path(__file__).parent.parent.parent


def set_up(folder: Path, python: str) -> str:
    """The one line on the error stream of a set-up that fails."""
    command = ["sh", str(ROOT / "tools" / "set_up.sh"), python, "demo"]
    done = subprocess.run(command, cwd=folder, capture_output=True, text=True, check=False)
    assert done.returncode == 1, done.stdout
    assert done.stderr.startswith("holdfast: ")
    assert done.stderr.count("\n") == 1
    return done.stderr


def a_python(folder: Path, body: str) -> str:
    """A program that stands where Python is expected."""
    made = folder / "a-python"
    made.write_text(f"#!/bin/sh\n{body}\n", encoding="utf-8")
    made.chmod(0o755)
    return str(made)


def test_without_python_it_says_how_to_name_one(tmp_path: Path) -> None:
    assert "make run PYTHON=" in set_up(tmp_path, "no-such-python")


def test_an_old_python_is_named_with_what_is_needed(tmp_path: Path) -> None:
    old = a_python(tmp_path, 'if [ "$1" = -V ]; then echo Python 3.9.2; else exit 1; fi')
    said = set_up(tmp_path, old)
    assert "Python 3.11 or newer is needed" in said
    assert "Python 3.9.2" in said


def test_a_python_that_cannot_make_environments_names_the_package(tmp_path: Path) -> None:
    bare = a_python(tmp_path, f'case "$*" in *ensurepip*) exit 1;; *) exec {sys.executable} "$@";; esac')
    assert "python3-venv" in set_up(tmp_path, bare)


def test_a_folder_that_cannot_be_written_to_is_named(tmp_path: Path) -> None:
    (tmp_path / ".venv").write_text("a file where the folder should be", encoding="utf-8")
    assert f"{tmp_path} cannot be written to" in set_up(tmp_path, sys.executable)


@pytest.mark.parametrize(
    ("pip_says", "advice"),
    [
        ("fatal error: Python.h: No such file or directory", "python3-dev"),
        ("error: command 'g++' failed: No such file or directory", "apt install g++"),
        ("OSError: [Errno 28] No space left on device", "120 MB"),
        ("ERROR: Failed to establish a new connection: Temporary failure in name resolution", "Check the network"),
        ("ERROR: something that nobody has seen before", "something that nobody has seen before"),
    ],
)
def test_an_installation_that_fails_says_what_to_install(tmp_path: Path, pip_says: str, advice: str) -> None:
    own = tmp_path / "own-pip"
    own.write_text(f'#!/bin/sh\necho "{pip_says}" >&2\nexit 1\n', encoding="utf-8")
    own.chmod(0o755)
    pip = f"mkdir -p .venv/bin; cp {own} .venv/bin/pip"
    python = a_python(tmp_path, f'case "$*" in *"-m venv"*) {pip};; *) exec {sys.executable} "$@";; esac')
    assert advice in set_up(tmp_path, python)


def served(folder: Path, *options: str) -> str:
    """The one line of a server that does not start."""
    done = run("serve", *options, folder=folder)
    assert (done.returncode, done.stdout) == (2, "")
    assert done.stderr.count("\n") == 1
    return done.stderr


def test_a_server_that_cannot_start_says_what_to_do(tmp_path: Path) -> None:
    with socket.create_server(("127.0.0.1", 0)) as taken:
        assert "name another with --port" in served(tmp_path, "--port", str(taken.getsockname()[1]))
    assert "may this user write there?" in served(tmp_path, "--store", "sqlite:////proc/nowhere/chat.db")
    assert "installed are: copilot_cli, general" in served(tmp_path, "--pack", "vibehunter")
    assert "name local, openai, gemini, ollama, or an address" in served(tmp_path, "--model", "chatty")
