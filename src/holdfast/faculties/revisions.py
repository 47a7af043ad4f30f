"""The same library across the revisions of a file, until the person asks for another one.

Code that the agent ran or showed is evidence; what people write is not. Each library has its last use; it fades with
every message and holds in a window of ten, and longer for a file that it wrote. What a person asks for goes first:
the old library's guidance is gone, and the first code with the new one makes that the library in force.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import Any

import msgspec

from holdfast.events import Cleared, DoubtRaised, Event, MessageHeard, MessageSaid
from holdfast.faculties.conversation import texts
from holdfast.faculties.files import Files, Request, stem
from holdfast.faculties.guidance import Confidence, Record, block, warnings
from holdfast.faculties.openrequests import names
from holdfast.faculties.preferences import preferences
from holdfast.faculty import Draft, Faculty, Section
from holdfast.reading.libraries import Libraries, Sighting, written
from holdfast.reading.overrides import Override, Speech
from holdfast.reading.tables import Table, shipped
from holdfast.state import Moment, State

WINDOW = 10
FADE = 0.05
FILES = 40
"""Files whose libraries are kept."""
PER_FILE = 6


class Seen(msgspec.Struct, frozen=True, omit_defaults=True):
    """When code last used and last imported a library, as numbers of messages; `version` is where to look it up."""

    used: int = 0
    imported: int = 0
    version: int = 0
    real: str = ""
    words: str = ""

    @property
    def last(self) -> int:
        return self.used or self.imported


class Asked(msgspec.Struct, frozen=True, omit_defaults=True):
    """An override that waits for its first code."""

    override: Override
    at: int
    version: int
    file: str | None = None
    warnings: tuple[str, ...] = ()


class LibrarySeen(Event, frozen=True):
    library: str
    real: str
    used: bool
    new: bool = True
    files: tuple[str, ...] = ()
    words: str = ""

    @property
    def did(self) -> str:  # type: ignore[override]
        return "learned" if self.new else "confirmed"

    def tell(self) -> str:
        return f"{self.real} {'used' if self.used else 'imported'}" + (
            f" for {', '.join(self.files)}" if self.files else ""
        )


class OverrideRead(Event, frozen=True):
    """The person asked for another library or approach."""

    asked: Asked
    let_go: tuple[str, ...] = ()

    @property
    def did(self) -> str:  # type: ignore[override]
        return "doubted" if self.asked.override.kind == "approach" and self.asked.override.ambiguous else "superseded"

    def tell(self) -> str:
        told = self.asked.override
        parts = [f"override: {told.kind}"]
        if told.requested:
            parts.append(f"requested {told.real or told.requested}")
        if told.rejected:
            parts.append(f"rejected {', '.join(told.rejected)}")
        if self.let_go:
            parts.append(f"no longer {', '.join(self.let_go)}")
        return ", ".join(parts)


class LibraryConfirmed(Event, frozen=True):
    """The person named the library that is in force anyway."""

    did = "confirmed"

    library: str

    def tell(self) -> str:
        return f"{self.library} stays"


class ImplementationKept(Event, frozen=True):
    """The library that this request goes on with."""

    did = "kept"

    record: Record

    def tell(self) -> str:
        return f"{self.record.library} ({self.record.confidence})" + (
            f" for {self.record.file}" if self.record.file else ""
        )


class LibraryAsked(Event, frozen=True):
    """The person asked which library is in force."""

    did = "answered"

    answer: str

    def tell(self) -> str:
        return self.answer


class Revisions(msgspec.Struct, frozen=True, omit_defaults=True):
    messages: int = 0
    """Messages that count: of both sides, without system messages and failed ones."""
    seen: dict[str, Seen] = {}
    files: dict[str, dict[str, Seen]] = {}
    """File → library → when it last wrote the file. Oldest file first."""
    let_go: dict[str, int] = {}
    """Library → the message that put it aside: older uses no longer count."""
    asked: Asked | None = None
    """The override that waits for its first code."""
    rejected: tuple[str, ...] = ()
    """Libraries that this conversation must not use."""
    softened: int = 0
    """Version of the message that asked for something different without saying what."""


class RevisionsFaculty(Faculty):
    name = "revisions"
    slice = Revisions
    events = (LibrarySeen, OverrideRead, LibraryConfirmed, MessageHeard, MessageSaid, Cleared)
    says = ("code", "files", "status", "role")

    def __init__(self, speech: Speech, languages: tuple[str, ...] = ("en", "ru", "es")) -> None:
        self.speech = speech
        self._tables = [*shipped("holdfast.faculties", "revisions", languages), speech.table]

    @property
    def libraries(self) -> Libraries:
        return self.speech.libraries

    def tables(self) -> Iterable[Table]:
        return self._tables

    def say(self, draft: Draft) -> Iterator[Event]:
        message = draft.message
        assert isinstance(message, MessageSaid)
        if not counts(message):
            return
        code = message.attached.get("code")
        code = code if isinstance(code, str) else ""
        sights = self.libraries.detect(code, draft.reading.text)
        if not sights:
            return
        files = _written(draft, message, code)
        for sight in sights:
            known = sight.library in draft.state.revisions.seen
            yield LibrarySeen(
                library=sight.library,
                real=sight.real,
                used=sight.used,
                new=not known,
                files=files,
                words=_line(code or draft.reading.text, sight, self.libraries),
                because=draft.cause(f"library.{'use' if sight.used else 'import'}"),
            )

    def hear(self, draft: Draft) -> Iterator[Event]:
        reading = draft.reading
        asked = reading.find(self.speech.override)
        if asked is not None:
            yield from self._override(draft, asked)
        elif reading.has("lib_asked") and draft.state.revisions.seen:
            cue = reading.first("lib_asked")
            assert cue is not None
            yield LibraryAsked(
                answer=self.why(draft.state, texts(draft, "revision_texts")), because=draft.cause(cue.id, cue.span)
            )
        record = self.in_force(draft.state)
        if record is not None:
            yield ImplementationKept(record=record, because=draft.cause("library.in_force"))

    def _override(self, draft: Draft, asked: Override) -> Iterator[Event]:
        state = draft.state
        own: Revisions = state.revisions
        why = draft.cause(asked.rule, (asked.start, asked.end))
        record = self.in_force(state)
        if asked.doubtful and not self._meant(state, asked):
            return
        if record is not None and _confirms(asked, record):
            yield LibraryConfirmed(library=record.library, because=why)
            return
        target = _target(state)
        aside = self._let_go(own, asked, record, target)
        warnings = self._warnings(state, asked, record)
        waits = Asked(asked, own.messages, draft.moment.version, target, warnings)
        yield OverrideRead(asked=waits, let_go=aside, because=why)
        yield from self._doubts(draft, asked)

    def _meant(self, state: State, asked: Override) -> bool:
        """Whether an ordinary word ("pandas", "pillow") is refused as a library: only one that is in use can be."""
        names = {asked.requested, *asked.rejected} - {None}
        return asked.kind == "library" or any(name in state.revisions.seen for name in names)

    def _doubts(self, draft: Draft, asked: Override) -> Iterator[Event]:
        words = texts(draft, "revision_texts")
        why = draft.cause(asked.rule, (asked.start, asked.end))
        if asked.ambiguous and asked.kind == "approach":
            yield DoubtRaised(about="approach", question=words["another"], because=why)
        elif asked.ambiguous and asked.requested:
            candidates = (asked.requested, *asked.also)
            question = words["both"].format(names=", ".join(candidates))
            yield DoubtRaised(about="library", question=question, candidates=candidates, because=why)
        elif asked.requested in preferences(draft.state).bans:
            yield DoubtRaised(about="library", question=words["banned"].format(library=asked.requested), because=why)

    def _let_go(self, own: Revisions, asked: Override, record: Record | None, target: str | None) -> tuple[str, ...]:
        """The libraries whose earlier uses no longer count: what was in force, what is refused, what is replaced."""
        if asked.ambiguous and asked.kind == "approach":
            return ()
        aside = list(asked.rejected)
        if asked.kind != "reject" and record is not None:
            aside.append(record.library)
        if asked.requested is not None:
            case = self.libraries[asked.requested].use_case
            aside += [name for name in own.seen if name in self.libraries and self.libraries[name].use_case == case]
        kept = (asked.requested, *asked.also)
        return tuple(name for name in dict.fromkeys(aside) if name not in kept)

    def fold(self, slice: Revisions, event: Event, moment: Moment) -> Revisions:
        change = msgspec.structs.replace
        match event:
            case MessageHeard():
                return change(slice, messages=slice.messages + 1)
            case MessageSaid() if counts(event):
                return change(slice, messages=slice.messages + 1)
            case LibrarySeen():
                return self._seen(slice, event, moment)
            case LibraryConfirmed(library=library):
                rejected = tuple(name for name in slice.rejected if name != library)
                return change(slice, asked=None, rejected=rejected)
            case OverrideRead(asked=asked, let_go=let_go):
                return _overridden(slice, asked, let_go, moment)
            case Cleared(what="everything"):
                return Revisions(messages=slice.messages)
        return slice

    def _seen(self, slice: Revisions, event: LibrarySeen, moment: Moment) -> Revisions:
        now = slice.messages
        known = slice.seen.get(event.library, Seen())
        seen = Seen(
            used=now if event.used else known.used,
            imported=now,
            version=moment.version if event.used or not known.used else known.version,
            real=event.real,
            words=event.words,
        )
        files = dict(slice.files)
        for file in event.files if event.used else ():
            held = files.pop(file, {})
            files[file] = _rewritten(held, event.library, seen, slice.let_go, now, self.libraries)
        asked = slice.asked
        if asked is not None and asked.override.requested in (None, event.library):
            asked = None  # the first code that fits an override ends its waiting
        return msgspec.structs.replace(
            slice,
            seen={**slice.seen, event.library: seen},
            files=dict(list(files.items())[-FILES:]),
            asked=asked,
        )

    def in_force(self, state: State, soften: bool = True) -> Record | None:
        """The library that the current request goes on with, or None where the choice is free."""
        own: Revisions = state.revisions
        request: Request | None = state.files.request if "files" in state.session.slices else None
        target = stem(request.target) if request is not None and request.target else None
        waits = _waiting(own)
        ranked = self._ranked(state, target)
        if waits is not None and (target is None or waits.file in (None, target)):
            return None
        for record in ranked:
            if waits is None or record.file is not None:
                return _softened(record) if soften and own.softened == state.version else record
        return None

    def _ranked(self, state: State, target: str | None) -> list[Record]:
        """The records that may guide, best first: those of the file that is meant, then those of the window."""
        own: Revisions = state.revisions
        held = preferences(state)
        barred = {*own.rejected, *held.bans}
        request: Request | None = state.files.request if "files" in state.session.slices else None
        meant = request.output if request is not None else None
        found: list[Record] = []
        for file, table in ((target, own.files.get(target or "", {})), (None, own.seen)):
            records = [
                record
                for name, seen in table.items()
                if name in self.libraries and name not in barred
                if (record := self._record(own, name, seen, file)) is not None
                if held.pins.get(self.libraries[name].use_case, name) == name
            ]
            order = {name: seen.last for name, seen in table.items()}
            records.sort(key=lambda r: (r.confidence != "high", -order[r.library], self.libraries.place(r.library)))
            if file is None and meant:  # several libraries at once: the kind of output that is spoken of decides
                records.sort(key=lambda r: self.libraries[r.library].use_case != meant)
            found += records
        return found

    def _record(self, own: Revisions, name: str, seen: Seen, file: str | None) -> Record | None:
        """The record of one library now, or None where it is too far back, too weak or put aside."""
        aside = own.let_go.get(name, -1)
        near = own.messages - WINDOW if file is None else 0
        used = seen.used if seen.used > max(aside, near) else 0
        imported = seen.imported if seen.imported > max(aside, near) else 0
        if not used and not imported:
            return None
        live = msgspec.structs.replace(seen, used=used, imported=imported)
        power = strength(own, live, floor=0.2 if file is not None else 0.1)
        if power < 0.2:
            return None
        sure: Confidence = "high" if fresh(own, live) >= 0.5 else "medium"
        row = self.libraries[name]
        return Record(name, row.sentence(), sure, power, seen.version, seen.real, file, seen.words)

    def tracked(self, state: State) -> list[dict[str, object]]:
        """Every library of the conversation, newest first, with its last use, strength and files."""
        own: Revisions = state.revisions
        listed = []
        for name, seen in sorted(own.seen.items(), key=lambda item: -item[1].last):
            power = strength(own, seen)
            label = "high" if seen.used and power >= 0.5 else "medium" if power >= 0.2 else "low"
            files = [file for file, table in own.files.items() if name in table]
            row: dict[str, object] = {"library": name, "real": seen.real, "strength": power, "confidence": label}
            listed.append({**row, "lastUse": seen.version, "files": files})
        return listed

    def why(self, state: State, words: Mapping[str, Any]) -> str:
        """Which library is in force, and which message decided it, in the sentences of a language."""
        waits = _waiting(state.revisions)
        if waits is not None and waits.override.requested:
            told = waits.override
            return str(words["why_asked"]).format(library=told.requested, version=waits.version, words=told.matched)
        record = self.in_force(state)
        if record is None:
            return str(words["why_free"])
        return str(words["why_code"]).format(
            library=record.library,
            about=str(words["for_file"]).format(file=record.file) if record.file else "",
            confidence=record.confidence,
            version=record.version,
            words=record.words,
        )

    def _warnings(self, state: State, asked: Override, record: Record | None) -> tuple[str, ...]:
        files: Files | None = state.files if "files" in state.session.slices else None
        name = _target(state) or (record.file if record else None)
        file = files.find(name) if files is not None and name else None
        old = record.library if record else None
        return tuple(warnings(self.libraries, old, asked, file.type if file else None))

    def sections(self, draft: Draft) -> Iterable[Section]:
        state = draft.state
        own: Revisions = state.revisions
        record = self.in_force(state)
        if record is not None:
            yield Section("previous_implementation", block(record), keep=95)
        if (asked := requested(own, state)) is not None:
            yield Section("requested_library", asked, keep=96)
        if record is None and _waiting(own) is None and (liked := self._liked(state)):
            yield Section("preferred_library", liked, keep=45)
        if draft.reading.has("lib_asked") and draft.reading.find(self.speech.override) is None and own.seen:
            yield Section(
                "library_in_force", f"**LIBRARY IN FORCE:**\n{self.why(state, texts(draft, 'revision_texts'))}", keep=90
            )

    def _liked(self, state: State) -> str:
        liked = preferences(state).preferred
        lines = [f"- {case}: CONSIDER using {name}, which the user prefers." for case, name in liked.items()]
        return "\n".join(["**PREFERRED LIBRARIES:**", *lines]) if lines else ""


def _confirms(asked: Override, record: Record) -> bool:
    """Naming the library in force confirms it; another member of its family is a switch."""
    same = asked.kind == "library" and asked.requested == record.library and not asked.ambiguous
    return same and asked.real in (record.real, record.library)


def counts(message: MessageSaid) -> bool:
    """Whether a message is part of the window: no system messages, no failed ones."""
    return message.attached.get("role") != "system" and message.attached.get("status", "success") == "success"


def fresh(own: Revisions, seen: Seen) -> float:
    """The strength of the last use alone."""
    return round(1.0 - FADE * (own.messages - seen.used), 4) if seen.used else 0.0


def strength(own: Revisions, seen: Seen, floor: float = 0.1) -> float:
    """1 at a use, a half at an import; every later message without use takes a little, down to the floor."""
    bare = 0.5 - FADE * (own.messages - seen.imported)
    return round(max(fresh(own, seen), bare, floor), 4)


def requested(own: Revisions, state: State) -> str | None:
    """The section for what the person asked for, until the first code with it."""
    lines = []
    waits = _waiting(own)
    if waits is not None and waits.override.requested:
        names_ = " and ".join((waits.override.real or waits.override.requested, *waits.override.also))
        lines.append(f"The user explicitly asked for {names_} (“{waits.override.matched}”): use it.")
    elif waits is not None and waits.override.kind == "approach" and not waits.override.ambiguous:
        lines.append(f"The user explicitly asked for a different approach (“{waits.override.matched}”): choose freely.")
    if own.rejected:
        lines.append(f"Do not use: {', '.join(own.rejected)}.")
    if waits is not None:
        lines += [f"Warning: {warning}." for warning in waits.warnings]
    return "\n".join(["**REQUESTED BY THE USER:**", *lines]) if lines else None


def _waiting(own: Revisions) -> Asked | None:
    """The override that still holds back the old guidance."""
    waits = own.asked
    if waits is None or own.messages - waits.at >= WINDOW:
        return None
    if waits.override.kind == "reject" or (waits.override.kind == "approach" and waits.override.ambiguous):
        return None
    return waits


def _softened(record: Record) -> Record:
    return msgspec.structs.replace(record, confidence="medium")


def _overridden(slice: Revisions, asked: Asked, let_go: tuple[str, ...], moment: Moment) -> Revisions:
    change = msgspec.structs.replace
    told = asked.override
    if told.kind == "approach" and told.ambiguous:
        return change(slice, softened=moment.version)
    wanted = (told.requested, *told.also)
    rejected = (*(name for name in slice.rejected if name not in wanted), *told.rejected)
    aside = {**slice.let_go, **dict.fromkeys(let_go, slice.messages)}
    keep = slice.asked if told.kind == "reject" and _waiting(slice) is not None else asked
    if keep is not None and keep.override.requested in told.rejected:
        keep = asked
    return change(slice, asked=keep, let_go=aside, rejected=tuple(dict.fromkeys(rejected)))


def _rewritten(
    held: dict[str, Seen], library: str, seen: Seen, let_go: dict[str, int], now: int, libraries: Libraries
) -> dict[str, Seen]:
    """A file's libraries after one of them wrote it: it takes the place of those of its kind and of those put aside,
    and stands beside the others (a matplotlib chart inside a python-docx file)."""
    case = libraries[library].use_case if library in libraries else ""
    kept = {
        name: other
        for name, other in held.items()
        if name != library
        if other.last == now
        or (let_go.get(name, -1) < other.last and (name not in libraries or libraries[name].use_case != case))
    }
    return dict(list({**kept, library: seen}.items())[-PER_FILE:])


def _written(draft: Draft, message: MessageSaid, code: str) -> tuple[str, ...]:
    """The files that a message made or changed: those attached, those its code saves, else the one it was to revise."""
    files = names(message.attached.get("files")) or names(written(code))
    target = _target(draft.state)
    return tuple(stem(name) for name in files) or ((target,) if target else ())


def _target(state: State) -> str | None:
    """The file that the current request revises."""
    request: Request | None = state.files.request if "files" in state.session.slices else None
    return stem(request.target) if request is not None and request.target else None


def _line(text: str, sight: Sighting, libraries: Libraries) -> str:
    """The line of code that names the library, for people who ask why."""
    for token in libraries[sight.library].imports:
        place = text.find(token.removeprefix("js:"))
        if place >= 0:
            start = text.rfind("\n", 0, place) + 1
            return text[max(start, place - 60) : place + 60].partition("\n")[0].strip()[:100]
    return ""
