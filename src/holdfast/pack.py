"""A pack says which faculties an assistant has, configured how, with which instructions, agents, languages and model.

Packs hold no engine code. Built-in ones come in through the same door as a stranger's: an entry point in the group
`holdfast.packs`, or the object itself.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Mapping
from functools import cached_property
from typing import Any

import msgspec

from holdfast.errors import HoldfastError, PackError, UnknownPack
from holdfast.events import SHARED, Codec, Event
from holdfast.faculty import Faculty
from holdfast.reading.reader import Reader
from holdfast.reading.tables import Table, in_folder, shipped
from holdfast.state import Fold, Folder

GROUP = "holdfast.packs"


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
    face: Callable[[Any], Any] | None = None
    """Makes what `session.face` gives: the pack's own names for its documents' calls, over the session."""

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
        names = [faculty.name for faculty in self.faculties]
        if doubled := {name for name in names if names.count(name) > 1}:
            raise PackError(f"pack {self.name}: the faculty {doubled.pop()!r} is listed twice")

    def faculty(self, name: str) -> Faculty:
        for faculty in self.faculties:
            if faculty.name == name:
                return faculty
        raise PackError(f"pack {self.name} has no faculty {name!r}; it has {', '.join(f.name for f in self.faculties)}")

    def able(self, verb: str) -> tuple[Faculty, ...]:
        """The faculties that do something at a stage ("hear", "say", "context" …), in the pack's order."""
        found: dict[str, tuple[Faculty, ...]] = self.__dict__.setdefault("_able", {})
        if verb not in found:
            idle = getattr(Faculty, verb)
            found[verb] = tuple(f for f in self.faculties if getattr(type(f), verb) is not idle)
        return found[verb]

    @cached_property
    def reader(self) -> Reader:
        """All patterns of all faculties, compiled once."""
        common = (
            table for subject in ("shared", "reply") for table in shipped("holdfast.reading", subject, self.languages)
        )
        tables = [*common, *self.tables]
        seen: set[str] = set()
        for faculty in self.faculties:
            for table in faculty.tables():
                if table.language in ("any", *self.languages) and table.name not in seen:
                    seen.add(table.name)
                    tables.append(table)
        return Reader(tables)

    @cached_property
    def spoken(self) -> dict[str, Mapping[str, Any]]:
        """What the tables say of each language itself: its `name`, its plain `yes`."""
        tables = [*shipped("holdfast.reading", "shared", self.languages), *self.tables]
        return {table.language: table.data["language"] for table in tables if "language" in table.data}

    @cached_property
    def codec(self) -> Codec:
        own = (event for faculty in self.faculties for event in faculty.events)
        return Codec(dict.fromkeys((*SHARED, *own)))

    @cached_property
    def folder(self) -> Folder:
        folds: dict[type[Event], list[tuple[str, Fold]]] = {}
        for faculty in self.faculties:
            for event in faculty.events:
                folds.setdefault(event, []).append((faculty.name, faculty.fold))
        return Folder(
            starts={f.name: f.slice() for f in self.faculties},
            folds=folds,
            slice_types={f.name: f.slice for f in self.faculties},
        )

    @cached_property
    def attachments(self) -> dict[str, frozenset[str]]:
        """Names that `hear` and `say` may attach."""
        return {
            "hear": frozenset(name for f in self.faculties for name in f.hears),
            "say": frozenset(name for f in self.faculties for name in f.says),
        }


def installed() -> list[str]:
    """Names of the packs that can be loaded by name."""
    return sorted(_points())


def load(pack: str | Pack) -> Pack:
    """A pack by name, or the object itself."""
    if isinstance(pack, Pack):
        return pack
    if pack in _files:
        return _files[pack]
    points = _points()
    if pack not in points:
        known = ", ".join(sorted(points)) or "none"
        raise UnknownPack(f"there is no pack {pack!r}; installed are: {known}. One in a file: --pack FILE.py")
    found = points[pack].load()
    if not isinstance(found, Pack):
        raise PackError(f"the entry point {pack!r} in {GROUP} is no Pack but {type(found).__name__}")
    return found


_files: dict[str, Pack] = {}
"""Packs that were loaded from files: conversations name their pack, and know nothing of files."""


def _points() -> dict[str, Any]:
    from importlib.metadata import entry_points  # costs 40 ms: not paid by those who bring the object

    return {point.name: point for point in entry_points(group=GROUP)}


def from_file(path: str | os.PathLike[str], name: str = "PACK") -> Pack:
    """A pack that is still being written: the object `name` of a Python file."""
    from importlib.util import module_from_spec, spec_from_file_location

    stem = os.path.splitext(os.path.basename(path))[0]
    spec = spec_from_file_location(f"holdfast_pack_{stem}", path)
    if not os.path.isfile(path) or spec is None or spec.loader is None:
        raise UnknownPack(f"there is no pack file {path}; name a .py file that defines {name}")
    module = module_from_spec(spec)
    try:
        spec.loader.exec_module(module)
    except HoldfastError:
        raise
    # The file is somebody's work in progress: whatever it raises is news for its author, not a fault of ours.
    except Exception as wrong:
        raise PackError(f"the pack file {path} does not load: {type(wrong).__name__}: {wrong}") from wrong
    found = getattr(module, name, None)
    if not isinstance(found, Pack):
        raise PackError(f"the pack file {path} defines no {name}; write {name} = Pack(...)")
    _files[found.name] = found
    return found
