"""`holdfast search`: messages of all conversations that hold the words, best first, with the words marked."""

from __future__ import annotations

import re
from argparse import Namespace
from collections.abc import Sequence

from rich.padding import Padding
from rich.text import Text

from holdfast.cli.terminal import DIM, ago, console, holdfast, plain, print_json
from holdfast.errors import InvalidInput
from holdfast.reading.text import fold
from holdfast.stores.protocol import Hit

AROUND = 160
"""Characters of a long message that are shown on either side of the first word that was found."""
MAX_LISTED = 1000
_WORD = re.compile(r"\w+")


def run(options: Namespace) -> int:
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
        screen.print(_about(hit))
        screen.print(Padding(marked(hit.text, _WORD.findall(fold(query))), (0, 0, 1, 2), expand=False))
    if not found:
        screen.print(plain(f"no message holds {query!r}", DIM))
    return 0 if found else 1


def _about(hit: Hit) -> Text:
    where = plain(hit.session, "bold")
    return where.append_text(plain(f"  version {hit.version}, {hit.role}, {ago(hit.at)}", DIM))


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
