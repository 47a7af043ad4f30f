"""`holdfast chat`: talk to a pack in the terminal, or pipe lines through it. A line that got its reply is stored."""

from __future__ import annotations

import sys
import threading
from argparse import Namespace
from collections.abc import Callable
from contextlib import suppress
from typing import Any

from rich.console import Console
from rich.padding import Padding
from rich.text import Text

from holdfast import agents
from holdfast.cli import card, receipts
from holdfast.cli.looking import table, turns
from holdfast.cli.terminal import DIM, ago, console, interactive, plain, replied, where
from holdfast.errors import HoldfastError, InvalidInput, Refused
from holdfast.events import MessageSaid
from holdfast.session import Holdfast, Session
from holdfast.stores import open_store
from holdfast.telling import Words, words
from holdfast.testing.conversations import find_pack
from holdfast.turn import Reply, Turn

PROMPT = "› "
LEAVING = ("/quit", "/exit", "/q")


def chat(options: Namespace) -> int:
    with open_store_for(options) as hf:
        name, user = options.session or hf.pack.name, options.user
        if user is None and "user" in hf.pack.requires and hf.store.session(name) is None:
            user = "me"  # at a terminal there is one person: a pack that needs a user should just start
        session = hf.session(name, user=user, project=options.project)
        if options.language:
            session.speak(options.language)
        talk = Talk(hf, session, quiet=options.quiet)
        if interactive():  # while the person reads and types; no daemon: Python must not end in the middle of C++ code
            threading.Thread(target=hf.pack.warm, name="holdfast-warm").start()
        code = talk.at_terminal(options.store) if interactive() else talk.piped()
        hf.settled(seconds=20)  # an opinion that is under way should still be stored
        return code


def open_store_for(options: Namespace) -> Holdfast:
    """The shell for the chat: an existing session goes on under its own pack."""
    store = open_store(options.store)
    known = store.session(options.session) if options.session else None
    name = options.pack or (known.pack if known else "general")
    pack = find_pack(name)
    hf = Holdfast(store, pack, second_opinion=second_opinion(options, pack.model), reader=options.reader)
    if known is not None and known.pack != hf.pack.name:
        raise Refused(
            f"session {known.name!r} was begun with the pack {known.pack!r}; leave --pack away, or name another session"
        )
    return hf


def second_opinion(options: Namespace, name: str | None) -> Callable[[list[dict[str, str]]], str] | None:
    """The model to ask in doubt, where one was asked for."""
    if not options.second_opinion:
        return None
    from holdfast.models import endpoints as models

    if options.second_opinion == "local":
        return models.SecondOpinion(models.Local(), per_hour=options.opinions_per_hour)
    at = models.upstream(options.second_opinion, options.model_name)
    return models.SecondOpinion(at, name, options.opinions_per_hour) if at is not None else None


class Talk:
    """One chat on one console."""

    def __init__(self, hf: Holdfast, chat: Session, quiet: bool = False) -> None:
        self.hf = hf
        self.chat = chat
        self.quiet = quiet
        self.turn: Turn | None = None
        self.screen: Console = console()
        self.commands: dict[str, tuple[str, Callable[[str], None]]] = {
            "/show": ("what is remembered", self.show),
            "/why": ("why the last turn, or that version, did what it did", self.why),
            "/prompt": ("what the agent was told last", self.prompt),
            "/log": ("the last messages", self.log),
            "/clear": ("remove one thing by name, or everything", self.clear),
            "/undo": ("take the newest thing that was remembered back", self.undo),
            "/help": ("this list", self.help),
            "/quit": ("leave; the conversation stays", self.help),
        }

    def at_terminal(self, store: str) -> int:
        """Ask for lines until the person leaves."""
        with suppress(ImportError):  # gives input() its history and keys, where there is one
            import readline  # noqa: F401
        self._welcome(store)
        with suppress(EOFError, KeyboardInterrupt):
            while (line := input(PROMPT)).strip() not in LEAVING:
                self.answer(line)
                self.screen.print()
            return 0
        self.screen.print()
        return 0

    def piped(self) -> int:
        """Every line of the input is a message; the exit code tells if one could not be taken."""
        refused = 0
        for line in sys.stdin:
            if line.strip() in LEAVING:
                break
            refused += not self.answer(line.rstrip("\r\n"))
            sys.stdout.flush()  # a reply that is seen is a turn that is stored
        return 2 if refused else 0

    def answer(self, line: str) -> bool:
        """Take one line; False if it could not be taken."""
        try:
            if not self._command(line.strip()) and (line.strip() or self.hf.pack.hears_silence):
                self._message(line)
        except HoldfastError as wrong:
            sys.stdout.flush()
            console(stderr=True).print(Text(f"holdfast: {wrong}", "red"))
            return False
        return True

    @property
    def words(self) -> Words:
        """What turns did is told in the language of the conversation."""
        return words(self.chat.state.conversation.language)

    def _command(self, line: str) -> bool:
        word, _, rest = line.partition(" ")
        if word in self.commands:
            self.commands[word][1](rest.strip())
            return True
        if word.startswith("/") and not rest and word[1:].isalpha():
            raise InvalidInput(f"there is no command {word}; /help lists them all")
        return False

    def _message(self, line: str) -> None:
        self.turn = self.chat.hear(line)
        self._note(receipts.brief(self.turn.receipt, self.words))
        if self.hf.pack.agent is None:
            self._note(Text(f"the pack {self.hf.pack.name} has no agent of its own; yours would be sent:", DIM))
            self.screen.print(plain(self.turn.prompt))
            if self.turn.question is not None:
                self._note(plain(f"and it should ask: {self.turn.question}", DIM))
            return
        try:
            for reply in agents.run(self.hf.pack.agent, self.turn, self.chat):
                self._reply(reply)
        except KeyboardInterrupt:  # the agent is stopped, not the chat; at the prompt the same key leaves
            if not interactive():
                raise
            self._stopped()

    def _stopped(self) -> None:
        """The person interrupted the agent: a task at hand is paused, and the next message continues it."""
        self.screen.print()
        if "task" in self.chat.state.session.slices:
            self._note(receipts.brief(self.chat.interrupt().receipt, self.words))

    def _reply(self, reply: Reply) -> None:
        said = reply.newest(MessageSaid)
        text = Text()
        if said is not None and said.agent:
            text.append(f"{said.agent}: ", "bold cyan")
        self.screen.print(text.append_text(replied(reply.text)))
        self._note(receipts.brief(reply.receipt, self.words, quiet={*receipts.QUIET, "learned", "resolved"}))

    def _note(self, note: Text | None) -> None:
        if note is not None and not self.quiet:
            self.screen.print(Padding(note, (0, 0, 0, 2), expand=False))

    def _welcome(self, store: str) -> None:
        version = self.chat.state.version
        pack = self.hf.pack
        self.screen.print(
            Text("Holdfast", "bold"), plain(f"· {pack.name}: {pack.summary}" if pack.summary else pack.name)
        )
        place = f"session {self.chat.id} in {where(store)}"
        since = f", {version} entries, the last {ago(self.chat.entry(version).entry.at)}" if version else ", new"
        self.screen.print(plain(f"{place}{since}. /help lists commands, /quit leaves.", DIM), end="\n\n")

    def show(self, rest: str) -> None:
        self.screen.print(card.card(self.chat.state, self.words))

    def why(self, rest: str) -> None:
        if rest and not rest.isdigit():
            raise InvalidInput("/why takes the version of a turn, a number; /log shows them")
        version = int(rest) if rest else self.turn.version if self.turn else self.chat.state.version
        if not version:
            raise InvalidInput("nothing was said yet in this conversation; write a message first")
        (turn,) = turns(self.chat, [self.chat.entry(version)])
        self.screen.print(receipts.full(turn.past.text, turn.receipt, self.words))

    def prompt(self, rest: str) -> None:
        if self.turn is None:
            raise InvalidInput("nothing was said yet in this chat; write a message first")
        for title, text in (("system", self.turn.system), ("prompt", self.turn.prompt)):
            self.screen.print(Text(title, "bold"))
            self.screen.print(plain(text or "nothing"))

    def log(self, rest: str) -> None:
        self.screen.print(table(turns(self.chat, self.chat.history(limit=20)), self.words))

    def clear(self, rest: str) -> None:
        done = self.chat.clear(None if rest in ("", "everything") else rest)
        self._note(receipts.brief(done.receipt, self.words))

    def undo(self, rest: str) -> None:
        memory: Any = getattr(self.chat, "memory", None)
        if memory is None or not self.chat.pack.has("memory"):
            raise Refused(f"the pack {self.hf.pack.name} keeps no memory to undo; /clear removes one thing by name")
        newest = max(memory.items(), key=lambda item: item.recorded, default=None)
        if newest is None:
            raise Refused("nothing is remembered that could be taken back")
        memory.undo(newest.id)
        (done,) = turns(self.chat, [self.chat.entry(self.chat.state.version)])
        self._note(receipts.brief(done.receipt, self.words))

    def help(self, rest: str) -> None:
        for name, (summary, _) in self.commands.items():
            self.screen.print(Text(f"  {name:<9}", "cyan"), Text(summary))
        names = sorted({name for faculty in self.hf.pack.faculties for name in faculty.clears(self.chat.state)})
        if names:
            self.screen.print(plain(f"  /clear takes now: {', '.join(names)}", DIM))
