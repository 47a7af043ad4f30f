"""`holdfast show`: what is remembered, as a card."""

from __future__ import annotations

from argparse import Namespace

from rich.text import Text

from holdfast.cli.card import card
from holdfast.cli.terminal import DIM, console, opened, plain


def run(options: Namespace) -> int:
    hf, chat = opened(options)
    with hf:
        state = chat.state if options.at is None else chat.at(options.at)
        if options.json:
            print(state.json())
            return 0
        screen = console()
        whose = [f"user {chat.user}"] * bool(chat.user) + [f"project {chat.project}"] * bool(chat.project)
        about = ", ".join([f"pack {hf.pack.name}", *whose, f"version {state.version}"])
        screen.print(plain(chat.id, "bold underline").append_text(plain(f"  {about}", DIM)), Text(""), sep="\n")
        screen.print(card(state))
    return 0
