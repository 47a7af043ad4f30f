"""`holdfast why`: the receipt of a turn, with the words that its rules fired on marked in the message."""

from __future__ import annotations

from argparse import Namespace

from holdfast.cli.log import turns
from holdfast.cli.receipts import full
from holdfast.cli.terminal import DIM, console, opened, plain, spoken
from holdfast.session import Session

LOOKED_AT = 20
"""Newest entries among which the last message of the person is looked for."""


def run(options: Namespace) -> int:
    hf, chat = opened(options)
    with hf:
        past = chat.entry(newest(chat) if options.version is None else options.version)
        (turn,) = turns(chat, [past])
        if options.json:
            print(turn.receipt.json())
            return 0
        screen = console()
        words = spoken(options, chat)
        role = words.around(past.role)
        screen.print(
            plain(words.around("about", session=chat.id, version=past.version, role=role, time=past.time), DIM)
        )
        screen.print(full(past.text, turn.receipt, words))
    return 0


def newest(chat: Session) -> int:
    """The last message of the person: what came of it is what one asks about. Without one, the newest entry."""
    heard = (past.version for past in reversed(chat.history(limit=LOOKED_AT)) if past.role == "person")
    return next(heard, chat.state.version)
