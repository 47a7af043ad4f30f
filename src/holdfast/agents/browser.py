"""A browser agent to try `nxtscape` without a key: it plans, carries out one step after the other on a small simulated
web, works on tabs, and answers from the page. It takes its time between steps, so that it can be interrupted, and goes
on from where it was. It speaks English, Russian and Spanish."""

from __future__ import annotations

import re
import time
from collections.abc import Callable, Generator, Iterator
from typing import Any

from holdfast.agents import Said
from holdfast.agents.courtesies import courtesy
from holdfast.agents.errands import carried_out, counted, empty, extends, leads_on, picked, planned, which
from holdfast.agents.goals import Goal, goals, how_far
from holdfast.agents.tabs import asked, worked
from holdfast.agents.voice import MAX_TEXT_CHARS, Voice, understood
from holdfast.agents.web import Tab, Thing, Web, restored, sentences
from holdfast.events import Event
from holdfast.faculties.aims.tasks.events import Task
from holdfast.faculties.aims.tasks.plans import Plan, Step
from holdfast.faculties.questions.pending import all_answered
from holdfast.faculty import Draft
from holdfast.reading.text import UPPER
from holdfast.session import Session
from holdfast.state import State
from holdfast.turn import Turn

_NAMES = re.compile(rf"(?<=[^.!?¿¡\"] )[{UPPER}]\w+|\d+")
"""Words that stand for one thing and no other: names inside a sentence, and numbers."""

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
        self.web = restored(turn.state.task.seen, self.voice.language)
        self.task: Task | None = turn.state.task.current
        self.plan: Plan | None = self.task.plan if self.task is not None else None
        self.going = self.plan is not None and not self.plan.finished

    def said(self) -> Iterator[Said]:
        if self.turn.question:
            yield Said(self.turn.question, self.turn.route.agent)
        elif said := self._courtesy():
            yield said
        else:
            if self.turn.indicator:
                yield Said(self.turn.indicator, self.turn.route.agent, DONE if self.task is None else {})
            if self.task is not None:
                yield from self._worked_on(self.task)

    # What asks for nothing to be done.

    def _courtesy(self) -> Said | None:
        """A greeting, thanks, a stop, a task that is given up."""
        kind, agent = courtesy(self.turn.text, self.turn.clauses), self.turn.route.agent
        if kind == "there" and self.going and self.reading.has("status"):
            return None  # "как дела?", while something is under way
        if kind in GREETED:
            return Said(self._told(GREETED[kind]), agent, {} if self.going else DONE)
        if self.task is not None and self.reading.has("drop"):
            return self._given_up()
        if self.task is not None and self.reading.has("halt"):
            return self._halted()
        left = f" {self._left(self.task, self.plan)}" if self.going else ""
        ends = DONE if self.task is not None and not self.going else {}
        return Said(self._told("welcome") + left, agent, ends) if kind else None

    def _halted(self) -> Said:
        if not self.going:
            return Said(self._told("fine"), self.turn.route.agent, DONE)
        self.chat.interrupt()
        return Said(self._told("stopped", progress=self.voice.progress(self.plan)), self.turn.route.agent)

    def _given_up(self) -> Said:
        """A task that is no longer wanted; too late, where its plan was carried out and something was bought."""
        if self.going and self.task is not None:
            told = self._told("dropped", query=self.task.query)
            return Said(told, self.turn.route.agent, {"task": "abandoned"})
        late = self.plan is not None and self.web.bought
        return Said(self._told("too_late" if late else "fine"), self.turn.route.agent, DONE)

    # What is done.

    def _worked_on(self, task: Task) -> Iterator[Said]:
        if task.type == "browse":
            yield from self._browse(task)
        elif self.reading.has("status"):
            before = self.turn.route.previous_query or task.query
            idle = courtesy(before) or self.voice.read(before).has("status")  # that was no errand
            yield Said(self._told("bought_nothing") if idle else self._told("last", query=before), task.type, DONE)
        elif task.type == "productivity":
            text = worked(self.turn.text, self.turn.route.previous_query or "", self.web, self.voice)
            text = text or self._visited() or self._waiting()
            yield Said(text, "productivity", {"page": self.web.state(), "task": "done"})
        else:
            yield Said(answer(self.turn.text, self.web, task.page, self.voice), "answer", DONE)

    def _visited(self) -> str:
        """A site that is only to be opened."""
        visits = how_far(self.turn.text, self.voice) == "visit"
        site = self.voice.pages.site_in(self.turn.text) if visits else None
        return carried_out(self.voice.step("open", site=site.name), self.web, self.voice)[1] if site is not None else ""

    def _waiting(self) -> str:
        """What is said where nothing can be done: what still waits, else what can be asked for."""
        left = [self._left(task, task.plan) for task in self.turn.state.task.paused[-1:] if task.plan is not None]
        return left[0] if left else self._told("unsure")

    def _left(self, task: Task | None, plan: Plan | None) -> str:
        """What is still to be done of an errand."""
        assert task is not None
        return self._told("open_left", query=task.query, progress=self.voice.progress(plan))

    def _browse(self, task: Task) -> Iterator[Said]:
        web, voice = self.web, self.voice
        web.turn_to(task.id)
        if (yield from self._beside(task)):
            return
        if self.plan is None or not self._goes_on():
            yield from self._pursued(goals(self.turn.text, voice))
        elif not self.plan.finished:
            yield Said(self._told("going_on", progress=voice.progress(self.plan)), "planner")
            yield from self._carried_out()
        elif not web.goals:
            yield Said(self._over(task, self.plan), "planner", DONE)
        while web.goals and self._ended():
            yield from self._pursued([Goal(text, how_far(text, voice)) for text in web.goals])

    def _pursued(self, wanted: list[Goal]) -> Iterator[Said]:
        """Plan the first goal and carry the plan out; the others wait, as do those that waited already."""
        web, voice, task = self.web, self.voice, self.chat.state.task.current
        first, *rest = (goal.text for goal in wanted)
        several = bool(rest) or first in web.goals
        if several and asked(first, web, voice):
            web.goals = rest
            yield Said(worked(first, "", web, voice), "browse", {"page": web.state()})
            return
        link = self.turn.state.task.link
        if web.offered and not extends(link):  # another choice, instead of what was offered
            web.cart = []
        web.offered = False
        web.goals = [*rest, *(text for text in web.goals if text not in (first, *rest))]
        web.doing = first if several else web.doing
        steps = planned(wanted[0], link, web, task, voice)
        yield Said(self._plan_told(steps), "planner", {"plan": steps, "page": web.state()})
        yield from self._carried_out()

    def _plan_told(self, steps: list[str]) -> str:
        lines = [self._told("plan"), *(f"{number}. {step}" for number, step in enumerate(steps, 1))]
        then = [self._told("then", goals="; ".join(self.web.goals))] if self.web.goals else []
        return "\n".join([*lines, *then])

    def _carried_out(self) -> Iterator[Said]:
        """One step after the other, for as long as nobody interrupts."""
        web, agreed = self.web, self._says_yes()
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

    # What a message wants beside an errand.

    def _beside(self, task: Task) -> Generator[Said, None, bool]:
        """What is said and done beside an errand, and whether that was all."""
        web, voice, text = self.web, self.voice, self.turn.text
        if self.plan is None:
            wonders = _only_wonders(text, voice)
            if wonders:
                yield Said(answer(text, web, task.page, voice), "answer", DONE)
            return wonders
        if asked(text, web, voice):
            yield Said(worked(text, "", web, voice), "browse", {"page": web.state()})
            if not voice.pages.things_in(text):
                return True
        told = self._side(task, self.plan)
        if told:
            yield Said(told, "browse", {"page": web.state()} | (DONE if self.plan.finished else {}))
        return bool(told)

    def _side(self, task: Task, plan: Plan) -> str:
        """What is said to a message that changes nothing of the errand: how far it is, what was ordered, what something
        costs, what there is to choose from, what an open page says; and to one that says nothing."""
        if self.web.offered and self._says_yes():
            return ""
        if self.reading.has("status"):
            return self._progress(plan)
        if self.web.offered and self.reading.has("no") and empty(self.turn.text, self.voice):
            return self._told("not_confirmed", things=counted(self.web.cart, self.voice))
        rest = self._over(task, plan) if plan.finished else self._left(task, plan)
        if self.reading.has("wonders"):
            return "" if self.reading.has("request") else self._wondered() or rest
        # what neither says what is wanted nor carries on with what is there
        text, voice = self.turn.text, self.voice
        idles = empty(text, voice) and not leads_on(text, self.web, voice) and not self._goes_on()
        return rest if idles or (plan.finished and self._remarks()) else ""

    def _progress(self, plan: Plan) -> str:
        """How far the errand is, or what was bought."""
        web, voice = self.web, self.voice
        if all(cue.means != "bought" for cue in self.reading.all("status")):
            step = plan.first_open
            key = "nothing_left" if step is None else "so_far"
            return self._told(key, progress=voice.progress(plan), step=step.text if step else "")
        held = {"in_basket": web.cart, "bought": web.bought}
        parts = [self._told(key, things=counted(things, voice)) for key, things in held.items() if things]
        return " ".join(parts) or self._told("bought_nothing")

    def _over(self, task: Task, plan: Plan) -> str:
        """How a plan ended: with all its steps, or with one that could not be done; what there is instead, where that
        was just said."""
        failed = next((step for step in plan.steps if step.state == "failed"), None)
        if failed is None:
            return self._told("nothing_left", progress=self.voice.progress(plan))
        reason, _, instead = failed.reason.partition(". ")
        told = self._told("unfinished", query=task.query, reason=reason.rstrip("."))
        return instead if instead and told == self.turn.state.conversation.last("assistant") else told

    def _goes_on(self) -> bool:
        """Whether the instruction asks for nothing more than going on."""
        link = self.turn.state.task.link
        return link is not None and (link.hint == "continue" or link.relation == "resume" or self._agrees())

    def _agrees(self) -> bool:
        return self.reading.has("agrees") or any(answer.yes for answer in all_answered(self.turn.state))

    def _says_yes(self) -> bool:
        """Whether a message agrees to what is in the basket, or asks for that very deal: "yes", "now check out"."""
        asks = how_far(self.turn.text, self.voice) == "deal" and empty(self.turn.text, self.voice)
        return bool(self.web.cart) and (asks or self._agrees())

    def _remarks(self) -> bool:
        """Whether a message neither asks for anything to be done nor names anything to be had: "ok cool"."""
        link, pages = self.turn.state.task.link, self.voice.pages
        wants = self.reading.has("goal", "how", "tabs", "wonders", "tab_word") or pages.things_in(self.turn.text)
        changes = link is not None and link.hint == "change"
        return not changes and not wants and pages.site_in(self.turn.text) is None

    def _wondered(self) -> str:
        """The answer to a question beside the errand: from the results where it names or points at one or asks for a
        price, else from a page that speaks of it."""
        web, voice, question = self.web, self.voice, self.turn.text
        things = voice.pages.named(web.results)
        if not things and web.site:
            things = voice.pages.matching(voice.pages.words(question), web.site)
        said = voice.pages.stems(question)
        ours = said & set().union(*(voice.pages.stems(thing.told) for thing in things))
        priced = any(cue.means == "price" for cue in self.reading.all("wonders"))
        if priced and len(web.cart) > 1 and not ours:
            total = sum(thing.price for thing in voice.pages.named(web.cart))
            return self._told("together", things=counted(web.cart, voice), total=total)
        if said and not (ours or priced or self.reading.has("how")):
            return answer(question, web, None, voice)
        return "\n".join(thing.priced() for thing in _meant(question, things, web, voice))


def _deal_due(step: Step | None) -> str:
    """The deal that the next step would confirm."""
    did = understood(step.text) if step is not None else None
    return did.what["deal"] if did is not None and did.act == "confirm" else ""


def _only_wonders(text: str, voice: Voice) -> bool:
    """Whether a message asks something and names nothing that could be done or had: "what's the weather like?"."""
    reading, pages = voice.read(text), voice.pages
    wants = reading.has("goal", "tabs", "how", "request") or pages.things_in(text) or pages.site_in(text)
    return (reading.has("wonders") or text.rstrip().endswith("?")) and not wants


def _meant(text: str, things: list[Thing], web: Web, voice: Voice) -> list[Thing]:
    """Which of the results a question is about: by place or price, by its words, the one that is chosen, else all."""
    if things and (how := which(text, voice)):
        return [picked(how, things)]
    said = voice.pages.stems(text)
    shared = [len(said & voice.pages.stems(thing.told)) for thing in things]
    if any(shared):
        return [thing for thing, count in zip(things, shared, strict=True) if count == max(shared)]
    return voice.pages.named([web.chosen]) if web.chosen in web.results else things[:5]


def answer(question: str, web: Web, given: Any, voice: Voice) -> str:
    """Answer from the pages that are meant: the tabs given with the request, those named, or what is in front."""
    question = question[:MAX_TEXT_CHARS]
    reading = voice.read(question)
    plural = any(cue.means == "plural" for cue in reading.all("sums_up"))
    tabs = _pages(question, web, given, plural, voice)
    if not tabs:
        return voice.say("no_page")
    if reading.has("translates"):
        return voice.say("no_translation")
    wanted = voice.pages.stems(voice.without(question, "sums_up", "wonders", but="price"), acts=True)
    if reading.has("sums_up") or not wanted:
        summed = tabs if plural or given is not None else tabs[:1]
        return "\n".join(f"{tab.title[:1].upper()}{tab.title[1:]}: {sentences(tab.text)[0]}" for tab in summed)
    if given is not None or reading.has("here", "reads"):
        return _best(wanted, tabs, voice) or voice.say("says_not", part=sentences(tabs[0].text)[0])
    every = [*tabs, *(tab for tab in web.tabs if tab not in tabs)]
    known = [tab for tab in every if _knows(wanted, question, tab, voice)]
    return _best(wanted, known, voice) or voice.say("no_page_on", titles="; ".join(tab.title for tab in web.tabs))


def _best(wanted: set[str], tabs: list[Tab], voice: Voice) -> str:
    """The sentence that tells most of what is asked, if any does; what already stands in the title of its page counts
    less."""

    def tells(tab: Tab, part: str) -> int:
        shared = wanted & voice.pages.stems(part, acts=True)
        return 4 * len(shared) - 3 * len(shared & voice.pages.stems(tab.title, acts=True))

    found = [(tells(tab, part), tab, part) for tab in tabs for part in sentences(tab.text)]
    score, tab, part = max(found, key=lambda one: one[0], default=(0, None, ""))
    return voice.say("says", title=tab.title, part=part) if score and tab is not None else ""


def _knows(wanted: set[str], question: str, tab: Tab, voice: Voice) -> bool:
    """Whether a page speaks of what is asked: it has every name and number of the question, and half of its other
    words. A page on flights to Oslo says nothing of a flight to Tokyo, nor of how many people live in Oslo."""
    page = voice.pages.stems(f"{tab.site} {tab.title} {tab.text}", acts=True)
    names = wanted & voice.pages.stems(" ".join(_NAMES.findall(question)), acts=True)
    others = wanted - names
    return names <= page and 2 * len(others & page) >= len(others)


def _pages(question: str, web: Web, given: Any, every: bool, voice: Voice) -> list[Tab]:
    ids = set(given) if isinstance(given, list) else {given}
    if asked := [tab for tab in web.tabs if tab.id in ids]:
        return asked
    said = voice.pages.stems(question)
    named = [tab for tab in web.tabs if every or said & voice.pages.stems(f"{tab.site} {tab.title}")]
    return named or (web.front if voice.read(question).has("reads") else [*web.page, *web.front])
