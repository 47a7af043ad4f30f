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
from holdfast.agents.errands import carried_out, counted, empty, extends, leads_on, picked, planned_all, which
from holdfast.agents.goals import Goal, goals, how_far
from holdfast.agents.tabs import asked, worked
from holdfast.agents.voice import MAX_TEXT_CHARS, Voice, understood
from holdfast.agents.web import Tab, Thing, Web, restored, sentences
from holdfast.events import Event
from holdfast.faculties.aims.tasks.events import Task, Tasks
from holdfast.faculties.aims.tasks.plans import Plan, Step
from holdfast.faculties.questions.pending import all_answered
from holdfast.faculty import Draft
from holdfast.reading.reader import Reading
from holdfast.reading.text import UPPER
from holdfast.session import Session
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
        voice, task = Voice(turn.language), turn.state.task.current
        if turn.question:
            yield Said(turn.question, turn.route.agent)
        elif said := _courtesy(turn, chat, task, voice):
            yield said
        else:
            if turn.indicator:
                yield Said(turn.indicator, turn.route.agent, DONE if task is None else {})
            if task is not None:
                yield from self._worked_on(task, turn, chat, voice)

    def _worked_on(self, task: Task, turn: Turn, chat: Session, voice: Voice) -> Iterator[Said]:
        web = restored(turn.state.task.seen, voice.language)
        if task.type == "browse":
            yield from self._browse(turn, chat, web, task, voice)
        elif voice.read(turn.text).has("status"):
            before = turn.route.previous_query or task.query
            idle = courtesy(before) or voice.read(before).has("status")  # that was no errand
            told = voice.say("bought_nothing") if idle else voice.say("last", query=before)
            yield Said(told, task.type, DONE)
        elif task.type == "productivity":
            text = worked(turn.text, turn.route.previous_query or "", web, voice) or _visited(turn.text, web, voice)
            text = text or _waiting(turn.state.task, voice)
            yield Said(text, "productivity", {"page": web.state(), "task": "done"})
        else:
            yield Said(answer(turn.text, web, task.page, voice), "answer", DONE)

    def _browse(self, turn: Turn, chat: Session, web: Web, task: Task, voice: Voice) -> Iterator[Said]:
        web.turn_to(task.id)
        plan = task.plan
        if (yield from self._beside(turn, web, task, voice)):
            return
        if plan is None or not _goes_on(turn, voice):
            yield from self._pursued(goals(turn.text, voice), turn, chat, web, voice)
        elif not plan.finished:
            yield Said(voice.say("going_on", progress=voice.progress(plan)), "planner")
            yield from self._carried_out(turn, chat, web, voice)
        elif not web.goals:
            yield Said(_over(turn, task, plan, voice), "planner", DONE)
            return
        while web.goals and _ended(turn, chat.state.task):
            yield from self._pursued([Goal(text, how_far(text, voice)) for text in web.goals], turn, chat, web, voice)

    def _beside(self, turn: Turn, web: Web, task: Task, voice: Voice) -> Generator[Said, None, bool]:
        """What a message wants beside an errand, and whether that was all."""
        if (plan := task.plan) is None:
            wonders = _only_wonders(turn.text, voice)
            if wonders:
                yield Said(answer(turn.text, web, task.page, voice), "answer", DONE)
            return wonders
        if asked(turn.text, web, voice):
            yield Said(worked(turn.text, "", web, voice), "browse", {"page": web.state()})
            if not voice.pages.things_in(turn.text):
                return True
        told = _side(turn, web, task, plan, voice)
        if told:
            yield Said(told, "browse", {"page": web.state()} | (DONE if plan.finished else {}))
        return bool(told)

    def _pursued(self, wanted: list[Goal], turn: Turn, chat: Session, web: Web, voice: Voice) -> Iterator[Said]:
        """Plan as many goals as a plan holds, carry the plan out, and keep the rest for afterwards. Goals that waited
        already wait on, unless they are what is wanted now."""
        texts = [goal.text for goal in wanted]
        several = len(wanted) > 1 or texts[0] in web.goals
        if several and asked(texts[0], web, voice):
            web.goals = texts[1:]
            yield Said(worked(texts[0], "", web, voice), "browse", {"page": web.state()})
            return
        link = turn.state.task.link
        if web.offered and not extends(link):  # another choice, instead of what was offered
            web.cart = []
        web.offered = False
        waiting = [text for text in web.goals if text not in texts]
        steps, taken = planned_all(wanted, link, web, chat.state.task.current, voice)
        web.goals = [*texts[taken:], *waiting]
        web.doing = "; ".join(texts[:taken]) if several else web.doing
        yield Said(_plan_told(steps, web, voice), "planner", {"plan": steps, "page": web.state()})
        yield from self._carried_out(turn, chat, web, voice)

    def _carried_out(self, turn: Turn, chat: Session, web: Web, voice: Voice) -> Iterator[Said]:
        """One step after the other, for as long as nobody interrupts."""
        agreed = _says_yes(turn, web, voice)
        while True:
            if not agreed and (deal := _deal_due(_next(turn, chat.state.task))):
                web.offered = True
                told = voice.say("shall_i", things=counted(web.cart, voice), deal=deal)
                yield Said(told, "browse", {"page": web.state()})
                return
            agreed = False  # of several orders each has its own yes
            if (step := self._begun(turn, chat)) is None:
                return
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


def _plan_told(steps: list[str], web: Web, voice: Voice) -> str:
    lines = [voice.say("plan"), *(f"{number}. {step}" for number, step in enumerate(steps, 1))]
    return "\n".join([*lines, voice.say("then", goals="; ".join(web.goals))] if web.goals else lines)


def _next(turn: Turn, tasks: Tasks) -> Step | None:
    """The next open step, or None when the plan is finished, was interrupted, or belongs to another message."""
    task = tasks.current
    mine = tasks.link is not None and tasks.link.version == turn.version
    if not mine or task is None or task.status != "running" or task.plan is None:
        return None
    return task.plan.first_open


def _deal_due(step: Step | None) -> str:
    """The deal that the next step would confirm."""
    did = understood(step.text) if step is not None else None
    return did.what["deal"] if did is not None and did.act == "confirm" else ""


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
    reading, agent = voice.read(turn.text), turn.route.agent
    plan = _open_plan(task)
    kind = courtesy(turn.text, turn.clauses)
    if kind == "there" and plan is not None and reading.has("status"):
        return None  # "как дела?", while something is under way
    if kind in GREETED:
        return Said(voice.say(GREETED[kind]), agent, DONE if plan is None else {})
    if task is not None and reading.has("drop", "halt"):
        return _given_up(turn, task, plan, voice) if reading.has("drop") else _halted(chat, plan, agent, voice)
    return _thanked(task, plan, agent, voice) if kind else None


def _open_plan(task: Task | None) -> Plan | None:
    return task.plan if task is not None and task.plan is not None and not task.plan.finished else None


def _halted(chat: Session, plan: Plan | None, agent: str, voice: Voice) -> Said:
    if plan is None:
        return Said(voice.say("fine"), agent, DONE)
    chat.interrupt()
    return Said(voice.say("stopped", progress=voice.progress(plan)), agent)


def _thanked(task: Task | None, plan: Plan | None, agent: str, voice: Voice) -> Said:
    """Thanks and goodbyes; what is still open is named."""
    if task is None or plan is None:
        return Said(voice.say("welcome"), agent, DONE if task is not None else {})
    return Said(f"{voice.say('welcome')} {_left(task, plan, voice)}", agent)


def _given_up(turn: Turn, task: Task, plan: Plan | None, voice: Voice) -> Said:
    """A task that is no longer wanted; too late, where its plan was carried out and something was bought."""
    if plan is not None:
        return Said(voice.say("dropped", query=task.query), turn.route.agent, {"task": "abandoned"})
    late = task.plan is not None and restored(turn.state.task.seen, voice.language).bought
    return Said(voice.say("too_late" if late else "fine"), turn.route.agent, DONE)


def _over(turn: Turn, task: Task, plan: Plan, voice: Voice) -> str:
    """How a plan ended: with all its steps, or with one that could not be done; what there is instead, where that was
    just said."""
    failed = next((step for step in plan.steps if step.state == "failed"), None)
    if failed is None:
        return voice.say("nothing_left", progress=voice.progress(plan))
    reason, _, instead = failed.reason.partition(". ")
    told = voice.say("unfinished", query=task.query, reason=reason.rstrip("."))
    return instead if instead and told == turn.state.conversation.last("assistant") else told


def _goes_on(turn: Turn, voice: Voice) -> bool:
    """Whether the instruction asks for nothing more than going on."""
    link = turn.state.task.link
    if link is None:
        return False
    return link.hint == "continue" or link.relation == "resume" or _agrees(turn, voice)


def _agrees(turn: Turn, voice: Voice) -> bool:
    return voice.read(turn.text).has("agrees") or any(answer.yes for answer in all_answered(turn.state))


def _says_yes(turn: Turn, web: Web, voice: Voice) -> bool:
    """Whether a message agrees to what is in the basket, or asks for that very deal: "yes", "now check out"."""
    asks = how_far(turn.text, voice) == "deal" and empty(turn.text, voice)
    return bool(web.cart) and (asks or _agrees(turn, voice))


def _side(turn: Turn, web: Web, task: Task, plan: Plan, voice: Voice) -> str:
    """What is said to a message beside the errand, which changes nothing of it: how far it is, what was ordered, what
    something costs, what there is to choose from, what an open page says; and to one that says nothing."""
    reading = voice.read(turn.text)
    if web.offered and _says_yes(turn, web, voice):
        return ""
    if reading.has("status"):
        return _progress(reading, web, plan, voice)
    if _declines(turn, web, voice):
        return voice.say("not_confirmed", things=counted(web.cart, voice))
    rest = _over(turn, task, plan, voice) if plan.finished else _left(task, plan, voice)
    if reading.has("wonders"):
        return "" if reading.has("request") else _wondered(turn.text, web, voice) or rest
    idle = _idles(turn, web, voice) or (plan.finished and _remarks(turn, voice))
    return rest if idle else ""


def _visited(text: str, web: Web, voice: Voice) -> str:
    """A site that is only to be opened."""
    site = voice.pages.site_in(text) if how_far(text, voice) == "visit" else None
    return carried_out(voice.step("open", site=site.name), web, voice)[1] if site is not None else ""


def _waiting(tasks: Tasks, voice: Voice) -> str:
    """What is said where nothing can be done: what still waits, else what can be asked for."""
    left = [_left(task, task.plan, voice) for task in tasks.paused[-1:] if task.plan is not None]
    return left[0] if left else voice.say("unsure")


def _left(task: Task, plan: Plan, voice: Voice) -> str:
    """What is still to be done of an errand."""
    return voice.say("open_left", query=task.query, progress=voice.progress(plan))


def _declines(turn: Turn, web: Web, voice: Voice) -> bool:
    """A bare no to the deal that was offered."""
    return web.offered and voice.read(turn.text).has("no") and empty(turn.text, voice)


def _idles(turn: Turn, web: Web, voice: Voice) -> bool:
    """Whether a message neither says what is wanted nor carries on with what is there."""
    return empty(turn.text, voice) and not leads_on(turn.text, web, voice) and not _goes_on(turn, voice)


def _only_wonders(text: str, voice: Voice) -> bool:
    """Whether a message asks something and names nothing that could be done or had: "what's the weather like?"."""
    reading, pages = voice.read(text), voice.pages
    wants = reading.has("goal", "tabs", "how", "request") or pages.things_in(text) or pages.site_in(text)
    return (reading.has("wonders") or text.rstrip().endswith("?")) and not wants


def _progress(reading: Reading, web: Web, plan: Plan, voice: Voice) -> str:
    """How far the errand is, or what was bought."""
    if any(cue.means == "bought" for cue in reading.all("status")):
        return _held(web, voice)
    step = plan.first_open
    key = "nothing_left" if step is None else "so_far"
    return voice.say(key, progress=voice.progress(plan), step=step.text if step else "")


def _wondered(question: str, web: Web, voice: Voice) -> str:
    """The answer to a question beside the errand: from the results where it names or points at one or asks for a price,
    else from a page that speaks of it."""
    things, reading = voice.pages.named(web.results), voice.read(question)
    if not things and web.site:
        things = voice.pages.matching(voice.pages.words(question), web.site)
    said = voice.pages.stems(question)
    ours = set().union(*(voice.pages.stems(thing.told) for thing in things))
    priced = any(cue.means == "price" for cue in reading.all("wonders"))
    if priced and len(web.cart) > 1 and not said & ours:
        total = sum(thing.price for thing in map(voice.pages.goods.__getitem__, web.cart))
        return voice.say("together", things=counted(web.cart, voice), total=total)
    if said and not (said & ours or priced or reading.has("how")):
        return answer(question, web, None, voice)
    return "\n".join(thing.priced() for thing in _meant(question, things, web, voice)) if things else ""


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
    if how := which(text, voice):
        return [picked(how, things)]
    said = voice.pages.stems(text)
    scores = {thing.id: len(said & voice.pages.stems(thing.told)) for thing in things}
    best = max(scores.values())
    if best:
        return [thing for thing in things if scores[thing.id] == best]
    return [thing for thing in things if thing.id == web.chosen] or things[:5]


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
    wanted = _asked_words(question, reading, voice)
    if reading.has("sums_up") or not wanted:
        return _summed_up(tabs if plural or given is not None else tabs[:1])
    if given is not None or reading.has("here", "reads"):
        score, tab, part = _best(wanted, tabs, voice)
        return voice.say("says", title=tab.title, part=part) if score else voice.say("says_not", part=_first(tabs))
    return _from_any_page(question, wanted, tabs, web, voice)


def _summed_up(tabs: list[Tab]) -> str:
    return "\n".join(f"{tab.title[:1].upper()}{tab.title[1:]}: {sentences(tab.text)[0]}" for tab in tabs)


def _from_any_page(question: str, wanted: set[str], tabs: list[Tab], web: Web, voice: Voice) -> str:
    """The answer of a page that speaks of what is asked, best of those in front, or that there is none."""
    every = [*tabs, *(tab for tab in web.tabs if tab not in tabs)]
    known = [tab for tab in every if _knows(wanted, question, tab, voice)]
    score, tab, part = _best(wanted, known, voice) if known else (0, tabs[0], "")
    if not score:
        return voice.say("no_page_on", titles="; ".join(tab.title for tab in web.tabs))
    return voice.say("says", title=tab.title, part=part)


def _asked_words(question: str, reading: Reading, voice: Voice) -> set[str]:
    """The words of a question that say what is asked, without those that only make it a question."""
    light = {cue.span for family in ("sums_up", "wonders") for cue in reading.all(family) if cue.means != "price"}
    rest = "".join(" " if any(a <= n < b for a, b in light) else sign for n, sign in enumerate(question))
    return voice.pages.stems(rest, acts=True)


def _best(wanted: set[str], tabs: list[Tab], voice: Voice) -> tuple[int, Tab, str]:
    """The sentence that tells most of what is asked."""
    found = [(_tells(wanted, tab, part, voice), tab, part) for tab in tabs for part in sentences(tab.text)]
    return max(found, key=lambda one: one[0], default=(0, tabs[0], ""))


def _first(tabs: list[Tab]) -> str:
    return sentences(tabs[0].text)[0]


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


def _pages(question: str, web: Web, given: Any, every: bool, voice: Voice) -> list[Tab]:
    ids = set(given) if isinstance(given, list) else {given}
    if asked := [tab for tab in web.tabs if tab.id in ids]:
        return asked
    if every:
        return list(web.tabs)
    said = voice.pages.stems(question)
    if named := [tab for tab in web.tabs if said & voice.pages.stems(f"{tab.site} {tab.title}")]:
        return named
    return web.front if voice.read(question).has("reads") else [*web.page, *web.front]
