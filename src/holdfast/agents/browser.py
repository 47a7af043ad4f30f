"""A browser agent to try `nxtscape` without a key: it plans, carries out one step after the other on a small simulated
web, works on tabs, and answers from the page. It takes its time between steps, so that it can be interrupted, and goes
on from where it was. It speaks English, Russian and Spanish."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from itertools import pairwise

from holdfast.agents import Said
from holdfast.agents.browsing.answers import answer, answered, held, known, unknown
from holdfast.agents.browsing.errands import (
    NoSuch,
    carried_out,
    counted,
    empty,
    leads_on,
    planned,
    removed,
    summed,
)
from holdfast.agents.browsing.goals import Goal, goals, how_far
from holdfast.agents.browsing.heard import Heard
from holdfast.agents.browsing.orders import Line, lines
from holdfast.agents.browsing.tabs import asked, standing_of, worked
from holdfast.agents.browsing.voice import MAX_TEXT_CHARS, Voice, names_in, understood
from holdfast.agents.browsing.web import restored
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
GREETED = {"help": "help", "hello": "hello", "there": "hello"}
"""What is said to a greeting or a cry for help."""
TALK = frozenset({"remarks", "thanks", "greets", "states", "reports", "denies", "confirms", "supposes"})
"""Acts of clauses that want nothing of a browser, where nothing in them says what."""


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
        self._last = turn.state.conversation.last("assistant")
        self.voice = Voice(turn.language or names_in(turn.text), self._last)
        self._told = self.voice.say
        self.reading = self.voice.read(turn.text)
        self.web = restored(turn.state.task.seen, self.voice.language)
        self.voice.pages = self.voice.pages.holding(self.web.things())
        shown = bool(self.web.told or self.web.results)
        self.voice.shown = [thing.name for thing in self.voice.pages.named(self.web.told or self.web.results)]
        self.heard = Heard(turn.text[:MAX_TEXT_CHARS], turn.clauses, self.voice, shown)
        self._page = self.web.state()
        self.task: Task | None = turn.state.task.current
        self.plan: Plan | None = self.task.plan if self.task is not None else None
        self.going = self.task is not None and _waits(self.task)
        self._ends: dict[str, object] = {} if self.going else {**DONE}
        self.asked = self.web.offered and bool(self.web.cart)
        """Whether the person was just asked to confirm what is in the basket."""
        self.web.offered = False

    def said(self) -> Iterator[Said]:
        """What is said, with the page where it changed; never the same text as before."""
        for said in self._said():
            text = said.text if said.text != self._last else self._told("again", text=said.text)
            page, self._page = self._page, self.web.state()
            seen = {"page": self._page} if page != self._page else {}
            yield said._replace(text=text, attached=said.attached | seen)

    def _said(self) -> Iterator[Said]:
        agent = self.turn.route.agent
        if self.turn.question:
            yield Said(self.turn.question, agent)
        elif said := self._courtesy():
            yield said
        else:
            if self._tells_where():
                yield Said(self.turn.indicator, agent, DONE if self.task is None else {})
            if self.task is not None or self.turn.route.relation != "fresh":
                yield from self._done()

    def _tells_where(self) -> bool:
        """Whether it helps to say where we are: after starting fresh, coming back, or a stop midway."""
        relation = self.turn.route.relation if self.turn.indicator else ""
        if relation != "continue":
            return relation == "fresh" or (relation == "resume" and not self.asked and not self.heard.asks)
        midway = self.going and self.plan is not None and not _deal_due(self.plan.first_open)
        return midway and not self.heard.asks and bool(self.heard.wants or self._only_goes_on())

    def _courtesy(self) -> Said | None:
        """A greeting, thanks, a cry for help, a farewell."""
        kind, agent = courtesy(self.turn.text, self.turn.clauses), self.turn.route.agent
        if not kind or self.heard.wants:
            return None
        told = held(self.web, self.voice) if self.asked else self._told({**GREETED, "bye": "bye"}.get(kind, "welcome"))
        return Said(told, agent, self._ends if self.task is not None else {})

    def _done(self) -> Iterator[Said]:
        """Take a yes or no, answer what is asked, leave what is not wanted any more, then do what is wanted."""
        wanted = self._wanted()
        if agreed := self._agreed(wanted):
            wanted = [goal for goal in wanted if not self._is_yes(goal)]
            yield from self._confirmed()
            self.asked = False
        yield from self._seen_to(wanted, agreed)
        while self._goals_wait():
            yield from self._pursued([Goal(text, how_far(text, self.voice)) for text in self.web.goals])

    def _seen_to(self, wanted: list[Goal], agreed: bool) -> Iterator[Said]:
        """What else a message asks, gives up and wants, beside its yes."""
        if self.heard.asks or not agreed:
            yield from self._replied(wanted)
        if wanted:
            yield from self._worked_on(wanted)
        elif not agreed and self._says_nothing():
            yield self._rested()

    def _says_nothing(self) -> bool:
        return not (self.heard.asks or self._leaves())

    def _goals_wait(self) -> bool:
        """Whether the task at hand has goals left, and came to the end of its plan."""
        if self.task is None or self.web.task != self.task.id or not self.web.goals:
            return False
        task = self._mine(self.chat.state)  # nobody stopped it
        return task is not None and task.status in ("running", "done") and (not task.plan or task.plan.finished)

    def _wanted(self) -> list[Goal]:
        """What is to be done; "continue" is all that a message says."""
        wanted = goals(self.heard.wants, self.voice)
        return [Goal(self.turn.text, None)] if self._only_goes_on() else wanted

    def _leaves(self) -> bool:
        """Whether something is given up: a stop in the middle of a deal ends it, unless it only waits for an answer."""
        heard = self.heard
        return bool(heard.ends or (heard.stops and self.web.cart and not heard.asks))

    def _replied(self, wanted: list[Goal]) -> Iterator[Said]:
        """Answer what is asked, and leave what is given up."""
        heard, told = self.heard, self._answers(wanted)
        if told:
            yield Said("\n".join(dict.fromkeys(told)), self.turn.route.agent, {} if wanted else self._ends)
        if self._leaves():
            yield self._given_up(heard.ends)

    def _answers(self, wanted: list[Goal]) -> list[str]:
        """The answers to all that is asked; that nothing is known of it is said where nothing else is."""
        asks = self.heard.asks
        answers = self._known if wanted or len(asks) > 1 else self._answered
        told = [text for question in asks if (text := answers(question))]
        return [self._answered(asks[-1])] if asks and not (told or wanted) else told

    def _agreed(self, wanted: list[Goal]) -> bool:
        """Whether the message says yes to what is in the basket, and nothing against it: "yeah but is that for 4?" asks
        first."""
        if not self.asked or self._speaks_against():
            return False
        yes = [self._is_yes(goal) for goal in wanted]
        others = [goal for goal, is_yes in zip(wanted, yes, strict=True) if not (is_yes or self._of_tabs(goal.text))]
        answered_yes = any(answer.yes for answer in all_answered(self.turn.state))
        return not others and (self.heard.agrees or answered_yes or any(yes))

    def _speaks_against(self) -> bool:
        heard = self.heard
        return bool(heard.asks or heard.refuses or heard.ends or heard.waits)

    def _is_yes(self, goal: Goal) -> bool:
        """Whether a part of a message wants no more than what is in the basket, as it is there."""
        text, far = goal
        if not self.web.cart or self.voice.read(text).has("how", "limit", "edit") or self._of_tabs(text):
            return False
        named = lines(self.voice.kept(text), self.voice)
        agrees = far is None and self.heard.agrees and bool(named or self.voice.does(text)["yes"] >= 0)
        return (far == "deal" or agrees) and all(map(self._in_basket, named))  # "vale, déjala ahí" orders nothing

    def _in_basket(self, line: Line) -> bool:
        """Whether what a line names is in the basket, as often as it says."""
        best = self.voice.pages.matching([*line.words], self.web.site)[:1] if line.words else []
        same = not line.words or any(thing.id in self.web.cart for thing in best)
        return same and line.number in (None, len(self.web.cart))

    def _confirmed(self) -> Iterator[Said]:
        """Confirm the basket: by the plan at hand, or by itself where the message belongs to another task."""
        mine = self.task is not None and self.web.task in ("", self.task.id)
        if mine and _deal_due(self._next(self.chat.state)):
            yield from self._carried_out(agreed=True)
            return
        site, task = self.voice.pages.sites[self.web.site], self.web.task
        told = carried_out(self.voice.step("confirm", deal=site.deal), self.web, self.voice)[1]
        self.chat.act(lambda draft: iter([TaskEnded(id=task, status="done")]))
        yield Said(told, "browse", {} if self.going else DONE)

    def _only_goes_on(self) -> bool:
        """Whether a message that says nothing else goes on with the plan: "continue"."""
        return self.heard.silent and self.plan is not None and not self.asked and self._goes_on("")

    # What asks for nothing to be done.

    def _answered(self, question: str) -> str:
        page = self.task.page if self.task is not None else None
        return answered(question, self.web, page, self.voice) or self._standing()

    def _known(self, question: str) -> str:
        return known(question, self.web, self.task.page if self.task is not None else None, self.voice)

    def _halted(self) -> Said:
        """What is put off or forbidden: the errand stays as it is."""
        agent = self.turn.route.agent
        if self.web.cart:
            return Said(self._told("not_confirmed", things=counted(self.web.cart, self.voice)), agent)
        if not self.going:
            return Said(self._told("nothing_to_stop"), agent, DONE)
        self.chat.interrupt()
        return Said(self._told("stopped", progress=self.voice.progress(self.plan)), agent)

    def _given_up(self, words: str) -> Said:
        """What is no longer wanted: a thing in the basket, where others stay, else the errand."""
        web, agent, things = self.web, self.turn.route.agent, [*self.web.cart]
        if removed(words, web, self.voice) and web.cart:
            return self._basket_told(things)
        task = self._waiting(words)
        told = self.voice.pages.told(self.voice.pages.named(things))
        if task is None and not (things and self._may_mean(words, told)):
            return Said(self._not_given_up(words), agent, self._ends)
        given_up = counted(things, self.voice) or (task.query if task is not None else "")
        web.drop(web.task)
        web.drop(task.id if task is not None else web.task)
        said = self._told("dropped", things=given_up)
        return Said(said, agent, {"task": "abandoned", "step": self._dropped(task)} if task is not None else {})

    def _waiting(self, words: str) -> Task | None:
        """The newest errand that waits and that words may be about."""
        return next((task for task in self._errands() if _waits(task) and self._is_of(task, words)), None)

    def _not_given_up(self, words: str) -> str:
        """What is said where nothing can be given up: it is too late, or nothing is under way."""
        web = self.web
        if web.bought and not web.cart and self.voice.meant(words, "drop"):
            return self._told("too_late", things=counted(web.bought, self.voice))
        return f"{self._told('nothing_to_stop')} {held(web, self.voice)}".strip()

    def _may_mean(self, words: str, told: set[str]) -> bool:
        """Whether words name something of what is told, or nothing at all."""
        said = self.voice.pages.stems(self.voice.without(words, "drop", "all", "edit"))
        return not said or not said.isdisjoint(told)

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
        steps = " ".join(task.plan.texts) if task.plan is not None else ""
        return self._may_mean(words, self.voice.pages.stems(f"{task.query} {steps}"))

    def _rested(self) -> Said:
        """What is said to talk, and where something is to wait."""
        heard, web, agent = self.heard, self.web, self.turn.route.agent
        if heard.waits or (heard.refuses and web.cart):
            return self._halted()
        if heard.thanks:
            return Said(self._told("welcome"), agent, self._ends)
        if self.asked or (heard.agrees and self._waits_for_a_yes()):
            return Said(held(web, self.voice), agent)
        if self.going:
            return Said(self._standing(), agent, self._ends)
        return Said(self._nod(), agent, DONE)

    def _nod(self) -> str:
        """What is said where nothing else is."""
        talks = all(clause.act in TALK for clause in self.turn.clauses)
        return self._told("fine") if talks else self._puzzled()

    def _waits_for_a_yes(self) -> bool:
        """Bring the errand in front that has something in its basket, if one has."""
        full = [task for task, errand in self.web.left.items() if errand.cart and not self.web.cart]
        if full:
            self.web.turn_to(full[-1])
        return bool(self.web.cart)

    def _standing(self) -> str:
        """How things stand: what is under way or waits, in the basket, ordered; else what can be asked for."""
        waits = [task for task in self._errands() if _waits(task)]
        if self.web.cart or not waits:
            over = self._over(self.task, self.plan) if self.task is not None and self.plan is not None else ""
            return held(self.web, self.voice) or over or self._told("unsure")
        left = self._told("open_left", query=waits[0].query, progress=self.voice.progress(waits[0].plan))
        told = left, self._next_told(), held(self.web, self.voice)
        return " ".join(filter(None, told))

    def _next_told(self) -> str:
        """The next step of the plan at hand; a deal that waits for a yes is told by what is in the basket."""
        step = self.plan.first_open if self.plan is not None and self.going else None
        if step is None or _deal_due(step):
            return ""
        return self._told("so_far", progress=self.voice.progress(self.plan), step=step.text)

    # What is done.

    def _worked_on(self, wanted: list[Goal]) -> Iterator[Said]:
        """Work on tabs first, then the errand."""
        on_tabs = self._on_tabs(wanted)
        for before, text in pairwise(["", *on_tabs]):
            yield Said(worked(text, before, self.web, self.voice), "productivity", self._ends)
        errand = [goal for goal in wanted if goal.text not in on_tabs]
        text = ", ".join(goal.text for goal in errand)
        if not errand:
            return
        if self.task is not None and self._on_errand(self.task, text):
            yield from self._browse(self.task, text, errand)
        else:
            yield Said(self._told_or_done(text), self.turn.route.agent, self._ends)

    def _on_tabs(self, wanted: list[Goal]) -> list[str]:
        """What is to be done with tabs; what follows it and names one, too: "kill the oslo one, and both youtubes"."""
        found = list[str]()
        for text, _ in wanted:
            more = found and (self.voice.given(text, "tab") or self.voice.pages.place_in(text))
            found += [text] if more or self._of_tabs(text) else []
        return found

    def _told_or_done(self, text: str) -> str:
        """What comes of an instruction that is no errand: a page is read, tabs are worked on, a site is opened."""
        web, voice, task = self.web, self.voice, self.task
        reads = voice.read(text).has("reads", "sums_up", "here", "translates")
        if task is not None and task.type == "answer" and reads:
            return answer(text, web, task.page, voice) or self._answered(text)
        told = self._done_with_tabs(text)
        return told or (self._told("welcome") if self.heard.thanks else self._puzzled())

    def _puzzled(self) -> str:
        """What is said to what was not understood: what waits for a yes, as it may be meant, else what can be done."""
        return held(self.web, self.voice) if self._waits_for_a_yes() else self._told("unsure")

    def _done_with_tabs(self, text: str) -> str:
        """What comes of working on tabs or opening a site, else how the tabs are that are named."""
        web, voice = self.web, self.voice
        told = worked(text, self.turn.route.previous_query or "", web, voice) or self._visited(text)
        return told or standing_of(text, [*web.tabs, *web.closed], web, voice)

    def _of_tabs(self, text: str) -> bool:
        if self._of_basket(text):
            return False
        saves = self.voice.read(text).has("saved_word")
        tabs = bool(self.voice.given(text, "tab")) or self.voice.does(text)["tabs"] >= 0 or not self.web.results
        return asked(text, self.web, self.voice) and (saves or tabs or not self.voice.names(text))

    def _of_basket(self, text: str) -> bool:
        """Whether something is to go, and the basket has something while no tab is spoken of: "remove the last one"."""
        tabs = self.voice.meant(text, "tabs") or self.voice.given(text, "tab") or self.voice.pages.place_in(text)
        goes = bool(self.web.cart) and "remove" in self.voice.meant(text, "edit")
        return goes and not (tabs or self.voice.read(text).has("tab_word"))

    def _on_errand(self, task: Task, text: str) -> bool:
        """Whether something is wanted of a site: also where the message before it only asked."""
        voice, far = self.voice, how_far(text, self.voice)
        if voice.does(text)["read"] >= 0 and not voice.given(text, "item"):
            return False  # "sum it up in two words" orders no two
        names = voice.names(text) or (far not in (None, "visit") and bool(lines(voice.kept(text), voice)))
        errand = task.type == "browse" or (bool(self.web.cart) and voice.read(text).has("basket"))
        if errand or (far in ("cart", "deal") and names):
            return True
        beside = voice.meant(text, "tabs") or voice.sums_up(text) or voice.read(text).has("reads", "here", "translates")
        wants = voice.wants(text) and not voice.given(text, "tab")
        which = bool(self.web.results) and voice.read(text).has("how")
        return not beside and (names or wants or which)

    def _visited(self, text: str) -> str:
        """A site that is only to be opened."""
        site = self.voice.pages.site_in(text) if how_far(text, self.voice) in ("visit", None) else None
        step = self.voice.step("open", site=site.name) if site is not None else ""
        return carried_out(step, self.web, self.voice)[1] if step else ""

    def _browse(self, task: Task, text: str, wanted: list[Goal]) -> Iterator[Said]:
        self._turned(task, text)
        taken = {goal: said for goal in wanted if (said := self._taken_out(goal.text))}
        yield from taken.values()
        wanted = [goal for goal in wanted if goal not in taken]
        text = ", ".join(goal.text for goal in wanted) if taken else text
        yield from self._pushed_on(task, text, wanted)

    def _pushed_on(self, task: Task, text: str, wanted: list[Goal]) -> Iterator[Said]:
        """What comes of what is still wanted: it is pursued, what is under way goes on, or how things stand is told."""
        if wanted and self._idles(text):
            told = unknown(text, self.web, self.voice) if self.web.cart or not self.web.bought else ""
            yield Said(told or self._standing(), "browse", self._ends)
        elif self.plan is None or not self._goes_on(text):
            yield from self._pursued(wanted)
        elif wanted:
            yield from self._continued(task, self.plan)

    def _turned(self, task: Task, text: str) -> None:
        """Bring the errand of the task in front; one that begins and names nothing goes on where the last one is."""
        if task.type != "browse":
            return
        if task.plan is None and not self.voice.names(text) and self.voice.pages.site_in(text) is None:
            self.web.task = task.id
        else:
            self.web.turn_to(task.id)

    def _continued(self, task: Task, plan: Plan) -> Iterator[Said]:
        if not plan.finished:
            yield Said(self._told("going_on", progress=self.voice.progress(plan)), "planner")
            yield from self._carried_out()
        elif not self.web.goals:
            yield Said(self._over(task, plan), "planner", DONE)

    def _taken_out(self, text: str) -> Said | None:
        """What is said where something is to go out of the basket, or all of it: "I don't want the lamp", "drop it"."""
        had, removes = [*self.web.cart], "remove" in self.voice.meant(text, "edit")
        names_none = empty(text, self.voice)
        denies = names_none and self.voice.kept(text) != text
        if kept := self._all_that_is_kept(text):
            self.web.cart = kept
            return self._basket_told(had)
        if (denies or removes) and removed(text, self.web, self.voice):
            return self._basket_told(had)
        if not (removes and names_none):
            return None
        whole = self.voice.read(text).has("basket")  # "empty the basket"
        self.web.cart = [] if whole else [id for id in self.web.cart if id not in self.web.chosen]
        return self._basket_told(had)

    def _all_that_is_kept(self, text: str) -> list[str]:
        """What of the basket is wanted, where a text says that it is all: "just the card"."""
        only = [cue.end for cue in self.voice.read(text).all("but")][-1:]
        named = [line for end in only for line in lines(self.voice.kept(text[end:]), self.voice)]
        if not named or any(line.number or not line.words for line in named):
            return []
        fits = {thing.id for line in named for thing in self.voice.pages.matching([*line.words], self.web.site)}
        kept = [id for id in self.web.cart if id in fits]
        return kept if len(kept) < len(self.web.cart) else []

    def _basket_told(self, had: list[str]) -> Said:
        """What went out of the basket, what is left in it, and whether to confirm it where that comes next."""
        web, due = self.web, _deal_due(self._next(self.chat.state))
        out = [id for id in had if id not in web.cart]
        gone = f"{self._told('taken_out', things=counted(out, self.voice))} " if out else ""
        if not web.cart:
            steps = self._dropped(self.task) if self.task is not None and self.going else []
            return Said(gone + self._told("empty"), "browse", {"step": steps, "task": "abandoned"} if steps else {})
        web.offered = bool(due)
        told = self._told("shall_i" if due else "in_basket", things=counted(web.cart, self.voice), deal=due)
        return Said(gone + told, "browse")

    def _idles(self, text: str) -> bool:
        """Whether an instruction neither says what is wanted nor carries on with what is there."""
        leads = leads_on(text, self.web, self.voice) or self._goes_on(text)
        return empty(text, self.voice) and not leads and self.voice.pages.site_in(text) is None

    def _pursued(self, wanted: list[Goal]) -> Iterator[Said]:
        """Plan the first goal and carry the plan out; the others wait, as do those that waited already."""
        web, voice = self.web, self.voice
        texts = [goal.text for goal in wanted]
        web.goals = [*texts[1:], *(text for text in web.goals if text not in texts)]
        if not wanted:
            return
        try:
            steps = planned(self._only_looked_for(wanted[0]), self.turn.state.task.link, web, voice)
        except NoSuch as lacks:
            yield Said(f"{lacks} {held(web, voice)}".strip(), "planner", {} if web.goals else self._ends)
        else:
            yield from self._planned(steps)

    def _planned(self, steps: list[str]) -> Iterator[Said]:
        if steps:
            yield Said(self._plan_told(steps), "planner", {"plan": steps})
            yield from self._carried_out()
        else:
            yield Said(self._standing(), "planner")

    def _only_looked_for(self, goal: Goal) -> Goal:
        """A goal as far as it is wanted: who asks something in the same breath orders nothing yet."""
        return goal._replace(far="look") if goal.far is None and self.heard.asks and not self.web.cart else goal

    def _plan_told(self, steps: list[str]) -> str:
        lines = [self._told("plan"), *(f"{number}. {step}" for number, step in enumerate(steps, 1))]
        then = [self._told("then", goals="; ".join(self.web.goals))] if self.web.goals else []
        return "\n".join([*lines, *then])

    def _carried_out(self, agreed: bool = False) -> Iterator[Said]:
        """One step after the other, for as long as nobody interrupts."""
        web = self.web
        while True:
            if not agreed and (deal := _deal_due(self._next(self.chat.state))):
                web.offered = True
                things = (summed if len(web.cart) > 1 else counted)(web.cart, self.voice)
                yield Said(self._told("shall_i", things=things, deal=deal), "browse")
                return
            agreed = False  # of several orders each has its own yes
            step = self._begun()
            if step is not None:
                self._rest()
            if step is None or self._next(self.chat.state) is None:
                return
            done, text = carried_out(step.text, web, self.voice)
            marks = [{"number": step.number, "state": "done"}] if done else self._failed(step, text)
            yield Said(text[:1].upper() + text[1:], "browse", {"step": marks})

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

    def _over(self, task: Task, plan: Plan) -> str:
        """How a plan ended: with all its steps, or with one that could not be done."""
        failed = next((step for step in plan.steps if step.state == "failed"), None)
        if failed is None:
            return self._told("nothing_left", progress=self.voice.progress(plan))
        return self._told("unfinished", query=task.query, reason=failed.reason.partition(". ")[0].rstrip("."))

    def _goes_on(self, text: str) -> bool:
        """Whether the instruction asks for nothing more than going on."""
        link = self.turn.state.task.link
        on = link is not None and (link.hint == "continue" or link.relation == "resume")
        takes = self.plan is not None and self.plan.finished and how_far(text, self.voice) in ("cart", "deal")
        more = takes or self.voice.read(text).has("how", "limit", "edit")
        return on and not more


def _waits(task: Task) -> bool:
    return task.open and task.plan is not None and not task.plan.finished


def _deal_due(step: Step | None) -> str:
    """The deal that the next step would confirm."""
    did = understood(step.text) if step is not None else None
    return did.what["deal"] if did is not None and did.act == "confirm" else ""
