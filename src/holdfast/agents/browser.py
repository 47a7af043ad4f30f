"""A browser agent to try `nxtscape` without a key: it plans, carries out one step after the other on a small simulated
web, works on tabs, and answers from the page. It takes its time between steps, so that it can be interrupted, and goes
on from where it was. It speaks English, Russian and Spanish."""

from __future__ import annotations

import re
import time
from collections.abc import Callable, Iterator
from typing import Any

from holdfast.agents import Said
from holdfast.agents.errands import HOW, carried_out, counted, empty, leads_on, picked, planned_all
from holdfast.agents.goals import Goal, goals, how_far
from holdfast.agents.tabs import asked, worked
from holdfast.agents.voice import LONGEST, Voice, understood
from holdfast.agents.web import Tab, Thing, Web, restored, sentences
from holdfast.events import Event
from holdfast.faculties.aims.tasks.events import Task, Tasks
from holdfast.faculties.aims.tasks.plans import Plan, Step
from holdfast.faculty import Draft
from holdfast.reading.text import UPPER
from holdfast.session import Session
from holdfast.turn import Turn

_NAMES = re.compile(rf"(?<=[^.!?¿¡\"] )[{UPPER}]\w+|\d+")
"""Words that stand for one thing and no other: names inside a sentence, and numbers."""


class Browser:
    """The agent; `pause` is how long it works on a step, in seconds."""

    def __init__(self, pause: float = 0.8, sleep: Callable[[float], None] = time.sleep) -> None:
        self._pause, self._sleep = pause, sleep

    def __call__(self, turn: Turn, chat: Session) -> Iterator[Said]:
        tasks: Tasks = turn.state.task
        voice = Voice(turn.language)
        task = tasks.current
        if turn.question:
            yield Said(turn.question, turn.route.agent)
            return
        if said := _courtesy(turn, chat, task, voice):
            yield said
            return
        if turn.indicator:
            yield Said(turn.indicator, turn.route.agent, {"task": "done"} if task is None else {})
        if task is None:
            return
        web = restored(tasks.seen, voice.language)
        if task.type != "browse" and voice.read(turn.text).has("status"):
            yield Said(voice.say("last", query=turn.route.previous_query or task.query), task.type, {"task": "done"})
        elif task.type == "productivity":
            text = worked(turn.text, turn.route.previous_query or "", web, voice)
            yield Said(text, "productivity", {"page": web.state(), "task": "done"})
        elif task.type == "answer":
            yield Said(answer(turn.text, web, task.page, voice), "answer", {"task": "done"})
        else:
            yield from self._browse(turn, chat, web, task, voice)

    def _browse(self, turn: Turn, chat: Session, web: Web, task: Task, voice: Voice) -> Iterator[Said]:
        web.turn_to(task.id)
        if task.plan is not None and asked(turn.text, voice):
            yield Said(worked(turn.text, "", web, voice), "browse", {"page": web.state()})
            if not voice.pages.things_in(turn.text):
                return
        if task.plan is not None and (told := _side(turn, web, task, task.plan, voice)):
            ended = {"task": "done"} if task.plan.finished else {}
            yield Said(told, "browse", {"page": web.state(), **ended})
            return
        on = task.plan is not None and _goes_on(turn, voice)
        if task.plan is not None and on and task.plan.finished and not web.goals:
            yield Said(_over(task, task.plan, voice), "planner", {"task": "done"})
            return
        if task.plan is not None and on and not task.plan.finished:
            yield Said(voice.say("going_on", progress=voice.progress(task.plan)), "planner")
            yield from self._carried_out(turn, chat, web, voice)
        elif not on:
            said = goals(turn.text, voice)
            yield from self._pursued(said, turn, chat, web, voice)
        while web.goals and _ended(turn, chat.state.task):
            yield from self._pursued([Goal(text, how_far(text, voice)) for text in web.goals], turn, chat, web, voice)

    def _pursued(self, wanted: list[Goal], turn: Turn, chat: Session, web: Web, voice: Voice) -> Iterator[Said]:
        """Plan as many goals as a plan holds, carry the plan out, and keep the rest for afterwards. Goals that waited
        already wait on, unless they are what is wanted now."""
        task: Task = chat.state.task.current
        if asked(wanted[0].text, voice) and (len(wanted) > 1 or wanted[0].text in web.goals):
            web.goals = [goal.text for goal in wanted[1:]]
            yield Said(worked(wanted[0].text, "", web, voice), "browse", {"page": web.state()})
            return
        several = len(wanted) > 1 or bool({goal.text for goal in wanted} & set(web.goals))
        waiting = [text for text in web.goals if text not in {goal.text for goal in wanted}]
        steps, taken = planned_all(wanted, turn.state.task.link, web, task, voice)
        web.goals = [*(goal.text for goal in wanted[taken:]), *waiting]
        web.doing = "; ".join(goal.text for goal in wanted[:taken]) if several else web.doing
        lines = [voice.say("plan"), *(f"{number}. {step}" for number, step in enumerate(steps, 1))]
        lines += [voice.say("then", goals="; ".join(web.goals))] if web.goals else []
        yield Said("\n".join(lines), "planner", {"plan": steps, "page": web.state()})
        yield from self._carried_out(turn, chat, web, voice)

    def _carried_out(self, turn: Turn, chat: Session, web: Web, voice: Voice) -> Iterator[Said]:
        """One step after the other, for as long as nobody interrupts."""
        while (step := self._begun(turn, chat)) is not None:
            self._sleep(self._pause)
            if _next(turn, chat.state.task) is None:
                return
            done, text = carried_out(step.text, web, voice)
            marks = [{"number": step.number, "state": "done" if done else "failed", "reason": "" if done else text}]
            if not done:  # what comes after rests on it
                rest = _resting_on(step, chat.state.task.plan)
                why = voice.say("failed_before", number=step.number)
                marks += [{"number": n, "state": "skipped", "reason": why} for n in rest]
            yield Said(text[:1].upper() + text[1:], "browse", {"step": marks, "page": web.state()})

    def _begun(self, turn: Turn, chat: Session) -> Step | None:
        """Begin the next step, unless somebody stopped the task in the same moment: looked up and marked in one act."""
        begun: list[Step] = []

        def act(draft: Draft) -> Iterator[Event]:
            begun.clear()
            step = _next(turn, draft.state.task)
            if step is not None:
                begun.append(step)
                yield from chat.pack.faculty("task").mark(draft, step.number, "running")  # type: ignore[attr-defined]

        chat.act(act)
        return begun[0] if begun else None


def _next(turn: Turn, tasks: Tasks) -> Step | None:
    """The next open step, or None when the plan is finished, was interrupted, or belongs to another message."""
    task = tasks.current
    mine = tasks.link is not None and tasks.link.version == turn.version
    if not mine or task is None or task.status != "running" or task.plan is None:
        return None
    return task.plan.first_open


def _ended(turn: Turn, tasks: Tasks) -> bool:
    """Whether the plan of this message came to its end, or none was made yet, and nobody stopped it."""
    task = tasks.current
    mine = tasks.link is not None and tasks.link.version == turn.version
    return mine and task is not None and task.status in ("running", "done") and (not task.plan or task.plan.finished)


def _resting_on(step: Step, plan: Plan) -> list[int]:
    """The later steps that rest on one: those up to the next place that is opened."""
    later = [other for other in plan.steps if other.number > step.number]
    opens = (other.number for other in later if (did := understood(other.text)) is not None and did.act == "open")
    end = next(opens, len(plan.steps) + 1)
    return [other.number for other in later if other.number < end]


browser = Browser()


def _courtesy(turn: Turn, chat: Session, task: Task | None, voice: Voice) -> Said | None:
    """What asks for nothing to be done: a greeting, thanks, a stop, a task that is given up."""
    reading = voice.read(turn.text)
    open_plan = task.plan if task is not None and task.plan is not None and not task.plan.finished else None
    agent = turn.route.agent
    if reading.has("helps"):
        return Said(voice.say("unsure"), agent, {"task": "done"} if open_plan is None else {})
    if reading.has("greets"):
        return Said(voice.say("hello"), agent, {"task": "done"} if open_plan is None else {})
    if reading.has("drop") and task is not None:
        if open_plan is None:
            bought = restored(turn.state.task.seen, voice.language).bought
            return Said(voice.say("too_late" if task.plan is not None and bought else "fine"), agent, {"task": "done"})
        return Said(voice.say("dropped", query=task.query), agent, {"task": "abandoned"})
    if reading.has("halt") and task is not None:
        if open_plan is None:
            return Said(voice.say("fine"), agent, {"task": "done"})
        chat.interrupt()
        return Said(voice.say("stopped", progress=voice.progress(open_plan)), agent)
    if reading.has("thanks"):
        if task is None or open_plan is None:
            return Said(voice.say("welcome"), agent, {"task": "done"} if task is not None else {})
        left = voice.say("open_left", query=task.query, progress=voice.progress(open_plan))
        return Said(f"{voice.say('welcome')} {left}", agent)
    return None


def _over(task: Task, plan: Plan, voice: Voice) -> str:
    """How a plan ended: with all its steps, or with one that could not be done."""
    failed = next((step for step in plan.steps if step.state == "failed"), None)
    if failed is None:
        return voice.say("nothing_left", progress=voice.progress(plan))
    return voice.say("unfinished", query=task.query, reason=failed.reason.partition(". ")[0].rstrip("."))


def _goes_on(turn: Turn, voice: Voice) -> bool:
    """Whether the instruction asks for nothing more than going on."""
    link = turn.state.task.link
    if link is None:
        return False
    return link.hint == "continue" or link.relation == "resume" or voice.read(turn.text).has("agrees")


def _side(turn: Turn, web: Web, task: Task, plan: Plan, voice: Voice) -> str:
    """What is said to a message beside the errand, which changes nothing of it: how far it is, what was ordered, what
    something costs, what there is to choose from, what an open page says; and to one that says nothing."""
    reading = voice.read(turn.text)
    if reading.has("status"):
        if any(cue.means == "bought" for cue in reading.all("status")):
            return _held(web, voice)
        step = plan.first_open
        key = "nothing_left" if step is None else "so_far"
        return voice.say(key, progress=voice.progress(plan), step=step.text if step else "")
    idle = empty(turn.text, voice) and not leads_on(turn.text, web, voice)
    if not _goes_on(turn, voice) and idle and not reading.has("wonders"):
        if plan.finished:
            return _over(task, plan, voice)
        return voice.say("open_left", query=task.query, progress=voice.progress(plan))
    if plan.finished and _remarks(turn, voice):
        return _over(task, plan, voice)
    things = voice.pages.named(web.results)
    if not reading.has("wonders") or reading.has("request"):
        return ""
    said = voice.pages.stems(turn.text)
    ours = set().union(*(voice.pages.stems(f"{thing.name} {thing.about}") for thing in things))
    if not said & ours and any(len(said & voice.pages.stems(f"{tab.title} {tab.text}")) > 1 for tab in web.tabs):
        return answer(turn.text, web, None, voice)
    if not things:
        return ""
    meant = _meant(turn.text, things, web, voice)
    return "\n".join(thing.priced() for thing in meant)


def _remarks(turn: Turn, voice: Voice) -> bool:
    """Whether a message neither asks for anything to be done nor names anything to be had: "ok cool"."""
    reading = voice.read(turn.text)
    changes = turn.state.task.link is not None and turn.state.task.link.hint == "change"
    wants = reading.has("goal", "how", "tabs", "wonders", "tab_word") or bool(voice.pages.things_in(turn.text))
    return not changes and not wants and voice.pages.site_in(turn.text) is None


def _held(web: Web, voice: Voice) -> str:
    parts = [voice.say("in_basket", things=counted(web.cart, voice))] if web.cart else []
    parts += [voice.say("bought", things=counted(web.bought, voice))] if web.bought else []
    return " ".join(parts) or voice.say("bought_nothing")


def _meant(text: str, things: list[Thing], web: Web, voice: Voice) -> list[Thing]:
    """Which of the results a question is about: by place or price, by its words, the one that is chosen, else all."""
    reading = voice.read(text)
    how = next((key for key in HOW if any(cue.means == key for cue in reading.all("how"))), None)
    if how:
        return [picked(how, things)]
    said = voice.pages.stems(text)
    scored = [(len(said & voice.pages.stems(f"{thing.name} {thing.about}")), thing) for thing in things]
    best = max(score for score, _ in scored)
    chosen = [thing for thing in things if thing.id == web.chosen]
    return [thing for score, thing in scored if score == best] if best else chosen or things[:5]


def answer(question: str, web: Web, given: Any, voice: Voice) -> str:
    """Answer from the pages that are meant: the tabs given with the request, those named, or what is in front."""
    question = question[:LONGEST]
    reading = voice.read(question)
    tabs = _pages(question, web, given, reading.has("sums_up") and _plural(question, voice), voice)
    if not tabs:
        return voice.say("no_page")
    if reading.has("translates"):
        return voice.say("no_translation")
    light = {cue.span for family in ("sums_up", "wonders") for cue in reading.all(family) if cue.means != "price"}
    rest = "".join(" " if any(a <= n < b for a, b in light) else sign for n, sign in enumerate(question))
    wanted = voice.pages.stems(rest, acts=True)
    if reading.has("sums_up") or not wanted:
        front = tabs if _plural(question, voice) or len(tabs) == 1 or given is not None else tabs[:1]
        return "\n".join(f"{tab.title}: {sentences(tab.text)[0]}" for tab in front)
    asks_here = given is not None or reading.has("here", "reads")
    pages = tabs if asks_here else [*tabs, *(tab for tab in web.tabs if tab not in tabs)]
    known = [tab for tab in pages if asks_here or _knows(wanted, question, tab, voice)]
    found = [(_tells(wanted, tab, part, voice), tab, part) for tab in known for part in sentences(tab.text)]
    score, tab, part = max(found, key=lambda one: one[0], default=(0, tabs[0], ""))
    if not score and asks_here:
        return voice.say("says_not", part=sentences(tabs[0].text)[0])
    if not score:
        return voice.say("no_page_on", titles="; ".join(tab.title for tab in web.tabs))
    return voice.say("says", title=tab.title, part=part)


def _knows(wanted: set[str], question: str, tab: Tab, voice: Voice) -> bool:
    """Whether a page speaks of what is asked: it has every name and number of the question, and half of its other
    words. A page on flights to Oslo says nothing of a flight to Tokyo, nor of how many people live in Oslo."""
    page = voice.pages.stems(f"{tab.site} {tab.title} {tab.text}", acts=True)
    names = wanted & voice.pages.stems(" ".join(_NAMES.findall(question)), acts=True)
    others = wanted - names
    return names <= page and 2 * len(others & page) >= len(others)


def _tells(wanted: set[str], tab: Tab, part: str, voice: Voice) -> int:
    """How much of what is asked a sentence tells; what already stands in the title of its page counts less."""
    shared = wanted & voice.pages.stems(part, acts=True)
    return 4 * len(shared) - 3 * len(shared & voice.pages.stems(tab.title, acts=True))


def _plural(question: str, voice: Voice) -> bool:
    return any(cue.means == "plural" for cue in voice.read(question).all("sums_up"))


def _pages(question: str, web: Web, given: Any, every: bool, voice: Voice) -> list[Tab]:
    ids = set(given) if isinstance(given, list) else {given}
    said = voice.pages.stems(question)
    named = [tab for tab in web.tabs if said & voice.pages.stems(f"{tab.site} {tab.title}")]
    front = [tab for tab in web.tabs if tab.id == web.active] or web.tabs[-1:]
    shown = [Tab(0, web.site, web.at, web.shown)] if web.shown and not voice.read(question).has("reads") else []
    return [tab for tab in web.tabs if tab.id in ids] or (list(web.tabs) if every else named or [*shown, *front])
