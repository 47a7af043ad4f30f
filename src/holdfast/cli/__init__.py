"""The command line: `holdfast chat`, `show`, `why` … A door: it translates between a terminal and the engine, and
decides nothing. `arguments.py` has every command and its options; the other files have the functions behind them."""

from __future__ import annotations

import io
import logging
import os
import sys
from collections.abc import Sequence
from importlib import import_module

from holdfast.cli import arguments
from holdfast.errors import HoldfastError
from holdfast.extras import needs
from holdfast.guests import Contained

WRONG = 2
"""Exit code for what cannot be done; 1 means: done, and there is something to look at."""

_NEXT: dict[type[OSError], str] = {
    FileNotFoundError: "there is no such file or folder; check the name",
    IsADirectoryError: "this is a folder; name a file",
    NotADirectoryError: "a file stands where a folder should; choose another place",
    PermissionError: "not allowed for this user; choose another place, or change the rights of this one",
}


def main(given: Sequence[str] | None = None) -> int:
    """Run one command and give its exit code."""
    for stream in (sys.stdin, sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper):  # a byte that is no text must not end a conversation
            stream.reconfigure(errors="surrogateescape" if stream is sys.stdin else "replace")
    chosen = arguments.parse(given)
    _log(chosen.verbose)
    faults: list[Exception] = []
    try:
        with Contained(faults.append):
            # Only the chosen command is imported: `holdfast --help` should not wait for a chat.
            with needs("cli", "This command"):
                command = import_module(f"holdfast.cli.{chosen.module}")
            return int(getattr(command, chosen.function)(chosen))
    except KeyboardInterrupt:
        return 130
    return _explained(faults[0], chosen.verbose)


def _explained(wrong: Exception, verbose: bool) -> int:
    """The door is the last place where an error can become a sentence instead of a page of code."""
    if isinstance(wrong, HoldfastError):
        return _wrong(str(wrong))
    if isinstance(wrong, BrokenPipeError):  # whoever read our output has seen enough
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return 0
    if isinstance(wrong, OSError):
        says = _NEXT.get(type(wrong), wrong.strerror)
        return _wrong(f"{wrong.filename}: {says}" if wrong.filename else str(wrong))
    if verbose:
        raise wrong
    return _wrong(f"this is a fault of Holdfast, please report it ({type(wrong).__name__}: {wrong}); -v shows more")


def _wrong(message: str) -> int:
    print("holdfast:", " ".join(message.split()), file=sys.stderr)
    return WRONG


def _log(verbose: bool) -> None:
    """Steps go to the error stream when asked for, and nowhere otherwise: the receipt tells of failures too."""
    logger = logging.getLogger("holdfast")
    logger.addHandler(logging.StreamHandler() if verbose else logging.NullHandler())
    if verbose:
        logger.setLevel(logging.INFO)
