"""`holdfast forget`: erase for good, after asking."""

from __future__ import annotations

import sys
from argparse import Namespace
from collections.abc import Callable
from contextlib import suppress

from holdfast import pack as packs
from holdfast.cli.terminal import console, count, existing_store, plain
from holdfast.errors import PackError, Refused, UnknownPack, UnknownSession
from holdfast.history.whatif import recorded
from holdfast.session import Holdfast
from holdfast.stores.protocol import Key, Kind, SessionInfo


def run(options: Namespace) -> int:
    kind, name = next((kind, name) for kind in _KINDS if (name := getattr(options, kind)) is not None)
    with Holdfast(existing_store(options.store)) as hf:
        infos = _conversations(hf, kind, name)
        rows = _rows(hf, kind, name, infos)
        if not rows:
            raise UnknownSession(f"there is no {kind} {name!r} in this store; “holdfast sessions” lists what there is")
        what = f"{kind} {name!r}" + (f" with {count(len(infos), 'conversation')}" if kind == "user" else "")
        if not (options.yes or _agrees(what, rows)):
            console().print(plain("nothing was erased"))
            return 1
        gone = hf.forget(**{kind: name})
        for info in infos:
            _forget_files(info)
        console().print(plain(f"erased {what}: {count(gone, 'row')} gone for good"))
    return 0


def _conversations(hf: Holdfast, kind: Kind, name: str) -> list[SessionInfo]:
    """The conversations that go with what is erased; what a project remembers has none of its own."""
    if kind == "project":
        return []
    return [info for info in recorded(hf) if (info.user if kind == "user" else info.name) == name]


def _rows(hf: Holdfast, kind: Kind, name: str, infos: list[SessionInfo]) -> int:
    """Rows of a log, and for a user those of their conversations."""
    theirs = infos if kind == "user" else []
    return hf.store.version(Key(kind, name)) + sum(hf.store.version(Key("session", info.name)) for info in theirs)


def _forget_files(info: SessionInfo) -> None:
    """What the pack's agent made in a conversation goes with it."""
    with suppress(PackError, UnknownPack):  # of a pack that is no longer installed
        forget: Callable[[str], None] | None = getattr(packs.load(info.pack).agent, "forget", None)
        if forget is not None:
            forget(info.name)


_KINDS: tuple[Kind, ...] = ("session", "user", "project")


def _agrees(what: str, rows: int) -> bool:
    if not sys.stdin.isatty():
        raise Refused(f"erasing {what} cannot be undone and nobody is here to ask; say --yes if you mean it")
    console().print(plain(f"This erases {what}, {rows} rows, for good. It cannot be undone."))
    try:
        said = input("Type yes to go on: ").strip().casefold()
    except EOFError:
        return False
    return any(said in str(language.get("yes", "")).split() for language in packs.load("general").spoken.values())
