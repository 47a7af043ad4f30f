"""The library of procedures: one readable TOML file per system, read once, checked, and refused with file and line.

Nothing here knows a conversation. A file holds the words that name its system, its steps with the question in each
language, what must be closed before, the part it is about, the reading it expects, and, where the field has them,
branches with their triggers, gates, and the part that a direct-power test speaks of. The patterns in a file become
tables of the pack's one reader.
"""

from __future__ import annotations

import re
import tomllib
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from functools import cached_property
from importlib.resources import files
from pathlib import Path
from typing import Any, Literal

import msgspec

from holdfast.columns import texts
from holdfast.errors import PackError
from holdfast.kept import kept
from holdfast.reading.endings import shipped_endings
from holdfast.reading.tables import Pattern, Table
from holdfast.reading.text import WORD, fold

MAX_KEPT_CHARS = 500
"""Characters of a text whose lemmas are kept: the questions of the procedures are asked for again and again."""
_WORDS = re.compile(f"[{WORD}]+")
_LANGUAGE = re.compile(r"(?!id)..")
_NAME = re.compile(r"(?<![^|])([^\W\d_]{6,})(?:s\?|\[[^\]]*\][*+])?(?![^|])")
"""An alternative of a pattern that is one long word with its endings."""
_GROUP = re.compile(r"\([^()]*\)\??")
_PLACE = re.compile(r"\$\.(\w+)\[(\d+)\]")


Answer = Literal["reading", "yes_no", "state", "kind", "code", "choice", "finding"]


class Said(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A text in the languages that its file gives it in; English stands in for the others."""

    texts: dict[str, str] = {}

    def __post_init__(self) -> None:
        if not self.texts.get("en"):
            raise ValueError("a text needs English, under the key `en`")

    @property
    def en(self) -> str:
        return self.texts["en"]

    @property
    def every(self) -> str:
        """In all its languages, to be searched."""
        return " ".join(self.texts.values())

    def in_(self, language: str | None) -> str:
        return self.texts.get(language or "") or self.texts["en"]


class Below(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A reading under which a branch is entered."""

    unit: str
    value: float


class Step(Said, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """One question of a procedure."""

    id: str
    part: Said
    check: str
    """How it is checked: names the how-to text where the step has none of its own."""
    needs: tuple[str, ...] = ()
    branch: str | None = None
    gate: str | None = None
    expects: str | None = None
    """Name of the figure that a reading is judged by."""
    howto: Said | None = None
    good: Literal["yes", "no"] | None = None
    """The answer that means that all is well, where the question has one."""
    answer: Answer = "finding"
    """What answers it: a reading, a yes or a no, how something is, which kind of unit it is, a code, one of the things
    that it offers, or whatever was found."""


class Branch(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A side path that an answer opens."""

    id: str
    steps: tuple[str, ...]
    entry: str
    when: Said
    excludes: tuple[str, ...] = ()
    critical: bool = False
    bare_no: bool = False
    below: Below | None = None


class Gate(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A kind of unit; its steps leave the case when the unit turns out to be of another kind."""

    id: str
    asked_at: str
    only: Said
    keeps: Said
    denied: Said


class DirectPower(Said, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """The part that a test on direct power speaks of."""

    part: str
    what: str


class Place(Said, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """Where some part of a system sits."""

    names: Said
    """What technicians call it, parted by commas."""


class Procedure(msgspec.Struct, frozen=True, forbid_unknown_fields=True, dict=True):
    """One system, whole."""

    name: Said
    classification: str
    order: int
    labor_hours: float
    place: Said
    role: Said
    find: Said
    step: tuple[Step, ...]
    unless: Said | None = None
    direct_power: DirectPower | None = None
    branch: tuple[Branch, ...] = ()
    gate: tuple[Gate, ...] = ()
    where: tuple[Place, ...] = ()
    id: str = ""

    @cached_property
    def steps(self) -> Mapping[str, Step]:
        return {step.id: step for step in self.step}

    @cached_property
    def branches(self) -> Mapping[str, Branch]:
        return {branch.id: branch for branch in self.branch}


class Figure(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """What a reading should be, and between which values it can be at all."""

    unit: str
    low: float
    high: float
    least: float
    most: float

    def is_off(self, value: float, unit: str | None) -> bool:
        """Whether a reading is not what it should be; one in another unit cannot be judged."""
        return unit == self.unit and not self.low <= value <= self.high


class Part(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A part by its id: what technicians call it, parted by commas, and, where they ask about it, what it does."""

    id: str
    names: Said
    what: Said | None = None
    anywhere: bool = False
    """Whether most parts have one, as a wire or a terminal: who names it speaks of no part in particular."""

    def name(self, language: str | None) -> str:
        """What it is called, the usual word first."""
        return self.names.in_(language).partition(",")[0].strip()


class Library:
    """All procedures of a pack, in the order in which their words are looked for."""

    def __init__(
        self, procedures: Mapping[str, Procedure], figures: Mapping[str, Figure], parts: tuple[Part, ...] = ()
    ) -> None:
        self.procedures = dict(sorted(procedures.items(), key=lambda item: item[1].order))
        self.figures = dict(figures)
        self.parts = parts
        self._home = {step: p.id for p in self.procedures.values() for step in p.steps}

    def procedure(self, system: str | None) -> Procedure | None:
        return self.procedures.get(system) if system else None

    def step(self, id: str | None) -> Step | None:
        home = self._home.get(id or "")
        return self.procedures[home].steps[id or ""] if home else None

    def called(self, topic: str, language: str | None) -> str | None:
        """The name of a part in a language, by its name in any."""
        named = (part for part in self.parts if lemmas(topic) in map(lemmas, _names(part.names)))
        return next((part.name(language) for part in named), None)

    def explained(self, topic: str, language: str | None) -> str | None:
        """What a part does, if the lexicon tells: the part whose name shares most with the topic."""
        named = ((name, part.what) for part in self.parts if part.what is not None for name in _names(part.names))
        what = _nearest(lemmas(topic), named)
        return what.in_(language) if what is not None else None

    def place_of(self, system: str, topic: str, language: str | None) -> str | None:
        """Where a part of a system sits, as far as its file tells; a part that no step of it names is unknown."""
        procedure, asked = self.procedures[system], lemmas(topic)
        found = _nearest(asked, ((name, place) for place in procedure.where for name in _names(place.names)))
        if found is not None:
            return found.in_(language)
        parts = (step.part.every for step in procedure.step)
        named = any(asked & lemmas(part) for part in (*parts, procedure.name.every))
        return procedure.place.in_(language) if named else None

    @cached_property
    def tables(self) -> list[Table]:
        """The patterns of all files, for the pack's reader: systems, triggers, gates and direct-power parts."""
        languages = dict.fromkeys(code for procedure in self.procedures.values() for code in procedure.name.texts)
        return [
            Table(f"procedures.{language}", language, tuple(self._patterns(language)), self._spelled(language))
            for language in languages
        ]

    def _spelled(self, language: str) -> dict[str, dict[str, str]]:
        """The parts that are called by one long word, for those who misspell it, and those that are found anywhere."""
        names = ((part.id, fold(part.names.in_(language)).split(",")) for part in self.parts)
        single = ((id, name.strip()) for id, each in names for name in each)
        patterns = ((p.id, _GROUP.sub("", _GROUP.sub("", p.find.in_(language)))) for p in self.procedures.values())
        named = ((id, name[1]) for id, pattern in patterns for name in _NAME.finditer(pattern))
        return {
            "part_names": {lemma(name): id for id, name in single if name.isalpha()},
            "system_names": {name: id for id, name in named},
            "parts": {"anywhere": " ".join(part.id for part in self.parts if part.anywhere)},
        }

    def _patterns(self, language: str) -> Iterator[Pattern]:
        def pattern(family: str, name: str, said: Said) -> Pattern:
            return Pattern(f"{language}.{family}.{name}", family, language, said.in_(language), name)

        for part in self.parts:
            yield Pattern(f"{language}.part.{part.id}", "part", language, inflected(part.names.in_(language)), part.id)
        for procedure in self.procedures.values():
            yield pattern("system", procedure.id, procedure.find)
            if procedure.unless:
                yield pattern("system_not", procedure.id, procedure.unless)
            if procedure.direct_power:
                yield pattern(f"powered.{procedure.id}", "part", procedure.direct_power)
            for branch in procedure.branch:
                yield pattern(f"branch.{branch.id}", "when", branch.when)
            for gate in procedure.gate:
                for word in ("only", "keeps", "denied"):
                    yield pattern(f"gate.{gate.id}.{word}", "words", getattr(gate, word))


def _nearest(asked: frozenset[str], named: Iterable[tuple[str, Said]]) -> Said | None:
    """Of some texts with their names, the one whose name shares most with some words: all of either must be shared."""
    best, found = 0.0, None
    for called, text in named:
        name = lemmas(called)
        shared = len(name & asked)
        share = shared / len(name) + shared / 10 if name else 0.0
        if shared and (name <= asked or asked <= name) and share > best:
            best, found = share, text
    return found


def _names(names: Said) -> list[str]:
    """Every name that a row of the lexicon gives, in all languages."""
    return [name.strip() for text in names.texts.values() for name in text.split(",")]


def inflected(names: str) -> str:
    """A pattern for some names, parted by commas, in whatever case and number they are said."""
    words = [[_inflected(word) for word in fold(name).split()] for name in names.split(",")]
    return "|".join(sorted(("[ -]".join(parts) for parts in words), key=lambda one: (-len(one), one)))


def _inflected(word: str) -> str:
    endings = shipped_endings("en", "ru", "es")
    if word[0] in endings.letters:
        letters = "".join(sorted(endings.letters))
        return f"{re.escape(endings.stem(word))}[{letters}]{{0,4}}"
    return f"{re.escape(word[:-1])}(?:y|ies)" if word.endswith("y") else f"{re.escape(word)}(?:e?s)?"


def folder_of(place: str | Path) -> Path:
    """The folder that holds a desk's data: a package by its name, or simply a folder."""
    return Path(str(files(place))) if isinstance(place, str) else place


def load(place: str | Path) -> Library:
    """Read `procedures/*.toml`, `figures.toml` and `parts.tsv` of a package or a folder."""
    home = folder_of(place)
    found = [parse(file.name, file.read_text(encoding="utf-8")) for file in sorted(home.glob("procedures/*.toml"))]
    figures = home / "figures.toml"
    rows = tomllib.loads(figures.read_text(encoding="utf-8")) if figures.is_file() else {}
    library = Library(
        {procedure.id: procedure for procedure in found}, msgspec.convert(rows, dict[str, Figure]), _parts(home)
    )
    _check_together(library)
    return library


def _parts(home: Path) -> tuple[Part, ...]:
    """The parts of `parts.tsv`: a row for the names of each, and perhaps one for what it does."""
    found: dict[str, dict[str, Any]] = {}
    for language, said in texts(home / "parts.tsv").items() if (home / "parts.tsv").is_file() else ():
        for id, text in said.items():
            part, _, field = id.partition("/")
            row = found.setdefault(part, {"id": part, "anywhere": False})
            row["anywhere"] |= field == "anywhere"
            row.setdefault("what" if field == "what" else "names", {"texts": {}})["texts"][language] = text
    return msgspec.convert(tuple(found.values()), tuple[Part, ...])


def parse(name: str, text: str) -> Procedure:
    """One procedure from TOML text. What is wrong is said with file and line."""
    try:
        tree = tomllib.loads(text)
    except tomllib.TOMLDecodeError as wrong:
        raise PackError(f"procedure file {name}: {wrong}") from None
    try:
        procedure = msgspec.convert({**_gathered(tree), "id": name.removesuffix(".toml")}, Procedure)
    except msgspec.ValidationError as wrong:
        raise PackError(f"procedure file {name}, line {_line(text, str(wrong))}: {wrong}") from None
    _check(name, text, procedure)
    return procedure


def _gathered(tree: Any) -> Any:
    """The rows of a file with the texts of each together: a key of two letters is a language (but `id` is an id)."""
    if isinstance(tree, list):
        return [_gathered(row) for row in tree]
    if not isinstance(tree, dict):
        return tree
    texts = {key: text for key, text in tree.items() if _LANGUAGE.fullmatch(key) and isinstance(text, str)}
    rest = {key: _gathered(value) for key, value in tree.items() if key not in texts}
    return {**rest, "texts": texts} if texts else rest


def _check(name: str, text: str, procedure: Procedure) -> None:
    for id, what in (*_step_faults(procedure), *_branch_faults(procedure)):
        raise PackError(f"procedure file {name}, line {_line_of(text, id)}: {what}")


def _step_faults(procedure: Procedure) -> Iterator[tuple[str, str]]:
    """Ids of steps, and what is wrong with them."""
    ids = Counter(step.id for step in procedure.step)
    gates = {gate.id for gate in procedure.gate}
    for step in procedure.step:
        if ids[step.id] > 1:
            yield step.id, f"the step {step.id!r} is there twice"
        for need in step.needs:
            if need not in ids:
                yield step.id, f"the step {step.id!r} needs {need!r}, which this file does not have"
        for kind, value, known in (
            ("is in the branch", step.branch, procedure.branches),
            ("has the gate", step.gate, gates),
        ):
            if value and value not in known:
                yield step.id, f"the step {step.id!r} {kind} {value!r}, which this file does not define"


def _branch_faults(procedure: Procedure) -> Iterator[tuple[str, str]]:
    """Ids of branches, and what is wrong with them."""
    for branch in procedure.branch:
        for step in (branch.entry, *branch.steps):
            if step not in procedure.steps:
                what = f"the branch {branch.id!r} names the step {step!r}, which this file does not have"
                yield branch.id, what


def _check_together(library: Library) -> None:
    seen: dict[str, str] = {}
    for procedure in library.procedures.values():
        for step in procedure.step:
            if step.id in seen:
                raise PackError(f"the step {step.id!r} is in {seen[step.id]}.toml and in {procedure.id}.toml")
            seen[step.id] = procedure.id
            if step.expects and step.expects not in library.figures:
                raise PackError(f"{procedure.id}.toml: {step.id} expects {step.expects!r}, which figures.toml lacks")


def _line(text: str, wrong: str) -> int:
    """The line of what msgspec complains about: the n-th table of its kind, or the top of the file."""
    place = _PLACE.search(wrong)
    if place is None:
        return 1
    heads = [n for n, line in enumerate(text.splitlines(), 1) if line.strip() == f"[[{place[1]}]]"]
    return heads[int(place[2])] if int(place[2]) < len(heads) else 1


def _line_of(text: str, id: str) -> int:
    wanted = f'id = "{id}"'
    return next((n for n, line in enumerate(text.splitlines(), 1) if line.strip() == wanted), 1)


def lemmas(text: str, stop: frozenset[str] = frozenset()) -> frozenset[str]:
    """The content words of a text without their endings: "terminals" is "terminal", and no thermistor."""
    return _known_lemmas(text, stop) if len(text) <= MAX_KEPT_CHARS else _lemmas(text, stop)


def _lemmas(text: str, stop: frozenset[str]) -> frozenset[str]:
    words = _WORDS.findall(fold(text))
    return frozenset(lemma(word) for word in words if word not in stop and (len(word) > 2 or word.isdigit()))


@kept(8192)
def lemma(word: str) -> str:
    """A folded word without its ending of case, number or tense."""
    endings = shipped_endings("en", "ru", "es")
    return endings.stem(word) if word[:1] in endings.letters else endings.word(word)


_known_lemmas = kept(8192)(_lemmas)


# --- the texts ---


class Texts:
    """Sentences by language and key ("howto.look")."""

    def __init__(self, tables: Mapping[str, Mapping[str, str]]) -> None:
        self._tables = tables
        self.languages = frozenset(tables)

    def get(self, language: str | None, key: str, **fields: Any) -> str:
        table = self._tables.get(language or "en") or self._tables["en"]
        text = table.get(key) or self._tables["en"].get(key)
        if text is None:
            raise PackError(f"the texts of the desk have no {key!r}; add it to texts.tsv")
        return text.format(**fields) if fields else text

    def all(self, key: str) -> list[str]:
        return [table[key] for table in self._tables.values() if key in table]


def load_texts(*places: str | Path) -> Texts:
    """What stands in `texts.tsv` of some packages or folders, later ones going before earlier ones."""
    tables: dict[str, dict[str, str]] = {"en": {}}
    for file in (folder_of(place) / "texts.tsv" for place in places):
        for language, said in texts(file).items() if file.is_file() else ():
            tables.setdefault(language, {}).update((key, text.replace("\\n", "\n")) for key, text in said.items())
    return Texts(tables)
