"""A browser agent to try `nxtscape` without a key: it plans, carries out one step after the other on a small simulated
web, works on tabs, and answers from the page. It takes its time between steps, so that it can be interrupted, and goes
on from where it was. It speaks English, Russian and Spanish."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator

from holdfast.agents import Said
from holdfast.agents.browsing.answers import answer, answered, held, no_page, sites
from holdfast.agents.browsing.errands import Nowhere, carried_out, counted, empty, leads_on, planned, removed
from holdfast.agents.browsing.goals import Goal, goals, how_far
from holdfast.agents.browsing.heard import Heard
from holdfast.agents.browsing.orders import lines
from holdfast.agents.browsing.tabs import asked, worked
from holdfast.agents.browsing.voice import MAX_TEXT_CHARS, Voice, understood
from holdfast.agents.browsing.web import restored, root
from holdfast.agents.courtesies import courtesy
from holdfast.events import Event
from holdfast.faculties.aims.tasks.events import Task, TaskEnded
from holdfast.faculties.aims.tasks.plans import Plan, Step
from holdfast.faculties.questions.pending import all_answered
from holdfast.faculty import Draft
from holdfast.session import Session
from holdfast.state import State
from holdfast.turn import Turn

DONE = {"task": "done"}
GREETED = {"help": "unsure", "hello": "hello", "there": "hello"}
"""What is said to a greeting or a cry for help."""


class Browser:
    """The agent; `pause` is how long it works on a step, in seconds."""

    def __init__(self, pause: float = 0.8, sleep: Callable[[float], None] = time.sleep) -> None:
        self._pause, self._sleep = pause, sleep

    def __call__(self, turn: Turn, chat: Session) -> Iterator[Said]:
        return _Work(turn, chat, lambda: self._sleep(self._pause)).said()


browser = Browser()


class _Work:
    """What one message makes the browser do and say."""

    def __init__(self, turn: Turn, chat: Session, rest: Callable[[], None]) -> None:
        self.turn, self.chat, self._rest = turn, chat, rest
        self.voice = Voice(turn.language)
        self._told = self.voice.say
        self.reading = self.voice.read(turn.text)
        self.heard = Heard(turn.text[:MAX_TEXT_CHARS], turn.clauses, self.voice)
        self.web = restored(turn.state.task.seen, self.voice.language)
        self.task: Task | None = turn.state.task.current
        self.plan: Plan | None = self.task.plan if self.task is not None else None
        self.going = self.task is not None and _waits(self.task)

    def said(self) -> Iterator[Said]:
        if self.turn.question:
            yield Said(self.turn.question, self.turn.route.agent)
        elif said := self._courtesy():
            yield said
        else:
            if self.turn.indicator:
                yield Said(self.turn.indicator, self.turn.route.agent, DONE if self.task is None else {})
            if self.task is not None or not self.turn.indicator:
                yield from self._done()

    def _courtesy(self) -> Said | None:
        """A greeting, thanks, a cry for help."""
        kind, agent = courtesy(self.turn.text, self.turn.clauses), self.turn.route.agent
        if not kind or (kind == "there" and self.going):
            return None  # "как дела?", while something is under way
        if kind in GREETED:
            return Said(self._told(GREETED[kind]), agent, {} if self.going else DONE)
        left = f" {self._left(self.task, self.plan)}" if self.going else ""
        ends = DONE if self.task is not None and not self.going else {}
        return Said(self._told("welcome") + left, agent, ends)

    def _done(self) -> Iterator[Said]:
        """Answer what is asked, then do what is wanted; leave what is put off, forbidden or given up."""
        heard = self.heard
        wants = self.turn.text if self._only_goes_on() else heard.wants
        for question in heard.asks:
            yield Said(self._answered(question), self.turn.route.agent, {} if self.going or heard.wants else DONE)
        if wants and self.task is not None:
            yield from self._worked_on(self.task, wants)
        elif heard.ends:
            yield self._given_up(heard.ends)
        elif not heard.asks:
            yield self._rested()

    def _only_goes_on(self) -> bool:
        """Whether a message that says nothing else goes on with the plan: "continue"."""
        return self.heard.silent and self.plan is not None and self._goes_on("")

    # What asks for nothing to be done.

    def _answered(self, question: str) -> str:
        page = self.task.page if self.task is not None else None
        told = answered(question, self.web, page, self.voice) or self._standing()
        unknown = self.going and told == no_page(self.web, self.voice)
        return f"{told} {self._standing()}" if unknown else told

    def _halted(self) -> Said:
        """What is put off or forbidden: the errand stays as it is."""
        agent = self.turn.route.agent
        if self.web.offered and self.web.cart:
            return self._unconfirmed()
        if not self.going:
            return Said(self._told("fine"), agent, DONE)
        self.chat.interrupt()
        return Said(self._told("stopped", progress=self.voice.progress(self.plan)), agent)

    def _unconfirmed(self) -> Said:
        told = self._told("not_confirmed", things=counted(self.web.cart, self.voice))
        return Said(told, self.turn.route.agent)

    def _given_up(self, words: str) -> Said:
        """What is no longer wanted: a thing in the basket, where others stay, else the errand; too late, where it was
        carried out."""
        web, agent = self.web, self.turn.route.agent
        if removed(words, web, self.voice) and web.cart:
            return self._unconfirmed()._replace(attached={"page": web.state()})
        open_one = next((task for task in self._errands() if _waits(task) and self._is_of(task, words)), None)
        if open_one is None:
            late = self.plan is not None and web.bought
            return Said(self._told("too_late" if late else "fine"), agent, DONE)
        web.drop(open_one.id)
        told = self._told("dropped", query=open_one.query)
        return Said(told, agent, {"task": "abandoned", "page": web.state(), "step": self._dropped(open_one)})

    def _dropped(self, task: Task) -> list[dict[str, object]]:
        """The marks of the steps that are not done any more; a task that was left ends by itself."""
        if self.task is None or task.id != self.task.id or task.plan is None:
            self.chat.act(lambda draft: iter([TaskEnded(id=task.id, status="abandoned")]))
            return []
        return [{"number": step.number, "state": "skipped"} for step in task.plan.steps if not step.closed]

    def _errands(self) -> list[Task]:
        """The task at hand and those that were left, newest first."""
        tasks = self.turn.state.task
        return [task for task in (self.task, *reversed(tasks.paused)) if task is not None]

    def _is_of(self, task: Task, words: str) -> bool:
        """Whether words name nothing, or something of a task: who forgets the hotel still wants the flight."""
        said = {root(word) for line in lines(words, self.voice) for word in line.words}
        steps = " ".join(task.plan.texts) if task.plan is not None else ""
        return not said or not said.isdisjoint(self.voice.pages.stems(f"{task.query} {steps}"))

    def _rested(self) -> Said:
        """What is said to talk, and where something is to wait."""
        if self.heard.waits:
            return self._halted()
        if self.web.offered and self.web.cart and self.reading.has("no"):
            return self._unconfirmed()
        return Said(self._standing(), self.turn.route.agent, {} if self.going else DONE)

    def _standing(self) -> str:
        """How things stand: what is under way and what waits, what is in the basket, what was ordered; else what can be
        asked for."""
        waits = [task for task in self._errands() if _waits(task)]
        if waits:
            told = self._left(waits[0], waits[0].plan), self._next_told(), held(self.web, self.voice)
            return " ".join(filter(None, told))
        over = self._over(self.task, self.plan) if self.task is not None and self.plan is not None else ""
        return held(self.web, self.voice) or over or self._told("unsure")

    def _next_told(self) -> str:
        """The next step of the plan at hand; a deal that waits for a yes is told by what is in the basket."""
        step = self.plan.first_open if self.plan is not None and self.going else None
        if step is None or _deal_due(step):
            return ""
        return self._told("so_far", progress=self.voice.progress(self.plan), step=step.text)

    # What is done.

    def _worked_on(self, task: Task, text: str) -> Iterator[Said]:
        web, voice = self.web, self.voice
        if self._on_errand(task, text) and not self._of_tabs(text):
            yield from self._browse(task, text)
        elif task.type == "answer":
            yield Said(answer(text, web, task.page, voice), "answer", DONE)
        else:
            told = worked(text, self.turn.route.previous_query or "", web, voice) or self._visited(text)
            yield Said(told or self._standing(), "productivity", {"page": web.state()} | ({} if self.going else DONE))

    def _of_tabs(self, text: str) -> bool:
        return asked(text, self.web, self.voice) and not self.voice.names(text)

    def _on_errand(self, task: Task, text: str) -> bool:
        """Whether something is wanted of a site: also where the message before it only asked."""
        far, voice = how_far(text, self.voice), self.voice
        beside = voice.meant(text, "tabs") or voice.sums_up(text) or voice.read(text).has("reads", "here", "translates")
        goes_on = bool(self.web.results and lines(voice.kept(text), voice)) and not beside
        return task.type == "browse" or goes_on or (far in ("cart", "deal") and voice.names(text))

    def _visited(self, text: str) -> str:
        """A site that is only to be opened."""
        site = self.voice.pages.site_in(text) if how_far(text, self.voice) == "visit" else None
        step = self.voice.step("open", site=site.name) if site is not None else ""
        return carried_out(step, self.web, self.voice)[1] if step else ""

    def _left(self, task: Task | None, plan: Plan | None) -> str:
        """What is still to be done of an errand."""
        assert task is not None
        return self._told("open_left", query=task.query, progress=self.voice.progress(plan))

    def _browse(self, task: Task, text: str) -> Iterator[Said]:
        web, voice = self.web, self.voice
        web.turn_to(task.id if task.type == "browse" else web.task)
        if said := self._taken_out(text):
            yield said
        elif self._idles(text):
            yield Said(self._standing(), "browse", {} if self.going else DONE)
        elif self.plan is None or not self._goes_on(text):
            yield from self._pursued(goals(text, voice))
        else:
            yield from self._continued(task, self.plan)
        while web.goals and self._ended():
            yield from self._pursued([Goal(text, how_far(text, voice)) for text in web.goals])

    def _continued(self, task: Task, plan: Plan) -> Iterator[Said]:
        if not plan.finished:
            yield Said(self._told("going_on", progress=self.voice.progress(plan)), "planner")
            yield from self._carried_out()
        elif not self.web.goals:
            yield Said(self._over(task, plan), "planner", DONE)

    def _taken_out(self, text: str) -> Said | None:
        """What is said where something is to go out of the basket, or all of it: "I don't want the lamp", "drop it"."""
        removes, names_none = "remove" in self.voice.meant(text, "edit"), empty(text, self.voice)
        denies = names_none and self.voice.kept(text) != text
        if (denies or removes) and removed(text, self.web, self.voice):
            return self._basket_told()
        if not (removes and names_none):
            return None
        if self.going:
            return self._given_up("")
        self.web.cart = [id for id in self.web.cart if id not in self.web.chosen]
        return self._basket_told()

    def _basket_told(self) -> Said:
        """What is left in the basket, and whether to confirm it where that comes next."""
        web, due = self.web, _deal_due(self._next(self.chat.state))
        things = counted(web.cart, self.voice)
        key = "empty" if not things else "shall_i" if due else "in_basket"
        return Said(self._told(key, things=things, deal=due), "browse", {"page": web.state()})

    def _idles(self, text: str) -> bool:
        """Whether an instruction neither says what is wanted nor carries on with what is there."""
        if self.plan is None:
            return False
        leads = leads_on(text, self.web, self.voice) or self._goes_on(text) or self._says_yes(text)
        return empty(text, self.voice) and not leads and self.voice.pages.site_in(text) is None

    def _pursued(self, wanted: list[Goal]) -> Iterator[Said]:
        """Plan the first goal and carry the plan out; the others wait, as do those that waited already."""
        web, voice = self.web, self.voice
        first, *rest = (goal.text for goal in wanted)
        web.goals = [*rest, *(text for text in web.goals if text not in (first, *rest))]
        if self._of_tabs(first):
            yield Said(worked(first, "", web, voice), "browse", {"page": web.state()})
            return
        try:
            steps = planned(wanted[0], self.turn.state.task.link, web, voice)
        except Nowhere as unknown:
            told = self._told("nowhere", thing=unknown, sites=sites(voice))
            yield Said(told, "planner", {"page": web.state()} | ({} if self.going or web.goals else DONE))
            return
        web.offered = False
        if steps:
            yield Said(self._plan_told(steps), "planner", {"plan": steps, "page": web.state()})
            yield from self._carried_out()
        else:
            told = self._told("noted", count=web.count) if web.count > 1 else self._standing()
            yield Said(told, "planner", {"page": web.state()})

    def _plan_told(self, steps: list[str]) -> str:
        lines = [self._told("plan"), *(f"{number}. {step}" for number, step in enumerate(steps, 1))]
        then = [self._told("then", goals="; ".join(self.web.goals))] if self.web.goals else []
        return "\n".join([*lines, *then])

    def _carried_out(self) -> Iterator[Said]:
        """One step after the other, for as long as nobody interrupts."""
        web, agreed = self.web, self._says_yes(self.heard.wants)
        while True:
            if not agreed and (deal := _deal_due(self._next(self.chat.state))):
                web.offered = True
                told = self._told("shall_i", things=counted(web.cart, self.voice), deal=deal)
                yield Said(told, "browse", {"page": web.state()})
                return
            agreed = False  # of several orders each has its own yes
            step = self._begun()
            if step is not None:
                self._rest()
            if step is None or self._next(self.chat.state) is None:
                return
            done, text = carried_out(step.text, web, self.voice)
            marks = [{"number": step.number, "state": "done"}] if done else self._failed(step, text)
            yield Said(text[:1].upper() + text[1:], "browse", {"step": marks, "page": web.state()})

    def _failed(self, step: Step, reason: str) -> list[dict[str, object]]:
        """The marks of a step that could not be done, and of those that rest on it."""
        why = self._told("failed_before", number=step.number)
        rest = range(step.number + 1, len(self.chat.state.task.plan.steps) + 1)
        skipped = [{"number": number, "state": "skipped", "reason": why} for number in rest]
        return [{"number": step.number, "state": "failed", "reason": reason}, *skipped]

    def _begun(self) -> Step | None:
        """Begin the next step, unless somebody stopped the task in the same moment: looked up and marked in one act."""
        begun: list[Step] = []

        def act(draft: Draft) -> Iterator[Event]:
            begun[:] = filter(None, [self._next(draft.state)])
            for step in begun:
                yield from self.chat.pack.faculty("task").mark(draft, step.number, "running")  # type: ignore[attr-defined]

        self.chat.act(act)
        return begun[0] if begun else None

    def _mine(self, state: State) -> Task | None:
        """The task at hand, unless another message took it over."""
        link = state.task.link
        return state.task.current if link is not None and link.version == self.turn.version else None

    def _next(self, state: State) -> Step | None:
        """The next open step, or None when the plan is finished, was interrupted, or belongs to another message."""
        task = self._mine(state)
        return task.plan.first_open if task is not None and task.status == "running" and task.plan else None

    def _ended(self) -> bool:
        """Whether the plan of this message came to its end, or none was made yet, and nobody stopped it."""
        task = self._mine(self.chat.state)
        return task is not None and task.status in ("running", "done") and (not task.plan or task.plan.finished)

    def _over(self, task: Task, plan: Plan) -> str:
        """How a plan ended: with all its steps, or with one that could not be done; what there is instead, where that
        was just said."""
        failed = next((step for step in plan.steps if step.state == "failed"), None)
        if failed is None:
            given_up = any(step.state == "skipped" for step in plan.steps)
            return self._told("bought_nothing" if given_up else "nothing_left", progress=self.voice.progress(plan))
        reason, _, instead = failed.reason.partition(". ")
        told = self._told("unfinished", query=task.query, reason=reason.rstrip("."))
        return instead if instead and told == self.turn.state.conversation.last("assistant") else told

    def _goes_on(self, text: str) -> bool:
        """Whether the instruction asks for nothing more than going on."""
        link = self.turn.state.task.link
        on = link is not None and (link.hint == "continue" or link.relation == "resume" or self._agrees())
        held = {*self.web.cart, *self.web.chosen}
        named = [line for line in lines(self.voice.kept(text), self.voice) if line.words]
        others = (self.voice.pages.matching([*line.words], self.web.site)[:1] for line in named)
        return on and not any(thing.id not in held for best in others for thing in best)

    def _agrees(self) -> bool:
        return self.reading.has("agrees") or any(answer.yes for answer in all_answered(self.turn.state))

    def _says_yes(self, text: str) -> bool:
        """Whether a message agrees to what is in the basket, or asks for that very deal: "yes", "now check out"."""
        asks = "deal" in self.voice.meant(text, "goal") and empty(text, self.voice)
        return bool(self.web.cart) and (asks or self._agrees())


def _waits(task: Task) -> bool:
    return task.open and task.plan is not None and not task.plan.finished


def _deal_due(step: Step | None) -> str:
    """The deal that the next step would confirm."""
    did = understood(step.text) if step is not None else None
    return did.what["deal"] if did is not None and did.act == "confirm" else ""
