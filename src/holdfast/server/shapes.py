"""What goes over the wire: the bodies of requests and responses. `openapi.py` describes exactly these."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import Annotated, Any, Literal

import msgspec
from msgspec import Meta

from holdfast.events import Intent, Resolution, Route, Violation
from holdfast.receipt import Receipt
from holdfast.server.house import Caller, bare, plain
from holdfast.session import Past
from holdfast.state import State
from holdfast.stores.protocol import Hit, SessionInfo
from holdfast.turn import Done, Reply, Turn, Verdict

Name = Annotated[str, Meta(pattern=r"^[A-Za-z0-9_@+~][!-.0-~]*$", min_length=1, max_length=150)]
"""Names that fit in a path: visible ASCII without a slash."""
Limit = Annotated[int, Meta(ge=1, le=1000)]
Version = Annotated[int, Meta(ge=1, le=4294967295)]
Seconds = Annotated[float, Meta(ge=0, le=4102444800)]
Text = Annotated[str, Meta(max_length=1_000_000)]
Json = dict[str, Any]


class In(msgspec.Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """A body of a request. A field that nobody knows is an error and not a silence."""


class OpenSession(In, frozen=True):
    id: Name | None = None
    """Made up when it is not given."""
    user: Name | None = None
    project: Name | None = None
    pack: str | None = None


class Hear(In, frozen=True):
    text: Text
    attached: Json = {}


class Say(In, frozen=True):
    text: Text
    agent: str | None = None
    attached: Json = {}


class Check(In, frozen=True):
    content: Text
    type: str = "reply"
    step: str | None = None
    agent: str | None = None


class Chat(In, frozen=True):
    text: Text
    attached: Json = {}


class AddItem(In, frozen=True):
    """Something to remember."""

    value: Annotated[str, Meta(min_length=1, max_length=10_000)]
    kind: Literal["fact", "preference", "decision", "context"] = "fact"
    slot: str | None = None
    category: str | None = None
    confidence: Annotated[float, Meta(ge=0, le=1)] | None = None
    lifespan: str | None = None
    because: tuple[str, ...] | None = None
    valid_from: Seconds | None = None


class Supersede(In, frozen=True):
    new: str
    """Id of the item that takes its place."""


class Plan(In, frozen=True):
    steps: Annotated[
        tuple[Annotated[str, Meta(min_length=1, max_length=2000)], ...], Meta(min_length=1, max_length=200)
    ]


class Step(In, frozen=True):
    status: Literal["running", "done", "skipped", "failed", "open"]
    reason: str = ""


class Interrupt(In, frozen=True):
    at: str = ""
    """Where things stand."""


class Out(msgspec.Struct, frozen=True, kw_only=True):
    """A body of a response."""


class SessionOut(Out, frozen=True):
    id: str
    pack: str
    user: str | None
    project: str | None
    version: int
    created: str
    changed: str
    preview: str


class Sessions(Out, frozen=True):
    sessions: list[SessionOut]
    next: str | None
    """Give it as `after` for the next page."""


class PackOut(Out, frozen=True):
    name: str
    summary: str
    agents: tuple[str, ...]
    languages: tuple[str, ...]
    faculties: tuple[str, ...]
    answers: bool
    """Whether `chat` answers here: by the configured model or by the pack's built-in agent."""
    model: str | None
    """Name of the model that answers; none where it is the built-in agent."""
    default: bool


class Packs(Out, frozen=True):
    packs: list[PackOut]


class Message(Out, frozen=True):
    role: str
    content: str


class TurnOut(Out, frozen=True):
    """What came of a person's message."""

    version: int
    text: str
    prompt: str
    context: str
    system: str
    messages: list[Message]
    route: Route
    intent: Intent | None
    references: list[Resolution]
    question: str | None
    language: str | None
    tokens: int
    """Of the context and the prompt sections: what Holdfast added to the pack's own instructions."""
    took: float
    """Milliseconds that deciding takes. No model has a part in it."""
    receipt: Receipt


class ReplyOut(Out, frozen=True):
    """What came of an agent's message."""

    version: int
    text: str
    allowed: bool
    violations: tuple[Violation, ...]
    instead: str | None
    receipt: Receipt


class VerdictOut(Out, frozen=True):
    allowed: bool
    violations: tuple[Violation, ...]
    instead: str | None


class Exchange(Out, frozen=True):
    turn: TurnOut
    replies: list[ReplyOut]


class DoneOut(Out, frozen=True):
    version: int
    receipt: Receipt


class StateOut(Out, frozen=True):
    """What is known: one part per faculty; `user` and `project` where the session has them."""

    version: int
    slices: Json
    project: Json | None
    user: Json | None


class ContextItem(Out, frozen=True):
    key: str
    value: str


class ContextOut(Out, frozen=True):
    version: int
    context: str
    """The line that the agent saw last."""
    items: list[ContextItem]
    clears: list[str]
    """Names that can be cleared one by one."""


class PastOut(Out, frozen=True):
    version: int
    time: str
    role: str
    text: str | None
    receipt: Receipt


class History(Out, frozen=True):
    entries: list[PastOut]
    next: int | None
    """Give it as `before` for the page before this one."""


class HitOut(Out, frozen=True):
    session: str
    version: int
    time: str
    role: str
    text: str
    score: float


class Hits(Out, frozen=True):
    hits: list[HitOut]


class Items(Out, frozen=True):
    items: list[Json]


class ItemOut(Out, frozen=True):
    item: Json


class FoundItem(Out, frozen=True):
    item: Json
    score: float


class FoundItems(Out, frozen=True):
    items: list[FoundItem]


class Erased(Out, frozen=True):
    rows: int


def iso(at: float) -> str:
    return datetime.fromtimestamp(at, UTC).isoformat(timespec="milliseconds")


def session_out(caller: Caller, info: SessionInfo) -> SessionOut:
    return SessionOut(
        id=info.name.removeprefix(caller.prefix),
        pack=info.pack,
        user=bare(caller, info.user),
        project=bare(caller, info.project),
        version=info.version,
        created=iso(info.created),
        changed=iso(info.changed),
        preview=info.preview,
    )


def turn_out(turn: Turn, took: float) -> TurnOut:
    """A turn, and the seconds that it took."""
    return TurnOut(
        version=turn.version,
        text=turn.text,
        prompt=turn.prompt,
        context=turn.context,
        system=turn.system,
        messages=[Message(role=m["role"], content=m["content"]) for m in turn.messages],
        route=turn.route,
        intent=turn.intent,
        references=turn.references,
        question=turn.question,
        language=turn.language,
        tokens=turn.tokens,
        took=round(took * 1000, 3),
        receipt=turn.receipt,
    )


def reply_out(reply: Reply) -> ReplyOut:
    return ReplyOut(
        version=reply.version,
        text=reply.text,
        allowed=reply.allowed,
        violations=reply.violations,
        instead=reply.instead,
        receipt=reply.receipt,
    )


def verdict_out(verdict: Verdict) -> VerdictOut:
    return VerdictOut(allowed=verdict.allowed, violations=verdict.violations, instead=verdict.instead)


def done_out(done: Done) -> DoneOut:
    return DoneOut(version=done.version, receipt=done.receipt)


def state_out(caller: Caller, state: State) -> StateOut:
    return StateOut(
        version=state.version,
        slices=plain(caller, state.session.slices),
        project=None if state.project is None else plain(caller, state.project.slices),
        user=None if state.user is None else plain(caller, state.user.slices),
    )


def past_out(past: Past, receipt: Receipt) -> PastOut:
    return PastOut(version=past.version, time=past.time, role=past.role, text=past.text, receipt=receipt)


def hit_out(caller: Caller, hit: Hit) -> HitOut:
    name = hit.session.removeprefix(caller.prefix)
    return HitOut(session=name, version=hit.version, time=iso(hit.at), role=hit.role, text=hit.text, score=hit.score)
