"""Tasks: what a person wants done, how far it is, and which task a message belongs to.

A message begins a task, continues the one at hand, resumes one that was left, or starts fresh. Which, is read from
words and from the tasks themselves; a known kind of task is never classified again. Interrupted tasks lie on a stack
with their plans and marks, and nothing but "start fresh" takes them away.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from itertools import islice
from typing import Any, NamedTuple

import msgspec

from holdfast.errors import PackError, Refused
from holdfast.events import Cause, Cleared, DoubtRaised, Event, MessageHeard, MessageSaid, Refusal, Route, Routed
from holdfast.faculties.aims.aim import Aim, aim, requests, unheard
from holdfast.faculties.aims.naming import beside, content, objects, stems_of
from holdfast.faculties.aims.tasks.changes import OTHERS, changes
from holdfast.faculties.aims.tasks.classifying import NAME, classified, inquiry
from holdfast.faculties.aims.tasks.events import (
    Link,
    MessageLinked,
    PageGiven,
    PageSeen,
    PlanMade,
    Relation,
    StartedFresh,
    Status,
    StepMarked,
    StepReworded,
    StepsChallenged,
    Task,
    TaskEnded,
    TaskPaused,
    TaskResumed,
    Tasks,
    TaskStarted,
    TaskTyped,
    ValidationFailed,
    folded,
)
from holdfast.faculties.aims.tasks.matching import Kind, called, meant, nearest, over, stands, unfinished
from holdfast.faculties.aims.tasks.plans import MAX_STEP_CHARS, Plan, mark, plan_of, single, tagged
from holdfast.faculties.conversation import texts
from holdfast.faculties.questions.pending import TASK, Answer, answered, ask
from holdfast.faculty import Draft, Faculty, Inquiry, Section
from holdfast.reading.asking import questions
from holdfast.reading.reader import Cue, Reader, Reading, Span
from holdfast.reading.taught.choices import Choices
from holdfast.reading.taught.examples import examples
from holdfast.reading.text import accept
from holdfast.state import Moment
from holdfast.telling import Said, said

HINTS = {
    "continue": "Go on with the first open step; repeat nothing that is done.",
    "change": "The outcome changes: keep finished steps, change only what the new instruction touches.",
    "extend": "Extend the plan: keep its steps and add what is asked for.",
    "navigate": "Navigation is wanted: go where the instruction says.",
    "look": "Look at the current page first; navigate only if it is not there.",
    "choose": "Choose on the current page if it is visible there; do not navigate.",
}
"""What a planner is told about a follow-up, by the kind of its words."""
_HINTED = {
    **{"task_continue": "continue", "task_navigate": "navigate", "task_change": "change", "task_more": "extend"},
    **{"task_look": "look", "task_points": "choose", "task_feature": "choose", "task_replan": "change"},
}
"""The hint that a family of words gives; the first that is there counts."""


_IDLE = {"none": "task.asks_nothing", "stop": "task.put_off", "hold": "task.put_off", "close": "task.finished"}
"""What a message that works on no task does to the one at hand, by what it is about."""
_LOOSE = ("what_about", "finish")
"""Words of a return that mean something else just as often: without a task of that name they ask nothing."""


CLEAR_KIND = 24
"""Lead from which the kind of work that a message asks for is clear."""
ASIDE = 40
"""How far something new, or a return, may lead over a question aside where a message only asks."""
RETURNS = 40
"""How far another aim may lead over a return that is said in so many words."""


class Move(NamedTuple):
    """What a message does: its relation, the kind and task it belongs to, and the rule that said so."""

    relation: Relation
    kind: Kind
    rule: str
    span: Span | None = None
    task: Task | None = None
    """The task that is continued or resumed; None begins one."""
    short: bool = False
    """Whether it takes the way of a follow-up though it begins another task."""
    why: Said | None = None
    asks: bool = False
    """Whether a message that starts fresh asks for something too."""
    idle: bool = False
    """Whether it leaves the tasks as they are."""
    named_back: bool = False
    """Whether words said to go back, and it is the task at hand that is meant."""

    @property
    def shortcut(self) -> bool:
        """Whether its kind is known, so that it need not be classified."""
        return self.task is not None or self.short

    @property
    def type(self) -> str:
        return (self.shortcut and self.kind.follow_up) or self.kind.name


Way = Callable[[Draft, Tasks, Aim], "Move | DoubtRaised | None"]


class TasksFaculty(Faculty):
    name = "task"
    words = ("holdfast.faculties.aims/tasks", "holdfast.reading/places", "holdfast.reading/dates")
    slice = Tasks
    events = (
        *(MessageHeard, MessageSaid, Cleared, MessageLinked, StartedFresh),
        *(TaskStarted, TaskTyped, TaskPaused, TaskResumed, TaskEnded, PageGiven, PageSeen),
        *(PlanMade, StepMarked, StepReworded, StepsChallenged, ValidationFailed),
    )
    hears = ("plan", "page", "tabs", NAME)
    says = ("plan", "step", "page", "task")

    def __init__(
        self,
        *kinds: Kind,
        default: str = "",
        asked: str = "",
        steps: int = 5,
        replans: int = 2,
        closes: bool = False,
    ) -> None:
        """Kinds in the order in which they win where evidence overlaps. `default` is the kind of a message that says
        nothing of its kind, `asked` of one that only asks; without it such a message begins no task. `closes` lets
        "start fresh" close the history for the model and clear what else is remembered, and not the tasks alone."""
        self.kinds = {kind.name: kind for kind in kinds}
        self.may_inquire = len(self.kinds) > 1  # of one kind there is nothing to ask
        self.steps, self.replans = steps, replans
        self._default, self._asked, self._closes = default, asked, closes
        self._reads = bool(default) or any(kind.examples for kind in kinds)
        self._taught = {kind.name: examples(kind.name, kind.examples, False) for kind in kinds if kind.examples}
        for name in filter(None, (default, asked)):
            if name not in self.kinds:
                raise PackError(f"the default kind {name!r} is not among the kinds: {', '.join(self.kinds)}")

    def faults(self, reader: Reader) -> Iterable[str]:
        if self._taught:
            reader.made(self._learn)
        return ()

    def _learn(self, reader: Reader, language: str | None) -> Choices:
        return Choices(self._taught, reader)

    def kind(self, name: str) -> Kind:
        """A kind by its name or by the name of its follow-ups."""
        for kind in self.kinds.values():
            if name in (kind.name, kind.follow_up):
                return kind
        raise PackError(f"there is no kind of task {name!r}; there are {', '.join(self.kinds)}")

    # What a person's message does.

    def hear(self, draft: Draft) -> Iterator[Event]:
        tasks: Tasks = draft.state.task
        if not self._reads and tasks.current is None and not tasks.paused:
            return
        move = self._decide(draft, tasks)
        if move is None:
            return
        if isinstance(move, DoubtRaised):
            yield move
            yield from self._unsure(draft, tasks)
            return
        if move.rule == "task.default" and NAME in draft.attached:
            told = classified(draft.attached[NAME], self.kinds)
            if told.kind is None:
                yield Refusal(what=said("refused.classification"), reason=told.wrong)
            else:
                move = move._replace(
                    kind=told.kind,
                    rule="task.classified",
                    why=said("task.classified", kind=told.kind.name, agent=told.by),
                )
        yield from self._moved(draft, tasks, move)

    def inquire(self, draft: Draft) -> Inquiry | None:
        """Whether words left the kind of this message open, and what to ask a model then."""
        link: Link | None = draft.state.task.link
        if link is None or link.version != draft.moment.version or not link.guessed:
            return None
        return inquiry(draft, self.kinds)

    def _decide(self, draft: Draft, tasks: Tasks) -> Move | DoubtRaised | None:
        """Where the message belongs, by what it is about."""
        about = self._by_examples(draft, tasks) if self._taught else aim(draft)
        if "plan" in draft.attached:
            kind = self.kinds.get(about.here.kind) or self._planning()
            return Move("new", kind, "task.plan_given", why=said("task.planned"))
        if about.what == "fresh":
            return self._anew(draft, tasks, about)
        if picked := _picked(draft, tasks):
            return self._resume(picked, "task.chosen", None)
        returns = draft.reading.has("task_resume", "task_back") and about.prefers(("return",), (about.what,)) > -RETURNS
        back = self._by_cue(draft, tasks) if returns else None
        ways: dict[str, Way] = {
            "return": self._returned,
            "new": self._other,
            "side": self._other,
            **dict.fromkeys(_IDLE, self._idle),
        }
        return back or ways.get(about.what, self._same)(draft, tasks, about)

    def _planning(self) -> Kind:
        """The first kind that is planned, for a plan that says nothing of its kind."""
        return next((kind for kind in self.kinds.values() if kind.planner), self._any())

    def _by_examples(self, draft: Draft, tasks: Tasks) -> Aim:
        """What the message is about, where the kinds of tasks are known by examples: one that is like them begins a
        task, unless one of that kind is at hand; any other one begins none."""
        about, reading = aim(draft), draft.reading
        chosen = reading.reader.made(self._learn).choose(reading, (0, len(reading.text)))
        kind = chosen.label if chosen else "none"
        here = about.here._replace(kind=kind, likely=kind, sure=CLEAR_KIND)
        if chosen is None:
            goes_on = "same" if tasks.current else "none"
            return about._replace(what=goes_on if about.what in ("new", "side") else about.what, here=here)
        fresh = tasks.current is None or tasks.current.type != kind
        return about._replace(what="new" if fresh else about.what, here=here)

    def _anew(self, draft: Draft, tasks: Tasks, about: Aim) -> Move | DoubtRaised | None:
        cues = draft.reading.all("task_fresh")
        if cues and not any(stands(draft.reading, cue) for cue in cues):
            return self._same(draft, tasks, about)  # "don't start over"
        asks = about.here.kind in self.kinds and about.here.sure >= CLEAR_KIND
        kind = self.kinds[about.here.kind] if asks else self._any()
        return Move("fresh", kind, "aim.fresh", None, why=said("task.fresh"), asks=asks)

    def _same(self, draft: Draft, tasks: Tasks, about: Aim) -> Move | DoubtRaised | None:
        """It goes on with what is at hand, or answers what was asked for it."""
        current = tasks.current
        if current is None:
            return self._alone(draft, tasks, about)
        if current.guessed and about.here.kind in self.kinds and about.here.kind != current.type:
            return self._begin(draft, about)
        if answered(draft.state):
            return self._answers(draft, tasks, current)
        if current.status == "done" and tasks.paused and draft.reading.has("task_continue"):
            return self._resume(tasks.paused[-1], "task.last_paused", None)
        return Move("continue", self.kind(current.type), "task.follow_up", None, current)

    def _alone(self, draft: Draft, tasks: Tasks, about: Aim) -> Move | DoubtRaised | None:
        """With nothing at hand it goes on with what was left, or begins something."""
        answer = answered(draft.state)
        if answer is not None and answer.yes is False and not requests(draft):
            return self._idle(draft, tasks, about._replace(what="none"))  # "anything else?" "no, nothing for now"
        left = tasks.paused
        return self._resume(left[-1], "task.only_paused", None) if left else self._begin(draft, about)

    def _answers(self, draft: Draft, tasks: Tasks, current: Task) -> Move:
        """It goes on with the task that the agent spoke of when it asked: after a detour, perhaps one that was left."""
        best = nearest(frozenset(stems_of(draft, draft.asked)), tasks) if tasks.paused else []
        if len(best) == 1 and best[0] is not current:
            return self._resume(best[0], "task.answer", None)
        return Move("continue", self.kind(current.type), "task.answer", None, current)

    def _other(self, draft: Draft, tasks: Tasks, about: Aim) -> Move | DoubtRaised | None:
        """It begins something else: another task, unless its kind has no goals of its own and just goes on."""
        if tasks.current is None:
            return self._begin(draft, about)
        kind, now = self.kinds.get(about.here.likely), self.kind(tasks.current.type)
        goes_on = kind is None or self._doubtful(draft, tasks.current, about, kind)
        if not goes_on and kind != now:
            return self._begin(draft, about)
        if goes_on and self._leads_aside(draft, about, now):
            aside = said("task.kind", kind=self._asked)
            return Move("continue", self.kinds[self._asked], "aim.side", None, tasks.current, idle=True, why=aside)
        if not goes_on and now.planner and draft.reading.find(objects):  # a goal without an object is no other one
            return Move("new", now, "aim.new", None, None, True, said("task.other"))
        return Move("continue", now, "task.follow_up", None, tasks.current)

    def _leads_aside(self, draft: Draft, about: Aim, now: Kind) -> bool:
        """Whether a message asks for what has nothing to do with the task: it points at nothing of it."""
        aside = about.what == "side" or about.here.kind == self._asked
        points = about.here.common != "none" or draft.reading.has(*_HINTED) or _of_shown(draft)
        return bool(now.planner and self._asked) and aside and _asks(about) and not points

    def _doubtful(self, draft: Draft, current: Task, about: Aim, kind: Kind) -> bool:
        """Whether it is not clear enough that another kind of work is asked for: "also those", "how do I …?"."""
        asks = _asks(about)
        if about.what == "side":
            return True
        if about.here.kind not in self.kinds:  # "what day is the 3rd" or "reset it" tell of no kind of work
            return asks or not kind.planner or _goes_on(draft, current)
        aside = asks and (_of_shown(draft) or about.prefers(("side",), ("new",)) > -ASIDE)
        return not kind.planner and (aside or (about.here.sure < CLEAR_KIND and not requests(draft)))

    def _idle(self, draft: Draft, tasks: Tasks, about: Aim) -> Move | DoubtRaised | None:
        """A greeting, thanks, a remark, a stop: it goes to the agent at hand, and starts and reopens nothing. A task
        that is stopped or put off is paused where it is."""
        current, rule, why = tasks.current, f"aim.{about.what}", _IDLE[about.what]
        if current is not None:
            replies = about.what in ("none", "close") and answered(draft.state) is not None
            if replies or (_may_go_on(current, about) and _goes_on(draft, current)):
                return self._same(draft, tasks, about)  # "saturday is better": a value of the task is no remark
            return Move("continue", self.kind(current.type), rule, None, current, idle=True, why=said(why))
        if about.what == "none" and unheard(draft.reading):
            return self._begin(draft, about)  # words that nobody knows may ask for anything
        why = "task.nothing_to_stop" if about.what in ("stop", "hold") else why
        return Move("new", self._any(), rule, idle=True, why=said(why))

    def _returned(self, draft: Draft, tasks: Tasks, about: Aim) -> Move | DoubtRaised | None:
        """The task that the message returns to, unless it is a whole request that only shares a word with one."""
        if back := self._by_cue(draft, tasks):
            return back
        if about.here.kind in self.kinds and (about.here.sure >= CLEAR_KIND or requests(draft)):
            return self._other(draft, tasks, about)
        aside = _asks(about) and about.prefers(("side",), ("return",)) > -ASIDE
        return (None if aside else self._by_words(draft, tasks)) or self._same(draft, tasks, about)

    def _by_words(self, draft: Draft, tasks: Tasks) -> Move | None:
        """The one task that a message has most in common with, or, unnamed, the last that was left."""
        best = nearest(content(draft.reading), tasks)
        if best and best[0] is not tasks.current:
            return self._resume(best[0], "aim.return", None)
        if not best and tasks.paused and (tasks.current is None or not tasks.current.open):
            return self._resume(tasks.paused[-1], "aim.return", None)
        return None

    def _by_cue(self, draft: Draft, tasks: Tasks) -> Move | DoubtRaised | None:
        """Where words say to go back."""
        reading = draft.reading
        cues = [cue for cue in reading.all("task_resume")[:5] if stands(reading, cue)]
        if not any(cue.means == "where_with" for cue in cues) and (back := meant(reading, "task_back")):
            return self._unnamed(tasks, back)
        for cue in cues:
            span = cue.groups.get("what") or cue.groups.get("left")
            if span is not None and (move := self._back_to(draft, tasks, cue, span)) is not None:
                return move
        return None

    def _back_to(self, draft: Draft, tasks: Tasks, cue: Cue, span: Span) -> Move | DoubtRaised | None:
        """The task that is named as the one to go back to."""
        named, loose = content(draft.reading, span), cue.means in _LOOSE
        if not named and (tasks.paused or not loose):
            common = called(draft.reading, span, tasks)
            return self._one_of(draft, tasks, common, cue) if common else self._unnamed(tasks, cue)
        best = nearest(named, tasks) or over(named, tasks) or (unfinished(tasks) if tasks.paused and not loose else [])
        return self._one_of(draft, tasks, best, cue) if best else None

    def _one_of(self, draft: Draft, tasks: Tasks, among: list[Task], cue: Cue) -> Move | DoubtRaised | None:
        """The task that is meant; where several are, a question."""
        if among[0] is tasks.current:  # it is the task at hand that is meant
            return self._goes_on(tasks, cue) if cue.means != "what_about" else None
        if len(among) == 1:
            return self._resume(among[0], cue.id, cue.span)
        return self._doubt(draft, among, cue) if tasks.paused else None

    def _unnamed(self, tasks: Tasks, cue: Cue) -> Move | None:
        """ "Where were we?": the task at hand if it is open, else the last one that was left."""
        current = tasks.current
        earlier = cue.means == "earlier"
        if tasks.paused and (
            earlier or current is None or current.status == "done" or self.kind(current.type).planner is None
        ):
            return self._resume(tasks.paused[-1], cue.id, cue.span)
        return self._goes_on(tasks, cue)

    def _goes_on(self, tasks: Tasks, cue: Cue) -> Move | None:
        now = tasks.current
        return Move("continue", self.kind(now.type), cue.id, cue.span, now, named_back=True) if now else None

    def _doubt(self, draft: Draft, among: list[Task], cue: Cue) -> DoubtRaised:
        names = tuple(task.query[:120] for task in among[-5:])
        listed = f" {_text(draft, 'or')} ".join(f"“{name}”" for name in names)
        question = _text(draft, "which").replace("%s", listed)
        return DoubtRaised(about="task", question=question, candidates=names, because=draft.cause(cue.id, cue.span))

    def _unsure(self, draft: Draft, tasks: Tasks) -> Iterator[Event]:
        last = tasks.current or tasks.paused[-1]
        kind = self.kind(last.type)
        doubt = draft.events[-1]
        assert isinstance(doubt, DoubtRaised)
        yield from ask(draft, doubt.question, TASK, "task.unclear", expects="choice", options=doubt.candidates)
        reason = said("task.unclear")
        link = Link(
            draft.moment.version, "continue", kind.name, (), reason, "", "", "", False, False, *_before(draft, True)
        )
        yield MessageLinked(link=link, query=draft.reading.text[:MAX_STEP_CHARS], idle=True, because=doubt.because)
        route = Route(kind.first, kind.name, True, previous_query=link.previous_query, relation="continue", said=reason)
        yield Routed(route=route, because=doubt.because)

    def _begin(self, draft: Draft, about: Aim) -> Move | None:
        """A task of the kind that the message asks for; where nothing tells, of the default kind. What asks for
        something is of the likeliest kind, however little its words tell: "order socks"."""
        likely = about.what in ("new", "side") and (about.readable or requests(draft))
        seen = about.here.likely if likely else about.here.kind
        if about.here.kind not in self.kinds and _asks(about) and self._asked:
            seen = self._asked  # "can you even use sites with a password?"
        if seen in self.kinds:
            return Move("new", self.kinds[seen], "aim.new", None, why=said("task.kind", kind=seen))
        if self._default:
            return Move("new", self.kinds[self._default], "task.default", why=said("task.unknown"))
        return None

    def _resume(self, task: Task, rule: str, span: Span | None) -> Move:
        return Move("resume", self.kind(task.type), rule, span, task)

    def _any(self) -> Kind:
        return self.kinds[self._default] if self._default else next(iter(self.kinds.values()))

    # What a move does: tasks begin, pause and come back; the message is linked and routed.

    def _moved(self, draft: Draft, tasks: Tasks, move: Move) -> Iterator[Event]:
        text = draft.reading.text.strip()[:MAX_STEP_CHARS]
        why = draft.cause(move.rule, move.span)
        if move.relation == "fresh":
            if self._closes:
                yield Cleared(what="everything", because=why)
            yield StartedFresh(carries=move.asks, because=why)
        if move.idle or (move.relation == "fresh" and not move.asks):
            yield from self._left(draft, move)
            yield from self._linked(draft, move, tasks.current if move.idle else None, text, ())
            return
        if move.task is None:
            yield from self._started(draft, tasks, move, text)
        else:
            yield from self._worked_on(draft, tasks, move, move.task)
        yield from self._linked(draft, move, tasks.current, text, self._path(draft, move))

    def _worked_on(self, draft: Draft, tasks: Tasks, move: Move, task: Task) -> Iterator[Event]:
        """What a message does to the task that it goes on with."""
        if move.relation == "resume":
            if tasks.current is not None and tasks.current.open:
                yield self._paused(draft, tasks.current, "request")
            yield TaskResumed(id=task.id, query=task.query, because=draft.cause(move.rule, move.span))
        page = draft.attached.get("tabs", draft.attached.get("page"))
        if page is not None:
            yield PageGiven(id=task.id, page=_bounded(page))
        if task.plan is not None:
            yield from self._challenged(draft, task)

    def _left(self, draft: Draft, move: Move) -> Iterator[Event]:
        """What a message does to a task that it does not work on: it may stop it, put it off or close it."""
        task = move.task
        if task is None or task.status != "running":
            return
        if move.rule in ("aim.stop", "aim.hold"):
            yield self._paused(draft, task, "person", because=draft.cause(move.rule))
        elif move.rule == "aim.close":
            yield TaskEnded(id=task.id, status="done", because=draft.cause(move.rule))

    def _started(self, draft: Draft, tasks: Tasks, move: Move, text: str) -> Iterator[Event]:
        if tasks.current is not None and tasks.current.open and move.relation != "fresh":
            yield self._paused(draft, tasks.current, "request")
        page = draft.attached.get("tabs", draft.attached.get("page"))
        id = draft.new_id("task")
        why = draft.cause(move.rule, move.span)
        yield TaskStarted(
            id=id,
            kind=move.kind.name,
            query=text,
            page=_bounded(page),
            words=tuple(sorted(content(draft.reading))),
            guessed=move.rule == "task.default",
            beside=tuple(sorted(draft.reading.find(beside))),
            because=why,
        )
        if "plan" in draft.attached:
            yield self._planned(draft, id, text, draft.attached["plan"])

    def _path(self, draft: Draft, move: Move) -> tuple[str, ...]:
        if "plan" in draft.attached:
            return (move.kind.agent,)
        return move.kind.path if move.shortcut else ("classify", *move.kind.path)

    def _linked(
        self, draft: Draft, move: Move, previous: Task | None, text: str, path: tuple[str, ...]
    ) -> Iterator[Event]:
        """Record how the message relates to what was, and send it on its way."""
        word = draft.reading.first("task_replan") if move.shortcut else None
        link = self._link(draft, move, path, word)
        because = draft.cause(word.id, word.span) if word is not None else draft.cause(move.rule, move.span)
        words = tuple(sorted(content(draft.reading)))[:20] if move.task is not None else ()
        yield MessageLinked(link=link, query=text, words=words, idle=move.idle, because=because)
        on = (move.task or previous) if move.shortcut else None
        plan = on.plan.texts if on is not None and on.plan else None
        answer = answered(draft.state) if move.rule == "task.answer" else None
        yield Routed(route=_route(link, move, plan, answer), because=because)

    def _link(self, draft: Draft, move: Move, path: tuple[str, ...], word: Cue | None) -> Link:
        """How the message relates to what was; `word` is one that asks to plan anew."""
        planned = bool(move.shortcut and move.kind.planner)
        replan = draft.reading.words(word.span).strip(" ,.;!").lower() if word is not None else ""
        reason = _reason(move)
        return Link(
            draft.moment.version,
            move.relation,
            move.type if path or (move.idle and move.task) else None,
            path,
            said("route.replan", reason=reason, word=replan) if replan else reason,
            self._hint(draft.reading, move) if planned and not move.idle else "",
            self._indicator(draft, move),
            replan,
            planned and bool(path),
            move.rule == "task.default",
            *_before(draft, move.relation != "fresh"),
        )

    def _hint(self, reading: Reading, move: Move) -> str:
        if move.relation == "resume" or move.named_back:
            return "continue"
        return next((hint for family, hint in _HINTED.items() if reading.has(family)), "")

    def _indicator(self, draft: Draft, move: Move) -> str:
        if move.idle:
            held = move.task is not None and move.task.open and move.rule in ("aim.stop", "aim.hold")
            return _text(draft, "paused") if held else ""
        if move.relation == "new" or (move.task is not None and move.task.guessed):
            return ""  # what nobody understood is nothing to be continued
        named = move.task.query[:120].rstrip(" .!?…") if move.task else ""
        return _text(draft, move.relation).replace("%s", named)

    def _challenged(self, draft: Draft, task: Task) -> Iterator[Event]:
        """Mark the steps that rest on a value which this message changed."""
        assert task.plan is not None
        for old, new, cause in changes(draft, task):
            numbers = task.plan.resting_on(old)
            if numbers:
                yield StepsChallenged(
                    id=task.id, numbers=tuple(numbers), why=f"{', '.join(old)} → {new}", because=cause
                )

    def _paused(self, draft: Draft, task: Task, by: str, at: str = "", because: Cause | None = None) -> TaskPaused:
        plan, page = task.plan or Plan(), draft.state.task.seen.strip().partition("\n")[0][:200]
        steps = [f"step {s.number} of {len(plan.steps)}: {s.text}" for s in plan.steps if not s.closed]
        where = "; ".join(filter(None, (*steps[:1], at or page)))
        indicator = _text(draft, "paused") if by == "person" else ""
        why = because or draft.cause(f"task.paused_by_{by}")
        return TaskPaused(id=task.id, by=by, at=where[:MAX_STEP_CHARS], indicator=indicator, because=why)

    # What agents and programs do.

    def say(self, draft: Draft) -> Iterator[Event]:
        attached = draft.attached
        task: Task | None = draft.state.task.current
        steps = attached.get("plan", tagged(draft.text))
        if steps is not None:
            yield from self.plan(draft, steps)
        if "page" in attached:
            yield PageSeen(text=str(attached["page"])[:PAGE])
        marks = attached.get("step") or ()
        for given in [marks] if isinstance(marks, dict) else marks:
            yield from self.mark(draft, given["number"], given.get("state", "done"), given.get("reason", ""))
        if "task" in attached:
            yield from self.end(draft, attached["task"])
        elif task is not None and steps is None and self._is_answered(draft, task):
            yield TaskEnded(id=task.id, status="done", because=draft.cause("task.answered"))

    def _is_answered(self, draft: Draft, task: Task) -> bool:
        """Kinds without a planner are done when they are answered, unless the answer asks something."""
        plain = task.status == "running" and not task.plan and not self.kind(task.type).planner
        return plain and not draft.reading.find(questions)

    def plan(self, draft: Draft, steps: Any) -> Iterator[Event]:
        """Take a plan for the task at hand; with nothing at hand, a plan begins a task."""
        task: Task | None = draft.state.task.current
        if task is not None:
            yield self._planned(draft, task.id, task.query, steps)
            return
        first = next(iter(plan_of(steps, self.steps)[0].texts), "")
        recent = draft.state.conversation.recent
        query = next((m.text for m in reversed(recent) if m.role == "user"), first) or first
        id, kind = draft.new_id("task"), self._planning().name
        words, why = stems_of(draft, query), draft.cause("task.planned")
        yield TaskStarted(id=id, kind=kind, query=query[:MAX_STEP_CHARS], words=words, because=why)
        yield self._planned(draft, id, query, steps)

    def _planned(self, draft: Draft, id: str, query: str, steps: Any) -> PlanMade:
        plan, cut = plan_of(steps, self.steps)
        plan = plan if plan.steps else single(query)
        read = draft.reading.reader.read
        # "Open Amazon" says where, and not what
        said = [(text, read(accept(text, empty=True))) for text in plan.texts]
        ways = [text for text, step in said if any(cue.means == "go" for cue in step.all("task_navigate"))]
        words = tuple(sorted({*stems_of(draft, " ".join(plan.texts))} - {*stems_of(draft, " ".join(ways))}))
        return PlanMade(id=id, plan=plan, cut=cut, words=words, because=draft.cause("plan.made"))

    def mark(self, draft: Draft, number: int, state: str, reason: str = "") -> Iterator[Event]:
        """Mark a step. The last step that closes ends the task."""
        task, plan = _planned_task(draft)
        step, known = plan.step(number), mark(state)
        running = plan.running
        if known == "running" and running is not None and running.number != number:
            raise Refused(f"step {running.number} is in progress; close it before step {number} begins")
        why = draft.cause("step.marked")
        yield StepMarked(
            id=task.id, number=number, state=known, text=step.text, reason=reason[:MAX_STEP_CHARS], because=why
        )
        if plan.marked(number, known).finished and task.status != "done":
            yield TaskEnded(id=task.id, status="done", because=draft.cause("plan.finished"))

    def reword(self, draft: Draft, number: int, text: str) -> Iterator[Event]:
        """Change one step and open it again; the others are not touched."""
        task, plan = _planned_task(draft)
        plan.step(number)
        yield StepReworded(
            id=task.id, number=number, text=text.strip()[:MAX_STEP_CHARS], because=draft.cause("step.reworded")
        )

    def interrupt(self, draft: Draft, at: str = "") -> Iterator[Event]:
        """The person cancels: the task is paused, and the next message continues it."""
        task: Task | None = draft.state.task.current
        if task is not None and task.status == "running":
            yield self._paused(draft, task, "person", at)

    def end(self, draft: Draft, status: str) -> Iterator[Event]:
        task: Task | None = draft.state.task.current
        ends: dict[str, Status] = {"done": "done", "failed": "failed", "abandoned": "abandoned"}
        if status not in ends:
            raise Refused(f"a task ends as done, failed or abandoned, not as {status!r}")
        if task is not None:
            yield TaskEnded(id=task.id, status=ends[status], because=draft.cause("task.ended"))

    def typed(self, draft: Draft, name: str) -> Iterator[Event]:
        """A model classified what words left open: the task is of that kind, and goes that way."""
        tasks: Tasks = draft.state.task
        kind, task, link = self.kind(name), tasks.current, tasks.link
        if task is None or link is None:
            raise Refused("there is no task to classify")
        reason = said("task.classified", kind=kind.name, agent="the model")
        path = ("classify", *kind.path)
        link = msgspec.structs.replace(link, type=kind.name, path=path, reason=reason, guessed=False)
        why = draft.cause("task.classified")
        yield TaskTyped(id=task.id, kind=kind.name, link=link, because=why)
        route = Route(kind.first, kind.name, link.follows, previous_query=link.previous_query, said=reason)
        yield Routed(route=route, because=why)

    def challenge(self, draft: Draft, what: str, why: str) -> Iterator[Event]:
        """New evidence: mark exactly the steps that rest on `what`."""
        task, plan = _planned_task(draft)
        numbers = plan.resting_on([what])
        if numbers:
            yield StepsChallenged(id=task.id, numbers=tuple(numbers), why=why, because=draft.cause("evidence.new"))

    def validated(self, draft: Draft, valid: bool, suggestions: Iterable[str] = ()) -> Iterator[Event]:
        """A validator looked at the outcome. Not valid asks for a replan, twice at most; then it stays as it is."""
        task: Task | None = draft.state.task.current
        if task is None:
            raise Refused("there is no task to validate")
        if valid or task.replans >= self.replans:
            yield TaskEnded(id=task.id, status="done", because=draft.cause("task.valid" if valid else "task.as_it_is"))
        else:
            given = tuple(str(suggestion)[:MAX_STEP_CHARS] for suggestion in suggestions)[:10]
            yield ValidationFailed(id=task.id, suggestions=given, because=draft.cause("task.not_valid"))

    def fold(self, slice: Tasks, event: Event, moment: Moment) -> Tasks:
        return folded(slice, event, moment)

    def clear(self, draft: Draft, what: str | None, index: int | None) -> Iterator[Event]:
        tasks: Tasks = draft.state.task
        if what == "task" and tasks.current is not None:
            yield TaskEnded(id=tasks.current.id, status="abandoned", because=draft.cause("task.cleared"))

    def sections(self, draft: Draft) -> Iterable[Section]:
        tasks: Tasks = draft.state.task
        link, task = tasks.link, tasks.current
        if link is None or link.version != draft.state.version or task is None or link.relation == "fresh":
            return
        if link.replan:
            planned = (one for one in (task, *reversed(tasks.paused)) if one.plan)
            for previous in islice(planned, 1):
                yield Section("previous plan", "\n".join(previous_plan(previous, link)), keep=90)
        elif task.plan and task.open:
            yield Section("current plan", "\n".join(current_plan(task)), keep=90)


PAGE = 8000
"""Characters of a page state that are kept; the log has no more either."""


def current_plan(task: Task) -> list[str]:
    """The plan that is being carried out, as an agent is told of it that does not plan anew."""
    plan = task.plan or Plan()
    return [f"📋 CURRENT PLAN ({plan.progress()}) for: {task.query[:200]}", *plan.numbered()]


def previous_plan(task: Task, link: Link | None) -> list[str]:
    """What a planner must know of the plan that was interrupted."""
    plan = task.plan
    if plan is None:
        return []
    lines = ["📋 PREVIOUS PLAN (from interrupted task):", *plan.numbered(), ""]
    lines.append(f"⚠️ The user interrupted this plan ({plan.progress()}) and gave a new instruction.")
    if task.interrupted_at:
        lines.append(f"It was interrupted at: {task.interrupted_at}")
    lines += _what_changed(plan)
    if link is not None and link.hint:
        lines.append(f"Hint: {HINTS[link.hint]}")
    return lines


def _what_changed(plan: Plan) -> Iterator[str]:
    changed = dict.fromkeys(step.stale for step in plan.steps if step.stale)
    stale, valid = (
        ", ".join(str(step.number) for step in plan.steps if bool(step.stale) is touched) for touched in (True, False)
    )
    if changed:
        yield f"What changed: {'; '.join(changed)}. It touches step {stale}."
        yield f"Still valid: step {valid}." if valid else "No step stays valid as it is."


def _goes_on(draft: Draft, task: Task) -> bool:
    """Whether a message goes on with a task: it says so, chooses from what was shown, or names a value of a kind that
    its plan has."""
    says = draft.reading.has("task_change", "task_continue", "task_more")
    return says or _chooses(draft) or next(changes(draft, task), None) is not None


def _may_go_on(task: Task, about: Aim) -> bool:
    """Whether what looks like a remark may go on with a task: one that is over only where it is a close call."""
    return about.close or (task.open and not about.plain)


def _of_shown(draft: Draft) -> bool:
    """Whether a message points at what an agent showed."""
    return "references" in draft.state.session.slices and bool(draft.state.references.pointed)


def _chooses(draft: Draft) -> bool:
    """Whether a message takes something of what was shown: it points there, and tells of nobody else."""
    return _of_shown(draft) and not any(clause.act in OTHERS for clause in draft.clauses)


def _picked(draft: Draft, tasks: Tasks) -> Task | None:
    """The task that was chosen, where it was asked which one is meant."""
    answer = answered(draft.state, TASK)
    named = [answer.question.options[place] for place in answer.takes] if answer is not None else []
    return next((task for task in unfinished(tasks) if task.query[:120] in named[:1]), None)


def _planned_task(draft: Draft) -> tuple[Task, Plan]:
    task: Task | None = draft.state.task.current
    if task is None or task.plan is None:
        raise Refused("there is no plan; hand one over with plan([...]) first")
    return task, task.plan


def _asks(about: Aim) -> bool:
    """Whether a message ends in a question."""
    return [act for act, *_ in about.here.acts[-1:]] == ["asks"]


def _route(link: Link, move: Move, plan: tuple[str, ...] | None, answer: Answer | None) -> Route:
    """Where a message goes: an answer to the agent that asked, anything else along its path."""
    asked = answer.question.by if answer is not None else None
    first = link.path[0] if link.path and link.path[0] != "classify" else move.kind.first
    assert isinstance(link.reason, Said)
    return Route(
        asked or first,
        link.type,
        link.follows,
        link.replan,
        plan,
        link.previous_query,
        relation=link.relation,
        indicator=link.indicator,
        said=said("route.answers_too", agent=asked, reason=link.reason) if asked else link.reason,
    )


def _reason(move: Move) -> Said:
    if move.why is not None:
        return move.why
    if move.relation == "resume" and move.task is not None:
        return said("task.back", query=move.task.query[:80])
    return said("task.continues" if move.task else "task.new")


def _before(draft: Draft, follows: bool) -> tuple[bool, str | None, tuple[str, ...] | None, str | None]:
    """What a follow-up is told of the message before it."""
    was: Tasks = draft.before.task
    return (True, was.last_type, was.last_plan, was.query) if follows and was.messages else (False, None, None, None)


def _bounded(page: Any) -> Any:
    """A page or a selection of tabs as given, unless it is so large that only its beginning can be kept."""
    data = msgspec.json.encode(page)
    return page if len(data) <= PAGE else data[:PAGE].decode(errors="ignore")


def _text(draft: Draft, key: str) -> str:
    return str(texts(draft, "task_texts").get(key, ""))


__all__ = ["HINTS", "Kind", "Task", "Tasks", "TasksFaculty", "previous_plan"]
