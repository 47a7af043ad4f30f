"""`holdfast memory`: what is remembered, each item with its chain; and, of a person or a project, adding to it,
correcting it and letting go of it."""

from __future__ import annotations

from argparse import Namespace
from collections.abc import Callable
from typing import NamedTuple

from rich.table import Table

from holdfast.cli.terminal import DIM, ago, console, existing_store, opened, plain, print_json
from holdfast.errors import InvalidInput, Refused
from holdfast.faculties.facts.memos import ItemRestored
from holdfast.faculties.facts.relations import Memo
from holdfast.history.recall import Found, told
from holdfast.memory import SessionMemory
from holdfast.owned import OwnedMemory, Written
from holdfast.session import Holdfast
from holdfast.telling import ENGLISH, words
from holdfast.testing.conversations import find_pack


class _Looks(NamedTuple):
    """How to look into a memory, of a conversation or of an owner."""

    items: Callable[..., list[Memo]]
    search: Callable[..., list[Found]]
    chain: Callable[[str], list[Memo]]


def run(options: Namespace) -> int:
    if options.session is None and (options.user or options.project):
        store = options.store if options.action == "add" else existing_store(options.store)
        with Holdfast(store, find_pack(options.pack or "general")) as hf:
            return _of_owner(hf.memory(options.user, options.project), options)
    if options.action in ("add", "delete-all"):
        raise InvalidInput(f"say whose memory: holdfast memory {options.action} --user ID, or --project ID")
    hf, chat = opened(options)
    with hf:
        if not chat.pack.has("memory"):
            raise Refused(f"the pack {hf.pack.name} keeps no memory to look into")
        return _of_conversation(chat.memory, options)


def _of_conversation(memory: SessionMemory, options: Namespace) -> int:
    match options.action:
        case "update":
            return _tell([Written("UPDATE", memory.edit(_id(options), _value(options)))], options.json)
        case "delete":
            gone = memory.get(_id(options))
            (memory.forget if options.erase else memory.retract)(gone.id)
            return _tell([Written("DELETE", memory.get(gone.id))], options.json)
        case "undo":
            back = memory.undo(_id(options)).events
            return _tell(
                [Written("ADD", event.item) for event in back if isinstance(event, ItemRestored)], options.json
            )
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
        style = "" if memo.current else DIM
        table.add_row(
            plain(memo.slot or memo.kind, "bold"), plain(past, style), plain(memo.id, "cyan"), plain(_about(memo), DIM)
        )
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
