"""Commands that bring conversations out, in, into another store, or away for good: `export`, `import`, `migrate`,
`forget` and `compact`."""

from __future__ import annotations

import hashlib
import sys
import time
from argparse import Namespace
from collections.abc import Callable, Iterator
from contextlib import nullcontext
from pathlib import Path

import msgspec

from holdfast import pack as packs
from holdfast.cli.terminal import console, count, existing_store, holdfast, plain, track, where
from holdfast.errors import InvalidInput, Refused, UnknownSession
from holdfast.exchange import archive, migration
from holdfast.exchange import transcripts as exchange
from holdfast.history.whatif import Shells, recorded
from holdfast.session import Holdfast
from holdfast.stores.protocol import Key, Kind, SessionInfo
from holdfast.testing.conversations import find_pack

SCOPES: tuple[Kind, ...] = ("session", "user", "project")
LOOK = 0.1
"""Seconds between two looks at a store that is at work."""


def export(options: Namespace) -> int:
    """Conversations out, as our JSONL, message lists or conversation files; or everything, as an archive."""
    if options.pack:
        find_pack(options.pack)  # conversations of a pack in a file can be read once it is loaded
    if options.format != "archive" and (options.user or options.project):
        raise InvalidInput("--user and --project go with --format archive; other formats take --session")
    with Holdfast(existing_store(options.store)) as hf:
        parts, many = (_archived if options.format == "archive" else _told)(hf, options), 0
        with Path(options.output).open("w", encoding="utf-8") if options.output else nullcontext(sys.stdout) as file:
            for part, counts in parts:
                file.write(part)
                many += counts
    if options.output:
        what = "row" if options.format == "archive" else "conversation"
        console(stderr=True).print(plain(f"{count(many, what)} written to {options.output}"))
    return 0


def _archived(hf: Holdfast, options: Namespace) -> Iterator[tuple[str, bool]]:
    """The lines of an archive, each with whether it is a row of a log."""
    chosen = {name: value for name in SCOPES if (value := getattr(options, name)) is not None}
    for number, line in enumerate(archive.lines(hf, **chosen)):
        yield f"{line}\n", number > 0 and not line.startswith('{"log"')


def _told(hf: Holdfast, options: Namespace) -> Iterator[tuple[str, bool]]:
    """The parts of conversations, each with whether it begins one."""
    sessions, shells, alone = list(recorded(hf, options.session)), Shells(hf), options.session is not None
    for info in track(sessions, "exporting", len(sessions)):
        for number, part in enumerate(_written(shells.of(info.pack), info, options.format, alone)):
            yield part, number == 0


def _written(hf: Holdfast, info: SessionInfo, form: str, alone: bool) -> Iterator[str]:
    if form == "talk":
        yield ("" if alone else "---\n") + exchange.talk(hf, info)
    elif form == "messages":
        messages = exchange.messages(hf, info)
        whole = messages if alone else {"session": info.name, "messages": messages}
        yield msgspec.json.encode(whole).decode() + "\n"
    else:
        yield from (line + "\n" for line in exchange.jsonl(hf, info))


def bring_in(options: Namespace) -> int:
    """Conversations in, each message through the pack at the time it was said; or an archive, as it is."""
    archives = [archive.is_archive(Path(file).read_bytes()[:200]) for file in options.files]
    if any(archives) and (not all(archives) or options.session or options.user or options.project):
        raise InvalidInput("an archive is restored as it is: without --session, --user, --project or other files")
    with holdfast(options, must_exist=False) as hf:
        for told in _restored(hf, options) if any(archives) else _played(hf, options):
            console().print(plain(told))
    return 0


def _restored(hf: Holdfast, options: Namespace) -> Iterator[str]:
    for file in options.files:
        done = archive.restore(hf, Path(file).read_bytes(), file)
        known = f", {done.known} were there already" if done.known else ""
        yield f"{file}: {count(done.added, 'row')} of {count(done.logs, 'log')} in{known}"


def _played(hf: Holdfast, options: Namespace) -> Iterator[str]:
    told = _read(options)
    results: list[exchange.Imported] = []
    messages = (message for one in told for message in exchange.playing(hf, one, results))
    for _ in track(messages, "importing", sum(len(one.messages) for one in told)):
        pass
    for one in results:
        parts = [f"{count(one.added, 'message')} in"]
        parts += [f"{one.known} were there already"] * bool(one.known)
        parts += [f"{one.skipped} skipped (instructions, tool calls, no text, or too long)"] * bool(one.skipped)
        yield f"{one.session}: {', '.join(parts)}"


def _read(options: Namespace) -> list[exchange.Told]:
    """The conversations of the files, with the names that the options give them."""
    told = [one for file in options.files for one in exchange.read(file, options.session)]
    named = {name: given for name in ("user", "project") if (given := getattr(options, name))}
    if options.session and len(told) == 1:  # one alone may be given a name
        named["session"] = options.session
    return [one._replace(**named) for one in told if one.messages]


def migrate(options: Namespace) -> int:
    """Everything into another store, with progress; done again, it goes on where it was left."""
    if options.to == options.store:
        raise InvalidInput("a store cannot be migrated into itself; name another with --to")
    whole, logs, added = hashlib.blake2b(digest_size=16), 0, 0
    with Holdfast(existing_store(options.store)) as source, Holdfast(options.to) as target:
        for moved in track(migration.migrate(source, target), "bringing over"):
            whole.update(moved.mark.encode())
            logs, added = logs + 1, added + moved.added
        told = f"{count(logs, 'log')} in {where(options.to)}, {count(added, 'row')} of them new"
        console().print(plain(f"{told}; every one folds into the same state ({whole.hexdigest()})"))
    return 0


def forget(options: Namespace) -> int:
    """Erase for good, after asking."""
    kind, name = next((kind, name) for kind in SCOPES if (name := getattr(options, kind)) is not None)
    with Holdfast(existing_store(options.store)) as hf:
        infos = _conversations(hf, kind, name)
        keys = {Key(kind, name), *(Key("session", info.name) for info in infos)}
        rows = sum(map(hf.store.version, keys))
        if not rows:
            raise UnknownSession(f"there is no {kind} {name!r} in this store; “holdfast sessions” lists what there is")
        what = f"{kind} {name!r}" + (f" with {count(len(infos), 'conversation')}" if kind == "user" else "")
        if not (options.yes or _agrees(what, rows)):
            console().print(plain("nothing was erased"))
            return 1
        gone = hf.forget(**{kind: name})
        console().print(plain(f"erased {what}: {count(gone, 'row')} gone for good"))
    return 0


def _conversations(hf: Holdfast, kind: Kind, name: str) -> list[SessionInfo]:
    """The conversations that go with what is erased; what a project remembers has none of its own."""
    if kind == "project":
        return []
    return [info for info in recorded(hf) if (info.user if kind == "user" else info.name) == name]


def _agrees(what: str, rows: int) -> bool:
    if not sys.stdin.isatty():
        raise Refused(f"erasing {what} cannot be undone and nobody is here to ask; say --yes if you mean it")
    console().print(plain(f"This erases {what}, {rows} rows, for good. It cannot be undone."))
    try:
        said = input("Type yes to go on: ").strip().casefold()
    except EOFError:
        return False
    return any(said in str(language.get("yes", "")).split() for language in packs.load("general").spoken.values())


def compact(options: Namespace) -> int:
    """Leave no byte of what was erased in the files, now, and wait for it."""
    store = existing_store(options.store)
    work: Callable[[], None] | None = getattr(store, "compact", None)
    if work is not None:
        work()
    while work is None and store.waiting():  # the store is at work on it
        time.sleep(LOOK)
    console().print(plain(f"no byte of what was erased is left in the files of {where(options.store)}"))
    store.close()
    return 0
