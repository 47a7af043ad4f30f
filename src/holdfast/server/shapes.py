"""What goes over the wire: the bodies of requests and responses. `openapi.py` describes exactly these."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import Annotated, Any, Literal, Self

import msgspec
from msgspec import Meta

from holdfast import events
from holdfast.faculties.aims.files import FileRecorded
from holdfast.history.insights import DecisionInsight, KeyInsight
from holdfast.receipt import Receipt
from holdfast.server.glance import Glance
from holdfast.server.house import Caller, bare, plain
from holdfast.session import TITLE_CHARS, Past
from holdfast.session import Erased as Gone
from holdfast.state import State
from holdfast.stores.protocol import Hit, SessionInfo
from holdfast.turn import Reply, Turn

Name = Annotated[str, Meta(pattern=r"^[A-Za-z0-9_@+~][!-.0-~]*$", min_length=1, max_length=150)]
"""Names that fit in a path: visible ASCII without a slash."""
Limit = Annotated[int, Meta(ge=1, le=1000)]
Version = Annotated[int, Meta(ge=1, le=4294967295)]
Seconds = Annotated[float, Meta(ge=0, le=4102444800)]
Text = Annotated[str, Meta(max_length=1_000_000)]
Json = dict[str, Any]


NONE: Json = {}
Where = Annotated[str, Meta(min_length=1, max_length=500)]
ModelName = Annotated[str, Meta(max_length=200)]
ModelKey = Annotated[str, Meta(max_length=500)]
Title = Annotated[str, Meta(min_length=1, max_length=TITLE_CHARS)]
Value = Annotated[str, Meta(min_length=1, max_length=1000)]
Status = Literal["running", "done", "skipped", "failed", "open"]
Steps = Annotated[tuple[Annotated[str, Meta(min_length=1, max_length=2000)], ...], Meta(min_length=1, max_length=200)]


class In(msgspec.Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """Part of the body of a request. A field that nobody knows is an error and not a silence."""


class ModelIn(In, frozen=True):
    """Who answers: "built-in", "local", a known name (openai, gemini, ollama), or the address of an endpoint."""

    where: Where
    name: ModelName | None = None
    key: ModelKey = ""


class SaidOf(In, frozen=True):
    """A message of a conversation that is brought to a memory."""

    role: Literal["user", "assistant"]
    content: Annotated[str, Meta(min_length=1, max_length=10_000)]


class Out(msgspec.Struct, frozen=True, kw_only=True):
    """A body of a response."""

    @classmethod
    def of(cls, found: object, **more: Any) -> Self:
        """Made of what something has under the same names, and of `more`."""
        return cls(**{name: more[name] if name in more else getattr(found, name) for name in cls.__struct_fields__})


class SessionOut(Out, frozen=True):
    id: str
    pack: str
    user: str | None
    project: str | None
    version: int
    created: str
    changed: str
    preview: str
    """How the first message begins."""
    title: str
    """The name that it was given; else the newest file, the system that is looked at, or how it begins."""
    turns: int
    """Messages of the person."""
    language: str | None


class Sessions(Out, frozen=True):
    sessions: list[SessionOut]
    next: str | None
    """Give it as `after`, with the same order, for the next page."""


class PackOut(Out, frozen=True):
    name: str
    summary: str
    agents: tuple[str, ...]
    languages: tuple[str, ...]
    faculties: tuple[str, ...]
    answers: bool
    """Whether `chat` answers here: by the configured model or by the pack's built-in agent."""
    default: bool
    requires: tuple[str, ...]
    """What a session of it must name beside its id: user, project."""
    files: bool
    """Whether its agent makes files."""
    memory: bool
    """Whether it remembers facts, preferences and decisions with their chains."""
    tasks: bool
    """Whether it keeps tasks with plans."""
    model: str | None
    """The model that the pack names."""


class Packs(Out, frozen=True):
    packs: list[PackOut]


class LanguageOut(Out, frozen=True):
    code: str
    name: str
    """In that language itself."""


class ModelOut(Out, frozen=True):
    """The model that answers. Its key is nobody's business."""

    address: str
    name: str | None


class ModelFound(Out, frozen=True):
    """A model that can answer."""

    address: str
    """Empty for the built-in agents."""
    name: str | None
    names: list[str]
    """The models that there are at this address."""


class About(Out, frozen=True):
    """This server, and what the caller may do here."""

    version: str
    pack: str
    """Of sessions that name none."""
    languages: list[LanguageOut]
    model: ModelOut | None
    """Without one, the built-in agents of the packs answer."""
    choice: bool
    """Whether a message may name another model to answer it."""
    opens: str
    """The pack that the page opens with."""
    store: str
    """Which kind: memory, sqlite or postgres."""
    tenant: str
    scopes: list[str]


class Message(Out, frozen=True):
    role: str
    content: str


class SentTo(Out, frozen=True):
    """What an agent is sent for a message, and which way the message went."""

    version: int
    context: str
    system: str
    prompt: str
    messages: list[Message]
    tokens: int
    """Of the context and the prompt sections: what Holdfast added to the pack's own instructions."""
    route: events.Route
    intent: events.Intent | None
    references: list[events.Resolution]
    question: str | None


class TurnOut(SentTo, frozen=True):
    """What came of a person's message."""

    text: str
    indicator: str
    """That the turn continues something, and what; empty for something new."""
    language: str | None
    receipt: Receipt


class SentOut(SentTo, frozen=True):
    """What an agent was sent for a message of the past, and which way the message went."""

    sections: str
    """The part of `system` that comes from what is known, without the pack's instructions."""
    took: float
    """Milliseconds that deciding takes. No model has a part in it."""
    exact: bool
    """Whether the line that was recorded then is the one that comes of it now; another version of the pack may write
    another."""


class VerdictOut(Out, frozen=True):
    allowed: bool
    violations: tuple[events.Violation, ...]
    instead: str | None


class ReplyOut(VerdictOut, frozen=True):
    """What came of an agent's message."""

    version: int
    text: str
    agent: str | None
    receipt: Receipt


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
    """The line that the agent is told as things stand now; what the next message says comes to it."""
    sections: str
    """What the system prompt would say of what is known, beside the pack's instructions."""
    tokens: int
    """Of the line and the sections."""
    sent: str
    """The line that it was sent last."""
    items: list[ContextItem]
    clears: list[str]
    """Names that can be cleared one by one."""


class PastOut(Out, frozen=True):
    version: int
    time: str
    role: str
    text: str | None
    taken_back: bool
    """Whether it counts no more: the conversation was taken back to before it."""
    agent: str | None
    """Who said it, where it is an agent's message."""
    context: str
    """The line that the agent was sent with it."""
    route: events.Route | None
    intent: events.Intent | None
    references: list[events.Resolution]
    question: str | None
    """What was left open, as a question."""
    violations: list[events.Violation]
    """Why the guard would not let it out."""
    files: list[str]
    """Names of the files that it brought."""
    receipt: Receipt


class FileVersion(Out, frozen=True):
    version: int
    """Of the message that brought it."""
    time: str
    size: int
    url: str


class FileOut(Out, frozen=True):
    """A file of a session. It can be fetched where there is a url: files that the pack's own agent made."""

    name: str
    type: str
    by: Literal["agent", "person"]
    revisions: int
    made: int
    touched: int
    analysis: str
    kind: str
    """Its media type."""
    url: str | None
    versions: list[FileVersion]
    """Oldest first."""


class FilesOut(Out, frozen=True):
    files: list[FileOut]
    """The one that was touched last comes first."""


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
    next: str | None
    """Give it as `before` for the page before this one."""


class ItemOut(Out, frozen=True):
    item: Json


class WrittenItem(Out, frozen=True):
    event: Literal["ADD", "UPDATE", "DELETE", "CONFLICT", "NONE"]
    item: Json


class WrittenItems(Out, frozen=True):
    results: list[WrittenItem]
    """Empty where nothing in it was worth keeping."""


class Deleted(Out, frozen=True):
    deleted: int
    waiting: str = ""
    """What the bytes of what was erased still wait for, by themselves; empty where none is left."""


class FoundItem(Out, frozen=True):
    item: Json
    score: float


class FoundItems(Out, frozen=True):
    items: list[FoundItem]


class InsightsOut(Out, frozen=True):
    """What the history of the memory shows."""

    keys: tuple[KeyInsight, ...]
    unstable: tuple[str, ...]
    decisions: tuple[DecisionInsight, ...]
    ask_first: tuple[str, ...]
    """Keys on which an unmarked change is asked about."""
    questions: list[str]
    """What is in dispute, as questions that would settle it."""


class Restored(Out, frozen=True):
    """What became of an archive."""

    logs: int
    added: int
    known: int
    """Rows that were there already."""


class Erased(Out, frozen=True):
    rows: int
    waiting: str
    """What the bytes of it in the files still wait for, by themselves; empty where none is left."""


def erased_out(gone: Gone) -> Erased:
    return Erased(rows=int(gone), waiting=gone.waiting)


def iso(at: float) -> str:
    return datetime.fromtimestamp(at, UTC).isoformat(timespec="milliseconds")


def session_out(caller: Caller, info: SessionInfo, seen: Glance) -> SessionOut:
    names = {"id": info.name.removeprefix(caller.prefix), "user": bare(caller, info.user)}
    times = {"created": iso(info.created), "changed": iso(info.changed)}
    title = seen.subject or " ".join(info.preview.split())
    return SessionOut.of(
        info,
        **names,
        **times,
        project=bare(caller, info.project),
        title=title,
        turns=seen.turns,
        language=seen.language,
    )


def sent_out(turn: Turn, took: float, recorded: str, instructions: str) -> SentOut:
    sections = turn.system.removeprefix(instructions).strip()
    return SentOut.of(turn, sections=sections, took=round(took * 1000, 3), exact=turn.context == recorded)


def reply_out(reply: Reply) -> ReplyOut:
    said = reply.newest(events.MessageSaid)
    return ReplyOut.of(reply, agent=said.agent if said else None)


def state_out(caller: Caller, state: State) -> StateOut:
    return StateOut(
        version=state.version,
        slices=plain(caller, state.session.slices | {name: view(state) for name, view in state.views.items()}),
        project=None if state.project is None else plain(caller, state.project.slices),
        user=None if state.user is None else plain(caller, state.user.slices),
    )


def past_out(past: Past, receipt: Receipt) -> PastOut:
    said, told = past.newest(events.MessageSaid), past.newest(events.Briefed)
    routed = past.newest(events.Routed)
    return PastOut.of(
        past,
        agent=said.agent if said else None,
        context=told.context if told else "",
        route=routed.route.in_words() if routed else None,
        violations=[event.violation.in_words() for event in past.all(events.ReplyFlagged)],
        files=[event.file.name for event in past.all(FileRecorded)],
        receipt=receipt,
    )


def hit_out(caller: Caller, hit: Hit) -> HitOut:
    return HitOut.of(hit, session=hit.session.removeprefix(caller.prefix), time=iso(hit.at))
