"""`holdfast log`: the messages of a conversation with their versions, and under each, dimly, what it did."""

from __future__ import annotations

from argparse import Namespace
from collections.abc import Iterable, Iterator
from datetime import datetime

import msgspec
from rich.text import Text

from holdfast.cli import receipts
from holdfast.cli.terminal import DIM, console, opened, plain
from holdfast.events import MessageHeard, MessageSaid
from holdfast.session import Past

STYLES = {"person": "bold green", "agent": "bold cyan", "call": "yellow", "import": "yellow"}


def run(options: Namespace) -> int:
    hf, chat = opened(options)
    screen = console()
    with hf:
        page = chat.history(limit=options.last, before=options.before)
        if options.json:
            for past in page:
                print(msgspec.json.encode(_plain(past)).decode())
            return 0
        for line in lines(page):
            screen.print(line)
        if page and page[0].version > 1:
            screen.print(Text(f"older: holdfast log --session {chat.id} --before {page[0].version}", DIM))
    return 0


def lines(page: Iterable[Past]) -> Iterator[Text]:
    """One message per line, with its version, time and speaker."""
    for past in page:
        when = datetime.fromtimestamp(past.entry.at).strftime("%Y-%m-%d %H:%M")
        head = Text(f"{past.version:>5}  ", "bold").append(f"{when}  ", DIM)
        head.append(f"{_speaker(past)}  ", STYLES.get(past.role, ""))
        yield head.append_text(plain(past.text if past.text is not None else ""))
        note = receipts.brief(past.receipt)
        if note is not None:
            yield Text("       ").append_text(note)


def _speaker(past: Past) -> str:
    first = past.entry.events[0] if past.entry.events else None
    imported = " (imported)" if isinstance(first, (MessageHeard, MessageSaid)) and first.imported else ""
    name = f" {first.agent}" if isinstance(first, MessageSaid) and first.agent else ""
    return f"{past.role}{name}{imported}"


def _plain(past: Past) -> dict[str, object]:
    return {
        "version": past.version,
        "time": past.time,
        "role": past.role,
        "text": past.text,
        "receipt": past.receipt.lines,
    }
