"""Processes that start at once: each is forked off one that has loaded the command and a pack, instead of loading them
for itself. In all else they are like any other: a folder, pipes, signals and an exit code of their own."""

from __future__ import annotations

import functools
import json
import os
import select
import signal
import socket
import subprocess
import sys
from collections.abc import Mapping
from pathlib import Path
from typing import IO, Any, NoReturn

ROOT = Path(__file__).parents[1]
WARMED = """
import importlib, pkgutil
from holdfast import Holdfast, cli
for module in pkgutil.iter_modules(cli.__path__):
    if module.name != "__main__":
        importlib.import_module(f"holdfast.cli.{module.name}")
with Holdfast() as hf:
    chat = hf.session("s", user="u")
    chat.hear("I live in Boston")
    chat.say("Where do you live?")
    chat.clear("location")
"""


class Process:
    """A process that runs `holdfast` with these arguments, or a program with them, with what it was given as its input,
    output and errors."""

    def __init__(
        self,
        *arguments: str,
        program: str = "",
        stdin: int | IO[Any],
        stdout: int | IO[Any],
        stderr: int | IO[Any],
        folder: Path | None = None,
        environment: Mapping[str, str] = os.environ,
    ) -> None:
        order = {
            "arguments": arguments,
            "program": program,
            "folder": str(folder or Path.cwd()),
            "environment": dict(environment),
        }
        told, tell = os.pipe()
        self._told = os.fdopen(told, "rb", buffering=0)
        streams = [stream if isinstance(stream, int) else stream.fileno() for stream in (stdin, stdout, stderr, tell)]
        body = json.dumps(order).encode()
        socket.send_fds(_warm(), [len(body).to_bytes(4, "big") + body], streams)
        os.close(tell)
        self.pid = int(self._told.readline())
        self._code: int | None = None

    def wait(self) -> int:
        """Its exit code; negative for the signal that ended it."""
        if self._code is None:
            self._code = int(self._told.readline())
        return self._code

    def ended(self) -> bool:
        """Whether it has come to its end."""
        return self._code is not None or bool(select.select([self._told], [], [], 0)[0])


def run(*arguments: str, program: str = "", input: bytes = b"", **options: Any) -> subprocess.CompletedProcess[str]:
    """As `subprocess.run`, with what was said as text."""
    with _file() as stdin, _file() as stdout, _file() as stderr:
        stdin.write(input)
        stdin.seek(0)
        code = Process(*arguments, program=program, stdin=stdin, stdout=stdout, stderr=stderr, **options).wait()
        said = []
        for stream in (stdout, stderr):
            stream.seek(0)
            said.append(stream.read().decode())
    return subprocess.CompletedProcess(arguments, code, *said)


def _file() -> IO[bytes]:
    return os.fdopen(os.memfd_create("stream"), "w+b")


@functools.cache
def _warm() -> socket.socket:
    """The way to the process that the others are forked off; it ends when this one does."""
    ours, theirs = socket.socketpair()
    subprocess.Popen([sys.executable, "-m", __name__, str(theirs.fileno())], cwd=ROOT, pass_fds=[theirs.fileno()])
    theirs.close()
    return ours


def _serve(orders: socket.socket) -> None:
    exec(WARMED, {})
    signal.signal(signal.SIGCHLD, signal.SIG_IGN)  # nobody waits for those who wait for a process
    while True:
        received, streams, _, _ = socket.recv_fds(orders, 4, 4)
        if not received:
            return
        order = b""
        size = int.from_bytes(received, "big")
        while len(order) < size:
            order += orders.recv(size - len(order))
        if os.fork() == 0:
            orders.close()
            signal.signal(signal.SIGCHLD, signal.SIG_DFL)
            _keep(json.loads(order), streams)
        for stream in streams:
            os.close(stream)


def _keep(order: dict[str, Any], streams: list[int]) -> NoReturn:
    """Starts a process, and tells its number and how it ended."""
    child = os.fork()
    if child == 0:
        os.close(streams.pop())
        _be(order, streams)
    told = streams.pop()
    for stream in streams:
        os.close(stream)
    os.write(told, f"{child}\n".encode())
    code = os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])
    os.write(told, f"{code}\n".encode())
    os._exit(0)


def _be(order: dict[str, Any], streams: list[int]) -> NoReturn:
    for number, stream in enumerate(streams):
        os.dup2(stream, number)
        os.close(stream)
    sys.stdin, sys.stdout, sys.stderr = os.fdopen(0), os.fdopen(1, "w"), os.fdopen(2, "w", 1)
    os.chdir(order["folder"])
    os.environ.clear()
    os.environ.update(order["environment"])
    sys.argv = ["holdfast", *order["arguments"]]
    if order["program"]:
        exec(compile(order["program"], "<string>", "exec"), {"__name__": "__main__"})
        sys.exit()
    from holdfast.cli import main

    sys.exit(main(order["arguments"]))


if __name__ == "__main__":
    _serve(socket.socket(fileno=int(sys.argv[1])))
