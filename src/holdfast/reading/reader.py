"""All patterns of a pack: which may fire is found out at once, and which do and where when somebody asks for their
family.

Only patterns of which a literal piece is in the text (`needles.py`) are compiled and tried, each by RE2, which runs in
time linear in the text, whatever the text. A `Reading` is what one message says, without any state; what costs more
than the cues (sentences, scopes, numbers) is worked out when somebody asks, and once.
"""

from __future__ import annotations

import re
import unicodedata
from bisect import bisect_right
from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import cache, cached_property
from itertools import chain
from threading import get_ident
from typing import Any, NamedTuple, TypeVar
from weakref import WeakValueDictionary

import re2
from re2 import _re2

from holdfast.errors import PackError
from holdfast.kept import kept
from holdfast.reading import language as languages
from holdfast.reading.mending import Mender
from holdfast.reading.model.clauses import Clause, Second, understand
from holdfast.reading.needles import Finder, edged, grams
from holdfast.reading.tables import Pattern, Prepared, Table
from holdfast.reading.text import WORD, fold

Span = tuple[int, int]
Found = TypeVar("Found")
Fired = tuple[int, Sequence[Span]]
"""The number of a pattern that fired, and where it first did: the match, then its groups."""

MAX_KEPT, MAX_KEPT_CHARS = 64, 200
"""Readings that are kept, and the longest text of one."""
MAX_CUES = 256
"""Cues of one pattern in one message: enough for any talk, and a bound for hostile text."""

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
    means: str = ""
    """What the pattern means within its family, as its table declares it."""
    traits: frozenset[str] = frozenset()
    """How it says that, as its table declares it."""

    @property
    def span(self) -> Span:
        return self.start, self.end


def overlap(one: Span, other: Span) -> bool:
    """Whether two spans share a character."""
    return one[0] < other[1] and other[0] < one[1]


def touches(span: Span, others: Iterable[Span]) -> bool:
    """Whether a span shares a character with any of the others."""
    return any(start < span[1] and span[0] < end for start, end in others)


def begins_in(place: int, spans: Iterable[Span]) -> bool:
    """Whether a place lies in any of the spans."""
    return any(start <= place < end for start, end in spans)


def inside(spans: Iterable[Span], whole: Span) -> list[Span]:
    """The spans that begin in another one: the words of a clause."""
    return [span for span in spans if whole[0] <= span[0] < whole[1]]


def within(cues: Iterable[Cue], span: Span) -> list[Cue]:
    """The cues that begin in a span."""
    return [cue for cue in cues if span[0] <= cue.start < span[1]]


class Reading:
    """One message, read."""

    def __init__(
        self, text: str, folded: str, language: str | None, may_fire: Mapping[str, list[int]], reader: Reader
    ) -> None:
        self.text = text
        """The message in composed Unicode form (NFC), with any context block blanked out; spans count in it."""
        self.folded = folded
        """The same text as the patterns see it, of the same length."""
        self.language = language
        """Language of this message, or None when nothing tells."""
        self.reader = reader
        self._may_fire = may_fire
        """By family: the numbers of its patterns that have a piece in the text."""
        self._fired: dict[str, list[Fired]] = {}
        self._families: dict[str, list[Cue]] = {}
        self._finds: dict[Any, Any] = {}
        self._offsets = _Offsets(folded)
        self._after: tuple[tuple[str, str], list[Clause]] | None = None

    def spoken(self, language: str | None) -> Reading:
        """The same as somebody says it who speaks a language, where its own words do not tell which: "q dia"."""
        known = self.language or language is None
        return self if known else Reading(self.text, self.folded, language, self._may_fire, self.reader)

    def has(self, *families: str) -> bool:
        """Whether any pattern of the families fired."""
        may_fire = self._may_fire.keys()
        return not may_fire.isdisjoint(families) and any(map(self._fires, may_fire & families))

    def among(self, families: Iterable[str]) -> list[str]:
        """Those of the families of which any pattern fired."""
        return [family for family in families if family in self._may_fire and self._fires(family)]

    def _fires(self, family: str) -> list[Fired]:
        """Which patterns fired, of a family that may."""
        found = self._fired.get(family)
        if found is None:
            reader, data = self.reader, self._offsets.data
            found, end = self._fired.setdefault(family, []), len(data)
            for number in self._may_fire[family]:
                spans = (reader._regexps[number] or reader._regexp(number)).match(_ANYWHERE, data, 0, end)
                if spans[0][0] >= 0:
                    found.append((number, spans))
        return found

    def all(self, family: str) -> list[Cue]:
        """The cues of a family, in the order of the text."""
        found = self._families.get(family)
        if found is None:
            if family not in self._may_fire:
                return []
            found = self._families[family] = self.reader.cues(self._fires(family), self._offsets)
        return found

    def first(self, *families: str) -> Cue | None:
        """The first cue of the families, by its place in the text."""
        found = [cues[0] for family in families if (cues := self.all(family))]
        return min(found, key=lambda cue: cue.start) if found else None

    @property
    def cues(self) -> list[Cue]:
        """Every cue of the message, for inspection; faculties ask for the families they know."""
        return sorted((cue for family in self._may_fire for cue in self.all(family)), key=lambda cue: cue.span)

    def words(self, span: Span) -> str:
        """The text of a span, as typed."""
        return self.text[span[0] : span[1]]

    def said(self, span: Span) -> str:
        """The text of a span, as the patterns see it."""
        return self.folded[span[0] : span[1]]

    def group(self, cue: Cue, name: str) -> str:
        """The text of a named part of a cue, as the patterns see it; empty where it has no such part."""
        span = cue.groups.get(name)
        return self.folded[span[0] : span[1]] if span is not None else ""

    def find(self, finder: Callable[[Reading], Found]) -> Found:
        """What a finder finds, worked out once per message."""
        try:
            return self._finds[finder]  # type: ignore[no-any-return]
        except KeyError:
            found = self._finds[finder] = finder(self)
            return found

    def after(self, asked: str, told: str = "") -> list[Clause]:
        """What each part of the message does, after what the agent said last and the person told before; worked out
        once, since a turn that lost a race is decided again."""
        if self._after is None or self._after[0] != (asked, told):
            clauses = self.as_after(asked, told)
            if self._after is not None and self._after[0][0] == asked:  # what was told says nothing of the values
                for clause, before in zip(clauses, self._after[1], strict=True):
                    if clause.act == before.act:
                        clause.values = before.values
            self._after = (asked, told), clauses
        return self._after[1]

    def as_after(self, asked: str, told: str = "", second: Second | None = None) -> list[Clause]:
        """The same anew: if something else had been asked, or with what a second tier says."""
        text = _LIST_LINE.sub(".\n ", self.text)  # a line of a list ends like a sentence
        return understand(text, asked, self.language, second, told)

    def data(self, name: str) -> Mapping[str, Any]:
        """Plain data of the message's language (of all languages, when it has none)."""
        return self.reader.data(name, self.language)

    def phrases(self, name: str, *keys: str) -> frozenset[str]:
        """Lists of words from the plain data, each written there as one string."""
        found = self.reader.lists.get((name, keys, self.language))
        return found if found is not None else self.reader.phrases(name, keys, self.language)

    def wording(self, name: str, key: str, **fields: str) -> str:
        """A text of the plain data in the message's language, filled in."""
        return self.reader.wording(name, key, self.language).format(**fields)

    def made(self, make: Callable[[Reader, str | None], Found]) -> Found:
        """What a function makes of the words of the message's language, made once per language."""
        return self.reader.made(make, self.language)

    @cached_property
    def tokens(self) -> list[Span]:
        """The words of the text."""
        return [m.span() for m in _WORDS.finditer(self.folded)]


# What the engine told an agent is never read again as if somebody had said it (and neither is an imitation of it).
_ECHO = re.compile(r"\[\s*context\s*:[^\]\n]*\]?", re.IGNORECASE)
# The standard library's matcher is several times faster to call than RE2 and linear on a pattern without choices.
_WORDS = re.compile(r"\w+(?:['.-]\w+)*")


_LIST_LINE = re.compile(r"\n[-*•] ")


class Reader:
    """The patterns of a pack, compiled once."""

    def __init__(self, tables: Iterable[Table]) -> None:
        self._tables = tuple(tables)
        self._ready = [cache(table.prepared) for table in self._tables]
        self._patterns: list[Pattern] = []
        self._regexps: list[_Regexp | None] = []
        self._data: dict[str, dict[str, dict[str, Any]]] = {}
        self._merged: dict[tuple[str, str | None], Mapping[str, Any]] = {}
        self.lists: dict[tuple[str, str | tuple[str, ...], str | None], frozenset[str]] = {}
        self._made: dict[tuple[Any, str | None], Any] = {}
        options = re2.Options()
        options.max_mem = 64 << 20
        options.log_errors = False
        self._options = options
        self._kept = kept(MAX_KEPT)(lambda text, thread: self._read(text))
        self._last = kept(1)(lambda text, thread: self._read(text))
        self._numbers: dict[str, list[int]] = {}
        """By language: the numbers of its patterns among all."""
        self._menders: dict[str | None, Mender] = {}
        self._finders: dict[str, Finder] = {}
        """By language: what finds the patterns to be tried, once that language was read."""
        seen: dict[str, str] = {}
        for table in self._tables:
            for pattern in table.patterns:
                self._add(pattern, table, seen)
            for name, value in table.data.items():
                self._data.setdefault(name, {}).setdefault(table.language, {}).update(value)
        self.recogniser = languages.Recogniser(self._data.pop("language", {}))

    def _add(self, pattern: Pattern, table: Table, seen: dict[str, str]) -> None:
        place = f"table {table.name}: pattern {pattern.id}"
        if pattern.id in seen:
            raise PackError(f"{place} is already defined in table {seen[pattern.id]}")
        seen[pattern.id] = table.name
        if not table.place and not (regexp := self._compiled(pattern)).ok():
            raise PackError(f"{place} is refused by RE2: {regexp.error().decode()}")
        self._numbers.setdefault(pattern.language, []).append(len(self._patterns))
        self._patterns.append(pattern)
        self._regexps.append(None)

    def _compiled(self, pattern: Pattern) -> Any:
        return _re2.RE2(bounded(pattern.source).encode(), self._options)

    def _finder(self, language: str) -> Finder:
        found = self._finders.get(language)
        if found is None:
            own = self._prepared(lambda spoken: spoken == language)
            found = self._finders[language] = Finder(chain.from_iterable(one.needles for one in own))
        return found

    def _prepared(self, wanted: Callable[[str], bool]) -> list[Prepared]:
        """What the tables of some languages have ready."""
        return [self._ready[number]() for number, table in enumerate(self._tables) if wanted(table.language)]

    @cached_property
    def families(self) -> dict[str, tuple[str, ...]]:
        """The families of patterns, each with the keys of its patterns, of all languages."""
        found: dict[str, dict[str, None]] = {}
        for pattern in self._patterns:
            found.setdefault(pattern.family, {})[pattern.means] = None
        return {family: tuple(keys) for family, keys in found.items()}

    def data(self, name: str, language: str | None = None) -> Mapping[str, Any]:
        """Plain data of a language, together with what holds in any; without a language, or for one that has none, of
        all of them, the pack's first language before the others."""
        key = (name, language)
        if key not in self._merged:
            tables = self._data.get(name, {})
            chosen = [language, "any"] if language in tables else list(reversed(tables))
            self._merged[key] = {k: v for lang in chosen for k, v in tables.get(lang or "", {}).items()}
        return self._merged[key]

    def languages(self, name: str) -> tuple[str, ...]:
        """The languages that have plain data of that name."""
        return tuple(self._data.get(name, {}))

    def phrases(self, name: str, key: str | tuple[str, ...], language: str | None = None) -> frozenset[str]:
        """Words written as one string in the plain data, split at "|" or else at spaces; of several keys, all."""
        known = (name, key, language)
        found = self.lists.get(known)
        if found is None:
            tables = self._data.get(name, {})
            chosen = [language, "any"] if language in tables else list(tables)
            keys = (key,) if isinstance(key, str) else key
            texts = [str(tables.get(lang or "", {}).get(k, "")) for lang in chosen for k in keys]
            words = chain.from_iterable(text.split("|" if "|" in text else None) for text in texts)
            found = self.lists[known] = frozenset(filter(None, words))
        return found

    def wording(self, name: str, key: str, language: str | None) -> str:
        """A text of the plain data in a language; where it has none, in the first of the pack's languages that has."""
        tables = self._data.get(name, {})
        own = tables.get(language or "", {}).get(key)
        return str(own if own is not None else next((table[key] for table in tables.values() if key in table), ""))

    def made(self, make: Callable[[Reader, str | None], Found], language: str | None = None) -> Found:
        """What a function makes of a language's words (sets ready to be looked up, a pattern of the standard library),
        made when it is first asked for; without a language, of the words of all."""
        key = (make, language)
        try:
            return self._made[key]  # type: ignore[no-any-return]
        except KeyError:
            found = self._made[key] = make(self, language)
            return found

    def read(self, text: str) -> Reading:
        """What a text says. The newest readings of short texts are kept: a reply is read when it is checked and again
        when it is said, a message again when its turn lost a race, and its clauses by each who asks what they are. A
        reading fills up as it is asked, so it stays in its thread."""
        return (self._kept if len(text) <= MAX_KEPT_CHARS else self._last)(text, get_ident())

    def _read(self, text: str) -> Reading:
        text = text if unicodedata.is_normalized("NFC", text) else unicodedata.normalize("NFC", text)
        if "[" in text:
            text = _ECHO.sub(lambda block: " " * len(block[0]), text)
        folded = fold(text)
        told = self.recogniser.recognise(folded, text)
        folded = self._mender(told).mended(folded, text)
        plain, scripts, words = folded.isascii(), self.recogniser.scripts, edged(folded)
        pieces, may_fire = grams(words), dict[str, list[int]]()
        for language, numbers in self._numbers.items():
            # a language with an alphabet of its own is known by its letters anywhere; between languages that share one,
            # the language of the message decides
            own = language in scripts
            if not (own and plain) and (own or told is None or told in scripts or language in ("any", told)):
                for place in self._finder(language).among(words, pieces):
                    number = numbers[place]
                    may_fire.setdefault(self._patterns[number].family, []).append(number)
        return Reading(text, folded, told, may_fire, self)

    def _mender(self, language: str | None) -> Mender:
        """The words of a language, of all languages where none is told."""
        found = self._menders.get(language)
        if found is None:
            own = self._prepared(lambda spoken: language is None or spoken in (language, "any"))
            words, stems = (chain.from_iterable(column) for column in ([p.words for p in own], [p.stems for p in own]))
            found = self._menders.setdefault(language, Mender(words, stems))
        return found

    def knows(self, word: str, language: str | None) -> bool:
        """Whether a folded word is one of those that the tables of a language are made of."""
        return self._mender(language).knows(word)

    def cues(self, fired: Iterable[Fired], offsets: _Offsets) -> list[Cue]:
        """Where the patterns that fired match, and what they capture."""
        found = [cue for number, spans in fired for cue in self._cues(number, spans, offsets)]
        return sorted(found, key=_by_place) if len(found) > 1 else found

    def _cues(self, number: int, spans: Sequence[Span], offsets: _Offsets) -> list[Cue]:
        pattern, regexp = self._patterns[number], self._regexp(number)
        data, char = offsets.data, int if offsets.plain else offsets.char
        cues: list[Cue] = []
        place, end = 0, len(data)
        while spans[0][0] >= 0 and len(cues) < MAX_CUES:
            begin, finish = spans[1]
            groups = {}
            for name, index in regexp.names:
                first, last = spans[index]
                if first >= 0:
                    groups[name] = char(first), char(last)
            cues.append(
                Cue(
                    pattern.id,
                    pattern.family,
                    pattern.language,
                    char(begin),
                    char(finish),
                    groups,
                    pattern.means,
                    pattern.traits,
                )
            )
            place = max(finish, place + 1)
            if place >= end:
                break
            spans = regexp.match(_ANYWHERE, data, place, end)
        return cues

    def _regexp(self, number: int) -> _Regexp:
        regexp = self._regexps[number]
        if regexp is None:
            regexp = self._regexps[number] = _Regexp(self._compiled(self._patterns[number]))
        return regexp


_readers: WeakValueDictionary[tuple[int, ...], Reader] = WeakValueDictionary()


def reader_of(tables: Iterable[Table]) -> Reader:
    """A reader of these tables. Packs with the very same tables share one: compiling the patterns of a language takes a
    hundred milliseconds, and a pack that differs in its budget or its agents needs no patterns of its own."""
    tables = tuple(tables)
    key = tuple(id(table) for table in tables)  # no other tables have these ids while the reader holds its own
    found = _readers.get(key)
    return found if found is not None else _readers.setdefault(key, Reader(tables))


class _Regexp:
    """One pattern by the RE2 object itself: its Python wrapper costs ten times the match."""

    def __init__(self, compiled: Any) -> None:
        self.match = compiled.Match
        self._compiled = compiled

    @cached_property
    def names(self) -> list[tuple[str, int]]:
        """Its named groups."""
        return [(name.decode(), index) for name, index in self._compiled.NamedCapturingGroups()]


_ANYWHERE = _re2.RE2.Anchor.UNANCHORED


class _Offsets:
    """Byte offsets as character offsets, in one walk over the text."""

    def __init__(self, text: str) -> None:
        self.data = text.encode()
        self.plain = len(self.data) == len(text)
        """Whether both are the same."""
        self._bytes, self._chars = [0], [0]

    def char(self, offset: int) -> int:
        known = bisect_right(self._bytes, offset) - 1
        char = self._chars[known] + len(self.data[self._bytes[known] : offset].decode())
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


def _by_place(cue: Cue) -> Span:
    return cue.start, -cue.end
