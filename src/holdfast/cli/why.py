"""`holdfast why`: the receipt of a turn, with the words that its rules fired on marked in the message."""

from __future__ import annotations

from argparse import Namespace

from holdfast.cli.log import turns
from holdfast.cli.receipts import full
from holdfast.cli.terminal import DIM, console, opened, plain


def run(options: Namespace) -> int:
    hf, chat = opened(options)
    with hf:
        past = chat.entry(chat.state.version if options.version is None else options.version)
        (turn,) = turns(hf, chat, [past])
        if options.json:
            print(turn.receipt.json())
            return 0
        screen = console()
        about = f"{chat.id}, version {past.version}, {past.role}, {past.time}"
        screen.print(plain(about, DIM))
        screen.print(full(past.text, turn.receipt))
    return 0
