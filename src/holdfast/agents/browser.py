"""A browser agent to try `nxtscape` without a key: it plans, carries out one step after the other on a small simulated
web, works on tabs, and answers from the page. It takes its time between steps, so that it can be interrupted, and goes
on from where it was. It speaks English, Russian and Spanish."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator

from holdfast.agents import Said
from holdfast.agents.browsing.answers import answer, answered, held, sites, unknown
from holdfast.agents.browsing.errands import (
    Nowhere,
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
from holdfast.agents.browsing.orders import MAX_PIECES, lines
from holdfast.agents.browsing.tabs import asked, standing_of, worked
from holdfast.agents.browsing.voice import MAX_TEXT_CHARS, Voice, understood
from holdfast.agents.browsing.web import restored
from holdfast.agents.courtesies import courtesy
from holdfast.events import Event
from holdfast.faculties.aims.tasks.events import Task, TaskEnded
from holdfast.faculties.aims.tasks.plans import Plan, Step
from holdfast.faculties.questions.pending import all_answered
from holdfast.faculty import Draft
from holdfast.session import Session
from holdfast.reading.values import numbers
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
        self.voice = Voice(turn.language, self._last)
        self._told = self.voice.say
        self.reading = self.voice.read(turn.text)
        self.web = restored(turn.state.task.seen, self.voice.language)
        shown = bool(self.web.told or self.web.results)
        self.heard = Heard(turn.text[:MAX_TEXT_CHARS], turn.clauses, self.voice, shown)
        self._page = self.web.state()
        self.task: Task | None = turn.state.task.current
        self.plan: Plan | None = self.task.plan if self.task is not None else None
        self.going = self.task is not None and _waits(self.task)
        self.asked = self.web.offered and bool(self.web.cart)
        """Whether the person was just asked to confirm what is in the basket."""
        self.web.offered = False

    def said(self) -> Iterator[Said]:
        """What is said, with the page where it changed; never the same text as before."""
        for said in self._said():
            text = said.text if said.text != self._last else self._told("again", text=said.text)
            page, self._page = self._page, self.web.state()
            yield said._replace(text=text, attached=said.attached | ({"page": self._page} if page != self._page else {}))

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
        """Whether it helps to say where we are: after starting fresh, coming back, or going on with what was stopped."""
        midway = self.going and self.plan is not None and not _deal_due(self.plan.first_open)
        stopped = midway and bool(self.heard.wants or self._only_goes_on())
        relation = self.turn.route.relation if self.turn.indicator else ""
        backs = relation == "resume" or (relation == "continue" and stopped)
        return relation == "fresh" or (backs and not self.asked and not self.heard.asks)

    def _courtesy(self) -> Said | None:
        """A greeting, thanks, a cry for help, a farewell."""
        kind, agent = courtesy(self.turn.text, self.turn.clauses), self.turn.route.agent
        if not kind or (kind == "there" and self.going):
            return None  # "как дела?", while something is under way
        told = self._told({**GREETED, "bye": "bye"}.get(kind, "welcome"))
        if self.asked:
            told = held(self.web, self.voice) if kind != "bye" else f"{told} {held(self.web, self.voice)}"
        return Said(told, agent, {} if self.going else DONE if self.task is not None else {})

    def _done(self) -> Iterator[Said]:
        """Take a yes or no, answer what is asked, then do what is wanted; leave what is put off, forbidden or given up."""
        heard, agent = self.heard, self.turn.route.agent
        wanted = [Goal(self.turn.text, None)] if self._only_goes_on() else goals(heard.wants, self.voice)
        self.web.count = self._party() or self.web.count
        elsewhere = bool(self.web.told) and not set(self.web.told) <= {*self.web.cart}
        if elsewhere and not wanted and heard.agrees and self.reading.has("points"):
            wanted = [Goal(self.turn.text, None)]  # "yes, that one", of what was told last
        if agreed := self._agreed(wanted):
            wanted = [goal for goal in wanted if not self._is_yes(goal)]
            yield from self._confirmed()
        ends = bool(heard.ends or (heard.stops and self.web.cart)) and not agreed
        told = [self._answered(question) for question in ([] if agreed else heard.asks)]
        told = [text for text in told if (not wanted and len(told) == 1) or text != self._told("unsure")]
        against = wanted or ends or heard.refuses or heard.waits or not set(self.web.told) <= {*self.web.cart}
        if told and self.asked and not (against or self.web.offered):
            told.append(self._asks_on())
        if told:
            yield Said("\n".join(dict.fromkeys(told)), agent, {} if self.going or wanted else DONE)
        if ends:
            yield self._given_up(heard.ends)
        if wanted:
            yield from self._worked_on(wanted)
        elif not (agreed or ends or heard.asks):
            yield self._rested()
        while self.web.goals and self.task is not None and self.web.task == self.task.id and self._ended():
            yield from self._pursued([Goal(text, how_far(text, self.voice)) for text in self.web.goals])

    def _party(self) -> int:
        """For how many people something is wanted, where that is said."""
        values = [self.turn.text[v.start : v.end] for c in self.turn.clauses for v in c.values if v.attribute == "party"]
        said = [int(one.value) for text in values for one in self.voice.read(text).find(numbers)]
        return next((one for one in reversed(said) if 1 <= one <= MAX_PIECES), 0)

    def _asks_on(self) -> str:
        """The question that is still open after one aside."""
        self.web.offered = True
        return self._told("asks_on", deal=self.voice.pages.sites[self.web.site].deal)

    def _agreed(self, wanted: list[Goal]) -> bool:
        """Whether the message says yes to what is in the basket, and nothing against it: "yeah but is that for 4?" asks
        first."""
        heard = self.heard
        says = heard.agrees or self._agrees() or any(self._is_yes(goal) for goal in wanted)
        against = heard.asks or heard.refuses or heard.ends or heard.waits
        others = [goal for goal in wanted if not (self._is_yes(goal) or self._of_tabs(goal.text))]
        return self.asked and says and not (against or others)

    def _is_yes(self, goal: Goal) -> bool:
        """Whether a part of a message wants no more than what is in the basket, as it is there."""
        pages, cart = self.voice.pages, self.web.cart
        if not cart or self.voice.read(goal.text).has("how", "limit", "edit"):
            return False
        named = lines(self.voice.kept(goal.text), self.voice)
        best = [pages.matching([*line.words], self.web.site)[:1] for line in named if line.words]
        same = all(any(thing.id in cart for thing in things) for things in best)
        counts = all(line.number in (None, len(cart)) for line in named)
        agrees = goal.far == "deal" or (goal.far is None and self.heard.agrees)
        return same and counts and agrees and not self._of_tabs(goal.text)

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

    def _halted(self) -> Said:
        """What is put off or forbidden: the errand stays as it is."""
        agent = self.turn.route.agent
        if self.web.cart:
            return self._unconfirmed()
        if not self.going:
            return Said(self._told("nothing_to_stop"), agent, DONE)
        self.chat.interrupt()
        return Said(self._told("stopped", progress=self.voice.progress(self.plan)), agent)

    def _unconfirmed(self) -> Said:
        told = self._told("not_confirmed", things=counted(self.web.cart, self.voice))
        return Said(told, self.turn.route.agent)

    def _given_up(self, words: str) -> Said:
        """What is no longer wanted: a thing in the basket, where others stay, else the errand; too late, where it was
        carried out. Who drops a subject that is nothing of it leaves all as it is."""
        web, agent, things = self.web, self.turn.route.agent, [*self.web.cart]
        if removed(words, web, self.voice) and web.cart:
            return self._basket_told(things)
        open_one = next((task for task in self._errands() if _waits(task) and self._is_of(task, words)), None)
        if open_one is None and not (things and self._may_mean(words, things)):
            late = web.bought and not things and self.voice.meant(words, "drop") and self._may_mean(words, web.bought)
            told = self._told("too_late", things=counted(web.bought, self.voice)) if late else self._told("nothing_to_stop")
            return Said(" ".join(filter(None, [told, "" if late else held(web, self.voice)])), agent, {} if self.going else DONE)
        told = self._told("dropped", things=counted(things, self.voice) or (open_one.query if open_one else ""))
        if open_one is None:
            web.cart = []
            return Said(told, agent)
        web.drop(open_one.id)
        return Said(told, agent, {"task": "abandoned", "step": self._dropped(open_one)})

    def _may_mean(self, words: str, ids: list[str]) -> bool:
        """Whether words name something of some things, or nothing at all."""
        said = self.voice.pages.stems(self.voice.without(words, "drop", "all", "edit"))
        return not said or not said.isdisjoint(self.voice.pages.told(self.voice.pages.named(ids)))

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
        said = self.voice.pages.stems(self.voice.without(words, "drop", "all", "edit"))
        steps = " ".join(task.plan.texts) if task.plan is not None else ""
        return not said or not said.isdisjoint(self.voice.pages.stems(f"{task.query} {steps}"))

    def _rested(self) -> Said:
        """What is said to talk, and where something is to wait."""
        heard, agent = self.heard, self.turn.route.agent
        if heard.waits:
            return self._halted()
        if heard.refuses and self.web.cart:
            return self._unconfirmed()
        if heard.thanks:
            return Said(self._told("welcome"), agent, {} if self.going else DONE)
        if self.asked or (heard.agrees and self._waits_for_a_yes()):
            return Said(held(self.web, self.voice), agent)
        if self.going or (heard.agrees and any(map(_waits, self._errands()))):
            return Said(self._standing(), agent, {} if self.going else DONE)
        web = self.web
        if told := standing_of(self.turn.text, [*web.tabs, *web.closed], web, self.voice):
            return Said(told, agent, DONE)
        talks = all(clause.act in TALK for clause in self.turn.clauses) and not self.voice.meant(self.turn.text, "goal")
        return Said(self._told("fine" if talks else "unsure"), agent, DONE)

    def _waits_for_a_yes(self) -> bool:
        """Bring the errand in front that has something in its basket, if one has."""
        full = [task for task, errand in self.web.left.items() if errand.cart and not self.web.cart]
        if full:
            self.web.turn_to(full[-1])
        return bool(self.web.cart)

    def _standing(self) -> str:
        """How things stand: what is under way and what waits, what is in the basket, what was ordered; else what can be
        asked for."""
        waits = [task for task in self._errands() if _waits(task)]
        if self.web.cart or not waits:
            over = self._over(self.task, self.plan) if self.task is not None and self.plan is not None else ""
            return held(self.web, self.voice) or over or self._told("unsure")
        told = self._left(waits[0], waits[0].plan), self._next_told(), held(self.web, self.voice)
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
        web, voice, task = self.web, self.voice, self.task
        on_tabs = [goal.text for goal in wanted if self._of_tabs(goal.text)]
        ends = {} if self.going else DONE
        for text in on_tabs:
            yield Said(worked(text, "", web, voice), "productivity", ends)
        errand = [goal for goal in wanted if goal.text not in on_tabs]
        text = ", ".join(goal.text for goal in errand)
        if not errand:
            return
        if task is not None and self._on_errand(task, text):
            yield from self._browse(task, text, errand)
        elif task is not None and task.type == "answer" and voice.read(text).has("reads", "sums_up", "here", "translates"):
            yield Said(answer(text, web, task.page, voice) or self._answered(text), "answer", DONE)
        else:
            told = worked(text, self.turn.route.previous_query or "", web, voice) or self._visited(text)
            told = told or standing_of(text, [*web.tabs, *web.closed], web, voice)
            names = voice.pages.place_in(text) or voice.knows(text)
            told = told or (self._answered(text) if names else self._told("welcome" if self.heard.thanks else "unsure"))
            yield Said(told, "productivity", ends)

    def _of_tabs(self, text: str) -> bool:
        saves = self.voice.read(text).has("saved_word")
        return asked(text, self.web, self.voice) and (saves or not self.voice.names(text))

    def _on_errand(self, task: Task, text: str) -> bool:
        """Whether something is wanted of a site: also where the message before it only asked."""
        far, voice = how_far(text, self.voice), self.voice
        beside = voice.meant(text, "tabs") or voice.sums_up(text) or voice.read(text).has("reads", "here", "translates")
        shown = bool(self.web.results or self.web.told)
        says = bool(lines(voice.kept(text), voice)) or voice.read(text).has("how", "points", "limit")
        drops = bool(self.web.cart and voice.gone(text).strip())  # "actually no notebook"
        goes_on = ((shown and says) or drops or voice.names(text)) and not beside
        return task.type == "browse" or goes_on or (far in ("cart", "deal") and voice.names(text))

    def _visited(self, text: str) -> str:
        """A site that is only to be opened."""
        site = self.voice.pages.site_in(text) if how_far(text, self.voice) in ("visit", None) else None
        step = self.voice.step("open", site=site.name) if site is not None else ""
        return carried_out(step, self.web, self.voice)[1] if step else ""

    def _left(self, task: Task | None, plan: Plan | None) -> str:
        """What is still to be done of an errand."""
        assert task is not None
        return self._told("open_left", query=task.query, progress=self.voice.progress(plan))

    def _browse(self, task: Task, text: str, wanted: list[Goal]) -> Iterator[Said]:
        web, voice = self.web, self.voice
        self._turned(task, text)
        taken = {goal: said for goal in wanted if (said := self._taken_out(goal.text))}
        yield from taken.values()
        if taken:
            wanted = [goal for goal in wanted if goal not in taken]
            text = ", ".join(goal.text for goal in wanted)
        if not wanted:
            return
        if self._idles(text):
            told = unknown(text, web, voice) if web.cart or not web.bought else ""
            yield Said(told or self._standing(), "browse", {} if self.going else DONE)
        elif self.plan is None or not self._goes_on(text):
            yield from self._pursued(wanted)
        else:
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
        if (denies or removes) and removed(text, self.web, self.voice):
            return self._basket_told(had)
        if not (removes and names_none):
            return None
        self.web.cart = [id for id in self.web.cart if id not in self.web.chosen]
        return self._basket_told(had)

    def _basket_told(self, had: list[str]) -> Said:
        """What went out of the basket, what is left in it, and whether to confirm it where that comes next."""
        web, due = self.web, _deal_due(self._next(self.chat.state))
        things, out = counted(web.cart, self.voice), [id for id in had if id not in web.cart]
        web.offered = bool(things and due)
        key = "empty" if not things else "shall_i" if due else "in_basket"
        gone = self._told("taken_out", things=counted(out, self.voice)) if out else ""
        steps = self._dropped(self.task) if not things and self.task is not None and self.going else []
        attached = {"step": steps, "task": "abandoned"} if steps else {}
        return Said(f"{gone} {self._told(key, things=things, deal=due)}".strip(), "browse", attached)

    def _idles(self, text: str) -> bool:
        """Whether an instruction neither says what is wanted nor carries on with what is there."""
        points = bool(self.web.told) and self.voice.read(text).has("points")
        leads = points or leads_on(text, self.web, self.voice) or self._goes_on(text)
        return empty(text, self.voice) and not leads and self.voice.pages.site_in(text) is None

    def _pursued(self, wanted: list[Goal]) -> Iterator[Said]:
        """Plan the first goal and carry the plan out; the others wait, as do those that waited already."""
        web, voice = self.web, self.voice
        first, *rest = (goal.text for goal in wanted)
        web.goals = [*rest, *(text for text in web.goals if text not in (first, *rest))]
        if self._of_tabs(first):
            yield Said(worked(first, "", web, voice), "browse")
            return
        ends = {} if self.going or web.goals else DONE
        try:
            steps = planned(self._only_looked_for(wanted[0]), self.turn.state.task.link, web, voice)
        except Nowhere as unknown:
            yield Said(self._told("nowhere", thing=unknown, sites=sites(voice)), "planner", ends)
        except NoSuch as told:
            web.offered = self.asked and bool(web.cart)
            yield Said(" ".join(filter(None, [str(told), held(web, voice)])), "planner", ends)
        else:
            if steps:
                yield Said(self._plan_told(steps), "planner", {"plan": steps})
                yield from self._carried_out()
            else:
                yield Said(self._told("noted", count=web.count) if web.count > 1 else self._standing(), "planner")

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
        on = link is not None and (link.hint == "continue" or link.relation == "resume")
        named = [line for line in lines(self.voice.kept(text), self.voice) if line.words]
        others = (self.voice.pages.matching([*line.words], self.web.site)[:1] for line in named)
        held = {*self.web.cart, *self.web.chosen}
        more = self.voice.read(text).has("how", "limit", "edit")
        return on and not more and not any(thing.id not in held for best in others for thing in best)

    def _agrees(self) -> bool:
        return self.reading.has("agrees") or any(answer.yes for answer in all_answered(self.turn.state))


def _waits(task: Task) -> bool:
    return task.open and task.plan is not None and not task.plan.finished


def _deal_due(step: Step | None) -> str:
    """The deal that the next step would confirm."""
    did = understood(step.text) if step is not None else None
    return did.what["deal"] if did is not None and did.act == "confirm" else ""
