"""What a turn did and why, read off its events: learned, confirmed, superseded, retracted, resolved, routed, injected,
left out, refused. Every line names the rule and the words it rests on."""

from __future__ import annotations

from collections.abc import Iterable

import msgspec

from holdfast.events import Briefed, Event, MessageHeard, MessageSaid, Reread


class Said(msgspec.Struct, frozen=True, omit_defaults=True):
    """A line taken apart (`telling.py`): its form, and what stands in the form's places. A part that is no text is a
    name of the engine's own, or has a form itself."""

    form: str = ""
    name: str = ""
    parts: dict[str, str | Said] = {}


class Line(msgspec.Struct, frozen=True, omit_defaults=True):
    """One thing that a turn did."""

    did: str
    what: str
    rule: str = ""
    version: int = 0
    """Version of the turn whose message holds the words."""
    span: tuple[int, int] | None = None
    """Where in that message; all of it where the rule looked at the whole, and none where nobody said anything."""
    words: str = ""
    """The words at the span; not given again where that is the whole message."""
    said: Said | None = None
    """For whoever tells the line in another language; only where it was asked for."""

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
    whole = (0, len(text)) if text else None
    lines: list[Line] = []
    for event in events:
        if isinstance(event, Briefed):
            lines += [Line("left out", key, "budget", version, whole) for key in event.left_out]
            if not event.context:
                continue
        if isinstance(event, Reread):
            words = ", ".join(text[start:end] for start, end in event.words)
            lines.append(Line(event.did, event.tell(), "encoder", version, whole, words))
        elif event.did:
            lines.append(_line(event, version, whole))
    return Receipt(version, tuple(lines))


def _line(event: Event, version: int, whole: tuple[int, int] | None) -> Line:
    """What an event says. Where it names no rule of its own, it is the rule."""
    why = event.because
    if why is None:
        return Line(event.did, event.tell(), str(event.__struct_config__.tag), version, whole)
    if why.end > why.start:
        return Line(event.did, event.tell(), why.rule, why.version, (why.start, why.end), why.words)
    return Line(event.did, event.tell(), why.rule, why.version, whole if why.version == version else None)
