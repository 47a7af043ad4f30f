"""What all commands share: the console, a progress bar, and the store that the options name."""

from __future__ import annotations

import re
import sys
import time
from argparse import Namespace
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import IO, Any, TypeVar, cast
from urllib.parse import urlsplit

import msgspec
from rich.console import Console
from rich.text import Text

from holdfast.errors import InvalidInput, UnknownSession
from holdfast.history.whatif import recorded
from holdfast.session import Holdfast, Session
from holdfast.stores import open_store
from holdfast.stores.protocol import SessionInfo, Store
from holdfast.telling import Words, languages, words
from holdfast.testing.conversations import find_pack

Thing = TypeVar("Thing")

DIM = "bright_black"
WIDE = 1 << 20
"""Columns of a pipe: as wide as the longest message, so that no line is ever folded."""
_BLANKS = re.compile(r" +\n")
_CONTROLS = dict.fromkeys([*range(32), *range(127, 160)], "\N{REPLACEMENT CHARACTER}")
_CONTROLS.update({ord("\n"): "\n", ord("\t"): "    ", ord("\r"): ""})


def console(stderr: bool = False) -> Console:
    """Colours and wrapped lines on a terminal; plain whole lines in a pipe."""
    screen = Console(stderr=stderr, highlight=False, markup=False, emoji=False)
    if screen.is_terminal:
        return screen
    file = cast(IO[str], _Trimmed(sys.stderr if stderr else sys.stdout))
    return Console(file=file, highlight=False, markup=False, emoji=False, width=WIDE, color_system=None)


class _Trimmed:
    """A stream that drops the blanks which a table puts after the last word of a line."""

    def __init__(self, stream: IO[str]) -> None:
        self._stream = stream

    def write(self, text: str) -> int:
        return self._stream.write(_BLANKS.sub("\n", text))

    def flush(self) -> None:
        self._stream.flush()


def plain(text: str, style: str = "") -> Text:
    """Somebody's words, which may steer neither the terminal nor our markup."""
    return Text(text.translate(_CONTROLS), style)


def replied(text: str) -> Text:
    """An agent's words, with what it wrote in bold shown so."""
    shown = Text()
    for place, piece in enumerate(re.split(r"\*\*([^*\n]{1,200})\*\*", text)):
        shown.append_text(plain(piece, "bold" if place % 2 else ""))
    return shown


def print_json(rows: Iterable[Any]) -> int:
    """A line of JSON for each, and the exit code of a command that is done by that."""
    for row in rows:
        print(msgspec.json.encode(row._asdict() if hasattr(row, "_asdict") else row).decode())
    return 0


def clip(text: str, most: int = 200) -> str:
    text = " ".join(text.split())
    return text if len(text) <= most else text[: most - 1] + "…"


def shown(text: str, most: int = 2000) -> str:
    """A message, cut if it would drown the rest; --json has all of it."""
    return text if len(text) <= most else f"{text[:most]}… ({len(text):,} characters in all)"


def count(number: int, what: str) -> str:
    return f"{number:,} {what}{'' if number == 1 else 's'}"


def track(things: Iterable[Thing], what: str, total: int | None = None) -> Iterator[Thing]:
    """The things one by one, with a bar for people who wait (and none in a pipe)."""
    screen = console(stderr=True)
    if not screen.is_terminal:
        yield from things
        return
    from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn

    columns = (TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn(), TimeRemainingColumn())
    with Progress(*columns, console=screen, transient=True) as progress:
        task = progress.add_task(what, total=total if total != 1 else None)  # one long step: show that it goes on
        for thing in things:
            yield thing
            progress.advance(task)


def existing_store(address: str) -> Store:
    """The store, which must be there: reading commands create none."""
    file = store_file(address)
    if file is not None and not file.exists():
        raise UnknownSession(
            f"there is no store at {file}; begin one with “holdfast chat”, or name yours with --store or HOLDFAST_STORE"
        )
    return open_store(address)


def store_file(address: str) -> Path | None:
    if address.startswith("sqlite:///"):
        path = urlsplit(address).path[1:]
        return Path(path) if path and path != ":memory:" else None
    return Path(address) if "://" not in address and address != ":memory:" else None


def where(address: str) -> str:
    """The address of a store as people may see it: no password, no scheme that goes without saying."""
    scheme, _, rest = address.removeprefix("sqlite:///").rpartition("://")
    return f"{scheme}://{rest.rpartition('@')[2]}" if scheme else rest


def holdfast(options: Namespace, must_exist: bool = True) -> Holdfast:
    """A shell over the store that the options name, with the pack that they name."""
    name = getattr(options, "pack", None)
    store = existing_store(options.store) if must_exist else open_store(options.store)
    return Holdfast(store, find_pack(name or "general"))


@contextmanager
def opened(options: Namespace) -> Iterator[Session]:
    """The session that the options name, or the one with the newest message, read by the pack that recorded it."""
    hf = holdfast(options)
    info = _chosen(hf, options.session, options.user)
    if options.pack is None and info.pack != hf.pack.name:
        hf = Holdfast(hf.store, info.pack)
    with hf:
        yield hf.existing(info.name)


def spoken(options: Namespace, chat: Session) -> Words:
    """The words for what a turn did: in the language that was asked for, or in that of the conversation."""
    asked: str | None = options.language
    if asked is not None and asked not in languages():
        raise InvalidInput(f"receipts are not told in {asked!r}; take one of {', '.join(languages())}")
    return words(asked or chat.state.conversation.language)


def _chosen(hf: Holdfast, name: str | None, user: str | None) -> SessionInfo:
    if name is not None:
        return next(recorded(hf, name))
    newest = hf.store.newest(user, limit=1)
    if not newest:
        whose = f" of user {user!r}" if user else ""
        raise UnknownSession(f"this store holds no conversation{whose} yet; begin one with “holdfast chat”")
    return newest[0]


def ago(at: float) -> str:
    """How long since, in words."""
    seconds = max(0, int(time.time() - at))
    for size, unit in ((86_400, "day"), (3600, "hour"), (60, "minute")):
        if seconds >= size:
            count = seconds // size
            return f"{count} {unit}{'s' if count > 1 else ''} ago"
    return "just now"


def interactive() -> bool:
    return sys.stdin.isatty() and sys.stdout.isatty()
