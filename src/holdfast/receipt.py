"""What a turn did and why, read off its events: learned, confirmed, superseded, retracted, resolved, routed, injected,
left out, refused. Every line names the rule and the words it rests on."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

import msgspec

from holdfast.events import Briefed, Cause, Event, MessageHeard, MessageSaid, Reread
from holdfast.reading.model.scorer import Decided
from holdfast.telling import Said, Telling, said


class Line(msgspec.Struct, frozen=True, omit_defaults=True):
    """One thing that a turn did."""

    did: str
    what: str
    """In English."""
    rule: str = ""
    version: int = 0
    """Version of the turn whose message holds the words."""
    span: tuple[int, int] | None = None
    """Where in that message; all of it where the rule looked at the whole, and none where nobody said anything."""
    words: str = ""
    """The words at the span; not given again where that is the whole message."""
    by: Decided | None = None
    """The score of what was learned and decided here, where in that message the words stand that counted most, and the
    version of the model."""
    said: Said | None = None
    """What it says as a template with its fields, for whoever tells it in another language."""

    @property
    def told(self) -> Telling:
        return self.said or self.what

    def __str__(self) -> str:
        why = f"  ({self.rule}" + (f", “{self.words}”" if self.words else "") + ")" if self.rule else ""
        return f"{self.did:<11} {self.what}{why}"


class Receipt(msgspec.Struct, frozen=True):
    """Everything one turn did."""

    version: int
    lines: tuple[Line, ...]

    def __str__(self) -> str:
        return "\n".join(str(line) for line in self.lines) or "nothing"

    def did(self, verb: str) -> list[Line]:
        """The lines of one verb."""
        return [line for line in self.lines if line.did == verb]

    def json(self) -> str:
        return msgspec.json.encode(self).decode()


def receipt(version: int, events: Iterable[Event]) -> Receipt:
    """The receipt of a turn. It is a pure reading of the events, so it can be had again at any time."""
    events = tuple(events)
    text = next((event.text for event in events if isinstance(event, (MessageHeard, MessageSaid))), "")
    return Receipt(version, tuple(line for event in events for line in _lines(event, version, text)))


def _lines(event: Event, version: int, text: str) -> Iterator[Line]:
    """What an event says: mostly one line; what found no place in a prompt has one of its own."""
    whole = (0, len(text)) if text else None
    if isinstance(event, Briefed):
        for key in event.left_out:
            yield _line("left out", said("slot.name", slot=key), Cause("budget", version), whole)
        if not event.context:
            return
    if isinstance(event, Reread):
        line = _line(event.did, event.tell(), Cause("encoder", version), whole)
        yield msgspec.structs.replace(line, words=", ".join(text[start:end] for start, end in event.words))
    elif event.did:
        yield _of(event, version, whole)


def _of(event: Event, version: int, whole: tuple[int, int] | None) -> Line:
    """What an event says. Where it names no rule of its own, it is the rule."""
    why = event.because
    if why is None:
        return _line(event.did, event.tell(), Cause(str(event.__struct_config__.tag), version), whole)
    if why.end > why.start:
        return _line(event.did, event.tell(), why, (why.start, why.end))
    return _line(event.did, event.tell(), why, whole if why.version == version else None)


def _line(did: str, told: Telling, why: Cause, span: tuple[int, int] | None) -> Line:
    words = why.words if why.end > why.start else ""
    return Line(did, str(told), why.rule, why.version, span, words, why.by, told if isinstance(told, Said) else None)


def grouped(receipt: Receipt) -> list[list[Line]]:
    """The lines, with those together that say the same: a name that is kept twice was learned once."""
    groups: dict[tuple[str, str], list[Line]] = {}
    for line in receipt.lines:
        groups.setdefault((line.did, line.what), []).append(line)
    return list(groups.values())
