"""What is remembered, drawn for people: any slice of any pack, without knowing what it is about.

A slice is frozen data. Empty parts are left out, the telling field of a record stands first, the rest of it follows
dimly, long lists are cut.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence, Set
from datetime import UTC, datetime
from typing import Any, NamedTuple

import msgspec
from rich.console import Group, RenderableType
from rich.padding import Padding
from rich.table import Table
from rich.text import Text

from holdfast import telling
from holdfast.cli.terminal import DIM, clip, plain
from holdfast.events import Entity
from holdfast.state import State
from holdfast.telling import Words

MAX_LISTED = 8
TELLING = ("value", "text", "name", "title", "statement", "content", "question", "query", "description", "label")
"""Names of fields that say what a record is, the first that is there."""
ASIDES = 4
"""Further fields of a record that are shown."""
UNSAID = frozenset("id fact rule because scope span turn expects start end words session sessions".split())
"""Fields of a record that say nothing to people here: `log` and `why` have them."""
BEHIND = {"facts", "offers", "aside", "recent", "closed", "changes", "seen", "last", "mark", "past", "focus", "single"}
"""Fields of a slice that hold what was, not what is."""


class Line(NamedTuple):
    name: str
    what: Text


def card(state: State, words: Words) -> RenderableType:
    """Everything that a session, its project and its user hold."""
    parts: list[RenderableType] = []
    shown: set[str] = set()  # a view shows facts of the slices behind it: each is told once
    for name, view in state.views.items():
        held = view(state)
        parts += _part(words.name(name), held, words)
        shown |= {line.name for line in rows(held, words) if line.name}
    wide = ((words.around("of_project"), state.project), (words.around("of_user"), state.user))
    for title, stream in (("", state.session), *wide):
        for name, held in stream.slices.items() if stream is not None else ():
            parts += _part(f"{words.name(name)} {title}".strip(), held, words, set() if title else shown)
    return Group(*parts[:-1]) if parts else Text(words.around("empty"), DIM)


def _part(title: str, held: Any, words: Words, shown: Set[str] = frozenset()) -> Iterator[RenderableType]:
    lines = [] if held == type(held)() else [line for line in rows(held, words) if line.name not in shown]
    if lines:
        yield Text(title, "bold")
        yield Padding(_grid(lines), (0, 0, 0, 2), expand=False)
        yield Text("")


def _grid(lines: Sequence[Line]) -> Table:
    grid = Table.grid(padding=(0, 2))
    grid.add_column(style="cyan", no_wrap=True)
    grid.add_column(overflow="fold")
    for line in lines:
        grid.add_row(plain(line.name), line.what)
    return grid


def rows(held: Any, words: Words) -> list[Line]:
    """The rows of a slice. What its first field collects is what the slice is about, and needs no further name."""
    first = held.__struct_fields__[0]
    return [
        line
        for name, value in _fields(held)
        if name not in BEHIND and _says(value)
        for line in _rows("" if name == first and isinstance(value, (Mapping, tuple)) else name, value, words)
    ]


def _rows(name: str, value: Any, words: Words) -> Iterator[Line]:
    field, name = name, words.name(name)
    if isinstance(value, Mapping):
        shown = list(value.items())[-MAX_LISTED:]
        if len(shown) < len(value):
            yield Line(name, Text(words.around("more", n=len(value) - len(shown)), DIM))
        for key, item in shown:
            of = str(getattr(item, "slot", key))  # in English exactly as it is, since that is what `clear` takes
            of = of if words is telling.words(telling.ENGLISH) else words.texts.get(f"name.{of}", of)
            yield Line(f"{name} {of}".strip(), describe(item, words))
    elif isinstance(value, (tuple, list, frozenset, set)):
        items = list(value)
        if len(items) > MAX_LISTED:
            yield Line(name, Text(words.around("more", n=len(items) - MAX_LISTED), DIM))
            name = ""
        for item in items[-MAX_LISTED:]:
            yield Line(name, describe(item, words))
            name = ""
    else:
        yield Line(name, describe(value, words, field))


def describe(value: Any, words: Words, name: str = "") -> Text:
    """A value in one line: what it is, then, dimly, what else is known of it."""
    if isinstance(value, Entity):
        return _with_rest(value.label(), list(value.facts.items()), words)
    if isinstance(value, msgspec.Struct):
        fields = dict(_fields(value))
        telling = next((field for field in TELLING if fields.get(field) not in (None, "")), next(iter(fields), ""))
        rest = [(n, v) for n, v in fields.items() if n != telling and n not in UNSAID and not _default(value, n, v)]
        model = getattr(value, "details", {}).get("second_opinion")  # who read it, where that was a model
        reader = [words.around("by_model", name=model)] if model else []
        return _with_rest(_short(fields.get(telling), words, telling), rest, words, reader)
    return plain(_short(value, words, name))


def _with_rest(head: str, rest: Sequence[tuple[str, Any]], words: Words, first: Sequence[str] = ()) -> Text:
    asides = [
        f"v{value}" if name == "version" else f"{words.name(name)}: {_short(value, words, name)}"
        for name, value in rest
        if _says(value)
    ]
    told = [*first, *asides][:ASIDES]
    text = plain(clip(head))
    if told:
        text.append_text(plain("   " + " · ".join(clip(one, 80) for one in told), DIM))
    return text


def _short(value: Any, words: Words, name: str = "") -> str:
    """A value in a few words, whatever it is."""
    if isinstance(value, Mapping):
        return ", ".join(f"{key} = {_short(item, words)}" for key, item in value.items())
    if isinstance(value, (tuple, list, frozenset, set)):
        return ", ".join(_short(item, words) for item in list(value)[:MAX_LISTED])
    if isinstance(value, msgspec.Struct):
        return value.label() if isinstance(value, Entity) else describe(value, words).plain
    if isinstance(value, bool):
        return words.around("yes" if value else "no")
    return clip(_dated(value) if isinstance(value, float) else str(value))


def _dated(number: float) -> str:
    """Seconds since 1970 as a time: nothing else here is that large."""
    return datetime.fromtimestamp(number, UTC).strftime("%Y-%m-%d %H:%M") if number > 1e9 else str(number)


def _fields(record: Any) -> Iterator[tuple[str, Any]]:
    return ((name, getattr(record, name)) for name in record.__struct_fields__ if name not in UNSAID)


def _says(value: Any) -> bool:
    return value not in (None, "", (), [], {}, False)


def _default(record: msgspec.Struct, name: str, value: Any) -> bool:
    """Whether a field says only what it says without anybody's doing."""
    given = dict(zip(reversed(record.__struct_fields__), reversed(record.__struct_defaults__), strict=False))
    return name == "slot" or (name in given and given[name] == value)
