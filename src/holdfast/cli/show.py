"""`holdfast show`: what is remembered, as a card."""

from __future__ import annotations

from argparse import Namespace

from rich.text import Text

from holdfast.cli.card import card
from holdfast.cli.terminal import DIM, console, opened, plain, spoken


def run(options: Namespace) -> int:
    hf, chat = opened(options)
    with hf:
        state = chat.state if options.at is None else chat.at(options.at)
        if options.json:
            print(state.json())
            return 0
        screen = console()
        words = spoken(options, chat)
        named = {"pack": hf.pack.name, "user": chat.user, "project": chat.project}
        whose = [words.around(what, name=name) for what, name in named.items() if name]
        about = ", ".join([*whose, words.around("state", version=state.version)])
        screen.print(plain(chat.id, "bold underline").append_text(plain(f"  {about}", DIM)), Text(""), sep="\n")
        screen.print(card(state, words))
    return 0
