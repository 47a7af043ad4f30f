"""The same library across the revisions of a file, until the person asks for another one.

Code that the agent ran or showed is evidence; what people write is not. Each library has its last use; it fades with
every message and holds in a window of ten, and longer for a file that it wrote. What a person asks for goes first:
the old library's guidance is gone, and the first code with the new one makes that the library in force.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator

import msgspec

from holdfast.events import Cleared, DoubtRaised, Event, MessageHeard, MessageSaid
from holdfast.faculties.aims.aim import aim, part_aim
from holdfast.faculties.aims.files import request_of, stem, target_of
from holdfast.faculties.attachments import counts, executed, names
from holdfast.faculties.conversation import texts
from holdfast.faculties.facts.preferences import preferences
from holdfast.faculties.revisions.guidance import Record, block, warnings
from holdfast.faculties.revisions.inforce import Asked, InForce, Revisions, Seen, waiting
from holdfast.faculty import Draft, Faculty, Section
from holdfast.reading.libraries.code import Libraries, Sighting, written
from holdfast.reading.libraries.overrides import NAMED_ALONE, NAMED_WHOLE, Override, Speech, others
from holdfast.reading.reader import Cue, Reading, Span, begins_in
from holdfast.reading.tables import Table
from holdfast.state import Moment
from holdfast.telling import Telling, listed, said

FILES = 40
"""Files whose libraries are kept."""
PER_FILE = 6
MAX_LIBRARIES = 12
"""Libraries that a list of them holds."""
NAMES = 32
"""Lead of a change from which the one library that a message names is asked for."""


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

    def tell(self) -> Telling:
        template = "library.used" if self.used else "library.imported"
        if not self.files:
            return said(f"{template}_here", library=self.real)
        return said(template, library=self.real, files=", ".join(self.files))


class OverrideRead(Event, frozen=True):
    """The person asked for another library or approach."""

    asked: Asked
    let_go: tuple[str, ...] = ()

    @property
    def did(self) -> str:  # type: ignore[override]
        return "doubted" if self.asked.override.kind == "approach" and self.asked.override.ambiguous else "superseded"

    def tell(self) -> Telling:
        told = self.asked.override
        parts: list[Telling] = []
        if told.requested:
            parts.append(said("override.wanted", new=told.real or told.requested))
        if told.rejected:
            parts.append(said("override.refused", old=", ".join(told.rejected)))
        if self.let_go:
            parts.append(said("override.ended", gone=", ".join(self.let_go)))
        return said("override", kind=told.kind, parts=listed(parts)) if parts else said("kind", kind=told.kind)


class LibraryConfirmed(Event, frozen=True):
    """The person named the library that is in force anyway."""

    did = "confirmed"
    told = "library.same"

    library: str


class ImplementationKept(Event, frozen=True):
    """The library that this request goes on with."""

    did = "kept"

    record: Record

    def tell(self) -> Telling:
        kept = self.record
        if kept.file:
            return said("library.kept_for", library=kept.library, state=kept.confidence, file=kept.file)
        return said("library.kept", library=kept.library, state=kept.confidence)


class LibraryAsked(Event, frozen=True):
    """The person asked which library is in force."""

    did = "answered"

    answer: str

    def tell(self) -> Telling:
        return self.answer


class SwitchWarned(Event, frozen=True):
    """The library that was asked for cannot do all that the file needs."""

    did = "warned"

    warning: str

    def tell(self) -> Telling:
        return self.warning


class RevisionsFaculty(Faculty):
    name = "revisions"
    words = ("holdfast.faculties.revisions/revisions",)
    slice = Revisions
    events = (
        LibrarySeen,
        OverrideRead,
        LibraryConfirmed,
        ImplementationKept,
        LibraryAsked,
        SwitchWarned,
        MessageHeard,
        MessageSaid,
        Cleared,
    )
    says = ("code", "memorized", "files", "status", "role")

    def __init__(self, speech: Speech) -> None:
        self.speech = speech
        self.in_force = InForce(speech.libraries)

    @property
    def libraries(self) -> Libraries:
        return self.speech.libraries

    def tables(self) -> Iterable[Table]:
        return [*super().tables(), self.speech.table]

    def say(self, draft: Draft) -> Iterator[Event]:
        if not counts(draft.attached):
            return
        code = executed(draft.attached)
        sights = self.libraries.detect(code, draft.reading.text)
        if not sights:
            return
        files = _written(draft, code)
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
        asked = self._asked(draft)
        if asked is not None:
            yield from self._override(draft, asked)
        elif (cue := self._asks(reading)) and (draft.state.revisions.seen or cue.means == "which"):
            yield self._told(draft, cue.id, cue.span)
        elif draft.state.revisions.seen and (span := self._asked_about(draft)):
            yield self._told(draft, "library.asked", span)
        record = self.in_force.record(draft.state)
        if record is not None:
            yield ImplementationKept(record=record, because=draft.cause("library.in_force"))

    def _told(self, draft: Draft, rule: str, span: Span) -> LibraryAsked:
        answer = self.in_force.why(draft.state, texts(draft, "revision_texts"))
        return LibraryAsked(answer=answer, because=draft.cause(rule, span))

    def _asked_about(self, draft: Draft) -> Span | None:
        """A library that a question names: "is it still matplotlib?"."""
        asks = [(clause.start, clause.end) for clause in draft.clauses if clause.act == "asks"]
        named = draft.reading.find(self.speech.mentions) if asks and aim(draft).what == "side" else ()
        return next((one.span for one in named if begins_in(one.span[0], asks)), None)

    def _asked(self, draft: Draft) -> Override | None:
        """Which library the message asks for: by its words, or by the one library that it names in a part that is about
        a change of what is there."""
        asked = draft.reading.find(self.speech.override)
        if asked is not None:
            bare = asked.rule in (NAMED_ALONE, NAMED_WHOLE)
            return None if bare and self._asks(draft.reading) else asked  # "¿por qué plotly?" asks
        if not draft.state.revisions.seen:
            return None
        named = draft.reading.find(self.speech.named) or draft.reading.find(self.speech.unknown)
        return named if named is not None and _changes(draft, named.start) else None

    def _asks(self, reading: Reading) -> Cue | None:
        """The question which library is in force, or why ("why seaborn?")."""
        if cue := reading.first("lib_asked"):
            return cue
        names = reading.find(self.speech.mentions) if reading.has("lib_why") else ()
        return next((c for c in reading.all("lib_why") if any(0 <= m.span[0] - c.end <= 2 for m in names)), None)

    def _override(self, draft: Draft, asked: Override) -> Iterator[Event]:
        state = draft.state
        own: Revisions = state.revisions
        why = draft.cause(asked.rule, (asked.start, asked.end))
        record = self.in_force.record(state)
        if not asked.meant(own.seen):
            return
        if record is not None and _confirms(asked, record):
            yield LibraryConfirmed(library=record.library, because=why)
            return
        target = target_of(state)
        aside = _let_go(asked, record)
        warnings = self._warnings(draft, asked, record)
        waits = Asked(asked, own.messages, draft.moment.version, target, warnings)
        yield OverrideRead(asked=waits, let_go=aside, because=why)
        for warning in warnings:
            yield SwitchWarned(warning=warning, because=why)
        yield from self._doubts(draft, asked)

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

    def fold(self, slice: Revisions, event: Event, moment: Moment) -> Revisions:
        change = msgspec.structs.replace
        match event:
            case MessageHeard():
                return change(slice, messages=slice.messages + 1)
            case MessageSaid(attached=attached) if counts(attached):
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
        asked, allowed = slice.asked, slice.allowed
        if asked is not None and asked.override.requested in (None, event.library):
            if asked.override.requested and event.library not in allowed:
                allowed = (*allowed, event.library)[-MAX_LIBRARIES:]
            asked = None  # the first code that fits an override ends its waiting
        return msgspec.structs.replace(
            slice,
            seen={**slice.seen, event.library: seen},
            files=dict(list(files.items())[-FILES:]),
            asked=asked,
            allowed=allowed,
        )

    def _warnings(self, draft: Draft, asked: Override, record: Record | None) -> tuple[str, ...]:
        state, old = draft.state, record.library if record else None
        request, name = request_of(state), target_of(state)
        if name is None and (request is None or request.mode != "creation"):
            name = next((file for file, table in reversed(state.revisions.files.items()) if old in table), None)
        file = state.files.find(name) if name and "files" in state.session.slices else None
        words = texts(draft, "revision_texts")
        return tuple(warnings(self.libraries, old, asked, file.type if file else None, words))

    def sections(self, draft: Draft) -> Iterable[Section]:
        state = draft.state
        own: Revisions = state.revisions
        record = self.in_force.record(state)
        if record is not None:
            yield Section("previous_implementation", block(record), keep=95)
        if (asked := requested(own)) is not None:
            yield Section("requested_library", asked, keep=96)
        liked = preferences(state).preferred if record is None and waiting(own) is None else {}
        if lines := [f"- {case}: CONSIDER using {name}, which the user prefers." for case, name in liked.items()]:
            yield Section("preferred_library", "\n".join(["**PREFERRED LIBRARIES:**", *lines]), keep=45)
        if told := next((e.answer for e in draft.events if isinstance(e, LibraryAsked)), None):
            yield Section("library_in_force", f"**LIBRARY IN FORCE:**\n{told}", keep=90)


def _changes(draft: Draft, place: int) -> bool:
    """Whether the words at a place are about a change of what is there, whatever is told beside them."""
    about = aim(draft)
    around = [(clause.start, clause.end) for clause in draft.clauses if clause.start <= place < clause.end]
    if about.what != "same" and len(draft.clauses) > 1 and around:
        about = part_aim(draft, around[0])
    return about.what == "same" and about.lead >= NAMES


def _let_go(asked: Override, record: Record | None) -> tuple[str, ...]:
    """The libraries whose earlier uses no longer count: what was in force, what is refused."""
    if asked.ambiguous and asked.kind == "approach":
        return ()
    aside = [*asked.rejected, *([record.library] if asked.kind != "reject" and record is not None else [])]
    kept = (asked.requested, *asked.also)
    return tuple(name for name in dict.fromkeys(aside) if name not in kept)


def _confirms(asked: Override, record: Record) -> bool:
    """Naming the library in force confirms it; another member of its family is a switch."""
    same = asked.kind == "library" and asked.requested == record.library and not asked.ambiguous
    return same and asked.real in (record.real, record.library)


def requested(own: Revisions) -> str | None:
    """The section for what the person asked for, until the first code with it."""
    waits = waiting(own)
    lines = _wishes(waits.override) if waits is not None else []
    if own.rejected:
        lines.append(f"Do not use: {', '.join(own.rejected)}.")
    lines += [f"Warning: {warning}." for warning in (waits.warnings if waits is not None else ())]
    return "\n".join(["**REQUESTED BY THE USER:**", *lines]) if lines else None


def _wishes(asked: Override) -> list[str]:
    if asked.requested:
        names_ = " and ".join((asked.real or asked.requested, *asked.also))
        return [f"The user explicitly asked for {names_} (“{asked.matched}”): use it."]
    return [f"The user explicitly asked for a different approach (“{asked.matched}”): choose freely."]


def _overridden(slice: Revisions, asked: Asked, let_go: tuple[str, ...], moment: Moment) -> Revisions:
    change = msgspec.structs.replace
    told, waits = asked.override, waiting(slice)
    if told.kind == "approach" and told.ambiguous:
        return change(slice, softened=moment.version, asked=slice.asked if waits else asked)
    wanted = (told.requested, *told.also)
    rejected = dict.fromkeys((*others(slice.rejected, wanted), *told.rejected))
    aside = {**slice.let_go, **dict.fromkeys(let_go, slice.messages)}
    # a mere refusal leaves standing what was asked for before, unless that is what is refused
    stays = waits is not None and told.kind == "reject" and waits.override.requested not in told.rejected
    return change(
        slice,
        asked=waits if stays else asked,
        let_go=aside,
        rejected=tuple(rejected),
        allowed=others(slice.allowed, told.rejected),
    )


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


def _written(draft: Draft, code: str) -> tuple[str, ...]:
    """The files that a message made or changed: those attached, those its code saves, else the one it was to revise."""
    files = names(draft.attached) or names({"files": written(code, draft.reading.text)})
    target = target_of(draft.state)
    return tuple(stem(name) for name in files) or ((target,) if target else ())


def _line(text: str, sight: Sighting, libraries: Libraries) -> str:
    """The line of code that names the library, for people who ask why."""
    for token in libraries[sight.library].imports:
        place = text.find(token.removeprefix("js:"))
        if place >= 0:
            start = text.rfind("\n", 0, place) + 1
            return text[max(start, place - 60) : place + 60].partition("\n")[0].strip()[:100]
    return ""
