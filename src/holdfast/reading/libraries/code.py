"""Libraries in code: which of them a piece of code imports, and whether it also uses them.

Code is read with patterns, since it comes in pieces: a snippet, Python, JavaScript, code in the middle of prose. Only
code is evidence: prose that names a library is none. The libraries are data (`libraries.toml`); a table of one's own
adds rows or replaces them.
"""

from __future__ import annotations

import os
import re
import tomllib
from collections.abc import Collection, Iterable, Iterator, Mapping
from functools import cache
from itertools import pairwise
from typing import NamedTuple

import msgspec

from holdfast.errors import PackError
from holdfast.reading.tables import Pattern, Table
from holdfast.reading.text import fold

NAMES = 20
"""Most files that one piece of code is taken to write."""

Chain = tuple[str, ...]


class Library(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """One row of the table; `libraries.toml` explains the fields."""

    name: str
    use_case: str
    imports: tuple[str, ...] = ()
    variants: tuple[str, ...] = ()
    mentions: tuple[str, ...] = ()
    uses: tuple[str, ...] = ()
    method: str = ""
    words: tuple[str, ...] = ()
    common: tuple[str, ...] = ()
    places: tuple[str, ...] = ()
    writes: tuple[str, ...] = ()
    edits: tuple[str, ...] = ()
    over: tuple[str, ...] = ()

    def sentence(self) -> str:
        return self.method or f"Used {self.name} for {self.use_case}"


class Sighting(NamedTuple):
    """A library that code imports; `used` when the code also calls it."""

    library: str
    real: str
    used: bool


class Word(NamedTuple):
    """What a person's word for a library stands for."""

    library: str
    real: str
    common: bool
    place: bool = False


class _Code(NamedTuple):
    """What counts in a piece of code: the modules that are named (a dictionary for their order), name → module, and
    what is called."""

    modules: dict[str, None]
    bound: dict[str, str]
    calls: set[Chain]


# Every repetition is bounded or fixed by its first character, so the standard library's matcher stays linear.
_PYTHON = re.compile(
    r"(?:^|[;:`])[ \t>]*(?:from[ \t]+(?P<base>[\w.]{1,100})[ \t]+import[ \t]+"
    r"(?P<names>\([^()]{0,2000}\)|[\w.,* \t]{1,500})"
    r"|import[ \t]+(?P<modules>[\w.][\w., \t]{0,500}))(?=[;#`\n]|$)",
    re.MULTILINE,
)
_SCRIPT = re.compile(
    r"(?:\b(?:const|let|var)[ \t]+(?P<bound>\w{1,60}|\{[^{}\n]{0,300}\})[ \t]*=[ \t]*(?:await[ \t]+)?)?"
    r"\b(?:require|import)\([ \t]*['\"](?P<required>[@\w./-]{1,100})['\"]"
    r"|\bimport[ \t]+(?:(?P<clause>[\w*{}, \t$]{1,120})[ \t]from[ \t]+)?['\"](?P<package>[@\w./-]{1,100})['\"]"
    r"|<script[^<>]{0,200}\bsrc=['\"](?P<source>[^'\"<>\n]{1,300})['\"]"
)
_SIGNS = ("require(", "import(", "<script", "from '", 'from "', "import '", 'import "')
_CALL = re.compile(r"(?<![\w.])([A-Za-z_$]\w{0,60}(?:\.\w{1,60}){0,6})[ \t]{0,4}\(")
_NAME = re.compile(r"\w{1,60}")
_ALIAS = re.compile(r"^([\w.]{1,100})(?:[ \t]+as[ \t]+(\w{1,60}))?$")
_BASE = re.compile(r"\bclass[ \t]+\w{1,60}[ \t]{0,4}\([ \t]{0,4}([\w.]{1,100})")
_LOADED = re.compile(r"\b(?:import_module|__import__)\([ \t]{0,4}['\"]([\w.]{1,100})['\"]")
_TEXT = r"[fr]?['\"]([^'\"\n{}]{1,200}\.[A-Za-z][A-Za-z0-9]{1,4})['\"]"
_WRITTEN = re.compile(
    r"\b(?:save\w{0,20}|to_(?:excel|csv|html|json|image)|output\w{0,12}|write\w{0,12}|imwrite|Canvas|SimpleDocTemplate|"
    rf"ExcelWriter|Workbook|createWriteStream)[ \t]{{0,4}}\(\s{{0,20}}(?:{_TEXT}|(\w{{1,60}})\b)"
    rf"|\bopen\([ \t]{{0,4}}{_TEXT}[ \t]{{0,4}},[ \t]{{0,4}}(?:mode=)?['\"][wax]"
    rf"|\bPath\([ \t]{{0,4}}{_TEXT}[ \t]{{0,4}}\)\.write_"
)
_HELD = re.compile(rf"(?<![\w.])(\w{{1,60}})[ \t]{{0,4}}=[ \t]{{0,4}}{_TEXT}")
"""A name that stands for the name of a file: `out = "menu.pptx"`."""


class Libraries:
    """The table, and what can be found with it."""

    def __init__(self, rows: Iterable[Library]) -> None:
        self.rows = {row.name: row for row in rows}
        self._order = {name: place for place, name in enumerate(self.rows)}
        self._python: dict[str, Library] = {}
        self._script: dict[str, Library] = {}
        self._mentions: list[tuple[re.Pattern[str], Library]] = []
        self._marks: list[str] = []
        for row in self.rows.values():
            for name in row.imports:
                script = name.startswith("js:")
                (self._script if script else self._python).setdefault(name.removeprefix("js:"), row)
            self._marks += [*(f"{name}." for name in row.imports), *row.mentions]
            self._mentions += [(re.compile(rf"(?<![\w-]){re.escape(m)}(?![\w-])"), row) for m in row.mentions]

    def __contains__(self, name: object) -> bool:
        return name in self.rows

    def __getitem__(self, name: str) -> Library:
        return self.rows[name]

    def place(self, name: str) -> int:
        """Its place in the fixed order; unknown names come last."""
        return self._order.get(name, len(self._order))

    def extended(self, text: str) -> Libraries:
        """The table with the rows of a TOML text added; a row of a known name replaces it in its place."""
        return Libraries({**self.rows, **{row.name: row for row in read(text)}}.values())

    def detect(self, code: str = "", content: str = "") -> tuple[Sighting, ...]:
        """The libraries of one message: of the code that was executed for it and of the code in its text."""
        found: dict[str, Sighting] = {}
        pieces = [(piece, True) for piece in (code, *_fences(content))]
        for piece, whole in [*pieces, ("\n".join(content.split("```")[::2]), False)]:
            for sight in self._detect(piece, whole) if self._worth(piece) else ():
                known = found.get(sight.library)
                found[sight.library] = sight if known is None or sight.used else known
        return tuple(sorted(self._above(found.values()), key=lambda s: (not s.used, self.place(s.library))))

    def _above(self, found: Collection[Sighting]) -> Iterator[Sighting]:
        """Libraries, of which none counts as used that only serves another: matplotlib under seaborn."""
        under = {name for sight in found if sight.used for name in self.rows[sight.library].over}
        for sight in found:
            yield sight._replace(used=sight.used and sight.library not in under)

    def _detect(self, text: str, whole: bool) -> Iterator[Sighting]:
        read = _scanned(text, self._python)
        imported, bound = self._imported(read, _packages(text))
        for pattern, row in self._mentions:
            if row.name not in imported and pattern.search(text) and (whole or self._uses(row, read.calls, bound)):
                imported[row.name] = row.name
        for name, real in imported.items():
            yield Sighting(name, real, self._uses(self.rows[name], read.calls, bound))

    def _imported(
        self, read: _Code, packages: Iterable[tuple[str, list[str]]]
    ) -> tuple[dict[str, str], dict[str, str]]:
        """Which libraries code imports, each with the member of its family; and which of them each name is bound to."""
        imported: dict[str, str] = {}
        for module in read.modules:
            if row := self._row(module, self._python):
                top = module.split(".")[0]
                imported[row.name] = top if top in row.variants else row.name
        rows = [(name, self._row(module, self._python)) for name, module in read.bound.items()]
        for package, names in packages:
            if row := self._row(package, self._script):
                imported.setdefault(row.name, row.name)
                rows += [(name, row) for name in names]
        return imported, {name: row.name for name, row in rows if row}

    def _worth(self, text: str) -> bool:
        """A quick look: without one of these there is nothing to find."""
        if "import" in text or "require(" in text or "<script" in text:
            return True
        return "(" in text and any(name in text for name in self._marks)

    def _row(self, module: str, table: Mapping[str, Library]) -> Library | None:
        """The library of a module: by its whole name, or by the part before the first dot or slash."""
        return table.get(module) or table.get(re.split(r"[./]", module, maxsplit=1)[0])

    def _uses(self, row: Library, calls: set[Chain], bound: Mapping[str, str]) -> bool:
        """Whether anything is called on a name that its import bound, on the module, or that the row lists."""
        return any(
            bound.get(chain[0]) == row.name
            or (len(chain) > 1 and self._python.get(chain[0]) is row)
            or _matches(row.uses, chain)
            for chain in calls
        )

    def words(self) -> tuple[Table, dict[str, Word]]:
        """How people call the libraries: a table of cues of the family "library", and what each cue stands for."""
        patterns: list[Pattern] = []
        meaning: dict[str, Word] = {}
        for row in self.rows.values():
            for word in (*row.words, *row.common):
                id = f"any.library.{word.replace(' ', '_')}"
                real = next((v for v in row.variants if v.lower() == word.replace(" ", "")), row.name)
                source = re.escape(fold(word)).replace(r"\-", "-").replace(r"\ ", " ")
                patterns.append(Pattern(id, "library", "any", source, row.name))
                meaning[id] = Word(row.name, real, word in row.common, word in row.places)
        return Table("libraries.any.toml", "any", tuple(patterns), {}), meaning


def read(text: str, place: str = "libraries") -> list[Library]:
    """The rows of a table of libraries in TOML."""
    try:
        rows = tomllib.loads(text).get("library", [])
        return [msgspec.convert(row, Library) for row in rows]
    except (tomllib.TOMLDecodeError, msgspec.ValidationError) as wrong:
        raise PackError(f"table {place}: {wrong}") from None


@cache
def known() -> Libraries:
    """The libraries that come with Holdfast."""
    with open(os.path.join(os.path.dirname(__file__), "libraries.toml"), encoding="utf-8") as file:
        return Libraries(read(file.read()))


def written(code: str, content: str = "") -> tuple[str, ...]:
    """Names of the files that the code of one message saves, where they stand in it as plain text: the code that was
    executed, else the code in its text."""
    code = code or "\n".join(_fences(content))
    held = dict(_HELD.findall(code))
    named = (text or held.get(name, "") or opened or put for text, name, opened, put in _WRITTEN.findall(code))
    return tuple(dict.fromkeys(filter(None, named)))[:NAMES]


def _fences(content: str) -> list[str]:
    """The code blocks of a reply, without the name of their language."""
    if "```" not in content:
        return []
    return [block.partition("\n")[2] or block for block in content.split("```")[1::2]]


def _scanned(text: str, table: Mapping[str, Library]) -> _Code:
    """Statements of import where a statement can stand, and what is called outside of them."""
    found = _Code({}, {}, set())
    rest: list[str] = []
    place = 0
    for hit in _PYTHON.finditer(text):
        if _statement(hit, found):
            rest.append(text[place : hit.start()])
            place = hit.end()
    rest.append(text[place:])
    for piece in rest:
        found.modules.update(dict.fromkeys(_LOADED.findall(piece)))
        found.calls.update(tuple(base.split(".")) for base in _BASE.findall(piece))
        for call in _CALL.finditer(piece):
            chain = tuple(call[1].split("."))
            found.calls.add(chain)
            if len(chain) > 1 and chain[0] in table:
                found.modules.setdefault(chain[0])
    return found


def _statement(hit: re.Match[str], found: _Code) -> bool:
    """Take over a statement of import; False for prose: "import pandas and then draw"."""
    base, named = hit["base"], (hit["names"] or hit["modules"]).strip("()\n\t ,")
    parts = [_ALIAS.match(piece.strip()) for piece in named.split(",")] if named != "*" else []
    if None in parts:
        return False
    if base:
        found.modules.setdefault(base)
    for part in filter(None, parts):
        module = base or part[1]
        found.modules.setdefault(module)
        found.bound[part[2] or (part[1] if base else part[1].split(".")[0])] = module
    return True


def _packages(text: str) -> Iterator[tuple[str, list[str]]]:
    """JavaScript packages, each with the names that they are bound to."""
    if not any(sign in text for sign in _SIGNS):
        return
    for hit in _SCRIPT.finditer(text):
        names = _NAME.findall(hit["bound"] or hit["clause"] or "")
        if hit["source"]:  # an address: any part of its path may be the package, with or without a version
            for part in hit["source"].lower().split("/"):
                yield part.partition("@")[0].replace(".min", "").removesuffix(".js"), names
                yield part.partition("@")[0].replace(".min", ""), names
        else:
            yield hit["required"] or hit["package"], names


def _matches(uses: Iterable[str], chain: Chain) -> bool:
    for use in uses:
        if use.endswith("("):
            if chain[-1] == use[:-1]:
                return True
        elif use.endswith("."):
            if use[:-1] in chain[:-1]:
                return True
        else:
            first, _, second = use.partition(".")
            if (first, second) in pairwise(chain):
                return True
    return False
