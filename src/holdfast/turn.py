"""One turn, told on one page. Read this file first.

    person's text ─▶ read ─▶ faculties hear ─▶ events ─▶ fold ─▶ state ─▶ brief ─▶ Turn
    agent's text  ─▶ read ─▶ faculties say ──▶ events ─▶ fold ─▶ state ─▶ verdict ─▶ Reply

Everything here is a pure function of (text, state, pack, now). No clock, no store, no randomness: a shell
(`session.py`) loads the state, calls one of these functions, appends the events in one transaction, and, if somebody
else was faster, does it again on the new state.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from functools import cached_property
from typing import Any, NamedTuple, TypeVar

import msgspec

from holdfast import brief
from holdfast.accepting import accept_name, called, shown
from holdfast.errors import InvalidInput, PackError, UnknownItem
from holdfast.events import (
    Briefed,
    DoubtRaised,
    Event,
    FacultyFailed,
    Intent,
    IntentRead,
    MessageHeard,
    MessageSaid,
    ReferenceResolved,
    Refusal,
    ReplyFlagged,
    ReplyHeld,
    Reread,
    Resolution,
    Route,
    Routed,
    Scope,
    TopicTurned,
    Violation,
)
from holdfast.faculty import Action, Draft, Faculty, Item, Section
from holdfast.guests import Contained
from holdfast.pack import Pack
from holdfast.reading.model.clauses import Clause, understand
from holdfast.reading.reader import Reading
from holdfast.reading.structured import plain
from holdfast.reading.text import accept
from holdfast.reading.tiers import ENCODER, SecondTier
from holdfast.receipt import Receipt, receipt
from holdfast.state import Failure, State
from holdfast.stores.protocol import Note
from holdfast.telling import said

Kind = TypeVar("Kind", bound=Event)
MAX_HELD_CHARS = 4000
"""Characters that are kept of a reply which did not go out."""
MAX_FAULT_CHARS = 500
"""Characters that a receipt tells of a fault; the log has it whole."""
MAX_EVENTS = 10_000
"""Events that one faculty may make of one message."""
TELLS: dict[str, Any] = {
    "context": list[Item],
    "sections": list[Section],
    "forbid": list[Violation],
    "notes": list[tuple[Scope, Note]],
}
"""What a faculty tells at each stage."""


def hear(
    text: str,
    state: State,
    pack: Pack,
    now: float,
    origin: str = "",
    imported: bool = False,
    recorded: Iterable[Event] | None = None,
    **attached: Any,
) -> Outcome:
    """A person's message: what it refers to, what it changes, where it goes, and what the agent must be told. Where a
    turn of the past is decided again, `recorded` are its events: the encoder's part in it is taken from there."""
    text = accept(text, empty=bool(attached) or pack.hears_silence)
    given = _attachments(attached, pack, "hear") if attached else {}
    message = MessageHeard(text=text, attached=given, imported=imported)
    may_ask = pack.tier == ENCODER or pack.described or recorded is not None
    second = SecondTier(pack.tier, pack.described, recorded) if may_ask else None
    draft = Draft(message, pack.reader.read(text), state, now, pack.folder, origin, second)
    draft.take(message)
    failures = _run(draft, pack, "hear")
    if brief.disarm(text) != text:
        draft.take(Refusal(what=said("refused.context"), reason=said("refused.engine")))
    told = _brief(draft, pack, failures)
    if told.context or told.left_out:
        draft.take(Briefed(context=told.context, left_out=told.left_out))
    if second is not None:
        second.close()
        if second.told is not None:
            draft.take(second.told)
    if draft.failed:
        failures += _unfolded(draft)
    return Outcome(Turn(text, draft, told, pack), draft, failures)


def read(verb: str, text: str, state: State, pack: Pack) -> None:
    """Read a message before its turn, and decide nothing."""
    if verb == "say":
        pack.reader.read(plain(accept(text, empty=True), pack.reader))
        return
    for clause in Draft(None, pack.reader.read(accept(text, empty=True)), state, 0.0, pack.folder).clauses:
        _ = clause.values


def preview(state: State, pack: Pack, now: float, origin: str = "") -> brief.Brief:
    """What the agent would be told now, with a message that changes nothing. Records nothing."""
    draft = Draft(None, pack.reader.read(""), state, now, pack.folder, origin)
    return _brief(draft, pack, [])


def say(
    text: str,
    state: State,
    pack: Pack,
    now: float,
    origin: str = "",
    agent: str | None = None,
    imported: bool = False,
    instead_of: str = "",
    **attached: Any,
) -> Outcome:
    """An agent's message: what it mentions, asks and decides, and whether it may go out as it is. `instead_of` is what
    the guard did not let out."""
    text = accept(text, empty=bool(attached))
    if agent is not None:
        accept_name("agent", agent)
    given = _attachments(attached, pack, "say") if attached else {}
    message = MessageSaid(text=text, agent=agent, attached=given, imported=imported)
    draft = Draft(message, pack.reader.read(plain(text, pack.reader)), state, now, pack.folder, origin)
    verdict = check(Action(text, agent=agent), state, pack, draft.reading)
    draft.take(message)
    for failure in verdict.failures:
        draft.take(_told(failure))
    for violation in check(Action(instead_of, agent=agent), state, pack).found if instead_of else ():
        draft.take(ReplyHeld(text=instead_of[:MAX_HELD_CHARS], violation=violation))
    for violation in verdict.found:
        draft.take(ReplyFlagged(violation=violation))
    failures = verdict.failures + _run(draft, pack, "say")
    if draft.failed:
        failures += _unfolded(draft)
    return Outcome(Reply(text, draft, verdict), draft, failures)


def check(action: Action, state: State, pack: Pack, reading: Reading | None = None) -> Verdict:
    """The guard alone: why an action should not go out. Records nothing."""
    read = reading or pack.reader.read(plain(accept(action.text, empty=True), pack.reader))
    failures: list[Failure] = []
    found: list[Violation] = _gather(pack, "forbid", (action, read, state), failures)
    return Verdict(tuple(found), failures)


def call(act: Callable[[Draft], Iterable[Event]], state: State, pack: Pack, now: float, origin: str = "") -> Outcome:
    """Something done and not said: a plan handed over, a step marked, an item added. An error undoes all of it."""
    draft = Draft(None, pack.reader.read(""), state, now, pack.folder, origin)
    for event in act(draft):
        draft.record(event)
    return Outcome(Done(draft), draft, [])


def clear(what: str | None, index: int | None, state: State, pack: Pack, now: float, origin: str = "") -> Outcome:
    """Remove one thing, or, with None, everything that this session remembers."""

    def everywhere(draft: Draft) -> Iterator[Event]:
        for faculty in pack.faculties:
            yield from faculty.clear(draft, what, index)
        if what is not None and not draft.events:
            raise UnknownItem(f"there is nothing called {shown(what)} to clear")

    return call(everywhere, state, pack, now, origin)


def notes(outcome: Outcome, pack: Pack) -> list[tuple[Scope, Note]]:
    """What the search index must know of a turn, asked by the shell before it writes."""
    draft = outcome.draft
    return _gather(pack, "notes", (draft,), outcome.failures, draft)


def _run(draft: Draft, pack: Pack, verb: str) -> list[Failure]:
    """The one loop: every faculty in the pack's order, each seeing what those before it recorded."""
    failures: list[Failure] = []
    able, mark = iter(pack.able[verb]), 0
    while True:
        faults: list[Exception] = []
        # A fault in one ability must never cost the person their turn: its part is dropped, the rest goes on.
        with Contained(faults.append):
            for faculty in able:
                if faculty.wakes and verb == "hear" and not draft.reading.has(*faculty.wakes):
                    continue
                mark = len(draft.events)
                for event in getattr(faculty, verb)(draft):
                    if len(draft.events) - mark >= MAX_EVENTS:
                        raise PackError(f"it makes more than {MAX_EVENTS:,} events of one message: has it no end?")
                    draft.record(event)
                if faculty in pack.guests:
                    pack.codec.prove(draft.events[mark:])
        if not faults:
            return failures
        draft.rewind(mark)
        failures.append(_failed(faculty, faults[0], draft))


def _brief(draft: Draft, pack: Pack, failures: list[Failure]) -> brief.Brief:
    items: list[Item] = _gather(pack, "context", (draft,), failures, draft)
    sections: list[Section] = _gather(pack, "sections", (draft,), failures, draft)
    if pack.count_tokens is None:
        return brief.write(items, sections, pack)
    faults: list[Exception] = []
    with Contained(faults.append):
        return brief.write(items, sections, pack)
    failures.append(Failure("count_tokens", faults[0]))  # a tokenizer is somebody else's too: ours counts instead
    draft.take(_told(failures[-1]))
    return brief.write(items, sections, pack, brief.estimate)


def _gather(
    pack: Pack, verb: str, given: tuple[Any, ...], failures: list[Failure], draft: Draft | None = None
) -> list[Any]:
    """What every faculty has to tell. One that fails tells nothing."""
    told: list[Any] = []
    able = iter(pack.able[verb])
    while True:
        faults: list[Exception] = []
        with Contained(faults.append):
            for faculty in able:
                found = [*getattr(faculty, verb)(*given)]
                if faculty in pack.guests:
                    msgspec.json.decode(msgspec.json.encode(found), type=TELLS[verb])
                told += found
        if not faults:
            return told
        failures.append(_failed(faculty, faults[0], draft))


def _failed(faculty: Faculty, error: Exception, draft: Draft | None) -> Failure:
    failure = Failure(faculty.name, error)
    if draft is not None:
        draft.take(_told(failure))
    return failure


def _unfolded(draft: Draft) -> list[Failure]:
    """Faculties that could not take in what the engine recorded."""
    failed = list(draft.failed)
    for failure in failed:
        draft.take(_told(failure))
    return failed


def _told(failure: Failure) -> FacultyFailed:
    return FacultyFailed(
        faculty=failure.faculty, error=f"{type(failure.error).__name__}: {failure.error}"[:MAX_FAULT_CHARS]
    )


def _attachments(attached: Mapping[str, Any], pack: Pack, verb: str) -> dict[str, Any]:
    for name in attached:
        if name not in pack.attachments[verb]:
            known = ", ".join(sorted(pack.attachments[verb])) or "nothing"
            raise InvalidInput(f"{verb}() of the pack {pack.name} takes no {name!r}; it takes: {known}")
        try:
            msgspec.json.encode(attached[name])
        except (TypeError, ValueError, RecursionError) as wrong:
            raise InvalidInput(f"{verb}(): {name} cannot be kept as JSON: {wrong}") from None
    return {name: value for name, value in attached.items() if value is not None}


class Outcome(NamedTuple):
    """What a turn gives its shell: something for the caller, the draft with events and state for the store."""

    result: Any
    draft: Draft
    failures: list[Failure]


class Recorded:
    """What the events of a turn say, now or as the log has them."""

    def __init__(self, version: int, events: tuple[Event, ...]) -> None:
        self.version, self.events = version, events

    def all(self, kind: type[Kind]) -> list[Kind]:
        """Its events of a kind, in their order."""
        return [event for event in self.events if isinstance(event, kind)]

    def newest(self, kind: type[Kind]) -> Kind | None:
        """Its last event of a kind."""
        return next((event for event in reversed(self.events) if isinstance(event, kind)), None)

    @cached_property
    def receipt(self) -> Receipt:
        """Everything this turn did, and why."""
        return receipt(self.version, self.events)

    @property
    def intent(self) -> Intent | None:
        read = self.newest(IntentRead)
        return read.intent if read else None

    @property
    def intents(self) -> list[Intent]:
        """Everything that the message wants, where a pack knows intents."""
        return [event.intent for event in self.all(IntentRead)]

    @property
    def references(self) -> list[Resolution]:
        """What the message points at."""
        return [event.resolution for event in self.all(ReferenceResolved)]

    @property
    def question(self) -> str | None:
        """What to ask the person when something stays open."""
        doubt = self.newest(DoubtRaised)
        return doubt.question if doubt else None


class Done(Recorded):
    """What a call did."""

    def __init__(self, draft: Draft) -> None:
        super().__init__(draft.moment.version, tuple(draft.events))
        self.state: State = draft.state

    def __repr__(self) -> str:
        return called("Done", version=self.version, did=[line.did for line in self.receipt.lines])


class Turn(Done):
    """What came of a person's message."""

    def __init__(self, text: str, draft: Draft, told: brief.Brief, pack: Pack) -> None:
        super().__init__(draft)
        self.text = text
        self.context = told.context
        """`[CONTEXT: key: value | key: value]`, or nothing."""
        self.system = told.system
        """The pack's instructions and the prompt sections of this turn."""
        self.tokens = told.tokens
        """Tokens of the context and the prompt sections."""
        recent = draft.state.conversation.recent  # as it is now: a message that starts fresh closes what was before
        self._history = recent[:-1] if recent and recent[-1].version == self.version else recent
        self._agents = pack.agents
        self._request = pack.request
        self._more = len(recent) < draft.state.conversation.messages  # earlier ones that are no longer at hand
        self._asked, self._told, self._language = draft.asked, draft.told, draft.reading.language
        self._doubting = pack.tier == ENCODER
        self._follows = draft.before.conversation.messages > 0

    def __repr__(self) -> str:
        return called(
            "Turn",
            shown(self.text),
            version=self.version,
            agent=self.route.agent,
            follow_up=self.route.follow_up,
            intent=self.intent.type if self.intent else None,
            context=self.context,
            question=self.question,
        )

    @property
    def language(self) -> str | None:
        """Language of the session."""
        return self.state.conversation.language  # type: ignore[no-any-return]

    @cached_property
    def prompt(self) -> str:
        """What to send: the context line and the message, or the message untouched."""
        return brief.prompt(self.context, self.text)

    @cached_property
    def messages(self) -> list[dict[str, str]]:
        """Ready for any chat-completions API: system, recent history, prompt."""
        system = [{"role": "system", "content": self.system}] if self.system else []
        history = [{"role": m.role, "content": brief.disarm(m.text)} for m in self._history]
        said = [*history, {"role": "user", "content": self.prompt}]
        return [*system, *(self._marked(said) if self._request else said)]

    def _marked(self, said: list[dict[str, str]]) -> list[dict[str, str]]:
        """The person's messages as the pack words a request."""
        asked = [place for place, message in enumerate(said) if message["role"] == "user"]
        for place in asked:
            context, text = (self.context, self.text) if place == asked[-1] else ("", said[place]["content"])
            text = self._request(text, place != asked[0] or self._more, place == asked[-1])  # type: ignore[misc]
            said[place] = {"role": "user", "content": brief.prompt(context, text)}
        return said

    @cached_property
    def clauses(self) -> list[Clause]:
        """What each part of the message does: its act, and what it tells."""
        told = self.newest(Reread) if self._doubting else None
        second = told.clauses if told else ()
        return understand(self.text, self._asked, self._language, lambda _: second, self._told)

    @cached_property
    def route(self) -> Route:
        """Which agent the message goes to, and why."""
        routed = self.newest(Routed)
        if routed is not None:
            return routed.route.in_words()
        follows = self._follows and self.newest(TopicTurned) is None
        return Route(self._agents[0], follow_up=follows, said=said("route.default")).in_words()

    @property
    def indicator(self) -> str:
        """What to show the person: that the turn continues something, and what; nothing for something new."""
        return self.route.indicator


class Verdict:
    """Whether something may go out, why not, and what to do instead."""

    def __init__(self, violations: tuple[Violation, ...], failures: list[Failure]) -> None:
        self.found = violations
        """As they are recorded."""
        self.violations = tuple(violation.in_words() for violation in violations)
        self.failures = failures
        """Faculties that could not give their opinion."""

    def __repr__(self) -> str:
        return self._called("Verdict")

    def _called(self, kind: str, *given: str, **named: object) -> str:
        rules = [violation.rule for violation in self.violations]
        return called(kind, *given, f"allowed={self.allowed}", **named, violations=rules, instead=self.instead)

    @property
    def allowed(self) -> bool:
        """Whether it may go out as it is."""
        return not self.violations

    @property
    def instead(self) -> str | None:
        """What to say or do in place of something that is not allowed."""
        return next((v.instead for v in self.violations if v.instead), None)


class Reply(Done, Verdict):
    """What came of an agent's message."""

    def __init__(self, text: str, draft: Draft, verdict: Verdict) -> None:
        Done.__init__(self, draft)
        Verdict.__init__(self, verdict.found, verdict.failures)
        self.text = text

    def __repr__(self) -> str:
        return self._called("Reply", shown(self.text), version=self.version)
