"""`holdfast log`: the messages of a conversation with their versions, and under each, dimly, what it did."""

from __future__ import annotations

from argparse import Namespace
from collections.abc import Iterable
from datetime import datetime
from typing import NamedTuple

from rich.table import Table
from rich.text import Text

from holdfast.cli.receipts import brief
from holdfast.cli.terminal import DIM, console, opened, plain, print_json, shown, spoken
from holdfast.events import MessageHeard, MessageSaid
from holdfast.history.whole import receipts
from holdfast.receipt import Receipt
from holdfast.session import Past, Session
from holdfast.telling import Words

STYLES = {"person": "bold green", "agent": "bold cyan", "call": "yellow", "import": "yellow"}


def run(options: Namespace) -> int:
    hf, chat = opened(options)
    screen = console()
    with hf:
        page = turns(chat, chat.history(limit=options.last, before=options.before))
        if options.json:
            return print_json(map(_plain, page))
        words = spoken(options, chat)
        screen.print(table(page, words))
        if page and page[0].past.version > 1:
            command = f"holdfast log --session {chat.id} --before {page[0].past.version}"
            screen.print(plain(words.around("older", command=command), DIM))
    return 0


class Turn(NamedTuple):
    """A message or call, with all that it did."""

    past: Past
    receipt: Receipt


def turns(chat: Session, page: list[Past]) -> list[Turn]:
    """Messages with their receipts, which also tell what went to the logs of the user and the project."""
    return list(map(Turn, page, receipts(chat, [past.entry for past in page])))


def table(page: Iterable[Turn], words: Words) -> Table:
    """One message per row, with its version, time and speaker; under it what it did."""
    grid = Table.grid(padding=(0, 2))
    for style in ("bold", DIM, "", ""):
        grid.add_column(style=style, no_wrap=style != "", overflow="fold")
    for past, receipt in page:
        when = datetime.fromtimestamp(past.entry.at).strftime("%Y-%m-%d %H:%M")
        said = plain(shown(past.text or ""))
        note = brief(receipt, words)
        if note is not None:
            said = Text("\n").join([said, note]) if said else note
        grid.add_row(str(past.version), when, plain(_speaker(past, words), STYLES.get(past.role, "")), said)
    return grid


def _speaker(past: Past, words: Words) -> str:
    first = past.entry.events[0] if past.entry.events else None
    imported = (
        f" ({words.around('imported')})" if isinstance(first, (MessageHeard, MessageSaid)) and first.imported else ""
    )
    name = f" {first.agent}" if isinstance(first, MessageSaid) and first.agent else ""
    return f"{words.around(past.role)}{name}{imported}"


def _plain(turn: Turn) -> dict[str, object]:
    past = turn.past
    return {
        "version": past.version,
        "time": past.time,
        "role": past.role,
        "text": past.text,
        "receipt": turn.receipt.lines,
    }
