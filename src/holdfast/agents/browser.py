"""A browser agent to try `nxtscape` without a key: it plans, carries out one step after the other on a small simulated
web, works on tabs, and answers from the page. It takes its time between steps, so that it can be interrupted, and goes
on from where it was."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from typing import Any

from holdfast.agents import Said
from holdfast.agents.web import Tab, Web, matching, restored, sentences, site_in, words
from holdfast.faculties.task_events import Task, Tasks
from holdfast.session import Session
from holdfast.turn import Turn

ORDINALS = {"first": 0, "1st": 0, "second": 1, "2nd": 1, "third": 2, "3rd": 2, "last": -1}
CHEAP = {"cheaper", "cheapest", "cheap"}


class Browser:
    """The agent; `pause` is how long it works on a step, in seconds."""

    def __init__(self, pause: float = 0.8, sleep: Callable[[float], None] = time.sleep) -> None:
        self._pause, self._sleep = pause, sleep

    def __call__(self, turn: Turn, chat: Session) -> Iterator[Said]:
        tasks: Tasks = turn.state.task
        link, task = tasks.link, tasks.current
        if turn.question:
            yield Said(turn.question, turn.route.agent)
            return
        if link is not None and link.indicator:
            yield Said(link.indicator, turn.route.agent, {"task": "done"} if task is None else {})
        if task is None:
            return
        web = restored(tasks.seen)
        if task.type == "productivity":
            yield Said(productivity(turn, web), "productivity", {"page": web.state(), "task": "done"})
        elif task.type == "answer":
            yield Said(answer(turn.text, web, task.page), "answer", {"task": "done"})
        else:
            yield from self._browse(turn, chat, web, task)

    def _browse(self, turn: Turn, chat: Session, web: Web, task: Task) -> Iterator[Said]:
        if task.plan is not None and task.plan.finished and not _replans(turn):
            yield Said(f"Nothing is left to do: {task.plan.progress()}.", "planner", {"task": "done"})
            return
        if task.plan is None or _replans(turn):
            steps = planned(turn, web, task)
            listed = "\n".join(f"{number}. {step}" for number, step in enumerate(steps, 1))
            yield Said(f"Plan:\n{listed}", "planner", {"plan": steps})
        else:
            yield Said(f"Going on with the plan: {task.plan.progress()}.", "planner")
        yield from self._carried_out(turn, chat, web)

    def _carried_out(self, turn: Turn, chat: Session, web: Web) -> Iterator[Said]:
        """One step after the other, for as long as nobody interrupts."""
        while (step := self._next(turn, chat)) is not None:
            chat.step(step.number, "running")
            self._sleep(self._pause)
            if self._next(turn, chat) is None:
                return
            done, text = carried_out(step.text, web)
            marks = [{"number": step.number, "state": "done" if done else "failed", "reason": "" if done else text}]
            if not done:  # what comes after rests on it
                rest = [s.number for s in chat.state.task.plan.steps if s.number > step.number]
                marks += [{"number": n, "state": "skipped", "reason": f"step {step.number} failed"} for n in rest]
            yield Said(text, "browse", {"step": marks, "page": web.state()})

    def _next(self, turn: Turn, chat: Session) -> Any:
        """The next open step, or None when the plan is finished, was interrupted, or belongs to another message."""
        tasks: Tasks = chat.state.task
        task = tasks.current
        mine = tasks.link is not None and tasks.link.version == turn.version
        if not mine or task is None or task.status != "running" or task.plan is None:
            return None
        return task.plan.first_open


browser = Browser()


def _replans(turn: Turn) -> bool:
    """Whether the instruction asks for more than going on."""
    link = turn.state.task.link
    return link is None or (link.hint != "continue" and link.relation != "resume")


def planned(turn: Turn, web: Web, task: Task) -> list[str]:
    """Steps for what is wanted, from where the browser is: what is done and still holds is not done again."""
    goal = f"{task.query} {turn.text}" if turn.text != task.query else task.query
    site = site_in(turn.text) or site_in(task.query) or ({"name": web.site, "deal": "order"} if web.site else None)
    place, deal = (site["name"], site["deal"]) if site else ("Amazon", "order")
    wanted = [word for word in dict.fromkeys(words(goal)) if word not in words(place)]
    thing = " ".join(wanted[-4:]) or "it"
    steps = []
    if web.site != place:
        steps.append(f"Open {place}")
    if web.site == place and web.results and matching(wanted, place):
        steps.append(f"Filter the results for {thing}")
    else:
        steps.append(f"Search {place} for {thing}")
    choice = next((word for word in words(turn.text, light=False) if word in ORDINALS or word in CHEAP), "best")
    steps.append(f"Choose the {choice} result for {thing}")
    return [*steps, f"Add it to the {deal}", f"Confirm the {deal}"]


def carried_out(step: str, web: Web) -> tuple[bool, str]:
    """Do one step on the simulated web: whether it worked, and what to say of it."""
    verb = step.split(maxsplit=1)[0].lower()
    if verb == "open":
        web.site, web.results, web.chosen = step[5:], [], ""
        web.at = f"the home page of {web.site}"
        return True, f"Opened {web.site}."
    if verb in ("search", "filter"):
        return _searched(step, web)
    if verb == "choose":
        return _chose(step, web)
    if verb == "add" and web.chosen:
        web.cart = [*web.cart, web.chosen]
        web.at = f"the basket of {web.site} with {web.chosen}"
        return True, f"Added {web.chosen}."
    if verb == "confirm" and web.cart:
        bought, web.cart, web.at = ", ".join(web.cart), [], f"the confirmation page of {web.site}"
        return True, f"Confirmed on {web.site}: {bought}."
    return False, f"there is no way to {step[:1].lower()}{step[1:]} here"


def _searched(step: str, web: Web) -> tuple[bool, str]:
    wanted = words(step.partition(" for ")[2])
    found = matching(wanted, web.site)
    if not found:
        return False, f"{web.site} has nothing for {' '.join(wanted)}"
    web.results, web.chosen = [thing.name for thing in found], ""
    web.at = f"search results for {' '.join(wanted)} on {web.site}"
    listed = "\n".join(f"{n}. {thing.name}, ${thing.price:.2f}" for n, thing in enumerate(found[:5], 1))
    return True, f"Results on {web.site}:\n{listed}"


def _chose(step: str, web: Web) -> tuple[bool, str]:
    things = web.things()
    if not things:
        return False, "there are no results to choose from"
    how = step.split()[2]
    if how in CHEAP:
        thing = min(things, key=lambda thing: thing.price)
    else:
        place = ORDINALS.get(how, 0)
        thing = things[place] if -len(things) <= place < len(things) else things[0]
    web.chosen, web.at = thing.name, f"the page of {thing.name} on {web.site}"
    return True, f"Chose {thing.name}, ${thing.price:.2f}."


def productivity(turn: Turn, web: Web) -> str:
    """Work on tabs. A follow-up without a verb of its own ("and YouTube too") takes the one before."""
    said = words(turn.text, light=False)
    verb = next((v for v in _ON_TABS if any(word.startswith(v) for word in said)), None)
    before = words(turn.route.previous_query or "", light=False)
    verb = verb or next((v for v in _ON_TABS if any(word.startswith(v) for word in before)), "list")
    named = [tab for tab in web.tabs if set(words(tab.title)) & set(words(turn.text))]
    everything = {"all", "these", "my", "every"} & set(said) and not set(words(turn.text)) - set(_ON_TABS)
    tabs = named or (list(web.tabs) if everything or verb in ("list", "count", "group", "sort", "reopen") else [])
    if not tabs and verb != "reopen":
        return "No open tab fits that. Open are: " + "; ".join(tab.title for tab in web.tabs)
    return _ON_TABS[verb](web, tabs)


def _close(web: Web, tabs: list[Tab]) -> str:
    web.closed = tabs
    web.tabs = [tab for tab in web.tabs if tab not in tabs]
    web.active = web.tabs[-1].id if web.tabs else 0
    return f"Closed {len(tabs)} tabs: {_titles(tabs)}. {len(web.tabs)} are open."


def _reopen(web: Web, tabs: list[Tab]) -> str:
    back, web.closed = web.closed, []
    web.tabs = sorted([*web.tabs, *back], key=lambda tab: tab.id)
    return f"Reopened {len(back)} tabs: {_titles(back)}." if back else "No tab was closed."


def _list(web: Web, tabs: list[Tab]) -> str:
    return f"{len(tabs)} tabs:\n" + "\n".join(f"{n}. {tab.title}" for n, tab in enumerate(tabs, 1))


def _group(web: Web, tabs: list[Tab]) -> str:
    for tab in tabs:
        tab.group = tab.site
    names = sorted({tab.site for tab in tabs})
    return f"Grouped {len(tabs)} tabs by site: {', '.join(names)}."


def _sort(web: Web, tabs: list[Tab]) -> str:
    web.tabs = sorted(web.tabs, key=lambda tab: tab.title)
    return f"Sorted {len(web.tabs)} tabs by title."


def _pin(web: Web, tabs: list[Tab]) -> str:
    for tab in tabs:
        tab.pinned = True
    return f"Pinned {_titles(tabs)}."


def _mute(web: Web, tabs: list[Tab]) -> str:
    for tab in tabs:
        tab.muted = True
    return f"Muted {_titles(tabs)}."


def _bookmark(web: Web, tabs: list[Tab]) -> str:
    web.bookmarks = [*web.bookmarks, *(tab.title for tab in tabs)]
    return f"Saved {_titles(tabs)} to the bookmarks."


def _switch(web: Web, tabs: list[Tab]) -> str:
    web.active, web.at = tabs[0].id, f"the tab {tabs[0].title}"
    return f"Switched to {tabs[0].title}."


def _titles(tabs: list[Tab]) -> str:
    return ", ".join(tab.title for tab in tabs)


_ON_TABS: dict[str, Callable[[Web, list[Tab]], str]] = {
    "close": _close,
    "reopen": _reopen,
    "group": _group,
    "sort": _sort,
    "organi": _group,
    "pin": _pin,
    "mute": _mute,
    "bookmark": _bookmark,
    "save": _bookmark,
    "switch": _switch,
    "go": _switch,
    "list": _list,
    "count": _list,
    "show": _list,
    "many": _list,
}


def answer(question: str, web: Web, given: Any) -> str:
    """Answer from the pages that are meant: the tabs given with the request, those named, or the one in front."""
    ids = set(given) if isinstance(given, list) else {given}
    named = [tab for tab in web.tabs if set(words(tab.title)) & set(words(question))]
    plural = "tabs" in question.lower() or "both" in question.lower()
    front = [tab for tab in web.tabs if tab.id == web.active] or web.tabs[-1:]
    tabs = [tab for tab in web.tabs if tab.id in ids] or named or (web.tabs if plural else front)
    if not tabs:
        return "No page is open."
    asked = set(words(question)) - {"summarize", "summarise", "explain", "say", "says", "article"}
    if not asked or question.lower().startswith(("summar", "tl", "sum up", "give me", "explain")):
        return "\n".join(f"{tab.title}: {sentences(tab.text)[0]}" for tab in tabs)
    ranked = sorted(
        ((len(asked & set(words(part))), tab.title, part) for tab in tabs for part in sentences(tab.text)),
        key=lambda found: -found[0],
    )
    score, title, part = ranked[0]
    return f"{title} says: {part}" if score else f"The page does not say. It begins: {sentences(tabs[0].text)[0]}"
