"""All patterns of a pack in one RE2 set: one pass says which fired, and only those are matched for their spans.

RE2 runs in time linear in the text, whatever the text. A `Reading` is what one message says, without any state; what
costs more than the cues (sentences, scopes, numbers) is worked out when somebody asks, and once.
"""

from __future__ import annotations

import re
import unicodedata
from bisect import bisect_right
from collections.abc import Callable, Iterable, Mapping
from functools import cached_property
from typing import Any, NamedTuple, TypeVar

import re2

from holdfast.errors import PackError
from holdfast.reading import language as languages
from holdfast.reading import sieve
from holdfast.reading.tables import Pattern, Table
from holdfast.reading.text import WORD, fold

Span = tuple[int, int]
Found = TypeVar("Found")

MOST = 256
"""Most cues of one pattern in one message: enough for any talk, and a bound for hostile text."""

_BEFORE = f"(?:^|[^{WORD}])"
_AFTER = f"(?:$|[^{WORD}])"
_OPENING = r"^[\s\"'(¿¡*]*"


class Cue(NamedTuple):
    """A pattern that fired: where, and on what."""

    id: str
    family: str
    language: str
    start: int
    end: int
    groups: Mapping[str, Span]

    @property
    def span(self) -> Span:
        return self.start, self.end


class Reading:
    """One message, read."""

    def __init__(
        self, text: str, folded: str, language: str | None, fired: Mapping[str, list[int]], reader: Reader
    ) -> None:
        self.text = text
        """The message in composed Unicode form (NFC), with any context block blanked out; spans count in it."""
        self.folded = folded
        """The same text as the patterns see it, of the same length."""
        self.language = language
        """Language of this message, or None when nothing tells."""
        self.reader = reader
        self._fired = fired
        self._families: dict[str, list[Cue]] = {}
        self._finds: dict[Any, Any] = {}

    def has(self, *families: str) -> bool:
        """Whether any pattern of the families fired."""
        return any(family in self._fired for family in families)

    def all(self, family: str) -> list[Cue]:
        """The cues of a family, in the order of the text."""
        if family not in self._fired:
            return []
        if family not in self._families:
            self._families[family] = self.reader.cues(self._fired[family], self._bytes, self._offsets)
        return self._families[family]

    def first(self, *families: str) -> Cue | None:
        """The first cue of the families, by its place in the text."""
        found = [cues[0] for family in families if (cues := self.all(family))]
        return min(found, key=lambda cue: cue.start) if found else None

    @property
    def cues(self) -> list[Cue]:
        """Every cue of the message, for inspection; faculties ask for the families they know."""
        return sorted((cue for family in self._fired for cue in self.all(family)), key=lambda cue: cue.span)

    def words(self, span: Span) -> str:
        """The text of a span, as typed."""
        return self.text[span[0] : span[1]]

    def find(self, finder: Callable[[Reading], Found]) -> Found:
        """What a finder finds, worked out once per message."""
        if finder not in self._finds:
            self._finds[finder] = finder(self)
        return self._finds[finder]  # type: ignore[no-any-return]

    def data(self, name: str) -> Mapping[str, Any]:
        """Plain data of the message's language (of all languages, when it has none)."""
        return self.reader.data(name, self.language)

    def phrases(self, name: str, key: str) -> frozenset[str]:
        """A list of words from the plain data, written there as one string."""
        return self.reader.phrases(name, key, self.language)

    @cached_property
    def _bytes(self) -> bytes:
        return self.folded.encode()

    @cached_property
    def _offsets(self) -> _Offsets:
        return _Offsets(self._bytes, self.folded)

    @cached_property
    def tokens(self) -> list[Span]:
        """The words of the text."""
        return [m.span() for m in _WORDS.finditer(self.folded)]


# What the engine told an agent is never read again as if somebody had said it (and neither is an imitation of it).
_ECHO = re.compile(r"\[\s*context\s*:[^\]\n]*\]?", re.IGNORECASE)
# The standard library's matcher is several times faster to call than RE2 and linear on a pattern without choices.
_WORDS = re.compile(f"[{WORD}]+(?:['.-][{WORD}]+)*")


class Reader:
    """The patterns of a pack, compiled once."""

    def __init__(self, tables: Iterable[Table]) -> None:
        self._patterns: list[Pattern] = []
        self._compiled: list[Any] = []
        self._sifted: set[int] = set()
        """Patterns of which the one pass looks for a piece only."""
        self._data: dict[str, dict[str, dict[str, Any]]] = {}
        self._merged: dict[tuple[str, str | None], Mapping[str, Any]] = {}
        self._lists: dict[tuple[str, str, str | None], frozenset[str]] = {}
        options = re2.Options()
        options.max_mem = 64 << 20
        options.log_errors = False
        self._options = options
        self._sets: dict[str, _Set] = {}
        """One pass per language: the passes of the languages that a message cannot be in are not made at all."""
        seen: dict[str, str] = {}
        for table in tables:
            for pattern in table.patterns:
                self._add(pattern, table, seen)
            for name, value in table.data.items():
                self._data.setdefault(name, {}).setdefault(table.language, {}).update(value)
        for passing in self._sets.values():
            passing.patterns.Compile()
        self._languages = languages.Recogniser(self._data.pop("language", {}))

    def _add(self, pattern: Pattern, table: Table, seen: dict[str, str]) -> None:
        place = f"table {table.name}: pattern {pattern.id}"
        if pattern.id in seen:
            raise PackError(f"{place} is already defined in table {seen[pattern.id]}")
        seen[pattern.id] = table.name
        source = bounded(pattern.source)
        sifted = sieve.piece(pattern.source.removeprefix("^"))
        passing = self._sets.setdefault(pattern.language, _Set(re2.Set.SearchSet(self._options), []))
        try:
            if sifted is None:
                passing.patterns.Add(source)
            else:
                passing.patterns.Add(f"{_BEFORE if sifted[1] else ''}(?:{sifted[0]})")
                self._sifted.add(len(self._patterns))
                re2.compile(source.encode(), self._options)
        except re2.error as wrong:
            raise PackError(f"{place} is refused by RE2: {_words(wrong)}") from None
        passing.numbers.append(len(self._patterns))
        self._patterns.append(pattern)
        self._compiled.append(source)

    def data(self, name: str, language: str | None = None) -> Mapping[str, Any]:
        """Plain data of a language, together with what holds in any; without a language, of all of them."""
        key = (name, language)
        if key not in self._merged:
            tables = self._data.get(name, {})
            chosen = [language, "any"] if language in tables else list(tables)
            self._merged[key] = {k: v for lang in chosen for k, v in tables.get(lang or "", {}).items()}
        return self._merged[key]

    def phrases(self, name: str, key: str, language: str | None = None) -> frozenset[str]:
        """Words written as one string in the plain data, split at "|" or else at spaces."""
        known = (name, key, language)
        if known not in self._lists:
            tables = self._data.get(name, {})
            chosen = [language, "any"] if language in tables else list(tables)
            texts = [str(tables.get(lang or "", {}).get(key, "")) for lang in chosen]
            self._lists[known] = frozenset(w for t in texts for w in (t.split("|") if "|" in t else t.split()) if w)
        return self._lists[known]

    def read(self, text: str) -> Reading:
        text = text if unicodedata.is_normalized("NFC", text) else unicodedata.normalize("NFC", text)
        if "[" in text:
            text = _ECHO.sub(lambda block: " " * len(block[0]), text)
        folded = fold(text)
        spoken = self._languages.recognise(folded, text)
        fired: dict[str, list[int]] = {}
        data = folded.encode()
        plain = folded.isascii()
        for language, passing in self._sets.items():
            if not self._speaks(language, spoken) or (plain and language in self._languages.scripts):
                continue
            for place in passing.patterns.Match(data) or ():
                number = passing.numbers[place]
                if number not in self._sifted or self._regexp(number).search(data) is not None:
                    fired.setdefault(self._patterns[number].family, []).append(number)
        return Reading(text, folded, spoken, fired, self)

    def cues(self, numbers: Iterable[int], data: bytes, offsets: _Offsets) -> list[Cue]:
        """Where the patterns that fired match, and what they capture."""
        found = [cue for number in numbers for cue in self._cues(number, data, offsets)]
        return sorted(found, key=lambda cue: (cue.start, -cue.end))

    def _speaks(self, pattern: str, message: str | None) -> bool:
        """Whether a pattern's language may speak in this message. A language with an alphabet of its own is known by
        its letters anywhere; between languages that share one, the language of the message decides."""
        own = self._languages.scripts
        return message is None or pattern in ("any", message) or pattern in own or message in own

    def _cues(self, number: int, data: bytes, offsets: _Offsets) -> list[Cue]:
        pattern, regexp = self._patterns[number], self._regexp(number)
        cues: list[Cue] = []
        place = 0
        while len(cues) < MOST and (hit := regexp.search(data, place)) is not None:
            begin, finish = hit.span(1)
            names = {
                name: (offsets.char(hit.start(index)), offsets.char(hit.end(index)))
                for name, index in regexp.names
                if hit.start(index) >= 0
            }
            cues.append(
                Cue(pattern.id, pattern.family, pattern.language, offsets.char(begin), offsets.char(finish), names)
            )
            place = max(finish, place + 1)
        return cues

    def _regexp(self, number: int) -> _Regexp:
        compiled = self._compiled[number]
        if isinstance(compiled, str):  # compiled when it first fires: most patterns of a pack seldom do
            compiled = self._compiled[number] = _Regexp(compiled, self._options)
        return compiled  # type: ignore[no-any-return]


class _Set(NamedTuple):
    """The patterns of one language, and their numbers among all."""

    patterns: Any
    numbers: list[int]


class _Regexp:
    def __init__(self, source: str, options: Any) -> None:
        regexp = re2.compile(source.encode(), options)
        self.search = regexp.search
        self.names = [(name.decode(), index) for name, index in regexp.groupindex.items()]


class _Offsets:
    """Byte offsets as character offsets. Costs nothing for ASCII, and one walk over the text otherwise."""

    def __init__(self, data: bytes, text: str) -> None:
        self._data = None if len(data) == len(text) else data
        self._bytes, self._chars = [0], [0]

    def char(self, offset: int) -> int:
        if self._data is None:
            return offset
        known = bisect_right(self._bytes, offset) - 1
        char = self._chars[known] + len(self._data[self._bytes[known] : offset].decode())
        if offset > self._bytes[-1]:
            self._bytes.append(offset)
            self._chars.append(char)
        return char


def bounded(source: str) -> str:
    """A pattern with word boundaries around it, its own text in group 1. A leading ^ means the beginning of what is
    said: quotes and blanks may stand before it."""
    before, source = (_OPENING, source[1:]) if source.startswith("^") else (_BEFORE, source)
    after = "" if source.endswith("$") and not source.endswith("\\$") else _AFTER
    return f"{before}({source}){after}"


def _words(wrong: Exception) -> str:
    said = wrong.args[0] if wrong.args else wrong
    return said.decode() if isinstance(said, bytes) else str(said)
