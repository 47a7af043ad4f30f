"""One message at the desk: the draft of the turn and what the pack set the desk up with.

The stages of a diagnosis (`diagnosis.py` lists them in their order) are plain functions from a Case to events; they
all look at the same draft, so each sees what those before it did.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Any, TypeVar

from msgspec.structs import replace

from holdfast.events import Cause, Cleared, Event, Intent
from holdfast.faculties.desk import hearing
from holdfast.faculties.desk.answering import Answers, answers, asked_at, loose
from holdfast.faculties.desk.library import Library, Procedure, Step, Texts
from holdfast.faculty import Draft
from holdfast.reading.model.hearing import Given, Told
from holdfast.reading.reader import Reading, Span
from holdfast.state import Moment, State

MAX_MESSAGE_CHARS = 8000
"""Characters of a message that are looked at: no finding of a technician is longer, whatever is pasted after it."""

LEANS = -16
"""From how far on a message is taken to do something: few rows tell of each, and what they tell is seldom wrong."""

Slice = TypeVar("Slice")
Folds = Mapping[type[Event], Callable[[Any, Any, Moment], Any]]
"""What each kind of event makes of a slice."""


def folded(folds: Folds, slice: Slice, event: Event, moment: Moment) -> Slice:
    """A slice of the desk after an event; clearing everything begins it anew."""
    if isinstance(event, Cleared):
        return type(slice)() if event.what == "everything" else slice
    fold = folds.get(type(event))
    made: Slice = fold(slice, event, moment) if fold is not None else slice
    return made


def put_aside(slice: Any, event: Any) -> Any:
    """A slice of the desk when another job is taken up: this one's is kept, that one's comes back as it was left."""
    if not event.leaves:
        return type(slice)()
    kept = {**slice.rested, event.leaves: replace(slice, rested={})}
    back = kept.pop(event.system, None) or type(slice)()
    return replace(back, rested=kept)


@dataclass(frozen=True)
class Flags:
    """Parts of the behaviour that can be switched off, each back to the older way."""

    clarification: bool = True
    replan: bool = True
    free_labor: bool = True


@dataclass(frozen=True)
class Desk:
    """What a pack sets up once: its procedures, its texts, its flags."""

    library: Library
    texts: Texts
    flags: Flags = Flags()

    def say(self, state: State, key: str, **fields: Any) -> str:
        """A text in the language of the case."""
        return self.texts.get(state.conversation.language, key, **fields)


class Case:
    """The draft of a turn, with the slices of the desk by their names."""

    def __init__(self, draft: Draft, desk: Desk) -> None:
        self.draft = draft
        self.desk = desk
        self.reading: Reading = draft.reading
        self.aside: Intent | None = None
        """The question of a message that also gives a finding; it is answered after the finding was taken in."""
        self.wants_report = False
        """Whether the message also asks for the report, once what it tells was taken in."""
        self.skips: tuple[str, ...] = ()
        """The steps that the technician does not want to check."""
        self.puts_right = False
        """Whether the message takes a reading back, and what is being looked at stands beside that."""
        self.told: dict[Span, str] = {}
        """Clauses that speak of other steps than the one that is asked, and those steps."""
        self.rest: Reading | None = None
        """What is being looked at without these and without talk, once that is known."""
        self._offset = 0
        self._answers: tuple[tuple[str, str], Answers] | None = None
        if len(draft.reading.text) > MAX_MESSAGE_CHARS:
            self.reading = draft.reading.reader.read(draft.reading.text[:MAX_MESSAGE_CHARS])
        self.whole = self.reading
        """The message, whichever part of it is being looked at."""

    @property
    def state(self) -> State:
        return self.draft.state

    @property
    def progress(self) -> Any:
        return self.draft.state.procedure

    @property
    def evidence(self) -> Any:
        return self.draft.state.evidence

    @property
    def diagnosis(self) -> Any:
        return self.draft.state.diagnosis

    @property
    def topics(self) -> Any:
        return self.draft.state.topics

    @property
    def intent(self) -> Intent:
        """What this message was read as."""
        return self.draft.state.topics.intent or Intent("UNCLEAR")

    @property
    def language(self) -> str:
        return self.draft.state.conversation.language or "en"

    @property
    def procedure(self) -> Procedure | None:
        return self.desk.library.procedure(self.progress.system)

    @property
    def step(self) -> Step | None:
        """The open step that is being asked."""
        return self.desk.library.step(self.progress.active)

    @cached_property
    def _told(self) -> Told:
        """The message as it is heard after what was said last."""
        asked = str(self.state.conversation.last("assistant") or "")
        return hearing.told(self.whole, self.whole.after(asked), asked)

    @cached_property
    def given(self) -> list[Given]:
        """What the words of the message give."""
        return hearing.HEARING.given(hearing.HEARING.led(self._told, self._kinds))

    @cached_property
    def _kinds(self) -> dict[str, int]:
        return hearing.HEARING.does(self._told, False)

    def spans(self, *facets: str, stands: str = hearing.SO) -> list[Span]:
        """Where the message gives some facets, and they stand so."""
        return hearing.where(self.given, facets, stands)

    @property
    def still(self) -> bool:
        """Whether the message says that the unit does not work yet."""
        told = self.does("still") and self._kinds["still"] > self._kinds["works"]
        return told or bool(self.spans("works", stands=hearing.NOT))

    def does(self, *kinds: str, lead: int = LEANS) -> bool:
        """Whether the message as a whole does one of some things."""
        return any(self._kinds[kind] >= lead for kind in kinds)

    def happened(self, kind: type[Event]) -> list[Any]:
        """Events of a kind in this turn so far."""
        return [event for event in self.draft.events if isinstance(event, kind)]

    @property
    def answers(self) -> Answers:
        """What each clause of what is being looked at is to the open step, or to the estimate that waits."""
        step = self.step
        key = (self.reading.text, step.id if step is not None else self.topics.mode)
        if self._answers is None or self._answers[0] != key:
            reader = self.reading.reader
            if step is not None:
                asked = asked_at(step, self.language, reader, self.desk.library)
            else:
                waits = self.topics.mode == "authorization"
                doubt = self.text("ask.confirm") if waits else self.draft.before.diagnosis.doubt or ""
                asked = loose(doubt, reader.phrases("stop", "words"))
            self._answers = key, answers(self.reading, asked)
            for clause in sorted(self._answers[1].given, key=lambda clause: -clause.lead)[:1]:
                self.draft.decided("step.answered", clause.decided)
        return self._answers[1]

    def set_apart(self, part: Span, question: Intent | None) -> None:
        """Look at one part of the message only; its question, if it needs an answer, waits."""
        self.reading = self.reading.reader.read(self.reading.text[slice(*part)])
        self.aside, self._offset = question, part[0]

    def cause(self, rule: str, span: Span | None = None) -> Cause:
        if span is not None:
            span = (span[0] + self._offset, span[1] + self._offset)
        return self.draft.cause(rule, span)

    def text(self, key: str, **fields: Any) -> str:
        """A text of the desk in the language of the case."""
        return self.desk.texts.get(self.language, key, **fields)
