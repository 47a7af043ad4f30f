"""Commands that look at a store: `show`, `memory`, `insights`, `sessions`, `search`, `log` and `why`. Only `memory` can
change something: what is remembered of a person, for a project or in a conversation."""

from __future__ import annotations

import re
from argparse import Namespace
from collections.abc import Callable, Iterable, Sequence
from datetime import datetime
from typing import NamedTuple

from rich.padding import Padding
from rich.table import Table
from rich.text import Text

from holdfast.cli import receipts
from holdfast.cli.card import card
from holdfast.cli.terminal import DIM, ago, clip, console, holdfast, opened, plain, print_json, shown, spoken
from holdfast.errors import InvalidInput, Refused
from holdfast.events import MessageHeard, MessageSaid
from holdfast.faculties.facts.memos import ItemRestored
from holdfast.faculties.facts.relations import Memo
from holdfast.history.recall import Found, told
from holdfast.history.whatif import recorded
from holdfast.history.whole import receipts as whole_receipts
from holdfast.memory import SessionMemory
from holdfast.owned import OwnedMemory, Written
from holdfast.reading.text import fold
from holdfast.receipt import Receipt
from holdfast.session import Past, Session
from holdfast.telling import ENGLISH, Words, said, words

STYLES = {"person": "bold green", "agent": "bold cyan", "call": "yellow", "import": "yellow"}
AROUND = 160
"""Characters of a long message that are shown on either side of the first word that was found."""
MAX_LISTED = 1000
LOOKED_AT = 20
"""Newest entries among which the last message of the person is looked for."""
_WORD = re.compile(r"\w+")


def show(options: Namespace) -> int:
    """What is remembered, as a card."""
    with opened(options) as chat:
        state = chat.state if options.at is None else chat.at(options.at)
        if options.json:
            print(state.json())
            return 0
        screen, words = console(), spoken(options, chat)
        named = {"pack": chat.pack.name, "user": chat.user, "project": chat.project}
        whose = [words.around(what, name=name) for what, name in named.items() if name]
        about = ", ".join([*whose, words.around("state", version=state.version)])
        screen.print(plain(chat.id, "bold underline").append_text(plain(f"  {about}", DIM)), Text(""), sep="\n")
        screen.print(card(state, words))
    return 0


def sessions(options: Namespace) -> int:
    """The conversations of a store."""
    with holdfast(options) as hf:
        found = [info for info in recorded(hf) if options.user in (None, info.user)]
    if options.json:
        return print_json(found)
    table = Table.grid(padding=(0, 2))
    for info in sorted(found, key=lambda info: -info.changed):
        whose = " ".join(filter(None, (info.user, info.project)))
        since = plain(f"{info.version} entries, {ago(info.changed)}", DIM)
        preview = plain(clip(info.preview, 60))
        table.add_row(plain(info.name, "bold"), plain(info.pack, "cyan"), plain(whose), since, preview)
    console().print(table if found else plain("no conversations yet; begin one with “holdfast chat”", DIM))
    return 0


def insights(options: Namespace) -> int:
    """Which keys are unstable, which decisions did not last, and where an unmarked change is asked about."""
    with opened(options) as chat:
        found, words = _memory_of(chat).insights(), spoken(options, chat)
    if options.json:
        return print_json([found])
    table = Table.grid(padding=(0, 2))
    for key in sorted(found.keys, key=lambda key: (not key.unstable, key.key)):
        asks = words.say(said("insight.asks")) if key.key in found.ask_first else ""
        table.add_row(plain(key.key, "bold"), plain(words.say(key.counts())), plain(asks, DIM))
    for decision in found.decisions:
        name, mark = decision.subject or words.name("decision"), words.say(said("insight.reversed"))
        table.add_row(plain(name, "bold"), plain(words.say(decision.told())), plain(mark, "red"))
    console().print(table if found.keys else plain(words.around("empty"), DIM))
    return 0


def _memory_of(chat: Session) -> SessionMemory:
    if not chat.pack.has("memory"):
        raise Refused(f"the pack {chat.pack.name} keeps no memory to look into")
    return chat.memory


# Messages ------------------------------------------------------------------------------------------------------------


class Turn(NamedTuple):
    past: Past
    receipt: Receipt


def turns(chat: Session, page: list[Past]) -> list[Turn]:
    """Messages with their receipts, which also tell what went to the logs of the user and the project."""
    return list(map(Turn, page, whole_receipts(chat, [past.entry for past in page])))


def log(options: Namespace) -> int:
    """The messages of a conversation with their versions, and under each, dimly, what it did."""
    with opened(options) as chat:
        page = turns(chat, chat.history(limit=options.last, before=options.before))
        if options.json:
            fields = ("version", "time", "role", "text")
            lines = ({**{name: getattr(past, name) for name in fields}, "receipt": did.lines} for past, did in page)
            return print_json(lines)
        screen, words = console(), spoken(options, chat)
        screen.print(table(page, words))
        if page and page[0].past.version > 1:
            command = f"holdfast log --session {chat.id} --before {page[0].past.version}"
            screen.print(plain(words.around("older", command=command), DIM))
    return 0


def table(page: Iterable[Turn], words: Words) -> Table:
    """One message per row, with its version, time and speaker; under it what it did."""
    grid = Table.grid(padding=(0, 2))
    for style in ("bold", DIM, "", ""):
        grid.add_column(style=style, no_wrap=style != "", overflow="fold")
    for past, receipt in page:
        when = datetime.fromtimestamp(past.entry.at).strftime("%Y-%m-%d %H:%M")
        text = plain(shown(past.text or ""))
        note = receipts.brief(receipt, words)
        if note is not None:
            text = Text("\n").join([text, note]) if text else note
        grid.add_row(str(past.version), when, plain(_speaker(past, words), STYLES.get(past.role, "")), text)
    return grid


def _speaker(past: Past, words: Words) -> str:
    first = past.entry.events[0] if past.entry.events else None
    name = f" {first.agent}" if isinstance(first, MessageSaid) and first.agent else ""
    imported = isinstance(first, (MessageHeard, MessageSaid)) and first.imported
    return f"{words.around(past.role)}{name}" + (f" ({words.around('imported')})" if imported else "")


def why(options: Namespace) -> int:
    """The receipt of a turn, with the words that its rules fired on marked in the message. Without a version, of the
    last message of the person: what came of it is what one asks about."""
    with opened(options) as chat:
        heard = (past.version for past in reversed(chat.history(limit=LOOKED_AT)) if past.role == "person")
        ((past, receipt),) = turns(chat, [chat.entry(options.version or next(heard, chat.state.version))])
        if options.json:
            print(receipt.json())
            return 0
        screen, words = console(), spoken(options, chat)
        role = words.around(past.role)
        about = words.around("about", session=chat.id, version=past.version, role=role, time=past.time)
        screen.print(plain(about, DIM))
        screen.print(receipts.full(past.text, receipt, words))
    return 0


def search(options: Namespace) -> int:
    """Messages of all conversations that hold the words, best first, with the words marked."""
    query = " ".join(options.words)
    if not _WORD.search(query):
        raise InvalidInput("name a word to look for")
    if not 1 <= options.last <= MAX_LISTED:
        raise InvalidInput(f"-n takes a number from 1 to {MAX_LISTED:,}")
    with holdfast(options) as hf:
        if options.session is not None:
            found = hf.existing(options.session).search(query, options.last)
        else:
            found = hf.search(query, options.last, user=options.user)
    if options.json:
        return print_json(found)
    screen = console()
    for hit in found:
        about = plain(f"  version {hit.version}, {hit.role}, {ago(hit.at)}", DIM)
        screen.print(plain(hit.session, "bold").append_text(about))
        screen.print(Padding(marked(hit.text, _WORD.findall(fold(query))), (0, 0, 1, 2), expand=False))
    if not found:
        screen.print(plain(f"no message holds {query!r}", DIM))
    return 0 if found else 1


def marked(text: str, words: Sequence[str]) -> Text:
    """The message, or the part of a long one where the words are, with the words marked."""
    places = [found.span() for found in _WORD.finditer(text) if fold(found[0]) in words]
    first = places[0][0] if places else 0
    start, end = max(0, first - AROUND), min(len(text), first + AROUND)
    start, end = (0, len(text)) if len(text) <= 2 * AROUND else (start, end)
    shown = Text("…" if start else "")
    place = start
    for begin, stop in places:
        if start <= begin and stop <= end:
            shown.append_text(plain(text[place:begin])).append_text(plain(text[begin:stop], "bold yellow"))
            place = stop
    return shown.append_text(plain(text[place:end])).append("…" if end < len(text) else "")


# What is remembered --------------------------------------------------------------------------------------------------


class _Looks(NamedTuple):
    """How to look into a memory, of a conversation or of an owner."""

    items: Callable[..., list[Memo]]
    search: Callable[..., list[Found]]
    chain: Callable[[str], list[Memo]]


def memory(options: Namespace) -> int:
    """What is remembered, each item with its chain; and, of a person or a project, adding to it, correcting it and
    letting go of it."""
    if options.session is None and (options.user or options.project):
        with holdfast(options, must_exist=options.action != "add") as hf:
            return _of_owner(hf.memory(options.user, options.project), options)
    if options.action in ("add", "delete-all"):
        raise InvalidInput(f"say whose memory: holdfast memory {options.action} --user ID, or --project ID")
    with opened(options) as chat:
        return _of_conversation(_memory_of(chat), options)


def _of_conversation(memory: SessionMemory, options: Namespace) -> int:
    match options.action:
        case "update":
            return _tell([Written("UPDATE", memory.edit(_id(options), _value(options)))], options.json)
        case "delete":
            gone = memory.get(_id(options))
            (memory.forget if options.erase else memory.retract)(gone.id)
            return _tell([Written("DELETE", memory.get(gone.id))], options.json)
        case "undo":
            back = memory.undo(_id(options)).all(ItemRestored)
            return _tell([Written("ADD", event.item) for event in back], options.json)
    return _look(_Looks(memory.items, memory.search, memory.chain), options)


def _of_owner(memory: OwnedMemory, options: Namespace) -> int:
    match options.action:
        case "add":
            return _tell(memory.add(" ".join(options.words)), options.json)
        case "update":
            return _tell([Written("UPDATE", memory.update(_id(options), _value(options)))], options.json)
        case "delete":
            memory.delete(_id(options), erase=options.erase)
            return _tell([Written("DELETE", memory.get(_id(options)))], options.json)
        case "delete-all":
            gone = memory.get_all()
            memory.delete_all()
            return _tell([Written("DELETE", memo) for memo in gone], options.json)
        case "undo":
            return _tell([Written("ADD", memo) for memo in memory.undo(_id(options))], options.json)
    return _look(_Looks(memory.get_all, memory.search, memory.history), options)


def _value(options: Namespace) -> str:
    return " ".join(options.words[1:])


def _id(options: Namespace) -> str:
    if not options.words:
        raise InvalidInput(f"{options.action} needs the id of an item; holdfast memory list shows them")
    return str(options.words[0])


def _look(memory: _Looks, options: Namespace) -> int:
    if options.action == "history":
        found = memory.chain(_id(options))
    elif options.action == "search":
        found = [hit.item for hit in memory.search(" ".join(options.words), k=20, history=options.history)]
    else:
        found = memory.items(history=options.history)
        found.sort(key=lambda memo: (not memo.current, memo.kind, memo.slot, memo.recorded))
    if options.json:
        return print_json(found)
    table = Table.grid(padding=(0, 2))
    for memo in found:
        past = memo.text or memo.value if options.action == "history" else told(memory.chain(memo.id))
        name, value = plain(memo.slot or memo.kind, "bold"), plain(past, "" if memo.current else DIM)
        table.add_row(name, value, plain(memo.id, "cyan"), plain(_about(memo), DIM))
    console().print(table if found else plain("nothing is remembered that fits", DIM))
    return 0


def _about(memo: Memo) -> str:
    about = f"{memo.confidence:.2f} {memo.lifespan}, {ago(memo.recorded)}"
    reader = memo.details.get("second_opinion")
    return f"{about}, {words(ENGLISH).around('by_model', name=reader)}" if reader else about


def _tell(written: list[Written], as_json: bool) -> int:
    if as_json:
        return print_json({"event": event, "item": item} for event, item in written)
    table = Table.grid(padding=(0, 2))
    for event, memo in written:
        what = "(erased)" if memo.forgotten else memo.text or memo.value
        table.add_row(plain(event, "bold"), plain(memo.slot or memo.kind), plain(what), plain(memo.id, "cyan"))
    console().print(table if written else plain("nothing was kept: it tells nothing that lasts", DIM))
    return 0
