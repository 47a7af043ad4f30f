"""What happened: frozen facts in the past tense, the only thing that is ever stored.

State is a fold over events (`state.py`), a receipt is a reading of them (`receipt.py`). An event says by which rule and
from which words it came (`because`), and which log it belongs to (`scope`): that of the session, the project or the
user. Stored events carry the format number of the engine that wrote them; an older format is lifted on read.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any, ClassVar, Literal

import msgspec

Scope = Literal["session", "project", "user"]
SCOPES: tuple[Scope, ...] = ("session", "project", "user")
Source = Literal["person", "agent", "tool", "import"]

FORMAT = 1
"""Number of the format written today. Raise it together with a new entry in LIFTS."""

ERASED = "·"
"""What stands in the place of every character of words that were erased."""

LIFTS: dict[int, Callable[[dict[str, Any]], dict[str, Any]]] = {}
"""LIFTS[n] turns one stored event of format n, as plain data, into format n + 1."""


class Cause(msgspec.Struct, frozen=True, array_like=True):
    """Why an event happened: the rule that fired and the words it fired on."""

    rule: str
    version: int = 0
    start: int = 0
    end: int = 0
    words: str = ""


def _tag(name: str) -> str:
    return "".join("_" + c.lower() if c.isupper() else c for c in name).lstrip("_")


class Event(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True, tag_field="type", tag=_tag):
    """Base of all events. `did` is the verb under which a receipt lists it; an empty verb keeps it out."""

    did: ClassVar[str] = ""

    because: Cause | None = None
    scope: Scope = "session"

    def tell(self) -> str:
        """The event in a few words, for people."""
        return ""


class MessageHeard(Event, frozen=True):
    """A person's message arrived. The text itself lives in the log row, not in the event's JSON."""

    text: str = ""
    attached: dict[str, Any] = {}
    imported: bool = False
    """Whether it was said elsewhere, before, and brought in later."""


class MessageSaid(Event, frozen=True):
    """An agent's message went out (or was offered for checking and recorded)."""

    text: str = ""
    agent: str | None = None
    attached: dict[str, Any] = {}
    imported: bool = False


class FacultyFailed(Event, frozen=True):
    """One faculty raised; its part of the turn was dropped and the turn went on."""

    did = "failed"

    faculty: str
    error: str

    def tell(self) -> str:
        return f"{self.faculty}: {self.error}"


class Refusal(Event, frozen=True):
    """Something was read and deliberately not learned."""

    did = "refused"

    what: str
    reason: str

    def tell(self) -> str:
        return f"{self.what} ({self.reason})"


class Briefed(Event, frozen=True):
    """What the agent was told this turn, and what had to be left out for the budget."""

    did = "injected"

    context: str = ""
    left_out: tuple[str, ...] = ()

    def tell(self) -> str:
        return self.context


class Route(msgspec.Struct, frozen=True, omit_defaults=True):
    """Where a message goes."""

    agent: str
    task_type: str | None = None
    follow_up: bool = False
    replan: bool = False
    previous_plan: tuple[str, ...] | None = None
    previous_query: str | None = None
    reason: str = ""
    relation: str = ""
    """How the message stands to what was before: new, continue, resume or fresh, where tasks are followed."""
    indicator: str = ""
    """What the person is shown of it: that the turn continues something, and what."""


class Routed(Event, frozen=True):
    did = "routed"

    route: Route

    def tell(self) -> str:
        return f"to {self.route.agent}: {self.route.reason}"


class TopicTurned(Event, frozen=True):
    """A message left what was talked about, for something new or for something of before."""

    did = "turned"

    relation: Literal["new", "resume"]
    topic: tuple[str, ...] = ()
    before: tuple[str, ...] = ()

    def tell(self) -> str:
        way = "back to" if self.relation == "resume" else "to"
        left = f", away from {', '.join(self.before)}" if self.before else ""
        return f"{way} {', '.join(self.topic).replace('~', '')}{left}"


class Intent(msgspec.Struct, frozen=True, omit_defaults=True):
    """What kind of message it is, with what it asks (query), gives (value) or shows (evidence)."""

    type: str
    query: str | None = None
    value: float | str | None = None
    evidence: str | None = None


class IntentRead(Event, frozen=True):
    did = "understood"

    intent: Intent

    def tell(self) -> str:
        return f"{self.intent.type}" + (f" {self.intent.query!r}" if self.intent.query else "")


class Entity(msgspec.Struct, frozen=True, omit_defaults=True):
    """Something that can be pointed at: a venue, a product, a file."""

    name: str
    id: str = ""
    kind: str = ""
    facts: dict[str, Any] = {}

    def label(self) -> str:
        return f"{self.name} ({self.id})" if self.id else self.name


class Resolution(msgspec.Struct, frozen=True, omit_defaults=True):
    """What a mention points at: one entity, several, or, in doubt, the candidates."""

    mention: str
    span: tuple[int, int]
    status: Literal["resolved", "ambiguous", "none"]
    entities: tuple[Entity, ...] = ()
    role: Literal["", "from", "to"] = ""
    """Where the words before it say so: what a way leads from, or to."""


class ReferenceResolved(Event, frozen=True):
    did = "resolved"

    resolution: Resolution

    def tell(self) -> str:
        names = ", ".join(e.name for e in self.resolution.entities) or "nothing"
        return f"“{self.resolution.mention}” → {names} [{self.resolution.status}]"


class DoubtRaised(Event, frozen=True):
    """Something stayed open, with the question that would settle it."""

    did = "doubted"

    about: str
    question: str
    candidates: tuple[str, ...] = ()

    def tell(self) -> str:
        return f"{self.about}: {self.question}"


class Violation(msgspec.Struct, frozen=True, omit_defaults=True):
    """Why a reply should not go out as it is, and what to do instead."""

    rule: str
    reason: str
    instead: str | None = None


class ReplyFlagged(Event, frozen=True):
    did = "flagged"

    violation: Violation

    def tell(self) -> str:
        return f"{self.violation.reason}"


class ReplyHeld(Event, frozen=True):
    """A reply did not go out; the message that this event stands with went out instead."""

    did = "held back"

    text: str
    violation: Violation

    def tell(self) -> str:
        text = self.text if len(self.text) <= 300 else f"{self.text[:300]}…"
        return f"“{text}”: {self.violation.reason}"


class Cleared(Event, frozen=True):
    """The person or an operator removed something from what is remembered."""

    did = "cleared"

    what: str
    index: int | None = None

    def tell(self) -> str:
        return self.what


class Restored(Event, frozen=True):
    """What was known at an earlier version holds again (what was said since stays said)."""

    did = "restored"

    to: int
    slices: dict[str, Any]

    def tell(self) -> str:
        return f"what was known at version {self.to}"


class SessionOpened(Event, frozen=True):
    """A session was made before anything was said in it, so that its pack, user and project are on record."""

    did = "opened"

    pack: str

    def tell(self) -> str:
        return f"a session of the pack {self.pack}"


class Unknown(Event, frozen=True):
    """An event of a faculty that this pack does not have: kept in the log, ignored in the state."""

    raw: dict[str, Any]


SHARED: tuple[type[Event], ...] = (
    MessageHeard,
    MessageSaid,
    FacultyFailed,
    Refusal,
    Briefed,
    Routed,
    TopicTurned,
    IntentRead,
    ReferenceResolved,
    DoubtRaised,
    ReplyFlagged,
    ReplyHeld,
    Cleared,
    Restored,
    SessionOpened,
)


class Codec:
    """Events to bytes and back, for the event types of one pack."""

    def __init__(self, types: Iterable[type[Event]]) -> None:
        self._types = {t.__struct_config__.tag: t for t in types}
        union: Any = Any
        for kind in self._types.values():
            union = kind if union is Any else union | kind
        self._encoder = msgspec.json.Encoder()
        self._decoder = msgspec.json.Decoder(tuple[union, ...])

    def encode(self, events: Sequence[Event]) -> bytes:
        return self._encoder.encode(events)

    def decode(self, body: bytes, format: int = FORMAT) -> tuple[Event, ...]:
        if format == FORMAT:
            try:
                return self._decoder.decode(body)
            except msgspec.ValidationError:
                pass  # an event that this pack does not know: read one by one below
        return tuple(self._lift(raw, format) for raw in msgspec.json.decode(body))

    def _lift(self, raw: Mapping[str, Any], format: int) -> Event:
        data = dict(raw)
        for step in range(format, FORMAT):
            if step in LIFTS:
                data = LIFTS[step](data)
        kind = self._types.get(data.get("type"))
        return Unknown(raw=data) if kind is None else msgspec.convert(data, kind)
