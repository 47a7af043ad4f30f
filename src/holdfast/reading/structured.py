"""A reply in JSON, as the text that it stands for. Agents that answer programs write `{"message": "How many nights?",
"results": [{"id": "h1", "name": "Hotel Arts"}]}`; what they say and list is read like any other reply.

Every value keeps its place, so that a span of what was read is one of the reply: quotes and brackets become blanks,
what is said gets a line of its own, and what has a name becomes an entry of a list. Which fields speak, name or offer
is `data.structured` of the table `words/reply.tsv`.
"""

from __future__ import annotations

import re
from typing import NamedTuple

import msgspec

from holdfast.reading.reader import Reader, Span

_FENCE = re.compile(r"\s*```(?:json)?[ \t]*\n(?P<body>.*?)\n?```\s*$", re.DOTALL)
_JSON = ("{", "[", "`")
_OPENS = (*_JSON, " ", "\n", "\t", "\r")
_TOKEN = re.compile(r'"(?:[^"\\]|\\.)*"|[{}\[\],:]|[^\s{}\[\],:"]+', re.DOTALL)


def plain(text: str, reader: Reader) -> str:
    """The text that a reply stands for: itself, unless all of it is JSON."""
    if text[:1] not in _OPENS or (opening := text.lstrip()[:1]) not in _JSON:
        return text
    fence = _FENCE.match(text) if opening == "`" else None
    span = fence.span("body") if fence else (0, len(text))
    try:
        told = msgspec.json.decode(text[slice(*span)]) if fence or opening != "`" else None
    except (msgspec.DecodeError, RecursionError):
        return text
    if not isinstance(told, dict | list) or not told:
        return text
    return " " * span[0] + _Told(text, span, reader).text + " " * (len(text) - span[1])


class _Frame(NamedTuple):
    """An object or an array that is open, and the key that it is the value of."""

    bracket: str
    key: str


class _Told:
    """Goes through JSON once, and writes over a copy of it."""

    def __init__(self, text: str, span: Span, reader: Reader) -> None:
        self._fields = {name: reader.phrases("structured", name) for name in ("spoken", "names", "ids", "options")}
        self._out = list(text)
        self._frames: list[_Frame] = []
        self._key: Span | None = None
        self._listed: set[int] = set()
        self._counts: dict[int, int] = {}
        for token in _TOKEN.finditer(text, *span):
            self._take(token[0], token.start(), token.end())
        self.text = "".join(self._out[slice(*span)])

    def _take(self, token: str, start: int, end: int) -> None:
        name = self._name()
        if token in "{[}],:":
            self._punctuate(token, name, start)
        elif token[0] == '"' and self._frames[-1].bracket == "{" and self._key is None:
            self._key = (start, end)
            self._write(start, " ")
            self._write(end - 1, " ")
        elif token[0] == '"':
            self._value(name or self._frames[-1].key, start, end)
        elif name in self._fields["ids"] and self._entry():
            self._identify(start - 1)

    def _punctuate(self, sign: str, name: str, start: int) -> None:
        if sign == ":":
            return
        if sign in "{[":
            self._frames.append(_Frame(sign, name))
            self._counts[len(self._frames)] = 0
            self._blank_key(start)
            self._write(start, " ")
        elif sign in "}]":
            self._listed.discard(len(self._frames))
            self._frames.pop()
            self._write(start, " " if self._out[start] == sign else self._out[start])
        self._key = None

    def _name(self) -> str:
        return "".join(self._out[slice(*self._key)]).strip().casefold() if self._key else ""

    def _value(self, name: str, start: int, end: int) -> None:
        self._unescape(start + 1, end - 1)
        self._write(start, " ")
        self._write(end - 1, " ")
        fields = self._fields
        if name in fields["spoken"]:
            self._blank_key(start)
            self._write(start, "\n")
            self._write(end - 1, "\n")
        elif name in fields["options"] and self._frames[-1].bracket == "[":
            self._write(start - 2, "\n- ")
        elif name in fields["names"] and self._entry():
            self._blank_key(start)
            self._enter(start, "**")
            self._write(end - 1, "**")
        elif name in fields["ids"] and self._entry():
            self._identify(start)

    def _entry(self) -> bool:
        """Whether an object of a list is open."""
        return len(self._frames) > 1 and self._frames[-1].bracket == "{" and self._frames[-2].bracket == "["

    def _identify(self, start: int) -> None:
        self._blank_key(start)
        self._enter(start, "ID: ")

    def _enter(self, start: int, mark: str) -> None:
        """Begin an entry of the list with the first thing of an object that names it."""
        depth = len(self._frames)
        if depth not in self._listed:
            self._listed.add(depth)
            self._counts[depth - 1] += 1
            mark = f"\n{self._counts[depth - 1]}. {mark}"
        self._write(start + 1 - len(mark), mark)

    def _blank_key(self, end: int) -> None:
        if self._key:
            self._write(self._key[0], " " * (end - self._key[0]))

    def _unescape(self, start: int, end: int) -> None:
        """A string without its escapes; blanks at its end make up for them."""
        said = "".join(self._out[start:end])
        if "\\" in said:
            told = msgspec.json.decode(f'"{said}"', type=str, strict=False)
            self._write(start, told.ljust(len(said)))

    def _write(self, start: int, said: str) -> None:
        start = max(start, 0)
        said = said[: len(self._out) - start]
        self._out[start : start + len(said)] = said
