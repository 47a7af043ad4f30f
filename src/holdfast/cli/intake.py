"""`holdfast import`: conversations in, each message through the pack at the time it was said."""

from __future__ import annotations

from argparse import Namespace
from collections.abc import Iterator
from pathlib import Path

from holdfast.cli.terminal import console, count, plain, track
from holdfast.errors import InvalidInput
from holdfast.exchange import archive
from holdfast.exchange import transcripts as exchange
from holdfast.exchange.transcripts import Imported, Told
from holdfast.session import Holdfast
from holdfast.stores import open_store
from holdfast.testing.conversations import find_pack


def run(options: Namespace) -> int:
    archives = [file for file in options.files if archive.is_archive(Path(file).read_bytes()[:200])]
    if archives:
        return _restore(options, archives)
    owned = {name: given for name in ("user", "project") if (given := getattr(options, name))}
    told = [one._replace(**owned) for one in _read(options) if one.messages]
    results: list[Imported] = []
    with Holdfast(open_store(options.store), find_pack(options.pack or "general")) as hf:
        for _ in track(_steps(hf, told, results), "importing", exchange.total(told)):
            pass
    _tell(results)
    return 0


def _read(options: Namespace) -> list[Told]:
    """The conversations of the files; one alone may be given a name."""
    told = [one for file in options.files for one in exchange.read(file, options.session)]
    return [told[0]._replace(session=options.session)] if options.session and len(told) == 1 else told


def _restore(options: Namespace, files: list[str]) -> int:
    if len(files) != len(options.files) or options.session or options.user or options.project:
        raise InvalidInput("an archive is restored as it is: without --session, --user, --project or other files")
    with Holdfast(open_store(options.store), find_pack(options.pack or "general")) as hf:
        for file in files:
            done = archive.restore(hf, Path(file).read_bytes(), file)
            known = f", {done.known} were there already" if done.known else ""
            console().print(plain(f"{file}: {count(done.added, 'row')} of {count(done.logs, 'log')} in{known}"))
    return 0


def _steps(hf: Holdfast, told: list[Told], results: list[Imported]) -> Iterator[None]:
    """The import as a sequence of messages, so that a bar can follow it."""
    for one in told:
        yield from (None for _ in exchange.playing(hf, one, results))


def _tell(results: list[Imported]) -> None:
    screen = console()
    for one in results:
        parts = [f"{count(one.added, 'message')} in"]
        parts += [f"{one.known} were there already"] * bool(one.known)
        parts += [f"{one.skipped} skipped (instructions, tool calls, no text, or too long)"] * bool(one.skipped)
        screen.print(plain(f"{one.session}: {', '.join(parts)}"))
