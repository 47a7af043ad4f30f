"""What a turn did, drawn for people: in one dim line under a message, or in full with the words it rests on."""

from __future__ import annotations

import unicodedata
from collections.abc import Iterable, Iterator

from rich.console import Group, RenderableType
from rich.padding import Padding
from rich.table import Table
from rich.text import Text

from holdfast.cli.terminal import DIM, clip, plain, shown
from holdfast.receipt import Line, Receipt

COLOURS = {
    "learned": "green",
    "confirmed": "green",
    "superseded": "yellow",
    "retracted": "yellow",
    "cleared": "yellow",
    "resolved": "cyan",
    "bound": "cyan",
    "routed": "magenta",
    "understood": "magenta",
    "doubted": "yellow",
    "refused": "red",
    "flagged": "red",
    "failed": "red",
}
"""Colour of a verb, and of the words in the message that it rests on."""
QUIET = {"injected", "asked", "left out", "understood"}
"""Verbs that the one line leaves out: the reply itself shows them, or only `why` needs them."""


def brief(receipt: Receipt, quiet: Iterable[str] = QUIET) -> Text | None:
    """The receipt in one dim line, or nothing."""
    told = [f"{line.did} {clip(line.what, 90)}" for line in receipt.lines if line.did not in quiet]
    return plain(" · ".join(dict.fromkeys(told)), DIM) if told else None


def full(text: str | None, receipt: Receipt) -> RenderableType:
    """The message with the words that rules fired on, and every line of the receipt."""
    parts: list[RenderableType] = []
    if text:
        parts += [Padding(marked(text, receipt), (0, 0, 0, 2), expand=False), Text("")]
    parts.append(Padding(_table(receipt), (0, 0, 0, 2), expand=False) if receipt.lines else Text("  did nothing", DIM))
    return Group(*parts)


def marked(text: str, receipt: Receipt) -> Text:
    """The message, with the words of each rule in the colour of what the rule did."""
    text = shown(unicodedata.normalize("NFC", text))  # spans count in composed characters
    marks = plain(text)
    if len(marks.plain) != len(text):
        return marks  # a tab or a carriage return moved the characters: better no marks than wrong ones
    for line in receipt.lines:
        if line.span is not None and line.version == receipt.version and line.words:
            marks.stylize(f"underline {COLOURS.get(line.did, 'bold')}", *line.span)
    return marks


def _table(receipt: Receipt) -> Table:
    table = Table.grid(padding=(0, 2))
    table.add_column(no_wrap=True)
    table.add_column(overflow="fold")
    for line in receipt.lines:
        table.add_row(plain(line.did, COLOURS.get(line.did, "")), Text("\n").join(_told(line, receipt.version)))
    return table


def _told(line: Line, version: int) -> Iterator[Text]:
    yield plain(line.what)
    if line.rule:
        words = f" from “{clip(line.words, 80)}”" if line.words else ""
        where = f" in version {line.version}" if line.version not in (0, version) else ""
        yield plain(f"{line.rule}{words}{where}", DIM)
