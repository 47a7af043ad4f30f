"""What a turn did, drawn for people: in one dim line under a message, or in full with the words it rests on."""

from __future__ import annotations

import unicodedata
from collections.abc import Iterable

from rich.console import Group, RenderableType
from rich.padding import Padding
from rich.table import Table
from rich.text import Text

from holdfast.cli.terminal import DIM, clip, plain, shown
from holdfast.receipt import Line, Receipt, grouped
from holdfast.telling import Words

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


def brief(receipt: Receipt, words: Words, quiet: Iterable[str] = QUIET) -> Text | None:
    """The receipt in one dim line, or nothing."""
    lines = [group[0] for group in grouped(receipt) if group[0].did not in quiet]
    told = [f"{words.verb(line.did)} {clip(words.say(line.told), 90)}" for line in lines]
    return plain(" · ".join(told), DIM) if told else None


def full(text: str | None, receipt: Receipt, words: Words) -> RenderableType:
    """The message with the words that rules fired on, and every line of the receipt."""
    parts: list[RenderableType] = []
    if text:
        parts += [Padding(marked(text, receipt), (0, 0, 0, 2), expand=False), Text("")]
    lines = _table(receipt, words) if receipt.lines else Text(words.around("nothing"), DIM)
    return Group(*parts, Padding(lines, (0, 0, 0, 2), expand=False))


def marked(text: str, receipt: Receipt) -> Text:
    """The message, with the words of each rule in the colour of what the rule did."""
    text = shown(unicodedata.normalize("NFC", text))  # spans count in composed characters
    marks = plain(text)
    if len(marks.plain) != len(text):
        return marks  # a tab or a carriage return moved the characters: better no marks than wrong ones
    for line in receipt.lines:
        if line.version != receipt.version:
            continue
        if line.span is not None and line.words:
            marks.stylize(f"underline {COLOURS.get(line.did, 'bold')}", *line.span)
        for start, end in line.by.marks if line.by is not None else ():
            marks.stylize("bold", start, end)  # the words that counted most
    return marks


def _table(receipt: Receipt, words: Words) -> Table:
    table = Table.grid(padding=(0, 2))
    table.add_column(no_wrap=True)
    table.add_column(overflow="fold")
    for group in grouped(receipt):
        rules = [plain(_because(line, receipt.version, words), DIM) for line in group if line.rule]
        told = Text("\n").join([plain(words.say(group[0].told)), *rules])
        table.add_row(plain(words.verb(group[0].did), COLOURS.get(group[0].did, "")), told)
    return table


def _because(line: Line, version: int, words: Words) -> str:
    """The rule that a line rests on, with its words; of a learned decision, how sure it was and by which model."""
    source = words.around("words", words=clip(line.words, 80)) if line.words else ""
    where = words.around("version", version=line.version) if line.version not in (0, version) else ""
    score = words.around("score", score=line.by.score, model=line.by.model) if line.by is not None else ""
    return f"{line.rule}{source}{where}{score}"
