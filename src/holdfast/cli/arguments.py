"""Every command of `holdfast` with its options, in one place and cheap to read."""

from __future__ import annotations

import argparse
import os
import sys
from collections.abc import Callable, Sequence
from functools import partial
from typing import NoReturn

import holdfast
from holdfast.reading.tiers import TIERS

STORE = "sqlite:///holdfast.db"


class Parser(argparse.ArgumentParser):
    """Says what is wrong in one line."""

    def error(self, message: str) -> NoReturn:
        print(f"holdfast: {message}; see {self.prog} --help", file=sys.stderr)
        sys.exit(2)


def parse(given: Sequence[str] | None = None) -> argparse.Namespace:
    whole = parser()
    chosen, more = whole.parse_known_args(given)
    if more:
        command = f"{whole.prog} {chosen.command}" if chosen.command else whole.prog
        Parser(prog=command).error(f"it does not take {' '.join(more)}")
    if chosen.command is None:
        whole.print_help()
        sys.exit(0)
    return chosen


def parser() -> argparse.ArgumentParser:
    whole = Parser(prog="holdfast", description="Conversation context for agents: keeps the thread, and can say why.")
    whole.add_argument("--version", action="version", version=f"holdfast {holdfast.__version__}")
    commands = whole.add_subparsers(dest="command", metavar="COMMAND", parser_class=Parser)

    def command(module: str, name: str, summary: str, *options: str) -> argparse.ArgumentParser:
        added = commands.add_parser(name, help=summary, description=summary[0].upper() + summary[1:] + ".")
        added.set_defaults(module=module, function={"import": "bring_in"}.get(name, name))  # a word of Python's own
        added.add_argument("-v", "--verbose", action="store_true", help="write the log to the error stream")
        told = os.environ.get("HOLDFAST_STORE") or STORE
        where = f"where (default: $HOLDFAST_STORE, else {STORE})"
        added.add_argument("--store", default=told, metavar="URL", help=where)
        for option in options:
            added.add_argument(f"--{option}", **_SHARED[option])  # type: ignore[arg-type]
        return added

    for add in (_chat, _looking, _carrying, _checking, _serving):
        add(partial(command, add.__name__[1:]))
    return whole


Command = Callable[..., argparse.ArgumentParser]
"""Adds a command: its name, what it does, and the options that it shares with others. The functions below are called
after the modules that carry the commands out."""


def _chat(command: Command) -> None:
    chat = command("chat", "talk to a pack in the terminal, or pipe lines in", "session", "pack", "user", "project")
    chat.add_argument("--language", metavar="CODE", help="language of the conversation, such as en, ru or es")
    chat.add_argument("--quiet", action="store_true", help="show replies alone, not what was learned and decided")
    _second_opinion(chat)
    chat.add_argument("--model-name", metavar="NAME", help="name of that model; by default the pack's")


def _looking(command: Command) -> None:
    """What only looks at a store."""
    show = command("show", "show what is remembered, as a card", "session", "pack", "user", "json", "language")
    show.add_argument("--at", type=int, metavar="VERSION", help="as it was known after that version")

    memory = command(
        "memory", "list, search and change what is remembered", "session", "pack", "user", "project", "json"
    )
    memory.add_argument(
        "action",
        nargs="?",
        default="list",
        choices=("list", "search", "history", "add", "update", "delete", "delete-all", "undo"),
        help="list is the default; add and delete-all are for a --user or --project, the others for a conversation too",
    )
    memory.add_argument("words", nargs="*", metavar="WORD", help="what to add or look for; or an id, and a new value")
    memory.add_argument("--history", action="store_true", help="list and search also what is no longer current")
    memory.add_argument("--erase", action="store_true", help="delete for good: from every log, without undo")

    command(
        "insights", "show unstable keys and decisions that did not last", "session", "pack", "user", "json", "language"
    )

    command("sessions", "list the conversations of a store", "user", "json")

    search = command("search", "find messages by their words, in all conversations", "session", "pack", "user", "json")
    search.add_argument("words", nargs="+", metavar="WORD", help="words to look for")
    search.add_argument("-n", "--last", type=int, default=10, metavar="N", help="how many, best first (default: 10)")

    log = command("log", "show the messages with their versions", "session", "pack", "user", "json", "language")
    log.add_argument("-n", "--last", type=int, default=50, metavar="N", help="how many, from the end (default: 50)")
    log.add_argument("--before", type=int, metavar="VERSION", help="end the page before this version")

    explained = "explain a turn: what it did, by which rule, from which words"
    why = command("why", explained, "session", "pack", "user", "json", "language")
    why.add_argument(
        "version", nargs="?", type=int, help="version of the turn (default: the last message of the person)"
    )


def _carrying(command: Command) -> None:
    """What brings conversations out, in, or away for good."""
    export = command("export", "write conversations out, or everything as an archive", "pack")
    export.add_argument("--session", metavar="ID", help="one session (default: all)")
    export.add_argument(
        "--format",
        choices=("jsonl", "messages", "talk", "archive"),
        default="jsonl",
        help="our JSONL; lists of {role, content}; a conversation file for `holdfast test`; or an archive: whole logs, "
        "with all that is remembered and its history",
    )
    export.add_argument("--user", metavar="ID", help="an archive of this user with all sessions")
    export.add_argument("--project", metavar="ID", help="an archive of this project with all sessions")
    export.add_argument("-o", "--output", metavar="FILE", help="a file (default: standard output)")

    carried = command(
        "import", "read conversations in: our JSONL, message lists, a ChatGPT export, an archive", "pack", "user"
    )
    carried.add_argument("files", nargs="+", metavar="FILE")
    carried.add_argument("--project", metavar="ID", help="project that the conversations belong to")
    carried.add_argument("--session", metavar="ID", help="name for the conversation of a file that names none")

    forget = command("forget", "erase for good: a session, a user with all sessions, or a project's memory")
    whom = forget.add_mutually_exclusive_group(required=True)
    for scope in ("session", "user", "project"):
        whom.add_argument(f"--{scope}", metavar="ID")
    forget.add_argument("-y", "--yes", action="store_true", help="do not ask")

    moved = command("migrate", "bring everything into another store, or go on with it; SQLite and PostgreSQL alike")
    moved.add_argument("--to", required=True, metavar="URL", help="the other store")
    command("compact", "leave no byte of what was erased in the files; PostgreSQL is locked meanwhile")


def _checking(command: Command) -> None:
    replay = command("replay", "fold every log again and compare, or ask what another pack would have decided")
    replay.add_argument("--session", metavar="ID", help="one session (default: all)")
    replay.add_argument("--pack", metavar="PACK", help="what if this pack (a name, or a .py file) had been there?")
    replay.add_argument("--json", **_SHARED["json"])  # type: ignore[arg-type]

    test = command("test", "run conversation files (.talk)")
    test.add_argument("paths", nargs="*", default=["."], metavar="PATH", help="files or folders (default: this folder)")
    test.add_argument("--pack", metavar="PACK", help="this pack instead of the one that each file names")
    command("doctor", "check Python, SQLite, the packs and the store", "pack")


def _serving(command: Command) -> None:
    serve = command("serve", "serve over HTTP: the page, API, live views, drop-in proxy", "pack")
    serve.add_argument("--host", default="127.0.0.1", help="address to listen on; others than loopback need keys")
    serve.add_argument(
        "--port",
        type=int,
        metavar="N",
        help="port to listen on; 0 takes any free one (default: 8765, or the next free)",
    )
    serve.add_argument("--keys", metavar="FILE", help="TOML file of keys, beside $HOLDFAST_KEYS")
    serve.add_argument("--model", metavar="WHERE", help="local, openai, gemini, ollama, or the address of an endpoint")
    serve.add_argument("--model-name", metavar="NAME", help="name of the model there; by default the pack's")
    _second_opinion(serve)
    serve.add_argument("--on-loop", choices=("warn", "retry", "replace"), default="warn", help="replies that repeat")
    command("mcp", "serve tools to a host of the Model Context Protocol, over stdio", "pack", "user", "project")


def _second_opinion(to: argparse.ArgumentParser) -> None:
    to.add_argument(
        "--second-opinion",
        metavar="WHERE",
        help="a model that reads what was not read and is asked where memory or the kind of a task is open: local, "
        "openai, gemini, ollama, or an address",
    )
    to.add_argument(
        "--opinions-per-hour", type=int, default=600, metavar="N", help="questions an hour to it (default: 600)"
    )
    to.add_argument("--reader", choices=TIERS, help="who reads English: linear alone, or the encoder where in doubt")


_SHARED: dict[str, dict[str, str]] = {
    "session": {"metavar": "ID", "help": "which conversation (default: that of this pack, or the newest)"},
    "pack": {"metavar": "PACK", "help": "name of a pack, or a .py file that defines PACK"},
    "user": {"metavar": "ID", "help": "whose conversations"},
    "project": {"metavar": "ID", "help": "project that the conversation belongs to"},
    "language": {"metavar": "CODE", "help": "tell it in en, ru or es (default: the conversation's)"},
    "json": {"action": "store_true", "help": "write JSON"},
}
"""Options that several commands have."""
