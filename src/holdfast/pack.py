"""A pack says which faculties an assistant has, configured how, with which instructions, agents, languages and model.

Packs hold no engine code. Built-in ones come in through the same door as a stranger's: an entry point in the group
`holdfast.packs`, or the object itself.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import suppress
from functools import cache, cached_property
from importlib import import_module
from operator import attrgetter
from typing import Any

import msgspec

from holdfast.accepting import called, nearest, shown
from holdfast.errors import HoldfastError, InvalidInput, PackError, UnknownPack
from holdfast.events import ANSWER, SHARED, Codec, Event, foreign
from holdfast.faculty import Faculty
from holdfast.guests import Contained
from holdfast.reading.model.clauses import list_features
from holdfast.reading.reader import Reader, reader_of
from holdfast.reading.tables import Table, in_folder, shipped
from holdfast.state import Fold, Folder

GROUP = "holdfast.packs"
STAGES = ("hear", "say", "context", "sections", "forbid", "view", "notes", "inquire")
WARMING = 12
"""Common words of a language that are read to load what reading needs."""


class Pack(msgspec.Struct, frozen=True, eq=False, dict=True):
    """Everything that makes one kind of assistant. Change a field with `pack.but(...)`."""

    name: str
    faculties: tuple[Faculty, ...]
    summary: str = ""
    """One line for people who choose a pack."""
    instructions: str = ""
    """What stands first in the system prompt, the same on every turn."""
    agents: tuple[str, ...] = ("agent",)
    languages: tuple[str, ...] = ("en", "ru", "es")
    model: str | None = None
    context_order: tuple[str, ...] = ()
    """Keys of the context line in their order; keys that are not named here follow."""
    section_order: tuple[str, ...] = ()
    """Names of prompt sections in their order; sections that are not named here follow."""
    budget: int = 2000
    """Tokens for the context line and the prompt sections together."""
    count_tokens: Callable[[str], int] | None = None
    tables: tuple[Table, ...] = ()
    """Pattern tables of the pack itself, beside those that its faculties bring."""
    hears_silence: bool = False
    """Whether an empty message is a message (in a service desk, silence is an answer)."""
    requires: dict[str, str] = {}
    """What a session must be opened with ("id", "user", "project"), and what is said where it is missing."""
    settings: dict[str, Any] = {}
    """Anything that its faculties, agent or face look up; `second_opinion` is what `Holdfast(second_opinion=…)` is."""
    agent: Callable[[Any, Any], Any] | None = None
    """The built-in agent for trying the pack without a key (see `holdfast.agents`)."""
    request: Callable[[str, bool, bool], str] | None = None
    """How a person's message is worded for the model in `turn.messages`, where not as it is: from the text, whether
    others came before it, and whether it is the newest."""
    tier: str = ""
    """Which tier reads where nothing else is asked for: "linear", "encoder", or nothing (see `Holdfast(reader=…)`)."""
    face: Callable[[Any], Any] | None = None
    """Makes what `session.face` gives: the pack's own names for its documents' calls, over the session."""

    def __repr__(self) -> str:
        return called("Pack", shown(self.name), faculties=[one.name for one in self.faculties], agents=self.agents)

    def but(self, **changes: Any) -> Pack:
        """The same pack with some fields changed."""
        return msgspec.structs.replace(self, **changes)

    def speaking(self, *folders: str | os.PathLike[str]) -> Pack:
        """The same pack with the tables of some folders (`<subject>.<language>.toml`), and so with one more language,
        or with more words of those that it has."""
        tables = [table for folder in folders for table in in_folder(folder)]
        brought = [table.language for table in tables if table.language != "any"]
        languages = tuple(dict.fromkeys((*self.languages, *brought)))
        return self.but(languages=languages, tables=(*self.tables, *tables))

    def __post_init__(self) -> None:
        for what, fault in self._faults():
            if fault:
                raise PackError(f"pack {shown(self.name)}: {what}")
        names = [faculty.name for faculty in self.faculties]
        if doubled := {name for name in names if names.count(name) > 1}:
            raise PackError(f"pack {self.name}: the faculty {doubled.pop()!r} is listed twice")

    def _faults(self) -> Iterator[tuple[str, bool]]:
        """What a pack cannot be without, said before the first message rather than in it."""
        name, budget, count = self.name, self.budget, self.count_tokens
        yield "its name must be printable text", not isinstance(name, str) or not name.strip() or not name.isprintable()
        yield "faculties must be a tuple", not isinstance(self.faculties, tuple)
        for one in self.faculties:
            yield f"{shown(one)} is no faculty; list objects, SlotsFaculty(…)", not isinstance(one, Faculty)
            yield f"{type(one).__name__} needs a name", not isinstance(getattr(one, "name", None), str)
        yield (
            "it needs ConversationFaculty(), which keeps what was said",
            "conversation" not in {one.name for one in self.faculties},
        )
        yield "agents must name at least one agent", not self.agents or isinstance(self.agents, str)
        yield "the budget must be a number of tokens", isinstance(budget, bool) or not isinstance(budget, int)
        yield "count_tokens must be a function from a text to a number", count is not None and not callable(count)

    @cached_property
    def guests(self) -> frozenset[Faculty]:
        """The faculties that are not ours: what they give is looked at before it is taken."""
        return frozenset(faculty for faculty in self.faculties if foreign(type(faculty)))

    def faculty(self, name: str) -> Faculty:
        for faculty in self.faculties:
            if faculty.name == name:
                return faculty
        raise PackError(f"pack {self.name} has no faculty {name!r}; it has {', '.join(f.name for f in self.faculties)}")

    def has(self, name: str) -> bool:
        """Whether one of its faculties has a name."""
        return any(faculty.name == name for faculty in self.faculties)

    @cached_property
    def able(self) -> dict[str, tuple[Faculty, ...]]:
        """By stage ("hear", "say", "context" …): the faculties that do something there, in the pack's order."""
        return {
            stage: tuple(one for one in self.faculties if getattr(type(one), stage) is not getattr(Faculty, stage))
            for stage in STAGES
        }

    def read_by(self, tier: str) -> Pack:
        """The same pack, with what is compiled of it, read by another tier."""
        if tier == self.tier:
            return self
        found: dict[str, Pack] = self.__dict__.setdefault("_tiers", {})
        if tier not in found:
            made = found[tier] = self.but(tier=tier)
            made.__dict__.update(reader=self.reader, codec=self.codec, folder=self.folder)
        return found[tier]

    @cached_property
    def described(self) -> dict[str, str]:
        """Slots that are declared by a description alone, so that only the encoder can read them."""
        return {name: text for faculty in self.faculties for name, text in faculty.described().items()}

    @cached_property
    def reader(self) -> Reader:
        """All patterns of all faculties, compiled once."""
        common = (
            table for subject in ("shared", "reply") for table in shipped("holdfast.reading", subject, self.languages)
        )
        tables = [*common, *self.tables]
        seen: set[str] = set()
        for faculty in self.faculties:
            for table in self._brought(faculty):
                if table.language in ("any", *self.languages) and table.name not in seen:
                    seen.add(table.name)
                    tables.append(table)
        reader = reader_of(tables)
        self._prove(reader, tables)
        return reader

    def _prove(self, reader: Reader, tables: list[Table]) -> None:
        """Say what the pack gets wrong as far as it can be seen without a message."""
        known, own = _families(tables, ours=True), _families(self.tables, ours=False)
        for family, table in own.items():
            if family not in known and (meant := nearest(family, known)):
                raise PackError(
                    f"pack {self.name}: table {table} has a family [{family}], which nothing reads; "
                    f"write [{meant}], or give a family of your own a name that differs more"
                )
        for faculty in self.faculties:
            for fault in faculty.faults(reader):
                raise PackError(f"pack {self.name}: {fault}")

    def _brought(self, faculty: Faculty) -> list[Table]:
        def unreadable(wrong: Exception) -> None:
            raise PackError(f"pack {self.name}: the tables of {faculty.name} do not load: {wrong!r}") from wrong

        tables: list[Table] = []
        with Contained(unreadable, HoldfastError):
            tables += faculty.tables()
        if odd := [table for table in tables if not isinstance(table, Table)]:
            raise PackError(f"pack {self.name}: {faculty.name} brings {shown(odd[0])}, which is no Table")
        return tables

    @cached_property
    def spoken(self) -> dict[str, Mapping[str, Any]]:
        """What the tables say of each language itself: its `name`, its plain `yes`."""
        tables = [*shipped("holdfast.reading", "shared", self.languages), *self.tables]
        return {table.language: table.data["language"] for table in tables if "language" in table.data}

    def warm(self) -> None:
        """Load and compile what reading a message needs, in every language: a process that does it first keeps nobody
        waiting with its first message."""
        self.codec.decode(self.codec.encode(()))
        _ = self.folder
        list_features()
        for language in self.spoken.values():
            common = str(language.get("words", "")).split()
            self.reader.read(" ".join(common[-WARMING:])).after("")

    @cached_property
    def codec(self) -> Codec:
        own = (event for faculty in self.faculties for event in faculty.events)
        return Codec(dict.fromkeys((*SHARED, *own)))

    @cached_property
    def folder(self) -> Folder:
        folds: dict[type[Event], list[tuple[str, Fold]]] = {}
        keepers: dict[str, Faculty] = {}
        for faculty in self.faculties:
            keepers.setdefault(faculty.kept_in or faculty.name, faculty)
        for name, faculty in keepers.items():
            for event in faculty.events:
                folds.setdefault(event, []).append((name, faculty.fold))
        return Folder(
            starts={name: self._start(faculty) for name, faculty in keepers.items()},
            folds=folds,
            slice_types={name: faculty.slice for name, faculty in keepers.items()},
            views={f.name: f.view for f in self.able["view"]},
        )

    def _start(self, faculty: Faculty) -> Any:
        try:
            return faculty.slice()
        except TypeError as wrong:
            where = f"pack {self.name}: {faculty.slice.__name__}, the slice of {faculty.name},"
            raise PackError(f"{where} must be made without arguments: {wrong}") from wrong

    @cached_property
    def attachments(self) -> dict[str, frozenset[str]]:
        """Names that `hear` and `say` may attach."""
        return {
            "hear": frozenset(name for f in self.faculties for name in f.hears),
            "say": frozenset((ANSWER, *(name for f in self.faculties for name in f.says))),
        }


def _families(tables: Iterable[Table], ours: bool) -> dict[str, str]:
    """The families of those tables that come with Holdfast, or of the others, each with the name of its table."""
    return {pattern.family: table.name for table in tables if bool(table.place) == ours for pattern in table.patterns}


def installed() -> list[str]:
    """Names of the packs that can be loaded by name."""
    return sorted(_points())


def load(pack: str | Pack) -> Pack:
    """A pack by name, or the object itself."""
    if isinstance(pack, Pack):
        return pack
    if not isinstance(pack, str):
        raise InvalidInput(f"a pack is a name or a Pack, not {type(pack).__name__}")
    if pack in _files:
        return _files[pack]
    points = _points()
    if pack not in points:  # it may have been installed since
        _points.cache_clear()
        points = _points()
    if pack not in points:
        known = ", ".join(sorted(points)) or "none"
        raise UnknownPack(f"there is no pack {shown(pack)}; installed are: {known}. One in a file: --pack FILE.py")
    module, _, attribute = points[pack].partition(":")
    found = attrgetter(attribute)(import_module(module))
    if not isinstance(found, Pack):
        raise PackError(f"the entry point {pack!r} in {GROUP} is no Pack but {type(found).__name__}")
    return found


_files: dict[str, Pack] = {}
"""Packs that were loaded from files: conversations name their pack, and know nothing of files."""


@cache
def _points() -> dict[str, str]:
    """Where the packs are, "module:object" by name: what every installed package says in its `entry_points.txt`. The
    standard library would read the same files, in ten times the time of all else that opening takes."""
    found: dict[str, str] = {}
    for folder in filter(os.path.isdir, reversed(sys.path)):  # what comes first in the path counts
        for package in os.listdir(folder):
            if package.endswith((".dist-info", ".egg-info")):
                with suppress(OSError), open(f"{folder}/{package}/entry_points.txt", encoding="utf-8") as file:
                    found.update(_points_in(file))
    return found


def _points_in(lines: Iterable[str]) -> Iterator[tuple[str, str]]:
    """The packs among the entry points of a package."""
    group = ""
    for line in lines:
        name, equals, where = (part.strip() for part in line.partition("="))
        if name.startswith("["):
            group = name.strip("[] ")
        elif equals and group == GROUP:
            yield name, where.partition("[")[0].strip()


def from_file(path: str | os.PathLike[str], name: str = "PACK") -> Pack:
    """A pack that is still being written: the object `name` of a Python file."""
    from importlib.util import module_from_spec, spec_from_file_location

    stem = os.path.splitext(os.path.basename(path))[0]
    spec = spec_from_file_location(f"holdfast_pack_{stem}", path)
    if not os.path.isfile(path) or spec is None or spec.loader is None:
        raise UnknownPack(f"there is no pack file {path}; name a .py file that defines {name}")
    module = module_from_spec(spec)

    def unfinished(wrong: Exception) -> None:
        raise PackError(f"the pack file {path} does not load: {type(wrong).__name__}: {wrong}") from wrong

    with Contained(unfinished, HoldfastError):
        spec.loader.exec_module(module)
    found = getattr(module, name, None)
    if not isinstance(found, Pack):
        raise PackError(f"the pack file {path} defines no {name}; write {name} = Pack(...)")
    _files[found.name] = found
    return found
