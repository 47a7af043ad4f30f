"""Subjects: what the talk is about, and what a question that leaves it out stands for.

Kept are the subject that was handed over (the page, the ticket, the patient), the thing the agent spoke of last, the
person's last request and the agent's last question, each in a few words. A message with a pronoun or a gap gets the one
that fills it; a message that stands by itself gets nothing.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator

import msgspec

from holdfast.events import Cleared, Event, MessageHeard, MessageSaid
from holdfast.faculty import Draft, Faculty, Item
from holdfast.reading.reader import Reading
from holdfast.reading.standing import sentences
from holdfast.reading.subjects import content, figures, gap, name_words, names, topic
from holdfast.reading.tables import Table, shipped
from holdfast.state import Moment
from holdfast.telling import Telling, said

PATIENCE = 3
"""Turns of the person after which a thing that nobody names any more is no longer what a gap stands for."""
_QUALIFIER = re.compile(r"\s*\([^()]{1,60}\)\s*$")
SEEN = 40
"""Words of names that are remembered, newest first."""


class SubjectKept(Event, frozen=True):
    """What the talk is about now."""

    given: str | None = None
    named: str | None = None
    request: str | None = None
    question: str | None = None
    told: str | None = None
    seen: tuple[str, ...] = ()


class GapFilled(Event, frozen=True):
    did = "resolved"

    gap: str
    with_: str

    def tell(self) -> Telling:
        return said("gap.filled", gap=self.gap, value=self.with_)


class Subjects(msgspec.Struct, frozen=True, omit_defaults=True):
    given: str = ""
    """What the talk was said to be about."""
    named: str = ""
    """What was named last, and by the person's count of turns when."""
    told: str = ""
    """Where it is, as far as the agent told: an address, a distance."""
    named_turn: int = 0
    request: str = ""
    question: str = ""
    """What the agent's last message asks for."""
    filled: str = ""
    """What the newest message leaves out."""
    seen: tuple[str, ...] = ()
    """Words of the names that came up lately."""


class SubjectsFaculty(Faculty):
    name = "subjects"
    slice = Subjects
    events = (SubjectKept, GapFilled, MessageHeard, Cleared)
    hears = ("subject",)
    says = ("subject",)

    def __init__(self, label: str = "About", keep: int = 40, languages: tuple[str, ...] = ("en", "ru", "es")) -> None:
        self.label = label
        self.keep = keep
        self._tables = [
            table
            for name in ("references", "subjects")
            for table in shipped("holdfast.faculties.references", name, languages)
        ]

    def tables(self) -> Iterable[Table]:
        return self._tables

    def say(self, draft: Draft) -> Iterator[Event]:
        message = draft.message
        assert isinstance(message, MessageSaid)
        if given := message.attached.get("subject"):
            seen = tuple(name_words(draft.reading))[:SEEN]
            yield SubjectKept(given=plain(str(given)), seen=seen, because=draft.cause("subject.given"))
            return
        reading = draft.reading
        yield SubjectKept(
            named=topic(reading),
            told=figures(reading),
            question=_asked(reading),
            seen=tuple(name_words(reading))[:SEEN],
            because=draft.cause("subject.reply"),
        )

    def hear(self, draft: Draft) -> Iterator[Event]:
        message = draft.message
        assert isinstance(message, MessageHeard)
        reading = draft.reading
        if given := message.attached.get("subject"):
            yield SubjectKept(given=plain(str(given)), because=draft.cause("subject.given"))
        known: Subjects = draft.state.subjects
        kind = gap(reading, bool(known.question), known.seen)
        filled = _filled(kind, known)
        if kind and filled:
            yield GapFilled(gap=kind, with_=filled, because=draft.cause(f"gap.{kind}"))
        if kind not in ("answer", "value", "person", "plural", "thing") and (request := content(reading)):
            named = reading.find(names)
            yield SubjectKept(request=request, named=named[-1].text if named else None, question="")
        elif kind in ("person", "plural", "thing") and (named := reading.find(names)):
            yield SubjectKept(named=named[-1].text)

    def fold(self, slice: Subjects, event: Event, moment: Moment) -> Subjects:
        change = msgspec.structs.replace
        match event:
            case MessageHeard():
                return change(slice, filled="", named_turn=slice.named_turn + 1)
            case GapFilled(with_=filled):
                return change(slice, filled=filled)
            case SubjectKept(given=given, named=named, request=request, question=question, told=told, seen=seen):
                return change(
                    slice,
                    given=slice.given if given is None else given,
                    named=slice.named if named is None else named[:120],
                    named_turn=slice.named_turn if named is None else 0,
                    told=told or ("" if named is not None and named != slice.named else slice.told),
                    request=slice.request if request is None else request,
                    question=slice.question if question is None else question,
                    seen=tuple(dict.fromkeys((*seen, *slice.seen)))[:SEEN],
                )
            case Cleared(what="everything"):
                return Subjects()
        return slice

    def context(self, draft: Draft) -> Iterable[Item]:
        filled = draft.state.subjects.filled
        return [Item(self.label, filled, self.keep)] if filled else ()


def plain(given: str) -> str:
    """A subject without what only tells it from others of its name: "Mercury (planet)"."""
    return (_QUALIFIER.sub("", given) or given)[:120]


def _filled(kind: str | None, known: Subjects) -> str:
    """What a gap stands for."""
    named = known.named if known.named_turn <= PATIENCE else ""
    match kind:
        case None:
            return ""
        case "answer":
            return known.question
        case "else" if known.given and named and named not in known.given:
            return f"{known.given}, {named}"
        case "value" | "else":
            return known.given or known.request
        case "thing" if known.given and named and named not in known.given:
            return f"{known.given}, {named}"
        case _ if named and known.told and not known.given:
            return f"{named}, {known.told}"
        case _:
            return known.given or named or known.request


def _asked(reading: Reading) -> str:
    """What the last question of a reply asks for, in its telling words."""
    if "?" not in reading.text:
        return ""
    asked = [span for span in reading.find(sentences) if reading.text[span[1] - 1] == "?"]
    return content(reading, asked[-1]) if asked else ""
