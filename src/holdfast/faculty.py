"""The seam every ability plugs into. One faculty is one file: its events, its slice of state, what it hears and says,
how it folds, what it tells the agent and what it forbids.

A faculty reads text and state and yields events. It never stores, never asks a clock or a network, and never touches
another faculty's slice except by looking at `draft.state`.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from copy import copy
from functools import cached_property
from typing import Any, ClassVar, NamedTuple, TypeVar

import msgspec

from holdfast.events import (
    Cause,
    Event,
    FoundValue,
    JudgedClause,
    MessageHeard,
    MessageSaid,
    Reread,
    Scope,
    Source,
    Violation,
)
from holdfast.reading.model.clauses import Clause
from holdfast.reading.model.scorer import Decided
from holdfast.reading.reader import Reader, Reading
from holdfast.reading.tables import Table, shipped
from holdfast.reading.tiers import SecondTier
from holdfast.state import Failure, Folder, Moment, State, Stream
from holdfast.stores.protocol import Note

Found = TypeVar("Found")


class Item(NamedTuple):
    """One `key: value` of the context line. Lower `keep` is dropped first when the budget is short."""

    key: str
    value: str
    keep: int = 50
    beside: bool = False
    """Whether it is told only beside something else: alone it is no context."""


class Section(NamedTuple):
    """One named part of the system prompt."""

    name: str
    text: str
    keep: int = 50


class Action(msgspec.Struct, frozen=True, omit_defaults=True):
    """Something an agent is about to do: normally a reply; packs with procedures name the step as well."""

    text: str
    type: str = "reply"
    step: str | None = None
    agent: str | None = None


class Inquiry(NamedTuple):
    """What a message leaves open before it is routed, for a model where one is configured. Its answer is attached to
    the message under `name`, as `{"answer": …, "by": …}`, and the faculty decides what it is worth."""

    name: str
    messages: list[dict[str, str]]


class Nothing(msgspec.Struct, frozen=True):
    """The slice of a faculty that remembers nothing."""


class Draft:
    """A turn in the making: the text as read, the state as it stands after each event, and the events so far."""

    def __init__(
        self,
        message: MessageHeard | MessageSaid | None,
        reading: Reading,
        state: State,
        at: float,
        folder: Folder,
        origin: str = "",
        second: SecondTier | None = None,
    ) -> None:
        self.message = message
        self.text = message.text if message is not None else ""
        """The message as it came."""
        self.attached: Mapping[str, Any] = message.attached if message is not None else {}
        """What came with it beside its text."""
        self.reading = reading
        self.before = state
        self.origin = origin
        """Id of the session, so that what is kept for a user or a project can say where it was learned."""
        self.moment = Moment(state.version + 1, at)
        self._folder = folder
        self._second = second
        self._finds: dict[Any, Any] = {}
        self._decided: dict[tuple[str, int, int], Decided | Callable[[], Decided]] = {}
        self._begin()

    def _begin(self) -> None:
        """Stand at the state before the turn. The streams of `state` share the dictionaries that `record` folds into,
        so that one State object stays true while events come in."""
        self.events: list[Event] = []
        self.failed: list[Failure] = []
        """Faculties that could not fold something that the engine itself recorded."""
        self._ids = 0
        at, before = self.moment.at, self.before
        held: dict[Scope, Stream | None] = {"session": before.session, "project": before.project, "user": before.user}
        made = {scope: Stream(one.version + 1, at, one.slices.copy()) for scope, one in held.items() if one}
        self.state = self._folder.state(made)
        self._open = {scope: (one.slices, Moment(one.version, at)) for scope, one in made.items()}

    @cached_property
    def clauses(self) -> list[Clause]:
        """What each part of the message does, read after what the agent said last."""
        if not self.doubting:
            return self.reading.after(self.asked, self.told)
        return self.reading.as_after(self.asked, self.told, self._judged)

    def _judged(self, clauses: Sequence[Clause]) -> Sequence[JudgedClause]:
        told = self._reread(clauses)
        return told.clauses if told is not None else ()

    @property
    def doubting(self) -> bool:
        """Whether the encoder may be asked where something is in doubt."""
        return self._second is not None and self._second.doubts

    @property
    def reread(self) -> Reread | None:
        """What the encoder makes of the message, where it may be asked and is there: for whoever is in doubt."""
        return self._reread(self.clauses) if self.doubting else None

    @property
    def reread_already(self) -> Reread | None:
        """The same where somebody has asked before: for those who are in no doubt themselves."""
        return self._second.told if self._second is not None and self.doubting else None

    def described(self, slot: str) -> FoundValue | None:
        """What the description of a slot finds in the message."""
        told = self._reread(self.clauses) if self._second is not None and self._second.described else None
        return told.slots.get(slot) if told is not None else None

    def _reread(self, clauses: Sequence[Clause]) -> Reread | None:
        if self._second is None or not isinstance(self.message, MessageHeard):
            return None
        spoken = self.reading.language or self.before.conversation.language or "en"
        recent = self.before.conversation.recent
        before = [("S" if one.role == "assistant" else "U", one.text) for one in recent]
        return self._second.read(self.reading.text, before, [(one.start, one.end) for one in clauses], spoken)

    def read_as(self, reading: Reading) -> Draft:
        """The same turn with the message read in other words, such as without what it takes back itself."""
        other = copy(self)
        other.reading, other._finds, other._decided = reading, {}, {}
        other.__dict__.pop("clauses", None)
        return other

    def set_aside(self, spans: Iterable[tuple[int, int]]) -> None:
        """Leave out parts of the message for those who come after: they are told, and are nothing else as well. All
        other words stand where they stood."""
        text = self.reading.text
        for start, end in spans:
            text = text[:start] + " " * (end - start) + text[end:]
        self.reading, self._finds = self.reading.reader.read(text), {}
        self.__dict__.pop("clauses", None)

    @property
    def asked(self) -> str:
        """What the agent said last, where nothing was said since."""
        talk = self.before.session.slices.get("conversation")
        recent = talk.recent if talk is not None else ()
        return recent[-1].text if recent and recent[-1].role == "assistant" else ""

    @property
    def told(self) -> str:
        """What the person said last before this message."""
        talk = self.before.session.slices.get("conversation")
        recent = talk.recent if talk is not None else ()
        return next((one.text for one in reversed(recent) if one.role != "assistant"), "")

    def find(self, finder: Callable[[Draft], Found]) -> Found:
        """What a finder makes of this turn, worked out once: faculties that ask for the same get the same."""
        try:
            return self._finds[finder]  # type: ignore[no-any-return]
        except KeyError:
            found = self._finds[finder] = finder(self)
            return found

    @property
    def source(self) -> Source:
        """From whom a message of the person is: from the person here, or from a conversation that was brought in."""
        return "import" if self.message is not None and self.message.imported else "person"

    def take(self, event: Event) -> None:
        """Record what the engine itself says. A faculty that cannot fold it keeps its slice and is in `failed`."""
        self.record(event, self.failed)

    def record(self, event: Event, failed: list[Failure] | None = None) -> None:
        """Take an event in; what it changed is in `state` from here on."""
        if event.scope not in self._open:  # this session names no such user or project: keep it in the session
            event = msgspec.structs.replace(event, scope="session")
        self.events.append(event)
        slices, moment = self._open[event.scope]
        self._folder.step(slices, event, moment, failed)

    def rewind(self, mark: int) -> None:
        """Forget the events recorded after `mark`, as if they had not been."""
        kept = self.events[:mark]
        self._begin()
        for event in kept:
            self.take(event)

    def cause(self, rule: str, span: tuple[int, int] | None = None) -> Cause:
        """Why: a rule and the words it fired on, and what a learned scorer decided, where it was one."""
        start, end = span or (0, 0)
        by = self._decided_at(rule, start, end) if self._decided else None
        return Cause(rule, self.moment.version, start, end, self.reading.text[start:end][:200], by)

    def decided(self, rule: str, made: Callable[[], Decided], span: tuple[int, int] | None = None) -> None:
        """A learned scorer decided: whatever names that rule as its cause, inside that part, is on record with it."""
        self._decided.setdefault((rule, *(span or (0, len(self.reading.text)))), made)

    def _decided_at(self, rule: str, start: int, end: int) -> Decided | None:
        for key, made in self._decided.items():
            if key[0] == rule and (end == 0 or key[1] <= start <= end <= key[2]):
                told = self._decided[key] = made if isinstance(made, Decided) else made()
                return told
        return None

    def ago(self, version: int) -> int:
        """How many rows of the log ago something was, without those that were taken back since."""
        gaps: tuple[tuple[int, int], ...] = self.state.conversation.gaps
        return self.moment.version - version - sum(row - to for to, row in gaps if version <= to)

    def new_id(self, prefix: str) -> str:
        """An id that the same conversation always makes the same way."""
        self._ids += 1
        return f"{prefix}_{self.moment.version}_{self._ids}"


class Faculty:
    """An ability with nothing in it. Subclasses fill in what they need."""

    name: ClassVar[str]
    slice: ClassVar[type[Any]] = Nothing
    """Frozen struct that holds what the faculty remembers; it must be constructible without arguments."""
    kept_in: ClassVar[str] = ""
    """The name of the slice, where it is not the faculty's own: several faculties may keep one together. They have its
    type and its fold in common, and each shows its part by a `view`."""
    events: ClassVar[tuple[type[Event], ...]] = ()
    """The event types that change the slice (and those shared ones that it wants to fold)."""
    hears: ClassVar[tuple[str, ...]] = ()
    """Names of attachments that `hear` may bring for it."""
    says: ClassVar[tuple[str, ...]] = ()
    """Names of attachments that `say` may bring for it."""
    words: ClassVar[tuple[str, ...]] = ()
    """The tables that it brings, each by the package whose `words` folder has it and its subject:
    "holdfast.faculties.lists/lists"."""
    wakes: ClassVar[tuple[str, ...]] = ()
    """Families of patterns of which one must have fired for a person's message to concern it; none: every message
    does."""

    may_inquire: bool = True
    """Whether `inquire` can ever ask something: where it cannot, no turn is tried out for it."""

    def tables(self) -> Iterable[Table]:
        """Pattern tables that it brings to the reader, in all languages: a pack takes those of its own."""
        places = (place.partition("/") for place in self.words)
        return [table for package, _, subject in places for table in shipped(package, subject)]

    def described(self) -> dict[str, str]:
        """By name: descriptions of values that the encoder is to look for in every message."""
        return {}

    def faults(self, reader: Reader) -> Iterable[str]:
        """What its declaration gets wrong, each in a sentence that says what to do; asked once, when its pack is
        opened."""
        return ()

    def hear(self, draft: Draft) -> Iterator[Event]:
        """What a person's message does."""
        return iter(())

    def say(self, draft: Draft) -> Iterator[Event]:
        """What an agent's message does."""
        return iter(())

    def fold(self, slice: Any, event: Any, moment: Moment) -> Any:
        """The slice after an event."""
        return slice

    def view(self, state: State) -> Any:
        """What `state.<name>` gives, for a faculty whose slice has another name."""
        return None

    def context(self, draft: Draft) -> Iterable[Item]:
        """What belongs in the context line of this message."""
        return ()

    def sections(self, draft: Draft) -> Iterable[Section]:
        """What belongs in the system prompt of this message."""
        return ()

    def forbid(self, action: Action, reading: Reading, state: State) -> Iterable[Violation]:
        """Why an action should not go out."""
        return ()

    def clears(self, state: State) -> Iterable[str]:
        """Names that `clear` takes now, for people who are to choose."""
        return ()

    def clear(self, draft: Draft, what: str | None, index: int | None) -> Iterator[Event]:
        """Remove one item by name, or, with None, everything of this session that it remembers."""
        return iter(())

    def inquire(self, draft: Draft) -> Inquiry | None:
        """What a model should be asked before a message that was heard like this is taken in. Looked at only where a
        model is configured, and never in a turn itself."""
        return None

    def notes(self, draft: Draft) -> Iterable[tuple[Scope, Note]]:
        """What the search index of each scope must know of this turn's changes; asked only when it has any."""
        return ()
