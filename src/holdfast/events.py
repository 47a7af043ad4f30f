"""What happened: frozen facts in the past tense, the only thing that is ever stored.

State is a fold over events (`state.py`), a receipt is a reading of them (`receipt.py`). An event says by which rule and
from which words it came (`because`), and which log it belongs to (`scope`): that of the session, the project or the
user. Stored events carry the format number of the engine that wrote them; an older format is lifted on read.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import cached_property
from typing import Any, ClassVar, Literal, Union

import msgspec

from holdfast.reading.model.scorer import Decided
from holdfast.telling import Said, Telling, listed, places, said

Scope = Literal["session", "project", "user"]
SCOPES: tuple[Scope, ...] = ("session", "project", "user")
Source = Literal["person", "agent", "tool", "import"]

FORMAT = 3
"""Number of the format written today. Raise it together with a new entry in LIFTS."""

ERASED = "·"
"""What stands in the place of every character of words that were erased."""


def _from_1(raw: dict[str, Any]) -> dict[str, Any]:
    """An answer to a question said which option it took in one field, and in another where it took several."""
    if raw.get("type") != "question_answered":
        return raw
    answer = dict(raw["answer"])
    one, several = answer.pop("option", None), answer.pop("several", ())
    return {**raw, "answer": {**answer, "takes": several if one is None else [one]}}


def _from_2(raw: dict[str, Any]) -> dict[str, Any]:
    """What work waited for was an open request, in a register of its own; it is a question like any other."""
    match raw.get("type"):
        case "request_opened":
            return {**_without(raw, "request"), "type": "question_asked", "question": _question(raw["request"])}
        case "request_answered":
            bound = dict(raw["bound"])
            question, value = _question(bound.pop("request")), bound.pop("value", "")
            answer = {**bound, "question": question, "value": value, "span": [0, min(len(value), 200)]}
            return {**_without(raw, "bound"), "type": "question_answered", "answer": answer}
        case "request_closed":
            return {**raw, "type": "question_dropped"}
        case "message_linked" if "asking" in raw:  # which task is meant is a question too
            return {**_without(raw, "asking"), "idle": True}
    return raw


def _question(request: Mapping[str, Any]) -> dict[str, Any]:
    work = {"request": request.get("request", ""), "file": request.get("file")}
    kept = {key: request[key] for key in ("id", "text")}
    expects = "file" if request.get("wants_file") else "text"
    return {**kept, "about": request.get("about", ""), "expects": expects, "turn": 0, "work": work}


def _without(raw: Mapping[str, Any], key: str) -> dict[str, Any]:
    return {name: value for name, value in raw.items() if name != key}


LIFTS: dict[int, Callable[[dict[str, Any]], dict[str, Any]]] = {1: _from_1, 2: _from_2}
"""LIFTS[n] turns one stored event of format n, as plain data, into format n + 1."""


class Cause(msgspec.Struct, frozen=True, array_like=True):
    """Why an event happened: the rule that fired and the words it fired on."""

    rule: str
    version: int = 0
    start: int = 0
    end: int = 0
    words: str = ""
    by: Decided | None = None
    """What a learned scorer decided here, and which version of it, so that an old log says which one it was."""


def _tag(name: str) -> str:
    return "".join("_" + c.lower() if c.isupper() else c for c in name).lstrip("_")


class Event(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True, tag_field="type", tag=_tag):
    """Base of all events. `did` is the verb under which a receipt lists it; an empty verb keeps it out. `told` is the
    template that tells it, where the places of that are fields of the event."""

    did: ClassVar[str] = ""
    told: ClassVar[str] = ""

    because: Cause | None = None
    scope: Scope = "session"

    def tell(self) -> Telling:
        """What happened, for people: a template and its fields, or words of somebody else."""
        return said(self.told, **{place: getattr(self, place) for place in places(self.told)}) if self.told else ""


class MessageHeard(Event, frozen=True):
    """A person's message arrived. The text itself lives in the log row, not in the event's JSON."""

    text: str = ""
    attached: dict[str, Any] = {}
    imported: bool = False
    """Whether it was said elsewhere, before, and brought in later."""


ANSWER = "answer"
"""What any reply may have attached: the id that a model's endpoint gave it, so that it can be found by that."""


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

    def tell(self) -> Telling:
        return f"{self.faculty}: {self.error}"


class Refusal(Event, frozen=True):
    """Something was read and deliberately not learned."""

    did = "refused"
    told = "text.aside"

    what: Telling
    reason: Telling


class Briefed(Event, frozen=True):
    """What the agent was told this turn, and what had to be left out for the budget."""

    did = "injected"

    context: str = ""
    left_out: tuple[str, ...] = ()

    def tell(self) -> Telling:
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
    """Why, in English; an event has it as `said`, and the text is made of that when somebody reads it."""
    relation: str = ""
    """How the message stands to what was before: new, continue, resume or fresh, where tasks are followed."""
    indicator: str = ""
    """What the person is shown of it: that the turn continues something, and what."""
    said: Said | None = None
    """The reason as a template with its fields."""

    @property
    def why(self) -> Telling:
        return self.said or self.reason

    def in_words(self) -> Route:
        """The same with its reason as text."""
        return msgspec.structs.replace(self, reason=str(self.said)) if self.said else self


class Routed(Event, frozen=True):
    did = "routed"

    route: Route

    def tell(self) -> Telling:
        return said("route.to", agent=self.route.agent, reason=self.route.why)


class TopicTurned(Event, frozen=True):
    """A message left what was talked about, for something new or for something of before."""

    did = "turned"

    relation: Literal["new", "resume"]
    topic: tuple[str, ...] = ()
    before: tuple[str, ...] = ()

    def tell(self) -> Telling:
        template = "topic.back" if self.relation == "resume" else "topic"
        if not self.before:
            return said(template, topic=_topics(self.topic))
        left = "topic.back_left" if self.relation == "resume" else "topic.left"
        return said(left, topic=_topics(self.topic), before=_topics(self.before))


def _topics(names: tuple[str, ...]) -> Telling:
    if not names:
        return said("topic.else")
    return listed(said("kind", kind=name.replace("~", "")) for name in names)


class Intent(msgspec.Struct, frozen=True, omit_defaults=True):
    """What kind of message it is, with what it asks (query), gives (value) or shows (evidence)."""

    type: str
    query: str | None = None
    value: float | str | None = None
    evidence: str | None = None


class IntentRead(Event, frozen=True):
    did = "understood"

    intent: Intent
    means: str = ""
    """What made it, where more hangs on that than on the intent itself: a photo, a remark, silence."""

    def tell(self) -> Telling:
        if self.intent.query:
            return said("kind.of", kind=self.intent.type, value=self.intent.query)
        return said("kind", kind=self.intent.type)


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
    how: Literal["", "vague", "silent"] = ""
    """Where it is said by a pronoun or the like only, or not at all ("how late is it open?")."""


class ReferenceResolved(Event, frozen=True):
    did = "resolved"

    resolution: Resolution

    def tell(self) -> Telling:
        found = self.resolution
        names = ", ".join(entity.name for entity in found.entities)
        template = {"none": "nothing", "ambiguous": "unclear"}.get(found.status, "is") if names else "nothing"
        return said(f"mention.{template}", mention=found.mention, names=names)


class DoubtRaised(Event, frozen=True):
    """Something stayed open, with the question that would settle it."""

    did = "doubted"

    about: str
    question: str
    candidates: tuple[str, ...] = ()

    def tell(self) -> Telling:
        return said("slot.is", slot=self.about, value=self.question)


class Violation(msgspec.Struct, frozen=True, omit_defaults=True):
    """Why a reply should not go out as it is, and what to do instead."""

    rule: str
    reason: str = ""
    """In English; an event has it as `said`, and the text is made of that when somebody reads it."""
    instead: str | None = None
    said: Said | None = None
    """The reason as a template with its fields."""

    @property
    def why(self) -> Telling:
        return self.said or self.reason

    def in_words(self) -> Violation:
        """The same with its reason as text."""
        return msgspec.structs.replace(self, reason=str(self.said)) if self.said else self


class ReplyFlagged(Event, frozen=True):
    did = "flagged"

    violation: Violation

    def tell(self) -> Telling:
        return self.violation.why


class ReplyHeld(Event, frozen=True):
    """A reply did not go out; the message that this event stands with went out instead."""

    did = "held back"

    text: str
    violation: Violation

    def tell(self) -> Telling:
        text = self.text if len(self.text) <= 300 else f"{self.text[:300]}…"
        return said("held", text=text, reason=self.violation.why)


class Cleared(Event, frozen=True):
    """The person or an operator removed something from what is remembered."""

    did = "cleared"

    what: str
    index: int | None = None

    def tell(self) -> Telling:
        return said("cleared.all") if self.what == "everything" else said("slot.name", slot=self.what)


class Restored(Event, frozen=True):
    """What was known at an earlier version holds again."""

    did = "restored"

    to: int
    slices: dict[str, Any]
    said: bool = False
    """Whether what was said since is taken back too."""

    def tell(self) -> Telling:
        return said("restored.said" if self.said else "restored.known", n=self.to)


class SessionOpened(Event, frozen=True):
    """A session was made before anything was said in it, so that its pack, user and project are on record."""

    did = "opened"
    told = "opened.session"

    pack: str


class JudgedClause(msgspec.Struct, frozen=True, array_like=True):
    """What the encoder makes of one clause: chances of its likeliest acts, and that it tells something lasting."""

    start: int
    end: int
    acts: dict[str, float]
    keep: float


class FoundValue(msgspec.Struct, frozen=True, array_like=True):
    """Words of a message, and how likely they are what was looked for."""

    start: int
    end: int
    chance: float


class Reread(Event, frozen=True):
    """What the encoder, the second tier of the reading, made of a message. It is on record so that whoever decides the
    turn again finds it here and never reads again. Words are given by their places."""

    did = "read"

    model: str
    changed: float = 0.0
    """Chance that something takes the place of what was said before; one half is where it is believed."""
    new: tuple[FoundValue, ...] = ()
    old: tuple[FoundValue, ...] = ()
    new_topic: float = 0.0
    request: dict[str, float] = {}
    aim: dict[str, float] = {}
    clauses: tuple[JudgedClause, ...] = ()
    slots: dict[str, FoundValue] = {}
    """By slot: what its description finds."""
    words: tuple[tuple[int, int], ...] = ()
    """Where the words stand that it looked at most."""

    def tell(self) -> Telling:
        sure = [max(one.acts.items(), key=lambda act: act[1]) for one in self.clauses if one.acts]
        told = [said("read.act", action=act, chance=f"{chance:.2f}") for act, chance in sure]
        told += [said("read.change", chance=f"{self.changed:.2f}")] if self.changed >= 0.5 else []
        told += [said("read.topic", chance=f"{self.new_topic:.2f}")] if self.new_topic >= 0.5 else []
        return said("read.by", model=self.model, what=listed(told) if told else self.model)


class Unknown(Event, frozen=True):
    """An event that this pack cannot read: of a faculty that it does not have, or of one whose events took another form
    since. It is kept in the log and ignored in the state."""

    raw: dict[str, Any]
    wrong: str = ""
    """What does not fit, where the pack has an event of that name."""


SHARED: tuple[type[Event], ...] = tuple(kind for kind in Event.__subclasses__() if kind is not Unknown)
"""The events above, which every pack has."""


def foreign(kind: type) -> bool:
    """Whether a class is of somebody else's pack. What ours give is proven by tests, and their old events are lifted;
    what others give is looked at when it comes, and an old event of theirs may have lost its form."""
    return not kind.__module__.startswith("holdfast.")


class Codec:
    """Events to bytes and back, for the event types of one pack."""

    def __init__(self, types: Iterable[type[Event]]) -> None:
        self._types = {t.__struct_config__.tag: t for t in types}
        self.encode = msgspec.json.Encoder().encode

    @cached_property
    def _decoder(self) -> msgspec.json.Decoder[tuple[Event, ...]]:
        """Made by whoever reads first: it takes twenty milliseconds, and a new conversation only writes."""
        union: Any = Union[tuple(self._types.values())]  # noqa: UP007 - of as many as there are
        return msgspec.json.Decoder(tuple[union, ...])

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
        if kind is None:
            return Unknown(raw=data)
        try:
            return msgspec.convert(data, kind)
        except msgspec.ValidationError as wrong:
            if not foreign(kind):
                raise
            return Unknown(raw=data, wrong=f"{data['type']}: {wrong}")

    def prove(self, events: Sequence[Event]) -> None:
        """Raise what is wrong with events that could be written and not be read again."""
        for kind in {type(event) for event in events} - set(self._types.values()):
            raise TypeError(f"{kind.__name__} is not among the events of any faculty of the pack")
        self._decoder.decode(self.encode(events))
