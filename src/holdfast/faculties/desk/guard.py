"""The loop guard: never the same empty request twice, never a closed step again, a step at most twice, no A-B-A-B.

Usable by any pack. What an agent did is known from what it said; a violation always comes with what to do instead. A
pack with steps tells the guard how to recognise them and what to say in their place.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from typing import Literal, NamedTuple

import msgspec

from holdfast.events import Cleared, Event, MessageSaid, ReplyFlagged, Violation
from holdfast.faculties.desk.isolation import Replanned
from holdfast.faculties.desk.procedure import StepReopened, closings
from holdfast.faculty import Action, Draft, Faculty, Section
from holdfast.reading.reader import Reading, within
from holdfast.reading.standing import sentences
from holdfast.reading.text import fold
from holdfast.state import Moment, State
from holdfast.telling import Said, Telling, said

Kind = Literal["question", "clarification", "transition", "fallback"]
KINDS = ("question", "clarification", "transition", "fallback")


MAX_FALLBACKS, MAX_STEP_REPEATS, COOL_DOWN_TURNS, KEPT_ACTIONS = 1, 2, 3, 10
_EDGES = " ?.!,;:¿¡\"')"
LONGEST_FALLBACK = 4
"""Sentences of a reply that can be nothing but a request for more."""


class AgentAction(msgspec.Struct, frozen=True, omit_defaults=True):
    type: Kind
    content: str
    at: float
    turn: int = 0
    step: str | None = None
    topics: tuple[str, ...] = ()


class AgentActed(Event, frozen=True):
    action: AgentAction


class Guard(msgspec.Struct, frozen=True, omit_defaults=True):
    actions: tuple[AgentAction, ...] = ()
    fallbacks: int = 0
    """Fallbacks in a row."""
    asked: dict[str, int] = {}
    """How often each step was asked; what was asked before it was reopened does not count."""


class Recovery(NamedTuple):
    """The way out of a loop."""

    action: str
    reason: Telling


class GuardFaculty(Faculty):
    name = "guard"
    words = ("holdfast.faculties.desk/guard",)
    slice = Guard
    events = (AgentActed, StepReopened, Replanned, Cleared)

    def __init__(
        self,
        fallbacks: Iterable[str] = (),
        step_of: Callable[[Reading, State], str | None] | None = None,
        instead: Callable[[State, Reading], str | None] | None = None,
    ) -> None:
        self._own = frozenset(_plain(text) for text in fallbacks)
        self._step_of = step_of or (lambda reading, state: None)
        self._instead = instead or (lambda state, reading: None)

    def say(self, draft: Draft) -> Iterator[Event]:
        message = draft.message
        assert isinstance(message, MessageSaid)
        if any(isinstance(event, ReplyFlagged) for event in draft.events):
            return  # it was refused: what goes out in its place is said on its own
        action = self.understood(Action(message.text), draft.reading, draft.before)
        turn = draft.state.conversation.turns
        yield AgentActed(
            action=AgentAction(
                action.type, message.text[:200], draft.moment.at, turn, action.step, _topics(draft.reading)
            )
        )

    def fold(self, slice: Guard, event: Event, moment: Moment) -> Guard:
        match event:
            case AgentActed(action=action):
                count = slice.fallbacks + 1 if action.type == "fallback" else 0
                step = action.step if action.type == "question" else None
                asked = {**slice.asked, step: slice.asked.get(step, 0) + 1} if step is not None else slice.asked
                return Guard((*slice.actions, action)[-KEPT_ACTIONS:], count, asked)
            case StepReopened(step=step):
                return msgspec.structs.replace(slice, asked={**slice.asked, step: 0})
            case Replanned():  # new evidence: what was asked before may be asked once more
                return msgspec.structs.replace(slice, asked=dict.fromkeys(slice.asked, 1))
            case Cleared(what="everything"):
                return Guard()
        return slice

    def understood(self, action: Action, reading: Reading, state: State) -> Understood:
        """What kind of action a text is, and which step it asks."""
        if action.type in KINDS:
            return Understood(action.type, action.step)  # type: ignore[arg-type]
        if self.is_fallback(reading):
            return Understood("fallback", action.step)
        step = action.step or self._step_of(reading, state)
        if (by_topic := _by_topic(state, step)) is not None:
            return by_topic
        if step is not None:
            return Understood("question", step)
        if "final report" in reading.folded:
            return Understood("transition", None)
        return Understood("question" if "?" in reading.text else "clarification", None)

    def is_fallback(self, reading: Reading) -> bool:
        """Whether a reply only asks for more, with no object: no quantity, part, place or state."""
        if _plain(reading.text) in self._own:
            return True
        if not reading.has("fallback") or len(reading.find(sentences)) > LONGEST_FALLBACK:
            return False
        empty = [span for span in reading.find(sentences) if self._empty(reading, span)]
        asks = [span for span in reading.find(sentences) if "?" in reading.words(span) and span not in empty]
        return bool(empty) and not asks

    def _empty(self, reading: Reading, span: tuple[int, int]) -> bool:
        """Whether a sentence is a request without an object, from its first words to its end."""
        for cue in within(reading.all("fallback"), span):
            lead = sum(span[0] <= token[0] < cue.start for token in reading.tokens)
            if lead <= 3 and not self._rest(reading, reading.folded[cue.end : span[1]]):
                return True
        return False

    @staticmethod
    def _rest(reading: Reading, text: str) -> str:
        """What is left of a sentence when tails that name nothing ("please", "to proceed") are cut off."""
        tails = reading.reader.phrases("tails", "words")
        text = text.strip(_EDGES)
        while tail := next((t for t in tails if text.startswith(t) and not text[len(t) : len(t) + 1].isalnum()), ""):
            text = text[len(tail) :].strip(_EDGES)
        return text

    def forbid(self, action: Action, reading: Reading, state: State) -> Iterable[Violation]:
        known = self.understood(action, reading, state)
        again = known.type == "fallback" and state.guard.fallbacks >= MAX_FALLBACKS
        rule, reason = "loop.fallback", said("guard.fallback") if again else None
        if known.type == "question":
            rule, reason = self._repeated(reading, known, state)
        if reason is not None:
            yield Violation(rule, instead=self._instead(state, reading) or DEFAULT_INSTEAD, said=reason)

    def _repeated(self, reading: Reading, known: Understood, state: State) -> tuple[str, Said | None]:
        """Why a question comes again, if it does, and by which rule it is refused."""
        again = repeats(known.step, state) if known.step is not None else None
        if again is not None or _exempt(known.step, state):
            return "loop.step", again
        return "loop.topic", self._cycle(reading, known, state.guard) or self._cooling(reading, state)

    def _cycle(self, reading: Reading, known: Understood, guard: Guard) -> Said | None:
        """A-B-A, and now B again."""
        marks = [action.step or _plain(action.content) for action in guard.actions if action.type == "question"][-3:]
        now = known.step or _plain(reading.text)
        circles = len(marks) == 3 and marks[0] == marks[2] != marks[1] == now
        return said("guard.circle") if circles else None

    def _cooling(self, reading: Reading, state: State) -> Said | None:
        """A topic that was asked and left rests."""
        for topic in _topics(reading):
            for action in self._left(state):
                if topic in action.topics:
                    ago = state.conversation.turns - action.turn
                    return said("guard.topic", slot=topic, n=ago, all=COOL_DOWN_TURNS)
        return None

    def _left(self, state: State) -> list[AgentAction]:
        """What was asked a short while ago and not answered: neither the open step, nor what this very turn asks."""
        active = state.procedure.active if "procedure" in state.session.slices else None
        turn, actions = state.conversation.turns, state.guard.actions
        if actions and actions[-1].turn == turn:
            actions = actions[:-1]
        asked = [a for a in actions if a.type == "question" and turn - a.turn <= COOL_DOWN_TURNS]
        return [action for action in asked if active is None or action.step != active]

    def sections(self, draft: Draft) -> Iterable[Section]:
        lines = directives(draft.state)
        return [Section("anti_loop", "\n".join(lines), keep=60)] if lines else []


class Understood(NamedTuple):
    type: Kind
    step: str | None


DEFAULT_INSTEAD = "Name one thing that can be checked now, and ask for exactly that."


def _by_topic(state: State, step: str | None) -> Understood | None:
    """What a text is because of the topic that is talked about, whatever it says."""
    if "topics" not in state.session.slices:
        return None
    if state.topics.mode == "final_report":
        return Understood("transition", None)  # whatever the technician asked is quoted in a report
    return Understood("clarification", step) if state.topics.stack else None


def repeats(step: str, state: State, planned: bool = False) -> Said | None:
    """Why a step may not be asked (again). A step that is only planned cannot be a duplicate yet."""
    closed = closings(state).get(step)
    if closed is not None:
        return said("guard.step_unable" if closed.how == "unable" else "guard.step_done", step=step)
    guard: Guard = state.guard
    times = guard.asked.get(step, 0)
    if times >= MAX_STEP_REPEATS:
        return said("guard.step_often", step=step)
    last = guard.actions[-1:]
    now = any(a.step == step and a.type == "question" and a.turn == state.conversation.turns for a in last)
    return said("guard.step_again", step=step) if now and times and not planned else None


def directives(state: State) -> list[str]:
    """What the agent is told about loops; nothing while there is nothing to repeat."""
    guard: Guard = state.guard
    closed = closings(state)
    if not closed and not guard.actions:
        return []
    lines = ["ANTI-LOOP RULES (CRITICAL):"]
    if guard.fallbacks:
        lines.append('FORBIDDEN: asking for "more information" again; the last reply did that already')
    lines.append("FORBIDDEN: asking a closed step again, in any words")
    if closed:
        lines.append("Closed steps: " + ", ".join(closed))
    lines.append("FORWARD PROGRESS: ask the current step, or move to the next one")
    return lines


def recovery(reason: Telling) -> Recovery:
    """The way out that belongs to a violation."""
    template = reason.template if isinstance(reason, Said) else ""
    if template == "guard.step_often" and isinstance(reason, Said):
        return Recovery(f"mark_unable:{reason.fields['step']}", reason)
    return Recovery("force_next_step" if template == "guard.fallback" else "force_forward", reason)


def _topics(reading: Reading) -> tuple[str, ...]:
    if "?" not in reading.text:
        return ()
    return tuple(dict.fromkeys(cue.means for cue in reading.all("topic")))[:4]


def _exempt(step: str | None, state: State) -> bool:
    """The open step must be asked again after help, and a reopened one because it was reopened."""
    if "diagnosis" in state.session.slices and (state.diagnosis.terminal == "fault_candidate" or state.diagnosis.doubt):
        return True  # the one question of that moment, whatever part it is about
    if step is None or "procedure" not in state.session.slices:
        return False
    return step in (state.procedure.active, *state.procedure.reopened)


def _plain(text: str) -> str:
    return fold(text).strip(" ?¿.!\n")[:200]
