"""`holdfast test`: run conversation files and say what did not hold. Exit code 1 if anything did not."""

from __future__ import annotations

from argparse import Namespace
from collections import Counter
from pathlib import Path

from rich.console import Console
from rich.text import Text

from holdfast.cli.terminal import DIM, console, count, plain, shown, track
from holdfast.errors import HoldfastError, InvalidInput
from holdfast.pack import Pack
from holdfast.testing.conversations import SUFFIX, Conversation, Failure, collect, find_pack, read
from holdfast.testing.conversations import run as play

Results = list[tuple[Conversation, list[Failure]]]


def run(options: Namespace) -> int:
    files = collect(options.paths)
    if not files:
        raise InvalidInput(f"there are no {SUFFIX} files in {', '.join(options.paths)}; name a file or folder that has")
    pack = find_pack(options.pack) if options.pack else None
    counts = Counter[str]()
    for path, results in [(path, _played(path, pack)) for path in track(files, "running", len(files))]:
        counts += _tell(path, results, console())
    broken, failed = counts["broken"], counts["failed"]
    summary = f"{count(counts['held'], 'expectation')} held" + (f", {failed} did not" if failed else "")
    console().print(plain(summary + (f", {count(broken, 'file')} could not be read" if broken else "")))
    return 2 if broken else 1 if failed else 0


def _played(path: Path, pack: Pack | None) -> Results | str:
    """What came of the conversations of a file, or what is wrong with the file."""
    try:
        return [(conversation, play(conversation, pack)) for conversation in read(path)]
    except HoldfastError as wrong:
        return str(wrong) if str(path) in str(wrong) else f"{path}: {wrong}"


def _tell(path: Path, results: Results | str, screen: Console) -> Counter[str]:
    """Show what came of a file, and count it."""
    if isinstance(results, str):
        screen.print(Text("broken  ", "red").append_text(plain(results)))
        return Counter(broken=1)
    wrong = [failure for _, failures in results for failure in failures]
    head = Text("failed  ", "red") if wrong else Text("ok      ", "green")
    screen.print(head.append_text(plain(str(path))).append(f"  {count(len(results), 'conversation')}", DIM))
    for failure in wrong:
        _show(failure, screen)
    held = sum(conversation.held(failures) for conversation, failures in results)
    return Counter(failed=len(wrong), held=held)


def _show(failure: Failure, screen: Console) -> None:
    screen.print(plain(f"  {failure.place}: ", "bold").append_text(plain(failure.title)))
    for label, text, style in (
        ("", str(failure.step), DIM),
        ("expected  ", failure.expected, "green"),
        ("seen      ", failure.seen, "red"),
    ):
        first, *more = shown(text).split("\n")
        screen.print(Text(f"    {label}").append_text(plain(first, style)))
        for line in more:
            screen.print(plain(f"    {' ' * len(label)}{line}", style))
